"""Descriptions of events of jackpots, tables, and the site: a title, a reason, and details in one line.

Every event is described here and nowhere else: in full for a report, in short for a line on the screen. The caller
chooses the format of amounts: a report shows all digits, a screen shows dollars and cents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from cardroom.chart_of_accounts import Currency
from cardroom.games.money import format_cents
from cardroom.room.descriptions.event_phrases import (
    HOUSE_TEXT,
    AmountFormat,
    Payload,
    bonus_text,
    changed_parameter_texts,
    chips_text,
    dealt_by_text,
    entered_by_text,
    format_rate,
    funding_text,
    is_reading,
    list_replaced_terms,
    open_items_text,
    payout_texts,
    report_reference_text,
    round_or_reading_text,
    shortage_text,
    statement_text,
    superseded_parameter_texts,
    wagers_text,
)
from cardroom.room.jackpot.event_values import Increase, LoggerStamp, Reduction, SetupChange
from cardroom.room.jackpot.events import (
    BonusChanged,
    CageReimbursed,
    ChangeApplied,
    ChangeRequested,
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    JackpotClosed,
    JackpotDeposited,
    JackpotDisabled,
    JackpotEnabled,
    JackpotOpened,
    JackpotReconciled,
    JackpotRemoved,
    JackpotReopened,
    MeterAdjusted,
    MeterReset,
    PrizesPaid,
    PrizesReversed,
    TableLinked,
    TableUnlinked,
    WagersCounted,
    WagersReversed,
)
from cardroom.room.payment_references import PaymentMethod
from cardroom.room.site.events import (
    BackupRestored,
    ClockConfirmed,
    DayClosed,
    DayOpened,
    DeviceBlocked,
    DeviceRegistered,
    DeviceRenewed,
    DeviceUnblocked,
    DeviceWithdrawn,
    HeadsCosigned,
    HeadsExported,
    HeadsKeyRecorded,
    HeadsSigned,
    KeyBackedUp,
    KeyRotated,
    MalfunctionReportClosed,
    MalfunctionReported,
    MalfunctionReportSent,
    OperatorRecovered,
    RecoveryAcknowledged,
    SecretRecorded,
    SecretReplaced,
    SiteConfigured,
    UnitMoved,
)
from cardroom.room.tabulator.events import (
    CounterRead,
    LightFailuresReported,
    ReadingReversed,
    RecordsSkipped,
    RoundCountedByHand,
    RoundsAccepted,
    RoundTabulated,
    RoundVoided,
    TabulatorFaultCleared,
    TabulatorFaultReported,
    TabulatorInstalled,
    TabulatorRemoved,
    TabulatorSetupChanged,
)


class EventTitle(NamedTuple):
    """The title of an event: in full, and a short one for events that have no reason from the regulation."""

    full: str
    short: str = ""


_TITLES: Final = {
    JackpotOpened.kind: EventTitle("Jackpot opened", "opened"),
    TableLinked.kind: EventTitle("Table linked", "table linked"),
    TableUnlinked.kind: EventTitle("Table unlinked", "table unlinked"),
    WagersCounted.kind: EventTitle("Wagers counted"),
    PrizesPaid.kind: EventTitle("Fixed prizes paid by the house", f"fixed prizes, paid by {HOUSE_TEXT}"),
    PrizesReversed.kind: EventTitle("Fixed prizes reversed", "fixed prizes reversed"),
    ClaimLocked.kind: EventTitle("Prize claimed and locked", "fixed prize claimed"),
    ClaimJoined.kind: EventTitle("Prize claimed with others of its round", "claimed with others"),
    ChangeRequested.kind: EventTitle("Change requested; it waits for the reset", "change waits for the reset"),
    ChangeApplied.kind: EventTitle("Parameters changed", "changed"),
    MeterReset.kind: EventTitle("Meter reset"),
    ClaimPaid.kind: EventTitle("Prize verified and paid", "claim paid"),
    ClaimRefused.kind: EventTitle("Prize refused"),
    MeterAdjusted.kind: EventTitle("Meter adjusted"),
    WagersReversed.kind: EventTitle("Wagers reversed"),
    JackpotDeposited.kind: EventTitle("Deposited at the bank", "deposit to the bank"),
    CageReimbursed.kind: EventTitle("Cage reimbursed by the bank account", "cage reimbursed"),
    JackpotReconciled.kind: EventTitle("Bank statement reconciled", "reconciled"),
    JackpotClosed.kind: EventTitle("Closed: the bank account is short", "closed"),
    JackpotReopened.kind: EventTitle("Reopened: the shortage was made good", "reopened"),
    JackpotDisabled.kind: EventTitle("Disabled", "disabled"),
    JackpotEnabled.kind: EventTitle("Enabled", "enabled"),
    BonusChanged.kind: EventTitle("Operator's bonus changed", "bonus changed"),
    JackpotRemoved.kind: EventTitle("Bonus jackpot removed", "removed"),
    TabulatorInstalled.kind: EventTitle("Table set up", "set up"),
    TabulatorSetupChanged.kind: EventTitle("Table changed", "changed"),
    TabulatorRemoved.kind: EventTitle("Table removed", "removed"),
    RoundTabulated.kind: EventTitle("Counted by the tabulator", "tabulated"),
    RoundCountedByHand.kind: EventTitle("Counted by hand", "counted by hand"),
    RoundsAccepted.kind: EventTitle("Device rounds accepted", "rounds accepted"),
    CounterRead.kind: EventTitle("Counter read", "counter read"),
    ReadingReversed.kind: EventTitle("Reading reversed", "reading reversed"),
    RecordsSkipped.kind: EventTitle("Records skipped", "records skipped"),
    RoundVoided.kind: EventTitle("Round voided", "void"),
    TabulatorFaultReported.kind: EventTitle("Tabulator fault reported", "tabulator fault"),
    TabulatorFaultCleared.kind: EventTitle("Tabulator fault cleared", "fault cleared"),
    LightFailuresReported.kind: EventTitle("Lights reported", "lights reported"),
    UnitMoved.kind: EventTitle("Unit moved", "unit moved"),
    SiteConfigured.kind: EventTitle("Card room configured", "configured"),
    MalfunctionReported.kind: EventTitle("Malfunction reported", "reported"),
    MalfunctionReportSent.kind: EventTitle("Report sent to the commission", "sent"),
    MalfunctionReportClosed.kind: EventTitle("Malfunction report closed", "closed"),
    DayOpened.kind: EventTitle("Gaming day opened", "day opened"),
    DayClosed.kind: EventTitle("Gaming day closed", "day closed"),
    HeadsExported.kind: EventTitle("Heads of all chains exported", "heads exported"),
    HeadsKeyRecorded.kind: EventTitle("Key that signs heads recorded", "key of heads recorded"),
    OperatorRecovered.kind: EventTitle("Operator recovered at the machine", "operator recovered"),
    RecoveryAcknowledged.kind: EventTitle("Recovery at the machine acknowledged", "recovery acknowledged"),
    HeadsSigned.kind: EventTitle("Heads of all chains signed", "heads signed"),
    HeadsCosigned.kind: EventTitle("Heads cosigned by the witness", "heads cosigned"),
    ClockConfirmed.kind: EventTitle("Clock confirmed", "clock confirmed"),
    DeviceRegistered.kind: EventTitle("Device registered", "device registered"),
    DeviceRenewed.kind: EventTitle("Device token renewed", "token renewed"),
    DeviceWithdrawn.kind: EventTitle("Device withdrawn", "device withdrawn"),
    DeviceBlocked.kind: EventTitle("Device blocked", "device blocked"),
    DeviceUnblocked.kind: EventTitle("Device unblocked", "device unblocked"),
    SecretRecorded.kind: EventTitle("Digest of the card room's secret recorded", "secret recorded"),
    SecretReplaced.kind: EventTitle("Card room's secret replaced", "secret replaced"),
    KeyRotated.kind: EventTitle("Key rotated", "key rotated"),
    KeyBackedUp.kind: EventTitle("Key backed up", "key backed up"),
    BackupRestored.kind: EventTitle("Backup restored", "backup restored"),
}

_REASONS: Final = {
    JackpotOpened.kind: str(Increase.SEED),
    WagersCounted.kind: str(Increase.WAGERS),
    ClaimPaid.kind: str(Reduction.PRIZE_WON),
}


def event_title(kind: str) -> str:
    """The title of an event; of an unknown event type, its name."""
    name = kind.replace("-", " ")
    return _TITLES[kind].full if kind in _TITLES else name[:1].upper() + name[1:]


def short_event_title(kind: str) -> str:
    """The title in a word or two.

    >>> event_title(ClaimPaid.kind), short_event_title(ClaimPaid.kind)
    ('Prize verified and paid', 'claim paid')
    """
    return _TITLES[kind].short if kind in _TITLES else kind.replace("-", " ")


def event_reason(kind: str, payload: Payload) -> str:
    """The reason why money changed, in the words of the regulation; empty if none changed."""
    return str(payload.get("reason") or _REASONS.get(kind, ""))


def responsible_people(payload: Payload) -> str:
    """The people responsible for an event: one, or two. A dealer named only by a device is not responsible.

    >>> (responsible_people({"who": "Rosa Diaz", "second": "Lee"}), responsible_people({"dealer": "Kim"}),
    ... responsible_people({}))
    ('Rosa Diaz and Lee', 'Kim', '')
    >>> responsible_people({"dealer": "device T-1001", "device": {"device": "T-1001", "dealer": "Kim"}})
    'device T-1001 (the device names Kim)'
    >>> responsible_people({"dealer": "Kim", "record": {"number": 7, "seal": "9a1b", "time": 0}})
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


