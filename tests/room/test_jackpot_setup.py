"""A set-up may be wrong; a jackpot that opens is right, and every fault is told at once."""

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
from tests.room.jackpots import DUEL_TABLE, FINAL_FOUR, PRIME_TABLE, SHOOTOUT, TIES, TIES_BONUS, Books

ALL = (FINAL_FOUR, TIES, TIES_BONUS, SHOOTOUT)


def opened(setup: str) -> JackpotState:
    (happening,) = open_new_jackpot(validate_jackpot(read_jackpot_setup(setup)), who="Ada")
    return apply_jackpot_event(None, happening)


def faults(setup: str) -> str:
    with pytest.raises(InvalidJackpot) as fault:
        validate_jackpot(read_jackpot_setup(setup))
    return str(fault.value)


@pytest.mark.parametrize("setup", ALL)
def test_a_set_up_is_written_down_and_read_again(setup: str) -> None:
    read = read_jackpot_setup(setup)
    assert jackpot_setup_from_mapping(jackpot_setup_to_mapping(read)) == read


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ('id = "final-four"', 'id = "Final Four"', "is not an id"),
        ('name = "Final Four Progressive"', 'name = " "', "name is empty"),
        ('location = "Lakewood"', 'location = ""', "location is empty"),
        ('location = "Lakewood"', 'location = "Lakewood"\njurisdiction = "atlantis"', "no jurisdiction 'atlantis'"),
        ('game = "three-card-prime"', 'game = "war"', "There is no game 'war'"),
        ('wager = "final-four"', 'wager = "prime"', "no jackpot wager of Three Card Prime"),
        ('paytable = "F4P-1"', 'paytable = "F4P-9"', "F4P-9"),
        ('paytable = "F4P-1"', 'paytable = "F4P-4"', "needs the operator's bonus"),
        ('wager = "$1"', 'wager = "$2"', r"must be \$1 only"),
        ('contribution = "20%"', 'contribution = "0%"', "must be above zero"),
        ('contribution = "20%"', 'contribution = "96%"', "the whole wager at most"),
        ('reserve = "5%"', 'reserve = "-5%"', "cannot be below zero"),
        ('seed = "$5,000"', 'seed = "$5,000"\nceiling = "$5,000"', r"must be above the \$5,000 of a reset"),
        ('seed = "$5,000"', 'seed = "$5,000"\nminimum = "$5"', "Nobody can win it"),
        ('"four-card-royal"]', '"four-of-a-kind"]', "pays no percentage for 'four-of-a-kind'"),
        (', "four-card-royal"]', "]", "'four-card-royal' of table F4P-1 has no level"),
        ('name = "main"', 'name = "Main level"', "is not a name for a level"),
    ],
)
def test_what_is_wrong_is_said(right: str, wrong: str, sentence: str) -> None:
    assert right in FINAL_FOUR
    with pytest.raises(InvalidJackpot, match=sentence):
        validate_jackpot(read_jackpot_setup(FINAL_FOUR.replace(right, wrong)))


def test_every_fault_is_told_at_once() -> None:
    wrong = FINAL_FOUR.replace("20%", "0%").replace("F4P-1", "F4P-9").replace("Lakewood", "")
    told = faults(wrong)
    assert "3 faults" in told
    assert all(word in told for word in ("location", "F4P-9", "above zero"))


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ('kind = "progressive"', 'kind = "mystery"', "bonus or progressive, not 'mystery'"),
        ('seed = "$5,000"', "seed = 5000", "'seed' in levels, number 1 must be a text"),
        ('seed = "$5,000"', 'seed = "five"', "is not an amount"),
        ('contribution = "20%"', 'contribution = "a fifth"', "is not a part of a wager"),
        ('contribution = "20%"', "", "'contribution' is missing in levels, number 1"),
        ('name = "main"', 'name = "main"\ncolour = "red"', "'colour' in levels, number 1 is not known"),
        (
            'name = "main"',
            'name = "main"\namount = "$5"',
            "'amount' .* use ceiling, contribution, minimum, name,",
        ),
        ('wager = "$1"', 'wager = "$1"\nwagers = ["$1"]', "has 'wager' and 'wagers': give one of them"),
        ('pays = ["four-card-diamond-royal"', "pays = [5", "must be a list of texts"),
        ('id = "final-four"', "id = ", "is not TOML"),
    ],
)
def test_what_cannot_be_read_is_said(right: str, wrong: str, sentence: str) -> None:
    with pytest.raises(UnreadableSetup, match=sentence):
        read_jackpot_setup(FINAL_FOUR.replace(right, wrong))


def test_a_bonus_jackpot_has_an_amount_and_no_rates() -> None:
    with pytest.raises(UnreadableSetup, match="'contribution' in levels, number 1 is not known"):
        read_jackpot_setup(TIES_BONUS.replace('amount = "$2,000"', 'amount = "$2,000"\ncontribution = "10%"'))
    assert "cannot show \\$0" in repr(faults(TIES_BONUS.replace("$2,000", "$0"))).replace("$", "\\$")


