"""The best strategy as a lookup by what a seat sees, and as a few lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from cardroom.cards import Card, Rank, format_cards
from cardroom.games import Decision, Place, SeatTurn, View
from cardroom.odds.generic.lazy_cards import CardSet, cards_in
from cardroom.odds.generic.search import PolicyEntry
from cardroom.odds.pricer import StrategyRule
from cardroom.odds.simulation.rules_engine import BadStrategy

_Entry: TypeAlias = tuple[tuple[tuple[Place, tuple[CardSet, ...]], ...], Decision]


class PolicyTable:
    """Every decision of the best strategy, by question and face-up cards. It is a policy: call it with a view."""

    def __init__(self, policy_entries: Iterable[PolicyEntry]) -> None:
        self._entries: dict[str, list[_Entry]] = {}
        for entry in policy_entries:
            self._entries.setdefault(entry.information_set.question, []).append(
                (entry.information_set.open_cards, entry.decision)
            )
        self._cache: dict[tuple[object, ...], Decision] = {}

    def __call__(self, view: View) -> Decision:
        assert isinstance(view.turn, SeatTurn)
        key = (view.turn.question, tuple(view.piles.items()))
        if key not in self._cache:
            self._cache[key] = self._look_up(view, view.turn)
        return self._cache[key]

    def _look_up(self, view: View, turn: SeatTurn) -> Decision:
        for open_cards, decision in self._entries.get(turn.question, ()):
            if decision in turn.options and all(
                _matches(view.piles.get(place, ()), pile) for place, pile in open_cards
            ):
                return decision
        raise BadStrategy(f"The best strategy has no decision for {turn.question!r} with these cards.")


def _matches(cards: tuple[Card | None, ...], pile: tuple[CardSet, ...]) -> bool:
    return len(cards) == len(pile) and all(
        card is not None and kinds >> card.code & 1 for card, kinds in zip(cards, pile, strict=True)
    )


_Hand: TypeAlias = tuple[CardSet, ...]


def summarize_policy(policy_entries: Sequence[PolicyEntry]) -> tuple[StrategyRule, ...]:
    """One rule per line. The most frequent decision comes last and covers everything that the others do not name."""
    questions = dict.fromkeys(entry.information_set.question for entry in policy_entries)
    rules: list[StrategyRule] = []
    for question in questions:
        question_entries = [entry for entry in policy_entries if entry.information_set.question == question]
        prefix = f"{question}: " if len(questions) > 1 else ""
        rules += [StrategyRule(prefix + line) for line in _lines(question_entries)]
    return tuple(rules)


def _lines(policy_entries: Sequence[PolicyEntry]) -> Iterator[str]:
    hands = _unordered_hands(policy_entries)
    shares: dict[Decision, Fraction] = {}
    for entry in policy_entries:
        shares[entry.decision] = shares.get(entry.decision, Fraction(0)) + entry.share
    *exceptions, default = sorted(shares, key=lambda decision: shares[decision])
    if not exceptions:
        yield f"always {default}"
        return
    for decision in exceptions:
        matches = [hand for hand, hand_decision in hands.items() if hand_decision == decision]
        for line in _merge_hands(matches):
            yield f"{decision} with {line}"
    yield f"otherwise {default}"


def _unordered_hands(policy_entries: Iterable[PolicyEntry]) -> dict[_Hand, Decision]:
    """Hands in ascending order, unless the order of the cards makes a difference."""
    sorted_hands: dict[_Hand, Decision] = {}
    ordered_hands: dict[_Hand, Decision] = {}
    is_order_free = True
    for entry in policy_entries:
        piles = [pile for _, pile in entry.information_set.open_cards]
        ascending = tuple(card_set for pile in piles for card_set in sorted(pile, key=_order))
        is_order_free &= sorted_hands.setdefault(ascending, entry.decision) == entry.decision
        ordered_hands[tuple(card_set for pile in piles for card_set in pile)] = entry.decision
    return sorted_hands if is_order_free else ordered_hands


def _order(card_set: CardSet) -> tuple[int, int]:
    return card_set.bit_length(), card_set


def _merge_hands(hands: Iterable[_Hand]) -> Iterator[str]:
    """One line for hands that differ only in the last card."""
    lasts: dict[_Hand, list[CardSet]] = {}
    for hand in sorted(hands, key=lambda hand: tuple(map(_order, hand))):
        lasts.setdefault(hand[:-1], []).append(hand[-1])
    for prefix, last in lasts.items():
        yield " and ".join([*map(_card_text, prefix), _range_text(last)])


def _card_text(card_set: CardSet) -> str:
    """``two`` for a card if only the rank matters, ``2c`` for one card."""
    ranks = _ranks(card_set)
    if ranks is not None and len(ranks) == 1 and card_set.bit_count() > 1:
        return ranks[0].word
    cards = cards_in(card_set)
    return format_cards(cards) if len(cards) <= 4 else "any card"


def _ranks(card_set: CardSet) -> tuple[Rank, ...] | None:
    """The ranks, if the set consists of whole ranks."""
    cards = [card for card in cards_in(card_set) if not card.is_joker]
    ranks = tuple(dict.fromkeys(card.rank for card in cards))
    return ranks if len(cards) == 4 * len(ranks) == card_set.bit_count() else None


def _range_text(lasts: Sequence[CardSet]) -> str:
    """``ten or higher``, ``two to five``, ``king``."""
    ranks = [_ranks(card_set) for card_set in lasts]
    single_ranks = [rank_group[0] for rank_group in ranks if rank_group is not None and len(rank_group) == 1]
    if len(single_ranks) < len(lasts):
        return " or ".join(map(_card_text, lasts))
    runs: list[list[Rank]] = []
    for rank in sorted(single_ranks):
        if runs and rank == runs[-1][-1] + 1:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    return " or ".join(map(_run_text, runs))


def _run_text(ranks: Sequence[Rank]) -> str:
    low, high = ranks[0], ranks[-1]
    if low == high:
        return low.word
    if high is Rank.ACE:
        return f"{low.word} or higher"
    if low is Rank.TWO:
        return f"{high.word} or lower"
    return f"{low.word} to {high.word}"
