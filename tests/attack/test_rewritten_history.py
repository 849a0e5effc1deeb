"""An attacker rewrites history and computes every hash again. The witness and the exported heads expose the change."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from cardroom.heads.keys import create_signing_key, read_signing_key
from cardroom.heads.signed_heads import read_head
from cardroom.heads.witness import HeadRefused
from cardroom.ledger import Command, CommandOutcome, Event, NewEvent, open_ledger
from cardroom.machine_config import HeadsDestination
from cardroom.room.site.events import DayOpened, HeadsKeyRecorded
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.chains.names import HEADS_CHAIN, ROOM_CHAIN
from tests.deadline import LIMIT
from tests.heads.rooms import serving_witness, to_folder
from tests.service.card_rooms import new_id, open_room, play
from tests.service.forger import Payload, Rewritten, forged


@pytest.fixture
def to(tmp_path: Path) -> HeadsDestination:
    return to_folder(tmp_path / "outside")


def play_evening(card_room: CardRoom) -> None:
    open_room(card_room, tables=1)
    card_room.days.open(new_id(), "Olga")
    play(card_room)


def replace_opener(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
    """The forged change: another person opened the day."""
    return [(event.kind, {**payload, "who": "Mallory"})] if event.kind == DayOpened.kind else None


def drop_signed_log(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
    """The same change, without the events that the room signed."""
    if event.chain == HEADS_CHAIN or event.kind == HeadsKeyRecorded.kind:
        return []
    return replace_opener(event, payload)


def test_a_rewritten_chain_differs_from_the_signed_log(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination
) -> None:
    play_evening(in_a_file)
    in_a_file.heads.export(to)
    with forged(in_a_file, tmp_path, replace_opener) as forgery:
        assert verify_card_room(forgery.ledger).is_consistent
        comparison = forgery.heads.check_exported(to)
    assert not comparison.is_consistent
    assert any("is not the one whose hash was signed" in sentence for sentence in comparison.wrong)


def test_a_rewritten_chain_signed_with_another_key_is_refused_by_the_witness_and_the_folder(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination
) -> None:
    play_evening(in_a_file)
    with serving_witness(tmp_path / "witness") as witness:
        to = to._replace(witness=witness.address)
        in_a_file.heads.export(to)
        known = json.loads((tmp_path / "witness" / "cosigned.jsonl").read_text("utf-8"))
        with forged(in_a_file, tmp_path, drop_signed_log) as forgery:
            mallory = to._replace(signing_key=tmp_path / "mallory.key")
            witness_error, folder_error = forgery.heads.export(mallory).errors
            assert "and this witness follows the key" in witness_error
            assert "Nothing was written" in folder_error
            assert verify_card_room(forgery.ledger).is_consistent
            comparison = forgery.heads.check_exported(mallory)
        assert any("which the room never recorded" in sentence for sentence in comparison.wrong)
        assert any("cosigned a log" in sentence for sentence in comparison.wrong)
        # Any stranger can make such a head. It proves nothing, and the witness does not change its record.
        assert list((tmp_path / "witness" / "refused").iterdir()) == []
        assert json.loads((tmp_path / "witness" / "cosigned.jsonl").read_text("utf-8")) == known


def test_a_rewritten_chain_signed_with_the_rooms_stolen_key_is_refused_by_the_witness(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination
) -> None:
    play_evening(in_a_file)
    with serving_witness(tmp_path / "witness") as witness:
        to = to._replace(witness=witness.address)
        first = in_a_file.heads.export(to).head
        assert first is not None
        with forged(in_a_file, tmp_path, drop_signed_log) as forgery:
            forgery.heads.export(to._replace(witness="", folder=tmp_path))
            while (log := forgery.heads_log()) is not None and log.head.size <= first.size:
                play(forgery)
                forgery.heads.export(to._replace(witness="", folder=tmp_path))
            (sentence,) = forgery.heads.export(to._replace(folder=None)).errors
        assert "history was rewritten" in sentence or "The proof starts at" in sentence
        (evidence,) = (tmp_path / "witness" / "refused").iterdir()
        heads = json.loads(evidence.read_text("utf-8"))
        # The room's own key signed both heads, and they contradict each other.
        assert read_head(heads["refused"]).is_signed
        assert read_head(heads["cosigned"]["head"]).is_signed
        assert heads["refused"]["key"] == heads["cosigned"]["head"]["key"]


def test_a_database_restored_to_an_older_state_is_refused_by_the_witness_and_the_folder(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination
) -> None:
    play_evening(in_a_file)
    with serving_witness(tmp_path / "witness") as witness:
        to = to._replace(witness=witness.address)
        in_a_file.heads.export(to)
        in_a_file.ledger.close()
        file = tmp_path / "room.db"
        shutil.copy(file, tmp_path / "older.db")
        with open_ledger(in_a_file.ledger.store.url) as ledger:
            card_room = CardRoom(ledger)
            play(card_room)
            play(card_room)
            card_room.heads.export(to)
            play(card_room)
            newest = card_room.heads.export(to).head
            assert newest is not None
        with open_ledger(f"sqlite:///{tmp_path / 'older.db'}") as ledger:
            older = CardRoom(ledger)
            play(older)
            witness_error, folder_error = older.heads.export(to).errors
            assert f"The log had {newest.size} leaves and now has" in witness_error
            assert "the database was restored to an older state" in folder_error
            assert verify_card_room(ledger).is_consistent
            assert not older.heads.check_exported(to).is_consistent
        assert len(list((tmp_path / "witness" / "refused").iterdir())) == 1


def test_a_signing_key_that_one_person_records_alone_in_the_database_is_detected(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination
) -> None:
    play_evening(in_a_file)
    in_a_file.heads.export(to)
    mallory = create_signing_key(tmp_path / "mallory.key")
    head = in_a_file.ledger.head(ROOM_CHAIN)
    assert head is not None
    assert isinstance(head.snapshot, dict)
    payload = {"who": "Mallory", "second": "", "why": "", "key": mallory.public}
    event = NewEvent(ROOM_CHAIN, HeadsKeyRecorded.kind, 1, payload)
    outcome = CommandOutcome((event,), {ROOM_CHAIN: {**head.snapshot, "heads_key": mallory.public}}, None)
    in_a_file.ledger.execute(Command("attack", (ROOM_CHAIN,), None, lambda _: outcome))
    report = verify_card_room(in_a_file.ledger)
    assert report.discrepancy is not None
    assert "Two people must replace the key that signs heads" in str(report.discrepancy)


def test_exchanged_or_forged_files_in_the_folder_are_detected(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination
) -> None:
    play_evening(in_a_file)
    in_a_file.heads.export(to)
    play(in_a_file)
    in_a_file.heads.export(to)
    first, second = sorted((tmp_path / "outside").iterdir())
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)
    assert len(in_a_file.heads.check_exported(to).wrong) == 2
    # A head of the attacker under the right file name, signed with the attacker's own key.
    key = create_signing_key(tmp_path / "mallory.key")
    document = json.loads(one)
    head = read_head({**document, "key": key.public})
    signed = head._replace(signature=key.sign(head.text))
    document |= {**signed._asdict(), "digest": signed.digest}
    first.write_text(json.dumps(document), "utf-8")
    second.write_bytes(other)
    (sentence,) = in_a_file.heads.check_exported(to).wrong
    assert "which the room never recorded" in sentence


def test_a_database_without_its_signed_log_differs_from_the_folder(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination
) -> None:
    play_evening(in_a_file)
    in_a_file.heads.export(to)
    with forged(in_a_file, tmp_path, drop_signed_log) as forgery:
        assert forgery.heads_log() is None
        assert not forgery.heads.check_exported(to).is_consistent


def test_heads_of_strangers_leave_no_evidence_at_the_witness(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardroom.heads.witness.MOST_EVIDENCE", 1)
    play_evening(in_a_file)
    with serving_witness(tmp_path / "witness") as served:
        to, witness, refused = to._replace(witness=served.address), served.witness, tmp_path / "witness" / "refused"
        heads = []
        for _ in range(2):
            play(in_a_file)
            heads.append(in_a_file.heads.export(to).head)
        old, newest = heads
        assert old is not None
        assert newest is not None
        # An old, valid head is public.
        with pytest.raises(HeadRefused, match="cosigned before, so it proves nothing"):
            witness.cosign(old, newest.size, ())
        # Heads that the stranger signs with another key.
        mallory = create_signing_key(tmp_path / "mallory.key")
        for more in range(1, 20):
            foreign = newest._replace(size=newest.size + more, key=mallory.public)
            with pytest.raises(HeadRefused, match="and this witness follows the key"):
                witness.cosign(foreign._replace(signature=mallory.sign(foreign.text)), newest.size, ())
        assert list(refused.iterdir()) == []
        # The witness still keeps a rewritten head that is signed with the room's key.
        room = read_signing_key(tmp_path / "heads.key")
        assert room is not None
        rewritten = newest._replace(root=old.root)
        with pytest.raises(HeadRefused, match="two different logs"):
            witness.cosign(rewritten._replace(signature=room.sign(rewritten.text)), newest.size, ())
        (evidence,) = refused.iterdir()
        assert json.loads(evidence.read_text("utf-8"))["refused"]["root"] == old.root


def test_requests_of_strangers_store_nothing_at_the_witness_and_change_nothing(
    tmp_path: Path, in_a_file: CardRoom
) -> None:
    import http.client

    play_evening(in_a_file)
    with serving_witness(tmp_path / "witness") as witness:
        to = HeadsDestination(witness=witness.address, signing_key=tmp_path / "heads.key")
        head = in_a_file.heads.export(to).head
        assert head is not None
        before = (tmp_path / "witness" / "cosigned.jsonl").read_bytes()
        unsigned = {"head": {**head._asdict(), "size": head.size + 1}, "from": head.size, "proof": []}
        for body, status in (
            (b"{", 400),
            (b"[]", 400),
            (json.dumps({**unsigned, "from": "x"}).encode(), 400),
            (json.dumps({**unsigned, "proof": ["zz"]}).encode(), 400),
            (json.dumps(unsigned).encode(), 409),
            (b"x" * 70_000, 413),
        ):
            connection = http.client.HTTPConnection(*witness.server_address[:2], timeout=LIMIT)  # type: ignore[arg-type]
            connection.request("POST", "/", body)
            response = connection.getresponse()
            assert response.status == status
            assert json.loads(response.read())["error"]
            connection.close()
        assert list((tmp_path / "witness" / "refused").iterdir()) == []
        assert (tmp_path / "witness" / "cosigned.jsonl").read_bytes() == before
