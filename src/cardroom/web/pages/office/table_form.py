"""A table's set-up as it is filled in: what was typed becomes a set-up, and every fault is told beside its field."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from cardroom.accounts import Currency
from cardroom.errors import BadInput
from cardroom.floor import FeltTerms, Floor, Mode
from cardroom.floor.desks.felt_opening import checked_felt, refuse_if_open, refuse_name
from cardroom.floor.felt.terms import checked_terms
from cardroom.floor.kept.table import TableState
from cardroom.games import SetupFault, TableSetup, game
from cardroom.games.game_facts import GameFacts, Wager
from cardroom.games.money import format_cents
from cardroom.games.payout_limit import list_payout_warnings
from cardroom.games.setup import FeatureSetup, OptionValue, WagerLimits, WagerSetup, setup_to_toml
from cardroom.games.table import BadSetup, select_deck
from cardroom.jackpots import with_displayed_bonuses
from cardroom.jackpots.setup.faults import FaultyInput
from cardroom.paytables import CUSTOM_NOTE, Paytable, paytables
from cardroom.reports.documents.numbers import humanize_slug
from cardroom.web.pages.office.fields import Faults, Fields, Typed, by_place
from cardroom.web.pages.office.own_table import carried, own_typed, with_carried
from cardroom.web.pages.office.tabulator_form import (
    FilledTabulator,
    jackpots_chosen,
    read_tabulator,
    standing_tabulator,
)
from cardroom.web.room.practice import usual_setup
from cardroom.web.room.pricing import Choice

_AMOUNTS: Final = ("min", "max", "step")


class FilledIn(NamedTuple):
    """A form as it stands: the table that it would open, and what is against it."""

    table: str
    setup: TableSetup
    terms: FeltTerms
    faults: Faults
    """By field or wager."""
    refusal: str
    """What the floor has against it, once the set-up itself is right."""
    tabulator: FilledTabulator | None
    """The tabulator that it gets; None where it gets none, or has one."""
    standing: TableState | None
    """The table as its tabulator knows it, where one stands there already."""
    warnings: tuple[str, ...] = ()
    """What the operator should know before it opens; nothing of it is a fault."""

    @property
    def text(self) -> str:
        """The table's file."""
        beside = {"table": self.table, **(self.tabulator.file if self.tabulator else {})}
        return setup_to_toml(self.setup, beside | {"felt": felt_section(self.terms)})

    @property
    def number(self) -> int:
        """How many faults there are."""
        return sum(map(len, self.faults.values()))


def felt_section(terms: FeltTerms) -> dict[str, str | int]:
    """The section of a table's file that says how it is played at."""
    section: dict[str, str | int] = {"mode": str(terms.mode), "money": str(terms.money)}
    if terms.mode is Mode.LIVE:
        return section
    return section | {"betting": terms.betting, "deciding": terms.deciding, "buy_in": format_cents(terms.buy_in)}


class WagerForm(NamedTuple):
    """What there is to choose for one wager."""

    wager: Wager
    tables: tuple[Paytable, ...]
    open_lines: tuple[str, ...]
    """Events whose amount the chosen paytable leaves to the operator."""
    feature_tables: tuple[Paytable, ...]
    feature_lines: tuple[str, ...]


def blank(slug: str) -> dict[str, str]:
    """The form before anybody types: a set-up that opens as it is."""
    usual = usual_setup(slug)
    return {"table": f"{slug}-2", "mode": str(FeltTerms().mode), "money": str(FeltTerms().money)} | as_typed(usual)


def as_typed(setup: TableSetup) -> dict[str, str]:
    """A set-up as it stands in the form."""
    facts, terms = game(setup.game).facts, FeltTerms()
    typed = {
        "game": setup.game,
        "seats": str(setup.seats),
        "decks": str(select_deck(setup, facts).decks),
        "jurisdiction": setup.jurisdiction,
        "tabulator": setup.tabulator or "",
        "spots_per_player": "" if setup.spots_per_player is None else str(setup.spots_per_player),
        "spots_notice": _said(setup.spots_notice),
        "payout_limit": "" if setup.payout_limit is None else format_cents(setup.payout_limit),
        "betting": str(terms.betting),
        "deciding": str(terms.deciding),
        "buy_in": format_cents(terms.buy_in),
    }
    typed |= {f"option.{one.name}": _said(setup.options.get(one.name, one.default)) for one in facts.options}
    for wager in facts.wagers:
        offered = setup.wagers.get(wager.slug)
        limits = offered.limits if offered else WagerLimits(1_00, 1_00, 1_00)
        typed |= {f"offer.{wager.slug}": "on"} if offered else {}
        typed[f"paytable.{wager.slug}"] = offered.paytable if offered else paytables(setup.game, wager.slug)[0].name
        amounts = (limits.minimum, limits.maximum, limits.step)
        typed |= {f"{name}.{wager.slug}": format_cents(cents) for name, cents in zip(_AMOUNTS, amounts, strict=True)}
        if offered:
            typed |= {f"bonus.{wager.slug}.{event}": str(amount) for event, amount in offered.bonuses.items()}
            typed |= _feature_typed(wager.slug, offered.feature) | own_typed(wager.slug, offered)
    return typed


