"""Simulated rounds played through the rules themselves, one by one, with any strategy.

How a round of one seat flows (what is asked after which decisions, and which cards the seat sees by then) is not stated
here. An example of each way that a round can go is played by the rules. At each question, and at the end, the seat's
view shows which cards are there and which of them it sees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np

from cardroom.cards import Card, Shoe
from cardroom.games import Game, IllegalAction, Payment, Round, Table, Verb, advance, game
from cardroom.games.actions import (
    ChanceTurn,
    Deal,
    DealerStep,
    DealerTurn,
    Decide,
    Decision,
    RoundEnd,
    SeatTurn,
    TakeStep,
)
from cardroom.games.places import Place
from cardroom.games.round import find_bet_fault
from cardroom.games.view import View, view
from cardroom.odds.simulation.deals import fill_words
from cardroom.odds.simulation.runner import BadSimulation, SimulatedRound
from cardroom.odds.simulation.wager_plan import WagerPlan
from cardroom.paytables import describe_pay

SEAT: Final = 1
NOT_DEALT, FACE_DOWN, FACE_UP = range(3)
"""How a card lies before a seat."""


@dataclass(frozen=True)
class FlowNode:
    """Where a round stands when its seat is asked something, or when it is over."""

    question: str | None
    """None when the round is over."""
    piles: tuple[tuple[Place, int], ...]
    """How many cards lie where, in the order in which the piles came."""
    steps: tuple[DealerStep, ...]
    faces: tuple[int, ...]
    """For each card that the round may need: whether it is not dealt, shows its back or its face."""
    next_nodes: Mapping[Verb, int]
    """By the verb of the answer: the number of the node that the round goes on to."""


@dataclass(frozen=True)
class RoundFlow:
    """All nodes of a round with these wagers."""

    nodes: tuple[FlowNode, ...]
    roots: tuple[int, ...]
    """Where a round begins, by the example that its cards are like."""

    @property
    def questions(self) -> tuple[str, ...]:
        """Each question once, in the order in which they are asked."""
        return tuple(dict.fromkeys(node.question for node in self.nodes if node.question is not None))

    @property
    def verbs(self) -> frozenset[Verb]:
        """What can be answered at all."""
        return frozenset(verb for node in self.nodes for verb in node.next_nodes)


def advance_to_decision(round_: Round, cards: Mapping[Place, Sequence[Card]]) -> Round:
    """Deal these cards and take the dealer's steps until the seat is asked something or the round is over."""
    while True:
        match round_.turn:
            case ChanceTurn(place):
                round_ = round_.apply(Deal(cards[place][len(round_.piles.get(place, ()))]))
            case DealerTurn(step):
                round_ = round_.apply(TakeStep(step))
            case SeatTurn() | RoundEnd():
                return round_


def group_by_place(rows: Sequence[Place], cards: Sequence[Card]) -> dict[Place, tuple[Card, ...]]:
    """The cards of a round by where they go; ``rows`` says it for each of them."""
    piles: dict[Place, tuple[Card, ...]] = {}
    for place, card in zip(rows, cards, strict=True):
        piles[place] = (*piles.get(place, ()), card)
    return piles


def build_flow(
    rules: Game, table: Table, bets: Mapping[str, int], rows: Sequence[Place], examples: Sequence[Sequence[Card]]
) -> RoundFlow:
    """The flow of a round with these wagers; ``examples`` are the cards of a round of each sort that is asked otherwise
    or gets more cards than the others."""
    nodes: list[FlowNode | None] = []

    def visit(round_: Round, piles: Mapping[Place, Sequence[Card]]) -> int:
        round_ = advance_to_decision(round_, piles)
        number, turn = len(nodes), round_.turn
        nodes.append(None)
        next_nodes = {}
        if isinstance(turn, SeatTurn):
            for verb in dict.fromkeys(option.verb for option in turn.options):
                next_nodes[verb] = visit(round_.apply(Decide(SEAT, turn.option(verb))), piles)
        question = turn.question if isinstance(turn, SeatTurn) else None
        pile_sizes = tuple((place, len(cards)) for place, cards in round_.piles.items())
        nodes[number] = FlowNode(question, pile_sizes, round_.steps, _card_faces(round_, rows), next_nodes)
        return number

    first_round = rules.begin(table, {SEAT: bets})
    roots = tuple([visit(first_round, group_by_place(rows, cards)) for cards in examples])
    return RoundFlow(tuple(node for node in nodes if node is not None), roots)


def _card_faces(round_: Round, rows: Sequence[Place]) -> tuple[int, ...]:
    piles, position_by_place = view(round_, SEAT).piles, dict.fromkeys(rows, 0)
    faces = []
    for place in rows:
        pile, position = piles.get(place, ()), position_by_place[place]
        position_by_place[place] += 1
        faces.append(NOT_DEALT if position >= len(pile) else FACE_DOWN if pile[position] is None else FACE_UP)
    return tuple(faces)


Strategy: TypeAlias = Callable[[View], Decision | str]
Bets: TypeAlias = Mapping[str, int]
"""By spot, in cents."""


class BadStrategy(BadSimulation):
    """A strategy that cannot be played."""


# One round


