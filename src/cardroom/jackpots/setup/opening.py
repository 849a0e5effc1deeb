"""The checked door: a set-up goes in, and a jackpot comes out that breaks no rule, or every fault at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Final

from cardroom.accounts import Currency
from cardroom.errors import BadInput, quote
from cardroom.games import SetupFault, WagerLimits, game
from cardroom.games.jurisdiction import Jurisdiction, UnknownJurisdiction, jurisdiction
from cardroom.games.money import format_cents
from cardroom.games.table import WagerOffer
from cardroom.jackpots.setup.faults import BadJackpot
from cardroom.jackpots.setup.jackpot import JackpotKind, JackpotSetup, LevelSetup, OfferSetup
from cardroom.jackpots.setup.odds_of_winning import unlike_odds
from cardroom.paytables import Basis, Paytable, Percent, paytable

_SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_SLUG_WORDS: Final = 'use small letters, digits and hyphens, such as "final-four"'


@dataclass(frozen=True, slots=True)
class Jackpot:
    """A jackpot that may open. Only ``open_jackpot`` makes one."""

    setup: JackpotSetup
    kind: JackpotKind
    offers: Mapping[str, WagerOffer]
    """The jackpot wager of each game, by the game's slug."""
    law: Jurisdiction

    @property
    def id(self) -> str:
        """What commands call it."""
        return self.setup.id

    @property
    def collects(self) -> bool:
        """Whether the wagers are collected once they are counted: they are, on a "for 1" table (BJ-3)."""
        return all(offer.paytable.basis is Basis.FOR_ONE for offer in self.offers.values())


@cache
def law_of(slug: str, money: Currency) -> Jurisdiction:
    """What the law asks of a jackpot. Of play money it asks nothing: there is no bank, and nobody wins anything.

    >>> [law_of("washington", money).surveillance_threshold for money in (Currency.REAL, Currency.PLAY)]
    [300000, None]
    """
    law = jurisdiction(slug)
    if money is Currency.REAL:
        return law
    return replace(law, surveillance_threshold=None, malfunction_hours=None, deposit_days=None)


def percentages(table: Paytable) -> dict[str, Fraction]:
    """The lines that come off a meter: the share of it by event, from the top line down."""
    return {line.trigger: line.pay.share for line in table.lines if isinstance(line.pay, Percent)}


def open_jackpot(setup: JackpotSetup) -> Jackpot:
    """Check a set-up against the rules of its games and the law of its place."""
    faults = tuple(_faults(setup))
    if faults:
        raise BadJackpot(faults)
    return Jackpot(
        setup=setup,
        kind=JackpotKind(setup.kind),
        offers=MappingProxyType({one.game: _offer(one, setup) for one in setup.offers}),
        law=law_of(setup.jurisdiction, setup.money),
    )


def _offer(one: OfferSetup, setup: JackpotSetup) -> WagerOffer:
    facts = game(one.game).facts
    table = paytable(one.game, one.wager, one.paytable).with_bonuses(one.bonuses)
    least = min(setup.wagers)
    limits = WagerLimits(least, max(setup.wagers), least)
    return WagerOffer(facts.wager(one.wager), table, limits, None)


# The faults, one function a subject.


def _faults(setup: JackpotSetup) -> Iterator[SetupFault]:
    yield from _name_faults(setup)
    offer_faults = [fault for offer in setup.offers for fault in _offer_faults(offer, setup)]
    yield from offer_faults
    yield from _games_faults(setup)
    yield from _level_faults(setup)
    if not offer_faults and setup.offers:
        yield from _pays_faults(setup, [_offer(one, setup).paytable for one in setup.offers])


def _name_faults(setup: JackpotSetup) -> Iterator[SetupFault]:
    if not _SLUG.fullmatch(setup.id):
        yield SetupFault("id", f"{quote(setup.id)} is not an id: {_SLUG_WORDS}.", "set-up")
    for what in ("name", "location"):
        if not getattr(setup, what).strip():
            yield SetupFault(what, f"The jackpot's {what} is empty: the displays and reports show it.", "set-up")
    if setup.kind not in set(JackpotKind):
        yield SetupFault(
            "kind", f"A jackpot is of the kind {' or '.join(JackpotKind)}, not {quote(setup.kind)}.", "BJ-5"
        )
    try:
        jurisdiction(setup.jurisdiction)
    except UnknownJurisdiction as fault:
        yield SetupFault("jurisdiction", str(fault), "set-up")


def _offer_faults(offer: OfferSetup, setup: JackpotSetup) -> Iterator[SetupFault]:
    try:
        facts = game(offer.game).facts
    except BadInput as fault:
        yield SetupFault("offers", str(fault), "set-up")
        return
    jackpots = [wager.slug for wager in facts.wagers if wager.jackpot]
    if offer.wager not in jackpots:
        sentence = f"{quote(offer.wager)} is no jackpot wager of {facts.name}: it has {', '.join(jackpots)}."
        yield SetupFault(offer.game, sentence, "set-up")
        return
    try:
        table = paytable(offer.game, offer.wager, offer.paytable).with_bonuses(offer.bonuses)
    except BadInput as fault:
        yield SetupFault(offer.game, str(fault), "paytables")
        return
    missing = table.missing_bonuses({})
    if missing:
        sentence = f"Table {table.name} needs the operator's bonus for {', '.join(missing)}."
        yield SetupFault(offer.game, sentence, "operator's bonus")
    wager = facts.wager(offer.wager).jackpot
    assert wager is not None
    if wager.amounts and not set(setup.wagers) <= set(wager.amounts):
        only = " or ".join(map(format_cents, wager.amounts))
        yield SetupFault(offer.game, f"The {offer.wager} wager must be {only} only.", f"{wager.rule}, BJ-6")
    if not wager.amounts and len(set(setup.wagers)) != 1:
        sentence = f"The {offer.wager} wager is one fixed amount, not {' or '.join(map(format_cents, setup.wagers))}."
        yield SetupFault(offer.game, sentence, f"{wager.rule}, BJ-6")


