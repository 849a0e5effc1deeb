"""Three Card Prime, many rounds at once."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np

from cardroom.games import Pile, Place, Verb
from cardroom.games.places import BURN, DEALER_HAND
from cardroom.games.three_card_prime.rules import PLAY_QUESTION
from cardroom.hands import FIVE_CARD, FOUR_CARD, THREE_CARD
from cardroom.hands.tables import tables
from cardroom.odds.rounds.batch import Action, Answers, Batch, Kinds, LinesOf, Part
from cardroom.odds.rounds.deals import Places
from cardroom.odds.rounds.drawn import Bytes
from cardroom.odds.three_card_prime.kernels import PrimeTables, judge_prime
from cardroom.odds.three_card_prime.play import DealerHands
from cardroom.odds.three_card_prime.results import MAIN
from cardroom.odds.three_card_prime.simulator import PreparedPrime, kinds_of, prime_tables

_AGAINST: Final = len(DealerHands._fields)


class PrimeBatch(Batch):
    """Three Card Prime."""

    hand = 3
    rows = (*[Place(Pile.HAND, 1)] * 3, Place(Pile.FOURTH, 1), *[DEALER_HAND] * 3, BURN)
    questions = (PLAY_QUESTION,)
    every_action = (Action(Verb.FOLD), Action(Verb.PLAY))

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        hands = 1 + _AGAINST * len(THREE_CARD.order)
        return tuple(Part((slug,), hands if slug == MAIN else self._lines[slug].count) for slug in self.wagers)

    @cached_property
    def _lines(self) -> dict[str, LinesOf]:
        return {slug: LinesOf(self.table.offered[slug].paytable) for slug in self.wagers if slug != MAIN}

    @cached_property
    def _tables(self) -> PrimeTables:
        return prime_tables(_hands(), self._lines)

    @cached_property
    def _columns(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        made = list(self.wagers)
        return np.array([made.index(slug) if slug in made else -1 for slug in PreparedPrime.numbered], np.int64)

    def kinds(self, cards: Bytes, answers: Answers) -> Kinds:
        found = np.empty((len(self.parts), len(cards)), np.int32)
        played = answers[:, 0] == self.actions.index(Action(Verb.PLAY))
        judge_prime(cards, played, self._columns, self._tables, tables(FOUR_CARD), tables(FIVE_CARD), found)
        return found


def _hands() -> Places:
    """By the strength of a hand that is played, 0 for one that is folded, and by the dealer's: a kind each, where hands
    of one category are the same."""
    kinds = kinds_of(THREE_CARD).astype(np.int16)[:, None] * _AGAINST + 1 + np.arange(_AGAINST, dtype=np.int16)
    kinds[0] = 0
    found: Places = kinds.astype(np.int16)
    return found


BATCH: Final = PrimeBatch
