"""Deuces Wild, rule by rule (sheet 000)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from cardroom.cards import Deck, Shoe, parse_cards
from cardroom.games import (
    BadBet,
    BadRecord,
    BadSetup,
    ChanceTurn,
    Deal,
    DealerStep,
    DealerTurn,
    Decide,
    Decision,
    IllegalAction,
    Onlooker,
    Payment,
    Pile,
    Place,
    Round,
    SeatTurn,
    TableSetup,
    TakeStep,
    Verb,
    WagerLimits,
    default_setup,
    game,
    round_from_json,
    view,
)
from cardroom.games.setup import setup_to_json
from cardroom.games.view import Viewer, can_see
from cardroom.hands import is_wild
from cardroom.paytables import Loss, Push
from cardroom_conformance.sample_rounds import positions

RULES = game("deuces-wild")
ANTE, TREASURE, FORTUNE, JACKPOT = "ante-play-raise", "three-card-treasure", "five-card-fortune", "bonus-jackpot"
SHOWN_TO_ALL = (Onlooker.DEALER, Onlooker.DISPLAY)
BOARD = "6h 7h Th Qh"
PLAIN = "Kd Qs 4h 8c 5d"
PAIR = "Kd Ks 4h 8c 5d"


def make_setup(**tables: str) -> TableSetup:
    """Return the default setup with other paytables, such as ``ante="B"``."""
    slugs = {"ante": ANTE, "treasure": TREASURE, "fortune": FORTUNE, "jackpot": JACKPOT}
    setup = default_setup("deuces-wild")
    for short, name in tables.items():
        wager = replace(setup.wagers[slugs[short]], paytable=name)
        setup = replace(setup, wagers={**setup.wagers, slugs[short]: wager})
    return setup


def play_round(
    wagers: Mapping[int, Mapping[str, int]],
    hands: Mapping[int, str],
    answers: str = "",
    *,
    community: str = BOARD,
    setup: TableSetup | None = None,
    **more: Any,
) -> Round:
    """Return a round from its cards and decisions: seat, question, and answer, as in ``1 play fold; 1 raise raise``."""
    cards = {"community": community.split()}
    for seat, text in hands.items():
        names = text.split()
        for pile, pile_cards in (("hand", names[:3]), ("fourth", names[3:4]), ("fifth", names[4:])):
            cards[f"seat {seat} {pile}"] = pile_cards
    parts = [line.split(maxsplit=2) for line in answers.split(";") if line.strip()]
    decisions = [{"seat": int(seat), "question": question, "answer": answer} for seat, question, answer in parts]
    entry = setup_to_json(setup or make_setup())
    wagered = {str(seat): dict(spots) for seat, spots in wagers.items()}
    return round_from_json({"table": entry, "wagers": wagered, "cards": cards, "decisions": decisions, **more})


def find_payment(round_: Round, stake: str, seat: int = 1, meter: int | None = None) -> Payment:
    settlement = RULES.settle(round_, {JACKPOT: meter} if meter else None)
    (payment,) = (payment for payment in settlement.seat_payments(seat) if payment.stake == stake)
    return payment


def play_and_raise(hand: str, **tables: str) -> Round:
    """Return a round of one seat that antes ten dollars, plays, and raises."""
    return play_round({1: {ANTE: 1000}}, {1: hand}, "1 play play; 1 raise raise", setup=make_setup(**tables))


def settle_fortune(three: str, selected: str, community: str, **tables: str) -> Payment:
    """Settle a wager of five dollars on Five Card Fortune alone."""
    answer = f"1 fortune choose {selected}"
    return find_payment(
        play_round({1: {FORTUNE: 500}}, {1: three}, answer, community=community, setup=make_setup(**tables)), FORTUNE
    )


def iterate_steps(bets: Mapping[int, Mapping[str, int]], answers: str = "") -> Iterator[tuple[str, Round]]:
    """Yield every step of a round and the position after it. A seat plays, raises, and selects one card by default."""
    folds = {tuple(line.split()) for line in answers.split(";")}
    round_, shoe = RULES.begin(RULES.open(make_setup()), bets), Shoe(Deck.WITH_JOKER.cards()[4:])
    while not round_.is_terminal:
        match round_.turn:
            case ChanceTurn(place):
                card, shoe = shoe.deal()
                step, round_ = str(place), round_.apply(Deal(card))
            case DealerTurn(step):
                step, round_ = str(step), round_.apply(TakeStep(step))
            case SeatTurn(seat, question, options):
                fold = (str(seat), question, "fold") in folds
                decision = options[0] if fold or question == "fortune" else options[1]
                step, round_ = f"seat {seat} {decision.verb}", round_.apply(Decide(seat, decision))
        yield step, round_


def list_steps(bets: Mapping[int, Mapping[str, int]], answers: str = "") -> list[str]:
    return [step for step, _ in iterate_steps(bets, answers)]


THREE_ROUNDS = ["community", "seat 1 hand", "seat 2 hand"] * 3


# Rules 1, 15 and 16: the deck and the wagers


def test_the_game_is_played_with_one_deck_and_the_joker() -> None:
    assert RULES.open(make_setup()).deck is Deck.WITH_JOKER


@pytest.mark.parametrize("spot", [ANTE, TREASURE, FORTUNE, JACKPOT])
def test_a_player_may_make_any_one_of_the_four_wagers(spot: str) -> None:
    round_ = RULES.begin(RULES.open(make_setup()), {1: {spot: 1000 if spot == ANTE else 100}})
    assert not round_.is_terminal


def make_limited_setup(spot: str, low: int, high: int) -> TableSetup:
    setup = make_setup()
    return replace(
        setup, wagers={**setup.wagers, spot: replace(setup.wagers[spot], limits=WagerLimits(low, high, low))}
    )


@pytest.mark.parametrize(
    ("spot", "low", "high", "sentence"),
    [
        (ANTE, 10_00, 210_00, "because a raise of 2 times that is one wager"),
        (JACKPOT, 1_00, 2_00, "one fixed amount"),
    ],
)
def test_limits_that_the_rules_forbid_are_refused(spot: str, low: int, high: int, sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence):
        RULES.open(make_limited_setup(spot, low, high))


def test_the_bonus_jackpot_wager_must_be_the_amount_that_the_operator_sets() -> None:
    with pytest.raises(BadBet, match=r"\$2"):
        RULES.begin(RULES.open(make_limited_setup(JACKPOT, 2_00, 2_00)), {1: {JACKPOT: 1_00}})


# Rules 17 to 23: the dealing procedures


def test_a_round_follows_the_order_of_the_dealing_procedures() -> None:
    bets = {1: {ANTE: 1000, TREASURE: 500, FORTUNE: 500, JACKPOT: 100}, 2: {ANTE: 2000, FORTUNE: 500}}
    assert list_steps(bets) == [
        "tabulate",
        *THREE_ROUNDS,
        "pay treasure",
        *["seat 1 play", "seat 1 choose", "seat 2 play", "seat 2 choose"],
        *["community", "seat 1 fourth", "seat 2 fourth"],
        *["seat 1 raise", "seat 2 raise"],
        *["seat 1 fifth", "seat 2 fifth"],
        "reveal",
    ]


def test_without_a_jackpot_or_treasure_wager_the_dealer_does_not_tabulate_or_pay_treasure() -> None:
    assert list_steps({1: {ANTE: 1000}}) == [
        *["community", "seat 1 hand"] * 3,
        *["seat 1 play", "community", "seat 1 fourth", "seat 1 raise", "seat 1 fifth", "reveal"],
    ]


def test_only_players_who_play_get_a_fourth_and_a_fifth_card() -> None:
    steps = list_steps({1: {ANTE: 1000}, 2: {ANTE: 1000}}, "1 play fold")
    assert steps[9:] == [
        *["seat 1 fold", "seat 2 play", "community", "seat 2 fourth", "seat 2 raise", "seat 2 fifth", "reveal"]
    ]


def test_the_last_card_is_dealt_after_all_decisions_and_only_to_players_who_raise() -> None:
    steps = list_steps({1: {ANTE: 1000}, 2: {ANTE: 1000}}, "2 raise fold")
    assert steps[-4:] == ["seat 1 raise", "seat 2 fold", "seat 1 fifth", "reveal"]


@pytest.mark.parametrize("answers", ["1 play fold", "1 raise fold"])
def test_a_bonus_jackpot_player_who_folds_gets_all_five_cards(answers: str) -> None:
    steps = list_steps({1: {ANTE: 1000, JACKPOT: 100}}, answers)
    assert steps.count("seat 1 fold") == 1
    assert [steps.count(f"seat 1 {pile}") for pile in ("hand", "fourth", "fifth")] == [3, 1, 1]


def test_a_bonus_jackpot_player_without_an_ante_has_no_decision() -> None:
    assert list_steps({1: {JACKPOT: 100}}) == [
        "tabulate",
        *["community", "seat 1 hand"] * 3,
        *["community", "seat 1 fourth", "seat 1 fifth", "reveal"],
    ]


def test_when_all_fold_only_the_fourth_community_card_is_dealt_for_five_card_fortune() -> None:
    steps = list_steps({1: {ANTE: 1000, FORTUNE: 500}, 2: {ANTE: 1000}}, "1 play fold; 2 play fold")
    assert steps[9:] == ["seat 1 fold", "seat 1 choose", "seat 2 fold", "community", "reveal"]


def test_five_card_fortune_players_without_an_ante_get_their_first_three_cards_only() -> None:
    steps = list_steps({1: {FORTUNE: 500}, 2: {FORTUNE: 500}})
    assert steps == [*THREE_ROUNDS, "seat 1 choose", "seat 2 choose", "community", "reveal"]


def test_when_all_fold_and_no_player_has_five_card_fortune_the_round_ends() -> None:
    bets = {1: {ANTE: 1000}, 2: {ANTE: 1000}}
    assert list_steps(bets, "1 play fold; 2 play fold") == [*THREE_ROUNDS, "seat 1 fold", "seat 2 fold"]


def test_a_round_of_three_card_treasure_alone_ends_with_its_take_or_pay() -> None:
    assert list_steps({1: {TREASURE: 500}, 2: {TREASURE: 500}}) == [*THREE_ROUNDS, "pay treasure"]


# What is refused


def test_a_decision_out_of_turn_is_refused() -> None:
    round_ = play_round({1: {ANTE: 1000}, 2: {ANTE: 1000}}, {1: "Kd Qs 4h", 2: "Ac 9d 8s"}, community="3c 7d 9h")
    with pytest.raises(IllegalAction):
        round_.apply(Decide(2, Decision(Verb.PLAY)))


@pytest.mark.parametrize("selected", ["Kd Qs", "Kd 2s", "Ac", "2s Jk"])
def test_a_player_may_select_only_one_natural_card_or_wild_cards_of_the_hand(selected: str) -> None:
    round_ = play_round({1: {FORTUNE: 500}}, {1: "Kd Qs 2s"}, community="3c 7d 9h")
    with pytest.raises(IllegalAction):
        round_.apply(Decide(1, Decision(Verb.CHOOSE, (parse_cards(selected),))))


def test_any_number_of_wild_cards_may_be_selected_together() -> None:
    turn = play_round({1: {FORTUNE: 500}}, {1: "2d 2s Jk"}, community="3c 7d 9h").turn
    assert isinstance(turn, SeatTurn)
    assert {frozenset(option.groups[0]) for option in turn.options} == {
        frozenset(group) for count in (1, 2, 3) for group in combinations(parse_cards("2d 2s Jk"), count)
    }


def test_a_player_who_folded_cannot_raise() -> None:
    with pytest.raises(BadRecord):
        play_round({1: {ANTE: 1000}}, {1: "Kd Qs 4h"}, "1 play fold; 1 raise raise", community="3c 7d 9h")


def test_a_fifth_community_card_is_refused() -> None:
    """DW-5: there are four community cards."""
    with pytest.raises(BadRecord):
        play_round({1: {ANTE: 1000}}, {1: PLAIN}, "1 play play; 1 raise raise", community=f"{BOARD} Ah")


# What each viewer sees (rules 9 and 19 to 23)


def list_viewers(round_: Round) -> set[Viewer]:
    """Return all viewers of a round."""
    return {*round_.seats, *SHOWN_TO_ALL}


def find_viewers(round_: Round, pile: Pile, seat: int) -> set[Viewer]:
    place = Place(pile, seat)
    assert round_.piles[place]
    return {viewer for viewer in list_viewers(round_) if can_see(round_, place, viewer)}


ALL_VIEWERS = {1, 2, *SHOWN_TO_ALL}


@pytest.mark.parametrize(("spot", "may_look"), [(ANTE, True), (TREASURE, True), (FORTUNE, True), (JACKPOT, False)])
def test_a_player_may_see_the_three_cards_after_delivery_if_the_wager_allows_it(spot: str, may_look: bool) -> None:
    bets = {1: {spot: 1000 if spot == ANTE else 100}, 2: {ANTE: 1000}}
    for step, round_ in iterate_steps(bets):
        if step == "seat 1 hand":
            delivered = len(round_.hand(1)) == 3
            assert find_viewers(round_, Pile.HAND, 1) == ({1} if may_look and delivered else set())


def test_only_a_player_with_a_play_wager_sees_the_fourth_card_and_no_player_the_last() -> None:
    for _, round_ in iterate_steps({1: {ANTE: 1000}, 2: {ANTE: 1000, JACKPOT: 100}}, "2 play fold"):
        is_revealed = round_.has_taken_step(DealerStep.REVEAL)
        if round_.pile(Pile.FOURTH, 2):
            assert find_viewers(round_, Pile.FOURTH, 1) == (ALL_VIEWERS if is_revealed else {1})
            assert find_viewers(round_, Pile.FOURTH, 2) == (ALL_VIEWERS if is_revealed else set())
        if round_.pile(Pile.FIFTH, 2):
            assert (
                find_viewers(round_, Pile.FIFTH, 1)
                == find_viewers(round_, Pile.FIFTH, 2)
                == (ALL_VIEWERS if is_revealed else set())
            )


def test_the_community_cards_are_face_down_until_the_end() -> None:
    for _, round_ in iterate_steps({1: {ANTE: 1000, FORTUNE: 500}}):
        is_revealed = round_.has_taken_step(DealerStep.REVEAL)
        assert all((None in pile) != is_revealed for place, pile in view(round_, 1).piles.items() if place.seat is None)


def test_a_three_card_treasure_winner_flips_the_cards_and_a_loser_does_not() -> None:
    bets = {1: {TREASURE: 500, ANTE: 1000}, 2: {TREASURE: 500, ANTE: 1000}}
    hands = {1: "9s 8s 7s", 2: "Kd Qs 4h"}
    before = play_round(bets, hands, community="3c 7d 9h", steps=[])
    assert (find_viewers(before, Pile.HAND, 1), find_viewers(before, Pile.HAND, 2)) == ({1}, {2})
    after = before.apply(TakeStep(DealerStep.PAY_TREASURE))
    assert (find_viewers(after, Pile.HAND, 1), find_viewers(after, Pile.HAND, 2)) == (ALL_VIEWERS, {2})


def test_a_folded_hand_without_a_treasure_or_jackpot_wager_is_hidden_from_others() -> None:
    """Check random rounds: rules 20, 21(a), 22(a), and DW-10."""
    hidden = 0
    for seed in range(60):
        for round_ in positions("deuces-wild", seed):
            for place in round_.piles:
                seat = place.seat
                if seat is None or JACKPOT in round_.bets[seat] or TREASURE in round_.bets[seat]:
                    continue
                if round_.has_decided(seat, "play", Verb.FOLD) or round_.has_decided(seat, "raise", Verb.FOLD):
                    hidden += 1
                    assert not any(can_see(round_, place, other) for other in list_viewers(round_) - {seat})
    assert hidden > 100


def test_the_cards_selected_for_five_card_fortune_are_hidden_from_others() -> None:
    bets, hands = {1: {FORTUNE: 500}, 2: {ANTE: 1000}}, {1: "Kd Qs 4h", 2: "Ac 9d 8s"}
    round_ = play_round(bets, hands, "1 fortune choose Kd", community="3c 7d 9h")
    assert view(round_, 2).decisions[1, "fortune"] is Verb.CHOOSE
    assert view(round_, 1).decisions[1, "fortune"] == Decision.parse("choose Kd")


def test_the_settlement_names_no_card_of_a_folded_or_losing_hand_that_stays_hidden() -> None:
    round_ = play_round({1: {ANTE: 1000, TREASURE: 500}}, {1: "Kd Qs 4h"}, "1 play fold", community="3c 7d 9h")
    for payment in RULES.settle(round_).payments:
        assert (payment.pay, payment.cards) == (Loss(), ())
        assert "king" not in payment.text


# Appendix A: Ante, Play and Raise

APPENDIX_A = {
    "As Ks Qs Js Ts": (250, 100, 250, 250, 250, 250),
    "As Ks 2d Js Jk": (30, 30, 40, 35, 30, 30),
    "Jc Jd Jh Js 2c": (20, 20, 15, 20, 20, 20),  # the note's example: five of a kind only
    "9s 8s Jk 6s 5s": (10, 10, 8, 8, 9, 10),
    "9s 9d Jk 9c 5s": (4, 4, 4, 5, 5, 5),
    "9s 9d 5c Jk 5s": (4, 4, 4, 4, 4, 4),
    "Ks 9s 2c 5s 4s": (3, 3, 3, 3, 3, 3),
    "As 2c 3d 4h 5s": (3, 3, 3, 2, 2, 2),
    "9s 9d 2c 4h Ks": (1, 1, 1, 1, 1, 1),
    "9s 9d 4c 4h Ks": (1, 1, 1, 1, 1, 1),
}


@pytest.mark.parametrize("name", "ABCDEF")
@pytest.mark.parametrize("hand", APPENDIX_A)
def test_a_winning_hand_is_paid_on_ante_play_and_raise(hand: str, name: str) -> None:
    """DW-3: one unit on the Ante, one on Play, two on the Raise."""
    odds = APPENDIX_A[hand]["ABCDEF".index(name)]
    payments = RULES.settle(play_and_raise(hand, ante=name)).payments
    assert [(payment.stake, payment.wagered, payment.net) for payment in payments] == [
        ("ante", 10_00, odds * 10_00),
        ("play", 10_00, odds * 10_00),
        ("raise", 20_00, odds * 20_00),
    ]


@pytest.mark.parametrize("hand", [PLAIN, PAIR, "2c Qs 4h 8c 6d"])
def test_a_pair_or_less_loses_all_four_units(hand: str) -> None:
    settlement = RULES.settle(play_and_raise(hand))
    assert {payment.event for payment in settlement.payments} == {"pair-or-less"}
    assert settlement.net(1) == -40_00


@pytest.mark.parametrize(("name", "odds"), [("A", 30), ("B", 30), ("C", 40), ("D", 35)])
def test_five_wild_cards_are_a_wild_royal_flush_in_the_main_game(name: str, odds: int) -> None:
    """DW-4."""
    payment = find_payment(play_and_raise("2c 2d 2h 2s Jk", ante=name), "raise")
    assert (payment.event, payment.text, payment.net) == ("wild-royal-flush", "five wild cards", odds * 20_00)


def test_a_fold_forfeits_the_wagers_made_so_far() -> None:
    fold_at_play = play_round({1: {ANTE: 1000}}, {1: "Kd Qs 4h"}, "1 play fold", community="3c 7d 9h")
    fold_at_raise = play_round({1: {ANTE: 1000}}, {1: "Kd Qs 4h 8c"}, "1 play play; 1 raise fold")
    forfeited = [
        [(payment.stake, payment.event, payment.net) for payment in RULES.settle(end).payments]
        for end in (fold_at_play, fold_at_raise)
    ]
    assert forfeited == [[("ante", "fold", -1000)], [("ante", "fold", -1000), ("play", "fold", -1000)]]


# Appendix B: Three Card Treasure

APPENDIX_B = {
    "Qs Ks As": (20, 25, 25),
    "2c 2d Jk": (20, 25, 25),
    "Ks Qs Js": (6, 5, 5),  # the note's example: straight flush only
    "5h 2c Jk": (6, 5, 5),
    "7s 7d 2c": (5, 4, 4),
    "As 2c 3d": (2, 3, 2),
    "Ks 2c 4s": (2, 1, 2),
    "Kd Ks 4h": (-1, -1, -1),
    "2c Ks 4h": (-1, -1, -1),
}


@pytest.mark.parametrize("name", "ABC")
@pytest.mark.parametrize("hand", APPENDIX_B)
def test_three_card_treasure_is_paid_by_the_first_three_cards(hand: str, name: str) -> None:
    end = play_round({1: {TREASURE: 500}}, {1: hand}, community="6h 7h Th", setup=make_setup(treasure=name))
    assert find_payment(end, TREASURE).net == APPENDIX_B[hand]["ABCDEF".index(name)] * 500


# Appendix C: Five Card Fortune

APPENDIX_C = {
    ("As 9d 4h", "As", "Ks Qs Js Ts"): (400, 500, 400),
    ("2c 9d 4h", "2c", "2d 2h 2s Jk"): (75, 100, 200),
    ("As 9d 4h", "As", "Ks Qs 2c Ts"): (20, 20, 25),
    ("Js 9d 4h", "Js", "Jc Jd Jh 2c"): (7, 12, 10),  # the note's example: five of a kind only
    ("9s Kd 4h", "9s", "8s Jk 6s 5s"): (5, 8, 5),
    ("9s Kd 4h", "9s", "9d Jk 9c 5s"): (4, 3, 3),
    ("9s Kd 4h", "9s", "9d Jk 5c 5s"): (3, 3, 3),
    ("Ks 9d 4h", "Ks", "9s 2c 5s 4s"): (2, 2, 2),
    ("As Kd 4h", "As", "2c 3d 4c 5s"): (1, 1, 1),
    ("9s Kd 4h", "9s", "9d 2c 4c Ks"): (0, 0, 0),
    ("9s Kd 4h", "9s", "9d 4c 4s Ks"): (0, 0, 0),
    ("9s Kd 4h", "9s", "9d 3c 4c Ks"): (-1, -1, -1),
}


@pytest.mark.parametrize("name", "ABC")
@pytest.mark.parametrize("deal", APPENDIX_C, ids=" ".join)
def test_five_card_fortune_is_paid_by_the_selected_card_and_the_community_cards(
    deal: tuple[str, str, str], name: str
) -> None:
    assert settle_fortune(*deal, fortune=name).net == APPENDIX_C[deal]["ABCDEF".index(name)] * 500


def test_two_pair_and_three_of_a_kind_push_in_five_card_fortune() -> None:
    payment = settle_fortune("9s Kd 4h", "9s", "9d 4c 4s Ks")
    assert (payment.pay, payment.returned) == (Push(), 500)


def test_the_best_five_cards_count_when_several_wild_cards_are_selected() -> None:
    assert settle_fortune("2c 2d 2h", "2c 2d 2h", "2s Jk 9s Ts").event == "five-wild-cards"
    assert settle_fortune("2c 2d 2h", "2c 2d 2h", "As Ks 9d 4c").event == "wild-royal-flush"
    assert settle_fortune("2c 2d 2h", "2c 2d", "9s 9d 9h 4c").event == "five-of-a-kind"
    assert settle_fortune("2c 2d 2h", "2c", "9s 9d 9h 4c").event == "four-of-a-kind"


@pytest.mark.parametrize("answer", ["fold", "play"])
def test_the_ante_has_no_effect_on_three_card_treasure_and_five_card_fortune(answer: str) -> None:
    """Rule 15, DW-7."""
    raise_decision = "; 1 raise fold" if answer == "play" else ""
    end = play_round(
        {1: {ANTE: 1000, TREASURE: 500, FORTUNE: 500}},
        {1: "9s 8s 7s" + (" Kd" if answer == "play" else "")},
        f"1 play {answer}; 1 fortune choose 9s{raise_decision}",
        community="9d 9c 9h Jc",
    )
    assert (find_payment(end, TREASURE).net, find_payment(end, FORTUNE).net) == (6 * 500, 4 * 500)


# Appendix D: Bonus Jackpot

APPENDIX_D = {
    "2c 2d 2h Jk 5d": (250, 400, 500),  # the note's example: four wild cards only
    "2c Qs 2h Jk 5d": (15, 40, 35),
    "Kd Qs 4h Jk 2d": (7, 5, 5),
    "2c Qs 4h 8c 5d": (0, 0, 0),
    PLAIN: (0, 0, 0),
}


@pytest.mark.parametrize("name", "ABC")
@pytest.mark.parametrize("hand", APPENDIX_D)
def test_the_bonus_jackpot_pays_for_one_by_the_number_of_wild_cards(hand: str, name: str) -> None:
    payment = find_payment(play_round({1: {JACKPOT: 100}}, {1: hand}, setup=make_setup(jackpot=name)), JACKPOT)
    assert payment.returned == APPENDIX_D[hand]["ABCDEF".index(name)] * 100
    assert payment.cards == tuple(card for card in parse_cards(hand) if is_wild(card))


def test_the_operators_bonus_for_five_wild_cards_is_paid_without_the_wager() -> None:
    payment = find_payment(play_round({1: {JACKPOT: 100}}, {1: "2c 2d 2h 2s Jk"}), JACKPOT)
    assert (payment.event, payment.returned, payment.net) == ("five-wild-cards", 5_000_00, 4_999_00)


def test_players_with_the_same_share_of_a_progressive_meter_divide_it() -> None:
    """The sheet's second jackpot scheme, BJ-4."""
    shares = {"five-wild-cards": "100%", "four-wild-cards": "25%", "three-wild-cards": "$50", "two-wild-cards": "1%"}
    setup = make_setup()
    jackpot = replace(setup.wagers[JACKPOT], paytable="D", bonuses=shares)
    setup = replace(setup, wagers={**setup.wagers, JACKPOT: jackpot})
    end = play_round({1: {JACKPOT: 100}, 2: {JACKPOT: 100}}, {1: "Kd Qs 4h Jk 2d", 2: "Kc Qc 4c 2h 2s"}, setup=setup)
    assert [find_payment(end, JACKPOT, seat, meter=10_000_00).returned for seat in (1, 2)] == [50_00, 50_00]


@pytest.mark.parametrize("answers", ["1 play fold", "1 play play; 1 raise fold"])
def test_a_bonus_jackpot_player_who_folded_is_paid_by_all_five_cards(answers: str) -> None:
    """DW-7."""
    end = play_round({1: {ANTE: 1000, JACKPOT: 100}}, {1: "Kd Qs 4h Jk 2d"}, answers)
    assert find_viewers(end, Pile.FIFTH, 1) == {1, *SHOWN_TO_ALL}
    assert find_payment(end, JACKPOT).returned == 7_00
    assert find_payment(end, "ante").pay == Loss()
