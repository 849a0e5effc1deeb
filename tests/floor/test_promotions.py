"""An operator's extra prizes."""

from __future__ import annotations

from datetime import date

import pytest

from cardroom.accounts import DOLLAR, Account, AccountKind
from cardroom.faults import BadInput
from cardroom.floor import Floor, verify_floor
from cardroom.jackpots import Promotion, read_promotion
from tests.floor.scenes import new_id, open_room
from tests.floor.test_claims import finished_round

STRAIGHTS: Promotion = read_promotion("""
    id = "summer-straights"
    name = "Summer Straights"
    game = "three-card-prime"
    wager = "final-four"
    paytable = "F4P-1"
    event = "four-card-straight"
    prize = "$25"
    first = "2026-06-01"
    last = "2026-08-31"
    most_prizes = 2
    most_dollars = "$2,500"
    rules = "Every four-card straight on the Final Four wins $25 more while the promotion lasts."
""")
JULY = date(2026, 7, 4)
STRAIGHT = finished_round("5c 6d 7h", "8c")


def test_a_promotion_pays_the_hands_that_the_rules_find(floor: Floor) -> None:
    open_room(floor)
    floor.announce_promotion(new_id(), "Olga", STRAIGHTS)
    id = new_id()
    paid = floor.pay_promotion(id, "Kim", "summer-straights", "prime-1", "r1", STRAIGHT, when=JULY)
    assert (paid.seats, paid.cents, paid.standing.prizes_left) == ((1,), 25_00, 1)
    assert floor.pay_promotion(id, "Kim", "summer-straights", "prime-1", "r1", STRAIGHT, when=JULY) == paid
    assert floor.ledger.balances()[Account(AccountKind.PRIZES, "prime-1")] == 25 * DOLLAR
    with pytest.raises(BadInput, match="paid already"):
        floor.pay_promotion(new_id(), "Kim", "summer-straights", "prime-1", "r1", STRAIGHT, when=JULY)
    assert verify_floor(floor.ledger).is_whole


def test_a_promotion_keeps_to_its_dates_and_its_limit(in_a_file: Floor) -> None:
    floor = in_a_file
    open_room(floor)
    floor.announce_promotion(new_id(), "Olga", STRAIGHTS)

    def pay(round_id: str, when: date) -> int:
        return floor.pay_promotion(new_id(), "Kim", STRAIGHTS.id, "prime-1", round_id, STRAIGHT, when=when).cents

    assert [pay("r1", date(2026, 9, 1)), pay("r2", JULY), pay("r3", JULY), pay("r4", JULY)] == [0, 25_00, 25_00, 0]


def test_a_hand_that_is_not_the_event_is_paid_nothing(in_a_file: Floor) -> None:
    open_room(in_a_file)
    in_a_file.announce_promotion(new_id(), "Olga", STRAIGHTS)
    with pytest.raises(BadInput, match="pays nothing"):
        in_a_file.pay_promotion(
            new_id(), "Kim", STRAIGHTS.id, "prime-1", "r1", finished_round("2c 5d 9h", "Ac"), when=JULY
        )


def test_a_promotion_that_has_ended_pays_nothing(in_a_file: Floor) -> None:
    open_room(in_a_file)
    in_a_file.announce_promotion(new_id(), "Olga", STRAIGHTS)
    assert in_a_file.end_promotion(new_id(), "Olga", STRAIGHTS.id, "the money is spent").ended
    assert in_a_file.pay_promotion(new_id(), "Kim", STRAIGHTS.id, "prime-1", "r1", STRAIGHT, when=JULY).cents == 0
    with pytest.raises(BadInput, match="announced already"):
        in_a_file.announce_promotion(new_id(), "Olga", STRAIGHTS)
