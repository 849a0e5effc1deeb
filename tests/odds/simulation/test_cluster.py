"""A real Dask cluster on this machine: a scheduler and two workers, one of which is killed."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client

from cardroom.errors import BadInput
from cardroom.odds.simulation.cluster import refuse_unreachable, simulate_on_cluster
from cardroom.odds.simulation.runner import BLOCK_ROUNDS, PreparedTable, ProgressMonitor, simulate
from cardroom.odds.texas_shootout.tablebase.board_totals import pieces
from cardroom.odds.texas_shootout.tablebase.builder import PieceStore, count_deals
from cardroom.odds.texas_shootout.tablebase.shoe import TablebaseShoe, board_classes
from tests.deadline import LIMIT, wait_until
from tests.odds.simulation.at_the_table import open_table, prepared


class Cluster:
    """Processes that always end with the test."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        self._wait_for(file)
        self.address: str = json.loads(file.read_text())["address"]

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        log = (self._folder / f"{arguments[0]}-{len(self._running)}.log").open("wb")
        with log:
            process = subprocess.Popen([sys.executable, "-m", "dask", *arguments], stdout=log, stderr=subprocess.STDOUT)
        self._running.append(process)
        return process

    @staticmethod
    def _wait_for(file: Path) -> None:
        wait_until(lambda: file.exists() and file.stat().st_size, "the scheduler")

    def worker(self, name: str) -> subprocess.Popen[bytes]:
        options = ("--nthreads", "1", "--nworkers", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        return self._start("worker", self.address, *options, "--name", name, "--local-directory", str(self._folder))

    def wait_for_workers(self, number: int) -> None:
        with Client(self.address, timeout=LIMIT, set_as_default=False) as client:
            client.wait_for_workers(number, timeout=LIMIT)

    def end(self) -> None:
        for process in reversed(self._running):
            process.terminate()
        for process in reversed(self._running):
            try:
                process.wait(2)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture(scope="module")
def ready() -> PreparedTable:
    return prepared(open_table("dueling-for-dollars"))


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    started = Cluster(tmp_path)
    try:
        yield started
    finally:
        started.end()


def test_a_cluster_that_loses_a_worker_gives_the_same_tally(cluster: Cluster, ready: PreparedTable) -> None:
    workers = [cluster.worker("first"), cluster.worker("second")]
    cluster.wait_for_workers(2)
    rounds = 40 * BLOCK_ROUNDS + 777
    killed: list[int] = []

    def kill_one(done: int, asked: int) -> None:
        if done >= 4 * BLOCK_ROUNDS and not killed:
            workers[0].send_signal(signal.SIGKILL)
            killed.append(done)

    tally = simulate_on_cluster(cluster.address, ready, rounds, seed=17, monitor=ProgressMonitor(kill_one))
    assert killed
    assert killed[0] < rounds
    assert workers[0].wait(LIMIT) == -signal.SIGKILL
    local = simulate(ready, rounds, seed=17)
    assert tally.rounds == local.rounds == rounds
    assert (tally.counts == local.counts).all()


def test_a_cluster_without_workers_is_an_error(cluster: Cluster, ready: PreparedTable) -> None:
    with pytest.raises(BadInput, match="dask worker"):
        simulate_on_cluster(cluster.address, ready, 100, seed=1)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense", "ftp://127.0.0.1:99"])
def test_an_address_without_a_cluster_is_an_error(address: str, ready: PreparedTable) -> None:
    with pytest.raises(BadInput, match=address):
        simulate_on_cluster(address, ready, 100, seed=1, timeout_seconds=1)
    with pytest.raises(BadInput, match=address):
        refuse_unreachable(address, timeout_seconds=1)


def test_a_cluster_gives_the_same_counts_of_a_small_shoe(cluster: Cluster, tmp_path: Path) -> None:
    shoe = TablebaseShoe((0, 1, 12), 2)
    cluster.worker("first")
    cluster.wait_for_workers(1)
    counts: list[int] = []
    watch = ProgressMonitor(lambda done, _: counts.append(done))
    base = count_deals(shoe, cluster=cluster.address, store=PieceStore(tmp_path / "there"), watch=watch, size=40)
    assert base == count_deals(shoe, store=PieceStore(tmp_path / "here"))
    assert max(counts) == len(board_classes(shoe).combinations)
    assert len(list((tmp_path / "there").iterdir())) == len(pieces(shoe, 40))
