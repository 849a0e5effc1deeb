"""What somebody wants simulated, as it is typed: numbers, amounts and names, and which options go together."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Final

from cardroom.cli.shared.table_files import read_table_files
from cardroom.cli.shared.typed import pairs as named_values
from cardroom.cli.simulate.typed import Typed
from cardroom.errors import BadInput, quote, suggest_name
from cardroom.games import Table, TableSetup, game
from cardroom.games.money import parse_dollars
from cardroom.odds.simulation.runner import check_seed
from cardroom.paytables import Percent

FRESH_SEEDS: Final = 2**53
"""A fresh seed is below it, so that every program that reads JSON keeps its last digit."""
_LONGEST_NUMBER: Final = 60
_NUMBER: Final = re.compile(r"(-?[0-9]+(?:[_,][0-9]{3})*)(?:\.([0-9]+))?(?:e([0-9]{1,2}))?([kmb]?)", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"((tcp|tls|wss?|ucx)://)?(\[[0-9a-f:]+\]|[\w.-]+):[0-9]{1,5}", re.IGNORECASE)
_TIMES: Final = {"": 1, "k": 10**3, "m": 10**6, "b": 10**9}


class BadRequest(BadInput):
    """A simulation that cannot be asked for like this."""


class Mode(StrEnum):
    """What is simulated, by the option that asks for it."""

    ROUNDS = "--rounds"
    SESSIONS = "--sessions"
    PROGRESSIVE = "--progressive"


_GO_WITH: Final[Mapping[Mode, tuple[str, ...]]] = {
    Mode.ROUNDS: ("wager", "cluster", "threads", "meter"),
    Mode.SESSIONS: ("threads", "meter", "bankroll", "bets", "hours", "rounds_per_session", "target", "pace"),
    Mode.PROGRESSIVE: ("pace", "years", "runs", "seed_money", "contribution", "hours_a_day", "seats", "tables"),
}
"""The options that go with one or two of them only."""


def mode_of(typed: Typed) -> Mode:
    """The one thing that is asked for; options that belong to another are refused."""
    asked = [mode for mode in Mode if getattr(typed, mode.removeprefix("--")) is not None]
    if not asked:
        raise BadRequest("Say what to simulate: --rounds N, --sessions N, or --progressive WAGER.")
    if len(asked) > 1:
        raise BadRequest(f"{' and '.join(asked)} are different simulations: ask for one of them at a time.")
    for name in dict.fromkeys(chain(*_GO_WITH.values())):
        modes = [mode for mode, options in _GO_WITH.items() if name in options]
        if getattr(typed, name) not in (None, []) and asked[0] not in modes:
            flag = f"--{name.replace('_', '-')}"
            raise BadRequest(f"{flag} goes with {' or '.join(modes)}, not with {asked[0]}: leave it out.")
    return asked[0]


# Numbers and amounts


def number(text: str, flag: str) -> Fraction:
    """A number as people type it.

    >>> [int(number(text, "--rounds")) for text in ("1000", "1_000", "1,000", "1e3", "1k", "0.001M")]
    [1000, 1000, 1000, 1000, 1000, 1000]
    """
    found = _NUMBER.fullmatch(text.strip()) if len(text) <= _LONGEST_NUMBER else None
    if not found:
        raise BadRequest(f"{flag} {quote(text)} is not a number: write one such as 250, 1_000_000, 1e6 or 10M.")
    digits, after, power, letter = found.groups(default="")
    plain = Fraction(f"{digits.replace('_', '').replace(',', '')}.{after or 0}")
    tens: int = 10 ** int(power or 0)
    return plain * tens * _TIMES[letter.lower()]


def whole(text: str, flag: str) -> int:
    """A whole number."""
    found = number(text, flag)
    if found.denominator != 1:
        raise BadRequest(f"{flag} {quote(text)} is not a whole number: leave out what comes after the point.")
    return int(found)


def at_least_one(text: str | None, flag: str, usual: int) -> int:
    """A whole number that is at least one; the usual one when the option was left out."""
    if text is None:
        return usual
    found = whole(text, flag)
    if found < 1:
        raise BadRequest(f"{flag} cannot be {text}: use at least 1.")
    return found


def needed(text: str | None, flag: str, mode: Mode, example: str) -> str:
    """An option without which a simulation means nothing."""
    if text is None:
        raise BadRequest(f"{mode} needs {flag}, such as {flag} {example}.")
    return text


def threads_of(typed: Typed) -> int | None:
    """How many threads play; None for as many as there are cores."""
    return None if typed.threads is None else at_least_one(typed.threads, "--threads", 1)


def cluster_of(typed: Typed) -> str | None:
    """The address of a scheduler."""
    return address_of(typed.cluster)


def address_of(cluster: str | None) -> str | None:
    """The address of a scheduler, as --cluster names it."""
    if cluster is not None and not _ADDRESS.fullmatch(cluster):
        raise BadRequest(
            f"--cluster {quote(cluster)} is no address: give the one that 'dask scheduler' prints, such as "
            "tcp://10.0.0.1:8786."
        )
    return cluster


def seed_of(typed: Typed) -> int:
    """The seed that was typed, or a fresh one."""
    if typed.seed is None:
        return secrets.randbelow(FRESH_SEEDS)
    if len(typed.seed) > _LONGEST_NUMBER or not re.fullmatch(r"-?[0-9]+", typed.seed.strip()):
        raise BadRequest(f"--seed {quote(typed.seed)} is not a whole number: use one from 0 to 2**64 - 1.")
    seed = int(typed.seed)
    check_seed(seed)
    return seed


def pairs(texts: Sequence[str] | None, flag: str, example: str) -> dict[str, str]:
    """Names and values, typed as NAME=VALUE."""
    return named_values(
        texts,
        lambda text: BadRequest(f"{flag} {quote(text)} cannot be read: write it like {example}."),
        lambda name: BadRequest(f"{flag} names {quote(name)} twice: say it once."),
    )


# The table


def table_of(typed: Typed) -> Table:
    """The table of the files or the usual one of a game, with the paytables and options that were typed."""
    files, slug = read_table_files(typed.table, typed.game)
    if slug is None:
        raise BadRequest("Name a game, such as three-card-prime, or a table with --table FILE.toml.")
    opened = files.opened(slug)
    setup, said = opened.setup, files.setup or TableSetup(slug, {})
    if typed.decks is not None and len(opened.facts.decks) == 1:
        raise BadRequest(f"{opened.facts.name} is always played with {opened.deck.description}: leave out --decks.")
    if typed.decks is not None and said.decks not in (None, typed.decks):
        raise BadRequest(f"The set-up of the table says {said.decks} decks: leave out --decks, or change the file.")
    wagers = dict(setup.wagers)
    for wager, name in pairs(typed.paytable, "--paytable", '--paytable prime="PRW-1"').items():
        if wagers[wager_of(opened, wager)].custom_paytable is not None:
            raise BadRequest(f"The file brings a paytable for {wager}: leave out that file, or --paytable {wager}=…")
        wagers[wager] = replace(wagers[wager], paytable=name, bonuses={})
    options = {
        name: value.lower() == "true" if value.lower() in ("true", "false") else value
        for name, value in pairs(typed.option, "--option", "--option tie_after_tie_bonus=true").items()
    }
    for name, value in options.items():
        if said.options.get(name, value) != value:
            raise BadRequest(f"The set-up of the table decides {name} already: leave out --option, or change the file.")
    changed = replace(
        setup,
        wagers=wagers,
        decks=setup.decks if typed.decks is None else typed.decks,
        options={**setup.options, **options},
    )
    return opened if changed == setup else game(setup.game).open(changed)


def wager_of(table: Table, slug: str) -> str:
    """A wager that the table offers."""
    if slug not in table.offers:
        there, meant = ", ".join(table.offers), suggest_name(slug, table.offers)
        raise BadRequest(f"This table has no wager {quote(slug)}: it has {there}.{meant}")
    return slug


def on_a_meter(table: Table, slugs: Iterable[str]) -> list[str]:
    """Those of the wagers with a prize that is a percentage of a meter."""
    lines = {slug: table.offers[slug].paytable.lines for slug in slugs}
    return [slug for slug, found in lines.items() if any(isinstance(line.pay, Percent) for line in found)]


def meter_of(typed: Typed, table: Table, slugs: Sequence[str]) -> int | None:
    """What the meters of these wagers show, in cents; None when it was left out."""
    if typed.meter is None:
        return None
    if not on_a_meter(table, slugs):
        raise BadRequest(f"No prize of {', '.join(slugs)} is a percentage of a meter: leave out --meter.")
    return parse_dollars(typed.meter)


def bets_of(table: Table, texts: Sequence[str]) -> dict[str, int]:
    """Wagers in cents by spot. A spot may go by its wager's name, and by the beginning of a name that is no other's."""
    typed = [part for text in texts for part in re.split(r",(?![0-9]{3})", text)]
    found: dict[str, int] = {}
    for name, amount in pairs(typed, "--bets", '--bets "ante-play=10,prime=5"').items():
        spot = _spot(table, name)
        if spot in found:
            raise BadRequest(f"--bets names the spot {quote(spot)} twice: say it once.")
        found[spot] = parse_dollars(amount)
    return found


def _spot(table: Table, name: str) -> str:
    names = {spot: spot for spot in table.spots}
    for spot, offered in table.spots.items():
        names.setdefault(offered.wager.slug, spot)
    if name in names:
        return names[name]
    meant = {spot for known, spot in names.items() if known.startswith(name)}
    if len(meant) != 1:
        raise BadRequest(f"This table has no spot {quote(name)}: it has {', '.join(table.spots)}.")
    return meant.pop()


# The chart


def chart_file(typed: Typed) -> Path | None:
    """Where the chart is to be written, once it is clear that it can be."""
    if typed.chart is None:
        return None
    from cardroom.reports.charts import refuse_chart_file

    refuse_chart_file(typed.chart)
    return Path(typed.chart)
