"""The figures of a PAR sheet, computed from the rules, the printed tables, and the odds.

Wagers that affect each other are also computed together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.games import Table, TableSetup, game
from cardroom.games.jurisdiction import Jurisdiction, jurisdiction
from cardroom.games.playable_table import WagerOffer
from cardroom.games.rulings import GENERAL_RULINGS, JACKPOT_RULINGS, Ruling
from cardroom.odds import BasicStrategy, Odds, PriceQuery, PriceRequest, compute_odds, find_requests, pricer
from cardroom.odds.pricer import LinkedWager, Progress, Settings, ignore_progress
from cardroom.odds.result import first_policy
from cardroom.odds.simulation.meter_winners import (
    JointProbabilities,
    MeterPrize,
    UnknownWinners,
    percentage_triggers,
    winners_counter,
)
from cardroom.odds.table_prices import DECKS, convert_dollar_prizes, limit_at, possible_settings
from cardroom.paytables import Dollars, Paytable, describe_pay, paytable
from cardroom.reports.documents.program_version import Program, current_program
from cardroom.reports.par.confirmation_run import DEFAULT_REQUEST, Confirmation, ConfirmationRequest, run_confirmation
from cardroom.reports.par.jackpot_figures import match_jackpots
from cardroom.room.setup.jackpot import JackpotSetup
from cardroom.room.setup.jackpot_validation import Jackpot

NOT_FOR_APPROVAL: Final = "Simulated figures: not for approval"
NORMAL_90: Final = Fraction(1645, 1000)
"""The standard deviations on either side that contain 90% of a normal distribution."""


@dataclass(frozen=True)
class WagerFigures:
    """One wager of the setup under its table: under the best strategy, or simulated under the policy of its odds."""

    offered: WagerOffer
    odds: Odds
    wager_cents: int
    """The smallest wager, in cents, which prizes in dollars are compared with."""
    maximum_odds: Odds | None
    """The odds at the largest wager, where prizes in dollars are worth less per dollar wagered."""
    comparisons: tuple[Odds, ...]
    """The other printed tables of the wager."""
    strategy: BasicStrategy | None
    """The basic strategy, if the wager has decisions."""
    winners: JointProbabilities | UnknownWinners | None = None
    """The joint winners at one table of lines that pay a percentage of a meter, if there are such lines."""

    @property
    def name(self) -> str:
        """The wager, with the options that the setup leaves open: ``Texas Shootout, ties lose``."""
        fixed = {DECKS, *(option.name for option in game(self.odds.game).facts.options)}
        free = [f"{name.replace('_', ' ')} {value}" for name, value in self.odds.options.items() if name not in fixed]
        return ", ".join((self.offered.wager.name, *free))

    @property
    def required_wager(self) -> LinkedWager | None:
        """The other wager without which these figures cannot occur."""
        return pricer(self.odds.game).linked_wager(self.odds.wager, self.odds.options)

    @property
    def depends_on_meter(self) -> bool:
        """Whether the return depends on a meter, which is not known beforehand."""
        return self.odds.expected_return is None

    @property
    def percentage_lines(self) -> tuple[MeterPrize, ...]:
        """The prizes from a meter, with their probabilities for one seat."""
        combinations = self.odds.combinations
        return tuple(
            MeterPrize(outcome.trigger, outcome.percent, Fraction(outcome.combinations, combinations))
            for outcome in self.odds.distribution
            if outcome.percent
        )

    @property
    def has_percentages(self) -> bool:
        """Whether a line of its table pays a percentage of a meter."""
        return bool(percentage_triggers(self.offered.paytable))

    @property
    def empty_meter_odds(self) -> Odds:
        """The figures of the fixed prizes alone."""
        return replace(self.odds, meter=Fraction(0)) if self.depends_on_meter else self.odds

    def odds_at_meter(self, meter: Fraction) -> Odds:
        """The figures with this meter, in wagers."""
        return replace(self.odds, meter=meter)

    @property
    def is_exact(self) -> bool:
        """Whether the figures are exact; otherwise they are simulated."""
        return self.odds.is_exact

    @property
    def percent_digits(self) -> int:
        """The number of reliable decimals of a percentage."""
        return 4 if self.is_exact else 3

    @property
    def break_even_prize(self) -> Fraction | None:
        """The prize on an open top line, in wagers, at which a jackpot without a meter is fair; None if the top line is
        not open or is a meter's."""
        top = self.odds.outcomes[0]
        by_name = self.odds.paytable and not self.offered.paytable.is_custom
        printed = paytable(self.odds.game, self.odds.wager, self.odds.paytable) if by_name else None
        if not self.odds.is_jackpot or self.odds.meter_part or printed is None or printed.is_numeric:
            return None
        if printed.operator_lines[0].trigger != top.trigger:
            return None
        paid_back = top.contribution + top.probability
        return (paid_back - self.odds.net_without_meter) / top.probability


