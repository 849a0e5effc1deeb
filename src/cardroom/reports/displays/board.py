"""The picture of a monitor or a picture frame: amounts, paytables, limits, promotions, and notices."""

from __future__ import annotations

from html import escape
from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.reports.displays import drawing as draw
from cardroom.room.descriptions.displays import (
    DisplayedAmount,
    DisplayedPrizeLine,
    DisplayScreen,
    JackpotPanel,
    JackpotStatus,
    format_meter,
)
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.setup.tabulator_models import DisplayKind

HEIGHT: Final = 1080
MARGIN: Final = 48
GAP: Final = 24
_WIDTH: Final = {DisplayKind.MONITOR: 1920, DisplayKind.PICTURE_FRAME: 1440}
PIXELS: Final = {DisplayKind.MONITOR: (1920, 1080), DisplayKind.PICTURE_FRAME: (1024, 768)}
"""The sizes of the screens at tables."""
_LEAST_BODY: Final = 420
_TITLE: Final = 112
_BANNER: Final = 104
_FEATURE_NAME: Final = 46
_LEVEL: Final = 60


class BadPicture(BadInput):
    """The picture of the display cannot be drawn or written."""


class Area(NamedTuple):
    """A part of the picture."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    def shrink(self, margin: float) -> Area:
        return Area(self.x + margin, self.y + margin, self.width - 2 * margin, self.height - 2 * margin)


def board_svg(board: DisplayScreen) -> str:
    """The picture as SVG."""
    width = _WIDTH[board.kind]
    pixels = PIXELS[board.kind]
    parts = [_header(board, width)]
    foot, top = _foot(board, width)
    body = Area(MARGIN, 132, width - 2 * MARGIN, top - 132)
    if body.height < _LEAST_BODY:
        raise BadPicture("The display has no space left for the jackpots: show fewer promotions or notices.")
    parts += _panels(board.panels, body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{pixels[0]}" height="{pixels[1]}" '
        f'viewBox="0 0 {width} {HEIGHT}" font-family="{draw.FACE}">'
        f"<title>{escape(f'{board.game}, {board.table}', quote=False)}</title>{draw.SVG_DEFINITIONS}"
        f'<rect width="{width}" height="{HEIGHT}" fill="url(#night)"/>{"".join(parts)}{"".join(foot)}</svg>'
    )


def _header(board: DisplayScreen, width: float) -> str:
    name = board.game.upper()
    room = width - 2 * MARGIN - draw.text_width(board.table, 34) - 40
    size = draw.fit_size(name, 58, room, bold=True, spacing=6)
    return (
        draw.svg_text(name, MARGIN, 88, size, fill=draw.WHITE, bold=True, spacing=6)
        + draw.svg_text(board.table, width - MARGIN, 86, 34, fill=draw.PALE, anchor="end")
        + draw.rule(MARGIN, 112, width - 2 * MARGIN, draw.GOLD)
    )


# The footer is laid out from the bottom up: notices, limits, promotions.


def _foot(board: DisplayScreen, width: float) -> tuple[list[str], float]:
    room = width - 2 * MARGIN
    parts: list[str] = []
    y = HEIGHT - 30.0
    size = 22.0
    for notice in reversed((*_shared_notes(board.panels), *board.notices)):
        for line in reversed(draw.wrap_text(notice, size, room)):
            parts.append(draw.svg_text(line, MARGIN, y, size, fill=draw.PALE))
            y -= size * 1.25
        y -= 8
    y -= 6
    for row in reversed(_limit_rows(board, room)):
        parts.append(_limit_row(row, y))
        y -= 38
    if board.limits:
        parts.append(draw.rule(MARGIN, y + 2, room))
        y -= 14
    for promotion in reversed(board.promotions):
        parts.append(_promotion(promotion, Area(MARGIN, y - 58, room, 58)))
        y -= 58 + 12
    return parts, y


def _limit_rows(board: DisplayScreen, room: float) -> list[list[tuple[str, str]]]:
    rows: list[list[tuple[str, str]]] = [[]]
    used = 0.0
    for limit in board.limits:
        limit_width = _limit_width(limit.wager, limit.limits)
        if rows[-1] and used + limit_width > room:
            rows.append([])
            used = 0
        rows[-1].append((limit.wager, limit.limits))
        used += limit_width
    return [row for row in rows if row]


def _limit_width(wager: str, limits: str) -> float:
    return draw.text_width(wager, 25) + 10 + draw.text_width(limits, 25, bold=True) + 44


def _limit_row(row: list[tuple[str, str]], y: float) -> str:
    svg, x = "", float(MARGIN)
    for wager, limits in row:
        svg += draw.svg_text(wager, x, y, 25, fill=draw.DIM)
        svg += draw.svg_text(limits, x + draw.text_width(wager, 25) + 10, y, 25, bold=True)
        x += _limit_width(wager, limits)
    return svg


def _promotion(text: str, area: Area) -> str:
    size = draw.fit_size(text, 30, area.width - 110, bold=True)
    return (
        draw.box(area.x, area.y, area.width, area.height, fill="#1C2A1F", stroke=draw.GOLD, radius=14)
        + draw.picture("promotion", area.x + 18, area.y + 11, 36, draw.GOLD)
        + draw.svg_text(text, area.x + 74, area.y + area.height / 2 + size * 0.36, size, fill=draw.GOLD, bold=True)
    )


def _shared_notes(panels: tuple[JackpotPanel, ...]) -> tuple[str, ...]:
    """Notes that apply to the paytables of several jackpots appear once."""
    if len(panels) < 2:
        return ()
    return (" ".join(dict.fromkeys(note for panel in panels for prizes in panel.prizes for note in prizes.notes)),)


# The panels: one jackpot has its paytable beside the amount, two have it below.


def _panels(panels: tuple[JackpotPanel, ...], body: Area) -> list[str]:
    if not panels:
        return []  # the table has no jackpot now; its limits and notices are still shown
    if len(panels) == 1:
        return [_panel_with_side_tables(panels[0], body)]
    width = (body.width - GAP * (len(panels) - 1)) / len(panels)
    longest = max(_line_count(panel) for panel in panels)
    row = _prize_row_height(panels, body.height, longest)
    head = body.height - 24 - row * longest
    return [
        _panel_with_tables_below(panel, Area(body.x + index * (width + GAP), body.y, width, body.height), head, row)
        for index, panel in enumerate(panels)
    ]


def _line_count(panel: JackpotPanel) -> int:
    """The number of lines of its paytables; the name of a feature takes one too."""
    return sum(len(prizes.lines) for prizes in panel.prizes) + len(panel.prizes) - 1


def _prize_row_height(panels: tuple[JackpotPanel, ...], height: float, lines: int) -> float:
    """The height of a paytable line under an amount, so that the amount stays large."""
    head_height = max(
        _TITLE + 170 + (_BANNER if panel.headline else 0) + _LEVEL * max(len(panel.amounts) - 1, 0) for panel in panels
    )
    return min(max((height - 24 - head_height) / max(lines, 1), 31), 44)


def _panel_with_side_tables(panel: JackpotPanel, area: Area) -> str:
    left_width = area.width * 0.54
    return (
        draw.box(area.x, area.y, area.width, area.height, fill=draw.PANEL_FILL, stroke=draw.EDGE)
        + _amounts(panel, Area(area.x, area.y, left_width, area.height))
        + _tables(
            panel,
            Area(area.x + left_width + 32, area.y + 20, area.width - left_width - 64, area.height - 40),
            has_notes=True,
        )
    )


def _panel_with_tables_below(panel: JackpotPanel, area: Area, head: float, row: float) -> str:
    table = Area(area.x + 32, area.y + head, area.width - 64, row * _line_count(panel))
    return (
        draw.box(area.x, area.y, area.width, area.height, fill=draw.PANEL_FILL, stroke=draw.EDGE)
        + _amounts(panel, Area(area.x, area.y, area.width, head))
        + _tables(panel, table, has_notes=False)
    )


def _amounts(panel: JackpotPanel, area: Area) -> str:
    inner = Area(area.x + 32, area.y + 20, area.width - 64, area.height - 36)
    svg = _title(panel, inner)
    top = inner.y + _TITLE
    bottom = inner.y + inner.height
    if panel.status is JackpotStatus.PENDING:
        bottom -= _BANNER
        svg += _pending_banner(panel, Area(inner.x, bottom + 8, inner.width, _BANNER - 8))
    room = Area(inner.x, top, inner.width, bottom - top)
    if panel.status is JackpotStatus.UNAVAILABLE:
        return svg + _unavailable_panel(panel, room)
    if not panel.amounts:
        return svg + _sign_reference(panel, room)
    return svg + _meters(panel.amounts, room)


def _title(panel: JackpotPanel, area: Area) -> str:
    progressive = panel.kind is JackpotKind.PROGRESSIVE
    ink = draw.PROGRESSIVE_INK if progressive else draw.BONUS_INK
    kind = "PROGRESSIVE JACKPOT" if progressive else "BONUS JACKPOT"
    size = draw.fit_size(panel.name, 46, area.width, bold=True)
    wager_size = draw.fit_size(panel.wager, 28, area.width * 0.3, bold=True)
    return (
        draw.svg_text(panel.name, area.x, area.y + 42, size, bold=True)
        + draw.picture(panel.kind.value, area.x, area.y + 58, 32, ink)
        + draw.svg_text(kind, area.x + 44, area.y + 84, 25, fill=ink, bold=True, spacing=2)
        + draw.svg_text(
            panel.wager, area.x + area.width, area.y + 84, wager_size, fill=draw.PALE, bold=True, anchor="end"
        )
    )


def _meters(amounts: tuple[DisplayedAmount, ...], area: Area) -> str:
    """The highest level as large as possible, the others in rows below."""
    first, rest = amounts[0], amounts[1:]
    caption = " · ".join(filter(None, (first.name if rest else "", first.ceiling)))
    text = format_meter(first.cents)
    room = area.height - _LEVEL * len(rest)
    # A comma hangs an eighth of the height below its digits.
    tall = (room - 42) / 1.12 if caption else room - 16
    high = min(tall, area.width * 100 / draw.amount_width(text), 250)
    x = area.middle - draw.amount_width(text) * high / 200
    y = area.y + (room - (high * 1.12 + 42 if caption else high)) / 2
    svg = draw.glow(text, x, y, high) + draw.amount(text, x, y, high)
    if caption:
        svg += draw.svg_text(caption, area.middle, y + high * 1.12 + 28, 25, fill=draw.PALE, anchor="middle")
    for index, level in enumerate(rest):
        svg += _meter_row(level, Area(area.x, area.y + room + index * _LEVEL, area.width, _LEVEL))
    return svg


def _meter_row(level: DisplayedAmount, area: Area) -> str:
    text = format_meter(level.cents)
    amount_width = draw.amount_width(text) * 0.4
    name = " · ".join(filter(None, (level.name, level.ceiling)))
    size = draw.fit_size(name, 32, area.width - amount_width - 40)
    return (
        draw.rule(area.x, area.y, area.width)
        + draw.svg_text(name, area.x, area.y + 42, size, fill=draw.PALE)
        + draw.amount(text, area.x + area.width - amount_width, area.y + 11, 40)
    )


def _pending_banner(panel: JackpotPanel, area: Area) -> str:
    inner = area.shrink(9)
    size = draw.fit_size(panel.message, 25, inner.width - 96)
    return (
        draw.box(area.x, area.y, area.width, area.height, fill="url(#stripes)", radius=14)
        + draw.box(inner.x, inner.y, inner.width, inner.height, fill=draw.NIGHT, radius=8)
        + draw.picture("pending", inner.x + 16, inner.y + 17, 44, draw.WHITE)
        + draw.svg_text(panel.headline.upper(), inner.x + 78, inner.y + 36, 34, bold=True, spacing=3)
        + draw.svg_text(panel.message, inner.x + 78, inner.y + 66, size, fill=draw.PALE)
    )


def _unavailable_panel(panel: JackpotPanel, area: Area) -> str:
    y = area.y + area.height / 2
    headline = panel.headline.upper()
    size = draw.fit_size(headline, 64, area.width - 40, bold=True, spacing=4)
    svg = draw.picture("unavailable", area.middle - 40, y - 130, 80, draw.DIM)
    svg += draw.svg_text(headline, area.middle, y + 20, size, fill=draw.PALE, bold=True, anchor="middle", spacing=4)
    for index, line in enumerate(draw.wrap_text(panel.message, 27, area.width - 40)):
        svg += draw.svg_text(line, area.middle, y + 68 + index * 34, 27, fill=draw.DIM, anchor="middle")
    return svg


def _sign_reference(panel: JackpotPanel, area: Area) -> str:
    y = area.y + area.height / 2
    size = draw.fit_size(panel.elsewhere, 54, area.width - 20, bold=True)
    return draw.picture(panel.kind.value, area.middle - 60, y - 160, 120, draw.PROGRESSIVE_INK) + draw.svg_text(
        panel.elsewhere, area.middle, y + 30, size, fill=draw.GOLD, bold=True, anchor="middle"
    )


# The paytables.


def _tables(panel: JackpotPanel, area: Area, *, has_notes: bool) -> str:
    notes = [draw.wrap_text(" ".join(prizes.notes), 20, area.width) if has_notes else [] for prizes in panel.prizes]
    fixed = sum(len(lines) * 25 + 10 for lines in notes if lines) + _FEATURE_NAME * (len(panel.prizes) - 1)
    rows = [line for prizes in panel.prizes for line in prizes.lines]
    high = min((area.height - fixed) / max(len(rows), 1), 66.0)
    size = min((_row_size(line, high, area.width) for line in rows), default=1.0)
    y = area.y + (area.height - fixed - high * len(rows)) / 2
    svg = ""
    for index, (prizes, lines) in enumerate(zip(panel.prizes, notes, strict=True)):
        if index:
            svg += draw.svg_text(prizes.name, area.x, y + 34, 26, fill=draw.PROGRESSIVE_INK, bold=True)
            y += _FEATURE_NAME
        for line in prizes.lines:
            dim = panel.status is JackpotStatus.UNAVAILABLE
            svg += _prize_row(line, Area(area.x, y, area.width, high), size, dim=dim)
            y += high
        for number, note in enumerate(lines, 1):
            svg += draw.svg_text(note, area.x, y + 6 + number * 25, 20, fill=draw.DIM)
        y += len(lines) * 25 + 10 if lines else 0
    return svg


_WORTH_SCALE: Final = 0.74
"""The text size of the amount of a percentage."""


def _row_size(line: DisplayedPrizeLine, high: float, width: float) -> float:
    """The text size at which a line fits: a line of the table is one line on the display."""
    wished = min(high * 0.66, 40)
    line_width = draw.text_width(line.event, wished) + draw.text_width(line.prize, wished, bold=True) + 24
    line_width += draw.text_width(line.worth, wished * _WORTH_SCALE) + 18 if line.worth else 0
    return wished * min(1, width / line_width)


def _prize_row(line: DisplayedPrizeLine, area: Area, size: float, *, dim: bool) -> str:
    base = area.y + area.height / 2 + size * 0.36
    right = area.x + area.width
    ink = draw.DIM if dim else draw.PRIZE_INK
    svg = draw.svg_text(line.event, area.x, base, size, fill=draw.DIM if dim else draw.WHITE)
    svg += draw.svg_text(line.prize, right, base, size, fill=ink, bold=True, anchor="end")
    if line.worth:
        worth_x = right - draw.text_width(line.prize, size, bold=True) - 18
        svg += draw.svg_text(line.worth, worth_x, base, size * _WORTH_SCALE, fill=draw.PALE, anchor="end")
    return svg + draw.rule(area.x, area.y + area.height, area.width)
