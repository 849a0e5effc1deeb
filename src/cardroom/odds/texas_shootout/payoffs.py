"""What the wagers of Texas Shootout win or lose, by the kinds of hands that a seat plays.

The payments of the main wager come from rounds that the game settles. For the Shootout Bonus, the Jackpot, and their
features, the rules of ``cardroom.games.texas_shootout`` apply to counts of boards instead of a round, once for all
priced hands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias

from cardroom.cards import Rank, Suit, card_from_rank_suit, parse_cards
from cardroom.games import Decision, MeterShare, Pile, Place, Verb, WagerLimits
from cardroom.games.card_places import COMMUNITY, DEALER_HAND
from cardroom.games.playable_table import FeatureOffer, WagerOffer
from cardroom.games.settlement import paytable_payment, share_meters
from cardroom.games.texas_shootout.rules import HAND_QUESTION, RULES, is_wager_returned_twice, ties_push
from cardroom.games.texas_shootout.side_wagers import (
    FIRST_HAND,
    ONLY_HAND,
    SECOND_HAND,
    FeatureKind,
    PlayerHand,
    pay_feature,
)
from cardroom.hands import SIX_DECK, best_five_six_deck
from cardroom.hands.ranking import SUITED_CATEGORIES
from cardroom.odds.payoffs import SEAT, WagerPayoff, apply_paytable, example_table, settle_example
from cardroom.odds.result import WagerOutcome
from cardroom.odds.texas_shootout.hands_and_boards import HAND_KINDS, HandKind
from cardroom.paytables import OperatorBonus, Paytable, Percent, compute_exact_return

MAIN: Final = "shootout"
QUICK_DRAW: Final = "quick-draw"

TIES: Final = ("lose", "push")
"""The effect of a tie on the Texas Shootout wager: without and with a Quick Draw wager that covers it (TS-3)."""

RESULT_COUNT: Final = 3
"""The result of a hand against the dealer's: loss 0, tie 1, win 2."""
OUTCOME_COUNT: Final = RESULT_COUNT + RESULT_COUNT**2
"""The ends of a round: the result of the one hand, or of the two hands of a split: 3 + 3 * first + second."""

_RESULT_VERBS: Final = ("loses", "ties", "wins")

_EXAMPLE_HANDS: Final = parse_cards("7d 8d"), parse_cards("Qs Qc"), parse_cards("As Ah")
"""An example hand for each result."""
_EXAMPLE_CARDS: Final = {DEALER_HAND: parse_cards("Qd Qh 3s 4h"), COMMUNITY: parse_cards("2c 5d 9h Js Kc")}


@cache
def example_payoff(results: tuple[int, ...], ties: str) -> WagerPayoff:
    """The outcome of the wager for the result of the one kept hand, or of both hands of a split."""
    hands = tuple(_EXAMPLE_HANDS[result] for result in results)
    piles = {**_EXAMPLE_CARDS, Place(Pile.HAND, SEAT): (hands * 2)[0] + (hands * 2)[1]}
    decision = Decision(Verb.KEEP if len(hands) == 1 else Verb.SPLIT, hands)
    extra_wagers = (QUICK_DRAW,) if ties == "push" else ()
    return settle_example(example_table(RULES.facts.slug), MAIN, piles, {HAND_QUESTION: decision}, extra_wagers)


@cache
def outcome_results(outcome: int) -> tuple[int, ...]:
    """The results of the hands for an end of a round: of one hand, or of both hands of a split."""
    return (outcome,) if outcome < RESULT_COUNT else divmod(outcome - RESULT_COUNT, RESULT_COUNT)


def outcome_event(outcome: int) -> str:
    """The end of a round as an event: ``player-wins`` as in the rules, or the results of both hands of a split."""
    results = sorted(outcome_results(outcome), reverse=True)
    if len(results) == 1:
        return example_payoff((outcome,), TIES[0]).trigger
    first, second = (_RESULT_VERBS[result] for result in results)
    return f"split-both-{first.removesuffix('s')}" if first == second else f"split-one-{first}-one-{second}"


def outcome_net(outcome: int, ties: str) -> int:
    """The net result of this end of a round, in units."""
    return int(example_payoff(outcome_results(outcome), ties).net)


def ties_setting(shootout: int, quick_draw: int) -> str:
    """The effect of a tie beside a Quick Draw wager of this size."""
    return "push" if ties_push(shootout, quick_draw) else "lose"


_JACKPOT: Final = "jackpot"
_WAGER: Final = 1_00
Cents: TypeAlias = int | Fraction


def kind_outcome(kind: HandKind, table: Paytable, *, jackpot: bool = False) -> WagerOutcome:
    """The outcome of a wager on one hand of this kind."""
    return next(
        outcome for outcome in apply_paytable({kind.events: 1}, table, is_jackpot=jackpot) if outcome.combinations
    )


