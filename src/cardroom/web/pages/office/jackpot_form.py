"""A jackpot's set-up as it is filled in: what was typed becomes a set-up, and every fault is told beside its field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from cardroom.accounts import Currency
from cardroom.errors import BadInput
from cardroom.games import GameFacts, SetupFault, Wager, game
from cardroom.games.money import format_cents, parse_dollars
from cardroom.jackpots import JackpotKind, JackpotSetup, LevelSetup, OfferSetup, open_jackpot
from cardroom.jackpots.displays import wording
from cardroom.jackpots.setup.example import AMOUNT, MAIN_LEVEL, Example, NoExample, example
from cardroom.jackpots.setup.faults import BadJackpot
from cardroom.jackpots.setup.jackpot_text import jackpot_text, rate_text
from cardroom.jackpots.setup.opening import percentages
from cardroom.jackpots.setup.reading import rate
from cardroom.paytables import Paytable, paytables
from cardroom.web.pages.office.fields import Faults, Fields, Typed, by_place
from cardroom.web.room.pricing import Meters

MOST_LEVELS: Final = 4
"""Meters that the form has room for; a file may have more."""
OF: Final = "of"
"""The hidden field that says which lines the boxes of a level are for: with other lines, all begin on the first."""


class FilledJackpot(NamedTuple):
    """A form as it stands: the jackpot that it would open, and what is against it."""

    setup: JackpotSetup
    printed: Paytable
    """As the sheet prints it."""
    table: Paytable
    """With the operator's amounts as far as they can be read."""
    faults: Faults
    """By field; those of a level by ``level.1``."""

    @property
    def text(self) -> str:
        """The jackpot's file."""
        return jackpot_text(self.setup)

    @property
    def number(self) -> int:
        """How many faults there are."""
        return sum(map(len, self.faults.values()))

    @property
    def events(self) -> tuple[str, ...]:
        """The lines that come off a meter."""
        return tuple(percentages(self.table))

    @property
    def required_words(self) -> tuple[str, ...]:
        """What displays say beside it."""
        say, growing = wording()["notices"], self.setup.kind == JackpotKind.PROGRESSIVE
        play = (say["play-money"],) if self.setup.money is Currency.PLAY else ()
        if growing and play:
            return play
        return (*play, say["escrow"] if growing else say["bonus"])

    @property
    def meters(self) -> Meters | None:
        """What is to be counted; nothing while there are faults."""
        if self.faults:
            return None
        offer = self.setup.offers[0]
        levels = tuple((one.name, one.seed, one.pays) for one in self.setup.levels)
        bonuses = tuple(sorted(offer.bonuses.items()))
        return Meters(offer.game, offer.wager, offer.paytable, bonuses, min(self.setup.wagers), levels)


def jackpot_wagers(facts: GameFacts) -> tuple[Wager, ...]:
    """The wagers of a game that play for a jackpot."""
    return tuple(one for one in facts.wagers if one.jackpot)


def blank(slug: str, kind: str = "", money_of: str = "") -> dict[str, str]:
    """The form before anybody types: a jackpot that opens as it is."""
    facts = game(slug).facts
    try:
        chosen = example(slug, kind or None)
    except NoExample:  # a game that has the other kind only
        chosen = example(slug)
    setup = chosen.jackpot_setup()
    offer = setup.offers[0]
    typed = {
        "game": facts.slug,
        "jackpot": setup.id,
        "name": setup.name,
        "kind": setup.kind,
        "money": money_of or str(setup.money),
        "location": setup.location,
        "jurisdiction": setup.jurisdiction,
        "wager": offer.wager,
        "paytable": offer.paytable,
        "amounts": ", ".join(map(format_cents, setup.wagers)),
        "levels": str(len(setup.levels)),
    }
    typed |= {f"bonus.{event}": amount for event, amount in offer.bonuses.items()}
    return typed | _blank_level(1, chosen)


def _blank_level(number: int, chosen: Example) -> dict[str, str]:
    growing = example(chosen.facts.slug).jackpot_setup().levels
    seed, contribution, reserve, ceiling = 5_000_00, Fraction(1, 5), Fraction(0), ""
    if growing and number == 1:
        level = growing[0]
        seed, contribution, reserve = level.seed, level.contribution or contribution, level.reserve
        ceiling = "" if level.ceiling is None else format_cents(level.ceiling)
    name = MAIN_LEVEL if number == 1 else f"level-{number}"
    said = {
        "name": name,
        "seed": format_cents(seed),
        "amount": format_cents(AMOUNT),
        "ceiling": ceiling,
        "minimum": format_cents(0),
    }
    said |= {"contribution": rate_text(contribution), "reserve": rate_text(reserve)}
    return {f"level.{number}.{field}": text for field, text in said.items()}


