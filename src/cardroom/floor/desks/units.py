"""Units come to tables and leave them: the room knows where each one stands, and what it showed last."""

from __future__ import annotations

from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.linked import LinkedDesk
from cardroom.floor.kept.table import TableState
from cardroom.jackpots.happenings import UnitMoved
from cardroom.jackpots.room.units import place_unit, put_away


class UnitDesk(LinkedDesk):
    """Whoever moves a unit locks the chain of the room beside the table's."""

    def _place(
        self, draft: Draft, unit: str, table: str, sensors: tuple[int, ...], told: tuple[int, ...], who: str
    ) -> UnitMoved:
        """Put a unit at a table."""
        moved = place_unit(draft.room().units, unit, table, sensors, told, who=who)
        draft.at_room((moved,))
        return moved

    def _put_away(self, draft: Draft, state: TableState, who: str) -> None:
        """Take a table's unit away."""
        unit = state.tabulator
        draft.at_room((put_away(unit.unit, state.sensor_numbers, unit.counters, unit.logger, who=who),))
