"""Fields of a set-up that is filled in: read one by one, and every fault noted beside its field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar

from cardroom.errors import BadInput, quote
from cardroom.games import SetupFault
from cardroom.games.money import parse_dollars

T = TypeVar("T")
Typed = Mapping[str, str]
Faults = Mapping[str, tuple[SetupFault, ...]]
"""By field."""
_MOST_DIGITS: Final = 6


class Fields:
    """What was typed, and what is against it."""

    def __init__(self, typed: Typed) -> None:
        self.typed, self.faults = typed, list[SetupFault]()

    def text(self, name: str) -> str:
        return self.typed.get(name, "").strip()

    def read(self, name: str, understand: Callable[[str], T], usual: T, where: str = "") -> T:
        """What a field means; the usual where it cannot be read, so that nothing else is blamed for it."""
        try:
            return understand(self.text(name))
        except BadInput as fault:
            self.faults.append(SetupFault(where or name, str(fault), "set-up"))
            return usual

    def note(self, name: str, check: Callable[[], object]) -> bool:
        """Whether a check has nothing against a field; what it has is noted beside it."""
        try:
            check()
        except BadInput as fault:
            self.faults.append(SetupFault(name, str(fault), "set-up"))
            return False
        return True

    def amount(self, name: str, usual: int, where: str = "") -> int:
        return self.read(name, parse_dollars, usual, where)

    def number(self, name: str, usual: int) -> int:
        def understand(text: str) -> int:
            if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
                return int(text)
            if text.isascii() and text.isdigit():
                raise BadInput(f"{quote(text)} is too many: write {10**_MOST_DIGITS - 1:,} at most.")
            raise BadInput(f"{quote(text)} is no whole number: write one such as {usual}.")

        return self.read(name, understand, usual)

    def beginning(self, name: str) -> dict[str, str]:
        """Fields that begin so and say something, by what follows."""
        found = {key.removeprefix(name): text.strip() for key, text in self.typed.items() if key.startswith(name)}
        return {key: text for key, text in found.items() if text}


def by_place(faults: Iterable[SetupFault]) -> dict[str, tuple[SetupFault, ...]]:
    """Each fault beside what it is about; one that is told twice is told once."""
    places: dict[str, tuple[SetupFault, ...]] = {}
    for one in faults:
        if one not in (there := places.get(one.section, ())):
            places[one.section] = (*there, one)
    return places
