"""What can happen in a round: a card falls, a seat decides, the dealer takes a step.

>>> from cardroom.cards import cards
>>> split = Decision(Verb.SPLIT, (cards("9c 9h"), cards("Kd As")))
>>> str(split)
'split 9h 9c | As Kd'
>>> Decision.parse("split 9c 9h | As Kd") == split
True
>>> str(split.turned_about)
'split As Kd | 9h 9c'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

from cardroom.cards import Card, cards, names
from cardroom.faults import BadInput, quoted


class NotAllowed(BadInput):
    """Something that the rules do not allow now; the sentence says what they do allow."""


class Pile(StrEnum):
    """Where cards lie on the layout."""

    HAND = "hand"  # a seat's cards, or with no seat the dealer's
    FOURTH = "fourth"  # a card set apart: Three Card Prime's top card, Deuces Wild's fourth
    FIFTH = "fifth"  # Deuces Wild's last card, seen by nobody before the end (sheet 000, rule 22)
    WAR = "war"  # the additional card of a duel
    COMMUNITY = "community"
    WAR_COMMUNITY = "war community"
    ADDED_COMMUNITY = "added community"  # the two cards of 2 + 2 (DD-6)
    BURN = "burn"  # burnt or discarded unseen


class Place(NamedTuple):
    """A pile, of a seat or of the table. The dealer's hand is the table's ``hand``. Every card is looked up by its
    place many times, which a tuple makes quick."""

    pile: Pile
    seat: int | None = None

    def __str__(self) -> str:
        if self.seat is not None:
            return f"seat {self.seat} {self.pile}"
        return "dealer" if self.pile is Pile.HAND else str(self.pile)


DEALER_HAND: Final = Place(Pile.HAND)
COMMUNITY: Final = Place(Pile.COMMUNITY)
BURN: Final = Place(Pile.BURN)


class Verb(StrEnum):
    """What a player can say."""

    FOLD = "fold"
    PLAY = "play"
    RAISE = "raise"
    CHOOSE = "choose"  # cards for Five Card Fortune
    KEEP = "keep"  # two of four cards
    SPLIT = "split"  # two hands of two cards
    MATCH = "match"  # a second Shootout Bonus wager for the second hand
    FIRST_HAND = "first hand"  # the one Shootout Bonus wager rides on this hand
    SECOND_HAND = "second hand"
    SET = "set"  # high hand and low hand
    DOUBLE = "double"
    STAND = "stand"
    WAR = "war"
    SURRENDER = "surrender"


@dataclass(frozen=True, slots=True)
class Decision:
    """A verb and the groups of cards it speaks of. The order of the groups is the player's: the first one named is the
    first hand, or the high hand. The order of cards inside a group does not matter."""

    verb: Verb
    groups: tuple[tuple[Card, ...], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", tuple(tuple(sorted(group, reverse=True)) for group in self.groups))

    def __str__(self) -> str:
        return " ".join(filter(None, (self.verb.value, " | ".join(map(names, self.groups)))))

    @property
    def turned_about(self) -> Decision:
        """The same with its groups named the other way round."""
        return Decision(self.verb, self.groups[::-1])

    @classmethod
    def parse(cls, text: str) -> Decision:
        """Read a decision as ``str`` writes it."""
        for verb in sorted(Verb, key=len, reverse=True):
            if text == verb or text.startswith(f"{verb} "):
                rest = text[len(verb) :].strip()
                return cls(verb, tuple(cards(group) for group in rest.split("|")) if rest else ())
        raise NotAllowed(f"{quoted(text)} is not a decision: start with one of {', '.join(Verb)}.")


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


@dataclass(frozen=True, slots=True)
class ChanceTurn:
    """A card is due at this place."""

    place: Place


@dataclass(frozen=True, slots=True)
class SeatTurn:
    """A seat is asked a question, and these are the answers it may give."""

    seat: int
    question: str
    options: tuple[Decision, ...]
    """The answers as they are listed: each way to play once."""
    also: tuple[Decision, ...] = ()
    """Listed answers with their hands in another order, where the rules leave it to the player which hand is the first.
    They are as good as the listed ones, and what was said is kept."""

    def allows(self, decision: Decision) -> bool:
        """Whether the seat may give this answer."""
        return decision in self.options or decision in self.also


@dataclass(frozen=True, slots=True)
class DealerTurn:
    """The dealer has this to do."""

    step: DealerStep


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing is left to do but to take and pay."""


Turn: TypeAlias = ChanceTurn | SeatTurn | DealerTurn | Over


def options(*verbs: Verb) -> tuple[Decision, ...]:
    """Decisions that need no cards."""
    return tuple(Decision(verb) for verb in verbs)


def choices(verb: Verb, groupings: Iterable[tuple[tuple[Card, ...], ...]]) -> tuple[Decision, ...]:
    """One decision for each different grouping of cards, in the order given."""
    return tuple(dict.fromkeys(Decision(verb, groups) for groups in groupings))
