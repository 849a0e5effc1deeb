"""Texas Shootout, many rounds at once. Bonus features, which are prizes beside the wagers, are not played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card
from cardroom.games import Decision, Pile, Place, Table, Verb
from cardroom.games.places import COMMUNITY, DEALER_HAND
from cardroom.games.texas_shootout.features import qualified
from cardroom.games.texas_shootout.house_way import CHOICES
from cardroom.games.texas_shootout.rules import BONUS_QUESTION, HAND_QUESTION, listed_split
from cardroom.kernels import kernel
from cardroom.odds.rounds.batch import Action, Answers, BadBatch, Batch, Kinds, LinesOf, Masks, Part
from cardroom.odds.rounds.by_the_rules import Bets
from cardroom.odds.rounds.drawn import Bytes, Numbers
from cardroom.odds.texas_shootout.hands import HANDS, KEEPS, SPLITS
from cardroom.odds.texas_shootout.kernels import PLACEMENTS, WAYS, judge_shootout, seat_tables
from cardroom.odds.texas_shootout.results import QUICK_DRAW
from cardroom.odds.texas_shootout.sides import FIRST_HAND, MATCH, SECOND_HAND
from cardroom.odds.texas_shootout.simulator import quick_draw_places

_HAND: Final = 4
_PAIRS: Final = tuple(combinations(range(_HAND), 2))
"""In such an order that the first and the last have all four cards, and so on inwards."""
_KEEP: Final = tuple(Action(Verb.KEEP, (pair,)) for pair in _PAIRS)
_SPLIT: Final = tuple(Action(Verb.SPLIT, (_PAIRS[at], _PAIRS[-1 - at])) for at in range(SPLITS))
_PLACE: Final = {Verb.MATCH: MATCH, Verb.FIRST_HAND: FIRST_HAND, Verb.SECOND_HAND: SECOND_HAND}


class ShootoutBatch(Batch):
    """Texas Shootout."""

    hand = _HAND
    rows = (*[Place(Pile.HAND, 1)] * _HAND, *[DEALER_HAND] * 4, *[COMMUNITY] * 5)
    questions = (HAND_QUESTION, BONUS_QUESTION)
    every_action = (*_KEEP, *_SPLIT, *map(Action, _PLACE))

    def __init__(self, table: Table, bets: Bets, meters: Mapping[str, int] | None = None) -> None:
        super().__init__(table, bets, meters)
        for spot, cents in bets.items():
            if qualified(table.spots[spot], cents):
                raise BadBatch(
                    f"The wager on {spot} qualifies for a bonus feature, and features are not played many rounds at a "
                    "time: wager less there, or leave the feature out of the table's set-up."
                )

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        beside = tuple(slug for slug in self.wagers if slug != QUICK_DRAW)
        if self._lines is None:
            return (Part(beside, WAYS),)
        return Part(beside, WAYS), Part((QUICK_DRAW,), self._lines.count)

    @cached_property
    def _lines(self) -> LinesOf | None:
        return LinesOf(self.table.offered[QUICK_DRAW].paytable) if QUICK_DRAW in self.wagers else None

    @cached_property
    def _quick(self) -> NDArray[np.uint8]:
        return np.zeros(HANDS, np.uint8) if self._lines is None else quick_draw_places(self._lines)

    @cached_property
    def _choices(self) -> NDArray[np.uint8]:
        """By action: the choice as the kernels number it, the cards from the lowest up."""
        found = np.zeros(len(self.actions), np.uint8)
        for at, action in enumerate(self.actions):
            if action.verb in (Verb.KEEP, Verb.SPLIT):
                pair = tuple(sorted(_HAND - 1 - place for place in action.groups[0]))
                keep = CHOICES.index((pair[0], pair[1]))
                found[at] = keep if action.verb is Verb.KEEP else KEEPS + min(keep, KEEPS - 1 - keep)
        return found

    @cached_property
    def _placements(self) -> NDArray[np.uint8]:
        """By action; last, where there was nothing to place."""
        by_verb = [_PLACE.get(action.verb, MATCH) if action.verb else MATCH for action in self.actions]
        return np.array([*by_verb, MATCH], np.uint8)

    def kinds(self, cards: Bytes, answers: Answers) -> Kinds:
        choices, placed = self._choices[answers[:, 0]], self._placements[answers[:, 1]]
        play, found = np.empty(len(cards), np.uint8), np.empty((2, len(cards)), np.int32)
        _plays(cards, choices, placed, play)
        judge_shootout(cards, play, self._quick, seat_tables(), found[1], found[0])
        return found[: len(self.parts)]

    def narrow(self, cards: Bytes, masks: Masks) -> None:
        """From six decks some cards are the same to the eye, and what is done with them is one way."""
        _narrow(cards, _SAME_PAIRS, masks)

    def listed(self, decision: Decision, hand: Sequence[Card]) -> Decision:  # noqa: ARG002
        """The higher hand of a split first."""
        return listed_split(*decision.groups) if decision.verb is Verb.SPLIT else decision

    def turned(self, action: int) -> int:
        """Who named the hands of a split the other way round calls the second one the first."""
        first, second = (self._numbers[Action(verb)] for verb in (Verb.FIRST_HAND, Verb.SECOND_HAND))
        return {first: second, second: first}.get(action, action)


_SAME_PAIRS: Final = np.array(_PAIRS, np.int64)


@kernel
def _plays(cards: Bytes, choices: Bytes, placed: Bytes, play: Bytes) -> None:
    """The choice and where the Shootout Bonus is placed, as the kernels number them. They call the hand with the lowest
    card the first one, the rules the higher hand."""
    for at in range(len(cards)):
        choice, where = choices[at], placed[at]
        if choice >= KEEPS:
            # The lowest card lies last; with it stands the one that the choice names.
            other = 2 - (choice - KEEPS)
            one, two = (1, 2) if other == 0 else (0, 2) if other == 1 else (0, 1)
            low = cards[at, other], cards[at, 3]
            high = cards[at, one], cards[at, two]
            if where != MATCH and low < high:
                where = FIRST_HAND + SECOND_HAND - where
            choice = KEEPS + PLACEMENTS * (choice - KEEPS) + where
        play[at] = choice


@kernel
def _narrow(cards: Bytes, pairs: Numbers, masks: Masks) -> None:
    """Of ways that are the same to the eye the first one stays."""
    for at in range(len(cards)):
        a, b, c, d = cards[at, 0], cards[at, 1], cards[at, 2], cards[at, 3]
        if a != b and b != c and c != d:
            continue
        for way in range(1, len(pairs)):
            for before in range(way):
                same = cards[at, pairs[way, 0]] == cards[at, pairs[before, 0]]
                if same and cards[at, pairs[way, 1]] == cards[at, pairs[before, 1]]:
                    masks[at, way] = False
        # With the highest card stands the second, the third or the last.
        masks[at, KEEPS + 1] &= b != c
        masks[at, KEEPS + 2] &= a != b and c != d


BATCH: Final = ShootoutBatch
