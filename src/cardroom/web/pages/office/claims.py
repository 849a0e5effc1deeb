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
from cardroom.floor import Floor
from cardroom.floor.felt.state import number_of
from cardroom.floor.kept.chains import ROOM, jackpot_chain, player_chain, table_chain
from cardroom.jackpots import Claim, JackpotState, Surveillance
from cardroom.jackpots.amounts import shown
from cardroom.jackpots.meter.state import UnknownClaim
from cardroom.jackpots.payouts import PlayerPaid
from cardroom.jackpots.pending import Prize, by_seat
from cardroom.jackpots.people import named
from cardroom.jackpots.references import BadReference, PaidBy, reference_told
from cardroom.jackpots.setup.told_time import NOW
from cardroom.jackpots.telling.words import answering
from cardroom.ledger import Event
from cardroom.reports.accounting import claim_slips, write_slips
from cardroom.web.pages.forms import typed_in
from cardroom.web.pages.office.cards_told import cards_told, round_lines, typed_lines
from cardroom.web.pages.office.deeds import WATCHER, Deed, Field, Typed, do_deed, done_at, second_of, show_deed
from cardroom.web.pages.office.downloads import download
from cardroom.web.pages.office.frame import CannotNow, OfficeRoute, office_page
from cardroom.web.pages.office.operator import WHY
from cardroom.web.pages.visitors import house_of
from cardroom.web.rights.caller import person_of
from cardroom.web.room.house import House

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_WAYS: Final = tuple((str(one), str(one)) for one in PaidBy if one is not PaidBy.BALANCE)


Made = Callable[[House, str, str], Deed]
Do = Callable[[Floor, str, str, str, str, Typed], object]


def claim_address(jackpot: str, claim: str) -> str:
    """The page of a claim."""
    return f"/office/jackpots/{jackpot}/claim/{claim}"


def _deed(state: JackpotState, claim: Claim, title: str) -> Deed:
    address = claim_address(state.id, claim.id)
    number = f"{title} {claim.order} of {state.setup['name']}"
    chains = (jackpot_chain(state.id), ROOM, *(player_chain(one.player) for one in claim.sat))
    about = f"It was claimed at {claim.table}, round {claim.round}, seat {', '.join(map(str, sorted(claim.seats)))}."
    made = Deed(number, (about,), "", address, lambda *_: None, two=claim.automatic, chains=chains)
    return made._replace(answered=f"claim {claim.id}")


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


def _of(state: JackpotState, cents: int) -> str:
    return f"{shown(cents)}{' of play money' if state.money is Currency.PLAY else ''}"


def _paid_where(state: JackpotState, claim: Claim) -> Iterator[str]:
    """What each winner gets, and how."""
    for seat, cents in by_seat(claim.prizes).items():
        player = claim.player_at(seat)
        to = f"the balance of {player}, who sat there" if player else "whom you name below, out of the room's money"
        yield f"Seat {seat} of {claim.table} wins {_of(state, cents)}, which goes to {to}."


def _paying(house: House, jackpot: str, id: str) -> Deed:
    floor, state = house.floor, house.floor.jackpot(jackpot)
    claim, over = state.claim(id), state.law.surveillance_threshold
    by_hand = [seat for seat in sorted(claim.seats) if claim.player_at(seat) is None]
    watched = over is not None and claim.largest_win > over
    words: tuple[str, ...] = ()
    if over is not None and watched:
        words = (f"It is over {shown(over)}: the surveillance checks hand, wager, payout and player, and signs here.",)
    made = _deed(state, claim, "Pay claim")
    happens = (
        *made.happens,
        *_typed_text(floor, claim),
        *_paid_where(state, claim),
        "It is paid for good: nothing takes it back.",
    )
    return made._replace(
        happens=(*happens, _who_decides(claim), *words),
        fields=tuple(field for seat in by_hand for field in _payout_fields(seat)),
        watched=watched,
        button=f"Pay {_of(state, claim.cents)}",
        do=partial(_pay, floor, jackpot, id),
        danger=True,
        blamed=partial(_about_a_payment, by_hand),
    )


def _pay(floor: Floor, jackpot: str, id: str, command: str, who: str, typed: Typed) -> object:
    """Pay it as the form says: to those whom it names. Of a claim that was decided since, the floor says so."""
    told = {seat: _told_of(typed, seat) for seat in _seats_named(typed)}
    by = typed.get(WATCHER, "").strip()
    checked = Surveillance(by, NOW) if by else None
    return floor.pay(command, who, jackpot, id, paid=told, surveillance=checked, second=second_of(typed))


