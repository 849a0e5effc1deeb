"""The setup of one table of the card room: its game, its terms of play, and its tabulator.

A table may have a tabulator and no play: cards are dealt by hand and not recorded, and only the jackpot wagers are
counted. Or it may have play and no tabulator, if no jackpot is linked.
"""

from __future__ import annotations

from typing import NamedTuple

from cardroom.games import TableSetup
from cardroom.games.setup import setup_to_json
from cardroom.room.jackpot.event_values import SetupChange
from cardroom.room.setup.tabulator import TabulatorSetup, WagerSensor
from cardroom.room.table.terms import PlayTerms, play_terms_to_mapping
from cardroom.room.tabulator.installation import sensors_to_mapping
from cardroom.room.tabulator.setup_changes import SetupText, list_setup_changes


class UnitSetup(NamedTuple):
    """The tabulator of a table: its sensors, the number on its case, and what its counter shows for each wager if it
    is not new."""

    sensors: TabulatorSetup
    unit: str
    counters: tuple[int, ...] = ()

    @property
    def jackpots(self) -> tuple[str, ...]:
        """The jackpots for which the sensors play."""
        sensors = [sensor for sensor in self.sensors.sensors if isinstance(sensor, WagerSensor)]
        return tuple(dict.fromkeys(sensor.jackpot for sensor in sensors if sensor.jackpot is not None))


class RoomTableSetup(NamedTuple):
    """Everything that an operator decides about one table."""

    table: str
    game: TableSetup
    play: PlayTerms | None = None
    """None if no round is dealt in the program."""
    tabulator: UnitSetup | None = None
    """None if no jackpot wager is counted."""

    @property
    def jackpots(self) -> tuple[str, ...]:
        """The linked jackpots."""
        return self.tabulator.jackpots if self.tabulator else ()

    @property
    def texts(self) -> SetupText:
        """The setup as JSON."""
        play = play_terms_to_mapping(self.play) if self.play else {}
        if self.tabulator is None:
            return SetupText(setup_to_json(self.game), play=play)
        sensors = sensors_to_mapping(self.tabulator.sensors)
        return SetupText(setup_to_json(self.game), sensors, self.tabulator.unit, play)


def list_table_changes(before: RoomTableSetup, after: RoomTableSetup) -> tuple[SetupChange, ...]:
    """Each line that differs."""
    return list_setup_changes(before.texts, after.texts)
