"""What can happen in a round: a card falls, a seat decides, the dealer takes a step."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from cardroom.cards import Card
from cardroom.games.decisions import Decision


class DealerStep(StrEnum):
    """What the dealer does besides dealing; the caller chooses which steps run by themselves."""

    TABULATE = "tabulate"  # press the button that counts the jackpot wagers
    PAY_TREASURE = "pay treasure"  # Three Card Treasure's take or pay (sheet 000, rule 20)
    REVEAL = "reveal"  # turn over what is face down: the dealer's hand, the community hand


@dataclass(frozen=True, slots=True)
class Deal:
    """Chance gives this card to the place that is due."""

    card: Card


@dataclass(frozen=True, slots=True)
class Decide:
    """A seat answers the question it is asked."""

    seat: int
    decision: Decision


@dataclass(frozen=True, slots=True)
class TakeStep:
    """The dealer takes the step that is due."""

    step: DealerStep


Action: TypeAlias = Deal | Decide | TakeStep
