"""An invalid jackpot setup is refused with all its faults."""

from __future__ import annotations

import pytest

from cardroom.games import read_setup
from cardroom.games.jurisdiction import jurisdiction
from cardroom.paytables import paytable
from cardroom.room.jackpot.lifecycle import (
    BadService,
    CannotLinkJackpot,
    enable_jackpot,
    find_linking_faults,
    link_table,
    open_new_jackpot,
    unlink_table,
    with_displayed_bonuses,
)
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.jackpot import jackpot_setup_from_mapping, jackpot_setup_to_mapping, read_jackpot_setup
from cardroom.room.setup.jackpot_validation import event_probabilities, find_unequal_odds, validate_jackpot
from cardroom.room.setup.toml_reader import InvalidJackpot, UnreadableSetup
from tests.room.jackpots import DUEL_TABLE, FINAL_FOUR, PRIME_TABLE, SHOOTOUT, TIES, TIES_BONUS, JackpotLedger

ALL = (FINAL_FOUR, TIES, TIES_BONUS, SHOOTOUT)


def opened(setup: str) -> JackpotState:
    (event,) = open_new_jackpot(validate_jackpot(read_jackpot_setup(setup)), who="Ada")
    return apply_jackpot_event(None, event)


def faulty_sections(setup: str) -> list[str]:
    with pytest.raises(InvalidJackpot) as refusal:
        validate_jackpot(read_jackpot_setup(setup))
    return [fault.section for fault in refusal.value.faults]


@pytest.mark.parametrize("setup", ALL)
def test_a_set_up_is_written_down_and_read_again(setup: str) -> None:
    read = read_jackpot_setup(setup)
    assert jackpot_setup_from_mapping(jackpot_setup_to_mapping(read)) == read


@pytest.mark.parametrize(
    ("right", "wrong", "section"),
    [
        ('id = "final-four"', 'id = "Final Four"', "id"),
        ('name = "Final Four Progressive"', 'name = " "', "name"),
        ('location = "Lakewood"', 'location = ""', "location"),
        ('location = "Lakewood"', 'location = "Lakewood"\njurisdiction = "atlantis"', "jurisdiction"),
        ('game = "three-card-prime"', 'game = "war"', "offers"),
        ('wager = "final-four"', 'wager = "prime"', "three-card-prime"),
        ('paytable = "F4P-1"', 'paytable = "F4P-9"', "three-card-prime"),
        ('paytable = "F4P-1"', 'paytable = "F4P-4"', "three-card-prime"),
        ('wager = "$1"', 'wager = "$2"', "three-card-prime"),
        ('contribution = "20%"', 'contribution = "0%"', "main"),
        ('contribution = "20%"', 'contribution = "96%"', "levels"),
        ('reserve = "5%"', 'reserve = "-5%"', "main"),
        ('seed = "$5,000"', 'seed = "$5,000"\nceiling = "$5,000"', "main"),
        ('seed = "$5,000"', 'seed = "$5,000"\nminimum = "$5"', "main"),
        ('"four-card-royal"]', '"four-of-a-kind"]', "main"),
        (', "four-card-royal"]', "]", "levels"),
        ('name = "main"', 'name = "Main level"', "levels"),
    ],
)
def test_a_fault_names_its_section(right: str, wrong: str, section: str) -> None:
    assert right in FINAL_FOUR
    assert section in faulty_sections(FINAL_FOUR.replace(right, wrong))


def test_a_refusal_lists_every_fault() -> None:
    wrong = FINAL_FOUR.replace("20%", "0%").replace("F4P-1", "F4P-9").replace("Lakewood", "")
    assert faulty_sections(wrong) == ["location", "three-card-prime", "main"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('kind = "progressive"', 'kind = "mystery"'),
        ('seed = "$5,000"', "seed = 5000"),
        ('seed = "$5,000"', 'seed = "five"'),
        ('contribution = "20%"', 'contribution = "a fifth"'),
        ('contribution = "20%"', ""),
        ('name = "main"', 'name = "main"\ncolor = "red"'),
        ('name = "main"', 'name = "main"\namount = "$5"'),
        ('wager = "$1"', 'wager = "$1"\nwagers = ["$1"]'),
        ('pays = ["four-card-diamond-royal"', "pays = [5"),
        ('id = "final-four"', "id = "),
    ],
)
def test_an_unreadable_setup_is_refused(right: str, wrong: str) -> None:
    with pytest.raises(UnreadableSetup):
        read_jackpot_setup(FINAL_FOUR.replace(right, wrong))


def test_a_bonus_jackpot_has_an_amount_and_no_rates() -> None:
    with pytest.raises(UnreadableSetup):
        read_jackpot_setup(TIES_BONUS.replace('amount = "$2,000"', 'amount = "$2,000"\ncontribution = "10%"'))
    assert "suit" in faulty_sections(TIES_BONUS.replace("$2,000", "$0"))


def test_levels_with_one_name_are_refused() -> None:
    assert "levels" in faulty_sections(TIES.replace('name = "color"', 'name = "suit"'))


def test_a_table_that_pays_no_percentage_feeds_no_progressive() -> None:
    setup = """
    id = "wild"
    name = "Wild Cards"
    kind = "progressive"
    location = "Lakewood"
    wager = "$1"
    [[offers]]
    game = "deuces-wild"
    wager = "bonus-jackpot"
    paytable = "A"
    bonuses = { five-wild-cards = "$5,000" }
    """
    assert faulty_sections(setup) == ["levels", "offers"]


