"""The checked door: a set-up goes in, and a table comes out that breaks no rule, or every fault at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from cardroom.cards import Deck
from cardroom.faults import BadInput, quoted
from cardroom.games.chosen_tables import chosen_feature_table, chosen_table
from cardroom.games.frozen import FrozenMap
from cardroom.games.jurisdiction import Jurisdiction, UnknownJurisdiction, jurisdiction
from cardroom.games.money import money
from cardroom.games.payout_limit import PayoutLimit, is_covered, limit_faults
from cardroom.games.setup import FeatureSetup, Limits, TableSetup, Value, WagerSetup
from cardroom.games.spot import Feature, GameFacts, Tabulator, Wager
from cardroom.paytables import (
    Dollars,
    Loss,
    OperatorBonus,
    Pay,
    Paytable,
    Percent,
    payable,
    returned,
    words,
)

if TYPE_CHECKING:
    from cardroom.games.game import Game

_MOST_SAID = 4096
FEWEST_POSITIONS = min(model.positions for model in Tabulator)


class Fault(NamedTuple):
    """One thing that is wrong with a set-up: where, what, and the rule it breaks."""

    where: str
    sentence: str
    rule: str

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence} [{self.rule}]"


class BadSetup(BadInput):
    """A set-up that breaks rules; ``faults`` has all of them."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        count = "one fault" if len(faults) == 1 else f"{len(faults)} faults"
        super().__init__("\n".join([f"The table cannot open: its set-up has {count}.", *map(str, faults)]))


class OfferedFeature(NamedTuple):
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


class Paid(NamedTuple):
    """What a paytable says to a hand: the line's event, the pay, and the cents that go back; None for a share of a
    meter, which is valued when all winners of the round are known."""

    event: str
    pay: Pay
    returned: int | None


@dataclass(frozen=True, slots=True)
class Offered:
    """A wager in force: its facts, its paytable with the operator's bonuses filled in, its limits."""

    wager: Wager
    paytable: Paytable
    limits: Limits
    feature: OfferedFeature | None
    _said: dict[tuple[tuple[str, ...], int], Paid] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What was asked before: a table sees the same few hands and wagers all day."""

    def paid(self, met: tuple[str, ...], wagered: int) -> Paid:
        """What the paytable gives a hand that meets these events, the best one first, for a wager of so many cents; the
        table is matched from its top line down."""
        said = self._said.get((met, wagered))
        if said is None:
            if len(self._said) >= _MOST_SAID:
                self._said.clear()
            said = self._said[met, wagered] = self._matched(met, wagered)
        return said

    def _matched(self, met: tuple[str, ...], wagered: int) -> Paid:
        line = self.paytable.first(met)
        pay = line.pay if line else Loss()
        event = line.event if line else (met[0] if met else "nothing")
        return Paid(event, pay, None if isinstance(pay, Percent) else returned(pay, wagered, self.paytable.basis))

    @property
    def has_meter(self) -> bool:
        """Whether some line of its table pays a share of a meter."""
        return any(isinstance(line.pay, Percent) for line in self.paytable.lines)


@dataclass(frozen=True)
class Table:
    """A table that may open. Only ``open_table`` makes one."""

    setup: TableSetup
    facts: GameFacts
    deck: Deck
    offered: Mapping[str, Offered]
    """By the wager's slug, in the order of the layout."""
    options: Mapping[str, Value]
    spots: Mapping[str, Offered]
    """By the spot of the layout; several spots can belong to one wager."""
    spots_per_player: int | None
    fourth_wager: int | None
    """The most that a player's fourth wager may be, in cents; which one that is, the player's wagers say (GEN-1)."""
    payout_limit: PayoutLimit | None = None
    """What a deal pays at most on wagers with long odds (GEN-5)."""

    @property
    def seats(self) -> int:
        """How many players can sit down."""
        return self.setup.seats

    @cached_property
    def jackpot_spots(self) -> frozenset[str]:
        """The spots with a jackpot wager, which the dealer counts before the deal."""
        return frozenset(spot for spot, offered in self.spots.items() if offered.wager.jackpot)

    @cached_property
    def _hash(self) -> int:
        return hash((self.facts.slug, self.setup))  # all else follows from these two

    def __hash__(self) -> int:
        return self._hash

    def __getstate__(self) -> dict[str, Any]:
        """Without the hash: texts have another one in every process."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


def open_table(setup: TableSetup, game: Game) -> Table:
    """Check a set-up against the rules of its game and the law of its place."""
    facts = game.facts
    if setup.game != facts.slug:
        sentence = f"{quoted(setup.game)} is not the whole name: a set-up says {facts.slug}."
        raise BadSetup((Fault("game", sentence, "set-up"),))
    faults = (*_faults(setup, facts), *game.setup_faults(setup))
    if faults:
        raise BadSetup(faults)
    options = {option.name: setup.options.get(option.name, option.default) for option in facts.options}
    offered = {slug: _offered(facts, slug, wager) for slug, wager in setup.wagers.items()}
    law = jurisdiction(setup.jurisdiction)
    spots = FrozenMap({spot: one for one in offered.values() for spot in game.spots_of(one.wager, options)})
    return Table(
        setup=setup,
        facts=facts,
        deck=deck_in_use(setup, facts),
        offered=FrozenMap(offered),
        options=FrozenMap(options),
        spots=spots,
        spots_per_player=_spots_per_player(setup, facts, law),
        fourth_wager=law.fourth_wager,
        payout_limit=_payout_limit(setup, spots),
    )


def _payout_limit(setup: TableSetup, spots: Mapping[str, Offered]) -> PayoutLimit | None:
    if setup.payout_limit is None:
        return None
    covered = (spot for spot, offered in spots.items() if is_covered(offered.wager, offered.paytable))
    return PayoutLimit(setup.payout_limit, frozenset(covered))


def deck_in_use(setup: TableSetup, facts: GameFacts) -> Deck:
    """The deck that the set-up names, or the game's usual one."""
    return next((deck for deck in facts.decks if deck.decks == setup.decks), facts.decks[0])


