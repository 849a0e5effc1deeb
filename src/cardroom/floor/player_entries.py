"""Players as JSON, for programs; every amount in whole cents, and of which money it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardroom.floor.desks.players import PlayerStanding
from cardroom.floor.felt.state import Seated
from cardroom.floor.players.state import PlayerState


def player_standing_entry(standing: PlayerStanding) -> dict[str, Any]:
    """A player after a command."""
    return _entry(standing.player, str(standing.money), standing.guest, standing.balance)


def player_entry(state: PlayerState, seated: Mapping[str, Seated] | None = None) -> dict[str, Any]:
    """A player with the seats, and the chips there where they are known."""
    seats = [{"table": table, "seat": seat, **_chips((seated or {}).get(table))} for table, seat in state.seats.items()]
    return {**_entry(state.player, str(state.money), state.guest, state.balance), "seats": seats}


def _chips(one: Seated | None) -> dict[str, int]:
    return {} if one is None else {"chips_cents": one.chips, "down_cents": one.down}


def _entry(player: str, money: str, guest: bool, balance: int) -> dict[str, Any]:
    return {"player": player, "money": money, "guest": guest, "balance_cents": balance}
