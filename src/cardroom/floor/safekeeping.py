"""Backup while the card room plays on, and restore into an empty database; what was restored is verified whole.

A backup does not know what happened after it was made. So no key of a round in it is ever used: the keys are left out
when it is copied, every table gets a new one, and a round in progress is void. Sessions end. Two people look at the
users and devices in the backup before it is restored, because one of them may have been deactivated since.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

from cardroom.faults import BadInput
from cardroom.floor.desks.room_keys import Replaced
from cardroom.floor.desks.signatures import Sign, Signature, ToSign, Unsigned, carry_out_signed
from cardroom.floor.floor import Floor
from cardroom.floor.kept.chains import felt_of
from cardroom.floor.verification.report import FloorReport
from cardroom.floor.verification.whole import verify
from cardroom.ledger import Ledger, backup_ledger, open_ledger, restore_ledger, schema
from cardroom.ledger import Report as LedgerReport
from cardroom.ledger.room_key import BadKey, RoomKey, coming, make_key, new_key, read_key, write_key

AT_THE_MACHINE = ("the command line", "the house")
"""Who restores a room in which no one can sign in."""


class AccessList(NamedTuple):
    """Who and what has access to a room."""

    users: tuple[str, ...]
    devices: tuple[str, ...]
    last: int
    """The time of the newest event."""

    @property
    def code(self) -> str:
        """What two people type to confirm this list and no other; empty where there is nothing to confirm.

        >>> AccessList(("rosa",), (), 0).code, AccessList((), (), 0).code
        ('ad23-df48', '')
        """
        if not self.users and not self.devices:
            return ""
        digest = sha256("\n".join((*self.users, "", *self.devices)).encode()).hexdigest()
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
    devices = tuple(
        f"{name}, {stands.kind} of {stands.table}, token {stands.generation}"
        + (f", withdrawn: {stands.withdrawn}" if stands.withdrawn else "")
        for name, stands in sorted(floor.devices().items())
    )
    with ledger.store.reading() as now:
        last = max((time for _, _, _, time, _, _ in now.rows(schema.heads)), default=0)
    return AccessList(users, devices, last)


def changes(old: AccessList, backup: AccessList) -> tuple[str, ...]:
    """What a restore undoes, as far as the old database can still be read: each user and device that is not as it was
    when the backup was made."""
    now, then = (*old.users, *old.devices), (*backup.users, *backup.devices)
    return (*(f"now: {one}" for one in now if one not in then), *(f"backup: {one}" for one in then if one not in now))


def backup(ledger: Ledger, path: Path | str) -> LedgerReport:
    """Copy a floor into a new file as it stands now. The copy is checked before it has its name."""
    return backup_ledger(ledger, path)


def restore(
    path: Path | str,
    url: str,
    people: tuple[str, str] = AT_THE_MACHINE,
    key_file: Path | None = None,
    signing: Callable[[Floor], Sign] | None = None,
) -> Restored:
    """Copy a backup into an empty database, renew every key of a round, end every session, and verify the floor there:
    chains, books, meters and every claim. ``key_file`` holds the key that the backup's secrets are encrypted under,
    where it is not in its place on this machine; ``signing`` is how the second person signs on the restored floor."""
    given = None if key_file is None else _given(key_file)
    restore_ledger(path, url, lambda chain: felt_of(chain) is not None)
    id, (who, second) = f"restore/{token_hex(8)}", people
    with open_ledger(url) as ledger:
        ledger.trust_clock()
        floor, listed = Floor(ledger), access_list(ledger)
        books, sign = floor.books(), signing(floor) if signing else _unsigned
        renewed = floor.after_restore(id, who, second, machine_key(ledger, given), sign)

        def confirm() -> None:
            floor.confirm_restore(
                f"{id}/confirmed", who, books, listed.last, listed.users, listed.devices, second=second
            )

        carry_out_signed(confirm, sign)
    return Restored(verify(url), renewed)


def _given(file: Path) -> RoomKey:
    try:
        return read_key(file.read_text("ascii", "replace"), str(file))
    except OSError as wrong:
        raise BadKey(f"{file} cannot be read: {wrong.strerror or wrong}.") from None


def _unsigned(to_sign: ToSign) -> Signature:
    raise Unsigned(to_sign)


def machine_key(ledger: Ledger, given: RoomKey | None = None) -> RoomKey:
    """The key that this machine has for a room, whatever its secrets are encrypted under; a new one if it has none."""
    source = ledger.key_source
    key = source.find()
    if key is None and given is not None and source.file is not None:
        write_key(given, source.file)
        key = source.find()
    return key or make_key(source)


class KeyElsewhere(BadKey):
    """A key that comes from where this program cannot write."""


def rotate_key(floor: Floor, id: str, who: str, why: str, *, second: str | None, to: Path | None = None) -> RoomKey:
    """Encrypt every secret of a room under a new key, and put the key in its place; ``to`` is a new file for it, where
    the present key comes from elsewhere than a file."""
    source, present = floor.ledger.key_source, floor.ledger.vault.key
    if to is None and source.file is None:
        raise KeyElsewhere(
            f"The key comes from {source.words}, which this program cannot change: put the new key in its place before "
            "a server starts, and name a new file for it."
        )
    place = to or source.file
    assert place is not None
    new, waiting = new_key(str(place), place), to or coming(place)
    try:
        if to is None:
            waiting.unlink(missing_ok=True)  # left by a rotation that changed nothing
        write_key(new, waiting)
    except OSError as wrong:
        raise BadKey(
            f"The new key cannot be written to {waiting}: {wrong.strerror or wrong}. Nothing changed."
        ) from None
    try:
        rotated = floor.rotate_key(id, who, why, new, second=second)
    except BadInput:
        waiting.unlink()
        raise
    if not rotated:  # it was carried out before
        waiting.unlink()
        return present
    if to is None:
        os.replace(waiting, place)
    return new


def back_up_key(floor: Floor, id: str, who: str, file: Path, *, second: str | None) -> RoomKey:
    """Write a room's key to a new file, apart from the database."""
    database, key = getattr(floor.ledger.store, "path", None), floor.ledger.vault.key
    if isinstance(database, Path) and database.resolve().parent == file.resolve().parent:
        raise BadKey(f"{file} is beside the database: keep the copy of the key apart from it, on another disk.")
    try:
        write_key(key, file)
    except OSError as wrong:
        raise BadKey(f"The key cannot be written to {file}: {wrong.strerror or wrong}.") from None
    try:
        floor.note_key_backup(id, who, second=second)
    except BaseException:
        with suppress(OSError):
            file.unlink()
        raise
    return key


def replace_key(floor: Floor, id: str, who: str, why: str, sign: Sign, *, second: str) -> Replaced:
    """Go on with the key that this machine has, or with a new one, after the room's key was lost."""
    under, source = floor.ledger.key_fingerprint(), floor.ledger.key_source
    found = source.find()
    if found is not None and found.fingerprint == under and floor.can_deal():
        raise BadKey(f"The room's key is not lost: {source.words} holds it. Rotate it instead (cardroom key rotate).")
    return floor.replace_key(id, who, why, machine_key(floor.ledger), sign, second=second)
