"""What `cardroom device simulate` and `cardroom device watch` run: a simulated unit that prints its rounds in the
terminal, and a simulated screen of its table."""

from __future__ import annotations

import secrets
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

import httpx
import typer

from cardroom.cli.shared.output import ExitCode, print_json, print_page
from cardroom.errors import BadInput, quote
from cardroom.terminal.pages.equipment import amounts_text, device_display_text
from cardroom_equipment_simulators import (
    DeviceConnection,
    EquipmentRun,
    FailurePlan,
    MonitorSimulator,
    RetriesExhausted,
    RunResult,
    SignSimulator,
    parse_failures,
    run_equipment,
)
from cardroom_equipment_simulators import connection as device_connection
from cardroom_equipment_simulators.connection import FailureInjector, NoAnswer
from cardroom_equipment_simulators.run import PlannedRound, find_models

_SEED_LIMIT: Final = 1_000_000
_SCREEN_TIMEOUT: Final = 2.0
"""Seconds within which a monitor should show a change."""


class DeviceRun(NamedTuple):
    """The options of `device simulate`."""

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


def run_device(run: DeviceRun, *, as_json: bool) -> None:
    """Run the unit. Print each round, or with ``as_json`` one document at the end."""
    find_models(run.model)
    failures, seed = parse_failures(run.fail), secrets.randbelow(_SEED_LIMIT) if run.seed is None else run.seed
    evening = EquipmentRun(
        run.model,
        parse_server_url(run.server),
        run.token,
        rounds=run.rounds,
        seed=seed,
        run=secrets.token_hex(4),
        failures=failures,
        every=run.every,
        timeout=run.patience,
        log=Path(run.log) if run.log else None,
        dealer=run.dealer,
    )

    def print_line(text: str) -> None:
        typer.echo(text, err=as_json)

    print_line(f"{run.model}, {run.rounds:,} rounds, seed {seed}.")
    with ExitStack() as stack:
        screen = _Screen(stack, evening.server, run.screen) if run.screen else None

        def print_round(round: PlannedRound) -> None:
            print_line(_describe_round(round))
            picture = screen.follow() if screen else None
            if picture is not None:
                print_line(f"  the screen shows {amounts_text(picture)}")

        try:
            result = run_equipment(evening, report=print_line, on_round=print_round)
        except RetriesExhausted as fault:
            _exit_with_failure(fault)
    if as_json:
        print_json({**result._asdict(), "seed": seed})
    else:
        print_line(_describe_run(result))


def _describe_round(round: PlannedRound) -> str:
    """One line for a round."""
    positions_by_wager = {sensor.wager: round.layout.covered.get(sensor.sensor, ()) for sensor in round.unit.sensors}
    wagers = "; ".join(
        f"{wager} at {', '.join(map(str, positions)) or 'none'}" for wager, positions in positions_by_wager.items()
    )
    counters = ", ".join(f"{counter:,}" for counter in round.unit.counters.values())
    backlog = f"; {round.waiting:,} record{'s' * (round.waiting != 1)} not forwarded yet" if round.waiting else ""
    return f"round {round.number}: {wagers}. Counter {counters}{backlog}."


def _describe_run(result: RunResult) -> str:
    wagers = ", ".join(f"{number:,} {wager}" for wager, number in result.wagers.items())
    failures = ", ".join(f"{name.replace('_', '-')} {count}" for name, count in result.failures.items()) or "none"
    clock_note = f" Its clock differs by {result.ahead / 1_000_000:+.1f} s." if abs(result.ahead) >= 1_000_000 else ""
    return (
        f"{result.unit} at {result.table}: {result.rounds:,} rounds, {wagers}. {result.calls:,} requests. "
        f"Failures: {failures}.{clock_note}"
    )


class _Screen:
    """The table's screen: an LED sign or a monitor, depending on its token."""

    def __init__(self, stack: ExitStack, server: str, token: str) -> None:
        client = stack.enter_context(httpx.Client(base_url=server, timeout=device_connection.RESPONSE_SECONDS))
        connection = _open_screen_connection(client, token)
        self._sign = SignSimulator(connection) if find_screen_kind(connection) == "led" else None
        self._monitor = None if self._sign else stack.enter_context(MonitorSimulator(client, token))
        self._picture_count = 0

    def follow(self) -> Any | None:
        """The content of the screen, if it changed."""
        if self._sign is not None:
            try:
                return self._sign.fetch()
            except NoAnswer:
                return None
        assert self._monitor is not None
        if not self._monitor.wait(self._picture_count, _SCREEN_TIMEOUT):
            return None
        self._picture_count = self._monitor.pictures
        return self._monitor.latest


def watch_screen(server: str, token: str, every: float, changes: int | None) -> None:
    """Print each new content of a screen."""
    picture_count = 0
    with httpx.Client(base_url=parse_server_url(server), timeout=device_connection.RESPONSE_SECONDS) as client:
        connection = _open_screen_connection(client, token)
        if find_screen_kind(connection) == "led":
            sign = SignSimulator(connection)
            while changes is None or picture_count < changes:
                picture = _fetch_picture(sign)
                if picture is None:
                    time.sleep(every)
                    continue
                picture_count += 1
                print_page(device_display_text(picture))
            return
        with MonitorSimulator(client, token) as monitor:
            while changes is None or picture_count < changes:
                if monitor.wait(picture_count, 1.0):
                    picture_count = monitor.pictures
                    print_page(device_display_text(monitor.latest or {}))
                elif monitor.refusal:
                    _exit_with_failure(BadInput(monitor.refusal))


def _fetch_picture(sign: SignSimulator) -> Any | None:
    try:
        return sign.fetch()
    except NoAnswer:
        return None


def _open_screen_connection(client: httpx.Client, token: str) -> DeviceConnection:
    from random import Random

    return DeviceConnection(client, token, FailureInjector(FailurePlan(), Random(0)), time.sleep, timeout=60)  # noqa: S311


def find_screen_kind(connection: DeviceConnection) -> str:
    """The kind of screen that a token belongs to: "led" or "monitor"."""
    reply = connection.send_with_retries("POST", "/hello", {"time": time.time_ns() // 1000}).content
    if reply["kind"] not in ("led", "monitor"):
        raise BadInput(
            f"{reply['device']} is the {reply['kind']} of {reply['table']}: use the token of an LED sign or a monitor."
        )
    return str(reply["kind"])


def parse_server_url(text: str) -> str:
    """The address of a server, without a slash at the end.

    >>> parse_server_url("http://127.0.0.1:8000/")
    'http://127.0.0.1:8000'
    """
    if not text.startswith(("http://", "https://")) or len(text.split("//", 1)[1]) < 1:
        raise BadInput(f"{quote(text)} is not the address of a server: write it like http://127.0.0.1:8000.")
    return text.rstrip("/")


def _exit_with_failure(fault: BadInput) -> NoReturn:
    """Print the sentence and exit with code 1."""
    typer.echo(str(fault), err=True)
    raise typer.Exit(ExitCode.CHECK_FAILED)
