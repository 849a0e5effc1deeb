"""Heads go out of the house with every day's close, and whoever verifies finds the newest ones."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardroom.floor import Floor, verify_floor
from cardroom.floor.kept.outside import HeadsStayed
from cardroom.jackpots.happenings import HeadsSent
from cardroom.jackpots.room.days import CannotKeepDay
from cardroom.jackpots.setup.room import RoomSettings
from cardroom.ledger.export import check
from cardroom.ledger.store import Reading
from tests.floor.scenes import new_id, open_room, play


def close_a_day(floor: Floor, **settings: str) -> None:
    open_room(floor, tables=1)
    floor.set_up_room(new_id(), "Olga", RoomSettings(name="Main Street", **settings), "heads", second="Carl")
    floor.open_day(new_id(), "Olga")
    play(floor)
    floor.close_day(new_id(), "Olga")


def notes(floor: Floor) -> int:
    """How often the books say that heads went out."""
    return sum(event.kind == HeadsSent.kind for event in floor.ledger.events("room"))


def test_heads_go_into_the_folder_a_new_file_each_time(floor: Floor, tmp_path: Path) -> None:
    folder = tmp_path / "outside"
    folder.mkdir()
    close_a_day(floor, heads_folder=str(folder))
    sent = floor.send_heads("first", "Olga")
    assert floor.send_heads("first", "Olga") == sent
    assert floor.send_heads(new_id(), "Olga").where != sent.where
    assert len(list(folder.iterdir())) == notes(floor) == 2
    document = json.loads(Path(sent.where).read_text("utf-8"))
    assert (document["digest"], document["time"]) == (sent.digest, sent.time)
    assert f"heads-{sent.day}-" in sent.where
    assert floor.ledger.check_heads(document) == ()
    assert verify_floor(floor.ledger).is_whole


def test_heads_go_to_a_command_on_its_standard_input(in_a_file: Floor, tmp_path: Path) -> None:
    taken = tmp_path / "taken.json"
    script = f"import sys; open({str(taken)!r}, 'w').write(sys.stdin.read())"
    close_a_day(in_a_file, heads_command=f'{sys.executable} -c "{script}"')
    sent = in_a_file.send_heads(new_id(), "Olga")
    assert json.loads(taken.read_text("utf-8"))["digest"] == sent.digest
    outside = in_a_file.outside_heads()
    assert (outside.where, outside.time, outside.checked) == (sent.where, sent.time, False)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"heads_folder": "/no/such/folder"}, "could not be written to /no/such/folder/heads-"),
        ({"heads_command": f'{sys.executable} -c "exit(3)"'}, "ended with exit code 3"),
        ({"heads_command": "no-such-program-anywhere"}, "cannot be run"),
        ({"heads_command": 'unclosed "quote'}, "cannot be run"),
        ({}, "names neither 'heads_folder' nor 'heads_command'"),
    ],
)
def test_heads_that_stay_are_not_noted_and_the_close_stands(
    in_a_file: Floor, settings: dict[str, str], sentence: str
) -> None:
    close_a_day(in_a_file, **settings)
    with pytest.raises(HeadsStayed, match=sentence):
        in_a_file.send_heads(new_id(), "Olga")
    assert notes(in_a_file) == 0
    assert in_a_file.room().days.closed is not None


def test_heads_go_out_with_the_close_of_a_day(in_a_file: Floor) -> None:
    open_room(in_a_file)
    with pytest.raises(CannotKeepDay, match="none was closed yet"):
        in_a_file.send_heads(new_id(), "Olga")


def test_the_newest_heads_of_the_folder_are_found_and_held_against_the_books(in_a_file: Floor, tmp_path: Path) -> None:
    close_a_day(in_a_file, heads_folder=str(tmp_path))
    assert in_a_file.outside_heads() == in_a_file.outside_heads()._replace(where="", time=None)
    first = in_a_file.send_heads(new_id(), "Olga")
    outside = in_a_file.outside_heads()
    assert (outside.where, outside.time, outside.checked, outside.wrong) == (first.where, first.time, True, ())
    file = Path(first.where)
    document = json.loads(file.read_text("utf-8"))
    document["heads"][0]["sequence"] += 1
    file.write_text(json.dumps(document), "utf-8")
    assert "was changed: its digest does not fit" in in_a_file.outside_heads().wrong[0]
    again = in_a_file.send_heads(new_id(), "Olga")
    outside = in_a_file.outside_heads()
    assert (outside.where, outside.files, len(outside.wrong)) == (again.where, 2, 1)
    Path(again.where).unlink()
    assert in_a_file.outside_heads().missing == again.where


def test_the_newest_heads_are_the_newest_whatever_their_file_is_called(in_a_file: Floor, tmp_path: Path) -> None:
    close_a_day(in_a_file, heads_folder=str(tmp_path))
    first = in_a_file.send_heads(new_id(), "Olga")
    second = in_a_file.send_heads(new_id(), "Olga")
    Path(first.where).rename(tmp_path / "heads-9999-12-31.json")
    outside = in_a_file.outside_heads()
    assert (outside.where, outside.time, outside.files, outside.wrong) == (second.where, second.time, 2, ())


def test_a_head_that_stands_in_many_files_is_looked_up_once(in_a_file: Floor, tmp_path: Path) -> None:
    close_a_day(in_a_file, heads_folder=str(tmp_path))
    document = in_a_file.ledger.export_heads()
    heads = len(document["heads"])
    looked = list[object]()

    class Counting:
        def __init__(self, now: Reading) -> None:
            self.now = now

        def rows(self, *what: object) -> Iterator[object]:
            looked.append(what)
            return self.now.rows(*what)  # type: ignore[arg-type]

    with in_a_file.ledger.store.reading() as now:
        stood = set[object]()
        for _ in range(100):
            assert list(check(document, Counting(now), stood)) == []  # type: ignore[arg-type]
    assert len(looked) == heads > 2


def test_heads_stay_known_when_the_room_names_another_folder(in_a_file: Floor, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    new.mkdir()
    close_a_day(in_a_file, heads_folder=str(old))
    sent = in_a_file.send_heads(new_id(), "Olga")
    moved = RoomSettings(name="Main Street", heads_folder=str(new))
    in_a_file.set_up_room(new_id(), "Olga", moved, "a new stick", second="Carl")
    assert in_a_file.outside_heads() == (sent.where, sent.time, True, (), "", (), 1, True)
    Path(sent.where).unlink()
    assert in_a_file.outside_heads().missing == sent.where


def test_a_command_that_took_heads_is_no_file_that_is_missing(in_a_file: Floor, tmp_path: Path) -> None:
    close_a_day(in_a_file, heads_command=f'{sys.executable} -c "import sys; sys.stdin.read()"')
    sent = in_a_file.send_heads(new_id(), "Olga")
    into_folder = RoomSettings(name="Main Street", heads_folder=str(tmp_path))
    in_a_file.set_up_room(new_id(), "Olga", into_folder, "a stick", second="Carl")
    outside = in_a_file.outside_heads()
    assert (outside.where, outside.time, outside.checked, outside.missing) == (sent.where, sent.time, False, "")


def test_a_file_among_the_heads_that_is_none_is_named(in_a_file: Floor, tmp_path: Path) -> None:
    close_a_day(in_a_file, heads_folder=str(tmp_path))
    sent = in_a_file.send_heads(new_id(), "Olga")
    broken = tmp_path / "heads-2020-01-01.json"
    broken.write_text("{", "utf-8")
    outside = in_a_file.outside_heads()
    assert outside.wrong == (f"{broken}, of the day 2020-01-01: This is not an export of a ledger's heads.",)
    assert (outside.where, outside.time) == (sent.where, sent.time)
