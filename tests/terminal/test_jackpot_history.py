"""How the history of a jackpot is shown."""

from __future__ import annotations

from cardroom.chart_of_accounts import DOLLAR
from cardroom.ledger import Event
from cardroom.reports.accounting.report import dollar_text
from cardroom.room.claim.new_claim import claim_record
from cardroom.room.descriptions.event_descriptions import describe_details
from cardroom.room.event_types import DomainEvent
from cardroom.service.queries.jackpot_history import list_change_lines
from tests.room.jackpots import TIES, JackpotLedger, duel_record


def won_on_two_lines() -> tuple[DomainEvent, ...]:
    """A tenth of the meter, and all of it."""
    ledger = JackpotLedger(TIES)
    record = duel_record("two", "color")
    return ledger.do(claim_record(ledger.state, record, ledger.submission("c1", round_id="r1", dealer="Dan")))


def test_each_line_begins_where_the_one_before_left_off_when_prizes_go_beyond_the_meter() -> None:
    events = [
        Event("ties", at, f"c/{at}", one.kind, one.version, at, one.payload, b"", b"", b"")
        for at, one in enumerate(won_on_two_lines(), 1)
    ]
    lines = list(list_change_lines(reversed(events)))[::-1]
    assert [(line.reason, line.before, line.amount) for line in lines] == [
        ("added for prizes beyond the meter", 500 * DOLLAR, 50 * DOLLAR),
        ("prize won", 550 * DOLLAR, -550 * DOLLAR),
        ("reset", 0, 500 * DOLLAR),
    ]
    assert [line.note for line in lines[::2]] == ["$50.00 from the house", "$500.00 from the house"]


def test_the_books_tell_from_where_prizes_beyond_the_meter_came() -> None:
    locked, _ = won_on_two_lines()
    assert describe_details(locked.kind, locked.payload, dollar_text).endswith(
        "beyond the amount on color: $50.00 from the house"
    )
