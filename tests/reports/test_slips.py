"""The payout slip: its content, for any status of the claim."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.reports.accounting import BadReportFile, claim_slips, refuse_slip_file, slips_pdf, write_slips
from cardroom.room.amount_text import format_dollars
from cardroom.room.jackpot.state import UnknownClaim
from cardroom.room.setup.site import SiteSettings
from cardroom.service import CardRoom
from cardroom.service.chains.names import jackpot_chain
from tests.ledger.empty import empty_ledger
from tests.reports.card_room import Room, record_an_evening
from tests.service.card_rooms import CLUB_ROYAL, DIAMOND_ROYAL, SPADE_ROYAL, new_id, open_room, pay, play


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return record_an_evening(f"sqlite:///{tmp_path_factory.mktemp('room')}/books.db")


@pytest.fixture
def in_a_file(tmp_path: Path) -> Iterator[CardRoom]:
    with open_ledger(empty_ledger(tmp_path / "card_room.db")) as ledger:
        yield CardRoom(ledger)


def claims(card_room: CardRoom, jackpot: str) -> list[str]:
    """The jackpot's claims, oldest first."""
    events = card_room.ledger.events(jackpot_chain(jackpot))
    return [str(event.payload["claim"]) for event in events if event.kind == "claim-locked"]


def test_the_payout_slip_has_everything_about_the_payout(room: Room) -> None:
    card_room = room.card_room
    *_, last = claims(card_room, "final-four")
    (slip,) = claim_slips(card_room, "final-four", last)
    assert (slip.status, slip.order, slip.seat, slip.table, slip.dealer) == ("PAID", 3, 1, "prime-2", "Lee")
    assert (slip.player, slip.payment, slip.verified) == ("Ann Lee", "check 1078", "Olga")
    assert slip.surveillance == "Uma, 2026-03-09 19:00"
    assert (slip.claimed, slip.decided) == ("2026-03-09 19:00", "2026-03-09 19:00")
    assert "America/Los_Angeles" in slip.times
    (prize,) = slip.prizes
    assert (prize.words, prize.cards, prize.line) == ("royal flush", ("Ad", "Kd", "Qd", "Jd"), "100% of the meter")
    assert (slip.amount, slip.words) == ("$4,530.04", "Four thousand five hundred thirty dollars and four cents")
    assert dict(slip.sources) == {"the jackpot's bank account": "$4,530.04"}
    (paid,) = [one for one in card_room.history.list_jackpot_events("final-four", 500) if one.hash.hex() == slip.hash]
    assert (paid.kind, paid.id, paid.sequence) == ("claim-paid", slip.event, slip.sequence)


def test_a_refused_claim_states_the_reason(room: Room) -> None:
    _, refused, _ = claims(room.card_room, "final-four")
    (slip,) = claim_slips(room.card_room, "final-four", refused)
    assert (slip.status, slip.verified, slip.why) == ("REFUSED", "Olga", "the wager was made late")
    assert (slip.player, slip.payment, slip.sources) == ("not entered", "not entered", ())


def test_a_pending_claim_is_not_paid(tmp_path: Path) -> None:
    room = record_an_evening(f"sqlite:///{tmp_path}/books.db")
    room.card_room.site.configure("room", "Olga", SiteSettings("Main Street"), "the name", second="Carl")
    round_id = room.rounds("prime-1", 1)
    made = room.card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", round_id, DIAMOND_ROYAL)
    (slip,) = claim_slips(room.card_room, "final-four", "win")
    assert (slip.room, slip.status, slip.decided) == ("Main Street", "NOT PAID", "")
    assert slip.amount == f"${made.cents / 100:,.2f}"
    assert slip.surveillance == "required before payment"


def test_a_refused_claim_shows_its_value_at_the_refusal(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, round_id="r1")
    hearts = replace(CLUB_ROYAL, cards={"hand": "Jh Qh Kh", "fourth": "Ah"}, seat=3)
    for claim, hand in {"clubs": CLUB_ROYAL, "spades": SPADE_ROYAL, "hearts": hearts}.items():
        in_a_file.claims.claim_hand(claim, "Kim", "final-four", "prime-1", "r1", hand)
    pay(in_a_file, "Vera", "final-four", "clubs")
    worth = in_a_file.jackpot("final-four").claim("spades").cents
    in_a_file.claims.refuse(new_id(), "Vera", "final-four", "spades", "no wager there")
    (slip,) = claim_slips(in_a_file, "final-four", "spades")
    assert (slip.status, slip.amount) == ("REFUSED", format_dollars(worth))
    assert slip.amount == "$166.71"


def test_every_winner_has_a_page(room: Room) -> None:
    (won,) = claims(room.card_room, "ties")
    slips = claim_slips(room.card_room, "ties", won)
    assert [slip.seat for slip in slips] == sorted({slip.seat for slip in slips})
    assert len(re.findall(rb"/Type */Page\b", slips_pdf(slips, 0))) == len(slips) > 0


def test_a_reprinted_slip_is_the_same(room: Room, tmp_path: Path) -> None:
    last = claims(room.card_room, "final-four")[-1]
    one, other = tmp_path / "one.pdf", tmp_path / "other.pdf"
    write_slips(room.card_room, "final-four", last, one)
    write_slips(room.card_room, "final-four", last, other)
    assert one.read_bytes() == other.read_bytes()
    attached = re.search(rb"/Type\s*/EmbeddedFile\b.*?stream\r?\n", one.read_bytes(), re.DOTALL)
    assert attached
    # Its last byte may look like the end of a line, so the stream itself says where it ends.
    assert b"check 1078" in zlib.decompressobj().decompress(one.read_bytes()[attached.end() :])


def test_an_unknown_claim_has_no_slip(room: Room) -> None:
    with pytest.raises(UnknownClaim, match=r"'c-9'.*final-four"):
        claim_slips(room.card_room, "final-four", "c-9")


@pytest.mark.parametrize("name", ["slip", "slip.txt", "slip.html"])
def test_a_slip_is_a_pdf(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadReportFile, match=r"\.pdf"):
        refuse_slip_file(tmp_path / name)
