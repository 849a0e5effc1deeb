"""The prices of Deuces Wild: totals, published counts, and the sources of the figures."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from cardroom.errors import BadInput
from cardroom.games.deuces_wild.rules import FORTUNE_EVENTS
from cardroom.odds import Odds, PriceQuery, compute_odds, find_requests
from cardroom.odds.deuces_wild import best_strategy as fortune
from cardroom.odds.deuces_wild import counts
from cardroom.odds.deuces_wild.pricer import PRICER
from cardroom.odds.result import WagerOutcome
from cardroom.paytables import Paytable, load_paytable, paytable, paytables
from tests.enumeration import section

SLUG = "deuces-wild"
ANTE, TREASURE, FORTUNE, JACKPOT = "ante-play-raise", "three-card-treasure", "five-card-fortune", "bonus-jackpot"
DEALS = {
    ANTE: comb(53, 3) * 50 * 49,
    TREASURE: comb(53, 3),
    FORTUNE: comb(53, 3) * comb(50, 4),
    JACKPOT: comb(53, 5),
}


def priced(wager: str, table: Paytable) -> Odds:
    return Odds(SLUG, wager, table.name, {}, PRICER.price(wager, table, {}).outcomes)


def what_if(wager: str, lines: dict[str, str], basis: str = "to 1") -> Paytable:
    rows = "\n".join(f'{event} = "{pay}"' for event, pay in lines.items())
    return load_paytable(f'game = "{SLUG}"\nwager = "{wager}"\nname = "what if"\nbasis = "{basis}"\n[lines]\n{rows}\n')


def ending(odds: Odds, event: str) -> WagerOutcome:
    (one,) = (outcome for outcome in odds.distribution if outcome.trigger == event)
    return one


@pytest.mark.parametrize("wager", DEALS)
def test_the_outcomes_of_every_table_sum_to_all_deals(wager: str) -> None:
    for table in paytables(SLUG, wager):
        assert priced(wager, table).combinations == DEALS[wager]


@pytest.mark.parametrize("wager", [TREASURE, JACKPOT])
def test_outcomes_of_wagers_without_a_decision_are_as_frequent_as_their_events(wager: str) -> None:
    _, expected = section(SLUG, wager)
    *winning, losing = expected
    odds = priced(wager, paytables(SLUG, wager)[0])
    assert {outcome.trigger: outcome.combinations for outcome in odds.distribution} == {
        **{event: expected[event] for event in winning},
        "other": expected[losing],
    }


@pytest.mark.parametrize(("name", "lost"), [("A", 552), ("B", 566), ("C", 766)])
def test_three_card_treasure_by_arithmetic(name: str, lost: int) -> None:
    """Table A: 20 x 194 + 6 x 776 + 5 x 408 + 2 x 1,920 + 2 x 1,720 - 18,408 over 23,426 hands, and so on."""
    assert priced(TREASURE, paytable(SLUG, TREASURE, name)).house_edge == Fraction(lost, 23_426)


def test_each_card_of_a_hand_counts_that_hand() -> None:
    _, events = section(SLUG, FORTUNE)
    by_category = counts.four_card_counts().sum(axis=0).tolist()
    found = counts.sum_by_event(
        (FORTUNE_EVENTS[category], count) for category, count in zip(counts.CATEGORIES, by_category, strict=True)
    )
    assert {event: count for (event,), count in found.items()} == {event: 5 * n for event, n in events.items()}
    assert counts.four_card_counts().sum(axis=1, dtype=int).tolist() == [49] * comb(53, 4)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_every_set_of_cards_is_in_as_many_hands_as_can_be_dealt_around_it(size: int) -> None:
    held = counts.holding_counts(size)
    assert set(held.sum(axis=1).tolist()) == {comb(53 - size, 5 - size)}
    hands = counts.four_card_counts().sum(axis=0, dtype=int) // 5
    assert held.sum(axis=0).tolist() == (hands * comb(5, size)).tolist()


def test_a_raised_round_wagers_four_antes_and_a_fold_one_or_two() -> None:
    odds = priced(ANTE, paytable(SLUG, ANTE, "A"))
    wagered = {outcome.trigger: (int(outcome.wagered), int(outcome.net)) for outcome in odds.distribution}
    assert wagered.pop("fold after three cards") == (1, -1)
    assert wagered.pop("fold after four cards") == (2, -2)
    assert wagered.pop("other") == (4, -4)
    assert wagered.pop("natural-royal-flush") == (4, 1000)
    assert {units for units, _ in wagered.values()} == {4}


def test_a_hit_is_a_round_that_wins() -> None:
    odds = priced(ANTE, paytable(SLUG, ANTE, "A"))
    wins = sum(outcome.combinations for outcome in odds.distribution if outcome.net > 0)
    assert odds.hit_frequency == Fraction(wins, DEALS[ANTE])
    fortune_odds = priced(FORTUNE, paytable(SLUG, FORTUNE, "A"))
    assert not ending(fortune_odds, "two-pair").is_hit


def test_the_figures_are_the_same_when_everything_is_counted_again() -> None:
    tables = paytable(SLUG, ANTE, "D"), paytable(SLUG, FORTUNE, "B")
    first = [priced(table.wager, table).distribution for table in tables]
    for cached in (
        counts.four_card_counts,
        counts.holding_counts,
        counts.extensions,
        fortune.single_counts,
        fortune.group_counts,
    ):
        cached.cache_clear()
    assert [priced(table.wager, table).distribution for table in tables] == first


def test_the_bonus_jackpot_breaks_even_where_its_meter_makes_it_fair() -> None:
    (question,) = find_requests(PriceQuery(SLUG, JACKPOT, "A"))
    odds = compute_odds(question, use_cache=False)
    _, events = section(SLUG, JACKPOT)
    fixed = 250 * events["four-wild-cards"] + 15 * events["three-wild-cards"] + 7 * events["two-wild-cards"]
    assert odds.fixed_return == Fraction(fixed, DEALS[JACKPOT])
    assert odds.break_even_meter == DEALS[JACKPOT] - fixed


def test_a_bonus_in_dollars_is_compared_with_a_wager_of_one_dollar() -> None:
    bonuses = {line.trigger: "$50" for line in paytable(SLUG, JACKPOT, "D").operator_lines}
    odds = priced(JACKPOT, paytable(SLUG, JACKPOT, "D").with_bonuses(bonuses))
    winning = DEALS[JACKPOT] - section(SLUG, JACKPOT)[1]["fewer-than-two-wild-cards"]
    assert odds.expected_return == Fraction(50 * winning, DEALS[JACKPOT]) - 1


def test_on_a_table_that_pays_a_thousand_for_every_line_no_three_cards_are_folded() -> None:
    generous = what_if(ANTE, {line.trigger: "1,000" for line in paytable(SLUG, ANTE, "A").lines})
    odds = priced(ANTE, generous)
    assert ending(odds, "fold after three cards").combinations == 0
    assert ending(odds, "fold after four cards").combinations > 0  # four cards that can make no pair nor straight


def test_a_table_that_pays_nothing_is_folded_every_time() -> None:
    odds = priced(ANTE, what_if(ANTE, {"natural-royal-flush": "1"}))
    assert odds.expected_return == -1
    assert ending(odds, "fold after three cards").combinations == DEALS[ANTE]


def test_pays_too_large_for_64_bits_are_still_exact() -> None:
    huge = 10**18
    odds = priced(ANTE, what_if(ANTE, {"two-pair": str(huge), "natural-royal-flush": f"{huge}.001"}))
    assert (
        odds.expected_return == sum(outcome.net * outcome.combinations for outcome in odds.distribution) / DEALS[ANTE]
    )
    assert odds.combinations == DEALS[ANTE]
    won = ending(odds, "two-pair").combinations * huge + ending(odds, "natural-royal-flush").combinations * (
        huge + Fraction(1, 1000)
    )
    lost = sum(outcome.net * outcome.combinations for outcome in odds.distribution if outcome.net < 0)
    assert odds.expected_return == (4 * won + lost) / DEALS[ANTE]
    smaller = priced(FORTUNE, what_if(FORTUNE, {"flush": str(huge)}))
    usual = priced(FORTUNE, what_if(FORTUNE, {"flush": "1,000,000"}))
    assert [outcome.combinations for outcome in smaller.distribution] == [
        outcome.combinations for outcome in usual.distribution
    ]


def test_an_unknown_wager_is_refused_with_the_ones_there_are() -> None:
    with pytest.raises(BadInput, match=r"'ante'.*ante-play-raise, three-card-treasure"):
        PRICER.price("ante", paytable(SLUG, ANTE, "A"), {})
