"""The table that prices a wager (one seat, one unit on the wager and on each required wager), and its result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from cardroom.cards import Deck
from cardroom.games import Game, Payment, Round, Table, TableSetup, WagerLimits, WagerSetup
from cardroom.games.frozen_map import FrozenMap
from cardroom.games.game_facts import GameFacts, GameOption, Wager
from cardroom.games.playable_table import WagerOffer
from cardroom.games.round import find_bet_fault
from cardroom.odds.payoffs import net_units
from cardroom.odds.pricer import Settings
from cardroom.odds.prices import JACKPOT_WAGER_CENTS, BadPriceRequest
from cardroom.odds.result import WagerOutcome
from cardroom.paytables import ForOne, Loss, OperatorBonus, Paytable, Percent, Push, ToOne, describe_pay, paytables

SEAT = 1


@dataclass(frozen=True)
class PricingTable:
    """The seat of the priced wager."""

    rules: Game
    wager: Wager
    paytable: Paytable
    table: Table
    bets: Mapping[str, int]
    """By spot, in cents."""

    @property
    def spot(self) -> str:
        return next(spot for spot in self.bets if self.table.spots[spot].wager.slug == self.wager.slug)

    @property
    def unit(self) -> int:
        """The base wager in cents."""
        return self.bets[self.spot]

    def begin(self) -> Round:
        return self.rules.begin(self.table, {SEAT: self.bets})

    def operator_text(self, event: str) -> str | None:
        """The pay of an event that the table leaves to the operator."""
        lines = {line.trigger: describe_pay(line.pay) for line in self.paytable.operator_lines}
        return lines.get(event)


def build_pricing_table(
    rules: Game,
    wager: str,
    paytable: Paytable,
    settings: Settings,
    other_paytables: Mapping[str, Paytable] | None = None,
) -> PricingTable:
    """The table for a price. ``other_paytables`` has the other wagers that are made with it, and their tables."""
    facts = rules.facts
    options = {option.name: _option_value(option, settings) for option in facts.options}
    deck = _deck(rules, settings)
    tables = {**(other_paytables or {}), wager: paytable}
    for item in facts.wagers:
        if item.required and item.slug not in tables:
            tables[item.slug] = default_paytable(facts, item.slug, deck.decks)
    offered = {
        item.slug: WagerOffer(item, _fill_open_lines(item, tables[item.slug]), _limits(item, tables[item.slug]), None)
        for item in facts.wagers
        if item.slug in tables
    }
    spots = {spot: item for item in offered.values() for spot in rules.wager_spots(item.wager, options)}
    table = Table(
        setup=TableSetup(facts.slug, {slug: WagerSetup(item.limits) for slug, item in offered.items()}, seats=1),
        facts=facts,
        deck=deck,
        offers=FrozenMap(offered),
        options=FrozenMap(options),
        spots=FrozenMap(spots),
        spots_per_player=None,
        fourth_wager=None,
    )
    bets = {
        next(spot for spot, spot_offer in spots.items() if spot_offer is item): item.limits.minimum
        for item in offered.values()
    }
    if fault := find_bet_fault(rules, table, SEAT, bets):
        raise BadPriceRequest(f"The wager {wager} cannot be made for one unit: {fault}")
    return PricingTable(rules, facts.wager(wager), paytable, table, bets)


def _deck(rules: Game, settings: Settings) -> Deck:
    decks_by_count = {deck.decks: deck for deck in rules.facts.decks}
    count = settings.get("decks", rules.facts.decks[0].decks)
    if count not in decks_by_count:
        listing = ", ".join(map(str, sorted(decks_by_count)))
        raise BadPriceRequest(f"{rules.facts.name} is played with {listing} decks, not {count}.")
    return decks_by_count[int(count)]


def _option_value(option: GameOption, settings: Settings) -> str | bool:
    """The requested deck, or the usual one."""
    return next((value for value in option.values if value == settings.get(option.name)), option.default)


def default_paytable(facts: GameFacts, wager: str, decks: int | None = None) -> Paytable:
    """The first printed table that needs no amount from the operator: the table of a wager without a requested one."""
    deck_count = decks or facts.decks[0].decks
    matches = [table for table in paytables(facts.slug, wager) if not table.decks or deck_count in table.decks]
    return next((table for table in matches if table.is_numeric), matches[0])


def _limits(wager: Wager, table: Paytable) -> WagerLimits:
    """A multiple of one dollar on which every line pays whole cents. Dollar prizes are compared with one dollar."""
    odds = (line.pay.odds for line in table.lines if isinstance(line.pay, ToOne | ForOne))
    unit = JACKPOT_WAGER_CENTS * lcm(wager.divisor, *((JACKPOT_WAGER_CENTS * factor).denominator for factor in odds))
    return WagerLimits(unit, unit, unit)


def _fill_open_lines(wager: Wager, table: Paytable) -> Paytable:
    """An amount that the operator has not set counts as nothing. Only the top line of a jackpot's table counts as the
    meter: break-even solves for its amount."""
    lines = []
    for line in table.lines:
        pay = line.pay
        if isinstance(pay, OperatorBonus):
            pay = Percent(Fraction(1)) if wager.jackpot and line is table.lines[0] else Loss()
        lines.append(replace(line, pay=pay))
    return replace(table, lines=tuple(lines))


class SettledWager(NamedTuple):
    """The result of a round for the priced wager, in cents."""

    trigger: str
    pays: str
    net: int
    wagered: int
    percent: Fraction
    """Of the meter."""
    hit: bool | None
    others_net: int
    """What the required wagers won or lost."""
    stake_wins: tuple[tuple[str, int], ...] = ()
    """What each stake won over its wager, by event, if there are several."""


def settle_wager(pricing_table: PricingTable, round_: Round) -> SettledWager:
    """The result of a finished round."""
    slug = pricing_table.wager.slug
    wager_payments: list[Payment] = []
    others_net = 0
    # What a meter adds is separate from the net result, as a part of the meter.
    for payment in pricing_table.rules.settle(round_, dict.fromkeys(pricing_table.table.spots, 0)).seat_payments(SEAT):
        if pricing_table.table.spots[payment.spot].wager.slug == slug:
            wager_payments.append(payment)
        else:
            others_net += payment.known_return - payment.wagered
    return SettledWager(
        trigger=wager_payments[0].event,
        pays=", ".join(_pay_text(pricing_table, payment, wager_payments[0].stake) for payment in wager_payments),
        net=sum(payment.known_return - payment.wagered for payment in wager_payments),
        wagered=sum(payment.wagered for payment in wager_payments),
        percent=sum((payment.meter.share for payment in wager_payments if payment.meter), Fraction(0)),
        hit=_is_hit(pricing_table, wager_payments),
        others_net=others_net,
        stake_wins=_stake_wins(wager_payments),
    )


def _stake_wins(payments: list[Payment]) -> tuple[tuple[str, int], ...]:
    if len(payments) == 1:
        return ()
    return tuple((payment.event, max(payment.known_return - payment.wagered, 0)) for payment in payments)


def _pay_text(pricing_table: PricingTable, payment: Payment, first_stake: str) -> str:
    if not payment.wagered:
        return f"{Fraction(payment.known_return, pricing_table.unit)} units bonus"
    text = pricing_table.operator_text(payment.event) or describe_pay(payment.pay)
    return text if payment.stake == first_stake else f"{payment.stake} {text}"


def _is_hit(pricing_table: PricingTable, payments: list[Payment]) -> bool | None:
    """Whether the round hits: any paying line of a side wager's table, or a win of a wager with several stakes."""
    if len(payments) > 1 or pricing_table.wager.required or not pricing_table.paytable.lines:
        return None
    payment = payments[0]
    return bool(payment.meter) or (payment.known_return > 0 and not isinstance(payment.pay, Push))


