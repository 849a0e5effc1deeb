"""A card room that is run through the command line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from cardroom.cli.app import app
from cardroom.floor import Floor
from cardroom.ledger import open_ledger

EVERY_VARIABLE = {"CARDROOM_DATABASE": None, "CARDROOM_PERSON": None, "COLUMNS": "100"}


@dataclass(frozen=True)
class House:
    """Commands on one database; the files of the office lie in a folder."""

    database: str
    folder: Path

    def run(self, *arguments: str, typed: str | None = None, **variables: str) -> Result:
        environment = EVERY_VARIABLE | {"CARDROOM_DATABASE": self.database} | variables
        return CliRunner().invoke(app, arguments, input=typed, env=environment)

    def said(self, *arguments: str, typed: str | None = None, exit_code: int = 0) -> str:
        """What a command prints for people."""
        result = self.run(*arguments, typed=typed)
        assert result.exit_code == exit_code, result.output
        return result.stdout

    def told(self, *arguments: str, typed: str | None = None, exit_code: int = 0) -> Any:
        """What a command prints for programs."""
        return json.loads(self.said(*arguments, "--json", typed=typed, exit_code=exit_code))

    def refused(self, *arguments: str, typed: str | None = None) -> str:
        """The sentence of a command that was refused."""
        result = self.run(*arguments, typed=typed)
        assert result.exit_code == 2, result.output
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert result.stdout == ""
        return result.stderr.strip()

    def jackpot(self, *arguments: str, by: str = "Rosa", exit_code: int = 0) -> Any:
        """A command of the jackpot system that changes something, by somebody."""
        return self.told("jackpot", *arguments, "--by", by, exit_code=exit_code)

    def open(self, game: str = "three-card-prime", **changes: str) -> None:
        """Open the jackpot and the table of the example; texts in them may be exchanged."""
        for part, command in (("jackpot", "open"), ("table", "table")):
            text = self.said("jackpot", "example", game, part)
            for old, new in changes.items():
                text = text.replace(old.replace("_", "-"), new)
            file = self.folder / f"{part}.toml"
            file.write_text(text)
            self.jackpot(command, str(file))

    def report(self, number: str, of: str = "final-four") -> None:
        """Open a report of a malfunction."""
        with open_ledger(self.database) as ledger:
            Floor(ledger).report_malfunction(f"report {number}", "Rosa", number, of, found_at="00:00", why="It stuck")

    def meter(self, jackpot: str = "final-four") -> Any:
        """The only meter of a jackpot."""
        (meter,) = self.told("jackpot", "show", jackpot)["meters"]
        return meter

    def events(self) -> int:
        """How many events the books hold, all of them whole."""
        found = self.told("verify")
        assert found["whole"]
        return int(found["events"])
