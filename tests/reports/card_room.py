"""Two weeks of a card room with events of every kind, recorded with a clock that the test sets."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

from cardroom.chart_of_accounts import CENT
from cardroom.games import read_setup
from cardroom.ledger import Ledger, open_ledger
from cardroom.room.jackpot.event_values import SurveillanceCheck
from cardroom.room.payment_references import Payee, PaymentMethod
from cardroom.room.setup.jackpot import read_jackpot_setup
from cardroom.room.setup.tabulator import TabulatorSetup, WagerSensor
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup
from tests.room.jackpots import DUEL_TABLE, TIES, duel_record
from tests.service.card_rooms import (
    CLUB_ROYAL,
    DIAMOND_ROYAL,
    THREE_OF_A_KIND,
    WATCHED,
    all_seven,
    final_four,
    hurry,
    prime_sensors,
    prime_table,
)
from tests.service.test_promotions import JULY, STRAIGHT, STRAIGHTS

HERE = ZoneInfo("America/Los_Angeles")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class WallClock:
    """A clock in Washington State that the test sets; each reading advances it by a second."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        self.now += 1_000_000
        return self.now

    def set(self, day: int, hour: int, minute: int = 0) -> None:
        """A day of March 2026; the clocks go forward on the 8th."""
        then = datetime(2026, 3, day, hour, minute, tzinfo=HERE)
        self.now = int((then - _EPOCH).total_seconds()) * 1_000_000


class Room:
    """The card room, with short methods for its commands."""

    def __init__(self, url: str) -> None:
        self.file = url.removeprefix("sqlite:///")
        self.clock = WallClock()
        self.ledger: Ledger = open_ledger(url, self.clock)
        self.card_room = CardRoom(self.ledger, self.clock)
        hurry(self.card_room)
        self._number = 0
        self._numbers = count(1077)

    def id(self) -> str:
        self._number += 1
        return f"c{self._number}"

    def rounds(self, table: str, rounds: int, seats: int = 6, dealer: str = "Kim") -> str:
        """The id of the last one."""
        tabulated = self.card_room.tabulator(table).tabulator.table
        sensors = [wager.sensor for wager in tabulated.wagers if not tabulated.is_disabled(wager)]
        for _ in range(rounds):
            covered = {sensor: range(1, seats + 1) for sensor in sensors}
            last = self.card_room.tabulate(self.id(), dealer, table, covered).round
        return last

    def pay(
        self,
        jackpot: str,
        claim: str,
        surveillance: SurveillanceCheck | None = None,
        payment: PaymentMethod = PaymentMethod.CHECK,
    ) -> None:
        """Pay every winner by check unless stated otherwise; the numbers start at 1077."""
        seats = self.card_room.jackpot(jackpot).claim(claim).seats
        paid = {seat: Payee("Ann Lee", payment, str(next(self._numbers))) for seat in seats}
        self.card_room.payments.pay(self.id(), "Olga", jackpot, claim, paid=paid, surveillance=surveillance)


