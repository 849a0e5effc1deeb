"""Adds a table: its game's setup, its options, and the tabulator that counts its jackpot wagers.

Tables: added, paused, removed; and the players who sit down and leave.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from cardroom.errors import BadInput, quote
from cardroom.games import TableSetup, game
from cardroom.games.setup import setup_to_json
from cardroom.ledger import Clock, Command, Json, Lease, Ledger, UniqueKey, system_clock
from cardroom.room.codec import wager_order
from cardroom.room.dual_control import require_text
from cardroom.room.event_types import DomainEvent
from cardroom.room.player.account import ChipsBought, ChipsReturned
from cardroom.room.setup.tabulator_models import bet_tabulator_model
from cardroom.room.table.automatic_round import RoundPosition, round_seal
from cardroom.room.table.events import SeatLeft, TableClosed, TableOpened, TablePaused, TableResumed
from cardroom.room.table.reducer import (
    PRACTICE_PREFIX,
    apply_table_event,
    practice_prefix,
    revealed_key_key,
    round_start_key,
)
from cardroom.room.table.seats import find_seat_to_free, leave_seat, require_open_seating, seat_bot, take_seat
from cardroom.room.table.state import Occupant, TablePhase, TableState, round_id
from cardroom.room.table.terms import DealingMode, PlayTerms, WrongPhase, validate_terms
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.service.chains.aggregates import TABLES, UnknownTable
from cardroom.service.chains.names import parse_table_chain, table_chain
from cardroom.service.commands.handler import KeyFactory, generate_key
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.results import TableResult, decode_table_result, encode_table_result
from cardroom.service.commands.tabulation import TabulationCommands
from cardroom.service.commands.unit_of_work import UnitOfWork

A = TypeVar("A")
_TABLE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,59}")


class CannotAddTable(BadInput):
    """A table that cannot be added."""


def refuse_if_open(before: TableState | None) -> None:
    """An open table keeps its setup."""
    if before is not None and not before.closed:
        raise WrongPhase(f"Table {before.table} is open already: close it before you change its setup.")


def refuse_during_round(state: TableState) -> None:
    """A round in progress ends under the setup with which it began."""
    if state.phase is TablePhase.PLAYING:
        raise WrongPhase(
            f"Round {state.round} is in progress at {state.table}: pause the table, and try again when the round has "
            "ended."
        )


def refuse_bad_name(table: str, owner: str) -> None:
    """A table's name is short and plain, and does not look like a player's own practice table."""
    if not _TABLE_NAME.fullmatch(table):
        raise CannotAddTable(f"{quote(table)} cannot be a table's name: use 1 to 60 letters, digits, and dashes.")
    if table.startswith(PRACTICE_PREFIX) and not owner:
        raise CannotAddTable(
            f"{table} looks like a player's own practice table: choose a name that does not begin with "
            f"{PRACTICE_PREFIX!r}."
        )


def check_table(table: str, setup: TableSetup, terms: PlayTerms, tabulator_state: TabulatedTableState | None) -> None:
    """Refuse what no table can be."""
    refuse_bad_name(table, terms.owner)
    at = game(setup.game).open(setup)
    validate_terms(terms, setup)
    linked = set[str]()
    if tabulator_state is not None and not tabulator_state.closed:
        if tabulator_state.game_setup != setup:
            raise CannotAddTable(
                f"The tabulator of {table} has another layout than the table: use the same setup for both."
            )
        if (
            terms.mode is DealingMode.AUTOMATIC
            and bet_tabulator_model(tabulator_state.tabulator.table.tabulator).data_logger
        ):
            raise CannotAddTable(
                f"The tabulator of {table} counts through a data logger, which no program presses: an automatic "
                "table needs a tabulator with a button."
            )
        if tabulator_state.money is not terms.money:
            raise CannotAddTable(
                f"The jackpots of {table} are for {tabulator_state.money.label}, and the table plays for "
                f"{terms.money.label}: link jackpots for the same money."
            )
        linked = {wager.wager for wager in tabulator_state.active_table.wagers if wager.jackpot is not None}
    if terms.mode is DealingMode.LIVE:
        return
    for slug, offered in at.offers.items():
        if offered.has_meter and slug not in linked:
            raise CannotAddTable(
                f"{offered.wager.name} pays a share of a meter ({offered.paytable.name}), and no jackpot of {table} "
                "has one: link the table to a jackpot first, choose another paytable, or leave the wager out."
            )


class SeatedBot(NamedTuple):
    """A bot that sits at a table from the beginning, with this amount in chips, in cents."""

    seat: int
    name: str
    cents: int


class TableCommands(TabulationCommands):
    """Adds tables and seats players."""

    def __init__(self, ledger: Ledger, clock: Clock = system_clock, keys: KeyFactory = generate_key) -> None:
        super().__init__(ledger, clock, keys)
        self._cached_keys: dict[str, bytes] = {}
        """Keys of coming rounds or rounds in progress, by their seals."""
        self._own_seals: dict[str, str] = {}
        """By table, the seal that this program drew last."""
        self._cached_positions: dict[str, tuple[tuple[object, ...], RoundPosition]] = {}
        """By table, the round in progress, with the seal, wagers, and decisions from which it follows."""

    def list_tables(self) -> tuple[str, ...]:
        """The tables that have been added, including closed ones."""
        return tuple(self.read_table_versions())

    def list_practice_tables(self, player: str) -> tuple[str, ...]:
        """A player's own practice tables, including closed ones."""
        return tuple(self.read_table_versions(practice_prefix(player)))

    def read_table_versions(self, prefix: str = "", excluded_prefix: str = "") -> dict[str, int]:
        """The number of events of each table whose name begins with the prefix: a cheap way to notice what another
        program does. Names with ``excluded_prefix`` are left out."""
        versions = self.ledger.chain_lengths(
            table_chain(prefix), table_chain(excluded_prefix) if excluded_prefix else ""
        )
        return {table: events for chain, events in versions.items() if (table := parse_table_chain(chain)) is not None}

    def read_table_version(self, table: str) -> int:
        """The number of events of a table; 0 for one that was never added."""
        head = self.ledger.head(table_chain(table))
        return head.sequence if head else 0

    # The table itself.

    def _open_play(
        self,
        uow: UnitOfWork,
        who: str,
        table: str,
        setup: TableSetup,
        terms: PlayTerms,
        tabulator_state: TabulatedTableState | None,
        bots: Sequence[SeatedBot] = (),
    ) -> TableState:
        before = uow.table(table) if uow.has(TABLES, table) else None
        refuse_if_open(before)
        check_table(table, setup, terms, tabulator_state)
        entry = setup_to_json(setup)
        number, opening = (before.number, before.opening + 1) if before else (1, 1)
        # A dealer shuffles real cards: there is no key to seal.
        seal = "" if terms.mode is DealingMode.LIVE else self._seal_next_round(uow, table, number)
        opened = TableOpened(
            table,
            require_text(who, "name of the person who opens it"),
            opening,
            entry,
            wager_order(entry),
            terms,
            seal,
            tabulator_state is not None and not tabulator_state.closed,
        )
        state = uow.apply_to_table(table, (opened,))
        for one in bots:
            state = uow.apply_to_table(table, (seat_bot(state, *one, uow.now),))
        return state

    def pause_table(self, id: str, who: str, table: str, why: str) -> TableResult:
        """Let no new round begin. A round in progress continues to its end; wagers for the next one go back."""

        def decide(state: TableState) -> Sequence[DomainEvent]:
            if state.paused:
                raise WrongPhase(f"Table {table} is paused already: {state.paused}.")
            return (
                TablePaused(table, require_text(who, "name of the person who pauses it"), require_text(why, "reason")),
            )

        return self._change_table(id, "pause-table", who, table, why, decide)

    def resume_table(self, id: str, who: str, table: str) -> TableResult:
        """Let rounds begin again."""

        def decide(state: TableState) -> Sequence[DomainEvent]:
            if not state.paused:
                raise WrongPhase(f"Table {table} is not paused.")
            return (TableResumed(table, require_text(who, "name of the person who lets it go on")),)

        return self._change_table(id, "resume-table", who, table, "", decide)

    def _change_table(
        self,
        id: str,
        action: str,
        who: str,
        table: str,
        why: str,
        decide: Callable[[TableState], Sequence[DomainEvent]],
    ) -> TableResult:
        body: dict[str, Json] = {"do": action, "who": who, "table": table, "why": why}

        def decide_result(uow: UnitOfWork) -> Json:
            new_events = decide(_require_open(uow.table(table)))
            return self._encode_result(uow, uow.apply_to_table(table, new_events), len(new_events))

        return self._execute_at_table(id, table, body, decide_result)

    def _close_play(self, uow: UnitOfWork, state: TableState, who: str, why: str) -> TableState:
        """Every player gets the chips back, and the key of the round that was never dealt is revealed."""
        table = state.table
        refuse_during_round(state)
        for seated_player in state.seats:
            state = self._leave_seat(uow, state, seated_player)
        key = self._load_key(state).hex() if state.seal else ""
        closed_event = TableClosed(
            table, require_text(who, "name of the person who closes it"), require_text(why, "reason"), key
        )
        if state.seal:
            uow.reveal_secret(table_chain(table), state.seal)
        return uow.apply_to_table(table, (closed_event,))

    def _lock_closing(self, state: TableState) -> Locks:
        """The locks of closing play: the players who leave, and the key that is revealed."""
        players = [seated_player.player for seated_player in state.seats if not seated_player.is_bot]
        key = self._load_key(state) if state.seal else b""
        return Locks(players=players, unique_keys=round_unique_keys(state, key))

    # Players.

    def take_seat(
        self, id: str, player: str, table: str, seat: int | None = None, buy_in: int | None = None
    ) -> TableResult:
        """Sit down with chips, or buy more of them. Without a seat it is the first free one, without an amount the
        customary one, or the balance when that is less."""
        body: dict[str, Json] = {"do": "take-seat", "player": player, "table": table, "seat": seat, "buy_in": buy_in}

        def decide(uow: UnitOfWork) -> Json:
            state, now = require_visible(uow.table(table), player), uow.now
            if way := find_seat_to_free(state, player, seat, now):
                left, other_player = way
                state = self._return_chips(uow, uow.apply_to_table(table, (left,)), left, other_player)
            seat_event = take_seat(state, uow.player_account(player), seat, buy_in, now)
            uow.apply_to_player_account(
                player, (ChipsBought(player, table, seat_event.seat, seat_event.cents, state.number),)
            )
            return self._encode_result(uow, uow.apply_to_table(table, (seat_event,)), seat_event.seat)

        def lock(state: TableState) -> Locks:
            way = find_seat_to_free(state, player, seat, self.clock())
            return Locks(players=[player, *([way[1].player] if way and not way[1].is_bot else [])])

        return self._execute_at_table(id, table, body, decide, lock)

    def leave_seat(self, id: str, player: str, table: str) -> TableResult:
        """Leave: chips go back to the balance. Wagers of a round in progress stay, and the default action is taken."""
        body: dict[str, Json] = {"do": "leave-seat", "player": player, "table": table}

        def decide(uow: UnitOfWork) -> Json:
            state = require_visible(uow.table(table), player)
            seated_player = require_seat(state, player)
            state = self._leave_seat(uow, state, seated_player)
            state = self._continue_after_leaving(uow, state)
            return self._encode_result(uow, state, seated_player.seat)

        def lock(state: TableState) -> Locks:
            left = leave_seat(state, require_seat(state, player))
            return Locks(players=[player]) | self._lock_after_leaving(apply_table_event(state, left))

        return self._execute_at_table(id, table, body, decide, lock)

    def seat_bot(
        self, id: str, who: str, table: str, seat: int, name: str, cents: int, *, lease: Lease | None = None
    ) -> TableResult:
        """Seat a bot, or bring it more chips; for play money only."""
        body: dict[str, Json] = {
            "do": "seat-bot",
            "who": who,
            "table": table,
            "seat": seat,
            "name": name,
            "cents": cents,
        }

        def decide(uow: UnitOfWork) -> Json:
            seat_event = seat_bot(uow.table(table), seat, name, cents, uow.now)
            return self._encode_result(uow, uow.apply_to_table(table, (seat_event,)), seat)

        return self._execute_at_table(id, table, body, decide, lease=lease)

    def remove_bot(self, id: str, who: str, table: str, seat: int) -> TableResult:
        """Remove a bot."""
        body: dict[str, Json] = {"do": "remove-bot", "who": who, "table": table, "seat": seat}

        def decide(uow: UnitOfWork) -> Json:
            state = require_open_seating(uow.table(table))
            seated_player = require_bot(state, seat)
            state = self._leave_seat(uow, state, seated_player)
            return self._encode_result(uow, self._continue_after_leaving(uow, state), seat)

        def lock(state: TableState) -> Locks:
            return self._lock_after_leaving(apply_table_event(state, leave_seat(state, require_bot(state, seat))))

        return self._execute_at_table(id, table, body, decide, lock)

    def _leave_seat(self, uow: UnitOfWork, state: TableState, seated_player: Occupant) -> TableState:
        """Free a seat; its player takes the chips along."""
        return self._return_chips(
            uow, uow.apply_to_table(state.table, (left := leave_seat(state, seated_player),)), left, seated_player
        )

    def _return_chips(self, uow: UnitOfWork, after: TableState, left: SeatLeft, seated_player: Occupant) -> TableState:
        if not seated_player.is_bot:
            is_free = not left.has_wagers
            back = ChipsReturned(
                seated_player.player, after.table, seated_player.seat, left.cents, after.number, is_free
            )
            uow.apply_to_player_account(seated_player.player, (back,))
        return after

    def _continue_after_leaving(self, uow: UnitOfWork, state: TableState) -> TableState:
        """What follows when a player has left; the round commands override it."""
        raise NotImplementedError

    def _lock_after_leaving(self, state: TableState) -> Locks:
        """What that locks; the round commands override it."""
        raise NotImplementedError

    # What every command at a table does.

    def _execute_at_table(
        self,
        id: str,
        table: str,
        body: dict[str, Json],
        decide: Callable[[UnitOfWork], Json],
        lock: Callable[[TableState], Locks] | None = None,
        lease: Lease | None = None,
    ) -> TableResult:
        """Carry out a command at a table. ``lock`` says what it locks beside the table, from the table's state. What
        the program does by itself it does under the lease of the table."""

        def prepare() -> Command:
            locks = Locks(tables=[table]) | (self._find_locks(table, lock) if lock is not None else Locks())
            return self.build_command(id, body, locks, decide, lease)

        return self.execute_prepared(prepare, decode_table_result)

    def _find_locks(self, table: str, lock: Callable[[TableState], Locks]) -> Locks:
        """What a command locks beside the table; nothing where the table refuses it, as the decision will, unless it is
        a command that was carried out before."""
        try:
            return lock(self.table(table))
        except BadInput:
            return Locks()

    def _encode_result(self, uow: UnitOfWork, state: TableState, seat: int | None = None) -> Json:
        return encode_table_result(state, uow.count_events(table_chain(state.table)), seat)

    def _seal_next_round(self, uow: UnitOfWork, table: str, number: int) -> str:
        """Seal the key of the next round; it stays secret until the round has ended."""
        key, id = self.generate_key(), round_id(table, number)
        seal = round_seal(key, id).commitment
        uow.put_secret(table_chain(table), seal, key)
        self._cache_key(seal, key)
        self._own_seals[table] = seal
        return seal

    def _cache_key(self, seal: str, key: bytes) -> None:
        self._cached_keys[seal] = key
        while len(self._cached_keys) > 10_000:
            self._cached_keys.pop(next(iter(self._cached_keys)), None)

    def _load_key(self, state: TableState) -> bytes:
        """The key of the round that a table plays, or plays next."""
        key = self._cached_keys.get(state.seal)
        if key is None:
            key = self.ledger.read_secret(table_chain(state.table), state.seal)
            if key is None or not round_seal(key, state.round).matches(state.seal):
                raise RoundKeyLost(
                    f"The database no longer has the key of round {state.round}: two people renew the keys of the "
                    "coming rounds (cardroom key replace)."
                )
            self._cache_key(state.seal, key)
        return key


