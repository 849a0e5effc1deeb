"""`cardroom data-logger`: an Andromeda-1 records each press in a file, which is forwarded later."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.options import (
    ByLogin,
    Database,
    LammersOption,
    LedgerAsJson,
    PositionsOption,
    ReasonOption,
    RoundId,
    SecondLogin,
    TableName,
    examples,
)
from cardroom.cli.shared.output import CommandOutput
from cardroom.errors import BadInput

if TYPE_CHECKING:
    from cardroom.service import LoggerFile

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")
LogFileArgument = Annotated[str, typer.Argument(metavar="FILE", help="The data logger's file.", show_default=False)]


@app.callback()
def data_logger_group() -> None:
    """Record rounds in the file of an Andromeda-1's data logger, and forward them to the server."""


@app.command(
    epilog=examples(
        "data-logger press A1-77.log --unit A1-77 --positions 1,4 --dealer kim (begins the file)",
        "data-logger press A1-77.log --positions 1,2,6 --lammers 2 --round 20260302-117 --dealer kim",
    ),
)
def press(
    file: LogFileArgument,
    positions: PositionsOption,
    lammers: LammersOption = None,
    round_id: RoundId = None,
    unit: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="The number on the case; needed for a new file.")
    ] = None,
    counter: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="The counter afterward, if it does not grow by one for each wager."),
    ] = None,
    dealer: Annotated[
        str, typer.Option(metavar="LOGIN", help="The dealer who is entered on the unit.", show_default=False)
    ] = "",
    as_json: LedgerAsJson = False,
) -> None:
    """Press the button of an Andromeda-1 while the server is unreachable. The file keeps the record.

    Signing in is not possible then: the record names the dealer who is entered on the unit, and the ledger also names
    the user who forwards it.
    """
    from cardroom.cli.shared.jackpot_arguments import parse_both_positions
    from cardroom.ledger import system_clock
    from cardroom.room.codec import encode
    from cardroom.service import LoggerFile, LoggerFull

    wager_positions, lammer_positions = parse_both_positions(positions, lammers)
    if not dealer.strip():
        raise BadInput("Name the dealer with --dealer LOGIN.")
    if {*wager_positions, *lammer_positions} - {1}:
        raise BadInput("An Andromeda-1 has one sensor at each position: write the positions without a sensor number.")
    wagers = wager_positions.get(1, ())
    try:
        with LoggerFile(file, _find_unit(file, unit)) as log:
            log.refuse_gap()
            logger_state = log.logger
            counter_value = counter if counter is not None else _next_counter(log, len(set(wagers)))
            record = log.record(
                round_id or f"{logger_state.unit}-{logger_state.last.number + 1}",
                wagers,
                time=system_clock(),
                dealer=" ".join(dealer.split()),
                counter=counter_value,
                lammers=lammer_positions.get(1, ()),
            )
            waiting_count = len(log.pending_records)
    except (LoggerFull, OSError) as fault:
        raise BadInput(f"{fault}") from None
    wager_count = len(record.positions)
    text = (
        f"{file}: record {record.number}, round {record.round}, {wager_count} wager{'s' * (wager_count != 1)}, counter "
        f"{record.counter:,}. {waiting_count:,} record{'s' * (waiting_count != 1)} waiting."
    )
    CommandOutput({"unit": logger_state.unit, "waiting": waiting_count, **encode(record)}, text).print(as_json)


def _find_unit(file: str, unit: str | None) -> str:
    """The unit of the file, or the one that was named for a new file."""
    from cardroom.service.commands.logger_file import read_unit

    if unit is None and not Path(file).is_file():
        raise BadInput(f"There is no file {file} yet: create it with --unit NUMBER, the number on the unit's case.")
    return unit or read_unit(file)


def _next_counter(log: LoggerFile, wagers: int) -> int:
    """The counter after these wagers."""
    if log.logger.counter is None:
        raise BadInput(
            "The file has no last reading of the counter: enter what the counter shows now with --counter N."
        )
    return log.logger.counter + wagers


