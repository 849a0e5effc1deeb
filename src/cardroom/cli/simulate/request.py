"""Parse the options of ``cardroom simulate``: numbers, amounts, names, and which options fit together.

Also the output of a simulation and its chart.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cardroom import __version__
from cardroom.cli.shared.options import parse_pairs
from cardroom.cli.shared.output import CommandOutput
from cardroom.cli.shared.table_files import read_table_files
from cardroom.cli.simulate.options import SimulateOptions
from cardroom.errors import BadInput, quote, suggest_name
from cardroom.games import Table, TableSetup, game
from cardroom.games.money import parse_dollars
from cardroom.odds.simulation.runner import check_seed
from cardroom.paytables import Percent

if TYPE_CHECKING:
    from cardroom.reports.charts import Chart


SEED_LIMIT: Final = 2**53
"""Random seeds are smaller, so that every JSON parser keeps their last digit."""
_MAX_NUMBER_LENGTH: Final = 60
_NUMBER: Final = re.compile(r"(-?[0-9]+(?:[_,][0-9]{3})*)(?:\.([0-9]+))?(?:e([0-9]{1,2}))?([kmb]?)", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"((tcp|tls|wss?|ucx)://)?(\[[0-9a-f:]+\]|[\w.-]+):[0-9]{1,5}", re.IGNORECASE)
_SUFFIX_FACTORS: Final = {"": 1, "k": 10**3, "m": 10**6, "b": 10**9}


class BadSimulationRequest(BadInput):
    """Wrong options of a simulation."""


class SimulationMode(StrEnum):
    """The kinds of simulations, by their option."""

    ROUNDS = "--rounds"
    SESSIONS = "--sessions"
    PROGRESSIVE = "--progressive"


_OPTIONS_BY_MODE: Final[Mapping[SimulationMode, tuple[str, ...]]] = {
    SimulationMode.ROUNDS: ("wager", "cluster", "threads", "meter"),
    SimulationMode.SESSIONS: ("threads", "meter", "bankroll", "bets", "hours", "rounds_per_session", "target", "pace"),
    SimulationMode.PROGRESSIVE: (
        "pace",
        "years",
        "runs",
        "seed_money",
        "contribution",
        "hours_a_day",
        "seats",
        "tables",
    ),
}
"""The options that only some kinds have."""


def choose_mode(options: SimulateOptions) -> SimulationMode:
    """The kind of simulation; options of another kind are refused."""
    requested_modes = [mode for mode in SimulationMode if getattr(options, mode.removeprefix("--")) is not None]
    if not requested_modes:
        raise BadSimulationRequest("Choose what to simulate: --rounds N, --sessions N, or --progressive WAGER.")
    if len(requested_modes) > 1:
        raise BadSimulationRequest(f"{' and '.join(requested_modes)} are different simulations: choose one of them.")
    for name in dict.fromkeys(chain(*_OPTIONS_BY_MODE.values())):
        modes = [mode for mode, option_names in _OPTIONS_BY_MODE.items() if name in option_names]
        if getattr(options, name) not in (None, []) and requested_modes[0] not in modes:
            flag = f"--{name.replace('_', '-')}"
            raise BadSimulationRequest(
                f"{flag} works with {' or '.join(modes)}, not with {requested_modes[0]}: leave it out."
            )
    return requested_modes[0]


# Numbers and amounts


def parse_number(text: str, flag: str) -> Fraction:
    """A number in the notations that people use.

    >>> [int(parse_number(text, "--rounds")) for text in ("1000", "1_000", "1,000", "1e3", "1k", "0.001M")]
    [1000, 1000, 1000, 1000, 1000, 1000]
    """
    match = _NUMBER.fullmatch(text.strip()) if len(text) <= _MAX_NUMBER_LENGTH else None
    if not match:
        raise BadSimulationRequest(f"{flag} {quote(text)} is not a number: write it like 250, 1_000_000, 1e6, or 10M.")
    digits, decimals, power, letter = match.groups(default="")
    base = Fraction(f"{digits.replace('_', '').replace(',', '')}.{decimals or 0}")
    factor: int = 10 ** int(power or 0)
    return base * factor * _SUFFIX_FACTORS[letter.lower()]


def parse_whole_number(text: str, flag: str) -> int:
    """A whole number."""
    value = parse_number(text, flag)
    if value.denominator != 1:
        raise BadSimulationRequest(f"{flag} {quote(text)} is not a whole number: leave out the decimals.")
    return int(value)


def parse_positive(text: str | None, flag: str, default: int) -> int:
    """A whole number of at least one, or the default when the option is left out."""
    if text is None:
        return default
    value = parse_whole_number(text, flag)
    if value < 1:
        raise BadSimulationRequest(f"{flag} cannot be {text}: use at least 1.")
    return value


def require_option(text: str | None, flag: str, mode: SimulationMode, example: str) -> str:
    """An option that this kind of simulation needs."""
    if text is None:
        raise BadSimulationRequest(f"{mode} needs {flag}, such as {flag} {example}.")
    return text


def parse_threads(options: SimulateOptions) -> int | None:
    """The number of threads; None for all cores."""
    return None if options.threads is None else parse_positive(options.threads, "--threads", 1)


def parse_cluster(options: SimulateOptions) -> str | None:
    """The address of the Dask scheduler."""
    return parse_scheduler_address(options.cluster)


def parse_scheduler_address(cluster: str | None) -> str | None:
    """The address of the Dask scheduler, checked."""
    if cluster is not None and not _ADDRESS.fullmatch(cluster):
        raise BadSimulationRequest(
            f"--cluster {quote(cluster)} is not an address: use the one that 'dask scheduler' prints, such as "
            "tcp://10.0.0.1:8786."
        )
    return cluster


def parse_seed(options: SimulateOptions) -> int:
    """The seed of the option, or a random one."""
    if options.seed is None:
        return secrets.randbelow(SEED_LIMIT)
    if len(options.seed) > _MAX_NUMBER_LENGTH or not re.fullmatch(r"-?[0-9]+", options.seed.strip()):
        raise BadSimulationRequest(f"--seed {quote(options.seed)} is not a whole number: use one from 0 to 2**64 - 1.")
    seed = int(options.seed)
    check_seed(seed)
    return seed


def parse_option_values(texts: Sequence[str] | None, flag: str, example: str) -> dict[str, str]:
    """Names and values of an option that is written as NAME=VALUE."""
    return parse_pairs(
        texts,
        lambda text: BadSimulationRequest(f"{flag} {quote(text)} cannot be read: write it like {example}."),
        lambda name: BadSimulationRequest(f"{flag} names {quote(name)} twice: name it once."),
    )


# The table


def open_requested_table(arguments: SimulateOptions) -> Table:
    """The table of the files, or the default one of the game, with the paytables and options of the command."""
    files, slug = read_table_files(arguments.table, arguments.game)
    if slug is None:
        raise BadSimulationRequest("Name a game, such as three-card-prime, or a table with --table FILE.toml.")
    table = files.open_table(slug)
    setup, file_setup = table.setup, files.setup or TableSetup(slug, {})
    if arguments.decks is not None and len(table.facts.decks) == 1:
        raise BadSimulationRequest(
            f"{table.facts.name} is always played with {table.deck.description}: leave out --decks."
        )
    if arguments.decks is not None and file_setup.decks not in (None, arguments.decks):
        raise BadSimulationRequest(
            f"The table setup has {file_setup.decks} decks: leave out --decks, or change the file."
        )
    wagers = dict(setup.wagers)
    for wager, name in parse_option_values(arguments.paytable, "--paytable", '--paytable prime="PRW-1"').items():
        if wagers[find_wager(table, wager)].custom_paytable is not None:
            raise BadSimulationRequest(
                f"The file has a paytable for {wager}: leave out that file, or --paytable {wager}=…"
            )
        wagers[wager] = replace(wagers[wager], paytable=name, bonuses={})
    options = {
        name: value.lower() == "true" if value.lower() in ("true", "false") else value
        for name, value in parse_option_values(
            arguments.option, "--option", "--option tie_after_tie_bonus=true"
        ).items()
    }
    for name, value in options.items():
        if file_setup.options.get(name, value) != value:
            raise BadSimulationRequest(f"The table setup already sets {name}: leave out --option, or change the file.")
    new_setup = replace(
        setup,
        wagers=wagers,
        decks=setup.decks if arguments.decks is None else arguments.decks,
        options={**setup.options, **options},
    )
    return table if new_setup == setup else game(setup.game).open(new_setup)


def find_wager(table: Table, slug: str) -> str:
    """A wager that the table offers."""
    if slug not in table.offers:
        wager_list, suggestion = ", ".join(table.offers), suggest_name(slug, table.offers)
        raise BadSimulationRequest(f"This table has no wager {quote(slug)}: it has {wager_list}.{suggestion}")
    return slug


def find_metered_wagers(table: Table, slugs: Iterable[str]) -> list[str]:
    """The wagers that have a prize that is a percentage of a meter."""
    lines = {slug: table.offers[slug].paytable.lines for slug in slugs}
    return [
        slug for slug, paytable_lines in lines.items() if any(isinstance(line.pay, Percent) for line in paytable_lines)
    ]


def parse_meter(options: SimulateOptions, table: Table, slugs: Sequence[str]) -> int | None:
    """The meters of these wagers in cents; None if left out."""
    if options.meter is None:
        return None
    if not find_metered_wagers(table, slugs):
        raise BadSimulationRequest(f"No prize of {', '.join(slugs)} is a percentage of a meter: leave out --meter.")
    return parse_dollars(options.meter)


def parse_bets(table: Table, texts: Sequence[str]) -> dict[str, int]:
    """Wagers in cents by spot. The name of a spot may be its wager's name, or the unique beginning of a name."""
    parts = [part for text in texts for part in re.split(r",(?![0-9]{3})", text)]
    bets: dict[str, int] = {}
    for name, amount in parse_option_values(parts, "--bets", '--bets "ante-play=10,prime=5"').items():
        spot = _find_spot(table, name)
        if spot in bets:
            raise BadSimulationRequest(f"--bets names the spot {quote(spot)} twice: name it once.")
        bets[spot] = parse_dollars(amount)
    return bets


