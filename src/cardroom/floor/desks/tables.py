"""Tables: opened with their tabulator, and linked to the jackpots that they play for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cardroom.errors import BadInput
from cardroom.floor.desks.answers import TableStanding, table_standing, table_standing_entry
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.units import UnitDesk
from cardroom.floor.kept.chains import ROOM, jackpot_chain, table_chain
from cardroom.floor.kept.subjects import TABLES
from cardroom.floor.kept.table import Opening, TableState, change, open_at, sensors_entry, set_up, table_after
from cardroom.games import TableSetup
from cardroom.games.money import format_cents
from cardroom.games.setup import setup_to_json
from cardroom.jackpots.meter.service import join_table, leave_table, refuse_if_not_linkable, with_displayed_bonuses
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.people import named
from cardroom.jackpots.setup.tabulator import LammerSensor, TabulatorSetup, WagerSensor, tabulated_table
from cardroom.ledger import Json


class CannotLink(BadInput):
    """A table that cannot play for a jackpot, or does not."""


class TableIsOpen(CannotLink):
    """A table that is open already."""


class TableDesk(UnitDesk):
    """Tables are opened and linked."""

    def open_table(
        self,
        id: str,
        who: str,
        setup: TableSetup,
        tabulator: TabulatorSetup,
        unit: str,
        counters: Sequence[int] = (),
    ) -> TableStanding:
        """Open a table: its game, its tabulator with the jackpots that its sensors play for, the number of the unit,
        and what the unit's counter shows for each wager if it is not new."""
        table = tabulator.table
        body: dict[str, Json] = {
            "do": "open-table",
            "who": who,
            "setup": setup_to_json(setup),
            "tabulator": sensors_entry(tabulator),
            "unit": unit,
            "counters": list(counters),
        }
        jackpots = jackpots_of(tabulator)

        def decide(draft: Draft) -> Json:
            if draft.has(TABLES, table) and not draft.table(table).closed:
                raise TableIsOpen(
                    f"Table {table} is open already: link it to jackpots, give the new one a new name, or change its "
                    "set-up for a reason."
                )
            if draft.has(TABLES, table):
                refuse_other_money(draft.table(table), tabulator)
            joined: list[JackpotState] = []
            at, money = tabulator.location, tabulator.money
            for jackpot in jackpots:
                state = draft.jackpot(jackpot)
                refuse_other_kind(tabulator, state)
                draft.at_jackpot(jackpot, join_table(state, table, setup, at, joined, who=who, money=money))
                joined.append(state)
            shown = with_displayed_bonuses(setup, joined)
            numbers = tuple(wager.sensor for wager in tabulated_table(tabulator).wagers)
            moved = self._place(draft, unit, table, numbers, tuple(counters), who)
            new = Opening(shown, tabulator, unit, tuple(one.counter for one in moved.counters), moved.logger)
            opened = draft.at_table(table, set_up(new, who))
            refuse_other_wagers(opened, joined)
            return table_standing_entry(opened)

        chains = (table_chain(table), *map(jackpot_chain, jackpots), ROOM)
        return self._do(id, body, chains, decide, table_standing)

    def as_it_would_stand(
        self, setup: TableSetup, tabulator: TabulatorSetup, unit: str, counters: Sequence[int] = ()
    ) -> TableState:
        """The table as it would stand if it were opened now; refused like ``open_table``, and nothing is changed. Where
        the unit stands is asked only when it is really opened."""
        table, joined = tabulator.table, list[JackpotState]()
        if table in self.tables():
            refuse_other_money(self.table(table), tabulator)
        for jackpot in jackpots_of(tabulator):
            state = self.jackpot(jackpot)
            refuse_other_kind(tabulator, state)
            refuse_if_not_linkable(state, table, setup, tabulator.location, joined, money=tabulator.money)
            joined.append(state)
        new = Opening(with_displayed_bonuses(setup, joined), tabulator, unit, tuple(counters))
        (opened,) = set_up(new, table)
        state_then = table_after(None, opened)
        refuse_other_wagers(state_then, joined)
        return state_then

    def link(self, id: str, who: str, table: str, jackpot: str, why: str) -> TableStanding:
        """Let a table play for a jackpot, for a reason: the sensor of its wager counts for it from now on."""
        body: dict[str, Json] = {"do": "link", "who": who, "table": table, "jackpot": jackpot, "why": why}

        def decide(draft: Draft) -> Json:
            at, state = working(self._linked(draft, table)), draft.jackpot(jackpot)
            others = [draft.jackpot(other) for other in at.jackpots]
            setup = at.game_setup
            wager = _wager_of(state, setup.game)
            sensors = at.tabulator_setup
            if wager is not None and wager not in {
                one.wager for one in sensors.sensors if isinstance(one, WagerSensor)
            }:
                raise CannotLink(f"The tabulator of {table} has no sensor for {wager}: install one that has.")
            joined = join_table(state, table, setup, sensors.location, others, who=who, money=at.money)
            draft.at_jackpot(jackpot, joined)
            shown = with_displayed_bonuses(setup, [*others, state])
            linked = _with_jackpot(sensors, wager, jackpot, str(state.kind))
            changed = change(
                at, Opening(shown, linked, at.tabulator.unit, at.tabulator.counters), who, named(why, "reason")
            )
            after = draft.at_table(table, changed)
            refuse_other_wagers(after, [state])
            return table_standing_entry(after, changed[0].changes)

        return self._steady(lambda: self._at_linked(id, table, body, decide, jackpot), table_standing, table)

    def unlink(self, id: str, who: str, table: str, jackpot: str, why: str) -> TableStanding:
        """Take a table off a jackpot: its wager is dark from now on, and who won before still claims."""
        body: dict[str, Json] = {"do": "unlink", "who": who, "table": table, "jackpot": jackpot, "why": why}

        def decide(draft: Draft) -> Json:
            at = working(self._linked(draft, table))
            draft.at_jackpot(jackpot, leave_table(draft.jackpot(jackpot), table, who=who))
            sensors = at.tabulator_setup
            wager = next(one.wager for one in at.tabulator.table.wagers if one.jackpot == jackpot)
            freed = _with_jackpot(sensors, wager, None, None)
            setup = at.game_setup
            changed = change(
                at, Opening(setup, freed, at.tabulator.unit, at.tabulator.counters), who, named(why, "reason")
            )
            return table_standing_entry(draft.at_table(table, changed), changed[0].changes)

        return self._steady(lambda: self._at_linked(id, table, body, decide, jackpot), table_standing, table)


