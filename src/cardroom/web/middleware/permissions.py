"""Every address of the card room, and the right that it takes: who has which right stands in one table of the floor.

An address that stands nowhere here is shut for everybody. The first line that fits counts, so that a line for one deed
stands before the line for all others at the same place.

Who calls: somebody who is signed in, a guest, or nobody in particular. The porter finds it out once for a call.

Cookies: what they are called, and how they are sent. Over a secure line a browser sends them nowhere else, and
nobody else can have set them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.routing import compile_path
from starlette.types import Scope

from cardroom.room.user.permissions import Permission, Role, has_permission
from cardroom.room.user.permissions import Permission as May
from cardroom.room.user.sign_in import UserSession


class RoutePermission(NamedTuple):
    """An address, and what it takes to pass."""

    path: str
    permission: May | None
    """None where a device passes with a token of its own, and people never do."""
    methods: str = "GET POST DELETE"


API: Final = "/api/v1"
DEVICES: Final = None

ROUTE_PERMISSIONS: Final[tuple[RoutePermission, ...]] = (
    # For everybody.
    RoutePermission("/static/{digest}/{name:path}", May.WATCH),
    RoutePermission("/healthz", May.WATCH),
    RoutePermission("/", May.WATCH),
    RoutePermission("/tables/{table}", May.WATCH),
    RoutePermission("/tables/{table}/check", May.WATCH),
    RoutePermission("/rounds/{id}", May.WATCH),
    RoutePermission("/rounds/{id}/{what:path}", May.WATCH),
    RoutePermission("/me", May.WATCH),
    RoutePermission("/rules", May.WATCH),
    RoutePermission("/rules/{slug}", May.WATCH),
    RoutePermission("/lab", May.WATCH),
    RoutePermission("/lab/{page:path}", May.WATCH),
    RoutePermission("/displays", May.WATCH),
    RoutePermission("/displays/{table}", May.WATCH),
    RoutePermission("/displays/{table}/{kind}", May.WATCH),
    RoutePermission("/live", May.WATCH),  # the page that it keeps true has a door of its own
    # Coming in, and one's own account.
    RoutePermission("/first", May.SIGN_IN),
    RoutePermission("/sign-in", May.SIGN_IN),
    RoutePermission("/sign-out", May.OWN_ACCOUNT),
    RoutePermission("/lock", May.OWN_ACCOUNT),
    RoutePermission("/unlock", May.OWN_ACCOUNT),
    RoutePermission("/account", May.OWN_ACCOUNT),
    RoutePermission("/account/{what}", May.OWN_ACCOUNT),
    # The dealer's console.
    RoutePermission("/dealer", May.SEE_CONSOLES),
    RoutePermission("/dealer/{table}", May.SEE_CONSOLES),
    RoutePermission("/dealer/{table}/{sheet:path}", May.SEE_CONSOLES, "GET"),
    RoutePermission("/dealer/{table}/void", May.VOID_ROUNDS, "POST"),
    RoutePermission("/dealer/{table}/broken", May.DECLARE_FAULTS, "POST"),
    RoutePermission("/dealer/{table}/repaired", May.DECLARE_FAULTS, "POST"),
    RoutePermission("/dealer/{table}/lights", May.DECLARE_FAULTS, "POST"),
    RoutePermission("/dealer/{table}/{action_name:path}", May.DEAL, "POST"),
    # The office: what is done there, chapter by chapter, before what is looked at.
    RoutePermission("/office", May.SEE_OFFICE),
    RoutePermission("/office/day/{action_name}", May.RUN_DAYS),
    RoutePermission("/office/ledger", May.SEE_BOOKS),
    RoutePermission("/office/ledger/{chain:path}", May.SEE_BOOKS),
    RoutePermission("/office/downloads/ledger.{suffix}", May.SEE_BOOKS),
    RoutePermission("/office/downloads/report/{slug}.{suffix}", May.SEE_REPORTS),
    RoutePermission("/office/reports", May.SEE_REPORTS),
    RoutePermission("/office/reports/{slug}", May.SEE_REPORTS),
    RoutePermission("/office/verify", May.VERIFY),
    RoutePermission("/office/verify/{what}", May.VERIFY),
    RoutePermission("/office/rounds", May.SEE_ROUNDS),
    RoutePermission("/office/jackpots", May.SEE_OFFICE),
    RoutePermission("/office/jackpots/new", May.OPEN_JACKPOTS),
    RoutePermission("/office/jackpots/new/check", May.OPEN_JACKPOTS, "POST"),
    RoutePermission("/office/jackpots/new/figures", May.OPEN_JACKPOTS, "POST"),
    RoutePermission("/office/jackpots/{jackpot}", May.SEE_OFFICE),
    RoutePermission("/office/jackpots/{jackpot}/claim/{claim:path}", May.SEE_OFFICE),
    RoutePermission("/office/jackpots/{jackpot}/slip/{claim:path}", May.SEE_OFFICE),
    RoutePermission("/office/jackpots/{jackpot}/pay/{claim:path}", May.PAY_JACKPOTS),
    RoutePermission("/office/jackpots/{jackpot}/refuse/{claim:path}", May.PAY_JACKPOTS),
    RoutePermission("/office/jackpots/{jackpot}/change/{level}", May.SET_RATES),
    RoutePermission("/office/jackpots/{jackpot}/take-back/{level}", May.SET_RATES),
    RoutePermission("/office/jackpots/{jackpot}/bonus/{of}", May.SET_RATES),
    RoutePermission("/office/jackpots/{jackpot}/deposit", May.KEEP_CUSTODY),
    RoutePermission("/office/jackpots/{jackpot}/reconcile", May.RECONCILE),
    RoutePermission("/office/jackpots/{jackpot}/reimburse", May.REIMBURSE_CAGE),
    RoutePermission("/office/jackpots/{jackpot}/disable", May.SWITCH_JACKPOTS),
    RoutePermission("/office/jackpots/{jackpot}/enable", May.SWITCH_JACKPOTS),
    RoutePermission("/office/jackpots/{jackpot}/remove", May.SET_RATES),
    RoutePermission("/office/jackpots/{jackpot}/{action_name}", May.ADJUST_METERS),
    RoutePermission("/office/malfunctions", May.SEE_OFFICE),
    RoutePermission("/office/malfunctions/new", May.REPORT_MALFUNCTIONS),
    RoutePermission("/office/malfunctions/{number}/{action_name}", May.REPORT_MALFUNCTIONS),
    RoutePermission("/office/tables", May.SEE_OFFICE),
    RoutePermission("/office/tables/new", May.SET_UP_TABLES),
    RoutePermission("/office/tables/new/check", May.SET_UP_TABLES, "POST"),
    RoutePermission("/office/tables/new/edges/{wager}", May.SET_UP_TABLES, "POST"),
    RoutePermission("/office/tables/{table}", May.SEE_OFFICE),
    RoutePermission("/office/tables/{table}/call-off", May.VOID_ROUNDS),
    RoutePermission("/office/tables/{table}/{action_name}", May.RUN_TABLES),
    RoutePermission("/office/tabulators/{table}", May.SEE_OFFICE),
    RoutePermission("/office/tabulators/{table}/{action_name}", May.SET_UP_TABLES),
    RoutePermission("/office/admit", May.ADMIT_PLAYERS),
    RoutePermission("/office/players", May.SEE_PLAYERS),
    RoutePermission("/office/players/{player}", May.SEE_PLAYERS),
    RoutePermission("/office/players/{player}/sign-in", May.KEEP_PLAYERS_LOGINS),
    RoutePermission("/office/players/{player}/recover", May.KEEP_PLAYERS_LOGINS),
    RoutePermission("/office/players/{player}/{action_name}", May.PAY_PLAYERS),
    RoutePermission("/office/promotions", May.SEE_OFFICE),
    RoutePermission("/office/promotions/new", May.ANNOUNCE_PROMOTIONS),
    RoutePermission("/office/promotions/new/check", May.ANNOUNCE_PROMOTIONS, "POST"),
    RoutePermission("/office/promotions/{promotion}/pay", May.PAY_PROMOTIONS),
    RoutePermission("/office/promotions/{promotion}/{action_name}", May.ANNOUNCE_PROMOTIONS),
    RoutePermission("/office/devices", May.SEE_OFFICE),
    RoutePermission("/office/devices/{device}/accept-gap", May.ACCEPT_GAPS),
    RoutePermission("/office/devices/{device}/accept-rounds", May.ACCEPT_GAPS),
    RoutePermission("/office/devices/{device}/refuse-rounds", May.ACCEPT_GAPS),
    RoutePermission("/office/devices/{what:path}", May.KEEP_DEVICES),
    RoutePermission("/office/people", May.SEE_SIGN_INS),
    RoutePermission("/office/people/log", May.SEE_SIGN_INS),
    RoutePermission("/office/people/{login}/acknowledge", May.ACKNOWLEDGE_RECOVERIES),
    RoutePermission("/office/people/{what:path}", May.KEEP_PEOPLE),
    RoutePermission("/office/room", May.SEE_OFFICE),
    RoutePermission("/office/room/change", May.SET_UP_ROOM),
    RoutePermission("/office/{page:path}", May.SEE_OFFICE, "GET"),
    # Programs.
    RoutePermission(f"{API}/openapi.json", May.WATCH),
    RoutePermission(f"{API}/guests", May.SIGN_IN),
    RoutePermission(f"{API}/sessions", May.SIGN_IN, "POST"),
    RoutePermission(f"{API}/sessions", May.OWN_ACCOUNT, "DELETE"),
    RoutePermission(f"{API}/sessions/unlock", May.OWN_ACCOUNT),
    RoutePermission(f"{API}/players/me", May.PLAY),
    RoutePermission(f"{API}/players/me/rounds", May.PLAY),
    RoutePermission(f"{API}/rounds/{{round}}", May.WATCH),
    RoutePermission(f"{API}/tables", May.WATCH, "GET"),
    RoutePermission(f"{API}/tables", May.PLAY, "POST"),
    RoutePermission(f"{API}/tables/{{table}}", May.WATCH),
    RoutePermission(f"{API}/tables/{{table}}/stream", May.WATCH),
    RoutePermission(f"{API}/tables/{{table}}/advice", May.PLAY),
    RoutePermission(f"{API}/tables/{{table}}/seat", May.PLAY),
    RoutePermission(f"{API}/tables/{{table}}/wagers", May.PLAY),
    RoutePermission(f"{API}/tables/{{table}}/decisions", May.PLAY),
    RoutePermission(f"{API}/devices/{{call:path}}", DEVICES),
)


def _first_segment(path: str) -> str:
    return path.split("/", 2)[1]


_PATTERNS: Final = [(_first_segment(route.path), compile_path(route.path)[0], route) for route in ROUTE_PERMISSIONS]


@lru_cache(maxsize=1 << 14)
def find_route_permission(method: str, path: str) -> RoutePermission | None:
    """The door of an address; None where there is none.

    >>> (find_route_permission("POST", "/dealer/prime-1/void").permission,
    ... find_route_permission("GET", "/dealer/prime-1/void").permission)
    (<Permission.VOID_ROUNDS: 'void a round'>, <Permission.SEE_CONSOLES: "look at dealers' consoles">)
    >>> find_route_permission("GET", "/elsewhere") is None
    True
    """
    wanted_method, first = ("GET" if method == "HEAD" else method), _first_segment(path) if path.startswith("/") else ""
    for beginning, pattern, route_permission in _PATTERNS:
        if beginning == first and wanted_method in route_permission.methods.split() and pattern.fullmatch(path):
            return route_permission
    return None


_PLACE: Final = "cardroom.caller"
_PERMISSION: Final = "cardroom.permission"


class SignInStep(NamedTuple):
    """What a person does before the session is good for anything else."""

    page: str
    sentence: str
    link: str
    """To the page, on all others."""


UNLOCK: Final = SignInStep("/unlock", "This device is locked: unlock it first.", "Unlock")
CHOOSE: Final = SignInStep(
    "/account/password",
    "Choose a password of your own first: the one that you have is for one time.",
    "Choose a password",
)


class RequestCaller(NamedTuple):
    """Somebody at the door. A browser may have a guest's cookie beside the session of somebody of the staff: then it
    plays as the guest, and works as the other."""

    session: UserSession | None = None
    token: str = ""
    """Of the session."""
    last_active: str = ""
    """The cookie that tells when the person was last active."""
    has_players_token: bool = False
    """Whether a token came along that says to be a guest's; the calls that need it look whether it is one."""

    @property
    def login(self) -> str:
        """Under which the books have what the person does; empty for nobody."""
        return self.session.login if self.session else ""

    @property
    def sign_in_step(self) -> SignInStep | None:
        """What comes before anything else: a session that is locked shows and does nothing until it is unlocked, one
        that began with a password for one time until another is chosen. None where nothing does."""
        if self.session is None:
            return None
        return UNLOCK if self.session.locked else CHOOSE if self.session.must_change_password else None

    @property
    def player(self) -> str | None:
        """The player who is signed in, and may play."""
        session = self.session
        plays = session is not None and session.role is Role.PLAYER and self.sign_in_step is None
        return session.login if session is not None and plays else None

    def may(self, permission: Permission) -> bool:
        """Whether the caller may do something, as far as roles say."""
        if self.sign_in_step is not None:
            return has_permission(None, permission)
        if (
            self.has_players_token
            and has_permission(Role.PLAYER, permission)
            and permission is not Permission.OWN_ACCOUNT
        ):
            return True
        return has_permission(self.session.role if self.session is not None else None, permission)

    def may_open(self, address: str, method: str = "GET") -> bool:
        """Whether the door of an address lets the caller pass: what leads elsewhere is not offered."""
        route_permission = find_route_permission(method, address.partition("#")[0].partition("?")[0])
        return (
            route_permission is not None
            and route_permission.permission is not None
            and self.may(route_permission.permission)
        )


