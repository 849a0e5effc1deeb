"""The second bookkeeper at the tables: wagers are counted, and void rounds go back."""

from __future__ import annotations

from collections.abc import Mapping

from tests.crash.model_days import Calendar
from tests.crash.model_level import CENT, Level, cents_of
from tests.crash.model_room import Answer, Command, Jackpot, Round, Sensor, Table, allow


class Rounds(Calendar):
    """What dealers do."""

    def _tabulate(self, command: Command) -> Answer:
        table = self._open(command["table"])
        allow(not table.has_logger, "the logger counts")
        allow(not table.broken, "the tabulator is broken")
        return self._count(table, command, by_hand=False)

    def _count_by_hand(self, command: Command) -> Answer:
        table = self._open(command["table"])
        allow(table.broken, "the tabulator works")
        return self._count(table, command, by_hand=True)

    def _count(self, table: Table, command: Command, *, by_hand: bool) -> Answer:
        lying = {int(number): set(places) for number, places in command.get("lammers", {}).items()}
        covered = {int(number): set(places) for number, places in command["covered"].items()}
        counts = self._counted(table, command["round"], covered, lying, by_hand=by_hand, late=False)
        table.rounds[command["round"]].dealt = command["who"]
        return {
            "round": command["round"],
            "counts": counts,
            "counters": table.counters,
            "meters": self._shown_at(table),
        }

    def _shown_at(self, table: Table) -> dict[str, list[int]]:
        return {
            id: [cents_of(level.held.display) for level in self.jackpots[id].levels.values()] for id in table.jackpots
        }

    def _counted(
        self,
        table: Table,
        round_id: str,
        covered: Mapping[int, set[int]],
        lying: Mapping[int, set[int]],
        *,
        by_hand: bool,
        late: bool,
    ) -> dict[str, int]:
        allow(round_id not in table.rounds, "the round was counted")
        wagers, record = [], Round([], 0)
        for sensor in table.sensors:
            places = covered.get(sensor.number, set())
            lammers = lying.get(sensor.number, set())
            if sensor.lammer_sensor is not None and not by_hand:
                lammers = covered.get(sensor.lammer_sensor, set())
            allow(lammers <= places, "a lammer lies where no wager is")
            allow(not (places and sensor.is_dark), "the wager is dark")
            wagers.append((sensor, len(places) - len(lammers), len(lammers)))
            if sensor.jackpot is not None:
                staked = {place: sensor.lammer_amount if place in lammers else sensor.amount for place in places}
                record.places[sensor.jackpot] = staked
        for sensor, plain, marked in wagers:
            if sensor.jackpot is not None and plain + marked and not late:
                allow(self.jackpots[sensor.jackpot].is_available, "the jackpot takes no wagers")
        for sensor, plain, marked in wagers:
            self._count_sensor(table, sensor, record, plain, marked, by_hand=by_hand, round_id=round_id)
        table.rounds[round_id], table.read = record, {}
        return {sensor.wager: plain + marked for sensor, plain, marked in wagers}

    def _count_sensor(
        self,
        table: Table,
        sensor: Sensor,
        record: Round,
        plain: int,
        marked: int,
        *,
        by_hand: bool,
        round_id: str = "",
    ) -> None:
        number, staked = plain + marked, plain * sensor.amount + marked * (sensor.lammer_amount or 0)
        if by_hand:
            sensor.by_hand += number
        else:
            sensor.counter += number
            sensor.counted += number
        record.wagers.append((sensor.wager, sensor.jackpot, number, staked))
        if sensor.is_collected:
            record.collected += CENT * staked
            self._post(f"chip-tray:{table.id}", f"gross-receipts:{table.id}", CENT * staked)
        if sensor.jackpot is not None and number:
            jackpot = self.jackpots[sensor.jackpot]
            each = {sensor.amount: plain} | ({sensor.lammer_amount: marked} if sensor.lammer_amount else {})
            record.brought[jackpot.id] = self._grow(jackpot, table, round_id, each)

    def _grow(self, jackpot: Jackpot, table: Table, round_id: str, each: Mapping[int, int]) -> dict[str, int]:
        """Each level takes its part of the wagers that take part in it; how many claims there had been on each."""
        if not jackpot.is_progressive:
            return {}
        for level in jackpot.levels.values():
            before = level.held.owed
            level.happen("came_in", (table.id, round_id), dict(each))
            self._debits[f"gross-receipts:{table.id}"] += level.held.owed - before
            self._fund(jackpot, level.held.owed - before)
        self._as_held(jackpot)
        return {level.name: len(level.claimed) for level in jackpot.levels.values()}

    def _import_logger_records(self, command: Command) -> Answer:
        """A logger sends what it likes as often as it likes: each record counts once, in order."""
        table, presses, first = self.tables[command["table"]], command["presses"], command["first"]
        allow(first <= table.records or first >= len(presses), "records are missing")
        new = presses[max(first, table.records) :]
        for press in new:
            self._counted(
                table,
                press["round"],
                {1: set(press["positions"])},
                {1: set(press["lammers"])},
                by_hand=False,
                late=True,
            )
            table.rounds[press["round"]].dealt = press["dealer"]
        table.records += len(new)
        return {"number": table.records, "rounds": [press["round"] for press in new]}

    def _report_tabulator_fault(self, command: Command) -> Answer:
        table = self._open(command["table"])
        allow(not table.broken, "it is broken already")
        allow(command.get("report") is None or command["report"] in self.reports, "no such report is open")
        table.broken = True
        return self._table_answer(table)

    def _clear_tabulator_fault(self, command: Command) -> Answer:
        table = self._open(command["table"])
        allow(table.broken, "it is not broken")
        table.broken = False
        return self._table_answer(table)

    def _void(self, command: Command) -> Answer:
        """Every wager goes back. Off the meters comes what it put there, as if it had never been counted; where a claim
        that came after it was paid, it was won; where one is pending, the claim remembers it (BJ-18)."""
        table = self.tables[command["table"]]
        record = table.rounds.get(command["round"])
        allow(command["second"] not in (None, command["who"]), "two people")
        allow(record is not None and command["round"] not in table.voided, "no such round, or void already")
        assert record is not None
        of = table.id, command["round"]
        for id in (id for id, places in record.places.items() if places):
            allow(not self.jackpots[id].records_of(of), "something was won in it")
        self._give_back(table, record, of)
        counts = {}
        for wager, _, number, _ in record.wagers:
            next(one for one in table.sensors if one.wager == wager).taken_back += number
            counts[wager] = -number
        table.voided.add(command["round"])
        return {"counts": counts, "counters": table.counters, "meters": self._shown_at(table)}

    def _give_back(self, table: Table, record: Round, of: tuple[str, str]) -> None:
        """The wagers go back, and off the meters what they put there (BJ-18)."""
        for id, levels in record.brought.items():
            jackpot = self.jackpots[id]
            before = jackpot.owed
            for name, claims in levels.items():
                self._void_on(jackpot, jackpot.levels[name], of, claims)
            self._fund(jackpot, jackpot.owed - before)
            self._debits[f"gross-receipts:{table.id}"] += jackpot.owed - before
            self._as_held(jackpot)
        self._post(f"gross-receipts:{table.id}", f"chip-tray:{table.id}", record.collected)

    def _void_on(self, jackpot: Jackpot, level: Level, of: tuple[str, str], claims: int) -> None:
        since = level.claimed[claims:]
        behind = [one for one in jackpot.pending_on(level.name) if one in since]
        if set(since) & level.paid:
            return
        if behind:
            level.remembered.append((of, behind[0], len(level.claimed)))
        else:
            level.happen("void", of)
