"""A coach for any game: what each answer is worth to a seat, from what it sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from math import gcd, sqrt
from typing import Final

from cardroom.games import ChanceTurn, DealerTurn, Game, Over, Round, SeatTurn, Table, View
from cardroom.odds.any.asked import as_seen
from cardroom.odds.any.search import Search, TooLarge, Worth
from cardroom.odds.any.situation import Situation
from cardroom.odds.any.unturned import Look
from cardroom.odds.pricer import Advice
from cardroom.odds.rounds.by_the_rules import Numbers

BUDGET: Final = 20_000
"""Situations that a player waits for."""
TRIES: Final = 200
"""Rounds in which each answer is tried where there are more."""


def advise(rules: Game, table: Table, seen: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
    """Each answer and what it wins or loses on average, of the stakes that hang on it, the best first."""
    group = as_seen(rules, table, seen, seat)
    spots = tuple(seen.bets[seat])

    def nets(round_: Round) -> tuple[int, ...]:
        found = dict.fromkeys(spots, 0)
        for payment in rules.settle(round_, dict.fromkeys(table.spots, 0) | dict(meters)).of(seat):
            found[payment.spot] += payment.paid - payment.wagered
        return tuple(found.values())

    def worth(end: tuple[int, ...]) -> Worth:
        return Fraction(sum(end)), *map(Fraction, end)

    search = Search(table.deck, nets, worth, BUDGET)
    try:
        values = search.values(group)
    except TooLarge:
        return _tried(group, seen, nets)
    hanging = [at for at in range(1, len(spots) + 1) if len({value[at] for value in values.values()}) > 1]
    advice = [
        Advice(decision, sum((value[at] for at in hanging), Fraction(0)) if hanging else value[0])
        for decision, value in values.items()
    ]
    return tuple(sorted(advice, key=lambda one: one.value, reverse=True))


# Where there is too much to search, each answer is tried in as many rounds; what is asked later is answered at random.


def _tried(group: list[Situation], seen: View, nets: Callable[[Round], tuple[int, ...]]) -> tuple[Advice, ...]:
    assert isinstance(seen.turn, SeatTurn)
    seed = int.from_bytes(sha256(repr(sorted(map(str, seen.piles.items()))).encode()).digest()[:8])
    advice = []
    for option in seen.turn.options:
        won = []
        for turn in range(TRIES):
            numbers = Numbers(seed, turn)  # the same luck for every answer
            won.append(sum(nets(_played(_one_of(group, numbers).decided(option), numbers))))
        mean = Fraction(sum(won), TRIES)
        variance = sum((Fraction(one) - mean) ** 2 for one in won) / (TRIES - 1)
        advice.append(Advice(option, mean, sqrt(variance / TRIES)))
    return tuple(sorted(advice, key=lambda one: one.value, reverse=True))


def _played(now: Situation, numbers: Numbers) -> Round:
    """One round to its end. Cards are turned at random as they are looked at, and so are those in the settlement."""
    while True:
        try:
            match now.turn:
                case ChanceTurn(place):
                    now = now.dealt(place)
                case DealerTurn(step):
                    now = now.stepped(step)
                case SeatTurn(_, _, options):
                    now = now.decided(options[numbers.below(len(options))])
                case Over():
                    now.round.game.settle(now.round)
                    return now.round
        except Look as look:
            now = _one_of(now.split(look.position, look.parts()), numbers)


def _one_of(situations: Sequence[Situation], numbers: Numbers) -> Situation:
    """One of them, by how likely they are."""
    ways = [one.chance.ways for one in situations]
    common = gcd(*ways)
    left = numbers.below(sum(ways) // common)
    for one, many in zip(situations, ways, strict=True):
        left -= many // common
        if left < 0:
            return one
    raise AssertionError("some situation is drawn")
