"""Example setups: for each game a jackpot with its table, and the tables of the demonstration card room.

>>> chosen = jackpot_example("three-card-prime")
>>> chosen.jackpot, chosen.kind.value, chosen.jackpot_setup().levels[0].pays
('final-four', 'progressive', ('four-card-diamond-royal', 'four-card-royal'))

``demo_tables`` has a play-money table with a progressive for each of the five games. Its setups can be used as they
are: first the jackpot, then the table with its tabulator.

>>> [demo_table.table for demo_table in demo_tables()]
['deuces-1', 'prime-1', 'shootout-1', 'duel-1', 'double-1']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, NamedTuple

from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput, quote
from cardroom.games import GameFacts, TableSetup, TabulatorType, Wager, default_setup, game
from cardroom.paytables import BonusKind, OperatorBonus, Paytable, paytables
from cardroom.room.setup.jackpot import JackpotKind, JackpotSetup, LevelSetup, OfferSetup
from cardroom.room.setup.jackpot_validation import meter_shares
from cardroom.room.setup.tabulator import TabulatorSetup, make_sensor
from cardroom.room.setup.tabulator_models import bet_tabulator_model

LOCATION: Final = "Main Street"
MAIN_LEVEL: Final = "main"
SEED: Final = 5_000_00
CONTRIBUTION: Final = Fraction(1, 5)
RESERVE: Final = Fraction(1, 20)
CEILING: Final = 50_000_00
AMOUNT: Final = 10_000_00
"""The amount of a bonus jackpot."""
_BONUS: Final = "$1,000"
_WHOLE_METER: Final = "100%"


class NoExample(BadInput):
    """An example that is not possible."""


@dataclass(frozen=True, slots=True)
class JackpotExample:
    """The choices of an example."""

    facts: GameFacts
    wager: Wager
    paytable: Paytable
    bonuses: Mapping[str, str]
    """The operator's bonuses, by the trigger of the line that the sheet leaves open."""
    kind: JackpotKind
    setup: TableSetup

    @property
    def jackpot(self) -> str:
        """An id for the jackpot: the wager's slug, unless that only says "jackpot"."""
        return f"{self.facts.slug}-jackpot" if "jackpot" in self.wager.slug else self.wager.slug

    @property
    def name(self) -> str:
        return f"{self.facts.name} {self.wager.name}"

    @property
    def amounts(self) -> tuple[int, ...]:
        """The amounts of the wager, in cents."""
        limits = self.setup.wagers[self.wager.slug].limits
        return tuple(range(limits.minimum, limits.maximum + 1, limits.step))

    @property
    def events(self) -> tuple[str, ...]:
        """The triggers that pay a share of the meter."""
        return tuple(meter_shares(self.paytable.with_bonuses(self.bonuses)))

    def jackpot_setup(
        self, id: str | None = None, name: str | None = None, money: Currency = Currency.REAL
    ) -> JackpotSetup:
        """The setup of the jackpot."""
        levels: tuple[LevelSetup, ...] = ()
        if self.events and self.kind is JackpotKind.BONUS:
            levels = (LevelSetup(MAIN_LEVEL, self.events, AMOUNT),)
        elif self.events:
            levels = (LevelSetup(MAIN_LEVEL, self.events, SEED, CONTRIBUTION, RESERVE, CEILING),)
        return JackpotSetup(
            id=id or self.jackpot,
            name=name or self.name,
            kind=str(self.kind),
            location=LOCATION,
            offers=(OfferSetup(self.facts.slug, self.wager.slug, self.paytable.name, self.bonuses),),
            levels=levels,
            wagers=self.amounts,
            money=money,
        )

    @property
    def table_setup(self) -> TableSetup:
        """The game's setup with the operator's bonuses that the jackpot displays."""
        wagers = dict(self.setup.wagers)
        wagers[self.wager.slug] = replace(wagers[self.wager.slug], bonuses=dict(self.bonuses))
        return replace(self.setup, wagers=wagers)

    def tabulator_setup(
        self, table: str, jackpot: str | None = None, money: Currency = Currency.REAL
    ) -> TabulatorSetup:
        """The setup of the tabulator, with one sensor for the jackpot's wager."""
        setup = self.table_setup
        offered = game(setup.game).open(setup).offers[self.wager.slug]
        sensor = make_sensor(offered, jackpot or self.jackpot, self.kind)
        tabulator = setup.tabulator or ""
        return TabulatorSetup(table, setup.game, LOCATION, tabulator, setup.seats, (sensor,), money)


