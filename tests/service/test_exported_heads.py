"""Heads are signed, logged, sent to the destinations of the machine, and compared with the database."""

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


def count_events(card_room: CardRoom, chain: str, kind: str) -> int:
    return sum(event.kind == kind for event in card_room.ledger.events(chain))


def list_head_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if not file.name.endswith(".cosigned.json"))


def test_each_export_adds_a_file_to_the_folder(card_room: CardRoom, tmp_path: Path) -> None:
    destination = to_folder(tmp_path / "outside")
    close_a_day(card_room)
    sent = card_room.heads.send("first", "Olga", destination)
    assert card_room.heads.send("first", "Olga", destination) == sent
    assert card_room.heads.send(new_id(), "Olga", destination).digest != sent.digest
    first, second = list_head_files(tmp_path / "outside")
    assert (
        count_events(card_room, ROOM_CHAIN, HeadsExported.kind)
        == count_events(card_room, HEADS_CHAIN, HeadsSigned.kind)
        == 2
    )
    document = json.loads(first.read_text("utf-8"))
    assert (document["digest"], document["time"]) == (sent.digest, sent.time)
    assert {leaf["chain"] for leaf in document["leaves"]} == set(card_room.ledger.chains()) - {HEADS_CHAIN}
    later = json.loads(second.read_text("utf-8"))
    assert [leaf["chain"] for leaf in later["leaves"]] == [ROOM_CHAIN]
    assert later["previous"] == document["digest"]
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    assert verify_card_room(card_room.ledger).is_consistent
    comparison = card_room.heads.check_exported(destination)
    assert (comparison.wrong, comparison.missing, comparison.files, comparison.where) == ((), "", 2, str(second))


def test_an_export_without_new_events_signs_nothing(card_room: CardRoom, tmp_path: Path) -> None:
    destination = to_folder(tmp_path / "outside")
    close_a_day(card_room)
    first = card_room.heads.export(destination)
    assert card_room.heads.export(destination) == first
    assert len(list_head_files(tmp_path / "outside")) == count_events(card_room, HEADS_CHAIN, HeadsSigned.kind) == 1
    play(card_room)
    assert card_room.heads.export(destination).head != first.head


def test_a_room_without_a_destination_signs_nothing_and_needs_no_key(in_a_file: CardRoom) -> None:
    close_a_day(in_a_file)
    with pytest.raises(HeadsNotDelivered):
        in_a_file.heads.send(new_id(), "Olga", HeadsDestination())
    assert (in_a_file.heads_log(), in_a_file.room().heads_key) == (None, "")


def test_the_first_export_creates_a_key_that_only_its_owner_can_read_and_records_it(
    in_a_file: CardRoom, tmp_path: Path
) -> None:
    destination = to_folder(tmp_path / "outside")
    close_a_day(in_a_file)
    before = os.umask(0)
    try:
        exported = in_a_file.heads.export(destination)
    finally:
        os.umask(before)
    assert destination.signing_key is not None
    assert stat.S_IMODE(destination.signing_key.stat().st_mode) == 0o600
    recorded = [event for event in in_a_file.ledger.events(ROOM_CHAIN) if event.kind == HeadsKeyRecorded.kind]
    assert exported.head is not None
    assert [event.payload["key"] for event in recorded] == [exported.head.key] == [in_a_file.room().heads_key]
    destination.signing_key.chmod(0o644)
    with pytest.raises(HeadsNotDelivered):
        in_a_file.heads.export(destination)
    assert "chmod 600" in in_a_file.heads.read_status(destination).error
    destination.signing_key.chmod(0o600)
    in_a_file.heads.export(destination)
    assert in_a_file.heads.read_status(destination).error == ""


def test_with_a_lost_or_different_key_nothing_is_signed_until_two_people_replace_it(
    in_a_file: CardRoom, tmp_path: Path
) -> None:
    destination = to_folder(tmp_path / "outside")
    close_a_day(in_a_file)
    in_a_file.heads.export(destination)
    assert destination.signing_key is not None
    destination.signing_key.rename(tmp_path / "mislaid.key")
    play(in_a_file)
    with pytest.raises(HeadsNotDelivered):
        in_a_file.heads.export(destination)
    assert not destination.signing_key.exists()
    create_signing_key(destination.signing_key)
    with pytest.raises(HeadsNotDelivered):
        in_a_file.heads.export(destination)
    with pytest.raises(BadInput, match="Two people"):
        in_a_file.heads.replace_key(new_id(), "Olga", destination, "it is lost", second="")
    key = in_a_file.heads.replace_key(new_id(), "Olga", destination, "it is lost", second="Carl")
    exported = in_a_file.heads.export(destination)
    assert exported.head is not None
    assert exported.head.key == key
    assert in_a_file.heads.check_exported(destination).is_consistent


