"""The life of a table after it was opened: it gets another set-up, stands elsewhere, is closed. Each has its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cardroom.floor.desks.answers import TableStanding, table_standing, table_standing_entry
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.tables import (
    CannotLink,
    TableDesk,
    jackpots_of,
    refuse_other_kind,
    refuse_other_money,
    refuse_other_wagers,
    working,
)
from cardroom.floor.kept.chains import ROOM
from cardroom.floor.kept.table import Opening, TableState, change, open_at, sensors_entry
from cardroom.games import TableSetup
from cardroom.games.setup import setup_to_json
from cardroom.jackpots.happenings import TableClosed
from cardroom.jackpots.meter.service import join_table, leave_table, refuse_if_not_linkable, with_displayed_bonuses
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.people import named
from cardroom.jackpots.setup.tabulator import TabulatorSetup, tabulated_table
from cardroom.ledger import Json


class TableLifeDesk(TableDesk):
    """What becomes of tables."""

    def change_table(
        self,
        id: str,
        who: str,
        setup: TableSetup,
        tabulator: TabulatorSetup,
        unit: str,
        counters: Sequence[int] = (),
        *,
        why: str,
    ) -> TableStanding:
        """Give an open table another set-up, which passes the same door as a new one: limits, paytables, seats,
        sensors, the model or the unit, the place, the jackpots. What was counted stays counted."""
        table = tabulator.table
        body: dict[str, Json] = {
            "do": "change-table",
            "who": who,
            "why": why,
            "setup": setup_to_json(setup),
            "tabulator": sensors_entry(tabulator),
            "unit": unit,
            "counters": list(counters),
        }

        def decide(draft: Draft) -> Json:
            before = working(self._linked(draft, table))
            _refuse_another_game(before, setup)
            refuse_other_money(before, tabulator)
            numbers = tuple(wager.sensor for wager in tabulated_table(tabulator).wagers)
            if unit == before.tabulator.unit:
                _refuse_to_set(before, tabulator, numbers, tuple(counters))
            shows, mark = before.tabulator.counters, None
            if (unit, numbers) != (before.tabulator.unit, before.sensor_numbers):
                self._put_away(draft, before, who)
                moved = self._place(draft, unit, table, numbers, tuple(counters), who)
                shows, mark = tuple(one.counter for one in moved.counters), moved.logger
            return self._changed(draft, before, Opening(setup, tabulator, unit, shows, mark), who, why)

        jackpots = jackpots_of(tabulator)
        return self._steady(
            lambda: self._at_linked(id, table, body, decide, *jackpots, chains=(ROOM,)), table_standing, table
        )

    def move_table(self, id: str, who: str, table: str, location: str, why: str) -> TableStanding:
        """Let a table stand elsewhere. A meter has one location, so it leaves the jackpots of the old one before."""
        body: dict[str, Json] = {"do": "move-table", "who": who, "table": table, "location": location, "why": why}

        def decide(draft: Draft) -> Json:
            before = open_at(self._linked(draft, table))
            there = replace(before.tabulator_setup, location=location)
            at = Opening(before.game_setup, there, before.tabulator.unit, before.tabulator.counters)
            return self._changed(draft, before, at, who, why)

        return self._steady(lambda: self._at_linked(id, table, body, decide), table_standing, table)

    def close_table(self, id: str, who: str, table: str, why: str) -> TableStanding:
        """Close a table: it leaves its jackpots and counts nothing more, and its unit is free. Who won there before
        still claims; opened again it goes on in its own books."""
        body: dict[str, Json] = {"do": "close-table", "who": who, "table": table, "why": why}

        def decide(draft: Draft) -> Json:
            before = open_at(self._linked(draft, table))
            for jackpot in before.jackpots:
                draft.at_jackpot(jackpot, leave_table(draft.jackpot(jackpot), table, who=who))
            self._put_away(draft, before, who)
            closed = TableClosed(table, named(who, "name"), named(why, "reason"))
            return table_standing_entry(draft.at_table(table, (closed,)))

        return self._steady(lambda: self._at_linked(id, table, body, decide, chains=(ROOM,)), table_standing, table)

    def _changed(self, draft: Draft, before: TableState, at: Opening, who: str, why: str) -> Json:
        """The set-up is another: some jackpots are left, some joined, and those that stay must allow it."""
        table, tabulator = before.id, at.sensors
        after = jackpots_of(tabulator)
        for jackpot in before.jackpots:
            if jackpot not in after:
                draft.at_jackpot(jackpot, leave_table(draft.jackpot(jackpot), table, who=who))
        played: list[JackpotState] = []
        for jackpot in after:
            state = draft.jackpot(jackpot)
            refuse_other_kind(tabulator, state)
            if jackpot in before.jackpots:
                refuse_if_not_linkable(state, table, at.setup, tabulator.location, played, money=tabulator.money)
            else:
                told = table, at.setup, tabulator.location, played
                draft.at_jackpot(jackpot, join_table(state, *told, who=who, money=tabulator.money))
            played.append(state)
        shown = with_displayed_bonuses(at.setup, played)
        changed = change(before, at._replace(setup=shown), who, named(why, "reason"))
        now = draft.at_table(table, changed)
        refuse_other_wagers(now, played)
        return table_standing_entry(now, changed[0].changes)


def _refuse_another_game(before: TableState, setup: TableSetup) -> None:
    game = before.tabulator.table.game
    if setup.game != game:
        raise CannotLink(
            f"Table {before.id} plays {game}, not {setup.game}: close it, and open it again with the other game."
        )


def _refuse_to_set(
    before: TableState, tabulator: TabulatorSetup, numbers: tuple[int, ...], told: tuple[int, ...]
) -> None:
    """The unit stays: it is of one model, and nobody sets its counter by the way."""
    state = before.tabulator
    if tabulator.tabulator != state.table.tabulator:
        raise CannotLink(
            f"Unit {state.unit} is of the model {state.table.tabulator}: a unit of another model has another number."
        )
    known = dict(zip(before.sensor_numbers, state.counters, strict=True))
    if any(known.get(number, now) != now for number, now in zip(numbers, told, strict=False)):
        shown = ", ".join(f"{number:,}" for number in state.counters)
        raise CannotLink(
            f"The counter of {state.unit} is known to show {shown}: leave 'counters' out, and read the counter if it "
            "shows more (cardroom jackpot counter)."
        )
