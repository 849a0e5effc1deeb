"""Whether felts and players tell the same story of chips, and whether the books hold what both say.

The chains of a player and of a felt are locked together when chips are bought or go back, so both tell it in one order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardroom.accounts import CENT, Account, AccountKind
from cardroom.floor.felt.happenings import FeltClosed, RoundCalledOff, RoundPlayed, SealRenewed, SeatLeft, SeatTaken
from cardroom.floor.felt.state import FeltState
from cardroom.floor.kept.chains import felt_chain, player_chain
from cardroom.floor.players.happenings import ChipsBought, ChipsReturned
from cardroom.floor.players.state import PlayerState, balance_account, seat_account
from cardroom.floor.verification.agreement import Heard, Pair, Rows, Said, Side, unlike
from cardroom.floor.verification.reading import told_by
from cardroom.floor.verification.replayed import Replayed
from cardroom.floor.verification.report import Discrepancy, NotAsReplayed
from cardroom.jackpots import Happening
from cardroom.ledger.store import LedgerReader

_OF_PEOPLE = frozenset({AccountKind.PLAYER, AccountKind.SEAT, AccountKind.LAYOUT, AccountKind.FLOAT})


def said_by_felt(happening: Happening, number: int) -> Iterator[Said]:
    """Chips that a player brought to a felt, or took away, before or in the round of a number. Company's are the
    house's own."""
    match happening:
        case SeatTaken(table=table, seat=seat, player=player, cents=cents, company=False):
            yield Said((table, player), f"seat {seat} taken, round {number}", cents)
        case SeatLeft(table=table, seat=seat, player=player, cents=cents, stays=stays, company=False):
            yield Said((table, player), f"seat {seat} {'kept' if stays else 'free'}, round {number}", -cents)


def said_by_player(happening: Happening) -> Iterator[Said]:
    """Chips that a player bought, or got back."""
    match happening:
        case ChipsBought(player=player, table=table, seat=seat, cents=cents, round=number):
            yield Said((table, player), f"seat {seat} taken, round {number}", cents)
        case ChipsReturned(player=player, table=table, seat=seat, cents=cents, round=number, gone=gone):
            yield Said((table, player), f"seat {seat} {'free' if gone else 'kept'}, round {number}", -cents)


def compare_chips(replayed: Replayed, booked: Mapping[str, tuple[int, int]], now: LedgerReader) -> None:
    """Find a felt and a player who disagree, or an account that holds something else than they say."""
    for pair in sorted({**replayed.told_by_felts, **replayed.told_by_players}):
        if replayed.told_by_felts.get(pair) != replayed.told_by_players.get(pair):
            raise _disagreement(pair, now)
    _compare_moneys(replayed)
    held: dict[str, int] = {}
    for felt in replayed.felts.values():
        held |= _at_felt(felt)
    for state in replayed.players.values():
        held |= _of_player(state)
    _compare_seats(replayed)
    for name, (debits, credits) in booked.items():
        if Account.parse(name).kind in _OF_PEOPLE and credits - debits != held.pop(name, 0) * CENT:
            sentence = (
                f"The books have {credits - debits} hundredths of a cent on {name}, which is not what its chain says."
            )
            raise NotAsReplayed(Discrepancy(sentence, None, None, name))
    for name, cents in held.items():
        if cents:
            sentence = f"{name} should hold {cents} cents, and the books have no such account."
            raise NotAsReplayed(Discrepancy(sentence, None, None, name))


def _disagreement(pair: Pair, now: LedgerReader) -> NotAsReplayed:
    table, player = pair
    what = f"table {table} and player {player} do not agree about the chips that were bought and given back"
    felt, own = felt_chain(table), player_chain(player)
    at_felt = (
        Heard(sequence, id, said)
        for sequence, id, happening, number in _numbered(told_by(now, felt))
        for said in said_by_felt(happening, number)
        if said.pair == pair
    )
    by_player = (
        Heard(sequence, id, said)
        for sequence, id, happening in told_by(now, own)
        for said in said_by_player(happening)
        if said.pair == pair
    )
    return unlike(what, Side(felt, at_felt), Side(own, by_player), _in_words)


def _numbered(rows: Rows) -> Iterator[tuple[int, str, Happening, int]]:
    """The events of a felt, each with the number of the round that is played or comes next."""
    number = 1
    for sequence, id, happening in rows:
        if isinstance(happening, RoundPlayed | RoundCalledOff | FeltClosed):
            number += 1
        elif isinstance(happening, SealRenewed):
            number = happening.number
        yield sequence, id, happening, number


def _in_words(one: Heard | None) -> str:
    return "nothing" if one is None else f"{one.said.wagers} cents, {one.said.round} (event {one.id})"


def _compare_moneys(replayed: Replayed) -> None:
    """Whoever sits at a felt has the money that it deals for."""
    for table, player in sorted(replayed.told_by_felts):
        dealt, has = replayed.felts[table].terms.money.label, replayed.players[player].money.label
        if dealt != has:
            sentence = f"Table {table} deals for {dealt}, and {player}, who sat there, has {has}: the two never meet."
            raise NotAsReplayed(Discrepancy(sentence, felt_chain(table), None, None, dealt, has))


def _at_felt(felt: FeltState) -> dict[str, int]:
    table, money = felt.table, felt.terms.money
    held = {str(seat_account(table, one.seat, money)): one.chips for one in felt.seats}
    held[str(Account(AccountKind.LAYOUT, table, money))] = sum(one.down for one in felt.seats)
    held[str(Account(AccountKind.FLOAT, table, money))] = felt.rack
    return held


def _of_player(state: PlayerState) -> dict[str, int]:
    return {str(balance_account(state.player, state.money)): state.balance}


def _compare_seats(replayed: Replayed) -> None:
    """Whoever sits at a felt by its chain has that seat by their own."""
    by_felts = {
        (one.player, felt.table): one.seat for felt in replayed.felts.values() for one in felt.seats if not one.company
    }
    by_players = {(one.player, table): seat for one in replayed.players.values() for table, seat in one.seats.items()}
    for player, table in sorted(by_felts.items() ^ by_players.items())[:1]:
        who, where = player
        sentence = f"By its own chain table {where} has another seat for {who} than the player's chain says ({table})."
        raise NotAsReplayed(Discrepancy(sentence, felt_chain(where)))
