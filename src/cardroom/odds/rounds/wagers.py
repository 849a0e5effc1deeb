"""What the simulated tables of the single-deck games share: kernels that tell of each round how each wager ended."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, Deck, of_code
from cardroom.odds.rounds.deals import LANES, ROUNDS, Block, Counts, Places, deal
from cardroom.odds.rounds.simulation import Prepared


class PreparedWagers(Prepared):
    """A table whose kernel has a number for each wager that the game knows, offered or not."""

    deck: ClassVar[Deck]
    numbered: ClassVar[tuple[str, ...]]
    """The wagers as the kernel numbers them."""

    @abstractmethod
    def play(self, block: Block) -> None:
        """Play the rounds of a block and note how the wagers end."""

    def run_block(self, seed: int, block: int, rounds: int) -> Counts:
        counts: Counts = self._noted(seed, block, rounds, listed=0).counts.sum(axis=0)
        return counts

    def each_round(self, seed: int, block: int, rounds: int) -> Places:
        return self._noted(seed, block, rounds, listed=rounds).listed

    def _noted(self, seed: int, number: int, rounds: int, listed: int) -> Block:
        starts = np.array(self.starts, np.int64)
        counts, places = np.zeros((LANES, starts[-1]), np.int64), np.empty((listed, len(self.wagers)), np.int16)
        block = Block(np.uint64(seed), number, rounds, self.columns, starts, counts, places)
        self.play(block)
        return block

    def dealt(self, cards: int, seed: int, block: int, turn: int) -> list[Card]:
        """The first cards of one round."""
        rows = np.empty((cards, ROUNDS), np.uint8)
        deal(rows, self.deck.size, np.uint64(seed), block, turn // ROUNDS)
        return [of_code(code) for code in rows[:, turn % ROUNDS].tolist()]

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        """For each numbered wager its place among those that are offered, or -1."""
        slugs = [one.slug for one in self.wagers]
        return np.array([slugs.index(slug) if slug in slugs else -1 for slug in self.numbered], np.int64)
