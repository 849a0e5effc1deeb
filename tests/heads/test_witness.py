"""A witness cosigns one log that only grows, forgets nothing, and keeps what it refuses."""

from __future__ import annotations

import json
import os
import subprocess
from itertools import count
from pathlib import Path

import pytest

from cardroom.heads.destinations import WitnessClient
from cardroom.heads.keys import SigningKey, create_signing_key
from cardroom.heads.merkle import Peaks, consistency_proof
from cardroom.heads.signed_heads import NO_HEAD, Leaf, SignedHead, leaf_hashes
from cardroom.heads.witness import BadWitness, HeadRefused, Witness
from tests.web.processes import CARDROOM

_times = count(1_800_000_000_000_000)
LEAVES = [Leaf("room", number, f"{number:064x}") for number in range(1, 30)]
HASHES = leaf_hashes(LEAVES)


def clock() -> int:
    return next(_times)


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    return create_signing_key(tmp_path / "heads.key")


def head(key: SigningKey, size: int, hashes: list[bytes] = HASHES, time: int = 0) -> SignedHead:
    unsigned = SignedHead(size, Peaks().add(hashes[:size]).root.hex(), time or size, NO_HEAD, key.public)
    return unsigned._replace(signature=key.sign(unsigned.text))


def growth(old: int, size: int, hashes: list[bytes] = HASHES) -> tuple[bytes, ...]:
    return consistency_proof(Peaks().add(hashes[:old]), hashes[old:size])


def test_a_log_that_grows_is_cosigned_and_the_same_head_gets_the_same_cosignature(
    tmp_path: Path, key: SigningKey
) -> None:
    witness = Witness(tmp_path / "witness", clock)
    first = witness.cosign(head(key, 5), 0, ())
    assert first.cosignature.is_signed
    assert first.cosignature.key == witness.key.public
    assert witness.cosign(head(key, 5), 0, ()) == first
    assert witness.cosign(head(key, 13), 5, growth(5, 13)).head.size == 13


@pytest.mark.parametrize(
    ("size", "since", "sentence"),
    [
        (9, 13, "The log had 13 leaves and now has 9"),
        (13, 5, "The proof starts at 5 leaves, and 13 were cosigned last"),
        (20, 5, "The proof starts at 5 leaves, and 13 were cosigned last"),
    ],
)
def test_anything_but_growth_is_refused(tmp_path: Path, key: SigningKey, size: int, since: int, sentence: str) -> None:
    witness = Witness(tmp_path / "witness", clock)
    witness.cosign(head(key, 13), 0, ())
    with pytest.raises(HeadRefused, match=sentence):
        witness.cosign(head(key, size, time=99), since, growth(5, 20))
    assert witness.last_cosigned is not None
    assert witness.last_cosigned.head.size == 13
    # A proof that another program overtook is no evidence of anything.
    assert len(os.listdir(tmp_path / "witness" / "refused")) == (since == 13)


def test_another_past_another_key_and_an_older_time_are_refused(tmp_path: Path, key: SigningKey) -> None:
    witness = Witness(tmp_path / "witness", clock)
    witness.cosign(head(key, 13), 0, ())
    forged = [HASHES[1], *HASHES[1:]]
    with pytest.raises(HeadRefused, match=r"20.*13"):
        witness.cosign(head(key, 20, forged), 13, growth(13, 20, forged))
    with pytest.raises(HeadRefused):
        witness.cosign(head(key, 13, forged), 13, ())
    with pytest.raises(HeadRefused):
        witness.cosign(head(key, 20), 13, ())
    with pytest.raises(HeadRefused):
        witness.cosign(head(key, 20, time=2), 13, growth(13, 20))
    other = create_signing_key(tmp_path / "other.key")
    with pytest.raises(HeadRefused):
        witness.cosign(head(other, 20), 13, growth(13, 20))
    with pytest.raises(HeadRefused):
        witness.cosign(head(key, 20)._replace(time=77), 13, growth(13, 20))
    # What the room has signed and not proved is evidence, each beside what was cosigned.
    kept = [json.loads(file.read_text("utf-8")) for file in (tmp_path / "witness" / "refused").iterdir()]
    assert len(kept) == 3
    assert all(one["cosigned"]["head"]["size"] == 13 for one in kept)
    assert all(one["refused"]["key"] == key.public for one in kept)
    # The third of them is true, as the room proves later: it is no evidence any more.
    witness.cosign(head(key, 20), 13, growth(13, 20))
    assert len(os.listdir(tmp_path / "witness" / "refused")) == 2


