"""Drawing tools for the pictures of displays: shapes, Cardroom's own digits, and fitted text.

The digits are drawn as paths, so an amount looks the same on every machine. Text uses Liberation Sans or a font with
the same widths, so it fits as measured.
"""

from __future__ import annotations

from html import escape
from typing import Final

from cardroom.reports.palette import ORANGE, SKY_BLUE, VERMILLION, YELLOW

FACE: Final = "'Liberation Sans', Arial, Helvetica, sans-serif"

NIGHT: Final = "#070B10"
PANEL_FILL: Final = "#101A24"
EDGE: Final = "#2E4152"
WHITE: Final = "#FFFFFF"
PALE: Final = "#C9D4DE"
DIM: Final = "#8A99A8"
GOLD: Final = "#FFD66B"
PROGRESSIVE_INK: Final = SKY_BLUE
BONUS_INK: Final = ORANGE
PENDING_INK: Final = VERMILLION
PRIZE_INK: Final = YELLOW

# Widths of the letters in thousandths of the text size.
_WIDTHS: Final = {
    letter: width
    for width, letters in (
        (222, "ijl’‘"),
        (278, " !,./:;[]\\Ift"),
        (333, "()-r“”`"),
        (400, "*\"'•"),
        (500, "Jcksvxyz"),
        (556, "0123456789$L_abdeghnopqu–?"),
        (611, "FTZ+<=>~"),
        (667, "ABEKPSVXY&"),
        (722, "CDHNRUw"),
        (778, "GOQ"),
        (833, "mM"),
        (889, "%"),
        (944, "W"),
    )
    for letter in letters
}
_BOLD: Final = 1.08
"""The most by which bold letters are wider."""


def text_width(text: str, size: float, *, bold: bool = False, spacing: float = 0) -> float:
    """The approximate width of a text."""
    letters = sum(_WIDTHS.get(letter, 1000) for letter in text) / 1000 * size
    return letters * (_BOLD if bold else 1) + spacing * len(text)


def fit_size(text: str, size: float, width: float, *, bold: bool = False, spacing: float = 0) -> float:
    """The requested text size, or a smaller one at which the text fits."""
    return size * min(1, width / max(text_width(text, size, bold=bold, spacing=spacing), 1))


