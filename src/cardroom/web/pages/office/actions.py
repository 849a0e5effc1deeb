"""Actions of the office: each has a form page that shows the consequences before anyone signs.

Every form has a hidden id that becomes the command's id, so a form that is sent twice is executed once. A refused form
changes nothing and comes back as it was typed. Each field is parsed by itself first, so the page shows all unreadable
fields at once. A refusal by the card room appears next to the field that the action names for it, or above the form.

``FormReader`` reads the fields of a setup form and collects an error for each field.
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
from cardroom.service.commands.second_signature import Signature, SignaturePart, SignatureRequest, preview_command
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
    """The submitted values of a setup form, and the errors found in them."""

    def __init__(self, values: FormValues) -> None:
        self.values, self.faults = values, list[SetupFault]()

    def text(self, name: str) -> str:
        return self.values.get(name, "").strip()

    def read(self, name: str, parse: Callable[[str], T], default: T, field: str = "") -> T:
        """The parsed value of a field, or the default if it cannot be parsed, so that no other field is blamed."""
        try:
            return parse(self.text(name))
        except BadInput as fault:
            self.faults.append(SetupFault(field or name, str(fault), "setup"))
            return default

    def check(self, name: str, check: Callable[[], object]) -> bool:
        """Whether a field passes a check. The error is collected if it does not."""
        try:
            check()
        except BadInput as fault:
            self.faults.append(SetupFault(name, str(fault), "setup"))
            return False
        return True

    def amount(self, name: str, default: int, field: str = "") -> int:
        return self.read(name, parse_dollars, default, field)

    def number(self, name: str, default: int) -> int:
        def parse(text: str) -> int:
            if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS:
                return int(text)
            if text.isascii() and text.isdigit():
                raise BadInput(f"{quote(text)} is too large. The maximum is {10**_MAX_DIGITS - 1:,}.")
            raise BadInput(f"{quote(text)} is not a whole number. Type one, such as {default}.")

        return self.read(name, parse, default)

    def with_prefix(self, name: str) -> dict[str, str]:
        """The nonempty fields whose names begin with a prefix, by the rest of the name."""
        fields = {key.removeprefix(name): text.strip() for key, text in self.values.items() if key.startswith(name)}
        return {key: text for key, text in fields.items() if text}


def faults_by_field(faults: Iterable[SetupFault]) -> dict[str, tuple[SetupFault, ...]]:
    """The errors by the field that each is about, without duplicates."""
    places: dict[str, tuple[SetupFault, ...]] = {}
    for fault in faults:
        if fault not in (previous := places.get(fault.section, ())):
            places[fault.section] = (*previous, fault)
    return places


SECOND = "second"
PASSWORD = "second-password"  # noqa: S105 (the name of a field)
"""The second person's password. A form never shows it again."""
SURVEILLANCE = "surveillance"
SURVEILLANCE_PASSWORD = "surveillance-password"  # noqa: S105
"""The password of the surveillance user."""
STARTING_STATE = "starting-state"
"""The hidden field with the state from which the form was drawn."""
PREVIEW = "preview"
"""The query parameter of a request for a preview, which changes nothing."""
TO_SIGN = "to-sign"
"""The query parameter of a request for the text that the second person signs, which changes nothing."""


class FormField(NamedTuple):
    """A field of an action's form."""

    name: str
    label: str
    hint: str = ""
    value: str = ""
    """The initial value."""
    options: tuple[tuple[str, str], ...] = ()
    """For a selection: values and their labels."""
    kind: str = "text"
    parse: Callable[[str], object] | None = None
    """Parses the value, or refuses it."""


