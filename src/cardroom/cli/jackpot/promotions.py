"""Promotions: announced with their written rules, paid by the house, ended."""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.cli.shared.options import AsJson, By, CommandId, Database, TableName, Why, console, examples, print_json

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

PromotionName = Annotated[str, typer.Argument(metavar="PROMOTION", help="Its id.", show_default=False)]


@app.callback()
def promotion() -> None:
    """An operator's extra prizes: announced with written rules, dates and a limit, and paid by the house."""


@app.command(
    epilog=examples(
        "jackpot promotion announce promotion.toml --by Rosa",
        "jackpot example deuces-wild promotion | cardroom jackpot promotion announce - --by Rosa",
    )
)
def announce(
    file: Annotated[
        str, typer.Argument(metavar="FILE.toml", help="The promotion; - is standard input.", show_default=False)
    ],
    by: By = None,
    command_id: CommandId = None,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Begin a promotion: its rules are displayed from now on, and it pays between its dates."""
    from cardroom.cli.shared.office import sending
    from cardroom.cli.shared.reading import read_text
    from cardroom.jackpots import read_promotion
    from cardroom.terminal.pages.promotions import promotions_table, standing_entry

    read = read_promotion(read_text(file))
    with sending(database, by, command_id, may_begin=True) as sender:
        standing = sender.floor.announce_promotion(sender.id, sender.who, read)
    sender.tell(as_json, standing_entry(standing), promotions_table({read.name: standing}))


@app.command(epilog=examples("jackpot promotion pay more-for-prime table-1 round.json --round 20260302-117 --by Kim"))
def pay(
    promotion: PromotionName,
    table: TableName,
    record: Annotated[str, typer.Argument(metavar="FILE|-", help="The finished round, as `cardroom settle` reads it.")],
    round_id: Annotated[str, typer.Option("--round", metavar="ROUND", help="The round's id.", show_default=False)],
    when: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="The day of the round; today when left out.")
    ] = None,
    by: By = None,
    command_id: CommandId = None,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Pay every hand of a finished round that the promotion is for; the rules of the game judge the hands."""
    from cardroom.cli.jackpot.typing import day
    from cardroom.cli.jackpot.typing import record as read_record
    from cardroom.cli.shared.office import sending
    from cardroom.terminal.pages.promotions import paid_entry, paid_text

    finished, on = read_record(record), day(when)
    with sending(database, by, command_id) as sender:
        paid = sender.floor.pay_promotion(sender.id, sender.who, promotion, table, round_id, finished, when=on)
    sender.tell(as_json, paid_entry(paid), paid_text(paid))


@app.command(epilog=examples('jackpot promotion end more-for-prime --why "Sold out" --by Rosa'))
def end(
    promotion: PromotionName,
    why: Why = "",
    by: By = None,
    command_id: CommandId = None,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """End a promotion before its time."""
    from cardroom.cli.shared.office import sending
    from cardroom.terminal.pages.promotions import promotions_table, standing_entry

    with sending(database, by, command_id) as sender:
        standing = sender.floor.end_promotion(sender.id, sender.who, promotion, why)
        name = sender.floor.promotion(promotion).state.promotion.name
    sender.tell(as_json, standing_entry(standing), promotions_table({name: standing}))


@app.command(epilog=examples("jackpot promotion show", "jackpot promotion show --json"))
def show(database: Database = None, as_json: AsJson = False) -> None:
    """Show the promotions: their rules, what they have paid and what is left."""
    from cardroom.cli.shared.office import looking
    from cardroom.terminal.pages.promotions import promotions_sheet, state_entry

    with looking(database) as floor:
        states = [floor.promotion(one).state for one in floor.promotions()]
    if as_json:
        print_json([state_entry(state) for state in states])
    else:
        console().print(promotions_sheet(states))
