"""Check a table setup against the rules: the result is a table that may open, or all faults at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from cardroom.cards import Deck
from cardroom.errors import BadInput, quote
from cardroom.games.frozen_map import FrozenMap
from cardroom.games.game_facts import Feature, GameFacts, TabulatorType, Wager
from cardroom.games.jurisdiction import Jurisdiction, UnknownJurisdiction, jurisdiction
from cardroom.games.money import format_cents
from cardroom.games.payout_limit import PayoutLimit, is_covered, limit_faults
from cardroom.games.setup import (
    FeatureSetup,
    OptionValue,
    TableSetup,
    WagerLimits,
    WagerSetup,
    resolve_feature_paytable,
    resolve_paytable,
)
from cardroom.paytables import (
    Dollars,
    Loss,
    OperatorBonus,
    Pay,
    Paytable,
    Percent,
    compute_return,
    describe_pay,
    is_payable,
)

if TYPE_CHECKING:
    from cardroom.games.game import Game

_MAX_CACHED_PAYS = 4096
FEWEST_POSITIONS = min(model.positions for model in TabulatorType)


class SetupFault(NamedTuple):
    """One fault of a setup: the section, what is wrong, and the rule."""

    section: str
    sentence: str
    rule: str

    def __str__(self) -> str:
        return f"{self.section}: {self.sentence} [{self.rule}]"


class BadSetup(BadInput):
    """A setup that breaks rules; ``faults`` has all of them."""

    def __init__(self, faults: tuple[SetupFault, ...]) -> None:
        self.faults = faults
        count = "one fault" if len(faults) == 1 else f"{len(faults)} faults"
        super().__init__("\n".join([f"The table cannot open: its setup has {count}.", *map(str, faults)]))


class FeatureOffer(NamedTuple):
    """A bonus feature in force."""

    feature: Feature
    paytable: Paytable
    qualifying: int

    @property
    def kind(self) -> str:
        return self.feature.kind

    @property
    def name(self) -> str:
        return self.feature.name


class LinePay(NamedTuple):
    """What a paytable pays a hand: the event of the line, the pay, and the cents returned; None for a share of a meter,
    whose amount depends on all winners of the round."""

    event: str
    pay: Pay
    returned: int | None


@dataclass(frozen=True, slots=True)
class WagerOffer:
    """A wager in force: its facts, its paytable with the operator's bonuses filled in, its limits."""

    wager: Wager
    paytable: Paytable
    limits: WagerLimits
    feature: FeatureOffer | None
    _pay_cache: dict[tuple[tuple[str, ...], int], LinePay] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """Pays of earlier hands: a table sees the same few hands and wagers all day."""

    def find_pay(self, events: tuple[str, ...], wagered: int) -> LinePay:
        """What the paytable pays a hand that meets these events, the best first, for a wager in cents. The table is
        matched from its top line down."""
        pay = self._pay_cache.get((events, wagered))
        if pay is None:
            if len(self._pay_cache) >= _MAX_CACHED_PAYS:
                self._pay_cache.clear()
            pay = self._pay_cache[events, wagered] = self._match_line(events, wagered)
        return pay

    def _match_line(self, events: tuple[str, ...], wagered: int) -> LinePay:
        line = self.paytable.find_matching_line(events)
        pay = line.pay if line else Loss()
        event = line.trigger if line else (events[0] if events else "nothing")
        return LinePay(
            event, pay, None if isinstance(pay, Percent) else compute_return(pay, wagered, self.paytable.basis)
        )

    @property
    def has_meter(self) -> bool:
        """Whether a line of its paytable pays a share of a meter."""
        return any(isinstance(line.pay, Percent) for line in self.paytable.lines)


@dataclass(frozen=True, repr=False)
class Table:
    """A table that may open. Only ``open_table`` makes one."""

    setup: TableSetup
    facts: GameFacts
    deck: Deck
    offers: Mapping[str, WagerOffer]
    """By the wager's slug, in the order of the layout."""
    options: Mapping[str, OptionValue]
    spots: Mapping[str, WagerOffer]
    """By the spot of the layout; several spots can belong to one wager."""
    spots_per_player: int | None
    fourth_wager: int | None
    """The maximum of a player's fourth wager, in cents; GEN-1 says which wager that is."""
    payout_limit: PayoutLimit | None = None
    """The most that one deal pays on wagers with long odds (GEN-5)."""

    @property
    def seats(self) -> int:
        """How many players can sit down."""
        return self.setup.seats

    @cached_property
    def jackpot_spots(self) -> frozenset[str]:
        """The spots of jackpot wagers, which the dealer counts before the deal."""
        return frozenset(spot for spot, offered in self.spots.items() if offered.wager.jackpot)

    @cached_property
    def _hash(self) -> int:
        return hash((self.facts.slug, self.setup))  # all else follows from these two

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"game({self.facts.slug!r}).open({self.setup!r})"

    def __getstate__(self) -> dict[str, Any]:
        """Without the hash: hashes of texts differ in each process."""
        return {attribute.name: getattr(self, attribute.name) for attribute in fields(self)}


