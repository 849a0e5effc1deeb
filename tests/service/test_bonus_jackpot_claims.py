"""Pending prizes that do not come from a meter, and the jackpot wagers of a past live round."""

from __future__ import annotations

from cardroom.chart_of_accounts import DOLLAR
from cardroom.room.claim.typed_hand import TypedHand
from cardroom.service import CardRoom
from tests.service.card_rooms import DIAMOND_ROYAL, final_four, open_room, play
from tests.service.live_scenes import PRIME, TO_THE_END, begin, live_prime, steps, tabulate
from tests.service.table_scenes import an_id

FOUR_ACES = TypedHand("final-four", 100, {"hand": "Ad Ah Ac", "fourth": "As"})


def test_the_house_owes_a_pending_fixed_prize(in_a_file: CardRoom) -> None:
    open_room(in_a_file, tables=1, setup=final_four())
    play(in_a_file, round_id="r1")
    assert in_a_file.jackpot("final-four").house_pending == 0
    result = in_a_file.claims.claim_hand("aces", "Kim", "final-four", PRIME, "r1", FOUR_ACES)
    state = in_a_file.jackpot("final-four")
    assert result.claim is not None
    assert state.house_pending == sum(claim.cents for claim in state.claims) * DOLLAR // 100 > 0
    assert all(meter.pending == 0 for meter in state.meters)


def test_the_house_does_not_owe_a_pending_prize_from_the_meter(in_a_file: CardRoom) -> None:
    open_room(in_a_file, tables=1)
    play(in_a_file, round_id="r1")
    in_a_file.claims.claim_hand("royal", "Kim", "final-four", PRIME, "r1", DIAMOND_ROYAL)
    state = in_a_file.jackpot("final-four")
    assert state.meters[0].pending
    assert state.house_pending == 0


def test_the_total_wagered_in_a_past_live_round_includes_the_jackpot_wager(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    live_prime(card_room)
    round_id = begin(card_room)
    steps(card_room, "wagers")
    tabulate(card_room, 2)
    wagers = {2: {"ante-play": 10_00, "final-four": 1_00}}
    cards = {"seat 2 hand": "9d 9h Kd", "seat 2 fourth": "2c", "dealer": "Ac 4d 2s"}
    card_room.type_cards(an_id(), "Kim", PRIME, cards, wagers=wagers, answers={2: {"play": "play"}})
    steps(card_room, *TO_THE_END)
    card_room.end_live_round(an_id(), "Kim", PRIME)
    past = card_room.get_live_round(round_id)
    assert dict(past.wagered) == {2: 21_00}, "ante, play and jackpot"
    assert past.summarize()["wagered_cents"] == 21_00
