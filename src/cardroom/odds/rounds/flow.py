"""How a round of one seat flows: what is asked after which answers, and which cards the seat sees by then.

Nothing of that is stated here. An example of each way that a round can go is played by the rules, and at each question
and at the end it is read off the seat's view which cards lie there, and which of them it sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cardroom.cards import Card
from cardroom.games import Decide, Game, Round, Table, Verb, view
from cardroom.games.actions import Deal, DealerStep, TakeStep
from cardroom.games.places import Place
from cardroom.games.turns import ChanceTurn, DealerTurn, Over, SeatTurn

SEAT: Final = 1
NOT_DEALT, BACK, FACE = range(3)
"""How a card lies before a seat."""


@dataclass(frozen=True)
class Node:
    """Where a round stands when its seat is asked something, or when it is over."""

    question: str | None
    """None when the round is over."""
    piles: tuple[tuple[Place, int], ...]
    """How many cards lie where, in the order in which the piles came."""
    steps: tuple[DealerStep, ...]
    seen: tuple[int, ...]
    """For each card that the round may need: whether it is not dealt, shows its back or its face."""
    after: Mapping[Verb, int]
    """By the verb of the answer: the number of the node that the round goes on to."""


@dataclass(frozen=True)
class Flow:
    """All nodes of a round with these wagers."""

    nodes: tuple[Node, ...]
    roots: tuple[int, ...]
    """Where a round begins, by the example that its cards are like."""

    @property
    def questions(self) -> tuple[str, ...]:
        """Each question once, in the order in which they are asked."""
        return tuple(dict.fromkeys(node.question for node in self.nodes if node.question is not None))

    @property
    def verbs(self) -> frozenset[Verb]:
        """What can be answered at all."""
        return frozenset(verb for node in self.nodes for verb in node.after)


def onward(round_: Round, cards: Mapping[Place, Sequence[Card]]) -> Round:
    """Deal these cards and take the dealer's steps until the seat is asked something or the round is over."""
    while True:
        match round_.turn:
            case ChanceTurn(place):
                round_ = round_.apply(Deal(cards[place][len(round_.dealt.get(place, ()))]))
            case DealerTurn(step):
                round_ = round_.apply(TakeStep(step))
            case SeatTurn() | Over():
                return round_


def by_place(rows: Sequence[Place], cards: Sequence[Card]) -> dict[Place, tuple[Card, ...]]:
    """The cards of a round by where they go; ``rows`` says it for each of them."""
    piles: dict[Place, tuple[Card, ...]] = {}
    for place, card in zip(rows, cards, strict=True):
        piles[place] = (*piles.get(place, ()), card)
    return piles


def flow_of(
    rules: Game, table: Table, bets: Mapping[str, int], rows: Sequence[Place], examples: Sequence[Sequence[Card]]
) -> Flow:
    """The flow of a round with these wagers; ``examples`` are the cards of a round of each sort that is asked otherwise
    or gets more cards than the others."""
    nodes: list[Node | None] = []

    def visit(round_: Round, piles: Mapping[Place, Sequence[Card]]) -> int:
        round_ = onward(round_, piles)
        number, turn = len(nodes), round_.turn
        nodes.append(None)
        after = {}
        if isinstance(turn, SeatTurn):
            for verb in dict.fromkeys(option.verb for option in turn.options):
                after[verb] = visit(round_.apply(Decide(SEAT, turn.option(verb))), piles)
        question = turn.question if isinstance(turn, SeatTurn) else None
        lying = tuple((place, len(cards)) for place, cards in round_.dealt.items())
        nodes[number] = Node(question, lying, round_.steps, _seen(round_, rows), after)
        return number

    begun = rules.begin(table, {SEAT: bets})
    roots = tuple([visit(begun, by_place(rows, cards)) for cards in examples])
    return Flow(tuple(node for node in nodes if node is not None), roots)


def _seen(round_: Round, rows: Sequence[Place]) -> tuple[int, ...]:
    piles, counted = view(round_, SEAT).piles, dict.fromkeys(rows, 0)
    found = []
    for place in rows:
        pile, at = piles.get(place, ()), counted[place]
        counted[place] += 1
        found.append(NOT_DEALT if at >= len(pile) else BACK if pile[at] is None else FACE)
    return tuple(found)