def join_sentences(event: str, reason: str, *rest: str) -> str:
    """The title, the reason, and the rest as sentences.

    >>> join_sentences("Prize claimed", "prize won", "claim 7", "")
    'Prize claimed: prize won. Claim 7.'
    """
    why = "" if reason in event.lower() else f": {reason}"
    return " ".join(f"{part[:1].upper()}{part[1:].rstrip('.')}." for part in (event + why, *rest) if part)


def describe_details(kind: str, payload: Payload, format_money: AmountFormat) -> str:
    """The details of an event in one line."""
    writer = _DETAIL_WRITERS.get(kind)
    parts = [*(writer(payload, format_money) if writer else ()), *([str(payload["why"])] if payload.get("why") else ())]
    return "; ".join(part for part in parts if part)


def _counters_text(counters: Iterable[int]) -> str:
    return f"counter {', '.join(f'{counter:,}' for counter in counters)}"


def _describe_reading(payload: Payload) -> Iterator[str]:
    """The wagers of a counter reading."""
    yield f"reading {payload['reading']}"
    for wager in payload["wagers"]:
        if wager["count"]:
            yield f"{wager['count']:,} {wager['wager']}, {_counters_text([wager['counter']])}"


def _describe_failed_lights(lights: Iterable[Iterable[int]]) -> str:
    """The positions of failed lights, by sensor."""
    dark = [f"sensor {number}: {', '.join(map(str, places))}" for number, places in enumerate(lights, 1) if places]
    return f"failed at {'; '.join(dark)}" if dark else "all work"


