"""Heads are signed, logged, and sent to the machine's destinations; exported heads are compared with the database."""

from __future__ import annotations

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest

from cardroom.errors import BadInput
from cardroom.heads import destinations
from cardroom.heads.destinations import HeadsNotDelivered
from cardroom.heads.keys import create_signing_key
from cardroom.heads.signed_heads import BadHeadsDocument, check_proof
from cardroom.ledger import backup_ledger, open_ledger
from cardroom.machine_config import HeadsDestination
from cardroom.room.site.events import HeadsExported, HeadsKeyRecorded, HeadsSigned
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.chains.names import HEADS_CHAIN, ROOM_CHAIN
from cardroom.service.queries.heads import CannotProve
from tests.heads.rooms import close_a_day, serving_witness, to_command, to_folder, to_witness
from tests.service.card_rooms import new_id, play


def count(card_room: CardRoom, chain: str, kind: str) -> int:
    return sum(event.kind == kind for event in card_room.ledger.events(chain))


def heads_in(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if not file.name.endswith(".cosigned.json"))


def test_heads_go_into_the_folder_a_new_file_each_time(card_room: CardRoom, tmp_path: Path) -> None:
    to = to_folder(tmp_path / "outside")
    close_a_day(card_room)
    sent = card_room.send_heads("first", "Olga", to)
    assert card_room.send_heads("first", "Olga", to) == sent
    assert card_room.send_heads(new_id(), "Olga", to).digest != sent.digest
    first, second = heads_in(tmp_path / "outside")
    assert count(card_room, ROOM_CHAIN, HeadsExported.kind) == count(card_room, HEADS_CHAIN, HeadsSigned.kind) == 2
    document = json.loads(first.read_text("utf-8"))
    assert (document["digest"], document["time"]) == (sent.digest, sent.time)
    assert {leaf["chain"] for leaf in document["leaves"]} == set(card_room.ledger.chains()) - {HEADS_CHAIN}
    later = json.loads(second.read_text("utf-8"))
    assert [leaf["chain"] for leaf in later["leaves"]] == [ROOM_CHAIN]
    assert later["previous"] == document["digest"]
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    assert verify_card_room(card_room.ledger).is_consistent
    outside = card_room.check_exported_heads(to)
    assert (outside.wrong, outside.missing, outside.files, outside.where) == ((), "", 2, str(second))


def test_nothing_is_signed_while_nothing_happens(card_room: CardRoom, tmp_path: Path) -> None:
    to = to_folder(tmp_path / "outside")
    close_a_day(card_room)
    first = card_room.export_heads(to)
    assert card_room.export_heads(to) == first
    assert len(heads_in(tmp_path / "outside")) == count(card_room, HEADS_CHAIN, HeadsSigned.kind) == 1
    play(card_room)
    assert card_room.export_heads(to).head != first.head


def test_a_room_without_a_destination_signs_nothing_and_needs_no_key(in_a_file: CardRoom) -> None:
    close_a_day(in_a_file)
    with pytest.raises(HeadsNotDelivered):
        in_a_file.send_heads(new_id(), "Olga", HeadsDestination())
    assert (in_a_file.heads_log(), in_a_file.room().heads_key) == (None, "")


def test_the_key_is_made_on_first_use_only_for_its_owner_and_recorded_in_the_rooms_chain(
    in_a_file: CardRoom, tmp_path: Path
) -> None:
    to = to_folder(tmp_path / "outside")
    close_a_day(in_a_file)
    before = os.umask(0)
    try:
        exported = in_a_file.export_heads(to)
    finally:
        os.umask(before)
    assert to.signing_key is not None
    assert stat.S_IMODE(to.signing_key.stat().st_mode) == 0o600
    recorded = [event for event in in_a_file.ledger.events(ROOM_CHAIN) if event.kind == HeadsKeyRecorded.kind]
    assert exported.head is not None
    assert [event.payload["key"] for event in recorded] == [exported.head.key] == [in_a_file.room().heads_key]
    to.signing_key.chmod(0o644)
    with pytest.raises(HeadsNotDelivered):
        in_a_file.export_heads(to)
    assert "chmod 600" in in_a_file.read_heads_status(to).error
    to.signing_key.chmod(0o600)
    in_a_file.export_heads(to)
    assert in_a_file.read_heads_status(to).error == ""


