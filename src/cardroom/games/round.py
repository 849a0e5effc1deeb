"""The wagers before the deal, and the round: what was wagered, where the cards are, what was decided.

Wagers are accepted together, or refused with a sentence. The round alone decides whose turn it is: the game's rules
read the layout and return what comes next. A stored round continues exactly where it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, SupportsIndex, TypeAlias

from cardroom.cards import Card, Shoe
from cardroom.errors import BadInput, quote, quote_with_type, shorten
from cardroom.games.actions import (
    Action,
    ChanceTurn,
    Deal,
    DealerStep,
    DealerTurn,
    Decide,
    Decision,
    IllegalAction,
    RoundEnd,
    SeatTurn,
    TakeStep,
    Turn,
    Verb,
)
from cardroom.games.card_places import Pile, Place, to_seat_number
from cardroom.games.frozen_map import FrozenMap
from cardroom.games.money import format_cents
from cardroom.games.playable_table import Table
from cardroom.translation import gettext

if TYPE_CHECKING:
    from cardroom.games.game import Game


Bets: TypeAlias = Mapping[int, Mapping[str, int]]


_EXAMPLE_BETS: Final = {1: {"ante-play": 1000}}


class BadBet(BadInput):
    """A wager that the table refuses."""


def check_bets(game: Game, table: Table, bets: Bets) -> Bets:
    """The same wagers in the order of the seats, once all are valid."""
    if not bets:
        raise BadBet(gettext("There is no wager: a round needs a wager on at least one seat."))
    if not isinstance(bets, Mapping):
        raise BadBet(f"Pass wagers by seat and spot, such as {_EXAMPLE_BETS}; {quote_with_type(bets)} is not that.")
    for seat, spots in bets.items():
        fault = next(_bet_faults(game, table, seat, spots), None)
        if fault is not None:
            raise BadBet(fault)
    return FrozenMap({seat: FrozenMap(dict(bets[seat])) for seat in sorted(bets)})


def find_bet_fault(game: Game, table: Table, seat: int, spots: Mapping[str, int]) -> str | None:
    """Why one seat's wagers are refused; None if they are accepted."""
    return next(_bet_faults(game, table, seat, spots), None)


def _bet_faults(game: Game, table: Table, seat: int, spots: Mapping[str, int]) -> Iterator[str]:
    if type(seat) is not int:
        seat = to_seat_number(seat)
    if not 1 <= seat <= table.seats:
        yield gettext("There is no seat {seat}: the table has seats 1 to {seats}.").format(seat=seat, seats=table.seats)
    if not spots:
        yield gettext("Seat {seat} has no wager: place one, or leave the seat out.").format(seat=seat)
    if (wrong_value := _find_wrong_type(spots)) is not None:
        yield (
            f"Pass seat {seat}'s wagers by spot in whole cents, such as {_EXAMPLE_BETS[1]}; {wrong_value} is not that."
        )
        return
    for spot, amount in spots.items():
        yield from _amount_faults(table, seat, spot, amount)
    most = table.spots_per_player
    if most is not None and len(spots) > most:
        yield gettext("Seat {seat} has wagers on {count} spots: a player can use at most {most}.").format(
            seat=seat, count=len(spots), most=most
        )
    if table.fourth_wager is not None and len(spots) > 3:
        fourth = _find_fourth_wager(table, spots)
        if fourth > table.fourth_wager:
            yield gettext(
                "Seat {seat} has a fourth wager: its smallest optional wager can be at most {most}, and is {amount}."
            ).format(seat=seat, most=format_cents(table.fourth_wager), amount=format_cents(fourth))
    for offered in table.offers.values():
        if offered.wager.required and not any(table.spots.get(spot) is offered for spot in spots):
            yield gettext("Seat {seat} must make the {wager} wager to be dealt in.").format(
                seat=seat, wager=offered.wager.name
            )
    yield from game.bet_faults(table, seat, spots)


def _find_fourth_wager(table: Table, spots: Mapping[str, int]) -> int:
    """The smallest optional wager of a player with four wagers; with more than four the largest beyond the third, and 0
    with fewer (GEN-1). A raise is part of the wager that it follows."""
    wagers = ((table.spots[spot].wager, amount) for spot, amount in spots.items() if spot in table.spots)
    optional_amounts = sorted(amount for wager, amount in wagers if not wager.required)
    return max(optional_amounts[: max(len(spots) - 3, 0)], default=0)


