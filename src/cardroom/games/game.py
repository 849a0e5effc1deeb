"""What every game provides: its rules, the chips on its layout, and what each payment depends on.

Chips depend on the wagers and the decisions, never on the cards. A game's ``chips`` lists those on the layout; take or
pay uses the same method, so that no rule is stated twice. A payment depends on certain cards and decisions, and a
dealer enters nothing else.
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
from cardroom.games.card_places import Pile, Place
from cardroom.games.game_facts import GameFacts, Wager
from cardroom.games.playable_table import SetupFault, Table, open_table
from cardroom.games.procedure import Procedure, infer_procedure
from cardroom.games.round import Round
from cardroom.games.rulings import Ruling, strip_citations
from cardroom.games.settlement import Payment, Settlement, apply_payout_limit, share_meters
from cardroom.games.setup import OptionValue, TableSetup
from cardroom.translation import gettext

FORFEIT_VERBS: Final = frozenset({Verb.FOLD, Verb.SURRENDER})
"""Decisions that end a wager before its cards are compared."""

# Decisions that cost no chips; those that give up a wager come first.
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
    """A seat's chips on the layout now, in cents."""
    return sum([chips.cents for chips in r.game.chips(r, seat)])


def decision_cost(r: Round, decision: Decision) -> int:
    """What this decision costs the seat whose turn it is, in cents; an illegal decision is refused."""
    seat = r.seat_turn.seat
    return cents_on_layout(r.apply(Decide(seat, decision)), seat) - cents_on_layout(r, seat)


def cents_by_stake(chips: Iterable[ChipStack]) -> dict[str, int]:
    """A seat's chips in cents by stake, in a game with different names for all stakes."""
    return {stack.stake: stack.cents for stack in chips}


def initial_chips(r: Round, seat: int, spots: Iterable[str]) -> Iterator[ChipStack]:
    """A seat's chips on those of these spots that it has wagered on; nothing is added to them later."""
    bets = r.bets[seat]
    for spot in spots:
        if spot in bets:
            yield ChipStack(spot, spot, bets[spot])


def infer_chips(r: Round, seat: int) -> tuple[ChipStack, ...]:
    """The chips of a seat in a game without a ``chips`` method.

    The round is played to its end with any cards and with decisions that cost nothing; the stakes that are then taken
    or paid are the chips on the layout now.
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
    """What a payment depends on."""

    places: tuple[Place, ...] = ()
    """The places of the cards that it depends on. Cards named in a decision are known with the decision."""
    questions: tuple[str, ...] = ()
    """The questions whose decisions it depends on."""
    seats: tuple[int, ...] = ()
    """The seats that decide; the payment's own seat if empty."""


def default_payment_inputs(r: Round, payment: Payment) -> PaymentInputs:
    """What a payment depends on in a game without ``payment_inputs``: all cards of the seat and the table except burned
    cards, and all decisions of the seat."""
    seats = tuple(dict.fromkeys(seat for seat in (payment.seat, payment.hand_seat) if seat is not None))
    places = tuple(place for place in r.piles if place.seat in (None, *seats) and place.pile is not Pile.BURN)
    questions = tuple(dict.fromkeys(question for seat, question in r.decisions if seat in seats))
    return PaymentInputs(places, questions, seats)


class RoundNotOver(BadInput):
    """A round that cannot be settled yet."""


