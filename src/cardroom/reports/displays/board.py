"""The picture of a monitor or a picture frame: amounts, paytables, limits, promotions and notices."""

from __future__ import annotations

from html import escape
from typing import Final, NamedTuple

from cardroom.faults import BadInput
from cardroom.jackpots.displays import Board, Panel, PrizeLine, ShownAmount, Status, exact_money
from cardroom.jackpots.setup.jackpot import JackpotKind
from cardroom.jackpots.setup.models import DisplayKind
from cardroom.reports.displays import drawing as draw

HEIGHT: Final = 1080
MARGIN: Final = 48
GAP: Final = 24
_WIDTH: Final = {DisplayKind.MONITOR: 1920, DisplayKind.PICTURE_FRAME: 1440}
PIXELS: Final = {DisplayKind.MONITOR: (1920, 1080), DisplayKind.PICTURE_FRAME: (1024, 768)}
"""Of the screens that hang at tables."""
_LEAST_BODY: Final = 420
_TITLE: Final = 112
_BANNER: Final = 104
_FEATURE_NAME: Final = 46
_LEVEL: Final = 60


class BadPicture(BadInput):
    """A picture of a display that cannot be drawn or written."""


class Area(NamedTuple):
    """A part of the picture."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    def inside(self, by: float) -> Area:
        return Area(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


def board_svg(board: Board) -> str:
    """The picture as SVG."""
    width = _WIDTH[board.kind]
    pixels = PIXELS[board.kind]
    parts = [_header(board, width)]
    foot, top = _foot(board, width)
    body = Area(MARGIN, 132, width - 2 * MARGIN, top - 132)
    if body.height < _LEAST_BODY:
        raise BadPicture("The display has no room left for the jackpots: show fewer promotions or notices.")
    parts += _panels(board.panels, body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{pixels[0]}" height="{pixels[1]}" '
        f'viewBox="0 0 {width} {HEIGHT}" font-family="{draw.FACE}">'
        f"<title>{escape(f'{board.game}, {board.table}', quote=False)}</title>{draw.DEFINITIONS}"
        f'<rect width="{width}" height="{HEIGHT}" fill="url(#night)"/>{"".join(parts)}{"".join(foot)}</svg>'
    )


def _header(board: Board, width: float) -> str:
    name = board.game.upper()
    room = width - 2 * MARGIN - draw.measured(board.table, 34) - 40
    size = draw.fitted(name, 58, room, bold=True, spacing=6)
    return (
        draw.words(name, MARGIN, 88, size, fill=draw.WHITE, bold=True, spacing=6)
        + draw.words(board.table, width - MARGIN, 86, 34, fill=draw.PALE, anchor="end")
        + draw.rule(MARGIN, 112, width - 2 * MARGIN, draw.GOLD)
    )


# The foot is set from the bottom up: notices, limits, promotions.


def _foot(board: Board, width: float) -> tuple[list[str], float]:
    room = width - 2 * MARGIN
    parts: list[str] = []
    y = HEIGHT - 30.0
    size = 22.0
    for notice in reversed((*_shared_notes(board.panels), *board.notices)):
        for line in reversed(draw.wrapped(notice, size, room)):
            parts.append(draw.words(line, MARGIN, y, size, fill=draw.PALE))
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


def _limit_rows(board: Board, room: float) -> list[list[tuple[str, str]]]:
    rows: list[list[tuple[str, str]]] = [[]]
    used = 0.0
    for limit in board.limits:
        wide = _limit_width(limit.wager, limit.limits)
        if rows[-1] and used + wide > room:
            rows.append([])
            used = 0
        rows[-1].append((limit.wager, limit.limits))
        used += wide
    return [row for row in rows if row]


def _limit_width(wager: str, limits: str) -> float:
    return draw.measured(wager, 25) + 10 + draw.measured(limits, 25, bold=True) + 44


def _limit_row(row: list[tuple[str, str]], y: float) -> str:
    drawn, x = "", float(MARGIN)
    for wager, limits in row:
        drawn += draw.words(wager, x, y, 25, fill=draw.DIM)
        drawn += draw.words(limits, x + draw.measured(wager, 25) + 10, y, 25, bold=True)
        x += _limit_width(wager, limits)
    return drawn


def _promotion(text: str, area: Area) -> str:
    size = draw.fitted(text, 30, area.width - 110, bold=True)
    return (
        draw.box(area.x, area.y, area.width, area.height, fill="#1C2A1F", stroke=draw.GOLD, radius=14)
        + draw.picture("promotion", area.x + 18, area.y + 11, 36, draw.GOLD)
        + draw.words(text, area.x + 74, area.y + area.height / 2 + size * 0.36, size, fill=draw.GOLD, bold=True)
    )


def _shared_notes(panels: tuple[Panel, ...]) -> tuple[str, ...]:
    """What holds for the paytables of several jackpots is said once."""
    if len(panels) < 2:
        return ()
    return (" ".join(dict.fromkeys(note for panel in panels for prizes in panel.prizes for note in prizes.notes)),)


# The panels: one jackpot has its paytable beside the amount, two have it below.


def _panels(panels: tuple[Panel, ...], body: Area) -> list[str]:
    if not panels:
        return []  # the table plays for no jackpot now; its limits and notices are still shown
    if len(panels) == 1:
        return [_beside(panels[0], body)]
    width = (body.width - GAP * (len(panels) - 1)) / len(panels)
    longest = max(_line_count(panel) for panel in panels)
    row = _row_below(panels, body.height, longest)
    head = body.height - 24 - row * longest
    return [
        _below(panel, Area(body.x + at * (width + GAP), body.y, width, body.height), head, row)
        for at, panel in enumerate(panels)
    ]


def _line_count(panel: Panel) -> int:
    """The lines of its paytables; the name of a feature takes one too."""
    return sum(len(prizes.lines) for prizes in panel.prizes) + len(panel.prizes) - 1


def _row_below(panels: tuple[Panel, ...], height: float, lines: int) -> float:
    """How high a line of a paytable is under an amount, so that the amount stays large."""
    wanted = max(
        _TITLE + 170 + (_BANNER if one.headline else 0) + _LEVEL * max(len(one.amounts) - 1, 0) for one in panels
    )
    return min(max((height - 24 - wanted) / max(lines, 1), 31), 44)


def _beside(panel: Panel, area: Area) -> str:
    left = area.width * 0.54
    return (
        draw.box(area.x, area.y, area.width, area.height, fill=draw.FELT, stroke=draw.EDGE)
        + _amounts(panel, Area(area.x, area.y, left, area.height))
        + _tables(panel, Area(area.x + left + 32, area.y + 20, area.width - left - 64, area.height - 40), noted=True)
    )


def _below(panel: Panel, area: Area, head: float, row: float) -> str:
    table = Area(area.x + 32, area.y + head, area.width - 64, row * _line_count(panel))
    return (
        draw.box(area.x, area.y, area.width, area.height, fill=draw.FELT, stroke=draw.EDGE)
        + _amounts(panel, Area(area.x, area.y, area.width, head))
        + _tables(panel, table, noted=False)
    )


def _amounts(panel: Panel, area: Area) -> str:
    inner = Area(area.x + 32, area.y + 20, area.width - 64, area.height - 36)
    drawn = _title(panel, inner)
    top = inner.y + _TITLE
    bottom = inner.y + inner.height
    if panel.status is Status.PENDING:
        bottom -= _BANNER
        drawn += _pending(panel, Area(inner.x, bottom + 8, inner.width, _BANNER - 8))
    room = Area(inner.x, top, inner.width, bottom - top)
    if panel.status is Status.UNAVAILABLE:
        return drawn + _unavailable(panel, room)
    if not panel.amounts:
        return drawn + _see_sign(panel, room)
    return drawn + _meters(panel.amounts, room)


def _title(panel: Panel, area: Area) -> str:
    progressive = panel.kind is JackpotKind.PROGRESSIVE
    ink = draw.PROGRESSIVE_INK if progressive else draw.BONUS_INK
    kind = "PROGRESSIVE JACKPOT" if progressive else "BONUS JACKPOT"
    size = draw.fitted(panel.name, 46, area.width, bold=True)
    wager_size = draw.fitted(panel.wager, 28, area.width * 0.3, bold=True)
    return (
        draw.words(panel.name, area.x, area.y + 42, size, bold=True)
        + draw.picture(panel.kind.value, area.x, area.y + 58, 32, ink)
        + draw.words(kind, area.x + 44, area.y + 84, 25, fill=ink, bold=True, spacing=2)
        + draw.words(panel.wager, area.x + area.width, area.y + 84, wager_size, fill=draw.PALE, bold=True, anchor="end")
    )


def _meters(amounts: tuple[ShownAmount, ...], area: Area) -> str:
    """The highest level as large as it can be, the others in rows below."""
    first, rest = amounts[0], amounts[1:]
    caption = " · ".join(filter(None, (first.name if rest else "", first.ceiling)))
    text = exact_money(first.cents)
    room = area.height - _LEVEL * len(rest)
    # A comma hangs an eighth of the height below its digits.
    tall = (room - 42) / 1.12 if caption else room - 16
    high = min(tall, area.width * 100 / draw.amount_width(text), 250)
    x = area.middle - draw.amount_width(text) * high / 200
    y = area.y + (room - (high * 1.12 + 42 if caption else high)) / 2
    drawn = draw.shine(text, x, y, high) + draw.amount(text, x, y, high)
    if caption:
        drawn += draw.words(caption, area.middle, y + high * 1.12 + 28, 25, fill=draw.PALE, anchor="middle")
    for at, level in enumerate(rest):
        drawn += _meter_row(level, Area(area.x, area.y + room + at * _LEVEL, area.width, _LEVEL))
    return drawn


def _meter_row(level: ShownAmount, area: Area) -> str:
    text = exact_money(level.cents)
    wide = draw.amount_width(text) * 0.4
    name = " · ".join(filter(None, (level.name, level.ceiling)))
    size = draw.fitted(name, 32, area.width - wide - 40)
    return (
        draw.rule(area.x, area.y, area.width)
        + draw.words(name, area.x, area.y + 42, size, fill=draw.PALE)
        + draw.amount(text, area.x + area.width - wide, area.y + 11, 40)
    )


def _pending(panel: Panel, area: Area) -> str:
    inner = area.inside(9)
    size = draw.fitted(panel.message, 25, inner.width - 96)
    return (
        draw.box(area.x, area.y, area.width, area.height, fill="url(#stripes)", radius=14)
        + draw.box(inner.x, inner.y, inner.width, inner.height, fill=draw.NIGHT, radius=8)
        + draw.picture("pending", inner.x + 16, inner.y + 17, 44, draw.WHITE)
        + draw.words(panel.headline.upper(), inner.x + 78, inner.y + 36, 34, bold=True, spacing=3)
        + draw.words(panel.message, inner.x + 78, inner.y + 66, size, fill=draw.PALE)
    )


def _unavailable(panel: Panel, area: Area) -> str:
    y = area.y + area.height / 2
    headline = panel.headline.upper()
    size = draw.fitted(headline, 64, area.width - 40, bold=True, spacing=4)
    drawn = draw.picture("unavailable", area.middle - 40, y - 130, 80, draw.DIM)
    drawn += draw.words(headline, area.middle, y + 20, size, fill=draw.PALE, bold=True, anchor="middle", spacing=4)
    for at, line in enumerate(draw.wrapped(panel.message, 27, area.width - 40)):
        drawn += draw.words(line, area.middle, y + 68 + at * 34, 27, fill=draw.DIM, anchor="middle")
    return drawn


def _see_sign(panel: Panel, area: Area) -> str:
    y = area.y + area.height / 2
    size = draw.fitted(panel.elsewhere, 54, area.width - 20, bold=True)
    return draw.picture(panel.kind.value, area.middle - 60, y - 160, 120, draw.PROGRESSIVE_INK) + draw.words(
        panel.elsewhere, area.middle, y + 30, size, fill=draw.GOLD, bold=True, anchor="middle"
    )


# The paytables.


def _tables(panel: Panel, area: Area, *, noted: bool) -> str:
    notes = [draw.wrapped(" ".join(prizes.notes), 20, area.width) if noted else [] for prizes in panel.prizes]
    fixed = sum(len(lines) * 25 + 10 for lines in notes if lines) + _FEATURE_NAME * (len(panel.prizes) - 1)
    rows = [line for prizes in panel.prizes for line in prizes.lines]
    high = min((area.height - fixed) / max(len(rows), 1), 66.0)
    size = min((_row_size(line, high, area.width) for line in rows), default=1.0)
    y = area.y + (area.height - fixed - high * len(rows)) / 2
    drawn = ""
    for at, (prizes, lines) in enumerate(zip(panel.prizes, notes, strict=True)):
        if at:
            drawn += draw.words(prizes.name, area.x, y + 34, 26, fill=draw.PROGRESSIVE_INK, bold=True)
            y += _FEATURE_NAME
        for line in prizes.lines:
            dim = panel.status is Status.UNAVAILABLE
            drawn += _prize_row(line, Area(area.x, y, area.width, high), size, dim=dim)
            y += high
        for number, note in enumerate(lines, 1):
            drawn += draw.words(note, area.x, y + 6 + number * 25, 20, fill=draw.DIM)
        y += len(lines) * 25 + 10 if lines else 0
    return drawn


_WORTH: Final = 0.74
"""How large it is written what a percentage comes to."""


def _row_size(line: PrizeLine, high: float, width: float) -> float:
    """The size of letters at which a line fits: a line of the table is one line on the display."""
    wished = min(high * 0.66, 40)
    needed = draw.measured(line.event, wished) + draw.measured(line.prize, wished, bold=True) + 24
    needed += draw.measured(line.worth, wished * _WORTH) + 18 if line.worth else 0
    return wished * min(1, width / needed)


def _prize_row(line: PrizeLine, area: Area, size: float, *, dim: bool) -> str:
    base = area.y + area.height / 2 + size * 0.36
    right = area.x + area.width
    ink = draw.DIM if dim else draw.PRIZE_INK
    drawn = draw.words(line.event, area.x, base, size, fill=draw.DIM if dim else draw.WHITE)
    drawn += draw.words(line.prize, right, base, size, fill=ink, bold=True, anchor="end")
    if line.worth:
        beside = right - draw.measured(line.prize, size, bold=True) - 18
        drawn += draw.words(line.worth, beside, base, size * _WORTH, fill=draw.PALE, anchor="end")
    return drawn + draw.rule(area.x, area.y + area.height, area.width)
