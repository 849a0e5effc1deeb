"""What is told: how the server works, what it turns away, how its books are. No name of a player, no player's money."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, NamedTuple

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from cardroom import __version__
from cardroom.floor.kept.chains import jackpot_chain, jackpot_of
from cardroom.ledger import LedgerDamaged, LedgerUnavailable
from cardroom.web.room.hearing import Speech
from cardroom.web.room.house import House

PATIENCE: Final = 2.0
"""Seconds in which the books must answer."""
SECOND: Final = 1_000_000


class BooksSeen(NamedTuple):
    """What the books were asked."""

    reachable: bool
    short: tuple[tuple[str, bool], ...] = ()
    """Of every jackpot, whether its bank account is short of what it owes."""
    devices: tuple[tuple[str, int], ...] = ()
    """How many devices people have to look at, by what is wrong."""


class Books:
    """Asks the books, and waits for them no longer than is asked for."""

    def __init__(self, house: House) -> None:
        self._floor, self._hearing = house.floor, house.hearing
        self._alone = ThreadPoolExecutor(1, "figures")
        self._asked: Future[BooksSeen] | None = None

    def look(self) -> BooksSeen:
        if self._asked is None or self._asked.done():
            self._asked = self._alone.submit(self._read)
        try:
            return self._asked.result(PATIENCE)
        except (LedgerUnavailable, LedgerDamaged, TimeoutError):
            return BooksSeen(False)

    def _read(self) -> BooksSeen:
        named = (jackpot_of(chain) for chain in self._floor.ledger.chain_lengths(jackpot_chain("")))
        short = tuple((one, bool(self._floor.jackpot(one).short)) for one in named if one is not None)
        wrong = Counter(one.speech for one in self._hearing.seen())
        return BooksSeen(True, short, tuple((str(one), wrong[one]) for one in Speech if one.is_for_people))


class Figures(Collector):
    """Everything that is told of a house. It is read when somebody asks; until then it costs the additions."""

    def __init__(self, house: House, now: Callable[[], float] = time.time) -> None:
        self._house, self._now = house, now
        self._books = Books(house)

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("cardroom", "The program.", {"version": __version__})
        yield from self._calls()
        yield from self._lines()
        yield from self._play()
        yield from self._kept()

    def _calls(self) -> Iterator[Metric]:
        tallies = self._house.tallies
        calls = HistogramMetricFamily(
            "cardroom_call_seconds", "Calls by their described address.", labels=["method", "path", "status"]
        )
        for (method, path, status), spread in list(tallies.calls.items()):
            calls.add_metric([method, path, str(status)], spread.up_to(), spread.total)
        yield calls
        refusals = CounterMetricFamily("cardroom_refused_at_the_door", "Calls turned away.", labels=["why"])
        for why, many in list(self._house.door.refusals.items()):
            refusals.add_metric([why], many)
        yield refusals
        yield CounterMetricFamily("cardroom_logins_failed", "Logins that failed.", tallies.failed_logins)

    def _lines(self) -> Iterator[Metric]:
        house = self._house
        yield GaugeMetricFamily("cardroom_open_pages", "Pages that are kept true.", len(house.boards))
        yield GaugeMetricFamily("cardroom_open_streams", "Streams of views.", len(house.hub))

    def _play(self) -> Iterator[Metric]:
        house, spread = self._house, self._house.tallies.commands
        yield HistogramMetricFamily(
            "cardroom_command_seconds", "Commands, until the books have them.", spread.up_to(), spread.total
        )
        yield GaugeMetricFamily("cardroom_commands_waiting", "Commands not answered yet.", house.clerks.waiting)
        rounds = CounterMetricFamily(
            "cardroom_rounds_settled", "Rounds at tables that this server watches.", labels=["kind", "game"]
        )
        for (kind, game), many in list(house.tallies.rounds.items()):
            rounds.add_metric([kind, game], many)
        yield rounds
        open_felts = sum(not one.state.closed for one in house.watch.felts())
        yield GaugeMetricFamily("cardroom_tables_watched", "Tables that are open and watched here.", open_felts)
        yield GaugeMetricFamily("cardroom_tables_run", "Tables that this server runs.", len(house.rota.tables()))

    def _kept(self) -> Iterator[Metric]:
        seen = self._books.look()
        yield GaugeMetricFamily("cardroom_database_reachable", "1 if the books answer.", int(seen.reachable))
        short = GaugeMetricFamily(
            "cardroom_jackpot_short", "1 if a jackpot's bank account is short of what it owes.", labels=["jackpot"]
        )
        for jackpot, is_short in seen.short:
            short.add_metric([jackpot], int(is_short))
        yield short
        devices = GaugeMetricFamily(
            "cardroom_devices", "Devices that people have to look at, by what is wrong.", labels=["speech"]
        )
        for speech, many in seen.devices:
            devices.add_metric([speech], many)
        yield devices
        verified = self._house.verification.progress
        if verified.ended:
            since = self._now() - verified.ended / SECOND
            yield GaugeMetricFamily("cardroom_verified_seconds_ago", "Since the last verification here.", since)
            yield GaugeMetricFamily("cardroom_verified_whole", "1 if it found the books whole.", int(verified.whole))
