"""Take or pay, in any game: chips, shares of meters, folds, raises, and splits."""

from __future__ import annotations

import json
from collections import Counter

from cardroom.games import (
    Decision,
    Round,
    Verb,
    dump_round,
    game,
    load_round,
)
from cardroom.paytables import Percent
from cardroom_conformance.game_rounds import (
    decisions_with,
    ends,
    every_game,
    game_features,
    main_wager_payments,
    main_wagers_after,
    meters,
)
from cardroom_conformance.sample_rounds import METER, meter_rounds


@every_game
def test_chips_are_conserved(slug: str) -> None:
    won, lost = 0, 0
    for end in ends(slug):
        settlement = game(slug).settle(end, meters(end))
        won += settlement.house_net < 0
        lost += settlement.house_net > 0
        assert sum(settlement.net(seat) for seat in end.seats) + settlement.house_net == 0
        assert settlement.wagered == settlement.returned + settlement.house_net
        assert set(settlement.seats) == set(end.seats)
        for payment in settlement.payments:
            assert payment.known_return >= 0
            assert payment.wagered >= 0
            assert payment.net == payment.known_return - payment.wagered
        for seat, spots in end.bets.items():
            for spot, amount in spots.items():
                put_down = sum(payment.wagered for payment in settlement.seat_payments(seat) if payment.spot == spot)
                assert put_down >= amount, "a wager was neither taken nor paid"
                assert put_down % amount == 0, "what follows a wager is a multiple of it"
    assert won
    assert lost


@every_game
def test_every_payment_names_its_event_and_its_cards(slug: str) -> None:
    shares = 0
    for end in ends(slug):
        dealt_cards = Counter(dealt_card for pile in end.piles.values() for dealt_card in pile)
        for payment in game(slug).settle(end).payments:
            shares += payment.meter is not None
            assert payment.event
            assert payment.text
            assert Counter(payment.cards) <= dealt_cards
            assert (payment.meter is not None) == isinstance(payment.pay, Percent)
            assert (payment.returned is None) == isinstance(payment.pay, Percent), (
                "a share of an unknown meter is unknown"
            )
    assert bool(shares) == bool(meter_rounds(slug).wagers)


@every_game
def test_each_percentage_is_paid_in_full_and_its_winners_share_it_to_the_last_cent(slug: str) -> None:
    shared_count = 0
    for wager, end in meter_rounds(slug).wins:
        on_meter = [
            payment
            for payment in game(slug).settle(end, meters(end)).payments
            if payment.spot == wager and payment.meter
        ]
        assert on_meter
        for event in {payment.event for payment in on_meter}:
            prizes = [payment for payment in on_meter if payment.event == event]
            shares = [payment.meter for payment in prizes if payment.meter]
            by_player = Counter[int]()
            for payment in prizes:
                by_player[payment.seat] += payment.known_return
            (percent,) = {share.percent for share in shares}
            assert by_player.total() == int(METER * percent), (
                "a line is paid in full, whatever other lines are won (BJ-8)"
            )
            assert [payment.known_return for payment in prizes] == [share.cents for share in shares], (
                "a winner gets exactly the share"
            )
            parts = list(by_player.values())
            assert max(parts) - min(parts) <= 1, "equal winners have equal parts (BJ-4)"
            assert parts == sorted(parts, reverse=True), "odd cents go to the first from the dealer's left (GEN-4)"
            assert {share.winners for share in shares} == {len(parts)}, "a player has one share (TS-7)"
            shared_count += len(parts) > 1
    assert bool(shared_count) == bool(meter_rounds(slug).wagers)


@every_game
def test_a_folded_wager_returns_nothing(slug: str) -> None:
    for _, main in main_wagers_after(slug, Verb.FOLD):
        assert main
        assert all(payment.returned == 0 for payment in main)


@every_game
def test_a_surrender_returns_a_part_of_the_wager(slug: str) -> None:
    for end, (main,) in main_wagers_after(slug, Verb.SURRENDER):
        assert 0 < main.known_return < main.wagered == end.wager_cents(main.seat, main.spot)


@every_game
def test_chips_added_by_a_decision_are_taken_or_paid(slug: str) -> None:
    """War, play, raise, and double put chips beside the wager, and a split puts them on the second hand."""
    raising_verbs = {
        verb for verb in (Verb.PLAY, Verb.RAISE, Verb.WAR, Verb.SPLIT, Verb.DOUBLE) if verb in game_features(slug)
    }
    met = Counter[Verb]()
    for end in ends(slug):
        for (seat, _), decision in end.decisions.items():
            if decision.verb in raising_verbs:
                met[decision.verb] += 1
                main = main_wager_payments(end, seat)
                assert sum(payment.wagered for payment in main) >= 2 * end.wager_cents(seat, main[0].spot)
    assert met.keys() == raising_verbs


def _swap_split_hands(end: Round) -> Round:
    """The same round with the hands of each split named in the other order."""
    record = json.loads(dump_round(end))
    for entry in record["decisions"]:
        decision = Decision.parse(entry["answer"])
        if decision.verb is Verb.SPLIT:
            entry["answer"] = str(decision.with_reversed_groups)
    return load_round(json.dumps(record))


@every_game
def test_a_split_is_settled_in_the_order_of_its_hands(slug: str) -> None:
    hands = Counter[str]()
    for end in (*ends(slug), *map(_swap_split_hands, ends(slug))):
        on_the_table = [item for place, pile in end.piles.items() if place.seat is None for item in pile]
        for seat, split in decisions_with(end, Verb.SPLIT):
            for name, two in zip((Verb.FIRST_HAND, Verb.SECOND_HAND), split.groups, strict=True):
                own_payments = [
                    item for item in game(slug).settle(end, meters(end)).seat_payments(seat) if item.stake == name
                ]
                assert own_payments
                hands[name] += len(own_payments)
                for item in own_payments:
                    assert Counter(item.cards) <= Counter([*two, *on_the_table])
    assert bool(hands) == (Verb.SPLIT in game_features(slug))
    assert len(hands) in (0, 2)
