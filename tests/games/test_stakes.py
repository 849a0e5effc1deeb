"""What each decision costs, and the default action of a player whose time runs out."""

from __future__ import annotations

from typing import ClassVar

import pytest

from cardroom.cards import Card, ChaCha20Source, Shoe, parse_cards, shuffle_shoe
from cardroom.games import (
    Decide,
    Decision,
    Game,
    IllegalAction,
    Round,
    SeatTurn,
    Turn,
    Verb,
    advance,
    cents_on_layout,
    decision_cost,
    default_setup,
    game,
)
from cardroom.games.actions import options
from cardroom.games.deuces_wild.rules import house_selection
from cardroom.games.texas_shootout.rules import set_dealer_hand
from cardroom.games.three_card_double_play.rules import ThreeCardDoublePlay


def deal_round(slug: str, wagers: dict[str, int], on_top: str = "", seed: int = 0) -> tuple[Round, Shoe]:
    rules = game(slug)
    table = rules.open(default_setup(slug))
    shoe = shuffle_shoe(table.deck, ChaCha20Source.from_seed(seed)).put_on_top(parse_cards(on_top))
    return advance(rules.begin(table, {1: wagers}), shoe)


def list_costs(round_: Round) -> dict[Verb, int]:
    return {option.verb: decision_cost(round_, option) for option in round_.seat_turn.options}


def decide(round_: Round, shoe: Shoe, verb: Verb) -> tuple[Round, Shoe]:
    return advance(round_.apply(Decide(1, round_.seat_turn.option(verb))), shoe)


def find_default_action(round_: Round) -> str:
    return str(round_.game.default_decision(round_))


def test_play_costs_the_ante_and_raise_costs_ante_and_play() -> None:
    round_, shoe = deal_round("deuces-wild", {"ante-play-raise": 10_00, "three-card-treasure": 5_00})
    assert list_costs(round_) == {Verb.FOLD: 0, Verb.PLAY: 10_00}
    round_, _ = decide(round_, shoe, Verb.PLAY)
    assert list_costs(round_) == {Verb.FOLD: 0, Verb.RAISE: 20_00}
    assert cents_on_layout(round_, 1) == 25_00


def test_a_split_costs_the_wager_again_and_matching_the_bonus_costs_the_bonus() -> None:
    round_, shoe = deal_round("texas-shootout", {"shootout": 20_00, "shootout-bonus": 5_00})
    assert list_costs(round_) == {Verb.KEEP: 0, Verb.SPLIT: 20_00}
    round_, _ = decide(round_, shoe, Verb.SPLIT)
    assert list_costs(round_) == {Verb.MATCH: 5_00, Verb.FIRST_HAND: 0, Verb.SECOND_HAND: 0}


def test_high_and_low_are_two_wagers_and_doubling_doubles_both() -> None:
    round_, shoe = deal_round("three-card-double-play", {"high-low": 10_00})
    assert cents_on_layout(round_, 1) == 20_00
    round_, _ = decide(round_, shoe, Verb.SET)
    assert list_costs(round_) == {Verb.DOUBLE: 20_00, Verb.STAND: 0}


def test_war_costs_the_wager_again() -> None:
    round_, _ = deal_round("dueling-for-dollars", {"player": 10_00}, on_top="9c 9d")
    assert list_costs(round_) == {Verb.SURRENDER: 0, Verb.WAR: 10_00}


def test_the_cost_of_a_decision_that_the_seat_may_not_make_is_refused() -> None:
    round_, _ = deal_round("dueling-for-dollars", {"player": 10_00}, on_top="9c 9d")
    with pytest.raises(IllegalAction):
        decision_cost(round_, Decision(Verb.FOLD))


# The default action when a player's time runs out


def test_the_default_action_in_deuces_wild_folds_and_selects_the_highest_card() -> None:
    round_, shoe = deal_round(
        "deuces-wild", {"ante-play-raise": 10_00, "five-card-fortune": 5_00}, on_top="3c Kd 4c 9s 5c Ks"
    )
    assert find_default_action(round_) == "fold"
    round_, shoe = decide(round_, shoe, Verb.PLAY)
    assert find_default_action(round_) == "choose Kd", "of two kings, the one that was dealt first"
    round_, _ = decide(round_, shoe, Verb.CHOOSE)
    assert find_default_action(round_) == "fold"


