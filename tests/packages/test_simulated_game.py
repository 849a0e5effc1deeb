"""A package's game that is simulated: every page, sheet and document says so, and calls nothing best or exact."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.packages.test_book_of_games import run
from tests.packages.three_to_win import SLUG, install, with_side_wager
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
    "simulate royal": ["simulate", SLUG, "--rounds", "20000", "--seed", "5"],
    "simulate royal json": ["simulate", SLUG, "--rounds", "20000", "--seed", "5", "--json"],
    "par html": ["par", SLUG, "-o", "sheet.html"],
    "par pdf": ["par", SLUG, "-o", "sheet.pdf"],
}

RUN = """
import io, json, os, sys
from contextlib import redirect_stdout
from cardroom.cli import main

os.chdir(sys.argv[1])
outputs = {}
for name, arguments in json.loads(sys.argv[2]).items():
    sys.argv[1:] = arguments
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    try:
        with redirect_stdout(out):
            main()
    except SystemExit as end:
        assert not end.code, (name, end.code)
    out.flush()
    outputs[name] = out.buffer.getvalue().decode()
print(json.dumps(outputs))
"""

LAB = """
import asyncio, json
from datetime import date
import orjson
from cardroom.games import default_setup, game
from cardroom.games.setup import setup_to_json
from cardroom.web.pages.templating import render_fragment
from cardroom.web.pages.lab.games import strategy_text, wager_overview
from cardroom.web.pages.lab.wagers import parse_query, render_figures
from cardroom.web.services.jobs import JobResult
from cardroom.web.services.worker_computations import print_par_sheet
from cardroom.web.services.worker_computations import price_overview, price_paytable, price_strategy
from cardroom.web.services.workers import WorkerPool

SLUG = "three-to-win"