def _games_faults(setup: JackpotSetup) -> Iterator[SetupFault]:
    if not setup.offers:
        yield SetupFault("offers", "The jackpot belongs to no game: name a game, its wager and a paytable.", "set-up")
    if not setup.wagers or min(setup.wagers) <= 0:
        yield SetupFault("wagers", "The jackpot wager must be above zero.", "BJ-6")
    games = [offer.game for offer in setup.offers]
    for twice in sorted({slug for slug in games if games.count(slug) > 1}):
        sentence = f"{twice} is named twice: tables of one game share a meter with one wager and one paytable."
        yield SetupFault("offers", sentence, "BJ-10")


def _level_faults(setup: JackpotSetup) -> Iterator[SetupFault]:
    names = [level.name for level in setup.levels]
    for twice in sorted({name for name in names if names.count(name) > 1}):
        yield SetupFault("levels", f"There are two levels {quote(twice)}: give each a name of its own.", "set-up")
    for level in setup.levels:
        if not _SLUG.fullmatch(level.name):
            yield SetupFault("levels", f"{quote(level.name)} is not a name for a level: {_SLUG_WORDS}.", "set-up")
        yield from _meter_faults(level, setup)
    total = sum((level.contribution + level.reserve for level in setup.levels), Fraction(0))
    if total > 1:
        sentence = f"The levels take {total} of each wager together: they can take the whole wager at most."
        yield SetupFault("levels", sentence, "BJ-5")
    if setup.kind == JackpotKind.PROGRESSIVE and not setup.levels:
        yield SetupFault(
            "levels", "A progressive needs at least one level: a meter that grows with the wagers.", "BJ-5"
        )


def _meter_faults(level: LevelSetup, setup: JackpotSetup) -> Iterator[SetupFault]:
    grows = level.contribution or level.reserve
    if setup.kind == JackpotKind.BONUS and (grows or level.ceiling is not None):
        sentence = "A bonus jackpot is fixed: it has an amount, and neither a rate nor a ceiling."
        yield SetupFault(level.name, sentence, "BJ-5")
    if setup.kind == JackpotKind.PROGRESSIVE and level.contribution <= 0:
        yield SetupFault(
            level.name, "A progressive grows with every wager: its contribution must be above zero.", "BJ-5"
        )
    if level.reserve < 0:
        yield SetupFault(level.name, "The reserve rate cannot be below zero.", "set-up")
    if level.seed < 0 or (setup.kind == JackpotKind.BONUS and level.seed == 0):
        yield SetupFault(level.name, f"A meter cannot show {format_cents(level.seed)} at the start.", "set-up")
    if level.ceiling is not None and level.ceiling <= level.seed:
        sentence = (
            f"The ceiling of {format_cents(level.ceiling)} must be above the {format_cents(level.seed)} of a reset."
        )
        yield SetupFault(level.name, sentence, "BJ-11")
    if not level.pays:
        yield SetupFault(level.name, "The level pays no event: name the events whose percentage comes off it.", "BJ-4")
    if setup.wagers and level.minimum > max(setup.wagers):
        sentence = f"Nobody can win it: its minimum is {format_cents(level.minimum)}, and the wager at most "
        yield SetupFault(level.name, f"{sentence}{format_cents(max(setup.wagers))}.", "BJ-6")


def _pays_faults(setup: JackpotSetup, tables: list[Paytable]) -> Iterator[SetupFault]:
    """Every percentage of every table comes off a level that each player can win."""
    for table in tables:
        shares = percentages(table)
        for level in setup.levels:
            for event in level.pays:
                if event not in shares:
                    there = f"its percentages are {', '.join(shares) or 'none'}"
                    sentence = f"Table {table.name} pays no percentage for {quote(event)}: {there}."
                    yield SetupFault(level.name, sentence, "BJ-4")
        for event in shares:
            minimums = [level.minimum for level in setup.levels if event in level.pays]
            if not minimums or min(minimums) > min(setup.wagers, default=0):
                sentence = f"{quote(event)} of table {table.name} has no level that pays it for the smallest wager."
                yield SetupFault("levels", sentence, "BJ-4")
    if setup.kind == JackpotKind.PROGRESSIVE and not any(map(percentages, tables)):
        names = ", ".join(table.name for table in tables)
        yield SetupFault("offers", f"Nothing comes off the meter: table {names} pays no percentage.", "BJ-4")
    first, *others = tables
    for other in others:
        if percentages(first) != percentages(other):
            sentence = (
                f"{first.game} and {other.game} cannot share a meter: their winning hands differ "
                f"({_told(first)}; {_told(other)})."
            )
            yield SetupFault("offers", sentence, "BJ-10")
        else:
            yield from (
                SetupFault("offers", sentence, "BJ-10")
                for sentence in unlike_odds(first, other, tuple(percentages(first)))
            )


def _told(table: Paytable) -> str:
    return ", ".join(f"{event} {share}" for event, share in percentages(table).items()) or "no percentages"
