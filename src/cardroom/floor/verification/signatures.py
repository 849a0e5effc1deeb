"""Every act of two people has its signature: on the second person's chain, for exactly the stored command.

One invariant: in a room that has users, an event that names a second person, or that takes one, belongs to a command
with a signature of that person. The signature is one of the same command's events, names the command's id, and has the
digest of the body that the ledger stores for it. So a signature is never missing, never used again for another command,
and never for another payee or amount.

One event rests on the signature of an earlier command: the count of a live round comes after two people called the
round off. It is void in their names as it comes in, and they signed when they called the round off.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from cardroom.floor.felt.happenings import RoundCalledOff, SealRenewed
from cardroom.floor.kept.live_recall import live_call_off_event
from cardroom.floor.kept.recall import happened
from cardroom.floor.live.happenings import LiveRoundCalledOff
from cardroom.floor.people.happenings import (
    Countersigned,
    PersonDismissed,
    PersonRecovered,
    PersonRegistered,
    RoleGiven,
)
from cardroom.floor.people.permissions import PERMISSIONS, Right, listed
from cardroom.floor.people.roles import Role
from cardroom.floor.people.state import PersonState
from cardroom.floor.players.happenings import PaidIn, PaidOut
from cardroom.floor.verification.reading import AsStored
from cardroom.floor.verification.replayed import Answered, Replayed, Signed, VoidBy
from cardroom.floor.verification.report import wrong
from cardroom.jackpots import Happening
from cardroom.jackpots.happenings import (
    Adjusted,
    BackupRestored,
    BonusChanged,
    CageReimbursed,
    ChangeApplied,
    ChangeRequested,
    ClaimPaid,
    ClaimRefused,
    CounterRead,
    DeviceWithdrawn,
    HeadsKeyRecorded,
    JackpotClosed,
    JackpotRemoved,
    JackpotReopened,
    KeyBackedUp,
    KeyRotated,
    PrizesTakenBack,
    PromotionPrizePaid,
    ReadingTakenBack,
    Reconciled,
    RecordsPassedOver,
    RoomSetUp,
    RoundsAccepted,
    RoundVoided,
    SecretReplaced,
    WagersTakenBack,
)
from cardroom.jackpots.people import same_person
from cardroom.ledger import schema
from cardroom.ledger.clock import MAX_CLOCK_LAG
from cardroom.ledger.store import LedgerReader
from cardroom.ledger.types import command_id_of

ALWAYS_TWO: Final[Mapping[type[Happening], tuple[Right, ...]]] = {
    Adjusted: (Right.ADJUST_METERS,),
    BackupRestored: (Right.RESTORE,),
    BonusChanged: (Right.SET_RATES,),
    CageReimbursed: (Right.REIMBURSE_CAGE,),
    ChangeApplied: (Right.SET_RATES,),
    ChangeRequested: (Right.SET_RATES,),
    ClaimPaid: (Right.PAY_JACKPOTS,),
    ClaimRefused: (Right.PAY_JACKPOTS,),
    JackpotRemoved: (Right.SET_RATES,),
    JackpotReopened: (Right.RECONCILE,),
    KeyBackedUp: (Right.KEEP_KEY,),
    KeyRotated: (Right.KEEP_KEY,),
    LiveRoundCalledOff: (Right.VOID_ROUNDS,),
    PaidIn: (Right.PAY_PLAYERS,),
    PaidOut: (Right.PAY_PLAYERS,),
    PrizesTakenBack: (Right.PAY_JACKPOTS,),
    ReadingTakenBack: (Right.ADJUST_METERS,),
    RecordsPassedOver: (Right.ACCEPT_GAPS,),
    RoomSetUp: (Right.SET_UP_ROOM,),
    RoundCalledOff: (Right.VOID_ROUNDS,),
    RoundVoided: (Right.VOID_ROUNDS, Right.RESTORE, Right.KEEP_KEY),
    RoundsAccepted: (Right.ACCEPT_GAPS,),
    SecretReplaced: (Right.KEEP_KEY, Right.RESTORE),
    WagersTakenBack: (Right.VOID_ROUNDS, Right.ADJUST_METERS, Right.RESTORE, Right.KEEP_KEY),
}
"""What takes two people, whatever the amount, and the permissions by which the second one may sign. A round that a
restore or a new key interrupts is void in the names of the people who restore or replace the key."""
SOMETIMES_TWO: Final[Mapping[type[Happening], tuple[Right, ...]]] = {
    CounterRead: (Right.ACCEPT_GAPS,),
    DeviceWithdrawn: (Right.ACCEPT_GAPS,),
    HeadsKeyRecorded: (Right.SET_UP_ROOM,),
    JackpotClosed: (Right.RECONCILE,),
    PersonDismissed: (Right.KEEP_PEOPLE,),
    PersonRecovered: (Right.KEEP_PEOPLE, Right.KEEP_PLAYERS_LOGINS),
    PersonRegistered: (Right.KEEP_PEOPLE, Right.KEEP_PLAYERS_LOGINS),
    PromotionPrizePaid: (Right.PAY_PROMOTIONS,),
    Reconciled: (Right.RECONCILE,),
    RoleGiven: (Right.KEEP_PEOPLE,),
    SealRenewed: (Right.RESTORE, Right.KEEP_KEY),
}
"""What can name a second person."""


def _signers(happening: Happening) -> frozenset[Role]:
    """The roles that may sign for an event beside another person."""
    rights = ALWAYS_TWO.get(type(happening)) or SOMETIMES_TWO[type(happening)]
    return frozenset[Role]().union(*(PERMISSIONS[right].beside for right in rights))


def answered(chain: str, sequence: int, id: str, time: int, happening: Happening) -> Iterator[Answered]:
    """Who has to have signed the command of an event; nobody is named where somebody is missing."""
    if isinstance(happening, ChangeApplied) and happening.claim is not None:
        return  # it was signed when it was requested; the claim only puts it into effect
    second, checked = getattr(happening, "second", ""), getattr(happening, "surveillance", None)
    if second or (type(happening) in ALWAYS_TWO and not checked):
        yield Answered(chain, sequence, id, time, second, _signers(happening), _void_by(happening))
    if checked:
        yield Answered(chain, sequence, id, time, checked.by, PERMISSIONS[Right.CHECK_JACKPOTS].beside)


def _void_by(happening: Happening) -> VoidBy | None:
    match happening:
        case RoundVoided(table=table, round=round_id, by=who, second=second, reason=why):
            return VoidBy(table, round_id, who, second, why)
        case WagersTakenBack(table=table, round=round_id, who=who, second=second, why=why):
            return VoidBy(table, round_id, who, second, why)
    return None


def signature(chain: str, sequence: int, id: str, happening: Countersigned, signer: PersonState) -> Signed:
    """A signature: it belongs to the command that it is stored with, and the user could sign at that time."""
    if not signer.is_active or not signer.has_own_password:
        what = f"{signer.login} could not sign in at that time"
        raise wrong(what, chain, sequence, id, "a user who can sign in", "none")
    if happening.command != command_id_of(id):
        what = "the signature is for another command than the one it is stored with"
        raise wrong(what, chain, sequence, id, command_id_of(id), happening.command)
    if same_person(happening.beside, happening.login):
        raise wrong("one person has signed twice", chain, sequence, id, "two people", happening.beside)
    return Signed(chain, sequence, id, happening.login, happening.digest, signer.role)


def compare_signatures(replayed: Replayed, now: LedgerReader) -> None:
    """Signatures and stored commands fit together, and nothing that takes two people is without one."""
    for one in replayed.signed:
        stored = next((row[1].hex() for row in now.rows(schema.commands, {"id": command_id_of(one.id)})), "no command")
        if stored != one.digest:
            what = f"{one.login} has signed another command than the one that is stored"
            raise wrong(what, one.chain, one.sequence, one.id, stored, one.digest)
    since = min((one.time for one in replayed.alone if one.is_first), default=None)
    if since is None:
        return  # nobody can sign in
    signed = {(command_id_of(one.id), one.login): one.role for one in replayed.signed}
    for event in replayed.answered:
        if event.time < since:
            continue
        role = signed.get((command_id_of(event.id), event.login))
        if role is None and _was_called_off(event, now):
            continue
        if role is None:
            what, who = "the second person has not signed it", event.login or "a second person"
            raise wrong(what, event.chain, event.sequence, event.id, f"a signature of {who}", "none")
        if role not in event.signers:
            what = f"{event.login} has signed it, whose role may not"
            raise wrong(what, event.chain, event.sequence, event.id, listed(event.signers), role)


def _was_called_off(event: Answered, now: LedgerReader) -> bool:
    """Whether the event takes back a live round that the same two people had called off before, for the same reason.
    Their signature is compared with the call-off, which takes two people itself."""
    if event.void is None:
        return False
    off = live_call_off_event(AsStored(now), event.void.table, event.void.round)
    # The clocks of two servers may differ by a little.
    if off is None or off.time > event.time + MAX_CLOCK_LAG:
        return False
    one = happened(off)
    assert isinstance(one, LiveRoundCalledOff)
    return (one.who, one.second, one.why) == (event.void.who, event.void.second, event.void.why)
