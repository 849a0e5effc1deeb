"""The ten divisions of six cards into two hands of three (sheet 004, rule 3; DP-2 to DP-4)."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.cards import Card, parse_cards
from cardroom.games import Verb
from cardroom.games.three_card_double_play.divisions import (
    EVENTS,
    PICK_3_EVENTS,
    SUPER_3S_EVENTS,
    division_events,
    divisions,
    event_hands,
    matching_events,
    suggest_setting,
)
from cardroom.hands import THREE_CARD, Category
from cardroom.paytables import paytables
from tests.hands import reference
from tests.hands.dealing import MANY, hands_of

six_cards = hands_of(THREE_CARD, 6)


@MANY
@given(six=six_cards)
def test_six_cards_have_ten_divisions_that_use_each_card_once(six: tuple[Card, ...]) -> None:
    ways = divisions(six)
    assert len({frozenset(map(frozenset, (high.cards, low.cards))) for high, low in ways}) == 10
    for high, low in ways:
        assert sorted(high.cards + low.cards) == sorted(six)
        assert len(high.cards) == len(low.cards) == 3


@MANY
@given(six=six_cards)
def test_the_higher_hand_is_the_high_hand(six: tuple[Card, ...]) -> None:
    for high, low in divisions(six):
        assert reference.THREE_CARD.verdict(high.cards) >= reference.THREE_CARD.verdict(low.cards)


def test_of_two_equal_hands_the_one_with_the_highest_card_is_the_high_hand() -> None:
    ways = [
        str(division.decision)
        for division in divisions(parse_cards("Ac Kd 9h As Kh 9c"))
        if division.high.strength == division.low.strength
    ]
    assert "set As Kh 9c | Ac Kd 9h" in ways
    assert "set Ac Kd 9h | As Kh 9c" not in ways
    assert all(way.startswith("set As") for way in ways)


@MANY
@given(six=six_cards, data=st.data())
def test_the_order_of_the_cards_does_not_matter(six: tuple[Card, ...], data: st.DataObject) -> None:
    reordered = tuple(data.draw(st.permutations(six)))
    assert divisions(reordered) == divisions(six)
    assert matching_events(reordered, EVENTS) == matching_events(six, EVENTS)
    assert suggest_setting(reordered) == suggest_setting(six)


# What a division meets (DP-4)


@pytest.mark.parametrize(
    ("one", "other", "pick_3", "super_3s"),
    [
        (Category.MINI_ROYAL, Category.MINI_ROYAL, "double-mini-royal", "double-mini-royal"),
        (
            Category.MINI_ROYAL,
            Category.STRAIGHT_FLUSH,
            "mini-royal-and-trips-or-straight-flush",
            "mini-royal-with-straight-flush",
        ),
        (
            Category.MINI_ROYAL,
            Category.THREE_OF_A_KIND,
            "mini-royal-and-trips-or-straight-flush",
            "mini-royal-with-trips",
        ),
        (
            Category.STRAIGHT_FLUSH,
            Category.THREE_OF_A_KIND,
            "double-trips-or-straight-flush",
            "double-trips-or-straight-flush",
        ),
        (
            Category.STRAIGHT_FLUSH,
            Category.STRAIGHT_FLUSH,
            "double-trips-or-straight-flush",
            "double-trips-or-straight-flush",
        ),
        (
            Category.THREE_OF_A_KIND,
            Category.THREE_OF_A_KIND,
            "double-trips-or-straight-flush",
            "double-trips-or-straight-flush",
        ),
        (Category.MINI_ROYAL, Category.FLUSH, "one-mini-royal", "one-mini-royal"),
        (Category.MINI_ROYAL, Category.PAIR, "one-mini-royal", "one-mini-royal"),
        (Category.STRAIGHT_FLUSH, Category.FLUSH, "single-trips-or-straight-flush", "one-trips-or-straight-flush"),
        (Category.THREE_OF_A_KIND, Category.PAIR, "single-trips-or-straight-flush", "one-trips-or-straight-flush"),
        (Category.FLUSH, Category.FLUSH, "double-flush-or-straight", "other"),
        (Category.STRAIGHT, Category.STRAIGHT, "double-flush-or-straight", "other"),
        (Category.FLUSH, Category.STRAIGHT, "double-flush-or-straight", "other"),
        (Category.PAIR, Category.PAIR, "double-pairs", "other"),
        (Category.FLUSH, Category.PAIR, "other", "other"),
        (Category.STRAIGHT, Category.HIGH_CARD, "other", "other"),
        (Category.PAIR, Category.HIGH_CARD, "other", "other"),
    ],
)
def test_two_hands_are_on_the_expected_line_in_either_order(
    one: Category, other: Category, pick_3: str, super_3s: str
) -> None:
    for events in (set(division_events(one, other)), set(division_events(other, one))):
        assert next(event for event in PICK_3_EVENTS if event in events) == pick_3
        assert next(event for event in SUPER_3S_EVENTS if event in events) == super_3s


def test_every_pair_of_hands_is_on_a_line_of_every_paytable() -> None:
    for one, other in product(THREE_CARD.order, repeat=2):
        events = tuple(division_events(one, other))
        for wager in ("pick-3", "super-3s"):
            for table in paytables("three-card-double-play", wager):
                assert table.find_matching_line(events) is not None


@pytest.mark.parametrize(("wager", "events"), [("pick-3", PICK_3_EVENTS), ("super-3s", SUPER_3S_EVENTS)])
def test_the_events_are_those_of_the_printed_paytables_in_their_order(wager: str, events: tuple[str, ...]) -> None:
    printed_events = set()
    for table in paytables("three-card-double-play", wager):
        triggers = [line.trigger for line in table.lines]
        assert triggers == [event for event in events if event in triggers]
        printed_events |= set(triggers)
    assert printed_events == set(events)


@MANY
@given(six=six_cards)
def test_six_cards_meet_a_line_if_one_of_their_divisions_meets_it(six: tuple[Card, ...]) -> None:
    events = {event for high, low in divisions(six) for event in division_events(high.category, low.category)}
    assert set(matching_events(six, EVENTS)) == events


# The hands that make a line


@pytest.mark.parametrize(
    ("six", "event", "hands"),
    [
        ("As Ks Qs Qd Qh 2c", "one-mini-royal", ["As Ks Qs"]),
        ("As Ks Qs Qd Qh 2c", "single-trips-or-straight-flush", ["As Ks Qs"]),
        ("9s 9d 9h Jc Jd 2s", "one-trips-or-straight-flush", ["9s 9h 9d"]),
        ("Js Qs Ks As Ad Ah", "double-trips-or-straight-flush", ["Ks Qs Js", "As Ah Ad"]),
        ("Js Qs Ks As Ad Ah", "one-mini-royal", ["As Ks Qs"]),
        ("5s 5h 6d 6c 7s 7h", "double-pairs", ["7s 7h 6d", "5s 5h 6c"]),
        ("2c 5d 8h Js Kd 4c", "other", []),
    ],
)
def test_the_hands_that_make_a_line_come_from_the_best_division_on_it(six: str, event: str, hands: list[str]) -> None:
    made_by = event_hands(parse_cards(six), event)
    assert [set(hand.cards) for hand in made_by] == [set(parse_cards(hand)) for hand in hands]


@MANY
@given(six=six_cards)
def test_every_line_that_six_cards_meet_has_the_hands_that_make_it(six: tuple[Card, ...]) -> None:
    for event in matching_events(six, EVENTS):
        hands = event_hands(six, event)
        assert len(hands) == (0 if event == "other" else 1 if event.startswith(("one-", "single-")) else 2)
        cards = [card for hand in hands for card in hand.cards]
        assert len(set(cards)) == len(cards) == 3 * len(hands)
        assert set(cards) <= set(six)


# The house way


@MANY
@given(six=six_cards)
def test_the_house_way_is_always_a_legal_setting(six: tuple[Card, ...]) -> None:
    way = suggest_setting(six)
    assert way.verb is Verb.SET
    assert way in [division.decision for division in divisions(six)]


@pytest.mark.parametrize(
    ("six", "way"),
    [
        # 1. A pair for the low hand, if there is one, even of the same rank.
        ("Ac Ad 9h 9s 4c 2d", "set Ad Ac 2d | 9s 9h 4c"),
        ("7c 7d 7h 7s Kc Qd", "set Kc 7s 7h | Qd 7d 7c"),
        # A single pair can be in the low hand only if the high hand is better.
        ("Ts 9d 8h Jc Js 3d", "set Ts 9d 8h | Js Jc 3d"),
        ("Ks Qd 8h Jc Js 3d", "set Ks Qd Js | Jc 8h 3d"),
        # 2. A straight comes before a flush; 3. the lower of two straights leaves the ten for the low hand.
        ("9s 7s 3s 8d Th Kc", "set 9s 8d 7s | Kc Th 3s"),
        # 3. A flush without its king leaves the king for the low hand.
        ("Kd Jd 8d 5d 9c 4s", "set Jd 8d 5d | Kd 9c 4s"),
        ("Qc Td 8h 6s 4c 2d", "set Qc 4c 2d | Td 8h 6s"),
    ],
)
def test_the_house_way_follows_its_three_steps(six: str, way: str) -> None:
    assert str(suggest_setting(parse_cards(six))) == way
