"""One measurement of the odds in its own process: ``python -m bench.odds_once GAME [WAGER]``."""

from __future__ import annotations

import json
import random
import sys
import time
from statistics import median

from bench.measure import MILLION, Clock, count_to, peak_megabytes
from cardroom.cards import ChaCha20Source, shuffle_shoe
from cardroom.games import Decide, SeatTurn, advance, default_setup, game, game_slugs, view
from cardroom.odds import PriceQuery, advise, compute_odds, find_requests, pricer

ROUNDS = 60


def price(slug: str | None, wager: str | None) -> dict[str, float]:
    """Price every table under every option."""
    for game_slug in game_slugs():
        pricer(game_slug)
    before = peak_megabytes()
    requests = find_requests(PriceQuery(slug, wager, all_settings=True))
    loop = _loop(time.process_time)
    start, working = time.perf_counter(), time.process_time()
    for request in requests:
        compute_odds(request, use_cache=False)
    seconds, worked = time.perf_counter() - start, time.process_time() - working
    loop = (loop + _loop(time.process_time)) / 2
    return {
        "seconds": seconds,
        "loops": worked / loop,
        "megabytes_before": before,
        "megabytes": peak_megabytes(),
    }


def _loop(clock: Clock) -> float:
    """Seconds for the plain loop: the median of five runs."""
    times = []
    for _ in range(5):
        start = clock()
        count_to(MILLION)
        times.append(clock() - start)
    return median(times)


def advice() -> dict[str, float]:
    """The 95th percentile of the time for advice over every decision of random rounds at a full table."""
    milliseconds = {slug: _slowest(slug) for slug in game_slugs()}
    return milliseconds | {"loop": _loop(time.perf_counter) * 1e3}


def _slowest(slug: str) -> float:
    rules, dice = game(slug), random.Random(1)
    table = rules.open(default_setup(slug))
    times = []
    for number in range(ROUNDS):
        spots = {}
        for offered in list(table.offers.values())[: table.spots_per_player]:
            spots[next(name for name, spot_offer in table.spots.items() if spot_offer is offered)] = (
                offered.limits.minimum
            )
        round_ = rules.begin(table, dict.fromkeys(range(1, 4), spots))
        shoe = shuffle_shoe(table.deck, ChaCha20Source.from_seed(number))
        while not round_.is_terminal:
            round_, shoe = advance(round_, shoe)
            if isinstance(round_.turn, SeatTurn):
                seen = view(round_, round_.turn.seat)
                start = time.perf_counter()
                advise(table, seen)
                times.append(time.perf_counter() - start)
                round_ = round_.apply(Decide(round_.turn.seat, dice.choice(round_.turn.options)))
    after_the_first = sorted(times[1:])
    return after_the_first[int(len(after_the_first) * 0.95)] * 1e3


if __name__ == "__main__":
    what, *more = sys.argv[1:]
    if what == "advice":
        print(json.dumps(advice()))
    else:
        print(json.dumps(price(None if what == "everything" else what, more[0] if more else None)))
