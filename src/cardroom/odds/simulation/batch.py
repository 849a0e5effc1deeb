"""Many rounds at once in which somebody else decides: a researcher's agents, or a strategy in Python.

A round is a row of card codes, the node of its flow where it stands, and the answers so far, all as numbers. How a
wager ends is told by its kind, which the kernels of the simulation find; what a kind wins or loses, nobody states: the
first round of each kind is laid on the table again and settled by the rules.
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
from cardroom.games.frozen_map import FrozenMap
from cardroom.games.places import Place
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
"""How the wagers of rounds end: a row a part of the layout, a column a round."""
Answers: TypeAlias = NDArray[np.int8]
"""By round and question: the number of the action that answered it, or -1."""
Masks: TypeAlias = NDArray[np.bool_]
Observations: TypeAlias = dict[str, NDArray[Any]]
"""What seats see, as numbers: ``cards``, ``question``, ``answers``, ``wagers``."""

FACE_DOWN_CODE, NOT_DEALT_CODE = -1, -2
"""In place of a card's code."""
_UNKNOWN: Final = np.iinfo(np.int64).min


class BadBatch(BadInput):
    """Rounds that cannot be played many at a time."""


class Action(NamedTuple):
    """An answer told by the places of cards in the hand, so that it has the same number whatever the cards are."""

    verb: Verb | None
    """None where nothing is asked: the round just goes on."""
    groups: tuple[tuple[int, ...], ...] = ()

    def __str__(self) -> str:
        places = " | ".join(" ".join(str(place + 1) for place in group) for group in self.groups)
        return " ".join(filter(None, (self.verb or "go on", places)))


NO_ACTION: Final = Action(None)


class PaytableLines:
    """Where cards stand on a printed table, by the events that they meet; below its last line when no line pays."""

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
    """Wagers that end together, told by one kind."""

    wagers: tuple[str, ...]
    kind_count: int
    """How many there are."""


