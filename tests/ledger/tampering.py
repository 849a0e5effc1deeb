"""A user with the database in hand changes what is stored: every change is found, and named."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from cardroom.ledger import Ledger, LedgerDamaged, LedgerReport, iterate_verified_events, open_ledger, verify_chains
from cardroom.ledger.canonical_json import (
    encode_canonical,
    encode_postings,
    encode_unique_keys,
    event_hash,
    head_digest,
)
from cardroom.ledger.schema import (
    TABLES,
    column_names,
    commands,
    entries,
    events,
    heads,
    key_column_names,
    select_sql,
    unique_keys,
)
from tests.examples import examples
from tests.ledger.play_commands import JACKPOT, fill, wager


class Attacker(ABC):
    """Changes rows behind the ledger's back, and puts them back."""

    class Clash(Exception):
        """The database itself does not take the change."""

    @abstractmethod
    def execute(self, sql: str, *values: Any) -> list[Any]:
        """Run it; a question mark stands for a value."""

    def rows(self, table: Any) -> list[dict[str, Any]]:
        found = self.execute(f"{select_sql(table)} ORDER BY {', '.join(key_column_names(table))}")
        return [dict(zip(column_names(table), row, strict=True)) for row in found]

    def row(self, table: Any, **where: Any) -> dict[str, Any]:
        (found,) = [row for row in self.rows(table) if where.items() <= row.items()]
        return found

    def write(self, table: Any, row: dict[str, Any], **changes: Any) -> None:
        sets = ", ".join(f"{column} = ?" for column in changes)
        where = " AND ".join(f"{column} = ?" for column in key_column_names(table))
        self.execute(
            f"UPDATE {table.name} SET {sets} WHERE {where}",
            *changes.values(),
            *(row[column] for column in key_column_names(table)),
        )

    @contextmanager
    def changed(self, table: Any, row: dict[str, Any], **changes: Any) -> Iterator[None]:
        self.write(table, row, **changes)
        try:
            yield
        finally:
            self.write(table, row | changes, **{column: row[column] for column in changes})

    @contextmanager
    def removed(self, table: Any, row: dict[str, Any]) -> Iterator[None]:
        where = " AND ".join(f"{column} = ?" for column in key_column_names(table))
        self.execute(f"DELETE FROM {table.name} WHERE {where}", *(row[column] for column in key_column_names(table)))
        try:
            yield
        finally:
            signs = ", ".join("?" for _ in row)
            self.execute(f"INSERT INTO {table.name} VALUES ({signs})", *row.values())


def another(value: Any) -> Any:
    """A value of the same kind that is not the same."""
    if isinstance(value, int):
        return value + 1
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1]) + value[1:]
    return value.replace("0", "1", 1) if value.startswith("{") else f"{value}x"


INHERITED = (HealthCheck.function_scoped_fixture, HealthCheck.differing_executors)
"""Both back ends run the same test, on a ledger that every example leaves as it was."""

BODY = "kind, time, payload, entries, or unique keys"
COMMAND = "id, body, result, events, or digest"

# The row in the middle of the jackpot's chain, a head, a balance and a command; what is changed, what is found.
CASES = [
    ("events", "chain", "entries", "chain or sequence"),
    ("events", "sequence", "entries", "chain or sequence"),
    ("events", "id", "events", "id"),
    ("events", "kind", "events", BODY),
    ("events", "version", "events", "version"),
    ("events", "time", "events", BODY),
    ("events", "payload", "events", BODY),
    ("events", "seal", "events", "seal"),
    ("events", "previous", "events", "previous"),
    ("events", "hash", "events", "hash"),
    ("entries", "chain", "events", BODY),
    ("entries", "sequence", "events", BODY),
    ("entries", "line", "entries", "line"),
    ("entries", "debit", "events", BODY),
    ("entries", "credit", "events", BODY),
    ("entries", "amount", "events", BODY),
    ("names", "chain", "events", BODY),
    ("names", "name", "events", BODY),
    ("names", "sequence", "events", BODY),
    ("heads", "chain", "heads", "chain"),
    ("heads", "sequence", "heads", "sequence"),
    ("heads", "hash", "heads", "hash"),
    ("heads", "time", "heads", "time"),
    ("heads", "snapshot", "heads", "snapshot or digest"),
    ("heads", "seal", "heads", "snapshot or digest"),
    ("balances", "account", "balances", "credits"),
    ("balances", "debits", "balances", "debits"),
    ("balances", "credits", "balances", "credits"),
    ("commands", "id", "commands", COMMAND),
    ("commands", "body", "commands", COMMAND),
    ("commands", "answer", "commands", COMMAND),
    ("commands", "events", "commands", COMMAND),
    ("commands", "seal", "commands", COMMAND),
]
ROWS: dict[str, dict[str, Any]] = {
    "events": {"chain": JACKPOT, "sequence": 3},
    "entries": {"chain": JACKPOT, "sequence": 3, "line": 2},
    "names": {"chain": JACKPOT, "name": "round-1-at-1"},
    "heads": {"chain": JACKPOT},
    "balances": {"account": "display:milky-way/top"},
    "commands": {"id": "round-1-at-1"},
}


