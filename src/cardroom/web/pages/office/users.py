"""Users: their logins, roles, and sessions, and the sign-in log.

Two people decide about a login, unless no other user could be the second. One person ends a session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
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
from cardroom.service.chain_descriptions import describe_events
from cardroom.service.chains.names import ROOM_CHAIN, parse_user_chain, user_chain
from cardroom.service.commands.users import UserCredentials
from cardroom.service.queries.chain_history import list_newest_first
from cardroom.service.queries.site import list_sign_in_events
from cardroom.web.middleware.permissions import require_session
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
from cardroom.web.services.time_format import format_minute, format_second

PAGE: Final = "/office/users"
STAFF: Final = tuple(role for role in Role if role.is_staff)
_ROLES: Final = tuple((str(role), str(role)) for role in STAFF)
_DUAL_CONTROL_SUBJECT: Final = "a decision about logins"
_NO_SECOND_PERSON: Final = "You sign alone, because no other user can be the second person yet."
_END_SESSION_NOTE: Final = "You sign alone. The user can sign in again with the same password."
SHOWN_ONCE_NOTE: Final = (
    "The next page shows the password only once, and it is not stored. It works for one sign-in within 72 hours. The "
    "user then chooses a new password."
)
USER_REASON_FIELD: Final = FormField(
    "why", "Reason", "In your own words. The ledger keeps it permanently.", parse=require_reason
)


def render_password_once(title: str, back_url: str) -> Callable[[Request, Any, str], Response]:
    """The page with one-time passwords, shown once; without them if the command was already executed."""

    def render(request: Request, outcome: UserCredentials | Sequence[UserCredentials], id: str) -> Response:
        created_users = (outcome,) if isinstance(outcome, UserCredentials) else outcome
        passwords = [(created_user.login, created_user.one_time_password) for created_user in created_users]
        return render_office_page(
            request, "office/one_time_passwords.html", title=title, back=back_url, passwords=passwords, done=id
        )

    return render


def _solo_reason(card_room: CardRoom, user: str) -> str:
    users = [card_room.user(login) for login in card_room.users.list_users()]
    return "" if list_countersigners(user, users) else _NO_SECOND_PERSON


def _user_action(
    card_room: CardRoom, user: str, title: str, consequences: tuple[str, ...], button: str
) -> OfficeAction:
    action = OfficeAction(
        title,
        consequences,
        button,
        PAGE,
        lambda *_: None,
        needs_second_person=True,
        dual_control_subject=_DUAL_CONTROL_SUBJECT,
        chains=(ROOM_CHAIN,),
    )
    return action._replace(
        solo_reason=_solo_reason(card_room, user), refusal_fields=((BadUser, "login"), (UnknownRole, "role"))
    )


def _register_action(context: AppContext, user: str) -> OfficeAction:
    card_room = context.card_room

    def do(id: str, who: str, typed: FormValues) -> UserCredentials:
        login, name, role = (typed.get(field, "").strip() for field in ("login", "name", "role"))
        return card_room.users.add(id, who, login, name, parse_role(role), second=second_person(typed))

    consequences = (
        "A staff member can sign in from now on, with the permissions of the role.",
        SHOWN_ONCE_NOTE,
        "Create a player's login on the player's own page.",
    )
    fields = (
        FormField("role", "Role", options=_ROLES, value=_ROLES[0][0], parse=_staff_role),
        FormField("login", "Login", "Lowercase letters, digits, and dashes. The ledger keeps it.", parse=_login),
        FormField(
            "name", "Name", "The person's everyday name.", parse=lambda form_input: require_text(form_input, "name")
        ),
    )
    action = _user_action(card_room, user, "Add a user", consequences, "Add the user")
    return action._replace(do=do, fields=fields, render_result=render_password_once(action.title, action.back))


def _staff_role(text: str) -> Role:
    role = parse_role(text)
    if not role.is_staff:
        raise UnknownRole("Create a player's login on the player's own page. Choose a staff role here.")
    return role


def _login(text: str) -> str:
    return require_good_login(text, ())


def _recover_action(card_room: CardRoom, user: str, state: UserState) -> OfficeAction:
    def do(id: str, who: str, values: FormValues) -> UserCredentials:
        return card_room.users.recover(id, who, state.login, second=second_person(values))

    consequences = (
        f"{state.name} ({state.login}) gets a new password. The old password stops working.",
        "A lock after wrong passwords is removed, the PIN is deleted, and every session of the user ends.",
        SHOWN_ONCE_NOTE,
    )
    action = _user_action(card_room, user, f"New password for {state.login}", consequences, "Issue a new password")
    return action._replace(
        do=do, render_result=render_password_once(action.title, action.back), unavailable_reason=_inactive_reason(state)
    )


def _role_action(card_room: CardRoom, user: str, state: UserState) -> OfficeAction:
    def do(id: str, who: str, values: FormValues) -> object:
        role = parse_role(values.get("role", "").strip())
        return card_room.users.assign_role(id, who, state.login, role, second=second_person(values))

    consequences = (
        (
            f"{state.name} ({state.login}) is {role_with_article(state.role)} now and gets the permissions of the new "
            "role."
        ),
        "Every session of the user ends. The password stays the same.",
    )
    other_roles = tuple(role_option for role_option in _ROLES if role_option[0] != state.role)
    field = FormField("role", "New role", options=other_roles, value=other_roles[0][0], parse=parse_role)
    action = _user_action(card_room, user, f"Change the role of {state.login}", consequences, "Change the role")
    player_reason = (
        "" if state.role.is_staff else "A player's role cannot change. Add a separate login for a staff role."
    )
    return action._replace(
        do=do, fields=(field,), unavailable_reason=_inactive_reason(state) or player_reason, danger=True
    )


def _deactivate_action(card_room: CardRoom, user: str, state: UserState) -> OfficeAction:
    def do(id: str, who: str, values: FormValues) -> object:
        return card_room.users.deactivate(id, who, state.login, values.get("why", ""), second=second_person(values))

    consequences = (
        f"{state.name} ({state.login}) can no longer sign in, and every session ends at once.",
        "This is permanent. The user's history stays in the ledger, and the login is never reused.",
    )
    action = _user_action(card_room, user, f"Deactivate {state.login}", consequences, "Deactivate")
    return action._replace(do=do, fields=(USER_REASON_FIELD,), unavailable_reason=_inactive_reason(state), danger=True)


def _end_session_action(card_room: CardRoom, _: str, state: UserState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.users.end_user_session(id, user, state.login, values.get("session", ""), values.get("why", ""))

    calendar, lifetime = card_room.calendar, state.role.session_lifetime
    places = tuple(
        (digest, f"since {format_minute(calendar, session.until - lifetime)}, at {session.address}")
        for digest, session in sorted(state.sessions.items(), key=lambda item: -item[1].until)
    )
    consequences = (
        f"{state.name} ({state.login}) is signed out at that address within a second and must sign in again.",
    )
    field = FormField("session", "Session", options=places, value=places[0][0] if places else "")
    no_session = "" if places else f"{state.login} has no session to end."
    title, unavailable_reason = f"End a session of {state.login}", _inactive_reason(state) or no_session
    action = OfficeAction(
        title,
        consequences,
        "End the session",
        PAGE,
        do,
        fields=(field, USER_REASON_FIELD),
        chains=(ROOM_CHAIN,),
        unavailable_reason=unavailable_reason,
    )
    return action._replace(solo_reason=_END_SESSION_NOTE)


def _acknowledge_action(card_room: CardRoom, user: str, state: UserState) -> OfficeAction:
    def do(id: str, who: str, _: FormValues) -> object:
        return card_room.users.acknowledge_recovery(id, who, state.login)

    recoveries = [recovery for recovery in card_room.users.list_open_recoveries() if recovery.login == state.login]
    consequences = (
        *(describe_recovery(recovery, card_room.calendar) for recovery in recoveries),
        "You confirm that you know about the recovery and its reason.",
        "The notice disappears after two operators have confirmed it, or after 30 days. The record is permanent.",
    )
    refused = "" if recoveries else f"{state.login} has no open notice of a recovery at the machine."
    if recoveries and all(user in recovery.acknowledged for recovery in recoveries):
        refused = "You have already acknowledged it. A second operator must acknowledge it too."
    if recoveries and any(user == recovery.login for recovery in card_room.users.list_open_recoveries()):
        refused = (
            "Your own recovery at the machine is not acknowledged yet. An operator who was not recovered must "
            "acknowledge this one."
        )
    title = f"{state.login} was recovered at the machine"
    return OfficeAction(title, consequences, "Acknowledge", PAGE, do, chains=(ROOM_CHAIN,), unavailable_reason=refused)


def _inactive_reason(state: UserState) -> str:
    return (
        f"{state.login} was deactivated ({state.deactivation_reason}). Add a new login."
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
"""By the part of the URL after the login."""


def _one_of_each_action(context: AppContext, user: str) -> OfficeAction:
    card_room = context.card_room
    roles = [role for role in STAFF if role is not Role.OPERATOR]

    def do(id: str, who: str, _: FormValues) -> list[UserCredentials]:
        return [card_room.users.add(f"{id}/{role}", who, str(role), role.title(), role) for role in roles]

    consequences = (
        f"Adds a {', a '.join(roles[:-1])}, and an {roles[-1]}, each with the role's name as login.",
        "Use this to try out the card room alone, signing in as each user in turn. Players join as guests.",
        SHOWN_ONCE_NOTE.replace("the password only once, and it is", "each password only once, and they are").replace(
            "It works", "Each works"
        ),
    )
    action = _user_action(card_room, user, "Add one user for each role", consequences, "Add the users")
    unavailable_reason = "" if context.options.demo else "Only a demo server offers this. Add each user separately."
    if len(card_room.users.list_users()) > 1:
        unavailable_reason = "Other users already exist. Add each user separately."
    return action._replace(
        do=do, render_result=render_password_once(action.title, action.back), unavailable_reason=unavailable_reason
    )


def build_user_action(context: AppContext, user: str, login: str, action_name: str) -> OfficeAction:
    """The action of a URL."""
    if not login:
        return _register_action(context, user) if action_name == "new" else _one_of_each_action(context, user)
    if action_name not in USER_ACTIONS:
        raise PageNotFound(
            f"The office has no page {action_name!r} for a user: its pages are {', '.join(USER_ACTIONS)}."
        )
    state = context.card_room.user(login)
    action = USER_ACTIONS[action_name](context.card_room, user, state)
    if action.needs_second_person and not state.role.is_staff:
        action = action._replace(solo_reason="")  # a player's login always needs two people
    back = f"{PAGE}/log?person={login}"
    chains = (*action.chains, user_chain(login))
    refused = refusal_text(lambda: _refuse_own_login(user, login))
    return action._replace(back=back, chains=chains, unavailable_reason=action.unavailable_reason or refused)


def _refuse_own_login(user: str, login: str) -> None:
    if user == login:
        raise BadUser("You cannot decide about your own login. Use your account page or ask another person.")


router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_USERS_PER_PAGE: Final = 50
_LOG_LINES_PER_PAGE: Final = 50


class UserView(NamedTuple):
    """A user in the office's list."""

    state: UserState
    status: str
    sessions: int
    last_sign_in: str
    """The time of the last sign-in; empty if none."""


