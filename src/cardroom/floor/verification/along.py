"""What happens along one chain: each event is taken by the rules, with the entries and names that follow from it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from cardroom.floor.kept.subjects import TABLES, Subject
from cardroom.floor.verification.replayed import (
    Lines,
    Replayed,
    ReportNamed,
    difference,
)
from cardroom.floor.verification.report import wrong
from cardroom.floor.verification.signatures import answered
from cardroom.jackpots import Happening
from cardroom.jackpots.happenings import JackpotClosed, JackpotReopened


class Chain:
    """What happens along one chain."""

    subject: Subject[Any] = TABLES

    def __init__(self, chain: str, replayed: Replayed) -> None:
        self.chain, self.replayed = chain, replayed
        self.state: Any = None
        self.time = 0
        """Of the event that is taken."""

    def take(self, sequence: int, id: str, happening: Happening, lines: Lines) -> None:
        """Take an event by the rules."""
        after = self.subject.after(self.state, happening)
        booked = [
            (str(one.debit), str(one.credit), one.amount) for one in self.subject.postings(self.state, after, happening)
        ]
        if booked != lines:
            raise wrong("its entries do not follow from it", self.chain, sequence, id, booked, lines)
        self.look(sequence, id, happening, self.state, after)
        self.replayed.answered += answered(self.chain, sequence, id, self.time, happening)
        self.state = after

    def look(self, sequence: int, id: str, happening: Happening, before: Any, after: Any) -> None:
        """Look at what states and entries do not show."""

    def _rests_on(self, report: str, sequence: int, id: str) -> None:
        """The event names a report; whether it was open then is asked once the room's chain is replayed."""
        if report:
            self.replayed.reports_named.append(ReportNamed(self.chain, sequence, id, self.time, report))

    def end(self, last: int) -> None:
        """The chain is at its end."""


class JudgedChain(Chain):
    """A chain on which hands are paid: the rules judge each hand again, and must come to the same events."""

    def __init__(self, chain: str, replayed: Replayed) -> None:
        super().__init__(chain, replayed)
        self._due: deque[Happening] = deque()

    def _expect(self, happenings: Iterable[Happening]) -> None:
        self._due.extend(happenings)

    def _compare(self, sequence: int, id: str, found: Happening) -> None:
        due = self._due.popleft()
        if due == found:
            return
        one, other = (
            {"kind": each.kind, "version": each.version, "payload": _untold(each.payload)} for each in (due, found)
        )
        if one != other:
            where, should, is_ = difference(one, other)
            raise wrong(f"judged again, its {where} is another", self.chain, sequence, id, should, is_)

    def end(self, last: int) -> None:
        super().end(last)
        if self._due:
            of = "statement" if isinstance(self._due[0], JackpotClosed | JackpotReopened) else "claim"
            raise wrong(f"a {of} is not complete", self.chain, last, "", self._due[0].kind, "the end of the chain")


def _untold(payload: Any) -> Any:
    """The same without the words in which hands are told: a later program may tell them better, and what was won are
    the event, the cards and the amount."""
    if isinstance(payload, dict):
        return {name: _untold(value) for name, value in payload.items() if name != "words"}
    if isinstance(payload, list | tuple):
        return [_untold(value) for value in payload]
    return payload
