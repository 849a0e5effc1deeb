"""Tabulators and data loggers over HTTP: what they tell is counted once, and what does not follow waits for people."""

from __future__ import annotations

import time

import pytest

from cardroom.service import verify_card_room
from tests.service.card_rooms import shown, whole
from tests.web.devices.equipped import EquippedRoom, encode_lines, record_rounds


def test_a_press_is_counted_and_the_answer_says_which_lights_are_on(room: EquippedRoom) -> None:
    answer = room.press("1", 1, 3, 5, counter={"1": 3}, dealer="Kim", at=5)
    assert answer["counts"] == {"final-four": 3}
    assert (answer["counters"], answer["round"]) == ([3], "T-1001/1")
    assert answer["lights"] == [{"position": position, "sensor": 1} for position in (1, 3, 5)]
    assert answer["shown_cents"] == {"final-four": [5_000_60]}
    (event,) = room.card_room.history.list_tabulator_rounds("way-1", 1)
    assert (event.payload["dealer"], event.payload["device"]) == (
        "device T-1001",
        {"device": "T-1001", "time": 5, "dealer": "Kim"},
    )


def test_a_repeated_press_gives_the_first_answer_and_another_content_is_refused(room: EquippedRoom) -> None:
    first = room.press("1", 1, 3)
    room.press("2", 1)
    assert room.press("1", 3, 1) == first
    refusal = room.refused("T-1001", "/presses", 409, id="1", covered={"1": [1]})
    assert "device T-1001/1" in refusal
    assert shown(room.card_room) == 5_000_60
    # Another device may use the same id.
    assert room.press("1", 2, device="T-3001")["counts"] == {"final-four": 1, "all-seven": 0}
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_round_is_counted_once_whatever_the_press_is_called(room: EquippedRoom) -> None:
    room.press("1", 1, round="round 17")
    refusal = room.refused("T-1001", "/presses", 409, id="2", covered={"1": [1]}, round="round 17")
    assert refusal.startswith("Round round 17 was counted at way-1")


def test_a_counter_that_does_not_follow_is_refused_and_the_floor_hears_of_it(room: EquippedRoom) -> None:
    room.press("1", 1, 2, counter={"1": 2})
    before = shown(room.card_room)
    body = {"id": "2", "covered": {"1": [1, 2, 3]}, "counter": {"1": 6}}
    refusal = room.refused("T-1001", "/presses", 409, **body)
    assert "shows 6 for sensor 1, but 5 wagers are recorded: enter the counter as it was before that round" in refusal
    held_up = room.card_room.get_device("T-1001").held_up
    assert held_up is not None
    assert held_up.why == refusal
    assert room.post("T-1001", "/hello", time=1)["held_up"] == refusal
    events = len(list(room.card_room.ledger.events("room")))
    assert room.refused("T-1001", "/presses", 409, **body) == refusal
    assert len(list(room.card_room.ledger.events("room"))) == events
    # The repetition of an old press does not mean that it goes on.
    room.press("1", 1, 2, counter={"1": 2})
    assert room.card_room.get_device("T-1001").held_up == held_up
    assert shown(room.card_room) == before
    room.card_room.read_counter("reading", "Rosa", "way-1", [3])
    assert room.post("T-1001", "/presses", **body)["counters"] == [6]
    assert room.card_room.get_device("T-1001").held_up is None
    assert shown(room.card_room) == 5_000_00 + 6 * 20
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_press_without_a_counter_is_taken_as_it_is(room: EquippedRoom) -> None:
    assert room.press("1", 1)["counters"] == [1]
    assert room.press("2")["counters"] == [1]


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"covered": {"1": [1]}}, 422, "id: Field required."),
        ({"id": "", "covered": {}}, 422, "id: String should match"),
        ({"id": "a b", "covered": {}}, 422, "id: String should match"),
        ({"id": "1", "covered": {"0": [1]}}, 422, "covered.0: String should match"),
        ({"id": "1", "covered": {"1": ["1"]}}, 422, "covered.1.0: Input should be a valid integer."),
        ({"id": "1", "covered": {"1": [1]}, "counter": {"1": -1}}, 422, "counter.1: Input should be greater"),
        ({"id": "1", "covered": {"1": [1]}, "at": 2**60}, 422, "at: Input should be less"),
        ({"id": "1", "covered": {"1": [1]}, "money": 5}, 422, "money: Extra inputs are not permitted."),
        ({"id": "1", "covered": {"1": [1]}, "dealer": "\u0000"}, 422, "unprintable"),
        ({"id": "1", "covered": {"1": [1]}, "dealer": "\u3164"}, 422, "The dealer is missing"),
        ({"id": "1", "covered": {"1": [9]}}, 409, "way-1 has no position 9"),
        ({"id": "1", "covered": {"2": [1]}}, 409, "Sensor 2 is not in use at way-1"),
        ({"id": "1", "covered": {"1": [1]}, "counter": {"2": 1}}, 409, "Sensor 2 counts no wager at way-1"),
        ({"id": "1", "covered": {"1": [1]}, "lammers": {"1": [1]}}, 409, "take the lammer away"),
        ({"id": "1", "covered": {"1": [1]}, "round": "reading 7"}, 409, "the name of a counter reading"),
    ],
)
def test_a_bad_press_gets_a_sentence_and_changes_nothing(
    room: EquippedRoom, body: dict[str, object], status: int, says: str
) -> None:
    before = whole(room.card_room)
    assert says in room.refused("T-1001", "/presses", status, **body)
    assert whole(room.card_room) == before


