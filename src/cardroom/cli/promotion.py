"""`cardroom promotion`: promotions with written rules are added, paid, and ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, CommandQuery, declare_action, declare_query
from cardroom.cli.shared.options import ReasonOption, SecondLogin, TableName
from cardroom.cli.shared.output import CommandOutput

if TYPE_CHECKING:
    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.service import CardRoom, PromotionSummary

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

PromotionArgument = Annotated[str, typer.Argument(metavar="PROMOTION", help="The promotion's id.", show_default=False)]


@app.callback()
def promotion() -> None:
    """Run promotions: extra prizes that the card room pays, with written rules, dates, and a limit."""


@declare_action(
    app,
    "promotion add promotion.toml --by rosa",
    "jackpot print-example deuces-wild promotion | cardroom promotion add - --by rosa",
    name="add",
)
def add_promotion(
    file: Annotated[
        str, typer.Argument(metavar="FILE.toml", help="The promotion; - is standard input.", show_default=False)
    ],
) -> CommandAction:
    """Add a promotion. Its rules are displayed from now on, and it pays between its dates."""
    from cardroom.cli.shared.files import read_text
    from cardroom.room.promotion.setup import read_promotion

    promotion_setup = read_promotion(read_text(file))
    return lambda request: _format_promotion(
        promotion_setup.name, request.card_room.promotions.announce(request.id, request.login, promotion_setup)
    )


@declare_action(
    app,
    "promotion pay more-for-prime table-1 round.json --round 20260302-117 --by kim",
    "promotion pay more-for-prime table-1 round.json --round 118 --by kim --second lee",
)
def pay(
    promotion: PromotionArgument,
    table: TableName,
    record: Annotated[str, typer.Argument(metavar="FILE|-", help="The finished round, as `cardroom settle` reads it.")],
    round_id: Annotated[str, typer.Option("--round", metavar="ROUND", help="The round's id.", show_default=False)],
    when: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="The day of the round; today when left out.")
    ] = None,
    dealt_again: Annotated[
        str | None,
        typer.Option(metavar="REASON", help="Why a second prize for the very same cards is correct; needs --second."),
    ] = None,
    second: SecondLogin = None,
) -> CommandAction:
    """Pay the promotion's prizes of a finished round. The program evaluates the hands.

    A hand is paid only once, even under another round id. A prize above the dealer's limit (`cardroom room show`) needs
    a second person.
    """
    from cardroom.cli.shared.jackpot_arguments import parse_optional_day, read_round_record

    round_data, round_day = read_round_record(record), parse_optional_day(when)
    return lambda request: request.card_room.promotions.pay(
        request.id,
        request.login,
        promotion,
        table,
        round_id,
        round_data,
        day=round_day,
        second=second,
        repeat_reason=dealt_again,
    )


@declare_action(app, 'promotion end more-for-prime --why "Sold out" --by rosa')
def end(promotion: PromotionArgument, why: ReasonOption = "") -> CommandAction:
    """End a promotion before its last day."""

    def do(request: CommandRequest) -> CommandOutput:
        result = request.card_room.promotions.end(request.id, request.login, promotion, why)
        return _format_promotion(request.card_room.promotion(promotion).state.promotion.name, result)

    return do


def _format_promotion(name: str, result: PromotionSummary) -> CommandOutput:
    """The promotion's state, under its name."""
    from cardroom.service.json_output import result_to_json
    from cardroom.terminal.pages.payments import promotions_table

    return CommandOutput(result_to_json(result), promotions_table({name: result}))


@declare_query(app, "promotion list", "promotion list --json", name="list")
def list_promotions() -> CommandQuery:
    """List all promotions: rules, amounts paid, and amounts left."""
    from cardroom.service.json_output import promotion_to_json
    from cardroom.terminal.pages.payments import promotion_rules_page

    def read(card_room: CardRoom) -> CommandOutput:
        states = [card_room.promotion(promotion_id).state for promotion_id in card_room.list_promotions()]
        return CommandOutput(list(map(promotion_to_json, states)), promotion_rules_page(states))

    return read
