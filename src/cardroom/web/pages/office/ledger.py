"""The ledger: every chain with its head, and a chain event by event, with the hashes that hold it together.

Verify: everything that was ever stored is read again in another process, and the page says how far it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from cardroom.ledger import Entry, Event, Head
from cardroom.ledger.proofs import EventProof, prove_events
from cardroom.service import CardRoom
from cardroom.service.event_log import ROUND_IN_PROGRESS, describe_event, find_first_hidden_event
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

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
EVENTS_PER_PAGE: Final = 25
"""Events on a page."""
_CHAINS_PER_PAGE: Final = 50
KINDS: Final = (
    ("", "All"),
    ("room", "The room"),
    ("jackpot:", "Jackpots"),
    ("tabulator:", "Tabulators"),
    ("table:", "Tables"),
    ("promotion:", "Promotions"),
    ("player:", "Players"),
    ("user:", "People"),
)
"""How the names of chains begin, and what has such chains."""


class ChainEventView(NamedTuple):
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
    is_hash_valid: bool
    is_linked: bool
    recomputed_hash: str


class LedgerPage(NamedTuple):
    """Some events of a chain that follow on one another."""

    chain: str
    head: Head
    events: tuple[ChainEventView, ...]
    first: int
    last: int
    is_intact: bool
    """Whether every hash on the page holds, and the last one is the chain's head if the chain ends there."""


class ChainList(NamedTuple):
    """Chains with their heads, a page of them."""

    chains: tuple[tuple[str, int, str, str], ...]
    """Name, events, time of the last one, hash of the head; no hash while a round is played there."""
    number: int
    """How many there are in all."""
    next_chain: str
    """The chain after which the next page begins; empty at the end."""


def chain_list(floor: CardRoom, kind: str, after: str) -> ChainList:
    """The chains whose names begin so, behind one of them."""
    chains = floor.ledger.chains(kind)
    page_chains = [chain for chain in chains if chain > after][: _CHAINS_PER_PAGE + 1]
    heads = [head for chain in page_chains[:_CHAINS_PER_PAGE] if (head := floor.ledger.head(chain)) is not None]
    listed_heads = tuple(
        (
            chain.chain,
            chain.sequence,
            floor.calendar.format_time(chain.time),
            "" if _is_hidden(floor, chain) else chain.hash.hex(),
        )
        for chain in heads
    )
    return ChainList(
        listed_heads, len(chains), page_chains[_CHAINS_PER_PAGE - 1] if len(page_chains) > _CHAINS_PER_PAGE else ""
    )


def ledger_page(floor: CardRoom, chain: str, first: int | None) -> LedgerPage:
    """Events of a chain from one on; the last ones where none is named."""
    head = floor.ledger.head(chain)
    if head is None:
        raise PageNotFound(f"There is no chain {chain!r} with events: the ledger lists those that there are.")
    begin = max(head.sequence - EVENTS_PER_PAGE + 1, 1) if first is None else min(first, head.sequence)
    chain_links = prove_events(floor.ledger, chain, begin - 1, EVENTS_PER_PAGE)
    hidden = find_first_hidden_event(floor, chain)
    event_views = tuple(_event_view(floor, link, hidden) for link in chain_links)
    holds = all(link.is_hash_valid and link.is_linked for link in event_views)
    ends = event_views[-1].event.sequence != head.sequence or event_views[-1].event.hash == head.hash
    return LedgerPage(chain, head, event_views, begin, event_views[-1].event.sequence, holds and ends)


def _is_hidden(floor: CardRoom, head: Head) -> bool:
    return head.sequence >= find_first_hidden_event(floor, head.chain)


def _event_view(floor: CardRoom, link: EventProof, hidden_from: int) -> ChainEventView:
    event = link.event
    hidden, behind = event.sequence >= hidden_from, event.sequence > hidden_from
    return ChainEventView(
        event=event,
        time=floor.calendar.format_time(event.time),
        sentences=ROUND_IN_PROGRESS if hidden else describe_event(event, floor.calendar.format_time),
        payload="" if hidden else json.dumps(event.payload, indent=1, ensure_ascii=False),
        entries=() if hidden else link.entries,
        hash="" if hidden else event.hash.hex(),
        previous="" if behind else event.previous.hex(),
        is_hash_valid=link.is_hash_valid,
        is_linked=link.is_linked,
        recomputed_hash="" if hidden else link.computed_hash.hex(),
    )


def pages_of(first: int, last: int, events: int) -> Iterator[tuple[str, int | None]]:
    """Where else one may turn to: words, and the event that such a page begins with.

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
    listing = await context.executors.query(chain_list, context.floor, kind, query.get("after", ""))
    return render_office_page(
        request, "office/ledger.html", found=listing, kind=kind, kinds=KINDS, said=context.floor.calendar.zone_text
    )


@router.get("/office/ledger/{chain:path}")
async def show_chain(request: Request, chain: str) -> Response:
    """A chain, event by event."""
    context, query = get_app_context(request), request.query_params
    first = parse_query_number(query, "from", 1) if "from" in query else None
    ledger = await context.executors.query(ledger_page, context.floor, chain, first)
    variables: dict[str, Any] = {"turn": tuple(pages_of(ledger.first, ledger.last, ledger.head.sequence))}
    return render_office_page(
        request, "office/chain.html", leaf=ledger, **variables, said=context.floor.calendar.zone_text
    )


VERIFY = "/office/verify"


def _verification_variables(context: AppContext) -> dict[str, Any]:
    progress, calendar = context.verification.progress, context.floor.calendar
    return {
        "progress": progress,
        "ended": calendar.format_time(progress.ended) if progress.ended else "",
        "said": calendar.zone_text,
    }


@router.get(VERIFY)
async def show_verification(request: Request) -> Response:
    """The page."""
    context = get_app_context(request)
    return render_office_page(
        request, "office/verify.html", **await context.executors.query(_verification_variables, context)
    )


@router.get(f"{VERIFY}/progress")
async def show_progress(request: Request) -> Response:
    """How far it is."""
    context = get_app_context(request)
    variables = await context.executors.query(_verification_variables, context) | {
        "form": context.sessions.form_token(require_session(request))
    }
    return HTMLResponse(render_office_part("office/verify_progress.html", **variables), headers=HEADERS)


@router.post(VERIFY)
async def begin_verification(request: Request) -> Response:
    """Begin."""
    context = get_app_context(request)
    await load_form(request)
    await context.executors.query(context.verification.begin)
    return RedirectResponse(VERIFY, 303)


@router.post(f"{VERIFY}/cancel")
async def cancel_verification(request: Request) -> Response:
    """Give it up."""
    context = get_app_context(request)
    await load_form(request)
    await context.executors.query(context.verification.cancel)
    return RedirectResponse(VERIFY, 303)
