"""The setup form of a table: its values become a setup, with every error next to its field.

An operator's custom paytable comes from a setup. The form carries it in a hidden field.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from cardroom.chart_of_accounts import Currency
from cardroom.documents import read_json
from cardroom.errors import BadInput
from cardroom.games import SetupFault, TableSetup, game
from cardroom.games.game_facts import GameFacts, Wager
from cardroom.games.money import format_cents
from cardroom.games.payout_limit import list_payout_warnings
from cardroom.games.playable_table import BadSetup, select_deck
from cardroom.games.setup import FeatureSetup, OptionValue, WagerLimits, WagerSetup
from cardroom.paytables import CUSTOM_NOTE, BadPaytable, Paytable, PaytableSpec, build_custom_paytable, paytables
from cardroom.paytables.custom_paytable import parse_spec_lines
from cardroom.reports.documents.numbers import humanize_slug
from cardroom.room.jackpot.event_values import SetupChange
from cardroom.room.jackpot.lifecycle import with_displayed_bonuses
from cardroom.room.setup.toml_reader import InvalidSetup
from cardroom.room.table.setup import RoomTableSetup, room_table_to_toml
from cardroom.room.table.terms import validate_terms
from cardroom.service import CardRoom, DealingMode, PlayTerms
from cardroom.service.commands.table_setup import refuse_open_table
from cardroom.service.commands.tables import refuse_bad_name
from cardroom.web.pages.office.actions import Faults, FormReader, FormValues, faults_by_field
from cardroom.web.pages.office.tabulators import chosen_jackpots, read_tabulator, unit_values
from cardroom.web.services.practice_tables import default_practice_setup
from cardroom.web.services.worker_computations import PaytableChoice


def custom_table_values(field: str, custom_table: PaytableSpec | None) -> dict[str, str]:
    """The hidden field of a custom paytable of a wager or its feature."""
    if custom_table is None:
        return {}
    return {field: json.dumps({"name": custom_table.name, "basis": custom_table.basis, "lines": custom_table.lines})}


def read_custom_table(values: FormValues, field: str, chosen: str) -> PaytableSpec | None:
    """The custom paytable in a hidden field, if it has the chosen name; a printed paytable may be chosen instead."""
    custom_table = _parse_custom_table(values.get(field, ""))
    return custom_table if custom_table and custom_table.name == chosen else None


def _parse_custom_table(text: str) -> PaytableSpec | None:
    if not text:
        return None
    match read_json(text, BadPaytable, "The paytable"):
        case {"name": str(name), "basis": str(basis), "lines": lines}:
            return PaytableSpec(name, basis, parse_spec_lines(lines))
    raise BadPaytable("A custom paytable needs a name, a basis, and lines.")


def list_paytables(values: FormValues, slug: str, feature: str | None = None) -> tuple[Paytable, ...]:
    """The paytables from which a wager or its feature takes one: the printed ones and the custom one in the form."""
    printed = paytables(values["game"], slug, feature)
    custom_table = _parse_custom_table(values.get(f"own_feature_table.{slug}" if feature else f"own_table.{slug}", ""))
    if custom_table is None:
        return printed
    try:
        return (*printed, build_custom_paytable(values["game"], slug, custom_table, feature))
    except BadInput:
        return printed  # the validation of the table reports the error


_AMOUNTS: Final = ("min", "max", "step")


class TableForm(NamedTuple):
    """The submitted form: the table that it would add, or how it would change one, and its errors."""

    room_table: RoomTableSetup
    faults: Faults
    """By field or wager."""
    refusal: str
    """The card room's refusal, once the setup itself has no errors."""
    warnings: tuple[str, ...] = ()
    """Warnings for the operator, which are not errors."""
    is_change: bool = False
    changes: tuple[SetupChange, ...] = ()
    """What a change would change."""

    @property
    def setup(self) -> TableSetup:
        """The game's setup."""
        return self.room_table.game

    @property
    def table(self) -> str:
        """The table's name."""
        return self.room_table.table

    @property
    def text(self) -> str:
        """The table's setup file."""
        return room_table_to_toml(self.room_table)

    @property
    def number(self) -> int:
        """The number of errors."""
        return sum(map(len, self.faults.values()))