def _feature_typed(slug: str, feature: FeatureSetup | None) -> dict[str, str]:
    if feature is None:
        return {}
    typed = {f"feature.{slug}": feature.kind, f"feature_paytable.{slug}": feature.paytable}
    typed |= {f"qualifying.{slug}": format_cents(feature.qualifying)} if feature.qualifying is not None else {}
    return typed | {f"feature_bonus.{slug}.{event}": str(amount) for event, amount in feature.bonuses.items()}


def _said(value: OptionValue) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else value


def read_form(floor: Floor, typed: Typed) -> FilledIn:
    """What a form says, with every fault at once."""
    rules = game(typed.get("game", ""))
    reading = Fields(typed)
    setup = _setup(reading, rules.facts)
    terms = _terms(reading, setup)
    table, refusal = reading.text("table"), ""
    reading.note("table", lambda: _refuse_named(floor, table))
    standing = standing_tabulator(floor, table)
    jackpots = standing.jackpots if standing else jackpots_chosen(floor, reading)
    shown = with_displayed_bonuses(setup, [floor.jackpot(one) for one in jackpots])
    faults = reading.faults
    warned: tuple[str, ...] = ()
    try:
        warned = list_payout_warnings(rules.open(shown))
    except BadSetup as bad:
        faults += bad.faults
    tabulator = None
    if standing is None and setup.tabulator:
        tabulator = read_tabulator(floor, reading, table, shown, terms.money)
    if not faults:
        try:
            counted = standing
            if tabulator is not None:
                counted = floor.as_it_would_stand(setup, tabulator.setup, tabulator.unit, tabulator.counters)
            checked_felt(table, shown, terms, counted)
        except FaultyInput as bad:
            faults += [one._replace(section=_PLACES.get(one.section, one.section)) for one in bad.faults]
        except BadInput as fault:
            refusal = str(fault)
    return FilledIn(table, setup, terms, by_place(faults), refusal, tabulator, standing, warned)


def _refuse_named(floor: Floor, table: str) -> None:
    refuse_name(table, owner="")
    refuse_if_open(floor.felt(table) if floor.felt_version(table) else None)


def _terms(reading: Fields, setup: TableSetup) -> FeltTerms:
    """How it is played at. Clocks and a buy-in have meaning only where the program deals and has the chips."""
    usual = FeltTerms()
    mode = Mode.LIVE if reading.text("mode") == Mode.LIVE else Mode.AUTOMATIC
    money_of = Currency.REAL if reading.text("money") == Currency.REAL else Currency.PLAY
    if mode is Mode.LIVE:
        if any(name in reading.typed for name in BY_THE_PROGRAM):
            reading.faults.append(SetupFault("mode", _LIVE_HAS_NONE, "set-up"))
        return usual._replace(mode=mode, money=money_of)
    terms = usual._replace(
        betting=reading.number("betting", usual.betting),
        deciding=reading.number("deciding", usual.deciding),
        buy_in=reading.amount("buy_in", usual.buy_in),
    )
    for name in BY_THE_PROGRAM:
        alone = usual._replace(**{name: getattr(terms, name)})
        if not reading.note(name, partial(checked_terms, alone, setup)):
            terms = terms._replace(**{name: getattr(usual, name)})
    return terms._replace(mode=mode, money=money_of)


BY_THE_PROGRAM: Final = ("betting", "deciding", "buy_in")
"""Fields of a table at which the program deals."""
_LIVE_HAS_NONE: Final = (
    "A dealer keeps the time and sells the chips: a table that is dealt by a dealer has no seconds for wagers or for "
    "an answer, and no customary buy-in. Leave them out."
)


def without_clocks(typed: Typed) -> dict[str, str]:
    """The form as it is looked through while somebody chooses: what a live table does not have is dropped."""
    live = typed.get("mode") == Mode.LIVE
    return {name: text for name, text in typed.items() if not (live and name in BY_THE_PROGRAM)}


_PLACES: Final = {"positions": "seats", "jackpot": "sensors", "jackpots": "sensors", "game": "sensors"}
"""Where the form has what the door of a tabulator calls otherwise."""


def as_displayed(floor: Floor, table: str, setup: TableSetup) -> TableSetup:
    """The set-up as the table's tabulator knows it, with the amounts that its jackpots display."""
    counted = standing_tabulator(floor, table)
    return setup if counted is None else with_displayed_bonuses(setup, [floor.jackpot(one) for one in counted.jackpots])


