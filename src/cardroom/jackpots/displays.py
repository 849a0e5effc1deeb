"""TableVision: what the displays of a table say, as plain values; ``cardroom.reports`` draws them.

A display shows whole cents, rounded down; what is left of a cent stays on the meter.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from cardroom.accounts import CENT, Amount, Currency
from cardroom.errors import BadInput
from cardroom.games import Table
from cardroom.games.money import format_cents
from cardroom.games.table import WagerOffer
from cardroom.jackpots.plain import Plain, written
from cardroom.jackpots.setup.jackpot import JackpotKind
from cardroom.jackpots.setup.models import DisplayKind
from cardroom.jackpots.setup.tabulator import CountedWager, TabulatedTable
from cardroom.paytables import Dollars, ForOne, Loss, Pay, Paytable, PaytableLine, Percent, describe_pay

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


class CannotDisplay(BadInput):
    """Something that no display of the table can show."""


class Status(StrEnum):
    """How a jackpot stands."""

    OPEN = "open"
    PENDING = "pending"
    """A prize is locked while it is verified; the others play on for what the meter shows now."""
    UNAVAILABLE = "unavailable"
    """It takes no wagers, does not grow and cannot be won."""
    DARK = "dark"
    """A sign without a jackpot: nobody plays for one there, or it was removed."""


class LevelReading(NamedTuple):
    """What one meter of a jackpot shows."""

    name: str
    amount: Amount
    pays: tuple[str, ...] = ()
    """The events whose percentage comes off it; none given means all."""
    ceiling: int | None = None
    """In cents."""


class JackpotReading(NamedTuple):
    """A jackpot as its meters stand, from the highest level down."""

    name: str
    levels: tuple[LevelReading, ...]
    pending: tuple[Amount, ...] = ()
    """The prizes that are locked."""
    available: bool = True
    removed: bool = False
    """Whether it is gone for good: no display shows it any more."""

    @property
    def status(self) -> Status:
        """Whether it can be won, waits for a prize to be decided, or is out of play."""
        if not self.available:
            return Status.UNAVAILABLE
        return Status.PENDING if self.pending else Status.OPEN


class ShownAmount(NamedTuple):
    """What one level shows."""

    name: str
    cents: int
    ceiling: str


class PrizeLine(NamedTuple):
    """One line of a paytable as players read it."""

    event: str
    prize: str
    worth: str
    """What a percentage comes to at present; empty where the prize says it itself or the amount is not shown."""


class Prizes(NamedTuple):
    """A paytable as players read it."""

    name: str
    lines: tuple[PrizeLine, ...]
    notes: tuple[str, ...]


class Panel(NamedTuple):
    """One jackpot on a display."""

    jackpot: str
    name: str
    kind: JackpotKind
    wager: str
    status: Status
    headline: str
    """What the status is called; empty while all is well."""
    message: str
    """What it means for the players."""
    amounts: tuple[ShownAmount, ...]
    elsewhere: str
    """Where the amount is to be read, when this display cannot follow it."""
    prizes: tuple[Prizes, ...]
    """The jackpot's paytable, and that of a feature which rides on it."""


class Limit(NamedTuple):
    """What may be wagered."""

    wager: str
    limits: str


class Board(NamedTuple):
    """A picture frame's image, or a monitor."""

    kind: DisplayKind
    game: str
    table: str
    panels: tuple[Panel, ...]
    limits: tuple[Limit, ...]
    promotions: tuple[str, ...]
    notices: tuple[str, ...]
    money: Currency = Currency.REAL
    """What the table plays for; the notices say it where it is play money."""


class LedLine(NamedTuple):
    """A sign with one line of lights: the amount, and a text that runs past."""

    kind: DisplayKind
    name: str
    status: Status
    amount: str
    running: str
    money: Currency = Currency.REAL


Display = Board | LedLine
"""Whatever can hang over a table."""
DARK_LINE: Final = LedLine(DisplayKind.LED_LINE, "No jackpot", Status.DARK, "", "")
"""A sign that is switched off."""


