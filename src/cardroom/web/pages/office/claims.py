"""Jackpot claims: the prizes with the round as evidence; two people verify and pay a claim, or refuse it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput
from cardroom.ledger import Event
from cardroom.reports.accounting import claim_slips, write_slips
from cardroom.room.amount_text import format_dollars
from cardroom.room.descriptions.event_descriptions import responsible_people
from cardroom.room.dual_control import require_text
from cardroom.room.jackpot.event_values import SurveillanceCheck
from cardroom.room.jackpot.pending_claims import Claim, JackpotPrize, cents_by_seat
from cardroom.room.jackpot.state import JackpotState, UnknownClaim
from cardroom.room.payment_references import BadReference, Payee, PaymentMethod, require_reference
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
from cardroom.web.services.time_format import format_minute, format_second

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_PAYMENT_METHODS: Final = tuple(
    (str(method), str(method)) for method in PaymentMethod if method is not PaymentMethod.BALANCE
)


ActionBuilder = Callable[[AppContext, str, str], OfficeAction]
ClaimCommand = Callable[[CardRoom, str, str, str, str, FormValues], object]


def claim_url(jackpot: str, claim: str) -> str:
    """The page of a claim."""
    return f"/office/jackpots/{jackpot}/claim/{claim}"


def _claim_action(state: JackpotState, claim: Claim, verb: str) -> OfficeAction:
    address = claim_url(state.id, claim.id)
    title = f"{verb} {claim.order} of {state.setup['name']}"
    chains = (jackpot_chain(state.id), ROOM_CHAIN, *(player_chain(occupant.player) for occupant in claim.sat))
    claimed_at = f"Claimed at {claim.table}, round {claim.round}, seat {', '.join(map(str, sorted(claim.seats)))}."
    action = OfficeAction(
        title, (claimed_at,), "", address, lambda *_: None, needs_second_person=claim.automatic, chains=chains
    )
    return action._replace(dual_control_subject=f"claim {claim.id}")


def _describe_signers(claim: Claim) -> str:
    if claim.automatic:
        return (
            "Two people verify a claim. An automatic table dealt the round and claimed the prize without a witness, so "
            "both people check the round and sign here."
        )
    return (
        f"Two people verify a claim. {claim.dealt}, who dealt the round, is the first. Another person is the second "
        "and signs here."
    )


def _format_amount(state: JackpotState, cents: int) -> str:
    return f"{format_dollars(cents)}{' of play money' if state.money is Currency.PLAY else ''}"


def _payment_places(state: JackpotState, claim: Claim) -> Iterator[str]:
    """What each winner receives, and how."""
    for seat, cents in cents_by_seat(claim.prizes).items():
        player = claim.player_at(seat)
        payee = f"to the balance of {player}, who sat there" if player else "to the person you name below"
        yield f"Seat {seat} of {claim.table} wins {_format_amount(state, cents)}, paid {payee}."


def _payment_action(context: AppContext, jackpot: str, id: str) -> OfficeAction:
    card_room, state = context.card_room, context.card_room.jackpot(jackpot)
    claim, threshold = state.claim(id), state.law.surveillance_threshold
    by_hand = [seat for seat in sorted(claim.seats) if claim.player_at(seat) is None]
    needs_surveillance = threshold is not None and claim.largest_win > threshold
    surveillance_note: tuple[str, ...] = ()
    if threshold is not None and needs_surveillance:
        surveillance_note = (
            (
                f"The prize is over {format_dollars(threshold)}. Surveillance checks the hand, wager, payout, and "
                "player, and signs here."
            ),
        )
    action = _claim_action(state, claim, "Pay claim")
    consequences = (
        *action.consequences,
        *_entered_text(card_room, claim),
        *_payment_places(state, claim),
        "A payment cannot be undone.",
    )
    return action._replace(
        consequences=(*consequences, _describe_signers(claim), *surveillance_note),
        fields=tuple(field for seat in by_hand for field in _payout_fields(seat)),
        needs_surveillance=needs_surveillance,
        button=f"Pay {_format_amount(state, claim.cents)}",
        do=partial(_pay, card_room, jackpot, id),
        danger=True,
        fields_at_fault=partial(_payment_faults, by_hand),
    )


def _pay(card_room: CardRoom, jackpot: str, id: str, command: str, user: str, values: FormValues) -> object:
    """Pay the claim to the people that the form names. The card room refuses a claim that was already decided."""
    payouts = {seat: _read_payout(values, seat) for seat in _seats_named(values)}
    by = values.get(SURVEILLANCE, "").strip()
    checked = SurveillanceCheck(by, NOW) if by else None
    return card_room.payments.pay(
        command, user, jackpot, id, paid=payouts, surveillance=checked, second=second_person(values)
    )


def _seats_named(values: FormValues) -> list[int]:
    """The seats for which a payment form has fields."""
    numbers = [name.removeprefix("player-") for name in values if name.startswith("player-")]
    return sorted(int(number) for number in numbers if number.isascii() and number.isdigit() and len(number) < 3)


def _payment_faults(by_hand: Sequence[int], values: FormValues, fault: BadInput) -> dict[str, str]:
    """The refusal of a reference number that is used twice, for every field that has it."""
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
        f"Seat {seat}: payee",
        "The name, or declined if the player gives none.",
        parse=lambda text: require_text(text, "player's name (or declined)"),
    )
    yield FormField(
        f"payment-{seat}",
        f"Seat {seat}: payment",
        "Cash, or through the bank.",
        _PAYMENT_METHODS[0][0],
        _PAYMENT_METHODS,
    )
    yield FormField(
        f"reference-{seat}",
        f"Seat {seat}: reference number",
        "Of the cash slip, check, or transfer.",
        parse=lambda text: require_reference(text, "cash slip, check, or transfer"),
    )


def _read_payout(values: FormValues, seat: int) -> Payee:
    name, method, number = (values.get(f"{field}-{seat}", "") for field in ("player", "payment", "reference"))
    return Payee(name, PaymentMethod(method) if method in dict(_PAYMENT_METHODS) else PaymentMethod.CASH, number)


def _refusal_action(context: AppContext, jackpot: str, id: str) -> OfficeAction:
    card_room, state = context.card_room, context.card_room.jackpot(jackpot)
    claim = state.claim(id)
    has_many_seats = len(claim.seats) > 1
    choices = (("", "the whole claim"), *((str(seat), f"only seat {seat}") for seat in sorted(claim.seats)))
    fields = (FormField("seat", "Refuse", options=choices),) if has_many_seats else ()
    action = _claim_action(state, claim, "Refuse claim")
    return action._replace(
        consequences=(
            *action.consequences,
            (
                f"The {_format_amount(state, claim.cents)} is not paid. The money returns as if it had never been "
                "claimed."
            ),
            "The meter shows what it would show without the claim, and displays update at once.",
            _describe_signers(claim),
        ),
        fields=(*fields, REASON_FIELD),
        button="Refuse the claim",
        do=partial(_refuse, card_room, jackpot, id),
        danger=True,
    )


def _refuse(card_room: CardRoom, jackpot: str, id: str, command: str, user: str, values: FormValues) -> object:
    seat = values.get("seat", "")
    seats = [int(seat)] if seat.isascii() and seat.isdigit() and len(seat) < 3 else None
    return card_room.claims.refuse(
        command, user, jackpot, id, values.get("why", ""), seats=seats, second=second_person(values)
    )


def _has_round_page(card_room: CardRoom, round_id: str) -> bool:
    """Whether the round has a page: it was dealt at a table of this card room."""
    try:
        return parse_round_id(round_id) is not None and card_room.get_round(round_id) is not None
    except BadInput:
        return False


def _hand_seats(prizes: Iterable[JackpotPrize]) -> frozenset[int]:
    """The winning seats and the seats whose hands win for them."""
    return frozenset(seat for prize in prizes for seat in (prize.seat, prize.hand_seat))


def _entered_text(card_room: CardRoom, claim: Claim) -> Iterator[str]:
    """What the dealer entered of a claimed round, for the people who verify the claim."""
    entries = card_room.find_typed_round(claim.table, claim.round)
    if entries is None:
        return
    lines = entered_lines(claim.game, entries.live, _hand_seats(claim.prizes))
    text = "; ".join(f"{line.place}: {', '.join(filter(None, line[1:]))}" for line in lines)
    yield f"The dealer entered at the table: {text}." if text else "The dealer did not enter this hand at the table."


def _claim_variables(card_room: CardRoom, jackpot: str, claim: str) -> dict[str, Any]:
    story, state = card_room.payments.get_claim_history(jackpot, claim), card_room.jackpot(jackpot)
    record: dict[str, Any] = dict(story.lock.record)
    table = tabulator_chain(story.lock.table)
    entries = card_room.find_typed_round(story.lock.table, story.lock.round)
    seats = {prize.seat for prize in story.lock.prizes}
    return {
        "story": story,
        "state": state,
        "pending": any(prize.id == claim for prize in state.claims),
        "slips": claim_slips(card_room, jackpot, claim),
        "claimed": format_second(card_room.calendar, story.locked.time),
        "players": {prize.seat: prize.player for prize in story.lock.sat},
        "record": record,
        "claimed_round": tuple(round_lines(record)),
        "has_round_page": _has_round_page(card_room, story.lock.round),
        "typed": entries,
        "typed_lines": entered_lines(story.lock.game, entries.live, _hand_seats(story.lock.prizes)) if entries else (),
        "seats": ", ".join(map(str, sorted(seats))),
        "counted": f"/office/ledger/{table}?from={story.lock.counted}#event-{story.lock.counted}",
        "format_cards": format_cards,
        "zone_text": card_room.calendar.zone_text,
    }


@router.get("/office/jackpots/{jackpot}/claim/{claim:path}")
async def show_claim(request: Request, jackpot: str, claim: str) -> Response:
    """A claim from its lock to its outcome."""
    context = get_app_context(request)
    return render_office_page(
        request,
        "office/claim.html",
        **await context.executors.query(_claim_variables, context.card_room, jackpot, claim),
    )


@router.get("/office/jackpots/{jackpot}/slip/{claim:path}")
async def download_slip(request: Request, jackpot: str, claim: str) -> Response:
    """The payout slips of a claim as PDF."""
    card_room = get_app_context(request).card_room

    def write(path: Path) -> object:
        return write_slips(card_room, jackpot, claim, path)

    return await download(request, f"slip-{claim.replace('/', '-')}.pdf", write)


def _decision_text(card_room: CardRoom, jackpot: str, claim: str) -> str:
    """The outcome of a claim that is already decided, with the people and the time."""
    story = card_room.payments.get_claim_history(jackpot, claim)
    claim_name = f"Claim {story.order} of {card_room.jackpot(jackpot).setup['name']}"
    if story.payment is not None and story.paid is not None:
        payees = ", ".join(f"{payout.player} at seat {payout.seat}" for payout in story.payment.payouts)
        by = responsible_people(story.payment.payload)
        return (
            f"{claim_name} was already paid{' to ' + payees if payees else ''}, verified by {by}, "
            f"{_event_time(card_room, story.paid)}."
        )
    assert story.refused is not None  # it is not pending
    refusal = story.refusals[0]
    by = responsible_people(refusal.payload)
    return f"{claim_name} was already refused by {by}, {_event_time(card_room, story.refused)}: {refusal.why}."


def _event_time(card_room: CardRoom, event: Event) -> str:
    return format_minute(card_room.calendar, event.time)


async def _decide_claim(request: Request, make: ActionBuilder, do: ClaimCommand, jackpot: str, claim: str) -> Response:
    """Show or execute a decision about a claim. If the claim is already decided, the page says so and changes nothing;
    the form that decided it, sent again, leads to the outcome."""
    context = get_app_context(request)
    try:
        action = await context.executors.query(make, context, jackpot, claim)
    except UnknownClaim:
        decided = await context.executors.query(_decision_text, context.card_room, jackpot, claim)
        if request.method == "GET":
            raise Unavailable(decided, claim_url(jackpot, claim)) from None
        return await _show_decided(request, do, jackpot, claim, decided)
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)


async def _show_decided(request: Request, do: ClaimCommand, jackpot: str, claim: str, decided: str) -> Response:
    context, values = get_app_context(request), await load_form_values(request)
    id, back = values.get("id", ""), claim_url(jackpot, claim)
    if (
        await context.executors.query(context.card_room.find_command_result, require_session(request).login, id)
        is not None
    ):
        with suppress(BadInput):  # the same id with other values is another command, which is also too late
            await context.executors.execute(
                do, context.card_room, jackpot, claim, id, require_session(request).login, values
            )
            return RedirectResponse(done_url(back, id), 303)
    raise Unavailable(f"{decided} Nothing was changed.", back)


@router.api_route("/office/jackpots/{jackpot}/pay/{claim:path}", methods=["GET", "POST"])
async def pay_claim(request: Request, jackpot: str, claim: str) -> Response:
    """Pay a claim."""
    return await _decide_claim(request, _payment_action, _pay, jackpot, claim)


@router.api_route("/office/jackpots/{jackpot}/refuse/{claim:path}", methods=["GET", "POST"])
async def refuse_claim(request: Request, jackpot: str, claim: str) -> Response:
    """Refuse a claim."""
    return await _decide_claim(request, _refusal_action, _refuse, jackpot, claim)