def _find_spot(table: Table, name: str) -> str:
    names = {spot: spot for spot in table.spots}
    for spot, offered in table.spots.items():
        names.setdefault(offered.wager.slug, spot)
    if name in names:
        return names[name]
    matches = {spot for known_name, spot in names.items() if known_name.startswith(name)}
    if len(matches) != 1:
        raise BadSimulationRequest(f"This table has no spot {quote(name)}: it has {', '.join(table.spots)}.")
    return matches.pop()


# The chart


def check_chart_file(options: SimulateOptions) -> Path | None:
    """The chart's file, if it can be written."""
    if options.chart is None:
        return None
    from cardroom.reports.charts import refuse_chart_file

    refuse_chart_file(options.chart)
    return Path(options.chart)


@dataclass(frozen=True)
class SimulationOutput:
    """The output of a simulation."""

    output: CommandOutput
    is_interrupted: bool = False
    draw: Callable[[], str] | None = None
    """Writes the chart and describes it; None without a chart."""


def chart_source(table: Table, seed: int) -> str:
    """The source line below a chart."""
    facts = table.facts
    return f"Cardroom {__version__}, simulated with seed {seed}, {facts.sheet_title}"


def write_chart_file(chart: Chart, path: Path) -> str:
    """Write a chart; its file and title."""
    from cardroom.reports.charts import write_chart

    write_chart(chart, path)
    return f"{path}: {chart.title}"
