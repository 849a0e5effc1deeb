"""The odds of Texas Shootout: prices, the best choices, the basic strategy, and advice at the table."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb

import pytest

from cardroom.cards import parse_cards
from cardroom.errors import BadInput
from cardroom.games import Decision, FeatureSetup, Onlooker, Round, SeatTurn, TableSetup, Verb, round_from_json, view
from cardroom.games.setup import setup_to_json
from cardroom.games.texas_shootout.rules import hand_options
from cardroom.games.texas_shootout.side_wagers import FeatureKind
from cardroom.odds import PriceQuery, compute_odds, find_requests
from cardroom.odds.pricer import pricer
from cardroom.odds.result import Odds, to_json
from cardroom.odds.texas_shootout.best_strategy import basic_choices, best_choices
from cardroom.odds.texas_shootout.board_counts import count_split_kinds
from cardroom.odds.texas_shootout.hand_values import count_outcomes, mean_net
from cardroom.odds.texas_shootout.hands_and_boards import HAND_KINDS, count_same_color_boards
from cardroom.odds.texas_shootout.payoffs import TIES, SideStake
from cardroom.odds.texas_shootout.pricer import PRICER, SeatWagers, choice_advice, quick_draw_event_counts
from cardroom.paytables import Paytable, load_paytable, paytable, paytables
from tests.enumeration import section
from tests.games.shootout_rounds import RULES, make_setup
from tests.odds.texas_shootout.codes import codes_of

SLUG = "texas-shootout"
MAIN = paytables(SLUG, "shootout")[0]


def odds(wager: str, table: Paytable, **options: str) -> Odds:
    priced = PRICER.price(wager, table, options)
    assert priced.simulated_rounds is None
    return Odds(
        SLUG,
        wager,
        table.name,
        options,
        priced.outcomes,
        is_jackpot=wager == "jackpot",
    )


# Quick Draw


def test_quick_draw_counts_every_first_four_cards_of_six_decks() -> None:
    assert sum(quick_draw_event_counts().values()) == comb(312, 4)


@pytest.mark.parametrize("name", ["TS/QD 1", "TS/QD 3", "TS/QD 5"])
def test_quick_draw_pays_each_line_as_often_as_arithmetic_says(name: str) -> None:
    total, expected = section(SLUG, name)
    priced = odds("quick-draw", paytable(SLUG, "quick-draw", name))
    assert priced.combinations == total
    assert {
        outcome.trigger: outcome.combinations for outcome in priced.outcomes if outcome.trigger != "other"
    } == expected


@pytest.mark.parametrize(
    "table", [table for table in paytables(SLUG, "quick-draw") if table.is_numeric], ids=lambda t: t.name
)
def test_quick_draw_returns_what_its_lines_and_counts_give(table: Paytable) -> None:
    expected = Fraction(0)
    for events, count in quick_draw_event_counts().items():
        line = table.find_matching_line(events)
        expected += count * (Fraction(line.cell) if line else Fraction(-1))
    assert odds("quick-draw", table).expected_return == expected / comb(312, 4)


def test_quick_draw_can_be_priced_with_bonuses_and_with_custom_paytables() -> None:
    open_table = paytable(SLUG, "quick-draw", "TS/QD 9")
    same = {line.trigger: line.cell for line in paytable(SLUG, "quick-draw", "TS/QD 5").lines}
    printed = odds("quick-draw", paytable(SLUG, "quick-draw", "TS/QD 5"))
    assert odds("quick-draw", open_table.with_bonuses(same)).expected_return == printed.expected_return
    lines = f'game = "{SLUG}"\nwager = "quick-draw"\nname = "x"\nbasis = "to 1"\n[lines]\nany-pair = "5:2"\n'
    pairs = sum(count for events, count in quick_draw_event_counts().items() if "any-pair" in events)
    expected = Fraction(7, 2) * Fraction(pairs, comb(312, 4)) - 1
    assert odds("quick-draw", load_paytable(lines)).expected_return == expected


# The main game


def test_the_main_game_is_priced_over_every_deal() -> None:
    priced = odds("shootout", MAIN, ties="lose")
    assert priced.combinations == comb(312, 4) * comb(308, 5) * comb(303, 4)
    assert all(outcome.combinations > 0 for outcome in priced.distribution)
    assert priced.standard_error is None
    assert priced.expected_return == max(mean_net(count_outcomes(best_choices(ties)), "lose") for ties in TIES)
    assert priced.average_wager == 1 + sum(
        outcome.probability for outcome in priced.outcomes if outcome.trigger.startswith("split")
    )  # a split hand has two wagers


def test_every_figure_of_the_game_is_exact() -> None:
    asked_for = find_requests(PriceQuery(SLUG, all_settings=True))
    assert {(request.wager, request.settings.get("ties")) for request in asked_for} >= {
        ("shootout", "lose"),
        ("shootout", "push"),
    }
    for request in asked_for:
        entry = to_json(compute_odds(request, use_cache=False))
        assert entry["method"] == "exact"
        assert not {"rounds", "standard_error"} & entry.keys()


def test_a_covering_quick_draw_wager_saves_the_ties() -> None:
    lose, push = (odds("shootout", MAIN, ties=ties) for ties in TIES)
    assert lose.expected_return is not None
    assert push.expected_return is not None
    same_play = mean_net(count_outcomes(best_choices("lose")), "push")
    ties = sum(
        outcome.probability * (2 if outcome.trigger == "split-both-tie" else 1)
        for outcome in lose.outcomes
        if "tie" in outcome.trigger
    )
    assert same_play == lose.expected_return + ties
    assert push.expected_return > same_play  # a player whose ties push plays differently
    assert push.average_wager > lose.average_wager  # more hands are worth splitting


def test_only_a_quick_draw_wager_makes_ties_push() -> None:
    beside = PRICER.linked_wager("shootout", {"ties": "push"})
    assert beside is not None
    assert beside.wager == "quick-draw"
    assert "(TS-3)" in beside.text
    assert PRICER.linked_wager("shootout", {"ties": "lose"}) is None
    assert PRICER.linked_wager("quick-draw", {}) is None


def test_both_rules_for_ties_are_priced_on_request_and_others_refused() -> None:
    assert [settings["ties"] for settings in PRICER.settings("shootout")] == ["lose", "push"]
    assert PRICER.settings("quick-draw") == PRICER.settings("jackpot") == ({},)
    with pytest.raises(BadInput, match="lose or push"):
        PRICER.price("shootout", MAIN, {"ties": "win"})
    with pytest.raises(BadInput, match="'poker'"):
        PRICER.price("poker", MAIN, {})


def test_the_game_has_a_pricer() -> None:
    assert pricer(SLUG) is PRICER


# The basic strategy


def test_the_basic_strategy_has_an_exact_cost() -> None:
    for ties in TIES:
        strategy = PRICER.basic_strategy("shootout", MAIN, {"ties": ties})
        assert strategy.simulated_rounds is None
        assert strategy.standard_error is None
        assert strategy.best_return == odds("shootout", MAIN, ties=ties).expected_return
        assert strategy.expected_return == mean_net(count_outcomes(basic_choices()), ties)
        assert 0 < strategy.cost < Fraction(1, 100)
    with pytest.raises(BadInput, match="shootout"):
        PRICER.basic_strategy("jackpot", MAIN, {})


# Values of a hand


def test_a_hand_has_a_value_for_every_way_to_play_it() -> None:
    hand = parse_cards("Ah Kh 7c 7d")
    found = PRICER.hand_values("shootout", MAIN, {"ties": "lose"}, hand)
    assert {one for one, _ in found} == set(hand_options(hand))
    assert [value for _, value in found] == sorted((value for _, value in found), reverse=True)
    values = dict(found)
    split = Decision(Verb.SPLIT, (hand[:2], hand[2:]))
    parts = values[Decision(Verb.KEEP, (hand[:2],))] + values[Decision(Verb.KEEP, (hand[2:],))]
    assert values[split] == parts  # each hand has its own wager against the dealer
    assert found[0][0] == split


def test_identical_cards_do_not_double_the_choices() -> None:
    hand = parse_cards("Ah Ah Ah Ah")
    values = PRICER.hand_values("shootout", MAIN, {"ties": "push"}, hand)
    assert {str(one) for one, _ in values} == {"keep Ah Ah", "split Ah Ah | Ah Ah"}
    assert float(dict(values)[Decision(Verb.KEEP, (hand[:2],))]) > 0.3


def test_the_bonus_after_a_split_has_exact_values() -> None:
    table, hand = paytable(SLUG, "shootout-bonus", "TS/SB 5"), parse_cards("Ah Kh 7c 7d")
    values = dict(PRICER.hand_values("shootout-bonus", table, {}, hand))
    counts = count_split_kinds(codes_of("Ah Kh 7c 7d")[None, :])[0]
    nets = [SideStake(100, table).bonus_net(kind) for kind in HAND_KINDS]
    first = sum(Fraction(int(count) * net, 100) for count, net in zip(counts.sum(axis=1), nets, strict=True))
    assert values[Decision(Verb.FIRST_HAND)] == first / comb(308, 5)
    assert values[Decision(Verb.MATCH)] == values[Decision(Verb.FIRST_HAND)] + values[Decision(Verb.SECOND_HAND)]


@pytest.mark.parametrize(
    ("wager", "hand", "detail"),
    [
        ("quick-draw", "Ah Kh 7c 7d", "quick-draw"),
        ("shootout", "Ah Kh 7c", r"\b3\b"),
        ("shootout", "Ah Kh 7c Jk", "Jk"),
    ],
)
def test_a_hand_without_a_price_is_refused(wager: str, hand: str, detail: str) -> None:
    with pytest.raises(BadInput, match=detail):
        PRICER.hand_values(wager, MAIN, {}, parse_cards(hand))


# The side wagers


def test_the_side_wagers_count_every_deal_of_hand_and_board() -> None:
    for wager in ("shootout-bonus", "jackpot"):
        for table in paytables(SLUG, wager):
            priced = odds(wager, table)
            assert priced.combinations == comb(312, 4) * comb(308, 5)


def test_a_bonus_is_matched_only_if_both_wagers_gain() -> None:
    good = odds("shootout-bonus", paytable(SLUG, "shootout-bonus", "TS/SB 6"))
    assert good.average_wager > 1
    poor = "\n".join(
        [f'game = "{SLUG}"', 'wager = "shootout-bonus"', 'name = "poor"', 'basis = "to 1"', "[lines]", 'flush = "push"']
    )
    assert odds("shootout-bonus", load_paytable(poor)).average_wager == 1


def test_an_open_top_line_of_the_jackpot_counts_as_the_meter() -> None:
    priced = odds("jackpot", paytable(SLUG, "jackpot", "TS/JP 1"))
    assert priced.expected_return is None
    assert priced.break_even_meter is not None
    dollars = f"${round(priced.break_even_meter)}"
    filled = paytable(SLUG, "jackpot", "TS/JP 1").with_bonuses({"five-of-a-kind-suited": dollars})
    fair = odds("jackpot", filled).expected_return
    assert fair is not None
    assert abs(float(fair)) < 0.01  # two hands that win a share split it, two that win dollars do not


# Advice at the table


def asked(hand: str, wagers: Mapping[str, int], setup: TableSetup | None = None, answer: str | None = None) -> Round:
    """A round at seat 1's decision; seat 2 has cards that seat 1 does not see."""
    decisions = [{"seat": 1, "question": "hand", "answer": answer}] if answer else []
    r = round_from_json(
        {
            "table": setup_to_json(setup or make_setup()),
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


def test_advice_covers_every_legal_decision_and_is_exact() -> None:
    r = asked("Ah Kh 7c 7d", {})
    advice = PRICER.advise(r.table, view(r, 1), 1, {})
    assert isinstance(r.turn, SeatTurn)
    assert {option.decision for option in advice} == set(r.turn.options)
    assert [option.value for option in advice] == sorted((option.value for option in advice), reverse=True)
    assert all(option.standard_error is None for option in advice)


def test_advice_is_the_value_of_the_hand_for_the_wager_on_the_table() -> None:
    r = asked("Ah Kh 7c 7d", {"quick-draw": 1000})
    values = dict(PRICER.hand_values("shootout", MAIN, {"ties": "push"}, parse_cards("Ah Kh 7c 7d")))
    assert {option.decision: option.value for option in PRICER.advise(r.table, view(r, 1), 1, {})} == {
        decision: 1000 * value for decision, value in values.items()
    }


def test_the_tie_rule_follows_the_quick_draw_wager() -> None:
    small, covering = (asked("Ah Kh 7c 7d", {"quick-draw": cents}) for cents in (500, 1000))
    lose, push = (
        {option.decision: option.value for option in PRICER.advise(r.table, view(r, 1), 1, {})}
        for r in (small, covering)
    )
    assert all(push[one] > lose[one] for one in lose)


def test_a_view_that_shows_more_than_the_seats_own_cards_is_refused() -> None:
    r = asked("Ah Kh 7c 7d", {})
    with pytest.raises(BadInput, match="Seat 1"):
        PRICER.advise(r.table, view(r, Onlooker.AUDITOR), 1, {})


def test_side_wagers_count_exactly() -> None:
    four, table = "As Ks Ad 7d", paytable(SLUG, "jackpot", "TS/JP 3")
    hand = parse_cards(four)
    main = {option.decision: option.value for option in choice_advice(hand, SeatWagers(1000))}
    with_jackpot = choice_advice(hand, SeatWagers(1000, jackpot=SideStake(200, table), meter=50_000_00))
    keep = Decision(Verb.KEEP, (hand[:2],))
    found = next(option.value for option in with_jackpot if option.decision == keep) - main[keep]
    counts = count_split_kinds(codes_of(four)[None, :])[0].sum(axis=1)
    nets = [SideStake(200, table).jackpot_net((kind,), 50_000_00) for kind in HAND_KINDS]
    assert found == Fraction(sum(int(n) * net for n, net in zip(counts, nets, strict=True)), comb(308, 5))


def test_a_big_meter_changes_the_choice() -> None:
    r = asked("As Ks Ad 7d", {"jackpot": 100}, make_setup({"jackpot": "TS/JP 4"}))
    poor, rich = (PRICER.advise(r.table, view(r, 1), 1, {"jackpot": cents})[0].decision for cents in (0, 10**9))
    assert str(poor) == "keep As Ad"
    assert str(rich) == "split As Ks | Ad 7d"


def test_the_color_bonus_draws_to_one_color() -> None:
    color = FeatureSetup(FeatureKind.COLOR, "TS/CB 1", 500)
    setup = make_setup({"shootout-bonus": "TS/SB 1"}, features={"shootout-bonus": color})
    offered = RULES.open(setup).offers["shootout-bonus"]
    hand = parse_cards("9h 9c 8h 8c")
    with_color, without = (
        {option.decision: option.value for option in choice_advice(hand, SeatWagers(1000, bonus=bonus))}
        for bonus in (SideStake(500, offered.paytable, offered.feature), SideStake(500, offered.paytable))
    )
    suited, pair = (Decision(Verb.KEEP, (parse_cards(two),)) for two in ("9h 8h", "9h 9c"))
    red = count_same_color_boards(codes_of("9h 8h"), codes_of("9h 9c 8h 8c"))
    assert with_color[suited] - without[suited] == Fraction(30_00 * red, comb(308, 5))
    assert with_color[pair] == without[pair]


def test_after_a_split_the_bonus_is_placed_by_exact_values() -> None:
    r = asked("Ah Kh 7c 7d", {"shootout-bonus": 500}, make_setup({"shootout-bonus": "TS/SB 6"}), "split Ah Kh | 7d 7c")
    advice = PRICER.advise(r.table, view(r, 1), 1, {})
    assert {str(option.decision) for option in advice} == {"match", "first hand", "second hand"}
    assert all(option.standard_error is None for option in advice)
    values = dict(
        PRICER.hand_values(
            "shootout-bonus", paytable(SLUG, "shootout-bonus", "TS/SB 6"), {}, parse_cards("Ah Kh 7d 7c")
        )
    )
    assert {option.decision: option.value for option in advice} == {
        decision: 500 * value for decision, value in values.items()
    }


def test_there_is_no_advice_out_of_turn_or_from_another_seats_view() -> None:
    r = asked("Ah Kh 7c 7d", {})
    with pytest.raises(BadInput, match="Seat 2"):
        PRICER.advise(r.table, view(r, 2), 2, {})
    with pytest.raises(BadInput, match="seat 1's"):
        PRICER.advise(r.table, view(r, 2), 1, {})
