"""The deck as one SVG drawing: a symbol for each card, the joker, and the back, which a page shows with ``<use>``.

Suits and ranks are drawn as outlines, so no font is needed. The courts have emblems instead of faces: the king's crown,
the queen's coronet, the jack's plumed cap, the joker's cap with bells. The index is in two corners, large enough for a
card as wide as a thumbnail. The colors of the suits are variables of the page (``--suit-c`` and so on), so a four-color
deck is a matter of style.

>>> sprite().count("<symbol")
54
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from cardroom.cards import JOKER, STANDARD_DECK

_PATH_STEP: Final = re.compile(r"([MLCZ])([^MLCZ]*)")


def place_outline(outline: str, x: float, y: float, size: float = 1.0, *, turned: bool = False) -> str:
    """An outline of M, L, C, and Z centered on a point; ``turned`` is upside down.

    All points but the first are relative, so the same pip is the same text everywhere and compresses well.

    >>> place_outline("M0 -50L38 0L0 50L-38 0Z", 125, 175, 0.5)
    'M125 150l19 25l-19 25l-19-25z'
    >>> place_outline("M0 -50L38 0Z", 100, 100, turned=True)
    'M100 150l-38-50z'
    """
    scale = -size if turned else size
    at, steps = (0.0, 0.0), []
    for letter, numbers in _PATH_STEP.findall(outline):
        flat = [float(number) * scale for number in numbers.split()]
        points = [(round(a, 1), round(b, 1)) for a, b in zip(flat[::2], flat[1::2], strict=True)]
        if letter == "M":
            steps.append("M" + _pair(x + points[0][0], y + points[0][1]))
        elif letter == "Z":
            steps.append("z")
        else:
            steps.append(letter.lower() + _join_numbers([_pair(a - at[0], b - at[1]) for a, b in points]))
        at = points[-1] if points else at
    return "".join(steps)


def _pair(a: float, b: float) -> str:
    return _join_numbers([f"{round(a, 1):g}", f"{round(b, 1):g}"])


def _join_numbers(numbers: list[str]) -> str:
    """Numbers with no unnecessary blanks."""
    first, *rest = numbers
    return first + "".join(number if number.startswith("-") else f" {number}" for number in rest)


SUITS: Final = {
    "c": (
        "M0 -48C13 -48 23 -38 23 -26C23 -19 20 -13 15 -8C18 -9 21 -10 24 -10C37 -10 47 0 47 13C47 26 37 36 24 36"
        "C15 36 8 32 4 25C5 36 9 43 17 48L-17 48C-9 43 -5 36 -4 25C-8 32 -15 36 -24 36C-37 36 -47 26 -47 13"
        "C-47 0 -37 -10 -24 -10C-21 -10 -18 -9 -15 -8C-20 -13 -23 -19 -23 -26C-23 -38 -13 -48 0 -48Z"
    ),
    "d": "M0 -50C9 -32 23 -14 38 0C23 14 9 32 0 50C-9 32 -23 14 -38 0C-23 -14 -9 -32 0 -50Z",
    "h": (
        "M0 47C-9 28 -46 9 -46 -18C-46 -34 -35 -45 -22 -45C-11 -45 -3 -38 0 -26C3 -38 11 -45 22 -45"
        "C35 -45 46 -34 46 -18C46 9 9 28 0 47Z"
    ),
    "s": (
        "M0 -49C10 -29 44 -12 44 13C44 28 34 37 22 37C14 37 7 33 4 26C5 37 9 43 17 48L-17 48C-9 43 -5 37 -4 26"
        "C-7 33 -14 37 -22 37C-34 37 -44 28 -44 13C-44 -12 -10 -29 0 -49Z"
    ),
}
"""Filled, in a box of 100 around the center."""

RANKS: Final = {
    "2": "M-17 -18C-17 -27 -10 -34 0 -34C10 -34 17 -27 17 -18C17 -4 -17 12 -17 34L20 34",
    "3": (
        "M-16 -21C-15 -29 -9 -34 0 -34C10 -34 16 -28 16 -19C16 -10 9 -4 -3 -4C10 -4 18 3 18 15C18 27 10 34 0 34"
        "C-10 34 -17 28 -18 18"
    ),
    "4": "M10 40L10 -31L-19 16L22 16",
    "5": "M16 -34L-12 -34L-14 -5C-10 -9 -5 -11 0 -11C11 -11 18 -2 18 11C18 25 10 34 -1 34C-10 34 -16 29 -18 20",
    "6": ("M14 -36C-6 -30 -18 -10 -18 12C-18 25 -10 34 0 34C10 34 18 26 18 14C18 2 10 -6 1 -6C-8 -6 -16 1 -18 12"),
    "7": "M-20 -34L18 -34C6 -14 -4 10 -6 40",
    "8": (
        "M0 -34C-9 -34 -15 -28 -15 -19C-15 -10 -8 -4 0 -4C10 -4 18 4 18 15C18 26 10 34 0 34C-10 34 -18 26 -18 15"
        "C-18 4 -10 -4 0 -4C8 -4 15 -10 15 -19C15 -28 9 -34 0 -34Z"
    ),
    "9": ("M-14 36C6 30 18 10 18 -12C18 -25 10 -34 0 -34C-10 -34 -18 -26 -18 -14C-18 -2 -10 6 -1 6C8 6 16 -1 18 -12"),
    "T": "M-27 -27L-18 -34L-18 40M12 -34C2 -34 -3 -21 -3 0C-3 21 2 34 12 34C22 34 27 21 27 0C27 -21 22 -34 12 -34Z",
    "J": "M-8 -34L14 -34L14 16C14 28 8 34 -2 34C-11 34 -17 28 -17 19",
    "Q": ("M0 -34C-12 -34 -19 -21 -19 0C-19 21 -12 34 0 34C12 34 19 21 19 0C19 -21 12 -34 0 -34ZM3 17L22 39"),
    "K": "M-16 -40L-16 40M19 -40L-14 6M-5 -7L20 40",
    "A": "M-21 40L-3 -36L3 -36L21 40M-15 18L15 18",
}
"""Drawn with a broad pen, in a box of 80 around the center."""

LETTERS: Final = {
    "J": RANKS["J"],
    "O": RANKS["Q"].partition("Z")[0] + "Z",
    "K": RANKS["K"],
    "E": "M18 -34L-14 -34L-14 34L18 34M-14 -1L13 -1",
    "R": "M-14 40L-14 -34L0 -34C11 -34 17 -27 17 -16C17 -5 11 2 0 2L-14 2M2 2L19 40",
}
"""The letters of the joker's name, with the same pen."""


