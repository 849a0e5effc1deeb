"""Tables: added, changed, linked, moved, and removed. Their game, play, and tabulator are stored in one transaction.

What a wager costs or pays changes only in the name of two people. A round in progress keeps its setup: the table
changes between two rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from cardroom.games.setup import setup_to_json
from cardroom.ledger import Command, Json, UniqueKey
from cardroom.room.codec import wager_order
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.jackpot.event_values import SetupChange
from cardroom.room.jackpot.lifecycle import link_table, unlink_table
from cardroom.room.table.events import TableChanged
from cardroom.room.table.reducer import table_opening_key
from cardroom.room.table.setup import RoomTableSetup, UnitSetup, list_table_changes
from cardroom.room.table.state import TableState
from cardroom.room.table.terms import PlayTerms, WrongPhase, terms_that_stay
from cardroom.room.tabulator.installation import BadInstallation, TabulatedTableState
from cardroom.room.tabulator.setup_changes import list_setup_changes, takes_two_people
from cardroom.service.chains.names import table_chain
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.results import (
    RoomTableResult,
    TabulatorSummary,
    decode_room_table_result,
    encode_tabulator_summary,
)
from cardroom.service.commands.table_changes import (
    encode_room_table,
    find_installed_tabulator,
    find_open_play,
    read_table_setup,
    with_jackpot_bonuses,
)
from cardroom.service.commands.tables import (
    CannotAddTable,
    SeatedBot,
    TableCommands,
    check_table,
    refuse_bad_name,
    refuse_during_round,
)
from cardroom.service.commands.tabulator_setup import (
    CannotLink,
    TableAlreadyOpen,
    assign_jackpot,
    change_unit,
    free_jackpot,
    install_unit,
    preview_unit,
    refuse_counter_change,
    refuse_other_currency,
    remove_tabulator,
    require_working,
)
from cardroom.service.commands.unit_of_work import StateAccess, UnitOfWork


class TableSetupCommands(TableCommands):
    """Adds tables, changes, moves, and removes them, and links them to jackpots."""

    def read_table_setup(self, table: str) -> RoomTableSetup:
        """The setup of an open table as it is now."""
        return read_table_setup(self, table)

    def list_table_changes(self, setup: RoomTableSetup) -> tuple[SetupChange, ...]:
        """What ``change_table`` would change now."""
        return list_table_changes(read_table_setup(self, setup.table), with_jackpot_bonuses(self, setup))

    def check_new_table(self, setup: RoomTableSetup) -> None:
        """Refuse what ``add_table`` would refuse now. The place of the unit is checked only when the table is really
        added."""
        refuse_bad_name(setup.table, setup.play.owner if setup.play else "")
        refuse_open_table(self, setup.table)
        self.check_table_setup(setup)

    def check_table_setup(self, setup: RoomTableSetup) -> None:
        """Refuse a setup that no table can have now."""
        shown, unit = with_jackpot_bonuses(self, setup), setup.tabulator
        installed = None if unit is None else preview_unit(self, setup.game, unit)
        if setup.play is not None:
            check_table(setup.table, shown.game, setup.play, installed)

    def add_table(self, id: str, who: str, setup: RoomTableSetup, bots: Sequence[SeatedBot] = ()) -> RoomTableResult:
        """Add a table, also again after it was removed: its chains continue. The seal of its first round is shown from
        now on, and its bots sit there from the beginning."""
        table = setup.table
        body: dict[str, Json] = {"do": "add-table", "who": who, **encode_room_table(setup)}
        if bots:
            body["bots"] = [list(bot) for bot in bots]

        def decide(uow: UnitOfWork) -> Json:
            refuse_open_table(uow, table)
            refuse_bad_name(table, setup.play.owner if setup.play else "")
            shown, play = with_jackpot_bonuses(uow, setup), None
            tabulator = None if setup.tabulator is None else install_unit(uow, who, setup.game, setup.tabulator)
            if setup.play is not None:
                play = self._open_play(uow, who, table, shown.game, setup.play, tabulator, bots)
            if play is None and tabulator is None:
                raise CannotAddTable(f"{table} would have no play and no tabulator: add one of them.")
            return self._encode_table(uow, table, play, tabulator)

        return self._execute_setup(id, setup, body, decide)

    def change_table(
        self, id: str, who: str, setup: RoomTableSetup, why: str, *, second: str | None = None
    ) -> RoomTableResult:
        """Give an open table another setup, between two rounds: its game, its play, its tabulator. It is checked like a
        new one; the counts so far stay."""
        table = setup.table
        body: dict[str, Json] = {"do": "change-table", "who": who, "why": why, **encode_room_table(setup)}
        if second:
            body["second"] = second

        def decide(uow: UnitOfWork) -> Json:
            before = read_table_setup(uow, table)
            _refuse_other_game(before, setup)
            after, signer = with_jackpot_bonuses(uow, setup), ""
            if second or takes_two_people(before.game, after.game):
                _, signer = require_two_people(who, second, "a change of what a wager costs or pays")
            if (play := find_open_play(uow, table)) is not None:
                refuse_during_round(play)
            if (tabulator := find_installed_tabulator(uow, table)) is not None:
                require_working(tabulator)
            return self._apply_change(uow, before, after, who, why, signer)

        return self._execute_setup(id, setup, body, decide)

    def link_table(self, id: str, who: str, table: str, jackpot: str, why: str) -> TabulatorSummary:
        """Let a table play for a jackpot, for a reason: the sensor of its wager counts for it from now on."""
        body: dict[str, Json] = {"do": "link-table", "who": who, "table": table, "jackpot": jackpot, "why": why}

        def change(uow: UnitOfWork, before: RoomTableSetup) -> RoomTableSetup:
            unit, state = _require_unit(uow, before), uow.jackpot(jackpot)
            others = [uow.jackpot(linked) for linked in before.jackpots]
            link = table, before.game, unit.sensors.location, others
            link_table(state, *link, who=who, money=unit.sensors.money)
            return before._replace(
                tabulator=unit._replace(sensors=assign_jackpot(unit.sensors, state, before.game.game))
            )

        return self._change_part(id, who, table, body, change, why, jackpot)

    def unlink_table(self, id: str, who: str, table: str, jackpot: str, why: str) -> TabulatorSummary:
        """Unlink a table from a jackpot: its wager is disabled from now on, and earlier winners can still claim."""
        body: dict[str, Json] = {"do": "unlink-table", "who": who, "table": table, "jackpot": jackpot, "why": why}

        def change(uow: UnitOfWork, before: RoomTableSetup) -> RoomTableSetup:
            unit = _require_unit(uow, before)
            unlink_table(uow.jackpot(jackpot), table, who=who)
            return before._replace(tabulator=unit._replace(sensors=free_jackpot(unit.sensors, jackpot)))

        return self._change_part(id, who, table, body, change, why, jackpot)

    def move_table(self, id: str, who: str, table: str, location: str, why: str) -> TabulatorSummary:
        """Move a table to another place. A meter has one location, so the table is unlinked from the jackpots of the
        old place first."""
        body: dict[str, Json] = {"do": "move-table", "who": who, "table": table, "location": location, "why": why}

        def change(_: UnitOfWork, before: RoomTableSetup) -> RoomTableSetup:
            unit = before.tabulator
            if unit is None:
                raise CannotLink(f"Table {table} has no tabulator, so the ledger keeps no place for it.")
            return before._replace(tabulator=unit._replace(sensors=replace(unit.sensors, location=location)))

        return self._change_part(id, who, table, body, change, why)

    def remove_table(self, id: str, who: str, table: str, why: str) -> RoomTableResult:
        """Remove a table between two rounds: every player gets the chips back, the key of the round that was never
        dealt is revealed, the table is unlinked from its jackpots, and its unit is free. Earlier winners can still
        claim."""
        body: dict[str, Json] = {"do": "remove-table", "who": who, "table": table, "why": why}

        def decide(uow: UnitOfWork) -> Json:
            read_table_setup(uow, table)  # refuses a table that is not open
            play, tabulator = find_open_play(uow, table), find_installed_tabulator(uow, table)
            if play is not None:
                play = self._close_play(uow, play, who, why)
            if tabulator is not None:
                tabulator = remove_tabulator(uow, tabulator, who, why)
            return self._encode_table(uow, table, play, tabulator)

        return self._execute_setup(id, table, body, decide)

    # What these commands share.

    def _change_part(
        self,
        id: str,
        who: str,
        table: str,
        body: dict[str, Json],
        change: Callable[[UnitOfWork, RoomTableSetup], RoomTableSetup],
        why: str,
        *jackpots: str,
    ) -> TabulatorSummary:
        """Change a table with a tabulator in one respect."""

        def decide(uow: UnitOfWork) -> Json:
            before = read_table_setup(uow, table)
            after = with_jackpot_bonuses(uow, change(uow, before))
            return self._apply_change(uow, before, after, who, why)

        result = self._execute_setup(id, table, body, decide, *jackpots)
        assert result.tabulator is not None
        return result.tabulator._replace(changes=result.changes)

    def _execute_setup(
        self,
        id: str,
        setup: RoomTableSetup | str,
        body: dict[str, Json],
        decide: Callable[[UnitOfWork], Json],
        *more_jackpots: str,
    ) -> RoomTableResult:
        """Carry out a command on both chains of a table, its players, its jackpots now and then, and the room for its
        unit."""
        table, requested = (setup, None) if isinstance(setup, str) else (setup.table, setup)

        def prepare() -> Command:
            tabulator, after = find_installed_tabulator(self, table), requested.jackpots if requested else ()
            jackpots = (*(tabulator.jackpots if tabulator else ()), *after, *more_jackpots)
            room = bool(tabulator or (requested and requested.tabulator))
            locks = Locks(room=room, tables=[table], tabulators=[table], jackpots=jackpots)
            return self.build_command(id, body, locks | self._lock_play(table), decide)

        return self.execute_prepared(prepare, decode_room_table_result)

    def _lock_play(self, table: str) -> Locks:
        """The locks of opening, changing, and closing play: its number, the players, and the key of a round that will
        not be dealt."""
        before = self.table(table) if self.read_table_version(table) else None
        opening = UniqueKey(table_chain(table), table_opening_key(before.opening + 1 if before else 1))
        locks = Locks(unique_keys=[opening])
        return locks if before is None or before.closed else locks | self._find_locks(table, self._lock_closing)

    def _apply_change(
        self,
        uow: UnitOfWork,
        before: RoomTableSetup,
        after: RoomTableSetup,
        who: str,
        why: str,
        second: str = "",
    ) -> Json:
        changes = list_table_changes(before, after)
        if not changes:
            raise BadInstallation(f"Table {before.table} already has this setup: there is nothing to change.")
        require_text(why, "reason")
        tabulator = self._change_tabulator(uow, before, after, who, why, second)
        play = self._change_play(uow, find_open_play(uow, before.table), after, tabulator, who, why, second)
        return self._encode_table(uow, before.table, play, tabulator, changes)

    def _change_tabulator(
        self, uow: UnitOfWork, before: RoomTableSetup, after: RoomTableSetup, who: str, why: str, second: str
    ) -> TabulatedTableState | None:
        """The table's tabulator after the change; None if it has none."""
        state, unit = find_installed_tabulator(uow, after.table), after.tabulator
        if unit is None:
            if state is not None:
                remove_tabulator(uow, state, who, why)
            return None
        if state is None:
            return install_unit(uow, who, after.game, unit)
        refuse_other_currency(state, unit.sensors)
        refuse_counter_change(state, unit)
        if list_table_changes(before._replace(play=None), after._replace(play=None)):
            return change_unit(uow, state, after.game, unit, who, why, second)
        return state

    def _change_play(
        self,
        uow: UnitOfWork,
        state: TableState | None,
        after: RoomTableSetup,
        tabulator: TabulatedTableState | None,
        who: str,
        why: str,
        second: str,
    ) -> TableState | None:
        """The table of play after the change; None if no round is dealt there."""
        if after.play is None:
            if state is not None:
                self._close_play(uow, state, who, why)
            return None
        if state is None:
            return self._open_play(uow, who, after.table, after.game, after.play, tabulator)
        changes = list_setup_changes(state.setup_texts, after._replace(tabulator=None).texts)
        if not changes and state.tabulated == (tabulator is not None):
            return state
        refuse_during_round(state)
        check_table(after.table, after.game, after.play, tabulator)
        _refuse_other_terms(state, after.play)
        _refuse_taken_seats(state, after.game.seats)
        opening, entry = state.opening + 1, setup_to_json(after.game)
        changed = TableChanged(
            after.table,
            require_text(who, "name of the person who changes it"),
            opening,
            entry,
            wager_order(entry),
            after.play,
            state.seal,
            tabulator is not None,
            changes,
            require_text(why, "reason"),
            second,
        )
        return uow.apply_to_table(after.table, (changed,))

    def _encode_table(
        self,
        uow: UnitOfWork,
        table: str,
        play: TableState | None,
        tabulator: TabulatedTableState | None,
        changes: tuple[SetupChange, ...] = (),
    ) -> Json:
        return {
            "table": table,
            "play": None if play is None else self._encode_result(uow, play),
            "tabulator": None if tabulator is None else encode_tabulator_summary(tabulator),
            "changes": [list(change) for change in changes],
        }