def _describe_opened(payload: Payload, _: AmountFormat) -> Iterator[str]:
    setup = payload["setup"]
    money = f", {Currency(setup['money']).label}" if "money" in setup else ""
    yield f"{setup['name']}, {setup['kind']}, {setup['location']}{money}"
    for level in setup["levels"]:
        values_text = [f"{name} {level[name]}" for name in ("amount", "seed", "ceiling") if name in level]
        values_text += [
            f"{name} {format_rate(Fraction(level[name]))}" for name in ("contribution", "reserve") if name in level
        ]
        yield f"{level['name']}: {', '.join(values_text)}"


def _describe_prizes(payload: Payload, format_money: AmountFormat) -> Iterator[str]:
    yield f"claim {payload['claim']}" + (f", number {payload['order']}" if "order" in payload else "")
    for prize in payload["prizes"]:
        cards = " ".join(prize["cards"])
        yield f"seat {prize['seat']}: {prize['words']}{f' ({cards})' if cards else ''}, {format_cents(prize['cents'])}"
    yield dealt_by_text(payload)
    for level, fill in payload.get("beyond", {}).items():
        yield f"beyond the amount on {level}: {funding_text(fill, format_money)}"


def _describe_reversal(payload: Payload, format_money: AmountFormat) -> Iterator[str]:
    yield from _describe_prizes(payload, format_money)
    yield chips_text(payload)


def _describe_joined(payload: Payload, format_money: AmountFormat) -> Iterator[str]:
    yield from _describe_prizes(payload, format_money)
    yield from (
        f"{level}: late, the display stays the same"
        for level, level_join in payload["levels"].items()
        if level_join["late"]
    )
    yield from describe_other_claims(payload)
    yield from describe_terms(payload)


