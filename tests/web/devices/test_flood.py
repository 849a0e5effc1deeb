"""One device that floods the server does not disturb the others."""

from __future__ import annotations

import threading
from pathlib import Path

import httpx

from cardroom.service import verify_card_room
from cardroom.web.devices.route import DeviceLimits, FairQueue
from cardroom.web.services.device_monitor import DeviceStatus
from tests.service.table_scenes import HandClock
from tests.web.devices.equipped import EquippedRoom
from tests.web.devices.evening import build_invalid_press, open_equipment
from tests.web.devices.events import Listener
from tests.web.rooms import serve_room

LINES, CALLS, PRESSES = 6, 400, 60


def test_while_one_device_babbles_on_many_lines_another_counts_every_press(tmp_path: Path) -> None:
    # Time stands still: no device is silent for long, however long the flood takes.
    with serve_room(tmp_path, clock=HandClock()) as room, open_equipment(room) as devices:
        met: list[int] = []
        turns: FairQueue = room.server.config.app.state.fair_queue  # type: ignore[union-attr]
        turns._clock = lambda: 0.0  # no user gets a new turn, however long the flood takes

        def flood(line: int) -> None:
            headers = {"authorization": f"Bearer {devices.token('T-3001')}"}
            with httpx.Client(base_url=devices.client.base_url, headers=headers) as client:
                for number in range(CALLS):
                    answer = client.post("/presses", json=build_invalid_press(line * CALLS + number))
                    assert set(answer.json()) == {"error"}
                    if answer.status_code == 429:
                        assert int(answer.headers["retry-after"]) >= 1
                    met.append(answer.status_code)

        devices.refused(
            "T-3001", "/presses", 422, **build_invalid_press(LINES * CALLS)
        )  # so that it is known who calls
        lines = [threading.Thread(target=flood, args=(line,)) for line in range(LINES)]
        for thread in lines:
            thread.start()
        for number in range(1, PRESSES + 1):
            answer = devices.press(str(number), 1, 2, counter={"1": 2 * number})
            assert answer["counters"] == [2 * number]
        for thread in lines:
            thread.join()
        assert set(met) == {422, 429}
        assert len(met) == LINES * CALLS
        assert met.count(429) > met.count(422)
        (seen,) = room.context.device_monitor.list_problems()
        assert (seen.device, seen.status) == ("T-3001", DeviceStatus.MALFORMED)
        assert seen.contact.refused == LINES * CALLS + 1
        assert room.card_room.tabulator("way-1").tabulator.counters == (2 * PRESSES,)
        assert room.card_room.jackpot("final-four").counted == 2 * PRESSES
        assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_device_that_was_shown_to_wait_is_heard_again_when_it_has_waited() -> None:
    now = [0.0]
    turns = FairQueue(DeviceLimits(concurrent=2, per_second=10, burst=20, refusal_cost=5), lambda: now[0])

    def call(*, refused: bool) -> int:
        line = turns.queue_of("Bearer T-1001.1.x")
        wait = turns.begin(line)
        if not wait:
            turns.end(line, refused=refused)
        return wait

    assert [call(refused=False) for _ in range(21)] == [0] * 20 + [1]
    now[0] += 1
    assert [call(refused=True) for _ in range(3)] == [0, 0, 1]
    assert turns.begin(turns.queue_of("Bearer S-1001.1.x")) == 0, "another has its own turn"
    now[0] += 1
    assert call(refused=False) == 0


def test_no_device_has_more_than_a_few_calls_under_way() -> None:
    turns = FairQueue(DeviceLimits(concurrent=2), lambda: 0.0)
    line = turns.queue_of("Bearer T-1001.1.x")
    assert [turns.begin(line) for _ in range(3)] == [0, 0, 1]
    turns.end(line, refused=False)
    assert turns.begin(line) == 0


def test_those_who_were_silent_for_longest_are_forgotten_and_no_user_who_is_on_the_line() -> None:
    turns = FairQueue(clock=lambda: 0.0)
    busy = turns.queue_of("busy")
    turns.begin(busy)
    for number in range(20_000):
        turns.queue_of(f"Bearer {number}")
    assert len(turns._queues) <= 5_001
    assert turns.queue_of("busy") is busy


def test_a_device_that_opens_stream_after_stream_is_shown_to_close_one(room: EquippedRoom) -> None:
    open_now = [Listener(room, "M-3001") for _ in range(8)]
    try:
        for listener in open_now:
            listener.__enter__()
            result = listener.hear()
            assert result is not None
            assert result.event == "display"
        with Listener(room, "M-3001") as another:
            result = another.hear()
            assert result is not None
            assert (result.event, "8 open streams" in result.content["error"]) == ("held-up", True)
            assert another.hear() is None
    finally:
        for listener in open_now:
            listener.__exit__(None, None, None)
