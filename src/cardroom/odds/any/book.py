"""How the best play answers, to be looked up by what a seat sees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from cardroom.cards import Card
from cardroom.games import Decision, Place, SeatTurn, View
from cardroom.odds.any.search import Answered
from cardroom.odds.any.unturned import Kinds
from cardroom.odds.rounds.by_the_rules import BadStrategy

_Entry: TypeAlias = tuple[tuple[tuple[Place, tuple[Kinds, ...]], ...], Decision]


class AnswerBook:
    """Every answer of the best play, by question and by the cards that lie open. Called with a view, it answers."""

    def __init__(self, answers: Iterable[Answered]) -> None:
        self._entries: dict[str, list[_Entry]] = {}
        for one in answers:
            self._entries.setdefault(one.seen.question, []).append((one.seen.open_cards, one.decision))
        self._found: dict[tuple[object, ...], Decision] = {}

    def __call__(self, seen: View) -> Decision:
        assert isinstance(seen.turn, SeatTurn)
        key = (seen.turn.question, tuple(seen.piles.items()))
        if key not in self._found:
            self._found[key] = self._look_up(seen, seen.turn)
        return self._found[key]

    def _look_up(self, seen: View, turn: SeatTurn) -> Decision:
        for open_cards, decision in self._entries.get(turn.question, ()):
            if decision in turn.options and all(_fits(seen.piles.get(place, ()), pile) for place, pile in open_cards):
                return decision
        raise BadStrategy(f"The best play has no answer to {turn.question!r} for these cards.")


def _fits(cards: tuple[Card | None, ...], pile: tuple[Kinds, ...]) -> bool:
    return len(cards) == len(pile) and all(
        card is not None and kinds >> card.code & 1 for card, kinds in zip(cards, pile, strict=True)
    )
