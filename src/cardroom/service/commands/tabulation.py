"""Counts of rounds: the dealer presses the button, wagers are counted, and the meters of the table's jackpots follow at
once.

A round is one command: the tabulator's record, the contributions to each jackpot, and the money are stored together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict, TypeVar, Unpack

from cardroom.chart_of_accounts import CENT
from cardroom.errors import BadInput
from cardroom.ledger import Command, CommandResult, Json
from cardroom.ledger.types import command_id_of
from cardroom.room.codec import encode
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import DeviceStamp
from cardroom.room.jackpot.events import WagersCounted
from cardroom.room.jackpot.wager_counts import LaterEvents, count_wagers, reverse_wagers
from cardroom.room.setup.calendar import Calendar
from cardroom.room.site.malfunction_reports import require_open_report
from cardroom.room.table.events import LiveRoundCanceled
from cardroom.room.tabulator.data_logger import LoggerRecord, last_taken_mark, take_records
from cardroom.room.tabulator.events import CounterRead, RoundRecorded, WagersRecorded, round_of_event
from cardroom.room.tabulator.installation import TabulatedTableState, require_open_table
from cardroom.room.tabulator.plausibility import (
    PlayRate,
    accept_rounds,
    allow_round,
    are_all_allowed,
    earliest_record_time,
    too_many_presses_error,
    too_many_rounds_error,
)
from cardroom.room.tabulator.state import JackpotCount, count_by_jackpot
from cardroom.room.tabulator.unit import (
    CannotTabulate,
    CoveredPositions,
    ShownCounters,
    clear_fault,
    count_by_hand,
    press_button,
    report_fault,
    report_lights,
    void_round,
)
from cardroom.room.user.command_ids import device_actor, original_command_id
from cardroom.service.chains.aggregates import UnknownTable
from cardroom.service.commands.handler import LinkedTableHandler, read_shown_amounts
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.results import (
    LightsResult,
    LoggerRecordsResult,
    RoundCountResult,
    TabulatorSummary,
    decode_lights_result,
    decode_logger_records_result,
    decode_round_count,
    decode_tabulator_summary,
    encode_lights_result,
    encode_round_count,
    encode_tabulator_summary,
)
from cardroom.service.commands.tabulator_setup import free_unit, place_unit_at
from cardroom.service.commands.unit_of_work import UnitOfWork
from cardroom.service.queries.chain_history import find_last_count
from cardroom.service.queries.past_live_rounds import find_live_cancellation
from cardroom.service.queries.site import get_gaming_day

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """One press of the dealer's button, or what the dealer counts where there is no button to press."""

    id: str
    """The id of the command, made by the sender."""
    who: str
    """The dealer, or the name that the device sends."""
    table: str
    covered: CoveredPositions
    lammers: CoveredPositions = field(default_factory=dict)
    """Beside which wagers lammers are, where no sensor of their own sees them."""
    round_id: str | None = None
    """The command's id when none is given."""
    shown: ShownCounters = field(default_factory=dict)
    """What the unit's own counter shows afterwards, where a device reports it."""
    device: DeviceStamp | None = None
    """The device that sends it."""

    @property
    def round(self) -> str:
        """The id of the round that was pressed."""
        return self.round_id or self.id


class RoundOptions(TypedDict, total=False):
    """What a press may say besides which wagers were made."""

    lammers: CoveredPositions
    round_id: str | None


class PressOptions(RoundOptions, total=False):
    """What a device reports besides."""

    shown: ShownCounters
    device: DeviceStamp | None


