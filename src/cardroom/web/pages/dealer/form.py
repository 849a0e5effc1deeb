"""What a form of the console says.

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

from cardroom.faults import BadInput, quoted

LONGEST: Final = 20_000
"""Characters that a form may have."""
_MOST_FIELDS: Final = 600
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
            raise BadForm(f"{quoted(id)} is no form of this page: open the page again.")
        return id

    def text(self, name: str) -> str:
        """A field, without blanks around it; empty where it is left out."""
        return next(iter(self.fields.get(name, ())), "").strip()

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
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise BadForm(f"{quoted(text)} is no number for {name}.")
    return int(text)


def read_form(body: str) -> Form:
    """A form as browsers send it."""
    if len(body) > LONGEST:
        raise BadForm(f"The form is too long: at most {LONGEST:,} characters.")
    try:
        return Form(parse_qs(body, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError as fault:
        raise BadForm("The form cannot be read: open the page again.") from fault


async def form_of(request: Request) -> Form:
    """The form that was sent."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > 4 * LONGEST:
            break
    return read_form(body.decode("utf-8", "replace"))
