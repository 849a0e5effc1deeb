"""The second bookkeeper and what becomes of the tables: counters are read, set-ups change, tables close."""

from __future__ import annotations

from tests.crash.model_room import Answer, Deed, Round, Table, allow
from tests.crash.model_rounds import Rounds

NO_TABLE_PLAYS_SO_MUCH = 2_000
"""Wagers that no table can have played since it counted last: no test takes an hour."""


class Life(Rounds):
    """What happens to tables and their tabulators."""

    def _read_counter(self, deed: Deed) -> Answer:
        """Wagers that the tabulator counted and nobody has told of; too many of them need two people (BJ-33)."""
        table = self._open(deed["table"])
        missing = [now - one.counter for one, now in zip(table.sensors, deed["counters"], strict=True)]
        allow(min(missing) >= 0, "the counter never goes back")
        marked = (one.lammer_amount for one, more in zip(table.sensors, missing, strict=True) if more)
        allow(not any(marked), "nobody knows beside which wagers lammers lay")
        possible = [0 if one.is_dark else NO_TABLE_PLAYS_SO_MUCH for one in table.sensors]
        if any(more > most for more, most in zip(missing, possible, strict=True)):
            allow(deed.get("second") and deed.get("why"), "nobody alone believes that")
        allow(deed.get("second") != deed["who"], "two people are two")
        record = Round([], 0)
        for sensor, more in zip(table.sensors, missing, strict=True):
            self._count_sensor(table, sensor, record, more, 0, by_hand=False, round_id=f"reading {deed['id']}")
            table.read[sensor.wager] = table.read.get(sensor.wager, 0) + more
        table.readings[deed["id"]] = record, table.counters
        counts = {one.wager: more for one, more in zip(table.sensors, missing, strict=True)}
        return {"counts": counts, "counters": table.counters, "meters": self._shown_at(table)}

    def _reverse_reading(self, deed: Deed) -> Answer:
        table = self.tables[deed["table"]]
        allow(deed["reading"] in table.readings, "there is no such reading")
        record, showed = table.readings[deed["reading"]]
        allow(deed["second"] != deed["who"], "two people are two")
        allow(deed["reading"] not in table.taken_back, "it was taken back")
        allow(showed == table.counters, "something was counted since")
        self._give_back(table, record, (table.id, f"reading {deed['reading']}"))
        table.taken_back.add(deed["reading"])
        counts = {wager: -number for wager, _, number, _ in record.wagers}
        for sensor, (_, _, number, _) in zip(table.sensors, record.wagers, strict=True):
            sensor.counter -= number
            sensor.counted -= number
        return {"counts": counts, "counters": table.counters, "meters": self._shown_at(table)}

    def _skip_records(self, deed: Deed) -> Answer:
        """Records that are lost: the counter stands for them, and nobody knows of lammers (BJ-34)."""
        table = self._open(deed["table"])
        (sensor,) = table.sensors
        allow(deed["second"] != deed["who"], "two people are two")
        allow(deed["to"] > table.records, "they are in the books")
        more = deed["presses"][deed["to"] - 1]["counter"] - sensor.counter
        self._count_sensor(table, sensor, Round([], 0), more, 0, by_hand=False, round_id=f"reading {deed['id']}")
        table.records = deed["to"]
        return {"number": table.records, "rounds": []}

    def _change_tabulator(self, deed: Deed) -> Answer:
        """Another unit, other limits: what was counted stays counted."""
        table, setup = self._open(deed["tabulator"]["table"]), deed["tabulator"]
        allow(not table.broken, "the tabulator is broken")
        allow(self.units.get(deed["unit"], ("", {}))[0] in ("", table.id), "the unit stands elsewhere")
        allow((deed["unit"], deed["most"]) != (table.unit, table.most), "nothing changes")
        assert setup["location"] == table.location
        if deed["unit"] != table.unit:
            self._take_away(table)
            self._bring(table, deed["unit"])
        table.most = deed["most"]
        return self._table_answer(table, table.unit)

    def _move_table(self, deed: Deed) -> Answer:
        table = self._open(deed["table"])
        allow(not table.jackpots, "a meter has one location")
        allow(deed["location"] != table.location, "it stands there")
        table.location = deed["location"]
        return self._table_answer(table)

    def _close_table(self, deed: Deed) -> Answer:
        table: Table = self._open(deed["table"])
        for jackpot in table.jackpots:
            self.jackpots[jackpot].tables.remove(table.id)
        self._take_away(table)
        table.closed = True
        return self._table_answer(table)
