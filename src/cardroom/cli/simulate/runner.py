"""`cardroom simulate`: simulate rounds with `--rounds`, and choose the kind of simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

from rich.text import Text

from cardroom.cli.shared.output import CommandOutput
from cardroom.cli.simulate.options import SimulateOptions
from cardroom.cli.simulate.progressive import run_progressive
from cardroom.cli.simulate.request import (
    BadSimulationRequest,
    SimulationMode,
    SimulationOutput,
    chart_source,
    check_chart_file,
    choose_mode,
    find_wager,
    open_requested_table,
    parse_cluster,
    parse_meter,
    parse_seed,
    parse_threads,
    parse_whole_number,
    write_chart_file,
)
from cardroom.cli.simulate.sessions import run_sessions
from cardroom.games import Table
from cardroom.odds.prices import JACKPOT_WAGER_CENTS
from cardroom.odds.result import first_policy
from cardroom.odds.simulation.cluster import refuse_unreachable, simulate_on_cluster
from cardroom.odds.simulation.own_strategy import load_strategy, play_rounds
from cardroom.odds.simulation.requests_and_results import RoundsRequest, rounds_to_json
from cardroom.odds.simulation.runner import (
    ProgressMonitor,
    StagePlayer,
    check_rounds,
    first_block_samples,
    play_in_stages,
    simulate,
    simulator,
)
from cardroom.odds.simulation.tally import SimulationTally, WagerTally
from cardroom.odds.simulation.wager_plan import WagerPlan, plan_wager
from cardroom.terminal.pages.simulation.summaries import rounds_page
from cardroom.terminal.progress import ProgressBar, catch_interrupt, progress_bar

MIN_CHART_ROUNDS = 100


def read_rounds_request(options: SimulateOptions, table: Table) -> RoundsRequest:
    """Parse and check the options before the simulation."""
    assert options.rounds is not None
    wager = None if options.wager is None else find_wager(table, options.wager)
    meter = parse_meter(options, table, [wager] if wager else list(table.offers))
    request = RoundsRequest(
        table=table,
        strategy=options.strategy,
        rounds=parse_whole_number(options.rounds, "--rounds"),
        seed=parse_seed(options),
        threads=parse_threads(options),
        cluster=parse_cluster(options),
        wager=wager,
        meter=None if meter is None else Fraction(meter, JACKPOT_WAGER_CENTS),
        chart=check_chart_file(options),
    )
    check_rounds(request.rounds)
    if request.cluster is not None and request.threads is not None:
        raise BadSimulationRequest(
            "--threads applies to this machine, and --cluster uses its own workers: leave one of them out."
        )
    if request.is_file_strategy and (request.cluster or request.chart):
        raise BadSimulationRequest(
            "A strategy in Python runs on this machine, without a chart: leave out --cluster and --chart."
        )
    if request.chart is not None and request.rounds < MIN_CHART_ROUNDS:
        raise BadSimulationRequest(f"{request.rounds} rounds are too few for a chart: use {MIN_CHART_ROUNDS} or more.")
    return request


@dataclass(frozen=True)
class PlayedRounds:
    """The simulated rounds."""

    tally: SimulationTally
    checkpoints: tuple[WagerTally, ...] = ()
    """Intermediate results of the charted wager, for a chart."""
    best_plans: Mapping[str, WagerPlan] = field(default_factory=dict)
    """The best play, for comparison with a strategy that has no exact figures."""


def run_rounds(options: SimulateOptions, table: Table) -> SimulationOutput:
    """Simulate the requested rounds."""
    request = read_rounds_request(options, table)
    with progress_bar() as bar:
        played_rounds = (
            _play_strategy_file(request, bar) if request.is_file_strategy else _play_with_kernels(request, bar)
        )
    request = replace(request, policy=first_policy(wager_plan.policy for wager_plan in played_rounds.tally.plans))
    tally = _tally_at_meter(played_rounds.tally, request.meter)
    is_interrupted = tally.rounds < request.rounds
    return SimulationOutput(
        CommandOutput(
            rounds_to_json(request, tally, played_rounds.best_plans),
            rounds_page(request, tally, played_rounds.best_plans),
        ),
        is_interrupted=is_interrupted,
        draw=partial(_draw_convergence, request, played_rounds.checkpoints)
        if len(played_rounds.checkpoints) > 1
        else None,
    )


def _play_with_kernels(request: RoundsRequest, bar: ProgressBar) -> PlayedRounds:
    if request.cluster is not None:
        refuse_unreachable(request.cluster)
    prepared = simulator(request.table.facts.slug).prepare(request.table, request.strategy, bar.set_share)
    if request.cluster is None:
        bar.set_share("compiling the rounds of this game, once", 0.0)
        prepared.run_block(request.seed, 0, 1)
    label = "playing" if request.cluster is None else f"on {request.cluster}"
    with catch_interrupt() as stop, bar.track_count(label, request.rounds, "rounds") as report_progress:
        play = _choose_player(request, stop)
        if request.chart is None:
            return PlayedRounds(play(prepared, request.rounds, lambda done, _: report_progress(done)))
        tally, tallies = play_in_stages(
            play, prepared, request.rounds, request.seed, lambda done, _: report_progress(done)
        )
    checkpoints = [stage_tally.wager(request.chart_wager) for stage_tally in tallies]
    if checkpoints:
        checkpoints = [
            *first_block_samples(prepared, request.chart_wager, checkpoints[0].rounds, request.seed),
            *checkpoints[1:],
        ]
    return PlayedRounds(tally, tuple(_wager_at_meter(stage_tally, request.meter) for stage_tally in checkpoints))


def _choose_player(request: RoundsRequest, stop: Callable[[], bool]) -> StagePlayer:
    if request.cluster is None:
        return lambda prepared, rounds, on_block: simulate(
            prepared, rounds, request.seed, request.threads, ProgressMonitor(on_block, stop)
        )
    address = request.cluster
    return lambda prepared, rounds, on_block: simulate_on_cluster(
        address, prepared, rounds, request.seed, ProgressMonitor(on_block, stop)
    )


def _play_strategy_file(request: RoundsRequest, bar: ProgressBar) -> PlayedRounds:
    strategy = load_strategy(request.strategy)
    best_plans = {slug: plan_wager(request.table, slug, progress=bar.set_share) for slug in request.table.offers}
    with catch_interrupt() as stop, bar.track_count("playing", request.rounds, "rounds") as report_progress:
        watch = ProgressMonitor(lambda done, _: report_progress(done), stop)
        tally = play_rounds(request.table, strategy, request.rounds, request.seed, watch, request.threads)
    return PlayedRounds(tally, best_plans=best_plans)


# The meter


def _tally_at_meter(tally: SimulationTally, meter: Fraction | None) -> SimulationTally:
    return replace(tally, plans=tuple(_plan_at_meter(wager_plan, meter) for wager_plan in tally.plans))


def _wager_at_meter(wager: WagerTally, meter: Fraction | None) -> WagerTally:
    return replace(wager, plan=_plan_at_meter(wager.plan, meter))


def _plan_at_meter(wager: WagerPlan, meter: Fraction | None) -> WagerPlan:
    has_meter = meter is not None and wager.request.is_jackpot
    return replace(wager, request=replace(wager.request, meter=meter)) if has_meter else wager


def _draw_convergence(request: RoundsRequest, checkpoints: tuple[WagerTally, ...]) -> str:
    from cardroom.reports.charts import Convergence, convergence_chart

    assert request.chart is not None
    exact_mean = checkpoints[-1].exact_mean
    convergence = Convergence(
        rounds=[checkpoint.rounds for checkpoint in checkpoints],
        means=[float(checkpoint.mean) for checkpoint in checkpoints],
        standard_errors=[checkpoint.standard_error for checkpoint in checkpoints],
        exact=None if exact_mean is None else float(exact_mean),
    )
    wager = request.table.facts.wager(request.chart_wager).name
    subject = f"{request.table.facts.name}, {wager}{' without the meter' if checkpoints[-1].depends_on_meter else ''}"
    return write_chart_file(
        convergence_chart(subject, convergence, chart_source(request.table, request.seed)), request.chart
    )


_RUNNERS = {
    SimulationMode.ROUNDS: run_rounds,
    SimulationMode.SESSIONS: run_sessions,
    SimulationMode.PROGRESSIVE: run_progressive,
}


def run_simulation(options: SimulateOptions) -> SimulationOutput:
    """Run the requested simulation. An interruption during the preparation gives an empty result."""
    mode, table = choose_mode(options), open_requested_table(options)
    try:
        return _RUNNERS[mode](options, table)
    except KeyboardInterrupt:
        text = Text("Interrupted before the first round: there are no results.")
        return SimulationOutput(CommandOutput([], text), is_interrupted=True)
