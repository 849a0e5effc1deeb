"""What stands under a gaming day when it is closed: where every chain ended, and what was open.

What happens to the card room as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from cardroom.accounts import Amount
from cardroom.heads.signed_heads import Cosignature, Leaf, SignedHead
from cardroom.room.codec import array_like, register_codec
from cardroom.room.event_types import DomainEvent, event_type
from cardroom.room.jackpot.event_values import LoggerGap, LoggerMark, SensorCounter
from cardroom.room.setup.equipment import DeviceKind
from cardroom.room.setup.site import SiteSettings, site_settings_from_mapping, site_settings_to_mapping


@array_like
class ChainEnd(NamedTuple):
    """The last event of a chain that belongs to the day."""

    chain: str
    sequence: int
    hash: str


@array_like
class JackpotDayEnd(NamedTuple):
    """A jackpot at the end of the day: what was counted since it was opened, what it owes and what covers it."""

    jackpot: str
    counted: int
    wagered: Amount
    owed: Amount
    escrow: Amount
    undeposited: Amount
    cage_advance: Amount


class DayOpenItemKind(StrEnum):
    """What may be open when a day is closed."""

    RECOVERY = "operator recovered at the machine"
    CLAIM = "claim pending"
    REPORT = "malfunction"
    BROKEN = "tabulator broken"
    DEVICE_BLOCKED = "device held up"
    DEPOSIT = "deposit due"
    CAGE = "cage to be paid back"
    RECONCILIATION = "reconciliation due"
    SURPLUS = "surplus at the bank"
    CHANGE = "change waits"


class DayOpenItem(NamedTuple):
    """Something that was open, and of what."""

    what: DayOpenItemKind
    of: str
    words: str


def chain_ends_digest(ends: Sequence[ChainEnd]) -> str:
    """All ends in one number, to copy by hand.

    >>> chain_ends_digest([ChainEnd("tabulator:prime-1", 7, "ab")])[:16]
    '3fa725c5b114a918'
    """
    lines = "".join(f"{end.chain}\t{end.sequence}\t{end.hash}\n" for end in sorted(ends))
    return sha256(lines.encode()).hexdigest()


register_codec(SiteSettings, site_settings_to_mapping, site_settings_from_mapping)
array_like(Leaf)


@dataclass(frozen=True, slots=True)
class SiteEvent(DomainEvent):
    """What happens to the room stands on a chain of its own. What holds for all of it needs two people."""

    who: str


@event_type("site-configured")
class SiteConfigured(SiteEvent):
    """What holds in the whole room from now on."""

    second: str
    why: str
    settings: SiteSettings


@event_type("malfunction-reported")
class MalfunctionReported(SiteEvent):
    """A malfunction has a report: its clock runs from the moment at which it was found."""

    number: str
    table: str | None
    jackpot: str | None
    found_at: int
    due: int | None
    """Until when the report has to go out; None where the jurisdiction sets no hours."""
    why: str


@event_type("malfunction-report-sent")
class MalfunctionReportSent(SiteEvent):
    """The report went to the commission: its clock stands."""

    number: str
    sent_at: int
    reference: str


@event_type("malfunction-report-closed")
class MalfunctionReportClosed(SiteEvent):
    """The matter has ended."""

    number: str
    why: str


@event_type("unit-moved")
class UnitMoved(SiteEvent):
    """A tabulator's unit stands at another table from now on, or at none."""

    unit: str
    table: str
    """Empty where it is put away."""
    counters: tuple[SensorCounter, ...]
    """What it shows."""
    logger: LoggerMark | None = None
    """How far the records of its data logger were taken over."""


@event_type("day-opened")
class DayOpened(SiteEvent):
    """A gaming day begins: what happened since the last one was closed belongs to it."""

    day: date


@event_type("day-closed")
class DayClosed(SiteEvent):
    """The line under a gaming day: the last event of every chain that belongs to it, and what was open then."""

    day: date
    ends: tuple[ChainEnd, ...]
    digest: str
    """Of the ends, as one SHA-256."""
    jackpots: tuple[JackpotDayEnd, ...]
    open: tuple[DayOpenItem, ...]


