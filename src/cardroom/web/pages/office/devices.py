"""Devices: what is heard of each; registered, renewed, withdrawn. A token is on the one page that answers the form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import groupby
from typing import Final

from fastapi import APIRouter, Request, Response

from cardroom.errors import BadInput
from cardroom.floor import Floor, Mode, TokenGiven
from cardroom.floor.felt.naming import PRACTICE
from cardroom.floor.kept.chains import ROOM, table_chain
from cardroom.jackpots.room.devices import CountsAlready, NameInUse, refuse_second_counter, refuse_used_name, too_many
from cardroom.jackpots.setup.devices import BadDevice, DeviceKind, device_kind, device_name, refuse_unfit
from cardroom.jackpots.tabulator.logger import pass_over
from cardroom.web.pages.office.deeds import Deed, Field, Typed, do_deed, second_of, show_deed, why_not
from cardroom.web.pages.office.frame import NothingThere, OfficeRoute, office_page, office_part
from cardroom.web.pages.office.operator import WHY
from cardroom.web.pages.visitors import house_of
from cardroom.web.rights.caller import Caller, caller_of
from cardroom.web.room.boards import Board, follow
from cardroom.web.room.hearing import DEVICES, HEARD
from cardroom.web.room.house import House

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
PAGE: Final = "/office/devices"
_DOES: Final = {
    DeviceKind.TABULATOR: "It posts each press of the dealer's button, and says which lights have failed.",
    DeviceKind.DATA_LOGGER: "It forwards the records of its file, and says which lights have failed.",
    DeviceKind.LED: "It fetches the line that the sign shows. It changes nothing.",
    DeviceKind.MONITOR: "It follows what the table's monitor shows. It changes nothing.",
    DeviceKind.CONSOLE: "It runs the live table step by step, as its dealer does, and claims what hands have won.",
}
_KINDS: Final = tuple((str(one), one.words) for one in DeviceKind)
_ONCE: Final = "The page that follows shows its token, once. Have the device at hand: nobody can show it again."


def board(house: House, caller: Caller) -> Board:
    """The list as long as it is open."""

    def draw() -> str:
        seen = house.hearing.seen()
        by_table = groupby((one for one in seen if not one.stands.withdrawn), key=lambda one: one.stands.table)
        return office_part(
            "office/devices_now.html",
            may_open=caller.may_open,
            tables=[(table, list(devices)) for table, devices in by_table],
            withdrawn=[one for one in seen if one.stands.withdrawn],
            said=house.floor.calendar.said,
        )

    return Board(follow(ROOM, DEVICES, HEARD), draw)


@router.get(PAGE)
async def show_devices(request: Request) -> Response:
    """Every device."""
    house = house_of(request)
    return office_page(
        request, "office/devices.html", now=await house.clerks.look(board(house, caller_of(request)).draw)
    )


# A new one.


def _places(floor: Floor) -> list[str]:
    """Where a device can stand: at a tabulator, or where a dealer deals."""
    units = [one for one in floor.tables() if not floor.table(one).closed]
    felts = (floor.felt(one) for one in floor.felt_versions(besides=PRACTICE))
    dealt = [one.table for one in felts if one.terms.mode is Mode.LIVE and not one.closed]
    return sorted({*units, *dealt})


def _fits(floor: Floor, kind: DeviceKind, table: str) -> None:
    """Refuse a kind that the table's tabulator does not have."""
    if kind is not DeviceKind.CONSOLE:
        refuse_unfit(kind, table, floor.table(table).tabulator.table.model)


def _faults(floor: Floor, typed: Typed) -> dict[str, str]:
    """Everything that stands against it, each beside its field."""
    devices, table = floor.devices(), typed.get("table", "")
    if table not in _places(floor):
        return {"table": f"A device stands at a tabulator, or where a dealer deals: {', '.join(_places(floor))}."}
    kind, name = device_kind(typed.get("kind", "")), device_name(typed.get("device", "").strip())
    told = {
        "kind": why_not(lambda: _fits(floor, kind, table))
        or why_not(lambda: refuse_second_counter(devices, kind, table)),
        "device": why_not(lambda: refuse_used_name(devices, name)),
    }
    return {field: sentence for field, sentence in told.items() if sentence}


def _foreseen(floor: Floor, typed: Typed) -> tuple[str, ...]:
    kind, table, name = device_kind(typed.get("kind", "")), typed.get("table", ""), typed.get("device", "").strip()
    if name and (faults := _faults(floor, typed)):
        return tuple(f"It would be refused: {one}" for one in faults.values())
    return (f"{name or 'The device'} speaks for {table} as its {kind.words}, and for no other table. {_DOES[kind]}",)


def _new(floor: Floor, at: str) -> Deed:
    places = _places(floor)

    def do(id: str, who: str, typed: Typed) -> TokenGiven:
        name = typed.get("device", "").strip()
        return floor.register_device(id, who, typed.get("table", ""), name, typed.get("kind", ""))

    fields = (
        Field("table", "Table", options=tuple((one, one) for one in places), value=at or places[0] if places else ""),
        Field("kind", "Kind", options=_KINDS, value=DeviceKind.TABULATOR, reads=device_kind),
        Field("device", "Name", "Such as the number on its case.", reads=device_name),
    )
    about = (NameInUse, "device"), (CountsAlready, "kind"), (BadDevice, "kind"), (BadInput, "table")
    return Deed(
        "Register a device",
        (_ONCE,),
        "Register it, and show its token",
        PAGE,
        do,
        fields=fields,
        not_now="" if places else "No table has a tabulator or a dealer: set one up first.",
        about=about,
        blamed=lambda typed, _: _faults(floor, typed),
        chains=(ROOM,),
        foresee=partial(_foreseen, floor),
        shows=_show_token,
    )


