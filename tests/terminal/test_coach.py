"""The coach at the table: hints, what an answer cost, and the report at the end."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

import pytest

from cardroom.cards import parse_cards
from cardroom.games import Table, View
from cardroom.games.actions import Decision, Verb, options
from cardroom.odds import Advice, advise, compute_odds, find_requests
from cardroom.odds import PriceQuery as AskedOdds
from cardroom.odds.table_prices import predict_result, seat_request
from cardroom.terminal.client.coach_advice import (
    AnsweredQuestion,
    TerminalCoach,
    hint_table,
    review_decision,
    verdict_text,
)
from cardroom.terminal.client.coach_log import SessionReport, session_report_page
from cardroom.terminal.client.seating import open_default_seating, seals
from cardroom.terminal.client.session import TerminalSession
from tests.terminal.test_session import PRIME_WAGERS
from tests.terminal.typist import quiet_console, shown, typed

FOLD, PLAY = options(Verb.FOLD, Verb.PLAY)


class Counting:
    """The house's own advice, and how often it was asked for."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, table: Table, seen: View, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        self.asked += 1
        return advise(table, seen, meters)


def coached(
    *lines: str, speaks: bool = False, balance: int = 500_00, slug: str = "three-card-prime"
) -> tuple[str, TerminalSession, Counting]:
    console, seating, adviser = quiet_console(), open_default_seating(slug), Counting()
    coach = TerminalCoach(seating.table, {}, adviser, is_on=speaks)
    session = TerminalSession(console, typed(console, lines), seating, seals(slug, "7"), balance, coach)
    session.play()
    return shown(console), session, adviser


def test_h_says_what_each_answer_is_worth_and_asks_again() -> None:
    text, session, adviser = coached(*PRIME_WAGERS, "h", "h", "play", "q")
    assert re.search(r"1  fold +-\$10\.00  costs \$12\.31", text)
    assert re.search(r"2  play +\$2\.31  best", text)
    assert "with each option, exact." in text
    assert session.rounds == 1
    assert adviser.asked == 1, "the same question is worked out once, also for the report"


def test_a_hint_before_the_cards_says_when_there_is_one() -> None:
    text, _, adviser = coached("h", "q")
    assert "There is no decision to make now: ask for a hint after the deal." in text
    assert not adviser.asked


def test_a_coach_who_speaks_says_what_the_last_answer_cost() -> None:
    text, _, _ = coached(*PRIME_WAGERS, "fold", "q", speaks=True)
    assert "Coach: “fold” cost you $12.31 on average: “play” was better." in text
    text, _, _ = coached(*PRIME_WAGERS, "play", "q", speaks=True)
    assert "Coach: “play” was the best decision." in text


def test_c_turns_the_coach_on_and_off() -> None:
    assert "Coach: “" not in coached(*PRIME_WAGERS, "fold", "q")[0]
    assert "Coach: “" in coached(*PRIME_WAGERS, "c", "fold", "q")[0]
    text, _, _ = coached("c", *PRIME_WAGERS, "c", "fold", "q")
    assert "The coach is on and shows the cost of each decision." in text
    assert "The coach is off." in text
    assert "Coach: “" not in text


def test_the_report_splits_the_result_into_the_house_edge_the_answers_and_luck() -> None:
    text, session, _ = coached(*PRIME_WAGERS, "fold", "", "=", "play", "q")
    assert re.search(r"Fold or play\? +2 +1 +\$12\.31", text)
    amounts = {}
    for name in ("the best decisions", "not the best", "the rest", "Result of 2 rounds"):
        found = re.search(rf"{name} +([+-]?)\$([\d.]+)", text)
        assert found, name
        amounts[name] = Fraction(found[1] + found[2])
    assert amounts["Result of 2 rounds"] == Fraction(session.balance - 500_00, 100)
    parts = amounts["the best decisions"] + amounts["not the best"] + amounts["the rest"]
    assert abs(parts - amounts["Result of 2 rounds"]) <= Fraction(2, 100), "each is rounded to the cent"
    asked = [("ante-play", "PW/BB 1", 10), ("prime", "PRW-1", 5)]
    odds = [
        (compute_odds(find_requests(AskedOdds("three-card-prime", wager, name))[0]), by) for wager, name, by in asked
    ]
    edge = sum((one.expected_return or 0) * dollars for one, dollars in odds) * 2
    assert abs(amounts["the best decisions"] - edge) <= Fraction(1, 200)


def test_without_a_round_there_is_nothing_to_report() -> None:
    assert "Your result" not in coached("q")[0]


