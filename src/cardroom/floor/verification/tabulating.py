"""Whether felts and their tabulators tell the same story: the jackpot wagers that lay there are what was counted.

The chains of both are locked together when a round begins, so both tell it in one order.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.accounts import CENT
from cardroom.floor.felt.happenings import FeltOpened, RoundBegun
from cardroom.floor.felt.state import OpenTable, opened, round_id, set_up_text
from cardroom.floor.kept.chains import felt_chain, table_chain
from cardroom.floor.kept.recall import back_to_round_from, happened
from cardroom.floor.verification.agreement import Heard, Pair, Rows, Said, Side, disagreeing, unlike
from cardroom.floor.verification.reading import AsStored, told_by
from cardroom.floor.verification.replayed import Replayed, difference
from cardroom.floor.verification.report import NotAsReplayed, wrong
from cardroom.jackpots import Happening
from cardroom.jackpots.contents import LaidWager
from cardroom.jackpots.happenings import CountedByHand, RoundTabulated
from cardroom.jackpots.meter.taking_back import take_back
from cardroom.ledger.store import LedgerReader


def laid_at_felt(begun: RoundBegun, at: OpenTable) -> Iterator[Said]:
    """The wagers of a round that play for a jackpot: at which seats, and how much."""
    spots = at.table.spots
    for wager in begun.linked:
        staked = {
            one.seat: cents
            for one in begun.wagers
            for spot, cents in one.spots.items()
            if spots[spot].wager.slug == wager
        }
        if staked:
            yield _said(begun.table, wager, round_id(begun.table, begun.number), staked)


def counted_by_table(happening: Happening) -> Iterator[Said]:
    """The same, as the tabulator of an automatic table counted it."""
    if isinstance(happening, RoundTabulated | CountedByHand) and happening.automatic:
        for one in happening.wagers:
            if one.jackpot is not None and one.count:
                yield _said(happening.table, one.wager, happening.round, _staked(one))


def _staked(one: LaidWager) -> dict[int, int]:
    """By position, in cents: a lammer lies beside the larger of two wagers (BJ-20)."""
    amounts = sorted(stakes.amount // CENT for stakes in one.stakes)
    return {place: (amounts[-1] if place in one.lammers else amounts[0]) if amounts else 0 for place in one.positions}


def _said(table: str, wager: str, round: str, staked: dict[int, int]) -> Said:
    places = ", ".join(f"{staked[seat]} cents at seat {seat}" for seat in sorted(staked))
    return Said((table, wager), f"{round}: {places}", len(staked))


def compare_tabulated(replayed: Replayed, now: LedgerReader) -> None:
    """Find a felt and a tabulator that disagree, a round that was called off and still counts, or one of which a dealer
    says that it was counted, and it was not."""
    pair = disagreeing(replayed.laid_at_felts, replayed.counted_by_tables)
    if pair is not None:
        raise _disagreement(pair, now)
    books = AsStored(now)
    for one in replayed.counted_live:
        if books.find_event(table_chain(one.table), one.round) is None:
            what = f"round {one.round} is said to be counted, and its tabulator never counted it"
            raise wrong(what, one.chain, one.sequence, one.id, "a round that was counted", "none")
    for off in replayed.called_off:
        table = replayed.tables.get(off.table)
        void = table is not None and off.round in table.tabulator.voided
        if not void and books.find_event(table_chain(off.table), off.round) is not None:
            what = f"round {off.round} was called off, and its tabulator still counts it"
            raise wrong(what, off.chain, off.sequence, off.id, "a void round", "a round that counts")


def compare_voids(replayed: Replayed, now: LedgerReader) -> None:
    """Find a void round that its table never counted, or whose void takes back other wagers than were counted."""
    books = AsStored(now)
    for void in replayed.voids:
        event = books.find_event(table_chain(void.table), void.round)
        recorded = happened(event) if event is not None and event.sequence < void.sequence else None
        wagers = recorded.wagers if isinstance(recorded, RoundTabulated | CountedByHand) else ()
        counted = {one.wager: one.count for one in wagers}
        if counted != void.wagers:
            what = f"the void of round {void.round} takes back other wagers than {void.table} counted"
            raise wrong(what, void.chain, void.sequence, void.id, counted, dict(void.wagers))


def compare_wagers_off(replayed: Replayed, now: LedgerReader) -> None:
    """Find wagers that came off a jackpot otherwise than they came in: at other rates, or off other levels (BJ-18)."""
    books = AsStored(now)
    for off in replayed.wagers_off:
        found = off.taken_back
        back = back_to_round_from(books, off.before.id, off.sequence, found.table, found.round)
        if back.counted is None:
            what = f"it takes the wagers of {found.round} at {found.table} off, and they never came in"
            raise wrong(what, off.chain, off.sequence, off.id, "wagers that came in", found.round)
        who, second, why = found.who, found.second, found.why
        (due,) = take_back(off.before, back.counted, back.since, who=who, second=second, why=why)
        if due != found:
            where, should, is_ = difference(due.payload, found.payload)
            what = f"wagers of {found.round} came off otherwise than they came in: its {where} is another"
            raise wrong(what, off.chain, off.sequence, off.id, should, is_)


def _disagreement(pair: Pair, now: LedgerReader) -> NotAsReplayed:
    table, wager = pair
    what = f"felt {table} and its tabulator do not agree about the {wager} wagers of a round"
    felt, tabulator = felt_chain(table), table_chain(table)
    laid = (one for one in _laid(told_by(now, felt)) if one.said.pair == pair)
    counted = (
        Heard(sequence, id, said)
        for sequence, id, happening in told_by(now, tabulator)
        for said in counted_by_table(happening)
        if said.pair == pair
    )
    return unlike(what, Side(felt, laid), Side(tabulator, counted), _in_words)


def _laid(rows: Rows) -> Iterator[Heard]:
    at: OpenTable | None = None
    for sequence, id, happening in rows:
        if isinstance(happening, FeltOpened):
            at = opened(set_up_text(happening))
        if isinstance(happening, RoundBegun) and at is not None:
            yield from (Heard(sequence, id, said) for said in laid_at_felt(happening, at))


def _in_words(one: Heard | None) -> str:
    return "nothing" if one is None else f"{one.said.round} (event {one.id})"
