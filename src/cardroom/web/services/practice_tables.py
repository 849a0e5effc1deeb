"""Private practice tables without a clock, and the tables of a demo: one for each game, with jackpots and bots."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from cardroom.errors import BadInput
from cardroom.games import TableSetup, default_setup, game
from cardroom.games.setup import setup_from_json
from cardroom.room.setup.example import build_demo_table, demo_tables
from cardroom.room.table.reducer import practice_name
from cardroom.room.user.command_ids import player_command_id
from cardroom.service import CardRoom, PlayTerms, RoomTableSetup, SeatedBot, UnitSetup, WrongPhase
from cardroom.service.chains.names import table_chain
from cardroom.web.services.bots import BOT_NAMES, BOT_OWNER, bot_chips, seat_bot

_CLOSE_REASON: Final = "its owner has opened another one"


class TooManyBots(BadInput):
    """A bot at every seat."""


class GameMismatch(BadInput):
    """The setup is for another game."""


def open_practice(
    card_room: CardRoom,
    player: str,
    id: str,
    setup: TableSetup,
    bots: int,
    tables_in_use: Mapping[str, bool],
    max_tables: int,
) -> str:
    """Open a practice table. ``tables_in_use`` are the player's open tables and whether they are still needed. Beyond
    the limit, the least recently used of the others are closed."""
    table = practice_name(player, id)
    card_room.player_account(player)  # refuses an unknown player
    is_repeated = card_room.read_table_version(table) > 0
    beyond = 0 if is_repeated else max(len(tables_in_use) - max_tables + 1, 0)
    free = sorted(
        (practice_table for practice_table, needed in tables_in_use.items() if not needed),
        key=lambda practice_table: _last_used(card_room, practice_table),
    )
    if beyond > len(free):
        raise WrongPhase(
            f"You sit at {len(tables_in_use)} practice tables. The limit is {max_tables}. Leave one first."
        )
    terms = PlayTerms(owner=player, betting=0, deciding=0)
    card_room.add_table(
        player_command_id(player, id), player, RoomTableSetup(table, setup, terms), _choose_bots(setup, bots)
    )
    # Close after opening, so that a refused opening closes nothing.
    for practice_table in free[:beyond]:
        with suppress(WrongPhase):  # its owner now plays there, or it is already closed
            card_room.remove_table(
                player_command_id(player, f"{id}/close/{practice_table}"), player, practice_table, _CLOSE_REASON
            )
    return table


def _choose_bots(setup: TableSetup, count: int) -> list[SeatedBot]:
    """The bots of a new table, from the last seat on, so that the first seats are free."""
    at = game(setup.game).open(setup)
    if count >= at.seats:
        raise TooManyBots(
            f"{count} bots leave no seat for you. The table has {at.seats} seats, so the maximum is {at.seats - 1} "
            "bots."
        )
    cents = bot_chips(at)
    return [SeatedBot(at.seats - place, BOT_NAMES[place], cents) for place in range(count)]


def _last_used(card_room: CardRoom, table: str) -> int:
    head = card_room.ledger.head(table_chain(table))
    return head.time if head else 0


def default_practice_setup(slug: str) -> TableSetup:
    """The default setup of a game without meter wagers.

    >>> list(default_practice_setup("three-card-prime").wagers)
    ['ante-play', 'prime', 'pair-bonus', 'all-six']
    """
    setup = default_setup(slug)
    offered = game(slug).open(setup).offers
    return replace(
        setup,
        wagers={wager: wager_setup for wager, wager_setup in setup.wagers.items() if not offered[wager].has_meter},
    )


def parse_practice_setup(slug: str, setup: Mapping[str, Any] | None) -> TableSetup:
    """The submitted setup of a game, or the default one."""
    slug = game(slug).facts.slug
    if setup is None:
        return default_practice_setup(slug)
    parsed_setup = setup_from_json({"game": slug, **setup})
    if parsed_setup.game != slug:
        raise GameMismatch(f"The setup is for {parsed_setup.game}, but the game is {slug}. Name the same game in both.")
    return parsed_setup


DEMO_BOTS: Final = 2
"""The number of bots at each table."""


def open_demo(card_room: CardRoom, bots: int = DEMO_BOTS) -> tuple[str, ...]:
    """Open the missing tables of the demo."""
    games = [demo_table.setup.game for demo_table in demo_tables()]
    tables = {f"{slug}-1": slug for slug in games}
    for table, slug in tables.items():
        if not card_room.read_table_version(table):
            open_demo_table(card_room, slug, table)
        at = card_room.table(table)
        for place in range(bots) if at.opening == 1 and at.number == 1 else ():
            seat = at.open_table.table.seats - place
            if at.occupant(seat) is None:
                seat_bot(card_room, f"demo/{table}/company/{seat}", table, seat, BOT_NAMES[place])
    return tuple(tables)


def open_demo_table(card_room: CardRoom, game: str, table: str) -> None:
    """Open a demo table with its jackpot and tabulator. An interrupted opening is completed."""
    demo_setup = build_demo_table(game, table)
    card_room.jackpots.open(f"demo/{table}/jackpot", BOT_OWNER, demo_setup.jackpot)
    unit = UnitSetup(demo_setup.tabulator, demo_setup.unit)
    card_room.add_table(f"demo/{table}", BOT_OWNER, RoomTableSetup(table, demo_setup.setup, PlayTerms(), unit))
