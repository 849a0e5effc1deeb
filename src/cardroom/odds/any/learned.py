"""A play that is learned where the best one is too long to search for: answers tried at random over many rounds, and
for each kind of hand the one that did best.

A kind of hand is what lies open: all ranks, or only the highest with how many are alike, and how many cards share a
suit. It is no best play, only one that was not told anything about the game; figures under it say so.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from cardroom.cards import Card
from cardroom.games import Decision, SeatTurn, View

FEWEST: Final = 50
"""Tries of each answer before a kind of hand is judged by itself and not as one of a coarser kind."""

Kind: TypeAlias = tuple[object, ...]


class Tried(NamedTuple):
    """An answer to a kind of hand."""

    kind: Kind
    answer: Kind


def kinds_of(seen: View) -> tuple[Kind, ...]:
    """The kind of hand that a seat sees, from fine to coarse: all ranks, the highest one with how many are alike,
    and the question alone."""
    assert isinstance(seen.turn, SeatTurn)
    open_piles = {place: [card for card in pile if card] for place, pile in seen.piles.items() if any(pile)}
    ranks = {place: sorted(map(_rank, pile)) for place, pile in open_piles.items()}
    suits = {place: _most_of_one_suit(pile) for place, pile in open_piles.items()}
    fine = tuple((place, tuple(ranks[place]), suits[place]) for place in open_piles)
    coarse = tuple((place, *_shape(ranks[place]), suits[place]) for place in open_piles)
    return ("ranks", seen.turn.question, *fine), ("highest", seen.turn.question, *coarse), (seen.turn.question,)


def _shape(ranks: list[int]) -> tuple[int, tuple[int, ...], bool]:
    """The highest card, how many are alike (two and one for a pair and another card), and whether they are in a row."""
    alike = tuple(sorted(Counter(ranks).values(), reverse=True))
    return ranks[-1], alike, len(alike) == len(ranks) and ranks[-1] - ranks[0] == len(ranks) - 1


def _rank(card: Card) -> int:
    return 0 if card.is_joker else int(card.rank)


def _most_of_one_suit(pile: list[Card]) -> int:
    suits = Counter(card.suit for card in pile if not card.is_joker)
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
        for answer in {answer_kind(decision), (decision.verb,)}:
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
