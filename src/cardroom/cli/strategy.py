"""`cardroom strategy`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.options import AsJson, Bonuses, Decks, GameOptions, TableFile
from cardroom.errors import BadInput

if TYPE_CHECKING:
    from cardroom.odds import PriceRequest

app = typer.Typer()


@app.command(
    epilog="""Examples:

- `cardroom strategy three-card-prime`
- `cardroom strategy three-card-prime --hand "Qh 6d 4c"`
- `cardroom strategy three-card-double-play --paytable LWB3 --hand "As Ks 9d 9c 5h 4h"`
- `cardroom strategy --table generous.toml` (a paytable that nobody printed)
- `cardroom strategy deuces-wild --wager five-card-fortune --hand "2c Jk 9h"`
- `cardroom strategy three-card-double-play --card -o double-play.pdf` - to print, cut out and carry along
- `cardroom strategy --card` - the cards of all games in strategies.pdf
"""
)
def strategy(
    game: Annotated[
        str | None, typer.Argument(help="A game, such as prime; may be left out with --table or --card.")
    ] = None,
    wager: Annotated[str | None, typer.Option(help="The wager; the main one when left out.")] = None,
    paytable: Annotated[str | None, typer.Option(help="The table, by its printed name; the first if none.")] = None,
    hand: Annotated[
        str | None, typer.Option(metavar="CARDS", help="The cards you hold: what each decision is worth.")
    ] = None,
    card: Annotated[bool, typer.Option("--card", help="Print the strategy as a card for the pocket, a PDF.")] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE.pdf", help="The card's file; GAME-strategy.pdf when left out."),
    ] = None,
    decks: Decks = None,
    option: GameOptions = None,
    bonus: Bonuses = None,
    table: TableFile = None,
    as_json: AsJson = False,
) -> None:
    """Say how to play: a strategy to remember and what it costs, or what each decision with a hand is worth.

    As cards for the pocket, a game has one for each wager that asks the player something; with a wager, a table or an
    option named, one card for just that. Without a game all games are printed, in one file.
    """
    from cardroom.cli import asking
    from cardroom.terminal.progress import progress_bar

    if output is not None and not card:
        raise BadInput("-o names the file of a card: add --card, or leave -o out.")
    if hand is not None and card:
        raise BadInput("A card holds a strategy for every hand: leave out --hand, or leave out --card.")

    def question() -> PriceRequest:
        return asking.one_question(
            asking.TypedQuestion(
                game=game, wager=wager, paytable=paytable, decks=decks, options=option, bonuses=bonus, tables=table
            )
        )

    if card:
        from cardroom.cli import strategy_card

        more_than_a_game = any(one not in (None, []) for one in (wager, paytable, decks, option, bonus, table))
        wanted = strategy_card.order(game, output, question if more_than_a_game else None)
        with progress_bar() as bar:
            answer = strategy_card.make(wanted, bar.set_share)
    else:
        asked = question()
        with progress_bar() as bar:
            answer = asking.hand_advice(asked, hand) if hand else asking.simple_advice(asked, bar.set_share)
    answer.tell(as_json)
