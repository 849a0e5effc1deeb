"""Units come to tables and leave them: the room knows where each one stands, and what it showed last."""

from __future__ import annotations

from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.linked import LinkedDesk
from cardroom.floor.kept.table import TableState
from cardroom.jackpots.happenings import UnitMoved
from cardroom.jackpots.room.units import place_unit, put_away


class UnitDesk(LinkedDesk):
    """Whoever moves a unit locks the chain of the room beside the table's."""

    def _stands_at(self, unit: str, but: str) -> str:
        """Another open table that has the unit. Only units that nobody has moved since older books are looked for:
        the others are known to the room, which is asked when it is locked."""
        if unit in self.room().units:
            return ""
        others = (self.table(other) for other in self.tables() if other != but)
        return next((one.id for one in others if one.tabulator.unit == unit and not one.closed), "")

    def _place(
        self, draft: Draft, unit: str, table: str, sensors: tuple[int, ...], told: tuple[int, ...], **by: str
    ) -> UnitMoved:
        """Put a unit at a table; ``by`` says who does it and where older books have it."""
        moved = place_unit(draft.room().units, unit, table, sensors, told, **by)
        draft.at_room((moved,))
        return moved

    def _put_away(self, draft: Draft, state: TableState, who: str, stands_at: str = "") -> None:
        """Take a table's unit away."""
        tabulator = state.tabulator
        draft.at_room(
            (
                put_away(
                    tabulator.unit,
                    state.sensor_numbers,
                    tabulator.counters,
                    tabulator.logger,
                    who=who,
                    table=stands_at,
                ),
            )
        )