def open_table(setup: TableSetup, game: Game) -> Table:
    """Check a setup against the rules of its game and the law of its jurisdiction."""
    facts = game.facts
    if setup.game != facts.slug:
        sentence = f"{quote(setup.game)} is not the complete name: write {facts.slug}."
        raise BadSetup((SetupFault("game", sentence, "setup"),))
    faults = (*_setup_faults(setup, facts), *game.setup_faults(setup))
    if faults:
        raise BadSetup(faults)
    options = {option.name: setup.options.get(option.name, option.default) for option in facts.options}
    offers = {slug: _make_offer(facts, slug, wager) for slug, wager in setup.wagers.items()}
    law = jurisdiction(setup.jurisdiction)
    spots = FrozenMap({spot: offer for offer in offers.values() for spot in game.wager_spots(offer.wager, options)})
    return Table(
        setup=setup,
        facts=facts,
        deck=select_deck(setup, facts),
        offers=FrozenMap(offers),
        options=FrozenMap(options),
        spots=spots,
        spots_per_player=_find_spots_per_player(setup, facts, law),
        fourth_wager=law.fourth_wager,
        payout_limit=_make_payout_limit(setup, spots),
    )


def _make_payout_limit(setup: TableSetup, spots: Mapping[str, WagerOffer]) -> PayoutLimit | None:
    if setup.payout_limit is None:
        return None
    covered_spots = (spot for spot, offer in spots.items() if is_covered(offer.wager, offer.paytable))
    return PayoutLimit(setup.payout_limit, frozenset(covered_spots))


def select_deck(setup: TableSetup, facts: GameFacts) -> Deck:
    """The deck of the setup, or the game's usual one."""
    return next((deck for deck in facts.decks if deck.decks == setup.decks), facts.decks[0])


def _find_spots_per_player(setup: TableSetup, facts: GameFacts, law: Jurisdiction) -> int | None:
    limits = [most for most in (setup.spots_per_player, facts.most_spots, law.spots_per_player) if most is not None]
    return min(limits, default=None)


def _make_offer(facts: GameFacts, slug: str, setup: WagerSetup) -> WagerOffer:
    paytable = resolve_paytable(facts, slug, setup).with_bonuses(setup.bonuses)
    wager = facts.wager(slug)
    if wager.jackpot and wager.jackpot.has_scaled_prizes:
        paytable = _scale_prizes(paytable, setup.limits.minimum)
    feature = None
    if setup.feature:
        kind = wager.feature(setup.feature.kind)
        assert kind is not None, "the setup was checked"
        table = resolve_feature_paytable(facts, slug, setup.feature, kind.paytable_group)
        feature = FeatureOffer(kind, table.with_bonuses(setup.feature.bonuses), setup.feature.qualifying)
    return WagerOffer(wager, paytable, setup.limits, feature)


