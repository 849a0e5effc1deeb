"""Fields of a set-up that is filled in: read one by one, and every fault noted beside its field.

What people do in the office: a page for each deed, which says what will happen before anybody signs.

A form has a hidden id, made when it was drawn, which is the command's id: sent twice, it is done once. What is refused
changes nothing; the form comes back as it was typed. Every field is read by itself first, so that all that cannot be
read is told at once, each beside its own field; what the floor then says stands beside the field that the deed names
for such a refusal, or else above the whole.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import quote as quote_url

from fastapi import Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from cardroom.errors import BadInput, quote
from cardroom.games import SetupFault
from cardroom.games.money import parse_dollars
from cardroom.ledger import CommandIdReused
from cardroom.room.dual_control import SamePerson, require_text, require_two_people
from cardroom.room.user.permissions import PERMISSIONS, Permission, PermissionDenied, join_roles
from cardroom.room.user.sign_in import SignInFailed
from cardroom.service.commands.signatures import Signature, SignaturePart, SignatureRequest, preview_command
from cardroom.web.middleware.permissions import get_permission, require_session
from cardroom.web.middleware.rejections import client_address
from cardroom.web.pages.office.frame import Unavailable, render_office_page, render_office_part
from cardroom.web.pages.requests import get_app_context, load_form_values
from cardroom.web.pages.templating import HEADERS

T = TypeVar("T")
FormValues = Mapping[str, str]
Faults = Mapping[str, tuple[SetupFault, ...]]
"""By field."""
_MAX_DIGITS: Final = 6


class FormReader:
    """What was typed, and what is against it."""

    def __init__(self, values: FormValues) -> None:
        self.values, self.faults = values, list[SetupFault]()

    def text(self, name: str) -> str:
        return self.values.get(name, "").strip()

    def read(self, name: str, understand: Callable[[str], T], usual: T, field: str = "") -> T:
        """What a field means; the usual where it cannot be read, so that nothing else is blamed for it."""
        try:
            return understand(self.text(name))
        except BadInput as fault:
            self.faults.append(SetupFault(field or name, str(fault), "set-up"))
            return usual

    def check(self, name: str, check: Callable[[], object]) -> bool:
        """Whether a check has nothing against a field; what it has is noted beside it."""
        try:
            check()
        except BadInput as fault:
            self.faults.append(SetupFault(name, str(fault), "set-up"))
            return False
        return True

    def amount(self, name: str, usual: int, field: str = "") -> int:
        return self.read(name, parse_dollars, usual, field)

    def number(self, name: str, usual: int) -> int:
        def understand(text: str) -> int:
            if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS:
                return int(text)
            if text.isascii() and text.isdigit():
                raise BadInput(f"{quote(text)} is too many: write {10**_MAX_DIGITS - 1:,} at most.")
            raise BadInput(f"{quote(text)} is no whole number: write one such as {usual}.")

        return self.read(name, understand, usual)

    def with_prefix(self, name: str) -> dict[str, str]:
        """Fields that begin so and say something, by what follows."""
        fields = {key.removeprefix(name): text.strip() for key, text in self.values.items() if key.startswith(name)}
        return {key: text for key, text in fields.items() if text}


def faults_by_field(faults: Iterable[SetupFault]) -> dict[str, tuple[SetupFault, ...]]:
    """Each fault beside what it is about; one that is told twice is told once."""
    places: dict[str, tuple[SetupFault, ...]] = {}
    for fault in faults:
        if fault not in (previous := places.get(fault.section, ())):
            places[fault.section] = (*previous, fault)
    return places


SECOND = "second"
PASSWORD = "second-password"  # noqa: S105 (the name of a field)
"""Of the second person; it never comes back in a form."""
SURVEILLANCE = "surveillance"
SURVEILLANCE_PASSWORD = "surveillance-password"  # noqa: S105
"""The same, of somebody of the surveillance."""
STARTING_STATE = "stands"
"""The hidden field with what stood there when the form was drawn."""
PREVIEW = "foreseen"
"""In the address of a form that asks what would happen, and does nothing."""
TO_SIGN = "to-sign"
"""In the address of a form that asks what the second person would sign, and does nothing."""


class FormField(NamedTuple):
    """Something to fill in."""

    name: str
    label: str
    hint: str = ""
    value: str = ""
    """What stands there before anybody types."""
    options: tuple[tuple[str, str], ...] = ()
    """Where one chooses: values, and what they are called."""
    kind: str = "text"
    parse: Callable[[str], object] | None = None
    """Understands what was typed there, or refuses it."""


class OfficeAction(NamedTuple):
    """Something that somebody may do, and what will happen then."""

    title: str
    consequences: tuple[str, ...]
    button: str
    back: str
    """The page that it is about."""
    do: Callable[[str, str, FormValues], object]
    """Given the id, the name of who does it, and what was typed."""
    fields: tuple[FormField, ...] = ()
    needs_second_person: bool = False
    """Whether a second person answers for it too."""
    solo_reason: str = ""
    """Why one person does it alone, where as things stand nobody could be the second."""
    solo_limit: str = ""
    """Until where one person does it alone, in words: the second one may then be left out, and the floor refuses what
    is above."""
    needs_surveillance: bool = False
    """Whether somebody of the surveillance checks it and signs too; is the second person where no other has to be."""
    dual_control_subject: str = ""
    """What two people always answer for, where they do; such as "an adjustment"."""
    starting_state: str = ""
    """What the form starts from: where it has changed since, the deed would do something else than the page said."""
    unavailable_reason: str = ""
    """Why it cannot be done as things stand; then there is no form."""
    refusal_fields: tuple[tuple[type[BadInput], str], ...] = ()
    """Refusals of the floor that are always about one field; the first that fits."""
    fields_at_fault: Callable[[FormValues, BadInput], Mapping[str, str]] | None = None
    """The fields that a refusal of the floor is about, with its sentences, where that hangs on what was typed."""
    chains: tuple[str, ...] = ()
    """Where it happens, for the pages that are open."""
    table: str = ""
    """The felt that is to be looked at again."""
    next_page: str = ""
    """Where to go when it is done; back, unless it is said."""
    danger: bool = False
    preview: Callable[[FormValues], tuple[str, ...]] | None = None
    """What would happen with what is typed, in sentences, where that hangs on it."""
    render_result: Callable[[Request, Any, str], Response] | None = None
    """The page that answers the form itself, given what was done and its id: where something is shown once, which no
    address may show again."""


def second_person(values: FormValues) -> str | None:
    """The second person, where one was named."""
    return values.get(SECOND, "").strip() or None


def show_action(request: Request, action: OfficeAction) -> Response:
    """The form; or why there is none."""
    if action.unavailable_reason:
        raise Unavailable(action.unavailable_reason, action.back)
    return _render_action(request, action, {}, uuid.uuid4().hex)


async def perform_action(request: Request, action: OfficeAction) -> Response:
    """Do it, and go where it is to be seen; or say why not."""
    context, user = get_app_context(request), require_session(request).login
    values: FormValues = await load_form_values(request)
    if PREVIEW in request.query_params:
        return HTMLResponse(
            render_office_part("office/happens.html", deed=action, foreseen=_preview_sentences(action, values)),
            headers=HEADERS,
        )
    if TO_SIGN in request.query_params:
        act = await context.executors.query(_signature_text, request, action, values)
        return HTMLResponse(render_office_part("office/to_sign.html", act=act), headers=HEADERS)
    id, values = values.get("id") or uuid.uuid4().hex, _without_unsigned_names(request, action, values)
    if action.unavailable_reason and not await context.executors.query(context.floor.find_command_result, user, id):
        raise Unavailable(f"{action.unavailable_reason} Nothing was done now.", action.back)
    if faults := _field_faults(request, action, values):
        return _render_action(request, action, values, id, faults)
    if values.get(STARTING_STATE, action.starting_state) != action.starting_state and not await context.executors.query(
        context.floor.find_command_result, user, id
    ):
        return _render_action(request, action, {}, uuid.uuid4().hex, {"": _STATE_CHANGED})
    try:
        outcome = await context.execute_with_signatures(
            partial(action.do, id, user, values), partial(_sign, request, values)
        )
    except CommandIdReused as fault:
        return _render_action(
            request, action, values, uuid.uuid4().hex, {"": str(fault)}
        )  # pressed again, it is another deed
    except _SignatureMissing as refused:
        return _render_action(request, action, values, id, {refused.field: str(refused)})
    except BadInput as fault:
        faults = _locate_refusal(action, values, fault)
        if SECOND in faults and not is_dual_control(request, action):
            faults = {"": faults[SECOND]}
        return _render_action(request, action, values, id, faults)
    context.change_feed.notify_chains(*action.chains)
    if action.table:
        context.change_feed.notify_table(action.table)
    if action.render_result is not None:
        # Not at an address of its own: loaded again, it asks for the deed again, which was done, and shows nothing.
        return action.render_result(request, outcome, id)
    return RedirectResponse(done_url(action.next_page or action.back, id), 303)


class _SignatureMissing(BadInput):
    """Somebody who has to sign a deed, and has not."""

    def __init__(self, field: str, fault: BadInput) -> None:
        super().__init__(str(fault))
        self.field = field


def is_dual_control(request: Request, action: OfficeAction) -> bool:
    """Whether a second person signs in for a deed: where the floor's rules or the right ask for two people."""
    if action.solo_reason:
        return False
    two = bool(action.dual_control_subject) or PERMISSIONS[get_permission(request)].needs_two
    return action.needs_second_person or (two and not action.needs_surveillance)


