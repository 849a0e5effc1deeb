"""What holds for every game, a sixth one included.

It knows no game by name. What a game has (answers, piles, steps of the dealer, wagers with a meter) is seen in its
rounds, random ones and rigged ones, and a test that met none of what it speaks of fails.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from fractions import Fraction
from functools import cache

import pytest

from cardroom.cards import Card, parse_card
from cardroom.conformance.sample_rounds import METER, begin_round, meter_rounds, play_random_round, positions
from cardroom.games import (
    BadRecord,
    ChanceTurn,
    Deal,
    DealerStep,
    Decide,
    Decision,
    IllegalAction,
    Onlooker,
    Payment,
    Pile,
    Round,
    RoundNotOver,
    SeatTurn,
    TakeStep,
    Verb,
    dump_round,
    game,
    game_slugs,
    load_round,
    view,
    view_to_json,
)
from cardroom.games.actions import DealerTurn, RoundEnd
from cardroom.games.view import Viewer, can_see
from cardroom.paytables import Percent

every_game = pytest.mark.parametrize("slug", game_slugs())
FEW_SEEDS = range(4)
MANY_SEEDS = range(60)
REVEAL_STEPS = {DealerStep.REVEAL, DealerStep.PAY_TREASURE}

CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|Jk)\b")


@cache
def ends(slug: str) -> tuple[Round, ...]:
    """Finished rounds: random ones, and rigged ones in which meters pay."""
    return (*(play_random_round(slug, seed) for seed in MANY_SEEDS), *(end for _, end in meter_rounds(slug).wins))


@cache
def sample_positions(slug: str) -> tuple[Round, ...]:
    """Every position of a few rounds from the wagers to the end, and of more until every answer was given."""
    rounds: list[Round] = []
    verbs: set[Verb] = set()
    for seed in MANY_SEEDS:
        new = {decision.verb for decision in play_random_round(slug, seed).decisions.values()} - verbs
        if seed in FEW_SEEDS or new:
            verbs |= new
            rounds += positions(slug, seed)
    return tuple(rounds)


@cache
def game_features(slug: str) -> frozenset[Verb | Pile | DealerStep]:
    """What a game has: every answer that it offers in some round, every pile and every step of the dealer."""
    features: set[Verb | Pile | DealerStep] = set()
    for seed in MANY_SEEDS:
        for position in positions(slug, seed):
            features |= {place.pile for place in position.piles}
            match position.turn:
                case SeatTurn(_, _, options):
                    features |= {option.verb for option in options}
                case DealerTurn(step):
                    features.add(step)
    return frozenset(features)


def decisions_with(end: Round, verb: Verb) -> list[tuple[int, Decision]]:
    """Who gave an answer with this verb."""
    return [(seat, decision) for (seat, _), decision in end.decisions.items() if decision.verb is verb]


def main_wager_payments(end: Round, seat: int) -> list[Payment]:
    """What becomes of a seat's chips on the game's first wager, and of those that followed it."""
    main = end.table.facts.wagers[0]
    payments = game(end.table.facts.slug).settle(end, meters(end)).seat_payments(seat)
    return [payment for payment in payments if end.table.spots[payment.spot].wager is main and payment.wagered]


def main_wagers_after(slug: str, verb: Verb) -> list[tuple[Round, list[Payment]]]:
    """The ends of rounds in which somebody gave this answer, each with that seat's main wager. A game that has the
    answer must have met it."""
    rounds = [(end, main_wager_payments(end, seat)) for end in ends(slug) for seat, _ in decisions_with(end, verb)]
    assert bool(rounds) == (verb in game_features(slug))
    return rounds


def meters(end: Round, cents: int = METER) -> dict[str, int]:
    return {spot: cents for spot, offered in end.table.spots.items() if offered.has_meter}


# What the kit meets


@every_game
def test_every_answer_that_a_game_offers_is_given_in_some_round(slug: str) -> None:
    verbs = {decision.verb for end in ends(slug) for decision in end.decisions.values()}
    assert verbs == {feature for feature in game_features(slug) if isinstance(feature, Verb)}


@every_game
def test_every_wager_with_a_meter_pays_a_share_in_some_round_and_some_prize_is_shared(slug: str) -> None:
    rounds = meter_rounds(slug)
    assert {wager for wager, _ in rounds.wins} == rounds.wagers
    shared_prizes = [
        payment
        for _, end in rounds.wins
        for payment in game(slug).settle(end, meters(end)).payments
        if payment.meter and payment.meter.winners > 1
    ]
    assert bool(shared_prizes) == bool(rounds.wagers)


# Rounds


@every_game
def test_a_round_always_comes_to_an_end_that_can_be_settled(slug: str) -> None:
    for end in ends(slug):
        assert end.legal_actions() == ()
        assert game(slug).settle(end, meters(end)).payments


@every_game
def test_whatever_is_listed_as_legal_can_be_done(slug: str) -> None:
    listed = Counter[type]()
    for position in sample_positions(slug):
        for action in position.legal_actions():
            listed[type(action)] += 1
            assert position.can(action)
            assert position.apply(action) != position
    assert listed[Deal] > 0
    assert listed[Decide] > 0
    assert (listed[TakeStep] > 0) == any(isinstance(feature, DealerStep) for feature in game_features(slug))


@every_game
def test_the_chances_of_the_next_card_sum_to_one(slug: str) -> None:
    due = 0
    for position in sample_positions(slug):
        chances = position.chance_outcomes()
        if isinstance(position.turn, ChanceTurn):
            due += 1
            assert sum(chance for _, chance in chances) == Fraction(1)
            gone = Counter(next_card for pile in position.piles.values() for next_card in pile)
            for next_card, _ in chances:
                assert gone[next_card] < position.table.deck.count_copies(next_card)
        else:
            assert chances == ()
    assert due


@every_game
def test_cards_that_are_dealt_together_lie_as_if_they_were_dealt_one_by_one(slug: str) -> None:
    for seed in MANY_SEEDS:
        *_, one_by_one = positions(slug, seed)
        together = play_random_round(slug, seed)
        assert together == one_by_one
        assert list(together.piles) == list(one_by_one.piles), "in the same order"


@every_game
def test_where_a_game_knows_the_next_places_the_cards_do_go_there_whatever_they_are(slug: str) -> None:
    dice = random.Random(slug)
    for position in sample_positions(slug):
        if isinstance(position.turn, ChanceTurn):
            r, expected = position, (position.turn.place, *position.turn.following_places)
            for index, place in enumerate(expected):
                assert isinstance(r.turn, ChanceTurn)
                assert r.turn.place == place
                assert r.turn.following_places[: len(expected) - index - 1] == expected[index + 1 :]
                r = r.apply(Deal(dice.choice(r.chance_outcomes())[0]))


@every_game
def test_the_same_seed_plays_the_same_round_again(slug: str) -> None:
    for seed in FEW_SEEDS:
        assert play_random_round(slug, seed) == play_random_round(slug, seed)


@every_game
def test_a_round_written_down_at_any_point_goes_on_identically(slug: str) -> None:
    turns = Counter[type]()
    for position in sample_positions(slug):
        turns[type(position.turn)] += 1
        restored = load_round(dump_round(position))
        assert restored == position
        assert restored.turn == position.turn
        assert restored.legal_actions() == position.legal_actions()
    assert turns.keys() >= {ChanceTurn, SeatTurn, RoundEnd}


@every_game
def test_a_restored_round_is_settled_to_the_same_cent(slug: str) -> None:
    answers, shares = 0, 0
    for end in ends(slug):
        settlement = game(slug).settle(end, meters(end))
        assert game(slug).settle(load_round(dump_round(end)), meters(end)) == settlement
        answers += len(end.decisions)
        shares += sum(payment.meter is not None for payment in settlement.payments)
    assert answers
    assert bool(shares) == bool(meter_rounds(slug).wagers)


@every_game
def test_a_finished_round_can_be_read_without_the_dealers_steps(slug: str) -> None:
    left_out = 0
    for seed in FEW_SEEDS:
        end = play_random_round(slug, seed)
        record = json.loads(dump_round(end))
        left_out += len(record.pop("steps"))
        assert load_round(json.dumps(record)) == end
    assert bool(left_out) == any(isinstance(feature, DealerStep) for feature in game_features(slug))


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
def test_every_payment_names_its_event_and_the_cards_that_made_it(slug: str) -> None:
    shares = 0
    for end in ends(slug):
        dealt_cards = Counter(dealt_card for pile in end.piles.values() for dealt_card in pile)
        for payment in game(slug).settle(end).payments:
            shares += payment.meter is not None
            assert payment.event
            assert payment.text
            assert Counter(payment.cards) <= dealt_cards
            assert (payment.meter is not None) == isinstance(payment.pay, Percent)
            assert (payment.returned is None) == isinstance(payment.pay, Percent), "a share without a meter is unknown"
    assert bool(shares) == bool(meter_rounds(slug).wagers)


# Who sees what


def players_and_public(position: Round) -> list[Viewer]:
    """Everybody but the auditor, who sees all."""
    return [*position.seats, Onlooker.DEALER, Onlooker.DISPLAY]


@every_game
def test_nobody_sees_a_card_that_is_hidden_from_them(slug: str) -> None:
    looks = 0
    for position in sample_positions(slug):
        for viewer in players_and_public(position):
            looks += bool(position.piles)
            _check_visible_cards(position, viewer)
    assert looks


def _check_visible_cards(position: Round, viewer: Viewer) -> None:
    view_json = view_to_json(view(position, viewer))
    text = json.dumps([view_json["cards"], view_json["decisions"], view_json["turn"]])
    card_names = {parse_card(name) for name in CARD.findall(text)}
    visible = _visible_cards(position, viewer)
    assert card_names <= visible
    for place, pile in position.piles.items():
        assert len(view_json["cards"][str(place)]) == len(pile), "the backs of hidden cards are shown"


def _visible_cards(position: Round, viewer: Viewer) -> set[Card]:
    """What lies open to the viewer, and the cards of decisions that have been shown at the reveal."""
    visible = {
        visible_card
        for place, pile in position.piles.items()
        if can_see(position, place, viewer)
        for visible_card in pile
    }
    for (seat, _), decision in position.decisions.items():
        if position.has_taken_step(DealerStep.REVEAL) or seat == viewer:
            visible |= {visible_card for group in decision.groups for visible_card in group}
    return visible


@every_game
def test_hands_lie_face_down_until_the_dealer_reveals_or_face_up_where_there_is_no_reveal(slug: str) -> None:
    hidden, open_ = 0, 0
    for position in sample_positions(slug):
        if any(position.has_taken_step(step) for step in (DealerStep.REVEAL, DealerStep.PAY_TREASURE)):
            continue
        for place in position.piles:
            for viewer in players_and_public(position):
                if place.seat != viewer and place.pile is not Pile.BURN:
                    hidden += not can_see(position, place, viewer)
                    open_ += can_see(position, place, viewer)
    if DealerStep.REVEAL in game_features(slug):
        assert hidden
        assert not open_
    else:
        assert open_
        assert not hidden


@every_game
def test_burnt_cards_are_never_shown(slug: str) -> None:
    burnt = 0
    for seed in MANY_SEEDS:
        for position in positions(slug, seed):
            for place in position.piles:
                if place.pile is Pile.BURN:
                    burnt += 1
                    assert not any(can_see(position, place, viewer) for viewer in players_and_public(position))
    assert bool(burnt) == (Pile.BURN in game_features(slug))


@every_game
def test_the_auditor_sees_everything(slug: str) -> None:
    end = play_random_round(slug, 2)
    assert view(end, Onlooker.AUDITOR).piles == end.piles


@every_game
def test_what_is_out_of_turn_is_refused_and_changes_nothing(slug: str) -> None:
    refused = Counter[type]()
    for position in sample_positions(slug):
        saved = dump_round(position)
        for action in _wrong_actions(position):
            refused[type(action)] += 1
            reason = position.why_not(action)
            assert reason
            assert not position.can(action)
            with pytest.raises(IllegalAction, match=re.escape(reason)):
                position.apply(action)
        assert dump_round(position) == saved
    assert refused.keys() == {Deal, Decide, TakeStep}


def _wrong_actions(position: Round) -> list[Deal | Decide | TakeStep]:
    wrong: list[Deal | Decide | TakeStep] = []
    turn = position.turn
    if not isinstance(turn, ChanceTurn):
        wrong.append(Deal(parse_card("As")))
    else:
        gone = Counter(dealt_card for pile in position.piles.values() for dealt_card in pile)
        wrong += [
            Deal(dealt_card)
            for dealt_card, count in gone.items()
            if count == position.table.deck.count_copies(dealt_card)
        ]
    turn_seat = turn.seat if isinstance(turn, SeatTurn) else None
    wrong += [Decide(seat, Decision(Verb.FOLD)) for seat in position.seats if seat != turn_seat]
    if isinstance(turn, SeatTurn):
        verbs = {option.verb for option in turn.options}
        wrong += [Decide(turn.seat, Decision(verb)) for verb in Verb if verb not in verbs]
    if isinstance(turn, RoundEnd | ChanceTurn | SeatTurn):
        wrong += [TakeStep(step) for step in DealerStep]
    return wrong


@every_game
def test_an_unfinished_round_is_not_settled(slug: str) -> None:
    rules, play, _ = begin_round(slug, 0)
    with pytest.raises(RoundNotOver):
        rules.settle(play.round)


@every_game
def test_a_record_with_a_card_too_many_is_refused(slug: str) -> None:
    record = json.loads(dump_round(play_random_round(slug, 3)))
    place = next(iter(record["cards"]))
    kinds = game(slug).facts.decks[0].distinct_cards()
    dealt = Counter(record_card for pile in record["cards"].values() for record_card in pile)
    spare = next(str(record_card) for record_card in kinds if not dealt[str(record_card)])
    record["cards"][place].append(spare)
    with pytest.raises(BadRecord, match="nobody was dealt"):
        load_round(json.dumps(record))


# Take or pay


@every_game
def test_each_percentage_is_paid_in_full_and_the_players_who_won_it_share_it_to_the_last_cent(slug: str) -> None:
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
            assert by_player.total() == int(METER * percent), "a line is paid in full, whatever else was won (BJ-8)"
            assert [payment.known_return for payment in prizes] == [share.cents for share in shares], (
                "that is all a winner gets"
            )
            parts = list(by_player.values())
            assert max(parts) - min(parts) <= 1, "equal winners have equal parts (BJ-4)"
            assert parts == sorted(parts, reverse=True), "odd cents go to the first from the dealer's left (GEN-4)"
            assert {share.winners for share in shares} == {len(parts)}, "a player has one share (TS-7)"
            shared_count += len(parts) > 1
    assert bool(shared_count) == bool(meter_rounds(slug).wagers)


@every_game
def test_a_seat_that_folds_gets_nothing_back_on_what_it_folded(slug: str) -> None:
    for _, main in main_wagers_after(slug, Verb.FOLD):
        assert main
        assert all(payment.returned == 0 for payment in main)


@every_game
def test_a_surrender_gives_a_part_of_the_wager_back_and_ends_it(slug: str) -> None:
    for end, (main,) in main_wagers_after(slug, Verb.SURRENDER):
        assert 0 < main.known_return < main.wagered == end.wager_cents(main.seat, main.spot)


@every_game
def test_an_answer_that_puts_more_chips_down_has_them_taken_or_paid(slug: str) -> None:
    """War, play, raise and double put chips beside the wager, and a split puts them on the second hand."""
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
    """The same round, each split with its hands named the other way round."""
    record = json.loads(dump_round(end))
    for answer in record["decisions"]:
        decision = Decision.parse(answer["answer"])
        if decision.verb is Verb.SPLIT:
            answer["answer"] = str(decision.with_reversed_groups)
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


@every_game
def test_random_wagers_are_taken_and_a_cent_over_the_limit_is_not(slug: str) -> None:
    refused = 0
    for seed in FEW_SEEDS:
        rules, play, dice = begin_round(slug, seed)
        seat = dice.choice(play.round.seats)
        spot = random.Random(seed).choice(list(play.round.bets[seat]))
        limits = play.round.table.spots[spot].limits
        wrong = (limits.maximum + limits.step, limits.minimum - limits.step, limits.minimum + 1, 0, -limits.minimum)
        for amount in wrong:
            bets = {seat_number: dict(spots) for seat_number, spots in play.round.bets.items()}
            bets[seat][spot] = amount
            refused += 1
            with pytest.raises(ValueError, match=r"it takes \$"):
                rules.begin(play.round.table, bets)
    assert refused == 5 * len(FEW_SEEDS)
