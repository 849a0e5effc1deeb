"""The same action takes the same permission on a page and on the command line; both use the one table PERMISSIONS.

Every command and every address of the program is checked: it has a counterpart in the list below, or is listed as one
without a counterpart.
"""

from __future__ import annotations

from typing import Final

import pytest

from cardroom.cli.shared import command_permissions as commands
from cardroom.room.user.permissions import PERMISSIONS, Permission
from cardroom.web.middleware import permissions as web
from cardroom.web.middleware.permissions import find_route_permission

SAME: Final = {
    "sign-in": ("POST /sign-in",),
    "init": ("POST /first",),
    "user acknowledge-recovery": ("POST /office/users/rosa/acknowledge",),
    "user recover": ("POST /office/players/ann/recover",),
    "user change-role": ("POST /office/users/rosa/role",),
    "user deactivate": ("POST /office/users/rosa/dismiss",),
    "user end-session": ("POST /account/end",),
    "user change-password": ("POST /account/password",),
    "user change-pin": ("POST /account/pin",),
    "user list": ("GET /office/users",),
    "user show": ("GET /office/users/log",),
    "user history": ("GET /office/users/log",),
    "user add": ("POST /office/players/ann/sign-in",),
    "jackpot add": tuple(f"POST /office/jackpots/new{part}" for part in ("", "/check", "/figures")),
    "table add": tuple(f"POST /office/tables/new{part}" for part in ("", "/check", "/edges/prime")),
    "table change": ("POST /office/tables/t/change", "POST /office/tables/t/change/sign"),
    "table compare": ("GET /office/tables/t/change",),
    "table move": ("POST /office/tabulators/t/move",),
    "table remove": ("POST /office/tables/t/remove", "POST /office/tabulators/t/remove"),
    "table link": ("POST /office/tabulators/t/link",),
    "table unlink": ("POST /office/tabulators/t/unlink",),
    "jackpot change": (
        "POST /office/jackpots/j/change/main",
        "POST /office/jackpots/j/take-back/main",
        "POST /office/jackpots/j/bonus/main",
    ),
    "jackpot remove": ("POST /office/jackpots/j/remove",),
    "tabulator press": ("POST /dealer/t/step",),
    "rounds void": ("POST /dealer/t/void", "POST /office/tables/t/void"),
    "tabulator fault": ("POST /dealer/t/broken",),
    "tabulator clear-fault": ("POST /dealer/t/repaired",),
    "tabulator report-lights": ("POST /dealer/t/lights",),
    "claim add": ("POST /dealer/t/claim",),
    "claim pay": ("POST /office/jackpots/j/pay/c",),
    "claim refuse": ("POST /office/jackpots/j/refuse/c",),
    "claim print-slip": ("GET /office/jackpots/j/slip/c",),
    "jackpot adjust": tuple(
        f"POST /office/jackpots/j/{action}"
        for action in ("add-seed", "recover-seed", "correct", "to-the-cap", "not-displayed")
    ),
    "jackpot deposit": ("POST /office/jackpots/j/deposit",),
    "jackpot reconcile": ("POST /office/jackpots/j/reconcile",),
    "jackpot reimburse": ("POST /office/jackpots/j/reimburse",),
    "jackpot disable": ("POST /office/jackpots/j/disable",),
    "jackpot enable": ("POST /office/jackpots/j/enable",),
    "jackpot list": ("GET /office/jackpots",),
    "jackpot show": ("GET /office/jackpots/j", "GET /office/jackpots/j/claim/c"),
    "display show": ("GET /displays", "GET /displays/t", "GET /displays/t/monitor"),
    "malfunction report": ("POST /office/malfunctions/new",),
    "malfunction mark-sent": ("POST /office/malfunctions/7/sent",),
    "malfunction close": ("POST /office/malfunctions/7/close",),
    "malfunction list": ("GET /office/malfunctions",),
    "promotion add": ("POST /office/promotions/new", "POST /office/promotions/new/check"),
    "promotion pay": ("POST /office/promotions/p/pay",),
    "promotion end": ("POST /office/promotions/p/end",),
    "promotion list": ("GET /office/promotions",),
    "report history": ("GET /office/reports/history", "GET /office/reports"),
    "report master-games": ("GET /office/downloads/report/master.csv",),
    "rounds list": ("GET /office/rounds",),
    "player list": ("GET /office/players",),
    "player show": ("GET /office/players/ann",),
    "player add": ("POST /office/admit",),
    "player pay-in": ("POST /office/players/ann/pay-in",),
    "player pay-out": ("POST /office/players/ann/pay-out",),
    "room configure": ("POST /office/room/change",),
    "room show": ("GET /office/room",),
    "day open": ("POST /office/day/open",),
    "day close": ("POST /office/day/close",),
    "day show": ("GET /office",),
    "heads prove": ("GET /office/ledger/room", "GET /office/ledger/user:rosa"),
    "table pause": ("POST /office/tables/t/pause",),
    "table resume": ("POST /office/tables/t/resume",),
    "table list": ("GET /",),
    "table show": ("GET /dealer/t", "GET /dealer", "GET /dealer/t/equipment"),
    "device add": ("POST /office/devices/new",),
    "device renew": ("POST /office/devices/d/renew",),
    "device remove": ("POST /office/devices/d/withdraw",),
    "device list": ("GET /office/devices",),
    "device accept-gap": ("POST /office/devices/d/accept-gap",),
    "device accept-rounds": ("POST /office/devices/d/accept-rounds",),
    "device refuse-rounds": ("POST /office/devices/d/refuse-rounds",),
    "games": ("GET /rules", "GET /rules/war"),
    "odds": ("GET /lab", "GET /lab/war"),
}
"""Each command with every address that does or shows the same."""