def test_heads_go_to_the_standard_input_of_a_command(in_a_file: CardRoom, tmp_path: Path) -> None:
    taken = tmp_path / "taken.jsonl"
    script = f"import sys, json; open({str(taken)!r}, 'a').write(json.dumps(json.load(sys.stdin)) + chr(10))"
    destination = to_command(tmp_path, script)
    close_a_day(in_a_file)
    sent = in_a_file.heads.send(new_id(), "Olga", destination)
    in_a_file.heads.export(destination)
    in_a_file.heads.export(destination)
    first, second = map(json.loads, taken.read_text("utf-8").splitlines())
    assert (first["digest"], second["previous"]) == (sent.digest, sent.digest)
    comparison = in_a_file.heads.check_exported(destination)
    assert (comparison.where, comparison.time, comparison.checked) == (sent.where, second["time"], False)


@pytest.mark.parametrize(
    ("destination", "sentence"),
    [
        (HeadsDestination(folder=Path("/no/such/folder")), "/no/such/folder for heads cannot be read"),
        (HeadsDestination(command=("false",)), "ended with exit code 1"),
        (HeadsDestination(command=("no-such-program-anywhere",)), "cannot be run"),
        (HeadsDestination(witness="http://127.0.0.1:9"), "does not respond"),
    ],
)
def test_a_failed_export_does_not_undo_the_close_and_the_next_export_sends_the_heads(
    in_a_file: CardRoom, tmp_path: Path, destination: HeadsDestination, sentence: str
) -> None:
    close_a_day(in_a_file)
    with pytest.raises(HeadsNotDelivered, match=sentence):
        in_a_file.heads.send(new_id(), "Olga", destination._replace(signing_key=tmp_path / "heads.key"))
    assert count_events(in_a_file, ROOM_CHAIN, HeadsExported.kind) == 0
    assert in_a_file.room().days.closed is not None
    folder = to_folder(tmp_path / "outside")
    assert in_a_file.heads.export(folder).errors == ()
    assert len(list_head_files(tmp_path / "outside")) == 1


