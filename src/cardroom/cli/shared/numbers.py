"""Whole numbers on the command line: digits from 0 to 9, for other scripts' digits are no numbers here."""

from __future__ import annotations

import re
from typing import Final

import typer

from cardroom.errors import quote

_DIGITS: Final = re.compile(r"-?[0-9]{1,30}")


class NotWhole(typer.BadParameter):
    """What was typed is no whole number, or one beyond the limits; the option's name stands before the sentence."""


class Whole:
    """Reads a whole number within limits.

    >>> Whole(1)("12")
    12
    >>> Whole(0, 65535)("٣")
    Traceback (most recent call last):
    ...
    cardroom.cli.shared.numbers.NotWhole: takes a whole number from 0 to 65535, not '٣'.
    """

    __name__ = "whole number"  # what the command line's parser calls it

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self._least, self._most = least, most

    def __call__(self, typed: str | int) -> int:
        digits = str(typed).strip()
        if _DIGITS.fullmatch(digits):
            found = int(digits)
            if (self._least is None or found >= self._least) and (self._most is None or found <= self._most):
                return found
        limits = "" if self._least is None else f" from {self._least}"
        limits += "" if self._most is None else f" to {self._most}"
        raise NotWhole(f"takes a whole number{limits}, not {quote(str(typed))}.")
