"""Searches along a chain: the events of a jackpot with the newest first, and the event of a certain round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, Protocol

from cardroom.ledger import Event, Ledger, Time
from cardroom.room.claim.prior_claims import PriorClaims
from cardroom.room.event_types import DomainEvent, decode_event, newest_payload
from cardroom.room.jackpot.events import (
    ChangeApplied,
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    PrizesPaid,
    PrizesReversed,
    WagersCounted,
)
from cardroom.room.jackpot.wager_counts import LaterEvents
from cardroom.room.tabulator.events import (
    CounterRead,
    ReadingReversed,
    RoundCountedByHand,
    RoundTabulated,
    RoundVoided,
    TabulatorFaultCleared,
    TabulatorInstalled,
    TabulatorSetupChanged,
    reading_key,
)
from cardroom.room.tabulator.setup_changes import UNIT
from cardroom.room.user.command_ids import device_actor
from cardroom.service.chains.names import jackpot_chain, tabulator_chain

_BLOCK: Final = 250
_SETUP_EVENT_TYPES: Final = frozenset((TabulatorInstalled.kind, TabulatorSetupChanged.kind))
_CLAIM_EVENT_TYPES: Final = frozenset(
    one.kind for one in (PrizesPaid, PrizesReversed, ClaimLocked, ClaimJoined, ClaimRefused, ClaimPaid, ChangeApplied)
)


class RoundCountRecord(NamedTuple):
    """A round as its tabulator counted it, and the number of the counting event."""

    event: RoundTabulated | RoundCountedByHand
    sequence: int

    @property
    def dealer(self) -> str:
        return find_counting_dealer(self.event)


def find_counting_dealer(count_event: RoundTabulated | RoundCountedByHand) -> str:
    """Who pressed the button, or counted by hand. Where no dealer was at a console, it is the name that the device
    sends: that person may not verify a claim, whether the device is right or not."""
    if isinstance(count_event, RoundCountedByHand):
        return count_event.by
    device = count_event.device
    if device and device.dealer and count_event.dealer == device_actor(device.device):
        return device.dealer
    return count_event.dealer


def read_domain_event(event: Event) -> DomainEvent:
    """The domain event of a stored event."""
    return decode_event(event.kind, event.version, event.payload)


def payload_of(event: Event) -> Any:
    """The payload of an event, in the newest version of its kind."""
    return newest_payload(event.kind, event.version, event.payload)


class ChainEvents(Protocol):
    """A ledger, or a snapshot of one, from which the events of a chain are read."""

    def events(self, chain: str, after: int = 0, limit: int | None = None) -> Iterator[Event]: ...


def list_newest_first(ledger: Ledger, chain: str, before: int | None = None) -> Iterator[Event]:
    """The events of a chain from the last to the first, read in blocks; only those before a place, where one is
    given."""
    head = ledger.head(chain)
    end = head.sequence if head else 0
    return _read_backward(ledger, chain, end if before is None else min(end, before - 1))


def _read_backward(events: ChainEvents, chain: str, end: int) -> Iterator[Event]:
    while end > 0:
        start = max(end - _BLOCK, 0)
        yield from reversed(list(events.events(chain, start, end - start)))
        end = start


def find_counted_round(ledger: Ledger, table: str, round_id: str) -> RoundCountRecord | None:
    """The round of a table as it was recorded, however long ago; None when it was never counted."""
    event = ledger.find_event(tabulator_chain(table), round_id)
    if event is None:
        return None
    count_event = read_domain_event(event)
    return (
        RoundCountRecord(count_event, event.sequence)
        if isinstance(count_event, RoundTabulated | RoundCountedByHand)
        else None
    )


class WagerVoid(NamedTuple):
    """How the jackpot wagers of a round were voided."""

    who: str
    second: str
    why: str
    time: Time

    @property
    def people(self) -> str:
        return " and ".join(filter(None, (self.who, self.second)))


def describe_wager_void(void: WagerVoid, time: str) -> str:
    """What the page of a round says of its voided jackpot wagers, where the round itself was played to its end."""
    return (
        f"The jackpot wagers of this round were voided on {time} by {void.people}: {void.why}. They were returned to "
        "the players and taken off the meters; what the dealer paid at the table stays paid."
    )


def find_wager_void(ledger: Ledger, table: str, round_id: str) -> WagerVoid | None:
    """How the jackpot wagers of a round were voided; None where the round was not counted, or is not void. A round is
    voided soon after it was counted, so the search begins there."""
    recorded = find_counted_round(ledger, table, round_id)
    for event in ledger.events(tabulator_chain(table), recorded.sequence) if recorded else ():
        if event.kind == RoundVoided.kind and payload_of(event)["round"] == round_id:
            void = read_domain_event(event)
            assert isinstance(void, RoundVoided)
            return WagerVoid(void.by, void.second, void.reason, event.time)
    return None


def find_setup_at(ledger: Ledger, table: str, sequence: int) -> TabulatorInstalled | None:
    """The setup in force at an event of a table; None when it is still in force. Claims come soon after their rounds,
    so the events after it are searched first."""
    since = (event.kind for event in ledger.events(tabulator_chain(table), after=sequence))
    if not any(kind in _SETUP_EVENT_TYPES for kind in since):
        return None
    while sequence > 0:
        start = max(sequence - _BLOCK, 0)
        for event in reversed(list(ledger.events(tabulator_chain(table), start, sequence - start))):
            setup_event = read_domain_event(event) if event.kind in _SETUP_EVENT_TYPES else None
            if isinstance(setup_event, TabulatorInstalled):
                return setup_event
        sequence = start
    return None


def find_reading(ledger: Ledger, table: str, id: str) -> CounterRead | None:
    """A reading of a table's counter, however long ago; None when no reading has that id."""
    event = ledger.find_event(tabulator_chain(table), reading_key(id))
    reading = read_domain_event(event) if event is not None else None
    return reading if isinstance(reading, CounterRead) else None


