"""Backup while the card room plays on, and restore into an empty database; what was restored is verified whole.

A backup does not know what happened after it was made. So no key of a round in it is ever used: the keys are left out
when it is copied, every table gets a new one, and a round in progress is void. Sessions end. Two people look at the
users and devices in the backup before it is restored, because one of them may have been deactivated since. No password
and no device token of the backup is accepted any more, except where the old database shows that it was not changed
since.
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
from cardroom.floor.desks.room_keys import RESTORED, Replaced
from cardroom.floor.desks.signatures import Sign, carry_out_signed
from cardroom.floor.floor import Floor
from cardroom.floor.kept.chains import felt_of
from cardroom.floor.people.permissions import Right
from cardroom.floor.verification.report import FloorReport
from cardroom.floor.verification.whole import verify
from cardroom.ledger import Ledger, backup_ledger, open_backup, open_ledger, restore_ledger, schema
from cardroom.ledger import LedgerReport as LedgerReport
from cardroom.ledger.encryption import BadRoomKey, RoomKey, create_key, new_key, next_key_file, read_key, write_key

AT_THE_MACHINE = ("the command line", "the house")
"""Who restores a room in which no one can sign in."""


class DeviceToken(NamedTuple):
    """What decides whether a device's token is accepted."""

    table: str
    kind: str
    generation: int
    digest: str
    secret: str
    """The digest of the room's secret, which the token's digest is keyed with."""


class AccessList(NamedTuple):
    """Who and what has access to a room."""

    users: tuple[str, ...]
    devices: tuple[str, ...]
    last: int
    """The time of the newest event."""
    passwords: Mapping[str, tuple[str, str]] = {}
    """The digests of the hashes of each active user's password and PIN, by login."""
    tokens: Mapping[str, DeviceToken] = {}
    """The token of each device that is not withdrawn, by name."""
    changed: tuple[str, ...] = ()
    """What is different in the old database; empty where it was not compared."""

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


class Restored(NamedTuple):
    """What was found, and what was renewed."""

    report: FloorReport
    renewed: Replaced


def access_list(ledger: Ledger) -> AccessList:
    """The users and devices of a room, each with its state."""
    floor = Floor(ledger)
    people = [floor.person(login) for login in floor.people()]
    users = tuple(
        f"{one.login} ({one.name}), {one.role}"
        + (f", deactivated: {one.dismissed}" if one.dismissed else ", one-time password" if one.once_until else "")
        for one in people
    )
    passwords = {one.login: (one.password, one.pin) for one in people if one.is_active}
    devices = tuple(
        f"{name}, {stands.kind} of {stands.table}, token {stands.generation}"
        + (f", withdrawn: {stands.withdrawn}" if stands.withdrawn else "")
        for name, stands in sorted(floor.devices().items())
    )
    secret = floor.room().secret
    tokens = {
        name: DeviceToken(stands.table, stands.kind, stands.generation, stands.digest, secret)
        for name, stands in sorted(floor.devices().items())
        if not stands.withdrawn
    }
    with ledger.store.read() as now:
        last = max((time for _, _, _, time, _, _ in now.rows(schema.heads)), default=0)
    return AccessList(users, devices, last, passwords, tokens)


def compare(old: AccessList, backup: AccessList) -> AccessList:
    """The list of a backup with what a restore undoes, as far as the old database can still be read: each user and
    device that is not as it was when the backup was made, each user who has another password or PIN since, and each
    device that has another token."""
    now, then = (*old.users, *old.devices), (*backup.users, *backup.devices)
    lines = [f"now: {one}" for one in now if one not in then] + [f"backup: {one}" for one in then if one not in now]
    for login, (password, pin) in backup.passwords.items():
        password_now, pin_now = old.passwords.get(login, (password, pin))
        differs = [what for what, same in (("password", password_now == password), ("PIN", pin_now == pin)) if not same]
        if differs:
            lines.append(f"now: {login} has another {' and another '.join(differs)}")
    for name, token in backup.tokens.items():
        if old.tokens.get(name, token) != token:
            lines.append(f"now: {name} has another token")
    return backup._replace(changed=tuple(lines))


def unchanged_passwords(old: AccessList, backup: AccessList) -> frozenset[str]:
    """The users whose password and PIN are the same in the old database: a restore brings no old one back."""
    return frozenset(login for login, both in backup.passwords.items() if both[0] and old.passwords.get(login) == both)


