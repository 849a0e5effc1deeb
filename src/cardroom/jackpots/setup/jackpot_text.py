"""A jackpot's set-up as the file that an operator keeps: what ``read_jackpot_setup`` reads again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from cardroom.documents import format_toml_lines
from cardroom.games.money import format_cents
from cardroom.jackpots.setup.jackpot import JackpotSetup, jackpot_setup_entry

_RATES = ("contribution", "reserve")


def jackpot_text(setup: JackpotSetup) -> str:
    """The set-up in TOML; what has its default is left out.

    >>> from cardroom.jackpots.setup.example import example
    >>> print(jackpot_text(example("three-card-prime").jackpot_setup()))
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
    entry = jackpot_setup_entry(setup)
    offers, levels, wagers = entry.pop("offers"), entry.pop("levels"), entry.pop("wagers")
    entry |= {"wager": wagers[0]} if len(wagers) == 1 else {"wagers": wagers}
    lines = [*format_toml_lines(entry), ""]
    for offer in offers:
        lines += ["[[offers]]", *format_toml_lines(_without_defaults(offer)), ""]
    for level in levels:
        lines += ["[[levels]]", *format_toml_lines(_without_defaults(level)), ""]
    return "\n".join(lines)


def _without_defaults(section: Mapping[str, Any]) -> dict[str, Any]:
    written = {name: rate_text(Fraction(value)) if name in _RATES else value for name, value in section.items()}
    return dict(_told(written))


def _told(written: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in written.items():
        if (name, value) not in (("minimum", format_cents(0)), ("bonuses", {})):
            yield name, value


def rate_text(rate: Fraction) -> str:
    """A part of a wager as it can be read again: in per cent where that is exact.

    >>> rate_text(Fraction(9, 40)), rate_text(Fraction(1, 3))
    ('22.5%', '1/3')
    """
    for digits in range(5):
        if (rate * 10 ** (digits + 2)).denominator == 1:
            return f"{float(rate * 100):.{digits}f}%" if digits else f"{int(rate * 100)}%"
    return str(rate)
