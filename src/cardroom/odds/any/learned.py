"""A play that is learned where the best one is too long to search for: answers tried at random over many rounds, and
for each kind of hand the one that did best.

A kind of hand is what lies open by rank, with how many cards share a suit. It is no best play, only one that was not
told anything about the game; figures under it say so.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from cardroom.cards import Card
from cardroom.games import Decision, SeatTurn, View

FEWEST: Final = 20
"""Tries of each answer before a kind of hand is judged by itself."""

Kind: TypeAlias = tuple[object, ...]


class Tried(NamedTuple):
    """An answer to a kind of hand."""

    kind: Kind
    answer: Kind


def kinds_of(seen: View) -> tuple[Kind, Kind]:
    """The kind of hand that a seat sees, and the question alone, for hands that are too rare."""
    assert isinstance(seen.turn, SeatTurn)
    faces = tuple(
        (place, tuple(sorted(_rank(card) for card in pile if card)), _most_of_one_suit(pile))
        for place, pile in seen.piles.items()
        if any(pile)
    )
    return (seen.turn.question, *faces), (seen.turn.question,)


def _rank(card: Card) -> int:
    return 0 if card.is_joker else int(card.rank)


def _most_of_one_suit(pile: tuple[Card | None, ...]) -> int:
    suits = Counter(card.suit for card in pile if card and not card.is_joker)
    return max(suits.values(), default=0)


def answer_kind(decision: Decision) -> Kind:
    """An answer by the ranks of the cards that it speaks of."""
    return (decision.verb, *(tuple(sorted(map(_rank, group))) for group in decision.groups))


@dataclass
class Experience:
    """What answers came to."""

    tries: Counter[Tried] = field(default_factory=Counter)
    won: Counter[Tried] = field(default_factory=Counter)
    """In cents."""

    def note(self, kind: Kind, decision: Decision, cents: int) -> None:
        for answer in (answer_kind(decision), (decision.verb,)):
            self.tries[Tried(kind, answer)] += 1
            self.won[Tried(kind, answer)] += cents

    def add(self, other: Experience) -> None:
        self.tries.update(other.tries)
        self.won.update(other.won)


@dataclass(frozen=True)
class LearnedPlay:
    """Answers from experience."""

    experience: Experience

    def __call__(self, seen: View) -> Decision:
        assert isinstance(seen.turn, SeatTurn)
        options = seen.turn.options
        for kind in kinds_of(seen):
            for answers in ({one: answer_kind(one) for one in options}, {one: (one.verb,) for one in options}):
                tried = {one: Tried(kind, answer) for one, answer in answers.items()}
                if all(self.experience.tries[one] >= FEWEST for one in tried.values()):
                    return max(options, key=lambda one: self._mean(tried[one]))
        return options[0]

    def _mean(self, one: Tried) -> float:
        return self.experience.won[one] / self.experience.tries[one]