def record_an_evening(url: str) -> Room:
    """Record everything from the opening on March 2 to the last deposit on March 17."""
    room = Room(url)
    clock, card_room, id = room.clock, room.card_room, room.id

    clock.set(2, 12)  # Monday
    card_room.jackpots.open(id(), "Olga", final_four())
    card_room.jackpots.open(id(), "Olga", all_seven())
    card_room.jackpots.open(id(), "Olga", read_jackpot_setup(TIES))
    card_room.add_table(
        id(),
        "Olga",
        RoomTableSetup(
            "prime-1", prime_table(), tabulator=UnitSetup(prime_sensors("prime-1", "final-four", "all-seven"), "u1")
        ),
    )
    card_room.add_table(
        id(),
        "Olga",
        RoomTableSetup("prime-2", prime_table(), tabulator=UnitSetup(prime_sensors("prime-2", "final-four"), "u2")),
    )
    ties = WagerSensor("tie-after-tie", "PT-BJS-DFD-TAT-03", "ties", "progressive", 100)
    sensors = TabulatorSetup("duel-1", "dueling-for-dollars", "Lakewood", "andromeda-3d", 7, (ties,))
    card_room.add_table(
        id(), "Olga", RoomTableSetup(sensors.table, read_setup(DUEL_TABLE), tabulator=UnitSetup(sensors, "u3"))
    )
    clock.set(2, 20)
    trips = room.rounds("prime-1", 10)
    room.rounds("prime-2", 10, seats=3, dealer="Lee")
    tied = room.rounds("duel-1", 30, seats=5, dealer="Mia")
    card_room.claims.claim_hand(id(), "Kim", "final-four", "prime-1", trips, THREE_OF_A_KIND)

    clock.set(3, 1, 30)  # after midnight, but still Monday's gaming day
    royal = room.rounds("prime-2", 4, seats=2, dealer="Lee")
    clock.set(3, 14)
    tenth = card_room.claims.claim_hand(id(), "Lee", "final-four", "prime-2", royal, CLUB_ROYAL)
    straight = room.rounds("prime-1", 3)
    room.pay("final-four", tenth.claim, payment=PaymentMethod.CASH)
    card_room.tabulate("void", "Kim", "prime-1", {1: range(1, 7), 2: range(1, 7)}, round_id="void-round")
    card_room.void_round(id(), "Olga", "prime-1", "void-round", "the shuffler jammed", second="Carl")
    card_room.report_tabulator_fault(id(), "Olga", "prime-2", "a sensor is dead")
    card_room.count_by_hand(id(), "Lee", "prime-2", {1: (1, 2)})
    card_room.clear_tabulator_fault(id(), "Olga", "prime-2")

    clock.set(6, 11)
    for jackpot in card_room.list_jackpots():
        cents = card_room.jackpot(jackpot).undeposited // CENT
        card_room.jackpots.deposit_to_bank(id(), "Olga", jackpot, cents, reference=f"slip-{jackpot}")
    card_room.jackpots.reconcile(id(), "Olga", "final-four", card_room.jackpot("final-four").escrow // CENT, day=None)
    card_room.jackpots.reconcile(
        id(), "Olga", "ties", card_room.jackpot("ties").escrow // CENT - 500, day=None, shortage_cents=500
    )
    again: Any = {"second": "Olga", "why": "the teller's slip was missing"}
    card_room.jackpots.reconcile(id(), "Paul", "ties", card_room.jackpot("ties").escrow // CENT, day=None, **again)
    card_room.promotions.announce(id(), "Olga", STRAIGHTS)
    card_room.promotions.pay(id(), "Kim", STRAIGHTS.id, "prime-1", straight, STRAIGHT, day=JULY)

    clock.set(9, 19)
    first = room.rounds("prime-1", 5)
    refused = card_room.claims.claim_hand(id(), "Kim", "final-four", "prime-1", first, DIAMOND_ROYAL)
    second = room.rounds("prime-2", 2, dealer="Lee")
    card_room.claims.refuse(id(), "Olga", "final-four", refused.claim, "the wager was made late")
    whole = card_room.claims.claim_hand(id(), "Lee", "final-four", "prime-2", second, DIAMOND_ROYAL)
    room.rounds("prime-1", 2)
    short = card_room.jackpot("final-four").claim(whole.claim).cents - card_room.jackpot("final-four").escrow // CENT
    card_room.jackpots.deposit_to_bank(id(), "Olga", "final-four", short, reference="slip-royal")
    room.pay("final-four", whole.claim, WATCHED)
    won = card_room.claims.claim_prizes(id(), "Mia", "ties", "duel-1", tied, duel_record("color", "tie", "nothing"))
    room.pay("ties", won.claim)

    clock.set(10, 10)
    card_room.malfunctions.report(id(), "Olga", "R-17", "prime-1", found_at="09:30", why="A press was lost")
    card_room.jackpots.correct_malfunction(
        id(), "Olga", "final-four", "main", 250, "a lost press", second="Carl", report="R-17"
    )
    card_room.jackpots.add_seed(id(), "Olga", "all-seven", "main", 1_000_00, "spring", second="Carl")
    card_room.jackpots.recover_seed(id(), "Olga", "all-seven", "main", 500_00, "spring is over", second="Carl")
    card_room.jackpots.change_parameters(
        id(), "Olga", "final-four", "main", {"contribution": "25%"}, "more for the players", second="Carl"
    )
    card_room.jackpots.change_parameters(
        id(), "Olga", "ties", "suit", {"ceiling": "$1,100"}, "smaller room", second="Carl"
    )
    card_room.jackpots.disable(id(), "Olga", "ties", "the display is out of order")
    card_room.jackpots.enable(id(), "Olga", "ties")

    clock.set(17, 11)  # eight days after the money came in
    cents = card_room.jackpot("final-four").undeposited // CENT
    card_room.jackpots.deposit_to_bank(id(), "Paul", "final-four", cents, reference="slip-late")
    clock.set(17, 20)
    room.rounds("prime-1", 2)
    return room
