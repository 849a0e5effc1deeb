"""The bank's statement of a day beside the books of its end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from cardroom.accounts import CENT, DOLLAR
from cardroom.room.event_types import decode_event
from cardroom.room.jackpot.custody import deposit_money
from cardroom.room.jackpot.event_values import BankMovement
from cardroom.room.jackpot.reconciliation import BadStatement, BankStatement, EnteredMovement, reconcile_account
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import StateContradiction
from tests.room.jackpots import TIES, Books

FRIDAY, MONDAY = date(2026, 3, 6), date(2026, 3, 9)


def banked(dollars: int = 1_500) -> Books:
    books = Books(TIES)
    books.do(deposit_money(books.state, dollars * 100, who="Cy", reference="1"))
    return books


def held(
    books: Books,
    dollars: int,
    day: date = FRIDAY,
    ends: int = 100,
    later: Sequence[BankMovement] = (),
    short: int = 0,
    **missing: Any,
) -> int:
    """What the bank has more than the books, in dollars, once everything is allowed for."""
    told = BankStatement(dollars * 100, day, ends, tuple(later), **missing)
    two: Any = {"who": "Ada", "second": "Cy", "why": "typed again"}
    happened = books.do(reconcile_account(books.state, told, **two, shortage_cents=short * 100))
    return int(happened[0].payload["difference"]) // DOLLAR


def entered(name: str, dollars: int, time: int) -> EnteredMovement:
    return EnteredMovement(BankMovement(name, dollars * DOLLAR), time)


def test_a_deposit_that_the_bank_has_not_booked_yet_is_no_shortage() -> None:
    books = banked()
    assert held(books, 1_000, in_transit=(entered("slip 1", 500, 99),)) == 0
    assert books.state.short == 0
    assert held(books, 1_000, short=500) == -500
    assert books.state.short == 500 * DOLLAR


def test_a_check_that_nobody_has_presented_yet_is_no_surplus() -> None:
    books = banked(1_200)
    assert held(books, 1_500, outstanding=(entered("check 1077", -300, 99),)) == 0
    assert held(books, 1_500) == 300
    assert books.state.short == 0


def test_what_moved_since_the_statement_is_allowed_for() -> None:
    books = banked()
    moved = (BankMovement("slip 1", 600 * DOLLAR), BankMovement("check 1077", -100 * DOLLAR))
    assert held(books, 1_000, later=moved) == 0
    assert held(books, 999, later=moved, short=1) == -1
    assert books.state.short == DOLLAR


def test_the_happening_tells_all_of_it() -> None:
    books = banked()
    held(
        books,
        1_000,
        later=(BankMovement("slip 2", 400 * DOLLAR),),
        in_transit=(entered("slip 1", 500, 99),),
        outstanding=(entered("check 9", -300, 98),),
    )
    told = books.happened[-1].payload
    assert (told["day"], told["ends"]) == ("2026-03-06", 100)
    assert told["later"] == [["slip 2", 400 * DOLLAR]]
    assert told["in_transit"] == [["slip 1", 500 * DOLLAR]]
    assert told["outstanding"] == [["check 9", -300 * DOLLAR]]
    assert told["difference"] == 100 * DOLLAR
    assert books.state.reconciled == (FRIDAY, 100, ("slip 1", "check 9"), 0, (), 100 * DOLLAR)


def test_a_statement_older_than_the_last_one_is_refused() -> None:
    books = banked()
    held(books, 1_500, MONDAY)
    with pytest.raises(BadStatement, match="The statement of 2026-03-09 was held against the books already"):
        held(books, 1_500, FRIDAY)
    assert held(books, 1_500, MONDAY) == 0


def test_what_came_after_the_statement_is_not_named_as_well() -> None:
    books = banked()
    with pytest.raises(BadStatement, match="Slip 1 came after the statement of 2026-03-06 ends"):
        held(books, 1_000, in_transit=(entered("slip 1", 500, 100),))


def test_nothing_is_named_twice() -> None:
    books = banked()
    with pytest.raises(BadStatement, match="Slip 1 is told twice"):
        held(books, 500, in_transit=(entered("slip 1", 500, 99),) * 2)


def test_what_an_earlier_statement_had_cannot_be_missing_on_a_later_one() -> None:
    books = banked()
    on_the_way = entered("slip 1", 500, 50)
    held(books, 1_500, FRIDAY, 100)
    with pytest.raises(BadStatement, match="Slip 1 was on an earlier statement"):
        held(books, 1_000, MONDAY, 200, in_transit=(on_the_way,))


def test_what_was_under_way_may_stay_under_way() -> None:
    books = banked()
    on_the_way = entered("slip 1", 500, 50)
    held(books, 1_000, FRIDAY, 100, in_transit=(on_the_way,))
    assert held(books, 1_000, MONDAY, 200, in_transit=(on_the_way,)) == 0
    assert held(books, 1_500, date(2026, 3, 10), 300) == 0
    with pytest.raises(BadStatement, match="Slip 1 was on an earlier statement"):
        held(books, 1_000, date(2026, 3, 11), 400, in_transit=(on_the_way,))


def test_one_days_statement_may_be_entered_again_with_what_was_forgotten() -> None:
    books = banked()
    on_the_way = entered("slip 1", 500, 50)
    assert held(books, 1_000, FRIDAY, 100, short=500) == -500
    assert held(books, 1_000, FRIDAY, 100, in_transit=(on_the_way,)) == 0
    assert books.state.short == 0


def test_a_replay_notices_a_reconciliation_that_does_not_add_up() -> None:
    books = banked()
    told = BankStatement(1_000_00, FRIDAY, 100, in_transit=(entered("slip 1", 500, 99),))
    (happening,) = reconcile_account(books.state, told, who="Ada")
    for wrong in ({"difference": CENT}, {"in_transit": []}, {"later": [["slip 9", 1]]}, {"statement": 0}):
        with pytest.raises(StateContradiction):
            apply_jackpot_event(books.state, decode_event("reconciled", 1, happening.payload | wrong))


def alone(books: Books, told: BankStatement) -> None:
    """A replay notices a statement that needs two people and a reason, and lacks either."""
    again, *_ = reconcile_account(books.state, told, who="Ada", second="Cy", why="misread")
    apply_jackpot_event(books.state, again)
    for missing in ("second", "why"):
        payload = again.payload | {missing: ""}
        with pytest.raises(StateContradiction, match="one person alone replaces a statement"):
            apply_jackpot_event(books.state, decode_event("reconciled", 1, payload))


def test_a_replay_notices_a_statement_that_one_person_replaced_alone() -> None:
    books = banked()
    held(books, 1_500)
    alone(books, BankStatement(1_500_00, FRIDAY, 100))
    assert books.state.short == 0


def test_a_replay_notices_a_statement_with_which_one_person_opened_a_jackpot_alone() -> None:
    books = banked()
    held(books, 1_400, short=100)
    alone(books, BankStatement(1_500_00, MONDAY, 200))
