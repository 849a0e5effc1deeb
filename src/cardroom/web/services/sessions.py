"""Guest tokens, cached sessions, and the known addresses of users.

A guest's token is ``player.generation.proof``. It is not stored: with the card room's secret, a server can create and
check it without the database.

>>> tokens = GuestTokens(bytes(32))
>>> token = tokens.issue("guest-1")
>>> tokens.holder(token), tokens.holder(token[:-1] + "?"), tokens.holder("guest-1")
('guest-1', None, None)

A session is read from the ledger at most once a second, and locked when its device is idle. The time of the last
activity is in a signed cookie, so that any server knows it, and in memory. A locked session is locked in the ledger,
whatever the cookie says.

Sign-ins from known addresses have their own queue. The server reads those addresses every few seconds from the chains
of users that have changed, so no sign-in waits for it."""

from __future__ import annotations

import asyncio
import hmac
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from typing import Final, NamedTuple

from cardroom.ledger import Clock, LedgerDamaged, LedgerUnavailable
from cardroom.room.user.sign_in import UserSession, login_of_token, session_digest
from cardroom.room.user.state import is_at_machine
from cardroom.service import CardRoom
from cardroom.service.chains.names import parse_user_chain, user_chain
from cardroom.web.services.executors import Executors

GENERATION: Final = 1
"""Tokens of older generations are refused."""
MAX_TOKEN_LENGTH: Final = 200
GUEST_PREFIX: Final = "guest-"
MAX_CACHED_TOKENS: Final = 10_000
_TOKEN_LABEL: Final = b"cardroom player's token"


