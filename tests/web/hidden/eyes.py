"""Which viewer sees which cards, read from the rule sheets a second time.

The program decides this in ``cardroom.games.view`` only, so the test must not use that code: a view that shows too much
would also claim that nothing is hidden. These rules apply during a round; at its end all cards are open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from cardroom.games import Round, Verb
from cardroom.games.card_places import Pile, Place
from cardroom.hands import Category, best_three_wild

ALL: Final = 0
"""Every viewer without cards: an onlooker, a seated player without a wager, a screen, the log, and a reader of the
ledger."""
Eyes = Callable[[Round, Place, int], bool]
"""Whether a seat, or ``ALL``, sees the cards at a place."""


def _sees_own_hand(_: Round, place: Place, seat: int) -> bool:
    """Three Card Prime, rule 1: no player may look at the fourth card, and the dealer's cards are face down. Texas
    Shootout and 3 Card Double Play: the dealer's hand is shown after all decisions."""
    return place.pile is Pile.HAND and place.seat is not None and place.seat == seat


def _sees_in_deuces_wild(played: Round, place: Place, seat: int) -> bool:
    """Rules 18 to 22: a player sees the player's own three cards, except with a wager on the jackpot alone; the
    fourth after the Play wager; never the fifth and never a community card. Rule 20: a winner of Three Card Treasure
    turns the three cards over."""
    if place.seat is None:
        return False
    wagers = played.bets[place.seat]
    if place.pile is Pile.HAND:
        if "three-card-treasure" in wagers and best_three_wild(played.hand(place.seat)).category not in _LOSING:
            return True
        return place.seat == seat and set(wagers) != {"bonus-jackpot"}
    return place.pile is Pile.FOURTH and place.seat == seat and played.has_decided(seat, "play", Verb.PLAY)


_LOSING: Final = (Category.PAIR, Category.HIGH_CARD)


def _sees_all_but_burned(_: Round, place: Place, __: int) -> bool:
    """Dueling for Dollars: every card is dealt face up."""
    return place.pile is not Pile.BURN


EYES: Final[Mapping[str, Eyes]] = {
    "deuces-wild": _sees_in_deuces_wild,
    "three-card-prime": _sees_own_hand,
    "texas-shootout": _sees_own_hand,
    "dueling-for-dollars": _sees_all_but_burned,
    "three-card-double-play": _sees_own_hand,
}