def refuse_open_table(states: StateAccess, table: str) -> None:
    """Refuse the name of a table that is open."""
    if find_open_play(states, table) or find_installed_tabulator(states, table):
        raise TableAlreadyOpen(f"Table {table} is open already: give the new table a new name, or change {table}.")


def _refuse_other_game(before: RoomTableSetup, after: RoomTableSetup) -> None:
    if before.game.game != after.game.game:
        raise CannotLink(
            f"Table {before.table} plays {before.game.game}, not {after.game.game}: remove it, and add it again with "
            "the other game."
        )


def _require_unit(uow: UnitOfWork, before: RoomTableSetup) -> UnitSetup:
    """The tabulator of a table, if it works."""
    state = find_installed_tabulator(uow, before.table)
    if state is None or before.tabulator is None:
        raise CannotLink(f"Table {before.table} has no tabulator: change the table, and give it one.")
    require_working(state)
    return before.tabulator


def _refuse_other_terms(state: TableState, terms: PlayTerms) -> None:
    if terms_that_stay(terms) != terms_that_stay(state.terms):
        raise CannotAddTable(
            f"Table {state.table} is {state.terms.mode} and for {state.terms.money.label}: remove it, and add it "
            "again to change that."
        )


def _refuse_taken_seats(state: TableState, seats: int) -> None:
    taken = [occupant for occupant in state.seats if occupant.seat > seats]
    if taken:
        raise WrongPhase(
            f"{taken[0].player} has seat {taken[0].seat} of {state.table}, which would have {seats} seats: change the "
            "table when the seat is free."
        )
