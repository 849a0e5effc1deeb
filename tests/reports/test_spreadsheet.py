"""A text that a spreadsheet would convert has a leading apostrophe; every other text is unchanged."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.reports.accounting.export import text_cell
from tests.examples import examples

CONVERTED = {
    "formula": ["=1+1", "+1", "-1", "@A1", " =1+1", "\t=1", "\r1", "\n=1", "\uff1d1"],
    "date": [
        "1/8", "10-2", "mar-1", "Dec 2026", "1 may", "5.11", "3-4-26", "11/17/2026 ", "sept-12", "5mar", "MARCH1",
        "March 5, 2026", "March 5th, 2026", "Monday, March 5, 2026", "2026-03-05", "5.3.2026",
    ],
    "time": ["10:30", "1:30 pm", "8 pm", "8pm", "8 P", "8 p.m.", "10:30:05.5", "24:00"],
    "date with a time": [
        "1/2/26 10:00", "1/2/26 8 pm", "2026-03-05T10:00:00Z", "2026-03-05 10:00", "5 mar 2026 8:00 AM",
    ],
    "leading zeros": ["0012", "00", "007"],
    "exponent": ["1E5", "1e+5", "2.5E-3", "12D4", ".5e3"],
    "percent": ["5%", "12.5 %"],
    "fraction": ["1 1/2", "3/4"],
    "currency": ["$5", "$1,250.00", "5 $", "\u20ac5", "USD 5", "US$5", "($5)", "(5)"],
    "number": ["1,077", "1.10", "12345.10", ".5", "5.", "1 077", "1,3"],
    "boolean": ["true", "FALSE", "True ", "#N/A", "#REF!"],
    "long digits": ["1234567890123456", "4111 1111 1111 1111", "12345678901234567890"],
}  # fmt: skip
LEFT = [
    "", "final-four", "prime-1.17", "PRW-2", "Marigold", "Marigold 7", "1077", "0", "123456789012345", "check 1077",
    "Ann Lee", "T-1002", "a-1", "table-1", "live-1.2", "7c", "Jd Qd Kd", "10 to 1", "1 in 75.0", "May", "8 players",
    "reading evening-7", "trueman", "round 12",
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in CONVERTED.items() for text in texts])
def test_a_text_that_a_spreadsheet_would_convert_has_an_apostrophe(kind: str, text: str) -> None:
    assert text_cell(text) == f"'{text}", kind


@pytest.mark.parametrize("text", LEFT)
def test_a_text_that_no_spreadsheet_converts_is_unchanged(text: str) -> None:
    assert text_cell(text) == text


READERS: tuple[Callable[[str], object], ...] = (float, Fraction, datetime.fromisoformat)


def is_a_value(text: str) -> bool:
    for read in READERS:
        with suppress(ValueError, ZeroDivisionError):
            read(text)
            return True
    return False


@settings(max_examples=examples(600))
@given(text=st.text("0123456789eE+-./: T", min_size=1, max_size=12))
def test_what_reads_as_a_number_or_a_time_is_the_same_number_or_has_an_apostrophe(text: str) -> None:
    cell = text_cell(text)
    assert cell in (text, f"'{text}")
    if is_a_value(text.strip()):
        assert cell.startswith("'") or str(int(text)) == text.strip()


FORMATS = (
    "%m/%d/%y", "%m/%d/%Y %I:%M %p", "%B %d, %Y", "%b %d", "%d%b%Y", "%A, %B %d, %Y", "%I %p", "%I%p", "%H:%M:%S",
    "%Y-%m-%dT%H:%M:%SZ", "%d.%m.%Y %H:%M", "%B-%y",
)  # fmt: skip


@settings(max_examples=examples(300))
@given(moment=st.datetimes(), written=st.sampled_from(FORMATS))
def test_every_format_of_a_time_has_an_apostrophe(moment: datetime, written: str) -> None:
    text = moment.strftime(written)
    assert text_cell(text) == f"'{text}"


@settings(max_examples=examples(300))
@given(number=st.integers(0, 10**20))
def test_a_whole_number_is_unchanged_if_a_spreadsheet_keeps_its_digits(number: int) -> None:
    assert text_cell(str(number)) == (str(number) if number < 10**15 else f"'{number}")
