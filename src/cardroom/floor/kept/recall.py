"""What is read back of a chain: the events of a jackpot with the newest first, and the event of a certain round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, Protocol

from cardroom.floor.kept.chains import jackpot_chain, table_chain
from cardroom.floor.kept.set_up_changes import UNIT
from cardroom.floor.people.senders import device_name
from cardroom.jackpots.claim.earlier import ClaimedBefore
from cardroom.jackpots.happenings import (
    ChangeApplied,
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    CountedByHand,
    CounterRead,
    Happening,
    PrizesPaid,
    PrizesTakenBack,
    ReadingTakenBack,
    RoundTabulated,
    RoundVoided,
    TableChanged,
    TableSetUp,
    TabulatorRepaired,
    WagersCounted,
    happening_from,
    newest_payload,
    reading_name,
)
from cardroom.jackpots.meter.taking_back import SinceCounted
from cardroom.ledger import Event, Ledger, Time

_BLOCK: Final = 250
_SET_UPS: Final = frozenset((TableSetUp.kind, TableChanged.kind))
_TOLD_OF_CLAIMS: Final = frozenset(
    one.kind for one in (PrizesPaid, PrizesTakenBack, ClaimLocked, ClaimJoined, ClaimRefused, ClaimPaid, ChangeApplied)
)


class RecordedRound(NamedTuple):
    """A round as its table counted it, and the number of the event that says so."""

    counted: RoundTabulated | CountedByHand
    sequence: int

    @property
    def dealt_by(self) -> str:
        return dealt_by(self.counted)


def dealt_by(counted: RoundTabulated | CountedByHand) -> str:
    """Who pressed the button, or counted by hand. Where no dealer was at a console, it is whom the device names: that
    person may not verify a claim, whether the device is right or not."""
    if isinstance(counted, CountedByHand):
        return counted.by
    device = counted.device
    if device and device.dealer and counted.dealer == device_name(device.device):
        return device.dealer
    return counted.dealer


def happened(event: Event) -> Happening:
    """What an event stands for."""
    return happening_from(event.kind, event.version, event.payload)


def payload_of(event: Event) -> Any:
    """What an event tells, in the newest version of its kind."""
    return newest_payload(event.kind, event.version, event.payload)


class Events(Protocol):
    """A ledger, or a snapshot of one, from which the events of a chain are read."""

    def events(self, chain: str, after: int = 0, limit: int | None = None) -> Iterator[Event]: ...


def newest_first(ledger: Ledger, chain: str, before: int | None = None) -> Iterator[Event]:
    """The events of a chain from the last to the first, read in blocks; those before a place, where one is given."""
    head = ledger.head(chain)
    end = head.sequence if head else 0
    return _backward(ledger, chain, end if before is None else min(end, before - 1))


def _backward(events: Events, chain: str, end: int) -> Iterator[Event]:
    while end > 0:
        start = max(end - _BLOCK, 0)
        yield from reversed(list(events.events(chain, start, end - start)))
        end = start


def recorded_round(ledger: Ledger, table: str, round_id: str) -> RecordedRound | None:
    """The round of a table as it was recorded, however long ago; None when it was never counted."""
    event = ledger.find_event(table_chain(table), round_id)
    if event is None:
        return None
    counted = happened(event)
    return RecordedRound(counted, event.sequence) if isinstance(counted, RoundTabulated | CountedByHand) else None


class VoidedWagers(NamedTuple):
    """How the jackpot wagers of a round were voided."""

    who: str
    second: str
    why: str
    time: Time

    @property
    def people(self) -> str:
        return " and ".join(filter(None, (self.who, self.second)))


def voided_text(void: VoidedWagers, time: str) -> str:
    """What the page of a round that was dealt to its end says of its jackpot wagers."""
    return (
        f"The jackpot wagers of this round were voided on {time} by {void.people}: {void.why}. They went back to the "
        "players and came off the meters; what the dealer paid at the table stays as it was paid."
    )


def voided_wagers(ledger: Ledger, table: str, round_id: str) -> VoidedWagers | None:
    """How the jackpot wagers of a round were voided; None where the round was not counted, or is not void. A round is
    voided soon after it was counted, so the look begins there."""
    recorded = recorded_round(ledger, table, round_id)
    for event in ledger.events(table_chain(table), recorded.sequence) if recorded else ():
        if event.kind == RoundVoided.kind and payload_of(event)["round"] == round_id:
            void = happened(event)
            assert isinstance(void, RoundVoided)
            return VoidedWagers(void.by, void.second, void.reason, event.time)
    return None


def set_up_at(ledger: Ledger, table: str, sequence: int) -> TableSetUp | None:
    """The set-up that held at an event of a table; None when it still holds. Claims come soon after their rounds, so
    what came after the event is looked at first."""
    since = (event.kind for event in ledger.events(table_chain(table), after=sequence))
    if not any(kind in _SET_UPS for kind in since):
        return None
    while sequence > 0:
        start = max(sequence - _BLOCK, 0)
        for event in reversed(list(ledger.events(table_chain(table), start, sequence - start))):
            held = happened(event) if event.kind in _SET_UPS else None
            if isinstance(held, TableSetUp):
                return held
        sequence = start
    return None


def reading_taken(ledger: Ledger, table: str, id: str) -> CounterRead | None:
    """A reading of a table's counter, however long ago; None when there is none of that id."""
    event = ledger.find_event(table_chain(table), reading_name(id))
    read = happened(event) if event is not None else None
    return read if isinstance(read, CounterRead) else None