def volatility_index(odds: Odds) -> float | None:
    """1.645 standard deviations of one round for one unit initially wagered: after n rounds the actual return is within
    this divided by the root of n of the expected one, 90 times in 100."""
    if odds.standard_deviation is None:
        return None
    return float(NORMAL_90) * odds.standard_deviation / odds.initial_wager


class ParSheet(NamedTuple):
    """The probability accounting report of one table: every figure of its wagers."""

    table: Table
    prepared: date
    program: Program
    rulings: tuple[Ruling, ...]
    wagers: tuple[WagerFigures, ...]
    confirmation: Confirmation | None
    """The simulated rounds that confirm the figures; None if none were played."""
    jackpots: Mapping[str, Jackpot]
    """The jackpots given with the table, by wager."""

    @property
    def is_exact(self) -> bool:
        """Whether every figure is exact."""
        return all(figures.is_exact for figures in self.wagers)

    @property
    def policy(self) -> str:
        """How the player decides, if that is not proved to be the best strategy."""
        return first_policy(figures.odds.policy for figures in self.wagers)

    @property
    def stamp(self) -> str:
        """The notice on every page of a sheet that must not be filed; empty otherwise."""
        return "" if self.is_exact else NOT_FOR_APPROVAL

    @property
    def law(self) -> Jurisdiction:
        """The jurisdiction of the table."""
        return jurisdiction(self.table.setup.jurisdiction)


def par_sheet(
    setup: TableSetup,
    prepared: date,
    *,
    confirm: ConfirmationRequest = DEFAULT_REQUEST,
    jackpots: Sequence[JackpotSetup] = (),
    use_cache: bool = True,
    progress: Progress = ignore_progress,
) -> ParSheet:
    """Compute the sheet of a table. ``use_cache=False`` computes every figure again."""
    rules = game(setup.game)
    table = rules.open(setup)
    played_for = match_jackpots(table, jackpots)
    confirm.check()
    wager_figures = tuple(
        _figures(table, offered, settings, use_cache, progress)
        for offered in table.offers.values()
        for settings in possible_settings(table, offered.wager.slug)
    )
    any_jackpot = any(offered.wager.jackpot for offered in table.offers.values())
    return ParSheet(
        table=table,
        prepared=prepared,
        program=current_program(setup.game),
        rulings=(*GENERAL_RULINGS, *rules.rulings, *(JACKPOT_RULINGS if any_jackpot else ())),
        wagers=wager_figures,
        confirmation=run_confirmation(
            table, [figures.empty_meter_odds for figures in wager_figures], confirm, progress
        ),
        jackpots=played_for,
    )


def _figures(
    table: Table, offered: WagerOffer, settings: Settings, use_cache: bool, progress: Progress
) -> WagerFigures:
    odds = _price_wager(table, offered, offered.limits.minimum, settings, use_cache, progress)
    at_maximum = None
    limited = limit_at(table, offered.wager.slug, offered.limits.minimum) is not None
    if offered.limits.maximum > offered.limits.minimum and (limited or _pays_dollars(offered.paytable)):
        at_maximum = _price_wager(table, offered, offered.limits.maximum, settings, use_cache, progress)
    return WagerFigures(
        offered=offered,
        odds=odds,
        wager_cents=offered.limits.minimum,
        maximum_odds=at_maximum,
        comparisons=tuple(_price_other_tables(odds, settings, use_cache, progress)),
        strategy=_strategy(table, offered, settings, progress),
        winners=_winners(table, offered, settings),
    )


