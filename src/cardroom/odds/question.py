"""Which wagers, tables and options somebody asks about, and a sentence for names that do not exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from cardroom.faults import BadInput, close_to, quoted
from cardroom.games import game, game_slugs
from cardroom.odds.pricer import Settings, pricer
from cardroom.odds.result import Setting, WagerLimit
from cardroom.paytables import (
    OTHER,
    BadPay,
    Line,
    OperatorBonus,
    Pay,
    Paytable,
    Percent,
    parse_pay,
    paytable,
    paytables,
)

JACKPOT_WAGER_CENTS = 100
"""The jackpot wager that figures are given for: meters and dollar prizes are held against one dollar."""


class UnknownQuestion(BadInput):
    """A game, wager, table or option that does not exist."""


@dataclass(frozen=True, slots=True)
class Question:
    """One wager under one table and one combination of options."""

    game: str
    wager: str
    table: Paytable
    settings: Settings
    meter: Fraction | None = None
    """In wagers."""
    features: tuple[str, ...] = ()
    """Bonus features that ride on the wager at a table; its figures are without them."""
    limit: WagerLimit | None = None
    """The payout limit of the table, where it covers the wager."""

    @property
    def excludes(self) -> tuple[str, ...]:
        """What the figures leave out, in words."""
        lines = self.table.operator_lines
        if self.meter is not None and lines[:1] == self.table.lines[:1]:
            lines = lines[1:]  # the meter that was given stands for it
        return (*self.features, *(f"the operator's bonus for {line.printed}" for line in lines))

    @property
    def is_jackpot(self) -> bool:
        """Whether the wager plays for a jackpot."""
        return game(self.game).facts.wager(self.wager).jackpot is not None

    @property
    def pays_off_a_meter(self) -> bool:
        """Whether a meter matters; a bonus that is open on top of a jackpot's table stands for one."""
        open_top = self.table.operator_lines[:1] == self.table.lines[:1]
        return self.is_jackpot and (open_top or any(isinstance(line.pay, Percent) for line in self.table.lines))


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody asked for; None means: all of them."""

    game: str | None = None
    wager: str | None = None
    paytable: str | None = None
    settings: Mapping[str, Setting] | None = None
    """Options that are to have this value; the others keep their usual one."""
    every_setting: bool = False
    meter_cents: int | None = None
    bonuses: Mapping[str, str | Pay] | None = None
    table: Paytable | None = None
    """A table that nobody printed."""


def questions(asked: Asked) -> tuple[Question, ...]:
    """Every question that was asked, in the order of the sheets. What changes none of them is refused."""
    found = tuple(_questions(asked))
    if not found:
        raise UnknownQuestion(_nothing_fits(asked))
    refuse_idle_meter(asked.meter_cents, found)
    for name in asked.settings or {}:
        if not any(name in one.settings for one in found):
            raise UnknownQuestion(f"No figure that was asked about depends on the option {quoted(name)}: leave it out.")
    for event in asked.bonuses or {}:
        if not any(_takes_bonus(one, event) for one in found):
            raise UnknownQuestion(
                f"No table that was asked about takes a bonus for {quoted(event)} and is then complete: name the wager "
                "and the paytable, and give every amount that it leaves open."
            )
    if asked.every_setting and (asked.paytable or asked.table) and not any(_has_options(one) for one in found):
        raise UnknownQuestion("One table was asked about, and no option changes its figures: leave out --all.")
    return found


def refuse_idle_meter(cents: int | None, found: Sequence[Question]) -> None:
    """Refuse an amount on a meter that pays nobody."""
    if cents is not None and not any(one.pays_off_a_meter for one in found):
        raise UnknownQuestion("No prize that was asked about is a percentage of a meter: leave out --meter.")


def _has_options(question: Question) -> bool:
    """Whether there is more than one way to ask about its wager."""
    return len(pricer(question.game).settings(question.wager)) > 1


def _takes_bonus(question: Question, event: str) -> bool:
    """Whether an amount of the operator stands in the table of the question, or it may say that all else loses."""
    filled = [line.event for line in question.table.lines if _left_open(line, question.table)]
    return event in filled or (event == OTHER and bool(filled) and question.table.line(OTHER) is None)


def _left_open(line: Line, table: Paytable) -> bool:
    try:
        return isinstance(parse_pay(line.cell, table.basis), OperatorBonus)
    except BadPay:
        return False  # a cell that says in words of its own what a ruling decides


def _questions(asked: Asked) -> Iterator[Question]:
    for slug in _games(asked):
        for wager in _wagers(slug, asked):
            for table in _tables(slug, wager, asked):
                for settings in _settings(slug, wager, asked):
                    if table.decks and settings.get("decks") not in table.decks:
                        continue
                    yield Question(slug, wager, table, settings, _meter(slug, wager, asked))


def _games(asked: Asked) -> Sequence[str]:
    slug = asked.table.game if asked.table else asked.game
    if slug is None:
        return game_slugs()
    return (game(slug).facts.slug,)


def _wagers(slug: str, asked: Asked) -> Sequence[str]:
    known = [wager.slug for wager in game(slug).facts.wagers]
    wanted = asked.table.wager if asked.table else asked.wager
    if wanted is None:
        return known
    if wanted not in known:
        if asked.game is None and asked.table is None:
            return ()  # another game may have it
        meant = close_to(wanted, known)
        there = ", ".join(known)
        raise UnknownQuestion(f"{game(slug).facts.name} has no wager {quoted(wanted)}: it has {there}.{meant}")
    return (wanted,)


def _tables(slug: str, wager: str, asked: Asked) -> Iterator[Paytable]:
    bonuses = asked.bonuses or {}
    if asked.table:
        printed: Sequence[Paytable] = (asked.table,)
    elif asked.paytable is not None and (asked.wager is not None or _has_table(slug, wager, asked.paytable)):
        printed = (paytable(slug, wager, asked.paytable),)
    elif asked.paytable is not None:
        return
    else:
        printed = paytables(slug, wager)
    alone = len(printed) == 1 and bool(printed[0].lines)
    for table in printed:
        open_events = {line.event for line in table.operator_lines}
        if alone:
            table = table.with_bonuses(bonuses)
        else:
            fitting = {event: pay for event, pay in bonuses.items() if event in open_events}
            if open_events and OTHER in bonuses:
                fitting[OTHER] = bonuses[OTHER]
            table = table.with_bonuses(fitting)
        if alone or table.is_numeric or _only_the_top_is_open(slug, wager, table):
            yield _checked(slug, wager, table)


def _only_the_top_is_open(slug: str, wager: str, table: Paytable) -> bool:
    """A jackpot's table with a bonus on top is asked about for its break-even."""
    jackpot = game(slug).facts.wager(wager).jackpot is not None
    return jackpot and table.operator_lines == table.lines[:1]


