"""Cards as they lie on the felt: the table's piles, and a seat's, hand by hand once the player has laid them out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from cardroom.cards import Card
from cardroom.games.decisions import Decision
from cardroom.games.layout_words import GROUP_NAMES, pile_name
from cardroom.games.places import Pile, Place
from cardroom.games.view import View

Seen: TypeAlias = Card | None
"""A card, or the back of one."""

OF_THE_TABLE: Final = (Pile.HAND, Pile.COMMUNITY, Pile.WAR_COMMUNITY, Pile.ADDED_COMMUNITY)


class Lying(NamedTuple):
    """Some cards that lie together, and what the layout calls them."""

    name: str
    cards: Sequence[Seen]
    place: Place


def table_piles(seen: View, plays: Callable[[Sequence[Card]], Sequence[Card]] = tuple) -> Iterator[Lying]:
    """The dealer's hand and the community cards. Once the dealer's cards lie open, those that play (``plays`` says
    which) lie apart from those that are put aside."""
    for pile in OF_THE_TABLE:
        place = Place(pile)
        cards = seen.piles.get(place)
        if cards and pile is Pile.HAND:
            yield from _dealers(cards, place, plays)
        elif cards:
            yield Lying(pile_name(pile), cards, place)


def _dealers(cards: Sequence[Seen], place: Place, plays: Callable[[Sequence[Card]], Sequence[Card]]) -> Iterator[Lying]:
    known = [card for card in cards if card is not None]
    kept = tuple(plays(known)) if len(known) == len(cards) else tuple(known)
    aside = without(known, (kept,))
    if not aside:
        yield Lying("dealer", highest_first(cards), place)
    else:
        yield Lying("dealer plays", highest_first(kept), place)
        yield Lying("put aside", highest_first(aside), place)


def seat_piles(seen: View, seat: int, *, hand: str = "you") -> Iterator[Lying]:
    """A seat's cards: as they were dealt or, once it has kept, split or set them, hand by hand."""
    for place, cards in seen.piles.items():
        if place.seat != seat:
            continue
        laid_out = arrangement(seen.decisions, seat) if place.pile is Pile.HAND else None
        known = [card for card in cards if card is not None]
        if laid_out is None or len(known) < len(cards):
            yield Lying(hand if place.pile is Pile.HAND else pile_name(place.pile), highest_first(cards), place)
            continue
        names = GROUP_NAMES[laid_out.verb]
        yield from (Lying(name, group, place) for name, group in zip(names, laid_out.groups, strict=True))
        aside = without(known, laid_out.groups)
        if aside:
            yield Lying("put aside", aside, place)


def highest_first(cards: Sequence[Seen]) -> Sequence[Seen]:
    """The highest card first, as players hold them; backs stay behind."""
    return sorted(cards, key=lambda card: -1 if card is None else card.code, reverse=True)


def arrangement(decisions: Mapping[tuple[int, str], object], seat: int) -> Decision | None:
    """The last answer that laid the seat's hand out in groups."""
    made: Decision | None = None
    for (who, _), decision in decisions.items():
        if who == seat and isinstance(decision, Decision) and decision.verb in GROUP_NAMES:
            made = decision
    return made


def without(cards: Sequence[Card], groups: Sequence[Sequence[Card]]) -> tuple[Card, ...]:
    """The cards that are in no group."""
    left = Counter(cards)
    left.subtract(card for group in groups for card in group)
    return tuple(left.elements())
