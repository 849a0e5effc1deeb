"""Play or fold in Three Card Prime, compared with plain brute force and with rounds that the game settles."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.cards import STANDARD_DECK, Card, card_from_code, parse_cards
from cardroom.games import (
    Deal,
    DealerStep,
    Decide,
    Decision,
    IllegalAction,
    Onlooker,
    Pile,
    Place,
    Round,
    SeatTurn,
    TakeStep,
    Verb,
    View,
    default_setup,
    game,
    view,
)
from cardroom.hands import THREE_CARD, Category, compute_strength
from cardroom.odds.pricer import pricer
from cardroom.odds.three_card_prime.basic_strategy import hand_name
from cardroom.odds.three_card_prime.best_strategy import DealerHands, PlayPays, dealer_hands, matchups, payoff_counts
from cardroom.odds.three_card_prime.counts import three_card_hands
from cardroom.paytables import (
    Basis,
    Dollars,
    ForOne,
    Loss,
    Pay,
    Paytable,
    PaytableLine,
    Push,
    ToOne,
    paytable,
    paytables,
)

SLUG = "three-card-prime"
RULES = game(SLUG)
PRICER = pricer(SLUG)
TABLE = RULES.open(default_setup(SLUG))
PRINTED = paytables(SLUG, "ante-play")
DEALS = comb(52, 3) * comb(49, 3)


def what_if(name: str, basis: Basis = Basis.TO_ONE, **pays: Pay) -> Paytable:
    lines = tuple(PaytableLine(event.replace("_", "-"), event, pay, "") for event, pay in pays.items())
    return Paytable(SLUG, "ante-play", name, basis, lines)


WHAT_IF = (
    what_if(
        "upside down",
        mini_royal=Loss(),
        straight_flush=Push(),
        trips=ToOne(Fraction(1, 3)),
        straight=ForOne(Fraction(7, 5)),
        flush_and_lower=ToOne(Fraction(8, 7)),
        bad_beat_straight=Dollars(250),
        bad_beat_trips=ToOne(Fraction(40)),
        bad_beat_flush_and_lower=Push(),
    ),
    what_if("one line", bad_beat_flush_and_lower=ToOne(Fraction(2))),
    what_if("nothing wins"),
    what_if("for one", Basis.FOR_ONE, flush_and_lower=ForOne(Fraction(3)), straight=Dollars(700)),
)
EVERY = (*PRINTED, *WHAT_IF)
every_table = pytest.mark.parametrize("table", EVERY, ids=lambda one: one.name)


# Brute force, independent of the program: the sheet's ranking of three cards, and rules 3 to 5


def height(hand: tuple[Card, ...]) -> tuple[int, list[int]]:
    """The rank of three cards."""
    ranks = sorted((int(card.rank) for card in hand), reverse=True)
    suited = len({card.suit for card in hand}) == 1
    if ranks == [14, 3, 2]:
        ranks = [3, 2, 1]
    in_a_row = ranks[0] - ranks[1] == ranks[1] - ranks[2] == 1
    if suited and in_a_row:
        return (6 if ranks[0] == 14 else 5), ranks
    if len(set(ranks)) == 1:
        return 4, ranks
    if in_a_row:
        return 3, ranks
    if suited:
        return 2, ranks
    if len(set(ranks)) == 2:
        pair = ranks[1]
        return 1, [pair, pair, ranks[0] if ranks[0] != pair else ranks[2]]
    return 0, ranks


LINES = ["flush-and-lower"] * 3 + ["straight", "trips", "straight-flush", "mini-royal"]


def net(table: Paytable, event: str, ante: int) -> Fraction:
    """The result of a Play wager equal to the Ante, in cents."""
    pays = {line.trigger: line.pay for line in reversed(table.lines)}
    match pays.get(event, Loss()):
        case ToOne(odds):
            return ante * odds
        case ForOne(odds):
            return ante * odds - ante
        case Push():
            return Fraction(0)
        case Dollars(prize):
            return Fraction(prize if table.basis is Basis.TO_ONE else prize - ante)
    return Fraction(-ante)


def value_of_playing(
    table: Paytable, hand: tuple[Card, ...], elsewhere: tuple[Card, ...] = (), ante: int = 100
) -> Fraction:
    """In cents, over every hand the dealer can have."""
    live = [one for one in STANDARD_DECK if one not in hand + elsewhere]
    mine = height(hand)
    wins, loses = net(table, LINES[mine[0]], ante), net(table, f"bad-beat-{LINES[mine[0]]}", ante)
    parts: Counter[Fraction] = Counter()
    for dealer in combinations(live, 3):
        his = height(dealer)
        if his < (0, [12]):
            parts[wins] += 1
        elif mine >= his:
            parts[wins + ante] += 1
        else:
            parts[loses - ante] += 1
    total = sum((result * count for result, count in parts.items()), Fraction(0))
    return total / parts.total()


SAMPLE = ("Qh 6d 3c", "Qh 6h 3c", "Jd 8h 2c", "Ks Qs 2s", "Ah 2d 3c", "7c 7d 7h", "Kd Qd Jd", "As Ks Qs", "5h 5d Ac")


@pytest.mark.parametrize("hand", SAMPLE)
def test_the_value_of_a_hand_is_that_of_a_plain_count_over_all_dealers(hand: str) -> None:
    for table in (PRINTED[0], WHAT_IF[0]):
        values = dict(PRICER.hand_values("ante-play", table, {}, parse_cards(hand)))
        assert values[Decision(Verb.PLAY)] == value_of_playing(table, parse_cards(hand)) / 100
        assert values[Decision(Verb.FOLD)] == -1


# The whole deck


@cache
def every_hand() -> tuple[tuple[int, DealerHands], ...]:
    """All 22,100 hands one by one, without regard to suits that could be exchanged."""
    hands = [tuple(card_from_code(code) for code in row) for row in three_card_hands().tolist()]
    return tuple((compute_strength(THREE_CARD, hand), dealer_hands(hand)) for hand in hands)


def test_hands_that_differ_in_suits_only_have_the_same_dealers_hands() -> None:
    counts = Counter({(one.strength, one.dealer): one.hands for one in matchups()})
    assert counts == Counter(every_hand())
    assert all(one.dealer.total == comb(49, 3) for one in matchups())


@every_table
def test_the_price_is_that_of_the_better_decision_with_each_of_the_hands(table: Paytable) -> None:
    events: Counter[str] = Counter()
    total = Fraction(0)
    by_kind: Counter[tuple[str, DealerHands]] = Counter()
    for strength, dealer in every_hand():
        category = THREE_CARD.classes[strength - 1].category
        by_kind[LINES[THREE_CARD.order.index(category)], dealer] += 1
    for (event, dealer), hands in by_kind.items():
        wins, loses = net(table, event, 100) / 100, net(table, f"bad-beat-{event}", 100) / 100
        playing = dealer.unqualified * wins + dealer.beaten * (wins + 1) + dealer.better * (loses - 1)
        total += hands * max(playing, Fraction(-dealer.total))
        if playing <= -dealer.total:
            events["fold"] += hands * dealer.total
        else:
            events[event] += hands * (dealer.unqualified + dealer.beaten)
            events[f"bad-beat-{event}"] += hands * dealer.better
    outcomes = PRICER.price("ante-play", table, {}).outcomes
    assert sum(outcome.combinations * outcome.net for outcome in outcomes) == total
    found: Counter[str] = Counter()
    for outcome in outcomes:
        found[outcome.trigger] += outcome.combinations
        assert outcome.wagered == (1 if outcome.trigger == "fold" else 2)
    assert found == +events


def test_a_table_on_which_no_play_wager_wins_still_has_hands_that_are_played_for_the_ante() -> None:
    strategy = PRICER.basic_strategy("ante-play", WHAT_IF[2], {})
    assert strategy.rules[0].text.startswith("play A-")
    assert -1 < strategy.expected_return <= strategy.best_return < 0


@every_table
def test_no_other_hand_would_be_a_better_lowest_hand_to_play(table: Paytable) -> None:
    strategy = PRICER.basic_strategy("ante-play", table, {})
    outcomes = PRICER.price("ante-play", table, {}).outcomes
    assert strategy.best_return == sum(outcome.combinations * outcome.net for outcome in outcomes) / DEALS
    pays = PlayPays(table)
    returns = {}
    for lowest in range(1, len(THREE_CARD.classes) + 1):
        if lowest % 40 == 1 or hand_name(lowest) in strategy.rules[0].text:
            total = sum(
                one.hands * (pays.play_total(one.strength, one.dealer) if one.strength >= lowest else -one.dealer.total)
                for one in matchups()
            )
            returns[lowest] = total / DEALS
    assert max(returns.values()) == strategy.expected_return
    assert strategy.cost >= 0


def test_queen_six_four_is_the_lowest_hand_to_play_and_costs_almost_nothing() -> None:
    """The best strategy also plays Q-6-3 of three suits, which gains 5 of 18,424 Antes with each of 24 hands."""
    for table in PRINTED:
        strategy = PRICER.basic_strategy("ante-play", table, {})
        assert [rule.text for rule in strategy.rules] == ["play Q-6-4 or better", "fold everything else"]
        assert strategy.cost == Fraction(24 * 5, DEALS)


def test_a_table_that_pays_losers_is_always_played() -> None:
    generous = what_if("all win", flush_and_lower=ToOne(Fraction(1)), bad_beat_flush_and_lower=ToOne(Fraction(2)))
    winners = replace(generous, lines=(*generous.lines, *PRINTED[0].lines))
    assert [rule.text for rule in PRICER.basic_strategy("ante-play", winners, {}).rules] == ["play every hand"]


# The game itself


def example(strength: int, gone: tuple[Card, ...] = ()) -> tuple[Card, ...] | None:
    """A hand of this strength without the cards that are gone."""
    return next((hand for hand in by_strength()[strength] if not set(hand) & set(gone)), None)


@cache
def by_strength() -> dict[int, list[tuple[Card, ...]]]:
    found: dict[int, list[tuple[Card, ...]]] = {}
    for hand in combinations(STANDARD_DECK, 3):
        found.setdefault(compute_strength(THREE_CARD, hand), []).append(hand)
    return found


def settled_units(hand: tuple[Card, ...], dealer: tuple[Card, ...]) -> tuple[str, Fraction, Fraction]:
    """The event of Play and the result of Ante and Play, by the rules of the game."""
    fourth, burnt = [one for one in STANDARD_DECK if one not in hand + dealer][:2]
    round_ = RULES.begin(TABLE, {1: {"ante-play": 1000}})
    for one in (*hand, fourth, burnt, *dealer):
        round_ = round_.apply(Deal(one))
    round_ = round_.apply(Decide(1, Decision(Verb.PLAY))).apply(TakeStep(DealerStep.REVEAL))
    ante, play = RULES.settle(round_).payments
    return play.event, Fraction(ante.net, 1000), Fraction(play.net, 1000)


def test_every_class_of_hand_is_paid_as_the_game_pays_it() -> None:
    """Each strength of the player against a dealer who does not qualify, who copies, and who is one better."""
    pays = PlayPays(TABLE.offers["ante-play"].paytable)
    checked: Counter[Fraction] = Counter()
    for strength in range(1, len(THREE_CARD.classes) + 1):
        hand = example(strength)
        assert hand is not None
        for dealer_strength in (1, strength, strength + 1):
            dealer = example(dealer_strength, hand) if dealer_strength <= len(THREE_CARD.classes) else None
            if dealer is None:
                continue
            masked = tuple(one for one in STANDARD_DECK if one not in hand + dealer)
            parts = dealer_hands(hand, masked)
            assert parts.total == 1
            (ended,) = (one for one, count in payoff_counts(strength, parts) if count)
            assert settled_units(hand, dealer) == (ended.event, ended.ante, pays.net(ended).units - ended.ante)
            checked[ended.ante] += 1
    assert min(checked[Fraction(ante)] for ante in (-1, 0, 1)) > 100


# The coach


def asked(hand: str, ante: int = 1000, *others: str) -> Round:
    """A round at seat 1's decision; further seats have the other hands."""
    round_ = RULES.begin(TABLE, {seat: {"ante-play": ante} for seat in range(1, len(others) + 2)})
    given = [*parse_cards(" ".join((hand, *others)))]
    spare = iter([one for one in reversed(STANDARD_DECK) if one not in given])
    for one in (hand, *others):
        for dealt in parse_cards(one):
            round_ = round_.apply(Deal(dealt))
        round_ = round_.apply(Deal(next(spare)))
    for _ in range(4):
        round_ = round_.apply(Deal(next(spare)))
    assert isinstance(round_.turn, SeatTurn)
    return round_


