"""What can happen in a round: a card falls, a seat decides, the dealer takes a step."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from cardroom.cards import Card, CardLike, as_card
from cardroom.faults import passed
from cardroom.games.decisions import Decision, NotAllowed, as_decision
from cardroom.games.places import seat_number


class DealerStep(StrEnum):
    """What the dealer does besides dealing; the caller chooses which steps run by themselves."""

    TABULATE = "tabulate"  # press the button that counts the jackpot wagers
    PAY_TREASURE = "pay treasure"  # Three Card Treasure's take or pay (sheet 000, rule 20)
    REVEAL = "reveal"  # turn over what is face down: the dealer's hand, the community hand


# The three are written out, because they take words for what they hold, and a step of a round is made of them.


@dataclass(frozen=True, slots=True, init=False)
class Deal:
    """Chance gives this card to the place that is due.

    >>> Deal("As")
    Deal(card=Card('As'))
    """

    card: Card

    def __init__(self, card: CardLike) -> None:
        object.__setattr__(self, "card", card if type(card) is Card else as_card(card))


@dataclass(frozen=True, slots=True, init=False)
class Decide:
    """A seat answers the question it is asked.

    >>> from cardroom.games.decisions import Verb
    >>> Decide(1, "play") == Decide(1, Decision(Verb.PLAY))
    True
    >>> Decide(1, 7)
    Traceback (most recent call last):
    ...
    cardroom.games.decisions.NotAllowed: An answer is a Decision or its words, such as 'play'; 7 (int) is neither.
    """

    seat: int
    decision: Decision

    def __init__(self, seat: int, decision: Decision | str) -> None:
        object.__setattr__(self, "seat", seat if type(seat) is int else seat_number(seat))
        object.__setattr__(self, "decision", decision if type(decision) is Decision else as_decision(decision))


@dataclass(frozen=True, slots=True, init=False)
class TakeStep:
    """The dealer takes the step that is due.

    >>> TakeStep("reveal").step
    <DealerStep.REVEAL: 'reveal'>
    """

    step: DealerStep

    def __init__(self, step: DealerStep | str) -> None:
        object.__setattr__(self, "step", step if type(step) is DealerStep else _as_step(step))


def _as_step(given: object) -> DealerStep:
    for step in DealerStep:
        if given == step:
            return step
    known = ", ".join(map(repr, map(str, DealerStep)))
    raise NotAllowed(f"A dealer's step is a DealerStep or one of {known}; {passed(given)} is none of them.")


Action: TypeAlias = Deal | Decide | TakeStep
