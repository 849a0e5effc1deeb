"""The errors for bad input: each has a sentence for people, and the refused operation changes nothing.

A sentence quotes the input, but shortens it: a card name of fifty million letters gives a line that can be read.

>>> quote("1z"), quote(["As"]), len(quote("x" * 50_000_000))
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
"""The longest useful sentence lists every fault of a table setup, and is far shorter."""


def shorten(text: str, max_length: int = LONGEST_QUOTE) -> str:
    """The text, or its beginning when it is too long for a sentence.

    >>> shorten("prime"), shorten("prime" * 3, max_length=8)
    ('prime', 'primepr…')
    """
    return text if len(text) <= max_length else f"{text[: max_length - 1]}…"


class BadInput(ValueError):
    """Says what is wrong and what to do; commands exit with code 2."""

    def __init__(self, sentence: str) -> None:
        super().__init__(shorten(sentence, LONGEST_SENTENCE))


def quote(value: object) -> str:
    """The repr of a value, shortened for a sentence."""
    try:
        return shorten(_SHORT_REPR.repr(value[:LONGEST_QUOTE] if isinstance(value, str) else value))
    except ValueError:
        return "a number of thousands of digits"


def quote_with_type(value: object) -> str:
    """The repr and the type of a value of the wrong type.

    >>> quote_with_type(7), quote_with_type("play")
    ('7 (int)', "'play' (str)")
    """
    return f"{quote(value)} ({type(value).__name__})"


def suggest_name(text: str, names: Iterable[str]) -> str:
    """A suggestion to append to a refusal, if the text resembles a valid name; otherwise empty.

    >>> suggest_name("pair-bonsu", ["prime", "pair-bonus"]), suggest_name("roulette", ["prime"])
    (" Did you mean 'pair-bonus'?", '')
    """
    from difflib import get_close_matches

    by_lower_name = {name.lower(): name for name in names}
    lower_text = text[:LONGEST_QUOTE].lower()
    prefix_matches = [name for name in by_lower_name if lower_text and name.startswith(lower_text)]
    matches = prefix_matches if len(prefix_matches) == 1 else get_close_matches(lower_text, by_lower_name, n=1)
    return f" Did you mean {by_lower_name[matches[0]]!r}?" if matches else ""


# Only the part that fits into a sentence is formatted: a list of a million names costs no more than one of twenty.
_SHORT_REPR: Final = Repr()
_SHORT_REPR.maxlevel = 4
_SHORT_REPR.maxdict = _SHORT_REPR.maxlist = _SHORT_REPR.maxtuple = _SHORT_REPR.maxset = _SHORT_REPR.maxfrozenset = (
    LONGEST_QUOTE // 3
)
_SHORT_REPR.maxstring = _SHORT_REPR.maxlong = _SHORT_REPR.maxother = 20 * LONGEST_QUOTE
