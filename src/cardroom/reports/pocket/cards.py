"""What stands on a card: one wager's strategy to remember, what it costs and what was assumed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from cardroom.faults import BadInput
from cardroom.games import game
from cardroom.odds import Asked, Odds, Question, SimpleStrategy, answer, pricer, questions
from cardroom.odds.pricer import Progress, silent
from cardroom.odds.result import Setting
from cardroom.reports.paper.numbers import MINUS, fixed, fraction, percent

_UNITS: Final = {
    ("deuces-wild", "ante-play-raise"): "one Ante",
    ("three-card-prime", "ante-play"): "one Ante",
    ("texas-shootout", "shootout"): "one Texas Shootout wager",
    ("dueling-for-dollars", "duel"): "one duel",
    ("three-card-double-play", "high-low"): "one High wager with the Low equal",
}
"""The base wagers that are named otherwise than their spot."""


class NoStrategy(BadInput):
    """A game in which the player is asked nothing."""


@dataclass(frozen=True, slots=True)
class PocketCard:
    """A card. Texts stand as they are printed."""

    game: str
    """The slug, by which the card has its felt."""
    name: str
    wager: str
    assumed: str
    """The paytable and the options."""
    rules: tuple[str, ...]
    cost: str
    """Against the best play, in percent of a unit."""
    exactly: str
    """The same as a fraction, or how it was found."""
    edges: str
    unit: str


def cards_of(slug: str, progress: Progress = silent) -> tuple[PocketCard, ...]:
    """A card for each wager of a game that asks the player something, as the game is usually set up."""
    found = tuple(_cards_of(slug, progress))
    if not found:
        raise NoStrategy(f"{game(slug).facts.name} asks the player nothing, so there is no strategy to print.")
    return found


def _cards_of(slug: str, progress: Progress) -> Iterator[PocketCard]:
    for wager in game(slug).facts.wagers:
        question = questions(Asked(game=slug, wager=wager.slug))[0]
        try:
            found = _strategy(question, progress)
        except BadInput:  # the wager asks the player nothing
            continue
        yield _card(question, found, progress)


def card_of(question: Question, progress: Progress = silent) -> PocketCard:
    """The card of one wager under one table."""
    return _card(question, _strategy(question, progress), progress)


def _strategy(question: Question, progress: Progress) -> SimpleStrategy:
    return pricer(question.game).simple_strategy(question.wager, question.table, question.settings, progress)


def _card(question: Question, found: SimpleStrategy, progress: Progress) -> PocketCard:
    odds = answer(question, progress=progress)
    facts = game(question.game).facts
    wager = facts.wager(question.wager).name
    unit = _UNITS.get((question.game, question.wager), f"one {wager} wager")
    return PocketCard(
        game=question.game,
        name=facts.name,
        wager=wager,
        assumed=", ".join(_assumed(question)),
        rules=tuple(_sentence(rule.words) for rule in found.rules),
        cost=_cost(found),
        exactly=_exactly(found),
        edges=_edges(found, odds),
        unit=f"A unit is {unit}",
    )


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:].rstrip(".") + "."


def _assumed(question: Question) -> Iterator[str]:
    if question.table.name:
        yield f"Paytable {question.table.name}"
    for name, value in question.settings.items():
        yield _setting(name.replace("_", " "), value)


def _setting(name: str, value: Setting) -> str:
    if isinstance(value, bool):
        return f"with {name}" if value else f"no {name}"
    return f"{value} {name if value != 1 else name.removesuffix('s')}" if isinstance(value, int) else f"{name} {value}"


def _cost(found: SimpleStrategy) -> str:
    if found.cost == 0 and not found.policy:
        return "Costs nothing: it is the best play"
    error = "" if found.standard_error is None else f" ± {_short(Fraction(found.standard_error))}"
    return f"Costs {_short(found.cost)}{error} of a unit against {found.policy or 'the best play'}"


def _exactly(found: SimpleStrategy) -> str:
    if found.simulated_rounds is not None:
        return f"Simulated over {found.simulated_rounds:,} rounds; ± is one standard error"
    return f"Exactly {fraction(found.cost)} of a unit" if found.cost else ""


def _short(part: Fraction) -> str:
    """A percentage with three figures that count, however small it is.

    >>> _short(Fraction(1, 395)), _short(Fraction(3, 10**7)), _short(Fraction(-1, 30))
    ('0.253%', '0.0000300%', '−3.33%')
    """
    share, digits = abs(part) * 100, 2
    while share and share * 10**digits < 100:
        digits += 1
    return (MINUS if part < 0 else "") + f"{fixed(share, digits)}%"


def _edges(found: SimpleStrategy, odds: Odds) -> str:
    best, so = (percent(-net / odds.initial_wager, 3) for net in (found.best_return, found.expected_return))
    return (
        f"House edge {so}"
        if so == best
        else f"House edge {so} with it, {best} {'under the policy found' if found.policy else 'at best'}"
    )
