"""A user of the house pauses or closes a table, or calls a round off, while a player wagers or answers there."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from cardroom.service import TablePhase
from tests.web.races.served import DeadHeat, Served, fresh_id, races, refused, void


def test_a_wager_while_the_table_is_paused_begins_the_round_before_it_or_is_refused(
    room: Served, dead_heat: DeadHeat
) -> None:
    met = Counter[bool]()
    for _ in races(met):
        table, (ann,) = room.table(1)
        pause = room.card_room.pause_table
        said, paused = dead_heat.run(room, room.wager(ann, table), pause, fresh_id(), "Olga", table, "a fire drill")
        assert paused.state == (TablePhase.PLAYING if said.done else TablePhase.PAUSED)
        if said.done:
            assert room.lines.say(room.answer(ann, table, "fold")).body["state"] == "paused"
        else:
            assert said.sentence == f"Table {table} is paused (a fire drill). You can bet when it resumes."
            assert room.play_table(table).seats[0].chips == 200_00
        met[said.done] += 1
        dead_heat.note(said.done)
    assert set(met) == {True, False}


@pytest.mark.parametrize("alone", [True, False])
def test_a_wager_while_the_table_closes_begins_a_round_or_goes_home_with_the_player(
    room: Served, dead_heat: DeadHeat, alone: bool
) -> None:
    """One who sits there alone begins a round, and then the table cannot close; a wager of one of two lies there, and
    goes back with the chips. Or the table is closed before."""
    met = Counter[bool]()
    for _ in races(met):
        table, (ann, *_) = room.table(1 if alone else 2)
        close = partial(refused, room.card_room.remove_table)
        said, no = dead_heat.run(room, room.wager(ann, table), close, fresh_id(), "Olga", table, "the evening is over")
        if said.done and alone:
            assert no.startswith(f"Round {table}.1 is in progress")
            assert room.lines.say(room.answer(ann, table, "fold")).done
        else:
            assert no == ""
            assert room.card_room.player_account(ann).balance == 1_000_00
            assert room.play_table(table).phase is TablePhase.CLOSED
        if not said.done:
            assert said.sentence == f"Table {table} is closed: the evening is over."
        met[said.done] += 1
        dead_heat.note(said.done)
    assert set(met) == {True, False}


def test_a_round_is_voided_or_answered_to_its_end(room: Served, dead_heat: DeadHeat) -> None:
    met = Counter[bool]()
    for _ in races(met):
        table, (ann,) = room.playing(1)
        said, no = dead_heat.run(room, room.answer(ann, table, "play"), void, room.card_room, table)
        assert (no == "") is not said.done
        assert len(room.happened(table, "round-played")) == said.done
        assert len(room.happened(table, "round-canceled")) == (not said.done)
        assert room.play_table(table).number == 2
        met[said.done] += 1
        dead_heat.note(said.done)
    assert set(met) == {True, False}