class RoundBatch(ABC):
    """Rounds of one seat at one table, always with the same wagers."""

    hand_size: ClassVar[int]
    """How many cards the seat's own hand has; they are the first of a row."""
    questions: ClassVar[tuple[str, ...]]
    """What a seat can be asked, in order, whatever is wagered."""
    all_actions: ClassVar[tuple[Action, ...]]
    """All answers to them, whatever is wagered."""

    def __init__(self, table: Table, bets: Bets, meters: Mapping[str, int] | None = None) -> None:
        self.rules, self.table, self.bets = game(table.facts.slug), table, dict(bets)
        self.meters = dict(meters or {})
        self.rules.begin(table, {SEAT: bets})  # refuses wagers that the table does not take
        self._refuse_meters()
        if table.payout_limit is not None:
            raise BadBatch("Rounds at a table with a payout limit are played one by one: leave the limit out.")
        self.wagers = {table.spots[spot].wager.slug: spot for spot in bets}
        """The spot that each wager lies on."""
        self.flow: RoundFlow = build_flow(self.rules, table, self.bets, self.card_places, self.examples())
        self._cents = [np.full(part.kind_count, _UNKNOWN, np.int64) for part in self.wager_groups]
        self._settling = Lock()

    def _refuse_meters(self) -> None:
        for spot in self.bets:
            if self.table.spots[spot].has_meter and spot not in self.meters:
                raise BadBatch(
                    f"The wager on {spot} can win a share of a meter: say what it shows, such as "
                    f"meters={{{spot!r}: 1000000}} in cents."
                )
        for spot in self.meters:
            if spot not in self.bets or not self.table.spots[spot].has_meter:
                raise BadBatch(f"A meter was given for {spot!r}: no wager of these rounds can win a share of it.")

    # What a game says

    @property
    @abstractmethod
    def card_places(self) -> tuple[Place, ...]:
        """Where each card of a round goes, dealt or not; the seat's own hand first."""

    @property
    @abstractmethod
    def wager_groups(self) -> tuple[WagerGroup, ...]:
        """The wagers of the layout by the kinds that tell how they end."""

    @abstractmethod
    def outcome_kinds(self, cards: ByteArray, answers: Answers) -> Kinds:
        """How the wagers of rounds that are over ended."""

    def examples(self) -> tuple[tuple[Card, ...], ...]:
        """A round of each sort that flows otherwise than the others."""
        return (tuple(card for card in self.table.deck.distinct_cards())[: len(self.card_places)],)

    @property
    def round_sorts(self) -> IntArray:
        """By the first two cards, as ``pair_number`` numbers them: which of the examples the round is like."""
        return np.zeros(PAIR_COUNT, np.int64)

    def restrict_actions(self, cards: ByteArray, masks: Masks) -> None:  # noqa: B027 (most games have nothing to take away)
        """Take away answers that the cards do not allow, and those that are the same to the eye as an earlier one."""

    @property
    def no_decision_nets(self) -> Cents | None:
        """What rounds that ask nothing win, by their first two cards, where these settle them; else None."""
        return None

    # The flow as arrays

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """All answers; last, where some rounds ask nothing, going on."""
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
        """By node and card: how the card lies."""
        return np.array([node.faces for node in self.flow.nodes], np.int8)

    @cached_property
    def next_nodes(self) -> NDArray[np.int64]:
        """By node and action: the node that follows, or -1."""
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
        """What the cards are dealt with."""
        deck = np.array([card.code for card in self.table.deck.cards()], np.uint8)
        return DealPlan(deck, self.hand_size, self.round_sorts, ~self.is_over[self.roots])

    @cached_property
    def wagered_cents(self) -> Cents:
        """What lies on each spot of the table, in cents."""
        return np.array([self.bets.get(spot, 0) for spot in self.table.spots], np.int64)

    # Rounds

    def deal(
        self, cards: ByteArray, row_numbers: IntArray, seeds: NDArray[np.uint64], turns: NDArray[np.uint64]
    ) -> None:
        """Deal the cards of some rounds."""
        deal_rounds(cards, row_numbers, seeds, turns, self.deal_plan)

    def start_nodes(self, cards: ByteArray) -> IntArray:
        """The nodes where rounds with these cards begin."""
        return _start_nodes(cards, self.deal_plan.round_sorts, self.roots)

    def masks(self, cards: ByteArray, nodes: IntArray) -> Masks:
        """Which actions answer the question of each round."""
        masks: Masks = self._allowed[nodes]
        self.restrict_actions(cards, masks)
        return masks

    def observe(self, cards: ByteArray, nodes: IntArray, answers: Answers) -> Observations:
        """What the seats see."""
        visible_cards = np.empty(cards.shape, np.int8)
        self.fill_visible_cards(cards, nodes, visible_cards)
        return {
            "cards": visible_cards,
            "question": self.question_numbers[nodes].astype(np.int64),
            "answers": answers.copy(),
            "wagers": np.broadcast_to(self.wagered_cents, (len(cards), len(self.wagered_cents))).copy(),
        }

    def fill_visible_cards(self, cards: ByteArray, nodes: IntArray, visible_cards: NDArray[np.int8]) -> None:
        """Fill in the cards as the seats see them."""
        _fill_visible_cards(cards, nodes, self.card_faces, visible_cards)

    def nets(self, cards: ByteArray, answers: Answers) -> Cents:
        """What the seats won or lost in rounds that are over, in cents."""
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
        """Have the rules settle the first round of a kind."""
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

    # One round by the rules

    def piles(self, cards: ByteArray) -> dict[Place, tuple[Card, ...]]:
        """The cards of a round by where they go."""
        return group_by_place(self.card_places, [card_from_code(code) for code in cards.tolist()])

    def play_round(self, cards: ByteArray, answers: Answers) -> Round:
        """A round played by the rules as far as it has answers."""
        piles, action_by_question = self.piles(cards), dict(zip(self.questions, answers.tolist(), strict=True))
        round_ = advance_to_decision(self.rules.begin(self.table, {SEAT: self.bets}), piles)
        while isinstance(round_.turn, SeatTurn) and action_by_question[round_.turn.question] >= 0:
            decision = self.decision(cards, action_by_question[round_.turn.question])
            round_ = advance_to_decision(round_.apply(Decide(SEAT, decision)), piles)
        return round_

    def build_round(self, node: int, cards: ByteArray, decisions: Mapping[str, Decision]) -> Round:
        """A round at a node, laid down without playing it, which takes less time; with its answers by question."""
        flow_node, piles = self.flow.nodes[node], self.piles(cards)
        dealt_cards = FrozenMap({place: piles[place][:count] for place, count in flow_node.piles})
        past_decisions = FrozenMap({(SEAT, question): decision for question, decision in decisions.items()})
        return Round(self.rules, self.table, self._bets, dealt_cards, past_decisions, flow_node.steps)

    @cached_property
    def _bets(self) -> Mapping[int, Mapping[str, int]]:
        return self.rules.begin(self.table, {SEAT: self.bets}).bets

    def decision(self, cards: ByteArray, action: int) -> Decision:
        """An action as the rules list it."""
        verb, groups = self.actions[action]
        assert verb is not None
        hand = [card_from_code(code) for code in cards[: self.hand_size].tolist()]
        return self.canonical_decision(
            Decision(verb, tuple(tuple(hand[place] for place in group) for group in groups)), hand
        )

    def canonical_decision(self, decision: Decision, hand: Sequence[Card]) -> Decision:  # noqa: ARG002
        """Which of two hands stands first, where the rules say it."""
        return decision

    def action(self, cards: ByteArray, decision: Decision) -> int:
        """The number of a decision, which may name its hands in either order."""
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
        """The same answer of somebody who named two hands the other way round before."""
        return action

    def wager_results(self, cards: ByteArray, answers: Answers) -> dict[str, WagerResult]:
        """What became of each wager of a round that is over."""
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
    """Who plays many rounds of a game at once; None for a game that brings its rules alone."""
    folder = built_in_folder(slug)
    if folder is None:
        return None
    found_class: type[RoundBatch] = import_module(f"cardroom.odds.{folder}.simulator").BATCH
    return found_class
