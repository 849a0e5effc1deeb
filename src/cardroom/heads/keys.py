"""Ed25519 keys in files that only their owner can read: the room's signing key and a witness's."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cardroom.errors import BadInput
from cardroom.folders import USER_FOLDERS
from cardroom.machine_config import HeadsDestination

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_FILE_NAME: Final = "heads.key"
_OWNER_ONLY: Final = 0o600


class BadSigningKey(BadInput):
    """A key file that cannot be used."""


class SigningKey:
    """A private key. It is never printed; ``public`` identifies it to others."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = key.public_key().public_bytes_raw().hex()

    def __repr__(self) -> str:
        return f"<SigningKey {self.public}>"

    def sign(self, text: bytes) -> str:
        """The signature of some bytes, hexadecimal."""
        return self._key.sign(text).hex()


def signing_key_file(heads: HeadsDestination) -> Path:
    """The file with the room's signing key: the one that the machine's configuration names, or ``heads.key`` in the
    user's configuration folder."""
    return heads.signing_key or USER_FOLDERS.user_config_path / KEY_FILE_NAME


def read_signing_key(file: Path) -> SigningKey | None:
    """The key in a file; None where there is no file."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        with file.open("rb") as opened:
            mode = stat.S_IMODE(os.fstat(opened.fileno()).st_mode)
            content = opened.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadSigningKey(f"The signing key {file} cannot be read: {error.strerror or error}.") from None
    if os.name == "posix" and mode & 0o077:
        raise BadSigningKey(f"The signing key {file} can be read by other users: chmod 600 {file}.")
    try:
        key = load_pem_private_key(content, None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise BadSigningKey(f"{file} does not contain an Ed25519 private key (PEM, PKCS #8, not encrypted).")
    return SigningKey(key)


def create_signing_key(file: Path) -> SigningKey:
    """Make a new key and store it; a file that exists is never overwritten."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = Ed25519PrivateKey.generate()
    content = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Complete before it has its name: a half-written key would be a lost one.
        partial = file.with_name(f".{file.name}.{os.getpid()}")
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
        try:
            with os.fdopen(descriptor, "wb") as opened:
                opened.write(content)
                opened.flush()
                os.fsync(opened.fileno())
            os.link(partial, file)
        finally:
            partial.unlink()
    except FileExistsError:
        if (existing_key := read_signing_key(file)) is not None:
            return existing_key
        raise BadSigningKey(f"Another program is making the signing key {file}: try again.") from None
    except OSError as error:
        raise BadSigningKey(f"The signing key {file} cannot be created: {error.strerror or error}.") from None
    return SigningKey(key)
