"""A live table with a payout limit: an amount is paid only when no open position could share the limit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardroom.games import TableSetup, game
from cardroom.games.setup import with_custom_paytables
from cardroom.paytables import PaytableSpec, build_custom_paytable
from cardroom.room.table.live_payments import ChangesPaidAmount
from cardroom.room.table.terms import WrongPhase
from cardroom.service import CardRoom, verify_card_room
from tests.service.live_scenes import begin, open_live, steps
from tests.service.table_scenes import an_id, without_meters

TABLE = "limited-live"
BONUS = {"ante-play": 10_00, "pair-bonus": 100_00}
FIRST = {"seat 1 hand": "Ah Kh Qh", "seat 1 fourth": "2d", "dealer": "Jh 4d 6c"}  # a mini royal: 100 to 1
SECOND = {"seat 2 hand": "5s 6s 7s", "seat 2 fourth": "2c"}  # a straight flush
THIRD = {"seat 3 hand": "9d 9h Kc", "seat 3 fourth": "3d"}  # a pair
LOSER = {"seat 3 hand": "9d 8h Kc", "seat 3 fourth": "3d"}


def prime(payout_limit: int | None = 5_000_00) -> TableSetup:
    setup = without_meters("three-card-prime", seats=3)
    wagers = {slug: wager for slug, wager in setup.wagers.items() if slug in BONUS}
    return replace(setup, wagers=wagers, payout_limit=payout_limit)


def at_take_or_pay(card_room: CardRoom, setup: TableSetup | None = None) -> str:
    """Begin a round of three positions, and take its steps up to the reveal."""
    open_live(card_room, TABLE, setup or prime())
    round_id = begin(card_room, TABLE, (1, 2, 3))
    steps(card_room, "wagers", "deal", "decide", "reveal", table=TABLE)
    return round_id


def type_seat(card_room: CardRoom, seat: int, cards: dict[str, str], wagers: dict[str, int] | None = None) -> None:
    placed = BONUS if wagers is None else wagers
    card_room.type_cards(an_id(), "Kim", TABLE, cards, wagers={seat: placed}, answers={seat: {"play": "play"}})


def read_bonuses(card_room: CardRoom) -> dict[int, tuple[int, bool]]:
    """By seat, the payment for the Pair Bonus, and whether it is final."""
    return {
        seat.seat: (payment.pay, payment.final)
        for seat in card_room.take_or_pay(TABLE).seats
        for payment in seat.payments
        if payment.payment.spot == "pair-bonus"
    }


def test_an_amount_is_not_final_while_an_open_position_could_share_the_limit(card_room: CardRoom) -> None:
    at_take_or_pay(card_room)
    assert card_room.take_or_pay(TABLE).not_final == (), "nothing is shown yet"
    type_seat(card_room, 1, FIRST)
    assert read_bonuses(card_room) == {1: (5_000_00, False)}
    sheet = card_room.view_live_table(TABLE).to_json()["take_or_pay"]
    assert sheet["open_positions"] == [2, 3]
    (sentence,) = sheet["not_final"]
    assert sentence == (
        "The payment of seat 1 is not final, because positions 2 and 3 could share the payout limit of $5,000 a deal: "
        "type their wagers, and their cards if they have a wager on Pair Bonus."
    )
    (seat,) = sheet["seats"]
    assert {payment["spot"]: payment["final"] for payment in seat["payments"]} == {
        "ante-play": True,
        "pair-bonus": False,
    }
    type_seat(card_room, 2, SECOND)
    assert not any(final for _, final in read_bonuses(card_room).values())
    (sentence,) = card_room.take_or_pay(TABLE).not_final
    assert sentence.startswith("The payment of seats 1 and 2 is not final, because position 3 could share")
    type_seat(card_room, 3, THIRD)
    assert all(final for _, final in read_bonuses(card_room).values())
    assert card_room.take_or_pay(TABLE).not_final == ()
    assert sum(cents for cents, _ in read_bonuses(card_room).values()) == 5_000_00


def test_take_or_pay_is_refused_while_positions_that_could_share_are_open(card_room: CardRoom) -> None:
    round_id = at_take_or_pay(card_room)
    type_seat(card_room, 1, FIRST)
    type_seat(card_room, 2, SECOND)
    with pytest.raises(WrongPhase):
        steps(card_room, "take-or-pay", table=TABLE)
    live = card_room.table(TABLE).live
    assert live is not None
    assert live.taken[-1] == "reveal", "a refused step changes nothing"
    type_seat(card_room, 3, THIRD)
    steps(card_room, "take-or-pay", "collect", table=TABLE)
    displayed = {seat: cents for seat, (cents, _) in read_bonuses(card_room).items()}
    card_room.end_live_round(an_id(), "Kim", TABLE)
    past = card_room.get_live_round(round_id)
    stakes = past.ended.settled_stakes  # type: ignore[union-attr]
    settled = {stake.seat: stake.returned - stake.wagered for stake in stakes if stake.spot == "pair-bonus"}
    assert settled == displayed, "the ledger has the amounts that the dealer saw at take or pay"
    assert verify_card_room(card_room.ledger).is_consistent


def test_wagers_without_cards_are_enough_when_a_position_cannot_win_enough_to_share(card_room: CardRoom) -> None:
    at_take_or_pay(card_room)
    type_seat(card_room, 1, FIRST, {"ante-play": 10_00, "pair-bonus": 10_00})
    with pytest.raises(WrongPhase):
        steps(card_room, "take-or-pay", table=TABLE)
    card_room.type_cards(an_id(), "Kim", TABLE, wagers={2: {"ante-play": 10_00}})
    card_room.type_cards(an_id(), "Kim", TABLE, wagers={3: {"ante-play": 10_00, "pair-bonus": 50_00}})
    with pytest.raises(WrongPhase):
        steps(card_room, "take-or-pay", table=TABLE)
    card_room.type_cards(an_id(), "Kim", TABLE, wagers={3: {"ante-play": 10_00, "pair-bonus": 20_00}})
    assert read_bonuses(card_room)[1] == (1_000_00, True)
    steps(card_room, "take-or-pay", table=TABLE)


@pytest.mark.parametrize("payout_limit", [None, 100_000_00], ids=["no limit", "out of reach"])
def test_a_limit_that_no_deal_can_reach_needs_no_other_input(card_room: CardRoom, payout_limit: int | None) -> None:
    at_take_or_pay(card_room, prime(payout_limit))
    type_seat(card_room, 1, FIRST)
    assert read_bonuses(card_room) == {1: (10_000_00, True)}
    steps(card_room, "take-or-pay", table=TABLE)
    type_seat(card_room, 2, SECOND)
    type_seat(card_room, 1, {**FIRST, "seat 1 hand": "Ah Ks Qh"})


def test_prizes_for_1_count_the_same_at_open_positions_as_at_paid_positions(card_room: CardRoom) -> None:
    """51 for 1 is 50 to 1: three positions win $15,000 at most over their wagers."""
    paytable = build_custom_paytable(
        "three-card-prime", "pair-bonus", PaytableSpec("For 1", "for 1", (("mini-royal-with-deuce", "51"),))
    )
    at_take_or_pay(card_room, with_custom_paytables(prime(15_000_00), [paytable], game("three-card-prime").facts))
    type_seat(card_room, 1, FIRST)
    assert read_bonuses(card_room) == {1: (5_000_00, True)}
    steps(card_room, "take-or-pay", table=TABLE)


def test_a_round_without_a_winner_under_the_limit_is_paid_while_positions_are_open(card_room: CardRoom) -> None:
    at_take_or_pay(card_room)
    type_seat(card_room, 3, LOSER | {"dealer": "Jh 4d 6c"})
    assert read_bonuses(card_room) == {3: (0, True)}
    steps(card_room, "take-or-pay", "collect", table=TABLE)
    card_room.end_live_round(an_id(), "Kim", TABLE)


def test_an_amount_paid_under_the_limit_changes_only_after_the_step_is_undone(card_room: CardRoom) -> None:
    at_take_or_pay(card_room)
    type_seat(card_room, 1, FIRST)
    type_seat(card_room, 2, SECOND)
    type_seat(card_room, 3, LOSER)
    steps(card_room, "take-or-pay", table=TABLE)
    before = card_room.take_or_pay(TABLE)
    with pytest.raises(ChangesPaidAmount):
        type_seat(card_room, 3, THIRD)
    with pytest.raises(ChangesPaidAmount):
        card_room.type_cards(an_id(), "Kim", TABLE, wagers={1: {"ante-play": 10_00}})
    assert card_room.take_or_pay(TABLE) == before
    card_room.type_cards(an_id(), "Kim", TABLE, wagers={3: {"ante-play": 20_00, "pair-bonus": 100_00}})
    card_room.undo_step(an_id(), "Kim", TABLE)
    type_seat(card_room, 3, THIRD)
    assert read_bonuses(card_room)[1][0] < before.seats[0].pay
    steps(card_room, "take-or-pay", "collect", table=TABLE)
    card_room.end_live_round(an_id(), "Kim", TABLE)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_winner_that_is_typed_after_take_or_pay_needs_the_open_positions_too(card_room: CardRoom) -> None:
    at_take_or_pay(card_room)
    steps(card_room, "take-or-pay", table=TABLE)
    with pytest.raises(ChangesPaidAmount):
        type_seat(card_room, 1, FIRST)
    card_room.type_cards(an_id(), "Kim", TABLE, wagers={2: {"ante-play": 10_00}, 3: {"ante-play": 10_00}})
    type_seat(card_room, 1, FIRST)
    assert read_bonuses(card_room) == {1: (5_000_00, True)}


TREASURE = build_custom_paytable(
    "deuces-wild", "three-card-treasure", PaytableSpec("Long", "to 1", (("three-of-a-kind", "150"), ("flush", "2")))
)


def test_a_payment_before_the_end_of_the_deal_waits_only_for_wagers_of_that_payment(card_room: CardRoom) -> None:
    facts = game("deuces-wild").facts
    setup = with_custom_paytables(without_meters("deuces-wild", seats=2), [TREASURE], facts)
    wagers = {slug: setup.wagers[slug] for slug in ("ante-play-raise", "three-card-treasure", "five-card-fortune")}
    open_live(card_room, TABLE, replace(setup, wagers=wagers, payout_limit=20_000_00))
    begin(card_room, TABLE, (1, 2))
    steps(card_room, "wagers", "initial-cards", table=TABLE)
    treasure = {"ante-play-raise": 10_00, "three-card-treasure": 100_00}
    card_room.type_cards(an_id(), "Kim", TABLE, {"seat 1 hand": "9d 9h 9c"}, wagers={1: treasure})
    with pytest.raises(WrongPhase):
        steps(card_room, "pay-treasure", table=TABLE)
    fortune = {"ante-play-raise": 200_00, "five-card-fortune": 100_00}
    card_room.type_cards(an_id(), "Kim", TABLE, wagers={2: fortune})
    steps(card_room, "pay-treasure", table=TABLE)
