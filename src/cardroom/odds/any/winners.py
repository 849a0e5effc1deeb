"""Winners of a game that nobody has counted."""

from __future__ import annotations

from cardroom.games.game import Game
from cardroom.odds.pricer import Settings
from cardroom.odds.rounds.winners import Joint, Uncounted, WinnersCount
from cardroom.paytables import Paytable


class NobodyCounts(WinnersCount):
    """Bounds hold for any cards; a count needs to know which cards seats share."""

    def __init__(self, rules: Game) -> None:
        self._name = rules.facts.name

    def joint(self, wager: str, table: Paytable, settings: Settings) -> Joint | Uncounted:  # noqa: ARG002
        return Uncounted(f"How often seats of {self._name} win together has not been counted.")
