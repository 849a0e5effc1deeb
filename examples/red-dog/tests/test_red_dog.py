"""Red Dog, rule by rule, and its figures against what is known from elsewhere."""

import pytest
from red_dog.rules import RULES

from cardroom.cards import parse_cards
from cardroom.games import Deal, Decide, Decision, Payment, Round, RoundEnd, SeatTurn, Verb, default_setup
from cardroom.odds import Odds, PriceQuery, compute_odds, find_requests

PUBLISHED = {1: "3.155%", 2: "3.077%", 4: "2.884%", 6: "2.798%", 8: "2.751%"}


def dealt(text: str, answer: Verb = Verb.STAND) -> Round:
    """One seat with ten dollars; it gives this answer if it is asked."""
    r = RULES.begin(RULES.open(default_setup("red-dog", seats=1)), {1: {"ante": 10_00}})
    for card in parse_cards(text):
        if isinstance(r.turn, SeatTurn):
            r = r.apply(Decide(1, Decision(answer)))
        r = r.apply(Deal(card))
    return r


def paid(text: str, answer: Verb = Verb.STAND) -> list[tuple[str, str, int]]:
    payments: tuple[Payment, ...] = RULES.settle(dealt(text, answer)).payments
    return [(payment.stake, payment.event, payment.net) for payment in payments]


def odds(decks: int) -> Odds:
    (question,) = find_requests(PriceQuery("red-dog", "ante", settings={"decks": decks}))
    return compute_odds(question, use_cache=False)


@pytest.mark.parametrize("two", ["Ks Ad", "3c 2c"])
def test_cards_in_sequence_push_and_no_seat_decides(two: str) -> None:
    assert dealt(two).turn == RoundEnd()
    assert paid(two) == [("ante", "in-sequence", 0)]


def test_the_ace_is_high_only() -> None:
    assert isinstance(dealt("Ac 2d").turn, SeatTurn)


def test_a_pair_gets_a_third_card_without_a_question() -> None:
    assert paid("7c 7d 7h") == [("ante", "three-of-a-kind", 110_00)]
    assert paid("7c 7d 8h") == [("ante", "pair", 0)]


@pytest.mark.parametrize(
    ("three", "event", "net"),
    [("5c 7d 6h", "spread-1", 50_00), ("8d 5c 6h", "spread-2", 40_00), ("5c 9d 6h", "spread-3", 20_00)],
)
def test_a_narrow_spread_pays_more(three: str, event: str, net: int) -> None:
    assert paid(three) == [("ante", event, net)]


def test_a_raise_is_paid_and_lost_like_the_ante() -> None:
    assert paid("2c Ad 9h", Verb.RAISE) == [("ante", "spread-4-to-11", 10_00), ("raise", "spread-4-to-11", 10_00)]
    assert paid("2c Ad 2h", Verb.RAISE) == [("ante", "outside", -10_00), ("raise", "outside", -10_00)]


@pytest.mark.parametrize("decks", PUBLISHED)
def test_the_edge_is_the_published_one(decks: int) -> None:
    edge = odds(decks).house_edge
    assert edge is not None
    assert f"{float(edge):.3%}" == PUBLISHED[decks]
