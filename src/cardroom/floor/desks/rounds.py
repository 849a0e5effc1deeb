"""Rounds: the dealer presses the button, wagers are counted, and the meters of the table's jackpots follow at once.

A round is one command: what the tabulator recorded, what each jackpot took in and the money are stored together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict, TypeVar, Unpack

from cardroom.accounts import CENT
from cardroom.errors import BadInput
from cardroom.floor.desks.answers import (
    LightsReported,
    RecordsTaken,
    RoundCounted,
    TableStanding,
    lights_reported,
    lights_reported_entry,
    records_taken,
    round_counted,
    round_counted_entry,
    table_standing,
    table_standing_entry,
)
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.linked import TRIES, LinksChanged, shown_at, still_changing
from cardroom.floor.desks.units import UnitDesk
from cardroom.floor.kept.chains import ROOM, table_chain
from cardroom.floor.kept.days import kept_day
from cardroom.floor.kept.live_recall import live_call_off
from cardroom.floor.kept.recall import counted_last
from cardroom.floor.kept.subjects import UnknownFelt
from cardroom.floor.kept.table import TableState, open_at
from cardroom.floor.live.happenings import LiveRoundCalledOff
from cardroom.floor.people.senders import device_name, sent_id
from cardroom.jackpots import Happening
from cardroom.jackpots.contents import DeviceStamp
from cardroom.jackpots.happenings import Counted, CounterRead, RoundRecorded, WagersCounted, round_of
from cardroom.jackpots.meter.counting import count_wagers
from cardroom.jackpots.meter.taking_back import SinceCounted, take_back
from cardroom.jackpots.plain import written
from cardroom.jackpots.room.reports import open_report
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.jackpots.tabulator.logger import Record, take_records, taken
from cardroom.jackpots.tabulator.pace import (
    Pace,
    accept_rounds,
    all_believed,
    believe,
    records_since,
    too_many_presses,
    too_many_rounds,
)
from cardroom.jackpots.tabulator.replay import JackpotCount, jackpot_counts
from cardroom.jackpots.tabulator.unit import (
    CannotTabulate,
    Covered,
    Shown,
    count_by_hand,
    declare_broken,
    declare_repaired,
    press_button,
    report_lights,
    void_round,
)
from cardroom.ledger import Command, CommandResult, Json
from cardroom.ledger.types import command_id_of

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Press:
    """One press of the dealer's button, or what the dealer counts where there is no button to press."""

    id: str
    """Of the command, made by the sender."""
    who: str
    """The dealer, or whom the device names."""
    table: str
    covered: Covered
    lammers: Covered = field(default_factory=dict)
    """Beside which wagers lammers lie, where no sensor of their own sees them."""
    round_id: str | None = None
    """The command's id when none is given."""
    shown: Shown = field(default_factory=dict)
    """What the unit's own counter shows afterwards, where a device tells it."""
    device: DeviceStamp | None = None
    """The device that tells of it."""

    @property
    def round(self) -> str:
        """The id of the round that was pressed for."""
        return self.round_id or self.id


class More(TypedDict, total=False):
    """What may be told of a round besides the wagers that are there."""

    lammers: Covered
    round_id: str | None


class MoreOfAPress(More, total=False):
    """What a device tells besides."""

    shown: Shown
    device: DeviceStamp | None


