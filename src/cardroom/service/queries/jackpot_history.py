"""The history of a jackpot: every change with its beginning amount, the amount, the reason, and the people.

The rounds between two other events are one line a level, so that each beginning amount is where the line before left
off; they can also be listed one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final

from cardroom.chart_of_accounts import CENT, Amount
from cardroom.ledger import Event
from cardroom.room.amount_text import format_amount, format_change
from cardroom.room.descriptions.event_descriptions import (
    describe_details,
    describe_other_claims,
    describe_removed_rounds,
    describe_void_levels,
    event_reason,
    responsible_people,
    short_event_title,
)
from cardroom.room.descriptions.event_phrases import (
    changed_parameter_texts,
    chips_text,
    dealt_by_text,
    entered_by_text,
    funding_text,
    hands_text,
    is_reading,
    list_replaced_terms,
    payout_texts,
    report_reference_text,
    round_text,
    superseded_parameter_texts,
)
from cardroom.room.jackpot.event_values import ChipsOutcome, Increase
from cardroom.room.jackpot.events import (
    CageReimbursed,
    ChangeApplied,
    ChangeRequested,
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    JackpotDeposited,
    JackpotOpened,
    MeterAdjusted,
    MeterReset,
    PrizesPaid,
    PrizesReversed,
    WagersCounted,
    WagersReversed,
)
from cardroom.room.tabulator.events import READING_PREFIX, CounterRead, ReadingReversed
from cardroom.service.queries.chain_history import payload_of

ROUND_EVENT_TYPE: Final = WagersCounted.kind
Payload = dict[str, Any]
ReadingLookup = Callable[[str, str], CounterRead | None]
"""A reading by its table and its id, as the table's chain records it."""
_READING_EVENT_TYPES: Final = (CounterRead.kind, ReadingReversed.kind)


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One change. Amounts are hundredths of a cent; None where no money moved."""

    time: int
    sequence: int
    level: str
    reason: str
    before: Amount | None = None
    amount: Amount | None = None
    who: str = ""
    note: str = ""
    held: str = "display"
    """Which amount of the level changed: the display, or what is not displayed."""


def list_change_lines(
    events: Iterable[Event], *, each_round: bool = False, readings: ReadingLookup | None = None
) -> Iterator[ChangeLine]:
    """The lines of a jackpot's events, the newest first. ``readings`` finds who read a counter, and why."""
    for is_round, group in groupby(events, key=_is_round):
        if is_round and not each_round:
            yield from _summarize_rounds(list(group))
        else:
            for event in group:
                lines = list(_event_lines(event))
                if event.kind == ROUND_EVENT_TYPE and not _is_round(event):
                    lines = [_describe_reading(line, event, readings) for line in lines]
                yield from reversed(lines)


def _is_round(event: Event) -> bool:
    """Whether the event has the wagers of a round, and not of a counter reading."""
    payload = payload_of(event)
    return event.kind == ROUND_EVENT_TYPE and not is_reading(payload)


def _describe_reading(line: ChangeLine, event: Event, readings: ReadingLookup | None) -> ChangeLine:
    """What a reading contributed to a level. People decide a reading, so they are named; for a round the table is."""
    payload = payload_of(event)
    counter_read = readings(payload["table"], payload["round"].removeprefix(READING_PREFIX)) if readings else None
    note = f"counter read, {line.note}, {payload['table']}"
    if counter_read is None:
        return replace(line, note=note)
    return replace(
        line, who=responsible_people(counter_read.payload), note="; ".join(filter(None, (note, counter_read.why)))
    )


def list_tabulator_lines(events: Iterable[Event]) -> Iterator[ChangeLine]:
    """The events of a table besides its rounds, the newest first: its setups, its tabulator, readings of its counter,
    its removal."""
    for event in events:
        payload = payload_of(event)
        if "wagers" not in payload or event.kind in _READING_EVENT_TYPES:
            note = describe_details(event.kind, payload, format_amount)
            yield ChangeLine(
                event.time,
                event.sequence,
                "",
                short_event_title(event.kind),
                who=responsible_people(payload),
                note=note,
            )


def _summarize_rounds(events: Sequence[Event]) -> Iterator[ChangeLine]:
    """Consecutive rounds, in a line for each level."""
    newest, oldest = events[0], events[-1]
    payloads: list[Payload] = [payload_of(event) for event in events]
    count = sum(payload["count"] for payload in payloads)
    tables = ", ".join(sorted({payload["table"] for payload in payloads}))
    note = f"{count:,} wagers in {len(events):,} rounds" if len(events) > 1 else round_text(payloads[0])
    if not payloads[0]["levels"]:
        yield ChangeLine(newest.time, newest.sequence, "", str(Increase.WAGERS), who=tables, note=note)
    first = payload_of(oldest)
    for level in reversed(list(payloads[0]["levels"])):
        _, shown, reserved, spilt, *_ = zip(*(payload["levels"][level] for payload in payloads), strict=True)
        before, hidden = first["levels"][level][0], _format_hidden(sum(reserved), sum(spilt))
        yield ChangeLine(
            newest.time, newest.sequence, level, str(Increase.WAGERS), before, sum(shown), tables, note + hidden
        )


