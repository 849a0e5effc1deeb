"""Streams: the whole view first, then every change, to each its own; the newest for the slow; an end when all ends."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from cardroom.ledger import open_ledger
from cardroom.room.setup.example import build_demo_table
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup
from cardroom.web.services.app_context import ServerOptions
from cardroom.web.services.change_feed import POLL_SECONDS
from cardroom.web.services.event_hub import EventFrame, EventHub, StreamSubscriber
from tests.deadline import LIMIT, wait_until
from tests.web.rooms import WITHOUT_CLOCK, ServedRoom, expect_success, new_id, serve_room


def test_the_first_event_is_the_whole_present_view(room: ServedRoom) -> None:
    table, ann = room.open_table("first"), room.admit_guest()
    ann.sit(table)
    ann.wager(table, ante_play=10_00)
    with ann.stream(table) as stream:
        assert stream.next_view() == ann.view(table)


def test_after_each_command_everybody_gets_a_view_of_their_own(room: ServedRoom) -> None:
    table, ann, bob = room.open_table("own"), room.admit_guest(), room.admit_guest()
    ann.sit(table, seat=1)
    bob.sit(table, seat=2)
    with ann.stream(table) as hers, bob.stream(table) as his:
        hers.next_view()
        his.next_view()
        ann.wager(table, ante_play=10_00)
        version = bob.wager(table, ante_play=10_00)["version"]
        seen = {1: hers.wait_for(version), 2: his.wait_for(version)}
        for seat, view in seen.items():
            cards = view["round"]["view"]["cards"]
            assert view["seat"] == seat
            assert "??" not in cards[f"seat {seat} hand"]
            assert cards[f"seat {3 - seat} hand"] == ["??"] * 3
        version = ann.decide(table, "play")["version"]
        assert hers.wait_for(version) == ann.view(table)
        assert his.wait_for(version) == bob.view(table)


def test_a_view_follows_a_command_at_once_and_not_when_the_books_are_asked_again(folder: Path) -> None:
    with serve_room(folder, ServerOptions(guests=True, poll_seconds=3_600)) as room:
        ann, bob = room.admit_guest(), room.admit_guest()
        table = expect_success(ann.post("/tables", id=new_id(), game="three-card-prime"))["table"]
        open_to_all = room.open_table("prompt")
        for each_table in (table, open_to_all):
            with ann.stream(each_table) as stream:
                version = stream.next_view()["version"]
                ann.sit(each_table)
                assert stream.wait_for(version + 1)["seat"] == 1
        with bob.stream(open_to_all) as stream:
            version = stream.next_view()["version"]
            ann.wager(open_to_all, ante_play=10_00)
            assert stream.wait_for(version + 1)["seats"]["1"]["player"] == ann.name


def test_two_connections_of_one_player_get_the_same(room: ServedRoom) -> None:
    table, ann = room.open_table("same"), room.admit_guest()
    with ann.stream(table) as first, ann.stream(table) as other:
        assert first.next_view() == other.next_view()
        version = ann.sit(table)["version"]
        assert first.wait_for(version) == other.wait_for(version) == ann.view(table)


def test_any_user_walks_by_sees_what_the_display_shows(room: ServedRoom) -> None:
    table, ann, bob = room.open_table("by"), room.admit_guest(), room.admit_guest()
    ann.sit(table)
    with bob.stream(table) as stream:
        stream.next_view()
        version = ann.wager(table, ante_play=10_00)["version"]
        seen = stream.wait_for(version)
        assert (seen["seat"], seen["round"]["view"]["viewer"]) == (None, "display")
        assert seen["round"]["view"]["cards"]["seat 1 hand"] == ["??"] * 3


def test_a_browser_may_send_its_token_as_a_cookie(room: ServedRoom) -> None:
    table = room.open_table("cookie")
    with httpx.Client(base_url=room.url) as browser:
        came = browser.post("/api/v1/guests", json={"id": new_id()})
        assert "HttpOnly" in came.headers["set-cookie"]
        assert "SameSite=strict" in came.headers["set-cookie"]
        token = came.json()["token"]
        browser.post(f"/api/v1/tables/{table}/seat", json={"id": "s"}, headers={"Authorization": f"Bearer {token}"})
        with browser.stream("GET", f"/api/v1/tables/{table}/stream") as answer:
            line = next(line for line in answer.iter_lines() if line.startswith("data:"))
        assert '"seat":1,' in line
        # A command is not taken from a cookie: another page could have sent it.
        assert browser.post(f"/api/v1/tables/{table}/seat", json={"id": "t"}).status_code == 401
    with httpx.Client(base_url=room.url, cookies={"cardroom_token": "false.1.token"}) as stranger:
        assert stranger.get(f"/api/v1/tables/{table}/stream").status_code == 401


def test_what_another_program_does_is_noticed_and_asked_for_more_than_once_a_second(room: ServedRoom) -> None:
    ann, table = room.admit_guest(), room.open_table("elsewhere")
    with open_ledger(f"sqlite:///{room.card_room.ledger.store.address}") as other, ann.stream(table) as stream:
        stream.next_view()
        CardRoom(other).pause_table(new_id(), "Olga", table, "a new deck")
        assert stream.next_view()["state"] == "paused"
    assert POLL_SECONDS < 1.0


def test_a_table_that_another_program_opens_is_listed(room: ServedRoom) -> None:
    with open_ledger(f"sqlite:///{room.card_room.ledger.store.address}") as other:
        mine, room.card_room = room.card_room, CardRoom(other)
        try:
            room.open_table("opened-elsewhere")
        finally:
            room.card_room = mine
    assert "opened-elsewhere" in {listing["table"] for listing in room.admit_guest().get("/tables").json()}


def test_a_meter_that_another_table_has_moved_is_shown_at_every_table_that_plays_for_it(room: ServedRoom) -> None:
    first, other = (build_demo_table("three-card-prime", table) for table in ("linked-1", "linked-2"))
    room.card_room.jackpots.open(new_id(), "Olga", first.jackpot)
    for shown in (first, other):
        tabulator = replace(shown.tabulator, sensors=first.tabulator.sensors)
        unit = UnitSetup(tabulator, shown.unit)
        room.card_room.add_table(new_id(), "Olga", RoomTableSetup(shown.table, shown.setup, WITHOUT_CLOCK, unit))
    ann, bob = room.admit_guest(), room.admit_guest()
    ann.sit(first.table)
    bob.sit(other.table)
    with bob.stream(other.table) as stream:
        before = stream.next_view()
        ann.wager(first.table, ante_play=10_00, final_four=1_00)
        after = stream.next_view()
        assert after["version"] == before["version"]
        assert after["meters"]["final-four"] == before["meters"]["final-four"] + 20
        assert after == bob.view(other.table)


def test_practice_tables_of_others_are_not_even_looked_at_when_a_room_opens(folder: Path) -> None:
    with serve_room(folder) as before:
        ann, bob = before.admit_guest(), before.admit_guest()
        for player in (ann, bob):
            table = expect_success(player.post("/tables", id="mine", game="three-card-prime", company=1))["table"]
            player.sit(table)
        assert [listing["table"] for listing in bob.get("/tables").json()] == [table]
    with serve_room(folder) as after:
        assert after.context.change_feed.tables() == []
        bob.client = httpx.Client(base_url=f"{after.url}/api/v1", headers=bob.client.headers)
        after.players.append(bob)
        with bob.stream(table) as stream:
            stream.next_view()
            wait_until(lambda: [view.state.table for view in after.context.change_feed.tables()] == [table])
            # Company plays on there from then on.
            bob.wager(table, ante_play=10_00)
            wait_until(lambda: bob.view(table)["state"] == "playing")


def test_silence_is_broken_by_a_line_that_means_nothing(folder: Path) -> None:
    with serve_room(folder, ServerOptions(guests=True, heartbeat=0.05)) as room:
        table = room.open_table("quiet")
        with room.admit_guest().stream(table) as stream:
            stream.next_view()
            wait_until(lambda: stream.comments > 3)


def test_streams_end_when_the_server_stops(folder: Path) -> None:
    with serve_room(folder) as room, ExitStack() as opened:
        table = room.open_table("end")
        streams = [opened.enter_context(room.admit_guest().stream(table)) for _ in range(3)]
        for stream in streams:
            stream.next_view()
        room.server.config.timeout_graceful_shutdown = None  # no user else ends them
        room.server.should_exit = True
        assert [stream.next_event() for stream in streams] == [None, None, None]
        room.thread.join(LIMIT)
        assert not room.thread.is_alive()


def test_a_reader_who_goes_away_is_forgotten(room: ServedRoom) -> None:
    table, ann = room.open_table("gone"), room.admit_guest()
    with ann.stream(table) as stream:
        stream.next_view()
        assert room.context.event_hub.viewers(table) == {ann.name}
    wait_until(lambda: not room.context.event_hub.is_watched(table))


def test_three_hundred_streams_are_shown_of_one_change(room: ServedRoom) -> None:
    table, ann = room.open_table("crowd"), room.admit_guest()
    ann.sit(table)
    host, _, port = room.url.removeprefix("http://").partition(":")
    asked = f"GET /api/v1/tables/{table}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {ann.token}\r\n\r\n"

    async def watch() -> int:
        lines = [await asyncio.open_connection(host, int(port)) for _ in range(300)]
        for _, out in lines:
            out.write(asked.encode())
        for into, _ in lines:
            await into.readuntil(b"id: 2\n")
        await asyncio.to_thread(ann.wager, table, ante_play=10_00)
        result = [await asyncio.wait_for(into.readuntil(b"id: 4\n"), LIMIT) for into, _ in lines]
        for _, out in lines:
            out.close()
        return len(result)

    assert asyncio.run(watch()) == 300


# What a slow reader costs


async def read(subscriber: StreamSubscriber, most: int) -> list[bytes]:
    found: list[bytes] = []
    stream: AsyncIterator[bytes] = subscriber.__aiter__()
    async for body in stream:
        found.append(body)
        if len(found) == most:
            break
    return found


def test_a_slow_reader_finds_the_newest_view_and_nothing_else() -> None:
    async def slowly() -> list[bytes]:
        hub = EventHub()
        subscriber = hub.subscribe("t", "ann")
        for version in range(1, 1_000):
            hub.publish("t", {"ann": EventFrame(version, b"%d" % version), "bob": EventFrame(version, b"his")})
        subscriber.put(EventFrame(17, b"old news"))
        hub.end()
        return await read(subscriber, 9)

    assert asyncio.run(slowly()) == [b"999"]


@pytest.mark.parametrize(("published", "first"), [(16, b"looked"), (17, b"published"), (18, b"published")])
def test_a_stream_begins_with_the_newest_of_what_was_looked_at_and_what_was_published_meanwhile(
    published: int, first: bytes
) -> None:
    """A look that began before the stream did may be published after it, and be older than the reader's own."""

    async def opened() -> list[bytes]:
        hub = EventHub()
        subscriber = hub.subscribe("t", "ann")
        hub.publish("t", {"ann": EventFrame(published, b"published")})
        subscriber.put_first(EventFrame(17, b"looked"))
        hub.end()
        return await read(subscriber, 9)

    assert asyncio.run(opened()) == [first]


