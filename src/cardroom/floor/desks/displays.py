"""TableVision: what the displays of a table say now, from the states of its jackpots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardroom.accounts import CENT, Currency
from cardroom.floor.desks.desk import Desk
from cardroom.floor.desks.signs import Sign
from cardroom.floor.kept.chains import jackpot_chain, table_chain
from cardroom.floor.kept.table import TableState, open_at
from cardroom.games import game
from cardroom.jackpots.displays import Display, JackpotReading, LevelReading, displays
from cardroom.jackpots.meter.service import with_displayed_bonuses
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.setup.calendar import Time
from cardroom.jackpots.setup.jackpot import JackpotKind
from cardroom.jackpots.setup.models import Changed


class Vision(NamedTuple):
    """TableVision at a table."""

    table: str
    displays: tuple[Display, ...]
    changed_at: Time
    """When something last happened that they tell of."""
    closed: str
    """Why the table is closed; empty while it is open."""


class DisplayDesk(Desk):
    """What players see."""

    def displays(self, table: str, *, payout_cap: int | None = None) -> tuple[Display, ...]:
        """What each display of a table says; ``payout_cap`` is in cents."""
        state = open_at(self.table(table))
        jackpots = [self.jackpot(jackpot) for jackpot in state.jackpots]
        return self._said(state, {jackpot.id: reading(jackpot) for jackpot in jackpots}, jackpots, payout_cap)

    def vision(self, table: str) -> Vision:
        """What the screens of a table show by themselves; at a closed table nobody plays for a jackpot."""
        state = self.table(table)
        jackpots = [self.jackpot(jackpot) for jackpot in state.jackpots]
        said = self._said(state, {jackpot.id: reading(jackpot) for jackpot in jackpots}, jackpots, None)
        return Vision(table, said, max(time for _, time in self._ends(state).values()), state.closed)

    def vision_version(self, table: str) -> tuple[tuple[int, Time], ...]:
        """What changes whenever something happens at a table or to one of its jackpots: quickly told, and nothing is
        worked out for it. Promotions are not among it."""
        return tuple(self._ends(self.table(table)).values())

    def _ends(self, state: TableState) -> dict[str, tuple[int, Time]]:
        chains = (table_chain(state.id), *map(jackpot_chain, state.jackpots))
        heads = (self.ledger.head(chain) for chain in chains)
        return {head.chain: (head.sequence, head.time) for head in heads if head is not None}

    def signs(self) -> tuple[Sign, ...]:
        """The signs of all tables that do not follow by themselves, and what each has to say. Amounts of progressives
        and of pending prizes are left out: no sign that a person changes can follow them (BJ-44)."""
        found: list[Sign] = []
        for table in self.tables():
            state = self.table(table)
            changed = {one.kind: one.changed for one in state.tabulator.table.model.screens}
            if set(changed.values()) <= {Changed.BY_SERVER}:
                continue
            jackpots = [self.jackpot(jackpot) for jackpot in state.jackpots]
            readings = {one.id: _without_amounts(one) for one in jackpots}
            said = self._said(state, readings, jackpots, None)
            found += (Sign(table, changed[one.kind], one) for one in said if changed[one.kind] is not Changed.BY_SERVER)
        return tuple(found)

    def _said(
        self,
        state: TableState,
        readings: Mapping[str, JackpotReading],
        jackpots: Sequence[JackpotState],
        payout_cap: int | None,
    ) -> tuple[Display, ...]:
        setup = with_displayed_bonuses(state.game_setup, jackpots)
        promotions = self._promotions_at(setup.game, frozenset(setup.wagers), state.money)
        return displays(
            game(setup.game).open(setup),
            state.playing,
            readings,
            promotions=promotions,
            payout_cap=payout_cap,
        )

    def _promotions_at(self, slug: str, wagers: frozenset[str], money: Currency) -> tuple[str, ...]:
        """The rules of the promotions that a table's players can win today."""
        running = [self.promotion(promotion).state for promotion in self.promotions()]
        here = [one.promotion for one in running if not one.ended and one.promotion.game == slug]
        if not here:
            return ()
        today = self._today()
        won = [one for one in here if one.wager in wagers and one.money is money and one.runs_on(today)]
        return tuple(f"{in_words(one.name, money)}: {one.rules}" for one in won)


def in_words(name: str, money: Currency) -> str:
    """A name as displays show it: it says where something is of play money.

    >>> in_words("Final Four", Currency.PLAY), in_words("Final Four (play money)", Currency.PLAY)
    ('Final Four (play money)', 'Final Four (play money)')
    >>> in_words("All", Currency.REAL)
    'All'
    """
    says = money is Currency.REAL or money.label in name.casefold()
    return name if says else f"{name} ({money.label})"


def reading(state: JackpotState) -> JackpotReading:
    """A jackpot as displays need it."""
    pays = {level["name"]: tuple(level["pays"]) for level in state.setup["levels"]}
    levels = []
    for meter in state.meters:
        ceiling = meter.parameters.ceiling
        levels.append(
            LevelReading(meter.name, meter.display, pays[meter.name], None if ceiling is None else ceiling // CENT)
        )
    return JackpotReading(
        name=in_words(state.setup["name"], state.money),
        levels=tuple(levels),
        pending=tuple(claim.cents * CENT for claim in state.claims),
        available=state.unavailable is None,
        removed=state.removed,
    )


def _without_amounts(state: JackpotState) -> JackpotReading:
    """A jackpot apart from what changes with every round and every claim: a sign says that a prize is pending, and goes
    on saying so whatever is claimed, paid or refused beside it."""
    shown = reading(state)
    shown = shown._replace(pending=(0,) if shown.pending else ())
    if state.kind is JackpotKind.BONUS:
        return shown
    return shown._replace(levels=tuple(level._replace(amount=0) for level in shown.levels))
