"""The coach of Dueling for Dollars, compared with every continuation of the game itself."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

import pytest

from cardroom.cards import Card, parse_card
from cardroom.games import Deal, DealerStep, Decide, Decision, IllegalAction, Round, SeatTurn, TakeStep, Verb, view
from cardroom.odds.pricer import pricer
from tests.games.dueling import RULES, deal_first_cards, make_setup

PRICER = pricer("dueling-for-dollars")


@dataclass
class Tie:
    """A tie of seat 1 at a table, with other seats."""

    hand: str
    community: str
    spot: str = "player"
    stakes: dict[str, int] = field(default_factory=dict)
    company: tuple[str, ...] = ()
    decks: int = 6
    tables: dict[str, str] = field(default_factory=dict)
    jackpot: int = 100
    options: dict[str, str | bool] = field(default_factory=dict)
    meters: dict[str, int] = field(default_factory=dict)

    def round(self) -> Round:
        setup = make_setup(decks=self.decks, tables=self.tables, jackpot=self.jackpot, **self.options)
        bets = {1: {self.spot: 1000, **self.stakes}}
        bets |= {seat: {self.spot: 1000} for seat in range(2, 2 + len(self.company))}
        round_ = RULES.begin(RULES.open(setup), bets)
        if "tie-after-tie" in self.stakes or "two-plus-two" in self.stakes:
            round_ = round_.apply(TakeStep(DealerStep.TABULATE))
        for one in (self.hand, *self.company, self.community):
            round_ = round_.apply(Deal(parse_card(one)))
        assert isinstance(round_.turn, SeatTurn)
        return round_

    def advice(self) -> dict[Verb, Fraction]:
        round_ = self.round()
        advice = PRICER.advise(round_.table, view(round_, 1), 1, self.meters)
        assert list(advice) == sorted(advice, key=lambda one: one.value, reverse=True)
        return {option.decision.verb: option.value for option in advice}


def net(round_: Round, meters: dict[str, int]) -> int:
    """The results of seat 1's duel and Tie After Tie wagers."""
    payments = RULES.settle(round_, {"tie-after-tie": 0, **meters}).seat_payments(1)
    return sum(payment.net for payment in payments if payment.spot in ("player", "dealer", "play", "tie-after-tie"))


def played_out(tie: Tie) -> dict[Verb, Fraction]:
    """Both decisions, with every pair of war cards that can follow."""
    start = tie.round()
    surrendered = start.apply(Decide(1, Decision(Verb.SURRENDER)))
    at_war = start.apply(Decide(1, Decision(Verb.WAR)))
    counts = Counter(start.table.deck.cards())
    counts.subtract(card for pile in start.piles.values() for card in pile)
    total, ways = 0, 0
    for mine in counts:
        after_one = at_war.apply(Deal(mine))
        for community in counts:
            copies = counts[mine] * (counts[community] - (mine == community))
            if copies:
                total += copies * net(after_one.apply(Deal(community)), tie.meters)
                ways += copies
    return {Verb.WAR: Fraction(total, ways), Verb.SURRENDER: Fraction(net(surrendered, tie.meters))}


TIES = {
    "bare": Tie("8c", "8d"),
    "dealer spot with the bonus": Tie(
        "Ac", "Ac", "dealer", company=("Kd", "Kd", "2c"), decks=5, options={"tie_after_tie_bonus": True}
    ),
    "play spot": Tie("2h", "2s", "play", company=("3c",) * 5, decks=8, options={"duel_spots": "play"}),
    "jackpot without a meter": Tie("8c", "8c", stakes={"tie-after-tie": 100}, company=("9c", "9c", "7d")),
    "jackpot of two dollars with a meter": Tie(
        "Qd",
        "Qh",
        stakes={"tie-after-tie": 200, "combo": 100},
        company=("Kd", "Ad"),
        jackpot=200,
        tables={"tie-after-tie": "PT-BJS-DFD-TAT-03"},
        meters={"tie-after-tie": 1_234_567},
        options={"tie_after_tie_bonus": True},
    ),
}


@pytest.mark.parametrize("name", TIES)
def test_advice_is_the_average_over_every_continuation(name: str) -> None:
    assert TIES[name].advice() == played_out(TIES[name])


def test_a_face_up_card_of_another_seat_counts() -> None:
    """Every card that is gone makes a second tie less or more likely."""
    alone, in_company = Tie("8c", "8d"), Tie("8c", "8d", company=("2c", "2d", "2h"))
    left = dict.fromkeys(range(2, 15), 24) | {8: 22, 2: 21}
    tie = Fraction(sum(copies * (copies - 1) for copies in left.values()), 307 * 306)
    assert in_company.advice()[Verb.WAR] == 1000 * (3 * tie - 1) / 2
    assert in_company.advice()[Verb.WAR] != alone.advice()[Verb.WAR]


def test_a_surrender_keeps_one_tie_and_gives_up_the_rest_of_the_jackpot() -> None:
    """DD-5. Table TAT-02 pays a tie of one color four dollars and one of two colors three, for one dollar."""
    jackpot = {"tie-after-tie": 100}
    assert Tie("8c", "8s", stakes=jackpot).advice()[Verb.SURRENDER] == -500 + 400 - 100
    assert Tie("8c", "8d", stakes=jackpot).advice()[Verb.SURRENDER] == -500 + 300 - 100


def test_a_higher_meter_makes_war_worth_more_and_surrender_the_same() -> None:
    low, high = (
        Tie("8c", "8c", stakes={"tie-after-tie": 100}, meters={"tie-after-tie": meter}).advice()
        for meter in (0, 10_000_000)
    )
    assert high[Verb.WAR] > low[Verb.WAR]
    assert high[Verb.SURRENDER] == low[Verb.SURRENDER]


def test_a_prize_from_the_meter_is_paid_in_whole_cents() -> None:
    tie = Tie(
        "8c",
        "8c",
        stakes={"tie-after-tie": 100},
        tables={"tie-after-tie": "PT-BJS-DFD-TAT-03"},
        meters={"tie-after-tie": 19},
    )
    assert tie.advice() == played_out(tie)


@pytest.mark.parametrize("slug", ["tie-plus", "combo", "two-plus-two"])
def test_other_bonus_wagers_do_not_depend_on_the_decision(slug: str) -> None:
    assert Tie("8c", "8d", stakes={slug: 100}).advice() == Tie("8c", "8d").advice()


def test_burning_changes_no_advice() -> None:
    assert Tie("8c", "8d", options={"burn": True}).advice() == Tie("8c", "8d", options={"burn": False}).advice()


def test_the_advice_of_a_bare_tie_is_the_value_of_the_hand() -> None:
    dice = random.Random("ties")
    for _ in range(5):
        rank, suits = dice.choice("23456789TJQKA"), [dice.choice("cdhs") for _ in range(2)]
        tie = Tie(rank + suits[0], rank + suits[1])
        duel = tie.round().table.offers["duel"].paytable
        hand: tuple[Card, ...] = parse_card(tie.hand), parse_card(tie.community)
        values = PRICER.hand_values("duel", duel, {"decks": 6, "tie_after_tie_bonus": False}, hand)
        assert tie.advice() == {decision.verb: value * 1000 for decision, value in values}


def test_a_seat_without_a_decision_gets_no_advice() -> None:
    round_ = deal_first_cards("8c 9c 8h", "8d")
    for seat in (2, 3):
        with pytest.raises(IllegalAction):
            PRICER.advise(round_.table, view(round_, seat), seat, {})
