"""A second person's signature is valid for one command only: not for another amount, payee, or command. Verification
detects events that an attacker writes directly into the database without a signature."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cardroom.chart_of_accounts import Currency
from cardroom.cli.shared.command_permissions import permission_for
from cardroom.errors import BadInput
from cardroom.ledger import Command, CommandOutcome, Head, UniqueKey, open_ledger
from cardroom.ledger.canonical_json import body_digest
from cardroom.room.dual_control import SamePerson
from cardroom.room.event_types import EVENT_TYPES, DomainEvent
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
from cardroom.room.table.events import LiveRoundCanceled, RoundCanceled, SealRenewed, TableChanged
from cardroom.room.tabulator.events import (
    CounterRead,
    ReadingReversed,
    RecordsSkipped,
    RoundsAccepted,
    RoundVoided,
    TabulatorSetupChanged,
)
from cardroom.room.user.events import (
    Countersigned,
    RoleAssigned,
    UserDeactivated,
    UserRecovered,
    UserRegistered,
)
from cardroom.room.user.permissions import PERMISSIONS, Permission, Role
from cardroom.room.user.sign_in import SignInFailed
from cardroom.service import CardRoom, verify
from cardroom.service.chains.names import ROOM_CHAIN, player_chain, user_chain
from cardroom.service.commands import handler as command_service
from cardroom.service.commands import users as user_service
from cardroom.service.commands.second_signature import _DESCRIPTIONS as SENTENCES
from cardroom.service.commands.second_signature import (
    Signature,
    SignatureMismatch,
    SignatureMissing,
    find_cosigners,
    use_signatures,
)
from cardroom.service.commands.unit_of_work import StateCache, UnitOfWork
from cardroom.service.verification.security_checks import ALWAYS_COUNTERSIGNED, SOMETIMES_COUNTERSIGNED
from tests.cli.card_room import CliRoom
from tests.cli.conftest import cli_room, staffed_ledger  # noqa: F401 (fixtures)
from tests.reports.card_room import WallClock
from tests.service.card_rooms import CLUB_ROYAL, SPADE_ROYAL, open_room, play, reconcile_short
from tests.service.live_scenes import PRIME, an_hour_with_a_dealer, begin, live_prime
from tests.service.staff import FIRST, HERE, Both, open_staff, password_of
from tests.service.test_event_types import a_day_at_the_door, the_rest
from tests.service.test_table_jackpots import an_hour_at_tables
from tests.service.test_verification import busy_evening


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/room.db"


@pytest.fixture
def card_room(url: str) -> Iterator[CardRoom]:
    clock = WallClock()
    with open_ledger(url, clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        open_staff(card_room)
        card_room.players.admit_player("admit/ann", "carl", "ann", Currency.REAL)
        card_room.players.admit_player("admit/bob", "carl", "bob", Currency.REAL)
        for player in ("ann", "bob"):
            Both(card_room).players.pay_in(f"in/{player}", "carl", player, 500_00, f"S-{player}", second="sam")
        yield card_room


def pay_out(card_room: CardRoom, id: str = "out", player: str = "ann", cents: int = 20_00, slip: str = "S-9") -> object:
    return card_room.players.pay_out(id, "carl", player, cents, slip, second="sam")


def sign(
    card_room: CardRoom, command: Callable[[], object], permission: Permission = Permission.PAY_PLAYERS
) -> Signature:
    """The second person's signature for one command; the attacker has it."""
    with pytest.raises(SignatureMissing) as missing:
        command()
    to_sign = missing.value.request
    return card_room.users.countersign(to_sign, password_of(to_sign.login), permission=permission, address=HERE)


