"""The screens of a table (TableVision), full screen, for players two meters away.

An LED line is a sign of lights with letters seven lights high: an amount, and a text that scrolls past.

>>> [row.text for row in wrap_rows("Not available at present", 60)]
['Not', 'available at', 'present']
>>> [[row.text for row in phrase] for phrase in split_phrases("Not available. No wagers  *  $1 wager", 60)]
[['Not', 'available.'], ['No wagers *'], ['$1 wager']]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from math import ceil
from typing import Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput
from cardroom.games import game
from cardroom.reports.led_letters import HEIGHT, LedRow, led_letters, set_row
from cardroom.room.descriptions.displays import (
    DARK_LED_LINE,
    Display,
    DisplayScreen,
    JackpotPanel,
    LedLine,
    display_texts,
    format_meter,
)
from cardroom.room.setup.tabulator_models import DisplayKind
from cardroom.service import CardRoom
from cardroom.service.chains.names import ROOM_CHAIN, table_chain, tabulator_chain
from cardroom.service.commands.displays import TableVisionView
from cardroom.web.pages.requests import get_app_context
from cardroom.web.pages.templating import render_fragment, render_page
from cardroom.web.services.app_context import AppContext
from cardroom.web.services.live_pages import LivePage

_SENTENCE_SEPARATOR: Final = "  *  "
_STAR: Final = " *"
_ENDS: Final = re.compile(r"(?<=\.) ")
"""The end of a sentence."""


@cache
def glyph_paths() -> tuple[tuple[int, str], ...]:
    """Each letter by its character code, as a path of dots: lines of length zero with round ends."""
    return tuple(
        (ord(letter), "".join(f"M{x}.5 {y}.5h0" for x, y in lights)) for letter, lights in led_letters().items()
    )


def split_phrases(text: str, columns: int) -> tuple[tuple[LedRow, ...], ...]:
    """The sentences of a scrolling text, each in lines of its own. A star after the last line separates a part from the
    next; it may be wider than the sign, because it shows only while the text scrolls."""
    *before, last = text.split(_SENTENCE_SEPARATOR)
    return (*(row for part in before for row in _sentences(part, columns, _STAR)), *_sentences(last, columns, ""))


def _sentences(text: str, columns: int, suffix: str) -> Iterator[tuple[LedRow, ...]]:
    *before, last = (wrap_rows(sentence, columns) for sentence in _ENDS.split(text))
    yield from before
    yield (*last[:-1], set_row(last[-1].text + suffix)) if last else ()


def wrap_rows(text: str, columns: int) -> tuple[LedRow, ...]:
    """A text in lines that fit the sign, broken between words."""
    return tuple(map(set_row, _lines(text, columns)))


def _lines(text: str, columns: int) -> Iterator[str]:
    line = ""
    for word in text.split():
        longer = f"{line} {word}".lstrip()
        if line and set_row(longer).width > columns:
            yield line
            longer = word
        line = longer
    if line:
        yield line


router = APIRouter(include_in_schema=False)
KINDS: Final = {"monitor": DisplayKind.MONITOR, "frame": DisplayKind.PICTURE_FRAME, "led": DisplayKind.LED_LINE}
"""The screens by their part of the address."""
NAMES: Final = {
    DisplayKind.MONITOR: "Monitor",
    DisplayKind.PICTURE_FRAME: "Picture frame",
    DisplayKind.LED_LINE: "LED line",
}
DISABLED_TEXTS: Final = (display_texts()["status"]["dark"], display_texts()["status"]["unavailable"].lower())
"""Texts in place of the limits of a wager that is not available."""
COLUMNS: Final = 132
"""Lights in a row of the scrolling text."""
_AMOUNT_COLUMNS: Final = 56
"""The fewest columns of the amount, so that a small amount is not drawn larger than a large one."""
_TWO_COLUMNS: Final = 6
"""A paytable with this many lines has two columns where there is room."""


class NoSuchScreen(BadInput):
    """The table has no such screen."""


class LedSign(NamedTuple):
    """An LED line in lights."""

    line: LedLine
    amount: LedRow
    columns: int
    """The columns of the amount."""
    phrases: tuple[tuple[LedRow, ...], ...]
    """The text, phrase by phrase, in lines that fit the sign."""

    @property
    def left(self) -> int:
        """The first column of the amount."""
        return (self.columns - self.amount.width) // 2


class DisplayTable(NamedTuple):
    """A table and its screens."""

    table: str
    game: str
    name: str
    model: str
    closed: str
    is_play_money: bool
    screens: tuple[tuple[str, str], ...]
    """The address and the name of each."""


def live_page(context: AppContext, _: str | None, table: str, kind: str = "") -> LivePage:
    """The screens of a table for as long as the page is open: one, or all."""
    card_room = context.card_room
    slug = card_room.tabulator(table).game_setup.game
    _select_displays(card_room.displays.view_table_vision(table), kind)

    def draw() -> str:
        vision = card_room.displays.view_table_vision(table)
        boards, signs = _split_displays(_select_displays(vision, kind), closed=bool(vision.closed))
        return render_fragment(
            "displays/screens.html",
            boards=boards,
            signs=signs,
            closed=vision.closed,
            game=slug,
            exact=format_meter,
            rows=count_rows,
            notes_of=display_notes,
            longest=longest_amount,
            unlit=DISABLED_TEXTS,
            columns=COLUMNS,
            high=HEIGHT,
        )

    # The table counts the wagers when it deals; wagers at other tables change its meters too.
    return LivePage((tabulator_chain(table), table_chain(table), "jackpot:*", "promotion:*", ROOM_CHAIN), draw)


def _select_displays(vision: TableVisionView, kind: str) -> tuple[Display, ...]:
    """The displays of an address; all of them without a kind."""
    if kind and kind not in KINDS:
        raise NoSuchScreen(f"There is no screen {kind!r}. The screens are {', '.join(KINDS)}.")
    selected = tuple(display for display in vision.displays if not kind or display.kind is KINDS[kind])
    if not selected:
        kind_names = dict.fromkeys(NAMES[display.kind] for display in vision.displays)
        raise NoSuchScreen(
            f"Table {vision.table} has no {NAMES[KINDS[kind]].lower()}. It has {' and '.join(kind_names)}."
        )
    return selected


def _split_displays(displays: tuple[Display, ...], *, closed: bool) -> tuple[list[DisplayScreen], list[LedSign]]:
    """Screens and LED signs; the sign of a closed table is off."""
    boards = [display for display in displays if isinstance(display, DisplayScreen)]
    lines = [display for display in displays if isinstance(display, LedLine)]
    if closed and lines:
        lines = [DARK_LED_LINE._replace(money=lines[0].money)]
    return boards, [led_sign(display) for display in lines]


def led_sign(line: LedLine) -> LedSign:
    """An LED line in lights."""
    amount = set_row(line.amount)
    wide = max(amount.width + 4, _AMOUNT_COLUMNS)
    return LedSign(line, amount, wide + (wide - amount.width) % 2, split_phrases(line.running, COLUMNS - 4))


def count_rows(panels: Iterable[JackpotPanel], columns: int = 1) -> int:
    """The rows of the longest paytable; the name of a feature takes a row."""
    return max(
        (_count_table_rows([len(prizes.lines) for prizes in panel.prizes], columns) for panel in panels), default=0
    )


def _count_table_rows(tables: list[int], columns: int) -> int:
    return sum(ceil(lines / (columns if lines >= _TWO_COLUMNS else 1)) for lines in tables) + max(len(tables) - 1, 0)


def longest_amount(board: DisplayScreen) -> int:
    """The length of the longest amount, which sets the size of all of them."""
    return max((len(format_meter(panel.amounts[0].cents)) for panel in board.panels if panel.amounts), default=0)


def display_notes(board: DisplayScreen) -> tuple[str, ...]:
    """The notes on the paytables, each once."""
    return tuple(dict.fromkeys(note for panel in board.panels for prizes in panel.prizes for note in prizes.notes))


@router.get("/displays")
async def list_displays(request: Request) -> Response:
    """Every table with screens."""
    context = get_app_context(request)
    return render_page(
        request, "displays/index.html", tables=await context.executors.query(_list_tables, context.card_room)
    )


def _list_tables(card_room: CardRoom) -> list[DisplayTable]:
    listed_tables = []
    for table in card_room.list_tabulators():
        state = card_room.tabulator(table)
        model = state.tabulator.table.model
        screens = {screen.kind for screen in model.screens}
        listed_tables.append(
            DisplayTable(
                table,
                state.game_setup.game,
                game(state.game_setup.game).facts.name,
                model.name,
                state.closed,
                state.money is Currency.PLAY,
                tuple((address, NAMES[kind]) for address, kind in KINDS.items() if kind in screens),
            )
        )
    return listed_tables


@router.get("/displays/{table}")
async def show_table(request: Request, table: str) -> Response:
    """All screens of a table."""
    return await _show_live_page(request, table)


@router.get("/displays/{table}/{kind}")
async def show_screen(request: Request, table: str, kind: str) -> Response:
    """One screen of a table."""
    return await _show_live_page(request, table, kind)


async def _show_live_page(request: Request, table: str, kind: str = "") -> Response:
    context = get_app_context(request)
    try:
        live = await context.executors.query(live_page, context, None, table, kind)
        screens = await context.executors.query(live.render)
    except BadInput as fault:
        return render_page(request, "displays/not_found.html", status=404, sentence=str(fault))
    return render_page(request, "displays/page.html", screens=screens, table=table, letters=glyph_paths())
