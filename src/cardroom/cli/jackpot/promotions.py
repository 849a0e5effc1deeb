"""Promotions: announced with their written rules, paid by the house, ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.deeds import Deed, Look, deed, look
from cardroom.cli.shared.options import Second, TableName, Why

if TYPE_CHECKING:
    from cardroom.cli.shared.office import Sender
    from cardroom.floor import Floor, PromotionStanding

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

PromotionName = Annotated[str, typer.Argument(metavar="PROMOTION", help="Its id.", show_default=False)]


@app.callback()
def promotion() -> None:
    """An operator's extra prizes: announced with written rules, dates and a limit, and paid by the house."""


@deed(
    app,
    "jackpot promotion announce promotion.toml --by rosa",
    "jackpot example deuces-wild promotion | cardroom jackpot promotion announce - --by rosa",
)
def announce(
    file: Annotated[
        str, typer.Argument(metavar="FILE.toml", help="The promotion; - is standard input.", show_default=False)
    ],
) -> Deed:
    """Begin a promotion: its rules are displayed from now on, and it pays between its dates."""
    from cardroom.cli.shared.reading import read_text
    from cardroom.jackpots import read_promotion

    read = read_promotion(read_text(file))
    return lambda sent: _named(read.name, sent.floor.announce_promotion(sent.id, sent.who, read))


@deed(
    app,
    "jackpot promotion pay more-for-prime table-1 round.json --round 20260302-117 --by kim",
    "jackpot promotion pay more-for-prime table-1 round.json --round 118 --by kim --second lee",
)
def pay(
    promotion: PromotionName,
    table: TableName,
    record: Annotated[str, typer.Argument(metavar="FILE|-", help="The finished round, as `cardroom settle` reads it.")],
    round_id: Annotated[str, typer.Option("--round", metavar="ROUND", help="The round's id.", show_default=False)],
    when: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="The day of the round; today when left out.")
    ] = None,
    dealt_again: Annotated[
        str | None,
        typer.Option(metavar="REASON", help="Why the very same cards are believed twice; needs --second."),
    ] = None,
    second: Second = None,
) -> Deed:
    """Pay every hand of a finished round that the promotion is for; the rules of the game judge the hands.

    A hand is paid once, whatever round it is said to be of. A prize above what the dealer may pay alone (`cardroom room
    show`) needs a second person.
    """
    from cardroom.cli.jackpot.typing import day, round_record

    finished, on = round_record(record), day(when)
    return lambda sent: sent.floor.pay_promotion(
        sent.id, sent.who, promotion, table, round_id, finished, when=on, second=second, again=dealt_again
    )


@deed(app, 'jackpot promotion end more-for-prime --why "Sold out" --by rosa')
def end(promotion: PromotionName, why: Why = "") -> Deed:
    """End a promotion before its time."""

    def do(sent: Sender) -> Answer:
        standing = sent.floor.end_promotion(sent.id, sent.who, promotion, why)
        return _named(sent.floor.promotion(promotion).state.promotion.name, standing)

    return do


def _named(name: str, standing: PromotionStanding) -> Answer:
    """How a promotion stands, under its name."""
    from cardroom.floor.entries import answer_entry
    from cardroom.terminal.pages.payments import promotions_table

    return Answer(answer_entry(standing), promotions_table({name: standing}))


@look(app, "jackpot promotion show", "jackpot promotion show --json")
def show() -> Look:
    """Show the promotions: their rules, what they have paid and what is left."""
    from cardroom.floor.entries import whole_promotion_entry
    from cardroom.terminal.pages.payments import promotion_rules_page

    def read(floor: Floor) -> Answer:
        states = [floor.promotion(one).state for one in floor.promotions()]
        return Answer(list(map(whole_promotion_entry, states)), promotion_rules_page(states))

    return read
