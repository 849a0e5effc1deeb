"""Each event type is declared once, occurs in a card room, and decodes to the payload that was stored."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson
import pytest

import cardroom
from cardroom.ledger import iterate_verified_events
from cardroom.ledger.encryption import new_key
from cardroom.room.event_types import EVENT_TYPES
from cardroom.room.jackpot.event_values import ChipsOutcome, DeviceStamp, LoggerGap, LoggerMark
from cardroom.room.setup.jackpot import JackpotSetup, OfferSetup
from cardroom.room.setup.site import SiteSettings
from cardroom.room.user.permissions import Permission, PermissionDenied, Role
from cardroom.room.user.sign_in import SignInFailed, WrongPin
from cardroom.service import CardRoom
from cardroom.service.backup import replace_key
from cardroom.service.commands.second_signature import Signature, SignatureMissing, SignatureRequest
from cardroom.service.queries.chain_history import read_domain_event
from tests.heads.rooms import serving_witness, to_witness
from tests.service.card_rooms import CLUB_ROYAL, SPADE_ROYAL, THREE_OF_A_KIND, new_id, play, reconcile_short
from tests.service.live_scenes import an_hour_with_a_dealer
from tests.service.staff import FIRST, HERE, Both, open_staff, password_of
from tests.service.test_promotions import STRAIGHTS
from tests.service.test_table_jackpots import an_hour_at_tables
from tests.service.test_verification import busy_evening

DECLARATIONS = {
    Path("room/jackpot/events.py"),
    Path("room/player/account.py"),
    Path("room/promotion/state.py"),
    Path("room/site/events.py"),
    Path("room/table/events.py"),
    Path("room/tabulator/events.py"),
    Path("room/user/events.py"),
}


def a_day_at_the_door(card_room: CardRoom) -> None:
    """Store every type of event about users who sign in."""
    open_staff(card_room)
    session = card_room.users.sign_in("dora", password_of("dora"), HERE).session
    card_room.users.choose_pin(session, password_of("dora"), "4471", HERE)
    card_room.users.lock_session(session, "idle")
    with pytest.raises(WrongPin):
        card_room.users.unlock_session(session, "0000", HERE)
    card_room.users.unlock_session(session, "4471", HERE)
    card_room.users.end_session(session)
    with pytest.raises(SignInFailed):
        card_room.users.sign_in("dora", "not the password", HERE)
    signed_room = Both(card_room)
    with pytest.raises(PermissionDenied):
        Both(card_room, Permission.PAY_PLAYERS).users.recover("no", FIRST, "dora", second="vera")
    signed_room.users.assign_role("up", FIRST, "dora", Role.SUPERVISOR, second="sam")
    signed_room.users.recover("help", FIRST, "dora", second="sam")
    card_room.users.expire_password("end", FIRST, "dora", "restored from a backup")
    signed_room.users.deactivate("bye", FIRST, "dora", "left", second="sam")
    card_room.users.recover_operator("lost", FIRST, "Ann Lee", "Bo Ray", "room")
    card_room.users.acknowledge_recovery("seen", "sam", FIRST)


def refuse_to_sign(to_sign: SignatureRequest) -> Signature:
    raise SignatureMissing(to_sign)  # in a room without users


def the_rest(card_room: CardRoom) -> None:
    """Store the events that a busy evening does not."""
    card_room.site.confirm_clock(new_id(), "Olga")
    play(card_room, "prime-3", seats=2, round_id="two royals")
    card_room.claims.claim_hand("clubs", "Kim", "final-four", "prime-3", "two royals", CLUB_ROYAL)
    card_room.claims.claim_hand("spades", "Lou", "final-four", "prime-3", "two royals", SPADE_ROYAL)
    card_room.tabulate(new_id(), "Kim", "prime-3", {1: [1]}, round_id="wrong cards")
    card_room.claims.claim_hand("trips again", "Kim", "final-four", "prime-3", "wrong cards", THREE_OF_A_KIND)
    wrong_claim = "final-four", "trips again", "the wrong_claim cards were typed"
    card_room.claims.reverse_prizes(new_id(), "Vera", *wrong_claim, second="Carl", chips=ChipsOutcome.RETURNED)
    for claim in ("clubs", "spades"):
        card_room.claims.refuse(new_id(), "Vera", "final-four", claim, "the seal was broken")
    reopening: Any = {"second": "Olga", "why": "typed again"}
    reconcile_short(card_room, "Carl", 0, **reopening)
    card_room.jackpots.reconcile(new_id(), "Carl", "final-four", 90_000_00, day=None, **reopening)
    card_room.tabulate(new_id(), "Kim", "prime-3", {1: [1]}, round_id="void")
    card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", None, "before the round is void")
    card_room.void_round(new_id(), "Olga", "prime-3", "void", "the shuffler jammed", second="Carl")
    card_room.jackpots.reimburse_cage(new_id(), "Carl", "final-four", None, "T-1", second="Olga")
    card_room.jackpots.add_seed(new_id(), "Olga", "final-four", "main", 10_00, "a round number", second="Carl")
    card_room.jackpots.change_parameters(
        new_id(), "Olga", "final-four", "main", {"contribution": "1%"}, "fewer", second="Carl"
    )
    card_room.jackpots.disable(new_id(), "Olga", "five-wild", "repairs")
    card_room.jackpots.enable(new_id(), "Olga", "five-wild")
    offer = OfferSetup("deuces-wild", "bonus-jackpot", "A", {"five-wild-cards": "$5,000"})
    fixed = JackpotSetup("with-bonus", "Five Wild", "bonus", "Lakewood", (offer,), levels=())
    card_room.jackpots.open(new_id(), "Olga", fixed)
    card_room.jackpots.change_bonus(
        new_id(), "Olga", "with-bonus", "deuces-wild", "five-wild-cards", "$9,000", "summer", second="Carl"
    )
    card_room.jackpots.remove(new_id(), "Olga", "with-bonus", "it is over", second="Carl")
    card_room.clear_tabulator_fault(new_id(), "Kim", "prime-2")
    card_room.report_lights(new_id(), "Kim", "prime-2", {1: [3]})
    counters = [counter + 2 for counter in card_room.tabulator("prime-2").tabulator.counters]
    card_room.read_counter("read", "Kim", "prime-2", counters, second="Lee", why="a wager was on the dark spot")
    card_room.reverse_reading(new_id(), "Kim", "prime-2", "read", "another table's counter", second="Lee")
    card_room.skip_records("gap", "Kim", "wild-1", LoggerMark(2, "seal"), 3, "a wet memory card", second="Lee")
    card_room.remove_table(new_id(), "Olga", "prime-3", "a quiet week")
    card_room.site.configure(new_id(), "Olga", SiteSettings(dealer_pays=200_00), "a smaller limit", second="Carl")
    card_room.malfunctions.report(new_id(), "Kim", "R-31", "prime-2", found_at="00:00", why="dead lights")
    card_room.malfunctions.send(new_id(), "Kim", "R-31", reference="fax 12")
    card_room.malfunctions.close(new_id(), "Kim", "R-31", "the lights were exchanged")
    card_room.get_room_secret()
    card_room.register_device(new_id(), "Olga", "prime-2", "T-1001", "tabulator")
    card_room.renew_device_token(new_id(), "Olga", "T-1001", "the token was left on a table")
    card_room.hold_device(new_id(), "device T-1001", "T-1001", "the counter jumped", LoggerGap(LoggerMark(7, "s"), 9))
    card_room.release_device(new_id(), "device T-1001", "T-1001")
    card_room.hold_device(new_id(), "device T-1001", "T-1001", "too many rounds", too_many=True)
    card_room.accept_device_rounds(new_id(), "Olga", "T-1001", 3, "the network was down", second="Carl")
    card_room.withdraw_device(new_id(), "Olga", "T-1001", "it goes back to the maker")
    stamp = DeviceStamp("T-1001", 1_000_000)
    card_room.tabulate(new_id(), "Kim", "prime-2", {1: [1]}, device=stamp)
    card_room.days.open(new_id(), "Olga")
    card_room.days.close(new_id(), "Olga")
    with TemporaryDirectory() as folder, serving_witness(Path(folder) / "witness") as witness:
        card_room.heads.send(new_id(), "Olga", to_witness(Path(folder), witness.address))
    card_room.promotions.end(new_id(), "Olga", STRAIGHTS.id, "the summer is over")
    card_room.record_key_backup(new_id(), "Olga", Path("/safe/room.key"), second="Carl")
    card_room.rotate_key(new_id(), "Olga", "once a year", new_key("a test", None), second="Carl")
    replace_key(card_room, new_id(), "Olga", "the disk is gone", refuse_to_sign, second="Carl")
    card_room.site.confirm_restore(
        new_id(), "Olga", card_room.site.summarize_ledger(), 1_000_000, ("olga",), ("T-1001",), second="Carl"
    )


def test_every_event_type_is_stored_and_decodes_to_its_payload(
    card_room: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy_evening(card_room)
    the_rest(card_room)
    an_hour_at_tables(card_room, monkeypatch)
    an_hour_with_a_dealer(card_room)
    a_day_at_the_door(card_room)
    stored = set[str]()
    for event, _ in iterate_verified_events(card_room.ledger):
        decoded = read_domain_event(event).payload
        assert orjson.loads(orjson.dumps(decoded)) == event.payload, event.kind
        stored.add(event.kind)
    assert stored == set(EVENT_TYPES)


def test_the_name_of_an_event_type_is_only_in_its_declaration() -> None:
    source = Path(cardroom.__file__).parent
    # Names without a hyphen are also plain words on displays and in columns, so they are left out.
    kinds = sorted(kind for kind in EVENT_TYPES if "-" in kind)
    literal = re.compile("|".join(f'"{kind}"' for kind in kinds))
    read, misplaced = 0, []
    for path in source.rglob("*.py"):
        read += 1
        if path.relative_to(source) not in DECLARATIONS and literal.search(path.read_text("utf-8")):
            misplaced.append(path.relative_to(source))
    assert (misplaced, len(kinds) > 20, read > 100) == ([], True, True)
    declared = "".join((source / path).read_text("utf-8") for path in DECLARATIONS)
    assert set(literal.findall(declared)) == {f'"{kind}"' for kind in kinds}
