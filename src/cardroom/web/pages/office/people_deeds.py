"""What is decided about people's logins: two people do, as soon as there is anybody to be the second. One person ends a
session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from fastapi import Request, Response

from cardroom.floor import Floor
from cardroom.floor.desks.people import Registered
from cardroom.floor.kept.chains import ROOM, person_chain
from cardroom.floor.people.permissions import a_role
from cardroom.floor.people.registering import BadPerson, could_sign_beside, good_login
from cardroom.floor.people.roles import Role, UnknownRole, role_named
from cardroom.floor.people.state import PersonState
from cardroom.jackpots.people import named
from cardroom.jackpots.room.recoveries import recovery_text
from cardroom.web.pages.office.deeds import Deed, Field, Typed, reason, second_of, why_not
from cardroom.web.pages.office.frame import NothingThere, office_page
from cardroom.web.room.house import House

PAGE: Final = "/office/people"
STAFF: Final = tuple(role for role in Role if role.is_staff)
_ROLES: Final = tuple((str(role), str(role)) for role in STAFF)
_ANSWERED: Final = "what becomes of people's logins"
_ALONE: Final = "You do it alone, because nobody else is here yet who could be the second."
_ONE_PERSON: Final = "One person ends a session: the user signs in again with the same password."
ONCE: Final = (
    "The password is shown once, on the next page, and kept nowhere. It is good for one sign-in within 72 hours, at "
    "which the person chooses another one."
)
WHY: Final = Field("why", "Reason", "In your own words; it stands in the books for good.", reads=reason)


def told_once(title: str, back: str) -> Callable[[Request, Any, str], Response]:
    """The page with the passwords for one time, shown this once; without them where the deed was done before."""

    def shows(request: Request, done: Registered | Sequence[Registered], id: str) -> Response:
        each = (done,) if isinstance(done, Registered) else done
        passwords = [(one.login, one.once) for one in each]
        return office_page(request, "office/told_once.html", title=title, back=back, passwords=passwords, done=id)

    return shows


def _alone(floor: Floor, who: str) -> str:
    people = [floor.person(one) for one in floor.people()]
    return "" if could_sign_beside(who, people) else _ALONE


def _deed(floor: Floor, who: str, title: str, happens: tuple[str, ...], button: str) -> Deed:
    made = Deed(title, happens, button, PAGE, lambda *_: None, two=True, answered=_ANSWERED, chains=(ROOM,))
    return made._replace(alone=_alone(floor, who), about=((BadPerson, "login"), (UnknownRole, "role")))


def _register(house: House, who: str) -> Deed:
    floor = house.floor

    def do(id: str, who: str, typed: Typed) -> Registered:
        login, name, role = (typed.get(field, "").strip() for field in ("login", "name", "role"))
        return floor.register_person(id, who, login, name, role_named(role), second=second_of(typed))

    happens = (
        "A person of the staff may sign in from now on, and do what the role may.",
        ONCE,
        "A player's login is made on the player's own page.",
    )
    fields = (
        Field("role", "Role", options=_ROLES, value=_ROLES[0][0], reads=_staff_role),
        Field("login", "Login", "Small letters, digits and dashes; it stands in the books.", reads=_login),
        Field("name", "Name", "As people know the person.", reads=lambda typed: named(typed, "name")),
    )
    made = _deed(floor, who, "Register a person", happens, "Register")
    return made._replace(do=do, fields=fields, shows=told_once(made.title, made.back))


def _staff_role(typed: str) -> Role:
    role = role_named(typed)
    if not role.is_staff:
        raise UnknownRole("A player's login is made on the player's own page: choose a role of the staff.")
    return role


def _login(typed: str) -> str:
    return good_login(typed, ())


def _recover(floor: Floor, who: str, state: PersonState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> Registered:
        return floor.recover_person(id, who, state.login, second=second_of(typed))

    happens = (
        f"{state.name} ({state.login}) gets another password, and the one before is worth nothing any more.",
        "A lock after wrong passwords is lifted, the PIN is forgotten, and every session of the person ends.",
        ONCE,
    )
    made = _deed(floor, who, f"Another password for {state.login}", happens, "Give another password")
    return made._replace(do=do, shows=told_once(made.title, made.back), not_now=_gone(state))


def _role(floor: Floor, who: str, state: PersonState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        role = role_named(typed.get("role", "").strip())
        return floor.give_role(id, who, state.login, role, second=second_of(typed))

    happens = (
        f"{state.name} ({state.login}) is {a_role(state.role)} now, and may do from then on what the new role may.",
        "Every session of the person ends; the password stays.",
    )
    others = tuple(one for one in _ROLES if one[0] != state.role)
    field = Field("role", "New role", options=others, value=others[0][0], reads=role_named)
    made = _deed(floor, who, f"Another role for {state.login}", happens, "Give the role")
    players = "" if state.role.is_staff else "A player has no other role: register another login for the staff."
    return made._replace(do=do, fields=(field,), not_now=_gone(state) or players, danger=True)


def _dismiss(floor: Floor, who: str, state: PersonState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        return floor.dismiss_person(id, who, state.login, typed.get("why", ""), second=second_of(typed))

    happens = (
        f"{state.name} ({state.login}) cannot sign in any more, and every session ends at once.",
        "It is for good: what the person did stays in the books, and nobody else gets the login.",
    )
    made = _deed(floor, who, f"Dismiss {state.login}", happens, "Dismiss")
    return made._replace(do=do, fields=(WHY,), not_now=_gone(state), danger=True)


def _end_session(floor: Floor, _: str, state: PersonState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        return floor.end_session_of(id, who, state.login, typed.get("session", ""), typed.get("why", ""))

    told = floor.calendar.told
    places = tuple(
        (seal, f"since {told(one.until - state.role.lasts)[:16]}, at {one.address}")
        for seal, one in sorted(state.sessions.items(), key=lambda item: -item[1].until)
    )
    happens = (f"{state.name} ({state.login}) has to sign in again at that place, within a second.",)
    field = Field("session", "Which session", options=places, value=places[0][0] if places else "")
    none = "" if places else f"{state.login} is signed in nowhere: there is no session to end."
    title, not_now = f"End a session of {state.login}", _gone(state) or none
    made = Deed(title, happens, "End it", PAGE, do, fields=(field, WHY), chains=(ROOM,), not_now=not_now)
    return made._replace(alone=_ONE_PERSON)


def _acknowledge(floor: Floor, who: str, state: PersonState) -> Deed:
    def do(id: str, who: str, _: Typed) -> object:
        return floor.acknowledge_recovery(id, who, state.login)

    there = [one for one in floor.open_recoveries() if one.login == state.login]
    happens = (
        *(recovery_text(one, floor.calendar) for one in there),
        "You confirm that you know about it, and that it is explained.",
        "The notice goes when two operators have done so, or after 30 days; the record stays for good.",
    )
    refused = "" if there else f"There is no open notice that {state.login} was recovered at the machine."
    if there and all(who in one.acknowledged for one in there):
        refused = "You have acknowledged it already: a second operator acknowledges it too."
    if there and any(who == one.login for one in floor.open_recoveries()):
        refused = (
            "You got a password at the machine, and that is not acknowledged yet: an operator who was not recovered "
            "acknowledges it."
        )
    title = f"{state.login} was recovered at the machine"
    return Deed(title, happens, "Acknowledge", PAGE, do, chains=(ROOM,), not_now=refused)


def _gone(state: PersonState) -> str:
    return f"{state.login} was dismissed ({state.dismissed}): register another login." if state.dismissed else ""


DEEDS: Final[dict[str, Callable[[Floor, str, PersonState], Deed]]] = {
    "recover": _recover,
    "role": _role,
    "end-session": _end_session,
    "dismiss": _dismiss,
    "acknowledge": _acknowledge,
}
"""By what stands in the address behind the login."""


def _one_of_each(house: House, who: str) -> Deed:
    floor = house.floor
    roles = [role for role in STAFF if role is not Role.OPERATOR]

    def do(id: str, who: str, _: Typed) -> list[Registered]:
        return [floor.register_person(f"{id}/{role}", who, str(role), role.title(), role) for role in roles]

    happens = (
        f"A {', a '.join(roles[:-1])} and an {roles[-1]} are registered, each with the role's name as login.",
        "It is for whoever tries this room out alone, and signs in as one after the other. Players come in as guests.",
        ONCE.replace("The password is", "Each password is"),
    )
    made = _deed(floor, who, "Make one person of each role", happens, "Make them")
    not_now = "" if house.rules.demo else "This is no room to try out: register each person."
    if len(floor.people()) > 1:
        not_now = "Others are registered here already: register each person."
    return made._replace(do=do, shows=told_once(made.title, made.back), not_now=not_now)


def deed(house: House, who: str, login: str, what: str) -> Deed:
    """A deed by its address."""
    if not login:
        return _register(house, who) if what == "new" else _one_of_each(house, who)
    if what not in DEEDS:
        raise NothingThere(f"The office has no page {what!r} for a person: it has {', '.join(DEEDS)}.")
    state = house.floor.person(login)
    made = DEEDS[what](house.floor, who, state)
    if made.two and not state.role.is_staff:
        made = made._replace(alone="")  # two people always answer for a player's login
    back = f"{PAGE}/log?person={login}"
    chains = (*made.chains, person_chain(login))
    refused = why_not(lambda: _refuse_oneself(who, login))
    return made._replace(back=back, chains=chains, not_now=made.not_now or refused)


def _refuse_oneself(who: str, login: str) -> None:
    if who == login:
        raise BadPerson("Nobody decides about the own login: use the page of your own account, or ask somebody else.")
