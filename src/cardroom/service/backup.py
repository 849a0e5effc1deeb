"""Back up while the card room plays on, restore into an empty database, and verify everything that was restored.

A backup does not contain what happened after it was made. So no key of a round in it is ever used: the keys are left
out of the copy, every table gets a new one, and a round in progress is void. Sessions end. Two people look at the users
and devices in the backup before it is restored, because one of them may have been deactivated since. No password and no
device token of the backup is accepted any more, except where the old database shows that it was not changed since.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

from cardroom.errors import BadInput
from cardroom.ledger import Ledger, backup_ledger, open_backup, open_ledger, restore_ledger, schema
from cardroom.ledger import LedgerReport as LedgerReport
from cardroom.ledger.encryption import BadRoomKey, RoomKey, create_key, new_key, next_key_file, read_key, write_key
from cardroom.room.user.permissions import Permission
from cardroom.service.card_room import CardRoom
from cardroom.service.chains.names import parse_table_chain
from cardroom.service.commands.room_keys import RESTORE_REASON, KeyRenewal
from cardroom.service.commands.second_signature import Signer, execute_signed
from cardroom.service.verification.report import VerificationReport
from cardroom.service.verification.run import verify

MACHINE_OPERATORS = ("the command line", "the house")
"""Who restores a room in which no user can sign in."""


class DeviceToken(NamedTuple):
    """What decides whether a device's token is accepted."""

    table: str
    kind: str
    generation: int
    digest: str
    secret: str
    """The digest of the room's secret, which keys the token's digest."""


class AccessList(NamedTuple):
    """The users and devices with access to a room."""

    users: tuple[str, ...]
    devices: tuple[str, ...]
    last: int
    """The time of the newest event."""
    passwords: Mapping[str, tuple[str, str]] = {}
    """The digests of the hashes of each active user's password and PIN, by login."""
    tokens: Mapping[str, DeviceToken] = {}
    """The token of each active device, by name."""
    changed: tuple[str, ...] = ()
    """The differences from the old database; empty where it was not compared."""

    @property
    def code(self) -> str:
        """What two people type to confirm this list and no other; empty where there is nothing to confirm.

        >>> AccessList(("rosa",), (), 0).code, AccessList((), (), 0).code
        ('ad23-df48', '')
        """
        if not self.users and not self.devices:
            return ""
        changed = ("", *self.changed) if self.changed else ()
        digest = sha256("\n".join((*self.users, "", *self.devices, *changed)).encode()).hexdigest()
        return f"{digest[:4]}-{digest[4:8]}"


class RestoreResult(NamedTuple):
    """What was restored, and what was renewed."""

    report: VerificationReport
    renewed: KeyRenewal


def read_access_list(ledger: Ledger) -> AccessList:
    """The users and devices of a room, each with its state."""
    card_room = CardRoom(ledger)
    people = [card_room.user(login) for login in card_room.users.list_users()]
    users = tuple(
        f"{user.login} ({user.name}), {user.role}"
        + (
            f", deactivated: {user.deactivation_reason}"
            if user.deactivation_reason
            else ", one-time password"
            if user.one_time_until
            else ""
        )
        for user in people
    )
    passwords = {user.login: (user.password, user.pin) for user in people if user.is_active}
    devices = tuple(
        f"{name}, {device_state.kind} of {device_state.table}, token {device_state.generation}"
        + (f", removed: {device_state.withdrawn}" if device_state.withdrawn else "")
        for name, device_state in sorted(card_room.list_devices().items())
    )
    secret = card_room.room().secret
    tokens = {
        name: DeviceToken(device_state.table, device_state.kind, device_state.generation, device_state.digest, secret)
        for name, device_state in sorted(card_room.list_devices().items())
        if not device_state.withdrawn
    }
    with ledger.store.read() as now:
        last = max((time for _, _, _, time, _, _ in now.rows(schema.heads)), default=0)
    return AccessList(users, devices, last, passwords, tokens)


def compare_access_lists(old: AccessList, backup: AccessList) -> AccessList:
    """The list of a backup with what a restore reverts, as far as the old database can still be read: each user and
    device that changed since the backup was made, each user who has another password or PIN since, and each device that
    has another token."""
    now, then = (*old.users, *old.devices), (*backup.users, *backup.devices)
    lines = [f"now: {line}" for line in now if line not in then] + [
        f"backup: {line}" for line in then if line not in now
    ]
    for login, (password, pin) in backup.passwords.items():
        password_now, pin_now = old.passwords.get(login, (password, pin))
        differs = [
            label for label, same in (("password", password_now == password), ("PIN", pin_now == pin)) if not same
        ]
        if differs:
            lines.append(f"now: {login} has another {' and another '.join(differs)}")
    for name, token in backup.tokens.items():
        if old.tokens.get(name, token) != token:
            lines.append(f"now: {name} has another token")
    return backup._replace(changed=tuple(lines))


