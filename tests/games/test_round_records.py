"""A record of a round has one meaning, or is refused with a readable sentence."""

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


def refused(text: str) -> str:
    with pytest.raises(BadInput) as refusal:
        settle_record(text)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < SHORT
    return str(refusal.value)


def changed(change: Callable[[Any], object], slug: str = "three-card-prime") -> str:
    """The example of a game with a change."""
    entry = json.loads(example_json(slug))
    change(entry)
    return json.dumps(entry)


def with_text(old: str, new: str, slug: str = "three-card-prime") -> str:
    text = example_json(slug)
    assert old in text
    return text.replace(old, new, 1)


def test_a_name_that_stands_twice_in_one_section_is_refused() -> None:
    assert "has '1' twice" in refused(with_text('"wagers": {\n    "1"', '"wagers": {\n    "1": {}, "1"'))
    assert "has 'cards' twice" in refused(with_text('"cards": {', '"cards": {}, "cards": {'))
    assert "has 'seat' twice" in refused(with_text('"seat": 1,', '"seat": 2, "seat": 1,'))


@pytest.mark.parametrize("seat", ["01", " 1", "1 ", "+1", "１", "1.0", "", "0", "-1", "1_0", "²", LONG])
def test_a_seat_is_written_in_one_way(seat: str) -> None:
    def beside(entry: Any) -> None:
        entry["wagers"][seat] = entry["wagers"]["1"]

    def decides(entry: Any) -> None:
        entry["decisions"][0]["seat"] = seat

    assert "is not a seat: seats are numbered from 1" in refused(changed(beside))
    assert "is not a seat: seats are numbered from 1" in refused(changed(decides))


@pytest.mark.parametrize("seat", [True, None, 1.0, 0, -1, [1], 10**17])
def test_only_a_number_is_a_seat(seat: object) -> None:
    assert "is not a seat" in refused(changed(lambda entry: entry["decisions"][0].update(seat=seat)))


@pytest.mark.parametrize("place", ["seat  1 hand", "seat 01 hand", " seat 1 hand", "seat 1 hand ", "seat 1\thand"])
def test_a_place_is_written_in_one_way(place: str) -> None:
    assert "is not a " in refused(changed(lambda entry: entry["cards"].update({place: ["As"]})))


@pytest.mark.parametrize("again", ["fold", "play"])
def test_a_question_is_answered_once_whether_the_answers_agree_or_not(again: str) -> None:
    def twice(entry: Any) -> None:
        first = entry["decisions"][0]
        entry["decisions"].append({**first, "answer": again})

    assert "decides 'play' twice" in refused(changed(twice))


def test_a_decision_says_nothing_but_seat_question_and_answer() -> None:
    assert "no 'amount'" in refused(changed(lambda entry: entry["decisions"][0].update(amount=5)))
    assert "lacks question" in refused(changed(lambda entry: entry["decisions"][0].pop("question")))
    assert "must be a text" in refused(changed(lambda entry: entry["decisions"][0].update(answer=["play"])))
    assert "must be a text" in refused(changed(lambda entry: entry["decisions"][0].update(question=1)))


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
    refused(changed(lambda entry: entry.update(steps=steps)))


@pytest.mark.parametrize("steps", [None, "tabulate", [1], [["reveal"]], [ENDLESS], {"reveal": 1}])
def test_what_is_no_list_of_steps_is_refused(steps: object) -> None:
    refused(changed(lambda entry: entry.update(steps=steps)))


@pytest.mark.parametrize(
    "number", [LONG, "-" + LONG, "9" * 19, "NaN", "Infinity", "-Infinity", "1e999", "500.0", "5e2"]
)
def test_a_number_that_is_no_amount_is_refused(number: str) -> None:
    """Whole cents have one way to be written; a decimal or a number without end is none."""
    refused(with_text('"ante-play": 1000', f'"ante-play": {number}'))
    refused(with_text('"final-four": 1000000', f'"final-four": {number}'))
    refused(with_text('"seats": 6', f'"seats": {number}'))


