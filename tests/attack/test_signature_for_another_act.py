"""A second person's signature is for one command: it is worth nothing for another amount, payee, or command, and
the user who writes events past the program without one is found."""

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
from cardroom.room.table.events import LiveRoundCanceled, RoundCanceled, SealRenewed
from cardroom.room.tabulator.events import (
    CounterRead,
    ReadingReversed,
    RecordsSkipped,
    RoundsAccepted,
    RoundVoided,
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
from cardroom.service.commands import users as people_counter
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
from tests.cli.card_room import House
from tests.cli.conftest import books_with_staff, house  # noqa: F401 (fixtures)
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
        made = CardRoom(ledger, clock)
        open_staff(made)
        made.admit_player("admit/ann", "carl", "ann", Currency.REAL)
        made.admit_player("admit/bob", "carl", "bob", Currency.REAL)
        for player in ("ann", "bob"):
            Both(made).pay_in(f"in/{player}", "carl", player, 500_00, f"S-{player}", second="sam")
        yield made


def pay_out(card_room: CardRoom, id: str = "out", player: str = "ann", cents: int = 20_00, slip: str = "S-9") -> object:
    return card_room.pay_out(id, "carl", player, cents, slip, second="sam")


def signature_on(
    card_room: CardRoom, do: Callable[[], object], right: Permission = Permission.PAY_PLAYERS
) -> Signature:
    """What the second person has signed, in the hands of an attacker."""
    with pytest.raises(SignatureMissing) as asked:
        do()
    to_sign = asked.value.request
    return card_room.countersign(to_sign, password_of(to_sign.login), permission=right, address=HERE)


@pytest.mark.parametrize(
    "changed",
    [{"cents": 480_00}, {"player": "bob"}, {"slip": "S-10"}, {"id": "another"}],
    ids=["another amount", "another payee", "another slip", "another command"],
)
def test_a_signature_is_worth_nothing_for_anything_else(card_room: CardRoom, changed: dict[str, object]) -> None:
    signature = signature_on(card_room, lambda: pay_out(card_room))
    balances = [card_room.player_account(player).balance for player in ("ann", "bob")]
    with use_signatures(signature), pytest.raises(SignatureMismatch, match="sam signed something else"):
        pay_out(card_room, **changed)  # type: ignore[arg-type]
    assert [card_room.player_account(player).balance for player in ("ann", "bob")] == balances
    with use_signatures(signature):
        pay_out(card_room)
        pay_out(card_room)  # the same command again is its first answer again
    assert card_room.player_account("ann").balance == 480_00
    with use_signatures(signature), pytest.raises(SignatureMismatch):
        pay_out(card_room, id="again", slip="S-11")


def test_nothing_that_two_people_do_is_done_without_the_second_ones_signature(card_room: CardRoom, url: str) -> None:
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
        card_room.claim_hand("clubs", "dora", "final-four", "prime-1", "r1", CLUB_ROYAL)

        def refuse() -> object:
            return card_room.refuse_claim("no", "vera", "final-four", "clubs", "The seal was broken", second="carl")

        signature = signature_on(card_room, refuse, Permission.PAY_JACKPOTS)
        card_room.claim_hand("spades", "dora", "final-four", "prime-1", "r1", SPADE_ROYAL)
        with use_signatures(signature), pytest.raises(SignatureMismatch):
            refuse()
        assert {claim.id for claim in card_room.jackpot("final-four").claims} == {"clubs", "spades"}


@pytest.mark.parametrize("second", ["carl", "Carl", " CARL ", "c-a-r-l", "\u0441arl", "carl\u200b"])
def test_one_person_under_two_spellings_is_one_person(card_room: CardRoom, second: str) -> None:
    def do() -> object:
        return card_room.pay_out("out", "carl", "ann", 20_00, "S-9", second=second)

    with pytest.raises(SignatureMissing) as asked:
        do()
    with pytest.raises(SamePerson):
        card_room.countersign(asked.value.request, password_of("carl"), permission=Permission.PAY_PLAYERS, address=HERE)
    with pytest.raises(BadInput):
        Both(card_room).add_user("twin", FIRST, second.strip(), "Carl Twin", Role.CAGE, second="sam")


def locked_out(card_room: CardRoom) -> None:
    for _ in range(3):
        with pytest.raises(SignInFailed):
            card_room.sign_in("sam", "a guess", HERE)


def deactivated(card_room: CardRoom) -> None:
    Both(card_room).deactivate_user("bye", FIRST, "sam", "left", second="vera")


def with_a_password_for_one_time(card_room: CardRoom) -> None:
    Both(card_room).recover_user("help", FIRST, "sam", second="vera")


@pytest.mark.parametrize("become", [locked_out, deactivated, with_a_password_for_one_time])
def test_a_login_that_may_not_sign_in_does_not_sign(card_room: CardRoom, become: Callable[[CardRoom], None]) -> None:
    become(card_room)
    with pytest.raises(SignatureMissing) as asked:
        pay_out(card_room)
    with pytest.raises(SignInFailed):
        card_room.countersign(asked.value.request, password_of("sam"), permission=Permission.PAY_PLAYERS, address=HERE)


def test_a_signature_of_a_person_who_was_deactivated_meanwhile_is_refused(card_room: CardRoom) -> None:
    signature = signature_on(card_room, lambda: pay_out(card_room))
    deactivated(card_room)
    with use_signatures(signature), pytest.raises(SignInFailed, match="sam can no longer sign"):
        pay_out(card_room)
    assert card_room.player_account("ann").balance == 500_00


# A database administrator writes events of his own, with hashes that fit.

BODY = {"do": "pay-out", "who": "carl", "second": "sam", "player": "ann", "cents": 400_00, "reference": "S-66"}


def forge(card_room: CardRoom, *domain_events: tuple[str, DomainEvent], id: str = "forged") -> None:
    """Write events past the program, and everything that follows from them."""
    chains = (player_chain("ann"), user_chain("sam"), ROOM_CHAIN)
    names = (UniqueKey(player_chain("ann"), "slip s-66"),)

    def decide(heads: Mapping[str, Head | None]) -> CommandOutcome:
        draft = UnitOfWork(StateCache(), heads, names)
        for kind, domain_event in domain_events:
            if kind == "player":
                draft.apply_to_player_account("ann", [domain_event])
            else:
                draft.apply_to_user("sam", [domain_event])
        return draft.build_outcome(None)

    card_room.ledger.execute(Command(id, chains, BODY, decide, names))


STOLEN = ("player", BalancePaidOut("ann", 400_00, "carl", "sam", "S-66"))


def forged_signature(command: str = "forged", digest: str | None = None) -> tuple[str, DomainEvent]:
    result = body_digest(BODY).hex() if digest is None else digest
    return "person", Countersigned("sam", "carl", "Pay $400 to ann.", HERE, command, result)


def test_a_pair_of_events_without_a_signature_is_found(card_room: CardRoom, url: str) -> None:
    assert verify(url).is_consistent
    forge(card_room, STOLEN)
    found = verify(url).discrepancy
    assert found is not None
    assert "the second person has not signed it" in found.sentence
    assert found.chain == player_chain("ann")


def test_a_second_person_who_is_left_out_altogether_is_found(card_room: CardRoom, url: str) -> None:
    forge(card_room, ("player", BalancePaidOut("ann", 400_00, "carl", "", "S-66")))
    found = verify(url).discrepancy
    assert found is not None
    assert found.chain == player_chain("ann")


@pytest.mark.parametrize(
    ("signature", "sentence"),
    [
        (lambda card_room: copied(card_room), "for another command than the one it is stored with"),
        (lambda _: forged_signature(digest="ab" * 32), "has signed a different command than the stored one"),
    ],
    ids=["a signature used again", "a signature on another amount"],
)
def test_a_signature_that_does_not_fit_its_command_is_found(
    card_room: CardRoom, url: str, signature: Callable[[CardRoom], tuple[str, DomainEvent]], sentence: str
) -> None:
    forge(card_room, STOLEN, signature(card_room))
    found = verify(url).discrepancy
    assert found is not None
    assert sentence in found.sentence
    assert found.chain == user_chain("sam")


def copied(card_room: CardRoom) -> tuple[str, DomainEvent]:
    """A true signature of an earlier command."""
    *_, event = (one for one in card_room.ledger.events(user_chain("sam")) if one.kind == "countersigned")
    return forged_signature(str(event.payload["command"]), str(event.payload["digest"]))


# A program that was changed so that no one has to sign.


def reimburse_cage(card_room: CardRoom) -> Callable[[], object]:
    Both(card_room).add_seed("more", FIRST, "final-four", "main", 600_00, "a good week", second="carl")
    card_room.deposit_to_bank("slip", "carl", "final-four", None, "D-1")
    Both(card_room).recover_seed("back", FIRST, "final-four", "main", 90_00, "as agreed", second="carl")
    return lambda: card_room.reimburse_cage("forged", "carl", "final-four", None, "T-1", second="sam")


def reopen_jackpot(card_room: CardRoom) -> Callable[[], object]:
    card_room.deposit_to_bank("slip", "carl", "final-four", None, "D-1")
    reconcile_short(card_room, "carl", 0)
    why = "the money was found"
    return lambda: card_room.reconcile_account(
        "forged", "carl", "final-four", 90_000_00, day=None, second="sam", why=why
    )


def accept_rounds(card_room: CardRoom) -> Callable[[], object]:
    card_room.register_device("unit", FIRST, "prime-1", "T-1", "tabulator")
    card_room.hold_device("many", "device T-1", "T-1", "too many rounds", too_many=True)
    return lambda: card_room.accept_device_rounds("forged", FIRST, "T-1", 3, "the network was down", second="sam")


@pytest.mark.parametrize("prepare", [reimburse_cage, reopen_jackpot, accept_rounds])
def test_an_act_of_two_people_that_only_one_has_signed_is_found(
    card_room: CardRoom, url: str, monkeypatch: pytest.MonkeyPatch, prepare: Callable[[CardRoom], Callable[[], object]]
) -> None:
    open_room(card_room)
    act = prepare(card_room)
    assert verify(url).is_consistent
    monkeypatch.setattr(command_service, "find_cosigners", lambda _: {})
    act()
    found = verify(url).discrepancy
    assert found is not None
    assert "the second person has not signed it" in found.sentence


class ActOfTwo(NamedTuple):
    """A command that two people answer for: under which rights the second one signs, and what it writes."""

    rights: frozenset[Permission]
    writes: frozenset[type[DomainEvent]]


def act(commands: str, *writes: type[DomainEvent]) -> ActOfTwo:
    """The rights are those of the commands that people give, several with commas between them. Where a command takes
    another right beside a second person, the right itself is named."""
    rights = {Permission[one] if one.isupper() else permission_for(one) for one in commands.split(", ")}
    return ActOfTwo(frozenset(rights), frozenset(writes))


OFF = (RoundVoided, WagersReversed)
"""What a round writes besides that is void after it was counted."""
ACTS = {
    "pay": act("claim pay", ClaimPaid),
    "refuse": act("claim refuse", ClaimRefused),
    "reverse-prizes": act("prize reverse", PrizesReversed),
    "pay-in": act("player pay-in", BalancePaidIn),
    "pay-out": act("player pay-out", BalancePaidOut),
    "correct-malfunction": act("jackpot adjust", MeterAdjusted),
    "add-seed": act("jackpot adjust", MeterAdjusted),
    "recover-seed": act("jackpot adjust", MeterAdjusted),
    "lower-to-ceiling": act("jackpot adjust", MeterAdjusted),
    "remove-hidden": act("jackpot adjust", MeterAdjusted),
    "reimburse-cage": act("jackpot reimburse", CageReimbursed),
    "reconcile": act("jackpot reconcile", JackpotReconciled, JackpotClosed, JackpotReopened),
    "change-parameters": act("jackpot change", ChangeRequested, ChangeApplied),
    "change-bonus": act("jackpot change", BonusChanged),
    "remove": act("jackpot remove", JackpotRemoved),
    "void-automatic-round": act("rounds void", RoundCanceled, *OFF),
    "void-live-round": act("rounds void", LiveRoundCanceled, *OFF),
    "void-round": act("rounds void", *OFF),
    "add-user": act("user add, KEEP_PEOPLE", UserRegistered),
    "recover-user": act("user recover, KEEP_PEOPLE", UserRecovered),
    "assign-role": act("user change-role", RoleAssigned),
    "deactivate-user": act("user deactivate", UserDeactivated),
    "pay-promotion": act("promotion pay", PromotionPrizePaid),
    "read-counter": act("ACCEPT_GAPS", CounterRead),
    "accept-rounds": act("device accept-rounds", RoundsAccepted),
    "accept-logger-records": act("ACCEPT_GAPS", RoundsAccepted),
    "refuse-rounds": act("device refuse-rounds", DeviceWithdrawn),
    "reverse-reading": act("reading reverse", ReadingReversed, WagersReversed),
    "skip-records": act("device accept-gap, ACCEPT_GAPS", RecordsSkipped, CounterRead),
    "configure-room": act("room configure", SiteConfigured),
    "replace-heads-key": act("heads replace-key", HeadsKeyRecorded),
    "confirm-restore": act("restore", BackupRestored),
    "rotate-key": act("key rotate", KeyRotated),
    "rotate-key-and-secret": act("key rotate", KeyRotated, SecretReplaced),
    "back-up-key": act("key backup", KeyBackedUp),
    "replace-secret": act("key replace, restore", SecretReplaced),
    "void-round-and-renew-seal": act("key rotate, key replace, restore", SealRenewed, *OFF),
}


def everything(card_room: CardRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that can happen in a room."""
    busy_evening(card_room)
    the_rest(card_room)
    an_hour_at_tables(card_room, monkeypatch)
    an_hour_with_a_dealer(card_room)
    a_day_at_the_door(card_room)


def test_verify_knows_who_signs_for_every_event_that_can_name_a_second_person() -> None:
    """The rights of a row are exactly those under which the commands that write the event are signed."""
    can = {kind for kind in EVENT_TYPES.values() if "second" in {field.name for field in fields(kind)}}
    signed_under: dict[type[DomainEvent], set[Permission]] = {kind: set() for kind in can}
    for act in ACTS.values():
        for kind in act.writes:
            signed_under[kind] |= act.rights
    rows = {**ALWAYS_COUNTERSIGNED, **SOMETIMES_COUNTERSIGNED}
    assert {kind: set(rights) for kind, rights in rows.items()} == signed_under
    assert not ALWAYS_COUNTERSIGNED.keys() & SOMETIMES_COUNTERSIGNED.keys()
    assert all(PERMISSIONS[right].needs_two for rights in rows.values() for right in rights)


def test_the_acts_that_two_people_sign_are_those_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything that a room can do is done: a command that names a second person writes what its act lists."""
    assert ACTS.keys() == SENTENCES.keys()
    acts, written = dict[str, str](), dict[str, set[type[DomainEvent]]]()
    make = command_service.CommandHandler._build_command

    def noted(
        self: command_service.CommandHandler, id: str, body: Mapping[str, Any], *args: Any, **more: Any
    ) -> Command:
        command = make(self, id, body, *args, **more)
        if find_cosigners(body):
            acts[command.id] = body["do"]
        return command

    monkeypatch.setattr(command_service.CommandHandler, "_build_command", noted)
    with open_ledger(f"sqlite:///{tmp_path}/evening.db") as ledger:
        everything(CardRoom(ledger), monkeypatch)
        for event in ledger.events():
            if event.payload.get("second"):
                written.setdefault(acts[event.command_id], set()).add(EVENT_TYPES[event.kind])
    unlisted = {act: kinds - ACTS[act].writes for act, kinds in written.items()}
    assert not any(unlisted.values()), unlisted
    assert len(written) > 20


@pytest.mark.parametrize("signer", ["sam", "vera"], ids=["a supervisor", "surveillance"])
def test_rounds_of_a_device_that_surveillance_helps_to_refuse_leave_the_ledger_valid(
    card_room: CardRoom, url: str, signer: str
) -> None:
    open_room(card_room)
    card_room.register_device("unit", FIRST, "prime-1", "T-1", "tabulator")
    card_room.hold_device("many", "device T-1", "T-1", "too many rounds", too_many=True)
    both = Both(card_room, Permission.ACCEPT_GAPS)
    both.refuse_device_rounds("no", FIRST, "T-1", "the table was closed", second=signer)
    assert verify(url).is_consistent


def test_a_round_that_an_auditor_helps_to_void_is_found(
    card_room: CardRoom, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An auditor signs for a restore, and never for voiding a round at a table."""
    live_prime(card_room)
    begin(card_room, dealer="dora")
    for module in (people_counter, command_service):
        monkeypatch.setattr(module, "refuse_signer", lambda *_: None)
    Both(card_room).void_live_round("off", "dora", PRIME, "the shuffler jammed", second="aldo")
    found = verify(url).discrepancy
    assert found is not None
    assert "aldo has signed it, and the role of aldo may not" in found.sentence


def test_a_user_whom_one_person_added_although_another_could_sign_is_found(
    card_room: CardRoom, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people_counter, "require_countersigner", lambda *_: "")
    card_room.add_user("forged", FIRST, "mallory", "Mallory", Role.CAGE)
    found = verify(url).discrepancy
    assert found is not None
    assert found.chain == user_chain("mallory")


@pytest.mark.parametrize("signer", ["dora", "aldo"], ids=["a dealer", "an auditor, who signs for other acts"])
def test_a_signature_of_a_user_whose_role_may_not_sign_for_the_act_is_found(
    card_room: CardRoom, url: str, monkeypatch: pytest.MonkeyPatch, signer: str
) -> None:
    for module in (people_counter, command_service):
        monkeypatch.setattr(module, "refuse_signer", lambda *_: None)
    Both(card_room, Permission.PAY_PLAYERS).pay_out("out", "carl", "ann", 20_00, "S-9", second=signer)
    found = verify(url).discrepancy
    assert found is not None
    assert found.chain == player_chain("ann")


# Surveillance.

ROYAL = ("--cards", "hand=Jd Qd Kd", "--cards", "fourth=Ad")
IN_CASH = ("--player", "Ann Lee", "--payment", "cash", "--reference", "218")
SEEN = ("--surveillance", "vera", "--checked-at", "now")


def test_a_typed_name_of_surveillance_is_refused_on_the_command_line(house: House) -> None:  # noqa: F811
    house.open()
    house.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    house.execute("claim", "add", "final-four", "table-1", *ROYAL, "--id", "royal", by="kim")
    pay = ("claim", "pay", "final-four", "royal", *IN_CASH, *SEEN, "--second", "carl")
    before = house.heads()
    missing = house.run(*pay, CARDROOM_SURVEILLANCE_PASSWORD="")
    assert (missing.exit_code, "Password of vera, beside" in missing.stderr) == (2, True)
    supervisor = ("claim", "pay", "final-four", "royal", *IN_CASH, "--surveillance", "sam", "--checked-at", "now")
    assert "sam is a supervisor" in house.refused(*supervisor, "--second", "carl")
    for _ in range(3):
        wrong = house.run(*pay, CARDROOM_SURVEILLANCE_PASSWORD="a guess")
        assert (wrong.exit_code, "password is wrong" in wrong.stderr) == (2, True)
    assert "password is wrong" in house.refused(*pay)  # the login is locked by now, and the right password no use
    assert house.heads() == before
    assert house.read_json("verify")["whole"]


def test_surveillance_signs_for_its_check_on_the_command_line(house: House) -> None:  # noqa: F811
    house.open()
    house.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    house.execute("claim", "add", "final-four", "table-1", *ROYAL, "--id", "royal", by="kim")
    house.said("claim", "pay", "final-four", "royal", *IN_CASH, *SEEN, "--second", "carl", "--id", "pay-1")
    for login in ("vera", "carl"):
        result = house.read_json("user", "history", login)
        newest = (result if isinstance(result, list) else result["events"])[0]
        assert "Pay $5,000.20 of claim royal on jackpot final-four to Ann Lee at seat 1" in str(newest)
    assert house.read_json("verify")["whole"]
