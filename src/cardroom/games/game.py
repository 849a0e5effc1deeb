"""What every game provides: its rules, the chips on its layout, and what each payment depends on.

Chips depend on the wagers and the decisions alone, never on the cards. A game says in its ``chips`` which ones are on
the layout; take or pay uses the same method, so that no rule is stated twice. A payment depends on the cards that it
looks at and on the decisions. A dealer has to type nothing else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Final, NamedTuple

from cardroom.cards import Card
from cardroom.errors import BadInput
from cardroom.games.actions import (
    ChanceTurn,
    Deal,
    DealerTurn,
    Decide,
    Decision,
    RoundEnd,
    SeatTurn,
    TakeStep,
    Turn,
    Verb,
)
from cardroom.games.board import format_board
from cardroom.games.game_facts import GameFacts, Wager
from cardroom.games.places import Pile, Place
from cardroom.games.procedure import Procedure, infer_procedure
from cardroom.games.round import Round
from cardroom.games.rulings import Ruling, strip_citations
from cardroom.games.settlement import Payment, Settlement, apply_payout_limit, share_meters
from cardroom.games.setup import OptionValue, TableSetup
from cardroom.games.table import SetupFault, Table, open_table

FORFEIT_VERBS: Final = frozenset({Verb.FOLD, Verb.SURRENDER})
"""Answers that end a wager before its cards are compared."""

# Answers that put no chips down, the ones that give up first.
_FREE_VERBS: Final = (
    Verb.FOLD,
    Verb.SURRENDER,
    Verb.STAND,
    Verb.FIRST_HAND,
    Verb.KEEP,
    Verb.CHOOSE,
    Verb.SET,
)


class ChipStack(NamedTuple):
    """A stack on the layout."""

    spot: str
    stake: str
    """Which chips of the spot: ``ante``, ``play``."""
    cents: int


def cents_on_layout(r: Round, seat: int) -> int:
    """What a seat has on the layout now, in cents."""
    return sum([chips.cents for chips in r.game.chips(r, seat)])


def decision_cost(r: Round, decision: Decision) -> int:
    """What this answer of the seat whose turn it is would add to its chips, in cents; one that the seat may not give is
    refused."""
    seat = r.seat_turn.seat
    return cents_on_layout(r.apply(Decide(seat, decision)), seat) - cents_on_layout(r, seat)


def cents_by_stake(chips: Iterable[ChipStack]) -> dict[str, int]:
    """The cents of a seat's chips by their stake, in a game whose stakes have names of their own."""
    return {stack.stake: stack.cents for stack in chips}


def initial_chips(r: Round, seat: int, spots: Iterable[str]) -> Iterator[ChipStack]:
    """The chips of those of these spots that a seat has wagered on and that nothing is added to."""
    bets = r.bets[seat]
    for spot in spots:
        if spot in bets:
            yield ChipStack(spot, spot, bets[spot])


def infer_chips(r: Round, seat: int) -> tuple[ChipStack, ...]:
    """The chips of a seat in a game that does not say which ones lie there.

    The round is played to its end with any cards and with answers that cost nothing; what is then taken or paid on are
    the chips that lie there now.
    """
    payments = r.game.payments(_play_out_free(r))
    return tuple(
        ChipStack(payment.spot, payment.stake, payment.wagered)
        for payment in payments
        if payment.seat == seat and payment.wagered
    )


def _play_out_free(r: Round) -> Round:
    while True:
        match r.turn:
            case ChanceTurn():
                r = r.apply(Deal(r.chance_outcomes()[0][0]))
            case SeatTurn(seat, _, options):
                r = r.apply(Decide(seat, min(options, key=_cost_order)))
            case DealerTurn(step):
                r = r.apply(TakeStep(step))
            case RoundEnd():
                return r


def _cost_order(decision: Decision) -> int:
    return _FREE_VERBS.index(decision.verb) if decision.verb in _FREE_VERBS else len(_FREE_VERBS)


class PaymentInputs(NamedTuple):
    """What must be known of a round before a payment is certain."""

    places: tuple[Place, ...] = ()
    """Where the cards lie that it looks at. Cards that an answer names are known with the answer."""
    questions: tuple[str, ...] = ()
    """The questions on whose answers it hangs."""
    seats: tuple[int, ...] = ()
    """Whose answers; the seat's own when nobody is named."""


def default_payment_inputs(r: Round, payment: Payment) -> PaymentInputs:
    """What a payment hangs on in a game that does not say it: all cards of the seat and of the table but those that are
    burnt, and all answers of the seat."""
    seats = tuple(dict.fromkeys(seat for seat in (payment.seat, payment.hand_seat) if seat is not None))
    places = tuple(place for place in r.piles if place.seat in (None, *seats) and place.pile is not Pile.BURN)
    questions = tuple(dict.fromkeys(question for seat, question in r.decisions if seat in seats))
    return PaymentInputs(places, questions, seats)


class RoundNotOver(BadInput):
    """A round that cannot be settled yet."""


