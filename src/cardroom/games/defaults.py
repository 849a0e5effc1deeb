"""A set-up that opens as it is: every wager of a game, the first printed table that needs nothing from the operator."""

from __future__ import annotations

from cardroom.games.book import game
from cardroom.games.setup import Limits, TableSetup, WagerSetup
from cardroom.games.spot import GameFacts, Wager
from cardroom.games.table import deck_in_use
from cardroom.paytables import Paytable, paytables

# The amount that fills an open line when no printed table is without one, so that a table can be tried out.
TRYOUT_PRIZE = "$5,000"


def default_setup(slug: str, *, seats: int = 6, jurisdiction: str = "washington") -> TableSetup:
    """A set-up for trying a game out.

    >>> game("three-card-prime").open(default_setup("three-card-prime")).offered["all-six"].paytable.name
    'A6-1'
    """
    facts = game(slug).facts
    bare = TableSetup(facts.slug, {}, seats=seats, jurisdiction=jurisdiction)
    wagers = {
        wager.slug: _wager(facts, wager, place, deck_in_use(bare, facts).decks)
        for place, wager in enumerate(facts.wagers, 1)
    }
    return TableSetup(facts.slug, wagers, seats=seats, jurisdiction=jurisdiction)


def _wager(facts: GameFacts, wager: Wager, place: int, decks: int) -> WagerSetup:
    table = _table(facts, wager, decks)
    bonuses = dict.fromkeys(table.missing_bonuses({}), TRYOUT_PRIZE)
    if wager.jackpot:
        amounts = wager.jackpot.amounts or (1_00,)
        return WagerSetup(Limits(min(amounts), max(amounts), 1_00), table.name, bonuses)
    if place == 1:
        return WagerSetup(Limits(10_00, 200_00, 10_00), table.name, bonuses)
    # Whoever makes four wagers makes one of those from the fourth spot on, so that five dollars there keep every
    # choice of spots within the limit on a fourth wager (GEN-1).
    most = 5_00 if place >= 4 else 100_00
    return WagerSetup(Limits(1_00, most, 1_00), table.name, bonuses)


def _table(facts: GameFacts, wager: Wager, decks: int) -> Paytable:
    fitting = [table for table in paytables(facts.slug, wager.slug) if not table.decks or decks in table.decks]
    return next((table for table in fitting if table.is_numeric), fitting[0])
