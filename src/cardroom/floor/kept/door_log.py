"""The log of the door: what happened to everybody who signs in, the newest first."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Final

from cardroom.floor.kept.chains import person_chain
from cardroom.floor.kept.recall import newest_first
from cardroom.floor.people.happenings import PasswordTried, UnlockingTried
from cardroom.ledger import Event, Ledger

_COUNTED: Final = (PasswordTried.kind, UnlockingTried.kind)
"""Written before a password is compared; what came of it is another event, and that one is shown."""


def log_of(ledger: Ledger, logins: Iterable[str], before: int | None = None) -> Iterator[Event]:
    """What happened to these people before a moment, the newest first. A chain is read only when its turn comes: most
    of many people were not here lately."""
    heads = filter(None, (ledger.head(person_chain(login)) for login in logins))
    order = count()
    waiting: list[tuple[int, int, Iterator[Event], Event | None]] = [
        (-head.time, next(order), newest_first(ledger, head.chain), None) for head in heads
    ]
    heapq.heapify(waiting)
    while waiting:
        _, number, events, event = heapq.heappop(waiting)
        if event is not None and event.kind not in _COUNTED and (before is None or event.time < before):
            yield event
        following = next(events, None)
        if following is not None:
            heapq.heappush(waiting, (-following.time, number, events, following))
