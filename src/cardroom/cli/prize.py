"""`cardroom prize`: reverse fixed prizes that were paid for a wrong hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, declare_action
from cardroom.cli.shared.options import JackpotName, ReasonOption, SecondLogin
from cardroom.cli.shared.output import CommandOutput
from cardroom.errors import BadInput

if TYPE_CHECKING:
    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.service import CardRoom

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@app.callback()
def prize_group() -> None:
    """Reverse fixed prizes that were paid for a wrong hand."""


@declare_action(
    app,
    "prize reverse final-four claim-17 --chips returned --why 'The seven was a nine' --by lee --second carl",
    "prize reverse final-four 3f2a --chips lost --why 'The player had left' --by lee --second carl",
    name="reverse",
)
def reverse_prize(
    jackpot: JackpotName,
    claim: Annotated[
        str,
        typer.Argument(
            metavar="CLAIM",
            help="The id of the command that claimed the prize, or its first characters.",
            show_default=False,
        ),
    ],
    chips: Annotated[
        str,
        typer.Option(
            metavar="returned|lost", help="Whether the player returned the chips; if not, the card room bears the loss."
        ),
    ] = "",
    why: ReasonOption = "",
    second: SecondLogin = None,
) -> CommandAction:
    """Reverse fixed prizes that were paid at once for a wrong hand. Needs two people.

    Afterward the correct hand can be claimed, or the round voided. Refuse a pending claim instead.
    """
    from cardroom.room.jackpot.event_values import ChipsOutcome

    if chips not in tuple(ChipsOutcome):
        raise BadInput(f"Record what happened to the chips: --chips {' or --chips '.join(ChipsOutcome)}.")

    def do(request: CommandRequest) -> CommandOutput:
        from cardroom.service.json_output import result_to_json
        from cardroom.terminal.pages.payments import reversed_prizes_page

        claim_id, chips_state = _find_paid_claim(request.card_room, jackpot, claim), ChipsOutcome(chips)
        result = request.card_room.claims.reverse_prizes(
            request.id, request.login, jackpot, claim_id, why, second=second, chips=chips_state
        )
        return CommandOutput(result_to_json(result), reversed_prizes_page(result, chips_state))

    return do


def _find_paid_claim(card_room: CardRoom, jackpot: str, prefix: str) -> str:
    """The command that paid prizes at once, by the first characters of its id."""
    from cardroom.cli.shared.jackpot_arguments import match_claim
    from cardroom.ledger.types import command_id_of
    from cardroom.room.jackpot.events import PrizesPaid
    from cardroom.room.user.command_ids import original_command_id

    command_ids = [
        original_command_id(command_id_of(event.id))
        for event in card_room.history.list_jackpot_events(jackpot)
        if event.kind == PrizesPaid.kind
    ]
    return match_claim(prefix, command_ids, jackpot)
