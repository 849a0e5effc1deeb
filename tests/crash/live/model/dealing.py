"""Where the cards go, game by game, as the sheets say; and whether a round was dealt so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.crash.live.model.order import order, seal

DECKS = {
    "three-card-prime": (1, 0),
    "dueling-for-dollars": (6, 0),
    "three-card-double-play": (1, 0),
    "deuces-wild": (1, 1),
}


class WrongDeal(AssertionError):
    """A round that was not dealt as its key says."""


def check_deal(game: str, past: Mapping[str, Any], shown: str) -> None:
    """The key opens the seal that was shown, and every card is the one that comes next in the order of that key."""
    key, round_id, record = bytes.fromhex(past["key"]), past["round"], past["record"]
    if not shown == past["seal"] == seal(key, round_id):
        raise WrongDeal(f"{round_id}: the seal that was shown, {shown}, is not that of the key.")
    words = {int(seat): word for seat, word in past["words"].items()}
    coming = iter(order(key, round_id, words, *DECKS[game]))
    dealt: dict[str, list[str]] = {}
    for place in places(game, record):
        dealt.setdefault(place, []).append(next(coming))
    if dealt != record["cards"]:
        raise WrongDeal(f"{round_id}: the key deals {dealt}, and dealt were {record['cards']}.")


def places(game: str, record: Mapping[str, Any]) -> Iterator[str]:
    """The place of each card, in the order of the deal."""
    wagers = {int(seat): spots for seat, spots in record["wagers"].items()}
    said = {(one["seat"], one["question"]): one["answer"] for one in record["decisions"]}
    return _GAMES[game](sorted(wagers), wagers, said)


_Wagers = Mapping[int, Mapping[str, int]]
_Said = Mapping[tuple[int, str], str]


def _prime(seats: list[int], _: _Wagers, __: _Said) -> Iterator[str]:
    # Rule 1: four cards to each, the fourth apart; of the dealer's four the bottom one is discarded.
    for seat in seats:
        yield from [f"seat {seat} hand"] * 3
        yield f"seat {seat} fourth"
    yield "burn"
    yield from ["dealer"] * 3


def _duel(seats: list[int], _: _Wagers, said: _Said) -> Iterator[str]:
    # Rule 2: one card to each player, then one community card. Rule 9: one more for each at war, and one for all.
    yield from (f"seat {seat} hand" for seat in seats)
    yield "community"
    at_war = [seat for seat in seats if said.get((seat, "tie")) == "war"]
    if at_war:
        yield from (f"seat {seat} war" for seat in at_war)
        yield "war community"


def _double_play(seats: list[int], _: _Wagers, __: _Said) -> Iterator[str]:
    # DP-8: one at a time in rotation, the dealer last; six to each player and five to the dealer.
    for number in range(1, 7):
        yield from (f"seat {seat} hand" for seat in seats)
        if number <= 5:
            yield "dealer"


def _deuces(seats: list[int], wagers: _Wagers, said: _Said) -> Iterator[str]:
    # Rule 18: a community card and one to each, three times. Then the fourth ones (rule 21), then the last (rule 22).
    for _ in range(3):
        yield "community"
        yield from (f"seat {seat} hand" for seat in seats)
    jackpot = [seat for seat in seats if "bonus-jackpot" in wagers[seat]]
    fourth = [seat for seat in seats if said.get((seat, "play")) == "play" or seat in jackpot]
    if not fourth and not any("five-card-fortune" in wagers[seat] for seat in seats):
        return  # DW-9
    yield "community"
    yield from (f"seat {seat} fourth" for seat in fourth)
    yield from (f"seat {seat} fifth" for seat in seats if said.get((seat, "raise")) == "raise" or seat in jackpot)


_GAMES: Mapping[str, Callable[[list[int], _Wagers, _Said], Iterator[str]]] = {
    "three-card-prime": _prime,
    "dueling-for-dollars": _duel,
    "three-card-double-play": _double_play,
    "deuces-wild": _deuces,
}
