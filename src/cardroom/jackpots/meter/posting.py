"""The ledger entries of a happening, from its content alone, so that a replay makes the same ones.

Whatever a jackpot owes more or less is covered in the same breath: the cage sets the money aside for the next deposit,
or takes it back. Where the cage took or paid more than it had for the jackpot, the bank account owes it the rest until
it is reimbursed. Hence, for every progressive and at any time,

    display + reserve + overflow + pending = escrow + undeposited - cage advance
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, singledispatch
from operator import sub
from typing import Final

from cardroom.accounts import CENT, HOUSE, Account, AccountKind, Amount, Posting
from cardroom.jackpots.contents import Chips, Fill, Held, by_holder
from cardroom.jackpots.happenings import (
    Adjusted,
    CageReimbursed,
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    Deposited,
    Happening,
    JackpotOpened,
    MeterReset,
    PrizesPaid,
    PrizesTakenBack,
    PromotionPrizePaid,
    WagersCounted,
    WagersTakenBack,
)
from cardroom.jackpots.meter.state import JackpotState


@lru_cache(4096)
def _account(kind: AccountKind, owner: str) -> Account:
    return Account(kind, owner)


@lru_cache(4096)
def _level_account(kind: AccountKind, jackpot: str, level: str) -> Account:
    return Account(kind, f"{jackpot}/{level}")


_CASH: Final = Account(AccountKind.HOUSE_CASH, HOUSE)


def jackpot_postings(happening: Happening) -> tuple[Posting, ...]:
    """The entries of a happening of a jackpot; most happenings without money have none."""
    # The happening of every round is not looked up: a replay meets little else.
    return tuple(_wagers_counted(happening) if isinstance(happening, WagersCounted) else _posted(happening))


def entries_with_the_cage(
    before: JackpotState | None, after: JackpotState, happening: Happening
) -> tuple[Posting, ...]:
    """The entries of a happening, with what the bank account owes the cage on an account of its own. Those of the
    happening alone take from the cage what it may not have for the jackpot: that much is an advance."""
    posted = jackpot_postings(happening)
    advanced = after.cage_advance - (before.cage_advance if before else 0)
    if not advanced:
        return posted
    cage, advance = (_account(kind, after.id) for kind in (AccountKind.UNDEPOSITED, AccountKind.CAGE_ADVANCE))
    return *posted, Posting(cage, advance, advanced) if advanced > 0 else Posting(advance, cage, -advanced)


def promotion_postings(happening: Happening) -> tuple[Posting, ...]:
    """The entries of a happening of a promotion: the house pays its prizes."""
    if isinstance(happening, PromotionPrizePaid):
        return tuple(_by_the_house(happening.table, happening.cents * CENT))
    return ()


@singledispatch
def _posted(_: Happening) -> Iterable[Posting]:
    return ()


@_posted.register
def _(paid: PrizesPaid) -> Iterable[Posting]:
    return _by_the_house(paid.table, paid.cents * CENT)


@_posted.register
def _(taken: PrizesTakenBack) -> Iterable[Posting]:
    """Chips that come back reverse the prize; what is lost stays the house's expense."""
    paid = _by_the_house(taken.table, taken.cents * CENT) if taken.chips is Chips.RETURNED else ()
    return tuple(Posting(one.credit, one.debit, one.amount) for one in paid)


@_posted.register
def _(reset: MeterReset) -> Iterable[Posting]:
    return _filled(reset.jackpot, reset.level, reset.fill)


@_posted.register
def _(deposited: Deposited) -> Iterable[Posting]:
    kinds = (AccountKind.ESCROW, AccountKind.UNDEPOSITED)
    escrow, undeposited = (_account(kind, deposited.jackpot) for kind in kinds)
    return (Posting(escrow, undeposited, deposited.amount),)


@_posted.register
def _(reimbursed: CageReimbursed) -> Iterable[Posting]:
    """Into the cage; what it was owed for is settled in the same entries (``entries_with_the_cage``)."""
    kinds = (AccountKind.UNDEPOSITED, AccountKind.ESCROW)
    cage, escrow = (_account(kind, reimbursed.jackpot) for kind in kinds)
    return (Posting(cage, escrow, reimbursed.amount),)


