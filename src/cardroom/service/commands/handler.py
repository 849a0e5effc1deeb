"""Command handlers: everything that a command changes is locked, decided, and stored in one transaction.

A command is prepared from committed states, which say what it locks. If they have changed in a way that matters when it
holds its locks, it is prepared again: only here, and only a few times.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

import orjson

from cardroom.cards.shuffle import KEY_BYTES
from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput
from cardroom.games.jurisdiction import jurisdiction
from cardroom.ledger import (
    Clock,
    Command,
    CommandOutcome,
    CommandResult,
    Head,
    Json,
    Lease,
    Ledger,
    UniqueKey,
    system_clock,
)
from cardroom.ledger.canonical_json import body_digest
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.site.events import SecretRecorded
from cardroom.room.table.state import parse_round_id
from cardroom.room.table.terms import DealingMode
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.room.user.command_ids import stored_command_id, user_command_id
from cardroom.room.user.sign_in import SignInFailed, countersign
from cardroom.service.chains.aggregates import Aggregate, UnknownTable
from cardroom.service.chains.names import (
    ROOM_CHAIN,
    jackpot_chain,
    parse_jackpot_chain,
    parse_promotion_chain,
    parse_tabulator_chain,
    promotion_chain,
    table_chain,
    tabulator_chain,
    user_chain,
)
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.second_signature import (
    Signature,
    SignatureRequest,
    describe_command,
    find_cosigners,
    get_signature,
    refuse_signer,
    signature_mismatch,
    stop_if_previewing,
)
from cardroom.service.commands.unit_of_work import StateAccess, StateCache, StateChanged, UnitOfWork, refuse_too_large
from cardroom.service.queries.chain_history import RoundAftermath, trace_round
from cardroom.service.queries.past_live_rounds import TypedLiveRound, find_typed_round
from cardroom.service.queries.site import digest_secret

A = TypeVar("A")
Body = Mapping[str, Json]
Decide = Callable[[UnitOfWork], Json]
"""Decides a command on a unit of work: appends the events and returns the result."""


KeyFactory = Callable[[], bytes]
"""Where keys come from; tests pass their own."""


def generate_key() -> bytes:
    """A key that cannot be guessed."""
    return secrets.token_bytes(KEY_BYTES)


THE_HOUSE: Final = "the house"
MAX_ATTEMPTS: Final = 10
"""How often a command is prepared and tried."""


class SecretLost(BadInput):
    """The room's secret was deleted outside the program."""


