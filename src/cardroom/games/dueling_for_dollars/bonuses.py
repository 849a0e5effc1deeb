"""The four bonus wagers of Dueling for Dollars (sheet 003, Appendices A to D): which lines the cards meet.

Each wager is one integer function over rows of card codes. A row starts with the player's card and the community
card. What the function gives is a place in the tuple beside it, and there stand all the lines that such cards meet,
the best one first: the printed tables differ in the lines they have.

>>> from cardroom.cards import parse_cards
>>> matching_lines("combo", parse_cards("As 2s"))
('straight-flush', 'straight', 'flush', 'straight-or-flush')
>>> matching_lines("two-plus-two", parse_cards("Ks As 2s 3s"))
('three-card-straight-flush', 'starting-straight-flush')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card
from cardroom.hands import straight_flush_top
from cardroom.hands.strength import row_straight_flush_top
from cardroom.kernels import inline_rule, rule

Codes: TypeAlias = NDArray[np.uint8]
Lines: TypeAlias = tuple[str, ...]

_ACE: Final = 14


@inline_rule
def _rank(hands: Codes, row: int, card: int) -> np.int64:
    """From 0 for a two to 12 for an ace."""
    return np.int64(hands[row, card]) >> 2


@inline_rule
def _suit(hands: Codes, row: int, card: int) -> np.int64:
    return np.int64(hands[row, card]) & 3


@inline_rule
def _is_red(hands: Codes, row: int, card: int) -> int:
    """1 for diamonds and hearts, 0 for clubs and spades."""
    return 1 if np.int64(hands[row, card]) & 3 in (1, 2) else 0


# Appendix A: Tie Plus. The first two cards form a pair.

TIE_PLUS: Final[tuple[Lines, ...]] = (("suited-pair-tie",), ("unsuited-pair-tie",), ("not-a-tie",))
_SUITED_TIE, _UNSUITED_TIE, _NO_TIE = range(3)


@rule
def tie_plus(hands: Codes, row: int) -> int:
    """Tie Plus: a place in ``TIE_PLUS`` for the first two cards of row ``row``."""
    if _rank(hands, row, 0) != _rank(hands, row, 1):
        return _NO_TIE
    return _SUITED_TIE if _suit(hands, row, 0) == _suit(hands, row, 1) else _UNSUITED_TIE


# Appendix B: Combo Bet. A pair is a pair, suited or not, and no flush (DD-2).

COMBO: Final[tuple[Lines, ...]] = (
    ("straight-flush", "straight", "flush", "straight-or-flush"),
    ("straight", "straight-or-flush"),
    ("flush", "straight-or-flush"),
    ("pair",),
    ("no-combo",),
)
_STRAIGHT_FLUSH, _STRAIGHT, _FLUSH, _PAIR, _NO_COMBO = range(5)


@rule
def combo(hands: Codes, row: int) -> int:
    """Combo Bet: a place in ``COMBO`` for the first two cards of row ``row``."""
    distance = abs(_rank(hands, row, 0) - _rank(hands, row, 1))
    if distance == 0:
        return _PAIR
    connected = distance in (1, 12)  # the ace connects with the king and with the two (DD-1)
    suited = _suit(hands, row, 0) == _suit(hands, row, 1)
    if connected:
        return _STRAIGHT_FLUSH if suited else _STRAIGHT
    return _FLUSH if suited else _NO_COMBO


# Appendix C: Tie After Tie Jackpot. Color looks at the cards that make the event: four, three or two (DD-5). Trips
# are the tie and exactly one of the two war cards (DD-8).

TIE_AFTER_TIE: Final[tuple[Lines, ...]] = (
    ("quads-same-suit",),
    ("quads-same-color",),
    ("quads-two-color",),
    ("two-pairs-same-color",),
    ("trips-same-color",),
    ("trips-two-color",),
    ("two-pairs-two-color",),
    ("one-tie-one-color",),
    ("one-tie-two-color",),
    ("not-a-tie",),
)
_QUADS_SUIT, _QUADS_COLOR, _QUADS, _PAIRS_COLOR, _TRIPS_COLOR, _TRIPS, _PAIRS, _TIE_COLOR, _TIE, _MISS = range(10)


@rule
def tie_after_tie(hands: Codes, row: int) -> int:
    """Tie After Tie: a place in ``TIE_AFTER_TIE`` for the player's card, the community card, the player's war card
    and the war community card. A row of a player who surrenders has the first two only, and so at most One Tie."""
    tie_rank = _rank(hands, row, 0)
    if _rank(hands, row, 1) != tie_rank:
        return _MISS
    reds = _is_red(hands, row, 0) + _is_red(hands, row, 1)
    if hands.shape[1] == 2:
        return _TIE if reds == 1 else _TIE_COLOR
    war, war_community = _rank(hands, row, 2), _rank(hands, row, 3)
    if war == war_community:
        reds += _is_red(hands, row, 2) + _is_red(hands, row, 3)
        one_color = reds in (0, 4)
        if war != tie_rank:
            return _PAIRS_COLOR if one_color else _PAIRS
        suit = _suit(hands, row, 0)
        if _suit(hands, row, 1) == suit and _suit(hands, row, 2) == suit and _suit(hands, row, 3) == suit:
            return _QUADS_SUIT
        return _QUADS_COLOR if one_color else _QUADS
    if tie_rank in (war, war_community):
        reds += _is_red(hands, row, 2 if war == tie_rank else 3)
        return _TRIPS_COLOR if reds in (0, 3) else _TRIPS
    return _TIE if reds == 1 else _TIE_COLOR


# Appendix D: 2 + 2 Jackpot. Three of the four cards are any three, also across the start (DD-6, DD-9).

TWO_PLUS_TWO: Final[tuple[Lines, ...]] = (
    ("royal-flush", "four-card-straight-flush", "three-card-straight-flush", "starting-straight-flush"),
    ("four-card-straight-flush", "three-card-straight-flush", "starting-straight-flush"),
    ("four-of-a-kind", "three-of-a-kind", "starting-pair"),
    ("three-card-straight-flush", "starting-straight-flush"),
    ("three-card-straight-flush", "starting-pair"),
    ("three-of-a-kind", "starting-straight-flush"),
    ("three-of-a-kind", "starting-pair"),
    ("starting-straight-flush",),
    ("starting-pair",),
    ("no-starting-hand",),
)
_ROYAL, _FOUR_RUN, _FOUR_ALIKE, _THREE_RUN, _THREE_ALIKE, _START, _NO_START = 0, 1, 2, 3, 5, 7, 9


@rule
def two_plus_two(hands: Codes, row: int) -> int:
    """2 + 2: a place in ``TWO_PLUS_TWO`` for the player's card, the community card and the two added ones. They are
    dealt only when a start qualifies, so a row without a start may have two cards."""
    start = combo(hands, row)
    if start not in (_PAIR, _STRAIGHT_FLUSH):
        return _NO_START
    pair_offset = 1 if start == _PAIR else 0  # the line after that of a starting straight flush
    top = row_straight_flush_top(hands, row, 4)
    if top:
        return _ROYAL if top == _ACE else _FOUR_RUN
    # Three alike among four cards include one of the first two.
    alike_first, alike_community = 0, 0
    for card in range(4):
        alike_first += _rank(hands, row, card) == _rank(hands, row, 0)
        alike_community += _rank(hands, row, card) == _rank(hands, row, 1)
    alike = max(alike_first, alike_community)
    if alike == 4:
        return _FOUR_ALIKE
    if row_straight_flush_top(hands, row, 3):
        return _THREE_RUN + pair_offset
    return (_THREE_ALIKE if alike == 3 else _START) + pair_offset


class DuelBonus(NamedTuple):
    """A bonus wager: the lines that each kind of hand meets, and the function that tells the kind."""

    lines_by_kind: tuple[Lines, ...]
    classify: Callable[[Codes, int], int]


BONUSES: Final = {
    "tie-plus": DuelBonus(TIE_PLUS, tie_plus),
    "combo": DuelBonus(COMBO, combo),
    "tie-after-tie": DuelBonus(TIE_AFTER_TIE, tie_after_tie),
    "two-plus-two": DuelBonus(TWO_PLUS_TWO, two_plus_two),
}
"""By the wager's slug."""


