"""A coach for any game: the value of each decision of a seat, from what the seat sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from math import gcd, sqrt
from typing import Final

from cardroom.games import ChanceTurn, DealerTurn, Game, Round, RoundEnd, SeatTurn, Table, View
from cardroom.odds.generic.lazy_cards import RevealRequest
from cardroom.odds.generic.search import Search, SearchTooLarge, Utility
from cardroom.odds.generic.situation import Situation, situations_from_view
from cardroom.odds.pricer import Advice
from cardroom.odds.simulation.rules_engine import RoundRandom

ADVICE_BUDGET: Final = 20_000
"""The most situations for exact advice, so that a player need not wait long."""
TRIALS: Final = 200
"""The rounds that try each decision if there are more situations."""


def advise(rules: Game, table: Table, view: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
    """Each decision and what it wins or loses on average, of the stakes that depend on it, the best first."""
    situations = situations_from_view(rules, table, view, seat)
    spots = tuple(view.bets[seat])

    def nets(round_: Round) -> tuple[int, ...]:
        net_by_spot = dict.fromkeys(spots, 0)
        for payment in rules.settle(round_, dict.fromkeys(table.spots, 0) | dict(meters)).seat_payments(seat):
            net_by_spot[payment.spot] += payment.known_return - payment.wagered
        return tuple(net_by_spot.values())

    def utility(end: tuple[int, ...]) -> Utility:
        return Fraction(sum(end)), *map(Fraction, end)

    search = Search(table.deck, nets, utility, ADVICE_BUDGET)
    try:
        values = search.option_values(situations)
    except SearchTooLarge:
        return _try_options(situations, view, nets)
    affected = [index for index in range(1, len(spots) + 1) if len({value[index] for value in values.values()}) > 1]
    advice = [
        Advice(decision, sum((value[index] for index in affected), Fraction(0)) if affected else value[0])
        for decision, value in values.items()
    ]
    return tuple(sorted(advice, key=lambda option: option.value, reverse=True))


# If there is too much to search, each decision is tried in this many rounds; later decisions are random.


def _try_options(
    situations: list[Situation], view: View, nets: Callable[[Round], tuple[int, ...]]
) -> tuple[Advice, ...]:
    assert isinstance(view.turn, SeatTurn)
    seed = int.from_bytes(sha256(repr(sorted(map(str, view.piles.items()))).encode()).digest()[:8])
    advice = []
    for option in view.turn.options:
        results = []
        for trial in range(TRIALS):
            numbers = RoundRandom(seed, trial)  # the same random cards for every decision
            results.append(sum(nets(_play_out(_draw_situation(situations, numbers).decide(option), numbers))))
        mean = Fraction(sum(results), TRIALS)
        variance = sum((Fraction(item) - mean) ** 2 for item in results) / (TRIALS - 1)
        advice.append(Advice(option, mean, sqrt(variance / TRIALS)))
    return tuple(sorted(advice, key=lambda item: item.value, reverse=True))


def _play_out(situation: Situation, numbers: RoundRandom) -> Round:
    """Play one round to its end. A card is drawn at random when the rules, or the settlement, look at it."""
    while True:
        try:
            match situation.turn:
                case ChanceTurn(place):
                    situation = situation.deal(place)
                case DealerTurn(step):
                    situation = situation.take_step(step)
                case SeatTurn(_, _, options):
                    situation = situation.decide(options[numbers.below(len(options))])
                case RoundEnd():
                    situation.round.game.settle(situation.round)
                    return situation.round
        except RevealRequest as reveal:
            situation = _draw_situation(situation.split(reveal.position, reveal.card_sets()), numbers)


def _draw_situation(situations: Sequence[Situation], numbers: RoundRandom) -> Situation:
    """Draw one situation by its probability."""
    weights = [situation.chance.combinations for situation in situations]
    common = gcd(*weights)
    remainder = numbers.below(sum(weights) // common)
    for situation, weight in zip(situations, weights, strict=True):
        remainder -= weight // common
        if remainder < 0:
            return situation
    raise AssertionError("a situation is drawn")
