"""Whether tables and player accounts agree about chips, and whether the ledger's balances are what both say.

A command locks the chains of a player and of a table together when chips are bought or returned, so both record it in
one order.

Whether jackpots and player accounts agree about the prizes that were paid into balances.

A command locks both chains together when such a prize is paid, so both record it in one order.

Whether tables and their tabulators agree: the jackpot wagers on the layout are the counted ones.

A command locks both chains together when a round begins, so both record it in one order.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.chart_of_accounts import CENT, Account, AccountKind
from cardroom.ledger.store import LedgerReader
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import PlacedWager
from cardroom.room.jackpot.events import ClaimPaid
from cardroom.room.jackpot.wager_counts import reverse_wagers
from cardroom.room.payment_references import PaymentMethod
from cardroom.room.player.account import (
    ChipsBought,
    ChipsReturned,
    PlayerAccount,
    PrizeCredited,
    balance_account,
    seat_account,
)
from cardroom.room.table.events import (
    RoundCanceled,
    RoundPlayed,
    RoundStarted,
    SealRenewed,
    SeatLeft,
    SeatTaken,
    TableClosed,
    TableOpened,
)
from cardroom.room.table.state import OpenTable, TableState, open_table, round_id, setup_text
from cardroom.room.tabulator.events import RoundCountedByHand, RoundTabulated
from cardroom.service.chains.names import jackpot_chain, player_chain, table_chain, tabulator_chain
from cardroom.service.queries.chain_history import read_domain_event, trace_round_before
from cardroom.service.verification.agreement import (
    ChainPair,
    ChainSide,
    ChainStatement,
    EventRows,
    LocatedStatement,
    find_difference,
    find_disagreeing_pair,
    read_chain_events,
)
from cardroom.service.verification.invariant import ReplayedRoom, invariant
from cardroom.service.verification.replay_result import find_value_difference
from cardroom.service.verification.report import Discrepancy, ReplayMismatch, replay_mismatch

_CHIP_ACCOUNTS = frozenset({AccountKind.PLAYER, AccountKind.SEAT, AccountKind.LAYOUT, AccountKind.FLOAT})


def read_table_chips(event: DomainEvent, number: int) -> Iterator[ChainStatement]:
    """Chips that a player brought to a table, or took away, before or in the round of a number. The chips of bots
    belong to the operator."""
    match event:
        case SeatTaken(table=table, seat=seat, player=player, cents=cents, is_bot=False):
            yield ChainStatement((table, player), f"seat {seat} taken, round {number}", cents)
        case SeatLeft(table=table, seat=seat, player=player, cents=cents, has_wagers=stays, is_bot=False):
            yield ChainStatement((table, player), f"seat {seat} {'kept' if stays else 'free'}, round {number}", -cents)


def read_player_chips(event: DomainEvent) -> Iterator[ChainStatement]:
    """Chips that a player bought, or got back."""
    match event:
        case ChipsBought(player=player, table=table, seat=seat, cents=cents, round=number):
            yield ChainStatement((table, player), f"seat {seat} taken, round {number}", cents)
        case ChipsReturned(player=player, table=table, seat=seat, cents=cents, round=number, left_table=is_gone):
            yield ChainStatement(
                (table, player), f"seat {seat} {'free' if is_gone else 'kept'}, round {number}", -cents
            )


@invariant(
    "chips-agree",
    "tables and player accounts",
    "Each chip that a player brings to a table or takes away is on the chains of both, in one order.",
)
def chips_agree(room: ReplayedRoom) -> None:
    result = room.result
    pair = find_disagreeing_pair(result.table_chips, result.player_chips)
    if pair is not None:
        raise _find_chip_difference(pair, room.reader)


@invariant(
    "players-have-the-tables-currency",
    "tables and player accounts",
    "A player at a table has the currency for which the table plays.",
)
def players_have_the_tables_currency(room: ReplayedRoom) -> None:
    for table, player in sorted(room.result.table_chips):
        dealt, has = room.result.tables[table].terms.money.label, room.result.player_accounts[player].money.label
        if dealt != has:
            sentence = f"Table {table} plays for {dealt}, and {player}, who sat there, has {has}."
            raise ReplayMismatch(Discrepancy(sentence, table_chain(table), None, None, dealt, has))


@invariant(
    "seats-agree",
    "tables and player accounts",
    "A player whom a table's chain has at a seat has that seat on the player's own chain, and no other.",
)
def seats_agree(room: ReplayedRoom) -> None:
    by_tables = {
        (item.player, table_state.table): item.seat
        for table_state in room.result.tables.values()
        for item in table_state.seats
        if not item.is_bot
    }
    by_players = {
        (item.player, table): seat
        for item in room.result.player_accounts.values()
        for table, seat in item.seats.items()
    }
    for player, table in sorted(by_tables.items() ^ by_players.items())[:1]:
        who, table_id = player
        sentence = f"The chain of table {table_id} has another seat for {who} than the player's chain says ({table})."
        raise ReplayMismatch(Discrepancy(sentence, table_chain(table_id)))


@invariant(
    "chips-and-balances-are-in-the-books",
    "tables, player accounts, and the double entry",
    "The accounts of seats, layouts, floats, and players hold what the chains of the tables and players say.",
)
def chips_and_balances_are_in_the_books(room: ReplayedRoom) -> None:
    expected: dict[str, int] = {}
    for table in room.result.tables.values():
        expected |= _list_table_balances(table)
    for state in room.result.player_accounts.values():
        expected |= _list_player_balances(state)
    for name, (debits, credits) in room.balances.items():
        if Account.parse(name).kind in _CHIP_ACCOUNTS and credits - debits != expected.pop(name, 0) * CENT:
            sentence = (
                f"The ledger has {credits - debits} hundredths of a cent on {name}, which is not what its chain says."
            )
            raise ReplayMismatch(Discrepancy(sentence, None, None, name))
    for name, cents in expected.items():
        if cents:
            sentence = f"{name} should hold {cents} cents, and the ledger has no such account."
            raise ReplayMismatch(Discrepancy(sentence, None, None, name))


def _find_chip_difference(pair: ChainPair, reader: LedgerReader) -> ReplayMismatch:
    table, player = pair
    problem = f"table {table} and player {player} disagree about the chips that were bought and returned"
    table_side, player_side = table_chain(table), player_chain(player)
    by_table = (
        LocatedStatement(sequence, id, statement)
        for sequence, id, event, number in _number_rounds(read_chain_events(reader, table_side))
        for statement in read_table_chips(event, number)
        if statement.pair == pair
    )
    by_player = (
        LocatedStatement(sequence, id, statement)
        for sequence, id, event in read_chain_events(reader, player_side)
        for statement in read_player_chips(event)
        if statement.pair == pair
    )
    return find_difference(problem, ChainSide(table_side, by_table), ChainSide(player_side, by_player), _describe_chips)


def _number_rounds(rows: EventRows) -> Iterator[tuple[int, str, DomainEvent, int]]:
    """The events of a table, each with the number of the round in progress, or of the next one."""
    number = 1
    for sequence, id, event in rows:
        if isinstance(event, RoundPlayed | RoundCanceled | TableClosed):
            number += 1
        elif isinstance(event, SealRenewed):
            number = event.number
        yield sequence, id, event, number


def _describe_chips(located: LocatedStatement | None) -> str:
    return (
        "nothing"
        if located is None
        else f"{located.statement.amount} cents, {located.statement.round} (event {located.id})"
    )


def _list_table_balances(state: TableState) -> dict[str, int]:
    table, money = state.table, state.terms.money
    expected = {
        str(seat_account(table, seated_player.seat, money)): seated_player.chips for seated_player in state.seats
    }
    expected[str(Account(AccountKind.LAYOUT, table, money))] = sum(
        seated_player.wagered for seated_player in state.seats
    )
    expected[str(Account(AccountKind.FLOAT, table, money))] = state.rack
    return expected


def _list_player_balances(state: PlayerAccount) -> dict[str, int]:
    return {str(balance_account(state.player, state.money)): state.balance}


def read_jackpot_credits(event: DomainEvent) -> Iterator[ChainStatement]:
    """Prizes that a jackpot paid into balances."""
    if isinstance(event, ClaimPaid):
        for payout in event.payouts:
            if payout.payment is PaymentMethod.BALANCE:
                yield ChainStatement((event.jackpot, payout.player), f"{event.claim} seat {payout.seat}", payout.cents)


def read_player_credits(event: DomainEvent) -> Iterator[ChainStatement]:
    """Prizes that were paid into a player's balance."""
    if isinstance(event, PrizeCredited):
        claim_text = f"{event.claim} seat {event.seat}"
        yield ChainStatement((event.jackpot, event.player), claim_text, event.cents)