async def ask():
    workers = WorkerPool(1, max_waiting=8, timeout=300.0, nice=0)  # cannot fail: only a failing test reaches the limit
    try:
        setup = orjson.dumps(setup_to_json(default_setup(SLUG))).decode()
        wagers = [wager_overview(SLUG, "ante", JobResult(await workers.run(price_overview, SLUG, "ante")), None)]
        remembered = strategy_text(JobResult(await workers.run(price_strategy, SLUG, "ante")))
        shown = {"wagers": wagers, "strategy": remembered, "facts": game(SLUG).facts}
        asked = parse_query(SLUG, "ante", {})
        sheet = await workers.run(print_par_sheet, setup, ".html", date(2026, 11, 18))
        print(json.dumps({
            "overview": render_fragment("lab/overview.html", looking=False, **shown),
            "wager": render_figures(asked, await workers.run(price_paytable, asked.changed), None),
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
def outputs(site: Path) -> dict[str, str]:
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


def test_its_odds_say_the_method_the_error_the_rounds_and_the_policy(outputs: dict[str, str]) -> None:
    entry = one(outputs["odds json"])
    assert (entry["method"], entry["rounds"], entry["policy"]) == ("simulated", 2_000, POLICY)
    assert entry["standard_error"] > 0
    text = flat(outputs["odds"])
    assert "Simulated over 2,000 rounds, standard error 0." in text
    assert f"units, under {POLICY}." in text
    assert "best play" not in text


UNHIT = (
    "No simulated round won spade royal (3,000 to 1): the standard error does not cover it. It can add up to "
    "4.500000 units to the return (95% bound: 3 in 2,000 rounds)."
)


def test_a_prize_that_no_simulated_round_won_is_named_with_what_it_can_add_at_most(
    outputs: dict[str, str], lab: dict[str, str], site: Path
) -> None:
    """One spade royal in 22,100 hands is in none of 2,000 rounds, and is worth more than the standard error."""
    entry = one(outputs["odds json"])
    assert entry["unhit_lines"] == [{"event": "spade-royal", "pays": "3,000 to 1", "return_at_most": 4.5}]
    assert entry["unhit_return_at_most"] == 4.5
    assert sum(line["combinations"] for line in entry["outcomes"]) == 2_000
    assert UNHIT in flat(outputs["odds"])
    assert flat((site / "sheet.html").read_text("utf-8")).count(UNHIT) == 2, "beside the figure, and in the method"
    assert UNHIT in flat(lab["overview"])
    assert UNHIT.rstrip(".") in flat(lab["wager"])
    assert "not in 2,000 rounds" in lab["wager"]
    assert "never" not in lab["wager"]


def test_a_simulation_that_wins_what_its_price_never_saw_goes_on_and_compares_the_rest(outputs: dict[str, str]) -> None:
    entry = one(outputs["simulate royal json"])
    royal = next(line for line in entry["lines"] if line["event"] == "spade-royal")
    assert (royal["net"], royal["exact"], royal["count"]) == (3_000, 0, entry["unpriced_rounds"])
    assert royal["count"] > 0
    assert sum(line["count"] for line in entry["lines"]) == entry["rounds"] == 20_000
    assert entry["unhit_lines"] == []
    assert abs(entry["z"]) < 4, "the rounds that the price knows agree with it"
    assert f"{royal['count']} round of this simulation did win: z compares the others." in flat(
        outputs["simulate royal"]
    )


def test_its_strategy_is_compared_with_the_policy_and_not_with_the_best_play(outputs: dict[str, str]) -> None:
    assert one(outputs["strategy json"])["policy"] == POLICY
    assert f"{POLICY}, has" in flat(outputs["strategy"])
    assert "best play" not in flat(outputs["strategy"])


def test_its_simulation_names_the_policy_and_calls_its_price_no_exact_one(outputs: dict[str, str]) -> None:
    entry = one(outputs["simulate json"])
    assert (entry["method"], entry["policy"], entry["exact_method"]) == ("simulated", POLICY, "simulated")
    text = flat(outputs["simulate"])
    assert POLICY in text
    assert "best play" not in text


def test_its_par_sheet_is_stamped_on_every_page_and_has_no_place_to_sign(outputs: dict[str, str], site: Path) -> None:
    page = (site / "sheet.html").read_text("utf-8")
    assert f'<p class="stamp">{STAMP}</p>' in page
    assert "has no signature lines" in page
    assert 'class="signature"' not in page
    assert "position: fixed" in page
    pdf = (site / "sheet.pdf").read_bytes()
    pages = pdf.count(b"/Type/Page/")
    assert pages > 3
    assert sum(STAMP in piece for piece in pieces(pdf)) >= pages


def test_its_par_sheet_calls_nothing_best_or_exact_that_is_not(outputs: dict[str, str], site: Path) -> None:
    text = flat((site / "sheet.html").read_text("utf-8"))
    for untrue in ("best play", "confirm the figures", "top awards are exact", "the house loses at most"):
        assert untrue not in text, untrue
    assert f"simulated figures under {POLICY}" in text
    assert f"decided by {POLICY}" in text


def test_its_top_award_is_the_paytables_highest_line(outputs: dict[str, str], site: Path) -> None:
    text = flat((site / "sheet.html").read_text("utf-8"))
    _, _, section = text.partition("Top awards</h2>")
    row = section.partition("</tbody>")[0]
    assert "+3000" in row.replace(",", "")
    assert "$600,000" in row
    assert "paytable" in row


SIDE_FIRST = """
from dataclasses import replace
from cardroom.games import default_setup
from cardroom.games.setup import setup_to_toml

setup = default_setup("three-to-win")
first = {slug: setup.wagers[slug] for slug in ("red", "ante")}
print(setup_to_toml(replace(setup, wagers=first)))
"""


def test_an_exact_side_wager_listed_first_does_not_make_its_policy_the_best_play(tmp_path: Path) -> None:
    install(tmp_path, *with_side_wager())
    made = run(tmp_path, "-c", SIDE_FIRST)
    assert made.returncode == 0, made.stderr
    setup = tmp_path / "side-first.toml"
    setup.write_text(made.stdout, "utf-8")
    dealt = ["simulate", "--table", str(setup), "--seed", "5", "--threads", "1"]
    sessions = [*dealt, "--sessions", "10", "--bankroll", "100", "--bets", "ante=10", "--rounds-per-session", "5"]
    commands = {
        "rounds": [*dealt, "--rounds", "200"],
        "rounds json": [*dealt, "--rounds", "200", "--json"],
        "sessions": sessions,
        "sessions json": [*sessions, "--json"],
        "par": ["par", "--table", str(setup), "--confirm", "200", "-o", "sheet.html"],
    }
    done = run(tmp_path, "-c", RUN, str(tmp_path), json.dumps(commands))
    assert done.returncode == 0, done.stderr
    outputs: dict[str, str] = json.loads(done.stdout)
    wagers = json.loads(outputs["rounds json"])
    assert [(one["wager"], one["exact_method"]) for one in wagers] == [("red", "exact"), ("ante", "simulated")]
    sheet = flat((tmp_path / "sheet.html").read_text("utf-8"))
    found = {
        "rounds": POLICY in flat(outputs["rounds"]) and "best play" not in flat(outputs["rounds"]),
        "sessions": POLICY in flat(outputs["sessions"]) and "best play" not in flat(outputs["sessions"]),
        "sessions json": one(outputs["sessions json"]).get("policy") == POLICY,
        "sheet": f"decided by {POLICY}" in sheet,
    }
    assert all(found.values()), found


def test_the_labs_workers_count_it_with_an_empty_cache(lab: dict[str, str]) -> None:
    for page in ("overview", "wager"):
        text = flat(lab[page])
        assert POLICY in text
        assert "imulated over 2,000 rounds" in text
        assert "best play" not in text
    assert "asks the player nothing" not in lab["overview"]
    assert STAMP in lab["sheet"]
