"""The text of every payment gives the reason: a comparison names both hands, and a lost stake says why it lost."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from cardroom.games import Payment, Round, game_slugs
from cardroom.hands import FIVE_CARD, SIX_DECK, THREE_CARD, evaluate_unchecked
from cardroom.paytables import Percent, Push
from cardroom_conformance.sample_rounds import meter_rounds, play_random_round

every_game = pytest.mark.parametrize("slug", game_slugs())
MANY = range(120)
CARD = "(?:[2-9JQKA]|10)[♣♦♥♠]"
"""A card as it is printed."""
REASON = re.compile(r"folded|; no win|loses|does not qualify|ties lose|no winning hand|paid on the|comes to nothing")
COMPARED_SPOTS = {
    "three-card-prime": {"ante-play"},
    "texas-shootout": {"shootout"},
    "three-card-double-play": {"high-low"},
    "dueling-for-dollars": {"player", "dealer", "play"},
    "deuces-wild": set[str](),
}


@cache
def list_payments(slug: str) -> tuple[tuple[Round, Payment], ...]:
    ends = (*(play_random_round(slug, seed) for seed in MANY), *(end for _, end in meter_rounds(slug).wins[:20]))
    return tuple(
        (end, payment) for end in ends for payment in end.game.settle(end, dict.fromkeys(end.table.spots, 0)).payments
    )


@every_game
def test_the_text_of_every_stake_that_returns_nothing_says_why(slug: str) -> None:
    reasons = Counter[str]()
    for _, payment in list_payments(slug):
        if payment.returned == 0:
            reason = REASON.search(payment.text)
            assert reason, payment
            reasons[reason[0]] += 1
    assert reasons["; no win"]
    assert len(reasons) > 1


@every_game
def test_a_comparison_names_both_hands_and_shows_only_their_cards(slug: str) -> None:
    compared = 0
    for _, payment in list_payments(slug):
        needs_comparison = payment.spot in COMPARED_SPOTS[slug] and payment.event != "fold" and payment.wagered
        assert (payment.comparison is not None) == bool(needs_comparison), payment
        if payment.comparison is None:
            continue
        compared += 1
        descriptions = [_describe_hand(slug, hand) for hand in payment.comparison]
        assert all(words.lower() in payment.text.lower() for words in descriptions), (payment, descriptions)
        assert set(payment.cards) <= set(payment.comparison.player + payment.comparison.dealer)
    assert bool(compared) == bool(COMPARED_SPOTS[slug])


def _describe_hand(slug: str, hand: tuple[object, ...]) -> str:
    if slug == "dueling-for-dollars":
        return hand[0].rank.word  # type: ignore[attr-defined]
    ranking = {3: THREE_CARD, 5: SIX_DECK if slug == "texas-shootout" else FIVE_CARD}[len(hand)]
    return evaluate_unchecked(ranking, hand).description  # type: ignore[arg-type]


@every_game
def test_the_text_of_a_comparison_agrees_with_the_payment(slug: str) -> None:
    """A winner is paid, a loser gets nothing except a bad beat, and the text of a tie names its rule."""
    words_met = Counter[str]()
    for _, payment in list_payments(slug):
        if payment.comparison is None:
            continue
        for word in ("beats", "wins", "loses", "does not qualify", "copies", "ties"):
            if word in payment.text:
                words_met[word] += 1
                assert word not in ("beats", "wins") or payment.net >= 0, payment
                assert word != "copies" or payment.net >= 0, payment
                assert word != "loses" or payment.returned == 0 or payment.event.startswith("bad-beat"), payment
                assert word != "does not qualify" or payment.returned, payment
                break
        else:
            pytest.fail(f"{payment.text} does not say which hand is better")
    assert not COMPARED_SPOTS[slug] or {"loses"} < set(words_met)


def test_the_text_of_a_tie_at_texas_shootout_names_the_rule_that_decides_it() -> None:
    ties = [payment for _, payment in list_payments("texas-shootout") if payment.event == "tie"]
    assert ties
    for tie in ties:
        pushed = isinstance(tie.pay, Push)
        assert tie.text.endswith("; Quick Draw makes it a push") == pushed
        assert tie.text.endswith("; ties lose unless Quick Draw covers your bet") != pushed


def test_the_text_of_a_percentage_of_an_empty_meter_says_that_it_comes_to_nothing() -> None:
    empty = [payment for slug in game_slugs() for _, payment in list_payments(slug) if isinstance(payment.pay, Percent)]
    assert empty
    assert all("comes to nothing" in payment.text or "paid on the" in payment.text for payment in empty)


@pytest.mark.parametrize("slug", ["three-card-prime", "texas-shootout", "three-card-double-play"])
def test_the_description_of_the_dealers_hand_says_how_it_is_set_or_qualifies(slug: str) -> None:
    texts = {end.game.describe_dealer_hand(end) for end, _ in list_payments(slug)}
    rule = {
        "three-card-prime": rf"^The dealer's ({CARD}[ ,]+){{3}}.+, (qualifies|does not qualify: that takes .+)\.$",
        "texas-shootout": rf"^Of ({CARD} ){{4}}the house way plays {CARD} {CARD} by line \d+, .+: .+\.$",
        "three-card-double-play": rf"^The best three of the dealer's ({CARD} ){{5}}are {CARD} {CARD} {CARD}: .+\.$",
    }[slug]
    assert len(texts) > 20
    assert all(re.search(rule, text) for text in texts)
