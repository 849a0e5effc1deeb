"""The room's key: rotated, backed up, replaced when it is lost; and what a restored room needs before anyone plays.

The key encrypts secrets in the database and is kept apart from it. Two people answer for everything here.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.felt_rounds import FeltRoundDesk
from cardroom.floor.desks.felts import KeyLost
from cardroom.floor.desks.people import PeopleDesk
from cardroom.floor.desks.signatures import Sign, carry_out_signed
from cardroom.floor.kept.chains import ROOM
from cardroom.floor.kept.rooms_secret import seal_of_secret
from cardroom.jackpots.happenings import KeyBackedUp, KeyRotated, SecretReplaced
from cardroom.jackpots.people import named, two_people
from cardroom.ledger import Json
from cardroom.ledger.encryption import RoomKey, SecretChanged, Vault

RESTORED: Final = "restored from a backup"
"""Why keys, sessions and passwords of a backup are not used any more."""


class ServersRunning(BadInput):
    """Something that cannot be done while a server has the present key in memory."""


class Replaced(NamedTuple):
    """What was renewed."""

    key: str
    """The fingerprint of the key from now on."""
    tables: tuple[str, ...]
    """Tables that have a new sealed key."""
    sessions: int
    """Sessions that ended."""
    devices: tuple[str, ...]
    """Devices that need a new token."""
    users: tuple[str, ...] = ()
    """Users who need a new password."""


class RoomKeyDesk(PeopleDesk, FeltRoundDesk):
    """What two people do with the room's key."""

    def rotate_key(
        self,
        id: str,
        who: str,
        why: str,
        new: RoomKey,
        *,
        second: str | None,
        to: Path | None = None,
        new_secret: bool = False,
    ) -> bool:
        """Encrypt every secret under a new key; the old one decrypts nothing any more, and nothing else changes. Gives
        False where the command was carried out before. ``to`` is a file that the key was not in before; the second
        person signs for it.

        With ``new_secret`` the room's secret is replaced in the same transaction: a person who has the old key and a
        backup has the old secret, and no token that it makes or recognizes is accepted from then on."""
        self.refuse_running_servers("rotate the key")
        by, other = two_people(who, second, "a new key")
        self.secret()
        made, reason = self._fresh_key(), named(why, "reason")

        def decide(draft: Draft) -> Json:
            draft.at_room((KeyRotated(by, other, reason, new.fingerprint),))
            if new_secret:
                self._exchange_secret(draft, made, by, other, reason, new.fingerprint)
            return None

        body: dict[str, Json] = {"do": "rotate-key", "who": who, "second": second, "why": why}
        if new_secret:
            body |= {"do": "rotate-key-and-secret"}
        if to is not None:
            body |= {"to": str(to.absolute())}
        rotated = not self.ledger.change_key(self._command(id, body, (ROOM,), decide), Vault(new)).is_repeat
        self._secret = None
        return rotated

    def renew_after_rotation(self, id: str, who: str, why: str, sign: Sign, *, second: str) -> Replaced:
        """What follows a new secret: every table gets a new sealed key, a round in progress is void, the sessions that
        are not accepted any more end in the log too, and devices need new tokens."""
        return self._renewed(id, who, second, named(why, "reason"), sign, devices=True)

    def note_key_backup(self, id: str, who: str, file: Path, *, second: str | None) -> bool:
        """Record that two people write the room's key to this file and to no other. Gives False where the command was
        carried out before."""
        by, other = two_people(who, second, "a copy of the key")
        self.secret()
        key = self.ledger.vault.key.fingerprint

        def decide(draft: Draft) -> Json:
            draft.at_room((KeyBackedUp(by, other, key),))
            return None

        body: dict[str, Json] = {"do": "back-up-key", "who": who, "second": second, "key": key}
        body |= {"file": str(file.absolute())}
        return not self.ledger.execute(self._command(id, body, (ROOM,), decide)).is_repeat

    def replace_key(self, id: str, who: str, why: str, key: RoomKey, sign: Sign, *, second: str) -> Replaced:
        """Go on with another key after the room's key was lost. Every table gets a new sealed key, a round in progress
        is void, every session ends, and every device needs a new token. Nothing else is lost."""
        self.refuse_running_servers("replace the key")
        self.ledger.use_vault(Vault(key))
        reason = named(why, "reason")
        carry_out_signed(lambda: self._replace_secret(f"{id}/secret", who, second, reason), sign)
        return self._renewed(id, who, second, reason, sign, devices=True)

    def after_restore(self, id: str, who: str, second: str, key: RoomKey, sign: Sign) -> Replaced:
        """Make a restored room fit to be opened: whatever happened after the backup is not known here, so no key of a
        round in it is ever used. ``key`` is this machine's; where it cannot read the room's secret, that is replaced
        too, and every device needs a new token."""
        why, lost = RESTORED, False
        if self.room().secret:
            lost = self.ledger.key_fingerprint() != key.fingerprint
        self.ledger.use_vault(Vault(key))
        if lost:
            carry_out_signed(lambda: self._replace_secret(f"{id}/secret", who, second, why), sign)
        return self._renewed(id, who, second, why, sign, devices=lost)

    def can_deal(self) -> bool:
        """Whether the key of every coming round, and of every round in progress, can be read."""
        try:
            for table in self.felts():
                if (state := self.felt(table)).seal:
                    self._key(state)
        except (KeyLost, SecretChanged):
            return False
        return True

    def refuse_running_servers(self, what: str) -> None:
        """A server has the present key in memory, and would go on with it."""
        book = self.ledger.store.lease_registry("key")
        try:
            running = len(book.servers())
        finally:
            book.close()
        if running:
            raise ServersRunning(
                f"{running} server{'s' * (running != 1)} of this room {'are' if running > 1 else 'is'} running: stop "
                f"{'them' if running > 1 else 'it'} to {what}, then start again with the new key."
            )

    def _replace_secret(self, id: str, who: str, second: str, why: str) -> None:
        made, key = self._fresh_key(), self.ledger.vault.key.fingerprint
        two_people(who, second, "a new key")

        def decide(draft: Draft) -> Json:
            self._exchange_secret(draft, made, who, second, why, key)
            return None

        body: dict[str, Json] = {"do": "replace-secret", "who": who, "second": second, "why": why}
        self._do(id, body, (ROOM,), decide, lambda _: None)
        self._secret = None

    def _exchange_secret(self, draft: Draft, made: bytes, who: str, second: str, why: str, key: str) -> None:
        seal = seal_of_secret(made)
        if before := draft.room().secret:
            draft.tell(ROOM, before)
        draft.hide(ROOM, seal, made)
        draft.at_room((SecretReplaced(who, second, why, seal, key),))

    def _renewed(self, id: str, who: str, second: str, why: str, sign: Sign, *, devices: bool) -> Replaced:
        """New keys for all tables, and no sessions. A second person signs for each round that is void."""
        tables = [table for table in self.felts() if self.felt(table).seal]
        self.renew_seals(tables, why)
        for number, table in enumerate(tables, 1):
            if self.felt(table).playing:
                void = partial(self.void_and_renew, f"{id}/table/{number}", who, table, why, second=second)
                carry_out_signed(void, sign)
        sessions = self._end_sessions(id, who, why)
        speaking = sorted(name for name, stands in self.room().devices.items() if not stands.withdrawn)
        return Replaced(self.ledger.vault.key.fingerprint, tuple(tables), sessions, tuple(speaking) if devices else ())

    def _end_sessions(self, id: str, who: str, why: str) -> int:
        ended = 0
        for login in self.people():
            for seal in self.person(login).sessions:
                ended += 1
                self.end_session_of(f"{id}/session/{ended}", who, login, seal, why)
        return ended
