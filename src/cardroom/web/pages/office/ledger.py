"""The ledger: every chain with its head, and the events of a chain with their hashes.

Verification checks the complete ledger in another process. Its page shows the progress.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from cardroom.ledger import Entry, Event, Head
from cardroom.ledger.proofs import EventProof, prove_events
from cardroom.service import CardRoom
from cardroom.service.chain_descriptions import ROUND_IN_PROGRESS, describe_event, find_first_hidden_event
from cardroom.web.middleware.permissions import require_session
from cardroom.web.pages.office.frame import (
    OfficeRoute,
    PageNotFound,
    parse_query_number,
    render_office_page,
    render_office_part,
)
from cardroom.web.pages.requests import get_app_context, load_form
from cardroom.web.pages.templating import HEADERS
from cardroom.web.services.app_context import AppContext
from cardroom.web.services.time_format import format_second

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
EVENTS_PER_PAGE: Final = 25
_CHAINS_PER_PAGE: Final = 50
KINDS: Final = (
    ("", "All"),
    ("room", "Card room"),
    ("jackpot:", "Jackpots"),
    ("tabulator:", "Tabulators"),
    ("table:", "Tables"),
    ("promotion:", "Promotions"),
    ("player:", "Players"),
    ("user:", "Users"),
)
"""Prefixes of chain names, and their labels."""


class ChainEventView(NamedTuple):
    """An event on a page of the ledger."""

    event: Event
    time: str
    sentences: str
    payload: str
    """As JSON; empty while it is hidden."""
    entries: tuple[Entry, ...]
    hash: str
    """Empty while it is hidden: with so few possible decisions, the hash would reveal which one was made."""
    previous: str
    is_hash_valid: bool
    is_linked: bool
    recomputed_hash: str


class LedgerPage(NamedTuple):
    """Consecutive events of a chain."""

    chain: str
    head: Head
    events: tuple[ChainEventView, ...]
    first: int
    last: int
    is_intact: bool
    """Whether every hash on the page matches, and the last one is the chain's head if the chain ends there."""


class ChainList(NamedTuple):
    """A page of chains with their heads."""

    chains: tuple[tuple[str, int, str, str], ...]
    """Name, number of events, time of the last one, and hash of the head; no hash while a round is in progress."""
    number: int
    """The total number of chains."""
    next_chain: str
    """The chain after which the next page begins; empty at the end."""


def chain_list(card_room: CardRoom, kind: str, after: str) -> ChainList:
    """The chains of a kind, after one of them."""
    chains = card_room.ledger.chains(kind)
    page_chains = [chain for chain in chains if chain > after][: _CHAINS_PER_PAGE + 1]
    heads = [head for chain in page_chains[:_CHAINS_PER_PAGE] if (head := card_room.ledger.head(chain)) is not None]
    listed_heads = tuple(
        (
            chain.chain,
            chain.sequence,
            format_second(card_room.calendar, chain.time),
            "" if _is_hidden(card_room, chain) else chain.hash.hex(),
        )
        for chain in heads
    )
    return ChainList(
        listed_heads, len(chains), page_chains[_CHAINS_PER_PAGE - 1] if len(page_chains) > _CHAINS_PER_PAGE else ""
    )


def ledger_page(card_room: CardRoom, chain: str, first: int | None) -> LedgerPage:
    """The events of a chain from ``first`` on, or the last ones."""
    head = card_room.ledger.head(chain)
    if head is None:
        raise PageNotFound(f"The ledger has no chain {chain!r}. Choose one from the list of chains.")
    begin = max(head.sequence - EVENTS_PER_PAGE + 1, 1) if first is None else min(first, head.sequence)
    chain_links = prove_events(card_room.ledger, chain, begin - 1, EVENTS_PER_PAGE)
    hidden = find_first_hidden_event(card_room, chain)
    event_views = tuple(_event_view(card_room, link, hidden) for link in chain_links)
    is_linked = all(link.is_hash_valid and link.is_linked for link in event_views)
    ends_at_head = event_views[-1].event.sequence != head.sequence or event_views[-1].event.hash == head.hash
    return LedgerPage(chain, head, event_views, begin, event_views[-1].event.sequence, is_linked and ends_at_head)


