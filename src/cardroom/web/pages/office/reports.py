"""Reports on the books: as tables to read, and as CSV, JSON and PDF to take along."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.errors import BadInput, quote
from cardroom.floor import Floor
from cardroom.floor.kept.chains import jackpot_chain
from cardroom.jackpots.setup.calendar import day_told
from cardroom.ledger import Time
from cardroom.reports.accounting import (
    AccountingReport,
    PeriodBooks,
    ReportSection,
    activity_report,
    cell_text,
    day_book,
    deposits_report,
    history_report,
    master_report,
    meters_report,
    open_room_books,
    recall_report,
    reconciliation_report,
    write_report,
)
from cardroom.web.pages.office.downloads import download
from cardroom.web.pages.office.frame import NothingThere, NotInTheAddress, OfficeRoute, office_page
from cardroom.web.pages.visitors import house_of

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
MOST_LINES: Final = 500
"""That a page shows of one part; the files have all of them."""
_SUFFIXES: Final = ("csv", "json", "pdf")


_ASKED: Final = ("of", "from", "to", "rounds")
"""What may stand behind the question mark."""


class UnknownName(BadInput):
    """A name that no table and no jackpot has."""


class NoDayYet(BadInput):
    """A book of days that nobody has opened."""


class Order(NamedTuple):
    """How a report is ordered: of what, from which day to which, and whether each round has a line."""

    of: str = ""
    first: str = ""
    last: str = ""
    rounds: str = ""

    @classmethod
    def asked(cls, asked: Mapping[str, str]) -> Order:
        if unknown := [name for name in asked if name not in _ASKED]:
            raise NotInTheAddress(
                f"{quote(unknown[0])} in the address says nothing to a report: it may have {', '.join(_ASKED)}."
            )
        return cls(*(asked.get(name, "").strip() for name in _ASKED))


class Kind(NamedTuple):
    """A report that there is."""

    name: str
    answers: str
    make: Callable[[Floor, Order, Time], AccountingReport]
    of: str = "jackpots"
    """What it may be narrowed to: jackpots, tables, either, or nothing."""
    days: bool = True
    """Whether it is of a period."""


class PageLine(NamedTuple):
    """A line of a part, and the event that it rests on."""

    cells: tuple[str, ...]
    address: str


class PagePart(NamedTuple):
    """A part as a page shows it."""

    section: ReportSection
    lines: tuple[PageLine, ...]
    total: tuple[str, ...]
    left_out: int


def _books(floor: Floor, order: Order) -> PeriodBooks:
    return open_room_books(floor, order.first or None, order.last or None)


def _jackpots(books: PeriodBooks, order: Order) -> tuple[str, ...]:
    if not order.of:
        return books.jackpots()
    books.floor.jackpot(order.of)
    return (order.of,)


def _history(floor: Floor, order: Order, now: Time) -> AccountingReport:
    books = _books(floor, order)
    return history_report(books, _jackpots(books, order), now, every_round=order.rounds == "each")


def _on_jackpots(
    make: Callable[[PeriodBooks, tuple[str, ...], Time], AccountingReport],
) -> Callable[[Floor, Order, Time], AccountingReport]:
    def made(floor: Floor, order: Order, now: Time) -> AccountingReport:
        books = _books(floor, order)
        return make(books, _jackpots(books, order), now)

    return made


def _master(floor: Floor, order: Order, now: Time) -> AccountingReport:
    if order.of:
        floor.table(order.of)
    return master_report(_books(floor, order), order.of or None, now)


def _activity(floor: Floor, order: Order, now: Time) -> AccountingReport:
    books = _books(floor, order)
    if order.of:
        known = _known(floor, order.of)
        books = books.switch_currency(known.money)
    tables, jackpots = books.tables(), books.jackpots()
    jackpots = (order.of,) if order.of in jackpots else jackpots
    tables = (order.of,) if order.of in tables else tables
    return activity_report(books, jackpots, tables, order.of or "All tables", now, expected=False)


def _known(floor: Floor, name: str) -> Any:
    if name in floor.tables():
        return floor.table(name)
    if name in floor.jackpots():
        return floor.jackpot(name)
    raise UnknownName(f"There is no table and no jackpot {quote(name)}: choose one of the list.")


def _recall(floor: Floor, order: Order, now: Time) -> AccountingReport:
    if not order.of:
        raise UnknownName("A recall is of one table or of one jackpot: choose which.")
    _known(floor, order.of)
    return recall_report(open_room_books(floor), order.of, now)


def _day_book(floor: Floor, order: Order, now: Time) -> AccountingReport:
    wanted, days = day_told(order.first) if order.first else None, floor.room().days
    if days.open is None and days.closed is None:
        raise NoDayYet("No day was ever opened, so there is no book yet: open one on the first page of the office.")
    return day_book(floor, wanted, now)


REPORTS: Final[Mapping[str, Kind]] = {
    "master": Kind(
        "Master games report", "Drop, accruals, payouts and win of every table, day by day.", _master, "tables"
    ),
    "activity": Kind("Activity", "Coin-in, hits and hit frequency by game, table and line.", _activity, "either"),
    "history": Kind("Jackpot history", "Every change of every meter, with reason and who.", _history),
    "meters": Kind(
        "Meters", "Each level: in, displayed, reserve, overflow, pending, hits.", _on_jackpots(meters_report)
    ),
    "deposits": Kind(
        "Deposits", "What is to be deposited, what was, and what came late.", _on_jackpots(deposits_report)
    ),
    "reconciliation": Kind(
        "Reconciliation", "What is owed against what covers it; statements.", _on_jackpots(reconciliation_report)
    ),
    "recall": Kind("Recall", "The last rounds of a table, or events of a jackpot, in full.", _recall, "either", False),
    "day-book": Kind("Day book", "The reports of one gaming day bound together, with its heads.", _day_book, "nothing"),
}


def kind_of(slug: str) -> Kind:
    """A report by its name in the address."""
    if slug not in REPORTS:
        raise NothingThere(f"There is no report {slug!r}: there are {', '.join(REPORTS)}.")
    return REPORTS[slug]


def subjects(floor: Floor, kind: Kind) -> tuple[str, ...]:
    """What a report may be narrowed to."""
    tables = floor.tables() if kind.of in ("tables", "either") else ()
    return (*tables, *(floor.jackpots() if kind.of in ("jackpots", "either") else ()))


def parts_of(report: AccountingReport) -> Iterator[PagePart]:
    """The parts of a report; all lines are read, so that what does not add up is found, and the first are shown."""
    for section in report.sections:
        shown, left_out = list[PageLine](), 0
        for line in section.lines:
            if len(shown) < MOST_LINES:
                shown.append(PageLine(_cells(report, section, line), _address(line)))
            else:
                left_out += 1
        total = _cells(report, section, section.total) if section.total is not None else ()
        yield PagePart(section, tuple(shown), total, left_out)


def _cells(report: AccountingReport, section: ReportSection, line: object) -> tuple[str, ...]:
    calendar = report.calendar
    return tuple(cell_text(one.kind, getattr(line, one.name), calendar) for one in section.display_columns)


def _address(line: object) -> str:
    """The event that a line rests on, where it rests on one."""
    sequence, jackpot = getattr(line, "sequence", None), getattr(line, "jackpot", "")
    chain = getattr(line, "chain", "") or (jackpot_chain(jackpot) if jackpot else "")
    return f"/office/ledger/{chain}?from={sequence}#event-{sequence}" if chain and sequence else ""


@router.get("/office/reports")
async def show_reports(request: Request) -> Response:
    """The reports that there are."""
    return office_page(request, "office/reports.html", reports=REPORTS)


@router.get("/office/reports/{slug}")
async def show_report(request: Request, slug: str) -> Response:
    """A report as tables."""
    house, kind, order = house_of(request), kind_of(slug), Order.asked(request.query_params)

    def read() -> dict[str, Any]:
        shown: dict[str, Any] = {"subjects": subjects(house.floor, kind), "report": None, "parts": (), "sentence": ""}
        try:
            report = kind.make(house.floor, order, house.clock())
            return {**shown, "report": report, "parts": tuple(parts_of(report))}
        except BadInput as fault:
            return {**shown, "sentence": str(fault)}

    shown = await house.clerks.look(read)
    status = 422 if shown["sentence"] and request.query_params else 200
    asked = str(request.url.query)
    return office_page(
        request, "office/report.html", status=status, slug=slug, kind=kind, order=order, asked=asked, **shown
    )


@router.get("/office/downloads/report/{slug}.{suffix}")
async def report_file(request: Request, slug: str, suffix: str) -> Response:
    """A report as a file."""
    house, kind, order = house_of(request), kind_of(slug), Order.asked(request.query_params)
    if suffix not in _SUFFIXES:
        raise NothingThere(f"A report can be had as {', '.join(_SUFFIXES)}, not as {suffix}.")

    def write(path: Path) -> None:
        write_report(kind.make(house.floor, order, house.clock()), path)

    return await download(request, f"{slug}.{suffix}", write)
