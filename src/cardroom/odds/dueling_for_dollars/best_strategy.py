"""The duel of Dueling for Dollars: the results over all deals, and the value of a tie at war or surrendered.

The payments come from rounds that the game settles; this module counts the deals. Only ranks matter, so cards are
counted by rank. The two war cards come in either order equally often, for any cards left in the shoe: so the PLAYER and
DEALER spots have equal figures, and burning a card changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm
from typing import NamedTuple, TypeAlias

from cardroom.cards import Card, Rank, Suit, card_from_rank_suit, parse_card
from cardroom.games import Decision, Pile, Place, Verb
from cardroom.games.card_places import COMMUNITY
from cardroom.games.dueling_for_dollars.rules import RULES, TIE_QUESTION, rank_lead
from cardroom.odds.payoffs import SEAT, StakePayoff, example_table, settle_example
from cardroom.odds.result import WagerOutcome
from cardroom.paytables import describe_pay

SPOTS = ("player", "dealer", "play")
RankCounts: TypeAlias = Mapping[Rank, int]
"""The number of cards of each rank that are left in the shoe."""


class DuelPayoff(NamedTuple):
    """One outcome of a duel for a wager of one unit."""

    event: str
    pays: str
    net: Fraction
    wagered: Fraction


class DuelPayoffs(NamedTuple):
    """The outcomes of a duel; those of the war by who is ahead in it: 1 the player, 0 a tie, -1 the house."""

    win: DuelPayoff
    war: Mapping[int, DuelPayoff]
    surrender: DuelPayoff
    loss: DuelPayoff


@cache
def leads(spot: str) -> Mapping[tuple[Rank, Rank], int]:
    """Who is ahead by the ranks of the player's and the community card: 1 the player, 0 a tie, -1 the house."""
    leads: dict[tuple[Rank, Rank], int] = {}
    for player_rank, community in product(Rank, repeat=2):
        lead = rank_lead(spot, card_from_rank_suit(player_rank, Suit.CLUBS), card_from_rank_suit(community, Suit.CLUBS))
        leads[player_rank, community] = (lead > 0) - (lead < 0)
    return leads


@cache
def duel_payoffs(spot: str, bonus: bool) -> DuelPayoffs:
    """The outcomes on a spot, with or without the tie-after-tie bonus (rule 12/9)."""
    nine_eight, eight_nine, eights = (
        (parse_card("9s"), parse_card("8h")),
        (parse_card("8s"), parse_card("9h")),
        (parse_card("8c"), parse_card("8d")),
    )
    ahead_first = rank_lead(spot, *nine_eight) > 0
    winning, losing = (nine_eight, eight_nine) if ahead_first else (eight_nine, nine_eight)
    return DuelPayoffs(
        win=_example_payoff(spot, bonus, winning),
        war={
            lead: _example_payoff(spot, bonus, eights, Verb.WAR, war_cards)
            for lead, war_cards in ((1, winning), (0, eights), (-1, losing))
        },
        surrender=_example_payoff(spot, bonus, eights),
        loss=_example_payoff(spot, bonus, losing),
    )


def _example_payoff(
    spot: str, bonus: bool, first: tuple[Card, Card], action: Verb = Verb.SURRENDER, war: tuple[Card, ...] = ()
) -> DuelPayoff:
    """The outcome of one seat's round with these cards, played by the game's own rules."""
    options = ("duel_spots", "play" if spot == "play" else "player-dealer"), ("tie_after_tie_bonus", bonus)
    piles = Place(Pile.HAND, SEAT), COMMUNITY, Place(Pile.WAR, SEAT), Place(Pile.WAR_COMMUNITY)
    dealt = {place: (dealt_card,) for place, dealt_card in zip(piles, (*first, *war), strict=False)}
    duel = settle_example(example_table(RULES.facts.slug, options), spot, dealt, {TIE_QUESTION: Decision(action)})
    return DuelPayoff(
        event=duel.stakes[0].trigger, pays=", ".join(map(_pay_text, duel.stakes)), net=duel.net, wagered=duel.wagered
    )


def _pay_text(stake: StakePayoff) -> str:
    if not stake.wagered:
        return f"{stake.net} units bonus"
    return f"war {describe_pay(stake.pay)}" if stake.name == "war" else describe_pay(stake.pay)


def war_counts(spot: str, remaining: RankCounts) -> Counter[int]:
    """The number of ways to deal the two war cards, by who is ahead: 1 the player, 0 a second tie, -1 the house."""
    ways: Counter[int] = Counter()
    for (player_rank, community), lead in leads(spot).items():
        ways[lead] += remaining[player_rank] * (remaining[community] - (player_rank == community))
    return ways


def war_value(spot: str, bonus: bool, remaining: RankCounts) -> Fraction:
    """What going to war wins or loses on average, in units of the initial wager."""
    ways, war = war_counts(spot, remaining), duel_payoffs(spot, bonus).war
    return sum((count * war[lead].net for lead, count in ways.items()), Fraction(0)) / ways.total()


class FirstPair(NamedTuple):
    """The first card of a seat and the community card, by rank."""

    player: Rank
    community: Rank
    combinations: int
    remaining: RankCounts


def first_pairs(decks: int) -> Iterator[FirstPair]:
    """Every pair of ranks, the number of ways to deal it, and the cards left after it."""
    full = dict.fromkeys(Rank, 4 * decks)
    for player_rank, community in product(Rank, repeat=2):
        remaining_after_first = {**full, player_rank: full[player_rank] - 1}
        remaining = {**remaining_after_first, community: remaining_after_first[community] - 1}
        yield FirstPair(player_rank, community, full[player_rank] * remaining_after_first[community], remaining)


def is_war_better(spot: str, bonus: bool, remaining: RankCounts) -> bool:
    """Whether going to war is worth more than surrendering."""
    return war_value(spot, bonus, remaining) > duel_payoffs(spot, bonus).surrender.net


def best_war_ranks(spot: str, bonus: bool, decks: int) -> frozenset[Rank]:
    """The ranks whose ties go to war under the best strategy."""
    ties = (pair for pair in first_pairs(decks) if pair.player == pair.community)
    return frozenset(pair.player for pair in ties if is_war_better(spot, bonus, pair.remaining))


def best_duel_outcomes(spot: str, bonus: bool, decks: int) -> Iterator[WagerOutcome]:
    """The outcomes of a duel under the best strategy."""
    return duel_outcomes(spot, bonus, decks, best_war_ranks(spot, bonus, decks))


def duel_outcomes(spot: str, bonus: bool, decks: int, war_ranks: Collection[Rank]) -> Iterator[WagerOutcome]:
    """The outcomes of a duel if ties of these ranks go to war. Combinations are ordered deals of four cards; without a
    war, they include any two cards that could follow."""
    payoffs = duel_payoffs(spot, bonus)
    unseen = perm(52 * decks - 2, 2)
    counts: Counter[DuelPayoff] = Counter()
    for player_rank, community, ways, remaining in first_pairs(decks):
        lead = leads(spot)[player_rank, community]
        if lead:
            counts[payoffs.win if lead > 0 else payoffs.loss] += ways * unseen
        elif player_rank in war_ranks:
            for war_lead, war in war_counts(spot, remaining).items():
                counts[payoffs.war[war_lead]] += ways * war
        else:
            counts[payoffs.surrender] += ways * unseen
    for payoff in (payoffs.win, *payoffs.war.values(), payoffs.surrender, payoffs.loss):
        if counts[payoff]:
            yield WagerOutcome(payoff.event, payoff.pays, counts[payoff], payoff.net, wagered=payoff.wagered)
