"""`cardroom rng`: the stream, the report and the way from a key to the cards, as a laboratory uses them."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from cardroom.cards import Seal, Shoe, key_from_seed, key_stream
from cardroom.games import Decide, SeatTurn, advance, default_setup, game, round_to_json
from cardroom.games.round import make_full_bets
from tests.cli.test_commands import read_output, read_refusal, run
from tests.deadline import LIMIT

COMMAND = (sys.executable, "-c", "from cardroom.cli import main; main()", "rng", "stream")
KEY = bytes(range(32))
ID = "prime-1.7"


def stream_of(key: bytes, count: int) -> bytes:
    return b"".join(islice(key_stream(key, 1000), count // 1000 + 1))[:count]


def streamed(*options: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run((*COMMAND, *options), capture_output=True, check=False, timeout=LIMIT)


def test_a_stream_ends_after_so_many_bytes_and_says_its_key() -> None:
    done = streamed("--seed", "7", "--bytes", "100003")
    assert done.returncode == 0
    assert done.stdout == stream_of(key_from_seed(7), 100_003)
    assert done.stderr.decode() == f"key {key_from_seed(7).hex()}\n"


def test_a_fresh_key_comes_again_with_the_key_that_was_shown() -> None:
    first = streamed("--bytes", "64")
    payload = first.stderr.decode().split()[1]
    assert first.stdout == stream_of(bytes.fromhex(payload), 64)
    again = streamed("--seed", payload, "--bytes", "64")
    assert (again.stdout, again.stderr) == (first.stdout, first.stderr)


def test_without_a_seed_every_report_has_its_own_key() -> None:
    one, other = (json.loads(run("rng", "test", "--shuffles", "260", "--json").stdout)["key"] for _ in range(2))
    assert one != other


def test_who_has_read_enough_of_an_endless_stream_just_goes() -> None:
    with subprocess.Popen((*COMMAND, "--seed", "7"), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.read(200_000) == stream_of(key_from_seed(7), 200_000)
        running.stdout.close()
        assert running.wait(LIMIT) == 0
        assert running.stderr.read().decode() == f"key {key_from_seed(7).hex()}\n"


def test_a_terminal_gets_a_sentence_and_no_stream() -> None:
    ours, theirs = pty.openpty()
    done = subprocess.run(COMMAND, stdout=theirs, stderr=subprocess.PIPE, check=False, timeout=LIMIT)
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 2
    assert done.stderr.decode().startswith("The stream is binary")


@pytest.mark.parametrize("number", ["0", "-1", "1e6", "many", "", "１"])
def test_bytes_are_a_number_or_unlimited(number: str) -> None:
    assert "or unlimited" in read_refusal("rng", "stream", f"--bytes={number}")


def test_a_report_replays_from_its_key_and_tells_what_it_counted() -> None:
    payload = json.loads(read_output("rng", "test", "--shuffles", "300", "--seed", "7", "--json"))
    assert [one["name"] for one in payload["tests"]] == [
        "positions", "runs", "serial correlation", "serial correlation", "collisions",
    ]  # fmt: skip
    assert (payload["cards"], payload["shuffles"], payload["level"], payload["holds"]) == (52, 300, 0.01, True)
    assert payload == json.loads(read_output("rng", "test", "--shuffles", "300", "--seed", payload["key"], "--json"))
    assert f"key {payload['key']}" in read_output("rng", "test", "--shuffles", "300", "--seed", "7")


def test_the_deck_of_a_report_is_a_games_or_a_number_of_decks() -> None:
    def cards(*options: str) -> int:
        return int(json.loads(run("rng", "test", "--shuffles", "2600", "--json", *options).stdout)["cards"])

    assert cards("--deck", "deuces-wild") == 53
    assert cards("--decks", "2") == 104
    assert "played with 6 or 5 or 8 decks, not 2" in read_refusal(
        "rng", "test", "--deck", "dueling-for-dollars", "--decks", "2"
    )
    assert "too few: take 260 or more" in read_refusal("rng", "test", "--shuffles", "259")
    assert "10,000,000 at most" in read_refusal("rng", "test", "--shuffles", "10000001")


# The seal of a round


def exported(said: dict[int, str], **changes: Any) -> str:
    """A round of Three Card Prime dealt from its key, as ``cardroom rounds export`` writes it."""
    rules, seal = game("three-card-prime"), Seal(KEY, ID)
    table = rules.open(default_setup("three-card-prime"))
    r, shoe = rules.begin(table, {seat: make_full_bets(rules, table, seat) for seat in (1, 2)}), Shoe(())
    r, shoe = advance(r, Shoe(seal.shuffle(table.deck, said)))
    while isinstance(r.turn, SeatTurn):
        r, shoe = advance(r.apply(Decide(r.turn.seat, r.turn.options[-1])), shoe)
    entry = {"round": ID, "seal": seal.commitment, "key": KEY.hex(), "record": round_to_json(r), "payments": []}
    return json.dumps(entry | {"words": {str(seat): word for seat, word in said.items()}} | changes)


@pytest.mark.parametrize("words", [{}, {1: "plum", 2: "sword fish"}])
def test_an_exported_round_is_checked_from_its_key_to_the_places_of_its_cards(words: dict[int, str]) -> None:
    payload = json.loads(read_output("rng", "check-seal", "-", "--json", typed=exported(words)))
    assert (payload["opens"], payload["holds"]) == (True, True)
    assert [one["card"] for one in payload["dealt"]] == payload["order"][:12]
    assert [one["place"] for one in payload["dealt"]].count("dealer") == 3
    page = read_output("rng", "check-seal", "-", typed=exported(words))
    for sentence in ("The key matches the seal.", "The first 12 cards of the order match the record."):
        assert f"✓ {sentence}" in page


def test_another_seal_another_key_other_words_and_another_card_are_shown_and_are_exit_code_1() -> None:
    def fails(text: str) -> str:
        result = run("rng", "check-seal", "-", typed=text)
        assert result.exit_code == 1, result.output
        assert "✗" in result.stdout
        return result.stdout

    assert "The key does not match the seal." in fails(exported({}, seal=Seal(KEY, "prime-1.8").commitment))
    assert "The key does not match the seal." in fails(exported({}, key=bytes(32).hex()))
    other_words = fails(exported({1: "plum"}, words={"1": "plums"}))
    assert "The key matches the seal." in other_words
    entry = json.loads(exported({}))
    pile = entry["record"]["cards"]["dealer"]
    pile[0], pile[1] = pile[1], pile[0]
    assert f"At 'dealer' the order has {pile[1]}, the record {pile[0]}." in fails(json.dumps(entry))


def test_a_key_and_an_id_are_enough_for_the_order(tmp_path: Path) -> None:
    options = ("rng", "check-seal", "--key", KEY.hex().upper(), "--round", ID, "--player-seed", "2=a=b")
    seal = Seal(KEY, ID)
    payload = json.loads(read_output(*options, "--seal", seal.commitment, "--deck", "deuces-wild", "--json"))
    assert payload["order"] == [str(one) for one in seal.shuffle(game("deuces-wild").facts.decks[0], {2: "a=b"})]
    assert (payload["opens"], payload["words"], len(payload["draws"])) == (True, {"2": "a=b"}, 52)
    assert "There is no seal" in read_output(*options)
    assert run(*options, "--seal", "0" * 64).exit_code == 1
    assert "leave out the options" in read_refusal("rng", "check-seal", str(tmp_path), "--key", KEY.hex())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "Name the file of an exported round, or --key and --round."),
        (("--key", "00", "--round", ID), "The key has 64 hexadecimal digits"),
        (("--key", KEY.hex(), "--round", ID, "--seal", "x"), "The seal has 64 hexadecimal digits"),
        (("--key", KEY.hex(), "--round", ID, "--player-seed", "plum"), "like 1=swordfish"),
        (("--key", KEY.hex(), "--round", ID, "--player-seed", "1=a", "--player-seed", "1=b"), "has a seed already"),
        (("--key", KEY.hex(), "--round", ID, "--player-seed", "x=a"), "is not a seat"),
        (("--key", KEY.hex(), "--round", ID, "--deck", "baccarat"), "baccarat"),
    ],
)
def test_what_is_no_seal_is_refused(options: tuple[str, ...], sentence: str) -> None:
    assert sentence in read_refusal("rng", "check-seal", *options)


def test_a_file_that_is_no_exported_round_is_refused() -> None:
    assert read_refusal("rng", "check-seal", "-", typed="{").startswith("Standard input is not JSON")
    two = json.dumps({"rounds": [json.loads(exported({}))] * 2})
    assert "this document has 2: export one of them" in read_refusal("rng", "check-seal", "-", typed=two)
    read_output("rng", "check-seal", "-", typed=json.dumps({"rounds": [json.loads(exported({}))]}))
    assert "lacks seal, key, record" in read_refusal("rng", "check-seal", "-", typed='{"round": "prime-1.1"}')
    wrong_seed = exported({}, words={"1": 7})
    assert "The words of a seat are a text" in read_refusal("rng", "check-seal", "-", typed=wrong_seed)
