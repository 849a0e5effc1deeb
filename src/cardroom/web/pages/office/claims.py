"""Claims: what was won, with the round as proof; verified and paid, or refused, by the people who answer for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from cardroom.accounts import Currency
from cardroom.errors import BadInput
from cardroom.ledger import Event
from cardroom.reports.accounting import claim_slips, write_slips
from cardroom.room.amount_text import format_dollars
from cardroom.room.descriptions.event_descriptions import responsible_people
from cardroom.room.dual_control import require_text
from cardroom.room.jackpot.event_values import SurveillanceCheck
from cardroom.room.jackpot.pending_claims import Claim, JackpotPrize, cents_by_seat
from cardroom.room.jackpot.state import JackpotState, UnknownClaim
from cardroom.room.payments import BadReference, Payee, PaymentMethod, require_reference
from cardroom.room.setup.calendar import NOW
from cardroom.room.table.state import parse_round_id
from cardroom.service import CardRoom
from cardroom.service.chains.names import ROOM_CHAIN, jackpot_chain, player_chain, tabulator_chain
from cardroom.web.middleware.permissions import require_session
from cardroom.web.pages.office.actions import (
    SURVEILLANCE,
    FormField,
    FormValues,
    OfficeAction,
    done_url,
    perform_action,
    second_person,
    show_action,
)
from cardroom.web.pages.office.frame import OfficeRoute, Unavailable, render_office_page
from cardroom.web.pages.office.past_rounds import entered_lines, format_cards, round_lines
from cardroom.web.pages.office.rate_changes import REASON_FIELD
from cardroom.web.pages.office.reports import download
from cardroom.web.pages.requests import get_app_context, load_form_values
from cardroom.web.services.app_context import AppContext

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_PAYMENT_METHODS: Final = tuple(
    (str(method), str(method)) for method in PaymentMethod if method is not PaymentMethod.BALANCE
)


ActionBuilder = Callable[[AppContext, str, str], OfficeAction]
ClaimCommand = Callable[[CardRoom, str, str, str, str, FormValues], object]


def claim_url(jackpot: str, claim: str) -> str:
    """The page of a claim."""
    return f"/office/jackpots/{jackpot}/claim/{claim}"


def _claim_action(state: JackpotState, claim: Claim, title: str) -> OfficeAction:
    address = claim_url(state.id, claim.id)
    number = f"{title} {claim.order} of {state.setup['name']}"
    chains = (jackpot_chain(state.id), ROOM_CHAIN, *(player_chain(occupant.player) for occupant in claim.sat))
    about = f"It was claimed at {claim.table}, round {claim.round}, seat {', '.join(map(str, sorted(claim.seats)))}."
    action = OfficeAction(
        number, (about,), "", address, lambda *_: None, needs_second_person=claim.automatic, chains=chains
    )
    return action._replace(dual_control_subject=f"claim {claim.id}")


def _who_decides(claim: Claim) -> str:
    if claim.automatic:
        return (
            "Two people verify a claim. An automatic table dealt and claimed it, and nobody saw it: both have looked "
            "at the round, and sign here."
        )
    return (
        f"Two people verify a claim. {claim.dealt} dealt the round and is one of them; somebody else is the other, "
        "and signs here."
    )


def _format_amount(state: JackpotState, cents: int) -> str:
    return f"{format_dollars(cents)}{' of play money' if state.money is Currency.PLAY else ''}"


def _payment_places(state: JackpotState, claim: Claim) -> Iterator[str]:
    """What each winner gets, and how."""
    for seat, cents in cents_by_seat(claim.prizes).items():
        player = claim.player_at(seat)
        to = f"the balance of {player}, who sat there" if player else "whom you name below, out of the room's money"
        yield f"Seat {seat} of {claim.table} wins {_format_amount(state, cents)}, which goes to {to}."


def _payment_action(context: AppContext, jackpot: str, id: str) -> OfficeAction:
    floor, state = context.floor, context.floor.jackpot(jackpot)
    claim, over = state.claim(id), state.law.surveillance_threshold
    by_hand = [seat for seat in sorted(claim.seats) if claim.player_at(seat) is None]
    watched = over is not None and claim.largest_win > over
    words: tuple[str, ...] = ()
    if over is not None and watched:
        words = (
            (
                f"It is over {format_dollars(over)}: the surveillance checks hand, wager, payout and player, and signs "
                "here."
            ),
        )
    action = _claim_action(state, claim, "Pay claim")
    happens = (
        *action.consequences,
        *_entered_text(floor, claim),
        *_payment_places(state, claim),
        "It is paid for good: nothing takes it back.",
    )
    return action._replace(
        consequences=(*happens, _who_decides(claim), *words),
        fields=tuple(field for seat in by_hand for field in _payout_fields(seat)),
        needs_surveillance=watched,
        button=f"Pay {_format_amount(state, claim.cents)}",
        do=partial(_pay, floor, jackpot, id),
        danger=True,
        fields_at_fault=partial(_payment_faults, by_hand),
    )


def _pay(floor: CardRoom, jackpot: str, id: str, command: str, user: str, values: FormValues) -> object:
    """Pay it as the form says: to those whom it names. Of a claim that was decided since, the floor says so."""
    payouts = {seat: _read_payout(values, seat) for seat in _seats_named(values)}
    by = values.get(SURVEILLANCE, "").strip()
    checked = SurveillanceCheck(by, NOW) if by else None
    return floor.pay_claim(command, user, jackpot, id, paid=payouts, surveillance=checked, second=second_person(values))


def _seats_named(values: FormValues) -> list[int]:
    """The seats that a form to pay has fields for."""
    numbers = [name.removeprefix("player-") for name in values if name.startswith("player-")]
    return sorted(int(number) for number in numbers if number.isascii() and number.isdigit() and len(number) < 3)


def _payment_faults(by_hand: Sequence[int], values: FormValues, fault: BadInput) -> dict[str, str]:
    """A number that was used before, or twice, is told beside every field that has it."""
    if isinstance(fault, BadReference):
        used = [
            seat for seat in by_hand if str(fault).casefold().startswith(f"{_read_payout(values, seat).unique_key} ")
        ]
        return {f"reference-{seat}": str(fault) for seat in used}
    names = Counter(_read_payout(values, seat).unique_key for seat in by_hand)
    twice = [seat for seat in by_hand if names[_read_payout(values, seat).unique_key] > 1]
    return {f"reference-{seat}": str(fault) for seat in twice}


def _payout_fields(seat: int) -> Iterator[FormField]:
    yield FormField(
        f"player-{seat}",
        f"Seat {seat}: who is paid",
        "The name, or declined where none is given.",
        parse=lambda text: require_text(text, "player's name (or that it was declined)"),
    )
    yield FormField(
        f"payment-{seat}",
        f"Seat {seat}: how",
        "Over the counter, or by the bank.",
        _PAYMENT_METHODS[0][0],
        _PAYMENT_METHODS,
    )
    yield FormField(
        f"reference-{seat}",
        f"Seat {seat}: its number",
        "Of the cash slip, check or transfer.",
        parse=lambda text: require_reference(text, "cash slip, check or transfer"),
    )


def _read_payout(values: FormValues, seat: int) -> Payee:
    name, way, number = (values.get(f"{field}-{seat}", "") for field in ("player", "payment", "reference"))
    return Payee(name, PaymentMethod(way) if way in dict(_PAYMENT_METHODS) else PaymentMethod.CASH, number)


def _refusal_action(context: AppContext, jackpot: str, id: str) -> OfficeAction:
    floor, state = context.floor, context.floor.jackpot(jackpot)
    claim = state.claim(id)
    several = len(claim.seats) > 1
    choices = (("", "the whole claim"), *((str(seat), f"only seat {seat}") for seat in sorted(claim.seats)))
    fields = (FormField("seat", "What is refused", options=choices),) if several else ()
    action = _claim_action(state, claim, "Refuse claim")
    return action._replace(
        consequences=(
            *action.consequences,
            (
                f"Nobody gets the {_format_amount(state, claim.cents)}: the money goes back, as if it had never been "
                "claimed."
            ),
            "The meter stands where it would stand without the claim, and displays follow at once.",
            _who_decides(claim),
        ),
        fields=(*fields, REASON_FIELD),
        button="Refuse it",
        do=partial(_refuse, floor, jackpot, id),
        danger=True,
    )


def _refuse(floor: CardRoom, jackpot: str, id: str, command: str, user: str, values: FormValues) -> object:
    seat = values.get("seat", "")
    seats = [int(seat)] if seat.isascii() and seat.isdigit() and len(seat) < 3 else None
    return floor.refuse_claim(
        command, user, jackpot, id, values.get("why", ""), seats=seats, second=second_person(values)
    )


def _has_round_page(floor: CardRoom, round_id: str) -> bool:
    """Whether the round has a page: it was dealt at a felt of the room."""
    try:
        return parse_round_id(round_id) is not None and floor.get_round(round_id) is not None
    except BadInput:
        return False


def _hand_seats(prizes: Iterable[JackpotPrize]) -> frozenset[int]:
    """The seats that win, and those whose hands win for them."""
    return frozenset(seat for prize in prizes for seat in (prize.seat, prize.hand_seat))


def _entered_text(floor: CardRoom, claim: Claim) -> Iterator[str]:
    """What the dealer typed of a claimed round at a live table, for those who verify the claim."""
    entries = floor.find_typed_round(claim.table, claim.round)
    if entries is None:
        return
    lines = entered_lines(claim.game, entries.live, _hand_seats(claim.prizes))
    text = "; ".join(f"{line.place}: {', '.join(filter(None, line[1:]))}" for line in lines)
    yield f"The dealer typed at the table: {text}." if text else "The dealer typed nothing of this hand at the table."


def _claim_variables(floor: CardRoom, jackpot: str, claim: str) -> dict[str, Any]:
    story, state = floor.get_claim_history(jackpot, claim), floor.jackpot(jackpot)
    record: dict[str, Any] = dict(story.lock.record)
    table = tabulator_chain(story.lock.table)
    entries = floor.find_typed_round(story.lock.table, story.lock.round)
    seats = {prize.seat for prize in story.lock.prizes}
    return {
        "story": story,
        "state": state,
        "pending": any(prize.id == claim for prize in state.claims),
        "slips": claim_slips(floor, jackpot, claim),
        "claimed": floor.calendar.format_time(story.locked.time),
        "sat": {prize.seat: prize.player for prize in story.lock.sat},
        "record": record,
        "claimed_round": tuple(round_lines(record)),
        "round_told": _has_round_page(floor, story.lock.round),
        "typed": entries,
        "typed_lines": entered_lines(story.lock.game, entries.live, _hand_seats(story.lock.prizes)) if entries else (),
        "seats": ", ".join(map(str, sorted(seats))),
        "counted": f"/office/ledger/{table}?from={story.lock.counted}#event-{story.lock.counted}",
        "cards_told": format_cards,
        "said": floor.calendar.zone_text,
    }


@router.get("/office/jackpots/{jackpot}/claim/{claim:path}")
async def show_claim(request: Request, jackpot: str, claim: str) -> Response:
    """A claim from its lock to what became of it."""
    context = get_app_context(request)
    return render_office_page(
        request, "office/claim.html", **await context.executors.query(_claim_variables, context.floor, jackpot, claim)
    )


@router.get("/office/jackpots/{jackpot}/slip/{claim:path}")
async def download_slip(request: Request, jackpot: str, claim: str) -> Response:
    """The slips of a claim to sign, as PDF."""
    floor = get_app_context(request).floor

    def write(path: Path) -> object:
        return write_slips(floor, jackpot, claim, path)

    return await download(request, f"slip-{claim.replace('/', '-')}.pdf", write)


def _decision_text(floor: CardRoom, jackpot: str, claim: str) -> str:
    """What became of a claim that nobody can decide any more, by whom and when."""
    story = floor.get_claim_history(jackpot, claim)
    claim_name = f"Claim {story.order} of {floor.jackpot(jackpot).setup['name']}"
    if story.payment is not None and story.paid is not None:
        to = ", ".join(f"{payout.player} at seat {payout.seat}" for payout in story.payment.payouts)
        by = responsible_people(story.payment.payload)
        return (
            f"{claim_name} was paid already{' to ' + to if to else ''}, verified by {by}, "
            f"{_event_time(floor, story.paid)}."
        )
    assert story.refused is not None  # it is not pending
    refusal = story.refusals[0]
    by = responsible_people(refusal.payload)
    return f"{claim_name} was refused already by {by}, {_event_time(floor, story.refused)}: {refusal.why}."


def _event_time(floor: CardRoom, event: Event) -> str:
    return floor.calendar.format_time(event.time)[:16]


async def _decide_claim(request: Request, make: ActionBuilder, do: ClaimCommand, jackpot: str, claim: str) -> Response:
    """Ask for a decision, or take it. Where the claim was decided since, the page says so and nothing is done; the very
    form that decided it, sent again, leads to what became of it."""
    context = get_app_context(request)
    try:
        action = await context.executors.query(make, context, jackpot, claim)
    except UnknownClaim:
        decided = await context.executors.query(_decision_text, context.floor, jackpot, claim)
        if request.method == "GET":
            raise Unavailable(decided, claim_url(jackpot, claim)) from None
        return await _show_decided(request, do, jackpot, claim, decided)
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)


async def _show_decided(request: Request, do: ClaimCommand, jackpot: str, claim: str, decided: str) -> Response:
    context, values = get_app_context(request), await load_form_values(request)
    id, back = values.get("id", ""), claim_url(jackpot, claim)
    if await context.executors.query(context.floor.find_command_result, require_session(request).login, id) is not None:
        with suppress(BadInput):  # the same id with other words is another command, which comes too late as well
            await context.executors.execute(
                do, context.floor, jackpot, claim, id, require_session(request).login, values
            )
            return RedirectResponse(done_url(back, id), 303)
    raise Unavailable(f"{decided} Nothing was done now.", back)


@router.api_route("/office/jackpots/{jackpot}/pay/{claim:path}", methods=["GET", "POST"])
async def pay_claim(request: Request, jackpot: str, claim: str) -> Response:
    """Pay a claim."""
    return await _decide_claim(request, _payment_action, _pay, jackpot, claim)


@router.api_route("/office/jackpots/{jackpot}/refuse/{claim:path}", methods=["GET", "POST"])
async def refuse_claim(request: Request, jackpot: str, claim: str) -> Response:
    """Refuse a claim."""
    return await _decide_claim(request, _refusal_action, _refuse, jackpot, claim)
