"""The history of a jackpot: every change with its beginning amount, the amount, the reason, and who.

The rounds between two other events stand in one line a level, so that each beginning amount is where the line before
left off; they can also be told one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final

from cardroom.accounts import CENT, Amount
from cardroom.floor.kept.recall import payload_of
from cardroom.jackpots import Chips, Increase, happenings
from cardroom.jackpots.amounts import books, change
from cardroom.jackpots.telling.details import come_off_words, details, others_words, void_words
from cardroom.jackpots.telling.phrases import (
    changed_words,
    chips_words,
    dealt_words,
    entered_words,
    given_up_words,
    hands_words,
    is_reading,
    payout_words,
    replaced_terms,
    report_words,
    round_words,
    sources_words,
)
from cardroom.jackpots.telling.words import answering, in_short, reason
from cardroom.ledger import Event

ROUND: Final = happenings.WagersCounted.kind
Payload = dict[str, Any]
Readings = Callable[[str, str], happenings.CounterRead | None]
"""A reading by its table and its id, as the table's chain tells of it."""
_READINGS: Final = (happenings.CounterRead.kind, happenings.ReadingTakenBack.kind)


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


def change_lines(
    newest_first: Iterable[Event], *, each_round: bool = False, readings: Readings | None = None
) -> Iterator[ChangeLine]:
    """The lines of a jackpot's events, the newest first. ``readings`` knows who read a counter, and why."""
    for is_round, some in groupby(newest_first, key=_is_round):
        if is_round and not each_round:
            yield from _rounds(list(some))
        else:
            for event in some:
                lines = list(_lines(event))
                if event.kind == ROUND and not _is_round(event):
                    lines = [_reading(line, event, readings) for line in lines]
                yield from reversed(lines)


def _is_round(event: Event) -> bool:
    """Whether the event tells of the wagers of a round, and not of those that were read off a counter."""
    told = payload_of(event)
    return event.kind == ROUND and not is_reading(told)


def _reading(line: ChangeLine, event: Event, readings: Readings | None) -> ChangeLine:
    """What a reading brought a level; people answer for it, where a table answers for its rounds."""
    told = payload_of(event)
    read = readings(told["table"], told["round"].removeprefix(happenings.READING)) if readings else None
    note = f"counter read, {line.note}, {told['table']}"
    if read is None:
        return replace(line, note=note)
    return replace(line, who=answering(read.payload), note="; ".join(filter(None, (note, read.why))))


def life_lines(newest_first: Iterable[Event]) -> Iterator[ChangeLine]:
    """What happened to a table besides its rounds, the newest first: its set-ups, its tabulator, what was read off its
    counter, its end."""
    for event in newest_first:
        told = payload_of(event)
        if "wagers" not in told or event.kind in _READINGS:
            note = details(event.kind, told, books)
            yield ChangeLine(event.time, event.sequence, "", in_short(event.kind), who=answering(told), note=note)


def _rounds(events: Sequence[Event]) -> Iterator[ChangeLine]:
    """Rounds that follow on one another, in a line for each level."""
    newest, oldest = events[0], events[-1]
    told: list[Payload] = [payload_of(event) for event in events]
    count = sum(one["count"] for one in told)
    tables = ", ".join(sorted({one["table"] for one in told}))
    note = f"{count:,} wagers in {len(events):,} rounds" if len(events) > 1 else round_words(told[0])
    if not told[0]["levels"]:
        yield ChangeLine(newest.time, newest.sequence, "", str(Increase.WAGERS), who=tables, note=note)
    first = payload_of(oldest)
    for level in reversed(list(told[0]["levels"])):
        _, shown, reserved, spilt, *_ = zip(*(one["levels"][level] for one in told), strict=True)
        before, hidden = first["levels"][level][0], _hidden(sum(reserved), sum(spilt))
        yield ChangeLine(
            newest.time, newest.sequence, level, str(Increase.WAGERS), before, sum(shown), tables, note + hidden
        )


