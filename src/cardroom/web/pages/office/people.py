"""People who sign in: everybody with role and state, and the log of the door."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.floor import Floor
from cardroom.floor.kept.chains import person_chain, person_of
from cardroom.floor.kept.door_log import log_of
from cardroom.floor.kept.recall import newest_first
from cardroom.floor.people.happenings import SignedIn
from cardroom.floor.people.registering import could_sign_beside
from cardroom.floor.people.signing import locked_at
from cardroom.floor.people.state import PersonState, SessionStands
from cardroom.floor.telling import told_events
from cardroom.ledger import Event
from cardroom.web.pages.office import people_deeds
from cardroom.web.pages.office.deeds import do_deed, show_deed
from cardroom.web.pages.office.frame import OfficeRoute, number_in, office_page
from cardroom.web.pages.visitors import house_of
from cardroom.web.rights.caller import person_of as who_asks
from cardroom.web.room.house import House

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
PAGE: Final = people_deeds.PAGE
_PEOPLE_A_PAGE: Final = 50
_LINES_A_PAGE: Final = 50


class ListedPerson(NamedTuple):
    """A person as the office lists one."""

    state: PersonState
    stands: str
    sessions: int
    last: str
    """When the person signed in last; empty for never."""


class LogLine(NamedTuple):
    """Something that happened to somebody."""

    login: str
    time: str
    sentences: str


def stands_of(state: PersonState, now: int) -> str:
    """How it is about a person's login, in words."""
    if state.dismissed:
        return f"dismissed: {state.dismissed}"
    if places := locked_at(state, now):
        return f"locked after three wrong passwords at {', '.join(places)}"
    if not state.password:
        return "needs a new password"
    if state.once_until:
        return "password for one time has ended" if now > state.once_until else "has a password for one time"
    return "active"


def _sessions(state: PersonState, now: int) -> dict[str, SessionStands]:
    return {seal: one for seal, one in state.sessions.items() if now <= one.until and not state.dismissed}


def _listed(house: House, login: str) -> ListedPerson:
    floor, now = house.floor, house.clock()
    state = floor.person(login)
    signed = (one for one in newest_first(floor.ledger, person_chain(login)) if one.kind == SignedIn.kind)
    last = next(signed, None)
    when = floor.calendar.told(last.time)[:16] if last else ""
    return ListedPerson(state, stands_of(state, now), len(_sessions(state, now)), when)


def _read(house: House, who: str, after: str, players: bool) -> dict[str, Any]:
    floor = house.floor
    states = (floor.person(one) for one in floor.people() if one > after)
    wanted = [one.login for one in islice((s for s in states if players or s.role.is_staff), _PEOPLE_A_PAGE + 1)]
    everybody = [floor.person(one) for one in floor.people()]
    return {
        "people": [_listed(house, login) for login in wanted[:_PEOPLE_A_PAGE]],
        "following": wanted[_PEOPLE_A_PAGE - 1] if len(wanted) > _PEOPLE_A_PAGE else "",
        "number": len(everybody),
        "players": players,
        "one_of_each": house.rules.demo and len(everybody) == 1,
        "alone": not could_sign_beside(who, everybody),
        "said": floor.calendar.said,
    }


def _told(floor: Floor, events: Iterable[Event]) -> list[LogLine]:
    kept = list(events)
    told = told_events(kept, floor.calendar.told)
    return [
        LogLine(person_of(event.chain) or "", floor.calendar.told(event.time), one.sentences)
        for event, one in zip(kept, told, strict=True)
    ]


def _page_of(events: Iterable[Event]) -> tuple[list[Event], int]:
    """A page of events, and the moment before which the next page begins; 0 at the end. What happened at the very same
    moment stands on one page."""
    some: list[Event] = []
    for event in events:
        if len(some) >= _LINES_A_PAGE and event.time != some[-1].time:
            return some, some[-1].time
        some.append(event)
    return some, 0


def _places(house: House, state: PersonState) -> list[tuple[str, str, SessionStands]]:
    """Where a person is signed in: since when, and until when."""
    told, lasts = house.floor.calendar.told, state.role.lasts
    newest = sorted(_sessions(state, house.clock()).values(), key=lambda one: -one.until)
    return [(told(one.until - lasts), told(one.until), one) for one in newest]


def _log(house: House, person: str, before: int | None) -> dict[str, Any]:
    floor = house.floor
    logins = (person,) if person else floor.people()
    one = _listed(house, person) if person else None  # refuses somebody whom there is not
    events, following = _page_of(log_of(floor.ledger, logins, before))
    return {
        "one": one,
        "sessions": _places(house, one.state) if one else [],
        "lines": _told(floor, events),
        "following": following,
        "person": person,
        "people": floor.people(),
        "said": floor.calendar.said,
    }


@router.get(PAGE)
async def show_people(request: Request) -> Response:
    """Everybody who may sign in, or might once."""
    house, asked = house_of(request), request.query_params
    shown = await house.clerks.look(
        _read, house, who_asks(request).login, asked.get("after", ""), asked.get("players") == "too"
    )
    return office_page(request, "office/people.html", **shown)


@router.get(f"{PAGE}/log")
async def show_log(request: Request) -> Response:
    """Who signed in, who was refused, and what two people signed for; the newest first."""
    house, asked = house_of(request), request.query_params
    before = number_in(asked, "before", 1) if "before" in asked else None
    shown = await house.clerks.look(_log, house, asked.get("person", ""), before)
    return office_page(request, "office/people_log.html", **shown)


@router.api_route(f"{PAGE}/new", methods=["GET", "POST"])
async def register(request: Request) -> Response:
    """Register a person."""
    return await _ask_or_do(request, "", "new")


@router.api_route(f"{PAGE}/one-of-each", methods=["GET", "POST"])
async def one_of_each(request: Request) -> Response:
    """One person of each role, in a room to try out."""
    return await _ask_or_do(request, "", "one-of-each")


@router.api_route(f"{PAGE}/{{login}}/{{deed}}", methods=["GET", "POST"])
async def do(request: Request, login: str, deed: str) -> Response:
    """Recover somebody, give another role, end a session, dismiss."""
    return await _ask_or_do(request, login, deed)


async def _ask_or_do(request: Request, login: str, deed: str) -> Response:
    house, who = house_of(request), who_asks(request).login
    made = await house.clerks.look(people_deeds.deed, house, who, login, deed)
    if request.method == "GET":
        return show_deed(request, made)
    answer = await do_deed(request, made)
    house.sessions.forget(login)
    return answer
