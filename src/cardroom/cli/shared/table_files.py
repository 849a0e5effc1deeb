"""Read the files of ``--table``: a table setup or a custom paytable, depending on the file's content.

Warnings about a correct setup go to standard error.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

import typer

from cardroom.cli.shared.files import read_text, source_name
from cardroom.documents import read_toml
from cardroom.errors import BadInput, quote
from cardroom.games import Table, TableSetup, default_setup, game
from cardroom.games.payout_limit import list_payout_warnings
from cardroom.games.setup import setup_from_json, with_custom_paytables
from cardroom.paytables import Paytable
from cardroom.paytables.custom_paytable import parse_custom_paytable

FILE_KINDS_TEXT = (
    "name a paytable, which has [lines] with the pay of each event, or a table setup, which has [wagers] with their "
    "limits"
)


class BadTableFile(BadInput):
    """A file that is neither a paytable nor a setup, or files that do not fit together."""


class TableFiles(NamedTuple):
    """The contents of the files."""

    setup: TableSetup | None
    paytables: tuple[Paytable, ...]

    @property
    def game(self) -> str | None:
        """The game of the files."""
        return self.setup.game if self.setup else self.paytables[0].game if self.paytables else None

    def open_table(self, slug: str) -> Table:
        """The table of the setup, or the default one of the game, with these paytables."""
        rules = game(slug)
        return rules.open(with_custom_paytables(self.setup or default_setup(slug), self.paytables, rules.facts))


def read_table_files(files: Sequence[str] | None, slug: str | None) -> tuple[TableFiles, str | None]:
    """The files and the game: the named one, whose name may be short, or the one of the files."""
    setups: list[TableSetup] = []
    tables: list[Paytable] = []
    for file in files or ():
        content = _read_table_file(file)
        if isinstance(content, TableSetup):
            setups.append(content)
        else:
            tables.append(content)
    if len(setups) > 1:
        raise BadTableFile("Two of the files are table setups: name only one.")
    table_files = TableFiles(setups[0] if setups else None, tuple(tables))
    for table in tables:
        if table.game != table_files.game:
            raise BadTableFile(f"The files are for {table_files.game} and {table.game}: name files of one game.")
    if slug is None:
        return table_files, table_files.game
    game_slug = game(slug).facts.slug
    if table_files.game is not None and game_slug != table_files.game:
        raise BadTableFile(
            f"The table file is for {table_files.game}, not {game_slug}: leave the game out, or name that one."
        )
    return table_files, game_slug


def read_custom_paytables(files: Sequence[str], slug: str | None, wager: str | None) -> tuple[Paytable, ...]:
    """The custom paytables in the files, including those of a table setup."""
    table_files, game_slug = read_table_files(files, slug)
    paytables = table_files.paytables
    if table_files.setup is not None:
        offered = table_files.open_table(game_slug or "").offers.values()
        feature_tables = (offer.feature.paytable for offer in offered if offer.feature)
        paytables = tuple(
            table for table in (*(offer.paytable for offer in offered), *feature_tables) if table.is_custom
        )
    matches = tuple(table for table in paytables if wager in (None, table.wager))
    if not matches:
        target = "for any wager" if wager is None else f"for {quote(wager)}"
        raise BadTableFile(f"The files have no custom paytable {target}: leave out --table.")
    return matches


def _read_table_file(file: str) -> TableSetup | Paytable:
    content = read_toml(read_text(file), BadTableFile, source_name(file))
    if "wagers" in content:
        return setup_from_json(content)
    if "lines" in content or "wager" in content:
        return parse_custom_paytable(content)
    raise BadTableFile(f"{source_name(file)} is neither a paytable nor a table setup: {FILE_KINDS_TEXT}.")


def warn_about_payouts(setup: TableSetup) -> None:
    """Warn if a round can cost the card room a lot. Nothing is refused here."""
    with suppress(BadInput):
        for sentence in list_payout_warnings(game(setup.game).open(setup)):
            typer.echo(f"Warning: {sentence}", err=True)
