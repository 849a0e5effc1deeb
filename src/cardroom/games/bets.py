"""The wagers before the deal: taken all together, or refused with a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, SupportsIndex, TypeAlias

from cardroom.faults import BadInput, passed, quoted
from cardroom.games.frozen import FrozenMap
from cardroom.games.money import money
from cardroom.games.places import seat_number
from cardroom.games.table import Table

if TYPE_CHECKING:
    from cardroom.games.game import Game

Bets: TypeAlias = Mapping[int, Mapping[str, int]]


_SUCH_AS: Final = {1: {"ante-play": 1000}}


class BadBet(BadInput):
    """A wager that the table does not take."""


def checked_bets(game: Game, table: Table, bets: Bets) -> Bets:
    """The same wagers in the order of the seats, once every one of them is right."""
    if not bets:
        raise BadBet("Nobody has made a wager: a round needs at least one seat with one.")
    if not isinstance(bets, Mapping):
        raise BadBet(f"Wagers are given by seat and spot, such as {_SUCH_AS}; {passed(bets)} is something else.")
    for seat, spots in bets.items():
        fault = next(_faults(game, table, seat, spots), None)
        if fault is not None:
            raise BadBet(fault)
    return FrozenMap({seat: FrozenMap(dict(bets[seat])) for seat in sorted(bets)})


def bet_fault(game: Game, table: Table, seat: int, spots: Mapping[str, int]) -> str | None:
    """Why one seat's wagers are refused; None when they are taken."""
    return next(_faults(game, table, seat, spots), None)


def _faults(game: Game, table: Table, seat: int, spots: Mapping[str, int]) -> Iterator[str]:
    if type(seat) is not int:
        seat = seat_number(seat)
    if not 1 <= seat <= table.seats:
        yield f"There is no seat {seat}: the table has seats 1 to {table.seats}."
    if not spots:
        yield f"Seat {seat} has no wager: leave the seat out or put a wager on a spot."
    if (wrong := _wrong_type(spots)) is not None:
        yield f"Seat {seat}'s wagers are given by spot in whole cents, such as {_SUCH_AS[1]}; {wrong} is not that."
        return
    for spot, amount in spots.items():
        yield from _amount_faults(table, seat, spot, amount)
    most = table.spots_per_player
    if most is not None and len(spots) > most:
        yield f"Seat {seat} uses {len(spots)} spots: a player may use at most {most}."
    if table.fourth_wager is not None and len(spots) > 3:
        fourth = _fourth_wager(table, spots)
        if fourth > table.fourth_wager:
            yield (
                f"Seat {seat}'s fourth wager, the smallest that it need not make, is {money(fourth)}: it may be at "
                f"most {money(table.fourth_wager)}."
            )
    for offered in table.offered.values():
        if offered.wager.required and not any(table.spots.get(spot) is offered for spot in spots):
            yield f"Seat {seat} must make the {offered.wager.name} wager to be dealt in."
    yield from game.bet_faults(table, seat, spots)


def _fourth_wager(table: Table, spots: Mapping[str, int]) -> int:
    """The smallest wager that a player with four need not have made; with more than four the largest of those beyond
    the third, and 0 with fewer (GEN-1). A raise that follows is no wager of its own here."""
    made = ((table.spots[spot].wager, amount) for spot, amount in spots.items() if spot in table.spots)
    free = sorted(amount for wager, amount in made if not wager.required)
    return max(free[: max(len(spots) - 3, 0)], default=0)


def _wrong_type(spots: object) -> str | None:
    """What somebody passed who writes no types."""
    if not isinstance(spots, Mapping):
        return passed(spots)
    for amount in spots.values():
        if type(amount) is not int and not isinstance(amount, SupportsIndex):
            return passed(amount)
    return None


def _amount_faults(table: Table, seat: int, spot: str, amount: int) -> Iterator[str]:
    if spot not in table.spots:
        yield f"This table has no spot {quoted(spot)}: it has {', '.join(table.spots)}."
        return
    limits = table.spots[spot].limits
    if limits.minimum <= amount <= limits.maximum and not amount % limits.step:
        return
    yield f"Seat {seat} cannot wager {money(amount)} on {spot}: it takes {limits.words}."


def full_wagers(game: Game, table: Table, seat: int) -> dict[str, int]:
    """As many wagers as a player may make; each seat begins its side wagers at another spot."""
    first = next(iter(table.offered.values()))
    main = [spot for spot, offered in table.spots.items() if offered is first]
    side = [spot for spot in table.spots if spot not in main]
    spot = main[(seat - 1) % len(main)]
    wagers = {spot: table.spots[spot].limits.minimum}
    for spot in side[seat - 1 :] + side[: seat - 1]:
        more = {**wagers, spot: table.spots[spot].limits.minimum}
        if bet_fault(game, table, seat, more) is None:
            wagers = more
    return wagers
