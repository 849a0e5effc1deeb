"""What players say.

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

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from operator import attrgetter
from typing import Final

from cardroom.cards import Card, Cards, as_cards, cards, names
from cardroom.faults import BadInput, passed, quoted

_CODE: Final = attrgetter("code")


class NotAllowed(BadInput):
    """Something that the rules do not allow now; the sentence says what they do allow."""


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


@dataclass(frozen=True, slots=True, init=False)
class Decision:
    """A verb and the groups of cards it speaks of. The order of the groups is the player's: the first one named is the
    first hand, or the high hand. The order of cards inside a group does not matter.

    >>> Decision("keep", ["As Kd"]) == Decision(Verb.KEEP, (cards("Kd As"),))
    True
    """

    verb: Verb
    groups: tuple[tuple[Card, ...], ...] = ()

    def __init__(self, verb: Verb | str, groups: Iterable[Cards] = ()) -> None:
        object.__setattr__(self, "verb", verb if type(verb) is Verb else _as_verb(verb))
        object.__setattr__(self, "groups", tuple([_from_the_top(group) for group in groups]) if groups else ())

    def __str__(self) -> str:
        return " ".join(filter(None, (self.verb.value, " | ".join(map(names, self.groups)))))

    @property
    def turned_about(self) -> Decision:
        """The same with its groups named the other way round."""
        return Decision.in_order(self.verb, self.groups[::-1])

    @classmethod
    def in_order(cls, verb: Verb, groups: tuple[tuple[Card, ...], ...]) -> Decision:
        """The same decision from groups whose cards come from the highest down already; they are not sorted again."""
        made = object.__new__(cls)
        object.__setattr__(made, "verb", verb)
        object.__setattr__(made, "groups", groups)
        return made

    @classmethod
    def parse(cls, text: str) -> Decision:
        """Read a decision as ``str`` writes it."""
        if text in _WITHOUT_CARDS:
            return _WITHOUT_CARDS[text]
        for verb, begins in _LONGEST_FIRST:
            if text.startswith(begins):
                rest = text[len(verb) :].strip()
                return cls(verb, tuple(cards(group) for group in rest.split("|")) if rest else ())
        raise NotAllowed(f"{quoted(text)} is not a decision: start with one of {', '.join(Verb)}.")


def as_decision(given: object) -> Decision:
    """The decision that was given, or that words stand for."""
    if isinstance(given, Decision):
        return given
    if isinstance(given, str):
        return Decision.parse(given)
    raise NotAllowed(f"An answer is a Decision or its words, such as 'play'; {passed(given)} is neither.")


def _as_verb(given: object) -> Verb:
    for verb in Verb:
        if given == verb:
            return verb
    raise NotAllowed(f"A verb is a Verb or one of {', '.join(Verb)}; {passed(given)} is none of them.")


def _from_the_top(group: Cards) -> tuple[Card, ...]:
    try:
        return tuple(sorted(group, key=_CODE, reverse=True))  # type: ignore[arg-type]  # names of cards have no code
    except (AttributeError, TypeError):
        return tuple(sorted(as_cards(group), key=_CODE, reverse=True))


_LONGEST_FIRST: Final = tuple((verb, f"{verb} ") for verb in sorted(Verb, key=len, reverse=True))
_WITHOUT_CARDS: Final[Mapping[str, Decision]] = {str(verb): Decision(verb) for verb in Verb}


@cache
def options(*verbs: Verb) -> tuple[Decision, ...]:
    """Decisions that need no cards."""
    return tuple(Decision(verb) for verb in verbs)


def choices(verb: Verb, groupings: Iterable[tuple[tuple[Card, ...], ...]]) -> tuple[Decision, ...]:
    """One decision for each different grouping of cards, in the order given."""
    return tuple(dict.fromkeys(Decision(verb, groups) for groups in groupings))
