"""Signs that do not update by themselves: a person prints them or changes them remotely (BJ-1, BJ-24).

TableVision: what the displays of a table show now, from the states of its jackpots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardroom.chart_of_accounts import CENT, Currency
from cardroom.games import game
from cardroom.room.descriptions.displays import (
    Display,
    JackpotPanel,
    JackpotReading,
    JackpotStatus,
    LedLine,
    LevelReading,
    build_displays,
    display_texts,
    format_meter,
)
from cardroom.room.jackpot.lifecycle import with_displayed_bonuses
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.calendar import Time
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.setup.tabulator_models import DisplayKind, UpdateMethod
from cardroom.room.tabulator.installation import TabulatedTableState, require_open_table
from cardroom.service.chains.names import jackpot_chain, tabulator_chain
from cardroom.service.commands.handler import CommandHandler


class ManualSign(NamedTuple):
    """A sign that a person must change, and what it must show."""

    table: str
    change_method: UpdateMethod
    display: Display

    @property
    def kind(self) -> DisplayKind:
        return self.display.kind

    @property
    def text(self) -> str:
        """In a few words: what the sign shows, or that it is dark."""
        if isinstance(self.display, LedLine):
            return _describe_led_line(self.display)
        panels = [*map(_describe_panel, self.display.panels), *self.display.promotions]
        return "; ".join(panels) or "no jackpot"

    @property
    def needs_attention(self) -> bool:
        """Whether a jackpot on the sign is not available as usual."""
        if isinstance(self.display, LedLine):
            return self.display.status is not JackpotStatus.OPEN
        return any(panel.status is not JackpotStatus.OPEN for panel in self.display.panels)


def _describe_led_line(line: LedLine) -> str:
    if line.status is JackpotStatus.DARK:
        return "dark"
    return f"{line.name}: {_describe_status(line.status, line.amount)}"


def _describe_panel(panel: JackpotPanel) -> str:
    amounts = [format_meter(level.cents) for level in panel.amounts]
    prizes = [f"{line.event} {line.prize}" for table in panel.prizes for line in table.lines if line.prize[0] == "$"]
    return f"{panel.name}: {panel.headline or ', '.join(amounts + prizes) or 'its paytable'}"


def _describe_status(status: JackpotStatus, amount: str) -> str:
    """What an LED line shows; the amount of a progressive is the meter's."""
    words = display_texts()["status"]
    match status:
        case JackpotStatus.PENDING:
            return words["pending"]
        case JackpotStatus.UNAVAILABLE:
            return words["unavailable"]
    return "what the meter shows" if amount == format_meter(0) else amount or "its wager"


def find_changed_signs(before: Sequence[ManualSign], after: Sequence[ManualSign]) -> tuple[ManualSign, ...]:
    """The signs that must show something else than before."""
    return tuple(sign for sign in after if sign not in before)


class TableVisionView(NamedTuple):
    """TableVision at a table."""

    table: str
    displays: tuple[Display, ...]
    changed_at: Time
    """The time of the last event that changes the displays."""
    closed: str
    """Why the table is closed; empty while it is open."""


