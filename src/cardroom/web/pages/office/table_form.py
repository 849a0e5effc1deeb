"""A table's set-up as it is filled in: what was typed becomes a set-up, and every fault is told beside its field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from cardroom.faults import BadInput, quoted
from cardroom.floor import FeltTerms, Floor
from cardroom.floor.desks.felt_opening import checked_felt
from cardroom.games import TableSetup, game
from cardroom.games.money import BadAmount, dollars, money
from cardroom.games.setup import FeatureSetup, Limits, Value, WagerSetup
from cardroom.games.setup_text import setup_text
from cardroom.games.spot import GameFacts, Wager
from cardroom.games.table import BadSetup, Fault, deck_in_use
from cardroom.jackpots import with_displayed_bonuses
from cardroom.paytables import Paytable, paytables
from cardroom.reports.paper.numbers import spoken
from cardroom.web.room.practice import usual_setup
from cardroom.web.room.pricing import Choice

Typed = Mapping[str, str]
_MOST_DIGITS: Final = 6
_AMOUNTS: Final = ("min", "max", "step")


class FilledIn(NamedTuple):
    """A form as it stands: the table that it would open, and what is against it."""

    table: str
    setup: TableSetup
    terms: FeltTerms
    faults: Mapping[str, tuple[Fault, ...]]
    """By field or wager."""
    refusal: str
    """What the floor has against it, once the set-up itself is right."""

    @property
    def text(self) -> str:
        """The table's file."""
        felt = {"betting": self.terms.betting, "deciding": self.terms.deciding, "buy_in": money(self.terms.buy_in)}
        return setup_text(self.setup, {"table": self.table, "felt": felt})

    @property
    def number(self) -> int:
        """How many faults there are."""
        return sum(map(len, self.faults.values()))


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
    usual, facts, terms = usual_setup(slug), game(slug).facts, FeltTerms()
    typed = {
        "game": slug,
        "table": f"{slug}-2",
        "seats": str(usual.seats),
        "decks": str(deck_in_use(usual, facts).decks),
        "jurisdiction": usual.jurisdiction,
        "tabulator": "",
        "spots_per_player": "",
        "spots_notice": "yes",
        "betting": str(terms.betting),
        "deciding": str(terms.deciding),
        "buy_in": money(terms.buy_in),
    }
    typed |= {f"option.{one.name}": _said(one.default) for one in facts.options}
    for wager in facts.wagers:
        offered = usual.wagers.get(wager.slug)
        limits = offered.limits if offered else Limits(1_00, 1_00, 1_00)
        typed |= {f"offer.{wager.slug}": "on"} if offered else {}
        typed[f"paytable.{wager.slug}"] = offered.paytable if offered else paytables(slug, wager.slug)[0].name
        amounts = (limits.minimum, limits.maximum, limits.step)
        typed |= {f"{name}.{wager.slug}": money(cents) for name, cents in zip(_AMOUNTS, amounts, strict=True)}
        for event, amount in (offered.bonuses if offered else {}).items():
            typed[f"bonus.{wager.slug}.{event}"] = str(amount)
    return typed


def _said(value: Value) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else value


class _Reading:
    """Reads what was typed, and notes what cannot be read."""

    def __init__(self, typed: Typed) -> None:
        self.typed, self.faults = typed, list[Fault]()

    def number(self, name: str, usual: int) -> int:
        text = self.typed.get(name, "").strip()
        if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
            return int(text)
        self.faults.append(Fault(name, f"{quoted(text)} is no whole number: write one such as {usual}.", "set-up"))
        return usual

    def amount(self, name: str, where: str, usual: int) -> int:
        try:
            return dollars(self.typed.get(name, ""))
        except BadAmount as fault:
            self.faults.append(Fault(where, str(fault), "set-up"))
            return usual

    def beginning(self, name: str) -> dict[str, str]:
        """What was typed into the fields whose names begin so."""
        found = {key.removeprefix(name): text.strip() for key, text in self.typed.items() if key.startswith(name)}
        return {key: text for key, text in found.items() if text}


