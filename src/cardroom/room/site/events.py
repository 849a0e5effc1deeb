"""The events of the card room as a whole, and the contents of a closed gaming day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from cardroom.chart_of_accounts import Amount
from cardroom.heads.signed_heads import Cosignature, Leaf, SignedHead
from cardroom.room.codec import array_like, register_codec
from cardroom.room.event_types import DomainEvent, event_type
from cardroom.room.jackpot.event_values import LoggerGap, LoggerMark, SensorCounter
from cardroom.room.setup.site import SiteSettings, site_settings_from_mapping, site_settings_to_mapping
from cardroom.room.setup.tabulator_models import DeviceKind


@array_like
class ChainEnd(NamedTuple):
    """The last event of a chain that belongs to the day."""

    chain: str
    sequence: int
    hash: str


@array_like
class JackpotDayEnd(NamedTuple):
    """A jackpot at the end of the day: its counts since it was opened, what it owes, and the money that covers it."""

    jackpot: str
    counted: int
    wagered: Amount
    owed: Amount
    escrow: Amount
    undeposited: Amount
    cage_advance: Amount


class DayOpenItemKind(StrEnum):
    """The kinds of open items at the close of a day."""

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
    """An open item at the close of a day."""

    what: DayOpenItemKind
    of: str
    words: str


def chain_ends_digest(ends: Sequence[ChainEnd]) -> str:
    """One digest of all chain ends.

    >>> chain_ends_digest([ChainEnd("tabulator:prime-1", 7, "ab")])[:16]
    '3fa725c5b114a918'
    """
    lines = "".join(f"{end.chain}\t{end.sequence}\t{end.hash}\n" for end in sorted(ends))
    return sha256(lines.encode()).hexdigest()


register_codec(SiteSettings, site_settings_to_mapping, site_settings_from_mapping)
array_like(Leaf)


@dataclass(frozen=True, slots=True)
class SiteEvent(DomainEvent):
    """An event on the chain of the site. Changes of the settings need two people."""

    who: str


@event_type("site-configured")
class SiteConfigured(SiteEvent):
    """The card room's settings change."""

    second: str
    why: str
    settings: SiteSettings


@event_type("malfunction-reported")
class MalfunctionReported(SiteEvent):
    """A malfunction report is opened: its clock runs from the time when the malfunction was found."""

    number: str
    table: str | None
    jackpot: str | None
    found_at: int
    due: int | None
    """When the report is due; None if the jurisdiction sets no hours."""
    why: str


@event_type("malfunction-report-sent")
class MalfunctionReportSent(SiteEvent):
    """The report was sent to the commission: its clock stops."""

    number: str
    sent_at: int
    reference: str


@event_type("malfunction-report-closed")
class MalfunctionReportClosed(SiteEvent):
    """The report is closed."""

    number: str
    why: str


@event_type("unit-moved")
class UnitMoved(SiteEvent):
    """A tabulator's unit moves to another table or into storage."""

    unit: str
    table: str
    """Empty for storage."""
    counters: tuple[SensorCounter, ...]
    """The counter values."""
    logger: LoggerMark | None = None
    """The last stored record of its data logger."""


@event_type("day-opened")
class DayOpened(SiteEvent):
    """A gaming day opens: all events since the close of the previous day belong to it."""

    day: date


@event_type("day-closed")
class DayClosed(SiteEvent):
    """A gaming day closes, with the last event of every chain and the open items."""

    day: date
    ends: tuple[ChainEnd, ...]
    digest: str
    """The SHA-256 of the chain ends."""
    jackpots: tuple[JackpotDayEnd, ...]
    open: tuple[DayOpenItem, ...]


@event_type("heads-exported")
class HeadsExported(SiteEvent):
    """The heads of all chains were exported, so that a later change of the chains is noticed."""

    day: date | None
    """The last closed day."""
    digest: str
    """The digest of the newest signed head."""
    time: int
    """When it was signed."""
    where: str
    """The destinations that received it."""


