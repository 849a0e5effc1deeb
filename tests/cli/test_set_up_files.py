"""docs/setup-files.md documents every key of every setup file, and no other key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cardroom.cli.shared.setup_files import example_files
from cardroom.errors import BadInput
from cardroom.games import read_setup
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.promotion.setup import read_promotion
from cardroom.room.setup.jackpot import read_jackpot_setup
from cardroom.room.setup.site import SiteSettings, example_site_toml, read_site_settings
from cardroom.room.setup.tabulator import read_tabulator_setup
from cardroom.room.table.setup import TABLE_KEYS, read_room_table
from cardroom.service import UnknownJackpot

DOCS = Path(__file__).parents[2] / "docs" / "setup-files.md"
GAMES = ("deuces-wild", "three-card-prime", "texas-shootout", "dueling-for-dollars", "three-card-double-play")
UNKNOWN = "key_that_nobody_knows"


def documented() -> dict[str, dict[str, set[str]]]:
    """The keys by file and section; a file's own are in the section of no name."""
    files: dict[str, dict[str, set[str]]] = {}
    for line in DOCS.read_text("utf-8").splitlines():
        if heading := re.fullmatch(r"## (\S+\.toml)", line):
            file, section = heading[1], ""
            files[file] = {}
        elif heading := re.fullmatch(r"### (.+)", line):
            section = heading[1]
        elif row := re.match(r"\| `(\w+)` \|", line):
            files[file].setdefault(section, set()).add(row[1])
    return files


def known(read: Callable[[str], object], *texts: str) -> set[str]:
    """The keys that a reader names when it meets one that it does not know, in a section of any of the texts."""
    keys = set[str]()
    for text in texts:
        with pytest.raises(BadInput, match=f"{UNKNOWN}.*is not known") as refused:
            read(text.replace("?", f"{UNKNOWN} = 1"))
        keys |= set(re.search(r"use (.*)\.$", str(refused.value))[1].split(", "))  # type: ignore[index]
    return keys


JACKPOT = """
?0
id = "j"
name = "J"
kind = "{kind}"
location = "L"
{wager}
[[offers]]
?1
game = "three-card-prime"
wager = "final-four"
paytable = "F4P-1"
[[levels]]
?2
name = "main"
{level}
"""
PROGRESSIVE = 'seed = "$1"\ncontribution = "1%"\nceiling = "$9"'
TABLE = """
game = "texas-shootout"
?0
[wagers.shootout]
?1
[wagers.shootout.limits]
?2
min = "$1"
max = "$2"
[wagers.shootout.table]
?4
name = "n"
basis = "to 1"
lines = { pair = "1" }
[wagers.shootout.feature]
?3
kind = "envy"
paytable = "X"
qualifying = "$5"
"""
SENSORS = """
table = "t"
game = "texas-shootout"
location = "L"
tabulator = "andromeda-1"
positions = 6
[[sensors]]
?
"""
PLAY_TABLE = """
table = "t"
game = "texas-shootout"
[play]
?
"""
PROMOTION = """
?
id = "p"
name = "P"
game = "g"
wager = "w"
paytable = "t"
event = "e"
prize = "$1"
pay = "1 to 1"
first = "2026-01-01"
last = "2026-01-02"
most_prizes = 1
most_dollars = "$1"
"""


def at(text: str, place: int) -> str:
    """The text with the unknown key in one of its sections."""
    return re.sub(r"\?(\d)", lambda mark: "?" if int(mark[1]) == place else "", text)


def jackpots() -> Iterator[str]:
    for kind, level in (("progressive", PROGRESSIVE), ("bonus", 'amount = "$1"')):
        for wager in ('wager = "$1"', 'wagers = ["$1"]'):
            yield JACKPOT.format(kind=kind, level=level, wager=wager)


def find_no_jackpot(jackpot: str) -> JackpotState:
    raise UnknownJackpot(jackpot)


def readers() -> dict[str, dict[str, set[str]]]:
    """What the readers know, in the order of the documentation."""
    jackpot = [[at(text, place) for text in jackpots()] for place in range(3)]
    wager = 'wager = "w"\npaytable = "p"\namount = "$1"\nlammer_amount = "$2"\n?'
    sensors = [SENSORS.replace("?", sensor) for sensor in (wager, "lammer_of = 1\n?")]
    table = [at(TABLE, place) for place in range(5)]
    return {
        "jackpot.toml": {
            "": known(read_jackpot_setup, *jackpot[0]),
            "[[offers]]": known(read_jackpot_setup, *jackpot[1]),
            "[[levels]]": known(read_jackpot_setup, *jackpot[2]),
        },
        "table.toml": {
            "": known(read_setup, table[0]) | set(TABLE_KEYS),
            "[[sensors]]": known(read_tabulator_setup, *sensors),
            "[wagers.NAME]": known(read_setup, table[1]),
            "table": known(read_setup, table[4]),
            "limits": known(read_setup, table[2]),
            "feature": known(read_setup, table[3]),
            "[play]": known(lambda text: read_room_table(text, find_no_jackpot), PLAY_TABLE),
        },
        "promotion.toml": {"": known(read_promotion, PROMOTION)},
        "room.toml": {"": known(read_site_settings, "?")},
    }


def test_every_key_of_every_file_is_documented_and_none_that_is_not_known() -> None:
    result = documented()
    assert result == readers()
    assert sum(len(keys) for sections in result.values() for keys in sections.values()) > 60


def used(entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The keys of a file with their sections; what stands under names of the operator's is no key."""
    for name, value in entry.items():
        yield "", name
        if name in ("offers", "levels", "sensors"):
            yield from ((f"[[{name}]]", key) for one in value for key in one)
        if name == "wagers" and isinstance(value, dict):
            for wager in value.values():
                yield from (("[wagers.NAME]", key) for key in wager)
                yield from ((part, key) for part in ("limits", "table", "feature") for key in wager.get(part, ()))


def test_examples_use_only_documented_keys() -> None:
    result, met = documented(), 0
    examples = [("room.toml", example_site_toml())]
    for slug in GAMES:
        examples += [(f"{part}.toml", text) for part, text in example_files(slug).items()]
    for file, text in examples:
        for section, key in used(tomllib.loads(text)):
            assert key in result[file][section], (file, section, key)
            met += 1
    assert met > 250


def test_a_line_that_is_left_out_of_a_rooms_example_has_the_value_that_stands_there() -> None:
    text = example_site_toml()
    assert "Every line is optional and shows its default, except the name" in text
    left_out = 0
    for line in text.splitlines():
        if line and not line.startswith(("#", "name")):
            assert read_site_settings(text.replace(line, "")) == read_site_settings(text)
            left_out += 1
    assert left_out == len(SiteSettings._fields) - 1
    assert f'the default is "{SiteSettings().name}"' in text
