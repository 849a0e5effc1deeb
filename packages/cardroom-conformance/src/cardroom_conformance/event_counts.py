"""Files of counts: how often each event of a wager happens, and the source of the number outside the program.

A section names the ``wager``, the ``decks`` and the ``paytables`` if they matter, ``how`` the numbers are known, the
``total`` of deals, and the number of deals that meet each event. Events that a table does not pay are its "other". A
section without a wager counts hands that a rule uses as an intermediate step.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

from cardroom.odds import Odds, PriceQuery, compute_odds, find_requests

OTHER: Final = "other"


@dataclass(frozen=True)
class EventCounts:
    """One section of a file of counts."""

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

    def covers(self, lines: frozenset[str], paytable: str) -> bool:
        """Whether the section covers a table: it names the table, or it counts each of the table's lines."""
        return paytable in self.paytables if self.paytables else lines <= {event for event, _ in self.events} | {OTHER}

    def chances(self, events_known: frozenset[str]) -> dict[str, Fraction]:
        """The probability of each event; unknown events count as other."""
        counts = Counter[str]()
        for event, count in self.events:
            counts[event if event in events_known else OTHER] += count
        counts[OTHER] += self.total - counts.total()
        return {event: Fraction(count, self.total) for event, count in counts.items() if count}


def read_counts(file: Path, game: str) -> list[EventCounts]:
    """The sections of a file that count a wager."""
    sections = tomllib.loads(file.read_text("utf-8"))
    return [_section(game, name, entry) for name, entry in sections.items() if "wager" in entry]


def _section(game: str, name: str, entry: dict[str, Any]) -> EventCounts:
    attributes = {key: entry[key] for key in ("wager", "how", "total")}
    decks, paytables = entry.get("decks"), tuple(entry.get("paytables", ()))
    reserved_keys = {*attributes, "decks", "paytables"}
    events = tuple((event, count) for event, count in entry.items() if event not in reserved_keys)
    return EventCounts(game, name, decks=decks, paytables=paytables, events=events, **attributes)


@cache
def price_wager(game: str, wager: str, decks: int | None) -> tuple[tuple[Odds, frozenset[str]], ...]:
    """The program's odds of a wager for each printed table, and the table's lines."""
    requests = find_requests(PriceQuery(game, wager, settings={} if decks is None else {"decks": decks}))
    return tuple(
        (compute_odds(request), frozenset(line.trigger for line in request.table.lines)) for request in requests
    )


def check_counts(section: EventCounts) -> None:
    """Check that the program's odds for every printed table of a section have the section's counts."""
    assert section.how, "the section does not say how its numbers are known"
    tables = 0
    for odds, lines in price_wager(section.game, section.wager, section.decks):
        if section.covers(lines, odds.paytable):
            tables += 1
            counts = Counter[str]()
            for outcome in odds.distribution:
                counts[outcome.trigger] += outcome.combinations
            chances = {event: Fraction(count, odds.combinations) for event, count in counts.items() if count}
            assert chances == section.chances(lines | frozenset(counts)), odds.paytable
    assert tables, "no printed table has these lines"
