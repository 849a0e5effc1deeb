"""What people do in the office: a page for each deed, which says what will happen before anybody signs.

A form has a hidden id, made when it was drawn, which is the command's id: sent twice, it is done once. What is refused
changes nothing; the form comes back as it was typed. Every field is read by itself first, so that all that cannot be
read is told at once, each beside its own field; what the floor then says stands beside the field that the deed names
for such a refusal, or else above the whole.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import quote

from fastapi import Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from cardroom.errors import BadInput
from cardroom.floor.desks.signatures import Part, Signature, ToSign, foresee_act
from cardroom.floor.people.permissions import PERMISSIONS, MayNot, Right, listed
from cardroom.floor.people.signing import SignInFailed
from cardroom.jackpots.people import SamePerson, named, two_people
from cardroom.ledger import CommandIdReused
from cardroom.web.doors.callers import address_of_caller
from cardroom.web.pages.drawing import HEADERS
from cardroom.web.pages.forms import typed_in
from cardroom.web.pages.office.frame import CannotNow, office_page, office_part
from cardroom.web.pages.visitors import house_of
from cardroom.web.rights.caller import person_of, right_of

Typed = Mapping[str, str]
SECOND = "second"
PASSWORD = "second-password"  # noqa: S105 (the name of a field)
"""Of the second person; it never comes back in a form."""
WATCHER = "surveillance"
WATCHERS_PASSWORD = "surveillance-password"  # noqa: S105
"""The same, of somebody of the surveillance."""
STANDS = "stands"
"""The hidden field with what stood there when the form was drawn."""
FORESEEN = "foreseen"
"""In the address of a form that asks what would happen, and does nothing."""
TO_SIGN = "to-sign"
"""In the address of a form that asks what the second person would sign, and does nothing."""


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
    reads: Callable[[str], object] | None = None
    """Understands what was typed there, or refuses it."""


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
    alone: str = ""
    """Why one person does it alone, where as things stand nobody could be the second."""
    alone_below: str = ""
    """Until where one person does it alone, in words: the second one may then be left out, and the floor refuses what
    is above."""
    watched: bool = False
    """Whether somebody of the surveillance checks it and signs too; is the second person where no other has to be."""
    answered: str = ""
    """What two people always answer for, where they do; such as "an adjustment"."""
    stands: str = ""
    """What the form starts from: where it has changed since, the deed would do something else than the page said."""
    not_now: str = ""
    """Why it cannot be done as things stand; then there is no form."""
    about: tuple[tuple[type[BadInput], str], ...] = ()
    """Refusals of the floor that are always about one field; the first that fits."""
    blamed: Callable[[Typed, BadInput], Mapping[str, str]] | None = None
    """The fields that a refusal of the floor is about, with its sentences, where that hangs on what was typed."""
    chains: tuple[str, ...] = ()
    """Where it happens, for the pages that are open."""
    felt: str = ""
    """The felt that is to be looked at again."""
    after: str = ""
    """Where to go when it is done; back, unless it is said."""
    danger: bool = False
    foresee: Callable[[Typed], tuple[str, ...]] | None = None
    """What would happen with what is typed, in sentences, where that hangs on it."""
    shows: Callable[[Request, Any, str], Response] | None = None
    """The page that answers the form itself, given what was done and its id: where something is shown once, which no
    address may show again."""


def second_of(typed: Typed) -> str | None:
    """The second person, where one was named."""
    return typed.get(SECOND, "").strip() or None


def show_deed(request: Request, deed: Deed) -> Response:
    """The form; or why there is none."""
    if deed.not_now:
        raise CannotNow(deed.not_now, deed.back)
    return _form(request, deed, {}, uuid.uuid4().hex)


async def do_deed(request: Request, deed: Deed) -> Response:
    """Do it, and go where it is to be seen; or say why not."""
    house, who = house_of(request), person_of(request).login
    typed: Typed = await typed_in(request)
    if FORESEEN in request.query_params:
        return HTMLResponse(
            office_part("office/happens.html", deed=deed, foreseen=_foreseen(deed, typed)), headers=HEADERS
        )
    if TO_SIGN in request.query_params:
        act = await house.clerks.look(_act, request, deed, typed)
        return HTMLResponse(office_part("office/to_sign.html", act=act), headers=HEADERS)
    id, typed = typed.get("id") or uuid.uuid4().hex, _only_signed(request, deed, typed)
    if deed.not_now and not await house.clerks.look(house.floor.carried, who, id):
        raise CannotNow(f"{deed.not_now} Nothing was done now.", deed.back)
    if told := _unread(request, deed, typed):
        return _form(request, deed, typed, id, told)
    if typed.get(STANDS, deed.stands) != deed.stands and not await house.clerks.look(house.floor.carried, who, id):
        return _form(request, deed, {}, uuid.uuid4().hex, {"": _MOVED_ON})
    try:
        done = await house.signed(partial(deed.do, id, who, typed), partial(_sign, request, typed))
    except CommandIdReused as fault:
        return _form(request, deed, typed, uuid.uuid4().hex, {"": str(fault)})  # pressed again, it is another deed
    except _NotSigned as refused:
        return _form(request, deed, typed, id, {refused.field: str(refused)})
    except BadInput as fault:
        told = _beside(deed, typed, fault)
        if SECOND in told and not is_signed_twice(request, deed):
            told = {"": told[SECOND]}
        return _form(request, deed, typed, id, told)
    house.watch.tell(*deed.chains)
    if deed.felt:
        house.watch.ring(deed.felt)
    if deed.shows is not None:
        # Not at an address of its own: loaded again, it asks for the deed again, which was done, and shows nothing.
        return deed.shows(request, done, id)
    return RedirectResponse(done_at(deed.after or deed.back, id), 303)


class _NotSigned(BadInput):
    """Somebody who has to sign a deed, and has not."""

    def __init__(self, field: str, fault: BadInput) -> None:
        super().__init__(str(fault))
        self.field = field


def is_signed_twice(request: Request, deed: Deed) -> bool:
    """Whether a second person signs in for a deed: where the floor's rules or the right ask for two people."""
    if deed.alone:
        return False
    two = bool(deed.answered) or PERMISSIONS[right_of(request)].two
    return deed.two or (two and not deed.watched)


