"""What a database tells of itself to whoever listens: which chains have moved, and that leases went free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import orjson

LONGEST: Final = 7_000
"""Bytes of one message; the database takes less than 8,000."""


class News(NamedTuple):
    """One message."""

    moved: Mapping[str, int] = {}
    """Chains on which something has happened, each with how many events it has now."""
    missed: bool = False
    """Nobody was listening for a while: more may have happened than is told."""
    leases: bool = False
    """Some were given up, or went from one server to another."""


def told(ends: Iterable[tuple[str, int]]) -> Iterator[str]:
    """Where chains end now, as messages.

    >>> list(told([("felt:prime-1", 17), ("jackpot:final-four", 3)]))
    ['{"felt:prime-1":17,"jackpot:final-four":3}']
    >>> [len(one) < 8_000 for one in told((f"{n:0200}", n) for n in range(50))]
    [True, True]
    """
    message, size = dict[str, int](), 0
    for chain, sequence in ends:
        more = len(orjson.dumps({chain: sequence}))
        if size + more > LONGEST:
            yield orjson.dumps(message).decode()
            message, size = {}, 0
        message[chain] = sequence
        size += more
    if message:
        yield orjson.dumps(message).decode()


def heard(message: str) -> News:
    """
    >>> heard('{"felt:prime-1":17}')
    News(moved={'felt:prime-1': 17}, missed=False, leases=False)

    What is no message of ours is taken as a sign that something has happened:

    >>> heard("?").missed
    True
    """
    try:
        return News({str(chain): int(sequence) for chain, sequence in orjson.loads(message).items()})
    except (ValueError, AttributeError, TypeError):
        return News(missed=True)