def jackpots_of(tabulator: TabulatorSetup) -> tuple[str, ...]:
    """The jackpots that a tabulator's sensors play for."""
    sensors = [one for one in tabulator.sensors if isinstance(one, WagerSensor)]
    return tuple(dict.fromkeys(one.jackpot for one in sensors if one.jackpot is not None))


def working(state: TableState) -> TableState:
    """The table, if it is open and its tabulator works."""
    if open_at(state).tabulator.broken is not None:
        raise CannotLink(
            f"The tabulator of {state.id} is broken ({state.tabulator.broken}): declare it repaired before its sensors "
            "are given other jackpots."
        )
    return state


def _wager_of(state: JackpotState, game: str) -> str | None:
    return next((offer["wager"] for offer in state.setup["offers"] if offer["game"] == game), None)


def refuse_other_kind(tabulator: TabulatorSetup, state: JackpotState) -> None:
    """A sensor says what kind of jackpot it is for."""
    for one in tabulator.sensors:
        if isinstance(one, WagerSensor) and one.jackpot == state.id and one.kind != state.kind:
            raise CannotLink(
                f"The sensor of {one.wager} is for a {one.kind}, but jackpot {state.id} is a {state.kind}."
            )


def refuse_other_money(table: TableState, tabulator: TabulatorSetup) -> None:
    """What a table plays for stays the same for as long as the books are: its earlier rounds may still be void."""
    if table.money is not tabulator.money:
        raise CannotLink(
            f"Table {table.id} plays for {table.money.label}, not for {tabulator.money.label}: give a table of the "
            "other money a name of its own."
        )


def refuse_other_wagers(table: TableState, jackpots: Sequence[JackpotState]) -> None:
    """What a sensor counts must be what the jackpot takes."""
    known = {state.id: state for state in jackpots}
    for wager in table.tabulator.table.wagers:
        state = known.get(wager.jackpot or "")
        if state is None:
            continue
        amounts = {amount for amount in (wager.amount, wager.lammer_amount) if amount is not None}
        if (amounts or len(state.wagers) > 1) and amounts != set(state.wagers):
            raise CannotLink(
                f"A wager on jackpot {state.id} is {_or(state.wagers)}, but the sensor of {wager.wager} stands for "
                f"{_or(sorted(amounts)) or 'no certain amount'}: give it the same amounts."
            )
        if _wager_of(state, table.tabulator.table.game) != wager.wager:
            raise CannotLink(
                f"Jackpot {state.id} is not played for with {wager.wager}: put it on its own wager's sensor."
            )


def _or(amounts: Sequence[int]) -> str:
    return " or ".join(map(format_cents, amounts))


def _with_jackpot(setup: TabulatorSetup, wager: str | None, jackpot: str | None, kind: str | None) -> TabulatorSetup:
    """The sensors with another jackpot, or none, for one wager."""
    sensors: list[WagerSensor | LammerSensor] = [
        replace(one, jackpot=jackpot, kind=kind) if isinstance(one, WagerSensor) and one.wager == wager else one
        for one in setup.sensors
    ]
    return replace(setup, sensors=tuple(sensors))
