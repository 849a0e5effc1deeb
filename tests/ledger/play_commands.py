"""Commands to try a ledger with: one-dollar jackpot wagers that let a meter grow by 35 cents each."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from multiprocessing.connection import Connection
from typing import Any

from cardroom.chart_of_accounts import CENT, DOLLAR, Account, AccountKind, Posting
from cardroom.errors import BadInput
from cardroom.ledger import Command, CommandOutcome, Head, Ledger, NewEvent, UniqueKey, UniqueKeyTaken, open_ledger

JACKPOT = "jackpot:milky-way"
GROWTH = 35 * CENT

TRAY = Account(AccountKind.CHIP_TRAY, "1")
RECEIPTS = Account(AccountKind.GROSS_RECEIPTS, "1")
DISPLAY = Account(AccountKind.DISPLAY, "milky-way/top")
UNDEPOSITED = Account(AccountKind.UNDEPOSITED, "milky-way")
CASH = Account(AccountKind.HOUSE_CASH, "house")


def wager(id: str, table: str = "tabulator:1", wagers: int = 1, jackpot: str = JACKPOT) -> Command:
    """Some wagers at a table: an event of the table, an event of the jackpot, and the money of both."""

    def decide(heads: Mapping[str, Head | None]) -> CommandOutcome:
        taken, grown = wagers * DOLLAR, wagers * GROWTH
        meter = _meter(heads[jackpot]) + grown
        return CommandOutcome(
            events=(
                NewEvent(
                    table, "wagered", 1, {"wagers": wagers, "dealer": "Zoë"}, (Posting(TRAY, RECEIPTS, taken),), (id,)
                ),
                NewEvent(
                    jackpot,
                    "grew",
                    1,
                    {"by": grown, "table": table},
                    (Posting(RECEIPTS, DISPLAY, grown), Posting(UNDEPOSITED, CASH, grown)),
                    (f"{table} {id}", id),
                ),
            ),
            snapshots={table: {"last": id}, jackpot: {"meter": meter}},
            response={"meter": meter},
        )

    names = (UniqueKey(table, id), UniqueKey(jackpot, id), UniqueKey(jackpot, f"{table} {id}"))
    return Command(id, (table, jackpot), {"command": "wager", "table": table, "wagers": wagers}, decide, names)


def called(id: str, *names: str, chain: str = "house", asked: tuple[str, ...] | None = None) -> Command:
    """Events with names, one each."""
    outcome = CommandOutcome(tuple(NewEvent(chain, "called", 1, {}, unique_keys=(name,)) for name in names), {}, None)
    result = tuple(UniqueKey(chain, name) for name in (names if asked is None else asked))
    return Command(id, (chain,), {"command": "call", "names": names}, lambda _: outcome, result)


def note(id: str, chain: str = "house", text: str = "opened") -> Command:
    """Something that moves no money."""
    outcome = CommandOutcome((NewEvent(chain, "noted", 1, {"text": text}),), {}, None)
    return Command(id, (chain,), {"command": "note", "text": text}, lambda _: outcome)


def refused(id: str, chain: str = JACKPOT) -> Command:
    """Something that the rules do not allow."""

    def decide(_: Mapping[str, Head | None]) -> CommandOutcome:
        raise BadInput("The jackpot is closed.")

    return Command(id, (chain,), {"command": "refused"}, decide)


def _meter(head: Head | None) -> int:
    if head is None:
        return 0
    snapshot: Any = head.snapshot
    meter: int = snapshot["meter"]
    return meter


def fill(ledger: Ledger, rounds: int = 5, tables: int = 2) -> None:
    """A small history on several chains."""
    for number in range(rounds):
        for table in range(1, tables + 1):
            ledger.execute(wager(f"round-{number}-at-{table}", f"tabulator:{table}", wagers=1 + (number + table) % 3))
    ledger.execute(note("opening"))


def many_wagers(url: str, process: int, count: int) -> None:
    """What one of several processes does."""
    with open_ledger(url) as ledger:
        for number in range(count):
            ledger.execute(wager(f"{process}-{number}", f"tabulator:{process}"))


def wagers_without_end(url: str, said: Connection) -> None:
    """What a process does until it is killed: it says which commands were answered."""
    ledger = open_ledger(url)
    for number in count():
        ledger.execute(wager(f"{number}"))
        said.send(number)


def open_and_note(url: str, process: int) -> None:
    """What one of several processes does that find an empty database."""
    with open_ledger(url) as ledger:
        ledger.execute(note(f"note-{process}"))


def same_names(url: str, process: int, count: int) -> None:
    """What one of several processes does that want to give the same names."""
    with open_ledger(url) as ledger:
        for number in range(count):
            with suppress(UniqueKeyTaken):
                ledger.execute(called(f"{process}-{number}", f"name-{number}"))
