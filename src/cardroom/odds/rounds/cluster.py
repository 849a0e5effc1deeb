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

from cardroom.extras import need
from cardroom.odds.rounds.simulation import BadSimulation, Counts, Prepared, Tally, run_blocks
from cardroom.odds.rounds.watch import UNWATCHED, Watch

PATIENCE: Final = 8
"""How many seconds a cluster may take to answer."""
TRIES: Final = 10
"""How often a block that failed on one machine is played again."""
IN_FLIGHT: Final = 4
"""Blocks that wait at a time, for each thread of the cluster."""


def simulate_on(
    address: str, prepared: Prepared, rounds: int, seed: int, watch: Watch = UNWATCHED, patience: float = PATIENCE
) -> Tally:
    """Play this many rounds on the cluster whose scheduler is at ``address``, such as tcp://10.0.0.1:8786."""
    with _client_at(address, patience) as (client, threads):
        # The table goes over as the result of a task, so that it is there again when a machine that held it is lost.
        table = client.submit(_same, prepared, pure=False)
        with client.get_executor(pure=False, retries=TRIES) as pool:

            def submit(block: int, size: int) -> Future[Counts]:
                played: Future[Counts] = pool.submit(_run_block, table, seed, block, size)
                return played

            return run_blocks(submit, prepared, rounds, seed, IN_FLIGHT * threads, watch)


@contextmanager
def workers_at(address: str, patience: float = PATIENCE) -> Iterator[tuple[Executor, int]]:
    """The cluster at an address, as threads of this machine would be, and how many threads it has."""
    with _client_at(address, patience) as (client, threads), client.get_executor(pure=False, retries=TRIES) as pool:
        yield pool, threads


@contextmanager
def _client_at(address: str, patience: float) -> Iterator[tuple[Any, int]]:
    need("cluster", "Clusters", "dask", "distributed")
    refuse_unreachable(address, patience)
    from distributed import Client  # here, because it takes a second that nobody else should wait

    connect: Any = Client
    try:
        client = connect(address, timeout=patience, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as fault:
        raise _no_cluster(address, fault) from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise BadSimulation(f"The cluster at {address} has no workers: start some with 'dask worker {address}'.")
        yield client, threads


def refuse_unreachable(address: str, patience: float = PATIENCE) -> None:
    """Say at once that nobody answers at ``address``, before anything long is prepared."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), patience).close()
    except (OSError, ValueError, OverflowError) as fault:
        raise _no_cluster(address, fault) from None


def _no_cluster(address: str, fault: Exception) -> BadSimulation:
    return BadSimulation(
        f"There is no cluster at {address} ({type(fault).__name__}): start one with 'dask scheduler' and give the "
        "address that it prints, such as tcp://10.0.0.1:8786."
    )


def _same(prepared: Prepared) -> Prepared:
    return prepared


def _run_block(prepared: Prepared, seed: int, block: int, rounds: int) -> Counts:
    return prepared.run_block(seed, block, rounds)
