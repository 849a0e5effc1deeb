"""Shootout Bonus, Jackpot, and their features: every board counted, and every prize as the rules pay it."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cardroom.cards import Card, card_from_code, format_cards, parse_cards
from cardroom.games import FeatureSetup, Payment
from cardroom.games.texas_shootout.side_wagers import FeatureKind
from cardroom.hands import SIX_DECK, evaluate_many
from cardroom.odds.texas_shootout.best_strategy import count_sides
from cardroom.odds.texas_shootout.board_counts import count_every_split, count_kept_kinds, count_split_kinds
from cardroom.odds.texas_shootout.hand_values import HandClasses, hand_classes
from cardroom.odds.texas_shootout.hands_and_boards import (
    HAND_KINDS,
    KEEPS,
    KIND_COUNT,
    HandKind,
    count_same_color_boards,
    pair_places,
)
from cardroom.odds.texas_shootout.payoffs import SideStake, bonus_prizes, jackpot_prizes, split_jackpot_outcome
from cardroom.paytables import Paytable, load_paytable, paytable
from tests.enumeration import section
from tests.examples import only_long
from tests.games.shootout_rounds import RULES, Seat, make_setup, play_round
from tests.hands.every_hand import hands_with_copies
from tests.odds.texas_shootout.codes import codes_of

SLUG = "texas-shootout"


# Boards


@cache
def every_board() -> NDArray[np.uint8]:
    return np.ascontiguousarray(hands_with_copies(52, 5))


def ways_left(gone: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The number of ways to draw each board, card by card, without these cards."""
    boards = every_board()
    left = (6 - np.bincount(gone, minlength=52))[boards]
    ways, run = np.ones(len(boards), np.int64), np.zeros(len(boards), np.int64)
    for place in range(5):
        if place:
            run = np.where(boards[:, place] == boards[:, place - 1], run + 1, 0)
        ways = ways * (left[:, place] - run) // (run + 1)
    return ways


def kinds_by_brute_force(pair: NDArray[np.uint8]) -> NDArray[np.int64]:
    boards = every_board()
    seven = np.empty((len(boards), 7), np.uint8)
    seven[:, :5], seven[:, 5], seven[:, 6] = boards, *pair
    place = [
        0,
        *(
            HAND_KINDS.index(HandKind(hand_class.category, set(hand_class.ranks) == {14}))
            for hand_class in SIX_DECK.classes
        ),
    ]
    return np.array(place)[evaluate_many(SIX_DECK, seven)]


@pytest.mark.parametrize("four", ["Ah Ah Kd Ks", *only_long("9c Tc 4h 2c", "Ad Kd Qd Jd")])
def test_every_board_is_counted_for_both_hands_of_a_split(four: str) -> None:
    hand = codes_of(four)
    ways = ways_left(hand)
    assert int(ways.sum()) == comb(308, 5)
    joint = kinds_by_brute_force(hand[:2]) * KIND_COUNT + kinds_by_brute_force(hand[2:])
    expected = np.array([int(ways[joint == place].sum()) for place in range(KIND_COUNT**2)])
    found = count_split_kinds(hand[None, :])[0]
    assert found.ravel().tolist() == expected.tolist()
    assert count_kept_kinds(hand[None, :])[0].tolist() == found.sum(axis=1).tolist()


def test_the_three_splits_of_a_hand_are_counted_together() -> None:
    for hand in hand_classes().hands[::2500]:
        splits = hand[pair_places()[KEEPS:].astype(np.int64)]
        assert (count_every_split(hand) == count_split_kinds(splits)).all()


def test_boards_without_the_discards_follow_from_boards_with_them() -> None:
    some = hand_classes().hands[::211]
    for order in ([0, 1, 2, 3], [3, 1, 0, 2]):
        assert (count_kept_kinds(some[:, order]) == count_split_kinds(some[:, order]).sum(axis=2)).all()


def test_seven_cards_of_one_color_are_counted() -> None:
    hand = codes_of("Ah Kd 5c 7h")
    ways, boards = ways_left(hand), every_board()
    red = ((boards & 3) % 3 > 0).all(axis=1)
    assert count_same_color_boards(hand[:2], hand) == int(ways[red].sum())
    black = codes_of("5c 7s Ah Kd")
    ways = ways_left(black)
    assert count_same_color_boards(black[:2], black) == int(ways[((boards & 3) % 3 == 0).all(axis=1)].sum())
    assert count_same_color_boards(codes_of("Ah 7s"), codes_of("Ah 7s Kd 5c")) == 0


@pytest.mark.long
def test_over_all_hands_and_pairs_the_boards_make_the_known_seven_card_hands() -> None:
    classes = hand_classes()
    totals = [0] * KIND_COUNT
    for choice in range(KEEPS, KEEPS + 3):
        places = pair_places()[choice].astype(np.int64)
        counts = count_split_kinds(classes.hands[:, places]).astype(object)
        for axis in (2, 1):
            by_kind = classes.combinations.astype(object) @ counts.sum(axis=axis)
            totals = [before + int(more) for before, more in zip(totals, by_kind, strict=True)]
    assert sum(totals) == 6 * comb(312, 4) * comb(308, 5)
    total, expected = section(SLUG, "seven-cards")
    for event, count in expected.items():
        found = sum(more for more, kind in zip(totals, HAND_KINDS, strict=True) if kind.events[:1] == (event,))
        assert Fraction(found, sum(totals)) == Fraction(count, total)


