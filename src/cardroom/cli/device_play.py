"""A simulated unit at work, told in the terminal round by round; and a screen that shows what its table shows."""

from __future__ import annotations

import secrets
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

import httpx
import typer

from cardroom.cli.shared.answers import ExitCode, print_json, print_page
from cardroom.errors import BadInput, quote
from cardroom.terminal.pages.equipment import amounts_text, device_display_text
from cardroom.web.equipment import Evening, Failures, GaveUp, Line, Monitor, Played, Sign, play, read_failures
from cardroom.web.equipment import line as calls
from cardroom.web.equipment.failures import Trouble
from cardroom.web.equipment.line import NoAnswer
from cardroom.web.equipment.playing import Round, model_named

_SEEDS: Final = 1_000_000
_SCREEN_FOLLOWS: Final = 2.0
"""Seconds within which a monitor should have followed."""


class Wanted(NamedTuple):
    """What was typed."""

    model: str
    server: str
    token: str
    rounds: int
    every: float
    seed: int | None
    fail: tuple[str, ...]
    patience: float
    log: str | None
    dealer: str
    screen: str | None


def play_and_tell(wanted: Wanted, *, as_json: bool) -> None:
    """Play an evening; people read it round by round, programs get one document at its end."""
    model_named(wanted.model)
    failures, seed = read_failures(wanted.fail), secrets.randbelow(_SEEDS) if wanted.seed is None else wanted.seed
    evening = Evening(
        wanted.model,
        address(wanted.server),
        wanted.token,
        rounds=wanted.rounds,
        seed=seed,
        run=secrets.token_hex(4),
        failures=failures,
        every=wanted.every,
        patience=wanted.patience,
        log=Path(wanted.log) if wanted.log else None,
        dealer=wanted.dealer,
    )

    def say(text: str) -> None:
        typer.echo(text, err=as_json)

    say(f"{wanted.model}, {wanted.rounds:,} rounds, seed {seed}.")
    with ExitStack() as stack:
        screen = _Screen(stack, evening.server, wanted.screen) if wanted.screen else None

        def after(round: Round) -> None:
            say(_round_words(round))
            shows = screen.follow() if screen else None
            if shows is not None:
                say(f"  the screen shows {amounts_text(shows)}")

        try:
            played = play(evening, tell=say, after=after)
        except GaveUp as fault:
            _no(fault)
    if as_json:
        print_json({**played._asdict(), "seed": seed})
    else:
        say(_played_words(played))


def _round_words(round: Round) -> str:
    """One round in a line."""
    laid = {wired.wager: round.layout.covered.get(wired.sensor, ()) for wired in round.unit.sensors}
    wagers = "; ".join(f"{wager} at {', '.join(map(str, places)) or 'none'}" for wager, places in laid.items())
    counters = ", ".join(f"{shows:,}" for shows in round.unit.counters.values())
    waits = f"; {round.waiting:,} record{'s' * (round.waiting != 1)} not taken yet" if round.waiting else ""
    return f"round {round.number}: {wagers}. Counter {counters}{waits}."


def _played_words(played: Played) -> str:
    wagers = ", ".join(f"{number:,} {wager}" for wager, number in played.wagers.items())
    came = ", ".join(f"{name.replace('_', '-')} {times}" for name, times in played.failures.items()) or "none"
    clock = f" Its clock differs by {played.ahead / 1_000_000:+.1f} s." if abs(played.ahead) >= 1_000_000 else ""
    return (
        f"{played.unit} at {played.table}: {played.rounds:,} rounds, {wagers}. {played.calls:,} calls. "
        f"Failures: {came}.{clock}"
    )


class _Screen:
    """The table's screen beside the unit: an LED sign or a monitor, as its token says."""

    def __init__(self, stack: ExitStack, server: str, token: str) -> None:
        client = stack.enter_context(httpx.Client(base_url=server, timeout=calls.ANSWER_WITHIN))
        line = _screen_line(client, token)
        self._sign = Sign(line) if screen_kind(line) == "led" else None
        self._monitor = None if self._sign else stack.enter_context(Monitor(client, token))
        self._seen = 0

    def follow(self) -> Any | None:
        """What it shows, if that is new."""
        if self._sign is not None:
            try:
                return self._sign.fetch()
            except NoAnswer:
                return None
        assert self._monitor is not None
        if not self._monitor.wait(self._seen, _SCREEN_FOLLOWS):
            return None
        self._seen = self._monitor.pictures
        return self._monitor.latest


def watch_and_show(server: str, token: str, every: float, changes: int | None) -> None:
    """Show what a screen shows, picture by picture."""
    shown = 0
    with httpx.Client(base_url=address(server), timeout=calls.ANSWER_WITHIN) as client:
        line = _screen_line(client, token)
        if screen_kind(line) == "led":
            sign = Sign(line)
            while changes is None or shown < changes:
                picture = _fetched(sign)
                if picture is None:
                    time.sleep(every)
                    continue
                shown += 1
                print_page(device_display_text(picture))
            return
        with Monitor(client, token) as monitor:
            while changes is None or shown < changes:
                if monitor.wait(shown, 1.0):
                    shown = monitor.pictures
                    print_page(device_display_text(monitor.latest or {}))
                elif monitor.refused:
                    _no(BadInput(monitor.refused))


def _fetched(sign: Sign) -> Any | None:
    try:
        return sign.fetch()
    except NoAnswer:
        return None


def _screen_line(client: httpx.Client, token: str) -> Line:
    from random import Random

    return Line(client, token, Trouble(Failures(), Random(0)), time.sleep, patience=60)  # noqa: S311


def screen_kind(line: Line) -> str:
    """Whether a token is an LED sign's or a monitor's."""
    told = line.patiently("POST", "/hello", {"time": time.time_ns() // 1000}).content
    if told["kind"] not in ("led", "monitor"):
        raise BadInput(f"{told['device']} is the {told['kind']} of {told['table']}: a screen has a token of its own.")
    return str(told["kind"])


def address(typed: str) -> str:
    """The address of a server.

    >>> address("http://127.0.0.1:8000/")
    'http://127.0.0.1:8000'
    """
    if not typed.startswith(("http://", "https://")) or len(typed.split("//", 1)[1]) < 1:
        raise BadInput(f"{quote(typed)} is no address of a server: write it as http://127.0.0.1:8000.")
    return typed.rstrip("/")


def _no(fault: BadInput) -> NoReturn:
    """The answer is no: a sentence, and the exit code that says so."""
    typer.echo(str(fault), err=True)
    raise typer.Exit(ExitCode.ANSWER_IS_NO)
