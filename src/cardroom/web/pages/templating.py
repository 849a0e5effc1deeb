"""Rendering of pages: the templates, the filters that all of them use, and the headers that pages are sent with.

The filters format player names, cards, amounts, and stacks of chips. Error responses become pages here too, with the
same sentence and the same status.
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

from cardroom.cards import Card, parse_card
from cardroom.chart_of_accounts import Currency
from cardroom.games.money import format_cents, split_into_chips
from cardroom.games.view import CARD_BACK
from cardroom.ledger import Time
from cardroom.reports.documents.numbers import format_fixed, format_percent
from cardroom.room.setup.calendar import Calendar
from cardroom.room.table.reducer import PRACTICE_PREFIX
from cardroom.service.queries.past_rounds import ANONYMOUS_PLAYER
from cardroom.translation import gettext, ngettext
from cardroom.web.middleware.languages import DEFAULT_LANGUAGE
from cardroom.web.middleware.permissions import get_caller
from cardroom.web.middleware.rejections import wants_page
from cardroom.web.pages.assets import asset_url, is_built

_GUEST: Final = "guest-"
_DIGITS: Final = 4
"""Digits of a guest's name that a page shows: enough to distinguish the guests of a table."""


def display_name(player: str) -> str:
    """A player's name on a page. The ledger stores a guest's whole name; its beginning is enough at a table.

    >>> display_name("guest-581d64ce2739"), display_name("Ada")
    ('Guest 581d', 'Ada')
    """
    if player == ANONYMOUS_PLAYER:
        return gettext("another player")
    if not player.startswith(_GUEST):
        return player
    return gettext("Guest {digits}").format(digits=player.removeprefix(_GUEST)[:_DIGITS])


def format_page_time(calendar: Calendar, time: Time) -> str:
    """A time as people read it.

    >>> from cardroom.room.setup.calendar import open_calendar
    >>> format_page_time(open_calendar(), 1_795_000_000_000_000)
    '11/18/2026 3:06 AM'
    """
    local = calendar.local(time)
    # Translators: a date and a time. The 24-hour clock is {hour24}.
    text = (
        gettext("{month}/{day}/{year} {hour}:{minute} AM")
        if local.hour < 12
        else gettext("{month}/{day}/{year} {hour}:{minute} PM")
    )
    clock = {"hour": local.hour % 12 or 12, "hour24": f"{local:%H}", "minute": f"{local:%M}"}
    return text.format(month=local.month, day=local.day, year=local.year, **clock)


def zone_note(calendar: Calendar) -> str:
    """The time zone of the times on a page."""
    return gettext("Times are in the time zone {zone}.").format(zone=calendar.name)


def currency_name(currency: Currency | str) -> str:
    """The kind of money.

    >>> currency_name("play"), currency_name(Currency.REAL)
    ('play money', 'real money')
    """
    return gettext("play money") if Currency(currency) is Currency.PLAY else gettext("real money")


def table_label(table: str) -> str:
    """A table's name on a page. The id of a practice table says nothing to its player.

    >>> table_label("prime-1"), table_label("practice-0f3a")
    ('Table prime-1', 'Practice table')
    """
    return (
        gettext("Practice table") if table.startswith(PRACTICE_PREFIX) else gettext("Table {table}").format(table=table)
    )


def describe_card(code: Card | str | None) -> str:
    """A card's name for screen readers; the back of a card is only "face down".

    >>> describe_card("Qh"), describe_card("Jk"), describe_card("??"), describe_card(None)
    ('Queen of hearts', 'Joker', 'face down', 'face down')
    """
    if code is None or code == CARD_BACK:
        return gettext("face down")
    parsed_card = code if isinstance(code, Card) else parse_card(code)
    if parsed_card.is_joker:
        return gettext("Joker")
    rank, suit = parsed_card.rank.word.capitalize(), parsed_card.suit.name.lower()
    # Translators: a playing card, such as "Queen of hearts".
    return gettext("{rank} of {suit}").format(rank=rank, suit=suit)


RADIUS: Final = 20
_ELLIPSE: Final = 13
"""Half the height of a chip's face, which is drawn as an ellipse."""
_THICK: Final = 6
_APART: Final = 43
_EDGE: Final = 1
MAX_CHIPS_PER_STACK: Final = 8
"""A taller stack shows this many chips and their number."""


class DrawnChip(NamedTuple):
    """One chip: its value in cents and the center of its face."""

    value: int
    x: int
    y: int


