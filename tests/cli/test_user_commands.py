"""People by commands: the first operator, sign-in, sessions, two people, and nothing secret anywhere."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from pathlib import Path

import pytest

from tests.cli.card_room import CliRoom
from tests.deadline import LIMIT
from tests.service.staff import password_of

OWN = "nine brass kettles"


def alone(cli_room: CliRoom, *arguments: str, **variables: str) -> str:
    """A command without a session in the environment; what is said for people, or the refusal."""
    result = cli_room.run(*arguments, **{"CARDROOM_SESSION": "", **variables})
    assert result.exit_code in (0, 1, 2), result.exception
    return result.stdout or result.stderr


def sign_in(cli_room: CliRoom, login: str, **more: str) -> str:
    return alone(cli_room, "sign-in", login, CARDROOM_PASSWORD=password_of(login), **more)


def log_of(cli_room: CliRoom, login: str) -> list[str]:
    return [one["sentences"] for one in cli_room.read_json("user", "history", login)["events"]]


# The first operator.


def test_a_room_begins_with_its_first_operator_and_there_is_no_second_first(empty_cli_room: CliRoom) -> None:
    first = ("init", "rosa", "--name", "Rosa Diaz")
    assert "Password for rosa is missing" in alone(empty_cli_room, *first)
    assert "too short" in alone(empty_cli_room, *first, CARDROOM_PASSWORD="kettle")
    assert "rosa is the first operator" in alone(empty_cli_room, *first, CARDROOM_PASSWORD=OWN)
    again = ("init", "eve", "--name", "Eve")
    assert "already has its first operator" in alone(empty_cli_room, *again, CARDROOM_PASSWORD=OWN)
    payload = json.loads(alone(empty_cli_room, "user", "list", "--by", "rosa", "--json", CARDROOM_PASSWORD=OWN))
    assert [(one["login"], one["role"], one["state"]) for one in payload["users"]] == [("rosa", "operator", "active")]


def test_books_that_have_no_user_are_open_to_looks_and_closed_to_commands(empty_cli_room: CliRoom) -> None:
    from cardroom.ledger import open_ledger

    open_ledger(empty_cli_room.database).close()
    assert "There is no jackpot" in alone(empty_cli_room, "jackpot", "list")
    for command in (("day", "open"), ("day", "open", "--by", "rosa"), ("sign-in", "rosa"), ("whoami",)):
        assert "`cardroom init`" in alone(empty_cli_room, *command)
    with sqlite3.connect(empty_cli_room.folder / "ledger.db") as books:
        assert books.execute("SELECT count(*) FROM events").fetchone() == (0,)
    books.close()


# Signing in.


def test_who_is_signed_in_gives_commands_until_signing_out(cli_room: CliRoom) -> None:
    assert "No user is signed in" in alone(cli_room, "day", "open")
    assert "lee is signed in as a supervisor until" in sign_in(cli_room, "lee")
    assert "lee is signed in" in alone(cli_room, "whoami")
    assert json.loads(alone(cli_room, "day", "open", "--json"))["day"]
    assert cli_room.read_json("day", "show")["opened_by"] == "lee"
    assert "lee is signed out" in alone(cli_room, "sign-out")
    assert "No user was signed in" in alone(cli_room, "sign-out")
    result = cli_room.run("whoami", CARDROOM_SESSION="")
    assert (result.exit_code, result.stdout.split(":")[0]) == (1, "No user is signed in on this machine")
    assert "No user is signed in" in alone(cli_room, "day", "close")
    assert log_of(cli_room, "lee")[0] == "Session ended by lee: signed out."


def test_the_token_is_in_a_file_of_its_owner_alone_and_in_no_output(cli_room: CliRoom) -> None:
    said = sign_in(cli_room, "lee")
    file = cli_room.folder / "state" / "cardroom" / "sessions.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    ((books, token),) = json.loads(file.read_text()).items()
    assert (books, token[:6]) == (str(cli_room.folder / "ledger.db"), "lee.s.")
    assert token not in said
    assert token not in alone(cli_room, "whoami", "--json")
    sign_in(cli_room, "kim")
    assert "Session ended by lee: signed out." in log_of(cli_room, "lee")


def test_a_script_gives_commands_with_a_token(cli_room: CliRoom) -> None:
    token = alone(cli_room, "sign-in", "lee", "--token", CARDROOM_PASSWORD=password_of("lee")).strip()
    assert not (cli_room.folder / "state").exists()
    assert cli_room.run("day", "open", CARDROOM_SESSION=token).exit_code == 0
    assert "belongs to lee, not to kim" in alone(cli_room, "day", "close", "--by", "kim", CARDROOM_SESSION=token)
    assert "has ended or is unknown" in alone(cli_room, "day", "close", CARDROOM_SESSION=token[:-1] + "x")


def test_some_user_signs_in_for_one_command_and_the_session_ends_with_it(cli_room: CliRoom) -> None:
    assert "is open" in alone(cli_room, "day", "open", "--by", "lee", CARDROOM_PASSWORD=password_of("lee"))
    assert log_of(cli_room, "lee")[:2] == [
        "Session ended by lee: signed out.",
        next(one for one in log_of(cli_room, "lee") if one.startswith("Signed in at the command line")),
    ]
    assert not (cli_room.folder / "state").exists()
    sign_in(cli_room, "lee")
    before = len(log_of(cli_room, "lee"))
    assert "closed" in alone(cli_room, "day", "close", "--by", "lee"), "who is signed in here types no password again"
    assert len(log_of(cli_room, "lee")) == before


def test_a_session_that_is_over_is_shown_and_forgotten(cli_room: CliRoom) -> None:
    sign_in(cli_room, "lee")
    cli_room.read_output("user", "end-session", "lee", "--why", "The terminal stood open")
    assert "The session of lee has ended" in alone(cli_room, "day", "open")
    assert "No user is signed in" in alone(cli_room, "day", "open")


def test_three_wrong_passwords_lock_and_two_people_help(cli_room: CliRoom) -> None:
    for _ in range(2):
        assert "password is wrong" in alone(cli_room, "day", "open", "--by", "lee", CARDROOM_PASSWORD="not this one")
    assert "password is wrong" in alone(cli_room, "sign-in", "lee", CARDROOM_PASSWORD="not this one")
    assert "or this login is locked here" in sign_in(cli_room, "lee")
    shown = cli_room.read_json("user", "show", "lee")
    assert (shown["state"], shown["locked_at"]) == ("locked", ["the command line"])
    assert "Sign-in refused at the command line" in log_of(cli_room, "lee")[0]
    assert "(--second LOGIN)" in cli_room.read_refusal("user", "recover", "lee")
    once = cli_room.read_json("user", "recover", "lee", "--second", "sam")["once"]
    assert "This is a one-time password" in alone(cli_room, "sign-in", "lee", CARDROOM_PASSWORD=once)
    assert "`cardroom user change-password`" in alone(cli_room, "day", "open")
    assert "has a new password" in alone(
        cli_room, "user", "change-password", CARDROOM_PASSWORD=once, CARDROOM_NEW_PASSWORD=OWN
    )
    assert "is open" in alone(cli_room, "day", "open")


def test_a_pin_is_chosen_with_the_password(cli_room: CliRoom) -> None:
    pin = ("user", "change-pin", "--by", "kim")
    assert "easy to guess" in cli_room.run(*pin, CARDROOM_PASSWORD=password_of("kim"), CARDROOM_NEW_PIN="1234").stderr
    assert cli_room.run(*pin, CARDROOM_PASSWORD=password_of("kim"), CARDROOM_NEW_PIN="4471").exit_code == 0
    assert cli_room.read_json("user", "show", "kim")["has_pin"]


# Registered, given another role, dismissed.


def test_people_are_registered_given_a_role_and_dismissed_by_two(cli_room: CliRoom) -> None:
    register = ("user", "add", "nina", "--name", "Nina Ray", "--role", "dealer")
    assert "--second LOGIN" in cli_room.read_refusal(*register)
    assert "nina is a dealer." in cli_room.read_output(*register, "--second", "lee")
    page = cli_room.read_output("user", "change-role", "nina", "supervisor", "--second", "lee")
    assert "nina is Nina Ray, a supervisor: has a password for one use." in page
    assert "There is no role 'king'" in cli_room.read_refusal("user", "change-role", "nina", "king", "--second", "lee")
    assert "nina" in cli_room.read_output("user", "deactivate", "nina", "--why", "Left", "--second", "lee")
    assert cli_room.read_json("user", "show", "nina")["dismissed"] == "Left"
    assert log_of(cli_room, "nina")[0] == "Deactivated by rosa and lee: Left."
    assert ": Deactivate the login nina: Left. (command " in log_of(cli_room, "lee")[0]
    assert "password is wrong" in alone(cli_room, "day", "open", "--by", "nina", CARDROOM_PASSWORD="any of them")


def test_the_cage_lets_players_sign_in(cli_room: CliRoom) -> None:
    cli_room.read_output("player", "add", "ann-lee", "--money", "room", "--by", "carl")
    register = ("user", "add", "ann-lee", "--name", "Ann Lee", "--role", "player", "--by", "carl")
    assert "--second LOGIN" in cli_room.read_refusal(*register)
    payload = cli_room.read_json(*register, "--second", "sam", "--id", "once")
    assert (payload["role"], len(payload["once"])) == ("player", 19)
    assert cli_room.read_json(*register, "--second", "sam", "--id", "once")["once"] is None
    assert "ann-lee is a player: only surveillance officers, operators, and auditors may see sign-ins" in alone(
        cli_room, "user", "list", CARDROOM_SESSION=_player(cli_room, payload["once"])
    )


def _player(cli_room: CliRoom, once: str) -> str:
    token = alone(cli_room, "sign-in", "ann-lee", "--token", CARDROOM_PASSWORD=once).strip()
    changed = cli_room.run(
        "user", "change-password", CARDROOM_SESSION=token, CARDROOM_PASSWORD=once, CARDROOM_NEW_PASSWORD=OWN
    )
    assert changed.exit_code == 0, changed.output
    return token


def test_sessions_are_shown_and_ended(cli_room: CliRoom) -> None:
    before = [one["session"] for one in cli_room.read_json("user", "show", "kim")["sessions"]]
    sign_in(cli_room, "kim")
    sessions = cli_room.read_json("user", "show", "kim")["sessions"]
    (newest,) = (one["session"] for one in sessions if one["session"] not in before)
    assert newest[:12] in cli_room.read_output("user", "show", "kim")
    assert "has no session 'zz'" in cli_room.read_refusal("user", "end-session", "kim", "zz", "--why", "x")
    cli_room.read_output("user", "end-session", "kim", newest[:12], "--why", "A telephone was lost")
    assert len(cli_room.read_json("user", "show", "kim")["sessions"]) == len(sessions) - 1
    assert log_of(cli_room, "kim")[0] == "Session ended by rosa: A telephone was lost."
    cli_room.read_output("user", "end-session", "kim", "--why", "Gone home", "--by", "kim")
    assert cli_room.read_json("user", "show", "kim")["sessions"] == []


# Two people.


def test_the_second_person_signs_for_the_very_command(cli_room: CliRoom) -> None:
    cli_room.open()
    change = ("jackpot", "change", "final-four", "ceiling=60000", "--why", "Budget", "--second", "lee")
    before = cli_room.read_heads()
    wrong = cli_room.run(*change, CARDROOM_SECOND_PASSWORD="not this one")
    assert (wrong.exit_code, "password is wrong" in wrong.stderr) == (2, True)
    assert cli_room.read_heads() == before
    assert cli_room.read_json("user", "show", "lee")["wrong_passwords"] == 1
    missing = cli_room.run(*change, CARDROOM_SECOND_PASSWORD="")
    assert "Password of lee, beside rosa is missing" in missing.stderr
    cli_room.read_output(*change, "--id", "new-ceiling")
    payload = log_of(cli_room, "lee")[0]
    assert payload.startswith("Signed as the second person with rosa, at the command line")
    assert "Change ceiling to 60000, level main of jackpot final-four: Budget. (command new-ceiling)" in payload


# The log, and what must be in no place.


def test_the_log_of_everybody_is_in_order_and_in_the_rooms_time(cli_room: CliRoom) -> None:
    payload = cli_room.read_json("user", "history", "--last", "400")["events"]
    times = [one["time"] for one in payload]
    assert times == sorted(times, reverse=True)
    assert {one["login"] for one in payload} == set(cli_room.sessions)
    assert len(cli_room.read_json("user", "history", "--last", "3")["events"]) == 3
    page = cli_room.read_output("user", "history", "--last", "5")
    assert "Signed in at 127.0.0.1." in page
    assert "Times are in the time zone" in page


def test_no_password_and_no_token_is_in_any_output_error_or_table(cli_room: CliRoom) -> None:
    secrets = {password_of("lee"), password_of("rosa"), "not this one", OWN, *cli_room.sessions.values()}
    said = [
        sign_in(cli_room, "lee"),
        alone(cli_room, "sign-in", "lee", CARDROOM_PASSWORD="not this one"),
        alone(cli_room, "day", "open", "--by", "rosa", "--json", CARDROOM_PASSWORD=password_of("rosa")),
        alone(cli_room, "user", "change-password", CARDROOM_PASSWORD=password_of("lee"), CARDROOM_NEW_PASSWORD=OWN),
        alone(cli_room, "day", "close", CARDROOM_SESSION=cli_room.sessions["lee"] + "x"),
        cli_room.read_output("user", "history", "--last", "400"),
        json.dumps([cli_room.read_json("user", "show", login) for login in cli_room.sessions]),
        cli_room.run("user", "recover", "kim", "--second", "lee", CARDROOM_SECOND_PASSWORD="not this one").output,
    ]
    secrets |= set(json.loads((cli_room.folder / "state" / "cardroom" / "sessions.json").read_text()).values())
    with sqlite3.connect(cli_room.folder / "ledger.db") as books:
        said.append("\n".join(books.iterdump()))
    books.close()
    for one in said:
        assert not [secret for secret in secrets if secret in one]


@pytest.mark.skipif(os.name != "posix", reason="a terminal of its own is made for it")
def test_a_password_is_typed_unseen_at_a_terminal(cli_room: CliRoom, tmp_path: Path) -> None:
    from tests.cli.test_at_a_terminal import open_terminal

    variables = {"CARDROOM_DATABASE": cli_room.database, "XDG_STATE_HOME": str(tmp_path / "state")}
    with open_terminal("sign-in", "lee", **variables) as (screen, process):
        shown = screen.wait_for("Password of lee: ")
        screen.type(password_of("lee"))
        shown += screen.wait_for("is signed in as")
        assert process.wait(LIMIT) == 0
        assert password_of("lee") not in shown


@pytest.mark.skipif(os.name != "posix", reason="a terminal of its own is made for it")
def test_a_room_is_served_when_its_first_operator_is_known(empty_cli_room: CliRoom, tmp_path: Path) -> None:
    from tests.cli.test_at_a_terminal import open_terminal

    refused = empty_cli_room.run("serve", "--port", "0")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "`cardroom init`" in refused.stderr
    with open_terminal("serve", "--port", "0", CARDROOM_DATABASE=empty_cli_room.database) as (screen, process):
        screen.wait_for("Login, such as rosa: ")
        screen.type("rosa")
        screen.wait_for("Name: ")
        screen.type("Rosa Diaz")
        for asked in ("Password for rosa: ", "Password for rosa, once more: "):
            screen.wait_for(asked)
            screen.type(OWN)
        shown = screen.wait_for("Cardroom is open at http://")
        assert OWN not in shown
        process.terminate()
        assert process.wait(LIMIT) == 0
    assert "rosa is signed in" in alone(empty_cli_room, "sign-in", "rosa", CARDROOM_PASSWORD=OWN)