@_posted.register
def _(opened: JackpotOpened) -> Iterator[Posting]:
    for level, seed in opened.seeds.items():
        owed = _level_account(AccountKind.SEED_OWED, opened.jackpot, level)
        yield Posting(owed, _level_account(AccountKind.DISPLAY, opened.jackpot, level), seed)
    yield from _funded(opened.jackpot, sum(opened.seeds.values()))


@lru_cache(4096)
def _table_accounts(table: str) -> tuple[Account, Account]:
    return Account(AccountKind.CHIP_TRAY, table), Account(AccountKind.GROSS_RECEIPTS, table)


@lru_cache(4096)
def _meter_accounts(jackpot: str, level: str) -> tuple[Account, Account, Account]:
    kinds = AccountKind.DISPLAY, AccountKind.RESERVE, AccountKind.OVERFLOW
    display, reserve, overflow = (_level_account(kind, jackpot, level) for kind in kinds)
    return display, reserve, overflow


def _wagers_counted(counted: WagersCounted) -> list[Posting]:
    """The jackpots' part of the wagers is taken out of the gross receipts of their table, where they are booked."""
    _, receipts = _table_accounts(counted.table)
    entries, total = [], 0
    for level, came_in in counted.levels.items():
        for account, amount in zip(_meter_accounts(counted.jackpot, level), by_holder(came_in), strict=True):
            if amount:
                total += amount
                entries.append(Posting(receipts, account, amount))
    if total:
        entries.append(Posting(_account(AccountKind.UNDEPOSITED, counted.jackpot), _CASH, total))
    return entries


@_posted.register
def _(back: WagersTakenBack) -> Iterator[Posting]:
    """The jackpots' part goes back into the gross receipts, out of which the wagers are given back."""
    _, receipts = _table_accounts(back.table)
    for level, given_back in back.levels.items():
        for account, amount in zip(_meter_accounts(back.jackpot, level), by_holder(given_back), strict=True):
            if amount:
                yield Posting(account, receipts, amount)
    yield from _given_back(back)


@_posted.register
def _(lock: ClaimLocked) -> Iterator[Posting]:
    for level, fill in lock.beyond.items():
        yield from _filled(lock.jackpot, level, fill)
    for level, (_, taken) in lock.levels.items():
        if taken:
            display = _level_account(AccountKind.DISPLAY, lock.jackpot, level)
            yield Posting(display, _level_account(AccountKind.PENDING, lock.jackpot, level), taken)


def _filled(jackpot: str, level: str, fill: Fill) -> Iterator[Posting]:
    """The meter gets what it lacks, from the overflow, the reserve and the house."""
    display = _level_account(AccountKind.DISPLAY, jackpot, level)
    sources = {
        AccountKind.OVERFLOW: fill.overflow,
        AccountKind.RESERVE: fill.reserve,
        AccountKind.SEED_OWED: fill.house,
    }
    for kind, amount in sources.items():
        if amount:
            yield Posting(_level_account(kind, jackpot, level), display, amount)
    yield from _funded(jackpot, fill.house)


@_posted.register
def _(payment: ClaimPaid) -> Iterator[Posting]:
    """A check or transfer leaves the bank in full. What of it the house pays, the cage sets aside for the bank."""
    jackpot = payment.jackpot
    escrow, cage = (_account(kind, jackpot) for kind in (AccountKind.ESCROW, AccountKind.UNDEPOSITED))
    by_check = house_part_of_checks(payment)
    credits = {escrow: payment.escrow, cage: payment.undeposited + by_check}
    debits = {_level_account(AccountKind.PENDING, jackpot, level): -amount for level, amount in payment.levels.items()}
    yield from _evened(debits | {_account(AccountKind.PRIZES, payment.table): -by_check} | credits)
    yield from _funded(jackpot, by_check)
    yield from _by_the_house(payment.table, payment.house_cents * CENT - by_check)


