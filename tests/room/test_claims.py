"""From the claim to the payout."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from cardroom.chart_of_accounts import CENT, DOLLAR, AccountKind
from cardroom.games import BadRecord, read_setup
from cardroom.games.example_rounds import example_json
from cardroom.games.setup import setup_to_json
from cardroom.room.claim.new_claim import claim_record, claim_typed_hand
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.claim.resolution import PaymentNotCovered, refuse_claim
from cardroom.room.claim.typed_hand import TypedHand, typed_hand_record
from cardroom.room.dual_control import NameMissing, SamePerson
from cardroom.room.event_types import DomainEvent, decode_event
from cardroom.room.jackpot.bank_reconciliation import BankStatement, reconcile_account
from cardroom.room.jackpot.custody import BadAdjustment, deposit_money
from cardroom.room.jackpot.event_values import SurveillanceCheck
from cardroom.room.jackpot.lifecycle import disable_jackpot
from cardroom.room.jackpot.pending_claims import Claim, SeatedPlayer
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import StateContradiction, UnknownClaim
from cardroom.room.jackpot.wager_counts import count_wagers
from cardroom.room.payment_references import PaymentMethod
from tests.room.jackpots import (
    FINAL_FOUR,
    PRIME_TABLE,
    SHOOTOUT,
    SHOOTOUT_TABLE,
    TIES,
    TIES_BONUS,
    JackpotLedger,
    duel_record,
    paid,
)

DIAMOND_ROYAL = TypedHand("final-four", 100, {"hand": "Jd Qd Kd", "fourth": "Ad"})
FOUR_ACES = TypedHand("final-four", 100, {"hand": "Ad Ah Ac", "fourth": "As"})
CLUB_ROYAL = TypedHand("final-four", 100, {"hand": "Jc Qc Kc", "fourth": "Ac"})
WATCHED = SurveillanceCheck("Uma", "2024-05-01 20:14")


def type_in(
    ledger: JackpotLedger, typed: TypedHand, claim: str = "c1", table: str = PRIME_TABLE
) -> tuple[DomainEvent, ...]:
    record = typed_hand_record(setup_to_json(read_setup(table)), typed, {})
    return ledger.do(claim_typed_hand(ledger.state, record, typed.seat, ledger.submission(claim)))


def win(ledger: JackpotLedger, *seats: str, claim: str = "c1", table: str = "t1") -> tuple[DomainEvent, ...]:
    return ledger.do(claim_record(ledger.state, duel_record(*seats), ledger.submission(claim, table)))


def cents(claim: Claim) -> list[int]:
    return [prize.cents for prize in claim.prizes]


def test_a_prize_of_the_whole_meter_is_locked_and_the_meter_is_reset() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    ledger.do(count_wagers(ledger.state, "t1", 1_001))
    kinds = [event.kind for event in type_in(ledger, DIAMOND_ROYAL)]
    assert kinds == ["claim-locked", "meter-reset"]
    (meter,) = ledger.state.meters
    assert meter.pending == 5_200_20 * CENT
    assert meter.displayed_cents == 5_000_00
    assert meter.reserve == 0  # the reserve gave all it had, the house the rest
    assert meter.seed_owed == (5_000_00 + 5_000_00 - 50_05) * CENT


def test_what_is_less_than_a_cent_stays_on_the_meter() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(count_wagers(ledger.state, "t1", 1))  # a seventh of a dollar: 14 cents and 28 hundredths
    win(ledger, "suit")
    assert ledger.state.claims[0].cents == 1_000_14
    assert ledger.state.meters[0].display == 1_000 * DOLLAR + 28


def test_a_prize_of_ten_percent_does_not_reset_the_meter() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    assert [event.kind for event in type_in(ledger, CLUB_ROYAL)] == ["claim-locked"]
    assert ledger.state.claims[0].cents == 500_00
    assert ledger.state.meters[0].displayed_cents == 4_500_00


def test_other_tables_play_on_while_a_prize_is_pending() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    type_in(ledger, DIAMOND_ROYAL)
    ledger.do(count_wagers(ledger.state, "t2", 5))
    assert ledger.state.meters[0].displayed_cents == 5_001_00
    assert ledger.state.claims[0].cents == 5_000_00


def test_a_check_is_paid_from_the_bank_account_once_it_is_covered() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    ledger.do(deposit_money(ledger.state, 3_000_00, who="Cy", reference="slip 7"))
    type_in(ledger, DIAMOND_ROYAL)
    for by_the_bank in (PaymentMethod.CHECK, PaymentMethod.TRANSFER):
        with pytest.raises(PaymentNotCovered, match=r"\$3,000.00"):
            paid(ledger.state, "c1", by_the_bank, verified_by="Flo", surveillance=WATCHED)
    ledger.do(deposit_money(ledger.state, 2_000_00, who="Cy", reference="slip 8"))
    (payment,) = ledger.do(paid(ledger.state, "c1", PaymentMethod.CHECK, verified_by="Flo", surveillance=WATCHED))
    assert (payment.payload["escrow"], payment.payload["undeposited"]) == (5_000 * DOLLAR, 0)
    assert ledger.state.escrow == 0
    assert ledger.state.undeposited == 5_000 * DOLLAR
    assert not ledger.state.claims
    meter = ledger.state.meters[0]
    assert (meter.pending, meter.hits, meter.won) == (0, 1, 5_000 * DOLLAR)
    with pytest.raises(UnknownClaim):
        paid(ledger.state, "c1", verified_by="Flo", surveillance=WATCHED)


def test_a_check_is_drawn_only_on_what_a_short_account_has() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    ledger.do(deposit_money(ledger.state, 5_000_00, who="Cy", reference="slip 7"))
    type_in(ledger, DIAMOND_ROYAL)
    statement = BankStatement(1_000_00, date(2026, 3, 6), 100)
    ledger.do(reconcile_account(ledger.state, statement, who="Ada", shortage_cents=4_000_00))
    for by_the_bank in (PaymentMethod.CHECK, PaymentMethod.TRANSFER):
        with pytest.raises(
            PaymentNotCovered,
            match=r"\$1,000.00",
        ):
            paid(ledger.state, "c1", by_the_bank, verified_by="Flo", surveillance=WATCHED)
    ledger.do(paid(ledger.state, "c1", PaymentMethod.CASH, verified_by="Flo", surveillance=WATCHED))
    assert (ledger.state.escrow, ledger.state.short) == (5_000 * DOLLAR, 4_000 * DOLLAR)


def test_a_deposit_for_the_house_s_part_of_a_check_is_made_once() -> None:
    """A seat wins the meter and a fixed prize of $100: one check pays both, so the cage brings the $100 to the bank."""
    ledger = JackpotLedger(FINAL_FOUR)
    type_in(ledger, DIAMOND_ROYAL)
    (claim,) = ledger.state.claims
    fixed = claim.prizes[0]._replace(level=None, share=None, cents=100_00)
    state = ledger.state._replace(claims=(claim._replace(prizes=(*claim.prizes, fixed)),))
    waits = state.undeposited // CENT
    for number, amount in enumerate((waits, 60_00, 40_00)):
        (deposited,) = deposit_money(state, amount, who="Cy", reference=f"slip {number}")
        state = apply_jackpot_event(state, deposited)
    with pytest.raises(BadAdjustment, match=r"\$0"):
        deposit_money(state, 1, who="Cy", reference="slip 9")
    assert (state.escrow, state.cage_advance) == ((waits + 100_00) * CENT, 100 * DOLLAR)
    (payment,) = paid(state, "c1", PaymentMethod.CHECK, verified_by="Flo", surveillance=WATCHED)
    assert payment.payload["escrow"] == 5_100 * DOLLAR
    assert apply_jackpot_event(state, payment).cage_advance == 0


def test_a_fixed_prize_that_no_check_of_the_account_pays_is_not_deposited() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    type_in(ledger, FOUR_ACES)
    assert ledger.state.house_pending > 0
    with pytest.raises(BadAdjustment, match=r"\$5,000"):
        deposit_money(ledger.state, 5_000_01, who="Cy", reference="slip 1")
    ledger.do(deposit_money(ledger.state, 5_000_00, who="Cy", reference="slip 1"))
    with pytest.raises(BadAdjustment, match=r"\$0"):
        deposit_money(ledger.state, 1, who="Cy", reference="slip 2")


def test_a_prize_to_a_balance_is_not_deposited() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    type_in(ledger, DIAMOND_ROYAL)
    (claim,) = ledger.state.claims
    fixed = claim.prizes[0]._replace(level=None, share=None, cents=100_00)
    automatic = claim._replace(
        prizes=(*claim.prizes, fixed), automatic=True, sat=(SeatedPlayer(claim.seats[0], "ann"),)
    )
    state = ledger.state._replace(claims=(automatic,))
    with pytest.raises(BadAdjustment):
        deposit_money(state, state.undeposited // CENT + 1, who="Cy", reference="slip 1")


def test_cash_is_paid_while_the_account_is_overdrawn() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    type_in(ledger, DIAMOND_ROYAL)
    statement = BankStatement(-10_00, date(2026, 3, 6), 100)
    ledger.do(reconcile_account(ledger.state, statement, who="Ada", shortage_cents=10_00))
    ledger.do(paid(ledger.state, "c1", PaymentMethod.CASH, verified_by="Flo", surveillance=WATCHED))
    assert not ledger.state.claims


def test_the_dealer_does_not_verify_the_dealer_s_own_hand() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    type_in(ledger, CLUB_ROYAL)
    for name in ("Dan", " dan "):
        with pytest.raises(SamePerson):
            paid(ledger.state, "c1", verified_by=name)
        with pytest.raises(SamePerson):
            refuse_claim(ledger.state, "c1", refused_by=name, why="no wager")


def test_over_three_thousand_dollars_the_surveillance_is_noted_first() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    type_in(ledger, DIAMOND_ROYAL)
    with pytest.raises(BadClaim, match=r"\$5,000"):
        paid(ledger.state, "c1", verified_by="Flo")
    for by in ("Dan", "Flo"):
        with pytest.raises(SamePerson):
            paid(ledger.state, "c1", verified_by="Flo", surveillance=SurveillanceCheck(by, "20:14"))
    (payment,) = ledger.do(paid(ledger.state, "c1", verified_by="Flo", surveillance=WATCHED))
    assert payment.payload["surveillance"] == {"by": "Uma", "at": "2024-05-01 20:14", "time": None}


def test_just_three_thousand_dollars_need_no_surveillance() -> None:
    ledger = JackpotLedger(FINAL_FOUR.replace("$5,000", "$3,000"))
    type_in(ledger, DIAMOND_ROYAL)
    ledger.do(paid(ledger.state, "c1", verified_by="Flo"))


def test_equal_winners_share_to_the_cent_and_the_odd_cent_goes_to_the_first() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(count_wagers(ledger.state, "t1", 5))
    win(ledger, "suit", "suit")
    assert cents(ledger.state.claims[0]) == [500_36, 500_35]


def test_two_hands_of_one_player_on_the_same_line_are_one_prize() -> None:
    ledger = JackpotLedger(SHOOTOUT)
    cards = {"hand": "Js Ts Js Ts", "community": "As Ks Qs 2d 3d"}
    two = TypedHand("jackpot", 100, cards, {"hand": "split Js Ts | Js Ts"})
    type_in(ledger, two, table=SHOOTOUT_TABLE)
    (prize,) = ledger.state.claims[0].prizes
    assert (prize.seat, prize.stake, prize.cents) == (1, "first hand", 250_00)
    assert prize.words == "royal flush; one share for both hands"
    ledger.do(paid(ledger.state, "c1", verified_by="Flo"))
    assert ledger.state.meter("low").hits == 1


def test_each_line_of_a_meter_is_paid_in_full_of_what_was_displayed() -> None:
    ledger = JackpotLedger(TIES)
    win(ledger, "two", "color")  # 10% and 100% of $500
    assert cents(ledger.state.claims[0]) == [50_00, 500_00]
    meter = ledger.state.meter("color")
    assert (meter.pending, meter.display) == (550 * DOLLAR, 500 * DOLLAR)
    assert meter.seed_owed == (500 + 50 + 500) * DOLLAR  # the opening, what was missing for the prizes, the reset
    ledger.do(paid(ledger.state, "c1", verified_by="Flo"))
    assert ledger.state.owed == ledger.state.undeposited == ledger.state.meter("suit").owed + 500 * DOLLAR


def test_what_prizes_take_beyond_the_meter_comes_from_overflow_reserve_and_house_in_this_order() -> None:
    setup = TIES.replace('["quads-same-suit"]', '["quads-same-suit", "quads-same-color"]')
    ledger = JackpotLedger(
        setup.replace('pays = ["quads-same-color", "quads-two-color"]', 'pays = ["quads-two-color"]')
    )
    ledger.do(count_wagers(ledger.state, "t1", 2_100))  # $300 for the meter, of which its ceiling takes $200, and $70
    ledger.do(deposit_money(ledger.state, 1_000_00, who="Cy", reference="slip 7"))
    locked, reset = win(ledger, "suit", "color")  # twice the $1,200 of the meter
    assert locked.payload["beyond"] == {
        "suit": {"overflow": 100 * DOLLAR, "reserve": 70 * DOLLAR, "house": 1_030 * DOLLAR}
    }
    assert [reset.payload[source] for source in ("overflow", "reserve", "house")] == [0, 0, 1_000 * DOLLAR]
    meter = ledger.state.meter("suit")
    assert (meter.pending, meter.display, meter.overflow, meter.reserve) == (2_400 * DOLLAR, 1_000 * DOLLAR, 0, 0)
    ledger.do(refuse_claim(ledger.state, "c1", refused_by="Flo", why="no wager", seats=[2]))
    assert cents(ledger.state.claims[0]) == [1_200_00]
    meter = ledger.state.meter("suit")
    assert (meter.overflow, meter.reserve, meter.seed_owed) == (0, 0, (1_000 + 830) * DOLLAR)
    ledger.do(refuse_claim(ledger.state, "c1", refused_by="Flo", why="no wager"))
    meter = ledger.state.meter("suit")
    assert (meter.pending, meter.display) == (0, 1_200 * DOLLAR)
    assert (meter.overflow, meter.reserve, meter.seed_owed) == (100 * DOLLAR, 70 * DOLLAR, 1_000 * DOLLAR)


def test_a_claim_within_the_meter_says_nothing_of_money_from_elsewhere() -> None:
    ledger = JackpotLedger(TIES)
    locked, *_ = win(ledger, "suit", "two")
    assert locked.payload["beyond"] == {}


@pytest.mark.parametrize("source", ["overflow", "reserve", "house"])
def test_money_from_elsewhere_that_does_not_add_up_is_found(source: str) -> None:
    ledger = JackpotLedger(TIES)
    locked, *_ = claim_record(ledger.state, duel_record("two", "color"), ledger.submission("c1"))
    beyond = {"overflow": 0, "reserve": 0, "house": 50 * DOLLAR}
    assert locked.payload["beyond"] == {"color": beyond}
    beyond[source] += 1 * DOLLAR
    with pytest.raises(StateContradiction):
        apply_jackpot_event(
            ledger.state, decode_event("claim-locked", 1, locked.payload | {"beyond": {"color": beyond}})
        )


def test_a_bonus_jackpot_pays_each_line_in_full_too() -> None:
    ledger = JackpotLedger(TIES_BONUS)
    win(ledger, "suit", "color", "two")
    assert cents(ledger.state.claims[0]) == [2_000_00, 2_000_00, 200_00]
    ledger.do(paid(ledger.state, "c1", verified_by="Flo"))
    assert ledger.balance(AccountKind.PRIZES, "t1") == 4_200 * DOLLAR


def test_a_round_can_win_on_two_levels_and_each_is_reset_by_itself() -> None:
    ledger = JackpotLedger(TIES)
    kinds = [event.kind for event in win(ledger, "suit", "two")]
    assert kinds == ["claim-locked", "meter-reset"]
    suit, color = ledger.state.meters
    assert (suit.displayed_cents, suit.pending) == (1_000_00, 1_000 * DOLLAR)
    assert (color.displayed_cents, color.pending) == (450_00, 50 * DOLLAR)


def test_only_the_highest_level_is_paid_that_the_wager_takes_part_in() -> None:
    royal = {"hand": "As Ks", "community": "Qs Js Ts 2d 3d"}
    for wagered, level, prize in ((200, "high", 2_500_00), (100, "low", 250_00)):
        ledger = JackpotLedger(SHOOTOUT)
        type_in(ledger, TypedHand("jackpot", wagered, royal), table=SHOOTOUT_TABLE)
        (won,) = ledger.state.claims[0].prizes
        assert (won.level, won.cents) == (level, prize)


def test_fixed_prizes_are_paid_from_the_chip_tray_at_once_and_not_off_the_meter() -> None:
    ledger = JackpotLedger(TIES)
    (paid,) = win(ledger, "tie", "nothing")
    assert paid.kind == "prizes-paid"
    assert paid.payload["cents"] == 20_00  # trips of two colors: the tie and the community's war card
    assert ledger.balance(AccountKind.PRIZES, "t1") == 20 * DOLLAR
    assert ledger.balance(AccountKind.CHIP_TRAY, "t1") == -20 * DOLLAR
    assert [meter.displayed_cents for meter in ledger.state.meters] == [1_000_00, 500_00]


def test_a_fixed_prize_beside_a_share_of_the_meter_does_not_wait_for_it() -> None:
    ledger = JackpotLedger(TIES)
    assert [event.kind for event in win(ledger, "two", "tie")] == ["prizes-paid", "claim-locked"]
    assert ledger.state.claims[0].seats == (1,)


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
    ledger = JackpotLedger(setup, table)
    wild = TypedHand("bonus-jackpot", 100, {"hand": "2c 2d 2h", "fourth": "2s", "fifth": "Jk"})
    assert [event.kind for event in type_in(ledger, wild, table=table)] == ["claim-locked"]
    assert ledger.state.claims[0].cents == 5_000_00  # what the jackpot displays, not what the table was set up with
    ledger.do(paid(ledger.state, "c1", verified_by="Flo", surveillance=WATCHED))
    assert ledger.balance(AccountKind.PRIZES, "t1") == 5_000 * DOLLAR


def test_a_bonus_jackpot_is_paid_by_the_house_and_shows_its_amount_as_before() -> None:
    ledger = JackpotLedger(TIES_BONUS)
    win(ledger, "suit", "suit")
    win(ledger, "two", claim="c2", table="t2")
    assert [cents(claim) for claim in ledger.state.claims] == [[1_000_00, 1_000_00], [200_00]]
    ledger.do(paid(ledger.state, "c2", verified_by="Flo"))  # the order does not matter
    ledger.do(paid(ledger.state, "c1", verified_by="Flo"))
    assert ledger.state.meters[0].displayed_cents == 2_000_00
    assert ledger.balance(AccountKind.PRIZES, "t1") == 2_000 * DOLLAR
    assert ledger.balance(AccountKind.CHIP_TRAY, "t2") == -200 * DOLLAR


def test_the_order_of_two_wins_is_recorded_and_the_later_one_waits() -> None:
    ledger = JackpotLedger(TIES)
    win(ledger, "suit")
    win(ledger, "suit", "suit", claim="c2", table="t2")
    assert [(claim.id, claim.order) for claim in ledger.state.claims] == [("c1", 1), ("c2", 2)]
    assert cents(ledger.state.claims[1]) == [500_00, 500_00]
    with pytest.raises(BadClaim):
        paid(ledger.state, "c2", verified_by="Flo")
    ledger.do(paid(ledger.state, "c1", verified_by="Flo"))
    ledger.do(paid(ledger.state, "c2", verified_by="Flo"))
    assert ledger.state.meters[0].won == 2_000 * DOLLAR


def test_a_claim_on_another_level_does_not_wait() -> None:
    ledger = JackpotLedger(TIES)
    win(ledger, "suit")
    win(ledger, "two", claim="c2")
    ledger.do(paid(ledger.state, "c2", verified_by="Flo"))


def test_a_hand_that_wins_nothing_cannot_be_claimed() -> None:
    ledger = JackpotLedger(TIES)
    with pytest.raises(BadClaim):
        win(ledger, "nothing")


def test_a_typed_hand_is_judged_by_its_cards() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    with pytest.raises(BadClaim):
        type_in(ledger, TypedHand("final-four", 100, {"hand": "2d Qd Kd", "fourth": "Ad"}))


def test_a_round_is_claimed_once() -> None:
    ledger = JackpotLedger(TIES)
    win(ledger, "suit")
    for claim in ("c1", "c2"):
        with pytest.raises(BadClaim):
            claim_record(ledger.state, duel_record("suit"), ledger.submission(claim, round_id="c1"))


def test_a_refused_round_may_be_claimed_again_but_its_fixed_prizes_are_not_paid_twice() -> None:
    ledger = JackpotLedger(TIES)
    assert [event.kind for event in win(ledger, "two", "tie")] == ["prizes-paid", "claim-locked"]
    ledger.do(refuse_claim(ledger.state, "c1", refused_by="Flo", why="the wrong dealer was named"))
    assert [event.kind for event in win(ledger, "two", "tie")] == ["claim-locked"]
    assert ledger.balance(AccountKind.PRIZES, "t1") == 20 * DOLLAR


def test_fixed_prizes_of_a_round_are_paid_once() -> None:
    ledger = JackpotLedger(TIES)
    win(ledger, "tie")
    with pytest.raises(BadClaim):
        win(ledger, "tie")


def test_a_wrong_claim_is_refused() -> None:
    ledger = JackpotLedger(TIES)
    right: dict[str, Any] = {"claim": "c1", "table": "t1", "round_id": "1", "dealer": "Dan"}
    record = duel_record("suit")
    other = record | {"table": record["table"] | {"wagers": {}}}
    wagers = record["table"]["wagers"]
    relabelled = wagers | {"tie-after-tie": wagers["tie-after-tie"] | {"paytable": "PT-BJS-DFD-TAT-02"}}
    unfinished = record | {"cards": {"seat 1 hand": ["Ks"]}, "decisions": []}
    wrong = [
        (record, {"dealer": " "}, NameMissing),
        (other, {}, BadRecord),
        (record | {"table": record["table"] | {"wagers": relabelled}}, {}, BadClaim),
        (unfinished, {}, BadClaim),
        (json.loads(example_json("deuces-wild")), {}, BadClaim),
    ]
    for entry, change, refusal in wrong:
        with pytest.raises(refusal):
            claim_record(ledger.state, entry, ledger.submission(**right | change))


def test_a_disabled_jackpot_cannot_be_won() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(disable_jackpot(ledger.state, who="Ada", why="display broken"))
    with pytest.raises(BadClaim):
        win(ledger, "suit")
