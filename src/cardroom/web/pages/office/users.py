"""What is decided about people's logins: two people do, as soon as there is anybody to be the second. One person ends a
session.

People who sign in: everybody with role and state, and the log of the door.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.ledger import Event
from cardroom.room.dual_control import require_text
from cardroom.room.site.recovery import describe_recovery
from cardroom.room.user.events import SignedIn
from cardroom.room.user.permissions import Role, UnknownRole, parse_role, role_with_article
from cardroom.room.user.registration import BadUser, list_countersigners, require_good_login
from cardroom.room.user.sign_in import locked_places
from cardroom.room.user.state import SessionState, UserState
from cardroom.service import CardRoom
from cardroom.service.chains.names import ROOM_CHAIN, parse_user_chain, user_chain
from cardroom.service.commands.users import UserCredentials
from cardroom.service.event_log import describe_events
from cardroom.service.queries.chain_history import list_newest_first
from cardroom.service.queries.site import list_sign_in_events
from cardroom.web.middleware.permissions import require_session as who_asks
from cardroom.web.pages.office.actions import (
    FormField,
    FormValues,
    OfficeAction,
    perform_action,
    refusal_text,
    require_reason,
    second_person,
    show_action,
)
from cardroom.web.pages.office.frame import OfficeRoute, PageNotFound, parse_query_number, render_office_page
from cardroom.web.pages.requests import get_app_context
from cardroom.web.services.app_context import AppContext

PAGE: Final = "/office/people"
STAFF: Final = tuple(role for role in Role if role.is_staff)
_ROLES: Final = tuple((str(role), str(role)) for role in STAFF)
_DUAL_CONTROL_SUBJECT: Final = "what becomes of people's logins"
_NO_SECOND_PERSON: Final = "You do it alone, because nobody else is here yet who could be the second."
_END_SESSION_NOTE: Final = "One person ends a session: the user signs in again with the same password."
SHOWN_ONCE_NOTE: Final = (
    "The password is shown once, on the next page, and kept nowhere. It is good for one sign-in within 72 hours, at "
    "which the person chooses another one."
)
USER_REASON_FIELD: Final = FormField(
    "why", "Reason", "In your own words; it stands in the books for good.", parse=require_reason
)


def render_password_once(title: str, back_url: str) -> Callable[[Request, Any, str], Response]:
    """The page with the passwords for one time, shown this once; without them where the deed was done before."""

    def render(request: Request, outcome: UserCredentials | Sequence[UserCredentials], id: str) -> Response:
        each = (outcome,) if isinstance(outcome, UserCredentials) else outcome
        passwords = [(created_user.login, created_user.one_time_password) for created_user in each]
        return render_office_page(
            request, "office/told_once.html", title=title, back=back_url, passwords=passwords, done=id
        )

    return render


def _solo_reason(floor: CardRoom, user: str) -> str:
    people = [floor.user(login) for login in floor.list_users()]
    return "" if list_countersigners(user, people) else _NO_SECOND_PERSON


def _user_action(floor: CardRoom, user: str, title: str, happens: tuple[str, ...], button: str) -> OfficeAction:
    action = OfficeAction(
        title,
        happens,
        button,
        PAGE,
        lambda *_: None,
        needs_second_person=True,
        dual_control_subject=_DUAL_CONTROL_SUBJECT,
        chains=(ROOM_CHAIN,),
    )
    return action._replace(
        solo_reason=_solo_reason(floor, user), refusal_fields=((BadUser, "login"), (UnknownRole, "role"))
    )


def _register_action(context: AppContext, user: str) -> OfficeAction:
    floor = context.floor

    def do(id: str, who: str, typed: FormValues) -> UserCredentials:
        login, name, role = (typed.get(field, "").strip() for field in ("login", "name", "role"))
        return floor.add_user(id, who, login, name, parse_role(role), second=second_person(typed))

    happens = (
        "A person of the staff may sign in from now on, and do what the role may.",
        SHOWN_ONCE_NOTE,
        "A player's login is made on the player's own page.",
    )
    fields = (
        FormField("role", "Role", options=_ROLES, value=_ROLES[0][0], parse=_staff_role),
        FormField("login", "Login", "Small letters, digits and dashes; it stands in the books.", parse=_login),
        FormField(
            "name", "Name", "As people know the person.", parse=lambda form_input: require_text(form_input, "name")
        ),
    )
    action = _user_action(floor, user, "Register a person", happens, "Register")
    return action._replace(do=do, fields=fields, render_result=render_password_once(action.title, action.back))


def _staff_role(text: str) -> Role:
    role = parse_role(text)
    if not role.is_staff:
        raise UnknownRole("A player's login is made on the player's own page: choose a role of the staff.")
    return role


def _login(text: str) -> str:
    return require_good_login(text, ())


def _recover_action(floor: CardRoom, user: str, state: UserState) -> OfficeAction:
    def do(id: str, who: str, values: FormValues) -> UserCredentials:
        return floor.recover_user(id, who, state.login, second=second_person(values))

    happens = (
        f"{state.name} ({state.login}) gets another password, and the one before is worth nothing any more.",
        "A lock after wrong passwords is lifted, the PIN is forgotten, and every session of the person ends.",
        SHOWN_ONCE_NOTE,
    )
    action = _user_action(floor, user, f"Another password for {state.login}", happens, "Give another password")
    return action._replace(
        do=do, render_result=render_password_once(action.title, action.back), unavailable_reason=_inactive_reason(state)
    )


def _role_action(floor: CardRoom, user: str, state: UserState) -> OfficeAction:
    def do(id: str, who: str, values: FormValues) -> object:
        role = parse_role(values.get("role", "").strip())
        return floor.assign_role(id, who, state.login, role, second=second_person(values))

    happens = (
        (
            f"{state.name} ({state.login}) is {role_with_article(state.role)} now, and may do from then on what the "
            "new role may."
        ),
        "Every session of the person ends; the password stays.",
    )
    other_roles = tuple(role_option for role_option in _ROLES if role_option[0] != state.role)
    field = FormField("role", "New role", options=other_roles, value=other_roles[0][0], parse=parse_role)
    action = _user_action(floor, user, f"Another role for {state.login}", happens, "Give the role")
    players = "" if state.role.is_staff else "A player has no other role: register another login for the staff."
    return action._replace(do=do, fields=(field,), unavailable_reason=_inactive_reason(state) or players, danger=True)


def _deactivate_action(floor: CardRoom, user: str, state: UserState) -> OfficeAction:
    def do(id: str, who: str, values: FormValues) -> object:
        return floor.deactivate_user(id, who, state.login, values.get("why", ""), second=second_person(values))

    happens = (
        f"{state.name} ({state.login}) cannot sign in any more, and every session ends at once.",
        "It is for good: what the person did stays in the books, and nobody else gets the login.",
    )
    action = _user_action(floor, user, f"Dismiss {state.login}", happens, "Dismiss")
    return action._replace(do=do, fields=(USER_REASON_FIELD,), unavailable_reason=_inactive_reason(state), danger=True)


def _end_session_action(floor: CardRoom, _: str, state: UserState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return floor.end_user_session(id, user, state.login, values.get("session", ""), values.get("why", ""))

    format_time = floor.calendar.format_time
    places = tuple(
        (seal, f"since {format_time(session.until - state.role.session_lifetime)[:16]}, at {session.address}")
        for seal, session in sorted(state.sessions.items(), key=lambda item: -item[1].until)
    )
    happens = (f"{state.name} ({state.login}) has to sign in again at that place, within a second.",)
    field = FormField("session", "Which session", options=places, value=places[0][0] if places else "")
    none = "" if places else f"{state.login} is signed in nowhere: there is no session to end."
    title, not_now = f"End a session of {state.login}", _inactive_reason(state) or none
    action = OfficeAction(
        title,
        happens,
        "End it",
        PAGE,
        do,
        fields=(field, USER_REASON_FIELD),
        chains=(ROOM_CHAIN,),
        unavailable_reason=not_now,
    )
    return action._replace(solo_reason=_END_SESSION_NOTE)


def _acknowledge_action(floor: CardRoom, user: str, state: UserState) -> OfficeAction:
    def do(id: str, who: str, _: FormValues) -> object:
        return floor.acknowledge_recovery(id, who, state.login)

    recoveries = [recovery for recovery in floor.list_open_recoveries() if recovery.login == state.login]
    happens = (
        *(describe_recovery(recovery, floor.calendar) for recovery in recoveries),
        "You confirm that you know about it, and that it is explained.",
        "The notice goes when two operators have done so, or after 30 days; the record stays for good.",
    )
    refused = "" if recoveries else f"There is no open notice that {state.login} was recovered at the machine."
    if recoveries and all(user in recovery.acknowledged for recovery in recoveries):
        refused = "You have acknowledged it already: a second operator acknowledges it too."
    if recoveries and any(user == recovery.login for recovery in floor.list_open_recoveries()):
        refused = (
            "You got a password at the machine, and that is not acknowledged yet: an operator who was not recovered "
            "acknowledges it."
        )
    title = f"{state.login} was recovered at the machine"
    return OfficeAction(title, happens, "Acknowledge", PAGE, do, chains=(ROOM_CHAIN,), unavailable_reason=refused)


def _inactive_reason(state: UserState) -> str:
    return (
        f"{state.login} was dismissed ({state.deactivation_reason}): register another login."
        if state.deactivation_reason
        else ""
    )


USER_ACTIONS: Final[dict[str, Callable[[CardRoom, str, UserState], OfficeAction]]] = {
    "recover": _recover_action,
    "role": _role_action,
    "end-session": _end_session_action,
    "dismiss": _deactivate_action,
    "acknowledge": _acknowledge_action,
}
"""By what stands in the address behind the login."""


def _one_of_each_action(context: AppContext, user: str) -> OfficeAction:
    floor = context.floor
    roles = [role for role in STAFF if role is not Role.OPERATOR]

    def do(id: str, who: str, _: FormValues) -> list[UserCredentials]:
        return [floor.add_user(f"{id}/{role}", who, str(role), role.title(), role) for role in roles]

    happens = (
        f"A {', a '.join(roles[:-1])} and an {roles[-1]} are registered, each with the role's name as login.",
        "It is for whoever tries this room out alone, and signs in as one after the other. Players come in as guests.",
        SHOWN_ONCE_NOTE.replace("The password is", "Each password is"),
    )
    action = _user_action(floor, user, "Make one person of each role", happens, "Make them")
    not_now = "" if context.options.demo else "This is no room to try out: register each person."
    if len(floor.list_users()) > 1:
        not_now = "Others are registered here already: register each person."
    return action._replace(
        do=do, render_result=render_password_once(action.title, action.back), unavailable_reason=not_now
    )


def build_user_action(context: AppContext, user: str, login: str, action_name: str) -> OfficeAction:
    """A deed by its address."""
    if not login:
        return _register_action(context, user) if action_name == "new" else _one_of_each_action(context, user)
    if action_name not in USER_ACTIONS:
        raise PageNotFound(f"The office has no page {action_name!r} for a person: it has {', '.join(USER_ACTIONS)}.")
    state = context.floor.user(login)
    action = USER_ACTIONS[action_name](context.floor, user, state)
    if action.needs_second_person and not state.role.is_staff:
        action = action._replace(solo_reason="")  # two people always answer for a player's login
    back = f"{PAGE}/log?person={login}"
    chains = (*action.chains, user_chain(login))
    refused = refusal_text(lambda: _refuse_own_login(user, login))
    return action._replace(back=back, chains=chains, unavailable_reason=action.unavailable_reason or refused)


def _refuse_own_login(user: str, login: str) -> None:
    if user == login:
        raise BadUser("Nobody decides about the own login: use the page of your own account, or ask somebody else.")


router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_USERS_PER_PAGE: Final = 50
_LOG_LINES_PER_PAGE: Final = 50


class UserView(NamedTuple):
    """A person as the office lists one."""

    state: UserState
    status: str
    sessions: int
    last_sign_in: str
    """When the person signed in last; empty for never."""


class SignInLogLine(NamedTuple):
    """Something that happened to somebody."""

    login: str
    time: str
    sentences: str


def user_status(state: UserState, now: int) -> str:
    """How it is about a person's login, in words."""
    if state.deactivation_reason:
        return f"dismissed: {state.deactivation_reason}"
    if places := locked_places(state, now):
        return f"locked after three wrong passwords at {', '.join(places)}"
    if not state.password:
        return "needs a new password"
    if state.one_time_until:
        return "password for one time has ended" if now > state.one_time_until else "has a password for one time"
    return "active"


