"""`cardroom tabulator`: tabulators are pressed, read, and repaired.

`cardroom reading`: counter readings that were entered by mistake are reversed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, CommandQuery, declare_action, declare_query
from cardroom.cli.shared.options import (
    LammersOption,
    LastOption,
    PositionsOption,
    ReasonOption,
    ReportOption,
    RoundId,
    SecondLogin,
    TableName,
    WholeNumber,
)
from cardroom.cli.shared.output import CommandOutput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.room.user.permissions import Permission
    from cardroom.service import CardRoom


PANEL: Final = "At the table"
app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@app.callback()
def tabulator_group() -> None:
    """Count rounds, read counters, and report faults. `cardroom table add` sets up a tabulator."""


@declare_action(
    app,
    "tabulator press table-1 --positions 1,3,5 --by kim",
    "tabulator press table-1 --positions none --by kim",
    "tabulator press duel-1 --positions 1-4 --positions 2:1,2 --by kim --round 20260302-117",
    "tabulator press shootout-1 --positions 1,2,6 --lammers 2 --by kim --json",
    name="press",
    panel=PANEL,
    changes_signs=False,
)
def press_button(
    table: TableName, positions: PositionsOption, lammers: LammersOption = None, round_id: RoundId = None
) -> CommandAction:
    """Press the dealer's button: count the wagers of the round and add them to the meters."""
    from cardroom.cli.shared.jackpot_arguments import parse_both_positions

    wager_positions, lammer_positions = parse_both_positions(positions, lammers)
    return lambda request: request.card_room.tabulate(
        request.id, request.login, table, wager_positions, lammers=lammer_positions, round_id=round_id
    )


@declare_action(
    app,
    "tabulator count-by-hand table-1 --positions 1,3,5 --by kim",
    name="count-by-hand",
    panel=PANEL,
    changes_signs=False,
)
def count_by_hand(
    table: TableName, positions: PositionsOption, lammers: LammersOption = None, round_id: RoundId = None
) -> CommandAction:
    """Count the wagers of a round by hand while the tabulator has a fault. The wagers stay on their spots."""
    from cardroom.cli.shared.jackpot_arguments import parse_both_positions

    wager_positions, lammer_positions = parse_both_positions(positions, lammers)
    return lambda request: request.card_room.count_by_hand(
        request.id, request.login, table, wager_positions, lammers=lammer_positions, round_id=round_id
    )


def _gap_permission(_: CommandRequest, arguments: Mapping[str, Any]) -> Permission | None:
    """A reading that is higher than the table can have played needs two people."""
    from cardroom.room.user.permissions import Permission

    return Permission.ACCEPT_GAPS if arguments["second"] else None


@declare_action(
    app,
    "tabulator read table-1 10482 --by lee",
    "tabulator read duel-1 10482 9977 --by lee",
    'tabulator read table-1 19000 --why "The server was away since Friday" --by lee --second vera',
    name="read",
    panel=PANEL,
    extra_permission=_gap_permission,
)
def read_counter(
    table: TableName,
    counters: Annotated[
        list[int],
        typer.Argument(
            metavar="N…", help="The reading of the counter for each wager.", show_default=False, parser=WholeNumber(0)
        ),
    ],
    why: ReasonOption = "",
    second: SecondLogin = None,
) -> CommandAction:
    """Enter the reading of the tabulator's counter. Wagers that are not counted yet are counted now.

    A reading that is higher than the table can have played since the last count needs a second person and a reason.
    """
    return lambda request: request.card_room.read_counter(
        request.id, request.login, table, counters, second=second, why=why
    )


@declare_action(
    app,
    'tabulator fault table-1 --why "Sensor 3 is dead" --by lee',
    'tabulator fault table-1 --why "Sensor 3 is dead" --report R-31 --by rosa',
    name="fault",
    panel=PANEL,
)
def report_fault(
    table: TableName,
    why: ReasonOption = "",
    report: ReportOption = None,
) -> CommandAction:
    """Report a fault of a tabulator. From now on, count wagers by hand."""
    from cardroom.service.json_output import result_to_json
    from cardroom.terminal.pages.equipment import malfunction_page

    def do(request: CommandRequest) -> CommandOutput:
        result = request.card_room.report_tabulator_fault(request.id, request.login, table, why, report=report)
        return CommandOutput(result_to_json(result), malfunction_page(result, report))

    return do


@declare_action(
    app,
    "tabulator clear-fault table-1 --by rosa",
    "tabulator clear-fault table-1 --unit T-1002 --counter 0 --by rosa",
    name="clear-fault",
    panel=PANEL,
)
def clear_fault(
    table: TableName,
    unit: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="The number of the new unit, if it was replaced.")
    ] = None,
    counters: Annotated[
        list[int] | None,
        typer.Option(
            "--counter", metavar="N", help="The reading of its counter; repeat for each wager.", parser=WholeNumber(0)
        ),
    ] = None,
) -> CommandAction:
    """Record that a tabulator works again, or that another unit replaced it."""
    return lambda request: request.card_room.clear_tabulator_fault(
        request.id, request.login, table, unit=unit, counters=counters or ()
    )


@declare_action(
    app,
    "tabulator report-lights table-1 --failed 3,4 --by rosa",
    "tabulator report-lights table-1 --failed none --by rosa",
    name="report-lights",
    panel=PANEL,
)
def report_lights(
    table: TableName,
    failed: Annotated[
        list[str],
        typer.Option(metavar="3,4", help="Positions whose light failed; none when all work.", show_default=False),
    ],
) -> CommandAction:
    """Report which lights have failed. Lammers replace them."""
    from cardroom.cli.shared.jackpot_arguments import parse_positions

    failed_positions = parse_positions(failed, "--failed")
    return lambda request: request.card_room.report_lights(request.id, request.login, table, failed_positions)


@declare_query(
    app, "tabulator history table-1", "tabulator history table-1 --last 5 --json", name="history", panel=PANEL
)
def show_history(table: TableName, last: LastOption = 50) -> CommandQuery:
    """List the last rounds that the tabulator counted: the wagers, the dealer, and voided rounds."""
    from cardroom.ledger import event_to_json
    from cardroom.terminal.pages.gaming_tables import recent_rounds_table

    def read(card_room: CardRoom) -> CommandOutput:
        events = card_room.history.list_tabulator_rounds(table, last)
        return CommandOutput(list(map(event_to_json, events)), recent_rounds_table(events, card_room.calendar))

    return read


reading_app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@reading_app.callback()
def reading_group() -> None:
    """Reverse counter readings that were entered by mistake."""


@declare_action(
    reading_app,
    'reading reverse table-1 READING --why "Two digits changed places" --by rosa --second lee',
    name="reverse",
)
def reverse_reading(
    table: TableName,
    reading: Annotated[
        str,
        typer.Argument(metavar="READING", help="The id of the command that entered the reading.", show_default=False),
    ],
    why: ReasonOption = "",
    second: SecondLogin = None,
) -> CommandAction:
    """Reverse a wrong counter reading. Its wagers come off the meters. Needs two people."""
    return lambda request: request.card_room.reverse_reading(
        request.id, request.login, table, reading, why, second=second
    )
