"""Rules for passwords and PINs, and their hashes: argon2id, set so that one guess takes about a fifth of a second and
64 MB.

A long password needs no digits or symbols. Passwords that are easy to guess are refused.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b32encode
from itertools import pairwise
from threading import Semaphore
from typing import Final, Protocol

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from cardroom.errors import BadInput

SHORTEST_PASSWORD: Final = 12
LONGEST_PASSWORD: Final = 200
_PIN: Final = re.compile(r"[0-9]{4,8}")
_COMMON_PARTS: Final = (
    "password",
    "passwort",
    "cardroom",
    "qwerty",
    "asdf",
    "letmein",
    "welcome",
    "admin",
    "secret",
    "12345",
)
"""Common parts of passwords; a password with little else is refused."""
_LEAST_REMAINING: Final = 6
"""The fewest different characters that must remain without those parts."""
HASHES_AT_ONCE: Final = 4
"""The most passwords hashed at the same time in one process, which limits its memory."""
_LABEL: Final = b"cardroom kept password 1\x00"


class BadPassword(BadInput):
    """A password or PIN that is not allowed."""


class PasswordScheme(Protocol):
    """Hashes and verifies passwords."""

    decoy: str
    """A hash to compare with if the login does not exist: it takes the same work, and no password matches it."""

    def hash(self, password: str, /) -> str:
        """The hash of a password, with a new salt each time."""

    def verify(self, password_hash: str, password: str, /) -> bool:
        """Whether the password matches the hash."""


class Argon2id:
    """The default scheme. A hash contains its work parameters, so they can be raised without invalidating hashes."""

    def __init__(self, time_cost: int = 4, memory_kib: int = 65_536) -> None:
        self._argon2 = PasswordHasher(time_cost=time_cost, memory_cost=memory_kib, parallelism=1)
        self._places = Semaphore(HASHES_AT_ONCE)
        # In the form of a hash with the same work; no password has this digest.
        self.decoy = f"$argon2id$v=19$m={memory_kib},t={time_cost},p=1${'A' * 22}${'A' * 43}"

    def hash(self, password: str, /) -> str:
        with self._places:
            return self._argon2.hash(password)

    def verify(self, password_hash: str, password: str, /) -> bool:
        with self._places:
            try:
                return self._argon2.verify(password_hash, password)
            except (VerificationError, InvalidHashError):
                return False


ARGON2ID: Final = Argon2id()


def password_hash_digest(password_hash: str) -> str:
    """The digest of a password hash, which the ledger contains in its place. It detects a hash that was replaced in the
    database, and reveals nothing about the password.

    >>> password_hash_digest("$argon2id$")[:16]
    '359555bae38aa68d'
    """
    return hashlib.sha256(_LABEL + password_hash.encode()).hexdigest()


def require_good_password(password: str, login: str, name: str) -> str:
    """The password; refuse one that is not allowed.

    >>> require_good_password("three green dice", "rosa", "Rosa Diaz")
    'three green dice'
    >>> require_good_password("short", "rosa", "Rosa Diaz")
    Traceback (most recent call last):
    ...
    cardroom.room.user.passwords.BadPassword: The password is too short: use 12 characters or more, such as four
    unrelated words.
    >>> require_good_password("RosaDiaz2026!", "rosa", "Rosa Diaz")
    Traceback (most recent call last):
    ...
    cardroom.room.user.passwords.BadPassword: The password is easy to guess: use words that are not related to you or
    to each other.
    """
    if len(password) < SHORTEST_PASSWORD:
        raise BadPassword(
            f"The password is too short: use {SHORTEST_PASSWORD} characters or more, such as four unrelated words."
        )
    if len(password) > LONGEST_PASSWORD:
        raise BadPassword(f"The password is too long: use at most {LONGEST_PASSWORD} characters.")
    remaining = password.casefold()
    for guessable in (login.casefold(), *name.casefold().split(), *_COMMON_PARTS):
        if len(guessable) > 2:
            remaining = remaining.replace(guessable, "")
    if len(set(remaining)) < _LEAST_REMAINING:
        raise BadPassword("The password is easy to guess: use words that are not related to you or to each other.")
    return password


def require_good_pin(pin: str) -> str:
    """The PIN; refuse one that is not allowed.

    >>> require_good_pin("4471")
    '4471'
    >>> require_good_pin("1234")
    Traceback (most recent call last):
    ...
    cardroom.room.user.passwords.BadPassword: The PIN is easy to guess: do not use equal digits or digits in a row.
    """
    if not _PIN.fullmatch(pin):
        raise BadPassword("Use a PIN of four to eight digits.")
    steps = {int(after) - int(before) for before, after in pairwise(pin)}
    if steps in ({0}, {1}, {-1}):
        raise BadPassword("The PIN is easy to guess: do not use equal digits or digits in a row.")
    return pin


def make_one_time_password(key: bytes) -> str:
    """A password for the first sign-in, from 80 random bits, easy to read aloud.

    >>> make_one_time_password(bytes(range(32)))
    'aaaq-eaye-auda-ocaj'
    """
    letters = b32encode(key[:10]).decode().lower()
    return "-".join(letters[start : start + 4] for start in range(0, 16, 4))
