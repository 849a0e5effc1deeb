"""A round as text, as ``print(round)`` shows it.

The dealer and the community cards come first, then each seat with its cards and chips, then what comes next.
Cards that no seat can see are ``??``.

>>> from cardroom.games import deal
>>> print(deal("texas-shootout", seed=3))
Texas Shootout
dealer  ?? ?? ?? ??
seat 1  Ac Ac Ks Js    Texas Shootout $10
Seat 1 decides:
  keep Ac Ks
  keep Ac Js
  keep Ac Ac
  keep Ks Js
  split Ac Ks | Ac Js
  split Ac Ac | Ks Js
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cardroom.games.actions import ChanceTurn, DealerTurn, RoundEnd, SeatTurn
from cardroom.games.money import format_cents
from cardroom.games.round import Round
from cardroom.games.view import (
    CARD_BACK,
    FaceOrBack,
    Onlooker,
    display_seat_piles,
    display_table_piles,
    stake_name,
    view,
)

_MAX_OPTIONS: Final = 12


class _Row(NamedTuple):
    name: str
    cards: str
    chips: str = ""


def format_board(r: Round) -> str:
    """The layout of a round and what comes next, line by line."""
    rows = [*_table_rows(r), *(_seat_row(r, seat) for seat in r.seats)]
    name_width, card_width = max(len(row.name) for row in rows), max(len(row.cards) for row in rows)
    layout = (f"{row.name:{name_width}}  {row.cards:{card_width}}    {row.chips}".rstrip() for row in rows)
    return "\n".join([str(r.game), *layout, *_turn_lines(r)])


def _table_rows(r: Round) -> Iterator[_Row]:
    for name, cards, _ in display_table_piles(view(r, Onlooker.DISPLAY), r.game.select_dealer_cards):
        yield _Row(name, _format_faces(cards))


def _seat_row(r: Round, seat: int) -> _Row:
    piles = display_seat_piles(view(r, seat), seat, hand_name="")
    cards = " | ".join(f"{name} {_format_faces(faces)}".strip() for name, faces, _ in piles)
    chips = ", ".join(
        f"{stake_name(r.game.facts, spot, stake)} {format_cents(cents)}" for spot, stake, cents in r.game.chips(r, seat)
    )
    return _Row(f"seat {seat}", cards, chips)


def _format_faces(cards: Sequence[FaceOrBack]) -> str:
    return " ".join(CARD_BACK if card is None else str(card) for card in cards)


def _turn_lines(r: Round) -> Iterator[str]:
    match r.turn:
        case SeatTurn(seat, _, options) if any(option.groups for option in options):
            yield f"Seat {seat} decides:"
            yield from (f"  {option}" for option in options[:_MAX_OPTIONS])
            if len(options) > _MAX_OPTIONS:
                yield f"  and {len(options) - _MAX_OPTIONS} more"
        case SeatTurn(seat, _, options):
            yield f"Seat {seat} decides: {', '.join(map(str, options))}"
        case ChanceTurn(place):
            yield f"Next card: {place}"
        case DealerTurn(step):
            yield f"Next step of the dealer: {step}"
        case RoundEnd():
            yield "The round is over."
