"""Players: what everybody has, a player's chain in sentences, and the cage."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from cardroom.accounts import Money
from cardroom.floor import Floor, PlayerState, money_named
from cardroom.floor.desks.players import NoSuchMoney
from cardroom.floor.kept.chains import player_chain
from cardroom.floor.kept.recall import newest_first
from cardroom.floor.players.admitting import BadPlayer
from cardroom.floor.telling import ToldEvent, told_events
from cardroom.games.money import dollars, money
from cardroom.jackpots.people import named
from cardroom.web.pages.office.deeds import Deed, Field, Typed, do_deed, second_of, show_deed
from cardroom.web.pages.office.frame import NothingThere, OfficeRoute, number_in, office_page
from cardroom.web.pages.visitors import house_of

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_PLAYERS_A_PAGE: Final = 50
_EVENTS_A_PAGE: Final = 50


class PlayerList(NamedTuple):
    """Players by name, a page of them."""

    players: tuple[PlayerState, ...]
    number: int
    """How many there are in all, guests too."""
    following: str
    """The name after which the next page begins; empty at the end."""


def address_of(player: str) -> str:
    """The page of a player."""
    return f"/office/players/{quote(player, safe='')}"


def player_list(floor: Floor, after: str, guests: bool) -> PlayerList:
    """Players behind a name; without guests, unless they are wanted too."""
    names = floor.players()
    states = (floor.player(one) for one in names if one > after)
    some = list(islice((one for one in states if guests or not one.guest), _PLAYERS_A_PAGE + 1))
    following = some[_PLAYERS_A_PAGE - 1].player if len(some) > _PLAYERS_A_PAGE else ""
    return PlayerList(tuple(some[:_PLAYERS_A_PAGE]), len(names), following)


def _read(floor: Floor, player: str, before: int | None) -> dict[str, Any]:
    state, calendar = floor.player(player), floor.calendar
    seated = [(table, floor.felt(table).seated(seat)) for table, seat in state.seats.items()]
    events = list(islice(newest_first(floor.ledger, player_chain(player), before), _EVENTS_A_PAGE))
    told: list[ToldEvent] = list(told_events(events, calendar.told))
    return {
        "state": state,
        "seated": [(table, one) for table, one in seated if one is not None],
        "told": [(one, calendar.told(one.time)) for one in told],
        "before": told[-1].sequence if told and told[-1].sequence > 1 else 0,
        "said": calendar.said,
    }


def _at_the_cage(floor: Floor, player: str, deed: str) -> Deed:
    state = floor.player(player)
    has = (
        f"{state.player} has {money(state.balance)} of {state.money.words} on the balance now, besides chips at seats."
    )
    into = deed == "pay-in"
    if deed not in ("pay-in", "pay-out"):
        raise NothingThere(f"The office has no page {deed!r} for a player: it has pay-in and pay-out.")
    pay: Callable[..., object] = floor.pay_in if into else floor.pay_out

    def do(id: str, who: str, typed: Typed) -> object:
        cents = dollars(typed.get("dollars", ""))
        return pay(id, who, player, cents, typed.get("slip", ""), second=second_of(typed))

    what = (
        f"The cage takes the money in, and the balance of {state.player} goes up by it."
        if into
        else f"The cage pays the money out to {state.player}, and the balance goes down by it."
    )
    return Deed(
        title=f"{'Take money in for' if into else 'Pay money out to'} {state.player}",
        happens=(what, has, "Two people count the money and answer for it."),
        fields=(
            Field("dollars", "Amount", "In dollars, such as 50.", reads=dollars),
            Field(
                "slip",
                "Number of the slip",
                "That both of you sign.",
                reads=lambda typed: named(typed, "number of the slip"),
            ),
        ),
        button="Take it in" if into else "Pay it out",
        back=address_of(player),
        do=do,
        two=True,
        answered="a payment onto a balance" if into else "a payment from a balance",
        about=((BadPlayer, "dollars"),),
        chains=(player_chain(player),),
        danger=not into,
    )


def _admitting(floor: Floor) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        return floor.admit_player(id, who, typed.get("player", "").strip(), money_named(typed.get("money", "")))

    moneys = tuple((str(one), one.words) for one in Money)
    return Deed(
        title="Admit a player",
        happens=(
            "The player gets an account under this name, which begins with nothing.",
            "It is of one of the two moneys for ever: the two never meet.",
        ),
        fields=(
            Field("player", "Name of the account", "Such as ann-lee."),
            Field("money", "Which money", options=moneys, value=str(Money.ROOM)),
        ),
        button="Admit the player",
        back="/office/players",
        do=do,
        about=((BadPlayer, "player"), (NoSuchMoney, "money")),
    )


@router.get("/office/players")
async def show_players(request: Request) -> Response:
    """Players with their balances."""
    house, asked = house_of(request), request.query_params
    guests = asked.get("guests") == "too"
    found = await house.clerks.look(player_list, house.floor, asked.get("after", ""), guests)
    return office_page(request, "office/players.html", found=found, guests=guests, address_of=address_of)


@router.api_route("/office/admit", methods=["GET", "POST"])
async def admit(request: Request) -> Response:
    """Give a named player an account."""
    deed = _admitting(house_of(request).floor)
    return show_deed(request, deed) if request.method == "GET" else await do_deed(request, deed)


@router.get("/office/players/{player}")
async def show_player(request: Request, player: str) -> Response:
    """A player: what there is, and everything that happened to it."""
    house, asked = house_of(request), request.query_params
    before = number_in(asked, "before", 1) if "before" in asked else None
    shown = await house.clerks.look(_read, house.floor, player, before)
    return office_page(request, "office/player.html", **shown, address=address_of(player))


@router.api_route("/office/players/{player}/{deed}", methods=["GET", "POST"])
async def at_the_cage(request: Request, player: str, deed: str) -> Response:
    """Take money in for a player, or pay it out."""
    house = house_of(request)
    made = await house.clerks.look(_at_the_cage, house.floor, player, deed)
    return show_deed(request, made) if request.method == "GET" else await do_deed(request, made)