@app.command(
    epilog=examples("data-logger status A1-77.log", "data-logger status A1-77.log --json"),
    name="status",
)
def show_status(file: LogFileArgument, as_json: LedgerAsJson = False) -> None:
    """Show the waiting records of a data logger's file, and damaged lines (exit code 1). Nothing changes.

    The file does not name the room's time zone, so times are in the default one.
    """
    from cardroom.room.codec import encode
    from cardroom.room.setup.calendar import open_calendar
    from cardroom.room.tabulator.logger_lines import read_log
    from cardroom.terminal.pages.equipment import data_log_page

    if not Path(file).is_file():
        raise BadInput(f"There is no file {file}: name the file of a data logger.")
    log_content = read_log(Path(file).read_bytes())
    logger, gap, name = log_content.logger, log_content.gap, Path(file).name
    data = {
        "unit": logger.unit or None,
        "taken": logger.acknowledged.number,
        "counter": logger.counter,
        "waiting": list(map(encode, logger.waiting)),
        "damaged_lines": [line.number for line in log_content.damaged],
        "behind_the_gap": gap.behind if gap else 0,
        "gap": gap.describe(name) if gap else None,
        "notes": list(log_content.notes(name)),
    }
    CommandOutput(data, data_log_page(log_content, name, open_calendar()), is_success=gap is None).print(as_json)


@app.command(
    epilog=examples(
        "data-logger forward shootout-1 A1-77.log --by lee",
        'data-logger forward shootout-1 A1-77.log --accept-gap --why "The memory card was wet" --by lee --second vera',
    ),
)
def forward(
    context: typer.Context,
    table: TableName,
    file: LogFileArgument,
    accept_gap: Annotated[
        bool,
        typer.Option("--accept-gap", help="Continue after damaged lines: the counter accounts for the lost rounds."),
    ] = False,
    why: ReasonOption = "",
    second: SecondLogin = None,
    by: ByLogin = None,
    database: Database = None,
    as_json: LedgerAsJson = False,
) -> None:
    """Forward the waiting records of an Andromeda-1's data logger: each record once, in order. Safe to repeat.

    Stored records are acknowledged in the file. A damaged or unknown line, or a record whose round was counted already,
    is moved to FILE.damaged. Records after it, or after a missing line, wait (exit code 1) until two people accept the
    gap.
    """
    from cardroom.cli.shared.ledger_access import open_for_action
    from cardroom.room.user.permissions import Permission
    from cardroom.service import GapAcceptance, LoggerFile, LoggerFull, forward_records
    from cardroom.service.json_output import tabulator_to_json
    from cardroom.terminal.pages.equipment import forwarding_page

    with open_for_action(context, database, by, None) as request:
        if not Path(file).is_file():
            raise BadInput(f"There is no file {file}: name the file of the table's data logger.")
        if not accept_gap and (second is not None or why):
            raise BadInput("--second and --why belong to a gap: add --accept-gap, or leave them out.")
        signer = request.signer_for(second, Permission.ACCEPT_GAPS if accept_gap else None)
        accepted_gap = GapAcceptance(second, why, signer) if accept_gap else None
        unit = request.card_room.tabulator(table).tabulator.unit
        try:
            with LoggerFile(file, unit) as log:
                notes = log.notes
                forwarded = forward_records(log, request.card_room, request.login, table, accepted_gap)
        except (LoggerFull, OSError) as fault:
            raise BadInput(f"{fault} The forwarded records are stored; forward the file again for the rest.") from None
        state = request.card_room.tabulator(table)
    data = {
        "forwarded": forwarded.records,
        "known_before": forwarded.known,
        "held_up": forwarded.held_up or None,
        "notes": [*notes],
    }
    page = forwarding_page(unit, forwarded, notes, state)
    CommandOutput({**data, **tabulator_to_json(state)}, page, is_success=not forwarded.held_up).print(as_json)
