"""The command `simulate`: what people and programs get, what bad input is shown, and what is left after Ctrl-C."""

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
from tests.cli.interruption import interrupted
from tests.deadline import LIMIT
from tests.odds.simulation.test_cluster import Cluster

CARDROOM = [sys.executable, "-c", "from cardroom.cli.app import main; main()"]
DUELS = ("dueling-for-dollars", "--seed", "7")
SESSIONS = (*DUELS, "--sessions", "200", "--bankroll", "100")
METER = (*DUELS, "--progressive", "two-plus-two", "--seed-money", "1000", "--contribution", "25%", "--runs", "50")


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["simulate", *words], env={"COLUMNS": "80"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


def good(*words: str) -> str:
    code, out, err = run(*words)
    assert (code, err) == (0, ""), (code, err)
    return out


def output(*words: str) -> Any:
    return json.loads(good(*words, "--json"))


def refused(*words: str) -> str:
    """The one sentence on standard error."""
    code, out, err = run(*words)
    assert code == 2, err
    assert out == ""
    assert "Traceback" not in err
    return err.strip()


def test_help_has_examples_of_all_three_simulations() -> None:
    _, _, examples = good("--help").partition("Examples")
    assert all(
        f"{flag} " in examples for flag in ("--rounds", "--sessions", "--progressive", "--cluster", "--strategy")
    )


# Rounds


def test_each_wager_comes_with_its_exact_figure_beside() -> None:
    entries = output(*DUELS, "--rounds", "100_000")
    assert [one["wager"] for one in entries] == ["duel", "tie-plus", "combo", "tie-after-tie", "two-plus-two"]
    for one in entries:
        assert (one["method"], one["rounds"], one["rounds_asked"]) == ("simulated", 100_000, 100_000)
        assert (one["seed"], one["strategy"], one["interrupted"]) == (7, "best", False)
        assert one["options"].get("decks") == 6
        assert one["exact_method"] == "exact"
        assert abs(one["z"]) < 4
        assert abs(one["expected_return"]["value"] - one["exact_return"]) < 5 * one["standard_error"]
        assert abs(one["hit_frequency"] - one["exact_hit_frequency"]) < 0.01
        assert sum(line["count"] for line in one["lines"]) == 100_000


def test_people_get_a_table_and_with_one_wager_every_ending() -> None:
    text = good(*DUELS, "--rounds", "100k")
    assert "100,000 rounds" in text
    assert "seed 7" in text
    assert all(slug in text for slug in ("duel", "tie-plus", "two-plus-two", "PT-FLT-DFD-TP-01"))
    assert "depends on the meter" in " ".join(text.split())
    assert "…" not in text
    alone = good(*DUELS, "--rounds", "100k", "--wager", "duel")
    assert "war loss" in alone
    assert "tie-plus" not in alone


def test_the_same_seed_gives_the_same_document_on_any_number_of_threads() -> None:
    words = ("dueling-for-dollars", "--rounds", str(3 * BLOCK_ROUNDS + 5), "--json", "--seed")
    documents = [good(*words, "7", "--threads", threads) for threads in ("1", "2", "3")]
    assert documents[0] == documents[1] == documents[2]
    assert good(*words, "8") != documents[0]


def test_without_a_seed_a_fresh_one_is_shown_and_repeats_the_run() -> None:
    first, other = (output("dueling-for-dollars", "--rounds", "1000") for _ in range(2))
    assert first[0]["seed"] != other[0]["seed"]
    assert output("dueling-for-dollars", "--rounds", "1000", "--seed", str(first[0]["seed"])) == first


@pytest.mark.parametrize("rounds", ["2,000", "0.002M"])
def test_a_number_of_rounds_may_be_written_in_short(rounds: str) -> None:
    assert good(*DUELS, "--rounds", rounds) == good(*DUELS, "--rounds", "2000")


def test_an_operators_table_is_simulated_and_needs_no_name_of_the_game(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('game = "dueling-for-dollars"\ndecks = 8\n[wagers.duel]\nlimits = { min = "$10", max = "$100" }\n')
    (duel,) = output("--table", str(file), "--rounds", "1000", "--seed", "1")
    assert (duel["wager"], duel["options"]["decks"]) == ("duel", 8)
    assert "The table file is for dueling-for-dollars" in refused(
        "deuces-wild", "--table", str(file), "--rounds", "1000"
    )


def test_paytables_decks_and_options_of_the_usual_table_can_be_changed() -> None:
    changes = ("--paytable", "tie-plus=PT-FLT-DFD-TP-02", "--decks", "8", "--option", "tie_after_tie_bonus=true")
    duel, tie_plus, *_ = output(*DUELS, "--rounds", "1000", *changes)
    assert duel["options"] == {"decks": 8, "tie_after_tie_bonus": True}
    assert tie_plus["paytable"] == "PT-FLT-DFD-TP-02"


ON_A_METER = (*DUELS, "--rounds", "1M", "--wager", "two-plus-two")


def test_a_meter_that_is_given_is_in_every_figure() -> None:
    (full,) = output(*ON_A_METER, "--meter", "10000")
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
    text = good(*ON_A_METER, "--meter", "10000")
    assert "meter $10,000" in text
    assert "+9999" in text
    assert "hangs on" not in text


def test_without_a_meter_people_are_shown_what_hangs_on_it_and_programs_that_it_counts_as_empty() -> None:
    (entry,) = output(*ON_A_METER)
    nets = {line["event"]: line["net"] for line in entry["lines"]}
    assert (nets["royal-flush"], nets["four-card-straight-flush"], nets["starting-pair"]) == (-1, -1, 1)
    assert entry["meter"] == 0
    assert abs(entry["expected_return"]["value"] - entry["exact_return"]) < 4 * entry["standard_error"]
    assert abs(entry["z"]) < 4
    text = good(*ON_A_METER)
    (top,) = (line.split() for line in text.splitlines() if line.startswith("royal flush"))
    assert top[:7] == ["royal", "flush", "100%", "of", "the", "meter", "meter"]
    assert "depends on the meter" in " ".join(text.split())


def test_rounds_without_a_prize_off_the_meter_hang_on_it_all_the_same() -> None:
    (entry,) = output(*DUELS, "--rounds", "100", "--wager", "two-plus-two")
    assert {line["count"] for line in entry["lines"] if "meter" in line["pays"]} == {0}
    assert "depends on the meter" in " ".join(good(*DUELS, "--rounds", "100", "--wager", "two-plus-two").split())


def test_a_chart_without_a_meter_says_what_it_leaves_out(tmp_path: Path) -> None:
    words = (*DUELS, "--rounds", "100k", "--wager", "two-plus-two", "--chart", str(tmp_path / "chart.svg"))
    assert "2 + 2 Jackpot without the meter" in good(*words)
    assert "without the meter" not in good(*words, "--meter", "10000")


def test_the_strategy_to_remember_stands_beside_its_own_exact_figure() -> None:
    words = ("three-card-double-play", "--seed", "7", "--rounds", "200k", "--wager", "high-low")
    (best,), (simple,) = output(*words), output(*words, "--strategy", "simple")
    assert (best["strategy"], simple["strategy"]) == ("best", "simple")
    assert best["exact_return"] - simple["exact_return"] == pytest.approx(0.002532, abs=1e-6)
    assert abs(simple["z"]) < 4
    assert "simple play" in good(*words, "--strategy", "simple")


def test_a_strategy_of_ones_own_stands_beside_the_best_play(tmp_path: Path) -> None:
    file = tmp_path / "timid.py"
    file.write_text("def decide(view):\n    return 'surrender'\n")
    words = (*DUELS, "--rounds", "300", "--strategy", str(file))
    duel = output(*words)[0]
    assert duel["strategy"] == str(file)
    assert "z" not in duel
    assert duel["best_return"] == pytest.approx(-0.028771, abs=1e-6)
    assert {line["count"] for line in duel["lines"] if line["event"].startswith("war")} == {0}
    assert "best play" in good(*words)
    assert output(*words, "--threads", "2")[0] == duel
    assert "leave out --cluster and --chart" in refused(*words, "--cluster", "tcp://127.0.0.1:1")
    file.write_text("def decide(view):\n    return 'surrender'\ndecide.every_time = True\n")
    assert output(*words)[0] == duel
    assert "runs on one thread" in refused(*words, "--threads", "2")


# Sessions and progressives


def test_sessions_tell_ruin_results_and_time_on_the_table() -> None:
    entry = output(*SESSIONS, "--bets", "player=10,tie-plus=5", "--hours", "2", "--target", "300")
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
    empty, full = (output(*words, "--meter", dollars) for dollars in ("0", "10000"))
    assert (empty["meter"], full["meter"]) == (0, 10_000_00)
    assert full["expected_a_round"] - empty["expected_a_round"] == pytest.approx(13.386, abs=0.001)


def test_sessions_for_people_say_what_ruin_means() -> None:
    text = good(*SESSIONS)
    assert "200 sessions of up to 160 rounds: $100, $10 player a round" in text
    assert "Ruined: less than $20 left" in text
    assert "…" not in text
    assert text == good(*SESSIONS, "--threads", "1")


def test_a_progressive_tells_hits_cost_and_meter_beside_the_exact_ones() -> None:
    entry = output(*METER, "--years", "2", "--pace", "60", "--hours-a-day", "10", "--seats", "4", "--tables", "4")
    assert entry["days"] == 730
    assert entry["wagers"] == 730 * 60 * 10 * 4
    assert entry["contribution"] == 25
    assert entry["prizes"][0]["share"] == 1
    for name, figure in entry["figures"].items():
        assert figure["standard_error"] > 0
        assert figure["z"] is None or abs(figure["z"]) < 4, name
    assert entry["figures"]["cost"]["exact"] == pytest.approx(1_000_00 * (1 + entry["figures"]["top_hits"]["exact"]))
    assert entry["expectation"] == "exact"
    text = good(*METER, "--tables", "5")
    assert "cost to the house" in text
    assert "5 seats at 5 tables" in " ".join(text.split())
    assert "z the difference from exact" in text
    assert "…" not in text


def test_a_progressive_is_exact_where_it_is_counted_what_the_seats_of_a_round_win_together() -> None:
    entry = output(*METER)
    assert (entry["pace"]["seats"], entry["pace"]["tables"]) == (5, 1)
    assert (entry["expectation"], entry["winners_in_a_round"]) == ("exact", "known")
    apart = output(*METER, "--tables", "5")
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


def test_nothing_of_a_progressive_is_called_exact_when_no_user_has_counted_the_winners(tmp_path: Path) -> None:
    (tmp_path / "crowded.toml").write_text(CROWDED)
    crowded = (*METER, "--table", str(tmp_path / "crowded.toml"), "--seats", "14")
    entry = output(*crowded)
    assert (entry["pace"]["seats"], entry["pace"]["tables"]) == (14, 1)
    assert entry["expectation"] == "bounds"
    assert (entry["days_to_a_hit"], entry["days_to_the_whole_meter"]) == (None, None)
    figures = entry["figures"]
    assert {(figure["exact"], figure["z"]) for figure in figures.values()} == {(None, None)}
    bounded = {name for name, figure in figures.items() if figure["at_least"] is not None}
    assert bounded == {"hits", "top_hits", "first_hit", "cost", "meter"}
    for name in bounded:
        room = 4 * figures[name]["standard_error"]
        assert figures[name]["at_least"] < figures[name]["at_most"]
        assert figures[name]["at_least"] - room < figures[name]["mean"] < figures[name]["at_most"] + room
    text = good(*crowded)
    assert "at least" in text
    assert "14 seats at one table" in " ".join(text.split())
    assert "there are no exact figures" in " ".join(text.split())
    assert "…" not in text
    assert "if never two seats of a round win" in good(*crowded, "--chart", str(tmp_path / "meter.svg"))


# Charts


@pytest.mark.parametrize(
    ("words", "finding"),
    [
        ((*DUELS, "--rounds", str(5 * BLOCK_ROUNDS + 1)), "after 5,242,881 rounds the mean is"),
        (SESSIONS, "of sessions end between"),
        (METER, "after 1,825 days"),
    ],
)
def test_a_chart_is_written_and_changes_nothing_else(words: tuple[str, ...], finding: str, tmp_path: Path) -> None:
    file = tmp_path / "chart.svg"
    output, _, line = good(*words, "--chart", str(file)).rstrip("\n").rpartition("\n")
    assert f"{output}\n" == good(*words)
    assert line.startswith(f"{file}: ")
    assert finding in line
    assert file.read_text("utf-8").startswith("<svg")


def test_a_chart_may_be_a_bitmap(tmp_path: Path) -> None:
    file = tmp_path / "chart.png"
    good(*DUELS, "--rounds", "1000", "--wager", "combo", "--chart", str(file))
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
def test_what_cannot_be_simulated_gets_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(*words)


@pytest.mark.parametrize("seed", ["-1", str(2**64), "1.5", "lucky"])
def test_a_seed_that_is_none_is_refused(seed: str) -> None:
    assert "whole number" in refused("dueling-for-dollars", "--rounds", "10", "--seed", seed)


def test_a_chart_that_cannot_be_written_is_refused_before_a_round_is_played(tmp_path: Path) -> None:
    words = ("texas-shootout", "--rounds", "1e12", "--chart")
    (tmp_path / "folder.svg").mkdir()
    assert "There is no folder" in refused(*words, str(tmp_path / "nowhere" / "chart.svg"))
    assert "is a folder" in refused(*words, str(tmp_path / "folder.svg"))
    assert "A chart is an .svg or .png file; 'chart.pdf'" in refused(*words, str(tmp_path / "chart.pdf"))
    assert list(tmp_path.glob("chart*")) == []


def test_a_cluster_that_is_not_there_gets_a_sentence() -> None:
    assert "There is no cluster at tcp://127.0.0.1:9" in refused(
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
    assert good(*words, "--cluster", cluster.address, "--chart", str(file)) == good(*words)
    assert file.exists()


def test_ctrl_c_prints_the_rounds_that_were_played() -> None:
    code, out, _ = interrupted("simulate", *DUELS, "--rounds", "1e12", "--json", when="million/s")
    assert code == 130
    entries = json.loads(out)
    played = entries[0]["rounds"]
    assert played % BLOCK_ROUNDS == 0
    assert 0 < played < entries[0]["rounds_asked"] == 10**12
    assert all(one["interrupted"] for one in entries)
    again = output(*DUELS, "--rounds", str(played))
    assert [one["lines"] for one in again] == [one["lines"] for one in entries]


def test_ctrl_c_prints_the_sessions_that_were_played() -> None:
    code, out, _ = interrupted("simulate", *DUELS, "--sessions", "1M", "--bankroll", "10000", when="/s  ")
    assert code == 130
    assert "of 1,000,000 sessions were played." in out
    assert "percentile" in out


def test_ctrl_c_while_everything_is_prepared_leaves_nothing_to_tell() -> None:
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
