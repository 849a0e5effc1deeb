"""The deck as one drawing: a symbol for each card, the joker and the back; a page shows one with ``<use>``.

Colours of the suits are the page's (``--suit-c`` and so on), so that a four-colour deck is a choice of style.

>>> sprite().count("<symbol")
54
"""

from __future__ import annotations

from functools import cache
from typing import Final

from cardroom.cards import JOKER, STANDARD_DECK
from cardroom.web.pages.deck.back import back
from cardroom.web.pages.deck.faces import HEIGHT, WIDTH, court, joker, number

BACK: Final = "back"
_COURTS: Final = "JQK"


@cache
def sprite() -> str:
    """All cards."""
    symbols = "".join(
        f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{drawn}</symbol>' for name, drawn in drawings().items()
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'


def drawings() -> dict[str, str]:
    """The drawing of each card by its name; the joker and the back come last."""
    faces = {name: _face(*name) for name in map(str, STANDARD_DECK)}
    return faces | {str(JOKER): joker(), BACK: back()}


def _face(rank: str, suit: str) -> str:
    return court(rank, suit) if rank in _COURTS else number(rank, suit)