def values(round_: Round, seen: View, seat: int = 1) -> dict[Verb, Fraction]:
    return {option.decision.verb: option.value for option in PRICER.advise(round_.table, seen, seat, {})}


@pytest.mark.parametrize("hand", ["Qh 6d 3c", "9h 7d 2c", "Kh Kd 4c", "5h 6d 7c"])
def test_advice_is_the_value_of_the_hand_in_cents_of_the_ante(hand: str) -> None:
    round_ = asked(hand, 3000)
    table = round_.table.offers["ante-play"].paytable
    expected = {
        decision.verb: value * 3000 for decision, value in PRICER.hand_values("ante-play", table, {}, parse_cards(hand))
    }
    assert values(round_, view(round_, 1)) == expected


def test_a_face_up_card_elsewhere_is_gone_from_the_dealers_deck() -> None:
    dice = random.Random("open cards")
    for _ in range(4):
        some = dice.sample(STANDARD_DECK, 9)
        hand, elsewhere = tuple(some[:3]), tuple(some[3 : 3 + dice.randint(1, 6)])
        round_ = asked(" ".join(map(str, hand)))
        seen = view(round_, 1)
        open_cards = replace(seen, piles={**seen.piles, Place(Pile.HAND, 2): (*elsewhere, None)})
        table = round_.table.offers["ante-play"].paytable
        assert values(round_, open_cards)[Verb.PLAY] == value_of_playing(table, hand, elsewhere, 1000)


