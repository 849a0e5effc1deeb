"""The room's key: it encrypts secrets in the database, and is never in the database or in a backup of it.

It comes from the first of these that is set:

1. the environment variable ``CARDROOM_KEY`` (the key itself);
2. the systemd credential ``cardroom-key`` (``LoadCredential=cardroom-key:/etc/cardroom/room.key``);
3. the file that the machine's configuration names (``[key] file``);
4. a file beside a SQLite database (``room.db.key``), or ``room.key`` in the user's configuration folder for a database
   server. This file is created where a room has no secrets yet.

A key is one line of text, and its fingerprint can be shown to anyone.

>>> key = RoomKey(bytes(32), "an example")
>>> key.text
'cardroom-key-1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
>>> read_key(key.text, "an example") == key, key.fingerprint
(True, 'db761a0075d132a5')
"""

from __future__ import annotations

import os
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from cardroom.faults import BadInput
from cardroom.folders import config_folder
from cardroom.machine import this_machine
from cardroom.private_files import open_private, private_folder

VARIABLE: Final = "CARDROOM_KEY"
CREDENTIAL: Final = "cardroom-key"
KEY_BYTES: Final = 32
_FORM: Final = re.compile(r"cardroom-key-1:([A-Za-z0-9_-]{43})")
_LABEL: Final = b"cardroom room key 1\x00"


class KeyFault(BadInput):
    """A room's key that this program cannot use. The sentence names where the key is, so it is for the person at the
    machine and for the log; the web answers with ``KeyUnavailable`` instead."""


class BadKey(KeyFault):
    """A key that cannot be used."""


class KeyMissing(KeyFault):
    """The key that encrypts this room's secrets is not here."""


class WrongKey(KeyFault):
    """Another key than the one that encrypts this room's secrets."""


class RoomKey(NamedTuple):
    """The key, and where it came from."""

    secret: bytes
    source: str
    """In words, for people."""
    file: Path | None = None
    """Where it can be replaced; None where it came from the environment or from a credential."""

    @property
    def fingerprint(self) -> str:
        """What is shown of the key, and what the room's chain records."""
        return sha256(_LABEL + self.secret).hexdigest()[:16]

    @property
    def text(self) -> str:
        """The key as a file has it."""
        return f"cardroom-key-1:{urlsafe_b64encode(self.secret).decode().rstrip('=')}"

    def __repr__(self) -> str:
        return f"RoomKey({self.fingerprint} from {self.source})"


class KeySource(NamedTuple):
    """Where one room's key comes from on this machine."""

    words: str
    file: Path | None
    text: str = ""
    """The key itself, where the environment has it."""

    def find(self) -> RoomKey | None:
        """The key; None where there is none yet."""
        if self.text:
            return read_key(self.text, self.words, self.file)
        if self.file is None:
            return None
        try:
            return read_key(self.file.read_text("ascii", "replace"), self.words, self.file)
        except FileNotFoundError:
            return None
        except OSError as wrong:
            raise BadKey(f"The room's key ({self.words}) cannot be read: {wrong.strerror or wrong}.") from None


def key_source(database: Path | None, environment: Mapping[str, str] = os.environ) -> KeySource:
    """Where the key of a room comes from; ``database`` is the file of a SQLite room."""
    if text := environment.get(VARIABLE, "").strip():
        return KeySource(f"the environment variable {VARIABLE}", None, text)
    credentials = environment.get("CREDENTIALS_DIRECTORY", "").strip()
    if credentials and (Path(credentials) / CREDENTIAL).is_file():
        file = Path(credentials) / CREDENTIAL
        return KeySource(f"the systemd credential {CREDENTIAL}", None, file.read_text("ascii", "replace").strip())
    file = this_machine(environment).key_file or (
        database.with_name(f"{database.name}.key") if database else config_folder(environment=environment) / "room.key"
    )
    return KeySource(str(file), file)


def read_key(text: str, source: str, file: Path | None = None) -> RoomKey:
    """Read a key from its line of text."""
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise BadKey(f"{source} holds no room key: a key is one line, cardroom-key-1: and 43 characters.")
    return RoomKey(urlsafe_b64decode(found[1] + "="), source, file)


def new_key(source: str, file: Path | None) -> RoomKey:
    """A key that was never used before."""
    return RoomKey(secrets.token_bytes(KEY_BYTES), source, file)


def write_key(key: RoomKey, file: Path) -> None:
    """Write a key to a new file, readable by its owner only; it is on disk when this returns."""
    private_folder(file.parent)
    with open_private(file, "x") as opened:
        opened.write(f"{key.text}\n")
        opened.flush()
        os.fsync(opened.fileno())


def coming(file: Path) -> Path:
    """Where a new key waits until every secret is encrypted under it."""
    return file.with_name(f"{file.name}.next")


def make_key(source: KeySource) -> RoomKey:
    """Create the key of a new room. Two programs that do so at the same time end up with the same one."""
    assert source.file is not None
    part = source.file.with_name(f"{source.file.name}.{secrets.token_hex(4)}.part")
    try:
        write_key(new_key(source.words, source.file), part)
        with suppress(FileExistsError):
            os.link(part, source.file)
    except OSError as wrong:
        raise BadKey(f"The room's key cannot be written to {source.file}: {wrong.strerror or wrong}.") from None
    finally:
        part.unlink(missing_ok=True)
    key = source.find()
    assert key is not None
    return key


def room_key(source: KeySource, known: str) -> RoomKey:
    """The key of a room. ``known`` is the fingerprint of the key that its secrets are encrypted under; empty where it
    has none yet, and then a key is created if there is none."""
    key = source.find()
    if key is not None and known in ("", key.fingerprint):
        return key
    if known and source.file is not None and (key := _finished(source, known)):
        return key
    key = source.find()
    if key is None and known:
        raise KeyMissing(
            f"The key of this room ({known}) is not at {source.words}: put it there from its backup, or replace a lost "
            "key (cardroom key replace)."
        )
    if key is None:
        return make_key(source)
    raise WrongKey(
        f"This room's secrets are encrypted under key {known}, and {source.words} holds key {key.fingerprint}: put the "
        "right key there. All servers of a room need the same key."
    )


def _finished(source: KeySource, known: str) -> RoomKey | None:
    """A rotation that was interrupted after the database had changed is finished."""
    assert source.file is not None
    waiting = KeySource(source.words, coming(source.file)).find()
    if waiting is None or waiting.fingerprint != known:
        return None
    os.replace(coming(source.file), source.file)
    return waiting._replace(file=source.file)
