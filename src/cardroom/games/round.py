"""A round: what was wagered, where the cards lie, what was decided. Whose turn it is follows from that alone.

Nothing is remembered besides: the game's rules look at the layout and say what comes next, so a round that is
written down and read again goes on exactly where it stood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from cardroom.cards import Card, Shoe
from cardroom.faults import passed, shortened
from cardroom.games.actions import Action, Deal, DealerStep, Decide, TakeStep
from cardroom.games.bets import Bets, checked_bets
from cardroom.games.decisions import Decision, NotAllowed, Verb
from cardroom.games.frozen import FrozenMap
from cardroom.games.places import Pile, Place
from cardroom.games.table import Table
from cardroom.games.turns import ChanceTurn, DealerTurn, Over, SeatTurn, Turn

if TYPE_CHECKING:
    from cardroom.games.game import Game

ALL_STEPS = frozenset(DealerStep)
_TABULATE = DealerTurn(DealerStep.TABULATE)


@dataclass(frozen=True)
class Round:
    """One round at one table; immutable. ``Round.begin`` is the only way to start one."""

    game: Game
    table: Table
    bets: Bets
    """By seat, then by spot, in cents."""
    dealt: Mapping[Place, tuple[Card, ...]] = field(default_factory=FrozenMap)
    decisions: Mapping[tuple[int, str], Decision] = field(default_factory=FrozenMap)
    """By seat and question."""
    steps: tuple[DealerStep, ...] = ()

    @classmethod
    def begin(cls, game: Game, table: Table, bets: Mapping[int, Mapping[str, int]]) -> Round:
        """Take the wagers, or refuse them all with a sentence."""
        return cls(game, table, checked_bets(game, table, bets))

    def __getstate__(self) -> dict[str, Any]:
        """Only what lies on the layout travels; whose turn it is follows from that."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    # What lies on the layout

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that play, from the dealer's left."""
        return tuple(self.bets)

    def wagered(self, seat: int, spot: str) -> int:
        """What a seat put on a spot before the deal, in cents; 0 for nothing."""
        return self.bets[seat].get(spot, 0)

    def pile(self, pile: Pile, seat: int | None = None) -> tuple[Card, ...]:
        """The cards at a place."""
        # A place is a tuple, and a plain one finds it without making another place.
        return self.dealt.get((pile, seat), ())  # type: ignore[call-overload, no-any-return]

    def hand(self, seat: int | None = None) -> tuple[Card, ...]:
        """A seat's cards, or the dealer's."""
        return self.pile(Pile.HAND, seat)

    @property
    def cards_dealt(self) -> int:
        """How many cards lie on the layout."""
        return sum(map(len, self.dealt.values()))

    def decision(self, seat: int, question: str) -> Decision | None:
        """What a seat answered, or None when it has not been asked."""
        return self.decisions.get((seat, question))

    def said(self, seat: int, question: str, verb: Verb) -> bool:
        """Whether a seat answered a question with this verb."""
        answer = self.decisions.get((seat, question))
        return answer is not None and answer.verb is verb

    def done(self, step: DealerStep) -> bool:
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
        if self.dealt or DealerStep.TABULATE in self.steps:
            return False
        jackpots = self.table.jackpot_spots
        return not all(map(jackpots.isdisjoint, self.bets.values()))

    @property
    def asked(self) -> SeatTurn:
        """The question that a seat has to answer now; refused when no seat is asked anything."""
        if not isinstance(self.turn, SeatTurn):
            raise NotAllowed(f"No seat is asked anything now: {self.due}.")
        return self.turn

    @property
    def is_over(self) -> bool:
        """Whether nothing is left but to settle it."""
        return isinstance(self.turn, Over)

    def legal(self) -> tuple[Action, ...]:
        """Everything that may happen next, each once: of two answers that differ only in the order of their hands the
        one that is listed."""
        match self.turn:
            case ChanceTurn():
                return tuple(Deal(card) for card, _ in self.outcomes())
            case SeatTurn(seat, _, options):
                return tuple(Decide(seat, decision) for decision in options)
            case DealerTurn(step):
                return (TakeStep(step),)
            case Over():
                return ()

    def outcomes(self) -> tuple[tuple[Card, Fraction], ...]:
        """Each card that chance can give now and its probability; empty when no card is due."""
        if not isinstance(self.turn, ChanceTurn):
            return ()
        gone = Counter(card for pile in self.dealt.values() for card in pile)
        deck = self.table.deck
        left = deck.size - gone.total()
        return tuple(
            (card, Fraction(copies, left)) for card in deck.kinds() if (copies := deck.copies(card) - gone[card]) > 0
        )

    def why_not(self, action: Action) -> str | None:
        """Why the action cannot be done now; None when it can."""
        match action, self.turn:
            case Deal(card), ChanceTurn():
                return self.table.deck.why_not((c for pile in self.dealt.values() for c in pile), card)
            case Decide(seat, decision), SeatTurn(due) as turn if seat == due:
                if turn.allows(decision):
                    return None
                why = self.game.objection(turn, decision) or f"it can {_listed(map(str, turn.options))}"
                return f"Seat {seat} cannot {shortened(str(decision))}: {why}."
            case TakeStep(step), DealerTurn(due) if step is due:
                return None
            case _:
                return f"{_told(action)} is out of turn: {self.due}."

    def can(self, action: Action) -> bool:
        """Whether the action can be done now."""
        return self.why_not(action) is None

    def apply(self, action: Action) -> Round:
        """The round after the action."""
        fault = self.why_not(action)
        if fault is not None:
            raise NotAllowed(fault)
        match action, self.turn:
            case Deal(card), ChanceTurn(place):
                return self._with_cards((place,), (card,))
            # Written out, because a round is made of these lines and ``replace`` takes twice as long.
            case Decide(seat, decision), SeatTurn(_, question):
                answers = FrozenMap({**self.decisions, (seat, question): decision})
                return Round(self.game, self.table, self.bets, self.dealt, answers, self.steps)
            case TakeStep(step), _:
                return Round(self.game, self.table, self.bets, self.dealt, self.decisions, (*self.steps, step))
        raise AssertionError("an action that can be done was not understood")

    def deal(self, shoe: Shoe) -> tuple[Round, Shoe]:
        """The round after the card that is due, and with it all those whose places are certain already."""
        places = self.next_places
        if 1 < len(places) <= shoe.left:
            cards, after = shoe.deal_several(len(places))
            if self.can_fall(cards):
                return self._with_cards(places, cards), after
        # One by one, so that a card which cannot be is named when it comes.
        card, after = shoe.deal()
        return self.apply(Deal(card)), after

    @property
    def next_places(self) -> tuple[Place, ...]:
        """Where the next cards go, as far as that is certain; nowhere when no card is due."""
        turn = self.turn
        return (turn.place, *turn.then) if isinstance(turn, ChanceTurn) else ()

    def can_fall(self, cards: Sequence[Card]) -> bool:
        """Whether the deck can give these cards besides those that lie there."""
        return self.table.deck.holds((*chain.from_iterable(self.dealt.values()), *cards))

    def fallen(self, cards: Sequence[Card]) -> Round:
        """The round after several cards that fall at the next places; what cannot be is refused."""
        if len(cards) <= len(self.next_places) and self.can_fall(cards):
            return self._with_cards(self.next_places[: len(cards)], cards)
        round_ = self
        for card in cards:
            round_ = round_.apply(Deal(card))
        return round_

    def with_piles(self, piles: Mapping[Place, tuple[Card, ...]]) -> Round:
        """The same round with only these cards on the layout, to ask about them."""
        return Round(self.game, self.table, self.bets, FrozenMap(piles), self.decisions, self.steps)

    def _with_cards(self, places: Sequence[Place], cards: Sequence[Card]) -> Round:
        dealt = dict(self.dealt)
        for place, card in zip(places, cards, strict=True):
            dealt[place] = (*dealt[place], card) if place in dealt else (card,)
        return Round(self.game, self.table, self.bets, FrozenMap(dealt), self.decisions, self.steps)

    @property
    def due(self) -> str:
        """What the round waits for, in words."""
        match self.turn:
            case ChanceTurn(place):
                return f"a card is due at {str(place)!r}"
            case SeatTurn(seat, question, options):
                return f"seat {seat} is asked {question!r} and can {_listed(map(str, options))}"
            case DealerTurn(step):
                return f"the dealer's step {str(step)!r} is due"
            case Over():
                return "the round is over"


def _told(action: Action) -> str:
    match action:
        case Deal(card):
            return f"Dealing {card}"
        case Decide(seat, decision):
            return f"{shortened(str(decision)).capitalize()} by seat {seat}"
        case TakeStep(step):
            return f"The dealer's {step}"
    raise NotAllowed(
        f"A round goes on by Deal(card), Decide(seat, answer) or TakeStep(step); {passed(action)} is none of them."
    )


def _listed(texts: Iterable[str]) -> str:
    some = list(texts)
    return some[0] if len(some) == 1 else f"{', '.join(some[:-1])} or {some[-1]}"


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