def _scale_prizes(table: Paytable, wager: int) -> Paytable:
    """The table with its prizes, which are printed for one dollar, scaled to another fixed wager."""
    return replace(
        table,
        lines=tuple(
            replace(line, pay=Dollars(line.pay.cents * wager // 100)) if isinstance(line.pay, Dollars) else line
            for line in table.lines
        ),
    )


# Faults, with one function for each topic.


def _setup_faults(setup: TableSetup, facts: GameFacts) -> Iterator[SetupFault]:
    try:
        law = jurisdiction(setup.jurisdiction)
    except UnknownJurisdiction as fault:
        yield SetupFault("jurisdiction", str(fault), "setup")
        law = jurisdiction("washington")
    yield from _deck_faults(setup, facts)
    yield from _seat_faults(setup, facts)
    yield from _option_faults(setup, facts)
    yield from _layout_faults(setup, facts, law)
    slugs = [wager.slug for wager in facts.wagers]
    for slug, wager in setup.wagers.items():
        if slug not in slugs:
            yield SetupFault(slug, f"{facts.name} has no such wager: offer {', '.join(slugs)}.", "setup")
            continue
        yield from _paytable_faults(slug, wager, setup, facts)
        yield from _limit_faults(slug, wager.limits, facts.wager(slug), law)
        yield from _feature_faults(slug, wager.feature, wager.limits, facts)
    yield from _payout_limit_faults(setup, facts, law)


def _payout_limit_faults(setup: TableSetup, facts: GameFacts, law: Jurisdiction) -> Iterator[SetupFault]:
    if setup.payout_limit is None:
        return
    wagers_by_slug = {wager.slug: wager for wager in facts.wagers}
    choices = {}
    for slug, wager in setup.wagers.items():
        with suppress(BadInput):  # reported as a fault of the wager
            if slug in wagers_by_slug:
                paytable = resolve_paytable(facts, slug, wager).with_bonuses(wager.bonuses)
                choices[slug] = wagers_by_slug[slug], wager.limits, paytable
    for sentence, rule in limit_faults(setup.payout_limit, choices, law):
        yield SetupFault("payout_limit", sentence, rule)


def _deck_faults(setup: TableSetup, facts: GameFacts) -> Iterator[SetupFault]:
    allowed = sorted(deck.decks for deck in facts.decks)
    if setup.decks is not None and setup.decks not in allowed:
        choice = " or ".join(map(str, allowed))
        yield SetupFault("decks", f"{facts.name} is played with {choice} decks, not {setup.decks}.", "rule sheet")


def _seat_faults(setup: TableSetup, facts: GameFacts) -> Iterator[SetupFault]:
    positions = FEWEST_POSITIONS
    model_names = ", ".join(facts.tabulators)
    if setup.tabulator is not None:
        if setup.tabulator in facts.tabulators:
            positions = TabulatorType(setup.tabulator).positions
        else:
            sentence = f"{quote(setup.tabulator)} is not approved for {facts.name}: use one of {model_names}."
            yield SetupFault("tabulator", sentence, "BJ-2")
    max_seats = facts.seats(select_deck(setup, facts))
    if not 1 <= setup.seats <= positions:
        sentence = f"{setup.seats} seats are not possible: a table has 1 to {positions} positions"
        most = max((model.positions for model in facts.tabulators), default=positions)
        yield SetupFault("seats", sentence + (f", with Andromeda-3 up to {most}." if most > positions else "."), "BJ-1")
    elif setup.seats > max_seats:
        deck = select_deck(setup, facts).description
        yield SetupFault(
            "seats", f"{setup.seats} seats need more cards than {deck} holds: at most {max_seats}.", "cards"
        )


def _option_faults(setup: TableSetup, facts: GameFacts) -> Iterator[SetupFault]:
    options = {option.name: option for option in facts.options}
    for name, value in setup.options.items():
        if name not in options:
            names = ", ".join(options) or "none"
            yield SetupFault("options", f"{facts.name} has no option {quote(name)}: there are {names}.", "setup")
        elif value not in options[name].values or type(value) not in {
            type(option_value) for option_value in options[name].values
        }:
            choice = ", ".join(
                str(option_value).lower() if isinstance(option_value, bool) else option_value
                for option_value in options[name].values
            )
            sentence = f"{quote(name)} cannot be {quote(value)}: choose {choice}."
            yield SetupFault("options", sentence, "rule sheet")


def _layout_faults(setup: TableSetup, facts: GameFacts, law: Jurisdiction) -> Iterator[SetupFault]:
    for wager in facts.wagers:
        if wager.required and wager.slug not in setup.wagers:
            yield SetupFault(
                wager.slug, f"Every player of {facts.name} makes this wager, so a table must offer it.", "rules"
            )
    if not setup.wagers:
        yield SetupFault("wagers", "The table offers no wager.", "rules")
    limits = [
        (facts.most_spots, "rule sheet, rules of play"),
        (law.spots_per_player, law.spots_source),
    ]
    strictest = min(((most, rule) for most, rule in limits if most is not None), default=None)
    if strictest is None:
        return
    most, rule = strictest
    if setup.spots_per_player is not None and setup.spots_per_player > most:
        sentence = f"A player may use at most {most} spots; the setup allows {setup.spots_per_player}."
        yield SetupFault("spots_per_player", sentence, rule)
    if len(setup.wagers) > most and not setup.spots_notice:
        sentence = f"The layout offers more than {most} wagers, so it must say that a player may use {most} of them."
        yield SetupFault("spots_notice", sentence, rule)


def _paytable_faults(slug: str, wager: WagerSetup, setup: TableSetup, facts: GameFacts) -> Iterator[SetupFault]:
    try:
        paytable = resolve_paytable(facts, slug, wager)
        table = paytable.with_bonuses(wager.bonuses)
    except BadInput as fault:
        yield SetupFault(slug, str(fault), "paytables")
        return
    decks = select_deck(setup, facts).decks
    if paytable.decks and decks not in paytable.decks:
        allowed = " or ".join(map(str, paytable.decks))
        yield SetupFault(
            slug, f"Table {paytable.name} is for {allowed} decks; the table uses {decks}.", facts.wager(slug).decks_rule
        )
    missing = paytable.missing_bonuses(wager.bonuses)
    if missing:
        yield SetupFault(
            slug, f"Table {paytable.name} needs the operator's bonus for {', '.join(missing)}.", "operator's bonus"
        )
    yield from _cent_faults(slug, table, wager.limits, facts.wager(slug))


def _cent_faults(slug: str, table: Paytable, limits: WagerLimits, wager: Wager) -> Iterator[SetupFault]:
    if limits.step <= 0:
        return
    if limits.step % wager.divisor:
        sentence = f"Wagers in steps of {format_cents(limits.step)} cannot be divided by {wager.divisor} to the cent."
        yield SetupFault(slug, sentence, "money is whole cents")
    for line in table.lines:
        if line not in table.operator_lines and not is_payable(line.pay, limits.step):
            sentence = (
                f"A wager of {format_cents(limits.step)} cannot be paid {describe_pay(line.pay)} ({line.label}) to "
                "the cent."
            )
            yield SetupFault(slug, sentence, "money is whole cents")


def _limit_faults(slug: str, limits: WagerLimits, wager: Wager, law: Jurisdiction) -> Iterator[SetupFault]:
    if not 0 < limits.minimum <= limits.maximum:
        span = f"{format_cents(limits.minimum)} to {format_cents(limits.maximum)}"
        yield SetupFault(
            slug,
            f"The limits {span} allow no wager: set a minimum above zero and not over the maximum.",
            "limits",
        )
    if limits.step <= 0 or limits.minimum % limits.step or limits.maximum % limits.step:
        yield SetupFault(slug, f"The limits are not multiples of the step of {format_cents(limits.step)}.", "limits")
    if law.one_wager is not None and limits.maximum * wager.largest_raise > law.one_wager:
        most = format_cents(law.one_wager // wager.largest_raise)
        raised = (
            f", because a raise of {wager.largest_raise} times that is one wager" if wager.largest_raise > 1 else ""
        )
        yield SetupFault(
            slug, f"The maximum of {format_cents(limits.maximum)} is over {most}{raised}.", law.one_wager_source
        )
    if wager.jackpot is not None:
        yield from _jackpot_faults(slug, limits, wager)


def _jackpot_faults(slug: str, limits: WagerLimits, wager: Wager) -> Iterator[SetupFault]:
    assert wager.jackpot is not None
    amounts = wager.jackpot.amounts
    if amounts:
        reachable = set(range(limits.minimum, limits.maximum + 1, max(limits.step, 1)))
        if not reachable or not reachable <= set(amounts):
            amount_text = " or ".join(map(format_cents, amounts))
            yield SetupFault(slug, f"The jackpot wager must be {amount_text} only.", wager.jackpot.rule)
    elif limits.minimum != limits.maximum:
        yield SetupFault(
            slug, "The jackpot wager is one fixed amount: set the minimum equal to the maximum.", wager.jackpot.rule
        )


def _feature_faults(
    slug: str, feature: FeatureSetup | None, limits: WagerLimits, facts: GameFacts
) -> Iterator[SetupFault]:
    if feature is None:
        return
    allowed = facts.wager(slug).features
    kind = facts.wager(slug).feature(feature.kind)
    if kind is None:
        names = ", ".join(feature_kind.kind for feature_kind in allowed) or "no feature at all"
        rule = next((feature_kind.rule for wager in facts.wagers for feature_kind in wager.features), "rules")
        yield SetupFault(slug, f"The wager cannot have the feature {quote(feature.kind)}: it can have {names}.", rule)
        return
    try:
        table = resolve_feature_paytable(facts, slug, feature, kind.paytable_group)
        filled_table = table.with_bonuses(feature.bonuses)
    except BadInput as fault:
        yield SetupFault(slug, str(fault), "paytables")
        return
    missing = filled_table.missing_bonuses({})
    if missing:
        yield SetupFault(
            slug, f"Table {table.name} needs the operator's bonus for {', '.join(missing)}.", "operator's bonus"
        )
    for line in filled_table.lines:
        if not isinstance(line.pay, Dollars | OperatorBonus):
            yield SetupFault(
                slug, f"{line.label} pays a fixed amount in dollars, not {describe_pay(line.pay)}.", kind.rule
            )
    min_cents = facts.wager(slug).qualifying
    if feature.qualifying < min_cents:
        sentence = (
            f"A wager of {format_cents(min_cents)} or more qualifies for the feature, not "
            f"{format_cents(feature.qualifying)}."
        )
        yield SetupFault(slug, sentence, kind.qualifying_rule)
    elif feature.qualifying > limits.maximum:
        sentence = (
            f"The spot takes at most {format_cents(limits.maximum)}, so no wager qualifies for the feature with "
            f"{format_cents(feature.qualifying)}."
        )
        yield SetupFault(slug, sentence, kind.qualifying_rule)
