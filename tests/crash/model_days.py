"""The second bookkeeper's calendar on the wall: gaming days, and reports of malfunctions with their numbers."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

from tests.crash.model_level import CENT
from tests.crash.model_room import Answer, Command, Report, Room, allow

PACIFIC = timezone(timedelta(hours=-8))
"""The room's clocks in winter, in which all malfunctions of these evenings are found."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
HOURS = timedelta(hours=72)
"""WAC 230-06-054."""


def microseconds(time: datetime) -> int:
    return (time - EPOCH) // timedelta(microseconds=1)


class Calendar(Room):
    """Days follow one another, and a number is given once."""

    def __init__(self) -> None:
        super().__init__()
        self.day: date | None = None
        self.last_day: date | None = None
        self.stood: dict[date, dict[str, tuple[int, ...]]] = {}
        """By day, what each jackpot owed at its close, had in the bank, had in the cage and owed the cage."""
        self.numbers: set[str] = set()

    def _configure_room(self, command: Command) -> Answer:
        return {"settings": {"name": command["settings"]["name"]}}

    def _open_day(self, command: Command) -> Answer:
        day = date.fromisoformat(command["day"])
        allow(self.day is None, "another day is open")
        allow(self.last_day is None or day > self.last_day, "it does not follow the last one")
        left_out = (day - self.last_day).days - 1 if self.last_day else 0
        self.day = day
        return {"day": command["day"], "is_open": True, "skipped": left_out}

    def _close_day(self, _: Command) -> Answer:
        allow(self.day is not None, "no day is open")
        day, self.day = self.day, None
        assert day is not None
        self.last_day = day
        self.stood[day] = {
            one.id: (one.owed, one.escrow, one.undeposited, one.cage_advance) for one in self.jackpots.values()
        }
        return {"day": str(day), "is_open": False, "open": self._open_matters()}

    def _open_matters(self) -> list[dict[str, Any]]:
        """What a close lists, in the order of the list on the wall; what the clock says besides is left out."""
        jackpots = sorted(self.jackpots.values(), key=lambda one: one.id)
        matters = {
            "claim pending": [one.id for one in jackpots for _ in one.claims],
            "malfunction": sorted(one.of for one in self.reports.values()),
            "tabulator broken": sorted(one.id for one in self.tables.values() if one.broken),
            "deposit due": [one.id for one in jackpots if one.undeposited >= CENT],
            "cage to be paid back": [one.id for one in jackpots if one.cage_advance >= CENT],
            "surplus at the bank": [one.id for one in jackpots if one.surplus],
            "change waits": [one.id for one in jackpots for level in one.levels.values() if level.later],
        }
        return [{"what": what, "of": of} for what, all_of in matters.items() for of in all_of]

    def _send_heads(self, _: Command) -> Answer:
        return {"day": None if self.last_day is None else str(self.last_day)}

    # Malfunctions.

    def _report_malfunction(self, command: Command) -> Answer:
        number, source = command["number"], command["source"]
        allow(number not in self.numbers, "the number was given before")
        allow(source in self.tables or source in self.jackpots, "nobody knows what broke")
        self.numbers.add(number)
        self.reports[number] = Report(source)
        found = datetime.fromisoformat(command["found_at"]).replace(tzinfo=PACIFIC)
        times = {"found_at": microseconds(found), "due": microseconds(found + HOURS)}
        return {"report": {"number": number, **times, "sent": None}, "closed": False}

    def _send_report(self, command: Command) -> Answer:
        report = self.reports.get(command["number"])
        allow(report is not None and not report.sent, "it is not open, or was sent")
        assert report is not None
        report.sent = True
        return {"report": {"number": command["number"], "sent": {"reference": command["reference"]}}, "closed": False}

    def _close_report(self, command: Command) -> Answer:
        allow(command["number"] in self.reports, "it is not open")
        del self.reports[command["number"]]
        return {"report": {"number": command["number"]}, "closed": True}
