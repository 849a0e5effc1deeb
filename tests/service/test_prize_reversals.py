"""A prize that was paid at once on a hand that was typed wrongly is taken back, so that the true one can be claimed."""

from __future__ import annotations

import orjson
import pytest

from cardroom.chart_of_accounts import DOLLAR, Account, AccountKind
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.claim.typed_hand import TypedHand
from cardroom.room.dual_control import SamePerson
from cardroom.room.jackpot.event_values import ChipsOutcome
from cardroom.room.tabulator.unit import CannotTabulate
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.queries.jackpot_history import list_change_lines
from tests.service.card_rooms import (
    CLUB_ROYAL,
    THREE_OF_A_KIND,
    is_covered,
    new_id,
    open_room,
    pay,
    play,
    whole,
)
from tests.service.test_verification import _commit, discrepancy

PRIZES = Account(AccountKind.PRIZES, "prime-1")


def mistyped(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, round_id="r1")
    card_room.claims.claim_hand("trips", "Kim", "final-four", "prime-1", "r1", THREE_OF_A_KIND)


def claim(card_room: CardRoom, hand: TypedHand) -> None:
    card_room.claims.claim_hand("true", "Kim", "final-four", "prime-1", "r1", hand)


def take_back(
    card_room: CardRoom, chips: ChipsOutcome = ChipsOutcome.RETURNED, second: str | None = "Carl", claim: str = "trips"
) -> None:
    card_room.claims.reverse_prizes(new_id(), "Vera", "final-four", claim, "typed wrongly", second=second, chips=chips)


@pytest.mark.parametrize(("chips", "cost"), [(ChipsOutcome.RETURNED, 0), (ChipsOutcome.LOST, 25)])
def test_the_true_winner_is_paid_once_the_wrong_prize_is_taken_back(
    card_room: CardRoom, chips: ChipsOutcome, cost: int
) -> None:
    mistyped(card_room)
    with pytest.raises(BadClaim):
        claim(card_room, CLUB_ROYAL)
    take_back(card_room, chips)
    assert card_room.ledger.balances()[PRIZES] == cost * DOLLAR
    claim(card_room, CLUB_ROYAL)
    pay(card_room, "Vera", "final-four", "true")
    assert is_covered(card_room)
    assert verify_card_room(card_room.ledger).is_consistent
    assert any(
        "typed wrongly" in line.note for line in list_change_lines(card_room.history.list_jackpot_events("final-four"))
    )


def test_chips_that_come_back_reverse_the_entries_of_the_prize(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, round_id="r1")
    before = in_a_file.ledger.balances()
    in_a_file.claims.claim_hand("trips", "Kim", "final-four", "prime-1", "r1", THREE_OF_A_KIND)
    take_back(in_a_file)
    after = in_a_file.ledger.balances()
    assert {account: amount for account, amount in after.items() if amount} == {
        account: amount for account, amount in before.items() if amount
    }


def test_the_round_can_be_void_once_the_prize_is_taken_back(in_a_file: CardRoom) -> None:
    mistyped(in_a_file)
    with pytest.raises(CannotTabulate):
        in_a_file.void_round(new_id(), "Kim", "prime-1", "r1", "the shuffler jammed", second="Flo")
    take_back(in_a_file)
    in_a_file.void_round(new_id(), "Kim", "prime-1", "r1", "the shuffler jammed", second="Flo")
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_the_same_hand_may_be_claimed_again_and_taken_back_again(in_a_file: CardRoom) -> None:
    mistyped(in_a_file)
    take_back(in_a_file)
    claim(in_a_file, THREE_OF_A_KIND)
    with pytest.raises(BadClaim):
        take_back(in_a_file)
    take_back(in_a_file, claim="true")
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_a_prize_is_taken_back_by_two_people_and_once_only(in_a_file: CardRoom) -> None:
    mistyped(in_a_file)
    before = whole(in_a_file)
    for second in (None, "vera"):
        with pytest.raises(SamePerson):
            take_back(in_a_file, second=second)
    with pytest.raises(BadClaim, match="royal"):
        take_back(in_a_file, claim="royal")
    assert whole(in_a_file) == before


def test_a_command_that_is_sent_again_gets_its_first_answer(in_a_file: CardRoom) -> None:
    mistyped(in_a_file)
    result = {"second": "Carl", "chips": ChipsOutcome.LOST}
    first = in_a_file.claims.reverse_prizes("once", "Vera", "final-four", "trips", "typed wrongly", **result)
    assert first.cents == 25_00
    assert in_a_file.claims.reverse_prizes("once", "Vera", "final-four", "trips", "typed wrongly", **result) == first


# A forger who has the program.


@pytest.mark.parametrize("times", [1, 2])
def test_prizes_that_were_not_paid_are_found_when_they_are_taken_back(in_a_file: CardRoom, times: int) -> None:
    mistyped(in_a_file)
    take_back(in_a_file)
    taken = orjson.loads(orjson.dumps(in_a_file.history.list_jackpot_events("final-four", 1)[0].payload))
    taken["claim"] = "trips" if times == 2 else "nobody's"
    _commit(in_a_file, "jackpot:final-four", "prizes-reversed", taken)
    assert "did not pay at once" in discrepancy(in_a_file)


def test_a_prize_that_is_taken_back_for_another_amount_is_found(in_a_file: CardRoom) -> None:
    mistyped(in_a_file)
    take_back(in_a_file, ChipsOutcome.LOST)
    taken = orjson.loads(orjson.dumps(in_a_file.history.list_jackpot_events("final-four", 1)[0].payload))
    claim(in_a_file, THREE_OF_A_KIND)
    taken["claim"], taken["cents"], taken["prizes"][0]["cents"] = "true", 24_00, 24_00
    _commit(in_a_file, "jackpot:final-four", "prizes-reversed", taken)
    assert "judged again" in discrepancy(in_a_file)