def displays(
    table: Table,
    tabulated: TabulatedTable,
    readings: Mapping[str, JackpotReading],
    *,
    promotions: tuple[str, ...] = (),
    payout_cap: int | None = None,
) -> tuple[Display, ...]:
    """What each display of the table's model says. ``readings`` has the jackpots by id; ``payout_cap`` is in cents."""
    played = [wager for wager in tabulated.wagers if wager.jackpot is not None]
    for wager in played:
        if wager.jackpot not in readings:
            raise CannotDisplay(f"The displays of {tabulated.table} need to know what jackpot {wager.jackpot!r} shows.")
        if wager.wager not in table.offers:
            raise CannotDisplay(f"{tabulated.table} counts {wager.wager} wagers, but does not offer them.")
    played = [wager for wager in played if wager.jackpot is not None and not readings[wager.jackpot].removed]
    of = tabulated.money
    said = _notices(table, [wager.kind for wager in played], payout_cap, of)
    shown: list[Display] = []
    for screen in tabulated.model.screens:
        panels = tuple(_panel(wager, table.offers[wager.wager], readings, screen.kind) for wager in played)
        if screen.kind is DisplayKind.LED_LINE:
            lines = [_led_line(panel, promotions, said) for panel in panels] or [DARK_LINE]
            shown += [line._replace(money=of) for line in lines]
        else:
            stand = {wager.wager: panel.status for wager, panel in zip(played, panels, strict=True)}
            limits = tuple(_limit(offered, stand) for offered in table.offers.values())
            shown.append(Board(screen.kind, table.facts.name, tabulated.table, panels, limits, promotions, said, of))
    return tuple(shown)


def display_entry(display: Display) -> Plain:
    """A display as plain values."""
    entry: Plain = written(display)
    return entry


def shown_cents(amount: Amount) -> int:
    """What a display shows of an amount.

    >>> shown_cents(1_234_599)
    12345
    """
    return amount // CENT


def exact_money(cents: int) -> str:
    """An amount as a meter shows it, always with its cents.

    >>> exact_money(1_234_500)
    '$12,345.00'
    """
    return f"${cents // 100:,}.{cents % 100:02}"


@cache
def wording() -> Mapping[str, Mapping[str, str]]:
    """What displays say."""
    return tomllib.loads((files("cardroom.jackpots") / "displays.toml").read_text("utf-8"))


def _panel(
    wager: CountedWager, offered: WagerOffer, readings: Mapping[str, JackpotReading], screen: DisplayKind
) -> Panel:
    assert wager.jackpot is not None
    assert wager.kind is not None
    reading = readings[wager.jackpot]
    # A picture frame shows an image until somebody carries another one there, so it cannot follow a meter (BJ-24).
    follows = screen is not DisplayKind.PICTURE_FRAME or wager.kind is JackpotKind.BONUS
    levels = reading.levels if follows and reading.available else ()
    headline, message = _status(reading)
    return Panel(
        jackpot=wager.jackpot,
        name=reading.name,
        kind=wager.kind,
        wager=_wager_words(offered),
        status=reading.status,
        headline=headline,
        message=message,
        amounts=tuple(_shown(level) for level in levels),
        elsewhere="" if follows else wording()["status"]["see-sign"],
        prizes=tuple(_prizes(offered, levels)),
    )


def _status(reading: JackpotReading) -> tuple[str, str]:
    say = wording()["status"]
    match reading.status:
        case Status.OPEN | Status.DARK:
            return "", ""
        case Status.PENDING:
            prizes = [say["pending-more"].format(amount=exact_money(shown_cents(one))) for one in reading.pending]
            return say["pending"], " ".join(prizes)
        case Status.UNAVAILABLE:
            return say["unavailable"], say["unavailable-more"]


def _shown(level: LevelReading) -> ShownAmount:
    ceiling = (
        wording()["status"]["ceiling"].format(amount=format_cents(level.ceiling)) if level.ceiling is not None else ""
    )
    return ShownAmount(level.name, shown_cents(level.amount), ceiling)