def wrap_text(text: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """A text in lines that fit into a width."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def svg_text(
    text: str,
    x: float,
    y: float,
    size: float,
    *,
    fill: str = WHITE,
    bold: bool = False,
    anchor: str = "start",
    spacing: float = 0,
) -> str:
    """A text on its baseline."""
    weight = ' font-weight="700"' if bold else ""
    spacing_attribute = f' letter-spacing="{spacing:g}"' if spacing else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" fill="{fill}" text-anchor="{anchor}"'
        f"{weight}{spacing_attribute}>{escape(text, quote=False)}</text>"
    )


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    fill: str,
    stroke: str = "none",
    radius: float = 18,
) -> str:
    """A box with round corners."""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{radius:g}" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="2"/>'
    )


def rule(x: float, y: float, width: float, color: str = EDGE) -> str:
    """A thin line from left to right."""
    return f'<path d="M{x:.1f} {y:.1f}h{width:.1f}" stroke="{color}" stroke-width="1.5"/>'


# Each character has a box 60 wide and 100 high, drawn with a round pen; comma and point are narrow.
_STROKES: Final = {
    "0": "M30 8C44 8 52 22 52 50C52 78 44 92 30 92C16 92 8 78 8 50C8 22 16 8 30 8Z",
    "1": "M19 24L36 8V92",
    "2": "M10 31C10 17 18 8 30.500 8C43 8 51 17 51 29C51 42 42 51 32 62L9 92H52",
    "3": "M10 8H49L29 40C43 40 52 50 52 65C52 81 43 92 29 92C18 92 10 86 8 75",
    "4": "M41 92V8L7 68H55",
    "5": "M48 8H16L12 47C17 41 23 38 31 38C43 38 52 49 52 64C52 81 43 92 29 92C18 92 11 87 8 77",
    "6": "M46 14C42 10 37 8 32 8C17 8 8 26 8 57C8 79 16 92 30 92C43 92 52 82 52 66C52 51 43 42 31 42C19 42 9 50 8 63",
    "7": "M8 8H52L25 92",
    "8": (
        "M30 46C19 46 11 38 11 27C11 16 19 8 30 8C41 8 49 16 49 27C49 38 41 46 30 46Z"
        "M30 46C17 46 8 56 8 69C8 82 17 92 30 92C43 92 52 82 52 69C52 56 43 46 30 46Z"
    ),
    "9": "M14 86C18 90 23 92 28 92C43 92 52 74 52 43C52 21 44 8 30 8C17 8 8 18 8 34C8 49 17 58 29 58C41 58 51 50 52 37",
    "$": (
        "M49 27C46 18 40 13 30 13C18 13 10 20 10 31C10 42 18 46 30 49.500C43 53 51 58 51 69C51 80 42 87 30 87"
        "C19 87 12 82 9 72M30 1V99"
    ),
    ",": "M11 88C12 95 10 102 5 107",
    ".": "M11 90V90.010",
}
_PEN: Final = 15
_NARROW: Final = 25
_WIDE: Final = 70
_SPACE: Final = 10
"""The free space at the right of a wide character."""
_CENTS: Final = 0.54
"""Cents are smaller and at the top, as on a price tag."""


def amount_width(text: str) -> float:
    """The width of an amount such as ``$1,234.56`` at the height 100."""
    dollars, _, cents = text.partition(".")
    return _run(dollars) - _SPACE + (_NARROW + _CENTS * _run(cents) if cents else 0)


def amount(text: str, x: float, y: float, height: float) -> str:
    """An amount with its upper left corner at a place, drawn digit by digit."""
    place = f'transform="translate({x:.1f} {y:.1f}) scale({height / 100:.4f})"'
    return f'<g {place} {_pen("url(#gold)", _PEN)} role="img" aria-label="{escape(text)}">{_amount_signs(text)}</g>'


def glow(text: str, x: float, y: float, height: float) -> str:
    """The glow of a large amount."""
    signs = _amount_signs(text)
    rings = "".join(
        f'<g {_pen(ORANGE, _PEN + wider)} opacity="{opacity}">{signs}</g>'
        for wider, opacity in ((40, 0.04), (28, 0.06), (18, 0.09), (9, 0.14))
    )
    return f'<g transform="translate({x:.1f} {y:.1f}) scale({height / 100:.4f})" aria-hidden="true">{rings}</g>'


def _pen(paint: str, width: float) -> str:
    return f'fill="none" stroke="{paint}" stroke-width="{width:g}" stroke-linecap="round" stroke-linejoin="round"'


def _amount_signs(text: str) -> str:
    dollars, _, cents = text.partition(".")
    svg = _signs(dollars)
    if cents:
        # The point is on the baseline of the dollars, the cents align with their top.
        right = _run(dollars) - _SPACE / 2
        svg += f'<g transform="translate({right:.1f} 0)">{_sign(".")}</g>'
        offset_y = 8 * (1 - _CENTS)
        svg += f'<g transform="translate({right + _NARROW:.1f} {offset_y:.1f}) scale({_CENTS})">{_signs(cents)}</g>'
    return svg


def _run(text: str) -> float:
    return sum(_NARROW if sign in ",." else _WIDE for sign in text)


def _signs(text: str) -> str:
    svg, x = "", 0.0
    for sign in text:
        svg += f'<g transform="translate({x:.1f} 0)">{_sign(sign)}</g>'
        x += _NARROW if sign in ",." else _WIDE
    return svg


def _sign(sign: str) -> str:
    return f'<path d="{_STROKES[sign]}"/>'


# Icons of 40 by 40, so that color is never the only sign.
_PICTURES: Final = {
    "progressive": '<path d="M6 30L16 19L23 25L34 10M34 10H25M34 10V19"/>',
    "bonus": (
        '<path d="M6 17H34V34H6ZM20 17V34M20 17C8 17 9 6 15 7C19 8 20 13 20 17C20 13 21 8 25 7C31 6 32 17 20 17"/>'
    ),
    "pending": '<path d="M11 5H29M11 35H29M13 5C13 15 27 25 27 35M27 5C27 15 13 25 13 35"/>',
    "unavailable": '<circle cx="20" cy="20" r="15"/><path d="M9.500 9.500L30.500 30.500"/>',
    "promotion": (
        '<path d="M20 4L24.700 14.600L36 15.800L27.500 23.400L30 34.600L20 28.800L10 34.600L12.500 23.400L4 15.800'
        'L15.300 14.600Z"/>'
    ),
}


def picture(name: str, x: float, y: float, size: float, color: str) -> str:
    """An icon with its upper left corner at a place."""
    return (
        f'<g transform="translate({x:.1f} {y:.1f}) scale({size / 40:.4f})" fill="none" stroke="{color}" '
        f'stroke-width="4" stroke-linecap="round" stroke-linejoin="round">{_PICTURES[name]}</g>'
    )


SVG_DEFINITIONS: Final = f"""<defs>
<radialGradient id="night" cx="50%" cy="30%" r="85%"><stop offset="0" stop-color="#1B2C3C"/>
<stop offset="1" stop-color="{NIGHT}"/></radialGradient>
<linearGradient id="gold" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2="100">
<stop offset="0" stop-color="#FFF3C4"/><stop offset="0.55" stop-color="{GOLD}"/>
<stop offset="1" stop-color="{ORANGE}"/></linearGradient>
<pattern id="stripes" width="36" height="36" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="36" height="36" fill="#1A0D02"/><rect width="18" height="36" fill="{VERMILLION}"/></pattern>
</defs>"""
