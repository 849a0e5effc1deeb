"""The `cardroom` program with a pipe and with a real pseudo-terminal."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cardroom.games.example_rounds import example_json
from tests.deadline import LIMIT, Deadline, wait_until

CARDROOM = [sys.executable, "-c", "from cardroom.cli.app import main; main()"]
# A new session receives Ctrl-C from the first terminal that it opens.
AT_A_TERMINAL = [
    sys.executable,
    "-c",
    "import os, cardroom.cli.app; os.open(os.ttyname(0), os.O_RDWR); cardroom.cli.app.main()",
]


def test_bad_input_gives_its_sentence_and_exit_code_two_without_a_traceback() -> None:
    result = subprocess.run([*CARDROOM, "settle", "-", "--json"], input=b'{"cards": 5}', capture_output=True)
    assert result.returncode == 2
    assert result.stdout == b""
    assert result.stderr.decode().count("\n") == 1
    assert b"Traceback" not in result.stderr


@pytest.mark.parametrize(
    "record",
    [
        example_json("three-card-prime").replace('"dealer": [', f'"dealer": ["{"A" * 9_000_000}", ').encode(),
        b'{"wagers": {"1": {"ante-play": ' + b"9" * 5_000 + b"}}}",
        b'{"wagers": {"1": {}, "1": {}}}',
        b'{"table": {"seats": NaN}}',
        b"[" * 1_000_000,
        b'{"table": {"game": "' + b"\\ud800" * 1_000 + b'"}}',
    ],
    ids=[
        "a card without end",
        "digits without end",
        "a name twice",
        "not a number",
        "nested without end",
        "no characters",
    ],
)
def test_the_worst_input_gets_one_short_line(record: bytes) -> None:
    result = subprocess.run([*CARDROOM, "settle", "-"], input=record, capture_output=True)
    assert result.returncode == 2
    assert result.stdout == b""
    assert result.stderr.count(b"\n") == 1
    assert len(result.stderr) < 600
    assert b"Traceback" not in result.stderr


def test_an_example_goes_through_a_pipe_and_only_json_is_printed() -> None:
    example = subprocess.run([*CARDROOM, "settle", "--example", "dueling-for-dollars"], capture_output=True, check=True)
    settled = subprocess.run(
        [*CARDROOM, "settle", "-", "--json"], input=example.stdout, capture_output=True, check=True
    )
    assert json.loads(settled.stdout)["game"] == "dueling-for-dollars"
    assert settled.stderr == b""


class Screen:
    """The other end of a pseudo-terminal."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._seen = ""

    def wait_for(self, words: str, then: str = "") -> str:
        """Wait for the words, and for ``then`` after them; return and forget what was shown."""
        deadline = Deadline()
        while then not in self._seen.partition(words)[2] or words not in self._seen:
            deadline.check(f"the screen to show {words!r}; it shows {self._seen[-2000:]}")
            if select.select([self._terminal], [], [], 0.5)[0]:
                self._seen += os.read(self._terminal, 65536).decode("utf-8", "replace")
        seen, self._seen = self._seen, ""
        return seen

    def type(self, line: str) -> None:
        os.write(self._terminal, f"{line}\n".encode())

    def answer(self, words: str, line: str) -> str:
        """Type a line as a person does: after the question and its prompt are shown."""
        seen = self.wait_for(words, "> ")
        self.type(line)
        return seen

    def press(self, key: bytes) -> None:
        os.write(self._terminal, key)


def wait_until_process_reads(process: subprocess.Popen[bytes]) -> None:
    """Wait until the program reads a line. A Ctrl-C between the prompt and that moment takes effect one line later."""
    before = list[str]()

    def is_idle() -> bool:
        """Return whether the process sleeps, and used no processor time since the last call."""
        status = Path(f"/proc/{process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        idle = status[0] == "S" and before == status[11:13]
        before[:] = status[11:13]
        return idle

    wait_until(is_idle, "the reading of a line")


@contextmanager
def open_terminal(*arguments: str, **variables: str) -> Iterator[tuple[Screen, subprocess.Popen[bytes]]]:
    controller, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40", **variables}
    process = subprocess.Popen(
        [*AT_A_TERMINAL, *arguments],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
        start_new_session=True,
    )
    os.close(terminal)
    try:
        yield Screen(controller), process
    finally:
        process.kill()
        process.wait()
        os.close(controller)


def test_a_round_at_a_real_terminal_has_a_green_table_and_ends_with_the_result() -> None:
    with open_terminal("play", "--seed", "7") as (screen, process):
        screen.answer("Which game?", "three-card-prime")
        assert "\x1b[" in screen.answer("Enter $10", "10")
        for _ in range(5):
            screen.answer("Enter none", "")
        assert "░" in screen.answer("Fold or play?", "blay")
        screen.answer("'blay' is not one of the options", "play")
        screen.answer("Enter next bets", "q")
        screen.wait_for("You played one round of Three Card Prime", "Result of one round")
        assert process.wait(LIMIT) == 0


def test_lines_that_were_typed_before_a_question_appears_do_not_answer_it() -> None:
    with open_terminal("play", "three-card-prime", "--seed", "7") as (screen, process):
        # One write has the answer to the first question and more: Enter for the other wagers, and then decisions about
        # cards that are not dealt yet.
        screen.answer("Enter $10", "20\n\n\n\n\n\nfold\nfold\n")
        for _ in range(5):
            screen.answer("Enter none", "")
        screen.answer("Fold or play?", "play\n\nq\n")
        assert "Play" in screen.answer("Enter next bets", "q")
        screen.wait_for("You played one round of Three Card Prime")
        assert process.wait(LIMIT) == 0


def test_q_leaves_the_help_and_ctrl_c_with_chips_on_the_layout_asks_first() -> None:
    with open_terminal("play", "texas-shootout", "--seed", "7", LINES="24") as (screen, process):
        screen.answer("Enter $10", "?")
        screen.answer("Enter shows more · q goes back to the table", "q")
        screen.answer("Enter $10", "10")
        for _ in range(3):
            screen.answer("Enter none", "")
        for answer in ("", "y"):
            screen.wait_for("Keep two cards, or split?", "> ")
            wait_until_process_reads(process)
            screen.press(b"\x03")
            screen.answer("Enter stays", answer)
        screen.wait_for("You played one round of Texas Shootout")


def test_lines_on_a_pipe_answer_one_question_each() -> None:
    lines = b"10\n\n\n\n\n\nplay\n\n=\nfold\n"
    result = subprocess.run([*CARDROOM, "play", "three-card-prime", "--seed", "7"], input=lines, capture_output=True)
    assert result.returncode == 0
    assert result.stdout.count(b"This round:") == 2
    assert b"You played 2 rounds of Three Card Prime" in result.stdout


def test_the_coach_is_refused_when_no_player_can_decide() -> None:
    result = subprocess.run([*CARDROOM, "play", "three-card-prime", "--coach"], input=b"", capture_output=True)
    assert result.returncode == 2
    assert b"there are no decisions to coach" in result.stderr
    assert result.stdout == b""


def test_ctrl_c_and_ctrl_d_end_the_session_with_its_summary() -> None:
    for key in (b"\x03", b"\x04"):
        with open_terminal("play", "deuces-wild", "--seed", "1") as (screen, process):
            screen.wait_for("Enter $10", "> ")
            wait_until_process_reads(process)
            screen.press(key)
            screen.wait_for("You played no round of Deuces Wild")
            assert process.wait(LIMIT) == 0
