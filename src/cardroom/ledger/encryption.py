"""The room's key, and the secrets that it encrypts in the database.

The key is never in the database or in a backup of it. It comes from the first of these that is set:

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

Secrets are encrypted with AES-256-GCM. The chain and the name of a secret are authenticated with it, so a value that is
moved to another row cannot be read. A value begins with the fingerprint of its key, so a wrong key is recognized at
once.

>>> from cardroom.ledger.encryption import RoomKey
>>> vault = Vault(RoomKey(bytes(32), "an example"))
>>> stored = vault.encrypt("table:prime-1", "seal", b"the key of a round")
>>> b"round" in stored, vault.decrypt("table:prime-1", "seal", stored)
(False, b'the key of a round')
>>> vault.decrypt("table:prime-2", "seal", stored)
Traceback (most recent call last):
...
cardroom.ledger.encryption.SecretChanged: A secret of table:prime-2 was changed in the database: verify the room.
"""

from __future__ import annotations

import os
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.folders import USER_FOLDERS
from cardroom.ledger import schema
from cardroom.ledger.store import LedgerReader
from cardroom.machine_config import load_machine_config
from cardroom.private_files import create_private_folder, open_private_file

KEY_VARIABLE: Final = "CARDROOM_KEY"
KEY_CREDENTIAL: Final = "cardroom-key"
KEY_BYTES: Final = 32
_KEY_PATTERN: Final = re.compile(r"cardroom-key-1:([A-Za-z0-9_-]{43})")
_LABEL: Final = b"cardroom room key 1\x00"


class RoomKeyError(BadInput):
    """A room's key that this program cannot use. The sentence names where the key is, so it is for the person at the
    machine and for the log; web responses use ``KeyUnavailable`` instead."""


class BadRoomKey(RoomKeyError):
    """A key that cannot be used."""


class MissingRoomKey(RoomKeyError):
    """The key that encrypts this room's secrets is not on this machine."""


class WrongRoomKey(RoomKeyError):
    """Another key than the one that encrypts this room's secrets."""


class RoomKey(NamedTuple):
    """The key, and its source."""

    secret: bytes
    source: str
    """The source in words, for people."""
    file: Path | None = None
    """The file in which the key can be replaced; None where it came from the environment or from a credential."""

    @property
    def fingerprint(self) -> str:
        """The public identifier of the key, which the room's chain records."""
        return sha256(_LABEL + self.secret).hexdigest()[:16]

    @property
    def text(self) -> str:
        """The key as a file has it."""
        return f"cardroom-key-1:{urlsafe_b64encode(self.secret).decode().rstrip('=')}"

    def __repr__(self) -> str:
        return f"RoomKey({self.fingerprint} from {self.source})"


class KeySource(NamedTuple):
    """The source of one room's key on this machine."""

    description: str
    file: Path | None
    text: str = ""
    """The key itself, where the environment has it."""

    def find_key(self) -> RoomKey | None:
        """The key; None where there is none yet."""
        if self.text:
            return read_key(self.text, self.description, self.file)
        if self.file is None:
            return None
        try:
            return read_key(self.file.read_text("ascii", "replace"), self.description, self.file)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadRoomKey(
                f"The room's key ({self.description}) cannot be read: {error.strerror or error}."
            ) from None


def find_key_source(database: Path | None) -> KeySource:
    """The source of a room's key; ``database`` is the file of a SQLite room."""
    if text := os.environ.get(KEY_VARIABLE, "").strip():
        return KeySource(f"the environment variable {KEY_VARIABLE}", None, text)
    credentials = os.environ.get("CREDENTIALS_DIRECTORY", "").strip()
    if credentials and (Path(credentials) / KEY_CREDENTIAL).is_file():
        file = Path(credentials) / KEY_CREDENTIAL
        return KeySource(f"the systemd credential {KEY_CREDENTIAL}", None, file.read_text("ascii", "replace").strip())
    file = load_machine_config().key_file or (
        database.with_name(f"{database.name}.key") if database else USER_FOLDERS.user_config_path / "room.key"
    )
    return KeySource(str(file), file)


def read_key(text: str, source: str, file: Path | None = None) -> RoomKey:
    """Read a key from its line of text."""
    match = _KEY_PATTERN.fullmatch(text.strip())
    if match is None:
        raise BadRoomKey(f"{source} has no room key: a key is one line, cardroom-key-1: and 43 characters.")
    return RoomKey(urlsafe_b64decode(match[1] + "="), source, file)


def new_key(source: str, file: Path | None) -> RoomKey:
    """A key that was never used before."""
    return RoomKey(secrets.token_bytes(KEY_BYTES), source, file)


def write_key(key: RoomKey, file: Path) -> None:
    """Write a key to a new file, readable by its owner only; it is on disk when this returns."""
    create_private_folder(file.parent)
    with open_private_file(file, "x") as opened:
        opened.write(f"{key.text}\n")
        opened.flush()
        os.fsync(opened.fileno())


