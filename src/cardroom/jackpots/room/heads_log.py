"""The log of heads: each signed head extends the one before it, and a witness cosigns heads of the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardroom.errors import BadInput
from cardroom.heads.merkle import Peaks
from cardroom.heads.signed_heads import NO_HEAD, Cosignature, Leaf, SignedHead, leaf_hashes
from cardroom.jackpots.happenings.kind import Happening
from cardroom.jackpots.happenings.of_the_room import HeadsCosigned, HeadsSigned


class NotOfTheLog(BadInput):
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


def heads_log_after(state: HeadsLog | None, happening: Happening) -> HeadsLog:
    """The log after a happening."""
    match happening:
        case HeadsSigned(head=head, leaves=leaves, peaks=peaks):
            expected, tree = next_head(state, leaves, head.time, head.key)
            if head._replace(signature="") != expected or not leaves:
                raise NotOfTheLog(f"The signed head of {head.size} leaves does not extend the one before it.")
            if peaks != tuple(peak.hex() for peak in tree.hashes):
                raise NotOfTheLog(f"The subtrees of the log of {head.size} leaves are not those of its leaves.")
            if not head.is_signed:
                raise NotOfTheLog(f"The signature of the head of {head.size} leaves is not that of its key.")
            return HeadsLog(head, peaks, state.cosigned if state else None)
        case HeadsCosigned(cosignature=cosignature):
            if state is None or cosignature.size > state.head.size or not cosignature.is_signed:
                raise NotOfTheLog("The cosignature is not one of this log.")
            return state._replace(cosigned=cosignature)
    raise NotOfTheLog(f"{happening.kind} does not happen to the log of heads.")


def heads_log_names(happening: Happening) -> tuple[str, ...]:
    """A head is found by the size of its log."""
    return (size_name(happening.head.size),) if isinstance(happening, HeadsSigned) else ()


def size_name(size: int) -> str:
    """
    >>> size_name(17)
    'size 17'
    """
    return f"size {size}"
