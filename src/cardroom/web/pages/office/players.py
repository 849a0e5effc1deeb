"""Players: what everybody has, a player's chain in sentences, and the cage."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from cardroom.accounts import Currency
from cardroom.floor import Floor, PlayerState, money_named
from cardroom.floor.desks.people import Registered
from cardroom.floor.desks.players import NoSuchMoney
from cardroom.floor.kept.chains import ROOM, person_chain, player_chain
from cardroom.floor.kept.recall import newest_first
from cardroom.floor.people.roles import Role
from cardroom.floor.players.admitting import BadPlayer
from cardroom.floor.telling import ToldEvent, told_events
from cardroom.games.money import format_cents, parse_dollars
from cardroom.jackpots.people import named
from cardroom.web.pages.office.deeds import Deed, Field, Typed, do_deed, second_of, show_deed
from cardroom.web.pages.office.frame import NothingThere, OfficeRoute, number_in, office_page
from cardroom.web.pages.office.people_deeds import ONCE, told_once
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
        "login": floor.person(player) if has_login(floor, player) else None,
    }


def _at_the_cage(floor: Floor, player: str, deed: str) -> Deed:
    state = floor.player(player)
    has = (
        f"{state.player} has {format_cents(state.balance)} of {state.money.label} on the balance now, besides chips "
        "at seats."
    )
    into = deed == "pay-in"
    if deed not in ("pay-in", "pay-out"):
        known = "pay-in, pay-out, sign-in and recover"
        raise NothingThere(f"The office has no page {deed!r} for a player: it has {known}.")
    pay: Callable[..., object] = floor.pay_in if into else floor.pay_out

    def do(id: str, who: str, typed: Typed) -> object:
        cents = parse_dollars(typed.get("dollars", ""))
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
            Field("dollars", "Amount", "In dollars, such as 50.", reads=parse_dollars),
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


def _login(floor: Floor, player: str, deed: str) -> Deed:
    """Let a player sign in, or give another password to one who has forgotten it."""
    state, again = floor.player(player), deed == "recover"

    def do(id: str, who: str, typed: Typed) -> Registered:
        if again:
            return floor.recover_person(id, who, player, second=second_of(typed))
        name = typed.get("name", "").strip()
        return floor.register_person(id, who, player, name, Role.PLAYER, second=second_of(typed))

    may_sign_in = has_login(floor, player)
    not_now = ""
    if state.guest:
        not_now = f"{player} is a guest, who comes in without a password."
    elif again != may_sign_in:
        not_now = f"{player} {'may' if may_sign_in else 'cannot'} sign in {'already' if may_sign_in else 'yet'}."
    what = (
        f"The password of {player} is worth nothing any more, and every session of the player ends."
        if again
        else f"{player} may sign in from now on, and play with what is on the balance."
    )
    names = Field("name", "Name", "As people know the player.", reads=lambda typed: named(typed, "name"))
    title = f"Another password for {player}" if again else f"Let {player} sign in"
    return Deed(
        title=title,
        happens=(what, "Two people have seen who it is, and answer for it.", ONCE),
        fields=() if again else (names,),
        button="Give another password" if again else "Make the login",
        back=address_of(player),
        do=do,
        two=True,
        answered="a player's login",
        chains=(ROOM, person_chain(player)),
        not_now=not_now,
        shows=told_once(title, address_of(player)),
    )


def has_login(floor: Floor, player: str) -> bool:
    """Whether a player has a login, and is not a name that somebody of the staff has."""
    return player in floor.people() and floor.person(player).role is Role.PLAYER


def _admitting(floor: Floor) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        return floor.admit_player(id, who, typed.get("player", "").strip(), money_named(typed.get("money", "")))

    moneys = tuple((str(one), one.label) for one in Currency)
    return Deed(
        title="Admit a player",
        happens=(
            "The player gets an account under this name, which begins with nothing.",
            "It is of one of the two moneys for ever: the two never meet.",
        ),
        fields=(
            Field("player", "Name of the account", "Such as ann-lee."),
            Field("money", "Which money", options=moneys, value=str(Currency.REAL)),
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
    """Take money in for a player, or pay it out; let the player sign in."""
    house = house_of(request)
    make = _login if deed in ("sign-in", "recover") else _at_the_cage
    made = await house.clerks.look(make, house.floor, player, deed)
    if request.method == "GET":
        return show_deed(request, made)
    answer = await do_deed(request, made)
    house.sessions.forget(player)
    return answer
