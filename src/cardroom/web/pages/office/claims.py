"""Claims: what was won, with the round as proof; verified and paid, or refused, by the people who answer for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from cardroom.accounts import Money
from cardroom.floor import Floor
from cardroom.floor.kept.chains import ROOM, jackpot_chain, player_chain, table_chain
from cardroom.jackpots import Claim, JackpotState, Surveillance
from cardroom.jackpots.amounts import shown
from cardroom.jackpots.meter.state import UnknownClaim
from cardroom.jackpots.payouts import PlayerPaid
from cardroom.jackpots.pending import by_seat
from cardroom.jackpots.references import PaidBy
from cardroom.reports.books import claim_slips, write_slips
from cardroom.web.pages.office.cards_told import cards_told
from cardroom.web.pages.office.deeds import Deed, Field, Typed, do_deed, second_of, show_deed
from cardroom.web.pages.office.downloads import download
from cardroom.web.pages.office.frame import OfficeRoute, office_page
from cardroom.web.pages.visitors import house_of

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_WAYS: Final = tuple((str(one), str(one)) for one in PaidBy if one is not PaidBy.BALANCE)


def claim_address(jackpot: str, claim: str) -> str:
    """The page of a claim."""
    return f"/office/jackpots/{jackpot}/claim/{claim}"


def _deed(state: JackpotState, claim: Claim, title: str) -> Deed:
    address = claim_address(state.id, claim.id)
    chains = (jackpot_chain(state.id), ROOM, *(player_chain(one.player) for one in claim.sat))
    return Deed(f"{title} {claim.id}", (), "", address, lambda *_: None, two=claim.automatic, chains=chains)


def _who_decides(claim: Claim) -> str:
    if claim.automatic:
        return "An automatic table dealt and claimed it, and nobody saw it: two people have looked at the round."
    return f"{claim.dealt_by} dealt the round: somebody else verifies it, and signs here."


def _of(state: JackpotState, cents: int) -> str:
    return f"{shown(cents)}{' of play money' if state.money is Money.PLAY else ''}"


def _paid_where(state: JackpotState, claim: Claim) -> Iterator[str]:
    """What each winner gets, and how."""
    for seat, cents in by_seat(claim.prizes).items():
        player = claim.player_at(seat)
        to = f"the balance of {player}, who sat there" if player else "whom you name below, out of the room's money"
        yield f"Seat {seat} of {claim.table} wins {_of(state, cents)}, which goes to {to}."


def _paying(floor: Floor, jackpot: str, id: str) -> Deed:
    state = floor.jackpot(jackpot)
    claim, over = state.claim(id), state.law.surveillance_over
    by_hand = [seat for seat in sorted(claim.seats) if claim.player_at(seat) is None]

    def do(command: str, who: str, typed: Typed) -> object:
        told = {seat: _told_of(typed, seat) for seat in by_hand}
        by, at = typed.get("surveillance", "").strip(), typed.get("checked_at", "").strip()
        checked = Surveillance(by, at) if by or at else None
        return floor.pay(command, who, jackpot, id, paid=told, surveillance=checked, second=second_of(typed))

    watched: tuple[Field, ...] = ()
    words: tuple[str, ...] = ()
    if over is not None and claim.largest_win > over:
        words = (f"It is over {shown(over)}: the surveillance has checked hand, wager, payout and player.",)
        watched = (
            Field("surveillance", "Who of the surveillance checked"),
            Field("checked_at", "When, by the room's clock", "Such as 21:40, 2026-03-02 21:40, or now.", "now"),
        )
    happens = (*_paid_where(state, claim), "It is paid for good: nothing takes it back.", _who_decides(claim), *words)
    return _deed(state, claim, "Pay claim")._replace(
        happens=happens,
        fields=(*(field for seat in by_hand for field in _payout_fields(seat)), *watched),
        button=f"Pay {_of(state, claim.cents)}",
        do=do,
        danger=True,
    )


def _payout_fields(seat: int) -> Iterator[Field]:
    yield Field(f"player-{seat}", f"Seat {seat}: who is paid", "The name, or declined where none is given.")
    yield Field(f"payment-{seat}", f"Seat {seat}: how", options=_WAYS, value=_WAYS[0][0])
    yield Field(f"reference-{seat}", f"Seat {seat}: number of the cash slip, cheque or transfer")


def _told_of(typed: Typed, seat: int) -> PlayerPaid:
    name, way, number = (typed.get(f"{field}-{seat}", "") for field in ("player", "payment", "reference"))
    return PlayerPaid(name, PaidBy(way) if way in dict(_WAYS) else PaidBy.CASH, number)


def _refusing(floor: Floor, jackpot: str, id: str) -> Deed:
    state = floor.jackpot(jackpot)
    claim = state.claim(id)

    def do(command: str, who: str, typed: Typed) -> object:
        seat = typed.get("seat", "")
        seats = [int(seat)] if seat.isdecimal() else None
        return floor.refuse(command, who, jackpot, id, typed.get("why", ""), seats=seats, second=second_of(typed))

    several = len(claim.seats) > 1
    choices = (("", "the whole claim"), *((str(seat), f"only seat {seat}") for seat in sorted(claim.seats)))
    fields = (Field("seat", "What is refused", options=choices),) if several else ()
    return _deed(state, claim, "Refuse claim")._replace(
        happens=(
            f"Nobody gets the {_of(state, claim.cents)}: the money goes back, as if it had never been claimed.",
            "The meter stands where it would stand without the claim, and displays follow at once.",
            _who_decides(claim),
        ),
        fields=(*fields, Field("why", "Reason", "In your own words; it stands in the books for good.")),
        button="Refuse it",
        do=do,
        danger=True,
    )


def _read(floor: Floor, jackpot: str, claim: str) -> dict[str, Any]:
    story, state = floor.claim_story(jackpot, claim), floor.jackpot(jackpot)
    record: dict[str, Any] = dict(story.lock.record)
    table = table_chain(story.lock.table)
    return {
        "story": story,
        "state": state,
        "pending": any(one.id == claim for one in state.claims),
        "slips": claim_slips(floor, jackpot, claim),
        "claimed": floor.calendar.told(story.locked.time),
        "sat": {one.seat: one.player for one in story.lock.sat},
        "record": record,
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


async def _decide(request: Request, make: Callable[[Floor, str, str], Deed], jackpot: str, claim: str) -> Response:
    """Ask for a decision, or take it. A claim that was decided since, also by this very form, tells what became of
    it."""
    house = house_of(request)
    try:
        deed = await house.clerks.look(make, house.floor, jackpot, claim)
    except UnknownClaim:
        await house.clerks.look(house.floor.claim_story, jackpot, claim)
        return RedirectResponse(claim_address(jackpot, claim), 303)
    return show_deed(request, deed) if request.method == "GET" else await do_deed(request, deed)


@router.api_route("/office/jackpots/{jackpot}/pay/{claim:path}", methods=["GET", "POST"])
async def pay(request: Request, jackpot: str, claim: str) -> Response:
    """Pay a claim."""
    return await _decide(request, _paying, jackpot, claim)


@router.api_route("/office/jackpots/{jackpot}/refuse/{claim:path}", methods=["GET", "POST"])
async def refuse(request: Request, jackpot: str, claim: str) -> Response:
    """Refuse a claim."""
    return await _decide(request, _refusing, jackpot, claim)
