"""A tabulator is used where it is approved, and for no more than it can do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardroom.games import FeatureSetup, TabulatorType, default_setup, game, game_slugs
from cardroom.room.codec import decode, encode
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.setup.tabulator import (
    LammerSensor,
    TabulatedTable,
    TabulatorSetup,
    WagerSensor,
    make_sensor,
    read_tabulator_setup,
    validate_tabulator,
)
from cardroom.room.setup.tabulator_models import DisplayKind, LightLocation, UpdateMethod, bet_tabulator_model
from cardroom.room.setup.toml_reader import InvalidTabulator, UnreadableSetup
from tests.room.tabulators import (
    ALL_SEVEN,
    BONUS_JACKPOT,
    FINAL_FOUR,
    SHOOTOUT,
    SHOOTOUT_BONUS,
    TIE_AFTER_TIE,
    TWO_PLUS_TWO,
    prime,
    setup,
)

JACKPOT_RULE = "rule sheet, Bonus and Progressive Jackpots"


def list_faults(wrong: TabulatorSetup) -> list[tuple[str, str]]:
    """Section and rule of each fault."""
    with pytest.raises(InvalidTabulator) as refusal:
        validate_tabulator(wrong)
    return [(fault.section, fault.rule) for fault in refusal.value.faults]


def test_the_models_are_those_of_the_sheets() -> None:
    assert [(bet_tabulator_model(one).sensors, bet_tabulator_model(one).positions) for one in TabulatorType] == [
        (1, 7),
        (1, 7),
        (6, 16),
        (6, 16),
    ]
    assert [bet_tabulator_model(one).data_logger for one in TabulatorType] == [False, True, False, False]
    panel, sensors = LightLocation.DEALER_PANEL, LightLocation.SENSORS
    assert [bet_tabulator_model(one).lights for one in TabulatorType] == [panel, panel, sensors, sensors]


@pytest.mark.parametrize("tabulator", TabulatorType)
def test_the_positions_of_a_model_are_those_that_table_set_ups_know(tabulator: TabulatorType) -> None:
    assert bet_tabulator_model(tabulator).positions == tabulator.positions


def test_no_table_takes_the_name_of_the_house_s_own_accounts() -> None:
    wrong = replace(setup("three-card-prime", "milky-way", FINAL_FOUR), table="House")
    assert ("table", "setup") in list_faults(wrong)


def test_only_andromeda_changes_its_displays_from_afar() -> None:
    def led(tabulator: TabulatorType) -> UpdateMethod:
        return next(
            one.update_method for one in bet_tabulator_model(tabulator).screens if one.kind is DisplayKind.LED_LINE
        )

    assert led(TabulatorType.MILKY_WAY) is UpdateMethod.BY_HAND
    assert led(TabulatorType.ANDROMEDA_1) is UpdateMethod.REMOTELY
    assert [one.kind for one in bet_tabulator_model(TabulatorType.ANDROMEDA_3C).screens] == [DisplayKind.MONITOR]


@pytest.mark.parametrize("slug", game_slugs())
@pytest.mark.parametrize("tabulator", TabulatorType)
def test_a_game_uses_the_models_that_it_is_approved_for_and_no_others(slug: str, tabulator: TabulatorType) -> None:
    facts = game(slug).facts
    table = game(slug).open(default_setup(slug))
    wager = next(wager for wager in facts.wagers if wager.jackpot)
    sensor = make_sensor(table.offers[wager.slug], "grand", JackpotKind.PROGRESSIVE)
    wished = setup(slug, tabulator, sensor)
    if tabulator in facts.tabulators:
        assert validate_tabulator(wished).tabulator is tabulator
    else:
        assert ("tabulator", "BJ-2") in list_faults(wished)


def test_dueling_for_dollars_needs_a_3d() -> None:
    assert ("tabulator", "BJ-2") in list_faults(setup("dueling-for-dollars", "andromeda-3c", TIE_AFTER_TIE))


def test_milky_way_detects_one_wager_a_position() -> None:
    assert ("sensors", "BJ-1") in list_faults(setup("three-card-prime", "milky-way", FINAL_FOUR, ALL_SEVEN))


@pytest.mark.parametrize(("tabulator", "most"), [("milky-way", 7), ("andromeda-3c", 16)])
def test_a_table_has_no_more_positions_than_its_model(tabulator: str, most: int) -> None:
    assert validate_tabulator(setup("three-card-prime", tabulator, FINAL_FOUR, positions=most)).positions == most
    for positions in (0, most + 1):
        wrong = setup("three-card-prime", tabulator, FINAL_FOUR, positions=positions)
        assert ("positions", "BJ-1") in list_faults(wrong)


def test_two_jackpots_of_one_kind_may_lie_side_by_side() -> None:
    table = validate_tabulator(setup("dueling-for-dollars", "andromeda-3d", TIE_AFTER_TIE, TWO_PLUS_TWO))
    assert table.jackpots == ("tat", "2+2")


def test_a_bonus_jackpot_does_not_lie_beside_a_progressive_one() -> None:
    other = replace(TWO_PLUS_TWO, kind="bonus")
    faults = list_faults(setup("dueling-for-dollars", "andromeda-3d", TIE_AFTER_TIE, other))
    assert faults == [("sensors", JACKPOT_RULE)]


def test_a_sensor_offers_one_jackpot_and_a_jackpot_has_one_sensor() -> None:
    twice = replace(TWO_PLUS_TWO, jackpot="tat")
    assert ("sensors", JACKPOT_RULE) in list_faults(setup("dueling-for-dollars", "andromeda-3d", TIE_AFTER_TIE, twice))
    again = replace(TIE_AFTER_TIE, jackpot="other")
    assert ("sensors", "BJ-1") in list_faults(setup("dueling-for-dollars", "andromeda-3d", TIE_AFTER_TIE, again))


def test_a_table_has_at_most_two_jackpots() -> None:
    third = replace(ALL_SEVEN, wager="prime", paytable="PRW-1", jackpot="third")
    faults = list_faults(setup("three-card-prime", "andromeda-3d", FINAL_FOUR, ALL_SEVEN, third))
    assert ("sensors", JACKPOT_RULE) in faults
    assert ("sensor 3", "BJ-6") in faults


def test_a_for_1_wager_is_removed_and_a_to_1_wager_stays() -> None:
    table = validate_tabulator(setup("texas-shootout", "andromeda-3c", SHOOTOUT, SHOOTOUT_BONUS))
    assert [wager.removed for wager in table.wagers] == [True, False]


def test_a_wager_that_is_removed_must_have_one_amount() -> None:
    assert ("sensor 1", "rule sheet, Equipment") in list_faults(
        setup("deuces-wild", "milky-way", replace(BONUS_JACKPOT, amount=None))
    )


@pytest.mark.parametrize(("sensor", "rule"), [
    (replace(FINAL_FOUR, amount=2_00), "Appendices E and F, note 8"),
    (replace(FINAL_FOUR, amount=0), "Appendices E and F, note 8"),
    (replace(FINAL_FOUR, lammer_amount=1_00), "BJ-20"),
    (replace(FINAL_FOUR, lammer_amount=5_00), "TS-6"),
    (replace(FINAL_FOUR, kind="linked"), "BJ-5"),
    (replace(FINAL_FOUR, kind=None), "BJ-5"),
    (replace(FINAL_FOUR, paytable="F4P-9"), "paytables"),
    (replace(FINAL_FOUR, wager="super-six"), "setup"),
])  # fmt: skip
def test_a_sensor_that_breaks_a_rule_is_refused(sensor: WagerSensor, rule: str) -> None:
    assert ("sensor 1", rule) in list_faults(setup("three-card-prime", "andromeda-3c", sensor))


def test_lammers_have_a_sensor_only_where_a_lammer_means_something() -> None:
    good = setup("texas-shootout", "andromeda-3c", SHOOTOUT, LammerSensor(1))
    assert validate_tabulator(good).wagers[0].lammer_sensor == 2
    assert ("sensor 2", "BJ-20") in list_faults(setup("three-card-prime", "andromeda-3c", FINAL_FOUR, LammerSensor(1)))
    twice = setup("texas-shootout", "andromeda-3c", SHOOTOUT, LammerSensor(1), LammerSensor(1))
    assert list_faults(twice) == [("sensor 2", "BJ-20"), ("sensor 3", "BJ-20")]


def test_a_refusal_lists_every_fault() -> None:
    wrong = TabulatorSetup(
        " ", "three-card-prime", "", "andromeda-1", 9, (FINAL_FOUR, replace(ALL_SEVEN, kind="bonus"))
    )
    with pytest.raises(InvalidTabulator) as refused:
        validate_tabulator(wrong)
    assert [fault.section for fault in refused.value.faults] == [
        "table", "location", "tabulator", "positions", "sensors", "sensors",
    ]  # fmt: skip


def test_an_unknown_game_or_model_is_named() -> None:
    assert ("game", "setup") in list_faults(setup("whist", "milky-way", FINAL_FOUR))
    assert ("tabulator", "BJ-1") in list_faults(setup("three-card-prime", "pulsar", FINAL_FOUR))


def test_a_sensor_takes_amounts_and_paytable_from_the_open_table() -> None:
    plain = default_setup("texas-shootout")
    feature = FeatureSetup("five-ace-frenzy", "TS/FAF 1", 2_00, {"five-aces": "$500"})
    wagers = {**plain.wagers, "jackpot": replace(plain.wagers["jackpot"], feature=feature)}
    table = game("texas-shootout").open(replace(plain, wagers=wagers))
    sensor = make_sensor(table.offers["jackpot"], "shootout", JackpotKind.PROGRESSIVE)
    assert (sensor.amount, sensor.lammer_amount) == (1_00, 2_00)
    assert make_sensor(table.offers["shootout-bonus"], None, None).amount is None


def test_a_set_up_is_written_down_and_read_again() -> None:
    table = prime()
    assert decode(TabulatedTable, encode(table)) == table


def test_a_set_up_file_with_a_name_that_no_user_knows_is_refused() -> None:
    with pytest.raises(UnreadableSetup):
        read_tabulator_setup('table="1"\ngame="x"\nlocation="y"\ntabulator="z"\npositions=6\nsensitivity=3\n')
