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

from cardroom.cards import Card, of_code
from cardroom.faults import BadInput
from cardroom.games import Decide, Decision, Round, Table, Verb, game
from cardroom.games.book import house_folder
from cardroom.games.frozen import FrozenMap
from cardroom.games.places import Place
from cardroom.games.turns import SeatTurn
from cardroom.kernels import kernel
from cardroom.odds.rounds.by_the_rules import Bets, WagerOutcome, outcomes
from cardroom.odds.rounds.drawn import PAIRS, Bytes, Dealing, Numbers, deal_rounds, two_cards
from cardroom.odds.rounds.flow import BACK, NOT_DEALT, SEAT, Flow, by_place, flow_of, onward
from cardroom.paytables import Paytable

Cents: TypeAlias = NDArray[np.int64]
Kinds: TypeAlias = NDArray[np.int32]
"""How the wagers of rounds end: a row a part of the layout, a column a round."""
Answers: TypeAlias = NDArray[np.int8]
"""By round and question: the number of the action that answered it, or -1."""
Masks: TypeAlias = NDArray[np.bool_]
Observations: TypeAlias = dict[str, NDArray[Any]]
"""What seats see, as numbers: ``cards``, ``question``, ``answers``, ``wagers``."""

SHOWS_BACK, NOT_THERE = -1, -2
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


GO_ON: Final = Action(None)


class LinesOf:
    """Where cards stand on a printed table, by the events that they meet; below its last line when no line pays."""

    def __init__(self, table: Paytable) -> None:
        self._table = table

    @property
    def count(self) -> int:
        return len(self._table.lines) + 1

    def place(self, events: tuple[str, ...]) -> int:
        line = self._table.first(events)
        return len(self._table.lines) if line is None else self._table.lines.index(line)

    def places(self, kinds: Sequence[tuple[str, ...]]) -> NDArray[np.int16]:
        return np.array([self.place(events) for events in kinds], np.int16)


class Part(NamedTuple):
    """Wagers that end together, told by one kind."""

    wagers: tuple[str, ...]
    kinds: int
    """How many there are."""