class SignInLogLine(NamedTuple):
    """An event of a user."""

    login: str
    time: str
    sentences: str


def user_status(state: UserState, now: int) -> str:
    """The state of a user's login, as text."""
    if state.deactivation_reason:
        return f"deactivated: {state.deactivation_reason}"
    if places := locked_places(state, now):
        return f"locked after three wrong passwords at {', '.join(places)}"
    if not state.password:
        return "needs a new password"
    if state.one_time_until:
        return "one-time password has expired" if now > state.one_time_until else "has a one-time password"
    return "active"


def _sessions(state: UserState, now: int) -> dict[str, SessionState]:
    return {
        digest: session
        for digest, session in state.sessions.items()
        if now <= session.until and not state.deactivation_reason
    }


def _user_view(context: AppContext, login: str) -> UserView:
    card_room, now = context.card_room, context.clock()
    state = card_room.user(login)
    signed = (event for event in list_newest_first(card_room.ledger, user_chain(login)) if event.kind == SignedIn.kind)
    last = next(signed, None)
    when = format_minute(card_room.calendar, last.time) if last else ""
    return UserView(state, user_status(state, now), len(_sessions(state, now)), when)


def _users_variables(context: AppContext, user: str, after: str, players: bool) -> dict[str, Any]:
    card_room = context.card_room
    states = (card_room.user(user_login) for user_login in card_room.users.list_users() if user_login > after)
    listed = islice((state for state in states if players or state.role.is_staff), _USERS_PER_PAGE + 1)
    logins = [state.login for state in listed]
    all_users = [card_room.user(user_login) for user_login in card_room.users.list_users()]
    return {
        "users": [_user_view(context, login) for login in logins[:_USERS_PER_PAGE]],
        "following": logins[_USERS_PER_PAGE - 1] if len(logins) > _USERS_PER_PAGE else "",
        "number": len(all_users),
        "players": players,
        "one_of_each": context.options.demo and len(all_users) == 1,
        "alone": not list_countersigners(user, all_users),
        "zone_text": card_room.calendar.zone_text,
    }


