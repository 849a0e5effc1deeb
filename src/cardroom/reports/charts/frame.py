"""The frame of every chart, and its source line, written as SVG or PNG without a browser or a network.

Positions never depend on how wide a font is, because another machine has other fonts: the same figures give the same
file everywhere. PNG is set by typst, which includes its fonts.
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

from cardroom import __version__
from cardroom.errors import BadInput
from cardroom.games import game
from cardroom.odds import Odds
from cardroom.reports.documents.files import check_writable, file_format, write_bytes
from cardroom.reports.palette import BLACK, GRID, PAPER, QUIET_INK

FONT: Final = "Libertinus Serif, Georgia, Times New Roman, serif"
WIDTH: Final = 640
"""The width of every chart, in pixels, so that charts align."""
MARGIN_RIGHT: Final = 24
TITLE_SIZE: Final = 15
LABEL_SIZE: Final = 12
LETTER_WIDTH: Final = 5.7
"""About the width of a letter of a label, in pixels."""
TITLE_LETTERS: Final = int(WIDTH / TITLE_SIZE / 0.46)
SUBTITLE_LETTERS: Final = int(WIDTH / LABEL_SIZE / 0.46)
"""The number of letters that fit on a line above a chart."""
PNG_PIXELS_PER_INCH: Final = 192


class BadChart(BadInput):
    """The chart cannot be drawn or written."""


@dataclass(frozen=True)
class Chart:
    """A chart, ready to be drawn."""

    title: str
    """What it shows, as a sentence."""
    spec: dict[str, Any]
    """The Vega-Lite specification."""


@dataclass(frozen=True, slots=True)
class ChartFrame:
    """The frame of a drawing: title, note, and source."""

    title: str
    source: str
    height: int
    left_margin: int = 84
    """The width of the labels of the vertical axis."""
    right_margin: int = MARGIN_RIGHT
    subtitle: str = ""

    @property
    def width(self) -> int:
        return WIDTH - self.left_margin - self.right_margin


def inline_rows(values: Sequence[dict[str, Any]]) -> alt.InlineData:
    """The data of one layer of a drawing."""
    return alt.InlineData(values=list(values))


def label_width(labels: Sequence[str]) -> int:
    """The width that labels beside the vertical axis need."""
    return ceil(max(map(len, labels), default=0) * LETTER_WIDTH) + 20


def x_axis(title: str, **options: Any) -> alt.Axis:
    """A horizontal axis; its title has the unit."""
    return alt.Axis(title=title, minExtent=26, maxExtent=26, labelLimit=0, **options)


def y_axis(title: str | None, left_margin: int, **options: Any) -> alt.Axis:
    """A vertical axis."""
    extent = left_margin - (24 if title else 4)
    return alt.Axis(title=title, minExtent=extent, maxExtent=extent, labelLimit=0, labelPadding=5, **options)


def signed_ticks(digits: int) -> str:
    """A Vega expression for axis labels with a sign, except for zero."""
    return f"datum.value == 0 ? '0' : format(datum.value, '+.{digits}f')"


def balance_lines(text: str, letters: int) -> list[str]:
    """The text in as few lines as it needs, about equally long, so that no number is alone on the last line.

    >>> balance_lines("the house keeps 2.356%; the flush gives most, +0.1988", 48)
    ['the house keeps 2.356%; the', 'flush gives most, +0.1988']
    """
    joined_text = text.replace(" ± ", _NONBREAKING_PLUS_MINUS)
    lines = wrap(joined_text, letters)
    for narrower in range(letters - 1, 0, -1):
        tried = wrap(joined_text, narrower, break_long_words=False)
        if len(tried) > len(lines):
            break
        lines = tried
    return [line.replace(_NONBREAKING_PLUS_MINUS, " ± ") for line in lines]


_NONBREAKING_PLUS_MINUS: Final = "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}"


def end_labels(bars: alt.Chart, value: str, label_field: str) -> list[alt.Chart]:
    """A label beyond the end of each bar: on the left of negative bars, on the right of the others."""
    negative_bars, other_bars = (
        bars.transform_filter(f"datum.{value} < 0"),
        bars.transform_filter(f"datum.{value} >= 0"),
    )
    return [
        negative_bars.mark_text(fontSize=11, color=BLACK, align="right", dx=-4).encode(
            x=f"{value}:Q", text=f"{label_field}:N"
        ),
        other_bars.mark_text(fontSize=11, color=BLACK, align="left", dx=4).encode(
            x=f"{value}:Q", text=f"{label_field}:N"
        ),
    ]


def build_chart(layers: Sequence[alt.Chart], frame: ChartFrame) -> Chart:
    """Layers of marks in a frame with title and source."""
    title = balance_lines(frame.title, TITLE_LETTERS)
    subtitle = balance_lines(frame.subtitle, SUBTITLE_LETTERS)
    title_height = 18 + (TITLE_SIZE + 4) * len(title) + (LABEL_SIZE + 3) * max(len(subtitle), 1)
    source = (
        alt.Chart(inline_rows([{"source": f"Source: {frame.source}"}]))
        .mark_text(align="left", baseline="top", fontSize=11, color=QUIET_INK)
        .encode(text="source:N", x=alt.value(6 - frame.left_margin), y=alt.value(frame.height + 54))
    )
    layered = (
        alt.layer(*layers, source)
        .properties(
            width=frame.width,
            height=frame.height,
            autosize=alt.AutoSizeParams(type="none"),
            padding={"left": frame.left_margin, "right": frame.right_margin, "top": title_height, "bottom": 72},
            title=alt.TitleParams(
                text=title, subtitle=subtitle, anchor="start", frame="group", dx=6 - frame.left_margin, offset=12
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
    return Chart(frame.title, layered.to_dict())


def svg(chart: Chart) -> str:
    """The chart as SVG."""
    svg_text: str = vl_convert.vegalite_to_svg(chart.spec, allowed_base_urls=[])
    return svg_text


_PAGE_TEMPLATE: Final = """
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg")
"""


def png(chart: Chart) -> bytes:
    """The chart as a bitmap."""
    image = typst.compile(
        _PAGE_TEMPLATE.encode(),
        format="png",
        ppi=PNG_PIXELS_PER_INCH,
        sys_inputs={"svg": svg(chart)},
        ignore_system_fonts=True,
    )
    assert isinstance(image, bytes), "one page is one file"
    return image


class ChartFormat(StrEnum):
    """The format of a chart file; the value is the file's suffix."""

    SVG = ".svg"
    PNG = ".png"


def chart_format(path: Path) -> ChartFormat:
    """The format by the suffix of a file."""
    return file_format(path, ChartFormat, "A chart is an .svg or .png file", BadChart)


def refuse_chart_file(path: Path | str) -> None:
    """Raise an error at once if a chart cannot be written there, before the computation."""
    chart_format(Path(path))
    check_writable(Path(path))


def write_chart(chart: Chart, path: Path | str) -> None:
    """Write a chart as .svg or .png."""
    path = Path(path)
    content = svg(chart).encode() if chart_format(path) is ChartFormat.SVG else png(chart)
    write_bytes(path, content)


def source_line(prices: Sequence[Odds]) -> str:
    """Program, method, game, and rule sheet of figures of one game."""
    facts = game(prices[0].game).facts
    return f"Cardroom {__version__}, {_method(prices)}, {facts.sheet_title}"


def _method(prices: Sequence[Odds]) -> str:
    simulated = [odds.simulated_rounds for odds in prices if odds.simulated_rounds]
    if not simulated:
        return "exact enumeration"
    if len(simulated) < len(prices):
        return "partly simulated"
    return f"simulated over {min(simulated):,} rounds" + (" or more" if len(set(simulated)) > 1 else "")