@invariant(
    "credited-prizes-agree",
    "jackpots and player accounts",
    "Each prize that a jackpot pays to a balance is on the player's chain, in one order, and no other is.",
)
def credited_prizes_agree(room: ReplayedRoom) -> None:
    pair = find_disagreeing_pair(room.result.jackpot_credits, room.result.player_credits)
    if pair is not None:
        jackpot, player = pair
        sentence = f"Jackpot {jackpot} and player {player} disagree about the prizes that were paid."
        raise ReplayMismatch(Discrepancy(sentence, jackpot_chain(jackpot)))


@invariant(
    "credited-prizes-have-one-currency",
    "jackpots and player accounts",
    "A jackpot pays a balance in its own currency.",
)
def credited_prizes_have_one_currency(room: ReplayedRoom) -> None:
    for jackpot, player in sorted(room.result.jackpot_credits):
        pays, has = room.result.jackpots[jackpot].money.label, room.result.player_accounts[player].money.label
        if pays != has:
            sentence = f"Jackpot {jackpot} pays {pays}, and the balance of {player} is {has}."
            raise ReplayMismatch(Discrepancy(sentence, jackpot_chain(jackpot), None, None, pays, has))


def read_table_wagers(begin_event: RoundStarted, at: OpenTable) -> Iterator[ChainStatement]:
    """The wagers of a round that play for a jackpot: at which seats, and how much."""
    spots = at.table.spots
    for wager in begin_event.linked:
        staked = {
            placed.seat: cents
            for placed in begin_event.wagers
            for spot, cents in placed.spots.items()
            if spots[spot].wager.slug == wager
        }
        if staked:
            yield _make_statement(begin_event.table, wager, round_id(begin_event.table, begin_event.number), staked)


