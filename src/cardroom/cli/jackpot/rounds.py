"""What happens at the tables: rounds are counted, by the tabulator or by hand; tabulators break and are repaired."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.deeds import Deed, deed
from cardroom.cli.shared.numbers import Whole
from cardroom.cli.shared.options import RoundId, Second, TableName, Why

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardroom.cli.shared.office import Sender
    from cardroom.floor.people.permissions import Right

PANEL: Final = "At the table"
app = typer.Typer()

Positions = Annotated[
    list[str],
    typer.Option(
        metavar="1,3,5",
        help="Where the wager lies: 1,3,5 or 1-6; 2:1,4 is for sensor 2 (repeat the option); none.",
        show_default=False,
    ),
]
Lammers = Annotated[
    list[str] | None,
    typer.Option(metavar="1,5", help="Beside which wagers a lammer lies, where no sensor sees it.", show_default=False),
]


ReportNumber = Annotated[
    str | None,
    typer.Option("--report", metavar="NUMBER", help="The open report of the malfunction.", show_default=False),
]

Places: TypeAlias = dict[int, tuple[int, ...]]


@deed(
    app,
    "jackpot tabulate table-1 --positions 1,3,5 --by kim",
    "jackpot tabulate table-1 --positions none --by kim",
    "jackpot tabulate duel-1 --positions 1-4 --positions 2:1,2 --by kim --round 20260302-117",
    "jackpot tabulate shootout-1 --positions 1,2,6 --lammers 2 --by kim --json",
    panel=PANEL,
    signs=False,
)
def tabulate(table: TableName, positions: Positions, lammers: Lammers = None, round_id: RoundId = None) -> Deed:
    """Press the dealer's button: every wager that is there is recorded, and every meter follows."""
    covered, marked = both_places(positions, lammers)
    return lambda sent: sent.floor.tabulate(sent.id, sent.who, table, covered, lammers=marked, round_id=round_id)


@deed(app, "jackpot count table-1 --positions 1,3,5 --by kim", panel=PANEL, signs=False)
def count(table: TableName, positions: Positions, lammers: Lammers = None, round_id: RoundId = None) -> Deed:
    """Count the wagers of a round by hand while the tabulator is broken; they stay on their spots."""
    covered, marked = both_places(positions, lammers)
    return lambda sent: sent.floor.count_by_hand(sent.id, sent.who, table, covered, lammers=marked, round_id=round_id)


def both_places(positions: list[str], lammers: list[str] | None) -> tuple[Places, Places]:
    """Where wagers lie, and beside which of them a lammer."""
    from cardroom.cli.jackpot.typing import places

    return places(positions, "--positions"), places(lammers or (), "--lammers")


def _with_a_second(_: Sender, typed: Mapping[str, Any]) -> Right | None:
    """More than the table can have played is believed by two people."""
    from cardroom.floor.people.permissions import Right

    return Right.ACCEPT_GAPS if typed["second"] else None


@deed(
    app,
    "jackpot counter table-1 10482 --by lee",
    "jackpot counter duel-1 10482 9977 --by lee",
    'jackpot counter table-1 19000 --why "The server was away since Friday" --by lee --second vera',
    panel=PANEL,
    also=_with_a_second,
)
def counter(
    table: TableName,
    counters: Annotated[
        list[int],
        typer.Argument(metavar="N…", help="What it shows, for each wager.", show_default=False, parser=Whole(0)),
    ],
    why: Why = "",
    second: Second = None,
) -> Deed:
    """Enter what the tabulator's counter shows; wagers that nobody has told of are counted now.

    More than the table can have played since it counted last needs a second person and a reason.
    """
    return lambda sent: sent.floor.read_counter(sent.id, sent.who, table, counters, second=second, why=why)


@deed(app, 'jackpot take-back table-1 READING --why "Two digits changed places" --by rosa --second lee', panel=PANEL)
def take_back(
    table: TableName,
    reading: Annotated[
        str, typer.Argument(metavar="READING", help="The id of the command that entered it.", show_default=False)
    ],
    why: Why = "",
    second: Second = None,
) -> Deed:
    """Take back a reading of the counter that was wrong: its wagers go off the meters again. Two people do it."""
    return lambda sent: sent.floor.take_back_reading(sent.id, sent.who, table, reading, why, second=second)


@deed(
    app,
    'jackpot void table-1 ROUND --why "The shuffler jammed" --by rosa --second lee',
    'jackpot void table-1 ROUND --why "The shuffler jammed" --report R-31 --by rosa --second lee',
    panel=PANEL,
)
def void(
    table: TableName,
    round_id: Annotated[str, typer.Argument(metavar="ROUND", help="The round's id.", show_default=False)],
    why: Why = "",
    second: Second = None,
    report: ReportNumber = None,
) -> Deed:
    """Declare a round void: every wager goes back, and what it put on the meters is taken off again. Two people do."""
    return lambda sent: sent.floor.void_round(sent.id, sent.who, table, round_id, why, second=second, report=report)


@deed(
    app,
    'jackpot broken table-1 --why "Sensor 3 is dead" --by lee',
    'jackpot broken table-1 --why "Sensor 3 is dead" --report R-31 --by rosa',
    panel=PANEL,
)
def broken(
    table: TableName,
    why: Why = "",
    report: ReportNumber = None,
) -> Deed:
    """Say that a tabulator does not work: from now on wagers are counted by hand."""
    from cardroom.floor.entries import answer_entry
    from cardroom.terminal.pages.equipment import malfunction_page

    def do(sent: Sender) -> Answer:
        standing = sent.floor.declare_broken(sent.id, sent.who, table, why, report=report)
        return Answer(answer_entry(standing), malfunction_page(standing, report))

    return do


@deed(
    app,
    "jackpot repaired table-1 --by rosa",
    "jackpot repaired table-1 --unit T-1002 --counter 0 --by rosa",
    panel=PANEL,
)
def repaired(
    table: TableName,
    unit: Annotated[str | None, typer.Option(metavar="NUMBER", help="Another unit stands there now.")] = None,
    counters: Annotated[
        list[int] | None,
        typer.Option("--counter", metavar="N", help="What its counter shows; repeat it.", parser=Whole(0)),
    ] = None,
) -> Deed:
    """Say that a tabulator works again, or that another unit is in its place."""
    return lambda sent: sent.floor.declare_repaired(sent.id, sent.who, table, unit=unit, counters=counters or ())


@deed(
    app,
    "jackpot lights table-1 --failed 3,4 --by rosa",
    "jackpot lights table-1 --failed none --by rosa",
    panel=PANEL,
)
def lights(
    table: TableName,
    failed: Annotated[
        list[str],
        typer.Option(metavar="3,4", help="The positions whose light is dark; none when all work.", show_default=False),
    ],
) -> Deed:
    """Say which lights have failed: lammers stand in for them."""
    from cardroom.cli.jackpot.typing import places

    dark = places(failed, "--failed")
    return lambda sent: sent.floor.report_lights(sent.id, sent.who, table, dark)
