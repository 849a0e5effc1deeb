"""Reports of malfunctions: opened under the operator's number, sent to the commission, closed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from cardroom.errors import BadInput
from cardroom.floor.desks.desk import Body, Desk
from cardroom.floor.desks.draft import Draft
from cardroom.floor.kept.chains import ROOM
from cardroom.games.jurisdiction import Jurisdiction
from cardroom.jackpots import Happening, read_as, written
from cardroom.jackpots.room.reports import (
    CannotReport,
    MalfunctionReport,
    close_report,
    open_report,
    report_malfunction,
    report_name,
    report_number,
    same_number,
    send_report,
)
from cardroom.jackpots.room.state import RoomState
from cardroom.jackpots.setup.calendar import Time
from cardroom.jackpots.setup.opening import law_of
from cardroom.jackpots.setup.told_time import time_told
from cardroom.ledger import Json, UniqueKey


class UnclearSubject(BadInput):
    """A report on something that is neither a table nor a jackpot, or may be both."""


class ReportStanding(NamedTuple):
    """A report after a command."""

    report: MalfunctionReport
    closed: bool
    at: Time
    """When that was so."""


class MalfunctionDesk(Desk):
    """The clock of a report is shown until it is closed."""

    def report_malfunction(self, id: str, who: str, number: str, of: str, *, found_at: str, why: str) -> ReportStanding:
        """Open a report on a table or a jackpot under the operator's own number, which is given once and for ever."""
        called = report_number(number)
        table, jackpot, law = self._concerned(of)
        body: dict[str, Json] = {
            "do": "report-malfunction",
            "who": who,
            "number": number,
            "of": of,
            "found_at": found_at,
            "why": why,
        }

        def decide(draft: Draft, now: Time) -> tuple[Happening, ...]:
            if taken := draft.named(ROOM, report_name(called)):
                calendar = draft.room().settings.calendar
                raise CannotReport(
                    f"Report {called} was opened already, on {calendar.told(taken.time)}: a new one has a new number."
                )
            found = time_told(found_at, draft.room().settings.calendar, now)
            hours = law.malfunction_hours
            return report_malfunction(
                called, table=table, jackpot=jackpot, found_at=found, hours=hours, now=now, who=who, why=why
            )

        return self._at_report(id, called, body, decide, UniqueKey(ROOM, report_name(called)))

    def send_report(
        self, id: str, who: str, number: str, *, reference: str, sent_at: str | None = None
    ) -> ReportStanding:
        """Say that a report went to the commission, and how; now, unless another time is told."""
        body: dict[str, Json] = {
            "do": "send-report",
            "who": who,
            "number": number,
            "reference": reference,
            "sent_at": sent_at,
        }

        def decide(draft: Draft, now: Time) -> tuple[Happening, ...]:
            room = draft.room()
            sent = now if sent_at is None else time_told(sent_at, room.settings.calendar, now)
            return send_report(room.reports, number, sent_at=sent, now=now, reference=reference, who=who)

        return self._at_report(id, number, body, decide)

    def close_report(self, id: str, who: str, number: str, why: str) -> ReportStanding:
        """End the matter."""
        body: dict[str, Json] = {"do": "close-report", "who": who, "number": number, "why": why}
        return self._at_report(
            id, number, body, lambda draft, _: close_report(draft.room().reports, number, why=why, who=who)
        )

    def _at_report(
        self,
        id: str,
        number: str,
        body: Body,
        decide: Callable[[Draft, Time], tuple[Happening, ...]],
        *names: UniqueKey,
    ) -> ReportStanding:
        def decided(draft: Draft) -> Json:
            now, before = self._clock(), draft.room()
            after = draft.at_room(decide(draft, now))
            return _standing_entry(number, before, after, now)

        return self._do(id, body, (ROOM,), decided, _standing, names)

    def _concerned(self, of: str) -> tuple[str | None, str | None, Jurisdiction]:
        """The table or the jackpot of this name, and the law that it is played under."""
        is_table, is_jackpot = of in self.tables(), of in self.jackpots()
        if not is_table and not is_jackpot:
            raise UnclearSubject(f"{of!r} is neither a table nor a jackpot: name the one that broke.")
        # A name that both have is the table's: what breaks is the machine at a table.
        if is_table:
            table = self.table(of)
            return of, None, law_of(table.game_setup.jurisdiction, table.money)
        return None, of, self.jackpot(of).law


def _standing_entry(number: str, before: RoomState, after: RoomState, now: Time) -> dict[str, Json]:
    closed = not any(same_number(report.number, number) for report in after.reports)
    report = open_report((before if closed else after).reports, number)
    return {"report": written(report), "closed": closed, "at": now}


def _standing(entry: Any) -> ReportStanding:
    return ReportStanding(read_as(MalfunctionReport, entry["report"]), entry["closed"], entry["at"])