def _find_wrong_type(spots: object) -> str | None:
    """The value that is not a wager in cents, described; None when all are."""
    if not isinstance(spots, Mapping):
        return quote_with_type(spots)
    for amount in spots.values():
        if type(amount) is not int and not isinstance(amount, SupportsIndex):
            return quote_with_type(amount)
    return None


def _amount_faults(table: Table, seat: int, spot: str, amount: int) -> Iterator[str]:
    if spot not in table.spots:
        yield gettext("This table has no spot {spot}: it has {spots}.").format(
            spot=quote(spot), spots=", ".join(table.spots)
        )
        return
    limits = table.spots[spot].limits
    if limits.minimum <= amount <= limits.maximum and not amount % limits.step:
        return
    yield gettext("Seat {seat} cannot wager {amount} on {spot}: it takes {limits}.").format(
        seat=seat, amount=format_cents(amount), spot=spot, limits=limits.text
    )


def make_full_bets(game: Game, table: Table, seat: int) -> dict[str, int]:
    """As many wagers as a player may make; each seat starts its side wagers at another spot."""
    first = next(iter(table.offers.values()))
    main_spots = [spot for spot, offered in table.spots.items() if offered is first]
    side_spots = [spot for spot in table.spots if spot not in main_spots]
    spot = main_spots[(seat - 1) % len(main_spots)]
    wagers = {spot: table.spots[spot].limits.minimum}
    for spot in side_spots[seat - 1 :] + side_spots[: seat - 1]:
        extended_wagers = {**wagers, spot: table.spots[spot].limits.minimum}
        if find_bet_fault(game, table, seat, extended_wagers) is None:
            wagers = extended_wagers
    return wagers


ALL_STEPS = frozenset(DealerStep)
_TABULATE = DealerTurn(DealerStep.TABULATE)