def _sessions(state: UserState, now: int) -> dict[str, SessionState]:
    return {
        seal: session
        for seal, session in state.sessions.items()
        if now <= session.until and not state.deactivation_reason
    }


def _user_view(context: AppContext, login: str) -> UserView:
    floor, now = context.floor, context.clock()
    state = floor.user(login)
    signed = (event for event in list_newest_first(floor.ledger, user_chain(login)) if event.kind == SignedIn.kind)
    last = next(signed, None)
    when = floor.calendar.format_time(last.time)[:16] if last else ""
    return UserView(state, user_status(state, now), len(_sessions(state, now)), when)


def _users_variables(context: AppContext, user: str, after: str, players: bool) -> dict[str, Any]:
    floor = context.floor
    states = (floor.user(user_login) for user_login in floor.list_users() if user_login > after)
    logins = [
        user_login.login
        for user_login in islice((s for s in states if players or s.role.is_staff), _USERS_PER_PAGE + 1)
    ]
    everybody = [floor.user(user_login) for user_login in floor.list_users()]
    return {
        "people": [_user_view(context, login) for login in logins[:_USERS_PER_PAGE]],
        "following": logins[_USERS_PER_PAGE - 1] if len(logins) > _USERS_PER_PAGE else "",
        "number": len(everybody),
        "players": players,
        "one_of_each": context.options.demo and len(everybody) == 1,
        "alone": not list_countersigners(user, everybody),
        "said": floor.calendar.zone_text,
    }


