"""The invariants of a card room: what the chains of a verified ledger say of one another.

``INVARIANTS`` lists all of them, each with the sentence that must be true. Those of one chain are checked while the
chain is replayed. The others are below and in ``chain_agreement``, ``chain_replay`` (users), ``prize_checks``, and
``security_checks``, each with its check; they are checked in the order of the list once all chains are replayed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import orjson

from cardroom.chart_of_accounts import Account, AccountKind, Amount
from cardroom.errors import BadInput
from cardroom.ledger import schema
from cardroom.ledger.clock import MAX_CLOCK_LAG
from cardroom.ledger.store import LedgerReader
from cardroom.room.event_types import DomainEvent, decode_event
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.setup.site import SiteSettings
from cardroom.room.site.events import DayClosed
from cardroom.room.tabulator.events import RoundCountedByHand, RoundTabulated
from cardroom.room.tabulator.state import positions_for, stakes_by_position
from cardroom.service.chains.names import ROOM_CHAIN, jackpot_chain, parse_jackpot_chain, tabulator_chain
from cardroom.service.queries.chain_history import RoundCountRecord
from cardroom.service.queries.past_live_rounds import find_dealer
from cardroom.service.verification import chain_agreement, chain_replay, prize_checks, security_checks
from cardroom.service.verification.agreement import (
    decode_row,
    find_count_difference,
    find_disagreeing_pair,
    read_chain_events,
)
from cardroom.service.verification.invariant import (
    CHECKED_BEFORE_PAYMENT,
    COUNTERS_ADVANCE,
    DECISIONS_IN_TURN,
    ENTRIES_FOLLOW,
    JUDGED_ALIKE,
    KEY_WAS_SEALED,
    RULES_ALLOW,
    SETTLED_BY_RULES,
    SNAPSHOT_FOLLOWS,
    STATEMENT_LISTS_MOVEMENTS,
    STORED_AS_WRITTEN,
    TIMERS_KEPT,
    TWO_PEOPLE,
    UNIQUE_KEYS_FOLLOW,
    VOID_ROUNDS_PAY_NOTHING,
    Invariant,
    ReplayedRoom,
    invariant,
)
from cardroom.service.verification.replay_result import ImmediatePrizes, JudgedClaim, ReplayResult
from cardroom.service.verification.report import Discrepancy, ReplayMismatch, replay_mismatch

_END_OF_TIME: Final = 1 << 63


@invariant(
    "counted-wagers-reach-their-jackpot",
    "tabulators and jackpots",
    "Each wager that a tabulator counts for a jackpot is on the jackpot's chain, in one order, and no other is.",
)
def counted_wagers_reach_their_jackpot(room: ReplayedRoom) -> None:
    pair = find_disagreeing_pair(room.result.tabulator_counts, room.result.jackpot_counts)
    if pair is not None:
        table, jackpot = pair
        table_events = read_chain_events(room.reader, tabulator_chain(table))
        raise find_count_difference(pair, table_events, read_chain_events(room.reader, jackpot_chain(jackpot)))


@invariant(
    "claimed-wagers-were-counted",
    "jackpots and tabulators",
    "A claim is about wagers that were counted at its table in its round: by the table itself, or by a dealer (BJ-19).",
)
def claimed_wagers_were_counted(room: ReplayedRoom) -> None:
    for claim, count_event in _read_claims(room):
        chain, sequence, id = claim.chain, claim.sequence, claim.id
        if not isinstance(count_event, RoundTabulated | RoundCountedByHand) or count_event.round != claim.round:
            place = f"event {claim.count_sequence} of {tabulator_chain(claim.table)}"
            problem = f"claim {claim.claim} is about a round that {place} did not count"
            raise replay_mismatch(problem, chain, sequence, id, getattr(count_event, "round", "no round"), claim.round)
        counted_positions = positions_for(count_event, claim.jackpot)
        problem = f"claim {claim.claim} is about wagers that {claim.table} did not count in round {claim.round}"
        if not claim.seats <= counted_positions:
            expected = f"seats among {sorted(counted_positions)}"
            raise replay_mismatch(problem, chain, sequence, id, expected, sorted(claim.seats))
        staked, typed_wagers = stakes_by_position(count_event, claim.jackpot), dict(claim.wagers)
        sharing_seats = {seat for seat in staked if seat <= claim.sharing_seats}
        as_counted = all(staked.get(seat, cents) == cents for seat, cents in typed_wagers.items())
        if typed_wagers and not (sharing_seats <= typed_wagers.keys() <= counted_positions and as_counted):
            raise replay_mismatch(problem, chain, sequence, id, staked, typed_wagers)
        if claim.is_automatic != (by_itself := count_event.automatic):
            problem = f"claim {claim.claim} is about round {claim.round}, which {claim.table} counted otherwise"
            by = {True: "by the table itself", False: "by a dealer"}
            raise replay_mismatch(problem, chain, sequence, id, by[by_itself], by[claim.is_automatic])


@invariant(
    "claims-name-the-dealer",
    "jackpots, tabulators, and live tables",
    "A claim names the dealer of its round.",
)
def claims_name_the_dealer(room: ReplayedRoom) -> None:
    for claim, count_event in _read_claims(room):
        assert isinstance(count_event, RoundTabulated | RoundCountedByHand)  # checked above
        dealt = find_dealer(room.chains, RoundCountRecord(count_event, claim.count_sequence))
        if claim.dealer != dealt:
            problem = f"claim {claim.claim} names a different dealer of round {claim.round}"
            raise replay_mismatch(problem, claim.chain, claim.sequence, claim.id, dealt, claim.dealer)


def _read_claims(room: ReplayedRoom) -> Iterator[tuple[JudgedClaim, DomainEvent | None]]:
    """Each claim with the tabulator's event that it names."""
    for claim in room.result.judged_claims:
        place = {"chain": tabulator_chain(claim.table), "sequence": claim.count_sequence}
        yield claim, next(map(decode_row, room.reader.rows(schema.events, place)), None)


