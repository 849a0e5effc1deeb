"""What a user changes with the file or the server in hand."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cardroom.ledger import BadLedger, Ledger, LedgerDamaged, backup_ledger, open_ledger, restore_ledger, verify_chains
from cardroom.ledger.schema import events
from tests.ledger.play_commands import JACKPOT, fill
from tests.ledger.server import fresh_database
from tests.ledger.tampering import Attacker, TamperingContract


class FileAttacker(Attacker):
    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)

    def execute(self, sql: str, *values: Any) -> list[Any]:
        with self._without_triggers():
            try:
                return self.connection.execute(sql, values).fetchall()
            except sqlite3.IntegrityError as fault:
                raise Attacker.Clash from fault

    @contextmanager
    def _without_triggers(self) -> Iterator[None]:
        """A user careful puts the triggers back."""
        triggers = self.connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            self.connection.execute(f"DROP TRIGGER {name}")
        try:
            yield
        finally:
            for _, text in triggers:
                self.connection.execute(text)


class ServerAttacker(Attacker):
    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        connection.execute("SET session_replication_role = replica")

    def execute(self, sql: str, *values: Any) -> list[Any]:
        try:
            cursor = self.connection.execute(sql.replace("?", "%s"), values)
        except psycopg.IntegrityError as fault:
            raise Attacker.Clash from fault
        return cursor.fetchall() if cursor.description else []


class TestSqlite(TamperingContract):
    @pytest.fixture(scope="class")
    @classmethod
    def path(cls, tmp_path_factory: pytest.TempPathFactory) -> Path:
        return tmp_path_factory.mktemp("tampering") / "ledger.db"

    @pytest.fixture(scope="class")
    @classmethod
    def url(cls, path: Path) -> str:
        return f"sqlite:///{path}"

    @pytest.fixture(scope="class")
    @classmethod
    def attacker(cls, ledger: Ledger, path: Path) -> Iterator[Attacker]:
        assert ledger.chains()
        attacker = FileAttacker(path)
        yield attacker
        attacker.connection.close()

    def test_text_that_is_no_text_any_more_is_named(self, ledger: Ledger, attacker: Attacker) -> None:
        row = attacker.row(events, chain=JACKPOT, sequence=3)
        where = "WHERE chain = ? AND sequence = 3"
        attacker.execute(f"UPDATE events SET payload = CAST(x'7bff7d' AS TEXT) {where}", JACKPOT)
        finding = verify_chains(ledger).finding
        attacker.execute(f"UPDATE events SET payload = ? {where}", row["payload"], JACKPOT)
        assert finding is not None
        assert (finding.table, finding.field, finding.chain, finding.sequence) == ("events", "payload", JACKPOT, 3)


class TestPostgresql(TamperingContract):
    @pytest.fixture(scope="class")
    @classmethod
    def url(cls, server: str) -> Iterator[str]:
        with fresh_database(server, "tampering") as url:
            yield url

    @pytest.fixture(scope="class")
    @classmethod
    def attacker(cls, url: str) -> Iterator[Attacker]:
        with psycopg.connect(url, autocommit=True) as connection:
            yield ServerAttacker(connection)


def test_no_byte_of_a_file_can_be_changed_unnoticed(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with open_ledger(f"sqlite:///{path}") as ledger:
        fill(ledger, rounds=2)
        backup_ledger(ledger, tmp_path / "whole.db")
        rows = list(ledger.events())
    whole = (tmp_path / "whole.db").read_bytes()
    for event in rows:
        for value in (event.hash, event.previous if event.sequence > 1 else event.hash, event.id.encode()):
            at = whole.index(value)
            (tmp_path / "changed.db").write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            with pytest.raises(LedgerDamaged):
                restore_ledger(tmp_path / "changed.db", f"sqlite:///{tmp_path}/target.db")


@pytest.mark.parametrize("seed", range(3))
def test_a_backup_with_a_damaged_page_is_never_restored(tmp_path: Path, seed: int) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/ledger.db") as ledger:
        fill(ledger)
        backup_ledger(ledger, tmp_path / "whole.db")
    damaged = bytearray((tmp_path / "whole.db").read_bytes())
    pages = len(damaged) // 4096
    for page in range(1, pages):
        broken = bytes(damaged[: page * 4096]) + bytes([seed * 85] * 4096) + bytes(damaged[(page + 1) * 4096 :])
        (tmp_path / "broken.db").write_bytes(broken)
        target = tmp_path / f"target-{page}.db"
        try:
            report = restore_ledger(tmp_path / "broken.db", f"sqlite:///{target}")
        except (LedgerDamaged, BadLedger):
            with open_ledger(f"sqlite:///{target}") as left:
                assert list(left.events()) == []
        else:
            # The page held nothing that a ledger needs.
            assert report.events == 21