def _format_hidden(reserved: Amount, spilt: Amount) -> str:
    parts = {"reserve": reserved, "overflow": spilt}
    return "".join(f", {name} {format_change(amount)}" for name, amount in parts.items() if amount)


def _event_lines(event: Event) -> Iterator[ChangeLine]:
    payload = payload_of(event)
    balance = payload["of"] if event.kind == MeterAdjusted.kind else "display"
    lines = _LINE_BUILDERS.get(event.kind)
    for line in (
        lines(payload) if lines else [_LevelChange(short_event_title(event.kind), _format_note(event.kind, payload))]
    ):
        why = line.reason or event_reason(event.kind, payload)
        who = responsible_people(payload) if line.who is None else line.who
        yield ChangeLine(event.time, event.sequence, line.level, why, line.before, line.amount, who, line.note, balance)


@dataclass(frozen=True, slots=True)
class _LevelChange:
    """The change of one event to one level, or to none. Without a note of its own it has the reason of the event."""

    reason: str = ""
    note: str = ""
    level: str = ""
    before: Amount | None = None
    amount: Amount | None = None
    who: str | None = None


# Events that move the money of a level, or money with an account of its own.


def _opening_lines(payload: Payload) -> Iterator[_LevelChange]:
    yield _LevelChange(short_event_title(JackpotOpened.kind), payload["setup"]["name"])
    for level, seed in payload["seeds"].items():
        yield _LevelChange("", "", level, 0, seed)


def _round_lines(payload: Payload) -> Iterator[_LevelChange]:
    for level, (before, shown, reserved, spilt, *_rest) in payload["levels"].items():
        note = round_text(payload) + _format_hidden(reserved, spilt)
        yield _LevelChange("", note, level, before, shown, payload["table"])
    if not payload["levels"]:
        yield _LevelChange("", round_text(payload), who=payload["table"])


def _format_dealer(payload: Payload) -> str:
    """The dealer, where another person has claimed."""
    return f"; {words}" if (words := dealt_by_text(payload)) else ""


def _paid_prize_lines(payload: Payload) -> Iterator[_LevelChange]:
    note = f"{payload['table']}: {hands_text(payload['prizes'])}{_format_dealer(payload)}"
    yield _LevelChange(short_event_title(PrizesPaid.kind), note, amount=-payload["cents"] * CENT)


def _reversed_prize_lines(payload: Payload) -> Iterator[_LevelChange]:
    note = (
        f"{payload['why']}; {payload['table']}: {hands_text(payload['prizes'])}; {chips_text(payload)}; claim "
        f"{payload['claim']}"
    )
    amount = payload["cents"] * CENT if payload["chips"] == ChipsOutcome.RETURNED else None
    yield _LevelChange(short_event_title(PrizesReversed.kind), note, amount=amount)


def _locked_claim_lines(payload: Payload) -> Iterator[_LevelChange]:
    pending = f"; claim {payload['claim']} pending{_format_dealer(payload)}"
    for level, (before, amount) in payload["levels"].items():
        if level in payload.get("beyond", {}):
            fill = payload["beyond"][level]
            added = _sum_other_sources(fill)
            yield _LevelChange(str(Increase.PRIZES), funding_text(fill, format_amount), level, before, added, who="")
            before += added
        hands = hands_text(prize for prize in payload["prizes"] if prize["level"] == level)
        yield _LevelChange("", hands + pending, level, before, -amount)
    fixed = [prize for prize in payload["prizes"] if prize["level"] is None]
    if fixed:
        yield _LevelChange(short_event_title(ClaimLocked.kind), hands_text(fixed) + pending)


def _joined_claim_lines(payload: Payload) -> Iterator[_LevelChange]:
    """One claim more of a round: the level now that all its winners are valued together."""
    also = "".join(f"; {words}" for words in describe_other_claims(payload))
    pending = f"; claim {payload['claim']} pending{_format_dealer(payload)}{also}"
    for level, now in payload["levels"].items():
        hands = hands_text(prize for prize in payload["prizes"] if prize["level"] == level)
        before, after = now["before"]["display"], now["after"]["display"]
        yield _LevelChange("", hands + pending, level, before, after - before)
    other_prizes = [prize for prize in payload["prizes"] if prize["level"] not in payload["levels"]]
    if other_prizes:
        yield _LevelChange(short_event_title(ClaimJoined.kind), hands_text(other_prizes) + pending)
    yield from _term_lines(payload)


