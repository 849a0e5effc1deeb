"""Decisions of players, actions of a round (a card is dealt, a seat decides, the dealer takes a step), and turns.

>>> from cardroom.cards import parse_cards
>>> split = Decision(Verb.SPLIT, (parse_cards("9c 9h"), parse_cards("Kd As")))
>>> str(split)
'split 9h 9c | As Kd'
>>> Decision.parse("split 9c 9h | As Kd") == split
True
>>> str(split.with_reversed_groups)
'split As Kd | 9h 9c'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from operator import attrgetter
from typing import Final, TypeAlias

from cardroom.cards import Card, CardLike, Cards, as_card, as_cards, format_cards, parse_cards
from cardroom.enums import TypeableEnum
from cardroom.errors import BadInput, quote, quote_with_type
from cardroom.games.card_places import Place, to_seat_number

_CODE: Final = attrgetter("code")


class IllegalAction(BadInput):
    """An action that the rules do not allow now; the sentence says what they allow."""


class Verb(TypeableEnum, StrEnum):
    """What a player can decide."""

    FOLD = "fold"
    PLAY = "play"
    RAISE = "raise"
    CHOOSE = "choose"  # cards for Five Card Fortune
    KEEP = "keep"  # two of four cards
    SPLIT = "split"  # two hands of two cards
    MATCH = "match"  # a second Shootout Bonus wager for the second hand
    FIRST_HAND = "first hand"  # the Shootout Bonus wager is on this hand
    SECOND_HAND = "second hand"
    SET = "set"  # high hand and low hand
    DOUBLE = "double"
    STAND = "stand"
    WAR = "war"
    SURRENDER = "surrender"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Decision:
    """A verb and the groups of cards that it names. The player chooses the order of the groups: the first group is the
    first hand, or the high hand. The order of the cards inside a group does not matter.

    >>> Decision("keep", ["As Kd"]) == Decision(Verb.KEEP, (parse_cards("Kd As"),))
    True
    >>> Decision("play"), Decision("split", ["9c 9h", "Kd As"])
    (Decision('play'), Decision('split', ['9h 9c', 'As Kd']))
    """

    verb: Verb
    groups: tuple[tuple[Card, ...], ...] = ()

    def __init__(self, verb: Verb | str, groups: Iterable[Cards] = ()) -> None:
        object.__setattr__(self, "verb", verb if type(verb) is Verb else _to_verb(verb))
        object.__setattr__(self, "groups", tuple([_sort_descending(group) for group in groups]) if groups else ())

    def __eq__(self, other: object) -> bool:
        # Written out for speed: a decision is looked for among the options.
        if not isinstance(other, Decision):
            return NotImplemented
        return self.verb is other.verb and self.groups == other.groups

    def __str__(self) -> str:
        if not self.groups:
            return str(self.verb)
        return f"{self.verb} {' | '.join([format_cards(group) for group in self.groups])}"

    def __repr__(self) -> str:
        groups = f", {[format_cards(group) for group in self.groups]}" if self.groups else ""
        return f"Decision('{self.verb}'{groups})"

    @property
    def with_reversed_groups(self) -> Decision:
        """The same decision with its groups in reverse order."""
        return Decision.from_sorted_groups(self.verb, self.groups[::-1])

    @classmethod
    def from_sorted_groups(cls, verb: Verb, groups: tuple[tuple[Card, ...], ...]) -> Decision:
        """A decision from groups that are sorted from the highest card down already."""
        decision = object.__new__(cls)
        object.__setattr__(decision, "verb", verb)
        object.__setattr__(decision, "groups", groups)
        return decision

    @classmethod
    def parse(cls, text: str) -> Decision:
        """Read a decision as ``str`` writes it."""
        if text in _CARDLESS_DECISIONS:
            return _CARDLESS_DECISIONS[text]
        for verb, prefix in _VERBS_BY_LENGTH:
            if text.startswith(prefix):
                rest = text[len(verb) :].strip()
                return cls(verb, tuple(parse_cards(group) for group in rest.split("|")) if rest else ())
        raise IllegalAction(f"{quote(text)} is not a decision: start with one of {', '.join(Verb)}.")


def as_decision(value: object) -> Decision:
    """A decision from a decision or its text."""
    if isinstance(value, Decision):
        return value
    if isinstance(value, str):
        return Decision.parse(value)
    raise IllegalAction(f"A decision is a Decision or its text, such as 'play'; {quote_with_type(value)} is neither.")


def _to_verb(value: object) -> Verb:
    for verb in Verb:
        if value == verb:
            return verb
    raise IllegalAction(f"A verb is a Verb or one of {', '.join(Verb)}, not {quote_with_type(value)}.")


def _sort_descending(group: Cards) -> tuple[Card, ...]:
    try:
        return tuple(sorted(group, key=_CODE, reverse=True))  # type: ignore[arg-type]  # names of cards have no code
    except (AttributeError, TypeError):
        return tuple(sorted(as_cards(group), key=_CODE, reverse=True))


_VERBS_BY_LENGTH: Final = tuple((verb, f"{verb} ") for verb in sorted(Verb, key=len, reverse=True))
_CARDLESS_DECISIONS: Final[Mapping[str, Decision]] = {str(verb): Decision(verb) for verb in Verb}


@cache
def options(*verbs: Verb) -> tuple[Decision, ...]:
    """Decisions without cards."""
    return tuple(Decision(verb) for verb in verbs)


def choices(verb: Verb, groupings: Iterable[tuple[tuple[Card, ...], ...]]) -> tuple[Decision, ...]:
    """One decision for each different grouping of cards, in the order given."""
    return tuple(dict.fromkeys(Decision(verb, groups) for groups in groupings))


class DealerStep(TypeableEnum, StrEnum):
    """What the dealer does besides dealing; the caller chooses which steps are automatic."""

    TABULATE = "tabulate"  # press the button that counts the jackpot wagers
    PAY_TREASURE = "pay treasure"  # Three Card Treasure's take or pay (sheet 000, rule 20)
    REVEAL = "reveal"  # turn over what is face down: the dealer's hand, the community hand


# The constructors are written out, because they accept text and every step of a round uses them.


@dataclass(frozen=True, slots=True, init=False)
class Deal:
    """This card goes to the place that is due.

    >>> Deal("As")
    Deal(card=Card('As'))
    """

    card: Card

    def __init__(self, card: CardLike) -> None:
        object.__setattr__(self, "card", card if type(card) is Card else as_card(card))


@dataclass(frozen=True, slots=True, init=False)
class Decide:
    """The seat whose turn it is decides.

    >>> from cardroom.games.actions import Verb
    >>> Decide(1, "play") == Decide(1, Decision(Verb.PLAY))
    True
    >>> Decide(1, 7)
    Traceback (most recent call last):
    ...
    cardroom.games.actions.IllegalAction: A decision is a Decision or its text, such as 'play'; 7 (int) is neither.
    """

    seat: int
    decision: Decision

    def __init__(self, seat: int, decision: Decision | str) -> None:
        object.__setattr__(self, "seat", seat if type(seat) is int else to_seat_number(seat))
        object.__setattr__(self, "decision", decision if type(decision) is Decision else as_decision(decision))


@dataclass(frozen=True, slots=True, init=False)
class TakeStep:
    """The dealer takes the step that is due.

    >>> TakeStep("reveal").step
    DealerStep.REVEAL
    """

    step: DealerStep

    def __init__(self, step: DealerStep | str) -> None:
        object.__setattr__(self, "step", step if type(step) is DealerStep else _to_step(step))


def _to_step(value: object) -> DealerStep:
    for step in DealerStep:
        if value == step:
            return step
    step_names = ", ".join(map(repr, map(str, DealerStep)))
    raise IllegalAction(f"A dealer's step is a DealerStep or one of {step_names}, not {quote_with_type(value)}.")


Action: TypeAlias = Deal | Decide | TakeStep


@dataclass(frozen=True, slots=True)
class ChanceTurn:
    """A card is due at this place."""

    place: Place
    following_places: tuple[Place, ...] = field(default=(), compare=False, repr=False)
    """Where the cards after it go, as far as that is certain for any cards; optional. A dealer deals them together."""


@dataclass(frozen=True, slots=True)
class SeatTurn:
    """A seat has to decide, and these are its options."""

    seat: int
    question: str
    options: tuple[Decision, ...]
    """Each way to play once."""
    unlisted_options: tuple[Decision, ...] = ()
    """Listed options with their hands in another order, where the player chooses which hand is first. They are legal
    too, and the round stores the player's order."""

    def allows(self, decision: Decision) -> bool:
        """Whether the seat may decide this."""
        return decision in self.options or decision in self.unlisted_options

    def option(self, verb: Verb) -> Decision:
        """The first option with this verb."""
        return next(option for option in self.options if option.verb is verb)


@dataclass(frozen=True, slots=True)
class DealerTurn:
    """The dealer's next step."""

    step: DealerStep


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """The round is over: only take or pay is left."""


def next_chance_turn(order: tuple[Place, ...], dealt_count: int) -> ChanceTurn | None:
    """The next card of a deal after so many cards; None if the deal is complete.

    >>> from cardroom.games.card_places import Pile
    >>> next_chance_turn((Place(Pile.HAND, 1), Place(Pile.HAND, 2), Place(Pile.HAND)), 1)
    ChanceTurn(place=Place(pile=Pile.HAND, seat=2))
    """
    return ChanceTurn(order[dealt_count], order[dealt_count + 1 :]) if dealt_count < len(order) else None


Turn: TypeAlias = ChanceTurn | SeatTurn | DealerTurn | RoundEnd
"""What comes next in a round: a card, a decision, a step of the dealer, or the end."""
