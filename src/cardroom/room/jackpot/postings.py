"""Postings of jackpot events, derived from their payloads alone, so that a replay derives the same postings.

When a jackpot owes players more or less, the same event covers it: the cage sets the money aside for the next deposit,
or takes it back. If the cage took or paid more than it had for the jackpot, the bank account owes it the rest until it
is reimbursed. So, for every progressive and at any time,

    display + reserve + overflow + pending = escrow + undeposited - cage advance

The movements of a jackpot's bank account follow from the same postings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, singledispatch
from operator import sub
from typing import Final

from cardroom.chart_of_accounts import CENT, HOUSE, Account, AccountKind, Amount, Posting
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import BankMovement, ChipsOutcome, LevelBalances, MeterFunding, split_by_holder
from cardroom.room.jackpot.events import (
    CageReimbursed,
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    JackpotDeposited,
    JackpotOpened,
    MeterAdjusted,
    MeterReset,
    PrizesPaid,
    PrizesReversed,
    WagersCounted,
    WagersReversed,
)
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.payment_references import PaymentMethod, payment_text, slip_text
from cardroom.room.promotion.state import PromotionPrizePaid


@lru_cache(4096)
def _account(kind: AccountKind, owner: str) -> Account:
    return Account(kind, owner)


@lru_cache(4096)
def _level_account(kind: AccountKind, jackpot: str, level: str) -> Account:
    return Account(kind, f"{jackpot}/{level}")


_CASH: Final = Account(AccountKind.HOUSE_CASH, HOUSE)


def jackpot_postings(event: DomainEvent) -> tuple[Posting, ...]:
    """The postings of a jackpot event; an event that moves no money has none."""
    # WagersCounted skips the dispatch: almost every event of a replay is one.
    return tuple(_post_wagers_counted(event) if isinstance(event, WagersCounted) else _post_event(event))


def postings_with_cage(before: JackpotState | None, after: JackpotState, event: DomainEvent) -> tuple[Posting, ...]:
    """The postings of an event, plus the cage's advance on an account of its own. The event's postings may take more
    from the cage than it has for the jackpot: the excess is an advance."""
    posted = jackpot_postings(event)
    advanced = after.cage_advance - (before.cage_advance if before else 0)
    if not advanced:
        return posted
    cage, advance = (_account(kind, after.id) for kind in (AccountKind.UNDEPOSITED, AccountKind.CAGE_ADVANCE))
    return *posted, Posting(cage, advance, advanced) if advanced > 0 else Posting(advance, cage, -advanced)


def promotion_postings(event: DomainEvent) -> tuple[Posting, ...]:
    """The postings of a promotion event: the house pays its prizes."""
    if isinstance(event, PromotionPrizePaid):
        return tuple(_post_house_prize(event.table, event.cents * CENT))
    return ()


@singledispatch
def _post_event(_: DomainEvent) -> Iterable[Posting]:
    return ()


@_post_event.register
def _(paid: PrizesPaid) -> Iterable[Posting]:
    return _post_house_prize(paid.table, paid.cents * CENT)


@_post_event.register
def _(reversal: PrizesReversed) -> Iterable[Posting]:
    """Returned chips reverse the prize; lost chips stay the house's expense."""
    paid = _post_house_prize(reversal.table, reversal.cents * CENT) if reversal.chips is ChipsOutcome.RETURNED else ()
    return tuple(Posting(posting.credit, posting.debit, posting.amount) for posting in paid)


@_post_event.register
def _(reset: MeterReset) -> Iterable[Posting]:
    return _post_funding(reset.jackpot, reset.level, reset.funding)


@_post_event.register
def _(deposited: JackpotDeposited) -> Iterable[Posting]:
    kinds = (AccountKind.ESCROW, AccountKind.UNDEPOSITED)
    escrow, undeposited = (_account(kind, deposited.jackpot) for kind in kinds)
    return (Posting(escrow, undeposited, deposited.amount),)


@_post_event.register
def _(reimbursed: CageReimbursed) -> Iterable[Posting]:
    """Into the cage; ``postings_with_cage`` settles the advance in the same postings."""
    kinds = (AccountKind.UNDEPOSITED, AccountKind.ESCROW)
    cage, escrow = (_account(kind, reimbursed.jackpot) for kind in kinds)
    return (Posting(cage, escrow, reimbursed.amount),)


