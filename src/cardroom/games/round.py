"""A round: what was wagered, where the cards lie, what was decided. Whose turn it is follows from that alone.

Nothing is remembered besides: the game's rules look at the layout and say what comes next, so a round that is
written down and read again goes on exactly where it stood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cardroom.cards import Card, Shoe
from cardroom.faults import shortened
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
        return self.dealt.get(Place(pile, seat), ())

    def hand(self, seat: int | None = None) -> tuple[Card, ...]:
        """A seat's cards, or the dealer's."""
        return self.pile(Pile.HAND, seat)

    def decision(self, seat: int, question: str) -> Decision | None:
        """What a seat answered, or None when it has not been asked."""
        return self.decisions.get((seat, question))

    def said(self, seat: int, question: str, verb: Verb) -> bool:
        """Whether a seat answered a question with this verb."""
        answer = self.decision(seat, question)
        return answer is not None and answer.verb is verb

    def done(self, step: DealerStep) -> bool:
        """Whether the dealer has taken a step."""
        return step in self.steps

    # What comes next

    @cached_property
    def turn(self) -> Turn:
        """Whose turn it is: chance, a seat, the dealer, or nobody's."""
        return DealerTurn(DealerStep.TABULATE) if self._must_tabulate else self.game.turn(self)

    @property
    def _must_tabulate(self) -> bool:
        """Whether jackpot wagers lie there that the dealer has not counted yet; they are counted before the deal."""
        if DealerStep.TABULATE in self.steps:
            return False
        return any(self.table.spots[spot].wager.jackpot for spots in self.bets.values() for spot in spots)

    @property
    def is_over(self) -> bool:
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
                return f"Seat {seat} cannot {shortened(str(decision))}: it can {_listed(map(str, turn.options))}."
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
                pile = (*self.dealt.get(place, ()), card)
                # Written out, because most of a round is this line and ``replace`` takes twice as long.
                dealt = FrozenMap({**self.dealt, place: pile})
                return Round(self.game, self.table, self.bets, dealt, self.decisions, self.steps)
            case Decide(seat, decision), SeatTurn(_, question):
                answers = {**self.decisions, (seat, question): decision}
                return replace(self, decisions=FrozenMap(answers))
            case TakeStep(step), _:
                return replace(self, steps=(*self.steps, step))
        raise AssertionError("an action that can be done was not understood")

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
                card, shoe = shoe.deal()
                round_ = round_.apply(Deal(card))
            case DealerTurn(step) if step in automation:
                round_ = round_.apply(TakeStep(step))
            case _:
                return round_, shoe
