"""`cardroom backup` of a room that is in use, and `cardroom restore` into an empty database."""

from __future__ import annotations

import json
import sqlite3

from typer.testing import Result

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from cardroom.web.devices.errors import BadToken, find_token_holder
from tests.cli.card_room import CliRoom
from tests.service.staff import new_password_of, password_of


def restore(cli_room: CliRoom, file: str, *more: str) -> Result:
    """Restore a backup as two users who confirm its users and devices."""
    return run_restore(cli_room, file, "--confirm", read_confirmation_code(cli_room, file, *more), *more)


def run_restore(cli_room: CliRoom, file: str, *more: str) -> Result:
    return cli_room.run(
        "restore", file, "--by", "rosa", "--second", "lee", *more, CARDROOM_PASSWORD=password_of("rosa")
    )


def read_confirmation_code(cli_room: CliRoom, file: str, *more: str) -> str:
    """Return the code that the command shows for the confirmation of users and devices."""
    shown = run_restore(cli_room, file, *more, "--json")
    return str(json.loads(shown.stdout)["confirm"]) if shown.exit_code == 2 and shown.stdout else "none"


def play_rounds(cli_room: CliRoom) -> int:
    cli_room.open()
    for number in range(3):
        cli_room.execute("tabulator", "press", "table-1", "--positions", "1-4", "--round", f"r{number}", by="kim")
    return cli_room.count_events()


