"""A chart on paper: one frame for all of them, written as SVG or PNG without a browser or a network.

Where things stand never depends on how wide a font is, because the fonts of another machine are others: the same
figures give the same file everywhere. PNG is set by typst, which brings its fonts along.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

import altair as alt
import typst
import vl_convert

from cardroom.faults import BadInput
from cardroom.reports.palette import BLACK, GRID, PAPER, QUIET_INK
from cardroom.reports.paper.writing import form_of, refuse_unwritable, write_bytes

FONT: Final = "Libertinus Serif, Georgia, Times New Roman, serif"
WIDTH: Final = 640
"""Of every chart, in pixels, so that they stand one under the other."""
MARGIN_RIGHT: Final = 24
TITLE_SIZE: Final = 15
LABEL_SIZE: Final = 12
LETTER: Final = 5.7
"""About the width of a letter of a label, in pixels."""
TITLE_LETTERS: Final = int(WIDTH / TITLE_SIZE / 0.46)
SUBTITLE_LETTERS: Final = int(WIDTH / LABEL_SIZE / 0.46)
"""How many letters surely fit on a line above a chart."""
PNG_PIXELS_PER_INCH: Final = 192


class BadChart(BadInput):
    """A chart that cannot be drawn or written."""


@dataclass(frozen=True)
class Chart:
    """A chart that is ready to be drawn."""

    title: str
    """What it shows, in a sentence."""
    spec: dict[str, Any]
    """In Vega-Lite's language."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands round the drawing."""

    title: str
    source: str
    height: int
    left: int = 84
    """Room for the labels of the upright axis."""
    right: int = MARGIN_RIGHT
    subtitle: str = ""

    @property
    def width(self) -> int:
        return WIDTH - self.left - self.right


def rows(values: Sequence[dict[str, Any]]) -> alt.InlineData:
    """Figures for one layer of a drawing."""
    return alt.InlineData(values=list(values))


def room_for(labels: Sequence[str]) -> int:
    """The room that labels beside the upright axis need."""
    return ceil(max(map(len, labels), default=0) * LETTER) + 20


def x_axis(title: str, **more: Any) -> alt.Axis:
    """An axis at the bottom; its title says the unit."""
    return alt.Axis(title=title, minExtent=26, maxExtent=26, labelLimit=0, **more)


def y_axis(title: str | None, left: int, **more: Any) -> alt.Axis:
    """An axis at the left."""
    extent = left - (24 if title else 4)
    return alt.Axis(title=title, minExtent=extent, maxExtent=extent, labelLimit=0, labelPadding=5, **more)


def signed_ticks(digits: int) -> str:
    """Labels of an axis with their sign, except for zero: an expression in Vega's language."""
    return f"datum.value == 0 ? '0' : format(datum.value, '+.{digits}f')"


def balanced(text: str, letters: int) -> list[str]:
    """As few lines as the text needs, about equally long: no number stands alone on the last one.

    >>> balanced("the house keeps 2.356%; the flush gives most, +0.1988", 48)
    ['the house keeps 2.356%; the', 'flush gives most, +0.1988']
    """
    held = text.replace(" ± ", _HELD_TOGETHER)
    lines = wrap(held, letters)
    for narrower in range(letters - 1, 0, -1):
        tried = wrap(held, narrower, break_long_words=False)
        if len(tried) > len(lines):
            break
        lines = tried
    return [line.replace(_HELD_TOGETHER, " ± ") for line in lines]


_HELD_TOGETHER: Final = "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}"


def end_labels(bars: alt.Chart, value: str, told: str) -> list[alt.Chart]:
    """A label beyond the end of each bar: to the left of what is below zero, to the right of the others."""
    below, above = bars.transform_filter(f"datum.{value} < 0"), bars.transform_filter(f"datum.{value} >= 0")
    return [
        below.mark_text(fontSize=11, color=BLACK, align="right", dx=-4).encode(x=f"{value}:Q", text=f"{told}:N"),
        above.mark_text(fontSize=11, color=BLACK, align="left", dx=4).encode(x=f"{value}:Q", text=f"{told}:N"),
    ]


def framed(layers: Sequence[alt.Chart], frame: Frame) -> Chart:
    """Layers of marks in a frame with title and source."""
    title = balanced(frame.title, TITLE_LETTERS)
    subtitle = balanced(frame.subtitle, SUBTITLE_LETTERS)
    above = 18 + (TITLE_SIZE + 4) * len(title) + (LABEL_SIZE + 3) * max(len(subtitle), 1)
    source = (
        alt.Chart(rows([{"source": f"Source: {frame.source}"}]))
        .mark_text(align="left", baseline="top", fontSize=11, color=QUIET_INK)
        .encode(text="source:N", x=alt.value(6 - frame.left), y=alt.value(frame.height + 54))
    )
    drawn = (
        alt.layer(*layers, source)
        .properties(
            width=frame.width,
            height=frame.height,
            autosize=alt.AutoSizeParams(type="none"),
            padding={"left": frame.left, "right": frame.right, "top": above, "bottom": 72},
            title=alt.TitleParams(
                text=title, subtitle=subtitle, anchor="start", frame="group", dx=6 - frame.left, offset=12
            ),
        )
        .configure(background=PAPER, font=FONT)
        .configure_view(stroke=None)
        .configure_title(
            fontSize=TITLE_SIZE,
            fontWeight="bold",
            color=BLACK,
            subtitleFontSize=LABEL_SIZE,
            subtitleColor=QUIET_INK,
            limit=0,
        )
        .configure_axis(
            labelFontSize=LABEL_SIZE,
            titleFontSize=LABEL_SIZE,
            titleFontWeight="normal",
            titleColor=QUIET_INK,
            labelColor=BLACK,
            gridColor=GRID,
            domainColor=QUIET_INK,
            tickColor=QUIET_INK,
            labelOverlap=False,
            labelFlush=False,
        )
    )
    return Chart(frame.title, drawn.to_dict())


def svg(chart: Chart) -> str:
    """The chart as SVG."""
    drawn: str = vl_convert.vegalite_to_svg(chart.spec, allowed_base_urls=[])
    return drawn


_PAGE: Final = """
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg")
"""


def png(chart: Chart) -> bytes:
    """The chart as a bitmap."""
    drawn = typst.compile(
        _PAGE.encode(),
        format="png",
        ppi=PNG_PIXELS_PER_INCH,
        sys_inputs={"svg": svg(chart)},
        ignore_system_fonts=True,
    )
    assert isinstance(drawn, bytes), "one page is one file"
    return drawn


class ChartForm(StrEnum):
    """What a chart is written as; the value is the file's suffix."""

    SVG = ".svg"
    PNG = ".png"


def chart_form(path: Path) -> ChartForm:
    """By the suffix of a file."""
    return form_of(path, ChartForm, "A chart is written as .svg or .png", BadChart)


def refuse_chart_file(path: Path | str) -> None:
    """Say at once that a chart cannot be written there, before the work that it is for."""
    chart_form(Path(path))
    refuse_unwritable(Path(path))


def write_chart(chart: Chart, path: Path | str) -> None:
    """Write a chart as .svg or .png."""
    path = Path(path)
    drawn = svg(chart).encode() if chart_form(path) is ChartForm.SVG else png(chart)
    write_bytes(path, drawn)