class TabulationCommands(LinkedTableHandler):
    """What dealers do at their tables."""

    def tabulate(
        self, id: str, who: str, table: str, covered: CoveredPositions, **options: Unpack[PressOptions]
    ) -> RoundCountResult:
        """Press the button: every wager is recorded, and every meter follows. For every sender, the table can have
        played only so many rounds (BJ-54)."""
        press = ButtonPress(id, who, table, covered, **options)
        return self.execute_prepared(lambda: self._build_press_command(press, self._read_pace()), decode_round_count)

    def tabulate_all(self, presses: Sequence[ButtonPress]) -> list[RoundCountResult | BadInput]:
        """Several waiting rounds with one commit; a round that is refused leaves the others unchanged. No command and
        no page uses this: benchmarks press faster than a table plays, so only the rounds of devices are compared with
        its pace."""
        results: dict[int, RoundCountResult | BadInput] = {}
        commands: dict[int, Command] = {}
        for at, press in enumerate(presses):
            try:
                commands[at] = self._build_press_command(press, self._read_pace() if press.device else None)
            except BadInput as fault:
                results[at] = fault
        carried = self.ledger.execute_all(list(commands.values())) if commands else []
        for at, result in zip(commands, carried, strict=True):
            results[at] = decode_round_count(result.response) if isinstance(result, CommandResult) else result
        return [results[at] for at in range(len(presses))]

    def _build_press_command(self, press: ButtonPress, pace: PlayRate | None) -> Command:
        round_id = press.round
        body = _encode_press("tabulate", press)
        refusal = too_many_rounds_error if press.device else too_many_presses_error
        dealer, device = press.who, press.device
        if device:
            itself = device_actor(device.device)
            dealer = self._find_console_dealer(press.table) or itself
            device = device._replace(dealer="" if press.who == itself else press.who)

        def decide(state: TabulatedTableState) -> tuple[WagersRecorded, ...]:
            return press_button(
                state.tabulator,
                round_id,
                press.covered,
                dealer=dealer,
                lammers=press.lammers,
                shown_counters=press.shown,
                device=device,
                allowance=allow_round(state.tabulator, pace, pace.now, refusal) if pace else None,
            )

        return self._build_count_command(press.id, press.table, body, decide, round_id)

    def _find_console_dealer(self, table: str) -> str:
        """The dealer who deals a round at the table's console now; empty where there is none."""
        try:
            live = self.table(table).live
        except UnknownTable:
            return ""
        return live.dealer if live else ""

    def _read_pace(self) -> PlayRate:
        """How fast a table can play, for a press, which counts as of now."""
        now = self.clock()
        return PlayRate(self.room().settings.rounds_an_hour, now, now)

    def _read_logger_pace(self, table: str) -> PlayRate:
        """The same for the records of its data logger, and how far back they are accepted."""
        pace, day = self._read_pace(), self.room().days.open
        began = get_gaming_day(self.ledger, day).opened if day else None
        opened = 0 if self.tabulator(table).tabulator.taken_up else find_last_count(self.ledger, table).time
        return pace._replace(since=earliest_record_time(began, opened, pace.now))

    def count_by_hand(
        self, id: str, who: str, table: str, covered: CoveredPositions, **options: Unpack[RoundOptions]
    ) -> RoundCountResult:
        """Count the wagers of a round while the tabulator is broken."""
        press = ButtonPress(id, who, table, covered, **options)
        body = _encode_press("count-by-hand", press)

        def decide(state: TabulatedTableState) -> tuple[WagersRecorded, ...]:
            return count_by_hand(state.tabulator, press.round, covered, who=who, lammers=press.lammers or None)

        return self.execute_prepared(
            lambda: self._build_count_command(id, table, body, decide, press.round), decode_round_count
        )

    def import_logger_records(
        self, id: str, who: str, table: str, records: Sequence[LoggerRecord]
    ) -> LoggerRecordsResult:
        """Take over what a data logger forwards: each record exactly once and in order, however often it is sent, and
        as far as the table can have played them (BJ-54)."""
        body: dict[str, Json] = {
            "do": "import-logger-records",
            "who": who,
            "table": table,
            "records": [encode(record) for record in records],
        }
        pace = self._read_logger_pace(table)

        def decide(uow: UnitOfWork) -> Json:
            state = self.refuse_automatic_table(require_open_table(uow.tabulator(table)))
            events = take_records(state.tabulator, records, pace)
            rounds = [tabulated.round for tabulated in events]
            refuse_counted(uow, table, rounds, lambda: self.calendar)
            state = uow.apply_to_tabulator(table, events)
            self._apply_counts(uow, table, events, late=True)
            mark = last_taken_mark(state.tabulator)
            return {"table": table, "number": mark.number, "seal": mark.seal, "rounds": rounds}

        round_ids = {record.round for record in records}
        return self.execute_prepared(
            lambda: self.build_command(id, body, self.lock_linked(table, rounds=round_ids), decide),
            decode_logger_records_result,
        )

    def are_records_plausible(self, table: str, records: Sequence[LoggerRecord]) -> bool:
        """Whether the table can have played all of these records, so that no second person is needed."""
        times = (record.time for record in records)
        return are_all_allowed(self.tabulator(table).tabulator, self._read_logger_pace(table), times)

    def accept_logger_records(
        self, id: str, who: str, table: str, rounds: int, why: str, *, second: str | None
    ) -> TabulatorSummary:
        """Accept so many records of the table's data logger beyond what the table can have played: each is counted
        once, when it is forwarded again. Two people accept that (BJ-54)."""
        body: dict[str, Json] = {
            "do": "accept-logger-records",
            "who": who,
            "second": second,
            "table": table,
            "rounds": rounds,
            "why": why,
        }

        def decide(state: TabulatedTableState) -> tuple[DomainEvent, ...]:
            tabulator = state.tabulator
            return accept_rounds(tabulator, rounds, device=tabulator.unit, who=who, second=second, why=why)

        return self._execute_on_tabulator(id, table, body, decide)

    # The tabulator itself.

    def report_tabulator_fault(
        self, id: str, who: str, table: str, reason: str, *, report: str | None = None
    ) -> TabulatorSummary:
        """Record that the tabulator does not work: from now on wagers are counted by hand. The malfunction report, if
        one is named, is open."""
        body: dict[str, Json] = {"do": "report-tabulator-fault", "who": who, "table": table, "reason": reason}

        def decide(uow: UnitOfWork) -> Json:
            number = "" if report is None else require_open_report(uow.room().reports, report).number
            broken = report_fault(
                require_open_table(uow.tabulator(table)).tabulator, who=who, reason=reason, report=number
            )
            return encode_tabulator_summary(uow.apply_to_tabulator(table, broken))

        if report is None:
            return self.execute(id, body, Locks(tabulators=[table]), decide, decode_tabulator_summary)
        locks = Locks(room=True, tabulators=[table])
        return self.execute(id, body | {"report": report}, locks, decide, decode_tabulator_summary)

    def clear_tabulator_fault(
        self, id: str, who: str, table: str, *, unit: str | None = None, counters: Sequence[int] = ()
    ) -> TabulatorSummary:
        """Record that the tabulator works again, or that another unit replaces it."""
        body: dict[str, Json] = {
            "do": "clear-tabulator-fault",
            "who": who,
            "table": table,
            "unit": unit,
            "counters": list(counters),
        }
        if unit is None:
            return self._execute_on_tabulator(
                id, table, body, lambda state: clear_fault(state.tabulator, who=who, counters=counters)
            )

        def decide(uow: UnitOfWork) -> Json:
            state = require_open_table(uow.tabulator(table))
            shown, mark = tuple(counters), None
            if unit != state.tabulator.unit:
                free_unit(uow, state, who)
                moved = place_unit_at(uow, unit, table, state.sensor_numbers, shown, who)
                shown, mark = tuple(counter.counter for counter in moved.counters), moved.logger
            new_events = clear_fault(state.tabulator, who=who, unit=unit, counters=shown, logger=mark)
            return encode_tabulator_summary(uow.apply_to_tabulator(table, new_events))

        return self.execute(id, body, Locks(room=True, tabulators=[table]), decide, decode_tabulator_summary)

    def report_lights(self, id: str, who: str, table: str, dark: CoveredPositions) -> LightsResult:
        """Record which lights have failed, by sensor; none when all work again."""
        body: dict[str, Json] = {"do": "report-lights", "who": who, "table": table, "dark": _encode_positions(dark)}

        def decide_result(uow: UnitOfWork) -> Json:
            failed = report_lights(require_open_table(uow.tabulator(table)).tabulator, dark, who=who)
            return encode_lights_result(uow.apply_to_tabulator(table, failed))

        return self.execute(id, body, Locks(tabulators=[table]), decide_result, decode_lights_result)

    def _execute_on_tabulator(
        self,
        id: str,
        table: str,
        body: Mapping[str, Json],
        decide: Callable[[TabulatedTableState], tuple[DomainEvent, ...]],
    ) -> TabulatorSummary:
        def decide_summary(uow: UnitOfWork) -> Json:
            return encode_tabulator_summary(
                uow.apply_to_tabulator(table, decide(require_open_table(uow.tabulator(table))))
            )

        return self.execute(id, body, Locks(tabulators=[table]), decide_summary, decode_tabulator_summary)

    def _build_count_command(
        self,
        id: str,
        table: str,
        body: Mapping[str, Json],
        decide: Callable[[TabulatedTableState], tuple[WagersRecorded, ...]],
        round_id: str,
    ) -> Command:
        rounds = (round_id,)

        def decide_result(uow: UnitOfWork) -> Json:
            refuse_counted(uow, table, rounds, lambda: self.calendar)
            events = decide(self.refuse_automatic_table(require_open_table(uow.tabulator(table))))
            state = uow.apply_to_tabulator(table, events)
            counts = self._apply_counts(uow, table, events, late=False)
            return encode_round_count(state, round_id, counts, read_shown_amounts(uow, state))

        return self.build_command(id, body, self.lock_linked(table, rounds=rounds), decide_result)

    def _apply_counts(
        self, uow: UnitOfWork, table: str, events: Sequence[WagersRecorded], *, late: bool
    ) -> dict[str, int]:
        """Apply the counts of a round to every jackpot; returns how many of each wager there were."""
        counts: dict[str, int] = {}
        came_in: dict[str, list[WagersCounted]] = {}
        for event in events:
            for wager in event.wagers:
                counts[wager.wager] = counts.get(wager.wager, 0) + wager.count
            round_id = round_of_event(event)
            for count in count_by_jackpot(event):
                state = uow.jackpot(count.jackpot)
                count_events = count_wagers(state, table, _wager_counts(count), round_id=round_id, late=late)
                uow.apply_to_jackpot(count.jackpot, count_events)
                came_in.setdefault(round_id, []).extend(count_events)
        self._void_canceled_rounds(uow, events, came_in)
        return counts

    def _void_canceled_rounds(
        self, uow: UnitOfWork, events: Sequence[WagersRecorded], came_in: Mapping[str, Sequence[WagersCounted]]
    ) -> None:
        """Live rounds that two people voided before their counts came: every wager went back, so nothing stays counted.
        The command that voids a round locks the table: either its event is stored by now, or it will see the count."""
        for event in events:
            if isinstance(event, CounterRead) or event.automatic:
                continue
            if off := find_live_cancellation(self.ledger, event.table, event.round):
                _void_canceled_round(uow, event, came_in.get(event.round, ()), off)


