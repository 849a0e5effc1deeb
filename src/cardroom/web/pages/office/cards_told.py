"""Cards in a line of a book, and a round as it was claimed: where cards lay, what was wagered and answered there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from cardroom.cards import format_card_symbols, parse_cards
from cardroom.floor.felt.live_round import LiveRound
from cardroom.games import game
from cardroom.games.money import format_cents
from cardroom.games.view import wager_name


def cards_told(names: Iterable[str]) -> str:
    """
    >>> cards_told(["As", "Kd", "Jk"])
    'A♠ K♦ ★'
    """
    return format_card_symbols(parse_cards(names))


class RoundLine(NamedTuple):
    """One seat of a round, or the dealer, or the community."""

    where: str
    cards: str
    wagers: str
    answers: str


def round_lines(record: Mapping[str, Any]) -> Iterator[RoundLine]:
    """The record of a round in words, what belongs to nobody first.

    >>> from cardroom.games.example_rounds import example_json
    >>> import json
    >>> lines = tuple(round_lines(json.loads(example_json("three-card-prime"))))
    >>> lines[1].cards, lines[2].where, lines[2].cards, lines[3].answers
    ('K♦ 6♦ 10♣', 'seat 1', 'fourth 8♦, hand 8♥ K♥ 3♣', 'fold')
    """
    facts = game(record["table"]["game"]).facts
    lain, wagers = record.get("cards", {}), record.get("wagers", {})
    for place, names in lain.items():
        if not place.startswith("seat "):
            yield RoundLine(place, cards_told(names), "", "")
    seats = {int(place.split()[1]) for place in lain if place.startswith("seat ")} | set(map(int, wagers))
    for seat in sorted(seats):
        own = [(place, names) for place, names in lain.items() if place.startswith(f"seat {seat} ")]
        piles = [f"{place.split(' ', 2)[2]} {cards_told(names)}" for place, names in own]
        laid = [f"{wager_name(facts, slug)} {_amount(cents)}" for slug, cents in wagers.get(str(seat), {}).items()]
        said = [str(one["answer"]) for one in record.get("decisions", ()) if one["seat"] == seat]
        yield RoundLine(f"seat {seat}", ", ".join(piles), ", ".join(laid), ", ".join(said))


def typed_lines(game: str, live: LiveRound, seats: Collection[int]) -> tuple[RoundLine, ...]:
    """What a dealer typed of a live round for some seats, and for the table, in words."""
    record = {
        "table": {"game": game},
        "cards": live.cards,
        "wagers": live.wagers,
        "decisions": [one._asdict() for one in live.answers],
    }
    places = {f"seat {seat}" for seat in seats}
    return tuple(line for line in round_lines(record) if line.where in places or not line.where.startswith("seat "))


def _amount(told: int | str) -> str:
    return format_cents(told) if isinstance(told, int) else told