def describe_terms(payload: Payload) -> Iterator[str]:
    """Changes that wait again after a refusal, or that a joining claim put into effect."""
    yield from (
        f"{terms.level} {terms.direction_text}: {terms.parameters_text}, {terms.requesters_text}"
        for terms in list_replaced_terms(payload)
    )


def describe_other_claims(payload: Payload) -> Iterator[str]:
    """Claims whose amount changed when another claim joined them."""
    for claim in payload["claims"]:
        if claim["id"] in payload["revalued"]:
            yield f"claim {claim['id']} is now {format_cents(sum(prize['cents'] for prize in claim['prizes']))}"


def describe_void_levels(payload: Payload) -> Iterator[str]:
    """Levels from which a void round takes nothing now, and why."""
    for level, remembered in payload["remembered"].items():
        yield f"comes off {level} only if claim {remembered['claim']} is refused"
    for level in payload["won"]:
        yield f"its contribution to {level} has been won since"


def describe_removed_rounds(payload: Payload) -> Iterator[str]:
    """Void rounds, and reversed readings, that come off with a refusal."""
    for level, change in payload["levels"].items():
        for void in change["void"]:
            round_text = f"{round_or_reading_text(void['round'])} of {void['table']}"
            yield (
                f"{round_text} reversed: comes off {level}"
                if is_reading(void)
                else f"void {round_text} comes off {level}"
            )


def _describe_parameters(payload: Payload, _: AmountFormat) -> Iterator[str]:
    changed = changed_parameter_texts(payload)
    if not changed:
        yield f"{payload['level']}: the waiting change is withdrawn"
    yield from (f"{payload['level']} {change}" for change in changed)
    yield from (f"{payload['level']} {change}" for change in superseded_parameter_texts(payload))
    yield entered_by_text(payload)


def _describe_paid(payload: Payload, format_money: AmountFormat) -> Iterator[str]:
    yield f"claim {payload['claim']}, verified by {responsible_people(payload)}"
    if payload["surveillance"]:
        yield f"surveillance: {payload['surveillance']['by']}, {payload['surveillance']['at']}"
    yield from payout_texts(payload)
    if all(payout["payment"] == PaymentMethod.BALANCE for payout in payload["payouts"]):
        return  # no money has left the room
    if payload["escrow"]:
        yield f"{format_money(payload['escrow'])} from the bank account"
    if payload["undeposited"] > 0:
        yield f"{format_money(payload['undeposited'])} from the cage"
    if payload["house_cents"]:
        yield f"{format_cents(payload['house_cents'])} from {HOUSE_TEXT}"


