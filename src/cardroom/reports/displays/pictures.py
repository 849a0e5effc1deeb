"""TableVision displays and LED signs as pictures: SVG and PNG, drawn without a browser, a network, or outside fonts.

An LED sign has the amount in large lights, and below it a running text.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Final

import vl_convert

from cardroom.reports.displays.board import BadPicture, board_svg
from cardroom.reports.documents.files import write_bytes
from cardroom.reports.led_letters import LedRow, led_letters, set_row
from cardroom.reports.palette import ORANGE
from cardroom.room.descriptions.displays import Display, JackpotStatus, LedLine

COLUMNS: Final = 144
ROWS: Final = 32
PITCH: Final = 8
"""Pixels from one light to the next."""
FRAME: Final = 24
_UNLIT: Final = "#1A1410"
_FACE: Final = "#070504"
_AMBER: Final = "#FFB52E"
_COLUMNS_A_SECOND: Final = 40


def led_svg(line: LedLine) -> str:
    """The picture as SVG. The running text moves from right to left without end; a still picture shows its
    beginning."""
    width, height = COLUMNS * PITCH + 2 * FRAME, ROWS * PITCH + 2 * FRAME
    running = set_row(line.running)
    seconds = (running.width + COLUMNS) / _COLUMNS_A_SECOND
    big = line.amount or ("UNAVAILABLE" if line.status is JackpotStatus.UNAVAILABLE else "")
    amount = set_row(big)
    first_column = (COLUMNS - amount.width * 2) // 2
    sentence = escape(f"{line.name}: {big}. {line.running}", quote=False)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f"<title>{escape(line.name, quote=False)}</title><desc>{sentence}</desc>"
        f'<defs><pattern id="lights" width="{PITCH}" height="{PITCH}" patternUnits="userSpaceOnUse">'
        f'<circle cx="{PITCH / 2}" cy="{PITCH / 2}" r="2.6" fill="{_UNLIT}"/></pattern>'
        f'<clipPath id="face"><rect width="{COLUMNS * PITCH}" height="{ROWS * PITCH}"/></clipPath>'
        "</defs>"
        f'<rect width="{width}" height="{height}" rx="14" fill="#23282D"/>'
        f'<rect x="8" y="8" width="{width - 16}" height="{height - 16}" rx="8" fill="{_FACE}"/>'
        f'<g transform="translate({FRAME} {FRAME})" clip-path="url(#face)">'
        f'<rect width="{COLUMNS * PITCH}" height="{ROWS * PITCH}" fill="url(#lights)"/>'
        f"{_glow_lights(_lights_path(amount, first_column, 3, 2))}"
        f"<g>{_glow_lights(_lights_path(running, 2, 22, 1))}"
        f'<animateTransform attributeName="transform" type="translate" '
        f'values="{COLUMNS * PITCH} 0;{-running.width * PITCH} 0" dur="{seconds:.1f}s" repeatCount="indefinite"/></g>'
        f"</g></svg>"
    )


def _glow_lights(lights: str) -> str:
    """Lights that are on, with their glow."""
    return "".join(
        f'<path d="{lights}" stroke="{color}" stroke-width="{width}" stroke-linecap="round" opacity="{opacity}"/>'
        for color, width, opacity in ((ORANGE, 22, 0.07), (ORANGE, 14, 0.16), (_AMBER, 6, 1))
    )


def _lights_path(row: LedRow, first_column: int, top: int, scale: int) -> str:
    """The lights of a text as a path of dots; at double size a dot of a letter is four lights."""
    return "".join(
        _dot(first_column + (glyph.x + x) * scale + across, top + y * scale + down)
        for glyph in row.glyphs
        for x, y in led_letters()[glyph.letter]
        for across in range(scale)
        for down in range(scale)
    )


def _dot(column: int, row: int) -> str:
    return f"M{column * PITCH + PITCH // 2} {row * PITCH + PITCH // 2}h.01"


_POINTS_PER_INCH: Final = 72


def display_svg(display: Display) -> str:
    """A display as SVG; the text of an LED line runs."""
    return led_svg(display) if isinstance(display, LedLine) else board_svg(display)


def display_png(display: Display) -> bytes:
    """A display as a bitmap of the size of its screen."""
    image: bytes = vl_convert.svg_to_png(display_svg(display), ppi=_POINTS_PER_INCH)
    return image


def write_display(display: Display, path: Path | str) -> None:
    """Write the picture of a display as .svg or .png."""
    path = Path(path)
    match path.suffix.lower():
        case ".svg":
            write_bytes(path, display_svg(display).encode())
        case ".png":
            write_bytes(path, display_png(display))
        case other:
            suffix_text = f"{other!r} is not" if other else "No suffix is not"
            raise BadPicture(f"{suffix_text} a picture format for displays: name an .svg or .png file.")
