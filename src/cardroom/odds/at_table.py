"""The question that an opened table asks about one of its wagers: its paytable, its options, its smallest wager."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from cardroom.faults import close_to, quoted
from cardroom.games import Table
from cardroom.odds.pricer import Settings, pricer
from cardroom.odds.question import Question, UnknownQuestion, refuse_idle_meter
from cardroom.paytables import Basis, Dollars, ForOne, Paytable, ToOne

ONE_DOLLAR: Final = 100
DECKS: Final = "decks"


def question_at(table: Table, wager: str) -> Question:
    """What a wager is worth at this table; prizes in dollars are held against the smallest wager.

    >>> from cardroom.games import default_setup, game
    >>> duel = question_at(game("dueling-for-dollars").open(default_setup("dueling-for-dollars")), "duel")
    >>> dict(duel.settings)
    {'decks': 6, 'tie_after_tie_bonus': False}
    """
    offered = table.offered[wager]
    filled = in_odds(offered.paytable, offered.limits.minimum)
    return Question(table.facts.slug, wager, filled, settings_at(table, wager), features=features_at(table, wager))


def features_at(table: Table, wager: str) -> tuple[str, ...]:
    """The bonus feature that rides on a wager of the table; no figure of the wager has it."""
    feature = table.offered[wager].feature
    return (feature.name,) if feature else ()


def excluded_at(table: Table) -> tuple[str, ...]:
    """Every bonus feature of the table with its wager; no figure has what they pay."""
    return tuple(
        f"{one} on {table.offered[slug].wager.name}" for slug in table.offered for one in features_at(table, slug)
    )


def questions_at(table: Table, wager: str | None = None, meter_cents: int | None = None) -> tuple[Question, ...]:
    """What every wager of a table is worth, or one of them; a meter is held against the smallest wager too."""
    if wager is not None and wager not in table.offered:
        there, meant = ", ".join(table.offered), close_to(wager, table.offered)
        raise UnknownQuestion(f"This table offers no wager {quoted(wager)}: it offers {there}.{meant}")
    found = tuple(question_at(table, one) for one in table.offered if wager in (None, one))
    refuse_idle_meter(meter_cents, found)
    if meter_cents is None:
        return found
    return tuple(
        replace(one, meter=Fraction(meter_cents, table.offered[one.wager].limits.minimum)) if one.is_jackpot else one
        for one in found
    )


def settings_at(table: Table, wager: str) -> Settings:
    """The combination of options that the table has."""

    def fits(name: str, value: object) -> bool:
        return value == (table.deck.decks if name == DECKS else table.options.get(name, value))

    known = pricer(table.facts.slug).settings(wager)
    return next(one for one in known if all(fits(name, value) for name, value in one.items()))


def in_odds(table: Paytable, cents: int) -> Paytable:
    """The table with its prizes in dollars as odds on a wager of so many cents; odds are held against one dollar."""
    if cents == ONE_DOLLAR:
        return table
    kind = ToOne if table.basis is Basis.TO_ONE else ForOne
    lines = tuple(
        replace(line, pay=kind(Fraction(line.pay.cents, cents)))
        if isinstance(line.pay, Dollars) and line.pay.cents
        else line
        for line in table.lines
    )
    return replace(table, lines=lines)
