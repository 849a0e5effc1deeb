"""The server is killed while guests play, and afterwards every chip is where the model says."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cardroom.cli.app import app
from tests.crash.live.moments import Moment
from tests.crash.live.night import VERIFIED_AT_FIRST, Night
from tests.crash.live.server_runs import ProcessPool, verified
from tests.examples import examples

NOTED = 3_000
"""Characters of a log that are shown when something fails."""


@pytest.fixture(scope="module")
def servers() -> Iterator[ProcessPool]:
    pool = ProcessPool()
    yield pool
    pool.close()


def spend(night: Night, deaths: int, *, real: int = 0, lost: int = 0) -> None:
    """Live through a night; a failure tells what was acknowledged last, and what the house has noted."""
    try:
        asyncio.run(night.live(deaths, real=real, lost=lost))
    finally:
        print(night.report())
        print("What was acknowledged last:", night.group.log.last, sep="\n")
        print("What the house has noted last:", night.noted[-NOTED:], sep="\n")


def test_a_night_in_which_the_house_dies_again_and_again_loses_nothing_and_does_nothing_twice(
    servers: ProcessPool, url: str, tmp_path: Path, seed: int
) -> None:
    deaths = examples(15 if url.startswith("sqlite") else 10)
    night = Night(servers, url, tmp_path, seed, longest=1.5)
    spend(night, deaths, lost=deaths // 2)
    said = CliRunner().invoke(app, ["verify", "--database", url])
    assert said.exit_code == 0, said.output
    assert night.met["verified"] >= min(night.deaths["all"], VERIFIED_AT_FIRST) >= deaths
    assert night.met["compared"] >= deaths / 2


@pytest.mark.long
def test_hundreds_of_deaths_meet_every_moment_and_every_chip_is_where_the_model_says(
    servers: ProcessPool, url: str, tmp_path: Path, seed: int
) -> None:
    night = Night(servers, url, tmp_path, seed)
    spend(night, 320, real=12)
    assert "Verified: " in verified(url)
    assert (night.deaths["all"], night.deaths["of the real program"]) == (320, 12)
    for moment in Moment:
        assert night.deaths[moment] >= 5, moment
    for what in ("stored, and never answered", "never stored", "payments sent again"):
        assert night.met[what] + night.office.met[what] >= 10, what
    for what in ("first answer again", "other content", "sent twice at once", "out of turn"):
        assert night.group.log.met[what] >= 100, what
    for what in ("rounds after a death", "views after a death"):
        assert night.group.memory.met[what] >= 50, what
    for table, at in night.room.tables.items():
        assert at.met["rounds"] >= 100, table
    for what in ("clock begins", "clock answers"):
        assert sum(at.met[what] for at in night.room.tables.values()) >= 20, what
