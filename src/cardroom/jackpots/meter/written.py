"""A jackpot's state as plain values, and back again."""

from __future__ import annotations

from typing import Any

from cardroom.jackpots.meter.parameters import parameters_entry, parameters_from, waiting_entry, waiting_from
from cardroom.jackpots.meter.pending import claim_entry, claim_from
from cardroom.jackpots.meter.setup import JackpotKind
from cardroom.jackpots.meter.state import JackpotState, Meter


def meter_entry(meter: Meter) -> dict[str, Any]:
    """A meter as plain values."""
    return meter._asdict() | {"parameters": parameters_entry(meter.parameters)}


def meter_from(entry: dict[str, Any]) -> Meter:
    """Read a meter again."""
    return Meter(**entry | {"parameters": parameters_from(entry["parameters"])})


def state_entry(state: JackpotState) -> dict[str, Any]:
    """A state as plain values."""
    return state._asdict() | {
        "kind": str(state.kind),
        "wagers": list(state.wagers),
        "meters": list(map(meter_entry, state.meters)),
        "tables": list(state.tables),
        "claims": list(map(claim_entry, state.claims)),
        "claimed": list(state.claimed),
        "waiting": list(map(waiting_entry, state.waiting)),
    }


def state_from(entry: dict[str, Any]) -> JackpotState:
    """Read a state again."""
    return JackpotState(
        **entry
        | {
            "kind": JackpotKind(entry["kind"]),
            "wagers": tuple(entry["wagers"]),
            "meters": tuple(map(meter_from, entry["meters"])),
            "tables": tuple(entry["tables"]),
            "claims": tuple(map(claim_from, entry["claims"])),
            "claimed": tuple(entry["claimed"]),
            "waiting": tuple(map(waiting_from, entry["waiting"])),
        }
    )
