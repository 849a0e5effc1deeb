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

from cardroom.cards import Card, card
from cardroom.conformance.play import begin, finished, positions
from cardroom.conformance.rigged import METER, meter_rounds
from cardroom.games import (
    BadRecord,
    ChanceTurn,
    Deal,
    DealerStep,
    Decide,
    Decision,
    NotAllowed,
    Onlooker,
    Payment,
    Pile,
    Round,
    RoundNotOver,
    SeatTurn,
    TakeStep,
    Verb,
    from_json,
    game,
    game_slugs,
    to_json,
    view,
    view_entry,
)
from cardroom.games.turns import DealerTurn, Over
from cardroom.games.view import Viewer, sees
from cardroom.paytables import Percent

every_game = pytest.mark.parametrize("slug", game_slugs())
A_FEW = range(4)
MANY = range(60)
TURNED_OVER = {DealerStep.REVEAL, DealerStep.PAY_TREASURE}

CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|Jk)\b")


@cache
def ends(slug: str) -> tuple[Round, ...]:
    """Finished rounds: random ones, and rigged ones in which meters pay."""
    return (*(finished(slug, seed) for seed in MANY), *(end for _, end in meter_rounds(slug).won))


@cache
def a_few(slug: str) -> tuple[Round, ...]:
    """Every position of a few rounds from the wagers to the end, and of more until every answer was given."""
    there: list[Round] = []
    given: set[Verb] = set()
    for seed in MANY:
        new = {decision.verb for decision in finished(slug, seed).decisions.values()} - given
        if seed in A_FEW or new:
            given |= new
            there += positions(slug, seed)
    return tuple(there)


@cache
def has(slug: str) -> frozenset[Verb | Pile | DealerStep]:
    """What a game has: every answer that it offers in some round, every pile and every step of the dealer."""
    there: set[Verb | Pile | DealerStep] = set()
    for seed in MANY:
        for position in positions(slug, seed):
            there |= {place.pile for place in position.dealt}
            match position.turn:
                case SeatTurn(_, _, options):
                    there |= {option.verb for option in options}
                case DealerTurn(step):
                    there.add(step)
    return frozenset(there)


def said(end: Round, verb: Verb) -> list[tuple[int, Decision]]:
    """Who gave an answer with this verb."""
    return [(seat, decision) for (seat, _), decision in end.decisions.items() if decision.verb is verb]


def on_the_main_wager(end: Round, seat: int) -> list[Payment]:
    """What becomes of a seat's chips on the game's first wager, and of those that followed it."""
    main = end.table.facts.wagers[0]
    payments = game(end.table.facts.slug).settle(end, meters(end)).of(seat)
    return [one for one in payments if end.table.spots[one.spot].wager is main and one.wagered]


def main_wagers_after(slug: str, verb: Verb) -> list[tuple[Round, list[Payment]]]:
    """The ends of rounds in which somebody gave this answer, each with that seat's main wager. A game that has the
    answer must have met it."""
    found = [(end, on_the_main_wager(end, seat)) for end in ends(slug) for seat, _ in said(end, verb)]
    assert bool(found) == (verb in has(slug))
    return found


def meters(end: Round, cents: int = METER) -> dict[str, int]:
    return {spot: cents for spot, offered in end.table.spots.items() if offered.has_meter}


# What the kit meets


@every_game
def test_every_answer_that_a_game_offers_is_given_in_some_round(slug: str) -> None:
    given = {decision.verb for end in ends(slug) for decision in end.decisions.values()}
    assert given == {one for one in has(slug) if isinstance(one, Verb)}


@every_game
def test_every_wager_with_a_meter_pays_a_share_in_some_round_and_some_prize_is_shared(slug: str) -> None:
    rounds = meter_rounds(slug)
    assert {wager for wager, _ in rounds.won} == rounds.wagers
    shared = [
        payment
        for _, end in rounds.won
        for payment in game(slug).settle(end, meters(end)).payments
        if payment.meter and payment.meter.winners > 1
    ]
    assert bool(shared) == bool(rounds.wagers)


# Rounds


@every_game
def test_a_round_always_comes_to_an_end_that_can_be_settled(slug: str) -> None:
    for end in ends(slug):
        assert end.legal() == ()
        assert game(slug).settle(end, meters(end)).payments