def _prizes(offered: WagerOffer, levels: tuple[LevelReading, ...]) -> Iterator[Prizes]:
    say = wording()["paytable"]
    table = offered.paytable
    shares = [say["percentage"]] if any(isinstance(line.pay, Percent) for line in table.lines) else []
    notes = (say[table.basis], say["highest"], *shares)
    yield Prizes(table.name, _lines(table, levels), notes)
    if offered.feature is not None:
        feature = offered.feature
        note = say["feature"].format(feature=feature.name, amount=format_cents(feature.qualifying))
        yield Prizes(feature.name, _lines(feature.paytable, levels), (note,))


def _lines(table: Paytable, levels: tuple[LevelReading, ...]) -> tuple[PrizeLine, ...]:
    """The lines that win something."""
    winning = [line for line in table.lines if line.pay not in (Loss(), Dollars(0))]
    return tuple(PrizeLine(line.label, _prize(line.pay), _worth(line, levels)) for line in winning)


def _prize(pay: Pay) -> str:
    if isinstance(pay, Percent):
        return describe_pay(pay).removesuffix(" of the meter")
    if isinstance(pay, ForOne) and pay.odds.denominator == 1:
        return f"{pay.odds.numerator:,} for 1"
    return describe_pay(pay)


def _worth(line: PaytableLine, levels: tuple[LevelReading, ...]) -> str:
    level = next((level for level in levels if not level.pays or line.trigger in level.pays), None)
    if level is None or not isinstance(line.pay, Percent):
        return ""
    return exact_money(int(shown_cents(level.amount) * line.pay.share))


def _wager_words(offered: WagerOffer) -> str:
    limits = offered.limits
    if limits.minimum == limits.maximum:
        return f"{format_cents(limits.minimum)} wager"
    joint = "or" if limits.minimum + limits.step == limits.maximum else "to"
    return f"{format_cents(limits.minimum)} {joint} {format_cents(limits.maximum)} wager"


def _limit(offered: WagerOffer, stand: Mapping[str, Status]) -> Limit:
    """What may be wagered; on a jackpot's wager nothing while the table plays for no jackpot with it (BJ-36), or while
    that takes none. ``stand`` says how the jackpots stand, by wager."""
    say, status = wording()["status"], stand.get(offered.wager.slug)
    if offered.wager.jackpot is not None and status is None:
        return Limit(offered.wager.name, say["dark"])
    if status is Status.UNAVAILABLE:
        return Limit(offered.wager.name, say["unavailable"].lower())
    limits = offered.limits
    span = {format_cents(limits.minimum): None, format_cents(limits.maximum): None}
    return Limit(offered.wager.name, " to ".join(span))


def _notices(table: Table, kinds: list[JackpotKind | None], payout_cap: int | None, of: Currency) -> tuple[str, ...]:
    say = wording()["notices"]
    said: list[str] = [say["play-money"]] if of is Currency.PLAY else []
    if JackpotKind.BONUS in kinds:
        said.append(say["bonus"])
    if JackpotKind.PROGRESSIVE in kinds and of is Currency.REAL:
        said.append(say["escrow"])
    most = table.spots_per_player
    if most is not None and len(table.offers) > most:
        number = _NUMBERS[most] if most < len(_NUMBERS) else str(most)
        said.append(say["spots"].format(number=number))
    posted = payout_cap if table.payout_limit is None else table.payout_limit.cents
    if posted is not None:
        said.append(say["payout-cap"].format(amount=format_cents(posted)))
    return tuple(said)


def _led_line(panel: Panel, promotions: tuple[str, ...], notices: tuple[str, ...]) -> LedLine:
    amount = exact_money(panel.amounts[0].cents) if panel.amounts else ""
    levels = [f"{level.name}: {exact_money(level.cents)}" for level in panel.amounts[1:]]
    ceilings = [level.ceiling for level in panel.amounts if level.ceiling]
    status = [f"{panel.headline}.", panel.message] if panel.headline else []
    wager = [] if panel.status is Status.UNAVAILABLE else [panel.wager]
    running = "  *  ".join([" ".join([*status, panel.name]), *levels, *wager, *ceilings, *promotions, *notices])
    return LedLine(DisplayKind.LED_LINE, panel.name, panel.status, amount, running)
