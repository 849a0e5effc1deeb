"""A package's game that is simulated: every page, sheet and document says so, and calls nothing best or exact."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.packages.test_book_of_games import run
from tests.packages.three_to_win import SLUG, install
from tests.reports.pdf_text import pieces

POLICY = "a policy found by simulation, not proved best"
STAMP = "Simulated figures: not for approval"

COMMANDS = {
    "odds": ["odds", SLUG],
    "odds json": ["odds", SLUG, "--json"],
    "strategy": ["strategy", SLUG],
    "strategy json": ["strategy", SLUG, "--json"],
    "simulate": ["simulate", SLUG, "--rounds", "200", "--seed", "5", "--threads", "1"],
    "simulate json": ["simulate", SLUG, "--rounds", "200", "--seed", "5", "--threads", "1", "--json"],
    "par html": ["par", SLUG, "-o", "sheet.html"],
    "par pdf": ["par", SLUG, "-o", "sheet.pdf"],
}

RUN = """
import io, json, os, sys
from contextlib import redirect_stdout
from cardroom.cli import main

os.chdir(sys.argv[1])
told = {}
for name, arguments in json.loads(sys.argv[2]).items():
    sys.argv[1:] = arguments
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    try:
        with redirect_stdout(out):
            main()
    except SystemExit as end:
        assert not end.code, (name, end.code)
    out.flush()
    told[name] = out.buffer.getvalue().decode()
print(json.dumps(told))
"""

LAB = """
import asyncio, json
from datetime import date
import orjson
from cardroom.games import default_setup, game
from cardroom.games.setup import setup_entry
from cardroom.web.pages.drawing import fragment
from cardroom.web.pages.lab.games import told_strategy, wager_overview
from cardroom.web.pages.lab.wager import asked_for, drawn_figures
from cardroom.web.room.counting import Counted
from cardroom.web.room.paper_thoughts import par_sheet_of
from cardroom.web.room.pricing_thoughts import overview, priced, strategy
from cardroom.web.room.workers import Workers

SLUG = "three-to-win"


async def ask():
    workers = Workers(1, waiting=8, patience=300.0, nice=0)
    try:
        setup = orjson.dumps(setup_entry(default_setup(SLUG))).decode()
        wagers = [wager_overview(SLUG, "ante", Counted(await workers.ask(overview, SLUG, "ante")), None)]
        remembered = told_strategy(Counted(await workers.ask(strategy, SLUG, "ante")))
        shown = {"wagers": wagers, "strategy": remembered, "facts": game(SLUG).facts}
        asked = asked_for(SLUG, "ante", {})
        sheet = await workers.ask(par_sheet_of, setup, ".html", date(2026, 11, 18))
        print(json.dumps({
            "overview": fragment("lab/overview.html", looking=False, **shown),
            "wager": drawn_figures(asked, await workers.ask(priced, asked.changed), None),
            "sheet": sheet.decode(),
        }))
    finally:
        await workers.end()


if __name__ == "__main__":
    asyncio.run(ask())
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    install(folder)
    return folder


@pytest.fixture(scope="module")
def told(site: Path) -> dict[str, str]:
    """What the commands print, and the sheets they make."""
    done = run(site, "-c", RUN, str(site), json.dumps(COMMANDS))
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the lab's workers find of a package that nothing is remembered of, and the pages that are made of it."""
    site = tmp_path_factory.mktemp("lab")
    install(site)
    script = site / "ask.py"
    script.write_text(LAB)
    done = run(site, str(script))
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


def one(document: str) -> dict[str, Any]:
    found = json.loads(document)
    entry: dict[str, Any] = found[0] if isinstance(found, list) else found
    return entry


def flat(text: str) -> str:
    return " ".join(text.split())


def test_its_odds_say_the_method_the_error_the_rounds_and_the_policy(told: dict[str, str]) -> None:
    entry = one(told["odds json"])
    assert (entry["method"], entry["rounds"], entry["policy"]) == ("simulated", 2_000, POLICY)
    assert entry["standard_error"] > 0
    text = flat(told["odds"])
    assert "Simulated over 2,000 rounds, standard error 0." in text
    assert f"units, under {POLICY}." in text
    assert "best play" not in text


def test_its_strategy_is_compared_with_the_policy_and_not_with_the_best_play(told: dict[str, str]) -> None:
    assert one(told["strategy json"])["policy"] == POLICY
    assert f"{POLICY}, has" in flat(told["strategy"])
    assert "best play" not in flat(told["strategy"])


def test_its_simulation_names_the_policy_and_calls_its_price_no_exact_one(told: dict[str, str]) -> None:
    entry = one(told["simulate json"])
    assert (entry["method"], entry["policy"], entry["exact_method"]) == ("simulated", POLICY, "simulated")
    text = flat(told["simulate"])
    assert POLICY in text
    assert "best play" not in text


def test_its_par_sheet_is_stamped_on_every_page_and_has_no_place_to_sign(told: dict[str, str], site: Path) -> None:
    page = (site / "sheet.html").read_text("utf-8")
    assert f'<p class="stamp">{STAMP}</p>' in page
    assert "has no place to sign" in page
    assert 'class="signature"' not in page
    assert "position: fixed" in page
    pdf = (site / "sheet.pdf").read_bytes()
    pages = pdf.count(b"/Type/Page/")
    assert pages > 3
    assert sum(STAMP in piece for piece in pieces(pdf)) >= pages


def test_its_par_sheet_calls_nothing_best_or_exact_that_is_not(told: dict[str, str], site: Path) -> None:
    text = flat((site / "sheet.html").read_text("utf-8"))
    for untrue in ("best play", "confirm the figures", "top awards are exact", "the house loses at most"):
        assert untrue not in text, untrue
    assert f"simulated ones under {POLICY}" in text
    assert f"each decision by {POLICY}" in text


def test_its_top_award_is_the_paytables_highest_line(told: dict[str, str], site: Path) -> None:
    text = flat((site / "sheet.html").read_text("utf-8"))
    _, _, section = text.partition("Top awards</h2>")
    row = section.partition("</tbody>")[0]
    assert "+3000" in row.replace(",", "")
    assert "$600,000" in row
    assert "paytable" in row


def test_the_labs_workers_count_it_with_an_empty_cache(lab: dict[str, str]) -> None:
    for page in ("overview", "wager"):
        text = flat(lab[page])
        assert POLICY in text
        assert "imulated over 2,000 rounds" in text
        assert "best play" not in text
    assert "asks the player nothing" not in lab["overview"]
    assert STAMP in lab["sheet"]
