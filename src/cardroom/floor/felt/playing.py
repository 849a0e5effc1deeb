"""The round that is played, with all its cards.

They follow from the key, the players' words, the wagers and the answers, so a round whose server died goes on with the
same cards; and whoever has the key can deal it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cardroom.cards import Seal, Shoe
from cardroom.floor.felt.happenings import Laid
from cardroom.floor.felt.state import FeltState, OpenTable, Said, wagers_of, words_of
from cardroom.games import Decide, Decision, Round, SeatTurn, advance, cents_on_layout


class Position(NamedTuple):
    """A round as it lies there, and the shoe. It never leaves the server."""

    round: Round
    shoe: Shoe

    @property
    def asked(self) -> int:
        """The seat that is asked; 0 for none."""
        return self.round.turn.seat if isinstance(self.round.turn, SeatTurn) else 0

    def after(self, seat: int, decision: Decision) -> Position:
        """When a seat has answered and the cards that follow are dealt."""
        return Position(*advance(self.round.apply(Decide(seat, decision)), self.shoe))

    def answered(self, decision: Decision) -> tuple[Position, int]:
        """The same when the seat that is asked says this, and what that puts on the layout, in cents."""
        seat = self.round.seat_turn.seat
        said = self.round.apply(Decide(seat, decision))
        return Position(*advance(said, self.shoe)), cents_on_layout(said, seat) - cents_on_layout(self.round, seat)


def seal_of(key: bytes, round_id: str) -> Seal:
    """A round's key under the name of the round."""
    return Seal(key, round_id)


def deal(at: OpenTable, seal: Seal, wagers: Mapping[int, Mapping[str, int]], words: Mapping[int, str]) -> Position:
    """Take the wagers, shuffle, and deal until somebody is asked."""
    begun = at.game.begin(at.table, wagers)
    return Position(*advance(begun, Shoe(seal.shuffle(at.table.deck, words))))


def dealt(at: OpenTable, seal: Seal, laid: Iterable[Laid], answers: Iterable[Said] = ()) -> Position:
    """The round as it lies there after some answers."""
    lying = tuple(laid)
    position = deal(at, seal, wagers_of(lying), words_of(lying))
    for said in answers:
        position = position.after(said.seat, Decision.parse(said.answer))
    return position


def position_of(state: FeltState, key: bytes) -> Position:
    """The round that a felt plays."""
    return dealt(state.at, seal_of(key, state.round), state.laid, state.answers)
