"""Names of people in the books: somebody always answers for what was done, and two people where it matters."""

from __future__ import annotations

from cardroom.faults import BadInput


class NobodyNamed(BadInput):
    """Something that needs a name or a reason and has none."""


class SamePerson(BadInput):
    """Something that two different people must do."""


def named(text: str, what: str) -> str:
    """The text without blanks around it, which must not be empty."""
    if not text.strip():
        raise NobodyNamed(f"The {what} is missing: the books name who did what, and why.")
    return " ".join(text.split())


def same_person(one: str, other: str) -> bool:
    """Whether two names are one, however they are written.

    >>> same_person(" Rosa  Diaz", "rosa diaz")
    True
    """
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def different(one: str, other: str, sentence: str) -> None:
    """Refuse the same person twice."""
    if same_person(one, other):
        raise SamePerson(sentence)


def two_people(who: str, second: str | None, what: str) -> tuple[str, str]:
    """The names of two different people, for something that nobody may do alone.

    >>> two_people(" Rosa  Diaz ", "Lee", "an adjustment")
    ('Rosa Diaz', 'Lee')
    """
    one = named(who, "name")
    if second is None or not second.strip():
        raise SamePerson(f"Two people answer for {what}: name the second one beside {one} (--second NAME).")
    other = named(second, "second name")
    different(one, other, f"Two people answer for {what}: {other} cannot be the second one beside {one}.")
    return one, other
