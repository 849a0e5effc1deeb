"""What people type for a jackpot command: positions on sensors, names with values, records of rounds.

>>> places(["1,3,5"], "--positions"), places(["1-3", "2:4"], "--positions"), places(["none"], "--positions")
({1: (1, 3, 5)}, {1: (1, 2, 3), 2: (4,)}, {})
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from cardroom.cli.shared import typed
from cardroom.cli.shared.reading import read_text, source_name
from cardroom.documents import read_json
from cardroom.errors import BadInput, quote
from cardroom.jackpots import JackpotState

_PLACES: Final = re.compile(r"(?:(\d{1,2}):)?(\d{1,2}(?:-\d{1,2})?(?:,\d{1,2}(?:-\d{1,2})?)*)", re.ASCII)
NONE: Final = "none"


class BadTyping(BadInput):
    """Something that was typed and is not understood."""


def places(texts: Iterable[str], option: str) -> dict[int, tuple[int, ...]]:
    """Positions by the number of their sensor; a text without a sensor's number is for sensor 1."""
    found: dict[int, tuple[int, ...]] = {}
    for text in texts:
        if text.strip() == NONE:
            continue
        read = _PLACES.fullmatch(text.replace(" ", ""))
        if not read:
            raise BadTyping(
                f"{quote(text)} names no positions: write {option} 1,3,5, {option} 1-6, {option} 2:1,4 for sensor 2, "
                f"or {option} {NONE}."
            )
        sensor = int(read[1] or 1)
        if sensor in found:
            raise BadTyping(f"Sensor {sensor} is named twice: write all of its positions together.")
        found[sensor] = tuple(number for part in read[2].split(",") for number in _span(part))
    return found


def _span(part: str) -> range:
    first, _, last = part.partition("-")
    return range(int(first), int(last or first) + 1)


def pairs(texts: Iterable[str], like: str) -> dict[str, str]:
    """Names with values, such as ``ceiling=$20,000``."""
    return typed.pairs(
        texts,
        lambda text: BadTyping(f"{quote(text)} is not a name with a value: write it like {like}."),
        lambda name: BadTyping(f"{quote(name)} is given twice: give it once."),
    )


def only_level(state: JackpotState, level: str | None) -> str:
    """The level that was named, or the only one that there is."""
    if level is not None:
        return level
    if len(state.meters) == 1:
        return state.meters[0].name
    there = ", ".join(meter.name for meter in state.meters) or "none"
    raise BadTyping(f"Say which level of {state.id} with --level: it has {there}.")


def only_game(state: JackpotState, game: str | None) -> str:
    """The game that was named, or the only one that the jackpot has."""
    games = [offer["game"] for offer in state.setup["offers"]]
    if game is not None:
        return game
    if len(games) == 1:
        return str(games[0])
    raise BadTyping(f"Say which game of {state.id} with --game: it has {', '.join(games)}.")


def claim_named(beginning: str, known: Iterable[str], jackpot: str) -> str:
    """The claim with this id, or the only one whose id begins like this.

    >>> claim_named("3f", ["3f2a", "77b1"], "final-four")
    '3f2a'
    """
    known = tuple(dict.fromkeys(known))
    found = [one for one in known if one == beginning] or [one for one in known if one.startswith(beginning)]
    if len(found) > 1:
        raise BadTyping(f"{quote(beginning)} is the beginning of several claims on {jackpot}: {', '.join(found)}.")
    return found[0] if found else beginning


def round_record(source: str) -> dict[str, Any]:
    """The record of a finished round, from a file or from standard input."""
    entry = read_json(read_text(source), BadTyping, source_name(source))
    if not isinstance(entry, dict):
        raise BadTyping(f"{source} is no record of a round: `cardroom settle --example GAME` shows one.")
    return entry


def day(text: str | None) -> date | None:
    """A day such as 2026-03-02, where one was typed."""
    return None if text is None else typed.day(text, BadTyping)
