"""Users and players as terminal pages: who they are, where they are signed in, their history, and their balances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from cardroom.floor import PlayerStanding, PlayerState, Seated
from cardroom.floor.people.permissions import a_role
from cardroom.floor.people.signing import Session, locked_at
from cardroom.floor.people.state import PersonState
from cardroom.floor.person_entries import state_words
from cardroom.floor.telling import ToldEvent
from cardroom.games.money import format_cents
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.ledger import Time
from cardroom.terminal.console import QUIET, SLUG
from cardroom.terminal.pages.columns import CellText, ColumnAlign, ColumnHeading, TextColumns

SHORT_DIGEST_LENGTH = 12
"""How much of a session's seal people read and type."""


def users_table(users: Sequence[PersonState]) -> RenderableType:
    """A line a person."""
    if not users:
        return Text("Nobody can sign in yet: `cardroom people first` registers the first operator.", QUIET)
    headings = [
        ColumnHeading("Login"),
        ColumnHeading("Name"),
        ColumnHeading("Role"),
        ColumnHeading("State", ColumnAlign.SENTENCE),
    ]
    rows: list[list[CellText]] = [
        [Text(user.login, SLUG), user.name, str(user.role), state_words(user)] for user in users
    ]
    return TextColumns(headings, rows)


def user_page(state: PersonState, now: Time, calendar: Calendar) -> RenderableType:
    """Who somebody is, and every session that lasts."""
    reason = f": {state.dismissed}" if state.dismissed else ""
    failed_tries = sum(item.counted for item in state.tries.values())
    warning = f" Wrong passwords in a row: {failed_tries}." if failed_tries else ""
    if places := locked_at(state, now):
        warning += f" Locked at {', '.join(places)}."
    title = Text.assemble(
        (state.login, SLUG), f" is {state.name}, {a_role(state.role)}: {state_words(state)}{reason}.{warning}"
    )
    open_sessions = {seal: item for seal, item in state.sessions.items() if item.until >= now}
    if not open_sessions:
        return Group(title, Text("Signed in nowhere.", QUIET))
    headings = [
        ColumnHeading("Session"),
        ColumnHeading("Signed in at"),
        ColumnHeading("Until", ColumnAlign.NO_WRAP),
        ColumnHeading("Locked"),
    ]
    rows: list[list[CellText]] = [
        [seal[:SHORT_DIGEST_LENGTH], item.address, calendar.told(item.until), item.locked]
        for seal, item in open_sessions.items()
    ]
    return Group(title, TextColumns(headings, rows), Text(calendar.said, QUIET))


def session_text(session: Session, calendar: Calendar) -> RenderableType:
    """Who is signed in, and for how long."""
    expiry = calendar.told(session.until)
    lines = [Text.assemble((session.login, SLUG), f" is signed in as {a_role(session.role)} until {expiry}.")]
    if session.must_choose:
        lines.append(Text("The password is for one time: choose another one now with `cardroom people password`."))
    return Group(*lines, Text(calendar.said, QUIET))


def user_log_page(events: Sequence[tuple[str, ToldEvent]], calendar: Calendar) -> RenderableType:
    """A line an event, the newest first, each with whose it is."""
    rows: list[list[CellText]] = [
        [calendar.told(event.time), Text(login, SLUG), event.sentences] for login, event in events
    ]
    headings = [
        ColumnHeading("Time", ColumnAlign.NO_WRAP),
        ColumnHeading("Login"),
        ColumnHeading("What happened", ColumnAlign.SENTENCE),
    ]
    return Group(TextColumns(headings, rows), Text(calendar.said, QUIET))


def balance_text(result: PlayerStanding) -> RenderableType:
    """The balance after a command."""
    return Text.assemble((result.player, SLUG), f" has {format_cents(result.balance)} of {result.money.label}.")


def players_table(players: Sequence[PlayerState]) -> RenderableType:
    """A line a player."""
    if not players:
        return Text(
            "There is no player: `cardroom players admit` gives one an account; --guests lists guests.",
            QUIET,
        )
    headings = [
        ColumnHeading("Player"),
        ColumnHeading("Balance", ColumnAlign.RIGHT),
        ColumnHeading("Money"),
        ColumnHeading("Seats", ColumnAlign.SENTENCE),
    ]
    rows: list[list[CellText]] = [
        [Text(player.player, SLUG), format_cents(player.balance), player.money.label, _seats(player.seats)]
        for player in players
    ]
    return TextColumns(headings, rows)


def _seats(seats: Mapping[str, int]) -> str:
    return ", ".join(f"{seat} of {table}" for table, seat in seats.items())


def player_page(state: PlayerState, seats_by_table: Mapping[str, Seated]) -> RenderableType:
    """The balance, the chips at each seat, and all of it together."""
    kind = "guest" if state.guest else "player"
    rows: list[list[CellText]] = [["Balance", format_cents(state.balance)]]
    for table, seat in seats_by_table.items():
        rows.append([f"Chips at seat {seat.seat} of {table}", format_cents(seat.chips)])
        if seat.down:
            rows.append([f"Wagers at seat {seat.seat} of {table}", format_cents(seat.down)])
    total = state.balance + sum(seat.chips + seat.down for seat in seats_by_table.values())
    headings = [ColumnHeading(f"{state.player}, {kind}, {state.money.label}"), ColumnHeading("", ColumnAlign.RIGHT)]
    return TextColumns(headings, rows, ["In all", format_cents(total)])
