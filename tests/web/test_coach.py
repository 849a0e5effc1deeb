"""The coach advises the seat whose turn it is, from what the seat sees, and never delays a table."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pytest

from cardroom.errors import BadInput
from cardroom.games import view
from cardroom.odds import advise
from cardroom.web.services.workers import JobTimeout, WorkerFailed, WorkerPool, WorkersBusy
from tests.deadline import LIMIT, Deadline, wait_in_loop, wait_until
from tests.web.rooms import GAMES, MAIN, Player, ServedRoom, expect_success, new_id


def asked(room: ServedRoom, ann: Player, game: str) -> tuple[str, dict[str, Any]]:
    """A table at which the player is asked something, and what the player sees."""
    table: str = expect_success(ann.post("/tables", id=new_id(), game=game))["table"]
    ann.sit(table, buy_in_cents=room.make_rich(ann))
    deadline = Deadline()
    while (
        expect_success(ann.post(f"/tables/{table}/wagers", id=new_id(), wagers={MAIN[game]: 10_00}))["state"]
        != "playing"
    ):
        deadline.check("a round in which the player is asked")
    return table, ann.view(table)


@pytest.mark.parametrize("game", GAMES)
def test_every_option_has_its_value(room: ServedRoom, game: str) -> None:
    ann = room.players.admit_guest()
    table, seen = asked(room, ann, game)
    advice = expect_success(ann.get(f"/tables/{table}/advice"))
    turn = seen["round"]["view"]["turn"]
    assert (advice["table"], advice["seat"], advice["question"], advice["version"]) == (
        table,
        1,
        turn["question"],
        seen["version"],
    )
    assert sorted(option["answer"] for option in advice["options"]) == sorted(turn["options"])
    look = room.card_room.view_table(table)
    assert look.position is not None
    own = {str(option.decision): option for option in advise(look.state.open_table.table, view(look.position.round, 1))}
    values = [option["value_cents"] for option in advice["options"]]
    assert values == sorted(values, reverse=True)
    for option in advice["options"]:
        assert float(Fraction(option["fraction"])) == pytest.approx(option["value_cents"])
        if option["standard_error"] is None:
            assert Fraction(option["fraction"]) == own[option["answer"]].value


def test_a_seat_whose_turn_it_is_not_gets_no_advice(room: ServedRoom) -> None:
    table, ann, bob = room.open_table("advice"), room.players.admit_guest(), room.players.admit_guest()
    ann.sit(table)
    bob.sit(table)
    ann.wager(table, ante_play=10_00)
    bob.wager(table, ante_play=10_00)
    assert ann.get(f"/tables/{table}/advice").status_code == 200
    refused = bob.get(f"/tables/{table}/advice")
    assert (refused.status_code, refused.json()) == (409, {"error": "It is not the turn of seat 2 at advice."})


def test_a_command_does_not_wait_for_advice(room: ServedRoom, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    ann = room.players.admit_guest()
    table, _ = asked(room, ann, "three-card-prime")
    job = SlowJob(folder)
    monkeypatch.setattr("cardroom.web.services.coach.compute_advice", job)
    with ThreadPoolExecutor(1) as beside:
        address = f"{ann.client.base_url}tables/{table}/advice"
        advice = beside.submit(httpx.get, address, headers=ann.client.headers)
        wait_until(job.has_begun)
        ann.decide(table, "fold")
        assert not advice.done()
        job.finish()
        assert advice.result().json()["options"] == []


def test_a_caller_who_disconnects_cancels_the_advice(
    room: ServedRoom, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    ann = room.players.admit_guest()
    table, _ = asked(room, ann, "three-card-prime")
    job = SlowJob(folder)
    monkeypatch.setattr("cardroom.web.services.coach.compute_advice", job)
    host, _, port = room.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as line:
        path = f"/api/v1/tables/{table}/advice"
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {ann.token}\r\n\r\n".encode())
        worker = wait_until(job.has_begun)
    wait_until(lambda: not _lives(worker), "the end of the worker")


# What is job about in the workers


class SlowJob:
    """Records the process that runs it, and runs until ``finish`` is called."""

    def __init__(self, folder: Path) -> None:
        self._begun, self._finished = folder / "begun", folder / "finished"

    def __call__(self, *_: object) -> tuple[()]:
        note = self._begun.with_suffix(".part")
        note.write_text(str(os.getpid()))
        note.rename(self._begun)
        wait_until(self._finished.exists)
        return ()

    def has_begun(self) -> int:
        """The process that thinks; 0 while none does."""
        return int(self._begun.read_text()) if self._begun.exists() else 0

    def finish(self) -> None:
        self._finished.touch()


def double(number: int) -> int:
    return 2 * number


def refuse() -> None:
    raise BadInput("This cannot be.")


def stumble() -> None:
    raise ZeroDivisionError


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def with_workers(scene: Callable[[WorkerPool], Any], many: int = 1, waiting: int = 8) -> Any:
    async def run() -> Any:
        workers = WorkerPool(many, max_waiting=waiting, timeout=2 * LIMIT, nice=0)
        try:
            return await scene(workers)
        finally:
            await workers.end()

    return asyncio.run(run())


def test_workers_answer_refuse_and_stumble_and_stay() -> None:
    async def scene(workers: WorkerPool) -> None:
        first = await workers.run(os.getpid)
        assert await workers.run(double, 21) == 42
        with pytest.raises(BadInput, match="This cannot be"):
            await workers.run(refuse)
        with pytest.raises(WorkerFailed, match="ZeroDivisionError"):
            await workers.run(stumble)
        assert await workers.run(os.getpid) == first, "the same process, still warm"

    with_workers(scene)


def test_a_worker_that_dies_is_replaced() -> None:
    async def scene(workers: WorkerPool) -> None:
        with pytest.raises(WorkerFailed):
            await workers.run(die)
        assert await workers.run(double, 4) == 8

    with_workers(scene)


def test_a_job_that_takes_too_long_is_ended(folder: Path) -> None:
    async def scene(workers: WorkerPool) -> None:
        first = await workers.run(os.getpid)
        workers._timeout = 0.2  # only now: to start a process takes longer
        with pytest.raises(JobTimeout, match=r"0\.2"):
            await workers.run(SlowJob(folder))
        await wait_in_loop(lambda: not _lives(first))

    with_workers(scene)


@pytest.mark.parametrize(("grace", "lives"), [(LIMIT, True), (0.0, False)])
def test_canceling_ends_the_job_but_not_at_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, grace: float, lives: bool
) -> None:
    monkeypatch.setattr("cardroom.web.services.workers.GRACE_SECONDS", grace)

    async def scene(workers: WorkerPool) -> None:
        job = SlowJob(folder)
        asking = asyncio.ensure_future(workers.run(job))
        worker = await wait_in_loop(job.has_begun)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        if lives:
            job.finish()
        else:
            await wait_in_loop(lambda: not _lives(worker))
        assert (await workers.run(os.getpid) == worker) is lives

    with_workers(scene)


def test_when_too_many_wait_the_next_is_sent_away(folder: Path) -> None:
    async def scene(workers: WorkerPool) -> None:
        job = SlowJob(folder)
        asking = [asyncio.ensure_future(workers.run(job)) for _ in range(3)]  # one is served, two wait
        await wait_in_loop(lambda: workers._waiting == 2)
        with pytest.raises(WorkersBusy, match="Try again in a second"):
            await workers.run(double, 1)
        job.finish()
        assert await asyncio.gather(*asking) == [(), (), ()]
        assert await workers.run(double, 3) == 6

    with_workers(scene, waiting=2)


def _lives(process: int) -> bool:
    """It may go between any two looks."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
