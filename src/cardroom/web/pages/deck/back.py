"""The back: brass lattice on the house's green, and the house's mark in the middle."""

from __future__ import annotations

from typing import Final

from cardroom.web.pages.deck.emblems import BRASS
from cardroom.web.pages.deck.faces import FACE
from cardroom.web.pages.deck.outlines import placed
from cardroom.web.pages.deck.shapes import SUITS

_GREEN: Final = "#17452f"
_LEFT, _TOP, _RIGHT, _BOTTOM = 22, 22, 228, 328
_STEP: Final = 17


def back() -> str:
    """The back of every card; the same upside down, so that it tells nothing."""
    mark = placed(SUITS["s"], 125, 150, 0.46) + placed(SUITS["s"], 125, 200, 0.46, turned=True)
    return (
        f'{FACE}<rect x="13" y="13" width="224" height="324" rx="10" style="fill:{_GREEN}"/>'
        f'<path style="fill:none;stroke:{BRASS};stroke-width:2;opacity:.5" d="{_lattice()}"/>'
        f'<path style="fill:none;stroke:{BRASS};stroke-width:3" d="M22 22h206v306h-206z"/>'
        f'<g style="fill:{_GREEN};stroke:{BRASS};stroke-width:4"><path d="M125 92l54 83l-54 83l-54-83z"/></g>'
        f'<path style="fill:{BRASS}" d="{mark}"/>'
    )


def _lattice() -> str:
    """Slanting lines both ways, each cut off where it meets the frame."""
    return "".join(
        f"M{start[0]} {start[1]}L{end[0]} {end[1]}"
        for slope in (1, -1)
        for offset in range(-26, 27)
        if (start := _edge(offset, slope, -1)) and (end := _edge(offset, slope, 1)) and start != end
    )


def _edge(offset: int, slope: int, side: int) -> tuple[float, float] | None:
    """Where a line of the lattice leaves the frame on one side; None if it never enters."""
    half_width, half_height = (_RIGHT - _LEFT) / 2, (_BOTTOM - _TOP) / 2
    shift = offset * _STEP * 2
    low = max(-half_width, min((-half_height - shift) * slope, (half_height - shift) * slope))
    high = min(half_width, max((-half_height - shift) * slope, (half_height - shift) * slope))
    if low >= high:
        return None
    x = high if side > 0 else low
    return round(125 + x, 1), round(175 + shift + x * slope, 1)
