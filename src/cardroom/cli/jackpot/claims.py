"""The win flow: a claim is locked, verified by a second person and paid, or refused and given back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.deeds import Deed, Look, deed, look
from cardroom.cli.shared.numbers import Whole
from cardroom.cli.shared.options import JackpotName, Second, TableName, Why
from cardroom.errors import BadInput

if TYPE_CHECKING:
    from cardroom.cli.shared.office import Sender
    from cardroom.floor import ClaimDecided, ClaimMade, Floor
    from cardroom.jackpots import JackpotState, TypedHand

PANEL: Final = "Claims"
app = typer.Typer()

ClaimName = Annotated[
    str, typer.Argument(metavar="CLAIM", help="The claim's id, or as much of it as is clear.", show_default=False)
]


@deed(
    app,
    "jackpot claim final-four table-1 round.json --round 20260302-117 --by kim",
    'jackpot claim final-four table-1 --cards "hand=Jd Qd Kd" --cards fourth=Ad --seat 3 --by kim',
    'jackpot claim super-3s table-2 --cards "hand=As Ks Qs Ah Kh Qh" --seat 1 --by kim --id claim-42',
    panel=PANEL,
)
def claim(
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
            help="Or the hand: hand, fourth, fifth, war, dealer, community, war community, added community.",
        ),
    ] = None,
    decision: Annotated[
        list[str] | None,
        typer.Option(metavar="QUESTION=ANSWER", help="How it was played, where the hand depends on it."),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Where the hand was dealt; may be left out if only one wager was there.", parser=Whole(1)
        ),
    ] = None,
    wagered: Annotated[
        str | None,
        typer.Option(
            metavar="DOLLARS", help="On the jackpot; else what was counted there. 0 if only others win by it."
        ),
    ] = None,
    round_id: Annotated[
        str | None, typer.Option("--round", metavar="ROUND", help="The round; the table's last one when left out.")
    ] = None,
) -> Deed:
    """Claim what was won in a round; the system judges the hands itself. The dealer claims.

    Each winner of a round may be claimed on its own, in any order; equal winners share as if they had been claimed
    together. Fixed prizes that the room lets a dealer pay alone are paid at once. A share of a meter, and a larger win,
    is locked: displays show it as pending, and the other tables play on. The claim has the id of this command.
    """
    from cardroom.cli.jackpot.typing import pairs, round_record

    if bool(record) == bool(cards):
        raise BadInput("Claim a finished round from its record (FILE or -), or a hand with --cards: one of the two.")
    finished = round_record(record) if record else None
    typed = pairs(cards or (), '"hand=Jd Qd Kd"')
    decisions = pairs(decision or (), '"hand=keep As Ks"')

    def do(sent: Sender) -> ClaimMade:
        floor = sent.floor
        round_ = round_id or _last_round(floor, table)
        if finished is not None:
            return floor.claim(sent.id, sent.who, jackpot, table, round_, finished)
        at = seat or _only_seat(floor, jackpot, table, round_)
        hand = _hand(floor, jackpot, table, round_, typed, decisions, at, wagered)
        return floor.claim_hand(sent.id, sent.who, jackpot, table, round_, hand)

    return do


def _last_round(floor: Floor, table: str) -> str:
    last = floor.table(table).tabulator.round
    if last is None:
        raise BadInput(f"No round was counted at {table} yet: name it with --round.")
    return last.round


def _only_seat(floor: Floor, jackpot: str, table: str, round_id: str) -> int:
    """The seat of the only wager that was counted for the jackpot."""
    wagered = floor.wagered_at(jackpot, table, round_id)
    if len(wagered) > 1:
        places = ", ".join(map(str, wagered))
        raise BadInput(f"In round {round_id} wagers on {jackpot} lay at {places}: say whose hand it is with --seat.")
    return wagered[0] if wagered else 1


def _hand(
    floor: Floor,
    jackpot: str,
    table: str,
    round_id: str,
    cards: dict[str, str],
    decisions: dict[str, str],
    seat: int,
    wagered: str | None,
) -> TypedHand:
    from cardroom.games.money import parse_dollars
    from cardroom.jackpots import TypedHand

    state = floor.jackpot(jackpot)
    game, offers = floor.table(table).tabulator.table.game, state.setup["offers"]
    offered = next((offer["wager"] for offer in offers if offer["game"] == game), None)
    wager = floor.wager_for(jackpot, table, round_id) or offered
    if wager is None:
        raise BadInput(f"Table {table} does not play for {jackpot}: check the names.")
    cents = parse_dollars(wagered) if wagered else _counted_at(floor, state, table, round_id, seat)
    return TypedHand(wager, cents, cards, decisions, seat)


def _counted_at(floor: Floor, jackpot: JackpotState, table: str, round_id: str, seat: int) -> int:
    """What was counted at a seat, in cents. Of a round that was not counted any amount is refused later on."""
    from cardroom.games.money import format_cents

    staked = floor.staked_at(jackpot.id, table, round_id)
    if staked is None or len(jackpot.wagers) == 1:
        return jackpot.wagers[0]
    if seat in staked:
        return staked[seat]
    if staked:
        raise BadInput(
            f"No wager on {jackpot.id} was counted at seat {seat} in round {round_id}: check the seat, or claim with "
            "--wagered 0 what others win by the hand."
        )
    amounts = " or ".join(map(format_cents, jackpot.wagers))
    raise BadInput(f"A wager on {jackpot.id} is {amounts}: say what was wagered with --wagered.")


@deed(
    app,
    "jackpot pay final-four claim-42 --player 'Ann Lee' --payment cheque --reference 1077 --by lee --second carl",
    "jackpot pay final-four 3f2a --player declined --payment cash --reference 218 --by lee --second carl "
    '--surveillance vera --checked-at "2026-03-02 21:40"',
    "jackpot pay final-four 77b1 --player '3=Ann Lee' --player 5=declined --payment cheque --reference 3=1078 "
    "--reference 5=1079 --by lee --second carl",
    "jackpot pay prime-1-final-four prime-1.17 --balance --by lee --second carl",
    panel=PANEL,
)
def pay(
    jackpot: JackpotName,
    claim: ClaimName,
    player: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|declined", help="Who is paid; SEAT=NAME for each where several seats have won."),
    ] = None,
    payment: Annotated[
        list[str] | None,
        typer.Option(metavar="cash|cheque|transfer", help="How; SEAT=… where it is not the same for all."),
    ] = None,
    reference: Annotated[
        list[str] | None,
        typer.Option(metavar="NUMBER", help="Of the cheque, cash slip or transfer; SEAT=… where several have won."),
    ] = None,
    surveillance: Annotated[
        str | None,
        typer.Option(
            metavar="LOGIN", help="Who of the surveillance checked hand, wager, payout and player, and signs in for it."
        ),
    ] = None,
    checked_at: Annotated[
        str | None, typer.Option(metavar="TIME", help="When the surveillance checked, by the room's clock; or now.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE.pdf", help="Write the slip to sign, too.")
    ] = None,
    balance: Annotated[
        bool, typer.Option("--balance", help="To the balances of those who sat at an automatic table.")
    ] = False,
    second: Second = None,
) -> Deed:
    """Pay a claim that a second person has verified; a large one with the surveillance noted.

    What an automatic table has claimed two people verify, and it goes to the balances of those who sat there.
    """
    from pathlib import Path

    from cardroom.cli.jackpot.payouts import payouts_told
    from cardroom.jackpots import Surveillance

    if output is not None:
        from cardroom.reports.accounting import refuse_slip_file

        refuse_slip_file(Path(output))

    if (surveillance is None) != (checked_at is None):
        raise BadInput("Say who of the surveillance checked, and when: --surveillance LOGIN --checked-at TIME.")
    checked = Surveillance(surveillance, checked_at) if surveillance is not None and checked_at is not None else None

    def do(sent: Sender) -> Answer:
        chosen = _claim_named(sent.floor, jackpot, claim)
        seats = _paid_by_hand(sent.floor, jackpot, chosen) if balance else _winning_seats(sent.floor, jackpot, chosen)
        paid = payouts_told(seats, player or (), payment or (), reference or ())
        decided = sent.floor.pay(sent.id, sent.who, jackpot, chosen, paid=paid, surveillance=checked, second=second)
        answer = _decided(decided, paid=True)
        return answer if output is None else _with_slip(answer, sent.floor, jackpot, chosen, output)

    return do


def _with_slip(answer: Answer, floor: Floor, jackpot: str, claim: str, output: str) -> Answer:
    from dataclasses import replace
    from pathlib import Path

    from rich.console import Group

    from cardroom.reports.accounting import write_slips
    from cardroom.terminal.pages.documents import slips_text

    slips = write_slips(floor, jackpot, claim, Path(output))
    return replace(answer, page=Group(answer.page, slips_text(slips, output)))


@look(
    app,
    "jackpot slip final-four claim-42 -o slip.pdf",
    "jackpot slip final-four 3f2a -o slip.pdf --json",
    panel=PANEL,
)
def slip(
    jackpot: JackpotName,
    claim: ClaimName,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE.pdf", help="Where to write it.", show_default=False)
    ],
) -> Look:
    """Print the slip of a claim to sign: a page for each winner, whether it is paid, pending or refused."""
    from pathlib import Path

    from cardroom.reports.accounting import refuse_slip_file, slips_json, write_slips
    from cardroom.terminal.pages.documents import slips_text

    refuse_slip_file(Path(output))

    def read(floor: Floor) -> Answer:
        slips = write_slips(floor, jackpot, _claim_named(floor, jackpot, claim), Path(output))
        return Answer(slips_json(slips), slips_text(slips, output))

    return read


def _winning_seats(floor: Floor, jackpot: str, claim: str) -> tuple[int, ...]:
    """The seats that a claim pays, also once it is paid, so that a command may be sent twice."""
    state = floor.jackpot(jackpot)
    if any(one.id == claim for one in state.claims):
        return tuple(sorted(state.claim(claim).seats))
    payment = floor.claim_story(jackpot, claim).payment
    return tuple(sorted(one.seat for one in payment.payouts)) if payment else state.claim(claim).seats


def _paid_by_hand(floor: Floor, jackpot: str, claim: str) -> tuple[int, ...]:
    """The seats of a claim where nobody with a balance sat."""
    sat = {one.seat for one in floor.claim_story(jackpot, claim).lock.sat}
    seats = _winning_seats(floor, jackpot, claim)
    if not sat.intersection(seats):
        raise BadInput(
            f"Claim {claim} goes to no balance, because no player of an automatic table won it: leave --balance out, "
            "and say who is paid with --player, --payment and --reference."
        )
    return tuple(seat for seat in seats if seat not in sat)


@deed(
    app,
    'jackpot refuse final-four claim-42 --why "The fourth card was exposed" --by lee --second carl',
    'jackpot refuse final-four claim-42 --seat 3 --why "No wager lay there" --by lee --second carl',
    panel=PANEL,
)
def refuse(
    jackpot: JackpotName,
    claim: ClaimName,
    seats: Annotated[
        list[int] | None,
        typer.Option("--seat", metavar="N", help="Only the prizes of this seat; repeat it.", parser=Whole()),
    ] = None,
    why: Why = "",
    second: Second = None,
) -> Deed:
    """Refuse a claim, or some seats of it: the money goes back as if it had never been claimed.

    What an automatic table has claimed two people refuse.
    """

    def do(sent: Sender) -> Answer:
        chosen = _claim_named(sent.floor, jackpot, claim)
        refused = sent.floor.refuse(sent.id, sent.who, jackpot, chosen, why, seats=seats, second=second)
        return _decided(refused, paid=False)

    return do


@deed(
    app,
    "jackpot take-back-prize final-four claim-17 --chips returned --why 'The seven was a nine' --by lee --second carl",
    "jackpot take-back-prize final-four 3f2a --chips lost --why 'The player had left' --by lee --second carl",
    panel=PANEL,
)
def take_back_prize(
    jackpot: JackpotName,
    claim: Annotated[
        str,
        typer.Argument(
            metavar="CLAIM",
            help="The id of the command that claimed it, or as much of it as is clear.",
            show_default=False,
        ),
    ],
    chips: Annotated[
        str,
        typer.Option(
            metavar="returned|lost", help="Whether the player gave the chips back; if not, the house bears it."
        ),
    ] = "",
    why: Why = "",
    second: Second = None,
) -> Deed:
    """Take back fixed prizes that were paid at once on a wrong hand; two people do.

    They count as never claimed: the true hand can be claimed, and the round can be void. A claim that is pending is
    refused instead.
    """
    from cardroom.jackpots import Chips

    if chips not in tuple(Chips):
        raise BadInput(f"Say what became of the chips: --chips {' or --chips '.join(Chips)}.")

    def do(sent: Sender) -> Answer:
        from cardroom.floor.entries import answer_entry
        from cardroom.terminal.pages.payments import reversed_prizes_page

        chosen, told = _paid_at_once(sent.floor, jackpot, claim), Chips(chips)
        taken = sent.floor.take_back_prizes(sent.id, sent.who, jackpot, chosen, why, second=second, chips=told)
        return Answer(answer_entry(taken), reversed_prizes_page(taken, told))

    return do


def _paid_at_once(floor: Floor, jackpot: str, beginning: str) -> str:
    """A command by which prizes were paid at once, by the beginning of its id."""
    from cardroom.cli.jackpot.typing import claim_named
    from cardroom.floor.people.senders import sent_id
    from cardroom.jackpots.happenings import PrizesPaid
    from cardroom.ledger.types import command_id_of

    paid = [
        sent_id(command_id_of(event.id)) for event in floor.recall_jackpot(jackpot) if event.kind == PrizesPaid.kind
    ]
    return claim_named(beginning, paid, jackpot)


def _decided(decided: ClaimDecided, *, paid: bool) -> Answer:
    from cardroom.floor.entries import answer_entry
    from cardroom.terminal.pages.payments import decided_claim_page

    return Answer(answer_entry(decided), decided_claim_page(decided, is_paid=paid))


def _claim_named(floor: Floor, jackpot: str, beginning: str) -> str:
    """A pending claim by the beginning of its id; else one of old, so that a command may be sent twice."""
    from cardroom.cli.jackpot.typing import claim_named
    from cardroom.floor.kept.recall import payload_of
    from cardroom.jackpots.happenings import ClaimJoined, ClaimLocked

    pending = [one.id for one in floor.jackpot(jackpot).claims]
    if any(one.startswith(beginning) for one in pending):
        return claim_named(beginning, pending, jackpot)
    made = (ClaimLocked.kind, ClaimJoined.kind)
    claimed = [payload_of(event) for event in floor.recall_jackpot(jackpot) if event.kind in made]
    return claim_named(beginning, [str(told["claim"]) for told in claimed], jackpot)