def read_form(typed: Typed) -> FilledJackpot:
    """What a form says, with every fault at once."""
    facts = game(typed.get("game", "")).facts
    reading = Fields(typed)
    wager = reading.text("wager") or jackpot_wagers(facts)[0].slug
    tables = paytables(facts.slug, wager) if wager in [one.slug for one in jackpot_wagers(facts)] else ()
    table = next((one for one in tables if one.name == reading.text("paytable")), tables[0] if tables else None)
    if table is None:
        raise NoExample(f"{wager!r} is no jackpot wager of {facts.name}: choose one of its own.")
    lines = [line.trigger for line in table.operator_lines]
    bonuses = {event: text for event in lines if (text := reading.text(f"bonus.{event}"))}
    filled = _with_bonuses(table, bonuses, reading)
    kind = reading.text("kind")
    setup = JackpotSetup(
        id=reading.text("jackpot"),
        name=reading.text("name"),
        kind=kind,
        location=reading.text("location"),
        offers=(OfferSetup(facts.slug, wager, table.name, bonuses),),
        levels=tuple(_levels(reading, kind, tuple(percentages(filled)))),
        wagers=_amounts(reading),
        jurisdiction=reading.text("jurisdiction"),
        money=Currency.PLAY if reading.text("money") == Currency.PLAY else Currency.REAL,
    )
    faults, told = reading.faults, {one.sentence for one in reading.faults}
    try:
        open_jackpot(setup)
    except BadJackpot as bad:
        faults += [placed for one in bad.faults if one.sentence not in told for placed in _placed(one, setup)]
    return FilledJackpot(setup, table, filled, by_place(faults))


def _placed(fault: SetupFault, setup: JackpotSetup) -> Iterator[SetupFault]:
    """A fault beside the fields that the form has for it: a level is told by its number."""
    levels = [number for number, level in enumerate(setup.levels, 1) if level.name == fault.section]
    yield from (fault._replace(section=f"level.{number}") for number in levels)
    if not levels:
        yield fault._replace(section="jackpot") if fault.section == "id" else fault


def _with_bonuses(table: Paytable, bonuses: Mapping[str, str], reading: Fields) -> Paytable:
    """The table with every amount that it can have; an amount that it cannot have is a fault of its field."""
    for event, text in bonuses.items():
        try:
            table = table.with_bonuses({event: text})
        except BadInput as fault:
            reading.faults.append(SetupFault(f"bonus.{event}", str(fault), "paytables"))
    return table


def _amounts(reading: Fields) -> tuple[int, ...]:
    texts = [one.strip() for one in reading.text("amounts").replace(" or ", ", ").split(", ")]
    return reading.read("amounts", lambda _: tuple(sorted({parse_dollars(one) for one in texts})), (1_00,))


def _levels(reading: Fields, kind: str, events: tuple[str, ...]) -> Iterator[LevelSetup]:
    fresh = reading.text(OF) != ",".join(events)
    for number in range(1, level_count(reading.typed) + 1):
        field = f"level.{number}."
        ticked = tuple(event for event in events if f"{field}pays.{event}" in reading.typed)
        pays = (events if number == 1 else ()) if fresh else ticked
        name, minimum = reading.text(f"{field}name"), reading.amount(f"{field}minimum", 0)
        if kind == JackpotKind.BONUS:
            yield LevelSetup(name, pays, reading.amount(f"{field}amount", AMOUNT), minimum=minimum)
            continue
        ceiling = reading.read(f"{field}ceiling", parse_dollars, None) if reading.text(f"{field}ceiling") else None
        yield LevelSetup(
            name,
            pays,
            seed=reading.amount(f"{field}seed", 0),
            contribution=reading.read(f"{field}contribution", rate, Fraction(1, 100)),
            reserve=reading.read(f"{field}reserve", rate, Fraction(0)),
            ceiling=ceiling,
            minimum=minimum,
        )


def level_count(typed: Typed) -> int:
    """How many meters the form has."""
    text = typed.get("levels", "")
    return min(int(text), MOST_LEVELS) if text.isascii() and text.isdigit() and len(text) < 3 else 1


def as_shown(typed: Typed, filled: FilledJackpot) -> dict[str, str]:
    """The fields as they are drawn: with those of a level that has just been asked for, and what is ticked."""
    chosen = example(filled.setup.offers[0].game)
    shown = dict(typed)
    for number, level in enumerate(filled.setup.levels, 1):
        new = f"level.{number}.name" not in typed
        shown |= _blank_level(number, chosen) if new else {}
        shown |= {f"level.{number}.pays.{event}": "on" for event in level.pays}
    return shown | {OF: ",".join(filled.events)}
