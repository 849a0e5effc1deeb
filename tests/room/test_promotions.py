"""Promotions: written rules, dates, a limit, and the same chance for all."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from cardroom.chart_of_accounts import DOLLAR, Account, AccountKind
from cardroom.games import default_setup, game, game_slugs, round_from_json
from cardroom.games.card_places import Place
from cardroom.games.frozen_map import FrozenMap
from cardroom.games.setup import setup_to_json
from cardroom.paytables import Basis, ForOne, ToOne, paytables
from cardroom.room.codec import decode, encode
from cardroom.room.dual_control import SamePerson
from cardroom.room.jackpot.postings import promotion_postings
from cardroom.room.promotion.setup import (
    BadPromotion,
    NoPromotion,
    Promotion,
    PromotionTotals,
    compute_promotion_prize,
    promotion_from_mapping,
    promotion_to_mapping,
    read_promotion,
    validate_promotion,
)
from cardroom.room.promotion.state import (
    BadPromotionClaim,
    Payer,
    PromotionPrizePaid,
    PromotionRecord,
    apply_promotion_event,
    end_promotion,
    hand_digests,
    pay_hands,
    promotion_unique_keys,
    start_promotion,
)
from cardroom.room.setup.toml_reader import UnreadableSetup

EXTRA = """
id = "summer"
name = "Summer Straights"
game = "three-card-prime"
wager = "pair-bonus"
paytable = "PB 1+PB/LD 3"
event = "straight"
prize = "$25"
first = "2024-06-01"
last = "2024-08-31"
most_prizes = 3
most_dollars = "$60"
rules = "Every straight wins $25 more."
"""
RAISED = EXTRA.replace('prize = "$25"', 'pay = "9 to 1"')
JULY = date(2024, 7, 4)


def test_an_extra_prize_is_paid_between_its_dates_and_on_its_event() -> None:
    promotion = validate_promotion(read_promotion(EXTRA))
    for when, event, prize in [
        (date(2024, 6, 1), "straight", 25_00),
        (date(2024, 8, 31), "straight", 25_00),
        (date(2024, 5, 31), "straight", 0),
        (date(2024, 9, 1), "straight", 0),
        (JULY, "flush", 0),
    ]:
        assert compute_promotion_prize(promotion, event, when, PromotionTotals(), wagered=500) == prize


def test_a_raised_pay_adds_the_difference_to_the_printed_one() -> None:
    promotion = validate_promotion(read_promotion(RAISED))
    printed = 6  # the table's straight
    assert compute_promotion_prize(promotion, "straight", JULY, PromotionTotals(), wagered=500) == 500 * (9 - printed)


def test_odds_that_come_to_no_whole_cent_are_refused_or_paid_without_the_rest() -> None:
    raised = validate_promotion(read_promotion(EXTRA.replace('prize = "$25"', 'pay = "20:3"')))
    arguments = raised, raised.event, raised.first, PromotionTotals()
    assert compute_promotion_prize(*arguments, wagered=3_00) == 2_00
    with pytest.raises(NoPromotion):
        compute_promotion_prize(*arguments, wagered=5_00)
    assert compute_promotion_prize(*arguments, wagered=5_00, to_the_cent=False) == 3_33


def test_a_prize_that_does_not_fit_the_limit_is_not_paid() -> None:
    promotion = validate_promotion(read_promotion(EXTRA))
    assert compute_promotion_prize(promotion, "straight", JULY, PromotionTotals(2, 35_00), wagered=500) == 25_00
    assert compute_promotion_prize(promotion, "straight", JULY, PromotionTotals(2, 35_01), wagered=500) == 0
    assert compute_promotion_prize(promotion, "straight", JULY, PromotionTotals(3, 0), wagered=500) == 0


@pytest.mark.parametrize(
    ("right", "wrong", "section"),
    [
        ('rules = "Every straight wins $25 more."', 'rules = " "', "rules"),
        ('last = "2024-08-31"', 'last = "2024-05-31"', "dates"),
        ("most_prizes = 3", "most_prizes = 0", "limit"),
        ('prize = "$25"', "", "prize"),
        ('prize = "$25"', 'prize = "$61"', "prize"),
        ('event = "straight"', 'event = "five-aces"', "event"),
        ('paytable = "PB 1+PB/LD 3"', 'paytable = "PB 9"', "paytable"),
        ('prize = "$25"', 'pay = "5 to 1"', "pay"),
        ('prize = "$25"', 'pay = "100%"', "pay"),
        ('prize = "$25"', 'pay = "a car"', "pay"),
    ],
)
def test_a_promotion_that_breaks_a_rule_does_not_start(right: str, wrong: str, section: str) -> None:
    assert right in EXTRA
    with pytest.raises(BadPromotion) as refusal:
        start_promotion(read_promotion(EXTRA.replace(right, wrong)), who="Ada")
    assert [fault.section for fault in refusal.value.faults] == [section]


CONSENTED = """
id = "ties"
name = "Tie Time"
game = "dueling-for-dollars"
wager = "tie-plus"
paytable = "PT-FLT-DFD-TP-01"
event = "suited-pair-tie"
prize = "$25"
first = "2024-06-01"
last = "2024-08-31"
most_prizes = 3
most_dollars = "$600"
rules = "Every suited tie wins $25 more."
consent = "letter of 2024-05-02"
"""


def test_dueling_for_dollars_asks_for_the_written_consent_of_the_games_owner() -> None:
    promotion = validate_promotion(read_promotion(CONSENTED))
    assert promotion.consent == "letter of 2024-05-02"
    assert promotion_from_mapping(promotion_to_mapping(promotion)) == promotion
    for without in ("", 'consent = "  "'):
        text = CONSENTED.replace('consent = "letter of 2024-05-02"', without)
        with pytest.raises(BadPromotion) as refused:
            validate_promotion(read_promotion(text))
        assert [fault.rule for fault in refused.value.faults] == ["rule sheet"]


def test_the_other_sheets_ask_for_no_consent_and_their_promotions_have_no_word_of_it() -> None:
    assert [slug for slug in game_slugs() if game(slug).facts.promotion_consent] == ["dueling-for-dollars"]
    assert "consent" not in promotion_to_mapping(validate_promotion(read_promotion(EXTRA)))


def test_a_raised_pay_adds_the_same_difference_on_tables_of_either_basis() -> None:
    met = set()
    for slug in game_slugs():
        for wager in game(slug).facts.wagers:
            for table in paytables(slug, wager.slug):
                for line in table.lines:
                    if not isinstance(line.pay, ToOne | ForOne) or line.pay.odds.denominator != 1:
                        continue
                    raised = f"{line.pay.odds + 3} {table.basis}"
                    promotion = promotion_of(slug, wager.slug, table.name, line.trigger, raised)
                    if table.basis is (Basis.TO_ONE if isinstance(line.pay, ToOne) else Basis.FOR_ONE):
                        assert (
                            compute_promotion_prize(promotion, line.trigger, JULY, PromotionTotals(), wagered=500)
                            == 3 * 500
                        )
                        met.add(table.basis)
    assert met == set(Basis)


def promotion_of(slug: str, wager: str, table: str, event: str, pay: str) -> Promotion:
    return Promotion("p", "P", slug, wager, table, event, "rules", JULY, JULY, 1, 10_000_00, pay=pay, consent="letter")


def test_a_date_that_is_none_is_refused() -> None:
    with pytest.raises(UnreadableSetup):
        read_promotion(EXTRA.replace("2024-06-01", "June"))


@pytest.mark.parametrize("text", [EXTRA, RAISED])
def test_a_promotion_is_written_down_and_read_again(text: str) -> None:
    promotion = read_promotion(text)
    assert promotion_from_mapping(promotion_to_mapping(promotion)) == promotion


def begun(promotion: Promotion) -> PromotionRecord:
    (event,) = start_promotion(promotion, who="Ada")
    return apply_promotion_event(None, event)


def straight(*seats: int) -> dict[str, Any]:
    """A finished round in which these seats have a straight on the Pair Bonus."""
    hands = {1: ["4c", "5d", "6h"], 2: ["4d", "5h", "6s"]}
    fourth = {1: "Kc", 2: "Kd"}
    table = setup_to_json(default_setup("three-card-prime"))
    table["wagers"]["pair-bonus"]["paytable"] = "PB 1+PB/LD 3"
    return {
        "table": table,
        "wagers": {str(seat): {"ante-play": 1000, "pair-bonus": 500} for seat in seats},
        "cards": {f"seat {seat} hand": hands[seat] for seat in seats}
        | {f"seat {seat} fourth": [fourth[seat]] for seat in seats}
        | {"burn": ["3s"], "dealer": ["2c", "9d", "Jh"]},
        "decisions": [{"seat": seat, "question": "play", "answer": "play"} for seat in seats],
    }


def paid_for(running: PromotionRecord, round_id: str, *seats: int) -> list[PromotionPrizePaid]:
    return list(pay_hands(running, "t1", round_id, straight(*seats), JULY, Payer("Dan", dealer_pays=500_00)))


def test_the_house_pays_out_of_the_chip_tray_until_the_limit_is_reached() -> None:
    running = begun(read_promotion(EXTRA))
    for number in range(2):
        (event,) = paid_for(running, str(number), 1)
        (posting,) = promotion_postings(event)
        assert posting.debit == Account(AccountKind.PRIZES, "t1")
        assert posting.credit == Account(AccountKind.CHIP_TRAY, "t1")
        assert posting.amount == 25 * DOLLAR
        running = apply_promotion_event(running, event)
    assert running.state.paid == PromotionTotals(2, 50_00)
    assert decode(PromotionRecord, encode(running)) == running
    assert paid_for(running, "3", 1) == []


def test_every_hand_of_a_round_is_paid_once() -> None:
    running = begun(read_promotion(EXTRA))
    both = paid_for(running, "1", 1, 2)
    assert [one.seat for one in both] == [1, 2]
    for one in both:
        running = apply_promotion_event(running, one)
    with pytest.raises(BadPromotionClaim):
        paid_for(running, "1", 1)


def test_a_prize_above_what_the_dealer_may_pay_alone_needs_two_people() -> None:
    running = begun(read_promotion(EXTRA))

    def paid(second: str | None, limit: int) -> list[PromotionPrizePaid]:
        return list(pay_hands(running, "t1", "r", straight(1), JULY, Payer("Dan", second, limit)))

    assert [(one.second, one.dealer_pays) for one in paid(None, 25_00)] == [("", 25_00)]
    assert [(one.second, one.dealer_pays) for one in paid("Lee", 24_99)] == [("Lee", 24_99)]
    for second in (None, "", "dan "):
        with pytest.raises(SamePerson, match=r"\$24.99"):
            paid(second, 24_99)


def test_a_hand_is_known_by_what_was_dealt_however_its_record_is_written() -> None:
    running = begun(read_promotion(EXTRA))

    def hands(record: dict[str, Any]) -> list[str]:
        return [one.hand for one in pay_hands(running, "t", "r", record, JULY, Payer("Dan", dealer_pays=500_00))]

    plain, both = straight(1), straight(1, 2)
    others = straight(1)
    others["table"] = {**others["table"], "seats": 5}
    others["wagers"]["1"]["ante-play"] = 2000
    others["cards"] = dict(reversed(others["cards"].items()))
    assert hands(plain) == hands(others)
    changed = straight(1)
    changed["cards"]["dealer"] = ["2c", "9d", "Jd"]
    assert hands(plain)[0] in hands(both)
    assert len({*hands(plain), *hands(both), *hands(changed)}) == 3


def test_seats_of_one_round_to_whom_several_decks_gave_the_same_cards_are_two_hands() -> None:
    played = round_from_json(straight(1, 2))
    shared = {place: pile for place, pile in played.piles.items() if place.seat is None}
    same = {Place(at.pile, seat): pile for at, pile in played.piles.items() if at.seat == 1 for seat in (1, 2)}
    alike = replace(played, piles=FrozenMap(shared | same))
    one, other = hand_digests(alike, [1, 2]).values()
    assert one != other
    assert hand_digests(alike, [2]) == {2: one}


def test_an_automatic_table_pays_hands_without_a_name() -> None:
    running = begun(read_promotion(EXTRA))
    (paid,) = pay_hands(running, "t1", "r", straight(1), JULY, Payer("t1", automatic=True))
    assert (paid.hand, paid.dealer_pays, paid.automatic) == ("", None, True)
    assert promotion_unique_keys(paid) == ()


def test_a_promotion_can_be_ended_before_its_time() -> None:
    running = begun(read_promotion(EXTRA))
    (event,) = end_promotion(running, who="Ada", why="the room closes")
    running = apply_promotion_event(running, event)
    assert paid_for(running, "3", 1) == []
    with pytest.raises(NoPromotion):
        end_promotion(running, who="Ada", why="again")
    with pytest.raises(NoPromotion):
        apply_promotion_event(None, event)
