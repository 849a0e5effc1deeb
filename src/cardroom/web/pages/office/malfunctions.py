"""Malfunction reports: opened under the operator's own number, sent within the regulation's hours, and closed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from cardroom.errors import BadInput
from cardroom.room.dual_control import require_text
from cardroom.room.site.malfunction_reports import (
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
from cardroom.web.services.time_format import format_minute, iso_time, parse_typed_time

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
PAGE: Final = "/office/malfunctions"


def _chains(card_room: CardRoom) -> tuple[str, ...]:
    """The chains whose pages show a report."""
    return (ROOM_CHAIN, *map(jackpot_chain, card_room.list_jackpots()))


def _report_action(context: AppContext, subject: str) -> OfficeAction:
    card_room = context.card_room

    def do(id: str, user: str, typed: FormValues) -> object:
        number, target, found_at, reason = (typed.get(name, "") for name in ("number", "of", "found_at", "why"))
        return card_room.malfunctions.report(id, user, number, target, found_at=iso_time(found_at), why=reason)

    targets = [(target, f"table {target}") for target in card_room.list_tabulators()] + [
        (target, f"jackpot {target}") for target in card_room.list_jackpots()
    ]
    consequences = (
        "The report and its deadline appear with the jackpot and in the day report until the report is closed.",
        "The deadline counts from the time the malfunction was found (72 hours, WAC 230-06-054).",
        "Play money has no deadline.",
        "A meter can be corrected for a malfunction only while its report is open.",
    )
    now = format_minute(card_room.calendar, context.clock())
    fields = (
        FormField("number", "Report number", "Your own number. Use each only once.", parse=require_report_number),
        FormField(
            "of",
            "Equipment",
            options=tuple(targets),
            value=next((target for target, _ in targets if target == subject), targets[0][0] if targets else ""),
        ),
        FormField(
            "found_at",
            "Found",
            f"By the card room's clock, such as 9:40 PM or {now}.",
            now,
            parse=lambda form_input: parse_typed_time(form_input, card_room.calendar, context.clock()),
        ),
        REASON_FIELD._replace(label="What happened"),
    )
    action = OfficeAction(
        "Report a malfunction", consequences, "Open the report", PAGE, do, fields, chains=_chains(card_room)
    )
    return action._replace(fields_at_fault=_report_faults)


def _report_faults(values: FormValues, fault: BadInput) -> dict[str, str]:
    """The field of a refusal: the number, or the time that it was found."""
    del values
    if isinstance(fault, BadReport):
        return {"found_at" if "found" in str(fault) else "number": str(fault)}
    return {}


def _sent_action(context: AppContext, number: str) -> OfficeAction:
    card_room, report = context.card_room, require_open_report(context.card_room.room().reports, number)

    def do(id: str, user: str, typed: FormValues) -> object:
        sent_at = iso_time(typed.get("sent_at", "").strip()) or None
        return card_room.malfunctions.send(
            id, user, report.number, reference=typed.get("reference", ""), sent_at=sent_at
        )

    consequences = (
        f"The report was sent to the commission. Its clock stops ({describe_clock(report, context.clock())}).",
        "The report stays open until you close it.",
    )
    fields = (
        FormField(
            "reference",
            "How it was sent",
            "Such as a fax, letter, or email, and the recipient.",
            parse=lambda form_input: require_text(form_input, "reference"),
        ),
        FormField(
            "sent_at",
            "When it was sent",
            "By the card room's clock. Leave empty for now.",
            parse=lambda form_input: (
                parse_typed_time(form_input, card_room.calendar, context.clock()) if form_input else None
            ),
        ),
    )
    title = f"Mark report {report.number} as sent"
    action = OfficeAction(title, consequences, "Mark as sent", PAGE, do, fields, chains=_chains(card_room))
    transmission = report.sent
    already_sent = (
        f"Report {report.number} was already sent: {transmission.reference}, by {transmission.who}."
        if transmission
        else ""
    )
    return action._replace(unavailable_reason=already_sent, refusal_fields=((BadReport, "sent_at"),))


def _close_action(context: AppContext, number: str) -> OfficeAction:
    card_room, report = context.card_room, require_open_report(context.card_room.room().reports, number)

    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.malfunctions.close(id, user, report.number, values.get("why", ""))

    unsent = () if report.sent else ("It was not sent to the commission. Its deadline will no longer be shown.",)
    consequences = ("The report is closed, and no page shows its clock.", *unsent)
    action = OfficeAction(
        f"Close report {report.number}",
        consequences,
        "Close the report",
        PAGE,
        do,
        (REASON_FIELD,),
        chains=_chains(card_room),
    )
    return action._replace(danger=not report.sent)


_ACTIONS: Final[dict[str, Callable[[AppContext, str], OfficeAction]]] = {"sent": _sent_action, "close": _close_action}


def _report_variables(context: AppContext, report: MalfunctionReport) -> dict[str, Any]:
    calendar = context.card_room.calendar
    return {
        "report": report,
        "clock": describe_clock(report, context.clock()),
        "late": report.due is not None and (report.sent.at if report.sent else context.clock()) > report.due,
        "found": format_minute(calendar, report.found_at),
        "due": format_minute(calendar, report.due) if report.due else "",
        "sent": format_minute(calendar, report.sent.at) if report.sent else "",
    }


@router.get(PAGE)
async def show_reports(request: Request) -> Response:
    """The open reports, each with its clock."""
    context = get_app_context(request)

    def read() -> list[dict[str, Any]]:
        return [_report_variables(context, malfunction) for malfunction in context.card_room.room().reports]

    reports, zone_text = await context.executors.query(read), context.card_room.calendar.zone_text
    return render_office_page(request, "office/malfunctions.html", reports=reports, zone_text=zone_text)


@router.api_route(f"{PAGE}/new", methods=["GET", "POST"])
async def file_report(request: Request) -> Response:
    """The form to open a report, and its execution."""
    context = get_app_context(request)
    action = await context.executors.query(_report_action, context, request.query_params.get("of", ""))
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)


@router.api_route(f"{PAGE}/{{number}}/{{action_name}}", methods=["GET", "POST"])
async def perform_report_action(request: Request, number: str, action_name: str) -> Response:
    """The form of an action with a report, and its execution."""
    if action_name not in _ACTIONS:
        raise PageNotFound(f"The office has no page {action_name!r} for a report: its pages are {', '.join(_ACTIONS)}.")
    context = get_app_context(request)
    action = await context.executors.query(_ACTIONS[action_name], context, number)
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)
