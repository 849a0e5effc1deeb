"""The close of a day draws its line under felts and players too, however many there are."""

from __future__ import annotations

from pathlib import Path

from cardroom.floor import Floor, verify_floor
from cardroom.floor.kept.recall import happened
from cardroom.jackpots.happenings import DayClosed
from tests.floor.felt_scenes import PRIME, UNTIMED, all_wager, an_id, guests, open_prime, play_on, without_meters
from tests.floor.forger import found, where

FELTS, PLAYERS = 60, 300


def closes(floor: Floor) -> list[dict[str, int]]:
    """By chain, where each close of a day says that it ended."""
    told = [happened(event) for event in floor.ledger.events("room")]
    return [{end.chain: end.sequence for end in one.ends} for one in told if isinstance(one, DayClosed)]


def test_a_day_is_closed_over_many_felts_and_players_in_the_middle_of_a_round(floor: Floor) -> None:
    setup = without_meters("three-card-prime")
    for number in range(FELTS):
        floor.open_felt(an_id(), "Olga", f"felt-{number}", setup, UNTIMED)
    for _ in range(PLAYERS):
        floor.admit_guest(an_id())
    floor.open_day(an_id(), "Olga")
    players = guests(floor, 2, "felt-7")
    all_wager(floor, players, "felt-7")
    floor.close_day(an_id(), "Olga")
    (line,) = closes(floor)
    assert sum(chain.startswith("felt:") for chain in line) == FELTS
    assert sum(chain.startswith("player:") for chain in line) == PLAYERS + 2
    assert line["felt:felt-7"] == floor.felt_version("felt-7")
    play_on(floor, "felt-7")
    report = verify_floor(floor.ledger)
    assert (report.discrepancy, report.felts, report.players, report.rounds) == (None, FELTS, PLAYERS + 2, 1)


def test_a_felts_chain_that_was_rewritten_alone_after_the_close_is_found(in_a_file: Floor, tmp_path: Path) -> None:
    open_prime(in_a_file)
    in_a_file.pause_felt(an_id(), "Olga", PRIME, "a fire drill")
    in_a_file.open_day(an_id(), "Olga")
    in_a_file.close_day(an_id(), "Olga")
    sentence = found(in_a_file, tmp_path, where(f"felt:{PRIME}", "felt-paused", why="a quiet hour"))
    assert f"the day ended with another event 2 of felt:{PRIME} than stands there now" in sentence
