"""Who is signed in, as this server knows it: looked up in the books once a second at most, and locked when nobody has
touched the device for a while.

When somebody was last active stands in a cookie that only the room could have written, so that any server knows it; and
in memory, for those who are here. A session that is locked is locked in the books, whatever a cookie says.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection
from typing import Final, NamedTuple

from cardroom.floor import Floor
from cardroom.floor.kept.chains import person_of
from cardroom.floor.people.signing import Session, login_of, seal_of_token
from cardroom.ledger import Clock
from cardroom.web.room.clerks import Clerks

SECOND: Final = 1_000_000
FRESH: Final = SECOND
"""How long what the books said of a session is taken for true: one that was ended elsewhere is refused after that."""
BETWEEN_COOKIES: Final = 15 * SECOND
LEFT_ALONE: Final = "nobody touched the device for a while"
_MOST: Final = 10_000
_LOOKS: Final = 3
_LABEL: Final = b"cardroom last active"
_FORM: Final = b"cardroom form"


class _Known(NamedTuple):
    session: Session
    asked: int


class Sessions:
    """The sessions that this server has met."""

    def __init__(self, floor: Floor, clerks: Clerks, clock: Clock) -> None:
        self._floor, self._clerks, self._clock, self._secret = floor, clerks, clock, floor.secret()
        self._known: dict[str, _Known] = {}
        self._active: dict[str, int] = {}
        self._changes = 0
        """How often something has happened to people since the server began."""

    async def of(
        self, token: str, seen: str = "", *, active: bool = False, locks: bool = True, by_program: bool = False
    ) -> Session | None:
        """Whose token it is. ``seen`` is the cookie that tells when the person was last active; ``active`` says that
        this call is something that a person does, ``locks`` that a device that was left alone is locked now. A program
        has no cookies: met for the first time, its person was active just now."""
        if login_of(token) is None:
            return None
        seal, now = seal_of_token(token, self._secret), self._clock()
        known = self._known.get(seal)
        if known is None or now - known.asked > FRESH or now < known.asked:
            session = await self._look(token)
            if session is None:
                self._known.pop(seal, None)
                return None
            known = self._keep(seal, _Known(session, now))
        session = known.session
        if now > session.until:
            return None
        if by_program:
            self._active.setdefault(seal, now)
        if not session.locked and self.is_idle(session, seen, now):
            session = session._replace(locked=LEFT_ALONE)
            if locks:
                await self._clerks.do(self._floor.lock_session, session, LEFT_ALONE)
                self._keep(seal, _Known(session, now))
        if active and not session.locked:
            self._active[seal] = now
        return session

    async def _look(self, token: str) -> Session | None:
        """What the books say; once more where something has happened to a person meanwhile, so that a session that was
        ended or locked during the look is not taken for good."""
        session = None
        for _ in range(_LOOKS):
            before = self._changes
            session = await self._clerks.look(self._floor.session_of, token)
            if self._changes == before:
                break
        return session

    def holder(self, token: str) -> str | None:
        """Whose token it is, as far as this server has met it; the books are not asked."""
        if login_of(token) is None:
            return None
        known = self._known.get(seal_of_token(token, self._secret))
        return known.session.login if known is not None else None

    def is_idle(self, session: Session, seen: str, now: int) -> bool:
        """Whether nobody has done anything for longer than the role may leave a device alone."""
        if not session.role.idle:
            return False
        began = session.until - session.role.lasts
        return now - max(began, self._active.get(session.seal, 0), self._read(session, seen)) > session.role.idle

    def seen(self, session: Session, before: str) -> str | None:
        """What the cookie says from now on; None while the one before is new enough."""
        now = self._clock()
        if not session.role.idle or session.locked or now - self._read(session, before) < BETWEEN_COOKIES:
            return None
        return f"{now}.{self._proof(_LABEL, session, str(now))}"

    def _read(self, session: Session, seen: str) -> int:
        at, _, proof = seen.partition(".")
        if not (at.isascii() and at.isdigit()) or len(seen) > 100:
            return 0
        return int(at) if hmac.compare_digest(proof, self._proof(_LABEL, session, at)) else 0

    def form_token(self, session: Session) -> str:
        """What every form of somebody who is signed in carries, and no other page can know."""
        return self._proof(_FORM, session, "")

    def is_form_token(self, session: Session, token: str) -> bool:
        return hmac.compare_digest(token.encode(errors="replace"), self.form_token(session).encode())

    def is_back(self, session: Session) -> None:
        """The person has unlocked the device."""
        self._active[session.seal] = self._clock()
        self.forget(session.login)

    def forget(self, *logins: str) -> None:
        """Something has happened to these people: ask the books again."""
        self._changes += 1
        for seal in [seal for seal, one in self._known.items() if one.session.login in logins]:
            del self._known[seal]

    def note(self, chains: Collection[str]) -> None:
        """Something has happened on these chains."""
        if people := [login for chain in chains if (login := person_of(chain)) is not None]:
            self.forget(*people)

    def _keep(self, seal: str, known: _Known) -> _Known:
        for remembered in (self._known, self._active):
            if len(remembered) >= _MOST:
                remembered.clear()
        self._known[seal] = known
        return known

    def _proof(self, label: bytes, session: Session, told: str) -> str:
        return hmac.digest(self._secret, b"\x00".join((label, session.seal.encode(), told.encode())), "sha256").hex()