@invariant(
    "dealers-limit-is-the-rooms",
    "jackpots and the room",
    "A prize that a dealer pays alone is limited by the setting of the room that is in force when it is claimed.",
)
def dealers_limit_is_the_rooms(room: ReplayedRoom) -> None:
    known_limits = [(0, SiteSettings().dealer_pays), *sorted(room.result.dealer_limits), (_END_OF_TIME, 0)]
    for used in room.result.dealer_limit_uses:
        # The clocks of two servers may differ a little.
        earliest, latest = used.time - MAX_CLOCK_LAG, used.time + MAX_CLOCK_LAG
        valid_limits = {
            cents for (since, cents), (until, _) in pairwise(known_limits) if since <= latest and until >= earliest
        }
        if used.limit_cents not in valid_limits:
            problem = "the dealer's limit is not the one in force in the room then"
            expected = " or ".join(map(str, sorted(valid_limits)))
            raise replay_mismatch(problem, used.chain, used.sequence, used.id, expected, used.limit_cents)


@invariant(
    "reports-were-open",
    "tabulators, jackpots, and the room",
    "What refers to a malfunction report was done while the report was open.",
)
def reports_were_open(room: ReplayedRoom) -> None:
    for reference in room.result.report_references:
        report = room.result.report_periods.get(reference.report)
        if report is None:
            actual = "no such report"
        elif report.since > reference.time + MAX_CLOCK_LAG:
            actual = "opened afterwards"
        elif report.until is not None and report.until < reference.time - MAX_CLOCK_LAG:
            actual = "closed before"
        else:
            continue
        problem = f"report {reference.report} was not open then"
        raise replay_mismatch(problem, reference.chain, reference.sequence, reference.id, "an open report", actual)


@invariant(
    "a-seat-wins-at-most-the-dealers-limit",
    "the jackpots of a round",
    "Over all jackpots of a round, a dealer alone pays a seat at most the limit (BJ-46).",
)
def a_seat_wins_at_most_the_dealers_limit(room: ReplayedRoom) -> None:
    for of_a_round in _group_immediate_prizes(room.result):
        for seat in sorted({seat for prizes in of_a_round for seat in prizes.paid}):
            _check_seat_limit(seat, [prizes for prizes in of_a_round if seat in prizes.paid])


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


@invariant(
    "prizes-of-other-jackpots-were-paid",
    "the jackpots of a round",
    "What a claim counts from other jackpots of its round, those jackpots paid.",
)
def prizes_of_other_jackpots_were_paid(room: ReplayedRoom) -> None:
    for of_a_round in _group_immediate_prizes(room.result):
        for claim in of_a_round:
            for seat, cents in claim.other_jackpots:
                paid = sum(max(prizes.paid.get(seat, 0), 0) for prizes in of_a_round if prizes.chain != claim.chain)
                if cents > paid:
                    of = f"in round {claim.round} of {claim.table}"
                    problem = f"it names prizes that no other jackpot paid seat {seat} {of}"
                    raise replay_mismatch(problem, claim.chain, claim.sequence, claim.id, f"at most {paid}", cents)


