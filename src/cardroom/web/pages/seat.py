"""The one sentence that says what is going on at a felt and what the visitor may do.

A seat at a felt: the page at which people play. What it does is done through the calls that every program uses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict

from cardroom.games.actions import SeatTurn, Verb
from cardroom.games.game import cents_on_layout
from cardroom.games.money import format_cents
from cardroom.games.round import find_bet_fault
from cardroom.games.rulings import strip_citations
from cardroom.games.view import GROUP_NAMES, wager_name
from cardroom.paytables import describe_pay as pay_words
from cardroom.room.table.state import TablePhase, TableState
from cardroom.service import CardRoom, SharedTableView, UnknownRound
from cardroom.service.chains.names import jackpot_chain, player_chain, table_chain
from cardroom.service.commands.tables import require_visible
from cardroom.service.queries.past_rounds import PastRound
from cardroom.web.api.requests import StrictRoute, json_response, require_player
from cardroom.web.pages.pending_prizes import PendingPrize, list_pending_prizes
from cardroom.web.pages.requests import get_app_context, signed_in_player
from cardroom.web.pages.round_frames import seat_of
from cardroom.web.pages.table_view import DecisionChoice, TableView, build_table_view
from cardroom.web.pages.templating import display_name, render_fragment, render_page
from cardroom.web.services.app_context import AppContext
from cardroom.web.services.bots import minimum_wagers
from cardroom.web.services.live_pages import LivePage, follow_chains


def describe_status(table_view: TableView) -> str:
    """What is going on, and what the visitor may do."""
    state = table_view.state
    match state.phase:
        case TablePhase.CLOSED:
            return f"The table is closed: {state.closed}."
        case TablePhase.PLAYING:
            return _describe_turn(table_view)
        case TablePhase.PAUSED:
            return f"The table is paused: {state.paused}. {_describe_result(table_view)}".strip()
    if table_view.own_seat is None:
        return (
            "Take a seat to play."
            if len(state.seats) < state.open_table.table.seats
            else "Every seat is taken; you look on."
        )
    if state.wagers_at(table_view.own_seat.seat) is not None:
        return f"Your wagers lie there. {_describe_wait(table_view)}"
    return f"{_describe_result(table_view)} Lay your chips, then deal.".strip()


def _describe_turn(table_view: TableView) -> str:
    if table_view.choices:
        return f"Your turn: {_join_alternatives([_describe_choice(choice) for choice in table_view.choices])}."
    turn = table_view.view.turn if table_view.view else None
    if isinstance(turn, SeatTurn):
        return f"{_seat_name(table_view, turn.seat)} decides."
    return "The dealer deals."


def _describe_choice(choice: DecisionChoice) -> str:
    verb = choice.verb
    if choice.picks:
        names = GROUP_NAMES.get(Verb(choice.verb), ())
        if len(names) > 1:
            verb += f" your cards into {_join_two(names[0], names[1])}"
        else:
            verb += f" {choice.picks} cards" if choice.picks > 1 else " a card"
    return verb + (f" for {format_cents(choice.cost)}" if choice.cost else "")


def _join_two(first: str, second: str) -> str:
    """
    >>> _join_two("first hand", "second hand"), _join_two("high hand", "low hand")
    ('two hands', 'high hand and low hand')
    """
    return "two hands" if first.startswith("first") else f"{first} and {second}"


def _join_alternatives(parts: list[str]) -> str:
    """
    >>> (_join_alternatives(["fold"]), _join_alternatives(["fold", "play"]),
    ... _join_alternatives(["fold", "play", "raise"]))
    ('fold', 'fold, or play', 'fold, play, or raise')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, or {parts[-1]}"


