"""What is kept hidden: the key of the coming round of each open felt, and the room's secret. Each opens its seal, and
nothing else is kept.

A key that is wrong is never told here: whoever reads a report must not learn what is not due yet.
"""

from __future__ import annotations

from collections.abc import Mapping

from cardroom.cards.shuffle import KEY_BYTES
from cardroom.floor.felt.playing import seal_of
from cardroom.floor.felt.state import FeltState
from cardroom.floor.kept.chains import ROOM, felt_chain
from cardroom.floor.kept.rooms_secret import seal_of_secret
from cardroom.floor.verification.report import Discrepancy, NotAsReplayed
from cardroom.ledger import schema
from cardroom.ledger.store import Reading


def compare_keys(felts: Mapping[str, FeltState], secret: str, now: Reading) -> None:
    """Find a key that is missing, that does not open its seal, or that no round waits for. ``secret`` is the seal of
    the room's secret, if it has one."""
    sealed = secret
    waiting = {(felt_chain(one.table), one.seal): one for one in felts.values() if one.seal}
    for chain, name, value in now.rows(schema.secrets):
        felt = waiting.pop((chain, name), None)
        if felt is not None:
            if len(value) != KEY_BYTES or not seal_of(bytes(value), felt.round).opens(felt.seal):
                sentence = f"The key that is kept for round {felt.round} does not open the seal that was shown for it."
                raise NotAsReplayed(Discrepancy(sentence, chain, None, name, "the key that was sealed", "another one"))
        elif sealed and (chain, name) == (ROOM, sealed):
            sealed = ""
            if seal_of_secret(bytes(value)) != secret:
                sentence = "The secret that the room keeps is not the one whose seal was shown."
                raise NotAsReplayed(
                    Discrepancy(sentence, chain, None, name, "the secret that was sealed", "another one")
                )
        else:
            sentence = f"Something is kept hidden for {chain} under the name {name} for which nothing waits."
            raise NotAsReplayed(Discrepancy(sentence, chain, None, name, "nothing", "a secret"))
    if sealed:
        sentence = "The room's secret is not kept any more: nobody's token can be read."
        raise NotAsReplayed(Discrepancy(sentence, ROOM, None, secret, "the secret that was sealed", "none"))
    for (chain, seal), felt in sorted(waiting.items()):
        sentence = f"The key of round {felt.round} is not kept any more: nobody can deal it."
        raise NotAsReplayed(Discrepancy(sentence, chain, None, seal, "the key that was sealed", "none"))
