"""Every payment says why: a comparison names both hands, and a stake that brings nothing says what it was lost to."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from cardroom.conformance.sample_rounds import meter_rounds, play_random_round
from cardroom.games import Payment, Round, game_slugs
from cardroom.hands import FIVE_CARD, SIX_DECK, THREE_CARD, evaluate_unchecked
from cardroom.paytables import Percent, Push

every_game = pytest.mark.parametrize("slug", game_slugs())
MANY = range(120)
CARD = "(?:[2-9JQKA]|10)[♣♦♥♠]"
"""As it is printed."""
REASON = re.compile(r"folded|; no win|loses|does not qualify|ties lose|no winning hand|paid on the|comes to nothing")
COMPARED_AT = {
    "three-card-prime": {"ante-play"},
    "texas-shootout": {"shootout"},
    "three-card-double-play": {"high-low"},
    "dueling-for-dollars": {"player", "dealer", "play"},
    "deuces-wild": set[str](),
}


@cache
def payments(slug: str) -> tuple[tuple[Round, Payment], ...]:
    ends = (*(play_random_round(slug, seed) for seed in MANY), *(end for _, end in meter_rounds(slug).wins[:20]))
    return tuple((end, one) for end in ends for one in end.game.settle(end, dict.fromkeys(end.table.spots, 0)).payments)


@every_game
def test_every_stake_that_brings_nothing_says_why(slug: str) -> None:
    met = Counter[str]()
    for _, one in payments(slug):
        if one.returned == 0:
            reason = REASON.search(one.text)
            assert reason, one
            met[reason[0]] += 1
    assert met["; no win"]
    assert len(met) > 1


@every_game
def test_a_comparison_names_both_hands_and_shows_the_cards_of_both(slug: str) -> None:
    compared = 0
    for end, one in payments(slug):
        hung_on_it = one.spot in COMPARED_AT[slug] and one.event != "fold" and one.wagered
        assert (one.comparison is not None) == bool(hung_on_it), one
        if one.comparison is None:
            continue
        compared += 1
        named = [_words(slug, hand, len(end.hand())) for hand in one.comparison]
        assert all(words.lower() in one.text.lower() for words in named), (one, named)
        assert set(one.cards) <= set(one.comparison.player + one.comparison.dealer)
    assert bool(compared) == bool(COMPARED_AT[slug])


def _words(slug: str, hand: tuple[object, ...], _: int) -> str:
    if slug == "dueling-for-dollars":
        return hand[0].rank.word  # type: ignore[attr-defined]
    ranking = {3: THREE_CARD, 5: SIX_DECK if slug == "texas-shootout" else FIVE_CARD}[len(hand)]
    return evaluate_unchecked(ranking, hand).description  # type: ignore[arg-type]


@every_game
def test_what_the_words_say_is_what_became_of_the_stake(slug: str) -> None:
    """A winner is paid, a loser gets nothing except for a bad beat, and a tie names its rule."""
    said = Counter[str]()
    for _, one in payments(slug):
        if one.comparison is None:
            continue
        for word in ("beats", "wins", "loses", "does not qualify", "copies", "ties"):
            if word in one.text:
                said[word] += 1
                assert word not in ("beats", "wins") or one.net >= 0, one
                assert word != "copies" or one.net >= 0, one
                assert word != "loses" or one.returned == 0 or one.event.startswith("bad-beat"), one
                assert word != "does not qualify" or one.returned, one
                break
        else:
            pytest.fail(f"{one.text} says nothing of who was better")
    assert not COMPARED_AT[slug] or {"loses"} < set(said)


def test_a_tie_at_texas_shootout_says_which_rule_took_or_gave_it_back() -> None:
    ties = [one for _, one in payments("texas-shootout") if one.event == "tie"]
    assert ties
    for one in ties:
        pushed = isinstance(one.pay, Push)
        assert one.text.endswith("; Quick Draw makes it a push") == pushed
        assert one.text.endswith("; ties lose unless Quick Draw covers your bet") != pushed


def test_a_share_of_an_empty_meter_says_that_it_comes_to_nothing() -> None:
    empty = [one for slug in game_slugs() for _, one in payments(slug) if isinstance(one.pay, Percent)]
    assert empty
    assert all("comes to nothing" in one.text or "paid on the" in one.text for one in empty)


@pytest.mark.parametrize("slug", ["three-card-prime", "texas-shootout", "three-card-double-play"])
def test_the_dealers_hand_says_how_it_was_set_or_judged(slug: str) -> None:
    said = {end.game.describe_dealer_hand(end) for end, _ in payments(slug)}
    rule = {
        "three-card-prime": rf"^The dealer's ({CARD}[ ,]+){{3}}.+, (qualifies|does not qualify: that takes .+)\.$",
        "texas-shootout": rf"^Of ({CARD} ){{4}}the house way plays {CARD} {CARD} by line \d+, .+: .+\.$",
        "three-card-double-play": rf"^The best three of the dealer's ({CARD} ){{5}}are {CARD} {CARD} {CARD}: .+\.$",
    }[slug]
    assert len(said) > 20
    assert all(re.search(rule, one) for one in said)