@pytest.mark.parametrize(
    ("three", "chosen"),
    [
        ("2c Ah Kd", "2c"),
        ("2c Jk Ah", "Jk 2c"),
        ("2c 2d Jk", "Jk 2d 2c"),
        ("3c Th Td", "Th"),
        ("Ah Kd Qc", "Ah"),
    ],
)
def test_the_default_selection_is_every_wild_card_or_the_highest_card(three: str, chosen: str) -> None:
    assert str(house_selection(parse_cards(three))) == f"choose {chosen}"


def test_the_default_action_in_three_card_prime_is_to_fold() -> None:
    round_, _ = deal_round("three-card-prime", {"ante-play": 10_00, "prime": 5_00}, on_top="Ac Ad Ah")
    assert find_default_action(round_) == "fold"


def test_the_default_action_in_texas_shootout_keeps_as_the_dealer_and_never_splits() -> None:
    four = "9c 9d Ah Ad"
    round_, shoe = deal_round(
        "texas-shootout", {"shootout": 10_00, "shootout-bonus": 5_00}, on_top=alternate_cards(four, "Kc Qd 8h 3s")
    )
    assert find_default_action(round_) == "keep Ah Ad"
    round_, _ = decide(round_, shoe, Verb.SPLIT)
    assert find_default_action(round_) == "first hand"


@pytest.mark.parametrize("four", ["Kh Qh As Tc", "7h 7d As Ts", "9c 7d 4h 2s", "8c 8d 5h 5h", "Jc Td 6h 2h"])
def test_the_default_action_keeps_what_the_dealer_keeps_of_the_same_cards(four: str) -> None:
    round_, _ = deal_round("texas-shootout", {"shootout": 10_00}, on_top=alternate_cards(four, four))
    assert game("texas-shootout").default_decision(round_) == Decision(Verb.KEEP, (set_dealer_hand(round_).cards,))


def test_the_default_action_in_a_duel_is_to_surrender() -> None:
    round_, _ = deal_round("dueling-for-dollars", {"dealer": 10_00}, on_top="9c 9d")
    assert find_default_action(round_) == "surrender"


def test_the_default_action_in_double_play_sets_the_house_way_and_stands() -> None:
    six, five = "As Ks Qs Qd Qh 2c", "3c 4d 6h 8s 9c"
    round_, shoe = deal_round("three-card-double-play", {"high-low": 10_00}, on_top=alternate_cards(six, five))
    assert find_default_action(round_) == "set As Ks Qs | Qh Qd 2c"
    round_, _ = decide(round_, shoe, Verb.SET)
    assert find_default_action(round_) == "stand"


def alternate_cards(player: str, dealer: str) -> str:
    """Return the order of a shoe that deals these cards to a player and the dealer, one at a time."""
    hands: tuple[tuple[Card, ...], ...] = (parse_cards(player), parse_cards(dealer))
    longest = max(map(len, hands))
    return " ".join(str(hand[at]) for at in range(longest) for hand in hands if at < len(hand))


# Games without a default action of their own


class Lenient(ThreeCardDoublePlay):
    """Three options when the player may double; folding is free and comes before standing."""

    verbs: ClassVar[tuple[Verb, ...]] = (Verb.DOUBLE, Verb.FOLD, Verb.STAND)

    def turn(self, r: Round) -> Turn:
        turn = super().turn(r)
        if isinstance(turn, SeatTurn) and turn.question == "double":
            return SeatTurn(turn.seat, turn.question, options(*self.verbs))
        return turn


class Strict(Lenient):
    """Only folding is free."""

    verbs = (Verb.DOUBLE, Verb.FOLD)


@pytest.mark.parametrize(("rules", "answer"), [(Lenient(), "stand"), (Strict(), "fold")])
def test_the_general_default_action_folds_only_if_nothing_else_is_free(rules: Game, answer: str) -> None:
    table = rules.open(default_setup("three-card-double-play"))
    shoe = shuffle_shoe(table.deck, ChaCha20Source.from_seed(1))
    round_, shoe = advance(rules.begin(table, {1: {"high-low": 10_00}}), shoe)
    round_, _ = decide(round_, shoe, Verb.SET)
    assert str(Game.default_decision(rules, round_)) == answer
