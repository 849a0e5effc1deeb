"""Commands in the documentation can be typed as they stand there; those that cost nothing are run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from cardroom.cli.app import app
from cardroom.games import game_slugs
from tests.project.doc_commands import ROOT, Shown, everything_shown, fault, shown_on

CHEAP: Final = frozenset({"games", "paytables", "settle", "strategy", "dependency"})
"""Commands that need no books, no browser and no minute; ``odds`` with a table or a wager besides."""
LASTING: Final = frozenset({"deuces-wild", "texas-shootout", "three-card-double-play"})
"""Games whose strategies take longer to find than a reader waits."""
SHOWN: Final = everything_shown()


def is_cheap(one: Shown) -> bool:
    for words, _ in one.steps:
        asks_for_odds = words[0] == "odds" and {"--wager", "--table"} & set(words) and "--chart" not in words
        if not (words[0] in CHEAP or asks_for_odds) or {"GAME", "FILE"} & set(words):
            return False
        if words[0] == "strategy" and {"--table", "--card"} & set(words):  # a reader's own file; cards of all games
            return False
        if words[0] in ("settle", "strategy", "odds") and (len(words) == 1 or LASTING & set(words)):
            return False
        if any(word in ("-", "red-dog") for word in words) and len(one.steps) == 1:
            return False
    return True


def run(one: Shown) -> None:
    """Type a pipe of commands, each of which gets what the one before it has printed."""
    printed = ""
    for words, file in one.steps:
        result = CliRunner().invoke(app, words, input=printed)
        assert result.exit_code == 0, f"{one.where}: cardroom {one.text}\n{result.output}"
        printed = result.stdout
        if file:
            Path(file).write_text(printed, "utf-8")


def test_every_command_in_the_documentation_can_be_typed() -> None:
    faults = [
        f"{one.where}: cardroom {one.text}: {found}"
        for one in SHOWN
        for words, _ in one.steps
        if (found := fault(words, typed=one.typed)) is not None
    ]
    assert not faults, "\n".join(faults)
    assert len(SHOWN) > 400
    assert sum(one.typed for one in SHOWN) > 150


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("    cardroom jackpots list", "there is no command 'jackpots'"),
        ("    cardroom jackpot lst", "there is no command 'lst'"),
        ("It is `cardroom odds --paytabel X`.", "'odds' has no option --paytabel"),
        ("    cardroom odds three-card-prime --decks", "--decks of 'odds' needs a value"),
        ("    cardroom games three-card-prime    what there is", "'games' takes 0 words, not 1"),
        ("    cardroom user add kim --role dealer", "'user add' needs NAME"),
        ("    cardroom jackpot      # the family", "'jackpot' is a family of commands"),
    ],
)
def test_a_command_that_cannot_be_typed_would_be_found(text: str, why: str) -> None:
    (one,) = shown_on("a page", text)
    ((words, _),) = one.steps
    assert fault(words, typed=one.typed) == why


def test_cheap_commands_of_the_documentation_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "generous.toml").write_text(what_if(), "utf-8")
    (tmp_path / "my-table.toml").write_text(what_if(), "utf-8")
    (tmp_path / "round.json").write_text(CliRunner().invoke(app, ["settle", "--example", game_slugs()[0]]).stdout)
    cheap = {one.text: one for one in SHOWN if is_cheap(one)}
    for one in cheap.values():
        run(one)
    assert {text.split()[0] for text in cheap} == CHEAP | {"odds"}
    assert len(cheap) >= 15


def what_if() -> str:
    """The table that nobody printed, as the page on odds shows it."""
    found = re.search(r"```toml\n(game = .*?)```", (ROOT / "docs" / "odds.md").read_text("utf-8"), re.DOTALL)
    assert found
    return found[1]
