"""A setup may contain a custom paytable: it passes the same checks, and keeps the order of its lines."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from cardroom.games import BadSetup, TableSetup, default_setup, game, game_slugs, read_setup
from cardroom.games.setup import (
    BadSetupFile,
    PaytableMismatch,
    setup_from_json,
    setup_to_json,
    setup_to_toml,
    with_custom_paytables,
)
from cardroom.paytables import (
    OTHER,
    BadPaytable,
    Paytable,
    PaytableSpec,
    Push,
    ToOne,
    build_custom_paytable,
    load_paytable,
    paytables,
)
from cardroom.paytables.custom_paytable import paytable_to_spec

OWN = """
game = "three-card-prime"
[wagers.ante-play]
paytable = "PW/BB 1"
limits = { min = "$5", max = "$100" }
[wagers.pair-bonus]
limits = { min = "$1", max = "$25" }
[wagers.pair-bonus.table]
name = "Mild"
basis = "to 1"
[wagers.pair-bonus.table.lines]
trips = "30"
straight = "3:2"
pair = "1"
"""
COLOR = """
game = "texas-shootout"
[wagers.shootout]
limits = { min = "$5", max = "$100" }
[wagers.shootout-bonus]
paytable = "TS/SB 1"
limits = { min = "$1", max = "$25" }
[wagers.shootout-bonus.feature]
kind = "color"
qualifying = "$5"
[wagers.shootout-bonus.feature.table]
name = "Bright"
basis = "for 1"
lines = { seven-cards-same-color = "$40" }
"""


def opened(text: str) -> object:
    setup = read_setup(text)
    return game(setup.game).open(setup)


def test_a_table_opens_with_a_paytable_of_its_own_and_says_so() -> None:
    setup = read_setup(OWN)
    table = game(setup.game).open(setup).offers["pair-bonus"].paytable
    assert (table.name, table.is_custom, table.display_name) == (
        "Mild",
        True,
        "Mild (the operator's own, not from the sheet)",
    )
    assert table.find_pay(["trips"]) == ToOne(30)  # type: ignore[arg-type]
    printed = game(setup.game).open(setup).offers["ante-play"].paytable
    assert (printed.is_custom, printed.display_name) == (False, "PW/BB 1")


def test_a_wager_that_the_rules_pay_has_no_table_and_is_no_users_own() -> None:
    assert not paytables("dueling-for-dollars", "duel")[0].is_custom


@pytest.mark.parametrize("text", [OWN, COLOR])
def test_a_set_up_with_its_own_paytable_comes_back_from_books_whose_names_have_no_order(text: str) -> None:
    setup = read_setup(text)
    kept = json.loads(json.dumps(setup_to_json(setup), sort_keys=True))
    layout = tuple(setup.wagers)
    again = setup_from_json(kept)
    assert replace(again, wagers={slug: again.wagers[slug] for slug in layout}) == setup
    assert read_setup(setup_to_toml(setup)) == setup


def test_a_set_up_without_one_is_written_as_it_always_was() -> None:
    for slug in game_slugs():
        entry = setup_to_json(default_setup(slug))
        assert all("table" not in wager for wager in entry["wagers"].values())


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ("trips =", "tripps =", 'no event "tripps"; its events are '),
        ("trips =", "tripps =", "Did you mean 'trips'?"),
        ('"30"', '"x"', 'The pay of "trips" cannot be read'),
        ('"3:2"', '"5:3"', "A wager of $1 cannot be paid 5 to 3 (Straight) to the cent."),
        ('"30"', '"25%"', "has no meter"),
        ('"Mild"', '"PB 1+PB/LD 3"', "needs a name of its own"),
        ('"Mild"', '"M\\nild"', "all in one line"),
        ('"to 1"', '"at 1"', "is no basis for odds"),
        ('max = "$25"', 'max = "$500"', "The maximum of $500 is over"),
        ('"30"', '"bonus"', "Table Mild needs the operator's bonus for trips."),
        (
            "[wagers.ante-play]\npaytable",
            "[wagers.ante-play]\ntable = { name = 'x', basis = 'to 1', lines = { other = '1' } }\n#",
            'Ruling TP-2 sets the pay of "bad-beat-flush-and-lower"; give it a line of its own',
        ),
    ],
)
def test_the_door_checks_a_paytable_of_its_own_like_a_printed_one(right: str, wrong: str, sentence: str) -> None:
    assert right in OWN
    with pytest.raises(BadSetup) as refusal:
        opened(OWN.replace(right, wrong))
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ('name = "Mild"\n', "", "In the setup, wagers, pair-bonus, table 'name' is missing."),
        ('basis = "to 1"', 'basis = "to 1"\ngame = "x"', "'game' is not known: use basis, lines, name."),
        ("[wagers.pair-bonus.table.lines]", "lines = []\n[wagers.pair-bonus.more]", "has no lines"),
        ('"30"', "30", 'write trips = "5" with quotes'),
        ('"$25" }', '"$25" }\npaytable = "PB 2"', "'paytable' is 'PB 2', and its table is called"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence_that_says_where(right: str, wrong: str, sentence: str) -> None:
    assert right in OWN
    with pytest.raises(BadSetupFile) as refusal:
        read_setup(OWN.replace(right, wrong))
    assert sentence in str(refusal.value)


def test_lines_may_be_a_list_of_pairs_which_stand_once() -> None:
    pairs = 'table = { name = "Mild", basis = "to 1", lines = [["trips", "30"], ["straight", "3:2"], ["pair", "1"]] }'
    text = f"{OWN.split('[wagers.pair-bonus.table]')[0]}\n{pairs}"
    assert read_setup(text) == read_setup(OWN)
    with pytest.raises(BadSetupFile):
        read_setup(text.replace('["pair"', '["trips"'))
    with pytest.raises(BadSetupFile):
        read_setup(text.replace('["pair", "1"]', '["pair"]'))


def test_a_set_up_says_the_whole_name_of_its_game() -> None:
    with pytest.raises(BadSetup):
        opened(OWN.replace('"three-card-prime"', '"prime"'))


def test_paytables_take_the_place_of_those_of_a_set_up() -> None:
    rules = game("three-card-prime")
    setup = default_setup("three-card-prime")
    table = build_custom_paytable("three-card-prime", "prime", PaytableSpec("x", "to 1", (("same-color-player", "2"),)))
    changed = rules.open(with_custom_paytables(setup, [table], rules.facts))
    assert changed.offers["prime"].paytable == table
    assert changed.offers["all-six"] == rules.open(setup).offers["all-six"]


def refused_place(setup: TableSetup, *tables: Paytable) -> str:
    with pytest.raises(PaytableMismatch) as refusal:
        with_custom_paytables(setup, tables, game(setup.game).facts)
    return str(refusal.value)


def test_a_paytable_that_has_no_place_at_the_table_is_refused() -> None:
    prime = build_custom_paytable("three-card-prime", "prime", PaytableSpec("x", "to 1", (("same-color-player", "2"),)))
    setup = read_setup(OWN)
    assert "is for prime, which the table does not offer: it offers ante-play" in refused_place(setup, prime)
    assert "Two paytables are for prime" in refused_place(default_setup("three-card-prime"), prime, prime)
    assert "is for three-card-prime, not for deuces-wild" in refused_place(default_setup("deuces-wild"), prime)
    bright = build_custom_paytable(
        "texas-shootout", "shootout-bonus", PaytableSpec("x", "for 1", (("seven-cards-same-color", "$9"),)), "color"
    )
    assert "has no such feature" in refused_place(default_setup("texas-shootout"), bright)
    changed = with_custom_paytables(read_setup(COLOR), [bright], game("texas-shootout").facts)
    offered = game("texas-shootout").open(changed).offers["shootout-bonus"].feature
    assert offered is not None
    assert offered.paytable == bright


# Anything else


def first_lines(slug: str, wager: str) -> PaytableSpec:
    """The first line of the first printed table, and a push for anything else."""
    printed = paytables(slug, wager)[0]
    ruled = tuple((line.trigger, "loss") for line in printed.lines if line.trigger == "bad-beat-flush-and-lower")
    top = next(line for line in printed.lines if line.trigger != OTHER)
    return PaytableSpec("short", str(printed.basis), ((top.trigger, "2"), *ruled, (OTHER, "push")))


@pytest.mark.parametrize(
    ("slug", "wager"),
    [
        (slug, wager.slug)
        for slug in game_slugs()
        for wager in game(slug).facts.wagers
        if paytables(slug, wager.slug)[0].lines
    ],
)
def test_a_table_of_any_wager_may_have_a_line_for_anything_else(slug: str, wager: str) -> None:
    table = build_custom_paytable(slug, wager, first_lines(slug, wager))
    assert table.find_pay(["a hand of no line"]) == Push()
    assert paytable_to_spec(table) == first_lines(slug, wager)


def test_anything_else_stands_last_and_is_no_feature() -> None:
    text = 'game = "deuces-wild"\nwager = "three-card-treasure"\nname = "x"\nbasis = "to 1"\nlines = { %s }'
    with pytest.raises(BadPaytable):
        load_paytable(text % 'other = "push", pair = "1"')
    with pytest.raises(BadSetup):
        opened(COLOR.replace("seven-cards-same-color", "other"))
