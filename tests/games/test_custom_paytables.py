"""A setup may contain a custom paytable, which passes the same checks and keeps the order of its lines."""

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

CUSTOM = """
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
CUSTOM_FEATURE = """
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


def open_table(text: str) -> object:
    setup = read_setup(text)
    return game(setup.game).open(setup)


def test_a_table_with_a_custom_paytable_shows_that_it_is_custom() -> None:
    setup = read_setup(CUSTOM)
    table = game(setup.game).open(setup).offers["pair-bonus"].paytable
    assert (table.name, table.is_custom, table.display_name) == (
        "Mild",
        True,
        "Mild (the operator's own, not from the sheet)",
    )
    assert table.find_pay(["trips"]) == ToOne(30)  # type: ignore[arg-type]
    printed = game(setup.game).open(setup).offers["ante-play"].paytable
    assert (printed.is_custom, printed.display_name) == (False, "PW/BB 1")


def test_the_paytable_of_a_wager_that_the_rules_pay_is_not_custom() -> None:
    assert not paytables("dueling-for-dollars", "duel")[0].is_custom


@pytest.mark.parametrize("text", [CUSTOM, CUSTOM_FEATURE])
def test_a_setup_with_a_custom_paytable_survives_storage_that_sorts_names(text: str) -> None:
    setup = read_setup(text)
    stored = json.loads(json.dumps(setup_to_json(setup), sort_keys=True))
    layout = tuple(setup.wagers)
    restored = setup_from_json(stored)
    assert replace(restored, wagers={slug: restored.wagers[slug] for slug in layout}) == setup
    assert read_setup(setup_to_toml(setup)) == setup


def test_the_json_of_a_setup_without_a_custom_paytable_has_no_table() -> None:
    for slug in game_slugs():
        entry = setup_to_json(default_setup(slug))
        assert all("table" not in wager for wager in entry["wagers"].values())


@pytest.mark.parametrize(
    ("original", "replacement", "sentence"),
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
def test_a_custom_paytable_is_checked_like_a_printed_one(original: str, replacement: str, sentence: str) -> None:
    assert original in CUSTOM
    with pytest.raises(BadSetup) as refusal:
        open_table(CUSTOM.replace(original, replacement))
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("original", "replacement", "sentence"),
    [
        ('name = "Mild"\n', "", "In the setup, wagers, pair-bonus, table 'name' is missing."),
        ('basis = "to 1"', 'basis = "to 1"\ngame = "x"', "'game' is not known: use basis, lines, name."),
        ("[wagers.pair-bonus.table.lines]", "lines = []\n[wagers.pair-bonus.more]", "has no lines"),
        ('"30"', "30", 'write trips = "5" with quotes'),
        ('"$25" }', '"$25" }\npaytable = "PB 2"', "'paytable' is 'PB 2', and its table is called"),
    ],
)
def test_the_refusal_of_an_unreadable_custom_paytable_says_where_it_is_wrong(
    original: str, replacement: str, sentence: str
) -> None:
    assert original in CUSTOM
    with pytest.raises(BadSetupFile) as refusal:
        read_setup(CUSTOM.replace(original, replacement))
    assert sentence in str(refusal.value)


def test_lines_may_be_a_list_of_pairs_without_duplicates() -> None:
    pairs = 'table = { name = "Mild", basis = "to 1", lines = [["trips", "30"], ["straight", "3:2"], ["pair", "1"]] }'
    text = f"{CUSTOM.split('[wagers.pair-bonus.table]')[0]}\n{pairs}"
    assert read_setup(text) == read_setup(CUSTOM)
    with pytest.raises(BadSetupFile):
        read_setup(text.replace('["pair"', '["trips"'))
    with pytest.raises(BadSetupFile):
        read_setup(text.replace('["pair", "1"]', '["pair"]'))


def test_a_setup_must_have_the_complete_name_of_its_game() -> None:
    with pytest.raises(BadSetup):
        open_table(CUSTOM.replace('"three-card-prime"', '"prime"'))


def test_custom_paytables_replace_those_of_a_setup() -> None:
    rules = game("three-card-prime")
    setup = default_setup("three-card-prime")
    table = build_custom_paytable("three-card-prime", "prime", PaytableSpec("x", "to 1", (("same-color-player", "2"),)))
    changed = rules.open(with_custom_paytables(setup, [table], rules.facts))
    assert changed.offers["prime"].paytable == table
    assert changed.offers["all-six"] == rules.open(setup).offers["all-six"]


def find_mismatch(setup: TableSetup, *tables: Paytable) -> str:
    with pytest.raises(PaytableMismatch) as refusal:
        with_custom_paytables(setup, tables, game(setup.game).facts)
    return str(refusal.value)


def test_a_paytable_that_does_not_fit_the_table_is_refused() -> None:
    prime = build_custom_paytable("three-card-prime", "prime", PaytableSpec("x", "to 1", (("same-color-player", "2"),)))
    setup = read_setup(CUSTOM)
    assert "is for prime, which the table does not offer: it offers ante-play" in find_mismatch(setup, prime)
    assert "Two paytables are for prime" in find_mismatch(default_setup("three-card-prime"), prime, prime)
    assert "is for three-card-prime, not for deuces-wild" in find_mismatch(default_setup("deuces-wild"), prime)
    bright = build_custom_paytable(
        "texas-shootout", "shootout-bonus", PaytableSpec("x", "for 1", (("seven-cards-same-color", "$9"),)), "color"
    )
    assert "has no such feature" in find_mismatch(default_setup("texas-shootout"), bright)
    changed = with_custom_paytables(read_setup(CUSTOM_FEATURE), [bright], game("texas-shootout").facts)
    offered = game("texas-shootout").open(changed).offers["shootout-bonus"].feature
    assert offered is not None
    assert offered.paytable == bright


# Lines for any other hand


def make_short_spec(slug: str, wager: str) -> PaytableSpec:
    """Return the first line of the first printed paytable, and a push for any other hand."""
    printed = paytables(slug, wager)[0]
    ruled_lines = tuple((line.trigger, "loss") for line in printed.lines if line.trigger == "bad-beat-flush-and-lower")
    first_line = next(line for line in printed.lines if line.trigger != OTHER)
    return PaytableSpec("short", str(printed.basis), ((first_line.trigger, "2"), *ruled_lines, (OTHER, "push")))


@pytest.mark.parametrize(
    ("slug", "wager"),
    [
        (slug, wager.slug)
        for slug in game_slugs()
        for wager in game(slug).facts.wagers
        if paytables(slug, wager.slug)[0].lines
    ],
)
def test_a_paytable_of_any_wager_may_have_a_line_for_any_other_hand(slug: str, wager: str) -> None:
    table = build_custom_paytable(slug, wager, make_short_spec(slug, wager))
    assert table.find_pay(["a hand of no line"]) == Push()
    assert paytable_to_spec(table) == make_short_spec(slug, wager)


def test_the_line_for_any_other_hand_must_be_last_and_cannot_be_in_a_feature() -> None:
    text = 'game = "deuces-wild"\nwager = "three-card-treasure"\nname = "x"\nbasis = "to 1"\nlines = { %s }'
    with pytest.raises(BadPaytable):
        load_paytable(text % 'other = "push", pair = "1"')
    with pytest.raises(BadSetup):
        open_table(CUSTOM_FEATURE.replace("seven-cards-same-color", "other"))
