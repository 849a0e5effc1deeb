"""Where signed heads go: a folder, a command, or a witness, as the machine's configuration names them."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from cardroom.faults import BadInput, quoted
from cardroom.heads.signed import (
    BadHeadsDocument,
    Cosignature,
    Leaf,
    SignedHead,
    cosignature_document,
    heads_document,
    read_cosignature,
    read_head,
)

COMMAND_TIMEOUT = 30.0
"""Seconds that the command may take."""
WITNESS_TIMEOUT = 10.0
"""Seconds in which a witness must answer."""
_LONGEST_ANSWER: Final = 64 * 1024
_COSIGNED: Final = ".cosigned.json"


class HeadsStayed(BadInput):
    """Heads that did not reach a destination."""


class WitnessAway(HeadsStayed):
    """A witness that does not answer: it is tried again."""


class WitnessMoved(WitnessAway):
    """A witness that cosigned another head meanwhile: it is asked again at once."""


class WitnessRefused(HeadsStayed):
    """A witness that does not cosign: the log did not only grow, or another key signed it."""


def file_name(size: int) -> str:
    """What the file of a head is called.

    >>> file_name(17)
    'heads-000000000017.json'
    """
    return f"heads-{size:012d}.json"


def cosigned_name(size: int) -> str:
    """What the file of a cosignature is called.

    >>> cosigned_name(17)
    'heads-000000000017.cosigned.json'
    """
    return f"heads-{size:012d}{_COSIGNED}"


def size_in_name(name: str) -> int | None:
    """The size of the log that the name of a head's file states; None for other files.

    >>> size_in_name("heads-000000000017.json"), size_in_name("heads-000000000017.cosigned.json"), size_in_name("x")
    (17, None, None)
    """
    digits = name.removeprefix("heads-").removesuffix(".json")
    is_head = name == f"heads-{digits}.json" and digits.isascii() and digits.isdigit()
    return int(digits) if is_head else None


def as_text(document: object) -> str:
    """A document as a file or a command gets it."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def write_head(folder: Path, head: SignedHead, leaves: Sequence[Leaf]) -> None:
    """A new file for a head. None is ever overwritten; one that is there already must be the same."""
    _write(folder / file_name(head.size), as_text(heads_document(head, leaves)))


def write_cosignature(folder: Path, cosignature: Cosignature) -> None:
    """A new file for a cosignature, beside its head."""
    _write(folder / cosigned_name(cosignature.size), as_text(cosignature_document(cosignature)))


def newest_in(folder: Path) -> int:
    """The size of the largest log of which a folder has heads; 0 for an empty one."""
    try:
        return max((found for name in os.listdir(folder) if (found := size_in_name(name)) is not None), default=0)
    except OSError as wrong:
        raise HeadsStayed(f"The folder {folder} for heads cannot be read: {wrong.strerror or wrong}.") from None


def refuse_newer(folder: Path, newest: int, size: int) -> None:
    """Refuse a folder with heads of a longer log: the database is older than what it once exported."""
    if newest > size:
        raise HeadsStayed(
            f"The folder {folder} has heads of {newest} leaves, and the log in the database has {size}: the database "
            "went back to an older state. Nothing was written. Find out why, then name another folder."
        )


def _write(path: Path, text: str) -> None:
    content = text.encode()
    # Two programs that write the same head at once have files of their own until it is complete.
    partial = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        if path.exists():
            if path.read_bytes() != content:
                raise HeadsStayed(
                    f"{path} has other contents than the database: history or the file was changed. Nothing was "
                    "written. Compare both (cardroom heads verify)."
                )
            return
        # Complete before it has its name, so that a killed export leaves nothing that looks like a head.
        partial.unlink(missing_ok=True)
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        partial.rename(path)
        _sync_folder(path.parent)
    except OSError as wrong:
        raise HeadsStayed(f"The heads could not be written to {path}: {wrong.strerror or wrong}.") from None


