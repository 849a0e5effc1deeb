"""Boards that differ in their suits only: one stands for all of its class."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import kernel
from cardroom.odds.texas_shootout.tablebase.shoe import BOARD, Shoe


class BoardClasses(NamedTuple):
    """The classes, those with equally many ways side by side."""

    boards: NDArray[np.uint8]
    """The board that stands for each."""
    ways: NDArray[np.int64]
    """In how many ways a board of the class is dealt; together all cards choose five."""


@kernel
def _images(board: NDArray[np.int64], exchanges: NDArray[np.int64], image: NDArray[np.int64]) -> int:
    """How many boards the exchanges of suits make of one, itself among them; 0 when one of them comes before it."""
    kinds = exchanges.shape[1]
    own = 0
    for place in range(BOARD):
        own = own * kinds + board[place]
    same = 0
    for order in range(len(exchanges)):
        for place in range(BOARD):
            card = exchanges[order, board[place]]
            at = place
            while at > 0 and image[at - 1] > card:
                image[at] = image[at - 1]
                at -= 1
            image[at] = card
        number = 0
        for place in range(BOARD):
            number = number * kinds + image[place]
        if number < own:
            return 0
        same += number == own
    return len(exchanges) // same


@kernel
def next_board(board: NDArray[np.int64], kinds: int) -> None:
    """From a board whose cards ascend to the next: the last card that can rises, and those after it start from there.
    After the last board the first card is one too high."""
    place = BOARD - 1
    while place > 0 and board[place] == kinds - 1:
        place -= 1
    board[place] += 1
    for later in range(place + 1, BOARD):
        board[later] = board[place]


@kernel
def _classes(
    exchanges: NDArray[np.int64], choose: NDArray[np.int64], boards: NDArray[np.uint8], ways: NDArray[np.int64]
) -> int:
    """Write the classes down as long as there is room, and count them."""
    kinds = exchanges.shape[1]
    board, image = np.zeros(BOARD, np.int64), np.empty(BOARD, np.int64)
    found = 0
    while board[0] < kinds:
        images = _images(board, exchanges, image)
        if images:
            if found < len(boards):
                dealt, run = images, 1
                for place in range(BOARD):
                    boards[found, place] = board[place]
                    if place + 1 < BOARD and board[place + 1] == board[place]:
                        run += 1
                    else:
                        dealt *= choose[run]
                        run = 1
                ways[found] = dealt
            found += 1
        next_board(board, kinds)
    return found


def board_classes(shoe: Shoe) -> BoardClasses:
    """All classes of boards of a shoe: 208,481 of six decks."""
    choose = np.array([comb(shoe.copies, count) for count in range(BOARD + 1)])
    nothing = np.empty((0, BOARD), np.uint8), np.empty(0, np.int64)
    count = _classes(shoe.exchanges, choose, *nothing)
    boards, ways = np.empty((count, BOARD), np.uint8), np.empty(count, np.int64)
    _classes(shoe.exchanges, choose, boards, ways)
    order = np.argsort(-ways, kind="stable")
    order = order[ways[order] > 0]  # six of one card are not in a shoe of fewer copies
    return BoardClasses(boards[order], ways[order])
