"""The permission of each route, the caller of a request, and the session cookies.

A route without a permission is refused. The first matching line counts, so the line for one action is before the line
for all others at the same path. The roles of each permission are in ``cardroom.room.user.permissions``.

The authentication middleware identifies the caller once per request: a signed-in user, a guest, or an anonymous caller.
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
    """A path and its permission."""

    path: str
    permission: May | None
    """None for a path that only devices use, with their own tokens."""
    methods: str = "GET POST DELETE"


API: Final = "/api/v1"
DEVICES: Final = None

ROUTE_PERMISSIONS: Final[tuple[RoutePermission, ...]] = (
    # Public.
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
    RoutePermission("/live", May.WATCH),  # the page that it updates has its own permission
    # Signing in, and the user's own account.
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
    # The office: actions before pages, section by section.
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
    RoutePermission("/office/jackpots/{jackpot}/bonus/{line}", May.SET_RATES),
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
    RoutePermission("/office/tables/{table}/void", May.VOID_ROUNDS),
    RoutePermission("/office/tables/{table}/remove", May.SET_UP_TABLES),
    RoutePermission("/office/tables/{table}/change", May.SET_UP_TABLES, "GET"),
    RoutePermission("/office/tables/{table}/change", May.CHANGE_TABLES, "POST"),
    RoutePermission("/office/tables/{table}/change/sign", May.CHANGE_TABLES, "POST"),
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
    RoutePermission("/office/users", May.SEE_SIGN_INS),
    RoutePermission("/office/users/log", May.SEE_SIGN_INS),
    RoutePermission("/office/users/{login}/acknowledge", May.ACKNOWLEDGE_RECOVERIES),
    RoutePermission("/office/users/{what:path}", May.KEEP_PEOPLE),
    RoutePermission("/office/room", May.SEE_OFFICE),
    RoutePermission("/office/room/change", May.SET_UP_ROOM),
    RoutePermission("/office/{page:path}", May.SEE_OFFICE, "GET"),
    # The API.
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
    """The permission of a path; None if none is defined.

    >>> (find_route_permission("POST", "/dealer/prime-1/void").permission,
    ... find_route_permission("GET", "/dealer/prime-1/void").permission)
    (<Permission.VOID_ROUNDS: 'void a round'>, <Permission.SEE_CONSOLES: "see dealers' consoles">)
    >>> find_route_permission("GET", "/elsewhere") is None
    True
    """
    wanted_method, first = ("GET" if method == "HEAD" else method), _first_segment(path) if path.startswith("/") else ""
    for first_segment, pattern, route_permission in _PATTERNS:
        if first_segment == first and wanted_method in route_permission.methods.split() and pattern.fullmatch(path):
            return route_permission
    return None


_CALLER: Final = "cardroom.caller"
_PERMISSION: Final = "cardroom.permission"


class SignInStep(NamedTuple):
    """What the user must do before anything else."""

    page: str
    sentence: str
    link: str
    """The text of the link on other pages."""


UNLOCK: Final = SignInStep("/unlock", "This device is locked. Unlock it first.", "Unlock")
CHOOSE: Final = SignInStep(
    "/account/password",
    "You have a one-time password. Choose your own password first.",
    "Choose a password",
)


class RequestCaller(NamedTuple):
    """The caller of a request. A browser may have a guest's cookie and a staff session: it then plays as the guest and
    works as the staff member."""

    session: UserSession | None = None
    token: str = ""
    """The token of the session."""
    last_active: str = ""
    """The cookie with the time of the last activity."""
    has_players_token: bool = False
    """Whether the request has a token of a guest. The routes that need it check it."""

    @property
    def login(self) -> str:
        """The login in the ledger; empty for an anonymous caller."""
        return self.session.login if self.session else ""

    @property
    def sign_in_step(self) -> SignInStep | None:
        """What the user must do first: unlock a locked session, or replace a one-time password. None if nothing."""
        if self.session is None:
            return None
        return UNLOCK if self.session.locked else CHOOSE if self.session.must_change_password else None

    @property
    def player(self) -> str | None:
        """The signed-in player, if the session can play."""
        session = self.session
        plays = session is not None and session.role is Role.PLAYER and self.sign_in_step is None
        return session.login if session is not None and plays else None

    def may(self, permission: Permission) -> bool:
        """Whether the caller's role has a permission."""
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
        """Whether the caller may open a URL. Pages show no other links."""
        route_permission = find_route_permission(method, address.partition("#")[0].partition("?")[0])
        return (
            route_permission is not None
            and route_permission.permission is not None
            and self.may(route_permission.permission)
        )


ANONYMOUS: Final = RequestCaller()


def get_caller(connection: HTTPConnection) -> RequestCaller:
    """The caller that the authentication middleware identified."""
    caller: RequestCaller = connection.scope.get(_CALLER, ANONYMOUS)
    return caller


def store_caller(scope: Scope, caller: RequestCaller, permission: Permission) -> None:
    scope[_CALLER], scope[_PERMISSION] = caller, permission


def get_permission(connection: HTTPConnection) -> Permission:
    """The permission of the route."""
    permission: Permission = connection.scope[_PERMISSION]
    return permission


def require_session(connection: HTTPConnection) -> UserSession:
    """The session of the caller, on a route that needs one."""
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
    """Set a cookie that scripts cannot read and other sites' requests do not carry."""
    response.set_cookie(cookie_name(name, secure), value, path="/", httponly=True, samesite="strict", secure=secure)


def delete_cookie(response: Response, name: str, secure: bool) -> None:
    response.delete_cookie(cookie_name(name, secure), path="/", httponly=True, samesite="strict", secure=secure)
