"""The same blocks on a Dask cluster: the same tally in less time.

A block is a pure function of the table, the seed, and its number. If a machine fails, another one plays its blocks
again with the same results.
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
"""Seconds to wait for a cluster's response."""
RETRIES: Final = 10
"""How often to retry a block that failed on a machine."""
PENDING_PER_THREAD: Final = 4
"""Queued blocks per thread of the cluster."""


def simulate_on_cluster(
    address: str,
    prepared: PreparedTable,
    rounds: int,
    seed: int,
    monitor: ProgressMonitor = NO_MONITOR,
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> SimulationTally:
    """Play this many rounds on the cluster with its scheduler at ``address``, such as tcp://10.0.0.1:8786."""
    with _connect(address, timeout_seconds) as (client, threads):
        # The table is sent as the result of a task, so that the cluster can restore it if a machine fails.
        table = client.submit(_identity, prepared, pure=False)
        with client.get_executor(pure=False, retries=RETRIES) as pool:

            def submit(block: int, size: int) -> Future[Counts]:
                future: Future[Counts] = pool.submit(_run_block, table, seed, block, size)
                return future

            return run_blocks(submit, prepared, rounds, seed, PENDING_PER_THREAD * threads, monitor)


@contextmanager
def cluster_executor(address: str, timeout_seconds: float = TIMEOUT_SECONDS) -> Iterator[tuple[Executor, int]]:
    """The cluster at an address as an executor, and its number of threads."""
    with (
        _connect(address, timeout_seconds) as (client, threads),
        client.get_executor(pure=False, retries=RETRIES) as pool,
    ):
        yield pool, threads


@contextmanager
def _connect(address: str, timeout_seconds: float) -> Iterator[tuple[Any, int]]:
    require_packages("cluster", "Clusters", "dask", "distributed")
    refuse_unreachable(address, timeout_seconds)
    from distributed import Client  # imported here, because the import takes a second

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
    """Raise an error at once if no scheduler responds at ``address``, before any long preparation."""
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
