"""What was typed of a whole live round is enough to claim each winner of it, whatever the others at the table did."""

from __future__ import annotations

import random

import pytest

from cardroom.cards import ChaCha20Source, shuffle_shoe
from cardroom.conformance.sample_rounds import RoundInProgress, random_bets
from cardroom.games import Payment, Round, default_setup, game, game_slugs, round_to_json
from cardroom.games.procedure import max_cards_by_place, place_name
from cardroom.room.claim.typed_hand import play_typed_hand
from cardroom.room.table.claim_contradictions import typed_hand_of
from cardroom.room.table.events import LiveRound, TypedDecision

ROUNDS = 150


def played(slug: str, seed: int) -> Round:
    dice, rules = random.Random(f"{slug} {seed}"), game(slug)
    table = rules.open(default_setup(slug))
    shoe = shuffle_shoe(table.deck, ChaCha20Source.from_seed(f"{slug} {seed}"))
    play = RoundInProgress(rules.begin(table, random_bets(table, dice)), shoe)
    while (action := play.next_action(dice)) is not None:
        play = play.apply(action)
    return play.round


def typed(round_: Round) -> LiveRound:
    """All of it, as a dealer types it; burnt cards are no user's."""
    result = round_to_json(round_)
    cards = {place: tuple(pile) for place, pile in result["cards"].items() if place != "burn"}
    answers = tuple(TypedDecision(one["seat"], one["question"], one["answer"]) for one in result["decisions"])
    return LiveRound("Kim", round_.seats, cards=cards, wagers=result["wagers"], answers=answers)


def won(round_: Round, seat: int, wager: str) -> list[tuple[str, object]]:
    def is_it(one: Payment) -> bool:
        return (one.seat, one.spot, one.stake) == (seat, wager, wager)

    return [(one.event, one.pay) for one in round_.game.payments(round_) if is_it(one)]


@pytest.mark.parametrize("slug", game_slugs())
def test_a_hand_wins_as_it_was_typed_what_it_wins_in_the_round(slug: str) -> None:
    jackpots = [one.slug for one in game(slug).facts.wagers if one.jackpot]
    met = 0
    for seed in range(ROUNDS):
        round_ = played(slug, seed)
        for seat in round_.seats:
            for wager in jackpots:
                if round_.wager_cents(seat, wager):
                    hand = typed_hand_of(round_.table, typed(round_), seat, wager)
                    assert won(play_typed_hand(round_.table, hand), seat, wager) == won(round_, seat, wager), (
                        seed,
                        seat,
                    )
                    met += 1
    assert met > ROUNDS


@pytest.mark.parametrize("slug", game_slugs())
def test_no_round_has_more_cards_at_a_place_than_a_dealer_can_type(slug: str) -> None:
    rules = game(slug)
    most = max_cards_by_place(rules, rules.open(default_setup(slug)))
    for seed in range(ROUNDS):
        for place, pile in played(slug, seed).piles.items():
            assert len(pile) <= most[place_name(place)], (seed, place)