def find_unchanged_passwords(old: AccessList, backup: AccessList) -> frozenset[str]:
    """The users whose password and PIN are the same in the old database: a restore does not revert them."""
    return frozenset(
        login for login, digests in backup.passwords.items() if digests[0] and old.passwords.get(login) == digests
    )


def find_unchanged_devices(old: AccessList, backup: AccessList) -> frozenset[str]:
    """The devices whose token is the same in the old database, and which are active there."""
    return frozenset(name for name, token in backup.tokens.items() if old.tokens.get(name) == token)


class RestorePasswords(NamedTuple):
    """What the two people who restore typed at the machine."""

    second: str
    """The password that the second person has in the backup."""
    new_passwords: Mapping[str, str]
    """The new passwords that they chose, by login."""
    address: str


class NewPasswordMissing(BadInput):
    """A person who restores a backup, and would be left without a password."""


def create_backup(ledger: Ledger, path: Path | str) -> LedgerReport:
    """Copy a ledger into a new file as of now. The copy is checked before it gets its name."""
    return backup_ledger(ledger, path)


def restore_backup(
    path: Path | str,
    url: str,
    people: tuple[str, str] = MACHINE_OPERATORS,
    key_file: Path | None = None,
    passwords: RestorePasswords | None = None,
    keep: Collection[str] = (),
    keep_devices: Collection[str] = (),
) -> RestoreResult:
    """Copy a backup into an empty database, renew every key of a round, end every session, every password and every
    device token, and verify the ledger there: chains, accounts, meters, and every claim. ``key_file`` holds the key
    that encrypts the backup's secrets, where it is not in its place on this machine; ``keep`` names the users whose
    password was not changed since the backup (`find_unchanged_passwords`), and ``keep_devices`` the devices whose token
    was not (`find_unchanged_devices`).

    Until the two people have confirmed what was restored, the database cannot be opened for anything else."""
    key = None if key_file is None else _read_key_file(key_file)
    passwords = passwords or RestorePasswords("", {}, "")
    _check_new_passwords(path, people, passwords.new_passwords, keep)
    restore_ledger(path, url, lambda chain: parse_table_chain(chain) is not None)
    id, (who, second) = f"restore/{token_hex(8)}", people
    with open_ledger(url, is_restore=True) as ledger:
        ledger.trust_clock()
        card_room, listed = CardRoom(ledger), read_access_list(ledger)
        books, sign = card_room.site.summarize_ledger(), _make_signer(card_room, passwords.second, passwords.address)
        renewed = card_room.renew_after_restore(id, who, second, load_machine_key(ledger, key), sign)
        to_renew = tuple(name for name in listed.tokens if name not in keep_devices or name in renewed.devices)
        for number, name in enumerate(to_renew, 1):
            # This token is never shown: the device waits until people renew it and enter the next one.
            card_room.renew_device_token(f"{id}/device/{number}", who, name, RESTORE_REASON)
        expired = sorted(login for login, (password, _) in listed.passwords.items() if password and login not in keep)
        for number, login in enumerate(expired, 1):
            new_password = passwords.new_passwords.get(login, "")
            card_room.users.expire_password(
                f"{id}/password/{number}", who, login, RESTORE_REASON, new_password, passwords.address
            )
        if second in expired:
            sign = _make_signer(card_room, passwords.new_passwords[second], passwords.address)

        def confirm() -> None:
            card_room.site.confirm_restore(
                f"{id}/confirmed", who, books, listed.last, listed.users, listed.devices, second=second
            )

        execute_signed(confirm, sign)
    to_recover = tuple(login for login in expired if login not in passwords.new_passwords)
    return RestoreResult(verify(url), renewed._replace(devices=to_renew, users=to_recover))


def _check_new_passwords(
    path: Path | str, people: tuple[str, str], new_passwords: Mapping[str, str], keep: Collection[str]
) -> None:
    """The two people must be able to sign in afterward, and not with a password of the backup."""
    with open_backup(path) as ledger:
        card_room = CardRoom(ledger)
        users = card_room.users.list_users()
        for login in people:
            if login not in users or login in keep:
                continue
            if login not in new_passwords:
                raise NewPasswordMissing(
                    f"The password of {login} in this backup may have been changed since: choose a new one for {login}."
                )
            card_room.users.check_new_password(login, new_passwords[login])


def _make_signer(card_room: CardRoom, password: str, address: str) -> Signer:
    """How the second person signs, whose password is already typed."""
    return lambda to_sign: card_room.users.countersign(
        to_sign, password, permission=Permission.RESTORE, address=address
    )


