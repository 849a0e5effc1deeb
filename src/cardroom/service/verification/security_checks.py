"""Every act of two people has its signature: on the second person's chain, for exactly the stored command.

One invariant: in a room that has users, an event that names a second person, or that takes one, belongs to a command
with a signature of that person. The signature is one of the same command's events, names the command's id, and has the
digest of the body that the ledger stores for it. So a signature is never missing, never used again for another command,
and never for another payee or amount.

One event rests on the signature of an earlier command: the count of a live round that comes after two people voided the
round. It is void in their names as it comes in, and they signed when they voided the round.

Stored secrets: the key of the coming round of each open table, the room's secret, and the password hashes. Each matches
its seal, and there is no other secret.

A wrong key is never shown here: the reader of a report must not learn a key before it is due.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from cardroom.cards.shuffle import KEY_BYTES
from cardroom.ledger import schema
from cardroom.ledger.clock import MAX_CLOCK_LAG
from cardroom.ledger.encryption import SecretChanged, Vault, WrongRoomKey, fingerprint_of
from cardroom.ledger.store import LedgerReader
from cardroom.ledger.types import command_id_of
from cardroom.room.dual_control import is_same_person
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.events import (
    BonusChanged,
    CageReimbursed,
    ChangeApplied,
    ChangeRequested,
    ClaimPaid,
    ClaimRefused,
    JackpotClosed,
    JackpotReconciled,
    JackpotRemoved,
    JackpotReopened,
    MeterAdjusted,
    PrizesReversed,
    WagersReversed,
)
from cardroom.room.player.account import BalancePaidIn, BalancePaidOut
from cardroom.room.promotion.state import PromotionPrizePaid
from cardroom.room.site.events import (
    BackupRestored,
    DeviceWithdrawn,
    HeadsKeyRecorded,
    KeyBackedUp,
    KeyRotated,
    SecretReplaced,
    SiteConfigured,
)
from cardroom.room.site.state import SiteState
from cardroom.room.table.automatic_round import round_seal
from cardroom.room.table.events import LiveRoundCanceled, RoundCanceled, SealRenewed, TableChanged
from cardroom.room.table.state import TableState
from cardroom.room.tabulator.events import (
    CounterRead,
    ReadingReversed,
    RecordsSkipped,
    RoundsAccepted,
    RoundVoided,
    TabulatorSetupChanged,
)
from cardroom.room.user.events import Countersigned, RoleAssigned, UserDeactivated, UserRecovered, UserRegistered
from cardroom.room.user.passwords import password_hash_digest
from cardroom.room.user.permissions import PERMISSIONS, Permission, Role, join_roles
from cardroom.room.user.state import UserState
from cardroom.service.chains.names import ROOM_CHAIN, table_chain, user_chain
from cardroom.service.queries.chain_history import read_domain_event
from cardroom.service.queries.past_live_rounds import find_live_cancellation_event
from cardroom.service.queries.site import digest_secret
from cardroom.service.verification.agreement import StoredChains
from cardroom.service.verification.invariant import ReplayedRoom, invariant
from cardroom.service.verification.replay_result import SecondPersonEvent, StoredSignature, VoidDetails
from cardroom.service.verification.report import Discrepancy, ReplayMismatch, replay_mismatch

ALWAYS_COUNTERSIGNED: Final[Mapping[type[DomainEvent], tuple[Permission, ...]]] = {
    MeterAdjusted: (Permission.ADJUST_METERS,),
    BackupRestored: (Permission.RESTORE,),
    BonusChanged: (Permission.SET_RATES,),
    CageReimbursed: (Permission.REIMBURSE_CAGE,),
    ChangeApplied: (Permission.SET_RATES,),
    ChangeRequested: (Permission.SET_RATES,),
    ClaimPaid: (Permission.PAY_JACKPOTS,),
    ClaimRefused: (Permission.PAY_JACKPOTS,),
    JackpotRemoved: (Permission.SET_RATES,),
    JackpotReopened: (Permission.RECONCILE,),
    KeyBackedUp: (Permission.KEEP_KEY,),
    KeyRotated: (Permission.KEEP_KEY,),
    LiveRoundCanceled: (Permission.VOID_ROUNDS,),
    BalancePaidIn: (Permission.PAY_PLAYERS,),
    BalancePaidOut: (Permission.PAY_PLAYERS,),
    PrizesReversed: (Permission.PAY_JACKPOTS,),
    ReadingReversed: (Permission.ADJUST_METERS,),
    RecordsSkipped: (Permission.ACCEPT_GAPS,),
    SiteConfigured: (Permission.SET_UP_ROOM,),
    RoundCanceled: (Permission.VOID_ROUNDS,),
    RoundVoided: (Permission.VOID_ROUNDS, Permission.RESTORE, Permission.KEEP_KEY),
    RoundsAccepted: (Permission.ACCEPT_GAPS,),
    SecretReplaced: (Permission.KEEP_KEY, Permission.RESTORE),
    WagersReversed: (Permission.VOID_ROUNDS, Permission.ADJUST_METERS, Permission.RESTORE, Permission.KEEP_KEY),
}
"""What takes two people, whatever the amount, and the permissions by which the second one may sign. A round that a
restore or a new key interrupts is void in the names of the people who restore or replace the key."""
SOMETIMES_COUNTERSIGNED: Final[Mapping[type[DomainEvent], tuple[Permission, ...]]] = {
    CounterRead: (Permission.ACCEPT_GAPS,),
    TableChanged: (Permission.CHANGE_TABLES,),
    TabulatorSetupChanged: (Permission.CHANGE_TABLES,),
    DeviceWithdrawn: (Permission.ACCEPT_GAPS,),
    HeadsKeyRecorded: (Permission.SET_UP_ROOM,),
    JackpotClosed: (Permission.RECONCILE,),
    UserDeactivated: (Permission.KEEP_PEOPLE,),
    UserRecovered: (Permission.KEEP_PEOPLE, Permission.KEEP_PLAYERS_LOGINS),
    UserRegistered: (Permission.KEEP_PEOPLE, Permission.KEEP_PLAYERS_LOGINS),
    PromotionPrizePaid: (Permission.PAY_PROMOTIONS,),
    JackpotReconciled: (Permission.RECONCILE,),
    RoleAssigned: (Permission.KEEP_PEOPLE,),
    SealRenewed: (Permission.RESTORE, Permission.KEEP_KEY),
}
"""What can name a second person."""


def _list_signer_roles(event: DomainEvent) -> frozenset[Role]:
    """The roles that may sign for an event beside another person."""
    rights = ALWAYS_COUNTERSIGNED.get(type(event)) or SOMETIMES_COUNTERSIGNED[type(event)]
    return frozenset[Role]().union(*(PERMISSIONS[right].countersigners for right in rights))


def list_second_person_events(
    chain: str, sequence: int, id: str, time: int, event: DomainEvent
) -> Iterator[SecondPersonEvent]:
    """The people who must have signed the command of an event; the name is empty where it is missing."""
    if isinstance(event, ChangeApplied) and event.claim is not None:
        return  # it was signed when it was requested; the claim only puts it into effect
    second, checked = getattr(event, "second", ""), getattr(event, "surveillance", None)
    if second or (type(event) in ALWAYS_COUNTERSIGNED and not checked):
        yield SecondPersonEvent(chain, sequence, id, time, second, _list_signer_roles(event), _read_void_details(event))
    if checked:
        yield SecondPersonEvent(
            chain, sequence, id, time, checked.by, PERMISSIONS[Permission.CHECK_JACKPOTS].countersigners
        )


def _read_void_details(event: DomainEvent) -> VoidDetails | None:
    match event:
        case RoundVoided(table=table, round=round_id, by=who, second=second, reason=why):
            return VoidDetails(table, round_id, who, second, why)
        case WagersReversed(table=table, round=round_id, who=who, second=second, why=why):
            return VoidDetails(table, round_id, who, second, why)
    return None


def read_signature(chain: str, sequence: int, id: str, event: Countersigned, signer: UserState) -> StoredSignature:
    """A signature: it belongs to the command with which it is stored, and the user could sign at that time."""
    if not signer.is_active or not signer.has_own_password:
        problem = f"{signer.login} could not sign in at that time"
        raise replay_mismatch(problem, chain, sequence, id, "a user who can sign in", "none")
    if event.command != command_id_of(id):
        problem = "the signature is for another command than the one it is stored with"
        raise replay_mismatch(problem, chain, sequence, id, command_id_of(id), event.command)
    if is_same_person(event.beside, event.login):
        raise replay_mismatch("one person has signed twice", chain, sequence, id, "two people", event.beside)
    return StoredSignature(chain, sequence, id, event.login, event.digest, signer.role)


@invariant(
    "signatures-are-for-stored-commands",
    "users and the commands",
    "A signature is for exactly the command that is stored with it.",
)
def signatures_are_for_stored_commands(room: ReplayedRoom) -> None:
    for item in room.result.signatures:
        commands = room.reader.rows(schema.commands, {"id": command_id_of(item.id)})
        stored = next((row[1].hex() for row in commands), "no command")
        if stored != item.digest:
            problem = f"{item.login} has signed a different command than the stored one"
            raise replay_mismatch(problem, item.chain, item.sequence, item.id, stored, item.digest)


@invariant(
    "second-people-have-signed",
    "every chain and users",
    "In a room with users, each event that takes two people has the signature of a second one whose role allows it.",
)
def second_people_have_signed(room: ReplayedRoom) -> None:
    result = room.result
    since = min((item.time for item in result.lone_decisions if item.is_first), default=None)
    if since is None:
        return  # no user can sign in
    signed = {(command_id_of(item.id), item.login): item.role for item in result.signatures}
    for event in result.second_person_events:
        if event.time < since:
            continue
        role = signed.get((command_id_of(event.id), event.login))
        if role is None and _was_canceled(event, room.chains):
            continue
        if role is None:
            problem, who = "the second person has not signed it", event.login or "a second person"
            raise replay_mismatch(problem, event.chain, event.sequence, event.id, f"a signature of {who}", "none")
        if role not in event.signers:
            problem = f"{event.login} has signed it, and the role of {event.login} may not"
            raise replay_mismatch(problem, event.chain, event.sequence, event.id, join_roles(event.signers), role)


def _was_canceled(event: SecondPersonEvent, chains: StoredChains) -> bool:
    """Whether the event reverses a live round that the same two people had voided before, for the same reason. Their
    signature is compared with that event, which takes two people itself."""
    if event.void is None:
        return False
    off = find_live_cancellation_event(chains, event.void.table, event.void.round)
    # The clocks of two servers may differ a little.
    if off is None or off.time > event.time + MAX_CLOCK_LAG:
        return False
    cancellation = read_domain_event(off)
    assert isinstance(cancellation, LiveRoundCanceled)
    return (cancellation.who, cancellation.second, cancellation.why) == (
        event.void.who,
        event.void.second,
        event.void.why,
    )


class ExpectedSecret(NamedTuple):
    """A secret that must be stored."""

    chain: str
    seal: str
    """Its name."""
    matches: Callable[[bytes], bool]
    expected_text: str
    mismatch_text: str
    """The finding when another secret is stored in its place."""
    missing_text: str
    """The finding when it is missing."""
    is_encrypted: bool = True
    """Under the room's key. Password hashes are not."""


