"""A situation: a round whose cards are turned over only as far as the rules have looked at them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import perm
from typing import NamedTuple

from cardroom.cards import Card, Deck
from cardroom.games import Decide, Decision, Place, Round, SeatTurn, TakeStep, Turn
from cardroom.games.actions import DealerStep
from cardroom.games.view import sees
from cardroom.odds.any.unturned import Aspect, Kinds, Look, Position, could_be, every_card, parts_by, unturned
from cardroom.odds.any.ways import known_cards, ways


class TooLate(BaseException):
    """Something that the seat knew when it decided turns out to matter only now: it must be told before."""

    def __init__(self, position: Position, aspect: Aspect) -> None:
        super().__init__(f"{position.place} {aspect.value}")
        self.position, self.aspect = position, aspect


class Seen(NamedTuple):
    """What a seat knows when it is asked. Situations with the same knowledge are one to the seat."""

    question: str
    options: tuple[Decision, ...]
    open_cards: tuple[tuple[Place, tuple[Kinds, ...]], ...]
    backs: tuple[tuple[Place, int], ...]


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely something is: so many ordered deals of so many cards."""

    ways: int
    cards: int

    def share(self, deck: Deck) -> float:
        """Of all deals."""
        return self.ways / perm(deck.size, self.cards)


@dataclass(frozen=True)
class Situation:
    """A round with cards that nobody has turned yet."""

    round: Round
    seat: int
    gone: tuple[Kinds, ...] = ()
    """Cards that lie elsewhere and cannot come any more."""
    decided_on: frozenset[Position] = field(default=frozenset())
    """Cards that the seat saw when it decided something."""

    @property
    def turn(self) -> Turn:
        return self.round.turn

    @property
    def deck(self) -> Deck:
        return self.round.table.deck

    @cached_property
    def kinds(self) -> tuple[Kinds, ...]:
        """Of every card that lies there."""
        dealt = (could_be(card) for pile in self.round.dealt.values() for card in pile)
        return known_cards((*self.gone, *dealt), self.deck)

    @cached_property
    def chance(self) -> Chance:
        """How likely the situation is, as far as chance decides."""
        return Chance(ways(self.kinds, self.deck), len(self.kinds))

    def could_be(self, position: Position) -> Kinds:
        return could_be(self.round.dealt[position.place][position.number])

    # What comes next

    def dealt(self, place: Place, card: Card | None = None) -> Situation:
        """A card falls; without a name, one that nobody has turned."""
        pile = self.round.dealt.get(place, ())
        new = unturned(every_card(self.deck), Position(place, len(pile))) if card is None else card
        return self._with(place, (*pile, new))

    def stepped(self, step: DealerStep) -> Situation:
        return replace(self, round=self.round.apply(TakeStep(step)))

    def decided(self, decision: Decision) -> Situation:
        """After an answer. From now on it counts what the seat knew: all that it saw."""
        open_now = (
            Position(place, number)
            for place, pile in self.round.dealt.items()
            if sees(self.round, place, self.seat)
            for number in range(len(pile))
        )
        after = self.round.apply(Decide(self.seat, decision))
        return replace(self, round=after, decided_on=self.decided_on.union(open_now))

    def turned(self, look: Look) -> tuple[Situation, ...]:
        """What the card that somebody looks at can turn out to be, as far as it is likely at all."""
        parts = look.parts()
        if look.position in self.decided_on:
            raise TooLate(look.position, look.aspect)
        for position in self.decided_on:
            known = self.could_be(position)
            if any(_crosses(known, part) for part in parts):
                raise TooLate(position, _telling(known, look.aspect))
        return self.split(look.position, parts)

    def split(self, position: Position, parts: Iterable[Kinds]) -> tuple[Situation, ...]:
        """One situation for each part."""
        pile = self.round.dealt[position.place]
        split = []
        for part in parts:
            new = (*pile[: position.number], unturned(part, position), *pile[position.number + 1 :])
            one = self._with(position.place, new)
            if one.chance.ways:
                split.append(one)
        return tuple(split)

    def _with(self, place: Place, pile: tuple[Card, ...]) -> Situation:
        layout = type(self.round.dealt)({**self.round.dealt, place: pile})  # type: ignore[call-arg]
        return replace(self, round=replace(self.round, dealt=layout))

    # What the seat knows

    def seen(self) -> Seen:
        """What the seat that is asked knows."""
        assert isinstance(self.turn, SeatTurn)
        open_cards, backs = [], []
        for place, pile in self.round.dealt.items():
            if sees(self.round, place, self.seat):
                open_cards.append((place, tuple(could_be(card) for card in pile)))
            else:
                backs.append((place, len(pile)))
        return Seen(self.turn.question, self.turn.options, tuple(open_cards), tuple(backs))

    def tells_more(self, seen: Seen) -> tuple[Position, Aspect] | None:
        """An open card that says something about a hidden one which the rules have looked at, and has not been turned
        far enough for it."""
        hidden = [could_be(card) for place, _ in seen.backs for card in self.round.dealt[place]]
        everything = every_card(self.deck)
        for place, pile in seen.open_cards:
            for number, known in enumerate(pile):
                if any(other != everything and _crosses(known, other) for other in hidden):
                    return Position(place, number), Aspect.CARD
        return None


def _crosses(known: Kinds, part: Kinds) -> bool:
    """Whether a card of which this much is known may or may not be one of a part. Then whoever sees it knows more about
    how likely the part is than the situation says."""
    return known & part not in (0, known)


def _telling(known: Kinds, aspect: Aspect) -> Aspect:
    return aspect if len(parts_by(known, aspect)) > 1 else Aspect.CARD
