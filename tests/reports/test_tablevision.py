"""The pictures of displays: all required texts are on them, and color is never the only sign."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cardroom.reports.displays.board import BadPicture
from cardroom.reports.displays.drawing import text_width, wrap_text
from cardroom.reports.displays.pictures import COLUMNS, PITCH, display_png, display_svg, write_display
from cardroom.room.descriptions.displays import Display, JackpotReading, LedLine, LevelReading
from cardroom.room.setup.jackpot import JackpotKind
from tests.room.display_text import BONUS, GRAND, PROGRESSIVE, board, led, shown

PENDING = GRAND._replace(pending=(9_876_54_00,))
CLOSED = GRAND._replace(available=False)
TWO = ("final-four", "all-seven")
ONE = ("final-four",)
PRIME = "three-card-prime"
SVG = "{http://www.w3.org/2000/svg}"

CASES: dict[str, tuple[str, str, tuple[str, ...], JackpotKind, JackpotReading]] = {
    "a monitor with one progressive": (PRIME, "andromeda-3c", ONE, PROGRESSIVE, GRAND),
    "a monitor with two progressives": (PRIME, "andromeda-3d", TWO, PROGRESSIVE, GRAND),
    "a monitor with two bonus jackpots": (PRIME, "andromeda-3d", TWO, BONUS, GRAND),
    "a monitor with a pending prize": (PRIME, "andromeda-3c", ONE, PROGRESSIVE, PENDING),
    "a monitor with two pending prizes": (PRIME, "andromeda-3c", TWO, PROGRESSIVE, PENDING),
    "a monitor of closed jackpots": (PRIME, "andromeda-3c", TWO, PROGRESSIVE, CLOSED),
    "the longest paytables": ("dueling-for-dollars", "andromeda-3d", ("tie-after-tie", "two-plus-two"), BONUS, PENDING),
    "a sign and a frame": ("deuces-wild", "andromeda-1", ("bonus-jackpot",), BONUS, GRAND),
    "a sign and a frame with a progressive": (PRIME, "milky-way", ONE, PROGRESSIVE, GRAND),
    "a sign and a frame of a closed jackpot": ("texas-shootout", "milky-way", ("jackpot",), BONUS, CLOSED),
}


def drawn(display: Display) -> ET.Element:
    return ET.fromstring(display_svg(display))


def read(display: Display) -> str:
    """All text of a picture, in one line."""
    return " ".join("".join(element.itertext()) for element in drawn(display).iter(f"{SVG}text"))


def labels(display: Display) -> list[str]:
    return [element.get("aria-label", "") for element in drawn(display).iter() if element.get("role") == "img"]


@pytest.mark.parametrize("case", CASES)
def test_every_display_can_be_drawn_at_the_size_of_its_screen(case: str) -> None:
    for display in shown(*CASES[case]):
        picture = drawn(display)
        png = display_png(display)
        assert png.startswith(b"\x89PNG")
        size = (int.from_bytes(png[16:20]), int.from_bytes(png[20:24]))
        assert size == (int(picture.get("width", "")), int(picture.get("height", "")))


@pytest.mark.parametrize("case", CASES)
def test_every_notice_is_on_the_picture_word_for_word(case: str) -> None:
    for display in shown(*CASES[case]):
        if not isinstance(display, LedLine):
            text = re.sub(r"\s+", " ", read(display))
            assert all(word in text for notice in display.notices for word in notice.split())
            # Lines are laid out from the bottom up, so the test looks for a notice line by line.
            lines = ["".join(element.itertext()) for element in drawn(display).iter(f"{SVG}text")]
            upwards = " ".join(reversed(lines))
            assert all(notice in upwards for notice in display.notices)


@pytest.mark.parametrize("case", CASES)
def test_no_word_leaves_the_picture(case: str) -> None:
    for display in shown(*CASES[case]):
        picture = drawn(display)
        _, _, width, height = map(float, picture.get("viewBox", "").split())
        for element in picture.iter(f"{SVG}text"):
            text, size, x, y = (
                "".join(element.itertext()), *(float(element.get(name, "0")) for name in ("font-size", "x", "y")),
            )  # fmt: skip
            wide = text_width(text, size, bold=element.get("font-weight") == "700")
            left = {"start": x, "middle": x - wide / 2, "end": x - wide}[element.get("text-anchor", "start")]
            assert left >= 0
            assert left + wide <= width
            assert size <= y <= height
            assert size >= 17


@pytest.mark.parametrize("case", CASES)
def test_texts_do_not_overlap(case: str) -> None:
    for display in shown(*CASES[case]):
        boxes = []
        for element in drawn(display).iter(f"{SVG}text"):
            text, size, x, y = (
                "".join(element.itertext()), *(float(element.get(name, "0")) for name in ("font-size", "x", "y")),
            )  # fmt: skip
            wide = text_width(text, size) * 0.98
            left = {"start": x, "middle": x - wide / 2, "end": x - wide}[element.get("text-anchor", "start")]
            boxes.append((left, left + wide, y - size * 0.7, y, text))
        for at, one in enumerate(boxes):
            for other in boxes[at + 1 :]:
                apart = one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]
                assert apart, (one[4], other[4])


def test_the_amount_is_drawn_digit_by_digit_and_readable_by_screen_readers() -> None:
    assert "$12,345.67" in labels(board(PRIME, "andromeda-3c", ONE))


def test_pending_and_unavailable_are_shown_as_text() -> None:
    assert "JACKPOT PENDING" in read(board(PRIME, "andromeda-3c", ONE, PROGRESSIVE, PENDING))
    closed = board(PRIME, "andromeda-3c", ONE, PROGRESSIVE, CLOSED)
    assert "NOT AVAILABLE" in read(closed)
    assert labels(closed) == []


def test_the_kind_of_a_jackpot_is_shown_as_text() -> None:
    assert "PROGRESSIVE JACKPOT" in read(board(PRIME, "andromeda-3c", ONE, PROGRESSIVE))
    assert "BONUS JACKPOT" in read(board(PRIME, "andromeda-3c", ONE, BONUS))


def test_an_led_sign_runs_its_text_and_is_readable_by_screen_readers() -> None:
    sign = led("deuces-wild", "andromeda-1", ("bonus-jackpot",), BONUS)
    picture = drawn(sign)
    described = picture.findtext(f"{SVG}desc") or ""
    assert sign.running in described
    assert next(picture.iter(f"{SVG}animateTransform")).get("repeatCount") == "indefinite"


@pytest.mark.parametrize("cents", [0, 12_345_67, 9_999_999_99])
def test_the_largest_amount_fits_on_a_sign(cents: int) -> None:
    reading = JackpotReading("Grand", (LevelReading("Grand", cents * 100),))
    amount = next(drawn(led(PRIME, "milky-way", ONE, PROGRESSIVE, reading)).iter(f"{SVG}path"))
    columns = [int(x) for x in re.findall(r"M(-?\d+) ", amount.get("d", ""))]
    assert min(columns) >= 0
    assert max(columns) < COLUMNS * PITCH


def test_names_with_special_characters_are_drawn_unchanged() -> None:
    reading = JackpotReading("Bets & <Bonus>", GRAND.levels)
    assert "Bets & <Bonus>" in read(board(PRIME, "andromeda-3c", ONE, PROGRESSIVE, reading))


def test_too_many_promotions_for_a_display_are_refused() -> None:
    crowded = board(PRIME, "andromeda-3c", ONE, promotions=tuple(f"Promotion {number}" for number in range(9)))
    with pytest.raises(BadPicture, match="fewer promotions"):
        display_svg(crowded)


def test_a_display_of_a_table_without_a_jackpot_can_be_drawn() -> None:
    empty = board(PRIME, "andromeda-3c", ONE, PROGRESSIVE, GRAND)._replace(panels=())
    assert empty.table in read(empty)


def test_the_same_display_is_the_same_picture() -> None:
    display = led(PRIME, "milky-way", ONE)
    assert display_svg(display) == display_svg(display)
    assert display_png(display) == display_png(display)


def test_text_is_broken_between_words() -> None:
    lines = wrap_text("one two three four five", 10, 60)
    assert " ".join(lines) == "one two three four five"
    assert len(lines) > 1
    assert all(text_width(line, 10) <= 60 for line in lines)


def test_a_picture_is_written_as_svg_or_png(tmp_path: Path) -> None:
    display = board(PRIME, "andromeda-3c", ONE)
    write_display(display, tmp_path / "table-7.svg")
    write_display(display, tmp_path / "table-7.png")
    assert (tmp_path / "table-7.svg").read_text("utf-8") == display_svg(display)
    with pytest.raises(BadPicture, match=r"\.svg or \.png"):
        write_display(display, tmp_path / "table-7.gif")
