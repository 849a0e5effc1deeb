"""Andromeda-1's data logger: the unit writes down each press of the button, and forwards it later."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.jackpot.rounds import Lammers, Positions, both_places
from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.options import By, Database, JsonOfBooks, RoundId, Second, TableName, Why, examples
from cardroom.errors import BadInput

if TYPE_CHECKING:
    from cardroom.floor import LoggerFile

PANEL: Final = "Andromeda-1's data logger"
app = typer.Typer()

LogFile = Annotated[str, typer.Argument(metavar="FILE", help="The data logger's file.", show_default=False)]


@app.command(
    rich_help_panel=PANEL,
    epilog=examples(
        "jackpot press A1-77.log --unit A1-77 --positions 1,4 --dealer kim (begins the file)",
        "jackpot press A1-77.log --positions 1,2,6 --lammers 2 --round 20260302-117 --dealer kim",
    ),
)
def press(
    file: LogFile,
    positions: Positions,
    lammers: Lammers = None,
    round_id: RoundId = None,
    unit: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="The number on the case, where the file begins.")
    ] = None,
    counter: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="What the counter shows afterwards, where it is not one for each wager."),
    ] = None,
    dealer: Annotated[
        str, typer.Option(metavar="LOGIN", help="Who deals, as the unit was told.", show_default=False)
    ] = "",
    as_json: JsonOfBooks = False,
) -> None:
    """Press the button of an Andromeda-1 while the server is away: the record is safe in the file, and waits there.

    Nobody can sign in then: the record says who deals as the unit was told, and the books also name who forwards it.
    """
    from cardroom.floor import LoggerFile, LoggerFull
    from cardroom.jackpots.plain import written
    from cardroom.ledger import system_clock

    covered, marked = both_places(positions, lammers)
    if not dealer.strip():
        raise BadInput("Say who deals with --dealer LOGIN: the record names a person.")
    if {*covered, *marked} - {1}:
        raise BadInput("An Andromeda-1 has one sensor at each position: write its positions without a sensor's number.")
    wagers = covered.get(1, ())
    try:
        with LoggerFile(file, _unit(file, unit)) as log:
            log.refuse_a_gap()
            told = log.logger
            shows = counter if counter is not None else _goes_on(log, len(set(wagers)))
            record = log.record(
                round_id or f"{told.unit}-{told.last.number + 1}",
                wagers,
                time=system_clock(),
                dealer=" ".join(dealer.split()),
                counter=shows,
                lammers=marked.get(1, ()),
            )
            waiting = len(log.waiting)
    except (LoggerFull, OSError) as fault:
        raise BadInput(f"{fault}") from None
    laid = len(record.positions)
    words = (
        f"{file}: record {record.number}, round {record.round}, {laid} wager{'s' * (laid != 1)}, counter "
        f"{record.counter:,}. {waiting:,} record{'s' * (waiting != 1)} wait{'s' * (waiting == 1)}."
    )
    Answer({"unit": told.unit, "waiting": waiting, **written(record)}, words).tell(as_json)


def _unit(file: str, unit: str | None) -> str:
    """The unit of the file, or the one that begins it."""
    from cardroom.floor.kept.logger_file import unit_of

    if unit is None and not Path(file).is_file():
        raise BadInput(f"There is no file {file} yet: begin it with the number on the unit's case, --unit NUMBER.")
    return unit or unit_of(file)


def _goes_on(log: LoggerFile, wagers: int) -> int:
    """What the counter shows after so many wagers."""
    if log.logger.counter is None:
        raise BadInput("The file does not say what the counter showed last: give what it shows now, --counter N.")
    return log.logger.counter + wagers


@app.command(rich_help_panel=PANEL, epilog=examples("jackpot waiting A1-77.log", "jackpot waiting A1-77.log --json"))
def waiting(file: LogFile, as_json: JsonOfBooks = False) -> None:
    """Show what waits in the file of a data logger, and where it is damaged (exit code 1). Nothing is changed.

    The file knows nothing of the room, so its times are told by the clock that every room begins with.
    """
    from cardroom.jackpots.plain import written
    from cardroom.jackpots.setup.calendar import open_calendar
    from cardroom.jackpots.tabulator.log_lines import read_log
    from cardroom.terminal.pages.equipment import data_log_page

    if not Path(file).is_file():
        raise BadInput(f"There is no file {file}: name the file of a data logger.")
    read = read_log(Path(file).read_bytes())
    logger, gap, name = read.logger, read.gap, Path(file).name
    entry = {
        "unit": logger.unit or None,
        "taken": logger.acknowledged.number,
        "counter": logger.counter,
        "waiting": list(map(written, logger.waiting)),
        "damaged_lines": [line.number for line in read.damaged],
        "behind_the_gap": gap.behind if gap else 0,
        "gap": gap.told(name) if gap else None,
        "notes": list(read.notes(name)),
    }
    Answer(entry, data_log_page(read, name, open_calendar()), holds=gap is None).tell(as_json)


@app.command(
    rich_help_panel=PANEL,
    epilog=examples(
        "jackpot logger shootout-1 A1-77.log --by lee",
        'jackpot logger shootout-1 A1-77.log --accept-gap --why "The memory card was wet" --by lee --second vera',
    ),
)
def logger(
    context: typer.Context,
    table: TableName,
    file: LogFile,
    accept_gap: Annotated[
        bool, typer.Option("--accept-gap", help="Go on behind what is damaged: the counter stands for what was lost.")
    ] = False,
    why: Why = "",
    second: Second = None,
    by: By = None,
    database: Database = None,
    as_json: JsonOfBooks = False,
) -> None:
    """Forward what waits in the file of an Andromeda-1's data logger: each record once, in order, however often.

    What the books have taken over is acknowledged in the file. The records make the ids of their commands. A damaged or
    strange line, or a record whose round was counted already, is kept in FILE.damaged; what comes behind it, or behind
    a missing line, waits (exit code 1) until two people accept the gap.
    """
    from cardroom.cli.shared.office import sending
    from cardroom.floor import Accepted, LoggerFile, LoggerFull, forward
    from cardroom.floor.entries import whole_table_entry
    from cardroom.floor.people.permissions import Right
    from cardroom.terminal.pages.equipment import forwarding_page

    with sending(context, database, by, None) as sender:
        if not Path(file).is_file():
            raise BadInput(f"There is no file {file}: name the file of the table's data logger.")
        if not accept_gap and (second is not None or why):
            raise BadInput("A second person and a reason belong to a gap: give --accept-gap too, or leave them out.")
        sign = sender.beside(second, Right.ACCEPT_GAPS if accept_gap else None)
        accepted = Accepted(second, why, sign) if accept_gap else None
        unit = sender.floor.table(table).tabulator.unit
        try:
            with LoggerFile(file, unit) as log:
                notes = log.notes
                done = forward(log, sender.floor, sender.who, table, accepted)
        except (LoggerFull, OSError) as fault:
            raise BadInput(f"{fault} What was forwarded is in the books; forward the rest again.") from None
        state = sender.floor.table(table)
    told = {"forwarded": done.records, "known_before": done.known, "held_up": done.held_up or None, "notes": [*notes]}
    page = forwarding_page(unit, done, notes, state)
    Answer({**told, **whole_table_entry(state)}, page, holds=not done.held_up).tell(as_json)
