"""Wagers that act on each other, made together: what the sum of them costs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from cardroom.reports.par.sheet import ParSheet, WagerFigures


class Combined(NamedTuple):
    """Two wagers of one unit each, of which the first has its figures only because of the second."""

    first: WagerFigures
    second: WagerFigures
    words: str
    """Why they belong together."""

    @property
    def expected_return(self) -> Fraction:
        """Of both together, in units."""
        assert self.first.odds.expected_return is not None
        assert self.second.odds.expected_return is not None
        return self.first.odds.expected_return + self.second.odds.expected_return

    @property
    def wagered(self) -> int:
        """Before the deal."""
        return self.first.odds.initial_wager + self.second.odds.initial_wager

    @property
    def house_edge(self) -> Fraction:
        return -self.expected_return / self.wagered

    @property
    def element_of_risk(self) -> Fraction:
        return -self.expected_return / (self.first.odds.average_wager + self.second.odds.average_wager)

    @property
    def exact(self) -> bool:
        return self.first.is_exact and self.second.is_exact


def combined(sheet: ParSheet) -> Iterator[Combined]:
    """Every such pair of the table."""
    for figures in sheet.wagers:
        beside = figures.beside
        if beside is not None:
            other = next(one for one in sheet.wagers if one.offered.wager.slug == beside.wager)
            yield Combined(figures, other, beside.words)
