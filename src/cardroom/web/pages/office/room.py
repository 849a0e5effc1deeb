"""What holds in the whole card room: as it is set, every change of it, and changed by two people."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from cardroom.floor import Floor
from cardroom.floor.kept.chains import ROOM
from cardroom.jackpots.setup.room import RoomSettings, settings_entry, settings_from
from cardroom.web.pages.office.deeds import SECOND, Deed, Field, Typed, do_deed, show_deed
from cardroom.web.pages.office.frame import OfficeRoute, office_page
from cardroom.web.pages.office.operator import WHY
from cardroom.web.pages.visitors import house_of

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
PAGE: Final = "/office/room"
_CALLED: Final = {
    "name": ("Name", "As it stands on slips and in the day's book."),
    "time_zone": ("Time zone", "In which times are told and days are counted."),
    "day_starts": ("The gaming day starts", "By the room's clock, such as 06:00."),
    "dealer_pays": ("A dealer pays alone", "What one winner may get of one round; more needs a second person."),
    "rounds_an_hour": ("Rounds an hour at most", "A counter that went on by more needs two people."),
}


def _change(floor: Floor) -> Deed:
    now = settings_entry(floor.room().settings)

    def do(id: str, who: str, typed: Typed) -> object:
        return floor.set_up_room(id, who, _settings(now, typed), typed.get("why", ""), second=typed.get(SECOND, ""))

    happens = (
        "It holds in the whole room from now on, at every table and jackpot; what happened before stays as it was.",
        "Another clock or another start of the day counts the days to come otherwise.",
    )
    fields = tuple(
        Field(name, *_CALLED[name], value=str(value), reads=partial(_alone, now, name)) for name, value in now.items()
    )
    made = Deed("Change what holds in the room", happens, "Change it", PAGE, do, (*fields, WHY), two=True, danger=True)
    stands = "; ".join(f"{name} {value}" for name, value in now.items())
    return made._replace(chains=(ROOM,), answered="what holds in the whole room", stands=stands)


def _alone(now: dict[str, Any], name: str, typed: str) -> RoomSettings:
    """The room with this one changed: what is refused then is the fault of this field."""
    return _settings(now, {name: typed})


def _settings(now: dict[str, Any], typed: Typed) -> RoomSettings:
    """What was typed, read like the room's file."""
    said: dict[str, Any] = {name: typed.get(name, str(now[name])).strip() for name in now}
    rounds = said["rounds_an_hour"]
    if rounds.isascii() and rounds.isdigit() and len(rounds) < 9:
        said["rounds_an_hour"] = int(rounds)
    return settings_from({**now, **said})


@router.get(PAGE)
async def show_room(request: Request) -> Response:
    """What holds, and every change of it."""
    house = house_of(request)

    def read() -> dict[str, Any]:
        floor = house.floor
        now = settings_entry(floor.room().settings)
        changes = [(floor.calendar.told(one.time)[:16], one) for one in reversed(floor.room_history())]
        return {"settings": [(_CALLED[name], value) for name, value in now.items()], "changes": changes}

    return office_page(request, "office/room.html", **await house.clerks.look(read))


@router.api_route(f"{PAGE}/change", methods=["GET", "POST"])
async def change(request: Request) -> Response:
    """Change what holds, or ask for it."""
    house = house_of(request)
    made = await house.clerks.look(_change, house.floor)
    return show_deed(request, made) if request.method == "GET" else await do_deed(request, made)