def unchanged_devices(old: AccessList, backup: AccessList) -> frozenset[str]:
    """The devices whose token is the same in the old database, and which are not withdrawn there."""
    return frozenset(name for name, token in backup.tokens.items() if old.tokens.get(name) == token)


class TypedPasswords(NamedTuple):
    """What the two people who restore typed at the machine."""

    second: str
    """The password that the second person has in the backup."""
    chosen: Mapping[str, str]
    """The new passwords that they chose, by login."""
    address: str


class NothingChosen(BadInput):
    """A person who restores a backup, and would be left without a password."""


def backup(ledger: Ledger, path: Path | str) -> LedgerReport:
    """Copy a floor into a new file as it stands now. The copy is checked before it has its name."""
    return backup_ledger(ledger, path)


def restore(
    path: Path | str,
    url: str,
    people: tuple[str, str] = AT_THE_MACHINE,
    key_file: Path | None = None,
    typed: TypedPasswords | None = None,
    keep: Collection[str] = (),
    keep_devices: Collection[str] = (),
) -> Restored:
    """Copy a backup into an empty database, renew every key of a round, end every session, every password and every
    device token, and verify the floor there: chains, books, meters and every claim. ``key_file`` holds the key that the
    backup's secrets are encrypted under, where it is not in its place on this machine; ``keep`` names the users whose
    password was not changed since the backup (`unchanged_passwords`), and ``keep_devices`` the devices whose token was
    not (`unchanged_devices`).

    Until the two people have confirmed what was restored, the database is opened for nothing else."""
    given = None if key_file is None else _given(key_file)
    typed = typed or TypedPasswords("", {}, "")
    _check_chosen(path, people, typed.chosen, keep)
    restore_ledger(path, url, lambda chain: felt_of(chain) is not None)
    id, (who, second) = f"restore/{token_hex(8)}", people
    with open_ledger(url, is_restore=True) as ledger:
        ledger.trust_clock()
        floor, listed = Floor(ledger), access_list(ledger)
        books, sign = floor.books(), _signing(floor, typed.second, typed.address)
        renewed = floor.after_restore(id, who, second, machine_key(ledger, given), sign)
        to_renew = tuple(name for name in listed.tokens if name not in keep_devices or name in renewed.devices)
        for number, name in enumerate(to_renew, 1):
            # No one gets this token: the device waits until people renew it and bring it the next one.
            floor.renew_device(f"{id}/device/{number}", who, name, RESTORED)
        ended = sorted(login for login, (password, _) in listed.passwords.items() if password and login not in keep)
        for number, login in enumerate(ended, 1):
            chosen = typed.chosen.get(login, "")
            floor.end_password(f"{id}/password/{number}", who, login, RESTORED, chosen, typed.address)
        if second in ended:
            sign = _signing(floor, typed.chosen[second], typed.address)

        def confirm() -> None:
            floor.confirm_restore(
                f"{id}/confirmed", who, books, listed.last, listed.users, listed.devices, second=second
            )

        carry_out_signed(confirm, sign)
    to_recover = tuple(login for login in ended if login not in typed.chosen)
    return Restored(verify(url), renewed._replace(devices=to_renew, users=to_recover))


def _check_chosen(path: Path | str, people: tuple[str, str], chosen: Mapping[str, str], keep: Collection[str]) -> None:
    """The two people must be able to sign in afterward, and not with a password of the backup."""
    with open_backup(path) as ledger:
        floor = Floor(ledger)
        users = floor.people()
        for login in people:
            if login not in users or login in keep:
                continue
            if login not in chosen:
                raise NothingChosen(
                    f"The password of {login} in this backup may have been changed since: choose a new one for {login}."
                )
            floor.check_another_password(login, chosen[login])


def _signing(floor: Floor, password: str, address: str) -> Sign:
    """How the second person signs, who has typed the password already."""
    return lambda to_sign: floor.sign(to_sign, password, right=Right.RESTORE, address=address)


def _given(file: Path) -> RoomKey:
    try:
        return read_key(file.read_text("ascii", "replace"), str(file))
    except OSError as wrong:
        raise BadRoomKey(f"{file} cannot be read: {wrong.strerror or wrong}.") from None


