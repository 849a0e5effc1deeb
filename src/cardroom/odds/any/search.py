"""The best play of one seat, found by walking every situation that a round can come to.

The walk goes from group to group. A group holds all situations that the seat cannot tell apart: it has seen the same
cards, and what differs is hidden from it. Chance and the dealer move in each of them until the seat is asked or the
round is over. Where it is asked, the situations are sorted by what it knows, and each answer is tried on all of
those that look the same at once. So the best answer is the one that is best on average over what is hidden: nobody
ever decides on a card that nobody sees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import perm
from typing import Final, Generic, TypeAlias, TypeVar

from cardroom.cards import Deck
from cardroom.faults import BadInput
from cardroom.games import ChanceTurn, DealerTurn, Decision, Over, Round, SeatTurn
from cardroom.odds.any.situation import Seen, Situation, TooLate
from cardroom.odds.any.unturned import Look, parts_by
from cardroom.odds.pricer import Progress, silent

Worth: TypeAlias = tuple[Fraction, ...]
"""What an end is worth to the seat; the first counts, the next ones only between equals."""

E = TypeVar("E")


class TooLarge(BadInput):
    """A game with more situations than there is time for."""


@dataclass(frozen=True)
class Answered:
    """What the best play answers to what it sees."""

    seen: Seen
    decision: Decision
    share: Fraction
    """Of all deals."""


@dataclass
class Ends(Generic[E]):
    """How rounds end under the best play, and what was answered on the way."""

    counts: Counter[tuple[E, int]] = field(default_factory=Counter)
    """In how many deals, by the end and the number of cards that were turned."""
    answers: list[Answered] = field(default_factory=list)

    def add(self, other: Ends[E]) -> None:
        self.counts.update(other.counts)
        self.answers += other.answers

    def combinations(self, deck: Deck) -> dict[E, int]:
        """Ordered deals of as many cards as were turned at most."""
        most = max(cards for _, cards in self.counts)
        found: dict[E, int] = {}
        for (end, cards), ways in self.counts.items():
            found[end] = found.get(end, 0) + ways * perm(deck.size - cards, most - cards)
        return found


class Search(Generic[E]):
    """One walk. ``ended`` tells of a round that is over what came of it, ``worth`` what that is worth to the seat."""

    def __init__(
        self,
        deck: Deck,
        ended: Callable[[Round], E],
        worth: Callable[[E], Worth],
        budget: int,
        progress: Progress = silent,
    ) -> None:
        self._deck, self._ended, self._worth = deck, ended, worth
        self._budget, self._progress = budget, progress
        self._met, self._done, self._all = 0, 0.0, 1.0

    @property
    def met(self) -> int:
        """How many situations have been met."""
        return self._met

    def best(self, start: Iterable[Situation]) -> Ends[E]:
        """From situations that look the same to the seat."""
        group = list(start)
        self._all = sum(one.chance.share(self._deck) for one in group)
        return self._play(group, 1.0)

    def values(self, group: list[Situation]) -> dict[Decision, Worth]:
        """What each answer is worth on average to a seat that is asked now."""
        self._all = sum(one.chance.share(self._deck) for one in group)
        total = sum(Fraction(one.chance.ways, perm(self._deck.size, one.chance.cards)) for one in group)
        tried = self._tried(group, 1.0)
        return {decision: tuple(part / total for part in self._mean(ends)) for decision, ends in tried.items()}

    def _play(self, group: list[Situation], part: float) -> Ends[E]:
        ends: Ends[E] = Ends()
        asked: dict[Seen, list[Situation]] = {}
        waiting = group
        while waiting:
            now = waiting.pop()
            self._count()
            try:
                match now.turn:
                    case ChanceTurn(place):
                        waiting.append(now.dealt(place))
                    case DealerTurn(step):
                        waiting.append(now.stepped(step))
                    case SeatTurn():
                        asked.setdefault(now.seen(), []).append(now)
                    case Over():
                        ends.counts[self._ended(now.round), now.chance.cards] += now.chance.ways
                        self._tell(now.chance.share(self._deck) * part)
            except Look as look:
                waiting.extend(now.turned(look))
        for seen, alike in asked.items():
            ends.add(self._decide(seen, alike, part))
        return ends

    def _decide(self, seen: Seen, group: list[Situation], part: float) -> Ends[E]:
        """The best answer to what the seat sees. When it turns out that the seat knew more than was told apart, that is
        told apart first."""
        done = self._done
        try:
            for one in group:
                if more := one.tells_more(seen):
                    raise TooLate(*more)
            tried = self._tried(group, part)
        except TooLate as late:
            if late.position in group[0].decided_on:
                raise  # the seat knew it before an earlier answer
            self._done = done
            return self._told_apart(group, late, part)
        worths = {decision: self._mean(ends) for decision, ends in tried.items()}
        best = max(worths, key=lambda decision: worths[decision])
        ends = tried[best]
        share = sum((Fraction(one.chance.ways, perm(self._deck.size, one.chance.cards)) for one in group), Fraction(0))
        ends.answers.append(Answered(seen, best, share))
        return ends

    def _tried(self, group: list[Situation], part: float) -> dict[Decision, Ends[E]]:
        turn = group[0].turn
        assert isinstance(turn, SeatTurn)
        each = part / len(turn.options)
        return {option: self._play([one.decided(option) for one in group], each) for option in turn.options}

    def _told_apart(self, group: list[Situation], late: TooLate, part: float) -> Ends[E]:
        ends: Ends[E] = Ends()
        for kinds in parts_by(group[0].could_be(late.position), late.aspect):
            alike = [new for one in group for new in one.split(late.position, (kinds,))]
            by_view: dict[Seen, list[Situation]] = {}
            for one in alike:
                by_view.setdefault(one.seen(), []).append(one)
            for seen, some in by_view.items():
                ends.add(self._decide(seen, some, part))
        return ends

    def _mean(self, ends: Ends[E]) -> Worth:
        """Summed over the deals, as a part of all deals."""
        by_cards: dict[int, list[Fraction]] = {}
        for (end, cards), ways in ends.counts.items():
            worth = self._worth(end)
            sums = by_cards.setdefault(cards, [Fraction(0)] * len(worth))
            for at, value in enumerate(worth):
                sums[at] += ways * value
        shares = [[one / perm(self._deck.size, cards) for one in sums] for cards, sums in by_cards.items()]
        return tuple(sum(column, Fraction(0)) for column in zip(*shares, strict=True))

    # How far it is

    def _count(self) -> None:
        self._met += 1
        if self._met % _LOOK_EVERY:
            return
        # What part of all deals these situations have settled says how many there are in all.
        expected = self._met * self._all / self._done if self._done else float("inf")
        if self._met >= self._budget or (self._met >= self._budget // _MEASURE and expected > _MARGIN * self._budget):
            raise TooLarge(f"The game has more than {self._budget:,} situations.")
        self._progress("every situation of the round", min(self._done / self._all, 1.0))

    def _tell(self, share: float) -> None:
        self._done += share


_LOOK_EVERY: Final = 500
_MEASURE: Final = 20
"""The first twentieth of what may be spent is spent on finding out how much is needed."""
_MARGIN: Final = 4
"""By how much that may be wrong before it is believed."""