ANONYMOUS: Final = RequestCaller()


def get_caller(connection: HTTPConnection) -> RequestCaller:
    """Who calls, as the porter has found it."""
    caller: RequestCaller = connection.scope.get(_PLACE, ANONYMOUS)
    return caller


def store_caller(scope: Scope, caller: RequestCaller, permission: Permission) -> None:
    scope[_PLACE], scope[_PERMISSION] = caller, permission


def get_permission(connection: HTTPConnection) -> Permission:
    """The right that the address takes."""
    right: Permission = connection.scope[_PERMISSION]
    return right


def require_session(connection: HTTPConnection) -> UserSession:
    """The person who is signed in, where the door has let nobody else pass."""
    session = get_caller(connection).session
    assert session is not None
    return session


SESSION_COOKIE: Final = "cardroom_session"
ACTIVITY_COOKIE: Final = "cardroom_seen"


def cookie_name(name: str, secure: bool) -> str:
    """
    >>> cookie_name("cardroom_session", True)
    '__Host-cardroom_session'
    """
    return f"__Host-{name}" if secure else name


def set_cookie(response: Response, name: str, value: str, secure: bool) -> None:
    """A cookie that no script reads and no other page's call carries."""
    response.set_cookie(cookie_name(name, secure), value, path="/", httponly=True, samesite="strict", secure=secure)


def delete_cookie(response: Response, name: str, secure: bool) -> None:
    response.delete_cookie(cookie_name(name, secure), path="/", httponly=True, samesite="strict", secure=secure)
