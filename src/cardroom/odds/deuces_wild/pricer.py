"""The odds of Deuces Wild, its coach, and its basic strategies as policies.

Every figure is exact, from every hand of the 53 cards. For a player who sees some cards, the count deals out every card
that can still come.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card
from cardroom.errors import BadInput
from cardroom.games import Decision, Pile, Place, SeatTurn, Table, Verb, View
from cardroom.games.card_places import COMMUNITY
from cardroom.games.deuces_wild.rules import (
    ANTE_PLAY_RAISE,
    BONUS_JACKPOT,
    FIVE_CARD_FORTUNE,
    FORTUNE_EVENTS,
    FORTUNE_QUESTION,
    JACKPOT_EVENTS,
    MAIN_EVENTS,
    PLAY_QUESTION,
    RAISE_QUESTION,
    THREE_CARD_TREASURE,
    TREASURE_EVENTS,
    fortune_selections,
)
from cardroom.hands import THREE_CARD_WILD, evaluate_many, is_wild
from cardroom.odds.deuces_wild import basic_strategy as deuces_wild_keys
from cardroom.odds.deuces_wild import basic_strategy as deuces_wild_rules
from cardroom.odds.deuces_wild.basic_strategy import basic_ante_policy, basic_fortune_policy
from cardroom.odds.deuces_wild.best_strategy import (
    COMMUNITY_CARDS,
    AnteGame,
    AntePolicy,
    FortuneGame,
    FortunePolicy,
    ScaledNets,
    category_nets,
    fold_after_four_payoff,
    fold_after_three_payoff,
    fortune_payoff,
    raise_payoff,
)
from cardroom.odds.deuces_wild.counts import (
    DECK,
    all_sets,
    categorize,
    count_categories,
    enumerate_hands,
    remaining_codes,
    set_number,
    sum_by_event,
)
from cardroom.odds.payoffs import TriggerCounts, apply_paytable
from cardroom.odds.pricer import (
    Advice,
    BasicStrategy,
    Policy,
    PricedWager,
    Pricer,
    Progress,
    Settings,
    ignore_progress,
    require_turn,
    seat_cards,
)
from cardroom.odds.result import WagerOutcome
from cardroom.paytables import Paytable

Codes = NDArray[np.uint8]
Values = dict[Decision, Fraction]
"""In units of the wager: an Ante, or a Five Card Fortune wager."""


def ante_values(
    table: Paytable, hand: tuple[Card, ...], rest: Codes, unit_cents: int = 100, meter_cents: int = 0
) -> Values:
    """Fold or play with three cards, fold or raise with four; ``rest`` has the cards that can still come."""
    scaled = ScaledNets.from_fractions(
        category_nets(table, MAIN_EVENTS, raise_payoff(), unit_cents, meter_cents), (fold_after_four_payoff().net,)
    )
    if len(hand) == 3:
        return {
            Decision(Verb.FOLD): fold_after_three_payoff().net,
            Decision(Verb.PLAY): _play_value(scaled, hand, rest),
        }
    raising = Fraction(scaled.total(count_categories(enumerate_hands(_codes(hand), rest, 1))), scaled.scale * len(rest))
    return {Decision(Verb.FOLD): fold_after_four_payoff().net, Decision(Verb.RAISE): raising}


def _play_value(scaled: ScaledNets, hand: tuple[Card, ...], rest: Codes) -> Fraction:
    """The Play wager with the better of fold and raise after each fourth card."""
    hands = enumerate_hands(_codes(hand), rest, 2)
    net = scaled.nets[categorize(hands)]
    by_fourth = np.zeros(DECK.size, net.dtype)
    for drawn in (3, 4):  # each of the two cards can be the fourth; the other one is then the fifth
        np.add.at(by_fourth, hands[:, drawn], net)
    fifth_cards = len(rest) - 1
    folded = int(fold_after_four_payoff().net * scaled.scale) * fifth_cards
    best = np.maximum(by_fourth[rest], folded).sum()
    return Fraction(int(best), scaled.scale * len(rest) * fifth_cards)


def fortune_values(
    table: Paytable,
    three: tuple[Card, ...],
    rest: Codes,
    unit_cents: int = 100,
    meter_cents: int = 0,
    exposed_cards: tuple[Card, ...] = (),
) -> Values:
    """Each selection from the first three cards. Community cards in ``exposed_cards`` are in every hand."""
    scaled = ScaledNets.from_fractions(category_nets(table, FORTUNE_EVENTS, fortune_payoff(), unit_cents, meter_cents))
    values_by_kind: dict[tuple[Card | None, ...], Fraction] = {}
    values = {}
    for selection in fortune_selections(three):
        (group,) = selection.groups
        kind = tuple(None if is_wild(card) else card for card in group)  # all wild cards are equal
        if kind not in values_by_kind:
            hands = enumerate_hands(_codes((*group, *exposed_cards)), rest, COMMUNITY_CARDS - len(exposed_cards))
            values_by_kind[kind] = Fraction(scaled.total(count_categories(hands)), scaled.scale * len(hands))
        values[selection] = values_by_kind[kind]
    return values


def rank_decisions(values: Values) -> tuple[tuple[Decision, Fraction], ...]:
    """The decisions in order of value; equal ones keep their order."""
    return tuple(sorted(values.items(), key=lambda item: -item[1]))


def _codes(cards: tuple[Card, ...]) -> list[int]:
    return [card.code for card in cards]


@dataclass(frozen=True)
class DeucesBasicPolicy:
    """Looks up three or four cards by number. A wager that the table does not offer needs no decision."""

    ante: AntePolicy | None = field(repr=False)
    fortune: FortunePolicy | None = field(repr=False)

    def __call__(self, view: View) -> Decision:
        question, three = require_turn(view).question, seat_cards(view, Pile.HAND)
        if question == FORTUNE_QUESTION:
            assert self.fortune is not None
            return Decision(Verb.CHOOSE, (_chosen_cards(self.fortune, three),))
        assert self.ante is not None
        if question == PLAY_QUESTION:
            return Decision(Verb.PLAY if self.ante.play[set_number(three)] else Verb.FOLD)
        four = seat_cards(view, Pile.HAND, Pile.FOURTH)
        return Decision(Verb.RAISE if self.ante.raise_[set_number(four)] else Verb.FOLD)


def basic_policy(table: Table) -> DeucesBasicPolicy:
    """The policies of both lists for the paytables of the table."""
    main, side = table.offers.get(ANTE_PLAY_RAISE), table.offers.get(FIVE_CARD_FORTUNE)
    return DeucesBasicPolicy(
        ante=basic_ante_policy(AnteGame(main.paytable)) if main else None,
        fortune=basic_fortune_policy(FortuneGame(side.paytable)) if side else None,
    )


def _chosen_cards(choices: FortunePolicy, three: tuple[Card, ...]) -> tuple[Card, ...]:
    """The choice of one card by its place among the three, or of several named cards."""
    number = set_number(three)
    several = choices.groups.get(number)
    return several or (sorted(three, key=lambda card: card.code)[choices.single_places[number]],)


_DECISION_SIZES: Final = {ANTE_PLAY_RAISE: (3, 4), FIVE_CARD_FORTUNE: (3,)}
"""The hand sizes at which a wager needs a decision."""


_NOTES: Final = {
    ANTE_PLAY_RAISE: (
        "The table pays on Ante, Play, and Raise alike, four Antes in all (DW-3).",
        "Five wild cards are a Wild Royal Flush (DW-4).",
        "The player adds a wager if that is better than to fold, not if it is equal.",
    ),
    THREE_CARD_TREASURE: ("The wager stands whether the Ante is folded or not (DW-7).",),
    FIVE_CARD_FORTUNE: (
        "The hand is made with four community cards (DW-5).",
        "The player chooses the card before seeing a community card; wild cards may be chosen together (DW-6).",
    ),
    BONUS_JACKPOT: ("The player gets five cards even after folding the Ante (DW-7).",),
}


class NoDecision(BadInput):
    """The wager has no such decision."""


@cache
def treasure_event_counts() -> TriggerCounts:
    """Three Card Treasure over all first three cards."""
    _, *strengths = np.bincount(
        evaluate_many(THREE_CARD_WILD, all_sets(3)), minlength=len(THREE_CARD_WILD.classes) + 1
    ).tolist()
    events = (TREASURE_EVENTS[hand_class.category] for hand_class in THREE_CARD_WILD.classes)
    return sum_by_event(zip(events, strengths, strict=True))


@cache
def jackpot_event_counts() -> TriggerCounts:
    """Bonus Jackpot over all five cards: only the number of wild cards matters."""
    wild = sum(is_wild(card) for card in DECK.distinct_cards())
    return sum_by_event(
        (event, comb(wild, number) * comb(DECK.size - wild, 5 - number)) for number, event in enumerate(JACKPOT_EVENTS)
    )


class DeucesWildPricer(Pricer):
    """The odds, the coach, and the strategies of Deuces Wild."""

    game = "deuces-wild"

    def settings(self, wager: str) -> tuple[Settings, ...]:
        _require_wager(wager)
        return ({},)

    def price(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> PricedWager:
        progress("counting hands", 0.0)
        outcomes = tuple(self._outcomes(_require_wager(wager), table))
        progress("counting hands", 1.0)
        return PricedWager(outcomes, notes=_NOTES[wager])

    def _outcomes(self, wager: str, table: Paytable) -> tuple[WagerOutcome, ...]:
        if wager == ANTE_PLAY_RAISE:
            ante = AnteGame(table)
            return tuple(ante.outcomes(ante.best_policy))
        if wager == FIVE_CARD_FORTUNE:
            return tuple(apply_paytable(FortuneGame(table).best_policy.event_counts(), table))
        if wager == THREE_CARD_TREASURE:
            return tuple(apply_paytable(treasure_event_counts(), table))
        return tuple(apply_paytable(jackpot_event_counts(), table, is_jackpot=True))

    def hand_values(
        self, wager: str, table: Paytable, settings: Settings, hand: tuple[Card, ...]
    ) -> tuple[tuple[Decision, Fraction], ...]:
        sizes = _decision_sizes(wager)
        if len(hand) not in sizes:
            wanted = " or ".join({3: "three", 4: "four"}[size] for size in sizes)
            raise NoDecision(f"A decision for {wager} needs {wanted} cards, not {len(hand)}.")
        DECK.check(hand)
        values = ante_values if wager == ANTE_PLAY_RAISE else fortune_values
        return rank_decisions(values(table, hand, remaining_codes(hand)))

    def basic_strategy(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> BasicStrategy:
        _decision_sizes(wager)
        progress("searching for a strategy", 0.0)
        if wager == ANTE_PLAY_RAISE:
            strategy = deuces_wild_rules.ante_basic_strategy(AnteGame(table))
        else:
            strategy = deuces_wild_keys.fortune_basic_strategy(FortuneGame(table))
        progress("searching for a strategy", 1.0)
        return strategy

    def basic_policy(self, table: Table, progress: Progress = ignore_progress) -> Policy:
        return basic_policy(table)

    def advise(self, table: Table, view: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        if not isinstance(view.turn, SeatTurn) or view.turn.seat != seat or view.viewer != seat:
            raise NoDecision(f"Seat {seat} has nothing to decide now: advice is for the seat whose turn it is.")
        question = view.turn.question
        _refuse_cards_to_come(view, seat, question)
        rest = remaining_codes([card for pile in view.piles.values() for card in pile if card is not None])
        wager = FIVE_CARD_FORTUNE if question == FORTUNE_QUESTION else ANTE_PLAY_RAISE
        wagered, hand, meter = view.bets[seat][wager], _visible_hand(view, seat), meters.get(wager, 0)
        paytable = table.offers[wager].paytable
        if wager == FIVE_CARD_FORTUNE:
            exposed_cards = tuple(card for card in view.piles.get(COMMUNITY, ()) if card is not None)
            values = fortune_values(paytable, hand, rest, wagered, meter, exposed_cards)
        else:  # the Ante uses only the player's five cards: an exposed community card is gone from the deck
            values = ante_values(paytable, hand, rest, wagered, meter)
        return tuple(Advice(decision, value * wagered) for decision, value in rank_decisions(values))


def _refuse_cards_to_come(view: View, seat: int, question: str) -> None:
    """Refuse a view with the seat's next cards face up: the seat decides before it sees them (rule 22)."""
    early = [Pile.FIFTH] if question == RAISE_QUESTION else [Pile.FOURTH, Pile.FIFTH]
    for pile in early:
        if any(card is not None for card in view.piles.get(Place(pile, seat), ())):
            raise NoDecision(
                f"The {pile} card of seat {seat} is face up before the seat may see it, so this decision cannot be "
                f"priced: turn the {pile} card face down."
            )


def _visible_hand(view: View, seat: int) -> tuple[Card, ...]:
    """The three or four cards that the seat sees of its own."""
    places = Place(Pile.HAND, seat), Place(Pile.FOURTH, seat)
    return tuple(card for place in places for card in view.piles.get(place, ()) if card is not None)


def _require_wager(wager: str) -> str:
    if wager not in _NOTES:
        raise BadInput(f"Deuces Wild has no wager {wager!r}: it has {', '.join(_NOTES)}.")
    return wager


def _decision_sizes(wager: str) -> tuple[int, ...]:
    if _require_wager(wager) not in _DECISION_SIZES:
        raise NoDecision(f"The {wager} wager needs no decision: choose {' or '.join(_DECISION_SIZES)}.")
    return _DECISION_SIZES[wager]


PRICER: Final = DeucesWildPricer()