class RoundDesk(UnitDesk):
    """What dealers do at their tables."""

    def tabulate(self, id: str, who: str, table: str, covered: Covered, **more: Unpack[MoreOfAPress]) -> RoundCounted:
        """Press the button: every wager that is there is recorded, and every meter follows. Whoever presses, the table
        can have played only so many rounds (BJ-54)."""
        press = Press(id, who, table, covered, **more)
        return self._steady(lambda: self._press(press, self._pace()), round_counted, table)

    def tabulate_all(self, presses: Sequence[Press]) -> list[RoundCounted | BadInput]:
        """Several rounds that wait, with one commit; a round that is refused leaves the others untouched. No command
        and no page leads here: benchmarks press faster than a table plays, so only the rounds of devices are compared
        with its pace."""
        done: dict[int, RoundCounted | BadInput] = {}
        for _ in range(TRIES):
            places = [at for at in range(len(presses)) if at not in done]
            if not places:
                break
            done |= self._tabulate_some(presses, places)
        return [done.get(at) or still_changing(press.table) for at, press in enumerate(presses)]

    def _tabulate_some(self, presses: Sequence[Press], places: Sequence[int]) -> dict[int, RoundCounted | BadInput]:
        done: dict[int, RoundCounted | BadInput] = {}
        commands: dict[int, Command] = {}
        for at in places:
            try:
                commands[at] = self._press(presses[at], self._pace() if presses[at].device else None)
            except BadInput as fault:
                done[at] = fault
        carried = self.ledger.execute_all(list(commands.values())) if commands else []
        for at, one in zip(commands, carried, strict=True):
            if isinstance(one, CommandResult):
                done[at] = round_counted(one.response)
            elif isinstance(one, LinksChanged):
                self._forget_links(presses[at].table)
            else:
                done[at] = one
        return done

    def _press(self, press: Press, pace: Pace | None) -> Command:
        round_id = press.round
        body = _press_entry("tabulate", press)
        refusal = too_many_rounds if press.device else too_many_presses
        dealer, device = press.who, press.device
        if device:
            itself = device_name(device.device)
            dealer = self._dealer_at(press.table) or itself
            device = device._replace(dealer="" if press.who == itself else press.who)

        def decide(state: TableState) -> tuple[Counted, ...]:
            return press_button(
                state.tabulator,
                round_id,
                press.covered,
                dealer=dealer,
                lammers=press.lammers,
                shown=press.shown,
                device=device,
                believed=believe(state.tabulator, pace, pace.now, refusal) if pace else None,
            )

        return self._counting(press.id, press.table, body, decide, round_id)

    def _dealer_at(self, table: str) -> str:
        """The dealer who deals a round at the table's console now; empty where there is none."""
        try:
            live = self.felt(table).live
        except UnknownFelt:
            return ""
        return live.dealer if live else ""

    def _pace(self) -> Pace:
        """How fast a table can play, for a press, which counts as of now."""
        now = self._clock()
        return Pace(self.room().settings.rounds_an_hour, now, now)

    def _pace_of_records(self, table: str) -> Pace:
        """The same for the records of its data logger, and how far back they are believed."""
        pace, day = self._pace(), self.room().days.open
        began = kept_day(self.ledger, day).opened if day else None
        opened = 0 if self.table(table).tabulator.taken_up else counted_last(self.ledger, table).time
        return pace._replace(since=records_since(began, opened, pace.now))

    def count_by_hand(self, id: str, who: str, table: str, covered: Covered, **more: Unpack[More]) -> RoundCounted:
        """Count the wagers of a round while the tabulator is broken."""
        press = Press(id, who, table, covered, **more)
        body = _press_entry("count-by-hand", press)

        def decide(state: TableState) -> tuple[Counted, ...]:
            return count_by_hand(state.tabulator, press.round, covered, by=who, lammers=press.lammers or None)

        return self._steady(lambda: self._counting(id, table, body, decide, press.round), round_counted, table)

    def take_records(self, id: str, who: str, table: str, records: Sequence[Record]) -> RecordsTaken:
        """Take over what a data logger forwards: each record exactly once and in order, however often it is sent, and
        as far as the table can have played them (BJ-54)."""
        body: dict[str, Json] = {
            "do": "take-records",
            "who": who,
            "table": table,
            "records": [written(record) for record in records],
        }
        pace = self._pace_of_records(table)

        def decide(draft: Draft) -> Json:
            state = self._dealt_by_people(open_at(self._linked(draft, table)))
            happenings = take_records(state.tabulator, records, pace)
            rounds = [tabulated.round for tabulated in happenings]
            refuse_counted(draft, table, rounds, lambda: self.calendar)
            state = draft.at_table(table, happenings)
            self._count(draft, table, happenings, late=True)
            mark = taken(state.tabulator)
            return {"table": table, "number": mark.number, "seal": mark.seal, "rounds": rounds}

        told = {record.round for record in records}
        return self._steady(lambda: self._at_linked(id, table, body, decide, rounds=told), records_taken, table)

    def believes(self, table: str, records: Sequence[Record]) -> bool:
        """Whether the table can have played all of these records, so that they wait for no second person."""
        times = (record.time for record in records)
        return all_believed(self.table(table).tabulator, self._pace_of_records(table), times)

    def accept_records(
        self, id: str, who: str, table: str, rounds: int, why: str, *, second: str | None
    ) -> TableStanding:
        """Accept so many records of the table's data logger beyond what the table can have played: each is counted
        once, when it is forwarded again. Two people accept that (BJ-54)."""
        body: dict[str, Json] = {
            "do": "accept-records",
            "who": who,
            "second": second,
            "table": table,
            "rounds": rounds,
            "why": why,
        }

        def decide(state: TableState) -> tuple[Happening, ...]:
            tabulator = state.tabulator
            return accept_rounds(tabulator, rounds, device=tabulator.unit, by=who, second=second, why=why)

        return self._at_tabulator(id, table, body, decide)

    # The tabulator itself.

    def declare_broken(self, id: str, who: str, table: str, reason: str, *, report: str | None = None) -> TableStanding:
        """Say that the tabulator does not work: from now on wagers are counted by hand. The report of the malfunction,
        if one is named, is open."""
        body: dict[str, Json] = {"do": "declare-broken", "who": who, "table": table, "reason": reason}

        def decide(draft: Draft) -> Json:
            number = "" if report is None else open_report(draft.room().reports, report).number
            broken = declare_broken(open_at(draft.table(table)).tabulator, by=who, reason=reason, report=number)
            return table_standing_entry(draft.at_table(table, broken))

        if report is None:
            return self._do(id, body, (table_chain(table),), decide, table_standing)
        return self._do(id, body | {"report": report}, (table_chain(table), ROOM), decide, table_standing)

    def declare_repaired(
        self, id: str, who: str, table: str, *, unit: str | None = None, counters: Sequence[int] = ()
    ) -> TableStanding:
        """Say that the tabulator works again, or that another unit is in its place."""
        body: dict[str, Json] = {
            "do": "declare-repaired",
            "who": who,
            "table": table,
            "unit": unit,
            "counters": list(counters),
        }
        if unit is None:
            return self._at_tabulator(
                id, table, body, lambda state: declare_repaired(state.tabulator, by=who, counters=counters)
            )

        def decide(draft: Draft) -> Json:
            state = open_at(draft.table(table))
            shown, mark = tuple(counters), None
            if unit != state.tabulator.unit:
                self._put_away(draft, state, who)
                moved = self._place(draft, unit, table, state.sensor_numbers, shown, who)
                shown, mark = tuple(one.counter for one in moved.counters), moved.logger
            happened = declare_repaired(state.tabulator, by=who, unit=unit, counters=shown, logger=mark)
            return table_standing_entry(draft.at_table(table, happened))

        return self._do(id, body, (table_chain(table), ROOM), decide, table_standing)

    def report_lights(self, id: str, who: str, table: str, dark: Covered) -> LightsReported:
        """Say which lights have failed, by sensor; none when all work again."""
        body: dict[str, Json] = {"do": "report-lights", "who": who, "table": table, "dark": _places_entry(dark)}

        def decided(draft: Draft) -> Json:
            failed = report_lights(open_at(draft.table(table)).tabulator, dark, by=who)
            return lights_reported_entry(draft.at_table(table, failed))

        return self._do(id, body, (table_chain(table),), decided, lights_reported)

    def _at_tabulator(
        self, id: str, table: str, body: Mapping[str, Json], decide: Callable[[TableState], tuple[Happening, ...]]
    ) -> TableStanding:
        def decided(draft: Draft) -> Json:
            return table_standing_entry(draft.at_table(table, decide(open_at(draft.table(table)))))

        return self._do(id, body, (table_chain(table),), decided, table_standing)

    def _counting(
        self,
        id: str,
        table: str,
        body: Mapping[str, Json],
        decide: Callable[[TableState], tuple[Counted, ...]],
        round_id: str,
    ) -> Command:
        rounds = (round_id,)

        def decided(draft: Draft) -> Json:
            refuse_counted(draft, table, rounds, lambda: self.calendar)
            happenings = decide(self._dealt_by_people(open_at(self._linked(draft, table))))
            state = draft.at_table(table, happenings)
            counts = self._count(draft, table, happenings, late=False)
            return round_counted_entry(state, round_id, counts, shown_at(draft, state))

        return self._at_linked(id, table, body, decided, rounds=rounds)

    def _count(self, draft: Draft, table: str, happenings: Sequence[Counted], *, late: bool) -> dict[str, int]:
        """Let every jackpot take in its wagers; how many there were of each wager."""
        counts: dict[str, int] = {}
        came_in: dict[str, list[WagersCounted]] = {}
        for happening in happenings:
            for wager in happening.wagers:
                counts[wager.wager] = counts.get(wager.wager, 0) + wager.count
            round_id = round_of(happening)
            for one in jackpot_counts(happening):
                state = draft.jackpot(one.jackpot)
                counted = count_wagers(state, table, _wagers(one), round_id=round_id, late=late)
                draft.at_jackpot(one.jackpot, counted)
                came_in.setdefault(round_id, []).extend(counted)
        self._void_called_off(draft, happenings, came_in)
        return counts

    def _void_called_off(
        self, draft: Draft, happenings: Sequence[Counted], came_in: Mapping[str, Sequence[WagersCounted]]
    ) -> None:
        """Live rounds that two people had called off when their counts came: every wager went back, so nothing stays
        counted. Who calls a round off has locked the table: the books tell of it by now, or will hear of the count."""
        for one in happenings:
            if isinstance(one, CounterRead) or one.automatic:
                continue
            if off := live_call_off(self.ledger, one.table, one.round):
                _void_at_once(draft, one, came_in.get(one.round, ()), off)