def test_a_fixed_wager_is_one_amount() -> None:
    assert "dueling-for-dollars" in faulty_sections(TIES.replace('wager = "$1"', 'wagers = ["$1", "$2"]', 1))
    assert "texas-shootout" in faulty_sections(SHOOTOUT.replace('"$1", "$2"]', '"$1", "$5"]'))


# Linked games and tables


OTHER_GAME = """
[[offers]]
game = "three-card-double-play"
wager = "super-six"
paytable = "S6J-1"
[[levels]]
"""


def test_different_games_share_a_meter_only_when_the_winning_hand_agrees() -> None:
    assert "offers" in faulty_sections(FINAL_FOUR.replace("[[levels]]", OTHER_GAME, 1))


def test_a_game_is_on_a_jackpot_once() -> None:
    again = OTHER_GAME.replace("three-card-double-play", "three-card-prime").replace("super-six", "final-four")
    again = again.replace("S6J-1", "F4P-2")
    assert "offers" in faulty_sections(FINAL_FOUR.replace("[[levels]]", again, 1))


def test_a_hand_of_the_same_name_but_with_other_odds_is_another_hand() -> None:
    four = paytable("three-card-prime", "final-four", "F4P-1")
    six = paytable("three-card-double-play", "super-six", "S6J-1")
    (sentence,) = find_unequal_odds(four, six, ("four-of-a-kind",))
    odds = event_probabilities(six)
    assert odds is not None
    assert str(odds["four-of-a-kind"]) in sentence
    same = paytable("three-card-double-play", "super-six", "S6J-2")
    assert not list(find_unequal_odds(six, same, ("six-card-straight-flush", "five-card-royal-flush")))


def join(
    state: JackpotState, table: str, others: tuple[JackpotState, ...] = (), location: str = "Lakewood"
) -> JackpotState:
    (event,) = link_table(state, "t1", read_setup(table), location, others, who="Ada")
    return apply_jackpot_event(state, event)


def test_tables_of_one_game_at_one_location_share_a_meter() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    assert ledger.state.tables == ("t1", "t2")
    with pytest.raises(BadService):
        join(ledger.state, PRIME_TABLE)
    ledger.do(unlink_table(ledger.state, "t1", who="Ada"))
    assert ledger.state.tables == ("t2",)
    with pytest.raises(BadService):
        unlink_table(ledger.state, "t1", who="Ada")


@pytest.mark.parametrize(
    ("table", "location", "section"),
    [
        (PRIME_TABLE, "Tacoma", "location"),
        (DUEL_TABLE, "Lakewood", "game"),
        (PRIME_TABLE.replace("F4P-1", "F4P-2"), "Lakewood", "final-four"),
        (PRIME_TABLE.replace('min = "$1", max = "$1"', 'min = "$1", max = "$5"'), "Lakewood", "final-four"),
        (PRIME_TABLE.partition("[wagers.final-four]")[0], "Lakewood", "final-four"),
    ],
)
def test_a_table_that_differs_cannot_be_linked(table: str, location: str, section: str) -> None:
    with pytest.raises(CannotLinkJackpot) as refusal:
        join(opened(FINAL_FOUR), table, location=location)
    assert section in [fault.section for fault in refusal.value.faults]


def test_a_table_has_two_jackpots_at_most_of_one_kind_and_one_a_wager() -> None:
    ties, bonus = opened(TIES), opened(TIES_BONUS)
    table = read_setup(DUEL_TABLE)
    faults = find_linking_faults(ties, table, "Lakewood", (bonus, ties))
    assert [(fault.section, fault.rule) for fault in faults] == [
        ("jackpots", "BJ-2"),
        ("jackpots", "BJ-2"),
        ("tie-after-tie", "rule sheet"),
        ("tie-after-tie", "rule sheet"),
    ]
    assert find_linking_faults(ties, table, "Lakewood") == []


def test_a_table_takes_the_bonuses_that_its_jackpot_displays() -> None:
    setup = read_setup(
        'game = "deuces-wild"\n[wagers.bonus-jackpot]\npaytable = "A"\nlimits = { min = "$1", max = "$1" }'
    )
    state = opened(
        'id = "w"\nname = "W"\nkind = "bonus"\nlocation = "L"\nwager = "$1"\n[[offers]]\ngame = "deuces-wild"\n'
        'wager = "bonus-jackpot"\npaytable = "A"\nbonuses = { five-wild-cards = "$777" }'
    )
    assert with_displayed_bonuses(setup, [state]).wagers["bonus-jackpot"].bonuses == {"five-wild-cards": "$777"}


def test_only_a_disabled_jackpot_is_enabled() -> None:
    with pytest.raises(BadService):
        enable_jackpot(opened(TIES), who="Ada")


def test_the_numbers_of_the_law_are_in_its_data_file() -> None:
    law = jurisdiction("washington")
    assert (law.surveillance_threshold, law.malfunction_hours, law.deposit_days) == (3_000_00, 72, 7)
    assert law.surveillance_source == "WAC 230-15-320"
    tribal = jurisdiction("tribal")
    assert (tribal.surveillance_threshold, tribal.malfunction_hours, tribal.deposit_days) == (None, None, None)
