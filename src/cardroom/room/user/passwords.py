"""What a password and a PIN must be, and how they are kept: argon2id, whose work is set so that one guess takes about a
fifth of a second and 64 MB, for us once and for a thief every time.

A password that is long needs no digits and signs. What is refused is what somebody would guess first.
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
"""What many passwords are made of; one that has little else is refused."""
_LEAST_REMAINING: Final = 6
"""Different characters that must be left when those are taken away."""
HASHES_AT_ONCE: Final = 4
"""Passwords that are compared at the same time in one program: however many come, it takes no more memory."""
_LABEL: Final = b"cardroom kept password 1\x00"


class BadPassword(BadInput):
    """A password or PIN that somebody would guess."""


class PasswordScheme(Protocol):
    """How passwords are kept and compared."""

    decoy: str
    """What a password is compared with where there is no login: it takes the same work, and nothing fits it."""

    def hash(self, password: str, /) -> str:
        """What is kept of a password; another one each time."""

    def verify(self, password_hash: str, password: str, /) -> bool:
        """Whether it is the password of which this was kept."""


class Argon2id:
    """The house's own way. The work stands in what is kept, so that it can be raised without locking anybody out."""

    def __init__(self, time_cost: int = 4, memory_kib: int = 65_536) -> None:
        self._argon2 = PasswordHasher(time_cost=time_cost, memory_cost=memory_kib, parallelism=1)
        self._places = Semaphore(HASHES_AT_ONCE)
        # Of the form of a hash, with the same work, and made without any: no password has these zeros.
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
    """What the books show of what is kept, and the name under which it is hidden: nobody who has the database in hand
    can put a password of their own in its place unseen, and nothing can be guessed from it.

    >>> password_hash_digest("$argon2id$")[:16]
    '359555bae38aa68d'
    """
    return hashlib.sha256(_LABEL + password_hash.encode()).hexdigest()


def require_good_password(password: str, login: str, name: str) -> str:
    """A password that may be used.

    >>> require_good_password("three green dice", "rosa", "Rosa Diaz")
    'three green dice'
    >>> require_good_password("short", "rosa", "Rosa Diaz")
    Traceback (most recent call last):
    ...
    cardroom.room.user.passwords.BadPassword: The password is too short: use 12 characters or more, such as four
    words that have nothing to do with each other.
    >>> require_good_password("RosaDiaz2026!", "rosa", "Rosa Diaz")
    Traceback (most recent call last):
    ...
    cardroom.room.user.passwords.BadPassword: The password is easy to guess: use words that have nothing to do with
    you or with each other.
    """
    if len(password) < SHORTEST_PASSWORD:
        raise BadPassword(
            f"The password is too short: use {SHORTEST_PASSWORD} characters or more, such as four words that have "
            "nothing to do "
            "with each other."
        )
    if len(password) > LONGEST_PASSWORD:
        raise BadPassword(f"The password is too long: use {LONGEST_PASSWORD} characters at most.")
    remaining = password.casefold()
    for guessable in (login.casefold(), *name.casefold().split(), *_COMMON_PARTS):
        if len(guessable) > 2:
            remaining = remaining.replace(guessable, "")
    if len(set(remaining)) < _LEAST_REMAINING:
        raise BadPassword(
            "The password is easy to guess: use words that have nothing to do with you or with each other."
        )
    return password


def require_good_pin(pin: str) -> str:
    """A PIN that may be used.

    >>> require_good_pin("4471")
    '4471'
    >>> require_good_pin("1234")
    Traceback (most recent call last):
    ...
    cardroom.room.user.passwords.BadPassword: The PIN is easy to guess: use digits that are neither alike nor in a
    row.
    """
    if not _PIN.fullmatch(pin):
        raise BadPassword("A PIN has four to eight digits.")
    steps = {int(after) - int(before) for before, after in pairwise(pin)}
    if steps in ({0}, {1}, {-1}):
        raise BadPassword("The PIN is easy to guess: use digits that are neither alike nor in a row.")
    return pin


def make_one_time_password(key: bytes) -> str:
    """A password for the first sign-in, made of random bytes: 80 bits of them, easy to read out.

    >>> make_one_time_password(bytes(range(32)))
    'aaaq-eaye-auda-ocaj'
    """
    letters = b32encode(key[:10]).decode().lower()
    return "-".join(letters[start : start + 4] for start in range(0, 16, 4))