def _seats_named(typed: Typed) -> list[int]:
    """The seats that a form to pay has fields for."""
    numbers = [name.removeprefix("player-") for name in typed if name.startswith("player-")]
    return sorted(int(one) for one in numbers if one.isascii() and one.isdigit() and len(one) < 3)


def _about_a_payment(by_hand: Sequence[int], typed: Typed, fault: BadInput) -> dict[str, str]:
    """A number that was used before, or twice, is told beside every field that has it."""
    if isinstance(fault, BadReference):
        used = [seat for seat in by_hand if str(fault).casefold().startswith(f"{_told_of(typed, seat).name} ")]
        return {f"reference-{seat}": str(fault) for seat in used}
    names = Counter(_told_of(typed, seat).name for seat in by_hand)
    twice = [seat for seat in by_hand if names[_told_of(typed, seat).name] > 1]
    return {f"reference-{seat}": str(fault) for seat in twice}


def _payout_fields(seat: int) -> Iterator[Field]:
    yield Field(
        f"player-{seat}",
        f"Seat {seat}: who is paid",
        "The name, or declined where none is given.",
        reads=lambda typed: named(typed, "player's name (or that it was declined)"),
    )
    yield Field(f"payment-{seat}", f"Seat {seat}: how", "Over the counter, or by the bank.", _WAYS[0][0], _WAYS)
    yield Field(
        f"reference-{seat}",
        f"Seat {seat}: its number",
        "Of the cash slip, cheque or transfer.",
        reads=lambda typed: reference_told(typed, "cash slip, cheque or transfer"),
    )


def _told_of(typed: Typed, seat: int) -> PlayerPaid:
    name, way, number = (typed.get(f"{field}-{seat}", "") for field in ("player", "payment", "reference"))
    return PlayerPaid(name, PaidBy(way) if way in dict(_WAYS) else PaidBy.CASH, number)


def _refusing(house: House, jackpot: str, id: str) -> Deed:
    floor, state = house.floor, house.floor.jackpot(jackpot)
    claim = state.claim(id)
    several = len(claim.seats) > 1
    choices = (("", "the whole claim"), *((str(seat), f"only seat {seat}") for seat in sorted(claim.seats)))
    fields = (Field("seat", "What is refused", options=choices),) if several else ()
    made = _deed(state, claim, "Refuse claim")
    return made._replace(
        happens=(
            *made.happens,
            f"Nobody gets the {_of(state, claim.cents)}: the money goes back, as if it had never been claimed.",
            "The meter stands where it would stand without the claim, and displays follow at once.",
            _who_decides(claim),
        ),
        fields=(*fields, WHY),
        button="Refuse it",
        do=partial(_refuse, floor, jackpot, id),
        danger=True,
    )


def _refuse(floor: Floor, jackpot: str, id: str, command: str, who: str, typed: Typed) -> object:
    seat = typed.get("seat", "")
    seats = [int(seat)] if seat.isascii() and seat.isdigit() and len(seat) < 3 else None
    return floor.refuse(command, who, jackpot, id, typed.get("why", ""), seats=seats, second=second_of(typed))


def _is_told(floor: Floor, round_id: str) -> bool:
    """Whether the round has a page: it was dealt at a felt of the room."""
    try:
        return number_of(round_id) is not None and floor.any_round(round_id) is not None
    except BadInput:
        return False


def _hands_of(prizes: Iterable[Prize]) -> frozenset[int]:
    """The seats that win, and those whose hands win for them."""
    return frozenset(seat for prize in prizes for seat in (prize.seat, prize.by))


def _typed_text(floor: Floor, claim: Claim) -> Iterator[str]:
    """What the dealer typed of a claimed round at a live table, for those who verify the claim."""
    typed = floor.typed_in_round(claim.table, claim.round)
    if typed is None:
        return
    lines = typed_lines(claim.game, typed.live, _hands_of(claim.prizes))
    text = "; ".join(f"{line.where}: {', '.join(filter(None, line[1:]))}" for line in lines)
    yield f"The dealer typed at the table: {text}." if text else "The dealer typed nothing of this hand at the table."


