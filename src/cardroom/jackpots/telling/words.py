"""Events of jackpots and tables in words: what happened, for what reason, and what else a reader has to know.

Every event has its words here and nowhere else: in full for a report, in short for a line on the screen. How amounts
are written is the reader's: a report has all their digits, a screen has dollars and cents.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from cardroom.jackpots import happenings
from cardroom.jackpots.contents import LoggerStamp
from cardroom.jackpots.reasons import Increase, Reduction
from cardroom.jackpots.telling.phrases import HOUSE, Payload


class Words(NamedTuple):
    """What happened: in full, and in short where no reason of the regulation stands in its place."""

    full: str
    short: str = ""


_HAPPENED: Final = {
    happenings.JackpotOpened.kind: Words("Jackpot opened", "opened"),
    happenings.TableJoined.kind: Words("Table joined", "table joined"),
    happenings.TableLeft.kind: Words("Table left", "table left"),
    happenings.WagersCounted.kind: Words("Wagers counted"),
    happenings.PrizesPaid.kind: Words("Fixed prizes paid by the house", f"fixed prizes, paid by {HOUSE}"),
    happenings.PrizesTakenBack.kind: Words("Fixed prizes taken back", "fixed prizes taken back"),
    happenings.ClaimLocked.kind: Words("Prize claimed and locked", "fixed prize claimed"),
    happenings.ClaimJoined.kind: Words("Prize claimed beside others of its round", "claimed beside others"),
    happenings.ChangeRequested.kind: Words("Change asked for; it waits for the reset", "change waits for the reset"),
    happenings.ChangeApplied.kind: Words("Parameters changed", "changed"),
    happenings.MeterReset.kind: Words("Meter reset"),
    happenings.ClaimPaid.kind: Words("Prize verified and paid", "claim paid"),
    happenings.ClaimRefused.kind: Words("Prize refused"),
    happenings.Adjusted.kind: Words("Meter adjusted"),
    happenings.WagersTakenBack.kind: Words("Wagers taken back"),
    happenings.Deposited.kind: Words("Deposited at the bank", "deposit to the bank"),
    happenings.CageReimbursed.kind: Words("Cage reimbursed by the bank account", "cage reimbursed"),
    happenings.Reconciled.kind: Words("Held against the bank's statement", "reconciled"),
    happenings.JackpotClosed.kind: Words("Closed: the bank account is short", "closed"),
    happenings.JackpotReopened.kind: Words("Opened again: the shortage is made good", "opened again"),
    happenings.JackpotDisabled.kind: Words("Disabled", "disabled"),
    happenings.JackpotEnabled.kind: Words("Enabled", "enabled"),
    happenings.BonusChanged.kind: Words("Operator's bonus changed", "bonus changed"),
    happenings.JackpotRemoved.kind: Words("Bonus jackpot removed", "removed"),
    happenings.TableSetUp.kind: Words("Table set up", "set up"),
    happenings.TableChanged.kind: Words("Table changed", "changed"),
    happenings.TableClosed.kind: Words("Table closed", "closed"),
    happenings.RoundTabulated.kind: Words("Counted by the tabulator", "tabulated"),
    happenings.CountedByHand.kind: Words("Counted by hand", "counted by hand"),
    happenings.RoundsAccepted.kind: Words("Rounds of a device accepted", "rounds accepted"),
    happenings.CounterRead.kind: Words("Counter read", "read off the counter"),
    happenings.ReadingTakenBack.kind: Words("Reading taken back", "reading taken back"),
    happenings.RecordsPassedOver.kind: Words("Records passed over", "records passed over"),
    happenings.RoundVoided.kind: Words("Declared void", "void"),
    happenings.TabulatorBroken.kind: Words("Tabulator broken", "tabulator broken"),
    happenings.TabulatorRepaired.kind: Words("Tabulator repaired", "tabulator repaired"),
    happenings.LightsFailed.kind: Words("Lights reported", "lights reported"),
    happenings.UnitMoved.kind: Words("Unit moved", "unit moved"),
    happenings.RoomSetUp.kind: Words("Room set up", "set up"),
    happenings.MalfunctionReported.kind: Words("Malfunction reported", "reported"),
    happenings.ReportSent.kind: Words("Report sent to the commission", "sent"),
    happenings.ReportClosed.kind: Words("Report of a malfunction closed", "closed"),
    happenings.DayOpened.kind: Words("Gaming day opened", "day opened"),
    happenings.DayClosed.kind: Words("Gaming day closed", "day closed"),
    happenings.HeadsSent.kind: Words("Heads of all chains sent out", "heads sent"),
    happenings.HeadsKeyRecorded.kind: Words("Key that signs heads recorded", "heads key recorded"),
    happenings.OperatorRecovered.kind: Words("Operator recovered at the machine", "operator recovered"),
    happenings.RecoveryAcknowledged.kind: Words("Recovery at the machine acknowledged", "recovery acknowledged"),
    happenings.HeadsSigned.kind: Words("Heads of all chains signed", "heads signed"),
    happenings.HeadsCosigned.kind: Words("Heads cosigned by the witness", "heads cosigned"),
    happenings.ClockConfirmed.kind: Words("Clock confirmed", "clock confirmed"),
    happenings.DeviceRegistered.kind: Words("Device registered", "device registered"),
    happenings.DeviceRenewed.kind: Words("Device got another token", "token renewed"),
    happenings.DeviceWithdrawn.kind: Words("Device withdrawn", "device withdrawn"),
    happenings.DeviceHeldUp.kind: Words("Device held up", "device held up"),
    happenings.DeviceWentOn.kind: Words("Device went on", "device went on"),
    happenings.SecretSealed.kind: Words("Seal of the room's secret shown", "secret sealed"),
    happenings.SecretReplaced.kind: Words("Room's secret replaced", "secret replaced"),
    happenings.KeyRotated.kind: Words("Key rotated", "key rotated"),
    happenings.KeyBackedUp.kind: Words("Key backed up", "key backed up"),
    happenings.BackupRestored.kind: Words("Backup restored", "backup restored"),
}

_REASONS: Final = {
    happenings.JackpotOpened.kind: str(Increase.SEED),
    happenings.WagersCounted.kind: str(Increase.WAGERS),
    happenings.ClaimPaid.kind: str(Reduction.PRIZE_WON),
}


def happened(kind: str) -> str:
    """What happened; a kind that is not known is told by its name."""
    spoken = kind.replace("-", " ")
    return _HAPPENED[kind].full if kind in _HAPPENED else spoken[:1].upper() + spoken[1:]


def in_short(kind: str) -> str:
    """The same in a word or two.

    >>> happened(happenings.ClaimPaid.kind), in_short(happenings.ClaimPaid.kind)
    ('Prize verified and paid', 'claim paid')
    """
    return _HAPPENED[kind].short if kind in _HAPPENED else kind.replace("-", " ")


def reason(kind: str, payload: Payload) -> str:
    """The reason for which money changed, in the regulation's words; empty when none did."""
    return str(payload.get("reason") or _REASONS.get(kind, ""))


