"""Commands define each figure in the same words, and name rule sheets by title and date."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from cardroom.cli.app import app
from cardroom.games import game, game_slugs
from cardroom.reports.definitions import PLUS_MINUS, definition_sentences

DUEL = ("dueling-for-dollars", "--wager", "duel")


def read_page(*words: str) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


@pytest.mark.parametrize(
    "words", [("odds", *DUEL), ("odds", *DUEL, "--decks", "6", "--option", "tie_after_tie_bonus=true")]
)
def test_the_odds_command_defines_the_figures_that_it_shows(words: tuple[str, ...]) -> None:
    page = read_page(*words)
    for sentence in definition_sentences(
        "Unit", "House edge", "Element of risk", "Standard deviation", "Hit frequency"
    ):
        assert sentence in page


def test_the_simulate_command_defines_the_figures_that_it_shows() -> None:
    page = read_page("simulate", "dueling-for-dollars", "--rounds", "1000", "--seed", "1")
    for sentence in definition_sentences("Unit", "Return", "Hit frequency"):
        assert sentence in page
    assert PLUS_MINUS.rstrip(".") in page


def test_the_units_before_the_deal_agree_with_the_notes() -> None:
    page = read_page("odds", "three-card-double-play", "--wager", "high-low", "--paytable", "LWB3")
    assert "units a round; 2 units are down before the deal" in page
    assert "High and Low are one unit each, so two units are wagered before the deal" in page
    assert "figures are for one of them" not in page


@pytest.mark.parametrize("slug", ["deuces-wild", "three-card-prime", "texas-shootout", "dueling-for-dollars"])
def test_a_rule_sheet_is_named_by_title_and_date_and_not_by_file(slug: str) -> None:
    title = game(slug).facts.sheet_title
    assert title.startswith(game(slug).facts.name)
    for words in (("games",), ("paytables", slug)):
        page = read_page(*words)
        assert title in page
        assert ".txt" not in page


def test_each_of_the_five_games_has_the_title_of_its_rule_sheet() -> None:
    assert all("Rules of Play" in game(slug).facts.sheet_title for slug in game_slugs()[:5])
