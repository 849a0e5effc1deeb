"""Table setups: read a setup file, resolve its paytables, and write it again.

A paytable is a printed one, by its name, or a custom one. ``cardroom.games.playable_table`` checks a setup
against the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from cardroom.documents import DocumentSection, format_toml_key, format_toml_lines, read_toml
from cardroom.errors import BadInput, quote, shorten
from cardroom.games.frozen_map import FrozenMap, freeze
from cardroom.games.game_facts import GameFacts
from cardroom.games.money import format_cents, parse_dollars
from cardroom.paytables import Paytable, PaytableSpec, build_custom_paytable, paytable
from cardroom.paytables.custom_paytable import parse_spec_lines, paytable_to_spec
from cardroom.translation import gettext

T = TypeVar("T")
OptionValue = str | bool


class BadSetupFile(BadInput):
    """A setup file that cannot be read."""


@dataclass(frozen=True, slots=True)
class WagerLimits:
    """The limits of a wager in cents: from ``minimum`` to ``maximum`` in multiples of ``step``."""

    minimum: int
    maximum: int
    step: int

    @property
    def text(self) -> str:
        """
        >>> WagerLimits(5_00, 100_00, 5_00).text, WagerLimits(1_00, 1_00, 1_00).text
        ('$5 to $100 in steps of $5', '$1')
        """
        if self.minimum == self.maximum:
            return format_cents(self.minimum)
        return gettext("{minimum} to {maximum} in steps of {step}").format(
            minimum=format_cents(self.minimum), maximum=format_cents(self.maximum), step=format_cents(self.step)
        )


@dataclass(frozen=True, slots=True)
class FeatureSetup:
    """A bonus feature on a wager: which, its paytable, and the wager that qualifies for it."""

    kind: str
    paytable: str
    qualifying: int
    bonuses: Mapping[str, str] = field(default_factory=FrozenMap)
    custom_paytable: PaytableSpec | None = None
    """The custom paytable of that name; None for a printed one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "bonuses", freeze(self.bonuses))


