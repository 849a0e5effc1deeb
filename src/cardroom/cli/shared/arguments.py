"""What people type for a jackpot command: positions on sensors, names with values, records of rounds.

>>> (parse_positions(["1,3,5"], "--positions"), parse_positions(["1-3", "2:4"], "--positions"),
... parse_positions(["none"], "--positions"))
({1: (1, 3, 5)}, {1: (1, 2, 3), 2: (4,)}, {})

What a cashier types about a payout: the player, how it was paid, and the number; for one winner or by seat.

>>> parse_by_seat(["Ann Lee"], (3,), "--player")
{3: 'Ann Lee'}
>>> parse_by_seat(["3=Ann Lee", "5=declined"], (3, 5), "--player")
{3: 'Ann Lee', 5: 'declined'}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Final, TypeAlias

from cardroom.cli.shared import options as typed
from cardroom.cli.shared.files import read_text, source_name
from cardroom.documents import read_json
from cardroom.errors import BadInput, quote
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.payments import Payee, PaymentMethod

_POSITIONS: Final = re.compile(r"(?:(\d{1,2}):)?(\d{1,2}(?:-\d{1,2})?(?:,\d{1,2}(?:-\d{1,2})?)*)", re.ASCII)
NO_POSITIONS: Final = "none"
PositionsBySensor: TypeAlias = dict[int, tuple[int, ...]]


class BadArgument(BadInput):
    """Something that was typed and is not understood."""


def parse_positions(texts: Iterable[str], option: str) -> dict[int, tuple[int, ...]]:
    """Positions by the number of their sensor; a text without a sensor's number is for sensor 1."""
    positions: dict[int, tuple[int, ...]] = {}
    for text in texts:
        if text.strip() == NO_POSITIONS:
            continue
        match = _POSITIONS.fullmatch(text.replace(" ", ""))
        if not match:
            raise BadArgument(
                f"{quote(text)} names no positions: write {option} 1,3,5, {option} 1-6, {option} 2:1,4 for sensor 2, "
                f"or {option} {NO_POSITIONS}."
            )
        sensor = int(match[1] or 1)
        if sensor in positions:
            raise BadArgument(f"Sensor {sensor} is named twice: write all of its positions together.")
        positions[sensor] = tuple(number for part in match[2].split(",") for number in _parse_range(part))
    return positions


def parse_both_positions(
    positions: list[str], lammers: list[str] | None
) -> tuple[PositionsBySensor, PositionsBySensor]:
    """The positions of wagers, and those of lammers beside them."""
    return parse_positions(positions, "--positions"), parse_positions(lammers or (), "--lammers")


def _parse_range(part: str) -> range:
    first, _, last = part.partition("-")
    return range(int(first), int(last or first) + 1)


def parse_named_values(texts: Iterable[str], example: str) -> dict[str, str]:
    """Names with values, such as ``ceiling=$20,000``."""
    return typed.parse_pairs(
        texts,
        lambda text: BadArgument(f"{quote(text)} is not a name with a value: write it like {example}."),
        lambda name: BadArgument(f"{quote(name)} is given twice: give it once."),
    )


def choose_level(state: JackpotState, level: str | None) -> str:
    """The level that was named, or the only one that there is."""
    if level is not None:
        return level
    if len(state.meters) == 1:
        return state.meters[0].name
    level_names = ", ".join(meter.name for meter in state.meters) or "none"
    raise BadArgument(f"Say which level of {state.id} with --level: it has {level_names}.")


def choose_game(state: JackpotState, game: str | None) -> str:
    """The game that was named, or the only one that the jackpot has."""
    games = [offer["game"] for offer in state.setup["offers"]]
    if game is not None:
        return game
    if len(games) == 1:
        return str(games[0])
    raise BadArgument(f"Say which game of {state.id} with --game: it has {', '.join(games)}.")


