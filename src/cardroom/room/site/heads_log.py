"""The log of heads: each signed head extends the one before it, and a witness cosigns heads of the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardroom.errors import BadInput
from cardroom.heads.merkle import Peaks
from cardroom.heads.signed_heads import NO_HEAD, Cosignature, Leaf, SignedHead, leaf_hashes
from cardroom.room.event_types import DomainEvent
from cardroom.room.site.events import HeadsCosigned, HeadsSigned


class BadHeadsLogEvent(BadInput):
    """A signed head that does not extend the log."""


class HeadsLog(NamedTuple):
    """The log after its newest head."""

    head: SignedHead
    peaks: tuple[str, ...]
    cosigned: Cosignature | None = None
    """The newest cosignature."""

    @property
    def tree(self) -> Peaks:
        """The log as a Merkle tree that can be extended."""
        return Peaks(self.head.size, tuple(map(bytes.fromhex, self.peaks)))


def next_head(log: HeadsLog | None, leaves: Sequence[Leaf], time: int, key: str) -> tuple[SignedHead, Peaks]:
    """The head of the log with these leaves, still to be signed, and its tree."""
    tree = (log.tree if log else Peaks()).add(leaf_hashes(leaves))
    previous = log.head.digest if log else NO_HEAD
    # A clock that was set back must not make a head that is older than the one before it.
    time = max(time, log.head.time) if log else time
    return SignedHead(tree.size, tree.root.hex(), time, previous, key), tree


def apply_heads_log_event(state: HeadsLog | None, event: DomainEvent) -> HeadsLog:
    """The log after an event."""
    match event:
        case HeadsSigned(head=head, leaves=leaves, peaks=peaks):
            expected, tree = next_head(state, leaves, head.time, head.key)
            if head._replace(signature="") != expected or not leaves:
                raise BadHeadsLogEvent(f"The signed head of {head.size} leaves does not extend the one before it.")
            if peaks != tuple(peak.hex() for peak in tree.hashes):
                raise BadHeadsLogEvent(f"The subtrees of the log of {head.size} leaves are not those of its leaves.")
            if not head.is_signed:
                raise BadHeadsLogEvent(f"The signature of the head of {head.size} leaves is not that of its key.")
            return HeadsLog(head, peaks, state.cosigned if state else None)
        case HeadsCosigned(cosignature=cosignature):
            if state is None or cosignature.size > state.head.size or not cosignature.is_signed:
                raise BadHeadsLogEvent("The cosignature is not one of this log.")
            return state._replace(cosigned=cosignature)
    raise BadHeadsLogEvent(f"{event.kind} does not happen to the log of heads.")


def heads_log_unique_keys(event: DomainEvent) -> tuple[str, ...]:
    """A head is found by the size of its log."""
    return (size_key(event.head.size),) if isinstance(event, HeadsSigned) else ()


def size_key(size: int) -> str:
    """
    >>> size_key(17)
    'size 17'
    """
    return f"size {size}"
