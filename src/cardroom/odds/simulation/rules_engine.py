"""Simulated rounds played by the rules themselves, one by one, with any strategy.

The flow of a seat's round (the questions after each decision, and the cards that the seat sees by then) is not stated
here. The rules play an example of each way that a round can go. At each question, and at the end, the seat's view shows
the dealt cards and those that the seat sees.
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
from cardroom.games.card_places import Place
from cardroom.games.round import find_bet_fault
from cardroom.games.view import View, view
from cardroom.odds.simulation.deals import fill_words
from cardroom.odds.simulation.runner import BadSimulation, SimulatedRound
from cardroom.odds.simulation.wager_plan import WagerPlan
from cardroom.paytables import describe_pay

SEAT: Final = 1
NOT_DEALT, FACE_DOWN, FACE_UP = range(3)
"""How a seat sees a card."""


@dataclass(frozen=True)
class FlowNode:
    """A point of a round at which its seat has a decision, or its end."""

    question: str | None
    """None at the end of the round."""
    piles: tuple[tuple[Place, int], ...]
    """The number of cards at each place, in the order of the piles."""
    steps: tuple[DealerStep, ...]
    faces: tuple[int, ...]
    """For each card that the round may need: not dealt, face down, or face up."""
    next_nodes: Mapping[Verb, int]
    """The number of the next node, by the verb of the decision."""


@dataclass(frozen=True)
class RoundFlow:
    """All nodes of a round with these wagers."""

    nodes: tuple[FlowNode, ...]
    roots: tuple[int, ...]
    """The first node of a round, by the example that its cards follow."""

    @property
    def questions(self) -> tuple[str, ...]:
        """Each question once, in order."""
        return tuple(dict.fromkeys(node.question for node in self.nodes if node.question is not None))

    @property
    def verbs(self) -> frozenset[Verb]:
        """All possible decisions."""
        return frozenset(verb for node in self.nodes for verb in node.next_nodes)


def advance_to_decision(round_: Round, cards: Mapping[Place, Sequence[Card]]) -> Round:
    """Deal these cards and take the dealer's steps until the seat has a decision or the round ends."""
    while True:
        match round_.turn:
            case ChanceTurn(place):
                round_ = round_.apply(Deal(cards[place][len(round_.piles.get(place, ()))]))
            case DealerTurn(step):
                round_ = round_.apply(TakeStep(step))
            case SeatTurn() | RoundEnd():
                return round_


def group_by_place(rows: Sequence[Place], cards: Sequence[Card]) -> dict[Place, tuple[Card, ...]]:
    """The cards of a round by place; ``rows`` has the place of each card."""
    piles: dict[Place, tuple[Card, ...]] = {}
    for place, card in zip(rows, cards, strict=True):
        piles[place] = (*piles.get(place, ()), card)
    return piles


def build_flow(
    rules: Game, table: Table, bets: Mapping[str, int], rows: Sequence[Place], examples: Sequence[Sequence[Card]]
) -> RoundFlow:
    """The flow of a round with these wagers. ``examples`` has the cards of one round of each sort with different
    questions or more cards."""
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
    """The strategy cannot be played."""


# One round


def group_bets(table: Table) -> tuple[Bets, ...]:
    """The lowest wager on every spot of the table, in as few rounds as the limits on spots allow. If a wager has two
    spots, the first is used."""
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
    """Play a simulated round again by the rules, to its end."""
    round_ = advance_to_decision(game(table.facts.slug).begin(table, {SEAT: bets}), simulated_round.cards)
    while isinstance(round_.turn, SeatTurn):
        round_ = advance_to_decision(
            round_.apply(Decide(SEAT, simulated_round.decisions[round_.turn.question])), simulated_round.cards
        )
    return round_


def play_round(rules: Game, table: Table, bets: Bets, shoe: Shoe, strategy: Strategy) -> Round:
    """Play a round from the wagers to its end."""
    round_ = rules.begin(table, {SEAT: bets})
    while True:
        round_, shoe = advance(round_, shoe)
        if round_.is_terminal:
            return round_
        assert isinstance(round_.turn, SeatTurn)
        round_ = round_.apply(Decide(SEAT, ask_strategy(strategy, view(round_, SEAT))))


def ask_strategy(strategy: Strategy, view: View) -> Decision:
    """The strategy's decision. Raises ``BadStrategy`` if it is not allowed."""
    assert isinstance(view.turn, SeatTurn)
    question = repr(view.turn.question)
    try:
        response = strategy(view)
    except Exception as fault:
        raise BadStrategy(f"The strategy failed at {question}: {type(fault).__name__}: {fault}.") from fault
    try:
        decision = Decision.parse(response) if isinstance(response, str) else response
    except IllegalAction:
        decision = None
    if not isinstance(decision, Decision) or not view.turn.allows(decision):
        allowed = " or ".join(map(str, view.turn.options))
        raise BadStrategy(f"The strategy returned {str(response)!r} at {question}: it can return {allowed}.")
    return decision


@dataclass(frozen=True, slots=True)
class WagerResult:
    """The outcome of one wager in one round, in units of the wager on its spot."""

    triggers: tuple[str, ...]
    pays: str
    net: Fraction
    wagered: Fraction


def wager_results(table: Table, round_: Round) -> dict[str, WagerResult]:
    """The outcomes of a finished round by wager, without shares of a meter."""
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
    """The index of an outcome in the wager's list; None if it is not there."""
    matches = [
        index
        for index, outcome in enumerate(wager.outcomes)
        if (outcome.net, outcome.wagered) == (result.net, result.wagered)
    ]
    exact_matches = [index for index in matches if wager.outcomes[index].trigger in result.triggers]
    # A wager that no line pays is "other" in the list; at the table it has the name of the hand.
    return next(iter(exact_matches or [index for index in matches if wager.outcomes[index].trigger == "other"]), None)


# The cards of a round, for any deck


_COUNTERS_PER_CALL: Final = 4
"""Enough numbers for the cards of a round of one seat."""


class RoundRandom:
    """The random numbers of one round."""

    def __init__(self, seed: int, turn: int) -> None:
        self._seed, self._turn, self._counter = seed, turn, 0
        self._words: list[int] = []
        """The next numbers, the last one first."""

    def below(self, bound: int) -> int:
        limit = (1 << 32) - (1 << 32) % bound  # larger numbers would favor small remainders
        while True:
            if not self._words:
                self._draw_words()
            word = self._words.pop()
            if word < limit:
                return word % bound

    def _draw_words(self) -> None:
        """Draw the numbers of several counters in one call of the kernel, which takes longer than the numbers."""
        words = np.empty((4, _COUNTERS_PER_CALL), np.uint32)
        fill_words(words, self._counter, self._turn & 0xFFFFFFFF, 2, self._turn >> 32, np.uint64(self._seed))
        self._words = words.T[::-1].ravel().tolist()
        self._counter += _COUNTERS_PER_CALL


def shuffle_shoe(table: Table, numbers: RoundRandom) -> Shoe:
    """A shoe with its first cards shuffled: as many as a round of one seat can need."""
    order = list(table.deck.cards())
    size, needed = len(order), table.facts.table_cards + table.facts.seat_cards
    for place in range(min(needed, size - 1)):
        other_place = place + numbers.below(size - place)
        order[place], order[other_place] = order[other_place], order[place]
    return Shoe(tuple(order))
