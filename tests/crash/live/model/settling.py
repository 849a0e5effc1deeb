"""Take and pay. Two games are settled here from their sheets; of the others what was shown to be paid is added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any, NamedTuple

from tests.crash.live.model.order import RANKS

JACKPOTS = {
    "three-card-prime": "final-four",
    "dueling-for-dollars": "tie-after-tie",
    "three-card-double-play": "super-3s",
    "deuces-wild": "bonus-jackpot",
}
"""The wager that plays for a jackpot."""
DEALER_PAYS = 3_50
"""What a prize of a jackpot may come to, in cents, if it is paid at once."""


class Settled(NamedTuple):
    """What a seat gets of a round, in cents."""

    back: int
    prize: int
    """Of a jackpot."""

    @property
    def at_once(self) -> int:
        return self.back + (0 if self.waits else self.prize)

    @property
    def waits(self) -> int:
        return self.prize if self.prize > DEALER_PAYS else 0


def put_down(game: str, wagers: Mapping[str, int]) -> int:
    """What wagers put on the layout before the deal: High and Low are one unit each (DP-1)."""
    return sum(wagers.values()) + (wagers.get("high-low", 0) if game == "three-card-double-play" else 0)


def price(wagers: Mapping[str, int], answer: str) -> int:
    """What an answer puts on the layout."""
    match answer:
        case "play":
            return wagers.get("ante-play") or wagers["ante-play-raise"]
        case "raise":
            return 2 * wagers["ante-play-raise"]
        case "war":
            return wagers.get("player") or wagers["dealer"]
        case "double":
            return 2 * wagers["high-low"]
    return 0


def safe(question: str, answer: str) -> bool:
    """Whether an answer may count for a user who gives none: it costs nothing."""
    known = {"play": "fold", "raise": "fold", "tie": "surrender", "double": "stand"}
    return answer == known.get(question, answer)


class WrongPay(AssertionError):
    """A round that was not settled as its sheet says."""


def settle(game: str, past: Mapping[str, Any]) -> dict[int, Settled]:
    """What each seat gets of a round that has ended; what was shown of it has to agree."""
    record, seats = past["record"], sorted(int(seat) for seat in past["record"]["wagers"])
    settled = {seat: _settled(game, past, seat) for seat in seats}
    result = {int(seat): cents for seat, cents in past["returned_cents"].items()}
    if result != {seat: one.at_once for seat, one in settled.items() if one.at_once}:
        raise WrongPay(f"{past['round']}: {settled} was expected, and returned was {result}: {record}")
    waiting = Counter[int]()
    for one in past.get("waiting", ()):
        waiting[one["seat"]] += one["cents"]
    if waiting != {seat: one.waits for seat, one in settled.items() if one.waits}:
        raise WrongPay(f"{past['round']}: {settled} was expected, and for two people wait {waiting}: {record}")
    _check_sums(game, past, settled)
    return settled


def _settled(game: str, past: Mapping[str, Any], seat: int) -> Settled:
    record = past["record"]
    wagers, cards = record["wagers"][str(seat)], record["cards"]
    said = {one["question"]: one["answer"] for one in record["decisions"] if one["seat"] == seat}
    if game in _OWN and "meters" not in record:
        return Settled(*_OWN[game](wagers, cards, seat, said))
    # A percentage of a meter is the other model's affair, and comes once in a hundred thousand rounds.
    result = [one for one in past["payments"] if one["seat"] == seat]
    prize = sum(one["returned"] for one in result if one["spot"] == JACKPOTS[game])
    return Settled(sum(one["returned"] for one in result) - prize, prize)


def _check_sums(game: str, past: Mapping[str, Any], settled: Mapping[int, Settled]) -> None:
    """The payments that are shown tell of every wager and every answer, and come to the same."""
    record = past["record"]
    for seat, one in settled.items():
        wagers = record["wagers"][str(seat)]
        answers = [said["answer"] for said in record["decisions"] if said["seat"] == seat]
        result = [payment for payment in past["payments"] if payment["seat"] == seat]
        staked = put_down(game, wagers) + sum(price(wagers, answer) for answer in answers)
        if sum(payment["wagered"] for payment in result) != staked:
            raise WrongPay(f"{past['round']}: seat {seat} put {staked} down, and settled is {result}.")
        if sum(payment["returned"] for payment in result) != one.back + one.prize:
            raise WrongPay(f"{past['round']}: seat {seat} gets {one}, and told is {result}.")
        if any(payment["net"] != payment["returned"] - payment["wagered"] for payment in result):
            raise WrongPay(
                f"{past['round']}: what seat {seat} wins is not what it gets without what it wagered: {result}"
            )


_Cards = Mapping[str, list[str]]


def rank(card: str) -> int:
    """Two to fourteen: the ace is high."""
    return RANKS.index(card[0]) + 2


def is_red(card: str) -> bool:
    return card[1] in "dh"


# Dueling for Dollars, sheet 003: PT-FLT-DFD-TP-01, PT-FLT-DFD-CB-01, PT-BJS-DFD-TAT-02.


def _duel(wagers: Mapping[str, int], cards: _Cards, seat: int, said: Mapping[str, str]) -> tuple[int, int]:
    (mine,), (other,) = cards[f"seat {seat} hand"], cards["community"]
    spot = "player" if "player" in wagers else "dealer"
    sign = 1 if spot == "player" else -1
    wager, lead = wagers[spot], sign * (rank(mine) - rank(other))
    at_war = said.get("tie") == "war"
    war = (cards[f"seat {seat} war"][0], cards["war community"][0]) if at_war else ()
    if war:  # rules 10 and 11: War wins even money and the first wager pushes
        back = 3 * wager if sign * (rank(war[0]) - rank(war[1])) >= 0 else 0
    elif lead == 0:
        back = wager // 2  # rule 6(a)
    else:
        back = 2 * wager if lead > 0 else 0
    if "tie-plus" in wagers and lead == 0:
        back += 13 * wagers["tie-plus"]
    if "combo" in wagers:
        back += _combo(mine, other) * wagers["combo"]
    prize = _tie_after_tie([mine, other], list(war)) if "tie-after-tie" in wagers else 0
    return back, prize


def _combo(mine: str, other: str) -> int:
    """What one unit brings back: the ace connects with the two and with the king (DD-1)."""
    apart = abs(rank(mine) - rank(other))
    straight, flush = apart in (1, 12), mine[1] == other[1]
    if apart == 0 or (straight and flush):
        return 3
    return 2 if straight or flush else 0


def _tie_after_tie(first: list[str], war: list[str]) -> int:
    """In cents, for a dollar; the color is that of the cards that make the event (DD-5)."""
    if rank(first[0]) != rank(first[1]):
        return 0
    again = [card for card in war if rank(card) == rank(first[0])]
    if war and rank(war[0]) == rank(war[1]):
        all_four = first + war
        if len(again) == 2:
            if len({card[1] for card in all_four}) == 1:
                raise WrongPay("Four of a kind of one suit are told with the meter that they win.")
            return 500_00 if _one_color(all_four) else 100_00
        return 50_00 if _one_color(all_four) else 10_00
    if len(again) == 1:
        return 25_00 if _one_color(first + again) else 15_00
    return 4_00 if _one_color(first) else 3_00


def _one_color(cards: list[str]) -> bool:
    return len({is_red(card) for card in cards}) == 1


# Three Card Prime, sheet 001: PW/BB 1, PRW-1, PB 1+PB/LD 1, A6-1, F4P-1.

MINI_ROYAL, STRAIGHT_FLUSH, TRIPS, STRAIGHT, FLUSH, PAIR, HIGH = 6, 5, 4, 3, 2, 1, 0


def three(cards: list[str]) -> tuple[int, list[int]]:
    """How good three cards are: their kind, and the ranks by which equal kinds are compared."""
    ranks = sorted(map(rank, cards), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    top = _straight_top(ranks)
    many = Counter(ranks)
    if flush and top == 14:
        return MINI_ROYAL, [14]
    if top:
        return (STRAIGHT_FLUSH if flush else STRAIGHT), [top]
    if 3 in many.values():
        return TRIPS, ranks
    if flush:
        return FLUSH, ranks
    if 2 in many.values():
        return PAIR, sorted(ranks, key=lambda one: (many[one], one), reverse=True)
    return HIGH, ranks


def _straight_top(ranks: list[int]) -> int:
    """The highest card of a straight, where the ace may also be low; 0 for none."""
    for top in range(14, len(ranks), -1):
        if ranks == list(range(top, top - len(ranks), -1)):
            return top
    low = [14, *range(len(ranks), 1, -1)]
    return len(ranks) if ranks == low else 0


def _prime(wagers: Mapping[str, int], cards: _Cards, seat: int, said: Mapping[str, str]) -> tuple[int, int]:
    hand, (fourth,), dealer = cards[f"seat {seat} hand"], cards[f"seat {seat} fourth"], cards["dealer"]
    mine, theirs = three(hand), three(dealer)
    back = _ante_and_play(wagers["ante-play"], mine, theirs) if said["play"] == "play" else 0
    if "prime" in wagers and _one_color(hand):
        back += (5 if _one_color(hand + dealer) else 4) * wagers["prime"]
    if "pair-bonus" in wagers:
        ordinary = {MINI_ROYAL: 50, STRAIGHT_FLUSH: 40, TRIPS: 30, STRAIGHT: 6, FLUSH: 3, PAIR: 1}
        deuce = {MINI_ROYAL: 100, STRAIGHT_FLUSH: 80, TRIPS: 60, STRAIGHT: 12, FLUSH: 6, PAIR: 1}
        odds = (deuce if rank(fourth) == 2 else ordinary).get(mine[0])
        back += (odds + 1) * wagers["pair-bonus"] if odds else 0
    if "all-six" in wagers:
        back += _all_six(hand + dealer) * wagers["all-six"]
    return back, _final_four(hand, fourth, mine[0]) if "final-four" in wagers else 0


def _all_six(six: list[str]) -> int:
    """What one unit brings back: the best five of the six cards. A royal of six has one of five in it."""
    odds = max(_five(list(five)) for five in combinations(six, 5))
    return odds + 1 if odds else 0


def _five(cards: list[str]) -> int:
    ranks = sorted(map(rank, cards), reverse=True)
    top, flush = _straight_top(ranks), len({card[1] for card in cards}) == 1
    many = sorted(Counter(ranks).values(), reverse=True)
    if top and flush:
        return 1_000 if top == 14 else 200
    for alike, odds in (([4, 1], 50), ([3, 2], 25)):
        if many == alike:
            return odds
    if flush:
        return 20
    return 10 if top else 5 if many == [3, 1, 1] else 0


def _ante_and_play(ante: int, mine: tuple[int, list[int]], theirs: tuple[int, list[int]]) -> int:
    """Rules 4 and 5; equal hands win for the player (TP-1)."""
    wins = {MINI_ROYAL: 10, STRAIGHT_FLUSH: 6, TRIPS: 5, STRAIGHT: 2}.get(mine[0], 1)
    if theirs[0] == HIGH and theirs[1][0] < 12:
        return ante + (wins + 1) * ante
    if mine >= theirs:
        return 2 * ante + (wins + 1) * ante
    bad_beat = {STRAIGHT_FLUSH: 12, TRIPS: 10, STRAIGHT: 4}.get(mine[0])
    return (bad_beat + 1) * ante if bad_beat else 0


def _final_four(hand: list[str], fourth: str, kind: int) -> int:
    """In cents, for a dollar: the first three cards must be a straight or better (TP-5)."""
    four = sorted(map(rank, [*hand, fourth]), reverse=True)
    runs_on, one_suit = bool(_straight_top(four)), len({card[1] for card in [*hand, fourth]}) == 1
    if kind in (MINI_ROYAL, STRAIGHT_FLUSH):
        if runs_on and one_suit and four == [14, 13, 12, 11]:
            raise WrongPay("A royal of four is told with the meter that it wins.")
        return 1_000_00 if runs_on and one_suit else 40_00
    if kind == TRIPS:
        return 1_000_00 if len(set(four)) == 1 else 25_00
    if kind == STRAIGHT:
        return 15_00 if runs_on else 6_00
    return 0


_OWN: Mapping[str, Callable[[Mapping[str, int], _Cards, int, Mapping[str, str]], tuple[int, int]]] = {
    "dueling-for-dollars": _duel,
    "three-card-prime": _prime,
}
