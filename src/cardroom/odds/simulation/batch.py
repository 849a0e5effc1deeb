"""Many rounds at once in which the caller decides: a researcher's agents, or a strategy in Python.

A round is a row of card codes, the current node of its flow, and the decisions so far, all as numbers. The kernels of
the simulation find the kind of each wager's outcome. What a kind wins or loses is not restated here: the rules play the
first round of each kind again and settle it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from importlib import import_module
from threading import Lock
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, card_from_code
from cardroom.errors import BadInput
from cardroom.games import Decide, Decision, Round, Table, Verb, game
from cardroom.games.actions import SeatTurn
from cardroom.games.card_places import Place
from cardroom.games.frozen_map import FrozenMap
from cardroom.games.registry import built_in_folder
from cardroom.kernels import kernel
from cardroom.odds.simulation.batch_deals import PAIR_COUNT, ByteArray, DealPlan, IntArray, deal_rounds, pair_number
from cardroom.odds.simulation.rules_engine import (
    FACE_DOWN,
    NOT_DEALT,
    SEAT,
    Bets,
    RoundFlow,
    WagerResult,
    advance_to_decision,
    build_flow,
    group_by_place,
    wager_results,
)
from cardroom.paytables import Paytable

Cents: TypeAlias = NDArray[np.int64]
Kinds: TypeAlias = NDArray[np.int32]
"""The outcome kinds of wagers: a row per wager group, a column per round."""
Answers: TypeAlias = NDArray[np.int8]
"""By round and question: the number of the action taken, or -1."""
Masks: TypeAlias = NDArray[np.bool_]
Observations: TypeAlias = dict[str, NDArray[Any]]
"""The seats' views as numbers: ``cards``, ``question``, ``answers``, ``wagers``."""

FACE_DOWN_CODE, NOT_DEALT_CODE = -1, -2
"""Takes the place of a card's code."""
_UNKNOWN: Final = np.iinfo(np.int64).min


class BadBatch(BadInput):
    """These rounds cannot be played in a batch."""


class Action(NamedTuple):
    """A decision in terms of places in the hand, so that it has the same number for any cards."""

    verb: Verb | None
    """None if the round has no decision and just goes on."""
    groups: tuple[tuple[int, ...], ...] = ()

    def __str__(self) -> str:
        places = " | ".join(" ".join(str(place + 1) for place in group) for group in self.groups)
        return " ".join(filter(None, (self.verb or "go on", places)))


NO_ACTION: Final = Action(None)


class PaytableLines:
    """The line of a printed table by the events that the cards meet; one below the last line if no line pays."""

    def __init__(self, table: Paytable) -> None:
        self._table = table

    @property
    def count(self) -> int:
        return len(self._table.lines) + 1

    def place(self, events: tuple[str, ...]) -> int:
        line = self._table.find_matching_line(events)
        return len(self._table.lines) if line is None else self._table.lines.index(line)

    def places(self, kinds: Sequence[tuple[str, ...]]) -> NDArray[np.int16]:
        return np.array([self.place(events) for events in kinds], np.int16)


class WagerGroup(NamedTuple):
    """Wagers whose outcomes share one kind."""

    wagers: tuple[str, ...]
    kind_count: int
    """The number of kinds."""


