"""Users and players as terminal pages: roles, sessions, sign-in events, and balances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from cardroom.games.money import format_cents
from cardroom.ledger import Time
from cardroom.room.setup.calendar import Calendar
from cardroom.room.user.permissions import role_with_article
from cardroom.room.user.sign_in import UserSession, locked_places
from cardroom.room.user.state import UserState
from cardroom.service import Occupant, PlayerAccount, PlayerAccountSummary
from cardroom.service.chain_descriptions import EventText
from cardroom.service.json_output import describe_user_state
from cardroom.terminal.console import QUIET, SLUG
from cardroom.terminal.pages.columns import CellText, ColumnAlign, ColumnHeading, TextColumns

SHORT_DIGEST_LENGTH = 12
"""The digits of a session's digest that pages show."""


def users_table(users: Sequence[UserState]) -> RenderableType:
    """One line per user."""
    if not users:
        return Text("There are no users yet: `cardroom init` adds the first operator.", QUIET)
    headings = [
        ColumnHeading("Login"),
        ColumnHeading("Name"),
        ColumnHeading("Role"),
        ColumnHeading("State", ColumnAlign.SENTENCE),
    ]
    rows: list[list[CellText]] = [
        [Text(user.login, SLUG), user.name, str(user.role), describe_user_state(user)] for user in users
    ]
    return TextColumns(headings, rows)


def user_page(state: UserState, now: Time, calendar: Calendar) -> RenderableType:
    """A user with all open sessions."""
    reason = f": {state.deactivation_reason}" if state.deactivation_reason else ""
    failed_tries = sum(item.counted for item in state.attempts.values())
    warning = f" Wrong passwords in a row: {failed_tries}." if failed_tries else ""
    if places := locked_places(state, now):
        warning += f" Locked at {', '.join(places)}."
    title = Text.assemble(
        (state.login, SLUG),
        f" is {state.name}, {role_with_article(state.role)}: {describe_user_state(state)}{reason}.{warning}",
    )
    open_sessions = {seal: item for seal, item in state.sessions.items() if item.until >= now}
    if not open_sessions:
        return Group(title, Text("Not signed in.", QUIET))
    headings = [
        ColumnHeading("Session"),
        ColumnHeading("Signed in at"),
        ColumnHeading("Until", ColumnAlign.NO_WRAP),
        ColumnHeading("Locked"),
    ]
    rows: list[list[CellText]] = [
        [seal[:SHORT_DIGEST_LENGTH], item.address, calendar.format_time(item.until), item.locked]
        for seal, item in open_sessions.items()
    ]
    return Group(title, TextColumns(headings, rows), Text(calendar.zone_text, QUIET))


def session_text(session: UserSession, calendar: Calendar) -> RenderableType:
    """The signed-in user, and the end of the session."""
    expiry = calendar.format_time(session.until)
    lines = [
        Text.assemble((session.login, SLUG), f" is signed in as {role_with_article(session.role)} until {expiry}.")
    ]
    if session.must_change_password:
        lines.append(Text("This is a one-time password: choose a new one now with `cardroom user change-password`."))
    return Group(*lines, Text(calendar.zone_text, QUIET))


def user_log_page(events: Sequence[tuple[str, EventText]], calendar: Calendar) -> RenderableType:
    """One line per event with its user, newest first."""
    rows: list[list[CellText]] = [
        [calendar.format_time(event.time), Text(login, SLUG), event.sentences] for login, event in events
    ]
    headings = [
        ColumnHeading("Time", ColumnAlign.NO_WRAP),
        ColumnHeading("Login"),
        ColumnHeading("What happened", ColumnAlign.SENTENCE),
    ]
    return Group(TextColumns(headings, rows), Text(calendar.zone_text, QUIET))


def balance_text(result: PlayerAccountSummary) -> RenderableType:
    """The balance after a command."""
    return Text.assemble((result.player, SLUG), f" has {format_cents(result.balance)} of {result.money.label}.")


def players_table(players: Sequence[PlayerAccount]) -> RenderableType:
    """One line per player."""
    if not players:
        return Text(
            "There is no player: `cardroom player add` adds one; --guests lists guests.",
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


def player_page(state: PlayerAccount, seats_by_table: Mapping[str, Occupant]) -> RenderableType:
    """The balance, the chips at each seat, and the total."""
    kind = "guest" if state.guest else "player"
    rows: list[list[CellText]] = [["Balance", format_cents(state.balance)]]
    for table, seat in seats_by_table.items():
        rows.append([f"Chips at seat {seat.seat} of {table}", format_cents(seat.chips)])
        if seat.wagered:
            rows.append([f"Wagers at seat {seat.seat} of {table}", format_cents(seat.wagered)])
    total = state.balance + sum(seat.chips + seat.wagered for seat in seats_by_table.values())
    headings = [ColumnHeading(f"{state.player}, {kind}, {state.money.label}"), ColumnHeading("", ColumnAlign.RIGHT)]
    return TextColumns(headings, rows, ["Total", format_cents(total)])