def test_an_answer_that_the_balance_does_not_cover_is_no_better_answer() -> None:
    text, _, _ = coached("10", "", "", "", "", "", "h", "fold", "q", balance=15_00, speaks=True)
    assert re.search(r"2  play +\$2\.31  your balance does not cover it", text)
    assert "Coach: “fold” was the best decision." in text


def asked(given: Decision, *covered: Decision) -> AnsweredQuestion:
    seen = View(1, {}, {}, {}, None)  # type: ignore[arg-type]  # nothing of it is looked at
    return AnsweredQuestion("round 1", seen, "Fold or play?", given, covered)


def test_a_simulated_cost_has_its_error_and_what_cannot_be_shown_costs_nothing() -> None:
    advice = (Advice(PLAY, Fraction(-100), 3.0), Advice(FOLD, Fraction(-140), 4.0))
    one = review_decision(asked(FOLD, FOLD, PLAY), advice)
    assert (one.cost, one.error, one.best) == (40, 5.0, PLAY)
    assert "cost you $0.40 ± $0.05 on average" in verdict_text(one).plain
    close = review_decision(asked(FOLD, FOLD, PLAY), (advice[0], Advice(FOLD, Fraction(-109), 4.0)))
    assert close.is_best
    assert "as good as any, within the simulation's error" in verdict_text(close).plain


def test_a_cost_below_a_cent_is_not_called_nothing() -> None:
    one = review_decision(asked(FOLD, FOLD, PLAY), (Advice(PLAY, Fraction(1, 3)), Advice(FOLD, Fraction(0))))
    assert "cost you less than a cent" in verdict_text(one).plain


def test_hands_named_the_other_way_round_are_worth_the_same() -> None:
    split = Decision(Verb.SPLIT, (parse_cards("As Kd"), parse_cards("9h 9c")))
    keep = Decision(Verb.KEEP, (parse_cards("As Kd"),))
    advice = (Advice(split, Fraction(5)), Advice(keep, Fraction(2)))
    assert review_decision(asked(split.with_reversed_groups, split, keep), advice).is_best


def test_the_coach_may_be_stopped_and_the_report_says_so() -> None:
    console = quiet_console()
    page = session_report_page(
        SessionReport(result=-10_00, wager_total=30_00, rounds=3, question_count=3, reviews=(), prediction=None)
    )
    console.print(page)
    assert "You stopped the coach after 0 of 3 decisions." in shown(console)
    assert "The prediction of the house edge was not computed." in shown(console)


def test_a_hint_that_takes_too_long_can_be_given_up() -> None:
    def interrupted(table: Table, seen: View, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        raise KeyboardInterrupt

    console, seating = quiet_console(), open_default_seating("three-card-prime")
    coach = TerminalCoach(seating.table, {}, interrupted)
    lines = typed(console, [*PRIME_WAGERS, "h", "play", "q"])
    session = TerminalSession(console, lines, seating, seals("three-card-prime", "7"), 500_00, coach)
    session.play()
    assert "The hint was canceled: h asks again." in shown(console)
    assert session.rounds == 1
    assert "You stopped the coach after 0 of 1 decisions." in shown(console)


def test_simulated_answers_that_are_close_are_not_priced_in_a_hint() -> None:
    console = quiet_console()
    advice = (Advice(PLAY, Fraction(-100), 3.0), Advice(FOLD, Fraction(-101), 3.0))
    console.print(hint_table((FOLD, PLAY), advice, (FOLD, PLAY)))
    assert "too close to call" in shown(console)
    assert "± $0.03" in shown(console)


@pytest.mark.parametrize(("quick_draw", "ties"), [(5_00, "lose"), (10_00, "push"), (20_00, "push")])
def test_ties_are_predicted_as_the_players_quick_draw_wager_has_them(quick_draw: int, ties: str) -> None:
    table = open_default_seating("texas-shootout").table
    question = seat_request(table, {"shootout": 10_00, "quick-draw": quick_draw}, "shootout", {})
    assert question.settings == {"ties": ties}


def test_a_jackpot_is_predicted_with_the_meter_and_the_wager_that_there_are() -> None:
    table = open_default_seating("three-card-prime").table
    wagers = {"ante-play": 10_00, "final-four": 1_00}
    empty, full = (predict_result(table, [(wagers, 1)], {"final-four": cents}).cents for cents in (0, 10_000_00))
    [odds] = [compute_odds(one) for one in find_requests(AskedOdds("three-card-prime", "final-four", "F4P-1"))]
    assert full - empty == odds.meter_part * 10_000_00