class DisplayService:
    """What players see."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler

    def list_displays(self, table: str, *, payout_cap: int | None = None) -> tuple[Display, ...]:
        """What each display of a table shows; ``payout_cap`` is in cents."""
        state = require_open_table(self._handler.tabulator(table))
        jackpots = [self._handler.jackpot(jackpot) for jackpot in state.jackpots]
        return self._build_displays(
            state, {jackpot.id: make_jackpot_reading(jackpot) for jackpot in jackpots}, jackpots, payout_cap
        )

    def view_table_vision(self, table: str) -> TableVisionView:
        """What the screens of a table show by themselves; a closed table has no jackpots."""
        state = self._handler.tabulator(table)
        jackpots = [self._handler.jackpot(jackpot) for jackpot in state.jackpots]
        displays = self._build_displays(
            state, {jackpot.id: make_jackpot_reading(jackpot) for jackpot in jackpots}, jackpots, None
        )
        return TableVisionView(
            table, displays, max(time for _, time in self._read_chain_ends(state).values()), state.closed
        )

    def read_table_vision_version(self, table: str) -> tuple[tuple[int, Time], ...]:
        """A number that changes with every event of a table or one of its jackpots; it is cheap to read. Promotions do
        not change it."""
        return tuple(self._read_chain_ends(self._handler.tabulator(table)).values())

    def _read_chain_ends(self, state: TabulatedTableState) -> dict[str, tuple[int, Time]]:
        chains = (tabulator_chain(state.id), *map(jackpot_chain, state.jackpots))
        heads = (self._handler.ledger.head(chain) for chain in chains)
        return {head.chain: (head.sequence, head.time) for head in heads if head is not None}

    def list_manual_signs(self) -> tuple[ManualSign, ...]:
        """The signs of all tables that do not update by themselves, and what each must show. Amounts of progressives
        and of pending prizes are left out, because a sign that a person changes cannot follow them (BJ-44)."""
        manual_signs: list[ManualSign] = []
        for table in self._handler.list_tabulators():
            state = self._handler.tabulator(table)
            changed = {item.kind: item.update_method for item in state.tabulator.table.model.screens}
            if set(changed.values()) <= {UpdateMethod.BY_SERVER}:
                continue
            jackpots = [self._handler.jackpot(jackpot) for jackpot in state.jackpots]
            readings = {item.id: _make_reading_without_amounts(item) for item in jackpots}
            displays = self._build_displays(state, readings, jackpots, None)
            manual_signs += (
                ManualSign(table, changed[item.kind], item)
                for item in displays
                if changed[item.kind] is not UpdateMethod.BY_SERVER
            )
        return tuple(manual_signs)

    def _build_displays(
        self,
        state: TabulatedTableState,
        readings: Mapping[str, JackpotReading],
        jackpots: Sequence[JackpotState],
        payout_cap: int | None,
    ) -> tuple[Display, ...]:
        setup = with_displayed_bonuses(state.game_setup, jackpots)
        promotions = self._list_promotion_rules(setup.game, frozenset(setup.wagers), state.money)
        return build_displays(
            game(setup.game).open(setup),
            state.active_table,
            readings,
            promotions=promotions,
            payout_cap=payout_cap,
        )

    def _list_promotion_rules(self, slug: str, wagers: frozenset[str], money: Currency) -> tuple[str, ...]:
        """The rules of the promotions that a table's players can win today."""
        running = [self._handler.promotion(promotion).state for promotion in self._handler.list_promotions()]
        promotions_here = [item.promotion for item in running if not item.ended and item.promotion.game == slug]
        if not promotions_here:
            return ()
        today = self._handler.today()
        won = [item for item in promotions_here if item.wager in wagers and item.money is money and item.runs_on(today)]
        return tuple(f"{add_currency_label(item.name, money)}: {item.rules}" for item in won)


def add_currency_label(name: str, money: Currency) -> str:
    """A name as displays show it, marked where it is for play money.

    >>> add_currency_label("Final Four", Currency.PLAY), add_currency_label("Final Four (play money)", Currency.PLAY)
    ('Final Four (play money)', 'Final Four (play money)')
    >>> add_currency_label("All", Currency.REAL)
    'All'
    """
    says = money is Currency.REAL or money.label in name.casefold()
    return name if says else f"{name} ({money.label})"


def make_jackpot_reading(state: JackpotState) -> JackpotReading:
    """The values of a jackpot that displays need."""
    pays = {level["name"]: tuple(level["pays"]) for level in state.setup["levels"]}
    levels = []
    for meter in state.meters:
        ceiling = meter.parameters.ceiling
        levels.append(
            LevelReading(meter.name, meter.display, pays[meter.name], None if ceiling is None else ceiling // CENT)
        )
    return JackpotReading(
        name=add_currency_label(state.setup["name"], state.money),
        levels=tuple(levels),
        pending=tuple(claim.cents * CENT for claim in state.claims),
        available=state.unavailability is None,
        removed=state.removed,
    )


def _make_reading_without_amounts(state: JackpotState) -> JackpotReading:
    """A jackpot apart from what changes with every round and every claim: a sign says that a prize is pending, whatever
    other claims are made, paid, or refused."""
    shown = make_jackpot_reading(state)
    shown = shown._replace(pending=(0,) if shown.pending else ())
    if state.kind is JackpotKind.BONUS:
        return shown
    return shown._replace(levels=tuple(level._replace(amount=0) for level in shown.levels))