@event_type("heads-key-recorded")
class HeadsKeyRecorded(SiteEvent):
    """The public key that signs heads is recorded for auditors. Two people replace one."""

    second: str
    why: str
    key: str


@event_type("operator-recovered")
class OperatorRecovered(SiteEvent):
    """Two people at the machine gave an operator a one-time password without the old one. ``who`` and ``other`` are
    names that they typed, not logins of signed-in users."""

    other: str
    login: str
    account: str
    """The machine's account that ran the command."""
    at: int


@event_type("recovery-acknowledged")
class RecoveryAcknowledged(SiteEvent):
    """An operator acknowledges that an operator was recovered at the machine."""

    login: str


@event_type("heads-signed")
class HeadsSigned(SiteEvent):
    """The log of heads gets every chain that advanced since the last signed head, and is signed."""

    head: SignedHead
    leaves: tuple[Leaf, ...]
    """The entries added to the log."""
    peaks: tuple[str, ...]
    """The perfect subtrees of the log, so that growth can be proved from this head without reading earlier events."""


@event_type("heads-cosigned")
class HeadsCosigned(SiteEvent):
    """A witness cosigns a head."""

    witness: str
    """Its address."""
    cosignature: Cosignature


@event_type("clock-confirmed")
class ClockConfirmed(SiteEvent):
    """An operator confirms a clock that advanced by more than the machine counted."""

    last: int
    """The time of the last event before it."""


# Equipment on the network.


@event_type("device-registered")
class DeviceRegistered(SiteEvent):
    """A device is registered for a table, with a token of this generation."""

    device: str
    table: str
    device_kind: DeviceKind
    generation: int
    """Above every earlier generation of this name, so that no old token becomes valid."""
    digest: str
    """The digest of its token."""
    since: int
    """When it was registered."""


@event_type("device-renewed")
class DeviceRenewed(SiteEvent):
    """The device gets a new token, and the earlier one is invalid."""

    device: str
    generation: int
    why: str
    digest: str
    """The digest of its token."""


@event_type("device-withdrawn")
class DeviceWithdrawn(SiteEvent):
    """The device is withdrawn, and its token is invalid."""

    device: str
    why: str
    second: str = ""
    """The second person, if two people refused its excess rounds."""


@event_type("device-blocked")
class DeviceBlocked(SiteEvent):
    """A device is blocked: its data contradicts the ledger, and people must decide."""

    device: str
    why: str
    gap: LoggerGap | None = None
    """Where its data logger continues if two people accept the gap."""
    too_many: bool = False
    """Whether it has sent more rounds than its table can have dealt, which two people accept or refuse."""


@event_type("device-unblocked")
class DeviceUnblocked(SiteEvent):
    """The device is no longer blocked."""

    device: str


@event_type("secret-recorded")
class SecretRecorded(SiteEvent):
    """The digest of the card room's secret, which keys tokens, is recorded, so that a replaced secret is noticed."""

    digest: str
    key: str
    """The fingerprint of the key that encrypts secrets in the database."""


@event_type("secret-replaced")
class SecretReplaced(SiteEvent):
    """The card room's secret is replaced, because its key was lost or a person who could read it left: every session
    ends, and every device must be renewed."""

    second: str
    why: str
    digest: str
    key: str
    """The fingerprint of the new key."""


@event_type("key-rotated")
class KeyRotated(SiteEvent):
    """Every secret in the database is encrypted with a new key. Nothing else changes."""

    second: str
    why: str
    key: str


@event_type("key-backed-up")
class KeyBackedUp(SiteEvent):
    """Two people wrote the card room's key to a file, to store it apart from the database."""

    second: str
    key: str


@event_type("backup-restored")
class BackupRestored(SiteEvent):
    """A backup was restored: every table has a new key and every session has ended. Two people confirmed each user and
    device, because changes after the backup are unknown."""

    second: str
    last: int
    """The time of the newest event in the backup."""
    users: tuple[str, ...]
    """The users who can sign in, each with the role."""
    devices: tuple[str, ...]
    """The active devices, each with its table and token generation."""
