"""Users: added, signed in, locked, recovered; and their sessions.

A password attempt is counted, then compared, then decided. A command of its own counts it before the comparison, so
that simultaneous guesses at several servers are never more than three. The comparison happens outside of any command,
because it takes a fifth of a second and other commands do not wait for it. The command that follows checks the result
against the user's state by then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from cardroom.errors import BadInput
from cardroom.ledger import Json
from cardroom.room.codec import decode, encode
from cardroom.room.dual_control import require_different_people, require_two_people
from cardroom.room.site import recovery as recoveries
from cardroom.room.user import registration
from cardroom.room.user import sign_in as sign_ins
from cardroom.room.user.events import Countersigned, PasswordAccepted, PasswordChosen, SignedIn, UserEvent
from cardroom.room.user.passwords import (
    ARGON2ID,
    PasswordScheme,
    make_one_time_password,
    password_hash_digest,
    require_good_password,
    require_good_pin,
)
from cardroom.room.user.permissions import Permission, Role, has_permission, permission_error
from cardroom.room.user.registration import BadUser, require_countersigner, require_good_login
from cardroom.room.user.sign_in import AttemptDecision, NoSession, SignInFailed, UserSession, WrongPin
from cardroom.room.user.state import UserState
from cardroom.service.chains.aggregates import PLAYER_ACCOUNTS, USERS, UnknownUser
from cardroom.service.chains.names import parse_user_chain, user_chain
from cardroom.service.commands.handler import Body, CommandHandler
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.second_signature import Signature, SignatureRequest, refuse_signer
from cardroom.service.commands.unit_of_work import UnitOfWork

_SIGN_IN_FAILED = (
    "The login or the password is wrong, or this login is locked here after three wrong passwords in a row. Check "
    "both and type them again. A lock ends after half an hour; an operator can give you a new password sooner."
)
"""The one refusal for an unknown login, a wrong password, and a locked login, so that it reveals nothing."""
_CORRECT_PASSWORD_EVENTS = frozenset(one.kind for one in (SignedIn, PasswordChosen, PasswordAccepted, Countersigned))
"""Events of a user who typed the right password."""
_MAX_WAITS, _SECONDS_BETWEEN_WAITS = 100, 0.05
"""How often, and how many seconds each time, a password waits for other attempts of the same user at the same place."""


class UserCredentials(NamedTuple):
    """A user, and the password for the first sign-in, which is shown once and stored nowhere."""

    login: str
    one_time_password: str
    """Empty when the command was carried out before."""


class NewSession(NamedTuple):
    """A new session."""

    token: str
    session: UserSession


class _PasswordCheck(NamedTuple):
    """What a password was compared with."""

    state: UserState
    matches: bool


class _ConcurrentAttempt(BadInput):
    """Another password attempt was counted meanwhile."""


class UserService:
    """Users of the card room, their passwords, and their sessions."""

    hasher: PasswordScheme = ARGON2ID
    """How passwords are hashed; each hash says how much work it takes to compare."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler

    def list_users(self) -> tuple[str, ...]:
        """The logins of all users who were ever added."""
        chains = self._handler.ledger.chains(user_chain(""))
        return tuple(login for chain in chains if (login := parse_user_chain(chain)) is not None)

    def has_users(self) -> bool:
        """Whether the room has its first operator."""
        return bool(self.list_users())

    # Add, recover, deactivate.

    def add_first_operator(self, id: str, login: str, name: str, password: str) -> str:
        """Add the first operator of a room, who chooses the password at once. It works only once."""
        password_hash = self.hasher.hash(require_good_password(password, login, name))
        seal = password_hash_digest(password_hash)
        body: Body = {"do": "add-first-operator", "login": login, "name": name}

        def decide(uow: UnitOfWork) -> Json:
            registration.refuse_another_first(self.has_users())
            require_good_login(login, ())
            self._refuse_player_name(uow, login)
            uow.put_password_hash(user_chain(login), seal, password_hash.encode())
            uow.apply_to_user(login, registration.register_first_operator(login, name, seal))
            return login

        locks = Locks(room=True, users=[login], players=[login])
        return self._handler.execute(id, body, locks, decide, str)

    def add(
        self, id: str, who: str, login: str, name: str, role: Role, *, second: str | None = None
    ) -> UserCredentials:
        """Add a user of the staff, or a login for a player who has an account. The password is for one use."""
        once, password_hash, seal = self._create_one_time_password()
        body: Body = {"do": "add-user", "who": who, "second": second, "login": login, "name": name, "role": role}

        def decide(uow: UnitOfWork) -> Json:
            logins = self.list_users()
            require_good_login(
                login,
                [other_login for other_login in logins if other_login != login] if uow.has(USERS, login) else logins,
            )
            if uow.has(USERS, login):
                raise BadUser(f"There is a login {login} already: choose another one.")
            if role is Role.PLAYER:
                uow.player_account(login)
            else:
                self._refuse_player_name(uow, login)
            beside = self._require_second(who, second, role)
            new_events = registration.register_user(
                login, name, role, seal, who=who, second=beside, now=self._handler.clock()
            )
            uow.put_password_hash(user_chain(login), seal, password_hash)
            uow.apply_to_user(login, new_events)
            return seal

        locks = Locks(room=True, users=[login], players=[login])
        return self._make_credentials(login, once, seal, self._handler.execute(id, body, locks, decide, str))

    def recover(self, id: str, who: str, login: str, *, second: str | None = None) -> UserCredentials:
        """Give a user another password for one use; this also lifts a lock and ends every session."""
        once, password_hash, seal = self._create_one_time_password()
        body: Body = {"do": "recover-user", "who": who, "second": second, "login": login}

        def decide(uow: UnitOfWork) -> Json:
            state = uow.user(login)
            beside = self._require_second(who, second, state.role)
            new_events = registration.recover_user(state, seal, who=who, second=beside, now=self._handler.clock())
            self._remove_password_hashes(uow, state)
            uow.put_password_hash(user_chain(login), seal, password_hash)
            uow.apply_to_user(login, new_events)
            return seal

        self._handler.user(login)
        return self._make_credentials(
            login, once, seal, self._handler.execute(id, body, Locks(room=True, users=[login]), decide, str)
        )

    def recover_operator(self, id: str, login: str, first: str, second_person: str, account: str) -> UserCredentials:
        """Give a one-time password to an operator who has lost the only one. Two people at the machine decide, and no
        operator signs in for it, so the room keeps a mark that cannot be removed, and the office shows it. Where
        another operator can sign in, that operator helps instead."""
        once, password_hash, seal = self._create_one_time_password()
        body: Body = {"do": "recover-operator", "login": login, "present": [first, second_person], "account": account}

        def decide(uow: UnitOfWork) -> Json:
            state, now = uow.user(login), self._handler.clock()
            if helper := self._find_helping_operator(login, uow.room().recoveries, now):
                registration.refuse_while_operator_can_help(login, helper)
            (mark,) = recoveries.recover_operator(login, first, second_person, account, now)
            new_events = registration.recover_user_at_machine(state, seal, first=mark.who, second=mark.other, now=now)
            self._remove_password_hashes(uow, state)
            uow.put_password_hash(user_chain(login), seal, password_hash)
            uow.apply_to_user(login, new_events)
            uow.apply_to_room((mark,))
            return seal

        self._handler.user(login)
        return self._make_credentials(
            login, once, seal, self._handler.execute(id, body, Locks(room=True, users=[login]), decide, str)
        )

    def _find_helping_operator(self, login: str, marks: recoveries.Recoveries, now: int) -> str:
        """Another operator who typed the right password recently and was not recovered at the machine; or None.
        "Recently" is limited: a room whose operators have all lost their passwords is not lost."""
        for operator in self.list_operators():
            if operator == login or recoveries.has_open_recovery(marks, operator, now):
                continue
            events = self._handler.ledger.events(user_chain(operator))
            last = max((event.time for event in events if event.kind in _CORRECT_PASSWORD_EVENTS), default=0)
            if now - last < registration.HELPER_PERIOD:
                return operator
        return ""

    def acknowledge_recovery(self, id: str, who: str, login: str) -> recoveries.Recovery:
        """An operator acknowledges that another one was recovered at the machine; two of them close the notice."""
        body: Body = {"do": "acknowledge-recovery", "who": who, "login": login}

        def decide(uow: UnitOfWork) -> Json:
            new_events = recoveries.acknowledge_recovery(uow.room().recoveries, login, who, self._handler.clock())
            after = uow.apply_to_room(new_events)
            entry: Json = encode([recovery for recovery in after.recoveries if recovery.login == login][-1])
            return entry

        def read(entry: Any) -> recoveries.Recovery:
            return decode(recoveries.Recovery, entry)

        return self._handler.execute(id, body, Locks(room=True), decide, read)

    def list_open_recoveries(self) -> tuple[recoveries.Recovery, ...]:
        """The operators who were recovered at the machine, while the office shows the notice."""
        now = self._handler.clock()
        return tuple(recovery for recovery in self._handler.room().recoveries if recovery.is_open(now))

    def list_operators(self) -> tuple[str, ...]:
        """The operators who can sign in with a password of their own."""
        people = (self._handler.user(login) for login in self.list_users())
        return tuple(
            user.login for user in people if user.is_active and user.role is Role.OPERATOR and user.has_own_password
        )

    def assign_role(self, id: str, who: str, login: str, role: Role, *, second: str | None = None) -> UserState:
        """Give a user of the staff another role."""
        body: Body = {"do": "assign-role", "who": who, "second": second, "login": login, "role": role}

        def decide(state: UserState) -> tuple[UserEvent, ...]:
            return registration.assign_role(state, role, who=who, second=self._require_second(who, second, state.role))

        return self._execute_on_user(id, login, body, decide, room=True)

    def deactivate(self, id: str, who: str, login: str, why: str, *, second: str | None = None) -> UserState:
        """Deactivate a user and end every session of the user."""
        body: Body = {"do": "deactivate-user", "who": who, "second": second, "login": login, "why": why}

        def decide(uow: UnitOfWork) -> Json:
            state = uow.user(login)
            beside = self._require_second(who, second, state.role)
            new_events = registration.deactivate_user(state, who=who, second=beside, why=why)
            self._remove_password_hashes(uow, state)
            return _encode_user(uow.apply_to_user(login, new_events))

        self._handler.user(login)
        return self._handler.execute(id, body, Locks(room=True, users=[login]), decide, _decode_user)

    def _require_second(self, who: str, second: str | None, role: Role) -> str:
        """The second person where people decide about a login of this role."""
        if role is Role.PLAYER:
            return require_other_second(who, second)
        return require_countersigner(who, second, [self._handler.user(login) for login in self.list_users()])

    # Sign in and out.

    def sign_in(self, login: str, password: str, address: str) -> NewSession:
        """Begin a session, or refuse without saying what was wrong. Three wrong passwords in a row lock the login at
        that address."""
        token = sign_ins.new_session_token(login, self._handler.generate_key())
        seal = sign_ins.session_digest(token, self._handler.get_room_secret())
        check = self._compare_password(login, password, address)

        def begin(state: UserState, now: int) -> tuple[UserEvent, ...]:
            return sign_ins.sign_in(state, seal, address, now)

        self._finish_attempt(f"sign-in/{seal}", check, address, begin)
        session = self.find_session(token)
        if session is None:
            raise NoSession("This session has ended: sign in again.")
        return NewSession(token, session)

    def countersign(
        self, request: SignatureRequest, password: str, *, permission: Permission, address: str
    ) -> Signature:
        """A user signs one command beside its sender. The signature itself is stored with the command."""
        login, beside = request.login, request.sender
        require_different_people(
            beside, login, f"This takes two people: {login} cannot be the second one beside {beside}."
        )
        check = self._compare_password(login, password, address)

        def fitted(state: UserState, _: int) -> tuple[UserEvent, ...]:
            refuse_signer(state, permission)
            return sign_ins.record_accepted_password(state, address, "")

        self._finish_attempt(f"sign/{self._handler.generate_key().hex()}", check, address, fitted)
        return Signature(request, permission, check.state.password, address)

    def recognize(self, login: str, password: str) -> UserState:
        """The user with this login and password, in a ledger that is only read: the attempt is not stored."""
        state = self._find_active_user(login)
        if state is None:
            self.hasher.verify(self.hasher.decoy, password)
            raise SignInFailed(_SIGN_IN_FAILED)
        if sign_ins.find_refusal_reason(state, self._matches(state, state.password, password), self._handler.clock()):
            raise SignInFailed(_SIGN_IN_FAILED)
        return state

    def find_session(self, token: str) -> UserSession | None:
        """The user and session of a token while the session lasts; a locked session counts too."""
        login = sign_ins.login_of_token(token)
        head = self._handler.ledger.head(user_chain(login)) if login else None
        if head is None:
            return None
        return sign_ins.find_session(
            self._handler.state_cache.load(USERS, head),
            sign_ins.session_digest(token, self._handler.get_room_secret()),
            self._handler.clock(),
        )

    def require_permission(self, session: UserSession, permission: Permission) -> None:
        """Refuse what the role of a signed-in user does not permit."""
        if not has_permission(session.role, permission):
            raise permission_error(session.login, session.role, permission)

    def lock_session(self, session: UserSession, why: str) -> None:
        """Lock a session; it continues when its user has typed the PIN."""
        self._execute_on_session(session, lambda state: sign_ins.lock_session(state, session.digest, why))

    def unlock_session(self, session: UserSession, typed_secret: str, address: str) -> None:
        """Unlock a session with the PIN, or with the password where the user has no PIN."""
        state = self._execute_on_session(
            session, lambda now: sign_ins.record_unlock_attempt(now, session.digest, address)
        )
        self._refuse_ended(session, state)
        if not state.sessions[session.digest].locked:
            return
        seal = state.pin or state.password
        fits = self._matches(state, seal, typed_secret)

        def decide(now: UserState) -> tuple[UserEvent, ...]:
            same = seal == (now.pin or now.password)
            return sign_ins.unlock_session(now, session.digest, fits and same, address)

        after = self._execute_on_session(session, decide)
        self._refuse_ended(session, after)
        if after.sessions[session.digest].locked:
            raise WrongPin(f"That is not the {'PIN' if state.pin else 'password'} of {session.login}: type it again.")

    def _refuse_ended(self, session: UserSession, state: UserState) -> None:
        if session.digest not in state.sessions:
            raise NoSession("Three wrong PINs: this session has ended. Sign in again with your password.")

    def end_session(self, session: UserSession) -> None:
        """Sign the user out."""
        self._execute_on_session(
            session, lambda state: sign_ins.end_session(state, session.digest, session.login, "signed out")
        )

    def end_user_session(self, id: str, who: str, login: str, seal: str, why: str) -> UserState:
        """End another user's session, or one's own at another place."""
        body: Body = {"do": "end-session", "who": who, "login": login, "session": seal, "why": why}
        return self._execute_on_user(id, login, body, lambda state: sign_ins.end_session(state, seal, who, why))

    def choose_password(self, session: UserSession, old: str, new: str, address: str) -> None:
        """Change a password; the user types the present one."""
        require_good_password(new, session.login, session.name)
        if new == old:
            raise SignInFailed("You have this password already: choose another one.")
        check = self._compare_password(session.login, old, address)
        password_hash = self.hasher.hash(new)
        seal = password_hash_digest(password_hash)

        def choose(state: UserState, _: int) -> tuple[UserEvent, ...]:
            return sign_ins.choose_password(state, seal, session.digest, address)

        def keep(uow: UnitOfWork, before: UserState) -> None:
            uow.reveal_secret(user_chain(before.login), before.password)
            uow.put_password_hash(user_chain(before.login), seal, password_hash.encode())

        self._finish_attempt(f"choose-password/{seal}", check, address, choose, keep)

    def expire_password(
        self, id: str, who: str, login: str, why: str, new_password: str = "", address: str = ""
    ) -> None:
        """End a user's password, PIN, and sessions after a restore: they may have been changed since the backup.
        ``new_password`` is the password that a user who is present chooses at once; other users are recovered."""
        if new_password:
            self.check_new_password(login, new_password)
        password_hash = self.hasher.hash(new_password) if new_password else ""
        seal = password_hash_digest(password_hash) if new_password else ""

        def decide(uow: UnitOfWork) -> Json:
            state = uow.user(login)
            self._remove_password_hashes(uow, state)
            new_events = sign_ins.revoke_password(state, who, why)
            if new_password:
                uow.put_password_hash(user_chain(login), seal, password_hash.encode())
                new_events += sign_ins.choose_password(state, seal, "", address)
            uow.apply_to_user(login, new_events)
            return None

        body: Body = {"do": "expire-password", "who": who, "login": login, "why": why}
        self._handler.execute(id, body, Locks(users=[login]), decide, lambda _: None)

    def check_new_password(self, login: str, new_password: str) -> None:
        """Refuse a password that a user cannot choose, or has already."""
        state = self._handler.user(login)
        require_good_password(new_password, login, state.name)
        if self._matches(state, state.password, new_password):
            raise SignInFailed(f"{login} has this password in the backup: choose another one.")

    def choose_pin(self, session: UserSession, password: str, pin: str, address: str) -> None:
        """Change a PIN; the user types the password."""
        require_good_pin(pin)
        check = self._compare_password(session.login, password, address)
        password_hash = self.hasher.hash(pin)
        seal = password_hash_digest(password_hash)

        def choose(state: UserState, _: int) -> tuple[UserEvent, ...]:
            return sign_ins.choose_pin(state, seal, address)

        def keep(uow: UnitOfWork, before: UserState) -> None:
            if before.pin:
                uow.reveal_secret(user_chain(before.login), before.pin)
            uow.put_password_hash(user_chain(before.login), seal, password_hash.encode())

        self._finish_attempt(f"choose-pin/{seal}", check, address, choose, keep)

    # How a password is compared, and what follows.

    def _compare_password(self, login: str, password: str, address: str) -> _PasswordCheck:
        """Count a password attempt, then compare it. A login that does not exist, or that is locked here, takes the
        same work and gets the same refusal as a wrong password."""
        state = self._reserve_attempt(login, address)
        if state is None:
            self.hasher.verify(self.hasher.decoy, password)
            raise SignInFailed(_SIGN_IN_FAILED)
        return _PasswordCheck(state, self._matches(state, state.password, password))

    def _find_active_user(self, login: str) -> UserState | None:
        """A user who may sign in; None for a login that does not exist, or was deactivated."""
        try:
            state = self._handler.user(login)
        except UnknownUser:
            return None
        return state if state.is_active else None

    def _reserve_attempt(self, login: str, address: str) -> UserState | None:
        """Count a password attempt that is about to be compared; None where none is allowed. It waits for other
        attempts of the same user at the same place: people work with several windows."""
        for _ in range(_MAX_WAITS):
            state = self._find_active_user(login)
            may_try = (
                sign_ins.check_attempt(state, address, self._handler.clock())
                if state is not None
                else AttemptDecision.NO
            )
            if may_try is AttemptDecision.YES and (state := self._count_attempt(login, address)) is not None:
                return state
            if may_try is AttemptDecision.NO:
                return None
            time.sleep(_SECONDS_BETWEEN_WAITS)
        return None

    def _count_attempt(self, login: str, address: str) -> UserState | None:
        """Count a password attempt; None where another one came first."""

        def decide(uow: UnitOfWork) -> Json:
            state, now = uow.user(login), self._handler.clock()
            if sign_ins.check_attempt(state, address, now) is not AttemptDecision.YES:
                raise _ConcurrentAttempt("Another password came first.")
            return _encode_user(uow.apply_to_user(login, sign_ins.record_attempt(state, address, now)))

        id = f"try/{self._handler.generate_key().hex()}"
        try:
            return self._handler.execute(
                id, {"do": "count-password", "login": login}, Locks(users=[login]), decide, _decode_user
            )
        except _ConcurrentAttempt:
            return None

    def _matches(self, state: UserState, seal: str, typed_secret: str) -> bool:
        password_hash = self._handler.ledger.read_password_hash(user_chain(state.login), seal) if seal else None
        # A person who can write to the database may have put another hash in its place: then no password fits.
        if password_hash is None or password_hash_digest(password_hash.decode()) != seal:
            self.hasher.verify(self.hasher.decoy, typed_secret)
            return False
        return self.hasher.verify(password_hash.decode(), typed_secret)

    def _finish_attempt(
        self,
        id: str,
        check: _PasswordCheck,
        address: str,
        decide_success: Callable[[UserState, int], Sequence[UserEvent]],
        keep: Callable[[UnitOfWork, UserState], None] | None = None,
    ) -> None:
        """The outcome of a comparison: the session or signature for which it was typed, or a refusal that the log
        shows."""
        login, refused = check.state.login, list[BadInput]()

        def decide(uow: UnitOfWork) -> Json:
            refused.clear()
            state, now = uow.user(login), self._handler.clock()
            fits = check.matches and state.password == check.state.password
            if not state.is_active:
                raise SignInFailed(_SIGN_IN_FAILED)
            if why := sign_ins.find_refusal_reason(state, fits, now):
                uow.apply_to_user(login, sign_ins.refuse_sign_in(state, address, why, now))
                return "refused"
            try:
                new_events = decide_success(state, now)
            except BadInput as fault:
                refused.append(fault)
                uow.apply_to_user(login, sign_ins.record_accepted_password(state, address, str(fault)))
                return "fitted"
            if keep is not None:
                keep(uow, state)
            uow.apply_to_user(login, new_events)
            return "done"

        came = self._handler.execute(id, {"do": "try-password", "login": login}, Locks(users=[login]), decide, str)
        if refused:
            raise refused[0]
        if came != "done":
            raise SignInFailed(_SIGN_IN_FAILED)

    # What the other parts share.

    def _create_one_time_password(self) -> tuple[str, bytes, str]:
        once = make_one_time_password(self._handler.generate_key())
        password_hash = self.hasher.hash(once)
        return once, password_hash.encode(), password_hash_digest(password_hash)

    def _make_credentials(self, login: str, one_time_password: str, seal: str, stored_digest: str) -> UserCredentials:
        return UserCredentials(login, one_time_password if stored_digest == seal else "")

    def _refuse_player_name(self, uow: UnitOfWork, login: str) -> None:
        if uow.has(PLAYER_ACCOUNTS, login):
            raise BadUser(f"{login} is a player's name: choose another login.")

    def _remove_password_hashes(self, uow: UnitOfWork, state: UserState) -> None:
        for seal in (state.password, state.pin):
            if seal:
                uow.reveal_secret(user_chain(state.login), seal)

    def _execute_on_session(
        self, session: UserSession, decide: Callable[[UserState], Sequence[UserEvent]]
    ) -> UserState:
        key = sign_ins.session_digest(
            sign_ins.new_session_token(session.login, self._handler.generate_key()), self._handler.get_room_secret()
        )
        return self._execute_on_user(f"session/{key}", session.login, {"do": "at-session"}, decide)

    def _execute_on_user(
        self,
        id: str,
        login: str,
        body: Body,
        decide: Callable[[UserState], Sequence[UserEvent]],
        *,
        room: bool = False,
    ) -> UserState:
        def decide_user(uow: UnitOfWork) -> Json:
            state = uow.user(login)
            new_events = decide(state)
            return _encode_user(uow.apply_to_user(login, new_events) if new_events else state)

        self._handler.user(login)
        return self._handler.execute(id, body, Locks(room=room, users=[login]), decide_user, _decode_user)


def require_other_second(who: str, second: str | None) -> str:
    """The second person where there must always be one."""
    return require_two_people(who, second, "a player's login")[1]


def _encode_user(state: UserState) -> Json:
    entry: Json = encode(state)
    return entry


def _decode_user(data: Any) -> UserState:
    return decode(UserState, data)
