"""The win flow: a claim is locked, verified by a second person and paid, or refused and given back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.deeds import Deed, deed
from cardroom.cli.shared.options import JackpotName, TableName, Why
from cardroom.faults import BadInput

if TYPE_CHECKING:
    from cardroom.cli.shared.office import Sender
    from cardroom.floor import ClaimDecided, ClaimMade, Floor
    from cardroom.jackpots import TypedHand

PANEL: Final = "Claims"
app = typer.Typer()

ClaimName = Annotated[
    str, typer.Argument(metavar="CLAIM", help="The claim's id, or as much of it as is clear.", show_default=False)
]


@deed(
    app,
    "jackpot claim final-four table-1 round.json --round 20260302-117 --by Kim",
    'jackpot claim final-four table-1 --cards "hand=Jd Qd Kd" --cards fourth=Ad --seat 3 --by Kim',
    'jackpot claim super-3s table-2 --cards "hand=As Ks Qs Ah Kh Qh" --seat 1 --by Kim --id claim-42',
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
        typer.Option(metavar="N", min=1, help="Where the hand was dealt; may be left out if only one wager was there."),
    ] = None,
    wagered: Annotated[
        str | None,
        typer.Option(metavar="DOLLARS", help="On the jackpot, where there is a choice; 0 for a hand that others envy."),
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
        hand = _hand(floor, jackpot, table, typed, decisions, at, wagered)
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
    cards: dict[str, str],
    decisions: dict[str, str],
    seat: int,
    wagered: str | None,
) -> TypedHand:
    from cardroom.games.money import dollars, money
    from cardroom.jackpots import TypedHand

    state = floor.jackpot(jackpot)
    sensors = floor.table(table).tabulator.table.wagers
    wager = next((one.wager for one in sensors if one.jackpot == jackpot), None)
    if wager is None:
        raise BadInput(f"Table {table} does not play for {jackpot}: check the names.")
    if wagered is None and len(state.wagers) > 1:
        amounts = " or ".join(map(money, state.wagers))
        raise BadInput(f"A wager on {jackpot} is {amounts}: say what was wagered with --wagered.")
    return TypedHand(wager, dollars(wagered) if wagered else state.wagers[0], cards, decisions, seat)


@deed(
    app,
    "jackpot pay final-four claim-42 --by Rosa",
    'jackpot pay final-four 3f2a --by Rosa --surveillance Lee --checked-at "2026-03-02 21:40"',
    panel=PANEL,
)
def pay(
    jackpot: JackpotName,
    claim: ClaimName,
    surveillance: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who of the surveillance checked hand, wager, payout and player.")
    ] = None,
    checked_at: Annotated[str | None, typer.Option(metavar="TIME", help="When the surveillance checked.")] = None,
) -> Deed:
    """Pay a claim that a second person has verified; a large one with the surveillance noted."""
    from cardroom.jackpots import Surveillance

    if (surveillance is None) != (checked_at is None):
        raise BadInput("Say who of the surveillance checked, and when: --surveillance NAME --checked-at TIME.")
    checked = Surveillance(surveillance, checked_at) if surveillance is not None and checked_at is not None else None

    def do(sent: Sender) -> Answer:
        chosen = _claim_named(sent.floor, jackpot, claim)
        return _decided(sent.floor.pay(sent.id, sent.who, jackpot, chosen, surveillance=checked), paid=True)

    return do


@deed(
    app,
    'jackpot refuse final-four claim-42 --why "The fourth card was exposed" --by Rosa',
    'jackpot refuse final-four claim-42 --seat 3 --why "No wager lay there" --by Rosa',
    panel=PANEL,
)
def refuse(
    jackpot: JackpotName,
    claim: ClaimName,
    seats: Annotated[
        list[int] | None, typer.Option("--seat", metavar="N", help="Only the prizes of this seat; repeat it.")
    ] = None,
    why: Why = "",
) -> Deed:
    """Refuse a claim, or some seats of it: the money goes back as if it had never been claimed."""

    def do(sent: Sender) -> Answer:
        chosen = _claim_named(sent.floor, jackpot, claim)
        return _decided(sent.floor.refuse(sent.id, sent.who, jackpot, chosen, why, seats=seats), paid=False)

    return do


def _decided(decided: ClaimDecided, *, paid: bool) -> Answer:
    from cardroom.floor.entries import answer_entry
    from cardroom.terminal.pages.claims import claim_decided

    return Answer(answer_entry(decided), claim_decided(decided, paid=paid))


def _claim_named(floor: Floor, jackpot: str, beginning: str) -> str:
    """A pending claim by the beginning of its id; else one of old, so that a command may be sent twice."""
    from cardroom.cli.jackpot.typing import claim_named
    from cardroom.jackpots.happenings import ClaimJoined, ClaimLocked

    pending = [one.id for one in floor.jackpot(jackpot).claims]
    if any(one.startswith(beginning) for one in pending):
        return claim_named(beginning, pending, jackpot)
    made = (ClaimLocked.kind, ClaimJoined.kind)
    claimed = [event.payload for event in floor.recall_jackpot(jackpot) if event.kind in made]
    return claim_named(beginning, [str(told["claim"]) for told in claimed], jackpot)
