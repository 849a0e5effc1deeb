"""Past rounds of several tables, the newest first, reading no more than the caller needs.

A round is found by its number, so a table is read backward number by number. Where rounds of several tables are merged,
a table is read only when the merge reaches the time of its last event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from typing import Final, Generic, NamedTuple, TypeVar

from cardroom.ledger import Event, Ledger, Time
from cardroom.room.player.account import ChipsBought, ChipsReturned
from cardroom.room.table.state import parse_round_id, round_id
from cardroom.service.chains.names import player_chain, table_chain
from cardroom.service.queries.chain_history import payload_of
from cardroom.service.queries.past_live_rounds import PastLiveRound, find_past_live_round
from cardroom.service.queries.past_rounds import EventSource, PastRound, find_past_round

END_OF_TIME: Final = 1 << 62
RoundSortKey = tuple[int, str, int]
"""The place of a round in an order with the newest first."""


AnyPastRound = PastRound | PastLiveRound
R = TypeVar("R", PastRound, AnyPastRound)


def find_any_round(ledger: EventSource, id: str) -> AnyPastRound | None:
    """A round by its id, dealt by the program or by a dealer; None when none of that id has ended."""
    return find_past_round(ledger, id) or find_past_live_round(ledger, id)


def list_numbered_rounds(ledger: EventSource, table: str, numbers: Iterable[int]) -> Iterator[AnyPastRound]:
    """Rounds of a table by their numbers. A number without a round is left out."""
    for number in numbers:
        past = find_any_round(ledger, round_id(table, number))
        if past is not None:
            yield past


class RoundSource(NamedTuple, Generic[R]):
    """Some rounds of a table, the newest first."""

    until: Time
    """None of them ended later."""
    rounds: Callable[[], Iterator[R]]


def round_sort_key(past: AnyPastRound) -> RoundSortKey:
    """The newest comes first; of several that ended at one moment, by table, the highest number."""
    return -past.time, past.table, -past.number


def merge_newest_first(sources: Iterable[RoundSource[R]]) -> Iterator[R]:
    """The rounds of all sources in one order, the newest first."""
    waiting = sorted(sources, key=lambda item: item.until)
    started: list[tuple[RoundSortKey, int, R, Iterator[R]]] = []
    started_count = 0
    while waiting or started:
        while waiting and (not started or waiting[-1].until >= started[0][2].time):
            rounds = waiting.pop().rounds()
            for first in rounds:
                started_count += 1
                heappush(started, (round_sort_key(first), started_count, first, rounds))
                break
        if started:
            _, number, item, rounds = heappop(started)
            yield item
            for following in rounds:
                heappush(started, (round_sort_key(following), number, following, rounds))
                break


class SeatSession(NamedTuple):
    """A player at a table, from one round to another."""

    table: str
    first: int
    last: int | None
    """None while the player sits there."""
    since: Time
    until: Time


def list_seat_sessions(events: Iterable[Event]) -> list[SeatSession]:
    """Where a player sat, by the player's chain. It has no rounds, so it is short."""
    started: dict[str, tuple[int, Time]] = {}
    sat: list[SeatSession] = []
    for event in events:
        match event.kind, payload_of(event):
            case ChipsBought.kind, {"table": str(table), "round": int(number)}:
                started.setdefault(table, (number, event.time))
            case ChipsReturned.kind, {"table": str(table), "round": int(number), "gone": True}:
                first, since = started.pop(table)
                # The number is that of the next round, without the player.
                sat.append(SeatSession(table, first, number - 1, since, event.time))
    return [*sat, *(SeatSession(table, first, None, since, END_OF_TIME) for table, (first, since) in started.items())]


def has_sat_at(ledger: Ledger, player: str, table: str) -> bool:
    """Whether a player ever sat at a table."""
    return any(session.table == table for session in list_seat_sessions(ledger.events(player_chain(player))))


class RoundCursor(NamedTuple):
    """A round; only rounds before it are wanted."""

    time: Time
    table: str
    number: int

    @property
    def sort_key(self) -> RoundSortKey:
        return -self.time, self.table, -self.number


class RoundPage(NamedTuple):
    """Some rounds of a player, the newest first."""

    rounds: tuple[PastRound, ...]
    before: str | None
    """The round from which the next page continues; None at the end."""


def list_player_rounds(
    ledger: Ledger, player: str, newest: Callable[[str], int], before: RoundCursor | None = None
) -> Iterator[PastRound]:
    """The rounds of the tables while a player sat there, the newest first, including those that the player sat out.
    ``newest`` returns the number of the last round of a table."""

    def source(one: SeatSession) -> RoundSource[PastRound]:
        def rounds() -> Iterator[PastRound]:
            last = newest(one.table) if one.last is None else one.last
            if before is not None:
                last = _find_last_before(ledger, one.table, one.first, last, before)
            for number in range(last, one.first - 1, -1):
                past = find_past_round(ledger, round_id(one.table, number))
                if past is not None and (before is None or round_sort_key(past) > before.sort_key):
                    yield past

        return RoundSource(one.until, rounds)

    sat = list_seat_sessions(ledger.events(player_chain(player)))
    return merge_newest_first(source(session) for session in sat if before is None or session.since <= before.time)


def _find_last_before(ledger: EventSource, table: str, first: int, last: int, before: RoundCursor) -> int:
    """The highest number of a round that may have ended before another one. Rounds end in the order of their numbers,
    so bisection finds it."""
    if table == before.table:
        return min(last, before.number - 1)
    low, high = first - 1, last
    while low < high:
        middle = (low + high + 1) // 2
        time = _find_end_time(ledger, table, first, middle)
        low, high = (middle, high) if time is None or time <= before.time else (low, middle - 1)
    return low


def _find_end_time(ledger: EventSource, table: str, first: int, number: int) -> Time | None:
    """When a round ended, or the one before it where a table was closed and no round had the number."""
    for candidate in range(number, first - 1, -1):
        event = ledger.find_event(table_chain(table), round_id(table, candidate))
        if event is not None:
            return event.time
    return None


def make_round_page(rounds: Iterable[PastRound], player: str, limit: int, most: int) -> RoundPage:
    """The first rounds that a player has played. After reading ``most`` rounds the page ends, however few it has: a
    player may have sat there for a year without a wager."""
    page_rounds, last, scanned = list[PastRound](), None, 0
    for past in rounds:
        if len(page_rounds) == limit or scanned == most:
            return RoundPage(tuple(page_rounds), last)
        last, scanned = past.id, scanned + 1
        if player in past.players.values():
            page_rounds.append(past)
    return RoundPage(tuple(page_rounds), None)


def find_round_cursor(ledger: EventSource, id: str) -> RoundCursor | None:
    """The cursor of a round; None when there is no such round."""
    past = find_past_round(ledger, id) if parse_round_id(id) else None
    return RoundCursor(past.time, past.table, past.number) if past else None
