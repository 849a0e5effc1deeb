"""Reports of malfunctions: opened under the operator's own number, sent within the regulation's hours, closed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from cardroom.errors import BadInput
from cardroom.floor import Floor
from cardroom.floor.kept.chains import ROOM, jackpot_chain
from cardroom.jackpots.people import named
from cardroom.jackpots.room.reports import (
    CannotReport,
    MalfunctionReport,
    clock_words,
    open_report,
    report_number,
)
from cardroom.jackpots.setup.told_time import time_told
from cardroom.web.pages.office.deeds import Deed, Field, Typed, do_deed, show_deed
from cardroom.web.pages.office.frame import NothingThere, OfficeRoute, office_page
from cardroom.web.pages.office.operator import WHY
from cardroom.web.pages.visitors import house_of
from cardroom.web.room.house import House

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
PAGE: Final = "/office/malfunctions"


def _chains(floor: Floor) -> tuple[str, ...]:
    """A report is shown with its jackpot too."""
    return (ROOM, *map(jackpot_chain, floor.jackpots()))


def _report(house: House, of: str) -> Deed:
    floor = house.floor

    def do(id: str, who: str, typed: Typed) -> object:
        number, of, found, why = (typed.get(name, "") for name in ("number", "of", "found_at", "why"))
        return floor.report_malfunction(id, who, number, of, found_at=found, why=why)

    things = [(one, f"table {one}") for one in floor.tables()] + [(one, f"jackpot {one}") for one in floor.jackpots()]
    happens = (
        "The report's clock is shown from now on, with the jackpot and at the day's close, until the report is closed.",
        "The regulation counts its hours from the moment at which the malfunction was found (WAC 230-06-054: 72).",
        "Of play money it asks nothing.",
        "A meter is corrected for a malfunction only while its report is open.",
    )
    now = floor.calendar.told(house.clock())[:16]
    fields = (
        Field("number", "Number of the report", "Your own; no report has it again.", reads=report_number),
        Field(
            "of",
            "What broke",
            options=tuple(things),
            value=next((one for one, _ in things if one == of), things[0][0] if things else ""),
        ),
        Field(
            "found_at",
            "Found",
            f"By the room's clock: 21:40, or {now}.",
            now,
            reads=lambda typed: time_told(typed, floor.calendar, house.clock()),
        ),
        WHY._replace(label="What happened"),
    )
    made = Deed("Report a malfunction", happens, "Open the report", PAGE, do, fields, chains=_chains(floor))
    return made._replace(blamed=_about_a_report)


def _about_a_report(typed: Typed, fault: BadInput) -> dict[str, str]:
    """A number that a report has already is told as used; all else is about the time."""
    del typed
    if isinstance(fault, CannotReport):
        return {"found_at" if "found" in str(fault) else "number": str(fault)}
    return {}


def _sent(house: House, number: str) -> Deed:
    floor, report = house.floor, open_report(house.floor.room().reports, number)

    def do(id: str, who: str, typed: Typed) -> object:
        at = typed.get("sent_at", "").strip() or None
        return floor.send_report(id, who, report.number, reference=typed.get("reference", ""), sent_at=at)

    happens = (
        f"The report went to the commission: its clock stands ({clock_words(report, house.clock())}).",
        "It stays open until the matter has ended.",
    )
    fields = (
        Field(
            "reference",
            "How it went",
            "Such as a fax, a letter, an e-mail and to whom.",
            reads=lambda typed: named(typed, "reference"),
        ),
        Field(
            "sent_at",
            "When it went",
            "By the room's clock; empty for now.",
            reads=lambda typed: time_told(typed, floor.calendar, house.clock()) if typed else None,
        ),
    )
    title = f"Report {report.number} was sent"
    made = Deed(title, happens, "Enter that it was sent", PAGE, do, fields, chains=_chains(floor))
    sent = report.sent
    already = f"Report {report.number} was sent already: {sent.reference}, by {sent.who}." if sent else ""
    return made._replace(not_now=already, about=((CannotReport, "sent_at"),))


def _close(house: House, number: str) -> Deed:
    floor, report = house.floor, open_report(house.floor.room().reports, number)

    def do(id: str, who: str, typed: Typed) -> object:
        return floor.close_report(id, who, report.number, typed.get("why", ""))

    unsent = () if report.sent else ("It was never sent to the commission: its hours will not be shown any more.",)
    happens = ("The matter ends: nothing shows the report's clock from now on.", *unsent)
    made = Deed(f"Close report {report.number}", happens, "Close the report", PAGE, do, (WHY,), chains=_chains(floor))
    return made._replace(danger=not report.sent)


_DEEDS: Final[dict[str, Callable[[House, str], Deed]]] = {"sent": _sent, "close": _close}


def _told(house: House, report: MalfunctionReport) -> dict[str, Any]:
    calendar = house.floor.calendar
    return {
        "report": report,
        "clock": clock_words(report, house.clock()),
        "late": report.due is not None and (report.sent.at if report.sent else house.clock()) > report.due,
        "found": calendar.told(report.found_at)[:16],
        "due": calendar.told(report.due)[:16] if report.due else "",
        "sent": calendar.told(report.sent.at)[:16] if report.sent else "",
    }


@router.get(PAGE)
async def show_reports(request: Request) -> Response:
    """The reports that are not closed, each with its clock."""
    house = house_of(request)

    def read() -> list[dict[str, Any]]:
        return [_told(house, one) for one in house.floor.room().reports]

    reports, said = await house.clerks.look(read), house.floor.calendar.said
    return office_page(request, "office/malfunctions.html", reports=reports, said=said)


@router.api_route(f"{PAGE}/new", methods=["GET", "POST"])
async def report(request: Request) -> Response:
    """Open a report, or ask for it."""
    house = house_of(request)
    made = await house.clerks.look(_report, house, request.query_params.get("of", ""))
    return show_deed(request, made) if request.method == "GET" else await do_deed(request, made)


@router.api_route(f"{PAGE}/{{number}}/{{deed}}", methods=["GET", "POST"])
async def do(request: Request, number: str, deed: str) -> Response:
    """Do something with a report, or ask for it."""
    if deed not in _DEEDS:
        raise NothingThere(f"The office has no page {deed!r} for a report: it has {', '.join(_DEEDS)}.")
    house = house_of(request)
    made = await house.clerks.look(_DEEDS[deed], house, number)
    return show_deed(request, made) if request.method == "GET" else await do_deed(request, made)
