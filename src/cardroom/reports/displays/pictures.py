"""TableVision displays and LED signs as pictures: SVG and PNG, drawn without a browser, a network, or outside fonts.

An LED sign has the amount in large lights, and below it a running text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final

import vl_convert

from cardroom.reports.displays.board import BadPicture, board_svg
from cardroom.reports.documents.files import write_bytes
from cardroom.reports.palette import ORANGE
from cardroom.room.descriptions.displays import Display, JackpotStatus, LedLine

COLUMNS: Final = 144
ROWS: Final = 32
PITCH: Final = 8
"""Pixels from one light to the next."""
FRAME: Final = 24
_LETTER_ROWS: Final = 7
_EVEN: Final = "0123456789$"
"""Characters with their full width, so that a growing amount does not move."""
_UNLIT: Final = "#1A1410"
_FACE: Final = "#070504"
_AMBER: Final = "#FFB52E"
_COLUMNS_A_SECOND: Final = 40
_PLAIN_SIGNS: Final = str.maketrans({"“": '"', "”": '"', "’": "'", "‘": "'", "–": "-", "·": "*"})
"""The characters of an LED sign are those of a typewriter."""


def led_svg(line: LedLine) -> str:
    """The picture as SVG. The running text moves from right to left without end; a still picture shows its
    beginning."""
    width, height = COLUMNS * PITCH + 2 * FRAME, ROWS * PITCH + 2 * FRAME
    text = line.running.translate(_PLAIN_SIGNS)
    run = _columns(text)
    seconds = (run + COLUMNS) / _COLUMNS_A_SECOND
    big = line.amount or ("UNAVAILABLE" if line.status is JackpotStatus.UNAVAILABLE else "")
    first_column = (COLUMNS - (_columns(big) - 1) * 2) // 2
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
        f"{_glow_lights(_lights_path(big, first_column, 3, 2))}"
        f'<g>{_glow_lights(_lights_path(text, 2, 22, 1))}<animateTransform attributeName="transform" type="translate" '
        f'values="{COLUMNS * PITCH} 0;{-run * PITCH} 0" dur="{seconds:.1f}s" repeatCount="indefinite"/></g>'
        f"</g></svg>"
    )


def _glow_lights(lights: str) -> str:
    """Lights that are on, with their glow."""
    return "".join(
        f'<path d="{lights}" stroke="{color}" stroke-width="{width}" stroke-linecap="round" opacity="{opacity}"/>'
        for color, width, opacity in ((ORANGE, 22, 0.07), (ORANGE, 14, 0.16), (_AMBER, 6, 1))
    )


def _lights_path(text: str, first_column: int, top: int, scale: int) -> str:
    """The lights of a text as a path of dots; at double size a dot of a letter is four lights."""
    dots: list[str] = []
    for letter in text:
        rows = _letter(letter)
        for row, lights in enumerate(rows):
            for column, light in enumerate(lights):
                if light == "#":
                    dots += [
                        _dot(first_column + column * scale + across, top + row * scale + dot_row)
                        for across in range(scale)
                        for dot_row in range(scale)
                    ]
        first_column += (len(rows[0]) + 1) * scale
    return "".join(dots)


def _columns(text: str) -> int:
    """The number of columns of lights of a text, with a free one after each letter."""
    return sum(len(_letter(letter)[0]) + 1 for letter in text)


def _dot(column: int, row: int) -> str:
    return f"M{column * PITCH + PITCH // 2} {row * PITCH + PITCH // 2}h.01"


def _letter(letter: str) -> tuple[str, ...]:
    font = _font()
    return font.get(letter, font["?"])


@cache
def _font() -> dict[str, tuple[str, ...]]:
    lines = (files("cardroom.reports.displays") / "led_font.txt").read_text("utf-8").splitlines()
    heads = [index for index, line in enumerate(lines) if line.startswith("= ")]
    return {
        lines[index][2]: _trim_letter(lines[index][2], lines[index + 1 : index + 1 + _LETTER_ROWS]) for index in heads
    }


def _trim_letter(letter: str, rows: Sequence[str]) -> tuple[str, ...]:
    """A letter without the dark columns at its sides."""
    lit = [column for row in rows for column, light in enumerate(row) if light == "#"]
    if letter in _EVEN:
        return tuple(rows)
    first, last = (min(lit), max(lit)) if lit else (0, 2)
    return tuple(row[first : last + 1] for row in rows)


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
