"""The command `simulate`: text for people, JSON for programs, refusals of bad input, and results after Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cardroom.cli.app import app
from cardroom.odds.simulation.runner import BLOCK_ROUNDS
from tests.cli.interruption import interrupt_command
from tests.deadline import LIMIT
from tests.odds.simulation.test_cluster import Cluster

CARDROOM = [sys.executable, "-c", "from cardroom.cli.app import main; main()"]
DUELS = ("dueling-for-dollars", "--seed", "7")
SESSIONS = (*DUELS, "--sessions", "200", "--bankroll", "100")
METER = (*DUELS, "--progressive", "two-plus-two", "--seed-money", "1000", "--contribution", "25%", "--runs", "50")


def run_simulate(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["simulate", *words], env={"COLUMNS": "80"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


def simulate(*words: str) -> str:
    code, out, err = run_simulate(*words)
    assert (code, err) == (0, ""), (code, err)
    return out


def simulate_as_json(*words: str) -> Any:
    return json.loads(simulate(*words, "--json"))


def read_refusal(*words: str) -> str:
    """Run a simulation that is refused, and return the sentence on standard error."""
    code, out, err = run_simulate(*words)
    assert code == 2, err
    assert out == ""
    assert "Traceback" not in err
    return err.strip()


def test_help_has_examples_of_all_three_simulations() -> None:
    _, _, examples = simulate("--help").partition("Examples")
    assert all(
        f"{flag} " in examples for flag in ("--rounds", "--sessions", "--progressive", "--cluster", "--strategy")
    )


# Rounds


def test_each_simulated_wager_also_shows_its_exact_figures() -> None:
    entries = simulate_as_json(*DUELS, "--rounds", "100_000")
    assert [entry["wager"] for entry in entries] == ["duel", "tie-plus", "combo", "tie-after-tie", "two-plus-two"]
    for entry in entries:
        assert (entry["method"], entry["rounds"], entry["rounds_asked"]) == ("simulated", 100_000, 100_000)
        assert (entry["seed"], entry["strategy"], entry["interrupted"]) == (7, "best", False)
        assert entry["options"].get("decks") == 6
        assert entry["exact_method"] == "exact"
        assert abs(entry["z"]) < 4
        assert abs(entry["expected_return"]["value"] - entry["exact_return"]) < 5 * entry["standard_error"]
        assert abs(entry["hit_frequency"] - entry["exact_hit_frequency"]) < 0.01
        assert sum(line["count"] for line in entry["lines"]) == 100_000


def test_people_get_a_table_and_for_a_single_wager_every_outcome() -> None:
    text = simulate(*DUELS, "--rounds", "100k")
    assert "100,000 rounds" in text
    assert "seed 7" in text
    assert all(slug in text for slug in ("duel", "tie-plus", "two-plus-two", "PT-FLT-DFD-TP-01"))
    assert "depends on the meter" in " ".join(text.split())
    assert "…" not in text
    alone = simulate(*DUELS, "--rounds", "100k", "--wager", "duel")
    assert "war loss" in alone
    assert "tie-plus" not in alone


def test_the_same_seed_gives_the_same_document_on_any_number_of_threads() -> None:
    words = ("dueling-for-dollars", "--rounds", str(3 * BLOCK_ROUNDS + 5), "--json", "--seed")
    documents = [simulate(*words, "7", "--threads", threads) for threads in ("1", "2", "3")]
    assert documents[0] == documents[1] == documents[2]
    assert simulate(*words, "8") != documents[0]


def test_a_run_without_a_seed_shows_the_seed_that_repeats_it() -> None:
    first, other = (simulate_as_json("dueling-for-dollars", "--rounds", "1000") for _ in range(2))
    assert first[0]["seed"] != other[0]["seed"]
    assert simulate_as_json("dueling-for-dollars", "--rounds", "1000", "--seed", str(first[0]["seed"])) == first


@pytest.mark.parametrize("rounds", ["2,000", "0.002M"])
def test_the_number_of_rounds_may_be_abbreviated(rounds: str) -> None:
    assert simulate(*DUELS, "--rounds", rounds) == simulate(*DUELS, "--rounds", "2000")


def test_an_operators_table_is_simulated_without_the_name_of_the_game(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('game = "dueling-for-dollars"\ndecks = 8\n[wagers.duel]\nlimits = { min = "$10", max = "$100" }\n')
    (duel,) = simulate_as_json("--table", str(file), "--rounds", "1000", "--seed", "1")
    assert (duel["wager"], duel["options"]["decks"]) == ("duel", 8)
    assert "The table file is for dueling-for-dollars" in read_refusal(
        "deuces-wild", "--table", str(file), "--rounds", "1000"
    )


def test_options_change_the_paytables_decks_and_rules_of_the_default_table() -> None:
    changes = ("--paytable", "tie-plus=PT-FLT-DFD-TP-02", "--decks", "8", "--option", "tie_after_tie_bonus=true")
    duel, tie_plus, *_ = simulate_as_json(*DUELS, "--rounds", "1000", *changes)
    assert duel["options"] == {"decks": 8, "tie_after_tie_bonus": True}
    assert tie_plus["paytable"] == "PT-FLT-DFD-TP-02"


ON_A_METER = (*DUELS, "--rounds", "1M", "--wager", "two-plus-two")


def test_the_meter_option_is_part_of_every_figure() -> None:
    (full,) = simulate_as_json(*ON_A_METER, "--meter", "10000")
    assert full["meter"] == 10_000
    nets = {line["event"]: line["net"] for line in full["lines"]}
    assert (nets["royal-flush"], nets["four-card-straight-flush"], nets["starting-pair"]) == (9_999, 999, 1)
    lines = full["lines"]
    assert all(line["count"] for line in lines)
    mean = sum(line["net"] * line["count"] for line in lines) / 1_000_000
    spread = sum(line["net"] ** 2 * line["count"] for line in lines) / 1_000_000 - mean**2
    assert full["expected_return"]["value"] == pytest.approx(mean)
    assert full["standard_error"] == pytest.approx((spread / 1_000_000) ** 0.5)
    assert full["exact_return"] == pytest.approx(sum(line["net"] * line["exact"] for line in lines))
    for line, outcome in zip(lines, full["outcomes"], strict=True):
        assert outcome["return"] == pytest.approx(line["net"] * line["frequency"])
    text = simulate(*ON_A_METER, "--meter", "10000")
    assert "meter $10,000" in text
    assert "+9999" in text
    assert "hangs on" not in text


def test_without_a_meter_the_table_marks_what_depends_on_it_and_json_counts_it_as_zero() -> None:
    (entry,) = simulate_as_json(*ON_A_METER)
    nets = {line["event"]: line["net"] for line in entry["lines"]}
    assert (nets["royal-flush"], nets["four-card-straight-flush"], nets["starting-pair"]) == (-1, -1, 1)
    assert entry["meter"] == 0
    assert abs(entry["expected_return"]["value"] - entry["exact_return"]) < 4 * entry["standard_error"]
    assert abs(entry["z"]) < 4
    text = simulate(*ON_A_METER)
    (top,) = (line.split() for line in text.splitlines() if line.startswith("royal flush"))
    assert top[:7] == ["royal", "flush", "100%", "of", "the", "meter", "meter"]
    assert "depends on the meter" in " ".join(text.split())


def test_rounds_that_won_no_meter_prize_still_depend_on_the_meter() -> None:
    (entry,) = simulate_as_json(*DUELS, "--rounds", "100", "--wager", "two-plus-two")
    assert {line["count"] for line in entry["lines"] if "meter" in line["pays"]} == {0}
    assert "depends on the meter" in " ".join(simulate(*DUELS, "--rounds", "100", "--wager", "two-plus-two").split())


def test_a_chart_without_a_meter_says_what_it_leaves_out(tmp_path: Path) -> None:
    words = (*DUELS, "--rounds", "100k", "--wager", "two-plus-two", "--chart", str(tmp_path / "chart.svg"))
    assert "2 + 2 Jackpot without the meter" in simulate(*words)
    assert "without the meter" not in simulate(*words, "--meter", "10000")


def test_the_basic_strategy_is_compared_with_its_own_exact_figure() -> None:
    words = ("three-card-double-play", "--seed", "7", "--rounds", "200k", "--wager", "high-low")
    (best,), (simple,) = simulate_as_json(*words), simulate_as_json(*words, "--strategy", "simple")
    assert (best["strategy"], simple["strategy"]) == ("best", "simple")
    assert best["exact_return"] - simple["exact_return"] == pytest.approx(0.002532, abs=1e-6)
    assert abs(simple["z"]) < 4
    assert "simple play" in simulate(*words, "--strategy", "simple")


def test_a_custom_strategy_is_compared_with_the_best_play(tmp_path: Path) -> None:
    file = tmp_path / "timid.py"
    file.write_text("def decide(view):\n    return 'surrender'\n")
    words = (*DUELS, "--rounds", "300", "--strategy", str(file))
    duel = simulate_as_json(*words)[0]
    assert duel["strategy"] == str(file)
    assert "z" not in duel
    assert duel["best_return"] == pytest.approx(-0.028771, abs=1e-6)
    assert {line["count"] for line in duel["lines"] if line["event"].startswith("war")} == {0}
    assert "best play" in simulate(*words)
    assert simulate_as_json(*words, "--threads", "2")[0] == duel
    assert "leave out --cluster and --chart" in read_refusal(*words, "--cluster", "tcp://127.0.0.1:1")
    file.write_text("def decide(view):\n    return 'surrender'\ndecide.every_time = True\n")
    assert simulate_as_json(*words)[0] == duel
    assert "runs on one thread" in read_refusal(*words, "--threads", "2")


# Sessions and progressives


def test_sessions_report_ruin_results_and_time_at_the_table() -> None:
    entry = simulate_as_json(*SESSIONS, "--bets", "player=10,tie-plus=5", "--hours", "2", "--target", "300")
    assert (entry["sessions"], entry["rounds_per_session"], entry["pace"]) == (200, 80, 40)
    assert entry["bets"] == {"player": 10_00, "tie-plus": 5_00}
    assert entry["most_in_a_round"] == 25_00
    assert 0 < entry["risk_of_ruin"]["value"] < 1
    assert 0 < entry["target_reached"]["value"] < 1
    assert entry["result"]["percentiles"]["1"] <= entry["result"]["percentiles"]["99"]
    assert entry["expected_a_round"] < 0
    assert abs(entry["result"]["z"]) < 4
    assert entry["rounds"]["mean"] <= 80
    assert entry["hours"]["mean"] == entry["rounds"]["mean"] / 40


def test_sessions_with_a_jackpot_count_its_meter() -> None:
    words = (*SESSIONS, "--bets", "player=10,two-plus-two=1")
    empty, full = (simulate_as_json(*words, "--meter", dollars) for dollars in ("0", "10000"))
    assert (empty["meter"], full["meter"]) == (0, 10_000_00)
    assert full["expected_a_round"] - empty["expected_a_round"] == pytest.approx(13.386, abs=0.001)


def test_sessions_for_people_say_what_ruin_means() -> None:
    text = simulate(*SESSIONS)
    assert "200 sessions of up to 160 rounds: $100, $10 player a round" in text
    assert "Ruined: less than $20 left" in text
    assert "…" not in text
    assert text == simulate(*SESSIONS, "--threads", "1")


def test_a_progressive_reports_simulated_and_exact_hits_cost_and_meter() -> None:
    entry = simulate_as_json(
        *METER, "--years", "2", "--pace", "60", "--hours-a-day", "10", "--seats", "4", "--tables", "4"
    )
    assert entry["days"] == 730
    assert entry["wagers"] == 730 * 60 * 10 * 4
    assert entry["contribution"] == 25
    assert entry["prizes"][0]["share"] == 1
    for name, figure in entry["figures"].items():
        assert figure["standard_error"] > 0
        assert figure["z"] is None or abs(figure["z"]) < 4, name
    assert entry["figures"]["cost"]["exact"] == pytest.approx(1_000_00 * (1 + entry["figures"]["top_hits"]["exact"]))
    assert entry["expectation"] == "exact"
    text = simulate(*METER, "--tables", "5")
    assert "cost to the house" in text
    assert "5 seats at 5 tables" in " ".join(text.split())
    assert "z the difference from exact" in text
    assert "…" not in text


def test_a_progressive_is_exact_where_the_joint_winners_of_a_round_are_counted() -> None:
    entry = simulate_as_json(*METER)
    assert (entry["pace"]["seats"], entry["pace"]["tables"]) == (5, 1)
    assert (entry["expectation"], entry["winners_in_a_round"]) == ("exact", "known")
    apart = simulate_as_json(*METER, "--tables", "5")
    # Seats that share the community cards win together, so a round at one table pays fewer prizes than five tables do.
    assert entry["figures"]["hits"]["exact"] < apart["figures"]["hits"]["exact"]
    for name, figure in entry["figures"].items():
        assert figure["z"] is None or abs(figure["z"]) < 4, name


CROWDED = """
game = "dueling-for-dollars"
seats = 14
tabulator = "andromeda-3d"
[wagers.duel]
limits = { min = "$5", max = "$100", step = "$5" }
[wagers.two-plus-two]
limits = { min = "$1", max = "$1", step = "$1" }
paytable = "PT-BJS-DFD-22-03"
"""


def test_a_progressive_shows_bounds_where_the_joint_winners_of_a_round_are_not_counted(tmp_path: Path) -> None:
    (tmp_path / "crowded.toml").write_text(CROWDED)
    crowded = (*METER, "--table", str(tmp_path / "crowded.toml"), "--seats", "14")
    entry = simulate_as_json(*crowded)
    assert (entry["pace"]["seats"], entry["pace"]["tables"]) == (14, 1)
    assert entry["expectation"] == "bounds"
    assert (entry["days_to_a_hit"], entry["days_to_the_whole_meter"]) == (None, None)
    figures = entry["figures"]
    assert {(figure["exact"], figure["z"]) for figure in figures.values()} == {(None, None)}
    bounded = {name for name, figure in figures.items() if figure["at_least"] is not None}
    assert bounded == {"hits", "top_hits", "first_hit", "cost", "meter"}
    for name in bounded:
        margin = 4 * figures[name]["standard_error"]
        assert figures[name]["at_least"] < figures[name]["at_most"]
        assert figures[name]["at_least"] - margin < figures[name]["mean"] < figures[name]["at_most"] + margin
    text = simulate(*crowded)
    assert "at least" in text
    assert "14 seats at one table" in " ".join(text.split())
    assert "there are no exact figures" in " ".join(text.split())
    assert "…" not in text
    assert "if never two seats of a round win" in simulate(*crowded, "--chart", str(tmp_path / "meter.svg"))


# Charts


@pytest.mark.parametrize(
    ("words", "conclusion"),
    [
        ((*DUELS, "--rounds", str(5 * BLOCK_ROUNDS + 1)), "after 5,242,881 rounds the mean is"),
        (SESSIONS, "of sessions end between"),
        (METER, "after 1,825 days"),
    ],
)
def test_a_chart_is_written_and_changes_nothing_else(words: tuple[str, ...], conclusion: str, tmp_path: Path) -> None:
    file = tmp_path / "chart.svg"
    table, _, line = simulate(*words, "--chart", str(file)).rstrip("\n").rpartition("\n")
    assert f"{table}\n" == simulate(*words)
    assert line.startswith(f"{file}: ")
    assert conclusion in line
    assert file.read_text("utf-8").startswith("<svg")


def test_a_chart_may_be_a_bitmap(tmp_path: Path) -> None:
    file = tmp_path / "chart.png"
    simulate(*DUELS, "--rounds", "1000", "--wager", "combo", "--chart", str(file))
    assert file.read_bytes().startswith(b"\x89PNG")


# Bad input


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("dueling-for-dollars",), "Choose what to simulate: --rounds N, --sessions N, or --progressive WAGER."),
        (("--rounds", "5"), "Name a game, such as three-card-prime"),
        (("poker", "--rounds", "5"), "There is no game 'poker'"),
        ((*DUELS, "--rounds", "0"), "0 rounds cannot be played"),
        ((*DUELS, "--rounds", "-3"), "-3 rounds cannot be played"),
        ((*DUELS, "--rounds", "many"), "--rounds 'many' is not a number"),
        ((*DUELS, "--rounds", "1.5"), "--rounds '1.5' is not a whole number"),
        ((*DUELS, "--rounds", "10", "--wager", "prime"), "This table has no wager 'prime': it has duel, tie-plus"),
        ((*DUELS, "--rounds", "10", "--threads", "0"), "--threads cannot be 0: use at least 1."),
        ((*DUELS, "--rounds", "10", "--strategy", "lucky"), "There is no strategy 'lucky': choose best or simple."),
        ((*DUELS, "--rounds", "10", "--strategy", "no.py"), "There is no file no.py"),
        ((*DUELS, "--rounds", "10", "--cluster", "nowhere"), "--cluster 'nowhere' is not an address"),
        ((*DUELS, "--rounds", "10", "--cluster", "localhost:1", "--threads", "2"), "--threads applies to this machine"),
        ((*DUELS, "--rounds", "10", "--decks", "7"), "Dueling for Dollars is played with 5 or 6 or 8 decks, not 7."),
        ((*DUELS, "--rounds", "10", "--paytable", "combo"), "--paytable 'combo' cannot be read"),
        ((*DUELS, "--rounds", "10", "--bankroll", "5"), "--bankroll works with --sessions, not with --rounds"),
        ((*DUELS, "--rounds", "10", "--sessions", "5"), "--rounds and --sessions are different simulations"),
        ((*DUELS, "--rounds", "10", "--chart", "x.svg"), "10 rounds are too few for a chart"),
        (
            (*DUELS, "--rounds", "10", "--wager", "duel", "--meter", "10"),
            "No prize of duel is a percentage of a meter: leave out --meter.",
        ),
        ((*SESSIONS, "--meter", "10"), "No prize of duel is a percentage of a meter: leave out --meter."),
        (
            (*SESSIONS, "--bets", "player=10,two-plus-two=1"),
            "The result of two-plus-two depends on a meter: give it with --meter",
        ),
        ((*DUELS, "--sessions", "10"), "--sessions needs --bankroll, such as --bankroll 500."),
        ((*SESSIONS, "--bets", "roulette=5"), "This table has no spot 'roulette': it has player, dealer"),
        ((*SESSIONS, "--bets", "player"), "--bets 'player' cannot be read"),
        ((*SESSIONS, "--bets", "player=10,player=20"), "--bets names 'player' twice"),
        ((*SESSIONS, "--bets", "player=7"), "Seat 1 cannot wager $7 on player"),
        ((*SESSIONS, "--hours", "2", "--rounds-per-session", "80"), "--hours and --rounds-per-session both limit"),
        ((*SESSIONS, "--target", "90"), "The target of $90 is reached before the first round"),
        ((*SESSIONS, "--strategy", "mine.py"), "--strategy best or simple"),
        ((*SESSIONS, "--cluster", "localhost:8786"), "--cluster works with --rounds, not with --sessions"),
        ((*DUELS, "--progressive", "two-plus-two"), "--progressive needs --seed-money"),
        ((*METER, "--contribution", "101%"), "A contribution of 101% is not a part of the wager of $1"),
        ((*METER, "--runs", "1"), "--runs 2 or more"),
        ((*METER, "--hours-a-day", "25"), "A day has 24 hours, not 25"),
        ((*METER, "--progressive", "combo"), "The combo wager has no meter"),
        ((*METER, "--tables", "2"), "5 seats cannot be spread evenly over 2 tables"),
        ((*METER, "--seats", "60"), "60 seats are too many for a table of 6: spread them with --tables N."),
        ((*SESSIONS, "--tables", "2"), "--tables works with --progressive, not with --sessions"),
    ],
)
def test_an_impossible_simulation_is_refused_with_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    assert sentence in read_refusal(*words)


@pytest.mark.parametrize("seed", ["-1", str(2**64), "1.5", "lucky"])
def test_an_invalid_seed_is_refused(seed: str) -> None:
    assert "whole number" in read_refusal("dueling-for-dollars", "--rounds", "10", "--seed", seed)


def test_a_chart_that_cannot_be_written_is_refused_before_a_round_is_played(tmp_path: Path) -> None:
    words = ("texas-shootout", "--rounds", "1e12", "--chart")
    (tmp_path / "folder.svg").mkdir()
    assert "There is no folder" in read_refusal(*words, str(tmp_path / "nowhere" / "chart.svg"))
    assert "is a folder" in read_refusal(*words, str(tmp_path / "folder.svg"))
    assert "A chart is an .svg or .png file; 'chart.pdf'" in read_refusal(*words, str(tmp_path / "chart.pdf"))
    assert list(tmp_path.glob("chart*")) == []


def test_an_unreachable_cluster_is_refused_with_a_sentence() -> None:
    assert "There is no cluster at tcp://127.0.0.1:9" in read_refusal(
        *DUELS, "--rounds", "10", "--cluster", "tcp://127.0.0.1:9"
    )


# A cluster, and Ctrl-C


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    started = Cluster(tmp_path)
    try:
        yield started
    finally:
        started.end()


def test_a_cluster_prints_the_same_document(cluster: Cluster, tmp_path: Path) -> None:
    cluster.worker("only")
    cluster.wait_for_workers(1)
    words = (*DUELS, "--rounds", str(4 * BLOCK_ROUNDS + 9), "--json")
    file = tmp_path / "chart.svg"
    assert simulate(*words, "--cluster", cluster.address, "--chart", str(file)) == simulate(*words)
    assert file.exists()


def test_ctrl_c_prints_the_rounds_that_were_played() -> None:
    code, out, _ = interrupt_command("simulate", *DUELS, "--rounds", "1e12", "--json", when="million/s")
    assert code == 130
    entries = json.loads(out)
    played = entries[0]["rounds"]
    assert played % BLOCK_ROUNDS == 0
    assert 0 < played < entries[0]["rounds_asked"] == 10**12
    assert all(entry["interrupted"] for entry in entries)
    again = simulate_as_json(*DUELS, "--rounds", str(played))
    assert [entry["lines"] for entry in again] == [entry["lines"] for entry in entries]


def test_ctrl_c_prints_the_sessions_that_were_played() -> None:
    code, out, _ = interrupt_command("simulate", *DUELS, "--sessions", "1M", "--bankroll", "10000", when="/s  ")
    assert code == 130
    assert "of 1,000,000 sessions were played." in out
    assert "percentile" in out


def test_ctrl_c_during_preparation_reports_that_no_round_was_played() -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    slow = (
        "import cardroom.odds.dueling_for_dollars.simulator as duels, signal\n"
        "duels.DuelingForDollarsSimulator.prepare = lambda *_: (print('preparing', flush=True), signal.pause())\n"
        "from cardroom.cli.app import main; main()\n"
    )
    command = [sys.executable, "-c", slow, "simulate", *DUELS, "--rounds", "10"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"preparing\n"
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=LIMIT)
    assert process.returncode == 130
    assert out.decode().startswith("Interrupted before the first round")
