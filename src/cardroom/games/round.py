"""The wagers before the deal, and the round: what was wagered, where the cards are, what was decided.

Wagers are taken all together, or refused with a sentence. Whose turn it is follows from the round alone: the game's
rules look at the layout and say what comes next. So a round that is stored and read again continues exactly where it
was.
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
from cardroom.games.frozen_map import FrozenMap
from cardroom.games.money import format_cents
from cardroom.games.places import Pile, Place, to_seat_number
from cardroom.games.table import Table

if TYPE_CHECKING:
    from cardroom.games.game import Game


Bets: TypeAlias = Mapping[int, Mapping[str, int]]


_EXAMPLE_BETS: Final = {1: {"ante-play": 1000}}


class BadBet(BadInput):
    """A wager that the table does not take."""


def check_bets(game: Game, table: Table, bets: Bets) -> Bets:
    """The same wagers in the order of the seats, once every one of them is right."""
    if not bets:
        raise BadBet("Nobody has made a wager: a round needs at least one seat with one.")
    if not isinstance(bets, Mapping):
        raise BadBet(
            f"Wagers are given by seat and spot, such as {_EXAMPLE_BETS}; {quote_with_type(bets)} is something else."
        )
    for seat, spots in bets.items():
        fault = next(_bet_faults(game, table, seat, spots), None)
        if fault is not None:
            raise BadBet(fault)
    return FrozenMap({seat: FrozenMap(dict(bets[seat])) for seat in sorted(bets)})


def find_bet_fault(game: Game, table: Table, seat: int, spots: Mapping[str, int]) -> str | None:
    """Why one seat's wagers are refused; None when they are taken."""
    return next(_bet_faults(game, table, seat, spots), None)


def _bet_faults(game: Game, table: Table, seat: int, spots: Mapping[str, int]) -> Iterator[str]:
    if type(seat) is not int:
        seat = to_seat_number(seat)
    if not 1 <= seat <= table.seats:
        yield f"There is no seat {seat}: the table has seats 1 to {table.seats}."
    if not spots:
        yield f"Seat {seat} has no wager: leave the seat out or put a wager on a spot."
    if (wrong_value := _find_wrong_type(spots)) is not None:
        yield (
            f"Seat {seat}'s wagers are given by spot in whole cents, such as {_EXAMPLE_BETS[1]}; {wrong_value} is "
            "not that."
        )
        return
    for spot, amount in spots.items():
        yield from _amount_faults(table, seat, spot, amount)
    most = table.spots_per_player
    if most is not None and len(spots) > most:
        yield f"Seat {seat} uses {len(spots)} spots: a player may use at most {most}."
    if table.fourth_wager is not None and len(spots) > 3:
        fourth = _find_fourth_wager(table, spots)
        if fourth > table.fourth_wager:
            yield (
                f"Seat {seat}'s fourth wager, the smallest that it need not make, is {format_cents(fourth)}: it may "
                "be at "
                f"most {format_cents(table.fourth_wager)}."
            )
    for offered in table.offers.values():
        if offered.wager.required and not any(table.spots.get(spot) is offered for spot in spots):
            yield f"Seat {seat} must make the {offered.wager.name} wager to be dealt in."
    yield from game.bet_faults(table, seat, spots)


def _find_fourth_wager(table: Table, spots: Mapping[str, int]) -> int:
    """The smallest wager that a player with four need not have made; with more than four the largest of those beyond
    the third, and 0 with fewer (GEN-1). A raise that follows is no wager of its own here."""
    wagers = ((table.spots[spot].wager, amount) for spot, amount in spots.items() if spot in table.spots)
    optional_amounts = sorted(amount for wager, amount in wagers if not wager.required)
    return max(optional_amounts[: max(len(spots) - 3, 0)], default=0)


def _find_wrong_type(spots: object) -> str | None:
    """What somebody passed who writes no types."""
    if not isinstance(spots, Mapping):
        return quote_with_type(spots)
    for amount in spots.values():
        if type(amount) is not int and not isinstance(amount, SupportsIndex):
            return quote_with_type(amount)
    return None


def _amount_faults(table: Table, seat: int, spot: str, amount: int) -> Iterator[str]:
    if spot not in table.spots:
        yield f"This table has no spot {quote(spot)}: it has {', '.join(table.spots)}."
        return
    limits = table.spots[spot].limits
    if limits.minimum <= amount <= limits.maximum and not amount % limits.step:
        return
    yield f"Seat {seat} cannot wager {format_cents(amount)} on {spot}: it takes {limits.text}."