def test_a_witness_that_was_killed_remembers_what_it_answered(tmp_path: Path, key: SigningKey) -> None:
    folder = tmp_path / "witness"
    witness = Witness(folder, clock)
    public = witness.key.public
    witness.cosign(head(key, 5), 0, ())
    witness.cosign(head(key, 9), 5, growth(5, 9))
    witness.close()
    with (folder / "cosigned.jsonl").open("ab") as file:
        file.write(b'{"head": {"size": 20')  # killed while it wrote: no user got this answer
    again = Witness(folder, clock)
    assert again.key.public == public
    assert again.last_cosigned is not None
    assert again.last_cosigned.head.size == 9
    with pytest.raises(HeadRefused):
        again.cosign(head(key, 5), 9, ())
    again.cosign(head(key, 11), 9, growth(9, 11))
    again.close()
    assert Witness(folder, clock).last_cosigned is not None


def test_two_witnesses_do_not_share_a_folder(tmp_path: Path) -> None:
    first = Witness(tmp_path / "witness", clock)
    with pytest.raises(BadWitness):
        Witness(tmp_path / "witness", clock)
    first.close()


def test_a_new_key_of_the_room_is_named_by_the_witnesss_owner_and_the_log_goes_on(
    tmp_path: Path, key: SigningKey
) -> None:
    witness = Witness(tmp_path / "witness", clock)
    witness.cosign(head(key, 5), 0, ())
    witness.close()
    new = create_signing_key(tmp_path / "new.key")
    result = Witness(tmp_path / "witness", clock, new.public)
    with pytest.raises(HeadRefused):
        result.cosign(head(new, 9, [HASHES[1], *HASHES[1:]]), 5, ())
    assert result.cosign(head(new, 9), 5, growth(5, 9)).head.key == new.public
    with pytest.raises(HeadRefused):
        result.cosign(head(key, 11), 9, growth(9, 11))


def test_evidence_has_a_limit_and_shorter_heads_have_one_of_their_own(
    tmp_path: Path, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardroom.heads.witness.MOST_EVIDENCE", 2)
    monkeypatch.setattr("cardroom.heads.witness.MOST_SHORTER", 3)
    witness = Witness(tmp_path / "witness", clock)
    witness.cosign(head(key, 13), 0, ())
    for size in range(1, 7):
        with pytest.raises(HeadRefused):
            witness.cosign(head(key, size), 13, ())
    assert len(os.listdir(tmp_path / "witness" / "refused")) == 3
    for size in range(14, 20):
        with pytest.raises(HeadRefused):
            witness.cosign(head(key, size, [HASHES[1], *HASHES[1:]]), 13, ())
    assert len(os.listdir(tmp_path / "witness" / "refused")) == 5


def test_a_head_that_was_cosigned_before_is_no_evidence(tmp_path: Path, key: SigningKey) -> None:
    folder = tmp_path / "witness"
    witness = Witness(folder, clock)
    witness.cosign(head(key, 5), 0, ())
    witness.cosign(head(key, 9), 5, growth(5, 9))
    for _ in range(2):
        with pytest.raises(HeadRefused):
            witness.cosign(head(key, 5), 9, ())
        witness.close()
        witness = Witness(folder, clock)  # and it remembers them all
    assert os.listdir(folder / "refused") == []


def test_the_command_serves_a_witness(tmp_path: Path, key: SigningKey) -> None:
    options = ("--folder", str(tmp_path / "w"), "--port", "0", "--key", key.public)
    with subprocess.Popen([*CARDROOM, "witness", "serve", *options], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline().split()
            assert line[:5] == ["The", "witness", "is", "open", "at"]
            client = WitnessClient(line[5].removesuffix(","))
            assert client.fetch_state() == (line[-1], None)
            cosigned = client.request_cosignature(head(key, 5), 0, ())
            assert cosigned.key == line[-1]
            assert client.fetch_state().head == head(key, 5)
        finally:
            process.terminate()
