"""Every command of the card room is one transaction, on both databases."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, Final

import pytest

from cardroom.heads.keys import create_signing_key
from cardroom.ledger import Ledger, open_ledger, system_clock
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
    "add_table",
    "answer_call",
    "apply_timeout",
    "begin_live_round",
    "call_absent_player",
    "change_table",
    "claims.claim_hand",
    "claims.claim_prizes",
    "claims.refuse",
    "claims.reverse_prizes",
    "clear_tabulator_fault",
    "count_by_hand",
    "days.close",
    "days.open",
    "end_live_round",
    "heads.export",
    "heads.replace_key",
    "heads.send",
    "hold_device",
    "import_logger_lines",
    "import_logger_records",
    "jackpots.add_seed",
    "jackpots.change_bonus",
    "jackpots.change_parameters",
    "jackpots.correct_malfunction",
    "jackpots.deposit_to_bank",
    "jackpots.disable",
    "jackpots.enable",
    "jackpots.lower_to_ceiling",
    "jackpots.open",
    "jackpots.reconcile",
    "jackpots.recover_seed",
    "jackpots.reimburse_cage",
    "jackpots.remove",
    "jackpots.remove_undisplayed_money",
    "leave_seat",
    "link_table",
    "make_bot_decision",
    "make_decision",
    "malfunctions.close",
    "malfunctions.report",
    "malfunctions.send",
    "move_table",
    "pause_table",
    "payments.pay",
    "place_bot_wagers",
    "place_wagers",
    "players.admit_guest",
    "players.admit_player",
    "players.pay_in",
    "players.pay_out",
    "promotions.announce",
    "promotions.end",
    "promotions.pay",
    "read_counter",
    "record_key_backup",
    "refuse_device_rounds",
    "register_device",
    "release_device",
    "remove_absent_player",
    "remove_bot",
    "remove_table",
    "renew_after_restore",
    "renew_after_rotation",
    "renew_device_token",
    "renew_seals",
    "replace_key",
    "report_lights",
    "report_tabulator_fault",
    "resume_table",
    "reverse_reading",
    "rotate_key",
    "seat_bot",
    "site.configure",
    "site.confirm_clock",
    "site.confirm_restore",
    "skip_records",
    "tabulate",
    "tabulate_all",
    "take_seat",
    "take_step",
    "type_cards",
    "undo_step",
    "unlink_table",
    "users.acknowledge_recovery",
    "users.add",
    "users.add_first_operator",
    "users.assign_role",
    "users.choose_password",
    "users.choose_pin",
    "users.countersign",
    "users.deactivate",
    "users.end_session",
    "users.end_user_session",
    "users.expire_password",
    "users.lock_session",
    "users.recover",
    "users.recover_operator",
    "users.sign_in",
    "users.unlock_session",
    "void_automatic_round",
    "void_live_round",
    "void_round",
    "void_round_and_renew_seal",
    "void_round_in_progress",
    "withdraw_device",
]
"""Every public method that carries out a command."""
HANDLER: Final = {"execute", "execute_prepared", "attempt", "build_command"}
"""How all of them are carried out."""


def find_commands() -> dict[str, tuple[type, str]]:
    """The public methods that build a command, by themselves or through another method, each with its class."""
    services = {name: type(part).__name__ for name, part in vars(a_card_room()).items() if is_service(part)}
    folder = Path(commands.__file__).parent
    calls: defaultdict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for definition in (part for file in sorted(folder.glob("*.py")) for part in ast.parse(file.read_text()).body):
        for method in definition.body if isinstance(definition, ast.ClassDef) else ():
            if isinstance(method, ast.FunctionDef):
                owner = definition.name if definition.name in services.values() else CardRoom.__name__
                calls[owner, method.name] |= set(_find_calls(method, owner, services))
    calls[CardRoom.__name__, "get_room_secret"].clear()  # it makes the secret once, and every request uses it
    carried_out = {(CardRoom.__name__, "build_command")}
    while found := {method for method, called in calls.items() if called & carried_out} - carried_out:
        carried_out |= found
    names = {owner: f"{name}." for name, owner in services.items()} | {CardRoom.__name__: ""}
    classes = {type(part).__name__: type(part) for part in vars(a_card_room()).values()}
    return {
        names[owner] + method: (
            next(part for part in classes.get(owner, CardRoom).__mro__ if method in vars(part)),
            method,
        )
        for owner, method in carried_out
        if not method.startswith("_") and hasattr(classes.get(owner, CardRoom), method)
        if owner != CardRoom.__name__ or method not in HANDLER
    }


def a_card_room() -> CardRoom:
    """A card room whose ledger is never used."""
    return CardRoom(Ledger(SqliteStore.__new__(SqliteStore), system_clock))


def is_service(part: object) -> bool:
    """Whether an attribute of a card room is one of its services."""
    return type(part).__name__.endswith("Service")


def _find_calls(method: ast.FunctionDef, owner: str, services: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The methods of the card room that a method calls or passes on."""
    for node in ast.walk(method) if method.name != "_list_destinations" else ():  # it only names how they are sent to
        if isinstance(node, ast.Attribute):
            match ast.unparse(node.value).split("."):
                case ["self"]:
                    yield owner, node.attr
                case ["self", "_handler"]:
                    yield CardRoom.__name__, node.attr
                case ["self", part] if part in services:
                    yield services[part], node.attr


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
    card_room.unlink_table(new_id(), "Olga", "prime-1", "final-four", "a new place")
    card_room.move_table(new_id(), "Olga", "prime-1", "Spokane", "a new place")

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
    card_room.heads.export(heads)
    assert heads.signing_key is not None
    heads.signing_key.unlink()
    create_signing_key(heads.signing_key)
    card_room.heads.replace_key(new_id(), "Olga", heads, "it is lost", second="Carl")

    key = card_room.ledger.vault.key
    card_room.renew_after_rotation(new_id(), "Olga", "once a year", refuse_to_sign, second="Carl")
    card_room.renew_after_restore(new_id(), "Olga", "Carl", key, refuse_to_sign)


def end_a_session(card_room: CardRoom) -> None:
    """Another person ends a session."""
    staff.open_staff(card_room)
    session = card_room.users.sign_in("dora", staff.password_of("dora"), staff.HERE).session
    card_room.users.choose_password(session, staff.password_of("dora"), staff.new_password_of("dora"), staff.HERE)
    card_room.users.end_user_session(new_id(), staff.FIRST, "dora", session.digest, "left the tablet")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def transactions(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Transactions]:
    """Every command, carried out at least once."""
    staff.hash_quickly()
    folder, counted = tmp_path_factory.mktemp("transactions"), Transactions()
    with pytest.MonkeyPatch.context() as patch:
        for store in (SqliteStore, PostgresqlStore):
            patch.setattr(store, "begin", counted.watch_begin(store.begin))
        for name, (owner, method) in find_commands().items():
            patch.setattr(owner, method, counted.watch_method(name, getattr(owner, method)))

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
