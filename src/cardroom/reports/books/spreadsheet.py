"""Texts in a CSV file that a spreadsheet must leave as they are.

A spreadsheet computes a text that begins like a formula, and reads ``mar-1``, ``1/8``, ``8 pm``, ``0012``, ``1E5`` or
``5%`` as a date, a time or a number: what it then shows is not what was written. Such a text gets an apostrophe in
front. The rule does not list the formats of every spreadsheet and country: a text with a digit is safe only where it
has a letter that no date, time or number has. A whole number that reads back digit by digit stays as it is.

>>> [text_cell(text) for text in ("8 pm", "0012", "1E5", "true", "1077", "prime-1.17", "T-1002")]
["'8 pm", "'0012", "'1E5", "'true", '1077', 'prime-1.17', 'T-1002']
"""

from __future__ import annotations

import re
from typing import Final

_FORMULA: Final = ("=", "+", "-", "@", "\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}", "\N{MINUS SIGN}")
_CONTROL: Final = ("\t", "\r", "\n")
_WORDS: Final = frozenset(("true", "false", "#n/a", "#null!", "#div/0!", "#value!", "#ref!", "#name?", "#num!"))
"""Texts without a digit that a spreadsheet takes for a value."""
_SAME_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,14}")
"""Whole numbers that a spreadsheet shows as they were written: it keeps fifteen digits."""
_MONTHS: Final = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_DAYS: Final = (
    "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
)
_LETTERS: Final = re.compile(
    rf"(?<![a-z])(?:{_MONTHS}|{_DAYS})(?![a-z])"
    r"|(?<=\d)\s*[ap](?:\.?m)?(?![a-z])"  # 12-hour times
    r"|(?<=\d)\s*(?:st|nd|rd|th)(?![a-z])"  # March 5th
    r"|(?<=[\d.])[ed](?=[-+]?\d)"  # exponents
    r"|(?<=\d)\s*t(?=\d)|(?<=\d)\s*(?:z|utc|gmt)(?![a-z])"  # ISO times
    r"|(?<![a-z])(?:usd|us)(?![a-z])",
    re.IGNORECASE,
)
"""The letters that a date, a time or a number may have."""


def text_cell(text: str) -> str:
    """A text as a cell of a CSV file, with an apostrophe in front where a spreadsheet would convert it."""
    return f"'{text}" if text.startswith(_CONTROL) or _is_converted(text.strip()) else text


def _is_converted(text: str) -> bool:
    if text.startswith(_FORMULA) or text.lower() in _WORDS:
        return True
    if not any(character.isnumeric() for character in text) or _SAME_NUMBER.fullmatch(text):
        return False
    return not any(character.isalpha() for character in _LETTERS.sub("", text))
