"""Along the chain of a player: the balance is the sum of what happened, and never below zero."""

from __future__ import annotations

from typing import Any

from cardroom.accounts import Currency
from cardroom.floor.kept.subjects import PLAYERS
from cardroom.floor.players.admitting import GUESTS_MONEY
from cardroom.floor.players.happenings import PaidIn, PaidOut, PlayerAdmitted
from cardroom.floor.verification.agreement import Story
from cardroom.floor.verification.along import Chain
from cardroom.floor.verification.chips import said_by_player
from cardroom.floor.verification.credits import credited_by_player
from cardroom.floor.verification.replayed import Replayed
from cardroom.floor.verification.report import wrong
from cardroom.jackpots import Happening
from cardroom.jackpots.people import same_person


class PlayerChain(Chain):
    subject = PLAYERS

    def __init__(self, chain: str, replayed: Replayed) -> None:
        super().__init__(chain, replayed)
        self._story = Story(said_by_player)
        self._credits = Story(credited_by_player)

    def look(self, sequence: int, id: str, happening: Happening, before: Any, after: Any) -> None:  # noqa: ARG002
        self._story.listen(happening)
        self._credits.listen(happening)
        if isinstance(happening, PlayerAdmitted):
            self._look_at_beginning(sequence, id, happening)
        if isinstance(happening, PaidIn | PaidOut) and same_person(happening.who, happening.second):
            raise wrong("one person answers for it", self.chain, sequence, id, "two people", happening.second)

    def _look_at_beginning(self, sequence: int, id: str, admitted: PlayerAdmitted) -> None:
        """A guest comes in with play money, and everybody else with nothing."""
        should = (Currency.PLAY, GUESTS_MONEY) if admitted.guest else (admitted.money, 0)
        if (found := (admitted.money, admitted.cents)) != should:
            told = [f"{cents} cents of {of.label}" for of, cents in (should, found)]
            raise wrong("the player comes in with another amount", self.chain, sequence, id, *told)

    def end(self, last: int) -> None:
        super().end(last)
        self.replayed.players[self.state.player] = self.state
        self.replayed.told_by_players |= self._story.digests()
        self.replayed.credited_by_players |= self._credits.digests()
