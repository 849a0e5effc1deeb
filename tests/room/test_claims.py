"""From the claim to the payout."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from cardroom.accounts import CENT, DOLLAR, AccountKind
from cardroom.games import BadRecord, read_setup
from cardroom.games.example_rounds import example_json
from cardroom.games.setup import setup_to_json
from cardroom.room.claim.new_claim import claim_record, claim_typed_hand
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.claim.resolution import PaymentNotCovered, refuse_claim
from cardroom.room.claim.typed_hand import TypedHand, typed_hand_record
from cardroom.room.dual_control import SamePerson
from cardroom.room.event_types import DomainEvent, decode_event
from cardroom.room.jackpot.custody import BadAdjustment, deposit_money
from cardroom.room.jackpot.event_values import SurveillanceCheck
from cardroom.room.jackpot.lifecycle import disable_jackpot
from cardroom.room.jackpot.pending_claims import Claim, SeatedPlayer
from cardroom.room.jackpot.reconciliation import BankStatement, reconcile_account
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import StateContradiction, UnknownClaim
from cardroom.room.jackpot.wager_counts import count_wagers
from cardroom.room.payments import PaymentMethod
from tests.room.jackpots import (
    FINAL_FOUR,
    PRIME_TABLE,
    SHOOTOUT,
    SHOOTOUT_TABLE,
    TIES,
    TIES_BONUS,
    Books,
    duel_record,
    paid,
)

DIAMOND_ROYAL = TypedHand("final-four", 100, {"hand": "Jd Qd Kd", "fourth": "Ad"})
FOUR_ACES = TypedHand("final-four", 100, {"hand": "Ad Ah Ac", "fourth": "As"})
CLUB_ROYAL = TypedHand("final-four", 100, {"hand": "Jc Qc Kc", "fourth": "Ac"})
WATCHED = SurveillanceCheck("Uma", "2024-05-01 20:14")


def type_in(books: Books, typed: TypedHand, claim: str = "c1", table: str = PRIME_TABLE) -> tuple[DomainEvent, ...]:
    record = typed_hand_record(setup_to_json(read_setup(table)), typed, {})
    return books.do(claim_typed_hand(books.state, record, typed.seat, books.asked(claim)))


def win(books: Books, *seats: str, claim: str = "c1", table: str = "t1") -> tuple[DomainEvent, ...]:
    return books.do(claim_record(books.state, duel_record(*seats), books.asked(claim, table)))


def cents(claim: Claim) -> list[int]:
    return [prize.cents for prize in claim.prizes]


def test_a_prize_of_the_whole_meter_is_locked_and_the_meter_is_reset() -> None:
    books = Books(FINAL_FOUR)
    books.do(count_wagers(books.state, "t1", 1_001))
    kinds = [happening.kind for happening in type_in(books, DIAMOND_ROYAL)]
    assert kinds == ["claim-locked", "meter-reset"]
    (meter,) = books.state.meters
    assert meter.pending == 5_200_20 * CENT
    assert meter.displayed_cents == 5_000_00
    assert meter.reserve == 0  # the reserve gave all it had, the house the rest
    assert meter.seed_owed == (5_000_00 + 5_000_00 - 50_05) * CENT


def test_what_is_less_than_a_cent_stays_on_the_meter() -> None:
    books = Books(TIES)
    books.do(count_wagers(books.state, "t1", 1))  # a seventh of a dollar: 14 cents and 28 hundredths
    win(books, "suit")
    assert books.state.claims[0].cents == 1_000_14
    assert books.state.meters[0].display == 1_000 * DOLLAR + 28


def test_a_prize_of_ten_percent_does_not_reset_the_meter() -> None:
    books = Books(FINAL_FOUR)
    assert [happening.kind for happening in type_in(books, CLUB_ROYAL)] == ["claim-locked"]
    assert books.state.claims[0].cents == 500_00
    assert books.state.meters[0].displayed_cents == 4_500_00


def test_other_tables_play_on_while_a_prize_is_pending() -> None:
    books = Books(FINAL_FOUR)
    type_in(books, DIAMOND_ROYAL)
    books.do(count_wagers(books.state, "t2", 5))
    assert books.state.meters[0].displayed_cents == 5_001_00
    assert books.state.claims[0].cents == 5_000_00


def test_a_check_is_paid_from_the_bank_account_once_it_is_covered() -> None:
    books = Books(FINAL_FOUR)
    books.do(deposit_money(books.state, 3_000_00, who="Cy", reference="slip 7"))
    type_in(books, DIAMOND_ROYAL)
    for by_the_bank in (PaymentMethod.CHECK, PaymentMethod.TRANSFER):
        with pytest.raises(
            PaymentNotCovered, match=r"has \$3,000.00.* takes \$5,000.00: \$2,000.00 more. Record a deposit"
        ):
            paid(books.state, "c1", by_the_bank, verified_by="Flo", surveillance=WATCHED)
    books.do(deposit_money(books.state, 2_000_00, who="Cy", reference="slip 8"))
    (payment,) = books.do(paid(books.state, "c1", PaymentMethod.CHECK, verified_by="Flo", surveillance=WATCHED))
    assert (payment.payload["escrow"], payment.payload["undeposited"]) == (5_000 * DOLLAR, 0)
    assert books.state.escrow == 0
    assert books.state.undeposited == 5_000 * DOLLAR
    assert not books.state.claims
    meter = books.state.meters[0]
    assert (meter.pending, meter.hits, meter.won) == (0, 1, 5_000 * DOLLAR)
    with pytest.raises(UnknownClaim):
        paid(books.state, "c1", verified_by="Flo", surveillance=WATCHED)


def test_a_check_is_drawn_only_on_what_a_short_account_has() -> None:
    books = Books(FINAL_FOUR)
    books.do(deposit_money(books.state, 5_000_00, who="Cy", reference="slip 7"))
    type_in(books, DIAMOND_ROYAL)
    statement = BankStatement(1_000_00, date(2026, 3, 6), 100)
    books.do(reconcile_account(books.state, statement, who="Ada", shortage_cents=4_000_00))
    for by_the_bank in (PaymentMethod.CHECK, PaymentMethod.TRANSFER):
        with pytest.raises(
            PaymentNotCovered,
            match=r"has \$1,000.00, because it is \$4,000.00 short, and .* takes \$5,000.00: \$4,000.00 more. Record a "
            r"deposit of at least that much first, enter a bank statement that shows the money, or pay in cash",
        ):
            paid(books.state, "c1", by_the_bank, verified_by="Flo", surveillance=WATCHED)
    books.do(paid(books.state, "c1", PaymentMethod.CASH, verified_by="Flo", surveillance=WATCHED))
    assert (books.state.escrow, books.state.short) == (5_000 * DOLLAR, 4_000 * DOLLAR)


def test_a_deposit_for_the_house_s_part_of_a_check_is_made_once() -> None:
    """A seat wins the meter and a fixed prize of $100: one check pays both, so the cage brings the $100 to the bank."""
    books = Books(FINAL_FOUR)
    type_in(books, DIAMOND_ROYAL)
    (claim,) = books.state.claims
    fixed = claim.prizes[0]._replace(level=None, share=None, cents=100_00)
    state = books.state._replace(claims=(claim._replace(prizes=(*claim.prizes, fixed)),))
    waits = state.undeposited // CENT
    for number, amount in enumerate((waits, 60_00, 40_00)):
        (deposited,) = deposit_money(state, amount, who="Cy", reference=f"slip {number}")
        state = apply_jackpot_event(state, deposited)
    with pytest.raises(BadAdjustment, match=r"the cage still has to deposit \$0"):
        deposit_money(state, 1, who="Cy", reference="slip 9")
    assert (state.escrow, state.cage_advance) == ((waits + 100_00) * CENT, 100 * DOLLAR)
    (payment,) = paid(state, "c1", PaymentMethod.CHECK, verified_by="Flo", surveillance=WATCHED)
    assert payment.payload["escrow"] == 5_100 * DOLLAR
    assert apply_jackpot_event(state, payment).cage_advance == 0


def test_a_fixed_prize_that_no_check_of_the_account_pays_is_not_deposited() -> None:
    books = Books(FINAL_FOUR)
    type_in(books, FOUR_ACES)
    assert books.state.house_pending > 0
    with pytest.raises(BadAdjustment, match=r"the cage still has to deposit \$5,000,"):
        deposit_money(books.state, 5_000_01, who="Cy", reference="slip 1")
    books.do(deposit_money(books.state, 5_000_00, who="Cy", reference="slip 1"))
    with pytest.raises(BadAdjustment, match=r"the cage still has to deposit \$0"):
        deposit_money(books.state, 1, who="Cy", reference="slip 2")


def test_a_prize_to_a_balance_is_not_deposited() -> None:
    books = Books(FINAL_FOUR)
    type_in(books, DIAMOND_ROYAL)
    (claim,) = books.state.claims
    fixed = claim.prizes[0]._replace(level=None, share=None, cents=100_00)
    automatic = claim._replace(
        prizes=(*claim.prizes, fixed), automatic=True, sat=(SeatedPlayer(claim.seats[0], "ann"),)
    )
    state = books.state._replace(claims=(automatic,))
    with pytest.raises(BadAdjustment, match="the cage still has to deposit"):
        deposit_money(state, state.undeposited // CENT + 1, who="Cy", reference="slip 1")


def test_cash_is_paid_while_the_account_is_overdrawn() -> None:
    books = Books(FINAL_FOUR)
    type_in(books, DIAMOND_ROYAL)
    statement = BankStatement(-10_00, date(2026, 3, 6), 100)
    books.do(reconcile_account(books.state, statement, who="Ada", shortage_cents=10_00))
    books.do(paid(books.state, "c1", PaymentMethod.CASH, verified_by="Flo", surveillance=WATCHED))
    assert not books.state.claims


def test_the_dealer_does_not_verify_the_dealer_s_own_hand() -> None:
    books = Books(FINAL_FOUR)
    type_in(books, CLUB_ROYAL)
    for name in ("Dan", " dan "):
        with pytest.raises(SamePerson, match="a second person verifies claim c1"):
            paid(books.state, "c1", verified_by=name)
        with pytest.raises(SamePerson):
            refuse_claim(books.state, "c1", refused_by=name, why="no wager")


def test_over_three_thousand_dollars_the_surveillance_is_noted_first() -> None:
    books = Books(FINAL_FOUR)
    type_in(books, DIAMOND_ROYAL)
    with pytest.raises(BadClaim, match=r"\$5,000 is over \$3,000"):
        paid(books.state, "c1", verified_by="Flo")
    for by in ("Dan", "Flo"):
        with pytest.raises(SamePerson):
            paid(books.state, "c1", verified_by="Flo", surveillance=SurveillanceCheck(by, "20:14"))
    (payment,) = books.do(paid(books.state, "c1", verified_by="Flo", surveillance=WATCHED))
    assert payment.payload["surveillance"] == {"by": "Uma", "at": "2024-05-01 20:14", "time": None}


def test_just_three_thousand_dollars_need_no_surveillance() -> None:
    books = Books(FINAL_FOUR.replace("$5,000", "$3,000"))
    type_in(books, DIAMOND_ROYAL)
    books.do(paid(books.state, "c1", verified_by="Flo"))


def test_equal_winners_share_to_the_cent_and_the_odd_cent_goes_to_the_first() -> None:
    books = Books(TIES)
    books.do(count_wagers(books.state, "t1", 5))
    win(books, "suit", "suit")
    assert cents(books.state.claims[0]) == [500_36, 500_35]


def test_two_hands_of_one_player_on_the_same_line_are_one_prize() -> None:
    books = Books(SHOOTOUT)
    cards = {"hand": "Js Ts Js Ts", "community": "As Ks Qs 2d 3d"}
    two = TypedHand("jackpot", 100, cards, {"hand": "split Js Ts | Js Ts"})
    type_in(books, two, table=SHOOTOUT_TABLE)
    (prize,) = books.state.claims[0].prizes
    assert (prize.seat, prize.stake, prize.cents) == (1, "first hand", 250_00)
    assert prize.words == "royal flush; one share for both hands"
    books.do(paid(books.state, "c1", verified_by="Flo"))
    assert books.state.meter("low").hits == 1


def test_each_line_of_a_meter_is_paid_in_full_of_what_was_displayed() -> None:
    books = Books(TIES)
    win(books, "two", "color")  # 10% and 100% of $500
    assert cents(books.state.claims[0]) == [50_00, 500_00]
    meter = books.state.meter("color")
    assert (meter.pending, meter.display) == (550 * DOLLAR, 500 * DOLLAR)
    assert meter.seed_owed == (500 + 50 + 500) * DOLLAR  # the opening, what was missing for the prizes, the reset
    books.do(paid(books.state, "c1", verified_by="Flo"))
    assert books.state.owed == books.state.undeposited == books.state.meter("suit").owed + 500 * DOLLAR


def test_what_prizes_take_beyond_the_meter_comes_from_overflow_reserve_and_house_in_this_order() -> None:
    setup = TIES.replace('["quads-same-suit"]', '["quads-same-suit", "quads-same-color"]')
    books = Books(setup.replace('pays = ["quads-same-color", "quads-two-color"]', 'pays = ["quads-two-color"]'))
    books.do(count_wagers(books.state, "t1", 2_100))  # $300 for the meter, of which its ceiling takes $200, and $70
    books.do(deposit_money(books.state, 1_000_00, who="Cy", reference="slip 7"))
    locked, reset = win(books, "suit", "color")  # twice the $1,200 of the meter
    assert locked.payload["beyond"] == {
        "suit": {"overflow": 100 * DOLLAR, "reserve": 70 * DOLLAR, "house": 1_030 * DOLLAR}
    }
    assert [reset.payload[source] for source in ("overflow", "reserve", "house")] == [0, 0, 1_000 * DOLLAR]
    meter = books.state.meter("suit")
    assert (meter.pending, meter.display, meter.overflow, meter.reserve) == (2_400 * DOLLAR, 1_000 * DOLLAR, 0, 0)
    books.do(refuse_claim(books.state, "c1", refused_by="Flo", why="no wager", seats=[2]))
    assert cents(books.state.claims[0]) == [1_200_00]
    meter = books.state.meter("suit")
    assert (meter.overflow, meter.reserve, meter.seed_owed) == (0, 0, (1_000 + 830) * DOLLAR)
    books.do(refuse_claim(books.state, "c1", refused_by="Flo", why="no wager"))
    meter = books.state.meter("suit")
    assert (meter.pending, meter.display) == (0, 1_200 * DOLLAR)
    assert (meter.overflow, meter.reserve, meter.seed_owed) == (100 * DOLLAR, 70 * DOLLAR, 1_000 * DOLLAR)


def test_a_claim_within_the_meter_says_nothing_of_money_from_elsewhere() -> None:
    books = Books(TIES)
    locked, *_ = win(books, "suit", "two")
    assert locked.payload["beyond"] == {}


@pytest.mark.parametrize("source", ["overflow", "reserve", "house"])
def test_money_from_elsewhere_that_does_not_add_up_is_found(source: str) -> None:
    books = Books(TIES)
    locked, *_ = claim_record(books.state, duel_record("two", "color"), books.asked("c1"))
    beyond = {"overflow": 0, "reserve": 0, "house": 50 * DOLLAR}
    assert locked.payload["beyond"] == {"color": beyond}
    beyond[source] += 1 * DOLLAR
    with pytest.raises(StateContradiction):
        apply_jackpot_event(
            books.state, decode_event("claim-locked", 1, locked.payload | {"beyond": {"color": beyond}})
        )


def test_a_bonus_jackpot_pays_each_line_in_full_too() -> None:
    books = Books(TIES_BONUS)
    win(books, "suit", "color", "two")
    assert cents(books.state.claims[0]) == [2_000_00, 2_000_00, 200_00]
    books.do(paid(books.state, "c1", verified_by="Flo"))
    assert books.balance(AccountKind.PRIZES, "t1") == 4_200 * DOLLAR


def test_a_round_can_win_on_two_levels_and_each_is_reset_by_itself() -> None:
    books = Books(TIES)
    kinds = [happening.kind for happening in win(books, "suit", "two")]
    assert kinds == ["claim-locked", "meter-reset"]
    suit, color = books.state.meters
    assert (suit.displayed_cents, suit.pending) == (1_000_00, 1_000 * DOLLAR)
    assert (color.displayed_cents, color.pending) == (450_00, 50 * DOLLAR)


def test_only_the_highest_level_is_paid_that_the_wager_takes_part_in() -> None:
    royal = {"hand": "As Ks", "community": "Qs Js Ts 2d 3d"}
    for wagered, level, prize in ((200, "high", 2_500_00), (100, "low", 250_00)):
        books = Books(SHOOTOUT)
        type_in(books, TypedHand("jackpot", wagered, royal), table=SHOOTOUT_TABLE)
        (won,) = books.state.claims[0].prizes
        assert (won.level, won.cents) == (level, prize)


def test_fixed_prizes_are_paid_from_the_chip_tray_at_once_and_not_off_the_meter() -> None:
    books = Books(TIES)
    (paid,) = win(books, "tie", "nothing")
    assert paid.kind == "prizes-paid"
    assert paid.payload["cents"] == 20_00  # trips of two colors: the tie and the community's war card
    assert books.balance(AccountKind.PRIZES, "t1") == 20 * DOLLAR
    assert books.balance(AccountKind.CHIP_TRAY, "t1") == -20 * DOLLAR
    assert [meter.displayed_cents for meter in books.state.meters] == [1_000_00, 500_00]


def test_a_fixed_prize_beside_a_share_of_the_meter_does_not_wait_for_it() -> None:
    books = Books(TIES)
    assert [happening.kind for happening in win(books, "two", "tie")] == ["prizes-paid", "claim-locked"]
    assert books.state.claims[0].seats == (1,)


def test_a_large_fixed_prize_is_verified_before_the_house_pays_it() -> None:
    setup = """
    id = "wild"
    name = "Wild Cards"
    kind = "bonus"
    location = "Lakewood"
    wager = "$1"
    [[offers]]
    game = "deuces-wild"
    wager = "bonus-jackpot"
    paytable = "A"
    bonuses = { five-wild-cards = "$5,000" }
    """
    table = """
    game = "deuces-wild"
    [wagers.bonus-jackpot]
    paytable = "A"
    limits = { min = "$1", max = "$1" }
    bonuses = { five-wild-cards = "$100" }
    """
    books = Books(setup, table)
    wild = TypedHand("bonus-jackpot", 100, {"hand": "2c 2d 2h", "fourth": "2s", "fifth": "Jk"})
    assert [happening.kind for happening in type_in(books, wild, table=table)] == ["claim-locked"]
    assert books.state.claims[0].cents == 5_000_00  # what the jackpot displays, not what the table was set up with
    books.do(paid(books.state, "c1", verified_by="Flo", surveillance=WATCHED))
    assert books.balance(AccountKind.PRIZES, "t1") == 5_000 * DOLLAR


def test_a_bonus_jackpot_is_paid_by_the_house_and_shows_its_amount_as_before() -> None:
    books = Books(TIES_BONUS)
    win(books, "suit", "suit")
    win(books, "two", claim="c2", table="t2")
    assert [cents(claim) for claim in books.state.claims] == [[1_000_00, 1_000_00], [200_00]]
    books.do(paid(books.state, "c2", verified_by="Flo"))  # nothing hangs on the order
    books.do(paid(books.state, "c1", verified_by="Flo"))
    assert books.state.meters[0].displayed_cents == 2_000_00
    assert books.balance(AccountKind.PRIZES, "t1") == 2_000 * DOLLAR
    assert books.balance(AccountKind.CHIP_TRAY, "t2") == -200 * DOLLAR


def test_the_order_of_two_wins_is_recorded_and_the_later_one_waits() -> None:
    books = Books(TIES)
    win(books, "suit")
    win(books, "suit", "suit", claim="c2", table="t2")
    assert [(claim.id, claim.order) for claim in books.state.claims] == [("c1", 1), ("c2", 2)]
    assert cents(books.state.claims[1]) == [500_00, 500_00]
    with pytest.raises(BadClaim, match="waits for c1, which came first on level suit"):
        paid(books.state, "c2", verified_by="Flo")
    books.do(paid(books.state, "c1", verified_by="Flo"))
    books.do(paid(books.state, "c2", verified_by="Flo"))
    assert books.state.meters[0].won == 2_000 * DOLLAR


def test_a_claim_on_another_level_does_not_wait() -> None:
    books = Books(TIES)
    win(books, "suit")
    win(books, "two", claim="c2")
    books.do(paid(books.state, "c2", verified_by="Flo"))


def test_a_hand_that_wins_nothing_cannot_be_claimed() -> None:
    books = Books(TIES)
    with pytest.raises(BadClaim, match="Nobody has won on tie-after-tie"):
        win(books, "nothing")


def test_a_typed_hand_is_judged_by_its_cards() -> None:
    books = Books(FINAL_FOUR)
    with pytest.raises(BadClaim, match="Nobody has won"):
        type_in(books, TypedHand("final-four", 100, {"hand": "2d Qd Kd", "fourth": "Ad"}))


def test_a_round_is_claimed_once() -> None:
    books = Books(TIES)
    win(books, "suit")
    for claim in ("c1", "c2"):
        with pytest.raises(BadClaim):
            claim_record(books.state, duel_record("suit"), books.asked(claim, round_id="c1"))


def test_a_refused_round_may_be_claimed_again_but_its_fixed_prizes_are_not_paid_twice() -> None:
    books = Books(TIES)
    assert [happening.kind for happening in win(books, "two", "tie")] == ["prizes-paid", "claim-locked"]
    books.do(refuse_claim(books.state, "c1", refused_by="Flo", why="the wrong dealer was named"))
    assert [happening.kind for happening in win(books, "two", "tie")] == ["claim-locked"]
    assert books.balance(AccountKind.PRIZES, "t1") == 20 * DOLLAR


def test_fixed_prizes_of_a_round_are_paid_once() -> None:
    books = Books(TIES)
    win(books, "tie")
    with pytest.raises(BadClaim, match="were paid already"):
        win(books, "tie")


def test_what_is_wrong_with_a_claim_is_said_and_changes_nothing() -> None:
    books = Books(TIES)
    right: dict[str, Any] = {"claim": "c1", "table": "t1", "round_id": "1", "dealer": "Dan"}
    record = duel_record("suit")
    other = record | {"table": record["table"] | {"wagers": {}}}
    wagers = record["table"]["wagers"]
    relabelled = wagers | {"tie-after-tie": wagers["tie-after-tie"] | {"paytable": "PT-BJS-DFD-TAT-02"}}
    unfinished = record | {"cards": {"seat 1 hand": ["Ks"]}, "decisions": []}
    wrong = [
        (record, {"dealer": " "}, Exception, "dealer's name is missing"),
        (other, {}, BadRecord, "jackpot's wager"),
        (record | {"table": record["table"] | {"wagers": relabelled}}, {}, BadClaim, "was played by table"),
        (unfinished, {}, BadClaim, "not over"),
        (json.loads(example_json("deuces-wild")), {}, BadClaim, "is not for 'deuces-wild'"),
    ]
    for entry, change, fault, words in wrong:
        with pytest.raises(fault, match=words):
            claim_record(books.state, entry, books.asked(**right | change))


def test_a_disabled_jackpot_cannot_be_won() -> None:
    books = Books(TIES)
    books.do(disable_jackpot(books.state, who="Ada", why="display broken"))
    with pytest.raises(BadClaim, match="cannot be won: display broken"):
        win(books, "suit")