def _describe_wait(table_view: TableView) -> str:
    late = [neighbor.seat for neighbor in table_view.neighbors if not neighbor.is_ready]
    missing = [_seat_name(table_view, seat) for seat in late]
    if not missing:
        return "The cards come."
    if all(table_view.state.warning_at(seat) for seat in late):
        return f"The house calls {' and '.join(missing)}; without an answer you go on."
    return f"Waiting for {missing[0]}." if len(missing) == 1 else f"Waiting for {len(missing)} other seats."


def _seat_name(table_view: TableView, seat: int) -> str:
    neighbor_seat = next((neighbor for neighbor in table_view.neighbors if neighbor.seat == seat), None)
    return (
        f"{display_name(neighbor_seat.player)} at seat {seat}"
        if neighbor_seat and neighbor_seat.player
        else f"Seat {seat}"
    )


def _describe_result(table_view: TableView) -> str:
    result = table_view.result
    if result is None:
        return ""
    if result.void:
        return f"Round {result.round} was called off ({result.void}): every wager went back."
    waits = sum(
        pending_prize.cents
        for pending_prize in table_view.prizes
        if pending_prize.is_pending and pending_prize.round == result.round
    )
    prize = f" A prize of {format_cents(waits)} is locked until two people have verified it." if waits else ""
    if result.net > 0:
        return f"You won {format_cents(result.net)}.{prize}"
    return (f"You lost {format_cents(-result.net)}." if result.net < 0 else "You broke even.") + prize


router = APIRouter(include_in_schema=False, route_class=StrictRoute)
SEAT_CHIP_VALUES: Final = (1_00, 5_00, 25_00, 100_00, 500_00)
"""What the tray holds."""


def live_page(context: AppContext, player: str | None, table: str) -> LivePage:
    """A felt as one visitor may see it, as long as the page is open."""
    floor = context.floor
    require_visible(floor.table(table), player or "")
    cached_rounds: dict[str, PastRound | None] = {}
    locking: dict[str, PastRound] = {}

    def draw() -> str:
        snapshot = floor.view_table(table)
        last = _last_round(floor, snapshot.state, cached_rounds)
        table_view = build_table_view(
            snapshot, player, last, _list_locked_prizes(floor, snapshot, player, last, locking)
        )
        balance = floor.player_account(player).balance if player else 0
        times = floor.calendar.zone_text
        return render_fragment(
            "seat/felt.html", **_table_variables(table_view, balance, context.options.guests), times=times
        )

    player_chains = (player_chain(player),) if player else ()
    jackpots = map(jackpot_chain, floor.view_table(table).jackpots)
    return LivePage(follow_chains(table_chain(table), *player_chains, *jackpots), draw)


def _last_round(floor: CardRoom, state: TableState, cached_rounds: dict[str, PastRound | None]) -> PastRound | None:
    """The round that was played last; it is asked for as long as the next one is not begun, so it is remembered."""
    id = state.last_round
    if id is None or state.phase is TablePhase.PLAYING:
        return None
    if id not in cached_rounds:
        cached_rounds.clear()
        try:
            cached_rounds[id] = floor.get_past_round(id)
        except UnknownRound:  # a dealer dealt it, and nobody knows its cards
            cached_rounds[id] = None
    return cached_rounds[id]


def _list_locked_prizes(
    floor: CardRoom,
    snapshot: SharedTableView,
    player: str | None,
    last: PastRound | None,
    locking: dict[str, PastRound],
) -> tuple[PendingPrize, ...]:
    """The visitor's prizes that wait, and those that waited while the page was open: the winner may play on meanwhile.
    The rounds that have locked them are remembered."""
    if player is None:
        return ()
    table = snapshot.state.table
    for jackpot in snapshot.jackpots:
        for claim in floor.jackpot(jackpot).claims:
            if claim.table == table and claim.round not in locking and player in dict(claim.sat).values():
                locking[claim.round] = floor.get_past_round(claim.round)
    if last is not None and last.waiting:
        locking[last.id] = last
    own_rounds = (
        (past_round, seat) for past_round in locking.values() if (seat := seat_of(past_round, player)) is not None
    )
    return tuple(prize for past_round, seat in own_rounds for prize in list_pending_prizes(floor, past_round, seat))


