"""Files of counts: how often each event of a wager happens, and how that is known without the program.

A section says which ``wager`` it counts, with how many ``decks`` and by which ``paytables`` where that matters, ``how``
the numbers are known, the ``total`` of deals, and then how many of them meet each event. Events that a table does not
pay make up its "other". A section that names no wager counts hands that a rule looks at on the way.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

from cardroom.odds import Asked, Odds, answer, questions

OTHER: Final = "other"


@dataclass(frozen=True)
class Counted:
    """One section."""

    game: str
    name: str
    wager: str
    decks: int | None
    paytables: tuple[str, ...]
    how: str
    total: int
    events: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        return f"{self.game} {self.name}"

    def fits(self, lines: frozenset[str], paytable: str) -> bool:
        """Whether the section speaks of a table: it is named, or each of its lines is counted."""
        return paytable in self.paytables if self.paytables else lines <= {event for event, _ in self.events} | {OTHER}

    def chances(self, known: frozenset[str]) -> dict[str, Fraction]:
        """How likely each event is; those that are not known are other."""
        found = Counter[str]()
        for event, count in self.events:
            found[event if event in known else OTHER] += count
        found[OTHER] += self.total - found.total()
        return {event: Fraction(count, self.total) for event, count in found.items() if count}


def read(file: Path, game: str) -> list[Counted]:
    """The sections of a file that count a wager."""
    sections = tomllib.loads(file.read_text("utf-8"))
    return [_section(game, name, entry) for name, entry in sections.items() if "wager" in entry]


def _section(game: str, name: str, entry: dict[str, Any]) -> Counted:
    about = {key: entry[key] for key in ("wager", "how", "total")}
    decks, paytables = entry.get("decks"), tuple(entry.get("paytables", ()))
    beside = {*about, "decks", "paytables"}
    events = tuple((event, count) for event, count in entry.items() if event not in beside)
    return Counted(game, name, decks=decks, paytables=paytables, events=events, **about)


@cache
def priced(game: str, wager: str, decks: int | None) -> tuple[tuple[Odds, frozenset[str]], ...]:
    """What the program counts of a wager: by printed table, and the table's lines."""
    asked = questions(Asked(game, wager, settings={} if decks is None else {"decks": decks}))
    return tuple((answer(one), frozenset(line.event for line in one.table.lines)) for one in asked)


def check(counted: Counted) -> None:
    """Every printed table that a section speaks of meets each event as often as it says."""
    assert counted.how, "how is the number known?"
    tables = 0
    for odds, lines in priced(counted.game, counted.wager, counted.decks):
        if counted.fits(lines, odds.paytable):
            tables += 1
            found = Counter[str]()
            for ending in odds.endings:
                found[ending.event] += ending.combinations
            chances = {event: Fraction(count, odds.combinations) for event, count in found.items() if count}
            assert chances == counted.chances(lines | frozenset(found)), odds.paytable
    assert tables, "no printed table has these lines"
