"""`cardroom jackpot`: adjustments, bank deposits, reconciliation, reimbursement; jackpots in and out of service."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, declare_action, format_result
from cardroom.cli.shared.options import JackpotName, LevelName, ReasonOption, SecondLogin
from cardroom.errors import BadInput

if TYPE_CHECKING:
    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.cli.shared.output import CommandOutput
    from cardroom.service import JackpotSummary

PANEL: Final = "Players' money"
app = typer.Typer()


class AdjustmentReason(StrEnum):
    """Reasons to adjust a meter by hand: the reasons to reduce it that the rules allow, and more seed money."""

    MALFUNCTION = "malfunction"
    ABOVE_CAP = "above-cap"
    NOT_DISPLAYED = "not-displayed"
    SEED_RECOVERY = "seed-recovery"
    SEED = "seed"
    PRIZE_WON = "prize-won"


class HiddenFund(StrEnum):
    """Funds that are not displayed."""

    RESERVE = "reserve"
    OVERFLOW = "overflow"


@declare_action(
    app,
    'jackpot adjust final-four --reason malfunction --report R-31 --down 12.40 --why "Double press" '
    "--by rosa --second lee",
    "jackpot adjust final-four --reason malfunction --report R-32 --up 5 --why Missed --by rosa --second lee",
    "jackpot adjust final-four --reason seed-recovery --down 1000 --why Agreed --by rosa --second lee",
    "jackpot adjust final-four --reason not-displayed --down 300 --from reserve --why Audit --by rosa --second lee",
    'jackpot adjust final-four --reason above-cap --why "New cap" --by rosa --second lee',
    'jackpot adjust final-four --reason seed --up 1000 --why "Holiday start" --by rosa --second lee',
    panel=PANEL,
)
def adjust(
    jackpot: JackpotName,
    reason: Annotated[
        AdjustmentReason,
        typer.Option(
            help="The reason. The rules allow five to reduce a meter; prizes are paid by claims.", show_default=False
        ),
    ],
    up: Annotated[str | None, typer.Option(metavar="DOLLARS", help="Add this amount to the meter.")] = None,
    down: Annotated[str | None, typer.Option(metavar="DOLLARS", help="Take this amount off the meter.")] = None,
    fund: Annotated[HiddenFund | None, typer.Option("--from", help="The fund to take undisplayed money from.")] = None,
    report: Annotated[str | None, typer.Option(metavar="NUMBER", help="The open malfunction report.")] = None,
    level: LevelName = None,
    why: ReasonOption = "",
    second: SecondLogin = None,
) -> CommandAction:
    """Adjust the meter of a progressive jackpot by hand. Needs a permitted reason and two people."""
    from cardroom.cli.shared.jackpot_arguments import choose_level
    from cardroom.games.money import parse_dollars

    cents = _signed_cents(
        reason, None if up is None else parse_dollars(up), None if down is None else parse_dollars(down), fund
    )

    if (reason is AdjustmentReason.MALFUNCTION) != (report is not None):
        raise BadInput("--report NUMBER belongs only to --reason malfunction: it names the open malfunction report.")

    def do(request: CommandRequest) -> JackpotSummary:
        level_name = choose_level(request.card_room.jackpot(jackpot), level)
        return _execute_adjustment(request, reason, jackpot, level_name, cents, fund, report or "", why, second or "")

    return do


def _signed_cents(reason: AdjustmentReason, up: int | None, down: int | None, fund: HiddenFund | None) -> int:
    """The amount with its sign: a positive amount raises the meter."""
    if reason is AdjustmentReason.PRIZE_WON:
        raise BadInput("A won prize comes off the meter by a claim: cardroom claim add, then cardroom claim pay.")
    if (reason is AdjustmentReason.NOT_DISPLAYED) != (fund is not None):
        raise BadInput("--from reserve or --from overflow belongs only to --reason not-displayed.")
    if reason is AdjustmentReason.ABOVE_CAP:
        if up is not None or down is not None:
            raise BadInput("The amount above the cap is known: leave --up and --down out.")
        return 0
    allowed_options = {AdjustmentReason.SEED: "--up", AdjustmentReason.MALFUNCTION: "--up or --down"}.get(
        reason, "--down"
    )
    if (
        (up is None) == (down is None)
        or (up is None and allowed_options == "--up")
        or (down is None and allowed_options == "--down")
    ):
        raise BadInput(f"For {reason}, enter one amount with {allowed_options} DOLLARS.")
    return up if up is not None else -(down or 0)


def _execute_adjustment(
    request: CommandRequest,
    reason: AdjustmentReason,
    jackpot: str,
    level: str,
    cents: int,
    fund: HiddenFund | None,
    report: str,
    why: str,
    second: str,
) -> JackpotSummary:
    card_room, command_id, login = request.card_room, request.id, request.login
    match reason:
        case AdjustmentReason.MALFUNCTION:
            return card_room.jackpots.correct_malfunction(
                command_id, login, jackpot, level, cents, why, second=second, report=report
            )
        case AdjustmentReason.ABOVE_CAP:
            return card_room.jackpots.lower_to_ceiling(command_id, login, jackpot, level, why, second=second)
        case AdjustmentReason.NOT_DISPLAYED:
            return card_room.jackpots.remove_undisplayed_money(
                command_id, login, jackpot, level, str(fund), -cents, why, second=second
            )
        case AdjustmentReason.SEED_RECOVERY:
            return card_room.jackpots.recover_seed(command_id, login, jackpot, level, -cents, why, second=second)
        case _:
            return card_room.jackpots.add_seed(command_id, login, jackpot, level, cents, why, second=second)


@declare_action(
    app,
    "jackpot deposit final-four 1250.40 --slip 4471 --by carl",
    "jackpot deposit final-four all --slip 4471 --by carl",
    panel=PANEL,
)
def deposit(
    jackpot: JackpotName,
    amount: Annotated[
        str,
        typer.Argument(metavar="DOLLARS|all", help="The amount, or all: every undeposited cent.", show_default=False),
    ],
    slip: Annotated[str, typer.Option(metavar="NUMBER", help="The number of the deposit slip.", show_default=False)],
) -> CommandAction:
    """Record a deposit to the jackpot's bank account. Deposits are due at least once a week."""
    from cardroom.games.money import parse_dollars

    cents = None if amount == "all" else parse_dollars(amount)
    return lambda request: request.card_room.jackpots.deposit_to_bank(request.id, request.login, jackpot, cents, slip)


