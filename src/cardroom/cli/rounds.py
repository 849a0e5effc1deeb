"""`cardroom rounds`: past rounds are listed, shown, settled again, voided, and exported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, CommandQuery, declare_action, declare_query
from cardroom.cli.shared.options import (
    ByLogin,
    Database,
    ReasonOption,
    ReportOption,
    SecondLogin,
    TableName,
    WholeNumber,
    examples,
)
from cardroom.cli.shared.output import CommandOutput
from cardroom.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.service import CardRoom
    from cardroom.service.queries.round_search import AnyPastRound

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

RoundArgument = Annotated[
    str, typer.Argument(metavar="ROUND", help="The round's id, such as prime-1.17.", show_default=False)
]
TableOption = Annotated[str | None, typer.Option("--table", metavar="TABLE", help="One table only.")]
FirstNumber = Annotated[
    int | None, typer.Option("--from", metavar="N", help="The first round number; with --table.", parser=WholeNumber(1))
]
LastNumber = Annotated[
    int | None, typer.Option("--to", metavar="N", help="The last round number; with --table.", parser=WholeNumber(1))
]
DEFAULT_COUNT = 50


class BadRoundFilter(BadInput):
    """Options that do not go together."""


@app.callback()
def rounds() -> None:
    """List, show, re-settle, void, and export past rounds: seats, cards, wagers, decisions, payouts, shuffle keys.

    Every round has an id, such as prime-1.17, and stays in the ledger. A round is shown after it has ended.
    """


@declare_query(
    app,
    "rounds list",
    "rounds list --table prime-1 --last 5",
    "rounds list --table prime-1 --from 100 --to 120 --json",
    "rounds list --player guest-eb37ec54b77e",
    name="list",
)
def list_rounds(
    table: TableOption = None,
    player: Annotated[
        str | None, typer.Option("--player", metavar="PLAYER", help="Rounds of this player only.")
    ] = None,
    first_number: FirstNumber = None,
    last_number: LastNumber = None,
    last: Annotated[
        int | None,
        typer.Option(
            "--last",
            metavar="N",
            help="The number of rounds; 50 unless --from or --to is given.",
            parser=WholeNumber(1),
        ),
    ] = None,
) -> CommandQuery:
    """List past rounds, newest first: time, game, players, wagers, and payouts."""
    from itertools import islice

    from cardroom.terminal.pages.past_rounds import rounds_table

    round_filter = _RoundFilter(table, player, first_number, last_number)

    def read(card_room: CardRoom) -> CommandOutput:
        limit = last or (None if first_number or last_number else DEFAULT_COUNT)
        past_rounds = [*islice(round_filter.select(card_room), limit)]
        return CommandOutput(
            {"rounds": [past_round.summarize() for past_round in past_rounds]},
            rounds_table(past_rounds, card_room.calendar),
        )

    return read


class _RoundFilter:
    """The options that select rounds."""

    def __init__(self, table: str | None, player: str | None, first: int | None, last: int | None) -> None:
        if (first or last) and table is None:
            raise BadRoundFilter("Round numbers belong to one table: name it with --table.")
        if first and last and first > last:
            raise BadRoundFilter(f"There is no round from {first} to {last}: put the lower number after --from.")
        self._table, self._player, self._first, self._to = table, player, first, last

    def select(self, card_room: CardRoom) -> Iterator[AnyPastRound]:
        """The selected rounds, newest first."""
        if self._table is not None:
            past_rounds = card_room.list_rounds(self._table, first=self._first or 1, last=self._to)
        elif self._player is not None:
            return card_room.list_player_rounds(self._player)
        else:
            return card_room.list_recent_rounds()
        if self._player is None:
            return past_rounds
        card_room.player_account(self._player)
        return (past_round for past_round in past_rounds if self._player in getattr(past_round, "players", {}).values())

    def select_oldest_first(self, card_room: CardRoom) -> Iterator[AnyPastRound]:
        """The selected rounds of one table, oldest first."""
        assert self._table is not None
        return card_room.list_rounds(self._table, first=self._first or 1, last=self._to, oldest_first=True)


@declare_query(app, "rounds show prime-1.17", "rounds show prime-1.17 --json")
def show(round: RoundArgument) -> CommandQuery:
    """Show a round: cards, wagers, decisions, payments, and each step of the shuffle check (seal, key, player seeds).

    In JSON, `record` is the input of `cardroom settle -`, and `payments` is its output. A live round has only the cards
    that the dealer entered.
    """
    from cardroom.service.queries.round_check import check_past_round, round_check_to_json
    from cardroom.terminal.pages.past_rounds import round_page

    def read(card_room: CardRoom) -> CommandOutput:
        past_round = card_room.get_round(round)
        check = check_past_round(past_round)
        data = {**past_round.to_json(), "check": round_check_to_json(check)}
        return CommandOutput(data, round_page(past_round, check, card_room.calendar))

    return read


@declare_query(app, "rounds settle prime-1.17", "rounds settle prime-1.17 --json")
def settle(round: RoundArgument) -> CommandQuery:
    """Deal a round again from its key, settle it, and compare the result with the payouts.

    Exit code 0: every payout is correct. 1: a difference, which is listed.
    """
    from cardroom.service.queries.round_check import check_past_round, round_check_to_json
    from cardroom.terminal.pages.past_rounds import resettlement_page

    def read(card_room: CardRoom) -> CommandOutput:
        past_round = card_room.get_round(round)
        check = check_past_round(past_round)
        data = {"round": past_round.id, "money": past_round.money, "same": check.holds, **round_check_to_json(check)}
        return CommandOutput(data, resettlement_page(past_round, check), check.holds)

    return read


@declare_action(
    app,
    'rounds void table-1 --why "The screen went dark" --by rosa --second lee (the round in progress)',
    'rounds void table-1 ROUND --why "The shuffler jammed" --by rosa --second lee',
    'rounds void table-1 ROUND --why "The shuffler jammed" --report R-31 --by rosa --second lee',
)
def void(
    table: TableName,
    round_id: Annotated[
        str | None,
        typer.Argument(metavar="[ROUND]", help="A counted round; the round in progress when left out."),
    ] = None,
    why: ReasonOption = "",
    second: SecondLogin = None,
    report: ReportOption = None,
) -> CommandAction:
    """Void a round: all wagers are returned and come off the jackpot meters. Needs two people and a reason.

    Without ROUND, the round in progress at the table is void.
    """
    if round_id is None and report is not None:
        raise BadInput("--report belongs to a round that the tabulator counted: name the ROUND, or leave --report out.")

    def do(request: CommandRequest) -> object:
        if round_id is None:
            return request.card_room.void_round_in_progress(request.id, request.login, table, why, second=second)
        return request.card_room.void_round(
            request.id, request.login, table, round_id, why, second=second, report=report
        )

    return do


@app.command(
    epilog=examples(
        "rounds export prime-1.17 -o round.json",
        "rounds export --table prime-1 --from 100 --to 120 -o rounds.jsonl",
        "rounds export --table prime-1 -o - (JSON Lines on standard output)",
    )
)
def export(
    context: typer.Context,
    rounds: Annotated[
        list[str] | None, typer.Argument(metavar="[ROUND]...", help="Rounds by their ids.", show_default=False)
    ] = None,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE|-",
            help="A new file: .json for one document, else one round per line.",
            show_default=False,
        ),
    ] = "",
    table: TableOption = None,
    first_number: FirstNumber = None,
    last_number: LastNumber = None,
    by: ByLogin = None,
    database: Database = None,
) -> None:
    """Export rounds completely: record, payments, players, seal, key, and player seeds.

    A file whose name ends in .json is one document, {"rounds": [...]}; other files and standard output have one round
    per line. The rounds of a table are written oldest first.
    """
    from cardroom.cli.shared.ledger_access import open_for_query
    from cardroom.cli.shared.ledger_output import write_rounds

    ids = rounds or []
    with open_for_query(context, database, by) as card_room:
        if bool(ids) == (table is not None):
            raise BadRoundFilter("Name rounds, or a table with --table: one of the two.")
        if not output:
            raise BadRoundFilter("Name the output with -o FILE, or -o - for standard output.")
        round_filter = _RoundFilter(table, None, first_number, last_number)
        past_rounds = (
            [card_room.get_round(round_id) for round_id in ids] if ids else round_filter.select_oldest_first(card_room)
        )
        count = write_rounds(past_rounds, output)
    if output != "-":
        typer.echo(f"{output}: {count:,} round{'s' * (count != 1)}.")
