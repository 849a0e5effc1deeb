"""The lobby: every table that the visitor can play at, two clicks from the first card."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.games import Table, game, game_slugs
from cardroom.games.money import format_cents
from cardroom.games.view import wager_name
from cardroom.room.table.reducer import PRACTICE_PREFIX
from cardroom.room.table.state import TablePhase
from cardroom.service import SharedTableView
from cardroom.service.chains.names import table_chain
from cardroom.translation import gettext
from cardroom.web.pages.requests import get_app_context, signed_in_player
from cardroom.web.pages.templating import currency_name, display_name, render_fragment, render_page
from cardroom.web.services.app_context import AppContext, tables_for
from cardroom.web.services.bots import minimum_wagers
from cardroom.web.services.jobs import PRICES_CHANGED, JobResult
from cardroom.web.services.live_pages import LivePage
from cardroom.web.services.worker_computations import WagerEdge, price_edge

router = APIRouter(include_in_schema=False)


def phase_text(phase: TablePhase) -> str:
    """What a table is doing now."""
    match phase:
        case TablePhase.BETTING:
            return gettext("Taking bets")
        case TablePhase.PLAYING:
            return gettext("Round in progress")
        case TablePhase.PAUSED:
            return gettext("Paused")
        case TablePhase.CLOSED:
            return gettext("Closed")


class LobbyTable(NamedTuple):
    """A table as the lobby shows it."""

    table: str
    game: str
    name: str
    summary: str
    """The game in a sentence."""
    is_live: bool
    money: str
    phase: str
    state: str
    limits: str
    seats: tuple[tuple[int, str, bool], ...]
    """Each seat with its player's name (empty for a free seat), and whether that is the visitor."""
    free: int
    own_seat: int
    """The visitor's seat; 0 for none."""
    jackpots: tuple[tuple[str, int], ...]
    edge: WagerEdge | None
    """The house edge of the main wager; None while it is not known."""
    is_priced: bool
    """Whether the edge has been computed; a game that cannot be priced has none."""


def lobby_table(snapshot: SharedTableView, player: str | None, edge_result: JobResult | None = None) -> LobbyTable:
    """A table as the lobby shows it."""
    state = snapshot.state
    facts, table = state.game.facts, state.open_table.table
    occupants = {occupant.seat: occupant for occupant in state.seats}
    main = next(iter(table.offers.values()))
    seats = tuple(
        (
            seat,
            display_name(occupants[seat].player) if seat in occupants else "",
            seat in occupants and occupants[seat].player == player,
        )
        for seat in range(1, table.seats + 1)
    )
    own_seat = state.seat_of(player) if player else None
    return LobbyTable(
        table=state.table,
        game=facts.slug,
        name=facts.name,
        summary=state.game.summary_line(),
        is_live=str(state.terms.mode) == "live",
        money=currency_name(state.terms.money),
        phase=phase_text(state.phase),
        state=str(state.phase),
        limits=gettext("{minimum} to {maximum}").format(
            minimum=format_cents(main.limits.minimum), maximum=format_cents(main.limits.maximum)
        ),
        seats=seats,
        free=sum(not user for _, user, _ in seats),
        own_seat=own_seat.seat if own_seat else 0,
        jackpots=tuple((wager_name(facts, spot), cents) for spot, cents in snapshot.meters.items()),
        edge=edge_result.value if edge_result else None,
        is_priced=edge_result is not None,
    )


def live_page(context: AppContext, player: str | None) -> LivePage:
    """The lobby as long as it is open."""

    def draw() -> str:
        snapshots = tables_for(context.card_room, player)
        tables = [
            lobby_table(table_snapshot, player, find_edge(table_snapshot))
            for table_snapshot in snapshots
            if not table_snapshot.state.closed
        ]
        account = context.card_room.player_account(player) if player else None
        games, out_of_money = [game(slug).facts for slug in game_slugs()], is_out_of_money(context, player)
        variables: dict[str, Any] = {
            "tables": tables,
            "player": player,
            "account": account,
            "guests": context.options.guests,
        }
        return render_fragment(
            "lobby/tables.html", edges=context.options.edges, games=games, out_of_money=out_of_money, **variables
        )

    def find_edge(snapshot: SharedTableView) -> JobResult | None:
        return context.jobs.get(price_edge, snapshot.state.setup) if context.options.edges else None

    def follows(chain: str) -> bool:
        return chain.startswith(table_chain("")) and not chain.startswith(table_chain(PRACTICE_PREFIX))

    return LivePage(("jackpot:*", PRICES_CHANGED), draw, follows)


def is_out_of_money(context: AppContext, player: str | None) -> bool:
    """Whether a guest has lost all play money: the next seat then begins with a new guest."""
    if player is None or not context.options.guests:
        return False
    state = context.card_room.player_account(player)
    least = min(
        (_minimum_wager(snapshot.state.open_table.table) for snapshot in tables_for(context.card_room, player)),
        default=0,
    )
    return state.guest and not state.seats and state.balance < least


def _minimum_wager(table: Table) -> int:
    """The least that a seat can wager, in cents."""
    return sum(cents * table.spots[spot].wager.stakes for spot, cents in minimum_wagers(table).items())


@router.get("/")
async def show_lobby(request: Request) -> Response:
    """The lobby."""
    context, player = get_app_context(request), signed_in_player(request)
    html = await context.executors.query(live_page(context, player).render)
    out_of_money = await context.executors.query(is_out_of_money, context, player)
    return render_page(request, "lobby/page.html", tables=html, player=None if out_of_money else player)