def test_a_key_that_is_lost_or_another_one_signs_nothing_until_two_people_replace_it(
    in_a_file: CardRoom, tmp_path: Path
) -> None:
    to = to_folder(tmp_path / "outside")
    close_a_day(in_a_file)
    in_a_file.export_heads(to)
    assert to.signing_key is not None
    to.signing_key.rename(tmp_path / "mislaid.key")
    play(in_a_file)
    with pytest.raises(HeadsNotDelivered):
        in_a_file.export_heads(to)
    assert not to.signing_key.exists()
    create_signing_key(to.signing_key)
    with pytest.raises(HeadsNotDelivered):
        in_a_file.export_heads(to)
    with pytest.raises(BadInput, match="Two people"):
        in_a_file.replace_heads_key(new_id(), "Olga", to, "it is lost", second="")
    key = in_a_file.replace_heads_key(new_id(), "Olga", to, "it is lost", second="Carl")
    exported = in_a_file.export_heads(to)
    assert exported.head is not None
    assert exported.head.key == key
    assert in_a_file.check_exported_heads(to).is_consistent


def test_heads_go_to_a_command_on_its_standard_input_one_after_the_other(in_a_file: CardRoom, tmp_path: Path) -> None:
    taken = tmp_path / "taken.jsonl"
    script = f"import sys, json; open({str(taken)!r}, 'a').write(json.dumps(json.load(sys.stdin)) + chr(10))"
    to = to_command(tmp_path, script)
    close_a_day(in_a_file)
    sent = in_a_file.send_heads(new_id(), "Olga", to)
    in_a_file.export_heads(to)
    in_a_file.export_heads(to)
    first, second = map(json.loads, taken.read_text("utf-8").splitlines())
    assert (first["digest"], second["previous"]) == (sent.digest, sent.digest)
    outside = in_a_file.check_exported_heads(to)
    assert (outside.where, outside.time, outside.checked) == (sent.where, second["time"], False)


@pytest.mark.parametrize(
    ("to", "sentence"),
    [
        (HeadsDestination(folder=Path("/no/such/folder")), "/no/such/folder for heads cannot be read"),
        (HeadsDestination(command=("false",)), "ended with exit code 1"),
        (HeadsDestination(command=("no-such-program-anywhere",)), "cannot be run"),
        (HeadsDestination(witness="http://127.0.0.1:9"), "does not respond"),
    ],
)
def test_heads_that_stay_leave_the_close_and_are_sent_by_the_next_export(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination, sentence: str
) -> None:
    close_a_day(in_a_file)
    with pytest.raises(HeadsNotDelivered, match=sentence):
        in_a_file.send_heads(new_id(), "Olga", to._replace(signing_key=tmp_path / "heads.key"))
    assert count(in_a_file, ROOM_CHAIN, HeadsExported.kind) == 0
    assert in_a_file.room().days.closed is not None
    folder = to_folder(tmp_path / "outside")
    assert in_a_file.export_heads(folder).errors == ()
    assert len(heads_in(tmp_path / "outside")) == 1