def _show_token(request: Request, given: TokenGiven, id: str) -> Response:
    """The token; or, when the form comes a second time, that it was shown."""
    return office_page(request, "office/token.html", given=given, done=id)


@router.api_route(f"{PAGE}/new", methods=["GET", "POST"])
async def register(request: Request) -> Response:
    """Register a device, or ask for it."""
    house = house_of(request)
    made = await house.clerks.look(_new, house.floor, request.query_params.get("table", ""))
    return show_deed(request, made) if request.method == "GET" else await do_deed(request, made)


# One that is there.


def _deed(
    floor: Floor, device: str, title: str, button: str, happens: tuple[str, ...], do: Callable[..., object]
) -> Deed:
    stands = floor.device(device)
    gone = f"Device {device} was withdrawn already ({stands.withdrawn})." if stands.withdrawn else ""
    made = Deed(f"{title} {device}", happens, button, f"{PAGE}#at-{stands.table}", do, fields=(WHY,), not_now=gone)
    return made._replace(chains=(ROOM, table_chain(stands.table)), stands=str(stands.generation))


def _renew(floor: Floor, device: str) -> Deed:
    def do(id: str, who: str, typed: Typed) -> TokenGiven:
        return floor.renew_device(id, who, device, typed.get("why", ""))

    happens = (
        f"The token that {device} has is worth nothing from now on: it is refused until it has the new one.",
        _ONCE,
    )
    return _deed(floor, device, "Make another token for", "Make another token", happens, do)._replace(shows=_show_token)


def _withdraw(floor: Floor, device: str) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        return floor.withdraw_device(id, who, device, typed.get("why", ""))

    stands = floor.device(device)
    counts = f" Until another is registered, nothing is counted at {stands.table} but by hand." * stands.kind.counts
    happens = (
        f"{device} speaks for {stands.table} no more, and its token never comes back.{counts}",
        "Registered again under its name, it gets another one.",
    )
    return _deed(floor, device, "Withdraw", "Withdraw it", happens, do)._replace(danger=True)


def _accept_gap(floor: Floor, device: str) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        return floor.accept_gap(id, who, device, typed.get("why", ""), second=second_of(typed))

    held = floor.device(device).held_up
    gap = held.gap if held else None
    lost = "The records of the gap are passed over for good. The counter, as it stood there, stands for what was lost."
    happens = (held.why, lost) if held else (lost,)
    made = _deed(floor, device, "Accept the gap of", "Accept the gap", happens, do)
    none = f"Device {device} has no gap to accept."
    if gap is not None:
        unit = floor.table(floor.device(device).table).tabulator
        none = why_not(lambda: pass_over(unit, gap.mark, by="the first", second="the second", why="foreseen"))
    made = made._replace(two=True, answered="records of a data logger that are passed over", danger=True)
    return made._replace(not_now=made.not_now or none, stands=held.why if held else "")


def _accept_rounds(floor: Floor, device: str) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        rounds, why = whole_number(typed.get("rounds", "").strip()), typed.get("why", "")
        return floor.accept_rounds(id, who, device, rounds, why, second=second_of(typed))

    held = floor.device(device).held_up
    happens = (
        held.why if held else f"Device {device} is not on hold.",
        "So many of the rounds that it has not delivered are counted when it sends them again, each once.",
        "Compare the unit's counter with what is known before you accept them.",
    )
    made = _deed(floor, device, "Accept rounds of", "Accept the rounds", happens, do)
    rounds = Field("rounds", "Rounds", "How many it may send.", value="1", reads=whole_number)
    answered = "rounds that a device has sent too many of"
    made = made._replace(fields=(rounds, WHY), two=True, answered=answered, danger=True)
    return made._replace(not_now=made.not_now or why_not(lambda: too_many(floor.devices(), device)))


def _refuse_rounds(floor: Floor, device: str) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        return floor.refuse_rounds(id, who, device, typed.get("why", ""), second=second_of(typed))

    held = floor.device(device).held_up
    happens = (
        held.why if held else f"Device {device} is not on hold.",
        "The rounds that wait are never counted. The device is withdrawn, and its token never comes back.",
        "Clear what it still has to send before you register it again.",
    )
    made = _deed(floor, device, "Refuse rounds of", "Refuse the rounds", happens, do)
    made = made._replace(two=True, answered="rounds that a device has sent too many of", danger=True)
    return made._replace(not_now=made.not_now or why_not(lambda: too_many(floor.devices(), device)))


def whole_number(typed: str) -> int:
    """How many."""
    if not (typed.isascii() and typed.isdecimal()) or len(typed) > 9:
        raise BadInput("Give a whole number, such as 12.")
    return int(typed)


DEEDS: Final[Mapping[str, Callable[[Floor, str], Deed]]] = {
    "renew": _renew,
    "withdraw": _withdraw,
    "accept-gap": _accept_gap,
    "accept-rounds": _accept_rounds,
    "refuse-rounds": _refuse_rounds,
}


@router.api_route(f"{PAGE}/{{device}}/{{deed}}", methods=["GET", "POST"])
async def do(request: Request, device: str, deed: str) -> Response:
    """Do something with a device, or ask for it."""
    if deed not in DEEDS:
        raise NothingThere(f"The office has no page {deed!r} for a device: it has {', '.join(DEEDS)}.")
    house = house_of(request)
    made = await house.clerks.look(DEEDS[deed], house.floor, device)
    return show_deed(request, made) if request.method == "GET" else await do_deed(request, made)
