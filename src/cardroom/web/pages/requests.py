"""The visitor of a page (a signed-in player, a guest with a cookie, or neither), and the forms of the pages.

>>> form = parse_form("id=0f&seat=2&positions=1&positions=4&covered-1=2&covered-3=1&covered-3=4&why=+jammed+")
>>> form.text("why"), form.number("seat"), form.numbers("positions"), form.by_number("covered")
('jammed', 2, (1, 4), {1: (2,), 3: (1, 4)})
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import parse_qs

from fastapi import Request
from starlette.requests import HTTPConnection

from cardroom.errors import BadInput, quote
from cardroom.translation import gettext
from cardroom.web.api.refusals import ForgedForm
from cardroom.web.api.requests import PLAYER_COOKIE
from cardroom.web.middleware.permissions import get_caller
from cardroom.web.middleware.rejections import log_rejection
from cardroom.web.services.app_context import AppContext


def get_app_context(connection: HTTPConnection) -> AppContext:
    """The services of the server that answers the request."""
    context: AppContext = connection.app.state.context
    return context


def get_player(connection: HTTPConnection) -> str | None:
    """The signed-in player, or the guest of the cookie. An expired cookie counts as none: the next seat sets another.
    A locked device is locked for its guest too."""
    caller = get_caller(connection)
    if caller.player is not None or caller.sign_in_step is not None:
        return caller.player
    token = connection.cookies.get(PLAYER_COOKIE)
    return get_app_context(connection).tokens.holder(token) if token else None


def is_same_origin(connection: HTTPConnection) -> bool:
    """Whether the browser says that one of this server's own pages sent the request."""
    origin = connection.headers.get("origin", "")
    return origin.partition("://")[2] == connection.headers.get("host", "") != ""


def signed_in_player(request: Request) -> str | None:
    """The same as ``get_player``, and recorded for the log and as present."""
    player = get_player(request)
    request.state.player = player
    get_app_context(request).presence.record(player)
    return player


FORM_STATE: Final = "form"
"""The field with the token that every form of a signed-in user has."""
_MAX_FIELDS: Final = 600
_MAX_DIGITS: Final = 6
_ID: Final = re.compile(r"[0-9a-f]{32}")


class BadForm(BadInput):
    """A form that no page of this server sends."""


class SubmittedForm(NamedTuple):
    """The fields of a form, each with all its values."""

    fields: Mapping[str, Sequence[str]]

    @property
    def id(self) -> str:
        """The command id: the command runs once, however often the form is sent."""
        id = self.text("id")
        if not _ID.fullmatch(id):
            raise BadForm(
                gettext("{id} is not a form of this page. Reload the page and try again.").format(id=quote(id))
            )
        return id

    @property
    def values(self) -> dict[str, str]:
        """Each field with its last value."""
        return {name: texts[-1] for name, texts in self.fields.items()}

    def text(self, name: str) -> str:
        """A field without blanks around it; empty if it is missing."""
        return next(iter(self.fields.get(name, ())), "").strip()

    def exact_text(self, name: str) -> str:
        """A field exactly as it was typed, for passwords."""
        return next(iter(self.fields.get(name, ())), "")

    def number(self, name: str) -> int:
        return _parse_number(name, self.text(name))

    def numbers(self, name: str) -> tuple[int, ...]:
        """The boxes that are checked."""
        return tuple(_parse_number(name, text) for text in self.fields.get(name, ()))

    def by_number(self, name: str) -> dict[int, tuple[int, ...]]:
        """Fields whose name ends in a number: the boxes that are checked for each."""
        prefix = f"{name}-"
        numbered = [(key.removeprefix(prefix), key) for key in self.fields if key.startswith(prefix)]
        return {_parse_number(name, number): self.numbers(key) for number, key in numbered}

    def with_prefix(self, name: str) -> dict[str, str]:
        """Fields whose names begin with the same prefix."""
        prefix = f"{name}-"
        return {key.removeprefix(prefix): self.text(key) for key in self.fields if key.startswith(prefix)}


def _parse_number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise BadForm(f"{quote(text)} is not a number: enter a whole number for {name}.")
    if len(text) > _MAX_DIGITS:
        raise BadForm(f"{quote(text)} is too large for {name}: enter {10**_MAX_DIGITS - 1:,} at most.")
    return int(text)


def parse_form(body: str) -> SubmittedForm:
    """Read a form as browsers send it."""
    try:
        return SubmittedForm(parse_qs(body, keep_blank_values=True, max_num_fields=_MAX_FIELDS))
    except ValueError:
        raise BadForm(gettext("The form cannot be read. Reload the page and try again.")) from None


def refuse_forged(request: Request, form: SubmittedForm) -> None:
    """Refuse a form that does not come from a page of this server. A signed-in user's form carries a token."""
    session = get_caller(request).session
    sessions = get_app_context(request).sessions
    if is_same_origin(request) and (session is None or sessions.is_form_token(session, form.text(FORM_STATE))):
        return
    log_rejection(request, "a forged form")
    raise ForgedForm(
        gettext("This form did not come from a page of the card room. Nothing was changed. Reload the page.")
    )


async def load_form(request: Request) -> SubmittedForm:
    """The form of the request, read once. The middleware limits its length."""
    parsed: SubmittedForm | None = getattr(request.state, FORM_STATE, None)
    if parsed is not None:
        return parsed
    try:
        form = parse_form((await request.body()).decode())
    except UnicodeDecodeError:
        raise BadForm(gettext("The form is not UTF-8. Reload the page and try again.")) from None
    refuse_forged(request, form)
    request.state.form = form
    return form


async def load_form_values(request: Request) -> dict[str, str]:
    """The form of the request, where every field has one value."""
    return (await load_form(request)).values
