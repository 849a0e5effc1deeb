"""What ``--table`` names: the set-up of a table, or a paytable that nobody printed. The file's content says which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardroom.cli.shared.reading import read_text, source_name
from cardroom.documents import read_toml
from cardroom.errors import BadInput, quote
from cardroom.games import Table, TableSetup, default_setup, game
from cardroom.games.setup import setup_from_json, with_custom_paytables
from cardroom.paytables import Paytable
from cardroom.paytables.custom_paytable import parse_custom_paytable

EITHER = (
    "name a paytable, which has [lines] with what each event pays, or the set-up of a table, which has [wagers] with "
    "their limits"
)


class BadTableFile(BadInput):
    """A file that is neither a paytable nor a set-up, or files that do not go together."""


class TableFiles(NamedTuple):
    """The files that were named, read."""

    setup: TableSetup | None
    paytables: tuple[Paytable, ...]

    @property
    def game(self) -> str | None:
        """The game that they are for."""
        return self.setup.game if self.setup else self.paytables[0].game if self.paytables else None

    def opened(self, slug: str) -> Table:
        """The table of the set-up, or the usual one of the game, with these paytables in their places."""
        rules = game(slug)
        return rules.open(with_custom_paytables(self.setup or default_setup(slug), self.paytables, rules.facts))


def read_table_files(files: Sequence[str] | None, slug: str | None) -> tuple[TableFiles, str | None]:
    """The files and the game that is asked for: the one that was typed, which may be short, or the one of the files."""
    setups: list[TableSetup] = []
    tables: list[Paytable] = []
    for file in files or ():
        read = _read(file)
        if isinstance(read, TableSetup):
            setups.append(read)
        else:
            tables.append(read)
    if len(setups) > 1:
        raise BadTableFile("Two of the files are set-ups: there is one table, so name one of them.")
    found = TableFiles(setups[0] if setups else None, tuple(tables))
    for table in tables:
        if table.game != found.game:
            raise BadTableFile(f"The files are for {found.game} and for {table.game}: name files of one game.")
    if slug is None:
        return found, found.game
    named = game(slug).facts.slug
    if found.game is not None and named != found.game:
        raise BadTableFile(
            f"The table file is for {found.game}, not for {named}: leave the game out, or name that one."
        )
    return found, named


def own_tables(files: Sequence[str], slug: str | None, wager: str | None) -> tuple[Paytable, ...]:
    """The paytables that nobody printed, of paytables' files and of a set-up that brings some."""
    read, named = read_table_files(files, slug)
    found = read.paytables
    if read.setup is not None:
        offered = read.opened(named or "").offers.values()
        riding = (one.feature.paytable for one in offered if one.feature)
        found = tuple(table for table in (*(one.paytable for one in offered), *riding) if table.is_custom)
    chosen = tuple(table for table in found if wager in (None, table.wager))
    if not chosen:
        whose = "for any wager" if wager is None else f"for {quote(wager)}"
        raise BadTableFile(f"The files have no paytable {whose} that nobody printed: leave out --table.")
    return chosen


def _read(file: str) -> TableSetup | Paytable:
    content = read_toml(read_text(file), BadTableFile, source_name(file))
    if "wagers" in content:
        return setup_from_json(content)
    if "lines" in content or "wager" in content:
        return parse_custom_paytable(content)
    raise BadTableFile(f"{source_name(file)} is neither a paytable nor a set-up: {EITHER}.")
