"""The close of a day draws its line under felts and players too, however many there are."""

from __future__ import annotations

from pathlib import Path

from cardroom.room.site.events import DayClosed
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.queries.chain_history import read_domain_event
from tests.service.forger import found, where
from tests.service.table_scenes import PRIME, UNTIMED, all_wager, an_id, guests, open_prime, play_on, without_meters

FELTS, PLAYERS = 60, 300


def closes(floor: CardRoom) -> list[dict[str, int]]:
    """By chain, where each close of a day says that it ended."""
    told = [read_domain_event(event) for event in floor.ledger.events("room")]
    return [{end.chain: end.sequence for end in one.ends} for one in told if isinstance(one, DayClosed)]


def test_a_day_is_closed_over_many_felts_and_players_in_the_middle_of_a_round(floor: CardRoom) -> None:
    setup = without_meters("three-card-prime")
    for number in range(FELTS):
        floor.add_table(an_id(), "Olga", f"felt-{number}", setup, UNTIMED)
    for _ in range(PLAYERS):
        floor.admit_guest(an_id())
    floor.open_day(an_id(), "Olga")
    players = guests(floor, 2, "felt-7")
    all_wager(floor, players, "felt-7")
    floor.close_day(an_id(), "Olga")
    (line,) = closes(floor)
    assert sum(chain.startswith("table:") for chain in line) == FELTS
    assert sum(chain.startswith("player:") for chain in line) == PLAYERS + 2
    assert line["table:felt-7"] == floor.read_table_version("felt-7")
    play_on(floor, "felt-7")
    report = verify_card_room(floor.ledger)
    assert (report.discrepancy, report.felts, report.players, report.rounds) == (None, FELTS, PLAYERS + 2, 1)


def test_a_felts_chain_that_was_rewritten_alone_after_the_close_is_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_prime(in_a_file)
    in_a_file.pause_table(an_id(), "Olga", PRIME, "a fire drill")
    in_a_file.open_day(an_id(), "Olga")
    in_a_file.close_day(an_id(), "Olga")
    sentence = found(in_a_file, tmp_path, where(f"table:{PRIME}", "table-paused", why="a quiet hour"))
    # The copy hashes every event again, so the first chain that the day names is found.
    assert "the day ended with another event 1 of room than stands there now" in sentence
