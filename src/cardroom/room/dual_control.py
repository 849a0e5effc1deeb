"""Names of the people responsible for an event: one person always, and two different people for dual control.

Two names that look the same are the same person: invisible characters make no difference. A name needs a letter.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from cardroom.errors import BadInput, quote

_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that Unicode classes as letters although they are invisible."""

_LOOKALIKES: Final = str.maketrans(
    # Cyrillic, Greek and dotless letters that are read as Latin ones, and two digits.
    "\u0430\u0432\u0435\u0433\u0455\u0456\u0458\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0501\u051b\u051d"
    "\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03f2\u03f3\u0131\u0237\u026101",
    "abersijkmhopctyxdqw" + "abezhikmvoptyxcjijgol",
)
"""The Latin letter that each look-alike is read as."""


REASON: Final = "reason"


class NameMissing(BadInput):
    """A required name or reason is missing."""


class ReasonMissing(NameMissing):
    """A required reason is missing."""


class SamePerson(BadInput):
    """The same person is named twice where two different people are required."""


class SecondPersonMissing(SamePerson):
    """Two people are required and only one is named."""


def require_text(text: str, label: str) -> str:
    """The text with normal spacing; refuse a text without a visible character.

    >>> require_text("\\u200b \\u3164", "reason")
    Traceback (most recent call last):
    ...
    cardroom.room.dual_control.ReasonMissing: The reason is missing. The ledger records who did what, and why.
    """
    if not any(map(_is_visible, text)):
        missing = ReasonMissing if label == REASON else NameMissing
        raise missing(f"The {label} is missing. The ledger records who did what, and why.")
    return " ".join(text.split())


def _is_visible(character: str) -> bool:
    return not (character.isspace() or character in _BLANK_LETTERS or unicodedata.category(character)[0] in ("C", "Z"))


def _compared_letters(name: str) -> str:
    """The letters and digits by which names are compared: without accents, in one case, look-alikes of other
    alphabets as Latin letters.

    >>> (_compared_letters(" Rosa  Di\\u00e1z.\\u200b"), _compared_letters(".\\u3164"),
    ... _compared_letters("R\\u043esa Diaz"))
    ('rosadiaz', '', 'rosadiaz')
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold()).translate(_LOOKALIKES)
    return "".join(character for character in plain if character.isalnum() and character not in _BLANK_LETTERS)


def is_same_person(first: str, second: str) -> bool:
    """Whether two names belong to one person, however they are spelled.

    >>> is_same_person(" Rosa  Diaz", "rosa diaz"), is_same_person("Rosa Diaz", "Rosa Diaz\\u200b.")
    (True, True)
    """
    return _compared_letters(first) == _compared_letters(second)


def require_different_people(first: str, second: str, sentence: str) -> None:
    """Refuse the same person twice, and a name without a letter."""
    for name in (first, second):
        if not _compared_letters(name):
            raise NameMissing(f"{quote(name)} is not a name: use letters.")
    if is_same_person(first, second):
        raise SamePerson(sentence)


def require_two_people(who: str, second: str | None, action: str) -> tuple[str, str]:
    """The names of two different people, for an action that one person may not do alone.

    >>> require_two_people(" Rosa  Diaz ", "Lee", "an adjustment")
    ('Rosa Diaz', 'Lee')
    """
    first_name = require_text(who, "name")
    if second is None or not any(map(_is_visible, second)):
        raise SecondPersonMissing(f"Two people must sign for {action}: name a second person besides {first_name}.")
    second_name = require_text(second, "second name")
    require_different_people(
        first_name,
        second_name,
        f"Two people must sign for {action}: {second_name} cannot be the second person besides {first_name}.",
    )
    return first_name, second_name