def jackpot_example(slug: str, kind: str | None = None, tabulator: str | None = None) -> JackpotExample:
    """An example for a game: a progressive if a paytable of the game prints a percentage of a meter."""
    facts = game(slug).facts
    wager = next(wager for wager in facts.wagers if wager.jackpot)  # every game has one
    tables = paytables(facts.slug, wager.slug)
    growing = next((table for table in tables if meter_shares(table)), None)
    if kind not in (None, *JackpotKind):
        raise NoExample(f"The kind of a jackpot is {' or '.join(JackpotKind)}, not {quote(kind)}.")
    jackpot_kind = JackpotKind(kind) if kind else JackpotKind.PROGRESSIVE if growing else JackpotKind.BONUS
    table = growing or tables[0]
    bonuses = dict.fromkeys(table.missing_bonuses({}), _BONUS)
    if jackpot_kind is JackpotKind.PROGRESSIVE and growing is None:
        bonuses |= {_find_meter_line(facts, table): _WHOLE_METER}
    setup = _example_setup(
        facts, wager, table, _require_approved(facts, tabulator) if tabulator else facts.tabulators[0]
    )
    return JackpotExample(facts, wager, table, bonuses, jackpot_kind, setup)


def _find_meter_line(facts: GameFacts, table: Paytable) -> str:
    """The highest line that the operator may pay from a meter, for games whose paytables print no percentage."""
    for line in table.operator_lines:
        if isinstance(line.pay, OperatorBonus) and line.pay.accepted_kind is not BonusKind.BONUS:
            return line.trigger
    raise NoExample(f"{facts.name} has only bonus jackpots: no paytable of it can pay a share of a meter.")


def _require_approved(facts: GameFacts, tabulator: str) -> str:
    if tabulator not in facts.tabulators:
        approved = ", ".join(facts.tabulators)
        raise NoExample(f"{quote(tabulator)} is not approved for {facts.name}: choose {approved}.")
    return tabulator


def _example_setup(facts: GameFacts, wager: Wager, table: Paytable, tabulator: str) -> TableSetup:
    """The default table without its other jackpot wagers, which would need their own jackpots."""
    usual = default_setup(facts.slug)
    wagers = {
        game_wager.slug: usual.wagers[game_wager.slug]
        for game_wager in facts.wagers
        if not game_wager.jackpot or game_wager is wager
    }
    wagers[wager.slug] = replace(wagers[wager.slug], paytable=table.name, bonuses={})
    return replace(usual, wagers=wagers, tabulator=tabulator)


def has_logger(tabulator: str | None) -> bool:
    """Whether a model has a data logger."""
    return tabulator is not None and bet_tabulator_model(TabulatorType(tabulator)).data_logger


_TABLES: Final = {
    "deuces-wild": "deuces-1",
    "three-card-prime": "prime-1",
    "texas-shootout": "shootout-1",
    "dueling-for-dollars": "duel-1",
    "three-card-double-play": "double-1",
}


class DemoTable(NamedTuple):
    """A table of the demonstration card room, and its jackpot."""

    setup: TableSetup
    tabulator: TabulatorSetup
    unit: str
    """The number of its tabulator."""
    jackpot: JackpotSetup

    @property
    def table(self) -> str:
        return self.tabulator.table


def demo_tables() -> tuple[DemoTable, ...]:
    """The five tables in the order of the sheets."""
    return tuple(build_demo_table(slug, table) for slug, table in _TABLES.items())


def build_demo_table(slug: str, table: str) -> DemoTable:
    """A table of a game with this name."""
    game_example = _example_without_logger(slug)
    jackpot = game_example.jackpot_setup(
        f"{table}-{game_example.jackpot}", f"{game_example.name} (play money)", Currency.PLAY
    )
    tabulator = game_example.tabulator_setup(table, jackpot.id, Currency.PLAY)
    return DemoTable(game_example.table_setup, tabulator, f"T-{table}", jackpot)


def _example_without_logger(slug: str) -> JackpotExample:
    """The example with the first approved model without a data logger, which would have to send the counts (BJ-25)."""
    models = jackpot_example(slug, JackpotKind.PROGRESSIVE).facts.tabulators
    return jackpot_example(
        slug, JackpotKind.PROGRESSIVE, next(tabulator for tabulator in models if not has_logger(tabulator))
    )