def _winners(table: Table, offered: WagerOffer, settings: Settings) -> JointProbabilities | UnknownWinners | None:
    if not percentage_triggers(offered.paytable):
        return None
    return winners_counter(table.facts.slug).joint_probabilities(offered.wager.slug, offered.paytable, settings)


def _price_wager(
    table: Table, offered: WagerOffer, cents: int, settings: Settings, use_cache: bool, progress: Progress
) -> Odds:
    """The odds with prizes in dollars compared with this wager, and printed as in the table."""
    slug = offered.wager.slug
    limit = limit_at(table, slug, cents)
    question = PriceRequest(
        table.facts.slug, slug, convert_dollar_prizes(offered.paytable, cents), settings, limit=limit
    )
    odds = compute_odds(question, use_cache=use_cache, progress=progress)
    dollar_pays = {
        line.trigger: describe_pay(line.pay) for line in offered.paytable.lines if isinstance(line.pay, Dollars)
    }
    return replace(
        odds,
        distribution=tuple(
            replace(outcome, pays=dollar_pays.get(outcome.trigger, outcome.pays)) for outcome in odds.distribution
        ),
    )


def _pays_dollars(table: Paytable) -> bool:
    return any(isinstance(line.pay, Dollars) and line.pay.cents for line in table.lines)


def _price_other_tables(odds: Odds, settings: Settings, use_cache: bool, progress: Progress) -> Iterator[Odds]:
    """Every printed table that needs no amount from the operator; the one in use only if it is complete."""
    if not odds.paytable or odds.house_edge is None:
        return
    request = PriceQuery(game=odds.game, wager=odds.wager, settings=dict(settings))
    for question in find_requests(request):
        if question.table.is_numeric and question.table.name != odds.paytable:
            other_odds = compute_odds(question, use_cache=use_cache, progress=progress)
            if other_odds.house_edge is not None:
                yield other_odds


def _strategy(table: Table, offered: WagerOffer, settings: Settings, progress: Progress) -> BasicStrategy | None:
    pricing = pricer(table.facts.slug)
    filled = convert_dollar_prizes(offered.paytable, offered.limits.minimum)
    try:
        return pricing.basic_strategy(offered.wager.slug, filled, settings, progress)
    except BadInput:
        return None  # the wager needs no decision


class WagerPair(NamedTuple):
    """Two wagers of one unit each; the first has its figures only because of the second."""

    first: WagerFigures
    second: WagerFigures
    text: str
    """The reason why they belong together."""

    @property
    def expected_return(self) -> Fraction:
        """The total of both, in units."""
        assert self.first.odds.expected_return is not None
        assert self.second.odds.expected_return is not None
        return self.first.odds.expected_return + self.second.odds.expected_return

    @property
    def initial_wager(self) -> int:
        """The total wagered before the deal."""
        return self.first.odds.initial_wager + self.second.odds.initial_wager

    @property
    def house_edge(self) -> Fraction:
        return -self.expected_return / self.initial_wager

    @property
    def element_of_risk(self) -> Fraction:
        return -self.expected_return / (self.first.odds.average_wager + self.second.odds.average_wager)

    @property
    def is_exact(self) -> bool:
        return self.first.is_exact and self.second.is_exact


def wager_pairs(sheet: ParSheet) -> Iterator[WagerPair]:
    """Every such pair of the table."""
    for figures in sheet.wagers:
        required_wager = figures.required_wager
        if required_wager is not None:
            partner = next(
                candidate for candidate in sheet.wagers if candidate.offered.wager.slug == required_wager.wager
            )
            yield WagerPair(figures, partner, required_wager.text)
