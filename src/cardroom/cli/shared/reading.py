"""Files that are named on the command line: any text, the record of a finished round, heads of chains."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardroom.documents import plain_text, read_json
from cardroom.faults import BadInput, quoted
from cardroom.games.game import RoundNotOver
from cardroom.games.money import cents_or_dollars
from cardroom.games.record import BadRecord, read_record, round_from
from cardroom.games.settlement import Settlement
from cardroom.games.spot import GameFacts
from cardroom.games.table import Table

STANDARD_INPUT = "-"


class BadHeadsFile(BadInput):
    """A file that is no export of heads."""


class Unreadable(BadInput):
    """A file that cannot be read."""


def read_text(source: str) -> str:
    """The text of a file, or of standard input when the source is ``-``."""
    name = source_name(source)
    try:
        content = sys.stdin.buffer.read() if source == STANDARD_INPUT else Path(source).read_bytes()
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
        raise Unreadable(f"{name} cannot be read: {reason}. Name a file, or - for standard input.") from None
    return plain_text(content, name)


def source_name(source: str) -> str:
    """What a sentence calls a source, also where the sentence begins."""
    return "Standard input" if source == STANDARD_INPUT else source


def settle_record(text: str) -> tuple[GameFacts, Settlement]:
    """Play a record again through the rules and settle it."""
    entry = read_record(text)
    played = round_from(entry)
    if not played.is_over:
        raise RoundNotOver(f"The round is not over: {played.due}.")
    meters = read_meters(entry.get("meters", {}), played.table)
    settlement = played.game.settle(played, meters)
    settlement.refuse_unknown()
    return played.table.facts, settlement


def read_meters(entry: object, table: Table) -> dict[str, int]:
    """What the meters show, in cents by spot."""
    if not isinstance(entry, Mapping):
        example = '{"jackpot": 1000000}'
        raise BadRecord(f"'meters' names spots and amounts, such as {example}; {quoted(entry)} does not.")
    there = [spot for spot, offered in table.spots.items() if offered.has_meter]
    for spot in entry:
        if spot not in there:
            raise BadRecord(f"There is no meter for {quoted(spot)}: this table has {_meters_of(there)}.")
    meters = {spot: cents_or_dollars(amount) for spot, amount in entry.items()}
    for spot, cents in meters.items():
        if cents < 0:
            raise BadRecord(f"The meter of {quoted(spot)} cannot show {cents} cents: a meter shows zero or more.")
    return meters


def _meters_of(spots: list[str]) -> str:
    return f"one for {', '.join(spots)}" if spots else "none, for no line of its tables pays a percentage"


def read_heads(file: str) -> Any:
    """The document that an export wrote; what is inside is checked by the ledger."""
    try:
        return read_json(read_text(file), BadHeadsFile, source_name(file))
    except BadHeadsFile as fault:
        raise BadHeadsFile(f"{fault} Name a file that `cardroom jackpot heads -o FILE` wrote.") from None
