"""Cards on paper: four to a letter page, three by five inches each, with marks to cut along."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime, time
from importlib.resources import files
from pathlib import Path
from typing import Final

from cardroom.reports.paper.program import this_program
from cardroom.reports.paper.typeset import as_pdf, as_pictures
from cardroom.reports.paper.writing import write_bytes
from cardroom.reports.pocket.cards import PocketCard

_FORM: Final = files("cardroom.reports.pocket") / "pocket.typ"
FELT: Final = "#1d4a36"
FELTS: Final = {
    "deuces-wild": "#17452f",
    "three-card-prime": "#1a2f54",
    "texas-shootout": "#571f1f",
    "dueling-for-dollars": "#2d3b44",
    "three-card-double-play": "#432447",
}
"""The felts of the tables in the browser; a game of an installed package has the house's."""


def print_cards(cards: Sequence[PocketCard], file: Path, prepared: date) -> None:
    """Write the cards as one PDF."""
    write_bytes(file, pdf(cards, prepared))


def pdf(cards: Sequence[PocketCard], prepared: date) -> bytes:
    """The pages; the same cards and day give the same bytes."""
    return as_pdf(_FORM, _inputs(cards), datetime.combine(prepared, time(), UTC))


def pictures(cards: Sequence[PocketCard], pixels_per_inch: int) -> list[bytes]:
    """The pages as they look on paper, each a PNG."""
    return as_pictures(_FORM, _inputs(cards), pixels_per_inch)


def _inputs(cards: Sequence[PocketCard]) -> dict[str, str]:
    shown = [asdict(card) | {"felt": FELTS.get(card.game, FELT)} for card in cards]
    return {"cards": json.dumps({"cards": shown, "program": f"Cardroom {this_program().cardroom}"})}
