"""After it is installed, every command knows Red Dog."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardroom.odds.generic.simulator import BLOCK_ROUNDS
from tests.red_dog.installed import EXAMPLE, Installed
from tests.reports.pdf_text import pieces

PUBLISHED = {1: 0.03155, 2: 0.03077, 4: 0.02884, 6: 0.02798, 8: 0.02751}
TWO_BLOCKS = BLOCK_ROUNDS + 200
"""Rounds of which two processes get some each."""


def test_it_stands_behind_the_games_of_the_house(red_dog: Installed) -> None:
    games = json.loads(red_dog.cardroom("cardroom games --json"))
    assert [one["slug"] for one in games][-1] == "red-dog"
    assert "Red Dog" in red_dog.cardroom("cardroom games")


def test_its_table_is_printed(red_dog: Installed) -> None:
    (table,) = json.loads(red_dog.cardroom("cardroom paytables red-dog --json"))
    assert [line["pays"] for line in table["lines"]] == ["11 to 1", "5 to 1", "4 to 1", "2 to 1", "1 to 1"]


def test_its_edge_is_exact_and_the_published_one_with_every_shoe(red_dog: Installed) -> None:
    found = json.loads(red_dog.cardroom("cardroom odds red-dog --all --json"))
    assert {one["options"]["decks"]: round(one["house_edge"], 5) for one in found} == PUBLISHED
    assert {one["method"] for one in found} == {"exact"}


@pytest.mark.parametrize("decks", PUBLISHED)
def test_one_shoe_can_be_asked_about(red_dog: Installed, decks: int) -> None:
    (found,) = json.loads(red_dog.cardroom(f"cardroom odds red-dog --decks {decks} --json"))
    assert round(found["house_edge"], 5) == PUBLISHED[decks]


def test_a_chart_of_its_outcomes_is_drawn(red_dog: Installed, tmp_path: Path) -> None:
    red_dog.cardroom(f"cardroom odds red-dog --chart {tmp_path}/edges.svg")
    assert "<svg" in (tmp_path / "edges.svg").read_text("utf-8")


def test_the_best_play_raises_with_a_spread_of_seven_or_more(red_dog: Installed) -> None:
    output = json.loads(red_dog.cardroom("cardroom strategy red-dog --json"))
    assert output["rules"] == [
        "raise with two and ten or higher",
        "raise with three and jack or higher",
        "raise with four and queen or higher",
        "raise with five and king or higher",
        "raise with six and ace",
        "otherwise stand",
    ]
    assert output["cost"] == 0


def test_its_strategy_is_printed_for_the_pocket(red_dog: Installed, tmp_path: Path) -> None:
    file = tmp_path / "red-dog.pdf"
    red_dog.cardroom(f"cardroom strategy red-dog --card -o {file}")
    output = "".join(pieces(file.read_bytes()))
    assert output.startswith("Red Dog")
    assert "Raise with two and ten or higher." in output
    assert "Otherwise stand." in output


def test_a_hand_is_valued(red_dog: Installed) -> None:
    # With six decks eight ranks of 24 cards lie between, among the 310 cards that are left.
    output = json.loads(red_dog.cardroom('cardroom strategy red-dog --hand "2c Jd" --json'))
    values = {one["decision"]: one["value"] for one in output["decisions"]}
    assert values == pytest.approx({"raise": 2 * (2 * 192 / 310 - 1), "stand": 2 * 192 / 310 - 1})


@pytest.mark.parametrize("hand", ["2c", "2c 3d", "2c Jd 5h"])
def test_a_hand_that_is_asked_nothing_gets_a_sentence(red_dog: Installed, hand: str) -> None:
    done = red_dog.run("-c", "from cardroom.cli import main; main()", "strategy", "red-dog", "--hand", hand)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_simulated_rounds_stand_beside_the_exact_ones_on_any_number_of_processes(red_dog: Installed) -> None:
    typed = f"cardroom simulate red-dog --rounds {TWO_BLOCKS} --seed 7 --json"
    one, two = (json.loads(red_dog.cardroom(f"{typed} --threads {threads}")) for threads in (1, 2))
    assert one == two
    assert abs(one[0]["z"]) < 4
    assert sum(line["count"] for line in one[0]["lines"]) == TWO_BLOCKS


def test_a_strategy_of_ones_own_is_played(red_dog: Installed, tmp_path: Path) -> None:
    file = tmp_path / "bold.py"
    file.write_text("def decide(view):\n    return 'raise'\n")
    (found,) = json.loads(red_dog.cardroom(f"cardroom simulate red-dog --rounds 500 --seed 1 --strategy {file} --json"))
    assert found["average_wager"] > 1.5


def test_sessions_and_convergence_are_simulated(red_dog: Installed, tmp_path: Path) -> None:
    red_dog.cardroom("cardroom simulate red-dog --sessions 5 --bankroll 200 --hours 1 --seed 1")
    red_dog.cardroom(f"cardroom simulate red-dog --rounds 1500 --strategy simple --seed 1 --chart {tmp_path}/c.svg")
    assert "<svg" in (tmp_path / "c.svg").read_text("utf-8")


@pytest.mark.long
def test_its_par_sheet_holds(red_dog: Installed, tmp_path: Path) -> None:
    red_dog.cardroom(f"cardroom par red-dog -o {tmp_path}/sheet.html --date 2026-03-02 --confirm 3000")
    assert "raise with two and ten or higher" in (tmp_path / "sheet.html").read_text("utf-8")
    assert "holds" in red_dog.cardroom(f"cardroom par --check {tmp_path}/sheet.html")


def test_its_example_is_settled(red_dog: Installed) -> None:
    example = red_dog.cardroom("cardroom settle --example red-dog")
    settled = json.loads(red_dog.cardroom("cardroom settle - --json", given=example))
    assert settled["payments"]


def test_it_is_played_without_a_terminal(red_dog: Installed) -> None:
    shown = red_dog.cardroom("cardroom play red-dog --seed 3")
    assert "Red Dog" in shown
    assert "This round" in shown


def test_the_conformance_kit_runs_on_it_as_it_is(red_dog: Installed) -> None:
    done = red_dog.run(
        "-m", "pytest", "--pyargs", "cardroom_conformance", "-k", "red-dog", "-p", "no:cacheprovider", "-p", "no:xdist"
    )
    assert done.returncode == 0, done.stdout
    assert "skipped" not in done.stdout


def test_its_own_tests_pass(red_dog: Installed) -> None:
    done = red_dog.run("-m", "pytest", str(EXAMPLE / "tests"), "-p", "no:cacheprovider", "-p", "no:xdist")
    assert done.returncode == 0, done.stdout


@pytest.mark.long
def test_a_strategy_in_python_is_played_in_a_process_for_each_core_and_comes_out_the_same(
    red_dog: Installed, tmp_path: Path
) -> None:
    file = tmp_path / "bold.py"
    file.write_text("def decide(view):\n    return 'raise'\n")
    command = f"cardroom simulate red-dog --rounds {TWO_BLOCKS} --seed 3 --strategy {file} --json --threads"
    one, two = (red_dog.cardroom(f"{command} {threads}") for threads in (1, 2))
    assert one == two
    assert sum(line["count"] for line in json.loads(one)[0]["lines"]) == TWO_BLOCKS
    many = tmp_path / "many.py"
    many.write_text("def decide_all(observations, masks): ...\n")
    refused = red_dog.run(
        "-c", "from cardroom.cli import main; main()", "simulate", "red-dog", "--rounds", "9", "--strategy", str(many)
    )
    assert (refused.returncode, "write decide(view) instead" in refused.stderr) == (2, True)