def _signs(request: Request, deed: Deed, typed: Typed) -> Iterator[tuple[str, str, Right]]:
    """Who has to sign beside whoever is signed in: the fields of login and password, and the right that it takes."""
    if is_signed_twice(request, deed) and not (deed.alone_below and not second_of(typed)):
        yield SECOND, PASSWORD, right_of(request)
    if deed.watched:
        yield WATCHER, WATCHERS_PASSWORD, Right.CHECK_JACKPOTS


def _only_signed(request: Request, deed: Deed, typed: Typed) -> Typed:
    """What was typed, without names of people who are not asked to sign: nobody answers for what others typed."""
    signs = {login for login, _, _ in _signs(request, deed, typed)}
    return {name: text for name, text in typed.items() if name in signs or name not in (SECOND, WATCHER)}


async def _sign(request: Request, typed: Typed, to_sign: ToSign) -> Signature:
    """Another person signs what the form would do, with the password that stands in it."""
    if to_sign.part is Part.SURVEILLANCE:
        field, password, right = WATCHER, WATCHERS_PASSWORD, Right.CHECK_JACKPOTS
    else:
        field, password, right = SECOND, PASSWORD, right_of(request)
    try:
        return await house_of(request).signs(
            to_sign, typed.get(password, ""), right=right, address=address_of_caller(request)
        )
    except (SignInFailed, MayNot, SamePerson) as fault:
        raise _NotSigned(field, fault) from None