def read_form(floor: Floor, typed: Typed) -> FilledIn:
    """What a form says, with every fault at once."""
    rules = game(typed.get("game", ""))
    reading = _Reading(typed)
    setup = _setup(reading, rules.facts)
    terms = FeltTerms(
        betting=reading.number("betting", FeltTerms().betting),
        deciding=reading.number("deciding", FeltTerms().deciding),
        buy_in=reading.amount("buy_in", "buy_in", FeltTerms().buy_in),
    )
    faults, table, refusal = reading.faults, typed.get("table", "").strip(), ""
    try:
        rules.open(setup)
    except BadSetup as bad:
        faults += bad.faults
    if not faults:
        try:
            counted = floor.table(table) if table in floor.tables() else None
            checked_felt(table, as_displayed(floor, table, setup), terms, counted)
        except BadInput as fault:
            refusal = str(fault)
    places: dict[str, tuple[Fault, ...]] = {}
    for one in faults:
        places[one.where] = (*places.get(one.where, ()), one)
    return FilledIn(table, setup, terms, places, refusal)


def as_displayed(floor: Floor, table: str, setup: TableSetup) -> TableSetup:
    """The set-up as the table's tabulator knows it, with the amounts that its jackpots display."""
    if table not in floor.tables() or (counted := floor.table(table)).closed:
        return setup
    return with_displayed_bonuses(setup, [floor.jackpot(one) for one in counted.jackpots])


def _setup(reading: _Reading, facts: GameFacts) -> TableSetup:
    typed = reading.typed
    options: dict[str, Value] = {}
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
    )


def _wager(reading: _Reading, wager: Wager) -> WagerSetup:
    slug, typed = wager.slug, reading.typed
    limits = Limits(*(reading.amount(f"{name}.{slug}", slug, 1_00) for name in _AMOUNTS))
    kind, feature = typed.get(f"feature.{slug}", ""), None
    if kind:
        feature = FeatureSetup(
            kind=kind,
            paytable=typed.get(f"feature_paytable.{slug}", ""),
            qualifying=reading.amount(f"qualifying.{slug}", slug, wager.qualifying),
            bonuses=reading.beginning(f"feature_bonus.{slug}."),
        )
    chosen = typed.get(f"paytable.{slug}", "")
    open_lines = _open_lines(paytables(reading.typed["game"], slug), chosen)
    said = reading.beginning(f"bonus.{slug}.")
    bonuses = {event: amount for event, amount in said.items() if event in open_lines}
    return WagerSetup(limits, chosen, bonuses, feature)


def _open_lines(tables: tuple[Paytable, ...], chosen: str) -> tuple[str, ...]:
    return next((tuple(line.event for line in one.operator_lines) for one in tables if one.name == chosen), ())


def wager_forms(typed: Typed) -> Iterator[WagerForm]:
    """What there is to choose, wager by wager in the order of the layout."""
    slug = typed["game"]
    for wager in game(slug).facts.wagers:
        tables = paytables(slug, wager.slug)
        kind = wager.feature(typed.get(f"feature.{wager.slug}", ""))
        beside = paytables(slug, wager.slug, kind.tables) if kind else ()
        chosen = _open_lines(tables, typed.get(f"paytable.{wager.slug}", ""))
        of_feature = _open_lines(beside, typed.get(f"feature_paytable.{wager.slug}", ""))
        yield WagerForm(wager, tables, chosen, beside, of_feature)


def choices(filled: FilledIn, form: WagerForm) -> dict[str, Choice]:
    """The paytables of a wager as they would be priced under this set-up, by name, the chosen one first."""
    setup, slug = filled.setup, form.wager.slug
    facts = game(setup.game).facts
    settings: dict[str, Any] = {"decks": deck_in_use(setup, facts).decks, **setup.options}
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
    decks = deck_in_use(setup, game(setup.game).facts).decks
    if table.decks and decks not in table.decks:
        return f"for {' or '.join(map(str, table.decks))} decks"
    offered = setup.wagers.get(wager.slug)
    given = offered.bonuses if offered and offered.paytable == table.name else {}
    try:
        missing = () if wager.jackpot else table.with_bonuses(given).missing_bonuses({})
    except BadInput as fault:
        return str(fault)
    return f"hangs on your amounts for {', '.join(map(spoken, missing))}" if missing else ""
