"""Claims of one round tell of the same cards: the dealer's and the community's are everybody's, and a seat has one hand
whatever it wagers on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from cardroom.cards import Deck, parse_card
from cardroom.games import game
from cardroom.games.setup import setup_from_json
from cardroom.jackpots.claim.earlier import Cards, EarlierClaim
from cardroom.jackpots.claim.winning import BadClaim
from cardroom.jackpots.happenings import PrizesWon


def refuse_contradiction(won: PrizesWon, others: Iterable[tuple[str, EarlierClaim]]) -> None:
    """Refuse cards that contradict what other claims of the round, on whichever jackpot, have told. ``others``
    come with the names of their jackpots. Of a hand some may tell fewer cards than others: in Texas Shootout the two
    that were kept."""
    known = {place: tuple(pile) for place, pile in won.record["cards"].items()}
    for other, one in others:
        for place, pile in one.cards.items():
            here = known.setdefault(place, pile)
            if not Counter(here) <= Counter(pile) and not Counter(pile) <= Counter(here):
                raise _told_otherwise(won, place, other, one)
            known[place] = max(here, pile, key=len)
    deck = game(won.game).open(setup_from_json(won.played["table"])).deck
    for name, number, most in too_often(deck, known):
        raise BadClaim(
            f"In round {won.round} of table {won.table} {name} would lie there {number} times with what other "
            f"claims have told; the cards have it {most} time{'s' * (most != 1)}. Check the cards."
        )


def too_often(deck: Deck, piles: Cards) -> Iterator[tuple[str, int, int]]:
    """The cards of which more are on a table than the deck has: how many there are, and how many it has."""
    for name, number in Counter(name for pile in piles.values() for name in pile).items():
        if number > (most := deck.count_copies(parse_card(name))):
            yield name, number, most


def fullest(*sources: Cards) -> Cards:
    """The cards by place, each place from the source that has most of its cards."""
    places = dict.fromkeys(place for source in sources for place in source)
    return {place: max((source.get(place, ()) for source in sources), key=len) for place in places}


def _told_otherwise(won: PrizesWon, place: str, jackpot: str, other: EarlierClaim) -> BadClaim:
    before, here = " ".join(other.cards[place]), " ".join(won.record["cards"].get(place, ()))
    source = f"in claim {other.claim}" if other.claim else "when a prize was paid"
    return BadClaim(
        f"In round {won.round} of table {won.table} the cards at {place!r} were {before} {source}, and are {here} now:"
        f" claims of one round agree. Check the cards. Were those of before wrong? {other.advice(jackpot)}."
    )