class Game(ABC):
    """The rules of one game. It has no state: every method takes the round."""

    facts: ClassVar[GameFacts]
    summary: ClassVar[str] = ""
    """The rules in a few sentences, a line each, for a new player."""

    @classmethod
    def summary_lines(cls) -> tuple[str, ...]:
        """The sentences of the summary for a player, without the numbers of rulings."""
        return strip_citations(gettext(cls.summary)) if cls.summary else ()

    @classmethod
    def summary_line(cls) -> str:
        """The first sentence, for a lobby."""
        return next(iter(cls.summary_lines()), "")

    rulings: ClassVar[tuple[Ruling, ...]] = ()
    """The rulings on unclear places of its rule sheet."""
    verb_descriptions: ClassVar[Mapping[Verb, str]] = {}
    """What each decision means, for a new player."""
    question_texts: ClassVar[Mapping[str, str]] = {}
    """The text of a question where the options alone are not clear."""
    has_fixed_questions: ClassVar[bool] = False
    """Whether the questions of a seat are the same for all cards."""
    early_payment_spots: ClassVar[frozenset[str]] = frozenset()
    """Spots with take or pay before the deal is over."""
    jackpot_places: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """By jackpot wager the places whose cards it depends on, as a dealer enters them; all cards if it is not listed."""

    def __eq__(self, other: object) -> bool:
        """Rules have no state, so two objects of one class are equal."""
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    def __str__(self) -> str:
        return self.facts.name

    def __repr__(self) -> str:
        return f"game({self.facts.slug!r})"

    @abstractmethod
    def turn(self, r: Round) -> Turn:
        """What comes next, from the layout. Jackpot wagers have been counted already."""

    @abstractmethod
    def payments(self, r: Round) -> Iterable[Payment]:
        """Take or pay for every stake of a round that is over, seat by seat."""

    @abstractmethod
    def is_face_up(self, r: Round, place: Place) -> bool:
        """Whether the cards at a place are face up for all."""

    def is_visible_to_owner(self, r: Round, place: Place) -> bool:  # noqa: ARG002
        """Whether the seat that a pile belongs to may look at it while it is face down."""
        return True

    def is_decision_public(self, r: Round, seat: int, question: str) -> bool:  # noqa: ARG002
        """Whether the cards named in a decision are face up although other cards of the seat are not."""
        return False

    def chips(self, r: Round, seat: int) -> Iterable[ChipStack]:
        """A seat's chips on the layout now: its wagers and those that its decisions added, in the order of take or pay.
        A game should override this: the default plays the round to its end."""
        return infer_chips(r, seat)

    def default_decision(self, r: Round) -> Decision:
        """The decision for the seat whose turn it is when its time is up or the player has left: one that costs no more
        money, and the house way for setting cards.

        By default the first option that costs least and gives nothing up; fold or surrender if all others cost more.
        """
        return min(r.seat_turn.options, key=lambda option: (decision_cost(r, option), option.verb in FORFEIT_VERBS))

    def procedure(self, table: Table) -> Procedure:
        """What a dealer with real cards does in a round, in the order of the rule sheet, without the steps that the
        layout does not need. By default it is inferred from a few rounds."""
        return infer_procedure(self, table)

    def payment_inputs(self, r: Round, payment: Payment) -> PaymentInputs:
        """What this payment depends on. By default all cards of the seat and the table."""
        return default_payment_inputs(r, payment)

    def describe_dealer_hand(self, r: Round) -> str:  # noqa: ARG002
        """How the dealer's hand was set or ranked in a round that is over, in a sentence; may be empty."""
        return ""

    def is_wild(self, card: Card) -> bool:  # noqa: ARG002
        """Whether a card is wild."""
        return False

    def is_order_relevant(self, place: Place, cards: Sequence[Card]) -> bool:  # noqa: ARG002
        """Whether the order in which these cards were dealt to the place can change a payment."""
        return False

    def select_dealer_cards(self, cards: Sequence[Card]) -> Sequence[Card]:
        """The dealer's face-up cards that play; the others are put aside."""
        return cards

    def draw_board(self, r: Round) -> str:
        """A round of this game as text, as ``print(round)`` shows it."""
        return format_board(r)

    def describe_decision(self, decision: Decision) -> str:
        """What a decision means, for a new player; may be empty."""
        text = self.verb_descriptions.get(decision.verb, "")
        return gettext(text) if text else ""

    def explain_refusal(self, turn: SeatTurn, decision: Decision) -> str:  # noqa: ARG002
        """Why a decision is not among the options of the turn, as a sentence for the player; empty where the list of
        options says enough."""
        return ""

    def bet_faults(self, table: Table, seat: int, spots: Mapping[str, int]) -> Iterator[str]:  # noqa: ARG002
        """Faults of a seat's wagers under this game's own rules."""
        return iter(())

    def setup_faults(self, setup: TableSetup) -> Iterator[SetupFault]:  # noqa: ARG002
        """Faults of a table setup under this game's own rules."""
        return iter(())

    def wager_spots(self, wager: Wager, options: Mapping[str, OptionValue]) -> tuple[str, ...]:  # noqa: ARG002
        """The spots of a wager on the layout, under the operator's options."""
        return wager.spots or (wager.slug,)

    def infer_decision(self, turn: SeatTurn, entered_cards: Mapping[str, tuple[Card, ...]]) -> Decision | None:  # noqa: ARG002
        """The decision that follows from the cards entered for a jackpot claim, by place; None if they do not show it:
        then no jackpot depends on it."""
        return None

    def open(self, setup: TableSetup) -> Table:
        """Check a setup, and open the table; a bad setup is refused with all its faults."""
        return open_table(setup, self)

    def begin(self, table: Table, bets: Mapping[int, Mapping[str, int]]) -> Round:
        """Begin a round with these wagers: by seat and spot, in cents."""
        return Round.begin(self, table, bets)

    def settle(self, r: Round, meters: Mapping[str, int] | None = None) -> Settlement:
        """The payments of a round that is over. ``meters`` gives what jackpot meters show, in cents by spot."""
        if not r.is_terminal:
            raise RoundNotOver(gettext("The round is not over: play it to the end, then settle it."))
        return apply_payout_limit(
            share_meters(self.payments(r), meters or {}), r.table.payout_limit, self.early_payment_spots
        )
