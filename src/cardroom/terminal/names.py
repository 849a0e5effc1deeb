"""Answers in words, with their cards drawn."""

from __future__ import annotations

from rich.text import Text

from cardroom.games.decisions import Decision, Verb
from cardroom.terminal.cards import tags


def answer(decision: Decision | Verb) -> Text:
    """An answer with its cards drawn as tags."""
    if isinstance(decision, Verb):
        return Text(decision.value)
    if decision.verb is Verb.SET:
        high, low = decision.groups
        return Text.assemble("high ", tags(high), "  low ", tags(low))
    groups = Text(" | ").join(tags(group) for group in decision.groups)
    return Text.assemble(decision.verb.value, " " if decision.groups else "", groups)
