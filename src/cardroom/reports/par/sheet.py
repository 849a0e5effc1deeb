"""What a PAR sheet says, computed once from the rules, the printed tables and the odds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Final, NamedTuple

from cardroom.faults import BadInput
from cardroom.games import Table, TableSetup, game
from cardroom.games.jurisdiction import Jurisdiction, jurisdiction
from cardroom.games.rulings import ALL_GAMES, JACKPOTS, Ruling
from cardroom.games.table import Offered
from cardroom.jackpots.setup.jackpot import JackpotSetup
from cardroom.jackpots.setup.opening import Jackpot
from cardroom.odds import Asked, Odds, Question, SimpleStrategy, answer, pricer, questions
from cardroom.odds.at_table import DECKS, in_odds, limit_at, possible_settings
from cardroom.odds.pricer import Beside, Progress, Settings, silent
from cardroom.odds.result import first_policy
from cardroom.odds.rounds.winners import Joint, Uncounted, percentage_events, winners_count
from cardroom.odds.rounds.wins import Prize
from cardroom.paytables import Dollars, Paytable, paytable, words
from cardroom.reports.paper.program import Program, this_program
from cardroom.reports.par.confirming import USUAL, Confirm, Confirmation, confirmed
from cardroom.reports.par.jackpot_figures import jackpots_of

NOT_FOR_APPROVAL: Final = "Simulated figures: not for approval"
NORMAL_90: Final = Fraction(1645, 1000)
"""How many standard deviations on either side hold 90 % of a normal distribution."""


@dataclass(frozen=True)
class WagerFigures:
    """One wager of the set-up under its table: played at its best, or simulated under the policy that its odds name."""

    offered: Offered
    odds: Odds
    wager_cents: int
    """What prizes in dollars are held against: the smallest wager."""
    at_maximum: Odds | None
    """The same at the largest wager, where prizes in dollars are worth less for each dollar wagered."""
    compared: tuple[Odds, ...]
    """The other printed tables of the wager that could stand in its place."""
    strategy: SimpleStrategy | None
    """To remember, where the wager asks the player something."""
    winners: Joint | Uncounted | None = None
    """How seats at one table win the lines together that are a percentage of a meter, where there are such lines."""

    @property
    def name(self) -> str:
        """The wager, and what decides about it that the set-up leaves open: ``Texas Shootout, ties lose``."""
        fixed = {DECKS, *(option.name for option in game(self.odds.game).facts.options)}
        free = [f"{name.replace('_', ' ')} {value}" for name, value in self.odds.options.items() if name not in fixed]
        return ", ".join((self.offered.wager.name, *free))

    @property
    def beside(self) -> Beside | None:
        """The other wager without which these figures cannot arise."""
        return pricer(self.odds.game).beside(self.odds.wager, self.odds.options)

    @property
    def hangs_on_meter(self) -> bool:
        """Whether the return hangs on a meter, which nobody knows beforehand."""
        return self.odds.expected_return is None

    @property
    def percentage_lines(self) -> tuple[Prize, ...]:
        """What can come off a meter, and how probable it is for one seat."""
        whole = self.odds.combinations
        return tuple(
            Prize(one.event, one.percent, Fraction(one.combinations, whole)) for one in self.odds.endings if one.percent
        )

    @property
    def has_percentages(self) -> bool:
        """Whether a line of its table pays a part of a meter."""
        return bool(percentage_events(self.offered.paytable))

    @property
    def at_empty_meter(self) -> Odds:
        """The figures of the fixed prizes alone."""
        return replace(self.odds, meter=Fraction(0)) if self.hangs_on_meter else self.odds

    def at_meter(self, meter: Fraction) -> Odds:
        """The figures when the meter shows so many wagers."""
        return replace(self.odds, meter=meter)

    @property
    def is_exact(self) -> bool:
        """Whether the figures are counted; otherwise they are simulated."""
        return self.odds.is_exact

    @property
    def percent_digits(self) -> int:
        """How many digits of a percentage are known."""
        return 4 if self.is_exact else 3

    @property
    def break_even_prize(self) -> Fraction | None:
        """What the operator would have to pay on an open top line, in wagers, for a jackpot without a meter to be
        fair; None when the top line is not the operator's, or a meter's."""
        top = self.odds.outcomes[0]
        by_name = self.odds.paytable and not self.offered.paytable.is_own
        printed = paytable(self.odds.game, self.odds.wager, self.odds.paytable) if by_name else None
        if not self.odds.jackpot or self.odds.meter_part or printed is None or printed.is_numeric:
            return None
        if printed.operator_lines[0].event != top.event:
            return None
        paid_back = top.contribution + top.probability
        return (paid_back - self.odds.net_without_meter) / top.probability


def volatility_index(odds: Odds) -> float | None:
    """1.645 standard deviations of one round for one unit initially wagered: after n rounds the actual return lies
    within that divided by the root of n of the expected one, 90 times in 100."""
    if odds.standard_deviation is None:
        return None
    return float(NORMAL_90) * odds.standard_deviation / odds.initial_wager


class ParSheet(NamedTuple):
    """Probability accounting report of one table: every figure that its wagers rest on."""

    table: Table
    prepared: date
    program: Program
    rulings: tuple[Ruling, ...]
    wagers: tuple[WagerFigures, ...]
    confirmed: Confirmation | None
    """The simulated rounds that confirm the figures; None when none were played."""
    jackpots: Mapping[str, Jackpot]
    """By wager: the jackpots that were given with the table."""

    @property
    def is_exact(self) -> bool:
        """Whether every figure is counted."""
        return all(figures.is_exact for figures in self.wagers)

    @property
    def policy(self) -> str:
        """How the player decides, where that is not proved to be the best play."""
        return first_policy(figures.odds.policy for figures in self.wagers)

    @property
    def stamp(self) -> str:
        """What every page of a sheet says that must not be filed; empty for one that may."""
        return "" if self.is_exact else NOT_FOR_APPROVAL

    @property
    def law(self) -> Jurisdiction:
        """The jurisdiction that the table is set up for."""
        return jurisdiction(self.table.setup.jurisdiction)


def par_sheet(
    setup: TableSetup,
    prepared: date,
    *,
    confirm: Confirm = USUAL,
    jackpots: Sequence[JackpotSetup] = (),
    remember: bool = True,
    progress: Progress = silent,
) -> ParSheet:
    """Compute the sheet of a table. ``remember=False`` computes every figure anew."""
    rules = game(setup.game)
    table = rules.open(setup)
    played_for = jackpots_of(table, jackpots)
    confirm.checked()
    found = tuple(
        _figures(table, offered, settings, remember, progress)
        for offered in table.offered.values()
        for settings in possible_settings(table, offered.wager.slug)
    )
    any_jackpot = any(offered.wager.jackpot for offered in table.offered.values())
    return ParSheet(
        table=table,
        prepared=prepared,
        program=this_program(setup.game),
        rulings=(*ALL_GAMES, *rules.rulings, *(JACKPOTS if any_jackpot else ())),
        wagers=found,
        confirmed=confirmed(table, [one.at_empty_meter for one in found], confirm, progress),
        jackpots=played_for,
    )


def _figures(table: Table, offered: Offered, settings: Settings, remember: bool, progress: Progress) -> WagerFigures:
    odds = _priced(table, offered, offered.limits.minimum, settings, remember, progress)
    at_maximum = None
    limited = limit_at(table, offered.wager.slug, offered.limits.minimum) is not None
    if offered.limits.maximum > offered.limits.minimum and (limited or _pays_dollars(offered.paytable)):
        at_maximum = _priced(table, offered, offered.limits.maximum, settings, remember, progress)
    return WagerFigures(
        offered=offered,
        odds=odds,
        wager_cents=offered.limits.minimum,
        at_maximum=at_maximum,
        compared=tuple(_compared(odds, settings, remember, progress)),
        strategy=_strategy(table, offered, settings, progress),
        winners=_winners(table, offered, settings),
    )


def _winners(table: Table, offered: Offered, settings: Settings) -> Joint | Uncounted | None:
    if not percentage_events(offered.paytable):
        return None
    return winners_count(table.facts.slug).joint(offered.wager.slug, offered.paytable, settings)


def _priced(table: Table, offered: Offered, cents: int, settings: Settings, remember: bool, progress: Progress) -> Odds:
    """The odds with prizes in dollars held against this wager, and told as the table tells them."""
    slug = offered.wager.slug
    limit = limit_at(table, slug, cents)
    question = Question(table.facts.slug, slug, in_odds(offered.paytable, cents), settings, limit=limit)
    odds = answer(question, remember=remember, progress=progress)
    told = {line.event: words(line.pay) for line in offered.paytable.lines if isinstance(line.pay, Dollars)}
    return replace(odds, endings=tuple(replace(one, pays=told.get(one.event, one.pays)) for one in odds.endings))


def _pays_dollars(table: Paytable) -> bool:
    return any(isinstance(line.pay, Dollars) and line.pay.cents for line in table.lines)


def _compared(odds: Odds, settings: Settings, remember: bool, progress: Progress) -> Iterator[Odds]:
    """Every printed table that needs nothing from the operator, the one in use among them only if it was filled in."""
    if not odds.paytable or odds.house_edge is None:
        return
    asked = Asked(game=odds.game, wager=odds.wager, settings=dict(settings))
    for question in questions(asked):
        if question.table.is_numeric and question.table.name != odds.paytable:
            other = answer(question, remember=remember, progress=progress)
            if other.house_edge is not None:
                yield other


def _strategy(table: Table, offered: Offered, settings: Settings, progress: Progress) -> SimpleStrategy | None:
    pricing = pricer(table.facts.slug)
    filled = in_odds(offered.paytable, offered.limits.minimum)
    try:
        return pricing.simple_strategy(offered.wager.slug, filled, settings, progress)
    except BadInput:
        return None  # the wager asks the player nothing
