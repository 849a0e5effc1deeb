"""The best strategy of one seat, and its exact figures, found by visiting every situation of a round.

The search goes from group to group. A group contains all situations that the seat cannot tell apart: the seat has seen
the same cards, and what differs is hidden from it. Chance and the dealer act in each of them until the seat has a
decision or the round ends. At a decision, the situations are grouped by what the seat knows, and each decision is tried
on all situations of a group. So the best decision is the one with the best average over the hidden cards: no decision
uses a card that the seat does not see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import perm
from typing import Final, Generic, TypeAlias, TypeVar

from cardroom.cards import Deck
from cardroom.errors import BadInput
from cardroom.games import ChanceTurn, DealerTurn, Decision, Round, RoundEnd, SeatTurn
from cardroom.odds.generic.lazy_cards import RevealRequest, split_by_aspect
from cardroom.odds.generic.pricing_table import SEAT, PricingTable, SettledWager, group_outcomes, settle_wager
from cardroom.odds.generic.situation import InformationSet, LateInformation, Situation
from cardroom.odds.pricer import Progress, ignore_progress
from cardroom.odds.result import WagerOutcome

Utility: TypeAlias = tuple[Fraction, ...]
"""The value of a result to the seat; the first number counts, the next ones only between equals."""

E = TypeVar("E")


class SearchTooLarge(BadInput):
    """The game has more situations than the budget allows."""


@dataclass(frozen=True)
class PolicyEntry:
    """The decision of the best strategy for what the seat sees."""

    information_set: InformationSet
    decision: Decision
    share: Fraction
    """Of all deals."""


@dataclass
class SearchResult(Generic[E]):
    """The results of rounds under the best strategy, and its decisions."""

    counts: Counter[tuple[E, int]] = field(default_factory=Counter)
    """The number of deals, by result and number of revealed cards."""
    policy_entries: list[PolicyEntry] = field(default_factory=list)

    def add(self, other: SearchResult[E]) -> None:
        self.counts.update(other.counts)
        self.policy_entries += other.policy_entries

    def combinations(self, deck: Deck) -> dict[E, int]:
        """Ordered deals of the largest number of revealed cards."""
        max_cards = max(cards for _, cards in self.counts)
        combinations_by_end: dict[E, int] = {}
        for (end, cards), deal_count in self.counts.items():
            combinations_by_end[end] = combinations_by_end.get(end, 0) + deal_count * perm(
                deck.size - cards, max_cards - cards
            )
        return combinations_by_end


class Search(Generic[E]):
    """One search. ``settle`` returns the result of a finished round, ``utility`` its value to the seat."""

    def __init__(
        self,
        deck: Deck,
        settle: Callable[[Round], E],
        utility: Callable[[E], Utility],
        budget: int,
        progress: Progress = ignore_progress,
    ) -> None:
        self._deck, self._settle, self._utility = deck, settle, utility
        self._budget, self._progress = budget, progress
        self._situation_count, self._done_share, self._total_share = 0, 0.0, 1.0

    @property
    def situation_count(self) -> int:
        """The number of situations so far."""
        return self._situation_count

    def solve(self, situations: Iterable[Situation]) -> SearchResult[E]:
        """Search from situations that look the same to the seat."""
        group = list(situations)
        self._total_share = sum(situation.chance.share(self._deck) for situation in group)
        return self._walk(group, 1.0)

    def option_values(self, group: list[Situation]) -> dict[Decision, Utility]:
        """The average value of each decision of the seat whose turn it is."""
        self._total_share = sum(situation.chance.share(self._deck) for situation in group)
        total = sum(
            Fraction(situation.chance.combinations, perm(self._deck.size, situation.chance.cards))
            for situation in group
        )
        results = self._try_options(group, 1.0)
        return {decision: tuple(part / total for part in self._mean(ends)) for decision, ends in results.items()}

    def _walk(self, group: list[Situation], weight: float) -> SearchResult[E]:
        result: SearchResult[E] = SearchResult()
        decision_groups: dict[InformationSet, list[Situation]] = {}
        pending = group
        while pending:
            situation = pending.pop()
            self._count()
            try:
                match situation.turn:
                    case ChanceTurn(place):
                        pending.append(situation.deal(place))
                    case DealerTurn(step):
                        pending.append(situation.take_step(step))
                    case SeatTurn():
                        decision_groups.setdefault(situation.information_set(), []).append(situation)
                    case RoundEnd():
                        result.counts[self._settle(situation.round), situation.chance.cards] += (
                            situation.chance.combinations
                        )
                        self._add_progress(situation.chance.share(self._deck) * weight)
            except RevealRequest as reveal:
                pending.extend(situation.reveal(reveal))
        for information_set, members in decision_groups.items():
            result.add(self._decide(information_set, members, weight))
        return result

    def _decide(self, information_set: InformationSet, group: list[Situation], weight: float) -> SearchResult[E]:
        """The best decision for what the seat sees. If the seat turns out to know more than the groups distinguish, the
        groups are split first."""
        progress_before = self._done_share
        try:
            for situation in group:
                if missing := situation.missing_information(information_set):
                    raise LateInformation(*missing)
            results = self._try_options(group, weight)
        except LateInformation as error:
            if error.position in group[0].known_positions:
                raise  # the seat knew it before an earlier decision
            self._done_share = progress_before
            return self._split_group(group, error, weight)
        utilities = {decision: self._mean(ends) for decision, ends in results.items()}
        best = max(utilities, key=lambda decision: utilities[decision])
        ends = results[best]
        share = sum(
            (
                Fraction(situation.chance.combinations, perm(self._deck.size, situation.chance.cards))
                for situation in group
            ),
            Fraction(0),
        )
        ends.policy_entries.append(PolicyEntry(information_set, best, share))
        return ends

    def _try_options(self, group: list[Situation], weight: float) -> dict[Decision, SearchResult[E]]:
        turn = group[0].turn
        assert isinstance(turn, SeatTurn)
        option_weight = weight / len(turn.options)
        return {
            option: self._walk([situation.decide(option) for situation in group], option_weight)
            for option in turn.options
        }

    def _split_group(self, group: list[Situation], error: LateInformation, weight: float) -> SearchResult[E]:
        result: SearchResult[E] = SearchResult()
        for card_set in split_by_aspect(group[0].possible_cards(error.position), error.aspect):
            members = [member for situation in group for member in situation.split(error.position, (card_set,))]
            by_information_set: dict[InformationSet, list[Situation]] = {}
            for situation in members:
                by_information_set.setdefault(situation.information_set(), []).append(situation)
            for information_set, subgroup in by_information_set.items():
                result.add(self._decide(information_set, subgroup, weight))
        return result

    def _mean(self, result: SearchResult[E]) -> Utility:
        """The sum over the deals, as a part of all deals."""
        by_cards: dict[int, list[Fraction]] = {}
        for (end, cards), deal_count in result.counts.items():
            utility = self._utility(end)
            sums = by_cards.setdefault(cards, [Fraction(0)] * len(utility))
            for index, value in enumerate(utility):
                sums[index] += deal_count * value
        shares = [[total / perm(self._deck.size, cards) for total in sums] for cards, sums in by_cards.items()]
        return tuple(sum(column, Fraction(0)) for column in zip(*shares, strict=True))

    # Progress

    def _count(self) -> None:
        self._situation_count += 1
        if self._situation_count % _CHECK_INTERVAL:
            return
        # The settled part of all deals gives an estimate of the number of situations.
        expected = self._situation_count * self._total_share / self._done_share if self._done_share else float("inf")
        if self._situation_count >= self._budget or (
            self._situation_count >= self._budget // _ESTIMATE_FRACTION and expected > _ESTIMATE_MARGIN * self._budget
        ):
            raise SearchTooLarge(f"The game has more than {self._budget:,} situations.")
        self._progress("every situation of the round", min(self._done_share / self._total_share, 1.0))

    def _add_progress(self, share: float) -> None:
        self._done_share += share


_CHECK_INTERVAL: Final = 500
_ESTIMATE_FRACTION: Final = 20
"""One part in this many of the budget goes into an estimate of the number of situations."""
_ESTIMATE_MARGIN: Final = 4
"""The factor by which the estimate must exceed the budget to end the search."""


SITUATION_BUDGET: Final = 200_000
"""The most situations of an exact search; more take too long."""


@dataclass(frozen=True)
class ExactPrice:
    """The exact figures and the strategy."""

    outcomes: tuple[WagerOutcome, ...]
    policy_entries: tuple[PolicyEntry, ...]

    @property
    def expected_return(self) -> Fraction:
        """Net units, with an empty meter."""
        total = sum(outcome.combinations for outcome in self.outcomes)
        return sum((outcome.combinations * outcome.net for outcome in self.outcomes), Fraction(0)) / total


def utility(pricing_table: PricingTable, settled: SettledWager) -> tuple[Fraction, ...]:
    """A required wager is played for itself. A side wager follows the best strategy of the required wagers; only
    between equal decisions, the better one for the side wager counts."""
    if pricing_table.wager.required or len(pricing_table.bets) == 1:
        return (Fraction(settled.net + settled.others_net),)
    return Fraction(settled.others_net), Fraction(settled.net)


def price_exactly(
    pricing_table: PricingTable, progress: Progress = ignore_progress, budget: int = SITUATION_BUDGET
) -> ExactPrice:
    """Search every situation. Raises ``SearchTooLarge``."""
    search = Search(
        pricing_table.table.deck,
        lambda r: settle_wager(pricing_table, r),
        lambda end: utility(pricing_table, end),
        budget,
        progress,
    )
    search_result = search.solve([Situation(pricing_table.begin(), SEAT)])
    return ExactPrice(
        group_outcomes(pricing_table, search_result.combinations(pricing_table.table.deck)),
        tuple(search_result.policy_entries),
    )