class TamperingContract:
    """The abstract suite; a back end gives the fixtures `url` and `attacker`, one for the class."""

    @pytest.fixture(scope="class")
    @classmethod
    def url(cls) -> str:
        raise NotImplementedError

    @pytest.fixture(scope="class")
    @classmethod
    def attacker(cls) -> Attacker:
        raise NotImplementedError

    @pytest.fixture(scope="class")
    @classmethod
    def ledger(cls, url: str) -> Iterator[Ledger]:
        with open_ledger(url) as ledger:
            fill(ledger)
            yield ledger

    @pytest.fixture(autouse=True)
    def _whole_before_and_after(self, ledger: Ledger) -> Iterator[None]:
        assert verify_chains(ledger).is_intact
        yield
        assert verify_chains(ledger).is_intact

    def test_every_column_has_a_case(self) -> None:
        assert {case[:2] for case in CASES} == {
            (table.name, column) for table in TABLES for column in column_names(table)
        }

    @pytest.mark.parametrize(("table", "column", "found", "field"), CASES)
    def test_a_changed_column_is_named(
        self, ledger: Ledger, attacker: Attacker, table: str, column: str, found: str, field: str
    ) -> None:
        (target,) = [one for one in TABLES if one.name == table]
        row = attacker.row(target, **ROWS[table])
        # Where there is none yet; the database itself refuses two in one place.
        value = 77 if column in {"line", "sequence"} else another(row[column])
        with attacker.changed(target, row, **{column: value}):
            finding = verify_chains(ledger).finding
            assert finding is not None
            with pytest.raises(LedgerDamaged, match=finding.sentence.split("(")[0]):
                list(iterate_verified_events(ledger))
        assert (finding.table, finding.field) == (found, field), finding.sentence
        if found in {"events", "entries"} and column not in {"chain", "sequence"}:
            assert (finding.chain, finding.sequence) == (JACKPOT, 3), finding.sentence

    @settings(max_examples=examples(120), deadline=None, suppress_health_check=INHERITED)
    @given(data=st.data())
    def test_any_bit_of_any_stored_value_is_found(
        self, ledger: Ledger, attacker: Attacker, data: st.DataObject
    ) -> None:
        table = data.draw(st.sampled_from(TABLES))
        row = data.draw(st.sampled_from(attacker.rows(table)))
        column = data.draw(st.sampled_from(column_names(table)))
        value = self.flipped(data, row[column])
        assume(value != row[column])
        try:
            with attacker.changed(table, row, **{column: value}):
                report = verify_chains(ledger)
        except Attacker.Clash:
            return
        assert report.finding is not None, (table.name, column, row[column], value)
        assert report.finding.sentence.endswith(".")

    def flipped(self, data: st.DataObject, value: Any) -> Any:
        """The value with one bit changed; text as the database would take it."""
        if isinstance(value, int):
            return value ^ (1 << data.draw(st.integers(0, 40)))
        raw = bytearray(value.encode() if isinstance(value, str) else value)
        raw[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 6))
        if isinstance(value, bytes):
            return bytes(raw)
        text = raw.decode(errors="replace")
        assume("\0" not in text)
        return text

    @pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
    def test_a_row_that_is_gone_is_missed(self, ledger: Ledger, attacker: Attacker, table: Any) -> None:
        for row in attacker.rows(table):
            with attacker.removed(table, row):
                assert not verify_chains(ledger).is_intact, row

    @pytest.mark.parametrize(
        ("row", "sentence"),
        [
            (
                (JACKPOT, "x", 3),
                "Event 3 of jackpot:milky-way (round-1-at-1/2) was given a unique key that it did not have.",
            ),
            (("house", "x", 1), "Event 1 of house (opening/1) was given a unique key that it did not have."),
            (("tabulator:2", "x", 9), "The unique key 'x' of event 9 of tabulator:2 belongs to no event."),
            (("cellar", "x", 1), "The unique key 'x' of event 1 of cellar belongs to no event."),
        ],
    )
    def test_a_name_too_many_is_found(
        self, ledger: Ledger, attacker: Attacker, row: tuple[str, str, int], sentence: str
    ) -> None:
        attacker.execute("INSERT INTO names VALUES (?, ?, ?)", *row)
        finding = verify_chains(ledger).finding
        attacker.execute("DELETE FROM names WHERE chain = ? AND name = ?", *row[:2])
        assert finding is not None
        assert finding.sentence == sentence

    def test_names_that_change_places_are_found(self, ledger: Ledger, attacker: Attacker) -> None:
        one, two = (attacker.row(unique_keys, chain="tabulator:1", sequence=sequence) for sequence in (1, 2))
        with (
            attacker.changed(unique_keys, one, sequence=two["sequence"]),
            attacker.changed(unique_keys, two, sequence=one["sequence"]),
        ):
            finding = verify_chains(ledger).finding
        assert finding is not None
        assert (finding.chain, finding.sequence) == ("tabulator:1", 1)

    def test_entries_that_change_places_are_found_although_every_sum_is_right(
        self, ledger: Ledger, attacker: Attacker
    ) -> None:
        one, two = (attacker.row(entries, chain=JACKPOT, sequence=3, line=line) for line in (1, 2))
        swap = ("debit", "credit", "amount")
        with (
            attacker.changed(entries, one, **{column: two[column] for column in swap}),
            attacker.changed(entries, two, **{column: one[column] for column in swap}),
        ):
            finding = verify_chains(ledger).finding
        assert finding is not None
        assert (finding.chain, finding.sequence) == (JACKPOT, 3)

    def test_an_end_that_was_cut_off_is_missed_although_the_head_fits(self, ledger: Ledger, attacker: Attacker) -> None:
        last = attacker.row(events, chain="house", sequence=1)
        head = attacker.row(heads, chain="house")
        with attacker.removed(events, last), attacker.removed(heads, head):
            finding = verify_chains(ledger).finding
        assert finding is not None
        assert finding.sentence == "The command opening caused 1 events, but 0 with its digest are stored."

    def test_an_event_whose_command_is_gone_is_named(self, ledger: Ledger, attacker: Attacker) -> None:
        with attacker.removed(commands, attacker.row(commands, id="opening")):
            finding = verify_chains(ledger).finding
        assert finding is not None
        assert finding.sentence == "Event 1 of house (opening/1): the command that caused it is missing."

    def test_an_event_that_was_rewritten_with_its_hash_is_named(self, ledger: Ledger, attacker: Attacker) -> None:
        row = attacker.row(events, chain=JACKPOT, sequence=3)
        forged = forge(attacker, row, {"by": 1, "table": "tabulator:1"})
        with attacker.changed(events, row, payload=forged["payload"], hash=forged["hash"]):
            finding = verify_chains(ledger).finding
        assert finding is not None
        assert finding.sentence.startswith("Event 3 of jackpot:milky-way was rewritten: event 4")

    def test_a_forger_who_computes_the_head_again_is_found_by_a_head_that_was_exported(
        self, ledger: Ledger, attacker: Attacker
    ) -> None:
        document = orjson.loads(orjson.dumps(ledger.heads.export()))
        row, head = attacker.row(events, chain="house", sequence=1), attacker.row(heads, chain="house")
        forged = forge(attacker, row, {"text": "closed"})
        seal = head_digest("house", 1, forged["hash"], head["time"], head["snapshot"].encode())
        with (
            attacker.changed(events, row, payload=forged["payload"], hash=forged["hash"]),
            attacker.changed(heads, head, hash=forged["hash"], seal=seal),
        ):
            assert verify_chains(ledger).is_intact
            findings = ledger.check_heads(document)
        assert [one.sentence for one in findings] == [
            "Event 1 of house (opening/1) is not the one whose hash was exported."
        ]

    def test_a_head_that_was_changed_stops_the_next_command(self, ledger: Ledger, attacker: Attacker) -> None:
        head = attacker.row(heads, chain=JACKPOT)
        with attacker.changed(heads, head, snapshot='{"meter":1000000000}'):
            with pytest.raises(LedgerDamaged, match=JACKPOT):
                ledger.execute(wager("after the attack"))
            with pytest.raises(LedgerDamaged):
                ledger.head(JACKPOT)

    def test_a_report_says_how_far_it_came(self, ledger: Ledger, attacker: Attacker) -> None:
        row = attacker.row(events, chain="tabulator:2", sequence=5)
        with attacker.changed(events, row, kind="forged"):
            report: LedgerReport = verify_chains(ledger)
        assert not report.is_intact
        assert (report.chains, report.events) == (4, 20)


def forge(attacker: Attacker, row: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
    """The event with another payload and the hash that belongs to it."""
    lines = [
        (entry["debit"], entry["credit"], entry["amount"])
        for entry in attacker.rows(entries)
        if (entry["chain"], entry["sequence"]) == (row["chain"], row["sequence"])
    ]
    called = [
        one["name"]
        for one in attacker.rows(unique_keys)
        if (one["chain"], one["sequence"]) == (row["chain"], row["sequence"])
    ]
    text = encode_canonical(payload)
    rest = {name: value for name, value in row.items() if name not in {"payload", "hash"}}
    return row | {
        "payload": text.decode(),
        "hash": event_hash(**rest, payload=text, postings=encode_postings(lines), names=encode_unique_keys(called)),
    }
