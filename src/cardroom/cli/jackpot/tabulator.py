"""What happens at the tables: rounds are counted, by the tabulator or by hand; tabulators break and are repaired.

Andromeda-1's data logger: the unit writes down each press of the button, and forwards it later.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, declare_action
from cardroom.cli.shared.options import (
    ByLogin,
    Database,
    LedgerAsJson,
    ReasonOption,
    RoundId,
    SecondLogin,
    TableName,
    WholeNumber,
    examples,
)
from cardroom.cli.shared.output import CommandOutput
from cardroom.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.room.user.permissions import Permission
    from cardroom.service import LoggerFile


PANEL: Final = "At the table"
app = typer.Typer()

PositionsOption = Annotated[
    list[str],
    typer.Option(
        metavar="1,3,5",
        help="Where the wager lies: 1,3,5 or 1-6; 2:1,4 is for sensor 2 (repeat the option); none.",
        show_default=False,
    ),
]
LammersOption = Annotated[
    list[str] | None,
    typer.Option(metavar="1,5", help="Beside which wagers a lammer lies, where no sensor sees it.", show_default=False),
]


ReportOption = Annotated[
    str | None,
    typer.Option("--report", metavar="NUMBER", help="The open report of the malfunction.", show_default=False),
]

PositionsBySensor: TypeAlias = dict[int, tuple[int, ...]]


@declare_action(
    app,
    "jackpot tabulate table-1 --positions 1,3,5 --by kim",
    "jackpot tabulate table-1 --positions none --by kim",
    "jackpot tabulate duel-1 --positions 1-4 --positions 2:1,2 --by kim --round 20260302-117",
    "jackpot tabulate shootout-1 --positions 1,2,6 --lammers 2 --by kim --json",
    panel=PANEL,
    changes_signs=False,
)
def tabulate(
    table: TableName, positions: PositionsOption, lammers: LammersOption = None, round_id: RoundId = None
) -> CommandAction:
    """Press the dealer's button: every wager that is there is recorded, and every meter follows."""
    wager_positions, lammer_positions = parse_both_positions(positions, lammers)
    return lambda request: request.card_room.tabulate(
        request.id, request.login, table, wager_positions, lammers=lammer_positions, round_id=round_id
    )


@declare_action(app, "jackpot count table-1 --positions 1,3,5 --by kim", name="count", panel=PANEL, changes_signs=False)
def count_by_hand(
    table: TableName, positions: PositionsOption, lammers: LammersOption = None, round_id: RoundId = None
) -> CommandAction:
    """Count the wagers of a round by hand while the tabulator is broken; they stay on their spots."""
    wager_positions, lammer_positions = parse_both_positions(positions, lammers)
    return lambda request: request.card_room.count_by_hand(
        request.id, request.login, table, wager_positions, lammers=lammer_positions, round_id=round_id
    )


def parse_both_positions(
    positions: list[str], lammers: list[str] | None
) -> tuple[PositionsBySensor, PositionsBySensor]:
    """Where wagers lie, and beside which of them a lammer."""
    from cardroom.cli.jackpot.arguments import parse_positions

    return parse_positions(positions, "--positions"), parse_positions(lammers or (), "--lammers")


def _gap_permission(_: CommandRequest, arguments: Mapping[str, Any]) -> Permission | None:
    """More than the table can have played is believed by two people."""
    from cardroom.room.user.permissions import Permission

    return Permission.ACCEPT_GAPS if arguments["second"] else None


@declare_action(
    app,
    "jackpot counter table-1 10482 --by lee",
    "jackpot counter duel-1 10482 9977 --by lee",
    'jackpot counter table-1 19000 --why "The server was away since Friday" --by lee --second vera',
    name="counter",
    panel=PANEL,
    extra_permission=_gap_permission,
)
def read_counter(
    table: TableName,
    counters: Annotated[
        list[int],
        typer.Argument(metavar="N…", help="What it shows, for each wager.", show_default=False, parser=WholeNumber(0)),
    ],
    why: ReasonOption = "",
    second: SecondLogin = None,
) -> CommandAction:
    """Enter what the tabulator's counter shows; wagers that nobody has told of are counted now.

    More than the table can have played since it counted last needs a second person and a reason.
    """
    return lambda request: request.card_room.read_counter(
        request.id, request.login, table, counters, second=second, why=why
    )


