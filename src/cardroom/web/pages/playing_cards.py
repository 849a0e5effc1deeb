"""The deck as one drawing: a symbol for each card, the joker and the back; a page shows one with ``<use>``.

Colours of the suits are the page's (``--suit-c`` and so on), so that a four-colour deck is a choice of style.
"""

from __future__ import annotations

from functools import cache
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"


@cache
def sprite() -> str:
    """All cards."""
    cards = "".join(_card(rank, suit) for rank in RANKS for suit in SUITS)
    return f'<svg xmlns="http://www.w3.org/2000/svg">{cards}</svg>'


def _card(rank: str, suit: str) -> str:
    index = "10" if rank == "T" else rank
    return (
        f'<symbol id="{rank}{suit}" viewBox="0 0 250 350"><rect x="2" y="2" width="246" height="346" rx="18" '
        f'style="fill:#fdfbf5"/><text x="125" y="220" text-anchor="middle" font-size="150" '
        f'style="fill:var(--suit-{suit})">{index}</text></symbol>'
    )
