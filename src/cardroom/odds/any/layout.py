"""The table on which a question is answered: one seat, one unit on the wager and on those that must go with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from cardroom.cards import Deck
from cardroom.games import Game, Limits, Round, Table, TableSetup, WagerSetup
from cardroom.games.bets import bet_fault
from cardroom.games.frozen import FrozenMap
from cardroom.games.spot import GameFacts, Option, Wager
from cardroom.games.table import Offered
from cardroom.odds.pricer import Settings
from cardroom.odds.question import JACKPOT_WAGER_CENTS, UnknownQuestion
from cardroom.paytables import ForOne, Loss, OperatorBonus, Paytable, Percent, ToOne, paytables, words

SEAT = 1


@dataclass(frozen=True)
class Layout:
    """Where the question is asked."""

    rules: Game
    wager: Wager
    paytable: Paytable
    table: Table
    bets: Mapping[str, int]
    """By spot, in cents."""

    @property
    def spot(self) -> str:
        return next(spot for spot in self.bets if self.table.spots[spot].wager.slug == self.wager.slug)

    @property
    def unit(self) -> int:
        """The base wager in cents."""
        return self.bets[self.spot]

    def begin(self) -> Round:
        return self.rules.begin(self.table, {SEAT: self.bets})

    def printed(self, event: str) -> str | None:
        """What the table says of an event that it leaves to the operator."""
        lines = {line.event: words(line.pay) for line in self.paytable.operator_lines}
        return lines.get(event)


def layout(
    rules: Game, wager: str, paytable: Paytable, settings: Settings, beside: Mapping[str, Paytable] | None = None
) -> Layout:
    """The table for a question. ``beside`` are wagers that are made with it, and their tables."""
    facts = rules.facts
    options = {option.name: _value(option, settings) for option in facts.options}
    deck = _deck(rules, settings)
    tables = {**(beside or {}), wager: paytable}
    for one in facts.wagers:
        if one.required and one.slug not in tables:
            tables[one.slug] = usual_table(facts, one.slug, deck.decks)
    offered = {
        one.slug: Offered(one, _with_open_lines(one, tables[one.slug]), _limits(one, tables[one.slug]), None)
        for one in facts.wagers
        if one.slug in tables
    }
    spots = {spot: one for one in offered.values() for spot in rules.spots_of(one.wager, options)}
    table = Table(
        setup=TableSetup(facts.slug, {slug: WagerSetup(one.limits) for slug, one in offered.items()}, seats=1),
        facts=facts,
        deck=deck,
        offered=FrozenMap(offered),
        options=FrozenMap(options),
        spots=FrozenMap(spots),
        spots_per_player=None,
        fourth_wager=None,
    )
    bets = {next(spot for spot, found in spots.items() if found is one): one.limits.minimum for one in offered.values()}
    if fault := bet_fault(rules, table, SEAT, bets):
        raise UnknownQuestion(f"The wager {wager} cannot be made for one unit: {fault}")
    return Layout(rules, facts.wager(wager), paytable, table, bets)


def _deck(rules: Game, settings: Settings) -> Deck:
    known = {deck.decks: deck for deck in rules.facts.decks}
    wanted = settings.get("decks", rules.facts.decks[0].decks)
    if wanted not in known:
        listed = ", ".join(map(str, sorted(known)))
        raise UnknownQuestion(f"{rules.facts.name} is played with {listed} decks, not {wanted}.")
    return known[int(wanted)]


def _value(option: Option, settings: Settings) -> str | bool:
    """What was asked for, or the usual."""
    return next((value for value in option.values if value == settings.get(option.name)), option.default)


def usual_table(facts: GameFacts, wager: str, decks: int | None = None) -> Paytable:
    """The first printed table that needs nothing from the operator: what a wager has that nobody asked about."""
    there = decks or facts.decks[0].decks
    fitting = [table for table in paytables(facts.slug, wager) if not table.decks or there in table.decks]
    return next((table for table in fitting if table.is_numeric), fitting[0])


def _limits(wager: Wager, table: Paytable) -> Limits:
    """One amount that every line pays to the cent; a jackpot's dollar prizes are held against one dollar."""
    odds = (line.pay.odds for line in table.lines if isinstance(line.pay, ToOne | ForOne))
    unit = JACKPOT_WAGER_CENTS * lcm(wager.divisor, *((JACKPOT_WAGER_CENTS * one).denominator for one in odds))
    return Limits(unit, unit, unit)


def _with_open_lines(wager: Wager, table: Paytable) -> Paytable:
    """What the operator has not said counts as nothing. Only the top line of a jackpot's table stands for the meter:
    its amount is what break-even asks for."""
    lines = []
    for line in table.lines:
        pay = line.pay
        if isinstance(pay, OperatorBonus):
            pay = Percent(Fraction(1)) if wager.jackpot and line is table.lines[0] else Loss()
        lines.append(replace(line, pay=pay))
    return replace(table, lines=tuple(lines))