@dataclass(frozen=True, slots=True)
class WagerSetup:
    """A wager that the table offers."""

    limits: WagerLimits
    paytable: str = ""
    bonuses: Mapping[str, str] = field(default_factory=FrozenMap)
    """The operator's amounts for open lines, by event."""
    feature: FeatureSetup | None = None
    custom_paytable: PaytableSpec | None = None
    """The custom paytable of that name; None for a printed one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "bonuses", freeze(self.bonuses))


@dataclass(frozen=True, slots=True)
class TableSetup:
    """All of an operator's choices for a table."""

    game: str
    wagers: Mapping[str, WagerSetup]
    """In the order of the layout, the main wager first."""
    seats: int = 6
    decks: int | None = None
    """The number of decks of 52; None for the game's usual number."""
    jurisdiction: str = "washington"
    tabulator: str | None = None
    options: Mapping[str, OptionValue] = field(default_factory=FrozenMap)
    spots_per_player: int | None = None
    """The most spots that a player may use; None for the maximum of the rules."""
    spots_notice: bool = True
    """Whether the layout shows how many spots a player may use."""
    payout_limit: int | None = None
    """The most that one deal pays on wagers with long odds, in cents (WAC 230-15-490); None for no limit."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "wagers", freeze(self.wagers))
        object.__setattr__(self, "options", freeze(self.options))


def read_setup(text: str) -> TableSetup:
    """Read a setup from TOML.

    >>> setup = read_setup('''
    ... game = "three-card-prime"
    ... [wagers.ante-play]
    ... paytable = "PW/BB 1"
    ... limits = { min = "$5", max = "$100" }
    ... ''')
    >>> setup.wagers["ante-play"].limits
    WagerLimits(minimum=500, maximum=10000, step=500)
    """
    return setup_from_json(read_toml(text, BadSetupFile, "The setup"))


def setup_from_json(document: object) -> TableSetup:
    """A setup from the mapping of a TOML or JSON document."""
    top = _Reader(document, "the setup")
    setup = TableSetup(
        game=top.require("game", str),
        wagers=FrozenMap(
            {slug: _read_wager(top.section("wagers").reader(slug)) for slug in top.section("wagers").names}
        ),
        seats=top.get("seats", int, 6),
        decks=top.get("decks", int, None),
        jurisdiction=top.get("jurisdiction", str, "washington"),
        tabulator=top.get("tabulator", str, None),
        options=FrozenMap(top.section("options").read_values((str, bool))),
        spots_per_player=top.get("spots_per_player", int, None),
        spots_notice=top.get("spots_notice", bool, True),
        payout_limit=top.amount("payout_limit") if top.has("payout_limit") else None,
    )
    top.refuse_unread()
    return setup


def _read_wager(reader: _Reader) -> WagerSetup:
    limits = reader.section("limits")
    minimum = limits.amount("min")
    custom_paytable = _read_custom_paytable(reader.reader("table")) if reader.has("table") else None
    setup = WagerSetup(
        limits=WagerLimits(minimum, limits.amount("max"), limits.amount("step", minimum)),
        paytable=reader.get("paytable", str, "")
        if custom_paytable is None
        else reader.check_paytable_name(custom_paytable),
        bonuses=FrozenMap(reader.section("bonuses").read_values((str,))),
        feature=_read_feature(reader.reader("feature")) if reader.has("feature") else None,
        custom_paytable=custom_paytable,
    )
    limits.refuse_unread()
    reader.refuse_unread()
    return setup


def _read_feature(reader: _Reader) -> FeatureSetup:
    custom_paytable = _read_custom_paytable(reader.reader("table")) if reader.has("table") else None
    setup = FeatureSetup(
        kind=reader.require("kind", str),
        paytable=reader.require("paytable", str)
        if custom_paytable is None
        else reader.check_paytable_name(custom_paytable),
        qualifying=reader.amount("qualifying"),
        bonuses=FrozenMap(reader.section("bonuses").read_values((str,))),
        custom_paytable=custom_paytable,
    )
    reader.refuse_unread()
    return setup


def _read_custom_paytable(reader: _Reader) -> PaytableSpec:
    table = PaytableSpec(
        name=reader.require("name", str),
        basis=reader.require("basis", str),
        lines=reader.parse("lines", parse_spec_lines),
    )
    reader.refuse_unread()
    return table


def setup_to_json(setup: TableSetup) -> dict[str, Any]:
    """The mapping that ``setup_from_json`` reads again."""
    document: dict[str, Any] = {"game": setup.game, "seats": setup.seats, "jurisdiction": setup.jurisdiction}
    for name in ("decks", "tabulator", "spots_per_player"):
        if getattr(setup, name) is not None:
            document[name] = getattr(setup, name)
    if not setup.spots_notice:
        document["spots_notice"] = False
    if setup.payout_limit is not None:
        document["payout_limit"] = format_cents(setup.payout_limit)
    if setup.options:
        document["options"] = dict(setup.options)
    document["wagers"] = {slug: _wager_to_json(wager) for slug, wager in setup.wagers.items()}
    return document


def _wager_to_json(wager: WagerSetup) -> dict[str, Any]:
    limits = {"min": wager.limits.minimum, "max": wager.limits.maximum, "step": wager.limits.step}
    document: dict[str, Any] = {
        "paytable": wager.paytable,
        "limits": {name: format_cents(cents) for name, cents in limits.items()},
    }
    if wager.custom_paytable:
        document["table"] = _custom_paytable_to_json(wager.custom_paytable)
    if wager.bonuses:
        document["bonuses"] = dict(wager.bonuses)
    if wager.feature:
        document["feature"] = {
            "kind": wager.feature.kind,
            "paytable": wager.feature.paytable,
            "qualifying": format_cents(wager.feature.qualifying),
            **(
                {"table": _custom_paytable_to_json(wager.feature.custom_paytable)}
                if wager.feature.custom_paytable
                else {}
            ),
            **({"bonuses": dict(wager.feature.bonuses)} if wager.feature.bonuses else {}),
        }
    return document


def _custom_paytable_to_json(table: PaytableSpec) -> dict[str, Any]:
    """The lines as a list: stored names have no order, and a table is matched from the top line down."""
    return {"name": table.name, "basis": table.basis, "lines": [list(line) for line in table.lines]}


class _Reader(DocumentSection):
    """Reads one section of a setup."""

    error_type = BadSetupFile
    no_section = "In {where} {found} must be a section."
    missing = "In {where} {name} is missing."
    wrong_kind = "In {where} {name} must be {kind}; {found} is not."
    wrong_value = "In {where} {name}: {wrong}"
    unknown = "In {where} {name} is not known: use {known}."

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._content)

    def amount(self, name: str, default: int | None = None) -> int:
        self._read_names.add(name)
        if name in self._content:
            return self._parse(name, self._content[name], parse_dollars)
        if default is None:
            raise self._error('In {where} {name} is missing: write an amount such as "$5".', name)
        return default

    def has(self, name: str) -> bool:
        """Whether an optional section is present."""
        self._read_names.add(name)
        return name in self._content

    def parse(self, name: str, parser: Callable[[Any], T]) -> T:
        """A required value, parsed."""
        self._read_names.add(name)
        if name not in self._content:
            raise self._error(self.missing, name)
        return self._parse(name, self._content[name], parser)

    def check_paytable_name(self, custom_paytable: PaytableSpec) -> str:
        """The name of a custom paytable; a second name must be equal."""
        name = self.get("paytable", str, custom_paytable.name)
        if name != custom_paytable.name:
            raise self._error(
                "In {where} {name} is " + f"{quote(name)}, and its table is called "
                f"{quote(custom_paytable.name)}: leave one of them out.",
                "paytable",
            )
        return custom_paytable.name

    def reader(self, name: str) -> _Reader:
        self._read_names.add(name)
        return _Reader(self._content[name], f"{self._where}, {shorten(name)}")

    def section(self, name: str) -> _Reader:
        self._read_names.add(name)
        return _Reader(self._content.get(name, {}), f"{self._where}, {name}")

    def read_values(self, kinds: tuple[type, ...]) -> dict[str, Any]:
        for name, value in self._content.items():
            if not isinstance(value, kinds):
                raise self._error(self.wrong_kind, name, kind="a text", found=quote(value))
        return dict(self._content)


class PaytableMismatch(BadInput):
    """A paytable that fits no wager of the table."""


def resolve_paytable(facts: GameFacts, slug: str, setup: WagerSetup) -> Paytable:
    """The paytable of a wager; its operator's lines are still open."""
    return _resolve(facts, slug, setup.paytable, setup.custom_paytable, None)