def _table_variables(table_view: TableView, balance: int, guests: bool) -> dict[str, Any]:
    state = table_view.state
    table = state.open_table.table
    least = cents_on_layout(state.game.begin(table, {1: minimum_wagers(table)}), 1)
    return {
        "scene": table_view,
        "state": state,
        "facts": state.game.facts,
        "sentence": describe_status(table_view),
        "in_short": strip_citations(state.game.summary),
        "balance": balance,
        "guests": guests,
        "least": least,
        "start": minimum_wagers(table),
        "chips": [value for value in SEAT_CHIP_VALUES if value <= max(spot.maximum for spot in table_view.spots)],
        "tables": _paytable_variables(table_view),
        "buy_in": min(state.terms.buy_in, balance),
    }


def _paytable_variables(table_view: TableView) -> list[dict[str, Any]]:
    """Every paytable of the layout, with the lines that the last round met."""
    table = table_view.state.open_table.table
    winning_lines = (
        {(result_line.spot, result_line.event) for result_line in table_view.result.lines}
        if table_view.result
        else set()
    )
    spots = {offered.wager.slug: spot for spot, offered in table.spots.items()}
    return [
        {
            "name": wager_name(table.facts, slug),
            "table": offered.paytable.display_name,
            "lines": [
                {"label": line.label, "pays": pay_words(line.pay), "hit": (spots[slug], line.trigger) in winning_lines}
                for line in offered.paytable.lines
            ],
        }
        for slug, offered in table.offers.items()
        if offered.paytable.lines
    ]


@router.get("/tables/{table}")
async def show_table(request: Request, table: str) -> Response:
    """The felt, with the visitor's seat if there is one."""
    context, player = get_app_context(request), signed_in_player(request)
    live = await context.executors.query(live_page, context, player, table)
    html = await context.executors.query(live.render)
    context.change_feed.follow_table(table)
    facts = context.floor.table(table).game.facts
    now = context.clock() // 1_000
    return render_page(request, "seat/page.html", felt=html, table=table, facts=facts, player=player, now=now)


class WagersToCheck(BaseModel):
    """Wagers that somebody thinks of."""

    model_config = ConfigDict(extra="forbid", strict=True)
    wagers: dict[str, int]


@router.post("/tables/{table}/check")
async def check_wagers(request: Request, table: str, body: WagersToCheck) -> Response:
    """Whether wagers could be laid, in the library's own words; nothing is laid."""
    context, player = get_app_context(request), require_player(request)
    return json_response(await context.executors.query(_check_wagers, context.floor, player, table, body.wagers))


def _check_wagers(floor: CardRoom, player: str, table: str, wagers: Mapping[str, int]) -> dict[str, Any]:
    state = require_visible(floor.table(table), player)
    occupant = state.seat_of(player)
    at = state.open_table.table
    # Somebody who puts a chip on a side wager first will still make the one that must be made.
    complete_wagers = {
        **{spot: cents for spot, cents in minimum_wagers(at).items() if not _is_spot_covered(state, spot, wagers)},
        **wagers,
    }
    fault = find_bet_fault(state.game, at, occupant.seat if occupant else 1, complete_wagers)
    if fault is None and occupant is not None:
        takes = cents_on_layout(state.game.begin(at, {occupant.seat: complete_wagers}), occupant.seat)
        if takes > occupant.chips:
            fault = (
                f"That takes {format_cents(takes)} and you have {format_cents(occupant.chips)} here: wager less, or "
                "buy "
                "chips."
            )
    return {"error": fault}


def _is_spot_covered(state: TableState, spot: str, wagers: Mapping[str, int]) -> bool:
    """Whether some spot of the same wager is used."""
    spots = state.open_table.table.spots
    return any(placed_spot in spots and spots[placed_spot] is spots[spot] for placed_spot in wagers)