def test_a_backup_is_made_while_another_connection_writes(cli_room: CliRoom) -> None:
    events, file = play_rounds(cli_room), cli_room.folder / "backup.db"
    other = sqlite3.connect(cli_room.folder / "ledger.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    output = cli_room.read_output("backup", str(file))
    other.execute("ROLLBACK")
    other.close()
    assert f"{events} events" in output
    assert cli_room.with_database(f"sqlite:///{file}").count_events() == events


def test_a_backup_can_be_restored_on_sqlite_and_on_postgresql(
    cli_room: CliRoom, empty_cli_room_on_postgresql: CliRoom
) -> None:
    events, file = play_rounds(cli_room), str(cli_room.folder / "backup.db")
    assert cli_room.read_json("backup", file)["events"] == events
    server = cli_room.with_database(empty_cli_room_on_postgresql.database)
    restored = json.loads(restore(server, file, "--old", cli_room.database, "--json").stdout)
    assert (restored["whole"], restored["restored_by"]) == (True, ["rosa", "lee"])
    assert restored["events"] > events + restored["renewed"]["sessions"]
    server = server.sign_in_again()
    server.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    back = str(cli_room.folder / "back.db")
    server.read_output("backup", back)
    third = cli_room.with_database(f"sqlite:///{cli_room.folder / 'third.db'}")
    assert restore(third, back, "--old", server.database).stdout.startswith("Verified: ")
    third = third.sign_in_again()
    assert third.read_meter() == server.read_meter()
    assert third.read_meter()["shown_cents"] == 5_002_60


def test_a_backup_never_writes_over_anything(cli_room: CliRoom) -> None:
    play_rounds(cli_room)
    file = cli_room.folder / "backup.db"
    file.write_text("precious")
    assert "never overwrites" in cli_room.read_refusal("backup", str(file))
    assert file.read_text() == "precious"
    assert "no folder" in cli_room.read_refusal("backup", str(cli_room.folder / "none" / "backup.db"))


def test_a_backup_is_restored_into_an_empty_database_only(cli_room: CliRoom) -> None:
    play_rounds(cli_room)
    file = str(cli_room.folder / "backup.db")
    cli_room.read_output("backup", file)
    assert "not empty" in restore(cli_room, file).stderr
    new = cli_room.with_database(f"sqlite:///{cli_room.folder / 'new.db'}")
    assert "no backup" in new.read_refusal("restore", str(cli_room.folder / "none.db"))
    (cli_room.folder / "list.txt").write_text("A shopping list. " * 500)
    assert restore(new, str(cli_room.folder / "list.txt")).exit_code == 2


def test_two_users_of_the_backup_restore_it_and_the_new_ledger_records_their_signatures(cli_room: CliRoom) -> None:
    play_rounds(cli_room)
    file = cli_room.folder / "backup.db"
    cli_room.read_output("backup", str(file))
    before, new = file.read_bytes(), cli_room.with_database(f"sqlite:///{cli_room.folder / 'new.db'}")
    for more, password, sentence in (
        ((), "rosa", "Add --by LOGIN"),
        (("--by", "rosa"), "rosa", "--second LOGIN"),
        (("--by", "rosa", "--second", "rosa"), "rosa", "rosa cannot be the second person"),
        (("--by", "rosa", "--second", "lee"), "kim", "The login or the password is wrong"),
        (("--by", "mallory", "--second", "lee"), "rosa", "The login or the password is wrong"),
        (("--by", "lee", "--second", "rosa"), "lee", "lee is a supervisor: only operators may restore"),
        (("--by", "rosa", "--second", "kim"), "rosa", "kim is a dealer: only"),
    ):
        result = new.run("restore", str(file), *more, CARDROOM_PASSWORD=password_of(password))
        assert (result.exit_code, sentence in result.stderr) == (2, True), result.output
    assert not (cli_room.folder / "new.db").exists()
    assert file.read_bytes() == before
    assert restore(new, str(file), "--old", cli_room.database).exit_code == 0
    assert file.read_bytes() == before
    with open_ledger(new.database) as ledger:
        assert [event.kind for event in ledger.events("user:rosa")][-2:] == ["signed-in", "session-ended"]
    new = new.sign_in_again("aldo")
    sentences = [event["sentences"] for event in new.read_json("user", "history", "lee", "--by", "aldo")["events"]]
    assert sentences[0].startswith("Signed as the second person with rosa, at the command line")
    assert ": Restore the ledger with " in sentences[0]


def test_a_restore_needs_two_users_to_confirm_every_user_and_device(cli_room: CliRoom) -> None:
    play_rounds(cli_room)
    cli_room.read_json("device", "add", "table-1", "T-1001", "tabulator")
    file, new = str(cli_room.folder / "backup.db"), cli_room.with_database(f"sqlite:///{cli_room.folder / 'new.db'}")
    cli_room.read_output("backup", file)
    cli_room.read_json("user", "deactivate", "kim", "--why", "Moved away", "--by", "rosa", "--second", "lee")
    for more in ((), ("--confirm", "yes"), ("--confirm", "0000-0000")):
        shown = run_restore(new, file, *more)
        assert shown.exit_code == 2
        assert "kim (Kim), dealer\n" in shown.stdout
        assert "T-1001, tabulator of table-1, token 1\n" in shown.stdout
        assert "Nothing was restored yet." in shown.stderr
    assert not (cli_room.folder / "new.db").exists()
    compared = run_restore(new, file, "--old", cli_room.database)
    assert "Changed since the backup:\n  now: kim (Kim), dealer, deactivated: Moved away\n" in compared.stdout
    result = restore(new, file)
    assert result.exit_code == 0, result.output
    with open_ledger(new.database) as ledger:
        (restored,) = [event for event in ledger.events("room") if event.kind == "backup-restored"]
    assert restored.payload["devices"] == ["T-1001, tabulator of table-1, token 1"]
    assert "kim (Kim), dealer" in restored.payload["users"]
    assert (restored.payload["who"], restored.payload["second"]) == ("rosa", "lee")


def test_a_restore_names_each_user_whose_password_or_pin_changed_and_accepts_no_old_one(
    cli_room: CliRoom,
) -> None:
    play_rounds(cli_room)
    file, new = str(cli_room.folder / "backup.db"), cli_room.with_database(f"sqlite:///{cli_room.folder / 'new.db'}")
    cli_room.read_output("backup", file)
    leaked = {"CARDROOM_PASSWORD": password_of("kim"), "CARDROOM_NEW_PASSWORD": new_password_of("kim")}
    assert cli_room.run("user", "change-password", "--by", "kim", **leaked).exit_code == 0
    pin = {"CARDROOM_PASSWORD": password_of("carl"), "CARDROOM_NEW_PIN": "4471"}
    assert cli_room.run("user", "change-pin", "--by", "carl", **pin).exit_code == 0
    without = run_restore(new, file)
    assert "Without --old, all users need a new password after the restore." in without.stdout
    shown = run_restore(new, file, "--old", cli_room.database)
    assert "  now: kim has another password\n" in shown.stdout
    assert "  now: carl has another PIN\n" in shown.stdout
    other = run_restore(new, file, "--old", cli_room.database, "--confirm", read_confirmation_code(new, file))
    assert other.exit_code == 2, "the code of a list without kim was accepted"
    result = restore(new, file, "--old", cli_room.database)
    assert result.exit_code == 0, result.output
    assert "Recover these users, whose passwords stopped working: carl, kim." in " ".join(result.stdout.split())
    for login in ("kim", "carl"):
        for password in (password_of(login), new_password_of(login)):
            refused = new.run("sign-in", login, CARDROOM_SESSION="", CARDROOM_PASSWORD=password)
            assert "The login or the password is wrong" in refused.stderr
    new = new.sign_in_again("rosa", "lee", "vera")
    assert {user["login"]: user["state"] for user in new.read_json("user", "list")["users"]}[
        "kim"
    ] == "needs a new password"
    once = new.read_json("user", "recover", "kim", "--by", "rosa", "--second", "lee")["once"]
    assert new.run("sign-in", "kim", CARDROOM_SESSION="", CARDROOM_PASSWORD=once).exit_code == 0
    assert new.read_json("verify")["whole"]


def test_without_the_old_database_no_password_of_the_backup_is_accepted_after_a_restore(cli_room: CliRoom) -> None:
    play_rounds(cli_room)
    file, new = str(cli_room.folder / "backup.db"), cli_room.with_database(f"sqlite:///{cli_room.folder / 'new.db'}")
    cli_room.read_output("backup", file)
    code, both = read_confirmation_code(new, file), ("rosa", "lee")
    for variable, given, sentence in (
        ("CARDROOM_NEW_PASSWORD", "", "New password of rosa is missing"),
        ("CARDROOM_SECOND_NEW_PASSWORD", "", "New password of lee is missing"),
        ("CARDROOM_NEW_PASSWORD", "short", "The password is too short"),
        ("CARDROOM_NEW_PASSWORD", password_of("rosa"), "rosa has this password in the backup"),
        ("CARDROOM_SECOND_NEW_PASSWORD", password_of("lee"), "lee has this password in the backup"),
    ):
        refused = new.run("restore", file, "--by", "rosa", "--second", "lee", "--confirm", code, **{variable: given})
        assert (refused.exit_code, sentence in refused.stderr) == (2, True), refused.output
    assert not (cli_room.folder / "new.db").exists()
    renewed = json.loads(restore(new, file, "--json").stdout)["renewed"]
    assert set(renewed["users"]) == {*cli_room.sessions} - {*both}
    for login in cli_room.sessions:
        refused = new.run("sign-in", login, CARDROOM_SESSION="", CARDROOM_PASSWORD=password_of(login))
        assert (refused.exit_code, "The login or the password is wrong" in refused.stderr) == (2, True), refused.output
    for login in both:
        signed = new.run("sign-in", login, CARDROOM_SESSION="", CARDROOM_PASSWORD=new_password_of(login))
        assert signed.exit_code == 0, signed.output
    assert new.read_json("verify")["whole"]


def is_accepted(cli_room: CliRoom, token: str) -> bool:
    """Return whether the room accepts a device's token."""
    with open_ledger(cli_room.database) as ledger:
        try:
            return find_token_holder(CardRoom(ledger), token).device == token.partition(".")[0]
        except BadToken:
            return False


def change_devices_after_backup(cli_room: CliRoom, file: str) -> dict[str, tuple[str, ...]]:
    """Make a backup, renew the token of T-1001, and remove T-1002; return all tokens. T-1003 stays unchanged."""
    cli_room.open()
    kinds = {"T-1001": "tabulator", "T-1002": "led", "T-1003": "led"}
    tokens = {name: cli_room.read_json("device", "add", "table-1", name, kinds[name])["token"] for name in kinds}
    cli_room.read_output("backup", file)
    renewed = cli_room.read_json("device", "renew", "T-1001", "--why", "The token was stolen")["token"]
    cli_room.read_json("device", "remove", "T-1002", "--why", "The unit was stolen")
    return {"T-1001": (tokens["T-1001"], renewed), "T-1002": (tokens["T-1002"],), "T-1003": (tokens["T-1003"],)}


def test_without_the_old_database_no_device_token_of_the_backup_is_accepted_after_a_restore(cli_room: CliRoom) -> None:
    file, new = str(cli_room.folder / "backup.db"), cli_room.with_database(f"sqlite:///{cli_room.folder / 'new.db'}")
    tokens = change_devices_after_backup(cli_room, file)
    result = restore(new, file)
    assert result.exit_code == 0, result.output
    assert not [token for issued in tokens.values() for token in issued if is_accepted(new, token)]
    listed = "Renew these devices, whose tokens stopped working: T-1001, T-1002, T-1003."
    assert listed in " ".join(result.stdout.split())
    third = cli_room.with_database(f"sqlite:///{cli_room.folder / 'third.db'}")
    assert "All devices need a new token." in run_restore(third, file).stdout
    with open_ledger(new.database) as ledger:
        token = CardRoom(ledger).renew_device_token("renew", "rosa", "T-1001", "Restored").token
    assert is_accepted(new, token or "")
    assert new.read_json("verify")["whole"]


def test_a_restore_keeps_the_tokens_that_the_old_database_shows_unchanged_and_no_others(cli_room: CliRoom) -> None:
    file, new = str(cli_room.folder / "backup.db"), cli_room.with_database(f"sqlite:///{cli_room.folder / 'new.db'}")
    tokens = change_devices_after_backup(cli_room, file)
    renewed = json.loads(restore(new, file, "--old", cli_room.database, "--json").stdout)["renewed"]
    stolen, replacement = tokens["T-1001"]
    assert not is_accepted(new, stolen)
    assert not is_accepted(new, replacement)
    assert not is_accepted(new, *tokens["T-1002"])
    assert is_accepted(new, *tokens["T-1003"])
    assert renewed["devices"] == ["T-1001", "T-1002"]


def test_a_restore_keeps_no_token_that_a_new_secret_has_ended(cli_room: CliRoom) -> None:
    file, new = str(cli_room.folder / "backup.db"), cli_room.with_database(f"sqlite:///{cli_room.folder / 'new.db'}")
    token = change_devices_after_backup(cli_room, file)["T-1003"][0]
    rotate = ("key", "rotate", "--to", str(cli_room.folder / "new.key"), "--new-secret", "--why", "Sam left")
    assert "T-1003" in cli_room.read_json(*rotate, "--by", "rosa", "--second", "lee")["renewed"]["devices"]
    assert "  now: T-1003 has another token\n" in run_restore(new, file, "--old", cli_room.database).stdout
    renewed = json.loads(restore(new, file, "--old", cli_room.database, "--json").stdout)["renewed"]
    assert "T-1003" in renewed["devices"]
    assert not is_accepted(new, token)


def test_a_backup_of_a_ledger_without_users_is_restored_without_a_signature(empty_cli_room: CliRoom) -> None:
    with open_ledger(empty_cli_room.database) as ledger:
        CardRoom(ledger).days.open("open", "Olga", None)
    file = str(empty_cli_room.folder / "backup.db")
    empty_cli_room.read_output("backup", file)
    new = empty_cli_room.with_database(f"sqlite:///{empty_cli_room.folder / 'new.db'}")
    assert new.read_json("restore", file)["restored_by"] == []


def test_a_backup_that_was_changed_is_not_restored(cli_room: CliRoom) -> None:
    play_rounds(cli_room)
    file = cli_room.folder / "backup.db"
    cli_room.read_output("backup", str(file))
    with sqlite3.connect(file) as backup:
        for (name,) in backup.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            backup.execute(f'DROP TRIGGER "{name}"')
        backup.execute("UPDATE entries SET amount = amount + 1 WHERE chain = 'jackpot:final-four' AND sequence = 3")
    backup.close()
    new = cli_room.with_database(f"sqlite:///{cli_room.folder / 'new.db'}")
    result = restore(new, str(file))
    assert result.exit_code == 1
    assert "Event 3 of jackpot:final-four" in result.stderr
    assert new.read_json("verify")["events"] == 0


def test_a_backup_without_a_database_is_refused(empty_cli_room: CliRoom) -> None:
    assert "no database" in empty_cli_room.read_refusal("backup", str(empty_cli_room.folder / "backup.db"))
