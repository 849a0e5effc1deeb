"""What all pages of the office share: their sections, their frame, and their refusals."""

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
    ("/office/users", "Users"),
    ("/office/room", "Card room"),
)
"""The sections by URL."""
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
    """The office has no page at this URL."""


class Unavailable(BadInput):
    """An action is not possible now; ``back`` is the page with the details."""

    def __init__(self, sentence: str, back: str) -> None:
        super().__init__(sentence)
        self.back = back


class BadQueryValue(BadInput):
    """A query parameter that no page of the office produces."""


_STATUSES: Final = (((*_NOT_FOUND, PageNotFound), 404), ((Unavailable,), 409), ((BadQueryValue,), 400))


class OfficeRoute(APIRoute):
    """A route of the office. A refusal is a page too. A request that changes something needs the form token of one of
    the office's own pages."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_request(request: Request) -> Response:
            context: AppContext = request.app.state.context
            request.state.notices = await context.executors.query(context.notices.read)
            try:
                if request.method not in ("GET", "HEAD"):
                    await load_form(request)  # before any lookup, so that a forged request learns nothing
                return await handle(request)
            except BadInput as fault:
                status = next((status for kinds, status in _STATUSES if isinstance(fault, kinds)), status_of(fault))
                back = fault.back if isinstance(fault, Unavailable) else ""
                return render_office_page(request, "office/refused.html", status=status, sentence=str(fault), back=back)

        return handle_request


def render_office_page(request: Request, template: str, *, status: int = 200, **variables: Any) -> Response:
    """A complete page of the office."""
    sections = [(address, name) for address, name in SECTIONS if get_caller(request).may_open(address)]
    framed = {"sections": sections, "notices": getattr(request.state, "notices", ())}
    return render_page(
        request, template, status=status, **{"done": _done_message(request), **AMOUNTS, **variables}, **framed
    )


def render_office_part(template: str, **variables: Any) -> str:
    """A part of a page of the office."""
    return render_fragment(template, **{**AMOUNTS, **variables})


def _with_minus_sign(format_value: Callable[[int], str]) -> Callable[[int], str]:
    return lambda value: format_value(value).replace("-", "−")


AMOUNTS: Final[dict[str, Any]] = {
    "amount": _with_minus_sign(format_amount),
    "change": _with_minus_sign(format_change),
    "dollars": _with_minus_sign(format_dollars),
}
"""Amounts for the templates: hundredths of a cent, the same with a sign, and cents."""


def _done_message(request: Request) -> str:
    """The id of the command that was just executed, from the URL to which its form redirects."""
    return request.query_params.get("done", "")[:200]


def parse_query_number(query: Mapping[str, str], name: str, default: int, least: int = 1) -> int:
    """A whole number from the URL, or the default if it has none.

    >>> parse_query_number({"from": "26"}, "from", 1), parse_query_number({}, "from", 1)
    (26, 1)
    >>> parse_query_number({"from": "-3"}, "from", 1)
    Traceback (most recent call last):
    ...
    cardroom.web.pages.office.frame.BadQueryValue: '-3' after "from=" in the URL is not a whole number of at least 1.
    """
    text = query.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 18 and int(text) >= least):
        raise BadQueryValue(f'{quote(text)} after "{name}=" in the URL is not a whole number of at least {least}.')
    return int(text)
