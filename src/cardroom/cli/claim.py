"""`cardroom claim`: a win is claimed, verified by a second person, and paid or refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, CommandQuery, declare_action, declare_query
from cardroom.cli.shared.options import JackpotName, ReasonOption, SecondLogin, TableName, WholeNumber
from cardroom.cli.shared.output import CommandOutput
from cardroom.errors import BadInput

if TYPE_CHECKING:
    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.room.claim.typed_hand import TypedHand
    from cardroom.room.jackpot.state import JackpotState
    from cardroom.service import CardRoom, ClaimDecisionResult, ClaimResult

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")
ClaimArgument = Annotated[
    str, typer.Argument(metavar="CLAIM", help="The claim's id, or its first characters.", show_default=False)
]


@app.callback()
def claim_group() -> None:
    """Claim jackpot prizes, pay them, refuse them, and print their payout slips."""


@declare_action(
    app,
    "claim add final-four table-1 round.json --round 20260302-117 --by kim",
    'claim add final-four table-1 --cards "hand=Jd Qd Kd" --cards fourth=Ad --seat 3 --by kim',
    'claim add super-3s table-2 --cards "hand=As Ks Qs Ah Kh Qh" --seat 1 --by kim --id claim-42',
    name="add",
)
def add_claim(
    jackpot: JackpotName,
    table: TableName,
    record: Annotated[
        str | None,
        typer.Argument(metavar="FILE|-", help="The finished round, as `cardroom settle` reads it.", show_default=False),
    ] = None,
    cards: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLACE=CARDS",
            help="The cards by place: hand, fourth, fifth, war, dealer, community, war community, added community.",
        ),
    ] = None,
    decision: Annotated[
        list[str] | None,
        typer.Option(metavar="QUESTION=ANSWER", help="A decision of the player, if the hand depends on it."),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The seat of the hand; may be left out if only one seat wagered.",
            parser=WholeNumber(1),
        ),
    ] = None,
    wagered: Annotated[
        str | None,
        typer.Option(
            metavar="DOLLARS", help="The jackpot wager, if it differs from the counted one. 0 if only other seats win."
        ),
    ] = None,
    round_id: Annotated[
        str | None, typer.Option("--round", metavar="ROUND", help="The round; the last one of the table when left out.")
    ] = None,
) -> CommandAction:
    """Claim the prizes of a round, as the dealer. The program evaluates the hands.

    Winners of a round may be claimed separately, in any order; equal winners share as if they were claimed together.
    Fixed prizes within the dealer's limit are paid at once. A share of a meter or a larger win is locked: displays show
    it as pending, and other tables continue. The claim gets the id of this command.
    """
    from cardroom.cli.shared.jackpot_arguments import parse_named_values, read_round_record

    if bool(record) == bool(cards):
        raise BadInput(
            "Name the record of a finished round (FILE or -), or enter the hand with --cards: one of the two."
        )
    round_data = read_round_record(record) if record else None
    cards_by_place = parse_named_values(cards or (), '"hand=Jd Qd Kd"')
    decisions = parse_named_values(decision or (), '"hand=keep As Ks"')

    def do(request: CommandRequest) -> ClaimResult:
        card_room = request.card_room
        round_ = round_id or _find_last_round(card_room, table)
        if round_data is not None:
            return card_room.claims.claim_prizes(request.id, request.login, jackpot, table, round_, round_data)
        claim_seat = seat or _find_only_seat(card_room, jackpot, table, round_)
        hand = _read_hand(card_room, jackpot, table, round_, cards_by_place, decisions, claim_seat, wagered)
        return card_room.claims.claim_hand(request.id, request.login, jackpot, table, round_, hand)

    return do


def _find_last_round(card_room: CardRoom, table: str) -> str:
    last_round = card_room.tabulator(table).tabulator.round
    if last_round is None:
        raise BadInput(f"No round is counted at {table} yet: name the round with --round.")
    return last_round.round


def _find_only_seat(card_room: CardRoom, jackpot: str, table: str, round_id: str) -> int:
    """The seat of the only counted wager on the jackpot."""
    seats = card_room.claims.list_wagered_positions(jackpot, table, round_id)
    if len(seats) > 1:
        seat_list = ", ".join(map(str, seats))
        raise BadInput(
            f"In round {round_id}, seats {seat_list} wagered on {jackpot}: name the seat of the hand with --seat."
        )
    return seats[0] if seats else 1


def _read_hand(
    card_room: CardRoom,
    jackpot: str,
    table: str,
    round_id: str,
    cards: dict[str, str],
    decisions: dict[str, str],
    seat: int,
    wagered: str | None,
) -> TypedHand:
    from cardroom.games.money import parse_dollars
    from cardroom.room.claim.typed_hand import TypedHand

    state = card_room.jackpot(jackpot)
    game, offers = card_room.tabulator(table).tabulator.table.game, state.setup["offers"]
    offered_wager = next((offer["wager"] for offer in offers if offer["game"] == game), None)
    wager = card_room.claims.find_counted_wager(jackpot, table, round_id) or offered_wager
    if wager is None:
        raise BadInput(f"Table {table} is not linked to {jackpot}: check the names.")
    cents = parse_dollars(wagered) if wagered else _counted_cents(card_room, state, table, round_id, seat)
    return TypedHand(wager, cents, cards, decisions, seat)


def _counted_cents(card_room: CardRoom, jackpot: JackpotState, table: str, round_id: str, seat: int) -> int:
    """What was counted at a seat, in cents. Of a round that was not counted any amount is refused later on."""
    from cardroom.games.money import format_cents

    wagered_cents = card_room.claims.find_stakes(jackpot.id, table, round_id)
    if wagered_cents is None or len(jackpot.wagers) == 1:
        return jackpot.wagers[0]
    if seat in wagered_cents:
        return wagered_cents[seat]
    if wagered_cents:
        raise BadInput(
            f"No wager on {jackpot.id} was counted at seat {seat} in round {round_id}: check the seat, or claim with "
            "--wagered 0 what others win by the hand."
        )
    amounts = " or ".join(map(format_cents, jackpot.wagers))
    raise BadInput(f"A wager on {jackpot.id} is {amounts}: enter the amount with --wagered.")


@declare_action(
    app,
    "claim pay final-four claim-42 --player 'Ann Lee' --payment check --reference 1077 --by lee --second carl",
    "claim pay final-four 3f2a --player declined --payment cash --reference 218 --by lee --second carl "
    '--surveillance vera --checked-at "2026-03-02 21:40"',
    "claim pay final-four 77b1 --player '3=Ann Lee' --player 5=declined --payment check --reference 3=1078 "
    "--reference 5=1079 --by lee --second carl",
    "claim pay prime-1-final-four prime-1.17 --balance --by lee --second carl",
)
def pay(
    jackpot: JackpotName,
    claim: ClaimArgument,
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|declined", help="The player who is paid; SEAT=NAME for each of several winning seats."
        ),
    ] = None,
    payment: Annotated[
        list[str] | None,
        typer.Option(metavar="cash|check|transfer", help="The method of payment; SEAT=METHOD if the seats differ."),
    ] = None,
    reference: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NUMBER", help="The number of the check, cash slip, or transfer; SEAT=NUMBER for several winners."
        ),
    ] = None,
    surveillance: Annotated[
        str | None,
        typer.Option(
            metavar="LOGIN", help="The surveillance officer who verified hand, wager, payout, and player, and signs in."
        ),
    ] = None,
    checked_at: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="When surveillance verified the win, in the room's time zone; or now."),
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE.pdf", help="Also write the payout slip to sign.")
    ] = None,
    balance: Annotated[
        bool, typer.Option("--balance", help="Pay to the balances of players at an automatic table.")
    ] = False,
    second: SecondLogin = None,
) -> CommandAction:
    """Pay a claim after a second person has verified it. Large wins also need a surveillance officer.

    A claim of an automatic table needs two people, too, and goes to the balances of its players.
    """
    from pathlib import Path

    from cardroom.cli.shared.jackpot_arguments import parse_payouts
    from cardroom.room.jackpot.event_values import SurveillanceCheck

    if output is not None:
        from cardroom.reports.accounting import refuse_slip_file

        refuse_slip_file(Path(output))

    if (surveillance is None) != (checked_at is None):
        raise BadInput("Name the surveillance officer and the time together: --surveillance LOGIN --checked-at TIME.")
    surveillance_check = (
        SurveillanceCheck(surveillance, checked_at) if surveillance is not None and checked_at is not None else None
    )

    def do(request: CommandRequest) -> CommandOutput:
        claim_id = _find_claim(request.card_room, jackpot, claim)
        seats = (
            _seats_without_balance(request.card_room, jackpot, claim_id)
            if balance
            else _find_winning_seats(request.card_room, jackpot, claim_id)
        )
        payouts = parse_payouts(seats, player or (), payment or (), reference or ())
        decision = request.card_room.payments.pay(
            request.id, request.login, jackpot, claim_id, paid=payouts, surveillance=surveillance_check, second=second
        )
        result = _format_decision(decision, is_paid=True)
        return result if output is None else _add_slip(result, request.card_room, jackpot, claim_id, output)

    return do


def _add_slip(result: CommandOutput, card_room: CardRoom, jackpot: str, claim: str, output: str) -> CommandOutput:
    from dataclasses import replace
    from pathlib import Path

    from rich.console import Group

    from cardroom.reports.accounting import write_slips
    from cardroom.terminal.pages.documents import slips_text

    slips = write_slips(card_room, jackpot, claim, Path(output))
    return replace(result, page=Group(result.page, slips_text(slips, output)))


@declare_query(
    app,
    "claim print-slip final-four claim-42 -o slip.pdf",
    "claim print-slip final-four 3f2a -o slip.pdf --json",
    name="print-slip",
)
def print_slip(
    jackpot: JackpotName,
    claim: ClaimArgument,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE.pdf", help="The file to write.", show_default=False)
    ],
) -> CommandQuery:
    """Print the payout slip of a claim to sign: one page for each winner, paid, pending, or refused."""
    from pathlib import Path

    from cardroom.reports.accounting import refuse_slip_file, slips_json, write_slips
    from cardroom.terminal.pages.documents import slips_text

    refuse_slip_file(Path(output))

    def read(card_room: CardRoom) -> CommandOutput:
        slips = write_slips(card_room, jackpot, _find_claim(card_room, jackpot, claim), Path(output))
        return CommandOutput(slips_json(slips), slips_text(slips, output))

    return read


def _find_winning_seats(card_room: CardRoom, jackpot: str, claim: str) -> tuple[int, ...]:
    """The seats that a claim pays. It works for a paid claim, too, so that a command can be repeated."""
    state = card_room.jackpot(jackpot)
    if any(item.id == claim for item in state.claims):
        return tuple(sorted(state.claim(claim).seats))
    payment = card_room.payments.get_claim_history(jackpot, claim).payment
    return tuple(sorted(item.seat for item in payment.payouts)) if payment else state.claim(claim).seats


def _seats_without_balance(card_room: CardRoom, jackpot: str, claim: str) -> tuple[int, ...]:
    """The seats of a claim whose players have no balance."""
    seats_with_balance = {seating.seat for seating in card_room.payments.get_claim_history(jackpot, claim).lock.sat}
    seats = _find_winning_seats(card_room, jackpot, claim)
    if not seats_with_balance.intersection(seats):
        raise BadInput(
            f"Claim {claim} was not won by a player of an automatic table: leave --balance out, and use --player, "
            "--payment, and --reference."
        )
    return tuple(seat for seat in seats if seat not in seats_with_balance)


@declare_action(
    app,
    'claim refuse final-four claim-42 --why "The fourth card was exposed" --by lee --second carl',
    'claim refuse final-four claim-42 --seat 3 --why "No wager was placed" --by lee --second carl',
)
def refuse(
    jackpot: JackpotName,
    claim: ClaimArgument,
    seats: Annotated[
        list[int] | None,
        typer.Option(
            "--seat", metavar="N", help="Only the prizes of this seat; may be repeated.", parser=WholeNumber()
        ),
    ] = None,
    why: ReasonOption = "",
    second: SecondLogin = None,
) -> CommandAction:
    """Refuse a claim, or some seats of it. The money returns to the meter.

    A claim of an automatic table needs two people.
    """

    def do(request: CommandRequest) -> CommandOutput:
        claim_id = _find_claim(request.card_room, jackpot, claim)
        decision = request.card_room.claims.refuse(
            request.id, request.login, jackpot, claim_id, why, seats=seats, second=second
        )
        return _format_decision(decision, is_paid=False)

    return do


def _format_decision(decision: ClaimDecisionResult, *, is_paid: bool) -> CommandOutput:
    from cardroom.service.json_output import result_to_json
    from cardroom.terminal.pages.payments import decided_claim_page

    return CommandOutput(result_to_json(decision), decided_claim_page(decision, is_paid=is_paid))


def _find_claim(card_room: CardRoom, jackpot: str, prefix: str) -> str:
    """A pending claim by the first characters of its id; else an older one, so that a command can be repeated."""
    from cardroom.cli.shared.jackpot_arguments import match_claim
    from cardroom.room.jackpot.events import ClaimJoined, ClaimLocked
    from cardroom.service.queries.chain_history import payload_of

    pending = [claim_id.id for claim_id in card_room.jackpot(jackpot).claims]
    if any(claim_id.startswith(prefix) for claim_id in pending):
        return match_claim(prefix, pending, jackpot)
    claim_kinds = (ClaimLocked.kind, ClaimJoined.kind)
    payloads = [
        payload_of(event) for event in card_room.history.list_jackpot_events(jackpot) if event.kind in claim_kinds
    ]
    return match_claim(prefix, [str(payload["claim"]) for payload in payloads], jackpot)
