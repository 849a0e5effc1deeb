"""A jackpot's setup file and its meter parameters. ``cardroom.room.setup.jackpot_validation`` validates a setup.

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

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from cardroom.chart_of_accounts import CENT, Amount, Currency
from cardroom.documents import format_toml_lines
from cardroom.errors import quote
from cardroom.games.money import format_cents
from cardroom.room.setup.toml_reader import SetupSection, UnreadableSetup, read_toml

NOTHING: Final = Fraction(0)


class JackpotKind(StrEnum):
    """The two kinds of jackpot (BJ-5)."""

    BONUS = "bonus"
    """A fixed amount of the house's money, which the house may change or remove at any time."""
    PROGRESSIVE = "progressive"
    """Grows with every wager counted; the money is the players'."""


class OfferSetup(NamedTuple):
    """The jackpot wager of one game and its paytable, with the operator's bonuses for its open lines."""

    game: str
    wager: str
    paytable: str
    bonuses: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class LevelSetup:
    """One meter of a jackpot. Amounts are cents."""

    name: str
    pays: tuple[str, ...]
    """The paytable triggers that take their percentage from this meter."""
    seed: int
    """The start and reset value of a progressive; the amount of a bonus jackpot."""
    contribution: Fraction = NOTHING
    """The share of each wager for the meter."""
    reserve: Fraction = NOTHING
    """The share of each wager for the next reset."""
    ceiling: int | None = None
    """The most that the meter shows; money above it is overflow."""
    minimum: int = 0
    """The smallest wager that takes part in this level."""


class JackpotSetup(NamedTuple):
    """Everything an operator decides about a jackpot."""

    id: str
    name: str
    kind: str
    location: str
    offers: tuple[OfferSetup, ...]
    """One for each game; usually there is one game."""
    levels: tuple[LevelSetup, ...]
    """From the highest down: a hand is paid on the first level that lists its trigger and takes its wager (BJ-9)."""
    wagers: tuple[int, ...] = (100,)
    """The amounts that may be wagered, in cents (BJ-6)."""
    jurisdiction: str = "washington"
    money: Currency = Currency.REAL


def read_jackpot_setup(text: str) -> JackpotSetup:
    """Read a jackpot's setup from TOML."""
    return jackpot_setup_from_mapping(read_toml(text, "The jackpot's setup"))


def jackpot_setup_from_mapping(mapping: object) -> JackpotSetup:
    """A jackpot's setup from a TOML or JSON mapping."""
    top = SetupSection(mapping, "the jackpot's setup")
    kind = top.require("kind", str)
    if kind not in set(JackpotKind):
        raise UnreadableSetup(f"The kind of a jackpot is {' or '.join(JackpotKind)}, not {quote(kind)}.")
    if "wager" in top and "wagers" in top:
        raise UnreadableSetup(
            "The jackpot's setup has 'wager' and 'wagers': use 'wager' for one amount or 'wagers' for several."
        )
    setup = JackpotSetup(
        id=top.require("id", str),
        name=top.require("name", str),
        kind=kind,
        location=top.require("location", str),
        offers=tuple(map(_read_offer, top.sections("offers"))),
        levels=tuple(_read_level(section, JackpotKind(kind)) for section in top.sections("levels")),
        wagers=(top.amount("wager"),) if "wagers" not in top else _read_amounts(top),
        jurisdiction=top.get("jurisdiction", str, "washington"),
        money=top.money(),
    )
    top.refuse_unread()
    return setup


def _read_amounts(top: SetupSection) -> tuple[int, ...]:
    texts = top.texts("wagers")
    return tuple(SetupSection({"wagers": text}, "the jackpot's setup").amount("wagers") for text in texts)


def _read_offer(section: SetupSection) -> OfferSetup:
    offer = OfferSetup(
        game=section.require("game", str),
        wager=section.require("wager", str),
        paytable=section.require("paytable", str),
        bonuses=MappingProxyType(section.named_texts("bonuses")),
    )
    section.refuse_unread()
    return offer


def _read_level(section: SetupSection, kind: JackpotKind) -> LevelSetup:
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


