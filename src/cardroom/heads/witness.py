"""A witness: it cosigns heads of one room that only ever grow, and keeps evidence of everything else.

One folder follows one log. The first head fixes the room's key, or ``--key`` names it. A head of another key, a shorter
log, or a log without a valid proof of growth is refused with a sentence. A head that the room's key has signed and the
witness never cosigned is kept beside the head that was cosigned last. Heads are public, and any caller can send them: a
head of another key, and one that was cosigned before, prove nothing and are not kept.

Over HTTP, GET shows what the witness cosigned last, and POST requests a cosignature of a head. A witness has no
database, so it has a clock of its own.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, NamedTuple

from filelock import FileLock, Timeout

from cardroom.errors import BadInput
from cardroom.heads.keys import SigningKey, create_signing_key, read_signing_key
from cardroom.heads.merkle import verify_consistency
from cardroom.heads.signed_heads import (
    BadHeadsDocument,
    Cosignature,
    SignedHead,
    cosignature_document,
    read_cosignature,
    read_head,
    read_proof,
)


def current_time() -> int:
    """Microseconds since 1970, UTC."""
    return time.time_ns() // 1_000


KEY_FILE: Final = "witness.key"
COSIGNED_FILE: Final = "cosigned.jsonl"
REFUSED_FOLDER: Final = "refused"
MOST_EVIDENCE: Final = 1_000
"""Files of heads that are not shorter than the log that was cosigned last."""
MOST_SHORTER: Final = 100
"""Files of shorter heads, which prove nothing by themselves: genuine ones that the witness has missed are public, and
must not take the place of evidence."""
_SHORTER_PREFIX: Final = "shorter-"

Clock = Callable[[], int]
"""Microseconds since 1970, UTC."""


class BadWitness(BadInput):
    """A witness that cannot work."""


class HeadRefused(BadInput):
    """A head that a witness refuses."""


class StaleProof(HeadRefused):
    """A proof from an older head than the one that was cosigned last: another program was faster. It proves nothing
    against the room, and the room sends another."""


class CosignedHead(NamedTuple):
    """A head with its cosignature."""

    head: SignedHead
    cosignature: Cosignature

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {"head": self.head._asdict(), "cosignature": cosignature_document(self.cosignature)}


class _Refusal(NamedTuple):
    """Why a head is not cosigned."""

    sentence: str
    file: str = ""
    """The file with the evidence; empty where the head proves nothing."""


class Witness:
    """The witness of one room. Threads may share it; two programs may not share its folder."""

    def __init__(self, folder: Path, clock: Clock, room_key: str = "") -> None:
        self._folder, self._clock = folder, clock
        self._lock = threading.Lock()
        self._digests: set[str] = set()
        """Of every head that was cosigned."""
        try:
            (folder / REFUSED_FOLDER).mkdir(mode=0o700, parents=True, exist_ok=True)
            self._folder_lock = FileLock(folder / ".lock", mode=0o600, blocking=False, thread_local=False)
            self._folder_lock.acquire()
            self.last_cosigned = self._load_log()
        except Timeout:  # two witnesses in one folder could cosign two different histories
            raise BadWitness(f"Another witness uses the folder {folder}.") from None
        except OSError as error:
            raise BadWitness(f"The folder {folder} cannot be used: {error.strerror or error}.") from None
        self.key: SigningKey = read_signing_key(folder / KEY_FILE) or create_signing_key(folder / KEY_FILE)
        self.room_key = room_key or (self.last_cosigned.head.key if self.last_cosigned else "")

    def close(self) -> None:
        """Close the folder for another program."""
        self._folder_lock.release()

    def cosign(self, head: SignedHead, base_size: int, proof: Sequence[bytes]) -> CosignedHead:
        """Cosign a head that extends the last one; refuse anything else."""
        with self._lock:
            if self.last_cosigned is not None and self.last_cosigned.head == head and self.room_key in ("", head.key):
                return self.last_cosigned
            last_size = self.last_cosigned.head.size if self.last_cosigned else 0
            if base_size != last_size and head.is_signed and head.key == self.room_key:
                raise StaleProof(f"The proof starts at {base_size} leaves, and {last_size} were cosigned last.")
            if refusal := self._find_refusal(head, proof):
                if refusal.file:
                    self._keep_evidence(refusal, head, base_size, proof)
                raise HeadRefused(refusal.sentence)
            unsigned = Cosignature(head.digest, head.size, self._clock(), self.key.public)
            cosigned = CosignedHead(head, unsigned._replace(signature=self.key.sign(unsigned.text)))
            self._append(cosigned)
            self.last_cosigned, self.room_key = cosigned, head.key
            self._digests.add(head.digest)
            (self._folder / REFUSED_FOLDER / f"{head.digest}.json").unlink(missing_ok=True)  # it is proved by now
            return cosigned

    def _find_refusal(self, head: SignedHead, proof: Sequence[bytes]) -> _Refusal | None:
        if not head.is_signed:
            return _Refusal("The head is not signed by the key that it names.")
        if self.room_key and head.key != self.room_key:
            return _Refusal(
                f"The head is signed by the key {head.key}, and this witness follows the key {self.room_key}."
            )
        if self.last_cosigned is None:
            return None if head.size else _Refusal("The log is empty.")
        last, file = self.last_cosigned.head, f"{head.digest}.json"
        if head.digest in self._digests:
            return _Refusal(
                f"The log had {last.size} leaves and now has {head.size}: this head was cosigned before, so it "
                "proves nothing. If the room has sent it, its database was restored to an older state."
            )
        if head.size < last.size:
            return _Refusal(
                f"The log had {last.size} leaves and now has {head.size}. A shorter head proves nothing by itself: "
                f"it is evidence if the room cannot prove that its log of {last.size} leaves extends this one.",
                _SHORTER_PREFIX + file,
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

    def _load_log(self) -> CosignedHead | None:
        """The last head that was cosigned, and the digests of all. A last line without an end was never sent to a
        caller: it is cut off."""
        file = self._folder / COSIGNED_FILE
        content = file.read_bytes() if file.exists() else b""
        complete_lines = content[: content.rfind(b"\n") + 1]
        if complete_lines != content:
            os.truncate(file, len(complete_lines))
        if not complete_lines:
            return None
        try:
            for line in complete_lines.splitlines():
                entry = json.loads(line)
                self._digests.add(entry["cosignature"]["head"])
            return CosignedHead(read_head(entry["head"]), read_cosignature(entry["cosignature"]))
        except (ValueError, KeyError, TypeError, BadHeadsDocument) as error:
            raise BadWitness(f"{file} cannot be read: {error}. Restore it from a backup.") from None

    def _append(self, cosigned: CosignedHead) -> None:
        """Write to disk before any caller sees it, so that a killed witness never forgets what it cosigned."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        with os.fdopen(os.open(self._folder / COSIGNED_FILE, flags, 0o600), "ab") as opened:
            opened.write(json.dumps(cosigned.to_json()).encode() + b"\n")
            opened.flush()
            os.fsync(opened.fileno())

    def _keep_evidence(self, refusal: _Refusal, head: SignedHead, base_size: int, proof: Sequence[bytes]) -> None:
        """Keep the refused head beside the one that was cosigned last, both signed by the room."""
        folder, is_shorter = self._folder / REFUSED_FOLDER, refusal.file.startswith(_SHORTER_PREFIX)
        file = folder / refusal.file
        file_count = sum(name.startswith(_SHORTER_PREFIX) == is_shorter for name in os.listdir(folder))
        if file.exists() or file_count >= (MOST_SHORTER if is_shorter else MOST_EVIDENCE):
            return
        evidence = {
            "refused": head._asdict(),
            "from": base_size,
            "proof": [node.hex() for node in proof],
            "why": refusal.sentence,
            "time": self._clock(),
            "cosigned": self.last_cosigned.to_json() if self.last_cosigned else None,
        }
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as opened:
            opened.write(json.dumps(evidence, indent=2).encode())


