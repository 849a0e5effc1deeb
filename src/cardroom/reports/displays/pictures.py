"""TableVision's displays as pictures: SVG and PNG, drawn without a browser, a network or fonts from elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import vl_convert

from cardroom.jackpots.displays import Display, LedLine
from cardroom.reports.displays.board import BadPicture, board_svg
from cardroom.reports.displays.led import led_svg
from cardroom.reports.paper.writing import write_bytes

_POINTS_PER_INCH: Final = 72


def display_svg(display: Display) -> str:
    """A display as SVG; the text of an LED line runs."""
    return led_svg(display) if isinstance(display, LedLine) else board_svg(display)


def display_png(display: Display) -> bytes:
    """A display as a bitmap of the size of its screen."""
    drawn: bytes = vl_convert.svg_to_png(display_svg(display), ppi=_POINTS_PER_INCH)
    return drawn


def write_display(display: Display, path: Path | str) -> None:
    """Write the picture of a display as .svg or .png."""
    path = Path(path)
    match path.suffix.lower():
        case ".svg":
            write_bytes(path, display_svg(display).encode())
        case ".png":
            write_bytes(path, display_png(display))
        case other:
            shown = f"{other!r} is not" if other else "No suffix is not"
            raise BadPicture(f"{shown} a kind of picture that displays are written as: name a file .svg or .png.")