@_post_event.register
def _(opening: JackpotOpened) -> Iterator[Posting]:
    for level, seed in opening.seeds.items():
        owed = _level_account(AccountKind.SEED_OWED, opening.jackpot, level)
        yield Posting(owed, _level_account(AccountKind.DISPLAY, opening.jackpot, level), seed)
    yield from _post_house_funding(opening.jackpot, sum(opening.seeds.values()))


@lru_cache(4096)
def _table_accounts(table: str) -> tuple[Account, Account]:
    return Account(AccountKind.CHIP_TRAY, table), Account(AccountKind.GROSS_RECEIPTS, table)


@lru_cache(4096)
def _meter_accounts(jackpot: str, level: str) -> tuple[Account, Account, Account]:
    kinds = AccountKind.DISPLAY, AccountKind.RESERVE, AccountKind.OVERFLOW
    display, reserve, overflow = (_level_account(kind, jackpot, level) for kind in kinds)
    return display, reserve, overflow


def _post_wagers_counted(count: WagersCounted) -> list[Posting]:
    """The jackpot's part of the wagers comes out of the gross receipts of their table, where they are posted."""
    _, receipts = _table_accounts(count.table)
    entries, total = [], 0
    for level, came_in in count.levels.items():
        for account, amount in zip(_meter_accounts(count.jackpot, level), split_by_holder(came_in), strict=True):
            if amount:
                total += amount
                entries.append(Posting(receipts, account, amount))
    if total:
        entries.append(Posting(_account(AccountKind.UNDEPOSITED, count.jackpot), _CASH, total))
    return entries


@_post_event.register
def _(reversal: WagersReversed) -> Iterator[Posting]:
    """The jackpot's part goes back into the gross receipts, from which the wagers are returned."""
    _, receipts = _table_accounts(reversal.table)
    for level, given_back in reversal.levels.items():
        for account, amount in zip(_meter_accounts(reversal.jackpot, level), split_by_holder(given_back), strict=True):
            if amount:
                yield Posting(account, receipts, amount)
    yield from _post_house_refund(reversal)


@_post_event.register
def _(lock: ClaimLocked) -> Iterator[Posting]:
    for level, fill in lock.beyond.items():
        yield from _post_funding(lock.jackpot, level, fill)
    for level, (_, reversal) in lock.levels.items():
        if reversal:
            display = _level_account(AccountKind.DISPLAY, lock.jackpot, level)
            yield Posting(display, _level_account(AccountKind.PENDING, lock.jackpot, level), reversal)


def _post_funding(jackpot: str, level: str, funding: MeterFunding) -> Iterator[Posting]:
    """The meter receives what it lacks from the overflow, the reserve, and the house."""
    display = _level_account(AccountKind.DISPLAY, jackpot, level)
    sources = {
        AccountKind.OVERFLOW: funding.overflow,
        AccountKind.RESERVE: funding.reserve,
        AccountKind.SEED_OWED: funding.house,
    }
    for kind, amount in sources.items():
        if amount:
            yield Posting(_level_account(kind, jackpot, level), display, amount)
    yield from _post_house_funding(jackpot, funding.house)


@_post_event.register
def _(payment: ClaimPaid) -> Iterator[Posting]:
    """A check or transfer leaves the bank in full. The cage sets the house's part aside for the bank."""
    jackpot = payment.jackpot
    escrow, cage = (_account(kind, jackpot) for kind in (AccountKind.ESCROW, AccountKind.UNDEPOSITED))
    by_check = house_share_of_checks(payment)
    credits = {escrow: payment.escrow, cage: payment.undeposited + by_check}
    debits = {_level_account(AccountKind.PENDING, jackpot, level): -amount for level, amount in payment.levels.items()}
    yield from _balance_accounts(debits | {_account(AccountKind.PRIZES, payment.table): -by_check} | credits)
    yield from _post_house_funding(jackpot, by_check)
    yield from _post_house_prize(payment.table, payment.house_cents * CENT - by_check)


def house_share_of_checks(payment: ClaimPaid) -> Amount:
    """The house's part of checks and transfers drawn on the jackpot's bank account."""
    return sum(payout.house for payout in payment.payouts if payout.escrow)


@_post_event.register
def _(refusal: ClaimRefused) -> Iterator[Posting]:
    """The prize goes back on the meter; then the funding of the reset goes back to its sources."""
    jackpot = refusal.jackpot
    for level, change in refusal.levels.items():
        gained = LevelBalances(*map(sub, change.after, change.before))
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
        yield from _balance_level(jackpot, level, credits)
    yield from _post_house_refund(refusal)
    yield from _post_house_funding(jackpot, refusal.funded)