@every_game
def test_whatever_is_listed_as_legal_can_be_done(slug: str) -> None:
    listed = Counter[type]()
    for position in a_few(slug):
        for action in position.legal():
            listed[type(action)] += 1
            assert position.can(action)
            assert position.apply(action) != position
    assert listed[Deal] > 0
    assert listed[Decide] > 0
    assert (listed[TakeStep] > 0) == any(isinstance(one, DealerStep) for one in has(slug))


@every_game
def test_the_chances_of_the_next_card_sum_to_one(slug: str) -> None:
    due = 0
    for position in a_few(slug):
        chances = position.outcomes()
        if isinstance(position.turn, ChanceTurn):
            due += 1
            assert sum(chance for _, chance in chances) == Fraction(1)
            gone = Counter(one for pile in position.dealt.values() for one in pile)
            for one, _ in chances:
                assert gone[one] < position.table.deck.copies(one)
        else:
            assert chances == ()
    assert due


@every_game
def test_cards_that_are_dealt_together_lie_as_if_they_were_dealt_one_by_one(slug: str) -> None:
    for seed in MANY:
        *_, one_by_one = positions(slug, seed)
        together = finished(slug, seed)
        assert together == one_by_one
        assert list(together.dealt) == list(one_by_one.dealt), "in the same order"


@every_game
def test_where_a_game_knows_the_next_places_the_cards_do_go_there_whatever_they_are(slug: str) -> None:
    dice = random.Random(slug)
    for position in a_few(slug):
        if isinstance(position.turn, ChanceTurn):
            r, expected = position, (position.turn.place, *position.turn.then)
            for at, place in enumerate(expected):
                assert isinstance(r.turn, ChanceTurn)
                assert r.turn.place == place
                assert r.turn.then[: len(expected) - at - 1] == expected[at + 1 :]
                r = r.apply(Deal(dice.choice(r.outcomes())[0]))


@every_game
def test_the_same_seed_plays_the_same_round_again(slug: str) -> None:
    for seed in A_FEW:
        assert finished(slug, seed) == finished(slug, seed)


@every_game
def test_a_round_written_down_at_any_point_goes_on_identically(slug: str) -> None:
    turns = Counter[type]()
    for position in a_few(slug):
        turns[type(position.turn)] += 1
        restored = from_json(to_json(position))
        assert restored == position
        assert restored.turn == position.turn
        assert restored.legal() == position.legal()
    assert turns.keys() >= {ChanceTurn, SeatTurn, Over}


@every_game
def test_a_restored_round_is_settled_to_the_same_cent(slug: str) -> None:
    answers, shares = 0, 0
    for end in ends(slug):
        settlement = game(slug).settle(end, meters(end))
        assert game(slug).settle(from_json(to_json(end)), meters(end)) == settlement
        answers += len(end.decisions)
        shares += sum(payment.meter is not None for payment in settlement.payments)
    assert answers
    assert bool(shares) == bool(meter_rounds(slug).wagers)


@every_game
def test_a_finished_round_can_be_read_without_the_dealers_steps(slug: str) -> None:
    left_out = 0
    for seed in A_FEW:
        end = finished(slug, seed)
        record = json.loads(to_json(end))
        left_out += len(record.pop("steps"))
        assert from_json(json.dumps(record)) == end
    assert bool(left_out) == any(isinstance(one, DealerStep) for one in has(slug))


@every_game
def test_chips_are_conserved(slug: str) -> None:
    won, lost = 0, 0
    for end in ends(slug):
        settlement = game(slug).settle(end, meters(end))
        won += settlement.house < 0
        lost += settlement.house > 0
        assert sum(settlement.net(seat) for seat in end.seats) + settlement.house == 0
        assert settlement.wagered == settlement.returned + settlement.house
        assert set(settlement.seats) == set(end.seats)
        for payment in settlement.payments:
            assert payment.paid >= 0
            assert payment.wagered >= 0
            assert payment.net == payment.paid - payment.wagered
        for seat, spots in end.bets.items():
            for spot, amount in spots.items():
                put_down = sum(payment.wagered for payment in settlement.of(seat) if payment.spot == spot)
                assert put_down >= amount, "a wager was neither taken nor paid"
                assert put_down % amount == 0, "what follows a wager is a multiple of it"
    assert won
    assert lost


@every_game
def test_every_payment_names_its_event_and_the_cards_that_made_it(slug: str) -> None:
    shares = 0
    for end in ends(slug):
        there = Counter(one for pile in end.dealt.values() for one in pile)
        for payment in game(slug).settle(end).payments:
            shares += payment.meter is not None
            assert payment.event
            assert payment.words
            assert Counter(payment.cards) <= there
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
    for position in a_few(slug):
        for viewer in players_and_public(position):
            looks += bool(position.dealt)
            _only_visible_cards(position, viewer)
    assert looks