def _is_hidden(card_room: CardRoom, head: Head) -> bool:
    return head.sequence >= find_first_hidden_event(card_room, head.chain)


def _event_view(card_room: CardRoom, link: EventProof, hidden_from: int) -> ChainEventView:
    event = link.event
    hidden, follows_hidden = event.sequence >= hidden_from, event.sequence > hidden_from
    return ChainEventView(
        event=event,
        time=format_second(card_room.calendar, event.time),
        sentences=ROUND_IN_PROGRESS if hidden else describe_event(event, partial(format_second, card_room.calendar)),
        payload="" if hidden else json.dumps(event.payload, indent=1, ensure_ascii=False),
        entries=() if hidden else link.entries,
        hash="" if hidden else event.hash.hex(),
        previous="" if follows_hidden else event.previous.hex(),
        is_hash_valid=link.is_hash_valid,
        is_linked=link.is_linked,
        recomputed_hash="" if hidden else link.computed_hash.hex(),
    )


def pages_of(first: int, last: int, events: int) -> Iterator[tuple[str, int | None]]:
    """Labels of other pages of a chain, and the event that each begins with.

    >>> list(pages_of(26, 50, 80))
    [('First', 1), ('Earlier', 1), ('Later', 51), ('Last', None)]
    """
    if first > 1:
        yield "First", 1
        yield "Earlier", max(first - EVENTS_PER_PAGE, 1)
    if last < events:
        yield "Later", last + 1
        yield "Last", None


@router.get("/office/ledger")
async def show_chains(request: Request) -> Response:
    """Every chain with its head."""
    context, query = get_app_context(request), request.query_params
    kind = next((kind_name for kind_name, _ in KINDS if kind_name == query.get("kind", "")), "")
    listing = await context.executors.query(chain_list, context.card_room, kind, query.get("after", ""))
    return render_office_page(
        request,
        "office/ledger.html",
        listing=listing,
        kind=kind,
        kinds=KINDS,
        zone_text=context.card_room.calendar.zone_text,
    )


@router.get("/office/ledger/{chain:path}")
async def show_chain(request: Request, chain: str) -> Response:
    """A chain, event by event."""
    context, query = get_app_context(request), request.query_params
    first = parse_query_number(query, "from", 1) if "from" in query else None
    ledger = await context.executors.query(ledger_page, context.card_room, chain, first)
    variables: dict[str, Any] = {"page_links": tuple(pages_of(ledger.first, ledger.last, ledger.head.sequence))}
    return render_office_page(
        request, "office/chain.html", page=ledger, **variables, zone_text=context.card_room.calendar.zone_text
    )


VERIFY = "/office/verify"


def _verification_variables(context: AppContext) -> dict[str, Any]:
    progress, calendar = context.verification.progress, context.card_room.calendar
    return {
        "progress": progress,
        "ended": format_second(calendar, progress.ended) if progress.ended else "",
        "zone_text": calendar.zone_text,
    }


@router.get(VERIFY)
async def show_verification(request: Request) -> Response:
    """The page of the verification."""
    context = get_app_context(request)
    return render_office_page(
        request, "office/verify.html", **await context.executors.query(_verification_variables, context)
    )


@router.get(f"{VERIFY}/progress")
async def show_progress(request: Request) -> Response:
    """The progress of the verification."""
    context = get_app_context(request)
    variables = await context.executors.query(_verification_variables, context) | {
        "form": context.sessions.form_token(require_session(request))
    }
    return HTMLResponse(render_office_part("office/verify_progress.html", **variables), headers=HEADERS)


@router.post(VERIFY)
async def begin_verification(request: Request) -> Response:
    """Start a verification."""
    context = get_app_context(request)
    await load_form(request)
    await context.executors.query(context.verification.begin)
    return RedirectResponse(VERIFY, 303)


@router.post(f"{VERIFY}/cancel")
async def cancel_verification(request: Request) -> Response:
    """Cancel the verification."""
    context = get_app_context(request)
    await load_form(request)
    await context.executors.query(context.verification.cancel)
    return RedirectResponse(VERIFY, 303)
