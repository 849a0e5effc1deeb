"""Simulated rounds beside the exact figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from cardroom.odds.result import first_policy
from cardroom.odds.rounds.figures import beside_exact
from cardroom.odds.rounds.orders import RoundsOrder
from cardroom.odds.rounds.plan import WagerPlan
from cardroom.odds.rounds.tally import Tally, WagerTally
from cardroom.reports.definitions import PLUS_MINUS, defined
from cardroom.terminal.pages.odds import beside_note, own_tables, settings_words
from cardroom.terminal.pages.simulation import words as say
from cardroom.terminal.palette import QUIET

ON_A_METER: Final = "*"
"""Marks a return that is without the meter."""


def rounds_page(order: RoundsOrder, tally: Tally, best: Mapping[str, WagerPlan]) -> RenderableType:
    """Simulated rounds beside the exact figures."""
    words = f"{tally.rounds:,} rounds"
    head: list[RenderableType] = [
        say.heading(
            order.table,
            words,
            f"seed {order.seed}",
            say.strategy_words(order.strategy, order.policy),
            _meter_words(order),
        )
    ]
    if tally.rounds < order.rounds:
        head.append(say.interrupted_words(tally.rounds, order.rounds, "rounds were played"))
    wagers = [one for one in tally.wagers if order.wager in (None, one.plan.slug)]
    tables = [_summary(wagers, best)] if wagers else []
    if order.wager is not None:
        tables += [_lines(one) for one in wagers]
    return say.page(head, tables, list(_notes(order, wagers, best)))


def _meter_words(order: RoundsOrder) -> str:
    return "" if order.meter is None else f"meter ${float(order.meter):,.2f}"


def _summary(wagers: list[WagerTally], best: Mapping[str, WagerPlan]) -> RenderableType:
    proved = all(not one.policy for one in (*best.values(), *(wager.plan for wager in wagers)))
    named = "best play" if proved else "simulated ≈"
    exact_named = "exact" if not any(wager.plan.priced_rounds for wager in wagers) else "priced"
    beside = (named, "hits", named) if best else (exact_named, "z ", "hits", exact_named)
    found = say.grid("wager and table", "simulated return", *beside)
    for wager in wagers:
        exact = beside_exact(wager, best)
        found.add_row(
            Text.assemble(wager.plan.slug, (f"  {_table_words(wager.plan)}", QUIET)),
            f"{float(wager.mean):+.6f} ±{wager.standard_error:.6f}{ON_A_METER if wager.hangs_on_meter else ''}",
            "" if exact is None else f"{float(exact.mean):+.6f}{'≈' if wager.plan.priced_rounds else ' '}",
            *(() if best else (say.z_text(wager.z),)),
            say.share(float(wager.hit_frequency), digits=3),
            "" if exact is None else say.share(float(exact.hit_frequency), digits=3),
        )
    return found


def _table_words(plan: WagerPlan) -> str:
    """The paytable and the options of a wager, as beside its exact odds."""
    return ", ".join(filter(None, (plan.paytable, settings_words(plan.question.settings))))


def _lines(wager: WagerTally) -> RenderableType:
    """How the wager ended, line by line."""
    found = say.grid("ending", "pays", "net", "count", "simulated", "exact", "z ")
    found.columns[1].justify = "left"
    for line in wager.lines:
        expected = say.FEW if line.exact is None else line.exact * wager.rounds
        found.add_row(
            line.ending.event.replace("-", " "),
            Text(line.ending.pays, QUIET),
            "meter" if line.net is None else f"{float(line.net):+.10g}",
            f"{line.count:,}",
            f"{line.frequency:.8f}",
            "" if line.exact is None else f"{line.exact:.8f}",
            say.z_text(line.z, expected),
        )
    return found


def _unhit(wager: WagerTally) -> str:
    """What a simulated price does not cover, and what of it happened here."""
    if wager.exact_odds is None or not wager.exact_odds.unhit:
        return ""
    told = f"Of the rounds of that price: {wager.exact_odds.unhit_words}"
    if not wager.unpriced:
        return told
    won = f"{wager.unpriced:,} round{'s' * (wager.unpriced != 1)} of this simulation did win"
    return f"{told} {won}: z compares the others."


def _notes(order: RoundsOrder, wagers: list[WagerTally], best: Mapping[str, WagerPlan]) -> Iterator[str]:
    if not wagers:
        return
    z = "" if order.by_a_file else ", z the difference from exact in such errors"
    yield f"{PLUS_MINUS[:-1]}{z}."
    yield from defined("Unit", "Return", "Hit frequency")
    for wager in wagers:
        yield from beside_note(order.table.facts.slug, wager.plan.slug, wager.plan.question.settings)
    for wager in wagers:
        if wager.plan.priced_rounds:
            yield (
                f"≈ The price of {wager.plan.slug} is no exact one: it is simulated too, over "
                f"{wager.plan.priced_rounds:,} other rounds; z counts both errors."
            )
            yield from filter(None, (_unhit(wager),))
    if any(wager.hangs_on_meter for wager in wagers):
        yield (
            f"{ON_A_METER} Without the prizes that are a percentage of the meter: the return hangs on the meter, and "
            "--meter DOLLARS says what it shows."
        )
    if own := own_tables(order.table.offered[wager.plan.slug].paytable for wager in wagers):
        yield own
    for wager in wagers:
        if wager.odds.excludes:
            yield f"Not in the figures of {wager.plan.slug}: {', '.join(wager.odds.excludes)}."
    if order.by_a_file:
        policy = first_policy(one.policy for one in best.values()) or "the best play"
        yield f"What the strategy is worth exactly nobody knows; beside it is the value of {policy}."
    lines = [line for wager in wagers for line in wager.lines] if order.wager else []
    rare = [line for line in lines if line.exact is not None and line.exact * wagers[0].rounds < say.FEW]
    if rare:
        yield f"(z) in brackets says little: fewer than {say.FEW} were to be expected."
    yield from say.far_note([*(one.z for one in wagers), *(line.z for line in lines if line not in rare)])
