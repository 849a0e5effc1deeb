"""A jackpot as an operator writes it. It may be wrong: ``cardroom.jackpots.setup.opening`` is the door that checks it.

>>> setup = read_jackpot_setup('''
... id = "final-four"
... name = "Final Four Progressive"
... kind = "progressive"
... location = "Lakewood"
... wager = "$1"
... [[offers]]
... game = "three-card-prime"
... wager = "final-four"
... paytable = "F4P-1"
... [[levels]]
... name = "main"
... pays = ["four-card-diamond-royal", "four-card-royal"]
... contribution = "20%"
... reserve = "5%"
... seed = "$5,000"
... ''')
>>> setup.levels[0].contribution, setup.levels[0].seed
(Fraction(1, 5), 500000)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from cardroom.accounts import Currency
from cardroom.errors import quote
from cardroom.games.money import format_cents
from cardroom.jackpots.setup.faults import BadFile
from cardroom.jackpots.setup.reading import Section, read_toml

NOTHING: Final = Fraction(0)


class JackpotKind(StrEnum):
    """The two kinds of jackpot (BJ-5)."""

    BONUS = "bonus"
    """A fixed amount of the house's money, which the house may change or remove at any time."""
    PROGRESSIVE = "progressive"
    """Grows with every wager counted; the money is the players'."""


class OfferSetup(NamedTuple):
    """The jackpot wager of one game and its table, with the operator's amounts for its open lines."""

    game: str
    wager: str
    paytable: str
    bonuses: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class LevelSetup:
    """One meter of a jackpot. Amounts are cents."""

    name: str
    pays: tuple[str, ...]
    """The events whose percentage comes off this meter."""
    seed: int
    """What a progressive starts with and is reset to; what a bonus jackpot shows."""
    contribution: Fraction = NOTHING
    """Of each wager, for the meter."""
    reserve: Fraction = NOTHING
    """Of each wager, for the next reset."""
    ceiling: int | None = None
    """What the meter shows at most; what comes in above it is overflow."""
    minimum: int = 0
    """The wager that takes part in this level."""


class JackpotSetup(NamedTuple):
    """Everything an operator decides about a jackpot."""

    id: str
    name: str
    kind: str
    location: str
    offers: tuple[OfferSetup, ...]
    """One for each game; usually there is one game."""
    levels: tuple[LevelSetup, ...]
    """From the highest down: a hand is paid on the first level that lists its event and takes its wager (BJ-9)."""
    wagers: tuple[int, ...] = (100,)
    """The amounts that may be wagered, in cents (BJ-6)."""
    jurisdiction: str = "washington"
    money: Currency = Currency.REAL


def read_jackpot_setup(text: str) -> JackpotSetup:
    """Read a jackpot's set-up from TOML."""
    return jackpot_setup_from(read_toml(text, "The jackpot's set-up"))


def jackpot_setup_from(entry: object) -> JackpotSetup:
    """A set-up from the mapping that TOML or JSON gives."""
    top = Section(entry, "the jackpot's set-up")
    kind = top.require("kind", str)
    if kind not in set(JackpotKind):
        raise BadFile(f"A jackpot is of the kind {' or '.join(JackpotKind)}, not {quote(kind)}.")
    if "wager" in top and "wagers" in top:
        raise BadFile("The jackpot's set-up has 'wager' and 'wagers': give one of them, 'wagers' for several amounts.")
    setup = JackpotSetup(
        id=top.require("id", str),
        name=top.require("name", str),
        kind=kind,
        location=top.require("location", str),
        offers=tuple(map(_offer, top.sections("offers"))),
        levels=tuple(_level(section, JackpotKind(kind)) for section in top.sections("levels")),
        wagers=(top.amount("wager"),) if "wagers" not in top else _amounts(top),
        jurisdiction=top.get("jurisdiction", str, "washington"),
        money=top.money(),
    )
    top.refuse_unread()
    return setup


def _amounts(top: Section) -> tuple[int, ...]:
    texts = top.texts("wagers")
    return tuple(Section({"wagers": text}, "the jackpot's set-up").amount("wagers") for text in texts)


def _offer(section: Section) -> OfferSetup:
    offer = OfferSetup(
        game=section.require("game", str),
        wager=section.require("wager", str),
        paytable=section.require("paytable", str),
        bonuses=MappingProxyType(section.named_texts("bonuses")),
    )
    section.refuse_unread()
    return offer


def _level(section: Section, kind: JackpotKind) -> LevelSetup:
    name, pays = section.require("name", str), section.texts("pays")
    if kind is JackpotKind.BONUS:
        level = LevelSetup(name, pays, section.amount("amount"), minimum=section.amount("minimum", 0))
    else:
        level = LevelSetup(
            name,
            pays,
            seed=section.amount("seed"),
            contribution=section.rate("contribution"),
            reserve=section.rate("reserve", NOTHING),
            ceiling=section.amount_or_none("ceiling"),
            minimum=section.amount("minimum", 0),
        )
    section.refuse_unread()
    return level


def jackpot_setup_entry(setup: JackpotSetup) -> dict[str, Any]:
    """The mapping that ``jackpot_setup_from`` reads again."""
    return {
        "id": setup.id,
        "name": setup.name,
        "kind": str(setup.kind),
        "location": setup.location,
        "jurisdiction": setup.jurisdiction,
        "wagers": [format_cents(cents) for cents in setup.wagers],
        "offers": [
            {"game": one.game, "wager": one.wager, "paytable": one.paytable, "bonuses": dict(one.bonuses)}
            for one in setup.offers
        ],
        "levels": [_level_entry(level, setup.kind) for level in setup.levels],
        **money_entry(setup.money),
    }


def money_entry(money: Currency) -> dict[str, str]:
    """What a set-up says of its money: nothing where it is the room's."""
    return {} if money is Currency.REAL else {"money": str(money)}


def _level_entry(level: LevelSetup, kind: str) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": level.name, "pays": list(level.pays), "minimum": format_cents(level.minimum)}
    if kind == JackpotKind.BONUS:
        return entry | {"amount": format_cents(level.seed)}
    entry |= {"contribution": str(level.contribution), "reserve": str(level.reserve), "seed": format_cents(level.seed)}
    return entry if level.ceiling is None else entry | {"ceiling": format_cents(level.ceiling)}
