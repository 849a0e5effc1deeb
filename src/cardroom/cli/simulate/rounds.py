"""Simulated rounds beside the exact figures: run, and told to people and programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from cardroom.cli.shared.answers import Answer
from cardroom.cli.simulate.convergence import Play, first_looks, played_in_stages
from cardroom.cli.simulate.progress import Bar, progress_bar, until_interrupted
from cardroom.cli.simulate.request import (
    BadRequest,
    chart_of,
    cluster_of,
    seed_of,
    threads_of,
    wager_of,
    whole,
)
from cardroom.cli.simulate.typed import Typed
from cardroom.cli.simulate.words import (
    FEW,
    Simulated,
    far_note,
    grid,
    heading,
    interrupted_words,
    page,
    share,
    source_words,
    strategy_words,
    written,
    z_text,
)
from cardroom.games import Table
from cardroom.games.money import dollars
from cardroom.odds.question import JACKPOT_WAGER_CENTS
from cardroom.odds.rounds.by_the_rules import load_strategy, play_rounds
from cardroom.odds.rounds.cluster import refuse_unreachable, simulate_on
from cardroom.odds.rounds.simulation import (
    Tally,
    WagerPlan,
    WagerTally,
    check_rounds,
    plan,
    simulate,
    simulator,
    tally_json,
)
from cardroom.terminal.palette import QUIET

FEWEST_FOR_A_CHART = 100


@dataclass(frozen=True)
class Asked:
    """What is to be played."""

    table: Table
    strategy: str
    rounds: int
    seed: int
    threads: int | None
    cluster: str | None
    wager: str | None
    meter: Fraction | None
    """In wagers of one dollar."""
    chart: Path | None

    @property
    def by_a_file(self) -> bool:
        return self.strategy.endswith(".py")

    @property
    def charted(self) -> str:
        """The wager that a chart shows."""
        return self.wager or next(iter(self.table.offered))


def asked_of(typed: Typed, table: Table) -> Asked:
    """What was typed, read and checked before anything is played."""
    assert typed.rounds is not None
    asked = Asked(
        table=table,
        strategy=typed.strategy,
        rounds=whole(typed.rounds, "--rounds"),
        seed=seed_of(typed),
        threads=threads_of(typed),
        cluster=cluster_of(typed),
        wager=None if typed.wager is None else wager_of(table, typed.wager),
        meter=None if typed.meter is None else Fraction(dollars(typed.meter), JACKPOT_WAGER_CENTS),
        chart=chart_of(typed),
    )
    check_rounds(asked.rounds)
    if asked.cluster is not None and asked.threads is not None:
        raise BadRequest(
            "--threads are those of this machine: with --cluster the workers have theirs, so leave it out."
        )
    if asked.by_a_file and (asked.cluster or asked.threads or asked.chart):
        raise BadRequest(
            "A strategy in Python is played on one thread, through the rules: leave out --cluster, --threads, --chart."
        )
    if asked.chart is not None and asked.rounds < FEWEST_FOR_A_CHART:
        raise BadRequest(f"{asked.rounds} rounds make no chart: play {FEWEST_FOR_A_CHART} or more.")
    return asked


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
    asked = asked_of(typed, table)
    with progress_bar() as bar:
        played = _by_a_file(asked, bar) if asked.by_a_file else _by_kernels(asked, bar)
    tally = _at_meter(played.tally, asked.meter)
    interrupted = tally.rounds < asked.rounds
    return Simulated(
        Answer(_entries(asked, tally, played.best), _shown(asked, tally, played.best)),
        interrupted=interrupted,
        draw=partial(_draw, asked, played.looks) if len(played.looks) > 1 else None,
    )


def _by_kernels(asked: Asked, bar: Bar) -> Played:
    if asked.cluster is not None:
        refuse_unreachable(asked.cluster)
    prepared = simulator(asked.table.facts.slug).prepare(asked.table, asked.strategy, bar.share)
    if asked.cluster is None:
        bar.share("compiling the rounds of this game, once", 0.0)
        prepared.run_block(asked.seed, 0, 1)
    where = "playing" if asked.cluster is None else f"on {asked.cluster}"
    with until_interrupted() as stop, bar.counted(where, asked.rounds, "rounds") as tell:
        play = _player(asked, stop)
        if asked.chart is None:
            return Played(play(prepared, asked.rounds, lambda done, _: tell(done)))
        tally, looks = played_in_stages(play, prepared, asked.rounds, asked.seed, lambda done, _: tell(done))
    on_the_way = [one.wager(asked.charted) for one in looks]
    if on_the_way:
        on_the_way = [*first_looks(prepared, asked.charted, on_the_way[0].rounds, asked.seed), *on_the_way[1:]]
    return Played(tally, tuple(_wager_at_meter(one, asked.meter) for one in on_the_way))


def _player(asked: Asked, stop: Callable[[], bool]) -> Play:
    if asked.cluster is None:
        return lambda prepared, rounds, on_block: simulate(prepared, rounds, asked.seed, asked.threads, on_block, stop)
    address = asked.cluster
    return lambda prepared, rounds, on_block: simulate_on(address, prepared, rounds, asked.seed, on_block, stop)


def _by_a_file(asked: Asked, bar: Bar) -> Played:
    strategy = load_strategy(asked.strategy)
    best = {slug: plan(asked.table, slug, progress=bar.share) for slug in asked.table.offered}
    with until_interrupted() as stop, bar.counted("playing", asked.rounds, "rounds") as tell:
        tally = play_rounds(asked.table, strategy, asked.rounds, asked.seed, lambda done, _: tell(done), stop)
    return Played(tally, best=best)


# What the meter shows


def _at_meter(tally: Tally, meter: Fraction | None) -> Tally:
    return replace(tally, plans=tuple(_plan_at_meter(one, meter) for one in tally.plans))


def _wager_at_meter(wager: WagerTally, meter: Fraction | None) -> WagerTally:
    return replace(wager, plan=_plan_at_meter(wager.plan, meter))


def _plan_at_meter(wager: WagerPlan, meter: Fraction | None) -> WagerPlan:
    given = meter is not None and wager.question.is_jackpot
    return replace(wager, question=replace(wager.question, meter=meter)) if given else wager


# For people


def _shown(asked: Asked, tally: Tally, best: Mapping[str, WagerPlan]) -> RenderableType:
    words = f"{tally.rounds:,} rounds"
    head: list[RenderableType] = [
        heading(asked.table, words, f"seed {asked.seed}", strategy_words(asked.strategy), _meter_words(asked))
    ]
    if tally.rounds < asked.rounds:
        head.append(interrupted_words(tally.rounds, asked.rounds, "rounds were played"))
    wagers = [one for one in tally.wagers if asked.wager in (None, one.plan.slug)]
    tables = [_summary(wagers, best)] if wagers else []
    if asked.wager is not None:
        tables += [_lines(one) for one in wagers]
    return page(head, tables, list(_notes(asked, wagers)))


def _meter_words(asked: Asked) -> str:
    return "" if asked.meter is None else f"meter ${float(asked.meter):,.2f}"


def _summary(wagers: list[WagerTally], best: Mapping[str, WagerPlan]) -> RenderableType:
    beside = ("best play", "hits", "best play") if best else ("exact", "z ", "hits", "exact")
    found = grid("wager and table", "simulated return", *beside)
    for wager in wagers:
        exact = _exact(wager, best)
        found.add_row(
            Text.assemble(wager.plan.slug, (f"  {wager.plan.paytable}", QUIET)),
            f"{float(wager.mean):+.6f} ±{wager.standard_error:.6f}",
            "" if exact is None else f"{float(exact.mean):+.6f}{'≈' if wager.plan.priced_rounds else ' '}",
            *(() if best else (z_text(wager.z),)),
            share(float(wager.hit_frequency), digits=3),
            "" if exact is None else share(float(exact.hit_frequency), digits=3),
        )
    return found


@dataclass(frozen=True, slots=True)
class _Exact:
    mean: Fraction
    hit_frequency: Fraction


def _exact(wager: WagerTally, best: Mapping[str, WagerPlan]) -> _Exact | None:
    """The exact figures of what was played, or of the best play where those are not known."""
    odds = wager.exact_odds
    if odds is None and wager.plan.slug in best:
        counts = tuple(0 for _ in best[wager.plan.slug].endings)
        other = replace(best[wager.plan.slug], question=wager.plan.question)
        odds = WagerTally(other, counts, 0).exact_odds
    if odds is None or odds.expected_return is None:
        return None
    return _Exact(odds.expected_return, odds.hit_frequency)


def _lines(wager: WagerTally) -> RenderableType:
    """How the wager ended, line by line."""
    found = grid("ending", "pays", "net", "count", "simulated", "exact", "z ")
    found.columns[1].justify = "left"
    for line in wager.lines:
        expected = FEW if line.exact is None else line.exact * wager.rounds
        found.add_row(
            line.ending.event.replace("-", " "),
            Text(line.ending.pays, QUIET),
            f"{float(line.ending.net):+g}",
            f"{line.count:,}",
            f"{line.frequency:.8f}",
            "" if line.exact is None else f"{line.exact:.8f}",
            z_text(line.z, expected),
        )
    return found


def _notes(asked: Asked, wagers: list[WagerTally]) -> Iterator[str]:
    if not wagers:
        return
    z = "" if asked.by_a_file else ", z the difference from exact in such errors"
    yield f"Net units for one base unit. ± is one standard error{z}."
    for wager in wagers:
        if wager.plan.priced_rounds:
            yield (
                f"≈ The price of {wager.plan.slug} is simulated too, over {wager.plan.priced_rounds:,} other rounds; "
                "z counts both errors."
            )
    if asked.meter is None and any(ending.percent for wager in wagers for ending in wager.plan.endings):
        yield "Meters count as empty: --meter DOLLARS says what they show."
    if asked.by_a_file:
        yield "What the strategy is worth exactly nobody knows; beside it stands what the best play is worth."
    lines = [line for wager in wagers for line in wager.lines] if asked.wager else []
    rare = [line for line in lines if line.exact is not None and line.exact * wagers[0].rounds < FEW]
    if rare:
        yield f"(z) in brackets says little: fewer than {FEW} were to be expected."
    yield from far_note([*(one.z for one in wagers), *(line.z for line in lines if line not in rare)])


# For programs


def _entries(asked: Asked, tally: Tally, best: Mapping[str, WagerPlan]) -> list[dict[str, Any]]:
    entries = []
    for entry, wager in zip(tally_json(tally), tally.wagers, strict=True):
        if asked.wager not in (None, wager.plan.slug):
            continue
        lines = entry.pop("lines")
        exact = _exact(wager, best)
        entry |= {
            "strategy": asked.strategy,
            "seed": asked.seed,
            "rounds_asked": asked.rounds,
            "interrupted": tally.rounds < asked.rounds,
        }
        if exact is not None and not best:
            entry["exact_hit_frequency"] = float(exact.hit_frequency)
            entry["exact_method"] = "simulated" if wager.plan.priced_rounds else "exact"
        if exact is not None and best:
            entry["best_return"] = float(exact.mean)
        if wager.plan.priced_rounds:
            entry["exact_rounds"] = wager.plan.priced_rounds
        entries.append({**entry, "lines": lines})
    return entries


# For the eye


def _draw(asked: Asked, looks: tuple[WagerTally, ...]) -> str:
    from cardroom.reports import Convergence, convergence_chart

    assert asked.chart is not None
    exact = looks[-1].exact_mean
    seen = Convergence(
        rounds=[one.rounds for one in looks],
        means=[float(one.mean) for one in looks],
        standard_errors=[one.standard_error for one in looks],
        exact=None if exact is None else float(exact),
    )
    wager = asked.table.facts.wager(asked.charted).name
    subject = f"{asked.table.facts.name}, {wager}"
    return written(convergence_chart(subject, seen, source_words(asked.table, asked.seed)), asked.chart)
