"""The typed input of a complete live round is enough to claim each winner separately."""

from __future__ import annotations

import random

import pytest

from cardroom.cards import ChaCha20Source, shuffle_shoe
from cardroom.games import Payment, Round, default_setup, game, game_slugs, round_to_json
from cardroom.games.procedure import max_cards_by_place, place_name
from cardroom.room.claim.typed_hand import play_typed_hand
from cardroom.room.table.claim_contradictions import typed_hand_of
from cardroom.room.table.events import LiveRound, TypedDecision
from cardroom_conformance.sample_rounds import RoundInProgress, random_bets

ROUNDS = 150


def play_random_round(slug: str, seed: int) -> Round:
    dice, rules = random.Random(f"{slug} {seed}"), game(slug)
    table = rules.open(default_setup(slug))
    shoe = shuffle_shoe(table.deck, ChaCha20Source.from_seed(f"{slug} {seed}"))
    play = RoundInProgress(rules.begin(table, random_bets(table, dice)), shoe)
    while (action := play.next_action(dice)) is not None:
        play = play.apply(action)
    return play.round


def type_round(round_: Round) -> LiveRound:
    """The complete round as a dealer types it; burned cards are not typed."""
    record = round_to_json(round_)
    cards = {place: tuple(pile) for place, pile in record["cards"].items() if place != "burn"}
    answers = tuple(
        TypedDecision(decision["seat"], decision["question"], decision["answer"]) for decision in record["decisions"]
    )
    return LiveRound("Kim", round_.seats, cards=cards, wagers=record["wagers"], answers=answers)


def list_won(round_: Round, seat: int, wager: str) -> list[tuple[str, object]]:
    def is_on_wager(payment: Payment) -> bool:
        return (payment.seat, payment.spot, payment.stake) == (seat, wager, wager)

    return [(payment.event, payment.pay) for payment in round_.game.payments(round_) if is_on_wager(payment)]


@pytest.mark.parametrize("slug", game_slugs())
def test_a_typed_hand_wins_the_same_as_in_its_round(slug: str) -> None:
    jackpots = [wager.slug for wager in game(slug).facts.wagers if wager.jackpot]
    compared = 0
    for seed in range(ROUNDS):
        round_ = play_random_round(slug, seed)
        for seat in round_.seats:
            for wager in jackpots:
                if round_.wager_cents(seat, wager):
                    hand = typed_hand_of(round_.table, type_round(round_), seat, wager)
                    typed_win = list_won(play_typed_hand(round_.table, hand), seat, wager)
                    assert typed_win == list_won(round_, seat, wager), (seed, seat)
                    compared += 1
    assert compared > ROUNDS


@pytest.mark.parametrize("slug", game_slugs())
def test_no_round_has_more_cards_at_a_place_than_a_dealer_can_type(slug: str) -> None:
    rules = game(slug)
    most = max_cards_by_place(rules, rules.open(default_setup(slug)))
    for seed in range(ROUNDS):
        for place, pile in play_random_round(slug, seed).piles.items():
            assert len(pile) <= most[place_name(place)], (seed, place)
