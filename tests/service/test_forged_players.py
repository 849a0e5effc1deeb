"""A replay finds any change of a player's chain, although every hash is right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cardroom.chart_of_accounts import Currency
from cardroom.ledger import Event
from cardroom.room.player.account import RESERVED_NAMES
from cardroom.room.table.state import DECIDED_BY_CLOCK, DECIDED_FOR_ABSENT
from cardroom.service import BadPlayerAccount, CardRoom, NotYourSeat
from tests.service.forged_tables import play_an_hour
from tests.service.forger import Payload, Rewritten, found, together, where
from tests.service.table_scenes import (
    PRIME,
    an_id,
    guests,
    open_prime,
)
from tests.service.test_table_jackpots import PLAY


@pytest.fixture
def hour_at_tables(in_a_file: CardRoom, monkeypatch: pytest.MonkeyPatch) -> CardRoom:
    return play_an_hour(in_a_file, monkeypatch)


def test_money_that_moves_from_one_balance_to_another_is_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_prime(in_a_file)
    ann, bob = guests(in_a_file, 2)
    for player in (ann, bob):
        in_a_file.leave_seat(an_id(), player, PRIME)
    change = together(
        where(f"player:{ann}", "chips-returned", cents=lambda cents: cents - 50_00),
        where(f"player:{bob}", "chips-returned", cents=lambda cents: cents + 50_00),
    )
    sentence = found(in_a_file, tmp_path, change)
    who = min(ann, bob)
    assert f"table prime-1 and player {who} disagree about the chips that were bought and returned" in sentence


def test_chips_that_the_table_did_not_record_are_found(hour_at_tables: CardRoom, tmp_path: Path) -> None:
    player = hour_at_tables.table(PLAY).seats[0].player

    def buy_twice(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
        if (event.chain, event.kind) != (f"player:{player}", "chips-bought"):
            return None
        return [(event.kind, payload), (event.kind, payload | {"cents": 5_00})]

    sentence = found(hour_at_tables, tmp_path, buy_twice)
    assert f"table play-1 and player {player} disagree" in sentence
    assert "Expected: nothing. Found: 500 cents, seat 1 taken, round 1" in sentence


def test_a_changed_round_of_sitting_down_is_found(hour_at_tables: CardRoom, tmp_path: Path) -> None:
    player = hour_at_tables.table(PLAY).seats[0].player
    sentence = found(hour_at_tables, tmp_path, where(f"player:{player}", "chips-bought", round=2))
    assert "Expected: 20000 cents, seat 1 taken, round 1" in sentence
    assert "Found: 20000 cents, seat 1 taken, round 2" in sentence


@pytest.mark.parametrize(
    ("changes", "amounts"),
    [
        ({"cents": 2_000_00}, "Expected: 100000 cents of play money. Found: 200000 cents of play money"),
        ({"guest": False}, "Expected: 0 cents of play money. Found: 100000 cents of play money"),
        ({"money": "room"}, "Expected: 100000 cents of play money. Found: 100000 cents of the room's money"),
    ],
)
def test_a_balance_without_a_source_is_found(
    in_a_file: CardRoom, tmp_path: Path, changes: dict[str, Any], amounts: str
) -> None:
    guest = in_a_file.players.admit_guest("first").player
    sentence = found(in_a_file, tmp_path, where(f"player:{guest}", "player-account-opened", **changes))
    assert f"the account begins with a different amount. {amounts}" in sentence


def test_a_cage_payment_by_one_person_alone_is_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    in_a_file.players.admit_player(an_id(), "Olga", "ann-lee", Currency.REAL)
    in_a_file.players.pay_in(an_id(), "Carl", "ann-lee", 50_00, "slip 1", second="Vera")
    sentence = found(in_a_file, tmp_path, where("player:ann-lee", "balance-paid-in", second="carl "))
    assert "one person did what takes two" in sentence


def test_a_player_at_a_table_for_the_other_currency_is_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_prime(in_a_file)
    in_a_file.players.admit_player(an_id(), "Olga", "ann-lee", Currency.PLAY)
    in_a_file.players.pay_in(an_id(), "Carl", "ann-lee", 500_00, "slip 1", second="Vera")
    in_a_file.take_seat(an_id(), "ann-lee", PRIME)
    sentence = found(in_a_file, tmp_path, where("player:ann-lee", "player-account-opened", money="room"))
    assert sentence == ("Table prime-1 plays for play money, and ann-lee, who sat there, has the room's money.")


def test_reserved_names_are_refused_for_players_and_bots(in_a_file: CardRoom) -> None:
    assert {DECIDED_BY_CLOCK, DECIDED_FOR_ABSENT} < RESERVED_NAMES
    open_prime(in_a_file)
    for name in RESERVED_NAMES:
        with pytest.raises(BadPlayerAccount):
            in_a_file.players.admit_player(an_id(), "Olga", name, Currency.PLAY)
        with pytest.raises(NotYourSeat):
            in_a_file.seat_bot(an_id(), "Olga", PRIME, 1, name, 100_00)