BRASS: Final = "#dfb35c"


def _brass(*outlines: str) -> str:
    return "".join(f'<path style="fill:{BRASS}" d="{outline}"/>' for outline in outlines)


def _balls(radius: float, *points: tuple[float, float], fill: str = BRASS) -> str:
    """Pearls and bells; without a fill they have the color of the suit."""
    style = f' style="fill:{fill}"' if fill else ""
    return "".join(f'<circle{style} cx="{x}" cy="{y}" r="{radius}"/>' for x, y in points)


KING_EMBLEM: Final = (
    _brass(
        "M-5-34h-9v-11h9v-9h10v9h9v11h-9v9h-10z",
        "M-49 22c-24-26-14-54 14-52 16 1 28 8 35 18 7-10 19-17 35-18 28-2 38 26 14 52z",
    )
    + '<path style="fill:none" d="M0-12v34M-25 22c-12-18-8-34 3-36M25 22c12-18 8-34-3-36"/>'
    + _brass("M-52 20h104v22h-104z")
    + _balls(9, (0, -18))
    + _balls(3, (0, 31), (-31, 31), (31, 31), fill="")
)
QUEEN_EMBLEM: Final = (
    _brass(
        "M-50 24l-13-46c13 4 22 12 28 24 2-14 4-22 6-34 12 6 23 15 29 30"
        " 6-15 17-24 29-30 2 12 4 20 6 34 6-12 15-20 28-24l-13 46z"
    )
    + _brass("M-50 22c30 8 70 8 100 0v17c-30 8-70 8-100 0z")
    + _balls(7, (-63, -26), (-29, -38), (0, -10), (29, -38), (63, -26))
    + _balls(3, (0, 36), (-29, 34), (29, 34), fill="")
)
JACK_EMBLEM: Final = (
    _brass("M2 16c0-36 22-62 62-72 0 8-2 14-6 20l6 0c-4 10-10 18-18 24l8 2c-12 16-26 26-44 32z")
    + '<path style="fill:none" d="M10 18c4-24 16-42 36-56"/>'
    + '<path d="M-50 20c12-22 24-42 46-50 8 18 14 34 40 44l10 8c-30 12-66 10-96-2z"/>'
    + _brass("M-68 24c34-6 66 4 92-4 14-4 24-10 32-18 8 12 8 26-2 34-38 14-86 6-122-12z")
)
JOKER_EMBLEM: Final = (
    '<g style="stroke:var(--suit-s,#1d1b19);stroke-width:6;stroke-linejoin:round">'
    '<path style="fill:var(--suit-h,#b3261e)" d="M-50 44c-6-40-44-46-52-2-12-70 52-92 74-46l10 48z"/>'
    '<path style="fill:var(--suit-s,#1d1b19)" d="M50 44c6-40 44-46 52-2 12-70-52-92-74-46l-10 48z"/>'
    + _brass("M-30 44c-10-50 0-96 30-122 30 26 40 72 30 122z", "M-58 40c34-12 82-12 116 0v24c-34-12-82-12-116 0z")
    + _balls(13, (-101, 52), (101, 52), (0, -90))
    + "</g>"
)


