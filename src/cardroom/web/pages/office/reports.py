"""Reports on the ledger, as pages and as CSV, JSON, and PDF files.

A file is written completely into a temporary folder before its first byte is sent.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from cardroom.errors import BadInput, quote
from cardroom.ledger import Event, Time, event_to_json
from cardroom.ledger.proofs import prove_events
from cardroom.private_files import open_private_file
from cardroom.reports.accounting import (
    AccountingReport,
    PeriodBooks,
    activity_report,
    day_book,
    deposits_report,
    history_report,
    master_report,
    meters_report,
    open_room_books,
    recall_report,
    reconciliation_report,
    report_pdf_source,
    section_texts,
    write_report,
)
from cardroom.reports.accounting.export import text_cell
from cardroom.reports.documents.pdf import PdfSource, compile_pdf
from cardroom.room.amount_text import format_amount
from cardroom.room.setup.calendar import parse_day
from cardroom.service import CardRoom
from cardroom.service.chain_descriptions import ROUND_IN_PROGRESS, describe_event, find_first_hidden_event
from cardroom.service.chains.names import jackpot_chain
from cardroom.web.pages.office.frame import BadQueryValue, OfficeRoute, PageNotFound, render_office_page
from cardroom.web.pages.requests import get_app_context
from cardroom.web.services.jobs import Lane
from cardroom.web.services.time_format import iso_day

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
KINDS: Final = {
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".pdf": "application/pdf",
}
_BATCH_SIZE: Final = 500
_COLUMNS: Final = ("chain", "sequence", "time", "id", "kind", "description", "entries", "payload", "previous", "hash")


_HEADERS: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


async def download(request: Request, name: str, write: Callable[[Path], object]) -> Response:
    """A response with a file that ``write`` creates."""
    folder = Path(mkdtemp(prefix="cardroom-"))
    try:
        await get_app_context(request).executors.query(write, folder / name)
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise
    return FileResponse(
        folder / name,
        media_type=KINDS[Path(name).suffix],
        filename=name,
        headers=_HEADERS,
        background=BackgroundTask(rmtree, folder, ignore_errors=True),
    )


async def download_pdf(request: Request, name: str, read: Callable[[], PdfSource]) -> Response:
    """A response with the PDF of what ``read`` reads, typeset in another process."""
    context = get_app_context(request)
    pages = await context.jobs.run(Lane.PAGE, compile_pdf, *await context.executors.query(read))
    return Response(
        pages, headers={**_HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}, media_type=KINDS[".pdf"]
    )


@router.get("/office/downloads/ledger.{suffix}")
async def chain_file(request: Request, suffix: str, chain: str = "") -> Response:
    """A complete chain, as CSV or as JSON lines."""
    card_room = get_app_context(request).card_room
    write = {"csv": _chain_csv, "jsonl": _chain_lines}.get(suffix)
    if write is None:
        raise PageNotFound(f"A chain is available as ledger.csv or ledger.jsonl, not as ledger.{suffix}.")
    if card_room.ledger.head(chain) is None:
        raise PageNotFound(f"The ledger has no chain {chain!r}. Choose one from the list of chains.")
    return await download(request, f"{chain.replace(':', '-')}.{suffix}", lambda path: write(card_room, chain, path))


def _chain_csv(card_room: CardRoom, chain: str, path: Path) -> None:
    last, hidden, position = *_chain_end(card_room, chain), 0
    with open_private_file(path, "w", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(_COLUMNS)
        while batch := prove_events(card_room.ledger, chain, position, _BATCH_SIZE):
            for link in batch:
                event = link.event
                if event.sequence > last:
                    return
                if event.sequence >= hidden:
                    sheet.writerow([chain, *("" for _ in _COLUMNS[1:5]), ROUND_IN_PROGRESS])
                    return
                entries = "; ".join(
                    f"{line.debit} from {line.credit} {format_amount(line.amount)}" for line in link.entries
                )
                sentences = describe_event(event, card_room.calendar.format_time)
                payload = json.dumps(event.payload, ensure_ascii=False)
                time = card_room.calendar.local(event.time).isoformat(timespec="microseconds")
                texts = (event.id, event.kind, sentences, entries, payload, event.previous.hex(), event.hash.hex())
                sheet.writerow([chain, event.sequence, time, *map(text_cell, texts)])
            position = batch[-1].event.sequence


def _chain_lines(card_room: CardRoom, chain: str, path: Path) -> None:
    last, hidden = _chain_end(card_room, chain)
    with open_private_file(path, "w") as file:
        for event in card_room.ledger.events(chain, 0, last):
            if event.sequence >= hidden:
                file.write(json.dumps({"chain": chain, "description": ROUND_IN_PROGRESS}) + "\n")
                return
            file.write(_event_json(event))


def _chain_end(card_room: CardRoom, chain: str) -> tuple[int, int]:
    """The last event of the file, and the first hidden event. The end is read first, so that a round that begins while
    the file is written is not in it."""
    head = card_room.ledger.head(chain)
    return head.sequence if head else 0, find_first_hidden_event(card_room, chain)


def _event_json(event: Event) -> str:
    return json.dumps({**event_to_json(event), "previous": event.previous.hex()}, ensure_ascii=False) + "\n"


_SUFFIXES: Final = ("csv", "json", "pdf")


_QUERY_NAMES: Final = ("of", "from", "to", "rounds")
"""The allowed query parameters."""


class UnknownSubject(BadInput):
    """No table and no jackpot has this name."""


class NoDayYet(BadInput):
    """No gaming day has been opened yet."""


class ReportQuery(NamedTuple):
    """The subject and the period of a report, and whether each round has its own line."""

    subject: str = ""
    first: str = ""
    last: str = ""
    rounds: str = ""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> ReportQuery:
        if unknown := [name for name in query if name not in _QUERY_NAMES]:
            raise BadQueryValue(
                f"A report has no parameter {quote(unknown[0])}. Its parameters are {', '.join(_QUERY_NAMES)}."
            )
        return cls(*(iso_day(query.get(name, "").strip()) for name in _QUERY_NAMES))


class ReportKind(NamedTuple):
    """A kind of report."""

    name: str
    question: str
    make: Callable[[CardRoom, ReportQuery, Time], AccountingReport]
    subject_kind: str = "jackpots"
    """The possible subjects: jackpots, tables, either, or nothing."""
    days: bool = True
    """Whether it covers a period."""


def _open_books(card_room: CardRoom, order: ReportQuery) -> PeriodBooks:
    return open_room_books(card_room, order.first or None, order.last or None)


def _jackpots(books: PeriodBooks, order: ReportQuery) -> tuple[str, ...]:
    if not order.subject:
        return books.jackpots()
    books.card_room.jackpot(order.subject)
    return (order.subject,)


def _history(card_room: CardRoom, order: ReportQuery, now: Time) -> AccountingReport:
    books = _open_books(card_room, order)
    return history_report(books, _jackpots(books, order), now, every_round=order.rounds == "each")


def _on_jackpots(
    make: Callable[[PeriodBooks, tuple[str, ...], Time], AccountingReport],
) -> Callable[[CardRoom, ReportQuery, Time], AccountingReport]:
    def make_report(card_room: CardRoom, order: ReportQuery, now: Time) -> AccountingReport:
        books = _open_books(card_room, order)
        return make(books, _jackpots(books, order), now)

    return make_report


def _master(card_room: CardRoom, order: ReportQuery, now: Time) -> AccountingReport:
    if order.subject:
        card_room.tabulator(order.subject)
    return master_report(_open_books(card_room, order), order.subject or None, now)


def _activity(card_room: CardRoom, order: ReportQuery, now: Time) -> AccountingReport:
    books = _open_books(card_room, order)
    if order.subject:
        subject = _find_subject(card_room, order.subject)
        books = books.switch_currency(subject.money)
    tables, jackpots = books.tables(), books.jackpots()
    jackpots = (order.subject,) if order.subject in jackpots else jackpots
    tables = (order.subject,) if order.subject in tables else tables
    return activity_report(books, jackpots, tables, order.subject or "All tables", now, expected=False)


def _find_subject(card_room: CardRoom, name: str) -> Any:
    if name in card_room.list_tabulators():
        return card_room.tabulator(name)
    if name in card_room.list_jackpots():
        return card_room.jackpot(name)
    raise UnknownSubject(f"There is no table and no jackpot {quote(name)}. Choose one from the list.")


def _past_rounds(card_room: CardRoom, order: ReportQuery, now: Time) -> AccountingReport:
    if not order.subject:
        raise UnknownSubject("Choose the table or jackpot of the recall report.")
    _find_subject(card_room, order.subject)
    return recall_report(open_room_books(card_room), order.subject, now)


def _day_book(card_room: CardRoom, order: ReportQuery, now: Time) -> AccountingReport:
    day, days = parse_day(order.first) if order.first else None, card_room.room().days
    if days.open is None and days.closed is None:
        raise NoDayYet(
            "No gaming day has been opened yet, so there is no day report. Open a day on the first page of the office."
        )
    return day_book(card_room, day, now)


REPORTS: Final[Mapping[str, ReportKind]] = {
    "master": ReportKind(
        "Master games report", "Drop, accruals, payouts, and win of every table by day.", _master, "tables"
    ),
    "activity": ReportKind(
        "Activity", "Coin-in, hits, and hit frequency by game, table, and line.", _activity, "either"
    ),
    "history": ReportKind("Jackpot history", "Every change of every meter, with its reason and user.", _history),
    "meters": ReportKind(
        "Meters", "Each level: contributions, display, reserve, overflow, pending, hits.", _on_jackpots(meters_report)
    ),
    "deposits": ReportKind("Deposits", "Deposits due, made, and late.", _on_jackpots(deposits_report)),
    "reconciliation": ReportKind(
        "Reconciliation",
        "Money owed and the money that covers it; bank statements.",
        _on_jackpots(reconciliation_report),
    ),
    "recall": ReportKind(
        "Recall", "The last rounds of a table or events of a jackpot, in full.", _past_rounds, "either", False
    ),
    "day-book": ReportKind("Day report", "All reports of one gaming day, with its heads.", _day_book, "nothing"),
}


def kind_of(slug: str) -> ReportKind:
    """The report kind with this name in the URL."""
    if slug not in REPORTS:
        raise PageNotFound(f"There is no report {slug!r}. The reports are {', '.join(REPORTS)}.")
    return REPORTS[slug]


def subjects(card_room: CardRoom, kind: ReportKind) -> tuple[str, ...]:
    """The possible subjects of a report."""
    tables = card_room.list_tabulators() if kind.subject_kind in ("tables", "either") else ()
    return (*tables, *(card_room.list_jackpots() if kind.subject_kind in ("jackpots", "either") else ()))


def _line_url(line: object) -> str:
    """The URL of a line's event; empty if it has none."""
    sequence, jackpot = getattr(line, "sequence", None), getattr(line, "jackpot", "")
    chain = getattr(line, "chain", "") or (jackpot_chain(jackpot) if jackpot else "")
    return f"/office/ledger/{chain}?from={sequence}#event-{sequence}" if chain and sequence else ""


