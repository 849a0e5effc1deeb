"""A kernel is declared for nothing and compiled when it is called; a rule about one hand runs as it stands."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np

from cardroom.games.dueling_for_dollars import bonuses
from cardroom.games.dueling_for_dollars.bonuses import combo
from cardroom.hands.strength import suited_strength
from cardroom.kernels import LazyKernel, kernel, prange, rule


@rule
def twice(number: int) -> int:
    """A number and the same again."""
    return 2 * number


@kernel
def added(numbers: np.ndarray) -> int:  # type: ignore[type-arg]
    total = 0
    for at in prange(len(numbers)):
        total += twice(numbers[at])
    return total


def test_a_kernel_calls_what_was_declared_and_so_does_python() -> None:
    assert isinstance(twice, LazyKernel)
    assert twice.__doc__ == "A number and the same again."
    assert twice(21) == 42
    assert added(np.arange(4)) == 12


def test_a_declared_function_travels_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(combo)) is bonuses.combo
    assert pickle.loads(pickle.dumps(suited_strength)) is not None


HEAVY = ("numba", "sqlalchemy", "altair", "dask", "fastapi", "typst")
LOADED = "import sys; {}; print(*sorted(set({}) & set(sys.modules)))"


def loaded_by(statement: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(statement, HEAVY)], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()[-1]


def test_all_of_the_core_can_be_imported_without_the_compiler() -> None:
    assert loaded_by("import cardroom.hands, cardroom.games, cardroom.odds, cardroom.odds.simulation") == ""
    assert (
        loaded_by("import cardroom.hands.strength as s; s.suited_strength.compiled") == "numba"
    )  # what it would look like
