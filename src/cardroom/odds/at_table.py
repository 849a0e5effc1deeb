"""The question that an opened table asks about one of its wagers: its paytable, its options, its smallest wager."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from cardroom.faults import close_to, quoted
from cardroom.games import Table
from cardroom.games.money import money
from cardroom.games.payout_limit import odds_of
from cardroom.odds.pricer import Settings, pricer
from cardroom.odds.question import Question, UnknownQuestion, refuse_idle_meter
from cardroom.odds.result import Setting, WagerLimit
from cardroom.paytables import Basis, Dollars, ForOne, Paytable, ToOne

ONE_DOLLAR: Final = 100
DECKS: Final = "decks"


def question_at(table: Table, wager: str, settings: Settings | None = None) -> Question:
    """What a wager is worth at this table; prizes in dollars are compared with the smallest wager. ``settings`` say
    what the set-up leaves open; without them it is the usual.

    >>> from cardroom.games import default_setup, game
    >>> duel = question_at(game("dueling-for-dollars").open(default_setup("dueling-for-dollars")), "duel")
    >>> dict(duel.settings)
    {'decks': 6, 'tie_after_tie_bonus': False}
    """
    offered = table.offered[wager]
    filled = in_odds(offered.paytable, offered.limits.minimum)
    return Question(
        table.facts.slug,
        wager,
        filled,
        settings_at(table, wager) if settings is None else settings,
        features=features_at(table, wager),
        limit=limit_at(table, wager, offered.limits.minimum),
    )


def limit_at(table: Table, wager: str, cents: int) -> WagerLimit | None:
    """The table's payout limit for figures of a wager of so many cents; None where no limit covers it."""
    limit, offered = table.payout_limit, table.offered[wager]
    if limit is None or not any(table.spots[spot].wager.slug == wager for spot in limit.spots):
        return None
    by_odds = frozenset(line.event for line in offered.paytable.lines if odds_of(line.pay))
    return WagerLimit(limit.cents, cents, offered.limits.maximum, by_odds)


def features_at(table: Table, wager: str) -> tuple[str, ...]:
    """The bonus feature that rides on a wager of the table; no figure of the wager has it."""
    feature = table.offered[wager].feature
    return (feature.name,) if feature else ()


def excluded_at(table: Table) -> tuple[str, ...]:
    """Every bonus feature of the table with its wager; no figure has what they pay."""
    found = tuple(
        f"{one} on {table.offered[slug].wager.name}" for slug in table.offered for one in features_at(table, slug)
    )
    return (*found, *limit_left_out(table))


def limit_left_out(table: Table, wager: str | None = None) -> tuple[str, ...]:
    """The payout limit, where it covers the wager, or any: simulated rounds do not know how much is wagered."""
    limit = table.payout_limit
    if limit is None or (wager is not None and limit_at(table, wager, 1) is None):
        return ()
    return (f"the payout limit of {money(limit.cents)} a deal",)


def questions_at(table: Table, wager: str | None = None, meter_cents: int | None = None) -> tuple[Question, ...]:
    """What every wager of a table is worth, or one of them, under every combination of options that can arise there; a
    meter is compared with the smallest wager too."""
    if wager is not None and wager not in table.offered:
        there, meant = ", ".join(table.offered), close_to(wager, table.offered)
        raise UnknownQuestion(f"This table offers no wager {quoted(wager)}: it offers {there}.{meant}")
    found = tuple(
        question_at(table, one, settings)
        for one in table.offered
        if wager in (None, one)
        for settings in possible_settings(table, one)
    )
    refuse_idle_meter(meter_cents, found)
    if meter_cents is None:
        return found
    return tuple(
        replace(one, meter=Fraction(meter_cents, table.offered[one.wager].limits.minimum)) if one.is_jackpot else one
        for one in found
    )


def possible_settings(table: Table, wager: str) -> Iterator[Settings]:
    """Every combination of options that can arise at the table. What the set-up fixes is fixed; what another wager of
    the player brings about arises where the table offers that wager.

    >>> from cardroom.games import default_setup, game
    >>> table = game("texas-shootout").open(default_setup("texas-shootout"))
    >>> [dict(one) for one in possible_settings(table, "shootout")]
    [{'ties': 'lose'}, {'ties': 'push'}]
    """
    fixed: Mapping[str, Setting] = {DECKS: table.deck.decks, **table.options}
    pricing = pricer(table.facts.slug)
    for settings in pricing.settings(wager):
        if any(name in fixed and fixed[name] != value for name, value in settings.items()):
            continue
        beside = pricing.beside(wager, settings)
        if beside is None or beside.wager in table.offered:
            yield settings


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
