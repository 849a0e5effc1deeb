"""Rounds are read, played and drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

from cardroom.cli.shared.answers import Answer
from cardroom.cli.simulate.request import (
    BadRequest,
    chart_file,
    cluster_of,
    meter_of,
    seed_of,
    threads_of,
    wager_of,
    whole,
)
from cardroom.cli.simulate.simulated import Simulated, source_words, written
from cardroom.cli.simulate.typed import Typed
from cardroom.games import Table
from cardroom.odds.prices import JACKPOT_WAGER_CENTS
from cardroom.odds.result import first_policy
from cardroom.odds.simulation.cluster import refuse_unreachable, simulate_on_cluster
from cardroom.odds.simulation.figures import RoundsRequest, rounds_to_json
from cardroom.odds.simulation.runner import (
    ProgressMonitor,
    StagePlayer,
    check_rounds,
    first_block_samples,
    play_in_stages,
    simulate,
    simulator,
)
from cardroom.odds.simulation.strategies import load_strategy, play_rounds
from cardroom.odds.simulation.tally import SimulationTally, WagerTally
from cardroom.odds.simulation.wager_plan import WagerPlan, plan_wager
from cardroom.terminal.pages.simulation.summaries import rounds_page
from cardroom.terminal.progress import ProgressBar, catch_interrupt, progress_bar

FEWEST_FOR_A_CHART = 100


def rounds_order(typed: Typed, table: Table) -> RoundsRequest:
    """What was typed, read and checked before anything is played."""
    assert typed.rounds is not None
    wager = None if typed.wager is None else wager_of(table, typed.wager)
    meter = meter_of(typed, table, [wager] if wager else list(table.offers))
    order = RoundsRequest(
        table=table,
        strategy=typed.strategy,
        rounds=whole(typed.rounds, "--rounds"),
        seed=seed_of(typed),
        threads=threads_of(typed),
        cluster=cluster_of(typed),
        wager=wager,
        meter=None if meter is None else Fraction(meter, JACKPOT_WAGER_CENTS),
        chart=chart_file(typed),
    )
    check_rounds(order.rounds)
    if order.cluster is not None and order.threads is not None:
        raise BadRequest(
            "--threads are those of this machine: with --cluster the workers have theirs, so leave it out."
        )
    if order.is_file_strategy and (order.cluster or order.chart):
        raise BadRequest(
            "A strategy in Python is played on this machine, without a chart: leave out --cluster, --chart."
        )
    if order.chart is not None and order.rounds < FEWEST_FOR_A_CHART:
        raise BadRequest(f"{order.rounds} rounds make no chart: play {FEWEST_FOR_A_CHART} or more.")
    return order


@dataclass(frozen=True)
class Played:
    """The rounds that were played."""

    tally: SimulationTally
    looks: tuple[WagerTally, ...] = ()
    """How the charted wager stood on the way, where a chart is wanted."""
    best: Mapping[str, WagerPlan] = field(default_factory=dict)
    """The best play, beside a strategy whose exact figures nobody knows."""


def simulated_rounds(typed: Typed, table: Table) -> Simulated:
    """Play the rounds that were asked for."""
    order = rounds_order(typed, table)
    with progress_bar() as bar:
        played = _by_a_file(order, bar) if order.is_file_strategy else _by_kernels(order, bar)
    order = replace(order, policy=first_policy(one.policy for one in played.tally.plans))
    tally = _at_meter(played.tally, order.meter)
    interrupted = tally.rounds < order.rounds
    return Simulated(
        Answer(rounds_to_json(order, tally, played.best), rounds_page(order, tally, played.best)),
        interrupted=interrupted,
        draw=partial(_draw, order, played.looks) if len(played.looks) > 1 else None,
    )


def _by_kernels(order: RoundsRequest, bar: ProgressBar) -> Played:
    if order.cluster is not None:
        refuse_unreachable(order.cluster)
    prepared = simulator(order.table.facts.slug).prepare(order.table, order.strategy, bar.set_share)
    if order.cluster is None:
        bar.set_share("compiling the rounds of this game, once", 0.0)
        prepared.run_block(order.seed, 0, 1)
    where = "playing" if order.cluster is None else f"on {order.cluster}"
    with catch_interrupt() as stop, bar.track_count(where, order.rounds, "rounds") as tell:
        play = _player(order, stop)
        if order.chart is None:
            return Played(play(prepared, order.rounds, lambda done, _: tell(done)))
        tally, looks = play_in_stages(play, prepared, order.rounds, order.seed, lambda done, _: tell(done))
    on_the_way = [one.wager(order.chart_wager) for one in looks]
    if on_the_way:
        on_the_way = [
            *first_block_samples(prepared, order.chart_wager, on_the_way[0].rounds, order.seed),
            *on_the_way[1:],
        ]
    return Played(tally, tuple(_wager_at_meter(one, order.meter) for one in on_the_way))


def _player(order: RoundsRequest, stop: Callable[[], bool]) -> StagePlayer:
    if order.cluster is None:
        return lambda prepared, rounds, on_block: simulate(
            prepared, rounds, order.seed, order.threads, ProgressMonitor(on_block, stop)
        )
    address = order.cluster
    return lambda prepared, rounds, on_block: simulate_on_cluster(
        address, prepared, rounds, order.seed, ProgressMonitor(on_block, stop)
    )


def _by_a_file(order: RoundsRequest, bar: ProgressBar) -> Played:
    strategy = load_strategy(order.strategy)
    best = {slug: plan_wager(order.table, slug, progress=bar.set_share) for slug in order.table.offers}
    with catch_interrupt() as stop, bar.track_count("playing", order.rounds, "rounds") as tell:
        watch = ProgressMonitor(lambda done, _: tell(done), stop)
        tally = play_rounds(order.table, strategy, order.rounds, order.seed, watch, order.threads)
    return Played(tally, best=best)


# What the meter shows


def _at_meter(tally: SimulationTally, meter: Fraction | None) -> SimulationTally:
    return replace(tally, plans=tuple(_plan_at_meter(one, meter) for one in tally.plans))


def _wager_at_meter(wager: WagerTally, meter: Fraction | None) -> WagerTally:
    return replace(wager, plan=_plan_at_meter(wager.plan, meter))


def _plan_at_meter(wager: WagerPlan, meter: Fraction | None) -> WagerPlan:
    given = meter is not None and wager.request.is_jackpot
    return replace(wager, request=replace(wager.request, meter=meter)) if given else wager


def _draw(order: RoundsRequest, looks: tuple[WagerTally, ...]) -> str:
    from cardroom.reports.charts import Convergence, convergence_chart

    assert order.chart is not None
    exact = looks[-1].exact_mean
    seen = Convergence(
        rounds=[one.rounds for one in looks],
        means=[float(one.mean) for one in looks],
        standard_errors=[one.standard_error for one in looks],
        exact=None if exact is None else float(exact),
    )
    wager = order.table.facts.wager(order.chart_wager).name
    subject = f"{order.table.facts.name}, {wager}{' without the meter' if looks[-1].depends_on_meter else ''}"
    return written(convergence_chart(subject, seen, source_words(order.table, order.seed)), order.chart)
