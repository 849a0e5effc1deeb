"""The bonus wagers of Dueling for Dollars, appendix by appendix (sheet 003)."""

from __future__ import annotations

import pytest

from cardroom.cards import ChaCha20Source, Deck, format_cards, shuffle_shoe
from cardroom.games import (
    BadBet,
    Verb,
    advance,
)
from tests.games.dueling import (
    RULES,
    Seat,
    compute_nets,
    deal_first_cards,
    make_setup,
    play_round,
    settle_bonus,
    settle_round,
    settle_tie_after_tie,
    settle_two_plus_two,
    trace_places,
)

# Tie Plus


@pytest.mark.parametrize(("name", "suited", "unsuited"), [("TP-01", 12, 12), ("TP-02", 18, 10), ("TP-03", 20, 10)])
def test_tie_plus_pays_a_suited_and_an_unsuited_pair(name: str, suited: int, unsuited: int) -> None:
    setup = make_setup(tables={"tie-plus": f"PT-FLT-DFD-{name}"})
    assert settle_bonus("tie-plus", "9s", "9s", setup=setup).net == suited * 1000
    assert settle_bonus("tie-plus", "9s", "9c", setup=setup).net == unsuited * 1000
    loss = settle_bonus("tie-plus", "9s", "8s", setup=setup)
    assert (loss.event, loss.net) == ("not-a-tie", -1000)


# Combo Bet


COMBO_HANDS = {
    "pair": "9s 9c",
    "suited pair": "9s 9s",
    "straight flush": "9s Ts",
    "straight": "9s 8c",
    "flush": "9s 2s",
}


@pytest.mark.parametrize(
    ("name", "nets"),
    [
        ("CB-01", {"pair": 2000, "suited pair": 2000, "straight flush": 2000, "straight": 1000, "flush": 1000}),
        ("CB-02", {"pair": 1500, "suited pair": 1500, "straight flush": 3000, "straight": 1000, "flush": 1000}),
        ("CB-03", {"pair": 2000, "suited pair": 2000, "straight flush": 2500, "straight": 1000, "flush": 1000}),
        ("CB-04", {"pair": -1000, "suited pair": -1000, "straight flush": 5000, "straight": 2000, "flush": 1000}),
        ("CB-05", {"pair": -1000, "suited pair": -1000, "straight flush": 4000, "straight": 2000, "flush": 1000}),
    ],
)
def test_combo_pays_the_best_line_of_its_paytable(name: str, nets: dict[str, int]) -> None:
    setup = make_setup(tables={"combo": f"PT-FLT-DFD-{name}"})
    assert {hand: settle_bonus("combo", *COMBO_HANDS[hand].split(), setup=setup).net for hand in nets} == nets
    loss = settle_bonus("combo", "9s", "2c", setup=setup)
    assert (loss.event, loss.net) == ("no-combo", -1000)


@pytest.mark.parametrize("pair", ["As Ks", "Ks As", "As 2s", "2s As", "2s 3s"])
def test_for_combo_the_ace_connects_with_the_king_and_with_the_two(pair: str) -> None:
    assert settle_bonus("combo", *pair.split()).event == "straight-flush"


def test_for_combo_king_and_two_do_not_connect() -> None:
    assert settle_bonus("combo", "Ks", "2c").event == "no-combo"
    assert settle_bonus("combo", "Ks", "2s", setup=make_setup(tables={"combo": "PT-FLT-DFD-CB-04"})).event == "flush"


# Tie After Tie Jackpot


TIE_AFTER_TIE = [
    ("9s 9s 9s 9s", "quads-same-suit", "9s 9s 9s 9s"),
    ("9s 9c 9s 9s", "quads-same-color", "9s 9c 9s 9s"),
    ("9d 9h 9h 9h", "quads-same-color", "9d 9h 9h 9h"),
    ("9s 9s 9s 9h", "quads-two-color", "9s 9s 9s 9h"),
    ("9s 9c 4s 4s", "two-pairs-same-color", "9s 9c 4s 4s"),
    ("9s 9c 4h 4h", "two-pairs-two-color", "9s 9c 4h 4h"),
    ("9s 9s 4s 4h", "two-pairs-two-color", "9s 9s 4s 4h"),
    ("9s 9c 9s 4h", "trips-same-color", "9s 9c 9s"),
    ("9s 9c 4h 9s", "trips-same-color", "9s 9c 9s"),
    ("9d 9h 9h 4c", "trips-same-color", "9d 9h 9h"),
    ("9s 9c 9h 4c", "trips-two-color", "9s 9c 9h"),
    ("9s 9h 4c 9c", "trips-two-color", "9s 9h 9c"),
    ("9s 9c 4h 5d", "one-tie-one-color", "9s 9c"),
    ("9d 9h 4s 5s", "one-tie-one-color", "9d 9h"),
    ("9s 9h 4s 5s", "one-tie-two-color", "9s 9h"),
]