def matching_lines(wager: str, cards: Sequence[Card]) -> Lines:
    """All lines of a bonus wager that these cards meet, the best one first."""
    return BONUSES[wager].lines_by_kind[_classify(wager, tuple([card.code for card in cards]))]


@lru_cache(maxsize=16_384)  # there are 2,704 starts, and every round asks for some of them
def _classify(wager: str, card_codes: tuple[int, ...]) -> int:
    return BONUSES[wager].classify(np.array((card_codes,), np.uint8), 0)


def is_two_plus_two_start(player: Card, community: Card) -> bool:
    """Whether a start qualifies for 2 + 2: a pair or a two-card straight flush.

    >>> from cardroom.cards import parse_card
    >>> ace = parse_card("As")
    >>> is_two_plus_two_start(ace, parse_card("2s")), is_two_plus_two_start(ace, parse_card("Qs"))
    (True, False)
    """
    return _classify("combo", (player.code, community.code)) in (_PAIR, _STRAIGHT_FLUSH)


def event_cards(event: str, cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards to show for an event that these cards meet.

    >>> from cardroom.cards import parse_cards
    >>> event_cards("trips-two-color", parse_cards("9s 9h 4d 9c"))
    (Card('9s'), Card('9h'), Card('9c'))
    """
    if event.startswith(("trips", "three-of-a-kind")):
        [(rank, _)] = Counter(card.rank for card in cards).most_common(1)
        return tuple(card for card in cards if card.rank == rank)
    if event == "three-card-straight-flush":
        return max(combinations(cards, 3), key=lambda three: straight_flush_top(three, 3))
    if event.startswith(("quads", "two-pairs", "royal", "four")):
        return tuple(cards)
    return tuple(cards[:2])