@pytest.mark.parametrize("stop_before", ["write_head", "carry_out", "note", "rename"])
def test_an_export_that_was_killed_goes_on_where_it_stopped(
    in_a_file: CardRoom, tmp_path: Path, stop_before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    to = to_folder(tmp_path / "outside")
    close_a_day(in_a_file)
    in_a_file.export_heads(to)
    play(in_a_file)

    class Killed(BaseException):
        pass

    def die(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        match stop_before:
            case "write_head":
                patched.setattr("cardroom.service.commands.heads.write_head", die)
            case "rename":
                patched.setattr(destinations.Path, "rename", die)
            case "note":
                patched.setattr(in_a_file.ledger, "save_notes", die)
            case "carry_out":
                patched.setattr(in_a_file.ledger.store, "commit", die)
        with pytest.raises(Killed):
            in_a_file.export_heads(to)
    url = in_a_file.ledger.store.url
    with open_ledger(url) as ledger:
        again = CardRoom(ledger)
        assert again.export_heads(to).errors == ()
        assert len(heads_in(tmp_path / "outside")) == count(again, HEADS_CHAIN, HeadsSigned.kind) == 2
        assert again.check_exported_heads(to).is_consistent


def test_a_new_folder_gets_the_whole_log(in_a_file: CardRoom, tmp_path: Path) -> None:
    close_a_day(in_a_file)
    in_a_file.send_heads(new_id(), "Olga", to_folder(tmp_path / "old"))
    in_a_file.send_heads(new_id(), "Olga", to_folder(tmp_path / "new"))
    assert [one.name for one in heads_in(tmp_path / "new")][:1] == [one.name for one in heads_in(tmp_path / "old")]
    assert len(heads_in(tmp_path / "new")) == 2


def test_a_backup_that_has_every_export_goes_on_with_the_same_log_and_an_older_one_does_not(
    in_a_file: CardRoom, tmp_path: Path
) -> None:
    to = to_folder(tmp_path / "outside")
    close_a_day(in_a_file)
    in_a_file.export_heads(to)
    backup_ledger(in_a_file.ledger, tmp_path / "older.db")
    play(in_a_file)
    in_a_file.export_heads(to)
    backup_ledger(in_a_file.ledger, tmp_path / "newest.db")
    for backup, goes_on in (("older.db", False), ("newest.db", True)):
        with open_ledger(f"sqlite:///{tmp_path / backup}") as ledger:
            restored = CardRoom(ledger)
            assert restored.check_exported_heads(to).is_consistent == goes_on
            if goes_on:
                play(restored)
                assert restored.export_heads(to).errors == ()
                assert restored.check_exported_heads(to).is_consistent
                assert len(heads_in(tmp_path / "outside")) == 3


def test_heads_that_are_exported_while_they_are_compared_are_no_contradiction(
    in_a_file: CardRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    close_a_day(in_a_file)
    with serving_witness(tmp_path / "witness") as witness:
        to = to_folder(tmp_path / "outside", witness=witness.address)
        in_a_file.export_heads(to)
        read = in_a_file.read_logged_heads

        def export_meanwhile() -> object:
            log = read()
            play(in_a_file)
            assert in_a_file.export_heads(to).errors == ()
            return log

        monkeypatch.setattr(in_a_file, "read_logged_heads", export_meanwhile)
        assert in_a_file.check_exported_heads(to).is_consistent
        assert in_a_file.check_heads_folder(tmp_path / "outside").is_consistent
    assert len(heads_in(tmp_path / "outside")) == 3


def test_files_that_were_changed_exchanged_or_taken_away_are_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    to = to_folder(tmp_path / "outside")
    close_a_day(in_a_file)
    in_a_file.send_heads(new_id(), "Olga", to)
    in_a_file.send_heads(new_id(), "Olga", to)
    one, other = heads_in(tmp_path / "outside")
    first, second = one.read_bytes(), other.read_bytes()

    def wrong() -> str:
        (sentence,) = in_a_file.check_exported_heads(to).wrong
        return sentence

    document = json.loads(first)
    document["leaves"][0]["sequence"] += 1
    one.write_text(json.dumps(document), "utf-8")
    assert wrong() == f"{one}: Its leaves are not those that were signed."
    document = json.loads(first)
    document["time"] += 1
    one.write_text(json.dumps(document), "utf-8")
    assert "their digest does not fit" in wrong()
    one.write_bytes(second)
    assert "The file name does not fit its head" in wrong()
    one.write_bytes(first)
    stray = tmp_path / "outside" / "heads-of-something-else.json"
    stray.write_text("{", "utf-8")
    assert wrong() == f"{stray}: These are not signed heads of a Cardroom ledger."
    stray.unlink()
    one.unlink()
    assert in_a_file.check_exported_heads(to).missing == str(one)
    assert "other contents than the database" not in str(in_a_file.export_heads(to).errors)
    assert in_a_file.check_exported_heads(to).missing == str(one)


def test_a_witness_cosigns_and_the_folder_gets_its_cosignature(card_room: CardRoom, tmp_path: Path) -> None:
    close_a_day(card_room)
    with serving_witness(tmp_path / "witness") as witness:
        to = to_folder(tmp_path / "outside", witness=witness.address)
        for _ in range(3):
            play(card_room)
            exported = card_room.export_heads(to)
            assert exported.errors == ()
        assert card_room.export_heads(to) == exported
        status = card_room.read_heads_status(to)
        assert status.cosigned is not None
        assert status.head is not None
        assert status.cosigned.head == status.head.digest
        assert status.cosigned.key == witness.witness.key.public
        assert len(list((tmp_path / "outside").glob("*.cosigned.json"))) == 3
        outside = card_room.check_exported_heads(to)
        assert (outside.wrong, outside.checked, outside.witness_key) == ((), True, witness.witness.key.public)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_witness_that_is_down_stops_nothing_is_shown_as_late_and_catches_up(
    in_a_file: CardRoom, tmp_path: Path
) -> None:
    close_a_day(in_a_file)
    with serving_witness(tmp_path / "witness") as witness:
        to = to_witness(tmp_path, witness.address)
        in_a_file.export_heads(to)
    play(in_a_file)
    exported = in_a_file.export_heads(to)
    assert "does not respond" in exported.errors[0]
    play(in_a_file)
    in_a_file.export_heads(to)
    (state,) = in_a_file.read_heads_status(to).destinations
    assert "does not respond" in state.error
    status = in_a_file.read_heads_status(to)
    assert status.head is not None
    assert state.size < status.head.size
    assert in_a_file.check_exported_heads(to).unreadable[0].where == to.witness
    assert in_a_file.check_exported_heads(to).is_consistent
    with serving_witness(tmp_path / "witness", witness.server_address[1]):
        assert in_a_file.export_heads(to).errors == ()
        (state,) = in_a_file.read_heads_status(to).destinations
        assert (state.error, state.size) == ("", status.head.size)


def test_a_witness_with_another_key_is_not_believed(in_a_file: CardRoom, tmp_path: Path) -> None:
    close_a_day(in_a_file)
    with serving_witness(tmp_path / "witness") as witness:
        to = to_witness(tmp_path, witness.address)
        in_a_file.export_heads(to)
    play(in_a_file)
    with serving_witness(tmp_path / "false witness", witness.server_address[1]) as other:
        (sentence,) = in_a_file.export_heads(to).errors
        assert f"has the key {other.witness.key.public}" in sentence
        assert in_a_file.export_heads(to._replace(witness_key=other.witness.key.public)).errors == ()


def test_two_programs_that_export_at_once_sign_one_log(url: str, tmp_path: Path) -> None:
    to = to_folder(tmp_path / "outside")
    with open_ledger(url) as one, open_ledger(url) as other:
        first, second = CardRoom(one), CardRoom(other)
        close_a_day(first)
        for _ in range(3):
            for card_room in (first, second):
                play(first)
                assert card_room.export_heads(to).errors == ()
        assert first.check_exported_heads(to).is_consistent
        assert len(heads_in(tmp_path / "outside")) == count(first, HEADS_CHAIN, HeadsSigned.kind) == 6


def test_programs_that_export_to_one_witness_at_once_leave_no_evidence_against_the_room(
    url: str, tmp_path: Path
) -> None:
    with serving_witness(tmp_path / "witness") as witness:
        to = to_folder(tmp_path / "outside", witness=witness.address)
        with open_ledger(url) as ledger:
            close_a_day(CardRoom(ledger))
            CardRoom(ledger).export_heads(to)

        def export(name: str) -> None:
            with open_ledger(url) as ledger:
                for number in range(8):  # each leaves a record in the room's chain, which the next one signs
                    CardRoom(ledger).send_heads(f"{name} {number}", name, to)

        with ThreadPoolExecutor(2) as programs:
            for done in [programs.submit(export, name) for name in ("Olga", "Carl")]:
                done.result()
        assert list((tmp_path / "witness" / "refused").iterdir()) == []
        with open_ledger(url) as ledger:
            card_room = CardRoom(ledger)
            card_room.export_heads(to)
            assert card_room.check_exported_heads(to).is_consistent


def test_every_chain_and_event_is_proved_without_the_rest(card_room: CardRoom, tmp_path: Path) -> None:
    to = to_folder(tmp_path / "outside")
    close_a_day(card_room)
    card_room.export_heads(to)
    play(card_room)
    head = card_room.export_heads(to).head
    assert head is not None
    for chain, events in card_room.ledger.chain_lengths().items():
        if chain == HEADS_CHAIN:
            continue
        assert f"{chain} has event {events} with the hash" in check_proof(card_room.prove_chain(chain))
        for sequence in range(1, events + 1):
            proof = json.loads(json.dumps(card_room.prove_chain(chain, sequence)))
            assert check_proof(proof).startswith(f"{chain} has event {sequence} under the head of {head.size} leaves")
    sizes = list(card_room.read_logged_heads().heads)
    assert len(sizes) == 2
    document = card_room.prove_growth(sizes[0])
    assert check_proof(document) == f"The log of {sizes[1]} leaves extends the one of {sizes[0]}."
    with pytest.raises(CannotProve):
        card_room.prove_chain("room of requirement")
    with pytest.raises(CannotProve):
        card_room.prove_chain(ROOM_CHAIN, 10_000)
    with pytest.raises(CannotProve):
        card_room.prove_growth(1)


def test_a_proof_that_was_changed_proves_nothing(in_a_file: CardRoom, tmp_path: Path) -> None:
    close_a_day(in_a_file)
    in_a_file.export_heads(to_folder(tmp_path / "outside"))
    proof = in_a_file.prove_chain("tabulator:prime-1", 1)
    assert len(proof["events"]) > 1
    changed = [
        {**proof, "index": proof["index"] + 1},
        {**proof, "proof": proof["proof"][1:]},
        {**proof, "leaf": {**proof["leaf"], "hash": "0" * 64}},
        {**proof, "head": {**proof["head"], "time": 1}},
        {**proof, "events": [proof["events"][0].replace("prime", "crime"), *proof["events"][1:]]},
        {**proof, "events": proof["events"][:-1]},
        {**proof, "events": [7]},
        {**proof, "version": 2},
    ]
    for one in changed:
        with pytest.raises(BadHeadsDocument):
            check_proof(one)


def test_an_event_is_hashed_as_the_format_page_says(in_a_file: CardRoom, tmp_path: Path) -> None:
    """With hashlib alone: from the text of an event to the root that was signed."""
    close_a_day(in_a_file)
    in_a_file.export_heads(to_folder(tmp_path / "outside"))
    proof = in_a_file.prove_chain("tabulator:prime-1", 1)
    for text, following in zip(proof["events"], proof["events"][1:], strict=False):
        assert json.loads(following)["previous"] == sha256(text.encode()).hexdigest()
    leaf = proof["leaf"]
    assert sha256(proof["events"][-1].encode()).hexdigest() == leaf["hash"]
    found = sha256(b"\x00" + f"{leaf['chain']}\n{leaf['sequence']}\n{leaf['hash']}\n".encode()).digest()
    index, last = proof["index"], proof["head"]["size"] - 1
    for node in map(bytes.fromhex, proof["proof"]):
        if index % 2 or index == last:
            found = sha256(b"\x01" + node + found).digest()
            while index and index % 2 == 0:
                index, last = index // 2, last // 2
        else:
            found = sha256(b"\x01" + found + node).digest()
        index, last = index // 2, last // 2
    assert found.hex() == proof["head"]["root"]
