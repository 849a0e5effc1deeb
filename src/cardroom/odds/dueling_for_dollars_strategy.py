"""A strategy for ties that a person can remember: the lowest rank with which to go to war."""

from __future__ import annotations

from fractions import Fraction

from cardroom.cards import Rank
from cardroom.odds.dueling_for_dollars_war import first_twos, leads, results, war_value
from cardroom.odds.pricer import Rule, SimpleStrategy


def war_or_surrender(spot: str, bonus: bool, decks: int) -> SimpleStrategy:
    """Try going to war with every rank as the lowest, and never, and take the best; of equals the first in this order:
    always, never, then the lower rank."""
    deals = 52 * decks * (52 * decks - 1)
    here = results(spot, bonus)
    untied, surrendered = Fraction(0), Fraction(0)
    gained: dict[Rank, Fraction] = {}  # by going to war with a tie of this rank
    for mine, community, ways, left in first_twos(decks):
        lead = leads(spot)[mine, community]
        if lead:
            untied += ways * (here.win if lead > 0 else here.loss).net
        else:
            surrendered += ways * here.surrender.net
            gained[mine] = ways * (war_value(spot, bonus, left) - here.surrender.net)
    never = untied + surrendered
    returns = {lowest: never + sum((gained[rank] for rank in Rank if rank >= lowest), Fraction(0)) for lowest in Rank}
    always = returns.pop(Rank.TWO)
    strategies = [("always go to war on a tie", always), ("surrender every tie", never)]
    strategies += [(f"go to war on a tie of {lowest.plural} or higher", total) for lowest, total in returns.items()]
    rule, total = max(strategies, key=lambda strategy: strategy[1])
    rules = [Rule(rule)] if total in (always, never) else [Rule(rule), Rule("surrender the other ties")]
    best = never + sum((max(gain, Fraction(0)) for gain in gained.values()), Fraction(0))
    return SimpleStrategy(tuple(rules), total / deals, best / deals)
