"""Private practice tables: a player's own, without a clock, with company if wanted."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from cardroom.errors import BadInput
from cardroom.floor import Companion, FeltTerms, Floor, NotNow
from cardroom.floor.felt.naming import practice_name
from cardroom.floor.kept.chains import felt_chain
from cardroom.floor.people.senders import player_id
from cardroom.games import TableSetup, default_setup, game
from cardroom.games.setup import setup_from_json
from cardroom.web.room.company import NAMES, chips_for_a_while

_WHY: Final = "its owner has opened another one"


class TooMuchCompany(BadInput):
    """Company at every seat."""


class AnotherGame(BadInput):
    """A set-up of another game than the one that is named."""


def open_practice(
    floor: Floor, player: str, id: str, setup: TableSetup, company: int, own: Mapping[str, bool], most: int
) -> str:
    """Open one. ``own`` are the tables that the player has open, and whether they are still needed: where they are too
    many, those of the others are closed at which nothing has happened for the longest time."""
    table = practice_name(player, id)
    floor.player(player)  # refuses somebody who never came in
    again = floor.felt_version(table) > 0
    beyond = 0 if again else max(len(own) - most + 1, 0)
    free = sorted((one for one, needed in own.items() if not needed), key=lambda one: _last_used(floor, one))
    if beyond > len(free):
        raise NotNow(f"You sit at {len(own)} practice tables, and {most} is the most: leave one of them first.")
    terms = FeltTerms(owner=player, betting=0, deciding=0)
    floor.open_felt(player_id(player, id), player, table, setup, terms, _company(setup, company))
    # Only now: an opening that is refused closes nothing.
    for one in free[:beyond]:
        with suppress(NotNow):  # its owner has sat down there meanwhile and plays, or it was closed
            floor.close_felt(player_id(player, f"{id}/close/{one}"), player, one, _WHY)
    return table


def _company(setup: TableSetup, many: int) -> list[Companion]:
    """Those who sit there from the beginning: from the far end, so that the first seats are free."""
    at = game(setup.game).open(setup)
    if many >= at.seats:
        raise TooMuchCompany(
            f"Company at {many} seats leaves none for you: the table has {at.seats}, so let it be {at.seats - 1} at "
            "most."
        )
    cents = chips_for_a_while(at)
    return [Companion(at.seats - place, NAMES[place], cents) for place in range(many)]


def _last_used(floor: Floor, table: str) -> int:
    head = floor.ledger.head(felt_chain(table))
    return head.time if head else 0


def usual_setup(slug: str) -> TableSetup:
    """The set-up for trying a game out, without the wagers that play for a meter: a table without jackpots has none.

    >>> list(usual_setup("three-card-prime").wagers)
    ['ante-play', 'prime', 'pair-bonus', 'all-six']
    """
    setup = default_setup(slug)
    offered = game(slug).open(setup).offers
    return replace(setup, wagers={wager: of for wager, of in setup.wagers.items() if not offered[wager].has_meter})


def wanted_setup(slug: str, setup: Mapping[str, Any] | None) -> TableSetup:
    """The set-up that was sent, for the game that was named, or the usual one."""
    slug = game(slug).facts.slug
    if setup is None:
        return usual_setup(slug)
    read = setup_from_json({"game": slug, **setup})
    if read.game != slug:
        raise AnotherGame(f"The set-up is of {read.game}, and the game is {slug}: name the same game twice, or once.")
    return read