class GuestTokens:
    """Creates and checks tokens with the card room's secret."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._holders: dict[str, str] = {}
        """Recently verified tokens. Invalid tokens are computed every time."""

    def issue(self, player: str) -> str:
        """The token of a player; always the same one."""
        return f"{player}.{GENERATION}.{self._proof(player)}"

    def holder(self, token: str) -> str | None:
        """The guest of a token; None for an invalid token."""
        cached = self._holders.get(token)
        player = token.split(".", 1)[0]
        if cached is not None or len(token) > MAX_TOKEN_LENGTH or not player.startswith(GUEST_PREFIX):
            return cached
        # Compare in constant time, so that timing reveals nothing about the right proof.
        if not hmac.compare_digest(self.issue(player).encode(), token.encode(errors="replace")):
            return None
        if len(self._holders) >= MAX_CACHED_TOKENS:
            self._holders.clear()
        self._holders[token] = player
        return player

    def _proof(self, player: str) -> str:
        message = b"\x00".join((_TOKEN_LABEL, player.encode(errors="replace"), str(GENERATION).encode()))
        return urlsafe_b64encode(hmac.digest(self._secret, message, "sha256")).rstrip(b"=").decode()


SECOND: Final = 1_000_000
CACHE_SECONDS: Final = SECOND
"""How long a cached session is used. A session that ended at another server is refused after that."""
COOKIE_SECONDS: Final = 15 * SECOND
IDLE_REASON: Final = "the device was idle"
_MAX_SESSIONS: Final = 10_000
_READ_ATTEMPTS: Final = 3
_ACTIVITY_LABEL: Final = b"cardroom last active"
_FORM: Final = b"cardroom form"


class _CachedSession(NamedTuple):
    session: UserSession
    read_at: int


class SessionCache:
    """The sessions that this server has read."""

    def __init__(self, card_room: CardRoom, executors: Executors, clock: Clock) -> None:
        self._card_room, self._executors, self._clock, self._secret = (
            card_room,
            executors,
            clock,
            card_room.get_room_secret(),
        )
        self._sessions: dict[str, _CachedSession] = {}
        self._active: dict[str, int] = {}
        self._changes = 0
        """The number of changes of users since the start."""

    async def find(
        self, token: str, cookie: str = "", *, active: bool = False, locks: bool = True, by_program: bool = False
    ) -> UserSession | None:
        """The session of a token. ``cookie`` has the time of the last activity; ``active`` marks a request as activity
        of the user, and ``locks`` locks an idle session. A program has no cookies, so its first request counts as
        activity."""
        if login_of_token(token) is None:
            return None
        digest, now = session_digest(token, self._secret), self._clock()
        cached = self._sessions.get(digest)
        if cached is None or now - cached.read_at > CACHE_SECONDS or now < cached.read_at:
            session = await self._read_session(token)
            if session is None:
                self._sessions.pop(digest, None)
                return None
            cached = self._store(digest, _CachedSession(session, now))
        session = cached.session
        if now > session.until:
            return None
        if by_program:
            self._active.setdefault(digest, now)
        if not session.locked and self.is_idle(session, cookie, now):
            session = session._replace(locked=IDLE_REASON)
            if locks:
                await self._executors.execute(self._card_room.users.lock_session, session, IDLE_REASON)
                self._store(digest, _CachedSession(session, now))
        if active and not session.locked:
            self._active[digest] = now
        return session

    async def _read_session(self, token: str) -> UserSession | None:
        """Read a session from the ledger, again if a user changed meanwhile, so that a session that just ended or
        locked is not cached."""
        session = None
        for _ in range(_READ_ATTEMPTS):
            before = self._changes
            session = await self._executors.query(self._card_room.users.find_session, token)
            if self._changes == before:
                break
        return session

    def holder(self, token: str) -> str | None:
        """The login of a cached session, without reading the ledger."""
        if login_of_token(token) is None:
            return None
        cached = self._sessions.get(session_digest(token, self._secret))
        return cached.session.login if cached is not None else None

    def is_idle(self, session: UserSession, cookie: str, now: int) -> bool:
        """Whether the session has been idle longer than its role allows."""
        if not session.role.idle_limit:
            return False
        began = session.until - session.role.session_lifetime
        return (
            now - max(began, self._active.get(session.digest, 0), self._read(session, cookie)) > session.role.idle_limit
        )

    def activity_cookie(self, session: UserSession, before: str) -> str | None:
        """The new activity cookie; None while the old one is recent enough."""
        now = self._clock()
        if not session.role.idle_limit or session.locked or now - self._read(session, before) < COOKIE_SECONDS:
            return None
        return f"{now}.{self._proof(_ACTIVITY_LABEL, session, str(now))}"

    def _read(self, session: UserSession, cookie: str) -> int:
        at, _, proof = cookie.partition(".")
        if not (at.isascii() and at.isdigit()) or len(cookie) > 100:
            return 0
        return int(at) if hmac.compare_digest(proof, self._proof(_ACTIVITY_LABEL, session, at)) else 0

    def form_token(self, session: UserSession) -> str:
        """The token in every form of a session, which other sites cannot know."""
        return self._proof(_FORM, session, "")

    def is_form_token(self, session: UserSession, token: str) -> bool:
        return hmac.compare_digest(token.encode(errors="replace"), self.form_token(session).encode())

    def mark_active(self, session: UserSession) -> None:
        """Record activity after an unlock."""
        self._active[session.digest] = self._clock()
        self.forget(session.login)

    def forget(self, *logins: str) -> None:
        """Drop the cached sessions of changed users."""
        self._changes += 1
        for digest in [digest for digest, cached in self._sessions.items() if cached.session.login in logins]:
            del self._sessions[digest]

    def on_change(self, chains: Collection[str]) -> None:
        """Drop the cached sessions of users whose chains have changed."""
        if logins := [login for chain in chains if (login := parse_user_chain(chain)) is not None]:
            self.forget(*logins)

    def _store(self, digest: str, cached: _CachedSession) -> _CachedSession:
        for cache in (self._sessions, self._active):
            if len(cache) >= _MAX_SESSIONS:
                cache.clear()
        self._sessions[digest] = cached
        return cached

    def _proof(self, label: bytes, session: UserSession, message: str) -> str:
        return hmac.digest(
            self._secret, b"\x00".join((label, session.digest.encode(), message.encode())), "sha256"
        ).hex()


READ_SECONDS: Final = 5.0
"""Seconds between two checks of the chains of users."""


class KnownAddresses:
    """The last addresses of each user's successful sign-ins, as many as the user's state keeps."""

    def __init__(self, card_room: CardRoom, executors: Executors) -> None:
        self._card_room, self._executors = card_room, executors
        self._events_read: dict[str, int] = {}
        """The number of read events of each chain."""
        self._addresses_by_login: dict[str, frozenset[str]] = {}
        self._users_by_address: Counter[str] = Counter()
        """The number of users of each address."""

    def __contains__(self, address: object) -> bool:
        """Whether a user has signed in from an address before, or the address is the machine itself."""
        return isinstance(address, str) and (address in self._users_by_address or is_at_machine(address))

    async def run(self) -> None:
        """Read changes repeatedly. While the ledger cannot be read, the addresses stay."""
        while True:
            with suppress(LedgerUnavailable, LedgerDamaged):
                await self.read()
            await asyncio.sleep(READ_SECONDS)

    async def read(self) -> None:
        """Read the addresses of users whose chains have changed."""
        chains = await self._executors.query(self._card_room.ledger.chain_lengths, user_chain(""))
        for chain, events in chains.items():
            login = parse_user_chain(chain)
            if login is None or self._events_read.get(chain) == events:
                continue
            state = await self._executors.query(self._card_room.user, login)
            self._keep(login, frozenset(address for address, tries in state.attempts.items() if tries.known))
            self._events_read[chain] = events

    def _keep(self, login: str, addresses: frozenset[str]) -> None:
        before = self._addresses_by_login.get(login, frozenset())
        self._addresses_by_login[login] = addresses
        self._users_by_address.update(addresses - before)
        for address in before - addresses:
            self._users_by_address[address] -= 1
            if not self._users_by_address[address]:
                del self._users_by_address[address]