class RoundBatch(ABC):
    """Rounds of one seat at one table, all with the same wagers."""

    hand_size: ClassVar[int]
    """The number of cards in the seat's own hand; they come first in a row."""
    questions: ClassVar[tuple[str, ...]]
    """All questions to a seat, in order, for any wagers."""
    all_actions: ClassVar[tuple[Action, ...]]
    """All actions, for any wagers."""

    def __init__(self, table: Table, bets: Bets, meters: Mapping[str, int] | None = None) -> None:
        self.rules, self.table, self.bets = game(table.facts.slug), table, dict(bets)
        self.meters = dict(meters or {})
        self.rules.begin(table, {SEAT: bets})  # raises an error for wagers that the table does not take
        self._refuse_meters()
        if table.payout_limit is not None:
            raise BadBatch("Rounds at a table with a payout limit are played one by one: leave the limit out.")
        self.wagers = {table.spots[spot].wager.slug: spot for spot in bets}
        """The spot of each wager."""
        self.flow: RoundFlow = build_flow(self.rules, table, self.bets, self.card_places, self.examples())
        self._cents = [np.full(part.kind_count, _UNKNOWN, np.int64) for part in self.wager_groups]
        self._settling = Lock()

    def _refuse_meters(self) -> None:
        for spot in self.bets:
            if self.table.spots[spot].has_meter and spot not in self.meters:
                raise BadBatch(
                    f"The wager on {spot} can win a share of a meter: give the meter, such as "
                    f"meters={{{spot!r}: 1000000}} in cents."
                )
        for spot in self.meters:
            if spot not in self.bets or not self.table.spots[spot].has_meter:
                raise BadBatch(f"No wager of these rounds wins a share of the meter of {spot!r}: leave that meter out.")

    # Defined by each game

    @property
    @abstractmethod
    def card_places(self) -> tuple[Place, ...]:
        """The place of each card of a round, dealt or not; the seat's own hand first."""

    @property
    @abstractmethod
    def wager_groups(self) -> tuple[WagerGroup, ...]:
        """The wagers of the layout, grouped by outcome kinds."""

    @abstractmethod
    def outcome_kinds(self, cards: ByteArray, answers: Answers) -> Kinds:
        """The outcome kinds of the wagers of finished rounds."""

    def examples(self) -> tuple[tuple[Card, ...], ...]:
        """One round of each sort that flows differently."""
        return (tuple(card for card in self.table.deck.distinct_cards())[: len(self.card_places)],)

    @property
    def round_sorts(self) -> IntArray:
        """By the first two cards (``pair_number``): the example that the round follows."""
        return np.zeros(PAIR_COUNT, np.int64)

    def restrict_actions(self, cards: ByteArray, masks: Masks) -> None:  # noqa: B027 (most games have nothing to take away)
        """Remove actions that the cards do not allow, and those that look the same as an earlier one."""

    @property
    def no_decision_nets(self) -> Cents | None:
        """The nets of rounds without a decision by their first two cards, if these settle them; otherwise None."""
        return None

    # The flow of a round as arrays

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """All actions; the last one is to go on, if some rounds have no decision."""
        has_no_decision = any(self.flow.nodes[root].question is None for root in self.flow.roots)
        return (*self.all_actions, NO_ACTION) if has_no_decision else self.all_actions

    @cached_property
    def question_numbers(self) -> NDArray[np.int8]:
        """By node: the number of its question from 1 on, or 0."""
        questions = [question.question for question in self.flow.nodes]
        return np.array([1 + self.questions.index(question) if question else 0 for question in questions], np.int8)

    @cached_property
    def is_over(self) -> NDArray[np.bool_]:
        is_over: NDArray[np.bool_] = self.question_numbers == 0
        return is_over

    @cached_property
    def card_faces(self) -> NDArray[np.int8]:
        """By node and card: whether the card is dealt, and which side is up."""
        return np.array([node.faces for node in self.flow.nodes], np.int8)

    @cached_property
    def next_nodes(self) -> NDArray[np.int64]:
        """By node and action: the next node, or -1."""
        next_nodes = np.full((len(self.flow.nodes), len(self.actions)), -1, np.int64)
        for node_number, node in enumerate(self.flow.nodes):
            for action_number, action in enumerate(self.actions):
                if action.verb is not None:
                    next_nodes[node_number, action_number] = node.next_nodes.get(action.verb, -1)
        for root in self.flow.roots:
            if self.flow.nodes[root].question is None:
                next_nodes[root, self.actions.index(NO_ACTION)] = root
        return next_nodes

    @cached_property
    def _allowed(self) -> Masks:
        allowed: Masks = self.next_nodes >= 0
        return allowed

    @cached_property
    def roots(self) -> IntArray:
        return np.array(self.flow.roots, np.int64)

    @cached_property
    def deal_plan(self) -> DealPlan:
        """The deck and sorts of rounds for the dealing."""
        deck = np.array([card.code for card in self.table.deck.cards()], np.uint8)
        return DealPlan(deck, self.hand_size, self.round_sorts, ~self.is_over[self.roots])

    @cached_property
    def wagered_cents(self) -> Cents:
        """The wager on each spot of the table, in cents."""
        return np.array([self.bets.get(spot, 0) for spot in self.table.spots], np.int64)

    # Rounds

    def deal(
        self, cards: ByteArray, row_numbers: IntArray, seeds: NDArray[np.uint64], turns: NDArray[np.uint64]
    ) -> None:
        """Deal the cards of these rounds."""
        deal_rounds(cards, row_numbers, seeds, turns, self.deal_plan)

    def start_nodes(self, cards: ByteArray) -> IntArray:
        """The first nodes of rounds with these cards."""
        return _start_nodes(cards, self.deal_plan.round_sorts, self.roots)

    def masks(self, cards: ByteArray, nodes: IntArray) -> Masks:
        """The allowed actions of each round."""
        masks: Masks = self._allowed[nodes]
        self.restrict_actions(cards, masks)
        return masks

    def observe(self, cards: ByteArray, nodes: IntArray, answers: Answers) -> Observations:
        """The seats' views."""
        visible_cards = np.empty(cards.shape, np.int8)
        self.fill_visible_cards(cards, nodes, visible_cards)
        return {
            "cards": visible_cards,
            "question": self.question_numbers[nodes].astype(np.int64),
            "answers": answers.copy(),
            "wagers": np.broadcast_to(self.wagered_cents, (len(cards), len(self.wagered_cents))).copy(),
        }

    def fill_visible_cards(self, cards: ByteArray, nodes: IntArray, visible_cards: NDArray[np.int8]) -> None:
        """Write the cards as the seats see them."""
        _fill_visible_cards(cards, nodes, self.card_faces, visible_cards)

    def nets(self, cards: ByteArray, answers: Answers) -> Cents:
        """What the seats won or lost in finished rounds, in cents."""
        kinds = self.outcome_kinds(cards, answers)
        cents = self._known_cents(kinds)
        unknown = np.flatnonzero((cents == _UNKNOWN).any(axis=0))
        if len(unknown):
            for column in unknown.tolist():
                self._settle(kinds[:, column], cards[column], answers[column])
            cents = self._known_cents(kinds)
        total: Cents = cents.sum(axis=0)
        return total

    def _known_cents(self, kinds: Kinds) -> Cents:
        return np.array([cents[row] for cents, row in zip(self._cents, kinds, strict=True)])

    def _settle(self, kinds: NDArray[np.int32], cards: ByteArray, answers: Answers) -> None:
        """Settle the first round of a kind by the rules."""
        with self._settling:
            if all(cents[kind] != _UNKNOWN for cents, kind in zip(self._cents, kinds.tolist(), strict=True)):
                return
            settlement = self.rules.settle(self.play_round(cards, answers), self.meters)
            for part, cents, kind in zip(self.wager_groups, self._cents, kinds.tolist(), strict=True):
                spots = {self.wagers[slug] for slug in part.wagers}
                cents[kind] = sum(
                    payment.known_return - payment.wagered
                    for payment in settlement.seat_payments(SEAT)
                    if payment.spot in spots
                )

    # One round, played by the rules

    def piles(self, cards: ByteArray) -> dict[Place, tuple[Card, ...]]:
        """The cards of a round by place."""
        return group_by_place(self.card_places, [card_from_code(code) for code in cards.tolist()])

    def play_round(self, cards: ByteArray, answers: Answers) -> Round:
        """A round, played by the rules as far as it has decisions."""
        piles, action_by_question = self.piles(cards), dict(zip(self.questions, answers.tolist(), strict=True))
        round_ = advance_to_decision(self.rules.begin(self.table, {SEAT: self.bets}), piles)
        while isinstance(round_.turn, SeatTurn) and action_by_question[round_.turn.question] >= 0:
            decision = self.decision(cards, action_by_question[round_.turn.question])
            round_ = advance_to_decision(round_.apply(Decide(SEAT, decision)), piles)
        return round_

    def build_round(self, node: int, cards: ByteArray, decisions: Mapping[str, Decision]) -> Round:
        """A round at a node, built without playing it, which takes less time; with its decisions by question."""
        flow_node, piles = self.flow.nodes[node], self.piles(cards)
        dealt_cards = FrozenMap({place: piles[place][:count] for place, count in flow_node.piles})
        past_decisions = FrozenMap({(SEAT, question): decision for question, decision in decisions.items()})
        return Round(self.rules, self.table, self._bets, dealt_cards, past_decisions, flow_node.steps)

    @cached_property
    def _bets(self) -> Mapping[int, Mapping[str, int]]:
        return self.rules.begin(self.table, {SEAT: self.bets}).bets

    def decision(self, cards: ByteArray, action: int) -> Decision:
        """An action as a decision in the form of the rules."""
        verb, groups = self.actions[action]
        assert verb is not None
        hand = [card_from_code(code) for code in cards[: self.hand_size].tolist()]
        return self.canonical_decision(
            Decision(verb, tuple(tuple(hand[place] for place in group) for group in groups)), hand
        )

    def canonical_decision(self, decision: Decision, hand: Sequence[Card]) -> Decision:  # noqa: ARG002
        """Put two hands in the order of the rules, if the rules have one."""
        return decision

    def action(self, cards: ByteArray, decision: Decision) -> int:
        """The number of a decision. It may name its hands in either order."""
        hand = [card_from_code(code) for code in cards[: self.hand_size].tolist()]
        canonical, free = self.canonical_decision(decision, hand), list(range(len(hand)))
        groups = []
        for group in canonical.groups:
            places = []
            for card in group:
                place = next(place for place in free if hand[place] == card)
                free.remove(place)
                places.append(place)
            groups.append(tuple(sorted(places)))
        return self._numbers[Action(canonical.verb, tuple(sorted(groups)))]

    @cached_property
    def _numbers(self) -> Mapping[Action, int]:
        return {action: number for number, action in enumerate(self.actions)}

    def swapped_action(self, action: int) -> int:
        """The same decision after two hands were named in the other order."""
        return action

    def wager_results(self, cards: ByteArray, answers: Answers) -> dict[str, WagerResult]:
        """The outcome of each wager of a finished round."""
        return wager_results(self.table, self.play_round(cards, answers))


@kernel
def _start_nodes(cards: ByteArray, round_sorts: IntArray, roots: IntArray) -> IntArray:
    nodes = np.empty(len(cards), np.int64)
    for row in range(len(cards)):
        nodes[row] = roots[round_sorts[pair_number(cards[row, 0], cards[row, 1])]]
    return nodes


@kernel
def _fill_visible_cards(
    cards: ByteArray, nodes: IntArray, faces: NDArray[np.int8], visible_cards: NDArray[np.int8]
) -> None:
    for row in range(len(cards)):
        node = nodes[row]
        for card in range(cards.shape[1]):
            face = faces[node, card]
            visible_cards[row, card] = (
                NOT_DEALT_CODE
                if face == NOT_DEALT
                else FACE_DOWN_CODE
                if face == FACE_DOWN
                else np.int8(cards[row, card])
            )


@cache
def batch_class(slug: str) -> type[RoundBatch] | None:
    """The batch class of a game; None for a game that provides only its rules."""
    folder = built_in_folder(slug)
    if folder is None:
        return None
    found_class: type[RoundBatch] = import_module(f"cardroom.odds.{folder}.simulator").BATCH
    return found_class
