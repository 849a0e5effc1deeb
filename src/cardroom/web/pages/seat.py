"""A seat at a felt: the page at which people play. What it does is done through the calls that every program uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict

from cardroom.floor import FeltLook, Floor, UnknownRound
from cardroom.floor.desks.felts import visible
from cardroom.floor.felt.state import FeltState, Phase
from cardroom.floor.kept.chains import felt_chain, jackpot_chain, player_chain
from cardroom.floor.kept.felt_recall import PastRound
from cardroom.games.game import cents_on_layout
from cardroom.games.money import format_cents
from cardroom.games.round import find_bet_fault
from cardroom.games.rulings import strip_citations
from cardroom.games.view import wager_name
from cardroom.paytables import describe_pay as pay_words
from cardroom.web.api.answers import answered
from cardroom.web.api.callers import caller
from cardroom.web.api.reading import CarefulRoute
from cardroom.web.pages.drawing import fragment, page
from cardroom.web.pages.prizes import PrizeTold, prizes_told
from cardroom.web.pages.recalled import seat_of
from cardroom.web.pages.scene import Scene, scene
from cardroom.web.pages.sentences import sentence
from cardroom.web.pages.visitors import house_of, player_name
from cardroom.web.room.boards import Board, follow
from cardroom.web.room.company import least_wagers
from cardroom.web.room.house import House

router = APIRouter(include_in_schema=False, route_class=CarefulRoute)
CHIPS: Final = (1_00, 5_00, 25_00, 100_00, 500_00)
"""What the tray holds."""


def board(house: House, player: str | None, table: str) -> Board:
    """A felt as one visitor may see it, as long as the page is open."""
    floor = house.floor
    visible(floor.felt(table), player or "")
    known: dict[str, PastRound | None] = {}
    locking: dict[str, PastRound] = {}

    def draw() -> str:
        look = floor.felt_look(table)
        last = _last_round(floor, look.state, known)
        shown = scene(look, player, last, _locked(floor, look, player, last, locking))
        balance = floor.player(player).balance if player else 0
        times = floor.calendar.said
        return fragment("seat/felt.html", **_drawn(shown, balance, house.rules.guests), times=times)

    mine = (player_chain(player),) if player else ()
    jackpots = map(jackpot_chain, floor.felt_look(table).jackpots)
    return Board(follow(felt_chain(table), *mine, *jackpots), draw)


def _last_round(floor: Floor, state: FeltState, known: dict[str, PastRound | None]) -> PastRound | None:
    """The round that was played last; it is asked for as long as the next one is not begun, so it is remembered."""
    id = state.last_round
    if id is None or state.phase is Phase.PLAYING:
        return None
    if id not in known:
        known.clear()
        try:
            known[id] = floor.past_round(id)
        except UnknownRound:  # a dealer dealt it, and nobody knows its cards
            known[id] = None
    return known[id]


def _locked(
    floor: Floor, look: FeltLook, player: str | None, last: PastRound | None, locking: dict[str, PastRound]
) -> tuple[PrizeTold, ...]:
    """The visitor's prizes that wait, and those that waited while the page was open: the winner may play on meanwhile.
    The rounds that have locked them are remembered."""
    if player is None:
        return ()
    table = look.state.table
    for jackpot in look.jackpots:
        for claim in floor.jackpot(jackpot).claims:
            if claim.table == table and claim.round not in locking and player in dict(claim.sat).values():
                locking[claim.round] = floor.past_round(claim.round)
    if last is not None and last.waiting:
        locking[last.id] = last
    mine = ((past, seat) for past in locking.values() if (seat := seat_of(past, player)) is not None)
    return tuple(one for past, seat in mine for one in prizes_told(floor, past, seat))


def _drawn(shown: Scene, balance: int, guests: bool) -> dict[str, Any]:
    state = shown.state
    table = state.at.table
    least = cents_on_layout(state.game.begin(table, {1: least_wagers(table)}), 1)
    return {
        "scene": shown,
        "state": state,
        "facts": state.game.facts,
        "sentence": sentence(shown),
        "in_short": strip_citations(state.game.summary),
        "balance": balance,
        "guests": guests,
        "least": least,
        "start": least_wagers(table),
        "chips": [value for value in CHIPS if value <= max(one.maximum for one in shown.spots)],
        "tables": _paytables(shown),
        "buy_in": min(state.terms.buy_in, balance),
    }


def _paytables(shown: Scene) -> list[dict[str, Any]]:
    """Every paytable of the layout, with the lines that the last round met."""
    table = shown.state.at.table
    met = {(one.spot, one.event) for one in shown.result.lines} if shown.result else set()
    spots = {offered.wager.slug: spot for spot, offered in table.spots.items()}
    return [
        {
            "name": wager_name(table.facts, slug),
            "table": offered.paytable.display_name,
            "lines": [
                {"label": line.label, "pays": pay_words(line.pay), "hit": (spots[slug], line.trigger) in met}
                for line in offered.paytable.lines
            ],
        }
        for slug, offered in table.offers.items()
        if offered.paytable.lines
    ]


@router.get("/tables/{table}")
async def show_felt(request: Request, table: str) -> Response:
    """The felt, with the visitor's seat if there is one."""
    house, player = house_of(request), player_name(request)
    shown = await house.clerks.look(board, house, player, table)
    drawn = await house.clerks.look(shown.draw)
    house.watch.look_on(table)
    facts = house.floor.felt(table).game.facts
    now = house.clock() // 1_000
    return page(request, "seat/page.html", felt=drawn, table=table, facts=facts, player=player, now=now)


class Wagers(BaseModel):
    """Wagers that somebody thinks of."""

    model_config = ConfigDict(extra="forbid", strict=True)
    wagers: dict[str, int]


@router.post("/tables/{table}/check")
async def check_wagers(request: Request, table: str, said: Wagers) -> Response:
    """Whether wagers could be laid, in the library's own words; nothing is laid."""
    house, player = house_of(request), caller(request)
    return answered(await house.clerks.look(_checked, house.floor, player, table, said.wagers))


def _checked(floor: Floor, player: str, table: str, wagers: Mapping[str, int]) -> dict[str, Any]:
    state = visible(floor.felt(table), player)
    here = state.seat_of(player)
    at = state.at.table
    # Somebody who puts a chip on a side wager first will still make the one that must be made.
    whole = {**{spot: cents for spot, cents in least_wagers(at).items() if not _made(state, spot, wagers)}, **wagers}
    fault = find_bet_fault(state.game, at, here.seat if here else 1, whole)
    if fault is None and here is not None:
        takes = cents_on_layout(state.game.begin(at, {here.seat: whole}), here.seat)
        if takes > here.chips:
            fault = (
                f"That takes {format_cents(takes)} and you have {format_cents(here.chips)} here: wager less, or buy "
                "chips."
            )
    return {"error": fault}


def _made(state: FeltState, spot: str, wagers: Mapping[str, int]) -> bool:
    """Whether some spot of the same wager is used."""
    spots = state.at.table.spots
    return any(one in spots and spots[one] is spots[spot] for one in wagers)