def _log_lines(floor: CardRoom, events: Iterable[Event]) -> list[SignInLogLine]:
    event_list = list(events)
    descriptions = describe_events(event_list, floor.calendar.format_time)
    return [
        SignInLogLine(
            parse_user_chain(event.chain) or "", floor.calendar.format_time(event.time), description.sentences
        )
        for event, description in zip(event_list, descriptions, strict=True)
    ]


def _split_page(events: Iterable[Event]) -> tuple[list[Event], int]:
    """A page of events, and the moment before which the next page begins; 0 at the end. What happened at the very same
    moment stands on one page."""
    page_events: list[Event] = []
    for event in events:
        if len(page_events) >= _LOG_LINES_PER_PAGE and event.time != page_events[-1].time:
            return page_events, page_events[-1].time
        page_events.append(event)
    return page_events, 0


def _session_places(context: AppContext, state: UserState) -> list[tuple[str, str, SessionState]]:
    """Where a person is signed in: since when, and until when."""
    format_time, lasts = context.floor.calendar.format_time, state.role.session_lifetime
    newest = sorted(_sessions(state, context.clock()).values(), key=lambda session: -session.until)
    return [(format_time(session.until - lasts), format_time(session.until), session) for session in newest]


def _log_variables(context: AppContext, person: str, before: int | None) -> dict[str, Any]:
    floor = context.floor
    logins = (person,) if person else floor.list_users()
    user = _user_view(context, person) if person else None  # refuses somebody whom there is not
    events, following = _split_page(list_sign_in_events(floor.ledger, logins, before))
    return {
        "one": user,
        "sessions": _session_places(context, user.state) if user else [],
        "lines": _log_lines(floor, events),
        "following": following,
        "person": person,
        "people": floor.list_users(),
        "said": floor.calendar.zone_text,
    }


