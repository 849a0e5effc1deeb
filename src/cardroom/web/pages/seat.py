"""The page of a table, where people play. Its buttons use the same JSON API as every other client.

One sentence on the page says what is going on and what the visitor can do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict

from cardroom.games.actions import SeatTurn
from cardroom.games.game import cents_on_layout
from cardroom.games.money import format_cents
from cardroom.games.round import find_bet_fault
from cardroom.games.rulings import strip_citations
from cardroom.games.view import wager_name
from cardroom.paytables import describe_pay
from cardroom.room.table.state import TablePhase, TableState
from cardroom.service import CardRoom, SharedTableView, UnknownRound
from cardroom.service.chains.names import jackpot_chain, player_chain, table_chain
from cardroom.service.commands.tables import require_visible
from cardroom.service.queries.past_rounds import PastRound
from cardroom.translation import gettext, ngettext
from cardroom.web.api.requests import StrictRoute, json_response, require_player
from cardroom.web.pages.pending_prizes import PendingPrize, list_pending_prizes
from cardroom.web.pages.requests import get_app_context, signed_in_player
from cardroom.web.pages.round_frames import seat_of
from cardroom.web.pages.table_view import DecisionChoice, TableView, build_table_view
from cardroom.web.pages.templating import display_name, render_fragment, render_page, zone_note
from cardroom.web.services.app_context import AppContext
from cardroom.web.services.bots import minimum_wagers
from cardroom.web.services.live_pages import LivePage


def describe_status(table_view: TableView) -> str:
    """What is going on, and what the visitor can do."""
    state = table_view.state
    match state.phase:
        case TablePhase.CLOSED:
            return gettext("The table is closed: {reason}.").format(reason=state.closed)
        case TablePhase.PLAYING:
            return _describe_turn(table_view)
        case TablePhase.PAUSED:
            paused = gettext("The table is paused: {reason}.").format(reason=state.paused)
            return f"{paused} {_describe_result(table_view)}".strip()
    if table_view.own_seat is None:
        if len(state.seats) < state.open_table.table.seats:
            return gettext("Take a seat to play.")
        return gettext("Every seat is taken. You can watch.")
    if state.wagers_at(table_view.own_seat.seat) is not None:
        return gettext("Bets placed.") + f" {_describe_wait(table_view)}"
    return f"{_describe_result(table_view)} {gettext('Change your bets, or deal.')}".strip()


def _describe_turn(table_view: TableView) -> str:
    if table_view.choices:
        return describe_choices(table_view.choices)
    turn = table_view.view.turn if table_view.view else None
    if isinstance(turn, SeatTurn):
        return gettext("{player} decides.").format(player=_seat_name(table_view, turn.seat))
    return gettext("The dealer deals.")


def describe_choices(choices: Sequence[DecisionChoice]) -> str:
    """What the visitor can decide now, with what each decision costs."""
    costs = {choice.verb: format_cents(choice.cost) for choice in choices}
    match sorted(costs):
        case ["fold", "play"]:
            return gettext("Your turn: play for {cost} more, or fold.").format(cost=costs["play"])
        case ["fold", "raise"]:
            return gettext("Your turn: raise for {cost} more, or fold.").format(cost=costs["raise"])
        case ["choose"]:
            return gettext("Your turn: tap the card to keep for Five Card Fortune.")
        case ["keep", "split"]:
            text = gettext("Your turn: keep two cards, or split for {cost} more.")
            return text.format(cost=costs["split"])
        case ["first hand", "match", "second hand"]:
            text = gettext(
                "You split. Put your Shootout Bonus on your first or second hand, or bet {cost} more for both."
            )
            return text.format(cost=costs["match"])
        case ["set"]:
            return gettext("Your turn: tap the three cards of your high hand.")
        case ["double", "stand"]:
            return gettext("Your turn: double both wagers for {cost} more, or stand.").format(cost=costs["double"])
        case ["surrender", "war"]:
            text = gettext("It's a tie! Your turn: go to war for {cost} more, or surrender and take half back.")
            return text.format(cost=costs["war"])
    labels = [
        gettext("{choice} for {cost}").format(choice=choice.label, cost=format_cents(choice.cost))
        if choice.cost
        else choice.label
        for choice in choices
    ]
    return gettext("Your turn: {choices}.").format(choices=" / ".join(labels))


def _describe_wait(table_view: TableView) -> str:
    late = [neighbor.seat for neighbor in table_view.neighbors if not neighbor.is_ready]
    if not late:
        return gettext("The cards are being dealt.")
    names = [_seat_name(table_view, seat) for seat in late]
    if all(table_view.state.warning_at(seat) for seat in late):
        text = gettext("No response from {players}. The round starts soon without them.")
        return text.format(players=", ".join(names))
    if len(late) == 1:
        return gettext("Waiting for {player}.").format(player=names[0])
    return ngettext("Waiting for {count} player.", "Waiting for {count} players.", len(late)).format(count=len(late))


def _seat_name(table_view: TableView, seat: int) -> str:
    neighbor_seat = next((neighbor for neighbor in table_view.neighbors if neighbor.seat == seat), None)
    if neighbor_seat is None or not neighbor_seat.player:
        return gettext("Seat {seat}").format(seat=seat)
    return gettext("{player} at seat {seat}").format(player=display_name(neighbor_seat.player), seat=seat)


def _describe_result(table_view: TableView) -> str:
    result = table_view.result
    if result is None:
        return ""
    if result.void_reason:
        text = gettext("Round {number} was voided: {reason}. Every wager was returned.")
        return text.format(number=result.number, reason=result.void_reason)
    pending = sum(
        pending_prize.cents
        for pending_prize in table_view.prizes
        if pending_prize.is_pending and pending_prize.round == result.round
    )
    sentences = [_net_sentence(result.net)]
    if pending:
        text = gettext("Your prize of {amount} is locked until two employees verify it.")
        sentences.append(text.format(amount=format_cents(pending)))
    return " ".join(sentences)


def _net_sentence(net: int) -> str:
    if net > 0:
        return gettext("You won {amount}.").format(amount=format_cents(net))
    if net < 0:
        return gettext("You lost {amount}.").format(amount=format_cents(-net))
    return gettext("You broke even.")


def script_texts() -> dict[str, str]:
    """The sentences that the script of the page shows; it fills in what the braces name."""
    return {
        "range": gettext("{spot} takes {minimum} to {maximum}."),
        "rangeInSteps": gettext("{spot} takes {minimum} to {maximum} in steps of {step}."),
        "fixed": gettext("{spot} takes exactly {minimum}."),
        "adjusted": gettext("Your bet is now {amount}."),
        "maximum": gettext("{spot} takes {maximum} at most."),
        "leave": gettext("If you leave now, your hand is finished without another bet. Leave?"),
        "best": gettext("best"),
        "coachCost": gettext("Coach: “{decision}” cost {amount} on average; “{best}” was best."),
        "coachCostSimulated": gettext(
            "Coach: “{decision}” cost {amount} on average; “{best}” did better in simulated rounds."
        ),
        "coachBest": gettext("Coach: “{decision}” was the best decision."),
        "coachBestSimulated": gettext("Coach: “{decision}” did best in simulated rounds."),
        "secondsLeft": gettext("{seconds} s left"),
        "timeUp": gettext("Time is up."),
    }


router = APIRouter(include_in_schema=False, route_class=StrictRoute)
SEAT_CHIP_VALUES: Final = (1_00, 5_00, 25_00, 100_00, 500_00)
"""The chips of the tray."""


def live_page(context: AppContext, player: str | None, table: str) -> LivePage:
    """A table as one visitor may see it, for as long as the page is open."""
    card_room = context.card_room
    require_visible(card_room.table(table), player or "")
    cached_rounds: dict[str, PastRound | None] = {}
    locking: dict[str, PastRound] = {}

    def draw() -> str:
        snapshot = card_room.view_table(table)
        last = _last_round(card_room, snapshot.state, cached_rounds)
        table_view = build_table_view(
            snapshot, player, last, _list_locked_prizes(card_room, snapshot, player, last, locking)
        )
        balance = card_room.player_account(player).balance if player else 0
        times = zone_note(card_room.calendar)
        return render_fragment(
            "seat/table.html", **_table_variables(table_view, balance, context.options.guests), times=times
        )

    player_chains = (player_chain(player),) if player else ()
    jackpots = map(jackpot_chain, card_room.view_table(table).jackpots)
    return LivePage((table_chain(table), *player_chains, *jackpots), draw)


def _last_round(card_room: CardRoom, state: TableState, cached_rounds: dict[str, PastRound | None]) -> PastRound | None:
    """The last round. Every redraw until the next round needs it, so it is cached."""
    id = state.last_round
    if id is None or state.phase is TablePhase.PLAYING:
        return None
    if id not in cached_rounds:
        cached_rounds.clear()
        try:
            cached_rounds[id] = card_room.get_past_round(id)
        except UnknownRound:  # a dealer dealt it, so its cards are not known
            cached_rounds[id] = None
    return cached_rounds[id]


def _list_locked_prizes(
    card_room: CardRoom,
    snapshot: SharedTableView,
    player: str | None,
    last: PastRound | None,
    locking: dict[str, PastRound],
) -> tuple[PendingPrize, ...]:
    """The visitor's locked prizes, and those that were locked while the page was open: the winner can play on. The
    rounds that locked them are cached."""
    if player is None:
        return ()
    table = snapshot.state.table
    for jackpot in snapshot.jackpots:
        for claim in card_room.jackpot(jackpot).claims:
            if claim.table == table and claim.round not in locking and player in dict(claim.sat).values():
                locking[claim.round] = card_room.get_past_round(claim.round)
    if last is not None and last.waiting:
        locking[last.id] = last
    own_rounds = (
        (past_round, seat) for past_round in locking.values() if (seat := seat_of(past_round, player)) is not None
    )
    return tuple(prize for past_round, seat in own_rounds for prize in list_pending_prizes(card_room, past_round, seat))


def _table_variables(table_view: TableView, balance: int, guests: bool) -> dict[str, Any]:
    state = table_view.state
    table = state.open_table.table
    least = cents_on_layout(state.game.begin(table, {1: minimum_wagers(table)}), 1)
    return {
        "table": table_view,
        "state": state,
        "facts": state.game.facts,
        "status": describe_status(table_view),
        "in_short": strip_citations(state.game.summary),
        "balance": balance,
        "guests": guests,
        "least": least,
        "start": minimum_wagers(table),
        "chips": [value for value in SEAT_CHIP_VALUES if value <= max(spot.maximum for spot in table_view.spots)],
        "paytables": _paytable_variables(table_view),
        "buy_in": min(state.terms.buy_in, balance),
    }


def _paytable_variables(table_view: TableView) -> list[dict[str, Any]]:
    """Every paytable of the layout, with the lines that the last round hit."""
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
            "paytable": offered.paytable.display_name,
            "lines": [
                {
                    "label": line.label,
                    "pays": describe_pay(line.pay),
                    "hit": (spots[slug], line.trigger) in winning_lines,
                }
                for line in offered.paytable.lines
            ],
        }
        for slug, offered in table.offers.items()
        if offered.paytable.lines
    ]


@router.get("/tables/{table}")
async def show_table(request: Request, table: str) -> Response:
    """The table, with the visitor's seat if there is one."""
    context, player = get_app_context(request), signed_in_player(request)
    live = await context.executors.query(live_page, context, player, table)
    html = await context.executors.query(live.render)
    context.change_feed.follow_table(table)
    facts = context.card_room.table(table).game.facts
    now = context.clock() // 1_000
    variables: dict[str, Any] = {"drawn": html, "table": table, "facts": facts, "player": player, "now": now}
    return render_page(request, "seat/page.html", texts=script_texts(), **variables)


