"""The room's key: rotated, backed up, replaced when it is lost; and what a restored room needs before anyone plays.

The key encrypts secrets in the database and is stored apart from it. Everything here takes two people.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.ledger import Clock, Json, Ledger, system_clock
from cardroom.ledger.encryption import RoomKey, SecretChanged, Vault
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.site.events import KeyBackedUp, KeyRotated, SecretReplaced
from cardroom.service.chains.names import ROOM_CHAIN
from cardroom.service.commands.automatic_rounds import AutomaticRoundCommands
from cardroom.service.commands.handler import KeyFactory, generate_key
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.second_signature import Signer, execute_signed
from cardroom.service.commands.tables import RoundKeyLost
from cardroom.service.commands.unit_of_work import UnitOfWork
from cardroom.service.commands.users import UserService
from cardroom.service.queries.site import digest_secret

RESTORE_REASON: Final = "restored from a backup"
"""Why keys, sessions, and passwords of a backup are no longer used."""


class ServersRunning(BadInput):
    """An action that is refused while a server has the present key in memory."""


class KeyRenewal(NamedTuple):
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


class RoomKeyCommands(AutomaticRoundCommands):
    """What two people do with the room's key."""

    def __init__(self, ledger: Ledger, clock: Clock = system_clock, keys: KeyFactory = generate_key) -> None:
        super().__init__(ledger, clock, keys)
        self.users = UserService(self)

    def rotate_key(
        self,
        id: str,
        who: str,
        why: str,
        new: RoomKey,
        *,
        second: str | None,
        key_file: Path | None = None,
        new_secret: bool = False,
    ) -> bool:
        """Encrypt every secret under a new key; the old one decrypts nothing any more, and nothing else changes.
        Returns False where the command was carried out before. ``key_file`` is a file that does not have the key yet;
        the second person signs for it.

        With ``new_secret`` the room's secret is replaced in the same transaction: a person who has the old key and a
        backup has the old secret, and no token that it makes or recognizes is accepted from then on."""
        self.refuse_running_servers("rotate the key")
        by, second_person = require_two_people(who, second, "a new key")
        self.get_room_secret()
        secret, reason = self.generate_key(), require_text(why, "reason")

        def decide(uow: UnitOfWork) -> Json:
            uow.apply_to_room((KeyRotated(by, second_person, reason, new.fingerprint),))
            if new_secret:
                self._exchange_secret(uow, secret, by, second_person, reason, new.fingerprint)
            return None

        body: dict[str, Json] = {"do": "rotate-key", "who": who, "second": second, "why": why}
        if new_secret:
            body |= {"do": "rotate-key-and-secret"}
        if key_file is not None:
            body |= {"to": str(key_file.absolute())}
        rotated = not self.ledger.change_key(
            self.build_command(id, body, Locks(room=True), decide), Vault(new)
        ).is_repeat
        self._secret = None
        return rotated

    def renew_after_rotation(self, id: str, who: str, why: str, signer: Signer, *, second: str) -> KeyRenewal:
        """What follows a new secret: every table gets a new sealed key, a round in progress is void, the log records
        the end of the sessions that are no longer accepted, and devices need new tokens."""
        return self._renew_seals_and_sessions(id, who, second, require_text(why, "reason"), signer, devices=True)

    def record_key_backup(self, id: str, who: str, file: Path, *, second: str | None) -> bool:
        """Record that two people write the room's key to this file and to no other. Returns False where the command was
        carried out before."""
        by, second_person = require_two_people(who, second, "a copy of the key")
        self.get_room_secret()
        key = self.ledger.vault.key.fingerprint

        def decide(uow: UnitOfWork) -> Json:
            uow.apply_to_room((KeyBackedUp(by, second_person, key),))
            return None

        body: dict[str, Json] = {"do": "back-up-key", "who": who, "second": second, "key": key}
        body |= {"file": str(file.absolute())}
        return not self.ledger.execute(self.build_command(id, body, Locks(room=True), decide)).is_repeat

    def replace_key(self, id: str, who: str, why: str, key: RoomKey, signer: Signer, *, second: str) -> KeyRenewal:
        """Continue with another key after the room's key was lost. Every table gets a new sealed key, a round in
        progress is void, every session ends, and every device needs a new token. Nothing else is lost."""
        self.refuse_running_servers("replace the key")
        self.ledger.use_vault(Vault(key))
        reason = require_text(why, "reason")
        execute_signed(lambda: self._replace_secret(f"{id}/secret", who, second, reason), signer)
        return self._renew_seals_and_sessions(id, who, second, reason, signer, devices=True)

    def renew_after_restore(self, id: str, who: str, second: str, key: RoomKey, signer: Signer) -> KeyRenewal:
        """Make a restored room ready to open. The backup does not contain what happened after it, so no key of a round
        in it is ever used. ``key`` is this machine's; where it cannot decrypt the room's secret, the secret is replaced
        too, and every device needs a new token."""
        why, lost = RESTORE_REASON, False
        if self.room().secret:
            lost = self.ledger.key_fingerprint() != key.fingerprint
        self.ledger.use_vault(Vault(key))
        if lost:
            execute_signed(lambda: self._replace_secret(f"{id}/secret", who, second, why), signer)
        return self._renew_seals_and_sessions(id, who, second, why, signer, devices=lost)

    def can_deal(self) -> bool:
        """Whether the key of every coming round, and of every round in progress, can be decrypted."""
        try:
            for table in self.list_tables():
                if (state := self.table(table)).seal:
                    self._load_key(state)
        except (RoundKeyLost, SecretChanged):
            return False
        return True

    def refuse_running_servers(self, action: str) -> None:
        """Refuse while a server has the present key in memory, because it would continue to use it."""
        book = self.ledger.store.lease_registry("key")
        try:
            running = len(book.servers())
        finally:
            book.close()
        if running:
            raise ServersRunning(
                f"{running} server{'s' * (running != 1)} of this room {'are' if running > 1 else 'is'} running: stop "
                f"{'them' if running > 1 else 'it'} to {action}, then start again with the new key."
            )

    def _replace_secret(self, id: str, who: str, second: str, why: str) -> None:
        secret, key = self.generate_key(), self.ledger.vault.key.fingerprint
        require_two_people(who, second, "a new key")

        def decide(uow: UnitOfWork) -> Json:
            self._exchange_secret(uow, secret, who, second, why, key)
            return None

        body: dict[str, Json] = {"do": "replace-secret", "who": who, "second": second, "why": why}
        self.execute(id, body, Locks(room=True), decide, lambda _: None)
        self._secret = None

    def _exchange_secret(self, uow: UnitOfWork, secret: bytes, who: str, second: str, why: str, key: str) -> None:
        seal = digest_secret(secret)
        if before := uow.room().secret:
            uow.reveal_secret(ROOM_CHAIN, before)
        uow.put_secret(ROOM_CHAIN, seal, secret)
        uow.apply_to_room((SecretReplaced(who, second, why, seal, key),))

    def _renew_seals_and_sessions(
        self, id: str, who: str, second: str, why: str, signer: Signer, *, devices: bool
    ) -> KeyRenewal:
        """New keys for all tables, and no sessions. A second person signs for each void round."""
        tables = [table for table in self.list_tables() if self.table(table).seal]
        self.renew_seals(tables, why)
        for number, table in enumerate(tables, 1):
            if self.table(table).playing:
                void = partial(self.void_round_and_renew_seal, f"{id}/table/{number}", who, table, why, second=second)
                execute_signed(void, signer)
        sessions = self._end_sessions(id, who, why)
        speaking = sorted(name for name, device_state in self.room().devices.items() if not device_state.withdrawn)
        return KeyRenewal(
            self.ledger.vault.key.fingerprint, tuple(tables), sessions, tuple(speaking) if devices else ()
        )

    def _end_sessions(self, id: str, who: str, why: str) -> int:
        count = 0
        for login in self.users.list_users():
            for seal in self.user(login).sessions:
                count += 1
                self.users.end_user_session(f"{id}/session/{count}", who, login, seal, why)
        return count
