"""Commands in the documentation can be typed as they are; the cheap ones are run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from cardroom.cli.app import app
from cardroom.games import game_slugs
from tests.project.doc_commands import ROOT, ShownCommand, all_shown_commands, commands_on, fault

CHEAP: Final = frozenset({"games", "paytables", "settle", "strategy", "dependency"})
"""Commands that need no database, no browser, and no minute; also ``odds`` with a table or a wager."""
SLOW_GAMES: Final = frozenset({"deuces-wild", "texas-shootout", "three-card-double-play"})
"""Games whose strategies take long to compute."""
SHOWN: Final = all_shown_commands()


def is_cheap(shown: ShownCommand) -> bool:
    for words, _ in shown.steps:
        is_cheap_odds = words[0] == "odds" and {"--wager", "--table"} & set(words) and "--chart" not in words
        if not (words[0] in CHEAP or is_cheap_odds) or {"GAME", "FILE"} & set(words):
            return False
        if words[0] == "strategy" and {"--table", "--card"} & set(words):  # a reader's own file; cards of all games
            return False
        if words[0] in ("settle", "strategy", "odds") and (len(words) == 1 or SLOW_GAMES & set(words)):
            return False
        if any(word in ("-", "red-dog") for word in words) and len(shown.steps) == 1:
            return False
    return True


def run(shown: ShownCommand) -> None:
    """Run the commands of a pipe, each with the output of the one before it."""
    printed = ""
    for words, file in shown.steps:
        result = CliRunner().invoke(app, words, input=printed)
        assert result.exit_code == 0, f"{shown.page}: cardroom {shown.text}\n{result.output}"
        printed = result.stdout
        if file:
            Path(file).write_text(printed, "utf-8")


def test_every_command_in_the_documentation_can_be_typed() -> None:
    faults = [
        f"{shown.page}: cardroom {shown.text}: {found}"
        for shown in SHOWN
        for words, _ in shown.steps
        if (found := fault(words, typed=shown.typed)) is not None
    ]
    assert not faults, "\n".join(faults)
    assert len(SHOWN) > 400
    assert sum(shown.typed for shown in SHOWN) > 150


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("    cardroom jackpots list", "there is no command 'jackpots'"),
        ("    cardroom jackpot lst", "there is no command 'lst'"),
        ("It is `cardroom odds --paytabel X`.", "'odds' has no option --paytabel"),
        ("    cardroom odds three-card-prime --decks", "--decks of 'odds' needs a value"),
        ("    cardroom games three-card-prime    what there is", "'games' takes 0 words, not 1"),
        ("    cardroom user add kim --role dealer", "'user add' needs NAME"),
        ("    cardroom jackpot      # the group", "'jackpot' is a group of commands"),
    ],
)
def test_a_command_that_cannot_be_typed_is_found(text: str, why: str) -> None:
    (shown,) = commands_on("a page", text)
    ((words, _),) = shown.steps
    assert fault(words, typed=shown.typed) == why


def test_cheap_commands_of_the_documentation_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "generous.toml").write_text(custom_paytable(), "utf-8")
    (tmp_path / "my-table.toml").write_text(custom_paytable(), "utf-8")
    (tmp_path / "round.json").write_text(CliRunner().invoke(app, ["settle", "--example", game_slugs()[0]]).stdout)
    cheap = {shown.text: shown for shown in SHOWN if is_cheap(shown)}
    for shown in cheap.values():
        run(shown)
    assert {text.split()[0] for text in cheap} == CHEAP | {"odds"}
    assert len(cheap) >= 15


def custom_paytable() -> str:
    """The custom paytable on the page on odds."""
    block = re.search(r"```toml\n(game = .*?)```", (ROOT / "docs" / "odds.md").read_text("utf-8"), re.DOTALL)
    assert block
    return block[1]
