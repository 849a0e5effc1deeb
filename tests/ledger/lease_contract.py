"""What leases promise, whatever database they stand on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import psycopg
import pytest

from cardroom.ledger import (
    Command,
    CommandResult,
    Lease,
    LeaseLost,
    LeaseRegistry,
    Ledger,
    LedgerLocked,
    backup_ledger,
    open_ledger,
    verify_chains,
)
from tests.ledger.play_commands import note

TABLES = ("table:1", "table:2", "table:3", "table:4", "table:5", "table:6")


@contextmanager
def book(ledger: Ledger, label: str = "somewhere") -> Iterator[LeaseRegistry]:
    one = ledger.store.lease_registry(label)
    try:
        yield one
    finally:
        one.close()


def act(id: str, lease: Lease) -> Command:
    return replace(note(id, lease.chain), lease=lease)


class LeaseContract:
    @pytest.fixture
    def ledgers(self, url: str) -> Iterator[tuple[Ledger, Ledger]]:
        with open_ledger(url) as one, open_ledger(url) as other:
            yield one, other

    @pytest.fixture
    def books(self, ledgers: tuple[Ledger, Ledger]) -> Iterator[tuple[LeaseRegistry, LeaseRegistry]]:
        with book(ledgers[0], "one") as one, book(ledgers[1], "other") as other:
            yield one, other

    def silence(self, url: str, server: str) -> None:
        """A server has said nothing for a long time."""
        said = f"UPDATE servers SET until = 1 WHERE name = '{server}'"
        if url.startswith("sqlite"):
            with sqlite3.connect(url.removeprefix("sqlite:///")) as file:
                file.execute(said)
            file.close()
        else:
            with psycopg.connect(url) as connection:
                connection.execute(said)

    def test_any_user_comes_first_has_the_lease_and_keeps_it(self, books: tuple[LeaseRegistry, LeaseRegistry]) -> None:
        one, other = books
        held = one.renew(TABLES)
        assert held == {chain: Lease(chain, one.name, 1) for chain in TABLES}
        assert other.renew(TABLES) == {}
        assert one.renew(TABLES) == held

    def test_of_a_server_that_is_gone_the_next_takes_all_with_a_new_epoch(
        self, books: tuple[LeaseRegistry, LeaseRegistry], url: str
    ) -> None:
        one, other = books
        one.renew(TABLES)
        self.silence(url, one.name)
        assert other.renew(TABLES) == {chain: Lease(chain, other.name, 2) for chain in TABLES}
        assert one.renew(TABLES) == {}

    def test_a_server_that_leaves_gives_its_leases_up_at_once(self, books: tuple[LeaseRegistry, LeaseRegistry]) -> None:
        one, other = books
        one.renew(TABLES)
        one.leave()
        assert len(other.renew(TABLES)) == 6

    def test_what_is_wanted_no_more_goes_to_any_user_wants_it(self, books: tuple[LeaseRegistry, LeaseRegistry]) -> None:
        one, other = books
        one.renew(TABLES)
        assert list(one.renew(TABLES[:4])) == list(TABLES[:4])
        assert list(other.renew(TABLES)) == list(TABLES[4:])

    def test_who_has_more_hands_some_over(self, books: tuple[LeaseRegistry, LeaseRegistry]) -> None:
        one, other = books
        one.renew(TABLES)
        assert one.rebalance(TABLES) == frozenset(), "nobody else is there"
        assert other.renew(TABLES) == {}
        assert one.rebalance(TABLES) == {"table:4", "table:5", "table:6"}, "the last ones first"
        assert sorted(one.renew(TABLES)) == ["table:1", "table:2", "table:3"]
        assert other.renew(TABLES) == {chain: Lease(chain, other.name, 2) for chain in TABLES[3:]}
        assert one.rebalance(TABLES[:3]) == other.rebalance(TABLES[3:]) == frozenset(), "both have as many"

    def test_what_is_done_under_a_lease_is_refused_when_it_has_gone(
        self, ledgers: tuple[Ledger, Ledger], books: tuple[LeaseRegistry, LeaseRegistry], url: str
    ) -> None:
        lease = books[0].renew(("table:1",))["table:1"]
        first = ledgers[0].execute(act("a", lease))
        self.silence(url, books[0].name)
        late = ledgers[0].execute(act("b", lease))
        assert not late.is_repeat, "held up, but nobody has taken it over"
        taken = books[1].renew(("table:1",))["table:1"]
        with pytest.raises(LeaseLost, match="table:1"):
            ledgers[0].execute(act("c", lease))
        assert ledgers[0].find_result("c") is None
        assert ledgers[0].execute(act("a", lease)) == replace(first, is_repeat=True), "what was done was done"
        assert not ledgers[1].execute(act("c", taken)).is_repeat
        assert not ledgers[0].execute(note("d", "table:1")).is_repeat, "a person needs no lease"
        assert [event.command_id for event in ledgers[1].events("table:1")] == ["a", "b", "c", "d"]
        assert verify_chains(ledgers[1]).is_intact

    def test_a_lease_that_was_lost_spoils_nothing_else_of_its_commit(
        self, ledgers: tuple[Ledger, Ledger], books: tuple[LeaseRegistry, LeaseRegistry]
    ) -> None:
        lease = books[0].renew(("table:1",))["table:1"]
        never = Lease("table:2", books[0].name, 1)
        mine, lost, free = ledgers[0].execute_all([act("a", lease), act("b", never), note("c", "table:2")])
        assert isinstance(mine, CommandResult)
        assert isinstance(lost, LeaseLost)
        assert isinstance(free, CommandResult)

    def test_no_user_takes_a_lease_over_between_the_check_and_the_commit(
        self, ledgers: tuple[Ledger, Ledger], books: tuple[LeaseRegistry, LeaseRegistry], url: str
    ) -> None:
        """While the first one decides under its lease, the other one tries to take it, and gets it afterwards."""
        lease = books[0].renew(("table:1",))["table:1"]
        self.silence(url, books[0].name)
        meanwhile = list[dict[str, Lease]]()

        def decide(heads: object) -> object:
            meanwhile.append(dict(_tried(books[1], ("table:1",))))
            return decided(heads)

        under = act("a", lease)
        decided: object = under.decide
        ledgers[0].execute(replace(under, decide=decide))  # type: ignore[arg-type]
        assert meanwhile == [{}]
        assert books[1].renew(("table:1",))["table:1"].epoch == 2

    def test_leases_are_no_part_of_the_books(
        self, ledgers: tuple[Ledger, Ledger], books: tuple[LeaseRegistry, LeaseRegistry], tmp_path: object
    ) -> None:
        ledgers[0].execute(act("a", books[0].renew(("table:1",))["table:1"]))
        backup_ledger(ledgers[0], f"{tmp_path}/copy.db")
        with open_ledger(f"sqlite:///{tmp_path}/copy.db") as copy, book(copy) as empty:
            assert verify_chains(copy).is_intact
            assert empty.renew(("table:1",))["table:1"].epoch == 1


def _tried(book: LeaseRegistry, wanted: tuple[str, ...]) -> dict[str, Lease]:
    """What a server gets that does not wait for the one who writes now: a file has one writer at a time."""
    try:
        return dict(book.renew(wanted))
    except LedgerLocked:
        return {}
