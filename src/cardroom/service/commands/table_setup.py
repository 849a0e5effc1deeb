"""Changes of a table: its game, its terms of play, and its tabulator change in one transaction.

What a wager costs or pays changes only in the name of two people. A round in progress keeps its setup: the table
changes between two rounds.
"""

from __future__ import annotations

from cardroom.games.setup import setup_to_json
from cardroom.ledger import Json, UniqueKey
from cardroom.room.codec import wager_order
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.jackpot.event_values import SetupChange
from cardroom.room.table.events import TableChanged
from cardroom.room.table.reducer import table_opening_key
from cardroom.room.table.setup import RoomTableSetup, list_table_changes
from cardroom.room.table.state import TableState
from cardroom.room.table.terms import PlayTerms, WrongPhase, terms_that_stay
from cardroom.room.tabulator.installation import BadInstallation, TabulatedTableState
from cardroom.room.tabulator.setup_changes import list_setup_changes, takes_two_people
from cardroom.service.chains.names import ROOM_CHAIN, jackpot_chain, table_chain, tabulator_chain
from cardroom.service.commands.results import (
    RoomTableResult,
    decode_room_table_result,
    encode_tabulator_summary,
    require_locks,
)
from cardroom.service.commands.table_changes import (
    encode_room_table,
    find_installed_tabulator,
    find_open_play,
    read_table_setup,
    with_jackpot_bonuses,
)
from cardroom.service.commands.tables import CannotAddTable, TableCommands, check_table, refuse_during_round
from cardroom.service.commands.tabulator_setup import (
    CannotLink,
    change_unit,
    install_unit,
    refuse_counter_change,
    refuse_other_currency,
    remove_tabulator,
)
from cardroom.service.commands.unit_of_work import UnitOfWork


class TableSetupCommands(TableCommands):
    """Changes the setup of tables."""

    def read_table_setup(self, table: str) -> RoomTableSetup:
        """The setup of an open table as it is now."""
        return read_table_setup(self, table)

    def list_table_changes(self, setup: RoomTableSetup) -> tuple[SetupChange, ...]:
        """What ``change_table`` would change now."""
        return list_table_changes(read_table_setup(self, setup.table), with_jackpot_bonuses(self, setup))

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
            require_locks(uow, *map(jackpot_chain, before.jackpots))
            if before.game.game != setup.game.game:
                raise CannotLink(
                    f"Table {table} plays {before.game.game}, not {setup.game.game}: remove it, and add it again with "
                    "the other game."
                )
            after = with_jackpot_bonuses(uow, setup)
            changes = list_table_changes(before, after)
            if not changes:
                raise BadInstallation(f"Table {table} already has this setup: there is nothing to change.")
            signer = ""
            if second or takes_two_people(before.game, after.game):
                _, signer = require_two_people(who, second, "a change of what a wager costs or pays")
            play = find_open_play(uow, table)
            if play is not None:
                refuse_during_round(play)
            require_text(why, "reason")
            tabulator = self._change_tabulator(uow, before, after, who, why, signer)
            play = self._change_play(uow, play, after, tabulator, who, why, signer)
            return self._encode_table(uow, table, play, tabulator, changes)

        chains = (*self._list_setup_chains(setup), table_chain(table))
        return self._execute_until_locked(id, table, body, decide, decode_room_table_result, chains)

    def _list_setup_chains(self, setup: RoomTableSetup) -> tuple[str, ...]:
        """The chains that a change locks: the jackpots of the table now and then, and the room for its unit."""
        before = find_installed_tabulator(self, setup.table)
        jackpots = dict.fromkeys((*(before.jackpots if before else ()), *setup.jackpots))
        room = (ROOM_CHAIN,) if before or setup.tabulator else ()
        return (tabulator_chain(setup.table), *map(jackpot_chain, jackpots), *room)

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
            return change_unit(uow, state, after.game, unit, who, why, second).state
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
        check_table(after.table, after.game, after.play, tabulator)
        changes = list_setup_changes(state.setup_texts, after._replace(tabulator=None).texts)
        if not changes and state.tabulated == (tabulator is not None):
            return state
        _refuse_other_terms(state, after.play)
        _refuse_taken_seats(state, after.game.seats)
        opening, entry = state.opening + 1, setup_to_json(after.game)
        require_locks(uow, unique_keys=(UniqueKey(table_chain(after.table), table_opening_key(opening)),))
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
