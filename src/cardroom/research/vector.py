"""Thousands of rounds of one game side by side, as a Gymnasium ``VectorEnv``."""

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
from cardroom.games.book import house_folder
from cardroom.odds.rounds.batch import Batch, Masks, Observations, batch_of
from cardroom.odds.rounds.drawn import Numbers
from cardroom.research.seats import Seats, new_arrays
from cardroom.research.spaces import action_space, observation_space
from cardroom.research.tables import BadEnvironment, bets_of, seed_below_two_to_64, table_of

FEWEST_A_THREAD: Final = 512
"""Rows that are worth a thread of their own."""
RESET_MASK: Final = "reset_mask"

Step = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class RoundVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """An episode is a round of one seat, always with the same wagers. The reward is what the seat won or lost, in whole
    cents: nothing on the way, and at the end what the rules settle.

    Row ``i`` of an environment with seed ``s`` plays the rounds 0, 1, 2 ... of the seed ``s + i``, however many rows
    there are and on however many threads. A round that asks its seat nothing has one step, in which it goes on; with
    ``asked_only`` such rounds are played through, and ``info`` tells how many they were and what they won.
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
            raise BadEnvironment(f"{num_envs} rounds cannot be played side by side: ask for one or more.")
        self.num_envs = num_envs
        self.batch: Batch = _batch(game, setup, bets, meters)
        self.actions: tuple[str, ...] = tuple(map(str, self.batch.actions))
        """What each action says; cards are told by their places in the hand."""
        self.questions: tuple[str, ...] = ("", *self.batch.questions)
        """What each number in ``question`` stands for."""
        self.places: tuple[str, ...] = tuple(map(str, self.batch.rows))
        """Where each of the ``cards`` goes."""
        if asked_only and not self.batch.dealing.asks.any():
            raise BadEnvironment("These wagers ask their seat nothing: leave out asked_only.")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observation_space(self.batch)
        self.single_action_space = action_space(self.batch)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._arrays = new_arrays(self.batch, num_envs)
        # They are always the same, so one array that nobody can write on serves every observation.
        self._wagers = np.broadcast_to(self.batch.wagered, (num_envs, len(self.batch.wagered)))
        self._begun = False
        self._asked_only = asked_only
        self._shares = self._shared_out(workers)
        self._pool = ThreadPoolExecutor(len(self._shares)) if len(self._shares) > 1 else None

    def _shared_out(self, workers: int | None) -> list[tuple[int, Seats]]:
        """The rows as equal parts, one a thread, each with the number of its first row."""
        if workers is not None and workers < 1:
            raise BadEnvironment(f"{workers} threads cannot play: use at least one.")
        width = min(workers or os.cpu_count() or 1, max(1, self.num_envs // FEWEST_A_THREAD))
        ends = [self.num_envs * at // width for at in range(width + 1)]
        return [
            (start, Seats(self.batch, self._arrays.part(start, end), self._asked_only)) for start, end in pairwise(ends)
        ]

    # Gymnasium's calls

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin a round in every row, or in those of ``options["reset_mask"]``. With a seed the rounds begin anew; a
        row without one goes on with its next round."""
        which = self._rows_to_reset(options)
        seeds = self._seeds(seed)
        a = self._arrays
        for row in np.flatnonzero(which).tolist():
            given = seeds[row]
            if given is not None:
                a.seeds[row], a.turns[row] = given, 0
        self._begun = True

        def play(start: int, seats: Seats) -> None:
            seats.begin(np.flatnonzero(which[start : start + len(seats.arrays.done)]))
            seats.look()

        self._on_all_threads(play)
        a.rewards[which] = 0
        return self._observations(), self._info()

    def step(self, actions: NDArray[np.int64]) -> Step:
        """Answer in every row. An action that its mask does not allow is refused, and nothing has changed then."""
        chosen = self._checked(actions)
        a = self._arrays
        waiting = a.done.copy()
        final: list[tuple[Numbers, Observations]] = []

        def play(start: int, seats: Seats) -> None:
            here = waiting[start : start + len(seats.arrays.done)]
            over = seats.answer(np.flatnonzero(~here), chosen[start : start + len(here)])
            if self.autoreset_mode is AutoresetMode.NEXT_STEP:
                begins = np.flatnonzero(here)
                seats.arrays.rewards[begins] = 0
                seats.begin(begins)
            elif self.autoreset_mode is AutoresetMode.SAME_STEP and len(over):
                final.append((over + start, seats.observed(over)))
                seats.begin(over)
            seats.look()

        rounds = a.turns.copy()
        self._on_all_threads(play)
        ended = a.done & ~waiting
        info = self._info()
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            ended = np.zeros(self.num_envs, np.bool_)
            info |= self._final(final, rounds, ended)
        return self._observations(), a.rewards.astype(np.float64), ended, np.zeros(self.num_envs, np.bool_), info

    def action_masks(self) -> Masks:
        """Which actions each row may take now."""
        return self._arrays.masks.copy()

    def close_extras(self, **_: Any) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()

    # What is told

    def _observations(self) -> Observations:
        a = self._arrays
        return {
            "cards": a.seen.copy(),
            "question": a.asked.copy(),
            "answers": a.answers.copy(),
            "wagers": self._wagers,
        }

    def _info(self) -> dict[str, Any]:
        a = self._arrays
        told: dict[str, NDArray[Any]] = {
            "action_mask": a.masks.copy(),
            "cents": a.rewards.copy(),
            "round": (a.turns - np.uint64(1)).astype(np.int64),
        }
        if self._asked_only:
            told |= {"skipped_rounds": a.skipped_rounds.copy(), "skipped_cents": a.skipped_cents.copy()}
        everywhere = {f"_{key}": np.ones(self.num_envs, np.bool_) for key in told}
        return {**told, **everywhere}

    def _final(
        self, final: list[tuple[Numbers, Observations]], rounds: NDArray[np.uint64], ended: NDArray[np.bool_]
    ) -> dict[str, Any]:
        """The last observations of rounds in whose place the next ones have begun, and which those rounds were."""
        last = np.full(self.num_envs, None, object)
        for rows, seen in final:
            ended[rows] = True
            for at, row in enumerate(rows.tolist()):
                last[row] = {key: values[at] for key, values in seen.items()}
        infos = {"round": (rounds - np.uint64(1)).astype(np.int64), "_round": ended.copy()}
        return {"final_obs": last, "_final_obs": ended.copy(), "final_info": infos, "_final_info": ended.copy()}

    # What is refused

    def _checked(self, actions: NDArray[np.int64]) -> Numbers:
        a, chosen = self._arrays, np.asarray(actions)
        if not self._begun:
            raise BadEnvironment("No round has begun: call reset() first.")
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise BadEnvironment(f"Actions are {self.num_envs} whole numbers, one a row, in an array.")
        if self.autoreset_mode is AutoresetMode.DISABLED and a.done.any():
            rows = np.flatnonzero(a.done)[:5].tolist()
            raise BadEnvironment(f"The rounds of rows {rows} are over: reset them with options={{'reset_mask': ...}}.")
        inside = (chosen >= 0) & (chosen < len(self.actions))
        allowed = a.masks[np.arange(self.num_envs), np.where(inside, chosen, 0)] & inside
        if not (allowed | a.done).all():
            row = int(np.flatnonzero(~(allowed | a.done))[0])
            may = " or ".join(f"{at} ({self.actions[at]})" for at in np.flatnonzero(a.masks[row]).tolist())
            raise BadEnvironment(f"Action {chosen[row]} is not allowed in row {row}: it can take {may}.")
        found: Numbers = np.where(inside, chosen, 0).astype(np.int64)
        return found

    def _rows_to_reset(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        given = dict(options or {})
        which = given.pop(RESET_MASK, None)
        if given:
            raise BadEnvironment(f"There is no option {next(iter(given))!r}: reset() knows {RESET_MASK!r}.")
        if which is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(which, np.ndarray) or which.shape != (self.num_envs,) or which.dtype != np.bool_:
            raise BadEnvironment(f"{RESET_MASK!r} is an array of {self.num_envs} times True or False.")
        if not self._begun:
            raise BadEnvironment(f"No round has begun: call reset() without {RESET_MASK!r} first.")
        return which

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """By row; None leaves a row as it is, but the first time all have one."""
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**62))
        if seed is None or isinstance(seed, int | np.integer):
            super().reset(seed=None if seed is None else seed_below_two_to_64(int(seed)))
            return [None if seed is None else (int(seed) + row) % 2**64 for row in range(self.num_envs)]
        given = list(seed)
        if len(given) != self.num_envs:
            raise BadEnvironment(f"{len(given)} seeds for {self.num_envs} rows: give one for each, or a number.")
        if not self._begun and None in given:
            raise BadEnvironment("A row without a seed has no rounds to go on with: give every row one.")
        return [None if one is None else seed_below_two_to_64(one) for one in given]

    def _on_all_threads(self, play: Callable[[int, Seats], None]) -> None:
        if self._pool is None:
            for start, seats in self._shares:
                play(start, seats)
            return
        for done in [self._pool.submit(play, start, seats) for start, seats in self._shares]:
            done.result()


def _batch(
    slug: str, setup: TableSetup | None, bets: Mapping[str, int] | None, meters: Mapping[str, int] | None
) -> Batch:
    table = table_of(slug, setup)
    kind = batch_of(slug)
    if kind is None:
        house = ", ".join(filter(house_folder, game_slugs()))
        raise BadEnvironment(
            f"{table.facts.name} brings its rules alone, which play one round at a time: use RoundEnv, or "
            f"gymnasium.vector.SyncVectorEnv around it. Many at a time can be played of {house}."
        )
    return kind(table, bets_of(table, bets), meters)
