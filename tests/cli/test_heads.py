"""`cardroom heads …`: export signed heads where the machine's configuration says, and prove what they cover."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.cli.card_room import CliRoom
from tests.heads.rooms import serving_witness
from tests.service.table_scenes import PRIME, all_wager, an_id, guests, open_prime, play_on
from tests.service.table_scenes import asked as find_turn

BY = ("--by", "rosa")


@pytest.fixture
def played(cli_room: CliRoom, monkeypatch: pytest.MonkeyPatch) -> CliRoom:
    """A room with one round, on a machine whose configuration has no destination for heads."""
    configure(cli_room, monkeypatch, "")
    cli_room.open()
    play(cli_room, "r1")
    return cli_room


def play(cli_room: CliRoom, id: str) -> None:
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1,3", "--round", id, by="kim")


def configure(cli_room: CliRoom, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Write the configuration file of the machine."""
    file = cli_room.folder / "machine.toml"
    file.write_text(f'[heads]\nsigning_key = "{cli_room.folder}/heads.key"\n{text}\n', "utf-8")
    monkeypatch.setenv("CARDROOM_CONFIG", str(file))


@pytest.fixture
def folder(played: CliRoom, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The destination for heads of a room with one round."""
    destination = played.folder / "outside"
    destination.mkdir()
    configure(played, monkeypatch, f'folder = "{destination}"')
    return destination


def close_a_day(cli_room: CliRoom) -> Any:
    cli_room.read_output("day", "open", *BY)
    return cli_room.read_json("day", "close", *BY)


def test_closing_a_day_exports_heads_and_verify_compares_them(played: CliRoom, folder: Path) -> None:
    played.read_output("day", "open", *BY)
    closed = played.read_json("day", "close", "--id", "close-1", *BY)
    played.read_json("day", "close", "--id", "close-1", *BY)
    (file,) = folder.iterdir()
    assert closed["heads"]["where"] == str(folder)
    output = played.read_output("verify")
    assert re.search(
        rf"The newest exported heads are \d minutes? old: \d{{4}}-\d\d-\d\d \d\d:\d\d, at {file}, ", output
    )
    assert output.count("Times are in the time zone America/Los_Angeles.") == 1
    result = played.read_json("verify")["outside"]
    assert (result["holds"], result["checked"], result["where"], result["files"]) == (True, True, str(file), 1)
    assert result["key"] == played.read_json("heads", "show-key")["recorded"]
    assert 0 <= result["age_seconds"] < 600
    assert played.read_json("heads", "export", *BY)["digest"] != closed["heads"]["digest"]
    assert len(list(folder.iterdir())) == 2


def test_verify_reports_when_the_machine_has_no_destination_for_heads(played: CliRoom) -> None:
    assert "No heads are exported: name a folder, a command, or a witness under [heads]" in played.read_output("verify")


def test_a_failed_export_of_heads_lets_the_day_close_and_can_be_repeated(
    played: CliRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(played, monkeypatch, 'folder = "/no/such/folder"')
    played.read_output("day", "open", *BY)
    output = played.read_output("day", "close", *BY, exit_code=1)
    assert "is closed" in output
    assert "The folder /no/such/folder for heads cannot be read" in " ".join(output.split())
    assert played.read_json("day", "show")["is_open"] is False
    assert "cannot be read" in played.read_json("heads", "export", *BY, exit_code=1)["stayed"]
    received = played.folder / "received.json"
    script = f"import sys; open({str(received)!r}, 'w').write(sys.stdin.read())"
    configure(played, monkeypatch, f"command = {json.dumps([sys.executable, '-c', script])}")
    sent = played.read_json("heads", "export", *BY)
    assert json.loads(received.read_text("utf-8"))["digest"] == sent["digest"]
    assert "The newest exported heads are" in played.read_output("verify")


def test_a_replaced_ledger_does_not_agree_with_the_exported_heads(played: CliRoom, folder: Path) -> None:
    close_a_day(played)
    (file,) = folder.iterdir()
    played.reset()
    played.open()
    output = played.read_output("verify", exit_code=1)
    assert output.startswith(f"Verification failed. The signed heads do not agree with the database. {file}: ")
    assert "The ledger by itself is consistent: " in output
    result = played.read_json("verify", exit_code=1)
    assert (result["whole"], result["outside"]["holds"]) == (True, False)
    assert "which the room never recorded" in result["outside"]["findings"][0]
    # Another export does not overwrite the evidence.
    before = file.read_bytes()
    assert "Nothing was written." in played.read_json("heads", "export", *BY, exit_code=1)["stayed"]
    assert file.read_bytes() == before


def test_a_ledger_that_was_restored_to_an_older_state_fails_verification(played: CliRoom, folder: Path) -> None:
    close_a_day(played)
    early = (played.folder / "ledger.db").read_bytes()
    play(played, "r2")
    played.read_json("heads", "export", *BY)
    (played.folder / "ledger.db").write_bytes(early)
    assert "history was rewritten or restored to an older state" in played.read_output("verify", exit_code=1)


def test_verification_fails_when_exported_heads_are_missing(played: CliRoom, folder: Path) -> None:
    close_a_day(played)
    (file,) = folder.iterdir()
    file.unlink()
    output = played.read_output("verify", exit_code=1)
    assert output.startswith(f"Verification failed. Exported heads are missing from their folder: {file}.")
    result = played.read_json("verify", exit_code=1)["outside"]
    assert (result["holds"], result["missing"]) == (False, str(file))


def test_verify_warns_about_a_folder_of_heads_that_it_cannot_read(played: CliRoom, folder: Path) -> None:
    close_a_day(played)
    folder.rename(played.folder / "pulled out")
    output = played.read_output("verify")
    assert output.startswith("Verified: ")
    assert f"Exported heads at {folder} were not checked: No such file or directory." in output
    result = played.read_json("verify")["outside"]
    assert (result["holds"], result["checked"], result["missing"], result["unreadable"]) == (
        True,
        False,
        "",
        [str(folder)],
    )
    # An auditor can compare a copy of the folder.
    assert played.read_json("heads", "verify", str(played.folder / "pulled out"))["files"] == 1


def test_verification_fails_when_the_damaged_room_does_not_show_its_signed_heads(played: CliRoom, folder: Path) -> None:
    close_a_day(played)
    connection = sqlite3.connect(played.folder / "ledger.db")
    with connection:
        connection.execute("UPDATE heads SET snapshot = '{}' WHERE chain = 'room'")
    connection.close()
    output = played.read_output("verify", exit_code=1)
    assert output.startswith("Verification failed. ")
    assert "The database no longer shows which heads it signed" in output
    assert folder.is_dir()


def test_verify_compares_the_ledger_with_one_file_of_heads(played: CliRoom, folder: Path) -> None:
    close_a_day(played)
    (file,) = folder.iterdir()
    copy = played.folder / "copy.json"
    shutil.copy(file, copy)
    assert "match" in played.read_output("verify", "--heads", str(copy))
    played.reset()
    played.open()
    assert played.read_output("verify", "--heads", str(copy), exit_code=1).startswith(
        "Verification failed. History was rewritten. "
    )


def test_the_report_warns_about_old_heads(played: CliRoom, folder: Path) -> None:
    close_a_day(played)
    with open_ledger(played.database) as ledger:
        from cardroom.machine_config import load_machine_config
        from cardroom.service import CardRoom
        from cardroom.service.verification.report import describe_exported_heads

        card_room = CardRoom(ledger)
        exported = card_room.heads.check_exported(load_machine_config().heads)
        assert exported.time is not None
        output = " ".join(describe_exported_heads(exported, exported.time + 3 * 24 * 3_600_000_000, card_room.calendar))
    assert "The newest exported heads are 3 days old" in output
    assert "They do not protect what happened in the last 3 days" in output
    assert folder.is_dir()


def test_the_key_is_created_by_a_command_and_printed(played: CliRoom) -> None:
    file = played.folder / "heads.key"
    assert "no key: the first export creates it" in played.read_output("heads", "show-key")
    key = played.read_json("heads", "show-key", "--create")
    assert (len(key["public_key"]), key["recorded"], key["file"]) == (64, "", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert played.read_json("heads", "show-key", "--create")["public_key"] == key["public_key"]


def test_two_users_replace_a_lost_key(played: CliRoom, folder: Path) -> None:
    close_a_day(played)
    old = played.read_json("heads", "show-key")["public_key"]
    (played.folder / "heads.key").unlink()
    assert (
        "copy it there from the machine that has it" in played.read_json("heads", "export", *BY, exit_code=1)["stayed"]
    )
    assert "--second LOGIN" in played.read_refusal("heads", "replace-key", "--why", "the disk broke", *BY)
    new = played.read_json("heads", "replace-key", "--why", "the disk broke", *BY, "--second", "lee")["public_key"]
    assert new != old
    played.read_json("heads", "export", *BY)
    result = played.read_json("heads", "verify", "--key", new)
    assert (result["holds"], result["key"], result["files"]) == (True, new, len(list(folder.iterdir())))
    output = played.read_output("heads", "verify", "--key", old, exit_code=1)
    assert f"The room's key is {new}, and not {old}." in output


def test_a_chain_an_event_and_growth_are_proved_and_checked_without_the_ledger(played: CliRoom, folder: Path) -> None:
    close_a_day(played)
    play(played, "r2")
    played.read_json("heads", "export", *BY)
    sizes = [json.loads(file.read_text("utf-8"))["size"] for file in sorted(folder.iterdir())]
    proof = played.folder / "proof.json"
    for arguments, sentence in (
        (("tabulator:table-1",), "tabulator:table-1 has event"),
        (("tabulator:table-1", "--event", "1"), f"tabulator:table-1 has event 1 under the head of {sizes[-1]} leaves"),
        (("--since", str(sizes[0])), f"The log of {sizes[-1]} leaves extends the one of {sizes[0]}."),
    ):
        assert sentence in played.read_output("heads", "prove", *arguments)
        proof.write_text(json.dumps(played.read_json("heads", "prove", *arguments)), "utf-8")
        assert sentence in played.read_output("heads", "check-proof", str(proof))
        proof.write_text(proof.read_text("utf-8").replace('"root": "', '"root": "0', 1), "utf-8")
        assert "must be 64 hexadecimal digits" in played.read_output("heads", "check-proof", str(proof), exit_code=1)
    assert "Name a chain" in played.read_refusal("heads", "prove")
    assert "Name a chain" in played.read_refusal("heads", "prove", "room", "--since", "3")
    assert "check its name" in played.read_refusal("heads", "prove", "tabulator:none")


def test_only_users_who_may_read_the_ledger_get_proofs_of_events(played: CliRoom, folder: Path) -> None:
    played.read_json("heads", "export", *BY)
    for chain in ("room", "user:kim"):
        for login in ("lee", "carl"):
            refused = played.read_refusal("heads", "prove", chain, "--event", "1", "--by", login)
            assert "only surveillance officers, operators, and auditors may read the ledger" in refused
        for login in ("vera", "aldo"):
            assert played.read_json("heads", "prove", chain, "--event", "1", "--by", login)["events"]


def test_the_events_of_a_round_are_proved_only_after_the_round(played: CliRoom, folder: Path) -> None:
    with open_ledger(played.database) as ledger:
        card_room = CardRoom(ledger)
        open_prime(card_room)
        played.read_json("heads", "export", *BY)
        before = len(list(ledger.events(f"table:{PRIME}")))
        all_wager(card_room, guests(card_room, 2))
        card_room.make_decision(an_id(), find_turn(card_room), PRIME, "play")
        assert card_room.table(PRIME).playing
        played.read_json("heads", "export", *BY)
        last = len(list(ledger.events(f"table:{PRIME}")))
        for event in ((), ("--event", str(before + 1)), ("--event", str(last))):
            assert "The round is still in progress" in played.read_refusal("heads", "prove", f"table:{PRIME}", *event)
        assert played.read_json("heads", "prove", f"table:{PRIME}", "--event", str(before))["events"]
        play_on(card_room)
        assert played.read_json("heads", "prove", f"table:{PRIME}", "--event", str(last))["events"]


def test_a_witness_cosigns_heads_and_verify_reports_when_it_is_unreachable(
    played: CliRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving_witness(played.folder / "witness") as witness:
        configure(played, monkeypatch, f'witness = "{witness.address}"')
        assert close_a_day(played)["heads"]["where"] == witness.address
        result = played.read_json("heads", "verify")
        assert (result["holds"], result["checked"], result["witness_key"]) == (True, True, witness.witness.key.public)
        assert f"public key {witness.witness.key.public}" in played.read_output("verify")
    play(played, "r2")
    assert "does not respond" in played.read_json("heads", "export", *BY, exit_code=1)["stayed"]
    assert "were not checked: The witness" in played.read_output("verify")