def jackpot_setup_to_mapping(setup: JackpotSetup) -> dict[str, Any]:
    """The mapping that ``jackpot_setup_from_mapping`` reads."""
    return {
        "id": setup.id,
        "name": setup.name,
        "kind": str(setup.kind),
        "location": setup.location,
        "jurisdiction": setup.jurisdiction,
        "wagers": [format_cents(cents) for cents in setup.wagers],
        "offers": [
            {"game": offer.game, "wager": offer.wager, "paytable": offer.paytable, "bonuses": dict(offer.bonuses)}
            for offer in setup.offers
        ],
        "levels": [_level_to_mapping(level, setup.kind) for level in setup.levels],
        **currency_to_mapping(setup.money),
    }


def currency_to_mapping(money: Currency) -> dict[str, str]:
    """The currency in a setup; left out for real money."""
    return {} if money is Currency.REAL else {"money": str(money)}


def _level_to_mapping(level: LevelSetup, kind: str) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": level.name, "pays": list(level.pays), "minimum": format_cents(level.minimum)}
    if kind == JackpotKind.BONUS:
        return entry | {"amount": format_cents(level.seed)}
    entry |= {"contribution": str(level.contribution), "reserve": str(level.reserve), "seed": format_cents(level.seed)}
    return entry if level.ceiling is None else entry | {"ceiling": format_cents(level.ceiling)}


_RATES = ("contribution", "reserve")


def jackpot_setup_to_toml(setup: JackpotSetup) -> str:
    """The setup in TOML, without default values.

    >>> from cardroom.room.setup.example import jackpot_example
    >>> print(jackpot_setup_to_toml(jackpot_example("three-card-prime").jackpot_setup()))
    id = "final-four"
    name = "Three Card Prime Final Four Jackpot"
    kind = "progressive"
    location = "Main Street"
    jurisdiction = "washington"
    wager = "$1"
    <BLANKLINE>
    [[offers]]
    game = "three-card-prime"
    wager = "final-four"
    paytable = "F4P-1"
    <BLANKLINE>
    [[levels]]
    name = "main"
    pays = ["four-card-diamond-royal", "four-card-royal"]
    contribution = "20%"
    reserve = "5%"
    seed = "$5,000"
    ceiling = "$50,000"
    <BLANKLINE>
    """
    entry = jackpot_setup_to_mapping(setup)
    offers, levels, wagers = entry.pop("offers"), entry.pop("levels"), entry.pop("wagers")
    entry |= {"wager": wagers[0]} if len(wagers) == 1 else {"wagers": wagers}
    lines = [*format_toml_lines(entry), ""]
    for offer in offers:
        lines += ["[[offers]]", *format_toml_lines(_without_defaults(offer)), ""]
    for level in levels:
        lines += ["[[levels]]", *format_toml_lines(_without_defaults(level)), ""]
    return "\n".join(lines)


def _without_defaults(section: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: format_setup_rate(Fraction(value)) if name in _RATES else value for name, value in section.items()}
    return dict(_toml_items(values))


def _toml_items(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if (name, value) not in (("minimum", format_cents(0)), ("bonuses", {})):
            yield name, value


def format_setup_rate(rate: Fraction) -> str:
    """A share of a wager in setup notation: a percentage if that is exact.

    >>> format_setup_rate(Fraction(9, 40)), format_setup_rate(Fraction(1, 3))
    ('22.5%', '1/3')
    """
    for digits in range(5):
        if (rate * 10 ** (digits + 2)).denominator == 1:
            return f"{float(rate * 100):.{digits}f}%" if digits else f"{int(rate * 100)}%"
    return str(rate)


class MeterParameters(NamedTuple):
    """The parameters of one level. The seed of a bonus jackpot is the amount that it shows."""

    contribution: Fraction
    reserve: Fraction
    seed: Amount
    ceiling: Amount | None
    minimum: int
    """The smallest wager that takes part, in cents."""


class WaitingChange(NamedTuple):
    """A change that players would lose by, so that it waits for the reset."""

    level: str
    after: MeterParameters
    who: str
    why: str
    second: str
    """The second person who signed it."""


def meter_parameters(level: LevelSetup) -> MeterParameters:
    """The parameters of a level in its setup."""
    ceiling = None if level.ceiling is None else level.ceiling * CENT
    return MeterParameters(level.contribution, level.reserve, level.seed * CENT, ceiling, level.minimum)
