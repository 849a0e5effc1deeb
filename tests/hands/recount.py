"""Counts hands with the slow reading of the sheets: the source of the unpublished counts in ``data``.

``python -m tests.hands.recount three-card-wild`` counts one file again; it takes from a second to some minutes.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from pathlib import Path

from cardroom.cards import Card, Deck
from cardroom.hands import Ranking
from tests.hands.dealing import PAIRINGS
from tests.hands.reference import Sheet, counts_as_wild

FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Count:
    """One file: so many cards of a deck, under a ranking, and how many hands each line has."""

    name: str
    hands: str
    ranking: Ranking
    sheet: Sheet
    deck: Deck
    cards: int
    total: int
    lines: dict[str, int]
    classes: int | None
    """How many different strengths occur, where that is known."""


def read(name: str) -> Count:
    text = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    ranking, sheet = next(pairing for pairing in PAIRINGS if pairing.ranking.name == text["ranking"])
    return Count(
        name=name,
        hands=text["hands"],
        ranking=ranking,
        sheet=sheet,
        deck=Deck[text["deck"]],
        cards=text["cards"],
        total=text["total"],
        lines=text["counts"],
        classes=text.get("classes"),
    )


def names() -> list[str]:
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def deals(count: Count) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Hands, each with the number of deals that it stands for."""
    if count.deck.decks > 1:
        for hand in combinations_with_replacement(count.deck.distinct_cards(), count.cards):
            yield hand, prod(comb(count.deck.decks, copies) for copies in Counter(hand).values())
        return
    # Wild cards are as good as each other, so it is enough to know how many of them there are.
    wild = [card for card in count.deck.cards() if count.sheet.deuces_wild and counts_as_wild(card)]
    natural = [card for card in count.deck.cards() if card not in wild]
    for some in range(min(len(wild), count.cards) + 1):
        for hand in combinations(natural, count.cards - some):
            yield hand + tuple(wild[:some]), comb(len(wild), some)


def recount(count: Count) -> dict[str, int]:
    found = dict.fromkeys(count.sheet.lines, 0)
    for hand, ways in deals(count):
        found[count.sheet.verdict(hand).line] += ways
    return found


if __name__ == "__main__":
    for name in sys.argv[1:]:
        found = recount(read(name))
        sys.stdout.write(f"# {name}: {sum(found.values()):_} hands\n")
        sys.stdout.writelines(f'"{line}" = {hands:_}\n' for line, hands in found.items())
