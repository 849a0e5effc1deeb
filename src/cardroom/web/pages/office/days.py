"""Gaming days: opened, and closed with the line under everything that happened."""

from __future__ import annotations

from contextlib import suppress

from fastapi import APIRouter, Request, Response

from cardroom.floor.kept.chains import ROOM
from cardroom.heads.destinations import HeadsNotDelivered
from cardroom.jackpots.room.days import CannotKeepDay, next_day
from cardroom.jackpots.setup.calendar import day_told
from cardroom.web.pages.office.deeds import Deed, Field, Typed, do_deed, show_deed
from cardroom.web.pages.office.frame import OfficeRoute
from cardroom.web.pages.office.heads import heads_lines
from cardroom.web.pages.visitors import house_of
from cardroom.web.rights.caller import Caller, caller_of
from cardroom.web.room.house import House

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)


def _opening(house: House) -> Deed:
    floor = house.floor
    opened = floor.room().days.open
    day = next_day(floor.room().days, floor.calendar.day_of(house.clock()))

    def do(id: str, who: str, typed: Typed) -> object:
        return floor.open_day(id, who, typed.get("day") or None)

    return Deed(
        title="Open a gaming day",
        happens=(
            "Reports, deposits and heads count by this day until it is closed.",
            "What has happened since the last day was closed belongs to it.",
            "Play is not touched.",
        ),
        fields=(Field("day", "Day", "As YYYY-MM-DD.", str(day), reads=day_told),),
        about=((CannotKeepDay, "day"),),
        not_now=f"The day {opened} is still open: close it first, on the first page of the office." if opened else "",
        button="Open the day",
        back="/office",
        do=do,
        chains=(ROOM,),
    )


def _closing(house: House, caller: Caller) -> Deed:
    floor = house.floor
    days, matters = floor.room().days, floor.open_matters()
    return Deed(
        title="Close the gaming day",
        happens=(
            f"The day {days.open} is closed: the line is drawn behind the last event of every chain, for good.",
            f"What is open goes into its book: {len(matters)} matter{'s' * (len(matters) != 1)}.",
            *(one.sentence for one in heads_lines(house, caller)),
            "Play goes on; what happens from now on belongs to the next day.",
        ),
        button="Close the day",
        back="/office",
        do=lambda id, who, _: _close(house, id, who),
        chains=(ROOM,),
        danger=True,
        not_now="" if days.open else "No day is open: open one first, on the first page of the office.",
    )


def _close(house: House, id: str, who: str) -> object:
    closed = house.floor.close_day(id, who)
    with suppress(HeadsNotDelivered):  # the day is closed; the office shows which destination is late, and why
        house.floor.send_heads(f"{id} heads", who, house.heads.to)
    return closed


@router.get("/office/day/open")
async def ask_to_open(request: Request) -> Response:
    """The form to open a day."""
    house = house_of(request)
    return show_deed(request, await house.clerks.look(_opening, house))


@router.post("/office/day/open")
async def open_day(request: Request) -> Response:
    """Open a day."""
    house = house_of(request)
    return await do_deed(request, await house.clerks.look(_opening, house))


@router.get("/office/day/close")
async def ask_to_close(request: Request) -> Response:
    """The form to close the day."""
    house = house_of(request)
    return show_deed(request, await house.clerks.look(_closing, house, caller_of(request)))


@router.post("/office/day/close")
async def close_day(request: Request) -> Response:
    """Close the day."""
    house = house_of(request)
    return await do_deed(request, await house.clerks.look(_closing, house, caller_of(request)))
