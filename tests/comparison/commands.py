"""The program's commands as scripts use them: each in this process, with its exit code and its JSON."""

from __future__ import annotations

import io
import json
import re
import sys
import tomllib
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.comparison.compare import CONTRACT
from tests.comparison.placeholders import Placeholders

ROOT: Final = Path(__file__).parents[2]
CONTRACT_COMMANDS: Final = frozenset(
    {"games", "paytables", "odds", "strategy", "simulate", "settle", "par", "verify", "rounds"}
)
"""Commands whose JSON keys may not be renamed."""
GAMES: Final = ("deuces-wild", "three-card-prime", "texas-shootout", "dueling-for-dollars", "three-card-double-play")
HANDS: Final = {
    "deuces-wild": ("2c Jk 9h", "5c 5d 9h", "2c 2d 2h", "3c 8d Kh"),
    "three-card-prime": ("Qh 6d 4c", "As Kd 2c", "9c 9d 4h", "2c 3d 5h"),
    "texas-shootout": ("Kh Qh As Tc", "2c 2d 9h 9s", "Ac Ad Ah As", "3c 7d Jh 5s"),
    "dueling-for-dollars": ("8c 8d", "Kc Kc", "2h 2s"),
    "three-card-double-play": ("As Ks 9d 9c 5h 4h", "2c 2d 2h 7s 8s 9s", "Ac Kd Jh 8s 5c 2d"),
}
SESSIONS: Final = ("--sessions", "50", "--bankroll", "200", "--rounds-per-session", "20", "--seed", "7")
METERS: Final = {
    "three-card-prime": "final-four",
    "texas-shootout": "jackpot",
    "dueling-for-dollars": "two-plus-two",
}
"""In each game that has one, a wager that can be progressive."""
METER: Final = ("--seed-money", "1000", "--contribution", "25%", "--runs", "20", "--years", "1", "--seed", "7")
SHEET: Final = re.compile(r'<script type="application/json" id="par-content">(.*?)</script>', re.DOTALL)
REFUSED: Final = (
    ("dealt",),
    ("games", "--jsn"),
    ("paytables", "poker", "--json"),
    ("paytables", "deuces-wild", "--wager", "prime", "--json"),
    ("odds", "three-card-prime", "--wager", "ante-play", "--paytable", "PW/BB 99", "--json"),
    ("odds", "dueling-for-dollars", "--decks", "7", "--json"),
    ("strategy", "three-card-prime", "--hand", "Qh Qh 6d", "--json"),
    ("strategy", "three-card-prime", "--hand", "Xx 6d 4c", "--json"),
    ("simulate", "three-card-prime", "--rounds", "-5", "--json"),
    ("settle", "--example", "poker"),
    ("settle", "missing.json", "--json"),
    ("par", "--check", "missing.html", "--json"),
    ("rng", "check-seal", "--json"),
    ("tablebase", "check", "missing.counts", "--json"),
    ("verify", "--database", "sqlite:///missing/books.db", "--json"),
)

Files = dict[str, dict[str, Any]]


def cardroom() -> Callable[[], None]:
    """The program's entry point, by the name that the package declares."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    module, _, function = project["scripts"]["cardroom"].partition(":")
    main: Callable[[], None] = getattr(import_module(module), function)
    return main


def run(*words: str, standard_input: str = "") -> dict[str, Any]:
    """Run one command: its exit code, its standard output (as JSON, if it is), and its standard error."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    before, code = (sys.argv, sys.stdin), 0
    sys.argv, sys.stdin = ["cardroom", *words], io.TextIOWrapper(io.BytesIO(standard_input.encode()), "utf-8")
    try:
        with redirect_stdout(output), redirect_stderr(errors):
            cardroom()()
    except SystemExit as end:
        code = int(end.code) if isinstance(end.code, int) else int(end.code is not None)
    finally:
        sys.argv, sys.stdin = before
    text = _written(output)
    return {"exit_code": code, "errors": _written(errors).splitlines(), "output": _parsed(text)}


