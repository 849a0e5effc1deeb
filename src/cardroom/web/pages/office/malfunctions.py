"""Reports of malfunctions: opened under the operator's own number, sent within the regulation's hours, closed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from cardroom.errors import BadInput
from cardroom.room.dual_control import require_text
from cardroom.room.setup.calendar import parse_time
from cardroom.room.site.malfunction import (
    BadReport,
    MalfunctionReport,
    describe_clock,
    require_open_report,
    require_report_number,
)
from cardroom.service import CardRoom
from cardroom.service.chains.names import ROOM_CHAIN, jackpot_chain
from cardroom.web.pages.office.actions import FormField, FormValues, OfficeAction, perform_action, show_action
from cardroom.web.pages.office.frame import OfficeRoute, PageNotFound, render_office_page
from cardroom.web.pages.office.rate_changes import REASON_FIELD
from cardroom.web.pages.requests import get_app_context
from cardroom.web.services.app_context import AppContext

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
PAGE: Final = "/office/malfunctions"


def _chains(floor: CardRoom) -> tuple[str, ...]:
    """A report is shown with its jackpot too."""
    return (ROOM_CHAIN, *map(jackpot_chain, floor.list_jackpots()))


def _report_action(context: AppContext, subject: str) -> OfficeAction:
    floor = context.floor

    def do(id: str, user: str, typed: FormValues) -> object:
        number, of, found_at, reason = (typed.get(name, "") for name in ("number", "of", "found_at", "why"))
        return floor.report_malfunction(id, user, number, of, found_at=found_at, why=reason)

    things = [(thing, f"table {thing}") for thing in floor.list_tabulators()] + [
        (thing, f"jackpot {thing}") for thing in floor.list_jackpots()
    ]
    happens = (
        "The report's clock is shown from now on, with the jackpot and at the day's close, until the report is closed.",
        "The regulation counts its hours from the moment at which the malfunction was found (WAC 230-06-054: 72).",
        "Of play money it asks nothing.",
        "A meter is corrected for a malfunction only while its report is open.",
    )
    now = floor.calendar.format_time(context.clock())[:16]
    fields = (
        FormField("number", "Number of the report", "Your own; no report has it again.", parse=require_report_number),
        FormField(
            "of",
            "What broke",
            options=tuple(things),
            value=next((thing for thing, _ in things if thing == subject), things[0][0] if things else ""),
        ),
        FormField(
            "found_at",
            "Found",
            f"By the room's clock: 21:40, or {now}.",
            now,
            parse=lambda form_input: parse_time(form_input, floor.calendar, context.clock()),
        ),
        REASON_FIELD._replace(label="What happened"),
    )
    action = OfficeAction("Report a malfunction", happens, "Open the report", PAGE, do, fields, chains=_chains(floor))
    return action._replace(fields_at_fault=_report_faults)


def _report_faults(values: FormValues, fault: BadInput) -> dict[str, str]:
    """A number that a report has already is told as used; all else is about the time."""
    del values
    if isinstance(fault, BadReport):
        return {"found_at" if "found" in str(fault) else "number": str(fault)}
    return {}


def _sent_action(context: AppContext, number: str) -> OfficeAction:
    floor, report = context.floor, require_open_report(context.floor.room().reports, number)

    def do(id: str, user: str, typed: FormValues) -> object:
        at = typed.get("sent_at", "").strip() or None
        return floor.send_malfunction_report(id, user, report.number, reference=typed.get("reference", ""), sent_at=at)

    happens = (
        f"The report went to the commission: its clock stands ({describe_clock(report, context.clock())}).",
        "It stays open until the matter has ended.",
    )
    fields = (
        FormField(
            "reference",
            "How it went",
            "Such as a fax, a letter, an e-mail and to whom.",
            parse=lambda form_input: require_text(form_input, "reference"),
        ),
        FormField(
            "sent_at",
            "When it went",
            "By the room's clock; empty for now.",
            parse=lambda form_input: parse_time(form_input, floor.calendar, context.clock()) if form_input else None,
        ),
    )
    title = f"Report {report.number} was sent"
    action = OfficeAction(title, happens, "Enter that it was sent", PAGE, do, fields, chains=_chains(floor))
    transmission = report.sent
    already = (
        f"Report {report.number} was sent already: {transmission.reference}, by {transmission.who}."
        if transmission
        else ""
    )
    return action._replace(unavailable_reason=already, refusal_fields=((BadReport, "sent_at"),))


def _close_action(context: AppContext, number: str) -> OfficeAction:
    floor, report = context.floor, require_open_report(context.floor.room().reports, number)

    def do(id: str, user: str, values: FormValues) -> object:
        return floor.close_malfunction_report(id, user, report.number, values.get("why", ""))

    unsent = () if report.sent else ("It was never sent to the commission: its hours will not be shown any more.",)
    happens = ("The matter ends: nothing shows the report's clock from now on.", *unsent)
    action = OfficeAction(
        f"Close report {report.number}", happens, "Close the report", PAGE, do, (REASON_FIELD,), chains=_chains(floor)
    )
    return action._replace(danger=not report.sent)


_ACTIONS: Final[dict[str, Callable[[AppContext, str], OfficeAction]]] = {"sent": _sent_action, "close": _close_action}


def _report_variables(context: AppContext, report: MalfunctionReport) -> dict[str, Any]:
    calendar = context.floor.calendar
    return {
        "report": report,
        "clock": describe_clock(report, context.clock()),
        "late": report.due is not None and (report.sent.at if report.sent else context.clock()) > report.due,
        "found": calendar.format_time(report.found_at)[:16],
        "due": calendar.format_time(report.due)[:16] if report.due else "",
        "sent": calendar.format_time(report.sent.at)[:16] if report.sent else "",
    }


@router.get(PAGE)
async def show_reports(request: Request) -> Response:
    """The reports that are not closed, each with its clock."""
    context = get_app_context(request)

    def read() -> list[dict[str, Any]]:
        return [_report_variables(context, malfunction) for malfunction in context.floor.room().reports]

    reports, format_time = await context.executors.query(read), context.floor.calendar.zone_text
    return render_office_page(request, "office/malfunctions.html", reports=reports, said=format_time)


@router.api_route(f"{PAGE}/new", methods=["GET", "POST"])
async def file_report(request: Request) -> Response:
    """Open a report, or ask for it."""
    context = get_app_context(request)
    action = await context.executors.query(_report_action, context, request.query_params.get("of", ""))
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)


@router.api_route(f"{PAGE}/{{number}}/{{action_name}}", methods=["GET", "POST"])
async def perform_report_action(request: Request, number: str, action_name: str) -> Response:
    """Do something with a report, or ask for it."""
    if action_name not in _ACTIONS:
        raise PageNotFound(f"The office has no page {action_name!r} for a report: it has {', '.join(_ACTIONS)}.")
    context = get_app_context(request)
    action = await context.executors.query(_ACTIONS[action_name], context, number)
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)
