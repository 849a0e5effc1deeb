"""The closes of the days: the head that a close records for a chain is still that chain's event, and the money was as
the close says. So no chain can be rewritten alone.

What dealers have paid alone, over all jackpots of a round: no more to a seat than the room's limit (BJ-46).

The chains of the jackpots are replayed one by one, so each claim says what it counted from the others; here the claims
are compared with one another.

What tabulators and jackpots say of one another, and the ledger's balances of the jackpots' money.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

import orjson

from cardroom.chart_of_accounts import Account, AccountKind, Amount
from cardroom.errors import BadInput
from cardroom.ledger import schema
from cardroom.ledger.clock import MAX_CLOCK_LAG
from cardroom.ledger.encryption import Vault
from cardroom.ledger.store import LedgerReader
from cardroom.room.event_types import decode_event
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.setup.site import SiteSettings
from cardroom.room.site.events import DayClosed
from cardroom.room.site.state import SiteState
from cardroom.room.tabulator.events import RoundCountedByHand, RoundTabulated
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.room.tabulator.state import positions_for, stakes_by_position
from cardroom.service.chains.names import ROOM_CHAIN, jackpot_chain, parse_jackpot_chain, tabulator_chain
from cardroom.service.queries.chain_history import RoundCountRecord
from cardroom.service.queries.past_live_rounds import find_dealer
from cardroom.service.verification.agreement import (
    StoredChains,
    decode_row,
    find_count_difference,
    find_disagreeing_pair,
    read_chain_events,
)
from cardroom.service.verification.chain_agreement import (
    compare_chips,
    compare_counts,
    compare_credits,
    compare_voids,
    compare_wager_reversals,
)
from cardroom.service.verification.chain_replay import compare_lone_decisions, compare_recoveries
from cardroom.service.verification.prize_checks import (
    compare_claims_with_typed_cards,
    compare_prizes,
    compare_typed_cards,
)
from cardroom.service.verification.replay_result import (
    DayClose,
    DealerLimitUse,
    ImmediatePrizes,
    JudgedClaim,
    PromotionPrizeEvent,
    ReplayResult,
    ReportPeriod,
    ReportReference,
)
from cardroom.service.verification.report import Discrepancy, ReplayMismatch, replay_mismatch
from cardroom.service.verification.security_checks import compare_secrets, compare_signatures


def read_day_ends(reader: LedgerReader) -> Mapping[str, frozenset[int]]:
    """By the chain of a jackpot, the last event of each day. The replay reports what cannot be read here."""
    ends: dict[str, set[int]] = {}
    for row in reader.rows(schema.events, {"chain": ROOM_CHAIN}):
        try:
            event = decode_event(row[3], row[4], orjson.loads(row[6]))
        except (BadInput, ValueError):
            continue
        for end in event.ends if isinstance(event, DayClosed) else ():
            if parse_jackpot_chain(end.chain) is not None:
                ends.setdefault(end.chain, set()).add(end.sequence)
    return {chain: frozenset(sequences) for chain, sequences in ends.items()}


def check_day_close(day_close: DayClose, result: ReplayResult, reader: LedgerReader) -> None:
    """Compare one close of a day with the chains."""
    for end in day_close.ends:
        row = next(reader.rows(schema.events, {"chain": end.chain, "sequence": end.sequence}), None)
        if row is None or row[9].hex() != end.hash:
            problem = f"event {end.sequence} of {end.chain} is not the one that the day's close recorded"
            found_hash = "no event" if row is None else row[9].hex()
            raise replay_mismatch(problem, day_close.chain, day_close.sequence, day_close.id, end.hash, found_hash)
    places = {end.chain: end.sequence for end in day_close.ends}
    recorded = {jackpot_chain(jackpot.jackpot): jackpot for jackpot in day_close.jackpots}
    for chain in sorted({*recorded, *filter(parse_jackpot_chain, places)}):
        actual, expected = result.jackpots_at_close.get((chain, places.get(chain, 0))), recorded.get(chain)
        if actual != expected:
            raise replay_mismatch(
                f"the money of {chain} was different",
                day_close.chain,
                day_close.sequence,
                day_close.id,
                actual,
                expected,
            )


def check_dealer_limits(claimed: Iterable[ImmediatePrizes]) -> None:
    """Find a seat that was paid beyond the limit, or for which a claim counted prizes from elsewhere that were not paid
    there."""
    of_rounds = defaultdict[tuple[str, str], list[ImmediatePrizes]](list)
    for prizes in claimed:
        of_rounds[prizes.table, prizes.round].append(prizes)
    for of_a_round in of_rounds.values():
        for seat in sorted({seat for prizes in of_a_round for seat in prizes.paid}):
            _check_seat_limit(seat, [prizes for prizes in of_a_round if seat in prizes.paid])
        for prizes in of_a_round:
            _check_other_jackpots(prizes, of_a_round)


def _check_seat_limit(seat: int, claimed: Sequence[ImmediatePrizes]) -> None:
    """The last claim counted all earlier payments, so the largest limit applies to all together."""
    paid, most, last = (
        sum(prizes.paid[seat] for prizes in claimed),
        max(prizes.limit_cents for prizes in claimed),
        claimed[-1],
    )
    if paid > most:
        problem = f"it paid seat {seat} more at once in round {last.round} of {last.table} than a dealer may pay alone"
        raise replay_mismatch(problem, last.chain, last.sequence, last.id, f"at most {most}", paid)


def _check_other_jackpots(claim: ImmediatePrizes, claimed: Sequence[ImmediatePrizes]) -> None:
    for seat, cents in claim.other_jackpots:
        paid = sum(max(prizes.paid.get(seat, 0), 0) for prizes in claimed if prizes.chain != claim.chain)
        if cents > paid:
            problem = f"it names prizes that no other jackpot paid seat {seat} in round {claim.round} of {claim.table}"
            raise replay_mismatch(problem, claim.chain, claim.sequence, claim.id, f"at most {paid}", cents)


_END_OF_TIME: Final = 1 << 63
Balances = Mapping[str, tuple[int, int]]
"""Debits and credits by account."""


def read_balances(reader: LedgerReader) -> dict[str, tuple[int, int]]:
    """The balances as stored."""
    return {row[0]: (row[1], row[2]) for row in reader.rows(schema.balances)}


def check_invariants(
    result: ReplayResult, balances: Balances, reader: LedgerReader, vault: Vault | None
) -> ReplayResult:
    """The replay with the first discrepancy between its chains, if there is none within them. Without the room's key,
    secrets are not decrypted."""
    if result.discrepancy is None:
        try:
            _check_counts(result, reader)
            for claimed in result.judged_claims:
                _check_claim(claimed, reader)
            for used in result.dealer_limit_uses:
                _check_limit(used, result.dealer_limits)
            for reference in result.report_references:
                _check_report(reference, result.report_periods.get(reference.report))
            check_dealer_limits(result.immediate_prizes)
            for promoted in result.promotion_prizes:
                _check_promotion_prize(promoted, result.tabulators.get(promoted.table))
            for line in result.day_closes:
                check_day_close(line, result, reader)
            _check_links(result)
            _check_units(result)
            for state in result.jackpots.values():
                _check_balances(state, balances)
            compare_chips(result, balances, reader)
            compare_credits(result)
            compare_counts(result, reader)
            compare_voids(result, reader)
            compare_wager_reversals(result, reader)
            compare_prizes(result, reader)
            compare_typed_cards(result, reader)
            compare_claims_with_typed_cards(result, reader)
            compare_lone_decisions(result.lone_decisions, result.signing_changes)
            compare_signatures(result, reader)
            compare_recoveries(result.users, result.room.recoveries if result.room else ())
            result.unopened_secrets = compare_secrets(
                result.tables, result.users, result.room or SiteState(), reader, vault
            )
        except ReplayMismatch as fault:
            result.discrepancy = fault.discrepancy
    return result


def _check_counts(result: ReplayResult, reader: LedgerReader) -> None:
    pair = find_disagreeing_pair(result.tabulator_counts, result.jackpot_counts)
    if pair is not None:
        table, jackpot = pair
        raise find_count_difference(
            pair, read_chain_events(reader, tabulator_chain(table)), read_chain_events(reader, jackpot_chain(jackpot))
        )


def _check_claim(claim: JudgedClaim, reader: LedgerReader) -> None:
    """Only a wager that was counted at its table can win (BJ-19)."""
    place = {"chain": tabulator_chain(claim.table), "sequence": claim.count_sequence}
    count_event = next(map(decode_row, reader.rows(schema.events, place)), None)
    chain, sequence, id = claim.chain, claim.sequence, claim.id
    if not isinstance(count_event, RoundTabulated | RoundCountedByHand) or count_event.round != claim.round:
        problem = (
            f"claim {claim.claim} is about a round that event {claim.count_sequence} of {place['chain']} did not count"
        )
        raise replay_mismatch(problem, chain, sequence, id, getattr(count_event, "round", "no round"), claim.round)
    counted_positions = positions_for(count_event, claim.jackpot)
    if not claim.seats <= counted_positions:
        problem = f"claim {claim.claim} is about wagers that {claim.table} did not count in round {claim.round}"
        raise replay_mismatch(
            problem, chain, sequence, id, f"seats among {sorted(counted_positions)}", sorted(claim.seats)
        )
    staked, typed_wagers = stakes_by_position(count_event, claim.jackpot), dict(claim.wagers)
    sharing_seats = {seat for seat in staked if seat <= claim.sharing_seats}
    as_counted = all(staked.get(seat, cents) == cents for seat, cents in typed_wagers.items())
    if typed_wagers and not (sharing_seats <= typed_wagers.keys() <= counted_positions and as_counted):
        problem = f"claim {claim.claim} is about wagers that {claim.table} did not count in round {claim.round}"
        raise replay_mismatch(problem, chain, sequence, id, staked, typed_wagers)
    if claim.is_automatic != (by_itself := count_event.automatic):
        problem = f"claim {claim.claim} is about round {claim.round}, which {claim.table} counted otherwise"
        by = {True: "by the table itself", False: "by a dealer"}
        raise replay_mismatch(problem, chain, sequence, id, by[by_itself], by[claim.is_automatic])
    dealt = find_dealer(StoredChains(reader), RoundCountRecord(count_event, claim.count_sequence))
    if claim.dealer != dealt:
        problem = f"claim {claim.claim} names a different dealer of round {claim.round}"
        raise replay_mismatch(problem, chain, sequence, id, dealt, claim.dealer)


def _check_limit(used: DealerLimitUse, limits: Sequence[tuple[int, int]]) -> None:
    """The dealer's limit of a claim is the one in force in the room when the prize was claimed."""
    known_limits = [(0, SiteSettings().dealer_pays), *sorted(limits), (_END_OF_TIME, 0)]
    # The clocks of two servers may differ a little.
    earliest, latest = used.time - MAX_CLOCK_LAG, used.time + MAX_CLOCK_LAG
    valid_limits = {
        cents for (since, cents), (until, _) in pairwise(known_limits) if since <= latest and until >= earliest
    }
    if used.limit_cents not in valid_limits:
        problem = "the dealer's limit is not the one in force in the room then"
        raise replay_mismatch(
            problem, used.chain, used.sequence, used.id, " or ".join(map(str, sorted(valid_limits))), used.limit_cents
        )


