"""What pages send is read in one place: too much of it is refused with a sentence, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from cardroom.web.middleware.rate_limits import DEFAULT_LIMITS
from tests.service.staff import DEALER, OPERATOR, staffed
from tests.web.rooms import ServedRoom, serve_room
from tests.web.users import Visitor, visit

LARGEST = DEFAULT_LIMITS.body
FORMS = ("/office/day/open", "/office/tables/new", "/dealer/table-1/void", "/lab/three-card-prime/simulation")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    with serve_room(tmp_path_factory.mktemp("forms")) as room:
        staffed(room.card_room)
        yield room


@pytest.fixture(scope="module")
def people(room: ServedRoom) -> dict[str, Visitor]:
    """Who sends what: consoles are the dealer's."""
    return {"office": visit(room, OPERATOR), "dealer": visit(room, DEALER), "lab": visit(room, OPERATOR)}


def sent(people: dict[str, Visitor], path: str, body: bytes) -> httpx.Response:
    visitor = people[path.split("/")[1]]
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    return visitor.post(path, content=f"form={visitor.form}&".encode() + body, headers=headers)


@pytest.mark.parametrize("path", FORMS)
def test_a_form_that_is_too_long_is_refused_and_changes_nothing(
    room: ServedRoom, people: dict[str, Visitor], path: str
) -> None:
    before = room.card_room.ledger.chain_lengths("")
    answer = sent(people, path, b"id=form-1&why=" + b"x" * LARGEST)
    assert answer.status_code == 413
    assert f"The body is longer than {LARGEST:,} bytes. Send less." in answer.text
    assert room.card_room.ledger.chain_lengths("") == before


@pytest.mark.parametrize("path", FORMS)
def test_a_form_that_cannot_be_read_is_refused_too(people: dict[str, Visitor], path: str) -> None:
    for body in (b"why=\xff\xfe", b"&".join(b"field-%d=1" % number for number in range(2_000))):
        answer = sent(people, path, body)
        assert answer.status_code == 422
        assert "Reload the page" in answer.text


def test_a_form_as_long_as_any_is_read(room: ServedRoom, people: dict[str, Visitor]) -> None:
    answer = sent(people, "/office/day/open", b"id=form-2&filler=" + b"x" * (LARGEST - 100))
    assert answer.status_code == 303
    assert room.card_room.room().days.open is not None


def test_a_signed_in_user_stops_a_simulation_with_the_form_of_its_page(people: dict[str, Visitor]) -> None:
    visitor = people["lab"]
    begun = visitor.send_form("/lab/three-card-prime/simulation", rounds="50,000,000", seed="1", strategy="best")
    assert begun.status_code == 303
    run = begun.headers["location"]
    assert f'name="form" value="{visitor.form}"' in visitor.get(run).text
    assert visitor.post(f"{run}/stop").status_code == 403
    assert visitor.send_form(f"{run}/stop").headers["location"] == run
