"""Names of people in the books: somebody always answers for what was done, and two people where it matters.

A name is what people read: characters that nobody can see do not make another person, and a name without a letter is
none.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from cardroom.errors import BadInput, quote

_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters by their kind, of which nothing is seen."""

_LOOK_ALIKE: Final = str.maketrans(
    # Cyrillic, Greek and dotless letters that are read as Latin ones, and two digits.
    "\u0430\u0432\u0435\u0433\u0455\u0456\u0458\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0501\u051b\u051d"
    "\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03f2\u03f3\u0131\u0237\u026101",
    "abersijkmhopctyxdqw" + "abezhikmvoptyxcjijgol",
)
"""What a letter is read as, though it is another one."""


REASON: Final = "reason"


class NobodyNamed(BadInput):
    """Something that needs a name or a reason and has none."""


class ReasonMissing(NobodyNamed):
    """Something that needs a reason and has none."""


class SamePerson(BadInput):
    """Something that two different people must do."""


class SecondMissing(SamePerson):
    """Something that two people must do, and one is named."""


def named(text: str, what: str) -> str:
    """The text without blanks around it, of which something must be seen.

    >>> named("\\u200b \\u3164", "reason")
    Traceback (most recent call last):
    ...
    cardroom.jackpots.people.ReasonMissing: The reason is missing: the books name who did what, and why.
    """
    if not any(map(_is_seen, text)):
        missing = ReasonMissing if what == REASON else NobodyNamed
        raise missing(f"The {what} is missing: the books name who did what, and why.")
    return " ".join(text.split())


def _is_seen(character: str) -> bool:
    return not (character.isspace() or character in _BLANK_LETTERS or unicodedata.category(character)[0] in ("C", "Z"))


def _letters(name: str) -> str:
    """What tells people apart: letters and digits, without accents, capitals and small letters alike, and those of
    another alphabet as they are read.

    >>> _letters(" Rosa  Di\\u00e1z.\\u200b"), _letters(".\\u3164"), _letters("R\\u043esa Diaz")
    ('rosadiaz', '', 'rosadiaz')
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold()).translate(_LOOK_ALIKE)
    return "".join(one for one in plain if one.isalnum() and one not in _BLANK_LETTERS)


def same_person(one: str, other: str) -> bool:
    """Whether two names are one, however they are written.

    >>> same_person(" Rosa  Diaz", "rosa diaz"), same_person("Rosa Diaz", "Rosa Diaz\\u200b.")
    (True, True)
    """
    return _letters(one) == _letters(other)


def different(one: str, other: str, sentence: str) -> None:
    """Refuse the same person twice, and a name that is none."""
    for name in (one, other):
        if not _letters(name):
            raise NobodyNamed(f"{quote(name)} is no name: write it with letters.")
    if same_person(one, other):
        raise SamePerson(sentence)


def two_people(who: str, second: str | None, what: str) -> tuple[str, str]:
    """The names of two different people, for something that nobody may do alone.

    >>> two_people(" Rosa  Diaz ", "Lee", "an adjustment")
    ('Rosa Diaz', 'Lee')
    """
    one = named(who, "name")
    if second is None or not any(map(_is_seen, second)):
        raise SecondMissing(f"Two people answer for {what}: name the second one beside {one}.")
    other = named(second, "second name")
    different(one, other, f"Two people answer for {what}: {other} cannot be the second one beside {one}.")
    return one, other
