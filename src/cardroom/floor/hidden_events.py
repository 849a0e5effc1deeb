"""Events that are not shown yet: what players answer in a round that is still played."""

from __future__ import annotations

from typing import Final

from cardroom.errors import BadInput
from cardroom.floor.felt.naming import begun_name
from cardroom.floor.felt.state import Phase
from cardroom.floor.floor import Floor
from cardroom.floor.kept.chains import felt_of

STILL_PLAYED: Final = (
    "The round is still played: what was answered is told when it has ended, and so are the hashes from here on, from "
    "which a short answer could be guessed."
)


class StillPlayed(BadInput):
    """An event, or its hash, that is shown when the round has ended."""


def hidden_from(floor: Floor, chain: str) -> int:
    """The first event that must not be told yet: what players answer in a round that is played names cards that
    nobody else may see. Its hash is not told either, nor any behind it: trying all answers would find the right one."""
    table = felt_of(chain)
    state = floor.felt(table) if table is not None else None
    if state is None or state.phase is not Phase.PLAYING or state.live is not None:
        return 1 << 62
    begun = floor.ledger.find_event(chain, begun_name(state.round))
    return begun.sequence + 1 if begun else 1 << 62


def refuse_hidden(floor: Floor, chain: str, last: int) -> None:
    """Refuse to show a chain up to an event that is hidden. Look at the events first: a round that begins after that
    is not among them."""
    if last >= hidden_from(floor, chain):
        raise StillPlayed(STILL_PLAYED)
