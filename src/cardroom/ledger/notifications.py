"""Notifications of a database: which chains have new events, and that leases were released."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import orjson

MAX_MESSAGE_BYTES: Final = 7_000
"""Bytes of one message; the database takes less than 8,000."""


class Notification(NamedTuple):
    """One message."""

    chain_lengths: Mapping[str, int] = {}
    """Chains with new events, each with its present length."""
    has_gap: bool = False
    """Whether messages may have been missed while there was no connection."""
    leases_changed: bool = False
    """Whether leases were released, or went from one server to another."""


def encode_notifications(chain_ends: Iterable[tuple[str, int]]) -> Iterator[str]:
    """The lengths of chains, as messages.

    >>> list(encode_notifications([("table:prime-1", 17), ("jackpot:final-four", 3)]))
    ['{"table:prime-1":17,"jackpot:final-four":3}']
    >>> [len(one) < 8_000 for one in encode_notifications((f"{n:0200}", n) for n in range(50))]
    [True, True]
    """
    message, size = dict[str, int](), 0
    for chain, sequence in chain_ends:
        entry_size = len(orjson.dumps({chain: sequence}))
        if size + entry_size > MAX_MESSAGE_BYTES:
            yield orjson.dumps(message).decode()
            message, size = {}, 0
        message[chain] = sequence
        size += entry_size
    if message:
        yield orjson.dumps(message).decode()


def decode_notification(message: str) -> Notification:
    """
    >>> decode_notification('{"table:prime-1":17}')
    Notification(chain_lengths={'table:prime-1': 17}, has_gap=False, leases_changed=False)

    A message in another format counts as a gap:

    >>> decode_notification("?").has_gap
    True
    """
    try:
        return Notification({str(chain): int(sequence) for chain, sequence in orjson.loads(message).items()})
    except (ValueError, AttributeError, TypeError):
        return Notification(has_gap=True)