WIDTH: Final = 250
HEIGHT: Final = 350
FACE: Final = (
    '<rect x="1.5" y="1.5" width="247" height="347" rx="17" '
    'style="fill:var(--card-face,#fdfaf3);stroke:var(--card-edge,#c9bfae);stroke-width:3"/>'
)
INK: Final = {
    "c": "var(--suit-c,#1d1b19)",
    "d": "var(--suit-d,#b3261e)",
    "h": "var(--suit-h,#b3261e)",
    "s": "var(--suit-s,#1d1b19)",
}

_LEFT, _MIDDLE, _RIGHT = 94, 125, 156
_TWO_PIPS: Final = (62, 288)
_THREE: Final = (62, 175, 288)
_FOUR: Final = (62, 137, 213, 288)
PIPS: Final[dict[str, tuple[tuple[int, int], ...]]] = {
    "2": tuple((_MIDDLE, y) for y in _TWO_PIPS),
    "3": tuple((_MIDDLE, y) for y in _THREE),
    "4": tuple((x, y) for x in (_LEFT, _RIGHT) for y in _TWO_PIPS),
    "5": (*((x, y) for x in (_LEFT, _RIGHT) for y in _TWO_PIPS), (_MIDDLE, 175)),
    "6": tuple((x, y) for x in (_LEFT, _RIGHT) for y in _THREE),
    "7": (*((x, y) for x in (_LEFT, _RIGHT) for y in _THREE), (_MIDDLE, 118)),
    "8": (*((x, y) for x in (_LEFT, _RIGHT) for y in _THREE), (_MIDDLE, 118), (_MIDDLE, 232)),
    "9": (*((x, y) for x in (_LEFT, _RIGHT) for y in _FOUR), (_MIDDLE, 175)),
    "T": (*((x, y) for x in (_LEFT, _RIGHT) for y in _FOUR), (_MIDDLE, 99), (_MIDDLE, 251)),
}
"""The positions of the pips of a number card; those below the center are upside down."""

_PIP: Final = 0.4
_ACE: Final = 1.16
_EMBLEMS: Final = {"J": JACK_EMBLEM, "Q": QUEEN_EMBLEM, "K": KING_EMBLEM}
_PANEL: Final = "M74 16h160v180h-58v138h-160v-180h58z"
"""The frame of a court card, which leaves the index corners free and is the same upside down."""
_STAR: Final = "M0 -48L13 -17L46 -15L20 6L29 38L0 20L-29 38L-20 6L-46 -15L-13 -17Z"


