"""The bank's statement of a day beside the ledger of its end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from cardroom.chart_of_accounts import CENT, DOLLAR
from cardroom.room.event_types import decode_event
from cardroom.room.jackpot.bank_reconciliation import BadStatement, BankStatement, EnteredMovement, reconcile_account
from cardroom.room.jackpot.custody import deposit_money
from cardroom.room.jackpot.event_values import BankMovement
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import StateContradiction
from tests.room.jackpots import TIES, JackpotLedger

FRIDAY, MONDAY = date(2026, 3, 6), date(2026, 3, 9)


def banked(dollars: int = 1_500) -> JackpotLedger:
    ledger = JackpotLedger(TIES)
    ledger.do(deposit_money(ledger.state, dollars * 100, who="Cy", reference="1"))
    return ledger


def held(
    ledger: JackpotLedger,
    dollars: int,
    day: date = FRIDAY,
    ends: int = 100,
    later: Sequence[BankMovement] = (),
    short: int = 0,
    **missing: Any,
) -> int:
    """The surplus of the bank statement over the ledger, in dollars."""
    statement = BankStatement(dollars * 100, day, ends, tuple(later), **missing)
    two: Any = {"who": "Ada", "second": "Cy", "why": "typed again"}
    happened = ledger.do(reconcile_account(ledger.state, statement, **two, shortage_cents=short * 100))
    return int(happened[0].payload["difference"]) // DOLLAR


def entered(name: str, dollars: int, time: int) -> EnteredMovement:
    return EnteredMovement(BankMovement(name, dollars * DOLLAR), time)


def test_a_deposit_that_the_bank_has_not_booked_yet_is_no_shortage() -> None:
    ledger = banked()
    assert held(ledger, 1_000, in_transit=(entered("slip 1", 500, 99),)) == 0
    assert ledger.state.short == 0
    assert held(ledger, 1_000, short=500) == -500
    assert ledger.state.short == 500 * DOLLAR


def test_an_outstanding_check_is_not_a_surplus() -> None:
    ledger = banked(1_200)
    assert held(ledger, 1_500, outstanding=(entered("check 1077", -300, 99),)) == 0
    assert held(ledger, 1_500) == 300
    assert ledger.state.short == 0


def test_what_moved_since_the_statement_is_allowed_for() -> None:
    ledger = banked()
    moved = (BankMovement("slip 1", 600 * DOLLAR), BankMovement("check 1077", -100 * DOLLAR))
    assert held(ledger, 1_000, later=moved) == 0
    assert held(ledger, 999, later=moved, short=1) == -1
    assert ledger.state.short == DOLLAR


def test_the_event_lists_every_movement() -> None:
    ledger = banked()
    held(
        ledger,
        1_000,
        later=(BankMovement("slip 2", 400 * DOLLAR),),
        in_transit=(entered("slip 1", 500, 99),),
        outstanding=(entered("check 9", -300, 98),),
    )
    payload = ledger.events[-1].payload
    assert (payload["day"], payload["ends"]) == ("2026-03-06", 100)
    assert payload["later"] == [["slip 2", 400 * DOLLAR]]
    assert payload["in_transit"] == [["slip 1", 500 * DOLLAR]]
    assert payload["outstanding"] == [["check 9", -300 * DOLLAR]]
    assert payload["difference"] == 100 * DOLLAR
    assert ledger.state.reconciled == (FRIDAY, 100, ("slip 1", "check 9"), 0, (), 100 * DOLLAR)


def test_a_statement_older_than_the_last_one_is_refused() -> None:
    ledger = banked()
    held(ledger, 1_500, MONDAY)
    with pytest.raises(BadStatement):
        held(ledger, 1_500, FRIDAY)
    assert held(ledger, 1_500, MONDAY) == 0


def test_what_came_after_the_statement_is_not_named_as_well() -> None:
    ledger = banked()
    with pytest.raises(BadStatement):
        held(ledger, 1_000, in_transit=(entered("slip 1", 500, 100),))


def test_nothing_is_named_twice() -> None:
    ledger = banked()
    with pytest.raises(BadStatement):
        held(ledger, 500, in_transit=(entered("slip 1", 500, 99),) * 2)


def test_what_an_earlier_statement_had_cannot_be_missing_on_a_later_one() -> None:
    ledger = banked()
    on_the_way = entered("slip 1", 500, 50)
    held(ledger, 1_500, FRIDAY, 100)
    with pytest.raises(BadStatement):
        held(ledger, 1_000, MONDAY, 200, in_transit=(on_the_way,))


def test_what_was_under_way_may_stay_under_way() -> None:
    ledger = banked()
    on_the_way = entered("slip 1", 500, 50)
    held(ledger, 1_000, FRIDAY, 100, in_transit=(on_the_way,))
    assert held(ledger, 1_000, MONDAY, 200, in_transit=(on_the_way,)) == 0
    assert held(ledger, 1_500, date(2026, 3, 10), 300) == 0
    with pytest.raises(BadStatement):
        held(ledger, 1_000, date(2026, 3, 11), 400, in_transit=(on_the_way,))


def test_one_days_statement_may_be_entered_again_with_what_was_forgotten() -> None:
    ledger = banked()
    on_the_way = entered("slip 1", 500, 50)
    assert held(ledger, 1_000, FRIDAY, 100, short=500) == -500
    assert held(ledger, 1_000, FRIDAY, 100, in_transit=(on_the_way,)) == 0
    assert ledger.state.short == 0


def test_a_replay_notices_a_reconciliation_that_does_not_add_up() -> None:
    ledger = banked()
    statement = BankStatement(1_000_00, FRIDAY, 100, in_transit=(entered("slip 1", 500, 99),))
    (event,) = reconcile_account(ledger.state, statement, who="Ada")
    for wrong in ({"difference": CENT}, {"in_transit": []}, {"later": [["slip 9", 1]]}, {"statement": 0}):
        with pytest.raises(StateContradiction):
            apply_jackpot_event(ledger.state, decode_event("reconciled", 1, event.payload | wrong))


def alone(ledger: JackpotLedger, statement: BankStatement) -> None:
    """A replay notices a statement that needs two people and a reason, and lacks either."""
    again, *_ = reconcile_account(ledger.state, statement, who="Ada", second="Cy", why="misread")
    apply_jackpot_event(ledger.state, again)
    for missing in ("second", "why"):
        payload = again.payload | {missing: ""}
        with pytest.raises(StateContradiction):
            apply_jackpot_event(ledger.state, decode_event("reconciled", 1, payload))


def test_a_replay_notices_a_statement_that_one_person_replaced_alone() -> None:
    ledger = banked()
    held(ledger, 1_500)
    alone(ledger, BankStatement(1_500_00, FRIDAY, 100))
    assert ledger.state.short == 0


def test_a_replay_notices_a_statement_with_which_one_person_opened_a_jackpot_alone() -> None:
    ledger = banked()
    held(ledger, 1_400, short=100)
    alone(ledger, BankStatement(1_500_00, MONDAY, 200))