def _group_immediate_prizes(result: ReplayResult) -> list[list[ImmediatePrizes]]:
    """What dealers have paid alone, round by round."""
    rounds = defaultdict[tuple[str, str], list[ImmediatePrizes]](list)
    for prizes in result.immediate_prizes:
        rounds[prizes.table, prizes.round].append(prizes)
    return list(rounds.values())


@invariant(
    "promotions-pay-their-currency",
    "promotions and tabulators",
    "A promotion pays only at tables that play for its currency.",
)
def promotions_pay_their_currency(room: ReplayedRoom) -> None:
    for prize in room.result.promotion_prizes:
        table = room.result.tabulators.get(prize.table)
        if table is not None and table.money is not prize.money:
            problem = f"it pays at {prize.table}, which plays for another currency"
            raise replay_mismatch(problem, prize.chain, prize.sequence, prize.id, table.money.label, prize.money.label)


@invariant(
    "closed-days-keep-their-heads",
    "the room and every chain",
    "Each event whose hash the close of a day recorded is still that event, so no chain can be rewritten alone.",
)
def closed_days_keep_their_heads(room: ReplayedRoom) -> None:
    for day_close in room.result.day_closes:
        for end in day_close.ends:
            row = next(room.reader.rows(schema.events, {"chain": end.chain, "sequence": end.sequence}), None)
            if row is None or row[9].hex() != end.hash:
                problem = f"event {end.sequence} of {end.chain} is not the one that the day's close recorded"
                found_hash = "no event" if row is None else row[9].hex()
                raise replay_mismatch(problem, day_close.chain, day_close.sequence, day_close.id, end.hash, found_hash)


@invariant(
    "closed-days-keep-their-money",
    "the room and jackpots",
    "At the close of a day, each jackpot had the money that the close recorded.",
)
def closed_days_keep_their_money(room: ReplayedRoom) -> None:
    for day_close in room.result.day_closes:
        places = {end.chain: end.sequence for end in day_close.ends}
        recorded = {jackpot_chain(jackpot.jackpot): jackpot for jackpot in day_close.jackpots}
        for chain in sorted({*recorded, *filter(parse_jackpot_chain, places)}):
            actual, expected = room.result.jackpots_at_close.get((chain, places.get(chain, 0))), recorded.get(chain)
            if actual != expected:
                problem = f"the money of {chain} was different"
                raise replay_mismatch(problem, day_close.chain, day_close.sequence, day_close.id, actual, expected)


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


@invariant(
    "links-agree",
    "tabulators and jackpots",
    "A table is linked to a jackpot by its own chain exactly if it is by the jackpot's.",
)
def links_agree(room: ReplayedRoom) -> None:
    by_tables = _list_links(room.result)
    by_jackpots = {(table, jackpot.id) for jackpot in room.result.jackpots.values() for table in jackpot.tables}
    for table, jackpot in sorted(by_tables ^ by_jackpots):
        at_table = "is linked" if (table, jackpot) in by_tables else "is not linked"
        at_jackpot = "is linked" if (table, jackpot) in by_jackpots else "is not linked"
        sentence = (
            f"By its own chain table {table} {at_table} to jackpot {jackpot}; by the jackpot's chain it {at_jackpot}."
        )
        raise ReplayMismatch(Discrepancy(sentence, tabulator_chain(table), None, None, at_jackpot, at_table))


@invariant(
    "links-have-one-currency",
    "tabulators and jackpots",
    "A table and its jackpots have one currency: play money and dollars never meet.",
)
def links_have_one_currency(room: ReplayedRoom) -> None:
    result = room.result
    for table, jackpot in sorted(_list_links(result)):
        at_table, at_jackpot = result.tabulators[table].money.label, result.jackpots[jackpot].money.label
        if at_table != at_jackpot:
            sentence = f"Table {table} plays for {at_table}, and its jackpot {jackpot} for {at_jackpot}."
            raise ReplayMismatch(Discrepancy(sentence, tabulator_chain(table), None, None, at_table, at_jackpot))


def _list_links(result: ReplayResult) -> set[tuple[str, str]]:
    """Tables and jackpots, by the chains of the tables."""
    return {(table.id, jackpot) for table in result.tabulators.values() for jackpot in table.jackpots}