def next_key_file(file: Path) -> Path:
    """The file for a new key until every secret is encrypted under it."""
    return file.with_name(f"{file.name}.next")


def create_key(source: KeySource) -> RoomKey:
    """Create the key of a new room. Two programs that do so at the same time get the same one."""
    assert source.file is not None
    partial_file = source.file.with_name(f"{source.file.name}.{secrets.token_hex(4)}.part")
    try:
        write_key(new_key(source.description, source.file), partial_file)
        with suppress(FileExistsError):
            os.link(partial_file, source.file)
    except OSError as error:
        raise BadRoomKey(f"The room's key cannot be written to {source.file}: {error.strerror or error}.") from None
    finally:
        partial_file.unlink(missing_ok=True)
    key = source.find_key()
    assert key is not None
    return key


def load_room_key(source: KeySource, fingerprint: str) -> RoomKey:
    """The key of a room. ``fingerprint`` is the fingerprint of the key that its secrets are encrypted under; empty
    where it has none yet, and then a key is created if there is none."""
    key = source.find_key()
    if key is not None and fingerprint in ("", key.fingerprint):
        return key
    if fingerprint and source.file is not None and (key := _finish_rotation(source, fingerprint)):
        return key
    key = source.find_key()
    if key is None and fingerprint:
        raise MissingRoomKey(
            f"The key of this room ({fingerprint}) is not at {source.description}: restore it there from its backup, "
            "or replace a lost key (cardroom key replace)."
        )
    if key is None:
        return create_key(source)
    raise WrongRoomKey(
        f"This room's secrets are encrypted under key {fingerprint}, and {source.description} has key "
        f"{key.fingerprint}: put the right key there. All servers of a room need the same key."
    )


def _finish_rotation(source: KeySource, fingerprint: str) -> RoomKey | None:
    """Finish a rotation that was interrupted after the database had changed."""
    assert source.file is not None
    next_key = KeySource(source.description, next_key_file(source.file)).find_key()
    if next_key is None or next_key.fingerprint != fingerprint:
        return None
    os.replace(next_key_file(source.file), source.file)
    return next_key._replace(file=source.file)


ENCRYPTED_PREFIX: Final = b"\x01CRK"
"""How an encrypted value begins; the fingerprint of its key follows."""
_FINGERPRINT: Final = slice(len(ENCRYPTED_PREFIX), len(ENCRYPTED_PREFIX) + 8)
_NONCE: Final = slice(_FINGERPRINT.stop, _FINGERPRINT.stop + 12)


class SecretChanged(BadInput):
    """A secret that is not what the program stored."""


class Vault:
    """Encrypts and decrypts the secrets of one room."""

    def __init__(self, key: RoomKey) -> None:
        self.key = key
        self._cipher = _create_cipher(key.secret)

    def encrypt(self, chain: str, key_name: str, value: bytes) -> bytes:
        """A secret as the database has it."""
        nonce = secrets.token_bytes(12)
        ciphertext: bytes = self._cipher.encrypt(nonce, value, _associated_data(chain, key_name))
        return ENCRYPTED_PREFIX + bytes.fromhex(self.key.fingerprint) + nonce + ciphertext

    def decrypt(self, chain: str, key_name: str, stored: bytes) -> bytes:
        """The secret of a row."""
        from cryptography.exceptions import InvalidTag

        fingerprint = fingerprint_of(stored)
        if fingerprint and fingerprint != self.key.fingerprint:
            raise WrongRoomKey(
                f"This room's secrets are encrypted under key {fingerprint}, and this program has key "
                f"{self.key.fingerprint}: start it again with the right key."
            )
        try:
            value: bytes = self._cipher.decrypt(
                stored[_NONCE], stored[_NONCE.stop :], _associated_data(chain, key_name)
            )
        except (InvalidTag, ValueError):
            raise SecretChanged(f"A secret of {chain} was changed in the database: verify the room.") from None
        return value


def fingerprint_of(stored: bytes) -> str:
    """The fingerprint of the key that encrypts a stored value; empty where it is not encrypted."""
    return stored[_FINGERPRINT].hex() if stored.startswith(ENCRYPTED_PREFIX) else ""


def find_fingerprint(reader: LedgerReader) -> str:
    """The fingerprint of the key that encrypts a room's secrets; empty where there are none."""
    return next(
        (fingerprint for row in reader.rows(schema.secrets) if (fingerprint := fingerprint_of(bytes(row[2])))), ""
    )


def _associated_data(chain: str, key_name: str) -> bytes:
    return f"cardroom secret\0{chain}\0{key_name}".encode()


def _create_cipher(secret: bytes) -> Any:
    # Imported here because most commands never need it.
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return AESGCM(HKDF(SHA256(), 32, None, b"cardroom secrets at rest 1").derive(secret))
