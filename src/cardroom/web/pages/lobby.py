"""The lobby: every table that one may sit down at, as a felt; two clicks from here to the first card."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.floor import FeltLook
from cardroom.floor.felt.naming import PRACTICE
from cardroom.floor.felt.state import Phase
from cardroom.floor.kept.chains import felt_chain
from cardroom.games import Table, game, game_slugs
from cardroom.games.money import format_cents
from cardroom.games.view import wager_name
from cardroom.web.pages.drawing import fragment, page
from cardroom.web.pages.naming import called
from cardroom.web.pages.visitors import house_of, player_name
from cardroom.web.room.boards import Board, follow
from cardroom.web.room.company import least_wagers
from cardroom.web.room.counting import CHAIN, Counted
from cardroom.web.room.house import House, tables_for
from cardroom.web.room.pricing_thoughts import Edge, edge_at

router = APIRouter(include_in_schema=False)
PHASES: Final = {
    Phase.BETTING: "Wagers are taken",
    Phase.PLAYING: "A round is played",
    Phase.PAUSED: "Paused",
    Phase.CLOSED: "Closed",
}


class ListedFelt(NamedTuple):
    """A table as the lobby shows it."""

    table: str
    game: str
    name: str
    in_short: str
    """The game in a sentence."""
    is_live: bool
    money: str
    phase: str
    state: str
    limits: str
    seats: tuple[tuple[int, str, bool], ...]
    """Each seat with who sits there, nobody when empty, and whether it is the visitor."""
    free: int
    mine: int
    """The seat that the visitor has; 0 for none."""
    jackpots: tuple[tuple[str, int], ...]
    edge: Edge | None
    """What the house keeps of the main wager; None while nobody knows."""
    counted: bool
    """Whether the edge has been counted; a game that cannot be priced has none."""


def listed(look: FeltLook, player: str | None, counted: Counted | None = None) -> ListedFelt:
    """A table as the lobby shows it."""
    state = look.state
    facts, table = state.game.facts, state.at.table
    taken = {one.seat: one for one in state.seats}
    main = next(iter(table.offers.values()))
    seats = tuple(
        (seat, called(taken[seat].player) if seat in taken else "", seat in taken and taken[seat].player == player)
        for seat in range(1, table.seats + 1)
    )
    mine = state.seat_of(player) if player else None
    return ListedFelt(
        table=state.table,
        game=facts.slug,
        name=facts.name,
        in_short=state.game.summary_line(),
        is_live=str(state.terms.mode) == "live",
        money=state.terms.money.label,
        phase=PHASES[state.phase],
        state=str(state.phase),
        limits=f"{format_cents(main.limits.minimum)} to {format_cents(main.limits.maximum)}",
        seats=seats,
        free=sum(not who for _, who, _ in seats),
        mine=mine.seat if mine else 0,
        jackpots=tuple((wager_name(facts, spot), cents) for spot, cents in look.meters.items()),
        edge=counted.value if counted else None,
        counted=counted is not None,
    )


def board(house: House, player: str | None) -> Board:
    """The lobby as long as it is open."""

    def draw() -> str:
        looks = tables_for(house.floor, player)
        felts = [listed(one, player, edge(one)) for one in looks if not one.state.closed]
        account = house.floor.player(player) if player else None
        games, spent = [game(slug).facts for slug in game_slugs()], is_spent(house, player)
        shown: dict[str, Any] = {"felts": felts, "player": player, "account": account, "guests": house.rules.guests}
        return fragment("lobby/felts.html", edges=house.rules.edges, games=games, spent=spent, **shown)

    def edge(look: FeltLook) -> Counted | None:
        return house.counting.known(edge_at, look.state.setup) if house.rules.edges else None

    def follows(chain: str) -> bool:
        return (chain.startswith(felt_chain("")) and not chain.startswith(felt_chain(PRACTICE))) or of_jackpots(chain)

    of_jackpots = follow("jackpot:*", CHAIN)
    return Board(follows, draw)


def is_spent(house: House, player: str | None) -> bool:
    """Whether a guest has played all the play money away: whoever sits down then comes in as another one."""
    if player is None or not house.rules.guests:
        return False
    state = house.floor.player(player)
    least = min((_least(one.state.at.table) for one in tables_for(house.floor, player)), default=0)
    return state.guest and not state.seats and state.balance < least


def _least(table: Table) -> int:
    """What a seat must wager at the least, in cents."""
    return sum(cents * table.spots[spot].wager.stakes for spot, cents in least_wagers(table).items())


@router.get("/")
async def show_lobby(request: Request) -> Response:
    """The lobby."""
    house, player = house_of(request), player_name(request)
    drawn = await house.clerks.look(board(house, player).draw)
    spent = await house.clerks.look(is_spent, house, player)
    return page(request, "lobby/page.html", felts=drawn, player=None if spent else player)
