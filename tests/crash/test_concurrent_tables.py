"""Several processes work on one card room at the same time: no update is lost, and the model can tell the story."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import TopologicalSorter
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

import pytest

from cardroom.ledger import Ledger, open_ledger
from cardroom.room.user.command_ids import original_command_id
from cardroom.service import CardRoom
from tests.crash.crash_run import ProcessPool, acknowledgements_of, check_ledger, differs, endure, write_script
from tests.crash.driver import acknowledged
from tests.crash.evening import Evening, Expected
from tests.crash.model import Model
from tests.crash.script_inputs import SharedClock
from tests.crash.tally import KILLS
from tests.service.card_rooms import THREE_OF_A_KIND, open_room, play

PROCESSES = 4


def scripts(folder: Path, seed: int, commands: int) -> tuple[Path, list[Path], dict[str, dict[str, Any]]]:
    """One script that opens the room, one for each process, and all commands by their ids."""
    opening = Evening(seed).opening()
    known = {one.command["id"]: one.command for one in opening}
    parts = []
    for process in range(1, PROCESSES + 1):
        evening = Evening(seed, f"p{process}-", alone=False)
        expected: list[Expected] = evening.commands(commands)[len(opening) :]
        known |= {one.command["id"]: one.command for one in expected}
        parts.append(write_script(folder, expected, f"process-{process}"))
    return write_script(folder, opening, "opening"), parts, known


def order_of_commands(ledger: Ledger) -> list[str]:
    """An order that agrees with every chain. Commands that share no chain follow the clock that their processes share:
    it is read while everything that a command looks at is locked."""
    order: TopologicalSorter[str] = TopologicalSorter()
    times: dict[str, int] = {}
    for chain in ledger.chains():
        before: str | None = None
        for event in ledger.events(chain):
            command = original_command_id(event.id.rpartition("/")[0])
            times[command] = event.time
            if command != before:
                order.add(command, *([before] if before else []))
                before = command
    order.prepare()
    story: list[str] = []
    ready: list[tuple[int, str]] = []
    while order.is_active():
        for command in order.get_ready():
            heappush(ready, (times[command], command))
        story.append(heappop(ready)[1])
        order.done(story[-1])
    return story


def check_story(url: str, acknowledgements_in: Sequence[Path], known: dict[str, dict[str, Any]]) -> int:
    """The model does what was done in the order of the chains, and gets every answer that the processes got."""
    answered = {
        one["id"]: one["answer"]
        for path in acknowledgements_in
        for one in acknowledged(acknowledgements_of(path))
        if "answer" in one
    }
    model = Model()
    with open_ledger(url) as ledger:
        order = order_of_commands(ledger)
    assert set(order) == set(answered)
    for command in order:
        wrong = differs(model.do(known[command]), answered[command])
        assert wrong is None, f"{known[command]}: {wrong}"
    check_ledger(url, model, order)
    return len(order)


def test_commands_without_a_common_chain_are_replayed_in_their_order_although_the_machines_clock_goes_back(
    tmp_path: Path,
) -> None:
    """A claim reads what a dealer may pay alone. It has no event on the chain of the room, so only the clock tells
    that the limit came first."""
    machine = [2_000_000_000_000_000]
    shared = SharedClock(tmp_path / "clock", lambda: machine[0])
    with open_ledger(f"sqlite:///{tmp_path}/ledger.db", shared) as ledger:
        card_room = CardRoom(ledger, shared)
        open_room(card_room)
        play(card_room, seats=5, round_id="r1")
        settings = card_room.room().settings._replace(dealer_pays=0)
        card_room.site.configure("limit", "Ada", settings, "new limits", second="Cy")
        machine[0] -= 1_000_000
        made = card_room.claims.claim_hand("claim", "Kim", "final-four", "prime-1", "r1", THREE_OF_A_KIND)
        assert made.pending
        assert order_of_commands(ledger)[-2:] == ["limit", "claim"]


def test_tables_of_several_processes_lose_no_update_although_they_crash(
    pool: ProcessPool, url: str, tmp_path: Path, seed: int
) -> None:
    opening, parts, known = scripts(tmp_path, seed, commands=40)
    endure(pool, url, [opening], seed, kills=0)
    assert endure(pool, url, parts, seed, kills=12)[KILLS] >= 8
    assert check_story(url, [opening, *parts], known) > 40


@pytest.mark.long
@pytest.mark.parametrize("night", range(3))
def test_whole_nights_of_several_processes_lose_no_update(
    pool: ProcessPool, url: str, tmp_path: Path, seed: int, night: int
) -> None:
    opening, parts, known = scripts(tmp_path, seed + night, commands=300)
    endure(pool, url, [opening], seed, kills=0)
    assert endure(pool, url, parts, seed + night, kills=100)[KILLS] >= 80
    assert check_story(url, [opening, *parts], known) > 500
