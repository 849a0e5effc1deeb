"""Each winner of a round is claimed separately, possibly by another dealer and on another jackpot."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import orjson
import pytest

from cardroom.games import FeatureSetup, WagerLimits, default_setup
from cardroom.games.money import format_cents
from cardroom.games.setup import setup_to_json
from cardroom.room.claim.new_claim import ClaimSubmission, claim_typed_hand
from cardroom.room.claim.prior_claims import PriorClaims
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.claim.typed_hand import TypedHand, typed_hand_record
from cardroom.room.descriptions.event_descriptions import describe_details
from cardroom.room.setup.jackpot import read_jackpot_setup
from cardroom.room.setup.site import SiteSettings
from cardroom.room.setup.tabulator import TabulatorSetup, WagerSensor
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup, verify_card_room
from cardroom.service.commands.results import ClaimResult
from cardroom.service.queries.jackpot_history import list_change_lines
from tests.service.card_rooms import (
    CLUB_ROYAL,
    DIAMOND_ROYAL,
    SEVEN_SPADES,
    SPADE_ROYAL,
    THREE_OF_A_KIND,
    WATCHED,
    all_seven,
    is_covered,
    new_id,
    open_room,
    pay,
    play,
    prime_table,
    shown,
    whole,
)
from tests.service.test_claims import finished_round
from tests.service.test_verification import _commit, discrepancy

FOUR_SEVENS = TypedHand("final-four", 100, {"hand": "7c 7d 7h", "fourth": "7s"})
"""$1,000 of the house's money."""


def claim(card_room: CardRoom, id: str, hand: TypedHand, round_id: str = "r1", **more: str) -> ClaimResult:
    jackpot, who = more.get("jackpot", "final-four"), more.get("who", "Kim")
    return card_room.claims.claim_hand(id, who, jackpot, "prime-1", round_id, hand)


@pytest.mark.parametrize("first", ["clubs", "spades"])
def test_equal_winners_share_whichever_is_claimed_first(card_room: CardRoom, first: str) -> None:
    open_room(card_room)
    play(card_room, seats=5, round_id="r1")
    hands = {"clubs": CLUB_ROYAL, "spades": SPADE_ROYAL}
    second = next(name for name in hands if name != first)
    assert claim(card_room, first, hands[first]).cents == 500_10
    play(card_room, "prime-2", seats=3)
    result = claim(card_room, second, hands[second], who="Lou")
    assert (result.order, result.cents, result.revalued) == (2, 250_05, {first: 250_05})
    assert shown(card_room) == 4_501_50  # $5,001 less a tenth, plus three later wagers
    newest = next(line for line in list_change_lines(card_room.history.list_jackpot_events("final-four")) if line.level)
    assert f"claim {first} is now $250.05" in newest.note
    for name in (second, first):
        assert pay(card_room, "Vera", "final-four", name).cents == 250_05
    assert is_covered(card_room)
    assert verify_card_room(card_room.ledger).is_consistent


def test_only_claims_with_a_changed_amount_are_listed_when_another_claim_joins(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, seats=5, round_id="r1")
    changed: dict[str, dict[str, int]] = {}
    for name, hand in (("diamonds", replace(DIAMOND_ROYAL, seat=4)), ("clubs", CLUB_ROYAL), ("spades", SPADE_ROYAL)):
        changed[name] = dict(claim(in_a_file, name, hand).revalued)
        event = in_a_file.history.list_jackpot_events("final-four", 1)[0]
        newest = next(line for line in list_change_lines([event]) if line.level)
        for description in (newest.note, describe_details(event.kind, event.payload, str)):
            assert re.findall(r"claim (\w+) is now (\S+\d)", description) == [
                (other, format_cents(cents)) for other, cents in changed[name].items()
            ]
    assert changed == {"diamonds": {}, "clubs": {}, "spades": {"clubs": 250_05}}
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_a_late_winner_of_a_paid_round_is_still_paid_and_verified(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=5, round_id="r1")
    claim(card_room, "clubs", CLUB_ROYAL)
    pay(card_room, "Vera", "final-four", "clubs")
    play(card_room, "prime-2", seats=3)
    before = card_room.jackpot("final-four").meters[0]
    assert claim(card_room, "spades", SPADE_ROYAL).cents == 250_05
    after = card_room.jackpot("final-four").meters[0]
    assert (after.display, after.pending) == (before.display, 250_05 * 100)
    pay(card_room, "Vera", "final-four", "spades")
    with pytest.raises(BadClaim):
        claim(card_room, new_id(), CLUB_ROYAL)
    assert is_covered(card_room)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_record_of_a_round_can_follow_a_typed_hand(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, seats=5, round_id="r1")
    claim(in_a_file, "spades", SPADE_ROYAL)
    result = in_a_file.claims.claim_prizes(
        "record", "Lou", "final-four", "prime-1", "r1", finished_round("Jc Qc Kc Ac")
    )
    assert result.revalued == {"spades": 250_05}
    with pytest.raises(BadClaim):
        claim(in_a_file, new_id(), CLUB_ROYAL)
    assert verify_card_room(in_a_file.ledger).is_consistent