def _log_lines(card_room: CardRoom, events: Iterable[Event]) -> list[SignInLogLine]:
    event_list = list(events)
    descriptions = describe_events(event_list, partial(format_second, card_room.calendar))
    return [
        SignInLogLine(
            parse_user_chain(event.chain) or "", format_second(card_room.calendar, event.time), description.sentences
        )
        for event, description in zip(event_list, descriptions, strict=True)
    ]


def _split_page(events: Iterable[Event]) -> tuple[list[Event], int]:
    """A page of events, and the time before which the next page begins; 0 at the end. Events with the same time are on
    one page."""
    page_events: list[Event] = []
    for event in events:
        if len(page_events) >= _LOG_LINES_PER_PAGE and event.time != page_events[-1].time:
            return page_events, page_events[-1].time
        page_events.append(event)
    return page_events, 0


def _session_places(context: AppContext, state: UserState) -> list[tuple[str, str, SessionState]]:
    """The sessions of a user, with their start and end."""
    format_time, lifetime = partial(format_minute, context.card_room.calendar), state.role.session_lifetime
    newest = sorted(_sessions(state, context.clock()).values(), key=lambda session: -session.until)
    return [(format_time(session.until - lifetime), format_time(session.until), session) for session in newest]


def _log_variables(context: AppContext, person: str, before: int | None) -> dict[str, Any]:
    card_room = context.card_room
    logins = (person,) if person else card_room.users.list_users()
    user = _user_view(context, person) if person else None  # refuses an unknown login
    events, following = _split_page(list_sign_in_events(card_room.ledger, logins, before))
    return {
        "user": user,
        "sessions": _session_places(context, user.state) if user else [],
        "lines": _log_lines(card_room, events),
        "following": following,
        "person": person,
        "logins": card_room.users.list_users(),
        "zone_text": card_room.calendar.zone_text,
    }


