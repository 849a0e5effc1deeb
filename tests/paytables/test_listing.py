import json
from typing import Any

from cardroom.paytables import column_to_json, paytable_columns


def listed(game: str, wager: str, name: str) -> dict[str, Any]:
    (found,) = [c for c in paytable_columns(game) if (c.wager, c.name) == (wager, name)]
    shown: dict[str, Any] = json.loads(json.dumps(column_to_json(found)))
    return shown


def test_a_column_is_listed_with_its_source_and_every_line() -> None:
    assert listed("dueling-for-dollars", "combo", "PT-FLT-DFD-CB-02") == {
        "game": "dueling-for-dollars",
        "wager": "combo",
        "name": "PT-FLT-DFD-CB-02",
        "sheet": "003_54870c484c2261cd.txt",
        "sheet_title": "Dueling for Dollars, Rules of Play, approved January 28, 2021",
        "appendix": "B",
        "title": "Combo Bet",
        "basis": "to 1",
        "feature": None,
        "decks": None,
        "lines": [
            line("pair", "Pair", "3 to 2", "to-1", "3:2"),
            line("straight-flush", "Straight Flush", "3 to 1", "to-1", "3"),
            line("straight-or-flush", "Straight or Flush", "1 to 1", "to-1", "1"),
        ],
    }


def line(event: str, printed: str, pays: str, kind: str, cell: str) -> dict[str, str | None]:
    return {"event": event, "printed": printed, "pays": pays, "kind": kind, "cell": cell, "overruled": None}


def test_a_bad_beat_table_is_listed_with_both_halves_and_its_overruled_figure() -> None:
    lines = listed("three-card-prime", "ante-play", "PW/BB 2")["lines"]
    assert [entry["event"] for entry in lines][4:6] == ["flush-and-lower", "bad-beat-straight-flush"]
    assert len(lines) == 9
    assert lines[-1] == {
        "event": "bad-beat-flush-and-lower",
        "printed": "Flush and lower (bad beat)",
        "pays": "loss",
        "kind": "loss",
        "cell": "1",
        "overruled": "TP-2",
    }


def test_a_pair_bonus_column_is_listed_as_it_is_printed() -> None:
    lines = listed("three-card-prime", "pair-bonus", "PB/LD 1")["lines"]
    assert [entry["event"] for entry in lines] == ["mini-royal", "straight-flush", "trips", "straight", "flush", "pair"]


def test_features_and_deck_limits_are_listed() -> None:
    assert listed("texas-shootout", "shootout-bonus", "TS/CB 1")["feature"] == "color"
    assert listed("dueling-for-dollars", "tie-plus", "PT-FLT-DFD-TP-01")["decks"] == [5, 6, 8]


def test_every_kind_of_pay_is_named() -> None:
    everything = [column_to_json(column) for column in paytable_columns()]
    kinds = {entry["kind"] for shown in json.loads(json.dumps(everything)) for entry in shown["lines"]}
    assert kinds == {"to-1", "for-1", "push", "loss", "percent", "dollars", "operator-bonus"}
