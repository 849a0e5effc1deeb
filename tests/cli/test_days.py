"""`cardroom day …`: opened, closed, printed as a book, and its heads sent out."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from cardroom.ledger.canonical import canonical
from tests.cli.house import House

BY = ("--by", "rosa")


@pytest.fixture
def played(house: House) -> House:
    house.open()
    house.jackpot("tabulate", "table-1", "--positions", "1,3", "--round", "r1", by="kim")
    return house


def set_up(house: House, text: str) -> None:
    (house.folder / "room.toml").write_text(f'name = "Main Street"\n{text}\n', "utf-8")
    house.said("room", "set", str(house.folder / "room.toml"), "--why", "set-up", *BY, "--second", "lee")


def with_folder(house: House) -> Path:
    folder = house.folder / "outside"
    folder.mkdir()
    set_up(house, f'heads_folder = "{folder}"')
    return folder


def test_a_day_is_opened_shown_and_closed(played: House) -> None:
    assert "No day is open" in played.said("day", "show")
    opened = played.told("day", "open", *BY)
    assert opened["is_open"] is True
    shown = played.told("day", "show")
    assert (shown["day"], shown["opened_by"]) == (opened["day"], "rosa")
    assert [one["what"] for one in shown["open"]] == ["deposit due"]
    closed = played.told("day", "close", *BY)
    assert (closed["day"], closed["is_open"], closed["heads"]) == (opened["day"], False, None)
    assert "names neither 'heads_folder' nor 'heads_command'" in closed["stayed"]
    again = played.told("day", "show", "--day", opened["day"])
    assert (again["digest"], again["open"]) == (closed["digest"], closed["open"])
    people = {f"person:{login}" for login in played.sessions} | {"player:pat"}
    assert {end["chain"] for end in again["ends"]} == {"jackpot:final-four", "room", "table:table-1"} | people
    assert all(end["sequence"] > 0 and len(end["hash"]) == 64 for end in again["ends"])
    (jackpot,) = again["jackpots"]
    assert (jackpot["jackpot"], jackpot["counted"], jackpot["wagered"]) == ("final-four", 2, 20_000)
    assert {"owed", "escrow", "undeposited"} <= set(jackpot)


def test_what_cannot_be_opened_or_closed_gets_a_sentence(played: House) -> None:
    assert "No day is open" in played.refused("day", "close", *BY)
    played.said("day", "open", *BY)
    assert "is still open: close it first" in played.refused("day", "open", *BY)
    assert "'Monday' is not a day" in played.refused("day", "show", "--day", "Monday")
    assert "was never opened" in played.refused("day", "show", "--day", "1999-12-31")


def test_the_heads_go_out_with_the_close_and_verify_finds_them(played: House) -> None:
    assert "No head is kept outside" in played.said("verify")
    folder = with_folder(played)
    played.said("day", "open", *BY)
    closed = played.told("day", "close", "--id", "close-1", *BY)
    played.told("day", "close", "--id", "close-1", *BY)
    (file,) = folder.iterdir()
    assert closed["heads"]["where"] == str(file)
    said = played.said("verify")
    assert re.search(rf"The newest head outside is \d minutes? old: \d{{4}}-\d\d-\d\d \d\d:\d\d, in {file}\.", said)
    assert said.count("Times are those of America/Los_Angeles.") == 1
    told = played.told("verify")["outside"]
    assert (told["holds"], told["checked"], told["where"]) == (True, True, str(file))
    assert 0 <= told["age_seconds"] < 600
    again = played.told("day", "heads", *BY)
    assert again["where"] != str(file)
    assert len(list(folder.iterdir())) == 2


def test_heads_that_cannot_go_out_leave_the_close_and_are_sent_again(played: House) -> None:
    set_up(played, 'heads_folder = "/no/such/folder"')
    played.said("day", "open", *BY)
    said = played.said("day", "close", *BY, exit_code=1)
    assert "is closed" in said
    assert "The heads could not be written to /no/such/folder/heads-" in " ".join(said.split())
    assert played.told("day", "show")["is_open"] is False
    assert "could not be written" in played.told("day", "heads", *BY, exit_code=1)["stayed"]
    taken = played.folder / "taken.json"
    (played.folder / "take.py").write_text(f"import sys; open({str(taken)!r}, 'w').write(sys.stdin.read())", "utf-8")
    command = f"{sys.executable} {played.folder / 'take.py'}"
    set_up(played, f"heads_command = {json.dumps(command)}")
    sent = played.told("day", "heads", *BY)
    assert json.loads(taken.read_text("utf-8"))["digest"] == sent["digest"]
    assert f"given to {command}" in played.said("verify")


@pytest.mark.parametrize("change", ["text", "history"])
def test_heads_outside_that_were_changed_or_do_not_stand_any_more_fail_a_verification(
    played: House, change: str
) -> None:
    folder = with_folder(played)
    played.said("day", "open", *BY)
    played.said("day", "close", *BY)
    (file,) = folder.iterdir()
    document = json.loads(file.read_text("utf-8"))
    if change == "text":
        document["heads"][0]["hash"] = "0" * 64
        file.write_text(json.dumps(document), "utf-8")
    else:  # as if the books had been begun anew
        begin_anew(played, folder)
    told = played.told("verify", exit_code=1)
    assert told["whole"] is True
    assert told["outside"]["holds"] is False
    said = played.said("verify", exit_code=1)
    assert said.startswith(f"Not whole. The heads outside do not stand any more. {file}")
    assert "Whole:" not in said
    assert "The books agree with themselves: " in said


def begin_anew(house: House, folder: Path) -> None:
    """Other books in the place of the first ones, with the same settings."""
    house.begin_anew()
    house.open()
    set_up(house, f'heads_folder = "{folder}"')


def test_a_later_close_does_not_hide_that_older_heads_do_not_stand(played: House) -> None:
    folder = with_folder(played)
    day = played.told("day", "open", *BY)["day"]
    played.said("day", "close", *BY)
    (first,) = folder.iterdir()
    begin_anew(played, folder)
    played.said("day", "open", *BY)
    played.said("day", "close", *BY)
    assert len(list(folder.iterdir())) == 2
    told = played.told("verify", exit_code=1)["outside"]
    (finding,) = told["findings"]
    assert finding.startswith(f"{first}, of the day {day}: ")
    assert (told["files"], told["holds"]) == (2, False)
    assert told["where"] != str(first)
    assert f"{first}, of the day {day}: " in played.said("verify", exit_code=1)


def test_books_that_end_before_heads_that_went_out_are_not_whole(played: House) -> None:
    folder = with_folder(played)
    early = (played.folder / "books.db").read_bytes()
    played.said("day", "open", *BY)
    played.said("day", "close", *BY)
    assert len(list(folder.iterdir())) == 1
    (played.folder / "books.db").write_bytes(early)
    assert "the books end before it, with event" in played.said("verify", exit_code=1)


def test_heads_that_went_out_last_and_are_gone_fail_a_verification(played: House) -> None:
    folder = with_folder(played)
    played.said("day", "open", *BY)
    played.said("day", "close", *BY)
    (file,) = folder.iterdir()
    file.unlink()
    said = played.said("verify", exit_code=1)
    assert said.startswith(f"Not whole. The heads that went out last are not there any more: {file}.")
    assert "name a folder" not in said
    told = played.told("verify", exit_code=1)["outside"]
    assert (told["holds"], told["missing"]) == (False, str(file))


def test_a_folder_that_cannot_be_read_is_warned_of(played: House) -> None:
    folder = with_folder(played)
    played.said("day", "open", *BY)
    played.said("day", "close", *BY)
    (file,) = folder.iterdir()
    folder.rename(played.folder / "pulled out")
    said = played.said("verify")
    assert said.startswith("Whole: ")
    assert f"The folder {folder}, in which heads are kept, cannot be read: No such file or directory." in said
    assert f"are in {file} and were not checked" in said
    assert "name a folder" not in said
    told = played.told("verify")["outside"]
    assert (told["holds"], told["checked"], told["missing"], told["unreadable"]) == (True, False, "", [str(folder)])


def test_books_whose_room_is_damaged_are_not_said_to_keep_no_heads(played: House) -> None:
    with_folder(played)
    connection = sqlite3.connect(played.folder / "books.db")
    with connection:
        connection.execute("UPDATE heads SET snapshot = '{}' WHERE chain = 'room'")
    connection.close()
    said = played.said("verify", exit_code=1)
    assert said.startswith("Not whole. ")
    assert "name a folder" not in said
    assert "Where heads are kept cannot be read in these books: hold them against heads that you have" in said


def test_heads_given_with_verify_that_do_not_stand_are_told_first(played: House) -> None:
    exported = played.folder / "old.json"
    played.said("jackpot", "heads", "-o", str(exported))
    played.begin_anew()
    played.open()
    said = played.said("verify", "--heads", str(exported), exit_code=1)
    assert said.startswith("Not whole. History was rewritten. ")
    assert "Whole:" not in said


@pytest.mark.parametrize("folder", ["outside", "./outside", "~/outside"])
def test_a_folder_for_heads_is_named_by_its_whole_path(played: House, folder: str) -> None:
    file = played.folder / "room.toml"
    file.write_text(f'name = "Main Street"\nheads_folder = "{folder}"\n', "utf-8")
    said = played.refused("room", "set", str(file), "--why", "set-up", *BY, "--second", "lee")
    assert f"'heads_folder' is '{folder}', which is another folder for whoever stands elsewhere" in said
    assert "write the whole path" in said


def test_heads_that_are_old_are_warned_of_but_verify(played: House) -> None:
    folder = with_folder(played)
    exported = played.folder / "old.json"
    played.said("jackpot", "heads", "-o", str(exported))
    document = json.loads(exported.read_text("utf-8"))

    document = {name: value for name, value in document.items() if name != "digest"}
    document["time"] -= 3 * 24 * 3600 * 1_000_000
    document["digest"] = sha256(canonical(document)).hexdigest()
    (folder / "heads-2020-01-01-old.json").write_text(json.dumps(document), "utf-8")
    said = played.said("verify")
    assert "The newest head outside is 3 days old" in said
    assert "is not protected by it" in said


def test_a_days_book_is_one_pdf_and_the_same_again(played: House) -> None:
    day = played.told("day", "open", *BY)["day"]
    first, second = played.folder / "first.pdf", played.folder / "second.pdf"
    closed = played.told("day", "close", "-o", str(first), *BY)
    assert closed["book"]["faults"] == []
    played.jackpot("tabulate", "table-1", "--positions", "1-6", "--round", "r2", by="kim")
    played.said("day", "open", *BY)
    set_up(played, 'time_zone = "UTC"')
    assert played.told("day", "book", "--day", day, "-o", str(second))["day"] == day
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(b"%PDF")


def test_a_book_is_a_pdf_of_a_day_that_was_opened(played: House) -> None:
    assert "A day's book is a .pdf" in played.refused("day", "book", "-o", "book.csv")
    book = str(played.folder / "book.pdf")
    assert "No day was ever opened" in played.refused("day", "book", "-o", book)
    played.said("day", "open", *BY)
    assert "was never opened" in played.refused("day", "book", "--day", "1999-12-31", "-o", book)
    assert played.told("day", "book", "-o", book)["day"] == played.told("day", "show")["day"]


def test_reports_follow_the_days_that_were_drawn(played: House) -> None:
    day = played.told("day", "open", *BY)["day"]
    played.said("day", "close", *BY)
    played.jackpot("tabulate", "table-1", "--positions", "1-6", "--round", "r2", by="kim")
    (tables, *_) = played.told("jackpot", "report", "master", "--day", day)["parts"]
    assert [line["rounds"] for line in tables["lines"]] == [1]
    later = played.told("jackpot", "report", "master", "--from", day)["parts"][0]["lines"]
    assert [line["rounds"] for line in later] == [1, 1]
    both = played.refused("jackpot", "report", "master", "--day", day, "--from", day)
    assert both == "A report is on one day or on several: give --day, or --from and --to."


def test_the_rooms_history_is_a_page_and_json(played: House) -> None:
    assert "Nobody has set up the room yet" in played.said("room", "history")
    set_up(played, 'dealer_pays = "$900"')
    set_up(played, 'dealer_pays = "$800"')
    said = " ".join(played.said("room", "history").split())
    assert "a dealer pays alone: $900 to $800" in said
    assert said.index("$900 to $800") < said.index("$500 to $900")
    assert "rosa and lee" in said
    newest, first = played.told("room", "history")["history"]
    assert (newest["who"], newest["second"], newest["why"]) == ("rosa", "lee", "set-up")
    assert newest["changes"] == [{"setting": "dealer_pays", "before": "$900", "after": "$800"}]
    assert [one["setting"] for one in first["changes"]] == ["name", "dealer_pays"]
    assert first["time"] < newest["time"]
