"""The list of rounds that have ended, and the cards, wagers, and decisions of a claimed round."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.cards import format_card_symbols, parse_cards
from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput, quote
from cardroom.games import game
from cardroom.games.money import format_cents
from cardroom.games.view import wager_name
from cardroom.room.table.events import LiveRound
from cardroom.room.table.reducer import PRACTICE_PREFIX
from cardroom.room.table.state import parse_round_id
from cardroom.service import CardRoom, PastRound
from cardroom.service.queries.past_live_rounds import PastLiveRound
from cardroom.service.queries.round_search import AnyPastRound
from cardroom.web.pages.office.frame import OfficeRoute, parse_query_number, render_office_page
from cardroom.web.pages.requests import get_app_context
from cardroom.web.services.time_format import format_second


def format_cards(names: Iterable[str]) -> str:
    """
    >>> format_cards(["As", "Kd", "Jk"])
    'A♠ K♦ ★'
    """
    return format_card_symbols(parse_cards(names))


class ClaimedRoundLine(NamedTuple):
    """The cards, wagers, and decisions of a seat, the dealer, or the community."""

    place: str
    cards: str
    wagers: str
    decisions: str


def round_lines(record: Mapping[str, Any]) -> Iterator[ClaimedRoundLine]:
    """The lines of a round's record, common cards first.

    >>> from cardroom.games.example_rounds import example_json
    >>> import json
    >>> lines = tuple(round_lines(json.loads(example_json("three-card-prime"))))
    >>> lines[1].cards, lines[2].place, lines[2].cards, lines[3].decisions
    ('K♦ 6♦ 10♣', 'seat 1', 'fourth 8♦, hand 8♥ K♥ 3♣', 'fold')
    """
    facts = game(record["table"]["game"]).facts
    cards, wagers = record.get("cards", {}), record.get("wagers", {})
    for place, names in cards.items():
        if not place.startswith("seat "):
            yield ClaimedRoundLine(place, format_cards(names), "", "")
    seats = {int(place.split()[1]) for place in cards if place.startswith("seat ")} | set(map(int, wagers))
    for seat in sorted(seats):
        seat_piles = [(place, names) for place, names in cards.items() if place.startswith(f"seat {seat} ")]
        piles = [f"{place.split(' ', 2)[2]} {format_cards(names)}" for place, names in seat_piles]
        wager_texts = [
            f"{wager_name(facts, slug)} {_amount(cents)}" for slug, cents in wagers.get(str(seat), {}).items()
        ]
        decisions = [str(decision["answer"]) for decision in record.get("decisions", ()) if decision["seat"] == seat]
        yield ClaimedRoundLine(f"seat {seat}", ", ".join(piles), ", ".join(wager_texts), ", ".join(decisions))


def entered_lines(game: str, live: LiveRound, seats: Collection[int]) -> tuple[ClaimedRoundLine, ...]:
    """What a dealer entered for some seats of a live round, and for the table."""
    record = {
        "table": {"game": game},
        "cards": live.cards,
        "wagers": live.wagers,
        "decisions": [decision._asdict() for decision in live.answers],
    }
    places = {f"seat {seat}" for seat in seats}
    return tuple(line for line in round_lines(record) if line.place in places or not line.place.startswith("seat "))


def _amount(amount: int | str) -> str:
    return format_cents(amount) if isinstance(amount, int) else amount


router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
ROUNDS_PER_PAGE: Final = 50
MAX_PAGES: Final = 40
"""The most pages with the rounds of all tables; older rounds are listed by table."""


class NoSuchRound(BadInput):
    """The round id belongs to another table."""


class OfficeRound(NamedTuple):
    """A round in the list."""

    id: str
    table: str
    ended: str
    game: str
    seats_text: str
    wagered: int
    returned: int
    money: str
    void: str
    """Which wagers were returned; empty if none."""


class RoundList(NamedTuple):
    """A page of rounds, and the query of the next page; empty at the end."""

    rounds: tuple[OfficeRound, ...]
    next_page: str


def office_round(past_round: AnyPastRound, ended_at: str) -> OfficeRound:
    """A round in the list."""
    return OfficeRound(
        id=past_round.id,
        table=past_round.table,
        ended=ended_at,
        game=game(past_round.game).facts.name,
        seats_text=_seats_text(past_round),
        wagered=sum(past_round.wagered.values()),
        returned=sum(past_round.returned.values()),
        money=Currency(past_round.money).label,
        void=_void_text(past_round),
    )


def _void_text(past_round: AnyPastRound) -> str:
    if past_round.is_void:
        return "void"
    return "jackpot wagers void" if isinstance(past_round, PastLiveRound) and past_round.voided is not None else ""


def _seats_text(past_round: AnyPastRound) -> str:
    """The players by seat; at a live table, the dealer and the positions in play."""
    if isinstance(past_round, PastRound):
        return ", ".join(f"{seat} {player}" for seat, player in past_round.players.items())
    return f"dealt by {past_round.live.dealer} to {', '.join(map(str, past_round.live.positions))}"


def round_list(card_room: CardRoom, table: str, player: str, before: str, page: int) -> RoundList:
    """The rounds of a player, of a table, or of all tables."""
    if player:
        history = card_room.page_player_rounds(player, before=before or None, limit=ROUNDS_PER_PAGE)
        return RoundList(
            _office_rounds(card_room, list(history.rounds)),
            f"player={player}&before={history.before}" if history.before else "",
        )
    if table:
        round_number = parse_round_id(before) if before else None
        if before and (round_number is None or round_number[0] != table):
            raise NoSuchRound(f"{quote(before)} is not a round of {table}. Round ids look like {table}.17.")
        last = round_number[1] - 1 if round_number else None
        rounds = list(islice(card_room.list_rounds(table, last=last), ROUNDS_PER_PAGE))
        more = bool(rounds) and rounds[-1].number > 1
        return RoundList(_office_rounds(card_room, rounds), f"table={table}&before={rounds[-1].id}" if more else "")
    start = (page - 1) * ROUNDS_PER_PAGE
    rounds = list(islice(card_room.list_recent_rounds(), start, start + ROUNDS_PER_PAGE + 1))
    more = len(rounds) > ROUNDS_PER_PAGE and page < MAX_PAGES
    return RoundList(_office_rounds(card_room, rounds[:ROUNDS_PER_PAGE]), f"page={page + 1}" if more else "")


def _office_rounds(card_room: CardRoom, rounds: list[AnyPastRound]) -> tuple[OfficeRound, ...]:
    return tuple(office_round(past_round, format_second(card_room.calendar, past_round.time)) for past_round in rounds)


@router.get("/office/rounds")
async def show_rounds(request: Request) -> Response:
    """The rounds of the chosen table and player."""
    context, query = get_app_context(request), request.query_params
    table, player, before = (query.get(name, "").strip() for name in ("table", "player", "before"))
    page = min(parse_query_number(query, "page", 1), MAX_PAGES)

    def read() -> dict[str, Any]:
        tables = tuple(context.card_room.read_table_versions(excluded_prefix=PRACTICE_PREFIX))
        shown: dict[str, Any] = {"tables": tables, "listing": RoundList((), ""), "sentence": ""}
        try:
            return {**shown, "listing": round_list(context.card_room, table, player, before, page)}
        except BadInput as fault:
            return {**shown, "sentence": str(fault)}

    variables = await context.executors.query(read)
    return render_office_page(
        request,
        "office/rounds.html",
        status=422 if variables["sentence"] else 200,
        **variables,
        table=table,
        player=player,
        zone_text=context.card_room.calendar.zone_text,
    )