def machine_key(ledger: Ledger, given: RoomKey | None = None) -> RoomKey:
    """The key that this machine has for a room, whatever its secrets are encrypted under; a new one if it has none."""
    source = ledger.key_source
    key = source.find_key()
    if key is None and given is not None and source.file is not None:
        write_key(given, source.file)
        key = source.find_key()
    return key or create_key(source)


class Rotated(NamedTuple):
    """A rotation of the room's key."""

    key: RoomKey
    renewed: Replaced | None = None
    """What was renewed with the room's secret; None where the secret stays."""


class KeyElsewhere(BadRoomKey):
    """A key that comes from where this program cannot write."""


def rotate_key(
    floor: Floor,
    id: str,
    who: str,
    why: str,
    *,
    second: str | None,
    to: Path | None = None,
    new_secret: Sign | None = None,
) -> Rotated:
    """Encrypt every secret of a room under a new key, and put the key in its place; ``to`` is a new file for it, where
    the present key comes from elsewhere than a file. With ``new_secret`` everything that the old key ever encrypted is
    replaced too: the room's secret and the keys of rounds; it is how the second person signs for each round that is
    void."""
    source, present = floor.ledger.key_source, floor.ledger.vault.key
    if to is None and source.file is None:
        raise KeyElsewhere(
            f"The key comes from {source.description}, which this program cannot change: put the new key in its "
            "place before "
            "a server starts, and name a new file for it."
        )
    place = to or source.file
    assert place is not None
    new, waiting = new_key(str(place), place), to or next_key_file(place)
    try:
        if to is None:
            waiting.unlink(missing_ok=True)  # left by a rotation that changed nothing
        write_key(new, waiting)
    except OSError as wrong:
        raise BadRoomKey(
            f"The new key cannot be written to {waiting}: {wrong.strerror or wrong}. Nothing changed."
        ) from None
    try:
        rotated = floor.rotate_key(id, who, why, new, second=second, to=to, new_secret=new_secret is not None)
    except BadInput:
        waiting.unlink()
        raise
    if not rotated:  # it was carried out before
        waiting.unlink()
        return Rotated(present)
    if to is None:
        with suppress(FileNotFoundError):  # another program needed it, and has put it in its place
            os.replace(waiting, place)
    if new_secret is None:
        return Rotated(new)
    assert second is not None
    return Rotated(new, floor.renew_after_rotation(id, who, why, new_secret, second=second))


class KeyBackup(NamedTuple):
    """A copy of the room's key."""

    key: RoomKey
    written: bool
    """Whether it was written now; a command that was carried out before writes nothing, because no one signs it
    again."""


def back_up_key(floor: Floor, id: str, who: str, file: Path, *, second: str | None) -> KeyBackup:
    """Write a room's key to a new file, apart from the database, once two people have signed for that file."""
    database, key = getattr(floor.ledger.store, "path", None), floor.ledger.vault.key
    if isinstance(database, Path) and database.resolve().parent == file.resolve().parent:
        raise BadRoomKey(f"{file} is beside the database: keep the copy of the key apart from it, on another disk.")
    if file.exists() and floor.carried(who, id) is None:
        raise BadRoomKey(f"The key cannot be written to {file}: the file exists. Name a new file.")
    if not floor.note_key_backup(id, who, file, second=second):
        return KeyBackup(key, written=False)
    try:
        write_key(key, file)
    except OSError as wrong:
        raise BadRoomKey(
            f"The backup is recorded, but the key cannot be written to {file}: {wrong.strerror or wrong}. Back it up "
            "again with a new id."
        ) from None
    return KeyBackup(key, written=True)


def replace_key(floor: Floor, id: str, who: str, why: str, sign: Sign, *, second: str) -> Replaced:
    """Go on with the key that this machine has, or with a new one, after the room's key was lost."""
    under, source = floor.ledger.key_fingerprint(), floor.ledger.key_source
    found = source.find_key()
    if found is not None and found.fingerprint == under and floor.can_deal():
        raise BadRoomKey(
            f"The room's key is not lost: {source.description} holds it. Rotate it instead (cardroom key rotate)."
        )
    return floor.replace_key(id, who, why, machine_key(floor.ledger), sign, second=second)