def test_levels_with_one_name_are_refused() -> None:
    assert "two levels 'suit'" in faults(TIES.replace('name = "color"', 'name = "suit"'))


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
    told = faults(setup)
    assert "needs at least one level" in told
    assert "Nothing comes off the meter" in told


def test_a_fixed_wager_is_one_amount() -> None:
    assert "is one fixed amount" in faults(TIES.replace('wager = "$1"', 'wagers = ["$1", "$2"]', 1))
    assert "must be $1 or $2 only" in faults(SHOOTOUT.replace('"$1", "$2"]', '"$1", "$5"]'))


# Linked games and tables


OTHER_GAME = """
[[offers]]
game = "three-card-double-play"
wager = "super-six"
paytable = "S6J-1"
[[levels]]
"""


def test_different_games_share_a_meter_only_when_the_winning_hand_agrees() -> None:
    assert "their winning hands differ" in faults(FINAL_FOUR.replace("[[levels]]", OTHER_GAME, 1))


def test_a_game_is_on_a_jackpot_once() -> None:
    again = OTHER_GAME.replace("three-card-double-play", "three-card-prime").replace("super-six", "final-four")
    again = again.replace("S6J-1", "F4P-2")
    assert "named twice" in faults(FINAL_FOUR.replace("[[levels]]", again, 1))


def test_a_hand_of_the_same_name_but_with_other_odds_is_another_hand() -> None:
    four = paytable("three-card-prime", "final-four", "F4P-1")
    six = paytable("three-card-double-play", "super-six", "S6J-1")
    (told,) = find_unequal_odds(four, six, ("four-of-a-kind",))
    assert "cannot share a meter" in told
    odds = event_probabilities(six)
    assert odds is not None
    assert str(odds["four-of-a-kind"]) in told
    same = paytable("three-card-double-play", "super-six", "S6J-2")
    assert not list(find_unequal_odds(six, same, ("six-card-straight-flush", "five-card-royal-flush")))


def join(
    state: JackpotState, table: str, others: tuple[JackpotState, ...] = (), location: str = "Lakewood"
) -> JackpotState:
    (happening,) = link_table(state, "t1", read_setup(table), location, others, who="Ada")
    return apply_jackpot_event(state, happening)


def test_tables_of_one_game_at_one_location_share_a_meter() -> None:
    books = Books(FINAL_FOUR)
    assert books.state.tables == ("t1", "t2")
    with pytest.raises(BadService, match="already"):
        join(books.state, PRIME_TABLE)
    books.do(unlink_table(books.state, "t1", who="Ada"))
    assert books.state.tables == ("t2",)
    with pytest.raises(BadService, match="is not on"):
        unlink_table(books.state, "t1", who="Ada")


@pytest.mark.parametrize(
    ("table", "location", "sentence"),
    [
        (PRIME_TABLE, "Tacoma", "a meter has one location"),
        (DUEL_TABLE, "Lakewood", "the jackpot is for three-card-prime"),
        (PRIME_TABLE.replace("F4P-1", "F4P-2"), "Lakewood", "they must be the same"),
        (PRIME_TABLE.replace('min = "$1", max = "$1"', 'min = "$1", max = "$5"'), "Lakewood", "other limits"),
        (PRIME_TABLE.partition("[wagers.final-four]")[0], "Lakewood", "does not offer the jackpot's wager"),
    ],
)
def test_a_table_that_differs_cannot_join(table: str, location: str, sentence: str) -> None:
    with pytest.raises(CannotLinkJackpot, match=sentence):
        join(opened(FINAL_FOUR), table, location=location)


def test_a_table_has_two_jackpots_at_most_of_one_kind_and_one_a_wager() -> None:
    ties, bonus = opened(TIES), opened(TIES_BONUS)
    table = read_setup(DUEL_TABLE)
    told = [str(fault) for fault in find_linking_faults(ties, table, "Lakewood", (bonus, ties))]
    assert any("at most two jackpots" in fault for fault in told)
    assert any("jackpots of one kind" in fault for fault in told)
    assert any("belongs to jackpot daily-ties already" in fault for fault in told)
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
    with pytest.raises(BadService, match="is not disabled"):
        enable_jackpot(opened(TIES), who="Ada")


def test_the_numbers_of_the_law_are_in_its_data_file() -> None:
    law = jurisdiction("washington")
    assert (law.surveillance_threshold, law.malfunction_hours, law.deposit_days) == (3_000_00, 72, 7)
    assert law.surveillance_source == "WAC 230-15-320"
    tribal = jurisdiction("tribal")
    assert (tribal.surveillance_threshold, tribal.malfunction_hours, tribal.deposit_days) == (None, None, None)
