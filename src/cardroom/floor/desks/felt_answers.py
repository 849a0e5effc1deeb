"""What a command at a felt answers, and what it may still need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from cardroom.errors import BadInput
from cardroom.floor.desks.draft import Draft
from cardroom.floor.felt.state import FeltState, Phase
from cardroom.ledger import Json, UniqueKey


class FeltStanding(NamedTuple):
    """A felt after a command, as it concerns one seat. It is stored with the command, so no card is ever in it."""

    table: str
    version: int
    """How many events there have been at the felt."""
    state: Phase
    seat: int | None
    chips: int
    """Before the seat, in cents."""
    round: str
    """The round that is played, or comes next."""


class MoreNeeded(BadInput):
    """A command turns out to need more chains, or names, than it had locked: it is done again with them."""

    def __init__(self, chains: Iterable[str] = (), names: Iterable[UniqueKey] = ()) -> None:
        super().__init__("Others are at this table at this very moment: send the command again.")
        self.chains, self.names = tuple(chains), tuple(names)


def felt_standing_entry(state: FeltState, version: int, seat: int | None) -> dict[str, Json]:
    one = None if seat is None else state.seated(seat)
    return {
        "table": state.table,
        "version": version,
        "state": str(state.phase),
        "seat": seat if one else None,
        "chips": one.chips if one else 0,
        "round": state.round,
    }


def felt_standing(answer: Any) -> FeltStanding:
    return FeltStanding(**{**answer, "state": Phase(answer["state"])})


def need(draft: Draft, *chains: str, names: Sequence[UniqueKey] = ()) -> None:
    """Go on only with these chains locked, and these names asked for."""
    if not draft.holds(*chains) or not draft.asked(*names):
        raise MoreNeeded(chains, names)
