"""The rulings of the program, which PAR sheets print, and of the documentation are the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardroom.conformance.sample_rounds import positions
from cardroom.games import SeatTurn, game, game_slugs
from cardroom.games.registry import find_package
from cardroom.games.rulings import GENERAL_RULE, GENERAL_RULINGS, JACKPOT_RULINGS, JACKPOT_SYSTEM_RULINGS, parse_rulings

HOUSE = [slug for slug in game_slugs() if find_package(slug) is None]
DOCUMENT = (Path(__file__).parents[2] / "docs" / "rulings.md").read_text("utf-8")
CODE = Path(__file__).parents[2] / "src"
OF_GAMES = {slug: game(slug).rulings for slug in HOUSE}
ALL = (
    *GENERAL_RULINGS,
    *(one for some in OF_GAMES.values() for one in some),
    *JACKPOT_RULINGS,
    *JACKPOT_SYSTEM_RULINGS,
)


def documented() -> dict[str, str]:
    """The words behind each number, up to the next number or heading."""
    lists = re.sub(r"^(?!- |  ).*$", "", DOCUMENT, flags=re.MULTILINE)
    return {one.number: one.text for one in parse_rulings(lists)}


def test_program_and_documentation_have_the_same_rulings_word_for_word() -> None:
    assert documented() == {one.number: one.text for one in ALL}
    assert len(ALL) > 60


def test_a_number_is_used_once() -> None:
    numbers = [one.number for one in ALL]
    assert len(numbers) == len(set(numbers))
    assert re.findall(r"^- \*\*([A-Z]+-\d+)\*\*", DOCUMENT, re.MULTILINE) == list(documented())


def test_the_general_rule_is_documented() -> None:
    assert f"**In general.** {GENERAL_RULE}" in " ".join(DOCUMENT.split())


def test_every_number_that_the_program_cites_is_ruled_on() -> None:
    known = {one.number for one in ALL}
    prefixes = "|".join({number.partition("-")[0] for number in known})
    cited = {
        number
        for file in CODE.rglob("*.py")
        for number in re.findall(rf"\b(?:{prefixes})-\d+\b", file.read_text("utf-8"))
    }
    assert len(cited) > 40
    assert cited <= known


@pytest.mark.parametrize("slug", HOUSE)
def test_a_game_has_its_own_rulings_and_no_other_games(slug: str) -> None:
    prefixes = {one.number.partition("-")[0] for one in OF_GAMES[slug]} - {"GEN"}
    assert len(prefixes) == 1
    others = {one.number.partition("-")[0] for name, some in OF_GAMES.items() if name != slug for one in some}
    assert prefixes.isdisjoint(others | {one.number.partition("-")[0] for one in (*GENERAL_RULINGS, *JACKPOT_RULINGS)})


@pytest.mark.parametrize("slug", HOUSE)
def test_a_game_says_its_rules_in_a_few_sentences_and_cites_only_rulings_that_hold_for_it(slug: str) -> None:
    lines = game(slug).summary.strip().splitlines()
    assert 3 <= len(lines) <= 5
    assert set(re.findall(r"[A-Z]+-\d+", game(slug).summary)) <= {one.number for one in OF_GAMES[slug]}


@pytest.mark.parametrize("slug", HOUSE)
def test_every_answer_that_a_player_can_give_is_shown_in_words(slug: str) -> None:
    options = [
        option
        for seed in range(12)
        for position in positions(slug, seed)
        if isinstance(position.turn, SeatTurn)
        for option in position.turn.options
    ]
    assert {option.verb for option in options} >= set(game(slug).verb_descriptions)
    assert all(game(slug).describe_decision(option) for option in options)
