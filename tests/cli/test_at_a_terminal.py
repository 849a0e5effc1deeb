"""The real command: on a pipe, and at a real pseudo-terminal."""

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
# The first terminal that a new session opens is the one whose Ctrl-C it hears.
AT_A_TERMINAL = [
    sys.executable,
    "-c",
    "import os, cardroom.cli.app; os.open(os.ttyname(0), os.O_RDWR); cardroom.cli.app.main()",
]


def test_bad_input_gives_its_sentence_and_exit_code_two_without_a_traceback() -> None:
    done = subprocess.run([*CARDROOM, "settle", "-", "--json"], input=b'{"cards": 5}', capture_output=True)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.decode().count("\n") == 1
    assert b"Traceback" not in done.stderr


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
    ids=["a card without end", "digits without end", "a name twice", "no number", "nested without end", "no letters"],
)
def test_the_worst_that_can_be_sent_gets_one_line_that_can_be_read(record: bytes) -> None:
    done = subprocess.run([*CARDROOM, "settle", "-"], input=record, capture_output=True)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    assert len(done.stderr) < 600
    assert b"Traceback" not in done.stderr


def test_an_example_goes_through_a_pipe_and_json_is_all_there_is() -> None:
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
        """Everything shown until the words appear, and others behind them; what was shown is then forgotten."""
        deadline = Deadline()
        while then not in self._seen.partition(words)[2] or words not in self._seen:
            deadline.check(f"{words!r} (this did: {self._seen[-2000:]})")
            if select.select([self._terminal], [], [], 0.5)[0]:
                self._seen += os.read(self._terminal, 65536).decode("utf-8", "replace")
        seen, self._seen = self._seen, ""
        return seen

    def type(self, line: str) -> None:
        os.write(self._terminal, f"{line}\n".encode())

    def answer(self, words: str, line: str) -> str:
        """Type like a person, who waits until the question stands there with the cursor behind it."""
        seen = self.wait_for(words, "> ")
        self.type(line)
        return seen

    def press(self, key: bytes) -> None:
        os.write(self._terminal, key)


def wait_until_it_reads(process: subprocess.Popen[bytes]) -> None:
    """A Ctrl-C in the instant between the prompt and the reading of a line is heard only after the next line."""
    before = list[str]()

    def waits() -> bool:
        """It sleeps, and has done nothing since it was looked at last."""
        result = Path(f"/proc/{process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        idle = result[0] == "S" and before == result[11:13]
        before[:] = result[11:13]
        return idle

    wait_until(waits, "the reading of a line")


@contextmanager
def at_a_terminal(*arguments: str, **variables: str) -> Iterator[tuple[Screen, subprocess.Popen[bytes]]]:
    outside, inside = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40", **variables}
    process = subprocess.Popen(
        [*AT_A_TERMINAL, *arguments],
        stdin=inside,
        stdout=inside,
        stderr=inside,
        env=environment,
        start_new_session=True,
    )
    os.close(inside)
    try:
        yield Screen(outside), process
    finally:
        process.kill()
        process.wait()
        os.close(outside)


def test_a_round_at_a_real_terminal_has_a_green_table_and_ends_with_the_result() -> None:
    with at_a_terminal("play", "--seed", "7") as (screen, process):
        screen.answer("Which game?", "three-card-prime")
        assert "\x1b[" in screen.answer("Enter $10", "10")
        for _ in range(5):
            screen.answer("Enter none", "")
        assert "░" in screen.answer("Fold or play?", "blay")
        screen.answer("'blay' is not one of the options", "play")
        screen.answer("Enter next bets", "q")
        screen.wait_for("You played one round of Three Card Prime", "Result of one round")
        assert process.wait(LIMIT) == 0


def test_what_was_typed_before_a_question_stood_there_answers_nothing() -> None:
    with at_a_terminal("play", "three-card-prime", "--seed", "7") as (screen, process):
        # The answer to the first question, and in the same breath more than the round will ask: Enter for the other
        # wagers, then an answer to a question of which no user knows the cards yet.
        screen.answer("Enter $10", "20\n\n\n\n\n\nfold\nfold\n")
        for _ in range(5):
            screen.answer("Enter none", "")
        screen.answer("Fold or play?", "play\n\nq\n")
        assert "Play" in screen.answer("Enter next bets", "q")
        screen.wait_for("You played one round of Three Card Prime")
        assert process.wait(LIMIT) == 0


def test_q_in_the_help_goes_back_and_ctrl_c_with_chips_on_the_layout_asks() -> None:
    with at_a_terminal("play", "texas-shootout", "--seed", "7", LINES="24") as (screen, process):
        screen.answer("Enter $10", "?")
        screen.answer("Enter shows more · q goes back to the table", "q")
        screen.answer("Enter $10", "10")
        for _ in range(3):
            screen.answer("Enter none", "")
        for answer in ("", "y"):
            screen.wait_for("Keep two cards, or split?", "> ")
            wait_until_it_reads(process)
            screen.press(b"\x03")
            screen.answer("Enter stays", answer)
        screen.wait_for("You played one round of Texas Shootout")


def test_lines_on_a_pipe_answer_one_question_each() -> None:
    lines = b"10\n\n\n\n\n\nplay\n\n=\nfold\n"
    done = subprocess.run([*CARDROOM, "play", "three-card-prime", "--seed", "7"], input=lines, capture_output=True)
    assert done.returncode == 0
    assert done.stdout.count(b"This round:") == 2
    assert b"You played 2 rounds of Three Card Prime" in done.stdout


def test_a_coach_without_anybody_to_answer_is_refused() -> None:
    done = subprocess.run([*CARDROOM, "play", "three-card-prime", "--coach"], input=b"", capture_output=True)
    assert done.returncode == 2
    assert b"there are no decisions to coach" in done.stderr
    assert done.stdout == b""


def test_ctrl_c_and_ctrl_d_leave_politely_at_a_real_terminal() -> None:
    for key in (b"\x03", b"\x04"):
        with at_a_terminal("play", "deuces-wild", "--seed", "1") as (screen, process):
            screen.wait_for("Enter $10", "> ")
            wait_until_it_reads(process)
            screen.press(key)
            screen.wait_for("You played no round of Deuces Wild")
            assert process.wait(LIMIT) == 0