def _read_key_file(file: Path) -> RoomKey:
    try:
        return read_key(file.read_text("ascii", "replace"), str(file))
    except OSError as wrong:
        raise BadRoomKey(f"{file} cannot be read: {wrong.strerror or wrong}.") from None


def load_machine_key(ledger: Ledger, fallback_key: RoomKey | None = None) -> RoomKey:
    """The key that this machine has for a room, whatever its secrets are encrypted under; a new one if it has none."""
    source = ledger.key_source
    key = source.find_key()
    if key is None and fallback_key is not None and source.file is not None:
        write_key(fallback_key, source.file)
        key = source.find_key()
    return key or create_key(source)


class KeyRotation(NamedTuple):
    """A rotation of the room's key."""

    key: RoomKey
    renewed: KeyRenewal | None = None
    """What was renewed with the room's secret; None where the secret stays."""


class KeyNotWritable(BadRoomKey):
    """The key's source is a place where this program cannot write."""


def rotate_key(
    card_room: CardRoom,
    id: str,
    who: str,
    why: str,
    *,
    second: str | None,
    key_file: Path | None = None,
    secret_signer: Signer | None = None,
) -> KeyRotation:
    """Encrypt every secret of a room under a new key, and put the key in its place; ``key_file`` is a new file for it,
    where the present key does not come from a file. With ``secret_signer`` everything that the old key ever encrypted
    is replaced too: the room's secret and the keys of rounds; it is how the second person signs for each void round."""
    source, present = card_room.ledger.key_source, card_room.ledger.vault.key
    if key_file is None and source.file is None:
        raise KeyNotWritable(
            f"The key comes from {source.description}, which this program cannot change: put the new key in its "
            "place before "
            "a server starts, and name a new file for it."
        )
    place = key_file or source.file
    assert place is not None
    new, waiting = new_key(str(place), place), key_file or next_key_file(place)
    try:
        if key_file is None:
            waiting.unlink(missing_ok=True)  # left by a rotation that changed nothing
        write_key(new, waiting)
    except OSError as wrong:
        raise BadRoomKey(
            f"The new key cannot be written to {waiting}: {wrong.strerror or wrong}. Nothing changed."
        ) from None
    try:
        rotated = card_room.rotate_key(
            id, who, why, new, second=second, key_file=key_file, new_secret=secret_signer is not None
        )
    except BadInput:
        waiting.unlink()
        raise
    if not rotated:  # it was carried out before
        waiting.unlink()
        return KeyRotation(present)
    if key_file is None:
        with suppress(FileNotFoundError):  # another program needed it, and has put it in its place
            os.replace(waiting, place)
    if secret_signer is None:
        return KeyRotation(new)
    assert second is not None
    return KeyRotation(new, card_room.renew_after_rotation(id, who, why, secret_signer, second=second))


class KeyBackup(NamedTuple):
    """A copy of the room's key."""

    key: RoomKey
    is_written: bool
    """Whether it was written now; a command that was carried out before writes nothing, because no person signs it
    again."""


def back_up_key(card_room: CardRoom, id: str, who: str, file: Path, *, second: str | None) -> KeyBackup:
    """Write a room's key to a new file, apart from the database, once two people have signed for that file."""
    database, key = getattr(card_room.ledger.store, "path", None), card_room.ledger.vault.key
    if isinstance(database, Path) and database.resolve().parent == file.resolve().parent:
        raise BadRoomKey(f"{file} is beside the database: store the copy of the key apart from it, on another disk.")
    if file.exists() and card_room.find_command_result(who, id) is None:
        raise BadRoomKey(f"The key cannot be written to {file}: the file exists. Name a new file.")
    if not card_room.record_key_backup(id, who, file, second=second):
        return KeyBackup(key, is_written=False)
    try:
        write_key(key, file)
    except OSError as wrong:
        raise BadRoomKey(
            f"The backup is recorded, but the key cannot be written to {file}: {wrong.strerror or wrong}. Back it up "
            "again with a new id."
        ) from None
    return KeyBackup(key, is_written=True)


def replace_key(card_room: CardRoom, id: str, who: str, why: str, signer: Signer, *, second: str) -> KeyRenewal:
    """Continue with the key that this machine has, or with a new one, after the room's key was lost."""
    lease, source = card_room.ledger.key_fingerprint(), card_room.ledger.key_source
    key = source.find_key()
    if key is not None and key.fingerprint == lease and card_room.can_deal():
        raise BadRoomKey(
            f"The room's key is not lost: it is in {source.description}. Rotate it instead (cardroom key rotate)."
        )
    return card_room.replace_key(id, who, why, load_machine_key(card_room.ledger), signer, second=second)
