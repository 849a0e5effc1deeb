"""The best play of Texas Shootout, worked out once: the choices, how rounds end with them, the boards they meet.

The strategy for people plays beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cardroom.odds.pricer import Progress, SimpleStrategy, silent
from cardroom.odds.texas_shootout.choice import FIRST_LAP, MOST_ROUNDS, Race, run_race
from cardroom.odds.texas_shootout.contest import (
    PRICE_ROUNDS,
    SIMPLE_ROUNDS,
    SIMPLE_STREAM,
    end_net,
    mean_and_error,
    play,
)
from cardroom.odds.texas_shootout.hands import hand_classes
from cardroom.odds.texas_shootout.race import ENDS
from cardroom.odds.texas_shootout.results import TIES
from cardroom.odds.texas_shootout.sides import SideCounts, counts_for
from cardroom.odds.texas_shootout.strategy import POINTS, choices_by_points, rules_for


@dataclass
class BestPlay:
    """What is worked out is kept as long as this object; the number of rounds says how well it is known."""

    first_lap: int = FIRST_LAP
    most_rounds: int = MOST_ROUNDS
    price_rounds: int = PRICE_ROUNDS
    simple_rounds: int = SIMPLE_ROUNDS
    _race: Race | None = field(default=None, repr=False)
    _ends: NDArray[np.int64] | None = field(default=None, repr=False)
    _boards: dict[str, SideCounts] = field(default_factory=dict, repr=False)
    _both: dict[str, NDArray[np.int64]] = field(default_factory=dict, repr=False)

    def race(self, progress: Progress = silent) -> Race:
        """The best choice for every hand."""
        if self._race is None:
            self._race = run_race(progress, first_lap=self.first_lap, most=self.most_rounds)
        return self._race

    def choices(self, ties: str, progress: Progress = silent) -> NDArray[np.uint8]:
        """The best choice for every class of hands."""
        return self.race(progress).choices(ties)

    def ends(self, ties: str, progress: Progress = silent) -> NDArray[np.int64]:
        """How many simulated rounds end how. Both rules for ties are played on the same cards."""
        if self._ends is None:
            choices = np.stack([hand_classes().by_hand(self.choices(one, progress)) for one in TIES])
            self._ends = play(choices, self.price_rounds, progress)
        ends: NDArray[np.int64] = self._ends.sum(axis=1 - TIES.index(ties))
        return ends

    def boards(self, progress: Progress = silent, ties: str = TIES[0]) -> SideCounts:
        """Every board for every class of hands as the main game sets it."""
        if ties not in self._boards:
            self._boards[ties] = counts_for(hand_classes(), self.choices(ties, progress), progress)
        return self._boards[ties]

    def simple_choices(self) -> NDArray[np.uint8]:
        """What the points say for every class of hands, whatever ties do."""
        return choices_by_points(hand_classes().hands, POINTS)

    def simple_ends(self, ties: str, progress: Progress = silent) -> NDArray[np.int64]:
        """How many simulated rounds end how when points are counted."""
        ends: NDArray[np.int64] = self._side_by_side(ties, progress).sum(axis=0)
        return ends

    def _side_by_side(self, ties: str, progress: Progress) -> NDArray[np.int64]:
        """How many simulated rounds end how with the best play and how by the points, on the same cards."""
        if ties not in self._both:
            by_class = self.choices(ties, progress), self.simple_choices()
            choices = np.stack([hand_classes().by_hand(one) for one in by_class])
            self._both[ties] = play(choices, self.simple_rounds, progress, stream=SIMPLE_STREAM)
        return self._both[ties]

    def simple_strategy(self, ties: str, progress: Progress = silent) -> SimpleStrategy:
        """The points to count, and what they cost: both strategies play the same cards."""
        both = self._side_by_side(ties, progress)
        nets = np.array([end_net(end, ties) for end in range(ENDS)])
        cost, error = mean_and_error(nets[:, None] - nets[None, :], both)
        best_return, _ = mean_and_error(nets, self.ends(ties, progress))
        return SimpleStrategy(
            rules=tuple(rules_for(POINTS)),
            expected_return=best_return - cost,
            best_return=best_return,
            simulated_rounds=int(both.sum()),
            standard_error=error,
        )
