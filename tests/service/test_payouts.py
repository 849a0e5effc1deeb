"""Who was paid, how, under which number, and checked when."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardroom.chart_of_accounts import CENT, DOLLAR
from cardroom.games import read_setup
from cardroom.ledger import open_ledger
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.claim.resolution import pay_claim
from cardroom.room.dual_control import NameMissing
from cardroom.room.jackpot.custody import add_seed
from cardroom.room.jackpot.event_values import SurveillanceCheck
from cardroom.room.payment_references import BadReference, Payee, PaymentMethod
from cardroom.room.setup.calendar import BadDay, parse_time
from cardroom.room.setup.jackpot import read_jackpot_setup
from cardroom.room.setup.site import SiteSettings
from cardroom.room.setup.tabulator import TabulatorSetup, WagerSensor
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup, verify_card_room
from tests.reports.card_room import WallClock
from tests.room.jackpots import DUEL_TABLE, TIES, duel_record
from tests.service.card_rooms import CLUB_ROYAL, DIAMOND_ROYAL, WATCHED, new_id, open_room, pay, play, whole
from tests.service.test_verification import _commit

ANN = Payee(" Ann  Lee ", PaymentMethod.CHECK, " 1077")


def royal(card_room: CardRoom, claim: str = "win", round_id: str = "r1") -> None:
    play(card_room, round_id=round_id)
    card_room.claims.claim_hand(claim, "Kim", "final-four", "prime-1", round_id, CLUB_ROYAL)


def test_a_payout_is_recorded_with_player_payment_and_number(card_room: CardRoom) -> None:
    open_room(card_room)
    card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 100_00, "slip 17")
    royal(card_room)
    before = whole(card_room)
    with pytest.raises(BadClaim, match=r"\$100.00"):
        card_room.payments.pay(new_id(), "Vera", "final-four", "win", paid={1: ANN})
    assert whole(card_room) == before
    card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 400_12, "slip 18")
    answer = card_room.payments.pay(new_id(), "Vera", "final-four", "win", paid={1: ANN})
    (payout,) = answer.payouts
    assert (payout.seat, payout.player, payout.payment, payout.reference) == (1, "Ann Lee", PaymentMethod.CHECK, "1077")
    assert (payout.cents, payout.escrow, payout.undeposited) == (500_12, 500_12 * CENT, 0)
    (event,) = [one for one in card_room.history.list_jackpot_events("final-four") if one.kind == "claim-paid"]
    assert event.payload["payouts"][0]["player"] == "Ann Lee"
    assert verify_card_room(card_room.ledger).is_consistent


def test_every_winner_of_a_claim_has_a_payout_of_his_own(card_room: CardRoom) -> None:
    card_room.jackpots.open(new_id(), "Olga", read_jackpot_setup(TIES))
    ties = WagerSensor("tie-after-tie", "PT-BJS-DFD-TAT-03", "ties", "progressive", 100)
    sensors = TabulatorSetup("duel-1", "dueling-for-dollars", "Lakewood", "andromeda-3d", 7, (ties,))
    card_room.add_table(
        new_id(), "Olga", RoomTableSetup(sensors.table, read_setup(DUEL_TABLE), tabulator=UnitSetup(sensors, "u1"))
    )
    card_room.tabulate(new_id(), "Kim", "duel-1", {1: range(1, 8)}, round_id="r1")
    made = card_room.claims.claim_prizes(
        "win", "Kim", "ties", "duel-1", "r1", duel_record("suit", "nothing", "suit", "color")
    )
    prizes = {prize.seat: prize.cents for prize in made.pending}
    assert set(prizes) == {1, 3, 4}
    card_room.jackpots.deposit_to_bank(new_id(), "Carl", "ties", 1_100_00, "slip 17")
    others = {3: Payee("declined", PaymentMethod.CASH, "1"), 4: Payee("Bo", PaymentMethod.CHECK, "1")}
    for wrong in (others, {**others, 1: ANN, 2: ANN}, {}):
        with pytest.raises(BadClaim):
            card_room.payments.pay(new_id(), "Vera", "ties", "win", paid=wrong)
    paid = card_room.payments.pay(new_id(), "Vera", "ties", "win", paid={**others, 1: ANN}).payouts
    assert {one.seat: one.cents for one in paid} == prizes
    assert {one.seat: one.escrow > 0 for one in paid} == {1: True, 3: False, 4: True}
    assert sum(one.escrow + one.undeposited for one in paid) == made.cents * CENT
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_number_of_the_bank_is_used_once(card_room: CardRoom) -> None:
    open_room(card_room)
    royal(card_room, "one", "r1")
    royal(card_room, "two", "r2")
    card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", None, "slip 1")
    card_room.payments.pay("first", "Vera", "final-four", "one", paid={1: ANN})
    before = whole(card_room)
    with pytest.raises(BadReference, match="1077"):
        card_room.payments.pay(new_id(), "Vera", "final-four", "two", paid={1: ANN._replace(player="Bo")})
    assert whole(card_room) == before
    card_room.payments.pay(new_id(), "Vera", "final-four", "two", paid={1: ANN._replace(payment=PaymentMethod.CASH)})
    assert card_room.payments.pay("first", "Vera", "final-four", "one", paid={1: ANN}).claim == "one"


def test_a_deposit_slip_is_used_once(card_room: CardRoom) -> None:
    open_room(card_room)
    card_room.jackpots.deposit_to_bank("friday", "Carl", "final-four", 100_00, "Slip A")
    before = whole(card_room)
    with pytest.raises(BadReference, match="Slip slip a was entered on"):
        card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 100_00, " slip  a")
    assert whole(card_room) == before
    assert card_room.jackpots.deposit_to_bank("friday", "Carl", "final-four", 100_00, "Slip A").escrow == 100 * DOLLAR
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_payout_without_a_name_or_a_number_is_none(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    royal(in_a_file)
    for missing in (ANN._replace(player=" "), ANN._replace(reference="")):
        with pytest.raises(NameMissing):
            in_a_file.payments.pay(new_id(), "Vera", "final-four", "win", paid={1: missing})


# When the surveillance checked.


@pytest.fixture
def clock() -> WallClock:
    return WallClock()


@pytest.fixture
def evening(tmp_path: Path, clock: WallClock) -> Iterator[CardRoom]:
    """A royal at twenty to ten on March 3, in a room whose clocks show Pacific time."""
    clock.set(3, 21, 40)
    with open_ledger(f"sqlite:///{tmp_path}/room.db", clock) as ledger:
        card_room = CardRoom(ledger, clock)
        open_room(card_room)
        play(card_room, round_id="r1")
        card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
        yield card_room


@pytest.mark.parametrize(
    "result", ["21:39", "2026-03-03 21:39", "2026-03-03 21:56", "2026-03-04 21:40", "2026-03-02 21:45"]
)
def test_the_surveillance_checks_between_the_claim_and_the_payment(
    evening: CardRoom, clock: WallClock, result: str
) -> None:
    clock.set(3, 21, 55)
    before = whole(evening)
    with pytest.raises(BadClaim):
        pay(evening, "Vera", "final-four", "win", SurveillanceCheck("Uma", result))
    with pytest.raises(BadDay):
        pay(evening, "Vera", "final-four", "win", SurveillanceCheck("Uma", "a quarter to ten"))
    assert whole(evening) == before


@pytest.mark.parametrize(
    ("result", "at"),
    [
        ("21:40", "2026-03-03 21:40"),
        ("2026-03-03 21:45", "2026-03-03 21:45"),
        ("2026-03-04T05:50Z", "2026-03-03 21:50"),
        ("Now", "2026-03-03 21:55"),
    ],
)
def test_the_time_of_the_check_is_kept_as_a_time(evening: CardRoom, clock: WallClock, result: str, at: str) -> None:
    clock.set(3, 21, 55)
    pay(evening, "Vera", "final-four", "win", SurveillanceCheck("Uma", result))
    (event,) = [one for one in evening.history.list_jackpot_events("final-four") if one.kind == "claim-paid"]
    seen = event.payload["surveillance"]
    assert (seen["by"], seen["at"]) == ("Uma", at)
    assert evening.calendar.format_time(seen["time"])[:16] == at
    assert verify_card_room(evening.ledger).is_consistent


def test_the_time_is_shown_by_the_rooms_own_clock(evening: CardRoom, clock: WallClock) -> None:
    evening.site.configure(new_id(), "Olga", SiteSettings(time_zone="America/New_York"), "we moved", second="Carl")
    clock.set(3, 21, 55)
    with pytest.raises(BadClaim):
        pay(evening, "Vera", "final-four", "win", SurveillanceCheck("Uma", "2026-03-03 21:45"))
    pay(evening, "Vera", "final-four", "win", SurveillanceCheck("Uma", "2026-03-04 00:45"))


def test_a_payment_that_is_sent_again_gets_its_first_answer(evening: CardRoom, clock: WallClock) -> None:
    evening.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", None, "slip 1")
    first = evening.payments.pay("pay", "Vera", "final-four", "win", paid={1: ANN}, surveillance=WATCHED)
    clock.set(4, 12)
    assert evening.payments.pay("pay", "Vera", "final-four", "win", paid={1: ANN}, surveillance=WATCHED) == first


def test_a_verification_finds_a_check_that_was_not_between_claim_and_payment(
    evening: CardRoom, clock: WallClock
) -> None:
    clock.set(3, 21, 55)
    state = evening.jackpot("final-four")
    too_early = parse_time("2026-03-03 21:39", evening.calendar, clock.now)
    result = SurveillanceCheck("Uma", "2026-03-03 21:39", too_early)
    cash = ANN._replace(payment=PaymentMethod.CASH)
    (paid,) = pay_claim(state, "win", verified_by="Vera", paid={1: cash}, surveillance=result)
    _commit(evening, "jackpot:final-four", paid.kind, paid.payload)
    found = verify_card_room(evening.ledger).discrepancy
    assert found is not None
    assert "surveillance did not verify claim win between claim and payment" in found.sentence


def test_a_verification_finds_one_person_who_answers_twice(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    (adjusted,) = add_seed(in_a_file.jackpot("final-four"), "main", 100, who="Olga", second="Carl", why="more")
    _commit(in_a_file, "jackpot:final-four", adjusted.kind, adjusted.payload | {"second": " olga"})
    found = verify_card_room(in_a_file.ledger).discrepancy
    assert found is not None
    assert "one person did what takes two" in found.sentence
