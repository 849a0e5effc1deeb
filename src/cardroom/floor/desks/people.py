"""People who sign in: registered, signed in, locked, recovered; and the sessions that they have.

A password is counted, then compared, then answered. It is counted in a command of its own before it is compared, so
that guesses that come at the same time to several servers are no more than three. It is compared outside of any
command, because that takes a fifth of a second, and other commands do not wait for it; the command that follows checks
the result against the state of the person by then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from cardroom.errors import BadInput
from cardroom.floor.desks.desk import Body, Desk
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.signatures import Signature, ToSign, refuse_signer
from cardroom.floor.kept.chains import ROOM, person_chain, person_of, player_chain
from cardroom.floor.kept.subjects import PEOPLE, PLAYERS, UnknownPerson
from cardroom.floor.people import registering, signing
from cardroom.floor.people.happenings import Countersigned, OfAPerson, PasswordChosen, PasswordFitted, SignedIn
from cardroom.floor.people.passwords import ARGON2ID, Hasher, good_password, good_pin, one_time_password, seal_of_kept
from cardroom.floor.people.permissions import Right, may, refuse
from cardroom.floor.people.registering import BadPerson, good_login, signing_beside
from cardroom.floor.people.roles import Role
from cardroom.floor.people.signing import MayTry, NoSession, Session, SignInFailed, WrongPin
from cardroom.floor.people.state import PersonState
from cardroom.jackpots import read_as, written
from cardroom.jackpots.people import different, two_people
from cardroom.jackpots.room import recoveries
from cardroom.ledger import Json

_FAILED = (
    "The login or the password is wrong, or this login is locked here after three wrong passwords in a row: check both "
    "and type them again. A lock ends after half an hour; an operator can give you a new password sooner."
)
"""The one answer to an unknown login, a wrong password, and a login that is locked, so that it tells nothing."""
_RIGHT_PASSWORD = frozenset(one.kind for one in (SignedIn, PasswordChosen, PasswordFitted, Countersigned))
"""Events of a person who typed the right password."""
_LOOKS, _BETWEEN_LOOKS = 100, 0.05
"""How often, and after how many seconds each, a password waits for others of the same person at the same place."""


class Registered(NamedTuple):
    """A person, and the password for the first sign-in: it is told once, and kept nowhere."""

    login: str
    once: str
    """Empty when the command was carried out before."""


class SignedInAs(NamedTuple):
    """A session that has begun."""

    token: str
    session: Session


class _Looked(NamedTuple):
    """What a password was compared with."""

    state: PersonState
    fits: bool


class _AnotherFirst(BadInput):
    """Another password was counted meanwhile."""


class PeopleDesk(Desk):
    """The door of the staff."""

    hasher: Hasher = ARGON2ID
    """How passwords are kept; the work that one takes to compare stands in what is kept of it."""

    def people(self) -> tuple[str, ...]:
        """The logins of everybody who was ever registered."""
        chains = self.ledger.chains(person_chain(""))
        return tuple(login for chain in chains if (login := person_of(chain)) is not None)

    def has_people(self) -> bool:
        """Whether the room has its first operator."""
        return bool(self.people())

    # Registered, recovered, dismissed.

    def register_first_operator(self, id: str, login: str, name: str, password: str) -> str:
        """The first operator of a room, who chooses the password at once. Later there is no such way in."""
        kept = self.hasher.hash(good_password(password, login, name))
        seal = seal_of_kept(kept)
        body: Body = {"do": "register-first-operator", "login": login, "name": name}

        def decide(draft: Draft) -> Json:
            registering.refuse_another_first(self.has_people())
            good_login(login, ())
            self._refuse_players_name(draft, login)
            draft.keep_hash(person_chain(login), seal, kept.encode())
            draft.at_person(login, registering.register_first(login, name, seal))
            return login

        chains = (ROOM, person_chain(login), player_chain(login))
        return self._do(id, body, chains, decide, str)

    def register_person(
        self, id: str, who: str, login: str, name: str, role: Role, *, second: str | None = None
    ) -> Registered:
        """A person of the staff, or the login of a player who has an account. The password is for one time."""
        once, kept, seal = self._once()
        body: Body = {"do": "register-person", "who": who, "second": second, "login": login, "name": name, "role": role}

        def decide(draft: Draft) -> Json:
            others = self.people()
            good_login(login, [one for one in others if one != login] if draft.has(PEOPLE, login) else others)
            if draft.has(PEOPLE, login):
                raise BadPerson(f"There is a login {login} already: choose another one.")
            if role is Role.PLAYER:
                draft.player(login)
            else:
                self._refuse_players_name(draft, login)
            beside = self._beside(who, second, role)
            happened = registering.register(login, name, role, seal, who=who, second=beside, now=self._clock())
            draft.keep_hash(person_chain(login), seal, kept)
            draft.at_person(login, happened)
            return seal

        chains = (ROOM, person_chain(login), player_chain(login))
        return self._told_once(login, once, seal, self._do(id, body, chains, decide, str))

    def recover_person(self, id: str, who: str, login: str, *, second: str | None = None) -> Registered:
        """Another password for one time; a lock is lifted with it, and every session ends."""
        once, kept, seal = self._once()
        body: Body = {"do": "recover-person", "who": who, "second": second, "login": login}

        def decide(draft: Draft) -> Json:
            state = draft.person(login)
            beside = self._beside(who, second, state.role)
            happened = registering.recover(state, seal, who=who, second=beside, now=self._clock())
            self._forget(draft, state)
            draft.keep_hash(person_chain(login), seal, kept)
            draft.at_person(login, happened)
            return seal

        self.person(login)
        return self._told_once(login, once, seal, self._do(id, body, (ROOM, person_chain(login)), decide, str))

    def recover_operator(self, id: str, login: str, first: str, other: str, account: str) -> Registered:
        """A one-time password for an operator who has lost the only one, from two people at the machine: no one signs
        in for it, so the room keeps a mark that no one can remove, and the office shows it. Another operator who can
        sign in helps instead."""
        once, kept, seal = self._once()
        body: Body = {"do": "recover-operator", "login": login, "present": [first, other], "account": account}

        def decide(draft: Draft) -> Json:
            state, now = draft.person(login), self._clock()
            if helper := self._operator_beside(login, draft.room().recoveries, now):
                registering.refuse_beside_operator(login, helper)
            (mark,) = recoveries.recover_operator(login, first, other, account, now)
            happened = registering.recover_at_machine(state, seal, first=mark.who, other=mark.other, now=now)
            self._forget(draft, state)
            draft.keep_hash(person_chain(login), seal, kept)
            draft.at_person(login, happened)
            draft.at_room((mark,))
            return seal

        self.person(login)
        return self._told_once(login, once, seal, self._do(id, body, (ROOM, person_chain(login)), decide, str))

    def _operator_beside(self, login: str, marks: recoveries.Recoveries, now: int) -> str:
        """Another operator who typed the right password lately, one whom no one recovered at the machine; or none.
        How long ago that may be is limited: a room whose operators have all lost their passwords is not lost."""
        for other in self.operators():
            if other == login or recoveries.has_open(marks, other, now):
                continue
            events = self.ledger.events(person_chain(other))
            last = max((event.time for event in events if event.kind in _RIGHT_PASSWORD), default=0)
            if now - last < registering.CAN_HELP_FOR:
                return other
        return ""

    def acknowledge_recovery(self, id: str, who: str, login: str) -> recoveries.Recovery:
        """An operator has seen that another one was recovered at the machine; two of them close the notice."""
        body: Body = {"do": "acknowledge-recovery", "who": who, "login": login}

        def decide(draft: Draft) -> Json:
            happened = recoveries.acknowledge(draft.room().recoveries, login, who, self._clock())
            after = draft.at_room(happened)
            entry: Json = written([one for one in after.recoveries if one.login == login][-1])
            return entry

        def read(entry: Any) -> recoveries.Recovery:
            return read_as(recoveries.Recovery, entry)

        return self._do(id, body, (ROOM,), decide, read)

    def open_recoveries(self) -> tuple[recoveries.Recovery, ...]:
        """The operators who were recovered at the machine, as long as the office shows it."""
        now = self._clock()
        return tuple(one for one in self.room().recoveries if one.is_open(now))

    def operators(self) -> tuple[str, ...]:
        """The operators who can sign in with a password of their own."""
        people = (self.person(login) for login in self.people())
        return tuple(
            one.login for one in people if one.is_active and one.role is Role.OPERATOR and one.has_own_password
        )

    def give_role(self, id: str, who: str, login: str, role: Role, *, second: str | None = None) -> PersonState:
        """Another role for a person of the staff."""
        body: Body = {"do": "give-role", "who": who, "second": second, "login": login, "role": role}

        def decide(state: PersonState) -> tuple[OfAPerson, ...]:
            return registering.give_role(state, role, who=who, second=self._beside(who, second, state.role))

        return self._at_person(id, login, body, decide, ROOM)

    def dismiss_person(self, id: str, who: str, login: str, why: str, *, second: str | None = None) -> PersonState:
        """A person may not sign in any more; every session ends."""
        body: Body = {"do": "dismiss-person", "who": who, "second": second, "login": login, "why": why}

        def decide(draft: Draft) -> Json:
            state = draft.person(login)
            beside = self._beside(who, second, state.role)
            happened = registering.dismiss(state, who=who, second=beside, why=why)
            self._forget(draft, state)
            return _entry(draft.at_person(login, happened))

        self.person(login)
        return self._do(id, body, (ROOM, person_chain(login)), decide, _state)

    def _beside(self, who: str, second: str | None, role: Role) -> str:
        """The second person where people decide about a login of this role."""
        if role is Role.PLAYER:
            return different_second(who, second)
        return signing_beside(who, second, [self.person(one) for one in self.people()])

    # Signing in and out.

    def sign_in(self, login: str, password: str, address: str) -> SignedInAs:
        """Begin a session, or refuse without telling what was wrong. Three wrong passwords in a row lock the login at
        that address."""
        token = signing.new_token(login, self._fresh_key())
        seal = signing.seal_of_token(token, self.secret())
        looked = self._compared(login, password, address)

        def begin(state: PersonState, now: int) -> tuple[OfAPerson, ...]:
            return signing.sign_in(state, seal, address, now)

        self._tried(f"sign-in/{seal}", looked, address, begin)
        session = self.session_of(token)
        if session is None:
            raise NoSession("This session has ended: sign in again.")
        return SignedInAs(token, session)

    def sign(self, to_sign: ToSign, password: str, *, right: Right, address: str) -> Signature:
        """A person signs one command beside its sender. The signature itself is stored with the command."""
        login, beside = to_sign.login, to_sign.beside
        different(beside, login, f"Two people answer for this: {login} cannot be the second one beside {beside}.")
        looked = self._compared(login, password, address)

        def fitted(state: PersonState, _: int) -> tuple[OfAPerson, ...]:
            refuse_signer(state, right)
            return signing.password_fitted(state, address, "")

        self._tried(f"sign/{self._fresh_key().hex()}", looked, address, fitted)
        return Signature(to_sign, right, looked.state.password, address)

    def recognised(self, login: str, password: str) -> PersonState:
        """Whose login and password these are, in books that are only read: nothing is written down."""
        state = self._active_person(login)
        if state is None:
            self.hasher.fits(self.hasher.decoy, password)
            raise SignInFailed(_FAILED)
        if signing.why_not(state, self._fits(state, state.password, password), self._clock()):
            raise SignInFailed(_FAILED)
        return state

    def session_of(self, token: str) -> Session | None:
        """Whose token it is, while the session lasts; also one that is locked."""
        login = signing.login_of(token)
        head = self.ledger.head(person_chain(login)) if login else None
        if head is None:
            return None
        return signing.session_in(
            self._memory.state(PEOPLE, head), signing.seal_of_token(token, self.secret()), self._clock()
        )

    def refuse_role(self, session: Session, right: Right) -> None:
        """Refuse what the role of somebody who is signed in does not do."""
        if not may(session.role, right):
            raise refuse(session.login, session.role, right)

    def lock_session(self, session: Session, why: str) -> None:
        """Lock a session; it goes on when its person has typed the PIN."""
        self._at_session(session, lambda state: signing.lock(state, session.seal, why))

    def unlock_session(self, session: Session, typed: str, address: str) -> None:
        """Unlock a session with the PIN, or with the password where the person has no PIN."""
        state = self._at_session(session, lambda now: signing.try_unlocking(now, session.seal, address))
        self._refuse_ended(session, state)
        if not state.sessions[session.seal].locked:
            return
        seal = state.pin or state.password
        fits = self._fits(state, seal, typed)

        def decide(now: PersonState) -> tuple[OfAPerson, ...]:
            same = seal == (now.pin or now.password)
            return signing.unlock(now, session.seal, fits and same, address)

        after = self._at_session(session, decide)
        self._refuse_ended(session, after)
        if after.sessions[session.seal].locked:
            raise WrongPin(f"This is not the {'PIN' if state.pin else 'password'} of {session.login}: type it again.")

    def _refuse_ended(self, session: Session, state: PersonState) -> None:
        if session.seal not in state.sessions:
            raise NoSession("Three wrong PINs: this session has ended. Sign in again with your password.")

    def end_session(self, session: Session) -> None:
        """The person signs out."""
        self._at_session(session, lambda state: signing.end(state, session.seal, session.login, "signed out"))

    def end_session_of(self, id: str, who: str, login: str, seal: str, why: str) -> PersonState:
        """Somebody else's session is ended, or one's own at another place."""
        body: Body = {"do": "end-session", "who": who, "login": login, "session": seal, "why": why}
        return self._at_person(id, login, body, lambda state: signing.end(state, seal, who, why))

    def choose_password(self, session: Session, old: str, new: str, address: str) -> None:
        """Another password, by somebody who knows the present one."""
        good_password(new, session.login, session.name)
        if new == old:
            raise SignInFailed("This is the password that you have: choose another one.")
        looked = self._compared(session.login, old, address)
        kept = self.hasher.hash(new)
        seal = seal_of_kept(kept)

        def choose(state: PersonState, _: int) -> tuple[OfAPerson, ...]:
            return signing.choose_password(state, seal, session.seal, address)

        def keep(draft: Draft, before: PersonState) -> None:
            draft.tell(person_chain(before.login), before.password)
            draft.keep_hash(person_chain(before.login), seal, kept.encode())

        self._tried(f"choose-password/{seal}", looked, address, choose, keep)

    def end_password(self, id: str, who: str, login: str, why: str, chosen: str = "", address: str = "") -> None:
        """End a person's password, PIN and sessions, after a restore: they may have been changed since the backup.
        ``chosen`` is the password that a person who is present chooses at once; the others are recovered."""
        if chosen:
            self.check_another_password(login, chosen)
        kept = self.hasher.hash(chosen) if chosen else ""
        seal = seal_of_kept(kept) if chosen else ""

        def decide(draft: Draft) -> Json:
            state = draft.person(login)
            self._forget(draft, state)
            happened = signing.end_password(state, who, why)
            if chosen:
                draft.keep_hash(person_chain(login), seal, kept.encode())
                happened += signing.choose_password(state, seal, "", address)
            draft.at_person(login, happened)
            return None

        body: Body = {"do": "end-password", "who": who, "login": login, "why": why}
        self._do(id, body, (person_chain(login),), decide, lambda _: None)

    def check_another_password(self, login: str, chosen: str) -> None:
        """Refuse a password that a person cannot choose, or has already."""
        state = self.person(login)
        good_password(chosen, login, state.name)
        if self._fits(state, state.password, chosen):
            raise SignInFailed(f"This is the password that {login} has in the backup: choose another one.")

    def choose_pin(self, session: Session, password: str, pin: str, address: str) -> None:
        """Another PIN, by somebody who knows the password."""
        good_pin(pin)
        looked = self._compared(session.login, password, address)
        kept = self.hasher.hash(pin)
        seal = seal_of_kept(kept)

        def choose(state: PersonState, _: int) -> tuple[OfAPerson, ...]:
            return signing.choose_pin(state, seal, address)

        def keep(draft: Draft, before: PersonState) -> None:
            if before.pin:
                draft.tell(person_chain(before.login), before.pin)
            draft.keep_hash(person_chain(before.login), seal, kept.encode())

        self._tried(f"choose-pin/{seal}", looked, address, choose, keep)

    # How a password is compared, and what comes of it.

    def _compared(self, login: str, password: str, address: str) -> _Looked:
        """Count a password, then compare it. A login that does not exist, or that is locked here, takes the same work
        and gets the same answer as a wrong password."""
        state = self._reserve_try(login, address)
        if state is None:
            self.hasher.fits(self.hasher.decoy, password)
            raise SignInFailed(_FAILED)
        return _Looked(state, self._fits(state, state.password, password))

    def _active_person(self, login: str) -> PersonState | None:
        """A person who may sign in; None for a login that does not exist, or was deactivated."""
        try:
            state = self.person(login)
        except UnknownPerson:
            return None
        return state if state.is_active else None

    def _reserve_try(self, login: str, address: str) -> PersonState | None:
        """Count a password that is about to be compared; None where none may be. Where others of the same person at
        the same place are being compared, it waits for them: people work with several windows."""
        for _ in range(_LOOKS):
            state = self._active_person(login)
            may_try = signing.may_try(state, address, self._clock()) if state is not None else MayTry.NO
            if may_try is MayTry.YES and (state := self._count_try(login, address)) is not None:
                return state
            if may_try is MayTry.NO:
                return None
            time.sleep(_BETWEEN_LOOKS)
        return None

    def _count_try(self, login: str, address: str) -> PersonState | None:
        """Count a password; None where another one came first."""

        def decide(draft: Draft) -> Json:
            state, now = draft.person(login), self._clock()
            if signing.may_try(state, address, now) is not MayTry.YES:
                raise _AnotherFirst("Another password came first.")
            return _entry(draft.at_person(login, signing.try_password(state, address, now)))

        id = f"try/{self._fresh_key().hex()}"
        try:
            return self._do(id, {"do": "count-password", "login": login}, (person_chain(login),), decide, _state)
        except _AnotherFirst:
            return None

    def _fits(self, state: PersonState, seal: str, typed: str) -> bool:
        kept = self.ledger.read_password_hash(person_chain(state.login), seal) if seal else None
        # A person who can write to the database may have put another hash in its place: then nothing fits.
        if kept is None or seal_of_kept(kept.decode()) != seal:
            self.hasher.fits(self.hasher.decoy, typed)
            return False
        return self.hasher.fits(kept.decode(), typed)

    def _tried(
        self,
        id: str,
        looked: _Looked,
        address: str,
        then: Callable[[PersonState, int], Sequence[OfAPerson]],
        keep: Callable[[Draft, PersonState], None] | None = None,
    ) -> None:
        """What comes of a password that was compared: what it was typed for, or a refusal that the log shows."""
        login, refused = looked.state.login, list[BadInput]()

        def decide(draft: Draft) -> Json:
            refused.clear()
            state, now = draft.person(login), self._clock()
            fits = looked.fits and state.password == looked.state.password
            if not state.is_active:
                raise SignInFailed(_FAILED)
            if why := signing.why_not(state, fits, now):
                draft.at_person(login, signing.refuse_sign_in(state, address, why, now))
                return "refused"
            try:
                happened = then(state, now)
            except BadInput as fault:
                refused.append(fault)
                draft.at_person(login, signing.password_fitted(state, address, str(fault)))
                return "fitted"
            if keep is not None:
                keep(draft, state)
            draft.at_person(login, happened)
            return "done"

        came = self._do(id, {"do": "try-password", "login": login}, (person_chain(login),), decide, str)
        if refused:
            raise refused[0]
        if came != "done":
            raise SignInFailed(_FAILED)

    # What the rest shares.

    def _once(self) -> tuple[str, bytes, str]:
        once = one_time_password(self._fresh_key())
        kept = self.hasher.hash(once)
        return once, kept.encode(), seal_of_kept(kept)

    def _told_once(self, login: str, once: str, seal: str, kept: str) -> Registered:
        return Registered(login, once if kept == seal else "")

    def _refuse_players_name(self, draft: Draft, login: str) -> None:
        if draft.has(PLAYERS, login):
            raise BadPerson(f"{login} is a player's name: choose another login.")

    def _forget(self, draft: Draft, state: PersonState) -> None:
        for seal in (state.password, state.pin):
            if seal:
                draft.tell(person_chain(state.login), seal)

    def _at_session(self, session: Session, decide: Callable[[PersonState], Sequence[OfAPerson]]) -> PersonState:
        key = signing.seal_of_token(signing.new_token(session.login, self._fresh_key()), self.secret())
        return self._at_person(f"session/{key}", session.login, {"do": "at-session"}, decide)

    def _at_person(
        self, id: str, login: str, body: Body, decide: Callable[[PersonState], Sequence[OfAPerson]], *chains: str
    ) -> PersonState:
        def decided(draft: Draft) -> Json:
            state = draft.person(login)
            happened = decide(state)
            return _entry(draft.at_person(login, happened) if happened else state)

        self.person(login)
        return self._do(id, body, (*chains, person_chain(login)), decided, _state)


def different_second(who: str, second: str | None) -> str:
    """The second person where there always has to be one."""
    return two_people(who, second, "a player's login")[1]


def _entry(state: PersonState) -> Json:
    entry: Json = written(state)
    return entry


def _state(entry: Any) -> PersonState:
    return read_as(PersonState, entry)
