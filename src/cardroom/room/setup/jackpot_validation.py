"""Validate a jackpot's setup: the result is a valid jackpot, or a refusal with all faults.

Two games may share a meter only if the same hands win it with the same odds. The name of a hand is not enough: a royal
flush of four cards and one of seven cards have different odds. The exact probabilities decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Final

from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput, quote
from cardroom.games import SetupFault, WagerLimits, game
from cardroom.games.jurisdiction import Jurisdiction, UnknownJurisdiction, jurisdiction
from cardroom.games.money import format_cents
from cardroom.games.playable_table import WagerOffer
from cardroom.paytables import Basis, Paytable, Percent, paytable
from cardroom.room.setup.jackpot import JackpotKind, JackpotSetup, LevelSetup, OfferSetup, format_setup_rate
from cardroom.room.setup.toml_reader import InvalidJackpot


def event_probabilities(table: Paytable) -> dict[str, Fraction] | None:
    """The exact probability of each trigger of a wager's paytable; None if it is only simulated."""
    from cardroom.odds import (  # pricing loads a compiler, which most commands never need
        PriceRequest,
        compute_odds,
        pricer,
    )

    settings = pricer(table.game).settings(table.wager)[0]
    odds = compute_odds(PriceRequest(table.game, table.wager, table, settings))
    if odds.simulated_rounds is not None:
        return None
    probabilities: dict[str, Fraction] = {}
    for outcome in odds.outcomes:
        probabilities[outcome.trigger] = probabilities.get(outcome.trigger, Fraction(0)) + outcome.probability
    return probabilities


def find_unequal_odds(first: Paytable, second: Paytable, events: tuple[str, ...]) -> Iterator[str]:
    """A sentence for each trigger whose odds differ between two games."""
    first_odds, second_odds = event_probabilities(first), event_probabilities(second)
    if first_odds is None or second_odds is None:
        unknown = first if first_odds is None else second
        yield f"The odds of {unknown.wager} in {unknown.game} are not known exactly, so it cannot share a meter."
        return
    for event in events:
        first_probability, second_probability = first_odds.get(event, Fraction(0)), second_odds.get(event, Fraction(0))
        if first_probability != second_probability:
            yield (
                f"{first.game} and {second.game} cannot share a meter: the probability of {event!r} is "
                f"{first_probability} in the first and {second_probability} in the second."
            )


_SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_SLUG_HELP: Final = 'use lowercase letters, digits, and hyphens, such as "final-four"'


@dataclass(frozen=True, slots=True)
class Jackpot:
    """A validated jackpot. Only ``validate_jackpot`` makes one."""

    setup: JackpotSetup
    kind: JackpotKind
    offers: Mapping[str, WagerOffer]
    """The jackpot wager of each game, by the game's slug."""
    law: Jurisdiction

    @property
    def id(self) -> str:
        """The jackpot's id."""
        return self.setup.id

    @property
    def collects(self) -> bool:
        """Whether counted wagers are collected: only with a "for 1" paytable (BJ-3)."""
        return all(offer.paytable.basis is Basis.FOR_ONE for offer in self.offers.values())


@cache
def find_jurisdiction(slug: str, money: Currency) -> Jurisdiction:
    """The rules of a jackpot's jurisdiction. For play money, the limits and deadlines do not apply.

    >>> [find_jurisdiction("washington", money).surveillance_threshold for money in (Currency.REAL, Currency.PLAY)]
    [300000, None]
    """
    law = jurisdiction(slug)
    if money is Currency.REAL:
        return law
    return replace(law, surveillance_threshold=None, malfunction_hours=None, deposit_days=None)


def meter_shares(table: Paytable) -> dict[str, Fraction]:
    """The meter's share by trigger, for the lines that pay one, from the top line down."""
    return {line.trigger: line.pay.share for line in table.lines if isinstance(line.pay, Percent)}


def validate_jackpot(setup: JackpotSetup) -> Jackpot:
    """Check a setup against the rules of its games and its jurisdiction."""
    faults = tuple(_find_faults(setup))
    if faults:
        raise InvalidJackpot(faults)
    return Jackpot(
        setup=setup,
        kind=JackpotKind(setup.kind),
        offers=MappingProxyType({offer.game: _open_offer(offer, setup) for offer in setup.offers}),
        law=find_jurisdiction(setup.jurisdiction, setup.money),
    )


