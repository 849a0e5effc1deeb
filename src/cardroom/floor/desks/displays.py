"""TableVision: what the displays of a table say now, from the states of its jackpots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardroom.accounts import CENT
from cardroom.floor.desks.desk import Desk
from cardroom.floor.desks.signs import Sign
from cardroom.floor.kept.table import TableState, open_at
from cardroom.games import game
from cardroom.jackpots.displays import Display, JackpotReading, LevelReading, displays
from cardroom.jackpots.meter.service import with_displayed_bonuses
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.setup.jackpot import JackpotKind
from cardroom.jackpots.setup.models import Changed


class DisplayDesk(Desk):
    """What players see."""

    def displays(self, table: str, *, payout_cap: int | None = None) -> tuple[Display, ...]:
        """What each display of a table says; ``payout_cap`` is in cents."""
        state = open_at(self.table(table))
        jackpots = [self.jackpot(jackpot) for jackpot in state.jackpots]
        return self._said(state, {jackpot.id: reading(jackpot) for jackpot in jackpots}, jackpots, payout_cap)

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
        promotions = self._promotions_at(setup.game, frozenset(setup.wagers))
        return displays(
            game(setup.game).open(setup),
            state.playing,
            readings,
            promotions=promotions,
            payout_cap=payout_cap,
        )

    def _promotions_at(self, slug: str, wagers: frozenset[str]) -> tuple[str, ...]:
        """The rules of the promotions that a table's players can win."""
        running = [self.promotion(promotion).state for promotion in self.promotions()]
        here = [one.promotion for one in running if not one.ended and one.promotion.game == slug]
        return tuple(f"{one.name}: {one.rules}" for one in here if one.wager in wagers)


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
        name=state.setup["name"],
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
