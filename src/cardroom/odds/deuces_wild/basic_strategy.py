"""Basic strategies of Deuces Wild, found by search.

For Ante, Play, and Raise, the strategy is a short list of hands to play and to raise with: wild cards, pairs, cards to
a flush, to a straight, and to a straight flush, with limits on gaps and ranks. The player folds all other hands.

For Five Card Fortune, the strategy is a short order of preference. The player looks at one thing after the other: wild
cards, pairs, suits, ranks. If several cards are still equal, the player chooses any of them, and the figures average
over the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, Rank, card_from_code
from cardroom.games.deuces_wild.rules import fortune_selections
from cardroom.hands import is_wild
from cardroom.odds.deuces_wild.best_strategy import AnteGame, AntePolicy, FortuneGame, FortunePolicy, Mask, reach_counts
from cardroom.odds.deuces_wild.counts import DECK, all_sets
from cardroom.odds.pricer import BasicStrategy, StrategyRule

MAX_RULES: Final = 4
"""The most rules that a person remembers for a decision."""
_COUNT: Final = {1: "one", 2: "two", 3: "three", 4: "four"}
_ALIKE: Final = {
    2: "a pair or better (a wild card makes one)",
    3: "three of a kind or better, wild cards included",
    4: "four of a kind, wild cards included",
}
_STRAIGHT: Final = 5
_ANY_RANK: Final = (1, int(Rank.ACE))
"""From the ace as the lowest rank to the ace as the highest."""


class Holdings(NamedTuple):
    """Many sets of three or four cards, reduced to what rules look at. Natural cards are those that are not wild."""

    size: int
    wild: NDArray[np.int64]
    ranks: NDArray[np.int64]
    """The ranks of the natural cards from the lowest up, after a 0 for each wild card."""
    suited: Mask
    """Whether the natural cards are of one suit."""

    @classmethod
    def from_sets(cls, sets: NDArray[np.uint8]) -> Holdings:
        wild = np.array([is_wild(card) for card in DECK.distinct_cards()])[sets]
        ranks = np.sort(np.where(wild, 0, sets // 4 + 2).astype(np.int64), axis=1)
        suits = sets % 4
        suited = np.where(wild, 0, suits).max(axis=1) <= np.where(wild, 3, suits).min(axis=1)
        return cls(sets.shape[1], wild.sum(axis=1), ranks, suited)

    def has_of_a_kind(self, number: int) -> Mask:
        """Whether this many cards have one rank, wild cards included."""
        same = (self.ranks[:, :, None] == self.ranks[:, None, :]) & (self.ranks[:, :, None] > 0)
        mask: Mask = same.sum(axis=2).max(axis=1) + self.wild >= number
        return mask

    def repeat_counts(self) -> NDArray[np.int64]:
        """The number of natural cards with the same rank as an earlier one."""
        is_repeat = (self.ranks[:, 1:] == self.ranks[:, :-1]) & (self.ranks[:, 1:] > 0)
        number: NDArray[np.int64] = is_repeat.sum(axis=1)
        return number

    def is_connected(self, length: int, lowest: int, highest: int) -> Mask:
        """Whether the natural cards have different ranks within a run of this length, from ``lowest`` to
        ``highest``."""
        mask = np.zeros(len(self.ranks), np.bool_)
        for ace in (1, int(Rank.ACE)):
            ranks = np.where(self.ranks == Rank.ACE, ace, self.ranks)
            low = np.where(ranks > 0, ranks, highest).min(axis=1)
            high = np.where(ranks > 0, ranks, lowest).max(axis=1)
            mask |= (low >= lowest) & (high <= highest) & (high - low < length)
        mask &= self.repeat_counts() == 0
        return mask


class HandGroup(NamedTuple):
    """Hands that a rule names, and which of the sets are among them."""

    text: str
    mask: Mask


def rule_family(holdings: Holdings) -> Iterator[HandGroup]:
    """Every rule that the search tries for a decision, the simple ones first."""
    yield from _simple_groups(holdings)
    for lowest, highest in product(range(Rank.THREE, Rank.NINE), range(Rank.ACE, Rank.EIGHT, -1)):
        within = _rank_limits_text(Rank(lowest), Rank(highest))
        for hands in _connected_groups(holdings, lowest, highest):
            yield hands._replace(text=f"{hands.text}, {within}")


def _simple_groups(holdings: Holdings) -> Iterator[HandGroup]:
    yield HandGroup("any cards", np.ones(len(holdings.ranks), np.bool_))
    for number in range(1, holdings.size + 1):
        yield HandGroup("a wild card" if number == 1 else f"{_COUNT[number]} wild cards", holdings.wild >= number)
    for number in range(2, holdings.size + 1):
        yield HandGroup(_ALIKE[number], holdings.has_of_a_kind(number))
    yield HandGroup("two pair or better, wild cards included", holdings.repeat_counts() + holdings.wild >= 2)
    yield HandGroup(f"{_COUNT[holdings.size]} to a flush", holdings.suited)
    yield from _connected_groups(holdings, *_ANY_RANK)


def _connected_groups(holdings: Holdings, lowest: int, highest: int) -> Iterator[HandGroup]:
    cards, most_gaps = _COUNT[holdings.size], _STRAIGHT - holdings.size
    for gaps in range(most_gaps, -1, -1):
        met = holdings.is_connected(holdings.size + gaps, lowest, highest)
        if gaps:
            only = "" if gaps == most_gaps else f" with at most {_COUNT[gaps]} gap"
            yield HandGroup(f"{cards} to a straight flush{only}", met & holdings.suited)
            yield HandGroup(f"{cards} to a straight{only}", met)
        else:
            yield HandGroup(f"{cards} suited in a row", met & holdings.suited)
            yield HandGroup(f"{cards} in a row", met)


def _rank_limits_text(lowest: Rank, highest: Rank) -> str:
    if (lowest, highest) == (Rank.THREE, Rank.ACE):
        return "the ace high only"
    below = "" if lowest is Rank.THREE else f"below {describe_rank(lowest)}"
    above = "" if highest is Rank.ACE else f"above {describe_rank(highest)}"
    return f"none {' or '.join(filter(None, (below, above)))}"


def describe_rank(rank: Rank) -> str:
    """A card of this rank as text: ``a five``, ``an eight``."""
    return f"{'an' if rank in (Rank.EIGHT, Rank.ACE) else 'a'} {rank.word}"


class SetClasses(NamedTuple):
    """Classes of card sets that no rule of the family distinguishes."""

    class_of_set: NDArray[np.int64]
    """The class of each set, by number."""
    rule_texts: tuple[str, ...]
    """The text of each rule."""
    rule_masks: Mask
    """Whether a rule names the hands of a class, by rule and class."""
    simple_count: int
    """The number of simple rules, which come first."""

    def coverage(self, rules: Sequence[int]) -> Mask:
        """Whether one of these rules names the hands, by class."""
        mask: Mask = np.logical_or.reduce(self.rule_masks[list(rules)], axis=0)
        return mask


@cache
def set_classes(size: int) -> SetClasses:
    """The classes of all sets of three or four cards."""
    sets = all_sets(size)
    holdings = Holdings.from_sets(sets)
    marks = holdings.ranks @ 16 ** np.arange(1, size + 1) + holdings.suited
    _, first, class_of_set = np.unique(marks, return_index=True, return_inverse=True)
    representatives = Holdings.from_sets(sets[first])
    rules = list(rule_family(representatives))
    rule_masks = np.array([hands.mask for hands in rules])
    return SetClasses(
        class_of_set, tuple(hands.text for hands in rules), rule_masks, len(list(_simple_groups(representatives)))
    )


def _choose_rules(classes: SetClasses, gains: NDArray[Any]) -> tuple[int, ...]:
    """The rules that gain the most over folding everything. The search starts once from each simple rule."""
    lists = [(), *(_improve_rules(classes, gains, [first]) for first in range(classes.simple_count))]

    def gain(rules: tuple[int, ...]) -> Any:
        return gains[classes.coverage(rules)].sum()

    return max(lists, key=lambda rules: (gain(rules), -len(rules)))


def _improve_rules(classes: SetClasses, gains: NDArray[Any], rules: list[int]) -> tuple[int, ...]:
    """Improve a list of rules: add the best further rule, one by one, then exchange rules for better ones as long as
    possible. Rules that add nothing are removed."""

    def added_gains(others: list[int]) -> NDArray[Any]:
        left = ~classes.coverage(others)
        total: NDArray[Any] = classes.rule_masks[:, left].astype(np.int64) @ gains[left]
        return total

    while len(rules) < MAX_RULES and (gain_by_rule := added_gains(rules)).max() > 0:
        rules.append(int(gain_by_rule.argmax()))
    changed = True
    while changed:
        changed = False
        for rule in list(rules):
            others = [other for other in rules if other != rule]
            gain_by_rule = added_gains(others)
            if gain_by_rule.max() > max(gain_by_rule[rule], 0):
                rules[rules.index(rule)] = int(gain_by_rule.argmax())
                changed = True
            elif gain_by_rule[rule] <= 0:
                rules, changed = others, True
    return tuple(rules)


def _sum_by_class(values: NDArray[Any], size: int) -> NDArray[Any]:
    total = np.zeros(set_classes(size).rule_masks.shape[1], values.dtype)
    np.add.at(total, set_classes(size).class_of_set, values)
    return total


def _mask(rules: tuple[int, ...], size: int) -> Mask:
    return set_classes(size).coverage(rules)[set_classes(size).class_of_set]


class _RuleLists(NamedTuple):
    """A list of rules for each decision, with their policy and return."""

    play_rules: tuple[int, ...]
    raise_rules: tuple[int, ...]
    policy: AntePolicy
    expected_return: Fraction


def ante_basic_strategy(game: AnteGame) -> BasicStrategy:
    """The basic strategy for Ante, Play, and Raise as text."""
    lists = _search_rules(game)
    rules = (*_list_rules("Play", lists.play_rules, 3), *_list_rules("Raise with", lists.raise_rules, 4))
    return BasicStrategy(rules, lists.expected_return, game.expected_return(game.best_policy))


def basic_ante_policy(game: AnteGame) -> AntePolicy:
    """The hands with which the basic strategy plays and raises."""
    return _search_rules(game).policy


def _search_rules(game: AnteGame) -> _RuleLists:
    """The best raises depend on the hands that are played, and vice versa: search for each in turn as long as that
    gains."""
    play, best = game.best_policy.play, None
    while True:
        gains = reach_counts(play) * (game.raise_totals - game.fold_four_total)
        raise_rules = _choose_rules(set_classes(4), _sum_by_class(gains, 4))
        raise_ = _mask(raise_rules, 4)
        play_rules = _choose_rules(set_classes(3), _sum_by_class(game.play_totals(raise_) - game.fold_three_total, 3))
        play = _mask(play_rules, 3)
        policy = AntePolicy(play, raise_)
        expected_return = game.expected_return(policy)
        if best is not None and expected_return <= best.expected_return:
            return best
        best = _RuleLists(play_rules, raise_rules, policy, expected_return)


def _list_rules(verb: str, rules: tuple[int, ...], size: int) -> Iterator[StrategyRule]:
    for rule in rules:
        yield StrategyRule(f"{verb} {set_classes(size).rule_texts[rule]}.")
    if not set_classes(size).coverage(rules).all():
        yield StrategyRule(f"Fold {'every other hand' if rules else 'every hand'} of {_COUNT[size]} cards.")


MAX_KEYS: Final = 4
MIN_KEY_GAIN: Final = Fraction(1, 10_000)
"""The part of the wager that a longer list must save."""
_SELECTIONS: Final = 7
"""The most possible selections, with three wild cards: three of one card, three of two, and all three."""
_SHARES: Final = 420
"""Divisible by every possible number of equal selections."""
_SCORES: Final = 64
"""More than the highest score of a key."""

Group = tuple[Card, ...]


class PreferenceKey(NamedTuple):
    """One criterion: the points of a selection from three cards."""

    text: str
    points: Callable[[Group, Group], int]
    is_by_rank: bool = False


def _score_natural(points: Callable[[Card, list[Card]], int]) -> Callable[[Group, Group], int]:
    """Points of a natural card beside the other natural cards; wild cards have none."""

    def of_selection(group: Group, three: Group) -> int:
        if is_wild(group[0]):
            return 0
        return points(group[0], [card for card in three if card != group[0] and not is_wild(card)])

    return of_selection


def _keys() -> Iterator[PreferenceKey]:
    yield PreferenceKey("wild cards, and choose all of them", lambda group, _: sum(map(is_wild, group)))
    yield PreferenceKey(
        "a card that is not in a pair",
        _score_natural(lambda card, others: 2 - sum(card.rank == c.rank for c in others)),
    )
    yield PreferenceKey(
        "a suit that the other cards lack",
        _score_natural(lambda card, others: 2 - sum(card.suit == c.suit for c in others)),
    )
    yield PreferenceKey("a ten or higher", _score_natural(lambda card, _: int(card.rank >= Rank.TEN)))
    yield PreferenceKey("the highest card", _score_natural(lambda card, _: int(card.rank)), is_by_rank=True)
    yield PreferenceKey("the lowest card", _score_natural(lambda card, _: Rank.ACE - card.rank), is_by_rank=True)
    for doubled_rank in range(2 * Rank.SEVEN, 2 * Rank.JACK + 1):
        yield _nearest_rank_key(doubled_rank)


def _nearest_rank_key(doubled_rank: int) -> PreferenceKey:
    """Nearness to one rank, or to two adjacent ranks for a value halfway between them."""
    low, high = Rank(doubled_rank // 2), Rank((doubled_rank + 1) // 2)
    text = f"the card nearest to {describe_rank(low)}" + ("" if low is high else f" or {high.word}")
    return PreferenceKey(
        text, _score_natural(lambda card, _: 2 * Rank.ACE - abs(2 * card.rank - doubled_rank)), is_by_rank=True
    )


class ThreeCardKinds(NamedTuple):
    """One hand of each kind of three cards. Hands of a kind differ in suits and in which wild cards they have.

    ``kinds`` has the kind of each hand by number, ``counts`` the hands of each kind, and ``points`` the points by key,
    kind, and selection.
    """

    numbers: NDArray[np.int64]
    kinds: NDArray[np.int64]
    counts: NDArray[np.int64]
    points: NDArray[np.int64]


@cache
def _three_card_kinds() -> ThreeCardKinds:
    sets = all_sets(3).astype(np.int64)
    wild = np.array([is_wild(card) for card in DECK.distinct_cards()])[sets]
    marks = np.where(wild, 0, sets // 4) @ np.array([1, 16, 256])
    for bit, (first, second) in enumerate(((0, 1), (0, 2), (1, 2)), 12):
        same_suit = (sets[:, first] % 4 == sets[:, second] % 4) & ~wild[:, first] & ~wild[:, second]
        marks += same_suit.astype(np.int64) << bit
    _, numbers, kinds, counts = np.unique(marks, return_index=True, return_inverse=True, return_counts=True)
    keys = list(_keys())
    points = np.full(
        (len(keys), len(numbers), _SELECTIONS), -1, np.int64
    )  # an impossible selection scores below every possible one
    for kind, number in enumerate(numbers.tolist()):
        three = tuple(card_from_code(code) for code in sets[number].tolist())
        for at, selection in enumerate(fortune_selections(three)):
            points[:, kind, at] = [key.points(selection.groups[0], three) for key in keys]
    return ThreeCardKinds(numbers, kinds, counts, points)


def _key_orders(keys: list[PreferenceKey], length: int) -> Iterator[tuple[int, ...]]:
    for order in permutations(range(len(keys)), length):
        if sum(keys[at].is_by_rank for at in order) <= 1:
            yield order


def fortune_basic_strategy(game: FortuneGame) -> BasicStrategy:
    """The basic strategy for Five Card Fortune as text."""
    keys, (order, best_return) = list(_keys()), _search_keys(game)
    rules = tuple(
        StrategyRule(f"{'Then' if place else 'First'} look for {keys[at].text}.") for place, at in enumerate(order)
    )
    return BasicStrategy(rules, best_return, game.best_return)


def basic_fortune_policy(game: FortuneGame) -> FortunePolicy:
    """The policy of that list. Of equal selections it takes the first."""
    threes = _three_card_kinds()
    order, _ = _search_keys(game)
    first = _remaining_selections(order, threes).argmax(axis=1)[threes.kinds]
    several = {
        number: tuple(groups)[first[number] - 3] for number, groups in game.group_totals.items() if first[number] > 2
    }
    return FortunePolicy(np.where(first > 2, 0, first), several)


def _search_keys(game: FortuneGame) -> tuple[tuple[int, ...], Fraction]:
    """The best list, or a shorter one that is nearly as good, and its return."""
    keys, threes = list(_keys()), _three_card_kinds()
    values = np.zeros(threes.points.shape[1:], game.single_totals.dtype)
    values[:, :3] = game.single_totals[threes.numbers]
    for kind, number in enumerate(threes.numbers.tolist()):
        several = list(game.group_totals.get(number, {}).values())
        values[kind, 3 : 3 + len(several)] = several
    best_order: tuple[int, ...] = ()
    best_return: Fraction | None = None
    for length in range(1, MAX_KEYS + 1):
        order = max(_key_orders(keys, length), key=lambda candidate: _total(candidate, threes, values))
        expected_return = game.expected_return(Fraction(_total(order, threes, values), _SHARES))
        if best_return is None or expected_return - best_return >= MIN_KEY_GAIN:
            best_order, best_return = order, expected_return
    assert best_return is not None
    return best_order, best_return


def _remaining_selections(order: tuple[int, ...], threes: ThreeCardKinds) -> NDArray[np.bool_]:
    """The selections that a list leaves equal, by kind of hand."""
    points = np.zeros(threes.points.shape[1:], np.int64)
    for at in order:
        points = points * _SCORES + threes.points[at]
    is_left: NDArray[np.bool_] = points == points.max(axis=1, keepdims=True)
    return is_left


def _total(order: tuple[int, ...], threes: ThreeCardKinds, values: NDArray[Any]) -> int:
    """The total of all hands under a list, times the shares."""
    is_left = _remaining_selections(order, threes)
    shares = _SHARES // is_left.sum(axis=1)
    return int(((values * is_left).sum(axis=1) * shares * threes.counts).sum())