def _open_offer(offer_setup: OfferSetup, setup: JackpotSetup) -> WagerOffer:
    facts = game(offer_setup.game).facts
    table = paytable(offer_setup.game, offer_setup.wager, offer_setup.paytable).with_bonuses(offer_setup.bonuses)
    least = min(setup.wagers)
    limits = WagerLimits(least, max(setup.wagers), least)
    return WagerOffer(facts.wager(offer_setup.wager), table, limits, None)


# The faults, one function for each topic.


def _find_faults(setup: JackpotSetup) -> Iterator[SetupFault]:
    yield from _find_name_faults(setup)
    offer_faults = [fault for offer in setup.offers for fault in _find_offer_faults(offer, setup)]
    yield from offer_faults
    yield from _find_games_faults(setup)
    yield from _find_level_faults(setup)
    if not offer_faults and setup.offers:
        yield from _find_pays_faults(setup, [_open_offer(offer_setup, setup).paytable for offer_setup in setup.offers])


def _find_name_faults(setup: JackpotSetup) -> Iterator[SetupFault]:
    if not _SLUG.fullmatch(setup.id):
        yield SetupFault("id", f"{quote(setup.id)} is not an id: {_SLUG_HELP}.", "setup")
    for field_name in ("name", "location"):
        if not getattr(setup, field_name).strip():
            yield SetupFault(
                field_name, f"The jackpot's {field_name} is empty: enter one for displays and reports.", "setup"
            )
    if setup.kind not in set(JackpotKind):
        yield SetupFault(
            "kind", f"The kind of a jackpot is {' or '.join(JackpotKind)}, not {quote(setup.kind)}.", "BJ-5"
        )
    try:
        jurisdiction(setup.jurisdiction)
    except UnknownJurisdiction as fault:
        yield SetupFault("jurisdiction", str(fault), "setup")


def _find_offer_faults(offer: OfferSetup, setup: JackpotSetup) -> Iterator[SetupFault]:
    try:
        facts = game(offer.game).facts
    except BadInput as fault:
        yield SetupFault("offers", str(fault), "setup")
        return
    jackpots = [wager.slug for wager in facts.wagers if wager.jackpot]
    if offer.wager not in jackpots:
        sentence = f"{facts.name} has no jackpot wager {quote(offer.wager)}: choose {', '.join(jackpots)}."
        yield SetupFault(offer.game, sentence, "setup")
        return
    try:
        table = paytable(offer.game, offer.wager, offer.paytable).with_bonuses(offer.bonuses)
    except BadInput as fault:
        yield SetupFault(offer.game, str(fault), "paytables")
        return
    missing = table.missing_bonuses({})
    if missing:
        sentence = f"Paytable {table.name} needs the operator's bonus for {', '.join(missing)}: add it to 'bonuses'."
        yield SetupFault(offer.game, sentence, "operator's bonus")
    wager = facts.wager(offer.wager).jackpot
    assert wager is not None
    if wager.amounts and not set(setup.wagers) <= set(wager.amounts):
        only = " or ".join(map(format_cents, wager.amounts))
        yield SetupFault(offer.game, f"The {offer.wager} wager must be {only} only.", f"{wager.rule}, BJ-6")
    if not wager.amounts and len(set(setup.wagers)) != 1:
        sentence = f"The {offer.wager} wager is one fixed amount, not {' or '.join(map(format_cents, setup.wagers))}."
        yield SetupFault(offer.game, sentence, f"{wager.rule}, BJ-6")


def _find_games_faults(setup: JackpotSetup) -> Iterator[SetupFault]:
    if not setup.offers:
        yield SetupFault("offers", "The jackpot has no game: add a game, its wager, and a paytable.", "setup")
    if not setup.wagers or min(setup.wagers) <= 0:
        yield SetupFault("wagers", "The jackpot wager must be above zero.", "BJ-6")
    games = [offer.game for offer in setup.offers]
    for twice in sorted({slug for slug in games if games.count(slug) > 1}):
        sentence = f"{twice} is listed twice: list each game once, with one wager and one paytable."
        yield SetupFault("offers", sentence, "BJ-10")


