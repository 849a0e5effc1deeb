"""A payout limit on the command line: odds and PAR have it, opening a table warns, the terminal says it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from cardroom.cli.app import app
from cardroom.games import default_setup, game
from cardroom.games.setup import setup_to_toml
from cardroom.ledger import open_ledger
from cardroom.reports.documents.html import render_html
from cardroom.reports.par import par_sheet
from cardroom.reports.par.confirmation_run import ConfirmationRequest
from cardroom.reports.par.pages import sheet_document
from cardroom.reports.par.top_awards import compute_award
from cardroom.service import CardRoom
from cardroom.terminal.client.help import house_rules
from cardroom.web.services.practice_tables import default_practice_setup
from tests.cli.card_room import CliRoom
from tests.reports.sheets import PREPARED
from tests.reports.test_par import text_of
from tests.service.live_scenes import steps
from tests.service.table_scenes import an_id
from tests.service.test_live_payout_limit import FIRST, LOSER, SECOND, TABLE, at_take_or_pay, type_seat

LIMITED = replace(default_setup("deuces-wild"), payout_limit=20_000_00)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "limited.toml"
    path.write_text(setup_to_toml(LIMITED))
    return str(path)


def test_the_odds_of_a_table_have_its_limit_and_say_for_whom(file: str) -> None:
    result = CliRunner().invoke(app, ["odds", "--table", file, "--wager", "five-card-fortune"], env={"COLUMNS": "200"})
    text = " ".join(result.stdout.split())
    assert "these figures include the payout limit of $20,000 a deal, for one player with $1;" in text
    assert "with the largest wager, $100, the expected return is" in text
    assert "More winners in one deal share the limit." in text
    result = CliRunner().invoke(app, ["odds", "--table", file, "--json"])
    found = {entry["wager"]: entry.get("payout_limit") for entry in json.loads(result.stdout)}
    assert found["three-card-treasure"] is None
    assert found["bonus-jackpot"] is None
    assert found["five-card-fortune"]["cents"] == 20_000_00


def test_simulated_rounds_leave_the_limit_out_and_say_so(file: str) -> None:
    result = CliRunner().invoke(app, ["simulate", "--table", file, "--rounds", "100", "--seed", "1", "--json"])
    found = {entry["wager"]: entry.get("excludes") for entry in json.loads(result.stdout)}
    assert found["five-card-fortune"] == ["the payout limit of $20,000 a deal"]
    assert found["three-card-treasure"] is None


def test_a_par_sheet_has_the_limit_in_figures_and_top_awards() -> None:
    wagers = {slug: LIMITED.wagers[slug] for slug in ("ante-play-raise", "five-card-fortune")}
    sheet = par_sheet(replace(LIMITED, wagers=wagers), PREPARED, confirm=ConfirmationRequest(0))
    assert [compute_award(figures).cents for figures in sheet.wagers] == [20_000_00, 20_000_00]
    text = text_of(render_html(sheet_document(sheet)))
    assert "The table pays at most $20,000 a deal on wagers that pay 50 to 1 or more" in text
    assert "with more winners in one deal, each gets less" in text
    assert "WAC 230-15-490" in text
    assert "has no limit on what a round pays" not in text


def test_opening_a_table_warns_on_standard_error_and_opens_it(cli_room: CliRoom, tmp_path: Path) -> None:
    path = tmp_path / "texas.toml"
    path.write_text(setup_to_toml(default_practice_setup("texas-shootout"), {"table": "texas-1"}))
    payload = cli_room.run("table", "add", str(path), "--json")
    assert payload.exit_code == 0, payload.output
    assert json.loads(payload.stdout)["table"] == "texas-1"
    assert "Warning: One player can win $1,000,000 in one deal (Shootout Bonus" in payload.stderr
    assert "keep the second highest, $100,000, in the bank or in a line of credit" in payload.stderr


def test_the_terminal_table_says_the_limit() -> None:
    console = Console(width=200)
    with console.capture() as shown:
        console.print(house_rules(game("deuces-wild").open(LIMITED), {}))
    assert "The table pays at most $20,000 a deal" in shown.get()


def test_a_live_round_names_the_limit_beside_what_it_reduced(cli_room: CliRoom) -> None:
    with open_ledger(cli_room.database) as ledger:
        card_room = CardRoom(ledger)
        round_id = at_take_or_pay(card_room)
        type_seat(card_room, 1, FIRST)
        shown = " ".join(cli_room.read_output("table", "show", TABLE).split())
        assert "up to $5,000" in shown
        assert "The payment of seat 1 is not final, because positions 2 and 3 could share" in shown
        type_seat(card_room, 2, SECOND)
        type_seat(card_room, 3, LOSER)
        steps(card_room, "take-or-pay", "collect", table=TABLE)
        card_room.end_live_round(an_id(), "Kim", TABLE)
    page = cli_room.run("rounds", "show", round_id, COLUMNS="200").stdout
    (line,) = [line for line in page.splitlines() if "pair-bonus  mini-royal" in line]
    assert "$2,877.78" in line
    assert "reduced from $10,100 by the table's payout limit of $5,000 a deal" in line
    assert page.count("reduced from") == 2, "of the others nothing was taken"
    shown_then = cli_room.read_json("rounds", "show", round_id)["shown"]
    before = {one["seat"]: one["before_limit"] for one in shown_then if "before_limit" in one}
    assert before == {1: 101_00 * 100, 2: 81_00 * 100}
