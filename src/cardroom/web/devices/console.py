"""A hand that a dealer claims: what is left out is as it was typed in the round.

A dealer's console: the steps of the round, the jackpot wagers, what is typed, take or pay, claims, void rounds.
"""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter

from cardroom.games import Table
from cardroom.room.claim.typed_hand import TypedHand
from cardroom.room.table.claim_evidence import typed_hand_of
from cardroom.room.table.events import LiveRound
from cardroom.room.table.state import open_table
from cardroom.service import CardRoom, TableResult
from cardroom.service.commands.signatures import Signature, SignatureRequest
from cardroom.web.devices.auth import DealerSession, ViewingSession, VoidingSession
from cardroom.web.devices.console_models import (
    BeginRequest,
    CardsRequest,
    ClaimRequest,
    ClaimResponse,
    EndRequest,
    LiveTableResponse,
    LiveTableResult,
    StepRequest,
    UndoRequest,
    VoidRequest,
    claim_response,
    live_table_result,
)
from cardroom.web.devices.errors import NotAtThisTable, refusals
from cardroom.web.devices.models import Places
from cardroom.web.devices.route import DeviceRoute


def find_jackpot(floor: CardRoom, table: str, wager: str, round_id: str) -> str:
    """The jackpot that a wager of the table played for in a round; now, where nothing was counted for it."""
    if not floor.table(table).tabulated:
        raise NotAtThisTable(f"{table} has no tabulator, so nobody plays for a jackpot there.")
    if jackpot := floor.find_counted_jackpot(wager, table, round_id):
        return jackpot
    linked = {
        linked_wager.wager: linked_wager.jackpot
        for linked_wager in floor.tabulator(table).active_table.wagers
        if linked_wager.jackpot is not None
    }
    if wager not in linked:
        raise NotAtThisTable(f"{table} plays for no jackpot with {wager}: it plays for {', '.join(linked) or 'none'}.")
    return linked[wager]


def build_claimed_hand(
    floor: CardRoom,
    table: str,
    round_id: str,
    seat: int,
    wager: str,
    *,
    wagered: int | None = None,
    cards: Mapping[str, str] | None = None,
    answers: Mapping[str, str] | None = None,
) -> TypedHand:
    """The hand of a seat."""
    if wagered is not None and cards is not None and answers is not None:
        return TypedHand(wager, wagered, cards, answers, seat)
    at, live = _read_live_round(floor, table, round_id)
    return typed_hand_of(at, live, seat, wager, wagered=wagered, cards=cards, answers=answers)


def _read_live_round(floor: CardRoom, table: str, round_id: str) -> tuple[Table, LiveRound]:
    state = floor.table(table)
    if state.live is not None and state.round == round_id:
        return state.open_table.table, state.live
    past_round = floor.get_live_round(round_id)
    if past_round.table != table:
        raise NotAtThisTable(f"Round {round_id} was not dealt at {table}.")
    return open_table(past_round.setup).table, past_round.live


router = APIRouter(prefix="/live", route_class=DeviceRoute, responses=refusals(401, 403, 409, 422, 429, 503))
_SENT = refusals(400, 413)


@router.get("", response_model=LiveTableResponse)
def get_live_table(session: ViewingSession) -> LiveTableResponse:
    """The procedure and the present step, what is typed, take or pay, the tabulator and its lights. A console that is
    locked, or at which no dealer is signed in, gets nothing."""
    return LiveTableResponse.model_validate(session.device.floor.view_live_table(session.device.table).to_json())


@router.post("/begin", responses=_SENT)
def begin_round(body: BeginRequest, session: DealerSession) -> LiveTableResult:
    """Begin the next round; who begins it deals it."""
    speaker = session.device
    floor, command = speaker.floor, speaker.command(body.id)
    return live_table_result(floor.begin_live_round(command, session.who, speaker.table, body.positions))


@router.post("/step", responses=_SENT)
def take_step(body: StepRequest, session: DealerSession) -> LiveTableResult:
    """Take a step, in the order of the procedure; steps with a condition may be passed over.

    TABULATE presses the tabulator. What a tabulator or a data logger has told of the round itself is acknowledged, and
    while the tabulator is broken the wagers are counted by hand.
    """
    speaker = session.device
    result = speaker.floor.take_step(
        speaker.command(body.id),
        session.who,
        speaker.table,
        body.step,
        positions=body.positions,
        covered=None if body.covered is None else _places(body.covered),
        lammers=_places(body.lammers),
    )
    return live_table_result(result)


@router.post("/undo", responses=_SENT)
def undo_step(body: UndoRequest, session: DealerSession) -> LiveTableResult:
    """Take the last step back, if it counted nothing."""
    speaker = session.device
    return live_table_result(speaker.floor.undo_step(speaker.command(body.id), session.who, speaker.table))


@router.post("/cards", responses=_SENT)
def enter_cards(body: CardsRequest, session: DealerSession) -> LiveTableResult:
    """Type cards, wagers and answers, only where a payment or a jackpot needs them; again for a correction."""
    speaker = session.device
    result = speaker.floor.type_cards(
        speaker.command(body.id),
        session.who,
        speaker.table,
        body.cards,
        wagers={int(seat): spots for seat, spots in body.wagers.items()},
        answers={int(seat): answer for seat, answer in body.answers.items()},
    )
    return live_table_result(result)


@router.post("/end", responses=_SENT)
def end_round(body: EndRequest, session: DealerSession) -> LiveTableResult:
    """End the round: what was shown to be taken and paid is kept, for the seats that were typed."""
    speaker = session.device
    return live_table_result(speaker.floor.end_live_round(speaker.command(body.id), session.who, speaker.table))


@router.post("/call-off", responses=_SENT)
async def void_round(body: VoidRequest, session: VoidingSession) -> LiveTableResult:
    """Call the round off, as after a malfunction of the shuffler: what it put on the meters comes off again. A second
    person signs for it, with login and password."""
    speaker, command = session.device, session.device.command(body.id)

    def void() -> TableResult:
        return speaker.floor.call_off_live_round(command, session.who, speaker.table, body.why, second=body.second)

    async def sign(to_sign: SignatureRequest) -> Signature:
        return await session.sign(to_sign, body.second_password)

    return live_table_result(await session.context.execute_with_signatures(void, sign))


@router.post("/claim", responses=_SENT)
def claim_prize(body: ClaimRequest, session: DealerSession) -> ClaimResponse:
    """Claim what a hand of a round has won of a jackpot. A share of a meter waits for somebody
    who verifies it, and who neither dealt nor claimed."""
    speaker, floor, table = session.device, session.device.floor, session.device.table
    jackpot = find_jackpot(floor, table, body.wager, body.round)
    hand = build_claimed_hand(
        floor,
        table,
        body.round,
        body.seat,
        body.wager,
        wagered=body.wagered_cents,
        cards=body.cards,
        answers=body.answers,
    )
    claim = floor.claim_hand(speaker.command(body.id), session.who, jackpot, table, body.round, hand)
    return claim_response(claim)


def _places(places: Places) -> dict[int, list[int]]:
    return {int(sensor): positions for sensor, positions in places.items()}