def test_advice_does_not_use_hidden_cards() -> None:
    """Another seat's cards, the fourth card, and the dealer's hand are unknown: the advice treats them as undealt."""
    alone, in_company = asked("Qh 6d 3c"), asked("Qh 6d 3c", 1000, "Qc Qd Qs")
    assert values(alone, view(alone, 1)) == values(in_company, view(in_company, 1))


def test_a_prize_in_dollars_does_not_grow_with_the_ante() -> None:
    round_ = asked("5h 6d 7c", 5000)
    offered = round_.table.offers["ante-play"]
    table = replace(round_.table, offers={"ante-play": replace(offered, paytable=WHAT_IF[3])})
    advice = PRICER.advise(table, view(round_, 1), 1, {})
    playing = next(option.value for option in advice if option.decision.verb is Verb.PLAY)
    assert playing == value_of_playing(WHAT_IF[3], parse_cards("5h 6d 7c"), (), 5000)


def test_only_the_seat_whose_turn_it_is_gets_advice_and_only_on_its_own_cards() -> None:
    round_ = asked("Qh 6d 3c", 1000, "Qc Qd Qs")
    with pytest.raises(IllegalAction):
        PRICER.advise(round_.table, view(round_, 2), 2, {})
    with pytest.raises(IllegalAction):
        PRICER.advise(round_.table, view(round_, 2), 1, {})
    with pytest.raises(IllegalAction):
        PRICER.advise(round_.table, view(round_, Onlooker.DISPLAY), 1, {})


