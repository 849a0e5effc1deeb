"""A supervisor pauses or closes a table, or voids a round, while a player wagers or decides there."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from cardroom.service import TablePhase
from tests.web.races.served import DeadHeat, RaceRoom, catch_refusal, fresh_id, run_race, try_to_void


def test_a_wager_starts_the_round_before_a_pause_or_is_refused(room: RaceRoom, dead_heat: DeadHeat) -> None:
    outcomes = Counter[bool]()
    for _ in run_race(outcomes):
        table, (ann,) = room.open_table(1)
        pause = room.card_room.pause_table
        response, paused = dead_heat.run(room, room.wager(ann, table), pause, fresh_id(), "Olga", table, "a fire drill")
        assert paused.state == (TablePhase.PLAYING if response.succeeded else TablePhase.PAUSED)
        if response.succeeded:
            assert room.connections.send(room.decide(ann, table, "fold")).body["state"] == "paused"
        else:
            assert response.sentence == f"Table {table} is paused (a fire drill). You can bet when it resumes."
            assert room.get_table(table).seats[0].chips == 200_00
        outcomes[response.succeeded] += 1
        dead_heat.note(response.succeeded)
    assert set(outcomes) == {True, False}


@pytest.mark.parametrize("alone", [True, False])
def test_a_wager_while_the_table_closes_starts_a_round_or_returns_to_the_player_or_is_refused(
    room: RaceRoom, dead_heat: DeadHeat, alone: bool
) -> None:
    """With one player, a wager starts a round and the table cannot close. With two players, the wager is returned
    with the chips. Or the table closes first."""
    outcomes = Counter[bool]()
    for _ in run_race(outcomes):
        table, (ann, *_) = room.open_table(1 if alone else 2)
        close = partial(catch_refusal, room.card_room.remove_table)
        response, refusal = dead_heat.run(
            room, room.wager(ann, table), close, fresh_id(), "Olga", table, "the evening is over"
        )
        if response.succeeded and alone:
            assert refusal.startswith(f"Round {table}.1 is in progress")
            assert room.connections.send(room.decide(ann, table, "fold")).succeeded
        else:
            assert refusal == ""
            assert room.card_room.player_account(ann).balance == 1_000_00
            assert room.get_table(table).phase is TablePhase.CLOSED
        if not response.succeeded:
            assert response.sentence == f"Table {table} is closed: the evening is over."
        outcomes[response.succeeded] += 1
        dead_heat.note(response.succeeded)
    assert set(outcomes) == {True, False}


def test_a_round_is_voided_or_played_to_its_end(room: RaceRoom, dead_heat: DeadHeat) -> None:
    outcomes = Counter[bool]()
    for _ in run_race(outcomes):
        table, (ann,) = room.open_playing_table(1)
        response, refusal = dead_heat.run(room, room.decide(ann, table, "play"), try_to_void, room.card_room, table)
        assert (refusal == "") is not response.succeeded
        assert len(room.payloads_of(table, "round-played")) == response.succeeded
        assert len(room.payloads_of(table, "round-canceled")) == (not response.succeeded)
        assert room.get_table(table).number == 2
        outcomes[response.succeeded] += 1
        dead_heat.note(response.succeeded)
    assert set(outcomes) == {True, False}
