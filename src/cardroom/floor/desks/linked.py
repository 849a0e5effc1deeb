"""Commands on a table and its jackpots, which are locked together: the links have to be known before they are locked,
and must not have changed when they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

import orjson

from cardroom.accounts import Currency
from cardroom.errors import BadInput
from cardroom.floor.desks.desk import Desk, Keys, fresh_key
from cardroom.floor.desks.draft import Draft
from cardroom.floor.felt.state import number_of
from cardroom.floor.felt.terms import Mode
from cardroom.floor.kept.chains import felt_chain, jackpot_chain, table_chain
from cardroom.floor.kept.live_recall import TypedInRound, typed_in_round
from cardroom.floor.kept.recall import back_to_round
from cardroom.floor.kept.subjects import UnknownFelt
from cardroom.floor.kept.table import TableState
from cardroom.games.jurisdiction import jurisdiction
from cardroom.jackpots.claim.earlier import ClaimedBefore
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.setup.parameters import Parameters
from cardroom.ledger import Clock, Command, Json, Ledger, UniqueKey, system_clock

A = TypeVar("A")
TRIES: Final = 10


class CountsItself(BadInput):
    """Something that people do at tables which they deal."""


class LinksChanged(BadInput):
    """A table was linked to other jackpots at this very moment: the command is to be sent again."""


def still_changing(table: str) -> LinksChanged:
    return LinksChanged(f"The jackpots of {table} are being changed at this moment: send the command again.")


@lru_cache(1024)
def may_deal_itself(money: Currency, setup: str) -> bool:
    """Whether a table of this money, with this set-up, can be an automatic one at all: most need no further look."""
    return money is Currency.PLAY or jurisdiction(orjson.loads(setup)["jurisdiction"]).allows_automatic_tables


def shown_at(draft: Draft, table: TableState) -> dict[str, list[int]]:
    """What the jackpots of a table show, in cents, from the highest level down."""
    return {jackpot: [meter.shown for meter in draft.jackpot(jackpot).meters] for jackpot in table.jackpots}


class Mark(NamedTuple):
    """All that a look back in the log of a jackpot depends on, except for rounds that are counted meanwhile. A command
    looks back before it locks the jackpot, and looks again if the mark is another one when it has the lock."""

    order: int
    """How many claims there have been."""
    pending: tuple[tuple[str, tuple[int, ...]], ...]
    """The claims and their seats: one seat of a claim may be refused."""
    claimed: tuple[str, ...]
    parameters: tuple[Parameters, ...]
    """By level: a void round comes off at the rates that it was counted by. Rates do not come back unnoticed: a change
    that players would lose by waits for a claim."""


def mark_of(state: JackpotState) -> Mark:
    """What changes whenever a prize is claimed, paid, or refused, and whenever the operator changes a rate."""
    pending = tuple((claim.id, claim.seats) for claim in state.claims)
    return Mark(state.order, pending, state.claimed, tuple(meter.parameters for meter in state.meters))


class LinkedDesk(Desk):
    """Knows which tables play for which jackpots."""

    def _felt_of(self, table: str, round_id: str) -> tuple[str, ...]:
        """The chain on which a round of the table was dealt, if its id is one that the table gives: locked with a
        claim, so that nothing is typed meanwhile."""
        named, chain = number_of(round_id), felt_chain(table)
        return (chain,) if named and named[0] == table and self.ledger.head(chain) else ()

    def _typed_in_round(self, draft: Draft, table: str, round_id: str) -> TypedInRound | None:
        """What the dealer typed of a round at a live table."""
        if not draft.holds(felt_chain(table)):
            return None
        return typed_in_round(self.ledger, draft.felt(table), round_id)

    def __init__(self, ledger: Ledger, clock: Clock = system_clock, keys: Keys = fresh_key) -> None:
        super().__init__(ledger, clock, keys)
        self._known_links: dict[str, tuple[str, ...]] = {}

    def _links(self, table: str) -> tuple[str, ...]:
        if table not in self._known_links:
            self._known_links[table] = self.table(table).jackpots
        return self._known_links[table]

    def _forget_links(self, table: str) -> None:
        self._known_links.pop(table, None)

    def _at_linked(
        self,
        id: str,
        table: str,
        body: Mapping[str, Json],
        decide: Callable[[Draft], Json],
        *more: str,
        rounds: Iterable[str] = (),
        chains: tuple[str, ...] = (),
    ) -> Command:
        """A command that locks a table, its jackpots, ``more`` jackpots and other ``chains`` besides, and counts some
        rounds."""
        jackpots = dict.fromkeys((*self._links(table), *more))
        at = table_chain(table)
        names = tuple(UniqueKey(at, round_id) for round_id in rounds)
        return self._command(id, body, (at, *map(jackpot_chain, jackpots), *chains), decide, names)

    def _linked(self, draft: Draft, table: str) -> TableState:
        """The table's state, if all its jackpots are locked with it."""
        state = draft.table(table)
        if not draft.holds_jackpots(state.jackpots):
            raise still_changing(table)
        return state

    def _dealt_by_people(self, state: TableState) -> TableState:
        """The table, unless it deals by itself: then it counts by itself too, and nobody adds to that (BJ-50)."""
        if may_deal_itself(state.money, state.setup) and self._deals_itself(state.id):
            raise CountsItself(f"Table {state.id} deals and counts by itself: nobody counts, or pays, for it.")
        return state

    def _deals_itself(self, table: str) -> bool:
        """Whether an automatic felt lies on a table."""
        try:
            felt = self.felt(table)
        except UnknownFelt:
            return False
        return felt.terms.mode is Mode.AUTOMATIC and not felt.closed

    def _looked_up(self, jackpot: str, table: str, round_id: str) -> tuple[Mark, ClaimedBefore]:
        """How far a jackpot's claims had come, and what the log says of a round until then."""
        mark = mark_of(self.jackpot(jackpot))
        return mark, back_to_round(self.ledger, jackpot, table, round_id).claimed

    def _steady(self, command: Callable[[], Command], read: Callable[[Json], A], table: str) -> A:
        """Carry out a command on a table and its jackpots, again if the links change meanwhile."""
        for _ in range(TRIES):
            try:
                return read(self.ledger.execute(command()).response)
            except LinksChanged:
                self._forget_links(table)
        raise still_changing(table)
