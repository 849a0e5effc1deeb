"""PAR sheets as they are asked for: making one, and checking one that somebody handed over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.reading import read_text
from cardroom.cli.shared.table_files import read_table_files
from cardroom.cli.shared.typed import day
from cardroom.errors import BadInput
from cardroom.games import TableSetup
from cardroom.jackpots.setup.jackpot import JackpotSetup, read_jackpot_setup
from cardroom.odds.pricer import Progress
from cardroom.reports.par import ParCheck, check_par, write_par_sheet
from cardroom.reports.par.confirmation_run import DEFAULT_SEED, ConfirmationRequest
from cardroom.reports.par.content import EmbeddedContent
from cardroom.reports.par.jackpot_figures import match_jackpots


class BadParOrder(BadInput):
    """A PAR sheet that is asked for in words that do not fit together."""


@dataclass(frozen=True, slots=True)
class ParOrder:
    """What is to be made. Everything that can be wrong with it is found out before a figure is computed."""

    slug: str
    setup: TableSetup
    file: Path
    prepared: date
    jackpots: tuple[JackpotSetup, ...]
    confirm: ConfirmationRequest


def order(
    slug: str | None,
    output: str | None,
    table_files: Sequence[str] | None,
    prepared: str | None,
    jackpot_files: Sequence[str] = (),
    rounds: int | None = None,
    seed: int | None = None,
) -> ParOrder:
    """Read what was typed; the game may stand in a table file alone."""
    files, named = read_table_files(table_files, slug)
    if named is None:
        raise BadParOrder("Name a game, such as three-card-prime, a table with --table, or a file with --check.")
    table = files.opened(named)  # refuses a set-up with faults, all of them told
    jackpots = tuple(read_jackpot_setup(read_text(file)) for file in jackpot_files)
    match_jackpots(table, jackpots)
    file = Path(output or f"{named}-par.pdf")
    return ParOrder(named, table.setup, file, _day(prepared), jackpots, _confirm(rounds, seed))


def _confirm(rounds: int | None, seed: int | None) -> ConfirmationRequest:
    if rounds == 0 and seed is not None:
        raise BadParOrder("With --confirm 0 no round is played, so there is nothing for --seed to decide.")
    return ConfirmationRequest(rounds, DEFAULT_SEED if seed is None else seed).check()


def _day(typed: str | None) -> date:
    if typed is None:
        return datetime.now(UTC).astimezone().date()  # the day where the sheet is made
    return day(typed, BadParOrder)


def make(wanted: ParOrder, progress: Progress, *, remember: bool) -> Answer:
    """Write the file and say what it is."""
    sheet = write_par_sheet(
        wanted.slug,
        wanted.setup,
        wanted.file,
        wanted.prepared,
        progress,
        confirm=wanted.confirm,
        jackpots=wanted.jackpots,
        remember=remember,
    )
    digest = EmbeddedContent.from_sheet(sheet).digest
    name = sheet.table.facts.name
    made = f"{wanted.file}: PAR sheet of {name}, prepared {wanted.prepared} by {sheet.program}."
    words = f"{made}\nSHA-256 of the content: {digest}"
    entry = {
        "path": str(wanted.file),
        "game": wanted.slug,
        "prepared": wanted.prepared.isoformat(),
        "digest": digest,
        "program": sheet.program.to_json(),
    }
    return Answer(entry, words)


def check(file: str, progress: Progress) -> Answer:
    """Whether a file is as it was made, with every figure computed anew."""
    found = check_par(Path(file), progress=progress)
    return Answer(_entry(file, found), "\n".join(_sentences(file, found)), found.holds)


def _sentences(file: str, found: ParCheck) -> tuple[str, ...]:
    answer = "holds" if found.holds else "does not hold"
    shown = (f"SHA-256 of the content: {found.digest}",) if found.digest else ()
    return (f"{file} {answer}. {found.sentence}", *(f"- {one}" for one in found.differences), *shown)


def _entry(file: str, found: ParCheck) -> dict[str, Any]:
    return {
        "path": file,
        "holds": found.holds,
        "verdict": str(found.verdict),
        "sentence": found.sentence,
        "differences": list(found.differences),
        "digest": found.digest,
    }
