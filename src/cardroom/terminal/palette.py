"""The colors of the room. Every drawing is readable without them too."""

from __future__ import annotations

from typing import Final

FELT: Final = "#0b5a3a"
RAIL: Final = "#b9853f"

ON_FELT: Final = f"#eef3e6 on {FELT}"
LABEL: Final = f"#a9cfb4 on {FELT}"
GOLD: Final = f"bold #f4cf6a on {FELT}"
RAIL_ON_FELT: Final = f"{RAIL} on {FELT}"

PLAQUE: Final = "#f4f1e4"

CARD_RED: Final = "bold #c1121f on #fbfaf4"
CARD_BLACK: Final = "bold #16181d on #fbfaf4"
CARD_JOKER: Final = "bold #7b2cbf on #fbfaf4"
CARD_EDGE: Final = "#8f8b80 on #fbfaf4"
CARD_BACK: Final = "#7fa7d6 on #1d3f72"

WON: Final = "bold green"
LOST: Final = "red"
EVEN: Final = "bold"
QUIET: Final = "dim"
SLUG: Final = "cyan"
NUMBER: Final = "bold cyan"
COST: Final = "yellow"
HINT: Final = "bold green"
HIT: Final = "bold #16181d on #f4cf6a"
ASKED_AGAIN: Final = "yellow"
TITLE: Final = "bold yellow"


def net_style(cents: int) -> str:
    """Green for a gain, red for a loss."""
    return WON if cents > 0 else LOST if cents < 0 else EVEN


def plaque_style(cents: int) -> str:
    """The same on a light plaque that lies on the felt."""
    ink = "#0a6b2f" if cents > 0 else "#b3121f" if cents < 0 else "#333333"
    return f"bold {ink} on {PLAQUE}"