def match_claim(prefix: str, claim_ids: Iterable[str], jackpot: str) -> str:
    """The claim with this id, or the only one whose id begins like this.

    >>> match_claim("3f", ["3f2a", "77b1"], "final-four")
    '3f2a'
    """
    claim_ids = tuple(dict.fromkeys(claim_ids))
    matches = [claim_id for claim_id in claim_ids if claim_id == prefix] or [
        claim_id for claim_id in claim_ids if claim_id.startswith(prefix)
    ]
    if len(matches) > 1:
        raise BadArgument(f"{quote(prefix)} is the beginning of several claims on {jackpot}: {', '.join(matches)}.")
    return matches[0] if matches else prefix


def read_round_record(source: str) -> dict[str, Any]:
    """The record of a finished round, from a file or from standard input."""
    record = read_json(read_text(source), BadArgument, source_name(source))
    if not isinstance(record, dict):
        raise BadArgument(f"{source} is no record of a round: `cardroom settle --example GAME` shows one.")
    return record


def parse_optional_day(text: str | None) -> date | None:
    """A day such as 2026-03-02, where one was typed."""
    return None if text is None else typed.parse_day(text, BadArgument)


_SEAT_VALUE: Final = re.compile(r"(\d{1,2})\s*=\s*(.*)", re.ASCII | re.DOTALL)

_PAYMENT_METHODS: Final = {str(one): one for one in PaymentMethod if one is not PaymentMethod.BALANCE}
"""How people are paid. What goes to a balance is told otherwise: nobody types who sat at an automatic table."""


class BadPayout(BadInput):
    """A payout that is not told in full."""


def parse_payouts(
    seats: Sequence[int], players: Iterable[str], payments: Iterable[str], references: Iterable[str]
) -> dict[int, Payee]:
    """Who is paid at each winning seat, and how. All may be paid in one way."""
    names = parse_by_seat(players, seats, "--player")
    methods = {
        seat: _parse_payment(text)
        for seat, text in parse_by_seat(payments, seats, "--payment", applies_to_all=True).items()
    }
    reference_numbers = parse_by_seat(references, seats, "--reference")
    return {seat: Payee(names[seat], methods[seat], reference_numbers[seat]) for seat in seats}


def parse_by_seat(
    texts: Iterable[str], seats: Sequence[int], option: str, *, applies_to_all: bool = False
) -> dict[int, str]:
    """A value for every winning seat: as it stands where there is one, else behind the seat's number."""
    values: dict[int, str] = {}
    for text in texts:
        if not seats:
            raise BadPayout(f"Every winner of the claim is paid to a balance: leave {option} out.")
        match = _SEAT_VALUE.fullmatch(text)
        matched_seats = (int(match[1]),) if match else tuple(seats) if applies_to_all or len(seats) == 1 else ()
        for seat in matched_seats:
            if seat not in seats:
                raise BadPayout(f"{option} {text}: the claim pays seat {_join_seats(seats)}, not {seat}.")
            if seat in values:
                raise BadPayout(f"{option} is given twice for seat {seat}: give it once.")
            values[seat] = match[2] if match else text
        if not matched_seats:
            raise BadPayout(
                f"The claim pays seat {_join_seats(seats)}: write {option} {seats[0]}={text} for one of them."
            )
    for seat in seats:
        if seat not in values:
            value = option if len(seats) == 1 else f"{option} {seat}=…"
            raise BadPayout(
                f"The payout at seat {seat} is not told in full: {value} is missing. A payout has --player NAME (or "
                f"declined), --payment {'|'.join(_PAYMENT_METHODS)} and --reference NUMBER."
            )
    return values


def _parse_payment(text: str) -> PaymentMethod:
    try:
        return _PAYMENT_METHODS[text.strip().lower()]
    except KeyError:
        raise BadPayout(f"{quote(text)} is no way to pay: write --payment {', '.join(_PAYMENT_METHODS)}.") from None


def _join_seats(seats: Sequence[int]) -> str:
    return " and ".join(map(str, seats))
