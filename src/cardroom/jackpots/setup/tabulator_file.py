"""A tabulator's set-up as an operator writes it in TOML.

>>> setup = read_tabulator_setup('''
... table = "table-3"
... game = "texas-shootout"
... location = "Lakewood"
... tabulator = "andromeda-3c"
... positions = 6
... sensors = [
...     { wager = "jackpot", paytable = "TS/JP 3", amount = "$1", lammer_amount = "$2" },
...     { lammer_of = 1 },
... ]
... ''')
>>> setup.sensors[0].lammer_amount, setup.sensors[1]
(200, LammerSensor(of=1))
"""

from __future__ import annotations

from cardroom.jackpots.setup.reading import Section, read_toml
from cardroom.jackpots.setup.tabulator import LammerSensor, TabulatorSetup, WagerSensor


def read_tabulator_setup(text: str) -> TabulatorSetup:
    """Read a set-up from TOML."""
    return tabulator_setup_from(read_toml(text, "The tabulator's set-up"))


def tabulator_setup_from(entry: object) -> TabulatorSetup:
    """A set-up from the mapping that TOML or JSON gives."""
    top = Section(entry, "the tabulator's set-up")
    setup = TabulatorSetup(
        table=top.require("table", str),
        game=top.require("game", str),
        location=top.require("location", str),
        tabulator=top.require("tabulator", str),
        positions=top.require("positions", int),
        sensors=tuple(map(_sensor, top.sections("sensors"))),
        money=top.money(),
    )
    top.refuse_unread()
    return setup


def _sensor(section: Section) -> WagerSensor | LammerSensor:
    sensor: WagerSensor | LammerSensor
    if "lammer_of" in section:
        sensor = LammerSensor(section.require("lammer_of", int))
    else:
        sensor = WagerSensor(
            wager=section.require("wager", str),
            paytable=section.require("paytable", str),
            jackpot=section.get("jackpot", str, None),
            kind=section.get("kind", str, None),
            amount=section.amount_or_none("amount"),
            lammer_amount=section.amount_or_none("lammer_amount"),
        )
    section.refuse_unread()
    return sensor
