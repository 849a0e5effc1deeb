"""What people do in the office: a page for each deed, which says what will happen before anybody signs.

A form has a hidden id, made when it was drawn, which is the command's id: sent twice, it is done once. What is refused
changes nothing; the form comes back as it was typed, with the floor's sentence beside what caused it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from fastapi import Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from cardroom.faults import BadInput, quoted
from cardroom.jackpots.people import NobodyNamed, SamePerson
from cardroom.ledger import DifferentCommand
from cardroom.web.pages.drawing import HEADERS
from cardroom.web.pages.forms import typed_in
from cardroom.web.pages.office.frame import office_page, office_part
from cardroom.web.pages.visitors import house_of

Typed = Mapping[str, str]
WHO = "who"
SECOND = "second"
FORESEEN = "foreseen"
"""In the address of a form that asks what would happen, and does nothing."""


class Field(NamedTuple):
    """Something to fill in."""

    name: str
    label: str
    hint: str = ""
    value: str = ""
    """What stands there before anybody types."""
    options: tuple[tuple[str, str], ...] = ()
    """Where one chooses: values, and what they are called."""
    kind: str = "text"


class Deed(NamedTuple):
    """Something that somebody may do, and what will happen then."""

    title: str
    happens: tuple[str, ...]
    button: str
    back: str
    """The page that it is about."""
    do: Callable[[str, str, Typed], object]
    """Given the id, the name of who does it, and what was typed."""
    fields: tuple[Field, ...] = ()
    two: bool = False
    """Whether a second person answers for it too."""
    chains: tuple[str, ...] = ()
    """Where it happens, for the pages that are open."""
    felt: str = ""
    """The felt that is to be looked at again."""
    after: str = ""
    """Where to go when it is done; back, unless it is said."""
    danger: bool = False
    foresee: Callable[[Typed], tuple[str, ...]] | None = None
    """What would happen with what is typed, in sentences, where that hangs on it."""


def second_of(typed: Typed) -> str | None:
    """The second person, where one was named."""
    return typed.get(SECOND) or None


def show_deed(request: Request, deed: Deed) -> Response:
    """The form."""
    values = {field.name: field.value for field in deed.fields}
    return _form(request, deed, values, uuid.uuid4().hex)


async def do_deed(request: Request, deed: Deed) -> Response:
    """Do it, and go where it is to be seen; or say why not."""
    typed, house = await typed_in(request), house_of(request)
    if FORESEEN in request.query_params:
        return HTMLResponse(
            office_part("office/happens.html", deed=deed, foreseen=_foreseen(deed, typed)), headers=HEADERS
        )
    id = typed.get("id") or uuid.uuid4().hex
    try:
        await house.clerks.do(deed.do, id, typed.get(WHO, ""), typed)
    except DifferentCommand as fault:
        return _form(request, deed, typed, uuid.uuid4().hex, str(fault))  # pressed again, it is another deed
    except BadInput as fault:
        return _form(request, deed, typed, id, str(fault), _beside(deed, typed, fault))
    house.watch.tell(*deed.chains)
    if deed.felt:
        house.watch.ring(deed.felt)
    to, _, place = (deed.after or deed.back).partition("#")
    asked = f"{'&' if '?' in to else '?'}done={quote(id)}"
    return RedirectResponse(f"{to}{asked}{'#' + place if place else ''}", 303)


def _beside(deed: Deed, typed: Typed, fault: BadInput) -> str:
    """The field that a refusal is about: the one that it names, or whose words it begins with."""
    sentence, names = str(fault), [field.name for field in deed.fields]
    if isinstance(fault, SamePerson) and deed.two:
        return SECOND
    if isinstance(fault, NobodyNamed):
        missing = {one: f"The {said} is missing" for said, one in _MISSING.items() if one in (WHO, SECOND, *names)}
        return next((one for one, beginning in missing.items() if sentence.startswith(beginning)), "")
    for name in names:
        said = typed.get(name, "").strip()
        if sentence.startswith(quoted(name)) or (said and sentence.startswith(quoted(said))):
            return name
    return ""


_MISSING: Final = {"reason": "why", "name": WHO, "reference": "reference", "report's number": "number"}
"""How the floor calls what is missing, and the fields for it."""


def _foreseen(deed: Deed, typed: Typed) -> tuple[str, ...]:
    """What would happen; a refusal is told as it would be."""
    try:
        return deed.foresee(typed) if deed.foresee else ()
    except BadInput as fault:
        return (f"It would be refused: {fault}",)


def _form(request: Request, deed: Deed, typed: Typed, id: str, sentence: str = "", beside: str = "") -> Response:
    shown: dict[str, Any] = {"deed": deed, "typed": typed, "id": id, "sentence": sentence, "beside": beside}
    shown |= {"foreseen": _foreseen(deed, typed), "foreseen_at": f"{request.url.path}?{FORESEEN}"}
    return office_page(request, "office/deed.html", status=422 if sentence else 200, **shown)