OTHER_USERS: Final = {
    "user add": "POST /office/users/new",
    "user recover": "POST /office/users/rosa/recover",
    "user end-session": "POST /office/users/rosa/end-session",
}
"""Commands that need another permission when they are about another user, and the address that does that."""

NO_PAGE: Final = {
    *("paytables", "settle", "play", "strategy", "simulate", "par", "rng stream", "rng test", "rng check-seal"),
    *(
        "tablebase build",
        "tablebase check",
        "dependency export",
        "dependency list",
        "serve",
        "sign-out",
        "whoami",
        "jackpot print-example",
    ),
    *("user recover-operator", "room confirm-clock", "heads replace-key", "restore", "backup"),  # at the machine
    *("key show", "key rotate", "key backup", "key replace"),  # at the machine
    *("tabulator count-by-hand", "tabulator read", "reading reverse"),
    *("data-logger press", "data-logger status", "data-logger forward"),
    *("prize reverse", "jackpot history", "tabulator history", "heads print", "heads verify-file", "day report"),
    *("report meters", "report deposits", "report reconciliation", "report events"),
    *("report activity", "rounds show", "rounds settle", "table history", "rounds export"),
    *("player history", "room print-example", "room history", "device simulate", "device watch"),
    *("heads export", "heads verify", "heads check-proof", "heads show-key", "witness serve"),
    # A page keeps the result, so only some roles start a verification there.
    "verify",
}
"""Commands without a page."""

NO_COMMAND: Final = {
    *("/static/{digest}/{name:path}", "/healthz", "/tables/{table}", "/tables/{table}/check", "/rounds/{id}"),
    *("/rounds/{id}/{what:path}", "/me", "/live", "/sign-out", "/lock", "/unlock", "/account"),
    *("/office/ledger", "/office/downloads/ledger.{suffix}"),
    *("/office/verify", "/office/verify/{what}", "/office/tables", "/office/tables/{table}"),
    *("/office/tabulators/{table}", "/office/{page:path}"),
}
"""Addresses without a command. The calls of programs and devices are not listed: they do the same."""


def permission_at(call: str) -> Permission:
    method, _, path = call.partition(" ")
    route = find_route_permission(method, path)
    assert route is not None, call
    assert route.permission is not None, call
    return route.permission


@pytest.mark.parametrize("command", SAME)
def test_a_command_and_its_pages_are_for_the_same_roles(command: str) -> None:
    allowed = PERMISSIONS[commands.permission_for(command)]
    assert {call: PERMISSIONS[permission_at(call)] for call in SAME[command]} == dict.fromkeys(SAME[command], allowed)


@pytest.mark.parametrize("command", OTHER_USERS)
def test_what_concerns_another_user_takes_the_same_permission_everywhere(command: str) -> None:
    assert permission_at(OTHER_USERS[command]) is Permission.KEEP_PEOPLE


def test_every_command_has_its_pages_or_is_listed_as_one_without() -> None:
    assert not SAME.keys() & NO_PAGE
    assert set(commands.COMMAND_PERMISSIONS) == SAME.keys() | NO_PAGE


def test_every_address_has_its_command_or_is_listed_as_one_without() -> None:
    calls = [call.partition(" ")[::2] for each in SAME.values() for call in each]
    calls += [call.partition(" ")[::2] for call in OTHER_USERS.values()]
    found = {route.path for method, path in calls if (route := find_route_permission(method, path)) is not None}
    pages = {route.path for route in web.ROUTE_PERMISSIONS if not route.path.startswith(web.API)}
    assert not found & NO_COMMAND
    assert found | NO_COMMAND == pages


def test_a_console_needs_the_permissions_of_its_page() -> None:
    from cardroom.web.devices.auth import DEAL, VIEW, VOID

    assert VIEW is permission_at("GET /dealer/t")
    assert DEAL is permission_at("POST /dealer/t/begin")
    assert VOID is permission_at("POST /dealer/t/void")