def _required_signatures(
    request: Request, action: OfficeAction, values: FormValues
) -> Iterator[tuple[str, str, Permission]]:
    """Who has to sign beside whoever is signed in: the fields of login and password, and the right that it takes."""
    if is_dual_control(request, action) and not (action.solo_limit and not second_person(values)):
        yield SECOND, PASSWORD, get_permission(request)
    if action.needs_surveillance:
        yield SURVEILLANCE, SURVEILLANCE_PASSWORD, Permission.CHECK_JACKPOTS


def _without_unsigned_names(request: Request, action: OfficeAction, values: FormValues) -> FormValues:
    """What was typed, without names of people who are not asked to sign: nobody answers for what others typed."""
    signs = {login for login, _, _ in _required_signatures(request, action, values)}
    return {name: text for name, text in values.items() if name in signs or name not in (SECOND, SURVEILLANCE)}


async def _sign(request: Request, values: FormValues, to_sign: SignatureRequest) -> Signature:
    """Another person signs what the form would do, with the password that stands in it."""
    if to_sign.part is SignaturePart.SURVEILLANCE:
        field, password, right = SURVEILLANCE, SURVEILLANCE_PASSWORD, Permission.CHECK_JACKPOTS
    else:
        field, password, right = SECOND, PASSWORD, get_permission(request)
    try:
        return await get_app_context(request).sign(
            to_sign, values.get(password, ""), permission=right, address=client_address(request)
        )
    except (SignInFailed, PermissionDenied, SamePerson) as fault:
        raise _SignatureMissing(field, fault) from None


