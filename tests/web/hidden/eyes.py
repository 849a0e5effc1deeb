"""Who sees which cards, read from the rule sheets a second time.

The program decides it in ``cardroom.games.view`` and nowhere else, so what is compared must not be asked of the
program: a view that shows too much would say itself that nothing was hidden. Rounds are looked at while they are
played; at the end all is open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from cardroom.games import Round, Verb
from cardroom.games.card_places import Pile, Place
from cardroom.hands import Category, best_three_wild

ALL: Final = 0
"""Everybody who has no cards of their own, as a viewer: who looks on, who sits there without a wager, a screen, the
log, the user who reads the books."""
Eyes = Callable[[Round, Place, int], bool]
"""Whether the cards at a place are seen by a seat, or by ``ALL``."""


def _own_hand(_: Round, place: Place, seat: int) -> bool:
    """Three Card Prime, rule 1: no user may inspect the fourth card, and the dealer's cards lie face down. Texas
    Shootout and 3 Card Double Play: the dealer's hand is shown when all decisions are made."""
    return place.pile is Pile.HAND and place.seat is not None and place.seat == seat


def _of_deuces_wild(played: Round, place: Place, seat: int) -> bool:
    """Rules 18 to 22: one's own three cards, unless one wagers on the jackpot alone; the fourth after the Play wager;
    never the fifth, never a community card. Rule 20: who wins Three Card Treasure turns the three cards over."""
    if place.seat is None:
        return False
    wagers = played.bets[place.seat]
    if place.pile is Pile.HAND:
        if "three-card-treasure" in wagers and best_three_wild(played.hand(place.seat)).category not in _LOSING:
            return True
        return place.seat == seat and set(wagers) != {"bonus-jackpot"}
    return place.pile is Pile.FOURTH and place.seat == seat and played.has_decided(seat, "play", Verb.PLAY)


_LOSING: Final = (Category.PAIR, Category.HIGH_CARD)


def _all_but_burnt(_: Round, place: Place, __: int) -> bool:
    """Dueling for Dollars: every card is dealt face up."""
    return place.pile is not Pile.BURN


EYES: Final[Mapping[str, Eyes]] = {
    "deuces-wild": _of_deuces_wild,
    "three-card-prime": _own_hand,
    "texas-shootout": _own_hand,
    "dueling-for-dollars": _all_but_burnt,
    "three-card-double-play": _own_hand,
}
