"""`cardroom player`: players' balances, and the cage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, CommandQuery, declare_action, declare_query
from cardroom.cli.shared.options import SecondLogin, WholeNumber
from cardroom.cli.shared.output import CommandOutput

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.service import CardRoom, PlayerAccountSummary

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

PlayerArgument = Annotated[str, typer.Argument(metavar="PLAYER", help="The player's name.", show_default=False)]
DollarsArgument = Annotated[str, typer.Argument(metavar="DOLLARS", help="The amount.", show_default=False)]
SlipOption = Annotated[
    str, typer.Option("--slip", metavar="NUMBER", help="The number of the slip.", show_default=False)
]


@app.callback()
def player() -> None:
    """Add player accounts, take and pay out money at the cage, and show balances.

    A balance is in play money or real money, never both. Every result names the currency.
    """


@declare_query(app, "player list", "player list --guests --json", name="list")
def list_players(
    guests: Annotated[bool, typer.Option("--guests", help="Include guests.")] = False,
) -> CommandQuery:
    """List the players with their balances and seats."""
    from cardroom.service.json_output import player_account_to_json
    from cardroom.terminal.pages.users import players_table

    def read(card_room: CardRoom) -> CommandOutput:
        players_shown = [
            state
            for name in card_room.players.list_players()
            if not (state := card_room.player_account(name)).guest or guests
        ]
        return CommandOutput(
            {"players": [player_account_to_json(player_state) for player_state in players_shown]},
            players_table(players_shown),
        )

    return read


@declare_query(app, "player show ann-lee", "player show ann-lee --json")
def show(player: PlayerArgument) -> CommandQuery:
    """Show a player's balance and the chips at each seat."""
    from cardroom.service.json_output import player_account_to_json
    from cardroom.terminal.pages.users import player_page

    def read(card_room: CardRoom) -> CommandOutput:
        state = card_room.player_account(player)
        seats = {table: card_room.table(table).occupant(seat) for table, seat in state.seats.items()}
        chips_by_table = {table: seat_state for table, seat_state in seats.items() if seat_state is not None}
        return CommandOutput(player_account_to_json(state, chips_by_table), player_page(state, chips_by_table))

    return read


@declare_query(app, "player history ann-lee", "player history ann-lee --last 200 --json")
def history(
    player: PlayerArgument,
    last: Annotated[
        int, typer.Option("--last", metavar="N", help="The number of entries, newest first.", parser=WholeNumber(1))
    ] = 50,
) -> CommandQuery:
    """List all changes of a player's balance, newest first.

    `cardroom rounds list --player PLAYER` lists the rounds.
    """
    from cardroom.cli.shared.ledger_output import format_events
    from cardroom.service.chains.names import player_chain

    def read(card_room: CardRoom) -> CommandOutput:
        card_room.player_account(player)
        return format_events(card_room, player_chain(player), last)

    return read


@declare_action(
    app,
    "player add ann-lee --money room --by rosa",
    "player add bo --money play --by rosa",
    changes_signs=False,
    name="add",
)
def add_player(
    player: PlayerArgument,
    money: Annotated[
        str,
        typer.Option(
            "--money", metavar="room|play", help="The currency: room (real money) or play.", show_default=False
        ),
    ],
) -> CommandAction:
    """Add an account with a zero balance for a named player."""
    from cardroom.service import parse_currency

    currency = parse_currency(money)
    return _format_balance(
        lambda request: request.card_room.players.admit_player(request.id, request.login, player, currency)
    )


@declare_action(app, "player pay-in ann-lee 50 --slip 4471 --by carl --second lee", name="pay-in", changes_signs=False)
def pay_in(
    player: PlayerArgument, dollars: DollarsArgument, slip: SlipOption = "", second: SecondLogin = None
) -> CommandAction:
    """Take money at the cage for a player's balance. Needs two people."""
    from cardroom.games.money import parse_dollars

    cents = parse_dollars(dollars)
    return _format_balance(
        lambda request: request.card_room.players.pay_in(request.id, request.login, player, cents, slip, second=second)
    )


@declare_action(
    app, "player pay-out ann-lee 50 --slip 4472 --by carl --second lee", name="pay-out", changes_signs=False
)
def pay_out(
    player: PlayerArgument, dollars: DollarsArgument, slip: SlipOption = "", second: SecondLogin = None
) -> CommandAction:
    """Pay money at the cage from a player's balance. Needs two people."""
    from cardroom.games.money import parse_dollars

    cents = parse_dollars(dollars)
    return _format_balance(
        lambda request: request.card_room.players.pay_out(request.id, request.login, player, cents, slip, second=second)
    )


def _format_balance(change_balance: Callable[[CommandRequest], PlayerAccountSummary]) -> CommandAction:
    """A command that prints the player's new balance."""
    from cardroom.service.json_output import account_summary_to_json
    from cardroom.terminal.pages.users import balance_text

    def execute(request: CommandRequest) -> CommandOutput:
        result = change_balance(request)
        return CommandOutput(account_summary_to_json(result), balance_text(result))

    return execute
