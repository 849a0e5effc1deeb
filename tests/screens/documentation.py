"""The pictures that the documentation shows, and the scenes of which they are copies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

PICTURES_FOLDER: Final = Path(__file__).parents[2] / "docs" / "images"

PICTURES: Final[Mapping[str, str]] = {
    "dealer.png": "dealer-paying-1024.png",
    "display.png": "display-two-jackpots-1920.png",
    "lab-simulation.png": "lab-simulation-1280.png",
    "lab-two-tables.png": "lab-two-tables-1280.png",
    "lab.png": "lab-wager-1280.png",
    "ledger.png": "office-chain-1280.png",
    "lobby.png": "lobby-1280.png",
    "locked.png": "unlock-1024.png",
    "round.png": "round-end-1280.png",
    "rules-printed.png": "rules-printed-816.png",
    "seat.png": "seat-texas-shootout-after-1280.png",
    "sign.png": "display-three-card-prime-1920.png",
    "tabulate.png": "dealer-tabulate-1024.png",
    "telephone.png": "seat-three-card-double-play-asked-360.png",
}
"""By the name of the picture, the file that the scene makes."""

DRAWN: Final = frozenset({"edges.svg", "par-page.png", "table.svg"})
"""Pictures that ``docs/images/draw.py`` makes."""