def test_a_body_that_is_no_json_is_refused(room: EquippedRoom) -> None:
    headers = {"authorization": f"Bearer {room.token('T-1001')}", "content-type": "application/json"}
    for text in (b"{", b"\xff", b"[" * 100_000, b"null", b"7", b""):
        answer = room.client.post("/presses", content=text, headers=headers)
        assert answer.status_code in (400, 422), text[:10]
        assert set(answer.json()) == {"error"}


def test_records_are_taken_in_the_order_of_their_numbers_and_the_answer_says_how_far(room: EquippedRoom) -> None:
    waiting = record_rounds(6).waiting
    first = room.post("A1-77", "/records", id="1", lines=encode_lines(*waiting[1::-1]))
    assert (first["taken"], first["seal"], first["rounds"]) == (2, waiting[1].seal, ["round-1", "round-2"])
    assert (first["held_up"], first["forward_from"], first["for_people"]) == (None, 3, False)
    gap = room.post("A1-77", "/records", id="2", lines=encode_lines(waiting[2], *waiting[4:]))
    assert (gap["taken"], gap["rounds"], gap["forward_from"]) == (3, ["round-3"], 4)
    assert gap["held_up"] == "Record 5 of A1-77 arrived, but record 4 is missing: forward from 4 on."
    assert room.card_room.get_device("A1-77").held_up is None
    assert room.post("A1-77", "/records", id="2", lines=encode_lines(waiting[2], *waiting[4:])) == gap
    room.refused("A1-77", "/records", 409, id="2", lines=encode_lines(*waiting))
    assert room.post("A1-77", "/records", id="3", lines=encode_lines(*waiting))["taken"] == 6
    assert room.card_room.jackpot("five-wild").counted == 18
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_gap_waits_until_two_people_in_the_office_accept_it(room: EquippedRoom) -> None:
    waiting = record_rounds(5).waiting
    left = encode_lines(waiting[0], *waiting[3:])
    held = room.post("A1-77", "/records", id="1", lines=left, lost_up_to=3)
    assert (held["taken"], held["for_people"]) == (1, True)
    noted = room.card_room.get_device("A1-77").held_up
    assert noted is not None
    assert noted.why == held["held_up"]
    room.card_room.accept_logger_gap("gap", "Rosa", "A1-77", "the memory was wet", second="Lee")
    assert room.post("A1-77", "/records", id="1", lines=left, lost_up_to=3) == held
    after = room.post("A1-77", "/records", id="2", lines=left)
    assert (after["taken"], after["held_up"], after["known"]) == (5, None, 1)
    assert room.card_room.get_device("A1-77").held_up is None
    assert room.card_room.jackpot("five-wild").counted == 15


def test_the_devices_clock_is_shown_and_decides_nothing(room: EquippedRoom) -> None:
    before = time.time_ns() // 1000  # cannot fail: the server reads the same clock later
    sent = before + 90_000_000
    answer = room.post("T-1001", "/hello", id="h", unit="T-1001", time=sent)
    assert before <= answer["time"] <= time.time_ns() // 1000  # cannot fail: the server read the same clock before
    assert answer["ahead"] == sent - answer["time"]
    assert (answer["id"], answer["table"], answer["model"], answer["positions"]) == ("h", "way-1", "milky-way", 6)
    (sensor,) = answer["sensors"]
    assert (sensor["sensor"], sensor["wager"], sensor["counter"], sensor["dark"]) == (1, "final-four", 0, False)
    # Two presses whose clocks run backwards are counted as they come.
    room.press("1", 1, at=9_000_000)
    room.press("2", 2, at=1)
    assert [event.payload["device"] for event in room.card_room.history.list_tabulator_rounds("way-1", 2)] == [
        {"device": "T-1001", "dealer": "", "time": 1},
        {"device": "T-1001", "dealer": "", "time": 9_000_000},
    ]
    assert room.post("A1-77", "/hello", time=0)["taken"] == 0


def test_a_unit_that_stands_elsewhere_is_shown_so(room: EquippedRoom) -> None:
    refusal = room.refused("T-1001", "/hello", 409, unit="T-7", time=1)
    assert "T-1001 reports unit T-7, but the unit of way-1 is T-1001" in refusal
    assert room.post("S-1001", "/hello", unit="sign 5", time=1)["device"] == "S-1001"


def test_lights_and_a_broken_unit_are_shown_by_the_device(room: EquippedRoom) -> None:
    room.press("1", 1, 3)
    answer = room.post("T-1001", "/lights", id="2", dark={"1": [3]})
    assert answer["dark"] == answer["lammers"] == [{"position": 3, "sensor": 1}]
    assert room.post("T-1001", "/lights", id="2", dark={"1": [3]}) == answer
    assert room.post("T-1001", "/broken", id="3", why="Sensor 3 is dead") == {
        "table": "way-1",
        "broken": "Sensor 3 is dead",
    }
    assert "already reported" in room.refused("T-1001", "/broken", 409, id="4", why="Sensor 4 is dead")
    assert "The tabulator has a fault" in room.refused("T-1001", "/presses", 409, id="5", covered={"1": [1]})
    assert room.card_room.tabulator("way-1").tabulator.broken == "Sensor 3 is dead"


def test_a_closed_table_takes_nothing(room: EquippedRoom) -> None:
    room.card_room.remove_table("close", "Olga", "way-1", "a quiet week")
    assert "Table way-1 was removed" in room.refused("T-1001", "/presses", 409, id="1", covered={"1": [1]})
    assert room.post("T-1001", "/hello", time=1)["closed"] == "a quiet week"
