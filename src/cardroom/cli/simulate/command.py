"""``cardroom simulate``."""

from __future__ import annotations

import typer

from cardroom.cli.shared.answers import ExitCode
from cardroom.cli.shared.options import Given, with_options
from cardroom.cli.simulate.typed import Typed

app = typer.Typer()


def simulate() -> None:
    """Play millions of rounds and hold them against the exact odds; or sessions, or years of a progressive.

    One player has one unit on every spot. The seed decides every card: the same one gives the same result on any
    number of threads or machines. Ctrl-C prints what was done so far; the exit code is then 130.
    """


def _simulate(typed: Typed, _: Given) -> None:
    from cardroom.cli.simulate.simulating import simulated

    done = simulated(typed)
    done.answer.tell(typed.as_json)
    drawn = done.draw() if done.draw else None
    if drawn and not typed.as_json:
        typer.echo(drawn)
    if done.interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)


app.command(
    epilog="""Examples:

- `cardroom simulate three-card-prime --rounds 100M`
- `cardroom simulate deuces-wild --rounds 1e7 --seed 7 --wager ante-play-raise --chart convergence.svg`
- `cardroom simulate dueling-for-dollars --rounds 1e12 --cluster tcp://10.0.0.1:8786`
- `cardroom simulate three-card-prime --rounds 10000 --strategy my_strategy.py`
- `cardroom simulate three-card-prime --sessions 10000 --bankroll 500 --bets "ante-play=10,prime=5" --hours 4`
- `cardroom simulate three-card-prime --progressive final-four --seed-money 10000 --contribution 28% --years 5`
"""
)(with_options(Typed, simulate, _simulate))