def read_tabulator_wagers(event: DomainEvent) -> Iterator[ChainStatement]:
    """The same, as the tabulator of an automatic table counted it."""
    if isinstance(event, RoundTabulated | RoundCountedByHand) and event.automatic:
        for wager in event.wagers:
            if wager.jackpot is not None and wager.count:
                yield _make_statement(event.table, wager.wager, event.round, _find_stakes(wager))


def _find_stakes(wager: PlacedWager) -> dict[int, int]:
    """By position, in cents: a lammer marks the larger of two wagers (BJ-20)."""
    amounts = sorted(stakes.amount // CENT for stakes in wager.stakes)
    return {
        place: (amounts[-1] if place in wager.lammers else amounts[0]) if amounts else 0 for place in wager.positions
    }


def _make_statement(table: str, wager: str, round: str, staked: dict[int, int]) -> ChainStatement:
    places = ", ".join(f"{staked[seat]} cents at seat {seat}" for seat in sorted(staked))
    return ChainStatement((table, wager), f"{round}: {places}", len(staked))


@invariant(
    "automatic-wagers-are-counted",
    "automatic tables and tabulators",
    "The jackpot wagers on the layout of an automatic table are those that its tabulator counts: seats and amounts.",
)
def automatic_wagers_are_counted(room: ReplayedRoom) -> None:
    pair = find_disagreeing_pair(room.result.table_wagers, room.result.tabulator_wagers)
    if pair is not None:
        raise _find_wager_difference(pair, room.reader)


@invariant(
    "live-rounds-are-counted",
    "live tables and tabulators",
    "A round that was counted by a dealer's step is counted on the tabulator's chain.",
)
def live_rounds_are_counted(room: ReplayedRoom) -> None:
    for counted in room.result.counted_live_rounds:
        if room.chains.find_event(tabulator_chain(counted.table), counted.round) is None:
            problem = f"round {counted.round} was counted according to this event, and its tabulator has no count"
            expected = "a round that was counted"
            raise replay_mismatch(problem, counted.chain, counted.sequence, counted.id, expected, "none")


@invariant(
    "voided-rounds-count-nothing",
    "tables and tabulators",
    "A round that is voided at a table after its count is void on the tabulator's chain.",
)
def voided_rounds_count_nothing(room: ReplayedRoom) -> None:
    for off in room.result.canceled_rounds:
        table = room.result.tabulators.get(off.table)
        void = table is not None and off.round in table.tabulator.voided
        if not void and room.chains.find_event(tabulator_chain(off.table), off.round) is not None:
            problem = f"round {off.round} was voided, and its tabulator still counts it"
            raise replay_mismatch(problem, off.chain, off.sequence, off.id, "a void round", "a round that counts")


@invariant(
    "voids-reverse-what-was-counted",
    "tabulators",
    "A void round was counted before, and its void reverses exactly the wagers that were counted.",
)
def voids_reverse_what_was_counted(room: ReplayedRoom) -> None:
    for void in room.result.voids:
        event = room.chains.find_event(tabulator_chain(void.table), void.round)
        recorded = read_domain_event(event) if event is not None and event.sequence < void.sequence else None
        wagers = recorded.wagers if isinstance(recorded, RoundTabulated | RoundCountedByHand) else ()
        counts = {wager.wager: wager.count for wager in wagers}
        if counts != void.wagers:
            problem = f"the void of round {void.round} reverses other wagers than {void.table} counted"
            raise replay_mismatch(problem, void.chain, void.sequence, void.id, counts, dict(void.wagers))


@invariant(
    "reversals-restore-the-meters",
    "jackpots",
    "Wagers that are reversed on a jackpot were added to it, and leave it at the same rates and levels (BJ-18).",
)
def reversals_restore_the_meters(room: ReplayedRoom) -> None:
    for off in room.result.wager_reversals:
        reversal = off.event
        back = trace_round_before(room.chains, off.state_before.id, off.sequence, reversal.table, reversal.round)
        if back.count_event is None:
            problem = f"it reverses the wagers of {reversal.round} at {reversal.table}, which were never added"
            raise replay_mismatch(problem, off.chain, off.sequence, off.id, "wagers that were added", reversal.round)
        who, second, why = reversal.who, reversal.second, reversal.why
        (due,) = reverse_wagers(off.state_before, back.count_event, back.accruals, who=who, second=second, why=why)
        if due != reversal:
            path, should, is_ = find_value_difference(due.payload, reversal.payload)
            problem = f"the wagers of {reversal.round} were reversed otherwise than they were added: its {path} differs"
            raise replay_mismatch(problem, off.chain, off.sequence, off.id, should, is_)


def _find_wager_difference(pair: ChainPair, reader: LedgerReader) -> ReplayMismatch:
    table, wager = pair
    problem = f"table {table} and its tabulator disagree about the {wager} wagers of a round"
    table_side, tabulator = table_chain(table), tabulator_chain(table)
    table_statements = (
        located
        for located in _locate_table_wagers(read_chain_events(reader, table_side))
        if located.statement.pair == pair
    )
    tabulator_statements = (
        LocatedStatement(sequence, id, statement)
        for sequence, id, event in read_chain_events(reader, tabulator)
        for statement in read_tabulator_wagers(event)
        if statement.pair == pair
    )
    return find_difference(
        problem, ChainSide(table_side, table_statements), ChainSide(tabulator, tabulator_statements), _describe_wagers
    )


def _locate_table_wagers(rows: EventRows) -> Iterator[LocatedStatement]:
    at: OpenTable | None = None
    for sequence, id, event in rows:
        if isinstance(event, TableOpened):
            at = open_table(setup_text(event))
        if isinstance(event, RoundStarted) and at is not None:
            yield from (LocatedStatement(sequence, id, statement) for statement in read_table_wagers(event, at))


def _describe_wagers(located: LocatedStatement | None) -> str:
    return "nothing" if located is None else f"{located.statement.round} (event {located.id})"
