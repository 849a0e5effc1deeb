"""What the simulated tables of the single-deck games share: kernels that tell of each round how each wager ended."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cardroom.odds.rounds.deals import LANES
from cardroom.odds.rounds.simulation import Counts, Places, Prepared


class PreparedWagers(Prepared):
    """A table whose kernel has a number for each wager that the game knows, offered or not."""

    numbered: ClassVar[tuple[str, ...]]
    """The wagers as the kernel numbers them."""

    @abstractmethod
    def play(self, seed: np.uint64, block: int, rounds: int, counts: Counts, listed: Places, starts: Counts) -> None:
        """Play the rounds of a block and note how the wagers end, as ``simulated_deals.note`` does."""

    def run_block(self, seed: int, block: int, rounds: int) -> Counts:
        counts: Counts = self._noted(seed, block, rounds, listed=0)[0].sum(axis=0)
        return counts

    def each_round(self, seed: int, block: int, rounds: int) -> Places:
        return self._noted(seed, block, rounds, listed=rounds)[1]

    def _noted(self, seed: int, block: int, rounds: int, listed: int) -> tuple[Counts, Places]:
        starts = np.array(self.starts, np.int64)
        counts, places = np.zeros((LANES, starts[-1]), np.int64), np.empty((listed, len(self.wagers)), np.int16)
        self.play(np.uint64(seed), block, rounds, counts, places, starts)
        return counts, places

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        """For each numbered wager its place among those that are offered, or -1."""
        slugs = [one.slug for one in self.wagers]
        return np.array([slugs.index(slug) if slug in slugs else -1 for slug in self.numbered], np.int64)
