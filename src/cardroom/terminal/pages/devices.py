"""Devices of the room, and what simulated ones do, as text in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from cardroom.floor import DeviceStanding, TokenGiven
from cardroom.jackpots.displays import Board, LedLine
from cardroom.jackpots.plain import read_as
from cardroom.terminal.pages.columns import Align, CellText, Columns, Heading
from cardroom.terminal.pages.displays import display_text
from cardroom.terminal.palette import COST, QUIET, SLUG


def device_line(standing: DeviceStanding) -> RenderableType:
    """A device after a command."""
    return Text.assemble((standing.device, SLUG), f", {standing.kind.words} of {standing.table}: {_stands(standing)}.")


def token_page(given: TokenGiven) -> RenderableType:
    """A device that has got a token. That stands in a line of its own, to be copied, this once."""
    device, said = given.standing.device, device_line(given.standing)
    another = f"cardroom device renew {device} --why … makes another."
    if given.token is None:
        return Group(said, Text(f"Its token was shown when this was done, and is kept nowhere: {another}", QUIET))
    token = Text(given.token, no_wrap=True, overflow="ignore")
    return Group(said, token, Text(f"This is its token. It is shown this once and kept nowhere: {another}", QUIET))


def devices_page(devices: Sequence[DeviceStanding]) -> RenderableType:
    """Every device, those that were withdrawn among them."""
    if not devices:
        return Text("No device is registered: cardroom device register TABLE DEVICE KIND --by LOGIN.", QUIET)
    rows: list[list[CellText]] = [
        [Text(one.device, SLUG), one.table, one.kind.words, str(one.generation), Text(_stands(one), _style(one))]
        for one in devices
    ]
    texts = Heading("Device"), Heading("Table"), Heading("Kind"), Heading("Token", Align.RIGHT)
    return Columns([*texts, Heading("It", Align.SENTENCE)], rows)


def _stands(standing: DeviceStanding) -> str:
    if standing.withdrawn:
        return f"withdrawn, {standing.withdrawn}"
    return f"held up. {standing.held_up.rstrip('.')}" if standing.held_up else "may speak"


def _style(standing: DeviceStanding) -> str:
    return QUIET if standing.withdrawn else COST if standing.held_up else ""


def showing_text(showing: Mapping[str, Any]) -> RenderableType:
    """What a screen shows, by what the server answers it."""
    if "display" in showing:
        return display_text(read_as(Board, showing["display"]))
    return Group(*(display_text(read_as(LedLine, line)) for line in showing["lines"]))


def amounts_text(showing: Mapping[str, Any]) -> str:
    """The amounts on a screen, in one line."""
    if "display" not in showing:
        return " | ".join(f"{line['name']} {line['amount'] or line['status']}" for line in showing["lines"])
    panels = showing["display"]["panels"]
    return " | ".join(
        f"{panel['name']} {', '.join(_dollars(level['cents']) for level in panel['amounts']) or panel['status']}"
        for panel in panels
    )


def _dollars(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02}"