@event_type("heads-exported")
class HeadsExported(SiteEvent):
    """The heads of all chains went out of the house, so that nobody can rewrite what is behind them unnoticed."""

    day: date | None
    """The day that was closed last."""
    digest: str
    """Of the newest signed head."""
    time: int
    """When it was signed."""
    where: str
    """The destinations that have it."""


@event_type("heads-key-recorded")
class HeadsKeyRecorded(SiteEvent):
    """The public key that signs heads from now on, so that an auditor knows it. Two people replace one."""

    second: str
    why: str
    key: str


@event_type("operator-recovered")
class OperatorRecovered(SiteEvent):
    """Two people at the machine gave an operator a one-time password without the old one. ``who`` and ``other`` are
    names that they typed, not logins, and no one has signed in for it."""

    other: str
    login: str
    account: str
    """The account of the machine that gave the command."""
    at: int


@event_type("recovery-acknowledged")
class RecoveryAcknowledged(SiteEvent):
    """An operator has seen that an operator was recovered at the machine."""

    login: str


@event_type("heads-signed")
class HeadsSigned(SiteEvent):
    """Every chain that advanced since the last signed head is in the log, and the log is signed."""

    head: SignedHead
    leaves: tuple[Leaf, ...]
    """What was added to the log."""
    peaks: tuple[str, ...]
    """The perfect subtrees of the log, so that growth can be proved from this head without reading all before it."""


@event_type("heads-cosigned")
class HeadsCosigned(SiteEvent):
    """A witness cosigned a head."""

    witness: str
    """Its address."""
    cosignature: Cosignature


@event_type("clock-confirmed")
class ClockConfirmed(SiteEvent):
    """An operator says that the clock is right, although it went on more than the machine counted."""

    last: int
    """When the last event before it happened."""


# Equipment that speaks over the network.


@event_type("device-registered")
class DeviceRegistered(SiteEvent):
    """A device may speak for a table from now on, with the token of its generation."""

    device: str
    table: str
    device_kind: DeviceKind
    generation: int
    """Above every one that a device of this name had before, so that no old token comes back."""
    digest: str
    """Of its token."""
    since: int
    """When."""


@event_type("device-renewed")
class DeviceRenewed(SiteEvent):
    """The device has another token: the one before it is worth nothing any more."""

    device: str
    generation: int
    why: str
    digest: str
    """Of its token, as when a device is registered."""


@event_type("device-withdrawn")
class DeviceWithdrawn(SiteEvent):
    """The device may not speak any more."""

    device: str
    why: str
    second: str = ""
    """Who refused the rounds that it had sent too many of, too."""


@event_type("device-blocked")
class DeviceBlocked(SiteEvent):
    """What a device sends does not follow from what is known: people have to look at it."""

    device: str
    why: str
    gap: LoggerGap | None = None
    """Where two people may let its data logger go on."""
    too_many: bool = False
    """Whether it has sent more rounds than its table can have played, which two people accept or refuse."""


@event_type("device-unblocked")
class DeviceUnblocked(SiteEvent):
    """What the device sends follows again."""

    device: str


@event_type("secret-recorded")
class SecretRecorded(SiteEvent):
    """The room has a secret, from which tokens are made, and shows its seal: nobody can exchange it unseen."""

    digest: str
    key: str
    """The fingerprint of the key that secrets in the database are encrypted under."""


@event_type("secret-replaced")
class SecretReplaced(SiteEvent):
    """The room has another secret, because its key was lost or a person who could read it left: every session ends, and
    no token of a device is accepted until the device is renewed."""

    second: str
    why: str
    digest: str
    key: str
    """The fingerprint of the new key."""


@event_type("key-rotated")
class KeyRotated(SiteEvent):
    """Every secret in the database is encrypted under a new key. Nothing else changes."""

    second: str
    why: str
    key: str


@event_type("key-backed-up")
class KeyBackedUp(SiteEvent):
    """Two people wrote the room's key to a file, to keep it apart from the database."""

    second: str
    key: str


@event_type("backup-restored")
class BackupRestored(SiteEvent):
    """A backup was restored: every table has a new key and every session has ended. Two people confirmed each user and
    each device in it, because what changed after the backup is not known here."""

    second: str
    last: int
    """The time of the newest event in the backup."""
    users: tuple[str, ...]
    """Those who can sign in, each with the role."""
    devices: tuple[str, ...]
    """Those that may speak, each with its table and the number of its token."""
