"""The ledger entries of a happening, from its payload alone, so that a replay makes the same ones.

Whatever a jackpot owes more or less is covered in the same breath: the cage sets the money aside for the next deposit,
or takes it back. Hence, for every progressive and at any time,

    display + reserve + overflow + pending = escrow + undeposited
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from cardroom.accounts import CENT, HOUSE, Account, AccountKind, Amount, Posting
from cardroom.jackpots.happenings import Happening

Payload = dict[str, Any]


@lru_cache(4096)
def _account(kind: AccountKind, owner: str) -> Account:
    return Account(kind, owner)


@lru_cache(4096)
def _level_account(kind: AccountKind, jackpot: str, level: str) -> Account:
    return Account(kind, f"{jackpot}/{level}")


_CASH: Final = Account(AccountKind.HOUSE_CASH, HOUSE)


def postings(happening: Happening) -> tuple[Posting, ...]:
    """The entries of a happening; most happenings without money have none."""
    posted = _POSTED.get(happening.kind)
    return tuple(posted(happening.payload)) if posted else ()


def _opened(payload: Payload) -> Iterator[Posting]:
    jackpot = payload["jackpot"]
    for level, seed in payload["seeds"].items():
        yield Posting(
            _level_account(AccountKind.SEED_OWED, jackpot, level),
            _level_account(AccountKind.DISPLAY, jackpot, level),
            seed,
        )
    yield from _funded(jackpot, sum(payload["seeds"].values()))


@lru_cache(4096)
def _table_accounts(table: str) -> tuple[Account, Account]:
    return Account(AccountKind.CHIP_TRAY, table), Account(AccountKind.GROSS_RECEIPTS, table)


@lru_cache(4096)
def _meter_accounts(jackpot: str, level: str) -> tuple[Account, Account, Account]:
    kinds = AccountKind.DISPLAY, AccountKind.RESERVE, AccountKind.OVERFLOW
    display, reserve, overflow = (_level_account(kind, jackpot, level) for kind in kinds)
    return display, reserve, overflow


@lru_cache(4096)
def _undeposited(jackpot: str) -> Account:
    return Account(AccountKind.UNDEPOSITED, jackpot)


def _wagers_counted(payload: Payload) -> list[Posting]:
    """The wager is taken in, and the jackpots' part of it is taken out of the gross receipts."""
    jackpot, total = payload["jackpot"], 0
    tray, receipts = _table_accounts(payload["table"])
    entries = [Posting(tray, receipts, payload["collected"])] if payload["collected"] else []
    for level, (_, shown, reserved, spilt, _, _) in payload["levels"].items():
        display, reserve, overflow = _meter_accounts(jackpot, level)
        if shown:
            entries.append(Posting(receipts, display, shown))
        if reserved:
            entries.append(Posting(receipts, reserve, reserved))
        if spilt:
            entries.append(Posting(receipts, overflow, spilt))
        total += shown + reserved + spilt
    if total:
        entries.append(Posting(_undeposited(jackpot), _CASH, total))
    return entries


def _wagers_taken_back(payload: Payload) -> Iterator[Posting]:
    """The jackpots' part goes back into the gross receipts, out of which the wagers are given back."""
    jackpot, (_, receipts) = payload["jackpot"], _table_accounts(payload["table"])
    for level, (_, *amounts) in payload["levels"].items():
        for account, amount in zip(_meter_accounts(jackpot, level), amounts, strict=True):
            if amount:
                yield Posting(account, receipts, amount)
    yield from _given_back(payload)


def _prizes_paid(payload: Payload) -> Iterator[Posting]:
    yield from _by_the_house(payload["table"], payload["cents"] * CENT)


def _claim_locked(payload: Payload) -> Iterator[Posting]:
    jackpot = payload["jackpot"]
    for level, fill in payload.get("beyond", {}).items():
        yield from _filled(jackpot, level, fill)
    for level, (_, taken) in payload["levels"].items():
        if taken:
            yield Posting(
                _level_account(AccountKind.DISPLAY, jackpot, level),
                _level_account(AccountKind.PENDING, jackpot, level),
                taken,
            )


def _meter_reset(payload: Payload) -> Iterator[Posting]:
    yield from _filled(payload["jackpot"], payload["level"], payload)


def _filled(jackpot: str, level: str, fill: Mapping[str, Amount]) -> Iterator[Posting]:
    """The meter gets what it lacks, from the overflow, the reserve and the house."""
    display = _level_account(AccountKind.DISPLAY, jackpot, level)
    sources = {
        AccountKind.OVERFLOW: fill["overflow"],
        AccountKind.RESERVE: fill["reserve"],
        AccountKind.SEED_OWED: fill["house"],
    }
    for kind, amount in sources.items():
        if amount:
            yield Posting(_level_account(kind, jackpot, level), display, amount)
    yield from _funded(jackpot, fill["house"])


