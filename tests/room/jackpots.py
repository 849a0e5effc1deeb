"""Example jackpots, and a ledger that checks every invariant after each event."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from itertools import count
from typing import Any

from cardroom.chart_of_accounts import CENT, Account, AccountKind
from cardroom.games import TableSetup, read_setup
from cardroom.games.setup import setup_to_json
from cardroom.room.claim.new_claim import ClaimSubmission
from cardroom.room.claim.prior_claims import PriorClaims
from cardroom.room.claim.resolution import pay_claim
from cardroom.room.claim.typed_hand import TypedHand, typed_hand_record
from cardroom.room.codec import decode, encode
from cardroom.room.event_types import DomainEvent, decode_event
from cardroom.room.jackpot.lifecycle import link_table, open_new_jackpot
from cardroom.room.jackpot.pending_claims import Claim
from cardroom.room.jackpot.postings import postings_with_cage
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.payment_references import Payee, PaymentMethod
from cardroom.room.setup.jackpot import JackpotKind, read_jackpot_setup
from cardroom.room.setup.jackpot_validation import validate_jackpot

FINAL_FOUR = """
id = "final-four"
name = "Final Four Progressive"
kind = "progressive"
location = "Lakewood"
wager = "$1"
[[offers]]
game = "three-card-prime"
wager = "final-four"
paytable = "F4P-1"
[[levels]]
name = "main"
pays = ["four-card-diamond-royal", "four-card-royal"]
contribution = "20%"
reserve = "5%"
seed = "$5,000"
"""

# Table 03 pays quads of one suit 100%, of one color 100%, of two colors 10%.
TIES = """
id = "ties"
name = "Tie After Tie"
kind = "progressive"
location = "Lakewood"
wager = "$1"
[[offers]]
game = "dueling-for-dollars"
wager = "tie-after-tie"
paytable = "PT-BJS-DFD-TAT-03"
[[levels]]
name = "suit"
pays = ["quads-same-suit"]
contribution = "1/7"
reserve = "1/30"
seed = "$1,000"
ceiling = "$1,200"
[[levels]]
name = "color"
pays = ["quads-same-color", "quads-two-color"]
contribution = "12.5%"
reserve = "0%"
seed = "$500"
"""

TIES_BONUS = """
id = "daily-ties"
name = "Daily Ties"
kind = "bonus"
location = "Lakewood"
wager = "$1"
[[offers]]
game = "dueling-for-dollars"
wager = "tie-after-tie"
paytable = "PT-BJS-DFD-TAT-03"
[[levels]]
name = "suit"
pays = ["quads-same-suit", "quads-same-color", "quads-two-color"]
amount = "$2,000"
"""

SHOOTOUT = """
id = "shootout"
name = "Texas Shootout Progressive"
kind = "progressive"
location = "Lakewood"
wagers = ["$1", "$2"]
[[offers]]
game = "texas-shootout"
wager = "jackpot"
paytable = "TS/JP 3"
[[levels]]
name = "high"
pays = ["five-of-a-kind-suited", "royal-flush"]
contribution = "10%"
seed = "$10,000"
minimum = "$2"
[[levels]]
name = "low"
pays = ["five-of-a-kind-suited", "royal-flush"]
contribution = "5%"
seed = "$1,000"
"""

PRIME_TABLE = """
game = "three-card-prime"
[wagers.ante-play]
paytable = "PW/BB 1"
limits = { min = "$5", max = "$100" }
[wagers.final-four]
paytable = "F4P-1"
limits = { min = "$1", max = "$1" }
"""

DUEL_TABLE = """
game = "dueling-for-dollars"
[wagers.duel]
limits = { min = "$10", max = "$100" }
[wagers.tie-after-tie]
paytable = "PT-BJS-DFD-TAT-03"
limits = { min = "$1", max = "$1" }
"""

SHOOTOUT_TABLE = """
game = "texas-shootout"
[wagers.shootout]
limits = { min = "$10", max = "$100" }
[wagers.jackpot]
paytable = "TS/JP 3"
limits = { min = "$1", max = "$2", step = "$1" }
"""

# Kings: a seat's card and war card, against the spades of the community.
TIES_BY_EVENT = {
    "suit": ("Ks", "Ks"),
    "color": ("Kc", "Kc"),
    "two": ("Kd", "Kh"),
    "tie": ("Kd", "5h"),
    "nothing": ("2d", ""),
}


def duel_record(*seats: str) -> dict[str, Any]:
    """A finished duel in which each seat, from the first, has one of the events above on Tie After Tie."""
    cards: dict[str, list[str]] = {"community": ["Ks"]}
    if any(event != "nothing" for event in seats):
        cards["war community"] = ["Ks"]
    decisions = []
    for seat, event in enumerate(seats, 1):
        card, war = TIES_BY_EVENT[event]
        cards[f"seat {seat} hand"] = [card]
        if war:
            cards[f"seat {seat} war"] = [war]
            decisions.append({"seat": seat, "question": "tie", "answer": "war"})
    return {
        "table": setup_to_json(read_setup(DUEL_TABLE)),
        "wagers": {str(seat): {"player": 1000, "tie-after-tie": 100} for seat in range(1, len(seats) + 1)},
        "cards": cards,
        "decisions": decisions,
    }


_numbers = count(1001)


def winners(claim: Claim, payment: PaymentMethod = PaymentMethod.CASH) -> dict[int, Payee]:
    """Every winner of a claim is paid one way, in cash unless it is said."""
    return {seat: Payee("Ann Lee", payment, str(next(_numbers))) for seat in claim.seats}


def paid(
    state: JackpotState, claim: str, payment: PaymentMethod = PaymentMethod.CASH, **more: Any
) -> tuple[DomainEvent, ...]:
    """A claim that is paid."""
    return pay_claim(state, claim, paid=winners(state.claim(claim), payment), **more)


def duel_hand(event: str, seat: int) -> dict[str, Any]:
    """One hand of such a duel, as a dealer types it."""
    card, war = TIES_BY_EVENT[event]
    cards = {"hand": card, "community": "Ks"} | ({"war": war, "war community": "Ks"} if war else {})
    typed = TypedHand("tie-after-tie", 100, cards, seat=seat)
    return typed_hand_record(setup_to_json(read_setup(DUEL_TABLE)), typed, {})


class JackpotLedger:
    """A jackpot's state, the balances that its postings give, and every invariant after each event."""

    def __init__(self, setup: str, *tables: str) -> None:
        self.events: list[DomainEvent] = []
        self.balances: dict[Account, int] = defaultdict(int)
        self.jackpot = validate_jackpot(read_jackpot_setup(setup))
        self._state: JackpotState | None = None
        self.do(open_new_jackpot(self.jackpot, who="Ada"))
        for number in range(1, 3):
            self.join(f"t{number}", read_setup(tables[0] if tables else self._table()))

    def _table(self) -> str:
        tables = {"three-card-prime": PRIME_TABLE, "dueling-for-dollars": DUEL_TABLE, "texas-shootout": SHOOTOUT_TABLE}
        return tables[next(iter(self.jackpot.offers))]

    def join(self, table: str, setup: TableSetup) -> None:
        self.do(link_table(self.state, table, setup, "Lakewood", who="Ada"))

    @property
    def state(self) -> JackpotState:
        assert self._state is not None
        return self._state

    def do(self, events: Iterable[DomainEvent]) -> tuple[DomainEvent, ...]:
        """Apply events after encoding and decoding them, as the ledger does."""
        done = tuple(events)
        for event in done:
            stored = decode_event(event.kind, event.version, json.loads(json.dumps(event.payload)))
            assert stored == event
            before, self._state = self._state, apply_jackpot_event(self._state, stored)
            for posting in postings_with_cage(before, self._state, stored):
                self._book(posting.debit, posting.amount)
                self._book(posting.credit, -posting.amount)
            assert decode(JackpotState, json.loads(json.dumps(encode(self.state)))) == self.state
            self.events.append(stored)
            self.check()
        return done

    def submission(
        self, claim: str, table: str = "t1", round_id: str | None = None, dealer: str = "Dan", alone: int = 500_00
    ) -> ClaimSubmission:
        """A claim of the round, with its prior claims."""
        of, before = round_id or claim, PriorClaims()
        for event in self.events:
            before = before.apply_event(event, table, of)
        return ClaimSubmission(claim, table, of, dealer, 1, alone, before, dealer)

    def _book(self, account: Account, amount: int) -> None:
        self.balances[account] += amount if account.kind.is_debit else -amount

    def balance(self, kind: AccountKind, owner: str) -> int:
        return self.balances[Account(kind, owner)]

    def check(self) -> None:
        """The postings and the state agree, and the money covers what is owed."""
        state = self.state
        debits = sum(amount for account, amount in self.balances.items() if account.kind.is_debit)
        assert debits == sum(amount for account, amount in self.balances.items() if not account.kind.is_debit)
        if state.kind is JackpotKind.BONUS:
            assert not [account for account in self.balances if account.kind is AccountKind.DISPLAY]
            return
        for meter in state.meters:
            for kind in ("display", "reserve", "overflow", "pending", "seed_owed"):
                booked = self.balance(AccountKind(kind.replace("_", "-")), f"{state.id}/{meter.name}")
                assert booked == getattr(meter, kind) >= 0, (meter.name, kind)
            assert 0 <= meter.carry < meter.over
            assert 0 <= meter.reserve_carry < meter.reserve_over
        assert self.balance(AccountKind.ESCROW, state.id) == state.escrow >= 0
        assert self.balance(AccountKind.UNDEPOSITED, state.id) == state.undeposited >= 0
        assert self.balance(AccountKind.CAGE_ADVANCE, state.id) == state.cage_advance >= 0
        assert not (state.undeposited and state.cage_advance)
        assert state.escrow % CENT == 0  # a bank knows whole cents
        assert state.owed == state.escrow + state.undeposited - state.cage_advance