@invariant(
    "secrets-match-their-seals",
    "tables, users, the room, and the stored secrets",
    "The key of each coming round, the room's secret, and each password hash is stored, matches the seal that the "
    "events show, and no other secret is stored.",
)
def secrets_match_their_seals(room: ReplayedRoom) -> None:
    result = room.result
    result.unopened_secrets = compare_secrets(
        result.tables, result.users, result.room or SiteState(), room.reader, room.vault
    )


def compare_secrets(
    tables: Mapping[str, TableState],
    users: Mapping[str, UserState],
    room: SiteState,
    reader: LedgerReader,
    vault: Vault | None,
) -> int:
    """Find a secret that is missing, does not match its seal, or is not expected. Returns how many secrets could not be
    decrypted: without the room's key, the check is only that each is stored, encrypted under the key that the room's
    chain names."""
    waiting, unopened = (
        {(expected.chain, expected.seal): expected for expected in _list_expected_secrets(tables, users, room.secret)},
        0,
    )
    for chain, name, value in reader.rows(schema.secrets):
        secret = waiting.pop((chain, name), None)
        if secret is None:
            sentence = f"{chain} has a secret with the name {name} that no event expects."
            raise ReplayMismatch(Discrepancy(sentence, chain, None, name, "nothing", "a secret"))
        stored = bytes(value)
        if not secret.is_encrypted:
            opens = secret.matches(stored)
        elif not (lease := fingerprint_of(stored)) or (room.key and lease != room.key):
            opens = False
        elif vault is None:
            unopened, opens = unopened + 1, True
        else:
            opens = _matches_stored(secret, stored, vault)
        if not opens:
            raise ReplayMismatch(
                Discrepancy(secret.mismatch_text, chain, None, name, secret.expected_text, "a different one")
            )
    for secret in waiting.values():
        raise ReplayMismatch(
            Discrepancy(secret.missing_text, secret.chain, None, secret.seal, secret.expected_text, "none")
        )
    return unopened


