"""The second bookkeeper and what becomes of the tables: counters are read, set-ups change, tables close."""

from __future__ import annotations

from tests.crash.model_room import Answer, Command, Round, Table, allow
from tests.crash.model_rounds import Rounds

NO_TABLE_PLAYS_SO_MUCH = 2_000
"""Wagers that no table can have played since it counted last: no test takes an hour."""


class Life(Rounds):
    """What happens to tables and their tabulators."""

    def _read_counter(self, command: Command) -> Answer:
        """Wagers that the tabulator counted and no user has shown of; too many of them need two people (BJ-33)."""
        table = self._open(command["table"])
        missing = [now - one.counter for one, now in zip(table.sensors, command["counters"], strict=True)]
        allow(min(missing) >= 0, "the counter never goes back")
        marked = (one.lammer_amount for one, more in zip(table.sensors, missing, strict=True) if more)
        allow(not any(marked), "nobody knows beside which wagers lammers lay")
        possible = [0 if one.is_dark else NO_TABLE_PLAYS_SO_MUCH for one in table.sensors]
        if any(more > most for more, most in zip(missing, possible, strict=True)):
            allow(command.get("second") and command.get("why"), "nobody alone believes that")
        allow(command.get("second") != command["who"], "two people are two")
        record = Round([], 0)
        for sensor, more in zip(table.sensors, missing, strict=True):
            self._count_sensor(table, sensor, record, more, 0, by_hand=False, round_id=f"reading {command['id']}")
            table.read[sensor.wager] = table.read.get(sensor.wager, 0) + more
        table.readings[command["id"]] = record, table.counters
        counts = {one.wager: more for one, more in zip(table.sensors, missing, strict=True)}
        return {"counts": counts, "counters": table.counters, "meters": self._shown_at(table)}

    def _reverse_reading(self, command: Command) -> Answer:
        table = self.tables[command["table"]]
        allow(command["reading"] in table.readings, "there is no such reading")
        record, showed = table.readings[command["reading"]]
        allow(command["second"] != command["who"], "two people are two")
        allow(command["reading"] not in table.taken_back, "it was taken back")
        allow(showed == table.counters, "something was counted since")
        self._give_back(table, record, (table.id, f"reading {command['reading']}"))
        table.taken_back.add(command["reading"])
        counts = {wager: -number for wager, _, number, _ in record.wagers}
        for sensor, (_, _, number, _) in zip(table.sensors, record.wagers, strict=True):
            sensor.counter -= number
            sensor.counted -= number
        return {"counts": counts, "counters": table.counters, "meters": self._shown_at(table)}

    def _skip_records(self, command: Command) -> Answer:
        """Records that are lost: the counter stands for them, and no user knows of lammers (BJ-34)."""
        table = self._open(command["table"])
        (sensor,) = table.sensors
        allow(command["second"] != command["who"], "two people are two")
        allow(command["to"] > table.records, "they are in the books")
        more = command["presses"][command["to"] - 1]["counter"] - sensor.counter
        self._count_sensor(table, sensor, Round([], 0), more, 0, by_hand=False, round_id=f"reading {command['id']}")
        table.records = command["to"]
        return {"number": table.records, "rounds": []}

    def _change_tabulator(self, command: Command) -> Answer:
        """Another unit, other limits: what was counted stays counted."""
        table, setup = self._open(command["tabulator"]["table"]), command["tabulator"]
        allow(not table.broken, "the tabulator is broken")
        allow(self.units.get(command["unit"], ("", {}))[0] in ("", table.id), "the unit stands elsewhere")
        allow((command["unit"], command["most"]) != (table.unit, table.most), "nothing changes")
        assert setup["location"] == table.location
        if command["unit"] != table.unit:
            self._take_away(table)
            self._bring(table, command["unit"])
        table.most = command["most"]
        return self._table_answer(table, table.unit)

    def _move_table(self, command: Command) -> Answer:
        table = self._open(command["table"])
        allow(not table.jackpots, "a meter has one location")
        allow(command["location"] != table.location, "it stands there")
        table.location = command["location"]
        return self._table_answer(table)

    def _close_table(self, command: Command) -> Answer:
        table: Table = self._open(command["table"])
        for jackpot in table.jackpots:
            self.jackpots[jackpot].tables.remove(table.id)
        self._take_away(table)
        table.closed = True
        return self._table_answer(table)
