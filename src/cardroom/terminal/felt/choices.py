"""What a player types to answer a question: a number, a word, or cards.

>>> from cardroom.cards import cards
>>> keep = Decision(Verb.KEEP, (cards("As Kd"),))
>>> split = Decision(Verb.SPLIT, (cards("As Kd"), cards("9h 9c")))
>>> [str(read_choice(typed, (keep, split))) for typed in ("1", "keep", "9c9h")]
['keep As Kd', 'keep As Kd', 'split As Kd | 9h 9c']

Who types all hands of a decision whose order is free is taken at the word.

>>> str(read_choice("9c9h | askd", (keep, split), also=(split.turned_about,)))
'split 9h 9c | As Kd'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from cardroom.cards import Card, cards
from cardroom.faults import quoted, shortened
from cardroom.games.decisions import Decision, Verb
from cardroom.terminal.felt.faults import NotUnderstood
from cardroom.terminal.names import typeable

_LONGEST_NUMBER = 9
_CARD = re.compile(r"(?:10|[2-9tjqka])[cdhs]|joker|jk", re.IGNORECASE)
_SIGNS = str.maketrans("♣♦♥♠", "cdhs")


def read_choice(text: str, options: Sequence[Decision], also: Sequence[Decision] = ()) -> Decision:
    """The one option that the typed text means, in the order in which it names the hands where ``also`` has it so."""
    if not text.strip():
        raise NotUnderstood(f"Enter alone answers nothing: {_how(options)}.")
    typed = " ".join(text.lower().translate(_SIGNS).split())
    if typed.isascii() and typed.isdigit():
        if len(typed) > _LONGEST_NUMBER or not 1 <= int(typed) <= len(options):
            raise NotUnderstood(f"There is no choice {shortened(typed)}: {_how(options)}.")
        return options[int(typed) - 1]
    verb, rest = _verb(typed, options)
    meant = [one for one in options if verb is None or one.verb is verb]
    groups = _groups(rest, text, options) if rest else []
    if groups:
        meant = [one for one in meant if _speaks_of(one, groups)]
    elif verb is None:
        meant = []
    if len(meant) == 1:
        said = Decision(meant[0].verb, tuple(groups))
        return said if said in also else meant[0]
    if not meant:
        raise NotUnderstood(f"{quoted(text.strip())} is not one of the choices: {_how(options)}.")
    raise NotUnderstood(
        f"{quoted(text.strip())} could mean {' or '.join(map(typeable, meant[:3]))}: type the number, or the cards."
    )


def _verb(typed: str, options: Sequence[Decision]) -> tuple[Verb | None, str]:
    """The verb at the beginning, in full or as the start of one, and what follows it."""
    verbs = tuple(dict.fromkeys(one.verb for one in options))
    for verb in verbs:
        if typed == verb or typed.startswith(f"{verb} "):
            return verb, typed[len(verb) :].strip()
    word, _, rest = typed.partition(" ")
    begun = [verb for verb in verbs if word and verb.startswith(word)]
    return (begun[0], rest) if len(begun) == 1 else (None, typed)


def _groups(rest: str, text: str, options: Sequence[Decision]) -> list[tuple[Card, ...]]:
    """Cards in groups, however they are parted: ``as kd | 9h 9c``, ``AsKd``, ``10h``."""
    parts = [_CARD.findall(part) for part in re.split(r"[|/-]", rest)]
    if not any(parts) or _CARD.sub("", rest).strip(" ,|/-"):
        raise NotUnderstood(f"{quoted(text.strip())} is not one of the choices: {_how(options)}.")
    return [cards("Jk" if name == "joker" else name for name in part) for part in parts if part]


def _speaks_of(option: Decision, groups: Sequence[Sequence[Card]]) -> bool:
    """Whether each typed group is one of the option's; one group is enough to tell two hands apart."""
    left = [Counter(group) for group in option.groups]
    for group in groups:
        if Counter(group) not in left:
            return False
        left.remove(Counter(group))
    return True


def _how(options: Sequence[Decision]) -> str:
    return f"type a number from 1 to {len(options)}, or such as {quoted(typeable(options[-1]))}"