def _check_report(reference: ReportReference, report: ReportPeriod | None) -> None:
    """What refers to a malfunction report was done while the report was open."""
    if report is None:
        actual = "no such report"
    elif report.since > reference.time + MAX_CLOCK_LAG:
        actual = "opened afterwards"
    elif report.until is not None and report.until < reference.time - MAX_CLOCK_LAG:
        actual = "closed before"
    else:
        return
    problem = f"report {reference.report} was not open then"
    raise replay_mismatch(problem, reference.chain, reference.sequence, reference.id, "an open report", actual)


def _check_promotion_prize(prize: PromotionPrizeEvent, table: TabulatedTableState | None) -> None:
    """A promotion pays at tables that play for its own currency."""
    if table is not None and table.money is not prize.money:
        problem = f"it pays at {prize.table}, which plays for another currency"
        raise replay_mismatch(problem, prize.chain, prize.sequence, prize.id, table.money.label, prize.money.label)


def _check_links(result: ReplayResult) -> None:
    by_tables = {(table.id, jackpot) for table in result.tabulators.values() for jackpot in table.jackpots}
    by_jackpots = {(table, jackpot.id) for jackpot in result.jackpots.values() for table in jackpot.tables}
    for table, jackpot in sorted(by_tables ^ by_jackpots):
        at_table = "is linked" if (table, jackpot) in by_tables else "is not linked"
        at_jackpot = "is linked" if (table, jackpot) in by_jackpots else "is not linked"
        sentence = (
            f"By its own chain table {table} {at_table} to jackpot {jackpot}; by the jackpot's chain it {at_jackpot}."
        )
        raise ReplayMismatch(Discrepancy(sentence, tabulator_chain(table), None, None, at_jackpot, at_table))
    for table, jackpot in sorted(by_tables):
        table_currency, jackpot_currency = result.tabulators[table].money.label, result.jackpots[jackpot].money.label
        if table_currency != jackpot_currency:
            sentence = f"Table {table} plays for {table_currency}, and its jackpot {jackpot} for {jackpot_currency}."
            raise ReplayMismatch(
                Discrepancy(sentence, tabulator_chain(table), None, None, table_currency, jackpot_currency)
            )