def test_a_reader_who_comes_too_late_is_sent_away() -> None:
    async def late() -> list[bytes]:
        hub = EventHub()
        hub.end()
        return await read(hub.subscribe("t", None), 9)

    assert asyncio.run(late()) == []


def test_a_reader_that_does_not_read_holds_up_no_user(room: ServedRoom) -> None:
    """Its place for the newest view is all that it costs, though its line is full."""
    table, ann, bob = room.open_table("full"), room.admit_guest(), room.admit_guest()
    ann.sit(table)
    bob.sit(table)  # never lays a wager, so that ann can change hers again and again
    host, _, port = room.url.removeprefix("http://").partition(":")
    with socket.socket() as line, ann.stream(table) as stream:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect((host, int(port)))
        asked = f"GET /api/v1/tables/{table}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {bob.token}\r\n\r\n"
        line.sendall(asked.encode())
        stream.next_view()
        for turn in range(200):
            version = ann.wager(table, ante_play=10_00 * (1 + turn % 2))["version"]
        assert stream.wait_for(version)["version"] == version


@pytest.mark.parametrize("player", ["ann", None])
def test_a_view_goes_to_those_whose_it_is(player: str | None) -> None:
    async def watched() -> list[bytes]:
        hub = EventHub()
        subscriber = hub.subscribe("t", player)
        assert hub.viewers("t") == {player}
        assert hub.viewers("u") == set()
        hub.publish("t", {player: EventFrame(1, b"mine"), "carl": EventFrame(2, b"his")})
        hub.publish("u", {player: EventFrame(3, b"elsewhere")})
        hub.end()
        return await read(subscriber, 9)

    assert asyncio.run(watched()) == [b"mine"]
