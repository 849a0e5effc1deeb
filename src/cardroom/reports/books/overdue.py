"""A deposit that is due, said in every report on a jackpot that tells how it stands now."""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.floor.kept.waiting import deposit_due
from cardroom.ledger import Time
from cardroom.reports.books.reading import Books
from cardroom.reports.books.statement import in_dollars


def overdue_notes(books: Books, jackpots: tuple[str, ...], prepared: Time) -> Iterator[str]:
    """What has to be at the bank by the time at which the report is made. A report up to a certain day tells only of
    that day and those before it, whenever it is printed."""
    if books.period.last is not None:
        return
    for jackpot in jackpots:
        due = deposit_due(books.floor.ledger, books.floor.jackpot(jackpot), books.calendar, prepared)
        if due is not None and due.is_due:
            late = "OVERDUE" if due.overdue_days else "DUE"
            waits = f"{in_dollars(due.amount)} waits since {due.since} and had to be at the bank by {due.by}"
            yield f"DEPOSIT {late}. {jackpot}: {waits}."
