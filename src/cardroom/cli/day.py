"""`cardroom day`: the line that reports, deposits and heads follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.deeds import Deed, Look, deed, look

if TYPE_CHECKING:
    from cardroom.cli.shared.office import Sender
    from cardroom.floor import Floor

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

Day = Annotated[str | None, typer.Option(metavar="DATE", help="The gaming day, such as 2026-03-02.")]
Output = Annotated[
    str | None, typer.Option("--output", "-o", metavar="FILE.pdf", help="Print the day's book into this file.")
]


@app.callback()
def day() -> None:
    """Open and close gaming days: reports, deposits and heads follow the line that a close draws.

    A day never stops play. What happens between two days belongs to the later one.
    """


@deed(app, "day open --by rosa", "day open --day 2026-03-02 --by rosa", name="open")
def open_day(day: Day = None) -> Deed:
    """Open a gaming day: today's, or the next one when that is closed already."""
    from cardroom.floor.entries import day_standing_entry
    from cardroom.terminal.pages.card_room import opened_day_page

    def do(sent: Sender) -> Answer:
        standing = sent.floor.open_day(sent.id, sent.who, day)
        return Answer(day_standing_entry(standing), opened_day_page(standing))

    return do


@deed(app, "day close --by rosa", "day close -o book-2026-03-02.pdf --by rosa", name="close")
def close_day(output: Output = None) -> Deed:
    """Close the day that is open: list what is open, and send the heads of all chains out.

    The day closes whatever is open. If the heads cannot go out, the day is closed all the same, the exit code is 1, and
    `cardroom heads export` sends them again.
    """
    from cardroom.cli.shared.days import book_written, refuse_book_file
    from cardroom.floor.entries import day_standing_entry, heads_out_entry
    from cardroom.heads.destinations import HeadsNotDelivered
    from cardroom.machine_config import load_machine_config
    from cardroom.terminal.pages.card_room import closed_day_page

    file, to = refuse_book_file(output), load_machine_config().heads

    def do(sent: Sender) -> Answer:
        floor, heads, stayed = sent.floor, None, ""
        standing = floor.close_day(sent.id, sent.who)
        try:
            heads = floor.send_heads(f"{sent.id} heads", sent.who, to)
        except HeadsNotDelivered as fault:
            stayed = str(fault)
        failed = bool(stayed and to)
        page = closed_day_page(standing, heads, stayed, has_failed=failed)
        entry = {**day_standing_entry(standing), "heads": heads_out_entry(heads) if heads else None, "stayed": stayed}
        answer = Answer(entry, page, holds=not failed)
        return answer if file is None else book_written(floor, standing.day, file, answer)

    return do


@look(app, "day show", "day show --day 2026-03-02", "day show --json")
def show(day: Day = None) -> Look:
    """Show which day is open and what is open in it, or how a past one was closed."""
    from cardroom.cli.shared.days import day_answer
    from cardroom.jackpots.setup.calendar import day_told

    chosen = None if day is None else day_told(day)
    return lambda floor: day_answer(floor, chosen)


@look(app, "day book -o book.pdf", "day book --day 2026-03-02 -o book-2026-03-02.pdf")
def book(
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE.pdf", help="Print it into this file.", show_default=False)
    ],
    day: Day = None,
) -> Look:
    """Print a day's book as one PDF; of the last day that was closed when none is named.

    Printed again later it is the same: it follows from what happened up to the line under the day.
    """
    from cardroom.cli.shared.days import book_written, refuse_book_file
    from cardroom.jackpots.setup.calendar import day_told

    file, chosen = refuse_book_file(output), None if day is None else day_told(day)
    assert file is not None

    def read(floor: Floor) -> Answer:
        return book_written(floor, chosen, file)

    return read
