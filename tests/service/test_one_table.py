"""A table is one thing: its game, its play, and its tabulator change together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardroom.errors import BadInput
from cardroom.games import TableSetup
from cardroom.room.dual_control import SecondPersonMissing
from cardroom.room.jackpot.event_values import SetupChange
from cardroom.service import CardRoom, PlayTerms, WrongPhase, verify_card_room
from tests.service.card_rooms import open_room, whole
from tests.service.live_scenes import LIVE, PRIME, begin, live_prime, steps, tabulate
from tests.service.table_scenes import all_wager, an_id, guests, open_prime, play_on

BEFORE, AFTER = "PB 1+PB/LD 1", "PB 1+PB/LD 3"
"""Three of a kind with a deuce pays 60 to 1 before the change, 40 to 1 after it."""
WHY = "as the operator wants it"


def with_paytable(setup: TableSetup, wager: str, paytable: str) -> TableSetup:
    return replace(setup, wagers=dict(setup.wagers) | {wager: replace(setup.wagers[wager], paytable=paytable)})


def change_game(card_room: CardRoom, setup: TableSetup, second: str | None = "Carl") -> tuple[SetupChange, ...]:
    now = card_room.read_table_setup(PRIME)
    changed = now._replace(game=setup)
    return card_room.change_table(an_id(), "Olga", changed, WHY, second=second).changes


def cheaper(card_room: CardRoom) -> TableSetup:
    """The game of the table with the paytable that pays less."""
    return with_paytable(card_room.read_table_setup(PRIME).game, "pair-bonus", AFTER)


def shown_for_trips(card_room: CardRoom) -> int:
    """What the console shows for three of a kind with a deuce on $5."""
    bets = {"ante-play": 10_00, "pair-bonus": 5_00}
    hand = {"seat 1 hand": "7c 7d 7h", "seat 1 fourth": "2c"}
    card_room.type_cards(an_id(), "Kim", PRIME, hand, wagers={1: bets}, answers={1: {"play": "fold"}})
    (seat,) = card_room.take_or_pay(PRIME).seats
    return next(one.pay for one in seat.payments if one.payment.stake == "pair-bonus")


def end_round(card_room: CardRoom) -> None:
    steps(card_room, "wagers")
    tabulate(card_room)
    steps(card_room, "deal", "decide", "reveal", "take-or-pay", "collect")
    card_room.end_live_round(an_id(), "Kim", PRIME)


def test_the_console_the_displays_and_the_odds_follow_a_change_at_the_same_moment(card_room: CardRoom) -> None:
    live_prime(card_room)
    begin(card_room)
    assert shown_for_trips(card_room) == 300_00
    end_round(card_room)
    changes = change_game(card_room, cheaper(card_room))
    assert changes == (SetupChange("pair-bonus paytable", BEFORE, AFTER),)
    begin(card_room)
    assert shown_for_trips(card_room) == 200_00
    played, counted = card_room.table(PRIME).open_table.table.setup, card_room.tabulator(PRIME).game_setup
    assert played == counted == cheaper(card_room)
    end_round(card_room)
    old, new = (card_room.get_live_round(f"{PRIME}.{number}").setup for number in (1, 2))
    assert (BEFORE in old, AFTER in old, AFTER in new) == (True, False, True)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_round_in_progress_ends_under_the_setup_with_which_it_began(card_room: CardRoom) -> None:
    live_prime(card_room)
    begin(card_room)
    before = whole(card_room)
    with pytest.raises(WrongPhase, match="in progress"):
        change_game(card_room, cheaper(card_room))
    assert whole(card_room) == before
    assert shown_for_trips(card_room) == 300_00


def test_two_people_change_what_a_wager_pays_and_one_person_the_rest(card_room: CardRoom) -> None:
    live_prime(card_room)
    before = whole(card_room)
    with pytest.raises(SecondPersonMissing):
        change_game(card_room, cheaper(card_room), second=None)
    assert whole(card_room) == before
    fewer = replace(card_room.read_table_setup(PRIME).game, seats=5)
    assert change_game(card_room, fewer, second=None) == (SetupChange("seats", "6", "5"),)
    with pytest.raises(BadInput, match="nothing to change"):
        change_game(card_room, fewer)


def test_the_differences_are_listed_before_anything_changes(card_room: CardRoom) -> None:
    live_prime(card_room)
    before = whole(card_room)
    changed = card_room.read_table_setup(PRIME)._replace(game=cheaper(card_room))
    assert card_room.list_table_changes(changed) == (SetupChange("pair-bonus paytable", BEFORE, AFTER),)
    assert whole(card_room) == before


def test_players_get_their_wagers_back_and_keep_their_seats(card_room: CardRoom) -> None:
    open_prime(card_room)
    first, second = guests(card_room, 2)
    all_wager(card_room, [first])
    before, now = card_room.table(PRIME), card_room.read_table_setup(PRIME)
    assert before.seat_wagers
    with pytest.raises(WrongPhase, match=f"{second} has seat 2"):
        card_room.change_table(an_id(), "Olga", now._replace(game=replace(now.game, seats=1)), WHY)
    fewer = now._replace(game=replace(now.game, seats=2), play=PlayTerms(betting=45))
    result = card_room.change_table(an_id(), "Olga", fewer, WHY)
    assert SetupChange("play betting", "0", "45") in result.changes
    after = card_room.table(PRIME)
    assert (after.seat_wagers, [seat.chips for seat in after.seats], after.seal) == ((), [200_00] * 2, before.seal)
    all_wager(card_room, [first, second])
    play_on(card_room)
    assert card_room.get_round(f"{PRIME}.1").setup == after.setup
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_table_gets_and_loses_its_tabulator_and_its_play(card_room: CardRoom) -> None:
    open_room(card_room, tables=1)
    counted = card_room.read_table_setup(PRIME)
    assert counted.play is None
    dealt = card_room.change_table(an_id(), "Olga", counted._replace(play=LIVE), WHY)
    assert SetupChange("play mode", "none", "live") in dealt.changes
    begin(card_room)
    end_round(card_room)
    card_room.change_table(an_id(), "Olga", counted._replace(play=LIVE, tabulator=None), WHY)
    assert (card_room.table(PRIME).tabulated, card_room.jackpot("final-four").tables) == (False, ())
    card_room.change_table(an_id(), "Olga", counted, WHY)
    assert (card_room.table(PRIME).closed, card_room.jackpot("final-four").tables) == (WHY, (PRIME,))
    assert verify_card_room(card_room.ledger).is_consistent