@pytest.mark.parametrize(("four", "event", "made_by"), TIE_AFTER_TIE)
def test_tie_after_tie_shows_the_cards_that_make_the_event(four: str, event: str, made_by: str) -> None:
    payment = settle_tie_after_tie(four)
    assert (payment.event, format_cards(payment.cards)) == (event, made_by)
    assert payment.text == event.replace("-", " ")


@pytest.mark.parametrize("name", ["TAT-02", "TAT-03", "TAT-04"])
def test_tie_after_tie_pays_for_one_as_printed(name: str) -> None:
    printed_prizes = {
        "TAT-02": ["100%", 500, 500, 100, 50, 10, 10, 25, 25, 25, 15, 15, 4, 4, 3],
        "TAT-03": ["100%", "100%", "100%", "10%", 100, 10, 10, 50, 50, 50, 20, 20, 4, 4, 2],
        "TAT-04": ["100%", "20%", "20%", 100, 50, 10, 10, 25, 25, 25, 15, 15, 4, 4, 4],
    }[name]
    for (four, _, _), prize in zip(TIE_AFTER_TIE, printed_prizes, strict=True):
        of_meter = int(prize.rstrip("%")) * 500_00 if isinstance(prize, str) else prize * 100
        assert settle_tie_after_tie(four, f"PT-BJS-DFD-{name}").returned == of_meter


def test_a_player_who_surrenders_can_win_only_the_one_tie_lines() -> None:
    assert settle_tie_after_tie("9s 9c", answer="surrender").returned == 4_00
    assert settle_tie_after_tie("9s 9h", answer="surrender").returned == 3_00
    # The war community card that other seats share does not count for the seat that surrendered.
    settlement = settle_round(
        Seat("9s", bonuses={"tie-after-tie": 100}, answer="surrender"),
        Seat("9c", answer="war", war="9d"),
        community="9s",
        war_community="9s",
    )
    assert settlement.seat_payments(1)[1].event == "one-tie-one-color"


def test_without_a_tie_the_jackpot_wager_loses() -> None:
    settlement = settle_round(Seat("9s", bonuses={"tie-after-tie": 100}), community="Ts")
    payment = settlement.payments[1]
    assert (payment.event, payment.returned, payment.net) == ("not-a-tie", 0, -100)


def test_a_player_can_lose_the_war_and_win_the_jackpot() -> None:
    seat = Seat("9s", bonuses={"tie-after-tie": 100}, answer="war", war="3s")
    settlement = settle_round(seat, community="9h", war_community="9s")
    assert compute_nets(settlement) == {"player": -1000, "war": -1000, "tie-after-tie": 14_00}


# 2 + 2 Jackpot


TWO_PLUS_TWO = [
    ("As Ks Qs Js", "royal-flush", "As Ks Qs Js"),
    ("Qs Ks Js As", "royal-flush", "Qs Ks Js As"),
    ("As 2s 3s 4s", "four-card-straight-flush", "As 2s 3s 4s"),
    ("8s 9s 7s Ts", "four-card-straight-flush", "8s 9s 7s Ts"),
    ("9s 9s 9h 9d", "four-of-a-kind", "9s 9s 9h 9d"),
    ("8s 9s Ts 2c", "three-card-straight-flush", "8s 9s Ts"),
    ("8s 9s 8s Ts", "three-card-straight-flush", "8s 9s Ts"),
    ("Ks As 2s 3s", "three-card-straight-flush", "As 2s 3s"),
    ("2s As Ks Qs", "three-card-straight-flush", "As Ks Qs"),
    ("8s 8h 9h Th", "three-card-straight-flush", "8h 9h Th"),
    ("8s 8h 8d 2c", "three-of-a-kind", "8s 8h 8d"),
    ("8s 9s 8h 8d", "three-of-a-kind", "8s 8h 8d"),
    ("8s 9s 9h 9d", "three-of-a-kind", "9s 9h 9d"),
    ("8s 9s Th Jh", "starting-straight-flush", "8s 9s"),
    ("Ks As 2s 4s", "starting-straight-flush", "Ks As"),
    ("8s 8h 9s 9h", "starting-pair", "8s 8h"),
    ("8s 8h 7c 6c", "starting-pair", "8s 8h"),
]


@pytest.mark.parametrize(("four", "event", "made_by"), TWO_PLUS_TWO)
def test_two_plus_two_pays_the_best_of_the_four_cards_for_one(four: str, event: str, made_by: str) -> None:
    printed_prizes = {
        "royal-flush": 20_000,
        "four-card-straight-flush": 500,
        "four-of-a-kind": 100,
        "three-card-straight-flush": 30,
        "three-of-a-kind": 15,
        "starting-straight-flush": 3,
        "starting-pair": 2,
    }
    payment = settle_two_plus_two(four)
    assert (payment.event, format_cards(payment.cards)) == (event, made_by)
    assert payment.returned == printed_prizes[event] * 100
    ten_percent = event == "four-card-straight-flush"
    assert settle_two_plus_two(four, "PT-BJS-DFD-22-03").returned == (
        2_000_00 if ten_percent else printed_prizes[event] * 100
    )