def _spots_per_player(setup: TableSetup, facts: GameFacts, law: Jurisdiction) -> int | None:
    limits = [most for most in (setup.spots_per_player, facts.most_spots, law.spots_per_player) if most is not None]
    return min(limits, default=None)


def _offered(facts: GameFacts, slug: str, setup: WagerSetup) -> Offered:
    printed = chosen_table(facts, slug, setup).with_bonuses(setup.bonuses)
    wager = facts.wager(slug)
    if wager.jackpot and wager.jackpot.scales:
        printed = _scaled(printed, setup.limits.minimum)
    feature = None
    if setup.feature:
        kind = wager.feature(setup.feature.kind)
        assert kind is not None, "the set-up was checked"
        table = chosen_feature_table(facts, slug, setup.feature, kind.tables)
        feature = OfferedFeature(kind, table.with_bonuses(setup.feature.bonuses), setup.feature.qualifying)
    return Offered(wager, printed, setup.limits, feature)


def _scaled(table: Paytable, wager: int) -> Paytable:
    """The prizes of a table that is printed for one dollar, for another fixed wager."""
    return replace(
        table,
        lines=tuple(
            replace(line, pay=Dollars(line.pay.cents * wager // 100)) if isinstance(line.pay, Dollars) else line
            for line in table.lines
        ),
    )


# The faults, one function a subject.


def _faults(setup: TableSetup, facts: GameFacts) -> Iterator[Fault]:
    try:
        law = jurisdiction(setup.jurisdiction)
    except UnknownJurisdiction as fault:
        yield Fault("jurisdiction", str(fault), "set-up")
        law = jurisdiction("washington")
    yield from _deck_faults(setup, facts)
    yield from _seat_faults(setup, facts)
    yield from _option_faults(setup, facts)
    yield from _layout_faults(setup, facts, law)
    known = [wager.slug for wager in facts.wagers]
    for slug, wager in setup.wagers.items():
        if slug not in known:
            yield Fault(slug, f"{facts.name} has no such wager: offer {', '.join(known)}.", "set-up")
            continue
        yield from _paytable_faults(slug, wager, setup, facts)
        yield from _limit_faults(slug, wager.limits, facts.wager(slug), law)
        yield from _feature_faults(slug, wager.feature, wager.limits, facts)
    yield from _payout_limit_faults(setup, facts, law)


def _payout_limit_faults(setup: TableSetup, facts: GameFacts, law: Jurisdiction) -> Iterator[Fault]:
    if setup.payout_limit is None:
        return
    known = {wager.slug: wager for wager in facts.wagers}
    chosen = {}
    for slug, wager in setup.wagers.items():
        with suppress(BadInput):  # a fault of its own, told beside the wager
            if slug in known:
                filled = chosen_table(facts, slug, wager).with_bonuses(wager.bonuses)
                chosen[slug] = known[slug], wager.limits, filled
    for sentence, rule in limit_faults(setup.payout_limit, chosen, law):
        yield Fault("payout_limit", sentence, rule)


def _deck_faults(setup: TableSetup, facts: GameFacts) -> Iterator[Fault]:
    allowed = sorted(deck.decks for deck in facts.decks)
    if setup.decks is not None and setup.decks not in allowed:
        choice = " or ".join(map(str, allowed))
        yield Fault("decks", f"{facts.name} is played with {choice} decks, not {setup.decks}.", "rule sheet")


def _seat_faults(setup: TableSetup, facts: GameFacts) -> Iterator[Fault]:
    positions = FEWEST_POSITIONS
    approved = ", ".join(facts.tabulators)
    if setup.tabulator is not None:
        if setup.tabulator in facts.tabulators:
            positions = Tabulator(setup.tabulator).positions
        else:
            sentence = f"{quoted(setup.tabulator)} is not approved for {facts.name}: use one of {approved}."
            yield Fault("tabulator", sentence, "BJ-2")
    served = facts.seats(deck_in_use(setup, facts))
    if not 1 <= setup.seats <= positions:
        sentence = f"{setup.seats} seats are not possible: a table has 1 to {positions} positions"
        most = max((model.positions for model in facts.tabulators), default=positions)
        yield Fault("seats", sentence + (f", with Andromeda-3 up to {most}." if most > positions else "."), "BJ-1")
    elif setup.seats > served:
        deck = deck_in_use(setup, facts).words
        yield Fault("seats", f"{setup.seats} seats need more cards than {deck} holds: at most {served}.", "cards")


def _option_faults(setup: TableSetup, facts: GameFacts) -> Iterator[Fault]:
    known = {option.name: option for option in facts.options}
    for name, value in setup.options.items():
        if name not in known:
            names = ", ".join(known) or "none"
            yield Fault("options", f"{facts.name} has no option {quoted(name)}: there are {names}.", "set-up")
        elif value not in known[name].values or type(value) not in {type(one) for one in known[name].values}:
            choice = ", ".join(str(one).lower() if isinstance(one, bool) else one for one in known[name].values)
            sentence = f"{quoted(name)} cannot be {quoted(value)}: choose {choice}."
            yield Fault("options", sentence, "rule sheet")


def _layout_faults(setup: TableSetup, facts: GameFacts, law: Jurisdiction) -> Iterator[Fault]:
    for wager in facts.wagers:
        if wager.required and wager.slug not in setup.wagers:
            yield Fault(
                wager.slug, f"Every player of {facts.name} makes this wager, so a table must offer it.", "rules"
            )
    if not setup.wagers:
        yield Fault("wagers", "The table offers no wager.", "rules")
    limits = [
        (facts.most_spots, "rule sheet, rules of play"),
        (law.spots_per_player, law.spots_source),
    ]
    strictest = min(((most, rule) for most, rule in limits if most is not None), default=None)
    if strictest is None:
        return
    most, rule = strictest
    if setup.spots_per_player is not None and setup.spots_per_player > most:
        sentence = f"A player may use at most {most} spots; the set-up allows {setup.spots_per_player}."
        yield Fault("spots_per_player", sentence, rule)
    if len(setup.wagers) > most and not setup.spots_notice:
        sentence = f"The layout offers more than {most} wagers, so it must say that a player may use {most} of them."
        yield Fault("spots_notice", sentence, rule)


def _paytable_faults(slug: str, wager: WagerSetup, setup: TableSetup, facts: GameFacts) -> Iterator[Fault]:
    try:
        printed = chosen_table(facts, slug, wager)
        table = printed.with_bonuses(wager.bonuses)
    except BadInput as fault:
        yield Fault(slug, str(fault), "paytables")
        return
    decks = deck_in_use(setup, facts).decks
    if printed.decks and decks not in printed.decks:
        allowed = " or ".join(map(str, printed.decks))
        yield Fault(
            slug, f"Table {printed.name} is for {allowed} decks; the table uses {decks}.", facts.wager(slug).decks_rule
        )
    missing = printed.missing_bonuses(wager.bonuses)
    if missing:
        yield Fault(
            slug, f"Table {printed.name} needs the operator's bonus for {', '.join(missing)}.", "operator's bonus"
        )
    yield from _cent_faults(slug, table, wager.limits, facts.wager(slug))


def _cent_faults(slug: str, table: Paytable, limits: Limits, wager: Wager) -> Iterator[Fault]:
    if limits.step <= 0:
        return
    if limits.step % wager.divisor:
        sentence = f"Wagers in steps of {money(limits.step)} cannot be divided by {wager.divisor} to the cent."
        yield Fault(slug, sentence, "money is whole cents")
    for line in table.lines:
        if line not in table.operator_lines and not payable(line.pay, limits.step):
            sentence = f"A wager of {money(limits.step)} cannot be paid {words(line.pay)} ({line.printed}) to the cent."
            yield Fault(slug, sentence, "money is whole cents")


def _limit_faults(slug: str, limits: Limits, wager: Wager, law: Jurisdiction) -> Iterator[Fault]:
    if not 0 < limits.minimum <= limits.maximum:
        span = f"{money(limits.minimum)} to {money(limits.maximum)}"
        yield Fault(
            slug,
            f"The limits {span} leave nothing to wager: the minimum is above zero and not over the maximum.",
            "limits",
        )
    if limits.step <= 0 or limits.minimum % limits.step or limits.maximum % limits.step:
        yield Fault(slug, f"The limits are not multiples of the step of {money(limits.step)}.", "limits")
    if law.one_wager is not None and limits.maximum * wager.largest_raise > law.one_wager:
        most = money(law.one_wager // wager.largest_raise)
        raised = (
            f", because a raise of {wager.largest_raise} times that is one wager" if wager.largest_raise > 1 else ""
        )
        yield Fault(slug, f"The maximum of {money(limits.maximum)} is over {most}{raised}.", law.one_wager_source)
    if wager.jackpot is not None:
        yield from _jackpot_faults(slug, limits, wager)


def _jackpot_faults(slug: str, limits: Limits, wager: Wager) -> Iterator[Fault]:
    assert wager.jackpot is not None
    amounts = wager.jackpot.amounts
    if amounts:
        reachable = set(range(limits.minimum, limits.maximum + 1, max(limits.step, 1)))
        if not reachable or not reachable <= set(amounts):
            only = " or ".join(map(money, amounts))
            yield Fault(slug, f"The jackpot wager must be {only} only.", wager.jackpot.rule)
    elif limits.minimum != limits.maximum:
        yield Fault(
            slug, "The jackpot wager is one fixed amount: set the minimum equal to the maximum.", wager.jackpot.rule
        )


def _feature_faults(slug: str, feature: FeatureSetup | None, limits: Limits, facts: GameFacts) -> Iterator[Fault]:
    if feature is None:
        return
    allowed = facts.wager(slug).features
    kind = facts.wager(slug).feature(feature.kind)
    if kind is None:
        names = ", ".join(one.kind for one in allowed) or "no feature at all"
        rule = next((one.rule for wager in facts.wagers for one in wager.features), "rules")
        yield Fault(slug, f"The wager cannot have the feature {quoted(feature.kind)}: it can have {names}.", rule)
        return
    try:
        table = chosen_feature_table(facts, slug, feature, kind.tables)
        filled = table.with_bonuses(feature.bonuses)
    except BadInput as fault:
        yield Fault(slug, str(fault), "paytables")
        return
    missing = filled.missing_bonuses({})
    if missing:
        yield Fault(
            slug, f"Table {table.name} needs the operator's bonus for {', '.join(missing)}.", "operator's bonus"
        )
    for line in filled.lines:
        if not isinstance(line.pay, Dollars | OperatorBonus):
            yield Fault(slug, f"{line.printed} pays a fixed amount in dollars, not {words(line.pay)}.", kind.rule)
    least = facts.wager(slug).qualifying
    if feature.qualifying < least:
        sentence = f"A wager of {money(least)} or more qualifies for the feature, not {money(feature.qualifying)}."
        yield Fault(slug, sentence, kind.qualifying_rule)
    elif feature.qualifying > limits.maximum:
        sentence = (
            f"The spot takes at most {money(limits.maximum)}, so nobody could qualify for the feature with "
            f"{money(feature.qualifying)}."
        )
        yield Fault(slug, sentence, kind.qualifying_rule)
