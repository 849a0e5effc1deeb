"""What an operator may change, when, and what waits for the reset."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cardroom.chart_of_accounts import CENT, DOLLAR
from cardroom.room.claim.new_claim import claim_record
from cardroom.room.descriptions.event_phrases import superseded_parameter_texts
from cardroom.room.dual_control import NameMissing, SamePerson
from cardroom.room.jackpot.events import ChangeApplied
from cardroom.room.jackpot.lifecycle import (
    BadParameterChange,
    change_bonus,
    change_parameters,
    disable_jackpot,
    remove_jackpot,
)
from cardroom.room.jackpot.wager_counts import count_wagers
from cardroom.room.setup.toml_reader import InvalidJackpot
from tests.room.jackpots import SHOOTOUT, TIES, TIES_BONUS, JackpotLedger, duel_record


def change(ledger: JackpotLedger, changes: dict[str, str], level: str = "suit") -> str:
    (event,) = ledger.do(change_parameters(ledger.state, level, changes, who="Ada", second="Cy", why="slow week"))
    return event.kind


def win(ledger: JackpotLedger, event: str) -> list[str]:
    record = duel_record(event)
    done = ledger.do(claim_record(ledger.state, record, ledger.submission(event, round_id=event, dealer="Dan")))
    return [event.kind for event in done]


@pytest.mark.parametrize(
    "changes",
    [
        {"contribution": "20%"},
        {"reserve": "0%"},
        {"seed": "$1,100"},
        {"ceiling": "$2,000"},
        {"ceiling": "none"},
        {"contribution": "20%", "seed": "$1,100"},
    ],
)
def test_what_players_gain_by_applies_at_once(changes: dict[str, str]) -> None:
    ledger = JackpotLedger(TIES)
    before = ledger.state.meters[0]
    assert change(ledger, changes) == "change-applied"
    after = ledger.state.meters[0]
    assert after.parameters != before.parameters
    assert after.display == before.display


@pytest.mark.parametrize(
    "changes",
    [
        {"contribution": "14%"},
        {"reserve": "10%"},
        {"seed": "$900"},
        {"ceiling": "$1,100"},
        {"contribution": "20%", "seed": "$900"},
    ],
)
def test_what_players_would_lose_by_waits_for_the_reset(changes: dict[str, str]) -> None:
    ledger = JackpotLedger(TIES)
    before = ledger.state.meters[0].parameters
    assert change(ledger, changes) == "change-requested"
    assert ledger.state.meters[0].parameters == before
    win(ledger, "two")
    assert ledger.state.meters[0].parameters == before
    assert win(ledger, "suit") == ["claim-locked", "change-applied", "meter-reset"]
    assert ledger.state.meters[0].parameters != before
    assert not ledger.state.waiting


def test_a_lower_seed_holds_from_the_reset_that_it_waited_for() -> None:
    ledger = JackpotLedger(TIES)
    change(ledger, {"seed": "$900"})
    win(ledger, "suit")
    assert ledger.state.meters[0].displayed_cents == 900_00


def test_what_waits_goes_on_waiting_beside_an_improvement_and_another_that_waits() -> None:
    ledger = JackpotLedger(TIES)
    assert change(ledger, {"contribution": "10%"}) == "change-requested"
    assert change(ledger, {"ceiling": "$6,000"}) == "change-applied"
    assert change(ledger, {"seed": "$900"}) == "change-requested"
    (waiting,) = ledger.state.waiting
    assert (waiting.after.contribution, waiting.after.seed) == (Fraction(1, 10), 900 * DOLLAR)
    assert waiting.after.ceiling == ledger.state.meters[0].parameters.ceiling == 6_000 * DOLLAR
    assert ledger.state.meters[0].parameters.contribution == Fraction(1, 7)
    win(ledger, "suit")
    assert ledger.state.meters[0].parameters == waiting.after
    assert not ledger.state.waiting


def test_a_waiting_change_that_an_improvement_overtakes_is_gone() -> None:
    ledger = JackpotLedger(TIES)
    change(ledger, {"contribution": "10%"})
    assert change(ledger, {"contribution": "20%"}) == "change-applied"
    assert not ledger.state.waiting


def test_a_superseded_waiting_change_is_described() -> None:
    ledger = JackpotLedger(TIES)
    change(ledger, {"ceiling": "$6,000"})
    change(ledger, {"ceiling": "$5,500", "seed": "$900"})
    (applied,) = change_parameters(ledger.state, "suit", {"ceiling": "none"}, who="Ada", second="Cy", why="no cap")
    assert isinstance(applied, ChangeApplied)
    assert superseded_parameter_texts(applied.payload) == ("ceiling $6,000 to $5,500 no longer waits",)
    ledger.do((applied,))
    (waiting,) = ledger.state.waiting
    assert (waiting.after.ceiling, waiting.after.seed) == (None, 900 * DOLLAR), "the seed goes on waiting"
    (applied,) = change_parameters(ledger.state, "suit", {"contribution": "20%"}, who="Ada", second="Cy", why="more")
    assert superseded_parameter_texts(applied.payload) == ()
    assert applied.payload["given_up"] is None


def test_every_change_says_who_why_before_and_after() -> None:
    ledger = JackpotLedger(TIES)
    (event,) = change_parameters(ledger.state, "suit", {"contribution": "10%"}, who="Ada", second="Cy", why="slow week")
    payload = event.payload
    assert (payload["who"], payload["why"]) == ("Ada", "slow week")
    assert (payload["before"]["contribution"], payload["after"]["contribution"]) == ("1/7", "1/10")
    with pytest.raises(NameMissing):
        change_parameters(ledger.state, "suit", {"contribution": "10%"}, who="Ada", second="Cy", why="")


def test_what_is_carried_survives_a_change_of_the_rate() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(count_wagers(ledger.state, "t1", 1))
    change(ledger, {"contribution": "1/3"})
    ledger.do(count_wagers(ledger.state, "t1", 1))
    meter = ledger.state.meters[0]
    exact = meter.display - 1_000 * DOLLAR + Fraction(meter.carry, meter.over)
    assert exact == Fraction(DOLLAR, 7) + Fraction(DOLLAR, 3)


def test_a_ceiling_below_what_is_shown_is_refused() -> None:
    ledger = JackpotLedger(TIES.replace('seed = "$1,000"', 'seed = "$100"'))
    ledger.do(count_wagers(ledger.state, "t1", 70))
    with pytest.raises(BadParameterChange, match=r"\$109.99"):
        change(ledger, {"ceiling": "$109.99"})
    assert change(ledger, {"ceiling": "$110"}) == "change-requested"


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"color": "red"},
        {"contribution": "0%"},
        {"contribution": "90%"},
        {"reserve": "-1%"},
        {"seed": "$1,200"},
        {"minimum": "$2"},
    ],
)
def test_parameters_that_no_set_up_could_have_are_refused(changes: dict[str, str]) -> None:
    with pytest.raises(BadParameterChange):
        change(JackpotLedger(TIES), changes)


def test_a_change_is_taken_back_by_asking_for_what_is_in_force() -> None:
    ledger = JackpotLedger(TIES)
    change(ledger, {"seed": "$900"})
    change(ledger, {"seed": "$1,000"})
    assert not ledger.state.waiting


def test_a_minimum_may_rise_where_another_level_pays_the_smaller_wager() -> None:
    ledger = JackpotLedger(SHOOTOUT)
    assert change(ledger, {"minimum": "$1"}, "high") == "change-applied"
    assert change(ledger, {"minimum": "$2"}, "high") == "change-requested"
    with pytest.raises(BadParameterChange):
        change(ledger, {"minimum": "$2"}, "low")


def test_a_disabled_progressive_comes_back_with_the_parameters_it_had() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(disable_jackpot(ledger.state, who="Ada", why="display broken"))
    with pytest.raises(BadParameterChange):
        change(ledger, {"contribution": "20%"})


def test_a_bonus_jackpot_is_changed_at_any_time() -> None:
    ledger = JackpotLedger(TIES_BONUS)
    assert change(ledger, {"seed": "$150"}) == "change-applied"
    assert ledger.state.meters[0].display == 150_00 * CENT
    for wrong in ({"contribution": "10%"}, {"seed": "$0"}):
        with pytest.raises(BadParameterChange):
            change(ledger, wrong)


def test_a_bonus_jackpot_may_be_removed_and_a_progressive_may_not() -> None:
    ledger = JackpotLedger(TIES_BONUS)
    win(ledger, "two")
    ledger.do(remove_jackpot(ledger.state, who="Ada", second="Cy", why="end of the week"))
    assert ledger.state.unavailability == "it was removed"
    assert ledger.state.claims  # still to be paid
    with pytest.raises(BadParameterChange):
        remove_jackpot(ledger.state, who="Ada", second="Cy", why="again")
    with pytest.raises(BadParameterChange):
        remove_jackpot(JackpotLedger(TIES).state, who="Ada", second="Cy", why="end of the week")


WILD = """
id = "wild"
name = "Wild Cards"
kind = "KIND"
location = "Lakewood"
wager = "$1"
[[offers]]
game = "deuces-wild"
wager = "bonus-jackpot"
paytable = "D"
bonuses = { five-wild-cards = "TOP", four-wild-cards = "$500", three-wild-cards = "$35", two-wild-cards = "$5" }
LEVELS
"""
WILD_TABLE = """
game = "deuces-wild"
[wagers.bonus-jackpot]
paytable = "D"
limits = { min = "$1", max = "$1" }
bonuses = { five-wild-cards = "$1", four-wild-cards = "$1", three-wild-cards = "$1", two-wild-cards = "$1" }
"""
MAIN = '[[levels]]\nname = "main"\npays = ["five-wild-cards"]\ncontribution = "10%"\nseed = "$500"'


def test_the_operator_s_fixed_bonus_may_be_changed_but_not_a_share_of_the_meter() -> None:
    setup = WILD.replace("KIND", "progressive").replace("TOP", "100%").replace("LEVELS", MAIN)
    ledger = JackpotLedger(setup, WILD_TABLE)
    ledger.do(
        change_bonus(ledger.state, "deuces-wild", "four-wild-cards", "$600", who="Ada", second="Cy", why="weekend")
    )
    assert ledger.state.setup["offers"][0]["bonuses"]["four-wild-cards"] == "$600"
    with pytest.raises((BadParameterChange, InvalidJackpot)):
        change_bonus(ledger.state, "deuces-wild", "five-wild-cards", "$600", who="Ada", second="Cy", why="weekend")
    with pytest.raises((BadParameterChange, InvalidJackpot)):
        change_bonus(ledger.state, "deuces-wild", "four-wild-cards", "50%", who="Ada", second="Cy", why="weekend")
    with pytest.raises(BadParameterChange):
        change_bonus(ledger.state, "deuces-wild", "six-wild-cards", "$600", who="Ada", second="Cy", why="weekend")


@pytest.mark.parametrize("second", ["", "ada "])
def test_parameters_are_changed_by_two_people(second: str) -> None:
    ledger, bonus = JackpotLedger(TIES), JackpotLedger(TIES_BONUS)
    alone: Any = {"who": "Ada", "second": second, "why": "slow week"}
    changes = (
        lambda: change_parameters(ledger.state, "suit", {"contribution": "10%"}, **alone),
        lambda: change_parameters(ledger.state, "suit", {"contribution": "50%"}, **alone),
        lambda: change_parameters(bonus.state, "suit", {"seed": "$3,000"}, **alone),
        lambda: remove_jackpot(bonus.state, **alone),
    )
    for change in changes:
        with pytest.raises(SamePerson):
            change()


def test_both_names_stay_with_a_change_until_it_is_in_force() -> None:
    ledger = JackpotLedger(TIES)
    change(ledger, {"contribution": "10%"})
    assert (ledger.state.waiting[0].who, ledger.state.waiting[0].second) == ("Ada", "Cy")
    win(ledger, "suit")
    (applied,) = [one for one in ledger.events if one.kind == "change-applied"]
    assert (applied.payload["who"], applied.payload["second"]) == ("Dan", "")
    assert (applied.payload["waited"]["who"], applied.payload["waited"]["second"]) == ("Ada", "Cy")
    (reset,) = [one for one in ledger.events if one.kind == "meter-reset"]
    assert reset.payload["who"] == "Dan"
