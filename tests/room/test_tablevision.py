"""What the displays of a table say."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.games import FeatureSetup, TableSetup, WagerLimits, default_setup, game
from cardroom.room.descriptions.displays import (
    CannotDisplay,
    JackpotReading,
    JackpotStatus,
    LedLine,
    LevelReading,
    build_displays,
    display_to_json,
    displayed_cents,
    format_meter,
)
from cardroom.room.setup.tabulator_models import DisplayKind
from tests.room.display_text import BONUS, GRAND, PROGRESSIVE, board, led, shown
from tests.room.tabulators import prime

PRIME, DEUCES, DUELING, SHOOTOUT = "three-card-prime", "deuces-wild", "dueling-for-dollars", "texas-shootout"
REQUIRED = (
    "Bonus Jackpot prizes are paid by the casino and are not components of any progressive prize contest. Player "
    "wagers do not accrue to any guaranteed player fund. The displayed Bonus Jackpot prize may be modified or "
    "discontinued at any time without prior notice."
)
FOUR_SPOTS = "the players are limited to wagering on a maximum of four of the options."


@pytest.mark.parametrize(("model", "kinds"), [
    ("milky-way", [DisplayKind.LED_LINE, DisplayKind.PICTURE_FRAME]),
    ("andromeda-3c", [DisplayKind.MONITOR]),
    ("andromeda-3d", [DisplayKind.MONITOR]),
])  # fmt: skip
def test_each_model_has_its_own_displays(model: str, kinds: list[DisplayKind]) -> None:
    assert [one.kind for one in shown(PRIME, model, ("final-four",))] == kinds


@pytest.mark.parametrize(("slug", "model", "wager"), [
    (DEUCES, "milky-way", "bonus-jackpot"),
    (DEUCES, "andromeda-1", "bonus-jackpot"),
    (PRIME, "andromeda-3c", "all-seven"),
    (SHOOTOUT, "andromeda-1", "jackpot"),
    (DUELING, "andromeda-3d", "two-plus-two"),
    ("three-card-double-play", "andromeda-3d", "super-six"),
])  # fmt: skip
def test_every_display_of_a_bonus_jackpot_carries_the_required_words_to_the_letter(
    slug: str, model: str, wager: str
) -> None:
    for display in shown(slug, model, (wager,), BONUS):
        said = [display.running] if isinstance(display, LedLine) else display.notices
        assert any(REQUIRED in text for text in said)


def test_a_progressive_says_whose_money_it_is_and_not_the_words_for_bonus_jackpots() -> None:
    notices = board(PRIME, "andromeda-3c", ("final-four",)).notices
    assert any("held in escrow" in notice for notice in notices)
    assert REQUIRED not in notices


def test_two_jackpots_are_two_amounts_side_by_side() -> None:
    panels = board(DUELING, "andromeda-3d", ("tie-after-tie", "two-plus-two")).panels
    assert [panel.jackpot for panel in panels] == ["tie-after-tie", "two-plus-two"]


def test_an_amount_is_shown_in_whole_cents_rounded_down() -> None:
    assert board(PRIME, "andromeda-3c", ("final-four",)).panels[0].amounts[0].cents == 12_345_67
    assert led(PRIME, "milky-way", ("final-four",)).amount == "$12,345.67"


@given(st.integers(0, 10**12))
def test_a_display_never_shows_more_than_the_meter_has(amount: int) -> None:
    assert 0 <= amount - displayed_cents(amount) * 100 < 100
    assert format_meter(displayed_cents(amount)).replace("$", "").replace(",", "").replace(".", "").lstrip("0") == (
        str(displayed_cents(amount)).lstrip("0")
    )


def test_a_percentage_says_what_it_comes_to() -> None:
    lines = board(PRIME, "andromeda-3c", ("final-four",)).panels[0].prizes[0].lines
    assert [(line.prize, line.worth) for line in lines[:3]] == [
        ("100%", "$12,345.67"), ("10%", "$1,234.56"), ("$1,000", ""),
    ]  # fmt: skip


def test_a_percentage_comes_off_the_meter_of_its_own_level() -> None:
    levels = (LevelReading("Grand", 5_000_00_00, ("four-card-diamond-royal",)), LevelReading("Royal", 200_00_00))
    panel = board(PRIME, "andromeda-3c", ("final-four",), reading=JackpotReading("Final Four", levels)).panels[0]
    assert [line.worth for line in panel.prizes[0].lines[:2]] == ["$5,000.00", "$20.00"]


def test_a_line_that_pays_nothing_is_not_shown() -> None:
    lines = board(PRIME, "andromeda-3c", ("final-four",)).panels[0].prizes[0].lines
    assert lines[-1].event == "Initial 3-card straight"


def test_the_prizes_of_dueling_grow_with_the_fixed_wager_on_the_display() -> None:
    def five_dollars(setup: TableSetup) -> TableSetup:
        wager = replace(setup.wagers["tie-after-tie"], limits=WagerLimits(5_00, 5_00, 5_00))
        return replace(setup, wagers=MappingProxyType({**setup.wagers, "tie-after-tie": wager}))

    panel = board(DUELING, "andromeda-3d", ("tie-after-tie",), change=five_dollars).panels[0]
    assert panel.wager == "$5 wager"
    assert [line.prize for line in panel.prizes[0].lines[:3]] == ["100%", "$2,500", "$500"]


def test_a_feature_shows_its_own_prizes() -> None:
    """Five Ace Frenzy pays "a separately displayed prize" (sheet 002, Appendix C, note 8)."""

    def frenzy(setup: TableSetup) -> TableSetup:
        feature = FeatureSetup("five-ace-frenzy", "TS/FAF 1", 2_00, {"five-aces": "$777"})
        wager = replace(setup.wagers["jackpot"], feature=feature)
        return replace(setup, wagers=MappingProxyType({**setup.wagers, "jackpot": wager}))

    _, feature = board(SHOOTOUT, "andromeda-3c", ("jackpot",), change=frenzy).panels[0].prizes
    assert (feature.name, feature.lines[0].prize) == ("Five Ace Frenzy", "$777")
    assert feature.notes == ("Five Ace Frenzy: with a wager of $2, marked by a lammer.",)


def test_a_layout_with_more_spots_than_a_player_may_use_says_so() -> None:
    assert any(FOUR_SPOTS in notice for notice in board(PRIME, "andromeda-3c", ("final-four",)).notices)


def test_a_layout_with_four_spots_needs_no_notice() -> None:
    assert not any(FOUR_SPOTS in notice for notice in board(DEUCES, "andromeda-3c", ("bonus-jackpot",)).notices)


def test_a_tribal_casino_has_no_such_limit() -> None:
    def tribal(setup: TableSetup) -> TableSetup:
        return replace(setup, jurisdiction="tribal")

    def notices(change: Callable[[TableSetup], TableSetup]) -> str:
        return " ".join(board(DUELING, "andromeda-3d", ("tie-after-tie",), change=change).notices)

    assert "limited to wagering" in notices(lambda setup: setup)
    assert "limited to wagering" not in notices(tribal)


def test_limits_promotions_and_the_payout_cap_are_posted() -> None:
    shown_board = board(
        PRIME, "andromeda-3c", ("final-four",), promotions=("Tuesday pays double.",), payout_cap=50_000_00
    )
    assert ("Ante and Play", "$10 to $200") in [(limit.wager, limit.limits) for limit in shown_board.limits]
    assert ("Final Four Jackpot", "$1") in [(limit.wager, limit.limits) for limit in shown_board.limits]
    assert shown_board.promotions == ("Tuesday pays double.",)
    assert "Aggregate payout limit: $50,000 a round." in shown_board.notices


def test_the_payout_limit_of_the_set_up_is_posted() -> None:
    shown_board = board(
        SHOOTOUT, "andromeda-3c", ("jackpot",), change=lambda setup: replace(setup, payout_limit=20_000_00)
    )
    assert "Aggregate payout limit: $20,000 a round." in shown_board.notices


def test_a_ceiling_is_posted() -> None:
    reading = JackpotReading("Grand", (LevelReading("Grand", 100_00_00, ceiling=25_000_00),))
    assert (
        board(PRIME, "andromeda-3c", ("final-four",), reading=reading).panels[0].amounts[0].ceiling == "Maximum $25,000"
    )
    assert "Maximum $25,000" in led(PRIME, "milky-way", ("final-four",), reading=reading).running


def test_a_locked_prize_is_pending_on_every_display_while_the_meter_plays_on() -> None:
    reading = GRAND._replace(pending=(9_876_54_00,))
    panel = board(PRIME, "andromeda-3c", ("final-four",), reading=reading).panels[0]
    assert (panel.status, panel.headline) == (JackpotStatus.PENDING, "Jackpot pending")
    assert panel.message == "A prize of $9,876.54 is being verified."
    assert panel.amounts[0].cents == 12_345_67
    sign, frame = shown(PRIME, "milky-way", ("final-four",), reading=reading)
    assert isinstance(sign, LedLine)
    assert sign.running.startswith("Jackpot pending. A prize of $9,876.54")
    assert "being verified" in json.dumps(display_to_json(frame))


def test_an_unavailable_jackpot_shows_no_amount() -> None:
    reading = GRAND._replace(available=False)
    panel = board(PRIME, "andromeda-3c", ("final-four",), reading=reading).panels[0]
    assert (panel.status, panel.amounts, panel.headline) == (JackpotStatus.UNAVAILABLE, (), "Not available")
    assert not any(line.worth for line in panel.prizes[0].lines)
    assert led(PRIME, "milky-way", ("final-four",), reading=reading).amount == ""


def test_a_picture_frame_never_shows_an_amount_that_moves() -> None:
    moving = board(PRIME, "milky-way", ("final-four",), PROGRESSIVE).panels[0]
    assert (moving.amounts, moving.elsewhere) == ((), "The amount is on the sign.")
    assert board(PRIME, "milky-way", ("final-four",), BONUS).panels[0].amounts[0].cents == 12_345_67


def test_a_display_is_written_down_as_plain_values() -> None:
    for display in shown(PRIME, "milky-way", ("final-four",)):
        entry = display_to_json(display)
        assert json.loads(json.dumps(entry)) == entry
        assert entry["kind"] == display.kind.value


def test_a_jackpot_without_a_reading_cannot_be_shown() -> None:
    table = game(PRIME).open(default_setup(PRIME))
    with pytest.raises(CannotDisplay):
        build_displays(table, prime(), {"final-four": GRAND})


def test_a_wager_that_the_table_does_not_offer_cannot_be_shown() -> None:
    setup = default_setup(PRIME)
    few = {slug: wager for slug, wager in setup.wagers.items() if slug != "all-seven"}
    table = game(PRIME).open(replace(setup, wagers=MappingProxyType(few)))
    with pytest.raises(CannotDisplay):
        build_displays(table, prime(), {"final-four": GRAND, "all-seven": GRAND})