class Game(ABC):
    """The rules of one game. It holds no state: everything is asked of the round."""

    facts: ClassVar[GameFacts]
    summary: ClassVar[str] = ""
    """The rules in a few sentences, a line each, for somebody who sits down for the first time."""

    @classmethod
    def summary_line(cls) -> str:
        """The first of them, for a lobby."""
        return next(iter(strip_citations(cls.summary)), "")

    rulings: ClassVar[tuple[Ruling, ...]] = ()
    """How the unclear places of its sheet are read."""
    verb_descriptions: ClassVar[Mapping[Verb, str]] = {}
    """What each answer means, for somebody who sits at the game for the first time."""
    question_texts: ClassVar[Mapping[str, str]] = {}
    """How the dealer puts a question whose answers alone do not say what it is about."""
    has_fixed_questions: ClassVar[bool] = False
    """Whether a seat is asked its questions whatever the cards are; else only those who know the cards can tell."""
    early_payment_spots: ClassVar[frozenset[str]] = frozenset()
    """Spots whose take or pay comes before the deal is over."""
    jackpot_places: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """By jackpot wager the places whose cards it looks at, as a dealer types them; one that is not named looks at all
    cards."""

    def __eq__(self, other: object) -> bool:
        """Rules without a state are the same wherever they were read."""
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    def __str__(self) -> str:
        return self.facts.name

    def __repr__(self) -> str:
        return f"game({self.facts.slug!r})"

    @abstractmethod
    def turn(self, r: Round) -> Turn:
        """Whose turn it is, from what lies on the layout. Jackpot wagers that lie there have been counted already."""

    @abstractmethod
    def payments(self, r: Round) -> Iterable[Payment]:
        """Take or pay for every stake of a round that is over, seat by seat."""

    @abstractmethod
    def is_face_up(self, r: Round, place: Place) -> bool:
        """Whether the cards at a place lie open for everybody."""

    def is_visible_to_owner(self, r: Round, place: Place) -> bool:  # noqa: ARG002
        """Whether the seat that a pile belongs to may look at it while it lies face down."""
        return True

    def is_decision_public(self, r: Round, seat: int, question: str) -> bool:  # noqa: ARG002
        """Whether the cards that an answer speaks of lie open for everybody although others of the seat do not."""
        return False

    def chips(self, r: Round, seat: int) -> Iterable[ChipStack]:
        """Which chips of a seat lie on the layout now: its wagers, and what its answers put down besides, in the order
        in which they are taken or paid. A game that says it itself is asked in no time."""
        return infer_chips(r, seat)

    def default_decision(self, r: Round) -> Decision:
        """What counts for the seat whose turn it is when its time is up or the player has left: the answer that puts no
        more money down, and the house way for setting cards.

        A game that does not say it answers with the first option of the turn that costs least and gives nothing up; it
        folds or surrenders where everything else costs more.
        """
        return min(r.seat_turn.options, key=lambda option: (decision_cost(r, option), option.verb in FORFEIT_VERBS))

    def procedure(self, table: Table) -> Procedure:
        """What a dealer with real cards does in a round, in the order of the sheet; steps that the layout does not need
        are left out. A game that does not say it is played a few times to find it."""
        return infer_procedure(self, table)

    def payment_inputs(self, r: Round, payment: Payment) -> PaymentInputs:
        """What must be known of the round before this payment is certain. A game that does not say it needs all cards
        of the seat and of the table."""
        return default_payment_inputs(r, payment)

    def describe_dealer_hand(self, r: Round) -> str:  # noqa: ARG002
        """How the dealer's hand was set or judged in a round that is over, in a sentence; empty where there is nothing
        to say."""
        return ""

    def is_wild(self, card: Card) -> bool:  # noqa: ARG002
        """Whether a card stands for any other."""
        return False

    def is_order_relevant(self, place: Place, cards: Sequence[Card]) -> bool:  # noqa: ARG002
        """Whether it can change a payment in which order these cards were dealt to the place."""
        return False

    def select_dealer_cards(self, cards: Sequence[Card]) -> Sequence[Card]:
        """Those of the dealer's open cards that play; the others are put aside."""
        return cards

    def draw_board(self, r: Round) -> str:
        """A round of this game as text, as ``print(round)`` shows it."""
        return format_board(r)

    def describe_decision(self, decision: Decision) -> str:
        """What a decision means; empty where nothing needs to be said."""
        return self.verb_descriptions.get(decision.verb, "")

    def explain_refusal(self, turn: SeatTurn, decision: Decision) -> str:  # noqa: ARG002
        """What a rule has against an answer that is none of the turn's; empty where it is enough to list those."""
        return ""

    def bet_faults(self, table: Table, seat: int, spots: Mapping[str, int]) -> Iterator[str]:  # noqa: ARG002
        """What this game's own rules have against a seat's wagers."""
        return iter(())

    def setup_faults(self, setup: TableSetup) -> Iterator[SetupFault]:  # noqa: ARG002
        """What this game's own rules have against a table's set-up as a whole."""
        return iter(())

    def wager_spots(self, wager: Wager, options: Mapping[str, OptionValue]) -> tuple[str, ...]:  # noqa: ARG002
        """The spots that a wager has on the layout, under the operator's options."""
        return wager.spots or (wager.slug,)

    def infer_decision(self, turn: SeatTurn, entered_cards: Mapping[str, tuple[Card, ...]]) -> Decision | None:  # noqa: ARG002
        """What a player must have answered of whom these cards were typed for a jackpot, by place; None when they do
        not show it, and then no jackpot hangs on the answer."""
        return None

    def open(self, setup: TableSetup) -> Table:
        """Check a set-up; every fault at once when there is one."""
        return open_table(setup, self)

    def begin(self, table: Table, bets: Mapping[int, Mapping[str, int]]) -> Round:
        """Begin a round with these wagers: by seat and spot, in cents."""
        return Round.begin(self, table, bets)

    def settle(self, r: Round, meters: Mapping[str, int] | None = None) -> Settlement:
        """The payouts of a round that is over. ``meters`` gives what jackpot meters show, in cents by spot."""
        if not r.is_terminal:
            raise RoundNotOver("The round is not over: play it to the end before it is settled.")
        return apply_payout_limit(
            share_meters(self.payments(r), meters or {}), r.table.payout_limit, self.early_payment_spots
        )
