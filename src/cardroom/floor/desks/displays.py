"""TableVision: what the displays of a table say now, from the states of its jackpots."""

from __future__ import annotations

from cardroom.accounts import CENT
from cardroom.floor.desks.desk import Desk
from cardroom.floor.kept.table import open_at
from cardroom.games import game
from cardroom.jackpots.displays import Display, JackpotReading, LevelReading, displays
from cardroom.jackpots.meter.service import with_displayed_bonuses
from cardroom.jackpots.meter.state import JackpotState


class DisplayDesk(Desk):
    """What players see."""

    def displays(self, table: str, *, payout_cap: int | None = None) -> tuple[Display, ...]:
        """What each display of a table says; ``payout_cap`` is in cents."""
        state = open_at(self.table(table))
        jackpots = [self.jackpot(jackpot) for jackpot in state.jackpots]
        setup = with_displayed_bonuses(state.game_setup, jackpots)
        return displays(
            game(setup.game).open(setup),
            state.tabulator.table,
            {jackpot.id: reading(jackpot) for jackpot in jackpots},
            promotions=self._promotions_at(setup.game, frozenset(setup.wagers)),
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
    )
