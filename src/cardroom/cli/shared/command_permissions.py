"""Which right each command asks for: every command there is, by its whole name, in the order of the help.

A command without a line here lets nobody in. Some commands ask for more inside, for what was typed: whoever may come in
at all may do the least of it.

The command that is being given: its whole name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import typer

from cardroom.room.user.permissions import Permission

COMMAND_PERMISSIONS: Final[Mapping[str, Permission]] = {
    # Without books: rules, odds, examples, and units that speak over the network with a token of their own.
    "games": Permission.WATCH,
    "paytables": Permission.WATCH,
    "settle": Permission.WATCH,
    "play": Permission.WATCH,
    "odds": Permission.WATCH,
    "strategy": Permission.WATCH,
    "simulate": Permission.WATCH,
    "par": Permission.WATCH,
    "rng stream": Permission.WATCH,
    "rng report": Permission.WATCH,
    "rng seal": Permission.WATCH,
    "tablebase build": Permission.WATCH,
    "tablebase check": Permission.WATCH,
    # What the program is made of.
    "sbom": Permission.WATCH,
    "licences": Permission.WATCH,
    # A service starts without anybody; who comes in through it is asked there.
    "serve": Permission.SIGN_IN,
    "sign-in": Permission.SIGN_IN,
    "sign-out": Permission.SIGN_IN,
    "whoami": Permission.SIGN_IN,
    # Only while nobody is there who could be asked.
    "people first": Permission.SIGN_IN,
    # No operator can sign in: two people at the machine answer for it, and the record stays.
    "people recover-operator": Permission.SIGN_IN,
    "people acknowledge": Permission.ACKNOWLEDGE_RECOVERIES,
    # Of people of the staff: Right.KEEP_PEOPLE.
    "people register": Permission.KEEP_PLAYERS_LOGINS,
    "people recover": Permission.KEEP_PLAYERS_LOGINS,
    "people dismiss": Permission.KEEP_PEOPLE,
    "people role": Permission.KEEP_PEOPLE,
    # Of somebody else: Right.KEEP_PEOPLE.
    "people end-session": Permission.OWN_ACCOUNT,
    "people password": Permission.OWN_ACCOUNT,
    "people pin": Permission.OWN_ACCOUNT,
    "people list": Permission.SEE_SIGN_INS,
    "people show": Permission.SEE_SIGN_INS,
    "people log": Permission.SEE_SIGN_INS,
    "jackpot example": Permission.WATCH,
    "jackpot open": Permission.OPEN_JACKPOTS,
    "jackpot table": Permission.SET_UP_TABLES,
    "jackpot move-table": Permission.SET_UP_TABLES,
    "jackpot close-table": Permission.SET_UP_TABLES,
    "jackpot link": Permission.SET_UP_TABLES,
    "jackpot unlink": Permission.SET_UP_TABLES,
    "jackpot change": Permission.SET_RATES,
    "jackpot remove": Permission.SET_RATES,
    "jackpot tabulate": Permission.TABULATE,
    "jackpot count": Permission.TABULATE,
    # More than the table can have played, with a second person: Right.ACCEPT_GAPS.
    "jackpot counter": Permission.TABULATE,
    # The wagers of the reading go off the meters again.
    "jackpot take-back": Permission.ADJUST_METERS,
    "jackpot void": Permission.VOID_ROUNDS,
    "jackpot broken": Permission.DECLARE_FAULTS,
    "jackpot repaired": Permission.DECLARE_FAULTS,
    "jackpot lights": Permission.DECLARE_FAULTS,
    # The unit's own file, while the server is away: nobody could sign in. Forwarding it is another command.
    "jackpot press": Permission.WATCH,
    "jackpot waiting": Permission.WATCH,
    # With --accept-gap: Right.ACCEPT_GAPS.
    "jackpot logger": Permission.TABULATE,
    "jackpot claim": Permission.DEAL,
    "jackpot pay": Permission.PAY_JACKPOTS,
    "jackpot slip": Permission.SEE_REPORTS,
    "jackpot refuse": Permission.PAY_JACKPOTS,
    "jackpot take-back-prize": Permission.PAY_JACKPOTS,
    "jackpot adjust": Permission.ADJUST_METERS,
    "jackpot deposit": Permission.KEEP_CUSTODY,
    "jackpot reconcile": Permission.RECONCILE,
    "jackpot reimburse": Permission.REIMBURSE_CAGE,
    "jackpot disable": Permission.SWITCH_JACKPOTS,
    "jackpot enable": Permission.SWITCH_JACKPOTS,
    "jackpot show": Permission.SEE_OFFICE,
    # What hangs over the table for everybody.
    "jackpot display": Permission.WATCH,
    "jackpot history": Permission.SEE_REPORTS,
    "jackpot recall": Permission.SEE_ROUNDS,
    "jackpot heads": Permission.SEND_HEADS,
    "jackpot malfunction report": Permission.REPORT_MALFUNCTIONS,
    "jackpot malfunction sent": Permission.REPORT_MALFUNCTIONS,
    "jackpot malfunction close": Permission.REPORT_MALFUNCTIONS,
    "jackpot malfunction list": Permission.SEE_OFFICE,
    "jackpot promotion announce": Permission.ANNOUNCE_PROMOTIONS,
    "jackpot promotion pay": Permission.PAY_PROMOTIONS,
    "jackpot promotion end": Permission.ANNOUNCE_PROMOTIONS,
    "jackpot promotion show": Permission.SEE_OFFICE,
    "jackpot report history": Permission.SEE_REPORTS,
    "jackpot report meters": Permission.SEE_REPORTS,
    "jackpot report deposits": Permission.SEE_REPORTS,
    "jackpot report reconciliation": Permission.SEE_REPORTS,
    "jackpot report master": Permission.SEE_REPORTS,
    "jackpot report recall": Permission.SEE_REPORTS,
    "jackpot report activity": Permission.SEE_REPORTS,
    "rounds list": Permission.SEE_ROUNDS,
    "rounds show": Permission.SEE_ROUNDS,
    "rounds settle": Permission.SEE_ROUNDS,
    "rounds history": Permission.SEE_ROUNDS,
    "rounds export": Permission.SEE_ROUNDS,
    "players list": Permission.SEE_PLAYERS,
    "players show": Permission.SEE_PLAYERS,
    "players history": Permission.SEE_PLAYERS,
    "players admit": Permission.ADMIT_PLAYERS,
    "players pay-in": Permission.PAY_PLAYERS,
    "players pay-out": Permission.PAY_PLAYERS,
    "room example": Permission.WATCH,
    "room set": Permission.SET_UP_ROOM,
    "room confirm-clock": Permission.CONFIRM_CLOCK,
    "room history": Permission.SEE_OFFICE,
    "room show": Permission.SEE_OFFICE,
    "day open": Permission.RUN_DAYS,
    "day close": Permission.RUN_DAYS,
    "day show": Permission.SEE_OFFICE,
    "day book": Permission.SEE_REPORTS,
    "heads export": Permission.SEND_HEADS,
    # Like "verify": an auditor compares a folder with a copy of the database.
    "heads verify": Permission.WATCH,
    # It prints whole events, as the ledger's pages do.
    "heads prove": Permission.SEE_BOOKS,
    "heads check": Permission.WATCH,
    "heads key": Permission.SEND_HEADS,
    "heads replace-key": Permission.SET_UP_ROOM,
    # On another machine, without books.
    "witness serve": Permission.WATCH,
    "felt open": Permission.SET_UP_TABLES,
    "felt pause": Permission.RUN_TABLES,
    "felt resume": Permission.RUN_TABLES,
    "felt close": Permission.RUN_TABLES,
    "felt call-off": Permission.VOID_ROUNDS,
    # The lobby.
    "felt list": Permission.WATCH,
    "felt show": Permission.SEE_CONSOLES,
    "device register": Permission.KEEP_DEVICES,
    "device renew": Permission.KEEP_DEVICES,
    "device withdraw": Permission.KEEP_DEVICES,
    "device list": Permission.SEE_OFFICE,
    "device accept-gap": Permission.ACCEPT_GAPS,
    "device accept-rounds": Permission.ACCEPT_GAPS,
    "device refuse-rounds": Permission.ACCEPT_GAPS,
    "device play": Permission.WATCH,
    "device watch": Permission.WATCH,
    # It tells nobody anything but whether all is whole; a laboratory verifies a copy of books in which it has no login.
    "verify": Permission.WATCH,
    # A service makes it at night, when nobody is there to sign in; whoever can run it has the database in hand.
    "backup": Permission.SIGN_IN,
    "restore": Permission.RESTORE,
    # What it shows is no secret, and without the right key no one could sign in.
    "key status": Permission.WATCH,
    "key rotate": Permission.KEEP_KEY,
    "key backup": Permission.KEEP_KEY,
    "key replace": Permission.KEEP_KEY,
}


class UndeclaredCommand(LookupError):
    """A command that says nowhere who may give it."""


def permission_for(command: str) -> Permission:
    """The right that a command asks for at its door.

    >>> permission_for("players pay-in")
    <Permission.PAY_PLAYERS: "take players' money in and pay it out">
    """
    if command not in COMMAND_PERMISSIONS:
        raise UndeclaredCommand(
            f"Nobody may give the command {command!r}: cardroom.cli.shared.command_permissions says who may."
        )
    return COMMAND_PERMISSIONS[command]


def command_name(context: typer.Context) -> str:
    """Such as "jackpot pay"."""
    return " ".join(_command_path(context))


def _command_path(context: Any) -> list[str]:
    if context.parent is None:
        return []
    return [*_command_path(context.parent), str(context.info_name)]
