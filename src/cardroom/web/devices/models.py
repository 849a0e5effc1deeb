"""What devices tell: the bodies of their calls. Nothing is read that was not asked for, and no text is a number.

What devices are answered. Amounts are whole cents, times are microseconds since 1970, UTC.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from cardroom.room.site.device import COUNTER_LIMIT
from cardroom.room.tabulator import state as replay
from cardroom.service import LightsResult, LoggerLinesResult, RoundCountResult

MAX_LINES: Final = 200
MAX_TIME: Final = (1 << 53) - 1
"""A time after that is no time of a clock."""


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("It has characters that cannot be printed.")
    return text


Id = Annotated[
    str,
    Field(
        pattern=r"^[!-~]{1,100}$",
        description="Made by the device. Sent again, it gives the first answer again; with something else in it: 409.",
        examples=["evening-17"],
    ),
]
RoundName = Annotated[str, Field(pattern=r"^[!-~]([ -~]{0,98}[!-~])?$", examples=["prime-1.17"])]
Text = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_printable)]
Time = Annotated[
    int, Field(ge=0, le=MAX_TIME, description="Microseconds since 1970, UTC.", examples=[1_760_000_000_000_000])
]
Sensor = Annotated[str, Field(pattern=r"^[1-9][0-9]?$", description="The number of a sensor.")]
Position = Annotated[int, Field(ge=1, le=99)]
Places = Annotated[
    dict[Sensor, Annotated[list[Position], Field(max_length=16)]],
    Field(max_length=6, description="By the number of the sensor: positions.", examples=[{"1": [1, 3, 5]}]),
]
Shown = Annotated[
    dict[Sensor, Annotated[int, Field(ge=0, le=COUNTER_LIMIT)]],
    Field(max_length=6, description="By the number of the sensor: what the counter shows.", examples=[{"1": 10482}]),
]


class DeviceRequest(BaseModel):
    """What a device sends."""

    model_config = ConfigDict(strict=True, extra="forbid")


class PressRequest(DeviceRequest):
    """One press of the dealer's button."""

    id: Id
    covered: Places
    """Where wagers lie."""
    lammers: Places = Field(default={}, description="Beside which wagers lammers lie that no sensor sees.")
    round: RoundName | None = Field(default=None, description="The round's own id; one of the device when left out.")
    counter: Shown = Field(default={}, description="What the unit's own counter shows after it.")
    dealer: Text | None = Field(default=None, description="Whom the device takes for the dealer: it is kept as that.")
    at: Time | None = Field(
        default=None,
        description="When, by the device's clock. It is kept beside the server's time, and a press counts as of now.",
    )


class RecordsRequest(DeviceRequest):
    """Lines of a data logger's file, as they are."""

    id: Id
    lines: list[Annotated[str, Field(max_length=2000)]] = Field(
        max_length=MAX_LINES, description="In whatever order: their numbers and seals say where they belong."
    )
    lost_up_to: int = Field(
        default=0,
        ge=0,
        le=MAX_TIME,
        description="The last record that the logger itself has lost: two people have to accept that. 0: none.",
    )


class LightsRequest(DeviceRequest):
    """Lights that have failed."""

    id: Id
    dark: Places


class FaultRequest(DeviceRequest):
    """The unit does not work."""

    id: Id
    why: Text


class HelloRequest(DeviceRequest):
    """A device says that it is there, and what its clock says."""

    id: Id | None = Field(default=None, description="It comes back with the answer.")
    time: Time
    unit: Text | None = Field(default=None, description="The number on the case.")


class SensorMark(BaseModel):
    """A place at which a counted wager is shown."""

    position: int
    sensor: int


class CountResponse(BaseModel):
    """A round is counted: its lights may be lit."""

    table: str
    round: str
    counts: dict[str, int] = Field(description="How many of each wager.")
    counters: list[int] = Field(description="What the counter shows now, for each wager that the table counts.")
    lights: list[SensorMark] = Field(description="The lights that are on now.")
    lammers: list[SensorMark] = Field(description="Where a lammer stands in for a light that has failed.")
    stay: list[SensorMark] = Field(description="Wagers that are not collected before the deal.")
    shown_cents: dict[str, list[int]] = Field(description="What each jackpot shows now, from the highest level down.")


class RecordsResponse(BaseModel):
    """How far records are in the books."""

    table: str
    taken: int = Field(description="The last record that is in the books: the logger may forget what comes before it.")
    seal: str = Field(description="The seal of that record; empty where it was lost and two people have accepted that.")
    rounds: list[str] = Field(description="The rounds that were new.")
    known: int = Field(description="How many of the records were in the books before.")
    held_up: str | None = Field(description="Why the others were not taken; null when there are none.")
    forward_from: int = Field(description="The number of the record that is wanted next.")
    for_people: bool = Field(description="Whether sending again does not help: the floor has heard of it.")


class LightsResponse(BaseModel):
    """Which lights are dark."""

    table: str
    dark: list[SensorMark]
    lammers: list[SensorMark] = Field(
        description="Where a lammer stands in for a light, at the round that was counted last."
    )


class FaultResponse(BaseModel):
    """A tabulator that does not work: wagers are counted by hand."""

    table: str
    broken: str


class SensorModel(BaseModel):
    """A sensor that counts a wager."""

    sensor: int
    wager: str
    counter: int = Field(description="What the unit's counter is known to show.")
    lammer_sensor: int | None = Field(description="The sensor that sees its lammers.")
    lammers: bool = Field(description="Whether a lammer may lie beside the wager.")
    dark: bool = Field(description="Whether the table plays for no jackpot with it: nobody can make it.")


class HeartbeatResponse(BaseModel):
    """The room has heard that the device is there."""

    device: str
    table: str
    time: int = Field(description="What the server's clock says.")
    every: int = Field(description="Seconds after which it wants to hear of the device again.")


class HelloResponse(BaseModel):
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
    sensors: list[SensorModel]
    taken: int | None = Field(description="The last record of the data logger that is in the books.")
    seal: str | None = Field(description="Its seal, on which the next record is sealed.")
    broken: str | None
    closed: str | None
    held_up: str | None = Field(description="What of this device people have to look at.")


def count_response(result: RoundCountResult) -> CountResponse:
    return CountResponse(
        table=result.table,
        round=result.round,
        counts=dict(result.counts),
        counters=list(result.counters),
        lights=_marks(result.lights),
        lammers=_marks(result.lammers),
        stay=_marks(result.stay),
        shown_cents={jackpot: list(levels) for jackpot, levels in result.meters.items()},
    )


def records_response(intake: LoggerLinesResult) -> RecordsResponse:
    return RecordsResponse(
        table=intake.table,
        taken=intake.number,
        seal=intake.seal,
        rounds=list(intake.rounds),
        known=intake.known,
        held_up=intake.held_up or None,
        forward_from=intake.number + 1,
        for_people=intake.for_people,
    )


def lights_response(reported: LightsResult) -> LightsResponse:
    return LightsResponse(table=reported.summary.table, dark=_marks(reported.dark), lammers=_marks(reported.lammers))


def _marks(marks: Iterable[replay.LayoutMark]) -> list[SensorMark]:
    return [SensorMark(position=mark.position, sensor=mark.sensor) for mark in marks]
