"""The question that an opened table asks about one of its wagers: its paytable, its options, its smallest wager."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from cardroom.games import Table
from cardroom.odds.pricer import Settings, pricer
from cardroom.odds.question import Question
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
    return Question(table.facts.slug, wager, filled, settings_at(table, wager))


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
