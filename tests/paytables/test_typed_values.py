"""Columns typed from the rule sheets by hand, from the top line down, as events and cells."""

import pytest

from cardroom.paytables import paytable

TYPED = {
    "deuces-wild": {
        "ante-play-raise": {
            "events": "natural-royal-flush wild-royal-flush five-of-a-kind straight-flush four-of-a-kind full-house "
            "flush straight three-of-a-kind two-pair",
            "A": "250 30 20 10 4 4 3 3 1 1",
            "B": "100 30 20 10 4 4 3 3 1 1",
            "C": "250 40 15 8 4 4 3 3 1 1",
            "D": "250 35 20 8 5 4 3 2 1 1",
            "E": "250 30 20 9 5 4 3 2 1 1",
            "F": "250 30 20 10 5 4 3 2 1 1",
        },
        "three-card-treasure": {
            "events": "mini-royal straight-flush three-of-a-kind straight flush",
            "A": "20 6 5 2 2",
            "B": "25 5 4 3 1",
            "C": "25 5 4 2 2",
        },
        "five-card-fortune": {
            "events": "natural-royal-flush five-wild-cards wild-royal-flush five-of-a-kind straight-flush "
            "four-of-a-kind full-house flush straight three-of-a-kind two-pair",
            "A": "400 75 20 7 5 4 3 2 1 Push Push",
            "B": "500 100 20 12 8 3 3 2 1 Push Push",
            "C": "400 200 25 10 5 3 3 2 1 Push Push",
        },
        "bonus-jackpot": {
            "events": "five-wild-cards four-wild-cards three-wild-cards two-wild-cards",
            "A": "Bonus 250 15 7",
            "B": "Bonus 400 40 5",
            "C": "Bonus 500 35 5",
            "D": "Bonus Bonus Bonus Bonus",
        },
    },
    "three-card-prime": {
        "ante-play": {
            "events": "mini-royal straight-flush trips straight flush-and-lower bad-beat-straight-flush "
            "bad-beat-trips bad-beat-straight bad-beat-flush-and-lower",
            "PW/BB 1": "10 6 5 2 1 12 10 4 loss",
            "PW/BB 2": "10 6 5 2 1 12 10 4 1",
            "PW/BB 3": "10 6 5 2 1 6 5 2 loss",
            "PW/BB 4": "10 6 5 2 1 6 5 2 1",
        },
        "prime": {
            "events": "same-color-player-and-dealer same-color-player other",
            "PRW-1": "4 3 loss",
            "PRW-2": "Bonus Bonus Bonus",
        },
        "pair-bonus": {
            "events": "mini-royal-with-deuce straight-flush-with-deuce trips-with-deuce straight-with-deuce "
            "flush-with-deuce pair-with-deuce mini-royal straight-flush trips straight flush pair",
            "PB 1+PB/LD 1": "100 80 60 12 6 1 50 40 30 6 3 1",
            "PB 2+PB/LD 2": "75 60 45 10 5 2 40 40 30 6 3 1",
            "PB 1+PB/LD 3": "75 50 40 8 4 2 50 40 30 6 3 1",
            "PB 2+PB/LD 4": "75 50 40 8 4 1 40 40 30 6 3 1",
            "PB 1+PB/LD 5": "Bonus Bonus Bonus Bonus Bonus Bonus 50 40 30 6 3 1",
        },
        "all-six": {
            "events": "six-card-royal-diamonds six-card-royal five-card-royal five-card-straight-flush "
            "four-of-a-kind full-house flush straight three-of-a-kind",
            "A6-1": "1,000 1,000 1,000 200 50 25 20 10 5",
            "A6-2": "1,000 1,000 1,000 200 50 25 15 10 5",
            "A6-3": "1,000 1,000 1,000 200 100 20 15 9 8",
            "A6-4": "1,000 1,000 1,000 200 100 20 15 10 7",
            "A6-5": "200,000 20,000 1,000 200 50 20 15 10 5",
        },
        "final-four": {
            "events": "four-card-diamond-royal four-card-royal four-card-straight-flush four-of-a-kind "
            "initial-straight-flush three-of-a-kind four-card-straight initial-straight below-straight",
            "F4P-1": "100% 10% $1,000 $1,000 $40 $25 $15 $6 $0",
            "F4P-2": "100% 10% $1,000 $500 $30 $20 $15 $10 $0",
            "F4P-3": "100% 10% $1,000 $1,000 $50 $30 $15 $5 $0",
            "F4P-4": "Bonus Bonus Bonus Bonus Bonus Bonus Bonus Bonus Bonus",
        },
        "all-seven": {
            "events": "seven-card-straight-flush royal-flush straight-flush four-of-a-kind full-house flush "
            "straight-or-less",
            "A7P-1": "100% 10% $200 $50 $10 $5 $0",
            "A7P-2": "100% 10% $200 $50 $10 $4 $0",
            "A7P-3": "100% 10% $200 $50 $10 $3 $0",
            "A7P-4": "Bonus Bonus Bonus Bonus Bonus Bonus Bonus",
        },
    },
    "texas-shootout": {
        "quick-draw": {
            "events": "four-of-a-kind-suited royal-flush straight-flush four-of-a-kind straight flush "
            "three-of-a-kind two-pair suited-pair pair-of-jacks-or-better pair-of-eights-or-better any-pair",
            "TS/QD 1": "500 250 75 40 10 8 7 5 3 1 - -",
            "TS/QD 2": "200 100 50 20 10 9 7 5 3 1 - -",
            "TS/QD 3": "250 125 75 30 9 7 5 3 - 2 2 -",
            "TS/QD 4": "200 100 60 25 9 7 5 3 - 2 2 -",
            "TS/QD 5": "100 50 30 12 5 4 3 2 1 1 1 1",
            "TS/QD 6": "200 100 50 20 5 4 3 2 1 1 1 1",
            "TS/QD 7": "100 50 30 12 5 5 3 2 1 1 1 1",
            "TS/QD 8": "100 50 25 12 6 5 3 2 1 1 1 1",
        },
        "shootout-bonus": {
            "events": "five-of-a-kind-suited royal-flush straight-flush five-of-a-kind four-of-a-kind full-house "
            "flush straight three-of-a-kind",
            "TS/SB 1": "5,000 500 100 50 5 3 2 1 -",
            "TS/SB 2": "1,000 200 75 40 7 3 2 1 -",
            "TS/SB 3": "1,000 200 75 40 7 3 2 2 -",
            "TS/SB 4": "1,000 200 75 40 7 3 2 1 Push",
            "TS/SB 5": "50 100 75 50 7 2 2 2 1",
            "TS/SB 6": "20 100 50 20 5 3 2 2 1",
            "TS/SB 8": "8 8 8 8 8 8 - - -",
        },
        "jackpot": {
            "events": "five-of-a-kind-suited royal-flush straight-flush five-of-a-kind four-of-a-kind full-house",
            "TS/JP 1": "Bonus 500 100 50 5 3",
            "TS/JP 3": "100% 25% 100 50 5 3",
            "TS/JP 4": "100% 50% 100 50 5 3",
            "TS/JP 5": "100% 100% 175 50 20 -",
            "TS/JP 6": "100% 100% 200 40 20 -",
        },
    },
    "dueling-for-dollars": {
        "tie-plus": {
            "events": "suited-pair-tie unsuited-pair-tie",
            "PT-FLT-DFD-TP-01": "12 12",
            "PT-FLT-DFD-TP-02": "18 10",
            "PT-FLT-DFD-TP-03": "20 10",
        },
        "combo": {
            "events": "pair straight-flush straight-or-flush",
            "PT-FLT-DFD-CB-01": "2 2 1",
            "PT-FLT-DFD-CB-02": "3:2 3 1",
            "PT-FLT-DFD-CB-03": "2 2.5 1",
        },
        "tie-after-tie": {
            "events": "quads-same-suit quads-same-color quads-two-color two-pairs-same-color trips-same-color "
            "trips-two-color two-pairs-two-color one-tie-one-color one-tie-two-color not-a-tie",
            "PT-BJS-DFD-TAT-02": "100% $500 $100 $50 $25 $15 $10 $4 $3 $0",
            "PT-BJS-DFD-TAT-03": "100% 100% 10% $100 $50 $20 $10 $4 $2 $0",
            "PT-BJS-DFD-TAT-04": "100% 20% $100 $50 $25 $15 $10 $4 $4 $0",
        },
        "two-plus-two": {
            "events": "royal-flush four-card-straight-flush four-of-a-kind three-card-straight-flush "
            "three-of-a-kind starting-straight-flush starting-pair",
            "PT-BJS-DFD-22-03": "100% 10% $100 $30 $15 $3 $2",
            "PT-BJS-DFD-22-02": "100% $500 $100 $30 $15 $3 $2",
        },
    },
    "three-card-double-play": {
        "high-low": {
            "events": "mini-royal straight-flush trips straight flush pair high-cards",
            "LWB1": "50 10 5 4 3 1.5 1.5",
            "LWB2": "2 2 2 2 2 2 2",
            "LWB3": "50 10 5 3 3 1.5 1.5",
            "LWB4": "2 2 2 2 2 2 1.5",
            "LWB5": "50 10 5 3 2 2 1",
            "LWB6": "2 2 2 2 2 2 1",
        },
        "pick-3": {
            "events": "double-mini-royal mini-royal-and-trips-or-straight-flush double-trips-or-straight-flush "
            "one-mini-royal single-trips-or-straight-flush double-pairs double-flush-or-straight other",
            "P3-1": "500 100 50 20 5 2 - Loss",
            "P3-2": "500 200 100 50 5 1 - Loss",
            "P3-6": "200 100 50 40 6 1 - Loss",
            "P3-9": "Bonus Bonus Bonus Bonus Bonus Bonus - Loss",
            "P3-10": "500 100 50 20 5 - 5 Loss",
            "P3-15": "500 200 40 15 6 - 5 Loss",
            "P3-16": "30 30 5 30 5 - 5 Loss",
            "P3-17": "Bonus Bonus Bonus Bonus Bonus - Bonus Loss",
        },
        "pick-5": {
            "events": "royal-flush straight-flush quads full-house flush straight trips two-pairs other",
            "P5-1": "500 100 40 15 10 5 3 2 Loss",
            "P5-2": "500 100 40 15 10 6 3 2 Loss",
            "P5-4": "500 100 75 15 10 6 3 2 Loss",
            "P5-5": "500 100 50 20 10 6 3 2 Loss",
        },
        "super-3s": {
            "events": "double-mini-royal mini-royal-with-straight-flush mini-royal-with-trips "
            "double-trips-or-straight-flush one-mini-royal one-trips-or-straight-flush other",
            "S3J-1": "100% 10% $1,000 $400 $50 $3 $0",
            "S3J-2": "100% 10% 10% $500 $50 $3 $0",
            "S3J-3": "100% 100% $1,000 $400 $50 $3 $0",
            "S3J-4": "100% $1,000 $1,000 $400 $50 $3 $0",
        },
        "super-six": {
            "events": "six-card-straight-flush five-card-royal-flush five-card-straight-flush four-of-a-kind "
            "full-house flush straight three-of-a-kind-or-less",
            "S6J-1": "100% 10% $400 $75 $15 $12 $10 $0",
            "S6J-2": "100% 10% $400 $75 $20 $10 $10 $0",
            "S6J-3": "100% 10% $400 $75 $20 $15 $8 $0",
            "S6J-4": "100% 10% $400 $75 $20 $15 $6 $0",
            "S6J-5": "Jackpot Jackpot Bonus Bonus Bonus Bonus Bonus Bonus",
        },
    },
}


