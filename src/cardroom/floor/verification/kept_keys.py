"""What is kept hidden: the key of the coming round of each open felt opens the seal that is shown, and nothing else is.

A key that is wrong is never told here: whoever reads a report must not learn what is not due yet.
"""

from __future__ import annotations

from collections.abc import Mapping

from cardroom.cards.shuffle import KEY_BYTES
from cardroom.floor.felt.playing import seal_of
from cardroom.floor.felt.state import FeltState
from cardroom.floor.kept.chains import ROOM, ROOMS_SECRET, felt_chain
from cardroom.floor.verification.report import Discrepancy, NotAsReplayed
from cardroom.ledger import schema
from cardroom.ledger.store import Reading


def compare_keys(felts: Mapping[str, FeltState], now: Reading) -> None:
    """Find a key that is missing, that does not open its seal, or that no round waits for."""
    waiting = {(felt_chain(one.table), one.seal): one for one in felts.values() if one.seal}
    for chain, name, value in now.rows(schema.secrets):
        felt = waiting.pop((chain, name), None)
        if felt is not None:
            if len(value) != KEY_BYTES or not seal_of(bytes(value), felt.round).opens(felt.seal):
                sentence = f"The key that is kept for round {felt.round} does not open the seal that was shown for it."
                raise NotAsReplayed(Discrepancy(sentence, chain, None, name, "the key that was sealed", "another one"))
        elif (chain, name) != (ROOM, ROOMS_SECRET) or len(value) != KEY_BYTES:
            sentence = f"Something is kept hidden for {chain} under the name {name} for which nothing waits."
            raise NotAsReplayed(Discrepancy(sentence, chain, None, name, "nothing", "a secret"))
    for (chain, seal), felt in sorted(waiting.items()):
        sentence = f"The key of round {felt.round} is not kept any more: nobody can deal it."
        raise NotAsReplayed(Discrepancy(sentence, chain, None, seal, "the key that was sealed", "none"))
