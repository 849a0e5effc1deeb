"""A user who has gone without a word holds no user up for long; and the user who is there is never led away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from websockets.sync.client import ClientConnection, connect

from cardroom.service import PlayTerms, verify_card_room
from cardroom.service.chains.names import table_chain
from cardroom.web.api.requests import PLAYER_COOKIE
from cardroom.web.services.table_timers import ABSENT_SECONDS, GRACE_SECONDS
from tests.deadline import LIMIT, wait_until
from tests.service.table_scenes import HandClock
from tests.web.rooms import QUICK, WITHOUT_CLOCK, Player, ServedRoom, expect_success, new_id, serve_room

LOOKING = replace(QUICK, poll_seconds=0.05)
WITH_CLOCK = PlayTerms(betting=20, deciding=0)
AWAY = PlayTerms().away


def met(room: ServedRoom, table: str) -> Counter[str]:
    """How often what happened at a table."""
    return Counter(event.kind for event in room.card_room.ledger.events(table_chain(table)))


def sits(room: ServedRoom, table: str, player: Player) -> bool:
    return room.card_room.table(table).seat_of(player.name) is not None


def look_around(*rooms: ServedRoom) -> None:
    """Every table was seen as it is now, and the absence timers have checked since, twice: once they may have been at
    it already."""
    for room in rooms:
        for table in room.card_room.list_tables():
            room.wait_for_server(table)
    looks = [room.context.absent_players.check_count + 2 for room in rooms]
    wait_until(
        lambda: all(room.context.absent_players.check_count >= times for room, times in zip(rooms, looks, strict=True))
    )


def has_left(room: ServedRoom, player: Player) -> bool:
    """Whether no page and no stream of a player is open."""
    return player.name not in room.context.presence.connected_players


@contextmanager
def page(room: ServedRoom, path: str, player: Player) -> Iterator[ClientConnection]:
    """An open page, as a browser holds it."""
    headers = {"Cookie": f"{PLAYER_COOKIE}={player.token}"}
    address = f"{room.url.replace('http', 'ws')}/live?page={path}"
    with connect(address, origin=room.url, additional_headers=headers) as socket:  # type: ignore[arg-type]
        socket.recv(LIMIT)
        yield socket


def test_at_a_table_with_a_clock_the_others_wait_for_it_once(folder: Path) -> None:
    clock = HandClock()
    with serve_room(folder, LOOKING, clock) as room:
        table = room.open_table("clocked", terms=WITH_CLOCK)
        ann, bob = room.players.admit_guest(), room.players.admit_guest()
        for player in (ann, bob):
            player.sit(table)
        before = bob.get("/players/me").json()["balance_cents"]
        ann.wager(table, ante_play=10_00)
        clock.wait(ABSENT_SECONDS + 1)
        wait_until(lambda: bool(room.card_room.table(table).warnings))
        assert ann.view(table)["state"] == "betting"
        clock.wait(WITH_CLOCK.betting - ABSENT_SECONDS)
        wait_until(lambda: ann.view(table)["state"] == "playing")
        clock.wait(AWAY)
        look_around(room)
        assert sits(room, table, bob), "nobody is led away while a round is played"
        ann.decide(table, "play")
        wait_until(lambda: not sits(room, table, bob))
        ann.wager(table, ante_play=10_00)
        assert ann.view(table)["state"] == "playing", "nobody is waited for any more"
        assert bob.get("/players/me").json() | {"money": ""} == {
            "player": bob.name,
            "balance_cents": before + 200_00,
            "money": "",
            "seats": [],
        }
        assert (met(room, table)["absence-warned"], met(room, table)["absence-ended"]) == (1, 0)
        bob.sit(table)
        assert verify_card_room(room.card_room.ledger).is_consistent


def test_at_a_table_without_a_clock_the_round_begins_when_the_one_who_is_gone_was_led_away(folder: Path) -> None:
    clock = HandClock()
    with serve_room(folder, LOOKING, clock) as room:
        table = room.open_table("patient", terms=WITHOUT_CLOCK)
        ann, bob, cat = (room.players.admit_guest() for _ in range(3))
        for player in (ann, bob, cat):
            player.sit(table)
        with ann.stream(table) as stream:
            laid = ann.wager(table, ante_play=10_00)
            cat.wager(table, ante_play=10_00)
            clock.wait(ABSENT_SECONDS + 1)
            wait_until(lambda: bool(room.card_room.table(table).warnings))
            clock.wait(AWAY + 1)
            wait_until(lambda: room.card_room.table(table).playing)
            seen = stream.wait_for(laid["version"] + 4)
            assert seen["state"] == "playing"
            assert sorted(seat["player"] for seat in seen["seats"].values()) == sorted([ann.name, cat.name])
        assert verify_card_room(room.card_room.ledger).is_consistent


@pytest.mark.parametrize("how", ["the seat's page", "another page", "a stream", "calls"])
def test_any_user_is_in_the_room_is_never_called(folder: Path, how: str) -> None:
    clock = HandClock()
    with serve_room(folder, LOOKING, clock) as room, ExitStack() as stack:
        table = room.open_table("kept", terms=WITHOUT_CLOCK)
        ann, bob = room.players.admit_guest(), room.players.admit_guest()
        for player in (ann, bob):
            player.sit(table)
        if how == "a stream":
            stack.enter_context(bob.stream(table)).next_view()
        elif how != "calls":
            stack.enter_context(page(room, f"/tables/{table}" if how == "the seat's page" else "/", bob))
        ann.wager(table, ante_play=10_00)
        for _ in range(12):
            clock.wait(ABSENT_SECONDS - 5)
            if how == "calls":
                bob.view(table)
            look_around(room)
        assert sits(room, table, bob)
        assert (met(room, table)["absence-warned"], met(room, table)["seat-left"]) == (0, 0)
        stack.close()  # and when it is closed, the time begins to run
        wait_until(lambda: has_left(room, bob))
        clock.wait(ABSENT_SECONDS - 5)
        look_around(room)
        assert not room.card_room.table(table).warnings
        clock.wait(5)
        wait_until(lambda: bool(room.card_room.table(table).warnings))


@pytest.mark.parametrize("how", ["page", "stream", "call", "wager"])
def test_any_user_comes_back_before_the_time_is_up_keeps_the_seat(folder: Path, how: str) -> None:
    clock = HandClock()
    with serve_room(folder, LOOKING, clock) as room, ExitStack() as stack:
        table = room.open_table("back", terms=WITHOUT_CLOCK)
        ann, bob = room.players.admit_guest(), room.players.admit_guest()
        for player in (ann, bob):
            player.sit(table)
        ann.wager(table, ante_play=10_00)
        clock.wait(ABSENT_SECONDS + 1)
        wait_until(lambda: bool(room.card_room.table(table).warnings))
        clock.wait(AWAY - 2)
        match how:
            case "page":
                stack.enter_context(page(room, f"/tables/{table}", bob))
            case "stream":
                stack.enter_context(bob.stream(table)).next_view()
            case "call":
                bob.get("/players/me")
            case "wager":
                bob.wager(table, ante_play=10_00)
        wait_until(lambda: not room.card_room.table(table).warnings)
        clock.wait(5)
        look_around(room)
        assert sits(room, table, bob)
        assert met(room, table)["absence-ended"] == (how != "wager")
        assert verify_card_room(room.card_room.ledger).is_consistent


def test_no_user_is_called_who_holds_no_user_up(folder: Path) -> None:
    clock = HandClock()
    with serve_room(folder, LOOKING, clock) as room:
        ann, bob = room.players.admit_guest(), room.players.admit_guest()
        idle = room.open_table("idle", terms=WITHOUT_CLOCK)
        for player in (ann, bob):
            player.sit(idle)
        own = expect_success(ann.post("/tables", id=new_id(), game="three-card-prime", company=2))["table"]
        ann.sit(own)
        quick = room.open_table("quick", terms=WITHOUT_CLOCK)
        cat, dan = room.players.admit_guest(), room.players.admit_guest()
        for player in (cat, dan):
            player.sit(quick)
        clock.wait(100)
        cat.wager(quick, ante_play=10_00)
        clock.wait(GRACE_SECONDS - 1)
        look_around(room)
        for table in (idle, own, quick):
            assert met(room, table)["absence-warned"] == 0
        clock.wait(2)
        wait_until(lambda: bool(room.card_room.table(quick).warnings))


def test_wagers_of_some_user_who_is_gone_are_played_to_their_end(folder: Path) -> None:
    clock = HandClock()
    with serve_room(folder, LOOKING, clock) as room:
        table = room.open_table("mid", terms=WITHOUT_CLOCK)
        ann, bob = room.players.admit_guest(), room.players.admit_guest()
        for player in (ann, bob):
            player.sit(table)
        for player in (ann, bob):
            player.wager(table, ante_play=10_00)
        ann.decide(table, "play")
        clock.wait(10_000)
        look_around(room)
        assert room.card_room.table(table).playing
        bob.decide(table, "play")
        assert (met(room, table)["absence-warned"], met(room, table)["round-played"]) == (0, 1)


@pytest.mark.parametrize("back", [True, False], ids=["comes back", "stays away"])
def test_a_restart_gives_time_to_come_back_and_no_more(folder: Path, back: bool) -> None:
    clock = HandClock()
    with serve_room(folder, LOOKING, clock) as room:
        table = room.open_table("restarted", terms=WITHOUT_CLOCK)
        ann, bob = room.players.admit_guest(), room.players.admit_guest()
        for player in (ann, bob):
            player.sit(table)
        ann.wager(table, ante_play=10_00)
        clock.wait(ABSENT_SECONDS + 1)
        wait_until(lambda: bool(room.card_room.table(table).warnings))
    clock.wait(AWAY + 100)
    with serve_room(folder, LOOKING, clock) as room, ExitStack() as stack:
        clock.wait(ABSENT_SECONDS - 8)
        look_around(room)
        assert room.card_room.table(table).warnings, "nobody has seen Bob since"
        if back:
            stack.enter_context(page(room, f"/tables/{table}", bob))
            wait_until(lambda: not room.card_room.table(table).warnings)
        look_around(room)
        assert sits(room, table, bob)
        clock.wait(9)
        if back:
            look_around(room)
            assert sits(room, table, bob)
        else:
            wait_until(lambda: not sits(room, table, bob))
        assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_player_whom_another_server_sees_is_not_led_away(folder: Path) -> None:
    clock = HandClock()
    with serve_room(folder, LOOKING, clock) as here, serve_room(folder, LOOKING, clock) as there:
        table = here.open_table("shared", terms=WITHOUT_CLOCK)
        ann, bob = here.players.admit_guest(), here.players.admit_guest()
        for player in (ann, bob):
            player.sit(table)
        with page(there, f"/tables/{table}", bob):
            ann.wager(table, ante_play=10_00)
            for times in range(1, 6):
                look_around(here, there)
                clock.wait(ABSENT_SECONDS + 1)
                wait_until(lambda times=times: met(here, table)["absence-ended"] == times)  # type: ignore[misc]
            assert sits(here, table, bob)
            assert met(here, table)["absence-warned"] == 5
        wait_until(lambda: has_left(there, bob))
        look_around(here, there)
        clock.wait(ABSENT_SECONDS + 1)
        wait_until(lambda: bool(here.card_room.table(table).warnings))
        clock.wait(AWAY + 1)
        wait_until(lambda: not sits(here, table, bob))
        assert verify_card_room(here.card_room.ledger).is_consistent