def resolve_feature_paytable(facts: GameFacts, slug: str, setup: FeatureSetup, paytable_group: str) -> Paytable:
    """The paytable of a feature on a wager, from the printed tables of a group."""
    return _resolve(facts, slug, setup.paytable, setup.custom_paytable, paytable_group)


def _resolve(
    facts: GameFacts, slug: str, name: str, custom_paytable: PaytableSpec | None, feature: str | None
) -> Paytable:
    if custom_paytable is None:
        return paytable(facts.slug, slug, name, feature)
    if custom_paytable.name != name:
        raise PaytableMismatch(
            f"The wager names table {quote(name)} and contains {quote(custom_paytable.name)}: use one of them."
        )
    return build_custom_paytable(facts.slug, slug, custom_paytable, feature)


def with_custom_paytables(setup: TableSetup, tables: Iterable[Paytable], facts: GameFacts) -> TableSetup:
    """A setup with custom paytables for some of its wagers; operator's amounts for those wagers are removed."""
    changed: set[tuple[str, str | None]] = set()
    for table in tables:
        if table.game != setup.game:
            raise PaytableMismatch(f"The paytable {quote(table.name)} is for {table.game}, not for {setup.game}.")
        if (table.wager, table.feature) in changed:
            raise PaytableMismatch(f"Two paytables are for {table.wager}: a table has one, so give one of them.")
        changed.add((table.wager, table.feature))
        wager = setup.wagers.get(table.wager)
        if wager is None:
            raise PaytableMismatch(
                f"The paytable {quote(table.name)} is for {table.wager}, which the table does not offer: it offers "
                f"{', '.join(setup.wagers)}."
            )
        setup = replace(setup, wagers={**setup.wagers, table.wager: _with_custom_paytable(wager, table, facts)})
    return setup


def _with_custom_paytable(wager: WagerSetup, table: Paytable, facts: GameFacts) -> WagerSetup:
    if table.feature is None:
        return replace(wager, paytable=table.name, custom_paytable=paytable_to_spec(table), bonuses={})
    kind = facts.wager(table.wager).feature(wager.feature.kind) if wager.feature else None
    if wager.feature is None or kind is None or kind.paytable_group != table.feature:
        raise PaytableMismatch(
            f"The paytable {quote(table.name)} is for the feature {table.feature} of {table.wager}, and the table has "
            "no such feature: add it to the setup."
        )
    feature_setup = replace(wager.feature, paytable=table.name, custom_paytable=paytable_to_spec(table), bonuses={})
    return replace(wager, feature=feature_setup)


def setup_to_toml(setup: TableSetup, extra_sections: Mapping[str, Any] | None = None) -> str:
    """The setup in TOML; ``extra_sections`` has other values and sections of the file.

    >>> from cardroom.games import read_setup
    >>> setup = read_setup('game = "three-card-prime"\\n[wagers.prime]\\nlimits = { min = "$1", max = "$5" }')
    >>> print(setup_to_toml(setup, {"table": "prime-1"}))
    table = "prime-1"
    game = "three-card-prime"
    seats = 6
    jurisdiction = "washington"
    <BLANKLINE>
    [wagers.prime]
    paytable = ""
    limits = { min = "$1", max = "$5", step = "$1" }
    <BLANKLINE>
    """
    extra, document = dict(extra_sections or {}), setup_to_json(setup)
    wagers = document.pop("wagers")
    values = {name: value for name, value in {**extra, **document}.items() if not isinstance(value, Mapping)}
    sections = {name: value for name, value in {**document, **extra}.items() if isinstance(value, Mapping)}
    lines = [*format_toml_lines(values), ""]
    for slug, wager in wagers.items():
        lines += [f"[wagers.{format_toml_key(slug)}]", *format_toml_lines(wager), ""]
    for name, section in sections.items():
        lines += [f"[{format_toml_key(name)}]", *format_toml_lines(section), ""]
    return "\n".join(lines)
