"""TableVision: the content of a table's displays as plain values; ``cardroom.reports`` draws them.

A display shows whole cents, rounded down; the fraction of a cent stays on the meter.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from cardroom.chart_of_accounts import CENT, Amount, Currency
from cardroom.errors import BadInput
from cardroom.games import Table
from cardroom.games.money import format_cents
from cardroom.games.playable_table import WagerOffer
from cardroom.paytables import Dollars, ForOne, Loss, Pay, Paytable, PaytableLine, Percent, describe_pay
from cardroom.room.codec import JsonObject, encode
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.setup.tabulator import CountedWager, TabulatedTable
from cardroom.room.setup.tabulator_models import DisplayKind

_NUMBER_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


class CannotDisplay(BadInput):
    """A jackpot or wager that the table's displays cannot show."""


class JackpotStatus(StrEnum):
    """The status of a jackpot on a display."""

    OPEN = "open"
    PENDING = "pending"
    """A prize is locked while it is verified; players play on for the amount that the meter shows now."""
    UNAVAILABLE = "unavailable"
    """It takes no wagers, does not grow, and cannot be won."""
    DARK = "dark"
    """A sign without a jackpot: none is linked, or it was removed."""


class LevelReading(NamedTuple):
    """One meter of a jackpot as shown."""

    name: str
    amount: Amount
    pays: tuple[str, ...] = ()
    """The paytable triggers that take their percentage from it; empty means all."""
    ceiling: int | None = None
    """In cents."""


class JackpotReading(NamedTuple):
    """A jackpot's meters, from the highest level down."""

    name: str
    levels: tuple[LevelReading, ...]
    pending: tuple[Amount, ...] = ()
    """The prizes that are locked."""
    available: bool = True
    removed: bool = False
    """Whether it was removed: no display shows it."""

    @property
    def status(self) -> JackpotStatus:
        """Whether it can be won, has a prize pending, or is out of play."""
        if not self.available:
            return JackpotStatus.UNAVAILABLE
        return JackpotStatus.PENDING if self.pending else JackpotStatus.OPEN


class DisplayedAmount(NamedTuple):
    """The amount of one level as shown."""

    name: str
    cents: int
    ceiling: str


class DisplayedPrizeLine(NamedTuple):
    """One line of a paytable as players read it."""

    event: str
    prize: str
    worth: str
    """The current amount of a percentage; empty if the prize is an amount or the meter is not shown."""


class DisplayedPaytable(NamedTuple):
    """A paytable as players read it."""

    name: str
    lines: tuple[DisplayedPrizeLine, ...]
    notes: tuple[str, ...]


class JackpotPanel(NamedTuple):
    """One jackpot on a display."""

    jackpot: str
    name: str
    kind: JackpotKind
    wager: str
    status: JackpotStatus
    headline: str
    """The status as a headline; empty while the jackpot is open."""
    message: str
    """The status explained to players."""
    amounts: tuple[DisplayedAmount, ...]
    elsewhere: str
    """Where players read the amount, if this display cannot follow it."""
    prizes: tuple[DisplayedPaytable, ...]
    """The jackpot's paytable, and that of its feature."""


class DisplayedLimit(NamedTuple):
    """The limits of one wager."""

    wager: str
    limits: str


class DisplayScreen(NamedTuple):
    """A picture frame's image, or a monitor."""

    kind: DisplayKind
    game: str
    table: str
    panels: tuple[JackpotPanel, ...]
    limits: tuple[DisplayedLimit, ...]
    promotions: tuple[str, ...]
    notices: tuple[str, ...]
    money: Currency = Currency.REAL
    """The currency of the table; a notice names play money."""


class LedLine(NamedTuple):
    """A sign with one line of lights: the amount, and a running text."""

    kind: DisplayKind
    name: str
    status: JackpotStatus
    amount: str
    running: str
    money: Currency = Currency.REAL


Display = DisplayScreen | LedLine
"""The content of any kind of display."""
DARK_LED_LINE: Final = LedLine(DisplayKind.LED_LINE, "No jackpot", JackpotStatus.DARK, "", "")
"""A sign that is switched off."""