def done_at(address: str, id: str) -> str:
    """Where a deed that was done is to be seen.

    >>> done_at("/office/jackpots/prime#history", "0f")
    '/office/jackpots/prime?done=0f#history'
    """
    to, _, place = address.partition("#")
    return f"{to}{'&' if '?' in to else '?'}done={quote(id)}{'#' + place if place else ''}"


_MOVED_ON = (
    "Somebody has changed this since your page was drawn: nothing was done now. Below it stands as it is; look at it, "
    "and do again what is still right."
)


def why_not(foreseen: Callable[[], object]) -> str:
    """What the floor's own rules have against a deed, asked before anybody has signed."""
    try:
        foreseen()
    except BadInput as fault:
        return str(fault)
    return ""


def reason(typed: str) -> str:
    """A reason, which has to be given."""
    return named(typed, "reason")


def _unread(request: Request, deed: Deed, typed: Typed) -> dict[str, str]:
    """Every field that cannot be read, with the sentence for it."""
    told = _unread_fields(deed, typed)
    for login, password, _ in _signs(request, deed, typed):
        who, act = person_of(request).login, deed.answered or deed.title
        if sentence := why_not(partial(two_people, who, typed.get(login, ""), act)):
            told[login] = sentence
        elif not typed.get(password):
            told[login] = f"Two people answer for this: {typed[login].strip()} signs in with the password."
    return told


def _unread_fields(deed: Deed, typed: Typed) -> dict[str, str]:
    reading = {one.name: partial(one.reads, typed.get(one.name, one.value).strip()) for one in deed.fields if one.reads}
    return {name: sentence for name, read in reading.items() if (sentence := why_not(read))}


def _beside(deed: Deed, typed: Typed, fault: BadInput) -> dict[str, str]:
    """What the floor refuses, beside the field that it is about; above the whole where it is about no single one."""
    if isinstance(fault, SamePerson):
        return {WATCHER if deed.watched and str(fault).startswith("The surveillance") else SECOND: str(fault)}
    if deed.blamed is not None and (told := deed.blamed(typed, fault)):
        return dict(told)
    return {next((name for kind, name in deed.about if isinstance(fault, kind)), ""): str(fault)}


def _foreseen(deed: Deed, typed: Typed) -> tuple[str, ...]:
    """What would happen; a refusal is told as it would be."""
    try:
        return deed.foresee(typed) if deed.foresee else ()
    except BadInput as fault:
        return (f"It would be refused: {fault}",)


def _act(request: Request, deed: Deed, typed: Typed) -> str:
    """What other people sign with what is typed, in a sentence; empty while the form cannot be read."""
    if not (is_signed_twice(request, deed) or deed.watched) or _unread_fields(deed, typed):
        return ""
    # Whoever is to sign may not have typed the login yet; the sentence does not depend on it.
    signers = (SECOND, WATCHER) if deed.watched else (SECOND,)
    named_all = {**typed, **{name: typed.get(name, "").strip() or "the second person" for name in signers}}
    return foresee_act(partial(deed.do, typed.get("id") or "foreseen", person_of(request).login, named_all))


def _form(request: Request, deed: Deed, typed: Typed, id: str, told: Mapping[str, str] | None = None) -> Response:
    values = typed or {field.name: field.value for field in deed.fields}
    shown: dict[str, Any] = {"deed": deed, "typed": values, "id": id, "told": told or {}}
    beside = PERMISSIONS[right_of(request)].beside
    shown |= {"two": is_signed_twice(request, deed), "beside": listed(beside) if beside else ""}
    shown |= {"act": _act(request, deed, values), "to_sign_at": f"{request.url.path}?{TO_SIGN}"}
    shown |= {"foreseen": _foreseen(deed, values), "foreseen_at": f"{request.url.path}?{FORESEEN}"}
    return office_page(request, "office/deed.html", status=422 if told else 200, **shown)
