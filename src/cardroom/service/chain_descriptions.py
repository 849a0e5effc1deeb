"""Chains in sentences: what an auditor reads from the first event to the last.

Events that are not shown yet: players' decisions in a round in progress.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.ledger import Event, Time
from cardroom.room.amount_text import format_amount
from cardroom.room.descriptions.event_descriptions import (
    describe_details,
    event_reason,
    event_title,
    join_sentences,
    responsible_people,
)
from cardroom.room.event_types import EVENT_TYPES, DomainEvent
from cardroom.room.player.account import describe_player_event
from cardroom.room.table.descriptions import TimeFormat, describe_live_event, describe_table_event
from cardroom.room.table.events import LiveRoundEvent, TableEvent
from cardroom.room.table.reducer import round_start_key
from cardroom.room.table.state import TablePhase
from cardroom.room.user.descriptions import describe_user_event
from cardroom.room.user.events import UserEvent
from cardroom.service.card_room import CardRoom
from cardroom.service.chains.names import parse_player_chain, parse_table_chain, parse_user_chain
from cardroom.service.queries.chain_history import payload_of, read_domain_event


class EventText(NamedTuple):
    """An event in sentences."""

    sequence: int
    id: str
    time: Time
    sentences: str

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return self._asdict()


def describe_events(events: Iterable[Event], time_format: TimeFormat) -> Iterator[EventText]:
    """The events of a table, of a player account, or of a user in sentences."""
    for event in events:
        domain_event = read_domain_event(event)
        yield EventText(event.sequence, event.id, event.time, _describe(domain_event, time_format))


def _describe(event: DomainEvent, time_format: TimeFormat) -> str:
    if isinstance(event, LiveRoundEvent):
        return describe_live_event(event)
    if isinstance(event, UserEvent):
        return describe_user_event(event)
    return describe_table_event(event, time_format) if isinstance(event, TableEvent) else describe_player_event(event)


def describe_event(event: Event, time_format: TimeFormat) -> str:
    """An event of any chain in sentences."""
    if any(of(event.chain) is not None for of in (parse_table_chain, parse_player_chain, parse_user_chain)):
        return _describe(read_domain_event(event), time_format)
    payload: Any = payload_of(event) if event.kind in EVENT_TYPES else event.payload
    why, more = event_reason(event.kind, payload), describe_details(event.kind, payload, format_amount)
    who = responsible_people(payload)
    return join_sentences(event_title(event.kind), why, more, f"by {who}" if who else "")


ROUND_IN_PROGRESS: Final = (
    "The round is still in progress: its decisions are shown when it has ended, and so are the hashes from here on, "
    "because a short decision could be guessed from its hash."
)


class RoundStillInProgress(BadInput):
    """An event, or its hash, that is shown when the round has ended."""


def find_first_hidden_event(card_room: CardRoom, chain: str) -> int:
    """The first event that must not be shown yet: players' decisions in a round in progress name cards that other
    players may not see. Its hash and all later ones are hidden too: a trial of all decisions would find the right
    one."""
    table = parse_table_chain(chain)
    state = card_room.table(table) if table is not None else None
    if state is None or state.phase is not TablePhase.PLAYING or state.live is not None:
        return 1 << 62
    begin_event = card_room.ledger.find_event(chain, round_start_key(state.round))
    return begin_event.sequence + 1 if begin_event else 1 << 62


def refuse_hidden_events(card_room: CardRoom, chain: str, last: int) -> None:
    """Refuse to show a chain up to an event that is hidden. Read the events first: a round that begins after that is
    not among them."""
    if last >= find_first_hidden_event(card_room, chain):
        raise RoundStillInProgress(ROUND_IN_PROGRESS)
