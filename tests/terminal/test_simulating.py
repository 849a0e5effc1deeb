"""What simulations are asked with and shown with."""

from __future__ import annotations

import signal
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.cli.simulate.options import SimulateOptions
from cardroom.cli.simulate.request import SimulationMode, choose_mode, parse_bets, parse_number
from cardroom.errors import BadInput
from cardroom.games import Table
from cardroom.odds.simulation.runner import (
    BLOCK_ROUNDS,
    PreparedTable,
    ProgressMonitor,
    first_block_samples,
    play_in_stages,
    simulate,
    split_blocks,
    stages,
)
from cardroom.odds.simulation.tally import SimulationTally
from cardroom.terminal.client.seating import open_default_seating
from cardroom.terminal.pages.simulation.figure_text import amount_text, far_note, share_text, z_text
from cardroom.terminal.progress import catch_interrupt, progress_bar, rate_text
from tests.odds.simulation.at_the_table import open_table, prepared


@cache
def duels() -> PreparedTable:
    return prepared(open_table("dueling-for-dollars"))


def prime() -> Table:
    return open_default_seating("three-card-prime").table


# Asked


@given(st.integers(0, 10**15))
def test_a_number_is_read_with_and_without_marks(value: int) -> None:
    for text in (str(value), f"{value:,}", f"{value:_}", f"{value}e0", f"{value}k"):
        assert parse_number(text, "--rounds") == value * (1000 if text.endswith("k") else 1)


@pytest.mark.parametrize("text", ["", "ten", "1__0", "1,00", "e6", "1e", "10 M M", "1/2", "NaN", "inf", "0x10"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is not a number"):
        parse_number(text, "--rounds")


def test_parts_of_a_million_are_whole() -> None:
    assert parse_number("2.5M", "--rounds") == 2_500_000
    assert parse_number("-3", "--rounds") == -3
    assert parse_number("0.25", "--hours") == Fraction(1, 4)


def test_bets_go_by_spot_by_wager_or_by_the_beginning_of_a_name() -> None:
    assert parse_bets(prime(), ["ante-play=10,prime=$5"]) == {"ante-play": 10_00, "prime": 5_00}
    assert parse_bets(prime(), ["ante=10", "fin=1"]) == {"ante-play": 10_00, "final-four": 1_00}
    assert parse_bets(open_default_seating("dueling-for-dollars").table, ["duel=10"]) == {"player": 10_00}
    assert parse_bets(prime(), ["ante=1,000,prime=2.50"]) == {"ante-play": 1_000_00, "prime": 2_50}


@pytest.mark.parametrize("text", ["all=1", "p=1", "x=1"])
def test_a_beginning_that_fits_no_spot_or_several_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="This table has no spot"):
        parse_bets(prime(), [text])


def test_a_spot_that_is_named_in_two_ways_is_refused() -> None:
    with pytest.raises(BadInput, match="--bets names the spot 'ante-play' twice"):
        parse_bets(prime(), ["ante=10", "ante-play=10"])


def test_each_simulation_is_asked_for_by_one_option() -> None:
    assert choose_mode(SimulateOptions(rounds="5", wager="prime", cluster="x:1")) is SimulationMode.ROUNDS
    assert choose_mode(SimulateOptions(sessions="5", bankroll="5", pace="40")) is SimulationMode.SESSIONS
    assert choose_mode(SimulateOptions(progressive="final-four", pace="40", years="3")) is SimulationMode.PROGRESSIVE
    with pytest.raises(BadInput, match="--meter works with --rounds or --sessions, not with --progressive"):
        choose_mode(SimulateOptions(progressive="final-four", meter="10"))


# Played


@given(st.integers(1, 3000 * BLOCK_ROUNDS))
def test_stages_are_the_blocks_of_the_whole_simulation(rounds: int) -> None:
    played = [(first, size) for first, size in stages(rounds)]
    assert sum(size for _, size in played) == rounds
    assert all(first * BLOCK_ROUNDS == sum(size for _, size in played[:at]) for at, (first, _) in enumerate(played))
    assert len(played) < 30


def test_stage_by_stage_the_same_rounds_are_played() -> None:
    ready, rounds, seen = duels(), 4 * BLOCK_ROUNDS + 3, []
    tally, looks = play_in_stages(
        lambda table, some, on_block: simulate(table, some, 5, monitor=ProgressMonitor(on_block)),
        ready,
        rounds,
        5,
        lambda done, asked: seen.append((done, asked)),
    )
    assert (tally.counts == simulate(ready, rounds, 5).counts).all()
    assert (tally.rounds, looks[-1].rounds, len(list(split_blocks(rounds)))) == (rounds, rounds, len(seen))
    assert seen[-1] == (rounds, rounds)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    early = first_block_samples(ready, "combo", rounds, 5)
    assert early[-1].counts == looks[0].wager("combo").counts
    assert [one.rounds for one in early] == sorted({one.rounds for one in early})


def test_a_stage_that_is_stopped_is_the_last_one() -> None:
    def play(table: PreparedTable, rounds: int, _: object) -> SimulationTally:
        return simulate(table, rounds, 5, monitor=ProgressMonitor(should_stop=lambda: True))

    tally, looks = play_in_stages(play, duels(), 4 * BLOCK_ROUNDS, 5, lambda *_: None)
    assert (tally.rounds, looks) == (0, [])


def test_ctrl_c_asks_and_a_second_one_does_not_wait() -> None:
    before = signal.getsignal(signal.SIGINT)
    with catch_interrupt() as asked:
        assert not asked()
        signal.raise_signal(signal.SIGINT)
        assert asked()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_nothing_is_shown_where_there_is_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    with progress_bar() as bar:
        bar.set_share("preparing", 0.5)
        with bar.track_count("playing", 10, "rounds") as tell:
            tell(10)
    assert capfd.readouterr() == ("", "")


# Shown


def test_a_difference_beyond_four_standard_errors_is_flagged_unless_it_says_little() -> None:
    assert z_text(3.99).plain == "+3.99 "
    assert z_text(-4.01).plain == "-4.01!"
    assert z_text(40.0, expected=0.1).plain == "(+40.00)"
    assert z_text(None).plain == ""
    assert far_note([1.0, None, -3.0]) == []
    assert "more than 4 standard errors away" in far_note([1.0, 5.0])[0]


def test_counts_that_chance_does_not_make_are_far_from_exact() -> None:
    tally = simulate(duels(), 100_000, 1)
    skewed = np.array(tally.counts)
    skewed[0], skewed[1] = skewed[0] - 5000, skewed[1] + 5000
    assert any(abs(line.z or 0) > 4 for line in SimulationTally(tally.plans, skewed, tally.rounds, 1).wagers[0].lines)


def test_amounts_shares_and_rates_in_words() -> None:
    assert (amount_text(-5), amount_text(-0.2), amount_text(123_456_78.0, 0)) == ("-$0.05", "$0.00", "$123,457")
    assert share_text(0.12345, 0.001) == "12.35% ± 0.10%"
    assert (rate_text(999_999), rate_text(1_500_000)) == ("999,999/s", "1.5 million/s")
