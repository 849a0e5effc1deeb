"""Who looks at a page: a player, told by the cookie that came with the first seat, or somebody who walks by.

What a form of a page says: read in one place, with one limit.

>>> said = parse_form("id=0f&seat=2&positions=1&positions=4&covered-1=2&covered-3=1&covered-3=4&why=+jammed+")
>>> said.text("why"), said.number("seat"), said.numbers("positions"), said.by_number("covered")
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
from cardroom.web.api.refusals import ForgedForm
from cardroom.web.api.requests import PLAYER_COOKIE
from cardroom.web.middleware.permissions import get_caller
from cardroom.web.middleware.rejections import log_rejection
from cardroom.web.services.app_context import AppContext


def get_app_context(connection: HTTPConnection) -> AppContext:
    """The house that is visited."""
    context: AppContext = connection.app.state.context
    return context


def get_player(connection: HTTPConnection) -> str | None:
    """The player who is signed in, or the guest whose cookie it is. An old one is as good as none: the next seat brings
    another. A device that is locked is locked for its guest too."""
    caller = get_caller(connection)
    if caller.player is not None or caller.sign_in_step is not None:
        return caller.player
    token = connection.cookies.get(PLAYER_COOKIE)
    return get_app_context(connection).tokens.holder(token) if token else None


def is_same_origin(connection: HTTPConnection) -> bool:
    """Whether a browser says that it was one of our own pages that asked."""
    origin = connection.headers.get("origin", "")
    return origin.partition("://")[2] == connection.headers.get("host", "") != ""


def signed_in_player(request: Request) -> str | None:
    """The same as ``visitor``, and noted for the log."""
    player = get_player(request)
    request.state.player = player
    get_app_context(request).presence.record(player)
    return player


FORM_STATE: Final = "form"
"""The field that every form of somebody who is signed in has."""
_MAX_FIELDS: Final = 600
_MAX_DIGITS: Final = 6
_ID: Final = re.compile(r"[0-9a-f]{32}")


class BadForm(BadInput):
    """A form that no page of ours has sent."""


class SubmittedForm(NamedTuple):
    """The fields of a form, each with everything that it says."""

    fields: Mapping[str, Sequence[str]]

    @property
    def id(self) -> str:
        """The id under which the deed is done, once, however often the form is sent."""
        id = self.text("id")
        if not _ID.fullmatch(id):
            raise BadForm(f"{quote(id)} is no form of this page: open the page again.")
        return id

    @property
    def values(self) -> dict[str, str]:
        """Each field with the last that it says."""
        return {name: texts[-1] for name, texts in self.fields.items()}

    def text(self, name: str) -> str:
        """A field, without blanks around it; empty where it is left out."""
        return next(iter(self.fields.get(name, ())), "").strip()

    def exact_text(self, name: str) -> str:
        """A field exactly as it was typed: a password."""
        return next(iter(self.fields.get(name, ())), "")

    def number(self, name: str) -> int:
        return _parse_number(name, self.text(name))

    def numbers(self, name: str) -> tuple[int, ...]:
        """What is ticked."""
        return tuple(_parse_number(name, text) for text in self.fields.get(name, ()))

    def by_number(self, name: str) -> dict[int, tuple[int, ...]]:
        """Fields of one name with a number behind it: what is ticked at each."""
        prefix = f"{name}-"
        numbered = [(key.removeprefix(prefix), key) for key in self.fields if key.startswith(prefix)]
        return {_parse_number(name, number): self.numbers(key) for number, key in numbered}

    def with_prefix(self, name: str) -> dict[str, str]:
        """Fields of one name with something behind it."""
        prefix = f"{name}-"
        return {key.removeprefix(prefix): self.text(key) for key in self.fields if key.startswith(prefix)}


def _parse_number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise BadForm(f"{quote(text)} is no number for {name}.")
    if len(text) > _MAX_DIGITS:
        raise BadForm(f"{quote(text)} is too many for {name}: write {10**_MAX_DIGITS - 1:,} at most.")
    return int(text)


def parse_form(body: str) -> SubmittedForm:
    """A form as browsers send it."""
    try:
        return SubmittedForm(parse_qs(body, keep_blank_values=True, max_num_fields=_MAX_FIELDS))
    except ValueError:
        raise BadForm("The form cannot be read: open the page again.") from None


def refuse_forged(request: Request, form: SubmittedForm) -> None:
    """A form comes from one of our own pages; one of somebody who is signed in carries what only that page can know."""
    session = get_caller(request).session
    sessions = get_app_context(request).sessions
    if is_same_origin(request) and (session is None or sessions.is_form_token(session, form.text(FORM_STATE))):
        return
    log_rejection(request, "a forged form")
    raise ForgedForm("This came from another page than the card room's own: nothing was changed. Open the page anew.")


async def load_form(request: Request) -> SubmittedForm:
    """The form that was sent, read once. How long it may be, the doorkeeper says."""
    parsed: SubmittedForm | None = getattr(request.state, FORM_STATE, None)
    if parsed is not None:
        return parsed
    try:
        form = parse_form((await request.body()).decode())
    except UnicodeDecodeError:
        raise BadForm("The form is not UTF-8: open the page again.") from None
    refuse_forged(request, form)
    request.state.form = form
    return form


async def load_form_values(request: Request) -> dict[str, str]:
    """The same, where every field says one thing."""
    return (await load_form(request)).values