def build_displays(
    table: Table,
    tabulated: TabulatedTable,
    readings: Mapping[str, JackpotReading],
    *,
    promotions: tuple[str, ...] = (),
    payout_cap: int | None = None,
) -> tuple[Display, ...]:
    """The content of each display of the table's model. ``readings`` has the jackpots by id; ``payout_cap`` is in
    cents."""
    jackpot_wagers = [wager for wager in tabulated.wagers if wager.jackpot is not None]
    for wager in jackpot_wagers:
        if wager.jackpot not in readings:
            raise CannotDisplay(f"The displays of {tabulated.table} need a reading of jackpot {wager.jackpot!r}.")
        if wager.wager not in table.offers:
            raise CannotDisplay(f"{tabulated.table} counts {wager.wager} wagers but does not offer them.")
    jackpot_wagers = [
        wager for wager in jackpot_wagers if wager.jackpot is not None and not readings[wager.jackpot].removed
    ]
    currency = tabulated.money
    notices = _notices(table, [wager.kind for wager in jackpot_wagers], payout_cap, currency)
    screens: list[Display] = []
    for screen in tabulated.model.screens:
        panels = tuple(
            _build_panel(wager, table.offers[wager.wager], readings, screen.kind) for wager in jackpot_wagers
        )
        if screen.kind is DisplayKind.LED_LINE:
            lines = [_build_led_line(panel, promotions, notices) for panel in panels] or [DARK_LED_LINE]
            screens += [line._replace(money=currency) for line in lines]
        else:
            statuses = {wager.wager: panel.status for wager, panel in zip(jackpot_wagers, panels, strict=True)}
            limits = tuple(_build_limit(offered, statuses) for offered in table.offers.values())
            screens.append(
                DisplayScreen(
                    screen.kind, table.facts.name, tabulated.table, panels, limits, promotions, notices, currency
                )
            )
    return tuple(screens)


def display_to_json(display: Display) -> JsonObject:
    """A display as JSON."""
    entry: JsonObject = encode(display)
    return entry


def displayed_cents(amount: Amount) -> int:
    """The cents of an amount that a display shows.

    >>> displayed_cents(1_234_599)
    12345
    """
    return amount // CENT


def format_meter(cents: int) -> str:
    """An amount as a meter shows it, always with its cents.

    >>> format_meter(1_234_500)
    '$12,345.00'
    """
    return f"${cents // 100:,}.{cents % 100:02}"


@cache
def display_texts() -> Mapping[str, Mapping[str, str]]:
    """The texts of displays, from ``displays.toml``."""
    return tomllib.loads((files("cardroom.room.descriptions") / "displays.toml").read_text("utf-8"))


def _build_panel(
    wager: CountedWager, offered: WagerOffer, readings: Mapping[str, JackpotReading], screen: DisplayKind
) -> JackpotPanel:
    assert wager.jackpot is not None
    assert wager.kind is not None
    reading = readings[wager.jackpot]
    # A picture frame shows one image until a person replaces it, so it cannot follow a meter (BJ-24).
    follows = screen is not DisplayKind.PICTURE_FRAME or wager.kind is JackpotKind.BONUS
    levels = reading.levels if follows and reading.available else ()
    headline, message = _status_texts(reading)
    return JackpotPanel(
        jackpot=wager.jackpot,
        name=reading.name,
        kind=wager.kind,
        wager=_describe_wager(offered),
        status=reading.status,
        headline=headline,
        message=message,
        amounts=tuple(_displayed_amount(level) for level in levels),
        elsewhere="" if follows else display_texts()["status"]["see-sign"],
        prizes=tuple(_displayed_paytables(offered, levels)),
    )


def _status_texts(reading: JackpotReading) -> tuple[str, str]:
    texts = display_texts()["status"]
    match reading.status:
        case JackpotStatus.OPEN | JackpotStatus.DARK:
            return "", ""
        case JackpotStatus.PENDING:
            prizes = [
                texts["pending-more"].format(amount=format_meter(displayed_cents(amount))) for amount in reading.pending
            ]
            return texts["pending"], " ".join(prizes)
        case JackpotStatus.UNAVAILABLE:
            return texts["unavailable"], texts["unavailable-more"]


def _displayed_amount(level: LevelReading) -> DisplayedAmount:
    ceiling = (
        display_texts()["status"]["ceiling"].format(amount=format_cents(level.ceiling))
        if level.ceiling is not None
        else ""
    )
    return DisplayedAmount(level.name, displayed_cents(level.amount), ceiling)


