"""Take or pay from what a dealer typed: certain where it is told, whatever the cards are that nobody typed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache

import pytest

from cardroom.cards import Card
from cardroom.conformance.play import finished
from cardroom.conformance.rigged import meter_rounds
from cardroom.games import Decision, Payment, Place, Round, game_slugs
from cardroom.games.typed import TypedRound, TypedSettlement, settle_typed

every_game = pytest.mark.parametrize("slug", game_slugs())
MANY = range(40)


@cache
def ends(slug: str) -> tuple[Round, ...]:
    return (*(finished(slug, seed) for seed in MANY), *(end for _, end in meter_rounds(slug).won[:20]))


def typed_in(
    end: Round,
    cards: Mapping[Place, tuple[Card, ...]],
    answers: Mapping[tuple[int, str], Decision],
    fill: Iterable[Card] | None = None,
) -> TypedSettlement:
    return settle_typed(end.game, end.table, TypedRound(end.bets, cards, answers), fill)


def key(payment: Payment) -> tuple[int, str, str, int | None, str]:
    return payment.seat, payment.spot, payment.stake, payment.hand_of, payment.event


def in_any_order(payment: Payment) -> Payment:
    """The same payment, whichever card of the hand came first: an answer names them from the highest down."""
    return replace(payment, cards=tuple(sorted(payment.cards, key=lambda one: one.code)))


@every_game
def test_with_everything_typed_it_is_the_settlement(slug: str) -> None:
    paid = 0
    for end in ends(slug):
        told = typed_in(end, end.dealt, end.decisions)
        assert (told.payments, told.missing, told.astray) == (end.game.settle(end).payments, (), ())
        # Every question that was answered is told as one.
        assert {(one.seat, one.question) for one in told.asked} == set(end.decisions)
        paid += len(told.payments)
    assert paid


@every_game
def test_what_a_payment_needs_is_enough_for_it(slug: str) -> None:
    """Nothing is typed but the cards and answers that one payment needs, and answers that others were dealt by."""
    dice, met = random.Random(slug), 0
    for end in ends(slug):
        payments = end.game.settle(end).payments
        for payment in dice.sample(payments, min(3, len(payments))):
            needs = end.game.needs(end, payment)
            seats = needs.seats or (payment.seat,)
            cards = {place: end.dealt[place] for place in needs.places if place in end.dealt}
            answers = {
                one: said for one, said in end.decisions.items() if one[0] in seats and one[1] in needs.questions
            }
            bets = {seat: end.bets[seat] for seat in end.bets if seat in seats}
            told = settle_typed(end.game, end.table, TypedRound(bets, cards, answers), shuffled(end, dice))
            alone = [one for one in told.payments if key(one) == key(payment)]
            # A share that several seats won is one seat's alone where nobody else is typed.
            assert [(one.pay, one.wagered) for one in alone][:1] == [(payment.pay, payment.wagered)], payment
            met += 1
    assert met > 50


@every_game
def test_what_is_told_is_right_whatever_was_not_typed(slug: str) -> None:
    dice, told_of, left = random.Random(slug), Counter[str](), 0
    for end in ends(slug):
        whole = [in_any_order(one) for one in end.game.settle(end).payments]
        for _ in range(4):
            cards = {place: pile for place, pile in end.dealt.items() if dice.random() < 0.7}
            answers = {one: said for one, said in end.decisions.items() if dice.random() < 0.8}
            told = typed_in(end, cards, answers, shuffled(end, dice))
            shares = {one.spot for one in whole if one.meter}
            for one in told.payments:
                told_of[one.spot] += 1
                assert in_any_order(one) in whole or one.spot in shares, one
            missed = {(one.seat, one.spot) for one in whole} - {(one.seat, one.spot) for one in told.payments}
            left += len(missed)
            for seat, spot in missed:
                name = end.table.spots[spot].wager.name
                assert any(one.startswith(f"Seat {seat}'s {name} needs ") for one in told.missing), (seat, spot)
    assert left
    assert told_of.keys() == {spot for end in ends(slug) for spots in end.bets.values() for spot in spots}


@every_game
def test_nothing_of_a_card_that_nobody_typed_is_told(slug: str) -> None:
    dice, met = random.Random(slug), 0
    for end in ends(slug):
        cards = {place: pile for place, pile in end.dealt.items() if dice.random() < 0.5}
        one, other = (typed_in(end, cards, end.decisions, shuffled(end, dice)) for _ in range(2))
        assert one == other
        met += bool(one.missing)
    assert met


def shuffled(end: Round, dice: random.Random) -> Iterator[Card]:
    """Every card, in some order."""
    order = list(end.table.deck.kinds())
    dice.shuffle(order)
    return iter(order)
