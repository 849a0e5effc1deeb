"""`cardroom day …`: opened, closed, and printed as a book."""

from __future__ import annotations

import pytest

from tests.cli.card_room import House

BY = ("--by", "rosa")


@pytest.fixture
def played(house: House) -> House:
    house.open()
    house.execute("tabulator", "press", "table-1", "--positions", "1,3", "--round", "r1", by="kim")
    return house


def set_up(house: House, text: str) -> None:
    (house.folder / "room.toml").write_text(f'name = "Main Street"\n{text}\n', "utf-8")
    house.said("room", "configure", str(house.folder / "room.toml"), "--why", "set-up", *BY, "--second", "lee")


def test_a_day_is_opened_shown_and_closed(played: House) -> None:
    assert "No gaming day is open" in played.said("day", "show")
    opened = played.read_json("day", "open", *BY)
    assert opened["is_open"] is True
    shown = played.read_json("day", "show")
    assert (shown["day"], shown["opened_by"]) == (opened["day"], "rosa")
    assert [one["what"] for one in shown["open"]] == ["deposit due"]
    closed = played.read_json("day", "close", *BY)
    assert (closed["day"], closed["is_open"], closed["heads"]) == (opened["day"], False, None)
    assert "No heads leave this machine" in closed["stayed"]
    again = played.read_json("day", "show", "--day", opened["day"])
    assert (again["digest"], again["open"]) == (closed["digest"], closed["open"])
    people = {f"user:{login}" for login in played.sessions} | {"player:pat"}
    assert {end["chain"] for end in again["ends"]} == {"jackpot:final-four", "room", "tabulator:table-1"} | people
    assert all(end["sequence"] > 0 and len(end["hash"]) == 64 for end in again["ends"])
    (jackpot,) = again["jackpots"]
    assert (jackpot["jackpot"], jackpot["counted"], jackpot["wagered"]) == ("final-four", 2, 20_000)
    assert {"owed", "escrow", "undeposited"} <= set(jackpot)


def test_what_cannot_be_opened_or_closed_gets_a_sentence(played: House) -> None:
    assert "No gaming day is open" in played.refused("day", "close", *BY)
    played.said("day", "open", *BY)
    assert "is still open: close it first" in played.refused("day", "open", *BY)
    assert "'Monday' is not a date" in played.refused("day", "show", "--day", "Monday")
    assert "was not opened" in played.refused("day", "show", "--day", "1999-12-31")


def test_heads_given_with_verify_that_do_not_stand_are_shown_first(played: House) -> None:
    exported = played.folder / "old.json"
    played.said("heads", "print", "-o", str(exported))
    played.begin_again()
    played.open()
    said = played.said("verify", "--heads", str(exported), exit_code=1)
    assert said.startswith("Verification failed. History was rewritten. ")
    assert "Verified:" not in said


def test_a_days_book_is_one_pdf_and_the_same_again(played: House) -> None:
    day = played.read_json("day", "open", *BY)["day"]
    first, second = played.folder / "first.pdf", played.folder / "second.pdf"
    closed = played.read_json("day", "close", "-o", str(first), *BY)
    assert closed["book"]["faults"] == []
    played.execute("tabulator", "press", "table-1", "--positions", "1-6", "--round", "r2", by="kim")
    played.said("day", "open", *BY)
    set_up(played, 'time_zone = "UTC"')
    assert played.read_json("day", "report", "--day", day, "-o", str(second))["day"] == day
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(b"%PDF")


def test_a_book_is_a_pdf_of_a_day_that_was_opened(played: House) -> None:
    assert "must end with .pdf" in played.refused("day", "report", "-o", "book.csv")
    book = str(played.folder / "book.pdf")
    assert "No gaming day has been opened" in played.refused("day", "report", "-o", book)
    played.said("day", "open", *BY)
    assert "was not opened" in played.refused("day", "report", "--day", "1999-12-31", "-o", book)
    assert played.read_json("day", "report", "-o", book)["day"] == played.read_json("day", "show")["day"]


def test_reports_follow_the_days_that_were_drawn(played: House) -> None:
    day = played.read_json("day", "open", *BY)["day"]
    played.said("day", "close", *BY)
    played.execute("tabulator", "press", "table-1", "--positions", "1-6", "--round", "r2", by="kim")
    (tables, *_) = played.read_json("report", "master-games", "--day", day)["parts"]
    assert [line["rounds"] for line in tables["lines"]] == [1]
    later = played.read_json("report", "master-games", "--from", day)["parts"][0]["lines"]
    assert [line["rounds"] for line in later] == [1, 1]
    both = played.refused("report", "master-games", "--day", day, "--from", day)
    assert both == "--day is one day, --from and --to are several: use one of the two."


def test_the_rooms_history_is_a_page_and_json(played: House) -> None:
    assert "The room is not configured yet" in played.said("room", "history")
    set_up(played, 'dealer_pays = "$900"')
    set_up(played, 'dealer_pays = "$800"')
    said = " ".join(played.said("room", "history").split())
    assert "dealer's payout limit: $900 to $800" in said
    assert said.index("$900 to $800") < said.index("$500 to $900")
    assert "rosa and lee" in said
    newest, first = played.read_json("room", "history")["history"]
    assert (newest["who"], newest["second"], newest["why"]) == ("rosa", "lee", "set-up")
    assert newest["changes"] == [{"setting": "dealer_pays", "before": "$900", "after": "$800"}]
    assert [one["setting"] for one in first["changes"]] == ["name", "dealer_pays"]
    assert first["time"] < newest["time"]
