"""Command handlers: everything that a command changes is locked, decided, and stored together.

Commands on a table and its jackpots lock them together: the links must be known before the lock, and must not have
changed when it is held.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar

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
from cardroom.room.claim.prior_claims import PriorClaims
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.jackpot import MeterParameters
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
from cardroom.service.commands.unit_of_work import StateAccess, StateCache, UnitOfWork, refuse_too_large
from cardroom.service.queries.chain_history import trace_round
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


class SecretLost(BadInput):
    """The room's secret was deleted outside the program."""


class CommandHandler(StateAccess):
    """A ledger with a cache of states. Threads may share a handler; each process has its own."""

    _secret: tuple[str, bytes] | None = None
    """The room's secret with its digest. Every request that shows a token needs it, so it is read once."""

    def __init__(self, ledger: Ledger, clock: Clock = system_clock, keys: KeyFactory = generate_key) -> None:
        self.ledger = ledger
        self._clock, self._generate_key = clock, keys
        self._state_cache = StateCache()

    def _load_state(self, aggregate: Aggregate[A], id: str) -> A:
        head = self.ledger.head(aggregate.chain_name(id))
        if head is None:
            raise aggregate.make_unknown(id)
        return self._state_cache.load(aggregate, head)

    def _today(self) -> date:
        """Today's date by the room's clock."""
        return self.calendar.local(self._clock()).date()

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

    def _build_command(
        self,
        id: str,
        body: Body,
        chains: tuple[str, ...],
        decide: Decide,
        unique_keys: tuple[UniqueKey, ...] = (),
        lease: Lease | None = None,
    ) -> Command:
        refuse_too_large(body)
        stop_if_previewing(lambda: describe_command(body, self))
        stored = stored_command_id(id, body)
        signatures = self._collect_signatures(stored, body)

        def decide_signed(heads: Mapping[str, Head | None]) -> CommandOutcome:
            uow = UnitOfWork(self._state_cache, heads, unique_keys, self._clock)
            for one in signatures:
                if (act := describe_command(body, uow)) != one.request.description:
                    raise signature_mismatch(one, act)
            answer = decide(uow)
            for one in signatures:
                self._attach_signature(uow, one)
            return uow.build_outcome(answer)

        signers = (user_chain(signature.request.login) for signature in signatures)
        return Command(
            stored, tuple(dict.fromkeys((*chains, *signers))), body, decide_signed, unique_keys, lease, displayed_id=id
        )

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

    def _execute(
        self,
        id: str,
        body: Body,
        chains: tuple[str, ...],
        decide: Decide,
        decode: Callable[[Any], A],
        unique_keys: tuple[UniqueKey, ...] = (),
    ) -> A:
        return decode(self.ledger.execute(self._build_command(id, body, chains, decide, unique_keys)).response)

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
        secret, key = self._generate_key(), self.ledger.vault.key.fingerprint
        seal = digest_secret(secret)

        def decide(uow: UnitOfWork) -> Json:
            if not uow.room().secret:  # another program may have been quicker
                uow.put_secret(ROOM_CHAIN, seal, secret)
                uow.apply_to_room((SecretRecorded(THE_HOUSE, seal, key),))
            return None

        self._execute(f"secret/{seal}", {"do": "seal-secret"}, (ROOM_CHAIN,), decide, lambda _: None)


MAX_ATTEMPTS: Final = 10


class AutomaticTableRefusal(BadInput):
    """A dealer's action that an automatic table does not accept."""


class LinksChanged(BadInput):
    """The table was linked to other jackpots meanwhile: send the command again."""


def links_changed(table: str) -> LinksChanged:
    return LinksChanged(f"The jackpots of {table} are being changed right now: send the command again.")


@lru_cache(1024)
def can_be_automatic(money: Currency, setup: str) -> bool:
    """Whether a table with this currency and this setup can be automatic at all. Most tables need no further check."""
    return money is Currency.PLAY or jurisdiction(orjson.loads(setup)["jurisdiction"]).allows_automatic_tables


def read_shown_amounts(uow: UnitOfWork, table: TabulatedTableState) -> dict[str, list[int]]:
    """What the table's jackpots display, in cents, from the highest level down."""
    return {jackpot: [meter.displayed_cents for meter in uow.jackpot(jackpot).meters] for jackpot in table.jackpots}


