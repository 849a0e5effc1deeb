"""A round as JSON, at any point, and back again through the rules: a record that breaks them is refused.

Only what happened is written: the set-up, the wagers, the cards by place, the answers and the dealer's steps. The
order follows from the rules, so a person can write a finished round down from the table. Amounts are whole cents.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from cardroom.cards import Card
from cardroom.faults import shortened
from cardroom.games.actions import Decide, TakeStep
from cardroom.games.places import Place
from cardroom.games.round import Round
from cardroom.games.setup import setup_entry
from cardroom.games.turns import ChanceTurn, DealerTurn, Over, SeatTurn
from cardroom.games.written import BadRecord, Written, place_named, read_record, some, written

__all__ = ["BadRecord", "from_json", "place_named", "read_record", "replayed", "round_entry", "round_from", "to_json"]


def round_entry(r: Round) -> dict[str, Any]:
    """The record of a round."""
    return {
        "table": setup_entry(r.table.setup),
        "wagers": {str(seat): dict(spots) for seat, spots in r.bets.items()},
        "cards": {str(place): [str(one) for one in pile] for place, pile in sorted(r.dealt.items(), key=_by_seat)},
        "decisions": [
            {"seat": seat, "question": question, "answer": str(decision)}
            for (seat, question), decision in r.decisions.items()
        ],
        "steps": [str(step) for step in r.steps],
    }


def _by_seat(item: tuple[Place, tuple[Card, ...]]) -> tuple[int, str]:
    place, _ = item
    return place.seat or 0, place.pile


def to_json(r: Round) -> str:
    """The record of a round as JSON."""
    return json.dumps(round_entry(r), indent=2)


def from_json(text: str) -> Round:
    """Read a round from its JSON record."""
    return round_from(read_record(text))


def round_from(entry: object) -> Round:
    """Play a record again: every card, answer and step must be one that the rules allow at that point.

    Dealer's steps may be left out; then they are taken as they fall due, as far as the record goes on.
    """
    said = written(entry)
    if said.unknown:
        place = next(iter(said.unknown))
        raise BadRecord(
            f"At {str(place)!r} the record has '?': only `cardroom settle` says what follows without knowing a card."
        )
    return replayed(said, {})


def replayed(said: Written, filled: Mapping[Place, Sequence[Card]]) -> Round:
    """Play what was written again. ``filled`` has the cards that stand for those that nobody knows, by place."""
    return _Replay(said, filled).played()


class _Replay:
    """Feeds a record's cards and answers to the rules in the order in which they ask for them."""

    def __init__(self, said: Written, filled: Mapping[Place, Sequence[Card]]) -> None:
        self.round = said.start
        self.cards = {place: list(_with(pile, filled.get(place, ()))) for place, pile in said.cards.items()}
        self.answers = dict(said.answers)
        self.steps = None if said.steps is None else list(said.steps)

    def played(self) -> Round:
        while self._one_more():
            pass
        left = self._left()
        if left and isinstance(self.round.turn, ChanceTurn):
            missing = f"At {str(self.round.turn.place)!r} a card is missing"
            raise BadRecord(f"{missing}: write it, or '?' if nobody knows it. Behind it the record has {left}.")
        if left:
            raise BadRecord(f"The record has {left}. In the rules {self.round.due}.")
        return self.round

    def _left(self) -> str:
        """What the record has and the rules did not ask for."""
        if cards := [f"{len(pile)} at {place}" for place, pile in self.cards.items() if pile]:
            return f"cards that nobody was dealt: {some(cards)}"
        if self.answers:
            unasked = (f"{shortened(str(answer))} by seat {seat}" for (seat, _), answer in self.answers.items())
            return f"decisions that nobody was asked for: {some(unasked)}"
        return f"dealer's steps that were not due: {some(self.steps)}" if self.steps else ""

    def _next_cards(self) -> list[Card]:
        """The cards of the record for the next places, as far as it has them."""
        cards = []
        for place in self.round.next_places:
            pile = self.cards.get(place)
            if not pile:
                break
            cards.append(pile.pop(0))
        return cards

    def _one_more(self) -> bool:
        match self.round.turn:
            case ChanceTurn(place):
                if not self.cards.get(place):
                    return False
                self.round = self.round.fallen(self._next_cards())
            case SeatTurn(seat, question):
                if (seat, question) not in self.answers:
                    return False
                self.round = self.round.apply(Decide(seat, self.answers.pop((seat, question))))
            case DealerTurn(step):
                if self.steps is not None:
                    if not self.steps or self.steps[0] is not step:
                        return False
                    self.steps.pop(0)
                self.round = self.round.apply(TakeStep(step))
            case Over():
                return False
        return True


def _with(pile: Sequence[Card | None], filled: Sequence[Card]) -> list[Card]:
    """A pile with the cards that nobody knows filled in, in their order."""
    fills = iter(filled)
    return [next(fills) if one is None else one for one in pile]
