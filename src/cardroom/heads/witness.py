"""A witness: it cosigns heads of one room that only ever grow, and keeps evidence of everything else.

One folder follows one log. The first head fixes the room's key, or ``--key`` names it; a head of another key, a shorter
log, or a log without a valid proof of growth is refused with a sentence. What the room's key has signed, and the
witness never cosigned, is kept beside the head that was cosigned last. Heads are public, and any caller can send them:
a head of another key, and one that was cosigned before, prove nothing and are not kept.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from cardroom.faults import BadInput
from cardroom.heads.keys import SigningKey, create_signing_key, read_signing_key
from cardroom.heads.merkle import verify_consistency
from cardroom.heads.signed import (
    BadHeadsDocument,
    Cosignature,
    SignedHead,
    cosignature_document,
    read_cosignature,
    read_head,
)

KEY_FILE: Final = "witness.key"
COSIGNED: Final = "cosigned.jsonl"
REFUSED: Final = "refused"
MOST_EVIDENCE: Final = 1_000
"""Files of heads that are not shorter than the log that was cosigned last."""
MOST_SHORTER: Final = 100
"""Files of shorter heads, which prove nothing by themselves: true ones that the witness has missed are public, and must
not take the place of evidence."""
_SHORTER: Final = "shorter-"

Clock = Callable[[], int]
"""Microseconds since 1970, UTC."""


class BadWitness(BadInput):
    """A witness that cannot work."""


class NotCosigned(BadInput):
    """A head that a witness refuses."""


class ProofIsStale(NotCosigned):
    """A proof from an older head than the one that was cosigned last: another program was faster. It proves nothing
    against the room, and the room sends another."""


class Cosigned(NamedTuple):
    """A head with its cosignature."""

    head: SignedHead
    cosignature: Cosignature

    def entry(self) -> dict[str, Any]:
        """As JSON."""
        return {"head": self.head._asdict(), "cosignature": cosignature_document(self.cosignature)}


class _Refusal(NamedTuple):
    """Why a head is not cosigned."""

    sentence: str
    file: str = ""
    """Where it is kept; empty where it proves nothing."""


class Witness:
    """The witness of one room. Threads may share it; two programs may not share its folder."""

    def __init__(self, folder: Path, clock: Clock, room_key: str = "") -> None:
        self._folder, self._clock = folder, clock
        self._lock = threading.Lock()
        self._digests: set[str] = set()
        """Of every head that was cosigned."""
        try:
            (folder / REFUSED).mkdir(mode=0o700, parents=True, exist_ok=True)
            self._only = _only_one(folder)
            self.newest = self._read()
        except OSError as wrong:
            raise BadWitness(f"The folder {folder} cannot be used: {wrong.strerror or wrong}.") from None
        self.key: SigningKey = read_signing_key(folder / KEY_FILE) or create_signing_key(folder / KEY_FILE)
        self.room_key = room_key or (self.newest.head.key if self.newest else "")

    def close(self) -> None:
        """Let another program use the folder."""
        os.close(self._only)

    def cosign(self, head: SignedHead, since: int, proof: Sequence[bytes]) -> Cosigned:
        """Cosign a head that extends the last one; refuse anything else."""
        with self._lock:
            if self.newest is not None and self.newest.head == head and self.room_key in ("", head.key):
                return self.newest
            last = self.newest.head.size if self.newest else 0
            if since != last and head.is_signed and head.key == self.room_key:
                raise ProofIsStale(f"The proof starts at {since} leaves, and {last} were cosigned last.")
            if refusal := self._refusal(head, proof):
                if refusal.file:
                    self._keep_evidence(refusal, head, since, proof)
                raise NotCosigned(refusal.sentence)
            unsigned = Cosignature(head.digest, head.size, self._clock(), self.key.public)
            made = Cosigned(head, unsigned._replace(signature=self.key.sign(unsigned.text)))
            self._append(made)
            self.newest, self.room_key = made, head.key
            self._digests.add(head.digest)
            (self._folder / REFUSED / f"{head.digest}.json").unlink(missing_ok=True)  # it is proved by now
            return made

    def _refusal(self, head: SignedHead, proof: Sequence[bytes]) -> _Refusal | None:
        if not head.is_signed:
            return _Refusal("The head is not signed by the key that it names.")
        if self.room_key and head.key != self.room_key:
            return _Refusal(
                f"The head is signed by the key {head.key}, and this witness follows the key {self.room_key}."
            )
        if self.newest is None:
            return None if head.size else _Refusal("The log is empty.")
        last, file = self.newest.head, f"{head.digest}.json"
        if head.digest in self._digests:
            return _Refusal(
                f"The log had {last.size} leaves and now has {head.size}: this head was cosigned before, so it proves "
                "nothing. If the room has sent it, its database went back to an older state."
            )
        if head.size < last.size:
            return _Refusal(
                f"The log had {last.size} leaves and now has {head.size}. A shorter head proves nothing by itself: it "
                f"is evidence if the room cannot prove that its log of {last.size} leaves extends this one.",
                _SHORTER + file,
            )
        if head.size == last.size and head.root != last.root:
            return _Refusal(f"There are two different logs of {head.size} leaves: history was rewritten.", file)
        old, new = bytes.fromhex(last.root), bytes.fromhex(head.root)
        if not verify_consistency(last.size, head.size, old, new, proof if head.size != last.size else ()):
            return _Refusal(
                f"The proof does not show that the log of {head.size} leaves extends the one of {last.size}: history "
                "was rewritten, unless the room sends a valid proof.",
                file,
            )
        if head.time < last.time:
            return _Refusal("The head is older than the one that was cosigned last.")
        return None

    def _read(self) -> Cosigned | None:
        """The last head that was cosigned, and the digests of all. A last line without an end was never answered: it is
        cut off."""
        file = self._folder / COSIGNED
        content = file.read_bytes() if file.exists() else b""
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            os.truncate(file, len(whole))
        if not whole:
            return None
        try:
            for line in whole.splitlines():
                entry = json.loads(line)
                self._digests.add(entry["cosignature"]["head"])
            return Cosigned(read_head(entry["head"]), read_cosignature(entry["cosignature"]))
        except (ValueError, KeyError, TypeError, BadHeadsDocument) as wrong:
            raise BadWitness(f"{file} cannot be read: {wrong}. Put it back from a backup.") from None

    def _append(self, made: Cosigned) -> None:
        """On disk before anyone knows of it, so that a witness that was killed never forgets what it cosigned."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        with os.fdopen(os.open(self._folder / COSIGNED, flags, 0o600), "ab") as opened:
            opened.write(json.dumps(made.entry()).encode() + b"\n")
            opened.flush()
            os.fsync(opened.fileno())

    def _keep_evidence(self, refusal: _Refusal, head: SignedHead, since: int, proof: Sequence[bytes]) -> None:
        """The refused head beside the one that was cosigned last, both signed by the room."""
        folder, is_shorter = self._folder / REFUSED, refusal.file.startswith(_SHORTER)
        file = folder / refusal.file
        alike = sum(name.startswith(_SHORTER) == is_shorter for name in os.listdir(folder))
        if file.exists() or alike >= (MOST_SHORTER if is_shorter else MOST_EVIDENCE):
            return
        evidence = {
            "refused": head._asdict(),
            "from": since,
            "proof": [node.hex() for node in proof],
            "why": refusal.sentence,
            "time": self._clock(),
            "cosigned": self.newest.entry() if self.newest else None,
        }
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as opened:
            opened.write(json.dumps(evidence, indent=2).encode())


def _only_one(folder: Path) -> int:
    """Hold the folder: two witnesses in one folder could cosign two different histories."""
    descriptor = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        import fcntl
    except ImportError:  # no such locks on Windows
        return descriptor
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise BadWitness(f"Another witness uses the folder {folder}.") from None
    return descriptor