def done_url(address: str, id: str) -> str:
    """Where a deed that was done is to be seen.

    >>> done_url("/office/jackpots/prime#history", "0f")
    '/office/jackpots/prime?done=0f#history'
    """
    to, _, place = address.partition("#")
    return f"{to}{'&' if '?' in to else '?'}done={quote_url(id)}{'#' + place if place else ''}"


_STATE_CHANGED = (
    "Somebody has changed this since your page was drawn: nothing was done now. Below it stands as it is; look at it, "
    "and do again what is still right."
)


def refusal_text(foreseen: Callable[[], object]) -> str:
    """What the floor's own rules have against a deed, asked before anybody has signed."""
    try:
        foreseen()
    except BadInput as fault:
        return str(fault)
    return ""


def require_reason(text: str) -> str:
    """A reason, which has to be given."""
    return require_text(text, "reason")


def _field_faults(request: Request, action: OfficeAction, values: FormValues) -> dict[str, str]:
    """Every field that cannot be read, with the sentence for it."""
    faults = _unparsed_fields(action, values)
    for login, password, _ in _required_signatures(request, action, values):
        user, act = require_session(request).login, action.dual_control_subject or action.title
        if sentence := refusal_text(partial(require_two_people, user, values.get(login, ""), act)):
            faults[login] = sentence
        elif not values.get(password):
            faults[login] = f"Two people answer for this: {values[login].strip()} signs in with the password."
    return faults


def _unparsed_fields(action: OfficeAction, values: FormValues) -> dict[str, str]:
    reading = {
        field.name: partial(field.parse, values.get(field.name, field.value).strip())
        for field in action.fields
        if field.parse
    }
    return {name: sentence for name, parse in reading.items() if (sentence := refusal_text(parse))}


def _locate_refusal(action: OfficeAction, values: FormValues, fault: BadInput) -> dict[str, str]:
    """What the floor refuses, beside the field that it is about; above the whole where it is about no single one."""
    if isinstance(fault, SamePerson):
        return {
            SURVEILLANCE if action.needs_surveillance and str(fault).startswith("The surveillance") else SECOND: str(
                fault
            )
        }
    if action.fields_at_fault is not None and (faults := action.fields_at_fault(values, fault)):
        return dict(faults)
    return {next((name for kind, name in action.refusal_fields if isinstance(fault, kind)), ""): str(fault)}


def _preview_sentences(action: OfficeAction, values: FormValues) -> tuple[str, ...]:
    """What would happen; a refusal is told as it would be."""
    try:
        return action.preview(values) if action.preview else ()
    except BadInput as fault:
        return (f"It would be refused: {fault}",)


def _signature_text(request: Request, action: OfficeAction, values: FormValues) -> str:
    """What other people sign with what is typed, in a sentence; empty while the form cannot be read."""
    if not (is_dual_control(request, action) or action.needs_surveillance) or _unparsed_fields(action, values):
        return ""
    # Whoever is to sign may not have typed the login yet; the sentence does not depend on it.
    signers = (SECOND, SURVEILLANCE) if action.needs_surveillance else (SECOND,)
    named_all = {**values, **{name: values.get(name, "").strip() or "the second person" for name in signers}}
    return preview_command(
        partial(action.do, values.get("id") or "foreseen", require_session(request).login, named_all)
    )


def _render_action(
    request: Request, action: OfficeAction, submitted: FormValues, id: str, faults: Mapping[str, str] | None = None
) -> Response:
    values = submitted or {field.name: field.value for field in action.fields}
    variables: dict[str, Any] = {"deed": action, "typed": values, "id": id, "told": faults or {}}
    beside = PERMISSIONS[get_permission(request)].countersigners
    variables |= {"two": is_dual_control(request, action), "beside": join_roles(beside) if beside else ""}
    variables |= {"act": _signature_text(request, action, values), "to_sign_at": f"{request.url.path}?{TO_SIGN}"}
    variables |= {"foreseen": _preview_sentences(action, values), "foreseen_at": f"{request.url.path}?{PREVIEW}"}
    return render_office_page(request, "office/deed.html", status=422 if faults else 200, **variables)
