"""What commands on gaming days have in common: a page of a day, and its book."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from rich.console import Group
from rich.text import Text

from cardroom.cli.shared.answers import Answer
from cardroom.floor import Floor
from cardroom.floor.entries import kept_day_entry
from cardroom.floor.kept.days import kept_day
from cardroom.ledger import system_clock
from cardroom.reports.accounting import BadReportFile, day_book, refuse_report_file, write_report
from cardroom.terminal.pages.card_room import day_page


def day_answer(floor: Floor, chosen: date | None) -> Answer:
    """The day that was asked for, or the one that is open."""
    days = floor.room().days
    wanted, last = chosen or days.open, None
    day = None if wanted is None else kept_day(floor.ledger, wanted)
    if day is None and days.closed is not None:
        last = kept_day(floor.ledger, days.closed)
    matters = () if day is not None and day.closed else floor.open_matters()
    return Answer(kept_day_entry(day, matters), day_page(day, matters, last, floor.calendar))


def refuse_book_file(output: str | None) -> Path | None:
    """Say at once that a book cannot be printed there."""
    if output is None:
        return None
    file = Path(output)
    if file.suffix.lower() != ".pdf":
        raise BadReportFile(f"A day's book is a .pdf; {file.name!r} is not.")
    refuse_report_file(file)
    return file


def book_written(floor: Floor, day: date | None, file: Path, before: Answer | None = None) -> Answer:
    """Print the book of a day, and say so after what was said before. What does not add up is a "no"."""
    made = day_book(floor, day, system_clock())
    write_report(made, file)
    words = f"{file}: {made.kind}, {made.subject}, {made.period}."
    lines = [Text(words), *(Text(f"Does not add up: {fault}") for fault in made.faults)]
    entry = {"path": str(file), "day": str(made.period.first), "faults": made.faults}
    if before is None:
        return Answer(entry, Group(*lines), holds=not made.faults)
    return Answer({**before.entry, "book": entry}, Group(before.page, *lines), before.holds and not made.faults)
