"""The server exports signed heads by itself: every few minutes, once for several servers, and never in the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from cardroom.machine_config import HeadsDestination
from cardroom.room.site.events import HeadsSigned
from cardroom.service.chains.names import HEADS_CHAIN
from cardroom.web.services.app_context import ServerOptions
from tests.deadline import wait_until
from tests.heads.rooms import serving_witness, to_folder, to_witness
from tests.ports import reserved_port
from tests.service.staff import AUDITOR, OPERATOR, SUPERVISOR, staffed
from tests.service.table_scenes import HandClock
from tests.web.rooms import QUICK, ServedRoom, new_id, serve_room
from tests.web.users import visit


def export_to(to: HeadsDestination) -> ServerOptions:
    return replace(QUICK, heads=to, poll_seconds=0.05)


def count_signed(room: ServedRoom) -> int:
    return sum(event.kind == HeadsSigned.kind for event in room.card_room.ledger.events(HEADS_CHAIN))


def count_heads(folder: Path) -> int:
    return len(list(folder.iterdir()))


def look_at_the_clock(room: ServedRoom) -> None:
    """The export has looked at the clock as it is now, twice: once it may have been at it already."""
    looks = room.context.head_exporter.export_count
    wait_until(lambda: room.context.head_exporter.export_count >= looks + 2, "a look of the export")


def test_heads_leave_when_they_are_due_and_not_before(folder: Path) -> None:
    clock, outside = HandClock(), folder / "outside"
    with serve_room(folder, export_to(to_folder(outside, every_minutes=5)), clock) as room:
        wait_until(lambda: count_heads(outside) == 1)
        room.open_table("prime-1")
        clock.wait(4 * 60)
        look_at_the_clock(room)
        assert count_heads(outside) == 1
        clock.wait(60)
        wait_until(lambda: count_heads(outside) == 2)
        assert count_signed(room) == 2


@pytest.fixture
def port() -> Iterator[int]:
    """Where a witness is, while it is down too."""
    with reserved_port() as port:
        yield port


def test_a_witness_that_is_down_stops_no_play_and_the_office_shows_it_as_late(folder: Path, port: int) -> None:
    clock = HandClock()
    with serving_witness(folder / "witness", port) as witness:
        to = to_witness(folder, witness.address)
        with serve_room(folder, export_to(to), clock) as room:
            staffed(room.card_room)
            wait_until(lambda: count_signed(room) > 0 and room.card_room.heads.read_status(to).cosigned is not None)
    with serve_room(folder, export_to(to), clock) as room:
        operator = visit(room, OPERATOR)
        wait_until(lambda: bool(room.card_room.heads.read_status(to).destinations[0].error))
        table = room.open_table("prime-1")
        ann = room.players.admit_guest()
        ann.sit(table)
        assert ann.wager(table, ante_play=10_00)["round"] is not None
        office = unescape(operator.get("/office").text)
        assert f"The witness {to.witness} is late. The witness {to.witness} does not respond" in office
        assert "The newest heads were signed on" in office
        assert "The witness last cosigned on" in office
        room.card_room.days.open(new_id(), "Olga")
        assert "is late." in unescape(operator.get("/office/day/close").text)
        sent = operator.send_form("/office/day/close", id=new_id())
        assert sent.status_code == 303, sent.text
        assert room.card_room.room().days.open is None
        with serving_witness(folder / "witness", port):
            assert room.context.head_exporter.export() is not None
            assert f"The witness {to.witness} has them." in unescape(operator.get("/office").text)


def test_only_operators_see_where_heads_go_and_the_others_see_whether_they_are_late(folder: Path) -> None:
    to = to_folder(folder / "outside", every_minutes=60)
    to = to._replace(command=("/opt/secret/send-heads", "--token", "s3cret"))
    with serve_room(folder, export_to(to)) as room:
        staffed(room.card_room)
        wait_until(
            lambda: count_signed(room) == 1 and bool(room.card_room.heads.read_status(to).destinations[-1].error)
        )
        room.card_room.days.open(new_id(), "Olga")
        for path in ("/office", "/office/day/close"):
            whole = unescape(visit(room, OPERATOR).get(path).text)
            assert str(folder / "outside") in whole
            assert "send-heads" in whole
            result = unescape(visit(room, SUPERVISOR).get(path).text)
            assert "The folder has them." in result
            assert "The command is late. Tell an operator." in result
            for hidden in (str(folder), "send-heads", "s3cret"):
                assert hidden not in result
        assert to.signing_key is not None
        to.signing_key.unlink()
        supervisor = visit(room, SUPERVISOR)
        assert supervisor.send_form("/office/day/close", id=new_id()).status_code == 303
        result = unescape(supervisor.get("/office").text)
        assert "Heads cannot be signed now. Tell an operator." in result
        assert str(folder) not in result


def test_a_server_without_the_rooms_key_closes_the_day_and_says_in_the_office_that_it_cannot_sign(folder: Path) -> None:
    to = to_folder(folder / "outside", every_minutes=60)
    with serve_room(folder, export_to(to)) as room:
        staffed(room.card_room)
        wait_until(lambda: count_signed(room) == 1)
        assert to.signing_key is not None
        to.signing_key.unlink()
        operator = visit(room, OPERATOR)
        room.card_room.days.open(new_id(), "Olga")
        assert operator.send_form("/office/day/close", id=new_id()).status_code == 303
        assert room.card_room.room().days.open is None
        office = unescape(operator.get("/office").text)
        assert f"Heads cannot be signed now. The key that signs heads is not in {to.signing_key}" in office


@pytest.mark.parametrize("is_changed", [False, True])
def test_the_auditors_page_compares_exported_heads_too(folder: Path, is_changed: bool) -> None:
    outside = folder / "outside"
    with serve_room(folder, export_to(to_folder(outside))) as room:
        staffed(room.card_room)
        wait_until(lambda: count_heads(outside) > 0)
        if is_changed:
            file = next(outside.iterdir())
            file.write_text(file.read_text("utf-8").replace('"time": ', '"time": 1', 1), "utf-8")
        auditor = visit(room, AUDITOR)
        assert "Heads of all chains signed" in auditor.get("/office/ledger/heads").text
        auditor.send_form("/office/verify")
        wait_until(lambda: not room.context.verification.progress.running)
        progress = room.context.verification.progress
        assert progress.is_intact is not is_changed
        wrong = "Verification failed. The signed heads do not agree with the database. "
        assert progress.sentence.startswith(wrong if is_changed else "Verified: ")
        assert is_changed or "The newest exported heads are" in progress.sentence
