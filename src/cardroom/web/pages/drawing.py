"""How pages are drawn: templates, the words and figures that all of them use, and the headers that they go out with."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any, Final

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from starlette.requests import HTTPConnection
from starlette.responses import Response

from cardroom.accounts import Currency
from cardroom.games.money import format_cents, split_into_chips
from cardroom.reports.documents.numbers import format_fixed, format_percent
from cardroom.web.pages.assets import address, is_built
from cardroom.web.pages.chip_stacks import denomination, stacked
from cardroom.web.pages.deck.words import card_words
from cardroom.web.pages.naming import called
from cardroom.web.rights.caller import caller_of

_TEMPLATES: Final = Path(__file__).parents[1] / "templates"
_WORTH_SQUEEZING: Final = 1_000
_NOT_BUILT: Final = "The pages need fonts and a script that are not here yet: `make run` brings them in."
HEADERS: Final = {"Cache-Control": "no-store"}
"""All others are put on every answer (``cardroom.web.doors.headers``)."""


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(asset=address, linked=linked)
    made.filters.update(money=format_cents, signed=signed, chips=split_into_chips, plural=plural)
    made.filters.update(percent=format_percent, fixed=format_fixed, called=called)
    made.filters.update(card_words=card_words, stacked=stacked, denomination=denomination)
    return made


@pass_context
def linked(context: Context, to: str, words: object) -> Markup:
    """Words that lead somewhere, for whoever may go there; for others only the words."""
    if not context["may_open"](to):
        return Markup("{}").format(words)
    return Markup('<a href="{}">{}</a>').format(to, words)


def signed(cents: int) -> str:
    """An amount with its sign, as results are written.

    >>> signed(5_00), signed(-2_50), signed(0)
    ('+$5', '−$2.50', '$0')
    """
    return f"+{format_cents(cents)}" if cents > 0 else f"−{format_cents(-cents)}" if cents < 0 else format_cents(0)


def plural(number: int, one: str, several: str = "") -> str:
    """
    >>> plural(1, "seat"), plural(3, "seat"), plural(2, "penny", "pennies")
    ('1 seat', '3 seats', '2 pennies')
    """
    return f"{number:,} {one if number == 1 else several or one + 's'}"


ENVIRONMENT: Final = _environment()


def fragment(template: str, **shown: Any) -> str:
    """A part of a page."""
    return ENVIRONMENT.get_template(template).render(Currency=Currency, **shown)


_ROOMS: Final = (
    ("/", "Tables"),
    ("/rules", "Rules"),
    ("/lab", "Lab"),
    ("/dealer", "Dealer"),
    ("/office", "Office"),
)
"""The rooms that the rail leads to, for those who may go there."""


def at_the_door(request: HTTPConnection) -> dict[str, Any]:
    """What every page shows of whoever looks at it: the name, the rooms that are open, and what its forms carry. Of a
    session that is locked, or has to choose a password, only the way to do that."""
    caller = caller_of(request)
    session = caller.session
    form = request.app.state.house.sessions.form_token(session) if session is not None else ""
    rooms = [(address, name) for address, name in _ROOMS if caller.may_open(address)]
    step = caller.first_step
    who = {"signed_in": session if step is None else None, "step": step}
    return {**who, "rooms": rooms, "form": form, "may_open": caller.may_open}


def page(request: Request, template: str, *, status: int = 200, **shown: Any) -> Response:
    """A whole page, as it goes out."""
    if not is_built():
        return Response(_NOT_BUILT, 503, HEADERS, "text/plain; charset=utf-8")
    body = fragment(template, path=request.url.path, **at_the_door(request), **shown).encode()
    headers = dict(HEADERS)
    if len(body) > _WORTH_SQUEEZING and "gzip" in request.headers.get("accept-encoding", ""):
        body = gzip.compress(body, 6)
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(body, status, headers, "text/html; charset=utf-8")