STATE_DOCUMENT: Final = "state of a Cardroom witness"
_MAX_REQUEST_BYTES: Final = 64 * 1024


class WitnessServer(ThreadingHTTPServer):
    """Serves one witness."""

    daemon_threads = True

    def __init__(self, witness: Witness, host: str, port: int) -> None:
        self.witness = witness
        super().__init__((host, port), _Handler)

    @property
    def address(self) -> str:
        """The address of the server."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}"


class _Handler(BaseHTTPRequestHandler):
    server: WitnessServer
    server_version = "cardroom-witness"
    sys_version = ""
    timeout = 10
    """Seconds for a slow caller."""

    def do_GET(self) -> None:
        witness = self.server.witness
        newest = witness.last_cosigned
        state = newest.to_json() if newest else {"head": None, "cosignature": None}
        self._respond(HTTPStatus.OK, {"document": STATE_DOCUMENT, "version": 1, "key": witness.key.public, **state})

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit() and int(length) <= _MAX_REQUEST_BYTES):
            self._respond(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, {"error": "Send at most 64 KB, with their length."})
            return
        try:
            request_body = json.loads(self.rfile.read(int(length)))
            if not isinstance(request_body, dict) or type(request_body.get("from")) is not int:
                raise BadHeadsDocument("'from' must be a whole number.")
            head, proof = read_head(request_body.get("head")), read_proof(request_body.get("proof"))
        except (ValueError, RecursionError) as error:
            self._respond(HTTPStatus.BAD_REQUEST, {"error": str(error)})
            return
        try:
            cosigned = self.server.witness.cosign(head, request_body["from"], proof)
        except StaleProof as error:
            self._respond(HTTPStatus.PRECONDITION_FAILED, {"error": str(error)})
        except HeadRefused as error:
            self.log_message("refused: %s", error)
            self._respond(HTTPStatus.CONFLICT, {"error": str(error)})
        except OSError as error:
            self.log_message("cannot write: %s", error)
            self._respond(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": "The witness cannot write to its folder."})
        else:
            self._respond(HTTPStatus.OK, cosignature_document(cosigned.cosignature))

    def _respond(self, status: HTTPStatus, document: dict[str, Any]) -> None:
        content = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
