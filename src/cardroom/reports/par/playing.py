"""How the game is played, in the words that a dealer and the rules page have too."""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.games import Table, game
from cardroom.games.layout_words import plain
from cardroom.games.procedure import ProcedureStep
from cardroom.reports.paper.blocks import Block, Heading, Items, Paragraph, Terms


def how_it_is_played(table: Table) -> Iterator[Block]:
    """The section: the rules in short, the steps of a round, what a player may answer."""
    rules = game(table.facts.slug)
    yield Heading(1, "How the game is played")
    yield Paragraph(" ".join(rules.in_short.split()))
    yield Items(tuple(map(_step, rules.procedure(table))), numbered=True)
    if rules.answers:
        yield Terms(tuple((plain(verb), meaning) for verb, meaning in rules.answers.items()))


def _step(step: ProcedureStep) -> str:
    """
    >>> from cardroom.games.procedure import COLLECT_CARDS
    >>> _step(COLLECT_CARDS)
    'Collect the cards; the next round can begin. (rules)'
    """
    when = f"If {step.only_if}: " if step.only_if else ""
    return f"{when}{step.words} ({step.rule})"
