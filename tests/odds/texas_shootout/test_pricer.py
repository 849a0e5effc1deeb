"""What Texas Shootout is worth: prices, the best choices, a strategy for people, and advice at the table."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from cardroom.cards import Deck, cards
from cardroom.faults import BadInput
from cardroom.games import Decision, FeatureSetup, Round, SeatTurn, TableSetup, Verb, round_from, view
from cardroom.games.setup import setup_entry
from cardroom.games.texas_shootout.features import FeatureKind
from cardroom.games.texas_shootout.house_way import dealers_choice
from cardroom.games.texas_shootout.rules import ways_to_play
from cardroom.odds.pricer import pricer
from cardroom.odds.result import Odds
from cardroom.odds.texas_shootout.boards import HAND_KINDS, kinds_of_pairs, same_color_boards
from cardroom.odds.texas_shootout.choice import Race, run_race
from cardroom.odds.texas_shootout.hands import copies_of
from cardroom.odds.texas_shootout.pricer import PRICER, quick_draw_kinds
from cardroom.odds.texas_shootout.prizes import Stake
from cardroom.odds.texas_shootout.results import TIES
from cardroom.odds.texas_shootout.seat import SeatWagers, joint_choice_values
from cardroom.paytables import Paytable, load_paytable, paytable, paytables
from tests.enumeration import section
from tests.games.shootout_rounds import RULES, setup_with
from tests.odds.texas_shootout.quick import codes_of, quick_pricer

SLUG = "texas-shootout"
MAIN = paytables(SLUG, "shootout")[0]


def odds(wager: str, table: Paytable, **options: str) -> Odds:
    priced = quick_pricer().price(wager, table, options)
    return Odds(
        SLUG,
        wager,
        table.name,
        options,
        priced.endings,
        jackpot=wager == "jackpot",
        simulated_rounds=priced.simulated_rounds,
    )


# Quick Draw


def test_quick_draw_counts_every_first_four_cards_of_six_decks() -> None:
    assert sum(quick_draw_kinds().values()) == comb(312, 4)


@pytest.mark.parametrize("name", ["TS/QD 1", "TS/QD 3", "TS/QD 5"])
def test_quick_draw_pays_each_line_as_often_as_arithmetic_says(name: str) -> None:
    total, expected = section(SLUG, name)
    found = odds("quick-draw", paytable(SLUG, "quick-draw", name))
    assert found.combinations == total
    assert {one.event: one.combinations for one in found.outcomes if one.event != "other"} == expected


@pytest.mark.parametrize(
    "table", [one for one in paytables(SLUG, "quick-draw") if one.is_numeric], ids=lambda t: t.name
)
def test_quick_draw_returns_what_its_lines_and_counts_give(table: Paytable) -> None:
    expected = Fraction(0)
    for events, count in quick_draw_kinds().items():
        line = table.first(events)
        expected += count * (Fraction(line.cell) if line else Fraction(-1))
    assert odds("quick-draw", table).expected_return == expected / comb(312, 4)


def test_quick_draw_can_be_priced_with_bonuses_and_with_tables_that_nobody_printed() -> None:
    open_table = paytable(SLUG, "quick-draw", "TS/QD 9")
    same = {line.event: line.cell for line in paytable(SLUG, "quick-draw", "TS/QD 5").lines}
    printed = odds("quick-draw", paytable(SLUG, "quick-draw", "TS/QD 5"))
    assert odds("quick-draw", open_table.with_bonuses(same)).expected_return == printed.expected_return
    lines = f'game = "{SLUG}"\nwager = "quick-draw"\nname = "x"\nbasis = "to 1"\n[lines]\nany-pair = "5:2"\n'
    pairs = sum(count for events, count in quick_draw_kinds().items() if "any-pair" in events)
    expected = Fraction(7, 2) * Fraction(pairs, comb(312, 4)) - 1
    assert odds("quick-draw", load_paytable(lines)).expected_return == expected


# The main game


def test_a_simulated_price_says_how_many_rounds_and_its_standard_error() -> None:
    found = odds("shootout", MAIN, ties="lose")
    assert found.simulated_rounds == found.combinations == 8 << 16
    assert found.standard_error == pytest.approx(found.standard_deviation / found.combinations**0.5, rel=1e-9)
    assert -0.04 < float(found.expected_return or 0) < -0.02
    assert 1.005 < float(found.average_wager) < 1.03


def test_a_covering_quick_draw_wager_saves_the_ties() -> None:
    lose, push = (odds("shootout", MAIN, ties=ties) for ties in TIES)
    assert lose.expected_return is not None
    assert push.expected_return is not None
    ties = sum(one.probability for one in lose.outcomes if one.event == "tie")
    assert abs(float(push.expected_return - lose.expected_return - ties)) < 0.005
    assert push.average_wager > lose.average_wager  # more hands are worth splitting


def test_only_a_quick_draw_wager_makes_ties_push() -> None:
    beside = PRICER.beside("shootout", {"ties": "push"})
    assert beside is not None
    assert beside.wager == "quick-draw"
    assert "(TS-3)" in beside.words
    assert PRICER.beside("shootout", {"ties": "lose"}) is None
    assert PRICER.beside("quick-draw", {}) is None


def test_both_rules_for_ties_are_priced_on_request_and_others_refused() -> None:
    assert [one["ties"] for one in PRICER.settings("shootout")] == ["lose", "push"]
    assert PRICER.settings("quick-draw") == PRICER.settings("jackpot") == ({},)
    with pytest.raises(BadInput, match="choose lose or push"):
        PRICER.price("shootout", MAIN, {"ties": "win"})
    with pytest.raises(BadInput, match="no wager 'poker'"):
        PRICER.price("poker", MAIN, {})


def test_the_game_is_in_the_book_of_pricers() -> None:
    assert pricer(SLUG) is PRICER


# The race


def worth(race: Race, choices: np.ndarray, ties: str) -> float:
    """What choices win, by the rounds of a race, class by class."""
    return float(race.by_ties[ties].mean[np.arange(len(choices)), choices] @ race.classes.ways / comb(312, 4))


def test_the_choices_found_beat_other_strategies_with_fresh_random_numbers() -> None:
    found = quick_pricer().best_play.race()
    fresh = run_race(first_lap=128, most=128, seed=987)
    house = np.array([dealers_choice(found.classes.hands, at) for at in range(len(found.classes))], np.uint8)
    for ties in TIES:
        best = worth(fresh, found.choices(ties), ties)
        assert best > worth(fresh, house, ties) + 0.001
        for choice in range(9):
            assert best > worth(fresh, np.full(len(house), choice, np.uint8), ties) + 0.05


def test_what_a_wrong_choice_may_cost_shrinks_as_the_race_goes_on() -> None:
    short, longer = run_race(first_lap=32, most=32), quick_pricer().best_play.race()
    assert longer.rounds > short.rounds == 32 * 22_022
    for ties in TIES:
        assert 0 < longer.expected_loss(ties) < short.expected_loss(ties) / 2


def test_only_hands_whose_choices_are_close_run_on() -> None:
    found = quick_pricer().best_play.race()
    rounds = found.joint.sum(axis=1)
    assert set(np.unique(rounds)) <= {128, 256, 512}
    values = np.sort(np.where(found.classes.different, found.by_ties["lose"].mean, -9), axis=1)
    gap = values[:, -1] - values[:, -2]
    assert gap[rounds == 512].mean() < gap[rounds == 128].mean() / 2


# The strategy for people


def test_the_simple_strategy_costs_little_and_says_its_error() -> None:
    found = quick_pricer().simple_strategy("shootout", MAIN, {"ties": "lose"})
    assert -0.006 < float(found.cost) < 0.006  # after so short a race the points play better than what it found
    assert found.simulated_rounds == 8 << 16
    assert 0 < (found.standard_error or 0) < 0.001
    assert found.rules[0].words.startswith("Points for two cards: ")
    assert len(found.rules) == 3
    with pytest.raises(BadInput, match="ask for shootout"):
        PRICER.simple_strategy("jackpot", MAIN, {})


# Values of a hand


def test_a_hand_has_a_value_for_every_way_to_play_it() -> None:
    hand = cards("Ah Kh 7c 7d")
    found = PRICER.hand_values("shootout", MAIN, {"ties": "lose"}, hand)
    assert {one for one, _ in found} == set(ways_to_play(hand))
    assert [value for _, value in found] == sorted((value for _, value in found), reverse=True)
    values = dict(found)
    split = Decision(Verb.SPLIT, (hand[:2], hand[2:]))
    parts = values[Decision(Verb.KEEP, (hand[:2],))] + values[Decision(Verb.KEEP, (hand[2:],))]
    assert values[split] == parts  # each hand plays the dealer for a wager of its own
    assert found[0][0] == split


def test_identical_cards_do_not_double_the_choices() -> None:
    hand = cards("Ah Ah Ah Ah")
    found = PRICER.hand_values("shootout", MAIN, {"ties": "push"}, hand)
    assert {str(one) for one, _ in found} == {"keep Ah Ah", "split Ah Ah | Ah Ah"}
    assert float(dict(found)[Decision(Verb.KEEP, (hand[:2],))]) > 0.3


def test_the_bonus_after_a_split_has_exact_values() -> None:
    table, hand = paytable(SLUG, "shootout-bonus", "TS/SB 5"), cards("Ah Kh 7c 7d")
    found = dict(PRICER.hand_values("shootout-bonus", table, {}, hand))
    counts = kinds_of_pairs(codes_of("Ah Kh 7c 7d")[None, :], copies_of(hand))[0]
    nets = [Stake(100, table).bonus_net(kind) for kind in HAND_KINDS]
    first = sum(Fraction(int(count) * net, 100) for count, net in zip(counts.sum(axis=1), nets, strict=True))
    assert found[Decision(Verb.FIRST_HAND)] == first / comb(308, 5)
    assert found[Decision(Verb.MATCH)] == found[Decision(Verb.FIRST_HAND)] + found[Decision(Verb.SECOND_HAND)]


@pytest.mark.parametrize(
    ("wager", "hand", "sentence"),
    [
        ("quick-draw", "Ah Kh 7c 7d", "asks the player nothing"),
        ("shootout", "Ah Kh 7c", "has four cards; there are 3"),
        ("shootout", "Ah Kh 7c Jk", "Jk is not in the game"),
    ],
)
def test_a_hand_that_cannot_be_asked_about_gets_a_sentence(wager: str, hand: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        PRICER.hand_values(wager, MAIN, {}, cards(hand))


# The side wagers


def test_the_side_wagers_count_every_deal_of_hand_and_board(short_boards: None) -> None:
    for wager in ("shootout-bonus", "jackpot"):
        for table in paytables(SLUG, wager):
            found = odds(wager, table)
            assert found.combinations == comb(312, 4) * comb(308, 5)
            assert found.simulated_rounds is None


@pytest.fixture
def short_boards() -> None:
    """The boards of all hands take a while; they are counted once for all tests."""
    quick_pricer().best_play.boards()


def test_a_matched_bonus_is_two_wagers_and_only_made_when_both_are_worth_it(short_boards: None) -> None:
    good = odds("shootout-bonus", paytable(SLUG, "shootout-bonus", "TS/SB 6"))
    assert good.average_wager > 1
    poor = "\n".join(
        [f'game = "{SLUG}"', 'wager = "shootout-bonus"', 'name = "poor"', 'basis = "to 1"', "[lines]", 'flush = "push"']
    )
    assert odds("shootout-bonus", load_paytable(poor)).average_wager == 1


def test_an_open_top_line_of_the_jackpot_stands_for_the_meter(short_boards: None) -> None:
    found = odds("jackpot", paytable(SLUG, "jackpot", "TS/JP 1"))
    assert found.expected_return is None
    assert found.break_even_meter is not None
    dollars = f"${round(found.break_even_meter)}"
    filled = paytable(SLUG, "jackpot", "TS/JP 1").with_bonuses({"five-of-a-kind-suited": dollars})
    fair = odds("jackpot", filled).expected_return
    assert fair is not None
    assert abs(float(fair)) < 0.01  # two hands that win a share split it, two that win dollars do not


# Advice at the table


def asked(hand: str, wagers: Mapping[str, int], setup: TableSetup | None = None, answer: str | None = None) -> Round:
    """A round in which seat 1 is asked; seat 2 holds cards that seat 1 does not see."""
    decisions = [{"seat": 1, "question": "hand", "answer": answer}] if answer else []
    r = round_from(
        {
            "table": setup_entry(setup or setup_with()),
            "wagers": {"1": {"shootout": 1000, **wagers}, "2": {"shootout": 1000}},
            "cards": {
                "seat 1 hand": hand.split(),
                "seat 2 hand": ["As", "As", "Kd", "Kd"],
                "dealer": ["9c", "7d", "4h", "2s"],
            },
            "decisions": decisions,
        }
    )
    assert isinstance(r.turn, SeatTurn)
    assert r.turn.seat == 1
    return r


def test_advice_covers_every_legal_decision_and_says_its_error() -> None:
    r = asked("Ah Kh 7c 7d", {})
    advice = PRICER.advise(r.table, view(r, 1), 1, {})
    assert isinstance(r.turn, SeatTurn)
    assert {one.decision for one in advice} == set(r.turn.options)
    assert [one.value for one in advice] == sorted((one.value for one in advice), reverse=True)
    assert all(0 < (one.standard_error or 0) < 10 for one in advice)  # cents, of ten dollars
    assert advice == PRICER.advise(r.table, view(r, 1), 1, {})


def test_advice_agrees_with_the_long_simulation() -> None:
    r = asked("Ah Kh 7c 7d", {"quick-draw": 1000})
    exact = dict(PRICER.hand_values("shootout", MAIN, {"ties": "push"}, cards("Ah Kh 7c 7d")))
    for one in PRICER.advise(r.table, view(r, 1), 1, {}):
        assert abs(float(one.value) - 1000 * float(exact[one.decision])) < 5 * (one.standard_error or 0) + 3


def test_the_tie_rule_follows_the_quick_draw_wager() -> None:
    small, covering = (asked("Ah Kh 7c 7d", {"quick-draw": cents}) for cents in (500, 1000))
    lose, push = (
        {one.decision: one.value for one in PRICER.advise(r.table, view(r, 1), 1, {})} for r in (small, covering)
    )
    assert all(push[one] > lose[one] for one in lose)


def test_side_wagers_weigh_in_exactly() -> None:
    four, table = "As Ks Ad 7d", paytable(SLUG, "jackpot", "TS/JP 3")
    hand = cards(four)
    main = {one.decision: one.value for one in joint_choice_values(hand, (), SeatWagers(1000))}
    with_jackpot = joint_choice_values(hand, (), SeatWagers(1000, jackpot=Stake(200, table), meter=50_000_00))
    keep = Decision(Verb.KEEP, (hand[:2],))
    found = next(one.value for one in with_jackpot if one.decision == keep) - main[keep]
    counts = kinds_of_pairs(codes_of(four)[None, :], copies_of(hand))[0].sum(axis=1)
    nets = [Stake(200, table).jackpot_net((kind,), 50_000_00) for kind in HAND_KINDS]
    assert found == Fraction(sum(int(n) * net for n, net in zip(counts, nets, strict=True)), comb(308, 5))


def test_a_big_meter_changes_the_choice() -> None:
    r = asked("As Ks Ad 7d", {"jackpot": 100}, setup_with({"jackpot": "TS/JP 4"}))
    poor, rich = (PRICER.advise(r.table, view(r, 1), 1, {"jackpot": cents})[0].decision for cents in (0, 10**9))
    assert str(poor) == "keep As Ad"
    assert str(rich) == "split As Ks | Ad 7d"


def test_the_color_bonus_draws_to_one_color() -> None:
    color = FeatureSetup(FeatureKind.COLOR, "TS/CB 1", 500)
    setup = setup_with({"shootout-bonus": "TS/SB 1"}, features={"shootout-bonus": color})
    offered = RULES.open(setup).offered["shootout-bonus"]
    hand = cards("9h 9c 8h 8c")
    with_color, without = (
        {one.decision: one.value for one in joint_choice_values(hand, (), SeatWagers(1000, bonus=bonus))}
        for bonus in (Stake(500, offered.paytable, offered.feature), Stake(500, offered.paytable))
    )
    suited, pair = (Decision(Verb.KEEP, (cards(two),)) for two in ("9h 8h", "9h 9c"))
    red = same_color_boards(codes_of("9h 8h"), copies_of(hand))
    assert with_color[suited] - without[suited] == Fraction(30_00 * red, comb(308, 5))
    assert with_color[pair] == without[pair]


def test_after_a_split_the_bonus_is_placed_by_exact_values() -> None:
    r = asked("Ah Kh 7c 7d", {"shootout-bonus": 500}, setup_with({"shootout-bonus": "TS/SB 6"}), "split Ah Kh | 7d 7c")
    advice = PRICER.advise(r.table, view(r, 1), 1, {})
    assert {str(one.decision) for one in advice} == {"match", "first hand", "second hand"}
    assert all(one.standard_error is None for one in advice)
    values = dict(
        PRICER.hand_values("shootout-bonus", paytable(SLUG, "shootout-bonus", "TS/SB 6"), {}, cards("Ah Kh 7d 7c"))
    )
    assert {one.decision: one.value for one in advice} == {one: 500 * value for one, value in values.items()}


def test_cards_that_the_seat_sees_elsewhere_are_gone() -> None:
    table = paytable(SLUG, "jackpot", "TS/JP 4")
    frenzy = RULES.open(
        setup_with(
            {"jackpot": "TS/JP 4"},
            features={"jackpot": FeatureSetup(FeatureKind.FIVE_ACE_FRENZY, "TS/FAF 1", 200, {"five-aces": "$1,000"})},
        )
    ).offered["jackpot"]
    hand = cards("Ah Ad 7c 2d")
    other_aces = [card for card in Deck.SIX.cards() if card.rank == 14 and card.suit in (0, 3)]
    most_red_aces = cards("Ah " * 4 + "Ad " * 4)
    keep = Decision(Verb.KEEP, (hand[:2],))
    seen = (*other_aces, *most_red_aces)  # two aces are left: no five of them with any board
    values = []
    for feature in (frenzy.feature, None):
        wagers = SeatWagers(1000, jackpot=Stake(200, table, feature))
        values.append(next(one.value for one in joint_choice_values(hand, seen, wagers) if one.decision == keep))
    assert values[0] == values[1]


def test_nobody_is_advised_out_of_turn_or_from_another_seats_view() -> None:
    r = asked("Ah Kh 7c 7d", {})
    with pytest.raises(BadInput, match="Seat 2 is not asked"):
        PRICER.advise(r.table, view(r, 2), 2, {})
    with pytest.raises(BadInput, match="does not show seat 1's cards"):
        PRICER.advise(r.table, view(r, 2), 1, {})


# The figures that the house publishes


@pytest.mark.long
def test_the_main_game_is_priced_to_a_standard_error_of_five_hundred_thousandths() -> None:
    for ties, expected in zip(TIES, (-0.02949, 0.00750), strict=True):
        priced = PRICER.price("shootout", MAIN, {"ties": ties})
        found = Odds(SLUG, "shootout", "", {}, priced.endings, simulated_rounds=priced.simulated_rounds)
        assert found.standard_error is not None
        assert found.standard_error <= 0.00005
        assert float(found.expected_return or 0) == pytest.approx(expected, abs=0.0002)
        assert PRICER.best_play.race().expected_loss(ties) < 0.00001


@pytest.mark.long
def test_the_simple_strategy_loses_to_the_best_play_by_many_standard_errors() -> None:
    for ties in TIES:
        simple = PRICER.simple_strategy("shootout", MAIN, {"ties": ties})
        assert 0.001 < float(simple.cost) < 0.003
        assert (simple.standard_error or 1) < 0.00003