class WagerForm(NamedTuple):
    """The options of one wager."""

    wager: Wager
    tables: tuple[Paytable, ...]
    open_lines: tuple[str, ...]
    """Lines whose amount the operator chooses."""
    feature_tables: tuple[Paytable, ...]
    feature_lines: tuple[str, ...]


def blank_table(slug: str) -> dict[str, str]:
    """The initial values of the form: a setup without errors."""
    setup = default_practice_setup(slug)
    return {"table": f"{slug}-2", "mode": str(PlayTerms().mode), "money": str(PlayTerms().money)} | setup_values(setup)


def setup_values(setup: TableSetup) -> dict[str, str]:
    """The form's values for a setup."""
    facts, terms = game(setup.game).facts, PlayTerms()
    values = {
        "game": setup.game,
        "seats": str(setup.seats),
        "decks": str(select_deck(setup, facts).decks),
        "jurisdiction": setup.jurisdiction,
        "tabulator": setup.tabulator or "",
        "spots_per_player": "" if setup.spots_per_player is None else str(setup.spots_per_player),
        "spots_notice": _option_text(setup.spots_notice),
        "payout_limit": "" if setup.payout_limit is None else format_cents(setup.payout_limit),
        **_clock_values(terms),
    }
    values |= {
        f"option.{option.name}": _option_text(setup.options.get(option.name, option.default))
        for option in facts.options
    }
    for wager in facts.wagers:
        offered = setup.wagers.get(wager.slug)
        limits = offered.limits if offered else WagerLimits(1_00, 1_00, 1_00)
        values |= {f"offer.{wager.slug}": "on"} if offered else {}
        values[f"paytable.{wager.slug}"] = offered.paytable if offered else paytables(setup.game, wager.slug)[0].name
        amounts = (limits.minimum, limits.maximum, limits.step)
        values |= {f"{name}.{wager.slug}": format_cents(cents) for name, cents in zip(_AMOUNTS, amounts, strict=True)}
        if offered:
            values |= {f"bonus.{wager.slug}.{event}": str(amount) for event, amount in offered.bonuses.items()}
            values |= _feature_values(wager.slug, offered.feature)
            values |= custom_table_values(f"own_table.{wager.slug}", offered.custom_paytable)
    return values


def room_table_values(setup: RoomTableSetup) -> dict[str, str]:
    """The form's values for a table with its play and its tabulator."""
    values = {**setup_values(setup.game), "table": setup.table, "mode": COUNTED_ONLY}
    if setup.tabulator is not None:
        values |= unit_values(setup.tabulator) | {"money": str(setup.tabulator.sensors.money)}
    if setup.play is not None:
        values |= {"mode": str(setup.play.mode), "money": str(setup.play.money), **_clock_values(setup.play)}
    return without_clocks(values)


def _clock_values(terms: PlayTerms) -> dict[str, str]:
    return {"betting": str(terms.betting), "deciding": str(terms.deciding), "buy_in": format_cents(terms.buy_in)}


def _feature_values(slug: str, feature: FeatureSetup | None) -> dict[str, str]:
    if feature is None:
        return {}
    values = {f"feature.{slug}": feature.kind, f"feature_paytable.{slug}": feature.paytable}
    values |= {f"qualifying.{slug}": format_cents(feature.qualifying)} if feature.qualifying is not None else {}
    values |= custom_table_values(f"own_feature_table.{slug}", feature.custom_paytable)
    return values | {f"feature_bonus.{slug}.{event}": str(amount) for event, amount in feature.bonuses.items()}


def _option_text(value: OptionValue) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else value