@pytest.mark.parametrize(
    "changed",
    [{"cents": 480_00}, {"player": "bob"}, {"slip": "S-10"}, {"id": "another"}],
    ids=["another amount", "another payee", "another slip", "another command"],
)
def test_a_signature_for_one_payment_is_not_valid_for_another(card_room: CardRoom, changed: dict[str, object]) -> None:
    signature = sign(card_room, lambda: pay_out(card_room))
    balances = [card_room.player_account(player).balance for player in ("ann", "bob")]
    with use_signatures(signature), pytest.raises(SignatureMismatch, match="sam signed something else"):
        pay_out(card_room, **changed)  # type: ignore[arg-type]
    assert [card_room.player_account(player).balance for player in ("ann", "bob")] == balances
    with use_signatures(signature):
        pay_out(card_room)
        pay_out(card_room)  # the same command again returns the first result
    assert card_room.player_account("ann").balance == 480_00
    with use_signatures(signature), pytest.raises(SignatureMismatch):
        pay_out(card_room, id="again", slip="S-11")


def test_a_payment_is_refused_without_the_second_persons_signature(card_room: CardRoom, url: str) -> None:
    with pytest.raises(SignatureMissing, match="sam has not signed this"):
        pay_out(card_room)
    assert card_room.player_account("ann").balance == 500_00
    assert verify(url).is_consistent