class CommandHandler(StateAccess):
    """A ledger with a cache of states. Threads may share a handler; each process has its own."""

    _secret: tuple[str, bytes] | None = None
    """The room's secret with its digest. Every request that shows a token needs it, so it is read once."""

    def __init__(self, ledger: Ledger, clock: Clock = system_clock, keys: KeyFactory = generate_key) -> None:
        self.ledger = ledger
        self.clock, self.generate_key = clock, keys
        self.state_cache = StateCache()

    def _load_state(self, aggregate: Aggregate[A], id: str) -> A:
        head = self.ledger.head(aggregate.chain_name(id))
        if head is None:
            raise aggregate.make_unknown(id)
        return self.state_cache.load(aggregate, head)

    def today(self) -> date:
        """Today's date by the room's clock."""
        return self.calendar.local(self.clock()).date()

    def list_tabulators(self) -> tuple[str, ...]:
        """The tables that have been added."""
        return tuple(table for chain in self.ledger.chains() if (table := parse_tabulator_chain(chain)) is not None)

    def list_jackpots(self) -> tuple[str, ...]:
        """The jackpots that have been added, including removed ones."""
        return tuple(jackpot for chain in self.ledger.chains() if (jackpot := parse_jackpot_chain(chain)) is not None)

    def read_house_versions(self) -> dict[str, int]:
        """The number of events on each chain of the card room's own: jackpots, promotions, tables, the room."""
        kinds = (jackpot_chain(""), promotion_chain(""), tabulator_chain(""), ROOM_CHAIN)
        return {chain: events for kind in kinds for chain, events in self.ledger.chain_lengths(kind).items()}

    def list_promotions(self) -> tuple[str, ...]:
        """The promotions that have been announced, including ended ones."""
        return tuple(name for chain in self.ledger.chains() if (name := parse_promotion_chain(chain)) is not None)

    def build_command(
        self,
        id: str,
        body: Body,
        locks: Locks,
        decide: Decide,
        lease: Lease | None = None,
    ) -> Command:
        refuse_too_large(body)
        stop_if_previewing(lambda: describe_command(body, self))
        stored = stored_command_id(id, body)
        signatures = self._collect_signatures(stored, body)

        def decide_signed(heads: Mapping[str, Head | None]) -> CommandOutcome:
            uow = UnitOfWork(self.state_cache, heads, locks.unique_keys, self.clock)
            for one in signatures:
                if (act := describe_command(body, uow)) != one.request.description:
                    raise signature_mismatch(one, act)
            answer = decide(uow)
            for one in signatures:
                self._attach_signature(uow, one)
            return uow.build_outcome(answer)

        if signatures:
            locks |= Locks(users=[signature.request.login for signature in signatures])
        return Command(stored, locks.chains, body, decide_signed, tuple(locks.unique_keys), lease, displayed_id=id)

    def find_command_result(self, who: str, id: str) -> CommandResult | None:
        """The result of an earlier command of this user with this id."""
        return self.ledger.find_result(user_command_id(who, id))

    def _collect_signatures(self, id: str, body: Body) -> tuple[Signature, ...]:
        """The signatures of all people whom a command names beside its sender. A room without users needs none, and a
        command that was carried out before was signed then."""
        beside = find_cosigners(body)
        if not beside or not self.ledger.chains(user_chain("")) or self.ledger.find_result(id) is not None:
            return ()
        digest, act, who = body_digest(body).hex(), describe_command(body, self), str(body["who"])
        return tuple(
            get_signature(SignatureRequest(part, login, who, id, digest, act)) for part, login in beside.items()
        )

    def _attach_signature(self, uow: UnitOfWork, signature: Signature) -> None:
        """Store a signature with what was signed."""
        to_sign, state = signature.request, uow.user(signature.request.login)
        if state.password != signature.password or not state.is_active:
            raise SignInFailed(
                f"{state.login} can no longer sign: have {state.login} sign in again, or name another person."
            )
        refuse_signer(state, signature.permission)
        signed = countersign(
            state, to_sign.sender, to_sign.description, signature.address, to_sign.command, to_sign.digest
        )
        uow.apply_to_user(state.login, signed)

    def execute(
        self,
        id: str,
        body: Body,
        locks: Locks,
        decide: Decide,
        decode: Callable[[Any], A],
    ) -> A:
        """Carry out a command whose locks follow from its fields."""
        return self.execute_prepared(lambda: self.build_command(id, body, locks, decide), decode)

    def execute_prepared(self, prepare: Callable[[], Command], decode: Callable[[Any], A]) -> A:
        """Carry out a command that is prepared from committed states."""
        return self.attempt(lambda: decode(self.ledger.execute(prepare()).response))

    def attempt(self, attempt: Callable[[], A]) -> A:
        """Prepare and carry out a command; again where another one came between the two. A person who is as unlucky as
        this ten times sends the command again."""
        for _ in range(MAX_ATTEMPTS - 1):
            with suppress(StateChanged):
                return attempt()
        return attempt()

    # The room's own secret recognizes sessions, tokens of guests, and tokens of devices. The database has it encrypted
    # under the room's key, and the key is kept elsewhere: a person who reads or writes the database can neither make a
    # token nor recognize one.

    def get_room_secret(self) -> bytes:
        """The room's own secret of 32 bytes, created on first use. No event and no response contains it."""
        if self._secret is None:
            self._secret = self._load_room_secret()
        return self._secret[1]

    def _load_room_secret(self) -> tuple[str, bytes]:
        if not self.room().secret:
            self._create_room_secret()
        seal = self.room().secret
        secret = self.ledger.read_secret(ROOM_CHAIN, seal)
        if secret is None or digest_secret(secret) != seal:
            raise SecretLost("The database no longer has the room's secret: restore the last backup.")
        return seal, secret

    def _create_room_secret(self) -> None:
        secret, key = self.generate_key(), self.ledger.vault.key.fingerprint
        seal = digest_secret(secret)

        def decide(uow: UnitOfWork) -> Json:
            if not uow.room().secret:  # another program may have been quicker
                uow.put_secret(ROOM_CHAIN, seal, secret)
                uow.apply_to_room((SecretRecorded(THE_HOUSE, seal, key),))
            return None

        self.execute(f"secret/{seal}", {"do": "seal-secret"}, Locks(room=True), decide, lambda _: None)