def _find_level_faults(setup: JackpotSetup) -> Iterator[SetupFault]:
    names = [level.name for level in setup.levels]
    for twice in sorted({name for name in names if names.count(name) > 1}):
        yield SetupFault("levels", f"There are two levels {quote(twice)}: give each level its own name.", "setup")
    for level in setup.levels:
        if not _SLUG.fullmatch(level.name):
            yield SetupFault("levels", f"{quote(level.name)} cannot be the name of a level: {_SLUG_HELP}.", "setup")
        yield from _find_meter_faults(level, setup)
    total = sum((level.contribution + level.reserve for level in setup.levels), Fraction(0))
    if total > 1:
        sentence = f"Contributions and reserves total {format_setup_rate(total)} of each wager: lower the rates."
        yield SetupFault("levels", sentence, "BJ-5")
    if setup.kind == JackpotKind.PROGRESSIVE and not setup.levels:
        yield SetupFault(
            "levels", "A progressive needs at least one level: add a meter that grows with the wagers.", "BJ-5"
        )


def _find_meter_faults(level: LevelSetup, setup: JackpotSetup) -> Iterator[SetupFault]:
    grows = level.contribution or level.reserve
    if setup.kind == JackpotKind.BONUS and (grows or level.ceiling is not None):
        sentence = "A bonus jackpot has a fixed amount: remove its rates and its ceiling."
        yield SetupFault(level.name, sentence, "BJ-5")
    if setup.kind == JackpotKind.PROGRESSIVE and level.contribution <= 0:
        yield SetupFault(level.name, "A progressive grows with every wager: enter a contribution above zero.", "BJ-5")
    if level.reserve < 0:
        yield SetupFault(level.name, "The reserve rate cannot be below zero.", "setup")
    if level.seed < 0 or (setup.kind == JackpotKind.BONUS and level.seed == 0):
        yield SetupFault(level.name, f"A meter cannot show {format_cents(level.seed)} at the start.", "setup")
    if level.ceiling is not None and level.ceiling <= level.seed:
        sentence = (
            f"The ceiling of {format_cents(level.ceiling)} must be above the reset value of {format_cents(level.seed)}."
        )
        yield SetupFault(level.name, sentence, "BJ-11")
    if not level.pays:
        yield SetupFault(
            level.name, "The level pays no event: list the events that take their percentage from it.", "BJ-4"
        )
    if setup.wagers and level.minimum > max(setup.wagers):
        sentence = (
            f"No wager reaches the level: its minimum is {format_cents(level.minimum)}, and the largest wager is "
            f"{format_cents(max(setup.wagers))}."
        )
        yield SetupFault(level.name, sentence, "BJ-6")


def _find_pays_faults(setup: JackpotSetup, tables: list[Paytable]) -> Iterator[SetupFault]:
    """Every percentage of every paytable must have a level that each player can win."""
    for table in tables:
        shares = meter_shares(table)
        for level in setup.levels:
            for event in level.pays:
                if event not in shares:
                    shares_text = f"its percentages are {', '.join(shares) or 'none'}"
                    sentence = f"Paytable {table.name} pays no percentage for {quote(event)}: {shares_text}."
                    yield SetupFault(level.name, sentence, "BJ-4")
        for event in shares:
            minimums = [level.minimum for level in setup.levels if event in level.pays]
            if not minimums or min(minimums) > min(setup.wagers, default=0):
                sentence = f"No level pays {quote(event)} of paytable {table.name} for the smallest wager: add one."
                yield SetupFault("levels", sentence, "BJ-4")
    if setup.kind == JackpotKind.PROGRESSIVE and not any(map(meter_shares, tables)):
        names = ", ".join(table.name for table in tables)
        yield SetupFault("offers", f"Paytable {names} pays no percentage of the meter: choose one that does.", "BJ-4")
    first, *other_tables = tables
    for other_table in other_tables:
        if meter_shares(first) != meter_shares(other_table):
            sentence = (
                f"{first.game} and {other_table.game} cannot share a meter: their winning hands differ "
                f"({_describe_paytable(first)}; {_describe_paytable(other_table)})."
            )
            yield SetupFault("offers", sentence, "BJ-10")
        else:
            yield from (
                SetupFault("offers", sentence, "BJ-10")
                for sentence in find_unequal_odds(first, other_table, tuple(meter_shares(first)))
            )


def _describe_paytable(table: Paytable) -> str:
    return ", ".join(f"{event} {share}" for event, share in meter_shares(table).items()) or "no percentages"
