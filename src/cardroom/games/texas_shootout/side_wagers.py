"""The Quick Draw wager of Texas Shootout (sheet 002, Appendix A; TS-4), and the bonus features.

The features are Color Bonus, Envy Bonus, Share the Wealth, and Five Ace Frenzy. A feature rides on a proposition wager
that reaches the qualifying amount; the lammer beside the chips records it (TS-6). A wager has one feature, and only one
wager of the table has Envy or Share the Wealth (TS-5): the check of the setup ensures that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, Rank
from cardroom.enums import TypeableEnum
from cardroom.games.game_facts import Feature
from cardroom.games.playable_table import FeatureOffer, SetupFault, WagerOffer
from cardroom.games.round import Round
from cardroom.games.settlement import Payment, fixed_payment
from cardroom.games.setup import TableSetup
from cardroom.hands import FOUR_CARD, Category, Hand, HandClass, compute_strength
from cardroom.hands.lookup_tables import LookupTables
from cardroom.hands.ranking import SUITED_CATEGORIES, find_categories
from cardroom.hands.strength import Codes, strength
from cardroom.kernels import kernel
from cardroom.translation import gettext

# Appendix A from the top line down. A hand meets each line that its four cards hold: a royal flush is a straight flush
# too, a pair of kings is also one of eights or better, so that a table without a line pays on the next (TS-4).
QUICK_DRAW_EVENTS: Final = (
    "four-of-a-kind-suited",
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "straight",
    "flush",
    "three-of-a-kind",
    "two-pair",
    "suited-pair",
    "pair-of-jacks-or-better",
    "pair-of-eights-or-better",
    "any-pair",
)
_SUITED_PAIR: Final = 1 << QUICK_DRAW_EVENTS.index("suited-pair")

_EVENT_BY_CATEGORY: Final = {
    Category.FOUR_OF_A_KIND_SUITED: "four-of-a-kind-suited",
    Category.ROYAL_FLUSH: "royal-flush",
    Category.STRAIGHT_FLUSH: "straight-flush",
    Category.FOUR_OF_A_KIND: "four-of-a-kind",
    Category.STRAIGHT: "straight",
    Category.FLUSH: "flush",
    Category.THREE_OF_A_KIND: "three-of-a-kind",
    Category.TWO_PAIR: "two-pair",
}


def _class_events(hand_class: HandClass) -> Iterator[str]:
    """The Quick Draw lines that every hand of a class meets; only a suited pair depends on more."""
    for category in find_categories(hand_class.ranks, suited=hand_class.category in SUITED_CATEGORIES):
        if category in _EVENT_BY_CATEGORY:
            yield _EVENT_BY_CATEGORY[category]
    pair_rank = max((rank for rank in hand_class.ranks if hand_class.ranks.count(rank) > 1), default=0)
    if pair_rank:
        yield "any-pair"
    if pair_rank >= Rank.EIGHT:
        yield "pair-of-eights-or-better"
    if pair_rank >= Rank.JACK:
        yield "pair-of-jacks-or-better"


@cache
def quick_draw_bits_by_strength() -> NDArray[np.uint16]:
    """By four-card strength: a bit for each of the ``QUICK_DRAW_EVENTS`` that the class meets, the top line lowest."""
    bits = [
        sum(1 << QUICK_DRAW_EVENTS.index(event) for event in _class_events(hand_class))
        for hand_class in FOUR_CARD.classes
    ]
    return np.array([0, *bits], dtype=np.uint16)


@kernel
def quick_draw_bits(hands: Codes, row: int, t: LookupTables, by_strength: NDArray[np.uint16]) -> int:
    """The ``QUICK_DRAW_EVENTS`` that the four cards in row ``row`` meet, a bit each. ``t`` are the four-card tables."""
    bits = int(by_strength[strength(hands, row, t)])
    for first_index in range(3):
        for second_index in range(first_index + 1, 4):
            if hands[row, first_index] == hands[row, second_index]:  # two identical cards
                bits |= _SUITED_PAIR
    return bits


def quick_draw_events(four: Sequence[Card]) -> tuple[str, ...]:
    """The lines of the Quick Draw tables that a player's first four cards meet, the best one first.

    >>> from cardroom.cards import parse_cards
    >>> quick_draw_events(parse_cards("Kh Kh 7c 2d"))
    ('suited-pair', 'pair-of-jacks-or-better', 'pair-of-eights-or-better', 'any-pair')
    """
    bits = _bits_by_strength()[compute_strength(FOUR_CARD, four)]
    return _events_from_bits(bits | _SUITED_PAIR if len({card.code for card in four}) < len(four) else bits)


@cache
def _bits_by_strength() -> list[int]:
    """The same bits in Python's own numbers, for a hand at a time."""
    bits: list[int] = quick_draw_bits_by_strength().tolist()
    return bits