# Claims of one round agree on the cards.


def open_two_jackpots(card_room: CardRoom) -> None:
    open_room(card_room, tables=1)
    card_room.jackpots.open(new_id(), "Olga", all_seven())
    card_room.link_table(new_id(), "Olga", "prime-1", "all-seven", "as the operator wants it")
    card_room.tabulate(new_id(), "Kim", "prime-1", {1: [1, 2, 3], 2: [1, 2, 3]}, round_id="r1")


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        (
            SEVEN_SPADES,
            replace(SEVEN_SPADES, cards={"hand": "2h 3h 4h", "fourth": "5h", "dealer": "6h 7h 8h"}, seat=2),
            "6s 7s 8s in claim first, and are 6h 7h 8h",
        ),
        (SEVEN_SPADES, DIAMOND_ROYAL, "5s in claim first"),
        (CLUB_ROYAL, replace(CLUB_ROYAL, seat=2), "Jc 2 times"),
        (THREE_OF_A_KIND, replace(FOUR_SEVENS, seat=3), "7c 2 times"),
    ],
)
def test_cards_that_contradict_another_claim_of_the_round_are_refused(
    in_a_file: CardRoom, first: TypedHand, second: TypedHand, sentence: str
) -> None:
    open_two_jackpots(in_a_file)
    claim(in_a_file, "first", first, jackpot=first.wager)
    before = whole(in_a_file)
    with pytest.raises(BadClaim, match=sentence):
        claim(in_a_file, new_id(), second, jackpot=second.wager)
    assert whole(in_a_file) == before


def test_a_refused_claim_contradicts_no_other_claim(in_a_file: CardRoom) -> None:
    open_two_jackpots(in_a_file)
    claim(in_a_file, "first", SEVEN_SPADES, jackpot="all-seven")
    in_a_file.claims.refuse(new_id(), "Vera", "all-seven", "first", "the wrong cards were typed")
    claim(in_a_file, "second", DIAMOND_ROYAL)
    assert verify_card_room(in_a_file.ledger).is_consistent


# The dealer's limit: the largest prize that a dealer pays alone.


def test_the_room_sets_the_dealers_limit_and_each_claim_records_it(card_room: CardRoom) -> None:
    open_room(card_room)
    for round_id in ("r1", "r2", "r3"):
        play(card_room, round_id=round_id)
    assert claim(card_room, "sevens", FOUR_SEVENS).order == 1  # $1,000 is above the default limit of $500
    card_room.site.configure(new_id(), "Olga", SiteSettings(dealer_pays=2_000_00), "a busy week", second="Carl")
    assert claim(card_room, new_id(), FOUR_SEVENS, "r2").order is None
    card_room.site.configure(new_id(), "Olga", SiteSettings(dealer_pays=10_00), "a thief", second="Carl")
    assert claim(card_room, "trips", THREE_OF_A_KIND, "r3").order == 2
    payloads = [event.payload for event in card_room.history.list_jackpot_events("final-four")]
    assert [payload["alone"] for payload in payloads if isinstance(payload, dict) and "alone" in payload] == [
        10_00,
        2_000_00,
        500_00,
    ]
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_limit_that_was_never_in_force_in_the_room_is_found(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, round_id="r1")
    play(in_a_file, round_id="r2")
    claim(in_a_file, new_id(), THREE_OF_A_KIND)
    _forge(
        in_a_file,
        {"alone": 123_00, "round": "r2", "counted": in_a_file.history.list_tabulator_rounds("prime-1", 1)[0].sequence},
    )
    assert "the dealer's limit is not the one in force in the room then" in discrepancy(in_a_file)


FOUR_OF_SEVEN = TypedHand("all-seven", 100, {"hand": "7c 7d 7h", "fourth": "Ac", "dealer": "7s 2h 3h"})
"""$50 of the house's money, for the hand that has three of a kind on the Final Four."""


def set_dealer_limit(card_room: CardRoom, cents: int) -> None:
    card_room.site.configure(new_id(), "Olga", SiteSettings(dealer_pays=cents), "a limit", second="Carl")


