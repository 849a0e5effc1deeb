"""Outlines: a shape is written once, around its middle, and set down anywhere, in any size, turned or not."""

from __future__ import annotations

import re
from typing import Final

_STEP: Final = re.compile(r"([MLCZ])([^MLCZ]*)")


def placed(outline: str, x: float, y: float, size: float = 1.0, *, turned: bool = False) -> str:
    """An outline of M, L, C and Z with its middle at a point. Turned, it stands on its head.

    All but the first point is written as steps: the same pip is the same text everywhere, and packs well.

    >>> placed("M0 -50L38 0L0 50L-38 0Z", 125, 175, 0.5)
    'M125 150l19 25l-19 25l-19-25z'
    >>> placed("M0 -50L38 0Z", 100, 100, turned=True)
    'M100 150l-38-50z'
    """
    scale = -size if turned else size
    at, steps = (0.0, 0.0), []
    for letter, numbers in _STEP.findall(outline):
        flat = [float(one) * scale for one in numbers.split()]
        points = [(round(a, 1), round(b, 1)) for a, b in zip(flat[::2], flat[1::2], strict=True)]
        if letter == "M":
            steps.append("M" + _pair(x + points[0][0], y + points[0][1]))
        elif letter == "Z":
            steps.append("z")
        else:
            steps.append(letter.lower() + _joined([_pair(a - at[0], b - at[1]) for a, b in points]))
        at = points[-1] if points else at
    return "".join(steps)


def _pair(a: float, b: float) -> str:
    return _joined([f"{round(a, 1):g}", f"{round(b, 1):g}"])


def _joined(numbers: list[str]) -> str:
    """Numbers with no blank more than they need."""
    first, *others = numbers
    return first + "".join(one if one.startswith("-") else f" {one}" for one in others)