@router.get("/office/reports")
async def show_reports(request: Request) -> Response:
    """The list of reports."""
    return render_office_page(request, "office/reports.html", reports=REPORTS)


@router.get("/office/reports/{slug}")
async def show_report(request: Request, slug: str) -> Response:
    """A report as a page."""
    context, kind, order = get_app_context(request), kind_of(slug), ReportQuery.from_query(request.query_params)

    def read() -> dict[str, Any]:
        shown: dict[str, Any] = {
            "subjects": subjects(context.card_room, kind),
            "report": None,
            "parts": (),
            "sentence": "",
        }
        try:
            report = kind.make(context.card_room, order, context.clock())
            return {**shown, "report": report, "parts": tuple(section_texts(report))}
        except BadInput as fault:
            return {**shown, "sentence": str(fault)}

    variables = await context.executors.query(read)
    status = 422 if variables["sentence"] and request.query_params else 200
    query_string = str(request.url.query)
    return render_office_page(
        request,
        "office/report.html",
        address_of=_line_url,
        status=status,
        slug=slug,
        kind=kind,
        order=order,
        query_string=query_string,
        **variables,
    )


@router.get("/office/downloads/report/{slug}.{suffix}")
async def report_file(request: Request, slug: str, suffix: str) -> Response:
    """A report as a file."""
    context, kind, order = get_app_context(request), kind_of(slug), ReportQuery.from_query(request.query_params)
    if suffix not in _SUFFIXES:
        raise PageNotFound(f"A report is available as {', '.join(_SUFFIXES)}, not as {suffix}.")

    def read() -> AccountingReport:
        return kind.make(context.card_room, order, context.clock())

    name = f"{slug}.{suffix}"
    if suffix == "pdf":
        return await download_pdf(request, name, lambda: report_pdf_source(read()))
    return await download(request, name, lambda path: write_report(read(), path))
