"""Which right each command asks for: every command there is, by its whole name, in the order of the help.

A command without a line here lets nobody in. Some commands ask for more inside, for what was typed: whoever may come in
at all may do the least of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cardroom.floor.people.permissions import Right

DOORS: Final[Mapping[str, Right]] = {
    # Without books: rules, odds, examples, and units that speak over the network with a token of their own.
    "games": Right.LOOK_ON,
    "paytables": Right.LOOK_ON,
    "settle": Right.LOOK_ON,
    "play": Right.LOOK_ON,
    "odds": Right.LOOK_ON,
    "strategy": Right.LOOK_ON,
    "simulate": Right.LOOK_ON,
    "par": Right.LOOK_ON,
    "rng stream": Right.LOOK_ON,
    "rng report": Right.LOOK_ON,
    "rng seal": Right.LOOK_ON,
    "tablebase build": Right.LOOK_ON,
    "tablebase check": Right.LOOK_ON,
    # What the program is made of.
    "sbom": Right.LOOK_ON,
    "licences": Right.LOOK_ON,
    # A service starts without anybody; who comes in through it is asked there.
    "serve": Right.COME_IN,
    "sign-in": Right.COME_IN,
    "sign-out": Right.COME_IN,
    "whoami": Right.COME_IN,
    # Only while nobody is there who could be asked.
    "people first": Right.COME_IN,
    # No operator can sign in: two people at the machine answer for it, and the record stays.
    "people recover-operator": Right.COME_IN,
    "people acknowledge": Right.ACKNOWLEDGE_RECOVERIES,
    # Of people of the staff: Right.KEEP_PEOPLE.
    "people register": Right.KEEP_PLAYERS_LOGINS,
    "people recover": Right.KEEP_PLAYERS_LOGINS,
    "people dismiss": Right.KEEP_PEOPLE,
    "people role": Right.KEEP_PEOPLE,
    # Of somebody else: Right.KEEP_PEOPLE.
    "people end-session": Right.OWN_ACCOUNT,
    "people password": Right.OWN_ACCOUNT,
    "people pin": Right.OWN_ACCOUNT,
    "people list": Right.SEE_SIGN_INS,
    "people show": Right.SEE_SIGN_INS,
    "people log": Right.SEE_SIGN_INS,
    "jackpot example": Right.LOOK_ON,
    "jackpot open": Right.OPEN_JACKPOTS,
    "jackpot table": Right.SET_UP_TABLES,
    "jackpot move-table": Right.SET_UP_TABLES,
    "jackpot close-table": Right.SET_UP_TABLES,
    "jackpot link": Right.SET_UP_TABLES,
    "jackpot unlink": Right.SET_UP_TABLES,
    "jackpot change": Right.SET_RATES,
    "jackpot remove": Right.SET_RATES,
    "jackpot tabulate": Right.TABULATE,
    "jackpot count": Right.TABULATE,
    # More than the table can have played, with a second person: Right.ACCEPT_GAPS.
    "jackpot counter": Right.TABULATE,
    # The wagers of the reading go off the meters again.
    "jackpot take-back": Right.ADJUST_METERS,
    "jackpot void": Right.VOID_ROUNDS,
    "jackpot broken": Right.DECLARE_FAULTS,
    "jackpot repaired": Right.DECLARE_FAULTS,
    "jackpot lights": Right.DECLARE_FAULTS,
    # The unit's own file, while the server is away: nobody could sign in. Forwarding it is another command.
    "jackpot press": Right.LOOK_ON,
    "jackpot waiting": Right.LOOK_ON,
    # With --accept-gap: Right.ACCEPT_GAPS.
    "jackpot logger": Right.TABULATE,
    "jackpot claim": Right.DEAL,
    "jackpot pay": Right.PAY_JACKPOTS,
    "jackpot slip": Right.SEE_REPORTS,
    "jackpot refuse": Right.PAY_JACKPOTS,
    "jackpot take-back-prize": Right.PAY_JACKPOTS,
    "jackpot adjust": Right.ADJUST_METERS,
    "jackpot deposit": Right.KEEP_CUSTODY,
    "jackpot reconcile": Right.RECONCILE,
    "jackpot reimburse": Right.REIMBURSE_CAGE,
    "jackpot disable": Right.SWITCH_JACKPOTS,
    "jackpot enable": Right.SWITCH_JACKPOTS,
    "jackpot show": Right.SEE_OFFICE,
    # What hangs over the table for everybody.
    "jackpot display": Right.LOOK_ON,
    "jackpot history": Right.SEE_REPORTS,
    "jackpot recall": Right.SEE_ROUNDS,
    "jackpot heads": Right.SEND_HEADS,
    "jackpot malfunction report": Right.REPORT_MALFUNCTIONS,
    "jackpot malfunction sent": Right.REPORT_MALFUNCTIONS,
    "jackpot malfunction close": Right.REPORT_MALFUNCTIONS,
    "jackpot malfunction list": Right.SEE_OFFICE,
    "jackpot promotion announce": Right.ANNOUNCE_PROMOTIONS,
    "jackpot promotion pay": Right.PAY_PROMOTIONS,
    "jackpot promotion end": Right.ANNOUNCE_PROMOTIONS,
    "jackpot promotion show": Right.SEE_OFFICE,
    "jackpot report history": Right.SEE_REPORTS,
    "jackpot report meters": Right.SEE_REPORTS,
    "jackpot report deposits": Right.SEE_REPORTS,
    "jackpot report reconciliation": Right.SEE_REPORTS,
    "jackpot report master": Right.SEE_REPORTS,
    "jackpot report recall": Right.SEE_REPORTS,
    "jackpot report activity": Right.SEE_REPORTS,
    "rounds list": Right.SEE_ROUNDS,
    "rounds show": Right.SEE_ROUNDS,
    "rounds settle": Right.SEE_ROUNDS,
    "rounds history": Right.SEE_ROUNDS,
    "rounds export": Right.SEE_ROUNDS,
    "players list": Right.SEE_PLAYERS,
    "players show": Right.SEE_PLAYERS,
    "players history": Right.SEE_PLAYERS,
    "players admit": Right.ADMIT_PLAYERS,
    "players pay-in": Right.PAY_PLAYERS,
    "players pay-out": Right.PAY_PLAYERS,
    "room example": Right.LOOK_ON,
    "room set": Right.SET_UP_ROOM,
    "room confirm-clock": Right.CONFIRM_CLOCK,
    "room history": Right.SEE_OFFICE,
    "room show": Right.SEE_OFFICE,
    "day open": Right.RUN_DAYS,
    "day close": Right.RUN_DAYS,
    "day show": Right.SEE_OFFICE,
    "day book": Right.SEE_REPORTS,
    "heads export": Right.SEND_HEADS,
    # Like "verify": an auditor compares a folder with a copy of the database.
    "heads verify": Right.LOOK_ON,
    # It prints whole events, as the ledger's pages do.
    "heads prove": Right.SEE_BOOKS,
    "heads check": Right.LOOK_ON,
    "heads key": Right.SEND_HEADS,
    "heads replace-key": Right.SET_UP_ROOM,
    # On another machine, without books.
    "witness serve": Right.LOOK_ON,
    "felt open": Right.SET_UP_TABLES,
    "felt pause": Right.RUN_TABLES,
    "felt resume": Right.RUN_TABLES,
    "felt close": Right.RUN_TABLES,
    "felt call-off": Right.VOID_ROUNDS,
    # The lobby.
    "felt list": Right.LOOK_ON,
    "felt show": Right.SEE_CONSOLES,
    "device register": Right.KEEP_DEVICES,
    "device renew": Right.KEEP_DEVICES,
    "device withdraw": Right.KEEP_DEVICES,
    "device list": Right.SEE_OFFICE,
    "device accept-gap": Right.ACCEPT_GAPS,
    "device accept-rounds": Right.ACCEPT_GAPS,
    "device refuse-rounds": Right.ACCEPT_GAPS,
    "device play": Right.LOOK_ON,
    "device watch": Right.LOOK_ON,
    # It tells nobody anything but whether all is whole; a laboratory verifies a copy of books in which it has no login.
    "verify": Right.LOOK_ON,
    # A service makes it at night, when nobody is there to sign in; whoever can run it has the database in hand.
    "backup": Right.COME_IN,
    "restore": Right.RESTORE,
    # What it shows is no secret, and without the right key no one could sign in.
    "key status": Right.LOOK_ON,
    "key rotate": Right.KEEP_KEY,
    "key backup": Right.KEEP_KEY,
    "key replace": Right.KEEP_KEY,
}


class NoDoor(LookupError):
    """A command that says nowhere who may give it."""


def right_of(command: str) -> Right:
    """The right that a command asks for at its door.

    >>> right_of("players pay-in")
    <Right.PAY_PLAYERS: "take players' money in and pay it out">
    """
    if command not in DOORS:
        raise NoDoor(f"Nobody may give the command {command!r}: cardroom.cli.shared.doors says who may.")
    return DOORS[command]
