"""The same blocks on a Dask cluster: the same tally, only sooner.

A block is a pure function of the table, the seed and its number. When a machine is lost, its blocks are played again
elsewhere and come out the same.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, Final

from cardroom.extras import require_packages
from cardroom.odds.simulation.deals import Counts
from cardroom.odds.simulation.runner import NO_MONITOR, BadSimulation, PreparedTable, ProgressMonitor, run_blocks
from cardroom.odds.simulation.tally import SimulationTally

TIMEOUT_SECONDS: Final = 8
"""How many seconds a cluster may take to answer."""
RETRIES: Final = 10
"""How often a block that failed on one machine is played again."""
PENDING_PER_THREAD: Final = 4
"""Blocks that wait at a time, for each thread of the cluster."""


def simulate_on_cluster(
    address: str,
    prepared: PreparedTable,
    rounds: int,
    seed: int,
    monitor: ProgressMonitor = NO_MONITOR,
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> SimulationTally:
    """Play this many rounds on the cluster whose scheduler is at ``address``, such as tcp://10.0.0.1:8786."""
    with _connect(address, timeout_seconds) as (client, threads):
        # The table goes over as the result of a task, so that it is there again when a machine that held it is lost.
        table = client.submit(_identity, prepared, pure=False)
        with client.get_executor(pure=False, retries=RETRIES) as pool:

            def submit(block: int, size: int) -> Future[Counts]:
                future: Future[Counts] = pool.submit(_run_block, table, seed, block, size)
                return future

            return run_blocks(submit, prepared, rounds, seed, PENDING_PER_THREAD * threads, monitor)


@contextmanager
def cluster_executor(address: str, timeout_seconds: float = TIMEOUT_SECONDS) -> Iterator[tuple[Executor, int]]:
    """The cluster at an address, as threads of this machine would be, and how many threads it has."""
    with (
        _connect(address, timeout_seconds) as (client, threads),
        client.get_executor(pure=False, retries=RETRIES) as pool,
    ):
        yield pool, threads


@contextmanager
def _connect(address: str, timeout_seconds: float) -> Iterator[tuple[Any, int]]:
    require_packages("cluster", "Clusters", "dask", "distributed")
    refuse_unreachable(address, timeout_seconds)
    from distributed import Client  # here, because it takes a second that nobody else should wait

    connect: Any = Client
    try:
        client = connect(address, timeout=timeout_seconds, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as fault:
        raise _no_cluster(address, fault) from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise BadSimulation(f"The cluster at {address} has no workers: start some with 'dask worker {address}'.")
        yield client, threads


def refuse_unreachable(address: str, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
    """Say at once that nobody answers at ``address``, before anything long is prepared."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout_seconds).close()
    except (OSError, ValueError, OverflowError) as fault:
        raise _no_cluster(address, fault) from None


def _no_cluster(address: str, fault: Exception) -> BadSimulation:
    return BadSimulation(
        f"There is no cluster at {address} ({type(fault).__name__}): start one with 'dask scheduler' and give the "
        "address that it prints, such as tcp://10.0.0.1:8786."
    )


def _identity(prepared: PreparedTable) -> PreparedTable:
    return prepared


def _run_block(prepared: PreparedTable, seed: int, block: int, rounds: int) -> Counts:
    return prepared.run_block(seed, block, rounds)
