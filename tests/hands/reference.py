"""A second opinion on hands: slow, plain, and written from the rule sheets line by line.

Nothing here is looked up or counted in bits. A sheet is a list of lines from the top down, a hand is compared with
each line in turn, and the first line that it meets is what it is. A wild card is tried as every card of the deck.

>>> from cardroom.cards import parse_cards
>>> THREE_CARD.verdict(parse_cards("As Ks Qs"))
Verdict(height=7, tiebreak=(), line='mini-royal')
>>> SIX_DECK.verdict(parse_cards("Qc Qc 6c 6c 3c")) < SIX_DECK.verdict(parse_cards("Kh 9h 7h 7h 5h"))
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

from cardroom.cards import STANDARD_DECK, Card, Rank, Suit, card_from_rank_suit

ACE = 14


class Verdict(NamedTuple):
    """What a hand is, in a form that sorts: the higher verdict is the better hand, equal verdicts are copies."""

    height: int
    """1 for the lowest line of the sheet, and one more for each line above it."""
    tiebreak: tuple[int, ...]
    """Ranks to compare, the most telling first, between two hands on one line."""
    line: str


class Held(NamedTuple):
    """The cards of one hand as the lines look at them."""

    ranks: tuple[int, ...]
    """Highest first."""
    groups: tuple[int, ...]
    """How many of each rank, the largest group first: a full house is (3, 2)."""
    suited: bool
    wild: int
    """How many of the cards are there in place of a wild card."""
    decks: int

    @property
    def top_of_run(self) -> int:
        """The rank on top of a straight; 0 when this is none. The ace may be the lowest card of one."""
        if max(self.groups) > 1:
            return 0
        length = len(self.ranks)
        for top in range(ACE, length - 1, -1):
            run = {ACE if rank == 1 else rank for rank in range(top - length + 1, top + 1)}
            if run == set(self.ranks):
                return top
        return 0

    @property
    def royal(self) -> bool:
        return self.suited and self.top_of_run == ACE

    @property
    def flush(self) -> bool:
        """With one deck a suit has each rank once, and a wild card does not double one of them."""
        return self.suited and (self.decks > 1 or max(self.groups) == 1)


LINES: dict[str, Callable[[Held], bool]] = {
    "five wild cards": lambda held: held.wild == 5,
    "suited five of a kind": lambda held: held.suited and held.groups == (5,),
    "suited four of a kind": lambda held: held.suited and held.groups == (4,),
    "natural royal flush": lambda held: held.royal and not held.wild,
    "wild royal flush": lambda held: held.royal and held.wild > 0,
    "royal flush": lambda held: held.royal,
    "mini-royal": lambda held: held.royal,
    "straight flush": lambda held: held.suited and held.top_of_run > 0,
    "five of a kind": lambda held: held.groups == (5,),
    "four of a kind": lambda held: held.groups[0] == 4,
    "full house": lambda held: held.groups == (3, 2),
    "flush": lambda held: held.flush,
    "straight": lambda held: held.top_of_run > 0,
    "three of a kind": lambda held: held.groups[0] == 3,
    "two pair": lambda held: held.groups[:2] == (2, 2),
    "pair": lambda held: held.groups[0] == 2,
    "high card": lambda held: len(held.ranks) > 0,
}
"""What each line of a sheet asks for. A hand that meets two lines is the higher of them on its own sheet."""

NOTHING_TO_COMPARE = ("five wild cards", "natural royal flush", "wild royal flush", "royal flush", "mini-royal")


@dataclass(frozen=True)
class Sheet:
    """The lines of one ranking as the sheet prints them, the best hand first."""

    lines: tuple[str, ...]
    size: int
    decks: int = 1
    deuces_wild: bool = False

    def verdict(self, cards: Sequence[Card]) -> Verdict:
        """The best hand of the right size among these cards."""
        return max(best_reading(self, hand) for hand in combinations(cards, self.size))

    def match(self, hand: Sequence[Card], wild: int = 0) -> Verdict:
        """The first line from the top that these cards meet as they lie."""
        ranks = sorted((card.code // 4 + 2 for card in hand), reverse=True)
        suited = len({card.code % 4 for card in hand}) == 1
        return first_line_met(self, tuple(ranks), suited, wild)


@lru_cache(maxsize=50_000)
def best_reading(sheet: Sheet, hand: tuple[Card, ...]) -> Verdict:
    """A hand of the right size, its wild cards standing for whatever serves it best."""
    natural = tuple(card for card in hand if not (sheet.deuces_wild and counts_as_wild(card)))
    wild = len(hand) - len(natural)
    return max(sheet.match(natural + stand_ins, wild) for stand_ins in substitutes(natural, wild))


@cache
def first_line_met(sheet: Sheet, ranks: tuple[int, ...], suited: bool, wild: int) -> Verdict:
    groups = tuple(sorted(Counter(ranks).values(), reverse=True))
    held = Held(ranks, groups, suited, wild, sheet.decks)
    for place, line in enumerate(sheet.lines):
        if LINES[line](held):
            return Verdict(len(sheet.lines) - place, tiebreak(line, held), line)
    raise AssertionError(f"no line for {held}")


def counts_as_wild(card: Card) -> bool:
    """Sheet 000, rule 2: all deuces and the joker."""
    return card.is_joker or card.rank == 2


def tiebreak(line: str, held: Held) -> tuple[int, ...]:
    if line in NOTHING_TO_COMPARE:
        return ()
    if line in ("straight flush", "straight"):
        return (held.top_of_run,)
    if line == "flush":
        return held.ranks  # card by card from the top, pairs and triplets included (TS-2)
    return tuple(sorted(held.ranks, key=lambda rank: (held.ranks.count(rank), rank), reverse=True))


def substitutes(natural: Sequence[Card], wild: int) -> Iterator[tuple[Card, ...]]:
    """What the wild cards may stand for.

    One wild card is tried as all 52 cards. Several would take too long, so they are tried as the 13 cards of the suit
    that the first natural card has: being of one suit opens lines and closes none, so the best hand is among these.
    """
    if wild == 1:
        return combinations_with_replacement(STANDARD_DECK, 1)
    suit = natural[0].suit if natural else Suit.SPADES
    return combinations_with_replacement([card_from_rank_suit(rank, suit) for rank in Rank], wild)


def any_substitutes(wild: int) -> Iterator[tuple[Card, ...]]:
    """The long way: every wild card as all 52 cards."""
    return combinations_with_replacement(STANDARD_DECK, wild)


THREE_CARD = Sheet(
    ("mini-royal", "straight flush", "three of a kind", "straight", "flush", "pair", "high card"), size=3
)
"""Sheet 004, rule 5."""

THREE_CARD_WILD = Sheet(THREE_CARD.lines, size=3, deuces_wild=True)
"""Sheet 000, Appendix B; a pair and high cards come below its lowest line."""

FOUR_CARD = Sheet(
    (
        "suited four of a kind",
        "royal flush",
        "straight flush",
        "four of a kind",
        "straight",
        "flush",
        "three of a kind",
        "two pair",
        "pair",
        "high card",
    ),
    size=4,
    decks=6,
)
"""Sheet 002, Appendix A, the Quick Draw tables."""

FIVE_CARD = Sheet(
    (
        "royal flush",
        "straight flush",
        "four of a kind",
        "full house",
        "flush",
        "straight",
        "three of a kind",
        "two pair",
        "pair",
        "high card",
    ),
    size=5,
)
"""Sheet 004, Appendix C, and sheet 001, Appendices D and F."""

FIVE_CARD_WILD = Sheet(
    (
        "natural royal flush",
        "five wild cards",
        "wild royal flush",
        "five of a kind",
        "straight flush",
        "four of a kind",
        "full house",
        "flush",
        "straight",
        "three of a kind",
        "two pair",
        "pair",
        "high card",
    ),
    size=5,
    deuces_wild=True,
)
"""Sheet 000, Appendices A and C."""

SIX_DECK = Sheet(
    (
        "suited five of a kind",
        "royal flush",
        "straight flush",
        "five of a kind",
        "four of a kind",
        "full house",
        "flush",
        "straight",
        "three of a kind",
        "two pair",
        "pair",
        "high card",
    ),
    size=5,
    decks=6,
)
"""Sheet 002, ranking a to k; A-K-Q-J-10 is the highest straight flush, and the tables call it a royal flush."""
