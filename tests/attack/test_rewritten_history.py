"""An attacker rewrites history and computes every hash again. The witness and every exported head contradict them."""

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


def evening(card_room: CardRoom) -> None:
    open_room(card_room, tables=1)
    card_room.open_day(new_id(), "Olga")
    play(card_room)


def another_person(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
    """The change: another person opened the day."""
    return [(event.kind, {**payload, "who": "Mallory"})] if event.kind == DayOpened.kind else None


def without_the_log(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
    """The same, and what the room signed is left out."""
    if event.chain == HEADS_CHAIN or event.kind == HeadsKeyRecorded.kind:
        return []
    return another_person(event, payload)


def test_a_rewritten_chain_does_not_agree_with_the_signed_log(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination
) -> None:
    evening(in_a_file)
    in_a_file.export_heads(to)
    with forged(in_a_file, tmp_path, another_person) as forgery:
        assert verify_card_room(forgery.ledger).is_consistent
        outside = forgery.check_exported_heads(to)
    assert not outside.is_consistent
    assert any("is not the one whose hash was signed" in sentence for sentence in outside.wrong)


def test_a_rewritten_chain_that_is_signed_again_with_another_key_is_refused_everywhere(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination
) -> None:
    evening(in_a_file)
    with serving_witness(tmp_path / "witness") as witness:
        to = to._replace(witness=witness.address)
        in_a_file.export_heads(to)
        known = json.loads((tmp_path / "witness" / "cosigned.jsonl").read_text("utf-8"))
        with forged(in_a_file, tmp_path, without_the_log) as forgery:
            mine = to._replace(signing_key=tmp_path / "mallory.key")
            witnessed, folder = forgery.export_heads(mine).errors
            assert "and this witness follows the key" in witnessed
            assert "Nothing was written" in folder
            assert verify_card_room(forgery.ledger).is_consistent
            outside = forgery.check_exported_heads(mine)
        assert any("which the room never recorded" in sentence for sentence in outside.wrong)
        assert any("cosigned a log" in sentence for sentence in outside.wrong)
        # Any stranger can make such a head: it proves nothing, and the witness goes on with what it knows.
        assert list((tmp_path / "witness" / "refused").iterdir()) == []
        assert json.loads((tmp_path / "witness" / "cosigned.jsonl").read_text("utf-8")) == known


def test_a_rewritten_chain_that_is_signed_with_the_rooms_stolen_key_is_refused_by_the_witness(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination
) -> None:
    evening(in_a_file)
    with serving_witness(tmp_path / "witness") as witness:
        to = to._replace(witness=witness.address)
        first = in_a_file.export_heads(to).head
        assert first is not None
        with forged(in_a_file, tmp_path, without_the_log) as forgery:
            forgery.export_heads(to._replace(witness="", folder=tmp_path))
            while (log := forgery.heads_log()) is not None and log.head.size <= first.size:
                play(forgery)
                forgery.export_heads(to._replace(witness="", folder=tmp_path))
            (sentence,) = forgery.export_heads(to._replace(folder=None)).errors
        assert "history was rewritten" in sentence or "The proof starts at" in sentence
        (evidence,) = (tmp_path / "witness" / "refused").iterdir()
        kept = json.loads(evidence.read_text("utf-8"))
        # Both are signed with the room's own key, and they cannot both be true.
        assert read_head(kept["refused"]).is_signed
        assert read_head(kept["cosigned"]["head"]).is_signed
        assert kept["refused"]["key"] == kept["cosigned"]["head"]["key"]


def test_a_database_that_was_rolled_back_is_refused_by_the_witness_and_the_folder(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination
) -> None:
    evening(in_a_file)
    with serving_witness(tmp_path / "witness") as witness:
        to = to._replace(witness=witness.address)
        in_a_file.export_heads(to)
        in_a_file.ledger.close()
        file = tmp_path / "room.db"
        shutil.copy(file, tmp_path / "older.db")
        with open_ledger(in_a_file.ledger.store.url) as ledger:
            card_room = CardRoom(ledger)
            play(card_room)
            play(card_room)
            card_room.export_heads(to)
            play(card_room)
            newest = card_room.export_heads(to).head
            assert newest is not None
        with open_ledger(f"sqlite:///{tmp_path / 'older.db'}") as ledger:
            older = CardRoom(ledger)
            play(older)
            witnessed, folder = older.export_heads(to).errors
            assert f"The log had {newest.size} leaves and now has" in witnessed
            assert "the database was restored to an older state" in folder
            assert verify_card_room(ledger).is_consistent
            assert not older.check_exported_heads(to).is_consistent
        assert len(list((tmp_path / "witness" / "refused").iterdir())) == 1


def test_a_key_that_one_person_alone_records_in_the_database_is_found(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination
) -> None:
    evening(in_a_file)
    in_a_file.export_heads(to)
    mine = create_signing_key(tmp_path / "mallory.key")
    head = in_a_file.ledger.head(ROOM_CHAIN)
    assert head is not None
    assert isinstance(head.snapshot, dict)
    payload = {"who": "Mallory", "second": "", "why": "", "key": mine.public}
    event = NewEvent(ROOM_CHAIN, HeadsKeyRecorded.kind, 1, payload)
    made = CommandOutcome((event,), {ROOM_CHAIN: {**head.snapshot, "heads_key": mine.public}}, None)
    in_a_file.ledger.execute(Command("attack", (ROOM_CHAIN,), None, lambda _: made))
    report = verify_card_room(in_a_file.ledger)
    assert report.discrepancy is not None
    assert "Two people must replace the key that signs heads" in str(report.discrepancy)


def test_files_that_were_exchanged_in_the_folder_are_found(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination
) -> None:
    evening(in_a_file)
    in_a_file.export_heads(to)
    play(in_a_file)
    in_a_file.export_heads(to)
    first, second = sorted((tmp_path / "outside").iterdir())
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)
    assert len(in_a_file.check_exported_heads(to).wrong) == 2
    # The attacker's own heads under the right name, signed with their own key.
    key = create_signing_key(tmp_path / "mallory.key")
    document = json.loads(one)
    head = read_head({**document, "key": key.public})
    signed = head._replace(signature=key.sign(head.text))
    document |= {**signed._asdict(), "digest": signed.digest}
    first.write_text(json.dumps(document), "utf-8")
    second.write_bytes(other)
    (sentence,) = in_a_file.check_exported_heads(to).wrong
    assert "which the room never recorded" in sentence


def test_a_database_that_forgets_its_log_does_not_agree_with_the_folder(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination
) -> None:
    evening(in_a_file)
    in_a_file.export_heads(to)
    with forged(in_a_file, tmp_path, without_the_log) as forgery:
        assert forgery.heads_log() is None
        assert not forgery.check_exported_heads(to).is_consistent


def test_strangers_neither_use_up_a_witnesss_evidence_nor_make_any(
    in_a_file: CardRoom, tmp_path: Path, to: HeadsDestination, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardroom.heads.witness.MOST_EVIDENCE", 1)
    evening(in_a_file)
    with serving_witness(tmp_path / "witness") as served:
        to, witness, refused = to._replace(witness=served.address), served.witness, tmp_path / "witness" / "refused"
        heads = []
        for _ in range(2):
            play(in_a_file)
            heads.append(in_a_file.export_heads(to).head)
        old, newest = heads
        assert old is not None
        assert newest is not None
        # An old, true head is public.
        with pytest.raises(HeadRefused, match="cosigned before, so it proves nothing"):
            witness.cosign(old, newest.size, ())
        # Heads that are signed with a key of the stranger's own.
        mine = create_signing_key(tmp_path / "mallory.key")
        for more in range(1, 20):
            foreign = newest._replace(size=newest.size + more, key=mine.public)
            with pytest.raises(HeadRefused, match="and this witness follows the key"):
                witness.cosign(foreign._replace(signature=mine.sign(foreign.text)), newest.size, ())
        assert list(refused.iterdir()) == []
        # A rewrite that is signed with the room's key is still kept.
        room = read_signing_key(tmp_path / "heads.key")
        assert room is not None
        rewritten = newest._replace(root=old.root)
        with pytest.raises(HeadRefused, match="two different logs"):
            witness.cosign(rewritten._replace(signature=room.sign(rewritten.text)), newest.size, ())
        (evidence,) = refused.iterdir()
        assert json.loads(evidence.read_text("utf-8"))["refused"]["root"] == old.root


def test_strangers_cannot_fill_the_disk_of_a_witness_or_make_it_forget(tmp_path: Path, in_a_file: CardRoom) -> None:
    import http.client

    evening(in_a_file)
    with serving_witness(tmp_path / "witness") as witness:
        to = HeadsDestination(witness=witness.address, signing_key=tmp_path / "heads.key")
        head = in_a_file.export_heads(to).head
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
            answer = connection.getresponse()
            assert answer.status == status
            assert json.loads(answer.read())["error"]
            connection.close()
        assert list((tmp_path / "witness" / "refused").iterdir()) == []
        assert (tmp_path / "witness" / "cosigned.jsonl").read_bytes() == before
