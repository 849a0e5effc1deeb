"""A dealer's console: the steps of the round, the jackpot wagers, what is typed, take or pay, claims, void rounds."""

from __future__ import annotations

from fastapi import APIRouter

from cardroom.floor import FeltStanding
from cardroom.floor.desks.signatures import Signature, ToSign
from cardroom.web.devices.calling import DeviceRoute
from cardroom.web.devices.claiming import claimed_hand, jackpot_played_for
from cardroom.web.devices.dealing import AtTheConsole, LooksOn, Voids
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
from cardroom.web.devices.refusals import refusals
from cardroom.web.devices.told import Places

router = APIRouter(prefix="/live", route_class=DeviceRoute, responses=refusals(401, 403, 409, 422, 429, 503))
_SENT = refusals(400, 413)


@router.get("", response_model=LiveTable)
def look(at: LooksOn) -> LiveTable:
    """The procedure and the present step, what is typed, take or pay, the tabulator and its lights. A console that is
    locked, or at which no dealer is signed in, gets nothing."""
    return LiveTable.model_validate(at.speaker.floor.live_look(at.speaker.table).entry())


@router.post("/begin", responses=_SENT)
def begin(told: BeginTold, at: AtTheConsole) -> LiveStanding:
    """Begin the next round; who begins it deals it."""
    speaker = at.speaker
    floor, command = speaker.floor, speaker.command(told.id)
    return standing_answer(floor.begin_live_round(command, at.who, speaker.table, told.positions))


@router.post("/step", responses=_SENT)
def step(told: StepTold, at: AtTheConsole) -> LiveStanding:
    """Take a step, in the order of the procedure; steps with a condition may be passed over.

    TABULATE presses the tabulator. What a tabulator or a data logger has told of the round itself is acknowledged, and
    while the tabulator is broken the wagers are counted by hand.
    """
    speaker = at.speaker
    standing = speaker.floor.take_step(
        speaker.command(told.id),
        at.who,
        speaker.table,
        told.step,
        positions=told.positions,
        covered=None if told.covered is None else _places(told.covered),
        lammers=_places(told.lammers),
    )
    return standing_answer(standing)


@router.post("/undo", responses=_SENT)
def undo(told: UndoTold, at: AtTheConsole) -> LiveStanding:
    """Take the last step back, if it counted nothing."""
    speaker = at.speaker
    return standing_answer(speaker.floor.undo_step(speaker.command(told.id), at.who, speaker.table))


@router.post("/cards", responses=_SENT)
def cards(told: CardsTold, at: AtTheConsole) -> LiveStanding:
    """Type cards, wagers and answers, only where a payment or a jackpot needs them; again for a correction."""
    speaker = at.speaker
    standing = speaker.floor.type_cards(
        speaker.command(told.id),
        at.who,
        speaker.table,
        told.cards,
        wagers={int(seat): spots for seat, spots in told.wagers.items()},
        answers={int(seat): said for seat, said in told.answers.items()},
    )
    return standing_answer(standing)


@router.post("/end", responses=_SENT)
def end(told: EndTold, at: AtTheConsole) -> LiveStanding:
    """End the round: what was shown to be taken and paid is kept, for the seats that were typed."""
    speaker = at.speaker
    return standing_answer(speaker.floor.end_live_round(speaker.command(told.id), at.who, speaker.table))


@router.post("/call-off", responses=_SENT)
async def call_off(told: CallOffTold, at: Voids) -> LiveStanding:
    """Call the round off, as after a malfunction of the shuffler: what it put on the meters comes off again. A second
    person signs for it, with login and password."""
    speaker, command = at.speaker, at.speaker.command(told.id)

    def do() -> FeltStanding:
        return speaker.floor.call_off_live(command, at.who, speaker.table, told.why, second=told.second)

    async def sign(to_sign: ToSign) -> Signature:
        return await at.sign(to_sign, told.second_password)

    return standing_answer(await at.house.signed(do, sign))


@router.post("/claim", responses=_SENT)
def claim(told: ClaimTold, at: AtTheConsole) -> Claimed:
    """Claim what a hand of a round has won of a jackpot. A share of a meter waits for somebody
    who verifies it, and who neither dealt nor claimed."""
    speaker, floor, table = at.speaker, at.speaker.floor, at.speaker.table
    jackpot = jackpot_played_for(floor, table, told.wager, told.round)
    hand = claimed_hand(
        floor,
        table,
        told.round,
        told.seat,
        told.wager,
        wagered=told.wagered_cents,
        cards=told.cards,
        answers=told.answers,
    )
    made = floor.claim_hand(speaker.command(told.id), at.who, jackpot, table, told.round, hand)
    return claimed_answer(made)


def _places(places: Places) -> dict[int, list[int]]:
    return {int(sensor): positions for sensor, positions in places.items()}
