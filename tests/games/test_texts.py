"""The rulings in the program, which PAR sheets print, are the same as those in the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardroom.games import SeatTurn, game, game_slugs
from cardroom.games.registry import find_package
from cardroom.games.rulings import GENERAL_RULE, GENERAL_RULINGS, JACKPOT_RULINGS, JACKPOT_SYSTEM_RULINGS, parse_rulings
from cardroom_conformance.sample_rounds import positions

OWN_GAMES = [slug for slug in game_slugs() if find_package(slug) is None]
DOCUMENT = (Path(__file__).parents[2] / "docs" / "rulings.md").read_text("utf-8")
CODE = Path(__file__).parents[2] / "src"
RULINGS_BY_GAME = {slug: game(slug).rulings for slug in OWN_GAMES}
ALL = (
    *GENERAL_RULINGS,
    *(ruling for rulings in RULINGS_BY_GAME.values() for ruling in rulings),
    *JACKPOT_RULINGS,
    *JACKPOT_SYSTEM_RULINGS,
)


def read_documented_rulings() -> dict[str, str]:
    """Return the text of each numbered ruling in the documentation."""
    lists = re.sub(r"^(?!- |  ).*$", "", DOCUMENT, flags=re.MULTILINE)
    return {ruling.number: ruling.text for ruling in parse_rulings(lists)}


def test_program_and_documentation_have_the_same_rulings_word_for_word() -> None:
    assert read_documented_rulings() == {ruling.number: ruling.text for ruling in ALL}
    assert len(ALL) > 60


def test_each_number_of_a_ruling_is_used_once() -> None:
    numbers = [ruling.number for ruling in ALL]
    assert len(numbers) == len(set(numbers))
    assert re.findall(r"^- \*\*([A-Z]+-\d+)\*\*", DOCUMENT, re.MULTILINE) == list(read_documented_rulings())


def test_the_general_rule_is_documented() -> None:
    assert f"**In general.** {GENERAL_RULE}" in " ".join(DOCUMENT.split())


def test_every_ruling_that_the_program_cites_exists() -> None:
    known = {ruling.number for ruling in ALL}
    prefixes = "|".join({number.partition("-")[0] for number in known})
    cited = {
        number
        for file in CODE.rglob("*.py")
        for number in re.findall(rf"\b(?:{prefixes})-\d+\b", file.read_text("utf-8"))
    }
    assert len(cited) > 40
    assert cited <= known


@pytest.mark.parametrize("slug", OWN_GAMES)
def test_a_game_has_only_its_own_rulings(slug: str) -> None:
    prefixes = {ruling.number.partition("-")[0] for ruling in RULINGS_BY_GAME[slug]} - {"GEN"}
    assert len(prefixes) == 1
    others = [*GENERAL_RULINGS, *JACKPOT_RULINGS]
    others += [ruling for name, rulings in RULINGS_BY_GAME.items() if name != slug for ruling in rulings]
    assert prefixes.isdisjoint(ruling.number.partition("-")[0] for ruling in others)


@pytest.mark.parametrize("slug", OWN_GAMES)
def test_a_summary_of_a_game_has_a_few_sentences_and_cites_only_its_own_rulings(slug: str) -> None:
    lines = game(slug).summary.strip().splitlines()
    assert 3 <= len(lines) <= 5
    assert set(re.findall(r"[A-Z]+-\d+", game(slug).summary)) <= {ruling.number for ruling in RULINGS_BY_GAME[slug]}


@pytest.mark.parametrize("slug", OWN_GAMES)
def test_every_decision_of_a_player_has_a_description(slug: str) -> None:
    options = [
        option
        for seed in range(12)
        for position in positions(slug, seed)
        if isinstance(position.turn, SeatTurn)
        for option in position.turn.options
    ]
    assert {option.verb for option in options} >= set(game(slug).verb_descriptions)
    assert all(game(slug).describe_decision(option) for option in options)
