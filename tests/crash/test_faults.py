"""Full disks, locks, lost connections and wrong clocks in the middle of an evening: a clear sentence, nothing half
done, and when the trouble is over the same command goes through, once."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import psycopg
import pytest
from typer.testing import CliRunner

from cardroom.cli.app import app
from cardroom.cli.shared import ledger_access as office
from cardroom.errors import BadInput
from cardroom.ledger import (
    ClockRanBackwards,
    ConnectionLost,
    Ledger,
    LedgerFull,
    LedgerLocked,
    LedgerUnavailable,
    open_ledger,
    system_clock,
)
from cardroom.ledger.sqlite import SqliteStore
from cardroom.room.user.permissions import Role
from cardroom.service import CardRoom, verify
from tests.crash.commands import carry_out
from tests.crash.crash_run import ROOT, check_ledger, differs
from tests.crash.evening import Evening, Expected, done
from tests.ledger.proxy import wire
from tests.ledger.server import fresh_database
from tests.ledger.test_faults import end_all_others
from tests.service.staff import LOGINS, password_of, two_who_deal

HOUR = 3_600_000_000
PATIENCE = 0.05


class Trouble(ABC):
    """Something that happens to a database now and then."""

    fault: type[LedgerUnavailable]

    @abstractmethod
    def strike(self) -> None: ...

    @abstractmethod
    def heal(self) -> None: ...

    def now(self) -> int:
        return system_clock()

    def close(self) -> None:
        """Let go of what it had; most had nothing."""
        self.is_over = True


class FullDisk(Trouble):
    """A file that cannot grow is for SQLite the same as a disk without room."""

    fault = LedgerFull

    def __init__(self, ledger: Ledger) -> None:
        assert isinstance(ledger.store, SqliteStore)
        self.store = ledger.store

    def strike(self) -> None:
        self._limit("(SELECT page_count FROM pragma_page_count)")

    def heal(self) -> None:
        self._limit(str(1 << 30))

    def _limit(self, pages: str) -> None:
        assert self.store._writer is not None
        (most,) = self.store._writer.execute(f"SELECT {pages}").fetchone()
        self.store._writer.execute(f"PRAGMA max_page_count = {most}")


class LockedFile(Trouble):
    fault = LedgerLocked

    def __init__(self, ledger: Ledger) -> None:
        self.other = sqlite3.connect(ledger.store.address, isolation_level=None)

    def strike(self) -> None:
        self.other.execute("BEGIN IMMEDIATE")

    def heal(self) -> None:
        self.other.execute("ROLLBACK")

    def close(self) -> None:
        self.other.close()


class LockedChains(Trouble):
    fault = LedgerLocked

    def __init__(self, url: str) -> None:
        self.other = psycopg.connect(url)

    def strike(self) -> None:
        self.other.execute("SELECT chain FROM heads FOR UPDATE")

    def heal(self) -> None:
        self.other.rollback()

    def close(self) -> None:
        self.other.close()


class LostConnection(Trouble):
    """The connection breaks, and at once a new one can be had: the ledger goes on by itself."""

    fault = ConnectionLost

    def __init__(self, url: str) -> None:
        self.other = psycopg.connect(url, autocommit=True)

    def strike(self) -> None:
        end_all_others(self.other)

    def heal(self) -> None:
        """Nothing is left to be done."""

    def close(self) -> None:
        self.other.close()


class WrongClock(Trouble):
    """The clock is an hour slow."""

    fault = ClockRanBackwards

    def __init__(self) -> None:
        self.slow = 0

    def strike(self) -> None:
        self.slow = HOUR

    def heal(self) -> None:
        self.slow = 0

    def now(self) -> int:
        return system_clock() - self.slow


def endure(card_room: CardRoom, expected: list[Expected], trouble: Trouble, random: Random) -> int:
    """Carry out an evening; what a fault kept from being stored is sent again when it is over. How many there were."""
    faults = 0
    for number, one in enumerate(expected):
        strikes = number > 0 and random.random() < 0.25
        if strikes:
            trouble.strike()
        try:
            answer = sent(card_room, one)
        except trouble.fault:
            faults += 1
            trouble.heal()
            answer = sent(card_room, one)
        else:
            if strikes:
                trouble.heal()
        if one.answer is None:
            assert answer is None, one.command
        else:
            assert differs(one.answer, answer) is None, one.command
    return faults


def sent(card_room: CardRoom, one: Expected) -> object:
    try:
        return carry_out(card_room, one.command)
    except BadInput:
        return None


def evening_with(url: str, seed: int, made: Callable[[Ledger], Trouble], *, at_least: int) -> None:
    """An evening with some trouble, which has to show itself so many times."""
    evening = Evening(seed)
    expected = evening.commands(80)
    troubles: list[Trouble] = []
    with open_ledger(url, lambda: troubles[0].now(), lock_timeout=PATIENCE) as ledger:
        troubles.append(made(ledger))
        with closing(troubles[0]) as trouble:
            faults = endure(CardRoom(ledger), expected, trouble, Random(f"faults {seed}"))
    assert faults >= at_least
    check_ledger(url, evening.model, list(done(expected)))


@pytest.fixture
def file(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/ledger.db"


@pytest.fixture
def ledger_on_a_server(server: str) -> Iterator[str]:
    with fresh_database(server, "faults") as url:
        yield url


def test_an_evening_on_a_disk_that_is_full_now_and_then(file: str, seed: int) -> None:
    evening_with(file, seed, FullDisk, at_least=1)


def test_an_evening_with_another_program_that_keeps_the_file_locked_now_and_then(file: str, seed: int) -> None:
    evening_with(file, seed, LockedFile, at_least=10)


def test_an_evening_with_another_program_that_keeps_the_chains_locked_now_and_then(
    ledger_on_a_server: str, seed: int
) -> None:
    evening_with(ledger_on_a_server, seed, lambda _: LockedChains(ledger_on_a_server), at_least=8)


def test_an_evening_whose_connection_breaks_now_and_then_goes_on_by_itself(ledger_on_a_server: str, seed: int) -> None:
    evening_with(ledger_on_a_server, seed, lambda _: LostConnection(ledger_on_a_server), at_least=0)


@pytest.mark.parametrize("kind", ["file", "ledger_on_a_server"])
def test_an_evening_with_a_clock_that_is_wrong_now_and_then(
    request: pytest.FixtureRequest, kind: str, seed: int
) -> None:
    evening_with(request.getfixturevalue(kind), seed, lambda _: WrongClock(), at_least=8)


# The same through the command line.

DEALER = LOGINS[Role.DEALER]


def tabulate(url: str, *more: str) -> tuple[int, str]:
    """Press the button at a table; the exit code, and all that is said."""
    asked = ["tabulator", "press", "prime-1", "--positions", "1,2", "--by", DEALER, "--id", "press", *more]
    variables = {"CARDROOM_PASSWORD": password_of(DEALER), "CARDROOM_SESSION": None}
    result = CliRunner().invoke(app, [*asked, "--database", url], env=variables)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def opened(url: str, clock: Callable[[], int] = system_clock) -> int:
    """A room that has just opened; what its jackpot has counted."""
    with open_ledger(url, clock) as ledger:
        for one in Evening(0).opening():
            carry_out(CardRoom(ledger), one.command)
        card_room = CardRoom(ledger, clock)
        two_who_deal(card_room)
        return card_room.jackpot("final-four").counted


def is_refused_and_then_done_once(url: str, sentence: str, heal: Callable[[], object]) -> None:
    code, outcome = tabulate(url)
    assert code == 2, outcome
    assert sentence in outcome
    assert "--id press" in outcome
    assert "Traceback" not in outcome
    heal()
    assert counted(url) == 0
    assert tabulate(url)[0] == tabulate(url)[0] == 0
    assert counted(url) == 2
    assert verify(url).is_consistent


def counted(url: str) -> int:
    with open_ledger(url) as ledger:
        return CardRoom(ledger).jackpot("final-four").counted


def test_a_locked_file_is_shown_at_the_command_line(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert opened(file) == 0
    monkeypatch.setattr(office, "LOCK_TIMEOUT", PATIENCE)
    other = sqlite3.connect(file.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    is_refused_and_then_done_once(file, "nothing was stored", other.close)


def test_a_server_that_is_away_is_shown_at_the_command_line(ledger_on_a_server: str) -> None:
    opened(ledger_on_a_server)
    # Addresses of sockets are short.
    with tempfile.TemporaryDirectory(prefix="wire-") as folder, wire(Path(folder) / "w", ledger_on_a_server) as line:
        cut, url = line
        cut.close()
        is_refused_and_then_done_once(url, "is unreachable", cut.open)


def test_a_clock_that_runs_backwards_is_shown_at_the_command_line(file: str) -> None:
    opened(file, lambda: system_clock() + HOUR)
    code, payload = tabulate(file)
    assert code == 2
    assert "set the clock. Until then nothing is stored." in payload
    assert counted(file) == 0
    assert verify(file).is_consistent


SMALL_DISK = """
set -e
mount -t tmpfs -o size=600k none "$1"
cp "$2" "$1/ledger.db"
dd if=/dev/zero of="$1/filler" bs=1k 2>/dev/null || true
"$3" -c 'from cardroom.cli.app import main; main()' tabulator press prime-1 --positions 1,2 --by dora --id press \
    --database "sqlite:///$1/ledger.db" && exit 50
rm "$1/filler"
"$3" -c 'from cardroom.cli.app import main; main()' tabulator press prime-1 --positions 1,2 --by dora --id press \
    --database "sqlite:///$1/ledger.db"
"$3" -c 'from cardroom.cli.app import main; main()' verify --database "sqlite:///$1/ledger.db"
cp "$1/ledger.db" "$2"
"""


@pytest.mark.long
def test_a_disk_without_room_is_shown_at_the_command_line(file: str, tmp_path: Path) -> None:
    """On a real disk of half a megabyte, which Linux lets everybody have in a namespace of their own."""
    opened(file)
    disk = tmp_path / "disk"
    disk.mkdir()
    payload = ["sh", "-c", SMALL_DISK, "sh", str(disk), file.removeprefix("sqlite:///"), sys.executable]
    asked = ["unshare", "--user", "--map-root-user", "--mount", *payload]
    environment = {**os.environ, "CARDROOM_PASSWORD": password_of(DEALER)}
    result = subprocess.run(asked, capture_output=True, text=True, cwd=ROOT, check=False, env=environment)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "There is no room left on the disk" in result.stderr
    assert "Verified: " in result.stdout
    assert counted(file) == 2