@pytest.mark.parametrize(("limit", "order"), [(75_00, None), (74_99, 1)])
def test_the_limit_applies_to_all_jackpots_of_a_round_together(
    in_a_file: CardRoom, limit: int, order: int | None
) -> None:
    open_two_jackpots(in_a_file)
    set_dealer_limit(in_a_file, limit)
    assert claim(in_a_file, "trips", THREE_OF_A_KIND).order is None
    assert claim(in_a_file, "quads", FOUR_OF_SEVEN, jackpot="all-seven").order == order
    payload = in_a_file.history.list_jackpot_events("all-seven", 1)[0].payload
    assert isinstance(payload, dict)
    assert payload["elsewhere"] == [[1, 25_00]]
    assert verify_card_room(in_a_file.ledger).is_consistent


@pytest.mark.parametrize(
    ("elsewhere", "sentence"),
    [
        ([], "paid seat 1 more at once in round r1 of prime-1 than a dealer may pay alone"),
        ([(1, 99_99)], "names prizes that no other jackpot paid"),
    ],
)
def test_payments_on_two_jackpots_above_the_dealers_limit_are_found(
    in_a_file: CardRoom, elsewhere: list[tuple[int, int]], sentence: str
) -> None:
    open_two_jackpots(in_a_file)
    set_dealer_limit(in_a_file, 150_00 if elsewhere else 50_00)
    claim(in_a_file, "trips", THREE_OF_A_KIND)
    state, counted = in_a_file.jackpot("all-seven"), in_a_file.history.list_tabulator_rounds("prime-1", 1)[0].sequence
    record = typed_hand_record(setup_to_json(prime_table()), FOUR_OF_SEVEN, {})
    alone = in_a_file.room().settings.dealer_pays
    submission = ClaimSubmission(
        "forged", "prime-1", "r1", "Eve", counted, alone, PriorClaims(), "Kim", dict(elsewhere)
    )
    for event in claim_typed_hand(state, record, 1, submission):
        _commit(in_a_file, "jackpot:all-seven", event.kind, event.payload, id="forged")
    assert sentence in discrepancy(in_a_file)


# A forger who has the program.


def _forge(card_room: CardRoom, change: dict[str, Any]) -> None:
    event = card_room.history.list_jackpot_events("final-four", 1)[0]
    assert isinstance(event.payload, dict)
    _commit(card_room, "jackpot:final-four", event.kind, event.payload | {"claim": "forged"} | change, id="forged")


def test_a_seat_that_was_paid_twice_is_found(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, round_id="r1")
    claim(in_a_file, new_id(), THREE_OF_A_KIND)
    _forge(in_a_file, {})
    assert "already paid" in discrepancy(in_a_file)


@pytest.mark.parametrize("late", [False, True])
def test_verification_evaluates_a_joined_claim_again(in_a_file: CardRoom, late: bool) -> None:
    open_room(in_a_file)
    play(in_a_file, seats=5, round_id="r1")
    claim(in_a_file, "clubs", CLUB_ROYAL)
    if late:
        pay(in_a_file, "Vera", "final-four", "clubs")
    claim(in_a_file, "spades", SPADE_ROYAL)
    joined = orjson.loads(orjson.dumps(in_a_file.history.list_jackpot_events("final-four", 1)[0].payload))
    in_a_file.claims.refuse(new_id(), "Vera", "final-four", "spades", "the seal was broken")
    joined["order"] = 3
    for forged in (joined, joined["claims"][-1]):
        forged["prizes"][0]["cents"] += 1
    joined["claims"][-1]["order"] = 3
    joined["claims"][-1]["parts"][0]["taken"] += 100
    level = joined["levels"]["main"]
    level["taken"] += 100
    level["after"]["pending"] += 100
    level["after"]["seed_owed" if late else "display"] += 100 if late else -100
    joined["funded"] += 100 if late else 0
    _commit(in_a_file, "jackpot:final-four", "claim-joined", joined)
    assert "judged again" in discrepancy(in_a_file)


def test_verification_evaluates_a_refusal_again(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, seats=5, round_id="r1")
    claim(in_a_file, "win", DIAMOND_ROYAL)
    claims = in_a_file.jackpot("final-four")
    in_a_file.claims.refuse(new_id(), "Vera", "final-four", "win", "the seal was broken")
    refused = orjson.loads(orjson.dumps(in_a_file.history.list_jackpot_events("final-four", 1)[0].payload))
    claim(in_a_file, "again", DIAMOND_ROYAL)
    assert in_a_file.jackpot("final-four").meters == claims.meters
    refused["claim"], level = "again", refused["levels"]["main"]["after"]
    level["display"] -= 10_000
    level["reserve"] += 10_000
    _commit(in_a_file, "jackpot:final-four", "claim-refused", refused)
    assert "judged again" in discrepancy(in_a_file)


