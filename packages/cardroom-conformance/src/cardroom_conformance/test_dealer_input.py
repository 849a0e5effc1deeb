"""Take or pay from a dealer's input: every payment is correct for any cards that the dealer did not type."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache

import pytest

from cardroom.cards import Card
from cardroom.games import Decision, Payment, Place, Round, game_slugs
from cardroom.games.partial_settlement import PartialRound, PartialSettlement, settle_partial_round
from cardroom_conformance.sample_rounds import meter_rounds, play_random_round

every_game = pytest.mark.parametrize("slug", game_slugs())
MANY_SEEDS = range(40)


@cache
def ends(slug: str) -> tuple[Round, ...]:
    return (*(play_random_round(slug, seed) for seed in MANY_SEEDS), *(end for _, end in meter_rounds(slug).wins[:20]))


def settle_input(
    end: Round,
    cards: Mapping[Place, tuple[Card, ...]],
    answers: Mapping[tuple[int, str], Decision],
    fill: Iterable[Card] | None = None,
) -> PartialSettlement:
    return settle_partial_round(end.game, end.table, PartialRound(end.bets, cards, answers), fill)


def key(payment: Payment) -> tuple[int, str, str, int | None, str]:
    return payment.seat, payment.spot, payment.stake, payment.hand_seat, payment.event


def sort_payment_cards(payment: Payment) -> Payment:
    """The payment with sorted cards, because a decision names the cards of a hand from the highest down."""
    return replace(payment, cards=tuple(sorted(payment.cards, key=lambda card: card.code)))


@every_game
def test_complete_input_gives_the_settlement(slug: str) -> None:
    payment_count = 0
    for end in ends(slug):
        result = settle_input(end, end.piles, end.decisions)
        assert (result.payments, result.missing_inputs, result.rejected_inputs) == (
            end.game.settle(end).payments,
            (),
            (),
        )
        # The pending decisions are all decisions of the round.
        assert {(question.seat, question.question) for question in result.pending_decisions} == set(end.decisions)
        payment_count += len(result.payments)
    assert payment_count


@every_game
def test_the_inputs_that_a_payment_needs_are_enough_for_it(slug: str) -> None:
    """The input has only the cards and decisions that one payment needs, and decisions that change the deal."""
    dice, met = random.Random(slug), 0
    for end in ends(slug):
        payments = end.game.settle(end).payments
        for payment in dice.sample(payments, min(3, len(payments))):
            needs = end.game.payment_inputs(end, payment)
            seats = needs.seats or (payment.seat,)
            cards = {place: end.piles[place] for place in needs.places if place in end.piles}
            answers = {
                item: decision
                for item, decision in end.decisions.items()
                if item[0] in seats and item[1] in needs.questions
            }
            bets = {seat: end.bets[seat] for seat in end.bets if seat in seats}
            result = settle_partial_round(
                end.game, end.table, PartialRound(bets, cards, answers), shuffle_cards(end, dice)
            )
            matches = [item for item in result.payments if key(item) == key(payment)]
            # A shared prize goes to one seat alone if the input has no other seat.
            assert [(item.pay, item.wagered) for item in matches][:1] == [(payment.pay, payment.wagered)], payment
            met += 1
    assert met > 50


@every_game
def test_every_payment_from_partial_input_is_correct(slug: str) -> None:
    dice, payment_counts, missed_count = random.Random(slug), Counter[str](), 0
    for end in ends(slug):
        full_payments = [sort_payment_cards(item) for item in end.game.settle(end).payments]
        for _ in range(4):
            cards = {place: pile for place, pile in end.piles.items() if dice.random() < 0.7}
            answers = {item: decision for item, decision in end.decisions.items() if dice.random() < 0.8}
            result = settle_input(end, cards, answers, shuffle_cards(end, dice))
            shares = {item.spot for item in full_payments if item.meter}
            for item in result.payments:
                payment_counts[item.spot] += 1
                assert sort_payment_cards(item) in full_payments or item.spot in shares, item
            missed = {(item.seat, item.spot) for item in full_payments} - {
                (item.seat, item.spot) for item in result.payments
            }
            missed_count += len(missed)
            for seat, spot in missed:
                name = end.table.spots[spot].wager.name
                assert any(item.startswith(f"Seat {seat}'s {name} needs ") for item in result.missing_inputs), (
                    seat,
                    spot,
                )
    assert missed_count
    assert payment_counts.keys() == {spot for end in ends(slug) for spots in end.bets.values() for spot in spots}


@every_game
def test_the_result_does_not_depend_on_cards_that_were_not_typed(slug: str) -> None:
    dice, met = random.Random(slug), 0
    for end in ends(slug):
        cards = {place: pile for place, pile in end.piles.items() if dice.random() < 0.5}
        first_result, second_result = (
            settle_input(end, cards, end.decisions, shuffle_cards(end, dice)) for _ in range(2)
        )
        assert first_result == second_result
        met += bool(first_result.missing_inputs)
    assert met


def shuffle_cards(end: Round, dice: random.Random) -> Iterator[Card]:
    """Every card, in some order."""
    order = list(end.table.deck.distinct_cards())
    dice.shuffle(order)
    return iter(order)
