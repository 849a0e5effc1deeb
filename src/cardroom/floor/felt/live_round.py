"""What is known of a round that a dealer deals: the steps that were taken, and what somebody typed. Nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from cardroom.jackpots.plain import in_a_row


class Counting(StrEnum):
    """Who counted the jackpot wagers of a round."""

    NOBODY = ""
    """Nobody yet: no such step was taken, or a data logger's record is still under way."""
    BUTTON = "button"
    """The tabulator, when the step was taken."""
    BY_HAND = "by hand"
    """The dealer, while the tabulator is broken."""
    RECORDED = "recorded"
    """The tabulator or its data logger itself, before the step was taken."""


@in_a_row
class TypedAnswer(NamedTuple):
    """What a player said, as the dealer typed it."""

    seat: int
    question: str
    answer: str


class LiveRound(NamedTuple):
    """A round that a dealer deals, as far as it has come."""

    dealer: str
    positions: tuple[int, ...]
    """Those that play."""
    linked: tuple[str, ...] = ()
    """The wagers whose prizes a jackpot pays."""
    taken: tuple[str, ...] = ()
    """The steps, by name."""
    counted: Counting = Counting.NOBODY
    cards: Mapping[str, tuple[str, ...]] = {}
    """By place."""
    wagers: Mapping[str, Mapping[str, int]] = {}
    """By seat, then by spot, in cents."""
    answers: tuple[TypedAnswer, ...] = ()