def test_counts_hold_every_deal_of_hand_and_board() -> None:
    classes = hand_classes()
    some = slice(0, len(classes), 400)
    dealt = HandClasses(classes.hands[some])
    assert (dealt.combinations == classes.combinations[some]).all()
    choices = (np.arange(len(dealt)) % 9).astype(np.uint8)
    counts = count_sides(dealt, choices)
    assert (counts.single_counts.sum(axis=1) == comb(308, 5)).all()
    assert (counts.split_counts.sum(axis=(1, 2)) == comb(308, 5)).all()
    assert (np.sort(counts.cards, axis=1) == dealt.hands).all()
    assert counts.splits.sum() == (choices >= KEEPS).sum()


# Prizes, against the rules at a table

BEST_CARDS = parse_cards("As Ks Qs Js Ts Ah Kh Ad 9s 8s")
few_cards = st.lists(st.sampled_from(BEST_CARDS), min_size=9, max_size=9).filter(
    lambda nine: all(nine.count(card) <= 6 for card in nine)
)


def kind_of(two: tuple[Card, ...], board: tuple[Card, ...]) -> HandKind:
    seven = np.array([[card.code for card in (*two, *board)]], np.uint8)
    one = SIX_DECK.classes[int(evaluate_many(SIX_DECK, seven)[0]) - 1]
    return HandKind(one.category, set(one.ranks) == {14})


def net_of(payments: tuple[Payment, ...], spot: str) -> tuple[int, int]:
    """The winnings of a spot by its paytable, and by its feature."""
    features = {kind.replace("-", " ") for kind in FeatureKind}
    own = [payment for payment in payments if payment.spot == spot]
    return sum(one.net for one in own if one.stake not in features), sum(
        one.net for one in own if one.stake in features
    )


@given(few_cards, st.sampled_from(["keep", "match", "first hand", "second hand"]), st.sampled_from(list(FeatureKind)))
@settings(max_examples=150, deadline=None)
def test_the_shootout_bonus_and_its_features_pay_as_at_the_table(
    nine: list[Card], placed: str, kind: FeatureKind
) -> None:
    if kind is FeatureKind.FIVE_ACE_FRENZY:
        kind = FeatureKind.COLOR
    board = tuple(nine[4:])
    first, second = sorted(
        (tuple(sorted(nine[:2], reverse=True)), tuple(sorted(nine[2:4], reverse=True))), reverse=True
    )
    name = "TS/CB 1" if kind is FeatureKind.COLOR else "TS/BF 1"
    setup = make_setup({"shootout-bonus": "TS/SB 5"}, features={"shootout-bonus": FeatureSetup(kind, name, 500)})
    split = placed != "keep"
    answer = f"split {format_cards(first)} | {format_cards(second)}" if split else f"keep {format_cards(first)}"
    seat = Seat(format_cards(nine[:4]), answer, {"shootout-bonus": 500}, placed if split else None)
    end = play_round(seat, board=format_cards(board), setup=setup)
    offered = RULES.open(setup).offers["shootout-bonus"]
    stake = SideStake(500, offered.paytable, offered.feature)
    kinds = [kind_of(two, board) for two in ((first, second) if split else (first,))]
    riding = {"keep": (0,), "match": (0, 1), "first hand": (0,), "second hand": (1,)}[placed]
    colors = [len({card.is_red for card in (*two, *board)}) == 1 for two in (first, second)]
    feature = sum(stake.feature_cents(own, kinds) + colors[own] * stake.color_cents for own in riding)
    assert net_of(RULES.settle(end).payments, "shootout-bonus") == (
        sum(stake.bonus_net(kinds[own]) for own in riding),
        feature,
    )