def _sync_folder(folder: Path) -> None:
    """Keep a new name through a power failure: a head that is noted as written and then gone would look like theft."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def run_command(command: Sequence[str], head: SignedHead, leaves: Sequence[Leaf]) -> None:
    """Give a head to the machine's command on standard input. No shell reads any of it."""
    name = quoted(" ".join(command))
    try:
        done = subprocess.run(  # noqa: S603  # an argument list from a file that only the machine's administrator writes
            list(command),
            input=as_text(heads_document(head, leaves)),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=COMMAND_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise HeadsStayed(f"The command {name} for heads took more than {COMMAND_TIMEOUT:.0f} seconds.") from None
    except (OSError, ValueError) as wrong:
        why = getattr(wrong, "strerror", None) or wrong
        raise HeadsStayed(f"The command {name} for heads cannot be run: {why}.") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [""])[-1]
        raise HeadsStayed(
            f"The command {name} for heads ended with exit code {done.returncode}{f': {last}' if last else ''}."
        )


class WitnessState(NamedTuple):
    """What a witness cosigned last."""

    key: str
    head: SignedHead | None


class WitnessClient:
    """A witness by its address, such as ``http://witness.example:8460``."""

    def __init__(self, address: str) -> None:
        self.address = address

    def state(self) -> WitnessState:
        """What it cosigned last."""
        status, answer = self._call("GET")
        if status != http.HTTPStatus.OK:
            raise WitnessAway(f"The witness {self.address} answers with status {status}.")
        try:
            head = answer.get("head")
            return WitnessState(str(answer.get("key")), None if head is None else read_head(head))
        except BadHeadsDocument as wrong:
            raise WitnessAway(f"{self.address} does not answer as a witness does: {wrong}") from None

    def send(self, head: SignedHead, since: int, proof: Sequence[bytes]) -> Cosignature:
        """Ask it to cosign a head, with proof that it extends the one of ``since`` leaves."""
        body = {"head": head._asdict(), "from": since, "proof": [node.hex() for node in proof]}
        status, answer = self._call("POST", json.dumps(body).encode())
        if status == http.HTTPStatus.PRECONDITION_FAILED:
            raise WitnessMoved(f"The witness {self.address} cosigns heads of another program without a gap.")
        if status == http.HTTPStatus.CONFLICT:
            raise WitnessRefused(f"The witness {self.address} refuses to cosign: {answer.get('error', '')}")
        if status != http.HTTPStatus.OK:
            raise WitnessAway(f"The witness {self.address} answers with status {status}.")
        try:
            cosignature = read_cosignature(answer)
        except BadHeadsDocument as wrong:
            raise WitnessAway(f"{self.address} does not answer as a witness does: {wrong}") from None
        if cosignature.head != head.digest or cosignature.size != head.size or not cosignature.is_signed:
            raise WitnessRefused(f"The cosignature of the witness {self.address} is not one of this head.")
        return cosignature

    def _call(self, method: str, body: bytes | None = None) -> tuple[int, dict[str, Any]]:
        """One call; no redirect is followed and no proxy is asked."""
        to = urlsplit(self.address)
        kind = http.client.HTTPSConnection if to.scheme == "https" else http.client.HTTPConnection
        try:
            connection = kind(to.hostname or "", to.port, timeout=WITNESS_TIMEOUT)
            try:
                connection.request(method, to.path or "/", body, {"Content-Type": "application/json"})
                answer = connection.getresponse()
                content = answer.read(_LONGEST_ANSWER + 1)
            finally:
                connection.close()
            entry = json.loads(content) if len(content) <= _LONGEST_ANSWER else None
        except (OSError, ValueError, http.client.HTTPException) as wrong:
            why = getattr(wrong, "strerror", None) or str(wrong) or type(wrong).__name__
            raise WitnessAway(f"The witness {self.address} does not answer: {why}.") from None
        if not isinstance(entry, dict):
            raise WitnessAway(f"{self.address} does not answer as a witness does.")
        return answer.status, entry