def _term_lines(payload: Payload) -> Iterator[_LevelChange]:
    """The changes that a refusal sent back to wait, or that a claim beside others put into effect."""
    for term in list_replaced_terms(payload):
        yield _LevelChange(
            term.parameters_text, f"{term.direction_text}; {term.requesters_text}; claim {payload['claim']}", term.level
        )


def _reset_lines(payload: Payload) -> Iterator[_LevelChange]:
    yield _LevelChange(
        "", funding_text(payload, format_amount), payload["level"], payload["before"], _sum_other_sources(payload)
    )


def _sum_other_sources(fill: Payload) -> Amount:
    """What a meter received besides wagers."""
    return sum(fill[source] for source in ("overflow", "reserve", "house"))


def _paid_claim_lines(payload: Payload) -> Iterator[_LevelChange]:
    surveillance_text = f", surveillance {payload['surveillance']['by']}" if payload["surveillance"] else ""
    amount = sum(payload["levels"].values()) + payload["house_cents"] * CENT
    note = "; ".join((f"{format_amount(amount)}, claim {payload['claim']}", *payout_texts(payload)))
    yield _LevelChange(short_event_title(ClaimPaid.kind), note, who=responsible_people(payload) + surveillance_text)


def _refused_claim_lines(payload: Payload) -> Iterator[_LevelChange]:
    note = "; ".join((payload["why"], f"claim {payload['claim']}", *describe_removed_rounds(payload)))
    for level, now in payload["levels"].items():
        before, after = now["before"]["display"], now["after"]["display"]
        yield _LevelChange("", note, level, before, after - before)
    if not payload["levels"]:
        yield _LevelChange("", note)
    yield from _term_lines(payload)


def _adjustment_lines(payload: Payload) -> Iterator[_LevelChange]:
    note = "; ".join(filter(None, (payload["why"], report_reference_text(payload))))
    yield _LevelChange("", note, payload["level"], payload["before"], payload["change"])


def _reversal_lines(payload: Payload) -> Iterator[_LevelChange]:
    for level, (before, shown, reserved, spilt) in payload["levels"].items():
        note = f"{payload['why']}; {round_text(payload)}{_format_hidden(-reserved, -spilt)}"
        yield _LevelChange("", note, level, before, -shown)
    kept_texts = tuple(describe_void_levels(payload))
    if kept_texts or not payload["levels"]:
        yield _LevelChange("", "; ".join((payload["why"], round_text(payload), *kept_texts)))


def _deposit_lines(payload: Payload) -> Iterator[_LevelChange]:
    slip = f"slip {payload['reference']}"
    yield _LevelChange(short_event_title(JackpotDeposited.kind), slip, "", payload["escrow_before"], payload["amount"])


def _reimbursement_lines(payload: Payload) -> Iterator[_LevelChange]:
    words = f"transfer {payload['reference']}"
    yield _LevelChange(short_event_title(CageReimbursed.kind), words, "", payload["escrow_before"], -payload["amount"])


def _change_request_lines(payload: Payload) -> Iterator[_LevelChange]:
    changed = ", ".join(changed_parameter_texts(payload))
    words = "waiting change withdrawn" if not changed else short_event_title(ChangeRequested.kind)
    yield _LevelChange(words, "; ".join(filter(None, (changed, payload["why"]))), payload["level"])


def _applied_change_lines(payload: Payload) -> Iterator[_LevelChange]:
    changed = ", ".join((*changed_parameter_texts(payload), *superseded_parameter_texts(payload)))
    note = "; ".join(filter(None, (changed, payload["why"], entered_by_text(payload))))
    yield _LevelChange(short_event_title(ChangeApplied.kind), note, payload["level"])


_LINE_BUILDERS: Final[dict[str, Callable[[Payload], Iterator[_LevelChange]]]] = {
    JackpotOpened.kind: _opening_lines,
    ROUND_EVENT_TYPE: _round_lines,
    PrizesPaid.kind: _paid_prize_lines,
    PrizesReversed.kind: _reversed_prize_lines,
    ClaimLocked.kind: _locked_claim_lines,
    ClaimJoined.kind: _joined_claim_lines,
    MeterReset.kind: _reset_lines,
    ClaimPaid.kind: _paid_claim_lines,
    ClaimRefused.kind: _refused_claim_lines,
    MeterAdjusted.kind: _adjustment_lines,
    WagersReversed.kind: _reversal_lines,
    JackpotDeposited.kind: _deposit_lines,
    CageReimbursed.kind: _reimbursement_lines,
    ChangeRequested.kind: _change_request_lines,
    ChangeApplied.kind: _applied_change_lines,
}


def _format_note(kind: str, payload: Payload) -> str:
    """The note of an event that moves no money, with the table that is linked or unlinked."""
    return str(payload["table"]) if kind.startswith("table-") else describe_details(kind, payload, format_amount)
