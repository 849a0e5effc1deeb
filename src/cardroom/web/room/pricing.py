"""What a worker counts for the office: the exact edge of a wager under a paytable, and what a jackpot gives back.
Nothing is loaded here but what counting needs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from cardroom.odds import Odds, PriceQuery, PriceRequest, compute_odds, find_requests
from cardroom.odds.pricer import pricer
from cardroom.odds.prices import JACKPOT_WAGER_CENTS
from cardroom.odds.result import Setting
from cardroom.odds.table_prices import convert_dollar_prizes
from cardroom.paytables import paytable
from cardroom.reports.documents.numbers import format_dollars, format_percent


class Choice(NamedTuple):
    """A wager under a paytable, with the operator's amounts and options."""

    game: str
    wager: str
    paytable: str
    bonuses: tuple[tuple[str, str], ...] = ()
    settings: tuple[tuple[str, Setting], ...] = ()


def edge_words(choice: Choice) -> str:
    """The edge in words; counted, or remembered from before."""
    known = pricer(choice.game).settings(choice.wager)[0]
    settings = {name: value for name, value in choice.settings if name in known}
    asked = PriceQuery(choice.game, choice.wager, choice.paytable, settings, bonuses=dict(choice.bonuses))
    return told(compute_odds(find_requests(asked)[0]))


def told(odds: Odds) -> str:
    """
    >>> from cardroom.odds import WagerOutcome
    >>> sides = WagerOutcome("heads", "1 to 1", 1, Fraction(1)), WagerOutcome("tails", "", 2, -1)
    >>> told(Odds("toss", "heads", "", {}, sides))
    'house edge 33.3333%'
    """
    edge = odds.house_edge
    if edge is None:
        even = odds.break_even_meter
        fair = f", fair when the meter shows {format_dollars(even, JACKPOT_WAGER_CENTS)}" if even is not None else ""
        return f"fixed prizes give back {format_percent(odds.fixed_return)}{fair}"
    if odds.standard_error is not None:
        error = Fraction(odds.standard_error) / odds.initial_wager
        return f"house edge {format_percent(edge)} ± {format_percent(error)}, simulated"
    return f"house edge {format_percent(edge)}"


class Meters(NamedTuple):
    """A jackpot's wager as it is opened: what each event finds on the meter that pays it."""

    game: str
    wager: str
    paytable: str
    bonuses: tuple[tuple[str, str], ...]
    cents: int
    """The smallest wager."""
    levels: tuple[tuple[str, int, tuple[str, ...]], ...]
    """From the highest down: name, cents at the start, events."""


def meter_words(asked: Meters) -> tuple[str, ...]:
    """What the wager gives back while the meters stand where they start, and where it would be fair, in sentences."""
    table = convert_dollar_prizes(
        paytable(asked.game, asked.wager, asked.paytable).with_bonuses(dict(asked.bonuses)), asked.cents
    )
    odds = compute_odds(PriceRequest(asked.game, asked.wager, table, pricer(asked.game).settings(asked.wager)[0]))
    return tuple(_meter_sentences(odds, asked))


def _meter_sentences(odds: Odds, asked: Meters) -> Iterator[str]:
    parts, starts = dict[str, Fraction](), dict[str, Fraction]()
    for name, cents, events in asked.levels:
        taken = {event for one, _, theirs in asked.levels for event in theirs if one in parts}
        of_it = [one for one in odds.distribution if one.trigger in events and one.trigger not in taken]
        parts[name] = Fraction(sum(one.combinations * one.percent for one in of_it)) / odds.combinations
        starts[name] = Fraction(cents, asked.cents) * parts[name]
    start = sum(starts.values(), Fraction(0))
    simulated = "" if odds.simulated_rounds is None else " (simulated)"
    whole = (odds.fixed_return + start) / odds.average_wager
    if not starts:
        yield f"A wager gives back {format_percent(whole)} on average{simulated}: the prizes are fixed."
        return
    fixed, meters = format_percent(odds.fixed_return), format_percent(start)
    yield (
        f"At the start a wager gives back {format_percent(whole)} on average{simulated}: {fixed} in fixed prizes, "
        f"{meters} "
        "from what is displayed."
    )
    for name, part in parts.items():
        if part:
            others = odds.fixed_return + start - starts[name]
            fair = max((odds.average_wager - others) / part, Fraction(0))
            beside = "" if len(starts) == 1 else " while the others stand at their start"
            yield f"The wager would be fair if {name} showed {format_dollars(fair, asked.cents)}{beside}."