@given(st.lists(st.sampled_from(STANDARD_DECK), min_size=3, max_size=30, unique=True))
def test_the_dealers_hands_are_all_that_the_cards_left_can_make(some: list[Card]) -> None:
    hand, elsewhere = tuple(some[:3]), some[3:]
    parts = dealer_hands(hand, elsewhere)
    assert parts.total == comb(52 - len(some), 3)
    if THREE_CARD.classes[compute_strength(THREE_CARD, hand) - 1].category is Category.MINI_ROYAL:
        assert parts.better == 0


def test_the_dealer_qualifies_with_a_queen() -> None:
    hand, left = parse_cards("2c 3d 5h"), parse_cards("Jc Td 7h Qd")
    # J-T-7 does not qualify; with the queen in place of any of the three the dealer does.
    elsewhere = [one for one in STANDARD_DECK if one not in hand + left]
    assert dealer_hands(hand, elsewhere) == DealerHands(unqualified=1, beaten=0, better=3)


def test_a_seat_gets_no_advice_after_its_decision() -> None:
    round_ = asked("Qh 6d 3c")
    after = round_.apply(next(iter(round_.legal_actions())))
    with pytest.raises(IllegalAction):
        PRICER.advise(after.table, view(after, 1), 1, {})


def test_a_hand_has_the_same_values_for_every_printed_table_with_the_same_lines() -> None:
    hand = parse_cards("Qh 6d 3c")
    one, two = (PRICER.hand_values("ante-play", paytable(SLUG, "ante-play", f"PW/BB {n}"), {}, hand) for n in (1, 2))
    assert one == two
