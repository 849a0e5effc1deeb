"""What else there is to know of each event, in one line: every event has its words here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Final

from cardroom.accounts import Currency
from cardroom.games.money import format_cents
from cardroom.jackpots import happenings
from cardroom.jackpots.references import PaidBy
from cardroom.jackpots.telling.phrases import (
    HOUSE,
    Payload,
    Written,
    bonus_words,
    called,
    change_words,
    changed_words,
    chips_words,
    dealt_words,
    entered_words,
    given_up_words,
    is_reading,
    open_words,
    payout_words,
    rate,
    replaced_terms,
    report_words,
    shortage_words,
    sources_words,
    statement_words,
    wagers_words,
)
from cardroom.jackpots.telling.words import answering


def details(kind: str, payload: Payload, written: Written) -> str:
    """What else there is to know, in one line."""
    tell = _DETAILS.get(kind)
    parts = [*(tell(payload, written) if tell else ()), *([str(payload["why"])] if payload.get("why") else ())]
    return "; ".join(part for part in parts if part)


def _counters(shown: Iterable[int]) -> str:
    return f"counter {', '.join(f'{one:,}' for one in shown)}"


def _read(payload: Payload) -> Iterator[str]:
    """What was read off a counter."""
    yield f"reading {payload['reading']}"
    for one in payload["wagers"]:
        if one["count"]:
            yield f"{one['count']:,} {one['wager']}, {_counters([one['counter']])}"


def _dark(lights: Iterable[Iterable[int]]) -> str:
    """Where lights are dark, by sensor."""
    dark = [f"sensor {number}: {', '.join(map(str, places))}" for number, places in enumerate(lights, 1) if places]
    return f"dark at {'; '.join(dark)}" if dark else "all work"


def _opened(payload: Payload, _: Written) -> Iterator[str]:
    setup = payload["setup"]
    money = f", {Currency(setup['money']).label}" if "money" in setup else ""
    yield f"{setup['name']}, {setup['kind']}, {setup['location']}{money}"
    for level in setup["levels"]:
        told = [f"{name} {level[name]}" for name in ("amount", "seed", "ceiling") if name in level]
        told += [f"{name} {rate(Fraction(level[name]))}" for name in ("contribution", "reserve") if name in level]
        yield f"{level['name']}: {', '.join(told)}"


def _prizes(payload: Payload, written: Written) -> Iterator[str]:
    yield f"claim {payload['claim']}" + (f", number {payload['order']}" if "order" in payload else "")
    for prize in payload["prizes"]:
        cards = " ".join(prize["cards"])
        yield f"seat {prize['seat']}: {prize['words']}{f' ({cards})' if cards else ''}, {format_cents(prize['cents'])}"
    yield dealt_words(payload)
    for level, fill in payload.get("beyond", {}).items():
        yield f"beyond what {level} showed: {sources_words(fill, written)}"


def _taken_back(payload: Payload, written: Written) -> Iterator[str]:
    yield from _prizes(payload, written)
    yield chips_words(payload)


def _joined(payload: Payload, written: Written) -> Iterator[str]:
    yield from _prizes(payload, written)
    yield from (f"{level}: late, nothing off the display" for level, now in payload["levels"].items() if now["late"])
    yield from others_words(payload)
    yield from terms_words(payload)


def terms_words(payload: Payload) -> Iterator[str]:
    """The changes that a refusal sent back to wait, or that a claim beside others put into effect."""
    yield from (f"{one.level} {one.moved}: {one.what}, {one.entered}" for one in replaced_terms(payload))


def others_words(payload: Payload) -> Iterator[str]:
    """The claims that are of another amount since one more joined them."""
    for claim in payload["claims"]:
        if claim["id"] in payload["anew"]:
            yield f"claim {claim['id']} is {format_cents(sum(prize['cents'] for prize in claim['prizes']))} now"


def void_words(payload: Payload) -> Iterator[str]:
    """On which levels nothing of a void round comes off now, and why."""
    for level, remembered in payload["remembered"].items():
        yield f"comes off {level} if claim {remembered['claim']} is refused"
    for level in payload["won"]:
        yield f"what it brought {level} was won since"


def come_off_words(payload: Payload) -> Iterator[str]:
    """The void rounds, and readings that were taken back, that come off with a refusal."""
    for level, change in payload["levels"].items():
        for void in change["void"]:
            of = f"{called(void['round'])} of {void['table']}"
            yield f"{of} taken back: comes off {level}" if is_reading(void) else f"void {of} comes off {level}"


def _parameters(payload: Payload, _: Written) -> Iterator[str]:
    changed = changed_words(payload)
    if not changed:
        yield f"{payload['level']}: the change that waited is withdrawn"
    yield from (f"{payload['level']} {change}" for change in changed)
    yield from (f"{payload['level']} {change}" for change in given_up_words(payload))
    yield entered_words(payload)


def _paid(payload: Payload, written: Written) -> Iterator[str]:
    yield f"claim {payload['claim']}, verified by {answering(payload)}"
    if payload["surveillance"]:
        yield f"surveillance: {payload['surveillance']['by']}, {payload['surveillance']['at']}"
    yield from payout_words(payload)
    if all(one["payment"] == PaidBy.BALANCE for one in payload["payouts"]):
        return  # no money has left the room
    if payload["escrow"]:
        yield f"{written(payload['escrow'])} from the bank account"
    if payload["undeposited"] > 0:
        yield f"{written(payload['undeposited'])} from the cage"
    if payload["house_cents"]:
        yield f"{format_cents(payload['house_cents'])} from {HOUSE}"


_DETAILS: Final[dict[str, Callable[[Payload, Written], Iterable[str]]]] = {
    happenings.JackpotOpened.kind: _opened,
    happenings.WagersCounted.kind: lambda told, _: [wagers_words(told["count"], told["amount"])],
    happenings.PrizesPaid.kind: _prizes,
    happenings.PrizesTakenBack.kind: _taken_back,
    happenings.ClaimLocked.kind: _prizes,
    happenings.ClaimJoined.kind: _joined,
    happenings.ChangeRequested.kind: _parameters,
    happenings.ChangeApplied.kind: _parameters,
    happenings.MeterReset.kind: lambda told, written: [f"after claim {told['claim']}: {sources_words(told, written)}"],
    happenings.ClaimPaid.kind: _paid,
    happenings.ClaimRefused.kind: lambda told, _: [
        f"claim {told['claim']}, seats {', '.join(map(str, told['seats']))}",
        *come_off_words(told),
        *terms_words(told),
    ],
    happenings.Adjusted.kind: lambda told, _: [f"{told['level']} {told['of']}", report_words(told)],
    happenings.WagersTakenBack.kind: lambda told, _: [
        f"{called(told['round'])}, {wagers_words(told['count'], told['amount'])}",
        *void_words(told),
    ],
    happenings.Deposited.kind: lambda told, written: [f"{written(told['amount'])}, slip {told['reference']}"],
    happenings.CageReimbursed.kind: lambda told, written: [
        f"{written(told['amount'])} from the bank account to the cage, transfer {told['reference']}"
    ],
    happenings.Reconciled.kind: lambda told, written: [statement_words(told, written)],
    happenings.JackpotClosed.kind: lambda told, written: [shortage_words(told, written)],
    happenings.BonusChanged.kind: lambda told, _: [bonus_words(told)],
    happenings.RoundVoided.kind: lambda told, _: [report_words(told)],
    happenings.MalfunctionReported.kind: lambda told, _: [
        f"report {told['number']} on {told['table'] or told['jackpot']}"
    ],
    happenings.ReportSent.kind: lambda told, _: [f"report {told['number']}, {told['reference']}"],
    happenings.ReportClosed.kind: lambda told, _: [f"report {told['number']}"],
    happenings.TableSetUp.kind: lambda told, _: [f"unit {told['tabulator']['unit']}", told["sensors"]["location"]],
    happenings.TableChanged.kind: lambda told, _: [change_words(*change) for change in told["changes"]],
    happenings.TabulatorBroken.kind: lambda told, _: [told["reason"], report_words(told)],
    happenings.TabulatorRepaired.kind: lambda told, _: [f"unit {told['unit']}", _counters(told["counters"])],
    happenings.RoundsAccepted.kind: lambda told, _: [
        f"{told['rounds']:,} rounds more than the table can have played, from {told['device']}"
    ],
    happenings.CounterRead.kind: lambda told, _: _read(told),
    happenings.ReadingTakenBack.kind: lambda told, _: [*_read(told), told["reason"]],
    happenings.RecordsPassedOver.kind: lambda told, _: [
        f"unit {told['unit']}: records {told['after'] + 1} to {told['mark']['number']}",
        f"with {told['second']}",
    ],
    happenings.LightsFailed.kind: lambda told, _: [_dark(told["dark"])],
    happenings.UnitMoved.kind: lambda told, _: [
        f"unit {told['unit']} {'to ' + told['table'] if told['table'] else 'put away'}",
        _counters([counter for _, counter in told["counters"]]),
    ],
    happenings.DayOpened.kind: lambda told, _: [told["day"]],
    happenings.DayClosed.kind: lambda told, _: [told["day"], open_words(len(told["open"]))],
    happenings.HeadsSent.kind: lambda told, _: [f"to {told['where']}, SHA-256 {told['digest']}"],
    happenings.HeadsKeyRecorded.kind: lambda told, _: [f"public key {told['key']}"],
    happenings.OperatorRecovered.kind: lambda told, _: [
        f"{told['login']}, with {told['other']}, account {told['account']}"
    ],
    happenings.RecoveryAcknowledged.kind: lambda told, _: [f"of {told['login']}"],
    happenings.HeadsSigned.kind: lambda told, _: [f"{told['head']['size']:,} leaves, root {told['head']['root']}"],
    happenings.HeadsCosigned.kind: lambda told, _: [
        f"{told['cosignature']['size']:,} leaves, by {told['witness']}, public key {told['cosignature']['key']}"
    ],
    happenings.ClockConfirmed.kind: lambda told, clock: [f"the last event before it happened on {clock(told['last'])}"],
    happenings.DeviceRegistered.kind: lambda told, _: [f"{told['device']}, {told['device_kind']} of {told['table']}"],
    happenings.DeviceRenewed.kind: lambda told, _: [f"{told['device']}, token {told['generation']}"],
    happenings.DeviceWithdrawn.kind: lambda told, _: [told["device"]],
    happenings.DeviceHeldUp.kind: lambda told, _: [told["device"]],
    happenings.DeviceWentOn.kind: lambda told, _: [told["device"]],
    happenings.SecretSealed.kind: lambda told, _: [f"SHA-256 {told['seal']}"],
    happenings.SecretReplaced.kind: lambda told, _: [f"key {told['key']}"],
    happenings.KeyRotated.kind: lambda told, _: [f"key {told['key']}"],
    happenings.KeyBackedUp.kind: lambda told, _: [f"key {told['key']}"],
    happenings.BackupRestored.kind: lambda told, _: [
        f"users confirmed: {', '.join(told['users']) or 'none'}",
        f"devices confirmed: {', '.join(told['devices']) or 'none'}",
    ],
}