@router.get(PAGE)
async def show_users(request: Request) -> Response:
    """All users, including deactivated ones."""
    context, query = get_app_context(request), request.query_params
    variables = await context.executors.query(
        _users_variables, context, require_session(request).login, query.get("after", ""), query.get("players") == "too"
    )
    return render_office_page(request, "office/users.html", **variables)


@router.get(f"{PAGE}/log")
async def show_log(request: Request) -> Response:
    """Sign-ins, refusals, and second signatures, newest first."""
    context, query = get_app_context(request), request.query_params
    before = parse_query_number(query, "before", 1) if "before" in query else None
    variables = await context.executors.query(_log_variables, context, query.get("person", ""), before)
    return render_office_page(request, "office/user_history.html", **variables)


@router.api_route(f"{PAGE}/new", methods=["GET", "POST"])
async def register_user(request: Request) -> Response:
    """Add a user."""
    return await _show_or_perform(request, "", "new")


@router.api_route(f"{PAGE}/one-of-each", methods=["GET", "POST"])
async def create_one_of_each(request: Request) -> Response:
    """Add one user for each role, on a demo server."""
    return await _show_or_perform(request, "", "one-of-each")


@router.api_route(f"{PAGE}/{{login}}/{{action_name}}", methods=["GET", "POST"])
async def perform_user_action(request: Request, login: str, action_name: str) -> Response:
    """Recover or deactivate a user, change the role, end a session, or acknowledge a recovery."""
    return await _show_or_perform(request, login, action_name)


async def _show_or_perform(request: Request, login: str, action_name: str) -> Response:
    context, user = get_app_context(request), require_session(request).login
    action = await context.executors.query(build_user_action, context, user, login, action_name)
    if request.method == "GET":
        return show_action(request, action)
    response = await perform_action(request, action)
    context.sessions.forget(login)
    return response
