"""Player accounts: balances, the history of an account, and payments at the cage."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from cardroom.chart_of_accounts import Currency
from cardroom.games.money import format_cents, parse_dollars
from cardroom.room.dual_control import require_text
from cardroom.room.player.account import BadPlayerAccount
from cardroom.room.user.permissions import Role
from cardroom.service import CardRoom, PlayerAccount, parse_currency
from cardroom.service.chain_descriptions import EventText, describe_events
from cardroom.service.chains.names import ROOM_CHAIN, player_chain, user_chain
from cardroom.service.commands.cage import UnknownCurrency
from cardroom.service.commands.users import UserCredentials
from cardroom.service.queries.chain_history import list_newest_first
from cardroom.web.pages.office.actions import (
    FormField,
    FormValues,
    OfficeAction,
    perform_action,
    second_person,
    show_action,
)
from cardroom.web.pages.office.frame import OfficeRoute, PageNotFound, parse_query_number, render_office_page
from cardroom.web.pages.office.users import SHOWN_ONCE_NOTE, render_password_once
from cardroom.web.pages.requests import get_app_context
from cardroom.web.services.time_format import format_second

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_PLAYERS_PER_PAGE: Final = 50
_EVENTS_PER_PAGE: Final = 50


class PlayerList(NamedTuple):
    """A page of players by name."""

    players: tuple[PlayerAccount, ...]
    number: int
    """The total number, including guests."""
    next_player: str
    """The name after which the next page begins; empty at the end."""


def player_url(player: str) -> str:
    """The page of a player."""
    return f"/office/players/{quote(player, safe='')}"


def player_list(card_room: CardRoom, after: str, guests: bool) -> PlayerList:
    """The players after a name, with or without guests."""
    names = card_room.players.list_players()
    states = (card_room.player_account(name) for name in names if name > after)
    page_players = list(islice((name for name in states if guests or not name.guest), _PLAYERS_PER_PAGE + 1))
    following = page_players[_PLAYERS_PER_PAGE - 1].player if len(page_players) > _PLAYERS_PER_PAGE else ""
    return PlayerList(tuple(page_players[:_PLAYERS_PER_PAGE]), len(names), following)


def _player_variables(card_room: CardRoom, player: str, before: int | None) -> dict[str, Any]:
    state, calendar = card_room.player_account(player), card_room.calendar
    seated = [(table, card_room.table(table).occupant(seat)) for table, seat in state.seats.items()]
    events = list(islice(list_newest_first(card_room.ledger, player_chain(player), before), _EVENTS_PER_PAGE))
    descriptions: list[EventText] = list(describe_events(events, partial(format_second, calendar)))
    return {
        "state": state,
        "seated": [(table, occupant) for table, occupant in seated if occupant is not None],
        "history": [(event, format_second(calendar, event.time)) for event in descriptions],
        "before": descriptions[-1].sequence if descriptions and descriptions[-1].sequence > 1 else 0,
        "zone_text": calendar.zone_text,
        "login": card_room.user(player) if has_login(card_room, player) else None,
    }


def _cage_action(card_room: CardRoom, player: str, action_name: str) -> OfficeAction:
    state = card_room.player_account(player)
    balance_text = (
        f"The balance of {state.player} is {format_cents(state.balance)} of {state.money.label}, not counting chips at "
        "seats."
    )
    is_pay_in = action_name == "pay-in"
    if action_name not in ("pay-in", "pay-out"):
        action_names = "pay-in, pay-out, sign-in and recover"
        raise PageNotFound(f"The office has no page {action_name!r} for a player: its pages are {action_names}.")
    pay: Callable[..., object] = card_room.players.pay_in if is_pay_in else card_room.players.pay_out

    def do(id: str, user: str, typed: FormValues) -> object:
        cents = parse_dollars(typed.get("dollars", ""))
        return pay(id, user, player, cents, typed.get("slip", ""), second=second_person(typed))

    consequence = (
        f"The cage takes the cash, and the balance of {state.player} goes up."
        if is_pay_in
        else f"The cage pays the cash to {state.player}, and the balance goes down."
    )
    return OfficeAction(
        title=f"{'Pay in for' if is_pay_in else 'Pay out to'} {state.player}",
        consequences=(consequence, balance_text, "Two people count the money and sign."),
        fields=(
            FormField("dollars", "Amount", "In dollars, such as 50.", parse=parse_dollars),
            FormField(
                "slip",
                "Slip number",
                "Of the slip that both people sign.",
                parse=lambda form_input: require_text(form_input, "slip number"),
            ),
        ),
        button="Record the pay-in" if is_pay_in else "Record the payout",
        back=player_url(player),
        do=do,
        needs_second_person=True,
        dual_control_subject="a payment to a balance" if is_pay_in else "a payment from a balance",
        refusal_fields=((BadPlayerAccount, "dollars"),),
        chains=(player_chain(player),),
        danger=not is_pay_in,
    )


def _login_action(card_room: CardRoom, player: str, action_name: str) -> OfficeAction:
    """Create a login for a player, or issue a new password."""
    state, is_recovery = card_room.player_account(player), action_name == "recover"

    def do(id: str, user: str, typed: FormValues) -> UserCredentials:
        if is_recovery:
            return card_room.users.recover(id, user, player, second=second_person(typed))
        name = typed.get("name", "").strip()
        return card_room.users.add(id, user, player, name, Role.PLAYER, second=second_person(typed))

    may_sign_in = has_login(card_room, player)
    unavailable_reason = ""
    if state.guest:
        unavailable_reason = f"{player} is a guest and needs no password."
    elif is_recovery != may_sign_in:
        unavailable_reason = f"{player} already has a login." if may_sign_in else f"{player} has no login yet."
    consequence = (
        f"The old password of {player} stops working, and every session of the player ends."
        if is_recovery
        else f"{player} can sign in from now on and play with the balance."
    )
    names = FormField(
        "name", "Name", "The player's everyday name.", parse=lambda form_input: require_text(form_input, "name")
    )
    title = f"New password for {player}" if is_recovery else f"Login for {player}"
    return OfficeAction(
        title=title,
        consequences=(consequence, "Two people have checked the player's identity and sign.", SHOWN_ONCE_NOTE),
        fields=() if is_recovery else (names,),
        button="Issue a new password" if is_recovery else "Create the login",
        back=player_url(player),
        do=do,
        needs_second_person=True,
        dual_control_subject="a player's login",
        chains=(ROOM_CHAIN, user_chain(player)),
        unavailable_reason=unavailable_reason,
        render_result=render_password_once(title, player_url(player)),
    )


def has_login(card_room: CardRoom, player: str) -> bool:
    """Whether a player has a login. A staff login of the same name does not count."""
    return player in card_room.users.list_users() and card_room.user(player).role is Role.PLAYER


def _admission_action(card_room: CardRoom) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.players.admit_player(
            id, user, values.get("player", "").strip(), parse_currency(values.get("money", ""))
        )

    moneys = tuple((str(currency), currency.label) for currency in Currency)
    return OfficeAction(
        title="Add a player",
        consequences=(
            "The player gets an account with this name and a balance of zero.",
            "Its currency, real or play money, is permanent.",
        ),
        fields=(
            FormField("player", "Account name", "Such as ann-lee."),
            FormField("money", "Money", options=moneys, value=str(Currency.REAL)),
        ),
        button="Add the player",
        back="/office/players",
        do=do,
        refusal_fields=((BadPlayerAccount, "player"), (UnknownCurrency, "money")),
    )


@router.get("/office/players")
async def show_players(request: Request) -> Response:
    """Players with their balances."""
    context, query = get_app_context(request), request.query_params
    guests = query.get("guests") == "too"
    listing = await context.executors.query(player_list, context.card_room, query.get("after", ""), guests)
    return render_office_page(request, "office/players.html", listing=listing, guests=guests, address_of=player_url)


@router.api_route("/office/admit", methods=["GET", "POST"])
async def admit_player(request: Request) -> Response:
    """Create an account for a named player."""
    action = _admission_action(get_app_context(request).card_room)
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)


@router.get("/office/players/{player}")
async def show_player(request: Request, player: str) -> Response:
    """A player's account with its history."""
    context, query = get_app_context(request), request.query_params
    before = parse_query_number(query, "before", 1) if "before" in query else None
    variables = await context.executors.query(_player_variables, context.card_room, player, before)
    return render_office_page(request, "office/player.html", **variables, address=player_url(player))


@router.api_route("/office/players/{player}/{action_name}", methods=["GET", "POST"])
async def perform_player_action(request: Request, player: str, action_name: str) -> Response:
    """Pay in, pay out, or manage the player's login."""
    context = get_app_context(request)
    make = _login_action if action_name in ("sign-in", "recover") else _cage_action
    action = await context.executors.query(make, context.card_room, player, action_name)
    if request.method == "GET":
        return show_action(request, action)
    response = await perform_action(request, action)
    context.sessions.forget(player)
    return response