def _only_visible_cards(position: Round, viewer: Viewer) -> None:
    shown = view_entry(view(position, viewer))
    told = json.dumps([shown["cards"], shown["decisions"], shown["turn"]])
    named = {card(name) for name in CARD.findall(told)}
    visible = _visible(position, viewer)
    assert named <= visible
    for place, pile in position.dealt.items():
        assert len(shown["cards"][str(place)]) == len(pile), "the backs of hidden cards are shown"


def _visible(position: Round, viewer: Viewer) -> set[Card]:
    """What lies open to the viewer, and the cards of decisions that have been shown at the reveal."""
    there = {one for place, pile in position.dealt.items() if sees(position, place, viewer) for one in pile}
    for (seat, _), decision in position.decisions.items():
        if position.done(DealerStep.REVEAL) or seat == viewer:
            there |= {one for group in decision.groups for one in group}
    return there


@every_game
def test_hands_lie_face_down_until_the_dealer_reveals_or_face_up_where_there_is_no_reveal(slug: str) -> None:
    hidden, open_ = 0, 0
    for position in a_few(slug):
        if any(position.done(step) for step in (DealerStep.REVEAL, DealerStep.PAY_TREASURE)):
            continue
        for place in position.dealt:
            for viewer in players_and_public(position):
                if place.seat != viewer and place.pile is not Pile.BURN:
                    hidden += not sees(position, place, viewer)
                    open_ += sees(position, place, viewer)
    if DealerStep.REVEAL in has(slug):
        assert hidden
        assert not open_
    else:
        assert open_
        assert not hidden


@every_game
def test_burnt_cards_are_never_shown(slug: str) -> None:
    burnt = 0
    for seed in MANY:
        for position in positions(slug, seed):
            for place in position.dealt:
                if place.pile is Pile.BURN:
                    burnt += 1
                    assert not any(sees(position, place, viewer) for viewer in players_and_public(position))
    assert bool(burnt) == (Pile.BURN in has(slug))


@every_game
def test_the_auditor_sees_everything(slug: str) -> None:
    end = finished(slug, 2)
    assert view(end, Onlooker.AUDITOR).piles == end.dealt


@every_game
def test_what_is_out_of_turn_is_refused_and_changes_nothing(slug: str) -> None:
    refused = Counter[type]()
    for position in a_few(slug):
        before = to_json(position)
        for action in _wrong(position):
            refused[type(action)] += 1
            why = position.why_not(action)
            assert why
            assert not position.can(action)
            with pytest.raises(NotAllowed, match=re.escape(why)):
                position.apply(action)
        assert to_json(position) == before
    assert refused.keys() == {Deal, Decide, TakeStep}


def _wrong(position: Round) -> list[Deal | Decide | TakeStep]:
    wrong: list[Deal | Decide | TakeStep] = []
    turn = position.turn
    if not isinstance(turn, ChanceTurn):
        wrong.append(Deal(card("As")))
    else:
        gone = Counter(one for pile in position.dealt.values() for one in pile)
        wrong += [Deal(one) for one, count in gone.items() if count == position.table.deck.copies(one)]
    asked = turn.seat if isinstance(turn, SeatTurn) else None
    wrong += [Decide(seat, Decision(Verb.FOLD)) for seat in position.seats if seat != asked]
    if isinstance(turn, SeatTurn):
        known = {option.verb for option in turn.options}
        wrong += [Decide(turn.seat, Decision(verb)) for verb in Verb if verb not in known]
    if isinstance(turn, Over | ChanceTurn | SeatTurn):
        wrong += [TakeStep(step) for step in DealerStep]
    return wrong


@every_game
def test_an_unfinished_round_is_not_settled(slug: str) -> None:
    rules, play, _ = begin(slug, 0)
    with pytest.raises(RoundNotOver):
        rules.settle(play.round)


@every_game
def test_a_record_with_a_card_too_many_is_refused(slug: str) -> None:
    record = json.loads(to_json(finished(slug, 3)))
    place = next(iter(record["cards"]))
    kinds = game(slug).facts.decks[0].kinds()
    dealt = Counter(one for pile in record["cards"].values() for one in pile)
    spare = next(str(one) for one in kinds if not dealt[str(one)])
    record["cards"][place].append(spare)
    with pytest.raises(BadRecord, match="nobody was dealt"):
        from_json(json.dumps(record))


# Take or pay


