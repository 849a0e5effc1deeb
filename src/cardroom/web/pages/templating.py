"""What people are called on a felt. The books keep a guest's whole name; at a table its beginning is enough.

What a card is called, for those who hear the page.

Where each chip of an amount is drawn: a stack for each denomination side by side, from the largest down, as a dealer
cuts them out. What a chip is worth is written on it: its colour is never the only sign.

How pages are drawn: templates, the words and figures that all of them use, and the headers that they go out with.

A refusal to somebody who looks at a page is a page too, with the same sentence and the same status.
"""

from __future__ import annotations

import gzip
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson
from fastapi import FastAPI, Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from starlette.requests import HTTPConnection
from starlette.responses import Response

from cardroom.accounts import Currency
from cardroom.cards import Card, parse_card
from cardroom.games.money import format_cents, split_into_chips
from cardroom.games.view import CARD_BACK
from cardroom.reports.documents.numbers import format_fixed, format_percent
from cardroom.web.middleware.permissions import get_caller
from cardroom.web.middleware.rejections import wants_page
from cardroom.web.pages.assets import asset_url, is_built

_GUEST: Final = "guest-"
_DIGITS: Final = 4
"""Digits of a guest's name that tell those of one table apart."""


def display_name(player: str) -> str:
    """A player's name as it is said.

    >>> display_name("guest-581d64ce2739"), display_name("Ada")
    ('Guest 581d', 'Ada')
    """
    return f"Guest {player[len(_GUEST) :][:_DIGITS]}" if player.startswith(_GUEST) else player


def describe_card(code: Card | str | None) -> str:
    """A card in words; the back of one says only that it lies face down.

    >>> describe_card("Qh"), describe_card("Jk"), describe_card("??"), describe_card(None)
    ('Queen of hearts', 'Joker', 'face down', 'face down')
    """
    if code is None or code == CARD_BACK:
        return "face down"
    parsed_card = code if isinstance(code, Card) else parse_card(code)
    return (
        "Joker" if parsed_card.is_joker else f"{parsed_card.rank.word.capitalize()} of {parsed_card.suit.name.lower()}"
    )


RADIUS: Final = 20
_ELLIPSE: Final = 13
"""A chip is seen from above at a slant: as an ellipse."""
_THICK: Final = 6
_APART: Final = 43
_EDGE: Final = 1
MAX_CHIPS_PER_STACK: Final = 8
"""Of more than these the stack says how many it stands for."""


class DrawnChip(NamedTuple):
    """One chip: the middle of its face."""

    value: int
    x: int
    y: int


class DrawnStack(NamedTuple):
    """Chips of one denomination, the lowest first."""

    chips: tuple[DrawnChip, ...]
    number: int
    """How many there are; more than are drawn where the stack would be too tall."""


class DrawnStacks(NamedTuple):
    """An amount in chips, and the size of the picture."""

    stacks: tuple[DrawnStack, ...]
    width: int
    height: int


def stack_chips(cents: int) -> DrawnStacks:
    """The picture of an amount.

    >>> picture = stack_chips(35_00)
    >>> [(one.chips[-1].value, one.number) for one in picture.stacks], picture.width, picture.height
    ([(2500, 1), (500, 2)], 85, 40)
    >>> [(len(one.chips), one.number) for one in stack_chips(20_000_00).stacks]
    [(8, 40)]
    """
    piles = split_into_chips(cents)
    tallest = max((min(number, MAX_CHIPS_PER_STACK) for _, number in piles), default=0)
    floor = _EDGE + _ELLIPSE + _THICK * max(tallest - 1, 0)
    stacks = tuple(
        DrawnStack(
            tuple(DrawnChip(value, _across(at), floor - _THICK * up) for up in range(min(number, MAX_CHIPS_PER_STACK))),
            number,
        )
        for at, (value, number) in enumerate(piles)
    )
    width = _across(len(piles) - 1) + RADIUS + _EDGE if piles else 0
    return DrawnStacks(stacks, width, floor + _ELLIPSE + _THICK + _EDGE if piles else 0)


def _across(at: int) -> int:
    return _EDGE + RADIUS + _APART * at


