"""Every address of the card room, as the application itself knows it, with harmless names filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from cardroom.web.middleware.permissions import API
from cardroom.web.pages.dealer import routes as dealer
from cardroom.web.pages.office import devices, jackpot_money, malfunctions, promotions, tabulators
from cardroom.web.pages.office import table_admin as tables
from cardroom.web.pages.office import users as people_commands

NOWHERE: Final = "nowhere-1"
"""No table, jackpot, player or person is called so."""
COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "/office/jackpots/{jackpot}/{action_name}": tuple(jackpot_money.ACTIONS),
    "/office/malfunctions/{number}/{action_name}": tuple(malfunctions._ACTIONS),
    "/office/tables/{table}/{action_name}": tuple(tables.ACTIONS),
    "/office/tabulators/{table}/{action_name}": tuple(tabulators.ACTIONS),
    "/office/players/{player}/{action_name}": ("pay-in", "pay-out", "sign-in", "recover"),
    "/office/users/{login}/{action_name}": tuple(people_commands.USER_ACTIONS),
    "/office/devices/{device}/{action_name}": tuple(devices.ACTIONS),
    "/office/promotions/{promotion}/{action_name}": tuple(promotions._ACTIONS),
    "/dealer/{table}/{action_name}": tuple(dealer.ACTIONS),
}
"""Addresses whose last part names what is done there: each of them is walked."""
_PART: Final = re.compile(r"\{(\w+)(?::\w+)?\}")
_FILLED: Final = {"seat": "1", "step": "1", "suffix": "csv", "digest": "0", "form": "json", "claim": "nowhere-1.1"}


class Address(NamedTuple):
    """Something that can be called."""

    route: str
    """As the application writes it."""
    method: str
    path: str

    @property
    def is_page(self) -> bool:
        return not self.path.startswith(API) and self.path != "/healthz"


def addresses(app: FastAPI) -> Iterator[Address]:
    """Every address of the application but the line of open pages."""
    for one in iter_route_contexts(app.routes):
        if one.methods is None or one.path is None:
            continue
        for method in sorted(one.methods - {"HEAD"}):
            for command in COMMANDS.get(one.path, ("",)):
                yield Address(one.path, method, filled(one.path, command))


def sockets(app: FastAPI) -> list[str]:
    """Addresses at which a line is opened."""
    return [one.path for one in iter_route_contexts(app.routes) if one.methods is None and one.path is not None]


def filled(path: str, command: str = "") -> str:
    """An address with names that nothing has."""

    def name(found: re.Match[str]) -> str:
        part = found[1]
        if part == "action_name":
            assert command, f"{path} is not among the addresses whose deeds are known"
            return command
        return _FILLED.get(part, NOWHERE)

    return _PART.sub(name, path)


def said_to(address: Address, login: str, password: str) -> dict[str, Any]:
    """What is sent that would be understood, where a call without it would be refused before it is looked at."""
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
