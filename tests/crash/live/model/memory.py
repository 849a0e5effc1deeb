"""What guests have seen: cards, seals, whole views. What was seen once stays so, whatever happens to the house."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

BACK = "??"


class Changed(AssertionError):
    """Something was seen in one way before, and in another way now."""


class Memory:
    """All guests together; they talk to each other."""

    def __init__(self) -> None:
        self.seals: dict[str, tuple[str, int, bool]] = {}
        """By round, the life in which it was seen last, and whether the round had begun."""
        self.cards: dict[str, dict[tuple[str, int], str]] = {}
        self.views: dict[tuple[str, str], Mapping[str, Any]] = {}
        self.met: Counter[str] = Counter()
        self.life = 0
        """How often the house has been opened."""
        self._lives: dict[tuple[str, str], int] = {}

    def look(self, player: str, view: Mapping[str, Any]) -> None:
        """A player looks at a table."""
        self._compare(player, view)
        coming, played = view["coming"], view["round"]
        if coming is not None:
            self._seal(coming["round"], coming["seal"], dealt=False)
        if played is not None:
            self._seal(played["round"], played["seal"], dealt=True)
            for place, cards in played["view"]["cards"].items():
                self._cards(played["round"], place, cards)

    def _compare(self, player: str, view: Mapping[str, Any]) -> None:
        """A table at which nothing has happened looks the same, to the letter: cards, chips, deadline and all. Only
        meters may run ahead: other tables may play for them, so they are looked at by themselves."""
        key = player, view["table"]
        view = {name: value for name, value in view.items() if name != "meters"}
        before = self.views.get(key)
        if before is not None and before["version"] == view["version"]:
            if before != view:
                raise Changed(f"{player} saw {before}, and with nothing in between {view}.")
            if self._lives[key] < self.life:
                self.met["views after a death"] += 1
                self.met["rounds after a death"] += view["round"] is not None
        elif before is not None and before["version"] > view["version"]:
            raise Changed(f"{player} saw {before}, and then an older table: {view}.")
        self.views[key], self._lives[key] = view, self.life

    def _seal(self, round_id: str, seal: str, *, dealt: bool) -> None:
        """A house that was opened again has drawn a new key for a round that had not begun; nothing else does."""
        before, life, was_dealt = self.seals.get(round_id, (seal, self.life, False))
        if before != seal and (was_dealt or life == self.life):
            raise Changed(f"{round_id} had the seal {before}, and now has {seal}.")
        self.seals[round_id] = seal, self.life, dealt or was_dealt

    def seal_of(self, round_id: str, result: str) -> str:
        """The seal that was shown for a round; what the house tells of it now where no user saw it, or where the house
        was opened again since."""
        seal, life, dealt = self.seals.get(round_id, (result, 0, False))
        return seal if dealt or life == self.life else result

    def _cards(self, round_id: str, place: str, cards: list[str]) -> None:
        known = self.cards.setdefault(round_id, {})
        for number, card in enumerate(cards):
            if card != BACK and known.setdefault((place, number), card) != card:
                raise Changed(f"{round_id}: card {number} of {place} was {known[place, number]}, and now is {card}.")

    def ended(self, past: Mapping[str, Any]) -> None:
        """A round has ended: every card that a user saw was the one that lay there, and the seal was shown before."""
        round_id = past["round"]
        if round_id in self.seals:
            self._seal(round_id, past["seal"], dealt=True)
        for place, cards in past["record"]["cards"].items():
            self._cards(round_id, place, cards)
        seen = self.cards.pop(round_id)
        dealt = {(place, at) for place, cards in past["record"]["cards"].items() for at in range(len(cards))}
        if not seen.keys() <= dealt:
            raise Changed(f"{round_id}: cards were seen at {sorted(seen.keys() - dealt)} that never lay there.")
