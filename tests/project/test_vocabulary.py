"""A retired word does not come back: not in identifiers, templates, styles, scripts, help, or documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project.vocabulary import (
    EXEMPTIONS,
    PHRASES,
    ROOT,
    WORDS,
    Exemption,
    area_of,
    hits,
    project_files,
    retired_in,
    without_exempt,
)

AREAS = sorted({area_of(file) for file in project_files()})


@pytest.mark.parametrize("area", AREAS)
def test_an_area_uses_no_retired_word(area: str) -> None:
    found = [hit for file in project_files() if area_of(file) == area for hit in hits(file)]
    assert not found, "\n".join([f"{len(found)} retired words; docs/glossary.md says what to use:", *map(str, found)])


def test_every_part_of_the_project_is_read() -> None:
    assert {"src/cardroom/web", "tests/web", "docs", "bench", "handbook", "examples", "the top folder"} <= set(AREAS)
    kinds = {Path(file).suffix for file in project_files()}
    assert {".py", ".md", ".html", ".css", ".js", ".toml", ".ipynb"} <= kinds
    assert len(project_files()) > 1000


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("felt_state = state", ["felt"]),
        ("class FeltOpened(Event):", ["Felt"]),
        ("_FELT_KEY = 1", ["FELT"]),
        ("function toldBy() {}", ["told"]),
        (".felts { color: red }", ["felts"]),
        ('<p class="the-desk">{{ desk.text }}</p>', ["desk", "desk"]),
        ("Nobody is asked anew.", ["Nobody", "anew"]),
        ('{"cheque": 1077}', ["cheque"]),
        ("def test_whoever_asks_is_told() -> None:", ["whoever", "told"]),
        ("The edge hangs on the meter.", ["hangs on"]),
        ("They are held against the ledger, or hold it against us.", ["held against", "hold it against"]),
        ("The set-up stands in a file.", ["set-up", "stands in"]),
        ("Anybody may read it for ever.", ["Anybody", "for ever"]),
    ],
)
def test_a_planted_word_is_found(planted: str, found: list[str]) -> None:
    assert [word for _, word in retired_in(f"A line.\n{planted}\n", prose=True)] == found
    assert {line for line, _ in retired_in(f"A line.\n{planted}\n", prose=True)} == {2}


@pytest.mark.parametrize(
    "text",
    [
        "clerkship = deedless = 1",
        "The color of the licensed layout is canceled.",
        "No one of the two seats wins.",
        "He holds three cards. A setup file sets up a table.",
        "the price per centile",
        "centrepiece",
    ],
)
def test_a_word_that_only_looks_like_one_is_not(text: str) -> None:
    assert list(retired_in(text, prose=True)) == []


def test_phrases_are_only_looked_for_in_prose() -> None:
    assert list(retired_in("def test_it_hangs_on() -> None: ...  # hangs on, anybody", prose=False)) == []


def test_an_exemption_takes_out_what_it_names_and_keeps_the_numbers_of_the_lines() -> None:
    (table,) = (one for one in EXEMPTIONS if one.files == "docs/glossary.md")
    text = "# Glossary\n<!-- retired -->\n| felt | table |\n<!-- /retired -->\nA felt.\n"
    assert list(retired_in(without_exempt("docs/glossary.md", text, (table,)), prose=True)) == [(5, "felt")]
    assert list(retired_in(without_exempt("docs/odds.md", text, (table,)), prose=True)) == [(3, "felt"), (5, "felt")]


@pytest.mark.parametrize("exemption", EXEMPTIONS, ids=lambda one: one.files)
def test_every_exemption_is_needed_and_has_a_reason(exemption: Exemption) -> None:
    assert exemption.reason
    others = tuple(one for one in EXEMPTIONS if one != exemption)
    text = (ROOT / exemption.files).read_text("utf-8")
    assert list(retired_in(without_exempt(exemption.files, text, others), prose=True))
    assert not list(retired_in(without_exempt(exemption.files, text), prose=True))


def test_the_glossary_says_what_to_use_instead_of_each_retired_word() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    table = page.partition("<!-- retired -->")[2].partition("<!-- /retired -->")[0]
    said = {word for row in re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE) for word in row.split(", ")}
    assert set(WORDS) <= said
    assert all(any(re.search(pattern, word, re.IGNORECASE) for word in said) for pattern in PHRASES)