@_post_event.register
def _(join: ClaimJoined) -> Iterator[Posting]:
    """The levels get the balances of one claim for all winners together."""
    jackpot = join.jackpot
    for level, change in join.levels.items():
        gained = LevelBalances(*map(sub, change.after, change.before))
        credits = {
            AccountKind.DISPLAY: gained.display,
            AccountKind.PENDING: gained.pending,
            AccountKind.OVERFLOW: gained.overflow,
            AccountKind.RESERVE: gained.reserve,
            AccountKind.SEED_OWED: -gained.seed_owed,
        }
        yield from _balance_level(jackpot, level, credits)
    yield from _post_house_refund(join)
    yield from _post_house_funding(jackpot, join.funded)


def _balance_level(jackpot: str, level: str, credits: Mapping[AccountKind, Amount]) -> Iterator[Posting]:
    """Wagers counted at other rates, and void rounds that come off, change the house's part."""
    accounts = {_level_account(kind, jackpot, level): amount for kind, amount in credits.items()}
    yield from _balance_accounts(accounts | {_account(AccountKind.GROSS_RECEIPTS, HOUSE): -sum(credits.values())})


def _balance_accounts(credits: Mapping[Account, Amount]) -> Iterator[Posting]:
    """Postings that change each account by its amount: a credit if positive, a debit if negative."""
    remaining = dict(credits)
    for debit in [account for account, amount in remaining.items() if amount < 0]:
        for credit in remaining:
            amount = min(-remaining[debit], remaining[credit])
            if amount > 0:
                yield Posting(debit, credit, amount)
                remaining[debit] += amount
                remaining[credit] -= amount


@_post_event.register
def _(adjusted: MeterAdjusted) -> Iterator[Posting]:
    """Up or down, with the overflow, the seed owed, or the house's receipts as the other account."""
    jackpot, level, change = adjusted.jackpot, adjusted.level, adjusted.change
    against = _account(AccountKind.GROSS_RECEIPTS, HOUSE)
    if adjusted.overflow:
        against = _level_account(AccountKind.OVERFLOW, jackpot, level)
    elif adjusted.seed_owed:
        against = _level_account(AccountKind.SEED_OWED, jackpot, level)
    account = _level_account(AccountKind(adjusted.of), jackpot, level)
    yield Posting(against, account, change) if change > 0 else Posting(account, against, -change)
    yield from _post_house_refund(adjusted)
    yield from _post_house_funding(jackpot, adjusted.funded)


def _post_house_funding(jackpot: str, amount: Amount) -> Iterator[Posting]:
    """Post money that the cage sets aside for the jackpot."""
    if amount:
        yield Posting(_account(AccountKind.UNDEPOSITED, jackpot), _CASH, amount)


def _post_house_refund(event: WagersReversed | ClaimRefused | ClaimJoined | MeterAdjusted) -> Iterator[Posting]:
    """Post money that the house takes back from what the cage has for the jackpot, never from the bank account."""
    if event.undeposited:
        yield Posting(_CASH, _account(AccountKind.UNDEPOSITED, event.jackpot), event.undeposited)


def _post_house_prize(table: str, amount: Amount) -> Iterator[Posting]:
    """Post a prize that the house pays from the table's chips."""
    if amount:
        yield Posting(_account(AccountKind.PRIZES, table), _account(AccountKind.CHIP_TRAY, table), amount)


def account_change(event: DomainEvent, kind: AccountKind, jackpot: str) -> Amount:
    """The change of a jackpot's account by an event: positive for a debit."""
    account = Account(kind, jackpot)
    postings = jackpot_postings(event)
    gained = sum(posting.amount for posting in postings if posting.debit == account)
    return gained - sum(posting.amount for posting in postings if posting.credit == account)


def bank_movements(event: DomainEvent) -> Iterator[BankMovement]:
    """The bank account's movements by an event. Every movement has a number."""
    match event:
        case JackpotDeposited(reference=reference, amount=amount):
            yield BankMovement(slip_text(reference), amount)
        case CageReimbursed(reference=reference, amount=amount):
            yield BankMovement(payment_text(PaymentMethod.TRANSFER, reference), -amount)
        case ClaimPaid(payouts=payouts):
            yield from (BankMovement(payout.text, -payout.escrow) for payout in payouts if payout.escrow)
