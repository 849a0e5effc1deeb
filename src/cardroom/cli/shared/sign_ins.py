"""The log of people who sign in: the chain of one, or all chains as one."""

from __future__ import annotations

from itertools import islice

from cardroom.cli.shared.answers import Answer
from cardroom.floor import Floor
from cardroom.floor.kept.chains import person_of
from cardroom.floor.kept.door_log import log_of
from cardroom.floor.telling import told_events
from cardroom.terminal.pages.users import user_log_page


def sign_ins_told(floor: Floor, login: str | None, last: int) -> Answer:
    """The last events in sentences, the newest first, each with whose it is."""
    if login is not None:
        floor.person(login)
    logins = (login,) if login is not None else floor.people()
    events = [*islice(log_of(floor.ledger, logins), last)]
    whose = (person_of(one.chain) or "" for one in events)
    told = [*zip(whose, told_events(events, floor.calendar.told), strict=True)]
    return Answer({"events": [{"login": who, **one.entry()} for who, one in told]}, user_log_page(told, floor.calendar))
