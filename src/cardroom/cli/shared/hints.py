"""What a command adds to a refusal: the floor speaks of people and money, options are the command's own."""

from __future__ import annotations

from typing import Final

from cardroom.errors import BadInput

HINTS: Final = {
    "SecondMissing": "(--second LOGIN)",
    "ReasonMissing": "(--why REASON)",
    "UnconfirmedShortage": "(--shortage DOLLARS)",
    "TableIsOpen": "(--change --why REASON)",
    "PaidBefore": "(--dealt-again REASON --second LOGIN)",
    "NoGap": "(leave --accept-gap out)",
    "BehindAGap": "(cardroom jackpot logger TABLE FILE --accept-gap --second LOGIN --why REASON)",
    "MoreThanItCan": "(--second LOGIN --why REASON)",
    "KeyElsewhere": "(--to FILE)",
    "NoTimeZones": "(--timezone UTC)",
}
"""By the fault's name: a command that was refused loads nothing more for the sake of its hint."""


def told(fault: BadInput) -> str:
    """The refusal as a command prints it.

    >>> class SecondMissing(BadInput): ...
    >>> told(SecondMissing("Two people answer for a change: name the second one beside rosa."))
    'Two people answer for a change: name the second one beside rosa (--second LOGIN).'
    """
    sentence = str(fault)
    for kind in type(fault).__mro__:
        if hint := HINTS.get(kind.__name__):
            return f"{sentence.removesuffix('.')} {hint}."
    return sentence
