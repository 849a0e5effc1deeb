"""What every game provides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from cardroom.cards import Card
from cardroom.faults import BadInput
from cardroom.games.decisions import Decision, Verb
from cardroom.games.found_procedure import found_procedure
from cardroom.games.needs import Needs, everything
from cardroom.games.places import Place
from cardroom.games.procedure import Procedure
from cardroom.games.round import Round
from cardroom.games.rulings import Ruling, uncited
from cardroom.games.settlement import Payment, Settlement, shared, within_limit
from cardroom.games.setup import TableSetup, Value
from cardroom.games.spot import GameFacts, Wager
from cardroom.games.stakes import GIVES_UP, Chips, chips_at_the_end, price
from cardroom.games.table import Fault, Table, open_table
from cardroom.games.turns import SeatTurn, Turn


class RoundNotOver(BadInput):
    """A round that cannot be settled yet."""


class Game(ABC):
    """The rules of one game. It holds no state: everything is asked of the round."""

    facts: ClassVar[GameFacts]
    in_short: ClassVar[str] = ""
    """The rules in a few sentences, a line each, for somebody who sits down for the first time."""

    @classmethod
    def one_line(cls) -> str:
        """The first of them, for a lobby."""
        return next(iter(uncited(cls.in_short)), "")

    rulings: ClassVar[tuple[Ruling, ...]] = ()
    """How the unclear places of its sheet are read."""
    answers: ClassVar[Mapping[Verb, str]] = {}
    """What each answer means, for somebody who sits at the game for the first time."""
    questions: ClassVar[Mapping[str, str]] = {}
    """How the dealer puts a question whose answers alone do not say what it is about."""
    always_asks: ClassVar[bool] = False
    """Whether a seat is asked its questions whatever the cards are; else only those who know the cards can tell."""
    paid_first: ClassVar[frozenset[str]] = frozenset()
    """Spots whose take or pay comes before the deal is over."""
    looks_at: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """By jackpot wager the places whose cards it looks at, as a dealer types them; one that is not named looks at all
    cards."""

    def __eq__(self, other: object) -> bool:
        """Rules without a state are the same wherever they were read."""
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    @abstractmethod
    def turn(self, r: Round) -> Turn:
        """Whose turn it is, from what lies on the layout. Jackpot wagers that lie there have been counted already."""

    @abstractmethod
    def payments(self, r: Round) -> Iterable[Payment]:
        """Take or pay for every stake of a round that is over, seat by seat."""

    @abstractmethod
    def face_up(self, r: Round, place: Place) -> bool:
        """Whether the cards at a place lie open for everybody."""

    def owner_sees(self, r: Round, place: Place) -> bool:  # noqa: ARG002
        """Whether the seat that a pile belongs to may look at it while it lies face down."""
        return True

    def decision_public(self, r: Round, seat: int, question: str) -> bool:  # noqa: ARG002
        """Whether the cards that an answer speaks of lie open for everybody although others of the seat do not."""
        return False

    def chips(self, r: Round, seat: int) -> Iterable[Chips]:
        """Which chips of a seat lie on the layout now: its wagers, and what its answers put down besides, in the order
        in which they are taken or paid. A game that says it itself is asked in no time."""
        return chips_at_the_end(r, seat)

    def safe_answer(self, r: Round) -> Decision:
        """What counts for the seat whose turn it is when its time is up or the player has left: the answer that puts no
        more money down, and the house way for setting cards.

        A game that does not say it answers with the first option of the turn that costs least and gives nothing up; it
        folds or surrenders where everything else costs more.
        """
        return min(r.asked.options, key=lambda option: (price(r, option), option.verb in GIVES_UP))

    def procedure(self, table: Table) -> Procedure:
        """What a dealer with real cards does in a round, in the order of the sheet; steps that the layout does not need
        are left out. A game that does not say it is played a few times to find it."""
        return found_procedure(self, table)

    def needs(self, r: Round, payment: Payment) -> Needs:
        """What must be known of the round before this payment is certain. A game that does not say it needs all cards
        of the seat and of the table."""
        return everything(r, payment)

    def dealers_hand(self, r: Round) -> str:  # noqa: ARG002
        """How the dealer's hand was set or judged in a round that is over, in a sentence; empty where there is nothing
        to say."""
        return ""

    def is_wild(self, card: Card) -> bool:  # noqa: ARG002
        """Whether a card stands for any other."""
        return False

    def order_counts(self, place: Place, cards: Sequence[Card]) -> bool:  # noqa: ARG002
        """Whether it can change a payment in which order these cards were dealt to the place."""
        return False

    def dealer_plays(self, cards: Sequence[Card]) -> Sequence[Card]:
        """Those of the dealer's open cards that play; the others are put aside."""
        return cards

    def meaning(self, decision: Decision) -> str:
        """What a decision means; empty where nothing needs to be said."""
        return self.answers.get(decision.verb, "")

    def objection(self, turn: SeatTurn, decision: Decision) -> str:  # noqa: ARG002
        """What a rule has against an answer that is none of the turn's; empty where it is enough to list those."""
        return ""

    def bet_faults(self, table: Table, seat: int, spots: Mapping[str, int]) -> Iterator[str]:  # noqa: ARG002
        """What this game's own rules have against a seat's wagers."""
        return iter(())

    def setup_faults(self, setup: TableSetup) -> Iterator[Fault]:  # noqa: ARG002
        """What this game's own rules have against a table's set-up as a whole."""
        return iter(())

    def spots_of(self, wager: Wager, options: Mapping[str, Value]) -> tuple[str, ...]:  # noqa: ARG002
        """The spots that a wager has on the layout, under the operator's options."""
        return wager.spots or (wager.slug,)

    def shown_answer(self, turn: SeatTurn, typed: Mapping[str, tuple[Card, ...]]) -> Decision | None:  # noqa: ARG002
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
        if not r.is_over:
            raise RoundNotOver("The round is not over: play it to the end before it is settled.")
        return within_limit(shared(self.payments(r), meters or {}), r.table.payout_limit, self.paid_first)