def _hidden(reserved: Amount, spilt: Amount) -> str:
    parts = {"reserve": reserved, "overflow": spilt}
    return "".join(f", {name} {change(amount)}" for name, amount in parts.items() if amount)


def _lines(event: Event) -> Iterator[ChangeLine]:
    told = payload_of(event)
    held = told["of"] if event.kind == happenings.Adjusted.kind else "display"
    lines = _MOVED.get(event.kind)
    for line in lines(told) if lines else [_Line(in_short(event.kind), _note(event.kind, told))]:
        why = line.reason or reason(event.kind, told)
        who = answering(told) if line.who is None else line.who
        yield ChangeLine(event.time, event.sequence, line.level, why, line.before, line.amount, who, line.note, held)


@dataclass(frozen=True, slots=True)
class _Line:
    """What one event did to one level, or to none. Without words of its own it has the reason of the event."""

    reason: str = ""
    note: str = ""
    level: str = ""
    before: Amount | None = None
    amount: Amount | None = None
    who: str | None = None


# Events that move the money of a level, or money that has a place of its own in the books.


def _opened(told: Payload) -> Iterator[_Line]:
    yield _Line(in_short(happenings.JackpotOpened.kind), told["setup"]["name"])
    for level, seed in told["seeds"].items():
        yield _Line("", "", level, 0, seed)


def _round(told: Payload) -> Iterator[_Line]:
    for level, (before, shown, reserved, spilt, *_rest) in told["levels"].items():
        note = round_words(told) + _hidden(reserved, spilt)
        yield _Line("", note, level, before, shown, told["table"])
    if not told["levels"]:
        yield _Line("", round_words(told), who=told["table"])


def _dealt(told: Payload) -> str:
    """Who dealt, where somebody else has claimed."""
    return f"; {words}" if (words := dealt_words(told)) else ""


def _prizes_paid(told: Payload) -> Iterator[_Line]:
    note = f"{told['table']}: {hands_words(told['prizes'])}{_dealt(told)}"
    yield _Line(in_short(happenings.PrizesPaid.kind), note, amount=-told["cents"] * CENT)


def _prizes_taken_back(told: Payload) -> Iterator[_Line]:
    note = f"{told['why']}; {told['table']}: {hands_words(told['prizes'])}; {chips_words(told)}; claim {told['claim']}"
    amount = told["cents"] * CENT if told["chips"] == Chips.RETURNED else None
    yield _Line(in_short(happenings.PrizesTakenBack.kind), note, amount=amount)


def _locked(told: Payload) -> Iterator[_Line]:
    pending = f"; claim {told['claim']} pending{_dealt(told)}"
    for level, (before, taken) in told["levels"].items():
        if level in told.get("beyond", {}):
            fill = told["beyond"][level]
            added = _from_elsewhere(fill)
            yield _Line(str(Increase.PRIZES), sources_words(fill, books), level, before, added, who="")
            before += added
        hands = hands_words(prize for prize in told["prizes"] if prize["level"] == level)
        yield _Line("", hands + pending, level, before, -taken)
    fixed = [prize for prize in told["prizes"] if prize["level"] is None]
    if fixed:
        yield _Line(in_short(happenings.ClaimLocked.kind), hands_words(fixed) + pending)


def _joined(told: Payload) -> Iterator[_Line]:
    """One claim more of a round: the level as it is now that all its winners are valued together."""
    also = "".join(f"; {words}" for words in others_words(told))
    pending = f"; claim {told['claim']} pending{_dealt(told)}{also}"
    for level, now in told["levels"].items():
        hands = hands_words(prize for prize in told["prizes"] if prize["level"] == level)
        before, after = now["before"]["display"], now["after"]["display"]
        yield _Line("", hands + pending, level, before, after - before)
    others = [prize for prize in told["prizes"] if prize["level"] not in told["levels"]]
    if others:
        yield _Line(in_short(happenings.ClaimJoined.kind), hands_words(others) + pending)
    yield from _terms(told)


def _terms(told: Payload) -> Iterator[_Line]:
    """The changes that a refusal sent back to wait, or that a claim beside others put into effect."""
    for one in replaced_terms(told):
        yield _Line(one.what, f"{one.moved}; {one.entered}; claim {told['claim']}", one.level)


