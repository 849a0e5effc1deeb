"""A strategy for ties that a person can remember: the lowest rank with which to go to war."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from cardroom.cards import Rank
from cardroom.odds.dueling_for_dollars.war import first_twos, leads, results, war_value
from cardroom.odds.pricer import Rule, SimpleStrategy


class _Tried(NamedTuple):
    """A strategy that was tried, and what it returns over all deals."""

    rule: str
    at_war: frozenset[Rank]
    returns: Fraction


def war_or_surrender(spot: str, bonus: bool, decks: int) -> SimpleStrategy:
    """The best strategy with a lowest rank to go to war with, or with no war at all."""
    deals = 52 * decks * (52 * decks - 1)
    tried, best = _all_tried(spot, bonus, decks)
    chosen = _chosen(tried)
    rules = [Rule(chosen.rule)]
    if 0 < len(chosen.at_war) < len(Rank):
        rules.append(Rule("surrender the other ties"))
    return SimpleStrategy(tuple(rules), chosen.returns / deals, best / deals)


def simple_wars(spot: str, bonus: bool, decks: int) -> frozenset[Rank]:
    """The ranks whose ties go to war under the simple strategy."""
    return _chosen(_all_tried(spot, bonus, decks)[0]).at_war


def _chosen(tried: list[_Tried]) -> _Tried:
    return max(tried, key=lambda one: one.returns)


def _all_tried(spot: str, bonus: bool, decks: int) -> tuple[list[_Tried], Fraction]:
    """Going to war with every rank as the lowest, and never; and what the best play returns. Of equals the first in
    this order is chosen: always, never, then the lower rank."""
    here = results(spot, bonus)
    never = Fraction(0)
    gained: dict[Rank, Fraction] = {}  # by going to war with a tie of this rank
    for mine, community, ways, left in first_twos(decks):
        lead = leads(spot)[mine, community]
        if lead:
            never += ways * (here.win if lead > 0 else here.loss).net
        else:
            never += ways * here.surrender.net
            gained[mine] = ways * (war_value(spot, bonus, left) - here.surrender.net)
    returns = {lowest: never + sum((gained[rank] for rank in Rank if rank >= lowest), Fraction(0)) for lowest in Rank}
    tried = [
        _Tried("always go to war on a tie", frozenset(Rank), returns.pop(Rank.TWO)),
        _Tried("surrender every tie", frozenset(), never),
        *(
            _Tried(
                f"go to war on a tie of {lowest.plural} or higher",
                frozenset(rank for rank in Rank if rank >= lowest),
                total,
            )
            for lowest, total in returns.items()
        ),
    ]
    return tried, never + sum((max(gain, Fraction(0)) for gain in gained.values()), Fraction(0))
