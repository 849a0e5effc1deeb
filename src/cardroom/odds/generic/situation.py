"""Situations: rounds whose cards are known only as far as the rules have looked at them.

What a seat sees, or a named hand, determines the situations that the seat may be in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import perm
from typing import NamedTuple

from cardroom.cards import Card, Deck, format_cards
from cardroom.games import (
    ChanceTurn,
    DealerTurn,
    Decide,
    Decision,
    Game,
    IllegalAction,
    Place,
    Round,
    RoundEnd,
    SeatTurn,
    Table,
    TakeStep,
    Turn,
    View,
)
from cardroom.games.actions import DealerStep
from cardroom.games.view import can_see
from cardroom.hands import BadHand
from cardroom.odds.generic.lazy_cards import (
    Aspect,
    CardPosition,
    CardSet,
    RevealRequest,
    all_cards,
    count_deals,
    known_card_sets,
    lazy_card,
    possible_cards,
    split_by_aspect,
)
from cardroom.odds.generic.pricing_table import SEAT, PricingTable


class LateInformation(BaseException):
    """A card that the seat saw at an earlier decision matters only now: the search must split by it earlier."""

    def __init__(self, position: CardPosition, aspect: Aspect) -> None:
        super().__init__(f"{position.place} {aspect.value}")
        self.position, self.aspect = position, aspect


class InformationSet(NamedTuple):
    """What a seat knows at a decision. Situations with the same information set look the same to the seat."""

    question: str
    options: tuple[Decision, ...]
    open_cards: tuple[tuple[Place, tuple[CardSet, ...]], ...]
    face_down: tuple[tuple[Place, int], ...]


@dataclass(frozen=True, slots=True)
class Chance:
    """A probability: this many ordered deals of this many cards."""

    combinations: int
    cards: int

    def share(self, deck: Deck) -> float:
        """The share of all deals."""
        return self.combinations / perm(deck.size, self.cards)


@dataclass(frozen=True)
class Situation:
    """A round with cards that are not yet known."""

    round: Round
    seat: int
    removed_cards: tuple[CardSet, ...] = ()
    """Cards that are elsewhere on the table and cannot be dealt."""
    known_positions: frozenset[CardPosition] = field(default=frozenset())
    """Cards that the seat saw at a decision."""

    @property
    def turn(self) -> Turn:
        return self.round.turn

    @property
    def deck(self) -> Deck:
        return self.round.table.deck

    @cached_property
    def card_sets(self) -> tuple[CardSet, ...]:
        """The set of every dealt card."""
        dealt_sets = (possible_cards(card) for pile in self.round.piles.values() for card in pile)
        return known_card_sets((*self.removed_cards, *dealt_sets), self.deck)

    @cached_property
    def chance(self) -> Chance:
        """The probability of the situation, as far as chance decides it."""
        return Chance(count_deals(self.card_sets, self.deck), len(self.card_sets))

    def possible_cards(self, position: CardPosition) -> CardSet:
        return possible_cards(self.round.piles[position.place][position.number])

    # Transitions

    def deal(self, place: Place, card: Card | None = None) -> Situation:
        """After a card is dealt; without a named card, an unknown one."""
        pile = self.round.piles.get(place, ())
        dealt_card = lazy_card(all_cards(self.deck), CardPosition(place, len(pile))) if card is None else card
        return self._with_pile(place, (*pile, dealt_card))

    def take_step(self, step: DealerStep) -> Situation:
        return replace(self, round=self.round.apply(TakeStep(step)))

    def decide(self, decision: Decision) -> Situation:
        """After a decision. From now on, all cards that the seat saw count as known to it."""
        open_positions = (
            CardPosition(place, number)
            for place, pile in self.round.piles.items()
            if can_see(self.round, place, self.seat)
            for number in range(len(pile))
        )
        next_round = self.round.apply(Decide(self.seat, decision))
        return replace(self, round=next_round, known_positions=self.known_positions.union(open_positions))

    def reveal(self, reveal_request: RevealRequest) -> tuple[Situation, ...]:
        """The possible situations after the rules look at a card."""
        parts = reveal_request.card_sets()
        if reveal_request.position in self.known_positions:
            raise LateInformation(reveal_request.position, reveal_request.aspect)
        for position in self.known_positions:
            card_set = self.possible_cards(position)
            if any(_overlaps_partly(card_set, part) for part in parts):
                raise LateInformation(position, _informative_aspect(card_set, reveal_request.aspect))
        return self.split(reveal_request.position, parts)

    def split(self, position: CardPosition, parts: Iterable[CardSet]) -> tuple[Situation, ...]:
        """One situation for each possible part."""
        pile = self.round.piles[position.place]
        split = []
        for part in parts:
            new_pile = (*pile[: position.number], lazy_card(part, position), *pile[position.number + 1 :])
            situation = self._with_pile(position.place, new_pile)
            if situation.chance.combinations:
                split.append(situation)
        return tuple(split)

    def _with_pile(self, place: Place, pile: tuple[Card, ...]) -> Situation:
        piles = type(self.round.piles)({**self.round.piles, place: pile})  # type: ignore[call-arg]
        return replace(self, round=replace(self.round, piles=piles))

    # Information

    def information_set(self) -> InformationSet:
        """What the seat knows at its decision."""
        assert isinstance(self.turn, SeatTurn)
        open_cards, face_down = [], []
        for place, pile in self.round.piles.items():
            if can_see(self.round, place, self.seat):
                open_cards.append((place, tuple(possible_cards(card) for card in pile)))
            else:
                face_down.append((place, len(pile)))
        return InformationSet(self.turn.question, self.turn.options, tuple(open_cards), tuple(face_down))

    def missing_information(self, information_set: InformationSet) -> tuple[CardPosition, Aspect] | None:
        """A face-up card that says something about a hidden card that the rules have looked at, and that is not known
        exactly enough."""
        hidden = [possible_cards(card) for place, _ in information_set.face_down for card in self.round.piles[place]]
        full_set = all_cards(self.deck)
        for place, pile in information_set.open_cards:
            for number, card_set in enumerate(pile):
                if any(hidden_set != full_set and _overlaps_partly(card_set, hidden_set) for hidden_set in hidden):
                    return CardPosition(place, number), Aspect.CARD
        return None


def _overlaps_partly(card_set: CardSet, part: CardSet) -> bool:
    """Whether a partly known card may or may not be in a part. A seat that sees the card then knows more about the
    probability of the part than the situation does."""
    return card_set & part not in (0, card_set)


def _informative_aspect(card_set: CardSet, aspect: Aspect) -> Aspect:
    return aspect if len(split_by_aspect(card_set, aspect)) > 1 else Aspect.CARD


def situations_from_view(rules: Game, table: Table, view: View, seat: int) -> list[Situation]:
    """All situations of the seat whose turn it is. The face-up cards of other seats are gone from the deck; the
    decisions of those seats do not matter."""
    removed_cards = tuple(
        1 << card.code
        for place, pile in view.piles.items()
        if place.seat not in (None, seat)
        for card in pile
        if card is not None
    )
    pending = [Situation(rules.begin(table, {seat: view.bets[seat]}), seat, removed_cards)]
    situations: list[Situation] = []
    while pending:
        situation = pending.pop()
        try:
            match situation.turn:
                case ChanceTurn(place):
                    pending.append(situation.deal(place, _visible_card(view, situation, place)))
                case DealerTurn(step):
                    pending.append(situation.take_step(step))
                case SeatTurn(_, question, options) if (seat, question) in view.decisions:
                    decision = view.decisions[seat, question]
                    if decision in options:
                        pending.append(situation.decide(next(option for option in options if option == decision)))
                case SeatTurn():
                    if situation.turn == view.turn:
                        situations.append(situation)
                case RoundEnd():
                    pass
        except RevealRequest as reveal:
            pending.extend(situation.split(reveal.position, reveal.card_sets()))
    if not situations:
        raise IllegalAction(f"These cards do not lead to the decision of seat {seat}.")
    _refuse_future_cards(view, seat, situations[0])
    return situations


def _refuse_future_cards(view: View, seat: int, situation: Situation) -> None:
    """Refuse a face-up card that the rules have not dealt at the decision: no situation that can be priced has it."""
    for place, pile in view.piles.items():
        if place.seat in (None, seat) and any(pile[len(situation.round.piles.get(place, ())) :]):
            raise IllegalAction(
                f"A card at {str(place)!r} is face up before it is dealt, so this decision cannot be priced: use only "
                "the cards that are dealt when the seat decides."
            )


def _visible_card(view: View, situation: Situation, place: Place) -> Card | None:
    pile, number = view.piles.get(place, ()), len(situation.round.piles.get(place, ()))
    return pile[number] if number < len(pile) else None


def situations_with_hand(pricing_table: PricingTable, hand: Sequence[Card]) -> list[Situation]:
    """All situations at the first decision of a seat that sees exactly these cards, in the order of the deal."""
    pricing_table.table.deck.check(hand)
    pending: list[tuple[Situation, int]] = [(Situation(pricing_table.begin(), SEAT), 0)]
    situations: list[Situation] = []
    hand_sizes: set[int] = set()
    while pending:
        situation, used_count = pending.pop()
        try:
            match situation.turn:
                case ChanceTurn(place):
                    face_down_situation = situation.deal(place)
                    if not can_see(face_down_situation.round, place, SEAT):
                        pending.append((face_down_situation, used_count))
                    elif used_count < len(hand):
                        pending.append((situation.deal(place, hand[used_count]), used_count + 1))
                    else:
                        hand_sizes.add(used_count + 1)
                case DealerTurn(step):
                    pending.append((situation.take_step(step), used_count))
                case SeatTurn(_, _, options):
                    hand_sizes.add(used_count)
                    if used_count == len(hand):
                        situations.append(situation)
                    else:
                        pending.extend((situation.decide(option), used_count) for option in options)
                case RoundEnd():
                    hand_sizes.add(used_count)
        except RevealRequest as reveal:
            pending.extend(
                (candidate, used_count) for candidate in situation.split(reveal.position, reveal.card_sets())
            )
    if not situations:
        raise BadHand(_no_decision_message(hand, hand_sizes))
    information_set = situations[0].information_set()
    return [candidate for candidate in situations if candidate.information_set() == information_set]


def _no_decision_message(hand: Sequence[Card], hand_sizes: set[int]) -> str:
    if len(hand) not in hand_sizes:
        counts = " or ".join(map(str, sorted(hand_sizes)))
        return f"The player decides with {counts} face-up cards, not {len(hand)}: write them in the order of the deal."
    return f"With {format_cards(hand)} the player has nothing to decide."