def number_card(rank: str, suit: str) -> str:
    """A card with pips; the ace has one large pip."""
    size = _ACE if rank == "A" else _PIP
    places = ((_MIDDLE, HEIGHT // 2),) if rank == "A" else PIPS[rank]
    pips = "".join(place_outline(SUITS[suit], x, y, size, turned=y > HEIGHT / 2) for x, y in places)
    return f'{FACE}<g style="fill:{INK[suit]}"><path d="{pips}"/>{_mirror(_index(rank, suit))}</g>'


def court_card(rank: str, suit: str) -> str:
    """A jack, queen, or king."""
    half = (
        f'<g transform="translate(152 79)" style="stroke:{INK[suit]};stroke-width:5;stroke-linejoin:round">'
        f'{_EMBLEMS[rank]}</g><path d="{place_outline(SUITS[suit], 152, 149, 0.42)}"/>'
    )
    frame = (
        f'<path style="fill:{BRASS};fill-opacity:.2;stroke:{INK[suit]};stroke-width:3" d="{_PANEL}"/>'
        f'<path style="stroke:{INK[suit]};stroke-width:3" d="M16 154L234 196"/>'
    )
    return f'{FACE}<g style="fill:{INK[suit]}">{frame}{_mirror(_index(rank, suit) + half)}</g>'


def joker_card() -> str:
    """The joker has no suit: a star takes the place of the rank."""
    letters = "".join(place_outline(LETTERS[letter], 34, 96 + 28 * at, 0.26) for at, letter in enumerate("JOKER"))
    index = (
        f'<path style="fill:{INK["h"]}" d="{place_outline(_STAR, 39, 48, 0.64)}"/>'
        f'<path style="fill:none;stroke:{INK["s"]};stroke-width:4.5" d="{letters}"/>'
    )
    return f'{FACE}{_mirror(index)}<g transform="translate(125 182) scale(.66)">{JOKER_EMBLEM}</g>'


def _index(rank: str, suit: str) -> str:
    across = 38 if rank == "T" else 40
    return (
        f'<path style="fill:none;stroke:{INK[suit]};stroke-width:12;stroke-miterlimit:2" '
        f'd="{place_outline(RANKS[rank], across, 53, 0.93)}"/>'
        f'<path d="{place_outline(SUITS[suit], 40, 122, 0.48)}"/>'
    )


def _mirror(half: str) -> str:
    return f'{half}<g transform="rotate(180 {WIDTH // 2} {HEIGHT // 2})">{half}</g>'


_GREEN: Final = "#17452f"
_BACK_LEFT, _BACK_TOP, _BACK_RIGHT, _BACK_BOTTOM = 22, 22, 228, 328
_LATTICE_STEP: Final = 17


def card_back() -> str:
    """The back of every card, the same upside down, so that it reveals nothing."""
    mark = place_outline(SUITS["s"], 125, 150, 0.46) + place_outline(SUITS["s"], 125, 200, 0.46, turned=True)
    return (
        f'{FACE}<rect x="13" y="13" width="224" height="324" rx="10" style="fill:{_GREEN}"/>'
        f'<path style="fill:none;stroke:{BRASS};stroke-width:2;opacity:.5" d="{_lattice()}"/>'
        f'<path style="fill:none;stroke:{BRASS};stroke-width:3" d="M22 22h206v306h-206z"/>'
        f'<g style="fill:{_GREEN};stroke:{BRASS};stroke-width:4"><path d="M125 92l54 83l-54 83l-54-83z"/></g>'
        f'<path style="fill:{BRASS}" d="{mark}"/>'
    )


def _lattice() -> str:
    """Diagonal lines both ways, each cut off at the frame."""
    return "".join(
        f"M{start[0]} {start[1]}L{end[0]} {end[1]}"
        for slope in (1, -1)
        for offset in range(-26, 27)
        if (start := _edge_point(offset, slope, -1)) and (end := _edge_point(offset, slope, 1)) and start != end
    )


def _edge_point(offset: int, slope: int, side: int) -> tuple[float, float] | None:
    """The point where a line of the lattice leaves the frame on one side; None if it never enters."""
    half_width, half_height = (_BACK_RIGHT - _BACK_LEFT) / 2, (_BACK_BOTTOM - _BACK_TOP) / 2
    shift = offset * _LATTICE_STEP * 2
    low = max(-half_width, min((-half_height - shift) * slope, (half_height - shift) * slope))
    high = min(half_width, max((-half_height - shift) * slope, (half_height - shift) * slope))
    if low >= high:
        return None
    x = high if side > 0 else low
    return round(125 + x, 1), round(175 + shift + x * slope, 1)


BACK_NAME: Final = "back"
_COURTS: Final = "JQK"


@cache
def sprite() -> str:
    """All cards as symbols of one SVG."""
    symbols = "".join(
        f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{svg}</symbol>' for name, svg in card_drawings().items()
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'


def card_drawings() -> dict[str, str]:
    """The drawing of each card by name; the joker and the back are last."""
    faces = {name: _face(*name) for name in map(str, STANDARD_DECK)}
    return faces | {str(JOKER): joker_card(), BACK_NAME: card_back()}


def _face(rank: str, suit: str) -> str:
    return court_card(rank, suit) if rank in _COURTS else number_card(rank, suit)