_DETAIL_WRITERS: Final[dict[str, Callable[[Payload, AmountFormat], Iterable[str]]]] = {
    JackpotOpened.kind: _describe_opened,
    WagersCounted.kind: lambda payload, _: [wagers_text(payload["count"], payload["amount"])],
    PrizesPaid.kind: _describe_prizes,
    PrizesReversed.kind: _describe_reversal,
    ClaimLocked.kind: _describe_prizes,
    ClaimJoined.kind: _describe_joined,
    ChangeRequested.kind: _describe_parameters,
    ChangeApplied.kind: _describe_parameters,
    MeterReset.kind: lambda payload, format_money: [
        f"after claim {payload['claim']}: {funding_text(payload, format_money)}"
    ],
    ClaimPaid.kind: _describe_paid,
    ClaimRefused.kind: lambda payload, _: [
        f"claim {payload['claim']}, seats {', '.join(map(str, payload['seats']))}",
        *describe_removed_rounds(payload),
        *describe_terms(payload),
    ],
    MeterAdjusted.kind: lambda payload, _: [f"{payload['level']} {payload['of']}", report_reference_text(payload)],
    WagersReversed.kind: lambda payload, _: [
        f"{round_or_reading_text(payload['round'])}, {wagers_text(payload['count'], payload['amount'])}",
        *describe_void_levels(payload),
    ],
    JackpotDeposited.kind: lambda payload, format_money: [
        f"{format_money(payload['amount'])}, slip {payload['reference']}"
    ],
    CageReimbursed.kind: lambda payload, format_money: [
        f"{format_money(payload['amount'])} from the bank account to the cage, transfer {payload['reference']}"
    ],
    JackpotReconciled.kind: lambda payload, format_money: [statement_text(payload, format_money)],
    JackpotClosed.kind: lambda payload, format_money: [shortage_text(payload, format_money)],
    BonusChanged.kind: lambda payload, _: [bonus_text(payload)],
    RoundVoided.kind: lambda payload, _: [report_reference_text(payload)],
    MalfunctionReported.kind: lambda payload, _: [
        f"report {payload['number']} on {payload['table'] or payload['jackpot']}"
    ],
    MalfunctionReportSent.kind: lambda payload, _: [f"report {payload['number']}, {payload['reference']}"],
    MalfunctionReportClosed.kind: lambda payload, _: [f"report {payload['number']}"],
    TabulatorInstalled.kind: lambda payload, _: [
        f"unit {payload['tabulator']['unit']}",
        payload["sensors"]["location"],
    ],
    TabulatorSetupChanged.kind: lambda payload, _: [SetupChange(*change).text for change in payload["changes"]],
    TabulatorFaultReported.kind: lambda payload, _: [payload["reason"], report_reference_text(payload)],
    TabulatorFaultCleared.kind: lambda payload, _: [f"unit {payload['unit']}", _counters_text(payload["counters"])],
    RoundsAccepted.kind: lambda payload, _: [
        f"{payload['rounds']:,} rounds more than the table can have dealt, from {payload['device']}"
    ],
    CounterRead.kind: lambda payload, _: _describe_reading(payload),
    ReadingReversed.kind: lambda payload, _: [*_describe_reading(payload), payload["reason"]],
    RecordsSkipped.kind: lambda payload, _: [
        f"unit {payload['unit']}: records {payload['after'] + 1} to {payload['mark']['number']}",
        f"with {payload['second']}",
    ],
    LightFailuresReported.kind: lambda payload, _: [_describe_failed_lights(payload["dark"])],
    UnitMoved.kind: lambda payload, _: [
        f"unit {payload['unit']} {'to ' + payload['table'] if payload['table'] else 'into storage'}",
        _counters_text([counter for _, counter in payload["counters"]]),
    ],
    DayOpened.kind: lambda payload, _: [payload["day"]],
    DayClosed.kind: lambda payload, _: [payload["day"], open_items_text(len(payload["open"]))],
    HeadsExported.kind: lambda payload, _: [f"to {payload['where']}, SHA-256 {payload['digest']}"],
    HeadsKeyRecorded.kind: lambda payload, _: [f"public key {payload['key']}"],
    OperatorRecovered.kind: lambda payload, _: [
        f"{payload['login']}, with {payload['other']}, account {payload['account']}"
    ],
    RecoveryAcknowledged.kind: lambda payload, _: [f"of {payload['login']}"],
    HeadsSigned.kind: lambda payload, _: [f"{payload['head']['size']:,} leaves, root {payload['head']['root']}"],
    HeadsCosigned.kind: lambda payload, _: [
        (
            f"{payload['cosignature']['size']:,} leaves, by {payload['witness']}, public key "
            f"{payload['cosignature']['key']}"
        )
    ],
    ClockConfirmed.kind: lambda payload, clock: [f"the event before it is of {clock(payload['last'])}"],
    DeviceRegistered.kind: lambda payload, _: [f"{payload['device']}, {payload['device_kind']} of {payload['table']}"],
    DeviceRenewed.kind: lambda payload, _: [f"{payload['device']}, token {payload['generation']}"],
    DeviceWithdrawn.kind: lambda payload, _: [payload["device"]],
    DeviceBlocked.kind: lambda payload, _: [payload["device"]],
    DeviceUnblocked.kind: lambda payload, _: [payload["device"]],
    SecretRecorded.kind: lambda payload, _: [f"SHA-256 {payload['digest']}"],
    SecretReplaced.kind: lambda payload, _: [f"key {payload['key']}"],
    KeyRotated.kind: lambda payload, _: [f"key {payload['key']}"],
    KeyBackedUp.kind: lambda payload, _: [f"key {payload['key']}"],
    BackupRestored.kind: lambda payload, _: [
        f"users confirmed: {', '.join(payload['users']) or 'none'}",
        f"devices confirmed: {', '.join(payload['devices']) or 'none'}",
    ],
}