def _setup(reading: Fields, facts: GameFacts) -> TableSetup:
    typed = reading.typed
    options: dict[str, OptionValue] = {}
    for option in facts.options:
        said = typed.get(f"option.{option.name}", _said(option.default))
        options[option.name] = next((one for one in option.values if _said(one) == said), said)
    spots = typed.get("spots_per_player", "").strip()
    return TableSetup(
        game=facts.slug,
        wagers={one.slug: _wager(reading, one) for one in facts.wagers if f"offer.{one.slug}" in typed},
        seats=reading.number("seats", 6),
        decks=reading.number("decks", facts.decks[0].decks) if len(facts.decks) > 1 else None,
        jurisdiction=typed.get("jurisdiction", ""),
        tabulator=typed.get("tabulator") or None,
        options=options,
        spots_per_player=reading.number("spots_per_player", 4) if spots else None,
        spots_notice=typed.get("spots_notice", "yes") == "yes",
        payout_limit=reading.amount("payout_limit", 0) if typed.get("payout_limit", "").strip() else None,
    )


def _wager(reading: Fields, wager: Wager) -> WagerSetup:
    slug, typed = wager.slug, reading.typed
    limits = WagerLimits(*(reading.amount(f"{name}.{slug}", 1_00, slug) for name in _AMOUNTS))
    kind, feature = typed.get(f"feature.{slug}", ""), None
    if kind:
        feature = FeatureSetup(
            kind=kind,
            paytable=typed.get(f"feature_paytable.{slug}", ""),
            qualifying=reading.amount(f"qualifying.{slug}", wager.qualifying, slug),
            bonuses=reading.beginning(f"feature_bonus.{slug}."),
        )
    chosen = typed.get(f"paytable.{slug}", "")
    open_lines = _open_lines(with_carried(typed, slug, paytables(typed["game"], slug)), chosen)
    said = reading.beginning(f"bonus.{slug}.")
    bonuses = {event: amount for event, amount in said.items() if event in open_lines}
    own = carried(typed, slug)
    return WagerSetup(limits, chosen, bonuses, feature, own if own and own.name == chosen else None)


def _open_lines(tables: tuple[Paytable, ...], chosen: str) -> tuple[str, ...]:
    return next((tuple(line.trigger for line in one.operator_lines) for one in tables if one.name == chosen), ())


def wager_forms(typed: Typed) -> Iterator[WagerForm]:
    """What there is to choose, wager by wager in the order of the layout."""
    slug = typed["game"]
    for wager in game(slug).facts.wagers:
        tables = with_carried(typed, wager.slug, paytables(slug, wager.slug))
        kind = wager.feature(typed.get(f"feature.{wager.slug}", ""))
        beside = paytables(slug, wager.slug, kind.paytable_group) if kind else ()
        chosen = _open_lines(tables, typed.get(f"paytable.{wager.slug}", ""))
        of_feature = _open_lines(beside, typed.get(f"feature_paytable.{wager.slug}", ""))
        yield WagerForm(wager, tables, chosen, beside, of_feature)


def choices(filled: FilledIn, form: WagerForm) -> dict[str, Choice]:
    """The paytables of a wager as they would be priced under this set-up, by name, the chosen one first."""
    setup, slug = filled.setup, form.wager.slug
    facts = game(setup.game).facts
    settings: dict[str, Any] = {"decks": select_deck(setup, facts).decks, **setup.options}
    offered = setup.wagers.get(slug)
    chosen = offered.paytable if offered else ""
    names = sorted((one.name for one in form.tables), key=lambda name: name != chosen)
    bonuses = tuple(sorted(offered.bonuses.items())) if offered else ()
    return {
        name: Choice(setup.game, slug, name, bonuses if name == chosen else (), tuple(sorted(settings.items())))
        for name in names
    }


def unpriced(filled: FilledIn, wager: Wager, table: Paytable) -> str:
    """Why a paytable has no edge under this set-up: it is for other decks, or waits for the operator's amounts."""
    setup = filled.setup
    if table.is_custom:
        return CUSTOM_NOTE
    decks = select_deck(setup, game(setup.game).facts).decks
    if table.decks and decks not in table.decks:
        return f"for {' or '.join(map(str, table.decks))} decks"
    offered = setup.wagers.get(wager.slug)
    given = offered.bonuses if offered and offered.paytable == table.name else {}
    try:
        missing = () if wager.jackpot else table.with_bonuses(given).missing_bonuses({})
    except BadInput as fault:
        return str(fault)
    return f"hangs on your amounts for {', '.join(map(humanize_slug, missing))}" if missing else ""
