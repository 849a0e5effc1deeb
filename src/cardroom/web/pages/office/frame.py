"""What all pages of the office share: who is let in, and how a refusal is told."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

from fastapi import Request, Response
from fastapi.routing import APIRoute

from cardroom.errors import BadInput, quote
from cardroom.room.amount_text import format_amount, format_change, format_dollars
from cardroom.room.jackpot.state import UnknownClaim
from cardroom.room.site.device import UnknownDevice
from cardroom.service import (
    UnknownJackpot,
    UnknownPlayer,
    UnknownPromotion,
    UnknownRound,
    UnknownTable,
    UnknownTabulator,
)
from cardroom.service.chains.aggregates import UnknownUser
from cardroom.service.queries.site import UnknownDay
from cardroom.web.api.refusals import status_of
from cardroom.web.middleware.permissions import get_caller
from cardroom.web.pages.requests import load_form
from cardroom.web.pages.templating import render_fragment, render_page
from cardroom.web.services.app_context import AppContext

SECTIONS: Final = (
    ("/office", "Open now"),
    ("/office/tables", "Tables"),
    ("/office/devices", "Devices"),
    ("/office/jackpots", "Jackpots"),
    ("/office/promotions", "Promotions"),
    ("/office/malfunctions", "Malfunctions"),
    ("/office/players", "Players"),
    ("/office/rounds", "Rounds"),
    ("/office/reports", "Reports"),
    ("/office/ledger", "Ledger"),
    ("/office/verify", "Verify"),
    ("/office/people", "People"),
    ("/office/room", "The room"),
)
"""The chapters of the book, by their addresses."""
_NOT_FOUND: Final = (
    UnknownTable,
    UnknownJackpot,
    UnknownPlayer,
    UnknownPromotion,
    UnknownRound,
    UnknownTabulator,
    UnknownDay,
    UnknownClaim,
    UnknownDevice,
    UnknownUser,
)


class PageNotFound(BadInput):
    """An address of the office that leads nowhere."""


class Unavailable(BadInput):
    """A deed that cannot be done as things stand; the page that it is about tells more."""

    def __init__(self, sentence: str, back: str) -> None:
        super().__init__(sentence)
        self.back = back


class BadQueryValue(BadInput):
    """Something behind the question mark that no page of ours writes there."""


_STATUSES: Final = (((*_NOT_FOUND, PageNotFound), 404), ((Unavailable,), 409), ((BadQueryValue,), 400))


class OfficeRoute(APIRoute):
    """A page of the office. A refusal is a page too, with the library's sentence; what would change something must have
    been asked by one of our own pages."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_request(request: Request) -> Response:
            context: AppContext = request.app.state.context
            request.state.notices = await context.executors.query(context.notices.read)
            try:
                if request.method not in ("GET", "HEAD"):
                    await load_form(request)  # before anything is looked up: a forged one learns nothing
                return await handle(request)
            except BadInput as fault:
                status = next((status for kinds, status in _STATUSES if isinstance(fault, kinds)), status_of(fault))
                back = fault.back if isinstance(fault, Unavailable) else ""
                return render_office_page(request, "office/refused.html", status=status, sentence=str(fault), back=back)

        return handle_request


def render_office_page(request: Request, template: str, *, status: int = 200, **variables: Any) -> Response:
    """A whole page of the office."""
    chapters = [(address, name) for address, name in SECTIONS if get_caller(request).may_open(address)]
    framed = {"sections": chapters, "notices": getattr(request.state, "notices", ())}
    return render_page(
        request, template, status=status, **{"done": _done_message(request), **AMOUNTS, **variables}, **framed
    )


def render_office_part(template: str, **variables: Any) -> str:
    """A part of such a page."""
    return render_fragment(template, **{**AMOUNTS, **variables})


AMOUNTS: Final[dict[str, Any]] = {"books": format_amount, "change": format_change, "shown": format_dollars}
"""How the books write amounts, for the templates: hundredths of a cent, the same with a sign, and cents."""


def _done_message(request: Request) -> str:
    """The id of the command that has just been carried out, as a form's answer names it in the address."""
    return request.query_params.get("done", "")[:200]


def parse_query_number(query: Mapping[str, str], name: str, usual: int, least: int = 1) -> int:
    """A whole number of the address, or the usual one where there is none.

    >>> parse_query_number({"from": "26"}, "from", 1), parse_query_number({}, "from", 1)
    (26, 1)
    >>> parse_query_number({"from": "-3"}, "from", 1)
    Traceback (most recent call last):
    ...
    cardroom.web.pages.office.frame.BadQueryValue: '-3' behind "from=" in the address is no whole number from 1 on.
    """
    text = query.get(name, "")
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 18 and int(text) >= least):
        raise BadQueryValue(f'{quote(text)} behind "{name}=" in the address is no whole number from {least} on.')
    return int(text)