def _check_units(result: ReplayResult) -> None:
    """A unit is at one table, by the table's chain and by the room's (BJ-35)."""
    by_tables = {(one.id, one.tabulator.unit) for one in result.tabulators.values() if not one.closed}
    units = result.room.units if result.room else {}
    by_room = {(unit_state.table, unit) for unit, unit_state in units.items() if unit_state.table}
    for table, unit in sorted(by_tables ^ by_room):
        by_table, by_the_room = ("there" if (table, unit) in one else "elsewhere" for one in (by_tables, by_room))
        sentence = f"By the chain of table {table}, unit {unit} is {by_table}; by the room's chain it is {by_the_room}."
        raise ReplayMismatch(Discrepancy(sentence, tabulator_chain(table), None, None, by_the_room, by_table))


def _check_balances(state: JackpotState, balances: Balances) -> None:
    """A progressive's state and its accounts are the same money, and it is covered."""
    for account, amount in _list_expected_balances(state).items():
        debits, credits = balances.get(str(account), (0, 0))
        balance = debits - credits if account.kind.is_debit else credits - debits
        if balance != amount:
            sentence = f"Jackpot {state.id} says that {account} holds {amount}; the ledger's balance is {balance}."
            chain = jackpot_chain(state.id)
            raise ReplayMismatch(Discrepancy(sentence, chain, None, str(account), str(amount), str(balance)))


def _list_expected_balances(state: JackpotState) -> dict[Account, Amount]:
    if state.kind is JackpotKind.BONUS:
        return {}
    expected: dict[Account, Amount] = {
        Account(AccountKind.ESCROW, state.id, state.money): state.escrow,
        Account(AccountKind.UNDEPOSITED, state.id, state.money): state.undeposited,
        Account(AccountKind.CAGE_ADVANCE, state.id, state.money): state.cage_advance,
    }
    for meter in state.meters:
        owner = f"{state.id}/{meter.name}"
        expected |= {
            Account(AccountKind.DISPLAY, owner, state.money): meter.display,
            Account(AccountKind.RESERVE, owner, state.money): meter.reserve,
            Account(AccountKind.OVERFLOW, owner, state.money): meter.overflow,
            Account(AccountKind.PENDING, owner, state.money): meter.pending,
            Account(AccountKind.SEED_OWED, owner, state.money): meter.seed_owed,
        }
    return expected
