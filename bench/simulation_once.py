"""One simulation in its own process, to measure its memory: ``python -m bench.simulation_once GAME ROUNDS``."""

from __future__ import annotations

import json
import sys

from bench.measure import peak_megabytes
from cardroom.games import default_setup, game
from cardroom.odds.simulation.runner import simulate, simulator


def main(slug: str, rounds: int) -> None:
    prepared = simulator(slug).prepare(game(slug).open(default_setup(slug)))
    done = simulate(prepared, rounds, seed=1, workers=2).rounds
    print(json.dumps({"rounds": done, "megabytes": peak_megabytes()}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
