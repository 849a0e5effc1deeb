"""Whether two games may share a meter: only when the same hand wins it with the same odds.

What a hand is called is not enough: a royal flush of four cards and one of seven are different chances. The exact
probabilities decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cardroom.paytables import Paytable


def chances(table: Paytable) -> dict[str, Fraction] | None:
    """The exact probability of each event of a wager's table; None where it is only simulated."""
    from cardroom.odds import (  # pricing loads a compiler, which most commands never need
        PriceRequest,
        compute_odds,
        pricer,
    )

    settings = pricer(table.game).settings(table.wager)[0]
    odds = compute_odds(PriceRequest(table.game, table.wager, table, settings))
    if odds.simulated_rounds is not None:
        return None
    found: dict[str, Fraction] = {}
    for outcome in odds.outcomes:
        found[outcome.trigger] = found.get(outcome.trigger, Fraction(0)) + outcome.probability
    return found


def unlike_odds(one: Paytable, other: Paytable, events: tuple[str, ...]) -> Iterator[str]:
    """A sentence for each event that two games do not win with the same odds."""
    mine, theirs = chances(one), chances(other)
    if mine is None or theirs is None:
        unknown = one if mine is None else other
        yield f"The odds of {unknown.wager} in {unknown.game} are not known exactly, so it cannot share a meter."
        return
    for event in events:
        here, there = mine.get(event, Fraction(0)), theirs.get(event, Fraction(0))
        if here != there:
            yield (
                f"{one.game} and {other.game} cannot share a meter: {event!r} is won with a probability of {here} "
                f"in the one and {there} in the other."
            )
