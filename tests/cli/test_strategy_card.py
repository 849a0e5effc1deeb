"""`cardroom strategy --card`: what is printed, and what is refused before anything is computed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cardroom.cli import odds_documents as strategy_card
from cardroom.cli.app import app
from cardroom.games import game_slugs
from cardroom.reports.strategy_cards import StrategyCard
from tests.reports.pdf_text import pieces


def run(*words: str) -> Result:
    result = CliRunner().invoke(app, ["strategy", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.stderr
    return result


def test_a_card_is_printed_and_shown(tmp_path: Path) -> None:
    file = tmp_path / "prime.pdf"
    done = run("three-card-prime", "--card", "-o", str(file))
    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"{file}: 1 card of 3 by 5 inches, four to a page, with marks to cut along.",
        "  Three Card Prime, Ante and Play. Costs 0.0000295% of a unit against the best play.",
    ]
    assert "Play Q-6-4 or better." in pieces(file.read_bytes())


def test_a_wager_a_table_and_options_name_one_card(tmp_path: Path) -> None:
    file = tmp_path / "fortune.pdf"
    done = run("deuces-wild", "--card", "--wager", "five-card-fortune", "--paytable", "B", "-o", str(file), "--json")
    assert done.exit_code == 0, done.stderr
    output = json.loads(done.stdout)
    assert output["path"] == str(file)
    assert [(one["game"], one["wager"]) for one in output["cards"]] == [("deuces-wild", "Five Card Fortune")]
    assert "Paytable B" in pieces(file.read_bytes())
    done = run("dueling-for-dollars", "--card", "--decks", "8", "-o", str(file))
    assert done.exit_code == 0, done.stderr
    assert "8 decks, no tie after tie bonus" in pieces(file.read_bytes())


def test_without_a_name_the_file_is_named_after_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("dueling-for-dollars", "--card").exit_code == 0
    assert [one.name for one in tmp_path.iterdir()] == ["dueling-for-dollars-strategy.pdf"]


def test_without_a_game_all_games_are_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cards are quick ones here."""

    def quick(slug: str, _: object) -> tuple[StrategyCard, ...]:
        return (
            StrategyCard(slug, slug, "Ante", "", (f"Play {slug}.",), "Costs nothing", "", "House edge 1%", "A unit"),
        )

    monkeypatch.setattr(strategy_card, "strategy_cards", quick)
    monkeypatch.chdir(tmp_path)
    done = run("--card", "--json")
    assert done.exit_code == 0, done.stderr
    assert [one["game"] for one in json.loads(done.stdout)["cards"]] == list(game_slugs())
    output = " ".join(pieces((tmp_path / "strategies.pdf").read_bytes()))
    assert all(slug in output for slug in game_slugs())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("three-card-prime", "-o", "x.pdf"), "-o names the file of a card: add --card"),
        (("three-card-prime", "--card", "--hand", "Qh 6d 4c"), "leave out --hand or --card"),
        ((), "Name a game, such as three-card-prime"),
        (("--card", "--decks", "6"), "Name a game, such as three-card-prime"),
        (("--card", "--option", "ties=push"), "Name a game, such as three-card-prime"),
        (("three-card-prime", "--card", "-o", "card.png"), "'card.png' must end with .pdf"),
        (("three-card-prime", "--card", "--wager", "prime"), "The prime wager needs no decision"),
        (("no-such-game", "--card"), "There is no game 'no-such-game'"),
        (("three-card-prime", "--card", "--decks", "6"), ""),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(
    words: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = run(*words)
    assert refused.exit_code == 2
    assert sentence in " ".join(refused.stderr.split())
    assert refused.stdout == ""
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_is_shown_before_anything_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strategy_card, "write_strategy_cards", None)  # the user who computes now fails
    refused = run("texas-shootout", "--card", "-o", str(tmp_path / "nowhere" / "card.pdf"))
    assert refused.exit_code == 2
    assert refused.stderr.startswith(f"There is no folder {tmp_path / 'nowhere'}")
