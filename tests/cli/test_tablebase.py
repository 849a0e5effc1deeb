"""`cardroom tablebase`: the count of every deal of Texas Shootout, as a laboratory makes and proves it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cardroom.odds.texas_shootout.tablebase.builder import PieceStore, count_deals
from cardroom.odds.texas_shootout.tablebase.file import SHIPPED_FILE, encode_tablebase, tablebase
from cardroom.odds.texas_shootout.tablebase.shoe import TablebaseShoe
from tests.cli.interruption import interrupt_command
from tests.cli.test_commands import read_output, read_refusal

COMMAND = (sys.executable, "-c", "from cardroom.cli import main; main()", "tablebase")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tablebase of a small shoe, in which hands are counted again in no time."""
    shoe, folder = TablebaseShoe((0, 1, 12), 2), tmp_path_factory.mktemp("small")
    file = folder / "small.counts"
    file.write_bytes(encode_tablebase(count_deals(shoe, store=PieceStore(folder / "pieces")), shoe))
    return file


def test_the_tablebase_that_comes_with_the_program_is_proved_without_a_file() -> None:
    proof = json.loads(read_output("tablebase", "check", "--hands", "0", "--json"))
    assert proof["holds"]
    assert proof["sha256"] == tablebase().digest
    assert proof["deals"] == "2980936261442171838369564000"
    assert proof["seed"] is None


def test_hands_are_drawn_by_the_seed_and_counted_again(small: Path) -> None:
    result = read_output("tablebase", "check", str(small), "--hands", "3", "--seed", "7")
    assert result.count("counted again, all 27 counts agree") == 3
    assert "Hands selected with --seed 7." in result
    assert read_output("tablebase", "check", str(small), "--hands", "3", "--seed", "7") == result
    drawn = [json.loads(read_output("tablebase", "check", str(small), "--json"))["seed"] for _ in range(2)]
    assert drawn[0] != drawn[1]


def test_all_hands_can_be_counted_again(small: Path) -> None:
    proof = json.loads(read_output("tablebase", "check", str(small), "--all", "--json"))
    assert len(proof["recounted"]) == proof["hands"] == 99
    assert all(one["agrees"] for one in proof["recounted"])


def test_a_file_of_other_rules_is_a_no_with_exit_code_1(small: Path, tmp_path: Path) -> None:
    data = small.read_bytes()
    line = data.split(b"\n")[1]
    other = json.dumps(json.loads(line) | {"rules": "0" * 64}).encode()
    (tmp_path / "other.counts").write_bytes(data.replace(line, other, 1))
    done = subprocess.run((*COMMAND, "check", str(tmp_path / "other.counts")), capture_output=True, text=True)
    assert done.returncode == 1
    assert "Counted by other rules." in done.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("check", "--all", "--seed", "3"), "--all checks every hand"),
        (("check", "--all", "--hands", "3"), "--all checks every hand"),
        (("check", "--hands", "0", "--seed", "3"), "--hands 0 selects no hands: leave out --seed"),
        (("check", "--hands", "30000"), "There are 22,022 classes of hands"),
        (("check", "nowhere.counts"), "nowhere.counts cannot be read: No such file"),
        (("check", __file__), "This is not a tablebase of Texas Shootout"),
        (("build", __file__), "exists already: name a new file"),
        (("build", "no/folder.counts"), "There is no folder no"),
        (
            ("build", "new.counts", "--threads", "2", "--cluster", "tcp://127.0.0.1:9"),
            "leave out --threads or --cluster",
        ),
        (("build", "new.counts", "--cluster", "nonsense"), "is not an address"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    assert sentence in read_refusal("tablebase", *words)


def test_an_interrupted_build_says_so_and_leaves_no_file(tmp_path: Path) -> None:
    file = tmp_path / "new.counts"
    code, _, shown = interrupt_command("tablebase", "build", str(file), "--threads", "1", when="counting every deal")
    assert code == 130, shown
    assert "Interrupted. Finished parts are stored" in shown
    assert not file.exists()


@pytest.mark.long
def test_the_whole_count_gives_the_file_that_comes_with_the_program(tmp_path: Path) -> None:
    assert read_output("tablebase", "build", str(tmp_path / "again.counts"))
    assert (tmp_path / "again.counts").read_bytes() == SHIPPED_FILE.read_bytes()