class DrawnStack(NamedTuple):
    """Chips of one denomination, the bottom chip first."""

    chips: tuple[DrawnChip, ...]
    number: int
    """How many chips there are; a tall stack draws fewer."""


class DrawnStacks(NamedTuple):
    """An amount in chips, and the size of the picture."""

    stacks: tuple[DrawnStack, ...]
    width: int
    height: int


def stack_chips(cents: int) -> DrawnStacks:
    """The picture of an amount: a stack for each denomination, the largest first, as a dealer cuts chips. The value is
    printed on each chip, so color is never the only sign.

    >>> picture = stack_chips(35_00)
    >>> [(stack.chips[-1].value, stack.number) for stack in picture.stacks], picture.width, picture.height
    ([(2500, 1), (500, 2)], 85, 40)
    >>> [(len(stack.chips), stack.number) for stack in stack_chips(20_000_00).stacks]
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
    """The value that is printed on a chip or a coin.

    >>> denomination(500_00), denomination(1_00), denomination(25)
    ('500', '1', '25¢')
    """
    return str(cents // 100) if cents >= 100 else f"{cents}¢"


_TEMPLATES: Final = Path(__file__).parents[1] / "templates"
_MIN_COMPRESSED_BYTES: Final = 1_000
_NOT_BUILT: Final = "The pages need fonts and a script that are not installed yet: run `make run`."
HEADERS: Final = {"Cache-Control": "no-store"}
"""The middleware adds the others to every response (``cardroom.web.middleware.security_headers``)."""


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    environment.globals.update(asset=asset_url, linked=link_if_permitted)
    environment.filters.update(money=format_cents, signed=format_signed, chips=split_into_chips, plural=pluralize)
    environment.filters.update(percent=format_percent, fixed=format_fixed, display_name=display_name)
    environment.filters.update(currency_name=currency_name, table_label=table_label)
    environment.filters.update(card_name=describe_card, stacked=stack_chips, denomination=denomination)
    return environment


@pass_context
def link_if_permitted(context: Context, url: str, label: object) -> Markup:
    """A link for callers who may open the address; only its label for others."""
    if not context["may_open"](url):
        return Markup("{}").format(label)
    return Markup('<a href="{}">{}</a>').format(url, label)


def format_signed(cents: int) -> str:
    """An amount with its sign, as results show it.

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


def _main_links() -> tuple[tuple[str, str], ...]:
    """The links at the top of a page; a caller sees those that the caller may open."""
    return (
        ("/", gettext("Tables")),
        ("/rules", gettext("Rules")),
        ("/lab", gettext("Lab")),
        ("/dealer", gettext("Dealer")),
        ("/office", gettext("Office")),
    )


def _script_texts() -> dict[str, str]:
    """The sentences that the script of every page shows."""
    return {
        "noResponse": gettext("No response from the card room, so nothing was changed. Try again."),
    }


def sign_in_variables(request: HTTPConnection) -> dict[str, Any]:
    """The caller's part of every page: the name, the links, and the token of its forms. A locked session, or one that
    must choose a password, has only the link to that step."""
    caller = get_caller(request)
    session = caller.session
    form = request.app.state.context.sessions.form_token(session) if session is not None else ""
    main_links = [(address, name) for address, name in _main_links() if caller.may_open(address)]
    step = caller.sign_in_step
    user = {"signed_in": session if step is None else None, "step": step}
    language = request.scope.get("language", DEFAULT_LANGUAGE)
    texts = {"language": language, "script_texts": _script_texts()}
    return {**user, **texts, "main_links": main_links, "form": form, "may_open": caller.may_open}


def render_page(request: Request, template: str, *, status: int = 200, **variables: Any) -> Response:
    """A whole page as a response."""
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
    """Show every error response as a page where a browser requested a page."""
    for kind, handler in list(app.exception_handlers.items()):
        app.add_exception_handler(kind, _with_error_page(handler))


def _with_error_page(handler: Any) -> Handler:
    async def respond(request: Request, fault: Any) -> Response:
        response: Response = await handler(request, fault)
        if not wants_page(request) or response.media_type != "application/json":
            return response
        sentence = orjson.loads(response.body).get("error", "")
        if response.status_code == 404 and "openapi" in sentence:  # a sentence for programs
            sentence = gettext("There is no page at this address.")
        return render_page(request, "refused.html", status=response.status_code, sentence=sentence)

    return respond
