"""Thousands of parallel rounds of one game, as a Gymnasium ``VectorEnv``."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Final

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from cardroom.games import TableSetup, game_slugs
from cardroom.games.registry import built_in_folder
from cardroom.odds.simulation.batch import Masks, Observations, RoundBatch, batch_class
from cardroom.odds.simulation.batch_deals import IntArray
from cardroom_research.registry import BadEnvironment, check_bets, check_seed, open_table
from cardroom_research.round_arrays import RoundRows, action_space, new_arrays, observation_space

MIN_ROWS_PER_THREAD: Final = 512
"""The least number of rows per thread."""
RESET_MASK: Final = "reset_mask"

VectorStep = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class RoundVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """An episode is a round of one seat, always with the same wagers. The reward is the seat's net result in whole
    cents: 0 during the round, and the settlement by the rules at the end.

    Row ``i`` of an environment with seed ``s`` plays the rounds 0, 1, 2 ... of the seed ``s + i``, for any number of
    rows and threads. A round without a decision has one step, in which it goes on; with ``asked_only`` such rounds are
    skipped, and ``info`` has their number and their net results.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: str = "three-card-prime",
        num_envs: int = 1,
        *,
        setup: TableSetup | None = None,
        bets: Mapping[str, int] | None = None,
        meters: Mapping[str, int] | None = None,
        asked_only: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        workers: int | None = None,
    ) -> None:
        if num_envs < 1:
            raise BadEnvironment(f"{num_envs} rounds cannot be played in parallel: use at least one.")
        self.num_envs = num_envs
        self.batch: RoundBatch = _batch(game, setup, bets, meters)
        self.actions: tuple[str, ...] = tuple(map(str, self.batch.actions))
        """The decision of each action; cards are places in the hand."""
        self.questions: tuple[str, ...] = ("", *self.batch.questions)
        """The meaning of each number in ``question``."""
        self.places: tuple[str, ...] = tuple(map(str, self.batch.card_places))
        """The place of each of the ``cards``."""
        if asked_only and not self.batch.deal_plan.has_decision.any():
            raise BadEnvironment("These wagers need no decision: leave out asked_only.")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observation_space(self.batch)
        self.single_action_space = action_space(self.batch)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._arrays = new_arrays(self.batch, num_envs)
        # The wagers are always the same, so one read-only array serves every observation.
        self._wagers = np.broadcast_to(self.batch.wagered_cents, (num_envs, len(self.batch.wagered_cents)))
        self._begun = False
        self._asked_only = asked_only
        self._shares = self._split_rows(workers)
        self._pool = ThreadPoolExecutor(len(self._shares)) if len(self._shares) > 1 else None

    def _split_rows(self, workers: int | None) -> list[tuple[int, RoundRows]]:
        """The rows in equal parts, one per thread, each with the number of its first row."""
        if workers is not None and workers < 1:
            raise BadEnvironment(f"{workers} threads cannot run an environment: use at least one.")
        width = min(workers or os.cpu_count() or 1, max(1, self.num_envs // MIN_ROWS_PER_THREAD))
        bounds = [self.num_envs * index // width for index in range(width + 1)]
        return [
            (start, RoundRows(self.batch, self._arrays.slice_rows(start, end), self._asked_only))
            for start, end in pairwise(bounds)
        ]

    # Gymnasium's interface

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin a round in every row, or in those of ``options["reset_mask"]``: the first round of a seed, or the next
        round in a row without a new seed."""
        reset_mask = self._rows_to_reset(options)
        seeds = self._seeds(seed)
        a = self._arrays
        for row in np.flatnonzero(reset_mask).tolist():
            row_seed = seeds[row]
            if row_seed is not None:
                a.seeds[row], a.turns[row] = row_seed, 0
        self._begun = True

        def play(start: int, seats: RoundRows) -> None:
            seats.begin(np.flatnonzero(reset_mask[start : start + len(seats.arrays.done)]))
            seats.update_observations()

        self._run_on_threads(play)
        a.rewards[reset_mask] = 0
        return self._observations(), self._info()

    def step(self, actions: NDArray[np.int64]) -> VectorStep:
        """Take an action in every row. If a mask does not allow its action, the call raises an error and changes
        nothing."""
        choices = self._check_actions(actions)
        a = self._arrays
        waiting = a.done.copy()
        final: list[tuple[IntArray, Observations]] = []

        def play(start: int, seats: RoundRows) -> None:
            waiting_rows = waiting[start : start + len(seats.arrays.done)]
            ended_rows = seats.answer(np.flatnonzero(~waiting_rows), choices[start : start + len(waiting_rows)])
            if self.autoreset_mode is AutoresetMode.NEXT_STEP:
                begins = np.flatnonzero(waiting_rows)
                seats.arrays.rewards[begins] = 0
                seats.begin(begins)
            elif self.autoreset_mode is AutoresetMode.SAME_STEP and len(ended_rows):
                final.append((ended_rows + start, seats.observations(ended_rows)))
                seats.begin(ended_rows)
            seats.update_observations()

        rounds = a.turns.copy()
        self._run_on_threads(play)
        ended = a.done & ~waiting
        info = self._info()
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            ended = np.zeros(self.num_envs, np.bool_)
            info |= self._final_info(final, rounds, ended)
        return self._observations(), a.rewards.astype(np.float64), ended, np.zeros(self.num_envs, np.bool_), info

    def action_masks(self) -> Masks:
        """The actions that each row may take now."""
        return self._arrays.masks.copy()

    def close_extras(self, **_: Any) -> None:
        """Stop the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    # Observations

    def _observations(self) -> Observations:
        a = self._arrays
        return {
            "cards": a.visible_cards.copy(),
            "question": a.questions.copy(),
            "answers": a.answers.copy(),
            "wagers": self._wagers,
        }

    def _info(self) -> dict[str, Any]:
        a = self._arrays
        info: dict[str, NDArray[Any]] = {
            "action_mask": a.masks.copy(),
            "cents": a.rewards.copy(),
            "round": (a.turns - np.uint64(1)).astype(np.int64),
        }
        if self._asked_only:
            info |= {"skipped_rounds": a.skipped_rounds.copy(), "skipped_cents": a.skipped_cents.copy()}
        everywhere = {f"_{key}": np.ones(self.num_envs, np.bool_) for key in info}
        return {**info, **everywhere}

    def _final_info(
        self, final: list[tuple[IntArray, Observations]], rounds: NDArray[np.uint64], ended_rows: NDArray[np.bool_]
    ) -> dict[str, Any]:
        """The last observations of rounds that the next ones have replaced, and a mask of these rows."""
        last = np.full(self.num_envs, None, object)
        for rows, observations in final:
            ended_rows[rows] = True
            for index, row in enumerate(rows.tolist()):
                last[row] = {key: values[index] for key, values in observations.items()}
        infos = {"round": (rounds - np.uint64(1)).astype(np.int64), "_round": ended_rows.copy()}
        return {
            "final_obs": last,
            "_final_obs": ended_rows.copy(),
            "final_info": infos,
            "_final_info": ended_rows.copy(),
        }

    # Checks

    def _check_actions(self, actions: NDArray[np.int64]) -> IntArray:
        a, choices = self._arrays, np.asarray(actions)
        if not self._begun:
            raise BadEnvironment("No round has begun: call reset() first.")
        if choices.shape != (self.num_envs,) or choices.dtype.kind not in "iu":
            raise BadEnvironment(f"Actions are {self.num_envs} whole numbers, one a row, in an array.")
        if self.autoreset_mode is AutoresetMode.DISABLED and a.done.any():
            rows = np.flatnonzero(a.done)[:5].tolist()
            raise BadEnvironment(
                f"The rounds of rows {rows} have ended: reset them with options={{'reset_mask': ...}}."
            )
        inside = (choices >= 0) & (choices < len(self.actions))
        allowed = a.masks[np.arange(self.num_envs), np.where(inside, choices, 0)] & inside
        if not (allowed | a.done).all():
            row = int(np.flatnonzero(~(allowed | a.done))[0])
            choice_text = " or ".join(
                f"{action} ({self.actions[action]})" for action in np.flatnonzero(a.masks[row]).tolist()
            )
            raise BadEnvironment(f"Action {choices[row]} is not allowed in row {row}: choose {choice_text}.")
        checked_actions: IntArray = np.where(inside, choices, 0).astype(np.int64)
        return checked_actions

    def _rows_to_reset(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        remaining = dict(options or {})
        mask = remaining.pop(RESET_MASK, None)
        if remaining:
            raise BadEnvironment(f"reset() has no option {next(iter(remaining))!r}: it takes {RESET_MASK!r}.")
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise BadEnvironment(f"{RESET_MASK!r} must be an array of {self.num_envs} booleans.")
        if not self._begun:
            raise BadEnvironment(f"No round has begun: call reset() without {RESET_MASK!r} first.")
        return mask

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """The seed of each row; None keeps the current seed, except at the first reset."""
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**62))
        if seed is None or isinstance(seed, int | np.integer):
            super().reset(seed=None if seed is None else check_seed(int(seed)))
            return [None if seed is None else (int(seed) + row) % 2**64 for row in range(self.num_envs)]
        seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise BadEnvironment(
                f"{len(seeds)} seeds do not fit {self.num_envs} rows: give one seed per row, or one number."
            )
        if not self._begun and None in seeds:
            raise BadEnvironment("At the first reset every row needs a seed: give one per row, or one number.")
        return [None if value is None else check_seed(value) for value in seeds]

    def _run_on_threads(self, play: Callable[[int, RoundRows], None]) -> None:
        if self._pool is None:
            for start, seats in self._shares:
                play(start, seats)
            return
        for future in [self._pool.submit(play, start, seats) for start, seats in self._shares]:
            future.result()


def _batch(
    slug: str, setup: TableSetup | None, bets: Mapping[str, int] | None, meters: Mapping[str, int] | None
) -> RoundBatch:
    table = open_table(slug, setup)
    kind = batch_class(slug)
    if kind is None:
        built_in = ", ".join(filter(built_in_folder, game_slugs()))
        raise BadEnvironment(
            f"{table.facts.name} provides only its rules, which play one round at a time: use RoundEnv, or "
            f"gymnasium.vector.SyncVectorEnv around it. RoundVectorEnv plays {built_in}."
        )
    return kind(table, check_bets(table, bets), meters)
