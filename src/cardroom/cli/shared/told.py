"""Commands that tell a chain in sentences."""

from __future__ import annotations

from itertools import islice

from cardroom.cli.shared.answers import Answer
from cardroom.floor import Floor
from cardroom.floor.kept.recall import newest_first
from cardroom.floor.telling import told_events
from cardroom.terminal.pages.card_room import event_log_page


def told_answer(floor: Floor, chain: str, last: int) -> Answer:
    """The last events of a chain in sentences, the newest first."""
    events = islice(newest_first(floor.ledger, chain), last)
    told = [*told_events(events, floor.calendar.told)]
    entry = {"chain": chain, "events": [one.entry() for one in told]}
    return Answer(entry, event_log_page(told, floor.calendar))