class Batch(ABC):
    """Rounds of one seat at one table, always with the same wagers."""

    hand: ClassVar[int]
    """How many cards the seat's own hand has; they are the first of a row."""
    questions: ClassVar[tuple[str, ...]]
    """What a seat can be asked, in order, whatever is wagered."""
    every_action: ClassVar[tuple[Action, ...]]
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
        self.flow: Flow = flow_of(self.rules, table, self.bets, self.rows, self.examples())
        self._cents = [np.full(part.kinds, _UNKNOWN, np.int64) for part in self.parts]
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
    def rows(self) -> tuple[Place, ...]:
        """Where each card of a round goes, dealt or not; the seat's own hand first."""

    @property
    @abstractmethod
    def parts(self) -> tuple[Part, ...]:
        """The wagers of the layout by the kinds that tell how they end."""

    @abstractmethod
    def kinds(self, cards: Bytes, answers: Answers) -> Kinds:
        """How the wagers of rounds that are over ended."""

    def examples(self) -> tuple[tuple[Card, ...], ...]:
        """A round of each sort that flows otherwise than the others."""
        return (tuple(card for card in self.table.deck.kinds())[: len(self.rows)],)

    @property
    def sort_of(self) -> Numbers:
        """By the first two cards, as ``two_cards`` numbers them: which of the examples the round is like."""
        return np.zeros(PAIRS, np.int64)

    def narrow(self, cards: Bytes, masks: Masks) -> None:  # noqa: B027 (most games have nothing to take away)
        """Take away answers that the cards do not allow, and those that are the same to the eye as an earlier one."""

    @property
    def passed_nets(self) -> Cents | None:
        """What rounds that ask nothing win, by their first two cards, where these settle them; else None."""
        return None

    # The flow as arrays

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """All answers; last, where some rounds ask nothing, going on."""
        silent = any(self.flow.nodes[root].question is None for root in self.flow.roots)
        return (*self.every_action, GO_ON) if silent else self.every_action

    @cached_property
    def asks(self) -> NDArray[np.int8]:
        """By node: the number of its question from 1 on, or 0."""
        asked = [one.question for one in self.flow.nodes]
        return np.array([1 + self.questions.index(one) if one else 0 for one in asked], np.int8)

    @cached_property
    def over(self) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self.asks == 0
        return found

    @cached_property
    def faces(self) -> NDArray[np.int8]:
        """By node and card: how the card lies."""
        return np.array([node.seen for node in self.flow.nodes], np.int8)

    @cached_property
    def after(self) -> NDArray[np.int64]:
        """By node and action: the node that follows, or -1."""
        found = np.full((len(self.flow.nodes), len(self.actions)), -1, np.int64)
        for at, node in enumerate(self.flow.nodes):
            for number, action in enumerate(self.actions):
                if action.verb is not None:
                    found[at, number] = node.after.get(action.verb, -1)
        for root in self.flow.roots:
            if self.flow.nodes[root].question is None:
                found[root, self.actions.index(GO_ON)] = root
        return found

    @cached_property
    def _allowed(self) -> Masks:
        found: Masks = self.after >= 0
        return found

    @cached_property
    def roots(self) -> Numbers:
        return np.array(self.flow.roots, np.int64)

    @cached_property
    def dealing(self) -> Dealing:
        """What the cards are dealt with."""
        deck = np.array([card.code for card in self.table.deck.cards()], np.uint8)
        return Dealing(deck, self.hand, self.sort_of, ~self.over[self.roots])

    @cached_property
    def wagered(self) -> Cents:
        """What lies on each spot of the table, in cents."""
        return np.array([self.bets.get(spot, 0) for spot in self.table.spots], np.int64)

    # Rounds

    def deal(self, cards: Bytes, which: Numbers, seeds: NDArray[np.uint64], turns: NDArray[np.uint64]) -> None:
        """Deal the cards of some rounds."""
        deal_rounds(cards, which, seeds, turns, self.dealing)

    def begin(self, cards: Bytes) -> Numbers:
        """The nodes where rounds with these cards begin."""
        return _begin(cards, self.dealing.sort_of, self.roots)

    def masks(self, cards: Bytes, nodes: Numbers) -> Masks:
        """Which actions answer the question of each round."""
        found: Masks = self._allowed[nodes]
        self.narrow(cards, found)
        return found

    def observe(self, cards: Bytes, nodes: Numbers, answers: Answers) -> Observations:
        """What the seats see."""
        seen = np.empty(cards.shape, np.int8)
        self.look(cards, nodes, seen)
        return {
            "cards": seen,
            "question": self.asks[nodes].astype(np.int64),
            "answers": answers.copy(),
            "wagers": np.broadcast_to(self.wagered, (len(cards), len(self.wagered))).copy(),
        }

    def look(self, cards: Bytes, nodes: Numbers, seen: NDArray[np.int8]) -> None:
        """Fill in the cards as the seats see them."""
        _look(cards, nodes, self.faces, seen)

    def nets(self, cards: Bytes, answers: Answers) -> Cents:
        """What the seats won or lost in rounds that are over, in cents."""
        kinds = self.kinds(cards, answers)
        found = self._looked_up(kinds)
        missing = np.flatnonzero((found == _UNKNOWN).any(axis=0))
        if len(missing):
            for at in missing.tolist():
                self._settle(kinds[:, at], cards[at], answers[at])
            found = self._looked_up(kinds)
        total: Cents = found.sum(axis=0)
        return total

    def _looked_up(self, kinds: Kinds) -> Cents:
        return np.array([cents[row] for cents, row in zip(self._cents, kinds, strict=True)])

    def _settle(self, kinds: NDArray[np.int32], cards: Bytes, answers: Answers) -> None:
        """Have the rules settle the first round of a kind."""
        with self._settling:
            if all(cents[kind] != _UNKNOWN for cents, kind in zip(self._cents, kinds.tolist(), strict=True)):
                return
            settlement = self.rules.settle(self.round(cards, answers), self.meters)
            for part, cents, kind in zip(self.parts, self._cents, kinds.tolist(), strict=True):
                spots = {self.wagers[slug] for slug in part.wagers}
                cents[kind] = sum(one.paid - one.wagered for one in settlement.of(SEAT) if one.spot in spots)

    # One round by the rules

    def piles(self, cards: Bytes) -> dict[Place, tuple[Card, ...]]:
        """The cards of a round by where they go."""
        return by_place(self.rows, [of_code(code) for code in cards.tolist()])

    def round(self, cards: Bytes, answers: Answers) -> Round:
        """A round played by the rules as far as it has answers."""
        piles, said = self.piles(cards), dict(zip(self.questions, answers.tolist(), strict=True))
        round_ = onward(self.rules.begin(self.table, {SEAT: self.bets}), piles)
        while isinstance(round_.turn, SeatTurn) and said[round_.turn.question] >= 0:
            decision = self.decision(cards, said[round_.turn.question])
            round_ = onward(round_.apply(Decide(SEAT, decision)), piles)
        return round_

    def laid(self, node: int, cards: Bytes, decisions: Mapping[str, Decision]) -> Round:
        """A round at a node, laid down without playing it, which takes less time; with its answers by question."""
        at, piles = self.flow.nodes[node], self.piles(cards)
        dealt = FrozenMap({place: piles[place][:count] for place, count in at.piles})
        said = FrozenMap({(SEAT, question): decision for question, decision in decisions.items()})
        return Round(self.rules, self.table, self._bets, dealt, said, at.steps)

    @cached_property
    def _bets(self) -> Mapping[int, Mapping[str, int]]:
        return self.rules.begin(self.table, {SEAT: self.bets}).bets

    def decision(self, cards: Bytes, action: int) -> Decision:
        """An action as the rules list it."""
        verb, groups = self.actions[action]
        assert verb is not None
        hand = [of_code(code) for code in cards[: self.hand].tolist()]
        return self.listed(Decision(verb, tuple(tuple(hand[place] for place in group) for group in groups)), hand)

    def listed(self, decision: Decision, hand: Sequence[Card]) -> Decision:  # noqa: ARG002
        """Which of two hands stands first, where the rules say it."""
        return decision

    def action(self, cards: Bytes, decision: Decision) -> int:
        """The number of a decision, which may name its hands in either order."""
        hand = [of_code(code) for code in cards[: self.hand].tolist()]
        listed, free = self.listed(decision, hand), list(range(len(hand)))
        groups = []
        for group in listed.groups:
            places = []
            for card in group:
                place = next(place for place in free if hand[place] == card)
                free.remove(place)
                places.append(place)
            groups.append(tuple(sorted(places)))
        return self._numbers[Action(listed.verb, tuple(sorted(groups)))]

    @cached_property
    def _numbers(self) -> Mapping[Action, int]:
        return {action: at for at, action in enumerate(self.actions)}

    def turned(self, action: int) -> int:
        """The same answer of somebody who named two hands the other way round before."""
        return action

    def outcomes(self, cards: Bytes, answers: Answers) -> dict[str, WagerOutcome]:
        """What became of each wager of a round that is over."""
        return outcomes(self.table, self.round(cards, answers))


@kernel
def _begin(cards: Bytes, sort_of: Numbers, roots: Numbers) -> Numbers:
    found = np.empty(len(cards), np.int64)
    for at in range(len(cards)):
        found[at] = roots[sort_of[two_cards(cards[at, 0], cards[at, 1])]]
    return found


@kernel
def _look(cards: Bytes, nodes: Numbers, faces: NDArray[np.int8], seen: NDArray[np.int8]) -> None:
    for at in range(len(cards)):
        node = nodes[at]
        for card in range(cards.shape[1]):
            face = faces[node, card]
            seen[at, card] = (
                NOT_THERE if face == NOT_DEALT else SHOWS_BACK if face == BACK else np.int8(cards[at, card])
            )


@cache
def batch_of(slug: str) -> type[Batch] | None:
    """Who plays many rounds of a game at once; None for a game that brings its rules alone."""
    folder = house_folder(slug)
    if folder is None:
        return None
    found: type[Batch] = import_module(f"cardroom.odds.{folder}.batch").BATCH
    return found