class AutomaticTableRefusal(BadInput):
    """A dealer's action that an automatic table does not accept."""


@lru_cache(1024)
def can_be_automatic(money: Currency, setup: str) -> bool:
    """Whether a table with this currency and this setup can be automatic at all. Most tables need no further check."""
    return money is Currency.PLAY or jurisdiction(orjson.loads(setup)["jurisdiction"]).allows_automatic_tables


def read_shown_amounts(uow: UnitOfWork, table: TabulatedTableState) -> dict[str, list[int]]:
    """What the table's jackpots display, in cents, from the highest level down."""
    return {jackpot: [meter.displayed_cents for meter in uow.jackpot(jackpot).meters] for jackpot in table.jackpots}


@dataclass(frozen=True, slots=True)
class JackpotSearch(Generic[A]):
    """What a search of a jackpot's events found before the jackpot was locked."""

    before: JackpotState
    """The jackpot when the search began."""
    result: A

    @property
    def jackpot(self) -> str:
        """The jackpot's id."""
        return self.before.id

    def require_current(self, uow: UnitOfWork) -> A:
        """The result, if the search would find the same now that the jackpot is locked. Rounds that are counted
        meanwhile make no difference; claims and other rates do. A rate cannot change back unnoticed: a change at the
        players' expense waits for a claim."""
        if _search_basis(uow.jackpot(self.jackpot)) != _search_basis(self.before):
            raise StateChanged
        return self.result


def _search_basis(state: JackpotState) -> object:
    """What changes whenever a prize is claimed, paid, or refused, also for one seat of a claim, and whenever the
    operator changes a rate: a void round is taken off at the rates by which it was counted."""
    pending = [(claim.id, claim.seats) for claim in state.claims]
    return state.order, pending, state.claimed, [meter.parameters for meter in state.meters]


class LinkedTableHandler(CommandHandler):
    """Reads which tables play for which jackpots."""

    def lock_dealt_table(self, table: str, round_id: str) -> Locks:
        """The table that dealt a round, if the id has the table's form. A claim locks it, so that no cards are entered
        meanwhile."""
        table_and_number = parse_round_id(round_id)
        dealt = table_and_number and table_and_number[0] == table and self.ledger.head(table_chain(table))
        return Locks(tables=[table] if dealt else [])

    def load_typed_round(self, uow: UnitOfWork, table: str, round_id: str) -> TypedLiveRound | None:
        """What the dealer entered for a round at a live table."""
        if not uow.has_locked(table_chain(table)):
            return None
        return find_typed_round(self.ledger, uow.table(table), round_id)

    def lock_linked(self, table: str, *more_jackpots: str, rounds: Iterable[str] = (), room: bool = False) -> Locks:
        """The locks of a tabulator and its jackpots, with further jackpots, for the counts of some rounds."""
        unique_keys = [UniqueKey(tabulator_chain(table), round_id) for round_id in rounds]
        jackpots = (*self.tabulator(table).jackpots, *more_jackpots)
        return Locks(room=room, tabulators=[table], jackpots=jackpots, unique_keys=unique_keys)

    def refuse_automatic_table(self, state: TabulatedTableState) -> TabulatedTableState:
        """The table, unless it is automatic: an automatic table counts its own wagers, and no person adds to the count
        (BJ-50)."""
        if can_be_automatic(state.money, state.setup) and self._is_automatic(state.id):
            raise AutomaticTableRefusal(
                f"Table {state.id} is automatic: it counts its wagers and claims its prizes itself."
            )
        return state

    def _is_automatic(self, table: str) -> bool:
        """Whether a table is automatic."""
        try:
            table_state = self.table(table)
        except UnknownTable:
            return False
        return table_state.terms.mode is DealingMode.AUTOMATIC and not table_state.closed

    def search_jackpot(self, jackpot: str, search: Callable[[], A]) -> JackpotSearch[A]:
        """Search a jackpot's events, from its state before the search."""
        return JackpotSearch(self.jackpot(jackpot), search())

    def trace_round(self, jackpot: str, table: str, round_id: str) -> JackpotSearch[RoundAftermath]:
        """What a round contributed to a jackpot, and what became of it."""
        return self.search_jackpot(jackpot, lambda: trace_round(self.ledger, jackpot, table, round_id))
