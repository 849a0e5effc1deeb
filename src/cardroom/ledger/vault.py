"""Secrets as the database has them: encrypted with AES-256-GCM under the room's key.

The chain and the name of a secret are authenticated with it, so a value that is moved to another row cannot be read. A
value begins with the fingerprint of its key, so a wrong key is recognized at once.

>>> from cardroom.ledger.room_key import RoomKey
>>> vault = Vault(RoomKey(bytes(32), "an example"))
>>> stored = vault.encrypt("felt:prime-1", "seal", b"the key of a round")
>>> b"round" in stored, vault.decrypt("felt:prime-1", "seal", stored)
(False, b'the key of a round')
>>> vault.decrypt("felt:prime-2", "seal", stored)
Traceback (most recent call last):
...
cardroom.ledger.vault.SecretChanged: A secret of felt:prime-2 was changed in the database: verify the room.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

from cardroom.faults import BadInput
from cardroom.ledger import schema
from cardroom.ledger.room_key import RoomKey, WrongKey
from cardroom.ledger.store import Reading

MARK: Final = b"\x01CRK"
"""How a value that is encrypted begins; the fingerprint of its key follows."""
_FINGERPRINT: Final = slice(len(MARK), len(MARK) + 8)
_NONCE: Final = slice(_FINGERPRINT.stop, _FINGERPRINT.stop + 12)


class SecretChanged(BadInput):
    """A secret that is not what the program stored."""


class Vault:
    """Encrypts and decrypts the secrets of one room."""

    def __init__(self, key: RoomKey) -> None:
        self.key = key
        self._cipher = _cipher(key.secret)

    def encrypt(self, chain: str, name: str, value: bytes) -> bytes:
        """A secret as the database has it."""
        nonce = secrets.token_bytes(12)
        sealed: bytes = self._cipher.encrypt(nonce, value, _place(chain, name))
        return MARK + bytes.fromhex(self.key.fingerprint) + nonce + sealed

    def decrypt(self, chain: str, name: str, stored: bytes) -> bytes:
        """The secret that a row has."""
        from cryptography.exceptions import InvalidTag

        encrypted_under = fingerprint_of(stored)
        if encrypted_under and encrypted_under != self.key.fingerprint:
            raise WrongKey(
                f"This room's secrets are encrypted under key {encrypted_under}, and this program has key "
                f"{self.key.fingerprint}: start it again with the right key."
            )
        try:
            value: bytes = self._cipher.decrypt(stored[_NONCE], stored[_NONCE.stop :], _place(chain, name))
        except (InvalidTag, ValueError):
            raise SecretChanged(f"A secret of {chain} was changed in the database: verify the room.") from None
        return value


def fingerprint_of(stored: bytes) -> str:
    """The key that a stored value is encrypted under; empty where it is not encrypted."""
    return stored[_FINGERPRINT].hex() if stored.startswith(MARK) else ""


def fingerprint_in(now: Reading) -> str:
    """The key that a room's secrets are encrypted under; empty where there are none."""
    return next((found for row in now.rows(schema.secrets) if (found := fingerprint_of(bytes(row[2])))), "")


def _place(chain: str, name: str) -> bytes:
    return f"cardroom secret\0{chain}\0{name}".encode()


def _cipher(secret: bytes) -> Any:
    # Loaded here because most commands never need it.
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return AESGCM(HKDF(SHA256(), 32, None, b"cardroom secrets at rest 1").derive(secret))
