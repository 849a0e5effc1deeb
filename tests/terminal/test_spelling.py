"""Where there is no Unicode."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest

from cardroom.cli.shared.output import print_json
from cardroom.games.example_rounds import example_json
from cardroom.terminal.console import AsciiStream, has_unicode, to_ascii

CARDROOM = [sys.executable, "-c", "from cardroom.cli.app import main; main()"]


class Terminal(io.StringIO):
    encoding = "utf-8"

    def __init__(self, tty: bool = True) -> None:
        super().__init__()
        self.tty = tty

    def isatty(self) -> bool:
        return self.tty


class Latin(Terminal):
    encoding = "iso-8859-1"


@pytest.mark.parametrize(
    ("environment", "unicode"),
    [
        ({}, True),
        ({"LANG": "en_US.UTF-8"}, True),
        ({"LANG": "C.UTF-8"}, True),
        ({"LANG": "C"}, False),
        ({"LANG": "POSIX"}, False),
        ({"LC_ALL": "C", "LANG": "en_US.UTF-8"}, False),
        ({"LC_ALL": "en_US.UTF-8", "LANG": "C"}, True),
        ({"LC_CTYPE": "en_US.UTF-8", "LANG": "C"}, True),
        ({"LC_CTYPE": "C.UTF-8", "LANG": "C"}, False),  # set by Python itself
        ({"LANG": "en_US.UTF-8", "TERM": "dumb"}, False),
        ({"LANG": "en_US.UTF-8", "TERM": "xterm"}, True),
    ],
)
def test_the_locale_and_the_terminal_say_whether_there_is_unicode(environment: dict[str, str], unicode: bool) -> None:
    assert has_unicode(Terminal(), environment) == unicode


def test_a_pipe_is_no_dumb_terminal_and_another_encoding_is_no_unicode() -> None:
    assert has_unicode(Terminal(tty=False), {"TERM": "dumb"})
    assert not has_unicode(Latin(), {"LANG": "en_US.UTF-8"})


def test_what_is_written_on_a_plain_stream_is_ascii_and_as_wide() -> None:
    stream = Terminal()
    AsciiStream(stream).write("╭───╮ ┏━┓ │10♥│ ░░ ● ▶ “fold” · A♠ ★")
    assert stream.getvalue() == '+---+ +-+ |10h| ## o > "fold" . As *'


def in_c_locale(*arguments: str, typed: str = "") -> bytes:
    environment = {**os.environ, "LC_ALL": "C", "COLUMNS": "80", "LINES": "24"}
    done = subprocess.run(
        [*CARDROOM, *arguments], input=typed.encode(), capture_output=True, check=True, env=environment
    )
    return done.stdout


def test_every_sign_of_the_table_has_a_letter() -> None:
    shown = in_c_locale("play", "--seed", "3")
    assert shown.isascii()
    for drawn in (b"| K", b"+---+", b"o Ante $10", b"* wild", b"DEALER PLAYS"):
        assert drawn in shown


def test_a_page_of_another_command_has_letters_for_suits_too() -> None:
    page = in_c_locale("settle", "-", typed=example_json("three-card-prime"))
    assert page.isascii()
    assert any(f" {rank}{suit}".encode() in page for rank in "AKQJ" for suit in "cdhs")


def test_json_is_the_same_document_whatever_a_stream_can_write(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "ascii"))
    print_json({"player": "José", "cards": "A♠"})
    sys.stdout.flush()
    assert json.loads(written.getvalue()) == {"player": "José", "cards": "A♠"}


def test_letters_stay_as_they_are() -> None:
    assert to_ascii("Ante $10, 10h") == "Ante $10, 10h"
