"""The duel of Dueling for Dollars: who is ahead over all deals, and what a tie is worth at war or surrendered.

What each ending pays is read off rounds that the game itself settles; here the deals are counted. Only ranks matter,
so cards are counted by rank. The two war cards fall in either order equally often whatever is left in the shoe: that
makes the PLAYER and DEALER spots equals and a burnt card harmless.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm
from typing import NamedTuple, TypeAlias

from cardroom.cards import Card, Rank, Suit, card, of
from cardroom.games import Decision, Pile, Place, Verb
from cardroom.games.dueling_for_dollars.rules import RULES, TIE_QUESTION, ahead
from cardroom.games.places import COMMUNITY
from cardroom.odds.result import Ending
from cardroom.odds.settled import SEAT, Stake, example_table, settled
from cardroom.paytables import words

SPOTS = ("player", "dealer", "play")
Left: TypeAlias = Mapping[Rank, int]
"""How many cards of each rank are left in the shoe."""


class Result(NamedTuple):
    """How a duel ends for a wager of one unit."""

    event: str
    pays: str
    net: Fraction
    wagered: Fraction


class Results(NamedTuple):
    """The ways in which a duel ends; the war's by who is ahead in it: 1 the player, 0 a tie, -1 the house."""

    win: Result
    war: Mapping[int, Result]
    surrender: Result
    loss: Result


@cache
def leads(spot: str) -> Mapping[tuple[Rank, Rank], int]:
    """Who is ahead by the ranks of the player's and the community card: 1 the player, 0 a tie, -1 the house."""
    leads: dict[tuple[Rank, Rank], int] = {}
    for mine, community in product(Rank, repeat=2):
        lead = ahead(spot, of(mine, Suit.CLUBS), of(community, Suit.CLUBS))
        leads[mine, community] = (lead > 0) - (lead < 0)
    return leads


@cache
def results(spot: str, bonus: bool) -> Results:
    """What the endings pay on a spot, with or without the tie-after-tie bonus (rule 12/9)."""
    nine_eight, eight_nine, eights = (card("9s"), card("8h")), (card("8s"), card("9h")), (card("8c"), card("8d"))
    ahead_first = ahead(spot, *nine_eight) > 0
    winning, losing = (nine_eight, eight_nine) if ahead_first else (eight_nine, nine_eight)
    return Results(
        win=_settled(spot, bonus, winning),
        war={
            lead: _settled(spot, bonus, eights, Verb.WAR, two)
            for lead, two in ((1, winning), (0, eights), (-1, losing))
        },
        surrender=_settled(spot, bonus, eights),
        loss=_settled(spot, bonus, losing),
    )


def _settled(
    spot: str, bonus: bool, first: tuple[Card, Card], answer: Verb = Verb.SURRENDER, war: tuple[Card, ...] = ()
) -> Result:
    """One seat's round with these cards, played by the game's own rules."""
    options = ("duel_spots", "play" if spot == "play" else "player-dealer"), ("tie_after_tie_bonus", bonus)
    piles = Place(Pile.HAND, SEAT), COMMUNITY, Place(Pile.WAR, SEAT), Place(Pile.WAR_COMMUNITY)
    dealt = {place: (one,) for place, one in zip(piles, (*first, *war), strict=False)}
    duel = settled(example_table(RULES.facts.slug, options), spot, dealt, {TIE_QUESTION: Decision(answer)})
    return Result(
        event=duel.stakes[0].event, pays=", ".join(map(_pay_words, duel.stakes)), net=duel.net, wagered=duel.wagered
    )


def _pay_words(stake: Stake) -> str:
    if not stake.wagered:
        return f"{stake.net} units bonus"
    return f"war {words(stake.pay)}" if stake.name == "war" else words(stake.pay)


def war_ways(spot: str, left: Left) -> Counter[int]:
    """In how many ways the two war cards can fall, by who is ahead: 1 the player, 0 a second tie, -1 the house."""
    ways: Counter[int] = Counter()
    for (mine, community), lead in leads(spot).items():
        ways[lead] += left[mine] * (left[community] - (mine == community))
    return ways


def war_value(spot: str, bonus: bool, left: Left) -> Fraction:
    """What going to war wins or loses on average, in units of the initial wager."""
    ways, war = war_ways(spot, left), results(spot, bonus).war
    return sum((count * war[lead].net for lead, count in ways.items()), Fraction(0)) / ways.total()


class FirstTwo(NamedTuple):
    """The first card of a seat and the community card, by rank."""

    mine: Rank
    community: Rank
    ways: int
    left: Left


def first_twos(decks: int) -> Iterator[FirstTwo]:
    """Every pair of ranks, in how many ways it falls, and what is left then."""
    full = dict.fromkeys(Rank, 4 * decks)
    for mine, community in product(Rank, repeat=2):
        without_mine = {**full, mine: full[mine] - 1}
        left = {**without_mine, community: without_mine[community] - 1}
        yield FirstTwo(mine, community, full[mine] * without_mine[community], left)


def worth_a_war(spot: str, bonus: bool, left: Left) -> bool:
    """Whether going to war is worth more than surrendering."""
    return war_value(spot, bonus, left) > results(spot, bonus).surrender.net


def wars(spot: str, bonus: bool, decks: int) -> frozenset[Rank]:
    """The ranks whose ties go to war under the best play."""
    ties = (two for two in first_twos(decks) if two.mine == two.community)
    return frozenset(two.mine for two in ties if worth_a_war(spot, bonus, two.left))


def endings_of_best_duel(spot: str, bonus: bool, decks: int) -> Iterator[Ending]:
    """How a duel ends when each tie goes the better way."""
    return endings_at_war(spot, bonus, decks, wars(spot, bonus, decks))


def endings_at_war(spot: str, bonus: bool, decks: int, at_war: Collection[Rank]) -> Iterator[Ending]:
    """How a duel ends when ties of these ranks go to war. Combinations are deals of four cards in order; where there
    is no war, its two cards count as any that could follow."""
    results_here = results(spot, bonus)
    unseen = perm(52 * decks - 2, 2)
    counts: Counter[Result] = Counter()
    for mine, community, ways, left in first_twos(decks):
        lead = leads(spot)[mine, community]
        if lead:
            counts[results_here.win if lead > 0 else results_here.loss] += ways * unseen
        elif mine in at_war:
            for war_lead, war in war_ways(spot, left).items():
                counts[results_here.war[war_lead]] += ways * war
        else:
            counts[results_here.surrender] += ways * unseen
    for result in (results_here.win, *results_here.war.values(), results_here.surrender, results_here.loss):
        if counts[result]:
            yield Ending(result.event, result.pays, counts[result], result.net, wagered=result.wagered)