class WagersToCheck(BaseModel):
    """Wagers that a player is placing."""

    model_config = ConfigDict(extra="forbid", strict=True)
    wagers: dict[str, int]


@router.post("/tables/{table}/check")
async def check_wagers(request: Request, table: str, body: WagersToCheck) -> Response:
    """Why wagers would be refused; nothing is placed."""
    context, player = get_app_context(request), require_player(request)
    return json_response(await context.executors.query(_check_wagers, context.card_room, player, table, body.wagers))


def _check_wagers(card_room: CardRoom, player: str, table: str, wagers: Mapping[str, int]) -> dict[str, Any]:
    state = require_visible(card_room.table(table), player)
    occupant = state.seat_of(player)
    at = state.open_table.table
    # A player who places a side wager first still has to make the required wager.
    complete_wagers = {
        **{spot: cents for spot, cents in minimum_wagers(at).items() if not _is_spot_covered(state, spot, wagers)},
        **wagers,
    }
    fault = find_bet_fault(state.game, at, occupant.seat if occupant else 1, complete_wagers)
    if fault is None and occupant is not None:
        cost = cents_on_layout(state.game.begin(at, {occupant.seat: complete_wagers}), occupant.seat)
        if cost > occupant.chips:
            text = gettext("That costs {cost} and you have {chips} at the table. Bet less, or buy chips.")
            fault = text.format(cost=format_cents(cost), chips=format_cents(occupant.chips))
    return {"error": fault}


def _is_spot_covered(state: TableState, spot: str, wagers: Mapping[str, int]) -> bool:
    """Whether a spot of the same wager has chips."""
    spots = state.open_table.table.spots
    return any(placed_spot in spots and spots[placed_spot] is spots[spot] for placed_spot in wagers)
