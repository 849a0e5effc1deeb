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
from cardroom.odds.question import JACKPOT_WAGER_CENTS
from cardroom.odds.result import first_policy
from cardroom.odds.rounds.cluster import refuse_unreachable, simulate_on
from cardroom.odds.rounds.convergence import Play, first_looks, played_in_stages
from cardroom.odds.rounds.entries import rounds_entry
from cardroom.odds.rounds.orders import RoundsOrder
from cardroom.odds.rounds.simulation import (
    Tally,
    WagerPlan,
    WagerTally,
    check_rounds,
    plan,
    simulate,
    simulator,
)
from cardroom.odds.rounds.strategies import load_strategy, play_rounds
from cardroom.odds.rounds.watch import Watch
from cardroom.terminal.pages.simulation.rounds import rounds_page
from cardroom.terminal.progress import Bar, progress_bar, until_interrupted

FEWEST_FOR_A_CHART = 100


def rounds_order(typed: Typed, table: Table) -> RoundsOrder:
    """What was typed, read and checked before anything is played."""
    assert typed.rounds is not None
    wager = None if typed.wager is None else wager_of(table, typed.wager)
    meter = meter_of(typed, table, [wager] if wager else list(table.offered))
    order = RoundsOrder(
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
    if order.by_a_file and (order.cluster or order.chart):
        raise BadRequest(
            "A strategy in Python is played on this machine, without a chart: leave out --cluster, --chart."
        )
    if order.chart is not None and order.rounds < FEWEST_FOR_A_CHART:
        raise BadRequest(f"{order.rounds} rounds make no chart: play {FEWEST_FOR_A_CHART} or more.")
    return order


@dataclass(frozen=True)
class Played:
    """The rounds that were played."""

    tally: Tally
    looks: tuple[WagerTally, ...] = ()
    """How the charted wager stood on the way, where a chart is wanted."""
    best: Mapping[str, WagerPlan] = field(default_factory=dict)
    """The best play, beside a strategy whose exact figures nobody knows."""


def simulated_rounds(typed: Typed, table: Table) -> Simulated:
    """Play the rounds that were asked for."""
    order = rounds_order(typed, table)
    with progress_bar() as bar:
        played = _by_a_file(order, bar) if order.by_a_file else _by_kernels(order, bar)
    order = replace(order, policy=first_policy(one.policy for one in played.tally.plans))
    tally = _at_meter(played.tally, order.meter)
    interrupted = tally.rounds < order.rounds
    return Simulated(
        Answer(rounds_entry(order, tally, played.best), rounds_page(order, tally, played.best)),
        interrupted=interrupted,
        draw=partial(_draw, order, played.looks) if len(played.looks) > 1 else None,
    )


def _by_kernels(order: RoundsOrder, bar: Bar) -> Played:
    if order.cluster is not None:
        refuse_unreachable(order.cluster)
    prepared = simulator(order.table.facts.slug).prepare(order.table, order.strategy, bar.share)
    if order.cluster is None:
        bar.share("compiling the rounds of this game, once", 0.0)
        prepared.run_block(order.seed, 0, 1)
    where = "playing" if order.cluster is None else f"on {order.cluster}"
    with until_interrupted() as stop, bar.counted(where, order.rounds, "rounds") as tell:
        play = _player(order, stop)
        if order.chart is None:
            return Played(play(prepared, order.rounds, lambda done, _: tell(done)))
        tally, looks = played_in_stages(play, prepared, order.rounds, order.seed, lambda done, _: tell(done))
    on_the_way = [one.wager(order.charted) for one in looks]
    if on_the_way:
        on_the_way = [*first_looks(prepared, order.charted, on_the_way[0].rounds, order.seed), *on_the_way[1:]]
    return Played(tally, tuple(_wager_at_meter(one, order.meter) for one in on_the_way))


def _player(order: RoundsOrder, stop: Callable[[], bool]) -> Play:
    if order.cluster is None:
        return lambda prepared, rounds, on_block: simulate(
            prepared, rounds, order.seed, order.threads, Watch(on_block, stop)
        )
    address = order.cluster
    return lambda prepared, rounds, on_block: simulate_on(address, prepared, rounds, order.seed, Watch(on_block, stop))


def _by_a_file(order: RoundsOrder, bar: Bar) -> Played:
    strategy = load_strategy(order.strategy)
    best = {slug: plan(order.table, slug, progress=bar.share) for slug in order.table.offered}
    with until_interrupted() as stop, bar.counted("playing", order.rounds, "rounds") as tell:
        watch = Watch(lambda done, _: tell(done), stop)
        tally = play_rounds(order.table, strategy, order.rounds, order.seed, watch, order.threads)
    return Played(tally, best=best)


# What the meter shows


def _at_meter(tally: Tally, meter: Fraction | None) -> Tally:
    return replace(tally, plans=tuple(_plan_at_meter(one, meter) for one in tally.plans))


def _wager_at_meter(wager: WagerTally, meter: Fraction | None) -> WagerTally:
    return replace(wager, plan=_plan_at_meter(wager.plan, meter))


def _plan_at_meter(wager: WagerPlan, meter: Fraction | None) -> WagerPlan:
    given = meter is not None and wager.question.is_jackpot
    return replace(wager, question=replace(wager.question, meter=meter)) if given else wager


def _draw(order: RoundsOrder, looks: tuple[WagerTally, ...]) -> str:
    from cardroom.reports.charts import Convergence, convergence_chart

    assert order.chart is not None
    exact = looks[-1].exact_mean
    seen = Convergence(
        rounds=[one.rounds for one in looks],
        means=[float(one.mean) for one in looks],
        standard_errors=[one.standard_error for one in looks],
        exact=None if exact is None else float(exact),
    )
    wager = order.table.facts.wager(order.charted).name
    subject = f"{order.table.facts.name}, {wager}{' without the meter' if looks[-1].hangs_on_meter else ''}"
    return written(convergence_chart(subject, seen, source_words(order.table, order.seed)), order.chart)
