"""The bonus features of Texas Shootout: Color Bonus, Envy Bonus, Share the Wealth and Five Ace Frenzy.

A feature rides on a proposition wager that reaches the qualifying amount; the lammer beside the chips records it
(TS-6). One feature a wager, and Envy or Share the Wealth on one wager of the table only (TS-5): the table's set-up
sees to that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final, NamedTuple

from cardroom.cards import Card, Rank
from cardroom.games.round import Round
from cardroom.games.settlement import Payment, fixed
from cardroom.games.setup import TableSetup
from cardroom.games.spot import Feature
from cardroom.games.table import Fault, Offered, OfferedFeature
from cardroom.hands import Category, Hand


class FeatureKind(StrEnum):
    """The features of the proposition wagers (TS-5)."""

    COLOR = "color"
    ENVY = "envy"
    SHARE_THE_WEALTH = "share-the-wealth"
    FIVE_ACE_FRENZY = "five-ace-frenzy"


def _feature(kind: FeatureKind, name: str, tables: str) -> Feature:
    return Feature(kind, name, tables, rule="TS-5", qualifying_rule="TS-6")


COLOR: Final = _feature(FeatureKind.COLOR, "Color Bonus", "color")
ENVY: Final = _feature(FeatureKind.ENVY, "Envy Bonus", "envy-or-share")
SHARE_THE_WEALTH: Final = _feature(FeatureKind.SHARE_THE_WEALTH, "Share the Wealth Bonus", "envy-or-share")
FIVE_ACE_FRENZY: Final = _feature(FeatureKind.FIVE_ACE_FRENZY, "Five Ace Frenzy", "five-ace-frenzy")

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

_SHARED: Final = (FeatureKind.ENVY, FeatureKind.SHARE_THE_WEALTH)

ONLY_HAND: Final = "hand"
FIRST_HAND: Final = "first hand"
SECOND_HAND: Final = "second hand"


class PlayerHand(NamedTuple):
    """A hand that a player has brought to the end of the round; a split gives a seat two of them."""

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
    def same_color(self) -> bool:
        """Whether all seven cards are red, or all black."""
        return len({card.is_red for card in self.seven}) == 1

    @property
    def five_aces(self) -> bool:
        """Whether the best five cards are aces, of one suit or not."""
        return all(card.rank is Rank.ACE for card in self.best.cards)


def shared_feature_faults(setup: TableSetup) -> Iterator[Fault]:
    """Envy or Share the Wealth stand on one wager of the table only (TS-5)."""
    used = [slug for slug, wager in setup.wagers.items() if wager.feature and wager.feature.kind in _SHARED]
    if len(used) > 1:
        sentence = (
            f"Envy or Share the Wealth may be used on one wager of the table only; it is on {' and '.join(used)}."
        )
        yield Fault("features", sentence, "TS-5")


def feature_on(r: Round, seat: int, spot: str) -> OfferedFeature | None:
    """The feature that a seat's wager has qualified for, if any (TS-6)."""
    return qualified(r.table.spots[spot], r.wagered(seat, spot)) if spot in r.bets[seat] else None


def qualified(offered: Offered, wager: int) -> OfferedFeature | None:
    """The feature that a wager of so many cents qualifies for, if any."""
    feature = offered.feature
    return feature if feature is not None and wager >= feature.qualifying else None


def lammers(r: Round) -> tuple[tuple[int, str], ...]:
    """Where a lammer lies beside the chips: each seat and spot whose wager has qualified for a feature."""
    return tuple((seat, spot) for seat, spots in r.bets.items() for spot in spots if feature_on(r, seat, spot))


def feature_prizes(
    feature: OfferedFeature, spot: str, own: PlayerHand, players: Sequence[PlayerHand]
) -> Iterator[Payment]:
    """What a qualifying wager on one hand wins by its feature; ``players`` are all the players' hands at the table,
    with the wager or without. The dealer's hand wins nobody anything."""
    kind = FeatureKind(feature.kind)
    for hand in _looked_at(kind, own, players):
        line = feature.paytable.first(_met(kind, hand))
        if line is not None:
            stake = kind.replace("-", " ")
            words, cards = _told(kind, own, hand)
            prize = fixed(own.seat, spot, stake, 0, line.event, words, cards, line.pay)
            yield prize if hand.seat == own.seat else replace(prize, hand_of=hand.seat)


def _looked_at(kind: FeatureKind, own: PlayerHand, players: Sequence[PlayerHand]) -> Sequence[PlayerHand]:
    match kind:
        case FeatureKind.COLOR | FeatureKind.FIVE_ACE_FRENZY:
            return (own,)
        case FeatureKind.ENVY:
            # Never the hand that the wager rides on, but the same player's other hand.
            return [hand for hand in players if hand != own]
        case FeatureKind.SHARE_THE_WEALTH:
            return players


def _met(kind: FeatureKind, hand: PlayerHand) -> tuple[str, ...]:
    match kind:
        case FeatureKind.COLOR:
            return ("seven-cards-same-color",) if hand.same_color else ()
        case FeatureKind.FIVE_ACE_FRENZY:
            return ("five-aces",) if hand.five_aces else ()
        case FeatureKind.ENVY | FeatureKind.SHARE_THE_WEALTH:
            return hand.events


def _told(kind: FeatureKind, own: PlayerHand, hand: PlayerHand) -> tuple[str, tuple[Card, ...]]:
    """The hand that won the prize in words, and its cards."""
    if kind is FeatureKind.COLOR:
        what, cards = ("seven red cards" if hand.seven[0].is_red else "seven black cards"), hand.seven
    else:
        what, cards = hand.best.words, hand.best.cards
    carried = "" if own == hand or own.name == ONLY_HAND else f", for the wager on the {own.name}"
    return f"seat {hand.seat}'s {hand.name}: {what}{carried}", cards
