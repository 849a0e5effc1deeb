"""Statements of the bank, and what is under way when they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest

from cardroom.chart_of_accounts import CENT, DOLLAR, Account, AccountKind
from cardroom.errors import BadInput
from cardroom.ledger import open_ledger
from cardroom.room.dual_control import NameMissing, SamePerson
from cardroom.room.jackpot.bank_reconciliation import BadStatement
from cardroom.room.jackpot.event_values import BankMovement
from cardroom.room.jackpot.lifecycle import BadService
from cardroom.room.payment_references import BadReference, Payee, PaymentMethod
from cardroom.room.setup.site import SiteSettings
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.commands.jackpots import midnight_after
from cardroom.service.commands.second_signature import describe_command
from tests.reports.card_room import WallClock
from tests.service.card_rooms import CLUB_ROYAL, new_id, open_room, play, whole
from tests.service.test_verification import _commit

FRIDAY, SATURDAY, MONDAY = date(2026, 3, 6), date(2026, 3, 7), date(2026, 3, 9)
OF_A_STATEMENT = {"jackpot": "final-four", "cage_advance": 0, "who": "Olga", "second": "", "why": ""}


@pytest.fixture
def clock() -> WallClock:
    return WallClock()


@pytest.fixture
def week(url: str, clock: WallClock) -> Iterator[CardRoom]:
    """A week: $4,000 went to the bank on Thursday, $1,000 late on Friday; on Saturday a royal was paid by check."""
    with open_ledger(url, clock) as ledger:
        card_room = CardRoom(ledger, clock)
        clock.set(5, 12)
        open_room(card_room)
        card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 4_000_00, "4471")
        clock.set(6, 23, 50)
        card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 1_000_00, "4472")
        clock.set(7, 14)
        play(card_room, seats=5, round_id="r1")
        card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", CLUB_ROYAL)
        paid = {1: Payee("Ann Lee", PaymentMethod.CHECK, "1077")}
        card_room.payments.pay(new_id(), "Vera", "final-four", "win", paid=paid)
        clock.set(10, 9)
        yield card_room


def test_the_books_are_those_of_the_end_of_the_statements_day(week: CardRoom) -> None:
    result = week.jackpots.reconcile(new_id(), "Olga", "final-four", 5_000_00, day=FRIDAY)
    assert (result.books, result.adjusted, result.surplus, result.summary.short) == (
        5_000 * DOLLAR,
        5_000 * DOLLAR,
        0,
        0,
    )
    assert result.later == (BankMovement("check 1077", -500_10 * CENT),)
    assert verify_card_room(week.ledger).is_consistent


def test_a_statement_of_before_the_jackpot_was_opened_is_refused(week: CardRoom) -> None:
    before = week.jackpot("final-four")
    with pytest.raises(BadInput):
        week.jackpots.reconcile(new_id(), "Olga", "final-four", 0, day=date(2026, 3, 3))
    assert week.jackpot("final-four") == before
    week.jackpots.reconcile(new_id(), "Olga", "final-four", 4_000_00, day=date(2026, 3, 5))


@pytest.mark.parametrize("key", ["who", "second"])
def test_a_name_has_an_end(in_a_file: CardRoom, key: str) -> None:
    open_room(in_a_file)
    output = {"who": "Olga", "second": "Lee"} | {key: "A" * 5_000}
    with pytest.raises(BadInput, match="has 5,000 characters: write at most 200"):
        in_a_file.jackpots.add_seed(new_id(), output["who"], "final-four", "main", 100, "more", second=output["second"])
    output[key] = "A" * 200
    in_a_file.jackpots.add_seed(new_id(), output["who"], "final-four", "main", 100, "more", second=output["second"])


def test_a_deposit_in_transit_and_a_check_outstanding_are_allowed_for(week: CardRoom) -> None:
    short = week.jackpots.reconcile(new_id(), "Olga", "final-four", 4_000_00, day=FRIDAY, shortage_cents=1_000_00)
    assert short.summary.short == 1_000 * DOLLAR
    assert short.summary.unavailable is not None
    with pytest.raises(BadService):
        week.jackpots.enable(new_id(), "Olga", "final-four")
    again: Any = {"day": FRIDAY, "in_transit": ["4472"]}
    before = whole(week)
    for alone in ({}, {"second": "Carl"}, {"why": "a slip was forgotten"}, {"second": "olga", "why": "forgotten"}):
        with pytest.raises((SamePerson, NameMissing)):
            week.jackpots.reconcile(new_id(), "Olga", "final-four", 4_000_00, **again, **alone)
    assert whole(week) == before
    two = {"second": "Carl", "why": "a slip was forgotten"}
    good = week.jackpots.reconcile(new_id(), "Olga", "final-four", 4_000_00, **again, **two)
    assert good.entered == {"slip 4472": "2026-03-06"}
    assert (good.summary.short, good.summary.unavailable) == (0, None)
    check = week.jackpots.reconcile(new_id(), "Olga", "final-four", 5_000_00, day=SATURDAY, outstanding=["1077"])
    assert (check.surplus, check.books, check.adjusted) == (0, 4_499_90 * CENT, 4_499_90 * CENT)
    assert week.jackpots.reconcile(new_id(), "Olga", "final-four", 4_499_90, day=MONDAY).surplus == 0
    assert verify_card_room(week.ledger).is_consistent


def test_a_surplus_is_shown_and_closes_nothing(week: CardRoom) -> None:
    result = week.jackpots.reconcile(new_id(), "Olga", "final-four", 4_512_30, day=MONDAY)
    assert (result.surplus, result.summary.short) == (12_40 * CENT, 0)


def test_a_shortage_cannot_be_explained_by_what_the_bank_had_before(week: CardRoom) -> None:
    week.jackpots.reconcile(new_id(), "Olga", "final-four", 5_000_00, day=FRIDAY)
    before = whole(week)
    for slip in ("4471", "4472"):
        with pytest.raises(BadStatement, match=f"Slip {slip} was on an earlier statement"):
            week.jackpots.reconcile(new_id(), "Olga", "final-four", 3_499_90, day=MONDAY, in_transit=[slip])
    assert whole(week) == before


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        ({"day": date(2026, 3, 11)}, "Today is 2026-03-10: there cannot be a statement of 2026-03-11 yet"),
        ({"day": FRIDAY, "in_transit": ["17"]}, "No deposit of final-four has slip 17"),
        ({"day": FRIDAY, "in_transit": ["4471", "4471"]}, "Slip 4471"),
        ({"day": FRIDAY, "outstanding": ["1077"]}, "Check 1077 .* 2026-03-06"),
        ({"day": MONDAY, "outstanding": ["17"]}, "Nothing was paid from the bank account of final-four as 17"),
        ({"day": MONDAY, "outstanding": ["cash 1077"]}, "Nothing was paid from the bank account"),
        ({"day": MONDAY, "outstanding": ["event 1"]}, "Nothing was paid from the bank account"),
        ({"day": MONDAY, "outstanding": ["event 99"]}, "Nothing was paid from the bank account"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    week: CardRoom, result: dict[str, object], sentence: str
) -> None:
    before = whole(week)
    with pytest.raises(BadStatement, match=sentence):
        week.jackpots.reconcile(new_id(), "Olga", "final-four", 5_000_00, **result)  # type: ignore[arg-type]
    assert whole(week) == before


def test_a_cash_prize_is_the_cages_and_on_no_statement_until_the_cage_is_reimbursed(
    week: CardRoom, clock: WallClock
) -> None:
    play(week, seats=5, round_id="r2")
    week.claims.claim_hand("cash", "Kim", "final-four", "prime-1", "r2", CLUB_ROYAL)
    in_the_bank, in_the_cage = week.jackpot("final-four").escrow, week.jackpot("final-four").undeposited
    (paid,) = week.payments.pay(
        new_id(), "Vera", "final-four", "cash", paid={1: Payee("Bo", PaymentMethod.CASH, "C-9")}
    ).payouts
    assert (paid.escrow, paid.undeposited) == (0, paid.cents * CENT)
    state = week.jackpot("final-four")
    assert (state.escrow, state.undeposited) == (in_the_bank, 0)
    assert state.cage_advance == paid.cents * CENT - in_the_cage
    with pytest.raises(BadStatement, match="C-9"):
        week.jackpots.reconcile(new_id(), "Olga", "final-four", 0, day=MONDAY, outstanding=["C-9"])
    result = week.jackpots.reconcile(new_id(), "Olga", "final-four", in_the_bank // CENT, day=None)
    assert result.surplus == result.summary.short == 0
    clock.set(11, 9)
    week.jackpots.reimburse_cage(new_id(), "Carl", "final-four", None, "T-1", second="Olga")
    assert week.jackpot("final-four").cage_advance < CENT
    left = week.jackpots.reconcile(new_id(), "Olga", "final-four", in_the_bank // CENT, day=None, outstanding=["T-1"])
    assert left.surplus == left.summary.short == 0
    balances = week.ledger.balances()
    state = week.jackpot("final-four")
    assert balances[Account(AccountKind.ESCROW, "final-four")] == state.escrow
    assert balances.get(Account(AccountKind.CAGE_ADVANCE, "final-four"), 0) == state.cage_advance
    assert verify_card_room(week.ledger).is_consistent


def test_a_day_of_the_bank_ends_at_midnight_by_the_rooms_clock(week: CardRoom) -> None:
    """The second deposit of Friday came at ten to midnight; in New York that was Saturday."""
    week.site.configure(new_id(), "Olga", SiteSettings(time_zone="America/New_York"), "we moved", second="Carl")
    result = week.jackpots.reconcile(new_id(), "Olga", "final-four", 4_000_00, day=FRIDAY)
    assert (result.books, result.summary.short) == (4_000 * DOLLAR, 0)
    assert [one.name for one in result.later] == ["slip 4472", "check 1077"]


def test_money_that_goes_back_to_the_house_moves_on_the_account_by_a_transfer(week: CardRoom, clock: WallClock) -> None:
    monday = week.jackpot("final-four").escrow // CENT
    week.jackpots.add_seed(new_id(), "Olga", "final-four", "main", 600_00, "more", second="Carl")
    week.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", None, "4473")
    clock.set(11, 9)
    week.jackpots.recover_seed(new_id(), "Olga", "final-four", "main", 90_00, "as agreed", second="Carl")
    balance = week.jackpot("final-four").escrow // CENT
    owed = week.jackpot("final-four").cage_advance
    assert 89 * DOLLAR < owed <= 90 * DOLLAR
    with pytest.raises(SamePerson):
        week.jackpots.reimburse_cage(new_id(), "Carl", "final-four", None, "T-1", second=" carl")
    paid_back = week.jackpots.reimburse_cage("back", "Carl", "final-four", None, "T-1", second="Olga")
    back = balance - paid_back.escrow // CENT
    assert (back, paid_back.cage_advance) == (owed // CENT, owed % CENT)
    with pytest.raises(BadReference, match="Transfer t-1 was entered on"):
        week.jackpots.reimburse_cage(new_id(), "Carl", "final-four", 1, "t-1", second="Olga")
    assert week.jackpots.reimburse_cage("back", "Carl", "final-four", None, "T-1", second="Olga") == paid_back
    result = week.jackpots.reconcile(new_id(), "Olga", "final-four", monday, day=MONDAY)
    assert (result.later[-1], result.surplus, result.summary.short) == (
        BankMovement("transfer T-1", -back * CENT),
        0,
        0,
    )
    clock.set(12, 9)
    left = week.jackpots.reconcile(new_id(), "Olga", "final-four", balance, day=date(2026, 3, 11), outstanding=["T-1"])
    assert left.surplus == left.summary.short == 0
    assert verify_card_room(week.ledger).is_consistent


def test_money_that_moves_while_the_books_are_looked_at_is_counted(
    week: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: Callable[..., object] = week._read_statement_basis
    happened = []

    def meanwhile(*result: object) -> object:
        found = looked(*result)
        if not happened:
            happened.append(
                CardRoom(week.ledger).jackpots.deposit_to_bank("meanwhile", "Carl", "final-four", 50, "4480")
            )
        return found

    monkeypatch.setattr(week, "_read_statement_basis", meanwhile)
    result = week.jackpots.reconcile(new_id(), "Olga", "final-four", 5_000_00, day=FRIDAY)
    assert [one.name for one in result.later] == ["check 1077", "slip 4480"]
    assert (result.surplus, result.summary.short) == (0, 0)


def test_a_reconciliation_that_is_sent_again_gets_its_first_answer(week: CardRoom) -> None:
    first = week.jackpots.reconcile("bank", "Olga", "final-four", 4_000_00, day=FRIDAY, in_transit=["4472"])
    week.jackpots.reconcile(new_id(), "Olga", "final-four", 4_499_90, day=MONDAY)
    again = week.jackpots.reconcile("bank", "Olga", "final-four", 4_000_00, day=FRIDAY, in_transit=["4472"])
    assert again == first


def test_numbers_are_shown_as_they_were_typed_and_compared_without_case_and_blanks(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    open_room(card_room)
    card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 2_000_00, " S 2")
    play(card_room, round_id="r1")
    card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", CLUB_ROYAL)
    paid = {1: Payee("Ann Lee", PaymentMethod.CHECK, "A-77")}
    card_room.payments.pay(new_id(), "Vera", "final-four", "win", paid=paid)
    with pytest.raises(BadReference, match="Slip s 2 was entered on"):
        card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 1_00, "s  2")
    with pytest.raises(BadStatement):
        card_room.jackpots.reconcile(new_id(), "Olga", "final-four", 0, day=None, in_transit=["S  3"])
    with pytest.raises(BadStatement):
        card_room.jackpots.reconcile(new_id(), "Olga", "final-four", 0, day=None, in_transit=["s 2", "S 2"])
    for number in ("a-77", "Check a-77"):
        two = {"second": "Carl", "why": "typed otherwise"}
        result = card_room.jackpots.reconcile(
            new_id(), "Olga", "final-four", 0, day=None, in_transit=["s 2"], outstanding=[number], **two
        )
        assert result.in_transit == (BankMovement("slip S 2", 2_000 * DOLLAR),)
        assert [one.name for one in result.outstanding] == ["check A-77"]
        assert result.summary.short == 0
    assert verify_card_room(card_room.ledger).is_consistent


@pytest.mark.parametrize(
    ("forged", "sentence"),
    [
        ({"later": []}, "the movements since the statement differ"),
        ({"later": [["check 1078", -500_10 * CENT]]}, "the movements since the statement differ"),
        ({"in_transit": [["slip 4479", 1_000 * DOLLAR]]}, "the statement lacks a movement that never happened"),
        ({"in_transit": [["slip 4472", 1_001 * DOLLAR]]}, "the statement lacks a movement that never happened"),
        ({"outstanding": [["check 1077", -500_10 * CENT]]}, "the statement lacks a movement that never happened"),
    ],
)
def test_a_verification_finds_a_reconciliation_that_lists_what_did_not_move(
    week: CardRoom, forged: dict[str, object], sentence: str
) -> None:
    state = week.jackpot("final-four")
    books = {"owed": state.owed, "escrow": state.escrow, "undeposited": state.undeposited}
    ends = midnight_after(FRIDAY, week.calendar)
    listed: dict[str, Any] = {"later": [["check 1077", -500_10 * CENT]], "in_transit": [], "outstanding": []} | forged
    missing = [amount for moved in listed.values() for _, amount in moved]
    result = {"day": "2026-03-06", "ends": ends, "statement": state.escrow - sum(missing), "difference": 0}
    _commit(week, "jackpot:final-four", "reconciled", {**OF_A_STATEMENT, **books, **result, **listed})
    found = verify_card_room(week.ledger).discrepancy
    assert found is not None
    assert sentence in found.sentence


def forge_statement(card_room: CardRoom, day: date, cents: int, in_transit: tuple[tuple[str, int], ...] = ()) -> None:
    """Store a statement of a day, which adds up, as the program would, without a decision by the rules."""
    state, ends = card_room.jackpot("final-four"), midnight_after(day, card_room.calendar)
    later = [["check 1077", -500_10 * CENT]] if day == FRIDAY else []
    missing = [[name, dollars * DOLLAR] for name, dollars in in_transit]
    difference = cents * CENT + sum(amount for _, amount in (*later, *missing)) - state.escrow
    books = {"owed": state.owed, "escrow": state.escrow, "undeposited": state.undeposited}
    statement = {"statement": cents * CENT, "difference": difference, "day": day.isoformat(), "ends": ends}
    lists = {"later": later, "in_transit": missing, "outstanding": []}
    _commit(card_room, "jackpot:final-four", "reconciled", {**OF_A_STATEMENT, **books, **statement, **lists})


def forge_closing(card_room: CardRoom, kind: str, **more: object) -> None:
    _commit(card_room, "jackpot:final-four", kind, {"jackpot": "final-four", "who": "Olga", "second": "", **more})


def found_by_verify(card_room: CardRoom) -> str:
    found = verify_card_room(card_room.ledger).discrepancy
    return "" if found is None else found.sentence


def test_a_verification_finds_a_slip_that_explains_a_shortage_twice(week: CardRoom) -> None:
    forge_statement(week, FRIDAY, 3_000_00, in_transit=(("slip 4472", 1_000), ("slip 4472", 1_000)))
    assert "Slip 4472 is named twice" in found_by_verify(week)


def test_a_verification_finds_a_slip_in_transit_that_an_earlier_statement_had(week: CardRoom) -> None:
    week.jackpots.reconcile(new_id(), "Olga", "final-four", 5_000_00, day=FRIDAY)
    forge_statement(week, MONDAY, 3_499_90, in_transit=(("slip 4472", 1_000),))
    assert "Slip 4472 was on an earlier statement" in found_by_verify(week)


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_verification_finds_a_shortage_that_closed_nothing(week: CardRoom, goes_on: bool) -> None:
    forge_statement(week, FRIDAY, 4_000_00)
    if goes_on:
        week.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 1_00, "4473")
    sentence = "judged again, its kind differs" if goes_on else "a statement is not complete"
    assert sentence in found_by_verify(week)


def test_a_verification_finds_a_shortage_that_closed_with_another_amount(week: CardRoom) -> None:
    forge_statement(week, FRIDAY, 4_000_00)
    forge_closing(week, "jackpot-closed", short=DOLLAR)
    assert "judged again, its payload.short differs" in found_by_verify(week)


def test_a_verification_finds_a_jackpot_that_opened_again_without_a_statement(week: CardRoom) -> None:
    week.jackpots.reconcile(new_id(), "Olga", "final-four", 4_000_00, day=FRIDAY, shortage_cents=1_000_00)
    assert verify_card_room(week.ledger).is_consistent
    forge_closing(week, "jackpot-reopened", second="Carl")
    assert "no statement opens or closes the jackpot" in found_by_verify(week)


def test_a_verification_finds_a_jackpot_that_closed_without_a_statement(week: CardRoom) -> None:
    forge_closing(week, "jackpot-closed", short=DOLLAR)
    assert "no statement opens or closes the jackpot" in found_by_verify(week)


def test_a_verification_finds_a_closing_in_the_name_of_no_user(week: CardRoom) -> None:
    forge_statement(week, FRIDAY, 4_000_00)
    forge_closing(week, "jackpot-closed", short=1_000 * DOLLAR, who="")
    assert "judged again, its payload.who differs" in found_by_verify(week)


def signed_sentence(card_room: CardRoom, **result: object) -> str:
    body = {"do": "reconcile", "who": "Olga", "jackpot": "final-four", "statement": 4_000_00, "day": "2026-03-06"}
    return describe_command(body | {"in_transit": [], "outstanding": [], **result}, card_room)


def test_the_second_person_signs_all_of_a_statement(week: CardRoom) -> None:
    begins = "Enter $4,000 as the balance of the bank's statement"
    result = {"in_transit": ["4472"], "outstanding": ["1077", "T-1"], "shortage": 1_000_00, "why": "misread"}
    assert signed_sentence(week) == f"{begins} of 2026-03-06 for jackpot final-four."
    assert signed_sentence(week, **result) == (
        f"{begins} of 2026-03-06 for jackpot final-four, with a confirmed shortage of $1,000, which closes the jackpot"
        ", with deposits in transit: 4472, with payments outstanding: 1077, T-1; reason: misread."
    )
    week.jackpots.reconcile(new_id(), "Olga", "final-four", 4_000_00, day=FRIDAY, shortage_cents=1_000_00)
    assert signed_sentence(week, why="misread") == (
        f"{begins} of 2026-03-06 for jackpot final-four, in place of the statement of that day, which opens the "
        "jackpot again if the account is no longer short; reason: misread."
    )
    assert signed_sentence(week, day=None, shortage=1_000_00) == (
        f"{begins} for jackpot final-four, in place of the statement of 2026-03-06 if that is today, with a confirmed "
        "shortage of $1,000, which closes the jackpot."
    )
    assert "in place of" not in signed_sentence(week, day="2026-03-09")


def test_a_long_reason_hides_nothing_of_what_is_signed(week: CardRoom) -> None:
    assert "in transit: 4472" in signed_sentence(week, in_transit=["4472"], why="a long story " * 40)


@pytest.mark.parametrize("typed", ["4472", "slip 4472", "Slip  4472"])
def test_a_slip_is_named_by_its_number_or_as_it_is_printed(week: CardRoom, typed: str) -> None:
    result = week.jackpots.reconcile(new_id(), "Olga", "final-four", 4_000_00, day=FRIDAY, in_transit=[typed])
    assert result.in_transit == (BankMovement("slip 4472", 1_000 * DOLLAR),)
    with pytest.raises(BadStatement, match="99"):
        week.jackpots.reconcile(new_id(), "Olga", "final-four", 0, day=FRIDAY, in_transit=["slip 99"])


def test_one_slip_in_two_forms_is_named_twice(week: CardRoom) -> None:
    with pytest.raises(BadStatement, match="4472"):
        week.jackpots.reconcile(new_id(), "Olga", "final-four", 3_000_00, day=FRIDAY, in_transit=["4472", "slip 4472"])


def test_a_slip_whose_number_begins_with_the_word_is_asked_for(week: CardRoom, clock: WallClock) -> None:
    week.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 1_00, "slip 4472")
    with pytest.raises(BadStatement, match="4472"):
        week.jackpots.reconcile(new_id(), "Olga", "final-four", 0, day=None, in_transit=["slip 4472"])
    balance = (week.jackpot("final-four").escrow - 1_001 * DOLLAR) // CENT
    both = ["4472", "slip slip 4472"]
    result = week.jackpots.reconcile(new_id(), "Olga", "final-four", balance, day=None, in_transit=both)
    assert [one.name for one in result.in_transit] == ["slip 4472", "slip slip 4472"]
