"""Play money and the room's own: each has accounts of its own, and nothing on the card room lets them meet."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from cardroom.chart_of_accounts import AccountKind, Currency
from cardroom.room.jackpot.bank_reconciliation import BadStatement
from cardroom.room.jackpot.custody import BadAdjustment
from cardroom.room.jackpot.events import JackpotDeposited
from cardroom.room.jackpot.lifecycle import CannotLinkJackpot
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import StateContradiction
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup
from cardroom.service.commands.tabulator_setup import CannotLink
from cardroom.service.queries.site import BankDeadlines, list_open_jackpot_items
from cardroom.service.verification.run import verify_card_room
from tests.service.automatic import open_play_room, sensors_for_play
from tests.service.card_rooms import (
    CLUB_ROYAL,
    DIAMOND_ROYAL,
    THREE_OF_A_KIND,
    all_seven,
    final_four,
    is_covered,
    new_id,
    open_room,
    pay,
    play,
    prime_sensors,
    prime_table,
    whole,
)
from tests.service.test_tabulator_changes import change_counted


def moneys(card_room: CardRoom) -> dict[Currency, int]:
    """How many accounts there are of each money."""
    accounts = list(card_room.ledger.balances())
    return {money: sum(one.currency is money for one in accounts) for money in Currency}


def test_a_jackpot_of_play_money_moves_play_money_alone(card_room: CardRoom) -> None:
    open_play_room(card_room)
    play(card_room, "play-1", rounds=3, round_id=None)
    play(card_room, "play-1", round_id="r1")
    card_room.claims.claim_hand("claim-1", "Kim", "play-four", "play-1", "r1", DIAMOND_ROYAL)
    card_room.claims.claim_hand(new_id(), "Kim", "play-four", "play-1", "r1", replace(THREE_OF_A_KIND, seat=2))
    pay(card_room, "Rosa", "play-four", "claim-1")
    there = moneys(card_room)
    assert there[Currency.REAL] == 0
    assert there[Currency.PLAY] > 7
    kinds = {one.kind for one in card_room.ledger.balances()}
    assert {AccountKind.CHIP_TRAY, AccountKind.GROSS_RECEIPTS, AccountKind.PRIZES, AccountKind.DISPLAY} <= kinds
    assert is_covered(card_room, "play-four")
    assert verify_card_room(card_room.ledger).is_consistent


def test_two_jackpots_side_by_side_keep_their_moneys_apart(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    open_play_room(in_a_file)
    before = {
        account: amount for account, amount in in_a_file.ledger.balances().items() if account.currency is Currency.REAL
    }
    play(in_a_file, "play-1", rounds=2)
    after = {
        account: amount for account, amount in in_a_file.ledger.balances().items() if account.currency is Currency.REAL
    }
    assert before == after
    assert before
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_a_void_round_and_a_refusal_go_back_in_the_same_money(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    play(in_a_file, "play-1", round_id="r1")
    play(in_a_file, "play-1", round_id="r2")
    in_a_file.claims.claim_hand("claim-1", "Kim", "play-four", "play-1", "r1", CLUB_ROYAL)
    in_a_file.claims.refuse(new_id(), "Rosa", "play-four", "claim-1", "The cards were misread.")
    in_a_file.void_round(new_id(), "Rosa", "play-1", "r2", "The shuffler jammed.", second="Lee")
    assert moneys(in_a_file)[Currency.REAL] == 0
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_a_table_plays_for_the_money_of_its_jackpots(in_a_file: CardRoom) -> None:
    open_room(in_a_file, tables=1)
    open_play_room(in_a_file)
    for sensors, sentence in (
        (sensors_for_play("new-1", "final-four"), "The table is for play money, the jackpot for"),
        (prime_sensors("new-1", "play-four"), "The table is for the room's money"),
    ):
        with pytest.raises(CannotLinkJackpot, match=sentence):
            in_a_file.add_table(
                new_id(), "Olga", RoomTableSetup(sensors.table, prime_table(), tabulator=UnitSetup(sensors, "unit-9"))
            )
    in_a_file.jackpots.open(new_id(), "Olga", all_seven())
    with pytest.raises(CannotLinkJackpot):
        in_a_file.link_table(new_id(), "Olga", "play-1", "all-seven", "A second meter.")


def test_a_table_never_changes_to_the_other_money(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    plain = prime_sensors("play-1")
    with pytest.raises(CannotLink):
        change_counted(in_a_file, prime_table(), plain, "unit-p")
    in_a_file.remove_table(new_id(), "Olga", "play-1", "The evening is over.")
    with pytest.raises(CannotLink):
        in_a_file.add_table(
            new_id(), "Olga", RoomTableSetup(plain.table, prime_table(), tabulator=UnitSetup(plain, "unit-p"))
        )
    in_a_file.add_table(
        new_id(),
        "Olga",
        RoomTableSetup("play-1", prime_table(), tabulator=UnitSetup(sensors_for_play("play-1", "play-four"), "unit-p")),
    )
    assert in_a_file.tabulator("play-1").money is Currency.PLAY


def test_a_table_changed_for_another_jackpot_of_the_other_money_is_refused(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    in_a_file.jackpots.open(new_id(), "Olga", final_four())
    sensors = sensors_for_play("play-1", "final-four")
    with pytest.raises(CannotLinkJackpot):
        change_counted(in_a_file, prime_table(), sensors, "unit-p")


def test_no_bank_takes_play_money_and_none_is_missed(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    play(in_a_file, "play-1", rounds=2)
    before = whole(in_a_file)
    with pytest.raises(BadAdjustment):
        in_a_file.jackpots.deposit_to_bank(new_id(), "Carl", "play-four", None, "slip 1")
    with pytest.raises(BadStatement):
        in_a_file.jackpots.reconcile(new_id(), "Carl", "play-four", 100, day=None)
    assert whole(in_a_file) == before
    assert in_a_file.jackpots.find_deposit_due("play-four") is None
    state, today = in_a_file.jackpot("play-four"), date(2026, 7, 1)
    days = BankDeadlines(None, today - timedelta(days=99))
    assert state.undeposited
    assert list(list_open_jackpot_items(state, days, today)) == []


def test_the_law_asks_nothing_of_play_money(in_a_file: CardRoom) -> None:
    open_room(in_a_file, tables=1)
    open_play_room(in_a_file)
    asked = {id: in_a_file.jackpot(id).law for id in ("final-four", "play-four")}
    assert (asked["final-four"].surveillance_threshold, asked["final-four"].deposit_days) == (3_000_00, 7)
    assert (asked["play-four"].surveillance_threshold, asked["play-four"].deposit_days) == (None, None)
    for number, of in enumerate(("play-1", "play-four"), 1):
        result = in_a_file.malfunctions.report(
            new_id(), "Kim", f"M-{number}", of, found_at="now", why="The light is dark."
        )
        assert result.report.due is None


def test_a_forged_deposit_of_play_money_is_found(in_a_file: CardRoom) -> None:
    open_play_room(in_a_file)
    state = in_a_file.jackpot("play-four")
    forged = JackpotDeposited("play-four", 100, state.escrow, "Carl", "slip 1")
    with pytest.raises(StateContradiction):
        apply_jackpot_event(state, forged)
