"""A guest's token: who it is, and a proof that only the room could have made. Players with a name sign in.

``player.generation.proof``: nothing of it is stored. Whoever has the room's secret can make the same token again, and
tell a false one without asking the books.

>>> tokens = GuestTokens(bytes(32))
>>> token = tokens.issue("guest-1")
>>> tokens.holder(token), tokens.holder(token[:-1] + "?"), tokens.holder("guest-1")
('guest-1', None, None)

Who is signed in, as this server knows it: looked up in the books once a second at most, and locked when nobody has
touched the device for a while.

When somebody was last active stands in a cookie that only the room could have written, so that any server knows it; and
in memory, for those who are here. A session that is locked is locked in the books, whatever a cookie says.

Places at which people have signed in before, as the books know them: their sign-ins have a line of their own.

No sign-in reads the books for it. Every few seconds the server asks which people's chains have grown, and reads those.
"""

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
"""Tokens of an older generation are no longer taken."""
MAX_TOKEN_LENGTH: Final = 200
GUEST_PREFIX: Final = "guest-"
MAX_CACHED_TOKENS: Final = 10_000
_TOKEN_LABEL: Final = b"cardroom player's token"


class GuestTokens:
    """Made and checked under the secret of one room."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._holders: dict[str, str] = {}
        """Of tokens that were found to be right lately; a false one is always worked out anew."""

    def issue(self, player: str) -> str:
        """The token of a player; always the same one."""
        return f"{player}.{GENERATION}.{self._proof(player)}"

    def holder(self, token: str) -> str | None:
        """The guest whose token it is; None for one that the room has not made."""
        cached = self._holders.get(token)
        player = token.split(".", 1)[0]
        if cached is not None or len(token) > MAX_TOKEN_LENGTH or not player.startswith(GUEST_PREFIX):
            return cached
        # Compared whole and in constant time, so that the time of the answer tells nothing of the right proof.
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
"""How long what the books said of a session is taken for true: one that was ended elsewhere is refused after that."""
COOKIE_SECONDS: Final = 15 * SECOND
IDLE_REASON: Final = "nobody touched the device for a while"
_MAX_SESSIONS: Final = 10_000
_READ_ATTEMPTS: Final = 3
_ACTIVITY_LABEL: Final = b"cardroom last active"
_FORM: Final = b"cardroom form"


class _CachedSession(NamedTuple):
    session: UserSession
    read_at: int


class SessionCache:
    """The sessions that this server has met."""

    def __init__(self, floor: CardRoom, executors: Executors, clock: Clock) -> None:
        self._floor, self._executors, self._clock, self._secret = floor, executors, clock, floor.get_room_secret()
        self._sessions: dict[str, _CachedSession] = {}
        self._active: dict[str, int] = {}
        self._changes = 0
        """How often something has happened to people since the server began."""

    async def find(
        self, token: str, cookie: str = "", *, active: bool = False, locks: bool = True, by_program: bool = False
    ) -> UserSession | None:
        """Whose token it is. ``activity_cookie`` is the cookie that tells when the person was last active; ``active``
        says that this call is something that a person does, ``locks`` that a device that was left alone is locked now.
        A program has no cookies: met for the first time, its person was active just now."""
        if login_of_token(token) is None:
            return None
        seal, now = session_digest(token, self._secret), self._clock()
        cached = self._sessions.get(seal)
        if cached is None or now - cached.read_at > CACHE_SECONDS or now < cached.read_at:
            session = await self._read_session(token)
            if session is None:
                self._sessions.pop(seal, None)
                return None
            cached = self._store(seal, _CachedSession(session, now))
        session = cached.session
        if now > session.until:
            return None
        if by_program:
            self._active.setdefault(seal, now)
        if not session.locked and self.is_idle(session, cookie, now):
            session = session._replace(locked=IDLE_REASON)
            if locks:
                await self._executors.execute(self._floor.lock_session, session, IDLE_REASON)
                self._store(seal, _CachedSession(session, now))
        if active and not session.locked:
            self._active[seal] = now
        return session

    async def _read_session(self, token: str) -> UserSession | None:
        """What the books say; once more where something has happened to a person meanwhile, so that a session that was
        ended or locked during the look is not taken for good."""
        session = None
        for _ in range(_READ_ATTEMPTS):
            before = self._changes
            session = await self._executors.query(self._floor.find_session, token)
            if self._changes == before:
                break
        return session

    def holder(self, token: str) -> str | None:
        """Whose token it is, as far as this server has met it; the books are not asked."""
        if login_of_token(token) is None:
            return None
        cached = self._sessions.get(session_digest(token, self._secret))
        return cached.session.login if cached is not None else None

    def is_idle(self, session: UserSession, cookie: str, now: int) -> bool:
        """Whether nobody has done anything for longer than the role may leave a device alone."""
        if not session.role.idle_limit:
            return False
        began = session.until - session.role.session_lifetime
        return (
            now - max(began, self._active.get(session.digest, 0), self._read(session, cookie)) > session.role.idle_limit
        )

    def activity_cookie(self, session: UserSession, before: str) -> str | None:
        """What the cookie says from now on; None while the one before is new enough."""
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
        """What every form of somebody who is signed in carries, and no other page can know."""
        return self._proof(_FORM, session, "")

    def is_form_token(self, session: UserSession, token: str) -> bool:
        return hmac.compare_digest(token.encode(errors="replace"), self.form_token(session).encode())

    def mark_active(self, session: UserSession) -> None:
        """The person has unlocked the device."""
        self._active[session.digest] = self._clock()
        self.forget(session.login)

    def forget(self, *logins: str) -> None:
        """Something has happened to these people: ask the books again."""
        self._changes += 1
        for seal in [seal for seal, entry in self._sessions.items() if entry.session.login in logins]:
            del self._sessions[seal]

    def on_change(self, chains: Collection[str]) -> None:
        """Something has happened on these chains."""
        if people := [login for chain in chains if (login := parse_user_chain(chain)) is not None]:
            self.forget(*people)

    def _store(self, seal: str, entry: _CachedSession) -> _CachedSession:
        for remembered in (self._sessions, self._active):
            if len(remembered) >= _MAX_SESSIONS:
                remembered.clear()
        self._sessions[seal] = entry
        return entry

    def _proof(self, label: bytes, session: UserSession, message: str) -> str:
        return hmac.digest(
            self._secret, b"\x00".join((label, session.digest.encode(), message.encode())), "sha256"
        ).hex()


READ_SECONDS: Final = 5.0
"""Seconds between two looks at the chains of people."""


class KnownAddresses:
    """Of every person the last places at which the right password was typed; how many, the person's state bounds."""

    def __init__(self, floor: CardRoom, executors: Executors) -> None:
        self._floor, self._executors = floor, executors
        self._events_read: dict[str, int] = {}
        """How many events of each chain were read."""
        self._addresses_by_login: dict[str, frozenset[str]] = {}
        """By login."""
        self._users_by_address: Counter[str] = Counter()
        """How many people have signed in at each place."""

    def __contains__(self, place: object) -> bool:
        """Whether a person has signed in at a place before, or only people at the machine can be there."""
        return isinstance(place, str) and (place in self._users_by_address or is_at_machine(place))

    async def run(self) -> None:
        """Follow the books; while they cannot be read, places stay as they were."""
        while True:
            with suppress(LedgerUnavailable, LedgerDamaged):
                await self.read()
            await asyncio.sleep(READ_SECONDS)

    async def read(self) -> None:
        """Read of the people to whom something has happened where they have signed in."""
        chains = await self._executors.query(self._floor.ledger.chain_lengths, user_chain(""))
        for chain, events in chains.items():
            login = parse_user_chain(chain)
            if login is None or self._events_read.get(chain) == events:
                continue
            state = await self._executors.query(self._floor.user, login)
            self._keep(login, frozenset(place for place, tries in state.attempts.items() if tries.known))
            self._events_read[chain] = events

    def _keep(self, login: str, places: frozenset[str]) -> None:
        before = self._addresses_by_login.get(login, frozenset())
        self._addresses_by_login[login] = places
        self._users_by_address.update(places - before)
        for place in before - places:
            self._users_by_address[place] -= 1
            if not self._users_by_address[place]:
                del self._users_by_address[place]
