"""Rigged rounds for the conformance kit: rare things are met by dealing from thin shoes, by no game's own name.

A jackpot's lines are made of few ranks or few suits. So every seat is dealt from a small window of ranks in a suit or
two, and the table from the same window or from what is left; the answers are random. Of such rounds nearly every one
holds something that a fair shoe shows once in a million. The game's own settlement says what was met.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from cardroom.cards import JOKER, Card, Deck, Rank, Suit
from cardroom.faults import BadInput
from cardroom.games import Decide, Game, Round, SeatTurn, Table, TableSetup, WagerSetup, default_setup, game
from cardroom.games.actions import Deal, TakeStep
from cardroom.games.turns import ChanceTurn, DealerTurn
from cardroom.paytables import Accepts, OperatorBonus, Percent, paytables

PRIZE, SHARE = "$777", "25%"
METER = 1_000_01
TRIES = 1_200
ENOUGH = 3


@dataclass(frozen=True)
class Thin:
    """Which cards are dealt: a window of ranks, the suits of a seat, and whether the table draws from the same."""

    lowest: int
    ranks: int
    suits: int
    own_suits: bool
    table_too: bool

    @classmethod
    def rolled(cls, dice: random.Random) -> Thin:
        ranks = dice.randint(1, 7)
        highest = Rank.ACE + 1 - ranks
        lowest = dice.choice([Rank.TWO, highest, highest, dice.randint(Rank.TWO, highest)])
        return cls(lowest, ranks, dice.choice((1, 1, 2, 4)), dice.random() < 0.5, dice.random() < 0.6)

    def pool(self, deck: Deck, seat: int | None) -> tuple[Card, ...]:
        """What a seat, or the table, is dealt from as long as it lasts."""
        if seat is None and not self.table_too:
            return ()
        first = (seat or 1) * self.suits if self.own_suits else Suit.DIAMONDS
        suits = {(first + step) % len(Suit) for step in range(self.suits)}
        ranks = range(self.lowest, self.lowest + self.ranks)
        return tuple(one for one in deck.kinds() if one == JOKER or (one.rank in ranks and one.suit in suits))


def rigged(rules: Game, table: Table, bets: dict[int, dict[str, int]], dice: random.Random) -> Round:
    """A finished round dealt from a thin shoe."""
    thin, deck = Thin.rolled(dice), table.deck
    pools = {seat: thin.pool(deck, seat) for seat in (*bets, None)}
    left = {one: deck.copies(one) for one in deck.kinds()}
    r = rules.begin(table, bets)
    while not r.is_over:
        match r.turn:
            case ChanceTurn(place):
                wanted = [one for one in pools[place.seat] if left[one]]
                one = dice.choice(wanted or [one for one, copies in left.items() if copies])
                left[one] -= 1
                r = r.apply(Deal(one))
            case SeatTurn(seat, _, options):
                verb = dice.choice(sorted({option.verb for option in options}))
                r = r.apply(Decide(seat, dice.choice([option for option in options if option.verb is verb])))
            case DealerTurn(step):
                r = r.apply(TakeStep(step))
    return r


def meter_setups(slug: str) -> Iterator[tuple[str, TableSetup]]:
    """For each wager and each of its tables that can pay a percentage, a set-up where it does."""
    usual = default_setup(slug, seats=3)
    for wager in game(slug).facts.wagers:
        for table in paytables(slug, wager.slug):
            bonuses = {line.event: _pay(line.pay) for line in table.operator_lines}
            if SHARE in bonuses.values() or any(isinstance(line.pay, Percent) for line in table.lines):
                limits = usual.wagers[wager.slug].limits
                wagers = {**usual.wagers, wager.slug: WagerSetup(limits, table.name, bonuses)}
                yield wager.slug, replace(usual, wagers=wagers)


def _pay(pay: object) -> str:
    return SHARE if isinstance(pay, OperatorBonus) and pay.accepts is not Accepts.BONUS else PRIZE


@dataclass(frozen=True)
class MeterRounds:
    """Finished rounds in which somebody won a percentage."""

    wagers: frozenset[str]
    """Those that can pay one, by some table."""
    won: tuple[tuple[str, Round], ...]
    """By wager."""


@cache
def meter_rounds(slug: str) -> MeterRounds:
    """Rounds in which percentages are won, by one seat and by several together, for every wager that can pay one."""
    rules, dice = game(slug), random.Random(f"{slug} rigged")
    tables: dict[str, list[Table]] = {}
    for wager, setup in meter_setups(slug):
        tables.setdefault(wager, []).append(_opened(rules, setup))
    won = [found for wager, some in tables.items() for found in _search(rules, wager, some, dice)]
    return MeterRounds(frozenset(tables), tuple(won))


def _opened(rules: Game, setup: TableSetup) -> Table:
    for deck in rules.facts.decks:
        try:
            return rules.open(replace(setup, decks=deck.decks))
        except BadInput as fault:
            why = fault
    raise why


def _search(rules: Game, wager: str, tables: list[Table], dice: random.Random) -> Iterator[tuple[str, Round]]:
    """Rounds with a winner, until enough of them were won by one seat alone and by several together."""
    found = {True: 0, False: 0}
    for _ in range(TRIES):
        table = dice.choice(tables)
        r = rigged(rules, table, _bets(table, wager, dice.randint(1, 3)), dice)
        winners = Counter(one.event for one in rules.payments(r) if one.meter and one.spot == wager)
        alone = max(winners.values(), default=0) == 1
        if winners and found[alone] < ENOUGH:
            found[alone] += 1
            yield wager, r
        if min(found.values()) == ENOUGH:
            return


def _bets(table: Table, wager: str, seats: int) -> dict[int, dict[str, int]]:
    """So many seats with the wager and with what every player must wager."""
    wanted = [offered for offered in table.offered.values() if offered.wager.required or offered.wager.slug == wager]
    spots = [next(spot for spot, one in table.spots.items() if one is offered) for offered in wanted]
    return {seat: {spot: table.spots[spot].limits.minimum for spot in spots} for seat in range(1, seats + 1)}