@declare_action(
    app,
    'jackpot take-back table-1 READING --why "Two digits changed places" --by rosa --second lee',
    name="take-back",
    panel=PANEL,
)
def reverse_reading(
    table: TableName,
    reading: Annotated[
        str, typer.Argument(metavar="READING", help="The id of the command that entered it.", show_default=False)
    ],
    why: ReasonOption = "",
    second: SecondLogin = None,
) -> CommandAction:
    """Take back a reading of the counter that was wrong: its wagers go off the meters again. Two people do it."""
    return lambda request: request.card_room.reverse_reading(
        request.id, request.login, table, reading, why, second=second
    )


@declare_action(
    app,
    'jackpot void table-1 ROUND --why "The shuffler jammed" --by rosa --second lee',
    'jackpot void table-1 ROUND --why "The shuffler jammed" --report R-31 --by rosa --second lee',
    panel=PANEL,
)
def void(
    table: TableName,
    round_id: Annotated[str, typer.Argument(metavar="ROUND", help="The round's id.", show_default=False)],
    why: ReasonOption = "",
    second: SecondLogin = None,
    report: ReportOption = None,
) -> CommandAction:
    """Declare a round void: every wager goes back, and what it put on the meters is taken off again. Two people do."""
    return lambda request: request.card_room.void_round(
        request.id, request.login, table, round_id, why, second=second, report=report
    )


@declare_action(
    app,
    'jackpot broken table-1 --why "Sensor 3 is dead" --by lee',
    'jackpot broken table-1 --why "Sensor 3 is dead" --report R-31 --by rosa',
    name="broken",
    panel=PANEL,
)
def report_fault(
    table: TableName,
    why: ReasonOption = "",
    report: ReportOption = None,
) -> CommandAction:
    """Say that a tabulator does not work: from now on wagers are counted by hand."""
    from cardroom.service.json_output import result_to_json
    from cardroom.terminal.pages.equipment import malfunction_page

    def do(request: CommandRequest) -> CommandOutput:
        result = request.card_room.report_tabulator_fault(request.id, request.login, table, why, report=report)
        return CommandOutput(result_to_json(result), malfunction_page(result, report))

    return do


@declare_action(
    app,
    "jackpot repaired table-1 --by rosa",
    "jackpot repaired table-1 --unit T-1002 --counter 0 --by rosa",
    name="repaired",
    panel=PANEL,
)
def clear_fault(
    table: TableName,
    unit: Annotated[str | None, typer.Option(metavar="NUMBER", help="Another unit stands there now.")] = None,
    counters: Annotated[
        list[int] | None,
        typer.Option("--counter", metavar="N", help="What its counter shows; repeat it.", parser=WholeNumber(0)),
    ] = None,
) -> CommandAction:
    """Say that a tabulator works again, or that another unit is in its place."""
    return lambda request: request.card_room.clear_tabulator_fault(
        request.id, request.login, table, unit=unit, counters=counters or ()
    )


@declare_action(
    app,
    "jackpot lights table-1 --failed 3,4 --by rosa",
    "jackpot lights table-1 --failed none --by rosa",
    name="lights",
    panel=PANEL,
)
def report_lights(
    table: TableName,
    failed: Annotated[
        list[str],
        typer.Option(metavar="3,4", help="The positions whose light is dark; none when all work.", show_default=False),
    ],
) -> CommandAction:
    """Say which lights have failed: lammers stand in for them."""
    from cardroom.cli.jackpot.arguments import parse_positions

    dark_positions = parse_positions(failed, "--failed")
    return lambda request: request.card_room.report_lights(request.id, request.login, table, dark_positions)


DATA_LOGGER_PANEL: Final = "Andromeda-1's data logger"
data_logger_app = typer.Typer()

LogFileArgument = Annotated[str, typer.Argument(metavar="FILE", help="The data logger's file.", show_default=False)]