def read_table_form(card_room: CardRoom, values: FormValues, changed: str = "") -> TableForm:
    """The form with all its errors. ``changed`` is the table that it changes; empty for a new table."""
    rules = game(values.get("game", ""))
    reading = FormReader(values)
    before = card_room.read_table_setup(changed) if changed else None
    setup = _setup(reading, rules.facts)
    money = Currency.REAL if reading.text("money") == Currency.REAL else Currency.PLAY
    play = _terms(reading, setup, money, (before and before.play) or PlayTerms())
    table, refusal = changed or reading.text("table"), ""
    if not changed:
        reading.check("table", lambda: _refuse_used_name(card_room, table))
    jackpots = chosen_jackpots(card_room, reading)
    displayed_setup = with_displayed_bonuses(setup, [card_room.jackpot(jackpot) for jackpot in jackpots])
    faults = reading.faults
    warnings: tuple[str, ...] = ()
    try:
        warnings = list_payout_warnings(rules.open(displayed_setup))
    except BadSetup as bad:
        faults += bad.faults
    unit = read_tabulator(card_room, reading, table, displayed_setup, money) if setup.tabulator else None
    room_table = RoomTableSetup(table, setup, play, unit)
    changes: tuple[SetupChange, ...] = ()
    if not faults:
        try:
            if before is not None:
                card_room.check_table_setup(room_table)
                changes = card_room.list_table_changes(room_table)
            else:
                card_room.check_new_table(room_table)
        except InvalidSetup as bad:
            faults += [
                fault._replace(section=_FIELDS_OF_ERRORS.get(fault.section, fault.section)) for fault in bad.faults
            ]
        except BadInput as fault:
            refusal = str(fault)
    return TableForm(room_table, faults_by_field(faults), refusal, warnings, bool(changed), changes)


def _refuse_used_name(card_room: CardRoom, table: str) -> None:
    refuse_bad_name(table, owner="")
    refuse_open_table(card_room, table)


COUNTED_ONLY: Final = "counted"
"""The mode of a table whose jackpot wagers are counted, and whose cards are not recorded."""


def _terms(reading: FormReader, setup: TableSetup, money: Currency, before: PlayTerms) -> PlayTerms | None:
    """The terms of play. Clocks and a buy-in apply only where the program deals and manages the chips."""
    if reading.text("mode") == COUNTED_ONLY:
        return None
    mode = DealingMode.LIVE if reading.text("mode") == DealingMode.LIVE else DealingMode.AUTOMATIC
    if mode is DealingMode.LIVE:
        if any(name in reading.values for name in AUTOMATIC_TABLE_FIELDS):
            reading.faults.append(SetupFault("mode", _LIVE_WITHOUT_CLOCKS, "setup"))
        return before._replace(mode=mode, money=money)
    terms = before._replace(
        betting=reading.number("betting", before.betting),
        deciding=reading.number("deciding", before.deciding),
        buy_in=reading.amount("buy_in", before.buy_in),
    )
    for name in AUTOMATIC_TABLE_FIELDS:
        alone = PlayTerms()._replace(**{name: getattr(terms, name)})
        if not reading.check(name, partial(validate_terms, alone, setup)):
            terms = terms._replace(**{name: getattr(before, name)})
    return terms._replace(mode=mode, money=money)


AUTOMATIC_TABLE_FIELDS: Final = ("betting", "deciding", "buy_in")
"""The fields of a table that the program deals."""
_LIVE_WITHOUT_CLOCKS: Final = (
    "At a live table the dealer keeps the time and sells the chips. Remove the seconds to bet, the seconds to decide, "
    "and the usual buy-in."
)


def without_clocks(values: FormValues) -> dict[str, str]:
    """The values for a check of the form. The fields that a live table does not have are dropped."""
    automatic = values.get("mode") not in (DealingMode.LIVE, COUNTED_ONLY)
    return {name: text for name, text in values.items() if automatic or name not in AUTOMATIC_TABLE_FIELDS}


_FIELDS_OF_ERRORS: Final = {"positions": "seats", "jackpot": "sensors", "jackpots": "sensors", "game": "sensors"}
"""The form's fields for errors of the tabulator's validation."""


def _setup(reading: FormReader, facts: GameFacts) -> TableSetup:
    values = reading.values
    options: dict[str, OptionValue] = {}
    for option in facts.options:
        option_text = values.get(f"option.{option.name}", _option_text(option.default))
        options[option.name] = next(
            (value for value in option.values if _option_text(value) == option_text), option_text
        )
    spots = values.get("spots_per_player", "").strip()
    return TableSetup(
        game=facts.slug,
        wagers={wager.slug: _wager(reading, wager) for wager in facts.wagers if f"offer.{wager.slug}" in values},
        seats=reading.number("seats", 6),
        decks=reading.number("decks", facts.decks[0].decks) if len(facts.decks) > 1 else None,
        jurisdiction=values.get("jurisdiction", ""),
        tabulator=values.get("tabulator") or None,
        options=options,
        spots_per_player=reading.number("spots_per_player", 4) if spots else None,
        spots_notice=values.get("spots_notice", "yes") == "yes",
        payout_limit=reading.amount("payout_limit", 0) if values.get("payout_limit", "").strip() else None,
    )


