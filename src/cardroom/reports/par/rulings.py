"""The rulings on which figures rest: where a rule sheet is silent or contradicts itself, how it is read."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Ruling:
    """How one place of a rule sheet is read."""

    number: str
    text: str


def general_rule() -> str:
    """What settles a place that no ruling names."""
    return str(_source()["general"])


def rulings(game: str, *, jackpots: bool = True) -> tuple[Ruling, ...]:
    """The rulings that bear on a game: those for all games, its own, and those for jackpots where it has one.

    >>> [ruling.number for ruling in rulings("three-card-prime", jackpots=False)]
    ['GEN-1', 'GEN-3', 'GEN-4', 'TP-1', 'TP-2', 'TP-3', 'TP-4', 'TP-5', 'TP-6', 'TP-7']
    """
    sections = ("all", game, *(("jackpots",) if jackpots else ()))
    return tuple(Ruling(number, text) for section in sections for number, text in _rulings(section).items())


def all_rulings() -> tuple[Ruling, ...]:
    """Every ruling of the house."""
    sections = (name for name, value in _source().items() if isinstance(value, Mapping))
    return tuple(Ruling(number, text) for section in sections for number, text in _rulings(section).items())


def _rulings(section: str) -> Mapping[str, str]:
    found = _source()[section]
    assert isinstance(found, Mapping)
    return found


@cache
def _source() -> Mapping[str, str | Mapping[str, str]]:
    return tomllib.loads((files("cardroom.reports.par") / "rulings.toml").read_text("utf-8"))
