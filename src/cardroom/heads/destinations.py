"""Destinations of signed heads: a folder, a command, or a witness, as the machine's configuration names them."""

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

from cardroom.errors import BadInput, quote
from cardroom.heads.signed_heads import (
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
_MAX_RESPONSE_BYTES: Final = 64 * 1024
_COSIGNATURE_SUFFIX: Final = ".cosigned.json"


class HeadsNotDelivered(BadInput):
    """Heads that did not reach a destination."""


class WitnessUnavailable(HeadsNotDelivered):
    """A witness that does not respond: the program tries again."""


class WitnessConflict(WitnessUnavailable):
    """A witness that cosigned another head meanwhile: the program tries again at once."""


class WitnessRefused(HeadsNotDelivered):
    """A witness that does not cosign: the log did not only grow, or another key signed it."""


def head_file_name(size: int) -> str:
    """The file name of a head.

    >>> head_file_name(17)
    'heads-000000000017.json'
    """
    return f"heads-{size:012d}.json"


def cosignature_file_name(size: int) -> str:
    """The file name of a cosignature.

    >>> cosignature_file_name(17)
    'heads-000000000017.cosigned.json'
    """
    return f"heads-{size:012d}{_COSIGNATURE_SUFFIX}"


def parse_head_file_name(name: str) -> int | None:
    """The size of the log that the name of a head's file states; None for other files.

    >>> [parse_head_file_name(name) for name in ("heads-000000000017.json", "heads-000000000017.cosigned.json", "x")]
    [17, None, None]
    """
    digits = name.removeprefix("heads-").removesuffix(".json")
    is_head = name == f"heads-{digits}.json" and digits.isascii() and digits.isdigit()
    return int(digits) if is_head else None


def format_document(document: object) -> str:
    """A document as a file or a command receives it."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def write_head(folder: Path, head: SignedHead, leaves: Sequence[Leaf]) -> None:
    """Write a new file for a head. No file is overwritten; an existing one must be the same."""
    _write_new_file(folder / head_file_name(head.size), format_document(heads_document(head, leaves)))


def write_cosignature(folder: Path, cosignature: Cosignature) -> None:
    """Write a new file for a cosignature, beside its head."""
    _write_new_file(
        folder / cosignature_file_name(cosignature.size), format_document(cosignature_document(cosignature))
    )


def find_newest_size(folder: Path) -> int:
    """The size of the largest log of which a folder has heads; 0 for an empty one."""
    try:
        return max((size for name in os.listdir(folder) if (size := parse_head_file_name(name)) is not None), default=0)
    except OSError as error:
        raise HeadsNotDelivered(f"The folder {folder} for heads cannot be read: {error.strerror or error}.") from None


def refuse_newer(folder: Path, newest_size: int, size: int) -> None:
    """Refuse a folder with heads of a longer log: the database is older than what it once exported."""
    if newest_size > size:
        raise HeadsNotDelivered(
            f"The folder {folder} has heads of {newest_size} leaves, and the log in the database has {size}: the "
            "database was restored to an older state. Nothing was written. Find out why, then name another folder."
        )


def _write_new_file(path: Path, text: str) -> None:
    content = text.encode()
    # Two programs that write the same head at once have files of their own until it is complete.
    partial = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        if path.exists():
            if path.read_bytes() != content:
                raise HeadsNotDelivered(
                    f"{path} differs from the database: history or the file was changed. Nothing was written. "
                    "Compare both (cardroom heads verify)."
                )
            return
        # Complete before it has its name, so that a killed export leaves no file that looks like a head.
        partial.unlink(missing_ok=True)
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        partial.rename(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise HeadsNotDelivered(f"The heads could not be written to {path}: {error.strerror or error}.") from None


def _sync_folder(folder: Path) -> None:
    """Keep a new name through a power failure: a head that is noted as written and then missing would look like
    theft."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def run_command(command: Sequence[str], head: SignedHead, leaves: Sequence[Leaf]) -> None:
    """Give a head to the machine's command on standard input. No shell reads any of it."""
    name = quote(" ".join(command))
    try:
        result = subprocess.run(  # noqa: S603  # an argument list from a file that only the machine's administrator writes
            list(command),
            input=format_document(heads_document(head, leaves)),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=COMMAND_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise HeadsNotDelivered(f"The command {name} for heads took more than {COMMAND_TIMEOUT:.0f} seconds.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise HeadsNotDelivered(f"The command {name} for heads cannot be run: {reason}.") from None
    if result.returncode:
        last_line = (result.stderr.strip().splitlines() or [""])[-1]
        raise HeadsNotDelivered(
            f"The command {name} for heads ended with exit code "
            f"{result.returncode}{f': {last_line}' if last_line else ''}."
        )


class WitnessState(NamedTuple):
    """What a witness cosigned last."""

    key: str
    head: SignedHead | None


class WitnessClient:
    """A witness by its address, such as ``http://witness.example:8460``."""

    def __init__(self, address: str) -> None:
        self.address = address

    def fetch_state(self) -> WitnessState:
        """What it cosigned last."""
        status, response = self._call("GET")
        if status != http.HTTPStatus.OK:
            raise WitnessUnavailable(f"The witness {self.address} responded with status {status}.")
        try:
            head = response.get("head")
            return WitnessState(str(response.get("key")), None if head is None else read_head(head))
        except BadHeadsDocument as error:
            raise WitnessUnavailable(f"{self.address} does not respond as a witness does: {error}") from None

    def request_cosignature(self, head: SignedHead, base_size: int, proof: Sequence[bytes]) -> Cosignature:
        """Request a cosignature of a head, with proof that it extends the one of ``base_size`` leaves."""
        body = {"head": head._asdict(), "from": base_size, "proof": [node.hex() for node in proof]}
        status, response = self._call("POST", json.dumps(body).encode())
        if status == http.HTTPStatus.PRECONDITION_FAILED:
            raise WitnessConflict(f"The witness {self.address} keeps cosigning heads of another program.")
        if status == http.HTTPStatus.CONFLICT:
            raise WitnessRefused(f"The witness {self.address} refuses to cosign: {response.get('error', '')}")
        if status != http.HTTPStatus.OK:
            raise WitnessUnavailable(f"The witness {self.address} responded with status {status}.")
        try:
            cosignature = read_cosignature(response)
        except BadHeadsDocument as error:
            raise WitnessUnavailable(f"{self.address} does not respond as a witness does: {error}") from None
        if cosignature.head != head.digest or cosignature.size != head.size or not cosignature.is_signed:
            raise WitnessRefused(f"The cosignature of the witness {self.address} is not for this head.")
        return cosignature

    def _call(self, method: str, body: bytes | None = None) -> tuple[int, dict[str, Any]]:
        """One request; it follows no redirect and uses no proxy."""
        url = urlsplit(self.address)
        connection_type = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        try:
            connection = connection_type(url.hostname or "", url.port, timeout=WITNESS_TIMEOUT)
            try:
                connection.request(method, url.path or "/", body, {"Content-Type": "application/json"})
                response = connection.getresponse()
                content = response.read(_MAX_RESPONSE_BYTES + 1)
            finally:
                connection.close()
            content_json = json.loads(content) if len(content) <= _MAX_RESPONSE_BYTES else None
        except (OSError, ValueError, http.client.HTTPException) as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise WitnessUnavailable(f"The witness {self.address} does not respond: {reason}.") from None
        if not isinstance(content_json, dict):
            raise WitnessUnavailable(f"{self.address} does not respond as a witness does.")
        return response.status, content_json