def _reset(told: Payload) -> Iterator[_Line]:
    yield _Line("", sources_words(told, books), told["level"], told["before"], _from_elsewhere(told))


def _from_elsewhere(fill: Payload) -> Amount:
    """What a meter got besides wagers."""
    return sum(fill[source] for source in ("overflow", "reserve", "house"))


def _paid(told: Payload) -> Iterator[_Line]:
    seen = f", surveillance {told['surveillance']['by']}" if told["surveillance"] else ""
    amount = sum(told["levels"].values()) + told["house_cents"] * CENT
    note = "; ".join((f"{books(amount)}, claim {told['claim']}", *payout_words(told)))
    yield _Line(in_short(happenings.ClaimPaid.kind), note, who=answering(told) + seen)


def _refused(told: Payload) -> Iterator[_Line]:
    note = "; ".join((told["why"], f"claim {told['claim']}", *come_off_words(told)))
    for level, now in told["levels"].items():
        before, after = now["before"]["display"], now["after"]["display"]
        yield _Line("", note, level, before, after - before)
    if not told["levels"]:
        yield _Line("", note)
    yield from _terms(told)


def _adjusted(told: Payload) -> Iterator[_Line]:
    note = "; ".join(filter(None, (told["why"], report_words(told))))
    yield _Line("", note, told["level"], told["before"], told["change"])


def _taken_back(told: Payload) -> Iterator[_Line]:
    for level, (before, shown, reserved, spilt) in told["levels"].items():
        note = f"{told['why']}; {round_words(told)}{_hidden(-reserved, -spilt)}"
        yield _Line("", note, level, before, -shown)
    kept = tuple(void_words(told))
    if kept or not told["levels"]:
        yield _Line("", "; ".join((told["why"], round_words(told), *kept)))


def _deposited(told: Payload) -> Iterator[_Line]:
    slip = f"slip {told['reference']}"
    yield _Line(in_short(happenings.Deposited.kind), slip, "", told["escrow_before"], told["amount"])


def _reimbursed(told: Payload) -> Iterator[_Line]:
    words = f"transfer {told['reference']}"
    yield _Line(in_short(happenings.CageReimbursed.kind), words, "", told["escrow_before"], -told["amount"])


def _changed(told: Payload) -> Iterator[_Line]:
    changed = ", ".join(changed_words(told))
    words = "waiting change taken back" if not changed else in_short(happenings.ChangeRequested.kind)
    yield _Line(words, "; ".join(filter(None, (changed, told["why"]))), told["level"])


def _applied(told: Payload) -> Iterator[_Line]:
    changed = ", ".join((*changed_words(told), *given_up_words(told)))
    note = "; ".join(filter(None, (changed, told["why"], entered_words(told))))
    yield _Line(in_short(happenings.ChangeApplied.kind), note, told["level"])


_MOVED: Final[dict[str, Callable[[Payload], Iterator[_Line]]]] = {
    happenings.JackpotOpened.kind: _opened,
    ROUND: _round,
    happenings.PrizesPaid.kind: _prizes_paid,
    happenings.PrizesTakenBack.kind: _prizes_taken_back,
    happenings.ClaimLocked.kind: _locked,
    happenings.ClaimJoined.kind: _joined,
    happenings.MeterReset.kind: _reset,
    happenings.ClaimPaid.kind: _paid,
    happenings.ClaimRefused.kind: _refused,
    happenings.Adjusted.kind: _adjusted,
    happenings.WagersTakenBack.kind: _taken_back,
    happenings.Deposited.kind: _deposited,
    happenings.CageReimbursed.kind: _reimbursed,
    happenings.ChangeRequested.kind: _changed,
    happenings.ChangeApplied.kind: _applied,
}


def _note(kind: str, told: Payload) -> str:
    """What else there is to know of an event that moves no money; the table that joins or leaves."""
    return str(told["table"]) if kind.startswith("table-") else details(kind, told, books)
