"""The lab's computations in other processes: their progress, their end without an open page, and their errors."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from cardroom.errors import BadInput
from cardroom.games import default_setup
from cardroom.games.setup import setup_to_json
from cardroom.paytables import BadPaytable, change_pays, load_paytable, paytable
from cardroom.web.services import workers
from cardroom.web.services.jobs import PRICES_CHANGED, PRICES_PROGRESS, Jobs, Lane
from cardroom.web.services.simulations import MAX_ROUNDS, MAX_RUNNING, BadRun, RunState, SimulationRuns
from cardroom.web.services.worker_computations import CustomPaytable, price_paytable
from cardroom.web.services.workers import (
    JobProgress,
    WorkerPool,
    report_progress,
)
from tests.deadline import LIMIT, wait_in_loop
from tests.web.rooms import ServedRoom

DUEL = orjson.dumps(setup_to_json(default_setup("dueling-for-dollars"))).decode()


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 2 * LIMIT))


def count_to(last: int) -> int:
    """A thought that tells how far it is, each time that it could."""
    workers.PROGRESS_SECONDS = 0.0  # type: ignore[misc]  # in this process, which is the worker's
    for number in range(last):
        report_progress("counting", number / last)
    return last


def refuse() -> None:
    raise BadInput("That cannot be computed.")


def test_a_worker_reports_its_progress() -> None:
    async def ask() -> None:
        pool, heard = WorkerPool(1, max_waiting=1, timeout=LIMIT, nice=0), list[JobProgress]()
        assert await pool.run(count_to, 3, on_progress=heard.append) == 3
        assert [progress.fraction for progress in heard] == pytest.approx([0, 1 / 3, 2 / 3])
        await pool.end()

    run(ask())


def test_a_computation_starts_once_reports_progress_and_is_cached() -> None:
    async def ask() -> None:
        changes: list[str] = []
        room = Jobs(lambda chains: changes.extend(chains))
        assert room.get(count_to, 2) is None  # the house is not open: nothing is begun
        room.open()
        found = await wait_in_loop(lambda: room.get(count_to, 2))
        refused = await wait_in_loop(lambda: room.get(refuse))
        assert found is not None
        assert refused is not None
        assert found.value == 2
        assert refused.refusal == "That cannot be computed."
        assert changes.count(PRICES_CHANGED) == 2
        assert PRICES_PROGRESS in changes
        assert room.progress(count_to, 2) is None
        await room.end()

    run(ask())


def count_runs(file: str) -> int:
    """The number of times that this was computed."""
    with open(file, "a+b") as opened:
        opened.write(b".")
        return opened.tell()


def test_identical_requests_share_one_computation_and_its_result(tmp_path: Path) -> None:
    async def ask() -> None:
        jobs, file = Jobs(lambda _: None), str(tmp_path / "runs")
        asked = [asyncio.ensure_future(jobs.compute(Lane.PAGE, count_runs, file)) for _ in range(3)]
        await wait_in_loop(lambda: jobs._tasks)
        asked[0].cancel()
        assert await asyncio.gather(*asked[1:]) == [1, 1]
        assert await jobs.compute(Lane.PAGE, count_runs, file) == 1
        with pytest.raises(BadInput, match="That cannot be computed"):
            await jobs.compute(Lane.PAGE, refuse)
        await jobs.end()

    run(ask())


def test_a_simulation_without_an_open_page_stops_and_its_rounds_count() -> None:
    async def ask() -> None:
        jobs = Jobs(lambda _: None)
        simulations = SimulationRuns(lambda _: None, lambda _: False, jobs, unwatched=0.0)
        simulation = simulations.start("dueling-for-dollars", DUEL, "best", MAX_ROUNDS, 1)
        await wait_in_loop(lambda: simulation.is_over)
        assert (simulation.state, simulation.stop_reason) == (
            RunState.STOPPED,
            "It was stopped because no page was open.",
        )
        assert 0 < simulation.done < MAX_ROUNDS
        assert simulation.tally.wagers[0].rounds == simulation.done
        simulations.end()
        await jobs.end()

    run(ask())


def test_only_so_many_simulations_run_at_once() -> None:
    async def ask() -> None:
        jobs = Jobs(lambda _: None)
        simulations = SimulationRuns(lambda _: None, lambda _: True, jobs)
        for seed in range(MAX_RUNNING):
            simulations.start("dueling-for-dollars", DUEL, "best", MAX_ROUNDS, seed)
        with pytest.raises(BadRun, match="which is the limit"):
            simulations.start("dueling-for-dollars", DUEL, "best", 1, 9)
        simulations.end()
        await jobs.end()

    run(ask())


@pytest.mark.parametrize(
    ("custom", "sentence"),
    [
        (CustomPaytable("three-card-prime", "prime", "PRW-2"), "leaves these amounts to the operator"),
        (CustomPaytable("three-card-prime", "prime", "PRW-1", (("trips", "5"),)), 'has no line "trips"'),
        (
            CustomPaytable("three-card-prime", "prime", "PRW-1", (), (("decks", "6"),)),
            "This wager has no option",
        ),
        (
            CustomPaytable("dueling-for-dollars", "duel", "", (), (("decks", "7"),)),
            "Possible values: decks: 6, 5, 8",
        ),
        (
            CustomPaytable("dueling-for-dollars", "tie-plus", "PT-FLT-DFD-TP-02", (), (("decks", "5"),)),
            "Choose another number of decks",
        ),
    ],
    ids=["operator's amounts", "unknown line", "unused setting", "unknown number of decks", "other number of decks"],
)
def test_what_cannot_be_priced_is_refused(custom: CustomPaytable, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        price_paytable(custom)


def test_a_pay_that_a_ruling_sets_cannot_be_changed() -> None:
    with pytest.raises(BadPaytable, match="TP-2"):
        change_pays(paytable("three-card-prime", "ante-play", "PW/BB 2"), {"bad-beat-flush-and-lower": "2"})


def test_a_changed_table_pays_as_the_same_table_in_a_file() -> None:
    typed = {line.trigger: "7" for line in paytable("deuces-wild", "three-card-treasure", "B").lines[:1]}
    base = paytable("deuces-wild", "three-card-treasure", "B")
    lines = "\n".join(f'{line.trigger} = "{typed.get(line.trigger, line.cell)}"' for line in base.lines)
    of_a_file = load_paytable(
        f'game = "deuces-wild"\nwager = "three-card-treasure"\nname = "x"\nbasis = "{base.basis}"\n[lines]\n{lines}\n'
    )
    assert [line.pay for line in change_pays(base, typed).lines] == [line.pay for line in of_a_file.lines]


def test_forms_of_other_sites_begin_and_stop_nothing(room: ServedRoom) -> None:
    for address in ("/lab/dueling-for-dollars/simulation", "/lab/dueling-for-dollars/simulation/1/stop"):
        answer = httpx.post(f"{room.url}{address}", data={"rounds": "10", "seed": "1"}, headers={"Origin": "http://x"})
        assert answer.status_code == 403


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("/lab/old-maid", "There is no game &#39;old-maid&#39;"),
        ("/lab/three-card-prime/wagers/insurance", "Three Card Prime has no wager &#39;insurance&#39;"),
        ("/lab/three-card-prime/hand?wager=final-four", "Three Card Prime has no wager"),
        ("/lab/three-card-prime/par.doc", "A PAR sheet is a .pdf or a .html, not a .doc."),
        ("/lab/three-card-prime/par.pdf?table=t", "of Three Card Prime. Leave it out for the usual setup."),
    ],
)
def test_an_unknown_address_says_what_exists(room: ServedRoom, address: str, sentence: str) -> None:
    answer = httpx.get(f"{room.url}{address}")
    assert (answer.status_code, sentence in answer.text) == (404, True)