def group_bets(table: Table) -> tuple[Bets, ...]:
    """The lowest wager on every spot of the table, in as few rounds as the limits on spots allow. Of two spots for one
    wager the first is used."""
    rules = game(table.facts.slug)
    spots: dict[str, tuple[str, int]] = {}
    for spot, offered in table.spots.items():
        spots.setdefault(offered.wager.slug, (spot, offered.limits.minimum))
    needed = {spot: cents for slug, (spot, cents) in spots.items() if table.offers[slug].wager.required}
    groups: list[dict[str, int]] = []
    for spot, cents in spots.values():
        if spot in needed:
            continue
        if groups and find_bet_fault(rules, table, SEAT, {**groups[-1], spot: cents}) is None:
            groups[-1][spot] = cents
        else:
            groups.append({**needed, spot: cents})
    return tuple(groups) or (needed,)


def replay_round(simulated_round: SimulatedRound, table: Table, bets: Bets) -> Round:
    """A simulated round played again by the rules, to its end."""
    round_ = advance_to_decision(game(table.facts.slug).begin(table, {SEAT: bets}), simulated_round.cards)
    while isinstance(round_.turn, SeatTurn):
        round_ = advance_to_decision(
            round_.apply(Decide(SEAT, simulated_round.decisions[round_.turn.question])), simulated_round.cards
        )
    return round_


def play_round(rules: Game, table: Table, bets: Bets, shoe: Shoe, strategy: Strategy) -> Round:
    """A round from the wagers to its end."""
    round_ = rules.begin(table, {SEAT: bets})
    while True:
        round_, shoe = advance(round_, shoe)
        if round_.is_terminal:
            return round_
        assert isinstance(round_.turn, SeatTurn)
        round_ = round_.apply(Decide(SEAT, ask_strategy(strategy, view(round_, SEAT))))


def ask_strategy(strategy: Strategy, view: View) -> Decision:
    """What a strategy says; refused when it may not say that."""
    assert isinstance(view.turn, SeatTurn)
    context = f"asked {view.turn.question!r}"
    try:
        response = strategy(view)
    except Exception as fault:
        raise BadStrategy(f"The strategy failed when {context}: {type(fault).__name__}: {fault}.") from fault
    try:
        decision = Decision.parse(response) if isinstance(response, str) else response
    except IllegalAction:
        decision = None
    if not isinstance(decision, Decision) or not view.turn.allows(decision):
        allowed = " or ".join(map(str, view.turn.options))
        raise BadStrategy(f"The strategy answered {str(response)!r} when {context}: it can answer {allowed}.")
    return decision


@dataclass(frozen=True, slots=True)
class WagerResult:
    """What became of one wager in one round, in units of what was put on its spot."""

    triggers: tuple[str, ...]
    pays: str
    net: Fraction
    wagered: Fraction


def wager_results(table: Table, round_: Round) -> dict[str, WagerResult]:
    """Of a round that is over, by wager; a share of a meter is not in it."""
    by_wager: dict[str, list[Payment]] = {}
    for payment in round_.game.settle(round_).seat_payments(SEAT):
        by_wager.setdefault(table.spots[payment.spot].wager.slug, []).append(payment)
    return {
        slug: WagerResult(
            triggers=tuple(payment.event for payment in payments),
            pays=", ".join(describe_pay(payment.pay) for payment in payments),
            net=Fraction(
                sum((stake_payment.returned or 0) - stake_payment.wagered for stake_payment in payments),
                round_.wager_cents(SEAT, payments[0].spot),
            ),
            wagered=Fraction(sum(payment.wagered for payment in payments), round_.wager_cents(SEAT, payments[0].spot)),
        )
        for slug, payments in by_wager.items()
    }


def outcome_index(result: WagerResult, wager: WagerPlan) -> int | None:
    """The place of an outcome in the wager's list of endings; None when it is not there."""
    matches = [
        index
        for index, outcome in enumerate(wager.outcomes)
        if (outcome.net, outcome.wagered) == (result.net, result.wagered)
    ]
    exact_matches = [index for index in matches if wager.outcomes[index].trigger in result.triggers]
    # A wager that no line pays is "other" in the list and goes by the name of what the cards are at the table.
    return next(iter(exact_matches or [index for index in matches if wager.outcomes[index].trigger == "other"]), None)


# The cards of a round, for any deck


class RoundRandom:
    """Random numbers for one round."""

    def __init__(self, seed: int, turn: int) -> None:
        self._seed, self._turn, self._counter = seed, turn, 0
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        limit = (1 << 32) - (1 << 32) % bound  # what is not below it would favour small numbers
        while True:
            if not self._words:
                words = np.empty((4, 1), np.uint32)
                fill_words(words, self._counter, self._turn & 0xFFFFFFFF, 2, self._turn >> 32, np.uint64(self._seed))
                self._words, self._counter = words[:, 0].tolist(), self._counter + 1
            word = self._words.pop()
            if word < limit:
                return word % bound


def shuffle_shoe(table: Table, numbers: RoundRandom) -> Shoe:
    """A shoe whose first cards are shuffled: as many as a round of one seat can need."""
    order = list(table.deck.cards())
    needed = table.facts.table_cards + table.facts.seat_cards
    for place in range(min(needed, len(order) - 1)):
        other_place = place + numbers.below(len(order) - place)
        order[place], order[other_place] = order[other_place], order[place]
    return Shoe(tuple(order))
