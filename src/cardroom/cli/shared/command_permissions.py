"""The permission that each command needs, by the command's full name, in the order of the help.

A command that is missing here is refused. Some commands need another permission for certain arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import typer

from cardroom.room.user.permissions import Permission

COMMAND_PERMISSIONS: Final[Mapping[str, Permission]] = {
    # Without a database: rules, odds, examples, and devices that have a token of their own.
    "games": Permission.WATCH,
    "paytables": Permission.WATCH,
    "settle": Permission.WATCH,
    "play": Permission.WATCH,
    "odds": Permission.WATCH,
    "strategy": Permission.WATCH,
    "simulate": Permission.WATCH,
    "par": Permission.WATCH,
    "rng stream": Permission.WATCH,
    "rng test": Permission.WATCH,
    "rng check-seal": Permission.WATCH,
    "tablebase build": Permission.WATCH,
    "tablebase check": Permission.WATCH,
    # The server starts without a user; it checks each request itself.
    "serve": Permission.SIGN_IN,
    # The packages that the program needs.
    "dependency export": Permission.WATCH,
    "dependency list": Permission.WATCH,
    # Only while the database has no user.
    "init": Permission.SIGN_IN,
    "sign-in": Permission.SIGN_IN,
    "sign-out": Permission.SIGN_IN,
    "whoami": Permission.SIGN_IN,
    # For users of the staff: Permission.KEEP_PEOPLE.
    "user add": Permission.KEEP_PLAYERS_LOGINS,
    "user recover": Permission.KEEP_PLAYERS_LOGINS,
    # No operator can sign in: two people at the machine confirm it, and the record stays.
    "user recover-operator": Permission.SIGN_IN,
    "user acknowledge-recovery": Permission.ACKNOWLEDGE_RECOVERIES,
    "user change-role": Permission.KEEP_PEOPLE,
    "user deactivate": Permission.KEEP_PEOPLE,
    # For another user: Permission.KEEP_PEOPLE.
    "user end-session": Permission.OWN_ACCOUNT,
    "user list": Permission.SEE_SIGN_INS,
    "user show": Permission.SEE_SIGN_INS,
    "user history": Permission.SEE_SIGN_INS,
    "user change-password": Permission.OWN_ACCOUNT,
    "user change-pin": Permission.OWN_ACCOUNT,
    "jackpot print-example": Permission.WATCH,
    "jackpot add": Permission.OPEN_JACKPOTS,
    "jackpot change": Permission.SET_RATES,
    "jackpot remove": Permission.SET_RATES,
    "jackpot adjust": Permission.ADJUST_METERS,
    "jackpot deposit": Permission.KEEP_CUSTODY,
    "jackpot reimburse": Permission.REIMBURSE_CAGE,
    "jackpot reconcile": Permission.RECONCILE,
    "jackpot disable": Permission.SWITCH_JACKPOTS,
    "jackpot enable": Permission.SWITCH_JACKPOTS,
    "jackpot list": Permission.SEE_OFFICE,
    "jackpot show": Permission.SEE_OFFICE,
    "jackpot history": Permission.SEE_REPORTS,
    "tabulator press": Permission.TABULATE,
    "tabulator count-by-hand": Permission.TABULATE,
    # With --second, for more than the table can have played: Permission.ACCEPT_GAPS.
    "tabulator read": Permission.TABULATE,
    "tabulator fault": Permission.DECLARE_FAULTS,
    "tabulator clear-fault": Permission.DECLARE_FAULTS,
    "tabulator report-lights": Permission.DECLARE_FAULTS,
    "tabulator history": Permission.SEE_ROUNDS,
    # The wagers of the reading come off the meters.
    "reading reverse": Permission.ADJUST_METERS,
    # The unit's own file, while the server is unreachable: no sign-in is possible.
    "data-logger press": Permission.WATCH,
    "data-logger status": Permission.WATCH,
    # With --accept-gap: Permission.ACCEPT_GAPS.
    "data-logger forward": Permission.TABULATE,
    "claim add": Permission.DEAL,
    "claim pay": Permission.PAY_JACKPOTS,
    "claim print-slip": Permission.SEE_REPORTS,
    "claim refuse": Permission.PAY_JACKPOTS,
    "prize reverse": Permission.PAY_JACKPOTS,
    # Displays are public.
    "display show": Permission.WATCH,
    "malfunction report": Permission.REPORT_MALFUNCTIONS,
    "malfunction mark-sent": Permission.REPORT_MALFUNCTIONS,
    "malfunction close": Permission.REPORT_MALFUNCTIONS,
    "malfunction list": Permission.SEE_OFFICE,
    "promotion add": Permission.ANNOUNCE_PROMOTIONS,
    "promotion pay": Permission.PAY_PROMOTIONS,
    "promotion end": Permission.ANNOUNCE_PROMOTIONS,
    "promotion list": Permission.SEE_OFFICE,
    "report history": Permission.SEE_REPORTS,
    "report meters": Permission.SEE_REPORTS,
    "report deposits": Permission.SEE_REPORTS,
    "report reconciliation": Permission.SEE_REPORTS,
    "report master-games": Permission.SEE_REPORTS,
    "report events": Permission.SEE_REPORTS,
    "report activity": Permission.SEE_REPORTS,
    "rounds list": Permission.SEE_ROUNDS,
    "rounds show": Permission.SEE_ROUNDS,
    "rounds settle": Permission.SEE_ROUNDS,
    "rounds void": Permission.VOID_ROUNDS,
    "rounds export": Permission.SEE_ROUNDS,
    "player list": Permission.SEE_PLAYERS,
    "player show": Permission.SEE_PLAYERS,
    "player history": Permission.SEE_PLAYERS,
    "player add": Permission.ADMIT_PLAYERS,
    "player pay-in": Permission.PAY_PLAYERS,
    "player pay-out": Permission.PAY_PLAYERS,
    "room print-example": Permission.WATCH,
    "room configure": Permission.SET_UP_ROOM,
    "room confirm-clock": Permission.CONFIRM_CLOCK,
    "room history": Permission.SEE_OFFICE,
    "room show": Permission.SEE_OFFICE,
    "day open": Permission.RUN_DAYS,
    "day close": Permission.RUN_DAYS,
    "day show": Permission.SEE_OFFICE,
    "day report": Permission.SEE_REPORTS,
    "heads export": Permission.SEND_HEADS,
    # Like `verify`: an auditor compares a folder with a copy of the database.
    "heads verify": Permission.WATCH,
    "heads print": Permission.SEND_HEADS,
    "heads verify-file": Permission.SEND_HEADS,
    # It prints complete events, as the ledger's pages do.
    "heads prove": Permission.SEE_BOOKS,
    "heads check-proof": Permission.WATCH,
    "heads show-key": Permission.SEND_HEADS,
    "heads replace-key": Permission.SET_UP_ROOM,
    # On another machine, without a database.
    "witness serve": Permission.WATCH,
    "table add": Permission.SET_UP_TABLES,
    "table change": Permission.CHANGE_TABLES,
    "table compare": Permission.SET_UP_TABLES,
    "table move": Permission.SET_UP_TABLES,
    "table link": Permission.SET_UP_TABLES,
    "table unlink": Permission.SET_UP_TABLES,
    "table remove": Permission.SET_UP_TABLES,
    "table pause": Permission.RUN_TABLES,
    "table resume": Permission.RUN_TABLES,
    # As in the lobby.
    "table list": Permission.WATCH,
    "table show": Permission.SEE_CONSOLES,
    "table history": Permission.SEE_ROUNDS,
    "device add": Permission.KEEP_DEVICES,
    "device renew": Permission.KEEP_DEVICES,
    "device remove": Permission.KEEP_DEVICES,
    "device list": Permission.SEE_OFFICE,
    "device accept-gap": Permission.ACCEPT_GAPS,
    "device accept-rounds": Permission.ACCEPT_GAPS,
    "device refuse-rounds": Permission.ACCEPT_GAPS,
    "device simulate": Permission.WATCH,
    "device watch": Permission.WATCH,
    # It prints only whether the ledger is consistent; a laboratory verifies a copy in which it has no login.
    "verify": Permission.WATCH,
    # A service makes backups at night without a user; it can read the database anyway.
    "backup": Permission.SIGN_IN,
    "restore": Permission.RESTORE,
    # It prints no secret, and without the right key no user could sign in.
    "key show": Permission.WATCH,
    "key rotate": Permission.KEEP_KEY,
    "key backup": Permission.KEEP_KEY,
    "key replace": Permission.KEEP_KEY,
}


class UndeclaredCommand(LookupError):
    """A command without a declared permission."""


def permission_for(command: str) -> Permission:
    """The permission that a command needs.

    >>> permission_for("player pay-in")
    <Permission.PAY_PLAYERS: "take in and pay out players' money">
    """
    if command not in COMMAND_PERMISSIONS:
        raise UndeclaredCommand(
            f"The command {command!r} has no permission: declare it in cardroom.cli.shared.command_permissions."
        )
    return COMMAND_PERMISSIONS[command]


def command_name(context: typer.Context) -> str:
    """The full name of the command, such as "claim pay"."""
    return " ".join(_command_path(context))


def _command_path(context: Any) -> list[str]:
    if context.parent is None:
        return []
    return [*_command_path(context.parent), str(context.info_name)]
