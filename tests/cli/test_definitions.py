"""What a figure means is said in the same words wherever it is printed, and rule sheets go by title and date."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from cardroom.cli.app import app
from cardroom.games import game, game_slugs
from cardroom.reports.definitions import PLUS_MINUS, definition_sentences

DUEL = ("dueling-for-dollars", "--wager", "duel")


def printed(*words: str) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


@pytest.mark.parametrize(
    "words", [("odds", *DUEL), ("odds", *DUEL, "--decks", "6", "--option", "tie_after_tie_bonus=true")]
)
def test_odds_define_what_they_show(words: tuple[str, ...]) -> None:
    payload = printed(*words)
    for sentence in definition_sentences(
        "Unit", "House edge", "Element of risk", "Standard deviation", "Hit frequency"
    ):
        assert sentence in payload


def test_simulated_rounds_define_what_they_show() -> None:
    payload = printed("simulate", "dueling-for-dollars", "--rounds", "1000", "--seed", "1")
    for sentence in definition_sentences("Unit", "Return", "Hit frequency"):
        assert sentence in payload
    assert PLUS_MINUS.rstrip(".") in payload


def test_units_that_are_down_are_those_that_the_notes_speak_of() -> None:
    payload = printed("odds", "three-card-double-play", "--wager", "high-low", "--paytable", "LWB3")
    assert "units a round; 2 units are down before the deal" in payload
    assert "High and Low are one unit each, so two units are wagered before the deal" in payload
    assert "figures are for one of them" not in payload


@pytest.mark.parametrize("slug", ["deuces-wild", "three-card-prime", "texas-shootout", "dueling-for-dollars"])
def test_a_rule_sheet_goes_by_its_title_and_date_and_never_by_a_file(slug: str) -> None:
    title = game(slug).facts.sheet_title
    assert title.startswith(game(slug).facts.name)
    for words in (("games",), ("paytables", slug)):
        payload = printed(*words)
        assert title in payload
        assert ".txt" not in payload


def test_every_game_of_the_house_has_a_title_for_its_sheet() -> None:
    assert all("Rules of Play" in game(slug).facts.sheet_title for slug in game_slugs()[:5])