@dataclass(frozen=True)
class Round:
    """One round at one table; immutable. ``deal`` and ``Game.begin`` start one.

    A caller walks a round with ``turn``, ``legal_actions``, and ``apply``; ``current_player``, ``chance_outcomes``,
    ``is_terminal``, and ``returns`` complete the interface that users of OpenSpiel know.

    >>> from cardroom.games import deal
    >>> r = deal("three-card-prime", {1: {"ante-play": 10_00}}, seed=1)
    >>> print(r)
    Three Card Prime
    dealer  ?? ?? ??
    seat 1  Kh Kd Qc | fourth card ??    Ante $10
    Seat 1 decides: fold, play
    >>> r.current_player, [str(action.decision) for action in r.legal_actions()]
    (1, ['fold', 'play'])
    >>> end = deal(r.decide("play"), seed=1)
    >>> end.is_terminal, end.returns()
    (True, {1: 1000})
    """

    game: Game
    table: Table
    bets: Bets
    """By seat, then by spot, in cents."""
    piles: Mapping[Place, tuple[Card, ...]] = field(default_factory=FrozenMap)
    decisions: Mapping[tuple[int, str], Decision] = field(default_factory=FrozenMap)
    """By seat and question."""
    steps: tuple[DealerStep, ...] = ()

    @classmethod
    def begin(cls, game: Game, table: Table, bets: Mapping[int, Mapping[str, int]]) -> Round:
        """Accept the wagers, or refuse all of them with a sentence."""
        return cls(game, table, check_bets(game, table, bets))

    def __str__(self) -> str:
        """The layout as text: the cards that some seat or all can see, the chips, and what comes next."""
        return self.game.draw_board(self)

    def __getstate__(self) -> dict[str, Any]:
        """Only the layout is pickled; whose turn it is follows from it."""
        return {attribute.name: getattr(self, attribute.name) for attribute in fields(self)}

    # The layout

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that play, from the dealer's left."""
        return tuple(self.bets)

    def wager_cents(self, seat: int, spot: str) -> int:
        """A seat's wager on a spot before the deal, in cents; 0 for none."""
        return self.bets[seat].get(spot, 0)

    def pile(self, pile: Pile, seat: int | None = None) -> tuple[Card, ...]:
        """The cards at a place."""
        # A place is a tuple, so a plain tuple finds it and saves making a place.
        return self.piles.get((pile, seat), ())  # type: ignore[call-overload, no-any-return]

    def hand(self, seat: int | None = None) -> tuple[Card, ...]:
        """A seat's cards, or the dealer's."""
        return self.pile(Pile.HAND, seat)

    @property
    def card_count(self) -> int:
        """The number of cards on the layout."""
        return sum(map(len, self.piles.values()))

    def decision(self, seat: int, question: str) -> Decision | None:
        """A seat's decision on a question; None if it has not made it."""
        return self.decisions.get((seat, question))

    def has_decided(self, seat: int, question: str, verb: Verb) -> bool:
        """Whether a seat's decision on a question has this verb."""
        decision = self.decisions.get((seat, question))
        return decision is not None and decision.verb is verb

    def has_taken_step(self, step: DealerStep) -> bool:
        """Whether the dealer has taken a step."""
        return step in self.steps

    # What comes next

    @cached_property
    def turn(self) -> Turn:
        """What comes next: a card, a seat's decision, a step of the dealer, or the end."""
        return _TABULATE if self._must_tabulate else self.game.turn(self)

    @property
    def _must_tabulate(self) -> bool:
        """Whether there are jackpot wagers to count; the dealer counts them before the deal."""
        if self.piles or DealerStep.TABULATE in self.steps:
            return False
        jackpots = self.table.jackpot_spots
        return not all(map(jackpots.isdisjoint, self.bets.values()))

    @property
    def seat_turn(self) -> SeatTurn:
        """The turn of the seat that decides now; refused if no seat does."""
        if not isinstance(self.turn, SeatTurn):
            raise IllegalAction(gettext("No seat decides now: {turn}.").format(turn=self.turn_text))
        return self.turn

    @property
    def is_terminal(self) -> bool:
        """Whether the round is over and can be settled."""
        return isinstance(self.turn, RoundEnd)

    @property
    def current_player(self) -> int | None:
        """The seat that decides now; None when chance or the dealer is to move, and at the end."""
        return self.turn.seat if isinstance(self.turn, SeatTurn) else None

    def returns(self, meters: Mapping[str, int] | None = None) -> Mapping[int, int]:
        """What each seat won or lost in a round that is over, in cents. ``meters`` gives what jackpot meters show."""
        settlement = self.game.settle(self, meters)
        return FrozenMap({seat: settlement.net(seat) for seat in self.seats})

    def legal_actions(self) -> tuple[Action, ...]:
        """All actions that are possible now; of two decisions that differ only in the order of their hands, the listed
        one."""
        match self.turn:
            case ChanceTurn():
                return tuple(Deal(card) for card, _ in self.chance_outcomes())
            case SeatTurn(seat, _, options):
                return tuple(Decide(seat, decision) for decision in options)
            case DealerTurn(step):
                return (TakeStep(step),)
            case RoundEnd():
                return ()

    def chance_outcomes(self) -> tuple[tuple[Card, Fraction], ...]:
        """Each card that can come now and its probability; empty if no card is due."""
        if not isinstance(self.turn, ChanceTurn):
            return ()
        dealt_counts = Counter(card for pile in self.piles.values() for card in pile)
        deck = self.table.deck
        remaining = deck.size - dealt_counts.total()
        return tuple(
            (card, Fraction(copies, remaining))
            for card in deck.distinct_cards()
            if (copies := deck.count_copies(card) - dealt_counts[card]) > 0
        )

    def why_not(self, action: Action) -> str | None:
        """Why the action is not possible now; None if it is."""
        turn = self.turn
        if isinstance(action, Decide) and isinstance(turn, SeatTurn) and action.seat == turn.seat:
            if turn.allows(action.decision):
                return None
            return self.game.explain_refusal(turn, action.decision) or gettext(
                "Seat {seat} cannot {decision} now. Its options: {options}."
            ).format(
                seat=action.seat,
                decision=shorten(str(action.decision)),
                options=_join_alternatives(map(str, turn.options)),
            )
        match action, turn:
            case Deal(card), ChanceTurn():
                return self.table.deck.explain_impossible((c for pile in self.piles.values() for c in pile), card)
            case TakeStep(step), DealerTurn(due) if step is due:
                return None
            case _:
                return gettext("{action} is out of turn: {turn}.").format(
                    action=_describe_action(action), turn=self.turn_text
                )

    def can(self, action: Action) -> bool:
        """Whether the action is possible now."""
        return self.why_not(action) is None

    def apply(self, action: Action) -> Round:
        """The round after the action."""
        fault = self.why_not(action)
        if fault is not None:
            raise IllegalAction(fault)
        turn = self.turn
        if isinstance(action, Decide) and isinstance(turn, SeatTurn):
            return self._with(decisions=FrozenMap({**self.decisions, (action.seat, turn.question): action.decision}))
        if isinstance(action, Deal) and isinstance(turn, ChanceTurn):
            return self._with_cards((turn.place,), (action.card,))
        if isinstance(action, TakeStep):
            return self._with(steps=(*self.steps, action.step))
        raise AssertionError("a possible action was not applied")

    def decide(self, decision: Decision | str) -> Round:
        """The round after the seat whose turn it is decides.

        >>> from cardroom.games import deal
        >>> r = deal("three-card-prime", {1: {"ante-play": 10_00}}, seed=1)
        >>> r.decide("play") == r.apply(Decide(1, "play"))
        True
        """
        return self.apply(Decide(self.seat_turn.seat, decision))

    def deal(self, shoe: Shoe) -> tuple[Round, Shoe]:
        """The round after the next card and all further cards whose places are certain already."""
        places = self.next_places
        if 1 < len(places) <= shoe.remaining:
            cards, next_shoe = shoe.deal_several(len(places))
            if self.can_deal(cards):
                return self._with_cards(places, cards), next_shoe
        # One by one, so that the error names the first impossible card.
        card, next_shoe = shoe.deal()
        return self.apply(Deal(card)), next_shoe

    @property
    def next_places(self) -> tuple[Place, ...]:
        """Where the next cards go, as far as that is certain; empty if no card is due."""
        turn = self.turn
        return (turn.place, *turn.following_places) if isinstance(turn, ChanceTurn) else ()

    def can_deal(self, cards: Sequence[Card]) -> bool:
        """Whether the deck has these cards besides those on the layout."""
        return self.table.deck.contains((*chain.from_iterable(self.piles.values()), *cards))

    def deal_cards(self, cards: Sequence[Card]) -> Round:
        """The round after several cards at the next places; an impossible card is refused."""
        if len(cards) <= len(self.next_places) and self.can_deal(cards):
            return self._with_cards(self.next_places[: len(cards)], cards)
        round_ = self
        for card in cards:
            round_ = round_.apply(Deal(card))
        return round_

    def with_piles(self, piles: Mapping[Place, tuple[Card, ...]]) -> Round:
        """The same round with only these cards on the layout."""
        return self._with(piles=FrozenMap(piles))

    def _with(self, **changes: object) -> Round:
        """The round with parts of its layout changed. Written out for speed: ``replace`` takes three times as long."""
        changed = object.__new__(Round)
        attributes = changed.__dict__
        attributes.update(self.__dict__)
        attributes.pop("turn", None)  # it follows from the layout
        attributes.update(changes)
        return changed

    def _with_cards(self, places: Sequence[Place], cards: Sequence[Card]) -> Round:
        piles = dict(self.piles)
        for place, card in zip(places, cards, strict=True):
            piles[place] = (*piles[place], card) if place in piles else (card,)
        return self._with(piles=FrozenMap(piles))

    @property
    def turn_text(self) -> str:
        """What comes next in the round, as the end of a sentence."""
        match self.turn:
            case ChanceTurn(place):
                return gettext("the next card goes to {place}").format(place=repr(str(place)))
            case SeatTurn(seat, _, options):
                return gettext("seat {seat} decides: {options}").format(
                    seat=seat, options=_join_alternatives(map(str, options))
                )
            case DealerTurn(step):
                return gettext("the dealer's next step is {step}").format(step=repr(str(step)))
            case RoundEnd():
                return gettext("the round is over")


