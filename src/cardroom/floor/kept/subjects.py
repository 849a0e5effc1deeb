"""What has a chain of its own: tables, jackpots and promotions; how such a chain is read, carried on and booked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from cardroom.accounts import AccountKind, Posting
from cardroom.faults import BadInput
from cardroom.floor.kept import table
from cardroom.floor.kept.chains import jackpot_chain, promotion_chain, table_chain
from cardroom.floor.kept.table import TableState
from cardroom.jackpots import Happening
from cardroom.jackpots import apply as apply_to_jackpot
from cardroom.jackpots import postings as jackpot_postings
from cardroom.jackpots import running_promotion as promotion
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.meter.written import state_entry as jackpot_entry
from cardroom.jackpots.meter.written import state_from as jackpot_from
from cardroom.jackpots.running_promotion import RunningPromotion

S = TypeVar("S")


class UnknownTable(BadInput):
    """A table that was never opened."""


class UnknownJackpot(BadInput):
    """A jackpot that was never opened."""


class UnknownPromotion(BadInput):
    """A promotion that was never announced."""


@dataclass(frozen=True, slots=True)
class Subject(Generic[S]):
    """How the chains of one subject are read, carried on and booked."""

    chain: Callable[[str], str]
    apply: Callable[[S | None, Happening], S]
    postings: Callable[[Happening], tuple[Posting, ...]]
    names: Callable[[str, Mapping[str, Any]], tuple[str, ...]]
    """By the kind and content of a happening: what the chain knows it by for ever."""
    write: Callable[[S], dict[str, Any]]
    read: Callable[[dict[str, Any]], S]
    unknown: Callable[[str], BadInput]


def booked(happening: Happening) -> tuple[Posting, ...]:
    """What a happening of a jackpot means for the books. That a wager was collected is booked once, at its table."""
    lines = jackpot_postings(happening)
    if happening.kind == "wagers-counted" and lines and lines[0].debit.kind is AccountKind.CHIP_TRAY:
        return lines[1:]
    return lines


def nameless(kind: str, payload: Mapping[str, Any]) -> tuple[str, ...]:  # noqa: ARG001
    """Nothing that happens there is looked up by a name."""
    return ()


TABLES: Final[Subject[TableState]] = Subject(
    table_chain,
    table.apply,
    table.postings,
    table.names,
    table.state_entry,
    table.state_from,
    lambda id: UnknownTable(f"There is no table {id!r}: open it first, or check its name."),
)
JACKPOTS: Final[Subject[JackpotState]] = Subject(
    jackpot_chain,
    apply_to_jackpot,
    booked,
    nameless,
    jackpot_entry,
    jackpot_from,
    lambda id: UnknownJackpot(f"There is no jackpot {id!r}: open it first, or check its name."),
)
PROMOTIONS: Final[Subject[RunningPromotion]] = Subject(
    promotion_chain,
    promotion.apply,
    jackpot_postings,
    nameless,
    promotion.running_entry,
    promotion.running_from,
    lambda id: UnknownPromotion(f"There is no promotion {id!r}: announce it first, or check its name."),
)
