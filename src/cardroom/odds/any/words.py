"""The best play in few lines: which cards get which answer, as a person would say it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from cardroom.cards import Rank, names
from cardroom.games import Decision
from cardroom.odds.any.search import Answered
from cardroom.odds.any.unturned import Kinds, cards_in
from cardroom.odds.pricer import Rule

_Hand: TypeAlias = tuple[Kinds, ...]


def in_few_lines(answers: Sequence[Answered]) -> tuple[Rule, ...]:
    """One rule for each line; what is answered most often is the last one, for all that the others do not name."""
    questions = dict.fromkeys(one.seen.question for one in answers)
    rules: list[Rule] = []
    for question in questions:
        asked = [one for one in answers if one.seen.question == question]
        before = f"{question}: " if len(questions) > 1 else ""
        rules += [Rule(before + line) for line in _lines(asked)]
    return tuple(rules)


def _lines(answers: Sequence[Answered]) -> Iterator[str]:
    hands = _without_order(answers)
    often: dict[Decision, Fraction] = {}
    for one in answers:
        often[one.decision] = often.get(one.decision, Fraction(0)) + one.share
    *rare, usual = sorted(often, key=lambda decision: often[decision])
    if not rare:
        yield f"always {usual}"
        return
    for decision in rare:
        fitting = [hand for hand, answer in hands.items() if answer == decision]
        for line in _merged(fitting):
            yield f"{decision} with {line}"
    yield f"otherwise {usual}"


def _without_order(answers: Iterable[Answered]) -> dict[_Hand, Decision]:
    """Hands in ascending order, unless the order in which the cards lie makes a difference somewhere."""
    sorted_hands: dict[_Hand, Decision] = {}
    as_they_lie: dict[_Hand, Decision] = {}
    alike = True
    for one in answers:
        piles = [pile for _, pile in one.seen.open_cards]
        ascending = tuple(kinds for pile in piles for kinds in sorted(pile, key=_order))
        alike &= sorted_hands.setdefault(ascending, one.decision) == one.decision
        as_they_lie[tuple(kinds for pile in piles for kinds in pile)] = one.decision
    return sorted_hands if alike else as_they_lie


def _order(kinds: Kinds) -> tuple[int, int]:
    return kinds.bit_length(), kinds


def _merged(hands: Iterable[_Hand]) -> Iterator[str]:
    """Hands that differ only in the last card in one line."""
    lasts: dict[_Hand, list[Kinds]] = {}
    for hand in sorted(hands, key=lambda hand: tuple(map(_order, hand))):
        lasts.setdefault(hand[:-1], []).append(hand[-1])
    for before, last in lasts.items():
        yield " and ".join([*map(_word, before), _range(last)])


def _word(kinds: Kinds) -> str:
    """``two`` for a card of which only the rank matters, ``2c`` for one card."""
    ranks = _ranks(kinds)
    if ranks is not None and len(ranks) == 1 and kinds.bit_count() > 1:
        return ranks[0].word
    cards = cards_in(kinds)
    return names(cards) if len(cards) <= 4 else "any card"


def _ranks(kinds: Kinds) -> tuple[Rank, ...] | None:
    """The ranks, where whole ranks are meant."""
    cards = [card for card in cards_in(kinds) if not card.is_joker]
    ranks = tuple(dict.fromkeys(card.rank for card in cards))
    return ranks if len(cards) == 4 * len(ranks) == kinds.bit_count() else None


def _range(lasts: Sequence[Kinds]) -> str:
    """``ten or higher``, ``two to five``, ``king``."""
    ranks = [_ranks(kinds) for kinds in lasts]
    single = [one[0] for one in ranks if one is not None and len(one) == 1]
    if len(single) < len(lasts):
        return " or ".join(map(_word, lasts))
    runs: list[list[Rank]] = []
    for rank in sorted(single):
        if runs and rank == runs[-1][-1] + 1:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    return " or ".join(map(_run, runs))


def _run(ranks: Sequence[Rank]) -> str:
    low, high = ranks[0], ranks[-1]
    if low == high:
        return low.word
    if high is Rank.ACE:
        return f"{low.word} or higher"
    if low is Rank.TWO:
        return f"{high.word} or lower"
    return f"{low.word} to {high.word}"
