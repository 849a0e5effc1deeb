"""Sample rounds for the conformance kit: random rounds, and rigged rounds that make rare events common.

Random rounds have random setups, wagers, and decisions, all from one seed. Rigged rounds are dealt from thin shoes: a
jackpot's lines need few ranks or few suits, so every seat is dealt from a small window of ranks in a suit or two, and
the table from the same window or from the remaining cards; the decisions are random. Almost every such round contains
an event that a fair shoe shows once in a million rounds. The game's own settlement finds the events.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from cardroom.cards import JOKER, Card, ChaCha20Source, Deck, Rank, Shoe, Suit, shuffle_shoe
from cardroom.errors import BadInput
from cardroom.games import (
    Decide,
    FeatureSetup,
    Game,
    Round,
    SeatTurn,
    Table,
    TableSetup,
    WagerSetup,
    default_setup,
    game,
)
from cardroom.games.actions import Action, ChanceTurn, Deal, DealerTurn, TakeStep
from cardroom.games.round import advance
from cardroom.paytables import BonusKind, OperatorBonus, Percent, paytables

BONUS_PRIZE = "$777"


@dataclass(frozen=True)
class RoundInProgress:
    """A round in progress and its shoe."""

    round: Round
    shoe: Shoe

    def next_action(self, dice: random.Random) -> Action | None:
        match self.round.turn:
            case ChanceTurn():
                return Deal(self.shoe.deal()[0])
            case DealerTurn(step):
                return TakeStep(step)
            case SeatTurn(seat, _, options):
                return Decide(seat, dice.choice(options))
        return None

    def apply(self, action: Action) -> RoundInProgress:
        shoe = self.shoe.deal()[1] if isinstance(action, Deal) else self.shoe
        return RoundInProgress(self.round.apply(action), shoe)


def random_setup(slug: str, dice: random.Random) -> TableSetup:
    """A setup with random tables, options, decks, and features that the rules allow."""
    facts = game(slug).facts
    deck = dice.choice(facts.decks)
    wagers = {}
    for name, wager in default_setup(slug).wagers.items():
        fitting = [
            candidate for candidate in paytables(slug, name) if not candidate.decks or deck.decks in candidate.decks
        ]
        table = dice.choice(fitting)
        # "25%" fits a line that the sheet reserves for a jackpot, a dollar prize every other line.
        bonuses = {
            line.trigger: "25%" if line.pay.accepted_kind is BonusKind.JACKPOT else BONUS_PRIZE
            for line in table.lines
            if isinstance(line.pay, OperatorBonus)
        }
        wagers[name] = WagerSetup(wager.limits, table.name, bonuses)
    seats = min(dice.randint(1, 7), facts.seats(deck))
    options = {option.name: dice.choice(option.values) for option in facts.options}
    setup = TableSetup(slug, wagers, seats=seats, decks=deck.decks, options=options)
    return _add_feature(setup, dice)


def _add_feature(setup: TableSetup, dice: random.Random) -> TableSetup:
    facts = game(setup.game).facts
    able = [wager for wager in facts.wagers if wager.features]
    if not able:
        return setup
    wager = dice.choice(able)
    riding = dice.choice(wager.features)
    table = dice.choice(paytables(setup.game, wager.slug, feature=riding.paytable_group))
    bonuses = {line.trigger: BONUS_PRIZE for line in table.operator_lines}
    limits = setup.wagers[wager.slug].limits
    feature = FeatureSetup(riding.kind, table.name, dice.choice([wager.qualifying, limits.maximum]), bonuses)
    with_feature = replace(setup.wagers[wager.slug], feature=feature)
    return replace(setup, wagers={**setup.wagers, wager.slug: with_feature})


def random_bets(table: Table, dice: random.Random) -> dict[int, dict[str, int]]:
    """Random wagers within the limits for some of the seats."""
    seats = sorted(dice.sample(range(1, table.seats + 1), dice.randint(1, table.seats)))
    return {seat: _seat_bets(table, dice) for seat in seats}


def _seat_bets(table: Table, dice: random.Random) -> dict[str, int]:
    by_wager: dict[str, list[str]] = {}
    for spot, offered in table.spots.items():
        by_wager.setdefault(offered.wager.slug, []).append(spot)
    required = [slug for slug in by_wager if table.offers[slug].wager.required]
    optional = [slug for slug in by_wager if slug not in required]
    max_wagers = table.spots_per_player or len(by_wager)
    selected = required + dice.sample(
        optional, dice.randint(0 if required else 1, min(len(optional), max_wagers - len(required)))
    )
    bets = {}
    for slug in by_wager:
        if slug in selected:
            limits = table.offers[slug].limits
            steps = (limits.maximum - limits.minimum) // limits.step
            bets[dice.choice(by_wager[slug])] = limits.minimum + limits.step * dice.randint(0, steps)
    return bets


def begin_round(slug: str, seed: int) -> tuple[Game, RoundInProgress, random.Random]:
    """A round that is about to begin."""
    dice = random.Random(f"{slug} {seed}")
    rules = game(slug)
    table = rules.open(random_setup(slug, dice))
    shoe = shuffle_shoe(table.deck, ChaCha20Source.from_seed(f"{slug} {seed}"))
    return rules, RoundInProgress(rules.begin(table, random_bets(table, dice)), shoe), dice


def positions(slug: str, seed: int) -> Iterator[Round]:
    """Every position of a random round from the wagers to the end."""
    _, play, dice = begin_round(slug, seed)
    yield play.round
    while (action := play.next_action(dice)) is not None:
        play = play.apply(action)
        yield play.round


def replay_positions(end: Round) -> Iterator[Round]:
    """Every position of a finished round, from the wagers on."""
    r = end.game.begin(end.table, end.bets)
    yield r
    while not r.is_terminal:
        match r.turn:
            case ChanceTurn(place):
                r = r.apply(Deal(end.piles[place][len(r.piles.get(place, ()))]))
            case SeatTurn(seat, question):
                r = r.apply(Decide(seat, end.decisions[seat, question]))
            case DealerTurn(step):
                r = r.apply(TakeStep(step))
        yield r


def finish_with_default_action(r: Round, seat: int, dice: random.Random) -> Round:
    """Finish a round in which a seat takes its default action from here on; cards and other decisions are random."""
    while not r.is_terminal:
        match r.turn:
            case ChanceTurn():
                r = r.apply(Deal(dice.choice(r.chance_outcomes())[0]))
            case SeatTurn(turn_seat, _, options):
                r = r.apply(
                    Decide(turn_seat, r.game.default_decision(r) if turn_seat == seat else dice.choice(options))
                )
            case DealerTurn(step):
                r = r.apply(TakeStep(step))
    return r


def play_random_round(slug: str, seed: int) -> Round:
    """A finished random round."""
    _, play, dice = begin_round(slug, seed)
    round_, shoe = play.round, play.shoe
    while not round_.is_terminal:
        round_, shoe = advance(round_, shoe)
        if isinstance(round_.turn, SeatTurn):
            round_ = round_.apply(Decide(round_.turn.seat, dice.choice(round_.turn.options)))
    return round_


PRIZE, SHARE = "$777", "25%"
METER = 1_000_01
TRIES = 1_200
ENOUGH_WINNERS = 3


@dataclass(frozen=True)
class ThinShoe:
    """The cards of a rigged deal: a window of ranks, the suits of a seat, and whether the table uses the same cards."""

    lowest: int
    ranks: int
    suits: int
    has_own_suits: bool
    includes_table: bool

    @classmethod
    def roll(cls, dice: random.Random) -> ThinShoe:
        ranks = dice.randint(1, 7)
        highest = Rank.ACE + 1 - ranks
        lowest = dice.choice([Rank.TWO, highest, highest, dice.randint(Rank.TWO, highest)])
        return cls(lowest, ranks, dice.choice((1, 1, 2, 4)), dice.random() < 0.5, dice.random() < 0.6)

    def pool(self, deck: Deck, seat: int | None) -> tuple[Card, ...]:
        """The cards for a seat, or for the table, as long as they last."""
        if seat is None and not self.includes_table:
            return ()
        first = (seat or 1) * self.suits if self.has_own_suits else Suit.DIAMONDS
        suits = {(first + step) % len(Suit) for step in range(self.suits)}
        ranks = range(self.lowest, self.lowest + self.ranks)
        return tuple(
            card for card in deck.distinct_cards() if card == JOKER or (card.rank in ranks and card.suit in suits)
        )


def play_rigged_round(rules: Game, table: Table, bets: dict[int, dict[str, int]], dice: random.Random) -> Round:
    """A finished round dealt from a thin shoe."""
    thin, deck = ThinShoe.roll(dice), table.deck
    pools = {seat: thin.pool(deck, seat) for seat in (*bets, None)}
    remaining = {card: deck.count_copies(card) for card in deck.distinct_cards()}
    r = rules.begin(table, bets)
    while not r.is_terminal:
        match r.turn:
            case ChanceTurn(place):
                candidates = [card for card in pools[place.seat] if remaining[card]]
                card = dice.choice(candidates or [card for card, copies in remaining.items() if copies])
                remaining[card] -= 1
                r = r.apply(Deal(card))
            case SeatTurn(seat, _, options):
                verb = dice.choice(sorted({option.verb for option in options}))
                r = r.apply(Decide(seat, dice.choice([option for option in options if option.verb is verb])))
            case DealerTurn(step):
                r = r.apply(TakeStep(step))
    return r


def meter_setups(slug: str) -> Iterator[tuple[str, TableSetup]]:
    """A setup for each wager and each of its tables that can pay a percentage, in which it does."""
    usual = default_setup(slug, seats=3)
    for wager in game(slug).facts.wagers:
        for table in paytables(slug, wager.slug):
            bonuses = {line.trigger: _pay(line.pay) for line in table.operator_lines}
            if SHARE in bonuses.values() or any(isinstance(line.pay, Percent) for line in table.lines):
                limits = usual.wagers[wager.slug].limits
                wagers = {**usual.wagers, wager.slug: WagerSetup(limits, table.name, bonuses)}
                yield wager.slug, replace(usual, wagers=wagers)


def _pay(pay: object) -> str:
    return SHARE if isinstance(pay, OperatorBonus) and pay.accepted_kind is not BonusKind.BONUS else PRIZE


@dataclass(frozen=True)
class MeterRounds:
    """Finished rounds in which a seat won a percentage."""

    wagers: frozenset[str]
    """Wagers that can pay a percentage by some table."""
    wins: tuple[tuple[str, Round], ...]
    """By wager."""


@cache
def meter_rounds(slug: str) -> MeterRounds:
    """Rounds with won percentages, by one seat and by several together, for every wager that can pay one."""
    rules, dice = game(slug), random.Random(f"{slug} rigged")
    tables: dict[str, list[Table]] = {}
    for wager, setup in meter_setups(slug):
        tables.setdefault(wager, []).append(_open_table(rules, setup))
    wins = [win for wager, wager_tables in tables.items() for win in _search(rules, wager, wager_tables, dice)]
    return MeterRounds(frozenset(tables), tuple(wins))


def _open_table(rules: Game, setup: TableSetup) -> Table:
    for deck in rules.facts.decks:
        try:
            return rules.open(replace(setup, decks=deck.decks))
        except BadInput as fault:
            reason = fault
    raise reason


def _search(rules: Game, wager: str, tables: list[Table], dice: random.Random) -> Iterator[tuple[str, Round]]:
    """Rounds with a winner, until there are enough with one winner and with several."""
    win_counts = {True: 0, False: 0}
    for _ in range(TRIES):
        table = dice.choice(tables)
        r = play_rigged_round(rules, table, _bets(table, wager, dice.randint(1, 3)), dice)
        winners = Counter(payment.event for payment in rules.payments(r) if payment.meter and payment.spot == wager)
        is_sole = max(winners.values(), default=0) == 1
        if winners and win_counts[is_sole] < ENOUGH_WINNERS:
            win_counts[is_sole] += 1
            yield wager, r
        if min(win_counts.values()) == ENOUGH_WINNERS:
            return


def _bets(table: Table, wager: str, seats: int) -> dict[int, dict[str, int]]:
    """This many seats with the wager and with the required wagers."""
    wagers = [offered for offered in table.offers.values() if offered.wager.required or offered.wager.slug == wager]
    spots = [next(spot for spot, spot_offer in table.spots.items() if spot_offer is offered) for offered in wagers]
    return {seat: {spot: table.spots[spot].limits.minimum for spot in spots} for seat in range(1, seats + 1)}
