"""Every address of the card room, and the right that it takes: who has which right stands in one table of the floor.

An address that stands nowhere here is shut for everybody. The first line that fits counts, so that a line for one deed
stands before the line for all others at the same place.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from starlette.routing import compile_path

from cardroom.floor.people.permissions import Right as May


class Door(NamedTuple):
    """An address, and what it takes to pass."""

    path: str
    right: May | None
    """None where a device passes with a token of its own, and people never do."""
    methods: str = "GET POST DELETE"


API: Final = "/api/v1"
DEVICES: Final = None

DOORS: Final[tuple[Door, ...]] = (
    # For everybody.
    Door("/static/{digest}/{name:path}", May.LOOK_ON),
    Door("/healthz", May.LOOK_ON),
    Door("/", May.LOOK_ON),
    Door("/tables/{table}", May.LOOK_ON),
    Door("/tables/{table}/check", May.LOOK_ON),
    Door("/rounds/{id}", May.LOOK_ON),
    Door("/rounds/{id}/{what:path}", May.LOOK_ON),
    Door("/me", May.LOOK_ON),
    Door("/rules", May.LOOK_ON),
    Door("/rules/{slug}", May.LOOK_ON),
    Door("/lab", May.LOOK_ON),
    Door("/lab/{page:path}", May.LOOK_ON),
    Door("/displays", May.LOOK_ON),
    Door("/displays/{table}", May.LOOK_ON),
    Door("/displays/{table}/{kind}", May.LOOK_ON),
    Door("/live", May.LOOK_ON),  # the page that it keeps true has a door of its own
    # Coming in, and one's own account.
    Door("/first", May.COME_IN),
    Door("/sign-in", May.COME_IN),
    Door("/sign-out", May.OWN_ACCOUNT),
    Door("/lock", May.OWN_ACCOUNT),
    Door("/unlock", May.OWN_ACCOUNT),
    Door("/account", May.OWN_ACCOUNT),
    Door("/account/{what}", May.OWN_ACCOUNT),
    # The dealer's console.
    Door("/dealer", May.SEE_CONSOLES),
    Door("/dealer/{table}", May.SEE_CONSOLES),
    Door("/dealer/{table}/{sheet:path}", May.SEE_CONSOLES, "GET"),
    Door("/dealer/{table}/void", May.VOID_ROUNDS, "POST"),
    Door("/dealer/{table}/broken", May.DECLARE_FAULTS, "POST"),
    Door("/dealer/{table}/repaired", May.DECLARE_FAULTS, "POST"),
    Door("/dealer/{table}/lights", May.DECLARE_FAULTS, "POST"),
    Door("/dealer/{table}/{deed:path}", May.DEAL, "POST"),
    # The office: what is done there, chapter by chapter, before what is looked at.
    Door("/office", May.SEE_OFFICE),
    Door("/office/day/{deed}", May.RUN_DAYS),
    Door("/office/ledger", May.SEE_BOOKS),
    Door("/office/ledger/{chain:path}", May.SEE_BOOKS),
    Door("/office/downloads/ledger.{suffix}", May.SEE_BOOKS),
    Door("/office/downloads/report/{slug}.{suffix}", May.SEE_REPORTS),
    Door("/office/reports", May.SEE_REPORTS),
    Door("/office/reports/{slug}", May.SEE_REPORTS),
    Door("/office/verify", May.VERIFY),
    Door("/office/verify/{what}", May.VERIFY),
    Door("/office/rounds", May.SEE_ROUNDS),
    Door("/office/jackpots", May.SEE_OFFICE),
    Door("/office/jackpots/new", May.OPEN_JACKPOTS),
    Door("/office/jackpots/new/check", May.OPEN_JACKPOTS, "POST"),
    Door("/office/jackpots/new/figures", May.OPEN_JACKPOTS, "POST"),
    Door("/office/jackpots/{jackpot}", May.SEE_OFFICE),
    Door("/office/jackpots/{jackpot}/claim/{claim:path}", May.SEE_OFFICE),
    Door("/office/jackpots/{jackpot}/slip/{claim:path}", May.SEE_OFFICE),
    Door("/office/jackpots/{jackpot}/pay/{claim:path}", May.PAY_JACKPOTS),
    Door("/office/jackpots/{jackpot}/refuse/{claim:path}", May.PAY_JACKPOTS),
    Door("/office/jackpots/{jackpot}/change/{level}", May.SET_RATES),
    Door("/office/jackpots/{jackpot}/take-back/{level}", May.SET_RATES),
    Door("/office/jackpots/{jackpot}/bonus/{of}", May.SET_RATES),
    Door("/office/jackpots/{jackpot}/deposit", May.KEEP_CUSTODY),
    Door("/office/jackpots/{jackpot}/reconcile", May.RECONCILE),
    Door("/office/jackpots/{jackpot}/reimburse", May.REIMBURSE_CAGE),
    Door("/office/jackpots/{jackpot}/disable", May.SWITCH_JACKPOTS),
    Door("/office/jackpots/{jackpot}/enable", May.SWITCH_JACKPOTS),
    Door("/office/jackpots/{jackpot}/remove", May.SET_RATES),
    Door("/office/jackpots/{jackpot}/{deed}", May.ADJUST_METERS),
    Door("/office/malfunctions", May.SEE_OFFICE),
    Door("/office/malfunctions/new", May.REPORT_MALFUNCTIONS),
    Door("/office/malfunctions/{number}/{deed}", May.REPORT_MALFUNCTIONS),
    Door("/office/tables", May.SEE_OFFICE),
    Door("/office/tables/new", May.SET_UP_TABLES),
    Door("/office/tables/new/check", May.SET_UP_TABLES, "POST"),
    Door("/office/tables/new/edges/{wager}", May.SET_UP_TABLES, "POST"),
    Door("/office/tables/{table}", May.SEE_OFFICE),
    Door("/office/tables/{table}/call-off", May.VOID_ROUNDS),
    Door("/office/tables/{table}/{deed}", May.RUN_TABLES),
    Door("/office/tabulators/{table}", May.SEE_OFFICE),
    Door("/office/tabulators/{table}/{deed}", May.SET_UP_TABLES),
    Door("/office/admit", May.ADMIT_PLAYERS),
    Door("/office/players", May.SEE_PLAYERS),
    Door("/office/players/{player}", May.SEE_PLAYERS),
    Door("/office/players/{player}/sign-in", May.KEEP_PLAYERS_LOGINS),
    Door("/office/players/{player}/recover", May.KEEP_PLAYERS_LOGINS),
    Door("/office/players/{player}/{deed}", May.PAY_PLAYERS),
    Door("/office/promotions", May.SEE_OFFICE),
    Door("/office/promotions/new", May.ANNOUNCE_PROMOTIONS),
    Door("/office/promotions/new/check", May.ANNOUNCE_PROMOTIONS, "POST"),
    Door("/office/promotions/{promotion}/pay", May.PAY_PROMOTIONS),
    Door("/office/promotions/{promotion}/{deed}", May.ANNOUNCE_PROMOTIONS),
    Door("/office/devices", May.SEE_OFFICE),
    Door("/office/devices/{device}/accept-gap", May.ACCEPT_GAPS),
    Door("/office/devices/{device}/accept-rounds", May.ACCEPT_GAPS),
    Door("/office/devices/{device}/refuse-rounds", May.ACCEPT_GAPS),
    Door("/office/devices/{what:path}", May.KEEP_DEVICES),
    Door("/office/people", May.SEE_SIGN_INS),
    Door("/office/people/log", May.SEE_SIGN_INS),
    Door("/office/people/{login}/acknowledge", May.ACKNOWLEDGE_RECOVERIES),
    Door("/office/people/{what:path}", May.KEEP_PEOPLE),
    Door("/office/room", May.SEE_OFFICE),
    Door("/office/room/change", May.SET_UP_ROOM),
    Door("/office/{page:path}", May.SEE_OFFICE, "GET"),
    # Programs.
    Door(f"{API}/openapi.json", May.LOOK_ON),
    Door(f"{API}/guests", May.COME_IN),
    Door(f"{API}/sessions", May.COME_IN, "POST"),
    Door(f"{API}/sessions", May.OWN_ACCOUNT, "DELETE"),
    Door(f"{API}/sessions/unlock", May.OWN_ACCOUNT),
    Door(f"{API}/players/me", May.PLAY),
    Door(f"{API}/players/me/rounds", May.PLAY),
    Door(f"{API}/rounds/{{round}}", May.LOOK_ON),
    Door(f"{API}/tables", May.LOOK_ON, "GET"),
    Door(f"{API}/tables", May.PLAY, "POST"),
    Door(f"{API}/tables/{{table}}", May.LOOK_ON),
    Door(f"{API}/tables/{{table}}/stream", May.LOOK_ON),
    Door(f"{API}/tables/{{table}}/advice", May.PLAY),
    Door(f"{API}/tables/{{table}}/seat", May.PLAY),
    Door(f"{API}/tables/{{table}}/wagers", May.PLAY),
    Door(f"{API}/tables/{{table}}/decisions", May.PLAY),
    Door(f"{API}/devices/{{call:path}}", DEVICES),
)


def _first(path: str) -> str:
    return path.split("/", 2)[1]


_PATTERNS: Final = [(_first(one.path), compile_path(one.path)[0], one) for one in DOORS]


@lru_cache(maxsize=1 << 14)
def door_at(method: str, path: str) -> Door | None:
    """The door of an address; None where there is none.

    >>> door_at("POST", "/dealer/prime-1/void").right, door_at("GET", "/dealer/prime-1/void").right
    (<Right.VOID_ROUNDS: 'void a round'>, <Right.SEE_CONSOLES: "look at dealers' consoles">)
    >>> door_at("GET", "/elsewhere") is None
    True
    """
    asked, first = ("GET" if method == "HEAD" else method), _first(path) if path.startswith("/") else ""
    for beginning, pattern, door in _PATTERNS:
        if beginning == first and asked in door.methods.split() and pattern.fullmatch(path):
            return door
    return None
