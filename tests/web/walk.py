"""Every address of the application, filled in with names that nothing has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from cardroom.web.middleware.permissions import API
from cardroom.web.pages.dealer import routes as dealer
from cardroom.web.pages.office import devices, jackpot_money, malfunctions, promotions, tabulators, users
from cardroom.web.pages.office import table_admin as tables

NOWHERE: Final = "nowhere-1"
"""The name of no table, jackpot, player, or person."""
COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "/office/jackpots/{jackpot}/{action_name}": tuple(jackpot_money.ACTIONS),
    "/office/malfunctions/{number}/{action_name}": tuple(malfunctions._ACTIONS),
    "/office/tables/{table}/{action_name}": tuple(tables.ACTIONS),
    "/office/tabulators/{table}/{action_name}": tuple(tabulators.ACTIONS),
    "/office/players/{player}/{action_name}": ("pay-in", "pay-out", "sign-in", "recover"),
    "/office/users/{login}/{action_name}": tuple(users.USER_ACTIONS),
    "/office/devices/{device}/{action_name}": tuple(devices.ACTIONS),
    "/office/promotions/{promotion}/{action_name}": tuple(promotions._ACTIONS),
    "/dealer/{table}/{action_name}": tuple(dealer.ACTIONS),
}
"""Addresses whose last part names an action, with all their actions."""
_PART: Final = re.compile(r"\{(\w+)(?::\w+)?\}")
_FILLED: Final = {"seat": "1", "step": "1", "suffix": "csv", "digest": "0", "form": "json", "claim": "nowhere-1.1"}


class Address(NamedTuple):
    """A method and an address that can be called."""

    route: str
    """The address as the application writes it."""
    method: str
    path: str

    @property
    def is_page(self) -> bool:
        return not self.path.startswith(API) and self.path != "/healthz"


def list_addresses(app: FastAPI) -> Iterator[Address]:
    """Yield every address of the application except the WebSocket of open pages."""
    for route in iter_route_contexts(app.routes):
        if route.methods is None or route.path is None:
            continue
        for method in sorted(route.methods - {"HEAD"}):
            for command in COMMANDS.get(route.path, ("",)):
                yield Address(route.path, method, fill_address(route.path, command))


def list_socket_paths(app: FastAPI) -> list[str]:
    """Return the addresses at which a WebSocket is opened."""
    return [route.path for route in iter_route_contexts(app.routes) if route.methods is None and route.path is not None]


def fill_address(path: str, command: str = "") -> str:
    """Fill an address in with names that nothing has."""

    def replace_part(match: re.Match[str]) -> str:
        part = match[1]
        if part == "action_name":
            assert command, f"{path} is not among the addresses whose actions are known"
            return command
        return _FILLED.get(part, NOWHERE)

    return _PART.sub(replace_part, path)


def build_body(address: Address, login: str, password: str) -> dict[str, Any]:
    """Return a body that the call accepts, where a call without it would be refused before the permission check."""
    signing_in = {"login": login, "password": password}
    match address.path:
        case "/sign-in" | "/api/v1/sessions":
            return signing_in
        case "/first":
            return {**signing_in, "name": "Somebody Else", "again": password, "id": "0" * 32}
        case "/account/password":
            return {"password": password, "new": "short", "again": "short"}
        case "/account/pin":
            return {"password": password, "new": "1234"}
        case "/unlock" | "/api/v1/sessions/unlock":
            return {"pin": password}
        case "/account/end":
            return {"id": "0" * 32, "session": "0" * 64}
    return {}
