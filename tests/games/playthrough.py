"""Playthroughs: complete rounds as text in golden files. Run this module to rewrite the files; then read the diff."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cardroom.cards import format_cards
from cardroom.games import Round, game, game_slugs, view, view_to_json
from cardroom.games.actions import Action, Deal, Decide, TakeStep
from cardroom.games.money import format_cents
from cardroom.games.view import Onlooker, turn_to_json
from cardroom.paytables import describe_pay
from cardroom_conformance.sample_rounds import begin_round

FOLDER = Path(__file__).parent.parent / "golden"
SEEDS = (11, 12, 13)
METER = 10_000_00


def lines(slug: str, seed: int) -> Iterator[str]:
    """Yield one line for each action of a round, and then the payments of each seat."""
    rules, play, dice = begin_round(slug, seed)
    round_ = play.round
    yield f"{rules.facts.name}, {round_.table.deck.description}, {round_.table.seats} seats"
    for wager, offered in round_.table.offers.items():
        feature = f", {offered.feature.kind} by {offered.feature.paytable.name}" if offered.feature else ""
        yield f"offered: {wager} {offered.paytable.name}{feature}".rstrip()
    for name, value in round_.table.options.items():
        yield f"option: {name} = {value}"
    for seat, spots in round_.bets.items():
        yield f"seat {seat} wagers " + ", ".join(f"{format_cents(amount)} on {spot}" for spot, amount in spots.items())
    while (action := play.next_action(dice)) is not None:
        yield _describe_action(play.round, action)
        play = play.apply(action)
    yield from _describe_end(play.round)


def _describe_action(position: Round, action: Action) -> str:
    turn = turn_to_json(position.turn)
    match action:
        case Deal(card):
            return f"chance: {card} to {turn['place']} ({len(position.chance_outcomes())} different cards possible)"
        case Decide(seat, decision):
            return f"seat {seat}, {turn['question']}: {decision} (of {len(turn['options'])})"
        case TakeStep(step):
            return f"dealer: {step}"


def _describe_end(end: Round) -> Iterator[str]:
    for place, pile in view_to_json(view(end, Onlooker.DISPLAY))["cards"].items():
        yield f"shown: {place}: {' '.join(pile)}"
    settlement = end.game.settle(end, dict.fromkeys(end.table.spots, METER))
    for payment in settlement.payments:
        label = f"seat {payment.seat} {payment.spot}, {payment.stake}: {payment.event} ({payment.text})"
        cards = format_cards(payment.cards)
        meter = f", {payment.meter.share} of the meter" if payment.meter else ""
        yield (
            f"{label} [{cards}] pays {describe_pay(payment.pay)}: wagered {format_cents(payment.wagered)}, returned "
            f"{format_cents(payment.returned)}{meter}"
        )
    yield f"house: {format_cents(settlement.house_net)}"


def find_golden_file(slug: str, seed: int) -> Path:
    return FOLDER / f"{slug}-{seed}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for slug in game_slugs():
        game(slug)
        for seed in SEEDS:
            find_golden_file(slug, seed).write_text("\n".join(lines(slug, seed)) + "\n", "utf-8")