def _describe_action(action: Action) -> str:
    match action:
        case Deal(card):
            return gettext("Dealing {card}").format(card=card)
        case Decide(seat, decision):
            return gettext("{decision} by seat {seat}").format(decision=shorten(str(decision)).capitalize(), seat=seat)
        case TakeStep(step):
            return gettext("The dealer's {step}").format(step=step)
    raise IllegalAction(
        f"Pass Deal(card), Decide(seat, decision), or TakeStep(step); {quote_with_type(action)} is none of them."
    )


def _join_alternatives(texts: Iterable[str]) -> str:
    alternatives = list(texts)
    match alternatives:
        case [only]:
            return only
        case [first, second]:
            return gettext("{first} or {second}").format(first=first, second=second)
        case _:
            return gettext("{list}, or {last}").format(list=", ".join(alternatives[:-1]), last=alternatives[-1])


def advance(
    round_: Round, shoe: Shoe, automation: frozenset[DealerStep] = ALL_STEPS, *, deal: bool = True
) -> tuple[Round, Shoe]:
    """Deal, and take the dealer's automatic steps, until a seat has to decide or a step is left to the caller."""
    while True:
        match round_.turn:
            case ChanceTurn() if deal:
                round_, shoe = round_.deal(shoe)
            case DealerTurn(step) if step in automation:
                round_ = round_.apply(TakeStep(step))
            case _:
                return round_, shoe
