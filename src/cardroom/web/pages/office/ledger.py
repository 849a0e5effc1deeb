"""The ledger: every chain with its head, and a chain event by event, with the hashes that hold it together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.floor import Floor
from cardroom.floor.hidden_events import STILL_PLAYED, hidden_from
from cardroom.floor.telling import event_sentences
from cardroom.ledger import Entry, Event, Head
from cardroom.ledger.proofs import EventProof, prove_events
from cardroom.web.pages.office.frame import NothingThere, OfficeRoute, number_in, office_page
from cardroom.web.pages.visitors import house_of

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
A_PAGE: Final = 25
"""Events on a page."""
_CHAINS_A_PAGE: Final = 50
KINDS: Final = (
    ("", "All"),
    ("room", "The room"),
    ("jackpot:", "Jackpots"),
    ("table:", "Tabulators"),
    ("felt:", "Tables"),
    ("promotion:", "Promotions"),
    ("player:", "Players"),
    ("person:", "People"),
)
"""How the names of chains begin, and what has such chains."""


class ToldLink(NamedTuple):
    """An event as a page of the ledger shows it."""

    event: Event
    time: str
    sentences: str
    payload: str
    """As JSON; empty while it must not be told."""
    entries: tuple[Entry, ...]
    hash: str
    """Empty while it must not be told: so few answers are possible that a hash would tell which one was given."""
    previous: str
    has_its_hash: bool
    follows: bool
    again: str


class LedgerPage(NamedTuple):
    """Some events of a chain that follow on one another."""

    chain: str
    head: Head
    told: tuple[ToldLink, ...]
    first: int
    last: int
    whole: bool
    """Whether every hash on the page holds, and the last one is the chain's head if the chain ends there."""


class ChainList(NamedTuple):
    """Chains with their heads, a page of them."""

    chains: tuple[tuple[str, int, str, str], ...]
    """Name, events, time of the last one, hash of the head; no hash while a round is played there."""
    number: int
    """How many there are in all."""
    following: str
    """The chain after which the next page begins; empty at the end."""


def chain_list(floor: Floor, kind: str, after: str) -> ChainList:
    """The chains whose names begin so, behind one of them."""
    found = floor.ledger.chains(kind)
    some = [one for one in found if one > after][: _CHAINS_A_PAGE + 1]
    heads = [head for one in some[:_CHAINS_A_PAGE] if (head := floor.ledger.head(one)) is not None]
    told = tuple(
        (one.chain, one.sequence, floor.calendar.told(one.time), "" if _is_hidden(floor, one) else one.hash.hex())
        for one in heads
    )
    return ChainList(told, len(found), some[_CHAINS_A_PAGE - 1] if len(some) > _CHAINS_A_PAGE else "")


def ledger_page(floor: Floor, chain: str, first: int | None) -> LedgerPage:
    """Events of a chain from one on; the last ones where none is named."""
    head = floor.ledger.head(chain)
    if head is None:
        raise NothingThere(f"There is no chain {chain!r} with events: the ledger lists those that there are.")
    begin = max(head.sequence - A_PAGE + 1, 1) if first is None else min(first, head.sequence)
    found = prove_events(floor.ledger, chain, begin - 1, A_PAGE)
    hidden = hidden_from(floor, chain)
    told = tuple(_told(floor, one, hidden) for one in found)
    holds = all(one.has_its_hash and one.follows for one in told)
    ends = told[-1].event.sequence != head.sequence or told[-1].event.hash == head.hash
    return LedgerPage(chain, head, told, begin, told[-1].event.sequence, holds and ends)


def _is_hidden(floor: Floor, head: Head) -> bool:
    return head.sequence >= hidden_from(floor, head.chain)


def _told(floor: Floor, link: EventProof, hidden_from: int) -> ToldLink:
    event = link.event
    hidden, behind = event.sequence >= hidden_from, event.sequence > hidden_from
    return ToldLink(
        event=event,
        time=floor.calendar.told(event.time),
        sentences=STILL_PLAYED if hidden else event_sentences(event, floor.calendar.told),
        payload="" if hidden else json.dumps(event.payload, indent=1, ensure_ascii=False),
        entries=() if hidden else link.entries,
        hash="" if hidden else event.hash.hex(),
        previous="" if behind else event.previous.hex(),
        has_its_hash=link.is_hash_valid,
        follows=link.is_linked,
        again="" if hidden else link.computed_hash.hex(),
    )


def pages_of(first: int, last: int, events: int) -> Iterator[tuple[str, int | None]]:
    """Where else one may turn to: words, and the event that such a page begins with.

    >>> list(pages_of(26, 50, 80))
    [('First', 1), ('Earlier', 1), ('Later', 51), ('Last', None)]
    """
    if first > 1:
        yield "First", 1
        yield "Earlier", max(first - A_PAGE, 1)
    if last < events:
        yield "Later", last + 1
        yield "Last", None


@router.get("/office/ledger")
async def show_chains(request: Request) -> Response:
    """Every chain with its head."""
    house, asked = house_of(request), request.query_params
    kind = next((one for one, _ in KINDS if one == asked.get("kind", "")), "")
    found = await house.clerks.look(chain_list, house.floor, kind, asked.get("after", ""))
    return office_page(
        request, "office/ledger.html", found=found, kind=kind, kinds=KINDS, said=house.floor.calendar.said
    )


@router.get("/office/ledger/{chain:path}")
async def show_chain(request: Request, chain: str) -> Response:
    """A chain, event by event."""
    house, asked = house_of(request), request.query_params
    first = number_in(asked, "from", 1) if "from" in asked else None
    shown = await house.clerks.look(ledger_page, house.floor, chain, first)
    others: dict[str, Any] = {"turn": tuple(pages_of(shown.first, shown.last, shown.head.sequence))}
    return office_page(request, "office/chain.html", leaf=shown, **others, said=house.floor.calendar.said)