def denomination(cents: int) -> str:
    """What is written on a chip or a coin.

    >>> denomination(500_00), denomination(1_00), denomination(25)
    ('500', '1', '25¢')
    """
    return str(cents // 100) if cents >= 100 else f"{cents}¢"


_TEMPLATES: Final = Path(__file__).parents[1] / "templates"
_MIN_COMPRESSED_BYTES: Final = 1_000
_NOT_BUILT: Final = "The pages need fonts and a script that are not here yet: `make run` brings them in."
HEADERS: Final = {"Cache-Control": "no-store"}
"""All others are put on every answer (``cardroom.web.middleware.security_headers``)."""


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(asset=asset_url, linked=link_if_permitted)
    environment.filters.update(money=format_cents, signed=format_signed, chips=split_into_chips, plural=pluralize)
    environment.filters.update(percent=format_percent, fixed=format_fixed, called=display_name)
    environment.filters.update(card_words=describe_card, stacked=stack_chips, denomination=denomination)
    return environment


@pass_context
def link_if_permitted(context: Context, url: str, label: object) -> Markup:
    """Words that lead somewhere, for whoever may go there; for others only the words."""
    if not context["may_open"](url):
        return Markup("{}").format(label)
    return Markup('<a href="{}">{}</a>').format(url, label)


def format_signed(cents: int) -> str:
    """An amount with its sign, as results are written.

    >>> format_signed(5_00), format_signed(-2_50), format_signed(0)
    ('+$5', '−$2.50', '$0')
    """
    return f"+{format_cents(cents)}" if cents > 0 else f"−{format_cents(-cents)}" if cents < 0 else format_cents(0)


def pluralize(number: int, singular: str, plural: str = "") -> str:
    """
    >>> pluralize(1, "seat"), pluralize(3, "seat"), pluralize(2, "penny", "pennies")
    ('1 seat', '3 seats', '2 pennies')
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


ENVIRONMENT: Final = _environment()


def render_fragment(template: str, **variables: Any) -> str:
    """A part of a page."""
    return ENVIRONMENT.get_template(template).render(Currency=Currency, **variables)


_SECTIONS: Final = (
    ("/", "Tables"),
    ("/rules", "Rules"),
    ("/lab", "Lab"),
    ("/dealer", "Dealer"),
    ("/office", "Office"),
)
"""The rooms that the rail leads to, for those who may go there."""


def sign_in_variables(request: HTTPConnection) -> dict[str, Any]:
    """What every page shows of whoever looks at it: the name, the rooms that are open, and what its forms carry. Of a
    session that is locked, or has to choose a password, only the way to do that."""
    caller = get_caller(request)
    session = caller.session
    form = request.app.state.context.sessions.form_token(session) if session is not None else ""
    rooms = [(address, name) for address, name in _SECTIONS if caller.may_open(address)]
    step = caller.sign_in_step
    user = {"signed_in": session if step is None else None, "step": step}
    return {**user, "rooms": rooms, "form": form, "may_open": caller.may_open}


def render_page(request: Request, template: str, *, status: int = 200, **variables: Any) -> Response:
    """A whole page, as it goes out."""
    if not is_built():
        return Response(_NOT_BUILT, 503, HEADERS, "text/plain; charset=utf-8")
    body = render_fragment(template, path=request.url.path, **sign_in_variables(request), **variables).encode()
    headers = dict(HEADERS)
    if len(body) > _MIN_COMPRESSED_BYTES and "gzip" in request.headers.get("accept-encoding", ""):
        body = gzip.compress(body, 6)
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(body, status, headers, "text/html; charset=utf-8")


Handler = Callable[[Request, Any], Awaitable[Response]]


def install_error_pages(app: FastAPI) -> None:
    """Let every refusal that the application knows be drawn where a browser asked for a page."""
    for kind, handler in list(app.exception_handlers.items()):
        app.add_exception_handler(kind, _with_error_page(handler))


def _with_error_page(handler: Any) -> Handler:
    async def respond(request: Request, fault: Any) -> Response:
        response: Response = await handler(request, fault)
        if not wants_page(request) or response.media_type != "application/json":
            return response
        sentence = orjson.loads(response.body).get("error", "")
        if response.status_code == 404 and "openapi" in sentence:  # meant for programs
            sentence = "There is no page at this address."
        return render_page(request, "refused.html", status=response.status_code, sentence=sentence)

    return respond