class JackpotMark(NamedTuple):
    """The state of a jackpot on which a search of its events depends, apart from rounds that are counted meanwhile. A
    command searches before it locks the jackpot, and searches again if the mark differs once it has the lock."""

    order: int
    """The number of claims so far."""
    pending: tuple[tuple[str, tuple[int, ...]], ...]
    """The claims and their seats: one seat of a claim may be refused."""
    claimed_rounds: tuple[str, ...]
    parameters: tuple[MeterParameters, ...]
    """By level: a void round is taken off at the rates by which it was counted. A rate cannot change back unnoticed: a
    change at the players' expense waits for a claim."""


def read_jackpot_mark(state: JackpotState) -> JackpotMark:
    """A mark that changes whenever a prize is claimed, paid, or refused, and whenever the operator changes a rate."""
    pending = tuple((claim.id, claim.seats) for claim in state.claims)
    return JackpotMark(state.order, pending, state.claimed, tuple(meter.parameters for meter in state.meters))


class LinkedTableHandler(CommandHandler):
    """Reads which tables play for which jackpots."""

    def _find_table_chain(self, table: str, round_id: str) -> tuple[str, ...]:
        """The chain on which the table dealt a round, if the id has the table's form. A claim locks it, so that no
        cards are entered meanwhile."""
        table_and_number, chain = parse_round_id(round_id), table_chain(table)
        return (chain,) if table_and_number and table_and_number[0] == table and self.ledger.head(chain) else ()

    def _find_typed_round(self, uow: UnitOfWork, table: str, round_id: str) -> TypedLiveRound | None:
        """What the dealer entered for a round at a live table."""
        if not uow.has_locked(table_chain(table)):
            return None
        return find_typed_round(self.ledger, uow.table(table), round_id)

    def __init__(self, ledger: Ledger, clock: Clock = system_clock, keys: KeyFactory = generate_key) -> None:
        super().__init__(ledger, clock, keys)
        self._cached_links: dict[str, tuple[str, ...]] = {}

    def _read_links(self, table: str) -> tuple[str, ...]:
        if table not in self._cached_links:
            self._cached_links[table] = self.tabulator(table).jackpots
        return self._cached_links[table]

    def _forget_links(self, table: str) -> None:
        self._cached_links.pop(table, None)

    def _build_linked_command(
        self,
        id: str,
        table: str,
        body: Mapping[str, Json],
        decide: Callable[[UnitOfWork], Json],
        *more_jackpots: str,
        rounds: Iterable[str] = (),
        chains: tuple[str, ...] = (),
    ) -> Command:
        """A command that locks a table, its jackpots, ``more_jackpots`` further jackpots, and other ``chains``, and
        counts some rounds."""
        jackpots = dict.fromkeys((*self._read_links(table), *more_jackpots))
        at = tabulator_chain(table)
        names = tuple(UniqueKey(at, round_id) for round_id in rounds)
        return self._build_command(id, body, (at, *map(jackpot_chain, jackpots), *chains), decide, names)

    def _require_linked(self, uow: UnitOfWork, table: str) -> TabulatedTableState:
        """The table's state, if all its jackpots are locked with it."""
        state = uow.tabulator(table)
        if not uow.has_locked_jackpots(state.jackpots):
            raise links_changed(table)
        return state

    def _refuse_automatic_table(self, state: TabulatedTableState) -> TabulatedTableState:
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

    def _read_prior_claims(self, jackpot: str, table: str, round_id: str) -> tuple[JackpotMark, PriorClaims]:
        """How far a jackpot's claims had come, and the claims of a round until then."""
        mark = read_jackpot_mark(self.jackpot(jackpot))
        return mark, trace_round(self.ledger, jackpot, table, round_id).prior_claims

    def _retry_on_link_change(self, command: Callable[[], Command], decode: Callable[[Json], A], table: str) -> A:
        """Carry out a command on a table and its jackpots, again if the links change meanwhile."""
        for _ in range(MAX_ATTEMPTS):
            try:
                return decode(self.ledger.execute(command()).response)
            except LinksChanged:
                self._forget_links(table)
        raise links_changed(table)