def _displayed_paytables(offered: WagerOffer, levels: tuple[LevelReading, ...]) -> Iterator[DisplayedPaytable]:
    texts = display_texts()["paytable"]
    table = offered.paytable
    shares = [texts["percentage"]] if any(isinstance(line.pay, Percent) for line in table.lines) else []
    notes = (texts[table.basis], texts["highest"], *shares)
    yield DisplayedPaytable(table.name, _winning_lines(table, levels), notes)
    if offered.feature is not None:
        feature = offered.feature
        note = texts["feature"].format(feature=feature.name, amount=format_cents(feature.qualifying))
        yield DisplayedPaytable(feature.name, _winning_lines(feature.paytable, levels), (note,))


def _winning_lines(table: Paytable, levels: tuple[LevelReading, ...]) -> tuple[DisplayedPrizeLine, ...]:
    """The paytable lines that pay."""
    winning = [line for line in table.lines if line.pay not in (Loss(), Dollars(0))]
    return tuple(
        DisplayedPrizeLine(line.label, _format_pay(line.pay), _format_line_value(line, levels)) for line in winning
    )


def _format_pay(pay: Pay) -> str:
    if isinstance(pay, Percent):
        return describe_pay(pay).removesuffix(" of the meter")
    if isinstance(pay, ForOne) and pay.odds.denominator == 1:
        return f"{pay.odds.numerator:,} for 1"
    return describe_pay(pay)


def _format_line_value(line: PaytableLine, levels: tuple[LevelReading, ...]) -> str:
    level = next((level for level in levels if not level.pays or line.trigger in level.pays), None)
    if level is None or not isinstance(line.pay, Percent):
        return ""
    return format_meter(int(displayed_cents(level.amount) * line.pay.share))


def _describe_wager(offered: WagerOffer) -> str:
    limits = offered.limits
    if limits.minimum == limits.maximum:
        return f"{format_cents(limits.minimum)} wager"
    joint = "or" if limits.minimum + limits.step == limits.maximum else "to"
    return f"{format_cents(limits.minimum)} {joint} {format_cents(limits.maximum)} wager"


def _build_limit(offered: WagerOffer, statuses: Mapping[str, JackpotStatus]) -> DisplayedLimit:
    """The limits of a wager. A jackpot's wager has none while no jackpot is linked to it (BJ-36), or while the jackpot
    takes no wagers. ``statuses`` has the jackpots' statuses by wager."""
    texts, status = display_texts()["status"], statuses.get(offered.wager.slug)
    if offered.wager.jackpot is not None and status is None:
        return DisplayedLimit(offered.wager.name, texts["dark"])
    if status is JackpotStatus.UNAVAILABLE:
        return DisplayedLimit(offered.wager.name, texts["unavailable"].lower())
    limits = offered.limits
    span = {format_cents(limits.minimum): None, format_cents(limits.maximum): None}
    return DisplayedLimit(offered.wager.name, " to ".join(span))


def _notices(
    table: Table, kinds: list[JackpotKind | None], payout_cap: int | None, currency: Currency
) -> tuple[str, ...]:
    texts = display_texts()["notices"]
    notices: list[str] = [texts["play-money"]] if currency is Currency.PLAY else []
    if JackpotKind.BONUS in kinds:
        notices.append(texts["bonus"])
    if JackpotKind.PROGRESSIVE in kinds and currency is Currency.REAL:
        notices.append(texts["escrow"])
    spot_limit = table.spots_per_player
    if spot_limit is not None and len(table.offers) > spot_limit:
        number = _NUMBER_WORDS[spot_limit] if spot_limit < len(_NUMBER_WORDS) else str(spot_limit)
        notices.append(texts["spots"].format(number=number))
    posted = payout_cap if table.payout_limit is None else table.payout_limit.cents
    if posted is not None:
        notices.append(texts["payout-cap"].format(amount=format_cents(posted)))
    return tuple(notices)


def _build_led_line(panel: JackpotPanel, promotions: tuple[str, ...], notices: tuple[str, ...]) -> LedLine:
    amount = format_meter(panel.amounts[0].cents) if panel.amounts else ""
    levels = [f"{level.name}: {format_meter(level.cents)}" for level in panel.amounts[1:]]
    ceilings = [level.ceiling for level in panel.amounts if level.ceiling]
    status = [f"{panel.headline}.", panel.message] if panel.headline else []
    wager = [] if panel.status is JackpotStatus.UNAVAILABLE else [panel.wager]
    running = "  *  ".join([" ".join([*status, panel.name]), *levels, *wager, *ceilings, *promotions, *notices])
    return LedLine(DisplayKind.LED_LINE, panel.name, panel.status, amount, running)