# Envy Bonus at a table with lammers.

SHOOTOUT = """
id = "shootout"
name = "Texas Shootout Progressive"
kind = "progressive"
location = "Lakewood"
wagers = ["$1", "$2"]
[[offers]]
game = "texas-shootout"
wager = "jackpot"
paytable = "TS/JP 3"
[[levels]]
name = "main"
pays = ["five-of-a-kind-suited", "royal-flush"]
contribution = "10%"
seed = "$10,000"
"""
ROYAL = TypedHand("jackpot", 200, {"hand": "As Ks", "community": "Qs Js Ts 2d 3d"}, seat=2)


def install_shootout_table(card_room: CardRoom) -> None:
    card_room.jackpots.open(new_id(), "Olga", read_jackpot_setup(SHOOTOUT))
    setup = default_setup("texas-shootout")
    feature = FeatureSetup("envy", "TS/BF 3", 200, {"royal-flush": "$75", "five-of-a-kind-suited": "$400"})
    jackpot = replace(
        setup.wagers["jackpot"], paytable="TS/JP 3", limits=WagerLimits(100, 200, 100), feature=feature, bonuses={}
    )
    wagers = {name: replace(wager, feature=None) for name, wager in setup.wagers.items()} | {"jackpot": jackpot}
    sensor = WagerSensor("jackpot", "TS/JP 3", "shootout", "progressive", 100, 200)
    sensors = TabulatorSetup("shootout-1", "texas-shootout", "Lakewood", "milky-way", 7, (sensor,))
    card_room.add_table(
        new_id(),
        "Olga",
        RoomTableSetup(sensors.table, replace(setup, wagers=wagers), tabulator=UnitSetup(sensors, "unit-1")),
    )


def test_a_hand_without_a_wager_wins_envy_for_seats_with_one(in_a_file: CardRoom) -> None:
    install_shootout_table(in_a_file)
    in_a_file.tabulate(new_id(), "Kim", "shootout-1", {1: [1, 4]}, lammers={1: [1]}, round_id="r1")
    result = in_a_file.claims.claim_hand(new_id(), "Kim", "shootout", "shootout-1", "r1", replace(ROYAL, wagered=0))
    assert [(prize.seat, prize.hand, prize.cents) for prize in result.paid] == [(1, 2, 75_00)]
    assert result.pending == ()
    with pytest.raises(BadClaim):
        in_a_file.claims.claim_hand(new_id(), "Kim", "shootout", "shootout-1", "r1", replace(ROYAL, wagered=0, seat=4))
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_a_typed_hand_without_its_envy_winners_is_found(in_a_file: CardRoom) -> None:
    install_shootout_table(in_a_file)
    in_a_file.tabulate(new_id(), "Kim", "shootout-1", {1: [1, 2]}, lammers={1: [1, 2]}, round_id="r1")
    state = in_a_file.jackpot("shootout")
    record = typed_hand_record(orjson.loads(in_a_file.tabulator("shootout-1").setup), ROYAL, {})
    submission = ClaimSubmission("forged", "shootout-1", "r1", "Eve", 2, 500_00, PriorClaims(), "Eve")
    for event in claim_typed_hand(state, record, 2, submission):
        _commit(in_a_file, "jackpot:shootout", event.kind, event.payload)
    assert "is about wagers that shootout-1 did not count in round r1" in discrepancy(in_a_file)


def test_envy_is_paid_to_seats_with_a_counted_lammer(card_room: CardRoom) -> None:
    install_shootout_table(card_room)
    card_room.tabulate(new_id(), "Kim", "shootout-1", {1: [1, 2, 4, 5]}, lammers={1: [1, 2, 5]}, round_id="r1")
    result = card_room.claims.claim_hand("win", "Kim", "shootout", "shootout-1", "r1", ROYAL)
    assert result.paid == ()
    envy = [(prize.seat, prize.hand_seat, prize.cents) for prize in result.pending if prize.hand]
    assert envy == [(1, 2, 75_00), (5, 2, 75_00)]
    own = replace(ROYAL, seat=5, cards={"hand": "9s 8s", "community": "Qs Js Ts 2d 3d"})
    assert [
        prize.event for prize in card_room.claims.claim_hand("own", "Kim", "shootout", "shootout-1", "r1", own).paid
    ] == ["straight-flush"]
    with pytest.raises(BadClaim):
        card_room.claims.claim_hand(new_id(), "Kim", "shootout", "shootout-1", "r1", replace(ROYAL, seat=4))
    pay(card_room, "Vera", "shootout", "win", WATCHED)
    assert verify_card_room(card_room.ledger).is_consistent