def house_part_of_checks(payment: ClaimPaid) -> Amount:
    """What the house pays of checks and transfers that are drawn on the jackpot's bank account."""
    return sum(payout.house for payout in payment.payouts if payout.escrow)


@_posted.register
def _(refusal: ClaimRefused) -> Iterator[Posting]:
    """The prize goes back on the meter; then whatever the reset had taken goes back where it came from."""
    jackpot = refusal.jackpot
    for level, change in refusal.levels.items():
        gained = Held(*map(sub, change.after, change.before))
        refused = change.refused
        if refused:
            yield Posting(
                _level_account(AccountKind.PENDING, jackpot, level),
                _level_account(AccountKind.DISPLAY, jackpot, level),
                refused,
            )
        credits = {
            AccountKind.DISPLAY: gained.display - refused,
            AccountKind.PENDING: gained.pending + refused,
            AccountKind.OVERFLOW: gained.overflow,
            AccountKind.RESERVE: gained.reserve,
            AccountKind.SEED_OWED: -gained.seed_owed,
        }
        yield from _evened_level(jackpot, level, credits)
    yield from _given_back(refusal)
    yield from _funded(jackpot, refusal.funded)


@_posted.register
def _(joined: ClaimJoined) -> Iterator[Posting]:
    """The levels are where they would be had all winners been claimed at once."""
    jackpot = joined.jackpot
    for level, change in joined.levels.items():
        gained = Held(*map(sub, change.after, change.before))
        credits = {
            AccountKind.DISPLAY: gained.display,
            AccountKind.PENDING: gained.pending,
            AccountKind.OVERFLOW: gained.overflow,
            AccountKind.RESERVE: gained.reserve,
            AccountKind.SEED_OWED: -gained.seed_owed,
        }
        yield from _evened_level(jackpot, level, credits)
    yield from _given_back(joined)
    yield from _funded(jackpot, joined.funded)


def _evened_level(jackpot: str, level: str, credits: Mapping[AccountKind, Amount]) -> Iterator[Posting]:
    """Wagers that are counted by other rates now, and void rounds that come off, leave more or less for the house."""
    accounts = {_level_account(kind, jackpot, level): amount for kind, amount in credits.items()}
    yield from _evened(accounts | {_account(AccountKind.GROSS_RECEIPTS, HOUSE): -sum(credits.values())})


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


@_posted.register
def _(adjusted: Adjusted) -> Iterator[Posting]:
    """Up or down, against the overflow, the seed that is owed, or the house's receipts."""
    jackpot, level, change = adjusted.jackpot, adjusted.level, adjusted.change
    against = _account(AccountKind.GROSS_RECEIPTS, HOUSE)
    if adjusted.overflow:
        against = _level_account(AccountKind.OVERFLOW, jackpot, level)
    elif adjusted.seed_owed:
        against = _level_account(AccountKind.SEED_OWED, jackpot, level)
    held = _level_account(AccountKind(adjusted.of), jackpot, level)
    yield Posting(against, held, change) if change > 0 else Posting(held, against, -change)
    yield from _given_back(adjusted)
    yield from _funded(jackpot, adjusted.funded)


def _funded(jackpot: str, amount: Amount) -> Iterator[Posting]:
    """The cage sets money aside for the jackpot."""
    if amount:
        yield Posting(_account(AccountKind.UNDEPOSITED, jackpot), _CASH, amount)


def _given_back(happening: WagersTakenBack | ClaimRefused | ClaimJoined | Adjusted) -> Iterator[Posting]:
    """The house takes money back, out of what the cage has for the jackpot: never from the bank itself."""
    if happening.undeposited:
        yield Posting(_CASH, _account(AccountKind.UNDEPOSITED, happening.jackpot), happening.undeposited)


def _by_the_house(table: str, amount: Amount) -> Iterator[Posting]:
    """A prize that the house pays out of the table's chips."""
    if amount:
        yield Posting(_account(AccountKind.PRIZES, table), _account(AccountKind.CHIP_TRAY, table), amount)