@every_game
def test_each_percentage_is_paid_in_full_and_the_players_who_won_it_share_it_to_the_last_cent(slug: str) -> None:
    shared = 0
    for wager, end in meter_rounds(slug).won:
        on_meter = [one for one in game(slug).settle(end, meters(end)).payments if one.spot == wager and one.meter]
        assert on_meter
        for event in {one.event for one in on_meter}:
            prizes = [one for one in on_meter if one.event == event]
            shares = [one.meter for one in prizes if one.meter]
            by_player = Counter[int]()
            for one in prizes:
                by_player[one.seat] += one.paid
            (percent,) = {share.percent for share in shares}
            assert by_player.total() == int(METER * percent), "a line is paid in full, whatever else was won (BJ-8)"
            assert [one.paid for one in prizes] == [share.cents for share in shares], "that is all a winner gets"
            parts = list(by_player.values())
            assert max(parts) - min(parts) <= 1, "equal winners have equal parts (BJ-4)"
            assert parts == sorted(parts, reverse=True), "odd cents go to the first from the dealer's left (GEN-4)"
            assert {share.winners for share in shares} == {len(parts)}, "a player has one share (TS-7)"
            shared += len(parts) > 1
    assert bool(shared) == bool(meter_rounds(slug).wagers)


@every_game
def test_a_seat_that_folds_gets_nothing_back_on_what_it_folded(slug: str) -> None:
    for _, main in main_wagers_after(slug, Verb.FOLD):
        assert main
        assert all(one.returned == 0 for one in main)


@every_game
def test_a_surrender_gives_a_part_of_the_wager_back_and_ends_it(slug: str) -> None:
    for end, (main,) in main_wagers_after(slug, Verb.SURRENDER):
        assert 0 < main.paid < main.wagered == end.wagered(main.seat, main.spot)


@every_game
def test_an_answer_that_puts_more_chips_down_has_them_taken_or_paid(slug: str) -> None:
    """War, play, raise and double put chips beside the wager, and a split puts them on the second hand."""
    more = {verb for verb in (Verb.PLAY, Verb.RAISE, Verb.WAR, Verb.SPLIT, Verb.DOUBLE) if verb in has(slug)}
    met = Counter[Verb]()
    for end in ends(slug):
        for (seat, _), decision in end.decisions.items():
            if decision.verb in more:
                met[decision.verb] += 1
                main = on_the_main_wager(end, seat)
                assert sum(one.wagered for one in main) >= 2 * end.wagered(seat, main[0].spot)
    assert met.keys() == more


def _splits_turned_about(end: Round) -> Round:
    """The same round, each split with its hands named the other way round."""
    record = json.loads(to_json(end))
    for answer in record["decisions"]:
        said = Decision.parse(answer["answer"])
        if said.verb is Verb.SPLIT:
            answer["answer"] = str(said.turned_about)
    return from_json(json.dumps(record))


@every_game
def test_a_split_is_settled_in_the_order_of_its_hands(slug: str) -> None:
    hands = Counter[str]()
    for end in (*ends(slug), *map(_splits_turned_about, ends(slug))):
        on_the_table = [one for place, pile in end.dealt.items() if place.seat is None for one in pile]
        for seat, split in said(end, Verb.SPLIT):
            for name, two in zip((Verb.FIRST_HAND, Verb.SECOND_HAND), split.groups, strict=True):
                own = [one for one in game(slug).settle(end, meters(end)).of(seat) if one.stake == name]
                assert own
                hands[name] += len(own)
                for one in own:
                    assert Counter(one.cards) <= Counter([*two, *on_the_table])
    assert bool(hands) == (Verb.SPLIT in has(slug))
    assert len(hands) in (0, 2)


@every_game
def test_random_wagers_are_taken_and_a_cent_over_the_limit_is_not(slug: str) -> None:
    refused = 0
    for seed in A_FEW:
        rules, play, dice = begin(slug, seed)
        seat = dice.choice(play.round.seats)
        spot = random.Random(seed).choice(list(play.round.bets[seat]))
        limits = play.round.table.spots[spot].limits
        wrong = (limits.maximum + limits.step, limits.minimum - limits.step, limits.minimum + 1, 0, -limits.minimum)
        for amount in wrong:
            bets = {one: dict(spots) for one, spots in play.round.bets.items()}
            bets[seat][spot] = amount
            refused += 1
            with pytest.raises(ValueError, match=r"it takes \$"):
                rules.begin(play.round.table, bets)
    assert refused == 5 * len(A_FEW)
