"""The emblems of the courts, in brass with the suit's colour: the king's closed crown, the queen's coronet, the jack's
plumed cap; and the joker's cap with its bells. No faces.
"""

from __future__ import annotations

from typing import Final

BRASS: Final = "#dfb35c"


def _brass(*outlines: str) -> str:
    return "".join(f'<path style="fill:{BRASS}" d="{one}"/>' for one in outlines)


def _balls(radius: float, *points: tuple[float, float], fill: str = BRASS) -> str:
    """Pearls and bells; without a fill of their own they are of the colour of the suit."""
    style = f' style="fill:{fill}"' if fill else ""
    return "".join(f'<circle{style} cx="{x}" cy="{y}" r="{radius}"/>' for x, y in points)


KING: Final = (
    _brass(
        "M-5-34h-9v-11h9v-9h10v9h9v11h-9v9h-10z",
        "M-49 22c-24-26-14-54 14-52 16 1 28 8 35 18 7-10 19-17 35-18 28-2 38 26 14 52z",
    )
    + '<path style="fill:none" d="M0-12v34M-25 22c-12-18-8-34 3-36M25 22c12-18 8-34-3-36"/>'
    + _brass("M-52 20h104v22h-104z")
    + _balls(9, (0, -18))
    + _balls(3, (0, 31), (-31, 31), (31, 31), fill="")
)
QUEEN: Final = (
    _brass(
        "M-50 24l-13-46c13 4 22 12 28 24 2-14 4-22 6-34 12 6 23 15 29 30"
        " 6-15 17-24 29-30 2 12 4 20 6 34 6-12 15-20 28-24l-13 46z"
    )
    + _brass("M-50 22c30 8 70 8 100 0v17c-30 8-70 8-100 0z")
    + _balls(7, (-63, -26), (-29, -38), (0, -10), (29, -38), (63, -26))
    + _balls(3, (0, 36), (-29, 34), (29, 34), fill="")
)
JACK: Final = (
    _brass("M2 16c0-36 22-62 62-72 0 8-2 14-6 20l6 0c-4 10-10 18-18 24l8 2c-12 16-26 26-44 32z")
    + '<path style="fill:none" d="M10 18c4-24 16-42 36-56"/>'
    + '<path d="M-50 20c12-22 24-42 46-50 8 18 14 34 40 44l10 8c-30 12-66 10-96-2z"/>'
    + _brass("M-68 24c34-6 66 4 92-4 14-4 24-10 32-18 8 12 8 26-2 34-38 14-86 6-122-12z")
)
JOKER: Final = (
    '<g style="stroke:var(--suit-s,#1d1b19);stroke-width:6;stroke-linejoin:round">'
    '<path style="fill:var(--suit-h,#b3261e)" d="M-50 44c-6-40-44-46-52-2-12-70 52-92 74-46l10 48z"/>'
    '<path style="fill:var(--suit-s,#1d1b19)" d="M50 44c6-40 44-46 52-2 12-70-52-92-74-46l-10 48z"/>'
    + _brass("M-30 44c-10-50 0-96 30-122 30 26 40 72 30 122z", "M-58 40c34-12 82-12 116 0v24c-34-12-82-12-116 0z")
    + _balls(13, (-101, 52), (101, 52), (0, -90))
    + "</g>"
)