def _void_at_once(
    draft: Draft, recorded: RoundRecorded, came_in: Sequence[WagersCounted], off: LiveRoundCalledOff
) -> None:
    """What a void round has brought goes back, in the names of the two who called it off."""
    tabulator = draft.table(off.table).tabulator
    void = void_round(tabulator, recorded.round, by=off.who, second=off.second, reason=off.why, recorded=recorded)
    draft.at_table(off.table, void)
    for one in came_in:
        state = draft.jackpot(one.jackpot)
        back = take_back(state, one, SinceCounted(), who=off.who, second=off.second, why=off.why)
        draft.at_jackpot(one.jackpot, back)


def refuse_counted(draft: Draft, table: str, rounds: Sequence[str], clock: Callable[[], Calendar]) -> None:
    """A round is counted once, however many rounds ago that was; the room's clock is looked at only to say when."""
    told = set[str]()
    for round_id in rounds:
        counted = draft.counted(table, round_id)
        if counted is not None:
            raise CannotTabulate(
                f"Round {round_id} has been counted already: at {table} on {clock().told(counted.time)} by command "
                f"{sent_id(command_id_of(counted.id))} (event {counted.sequence}). A new round has a new id."
            )
        if round_id in told:
            raise CannotTabulate(f"Round {round_id} comes twice: a new round has a new id.")
        told.add(round_id)


def _wagers(count: JackpotCount) -> int | dict[int, int]:
    """How many wagers of each amount in cents; only how many, where the jackpot knows the amount."""
    return {amount // CENT: number for amount, number in count.stakes} if count.stakes else count.count


def _press_entry(do: str, press: Press) -> dict[str, Json]:
    covered, lammers = _places_entry(press.covered), _places_entry(press.lammers)
    named: dict[str, Json] = {"do": do, "who": press.who, "table": press.table, "round": press.round}
    told = named | {"covered": covered, "lammers": lammers}
    if press.shown:
        told["shown"] = {str(sensor): counter for sensor, counter in press.shown.items()}
    return told | {"device": written(press.device)} if press.device else told


def _places_entry(places: Covered) -> dict[str, Json]:
    return {str(sensor): sorted(set(positions)) for sensor, positions in places.items()}
