"""Lines of a data logger that come over the network: each is checked, and the records are taken as far as they follow.

On the way lines are lost, changed, sent twice and sent late. What can be taken is taken; for the rest the answer says
from which number on the logger has to send again. Only what the logger itself has lost, and what cannot be counted,
waits for people (BJ-34).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from cardroom.jackpots.contents import LoggerGap, LoggerMark
from cardroom.jackpots.happenings import RoundTabulated
from cardroom.jackpots.plain import NotWrittenHere, read_as
from cardroom.jackpots.tabulator.log_lines import line_entry, mark_behind
from cardroom.jackpots.tabulator.logger import BadLog, Record, follows, strange_record, taken
from cardroom.jackpots.tabulator.pace import Pace, TooManyRounds, believe
from cardroom.jackpots.tabulator.replay import tabulator_after
from cardroom.jackpots.tabulator.state import TabulatorState
from cardroom.jackpots.tabulator.unit import CannotTabulate, CounterDiffers, take_record

_LARGEST: Final = 1 << 53
_LONGEST: Final = 200


class SentLines(NamedTuple):
    """What a logger has sent."""

    records: tuple[Record, ...]
    """In the order of their numbers, each once."""
    damaged: tuple[int, ...] = ()
    """Which of the lines are not what was written, from 1."""
    units: frozenset[str] = frozenset()
    """Whose files they are, by the lines with which files begin."""


class Take(NamedTuple):
    """What could be taken, and what holds the rest up."""

    tabulated: tuple[RoundTabulated, ...]
    known: int
    """How many of the records were in the books before."""
    held_up: str = ""
    """Why the rest could not be taken; empty when there is none."""
    for_people: bool = False
    """Whether sending again does not help."""
    gap: LoggerGap | None = None
    """Where two people may let the logger go on."""
    too_many: bool = False
    """Whether the table cannot have played so many rounds: two people accept or refuse them."""


def read_sent(lines: Sequence[str]) -> SentLines:
    """The records of the lines, as ``log_lines`` writes them. Acknowledgements say nothing that a server does not know.

    >>> read_sent(["9a1b2c3d {}"])
    SentLines(records=(), damaged=(1,), units=frozenset())
    """
    records, damaged, units = dict[tuple[int, str], Record](), list[int](), set[str]()
    for number, line in enumerate(lines, 1):
        entry = line_entry(line.removesuffix("\n").encode("utf-8", "replace"))
        if entry is not None and "logger" in entry:
            units.add(str(entry["logger"]))
        elif entry is None or "acknowledged" not in entry:
            try:
                record = _possible(read_as(Record, entry))
            except NotWrittenHere:
                damaged.append(number)
            else:
                records[record.number, record.seal] = record
    return SentLines(tuple(records[key] for key in sorted(records)), tuple(damaged), frozenset(units))


def _possible(record: Record) -> Record:
    """A record that books can hold."""
    numbers = (record.number, record.time, record.counter, *record.positions, *record.lammers)
    texts = (record.round, record.dealer, record.seal)
    if not all(0 <= one < _LARGEST for one in numbers) or not all(_is_text(one) for one in texts):
        raise NotWrittenHere(f"Record {record.number} holds what no logger writes.")
    return record


def _is_text(text: str) -> bool:
    return 0 < len(text) <= _LONGEST and text.isprintable()


def take_sent(
    state: TabulatorState,
    sent: SentLines,
    refuse_counted: Callable[[str], None],
    pace: Pace,
    *,
    lost_up_to: int = 0,
) -> Take:
    """Take the records that follow on the last one. ``refuse_counted`` refuses a round that was counted already, and
    one that the table cannot have played at its ``pace`` is not taken; ``lost_up_to`` is the last record that the
    logger itself has no longer, so that it cannot forward it."""
    if not state.table.model.data_logger:
        raise CannotTabulate(f"{state.table.model.name} has no data logger.")
    for unit in sent.units - {state.unit}:
        raise BadLog(f"The lines are of {unit}, but {state.unit} stands at {state.table.table}.")
    take = Take((), 0)
    for record in sent.records:
        last = taken(state)
        if record.number < last.number or (record.number == last.number and record.seal == last.seal):
            take = take._replace(known=take.known + 1)
            continue
        take = _next(take, state, record, refuse_counted, pace)
        if take.held_up:
            break
        state = tabulator_after(state, take.tabulated[-1])
    if take.gap and take.gap.mark.before and take.gap.mark.number != lost_up_to:
        take = take._replace(for_people=False, gap=None)
    if sent.damaged:
        take = take._replace(held_up=_damaged(sent.damaged) + f" {take.held_up}" * bool(take.held_up))
    return take


def _next(
    take: Take,
    state: TabulatorState,
    record: Record,
    refuse_counted: Callable[[str], None],
    pace: Pace,
) -> Take:
    """Take one record, or say what holds it up."""
    last = taken(state)
    if record.number > last.number + 1:
        gap = LoggerGap(mark_behind(record), max(record.counter - len(record.positions), 0))
        missing = f"Record {record.number} of {state.unit} came, but {last.number + 1} has not"
        return take._replace(held_up=f"{missing}: forward from {last.number + 1} on.", for_people=True, gap=gap)
    if record.number == last.number or not follows(last, record):
        return take._replace(held_up=str(strange_record(record, state)), for_people=True)
    try:
        refuse_counted(record.round)
        believed = believe(state, pace, pace.of_record(record.time))
        tabulated = replace(take_record(state, record), **believed._asdict())
        return take._replace(tabulated=(*take.tabulated, tabulated))
    except TooManyRounds as fault:
        return take._replace(held_up=str(fault), for_people=True, too_many=True)
    except CounterDiffers as fault:
        return take._replace(held_up=str(fault), for_people=True)
    except CannotTabulate as fault:
        behind = LoggerGap(LoggerMark(record.number, record.seal), record.counter)
        return take._replace(held_up=f"Record {record.number}: {fault}", for_people=True, gap=behind)


def _damaged(lines: Sequence[int]) -> str:
    """
    >>> _damaged([3])
    'Line 3 of what was sent is damaged: send it again.'
    """
    numbers = ", ".join(map(str, lines))
    if len(lines) == 1:
        return f"Line {numbers} of what was sent is damaged: send it again."
    return f"Lines {numbers} of what was sent are damaged: send them again."
