"""What an LED sign and a monitor show, as JSON, with a version that changes when it does."""

from __future__ import annotations

from hashlib import sha256

import orjson
from pydantic import BaseModel, ConfigDict, Field

from cardroom.floor.desks.displays import Vision
from cardroom.jackpots.displays import DARK_LINE, Board, LedLine, Status, display_entry
from cardroom.web.devices.refusals import NotHere


class AsItIs(BaseModel):
    """What is shown as the room says it: nothing of it is left out on the way."""

    model_config = ConfigDict(extra="forbid")


class Line(AsItIs):
    """One line of an LED sign."""

    kind: str
    name: str
    status: str = Field(description="open, pending, unavailable or dark.")
    amount: str = Field(description="What the meter shows.")
    running: str = Field(description="A text that runs past.")
    money: str = Field(description="What the table plays for: room or play.")


class ShownAmount(AsItIs):
    """What one level of a jackpot shows."""

    name: str
    cents: int
    ceiling: str


class PrizeLine(AsItIs):
    """One line of a paytable as players read it."""

    event: str
    prize: str
    worth: str


class Prizes(AsItIs):
    """A paytable as players read it."""

    name: str
    lines: list[PrizeLine]
    notes: list[str]


class Panel(AsItIs):
    """One jackpot on a monitor."""

    jackpot: str
    name: str
    kind: str
    wager: str
    status: str
    headline: str
    message: str
    amounts: list[ShownAmount]
    elsewhere: str
    prizes: list[Prizes]


class Limit(AsItIs):
    """What may be wagered."""

    wager: str
    limits: str


class Picture(AsItIs):
    """A monitor."""

    kind: str
    game: str
    table: str
    panels: list[Panel]
    limits: list[Limit]
    promotions: list[str]
    notices: list[str]
    money: str = Field(description="What the table plays for: room or play.")


class Showing(BaseModel):
    """What a screen shows now."""

    table: str
    version: str = Field(description="Another one whenever something else is shown.")
    changed_at: int = Field(description="When something last happened that it tells of.")
    closed: str | None = Field(description="Why the table is closed; null while it is open.")


class SignShowing(Showing):
    """What an LED sign has to show."""

    text: str = Field(description="All of it as one text; empty when the sign is dark.")
    lines: list[Line]


class DisplayShowing(Showing):
    """What a monitor has to show."""

    display: Picture


def sign_showing(vision: Vision) -> SignShowing:
    """The LED lines of a table; at a closed one the sign is dark."""
    there = [one for one in vision.displays if isinstance(one, LedLine)]
    if not there:
        raise NotHere(f"{vision.table} has no LED sign any more: withdraw the device, or give the table another model.")
    lines = [DARK_LINE._replace(money=there[0].money)] if vision.closed else there
    entries = list(map(display_entry, lines))
    lit = [one for one in lines if one.status is not Status.DARK]
    return SignShowing(
        table=vision.table,
        version=_version(entries, vision.closed),
        changed_at=vision.changed_at,
        closed=vision.closed or None,
        text="  |  ".join(f"{one.amount}  {one.running}".strip() for one in lit),
        lines=[Line(**entry) for entry in entries],
    )


def display_showing(vision: Vision) -> DisplayShowing:
    """The monitor of a table."""
    board = next((one for one in vision.displays if isinstance(one, Board)), None)
    if board is None or board.kind != "monitor":
        raise NotHere(f"{vision.table} has no monitor any more: withdraw the device, or give the table another model.")
    entry = display_entry(board)
    return DisplayShowing(
        table=vision.table,
        version=_version(entry, vision.closed),
        changed_at=vision.changed_at,
        closed=vision.closed or None,
        display=Picture(**entry),
    )


def _version(shown: object, closed: str) -> str:
    return sha256(orjson.dumps([shown, closed], option=orjson.OPT_SORT_KEYS)).hexdigest()[:16]