@pytest.mark.parametrize("pair", ["As Qs", "9s 8h", "2s Ks", "9s 2c"])
def test_a_start_that_is_no_pair_and_no_straight_flush_gets_no_added_cards_and_loses(pair: str) -> None:
    payment = settle_two_plus_two(pair)
    assert (payment.event, payment.returned) == ("no-starting-hand", 0)


def test_the_added_cards_come_after_the_war_and_are_not_the_war_cards() -> None:
    round_ = RULES.begin(RULES.open(make_setup()), {1: {"player": 1000, "two-plus-two": 100}})
    round_, _ = advance(round_, shuffle_shoe(Deck.SIX, ChaCha20Source.from_seed(1)), deal=False)
    places = trace_places(round_, "8c 8d 8h 8s 2c 3d", {1: Verb.WAR})
    assert places[2:] == ["seat 1 war", "war community", "added community", "added community"]
    seat = Seat("8c", bonuses={"two-plus-two": 100}, answer="war", war="8h")
    settlement = settle_round(seat, community="8d", war_community="8s", added="2c 3d")
    assert settlement.payments[-1].event == "starting-pair"


def test_the_added_cards_are_dealt_once_and_count_only_for_qualifying_starts() -> None:
    settlement = settle_round(
        Seat("8s", bonuses={"two-plus-two": 100}),
        Seat("Ts", bonuses={"two-plus-two": 100}),
        Seat("Js", bonuses={"two-plus-two": 100}),
        community="9s",
        added="Ts Js",
    )
    events = [settlement.seat_payments(seat)[1].event for seat in settlement.seats]
    assert events == ["four-card-straight-flush", "three-card-straight-flush", "no-starting-hand"]


def test_a_qualifying_start_without_the_wager_gets_no_added_cards() -> None:
    assert deal_first_cards("8s", "9s").is_terminal


# Both jackpots


@pytest.mark.parametrize("wager", [1_00, 2_00, 5_00])
def test_fixed_prizes_are_multiplied_by_the_fixed_wager_and_percentages_are_not(wager: int) -> None:
    times = wager // 100
    assert settle_tie_after_tie("9s 9c 4h 5d", wager=wager).returned == 4_00 * times
    assert settle_tie_after_tie("9s 9s 9s 9h", wager=wager).returned == 100_00 * times
    assert settle_tie_after_tie("9s 9s 9s 9s", wager=wager).returned == 50_000_00
    assert settle_two_plus_two("8s 8h 8d 2c", wager=wager).returned == 15_00 * times
    assert settle_two_plus_two("As Ks Qs Js", wager=wager).returned == 20_000_00


def test_a_jackpot_wager_that_is_not_the_fixed_amount_is_refused() -> None:
    opened_table = RULES.open(make_setup(jackpot=5_00))
    with pytest.raises(BadBet, match=r"\$5"):
        RULES.begin(opened_table, {1: {"player": 1000, "tie-after-tie": 100}})


def test_equal_winners_share_a_percentage_of_the_meter() -> None:
    seats = [Seat("Ks", bonuses={"tie-after-tie": 100}, answer="war", war="Ks") for _ in range(2)]
    end = play_round(*seats, community="Ks", war_community="Ks")
    first, second = (RULES.settle(end, {"tie-after-tie": 10_000_01}).seat_payments(seat)[-1] for seat in (1, 2))
    assert (first.returned, second.returned) == (5_000_01, 5_000_00)
    assert first.meter is not None
    assert first.meter.winners == 2


def test_no_player_gets_less_because_another_player_won_another_line() -> None:
    suit = Seat("Ks", bonuses={"tie-after-tie": 100}, answer="war", war="Ks")
    color = Seat("Kc", bonuses={"tie-after-tie": 100}, answer="war", war="Kc")
    setup = make_setup(tables={"tie-after-tie": "PT-BJS-DFD-TAT-03"})  # all of the meter for one suit and for one color
    end = play_round(suit, color, color, community="Ks", war_community="Ks", setup=setup)
    parts = [RULES.settle(end, {"tie-after-tie": 10_000_01}).seat_payments(seat)[-1].returned for seat in (1, 2, 3)]
    assert parts == [10_000_01, 5_000_01, 5_000_00]


def test_each_jackpot_has_its_own_meter() -> None:
    seat = Seat("Ks", bonuses={"tie-after-tie": 100, "two-plus-two": 100}, answer="war", war="Ks")
    end = play_round(seat, community="Ks", war_community="Ks", added="Kd Kh")
    settlement = RULES.settle(end, {"tie-after-tie": 9_000_00, "two-plus-two": 1_000_00})
    assert compute_nets(settlement)["tie-after-tie"] == 9_000_00 - 100
    assert compute_nets(settlement)["two-plus-two"] == 100_00 - 100


def test_all_bonus_wagers_of_a_round_are_settled_independently() -> None:
    bonuses = {"tie-plus": 500, "combo": 500, "two-plus-two": 100}
    settlement = settle_round(Seat("8s", bonuses=bonuses, answer="surrender"), community="8s", added="9s Ts")
    assert compute_nets(settlement) == {"player": -500, "tie-plus": 6000, "combo": 1000, "two-plus-two": 2900}