@pytest.mark.parametrize("stop_before", ["write_head", "carry_out", "note", "rename"])
def test_the_next_export_completes_an_export_that_was_killed(
    in_a_file: CardRoom, tmp_path: Path, stop_before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    destination = to_folder(tmp_path / "outside")
    close_a_day(in_a_file)
    in_a_file.heads.export(destination)
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
            in_a_file.heads.export(destination)
    url = in_a_file.ledger.store.url
    with open_ledger(url) as ledger:
        restarted = CardRoom(ledger)
        assert restarted.heads.export(destination).errors == ()
        assert len(list_head_files(tmp_path / "outside")) == count_events(restarted, HEADS_CHAIN, HeadsSigned.kind) == 2
        assert restarted.heads.check_exported(destination).is_consistent


def test_a_new_folder_gets_the_complete_log(in_a_file: CardRoom, tmp_path: Path) -> None:
    close_a_day(in_a_file)
    in_a_file.heads.send(new_id(), "Olga", to_folder(tmp_path / "old"))
    in_a_file.heads.send(new_id(), "Olga", to_folder(tmp_path / "new"))
    old, new = ([file.name for file in list_head_files(tmp_path / name)] for name in ("old", "new"))
    assert new[:1] == old
    assert len(new) == 2


def test_a_backup_with_every_export_continues_the_log_and_an_older_backup_does_not(
    in_a_file: CardRoom, tmp_path: Path
) -> None:
    destination = to_folder(tmp_path / "outside")
    close_a_day(in_a_file)
    in_a_file.heads.export(destination)
    backup_ledger(in_a_file.ledger, tmp_path / "older.db")
    play(in_a_file)
    in_a_file.heads.export(destination)
    backup_ledger(in_a_file.ledger, tmp_path / "newest.db")
    for backup, continues in (("older.db", False), ("newest.db", True)):
        with open_ledger(f"sqlite:///{tmp_path / backup}") as ledger:
            restored = CardRoom(ledger)
            assert restored.heads.check_exported(destination).is_consistent == continues
            if continues:
                play(restored)
                assert restored.heads.export(destination).errors == ()
                assert restored.heads.check_exported(destination).is_consistent
                assert len(list_head_files(tmp_path / "outside")) == 3


def test_an_export_during_a_comparison_is_not_reported_as_a_contradiction(
    in_a_file: CardRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    close_a_day(in_a_file)
    with serving_witness(tmp_path / "witness") as witness:
        destination = to_folder(tmp_path / "outside", witness=witness.address)
        in_a_file.heads.export(destination)
        read = in_a_file.heads.read_logged

        def export_meanwhile() -> object:
            log = read()
            play(in_a_file)
            assert in_a_file.heads.export(destination).errors == ()
            return log

        monkeypatch.setattr(in_a_file, "read_logged_heads", export_meanwhile)
        assert in_a_file.heads.check_exported(destination).is_consistent
        assert in_a_file.heads.check_folder(tmp_path / "outside").is_consistent
    assert len(list_head_files(tmp_path / "outside")) == 3


def test_changed_exchanged_added_and_missing_files_are_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    destination = to_folder(tmp_path / "outside")
    close_a_day(in_a_file)
    in_a_file.heads.send(new_id(), "Olga", destination)
    in_a_file.heads.send(new_id(), "Olga", destination)
    first_file, second_file = list_head_files(tmp_path / "outside")
    first, second = first_file.read_bytes(), second_file.read_bytes()

    def find_wrong() -> str:
        (sentence,) = in_a_file.heads.check_exported(destination).wrong
        return sentence

    document = json.loads(first)
    document["leaves"][0]["sequence"] += 1
    first_file.write_text(json.dumps(document), "utf-8")
    assert find_wrong() == f"{first_file}: Its leaves are not those that were signed."
    document = json.loads(first)
    document["time"] += 1
    first_file.write_text(json.dumps(document), "utf-8")
    assert "their digest does not fit" in find_wrong()
    first_file.write_bytes(second)
    assert "The file name does not fit its head" in find_wrong()
    first_file.write_bytes(first)
    stray = tmp_path / "outside" / "heads-of-something-else.json"
    stray.write_text("{", "utf-8")
    assert find_wrong() == f"{stray}: These are not signed heads of a Cardroom ledger."
    stray.unlink()
    first_file.unlink()
    assert in_a_file.heads.check_exported(destination).missing == str(first_file)
    assert "other contents than the database" not in str(in_a_file.heads.export(destination).errors)
    assert in_a_file.heads.check_exported(destination).missing == str(first_file)


def test_a_witness_cosigns_and_the_folder_receives_the_cosignature(card_room: CardRoom, tmp_path: Path) -> None:
    close_a_day(card_room)
    with serving_witness(tmp_path / "witness") as witness:
        destination = to_folder(tmp_path / "outside", witness=witness.address)
        for _ in range(3):
            play(card_room)
            exported = card_room.heads.export(destination)
            assert exported.errors == ()
        assert card_room.heads.export(destination) == exported
        status = card_room.heads.read_status(destination)
        assert status.cosigned is not None
        assert status.head is not None
        assert status.cosigned.head == status.head.digest
        assert status.cosigned.key == witness.witness.key.public
        assert len(list((tmp_path / "outside").glob("*.cosigned.json"))) == 3
        comparison = card_room.heads.check_exported(destination)
        assert (comparison.wrong, comparison.checked, comparison.witness_key) == ((), True, witness.witness.key.public)
    assert verify_card_room(card_room.ledger).is_consistent


def test_an_unreachable_witness_does_not_stop_exports_and_catches_up_later(in_a_file: CardRoom, tmp_path: Path) -> None:
    close_a_day(in_a_file)
    with serving_witness(tmp_path / "witness") as witness:
        destination = to_witness(tmp_path, witness.address)
        in_a_file.heads.export(destination)
    play(in_a_file)
    exported = in_a_file.heads.export(destination)
    assert "does not respond" in exported.errors[0]
    play(in_a_file)
    in_a_file.heads.export(destination)
    (state,) = in_a_file.heads.read_status(destination).destinations
    assert "does not respond" in state.error
    status = in_a_file.heads.read_status(destination)
    assert status.head is not None
    assert state.size < status.head.size
    assert in_a_file.heads.check_exported(destination).unreadable[0].where == destination.witness
    assert in_a_file.heads.check_exported(destination).is_consistent
    with serving_witness(tmp_path / "witness", witness.server_address[1]):
        assert in_a_file.heads.export(destination).errors == ()
        (state,) = in_a_file.heads.read_status(destination).destinations
        assert (state.error, state.size) == ("", status.head.size)


def test_a_witness_with_a_different_key_is_refused(in_a_file: CardRoom, tmp_path: Path) -> None:
    close_a_day(in_a_file)
    with serving_witness(tmp_path / "witness") as witness:
        destination = to_witness(tmp_path, witness.address)
        in_a_file.heads.export(destination)
    play(in_a_file)
    with serving_witness(tmp_path / "false witness", witness.server_address[1]) as other:
        (sentence,) = in_a_file.heads.export(destination).errors
        assert f"has the key {other.witness.key.public}" in sentence
        assert in_a_file.heads.export(destination._replace(witness_key=other.witness.key.public)).errors == ()


def test_two_programs_that_export_at_the_same_time_sign_one_log(url: str, tmp_path: Path) -> None:
    destination = to_folder(tmp_path / "outside")
    with open_ledger(url) as first_ledger, open_ledger(url) as second_ledger:
        first, second = CardRoom(first_ledger), CardRoom(second_ledger)
        close_a_day(first)
        for _ in range(3):
            for card_room in (first, second):
                play(first)
                assert card_room.heads.export(destination).errors == ()
        assert first.heads.check_exported(destination).is_consistent
        assert len(list_head_files(tmp_path / "outside")) == count_events(first, HEADS_CHAIN, HeadsSigned.kind) == 6


def test_programs_that_export_to_one_witness_at_the_same_time_are_never_refused(url: str, tmp_path: Path) -> None:
    with serving_witness(tmp_path / "witness") as witness:
        destination = to_folder(tmp_path / "outside", witness=witness.address)
        with open_ledger(url) as ledger:
            close_a_day(CardRoom(ledger))
            CardRoom(ledger).heads.export(destination)

        def export(name: str) -> None:
            with open_ledger(url) as ledger:
                # Each export records an event in the chain of the room, and the next export signs it.
                for number in range(8):
                    CardRoom(ledger).heads.send(f"{name} {number}", name, destination)

        with ThreadPoolExecutor(2) as programs:
            for future in [programs.submit(export, name) for name in ("Olga", "Carl")]:
                future.result()
        assert list((tmp_path / "witness" / "refused").iterdir()) == []
        with open_ledger(url) as ledger:
            card_room = CardRoom(ledger)
            card_room.heads.export(destination)
            assert card_room.heads.check_exported(destination).is_consistent


def test_each_chain_and_event_has_a_proof_without_the_other_chains(card_room: CardRoom, tmp_path: Path) -> None:
    destination = to_folder(tmp_path / "outside")
    close_a_day(card_room)
    card_room.heads.export(destination)
    play(card_room)
    head = card_room.heads.export(destination).head
    assert head is not None
    for chain, events in card_room.ledger.chain_lengths().items():
        if chain == HEADS_CHAIN:
            continue
        assert f"{chain} has event {events} with the hash" in check_proof(card_room.heads.prove_chain(chain))
        for sequence in range(1, events + 1):
            proof = json.loads(json.dumps(card_room.heads.prove_chain(chain, sequence)))
            assert check_proof(proof).startswith(f"{chain} has event {sequence} under the head of {head.size} leaves")
    sizes = list(card_room.heads.read_logged().heads)
    assert len(sizes) == 2
    document = card_room.heads.prove_growth(sizes[0])
    assert check_proof(document) == f"The log of {sizes[1]} leaves extends the one of {sizes[0]}."
    with pytest.raises(CannotProve):
        card_room.heads.prove_chain("no-such-chain")
    with pytest.raises(CannotProve):
        card_room.heads.prove_chain(ROOM_CHAIN, 10_000)
    with pytest.raises(CannotProve):
        card_room.heads.prove_growth(1)


def test_a_changed_proof_is_refused(in_a_file: CardRoom, tmp_path: Path) -> None:
    close_a_day(in_a_file)
    in_a_file.heads.export(to_folder(tmp_path / "outside"))
    proof = in_a_file.heads.prove_chain("tabulator:prime-1", 1)
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
    for document in changed:
        with pytest.raises(BadHeadsDocument):
            check_proof(document)


def test_an_event_is_hashed_as_the_page_about_the_format_says(in_a_file: CardRoom, tmp_path: Path) -> None:
    """With hashlib only, from the text of an event to the signed root."""
    close_a_day(in_a_file)
    in_a_file.heads.export(to_folder(tmp_path / "outside"))
    proof = in_a_file.heads.prove_chain("tabulator:prime-1", 1)
    for text, following in zip(proof["events"], proof["events"][1:], strict=False):
        assert json.loads(following)["previous"] == sha256(text.encode()).hexdigest()
    leaf = proof["leaf"]
    assert sha256(proof["events"][-1].encode()).hexdigest() == leaf["hash"]
    digest = sha256(b"\x00" + f"{leaf['chain']}\n{leaf['sequence']}\n{leaf['hash']}\n".encode()).digest()
    index, last = proof["index"], proof["head"]["size"] - 1
    for node in map(bytes.fromhex, proof["proof"]):
        if index % 2 or index == last:
            digest = sha256(b"\x01" + node + digest).digest()
            while index and index % 2 == 0:
                index, last = index // 2, last // 2
        else:
            digest = sha256(b"\x01" + digest + node).digest()
        index, last = index // 2, last // 2
    assert digest.hex() == proof["head"]["root"]
