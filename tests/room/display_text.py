"""Tables with displays for tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cardroom.games import TableSetup, default_setup, game
from cardroom.room.descriptions.displays import (
    Display,
    DisplayScreen,
    JackpotReading,
    LedLine,
    LevelReading,
    build_displays,
)
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.setup.tabulator import TabulatorSetup, make_sensor, validate_tabulator

BONUS, PROGRESSIVE = JackpotKind.BONUS, JackpotKind.PROGRESSIVE
GRAND = JackpotReading("Grand Jackpot", (LevelReading("Grand", 12_345_67_89),))
"""It shows $12,345.67; 89 hundredths of a cent are not shown."""


def shown(
    game_slug: str,
    model: str,
    wagers: tuple[str, ...],
    kind: JackpotKind = PROGRESSIVE,
    reading: JackpotReading = GRAND,
    change: Callable[[TableSetup], TableSetup] = lambda setup: setup,
    *,
    promotions: tuple[str, ...] = (),
    payout_cap: int | None = None,
) -> tuple[Display, ...]:
    setup = change(replace(default_setup(game_slug), tabulator=model))
    table = game(game_slug).open(setup)
    sensors = tuple(make_sensor(table.offers[wager], wager, kind) for wager in wagers)
    tabulated = validate_tabulator(TabulatorSetup("Table 7", game_slug, "Lakewood", model, setup.seats, sensors))
    readings = dict.fromkeys(wagers, reading)
    return build_displays(table, tabulated, readings, promotions=promotions, payout_cap=payout_cap)


def board(*args, **more) -> DisplayScreen:  # type: ignore[no-untyped-def]
    return next(one for one in shown(*args, **more) if isinstance(one, DisplayScreen))


def led(*args, **more) -> LedLine:  # type: ignore[no-untyped-def]
    return next(one for one in shown(*args, **more) if isinstance(one, LedLine))
