"""Answers in words, with their cards drawn, and as they are typed.

>>> from cardroom.cards import cards
>>> split = Decision(Verb.SPLIT, (cards("As Th"), cards("9h 9c")))
>>> answer(split).plain, typeable(split)
('split A♠ 10♥ | 9♥ 9♣', 'split As 10h | 9h 9c')
"""

from __future__ import annotations

from rich.text import Text

from cardroom.cards import Card
from cardroom.games.decisions import Decision, Verb
from cardroom.terminal.cards import rank_word, tags


def answer(decision: Decision | Verb) -> Text:
    """An answer with its cards drawn as tags."""
    if isinstance(decision, Verb):
        return Text(decision.value)
    if decision.verb is Verb.SET:
        high, low = decision.groups
        return Text.assemble("high ", tags(high), "  low ", tags(low))
    groups = Text(" | ").join(tags(group) for group in decision.groups)
    return Text.assemble(decision.verb.value, " " if decision.groups else "", groups)


def typeable(decision: Decision) -> str:
    """An answer as somebody types it: a ten is 10, as on every page."""
    groups = (" ".join(map(_typed, group)) for group in decision.groups)
    return " ".join(filter(None, (decision.verb.value, " | ".join(groups))))


def _typed(card: Card) -> str:
    return "joker" if card.is_joker else rank_word(card) + card.suit.letter
