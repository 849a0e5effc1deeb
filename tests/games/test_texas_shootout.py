"""Texas Shootout, rule by rule (sheet 002)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.cards import card_from_code, parse_card, parse_cards
from cardroom.games import (
    BadBet,
    BadSetup,
    ChanceTurn,
    Deal,
    DealerStep,
    DealerTurn,
    Decide,
    Decision,
    IllegalAction,
    Onlooker,
    Pile,
    Place,
    Round,
    RoundEnd,
    SeatTurn,
    TakeStep,
    Verb,
    dump_round,
    load_round,
    round_from_json,
    view,
    view_to_json,
)
from cardroom.games.setup import WagerLimits, setup_to_json
from cardroom.games.texas_shootout.side_wagers import (
    QUICK_DRAW_EVENTS,
    quick_draw_bits,
    quick_draw_bits_by_strength,
    quick_draw_events,
)
from cardroom.hands import FOUR_CARD
from cardroom.hands.lookup_tables import lookup_tables
from cardroom.paytables import Loss, Push, paytable
from cardroom_conformance.sample_rounds import play_random_round
from tests.games.house_way_reference import choose_by_sheet
from tests.games.shootout_rounds import (
    BOARD,
    NINE_HIGH,
    RULES,
    STRAIGHT_ON_THE_BOARD,
    Seat,
    compute_nets,
    find_payments,
    make_setup,
    play_round,
)
from tests.hands.reference import SIX_DECK

# The deal and the decisions


def test_four_cards_are_dealt_to_each_seat_one_at_a_time_and_the_dealer_is_last() -> None:
    round_ = RULES.begin(RULES.open(make_setup()), {2: {"shootout": 1000}, 5: {"shootout": 1000}})
    places = []
    for card in parse_cards("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"):
        assert isinstance(round_.turn, ChanceTurn)
        places.append(str(round_.turn.place))
        round_ = round_.apply(Deal(card))
    assert places == ["seat 2 hand", "seat 5 hand", "dealer"] * 4
    assert isinstance(round_.turn, SeatTurn)


def test_jackpot_wagers_are_tabulated_before_the_deal() -> None:
    table = RULES.open(make_setup())
    without = RULES.begin(table, {1: {"shootout": 1000}})
    assert isinstance(without.turn, ChanceTurn)
    with_one = RULES.begin(table, {1: {"shootout": 1000, "jackpot": 100}})
    assert with_one.turn == DealerTurn(DealerStep.TABULATE)


def make_round_at_decision(hand: str, **wagers: int) -> Round:
    record = {
        "table": setup_to_json(make_setup()),
        "wagers": {"1": {"shootout": 1000, **{spot.replace("_", "-"): amount for spot, amount in wagers.items()}}},
        "cards": {"seat 1 hand": hand.split(), "dealer": NINE_HIGH.split()},
    }
    return round_from_json(record)


def list_options(round_: Round) -> list[str]:
    assert isinstance(round_.turn, SeatTurn)
    return [str(option) for option in round_.turn.options]


def test_a_player_keeps_any_two_cards_or_splits_in_any_way() -> None:
    assert list_options(make_round_at_decision("As Kd Qc Jh")) == [
        "keep As Kd",
        "keep As Qc",
        "keep As Jh",
        "keep Kd Qc",
        "keep Kd Jh",
        "keep Qc Jh",
        "split As Kd | Qc Jh",
        "split As Qc | Kd Jh",
        "split As Jh | Kd Qc",
    ]


def test_identical_cards_do_not_make_different_options() -> None:
    assert list_options(make_round_at_decision("As As As As")) == ["keep As As", "split As As | As As"]
    assert list_options(make_round_at_decision("As As Kd Kd")) == [
        "keep As As",
        "keep As Kd",
        "keep Kd Kd",
        "split As As | Kd Kd",
        "split As Kd | As Kd",
    ]


@pytest.mark.parametrize("answer", ["split 8s 8h | 7c 6c", "split 7c 6c | 8s 8h"])
def test_a_split_may_name_its_hands_in_either_order_and_keeps_that_order(answer: str) -> None:
    round_ = make_round_at_decision("7c 8h 6c 8s")
    chosen_split = Decide(1, Decision.parse(answer))
    assert round_.can(chosen_split)
    split = round_.apply(chosen_split)
    assert str(split.decision(1, "hand")) == answer
    assert [decision["answer"] for decision in view_to_json(view(split, 1))["decisions"]] == [answer]
    assert load_round(dump_round(split)).decision(1, "hand") == Decision.parse(answer)
    assert sum(listed.startswith("split") for listed in list_options(round_)) == 3
    assert "split 8s 8h | 7c 6c" in list_options(round_)


@pytest.mark.parametrize("answer", ["split 8s 8h | 7c", "split 7c 6c | 8s 8d", "split 7c 6c", "keep 8s 8h | 7c 6c"])
def test_a_split_that_is_not_two_hands_of_two_cards_is_refused(answer: str) -> None:
    round_ = make_round_at_decision("7c 8h 6c 8s")
    with pytest.raises(IllegalAction):
        round_.apply(Decide(1, Decision.parse(answer)))


def test_only_a_split_with_a_shootout_bonus_wager_requires_a_choice_for_that_wager() -> None:
    split = Decide(1, Decision.parse("split As Kd | Qc Jh"))
    round_ = make_round_at_decision("As Kd Qc Jh", shootout_bonus=500).apply(split)
    assert list_options(round_) == ["match", "first hand", "second hand"]
    assert make_round_at_decision("As Kd Qc Jh").apply(split).turn == DealerTurn(DealerStep.REVEAL)
    round_after_keep = make_round_at_decision("As Kd Qc Jh", shootout_bonus=500).apply(
        Decide(1, Decision.parse("keep As Kd"))
    )
    assert round_after_keep.turn == DealerTurn(DealerStep.REVEAL)


def test_the_dealer_reveals_before_the_community_cards_and_has_nothing_to_decide() -> None:
    round_ = make_round_at_decision("As Kd Qc Jh").apply(Decide(1, Decision.parse("keep As Kd")))
    with pytest.raises(IllegalAction):
        round_.apply(Deal(parse_card("2c")))
    round_ = round_.apply(TakeStep(DealerStep.REVEAL))
    for name in BOARD.split():
        assert round_.turn == ChanceTurn(Place(Pile.COMMUNITY))
        round_ = round_.apply(Deal(parse_card(name)))
    assert round_.turn == RoundEnd()


def test_a_player_cannot_keep_cards_that_were_not_dealt() -> None:
    with pytest.raises(IllegalAction):
        make_round_at_decision("As Kd Qc Jh").apply(Decide(1, Decision.parse("keep As Ad")))


# Texas Shootout: the hand against the hand of the dealer


def test_the_higher_hand_is_paid_even_money_and_the_lower_one_loses() -> None:
    assert compute_nets(play_round(Seat("As Ad 6c 2h", "keep As Ad")), "shootout") == [1000]
    assert compute_nets(play_round(Seat("As Ad 6c 2h", "keep 6c 2h")), "shootout") == [-1000]


def test_a_split_plays_two_hands_with_a_wager_each() -> None:
    payments = find_payments(play_round(Seat("As Ad 6c 2h", "split As Ad | 6c 2h")), "shootout")
    assert [(payment.stake, payment.wagered, payment.net) for payment in payments] == [
        ("first hand", 1000, 1000),
        ("second hand", 1000, -1000),
    ]


def test_the_dealer_plays_the_house_way_even_if_other_cards_are_better() -> None:
    # Line 1 keeps the eights, so the dealer loses the threes, which the board would make trips.
    end = play_round(Seat("As Kc 6c 2h", "keep As Kc"), dealer="8c 8d 3h 3s", board="Kd Ks 9s 5h 3c")
    assert compute_nets(end, "shootout") == [1000]


def test_a_tie_loses_without_a_quick_draw_wager() -> None:
    (tie,) = find_payments(play_round(Seat("9s 8d 6c 2h", "keep 6c 2h"), board=STRAIGHT_ON_THE_BOARD), "shootout")
    assert (tie.event, tie.pay) == ("tie", Loss())


@pytest.mark.parametrize(("quick_draw", "pay"), [(900, Loss()), (1000, Push()), (1100, Push())])
def test_a_tie_pushes_when_quick_draw_is_at_least_the_shootout_wager(quick_draw: int, pay: Loss | Push) -> None:
    seat = Seat("9s 8d 6c 2h", "keep 6c 2h", {"quick-draw": quick_draw})
    (tie,) = find_payments(play_round(seat, board=STRAIGHT_ON_THE_BOARD), "shootout")
    assert tie.pay == pay


def test_the_original_quick_draw_wager_covers_both_hands_of_a_split() -> None:
    seat = Seat("9s 8d 6c 2h", "split 9s 8d | 6c 2h", {"quick-draw": 1000})
    assert compute_nets(play_round(seat, board=STRAIGHT_ON_THE_BOARD), "shootout") == [0, 0]
    seat = replace(seat, wagers={"quick-draw": 900})
    assert compute_nets(play_round(seat, board=STRAIGHT_ON_THE_BOARD), "shootout") == [-1000, -1000]


def test_flushes_are_compared_card_by_card_even_with_pairs() -> None:
    # Q-Q-6-6-3 against Q-10-9-8-3, all clubs (TS-2).
    end = play_round(Seat("Qc 6c 2h 4d", "keep Qc 6c"), dealer="Tc 9c 5d 2s", board="Qc 6c 3c Kd Js")
    (win,) = find_payments(end, "shootout")
    assert win.net == 1000
    assert win.text == "flush, queen high; beats the dealer's flush, queen high"


def test_a_suited_full_house_is_a_full_house_and_beats_a_flush() -> None:
    end = play_round(Seat("Qc 6c 2h 4d", "keep Qc 6c"), dealer="Ac 9c 5d 2s", board="Qc 6c Qc Kd Js")
    (win,) = find_payments(end, "shootout")
    assert (win.net, win.text) == (1000, "full house, queens over sixes; beats the dealer's flush, ace high")


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9))
def test_any_round_is_settled_as_by_a_slow_implementation_of_the_sheet(seed: int) -> None:
    end = play_random_round("texas-shootout", seed)
    board = end.pile(Pile.COMMUNITY)
    _, dealer_pair = choose_by_sheet(end.hand())
    dealer = SIX_DECK.verdict((*parse_cards(dealer_pair), *board))
    for seat in end.seats:
        answer = end.decision(seat, "hand")
        assert answer is not None
        wager = end.wager_cents(seat, "shootout")
        tied = 0 if end.wager_cents(seat, "quick-draw") >= wager else -wager
        expected = []
        for two in answer.groups:
            player = SIX_DECK.verdict((*two, *board))
            expected.append(wager if player > dealer else tied if player == dealer else -wager)
        assert compute_nets(end, "shootout", seat) == expected


# Quick Draw


@pytest.mark.parametrize(
    ("hand", "event", "odds"),
    [
        ("7s 7s 7s 7s", "four-of-a-kind-suited", (500, 250, 100)),
        ("As Ks Qs Js", "royal-flush", (250, 125, 50)),
        ("As 2s 3s 4s", "straight-flush", (75, 75, 30)),
        ("7s 7s 7s 7d", "four-of-a-kind", (40, 30, 12)),
        ("Ts 9s 8s 7d", "straight", (10, 9, 5)),
        ("Ad 2s 3s 4s", "straight", (10, 9, 5)),
        ("As 9s 8s 7s", "flush", (8, 7, 4)),
        ("Ks Ks 8s 7s", "flush", (8, 7, 4)),  # with a pair among them (TS-4)
        ("8s 8s 8s 2s", "flush", (8, 7, 4)),
        ("8s 8s 8d 2s", "three-of-a-kind", (7, 5, 3)),
        ("8s 8s 2s 2d", "two-pair", (5, 3, 2)),
    ],
)
def test_quick_draw_pays_the_first_four_cards(hand: str, event: str, odds: tuple[int, int, int]) -> None:
    keep = "keep " + " ".join(map(str, sorted(parse_cards(hand), reverse=True)[2:]))
    for table, pays in zip(("TS/QD 1", "TS/QD 3", "TS/QD 5"), odds, strict=True):
        end = play_round(Seat(hand, keep, {"quick-draw": 200}), setup=make_setup({"quick-draw": table}))
        (payment,) = find_payments(end, "quick-draw")
        assert (payment.event, payment.net) == (event, 200 * pays)


@pytest.mark.parametrize(
    ("hand", "paid_on"),
    [
        ("Ks Ks 8d 2h", ("suited-pair", "pair-of-jacks-or-better", "suited-pair")),
        ("9s 9s 5d 2h", ("suited-pair", "pair-of-eights-or-better", "suited-pair")),
        ("4s 4s 8d 2h", ("suited-pair", None, "suited-pair")),
        ("Js Jd 8d 2h", ("pair-of-jacks-or-better", "pair-of-jacks-or-better", "pair-of-jacks-or-better")),
        ("Ts Td 5d 2h", (None, "pair-of-eights-or-better", "pair-of-eights-or-better")),
        ("8s 8d 5d 2h", (None, "pair-of-eights-or-better", "pair-of-eights-or-better")),
        ("7s 7d 5d 2h", (None, None, "any-pair")),
        ("As Kd Qh 2h", (None, None, None)),
        ("As Kd 2h 3h", (None, None, None)),  # no straight around the corner
    ],
)
def test_a_pair_falls_through_to_the_next_line_that_the_paytable_has(
    hand: str, paid_on: tuple[str | None, str | None, str | None]
) -> None:
    for table, event in zip(("TS/QD 1", "TS/QD 3", "TS/QD 5"), paid_on, strict=True):
        line = paytable("texas-shootout", "quick-draw", table).find_matching_line(quick_draw_events(parse_cards(hand)))
        assert (line.trigger if line else None) == event


def test_a_suited_pair_meets_all_the_lines_of_its_rank() -> None:
    assert quick_draw_events(parse_cards("Kh Kh 7c 2d")) == (
        "suited-pair",
        "pair-of-jacks-or-better",
        "pair-of-eights-or-better",
        "any-pair",
    )
    assert quick_draw_events(parse_cards("As Ks Qs Js")) == ("royal-flush", "straight-flush", "straight", "flush")


def test_the_events_of_a_hand_at_the_table_are_those_of_the_fast_count() -> None:
    dice = np.random.default_rng(4)
    hands = dice.integers(0, 52, (6_000, 4), dtype=np.uint8)
    hands[::2] = (
        hands[::2] % 7 * 4 + 24 + dice.integers(0, 2, (3_000, 1))
    )  # few ranks and suits, so that the hands meet many lines
    events_met: set[tuple[str, ...]] = set()
    for at, row in enumerate(hands.tolist()):
        bits = quick_draw_bits(hands, at, lookup_tables(FOUR_CARD), quick_draw_bits_by_strength())
        events = tuple(event for place, event in enumerate(QUICK_DRAW_EVENTS) if bits >> place & 1)
        assert quick_draw_events([card_from_code(code) for code in row]) == events
        events_met.add(events)
    assert {event for events in events_met for event in events} == set(QUICK_DRAW_EVENTS)


def test_the_quick_draw_lines_are_in_the_order_of_the_appendix() -> None:
    assert [line.trigger for line in paytable("texas-shootout", "quick-draw", "TS/QD 9").lines] == list(
        QUICK_DRAW_EVENTS
    )


def test_quick_draw_does_not_depend_on_the_cards_that_the_player_keeps() -> None:
    end = play_round(Seat("Ks Ks 8d 2h", "keep 8d 2h", {"quick-draw": 200}))
    (payment,) = find_payments(end, "quick-draw")
    assert (payment.net, payment.text) == (600, "suited pair of kings, eight kicker")


# Wagers


def test_a_player_must_make_the_texas_shootout_wager() -> None:
    with pytest.raises(BadBet):
        RULES.begin(RULES.open(make_setup()), {1: {"quick-draw": 500}})


def test_a_jackpot_wager_is_one_or_two_dollars() -> None:
    setup = make_setup()
    three = replace(setup.wagers["jackpot"], limits=WagerLimits(100, 300, 100))
    with pytest.raises(BadSetup, match=r"\$1"):
        RULES.open(replace(setup, wagers={**setup.wagers, "jackpot": three}))


# What each viewer sees

KEPT = Seat("As Ad 6c 2h", "keep As Ad")
ONLOOKERS = (2, Onlooker.DEALER, Onlooker.DISPLAY)


def test_others_never_see_a_discard_and_see_the_kept_hand_only_at_the_end() -> None:
    end = play_round(KEPT, replace(KEPT, hand="Ks Kd 6c 2h", answer="keep Ks Kd"))
    before_end = replace(end, piles={**end.piles, Place(Pile.COMMUNITY): end.pile(Pile.COMMUNITY)[:4]})
    for viewer in ONLOOKERS:
        assert view(before_end, viewer).decisions[1, "hand"] == Verb.KEEP
        assert view(end, viewer).decisions[1, "hand"] == Decision.parse("keep As Ad")
        for round_ in (before_end, end):
            assert view(round_, viewer).piles[Place(Pile.HAND, 1)] == (None,) * 4
    assert view(before_end, 1).piles[Place(Pile.HAND, 1)] == parse_cards("As Ad 6c 2h")
    assert view(before_end, 1).decisions[1, "hand"] == Decision.parse("keep As Ad")


def test_both_hands_of_a_split_are_visible_at_the_end() -> None:
    end = play_round(replace(KEPT, answer="split As Ad | 6c 2h"), KEPT)
    before_end = replace(end, piles={**end.piles, Place(Pile.COMMUNITY): end.pile(Pile.COMMUNITY)[:4]})
    for viewer in ONLOOKERS:
        assert view(before_end, viewer).piles[Place(Pile.HAND, 1)] == (None,) * 4
        assert view(end, viewer).piles[Place(Pile.HAND, 1)] == parse_cards("As Ad 6c 2h")
        assert view(end, viewer).decisions[1, "hand"] == Decision.parse("split As Ad | 6c 2h")


def test_the_reveal_shows_the_dealers_four_cards() -> None:
    before_reveal = make_round_at_decision("As Kd Qc Jh").apply(Decide(1, Decision.parse("keep As Kd")))
    assert view(before_reveal, 1).piles[Place(Pile.HAND)] == (None,) * 4
    revealed = before_reveal.apply(TakeStep(DealerStep.REVEAL))
    assert view(revealed, 1).piles[Place(Pile.HAND)] == parse_cards(NINE_HIGH)


def test_the_options_of_a_seat_are_hidden_from_others() -> None:
    round_ = make_round_at_decision("As Kd Qc Jh")
    visible_turn = view(round_, Onlooker.DEALER).turn
    assert isinstance(visible_turn, SeatTurn)
    assert visible_turn.options == ()
