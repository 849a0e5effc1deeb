"""Whether jackpots and players tell the same story of the prizes that went to balances.

The chains of both are locked together when such a prize is paid, so both tell it in one order.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.floor.kept.chains import jackpot_chain
from cardroom.floor.players.happenings import PrizeCredited
from cardroom.floor.verification.agreement import Said
from cardroom.floor.verification.replayed import Replayed
from cardroom.floor.verification.report import Discrepancy, NotAsReplayed
from cardroom.jackpots import Happening
from cardroom.jackpots.happenings import ClaimPaid
from cardroom.jackpots.references import PaidBy


def credited_by_jackpot(happening: Happening) -> Iterator[Said]:
    """Prizes that a jackpot paid to balances."""
    if isinstance(happening, ClaimPaid):
        for one in happening.payouts:
            if one.payment is PaidBy.BALANCE:
                yield Said((happening.jackpot, one.player), f"{happening.claim} seat {one.seat}", one.cents)


def credited_by_player(happening: Happening) -> Iterator[Said]:
    """Prizes that a player's balance got."""
    if isinstance(happening, PrizeCredited):
        told = f"{happening.claim} seat {happening.seat}"
        yield Said((happening.jackpot, happening.player), told, happening.cents)


def compare_credits(replayed: Replayed) -> None:
    """Find a jackpot and a player who disagree about what was paid, or of which money it was."""
    for pair in sorted({**replayed.credited_by_jackpots, **replayed.credited_by_players}):
        jackpot, player = pair
        if replayed.credited_by_jackpots.get(pair) != replayed.credited_by_players.get(pair):
            sentence = f"Jackpot {jackpot} and player {player} do not agree about the prizes that were paid."
            raise NotAsReplayed(Discrepancy(sentence, jackpot_chain(jackpot)))
        one, other = replayed.jackpots[jackpot].money.label, replayed.players[player].money.label
        if one != other:
            sentence = f"Jackpot {jackpot} pays {one}, and the balance of {player} is {other}: the two never meet."
            raise NotAsReplayed(Discrepancy(sentence, jackpot_chain(jackpot), None, None, one, other))
