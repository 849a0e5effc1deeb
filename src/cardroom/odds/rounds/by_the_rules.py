"""Simulated rounds played through the rules themselves, one by one, with any strategy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from cardroom.cards import Shoe
from cardroom.games import Game, NotAllowed, Payment, Round, Table, advance, game
from cardroom.games.actions import Decide
from cardroom.games.bets import bet_fault
from cardroom.games.decisions import Decision
from cardroom.games.turns import SeatTurn
from cardroom.games.view import View, view
from cardroom.odds.rounds.flow import SEAT, onward
from cardroom.odds.rounds.philox import fill
from cardroom.odds.rounds.simulation import (
    BadSimulation,
    Laid,
    WagerPlan,
)
from cardroom.paytables import words

Strategy: TypeAlias = Callable[[View], Decision | str]
Bets: TypeAlias = Mapping[str, int]
"""By spot, in cents."""


class BadStrategy(BadSimulation):
    """A strategy that cannot be played."""


# One round


def bets_together(table: Table) -> tuple[Bets, ...]:
    """The lowest wager on every spot of the table, in as few rounds as the limits on spots allow. Of two spots for one
    wager the first is used."""
    rules = game(table.facts.slug)
    spots: dict[str, tuple[str, int]] = {}
    for spot, offered in table.spots.items():
        spots.setdefault(offered.wager.slug, (spot, offered.limits.minimum))
    needed = {spot: cents for slug, (spot, cents) in spots.items() if table.offered[slug].wager.required}
    groups: list[dict[str, int]] = []
    for spot, cents in spots.values():
        if spot in needed:
            continue
        if groups and bet_fault(rules, table, SEAT, {**groups[-1], spot: cents}) is None:
            groups[-1][spot] = cents
        else:
            groups.append({**needed, spot: cents})
    return tuple(groups) or (needed,)


def replayed(laid: Laid, table: Table, bets: Bets) -> Round:
    """A simulated round played again by the rules, to its end."""
    round_ = onward(game(table.facts.slug).begin(table, {SEAT: bets}), laid.cards)
    while isinstance(round_.turn, SeatTurn):
        round_ = onward(round_.apply(Decide(SEAT, laid.decisions[round_.turn.question])), laid.cards)
    return round_


def played(rules: Game, table: Table, bets: Bets, shoe: Shoe, strategy: Strategy) -> Round:
    """A round from the wagers to its end."""
    round_ = rules.begin(table, {SEAT: bets})
    while True:
        round_, shoe = advance(round_, shoe)
        if round_.is_over:
            return round_
        assert isinstance(round_.turn, SeatTurn)
        round_ = round_.apply(Decide(SEAT, answer_of(strategy, view(round_, SEAT))))


def answer_of(strategy: Strategy, seen: View) -> Decision:
    """What a strategy says; refused when it may not say that."""
    assert isinstance(seen.turn, SeatTurn)
    asked = f"asked {seen.turn.question!r}"
    try:
        answer = strategy(seen)
    except Exception as fault:
        raise BadStrategy(f"The strategy failed when {asked}: {type(fault).__name__}: {fault}.") from fault
    try:
        decision = Decision.parse(answer) if isinstance(answer, str) else answer
    except NotAllowed:
        decision = None
    if not isinstance(decision, Decision) or not seen.turn.allows(decision):
        allowed = " or ".join(map(str, seen.turn.options))
        raise BadStrategy(f"The strategy answered {str(answer)!r} when {asked}: it can answer {allowed}.")
    return decision


@dataclass(frozen=True, slots=True)
class WagerOutcome:
    """What became of one wager in one round, in units of what was put on its spot."""

    events: tuple[str, ...]
    pays: str
    net: Fraction
    wagered: Fraction


def outcomes(table: Table, round_: Round) -> dict[str, WagerOutcome]:
    """Of a round that is over, by wager; a share of a meter is not in it."""
    by_wager: dict[str, list[Payment]] = {}
    for payment in round_.game.settle(round_).of(SEAT):
        by_wager.setdefault(table.spots[payment.spot].wager.slug, []).append(payment)
    return {
        slug: WagerOutcome(
            events=tuple(payment.event for payment in payments),
            pays=", ".join(words(payment.pay) for payment in payments),
            net=Fraction(
                sum((one.returned or 0) - one.wagered for one in payments), round_.wagered(SEAT, payments[0].spot)
            ),
            wagered=Fraction(sum(payment.wagered for payment in payments), round_.wagered(SEAT, payments[0].spot)),
        )
        for slug, payments in by_wager.items()
    }


def place_of(outcome: WagerOutcome, wager: WagerPlan) -> int | None:
    """The place of an outcome in the wager's list of endings; None when it is not there."""
    same = [
        at for at, ending in enumerate(wager.endings) if (ending.net, ending.wagered) == (outcome.net, outcome.wagered)
    ]
    named = [at for at in same if wager.endings[at].event in outcome.events]
    # A wager that no line pays is "other" in the list and goes by the name of what the cards are at the table.
    return next(iter(named or [at for at in same if wager.endings[at].event == "other"]), None)


# The cards of a round, for any deck


class Numbers:
    """Random numbers for one round."""

    def __init__(self, seed: int, turn: int) -> None:
        self._seed, self._turn, self._counter = seed, turn, 0
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        limit = (1 << 32) - (1 << 32) % bound  # what is not below it would favour small numbers
        while True:
            if not self._words:
                words = np.empty((4, 1), np.uint32)
                fill(words, self._counter, self._turn & 0xFFFFFFFF, 2, self._turn >> 32, np.uint64(self._seed))
                self._words, self._counter = words[:, 0].tolist(), self._counter + 1
            word = self._words.pop()
            if word < limit:
                return word % bound


def dealt_shoe(table: Table, numbers: Numbers) -> Shoe:
    """A shoe whose first cards are shuffled: as many as a round of one seat can need."""
    order = list(table.deck.cards())
    needed = table.facts.table_cards + table.facts.seat_cards
    for place in range(min(needed, len(order) - 1)):
        other = place + numbers.below(len(order) - place)
        order[place], order[other] = order[other], order[place]
    return Shoe(tuple(order))