def add_unhit_prizes(pricing_table: PricingTable, outcomes: tuple[WagerOutcome, ...]) -> tuple[WagerOutcome, ...]:
    """Simulated outcomes, and the prizes of the table that no round won."""
    lines = {line.trigger: number for number, line in enumerate(pricing_table.paytable.lines)}
    combined = (*outcomes, *_unhit_prizes(pricing_table, outcomes))
    return tuple(sorted(combined, key=lambda outcome: lines.get(outcome.trigger, len(lines))))


def _unhit_prizes(pricing_table: PricingTable, outcomes: tuple[WagerOutcome, ...]) -> Iterator[WagerOutcome]:
    """The prize of a line on everything wagered, because it may be paid on any part of the wager."""
    hit = {outcome.trigger for outcome in outcomes} | {event for outcome in outcomes for event, _ in outcome.stake_wins}
    wagered = max((outcome.wagered for outcome in outcomes), default=Fraction(1))
    for line in pricing_table.paytable.lines:
        net, percent, prize = net_units(line.pay, pricing_table.paytable.basis, pricing_table.unit)
        if line.trigger not in hit and prize:
            is_hit = None if pricing_table.wager.required else True
            yield WagerOutcome(line.trigger, describe_pay(line.pay), 0, net * wagered, wagered, percent, is_hit)


def group_outcomes(pricing_table: PricingTable, counts: Mapping[SettledWager, int]) -> tuple[WagerOutcome, ...]:
    """One outcome for each event and pay: in the order of the table, then the others from the best to the worst."""
    lines = {line.trigger: number for number, line in enumerate(pricing_table.paytable.lines)}
    grouped: dict[WagerOutcome, int] = {}
    for settled, count in counts.items():
        net, wagered = Fraction(settled.net, pricing_table.unit), Fraction(settled.wagered, pricing_table.unit)
        parts = tuple((event, Fraction(cents, pricing_table.unit)) for event, cents in settled.stake_wins)
        key = WagerOutcome(settled.trigger, settled.pays, 0, net, wagered, settled.percent, settled.hit, parts)
        grouped[key] = grouped.get(key, 0) + count

    def place(outcome: WagerOutcome) -> tuple[int, Fraction, Fraction, str]:
        return lines.get(outcome.trigger, len(lines)), -outcome.net, outcome.wagered, outcome.trigger

    return tuple(replace(outcome, combinations=grouped[outcome]) for outcome in sorted(grouped, key=place))