@cache
def _events_from_bits(bits: int) -> tuple[str, ...]:
    return tuple(event for position, event in enumerate(QUICK_DRAW_EVENTS) if bits >> position & 1)


class FeatureKind(TypeableEnum, StrEnum):
    """The features of the proposition wagers (TS-5)."""

    COLOR = "color"
    ENVY = "envy"
    SHARE_THE_WEALTH = "share-the-wealth"
    FIVE_ACE_FRENZY = "five-ace-frenzy"


def _make_feature(kind: FeatureKind, name: str, tables: str) -> Feature:
    return Feature(kind, name, tables, rule="TS-5", qualifying_rule="TS-6")


COLOR: Final = _make_feature(FeatureKind.COLOR, "Color Bonus", "color")
ENVY: Final = _make_feature(FeatureKind.ENVY, "Envy Bonus", "envy-or-share")
SHARE_THE_WEALTH: Final = _make_feature(FeatureKind.SHARE_THE_WEALTH, "Share the Wealth Bonus", "envy-or-share")
FIVE_ACE_FRENZY: Final = _make_feature(FeatureKind.FIVE_ACE_FRENZY, "Five Ace Frenzy", "five-ace-frenzy")

# Appendices B and C: the lines that the best five cards meet, the best one first. A table that lacks a line pays the
# hand on the next line that it meets.
SHOOTOUT_EVENTS: Final = {
    Category.FIVE_OF_A_KIND_SUITED: (
        "five-of-a-kind-suited",
        "five-of-a-kind",
        "four-of-a-kind",
        "flush",
        "three-of-a-kind",
    ),
    Category.ROYAL_FLUSH: ("royal-flush", "straight-flush", "flush", "straight"),
    Category.STRAIGHT_FLUSH: ("straight-flush", "flush", "straight"),
    Category.FIVE_OF_A_KIND: ("five-of-a-kind", "four-of-a-kind", "three-of-a-kind"),
    Category.FOUR_OF_A_KIND: ("four-of-a-kind", "three-of-a-kind"),
    Category.FULL_HOUSE: ("full-house", "three-of-a-kind"),
    Category.FLUSH: ("flush",),
    Category.STRAIGHT: ("straight",),
    Category.THREE_OF_A_KIND: ("three-of-a-kind",),
}

_SHARED_KINDS: Final = (FeatureKind.ENVY, FeatureKind.SHARE_THE_WEALTH)

ONLY_HAND: Final = "hand"
FIRST_HAND: Final = "first hand"
SECOND_HAND: Final = "second hand"


class PlayerHand(NamedTuple):
    """A hand that a player has at the end of the round; a split gives a seat two of them."""

    seat: int
    name: str
    """``hand``, or after a split ``first hand`` and ``second hand``."""
    seven: tuple[Card, ...]
    """The player's two cards and the five community cards."""
    best: Hand

    @property
    def events(self) -> tuple[str, ...]:
        """The lines of the Shootout Bonus and Jackpot tables that the hand meets, the best one first."""
        return SHOOTOUT_EVENTS.get(self.best.category, ())

    @property
    def is_one_color(self) -> bool:
        """Whether all seven cards are red, or all black."""
        return len({card.is_red for card in self.seven}) == 1

    @property
    def has_five_aces(self) -> bool:
        """Whether the best five cards are aces, of one suit or not."""
        return all(card.rank is Rank.ACE for card in self.best.cards)


