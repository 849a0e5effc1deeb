"""A table set-up as an operator writes it. It may be wrong: ``cardroom.games.table`` is the door that checks it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from cardroom.documents import Section, read_toml
from cardroom.faults import BadInput, quoted, shortened
from cardroom.games.frozen import FrozenMap, frozen
from cardroom.games.money import dollars, money
from cardroom.paytables import OwnTable
from cardroom.paytables.custom import own_lines

T = TypeVar("T")
Value = str | bool


class BadSetupFile(BadInput):
    """A set-up that cannot be read at all."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be wagered, in cents: from ``minimum`` to ``maximum`` in multiples of ``step``."""

    minimum: int
    maximum: int
    step: int

    @property
    def words(self) -> str:
        """
        >>> Limits(5_00, 100_00, 5_00).words, Limits(1_00, 1_00, 1_00).words
        ('$5 to $100 in steps of $5', '$1')
        """
        if self.minimum == self.maximum:
            return money(self.minimum)
        return f"{money(self.minimum)} to {money(self.maximum)} in steps of {money(self.step)}"


@dataclass(frozen=True, slots=True)
class FeatureSetup:
    """A bonus feature on a wager: which, its paytable, and the wager that qualifies for it."""

    kind: str
    paytable: str
    qualifying: int
    bonuses: Mapping[str, str] = field(default_factory=FrozenMap)
    table: OwnTable | None = None
    """The paytable of that name, where it is the operator's own and no printed one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "bonuses", frozen(self.bonuses))


@dataclass(frozen=True, slots=True)
class WagerSetup:
    """A wager that the table offers."""

    limits: Limits
    paytable: str = ""
    bonuses: Mapping[str, str] = field(default_factory=FrozenMap)
    """The operator's amounts for the lines that the sheet leaves open, by event."""
    feature: FeatureSetup | None = None
    table: OwnTable | None = None
    """The paytable of that name, where it is the operator's own and no printed one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "bonuses", frozen(self.bonuses))


@dataclass(frozen=True, slots=True)
class TableSetup:
    """Everything an operator decides about a table."""

    game: str
    wagers: Mapping[str, WagerSetup]
    """In the order of the layout, the main wager first."""
    seats: int = 6
    decks: int | None = None
    """How many decks of 52; None for the game's usual number."""
    jurisdiction: str = "washington"
    tabulator: str | None = None
    options: Mapping[str, Value] = field(default_factory=FrozenMap)
    spots_per_player: int | None = None
    """How many spots a player may use; None for as many as the rules allow."""
    spots_notice: bool = True
    """Whether the layout says how many spots a player may use."""
    payout_limit: int | None = None
    """What one deal pays at most on wagers with long odds, in cents (WAC 230-15-490); None for no limit."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "wagers", frozen(self.wagers))
        object.__setattr__(self, "options", frozen(self.options))


def read_setup(text: str) -> TableSetup:
    """Read a set-up from TOML.

    >>> setup = read_setup('''
    ... game = "three-card-prime"
    ... [wagers.ante-play]
    ... paytable = "PW/BB 1"
    ... limits = { min = "$5", max = "$100" }
    ... ''')
    >>> setup.wagers["ante-play"].limits
    Limits(minimum=500, maximum=10000, step=500)
    """
    return setup_from(read_toml(text, BadSetupFile, "The set-up"))


def setup_from(entry: object) -> TableSetup:
    """A set-up from the mapping that TOML or JSON gives."""
    top = _Reader(entry, "the set-up")
    setup = TableSetup(
        game=top.need("game", str),
        wagers=FrozenMap({slug: _wager(top.section("wagers").reader(slug)) for slug in top.section("wagers").names}),
        seats=top.get("seats", int, 6),
        decks=top.get("decks", int, None),
        jurisdiction=top.get("jurisdiction", str, "washington"),
        tabulator=top.get("tabulator", str, None),
        options=FrozenMap(top.section("options").values_of((str, bool))),
        spots_per_player=top.get("spots_per_player", int, None),
        spots_notice=top.get("spots_notice", bool, True),
        payout_limit=top.amount("payout_limit") if top.may("payout_limit") else None,
    )
    top.nothing_else()
    return setup


def _wager(reader: _Reader) -> WagerSetup:
    limits = reader.section("limits")
    minimum = limits.amount("min")
    own = _own(reader.reader("table")) if reader.may("table") else None
    setup = WagerSetup(
        limits=Limits(minimum, limits.amount("max"), limits.amount("step", minimum)),
        paytable=reader.get("paytable", str, "") if own is None else reader.named_like(own),
        bonuses=FrozenMap(reader.section("bonuses").values_of((str,))),
        feature=_feature(reader.reader("feature")) if reader.may("feature") else None,
        table=own,
    )
    limits.nothing_else()
    reader.nothing_else()
    return setup


def _feature(reader: _Reader) -> FeatureSetup:
    own = _own(reader.reader("table")) if reader.may("table") else None
    setup = FeatureSetup(
        kind=reader.need("kind", str),
        paytable=reader.need("paytable", str) if own is None else reader.named_like(own),
        qualifying=reader.amount("qualifying"),
        bonuses=FrozenMap(reader.section("bonuses").values_of((str,))),
        table=own,
    )
    reader.nothing_else()
    return setup


def _own(reader: _Reader) -> OwnTable:
    table = OwnTable(
        name=reader.need("name", str),
        basis=reader.need("basis", str),
        lines=reader.understood("lines", own_lines),
    )
    reader.nothing_else()
    return table


def setup_entry(setup: TableSetup) -> dict[str, Any]:
    """The mapping that ``setup_from`` reads again."""
    entry: dict[str, Any] = {"game": setup.game, "seats": setup.seats, "jurisdiction": setup.jurisdiction}
    for name in ("decks", "tabulator", "spots_per_player"):
        if getattr(setup, name) is not None:
            entry[name] = getattr(setup, name)
    if not setup.spots_notice:
        entry["spots_notice"] = False
    if setup.payout_limit is not None:
        entry["payout_limit"] = money(setup.payout_limit)
    if setup.options:
        entry["options"] = dict(setup.options)
    entry["wagers"] = {slug: _wager_entry(wager) for slug, wager in setup.wagers.items()}
    return entry


def _wager_entry(wager: WagerSetup) -> dict[str, Any]:
    limits = {"min": wager.limits.minimum, "max": wager.limits.maximum, "step": wager.limits.step}
    entry: dict[str, Any] = {
        "paytable": wager.paytable,
        "limits": {name: money(cents) for name, cents in limits.items()},
    }
    if wager.table:
        entry["table"] = _own_entry(wager.table)
    if wager.bonuses:
        entry["bonuses"] = dict(wager.bonuses)
    if wager.feature:
        entry["feature"] = {
            "kind": wager.feature.kind,
            "paytable": wager.feature.paytable,
            "qualifying": money(wager.feature.qualifying),
            **({"table": _own_entry(wager.feature.table)} if wager.feature.table else {}),
            **({"bonuses": dict(wager.feature.bonuses)} if wager.feature.bonuses else {}),
        }
    return entry


def _own_entry(table: OwnTable) -> dict[str, Any]:
    """The lines as a list: names have no order in the books, and a table is matched from the top line down."""
    return {"name": table.name, "basis": table.basis, "lines": [list(line) for line in table.lines]}


class _Reader(Section):
    """Reads one section of a table's set-up."""

    fault = BadSetupFile
    no_section = "In {where} a section is expected where {found} stands."
    missing = "In {where} {name} is missing."
    wrong_kind = "In {where} {name} must be {kind}; {found} is not."
    wrong_value = "In {where} {name}: {wrong}"
    unknown = "In {where} {name} is not known: use {known}."

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._entry)

    def amount(self, name: str, default: int | None = None) -> int:
        self._read.add(name)
        if name in self._entry:
            return self._understood(name, self._entry[name], dollars)
        if default is None:
            raise self._faulty('In {where} {name} is missing: write an amount such as "$5".', name)
        return default

    def may(self, name: str) -> bool:
        """Whether a section that may be left out is there."""
        self._read.add(name)
        return name in self._entry

    def understood(self, name: str, read: Callable[[Any], T]) -> T:
        """What a value that must be there means."""
        self._read.add(name)
        if name not in self._entry:
            raise self._faulty(self.missing, name)
        return self._understood(name, self._entry[name], read)

    def named_like(self, own: OwnTable) -> str:
        """The name of a table that stands here itself; said twice, it is said alike."""
        name = self.get("paytable", str, own.name)
        if name != own.name:
            raise self._faulty(
                "In {where} {name} is " + f"{quoted(name)}, and the table that stands there is called "
                f"{quoted(own.name)}: leave one of them out.",
                "paytable",
            )
        return own.name

    def reader(self, name: str) -> _Reader:
        self._read.add(name)
        return _Reader(self._entry[name], f"{self._where}, {shortened(name)}")

    def section(self, name: str) -> _Reader:
        self._read.add(name)
        return _Reader(self._entry.get(name, {}), f"{self._where}, {name}")

    def values_of(self, kinds: tuple[type, ...]) -> dict[str, Any]:
        for name, value in self._entry.items():
            if not isinstance(value, kinds):
                raise self._faulty(self.wrong_kind, name, kind="a text", found=quoted(value))
        return dict(self._entry)