def _has_table(slug: str, wager: str, name: str) -> bool:
    return any(table.name == name for table in paytables(slug, wager))


def _checked(slug: str, wager: str, table: Paytable) -> Paytable:
    """A table that can be priced: on a jackpot's table the top line may stay open, it is what break-even asks for."""
    missing = table.missing_bonuses({})
    if game(slug).facts.wager(wager).jackpot or not missing:
        return table
    example = f"--bonus {missing[0]}=50"
    raise UnknownQuestion(
        f"Table {table.name} leaves these amounts to the operator: {', '.join(missing)}. Give each, such as {example}."
    )


def _settings(slug: str, wager: str, asked: Asked) -> Sequence[Settings]:
    known = pricer(slug).settings(wager)
    wanted = {name: value for name, value in (asked.settings or {}).items() if name in known[0]}
    if asked.settings and asked.game is not None:
        _refuse_unknown(slug, asked.settings)
    fitting = [one for one in known if all(one[name] == value for name, value in wanted.items())]
    if wanted and not fitting:
        told = "; ".join(f"{name}: {_listed({one[name] for one in known})}" for name in wanted)
        raise UnknownQuestion(f"{wager} of {slug} cannot be asked with that. It can be asked with {told}.")
    if asked.every_setting:
        return fitting
    usual = {name: value for name, value in known[0].items() if name not in wanted}
    return [one for one in fitting if all(one[name] == value for name, value in usual.items())]


def _refuse_unknown(slug: str, settings: Mapping[str, Setting]) -> None:
    known = {name for wager in game(slug).facts.wagers for one in pricer(slug).settings(wager.slug) for name in one}
    for name in settings:
        if name not in known:
            there = f"it has {', '.join(sorted(known))}" if known else "it has none"
            meant, whose = close_to(name, known), game(slug).facts.name
            raise UnknownQuestion(f"No figure of {whose} depends on the option {quoted(name)}: {there}.{meant}")


def _listed(values: set[Setting]) -> str:
    return ", ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in sorted(values, key=str))


def _meter(slug: str, wager: str, asked: Asked) -> Fraction | None:
    if asked.meter_cents is None or game(slug).facts.wager(wager).jackpot is None:
        return None
    return Fraction(asked.meter_cents, JACKPOT_WAGER_CENTS)


def _nothing_fits(asked: Asked) -> str:
    where = game(asked.game).facts.name if asked.game else "No game"
    if asked.paytable is not None:
        names = [
            table.name
            for slug in _games(asked)
            for wager in _wagers(slug, asked)
            for table in paytables(slug, wager)
            if table.name
        ]
        there, meant = ", ".join(dict.fromkeys(names)), close_to(asked.paytable, names)
        return f"{where} has no paytable {quoted(asked.paytable)} there: choose one of {there}.{meant}"
    known = [wager.slug for slug in _games(asked) for wager in game(slug).facts.wagers]
    meant = close_to(asked.wager or "", known)
    return f"There is no wager {quoted(asked.wager)}: choose one of {', '.join(known)}.{meant}"
