"""What is known of a table's tabulator, as the happenings of the table leave it behind, and how it is written down.

The values are named tuples because a replay makes one of each for every round that was ever played.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from cardroom.games import Tabulator
from cardroom.jackpots.happenings import Json
from cardroom.jackpots.meter.setup import JackpotKind
from cardroom.jackpots.tabulator.setup import CountedWager, TabulatedTable

Positions = tuple[int, ...]
"""Player positions, counted from 1 at the dealer's left (sheet 000, rule 17)."""

FORM: Final = 1
"""The version in which a state is written down."""


class Tally(NamedTuple):
    """How many of one wager were recorded since the tabulator was installed."""

    counted: int = 0
    """By the tabulator."""
    by_hand: int = 0
    """While it was broken."""
    taken_back: int = 0
    """Of rounds that were declared void."""

    @property
    def wagers(self) -> int:
        """The wagers that stand."""
        return self.counted + self.by_hand - self.taken_back


class CountedRound(NamedTuple):
    """The round whose wagers were recorded last."""

    round: str
    by_hand: bool
    positions: tuple[Positions, ...]
    """Where each of the table's wagers lay, in their order."""
    lammers: tuple[Positions, ...]
    """Where a lammer lay beside it."""


class LoggerMark(NamedTuple):
    """How far the records of the data logger have been taken over."""

    number: int
    seal: str
    """The seal of the record with that number, which the next one is sealed on."""


class TabulatorState(NamedTuple):
    """A table's tabulator now."""

    table: TabulatedTable
    unit: str
    """The number on the case: another unit has another counter."""
    counters: tuple[int, ...]
    """What the unit's counter shows for each of the table's wagers. It never goes back (BJ-1)."""
    tallies: tuple[Tally, ...]
    broken: str | None = None
    """Why it does not work."""
    round: CountedRound | None = None
    voided: frozenset[str] = frozenset()
    """The rounds that were declared void."""
    dark: tuple[Positions, ...] = ()
    """Where the light for each wager has failed."""
    logger: LoggerMark | None = None


def state_entry(state: TabulatorState) -> dict[str, Json]:
    """A state as plain values."""
    return {
        "form": FORM,
        "table": table_entry(state.table),
        "unit": state.unit,
        "counters": list(state.counters),
        "tallies": [[tally.counted, tally.by_hand, tally.taken_back] for tally in state.tallies],
        "broken": state.broken,
        "round": _round_entry(state.round) if state.round else None,
        "voided": [*sorted(state.voided)],
        "dark": [list(positions) for positions in state.dark],
        "logger": {"number": state.logger.number, "seal": state.logger.seal} if state.logger else None,
    }


def state_from(entry: dict[str, Any]) -> TabulatorState:
    """The state that ``state_entry`` wrote down."""
    return TabulatorState(
        table=table_from(entry["table"]),
        unit=entry["unit"],
        counters=tuple(entry["counters"]),
        tallies=tuple(Tally(*numbers) for numbers in entry["tallies"]),
        broken=entry["broken"],
        round=_round_from(entry["round"]) if entry["round"] else None,
        voided=frozenset(entry["voided"]),
        dark=tuple(map(tuple, entry["dark"])),
        logger=LoggerMark(**entry["logger"]) if entry["logger"] else None,
    )


def _round_entry(counted: CountedRound) -> dict[str, Json]:
    return {
        "round": counted.round,
        "by_hand": counted.by_hand,
        "positions": [list(positions) for positions in counted.positions],
        "lammers": [list(positions) for positions in counted.lammers],
    }


def _round_from(entry: dict[str, Any]) -> CountedRound:
    positions, lammers = (tuple(map(tuple, entry[name])) for name in ("positions", "lammers"))
    return CountedRound(entry["round"], entry["by_hand"], positions, lammers)


def table_entry(table: TabulatedTable) -> dict[str, Json]:
    """A table's set-up as plain values."""
    return {
        "table": table.table,
        "game": table.game,
        "location": table.location,
        "tabulator": table.tabulator.value,
        "positions": table.positions,
        "wagers": [
            {
                "sensor": wager.sensor,
                "wager": wager.wager,
                "jackpot": wager.jackpot,
                "kind": wager.kind.value if wager.kind else None,
                "removed": wager.removed,
                "amount": wager.amount,
                "lammer_amount": wager.lammer_amount,
                "lammer_sensor": wager.lammer_sensor,
            }
            for wager in table.wagers
        ],
    }


def table_from(entry: dict[str, Any]) -> TabulatedTable:
    """The set-up that ``table_entry`` wrote down; it was checked before it was."""
    return TabulatedTable(
        table=entry["table"],
        game=entry["game"],
        location=entry["location"],
        tabulator=Tabulator(entry["tabulator"]),
        positions=entry["positions"],
        wagers=tuple(
            CountedWager(**{**one, "kind": JackpotKind(one["kind"]) if one["kind"] else None})
            for one in entry["wagers"]
        ),
    )
