"""The conformance kit: what holds for every game of the house, a sixth one included."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from fractions import Fraction

import pytest

from cardroom.cards import Card, card
from cardroom.games import (
    BadRecord,
    ChanceTurn,
    Deal,
    DealerStep,
    Decide,
    Decision,
    NotAllowed,
    Onlooker,
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
from cardroom.games.actions import Over
from cardroom.games.view import sees
from cardroom.paytables import Percent
from tests.games.play import begin, finished, positions

every_game = pytest.mark.parametrize("slug", game_slugs())
A_FEW = range(4)
MANY = range(60)

CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|Jk)\b")


@every_game
def test_a_round_always_comes_to_an_end_that_can_be_settled(slug: str) -> None:
    for seed in MANY:
        end = finished(slug, seed)
        assert end.legal() == ()
        assert game(slug).settle(end).payments


@every_game
def test_whatever_is_listed_as_legal_can_be_done(slug: str) -> None:
    for seed in A_FEW:
        for position in positions(slug, seed):
            for action in position.legal():
                assert position.can(action)
                assert position.apply(action) != position


@every_game
def test_the_chances_of_the_next_card_sum_to_one(slug: str) -> None:
    due = 0
    for seed in A_FEW:
        for position in positions(slug, seed):
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
def test_the_same_seed_plays_the_same_round_again(slug: str) -> None:
    for seed in A_FEW:
        assert finished(slug, seed) == finished(slug, seed)


@every_game
def test_a_round_written_down_at_any_point_goes_on_identically(slug: str) -> None:
    for seed in A_FEW:
        for position in positions(slug, seed):
            restored = from_json(to_json(position))
            assert restored == position
            assert restored.turn == position.turn
            assert restored.legal() == position.legal()


@every_game
def test_a_restored_round_is_settled_to_the_same_cent(slug: str) -> None:
    for seed in A_FEW:
        end = finished(slug, seed)
        meters = dict.fromkeys(end.table.spots, 12_345_67)
        assert game(slug).settle(from_json(to_json(end)), meters) == game(slug).settle(end, meters)


@every_game
def test_a_finished_round_can_be_read_without_the_dealers_steps(slug: str) -> None:
    end = finished(slug, 1)
    record = json.loads(to_json(end))
    del record["steps"]
    assert from_json(json.dumps(record)) == end


@every_game
def test_chips_are_conserved(slug: str) -> None:
    for seed in MANY:
        end = finished(slug, seed)
        meters = dict.fromkeys(end.table.spots, 98_765_43)
        settlement = game(slug).settle(end, meters)
        assert sum(settlement.net(seat) for seat in end.seats) + settlement.house == 0
        assert settlement.wagered == settlement.returned + settlement.house
        assert set(settlement.seats) == set(end.seats)
        for payment in settlement.payments:
            assert payment.returned >= 0
            assert payment.wagered >= 0
            assert payment.net == payment.returned - payment.wagered
        for seat, spots in end.bets.items():
            for spot, amount in spots.items():
                put_down = sum(payment.wagered for payment in settlement.of(seat) if payment.spot == spot)
                assert put_down >= amount, "a wager was neither taken nor paid"
                assert put_down % amount == 0, "what follows a wager is a multiple of it"


@every_game
def test_every_payment_names_its_event_and_the_cards_that_made_it(slug: str) -> None:
    for seed in MANY:
        end = finished(slug, seed)
        there = Counter(one for pile in end.dealt.values() for one in pile)
        for payment in game(slug).settle(end).payments:
            assert payment.event
            assert payment.words
            assert Counter(payment.cards) <= there
            assert (payment.meter is not None) == isinstance(payment.pay, Percent)


@every_game
def test_nobody_sees_a_card_that_is_hidden_from_them(slug: str) -> None:
    for seed in A_FEW:
        for position in positions(slug, seed):
            for viewer in (*position.seats, Onlooker.DEALER, Onlooker.DISPLAY):
                _only_visible_cards(position, viewer)


def _only_visible_cards(position: Round, viewer: int | Onlooker) -> None:
    shown = view_entry(view(position, viewer))
    told = json.dumps([shown["cards"], shown["decisions"], shown["turn"]])
    named = {card(name) for name in CARD.findall(told)}
    visible = _visible(position, viewer)
    assert named <= visible
    for place, pile in position.dealt.items():
        assert len(shown["cards"][str(place)]) == len(pile), "the backs of hidden cards are shown"


def _visible(position: Round, viewer: int | Onlooker) -> set[Card]:
    """What lies open to the viewer, and the cards of decisions that have been shown at the reveal."""
    there = {one for place, pile in position.dealt.items() if sees(position, place, viewer) for one in pile}
    for (seat, _), decision in position.decisions.items():
        if position.done(DealerStep.REVEAL) or seat == viewer:
            there |= {one for group in decision.groups for one in group}
    return there


@every_game
def test_face_down_hands_are_hidden_from_others_until_the_dealer_reveals(slug: str) -> None:
    if slug == "dueling-for-dollars":
        return  # every card of a duel lies face up (rule 3)
    for seed in A_FEW:
        for position in positions(slug, seed):
            if position.done(DealerStep.REVEAL) or position.done(DealerStep.PAY_TREASURE):
                continue
            for place in position.dealt:
                for viewer in (*position.seats, Onlooker.DEALER, Onlooker.DISPLAY):
                    if place.seat != viewer:
                        assert not sees(position, place, viewer)


@every_game
def test_burnt_cards_are_never_shown(slug: str) -> None:
    for seed in A_FEW:
        for position in positions(slug, seed):
            for place in position.dealt:
                if place.pile is Pile.BURN:
                    assert not any(sees(position, place, one) for one in (*position.seats, *list(Onlooker)[:2]))


@every_game
def test_the_auditor_sees_everything(slug: str) -> None:
    end = finished(slug, 2)
    assert view(end, Onlooker.AUDITOR).piles == end.dealt


@every_game
def test_what_is_out_of_turn_is_refused_and_changes_nothing(slug: str) -> None:
    for seed in A_FEW:
        for position in positions(slug, seed):
            before = to_json(position)
            for action in _wrong(position):
                why = position.why_not(action)
                assert why
                assert not position.can(action)
                with pytest.raises(NotAllowed, match=re.escape(why)):
                    position.apply(action)
            assert to_json(position) == before


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


@every_game
def test_each_percentage_is_paid_in_full_and_equal_winners_share_it_to_the_last_cent(slug: str) -> None:
    meter = 1_000_01
    for seed in MANY:
        end = finished(slug, seed)
        payments = game(slug).settle(end, dict.fromkeys(end.table.spots, meter)).payments
        for spot in end.table.spots:
            on_meter = [one for one in payments if one.spot == spot and one.meter]
            for event in {one.event for one in on_meter}:
                prizes = [one for one in on_meter if one.event == event]
                assert prizes[0].meter
                assert {one.meter.winners for one in prizes if one.meter} == {len({one.seat for one in prizes})}
                won = sum(one.meter.cents or 0 for one in prizes if one.meter)
                assert won == int(meter * prizes[0].meter.percent)


@every_game
def test_random_wagers_are_taken_and_a_cent_over_the_limit_is_not(slug: str) -> None:
    rules, play, dice = begin(slug, 5)
    seat = dice.choice(play.round.seats)
    spot = random.Random(5).choice(list(play.round.bets[seat]))
    limits = play.round.table.spots[spot].limits
    for amount in (limits.maximum + limits.step, limits.minimum - limits.step, limits.minimum + 1, 0, -limits.minimum):
        bets = {one: dict(spots) for one, spots in play.round.bets.items()}
        bets[seat][spot] = amount
        with pytest.raises(ValueError, match=r"it takes \$"):
            rules.begin(play.round.table, bets)
