"""How often each event of a wager happens: every file of counts here, held against what the program counts.

A section says which `wager` it counts, with how many `decks` and by which `paytables` where that matters, `how` the
numbers are known without the program, the `total` of deals, and then how many of them meet each event. Events that a
table does not pay make up its "other". Sections that name no wager count hands that a rule looks at on the way; the
tests of the game use them.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from cardroom.games import game, game_slugs
from cardroom.odds import Asked, Odds, answer, questions
from cardroom.odds.result import Setting

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Counted:
    """One section."""

    game: str
    name: str
    wager: str
    settings: dict[str, Setting]
    paytables: tuple[str, ...]
    total: int
    events: dict[str, int]

    def __str__(self) -> str:
        return f"{self.game} {self.name}"

    def fits(self, odds: Odds, lines: list[str]) -> bool:
        """Whether the section speaks of a table: it is named, or each of its lines is counted."""
        return odds.paytable in self.paytables if self.paytables else set(lines) <= set(self.events) | {"other"}


def sections() -> list[Counted]:
    return [
        _section(file.stem, name, entry)
        for file in sorted(FOLDER.glob("*.toml"))
        for name, entry in tomllib.loads(file.read_text("utf-8")).items()
        if "wager" in entry
    ]


def _section(slug: str, name: str, entry: dict[str, object]) -> Counted:
    events = {event: count for event, count in entry.items() if isinstance(count, int)}
    settings: dict[str, Setting] = {"decks": events.pop("decks")} if "decks" in events else {}
    named = entry.get("paytables", [])
    assert entry["how"], "how is the number known?"
    assert isinstance(named, list)
    return Counted(slug, name, str(entry["wager"]), settings, tuple(named), events.pop("total"), events)


@cache
def priced(slug: str, wager: str, decks: Setting | None) -> tuple[tuple[Odds, tuple[str, ...]], ...]:
    asked = questions(Asked(slug, wager, settings={} if decks is None else {"decks": decks}))
    return tuple((answer(one), tuple(line.event for line in one.table.lines)) for one in asked)


@pytest.mark.parametrize("counted", sections(), ids=str)
def test_each_event_comes_as_often_as_its_file_says(counted: Counted) -> None:
    tables = 0
    for odds, lines in priced(counted.game, counted.wager, counted.settings.get("decks")):
        if not counted.fits(odds, list(lines)):
            continue
        tables += 1
        expected: dict[str, Fraction] = {}
        for event, count in counted.events.items():
            paid = event if event in lines else "other"
            expected[paid] = expected.get(paid, Fraction(0)) + Fraction(count, counted.total)
        rest = 1 - sum(expected.values())
        if rest:
            expected["other"] = expected.get("other", Fraction(0)) + rest
        found = {outcome.event: outcome.probability for outcome in odds.outcomes if outcome.combinations}
        assert found == {event: chance for event, chance in expected.items() if chance}, odds.paytable
    assert tables, "no printed table has these lines"


def test_every_game_of_the_house_has_its_file() -> None:
    assert {file.stem for file in FOLDER.glob("*.toml")} == set(game_slugs())


def test_every_wager_that_hangs_on_no_decision_is_counted() -> None:
    counted = {(one.game, one.wager) for one in sections()}
    decided = {
        ("deuces-wild", "ante-play-raise"),
        ("deuces-wild", "five-card-fortune"),
        ("three-card-prime", "ante-play"),
        ("texas-shootout", "shootout"),
        ("texas-shootout", "shootout-bonus"),
        ("texas-shootout", "jackpot"),
        ("dueling-for-dollars", "duel"),
        ("three-card-double-play", "high-low"),
    }
    assert counted | decided == {(slug, wager.slug) for slug in game_slugs() for wager in game(slug).facts.wagers}
    assert not counted & decided
