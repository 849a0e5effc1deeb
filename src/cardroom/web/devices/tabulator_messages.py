"""The request and response models of tabulators and data loggers.

Requests are strict: unknown fields are refused, and a text is not a number. Amounts are whole cents, times are
microseconds since 1970, UTC.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from cardroom.room.site.device import COUNTER_LIMIT
from cardroom.room.tabulator import state as tabulator_state
from cardroom.service import LightsResult, LoggerLinesResult, RoundCountResult

MAX_LINES: Final = 200
MAX_TIME: Final = (1 << 53) - 1
"""Later times are invalid."""


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("It has unprintable characters.")
    return text


Id = Annotated[
    str,
    Field(
        pattern=r"^[!-~]{1,100}$",
        description="Chosen by the device. A repeated request gets the first response; with other content, 409.",
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
    Field(max_length=6, description="Positions by sensor number.", examples=[{"1": [1, 3, 5]}]),
]
Shown = Annotated[
    dict[Sensor, Annotated[int, Field(ge=0, le=COUNTER_LIMIT)]],
    Field(max_length=6, description="Counter readings by sensor number.", examples=[{"1": 10482}]),
]


class DeviceRequest(BaseModel):
    """A request of a device."""

    model_config = ConfigDict(strict=True, extra="forbid")


class PressRequest(DeviceRequest):
    """One press of the dealer's button."""

    id: Id
    covered: Places
    """The positions with wagers."""
    lammers: Places = Field(default={}, description="The positions of lammers that no sensor detects.")
    round: RoundName | None = Field(default=None, description="The round's id. The device's own id for it if left out.")
    counter: Shown = Field(default={}, description="The unit's counter readings after the press.")
    dealer: Text | None = Field(default=None, description="The dealer as the device knows it.")
    at: Time | None = Field(
        default=None,
        description="The time by the device's clock, stored beside the server's time. A press counts as of now.",
    )


class RecordsRequest(DeviceRequest):
    """Lines of a data logger's file, unchanged."""

    id: Id
    lines: list[Annotated[str, Field(max_length=2000)]] = Field(
        max_length=MAX_LINES, description="In any order. Their numbers and seals define their place."
    )
    lost_up_to: int = Field(
        default=0,
        ge=0,
        le=MAX_TIME,
        description="The last record that the logger has lost; two people must accept the gap. 0: none.",
    )


class LightsRequest(DeviceRequest):
    """Reports failed lights."""

    id: Id
    dark: Places


class FaultRequest(DeviceRequest):
    """Reports a fault of the unit."""

    id: Id
    why: Text


class HelloRequest(DeviceRequest):
    """Reports the device and its clock."""

    id: Id | None = Field(default=None, description="Returned with the response.")
    time: Time
    unit: Text | None = Field(default=None, description="The number on the case.")


class SensorMark(BaseModel):
    """The position of a counted wager and its sensor."""

    position: int
    sensor: int


class CountResponse(BaseModel):
    """A counted round, whose lights may be lit."""

    table: str
    round: str
    counts: dict[str, int] = Field(description="The number of each wager.")
    counters: list[int] = Field(description="The counter readings now, for each counted wager.")
    lights: list[SensorMark] = Field(description="The lights that are on now.")
    lammers: list[SensorMark] = Field(description="Where a lammer replaces a failed light.")
    stay: list[SensorMark] = Field(description="Wagers that stay on the layout during the deal.")
    shown_cents: dict[str, list[int]] = Field(
        description="The display of each jackpot now, from the highest level down."
    )


class RecordsResponse(BaseModel):
    """The progress of forwarded records."""

    table: str
    taken: int = Field(description="The last stored record. The logger may delete earlier ones.")
    seal: str = Field(description="The seal of that record; empty if it was lost and two people accepted the gap.")
    rounds: list[str] = Field(description="The new rounds.")
    known: int = Field(description="How many of the records were already stored.")
    held_up: str | None = Field(description="Why the other records were not stored; null if there are none.")
    forward_from: int = Field(description="The number of the next expected record.")
    for_people: bool = Field(description="Whether people must act first, so that repeating does not help.")


class LightsResponse(BaseModel):
    """The failed lights."""

    table: str
    dark: list[SensorMark]
    lammers: list[SensorMark] = Field(description="Where a lammer replaces a light in the round that was counted last.")


class FaultResponse(BaseModel):
    """A tabulator that is out of order. Wagers are counted by hand."""

    table: str
    broken: str


class SensorModel(BaseModel):
    """A sensor that counts a wager."""

    sensor: int
    wager: str
    counter: int = Field(description="The last known counter reading.")
    lammer_sensor: int | None = Field(description="The sensor that detects its lammers.")
    lammers: bool = Field(description="Whether the wager may have a lammer.")
    dark: bool = Field(description="Whether the wager has no jackpot at the table and cannot be made.")


class HeartbeatResponse(BaseModel):
    """Confirms a heartbeat."""

    device: str
    table: str
    time: int = Field(description="The server's time.")
    every: int = Field(description="Seconds until the next heartbeat is due.")


class HelloResponse(BaseModel):
    """The state of a device and its table."""

    id: str | None
    device: str
    kind: str
    table: str
    time: int = Field(description="The server's time.")
    ahead: int = Field(description="Microseconds by which the device's clock is ahead; below zero: behind.")
    model: str
    unit: str = Field(description="The number on the case of the table's unit.")
    positions: int
    sensors: list[SensorModel]
    taken: int | None = Field(description="The last stored record of the data logger.")
    seal: str | None = Field(description="Its seal, on which the next record's seal builds.")
    broken: str | None
    closed: str | None
    held_up: str | None = Field(description="Why the device is on hold; null if it is not.")


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


def _marks(marks: Iterable[tabulator_state.LayoutMark]) -> list[SensorMark]:
    return [SensorMark(position=mark.position, sensor=mark.sensor) for mark in marks]
