"""Who is asked in a batch of rounds: a strategy that sees one round at a time, or one that answers many at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.games import Decision, view
from cardroom.odds.rounds.batch import Answers, Batch, Masks, Observations
from cardroom.odds.rounds.by_the_rules import BadStrategy, Strategy, answer_of
from cardroom.odds.rounds.drawn import Bytes, Numbers
from cardroom.odds.rounds.flow import FACE, SEAT

BatchStrategy: TypeAlias = Callable[[Observations, Masks], NDArray[np.int64]]
"""Sees many rounds, a row each, and the actions that each of them allows; gives the number of an action for each."""

MOST_KEPT: Final = 4_000_000
"""Answers that are remembered; whoever needs more is asked again."""
ASKED_TWICE: Final = 512
"""The first situations, to find out whether the same one is answered the same way."""


class InPlay(NamedTuple):
    """Rounds that are being played, a row each."""

    cards: Bytes
    nodes: Numbers
    answers: Answers
    turned: NDArray[np.bool_]
    """Whether two hands were named the other way round than the rules list them."""


class Asker(ABC):
    """Answers for some rounds of a batch."""

    @abstractmethod
    def ask(self, batch: Batch, rounds: InPlay, live: Numbers) -> Numbers:
        """An action for each of the live rounds; where two hands are named the other way round, that is noted."""


class Answered(NamedTuple):
    action: int
    turned: bool


@dataclass(frozen=True)
class OneByOne(Asker):
    """A strategy that sees one round at a time. It is asked once for each different situation: what the seat sees, and
    what it has said."""

    strategy: Strategy
    kept: dict[tuple[int, int, bytes], Answered] = field(default_factory=dict)
    _one_at_a_time: AbstractContextManager[Any] = field(default_factory=Lock)
    """A strategy is nobody's to call on two threads at once."""

    def ask(self, batch: Batch, rounds: InPlay, live: Numbers) -> Numbers:
        found = np.empty(len(live), np.int64)
        for node in np.unique(rounds.nodes[live]).tolist():
            here = np.flatnonzero(rounds.nodes[live] == node)
            found[here] = self._at(batch, rounds, node, live[here])
        return found

    def _at(self, batch: Batch, rounds: InPlay, node: int, rows: Numbers) -> Numbers:
        situations = _situations(batch, rounds, node, rows)
        different, first, which = np.unique(situations, return_index=True, return_inverse=True)
        known = [
            self._answer(batch, rounds, node, situation, int(rows[at]))
            for situation, at in zip(different.tolist(), first.tolist(), strict=True)
        ]
        actions = np.array([one.action for one in known], np.int64)[which]
        if any(one.turned for one in known):
            rounds.turned[rows] |= np.array([one.turned for one in known])[which]
        return actions

    def _answer(self, batch: Batch, rounds: InPlay, node: int, situation: bytes, row: int) -> Answered:
        key = id(batch), node, situation
        known = self.kept.get(key)
        if known is not None:
            return known
        with self._one_at_a_time:  # another thread may have come here with the same situation
            known = self.kept.get(key) or self._asked(batch, rounds, node, row)
            if len(self.kept) < MOST_KEPT:
                self.kept[key] = known
        return known

    def _asked(self, batch: Batch, rounds: InPlay, node: int, row: int) -> Answered:
        cards = rounds.cards[row]
        seen = view(batch.laid(node, cards, _said(batch, rounds, row)), SEAT)
        decision = answer_of(self.strategy, seen)
        if len(self.kept) < ASKED_TWICE and (again := answer_of(self.strategy, seen)) != decision:
            question = batch.flow.nodes[node].question
            raise BadStrategy(
                f"The strategy answered {str(decision)!r} and then {str(again)!r} to the same cards when asked "
                f"{question!r}: write decide.every_time = True, and it is asked anew in every round."
            )
        action = batch.action(cards, decision)
        turned = bool(decision.groups) and decision != batch.decision(cards, action)
        return Answered(batch.turned(action) if rounds.turned[row] else action, turned)


def _situations(batch: Batch, rounds: InPlay, node: int, rows: Numbers) -> NDArray[np.bytes_]:
    """What the seats see at a node and have said, as a few bytes each."""
    faces = np.flatnonzero(batch.faces[node] == FACE)
    seen = np.concatenate(
        [rounds.cards[rows][:, faces], rounds.answers[rows].view(np.uint8), rounds.turned[rows, None].view(np.uint8)],
        axis=1,
    )
    # A byte more, because bytes that are zero at the end are not told apart.
    whole = np.ones((len(rows), seen.shape[1] + 1), np.uint8)
    whole[:, :-1] = seen
    return np.ascontiguousarray(whole).view(f"S{whole.shape[1]}").ravel()


def _said(batch: Batch, rounds: InPlay, row: int) -> dict[str, Decision]:
    """The answers of a round so far, as they were given."""
    said = {}
    for question, action in zip(batch.questions, rounds.answers[row].tolist(), strict=True):
        if action >= 0:
            decision = batch.decision(rounds.cards[row], action)
            said[question] = decision.turned_about if decision.groups and rounds.turned[row] else decision
    return said


@dataclass(frozen=True)
class ManyAtOnce(Asker):
    """A strategy that answers many rounds at once."""

    strategy: BatchStrategy

    def ask(self, batch: Batch, rounds: InPlay, live: Numbers) -> Numbers:
        cards, nodes = rounds.cards[live], rounds.nodes[live]
        masks = batch.masks(cards, nodes)
        try:
            answer = self.strategy(batch.observe(cards, nodes, rounds.answers[live]), masks.copy())
        except Exception as fault:
            asked = _asked(batch, nodes)
            raise BadStrategy(f"The strategy failed when asked {asked}: {type(fault).__name__}: {fault}.") from fault
        return _checked(batch, nodes, masks, answer)


def _checked(batch: Batch, nodes: Numbers, masks: Masks, answer: object) -> Numbers:
    said = np.asarray(answer)
    if said.shape != (len(masks),) or said.dtype.kind not in "iu":
        raise BadStrategy(
            f"The strategy answered {said.shape} of {said.dtype} when asked {_asked(batch, nodes)} in {len(masks)} "
            "rounds: it must answer with an array of as many whole numbers."
        )
    inside = (said >= 0) & (said < masks.shape[1])
    allowed = inside & masks[np.arange(len(masks)), np.where(inside, said, 0)]
    if not allowed.all():
        row = int(np.flatnonzero(~allowed)[0])
        may = " or ".join(f"{at} ({batch.actions[at]})" for at in np.flatnonzero(masks[row]).tolist())
        raise BadStrategy(
            f"The strategy answered {said[row]} when asked {_asked(batch, nodes[row : row + 1])}: it can answer {may}."
        )
    found: Numbers = said.astype(np.int64)
    return found


def _asked(batch: Batch, nodes: Numbers) -> str:
    return " and ".join(repr(batch.flow.nodes[node].question) for node in np.unique(nodes).tolist())
