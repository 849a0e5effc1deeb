"""Odds: figures that follow from the outcomes, JSON as in the contract, and a cache that is always checked."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from cardroom.kernels import cache_folder
from cardroom.odds import Odds, PriceQuery, WagerOutcome, compute_odds, find_requests, to_json
from cardroom.odds import prices as memory

PRIME = find_requests(PriceQuery("three-card-prime", "prime", "PRW-1"))[0]
FINAL_FOUR = PriceQuery("three-card-prime", "final-four", "F4P-1")


@pytest.fixture
def empty_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(memory, "cache_folder", lambda *_: tmp_path)
    return tmp_path


def test_prime_has_the_published_edge() -> None:
    odds = compute_odds(PRIME, use_cache=False)
    assert odds.expected_return == 3 * Fraction(86_595_600, odds.combinations) + 4 * Fraction(
        9_209_200, odds.combinations
    ) - Fraction(odds.combinations - 86_595_600 - 9_209_200, odds.combinations)
    assert round(float(odds.house_edge or 0), 6) == 0.036206


def test_cached_odds_equal_computed_odds(empty_memory: Path) -> None:
    first = compute_odds(PRIME)
    assert list(empty_memory.rglob("*.json"))
    assert compute_odds(PRIME) == first == compute_odds(PRIME, use_cache=False)


def test_without_a_cache_nothing_is_written(empty_memory: Path) -> None:
    compute_odds(PRIME, use_cache=False)
    assert not list(empty_memory.rglob("*"))


@pytest.mark.parametrize("spoilt", ["", "{", "[]", '{"endings": 5}', '{"endings": [[1]]}'])
def test_a_damaged_cache_entry_is_computed_again(empty_memory: Path, spoilt: str) -> None:
    first = compute_odds(PRIME)
    (file,) = empty_memory.rglob("*.json")
    file.write_text(spoilt)
    assert compute_odds(PRIME) == first


def test_another_table_has_another_cache_entry(empty_memory: Path) -> None:
    compute_odds(PRIME)
    bonuses = {"same-color-player": "3", "same-color-player-and-dealer": "4", "other": "push"}
    requests = find_requests(PriceQuery("three-card-prime", "prime", "PRW-2", bonuses=bonuses))[0]
    assert compute_odds(requests).expected_return != compute_odds(PRIME).expected_return


def test_the_cache_is_in_the_users_cache_folder() -> None:
    assert cache_folder().parent in memory._cache_file(PRIME).parents


def test_a_meter_at_break_even_makes_the_wager_fair() -> None:
    without = compute_odds(find_requests(FINAL_FOUR)[0], use_cache=False)
    assert without.expected_return is None
    assert without.break_even_meter is not None
    even = Odds("g", "w", "", {}, without.distribution, meter=without.break_even_meter, is_jackpot=True)
    assert even.expected_return == 0


def test_the_json_has_what_the_contract_promises() -> None:
    entry = json.loads(json.dumps(to_json(compute_odds(PRIME, use_cache=False))))
    assert entry["method"] == "exact"
    value = Fraction(entry["expected_return"]["fraction"])
    assert float(value) == entry["expected_return"]["value"] == -entry["house_edge"] * entry["initial_wager"]
    assert sum(outcome["combinations"] for outcome in entry["outcomes"]) == entry["combinations"]
    assert abs(sum(outcome["return"] for outcome in entry["outcomes"]) - float(value)) < 1e-12
    for name in ("average_wager", "element_of_risk", "standard_deviation", "hit_frequency", "options", "paytable"):
        assert name in entry


def test_a_jackpot_states_its_fixed_return_and_break_even_and_a_return_only_with_a_meter() -> None:
    entry = to_json(compute_odds(find_requests(FINAL_FOUR)[0], use_cache=False))
    assert "expected_return" not in entry
    assert 0 < entry["fixed_return"] < 1 < entry["break_even_meter"]
    with_meter = PriceQuery("three-card-prime", "final-four", "F4P-1", meter_cents=100_000_00)
    assert "expected_return" in to_json(compute_odds(find_requests(with_meter)[0], use_cache=False))


def test_the_standard_deviation_of_a_fair_coin_is_one() -> None:
    sides = (WagerOutcome("heads", "1 to 1", 5, Fraction(1)), WagerOutcome("tails", "loss", 5, Fraction(-1)))
    assert Odds("g", "w", "", {}, sides).standard_deviation == 1.0


def test_simulated_odds_state_their_standard_error() -> None:
    sides = (WagerOutcome("heads", "1 to 1", 5, Fraction(1)), WagerOutcome("tails", "loss", 5, Fraction(-1)))
    odds = Odds("g", "w", "", {}, sides, simulated_rounds=10_000)
    entry = to_json(odds)
    assert (entry["method"], entry["rounds"], entry["standard_error"]) == ("simulated", 10_000, 0.01)