def answering(payload: Payload) -> str:
    """Who answers for an event: one person, or two. A dealer whom a device names is not one of them.

    >>> answering({"who": "Rosa Diaz", "second": "Lee"}), answering({"dealer": "Kim"}), answering({})
    ('Rosa Diaz and Lee', 'Kim', '')
    >>> answering({"dealer": "device T-1001", "device": {"device": "T-1001", "dealer": "Kim"}})
    'device T-1001 (the device names Kim)'
    >>> answering({"dealer": "Kim", "record": {"number": 7, "seal": "9a1b", "time": 0}})
    'Kim (named by the data logger)'
    """
    names = ("who", "dealer", "by", "verified_by", "refused_by")
    first = next((str(payload[name]) for name in names if name in payload), "")
    second, device, record = payload.get("second"), payload.get("device"), payload.get("record")
    if isinstance(device, Mapping) and device.get("dealer") and device["dealer"] != first:
        return f"{first} (the device names {device['dealer']})"
    if isinstance(record, Mapping) and record.keys() == set(LoggerStamp._fields):
        return f"{first} (named by the data logger)"
    return f"{first} and {second}" if first and second else first


def explained(event: str, reason: str, *more: str) -> str:
    """What happened, why, and the rest, as sentences.

    >>> explained("Prize claimed", "prize won", "claim 7", "")
    'Prize claimed: prize won. Claim 7.'
    """
    why = "" if reason in event.lower() else f": {reason}"
    return " ".join(f"{part[:1].upper()}{part[1:].rstrip('.')}." for part in (event + why, *more) if part)