def matched_outcome(first_outcome: WagerOutcome, second_outcome: WagerOutcome, count: int) -> WagerOutcome:
    """The outcome of a matched Shootout Bonus: a wager on each hand of a split."""
    prizes = tuple((each.trigger, max(each.net, Fraction(0))) for each in (first_outcome, second_outcome))
    return WagerOutcome(
        _joint_event(first_outcome, second_outcome),
        "both hands",
        count,
        first_outcome.net + second_outcome.net,
        wagered=Fraction(2),
        stake_wins=prizes,
    )


def split_jackpot_outcome(kinds: tuple[HandKind, HandKind], table: Paytable, count: int) -> WagerOutcome:
    """The outcome of the one jackpot wager of a split: each hand can win on it, the wager is returned at most once, two
    hands on one percentage line have one share (TS-7), and on two lines they win both percentages (BJ-8)."""
    first_outcome, second_outcome = (kind_outcome(kind, table, jackpot=True) for kind in kinds)
    first, second = (table.find_pay(kind.events) for kind in kinds)
    back_once = int(is_wager_returned_twice(first, second))
    percent = first_outcome.percent + second_outcome.percent
    if first_outcome.percent and second_outcome.percent:
        percent = sum((share.share for share in _meter_shares(kinds, _with_meter_line(table))), Fraction(0))
    return WagerOutcome(
        _joint_event(first_outcome, second_outcome),
        "both hands",
        count,
        first_outcome.net + second_outcome.net + 1 - back_once,
        percent=percent,
        hit=first_outcome.is_hit or second_outcome.is_hit,
    )


def _meter_shares(
    kinds: Sequence[HandKind], table: Paytable, meters: Mapping[str, int] | None = None
) -> Iterator[MeterShare]:
    """The part of the meter that the hands of one player win, both on percentages."""
    offered = WagerOffer(RULES.facts.wager(_JACKPOT), table, WagerLimits(_WAGER, _WAGER, _WAGER), None)
    payments = (paytable_payment(offered, SEAT, _JACKPOT, "", _WAGER, kind.events, "", ()) for kind in kinds)
    return (payment.meter for payment in share_meters(payments, meters or {}).payments if payment.meter)


def _with_meter_line(table: Paytable) -> Paytable:
    """An open top line of a jackpot's table counts as the whole meter."""
    top, *others = table.lines
    open_top = isinstance(top.pay, OperatorBonus)
    return replace(table, lines=(replace(top, pay=Percent(Fraction(1))), *others)) if open_top else table


def _joint_event(first_outcome: WagerOutcome, second_outcome: WagerOutcome) -> str:
    first, second = sorted((first_outcome.trigger, second_outcome.trigger))
    return f"both hands {first}" if first == second else f"{first} and {second}"


@dataclass(frozen=True, slots=True)
class SideStake:
    """A proposition wager of a seat, in cents, with its paytable and the feature that it qualifies for."""

    wager: int
    table: Paytable
    feature: FeatureOffer | None = None

    def bonus_net(self, kind: HandKind) -> Cents:
        """What the Shootout Bonus wins on one hand."""
        return self._fixed_return(kind) - self.wager

    def jackpot_net(self, kinds: Sequence[HandKind], meter: int) -> Cents:
        """What the Jackpot wins on the one or two hands that share the wager; ``meter`` is in cents."""
        return self.fixed_jackpot_net(kinds) + self.meter_prize(tuple(filter(self.wins_percentage, kinds)), meter)

    def fixed_jackpot_net(self, kinds: Sequence[HandKind]) -> Cents:
        """The same without prizes from the meter."""
        fixed_return = sum(self._fixed_return(kind) for kind in kinds)
        pays = [self.table.find_pay(kind.events) for kind in kinds]
        if len(pays) == 2 and is_wager_returned_twice(*pays):
            fixed_return -= self.wager
        return fixed_return - self.wager

    def wins_percentage(self, kind: HandKind) -> bool:
        """Whether such a hand wins a share of the meter."""
        return isinstance(self.table.find_pay(kind.events), Percent)

    def meter_prize(self, kinds: Sequence[HandKind], meter: int) -> int:
        """The part of the meter that hands on percentages win."""
        return sum(share.cents or 0 for share in _meter_shares(kinds, self.table, {_JACKPOT: meter})) if kinds else 0

    def _fixed_return(self, kind: HandKind) -> Cents:
        """The exact result for one hand in cents or fractions of cents, without prizes from a meter."""
        pay = self.table.find_pay(kind.events)
        if isinstance(pay, Percent | OperatorBonus):
            return 0
        back = compute_exact_return(pay, self.wager, self.table.basis)
        return back.numerator if back.denominator == 1 else back

    def feature_cents(self, hand_index: int, kinds: Sequence[HandKind]) -> int:
        """What the feature wins for the wager on hand ``hand_index`` of the seat's hands, by their kinds. This leaves
        out other seats' hands, and the Color Bonus, which depends on all seven cards."""
        if self.feature is None:
            return 0
        names = (ONLY_HAND,) if len(kinds) == 1 else (FIRST_HAND, SECOND_HAND)
        hands = [_example(kind, name) for kind, name in zip(kinds, names, strict=True)]
        return _feature_prize(self.feature, hands[hand_index], hands)

    @property
    def color_cents(self) -> int:
        """What seven cards of one color win."""
        if self.feature is None or self.feature.kind != FeatureKind.COLOR:
            return 0
        hand = _example(HAND_KINDS[0], ONLY_HAND)._replace(seven=(card_from_rank_suit(Rank.TWO, Suit.CLUBS),) * 7)
        return _feature_prize(self.feature, hand, [hand])


