"""At a dealer's console: dealers deal, others look on, and a round is voided by two people who have both signed."""

from __future__ import annotations

import re
import uuid

from cardroom.chart_of_accounts import Currency
from cardroom.service import DealingMode, PlayTerms
from cardroom.service.chains.names import table_chain
from tests.service.staff import AUDITOR, CAGE, DEALER, OPERATOR, SUPERVISOR, SURVEILLANCE, staffed
from tests.web.rooms import ServedRoom
from tests.web.users import Visitor, add_signature, visit

LIVE = PlayTerms(mode=DealingMode.LIVE, money=Currency.REAL)


def dealt(room: ServedRoom, table: str) -> Visitor:
    """A live table at which a dealer has begun a round."""
    staffed(room.card_room)
    room.open_table(table, terms=LIVE)
    dealer = visit(room, DEALER)
    assert dealer.send_form(f"/dealer/{table}/begin", id=uuid.uuid4().hex, positions="1").status_code == 204
    return dealer


def test_a_round_is_voided_by_two_people_who_sign(room: ServedRoom) -> None:
    dealer, path = dealt(room, "live-a"), "/dealer/live-a/void"
    before = room.card_room.ledger.head(table_chain("live-a"))
    for typed, sentence in (
        ({}, "Two people"),
        ({"second": SUPERVISOR}, "The login or the password is wrong"),
        (add_signature(DEALER), "Two people"),
        (add_signature(CAGE), "may sign as the second person to void a round"),
        ({"second": SUPERVISOR, "second-password": "not that one"}, "The login or the password is wrong"),
    ):
        answer = dealer.send_form(path, {"id": "b" * 32, "why": "a fire drill", **typed})
        assert answer.status_code in (401, 403, 422), answer.text
        assert sentence in answer.text
    assert room.card_room.ledger.head(table_chain("live-a")) == before
    signed = add_signature(SUPERVISOR, id="b" * 32, why="a fire drill")
    assert dealer.send_form(path, signed).status_code == 204
    assert dealer.send_form(path, signed).status_code == 204  # sent again, it was done
    (off,) = [
        event for event in room.card_room.ledger.events(table_chain("live-a")) if event.kind == "live-round-canceled"
    ]
    assert (off.payload["who"], off.payload["second"]) == (DEALER, SUPERVISOR)


def test_who_may_not_deal_looks_on_and_is_offered_nothing(room: ServedRoom) -> None:
    dealer = dealt(room, "live-b")
    buttons = re.compile(r"<button(?![^>]*type=.button)([^>]*)>")

    def offered(visitor: Visitor) -> list[str]:
        console = visitor.get("/dealer/live-b").text.partition('<div class="console"')[2].partition("<template")[0]
        return [button for button in buttons.findall(console) if "disabled" not in button]

    assert offered(dealer)
    for login in (SURVEILLANCE, AUDITOR):
        assert offered(visit(room, login)) == []
        assert visit(room, login).send_form("/dealer/live-b/step", id="c" * 32, step="wagers").status_code == 403
    (void,) = offered(visit(room, OPERATOR))
    assert "/void" in void
    assert visit(room, CAGE).get("/dealer/live-b").status_code == 403