def _claim_paid(payload: Payload) -> Iterator[Posting]:
    jackpot, from_escrow = payload["jackpot"], payload["escrow"]
    for level, amount in payload["levels"].items():
        pending = _level_account(AccountKind.PENDING, jackpot, level)
        first = min(amount, from_escrow)
        from_escrow -= first
        if first:
            yield Posting(pending, _account(AccountKind.ESCROW, jackpot), first)
        if amount - first:
            yield Posting(pending, _account(AccountKind.UNDEPOSITED, jackpot), amount - first)
    yield from _by_the_house(payload["table"], payload["house_cents"] * CENT)


def _claim_refused(payload: Payload) -> Iterator[Posting]:
    """The prize goes back on the meter; then whatever the reset had taken goes back where it came from."""
    jackpot = payload["jackpot"]
    for level, change in payload["levels"].items():
        gained = {kind: change["after"][kind] - change["before"][kind] for kind in change["before"]}
        refused = change["refused"]
        if refused:
            yield Posting(
                _level_account(AccountKind.PENDING, jackpot, level),
                _level_account(AccountKind.DISPLAY, jackpot, level),
                refused,
            )
        credits = {
            AccountKind.DISPLAY: gained["display"] - refused,
            AccountKind.PENDING: gained["pending"] + refused,
            AccountKind.OVERFLOW: gained["overflow"],
            AccountKind.RESERVE: gained["reserve"],
            AccountKind.SEED_OWED: -gained["seed_owed"],
        }
        yield from _evened({_level_account(kind, jackpot, level): amount for kind, amount in credits.items()})
    yield from _given_back(payload)
    yield from _funded(jackpot, payload["funded"])


def _evened(credits: Mapping[Account, Amount]) -> Iterator[Posting]:
    """Entries that change each account by its amount: credited above zero, debited below."""
    left = dict(credits)
    for debit in [account for account, amount in left.items() if amount < 0]:
        for credit in left:
            amount = min(-left[debit], left[credit])
            if amount > 0:
                yield Posting(debit, credit, amount)
                left[debit] += amount
                left[credit] -= amount


def _adjusted(payload: Payload) -> Iterator[Posting]:
    """Up or down, against the overflow, the seed that is owed, or the house's receipts."""
    jackpot, level, change = payload["jackpot"], payload["level"], payload["change"]
    against = _account(AccountKind.GROSS_RECEIPTS, HOUSE)
    if payload["overflow"]:
        against = _level_account(AccountKind.OVERFLOW, jackpot, level)
    elif payload["seed_owed"]:
        against = _level_account(AccountKind.SEED_OWED, jackpot, level)
    held = _level_account(AccountKind(payload["of"]), jackpot, level)
    yield Posting(against, held, change) if change > 0 else Posting(held, against, -change)
    yield from _given_back(payload)
    yield from _funded(jackpot, payload["funded"])


def _deposited(payload: Payload) -> Iterator[Posting]:
    jackpot = payload["jackpot"]
    yield Posting(_account(AccountKind.ESCROW, jackpot), _account(AccountKind.UNDEPOSITED, jackpot), payload["amount"])


def _funded(jackpot: str, amount: Amount) -> Iterator[Posting]:
    """The cage sets money aside for the jackpot."""
    if amount:
        yield Posting(_account(AccountKind.UNDEPOSITED, jackpot), _CASH, amount)


def _given_back(payload: Payload) -> Iterator[Posting]:
    """The house takes money back; what the bank paid beyond that, the cage keeps."""
    for kind in (AccountKind.UNDEPOSITED, AccountKind.ESCROW):
        account, amount = _account(kind, payload["jackpot"]), payload[kind]
        if amount:
            yield Posting(_CASH, account, amount) if amount > 0 else Posting(account, _CASH, -amount)


def _by_the_house(table: str, amount: Amount) -> Iterator[Posting]:
    """A prize that the house pays out of the table's chips."""
    if amount:
        yield Posting(_account(AccountKind.PRIZES, table), _account(AccountKind.CHIP_TRAY, table), amount)


_POSTED: Final[dict[str, Callable[[Payload], Iterator[Posting] | list[Posting]]]] = {
    "jackpot-opened": _opened,
    "wagers-counted": _wagers_counted,
    "wagers-taken-back": _wagers_taken_back,
    "prizes-paid": _prizes_paid,
    "claim-locked": _claim_locked,
    "meter-reset": _meter_reset,
    "claim-paid": _claim_paid,
    "claim-refused": _claim_refused,
    "adjusted": _adjusted,
    "deposited": _deposited,
    "promotion-prize-paid": _prizes_paid,
}
