"""Chains in sentences: what an auditor goes through from the first event to the last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from cardroom.floor.felt.happenings import OfAFelt
from cardroom.floor.felt.telling import TimeTold, felt_sentences
from cardroom.floor.kept.chains import felt_of, person_of, player_of
from cardroom.floor.kept.recall import happened, payload_of
from cardroom.floor.live.happenings import OfALiveRound
from cardroom.floor.live.telling import live_sentences
from cardroom.floor.people.happenings import OfAPerson
from cardroom.floor.people.telling import person_sentences
from cardroom.floor.players.telling import player_sentences
from cardroom.jackpots import Happening
from cardroom.jackpots.amounts import books
from cardroom.jackpots.happenings import KINDS
from cardroom.jackpots.telling import words
from cardroom.jackpots.telling.details import details
from cardroom.ledger import Event, Time


class ToldEvent(NamedTuple):
    """An event in sentences."""

    sequence: int
    id: str
    time: Time
    sentences: str

    def entry(self) -> dict[str, Any]:
        """As JSON."""
        return self._asdict()


def told_events(events: Iterable[Event], told: TimeTold) -> Iterator[ToldEvent]:
    """Events of a felt, of a player or of a person in sentences."""
    for event in events:
        happening = happened(event)
        yield ToldEvent(event.sequence, event.id, event.time, _sentences(happening, told))


def _sentences(happening: Happening, told: TimeTold) -> str:
    if isinstance(happening, OfALiveRound):
        return live_sentences(happening)
    if isinstance(happening, OfAPerson):
        return person_sentences(happening)
    return felt_sentences(happening, told) if isinstance(happening, OfAFelt) else player_sentences(happening)


def event_sentences(event: Event, told: TimeTold) -> str:
    """An event of any chain in sentences."""
    if any(of(event.chain) is not None for of in (felt_of, player_of, person_of)):
        return _sentences(happened(event), told)
    payload: Any = payload_of(event) if event.kind in KINDS else event.payload
    why, more = words.reason(event.kind, payload), details(event.kind, payload, books)
    who = words.answering(payload)
    return words.explained(words.happened(event.kind), why, more, f"by {who}" if who else "")
