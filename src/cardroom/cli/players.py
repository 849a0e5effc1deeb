"""`cardroom players`: people with a balance, and the cage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.deeds import Deed, Look, deed, look
from cardroom.cli.shared.numbers import Whole
from cardroom.cli.shared.options import Second

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardroom.cli.shared.office import Sender
    from cardroom.floor import Floor, PlayerStanding

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="The player's name.", show_default=False)]
Dollars = Annotated[str, typer.Argument(metavar="DOLLARS", help="How much.", show_default=False)]
Slip = Annotated[str, typer.Option("--slip", metavar="NUMBER", help="The number of the slip.", show_default=False)]


@app.callback()
def players() -> None:
    """Admit players, take money in and pay it out at the cage, and see where everybody stands.

    A balance is of play money or of the room's; the two never meet, and every answer says which it is.
    """


@look(app, "players list", "players list --guests --json", name="list")
def list_players(
    guests: Annotated[bool, typer.Option("--guests", help="Guests too, who come in by themselves.")] = False,
) -> Look:
    """List the players with their balances and seats."""
    from cardroom.floor.player_entries import player_entry
    from cardroom.terminal.pages.users import players_table

    def read(floor: Floor) -> Answer:
        there = [state for name in floor.players() if not (state := floor.player(name)).guest or guests]
        return Answer({"players": [player_entry(one) for one in there]}, players_table(there))

    return read


@look(app, "players show ann-lee", "players show ann-lee --json")
def show(player: PlayerName) -> Look:
    """Show what a player has: the balance, and the chips at each seat."""
    from cardroom.floor.player_entries import player_entry
    from cardroom.terminal.pages.users import player_page

    def read(floor: Floor) -> Answer:
        state = floor.player(player)
        seated = {table: floor.felt(table).seated(seat) for table, seat in state.seats.items()}
        there = {table: one for table, one in seated.items() if one is not None}
        return Answer(player_entry(state, there), player_page(state, there))

    return read


@look(app, "players history ann-lee", "players history ann-lee --last 200 --json")
def history(
    player: PlayerName,
    last: Annotated[int, typer.Option("--last", metavar="N", help="How many, the newest first.", parser=Whole(1))] = 50,
) -> Look:
    """Tell everything that happened to a player's balance, in sentences, the newest first.

    The rounds are told by `cardroom rounds list --player PLAYER`.
    """
    from cardroom.cli.shared.told import told_answer
    from cardroom.floor.kept.chains import player_chain

    def read(floor: Floor) -> Answer:
        floor.player(player)
        return told_answer(floor, player_chain(player), last)

    return read


@deed(
    app,
    "players admit ann-lee --money room --by rosa",
    "players admit bo --money play --by rosa",
    signs=False,
)
def admit(
    player: PlayerName,
    money: Annotated[
        str, typer.Option("--money", metavar="room|play", help="Which of the two moneys.", show_default=False)
    ],
) -> Deed:
    """Give a named player an account, which begins with nothing."""
    from cardroom.floor import money_named

    of = money_named(money)
    return _standing(lambda sent: sent.floor.admit_player(sent.id, sent.who, player, of))


@deed(app, "players pay-in ann-lee 50 --slip 4471 --by carl --second lee", name="pay-in", signs=False)
def pay_in(player: PlayerName, dollars: Dollars, slip: Slip = "", second: Second = None) -> Deed:
    """Take money for a player's balance at the cage; two people do."""
    from cardroom.games.money import parse_dollars as cents_of

    cents = cents_of(dollars)
    return _standing(lambda sent: sent.floor.pay_in(sent.id, sent.who, player, cents, slip, second=second))


@deed(app, "players pay-out ann-lee 50 --slip 4472 --by carl --second lee", name="pay-out", signs=False)
def pay_out(player: PlayerName, dollars: Dollars, slip: Slip = "", second: Second = None) -> Deed:
    """Pay money from a player's balance at the cage; two people do."""
    from cardroom.games.money import parse_dollars as cents_of

    cents = cents_of(dollars)
    return _standing(lambda sent: sent.floor.pay_out(sent.id, sent.who, player, cents, slip, second=second))


def _standing(do: Callable[[Sender], PlayerStanding]) -> Deed:
    """A deed whose answer says what the player has now."""
    from cardroom.floor.player_entries import player_standing_entry
    from cardroom.terminal.pages.users import balance_text

    def answered(sent: Sender) -> Answer:
        standing = do(sent)
        return Answer(player_standing_entry(standing), balance_text(standing))

    return answered
