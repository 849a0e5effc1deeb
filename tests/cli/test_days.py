"""`cardroom day …`: opening, closing, and the report of a gaming day."""

from __future__ import annotations

import pytest

from tests.cli.card_room import CliRoom

BY = ("--by", "rosa")


@pytest.fixture
def played(cli_room: CliRoom) -> CliRoom:
    cli_room.open()
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1,3", "--round", "r1", by="kim")
    return cli_room


def configure_room(cli_room: CliRoom, text: str) -> None:
    (cli_room.folder / "room.toml").write_text(f'name = "Main Street"\n{text}\n', "utf-8")
    cli_room.read_output(
        "room", "configure", str(cli_room.folder / "room.toml"), "--why", "setup", *BY, "--second", "lee"
    )


def test_a_day_is_opened_shown_and_closed_with_the_head_of_every_chain(played: CliRoom) -> None:
    assert "No gaming day is open" in played.read_output("day", "show")
    opened = played.read_json("day", "open", *BY)
    assert opened["is_open"] is True
    shown = played.read_json("day", "show")
    assert (shown["day"], shown["opened_by"]) == (opened["day"], "rosa")
    assert [item["what"] for item in shown["open"]] == ["deposit due"]
    closed = played.read_json("day", "close", *BY)
    assert (closed["day"], closed["is_open"], closed["heads"]) == (opened["day"], False, None)
    assert "No heads leave this machine" in closed["stayed"]
    again = played.read_json("day", "show", "--day", opened["day"])
    assert (again["digest"], again["open"]) == (closed["digest"], closed["open"])
    chains_of_users = {f"user:{login}" for login in played.sessions} | {"player:pat"}
    assert {head["chain"] for head in again["ends"]} == {
        "jackpot:final-four",
        "room",
        "tabulator:table-1",
    } | chains_of_users
    assert all(head["sequence"] > 0 and len(head["hash"]) == 64 for head in again["ends"])
    (jackpot,) = again["jackpots"]
    assert (jackpot["jackpot"], jackpot["counted"], jackpot["wagered"]) == ("final-four", 2, 20_000)
    assert {"owed", "escrow", "undeposited"} <= set(jackpot)


def test_a_day_that_cannot_be_opened_or_closed_is_refused_with_a_sentence(played: CliRoom) -> None:
    assert "No gaming day is open" in played.read_refusal("day", "close", *BY)
    played.read_output("day", "open", *BY)
    assert "is still open: close it first" in played.read_refusal("day", "open", *BY)
    assert "'Monday' is not a date" in played.read_refusal("day", "show", "--day", "Monday")
    assert "was not opened" in played.read_refusal("day", "show", "--day", "1999-12-31")


def test_verify_reports_first_that_the_exported_heads_do_not_match(played: CliRoom) -> None:
    exported = played.folder / "old.json"
    played.read_output("heads", "print", "-o", str(exported))
    played.reset()
    played.open()
    output = played.read_output("verify", "--heads", str(exported), exit_code=1)
    assert output.startswith("Verification failed. History was rewritten. ")
    assert "Verified:" not in output


def test_the_report_of_a_closed_day_is_one_pdf_and_never_changes(played: CliRoom) -> None:
    day = played.read_json("day", "open", *BY)["day"]
    first, second = played.folder / "first.pdf", played.folder / "second.pdf"
    closed = played.read_json("day", "close", "-o", str(first), *BY)
    assert closed["book"]["faults"] == []
    played.execute("tabulator", "press", "table-1", "--positions", "1-6", "--round", "r2", by="kim")
    played.read_output("day", "open", *BY)
    configure_room(played, 'time_zone = "UTC"')
    assert played.read_json("day", "report", "--day", day, "-o", str(second))["day"] == day
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(b"%PDF")


def test_a_day_report_is_a_pdf_of_a_day_that_was_opened(played: CliRoom) -> None:
    assert "must end with .pdf" in played.read_refusal("day", "report", "-o", "book.csv")
    report = str(played.folder / "book.pdf")
    assert "No gaming day has been opened" in played.read_refusal("day", "report", "-o", report)
    played.read_output("day", "open", *BY)
    assert "was not opened" in played.read_refusal("day", "report", "--day", "1999-12-31", "-o", report)
    assert played.read_json("day", "report", "-o", report)["day"] == played.read_json("day", "show")["day"]


def test_reports_follow_the_gaming_days(played: CliRoom) -> None:
    day = played.read_json("day", "open", *BY)["day"]
    played.read_output("day", "close", *BY)
    played.execute("tabulator", "press", "table-1", "--positions", "1-6", "--round", "r2", by="kim")
    (table_part, *_) = played.read_json("report", "master-games", "--day", day)["parts"]
    assert [line["rounds"] for line in table_part["lines"]] == [1]
    later = played.read_json("report", "master-games", "--from", day)["parts"][0]["lines"]
    assert [line["rounds"] for line in later] == [1, 1]
    both = played.read_refusal("report", "master-games", "--day", day, "--from", day)
    assert both == "--day is one day, --from and --to are several: use one of the two."


def test_the_history_of_the_room_is_printed_as_text_and_as_json(played: CliRoom) -> None:
    assert "The room is not configured yet" in played.read_output("room", "history")
    configure_room(played, 'dealer_pays = "$900"')
    configure_room(played, 'dealer_pays = "$800"')
    output = " ".join(played.read_output("room", "history").split())
    assert "dealer's payout limit: $900 to $800" in output
    assert output.index("$900 to $800") < output.index("$500 to $900")
    assert "rosa and lee" in output
    newest, first = played.read_json("room", "history")["history"]
    assert (newest["who"], newest["second"], newest["why"]) == ("rosa", "lee", "setup")
    assert newest["changes"] == [{"setting": "dealer_pays", "before": "$900", "after": "$800"}]
    assert [change["setting"] for change in first["changes"]] == ["name", "dealer_pays"]
    assert first["time"] < newest["time"]
