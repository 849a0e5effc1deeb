"""What devices tell: the bodies of their calls. Nothing is read that was not asked for, and no text is a number."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from cardroom.jackpots.room.units import MOST_SHOWN

MOST_LINES: Final = 200
LATEST: Final = (1 << 53) - 1
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
    int, Field(ge=0, le=LATEST, description="Microseconds since 1970, UTC.", examples=[1_760_000_000_000_000])
]
Sensor = Annotated[str, Field(pattern=r"^[1-9][0-9]?$", description="The number of a sensor.")]
Position = Annotated[int, Field(ge=1, le=99)]
Places = Annotated[
    dict[Sensor, Annotated[list[Position], Field(max_length=16)]],
    Field(max_length=6, description="By the number of the sensor: positions.", examples=[{"1": [1, 3, 5]}]),
]
Shown = Annotated[
    dict[Sensor, Annotated[int, Field(ge=0, le=MOST_SHOWN)]],
    Field(max_length=6, description="By the number of the sensor: what the counter shows.", examples=[{"1": 10482}]),
]


class Told(BaseModel):
    """What a device sends."""

    model_config = ConfigDict(strict=True, extra="forbid")


class PressTold(Told):
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


class LinesTold(Told):
    """Lines of a data logger's file, as they are."""

    id: Id
    lines: list[Annotated[str, Field(max_length=2000)]] = Field(
        max_length=MOST_LINES, description="In whatever order: their numbers and seals say where they belong."
    )
    lost_up_to: int = Field(
        default=0,
        ge=0,
        le=LATEST,
        description="The last record that the logger itself has lost: two people have to accept that. 0: none.",
    )


class LightsTold(Told):
    """Lights that have failed."""

    id: Id
    dark: Places


class BrokenTold(Told):
    """The unit does not work."""

    id: Id
    why: Text


class HelloTold(Told):
    """A device says that it is there, and what its clock says."""

    id: Id | None = Field(default=None, description="It comes back with the answer.")
    time: Time
    unit: Text | None = Field(default=None, description="The number on the case.")
