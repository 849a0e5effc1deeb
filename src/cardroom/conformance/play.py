"""Plays random rounds for the tests: random set-ups, wagers and decisions, all from one seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from cardroom.cards import ChaCha20Source, Shoe, fresh_shoe
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
from cardroom.games.actions import Action, Deal, TakeStep
from cardroom.games.round import advance
from cardroom.games.turns import ChanceTurn, DealerTurn
from cardroom.paytables import Accepts, OperatorBonus, paytables

PRIZE = "$777"


@dataclass(frozen=True)
class Play:
    """A round in progress together with the shoe it is dealt from."""

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

    def after(self, action: Action) -> Play:
        shoe = self.shoe.deal()[1] if isinstance(action, Deal) else self.shoe
        return Play(self.round.apply(action), shoe)


def random_setup(slug: str, dice: random.Random) -> TableSetup:
    """A set-up with randomly chosen tables, options, decks and features that the rules allow."""
    facts = game(slug).facts
    deck = dice.choice(facts.decks)
    wagers = {}
    for name, wager in default_setup(slug).wagers.items():
        fitting = [one for one in paytables(slug, name) if not one.decks or deck.decks in one.decks]
        table = dice.choice(fitting)
        # "25%" is right where the sheet leaves room for a jackpot only, a prize in dollars everywhere else.
        bonuses = {
            line.event: "25%" if line.pay.accepts is Accepts.JACKPOT else PRIZE
            for line in table.lines
            if isinstance(line.pay, OperatorBonus)
        }
        wagers[name] = WagerSetup(wager.limits, table.name, bonuses)
    seats = min(dice.randint(1, 7), facts.seats(deck))
    options = {option.name: dice.choice(option.values) for option in facts.options}
    setup = TableSetup(slug, wagers, seats=seats, decks=deck.decks, options=options)
    return _with_feature(setup, dice)


def _with_feature(setup: TableSetup, dice: random.Random) -> TableSetup:
    facts = game(setup.game).facts
    able = [wager for wager in facts.wagers if wager.features]
    if not able:
        return setup
    wager = dice.choice(able)
    riding = dice.choice(wager.features)
    table = dice.choice(paytables(setup.game, wager.slug, feature=riding.tables))
    bonuses = {line.event: PRIZE for line in table.operator_lines}
    limits = setup.wagers[wager.slug].limits
    feature = FeatureSetup(riding.kind, table.name, dice.choice([wager.qualifying, limits.maximum]), bonuses)
    with_feature = replace(setup.wagers[wager.slug], feature=feature)
    return replace(setup, wagers={**setup.wagers, wager.slug: with_feature})


def random_bets(table: Table, dice: random.Random) -> dict[int, dict[str, int]]:
    """Wagers within the limits for some of the seats."""
    seats = sorted(dice.sample(range(1, table.seats + 1), dice.randint(1, table.seats)))
    return {seat: _seat_bets(table, dice) for seat in seats}


def _seat_bets(table: Table, dice: random.Random) -> dict[str, int]:
    by_wager: dict[str, list[str]] = {}
    for spot, offered in table.spots.items():
        by_wager.setdefault(offered.wager.slug, []).append(spot)
    required = [slug for slug in by_wager if table.offered[slug].wager.required]
    others = [slug for slug in by_wager if slug not in required]
    most = table.spots_per_player or len(by_wager)
    chosen = required + dice.sample(others, dice.randint(0 if required else 1, min(len(others), most - len(required))))
    bets = {}
    for slug in by_wager:
        if slug in chosen:
            limits = table.offered[slug].limits
            steps = (limits.maximum - limits.minimum) // limits.step
            bets[dice.choice(by_wager[slug])] = limits.minimum + limits.step * dice.randint(0, steps)
    return bets


def begin(slug: str, seed: int) -> tuple[Game, Play, random.Random]:
    """A round that is about to begin."""
    dice = random.Random(f"{slug} {seed}")
    rules = game(slug)
    table = rules.open(random_setup(slug, dice))
    shoe = fresh_shoe(table.deck, ChaCha20Source.seeded(f"{slug} {seed}"))
    return rules, Play(rules.begin(table, random_bets(table, dice)), shoe), dice


def positions(slug: str, seed: int) -> Iterator[Round]:
    """Every position of a random round from the wagers to the end."""
    _, play, dice = begin(slug, seed)
    yield play.round
    while (action := play.next_action(dice)) is not None:
        play = play.after(action)
        yield play.round


def played_again(end: Round) -> Iterator[Round]:
    """Every position of a round that is given at its end."""
    r = end.game.begin(end.table, end.bets)
    yield r
    while not r.is_over:
        match r.turn:
            case ChanceTurn(place):
                r = r.apply(Deal(end.dealt[place][len(r.dealt.get(place, ()))]))
            case SeatTurn(seat, question):
                r = r.apply(Decide(seat, end.decisions[seat, question]))
            case DealerTurn(step):
                r = r.apply(TakeStep(step))
        yield r


def answered_safely(r: Round, seat: int, dice: random.Random) -> Round:
    """The end of a round in which a seat gives its safe answer from here on; cards and other answers are random."""
    while not r.is_over:
        match r.turn:
            case ChanceTurn():
                r = r.apply(Deal(dice.choice(r.outcomes())[0]))
            case SeatTurn(asked, _, options):
                r = r.apply(Decide(asked, r.game.safe_answer(r) if asked == seat else dice.choice(options)))
            case DealerTurn(step):
                r = r.apply(TakeStep(step))
    return r


def finished(slug: str, seed: int) -> Round:
    """A random round at its end."""
    _, play, dice = begin(slug, seed)
    round_, shoe = play.round, play.shoe
    while not round_.is_over:
        round_, shoe = advance(round_, shoe)
        if isinstance(round_.turn, SeatTurn):
            round_ = round_.apply(Decide(round_.turn.seat, dice.choice(round_.turn.options)))
    return round_
