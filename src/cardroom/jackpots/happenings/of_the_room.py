"""What happens to the card room as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from cardroom.heads.signed_heads import Cosignature, Leaf, SignedHead
from cardroom.jackpots.contents import LoggerGap, LoggerMark, SensorCounter
from cardroom.jackpots.day_end import ChainEnd, OpenMatter, StoodAt
from cardroom.jackpots.happenings.kind import Happening, declared
from cardroom.jackpots.plain import in_a_row, written_by
from cardroom.jackpots.setup.devices import DeviceKind
from cardroom.jackpots.setup.room import RoomSettings, settings_entry, settings_from

written_by(RoomSettings, settings_entry, settings_from)
in_a_row(Leaf)


@dataclass(frozen=True, slots=True)
class OfTheRoom(Happening):
    """What happens to the room stands on a chain of its own. What holds for all of it needs two people."""

    who: str


@declared("room-set-up")
class RoomSetUp(OfTheRoom):
    """What holds in the whole room from now on."""

    second: str
    why: str
    settings: RoomSettings


@declared("malfunction-reported")
class MalfunctionReported(OfTheRoom):
    """A malfunction has a report: its clock runs from the moment at which it was found."""

    number: str
    table: str | None
    jackpot: str | None
    found_at: int
    due: int | None
    """Until when the report has to go out; None where the jurisdiction sets no hours."""
    why: str


@declared("malfunction-report-sent")
class ReportSent(OfTheRoom):
    """The report went to the commission: its clock stands."""

    number: str
    sent_at: int
    reference: str


@declared("malfunction-report-closed")
class ReportClosed(OfTheRoom):
    """The matter has ended."""

    number: str
    why: str


@declared("unit-moved")
class UnitMoved(OfTheRoom):
    """A tabulator's unit stands at another table from now on, or at none."""

    unit: str
    table: str
    """Empty where it is put away."""
    counters: tuple[SensorCounter, ...]
    """What it shows."""
    logger: LoggerMark | None = None
    """How far the records of its data logger were taken over."""


@declared("day-opened")
class DayOpened(OfTheRoom):
    """A gaming day begins: what happened since the last one was closed belongs to it."""

    day: date


@declared("day-closed")
class DayClosed(OfTheRoom):
    """The line under a gaming day: the last event of every chain that belongs to it, and what was open then."""

    day: date
    ends: tuple[ChainEnd, ...]
    digest: str
    """Of the ends, as one SHA-256."""
    jackpots: tuple[StoodAt, ...]
    open: tuple[OpenMatter, ...]


@declared("heads-sent")
class HeadsSent(OfTheRoom):
    """The heads of all chains went out of the house, so that nobody can rewrite what is behind them unnoticed."""

    day: date | None
    """The day that was closed last."""
    digest: str
    """Of the newest signed head."""
    time: int
    """When it was signed."""
    where: str
    """The destinations that have it."""


@declared("heads-key-recorded")
class HeadsKeyRecorded(OfTheRoom):
    """The public key that signs heads from now on, so that an auditor knows it. Two people replace one."""

    second: str
    why: str
    key: str


@declared("operator-recovered")
class OperatorRecovered(OfTheRoom):
    """Two people at the machine gave an operator a one-time password without the old one. ``who`` and ``other`` are
    names that they typed, not logins, and no one has signed in for it."""

    other: str
    login: str
    account: str
    """The account of the machine that gave the command."""
    at: int


@declared("recovery-acknowledged")
class RecoveryAcknowledged(OfTheRoom):
    """An operator has seen that an operator was recovered at the machine."""

    login: str


@declared("heads-signed")
class HeadsSigned(OfTheRoom):
    """Every chain that advanced since the last signed head is in the log, and the log is signed."""

    head: SignedHead
    leaves: tuple[Leaf, ...]
    """What was added to the log."""
    peaks: tuple[str, ...]
    """The perfect subtrees of the log, so that growth can be proved from this head without reading all before it."""


@declared("heads-cosigned")
class HeadsCosigned(OfTheRoom):
    """A witness cosigned a head."""

    witness: str
    """Its address."""
    cosignature: Cosignature


@declared("clock-confirmed")
class ClockConfirmed(OfTheRoom):
    """An operator says that the clock is right, although it went on more than the machine counted."""

    last: int
    """When the last event before it happened."""


# Equipment that speaks over the network.


@declared("device-registered")
class DeviceRegistered(OfTheRoom):
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


@declared("device-renewed")
class DeviceRenewed(OfTheRoom):
    """The device has another token: the one before it is worth nothing any more."""

    device: str
    generation: int
    why: str
    digest: str
    """Of its token, as when a device is registered."""


@declared("device-withdrawn")
class DeviceWithdrawn(OfTheRoom):
    """The device may not speak any more."""

    device: str
    why: str
    second: str = ""
    """Who refused the rounds that it had sent too many of, too."""


@declared("device-held-up")
class DeviceHeldUp(OfTheRoom):
    """What a device sends does not follow from what is known: people have to look at it."""

    device: str
    why: str
    gap: LoggerGap | None = None
    """Where two people may let its data logger go on."""
    too_many: bool = False
    """Whether it has sent more rounds than its table can have played, which two people accept or refuse."""


@declared("device-went-on")
class DeviceWentOn(OfTheRoom):
    """What the device sends follows again."""

    device: str


@declared("secret-sealed")
class SecretSealed(OfTheRoom):
    """The room has a secret, from which tokens are made, and shows its seal: nobody can exchange it unseen."""

    seal: str
    key: str
    """The fingerprint of the key that secrets in the database are encrypted under."""


@declared("secret-replaced")
class SecretReplaced(OfTheRoom):
    """The room has another secret, because its key was lost or a person who could read it left: every session ends, and
    no token of a device is accepted until the device is renewed."""

    second: str
    why: str
    seal: str
    key: str
    """The fingerprint of the new key."""


@declared("key-rotated")
class KeyRotated(OfTheRoom):
    """Every secret in the database is encrypted under a new key. Nothing else changes."""

    second: str
    why: str
    key: str


@declared("key-backed-up")
class KeyBackedUp(OfTheRoom):
    """Two people wrote the room's key to a file, to keep it apart from the database."""

    second: str
    key: str


@declared("backup-restored")
class BackupRestored(OfTheRoom):
    """A backup was restored: every table has a new key and every session has ended. Two people confirmed each user and
    each device in it, because what changed after the backup is not known here."""

    second: str
    last: int
    """The time of the newest event in the backup."""
    users: tuple[str, ...]
    """Those who can sign in, each with the role."""
    devices: tuple[str, ...]
    """Those that may speak, each with its table and the number of its token."""
