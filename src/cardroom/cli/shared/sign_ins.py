"""The log of people who sign in: the chain of one, or all chains as one."""

from __future__ import annotations

import heapq
from itertools import islice

from cardroom.cli.shared.answers import Answer
from cardroom.floor import Floor
from cardroom.floor.kept.chains import person_chain
from cardroom.floor.kept.recall import newest_first
from cardroom.floor.telling import told_events
from cardroom.ledger import Event
from cardroom.terminal.pages.people import log_page


def sign_ins_told(floor: Floor, login: str | None, last: int) -> Answer:
    """The last events in sentences, the newest first, each with whose it is."""
    if login is not None:
        floor.person(login)
    chains = {person_chain(one): one for one in ((login,) if login is not None else floor.people())}

    def age(event: Event) -> tuple[int, int]:
        return -event.time, -event.sequence

    merged = heapq.merge(*(newest_first(floor.ledger, chain) for chain in chains), key=age)
    events = [*islice(merged, last)]
    told = [*zip((chains[one.chain] for one in events), told_events(events, floor.calendar.told), strict=True)]
    return Answer({"events": [{"login": who, **one.entry()} for who, one in told]}, log_page(told, floor.calendar))
