"""Ten thousand times the program is killed, over live tables and jackpots, on both databases.

Each night is a piece of a hundred kills. With ``CARDROOM_CRASH_SEED`` and a folder in ``CARDROOM_CRASH_REPORT`` the
pieces are kept, and a run that was interrupted goes on with those that are missing; ``-k sqlite-tables-night07`` runs
one of them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.crash_run import run_evening_with_kills
from tests.crash.live.night import Night
from tests.crash.live.server_runs import ProcessPool as Servers
from tests.crash.tables.crash_run import run_tables_with_kills
from tests.crash.tally import (
    ACKNOWLEDGED,
    AGAIN,
    CHOSEN,
    COMMITTING,
    FOUND_OUT,
    KILLS,
    RANDOM,
    STORED,
    VERIFIED,
    WRITING,
)
from tests.crash.ten_thousand import (
    A_NIGHT,
    ALL,
    DATABASES,
    Piece,
    added,
    folder_of_reports,
    kept,
    pieces,
    report,
)
from tests.ledger.server import fresh_database

COMMANDS = 6 * A_NIGHT
"""Of a night: more than die."""
WITHIN = 4
"""A death comes in one of so many commands."""
LONGEST = 0.4
"""Seconds that a house lives whose moment does not come."""


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of_reports(tmp_path_factory.getbasetemp() / "kills")


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    pool = Servers()
    yield pool
    pool.close()


@pytest.fixture
def address(piece: Piece, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty ledger."""
    if piece.database == "sqlite":
        yield f"sqlite:///{tmp_path}/ledger.db"
        return
    name = piece.name.replace("-", "_")
    with fresh_database(request.getfixturevalue("server"), name, "template0") as address:
        yield address


def spend(servers: Servers, address: str, folder: Path, seed: int) -> Counter[str]:
    """A night in a server, with guests who call over the network."""
    night = Night(servers, address, folder, seed, longest=LONGEST, soon=True)
    try:
        asyncio.run(night.live_until(A_NIGHT))
    finally:
        print(
            night.report(),
            "What was acknowledged last:",
            night.group.log.last,
            night.noted[-3_000:],
            sep="\n",
        )
    sent = night.group.log.met
    night.tally[ACKNOWLEDGED] += sum(sent[do] for do in ("came in", "sit", "lay", "answer", "leave"))
    night.tally[AGAIN] += sent["first answer again"]
    night.tally[FOUND_OUT] += night.met["stored, and never answered"]
    night.tally[VERIFIED] += night.met["verified"]
    return night.tally


@pytest.mark.long
@pytest.mark.parametrize("piece", list(pieces(0)), ids=lambda piece: piece.name)
def test_a_night_with_a_hundred_kills_loses_nothing_and_does_nothing_twice(
    request: pytest.FixtureRequest, address: str, tmp_path: Path, seed: int, reports: Path, piece: Piece
) -> None:
    piece = piece._replace(seed=seed)
    if piece.kept(reports) is not None:
        pytest.skip("It was run before, and is kept.")
    pool = request.getfixturevalue("houses" if piece.kind == "houses" else "nursery")
    with kept(piece, reports) as tally:
        match piece.kind:
            case "jackpots":
                tally += run_evening_with_kills(pool, address, tmp_path, piece.own_seed, COMMANDS, A_NIGHT, WITHIN)
            case "tables":
                tally += run_tables_with_kills(pool, address, tmp_path, piece.own_seed, COMMANDS, A_NIGHT, WITHIN)
            case _:
                tally += spend(pool, address, tmp_path, piece.own_seed)
        assert tally[KILLS] == A_NIGHT
        assert tally[WRITING] >= A_NIGHT / 10


def test_the_nights_are_ten_thousand_kills_and_each_has_a_seed_of_its_own() -> None:
    nights = [*pieces(1), *pieces(2)]
    assert len(nights) * A_NIGHT == 2 * ALL == 20_000
    assert len({night.own_seed for night in nights}) == len({night.file(Path()) for night in nights}) == len(nights)
    assert {night.database for night in nights[:6]} == set(DATABASES)


def test_a_night_that_fails_is_shown_and_run_again_and_then_counts(tmp_path: Path) -> None:
    night, *_ = pieces(7)

    def fails() -> None:
        with kept(night, tmp_path) as tally:
            tally[KILLS] += 3
            raise AssertionError("a cent is missing")

    with pytest.raises(AssertionError):
        fails()
    assert night.kept(tmp_path) is None
    assert f"{night.name}: AssertionError: a cent is missing" in report(tmp_path, 7)
    assert added(tmp_path, pieces(7)).tally[KILLS] == 0
    with kept(night, tmp_path) as tally:
        tally[KILLS] += A_NIGHT
    result = report(tmp_path, 7)
    assert "100 of 10,000" in result
    assert "sqlite: jackpots 100, tables 0, houses 0" in result
    assert "Found: nothing" in result


@pytest.mark.long
def test_ten_thousand_kills_met_every_moment(reports: Path, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    result = report(reports, seed)
    (reports / f"{seed}.txt").write_text(result)
    with capsys.disabled():
        print(f"\n{result}")
    everything = list(pieces(seed))
    assert added(reports, everything).tally[KILLS] == ALL
    for database in DATABASES:
        tally = added(reports, [piece for piece in everything if piece.database == database]).tally
        assert tally[KILLS] == ALL / 2
        assert tally[CHOSEN] >= 0.5 * tally[KILLS]
        assert tally[RANDOM] >= 0.1 * tally[KILLS]
        assert tally[WRITING] >= 0.2 * tally[KILLS]
        assert tally[COMMITTING] >= 0.05 * tally[KILLS]
        assert tally[STORED] >= 0.03 * tally[KILLS]
        assert tally[FOUND_OUT] >= 10
        assert tally[AGAIN] >= tally[KILLS]
