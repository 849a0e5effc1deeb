"""What every ledger promises, whatever database it stands on. A back end passes by giving the fixture `url`."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardroom.chart_of_accounts import DOLLAR
from cardroom.errors import BadInput
from cardroom.ledger import (
    BadCommand,
    BadCommandOutcome,
    BadHeads,
    BadLedger,
    ClockRanBackwards,
    Command,
    CommandIdReused,
    CommandOutcome,
    CommandResult,
    Head,
    KeyedEvent,
    Ledger,
    LedgerUnavailable,
    NewEvent,
    Note,
    UniqueKey,
    UniqueKeyTaken,
    backup_ledger,
    iterate_verified_events,
    open_ledger,
    restore_ledger,
    verify_chains,
)
from cardroom.ledger.store import LockedState
from tests.ledger.play_commands import (
    CASH,
    DISPLAY,
    GROWTH,
    JACKPOT,
    RECEIPTS,
    TRAY,
    UNDEPOSITED,
    called,
    fill,
    many_wagers,
    note,
    open_and_note,
    refused,
    same_names,
    wager,
    wagers_without_end,
)

INHERITED = (HealthCheck.function_scoped_fixture, HealthCheck.differing_executors)
"""Both back ends run the same test; its examples follow each other in one ledger."""


class LedgerContract:
    """The abstract suite."""

    @pytest.fixture
    def url(self) -> str:
        raise NotImplementedError

    @pytest.fixture
    def empty_url(self) -> str:
        """A database that is no ledger yet."""
        raise NotImplementedError

    def test_what_was_noted_last_is_shown_to_everybody_and_stands_in_no_book(self, ledger: Ledger, url: str) -> None:
        fill(ledger)
        before = ledger.chain_lengths()
        ledger.save_notes([Note("device T-2", 20, "second"), Note("device T-1", 10, "first")])
        ledger.save_notes([])
        with open_ledger(url) as other:
            other.save_notes([Note("device T-1", 30, "third"), Note("device T-2", 19, "too late"), Note("else", 1, "")])
        assert ledger.read_notes("device ") == [Note("device T-1", 30, "third"), Note("device T-2", 20, "second")]
        assert ledger.chain_lengths() == before
        assert verify_chains(ledger).is_intact
        ledger.execute(note("and so on"))

    @pytest.fixture
    def ledger(self, url: str) -> Iterator[Ledger]:
        with open_ledger(url) as ledger:
            yield ledger

    # Commands and events

    def test_a_command_stores_its_events_with_their_money_and_its_answer(self, ledger: Ledger) -> None:
        carried = ledger.execute(wager("a", wagers=2))
        assert carried == CommandResult({"meter": 2 * GROWTH}, ("a/1", "a/2"), is_repeat=False)
        first, second = ledger.events("tabulator:1"), ledger.events(JACKPOT)
        (wagered,), (grew,) = first, second
        assert (wagered.id, wagered.kind, wagered.sequence, wagered.command_id) == ("a/1", "wagered", 1, "a")
        assert wagered.payload == {"wagers": 2, "dealer": "Zoë"}
        assert (grew.id, grew.time, grew.previous) == ("a/2", wagered.time, bytes(32))
        assert [(entry.debit, entry.credit, entry.amount) for entry in ledger.entries(JACKPOT)] == [
            (RECEIPTS, DISPLAY, 2 * GROWTH),
            (UNDEPOSITED, CASH, 2 * GROWTH),
        ]

    def test_each_event_carries_the_hash_of_the_one_before_it(self, ledger: Ledger) -> None:
        fill(ledger)
        events = list(ledger.events(JACKPOT))
        assert [event.sequence for event in events] == list(range(1, 11))
        assert [event.previous for event in events[1:]] == [event.hash for event in events[:-1]]
        head = ledger.head(JACKPOT)
        assert head is not None
        assert (head.sequence, head.hash, head.time) == (10, events[-1].hash, events[-1].time)

    def test_what_is_stored_is_there_when_the_ledger_is_opened_again(self, ledger: Ledger, url: str) -> None:
        fill(ledger)
        with open_ledger(url) as again:
            assert list(again.events()) == list(ledger.events())
            assert again.head(JACKPOT) == ledger.head(JACKPOT)
            assert again.balances() == ledger.balances()

    def test_a_repeated_command_gets_the_first_answer_and_changes_nothing(self, ledger: Ledger) -> None:
        first = ledger.execute(wager("a"))
        ledger.execute(wager("b"))
        before = list(ledger.events()), ledger.balances()
        again = ledger.execute(wager("a"))
        assert again == CommandResult(first.response, first.event_ids, is_repeat=True)
        assert (list(ledger.events()), ledger.balances()) == before

    def test_an_id_that_was_used_for_something_else_is_refused(self, ledger: Ledger) -> None:
        ledger.execute(wager("a", wagers=1))
        with pytest.raises(CommandIdReused):
            ledger.execute(wager("a", wagers=2))
        assert len(list(ledger.events(JACKPOT))) == 1

    def test_a_sender_who_never_heard_the_answer_finds_it_by_the_id(self, ledger: Ledger) -> None:
        carried = ledger.execute(wager("a"))
        assert ledger.find_result("a") == CommandResult(carried.response, carried.event_ids, is_repeat=True)
        assert ledger.find_result("b") is None

    def test_a_refusal_changes_nothing_and_the_id_stays_free(self, ledger: Ledger) -> None:
        with pytest.raises(BadInput, match="closed"):
            ledger.execute(refused("a", "jackpot:new"))
        assert ledger.chains() == ()
        assert ledger.head("jackpot:new") is None
        assert verify_chains(ledger).is_intact
        assert not ledger.execute(wager("a")).is_repeat

    def test_an_answer_without_events_is_remembered_too(self, ledger: Ledger) -> None:
        command = Command("a", ("house",), {}, lambda _: CommandOutcome((), {}, {"open": True}))
        assert ledger.execute(command) == CommandResult({"open": True}, (), is_repeat=False)
        assert ledger.execute(command) == CommandResult({"open": True}, (), is_repeat=True)
        assert ledger.chains() == ()

    def test_several_events_of_one_command_follow_each_other_in_one_chain(self, ledger: Ledger) -> None:
        events = tuple(NewEvent("house", "noted", version, {}) for version in (1, 2, 3))
        ledger.execute(Command("a", ("house",), {}, lambda _: CommandOutcome(events, {"house": [1]}, None)))
        assert [(event.sequence, event.version) for event in ledger.events("house")] == [(1, 1), (2, 2), (3, 3)]
        assert verify_chains(ledger).is_intact

    def test_a_chain_without_a_new_snapshot_keeps_the_one_it_has(self, ledger: Ledger) -> None:
        ledger.execute(wager("a"))
        ledger.execute(note("b", JACKPOT))
        head = ledger.head(JACKPOT)
        assert head is not None
        assert (head.sequence, head.snapshot) == (2, {"meter": GROWTH})

    def test_events_are_read_from_any_place_on(self, ledger: Ledger) -> None:
        fill(ledger)
        assert [event.sequence for event in ledger.events(JACKPOT, after=4, limit=3)] == [5, 6, 7]
        assert [event.sequence for event in ledger.events("tabulator:1", after=5)] == []
        assert [event.chain for event in ledger.events(after=4)] == [JACKPOT] * 6 + ["tabulator:1", "tabulator:2"]
        assert {entry.sequence for entry in ledger.entries(JACKPOT, after=8)} == {9, 10}
        assert ledger.chains() == ("house", JACKPOT, "tabulator:1", "tabulator:2")
        assert ledger.chains("tabulator:") == ("tabulator:1", "tabulator:2")
        assert ledger.chains("jack") == (JACKPOT,)
        assert ledger.chains("i") == ()

    # Names

    def test_how_far_chains_are_is_shown_by_the_beginning_of_their_names(self, ledger: Ledger) -> None:
        for number, chain in enumerate(("table:a", "table:b", "table:b", "feltx", "player:a", "table:é\U0001f0a1")):
            ledger.execute(note(f"n{number}", chain))
        ledger.execute(Command("only-looked", ("table:c",), {}, lambda _: CommandOutcome((), {}, None)))
        assert ledger.chain_lengths("table:") == {"table:a": 1, "table:b": 2, "table:é\U0001f0a1": 1}
        assert ledger.chain_lengths("nobody:") == {}
        assert (
            set(ledger.chain_lengths())
            == set(ledger.chains())
            == {*ledger.chain_lengths("table:"), "feltx", "player:a"}
        )

    def test_an_event_is_found_by_its_name_in_its_chain(self, ledger: Ledger) -> None:
        fill(ledger)
        for chain in ("tabulator:2", JACKPOT):
            event = ledger.find_event(chain, "round-3-at-2")
            assert event is not None
            assert event in list(ledger.events(chain))
            assert event.command_id == "round-3-at-2"
        assert ledger.find_event(JACKPOT, "tabulator:2 round-3-at-2") == ledger.find_event(JACKPOT, "round-3-at-2")
        assert ledger.find_event("tabulator:1", "round-3-at-2") is None
        assert ledger.find_event("tabulator:3", "round-3-at-2") is None
        assert ledger.find_event(JACKPOT, "x\0") is None

    def test_a_name_is_given_once_in_a_chain_and_the_sentence_says_to_which_event(self, ledger: Ledger) -> None:
        ledger.execute(called("a", "spring", "summer"))
        ledger.execute(called("b", "spring", chain="garden"))
        before = list(ledger.events())
        with pytest.raises(UniqueKeyTaken):
            ledger.execute(called("c", "autumn", "summer"))
        assert list(ledger.events()) == before
        assert ledger.execute(called("c", "autumn")).event_ids == ("c/1",)
        assert ledger.execute(called("a", "spring", "summer")).is_repeat
        assert verify_chains(ledger).is_intact

    def test_a_name_is_given_once_within_a_command_and_within_a_commit(self, ledger: Ledger) -> None:
        with pytest.raises(UniqueKeyTaken):
            ledger.execute(called("a", "spring", "spring"))
        first, again, other = ledger.execute_all([called("b", "spring"), called("c", "spring"), called("d", "may")])
        assert isinstance(first, CommandResult)
        assert isinstance(again, UniqueKeyTaken)
        assert isinstance(other, CommandResult)
        assert [event.command_id for event in ledger.events("house")] == ["b", "d"]
        assert verify_chains(ledger).is_intact

    def test_the_database_itself_refuses_a_name_that_is_given(
        self, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ledger.execute(called("a", "spring"))
        begin = ledger.store.begin

        def forgetful(
            chains: Sequence[str], commands: Sequence[str], _: Sequence[UniqueKey], __: Sequence[str]
        ) -> LockedState:
            return begin(chains, commands, [])

        monkeypatch.setattr(ledger.store, "begin", forgetful)
        with pytest.raises(LedgerUnavailable):
            ledger.execute(called("b", "spring"))
        assert [event.command_id for event in ledger.events("house")] == ["a"]
        assert verify_chains(ledger).is_intact

    def test_a_decision_knows_which_of_its_names_are_given(self, ledger: Ledger) -> None:
        ledger.execute(called("a", "spring", "summer"))
        seen: list[Mapping[str, KeyedEvent]] = []

        def decide(heads: Mapping[str, Head | None]) -> CommandOutcome:
            head = heads["house"]
            assert head is not None
            seen.append(dict(head.keyed_events))
            return CommandOutcome((), {}, None)

        names = tuple(UniqueKey("house", name) for name in ("summer", "autumn"))
        ledger.execute(Command("b", ("house",), {}, decide, names))
        ledger.execute(Command("c", ("house",), {}, decide))
        (event,) = ledger.events("house", after=1)
        assert seen == [{"summer": KeyedEvent(2, "a/2", event.time)}, {}]

    def test_names_are_asked_for_before_they_are_given_and_are_printable(self, ledger: Ledger) -> None:
        with pytest.raises(BadCommandOutcome):
            ledger.execute(called("a", "may", asked=("june",)))
        for name in ("", "a\nb", "a\0", "x" * 201):
            with pytest.raises(BadCommand, match="printable"):
                ledger.execute(called("a", name))
        assert list(ledger.events()) == []

    def test_names_in_every_script_survive(self, ledger: Ledger) -> None:
        names = ['"quoted"', "\\back\\ {x},NULL", "'single'", "♠ 王", "é", "e\u0301", " "]
        ledger.execute(called("a", *names))
        found = [ledger.find_event("house", name) for name in names]
        assert [event.sequence if event else 0 for event in found] == list(range(1, 8))
        assert verify_chains(ledger).is_intact

    def test_two_processes_never_give_the_same_name(self, ledger: Ledger, url: str) -> None:
        run_together(same_names, [(url, process, 30) for process in range(3)])
        assert len(list(ledger.events("house"))) == 30
        assert verify_chains(ledger).is_intact

    # What cannot be stored

    @pytest.mark.parametrize(
        ("outcome", "sentence"),
        [
            (
                CommandOutcome((NewEvent("tabulator:9", "x", 1, {}),), {}, None),
                "tabulator:9, which the command did not name",
            ),
            (CommandOutcome((), {"house": {}}, None), "cannot change without an event"),
            (CommandOutcome((NewEvent("house", "x", 1, {"share": 0.5}),), {}, None), "0.5 cannot be stored"),
            (CommandOutcome((NewEvent("house", "x", 1, {"much": 2**70}),), {}, None), "cannot be stored as JSON"),
            (CommandOutcome((NewEvent("house", "x", 1, {1: 2}),), {}, None), "cannot be stored as JSON"),
            (CommandOutcome((NewEvent("house", "", 1, {}),), {}, None), "cannot be a kind of event"),
            (CommandOutcome((NewEvent("house", "x", 0, {}),), {}, None), "is not a version"),
            (CommandOutcome((NewEvent("house", "x", 1, {}),), {"house": {1, 2}}, None), "cannot be stored"),
        ],
    )
    def test_a_decision_that_cannot_be_stored_is_a_fault_and_changes_nothing(
        self, ledger: Ledger, outcome: CommandOutcome, sentence: str
    ) -> None:
        with pytest.raises(BadCommandOutcome, match=sentence):
            ledger.execute(Command("a", ("house",), {}, lambda _: outcome))
        with pytest.raises(BadCommandOutcome, match=sentence):
            ledger.execute_all([note("b"), Command("a", ("house",), {}, lambda _: outcome)])
        assert list(ledger.events()) == []

    @pytest.mark.parametrize("id", ["", "a\nb", "a\0", "x" * 201, "\udc80"])
    def test_ids_and_chains_are_printable(self, ledger: Ledger, id: str) -> None:
        with pytest.raises(BadCommand, match="printable"):
            ledger.execute(note(id))
        with pytest.raises(BadCommand, match="printable"):
            ledger.execute(note("a", id))

    def test_quotes_strokes_and_every_script_survive(self, ledger: Ledger) -> None:
        text = "\"quoted\" \\back\\ {braces}, NULL, 'single' ♠ 王\n\t\0"
        chain = "tabulator:\"1\" \\ {x},NULL '王'"
        ledger.execute(note('id "x" \\', chain, text))
        (event,) = ledger.events(chain)
        assert (event.id, event.payload) == ('id "x" \\/1', {"text": text})
        assert verify_chains(ledger).is_intact

    # Groups

    def test_a_group_has_one_commit_and_each_sees_what_came_before(self, ledger: Ledger) -> None:
        done = ledger.execute_all([wager("a"), wager("b"), wager("a"), refused("c"), wager("d", wagers=3)])
        assert [one.response["meter"] // GROWTH if isinstance(one, CommandResult) else str(one) for one in done] == [
            1,
            2,
            1,
            "The jackpot is closed.",
            5,
        ]
        assert [one.is_repeat for one in done if isinstance(one, CommandResult)] == [False, False, True, False]
        assert verify_chains(ledger).is_intact

    def test_a_group_of_nothing_is_nothing(self, ledger: Ledger) -> None:
        assert ledger.execute_all([]) == []

    def test_threads_share_a_ledger_and_lose_nothing(self, ledger: Ledger) -> None:
        def play(table: int) -> None:
            for number in range(20):
                ledger.execute(wager(f"{table}-{number}", f"tabulator:{table}"))
                with pytest.raises(BadInput, match="closed"):
                    ledger.execute(refused(f"no-{table}-{number}"))

        threads = [threading.Thread(target=play, args=(table,)) for table in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        head = ledger.head(JACKPOT)
        assert head is not None
        assert (head.sequence, head.snapshot) == (120, {"meter": 120 * GROWTH})
        assert verify_chains(ledger).is_intact

    def test_processes_share_a_database_and_lose_nothing(self, ledger: Ledger, url: str) -> None:
        run_together(many_wagers, [(url, process, 25) for process in range(3)])
        head = ledger.head(JACKPOT)
        assert head is not None
        assert (head.sequence, head.snapshot) == (75, {"meter": 75 * GROWTH})
        assert ledger.balances()[DISPLAY] == 75 * GROWTH
        assert verify_chains(ledger).is_intact

    def test_processes_that_open_an_empty_database_at_once_make_one_ledger(self, empty_url: str) -> None:
        run_together(open_and_note, [(empty_url, process) for process in range(3)])
        with open_ledger(empty_url) as ledger:
            assert len(list(ledger.events("house"))) == 3
            assert verify_chains(ledger).is_intact

    def test_what_was_answered_survives_a_process_that_is_killed(self, ledger: Ledger, url: str) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=wagers_without_end, args=(url, theirs))
        process.start()
        theirs.close()
        answered = [ours.recv() for _ in range(20)]
        process.kill()
        process.join()
        with suppress(EOFError):
            while True:
                answered.append(ours.recv())
        ours.close()
        stored = [int(event.command_id) for event in ledger.events(JACKPOT)]
        # The last one may have been stored without anybody having heard of it.
        assert stored in (answered, [*answered, len(answered)])
        assert verify_chains(ledger).is_intact
        assert ledger.execute(wager("0")).is_repeat
        assert not ledger.execute(wager("after")).is_repeat

    # Balances

    def test_balances_add_up_from_the_side_that_each_account_grows_on(self, ledger: Ledger) -> None:
        ledger.execute(wager("a", wagers=10))
        assert ledger.balances() == {
            TRAY: 10 * DOLLAR,
            RECEIPTS: 10 * DOLLAR - 10 * GROWTH,
            DISPLAY: 10 * GROWTH,
            UNDEPOSITED: 10 * GROWTH,
            CASH: -10 * GROWTH,
        }

    @settings(max_examples=15, deadline=None, suppress_health_check=INHERITED)
    @given(groups=st.lists(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 10**9)), max_size=4), max_size=4))
    def test_balances_are_the_sums_of_all_entries(self, ledger: Ledger, groups: list[list[tuple[int, int]]]) -> None:
        start = sum(1 for _ in ledger.events(JACKPOT))
        for at, group in enumerate(groups):
            ledger.execute_all(
                [wager(f"{start}-{at}-{n}", f"tabulator:{table}", wagers) for n, (table, wagers) in enumerate(group)]
            )
        sums: dict[Any, int] = {}
        for entry in ledger.entries():
            for account, amount in ((entry.debit, entry.amount), (entry.credit, -entry.amount)):
                sums[account] = sums.get(account, 0) + amount
        assert sum(sums.values()) == 0
        assert ledger.balances() == {
            account: total if account.kind.is_debit else -total for account, total in sums.items()
        }
        assert verify_chains(ledger).is_intact

    # The clock

    def test_a_clock_that_steps_back_a_little_is_held(self, url: str) -> None:
        times = iter([10_000_000, 9_000_000, 11_000_000])
        with open_ledger(url, lambda: next(times)) as ledger:
            for id in "abc":
                ledger.execute(wager(id))
            assert [event.time for event in ledger.events(JACKPOT)] == [10_000_000, 10_000_000, 11_000_000]
            assert verify_chains(ledger).is_intact

    def test_a_clock_that_runs_backwards_stops_the_ledger_until_it_is_right(self, url: str) -> None:
        hour = 3_600_000_000
        times = iter([2 * hour, hour, 2 * hour + 5])
        with open_ledger(url, lambda: next(times)) as ledger:
            ledger.execute(wager("a"))
            with pytest.raises(ClockRanBackwards):
                ledger.execute(wager("b"))
            assert len(list(ledger.events(JACKPOT))) == 1
            assert not ledger.execute(wager("b")).is_repeat
            assert verify_chains(ledger).is_intact

    # Heads kept elsewhere

    def test_exported_heads_stay_on_their_chains(self, ledger: Ledger) -> None:
        fill(ledger)
        document = ledger.heads.export()
        assert [head["chain"] for head in document["heads"]] == list(ledger.chains())
        ledger.execute(wager("later"))
        assert ledger.check_heads(document) == ()

    def test_heads_of_another_history_are_named(self, ledger: Ledger, tmp_path: Path) -> None:
        with open_ledger(f"sqlite:///{tmp_path}/other.db") as other:
            fill(other, rounds=6)
            document = other.heads.export()
        fill(ledger, rounds=5)
        findings = ledger.check_heads(document)
        assert [(one.chain, one.sequence, one.field) for one in findings] == [
            ("house", 1, "hash"),
            (JACKPOT, 12, "sequence"),
            ("tabulator:1", 6, "sequence"),
            ("tabulator:2", 6, "sequence"),
        ]
        assert findings[1].sentence == (
            "jackpot:milky-way had 12 events when its head was exported; the ledger ends before it, with event 10."
        )

    def test_an_export_that_was_changed_is_refused(self, ledger: Ledger) -> None:
        fill(ledger)
        document = ledger.heads.export()
        document["heads"][0]["sequence"] += 1
        with pytest.raises(BadHeads, match="digest"):
            ledger.check_heads(document)
        for nonsense in (None, [], {}, {"document": "x"}, {"document": "heads of a Cardroom ledger", "version": 1}):
            with pytest.raises(BadHeads):
                ledger.check_heads(nonsense)

    # Verification

    def test_verification_counts_what_it_checked(self, ledger: Ledger) -> None:
        fill(ledger)
        report = verify_chains(ledger)
        assert report.is_intact
        assert (report.chains, report.events, report.entries, report.accounts, report.commands) == (4, 21, 30, 5, 11)

    def test_verified_events_come_with_their_entries(self, ledger: Ledger) -> None:
        fill(ledger)
        pairs = list(iterate_verified_events(ledger))
        assert [event for event, _ in pairs] == list(ledger.events())
        assert [entry for _, entries in pairs for entry in entries] == list(ledger.entries())

    def test_verification_sees_one_moment_while_others_write(self, ledger: Ledger) -> None:
        fill(ledger)
        walk = iterate_verified_events(ledger)
        next(walk)
        ledger.execute(wager("meanwhile"))
        assert sum(1 for _ in walk) == 20
        assert verify_chains(ledger).events == 23

    def test_an_empty_ledger_is_whole(self, ledger: Ledger) -> None:
        assert verify_chains(ledger).is_intact
        assert list(iterate_verified_events(ledger)) == []
        assert ledger.balances() == {}
        assert ledger.check_heads(ledger.heads.export()) == ()

    # Backup

    def test_a_backup_is_a_ledger_in_one_file(self, ledger: Ledger, tmp_path: Path) -> None:
        fill(ledger)
        report = backup_ledger(ledger, tmp_path / "backup.db")
        assert report.is_intact
        assert [file.name for file in tmp_path.iterdir() if "backup" in file.name] == ["backup.db"]
        with open_ledger(f"sqlite:///{tmp_path}/backup.db") as copy:
            assert list(copy.events()) == list(ledger.events())
            assert copy.balances() == ledger.balances()
            assert copy.execute(wager("round-0-at-1", wagers=2)).is_repeat

    def test_a_backup_is_made_while_the_tables_play_on(self, ledger: Ledger, tmp_path: Path) -> None:
        fill(ledger)
        done = threading.Event()

        def play() -> None:
            number = 0
            while not done.is_set():
                number += 1
                ledger.execute(wager(f"meanwhile-{number}"))

        player = threading.Thread(target=play)
        player.start()
        try:
            reports = [backup_ledger(ledger, tmp_path / f"backup-{number}.db") for number in range(3)]
        finally:
            done.set()
            player.join()
        assert all(report.is_intact for report in reports)
        assert [report.events for report in reports] == sorted(report.events for report in reports)
        assert verify_chains(ledger).is_intact

    def test_a_restored_backup_goes_on_where_it_ended(self, ledger: Ledger, empty_url: str, tmp_path: Path) -> None:
        fill(ledger)
        backup_ledger(ledger, tmp_path / "backup.db")
        assert restore_ledger(tmp_path / "backup.db", empty_url).events == 21
        with open_ledger(empty_url, is_restore=True) as restored:
            assert list(restored.events()) == list(ledger.events())
            assert list(restored.entries()) == list(ledger.entries())
            assert restored.balances() == ledger.balances()
            with pytest.raises(UniqueKeyTaken):
                restored.execute(called("later", "round-0-at-1", chain="tabulator:1"))
            assert restored.check_heads(ledger.heads.export()) == ()
            assert restored.execute(wager("round-0-at-1", wagers=2)).is_repeat
            assert restored.execute(wager("next")).response == ledger.execute(wager("next")).response

    def test_a_backup_never_writes_over_another(self, ledger: Ledger, tmp_path: Path) -> None:
        (tmp_path / "backup.db").write_text("yesterday's")
        with pytest.raises(BadLedger):
            backup_ledger(ledger, tmp_path / "backup.db")
        with pytest.raises(BadLedger):
            backup_ledger(ledger, tmp_path / "nowhere" / "backup.db")
        assert (tmp_path / "backup.db").read_text() == "yesterday's"

    def test_only_an_empty_ledger_is_restored_into(self, ledger: Ledger, url: str, tmp_path: Path) -> None:
        fill(ledger)
        backup_ledger(ledger, tmp_path / "backup.db")
        before = list(ledger.events())
        with pytest.raises(BadLedger):
            restore_ledger(tmp_path / "backup.db", url)
        assert list(ledger.events()) == before

    def test_what_is_no_backup_is_refused(self, url: str, tmp_path: Path) -> None:
        (tmp_path / "letter.db").write_text("Dear sir or madam, " * 100)
        (tmp_path / "nothing.db").write_text("")
        for name in ("letter.db", "nothing.db", "missing.db"):
            with pytest.raises(BadLedger, match=name):
                restore_ledger(tmp_path / name, url)

    def test_a_secret_is_kept_until_it_is_shown_and_is_in_no_event(self, ledger: Ledger) -> None:
        key, at = b"\x00\xffkey of the round", UniqueKey("table:1", "seal")
        hide = CommandOutcome((NewEvent(at.chain, "sealed", 1, {}),), {at.chain: 1}, None, secrets={at: key})
        ledger.execute(Command("hide", (at.chain,), "hide", lambda _: hide))
        assert ledger.read_secret(*at) == key
        again = CommandOutcome((NewEvent(at.chain, "sealed", 1, {}),), {at.chain: 2}, None, secrets={at: b"another"})
        ledger.execute(Command("hide again", (at.chain,), "again", lambda _: again))
        assert ledger.read_secret(*at) == key
        stored = [*ledger.events(), *ledger.entries(), ledger.head(at.chain), ledger.find_result("hide")]
        assert len(stored) == 4
        assert not any("key of the round" in repr(one) for one in stored)
        tell = CommandOutcome(
            (NewEvent(at.chain, "told", 1, {"key": key.hex()}),), {at.chain: 3}, None, revealed_secrets=(at,)
        )
        ledger.execute(Command("tell", (at.chain,), "tell", lambda _: tell))
        assert ledger.read_secret(*at) is None
        assert verify_chains(ledger).finding is None

    def test_a_secret_that_is_kept_and_shown_in_one_commit_is_not_kept(self, ledger: Ledger) -> None:
        at = UniqueKey("table:1", "seal")
        hide = CommandOutcome((NewEvent(at.chain, "sealed", 1, {}),), {at.chain: 1}, None, secrets={at: b"key"})
        tell = CommandOutcome((NewEvent(at.chain, "told", 1, {}),), {at.chain: 2}, None, revealed_secrets=(at,))
        commands = [Command("hide", (at.chain,), 1, lambda _: hide), Command("tell", (at.chain,), 2, lambda _: tell)]
        assert all(isinstance(one, CommandResult) for one in ledger.execute_all(commands))
        assert ledger.read_secret(*at) is None

    def test_a_secret_goes_with_a_backup(self, ledger: Ledger, tmp_path: Path, empty_url: str) -> None:
        at = UniqueKey("table:1", "seal")
        hide = CommandOutcome((NewEvent(at.chain, "sealed", 1, {}),), {at.chain: 1}, None, secrets={at: b"key"})
        ledger.execute(Command("hide", (at.chain,), 1, lambda _: hide))
        backup_ledger(ledger, tmp_path / "with-secrets.db")
        restore_ledger(tmp_path / "with-secrets.db", empty_url)
        with open_ledger(empty_url, is_restore=True) as restored:
            assert restored.read_secret(*at) == b"key"

    def test_a_secret_of_a_chain_that_was_not_named_is_refused(self, ledger: Ledger) -> None:
        strange = CommandOutcome(
            (NewEvent("a", "sealed", 1, {}),), {"a": 1}, None, secrets={UniqueKey("b", "seal"): b"key"}
        )
        with pytest.raises(BadCommandOutcome):
            ledger.execute(Command("hide", ("a",), 1, lambda _: strange))
        assert ledger.read_secret("b", "seal") is None


def run_together(target: Any, calls: list[tuple[Any, ...]]) -> None:
    """Run it in processes of their own at the same time."""
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=target, args=call) for call in calls]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * len(processes)
