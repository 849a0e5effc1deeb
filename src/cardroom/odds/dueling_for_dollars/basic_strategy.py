"""The basic strategy for ties: the lowest rank with which to go to war."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from cardroom.cards import Rank
from cardroom.odds.dueling_for_dollars.best_strategy import duel_payoffs, first_pairs, leads, war_value
from cardroom.odds.pricer import BasicStrategy, StrategyRule
from cardroom.translation import gettext


class _Candidate(NamedTuple):
    """A strategy and its return over all deals."""

    rule: str
    war_ranks: frozenset[Rank]
    returns: Fraction


def basic_strategy(spot: str, bonus: bool, decks: int) -> BasicStrategy:
    """The best strategy with a lowest rank to go to war with, or with no war at all."""
    deals = 52 * decks * (52 * decks - 1)
    candidates, best = _candidates(spot, bonus, decks)
    chosen = _best_candidate(candidates)
    rules = [StrategyRule(chosen.rule)]
    if 0 < len(chosen.war_ranks) < len(Rank):
        rules.append(StrategyRule(gettext("surrender the other ties")))
    return BasicStrategy(tuple(rules), chosen.returns / deals, best / deals)


def basic_war_ranks(spot: str, bonus: bool, decks: int) -> frozenset[Rank]:
    """The ranks whose ties go to war under the basic strategy."""
    return _best_candidate(_candidates(spot, bonus, decks)[0]).war_ranks


def _best_candidate(candidates: list[_Candidate]) -> _Candidate:
    return max(candidates, key=lambda candidate: candidate.returns)


def _candidates(spot: str, bonus: bool, decks: int) -> tuple[list[_Candidate], Fraction]:
    """The candidates: war with every rank as the lowest, and no war; and the return of the best strategy. Of equal
    candidates the first in this order is chosen: always, never, then the lower rank."""
    payoffs = duel_payoffs(spot, bonus)
    surrender_return = Fraction(0)
    gains: dict[Rank, Fraction] = {}  # the gain of war over surrender on a tie of this rank
    for player_rank, community, ways, remaining in first_pairs(decks):
        lead = leads(spot)[player_rank, community]
        if lead:
            surrender_return += ways * (payoffs.win if lead > 0 else payoffs.loss).net
        else:
            surrender_return += ways * payoffs.surrender.net
            gains[player_rank] = ways * (war_value(spot, bonus, remaining) - payoffs.surrender.net)
    returns = {
        lowest: surrender_return + sum((gains[rank] for rank in Rank if rank >= lowest), Fraction(0)) for lowest in Rank
    }
    candidates = [
        _Candidate(gettext("always go to war on a tie"), frozenset(Rank), returns.pop(Rank.TWO)),
        _Candidate(gettext("surrender every tie"), frozenset(), surrender_return),
        *(
            _Candidate(
                gettext("go to war on a tie of {ranks} or higher").format(ranks=lowest.plural),
                frozenset(rank for rank in Rank if rank >= lowest),
                total,
            )
            for lowest, total in returns.items()
        ),
    ]
    return candidates, surrender_return + sum((max(gain, Fraction(0)) for gain in gains.values()), Fraction(0))