def _written(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text.splitlines()


RECORDED_AS: Final = {
    "rng test": "rng report",
    "rng check-seal": "rng seal",
    "user list": "people list",
    "jackpot list": "jackpot show",
    "promotion list": "jackpot promotion show",
    "malfunction list": "jackpot malfunction list",
    "report master-games": "jackpot report master",
    "report": "jackpot report",
    "tabulator history": "jackpot recall",
    "player list": "players list",
    "table list": "felt list",
    "table show": "felt show",
    "table history": "rounds history",
}
"""The names under which records contain commands that had another name when the first records were made."""


def _recorded_name(command: str) -> str:
    """A command line with the name that records use."""
    for name, recorded in RECORDED_AS.items():
        if command == name or command.startswith(f"{name} "):
            return recorded + command.removeprefix(name)
    return command


class Log:
    """The commands of one part, in a file for the contract and one for the others."""

    def __init__(self, part: str, placeholders: Placeholders | None = None) -> None:
        self._part, self._placeholders, self.files = part, placeholders or Placeholders(), Files()

    def run(self, *words: str, standard_input: str = "", label: str = "") -> Any:
        """Run a command and keep its result under its command line; the unmasked output."""
        result = run(*words, standard_input=standard_input)
        key = _recorded_name(label or " ".join(words))
        kind = CONTRACT if key.split()[0] in CONTRACT_COMMANDS else "commands"
        file = self.files.setdefault(f"{kind}-{self._part}", {})
        label = self._placeholders.text(key, keep_digests=True)
        file[label] = self._placeholders.put(result, keep_digests=words[0] == "tablebase")
        return result["output"]


def general_commands() -> Files:
    """Commands that are about no single game, and refusals."""
    log = Log("general")
    log.run("games", "--json")
    log.run("paytables", "--json")
    log.run("tablebase", "check", "--hands", "0", "--json")
    for deck in GAMES:
        log.run("rng", "test", "--shuffles", "2000", "--seed", "7", "--deck", deck, "--json")
        log.run(
            "rng",
            "check-seal",
            "--key",
            "b4" * 32,
            "--round",
            "prime-1.1",
            "--deck",
            deck,
            "--player-seed",
            "1=plum",
            "--json",
        )
    with TemporaryDirectory() as folder, chdir(folder):
        for words in REFUSED:
            log.run(*words)
        log.run("settle", "-", "--json", standard_input="{cards", label="settle - --json < {cards")
    return log.files


def game_commands(game: str) -> Files:
    """Everything that the commands say about one game, and its PAR sheet."""
    log = Log(game)
    log.run("paytables", game, "--json")
    log.run("odds", game, "--all", "--json")
    log.run("odds", game, "--meter", "25000", "--json")
    log.run("strategy", game, "--json")
    for hand in HANDS[game]:
        log.run("strategy", game, "--hand", hand, "--json")
    for seed in ("1", "20261118"):
        log.run("simulate", game, "--rounds", "20000", "--seed", seed, "--json")
    log.run("simulate", game, "--rounds", "5000", "--seed", "3", "--strategy", "simple", "--json")
    log.run("simulate", game, *SESSIONS, "--json")
    if game in METERS:
        log.run("simulate", game, "--progressive", METERS[game], *METER, "--json")
    example = log.run("settle", "--example", game)
    settled = json.dumps(example)
    log.run("settle", "-", "--json", standard_input=settled, label=f"settle --example {game} | settle - --json")
    with TemporaryDirectory() as folder, chdir(folder):
        log.run("par", game, "-o", "sheet.html", "--date", "2026-03-02", "--confirm", "20000", "--seed", "7", "--json")
        content = SHEET.search(Path("sheet.html").read_text("utf-8"))
    assert content is not None, f"the PAR sheet of {game} carries no content"
    return log.files | {f"par-{game}": {"content": Placeholders().put(json.loads(content[1]))}}