def make_full_bets(game: Game, table: Table, seat: int) -> dict[str, int]:
    """As many wagers as a player may make; each seat begins its side wagers at another spot."""
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
        """Take the wagers, or refuse them all with a sentence."""
        return cls(game, table, check_bets(game, table, bets))

    def __str__(self) -> str:
        """The layout as text: the cards that some seat or all can see, the chips, and what comes next."""
        return self.game.draw_board(self)

    def __getstate__(self) -> dict[str, Any]:
        """Only what lies on the layout travels; whose turn it is follows from that."""
        return {attribute.name: getattr(self, attribute.name) for attribute in fields(self)}

    # What lies on the layout

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that play, from the dealer's left."""
        return tuple(self.bets)

    def wager_cents(self, seat: int, spot: str) -> int:
        """What a seat put on a spot before the deal, in cents; 0 for nothing."""
        return self.bets[seat].get(spot, 0)

    def pile(self, pile: Pile, seat: int | None = None) -> tuple[Card, ...]:
        """The cards at a place."""
        # A place is a tuple, and a plain one finds it without making another place.
        return self.piles.get((pile, seat), ())  # type: ignore[call-overload, no-any-return]

    def hand(self, seat: int | None = None) -> tuple[Card, ...]:
        """A seat's cards, or the dealer's."""
        return self.pile(Pile.HAND, seat)

    @property
    def card_count(self) -> int:
        """How many cards lie on the layout."""
        return sum(map(len, self.piles.values()))

    def decision(self, seat: int, question: str) -> Decision | None:
        """What a seat answered, or None when it has not been asked."""
        return self.decisions.get((seat, question))

    def has_decided(self, seat: int, question: str, verb: Verb) -> bool:
        """Whether a seat answered a question with this verb."""
        answer = self.decisions.get((seat, question))
        return answer is not None and answer.verb is verb

    def has_taken_step(self, step: DealerStep) -> bool:
        """Whether the dealer has taken a step."""
        return step in self.steps

    # What comes next

    @cached_property
    def turn(self) -> Turn:
        """Whose turn it is: chance, a seat, the dealer, or nobody's."""
        return _TABULATE if self._must_tabulate else self.game.turn(self)

    @property
    def _must_tabulate(self) -> bool:
        """Whether jackpot wagers lie there that the dealer has not counted yet; they are counted before the deal."""
        if self.piles or DealerStep.TABULATE in self.steps:
            return False
        jackpots = self.table.jackpot_spots
        return not all(map(jackpots.isdisjoint, self.bets.values()))

    @property
    def seat_turn(self) -> SeatTurn:
        """The question that a seat has to answer now; refused when no seat is asked anything."""
        if not isinstance(self.turn, SeatTurn):
            raise IllegalAction(f"No seat is asked anything now: {self.turn_text}.")
        return self.turn

    @property
    def is_terminal(self) -> bool:
        """Whether nothing is left but to settle it."""
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
        """Everything that may happen next, each once: of two answers that differ only in the order of their hands the
        one that is listed."""
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
        """Each card that chance can give now and its probability; empty when no card is due."""
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
        """Why the action cannot be done now; None when it can."""
        match action, self.turn:
            case Deal(card), ChanceTurn():
                return self.table.deck.explain_impossible((c for pile in self.piles.values() for c in pile), card)
            case Decide(seat, decision), SeatTurn(due) as turn if seat == due:
                if turn.allows(decision):
                    return None
                why = (
                    self.game.explain_refusal(turn, decision) or f"it can {_join_alternatives(map(str, turn.options))}"
                )
                return f"Seat {seat} cannot {shorten(str(decision))}: {why}."
            case TakeStep(step), DealerTurn(due) if step is due:
                return None
            case _:
                return f"{_describe_action(action)} is out of turn: {self.turn_text}."

    def can(self, action: Action) -> bool:
        """Whether the action can be done now."""
        return self.why_not(action) is None

    def apply(self, action: Action) -> Round:
        """The round after the action."""
        fault = self.why_not(action)
        if fault is not None:
            raise IllegalAction(fault)
        match action, self.turn:
            case Deal(card), ChanceTurn(place):
                return self._with_cards((place,), (card,))
            # Written out, because a round is made of these lines and ``replace`` takes twice as long.
            case Decide(seat, decision), SeatTurn(_, question):
                decisions = FrozenMap({**self.decisions, (seat, question): decision})
                return Round(self.game, self.table, self.bets, self.piles, decisions, self.steps)
            case TakeStep(step), _:
                return Round(self.game, self.table, self.bets, self.piles, self.decisions, (*self.steps, step))
        raise AssertionError("an action that can be done was not understood")

    def decide(self, decision: Decision | str) -> Round:
        """The round after the seat whose turn it is decides.

        >>> from cardroom.games import deal
        >>> r = deal("three-card-prime", {1: {"ante-play": 10_00}}, seed=1)
        >>> r.decide("play") == r.apply(Decide(1, "play"))
        True
        """
        return self.apply(Decide(self.seat_turn.seat, decision))

    def deal(self, shoe: Shoe) -> tuple[Round, Shoe]:
        """The round after the card that is due, and with it all those whose places are certain already."""
        places = self.next_places
        if 1 < len(places) <= shoe.remaining:
            cards, next_shoe = shoe.deal_several(len(places))
            if self.can_deal(cards):
                return self._with_cards(places, cards), next_shoe
        # One by one, so that a card which cannot be is named when it comes.
        card, next_shoe = shoe.deal()
        return self.apply(Deal(card)), next_shoe

    @property
    def next_places(self) -> tuple[Place, ...]:
        """Where the next cards go, as far as that is certain; nowhere when no card is due."""
        turn = self.turn
        return (turn.place, *turn.following_places) if isinstance(turn, ChanceTurn) else ()

    def can_deal(self, cards: Sequence[Card]) -> bool:
        """Whether the deck can give these cards besides those that lie there."""
        return self.table.deck.contains((*chain.from_iterable(self.piles.values()), *cards))

    def deal_cards(self, cards: Sequence[Card]) -> Round:
        """The round after several cards that fall at the next places; what cannot be is refused."""
        if len(cards) <= len(self.next_places) and self.can_deal(cards):
            return self._with_cards(self.next_places[: len(cards)], cards)
        round_ = self
        for card in cards:
            round_ = round_.apply(Deal(card))
        return round_

    def with_piles(self, piles: Mapping[Place, tuple[Card, ...]]) -> Round:
        """The same round with only these cards on the layout, to ask about them."""
        return Round(self.game, self.table, self.bets, FrozenMap(piles), self.decisions, self.steps)

    def _with_cards(self, places: Sequence[Place], cards: Sequence[Card]) -> Round:
        piles = dict(self.piles)
        for place, card in zip(places, cards, strict=True):
            piles[place] = (*piles[place], card) if place in piles else (card,)
        return Round(self.game, self.table, self.bets, FrozenMap(piles), self.decisions, self.steps)

    @property
    def turn_text(self) -> str:
        """What the round waits for, in words."""
        match self.turn:
            case ChanceTurn(place):
                return f"a card is due at {str(place)!r}"
            case SeatTurn(seat, question, options):
                return f"seat {seat} is asked {question!r} and can {_join_alternatives(map(str, options))}"
            case DealerTurn(step):
                return f"the dealer's step {str(step)!r} is due"
            case RoundEnd():
                return "the round is over"


def _describe_action(action: Action) -> str:
    match action:
        case Deal(card):
            return f"Dealing {card}"
        case Decide(seat, decision):
            return f"{shorten(str(decision)).capitalize()} by seat {seat}"
        case TakeStep(step):
            return f"The dealer's {step}"
    raise IllegalAction(
        f"A round goes on by Deal(card), Decide(seat, answer) or TakeStep(step); {quote_with_type(action)} is none "
        "of them."
    )


def _join_alternatives(texts: Iterable[str]) -> str:
    alternatives = list(texts)
    return alternatives[0] if len(alternatives) == 1 else f"{', '.join(alternatives[:-1])} or {alternatives[-1]}"


def advance(
    round_: Round, shoe: Shoe, automation: frozenset[DealerStep] = ALL_STEPS, *, deal: bool = True
) -> tuple[Round, Shoe]:
    """Deal, and take the dealer's steps that run by themselves, until somebody has to do something."""
    while True:
        match round_.turn:
            case ChanceTurn() if deal:
                round_, shoe = round_.deal(shoe)
            case DealerTurn(step) if step in automation:
                round_ = round_.apply(TakeStep(step))
            case _:
                return round_, shoe
