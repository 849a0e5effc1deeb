"""Past rounds of several tables, the newest first: no more is read than somebody wants to see.

A round is found by its number, so a table is walked back number by number. Where rounds of several tables are told in
one row, a table is looked at only when the row comes to the time at which something last happened there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from typing import Final, Generic, NamedTuple, TypeVar

from cardroom.floor.felt.state import number_of, round_id
from cardroom.floor.kept.chains import felt_chain, player_chain
from cardroom.floor.kept.felt_recall import PastRound, Recalling, past_round
from cardroom.floor.kept.live_recall import PastLiveRound, past_live_round
from cardroom.floor.kept.recall import payload_of
from cardroom.floor.players.happenings import ChipsBought, ChipsReturned
from cardroom.ledger import Event, Ledger, Time

FOR_EVER: Final = 1 << 62
Place = tuple[int, str, int]
"""Where a round stands in a row with the newest first."""


AnyRound = PastRound | PastLiveRound
R = TypeVar("R", PastRound, AnyRound)


def any_round(ledger: Recalling, id: str) -> AnyRound | None:
    """A round by its id, dealt by the house's program or by a dealer; None when none of that id has ended."""
    return past_round(ledger, id) or past_live_round(ledger, id)


def numbered(ledger: Recalling, table: str, numbers: Iterable[int]) -> Iterator[AnyRound]:
    """Rounds of a table by their numbers. A number that no round had is left out."""
    for number in numbers:
        found = any_round(ledger, round_id(table, number))
        if found is not None:
            yield found


class Source(NamedTuple, Generic[R]):
    """Some rounds of a table, the newest first."""

    until: Time
    """None of them ended later."""
    rounds: Callable[[], Iterator[R]]


def place(one: AnyRound) -> Place:
    """The newest comes first; of several that ended at one moment, by table, the highest number."""
    return -one.time, one.table, -one.number


def merged(sources: Iterable[Source[R]]) -> Iterator[R]:
    """The rounds of all sources in one row, the newest first."""
    waiting = sorted(sources, key=lambda one: one.until)
    begun: list[tuple[Place, int, R, Iterator[R]]] = []
    met = 0
    while waiting or begun:
        while waiting and (not begun or waiting[-1].until >= begun[0][2].time):
            rounds = waiting.pop().rounds()
            for first in rounds:
                met += 1
                heappush(begun, (place(first), met, first, rounds))
                break
        if begun:
            _, number, one, rounds = heappop(begun)
            yield one
            for following in rounds:
                heappush(begun, (place(following), number, following, rounds))
                break


class Sitting(NamedTuple):
    """A player at a table, from one round to another."""

    table: str
    first: int
    last: int | None
    """None while the player sits there."""
    since: Time
    until: Time


def sittings(events: Iterable[Event]) -> list[Sitting]:
    """Where a player sat, as the player's chain tells it. It has nothing of rounds, so it is short."""
    begun: dict[str, tuple[int, Time]] = {}
    sat: list[Sitting] = []
    for event in events:
        match event.kind, payload_of(event):
            case ChipsBought.kind, {"table": str(table), "round": int(number)}:
                begun.setdefault(table, (number, event.time))
            case ChipsReturned.kind, {"table": str(table), "round": int(number), "gone": True}:
                first, since = begun.pop(table)
                # The number is that of the round that came next, without the player.
                sat.append(Sitting(table, first, number - 1, since, event.time))
    return [*sat, *(Sitting(table, first, None, since, FOR_EVER) for table, (first, since) in begun.items())]


def sat_at(ledger: Ledger, player: str, table: str) -> bool:
    """Whether a player ever sat at a table."""
    return any(one.table == table for one in sittings(ledger.events(player_chain(player))))


class Before(NamedTuple):
    """A round, of which only what came before it is wanted."""

    time: Time
    table: str
    number: int

    @property
    def place(self) -> Place:
        return -self.time, self.table, -self.number


class Page(NamedTuple):
    """Some rounds of a player, the newest first."""

    rounds: tuple[PastRound, ...]
    before: str | None
    """The round from which the next page goes on; None at the end."""


def played_by(
    ledger: Ledger, player: str, newest: Callable[[str], int], before: Before | None = None
) -> Iterator[PastRound]:
    """The rounds of the tables while a player sat there, the newest first; those too that the player sat out.
    ``newest`` tells the number of the last round of a table."""

    def source(one: Sitting) -> Source[PastRound]:
        def rounds() -> Iterator[PastRound]:
            last = newest(one.table) if one.last is None else one.last
            if before is not None:
                last = _last_before(ledger, one.table, one.first, last, before)
            for number in range(last, one.first - 1, -1):
                past = past_round(ledger, round_id(one.table, number))
                if past is not None and (before is None or place(past) > before.place):
                    yield past

        return Source(one.until, rounds)

    sat = sittings(ledger.events(player_chain(player)))
    return merged(source(one) for one in sat if before is None or one.since <= before.time)


def _last_before(ledger: Recalling, table: str, first: int, last: int, before: Before) -> int:
    """The highest number of a round that may have ended before another one. Rounds end in the order of their numbers,
    so halving finds it."""
    if table == before.table:
        return min(last, before.number - 1)
    low, high = first - 1, last
    while low < high:
        middle = (low + high + 1) // 2
        time = _ended(ledger, table, first, middle)
        low, high = (middle, high) if time is None or time <= before.time else (low, middle - 1)
    return low


def _ended(ledger: Recalling, table: str, first: int, number: int) -> Time | None:
    """When a round ended, or the one before it where a table was closed and no round had the number."""
    for one in range(number, first - 1, -1):
        event = ledger.find_event(felt_chain(table), round_id(table, one))
        if event is not None:
            return event.time
    return None


def page_of(rounds: Iterable[PastRound], player: str, limit: int, most: int) -> Page:
    """The first rounds that a player has played. After looking at ``most`` the page ends, however few it has: somebody
    may have sat there for a year without a wager."""
    found, last, looked = list[PastRound](), None, 0
    for one in rounds:
        if len(found) == limit or looked == most:
            return Page(tuple(found), last)
        last, looked = one.id, looked + 1
        if player in one.players.values():
            found.append(one)
    return Page(tuple(found), None)


def before_round(ledger: Recalling, id: str) -> Before | None:
    """What came before a round; None when there is no such round."""
    past = past_round(ledger, id) if number_of(id) else None
    return Before(past.time, past.table, past.number) if past else None
