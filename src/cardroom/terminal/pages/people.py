"""People who sign in: who they are, where they are signed in, and what their chains tell."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from cardroom.floor.people.permissions import a_role
from cardroom.floor.people.signing import Session, locked_at
from cardroom.floor.people.state import PersonState
from cardroom.floor.person_entries import state_words
from cardroom.floor.telling import ToldEvent
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.ledger import Time
from cardroom.terminal.pages.columns import Align, CellText, Columns, Heading
from cardroom.terminal.palette import QUIET, SLUG

SHORT = 12
"""How much of a session's seal people read and type."""


def people_table(people: Sequence[PersonState]) -> RenderableType:
    """A line a person."""
    if not people:
        return Text("Nobody can sign in yet: `cardroom people first` registers the first operator.", QUIET)
    headings = [Heading("Login"), Heading("Name"), Heading("Role"), Heading("State", Align.SENTENCE)]
    rows: list[list[CellText]] = [[Text(one.login, SLUG), one.name, str(one.role), state_words(one)] for one in people]
    return Columns(headings, rows)


def person_page(state: PersonState, now: Time, calendar: Calendar) -> RenderableType:
    """Who somebody is, and every session that lasts."""
    why = f": {state.dismissed}" if state.dismissed else ""
    counted = sum(one.counted for one in state.tries.values())
    wrong = f" Wrong passwords in a row: {counted}." if counted else ""
    if places := locked_at(state, now):
        wrong += f" Locked at {', '.join(places)}."
    who = Text.assemble(
        (state.login, SLUG), f" is {state.name}, {a_role(state.role)}: {state_words(state)}{why}.{wrong}"
    )
    there = {seal: one for seal, one in state.sessions.items() if one.until >= now}
    if not there:
        return Group(who, Text("Signed in nowhere.", QUIET))
    headings = [Heading("Session"), Heading("Signed in at"), Heading("Until", Align.WHOLE), Heading("Locked")]
    rows: list[list[CellText]] = [
        [seal[:SHORT], one.address, calendar.told(one.until), one.locked] for seal, one in there.items()
    ]
    return Group(who, Columns(headings, rows), Text(calendar.said, QUIET))


def session_text(session: Session, calendar: Calendar) -> RenderableType:
    """Who is signed in, and for how long."""
    until = calendar.told(session.until)
    lines = [Text.assemble((session.login, SLUG), f" is signed in as {a_role(session.role)} until {until}.")]
    if session.must_choose:
        lines.append(Text("The password is for one time: choose another one now with `cardroom people password`."))
    return Group(*lines, Text(calendar.said, QUIET))


def log_page(told: Sequence[tuple[str, ToldEvent]], calendar: Calendar) -> RenderableType:
    """A line an event, the newest first, each with whose it is."""
    rows: list[list[CellText]] = [[calendar.told(one.time), Text(login, SLUG), one.sentences] for login, one in told]
    headings = [Heading("Time", Align.WHOLE), Heading("Login"), Heading("What happened", Align.SENTENCE)]
    return Group(Columns(headings, rows), Text(calendar.said, QUIET))
