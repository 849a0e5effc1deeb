"""A hand of a live round as it is claimed of a jackpot: what the claim leaves out is as it was typed in the round."""

from __future__ import annotations

from collections.abc import Mapping

from cardroom.errors import BadInput
from cardroom.floor.felt.live_round import LiveRound
from cardroom.games import Table
from cardroom.games.record import parse_place
from cardroom.jackpots.claim.typed_hand import TypedHand, dealt_for


class NothingTyped(BadInput):
    """A hand of which nobody typed what a claim needs."""


def hand_as_typed(
    table: Table,
    live: LiveRound,
    seat: int,
    wager: str,
    *,
    wagered: int | None = None,
    cards: Mapping[str, str] | None = None,
    answers: Mapping[str, str] | None = None,
) -> TypedHand:
    """The hand of a seat. Of the cards that were typed those count that were dealt for it: a war of another seat has
    community cards of its own."""
    said = {one.question: one.answer for one in live.answers if one.seat == seat} if answers is None else answers
    staked = _typed_wager(live, seat, wager) if wagered is None else wagered
    if cards is not None:
        return TypedHand(wager, staked, cards, said, seat)
    return dealt_for(table, TypedHand(wager, staked, _typed_cards(live, seat), said, seat))


def _typed_cards(live: LiveRound, seat: int) -> dict[str, str]:
    places = {parse_place(name): pile for name, pile in live.cards.items()}
    return {
        str(place) if place.seat is None else str(place.pile): " ".join(pile)
        for place, pile in places.items()
        if place.seat in (None, seat)
    }


def _typed_wager(live: LiveRound, seat: int, wager: str) -> int:
    spots = live.wagers.get(str(seat), {})
    if wager not in spots:
        raise NothingTyped(f"No wager of seat {seat} on {wager} was typed: give wagered_cents.")
    return spots[wager]
