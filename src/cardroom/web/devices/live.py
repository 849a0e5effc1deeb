"""A dealer's console: the steps of the round, the jackpot wagers, what is typed, take or pay, claims, void rounds."""

from __future__ import annotations

from fastapi import APIRouter

from cardroom.faults import BadInput
from cardroom.floor import Floor
from cardroom.floor.felt.live_round import LiveRound
from cardroom.games.record import place_named
from cardroom.jackpots import TypedHand
from cardroom.jackpots.people import named
from cardroom.web.devices.live_answers import Claimed, LiveStanding, LiveTable, claimed_answer, standing_answer
from cardroom.web.devices.live_told import (
    BeginTold,
    CallOffTold,
    CardsTold,
    ClaimTold,
    EndTold,
    StepTold,
    UndoTold,
)
from cardroom.web.devices.refusals import NotHere, RefusingRoute, refusals
from cardroom.web.devices.speaking import Console
from cardroom.web.devices.told import Places

router = APIRouter(prefix="/live", route_class=RefusingRoute, responses=refusals(401, 403, 409, 422, 503))
_SENT = refusals(400, 413)


class NothingTyped(BadInput):
    """A hand of which nobody typed what a claim needs."""


@router.get("", response_model=LiveTable)
def look(speaker: Console) -> LiveTable:
    """The procedure and the present step, what is typed, take or pay, the tabulator and its lights."""
    return LiveTable.model_validate(speaker.floor.live_look(speaker.table).entry())


@router.post("/begin", responses=_SENT)
def begin(told: BeginTold, speaker: Console) -> LiveStanding:
    """Begin the next round; who begins it deals it."""
    floor, command = speaker.floor, speaker.command(told.id)
    return standing_answer(floor.begin_live_round(command, _dealer(told.dealer), speaker.table, told.positions))


@router.post("/step", responses=_SENT)
def step(told: StepTold, speaker: Console) -> LiveStanding:
    """Take a step, in the order of the procedure; steps with a condition may be passed over.

    TABULATE presses the tabulator. What a tabulator or a data logger has told of the round itself is acknowledged, and
    while the tabulator is broken the wagers are counted by hand.
    """
    standing = speaker.floor.take_step(
        speaker.command(told.id),
        _dealer(told.dealer),
        speaker.table,
        told.step,
        positions=told.positions,
        covered=None if told.covered is None else _places(told.covered),
        lammers=_places(told.lammers),
    )
    return standing_answer(standing)


@router.post("/undo", responses=_SENT)
def undo(told: UndoTold, speaker: Console) -> LiveStanding:
    """Take the last step back, if it counted nothing."""
    return standing_answer(speaker.floor.undo_step(speaker.command(told.id), _dealer(told.dealer), speaker.table))


@router.post("/cards", responses=_SENT)
def cards(told: CardsTold, speaker: Console) -> LiveStanding:
    """Type cards, wagers and answers, only where a payment or a jackpot needs them; again for a correction."""
    standing = speaker.floor.type_cards(
        speaker.command(told.id),
        _dealer(told.dealer),
        speaker.table,
        told.cards,
        wagers={int(seat): spots for seat, spots in told.wagers.items()},
        answers={int(seat): said for seat, said in told.answers.items()},
    )
    return standing_answer(standing)


@router.post("/end", responses=_SENT)
def end(told: EndTold, speaker: Console) -> LiveStanding:
    """End the round: what was shown to be taken and paid is kept, for the seats that were typed."""
    return standing_answer(speaker.floor.end_live_round(speaker.command(told.id), _dealer(told.dealer), speaker.table))


@router.post("/call-off", responses=_SENT)
def call_off(told: CallOffTold, speaker: Console) -> LiveStanding:
    """Call the round off, as after a malfunction of the shuffler: what it put on the meters comes off again."""
    standing = speaker.floor.call_off_live(
        speaker.command(told.id), _dealer(told.dealer), speaker.table, told.why, second=told.second
    )
    return standing_answer(standing)


@router.post("/claim", responses=_SENT)
def claim(told: ClaimTold, speaker: Console) -> Claimed:
    """Claim what a hand of a round has won of a jackpot. A share of a meter waits for two people of the floor."""
    floor, table = speaker.floor, speaker.table
    jackpot = _jackpot(floor, table, told.wager)
    hand = _hand(floor, table, told)
    made = floor.claim_hand(speaker.command(told.id), _dealer(told.dealer), jackpot, table, told.round, hand)
    return claimed_answer(made)


def _jackpot(floor: Floor, table: str, wager: str) -> str:
    """The jackpot that a wager of the table plays for."""
    if not floor.felt(table).tabulated:
        raise NotHere(f"{table} has no tabulator, so nobody plays for a jackpot there.")
    linked = {one.wager: one.jackpot for one in floor.table(table).playing.wagers if one.jackpot is not None}
    if wager not in linked:
        raise NotHere(f"{table} plays for no jackpot with {wager}: it plays for {', '.join(linked) or 'none'}.")
    return linked[wager]


def _hand(floor: Floor, table: str, told: ClaimTold) -> TypedHand:
    """The hand as the call has it; what it leaves out is as it was typed in the round."""
    wagered, cards, answers = told.wagered_cents, told.cards, told.answers
    if wagered is None or cards is None or answers is None:
        live = _dealt(floor, table, told.round)
        typed = _typed_cards(live, told.seat)
        cards = typed if cards is None else cards
        said = {one.question: one.answer for one in live.answers if one.seat == told.seat}
        answers = said if answers is None else answers
        wagered = _typed_wager(live, told) if wagered is None else wagered
    return TypedHand(told.wager, wagered, cards, answers, told.seat)


def _dealt(floor: Floor, table: str, round_id: str) -> LiveRound:
    state = floor.felt(table)
    if state.live is not None and state.round == round_id:
        return state.live
    past = floor.live_round_dealt(round_id)
    if past.table != table:
        raise NotHere(f"Round {round_id} was not dealt at {table}.")
    return past.live


def _typed_cards(live: LiveRound, seat: int) -> dict[str, str]:
    places = {place_named(name): pile for name, pile in live.cards.items()}
    return {
        str(place) if place.seat is None else str(place.pile): " ".join(pile)
        for place, pile in places.items()
        if place.seat in (None, seat)
    }


def _typed_wager(live: LiveRound, told: ClaimTold) -> int:
    spots = live.wagers.get(str(told.seat), {})
    if told.wager not in spots:
        raise NothingTyped(f"No wager of seat {told.seat} on {told.wager} was typed: give wagered_cents.")
    return spots[told.wager]


def _dealer(name: str) -> str:
    return named(name, "dealer")


def _places(places: Places) -> dict[int, list[int]]:
    return {int(sensor): positions for sensor, positions in places.items()}
