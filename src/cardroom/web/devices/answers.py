"""What devices are answered. Amounts are whole cents, times are microseconds since 1970, UTC."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, Field

from cardroom.floor import LightsReported, LinesTaken, RoundCounted
from cardroom.jackpots.tabulator import replay


class Mark(BaseModel):
    """A place at which a counted wager is shown."""

    position: int
    sensor: int


class Counted(BaseModel):
    """A round is counted: its lights may be lit."""

    table: str
    round: str
    counts: dict[str, int] = Field(description="How many of each wager.")
    counters: list[int] = Field(description="What the counter shows now, for each wager that the table counts.")
    lights: list[Mark] = Field(description="The lights that are on now.")
    lammers: list[Mark] = Field(description="Where a lammer stands in for a light that has failed.")
    stay: list[Mark] = Field(description="Wagers that are not collected before the deal.")
    shown_cents: dict[str, list[int]] = Field(description="What each jackpot shows now, from the highest level down.")


class Taken(BaseModel):
    """How far records are in the books."""

    table: str
    taken: int = Field(description="The last record that is in the books: the logger may forget what comes before it.")
    seal: str = Field(description="The seal of that record; empty where it was lost and two people have accepted that.")
    rounds: list[str] = Field(description="The rounds that were new.")
    known: int = Field(description="How many of the records were in the books before.")
    held_up: str | None = Field(description="Why the others were not taken; null when there are none.")
    forward_from: int = Field(description="The number of the record that is wanted next.")
    for_people: bool = Field(description="Whether sending again does not help: the floor has heard of it.")


class Lights(BaseModel):
    """Which lights are dark."""

    table: str
    dark: list[Mark]
    lammers: list[Mark] = Field(description="Where a lammer stands in for a light, at the round that was counted last.")


class Broken(BaseModel):
    """A tabulator that does not work: wagers are counted by hand."""

    table: str
    broken: str


class SensorKnown(BaseModel):
    """A sensor that counts a wager."""

    sensor: int
    wager: str
    counter: int = Field(description="What the unit's counter is known to show.")
    lammer_sensor: int | None = Field(description="The sensor that sees its lammers.")
    lammers: bool = Field(description="Whether a lammer may lie beside the wager.")
    dark: bool = Field(description="Whether the table plays for no jackpot with it: nobody can make it.")


class Here(BaseModel):
    """The room has heard that the device is there."""

    device: str
    table: str
    time: int = Field(description="What the server's clock says.")
    every: int = Field(description="Seconds after which it wants to hear of the device again.")


class Hello(BaseModel):
    """What the room knows of a device and of its table."""

    id: str | None
    device: str
    kind: str
    table: str
    time: int = Field(description="What the server's clock says.")
    ahead: int = Field(description="Microseconds by which the device's clock is ahead; below zero: behind.")
    model: str
    unit: str = Field(description="The number on the case of the unit that stands there.")
    positions: int
    sensors: list[SensorKnown]
    taken: int | None = Field(description="The last record of the data logger that is in the books.")
    seal: str | None = Field(description="Its seal, on which the next record is sealed.")
    broken: str | None
    closed: str | None
    held_up: str | None = Field(description="What of this device people have to look at.")


def counted_answer(counted: RoundCounted) -> Counted:
    return Counted(
        table=counted.table,
        round=counted.round,
        counts=dict(counted.counts),
        counters=list(counted.counters),
        lights=_marks(counted.lights),
        lammers=_marks(counted.lammers),
        stay=_marks(counted.stay),
        shown_cents={jackpot: list(levels) for jackpot, levels in counted.meters.items()},
    )


def taken_answer(taken: LinesTaken) -> Taken:
    return Taken(
        table=taken.table,
        taken=taken.number,
        seal=taken.seal,
        rounds=list(taken.rounds),
        known=taken.known,
        held_up=taken.held_up or None,
        forward_from=taken.number + 1,
        for_people=taken.for_people,
    )


def lights_answer(reported: LightsReported) -> Lights:
    return Lights(table=reported.standing.table, dark=_marks(reported.dark), lammers=_marks(reported.lammers))


def _marks(marks: Iterable[replay.Mark]) -> list[Mark]:
    return [Mark(position=mark.position, sensor=mark.sensor) for mark in marks]