@data_logger_app.command(
    rich_help_panel=DATA_LOGGER_PANEL,
    epilog=examples(
        "jackpot press A1-77.log --unit A1-77 --positions 1,4 --dealer kim (begins the file)",
        "jackpot press A1-77.log --positions 1,2,6 --lammers 2 --round 20260302-117 --dealer kim",
    ),
)
def press(
    file: LogFileArgument,
    positions: PositionsOption,
    lammers: LammersOption = None,
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
    as_json: LedgerAsJson = False,
) -> None:
    """Press the button of an Andromeda-1 while the server is away: the record is safe in the file, and waits there.

    Nobody can sign in then: the record says who deals as the unit was told, and the books also name who forwards it.
    """
    from cardroom.ledger import system_clock
    from cardroom.room.codec import encode
    from cardroom.service import LoggerFile, LoggerFull

    wager_positions, lammer_positions = parse_both_positions(positions, lammers)
    if not dealer.strip():
        raise BadInput("Say who deals with --dealer LOGIN: the record names a person.")
    if {*wager_positions, *lammer_positions} - {1}:
        raise BadInput("An Andromeda-1 has one sensor at each position: write its positions without a sensor's number.")
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
        f"{record.counter:,}. {waiting_count:,} record{'s' * (waiting_count != 1)} wait{'s' * (waiting_count == 1)}."
    )
    CommandOutput({"unit": logger_state.unit, "waiting": waiting_count, **encode(record)}, text).print(as_json)


def _find_unit(file: str, unit: str | None) -> str:
    """The unit of the file, or the one that begins it."""
    from cardroom.service.commands.logger_file import read_unit

    if unit is None and not Path(file).is_file():
        raise BadInput(f"There is no file {file} yet: begin it with the number on the unit's case, --unit NUMBER.")
    return unit or read_unit(file)


def _next_counter(log: LoggerFile, wagers: int) -> int:
    """What the counter shows after so many wagers."""
    if log.logger.counter is None:
        raise BadInput("The file does not say what the counter showed last: give what it shows now, --counter N.")
    return log.logger.counter + wagers


@data_logger_app.command(
    rich_help_panel=DATA_LOGGER_PANEL,
    epilog=examples("jackpot waiting A1-77.log", "jackpot waiting A1-77.log --json"),
    name="waiting",
)
def show_log(file: LogFileArgument, as_json: LedgerAsJson = False) -> None:
    """Show what waits in the file of a data logger, and where it is damaged (exit code 1). Nothing is changed.

    The file knows nothing of the room, so its times are told by the clock that every room begins with.
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


@data_logger_app.command(
    rich_help_panel=DATA_LOGGER_PANEL,
    epilog=examples(
        "jackpot logger shootout-1 A1-77.log --by lee",
        'jackpot logger shootout-1 A1-77.log --accept-gap --why "The memory card was wet" --by lee --second vera',
    ),
)
def logger(
    context: typer.Context,
    table: TableName,
    file: LogFileArgument,
    accept_gap: Annotated[
        bool, typer.Option("--accept-gap", help="Go on behind what is damaged: the counter stands for what was lost.")
    ] = False,
    why: ReasonOption = "",
    second: SecondLogin = None,
    by: ByLogin = None,
    database: Database = None,
    as_json: LedgerAsJson = False,
) -> None:
    """Forward what waits in the file of an Andromeda-1's data logger: each record once, in order, however often.

    What the books have taken over is acknowledged in the file. The records make the ids of their commands. A damaged or
    strange line, or a record whose round was counted already, is kept in FILE.damaged; what comes behind it, or behind
    a missing line, waits (exit code 1) until two people accept the gap.
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
            raise BadInput("A second person and a reason belong to a gap: give --accept-gap too, or leave them out.")
        signer = request.signer_for(second, Permission.ACCEPT_GAPS if accept_gap else None)
        accepted_gap = GapAcceptance(second, why, signer) if accept_gap else None
        unit = request.card_room.tabulator(table).tabulator.unit
        try:
            with LoggerFile(file, unit) as log:
                notes = log.notes
                forwarded = forward_records(log, request.card_room, request.login, table, accepted_gap)
        except (LoggerFull, OSError) as fault:
            raise BadInput(f"{fault} What was forwarded is in the books; forward the rest again.") from None
        state = request.card_room.tabulator(table)
    data = {
        "forwarded": forwarded.records,
        "known_before": forwarded.known,
        "held_up": forwarded.held_up or None,
        "notes": [*notes],
    }
    page = forwarding_page(unit, forwarded, notes, state)
    CommandOutput({**data, **tabulator_to_json(state)}, page, is_success=not forwarded.held_up).print(as_json)
