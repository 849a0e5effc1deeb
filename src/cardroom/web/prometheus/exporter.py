"""Prometheus metrics of the server, its rejections, and its ledger, without names of players or their money.

The metrics have their own address, so that players cannot read them, and their own thread, for which the server never
waits.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final, NamedTuple

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from cardroom import __version__
from cardroom.errors import quote
from cardroom.ledger import LedgerDamaged, LedgerUnavailable
from cardroom.service.chains.names import jackpot_chain, parse_jackpot_chain
from cardroom.web.middleware.listener_options import LOOPBACK
from cardroom.web.middleware.rejections import BadListenerOption
from cardroom.web.services.app_context import AppContext
from cardroom.web.services.device_monitor import DeviceStatus

TIMEOUT_SECONDS: Final = 2.0
"""The timeout for reading the ledger, in seconds."""
SECOND: Final = 1_000_000


class LedgerStatus(NamedTuple):
    """The figures from the ledger."""

    reachable: bool
    short_jackpots: tuple[tuple[str, bool], ...] = ()
    """Each jackpot, and whether its bank account is short."""
    devices: tuple[tuple[str, int], ...] = ()
    """The number of devices that need attention, by status."""


class LedgerMonitor:
    """Reads the ledger with a timeout."""

    def __init__(self, context: AppContext) -> None:
        self._card_room, self._device_monitor = context.card_room, context.device_monitor
        self._executor = ThreadPoolExecutor(1, "metrics")
        self._pending: Future[LedgerStatus] | None = None

    def read_status(self) -> LedgerStatus:
        if self._pending is None or self._pending.done():
            self._pending = self._executor.submit(self._read)
        try:
            return self._pending.result(TIMEOUT_SECONDS)
        except (LedgerUnavailable, LedgerDamaged, TimeoutError):
            return LedgerStatus(False)

    def _read(self) -> LedgerStatus:
        jackpots = (parse_jackpot_chain(chain) for chain in self._card_room.ledger.chain_lengths(jackpot_chain("")))
        short = tuple(
            (jackpot, bool(self._card_room.jackpot(jackpot).short)) for jackpot in jackpots if jackpot is not None
        )
        statuses = Counter(device.status for device in self._device_monitor.list_devices())
        return LedgerStatus(
            True, short, tuple((str(status), statuses[status]) for status in DeviceStatus if status.needs_attention)
        )


class MetricsCollector(Collector):
    """All metrics of a server, read on each scrape."""

    def __init__(self, context: AppContext, now: Callable[[], float] = time.time) -> None:
        self._context, self._now = context, now
        self._ledger_monitor = LedgerMonitor(context)

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("cardroom", "The program.", {"version": __version__})
        yield from self._calls()
        yield from self._connections()
        yield from self._tables()
        yield from self._ledger()

    def _calls(self) -> Iterator[Metric]:
        metrics = self._context.metrics
        requests = HistogramMetricFamily(
            "cardroom_http_request_seconds", "Requests by route template.", labels=["method", "path", "status"]
        )
        for (method, path, status), histogram in list(metrics.calls.items()):
            requests.add_metric([method, path, str(status)], histogram.cumulative_counts(), histogram.total)
        yield requests
        refusals = CounterMetricFamily("cardroom_http_rejected", "Rejected requests.", labels=["reason"])
        for reason, count in list(self._context.rejection_log.counts.items()):
            refusals.add_metric([reason], count)
        yield refusals
        yield CounterMetricFamily("cardroom_logins_failed", "Failed sign-ins.", metrics.failed_logins)

    def _connections(self) -> Iterator[Metric]:
        context = self._context
        yield GaugeMetricFamily("cardroom_open_pages", "Open live pages.", len(context.live_pages))
        yield GaugeMetricFamily("cardroom_open_streams", "Open event streams.", len(context.event_hub))

    def _tables(self) -> Iterator[Metric]:
        context, histogram = self._context, self._context.metrics.commands
        yield HistogramMetricFamily(
            "cardroom_command_seconds",
            "Seconds until a command is stored.",
            histogram.cumulative_counts(),
            histogram.total,
        )
        yield GaugeMetricFamily("cardroom_commands_waiting", "Commands in progress.", context.executors.pending)
        rounds = CounterMetricFamily(
            "cardroom_rounds_settled", "Rounds at tables that this server watches.", labels=["kind", "game"]
        )
        for (kind, game), count in list(context.metrics.rounds.items()):
            rounds.add_metric([kind, game], count)
        yield rounds
        open_tables = sum(not snapshot.state.closed for snapshot in context.change_feed.tables())
        yield GaugeMetricFamily("cardroom_tables_watched", "Open tables that this server watches.", open_tables)
        yield GaugeMetricFamily(
            "cardroom_tables_run", "Tables that this server runs.", len(context.lease_manager.tables())
        )

    def _ledger(self) -> Iterator[Metric]:
        status = self._ledger_monitor.read_status()
        yield GaugeMetricFamily("cardroom_database_reachable", "1 if the database is reachable.", int(status.reachable))
        short = GaugeMetricFamily(
            "cardroom_jackpot_short", "1 if a jackpot's bank account is short of what it owes.", labels=["jackpot"]
        )
        for jackpot, is_short in status.short_jackpots:
            short.add_metric([jackpot], int(is_short))
        yield short
        devices = GaugeMetricFamily("cardroom_devices", "Devices that need attention, by status.", labels=["status"])
        for device_status, count in status.devices:
            devices.add_metric([device_status], count)
        yield devices
        progress = self._context.verification.progress
        if progress.ended:
            since = self._now() - progress.ended / SECOND
            yield GaugeMetricFamily("cardroom_verified_seconds_ago", "Seconds since the last verification here.", since)
            yield GaugeMetricFamily(
                "cardroom_ledger_intact", "1 if the last verification found no error.", int(progress.is_intact)
            )


_ADDRESS_PATTERN: Final = re.compile(r"(?:(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):)?(?P<port>[0-9]{1,5})")
_LAST_PORT: Final = 65_535


def parse_address(text: str) -> tuple[str, int]:
    """
    >>> parse_address("127.0.0.1:9100"), parse_address("[::1]:9100"), parse_address("9100")
    (('127.0.0.1', 9100), ('::1', 9100), ('127.0.0.1', 9100))
    >>> parse_address("nine")
    Traceback (most recent call last):
    ...
    cardroom.web.middleware.rejections.BadListenerOption: 'nine' is not an address. Type ADDRESS:PORT, such as \
127.0.0.1:9100.
    """
    match = _ADDRESS_PATTERN.fullmatch(text)
    if match is None or not 0 < int(match["port"]) <= _LAST_PORT:
        raise BadListenerOption(f"{quote(text)} is not an address. Type ADDRESS:PORT, such as {LOOPBACK}:9100.")
    return (match["host"] or LOOPBACK).strip("[]"), int(match["port"])


@contextmanager
def serve_metrics(text: str | None) -> Iterator[CollectorRegistry]:
    """Serve the registry's metrics at an address; without an address, serve nothing."""
    registry = CollectorRegistry()
    if text is None:
        yield registry
        return
    host, port = parse_address(text)
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as fault:
        raise BadListenerOption(
            f"Metrics cannot be served at {text} ({fault.strerror}). Choose another port."
        ) from None
    try:
        yield registry
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