class LastCount(NamedTuple):
    """When a table counted last, with the length of its chain then."""

    events: int
    time: Time
    read_counts: Mapping[str, int]
    """How many of each wager one person has read off the counter since then."""


def find_last_count(ledger: Ledger, table: str) -> LastCount:
    """When a table counted last: a round, a reading by two people, another unit, the opening. What one person read
    since is included, so that the limit cannot be evaded in small steps. A reversed reading does not count."""
    taken_back, last, events = set[str](), 0, 0
    read_counts: Counter[str] = Counter()
    for event in list_newest_first(ledger, tabulator_chain(table)):
        events, last = events or event.sequence, event.time
        match read_domain_event(event):
            case ReadingReversed(reading=reading):
                taken_back.add(reading)
            case CounterRead(reading=reading) if reading in taken_back:
                continue
            case CounterRead(second="", wagers=wagers):
                read_counts.update({wager.wager: wager.count for wager in wagers})
                continue
            case TabulatorSetupChanged(changes=changes) if all(change.what != UNIT for change in changes):
                continue
            case (
                RoundTabulated() | RoundCountedByHand() | CounterRead() | TabulatorFaultCleared() | TabulatorInstalled()
            ):
                break
    return LastCount(events, last, read_counts)


class RoundAftermath(NamedTuple):
    """The events of a jackpot's chain for a round and after it."""

    prior_claims: PriorClaims
    count_event: WagersCounted | None
    """None when the jackpot has no event of the round."""
    accruals: LaterEvents


def trace_round(ledger: Ledger, jackpot: str, table: str, round_id: str) -> RoundAftermath:
    """Search the events of a jackpot back to the round itself: its claims came after it."""
    return _trace_round(list_newest_first(ledger, jackpot_chain(jackpot)), table, round_id)


def trace_round_before(events: ChainEvents, jackpot: str, before: int, table: str, round_id: str) -> RoundAftermath:
    """The same from before an event of the jackpot's chain."""
    return _trace_round(_read_backward(events, jackpot_chain(jackpot), before - 1), table, round_id)


def _trace_round(events: Iterable[Event], table: str, round_id: str) -> RoundAftermath:
    count_event, since = None, list[DomainEvent]()
    for event in events:
        if event.kind in _CLAIM_EVENT_TYPES:
            since.append(read_domain_event(event))
        elif event.kind == WagersCounted.kind and _is_of_round(event, table, round_id):
            wagers_event = read_domain_event(event)
            assert isinstance(wagers_event, WagersCounted)
            count_event = wagers_event
            break
    since.reverse()
    claimed = PriorClaims()
    for domain_event in since:
        claimed = claimed.apply_event(domain_event, table, round_id)
    return RoundAftermath(claimed, count_event, LaterEvents.from_events(since))


def _is_of_round(event: Event, table: str, round_id: str) -> bool:
    payload = payload_of(event)
    return bool((payload["table"], payload["round"]) == (table, round_id))
