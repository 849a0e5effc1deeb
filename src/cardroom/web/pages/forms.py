"""What a form of a page says: read in one place, with one limit.

>>> said = read_form("id=0f&seat=2&positions=1&positions=4&covered-1=2&covered-3=1&covered-3=4&why=+jammed+")
>>> said.text("why"), said.number("seat"), said.numbers("positions"), said.by_number("covered")
('jammed', 2, (1, 4), {1: (2,), 3: (1, 4)})
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import parse_qs

from fastapi import Request

from cardroom.errors import BadInput, quote
from cardroom.web.api.refusals import ForgedForm
from cardroom.web.doors.refusing import refused_at_the_door
from cardroom.web.pages.visitors import house_of, is_from_here
from cardroom.web.rights.caller import caller_of

FORM: Final = "form"
"""The field that every form of somebody who is signed in has."""
_MOST_FIELDS: Final = 600
_MOST_DIGITS: Final = 6
_ID: Final = re.compile(r"[0-9a-f]{32}")


class BadForm(BadInput):
    """A form that no page of ours has sent."""


class Form(NamedTuple):
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
    def said(self) -> dict[str, str]:
        """Each field with the last that it says."""
        return {name: texts[-1] for name, texts in self.fields.items()}

    def text(self, name: str) -> str:
        """A field, without blanks around it; empty where it is left out."""
        return next(iter(self.fields.get(name, ())), "").strip()

    def exact(self, name: str) -> str:
        """A field exactly as it was typed: a password."""
        return next(iter(self.fields.get(name, ())), "")

    def number(self, name: str) -> int:
        return _number(name, self.text(name))

    def numbers(self, name: str) -> tuple[int, ...]:
        """What is ticked."""
        return tuple(_number(name, one) for one in self.fields.get(name, ()))

    def by_number(self, name: str) -> dict[int, tuple[int, ...]]:
        """Fields of one name with a number behind it: what is ticked at each."""
        begun = f"{name}-"
        numbered = [(one.removeprefix(begun), one) for one in self.fields if one.startswith(begun)]
        return {_number(name, number): self.numbers(one) for number, one in numbered}

    def beginning(self, name: str) -> dict[str, str]:
        """Fields of one name with something behind it."""
        begun = f"{name}-"
        return {one.removeprefix(begun): self.text(one) for one in self.fields if one.startswith(begun)}


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise BadForm(f"{quote(text)} is no number for {name}.")
    if len(text) > _MOST_DIGITS:
        raise BadForm(f"{quote(text)} is too many for {name}: write {10**_MOST_DIGITS - 1:,} at most.")
    return int(text)


def read_form(body: str) -> Form:
    """A form as browsers send it."""
    try:
        return Form(parse_qs(body, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError:
        raise BadForm("The form cannot be read: open the page again.") from None


def refuse_forged(request: Request, form: Form) -> None:
    """A form comes from one of our own pages; one of somebody who is signed in carries what only that page can know."""
    session = caller_of(request).session
    sessions = house_of(request).sessions
    if is_from_here(request) and (session is None or sessions.is_form_token(session, form.text(FORM))):
        return
    refused_at_the_door(request, "a forged form")
    raise ForgedForm("This came from another page than the card room's own: nothing was changed. Open the page anew.")


async def form_of(request: Request) -> Form:
    """The form that was sent, read once. How long it may be, the doorkeeper says."""
    read: Form | None = getattr(request.state, FORM, None)
    if read is not None:
        return read
    try:
        form = read_form((await request.body()).decode())
    except UnicodeDecodeError:
        raise BadForm("The form is not UTF-8: open the page again.") from None
    refuse_forged(request, form)
    request.state.form = form
    return form


async def typed_in(request: Request) -> dict[str, str]:
    """The same, where every field says one thing."""
    return (await form_of(request)).said
