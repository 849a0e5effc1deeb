"""The API of a dealer's console: the steps of a round, entries, take or pay, claims, and void rounds."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter

from cardroom.games import Table
from cardroom.room.claim.typed_hand import TypedHand
from cardroom.room.table.claim_contradictions import typed_hand_of
from cardroom.room.table.events import LiveRound
from cardroom.room.table.state import open_table
from cardroom.service import CardRoom, TableResult
from cardroom.service.commands.second_signature import Signature, SignatureRequest
from cardroom.web.devices.auth import DealerSession, ViewingSession, VoidingSession
from cardroom.web.devices.console_messages import (
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
from cardroom.web.devices.route import DeviceRoute
from cardroom.web.devices.tabulator_messages import Places


def find_jackpot(card_room: CardRoom, table: str, wager: str, round_id: str) -> str:
    """The jackpot of a table's wager in a round, or the current one if nothing was counted for it."""
    if not card_room.table(table).tabulated:
        raise NotAtThisTable(f"{table} has no tabulator and therefore no jackpot.")
    if jackpot := card_room.claims.find_counted_jackpot(wager, table, round_id):
        return jackpot
    linked = {
        linked_wager.wager: linked_wager.jackpot
        for linked_wager in card_room.tabulator(table).active_table.wagers
        if linked_wager.jackpot is not None
    }
    if wager not in linked:
        raise NotAtThisTable(f"{table} has no jackpot for {wager}. Its jackpot wagers: {', '.join(linked) or 'none'}.")
    return linked[wager]


def build_claimed_hand(
    card_room: CardRoom,
    table: str,
    round_id: str,
    seat: int,
    wager: str,
    *,
    wagered: int | None = None,
    cards: Mapping[str, str] | None = None,
    answers: Mapping[str, str] | None = None,
) -> TypedHand:
    """The hand of a seat. Parts that are left out come from the entries of the round."""
    if wagered is not None and cards is not None and answers is not None:
        return TypedHand(wager, wagered, cards, answers, seat)
    open_table_, live = _read_live_round(card_room, table, round_id)
    return typed_hand_of(open_table_, live, seat, wager, wagered=wagered, cards=cards, answers=answers)


def _read_live_round(card_room: CardRoom, table: str, round_id: str) -> tuple[Table, LiveRound]:
    state = card_room.table(table)
    if state.live is not None and state.round == round_id:
        return state.open_table.table, state.live
    past_round = card_room.get_live_round(round_id)
    if past_round.table != table:
        raise NotAtThisTable(f"Round {round_id} was not dealt at {table}.")
    return open_table(past_round.setup).table, past_round.live


router = APIRouter(prefix="/live", route_class=DeviceRoute, responses=refusals(401, 403, 409, 422, 429, 503))
_SENT = refusals(400, 413)


@router.get("", response_model=LiveTableResponse)
def get_live_table(session: ViewingSession) -> LiveTableResponse:
    """The procedure with its current step, the entries, take or pay, and the tabulator with its lights. A locked
    console or one without a signed-in dealer is refused."""
    return LiveTableResponse.model_validate(session.device.card_room.view_live_table(session.device.table).to_json())


@router.post("/begin", responses=_SENT)
def begin_round(body: BeginRequest, session: DealerSession) -> LiveTableResult:
    """Begin the next round. The signed-in dealer deals it."""
    device = session.device
    card_room, command = device.card_room, device.command(body.id)
    return live_table_result(card_room.begin_live_round(command, session.who, device.table, body.positions))


@router.post("/step", responses=_SENT)
def take_step(body: StepRequest, session: DealerSession) -> LiveTableResult:
    """Take a step, in the order of the procedure. A step with a condition may be skipped.

    TABULATE presses the tabulator. If a tabulator or a data logger has already counted the round, the step confirms it.
    If the tabulator is out of order, wagers are counted by hand.
    """
    device = session.device
    result = device.card_room.take_step(
        device.command(body.id),
        session.who,
        device.table,
        body.step,
        positions=body.positions,
        covered=None if body.covered is None else _places(body.covered),
        lammers=_places(body.lammers),
    )
    return live_table_result(result)


@router.post("/undo", responses=_SENT)
def undo_step(body: UndoRequest, session: DealerSession) -> LiveTableResult:
    """Undo the last step, if it counted nothing."""
    device = session.device
    return live_table_result(device.card_room.undo_step(device.command(body.id), session.who, device.table))


@router.post("/cards", responses=_SENT)
def enter_cards(body: CardsRequest, session: DealerSession) -> LiveTableResult:
    """Enter cards, wagers, and decisions where a payment or a jackpot needs them. Enter them again to correct them."""
    device = session.device
    result = device.card_room.type_cards(
        device.command(body.id),
        session.who,
        device.table,
        body.cards,
        wagers={int(seat): spots for seat, spots in body.wagers.items()},
        answers={int(seat): answer for seat, answer in body.answers.items()},
    )
    return live_table_result(result)


@router.post("/end", responses=_SENT)
def end_round(body: EndRequest, session: DealerSession) -> LiveTableResult:
    """End the round. The ledger records the amounts taken and paid at the entered seats."""
    device = session.device
    return live_table_result(device.card_room.end_live_round(device.command(body.id), session.who, device.table))


@router.post("/void", responses=_SENT)
async def void_round(body: VoidRequest, session: VoidingSession) -> LiveTableResult:
    """Void the round, as after a malfunction of the shuffler. Its contributions come off the meters. A second person
    signs with login and password."""
    device, command = session.device, session.device.command(body.id)

    def void() -> TableResult:
        return device.card_room.void_live_round(command, session.who, device.table, body.why, second=body.second)

    async def sign(to_sign: SignatureRequest) -> Signature:
        return await session.sign(to_sign, body.second_password)

    return live_table_result(await session.context.execute_with_signatures(void, sign))


@router.post("/claim", responses=_SENT)
def claim_prize(body: ClaimRequest, session: DealerSession) -> ClaimResponse:
    """Claim the jackpot prize of a hand. A share of a meter is locked until a person who neither dealt nor claimed
    verifies it."""
    device, card_room, table = session.device, session.device.card_room, session.device.table
    jackpot = find_jackpot(card_room, table, body.wager, body.round)
    hand = build_claimed_hand(
        card_room,
        table,
        body.round,
        body.seat,
        body.wager,
        wagered=body.wagered_cents,
        cards=body.cards,
        answers=body.answers,
    )
    claim = card_room.claims.claim_hand(device.command(body.id), session.who, jackpot, table, body.round, hand)
    return claim_response(claim)


def _places(places: Places) -> dict[int, list[int]]:
    return {int(sensor): positions for sensor, positions in places.items()}