def shared_feature_faults(setup: TableSetup) -> Iterator[SetupFault]:
    """Envy or Share the Wealth may be on one wager of the table only (TS-5)."""
    slugs = [slug for slug, wager in setup.wagers.items() if wager.feature and wager.feature.kind in _SHARED_KINDS]
    if len(slugs) > 1:
        sentence = (
            f"Envy or Share the Wealth may be used on one wager of the table only; it is on {' and '.join(slugs)}."
        )
        yield SetupFault("features", sentence, "TS-5")


def seat_feature(r: Round, seat: int, spot: str) -> FeatureOffer | None:
    """The feature that a seat's wager has qualified for, if any (TS-6)."""
    return qualifying_feature(r.table.spots[spot], r.wager_cents(seat, spot)) if spot in r.bets[seat] else None


def qualifying_feature(offer: WagerOffer, wager: int) -> FeatureOffer | None:
    """The feature that a wager of so many cents qualifies for, if any."""
    feature = offer.feature
    return feature if feature is not None and wager >= feature.qualifying else None


def lammer_spots(r: Round) -> tuple[tuple[int, str], ...]:
    """Where a lammer is beside the chips: each seat and spot whose wager has qualified for a feature."""
    return tuple((seat, spot) for seat, spots in r.bets.items() for spot in spots if seat_feature(r, seat, spot))


def pay_feature(
    feature: FeatureOffer, spot: str, carrying_hand: PlayerHand, players: Sequence[PlayerHand]
) -> Iterator[Payment]:
    """What a qualifying wager on one hand wins by its feature; ``players`` are all the players' hands at the table,
    with the wager or without. The dealer's hand wins no prize."""
    kind = FeatureKind(feature.kind)
    for hand in _eligible_hands(kind, carrying_hand, players):
        line = feature.paytable.find_matching_line(_feature_events(kind, hand))
        if line is not None:
            stake = kind.replace("-", " ")
            text, cards = _describe_prize(kind, carrying_hand, hand)
            prize = fixed_payment(carrying_hand.seat, spot, stake, 0, line.trigger, text, cards, line.pay)
            yield prize if hand.seat == carrying_hand.seat else replace(prize, hand_seat=hand.seat)


def _eligible_hands(
    kind: FeatureKind, carrying_hand: PlayerHand, players: Sequence[PlayerHand]
) -> Sequence[PlayerHand]:
    match kind:
        case FeatureKind.COLOR | FeatureKind.FIVE_ACE_FRENZY:
            return (carrying_hand,)
        case FeatureKind.ENVY:
            # Never the hand that the wager rides on, but the same player's other hand.
            return [hand for hand in players if hand != carrying_hand]
        case FeatureKind.SHARE_THE_WEALTH:
            return players


def _feature_events(kind: FeatureKind, hand: PlayerHand) -> tuple[str, ...]:
    match kind:
        case FeatureKind.COLOR:
            return ("seven-cards-same-color",) if hand.is_one_color else ()
        case FeatureKind.FIVE_ACE_FRENZY:
            return ("five-aces",) if hand.has_five_aces else ()
        case FeatureKind.ENVY | FeatureKind.SHARE_THE_WEALTH:
            return hand.events


def _describe_prize(kind: FeatureKind, carrying_hand: PlayerHand, hand: PlayerHand) -> tuple[str, tuple[Card, ...]]:
    """A description of the hand that won the prize, and its cards."""
    if kind is FeatureKind.COLOR:
        hand_text = gettext("seven red cards") if hand.seven[0].is_red else gettext("seven black cards")
        cards = hand.seven
    else:
        hand_text, cards = hand.best.description, hand.best.cards
    text = gettext("seat {seat}'s {name}: {hand}").format(seat=hand.seat, name=hand.name, hand=hand_text)
    if carrying_hand not in (hand, carrying_hand._replace(name=ONLY_HAND)):
        text = gettext("{outcome}, for the wager on the {name}").format(outcome=text, name=carrying_hand.name)
    return text, cards