@declare_action(
    app,
    "jackpot reimburse final-four all --reference T-118 --by carl --second rosa",
    "jackpot reimburse final-four 450.00 --reference T-119 --by carl --second rosa",
    panel=PANEL,
)
def reimburse(
    jackpot: JackpotName,
    amount: Annotated[
        str,
        typer.Argument(metavar="DOLLARS|all", help="The amount, or all: every cent that is owed.", show_default=False),
    ],
    reference: Annotated[
        str, typer.Option(metavar="NUMBER", help="The number of the bank's transfer.", show_default=False)
    ],
    second: SecondLogin = None,
) -> CommandAction:
    """Reimburse the cage from the jackpot's bank account for cash prizes that it paid."""
    from cardroom.games.money import parse_dollars

    cents = None if amount == "all" else parse_dollars(amount)
    return lambda request: request.card_room.jackpots.reimburse_cage(
        request.id, request.login, jackpot, cents, reference, second=second
    )


@declare_action(
    app,
    "jackpot reconcile final-four 6250.40 --statement 2026-03-01 --by carl",
    "jackpot reconcile final-four 6250.40 --statement 2026-03-01 --in-transit 4471 --outstanding 1077 --by carl",
    "jackpot reconcile final-four 0 --statement today --by carl",
    "jackpot reconcile final-four 6240.40 --statement 2026-03-01 --shortage 10 --by carl",
    'jackpot reconcile final-four 6520.40 --statement 2026-03-01 --why "Digits swapped" --by carl --second rosa',
    panel=PANEL,
)
def reconcile(
    jackpot: JackpotName,
    balance: Annotated[
        str,
        typer.Argument(
            metavar="DOLLARS", help="The bank's balance, such as 1250.40; overdrawn: last, -- -5.", show_default=False
        ),
    ],
    statement: Annotated[str, typer.Option(metavar="DAY|today", help="The date of the statement.", show_default=False)],
    in_transit: Annotated[
        list[str] | None,
        typer.Option(metavar="SLIP", help="The slip of a deposit that is not on the statement yet; may be repeated."),
    ] = None,
    outstanding: Annotated[
        list[str] | None,
        typer.Option(metavar="NUMBER", help="A check or transfer that is not on the statement yet; may be repeated."),
    ] = None,
    shortage: Annotated[
        str, typer.Option(metavar="DOLLARS", help="Confirm a shortage of this amount; it closes the jackpot.")
    ] = "",
    why: ReasonOption = "",
    second: SecondLogin = None,
) -> CommandAction:
    """Reconcile a bank statement: compare its balance with the ledger at the end of its day.

    Statement + deposits in transit - outstanding checks = ledger balance. Later movements are listed. A shortage
    must be confirmed with --shortage; it closes the jackpot at once (exit code 1). A later reconciliation without a
    shortage opens it again; that, and a second statement of the same day, need two people and a reason. An
    unexplained surplus is shown: investigate it.
    """
    from cardroom.games.money import parse_dollars, parse_signed_dollars
    from cardroom.room.setup.calendar import parse_day

    cents = parse_signed_dollars(balance)
    day = None if statement == "today" else parse_day(statement)

    def do(request: CommandRequest) -> CommandOutput:
        result = request.card_room.jackpots.reconcile(
            request.id,
            request.login,
            jackpot,
            cents,
            day=day,
            in_transit=in_transit or (),
            outstanding=outstanding or (),
            second=second,
            why=why,
            shortage_cents=parse_dollars(shortage) if shortage else 0,
        )
        return format_result(result, is_success=not result.summary.short)

    return do


@declare_action(app, 'jackpot disable final-four --why "The display is dark" --by rosa', panel=PANEL)
def disable(jackpot: JackpotName, why: ReasonOption = "") -> CommandAction:
    """Disable a jackpot: it shows as unavailable, does not grow, and cannot be won."""
    return lambda request: request.card_room.jackpots.disable(request.id, request.login, jackpot, why)


@declare_action(app, "jackpot enable final-four --by rosa", panel=PANEL)
def enable(jackpot: JackpotName) -> CommandAction:
    """Enable a disabled jackpot with its meters unchanged."""
    return lambda request: request.card_room.jackpots.enable(request.id, request.login, jackpot)