@router.get(PAGE)
async def show_users(request: Request) -> Response:
    """Everybody who may sign in, or might once."""
    context, query = get_app_context(request), request.query_params
    variables = await context.executors.query(
        _users_variables, context, who_asks(request).login, query.get("after", ""), query.get("players") == "too"
    )
    return render_office_page(request, "office/people.html", **variables)


@router.get(f"{PAGE}/log")
async def show_log(request: Request) -> Response:
    """Who signed in, who was refused, and what two people signed for; the newest first."""
    context, query = get_app_context(request), request.query_params
    before = parse_query_number(query, "before", 1) if "before" in query else None
    variables = await context.executors.query(_log_variables, context, query.get("person", ""), before)
    return render_office_page(request, "office/people_log.html", **variables)


@router.api_route(f"{PAGE}/new", methods=["GET", "POST"])
async def register_user(request: Request) -> Response:
    """Register a person."""
    return await _show_or_perform(request, "", "new")


@router.api_route(f"{PAGE}/one-of-each", methods=["GET", "POST"])
async def create_one_of_each(request: Request) -> Response:
    """One person of each role, in a room to try out."""
    return await _show_or_perform(request, "", "one-of-each")


@router.api_route(f"{PAGE}/{{login}}/{{action_name}}", methods=["GET", "POST"])
async def perform_user_action(request: Request, login: str, action_name: str) -> Response:
    """Recover somebody, give another role, end a session, dismiss."""
    return await _show_or_perform(request, login, action_name)


async def _show_or_perform(request: Request, login: str, action_name: str) -> Response:
    context, user = get_app_context(request), who_asks(request).login
    action = await context.executors.query(build_user_action, context, user, login, action_name)
    if request.method == "GET":
        return show_action(request, action)
    answer = await perform_action(request, action)
    context.sessions.forget(login)
    return answer