@pytest.mark.parametrize("amount", ["$" + LONG, "$1" + ",000" * 2_000, "$５", "$" + ENDLESS, "$1e3"])
def test_a_text_that_is_no_amount_is_refused(amount: str) -> None:
    refused(changed(lambda entry: entry["wagers"]["1"].update({"ante-play": amount})))
    for read in (parse_dollars, parse_amount):
        with pytest.raises(BadInput) as refusal:
            read(amount)
        assert len(str(refusal.value)) < SHORT


def test_a_number_without_end_that_no_text_brought_is_shown_shortly_too() -> None:
    with pytest.raises(BadInput):
        parse_dollars(10**5_000)


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"cards": ['])
def test_a_record_nested_without_end_is_refused(opening: str) -> None:
    assert "nested too deeply" in refused(opening * 100_000)


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
def test_what_was_sent_is_not_repeated_without_end(change: Callable[[Any], object]) -> None:
    refused(changed(change))


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
def test_the_faults_of_a_table_are_listed_but_not_without_end(change: Callable[[Any], object]) -> None:
    with pytest.raises(BadInput) as refusal:
        settle_record(changed(lambda entry: change(entry["table"])))
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
def test_a_set_up_in_toml_that_cannot_be_read_is_shown_shortly(toml: str) -> None:
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


def _spoilt(entry: Any, data: st.DataObject) -> None:
    """Go to some place of the record, and put something else there, add it, take it away or double it."""
    where = entry
    while True:
        keys = list(where) if isinstance(where, dict) else list(range(len(where)))
        key = data.draw(st.sampled_from(keys))
        if not where[key] or not isinstance(where[key], dict | list) or data.draw(st.integers(0, 2)) == 0:
            break
        where = where[key]
    match data.draw(st.sampled_from(["exchange", "add", "take away", "double"])):
        case "exchange":
            where[key] = data.draw(_any_json)
        case "take away":
            del where[key]
        case "double" if isinstance(where, list):
            where.insert(0, where[key])
        case _ if isinstance(where, list):
            where.append(data.draw(_any_json))
        case _:
            where[data.draw(st.text(max_size=8) | st.sampled_from(["01", "1", "seat 1 hand", "meters"]))] = where[key]


@settings(max_examples=examples(150), deadline=None)
@given(st.sampled_from(game_slugs()), st.data())
def test_a_spoilt_record_is_settled_whole_or_refused_with_one_readable_answer(slug: str, data: st.DataObject) -> None:
    entry = json.loads(example_json(slug))
    for _ in range(data.draw(st.integers(1, 2))):
        _spoilt(entry, data)
    try:
        shown_of = settle_record(json.dumps(entry))
        facts, settlement = shown_of.facts, shown_of.settlement
    except BadInput as refusal:
        _is_readable(refusal)
    else:
        document = settlement_to_json(settlement, facts)
        assert document["house"] + sum(seat["net"] for seat in document["seats"].values()) == 0


@settings(max_examples=examples(150), deadline=None)
@given(st.sampled_from(game_slugs()), st.data())
def test_a_record_whose_text_is_damaged_is_settled_or_refused(slug: str, data: st.DataObject) -> None:
    text = example_json(slug)
    at = data.draw(st.integers(0, len(text) - 1))
    until = data.draw(st.integers(at, min(at + 12, len(text))))
    inserted = data.draw(st.text(alphabet='{}[]",:0123456789eE.- $%AsKdtrue\x00\ud800', max_size=6))
    try:
        load_round(text[:at] + inserted + text[until:])
    except BadInput as refusal:
        _is_readable(refusal)


def _is_readable(refusal: BadInput) -> None:
    assert 0 < len(str(refusal)) <= LONGEST_SENTENCE
