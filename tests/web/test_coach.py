"""The coach advises the seat that is asked, from what it sees, and never holds anybody up."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pytest

from cardroom.faults import BadInput
from cardroom.games import view
from cardroom.odds import advise
from cardroom.web.room.workers import Stumbled, TooBusy, TooSlow, Workers
from tests.web.rooms import GAMES, MAIN, Player, Served, an_id, done


def asked(room: Served, ann: Player, game: str) -> tuple[str, dict[str, Any]]:
    """A table at which the player is asked something, and what the player sees."""
    table: str = done(ann.post("/tables", id=an_id(), game=game))["table"]
    ann.sit(table, buy_in_cents=1_000_00)
    for _ in range(90):
        standing = done(ann.post(f"/tables/{table}/wagers", id=an_id(), wagers={MAIN[game]: 10_00}))
        if standing["state"] == "playing":
            return table, ann.look(table)
    raise AssertionError("nobody was asked")


@pytest.mark.parametrize("game", GAMES)
def test_every_option_has_its_value(room: Served, game: str) -> None:
    ann = room.guest()
    table, seen = asked(room, ann, game)
    told = done(ann.get(f"/tables/{table}/advice"))
    turn = seen["round"]["view"]["turn"]
    assert (told["table"], told["seat"], told["question"], told["version"]) == (
        table,
        1,
        turn["question"],
        seen["version"],
    )
    assert sorted(one["answer"] for one in told["options"]) == sorted(turn["options"])
    look = room.floor.felt_look(table)
    assert look.position is not None
    own = {str(one.decision): one for one in advise(look.state.at.table, view(look.position.round, 1))}
    values = [one["value_cents"] for one in told["options"]]
    assert values == sorted(values, reverse=True)
    for one in told["options"]:
        assert float(Fraction(one["fraction"])) == pytest.approx(one["value_cents"])
        if one["standard_error"] is None:
            assert Fraction(one["fraction"]) == own[one["answer"]].value


def test_whoever_is_not_asked_gets_no_advice(room: Served) -> None:
    table, ann, bob = room.open_table("advice"), room.guest(), room.guest()
    ann.sit(table)
    bob.sit(table)
    ann.wager(table, ante_play=10_00)
    bob.wager(table, ante_play=10_00)
    assert ann.get(f"/tables/{table}/advice").status_code == 200
    refused = bob.get(f"/tables/{table}/advice")
    assert (refused.status_code, refused.json()) == (409, {"error": "Seat 2 of advice is not asked anything now."})


def test_a_command_does_not_wait_for_advice(room: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = room.guest()
    table, _ = asked(room, ann, "three-card-prime")
    monkeypatch.setattr("cardroom.web.room.coach.advice_for", think_for_a_while)
    advice: list[int] = []

    def ask() -> None:
        advice.append(
            httpx.get(f"{ann.client.base_url}tables/{table}/advice", headers=ann.client.headers, timeout=60).status_code
        )

    waiting = threading.Thread(target=ask)
    waiting.start()
    time.sleep(0.3)
    ann.answer(table, "fold")
    assert not advice
    waiting.join(30)


def test_whoever_goes_away_is_not_advised(room: Served, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    ann = room.guest()
    table, _ = asked(room, ann, "three-card-prime")
    note = folder / "note"
    assert ann.get(f"/tables/{table}/advice").status_code == 200  # a worker is awake
    monkeypatch.setattr("cardroom.web.room.coach.advice_for", Note(str(note)))
    for _ in range(20):  # on a busy machine the first who ask may have gone before it begins
        with pytest.raises(httpx.ReadTimeout):
            ann.get(f"/tables/{table}/advice", timeout=3)
        if note.exists():
            break
    time.sleep(6)
    assert note.read_text() == "begun", "it was ended before it had finished"


# What is thought about in the workers


def think_for_a_while(*_: object) -> tuple[()]:
    time.sleep(4)
    return ()


class Note:
    """Writes down that it has begun, and a while later that it has finished."""

    def __init__(self, file: str) -> None:
        self.file = file

    def __call__(self, *_: object) -> tuple[()]:
        Path(self.file).write_text("begun")
        time.sleep(5)
        Path(self.file).write_text("finished")
        return ()


def double(number: int) -> int:
    return 2 * number


def sleep(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def refuse() -> None:
    raise BadInput("This cannot be.")


def stumble() -> None:
    raise ZeroDivisionError


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def with_workers(scene: Callable[[Workers], Any], many: int = 1, waiting: int = 8, patience: float = 300) -> Any:
    async def run() -> Any:
        workers = Workers(many, waiting=waiting, patience=patience, nice=0)
        try:
            return await scene(workers)
        finally:
            await workers.end()

    return asyncio.run(run())


def test_workers_answer_refuse_and_stumble_and_stay() -> None:
    async def scene(workers: Workers) -> None:
        first = await workers.ask(sleep, 0)
        assert await workers.ask(double, 21) == 42
        with pytest.raises(BadInput, match="This cannot be"):
            await workers.ask(refuse)
        with pytest.raises(Stumbled, match="ZeroDivisionError"):
            await workers.ask(stumble)
        assert await workers.ask(sleep, 0) == first, "the same process, still warm"

    with_workers(scene)


def test_a_worker_that_dies_is_replaced() -> None:
    async def scene(workers: Workers) -> None:
        with pytest.raises(Stumbled, match="gone"):
            await workers.ask(die)
        assert await workers.ask(double, 4) == 8

    with_workers(scene)


def test_a_thought_that_takes_too_long_is_ended() -> None:
    async def scene(workers: Workers) -> int:
        first = await workers.ask(sleep, 0)
        workers._patience = 2  # only now: to start a process may take longer on a busy machine
        with pytest.raises(TooSlow, match="longer than 2 seconds"):
            await workers.ask(sleep, 300)
        async with asyncio.timeout(30):
            while _lives(first):
                await asyncio.sleep(0.05)
        return 0

    with_workers(scene)


def test_whoever_cancels_ends_the_thought_but_not_at_once() -> None:
    async def scene(workers: Workers) -> None:
        first = await workers.ask(sleep, 0)
        for seconds, lives in ((0.05, True), (30, False)):
            asking = asyncio.ensure_future(workers.ask(sleep, seconds))
            await asyncio.sleep(0.02)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            await asyncio.sleep(1.5)
            assert _lives(first) is lives
        assert await workers.ask(double, 2) == 4

    with_workers(scene)


def test_when_too_many_wait_the_next_is_sent_away() -> None:
    async def scene(workers: Workers) -> None:
        asking = [asyncio.ensure_future(workers.ask(sleep, 0.5)) for _ in range(3)]  # one is served, two wait
        await asyncio.sleep(0.1)
        with pytest.raises(TooBusy, match="ask again in a second"):
            await workers.ask(double, 1)
        assert len(set(await asyncio.gather(*asking))) == 1
        assert await workers.ask(double, 3) == 6

    with_workers(scene, waiting=2)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
