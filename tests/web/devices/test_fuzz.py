"""Whatever is sent to the devices' calls, the answer is one of those that are described, and never a server error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from cardroom.service import verify_card_room
from tests.web.devices.equipped import DEVICES, EquippedRoom, encode_lines, record_rounds

FOREVER = "/api/v1/devices/display/stream"
"""An answer that does not end."""
CALLS = 16
PLACES = st.dictionaries(st.sampled_from("123456"), st.lists(st.integers(1, 9), max_size=6), max_size=3)
SOME, MANY = 8, 100
"""Examples of each call: for every day, and when there is time."""
SLOW = settings(
    max_examples=SOME, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None
)


MODES = pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])


def described(room: EquippedRoom) -> Iterator[Any]:
    schema = schemathesis.openapi.from_url(f"{room.address}/api/v1/openapi.json")
    for found in schema.get_all_operations():
        if found.ok().path != FOREVER:
            yield found.ok()


@MODES
def test_no_answer_is_a_server_error_or_undescribed(room: EquippedRoom, mode: GenerationMode) -> None:
    send_anything(room, mode, SOME)


@pytest.mark.long
@MODES
def test_no_answer_is_a_server_error_or_undescribed_however_often(room: EquippedRoom, mode: GenerationMode) -> None:
    send_anything(room, mode, MANY)


def send_anything(room: EquippedRoom, mode: GenerationMode, examples: int) -> None:
    met = Counter[tuple[str, int]]()
    tokens = [room.token(device) for device in DEVICES]
    for operation in described(room):

        @settings(SLOW, max_examples=examples)
        @given(case=operation.as_strategy(generation_mode=mode), token=st.sampled_from(tokens))
        def fuzz(case: Any, token: str) -> None:
            answer = case.call(headers={"Authorization": f"Bearer {token}"})
            case.validate_response(
                answer,
                checks=[
                    not_a_server_error,
                    status_code_conformance,
                    content_type_conformance,
                    response_schema_conformance,
                    *([negative_data_rejection] if mode is GenerationMode.NEGATIVE else []),
                ],
            )
            met[case.path, answer.status_code] += 1
            if answer.status_code >= 400:
                assert set(answer.json()) == {"error"}

        fuzz()
    assert len({path for path, _ in met}) == CALLS
    assert sum(met.values()) > CALLS * examples / 2
    wanted = {200, 403} if mode is GenerationMode.POSITIVE else {403, 422}
    assert wanted <= {status for _, status in met}
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_what_looks_right_never_breaks_the_books(room: EquippedRoom) -> None:
    """Bodies of the right form with small numbers, so that ids, rounds and records meet."""
    met = Counter[int]()
    known = encode_lines(*record_rounds(9).waiting)
    ids = st.sampled_from([f"id-{number}" for number in range(40)])
    sent = st.integers(0, 8).flatmap(lambda first: st.integers(1, 5).map(lambda some: known[first : first + some]))
    presses = st.fixed_dictionaries(
        {"id": ids, "covered": PLACES},
        optional={
            "lammers": PLACES,
            "round": st.sampled_from(["r1", "r2", "reading 1"]),
            "counter": st.dictionaries(st.sampled_from("123"), st.integers(0, 60), max_size=2),
            "at": st.integers(0, 2**53 - 1),
            "dealer": st.text(min_size=1, max_size=5),
        },
    )
    records = st.fixed_dictionaries(
        {"id": ids, "lines": sent | st.lists(st.sampled_from(known) | st.text(max_size=40), max_size=6)},
        optional={"lost_up_to": st.integers(0, 9)},
    )
    lights = st.fixed_dictionaries({"id": ids, "dark": PLACES})
    calls = st.one_of(
        st.tuples(st.sampled_from(["T-1001", "T-3001"]), st.just("/presses"), presses),
        st.tuples(st.just("A1-77"), st.just("/records"), records),
        st.tuples(st.sampled_from(["T-1001", "A1-77", "T-3001"]), st.just("/lights"), lights),
    )

    @settings(SLOW, max_examples=250)
    @given(calls)
    def fuzz(call: tuple[str, str, Any]) -> None:
        device, path, body = call
        answer = room.ask(device, "POST", path, body)
        assert answer.status_code in (200, 409, 422), answer.text
        met[answer.status_code] += 1

    fuzz()
    assert met[200] > 20
    assert met[409] > 20
    assert room.card_room.jackpot("five-wild").counted == room.card_room.tabulator("wild-1").tabulator.counters[0] > 0
    assert verify_card_room(room.card_room.ledger).is_consistent
