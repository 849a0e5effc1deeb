"""What the Texas Shootout wager wins or loses, read off rounds that the game settles."""

from __future__ import annotations

from functools import cache
from typing import Final

from cardroom.cards import cards
from cardroom.games import Decision, Pile, Place, Verb
from cardroom.games.places import COMMUNITY, DEALER_HAND
from cardroom.games.texas_shootout.rules import HAND_QUESTION, RULES, ties_push
from cardroom.odds.settled import SEAT, Settled, example_table, settled

MAIN: Final = "shootout"
QUICK_DRAW: Final = "quick-draw"

TIES: Final = ("lose", "push")
"""What a tie does to the Texas Shootout wager: without and with a Quick Draw wager that covers it (TS-3)."""

RESULTS: Final = 3
"""Of a hand against the dealer's: loss 0, tie 1, win 2."""
ENDS: Final = RESULTS + RESULTS**2
"""How a round can end: the result of the one hand, or of the two hands of a split: 3 + 3 * first + second."""

_WORDS: Final = ("loses", "ties", "wins")

_HANDS: Final = cards("7d 8d"), cards("Qs Qc"), cards("As Ah")
"""A hand for each result."""
_DEALT: Final = {DEALER_HAND: cards("Qd Qh 3s 4h"), COMMUNITY: cards("2c 5d 9h Js Kc")}


@cache
def ended(results: tuple[int, ...], ties: str) -> Settled:
    """How the wager ends for the result of the one hand that was kept, or of both hands of a split."""
    hands = tuple(_HANDS[result] for result in results)
    dealt = {**_DEALT, Place(Pile.HAND, SEAT): (hands * 2)[0] + (hands * 2)[1]}
    answer = Decision(Verb.KEEP if len(hands) == 1 else Verb.SPLIT, hands)
    beside = (QUICK_DRAW,) if ties == "push" else ()
    return settled(example_table(RULES.facts.slug), MAIN, dealt, {HAND_QUESTION: answer}, beside)


@cache
def end_results(end: int) -> tuple[int, ...]:
    """The results of the hands of a round by the number of its end: of one hand, or of both hands of a split."""
    return (end,) if end < RESULTS else divmod(end - RESULTS, RESULTS)


def end_words(end: int) -> str:
    """How a round ended, as an event: ``player-wins`` as the rules call it, or what both hands of a split did."""
    results = sorted(end_results(end), reverse=True)
    if len(results) == 1:
        return ended((end,), TIES[0]).event
    first, second = (_WORDS[one] for one in results)
    return f"split-both-{first.removesuffix('s')}" if first == second else f"split-one-{first}-one-{second}"


def end_net(end: int, ties: str) -> int:
    """What a round that ended so won, in units."""
    return int(ended(end_results(end), ties).net)


def ties_with(shootout: int, quick_draw: int) -> str:
    """What a tie does beside a Quick Draw wager of this size."""
    return "push" if ties_push(shootout, quick_draw) else "lose"