def test_a_claim_that_changes_after_it_was_signed_is_not_paid(url: str) -> None:
    clock = WallClock()
    with open_ledger(url, clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        open_staff(card_room)
        open_room(card_room)
        play(card_room, "prime-1", seats=2, round_id="r1")
        card_room.claims.claim_hand("clubs", "dora", "final-four", "prime-1", "r1", CLUB_ROYAL)

        def refuse() -> object:
            return card_room.claims.refuse("no", "vera", "final-four", "clubs", "The seal was broken", second="carl")

        signature = sign(card_room, refuse, Permission.PAY_JACKPOTS)
        card_room.claims.claim_hand("spades", "dora", "final-four", "prime-1", "r1", SPADE_ROYAL)
        with use_signatures(signature), pytest.raises(SignatureMismatch):
            refuse()
        assert {claim.id for claim in card_room.jackpot("final-four").claims} == {"clubs", "spades"}


@pytest.mark.parametrize("second", ["carl", "Carl", " CARL ", "c-a-r-l", "\u0441arl", "carl\u200b"])
def test_two_spellings_of_one_login_count_as_one_person(card_room: CardRoom, second: str) -> None:
    with pytest.raises(SignatureMissing) as missing:
        card_room.players.pay_out("out", "carl", "ann", 20_00, "S-9", second=second)
    with pytest.raises(SamePerson):
        card_room.users.countersign(
            missing.value.request, password_of("carl"), permission=Permission.PAY_PLAYERS, address=HERE
        )
    with pytest.raises(BadInput):
        Both(card_room).users.add("twin", FIRST, second.strip(), "Carl Twin", Role.CAGE, second="sam")


def lock_out(card_room: CardRoom) -> None:
    for _ in range(3):
        with pytest.raises(SignInFailed):
            card_room.users.sign_in("sam", "a guess", HERE)


def deactivate(card_room: CardRoom) -> None:
    Both(card_room).users.deactivate("bye", FIRST, "sam", "left", second="vera")


def give_one_time_password(card_room: CardRoom) -> None:
    Both(card_room).users.recover("help", FIRST, "sam", second="vera")


@pytest.mark.parametrize("suspend", [lock_out, deactivate, give_one_time_password])
def test_a_user_who_may_not_sign_in_cannot_sign(card_room: CardRoom, suspend: Callable[[CardRoom], None]) -> None:
    suspend(card_room)
    with pytest.raises(SignatureMissing) as missing:
        pay_out(card_room)
    with pytest.raises(SignInFailed):
        card_room.users.countersign(
            missing.value.request, password_of("sam"), permission=Permission.PAY_PLAYERS, address=HERE
        )


def test_a_signature_of_a_user_who_was_deactivated_after_signing_is_refused(card_room: CardRoom) -> None:
    signature = sign(card_room, lambda: pay_out(card_room))
    deactivate(card_room)
    with use_signatures(signature), pytest.raises(SignInFailed, match="sam can no longer sign"):
        pay_out(card_room)
    assert card_room.player_account("ann").balance == 500_00


# A database administrator writes forged events with correct hashes.

BODY = {"do": "pay-out", "who": "carl", "second": "sam", "player": "ann", "cents": 400_00, "reference": "S-66"}


def forge(card_room: CardRoom, *domain_events: tuple[str, DomainEvent], id: str = "forged") -> None:
    """Write events, and all that follows from them, without the checks of the program."""
    chains = (player_chain("ann"), user_chain("sam"), ROOM_CHAIN)
    names = (UniqueKey(player_chain("ann"), "slip s-66"),)

    def decide(heads: Mapping[str, Head | None]) -> CommandOutcome:
        work = UnitOfWork(StateCache(), heads, names)
        for kind, domain_event in domain_events:
            if kind == "player":
                work.apply_to_player_account("ann", [domain_event])
            else:
                work.apply_to_user("sam", [domain_event])
        return work.build_outcome(None)

    card_room.ledger.execute(Command(id, chains, BODY, decide, names))


STOLEN = ("player", BalancePaidOut("ann", 400_00, "carl", "sam", "S-66"))


def forge_signature(command: str = "forged", digest: str | None = None) -> tuple[str, DomainEvent]:
    digest = body_digest(BODY).hex() if digest is None else digest
    return "person", Countersigned("sam", "carl", "Pay $400 to ann.", HERE, command, digest)


def test_a_forged_payment_without_a_signature_is_detected(card_room: CardRoom, url: str) -> None:
    assert verify(url).is_consistent
    forge(card_room, STOLEN)
    discrepancy = verify(url).discrepancy
    assert discrepancy is not None
    assert "the second person has not signed it" in discrepancy.sentence
    assert discrepancy.chain == player_chain("ann")


def test_a_forged_payment_without_a_second_person_is_detected(card_room: CardRoom, url: str) -> None:
    forge(card_room, ("player", BalancePaidOut("ann", 400_00, "carl", "", "S-66")))
    discrepancy = verify(url).discrepancy
    assert discrepancy is not None
    assert discrepancy.chain == player_chain("ann")


@pytest.mark.parametrize(
    ("signature", "sentence"),
    [
        (lambda card_room: copy_signature(card_room), "for another command than the one it is stored with"),
        (lambda _: forge_signature(digest="ab" * 32), "has signed a different command than the stored one"),
    ],
    ids=["a signature used again", "a signature on another amount"],
)
def test_a_forged_payment_with_a_signature_for_another_command_is_detected(
    card_room: CardRoom, url: str, signature: Callable[[CardRoom], tuple[str, DomainEvent]], sentence: str
) -> None:
    forge(card_room, STOLEN, signature(card_room))
    discrepancy = verify(url).discrepancy
    assert discrepancy is not None
    assert sentence in discrepancy.sentence
    assert discrepancy.chain == user_chain("sam")


def copy_signature(card_room: CardRoom) -> tuple[str, DomainEvent]:
    """A valid signature of an earlier command."""
    *_, event = (event for event in card_room.ledger.events(user_chain("sam")) if event.kind == "countersigned")
    return forge_signature(str(event.payload["command"]), str(event.payload["digest"]))


# An attacker changes the program so that it does not ask for signatures.


def reimburse_cage(card_room: CardRoom) -> Callable[[], object]:
    Both(card_room).jackpots.add_seed("more", FIRST, "final-four", "main", 600_00, "a good week", second="carl")
    card_room.jackpots.deposit_to_bank("slip", "carl", "final-four", None, "D-1")
    Both(card_room).jackpots.recover_seed("back", FIRST, "final-four", "main", 90_00, "as agreed", second="carl")
    return lambda: card_room.jackpots.reimburse_cage("forged", "carl", "final-four", None, "T-1", second="sam")


def reopen_jackpot(card_room: CardRoom) -> Callable[[], object]:
    card_room.jackpots.deposit_to_bank("slip", "carl", "final-four", None, "D-1")
    reconcile_short(card_room, "carl", 0)
    why = "the money was found"
    return lambda: card_room.jackpots.reconcile(
        "forged", "carl", "final-four", 90_000_00, day=None, second="sam", why=why
    )


def accept_rounds(card_room: CardRoom) -> Callable[[], object]:
    card_room.register_device("unit", FIRST, "prime-1", "T-1", "tabulator")
    card_room.hold_device("many", "device T-1", "T-1", "too many rounds", too_many=True)
    return lambda: card_room.accept_device_rounds("forged", FIRST, "T-1", 3, "the network was down", second="sam")


@pytest.mark.parametrize("prepare", [reimburse_cage, reopen_jackpot, accept_rounds])
def test_a_command_for_two_people_that_only_one_person_signed_is_detected(
    card_room: CardRoom, url: str, monkeypatch: pytest.MonkeyPatch, prepare: Callable[[CardRoom], Callable[[], object]]
) -> None:
    open_room(card_room)
    execute = prepare(card_room)
    assert verify(url).is_consistent
    monkeypatch.setattr(command_service, "find_cosigners", lambda _: {})
    execute()
    discrepancy = verify(url).discrepancy
    assert discrepancy is not None
    assert "the second person has not signed it" in discrepancy.sentence


class DualAction(NamedTuple):
    """An action that two people sign: the permissions under which the second person signs, and the events it stores."""

    permissions: frozenset[Permission]
    events: frozenset[type[DomainEvent]]


def dual(commands: str, *events: type[DomainEvent]) -> DualAction:
    """An action from the command lines that carry it out, with commas between them. Its permissions are those of the
    commands. If a command needs another permission for the second person, ``commands`` names that permission too."""
    names = commands.split(", ")
    permissions = {Permission[name] if name.isupper() else permission_for(name) for name in names}
    return DualAction(frozenset(permissions), frozenset(events))


VOIDED = (RoundVoided, WagersReversed)
"""The events that a command stores in addition when it voids a round that a tabulator counted."""
ACTIONS = {
    "pay": dual("claim pay", ClaimPaid),
    "refuse": dual("claim refuse", ClaimRefused),
    "reverse-prizes": dual("prize reverse", PrizesReversed),
    "pay-in": dual("player pay-in", BalancePaidIn),
    "pay-out": dual("player pay-out", BalancePaidOut),
    "correct-malfunction": dual("jackpot adjust", MeterAdjusted),
    "add-seed": dual("jackpot adjust", MeterAdjusted),
    "recover-seed": dual("jackpot adjust", MeterAdjusted),
    "lower-to-ceiling": dual("jackpot adjust", MeterAdjusted),
    "remove-hidden": dual("jackpot adjust", MeterAdjusted),
    "reimburse-cage": dual("jackpot reimburse", CageReimbursed),
    "reconcile": dual("jackpot reconcile", JackpotReconciled, JackpotClosed, JackpotReopened),
    "change-table": dual("table change", TableChanged, TabulatorSetupChanged),
    "change-parameters": dual("jackpot change", ChangeRequested, ChangeApplied),
    "change-bonus": dual("jackpot change", BonusChanged),
    "remove": dual("jackpot remove", JackpotRemoved),
    "void-automatic-round": dual("rounds void", RoundCanceled, *VOIDED),
    "void-live-round": dual("rounds void", LiveRoundCanceled, *VOIDED),
    "void-round": dual("rounds void", *VOIDED),
    "add-user": dual("user add, KEEP_PEOPLE", UserRegistered),
    "recover-user": dual("user recover, KEEP_PEOPLE", UserRecovered),
    "assign-role": dual("user change-role", RoleAssigned),
    "deactivate-user": dual("user deactivate", UserDeactivated),
    "pay-promotion": dual("promotion pay", PromotionPrizePaid),
    "read-counter": dual("ACCEPT_GAPS", CounterRead),
    "accept-rounds": dual("device accept-rounds", RoundsAccepted),
    "accept-logger-records": dual("ACCEPT_GAPS", RoundsAccepted),
    "refuse-rounds": dual("device refuse-rounds", DeviceWithdrawn),
    "reverse-reading": dual("reading reverse", ReadingReversed, WagersReversed),
    "skip-records": dual("device accept-gap, ACCEPT_GAPS", RecordsSkipped, CounterRead),
    "configure-room": dual("room configure", SiteConfigured),
    "replace-heads-key": dual("heads replace-key", HeadsKeyRecorded),
    "confirm-restore": dual("restore", BackupRestored),
    "rotate-key": dual("key rotate", KeyRotated),
    "rotate-key-and-secret": dual("key rotate", KeyRotated, SecretReplaced),
    "back-up-key": dual("key backup", KeyBackedUp),
    "replace-secret": dual("key replace, restore", SecretReplaced),
    "void-round-and-renew-seal": dual("key rotate, key replace, restore", SealRenewed, *VOIDED),
}


def run_every_command(card_room: CardRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    """Execute every command that a room can execute."""
    busy_evening(card_room)
    the_rest(card_room)
    an_hour_at_tables(card_room, monkeypatch)
    an_hour_with_a_dealer(card_room)
    a_day_at_the_door(card_room)


def test_verify_checks_the_permission_of_every_event_that_can_name_a_second_person() -> None:
    """The permissions of an event are exactly those under which the second person signs the commands that store it."""
    countersigned = {kind for kind in EVENT_TYPES.values() if "second" in {field.name for field in fields(kind)}}
    signed_under: dict[type[DomainEvent], set[Permission]] = {kind: set() for kind in countersigned}
    for action in ACTIONS.values():
        for kind in action.events:
            signed_under[kind] |= action.permissions
    rows = {**ALWAYS_COUNTERSIGNED, **SOMETIMES_COUNTERSIGNED}
    assert {kind: set(permissions) for kind, permissions in rows.items()} == signed_under
    assert not ALWAYS_COUNTERSIGNED.keys() & SOMETIMES_COUNTERSIGNED.keys()
    assert all(PERMISSIONS[permission].needs_two for permissions in rows.values() for permission in permissions)


def test_the_actions_that_two_people_sign_store_only_the_events_that_this_test_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test executes every command of a room. A command with a second person stores the events that its action
    lists."""
    assert ACTIONS.keys() == SENTENCES.keys()
    actions, stored = dict[str, str](), dict[str, set[type[DomainEvent]]]()
    build = command_service.CommandHandler.build_command

    def build_and_note(
        self: command_service.CommandHandler, id: str, body: Mapping[str, Any], *args: Any, **more: Any
    ) -> Command:
        command = build(self, id, body, *args, **more)
        if find_cosigners(body):
            actions[command.id] = body["do"]
        return command

    monkeypatch.setattr(command_service.CommandHandler, "build_command", build_and_note)
    with open_ledger(f"sqlite:///{tmp_path}/evening.db") as ledger:
        run_every_command(CardRoom(ledger), monkeypatch)
        for event in ledger.events():
            if event.payload.get("second"):
                stored.setdefault(actions[event.command_id], set()).add(EVENT_TYPES[event.kind])
    unlisted = {action: kinds - ACTIONS[action].events for action, kinds in stored.items()}
    assert not any(unlisted.values()), unlisted
    assert len(stored) > 20


@pytest.mark.parametrize("signer", ["sam", "vera"], ids=["a supervisor", "surveillance"])
def test_a_supervisor_or_surveillance_may_sign_the_refusal_of_a_devices_rounds(
    card_room: CardRoom, url: str, signer: str
) -> None:
    open_room(card_room)
    card_room.register_device("unit", FIRST, "prime-1", "T-1", "tabulator")
    card_room.hold_device("many", "device T-1", "T-1", "too many rounds", too_many=True)
    both = Both(card_room, Permission.ACCEPT_GAPS)
    both.refuse_device_rounds("no", FIRST, "T-1", "the table was closed", second=signer)
    assert verify(url).is_consistent


def test_a_voided_round_that_an_auditor_signed_is_detected(
    card_room: CardRoom, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An auditor may sign a restore, but never the voiding of a round at a table."""
    live_prime(card_room)
    begin(card_room, dealer="dora")
    for module in (user_service, command_service):
        monkeypatch.setattr(module, "refuse_signer", lambda *_: None)
    Both(card_room).void_live_round("off", "dora", PRIME, "the shuffler jammed", second="aldo")
    discrepancy = verify(url).discrepancy
    assert discrepancy is not None
    assert "aldo has signed it, and the role of aldo may not" in discrepancy.sentence


def test_a_user_whom_one_person_added_alone_is_detected(
    card_room: CardRoom, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(user_service, "require_countersigner", lambda *_: "")
    card_room.users.add("forged", FIRST, "mallory", "Mallory", Role.CAGE)
    discrepancy = verify(url).discrepancy
    assert discrepancy is not None
    assert discrepancy.chain == user_chain("mallory")


@pytest.mark.parametrize("signer", ["dora", "aldo"], ids=["a dealer", "an auditor, who signs other actions"])
def test_a_signature_of_a_user_whose_role_may_not_sign_the_action_is_detected(
    card_room: CardRoom, url: str, monkeypatch: pytest.MonkeyPatch, signer: str
) -> None:
    for module in (user_service, command_service):
        monkeypatch.setattr(module, "refuse_signer", lambda *_: None)
    Both(card_room, Permission.PAY_PLAYERS).players.pay_out("out", "carl", "ann", 20_00, "S-9", second=signer)
    discrepancy = verify(url).discrepancy
    assert discrepancy is not None
    assert discrepancy.chain == player_chain("ann")


# Surveillance.

ROYAL = ("--cards", "hand=Jd Qd Kd", "--cards", "fourth=Ad")
IN_CASH = ("--player", "Ann Lee", "--payment", "cash", "--reference", "218")
SEEN = ("--surveillance", "vera", "--checked-at", "now")


def test_the_name_of_surveillance_without_a_password_is_refused_on_the_command_line(cli_room: CliRoom) -> None:  # noqa: F811
    cli_room.open()
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    cli_room.execute("claim", "add", "final-four", "table-1", *ROYAL, "--id", "royal", by="kim")
    pay = ("claim", "pay", "final-four", "royal", *IN_CASH, *SEEN, "--second", "carl")
    before = cli_room.read_heads()
    missing = cli_room.run(*pay, CARDROOM_SURVEILLANCE_PASSWORD="")
    assert (missing.exit_code, "Password of vera, beside" in missing.stderr) == (2, True)
    supervisor = ("claim", "pay", "final-four", "royal", *IN_CASH, "--surveillance", "sam", "--checked-at", "now")
    assert "sam is a supervisor" in cli_room.read_refusal(*supervisor, "--second", "carl")
    for _ in range(3):
        wrong = cli_room.run(*pay, CARDROOM_SURVEILLANCE_PASSWORD="a guess")
        assert (wrong.exit_code, "password is wrong" in wrong.stderr) == (2, True)
    assert "password is wrong" in cli_room.read_refusal(*pay)  # the login is locked now: the right password is refused
    assert cli_room.read_heads() == before
    assert cli_room.read_json("verify")["whole"]


def test_surveillance_signs_its_check_of_a_claim_on_the_command_line(cli_room: CliRoom) -> None:  # noqa: F811
    cli_room.open()
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    cli_room.execute("claim", "add", "final-four", "table-1", *ROYAL, "--id", "royal", by="kim")
    cli_room.read_output("claim", "pay", "final-four", "royal", *IN_CASH, *SEEN, "--second", "carl", "--id", "pay-1")
    for login in ("vera", "carl"):
        result = cli_room.read_json("user", "history", login)
        newest = (result if isinstance(result, list) else result["events"])[0]
        assert "Pay $5,000.20 of claim royal on jackpot final-four to Ann Lee at seat 1" in str(newest)
    assert cli_room.read_json("verify")["whole"]
