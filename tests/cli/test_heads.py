"""`cardroom heads …`: signed heads leave the machine as its own configuration says, and prove what they cover."""

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
from tests.cli.card_room import House
from tests.heads.rooms import serving_witness
from tests.service.table_scenes import PRIME, all_wager, an_id, guests, open_prime, play_on
from tests.service.table_scenes import asked as whose_turn

BY = ("--by", "rosa")


@pytest.fixture
def played(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A room that has played, on a machine whose configuration names no destination yet."""
    configure(house, monkeypatch, "")
    house.open()
    play(house, "r1")
    return house


def play(house: House, id: str) -> None:
    house.execute("tabulator", "press", "table-1", "--positions", "1,3", "--round", id, by="kim")


def configure(house: House, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Write the machine's own configuration."""
    file = house.folder / "machine.toml"
    file.write_text(f'[heads]\nsigning_key = "{house.folder}/heads.key"\n{text}\n', "utf-8")
    monkeypatch.setenv("CARDROOM_CONFIG", str(file))


@pytest.fixture
def folder(played: House, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The destination of a room that has played."""
    made = played.folder / "outside"
    made.mkdir()
    configure(played, monkeypatch, f'folder = "{made}"')
    return made


def close_a_day(house: House) -> Any:
    house.said("day", "open", *BY)
    return house.read_json("day", "close", *BY)


def test_heads_go_out_with_the_close_and_verify_finds_them(played: House, folder: Path) -> None:
    played.said("day", "open", *BY)
    closed = played.read_json("day", "close", "--id", "close-1", *BY)
    played.read_json("day", "close", "--id", "close-1", *BY)
    (file,) = folder.iterdir()
    assert closed["heads"]["where"] == str(folder)
    said = played.said("verify")
    assert re.search(rf"The newest exported heads are \d minutes? old: \d{{4}}-\d\d-\d\d \d\d:\d\d, at {file}, ", said)
    assert said.count("Times are in the time zone America/Los_Angeles.") == 1
    result = played.read_json("verify")["outside"]
    assert (result["holds"], result["checked"], result["where"], result["files"]) == (True, True, str(file), 1)
    assert result["key"] == played.read_json("heads", "show-key")["recorded"]
    assert 0 <= result["age_seconds"] < 600
    assert played.read_json("heads", "export", *BY)["digest"] != closed["heads"]["digest"]
    assert len(list(folder.iterdir())) == 2


def test_verify_says_that_no_heads_are_exported_where_the_machine_names_no_destination(played: House) -> None:
    assert "No heads are exported: name a folder, a command, or a witness under [heads]" in played.said("verify")


def test_heads_that_cannot_go_out_leave_the_close_and_are_sent_again(
    played: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(played, monkeypatch, 'folder = "/no/such/folder"')
    played.said("day", "open", *BY)
    said = played.said("day", "close", *BY, exit_code=1)
    assert "is closed" in said
    assert "The folder /no/such/folder for heads cannot be read" in " ".join(said.split())
    assert played.read_json("day", "show")["is_open"] is False
    assert "cannot be read" in played.read_json("heads", "export", *BY, exit_code=1)["stayed"]
    taken = played.folder / "taken.json"
    script = f"import sys; open({str(taken)!r}, 'w').write(sys.stdin.read())"
    configure(played, monkeypatch, f"command = {json.dumps([sys.executable, '-c', script])}")
    sent = played.read_json("heads", "export", *BY)
    assert json.loads(taken.read_text("utf-8"))["digest"] == sent["digest"]
    assert "The newest exported heads are" in played.said("verify")


def test_other_books_in_the_place_of_the_first_ones_do_not_agree_with_exported_heads(
    played: House, folder: Path
) -> None:
    close_a_day(played)
    (file,) = folder.iterdir()
    played.begin_again()
    played.open()
    said = played.said("verify", exit_code=1)
    assert said.startswith(f"Verification failed. The signed heads do not agree with the database. {file}: ")
    assert "The ledger by itself is consistent: " in said
    result = played.read_json("verify", exit_code=1)
    assert (result["whole"], result["outside"]["holds"]) == (True, False)
    assert "which the room never recorded" in result["outside"]["findings"][0]
    # Exporting on writes nothing over the evidence.
    before = file.read_bytes()
    assert "Nothing was written." in played.read_json("heads", "export", *BY, exit_code=1)["stayed"]
    assert file.read_bytes() == before


def test_books_that_went_back_to_an_older_state_are_not_whole(played: House, folder: Path) -> None:
    close_a_day(played)
    early = (played.folder / "books.db").read_bytes()
    play(played, "r2")
    played.read_json("heads", "export", *BY)
    (played.folder / "books.db").write_bytes(early)
    assert "history was rewritten or restored to an older state" in played.said("verify", exit_code=1)


def test_exported_heads_that_are_gone_fail_a_verification(played: House, folder: Path) -> None:
    close_a_day(played)
    (file,) = folder.iterdir()
    file.unlink()
    said = played.said("verify", exit_code=1)
    assert said.startswith(f"Verification failed. Exported heads are missing from their folder: {file}.")
    result = played.read_json("verify", exit_code=1)["outside"]
    assert (result["holds"], result["missing"]) == (False, str(file))


def test_a_folder_that_cannot_be_read_is_warned_of(played: House, folder: Path) -> None:
    close_a_day(played)
    folder.rename(played.folder / "pulled out")
    said = played.said("verify")
    assert said.startswith("Verified: ")
    assert f"Exported heads at {folder} were not checked: No such file or directory." in said
    result = played.read_json("verify")["outside"]
    assert (result["holds"], result["checked"], result["missing"], result["unreadable"]) == (
        True,
        False,
        "",
        [str(folder)],
    )
    # An auditor compares a copy of the folder.
    assert played.read_json("heads", "verify", str(played.folder / "pulled out"))["files"] == 1


def test_books_whose_room_is_damaged_cannot_say_which_heads_they_signed(played: House, folder: Path) -> None:
    close_a_day(played)
    connection = sqlite3.connect(played.folder / "books.db")
    with connection:
        connection.execute("UPDATE heads SET snapshot = '{}' WHERE chain = 'room'")
    connection.close()
    said = played.said("verify", exit_code=1)
    assert said.startswith("Verification failed. ")
    assert "The database no longer shows which heads it signed" in said
    assert folder.is_dir()


def test_one_file_of_heads_is_compared_by_verify(played: House, folder: Path) -> None:
    close_a_day(played)
    (file,) = folder.iterdir()
    kept = played.folder / "kept.json"
    shutil.copy(file, kept)
    assert "match" in played.said("verify", "--heads", str(kept))
    played.begin_again()
    played.open()
    assert played.said("verify", "--heads", str(kept), exit_code=1).startswith(
        "Verification failed. History was rewritten. "
    )


def test_old_heads_are_warned_of(played: House, folder: Path) -> None:
    close_a_day(played)
    with open_ledger(played.database) as ledger:
        from cardroom.machine_config import load_machine_config
        from cardroom.service import CardRoom
        from cardroom.service.verification.report import describe_exported_heads

        card_room = CardRoom(ledger)
        outside = card_room.check_exported_heads(load_machine_config().heads)
        assert outside.time is not None
        said = " ".join(describe_exported_heads(outside, outside.time + 3 * 24 * 3_600_000_000, card_room.calendar))
    assert "The newest exported heads are 3 days old" in said
    assert "They do not protect what happened in the last 3 days" in said
    assert folder.is_dir()


def test_the_key_is_created_by_a_command_and_printed(played: House) -> None:
    file = played.folder / "heads.key"
    assert "no key: the first export creates it" in played.said("heads", "show-key")
    made = played.read_json("heads", "show-key", "--create")
    assert (len(made["public_key"]), made["recorded"], made["file"]) == (64, "", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert played.read_json("heads", "show-key", "--create")["public_key"] == made["public_key"]


def test_two_people_replace_a_key_that_is_lost(played: House, folder: Path) -> None:
    close_a_day(played)
    old = played.read_json("heads", "show-key")["public_key"]
    (played.folder / "heads.key").unlink()
    assert (
        "copy it there from the machine that has it" in played.read_json("heads", "export", *BY, exit_code=1)["stayed"]
    )
    assert "--second LOGIN" in played.refused("heads", "replace-key", "--why", "the disk broke", *BY)
    new = played.read_json("heads", "replace-key", "--why", "the disk broke", *BY, "--second", "lee")["public_key"]
    assert new != old
    played.read_json("heads", "export", *BY)
    result = played.read_json("heads", "verify", "--key", new)
    assert (result["holds"], result["key"], result["files"]) == (True, new, len(list(folder.iterdir())))
    said = played.said("heads", "verify", "--key", old, exit_code=1)
    assert f"The room's key is {new}, and not {old}." in said


def test_a_chain_an_event_and_growth_are_proved_and_checked_without_the_books(played: House, folder: Path) -> None:
    close_a_day(played)
    play(played, "r2")
    played.read_json("heads", "export", *BY)
    sizes = [json.loads(file.read_text("utf-8"))["size"] for file in sorted(folder.iterdir())]
    proof = played.folder / "proof.json"
    for asked, sentence in (
        (("tabulator:table-1",), "tabulator:table-1 has event"),
        (("tabulator:table-1", "--event", "1"), f"tabulator:table-1 has event 1 under the head of {sizes[-1]} leaves"),
        (("--since", str(sizes[0])), f"The log of {sizes[-1]} leaves extends the one of {sizes[0]}."),
    ):
        assert sentence in played.said("heads", "prove", *asked)
        proof.write_text(json.dumps(played.read_json("heads", "prove", *asked)), "utf-8")
        assert sentence in played.said("heads", "check-proof", str(proof))
        proof.write_text(proof.read_text("utf-8").replace('"root": "', '"root": "0', 1), "utf-8")
        assert "must be 64 hexadecimal digits" in played.said("heads", "check-proof", str(proof), exit_code=1)
    assert "Name a chain" in played.refused("heads", "prove")
    assert "Name a chain" in played.refused("heads", "prove", "room", "--since", "3")
    assert "check its name" in played.refused("heads", "prove", "tabulator:none")


def test_events_are_proved_to_people_who_may_read_the_ledger(played: House, folder: Path) -> None:
    played.read_json("heads", "export", *BY)
    for chain in ("room", "user:kim"):
        for login in ("lee", "carl"):
            refused = played.refused("heads", "prove", chain, "--event", "1", "--by", login)
            assert "only surveillance officers, operators, and auditors may read the ledger" in refused
        for login in ("vera", "aldo"):
            assert played.read_json("heads", "prove", chain, "--event", "1", "--by", login)["events"]


def test_what_is_answered_in_a_round_is_proved_only_when_it_has_ended(played: House, folder: Path) -> None:
    with open_ledger(played.database) as ledger:
        card_room = CardRoom(ledger)
        open_prime(card_room)
        played.read_json("heads", "export", *BY)
        before = len(list(ledger.events(f"table:{PRIME}")))
        all_wager(card_room, guests(card_room, 2))
        card_room.make_decision(an_id(), whose_turn(card_room), PRIME, "play")
        assert card_room.table(PRIME).playing
        played.read_json("heads", "export", *BY)
        last = len(list(ledger.events(f"table:{PRIME}")))
        for event in ((), ("--event", str(before + 1)), ("--event", str(last))):
            assert "The round is still in progress" in played.refused("heads", "prove", f"table:{PRIME}", *event)
        assert played.read_json("heads", "prove", f"table:{PRIME}", "--event", str(before))["events"]
        play_on(card_room)
        assert played.read_json("heads", "prove", f"table:{PRIME}", "--event", str(last))["events"]


def test_a_witness_cosigns_and_is_late_when_it_is_down(played: House, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving_witness(played.folder / "witness") as witness:
        configure(played, monkeypatch, f'witness = "{witness.address}"')
        assert close_a_day(played)["heads"]["where"] == witness.address
        result = played.read_json("heads", "verify")
        assert (result["holds"], result["checked"], result["witness_key"]) == (True, True, witness.witness.key.public)
        assert f"public key {witness.witness.key.public}" in played.said("verify")
    play(played, "r2")
    assert "does not respond" in played.read_json("heads", "export", *BY, exit_code=1)["stayed"]
    assert "were not checked: The witness" in played.said("verify")
