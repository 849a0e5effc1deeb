"""A record of a round has exactly one meaning, or it is refused with a readable sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.errors import LONGEST_SENTENCE, BadInput
from cardroom.games import game_slugs, load_round, read_setup
from cardroom.games.example_rounds import example_json
from cardroom.games.money import parse_amount, parse_dollars
from cardroom.games.record_settlement import settle_record
from cardroom.games.serialization import settlement_to_json
from tests.examples import examples

SHORT = 600
LONG = "9" * 5_000
ENDLESS = "x" * 5_000_000


def find_refusal(text: str) -> str:
    with pytest.raises(BadInput) as refusal:
        settle_record(text)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < SHORT
    return str(refusal.value)


def change_example(change: Callable[[Any], object], slug: str = "three-card-prime") -> str:
    """Return the example of a game after a change."""
    entry = json.loads(example_json(slug))
    change(entry)
    return json.dumps(entry)


def replace_in_example(old: str, new: str, slug: str = "three-card-prime") -> str:
    text = example_json(slug)
    assert old in text
    return text.replace(old, new, 1)


def test_a_duplicate_name_in_one_section_is_refused() -> None:
    assert "has '1' twice" in find_refusal(replace_in_example('"wagers": {\n    "1"', '"wagers": {\n    "1": {}, "1"'))
    assert "has 'cards' twice" in find_refusal(replace_in_example('"cards": {', '"cards": {}, "cards": {'))
    assert "has 'seat' twice" in find_refusal(replace_in_example('"seat": 1,', '"seat": 2, "seat": 1,'))


@pytest.mark.parametrize("seat", ["01", " 1", "1 ", "+1", "１", "1.0", "", "0", "-1", "1_0", "²", LONG])
def test_a_seat_has_one_notation(seat: str) -> None:
    def wager_of_seat(entry: Any) -> None:
        entry["wagers"][seat] = entry["wagers"]["1"]

    def decision_of_seat(entry: Any) -> None:
        entry["decisions"][0]["seat"] = seat

    assert "is not a seat: seats are numbered from 1" in find_refusal(change_example(wager_of_seat))
    assert "is not a seat: seats are numbered from 1" in find_refusal(change_example(decision_of_seat))


@pytest.mark.parametrize("seat", [True, None, 1.0, 0, -1, [1], 10**17])
def test_only_a_number_is_a_seat(seat: object) -> None:
    assert "is not a seat" in find_refusal(change_example(lambda entry: entry["decisions"][0].update(seat=seat)))


@pytest.mark.parametrize("place", ["seat  1 hand", "seat 01 hand", " seat 1 hand", "seat 1 hand ", "seat 1\thand"])
def test_a_place_has_one_notation(place: str) -> None:
    assert "is not a " in find_refusal(change_example(lambda entry: entry["cards"].update({place: ["As"]})))


@pytest.mark.parametrize("second_answer", ["fold", "play"])
def test_a_second_decision_of_the_same_turn_is_refused(second_answer: str) -> None:
    def add_second_decision(entry: Any) -> None:
        first = entry["decisions"][0]
        entry["decisions"].append({**first, "answer": second_answer})

    assert "decides 'play' twice" in find_refusal(change_example(add_second_decision))


def test_a_decision_has_only_a_seat_a_question_and_an_answer() -> None:
    assert "no 'amount'" in find_refusal(change_example(lambda entry: entry["decisions"][0].update(amount=5)))
    assert "lacks question" in find_refusal(change_example(lambda entry: entry["decisions"][0].pop("question")))
    assert "must be a text" in find_refusal(change_example(lambda entry: entry["decisions"][0].update(answer=["play"])))
    assert "must be a text" in find_refusal(change_example(lambda entry: entry["decisions"][0].update(question=1)))


@pytest.mark.parametrize(
    "steps",
    [
        ["reveal", "tabulate"],
        ["tabulate", "tabulate", "reveal"],
        ["tabulate", "reveal", "reveal"],
        [],
        ["pay treasure"],
    ],
)
def test_steps_that_the_dealer_cannot_have_taken_are_refused(steps: list[str]) -> None:
    find_refusal(change_example(lambda entry: entry.update(steps=steps)))


@pytest.mark.parametrize("steps", [None, "tabulate", [1], [["reveal"]], [ENDLESS], {"reveal": 1}])
def test_steps_that_are_not_a_list_of_names_are_refused(steps: object) -> None:
    find_refusal(change_example(lambda entry: entry.update(steps=steps)))


@pytest.mark.parametrize(
    "number", [LONG, "-" + LONG, "9" * 19, "NaN", "Infinity", "-Infinity", "1e999", "500.0", "5e2"]
)
def test_a_number_that_is_not_an_amount_is_refused(number: str) -> None:
    """Whole cents have one notation; a decimal or an infinite number is not an amount."""
    find_refusal(replace_in_example('"ante-play": 1000', f'"ante-play": {number}'))
    find_refusal(replace_in_example('"final-four": 1000000', f'"final-four": {number}'))
    find_refusal(replace_in_example('"seats": 6', f'"seats": {number}'))


@pytest.mark.parametrize("amount", ["$" + LONG, "$1" + ",000" * 2_000, "$５", "$" + ENDLESS, "$1e3"])
def test_a_text_that_is_not_an_amount_is_refused(amount: str) -> None:
    find_refusal(change_example(lambda entry: entry["wagers"]["1"].update({"ante-play": amount})))
    for read in (parse_dollars, parse_amount):
        with pytest.raises(BadInput) as refusal:
            read(amount)
        assert len(str(refusal.value)) < SHORT


def test_a_huge_integer_is_refused_as_an_amount() -> None:
    with pytest.raises(BadInput):
        parse_dollars(10**5_000)


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"cards": ['])
def test_a_record_that_is_nested_too_deeply_is_refused(opening: str) -> None:
    assert "nested too deeply" in find_refusal(opening * 100_000)


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: entry["cards"].update(dealer=[ENDLESS, "2c", "3c"]),
        lambda entry: entry["cards"].update(dealer=[[ENDLESS]]),
        lambda entry: entry["cards"].update(dealer=ENDLESS),
        lambda entry: entry["cards"].update(dealer=["2c"] * 1_000_000),
        lambda entry: entry["cards"].update({ENDLESS: ["2c"]}),
        lambda entry: entry["cards"].update({f"seat 1 {ENDLESS}": ["2c"]}),
        lambda entry: entry["wagers"].update({ENDLESS: {}}),
        lambda entry: entry["wagers"].update({"1": ENDLESS}),
        lambda entry: entry["wagers"]["1"].update({ENDLESS: 500}),
        lambda entry: entry["wagers"]["1"].update({"ante-play": ENDLESS}),
        lambda entry: entry["decisions"][0].update(answer=ENDLESS),
        lambda entry: entry["decisions"][0].update(answer="play " + "As " * 1_000_000),
        lambda entry: entry["decisions"][0].update(question=ENDLESS),
        lambda entry: entry["decisions"][0].update({ENDLESS: 1}),
        lambda entry: entry["decisions"].extend(
            {"seat": n, "question": "play", "answer": "fold"} for n in range(9, 999)
        ),
        lambda entry: entry.update(meters={ENDLESS: 1}),
        lambda entry: entry.update(meters={"final-four": ENDLESS}),
        lambda entry: entry.update(meters=ENDLESS),
        lambda entry: entry.update(table=ENDLESS),
        lambda entry: entry.update({ENDLESS: 1}),
        lambda entry: entry.update({str(number): 1 for number in range(100_000)}),
        lambda entry: entry["table"].update(game=ENDLESS),
        lambda entry: entry["table"].update(seats=ENDLESS),
        lambda entry: entry["table"].update({ENDLESS: 1}),
        lambda entry: entry["table"]["wagers"].update({ENDLESS: 5}),
        lambda entry: entry["table"]["wagers"]["ante-play"].update({ENDLESS: 5}),
        lambda entry: entry["table"]["wagers"]["ante-play"]["limits"].update(min=ENDLESS),
    ],
)
def test_a_refusal_does_not_repeat_a_long_input(change: Callable[[Any], object]) -> None:
    find_refusal(change_example(change))


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.update(jurisdiction=ENDLESS),
        lambda table: table.update(tabulator=ENDLESS),
        lambda table: table.update(options={ENDLESS: True}),
        lambda table: table.update(options={str(number): True for number in range(10_000)}),
        lambda table: table["wagers"].update({ENDLESS: table["wagers"]["ante-play"]}),
        lambda table: table["wagers"]["ante-play"].update(paytable=ENDLESS),
        lambda table: table["wagers"]["ante-play"].update(bonuses={ENDLESS: "5"}),
        lambda table: table["wagers"]["ante-play"].update(bonuses={"straight": ENDLESS}),
    ],
)
def test_the_list_of_the_faults_of_a_table_is_short(change: Callable[[Any], object]) -> None:
    with pytest.raises(BadInput) as refusal:
        settle_record(change_example(lambda entry: change(entry["table"])))
    assert len(str(refusal.value)) <= LONGEST_SENTENCE


@pytest.mark.parametrize(
    "toml",
    [
        f"seats = {LONG}",
        f"seats = 0x{LONG}",
        "a = " + "[" * 100_000,
        f"{'x' * 5_000_000}",
        f'game = ["{ENDLESS}"]',
        f'"{ENDLESS}" = 1\n"{ENDLESS}" = 2',
        f"[{'.'.join('abcdefgh' * 9)}]\n[{'.'.join('abcdefgh' * 9)}]",
        f'game = "three-card-prime"\nseats = "{ENDLESS}"',
        f'game = "three-card-prime"\n[wagers.ante-play.limits]\nmin = "${LONG}"',
        'game = "three-card-prime"\nseats = nan',
    ],
)
def test_the_refusal_of_unreadable_toml_is_short(toml: str) -> None:
    with pytest.raises(BadInput) as refusal:
        read_setup(toml)
    assert len(str(refusal.value)) < SHORT


_any_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=10**17, max_value=10**25)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["1", "01", "$5", "As", "fold", "x" * 10_000]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8) | st.just("seat"), inner, max_size=3)
    ),
    max_leaves=5,
)


def _damage_entry(entry: Any, data: st.DataObject) -> None:
    """Go to a random place in the record and replace, add, remove, or duplicate a value."""
    container = entry
    while True:
        keys = list(container) if isinstance(container, dict) else list(range(len(container)))
        key = data.draw(st.sampled_from(keys))
        if not container[key] or not isinstance(container[key], dict | list) or data.draw(st.integers(0, 2)) == 0:
            break
        container = container[key]
    match data.draw(st.sampled_from(["replace", "add", "remove", "duplicate"])):
        case "replace":
            container[key] = data.draw(_any_json)
        case "remove":
            del container[key]
        case "duplicate" if isinstance(container, list):
            container.insert(0, container[key])
        case _ if isinstance(container, list):
            container.append(data.draw(_any_json))
        case _:
            container[data.draw(st.text(max_size=8) | st.sampled_from(["01", "1", "seat 1 hand", "meters"]))] = (
                container[key]
            )


@settings(max_examples=examples(150), deadline=None)
@given(st.sampled_from(game_slugs()), st.data())
def test_a_damaged_record_is_settled_completely_or_refused_with_one_readable_sentence(
    slug: str, data: st.DataObject
) -> None:
    entry = json.loads(example_json(slug))
    for _ in range(data.draw(st.integers(1, 2))):
        _damage_entry(entry, data)
    try:
        record = settle_record(json.dumps(entry))
    except BadInput as refusal:
        _check_readable(refusal)
    else:
        document = settlement_to_json(record.settlement, record.facts)
        assert document["house"] + sum(seat["net"] for seat in document["seats"].values()) == 0


@settings(max_examples=examples(150), deadline=None)
@given(st.sampled_from(game_slugs()), st.data())
def test_a_record_whose_text_is_damaged_is_loaded_or_refused(slug: str, data: st.DataObject) -> None:
    text = example_json(slug)
    at = data.draw(st.integers(0, len(text) - 1))
    until = data.draw(st.integers(at, min(at + 12, len(text))))
    inserted = data.draw(st.text(alphabet='{}[]",:0123456789eE.- $%AsKdtrue\x00\ud800', max_size=6))
    try:
        load_round(text[:at] + inserted + text[until:])
    except BadInput as refusal:
        _check_readable(refusal)


def _check_readable(refusal: BadInput) -> None:
    assert 0 < len(str(refusal)) <= LONGEST_SENTENCE
