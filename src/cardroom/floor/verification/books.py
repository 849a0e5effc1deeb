"""What tables and jackpots say of one another, and what the books say of the jackpots' money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from cardroom.accounts import Account, AccountKind, Amount
from cardroom.floor.kept.chains import jackpot_chain, table_chain
from cardroom.floor.kept.live_recall import who_dealt
from cardroom.floor.kept.recall import RecordedRound
from cardroom.floor.kept.table import TableState
from cardroom.floor.verification.agreement import disagreeing, first_difference
from cardroom.floor.verification.along_people import compare_lone_decisions, compare_recoveries
from cardroom.floor.verification.at_once import compare_at_once
from cardroom.floor.verification.chips import compare_chips
from cardroom.floor.verification.credits import compare_credits
from cardroom.floor.verification.days import compare_line
from cardroom.floor.verification.kept_keys import compare_keys
from cardroom.floor.verification.prize_agreement import compare_prizes
from cardroom.floor.verification.reading import AsStored, happened, told_by
from cardroom.floor.verification.replayed import (
    ClaimJudged,
    LimitUsed,
    PrizePromoted,
    Replayed,
    ReportNamed,
    ReportOpen,
)
from cardroom.floor.verification.report import Discrepancy, NotAsReplayed, wrong
from cardroom.floor.verification.signatures import compare_signatures
from cardroom.floor.verification.tabulating import compare_tabulated, compare_voids, compare_wagers_off
from cardroom.floor.verification.typed_again import compare_claims_with_typed, compare_typed
from cardroom.jackpots import JackpotKind
from cardroom.jackpots.happenings import CountedByHand, RoundTabulated
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.room.state import RoomState
from cardroom.jackpots.setup.room import RoomSettings
from cardroom.jackpots.tabulator.replay import positions_for, staked_for
from cardroom.ledger import schema
from cardroom.ledger.clock import MAX_CLOCK_LAG
from cardroom.ledger.encryption import Vault
from cardroom.ledger.store import LedgerReader

_FOR_EVER: Final = 1 << 63
Balances = Mapping[str, tuple[int, int]]
"""Debits and credits by account."""


def balances(now: LedgerReader) -> dict[str, tuple[int, int]]:
    """As they are stored."""
    return {row[0]: (row[1], row[2]) for row in now.rows(schema.balances)}


def compare(replayed: Replayed, booked: Balances, now: LedgerReader, vault: Vault | None) -> Replayed:
    """The replay with what is wrong between its chains, if nothing was wrong within them. Without the room's key,
    secrets are not decrypted."""
    if replayed.discrepancy is None:
        try:
            _compare_counts(replayed, now)
            for claimed in replayed.claimed:
                _compare_claim(claimed, now)
            for used in replayed.limits_used:
                _compare_limit(used, replayed.limits)
            for named in replayed.reports_named:
                _compare_report(named, replayed.reports.get(named.report))
            compare_at_once(replayed.at_once)
            for promoted in replayed.promoted:
                _compare_promoted(promoted, replayed.tables.get(promoted.table))
            for line in replayed.lines:
                compare_line(line, replayed, now)
            _compare_links(replayed)
            _compare_units(replayed)
            for state in replayed.jackpots.values():
                _compare_money(state, booked)
            compare_chips(replayed, booked, now)
            compare_credits(replayed)
            compare_tabulated(replayed, now)
            compare_voids(replayed, now)
            compare_wagers_off(replayed, now)
            compare_prizes(replayed, now)
            compare_typed(replayed, now)
            compare_claims_with_typed(replayed, now)
            compare_lone_decisions(replayed.alone, replayed.can_sign)
            compare_signatures(replayed, now)
            compare_recoveries(replayed.people, replayed.room.recoveries if replayed.room else ())
            replayed.unopened = compare_keys(replayed.felts, replayed.people, replayed.room or RoomState(), now, vault)
        except NotAsReplayed as fault:
            replayed.discrepancy = fault.discrepancy
    return replayed


def _compare_counts(replayed: Replayed, now: LedgerReader) -> None:
    pair = disagreeing(replayed.told_by_tables, replayed.told_by_jackpots)
    if pair is not None:
        table, jackpot = pair
        raise first_difference(pair, told_by(now, table_chain(table)), told_by(now, jackpot_chain(jackpot)))


def _compare_claim(claimed: ClaimJudged, now: LedgerReader) -> None:
    """Only a wager that was counted at its table can win (BJ-19)."""
    where = {"chain": table_chain(claimed.table), "sequence": claimed.counted}
    counted = next(map(happened, now.rows(schema.events, where)), None)
    chain, sequence, id = claimed.chain, claimed.sequence, claimed.id
    if not isinstance(counted, RoundTabulated | CountedByHand) or counted.round != claimed.round:
        what = f"claim {claimed.claim} is about a round that event {claimed.counted} of {where['chain']} did not count"
        raise wrong(what, chain, sequence, id, getattr(counted, "round", "no round"), claimed.round)
    there = positions_for(counted, claimed.jackpot)
    if not claimed.seats <= there:
        what = f"claim {claimed.claim} is about wagers that {claimed.table} did not count in round {claimed.round}"
        raise wrong(what, chain, sequence, id, f"seats among {sorted(there)}", sorted(claimed.seats))
    staked, told = staked_for(counted, claimed.jackpot), dict(claimed.wagers)
    others = {seat for seat in staked if seat <= claimed.seats_there}
    as_counted = all(staked.get(seat, cents) == cents for seat, cents in told.items())
    if told and not (others <= told.keys() <= there and as_counted):
        what = f"claim {claimed.claim} is about wagers that {claimed.table} did not count in round {claimed.round}"
        raise wrong(what, chain, sequence, id, staked, told)
    if claimed.automatic != (by_itself := counted.automatic):
        what = f"claim {claimed.claim} is about round {claimed.round}, which {claimed.table} counted otherwise"
        by = {True: "by the table itself", False: "by a dealer"}
        raise wrong(what, chain, sequence, id, by[by_itself], by[claimed.automatic])
    dealt = who_dealt(AsStored(now), RecordedRound(counted, claimed.counted))
    if claimed.dealt != dealt:
        what = f"claim {claimed.claim} names another dealer of round {claimed.round}"
        raise wrong(what, chain, sequence, id, dealt, claimed.dealt)


def _compare_limit(used: LimitUsed, limits: Sequence[tuple[int, int]]) -> None:
    """What a dealer may pay alone is what held in the room when the prize was claimed."""
    known = [(0, RoomSettings().dealer_pays), *sorted(limits), (_FOR_EVER, 0)]
    # The clocks of two servers may differ by a little.
    earliest, latest = used.time - MAX_CLOCK_LAG, used.time + MAX_CLOCK_LAG
    held = {cents for (since, cents), (until, _) in pairwise(known) if since <= latest and until >= earliest}
    if used.alone not in held:
        what = "the dealer's limit is not the one that held in the room then"
        raise wrong(what, used.chain, used.sequence, used.id, " or ".join(map(str, sorted(held))), used.alone)


def _compare_report(named: ReportNamed, report: ReportOpen | None) -> None:
    """What rests on the report of a malfunction was done while the report was open."""
    if report is None:
        found = "no such report"
    elif report.since > named.time + MAX_CLOCK_LAG:
        found = "opened afterwards"
    elif report.until is not None and report.until < named.time - MAX_CLOCK_LAG:
        found = "closed before"
    else:
        return
    what = f"report {named.report} was not open then"
    raise wrong(what, named.chain, named.sequence, named.id, "an open report", found)


def _compare_promoted(promoted: PrizePromoted, table: TableState | None) -> None:
    """A promotion pays at tables that play for its own money."""
    if table is not None and table.money is not promoted.money:
        what = f"it pays at {promoted.table}, which plays for the other money"
        raise wrong(what, promoted.chain, promoted.sequence, promoted.id, table.money.label, promoted.money.label)


def _compare_links(replayed: Replayed) -> None:
    by_tables = {(table.id, jackpot) for table in replayed.tables.values() for jackpot in table.jackpots}
    by_jackpots = {(table, jackpot.id) for jackpot in replayed.jackpots.values() for table in jackpot.tables}
    for table, jackpot in sorted(by_tables ^ by_jackpots):
        at_table = "is linked" if (table, jackpot) in by_tables else "is not linked"
        at_jackpot = "is linked" if (table, jackpot) in by_jackpots else "is not linked"
        sentence = f"By its own chain table {table} {at_table} to jackpot {jackpot}; by the jackpot's it {at_jackpot}."
        raise NotAsReplayed(Discrepancy(sentence, table_chain(table), None, None, at_jackpot, at_table))
    for table, jackpot in sorted(by_tables):
        one, other = replayed.tables[table].money.label, replayed.jackpots[jackpot].money.label
        if one != other:
            sentence = f"Table {table} plays for {one}, and its jackpot {jackpot} for {other}: the two never meet."
            raise NotAsReplayed(Discrepancy(sentence, table_chain(table), None, None, one, other))


def _compare_units(replayed: Replayed) -> None:
    """A unit is at one table, and the table and the room say so (BJ-35)."""
    by_tables = {(one.id, one.tabulator.unit) for one in replayed.tables.values() if not one.closed}
    units = replayed.room.units if replayed.room else {}
    by_room = {(stands.table, unit) for unit, stands in units.items() if stands.table}
    for table, unit in sorted(by_tables ^ by_room):
        by_table, by_the_room = ("there" if (table, unit) in one else "elsewhere" for one in (by_tables, by_room))
        sentence = f"By the chain of table {table} unit {unit} is {by_table}; by the room's chain it is {by_the_room}."
        raise NotAsReplayed(Discrepancy(sentence, table_chain(table), None, None, by_the_room, by_table))


def _compare_money(state: JackpotState, booked: Balances) -> None:
    """A progressive's state and its accounts are the same money, and it is covered."""
    for account, amount in _held(state).items():
        debits, credits = booked.get(str(account), (0, 0))
        balance = debits - credits if account.kind.is_debit else credits - debits
        if balance != amount:
            sentence = f"Jackpot {state.id} says that {account} holds {amount}; by the books it holds {balance}."
            chain = jackpot_chain(state.id)
            raise NotAsReplayed(Discrepancy(sentence, chain, None, str(account), str(amount), str(balance)))


def _held(state: JackpotState) -> dict[Account, Amount]:
    if state.kind is JackpotKind.BONUS:
        return {}
    held: dict[Account, Amount] = {
        Account(AccountKind.ESCROW, state.id, state.money): state.escrow,
        Account(AccountKind.UNDEPOSITED, state.id, state.money): state.undeposited,
        Account(AccountKind.CAGE_ADVANCE, state.id, state.money): state.cage_advance,
    }
    for meter in state.meters:
        owner = f"{state.id}/{meter.name}"
        held |= {
            Account(AccountKind.DISPLAY, owner, state.money): meter.display,
            Account(AccountKind.RESERVE, owner, state.money): meter.reserve,
            Account(AccountKind.OVERFLOW, owner, state.money): meter.overflow,
            Account(AccountKind.PENDING, owner, state.money): meter.pending,
            Account(AccountKind.SEED_OWED, owner, state.money): meter.seed_owed,
        }
    return held