@pytest.mark.parametrize(
    ("game", "wager", "name"),
    [
        (game, wager, name)
        for game, wagers in TYPED.items()
        for wager, tables in wagers.items()
        for name in tables
        if name != "events"
    ],
)
def test_the_table_has_the_events_and_cells_of_the_sheet(game: str, wager: str, name: str) -> None:
    typed = TYPED[game][wager]
    pairs = zip(typed["events"].split(), typed[name].split(), strict=True)
    lines = paytable(game, wager, name).lines
    assert [(line.trigger, line.cell) for line in lines] == [pair for pair in pairs if pair[1] != "-"]


@pytest.mark.parametrize(
    ("wager", "feature", "name", "cells"),
    [
        ("shootout-bonus", "envy-or-share", "TS/BF 1", "five-of-a-kind-suited $1,000 royal-flush $250"),
        ("shootout-bonus", "envy-or-share", "TS/BF 1", "straight-flush $50 five-of-a-kind $10"),
        ("shootout-bonus", "color", "TS/CB 1", "seven-cards-same-color $30"),
        ("shootout-bonus", "color", "TS/CB 2", "seven-cards-same-color $25"),
        ("shootout-bonus", "color", "TS/CB 3", "seven-cards-same-color $20"),
        ("shootout-bonus", "color", "TS/CB 4", "seven-cards-same-color Bonus"),
        ("jackpot", "envy-or-share", "TS/BF 3", "five-of-a-kind-suited Bonus royal-flush Bonus"),
        ("jackpot", "five-ace-frenzy", "TS/FAF 1", "five-aces Bonus"),
    ],
)
def test_the_features_of_texas_shootout_have_the_cells_of_the_sheet(
    wager: str, feature: str, name: str, cells: str
) -> None:
    table = paytable("texas-shootout", wager, name, feature)
    typed = cells.split()
    for event, cell in zip(typed[::2], typed[1::2], strict=True):
        line = table.find_matching_line([event])
        assert line is not None
        assert line.cell == cell


@pytest.mark.parametrize(("name", "straight_flush"), [("PT-FLT-DFD-CB-04", "5"), ("PT-FLT-DFD-CB-05", "4")])
def test_a_pair_is_a_printed_loss_on_the_last_two_combo_tables(name: str, straight_flush: str) -> None:
    lines = paytable("dueling-for-dollars", "combo", name).lines
    assert [(line.trigger, line.cell) for line in lines] == [
        ("straight-flush", straight_flush),
        ("straight", "2"),
        ("flush", "1"),
        ("pair", "loss"),
    ]