def _feature_prize(feature: FeatureOffer, hand: PlayerHand, hands: Sequence[PlayerHand]) -> int:
    return sum(payment.known_return for payment in pay_feature(feature, "", hand, hands))


@cache
def _example(kind: HandKind, name: str) -> PlayerHand:
    """A hand of a kind, with cards of both colors beside it."""
    hand_class = next(hand_class for hand_class in SIX_DECK.classes if HandKind.from_class(hand_class) == kind)
    suits = (Suit.CLUBS,) * 5 if hand_class.category in SUITED_CATEGORIES else (*Suit, Suit.CLUBS)
    five = tuple(card_from_rank_suit(Rank(rank), suit) for rank, suit in zip(hand_class.ranks, suits, strict=True))
    spare_cards = card_from_rank_suit(Rank.TWO, Suit.CLUBS), card_from_rank_suit(Rank.TWO, Suit.DIAMONDS)
    return PlayerHand(SEAT, name, (*five, *spare_cards), best_five_six_deck(five))


HandPrizes: TypeAlias = tuple[Cents, ...]
"""By kind of a single hand."""
SplitPrizes: TypeAlias = tuple[tuple[Cents, ...], ...]
"""By kinds of the first and the second hand."""

_STAKES: Final = 64
"""The number of cached stakes: a table has a few wagers, and players bet different amounts."""


class BonusPrizes(NamedTuple):
    """The prizes of a Shootout Bonus wager."""

    single_hand: HandPrizes
    """On a single hand, its feature included."""
    split_hand: HandPrizes
    """On one hand of a split, without the feature."""
    features: tuple[SplitPrizes, SplitPrizes] | None
    """What the feature adds on the first hand of a split and on the second."""


@lru_cache(_STAKES)
def bonus_prizes(stake: SideStake) -> BonusPrizes:
    """By kind of hand."""
    split_hand = tuple(stake.bonus_net(kind) for kind in HAND_KINDS)
    if stake.feature is None:
        return BonusPrizes(split_hand, split_hand, None)
    first, second = (
        tuple(
            tuple(stake.feature_cents(hand_index, (first_kind, second_kind)) for second_kind in HAND_KINDS)
            for first_kind in HAND_KINDS
        )
        for hand_index in (0, 1)
    )
    single_hand = tuple(net + stake.feature_cents(0, (kind,)) for net, kind in zip(split_hand, HAND_KINDS, strict=True))
    return BonusPrizes(single_hand, split_hand, (first, second))


class JackpotPrizes(NamedTuple):
    """The prizes of a Jackpot wager."""

    single_hand: HandPrizes
    both_hands: SplitPrizes


@lru_cache(_STAKES)
def _fixed_prizes(stake: SideStake) -> JackpotPrizes:
    """Without prizes from the meter."""
    return JackpotPrizes(
        tuple(stake.fixed_jackpot_net((kind,)) + stake.feature_cents(0, (kind,)) for kind in HAND_KINDS),
        tuple(
            tuple(
                stake.fixed_jackpot_net((first_kind, second_kind))
                + sum(stake.feature_cents(hand_index, (first_kind, second_kind)) for hand_index in (0, 1))
                for second_kind in HAND_KINDS
            )
            for first_kind in HAND_KINDS
        ),
    )


@lru_cache(_STAKES)
def jackpot_prizes(stake: SideStake, meter: int) -> JackpotPrizes:
    """The prizes with the meter in cents. The meter changes from round to round, and few kinds of hands win from it."""
    fixed, wins_percentage = _fixed_prizes(stake), [stake.wins_percentage(kind) for kind in HAND_KINDS]

    @cache
    def share_of_meter(*places: int) -> int:
        return stake.meter_prize([HAND_KINDS[place] for place in places], meter)

    def extra(*places: int) -> int:
        return share_of_meter(*(place for place in places if wins_percentage[place]))

    return JackpotPrizes(
        tuple(net + extra(first_place) for first_place, net in enumerate(fixed.single_hand)),
        tuple(
            tuple(net + extra(first_place, second_place) for second_place, net in enumerate(nets))
            for first_place, nets in enumerate(fixed.both_hands)
        ),
    )


def sum_prizes(counts: Sequence[int], prizes: HandPrizes) -> Cents:
    """The total over these numbers of boards by kind."""
    return sum(count * prize for count, prize in zip(counts, prizes, strict=True) if count)