def _matches_stored(secret: ExpectedSecret, stored: bytes, vault: Vault) -> bool:
    try:
        return secret.matches(vault.decrypt(secret.chain, secret.seal, stored))
    except (SecretChanged, WrongRoomKey):
        return False


def _list_expected_secrets(
    tables: Mapping[str, TableState], users: Mapping[str, UserState], secret: str
) -> Iterator[ExpectedSecret]:
    if secret:
        yield ExpectedSecret(
            ROOM_CHAIN,
            secret,
            lambda value: digest_secret(value) == secret,
            "the secret that was sealed",
            "The stored secret of the room is not the one whose seal was recorded.",
            "The room's secret is missing: no token can be read.",
        )
    for _, table in sorted(tables.items()):
        if table.seal:
            yield ExpectedSecret(
                table_chain(table.table),
                table.seal,
                lambda value, table=table: (
                    len(value) == KEY_BYTES and round_seal(value, table.round).matches(table.seal)
                ),  # type: ignore[misc]
                "the key that was sealed",
                f"The stored key of round {table.round} does not match the seal that was shown for it.",
                f"The key of round {table.round} is missing: the round cannot be dealt.",
            )
    for _, person in sorted(users.items()):
        for label, seal in (("password", person.password), ("PIN", person.pin)):
            if seal:
                yield ExpectedSecret(
                    user_chain(person.login),
                    seal,
                    lambda value, seal=seal: password_hash_digest(value.decode(errors="replace")) == seal,  # type: ignore[misc]
                    f"the {label} hash of the events",
                    f"The stored {label} hash of {person.login} is not the one that the events record: it was "
                    "replaced outside the program.",
                    f"The {label} hash of {person.login} is missing: {person.login} cannot sign in with it.",
                    is_encrypted=False,
                )