def _read(floor: Floor, jackpot: str, claim: str) -> dict[str, Any]:
    story, state = floor.claim_story(jackpot, claim), floor.jackpot(jackpot)
    record: dict[str, Any] = dict(story.lock.record)
    table = table_chain(story.lock.table)
    typed = floor.typed_in_round(story.lock.table, story.lock.round)
    seats = {one.seat for one in story.lock.prizes}
    return {
        "story": story,
        "state": state,
        "pending": any(one.id == claim for one in state.claims),
        "slips": claim_slips(floor, jackpot, claim),
        "claimed": floor.calendar.told(story.locked.time),
        "sat": {one.seat: one.player for one in story.lock.sat},
        "record": record,
        "claimed_round": tuple(round_lines(record)),
        "round_told": _is_told(floor, story.lock.round),
        "typed": typed,
        "typed_lines": typed_lines(story.lock.game, typed.live, _hands_of(story.lock.prizes)) if typed else (),
        "seats": ", ".join(map(str, sorted(seats))),
        "counted": f"/office/ledger/{table}?from={story.lock.counted}#event-{story.lock.counted}",
        "cards_told": cards_told,
        "said": floor.calendar.said,
    }


@router.get("/office/jackpots/{jackpot}/claim/{claim:path}")
async def show_claim(request: Request, jackpot: str, claim: str) -> Response:
    """A claim from its lock to what became of it."""
    house = house_of(request)
    return office_page(request, "office/claim.html", **await house.clerks.look(_read, house.floor, jackpot, claim))


@router.get("/office/jackpots/{jackpot}/slip/{claim:path}")
async def slip(request: Request, jackpot: str, claim: str) -> Response:
    """The slips of a claim to sign, as PDF."""
    floor = house_of(request).floor

    def write(path: Path) -> object:
        return write_slips(floor, jackpot, claim, path)

    return await download(request, f"slip-{claim.replace('/', '-')}.pdf", write)


def _decided(floor: Floor, jackpot: str, claim: str) -> str:
    """What became of a claim that nobody can decide any more, by whom and when."""
    story = floor.claim_story(jackpot, claim)
    called = f"Claim {story.order} of {floor.jackpot(jackpot).setup['name']}"
    if story.payment is not None and story.paid is not None:
        to = ", ".join(f"{one.player} at seat {one.seat}" for one in story.payment.payouts)
        by = answering(story.payment.payload)
        return f"{called} was paid already{' to ' + to if to else ''}, verified by {by}, {_at(floor, story.paid)}."
    assert story.refused is not None  # it is not pending
    refusal = story.refusals[0]
    by = answering(refusal.payload)
    return f"{called} was refused already by {by}, {_at(floor, story.refused)}: {refusal.why}."


def _at(floor: Floor, event: Event) -> str:
    return floor.calendar.told(event.time)[:16]


async def _decide(request: Request, make: Made, do: Do, jackpot: str, claim: str) -> Response:
    """Ask for a decision, or take it. Where the claim was decided since, the page says so and nothing is done; the very
    form that decided it, sent again, leads to what became of it."""
    house = house_of(request)
    try:
        deed = await house.clerks.look(make, house, jackpot, claim)
    except UnknownClaim:
        decided = await house.clerks.look(_decided, house.floor, jackpot, claim)
        if request.method == "GET":
            raise CannotNow(decided, claim_address(jackpot, claim)) from None
        return await _too_late(request, do, jackpot, claim, decided)
    return show_deed(request, deed) if request.method == "GET" else await do_deed(request, deed)


async def _too_late(request: Request, do: Do, jackpot: str, claim: str, decided: str) -> Response:
    house, typed = house_of(request), await typed_in(request)
    id, back = typed.get("id", ""), claim_address(jackpot, claim)
    if await house.clerks.look(house.floor.carried, person_of(request).login, id) is not None:
        with suppress(BadInput):  # the same id with other words is another command, which comes too late as well
            await house.clerks.do(do, house.floor, jackpot, claim, id, person_of(request).login, typed)
            return RedirectResponse(done_at(back, id), 303)
    raise CannotNow(f"{decided} Nothing was done now.", back)


@router.api_route("/office/jackpots/{jackpot}/pay/{claim:path}", methods=["GET", "POST"])
async def pay(request: Request, jackpot: str, claim: str) -> Response:
    """Pay a claim."""
    return await _decide(request, _paying, _pay, jackpot, claim)


@router.api_route("/office/jackpots/{jackpot}/refuse/{claim:path}", methods=["GET", "POST"])
async def refuse(request: Request, jackpot: str, claim: str) -> Response:
    """Refuse a claim."""
    return await _decide(request, _refusing, _refuse, jackpot, claim)
