"""TableVision: what the screens of a table show, full screen, for players two metres away."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.accounts import Currency
from cardroom.errors import BadInput
from cardroom.floor import Floor
from cardroom.floor.desks.displays import Vision
from cardroom.floor.kept.chains import ROOM, felt_chain, table_chain
from cardroom.games import game
from cardroom.jackpots.displays import DARK_LINE, Board, Display, LedLine, Panel, exact_money, wording
from cardroom.jackpots.setup.models import DisplayKind
from cardroom.web.pages.drawing import fragment, page
from cardroom.web.pages.leds import HEIGHT, LedRow, drawn, phrases, set_line
from cardroom.web.pages.visitors import house_of
from cardroom.web.room.boards import Board as OpenBoard
from cardroom.web.room.boards import follow
from cardroom.web.room.house import House

router = APIRouter(include_in_schema=False)
KINDS: Final = {"monitor": DisplayKind.MONITOR, "frame": DisplayKind.PICTURE_FRAME, "led": DisplayKind.LED_LINE}
"""The screens by what their addresses call them."""
NAMES: Final = {
    DisplayKind.MONITOR: "Monitor",
    DisplayKind.PICTURE_FRAME: "Picture frame",
    DisplayKind.LED_LINE: "LED line",
}
UNLIT: Final = (wording()["status"]["dark"], wording()["status"]["unavailable"].lower())
"""What stands for the limits of a wager that nobody can make."""
COLUMNS: Final = 132
"""Lights in a row of the text that runs past."""
_AMOUNT_COLUMNS: Final = 56
"""At least so many where the amount is, so that a small amount is not larger than a large one."""
_TWO_COLUMNS: Final = 6
"""A paytable of so many lines stands in two columns where there is room."""


class NoSuchScreen(BadInput):
    """A screen that the table does not have."""


class LedSign(NamedTuple):
    """An LED line, in lights."""

    line: LedLine
    amount: LedRow
    columns: int
    """Of the amount's part of the sign."""
    phrases: tuple[tuple[LedRow, ...], ...]
    """The text, phrase by phrase, each in lines that the sign can hold."""

    @property
    def left(self) -> int:
        """The column at which the amount begins."""
        return (self.columns - self.amount.width) // 2


class ListedTable(NamedTuple):
    """A table and its screens."""

    table: str
    game: str
    name: str
    model: str
    closed: str
    of_play_money: bool
    screens: tuple[tuple[str, str], ...]
    """Each by its address, with its name."""


def board(house: House, _: str | None, table: str, kind: str = "") -> OpenBoard:
    """The screens of a table as long as the page is open; one of them, or all."""
    floor = house.floor
    slug = floor.table(table).game_setup.game
    _chosen(floor.vision(table), kind)

    def draw() -> str:
        vision = floor.vision(table)
        boards, signs = _apart(_chosen(vision, kind), closed=bool(vision.closed))
        return fragment(
            "displays/screens.html",
            boards=boards,
            signs=signs,
            closed=vision.closed,
            game=slug,
            exact=exact_money,
            rows=rows,
            notes_of=notes_of,
            longest=longest,
            unlit=UNLIT,
            columns=COLUMNS,
            high=HEIGHT,
        )

    # Its own felt counts the wagers in the same moment as it deals; meters that others move are heard of as well.
    return OpenBoard(follow(table_chain(table), felt_chain(table), "jackpot:*", "promotion:*", ROOM), draw)


def _chosen(vision: Vision, kind: str) -> tuple[Display, ...]:
    """The displays that an address names; all of them where it names none."""
    if kind and kind not in KINDS:
        raise NoSuchScreen(f"There is no screen {kind!r}: there are {', '.join(KINDS)}.")
    found = tuple(one for one in vision.displays if not kind or one.kind is KINDS[kind])
    if not found:
        there = dict.fromkeys(NAMES[one.kind] for one in vision.displays)
        raise NoSuchScreen(f"{vision.table} has no {NAMES[KINDS[kind]].lower()}: it has {' and '.join(there)}.")
    return found


def _apart(shown: tuple[Display, ...], *, closed: bool) -> tuple[list[Board], list[LedSign]]:
    """Pictures and signs; at a closed table the sign is dark."""
    boards = [one for one in shown if isinstance(one, Board)]
    lines = [one for one in shown if isinstance(one, LedLine)]
    if closed and lines:
        lines = [DARK_LINE._replace(money=lines[0].money)]
    return boards, [led_sign(one) for one in lines]


def led_sign(line: LedLine) -> LedSign:
    """An LED line in lights."""
    amount = set_line(line.amount)
    wide = max(amount.width + 4, _AMOUNT_COLUMNS)
    return LedSign(line, amount, wide + (wide - amount.width) % 2, phrases(line.running, COLUMNS - 4))


def rows(panels: Iterable[Panel], columns: int = 1) -> int:
    """How many rows the longest of their paytables take; the name of a feature has one of its own."""
    return max((_rows([len(prizes.lines) for prizes in panel.prizes], columns) for panel in panels), default=0)


def _rows(tables: list[int], columns: int) -> int:
    return sum(ceil(lines / (columns if lines >= _TWO_COLUMNS else 1)) for lines in tables) + max(len(tables) - 1, 0)


def longest(board: Board) -> int:
    """How many characters the longest amount has: all are as large as it can be."""
    return max((len(exact_money(panel.amounts[0].cents)) for panel in board.panels if panel.amounts), default=0)


def notes_of(board: Board) -> tuple[str, ...]:
    """What is to be known of its paytables, each sentence once."""
    return tuple(dict.fromkeys(note for panel in board.panels for prizes in panel.prizes for note in prizes.notes))


@router.get("/displays")
async def list_displays(request: Request) -> Response:
    """Every table that has screens."""
    house = house_of(request)
    return page(request, "displays/index.html", tables=await house.clerks.look(_listed, house.floor))


def _listed(floor: Floor) -> list[ListedTable]:
    found = []
    for table in floor.tables():
        state = floor.table(table)
        model = state.tabulator.table.model
        screens = {one.kind for one in model.screens}
        found.append(
            ListedTable(
                table,
                state.game_setup.game,
                game(state.game_setup.game).facts.name,
                model.name,
                state.closed,
                state.money is Currency.PLAY,
                tuple((address, NAMES[kind]) for address, kind in KINDS.items() if kind in screens),
            )
        )
    return found


@router.get("/displays/{table}")
async def show_table(request: Request, table: str) -> Response:
    """All screens of a table."""
    return await _show(request, table)


@router.get("/displays/{table}/{kind}")
async def show_screen(request: Request, table: str, kind: str) -> Response:
    """One screen of a table."""
    return await _show(request, table, kind)


async def _show(request: Request, table: str, kind: str = "") -> Response:
    house = house_of(request)
    try:
        shown = await house.clerks.look(board, house, None, table, kind)
        screens = await house.clerks.look(shown.draw)
    except BadInput as fault:
        return page(request, "displays/none.html", status=404, sentence=str(fault))
    return page(request, "displays/page.html", screens=screens, table=table, letters=drawn())