class OfficeAction(NamedTuple):
    """An action with its form and its consequences."""

    title: str
    consequences: tuple[str, ...]
    button: str
    back: str
    """The URL of the page that the action is about."""
    do: Callable[[str, str, FormValues], object]
    """Executes the action; takes the command id, the login, and the submitted values."""
    fields: tuple[FormField, ...] = ()
    needs_second_person: bool = False
    """Whether a second person signs too."""
    solo_reason: str = ""
    """Why one person acts alone when no other user could be the second person."""
    solo_limit: str = ""
    """Up to which limit one person acts alone. The second person is then optional, and the card room refuses amounts
    above the limit."""
    needs_surveillance: bool = False
    """Whether surveillance checks it and signs too. Surveillance is the second person if no other is required."""
    dual_control_subject: str = ""
    """What two people always sign, such as "an adjustment"; empty otherwise."""
    starting_state: str = ""
    """The state that the form starts from. If it changes, the action would do something other than the page says."""
    unavailable_reason: str = ""
    """Why the action is not possible now. The page then has no form."""
    refusal_fields: tuple[tuple[type[BadInput], str], ...] = ()
    """The field for each error class of the card room; the first match counts."""
    fields_at_fault: Callable[[FormValues, BadInput], Mapping[str, str]] | None = None
    """The fields that a refusal is about, with their sentences, where this depends on the submitted values."""
    chains: tuple[str, ...] = ()
    """The chains that the action changes, for the live pages."""
    table: str = ""
    """The table whose live pages are updated."""
    address: str = ""
    """The URL to which the form is sent; the URL of the page if empty."""
    next_page: str = ""
    """The URL of the next page; ``back`` if empty."""
    danger: bool = False
    preview: Callable[[FormValues], tuple[str, ...]] | None = None
    """Sentences about the consequences of the submitted values."""
    render_result: Callable[[Request, Any, str], Response] | None = None
    """Renders the response to the form, given the result and the command id. Used for secrets that are shown once and
    have no URL of their own."""


def second_person(values: FormValues) -> str | None:
    """The login of the second person, if the form has one."""
    return values.get(SECOND, "").strip() or None


def show_action(request: Request, action: OfficeAction) -> Response:
    """The form page, or the reason that the action is not possible."""
    if action.unavailable_reason:
        raise Unavailable(action.unavailable_reason, action.back)
    return _render_action(request, action, {}, uuid.uuid4().hex)


async def perform_action(request: Request, action: OfficeAction) -> Response:
    """Execute the action and redirect to its result, or show the form with the refusal."""
    context, user = get_app_context(request), require_session(request).login
    values: FormValues = await load_form_values(request)
    if PREVIEW in request.query_params:
        return HTMLResponse(
            render_office_part("office/consequences.html", action=action, preview=_preview_sentences(action, values)),
            headers=HEADERS,
        )
    if TO_SIGN in request.query_params:
        text = await context.executors.query(_signature_text, request, action, values)
        return HTMLResponse(render_office_part("office/signature_text.html", signature_text=text), headers=HEADERS)
    id, values = values.get("id") or uuid.uuid4().hex, _without_unsigned_names(request, action, values)
    if action.unavailable_reason and not await context.executors.query(context.card_room.find_command_result, user, id):
        raise Unavailable(f"{action.unavailable_reason} Nothing was changed.", action.back)
    if faults := _field_faults(request, action, values):
        return _render_action(request, action, values, id, faults)
    if values.get(STARTING_STATE, action.starting_state) != action.starting_state and not await context.executors.query(
        context.card_room.find_command_result, user, id
    ):
        return _render_action(request, action, {}, uuid.uuid4().hex, {"": _STATE_CHANGED})
    try:
        outcome = await context.execute_with_signatures(
            partial(action.do, id, user, values), partial(_sign, request, values)
        )
    except CommandIdReused as fault:
        return _render_action(
            request, action, values, uuid.uuid4().hex, {"": str(fault)}
        )  # sent again, it is a new command
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
        # The response has no URL of its own: a reload sends the form again, which shows the secret no second time.
        return action.render_result(request, outcome, id)
    return RedirectResponse(done_url(action.next_page or action.back, id), 303)


class _SignatureMissing(BadInput):
    """A required signature is missing or wrong."""

    def __init__(self, field: str, fault: BadInput) -> None:
        super().__init__(str(fault))
        self.field = field


def is_dual_control(request: Request, action: OfficeAction) -> bool:
    """Whether a second person must sign: the card room's rules or the permission require two people."""
    if action.solo_reason:
        return False
    needs_two = bool(action.dual_control_subject) or PERMISSIONS[get_permission(request)].needs_two
    return action.needs_second_person or (needs_two and not action.needs_surveillance)


def _required_signatures(
    request: Request, action: OfficeAction, values: FormValues
) -> Iterator[tuple[str, str, Permission]]:
    """The required signatures besides the user's: field of the login, field of the password, and permission."""
    if is_dual_control(request, action) and not (action.solo_limit and not second_person(values)):
        yield SECOND, PASSWORD, get_permission(request)
    if action.needs_surveillance:
        yield SURVEILLANCE, SURVEILLANCE_PASSWORD, Permission.CHECK_JACKPOTS


