"""Rounds that have ended, the newest first; what is chosen stands in the address."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.accounts import Currency
from cardroom.errors import BadInput, quote
from cardroom.floor import Floor, PastRound
from cardroom.floor.felt.naming import PRACTICE
from cardroom.floor.felt.state import number_of
from cardroom.floor.kept.live_recall import PastLiveRound
from cardroom.floor.kept.round_search import AnyRound
from cardroom.games import game
from cardroom.web.pages.office.frame import OfficeRoute, number_in, office_page
from cardroom.web.pages.visitors import house_of

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
A_PAGE: Final = 50
MOST_PAGES: Final = 40
"""Of the rounds of all tables together; further back one table is chosen."""


class NoSuchRound(BadInput):
    """A round of another table than the one that was chosen."""


class ListedRound(NamedTuple):
    """A round in a line."""

    id: str
    table: str
    ended: str
    game: str
    sat: str
    wagered: int
    returned: int
    money: str
    void: str
    """Which wagers went back, where some did."""


class RoundList(NamedTuple):
    """Some rounds, and how the next page is asked for; empty at the end."""

    rounds: tuple[ListedRound, ...]
    following: str


def listed(one: AnyRound, told: str) -> ListedRound:
    """A round in a line."""
    return ListedRound(
        id=one.id,
        table=one.table,
        ended=told,
        game=game(one.game).facts.name,
        sat=_sat(one),
        wagered=sum(one.wagered.values()),
        returned=sum(one.returned.values()),
        money=Currency(one.money).label,
        void=_void(one),
    )


def _void(one: AnyRound) -> str:
    if one.is_void:
        return "void"
    return "jackpot wagers void" if isinstance(one, PastLiveRound) and one.voided is not None else ""


def _sat(one: AnyRound) -> str:
    """Who sat where; at a live table, who dealt and at which positions somebody played."""
    if isinstance(one, PastRound):
        return ", ".join(f"{seat} {player}" for seat, player in one.players.items())
    return f"dealt by {one.live.dealer} to {', '.join(map(str, one.live.positions))}"


def round_list(floor: Floor, table: str, player: str, before: str, page: int) -> RoundList:
    """The rounds of a player, of a table, or of all tables."""
    if player:
        found = floor.history_page(player, before=before or None, limit=A_PAGE)
        return RoundList(
            _lines(floor, list(found.rounds)), f"player={player}&before={found.before}" if found.before else ""
        )
    if table:
        named = number_of(before) if before else None
        if before and (named is None or named[0] != table):
            raise NoSuchRound(f"{quote(before)} is no round of {table}: a round's id is such as {table}.17.")
        last = named[1] - 1 if named else None
        rounds = list(islice(floor.past_rounds(table, last=last), A_PAGE))
        more = bool(rounds) and rounds[-1].number > 1
        return RoundList(_lines(floor, rounds), f"table={table}&before={rounds[-1].id}" if more else "")
    start = (page - 1) * A_PAGE
    rounds = list(islice(floor.recent_rounds(), start, start + A_PAGE + 1))
    more = len(rounds) > A_PAGE and page < MOST_PAGES
    return RoundList(_lines(floor, rounds[:A_PAGE]), f"page={page + 1}" if more else "")


def _lines(floor: Floor, rounds: list[AnyRound]) -> tuple[ListedRound, ...]:
    return tuple(listed(one, floor.calendar.told(one.time)) for one in rounds)


@router.get("/office/rounds")
async def show_rounds(request: Request) -> Response:
    """The rounds that were chosen."""
    house, asked = house_of(request), request.query_params
    table, player, before = (asked.get(name, "").strip() for name in ("table", "player", "before"))
    page = min(number_in(asked, "page", 1), MOST_PAGES)

    def read() -> dict[str, Any]:
        tables = tuple(house.floor.felt_versions(besides=PRACTICE))
        shown: dict[str, Any] = {"tables": tables, "found": RoundList((), ""), "sentence": ""}
        try:
            return {**shown, "found": round_list(house.floor, table, player, before, page)}
        except BadInput as fault:
            return {**shown, "sentence": str(fault)}

    shown = await house.clerks.look(read)
    return office_page(
        request,
        "office/rounds.html",
        status=422 if shown["sentence"] else 200,
        **shown,
        table=table,
        player=player,
        said=house.floor.calendar.said,
    )
