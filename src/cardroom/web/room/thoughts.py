"""What workers think about. Nothing is loaded here but what thinking needs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache

import orjson

from cardroom.games import Table, View, game
from cardroom.games.registry import find_package
from cardroom.games.setup import setup_from_json
from cardroom.kernels import cached_value
from cardroom.odds import Advice, advise
from cardroom.odds.pricer import Policy, pricer


def ready() -> bool:
    """What a worker is asked first: everything is loaded when it answers."""
    return True


def advice_for(setup: str, seen: View, meters: Mapping[str, int]) -> tuple[Advice, ...]:
    """What the coach says to a seat, from what the seat may see."""
    return advise(table_of(setup), seen, meters)


def learn(setup: str) -> Policy:
    """The strategy to remember at a table. It takes seconds to find, and is kept for the next start."""
    table = table_of(setup)
    slug, pricing = table.facts.slug, pricer(table.facts.slug)
    if find_package(slug):
        return pricing.basic_policy(table)  # a package may have changed without a trace
    name = f"strategy-{hashlib.sha256(setup.encode()).hexdigest()[:16]}"
    return cached_value(name, lambda: pricing.basic_policy(table), type(pricing).__module__)


@lru_cache(64)
def table_of(setup: str) -> Table:
    """The table that a set-up opens."""
    read = setup_from_json(orjson.loads(setup))
    return game(read.game).open(read)
