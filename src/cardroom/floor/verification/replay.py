"""A replay of the whole floor from its events: states, entries, claims and snapshots all come out again, or it stops.

Chains are replayed one by one, and of each only the state is kept, so a long history needs no more memory than a short
one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import orjson

from cardroom.floor.kept.chains import HEADS as HEADS_CHAIN
from cardroom.floor.kept.chains import ROOM as ROOM_CHAIN
from cardroom.floor.kept.chains import felt_of, jackpot_of, person_of, player_of, promotion_of, table_of
from cardroom.floor.kept.open_matters import stood_at
from cardroom.floor.verification.along import Chain
from cardroom.floor.verification.along_felts import FeltChain
from cardroom.floor.verification.along_jackpots import JackpotChain
from cardroom.floor.verification.along_people import PersonChain
from cardroom.floor.verification.along_players import PlayerChain
from cardroom.floor.verification.along_tables import HeadsChain, PromotionChain, RoomChain, TableChain
from cardroom.floor.verification.replayed import (
    Replayed,
    Stored,
    difference,
)
from cardroom.floor.verification.report import Discrepancy, NotAsReplayed, wrong
from cardroom.jackpots import happening_from

_KINDS: Final[tuple[tuple[Callable[[str], str | None], type[Chain]], ...]] = (
    (table_of, TableChain),
    (jackpot_of, JackpotChain),
    (promotion_of, PromotionChain),
    (felt_of, FeltChain),
    (player_of, PlayerChain),
    (person_of, PersonChain),
)


def replay_chain(replayed: Replayed, chain: str, rows: Iterable[Stored], snapshot: str) -> None:
    """Replay one chain: its events, each with the entries and names that are stored for it, and the snapshot in its
    head."""
    along, sequence, seen = _along(chain, replayed), 0, 0
    ends = replayed.ends.get(chain, frozenset())
    for row, entries, names in rows:
        _, sequence, id, kind, version, along.time, payload, *_ = row
        seen += 1
        try:
            happening = happening_from(kind, version, orjson.loads(payload))
            along.take(sequence, id, happening, [entry[3:] for entry in entries])
            if names != (follow := along.subject.names(happening)):
                raise wrong("its names do not follow from it", chain, sequence, id, follow, names)
            if sequence in ends:
                replayed.stood[chain, sequence] = stood_at(along.state)
        except NotAsReplayed:
            raise
        except Exception as fault:
            raise wrong("it cannot have happened", chain, sequence, id, "an event that follows", fault) from fault
    replayed.events += seen
    along.end(sequence)
    again = orjson.loads(orjson.dumps(along.subject.write(along.state)))
    if again != orjson.loads(snapshot):
        where, expected, found = difference(again, orjson.loads(snapshot))
        sentence = (
            f"The snapshot in the head of {chain} is not what its events add up to: {where} should be {expected} "
            f"and is {found}."
        )
        raise NotAsReplayed(Discrepancy(sentence, chain, sequence, None, expected, found))


def _along(chain: str, replayed: Replayed) -> Chain:
    if chain == ROOM_CHAIN:
        return RoomChain(chain, replayed)
    if chain == HEADS_CHAIN:
        return HeadsChain(chain, replayed)
    for of, kind in _KINDS:
        if of(chain) is not None:
            return kind(chain, replayed)
    sentence = f"{chain} is the chain of no table, jackpot, promotion, felt, player or person, and not the room's."
    raise NotAsReplayed(Discrepancy(sentence, chain, None, None, "a chain that the floor keeps", chain))
