"""Every act of two people has its signature: on the second person's chain, for exactly the stored command.

One invariant: in a room that has users, an event that names a second person, or that takes one, belongs to a command
with a signature of that person. The signature is one of the same command's events, names the command's id, and has the
digest of the body that the ledger stores for it. So a signature is never missing, never used again for another command,
and never for another payee or amount.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cardroom.floor.felt.happenings import RoundCalledOff
from cardroom.floor.live.happenings import LiveRoundCalledOff
from cardroom.floor.people.happenings import Countersigned
from cardroom.floor.players.happenings import PaidIn, PaidOut
from cardroom.floor.verification.replayed import Answered, Replayed, Signed
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
    JackpotRemoved,
    JackpotReopened,
    KeyBackedUp,
    KeyRotated,
    PrizesTakenBack,
    ReadingTakenBack,
    RecordsPassedOver,
    RoomSetUp,
    RoundsAccepted,
    RoundVoided,
    SecretReplaced,
    WagersTakenBack,
)
from cardroom.jackpots.people import same_person
from cardroom.ledger import schema
from cardroom.ledger.records import command_of
from cardroom.ledger.store import Reading

_ALWAYS_TWO: Final = (
    Adjusted,
    BackupRestored,
    BonusChanged,
    CageReimbursed,
    ChangeApplied,
    ChangeRequested,
    ClaimPaid,
    ClaimRefused,
    JackpotRemoved,
    JackpotReopened,
    KeyBackedUp,
    KeyRotated,
    LiveRoundCalledOff,
    PaidIn,
    PaidOut,
    PrizesTakenBack,
    ReadingTakenBack,
    RecordsPassedOver,
    RoomSetUp,
    RoundCalledOff,
    RoundVoided,
    RoundsAccepted,
    SecretReplaced,
    WagersTakenBack,
)
"""What takes two people, whatever the amount."""


def answered(chain: str, sequence: int, id: str, time: int, happening: Happening) -> Iterator[Answered]:
    """Who has to have signed the command of an event; nobody is named where somebody is missing."""
    if isinstance(happening, ChangeApplied) and happening.claim is not None:
        return  # it was signed when it was requested; the claim only puts it into effect
    checked = getattr(happening, "surveillance", None)
    people = [login for login in (getattr(happening, "second", ""), checked.by if checked else "") if login]
    if not people and isinstance(happening, _ALWAYS_TWO):
        people = [""]
    for login in people:
        yield Answered(chain, sequence, id, time, login)


def signature(chain: str, sequence: int, id: str, happening: Countersigned) -> Signed:
    """A signature, which belongs to the command that it is stored with and to nobody's own."""
    if happening.command != command_of(id):
        what = "the signature is for another command than the one it is stored with"
        raise wrong(what, chain, sequence, id, command_of(id), happening.command)
    if same_person(happening.beside, happening.login):
        raise wrong("one person has signed twice", chain, sequence, id, "two people", happening.beside)
    return Signed(chain, sequence, id, happening.login, happening.digest)


def compare_signatures(replayed: Replayed, now: Reading) -> None:
    """Signatures and stored commands fit together, and nothing that takes two people is without one."""
    for one in replayed.signed:
        stored = next((row[1].hex() for row in now.rows(schema.commands, {"id": command_of(one.id)})), "no command")
        if stored != one.digest:
            what = f"{one.login} has signed another command than the one that is stored"
            raise wrong(what, one.chain, one.sequence, one.id, stored, one.digest)
    since = min((one.time for one in replayed.alone if one.is_first), default=None)
    if since is None:
        return  # nobody can sign in
    signed = {(command_of(one.id), one.login) for one in replayed.signed}
    for event in replayed.answered:
        if event.time >= since and (command_of(event.id), event.login) not in signed:
            what, who = "the second person has not signed it", event.login or "a second person"
            raise wrong(what, event.chain, event.sequence, event.id, f"a signature of {who}", "none")