def _void_canceled_round(
    uow: UnitOfWork, recorded: RoundRecorded, came_in: Sequence[WagersCounted], off: LiveRoundCanceled
) -> None:
    """Reverse the counts of a void round, in the names of the two people who voided it."""
    tabulator = uow.tabulator(off.table).tabulator
    void = void_round(tabulator, recorded.round, who=off.who, second=off.second, reason=off.why, recorded=recorded)
    uow.apply_to_tabulator(off.table, void)
    for count_event in came_in:
        state = uow.jackpot(count_event.jackpot)
        back = reverse_wagers(state, count_event, LaterEvents(), who=off.who, second=off.second, why=off.why)
        uow.apply_to_jackpot(count_event.jackpot, back)


def refuse_counted(uow: UnitOfWork, table: str, rounds: Sequence[str], clock: Callable[[], Calendar]) -> None:
    """Refuse a round that was counted, however many rounds ago. The room's clock is used only for the sentence."""
    seen_rounds = set[str]()
    for round_id in rounds:
        count_event = uow.find_count_event(table, round_id)
        if count_event is not None:
            raise CannotTabulate(
                f"Round {round_id} was counted at {table} on {clock().format_time(count_event.time)} by command "
                f"{original_command_id(command_id_of(count_event.id))} (event {count_event.sequence}). Give a new "
                "round a new id."
            )
        if round_id in seen_rounds:
            raise CannotTabulate(f"Round {round_id} comes twice: give each round its own id.")
        seen_rounds.add(round_id)


def _wager_counts(count: JackpotCount) -> int | dict[int, int]:
    """How many wagers of each amount in cents; only how many, where the jackpot has a fixed amount."""
    return {amount // CENT: number for amount, number in count.stakes} if count.stakes else count.count


def _encode_press(action: str, press: ButtonPress) -> dict[str, Json]:
    covered, lammers = _encode_positions(press.covered), _encode_positions(press.lammers)
    command: dict[str, Json] = {"do": action, "who": press.who, "table": press.table, "round": press.round}
    body = command | {"covered": covered, "lammers": lammers}
    if press.shown:
        body["shown"] = {str(sensor): counter for sensor, counter in press.shown.items()}
    return body | {"device": encode(press.device)} if press.device else body


def _encode_positions(places: CoveredPositions) -> dict[str, Json]:
    return {str(sensor): sorted(set(positions)) for sensor, positions in places.items()}