class CountedLast(NamedTuple):
    """When a table counted last, as its chain stood after this many events."""

    events: int
    time: Time
    read: Mapping[str, int]
    """How many of each wager one person has read off the counter since then."""


def counted_last(ledger: Ledger, table: str) -> CountedLast:
    """When a table counted last: a round, a reading that two people answer for, another unit, the opening. What one
    person read since is told besides, so that nobody walks round the limit in small steps. A reading that was taken
    back tells nothing."""
    taken_back, last, events = set[str](), 0, 0
    read: Counter[str] = Counter()
    for event in newest_first(ledger, table_chain(table)):
        events, last = events or event.sequence, event.time
        match happened(event):
            case ReadingTakenBack(reading=reading):
                taken_back.add(reading)
            case CounterRead(reading=reading) if reading in taken_back:
                continue
            case CounterRead(second="", wagers=wagers):
                read.update({one.wager: one.count for one in wagers})
                continue
            case TableChanged(changes=changes) if all(change.what != UNIT for change in changes):
                continue
            case RoundTabulated() | CountedByHand() | CounterRead() | TabulatorRepaired() | TableSetUp():
                break
    return CountedLast(events, last, read)


class BackToARound(NamedTuple):
    """What a jackpot's chain says of a round and of what came after it."""

    claimed: ClaimedBefore
    counted: WagersCounted | None
    """None when the jackpot never heard of the round."""
    since: SinceCounted


def back_to_round(ledger: Ledger, jackpot: str, table: str, round_id: str) -> BackToARound:
    """Look through the events of a jackpot back to the round itself: its claims came after it."""
    return _back_to_round(newest_first(ledger, jackpot_chain(jackpot)), table, round_id)


def back_to_round_from(events: Events, jackpot: str, before: int, table: str, round_id: str) -> BackToARound:
    """The same from an event of the jackpot's chain on, which is not looked at itself."""
    return _back_to_round(_backward(events, jackpot_chain(jackpot), before - 1), table, round_id)


def _back_to_round(newest_first: Iterable[Event], table: str, round_id: str) -> BackToARound:
    counted, since = None, list[Happening]()
    for event in newest_first:
        if event.kind in _TOLD_OF_CLAIMS:
            since.append(happened(event))
        elif event.kind == WagersCounted.kind and _is_of(event, table, round_id):
            one = happened(event)
            assert isinstance(one, WagersCounted)
            counted = one
            break
    since.reverse()
    claimed = ClaimedBefore()
    for happening in since:
        claimed = claimed.after(happening, table, round_id)
    return BackToARound(claimed, counted, SinceCounted.of(since))


def _is_of(event: Event, table: str, round_id: str) -> bool:
    told = payload_of(event)
    return bool((told["table"], told["round"]) == (table, round_id))