@invariant(
    "a-unit-is-at-one-table",
    "tabulators and the room",
    "A tabulator's unit is at one table, by the table's chain and by the room's (BJ-35).",
)
def a_unit_is_at_one_table(room: ReplayedRoom) -> None:
    result = room.result
    by_tables = {(one.id, one.tabulator.unit) for one in result.tabulators.values() if not one.closed}
    units = result.room.units if result.room else {}
    by_room = {(unit_state.table, unit) for unit, unit_state in units.items() if unit_state.table}
    for table, unit in sorted(by_tables ^ by_room):
        by_table, by_the_room = ("there" if (table, unit) in one else "elsewhere" for one in (by_tables, by_room))
        sentence = f"By the chain of table {table}, unit {unit} is {by_table}; by the room's chain it is {by_the_room}."
        raise ReplayMismatch(Discrepancy(sentence, tabulator_chain(table), None, None, by_the_room, by_table))


@invariant(
    "jackpots-are-in-the-books",
    "jackpots and the double entry",
    "The accounts of a progressive jackpot hold what its chain says: each meter's parts, the escrow, and what is not "
    "deposited.",
)
def jackpots_are_in_the_books(room: ReplayedRoom) -> None:
    for state in room.result.jackpots.values():
        for account, amount in _list_expected_balances(state).items():
            debits, credits = room.balances.get(str(account), (0, 0))
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


INVARIANTS: Final[tuple[Invariant, ...]] = (
    STORED_AS_WRITTEN,
    ENTRIES_FOLLOW,
    UNIQUE_KEYS_FOLLOW,
    SNAPSHOT_FOLLOWS,
    RULES_ALLOW,
    TWO_PEOPLE,
    KEY_WAS_SEALED,
    DECISIONS_IN_TURN,
    TIMERS_KEPT,
    SETTLED_BY_RULES,
    COUNTERS_ADVANCE,
    JUDGED_ALIKE,
    CHECKED_BEFORE_PAYMENT,
    VOID_ROUNDS_PAY_NOTHING,
    STATEMENT_LISTS_MOVEMENTS,
    counted_wagers_reach_their_jackpot,
    claimed_wagers_were_counted,
    claims_name_the_dealer,
    dealers_limit_is_the_rooms,
    reports_were_open,
    a_seat_wins_at_most_the_dealers_limit,
    prizes_of_other_jackpots_were_paid,
    promotions_pay_their_currency,
    closed_days_keep_their_heads,
    closed_days_keep_their_money,
    links_agree,
    links_have_one_currency,
    a_unit_is_at_one_table,
    jackpots_are_in_the_books,
    chain_agreement.credited_prizes_agree,
    chain_agreement.credited_prizes_have_one_currency,
    chain_agreement.chips_agree,
    chain_agreement.players_have_the_tables_currency,
    chain_agreement.seats_agree,
    chain_agreement.chips_and_balances_are_in_the_books,
    chain_agreement.automatic_wagers_are_counted,
    chain_agreement.live_rounds_are_counted,
    chain_agreement.voided_rounds_count_nothing,
    chain_agreement.voids_reverse_what_was_counted,
    chain_agreement.reversals_restore_the_meters,
    prize_checks.automatic_prizes_agree,
    prize_checks.winners_sat_at_their_seats,
    prize_checks.entries_respect_pending_claims,
    prize_checks.claims_match_entered_cards,
    chain_replay.room_has_one_first_operator,
    chain_replay.two_people_decide_about_users,
    security_checks.signatures_are_for_stored_commands,
    security_checks.second_people_have_signed,
    chain_replay.recoveries_are_marked,
    security_checks.secrets_match_their_seals,
)
"""All invariants, in the order in which they are checked."""


def find_invariant(name: str) -> Invariant:
    """The invariant with a name."""
    return next(each for each in INVARIANTS if each.name == name)


def check_invariants(room: ReplayedRoom) -> ReplayResult:
    """The replay with the first discrepancy between its chains, if there is none within them."""
    for each in INVARIANTS if room.result.discrepancy is None else ():
        if each.check is not None:
            try:
                each.check(room)
            except ReplayMismatch as fault:
                room.result.discrepancy = fault.discrepancy._replace(invariant=each.name)
                break
    return room.result


def read_balances(reader: LedgerReader) -> dict[str, tuple[int, int]]:
    """The balances as stored."""
    return {row[0]: (row[1], row[2]) for row in reader.rows(schema.balances)}
