"""Every command of the card room is one transaction, on both databases."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, Final

import pytest

from cardroom.heads.keys import create_signing_key
from cardroom.ledger import open_ledger
from cardroom.ledger.postgresql import PostgresqlStore
from cardroom.ledger.sqlite import SqliteStore
from cardroom.ledger.store import LockedState
from cardroom.room.table.terms import PlayTerms
from cardroom.service import CardRoom, commands
from tests.attack.test_signature_for_another_act import run_every_command
from tests.comparison.scenes import jackpots, tables
from tests.crash.script_inputs import ScriptInputs
from tests.heads.rooms import to_folder
from tests.ledger.empty import empty_ledger
from tests.ledger.server import fresh_database
from tests.service import staff
from tests.service.card_rooms import new_id, open_room, presses
from tests.service.table_scenes import ANTE, HandClock, guests, open_prime
from tests.service.test_devices import lines, log_rounds
from tests.service.test_event_types import refuse_to_sign
from tests.service.test_logger import open_deuces

COMMANDS: Final = [
    "accept_device_rounds",
    "accept_logger_gap",
    "accept_logger_records",
    "acknowledge_recovery",
    "add_first_operator",
    "add_seed",
    "add_table",
    "add_user",
    "admit_guest",
    "admit_player",
    "announce_promotion",
    "answer_call",
    "apply_timeout",
    "assign_role",
    "begin_live_round",
    "call_absent_player",
    "change_bonus",
    "change_parameters",
    "change_tabulator",
    "choose_password",
    "choose_pin",
    "claim_hand",
    "claim_prizes",
    "clear_tabulator_fault",
    "close_day",
    "close_malfunction_report",
    "configure_room",
    "confirm_clock",
    "confirm_restore",
    "correct_malfunction",
    "count_by_hand",
    "countersign",
    "deactivate_user",
    "deposit_to_bank",
    "disable_jackpot",
    "enable_jackpot",
    "end_live_round",
    "end_promotion",
    "end_session",
    "end_user_session",
    "expire_password",
    "export_heads",
    "hold_device",
    "import_logger_lines",
    "import_logger_records",
    "install_tabulator",
    "leave_seat",
    "link_jackpot",
    "lock_session",
    "lower_to_ceiling",
    "make_bot_decision",
    "make_decision",
    "move_tabulator",
    "open_day",
    "open_jackpot",
    "pause_table",
    "pay_claim",
    "pay_in",
    "pay_out",
    "pay_promotion",
    "place_bot_wagers",
    "place_wagers",
    "read_counter",
    "reconcile_account",
    "record_key_backup",
    "recover_operator",
    "recover_seed",
    "recover_user",
    "refuse_claim",
    "refuse_device_rounds",
    "register_device",
    "reimburse_cage",
    "release_device",
    "remove_absent_player",
    "remove_bot",
    "remove_jackpot",
    "remove_table",
    "remove_tabulator",
    "remove_undisplayed_money",
    "renew_after_restore",
    "renew_after_rotation",
    "renew_device_token",
    "renew_seals",
    "replace_heads_key",
    "replace_key",
    "report_lights",
    "report_malfunction",
    "report_tabulator_fault",
    "resume_table",
    "reverse_prizes",
    "reverse_reading",
    "rotate_key",
    "seat_bot",
    "send_heads",
    "send_malfunction_report",
    "sign_in",
    "skip_records",
    "tabulate",
    "tabulate_all",
    "take_seat",
    "take_step",
    "type_cards",
    "undo_step",
    "unlink_jackpot",
    "unlock_session",
    "void_automatic_round",
    "void_live_round",
    "void_round",
    "void_round_and_renew_seal",
    "void_round_in_progress",
    "withdraw_device",
]
"""Every public method that carries out a command."""


def find_commands() -> dict[str, type]:
    """The public methods that build a command, by themselves or through another method, and their classes."""
    folder = Path(commands.__file__).parent
    calls: defaultdict[str, set[str]] = defaultdict(set)
    for definition in (part for file in sorted(folder.glob("*.py")) for part in ast.parse(file.read_text()).body):
        for method in definition.body if isinstance(definition, ast.ClassDef) else ():
            if isinstance(method, ast.FunctionDef):
                calls[method.name] |= set(_find_calls(method))
    calls["get_room_secret"].clear()  # it makes the secret on its first use, and every request uses it
    carried_out = {"build_command"}
    while found := {name for name, called in calls.items() if called & carried_out} - carried_out:
        carried_out |= found
    return {
        name: next(owner for owner in CardRoom.__mro__ if name in vars(owner))
        for name in carried_out
        if not name.startswith("_") and hasattr(CardRoom, name)
    }


def _find_calls(method: ast.FunctionDef) -> Iterator[str]:
    """The methods of its own object that a method calls or names, but for those that it only lists."""
    for node in ast.walk(method):
        if (
            isinstance(node, ast.Attribute)
            and ast.unparse(node.value) == "self"
            and method.name != "_list_destinations"
        ):
            yield node.attr


def test_no_command_is_missing_in_the_list() -> None:
    assert sorted(find_commands()) == COMMANDS


class Transactions:
    """Counts the transactions of each command, where the ledger begins them."""

    def __init__(self) -> None:
        self.counts: defaultdict[str, list[Counter[str]]] = defaultdict(list)
        """By public method, for each call the transactions of each command that it carried out."""
        self._under_way: list[Counter[str]] = []

    def watch_method(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def watched(*args: Any, **more: Any) -> Any:
            counted = Counter[str]()
            self._under_way.append(counted)
            try:
                return method(*args, **more)
            finally:
                self._under_way.pop()
                self.counts[name].append(counted)

        return watched

    def watch_begin(self, begin: Callable[..., LockedState]) -> Callable[..., LockedState]:
        def watched(store: Any, chains: Any, ids: list[str], *more: Any) -> LockedState:
            for counted in self._under_way:
                counted.update(ids)
            return begin(store, chains, ids, *more)

        return watched


def everything_else(card_room: CardRoom, clock: HandClock, folder: Path) -> None:
    """The commands that the other scenes leave out."""
    open_deuces(card_room)
    card_room.register_device("d1", "Olga", "wild-1", "A1", "data-logger")
    logger = log_rounds(5)
    arrived = lines(logger.waiting[:1] + logger.waiting[3:])
    held = card_room.import_logger_lines("l1", "device A1", "wild-1", arrived, lost_up_to=3)
    card_room.hold_device("h1", "device A1", "A1", held.held_up, held.gap)
    card_room.accept_logger_gap("g1", "Rosa", "A1", "the memory was wet", second="Lee")
    card_room.accept_logger_records(new_id(), "Olga", "wild-1", 3, "the network was down", second="Carl")
    card_room.release_device("h2", "device A1", "A1")
    card_room.hold_device("h3", "device A1", "A1", "too many rounds", too_many=True)
    card_room.refuse_device_rounds(new_id(), "Olga", "A1", "nobody played", second="Carl")

    open_room(card_room)
    card_room.tabulate_all(presses("prime-1", 1))
    card_room.unlink_jackpot(new_id(), "Olga", "prime-1", "final-four", "a new place")
    card_room.move_tabulator(new_id(), "Olga", "prime-1", "Spokane", "a new place")

    table = "quiet-1"
    open_prime(card_room, PlayTerms(betting=0, deciding=0), table, 3)
    ann, bob = guests(card_room, 2, table)
    card_room.place_wagers(new_id(), ann, table, ANTE)
    card_room.call_absent_player(new_id(), bob, table)
    clock.wait(60)
    card_room.remove_absent_player(new_id(), bob, table)
    card_room.void_round_in_progress(new_id(), "Olga", table, "the cards fell", second="Carl")
    card_room.place_wagers(new_id(), ann, table, ANTE)
    card_room.void_round_and_renew_seal(new_id(), "Olga", table, "the key may be public", second="Carl")

    heads = to_folder(folder / "heads")
    card_room.export_heads(heads)
    assert heads.signing_key is not None
    heads.signing_key.unlink()
    create_signing_key(heads.signing_key)
    card_room.replace_heads_key(new_id(), "Olga", heads, "it is lost", second="Carl")

    key = card_room.ledger.vault.key
    card_room.renew_after_rotation(new_id(), "Olga", "once a year", refuse_to_sign, second="Carl")
    card_room.renew_after_restore(new_id(), "Olga", "Carl", key, refuse_to_sign)


def end_a_session(card_room: CardRoom) -> None:
    """Another person ends a session."""
    staff.open_staff(card_room)
    session = card_room.sign_in("dora", staff.password_of("dora"), staff.HERE).session
    card_room.choose_password(session, staff.password_of("dora"), staff.new_password_of("dora"), staff.HERE)
    card_room.end_user_session(new_id(), staff.FIRST, "dora", session.digest, "left the tablet")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def transactions(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Transactions]:
    """Every command, carried out at least once."""
    staff.hash_quickly()
    folder, counted = tmp_path_factory.mktemp("transactions"), Transactions()
    with pytest.MonkeyPatch.context() as patch:
        for store in (SqliteStore, PostgresqlStore):
            patch.setattr(store, "begin", counted.watch_begin(store.begin))
        for name, owner in find_commands().items():
            patch.setattr(owner, name, counted.watch_method(name, getattr(owner, name)))

        def database(name: str) -> AbstractContextManager[str]:
            if request.param == "sqlite":
                return _file(folder / f"{name}.db")
            return fresh_database(request.getfixturevalue("server"), f"transactions_{name}")

        with database("all") as url, open_ledger(url) as ledger, pytest.MonkeyPatch.context() as scene_patch:
            run_every_command(CardRoom(ledger), scene_patch)
        for scene in (jackpots, tables):
            inputs = ScriptInputs()
            with database(scene.__name__) as url, open_ledger(url, inputs.clock) as ledger:
                scene(ledger, inputs, patch)
        clock = HandClock()
        with database("rest") as url, open_ledger(url, clock) as ledger:
            everything_else(CardRoom(ledger, clock), clock, folder)
        with database("users") as url, open_ledger(url) as ledger:
            end_a_session(CardRoom(ledger))
        yield counted


@contextmanager
def _file(path: Path) -> Iterator[str]:
    yield empty_ledger(path)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_one_transaction(transactions: Transactions, command: str) -> None:
    calls = [counted for counted in transactions.counts[command] if counted]
    assert calls, "no scene carries it out"
    assert {id: number for counted in calls for id, number in counted.items() if number != 1} == {}
