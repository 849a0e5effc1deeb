"""The one family of errors that mean "what came in was wrong": a sentence for people, and nothing was changed.

A sentence quotes what came in, but never without end: whoever sends a card of fifty million letters is told so in a
line that can be read.

>>> quoted("1z"), quoted(["As"]), len(quoted("x" * 50_000_000))
("'1z'", "['As']", 60)
>>> len(str(BadInput("too long, " * 1_000_000)))
4000
"""

from __future__ import annotations

from collections.abc import Iterable
from reprlib import Repr
from typing import Final

LONGEST_QUOTE: Final = 60
LONGEST_SENTENCE: Final = 4_000
"""The longest answer that a sound house gives lists every fault of a table's set-up; it is far shorter."""


def shortened(text: str, longest: int = LONGEST_QUOTE) -> str:
    """The text, or its beginning when it is too long for a sentence.

    >>> shortened("prime"), shortened("prime" * 3, longest=8)
    ('prime', 'primepr…')
    """
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


class BadInput(ValueError):
    """Says what is wrong and what would be right; commands answer it with exit code 2."""

    def __init__(self, sentence: str) -> None:
        super().__init__(shortened(sentence, LONGEST_SENTENCE))


def quoted(value: object) -> str:
    """What came in, as a sentence repeats it: as Python writes it, with quotes around text, but not without end."""
    try:
        return shortened(_SHORT.repr(value[:LONGEST_QUOTE] if isinstance(value, str) else value))
    except ValueError:
        return "a number of thousands of digits"


def passed(value: object) -> str:
    """What a caller passed where another type was wanted, with the type that it has.

    >>> passed(7), passed("play")
    ('7 (int)', "'play' (str)")
    """
    return f"{quoted(value)} ({type(value).__name__})"


def close_to(typed: str, known: Iterable[str]) -> str:
    """A question to put behind a refusal, where what was typed looks like a name that is known.

    >>> close_to("pair-bonsu", ["prime", "pair-bonus"]), close_to("roulette", ["prime"])
    (" Did you mean 'pair-bonus'?", '')
    """
    from difflib import get_close_matches

    names = {name.lower(): name for name in known}
    short = typed[:LONGEST_QUOTE].lower()
    begun = [name for name in names if short and name.startswith(short)]
    found = begun if len(begun) == 1 else get_close_matches(short, names, n=1)
    return f" Did you mean {names[found[0]]!r}?" if found else ""


# Only what a sentence has room for is written at all: a list of a million names costs no more than one of twenty.
_SHORT: Final = Repr()
_SHORT.maxlevel = 4
_SHORT.maxdict = _SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxfrozenset = LONGEST_QUOTE // 3
_SHORT.maxstring = _SHORT.maxlong = _SHORT.maxother = 20 * LONGEST_QUOTE
