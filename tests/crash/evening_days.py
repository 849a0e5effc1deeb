"""What an evening does with the calendar on the wall: days are opened and closed, malfunctions reported."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Any

from tests.crash.model import Model

FIRST = date(2001, 1, 1)
"""Long ago, so that no day comes before its time, whenever the tests run."""


class DaysOfAnEvening:
    """Commands about days and reports that make sense, and now and then one that does not."""

    random: Random
    model: Model
    prefix: str
    alone: bool
    number: int

    def _day(self) -> dict[str, Any]:
        if self.model.day is not None:
            return {"do": "close-day"}
        if self.alone and self.model.last_day is not None and self.random.random() < 0.4:
            return {"do": "send-heads"}
        after = self.model.last_day or FIRST
        return {"do": "open-day", "day": str(after + timedelta(days=self.random.choice([1, 1, 1, 3])))}

    def _malfunction(self) -> dict[str, Any]:
        reports = self.model.reports
        if reports and self.random.random() < 0.7:
            number = self.random.choice(list(reports))
            if reports[number].sent or self.random.random() < 0.3:
                return {"do": "close-report", "number": number, "why": "it was exchanged"}
            return {"do": "send-report", "number": number, "reference": "fax 12", "sent_at": "2001-01-05 09:00"}
        broken = self.random.choice([*self.model.tables, *self.model.jackpots])
        result = {"source": broken, "found_at": "2001-01-02 21:40", "why": "no lights"}
        return {"do": "report-malfunction", "number": f"{self.prefix}R-{self.number}", **result}

    def _mistaken_day(self) -> dict[str, Any]:
        number = self.random.choice([*sorted(self.model.numbers), "never written"])
        result = {"source": "nothing", "found_at": "2001-01-02 21:40", "why": "no lights"}
        return self.random.choice(
            [
                {"do": "open-day", "day": str(self.model.last_day or FIRST)},
                {"do": "close-day"},
                {"do": "report-malfunction", "number": number, **result, "source": "duel-1"},
                {"do": "report-malfunction", "number": number, **result},
                {"do": "send-report", "number": number, "reference": "fax 12", "sent_at": "2001-01-05 09:00"},
                {"do": "close-report", "number": number, "why": "done"},
            ]
        )
