"""Parse arguments of the jackpot commands: positions on sensors, name-value pairs, records of rounds.

>>> (parse_positions(["1,3,5"], "--positions"), parse_positions(["1-3", "2:4"], "--positions"),
... parse_positions(["none"], "--positions"))
({1: (1, 3, 5)}, {1: (1, 2, 3), 2: (4,)}, {})

Also the arguments of a payout, for one winner or by seat: the player, the method, and the number.

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

from cardroom.cli.shared import options
from cardroom.cli.shared.files import read_text, source_name
from cardroom.documents import read_json
from cardroom.errors import BadInput, quote
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.payment_references import Payee, PaymentMethod

_POSITIONS: Final = re.compile(r"(?:(\d{1,2}):)?(\d{1,2}(?:-\d{1,2})?(?:,\d{1,2}(?:-\d{1,2})?)*)", re.ASCII)
NO_POSITIONS: Final = "none"
PositionsBySensor: TypeAlias = dict[int, tuple[int, ...]]


class BadArgument(BadInput):
    """An argument that cannot be parsed."""


def parse_positions(texts: Iterable[str], option: str) -> dict[int, tuple[int, ...]]:
    """Positions by sensor number; without a number, sensor 1."""
    positions: dict[int, tuple[int, ...]] = {}
    for text in texts:
        if text.strip() == NO_POSITIONS:
            continue
        match = _POSITIONS.fullmatch(text.replace(" ", ""))
        if not match:
            raise BadArgument(
                f"{quote(text)} is not a list of positions: write {option} 1,3,5, {option} 1-6, "
                f"{option} 2:1,4 for sensor 2, or {option} {NO_POSITIONS}."
            )
        sensor = int(match[1] or 1)
        if sensor in positions:
            raise BadArgument(f"Sensor {sensor} is named twice: write its positions in one list.")
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
    return options.parse_pairs(
        texts,
        lambda text: BadArgument(f"{quote(text)} is not NAME=VALUE: write it like {example}."),
        lambda name: BadArgument(f"{quote(name)} is named twice: name it once."),
    )


def choose_level(state: JackpotState, level: str | None) -> str:
    """The named level, or the only one."""
    if level is not None:
        return level
    if len(state.meters) == 1:
        return state.meters[0].name
    level_names = ", ".join(meter.name for meter in state.meters) or "none"
    raise BadArgument(f"Name the level of {state.id} with --level: it has {level_names}.")


def choose_game(state: JackpotState, game: str | None) -> str:
    """The named game, or the jackpot's only one."""
    games = [offer["game"] for offer in state.setup["offers"]]
    if game is not None:
        return game
    if len(games) == 1:
        return str(games[0])
    raise BadArgument(f"Name the game of {state.id} with --game: it has {', '.join(games)}.")


def match_claim(prefix: str, claim_ids: Iterable[str], jackpot: str) -> str:
    """The claim with this id, or the only one whose id starts with it.

    >>> match_claim("3f", ["3f2a", "77b1"], "final-four")
    '3f2a'
    """
    claim_ids = tuple(dict.fromkeys(claim_ids))
    matches = [claim_id for claim_id in claim_ids if claim_id == prefix] or [
        claim_id for claim_id in claim_ids if claim_id.startswith(prefix)
    ]
    if len(matches) > 1:
        raise BadArgument(f"Several claims on {jackpot} start with {quote(prefix)}: {', '.join(matches)}.")
    return matches[0] if matches else prefix


def read_round_record(source: str) -> dict[str, Any]:
    """The record of a finished round, from a file or from standard input."""
    record = read_json(read_text(source), BadArgument, source_name(source))
    if not isinstance(record, dict):
        raise BadArgument(f"{source} is not the record of a round: `cardroom settle --example GAME` prints one.")
    return record


def parse_optional_day(text: str | None) -> date | None:
    """A day such as 2026-03-02, or None."""
    return None if text is None else options.parse_day(text, BadArgument)


_SEAT_VALUE: Final = re.compile(r"(\d{1,2})\s*=\s*(.*)", re.ASCII | re.DOTALL)

_PAYMENT_METHODS: Final = {str(method): method for method in PaymentMethod if method is not PaymentMethod.BALANCE}
"""The methods of --payment. A balance is paid with --balance: the ledger knows the players of automatic tables."""


class BadPayout(BadInput):
    """An incomplete or contradictory payout."""


def parse_payouts(
    seats: Sequence[int], players: Iterable[str], payments: Iterable[str], references: Iterable[str]
) -> dict[int, Payee]:
    """The payee at each winning seat. One method may apply to all seats."""
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
    """A value for every winning seat: the plain value for a single seat, else ``SEAT=VALUE``."""
    values: dict[int, str] = {}
    for text in texts:
        if not seats:
            raise BadPayout(f"All winners of the claim are paid to their balances: leave {option} out.")
        match = _SEAT_VALUE.fullmatch(text)
        matched_seats = (int(match[1]),) if match else tuple(seats) if applies_to_all or len(seats) == 1 else ()
        for seat in matched_seats:
            if seat not in seats:
                raise BadPayout(f"{option} {text}: the claim pays seat {_join_seats(seats)}, not {seat}.")
            if seat in values:
                raise BadPayout(f"{option} is repeated for seat {seat}: use it once.")
            values[seat] = match[2] if match else text
        if not matched_seats:
            raise BadPayout(
                f"The claim pays seats {_join_seats(seats)}: write {option} {seats[0]}={text} for one of them."
            )
    for seat in seats:
        if seat not in values:
            value = option if len(seats) == 1 else f"{option} {seat}=…"
            raise BadPayout(
                f"The payout at seat {seat} is incomplete: {value} is missing. A payout needs --player NAME (or "
                f"declined), --payment {'|'.join(_PAYMENT_METHODS)}, and --reference NUMBER."
            )
    return values


def _parse_payment(text: str) -> PaymentMethod:
    try:
        return _PAYMENT_METHODS[text.strip().lower()]
    except KeyError:
        raise BadPayout(
            f"{quote(text)} is not a payment method: use --payment {', '.join(_PAYMENT_METHODS)}."
        ) from None


def _join_seats(seats: Sequence[int]) -> str:
    return " and ".join(map(str, seats))