def _wager(reading: FormReader, wager: Wager) -> WagerSetup:
    slug, values = wager.slug, reading.values
    limits = WagerLimits(*(reading.amount(f"{name}.{slug}", 1_00, slug) for name in _AMOUNTS))
    kind, feature = values.get(f"feature.{slug}", ""), None
    if kind:
        feature_paytable = values.get(f"feature_paytable.{slug}", "")
        feature = FeatureSetup(
            kind=kind,
            paytable=feature_paytable,
            qualifying=reading.amount(f"qualifying.{slug}", wager.qualifying, slug),
            bonuses=reading.with_prefix(f"feature_bonus.{slug}."),
            custom_paytable=read_custom_table(values, f"own_feature_table.{slug}", feature_paytable),
        )
    paytable_name = values.get(f"paytable.{slug}", "")
    open_lines = _open_lines(list_paytables(values, slug), paytable_name)
    bonus_texts = reading.with_prefix(f"bonus.{slug}.")
    bonuses = {event: amount for event, amount in bonus_texts.items() if event in open_lines}
    custom_table = read_custom_table(values, f"own_table.{slug}", paytable_name)
    return WagerSetup(limits, paytable_name, bonuses, feature, custom_table)


def _open_lines(tables: tuple[Paytable, ...], paytable_name: str) -> tuple[str, ...]:
    return next(
        (tuple(line.trigger for line in table.operator_lines) for table in tables if table.name == paytable_name), ()
    )


def wager_forms(values: FormValues) -> Iterator[WagerForm]:
    """The options of each wager, in the order of the layout."""
    slug = values["game"]
    for wager in game(slug).facts.wagers:
        tables = list_paytables(values, wager.slug)
        kind = wager.feature(values.get(f"feature.{wager.slug}", ""))
        feature_tables = list_paytables(values, wager.slug, kind.paytable_group) if kind else ()
        open_lines = _open_lines(tables, values.get(f"paytable.{wager.slug}", ""))
        feature_lines = _open_lines(feature_tables, values.get(f"feature_paytable.{wager.slug}", ""))
        yield WagerForm(wager, tables, open_lines, feature_tables, feature_lines)


def price_choices(filled: TableForm, form: WagerForm) -> dict[str, PaytableChoice]:
    """The paytables of a wager to price with this setup, by name, the chosen one first."""
    setup, slug = filled.setup, form.wager.slug
    facts = game(setup.game).facts
    settings: dict[str, Any] = {"decks": select_deck(setup, facts).decks, **setup.options}
    offered = setup.wagers.get(slug)
    paytable_name = offered.paytable if offered else ""
    names = sorted((table.name for table in form.tables), key=lambda name: name != paytable_name)
    bonuses = tuple(sorted(offered.bonuses.items())) if offered else ()
    return {
        name: PaytableChoice(
            setup.game, slug, name, bonuses if name == paytable_name else (), tuple(sorted(settings.items()))
        )
        for name in names
    }


def unpriced_reason(filled: TableForm, wager: Wager, table: Paytable) -> str:
    """Why a paytable has no house edge with this setup: it is for other decks or needs the operator's amounts."""
    setup = filled.setup
    if table.is_custom:
        return CUSTOM_NOTE
    decks = select_deck(setup, game(setup.game).facts).decks
    if table.decks and decks not in table.decks:
        return f"for {' or '.join(map(str, table.decks))} decks"
    offered = setup.wagers.get(wager.slug)
    bonuses = offered.bonuses if offered and offered.paytable == table.name else {}
    try:
        missing = () if wager.jackpot else table.with_bonuses(bonuses).missing_bonuses({})
    except BadInput as fault:
        return str(fault)
    return f"depends on your amounts for {', '.join(map(humanize_slug, missing))}" if missing else ""