@given(few_cards, st.booleans(), st.sampled_from(["TS/JP 1", "TS/JP 3", "TS/JP 4", "TS/JP 5"]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_the_jackpot_pays_one_or_two_hands_as_at_the_table(
    nine: list[Card], split: bool, name: str, odds_to_one: bool
) -> None:
    board = tuple(nine[4:])
    first, second = tuple(nine[:2]), tuple(nine[2:4])
    bonuses = {"five-of-a-kind-suited": "50 to 1" if odds_to_one else "100%"} if name == "TS/JP 1" else {}
    frenzy = FeatureSetup(FeatureKind.FIVE_ACE_FRENZY, "TS/FAF 1", 200, {"five-aces": "$50"})
    setup = make_setup({"jackpot": name}, {"jackpot": bonuses}, {"jackpot": frenzy})
    answer = f"split {format_cards(first)} | {format_cards(second)}" if split else f"keep {format_cards(first)}"
    end = play_round(Seat(format_cards(nine[:4]), answer, {"jackpot": 200}), board=format_cards(board), setup=setup)
    offered, meter = RULES.open(setup).offers["jackpot"], 1_234_57
    stake = SideStake(200, offered.paytable, offered.feature)
    kinds = [kind_of(two, board) for two in ((first, second) if split else (first,))]
    assert net_of(RULES.settle(end, {"jackpot": meter}).payments, "jackpot") == (
        stake.jackpot_net(kinds, meter),
        sum(stake.feature_cents(own, kinds) for own in range(len(kinds))),
    )


def test_hands_of_a_split_have_one_share_of_a_line_and_two_lines_in_full() -> None:
    table = paytable(SLUG, "jackpot", "TS/JP 5")
    best, royal = (next(kind for kind in HAND_KINDS if kind.events[:1] == (event,)) for event in _BOTH_WHOLE)
    assert split_jackpot_outcome((best, best), table, 1).percent == 1
    assert split_jackpot_outcome((best, royal), table, 1).percent == 2  # 100% and 100%
    quarter = paytable(SLUG, "jackpot", "TS/JP 3")
    assert split_jackpot_outcome((royal, royal), quarter, 1).percent == Fraction(1, 4)
    assert split_jackpot_outcome((royal, _NOTHING), quarter, 1).net == -1


_BOTH_WHOLE = ("five-of-a-kind-suited", "royal-flush")
_NOTHING = HAND_KINDS[0]


def what_if(wager: str, basis: str, lines: str) -> Paytable:
    return load_paytable(f'game = "{SLUG}"\nwager = "{wager}"\nname = "what if"\nbasis = "{basis}"\n[lines]\n{lines}\n')


def test_a_wager_that_both_hands_of_a_split_return_goes_back_once() -> None:
    table = what_if("jackpot", "to 1", 'full-house = "3 to 2"\nfour-of-a-kind = "push"')
    full, four = (next(k for k in HAND_KINDS if k.events[:1] == (e,)) for e in ("full-house", "four-of-a-kind"))
    assert split_jackpot_outcome((full, four), table, 1).net == Fraction(3, 2)
    assert split_jackpot_outcome((full, _NOTHING), table, 1).net == Fraction(3, 2)
    assert SideStake(200, table).jackpot_net((full, full), 0) == 600
    assert SideStake(200, table).jackpot_net((four, four), 0) == 0


@pytest.mark.parametrize("name", ["TS/JP 1", "TS/JP 3", "TS/JP 5"])
def test_prizes_that_are_worked_out_together_are_those_of_each_kind_of_hand(name: str) -> None:
    frenzy = FeatureSetup(FeatureKind.FIVE_ACE_FRENZY, "TS/FAF 1", 200, {"five-aces": "$50"})
    bonuses = {"five-of-a-kind-suited": "100%"} if name == "TS/JP 1" else {}
    offered = RULES.open(make_setup({"jackpot": name}, {"jackpot": bonuses}, {"jackpot": frenzy})).offers["jackpot"]
    stake = SideStake(200, offered.paytable, offered.feature)
    for meter in (0, 1_234_57):
        prizes = jackpot_prizes(stake, meter)
        for one, first in enumerate(HAND_KINDS):
            assert prizes.single_hand[one] == stake.jackpot_net((first,), meter) + stake.feature_cents(0, (first,))
            for other, second in enumerate(HAND_KINDS):
                both = first, second
                features = sum(stake.feature_cents(own, both) for own in (0, 1))
                assert prizes.both_hands[one][other] == stake.jackpot_net(both, meter) + features


@pytest.mark.parametrize("kind", [None, FeatureKind.ENVY, FeatureKind.SHARE_THE_WEALTH])
def test_prizes_of_the_bonus_are_those_of_each_kind_of_hand(kind: FeatureKind | None) -> None:
    features = {} if kind is None else {"shootout-bonus": FeatureSetup(kind, "TS/BF 1", 500)}
    offered = RULES.open(make_setup({"shootout-bonus": "TS/SB 5"}, features=features)).offers["shootout-bonus"]
    stake = SideStake(500, offered.paytable, offered.feature)
    prizes = bonus_prizes(stake)
    assert (prizes.features is None) is (kind is None)
    for one, first in enumerate(HAND_KINDS):
        assert prizes.split_hand[one] == stake.bonus_net(first)
        assert prizes.single_hand[one] == stake.bonus_net(first) + stake.feature_cents(0, (first,))
        for other, second in enumerate(HAND_KINDS if prizes.features else ()):
            feature_cents = [more[one][other] for more in prizes.features or ()]
            assert feature_cents == [stake.feature_cents(own, (first, second)) for own in (0, 1)]


def test_every_kind_has_an_example_of_five_cards() -> None:
    assert tuple(dict.fromkeys(map(HandKind.from_class, SIX_DECK.classes))) == HAND_KINDS
    assert KIND_COUNT == 14
    assert sum(kind.five_aces for kind in HAND_KINDS) == 2
    assert card_from_code(51) == parse_cards("As")[0]