class RoundKeyLost(WrongPhase):
    """The key of a round was deleted outside the program."""


def _require_open(state: TableState) -> TableState:
    if state.closed:
        raise WrongPhase(f"Table {state.table} is closed: {state.closed}.")
    return state


def require_visible(state: TableState, player: str) -> TableState:
    """The table, if the player may see it: only its owner sees a private table."""
    if state.terms.owner not in ("", player):
        raise UnknownTable(f"There is no table {state.table!r} to play at: check its name.")
    return state


def require_seat(state: TableState, player: str) -> Occupant:
    """The seat that a player has."""
    seated_player = _require_open(state).seat_of(player)
    if seated_player is None:
        raise WrongPhase(f"You have no seat at {state.table}: take one first.")
    return seated_player


def require_bot(state: TableState, seat: int) -> Occupant:
    seated_player = state.occupant(seat)
    if seated_player is None or not seated_player.is_bot:
        raise WrongPhase(f"No bot sits at seat {seat} of {state.table}.")
    return seated_player


def round_unique_keys(state: TableState, key: bytes = b"") -> tuple[UniqueKey, ...]:
    """The unique keys of a round's events, with its key when it is revealed."""
    at, id = table_chain(state.table), state.round
    return (
        UniqueKey(at, round_start_key(id)),
        UniqueKey(at, id),
        *((UniqueKey(at, revealed_key_key(key.hex())),) if key else ()),
    )
