"""The description of the API is true: whatever is sent, the answer is one that it names, and never a server error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from cardroom.room.user.permissions import Role
from cardroom.service import verify_card_room
from tests.deadline import LIMIT
from tests.service import staff
from tests.web.rooms import Player, ServedRoom, expect_success, new_id, serve_room

DEVICES = "/api/v1/devices"
"""These calls have tests of their own."""
FOREVER = "/api/v1/tables/{table}/stream"
"""An answer that does not end."""
CALLS = 16
SAYING = 12
"""Calls that can be said wrong: they have a body, a query or a token that must be there."""
SOME, MANY = 8, 100
"""Examples of each call: for every day, and when there is time."""
FUZZED = settings(
    max_examples=SOME, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None
)
MODES = pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])


def described(room: ServedRoom) -> Iterator[Any]:
    schema = schemathesis.openapi.from_url(f"{room.url}/api/v1/openapi.json")
    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path != FOREVER and not operation.path.startswith(DEVICES):
            yield operation


@pytest.fixture(scope="module")
def ann(room: ServedRoom) -> Player:
    return seated(room)


def seated(room: ServedRoom) -> Player:
    """A user who sits at a table and is asked something, so that calls find more to say than that no user is there."""
    ann = room.players.admit_guest()
    table = room.open_table("fuzzed")
    ann.sit(table)
    ann.wager(table, ante_play=10_00)
    room.open_table("betting")
    ann.sit("betting")
    played = room.open_table("played")
    ann.sit(played)
    ann.wager(played, ante_play=10_00)
    ann.decide(played, "fold")
    return ann


@MODES
def test_no_answer_is_a_server_error_or_undescribed(room: ServedRoom, ann: Player, mode: GenerationMode) -> None:
    send_anything(room, ann, mode, SOME)


@pytest.mark.long
@MODES
def test_no_answer_is_a_server_error_or_undescribed_however_often(
    room: ServedRoom, ann: Player, mode: GenerationMode
) -> None:
    send_anything(room, ann, mode, MANY)


def send_anything(room: ServedRoom, ann: Player, mode: GenerationMode, examples: int) -> None:
    met = Counter[tuple[str, str, int]]()
    tables = st.sampled_from([None, "fuzzed", "betting", "no-such-table"])
    dora = staff.signed_in(staff.staffed(room.card_room), staff.LOGINS[Role.DEALER])
    others = [f"Bearer {dora}", f"Bearer dora.s.{'x' * 43}", "Bearer nobody.1.x", "Basic eDp5", None]
    senders = [(f"Bearer {ann.token}", examples // 2), *((token, max(examples // 10, 1)) for token in others)]
    for operation, (token, number) in product(described(room), senders):

        @settings(FUZZED, max_examples=number)
        @given(case=operation.as_strategy(generation_mode=mode), table=tables, token=st.just(token))
        def fuzz(case: Any, table: str | None, token: str | None) -> None:
            if table is not None and "table" in (case.path_parameters or {}):
                case.path_parameters["table"] = table
            answer = case.call(headers={"Authorization": token} if token else {}, timeout=LIMIT)
            case.validate_response(
                answer,
                checks=[
                    not_a_server_error,
                    status_code_conformance,
                    content_type_conformance,
                    response_schema_conformance,
                    unsupported_method,
                ],
            )
            met[case.method, case.path, answer.status_code] += 1
            if answer.status_code >= 400:
                assert set(answer.json()) == {"error"}

        with suppress(Unsatisfiable):  # a call that says nothing can say nothing wrong
            fuzz()
    # Which other answers come depends on what is drawn. That each is given has tests of its own.
    assert len({(method, path) for method, path, _ in met}) == (CALLS if mode is GenerationMode.POSITIVE else SAYING)
    assert {200 if mode is GenerationMode.POSITIVE else 422, 401} <= {status for _, _, status in met}
    assert verify_card_room(room.card_room.ledger).is_consistent


@pytest.mark.parametrize("examples", [SOME, pytest.param(MANY, marks=pytest.mark.long)])
def test_what_the_description_forbids_is_refused(room: ServedRoom, ann: Player, examples: int) -> None:
    met = Counter[tuple[str, int]]()
    sent = [operation for operation in described(room) if operation.method == "post"]
    for operation in sent:

        @settings(FUZZED, max_examples=examples)
        @given(case=operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))
        def fuzz(case: Any) -> None:
            answer = case.call(headers={"Authorization": f"Bearer {ann.token}"}, timeout=LIMIT)
            case.validate_response(answer, checks=[negative_data_rejection])
            met[case.path, answer.status_code] += 1

        fuzz()
    assert {path for path, _ in met} == {operation.path for operation in sent}
    # A call that names an invented table is refused for the table; these three are refused for what their bodies say.
    assert {"/api/v1/guests", "/api/v1/sessions", "/api/v1/tables"} <= {path for path, status in met if status == 422}


def test_every_refusal_is_described_with_its_form(room: ServedRoom) -> None:
    document = httpx.get(f"{room.url}/api/v1/openapi.json").json()
    calls = 0
    for path, methods in document["paths"].items():
        if path.startswith(DEVICES):
            continue
        for call in methods.values():
            calls += 1
            assert call["summary"]
            assert call["description"]
            for status, answer in call["responses"].items():
                if int(status) >= 400:
                    (content,) = answer["content"].values()
                    assert content["schema"]["$ref"].endswith("Refusal")
    assert calls == CALLS + 1


def schemas(entry: Any) -> Iterator[dict[str, Any]]:
    """Every description of a value inside a description."""
    if isinstance(entry, dict):
        if "type" in entry and isinstance(entry["type"], str):
            yield entry
        for value in entry.values():
            yield from schemas(value)
    elif isinstance(entry, list):
        for value in entry:
            yield from schemas(value)


def test_bounds_of_numbers_are_shown_in_the_words_of_json_schema(room: ServedRoom) -> None:
    document = httpx.get(f"{room.url}/api/v1/openapi.json").json()
    for schema in schemas(document):
        assert not {"ge", "le", "gt", "lt", "min_length", "max_length"} & set(schema), schema
    said = document["components"]["schemas"]
    seat = {"type": "integer", "minimum": 1, "maximum": 100}
    assert said["SeatRequest"]["properties"]["seat"]["anyOf"] == [seat, {"type": "null"}]
    cents = {"type": "integer", "minimum": 0, "maximum": 10**15}
    assert said["WagersRequest"]["properties"]["wagers"]["additionalProperties"] == cents


def test_a_player_may_be_named_and_is_where_it_matters(room: ServedRoom) -> None:
    document = httpx.get(f"{room.url}/api/v1/openapi.json").json()
    paths = document["paths"]
    assert paths["/api/v1/players/me"]["get"]["security"] == [{"Token": []}]
    assert {} in paths["/api/v1/tables"]["get"]["security"]
    assert {"Cookie": []} in paths[FOREVER]["get"]["security"]
    assert "security" not in paths["/healthz"]["get"]


def test_answers_have_the_form_that_is_described(tmp_path: Path) -> None:
    """The fuzz meets few answers that say yes; these are held against their descriptions one by one, in a room where
    no user has tried wrong passwords."""
    with serve_room(tmp_path) as room:
        answers_have_their_form(room, seated(room))


def answers_have_their_form(room: ServedRoom, ann: Player) -> None:
    schema = schemathesis.openapi.from_url(f"{room.url}/api/v1/openapi.json")
    staff.staffed(room.card_room)
    table = expect_success(ann.post("/tables", id=new_id(), game="three-card-prime"))["table"]
    said: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/api/v1/guests", {"body": {"id": new_id()}}),
        ("GET", "/api/v1/players/me", {}),
        ("GET", "/api/v1/tables", {}),
        ("POST", "/api/v1/tables", {"body": {"id": new_id(), "game": "deuces-wild"}}),
        ("POST", "/api/v1/tables/{table}/seat", {"body": {"id": new_id()}}),
        ("GET", "/api/v1/tables/{table}", {}),
        ("POST", "/api/v1/tables/{table}/wagers", {"body": {"id": new_id(), "wagers": {"ante-play": 10_00}}}),
        ("GET", "/api/v1/tables/{table}/advice", {}),
        ("DELETE", "/api/v1/tables/{table}/seat", {}),
        ("GET", "/healthz", {}),
        ("POST", "/api/v1/sessions", {"body": {"login": staff.FIRST, "password": staff.password_of(staff.FIRST)}}),
    ]
    for method, path, how in said:
        case = schema[path][method].Case(path_parameters={"table": table} if "{table}" in path else {}, **how)
        answer = case.call(headers={"Authorization": f"Bearer {ann.token}"}, timeout=LIMIT)
        assert answer.status_code in (200, 201), (path, answer.text)
        case.validate_response(answer, checks=[status_code_conformance, response_schema_conformance])
    case = schema["/api/v1/rounds/{round}"]["GET"].Case(path_parameters={"round": "played.1"})
    answer = case.call(timeout=LIMIT)
    assert answer.status_code == 200, answer.text
    case.validate_response(answer, checks=[status_code_conformance, response_schema_conformance])