def _without_unsigned_names(request: Request, action: OfficeAction, values: FormValues) -> FormValues:
    """The values without logins whose signature is not required: no name enters the ledger without its signature."""
    signs = {login for login, _, _ in _required_signatures(request, action, values)}
    return {name: text for name, text in values.items() if name in signs or name not in (SECOND, SURVEILLANCE)}


async def _sign(request: Request, values: FormValues, to_sign: SignatureRequest) -> Signature:
    """Sign the form's command for another person, with the password from the form."""
    if to_sign.part is SignaturePart.SURVEILLANCE:
        field, password, permission = SURVEILLANCE, SURVEILLANCE_PASSWORD, Permission.CHECK_JACKPOTS
    else:
        field, password, permission = SECOND, PASSWORD, get_permission(request)
    try:
        return await get_app_context(request).sign(
            to_sign, values.get(password, ""), permission=permission, address=client_address(request)
        )
    except (SignInFailed, PermissionDenied, SamePerson) as fault:
        raise _SignatureMissing(field, fault) from None


def done_url(address: str, id: str) -> str:
    """The URL that shows a finished action.

    >>> done_url("/office/jackpots/prime#history", "0f")
    '/office/jackpots/prime?done=0f#history'
    """
    page, _, anchor = address.partition("#")
    return f"{page}{'&' if '?' in page else '?'}done={quote_url(id)}{'#' + anchor if anchor else ''}"


_STATE_CHANGED = (
    "Another user changed this after you opened the page, so nothing was saved. The form below shows the current "
    "state. Check it and make your change again."
)


def refusal_text(check: Callable[[], object]) -> str:
    """The refusal of the card room's rules, before anyone signs; empty if they allow the action."""
    try:
        check()
    except BadInput as fault:
        return str(fault)
    return ""


def require_reason(text: str) -> str:
    """The reason, which is required."""
    return require_text(text, "reason")


def _field_faults(request: Request, action: OfficeAction, values: FormValues) -> dict[str, str]:
    """The error of each field that cannot be parsed or is not signed."""
    faults = _unparsed_fields(action, values)
    for login, password, _ in _required_signatures(request, action, values):
        user, subject = require_session(request).login, action.dual_control_subject or action.title
        if sentence := refusal_text(partial(require_two_people, user, values.get(login, ""), subject)):
            faults[login] = sentence
        elif not values.get(password):
            faults[login] = f"Two people sign for this. {values[login].strip()} must type a password."
    return faults


def _unparsed_fields(action: OfficeAction, values: FormValues) -> dict[str, str]:
    reading = {
        field.name: partial(field.parse, values.get(field.name, field.value).strip())
        for field in action.fields
        if field.parse
    }
    return {name: sentence for name, parse in reading.items() if (sentence := refusal_text(parse))}


def _locate_refusal(action: OfficeAction, values: FormValues, fault: BadInput) -> dict[str, str]:
    """The refusal by field; the empty name is the form as a whole."""
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
    """The preview, or the refusal that the submitted values would cause."""
    try:
        return action.preview(values) if action.preview else ()
    except BadInput as fault:
        return (f"This would be refused: {fault}",)


def _signature_text(request: Request, action: OfficeAction, values: FormValues) -> str:
    """The sentence that the other people sign; empty while the form cannot be parsed."""
    if not (is_dual_control(request, action) or action.needs_surveillance) or _unparsed_fields(action, values):
        return ""
    # The sentence does not depend on the login, which may not be typed yet.
    signers = (SECOND, SURVEILLANCE) if action.needs_surveillance else (SECOND,)
    complete_values = {**values, **{name: values.get(name, "").strip() or "the second person" for name in signers}}
    return preview_command(
        partial(action.do, values.get("id") or "preview", require_session(request).login, complete_values)
    )


def _render_action(
    request: Request, action: OfficeAction, submitted: FormValues, id: str, faults: Mapping[str, str] | None = None
) -> Response:
    values = submitted or {field.name: field.value for field in action.fields}
    variables: dict[str, Any] = {"action": action, "typed": values, "id": id, "refusals": faults or {}}
    roles = PERMISSIONS[get_permission(request)].countersigners
    variables |= {"two": is_dual_control(request, action), "countersigners": join_roles(roles) if roles else ""}
    variables |= {"signature_text": _signature_text(request, action, values)}
    address = action.address or request.url.path
    variables |= {"signature_url": f"{address}?{TO_SIGN}", "preview_url": f"{address}?{PREVIEW}"}
    variables |= {"preview": _preview_sentences(action, values)}
    return render_office_page(request, "office/action.html", status=422 if faults else 200, **variables)
