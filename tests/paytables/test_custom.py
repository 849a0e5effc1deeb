from fractions import Fraction
from pathlib import Path

import pytest

from cardroom.paytables import BadPaytable, Basis, Loss, Percent, ToOne, load_paytable

GENEROUS = """
game = "three-card-prime"
wager = "prime"
name = "generous"
basis = "to 1"

[lines]
same-color-player-and-dealer = "9:2"
same-color-player = "3"
other = "loss"
"""


def test_a_custom_table_keeps_the_order_of_its_lines() -> None:
    table = load_paytable(GENEROUS)
    assert (table.game, table.wager, table.name, table.basis) == (
        "three-card-prime",
        "prime",
        "generous",
        Basis.TO_ONE,
    )
    assert [(line.trigger, line.pay) for line in table.lines] == [
        ("same-color-player-and-dealer", ToOne(Fraction(9, 2))),
        ("same-color-player", ToOne(Fraction(3))),
        ("other", Loss()),
    ]
    assert table.lines[0].label == "Same Color Player and Dealer Hands"
    assert table.columns == ()


def test_a_custom_table_is_read_from_a_file_by_path_or_by_name(tmp_path: Path) -> None:
    file = tmp_path / "generous.toml"
    file.write_text(GENEROUS)
    assert load_paytable(file) == load_paytable(str(file)) == load_paytable(GENEROUS)


def test_a_jackpot_may_pay_a_share_of_its_meter() -> None:
    table = load_paytable(
        'game = "three-card-prime"\nwager = "all-seven"\nname = "half"\nbasis = "for 1"\n'
        'lines = { seven-card-straight-flush = "50%" }'
    )
    assert table.lines[0].pay == Percent(Fraction(1, 2))


def test_a_custom_table_may_be_for_a_feature() -> None:
    table = load_paytable(
        'game = "texas-shootout"\nwager = "shootout-bonus"\nfeature = "color"\nname = "bright"\nbasis = "for 1"\n'
        'lines = { seven-cards-same-color = "$40" }'
    )
    assert table.feature == "color"


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ('"prime"', '"primo"', 'no wager "primo"; its wagers are '),
        ('"three-card-prime"', '"poker"', "the games are "),
        ('"to 1"', '"to one"', '"to one" is no basis for odds; write "to 1" or "for 1".'),
        ('basis = "to 1"', "", 'does not say its "basis"; it needs "game", "wager", '),
        ('"generous"', '"PRW-1"', "needs a name of its own"),
        ('"generous"', '""', "needs a name of its own"),
        ('"generous"', "5", "The name of the paytable is not text; "),
        ('name = "generous"', 'name = "generous"\ncolor = "red"', 'has no "color"; it may say '),
        ('name = "generous"', 'name = "generous"\nfeature = "color"', "its features are none"),
        ("same-color-player =", "pair =", 'no event "pair"; its events are "same-color-player-and-dealer", '),
        ('"3"', "3", 'is not text; write same-color-player = "5" with quotes.'),
        ('"3"', '"three"', 'The pay of "same-color-player" cannot be read: "three" is not a pay; write '),
        ('"3"', '"25%"', 'has no meter, so "same-color-player" cannot pay 25% of the meter; '),
        ('"3"', '"jackpot"', "has no meter"),
        ('name = "generous"', "name = generous", "is not TOML: "),
        ("[lines]", "lines = {}\n[lines.more]", "is not TOML"),
    ],
)
def test_a_faulty_table_gets_a_sentence_that_names_the_fault(right: str, wrong: str, sentence: str) -> None:
    with pytest.raises(BadPaytable) as refusal:
        load_paytable(GENEROUS.replace(right, wrong))
    assert sentence in str(refusal.value)


def test_a_table_without_lines_is_refused() -> None:
    with pytest.raises(BadPaytable):
        load_paytable(GENEROUS.split("same-color")[0])


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadPaytable):
        load_paytable(tmp_path / "nowhere.toml")


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "picture.toml"
    file.write_bytes(b"\xff\x00")
    with pytest.raises(BadPaytable):
        load_paytable(file)


def test_no_custom_table_pays_a_losing_flush() -> None:
    losing_flush = (
        'game = "three-card-prime"\nwager = "ante-play"\nname = "kind"\nbasis = "to 1"\n'
        'lines = { mini-royal = "10", bad-beat-flush-and-lower = "1" }'
    )
    with pytest.raises(BadPaytable):
        load_paytable(losing_flush)
    assert load_paytable(losing_flush.replace('"1"', '"loss"')).lines[1].pay == Loss()
