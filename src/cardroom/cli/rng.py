"""`cardroom rng`: the random numbers of the shuffles, for external tests, for the program's own, and of one round."""

from __future__ import annotations

import os
import re
import secrets
import sys
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.shared.options import AsJson, WholeNumber, examples
from cardroom.cli.shared.output import CommandOutput
from cardroom.errors import BadInput, quote, shorten

if TYPE_CHECKING:
    from cardroom.cards import Deck
    from cardroom.games.shuffle_proof import SealedRound

app = typer.Typer(no_args_is_help=True, help="Test the random numbers of the shuffles, and check the seal of a round.")

UNLIMITED: Final = "unlimited"
MAX_SHUFFLES: Final = 10_000_000
_CHUNK_BYTES: Final = 1 << 16
_KEY: Final = re.compile("[0-9a-fA-F]{64}")
_DIGITS: Final = re.compile("[0-9]{1,18}")

Seed = Annotated[
    str | None,
    typer.Option(
        metavar="KEY|SEED",
        help="64 hexadecimal digits are the key, any other text is a seed for it; a random key when left out.",
        show_default=False,
    ),
]
DeckOfGame = Annotated[
    str | None, typer.Option("--deck", metavar="GAME", help="The deck of this game; 52 cards when left out.")
]
Decks = Annotated[
    int | None, typer.Option("--decks", metavar="N", help="The number of 52-card decks.", parser=WholeNumber(1))
]


@app.command(
    epilog=examples(
        "rng stream | dieharder -a -g 200",
        "rng stream --seed 7 --bytes 1000000 > numbers.bin",
        "rng stream | RNG_test stdin32 (PractRand)",
    )
)
def stream(
    seed: Seed = None,
    bytes_: Annotated[
        str, typer.Option("--bytes", metavar="N|unlimited", help="The number of bytes; unlimited when left out.")
    ] = UNLIMITED,
) -> None:
    """Write the random stream of the shuffles to standard output, for external test suites.

    It is the key stream of ChaCha20 (RFC 8439) in the byte order in which shuffles read 32-bit numbers. The key goes to
    standard error; --seed with that key repeats the stream.
    """
    from cardroom.cards import key_stream

    remaining_bytes = _parse_byte_count(bytes_)
    if sys.stdout.isatty():
        raise BadInput("The stream is binary: redirect it to a file or a program, such as dieharder.")
    key = _read_key(seed)
    typer.echo(f"key {key.hex()}", err=True)
    sys.stdout.flush()
    try:
        for chunk in key_stream(key, _CHUNK_BYTES):
            _write(chunk if remaining_bytes is None else chunk[:remaining_bytes])
            if remaining_bytes is not None:
                remaining_bytes -= min(remaining_bytes, len(chunk))
                if not remaining_bytes:
                    return
    except BrokenPipeError:
        return  # the reader has closed the pipe


def _write(chunk: bytes) -> None:
    """Write the complete chunk: a pipe may accept only a part at a time."""
    view = memoryview(chunk)
    while view:
        view = view[os.write(sys.stdout.fileno(), view) :]


@app.command(
    "test",
    epilog=examples(
        "rng test",
        "rng test --shuffles 20000 --seed 7 (the same shuffles again)",
        "rng test --deck dueling-for-dollars --decks 8 --json",
    ),
)
def run_shuffle_test(
    shuffles: Annotated[int, typer.Option(metavar="N", help="The number of shuffles.")] = 100_000,
    seed: Seed = None,
    deck: DeckOfGame = None,
    decks: Decks = None,
    as_json: AsJson = False,
) -> None:
    """Shuffle many times and compare the results with chance.

    The tests are: each card at each position (chi-square), rising runs, the correlation of neighbors and of successive
    shuffles, and shuffles that start like an earlier one. They are evaluated together at 99% (Holm). Exit code 1: the
    results are unlikely by chance. One good run in a hundred fails, too; repeat it with a new key.
    """
    from cardroom.cards import ChaCha20Source
    from cardroom.odds.shuffle_report import shuffle_report
    from cardroom.terminal.pages.proofs import shuffle_report_page

    if shuffles > MAX_SHUFFLES:
        raise BadInput(f"{shuffles:,} shuffles take too long: use {MAX_SHUFFLES:,} at most.")
    cards, key = _find_deck_of_game(deck, decks).size, _read_key(seed)
    result = shuffle_report(cards, shuffles, ChaCha20Source(key), key.hex())
    CommandOutput(result.to_json(), shuffle_report_page(result), result.passes).print(as_json)


@app.command(
    "check-seal",
    epilog=examples(
        "rng check-seal round.json (a round that `cardroom rounds export` wrote)",
        "rng check-seal --key b42996…0aee --round prime-1.1 --seal e3f0af…c038 --player-seed 1=swordfish",
        "rng check-seal --key b42996…0aee --round prime-1.1 --deck three-card-prime --json",
    ),
)
def check_round_seal(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE|-", help="An exported round; - is standard input.", show_default=False)
    ] = None,
    key: Annotated[str | None, typer.Option(metavar="HEX", help="The key, which is published after the round.")] = None,
    round_: Annotated[str | None, typer.Option("--round", metavar="ID", help="The round's id.")] = None,
    expected_seal: Annotated[
        str | None, typer.Option("--seal", metavar="HEX", help="The seal that was shown before the first wager.")
    ] = None,
    player_seeds: Annotated[
        list[str] | None,
        typer.Option("--player-seed", metavar="SEAT=TEXT", help="A player's own seed; repeat for each seat."),
    ] = None,
    deck: DeckOfGame = None,
    decks: Decks = None,
    as_json: AsJson = False,
) -> None:
    """Check a shuffle step by step from the round's key to its cards: seal, stream, numbers, swaps, order, places.

    For an exported round, the dealt cards are compared with the order. Exit code 1: the key does not match the seal, or
    other cards were dealt.
    """
    from cardroom.cli.shared.files import read_text, source_name
    from cardroom.documents import read_json
    from cardroom.games.shuffle_proof import BadSeal, check_seal, sealed_round_from_json
    from cardroom.terminal.pages.proofs import seal_page

    if file is None:
        seal_inputs = _read_seal_inputs(key, round_, expected_seal, player_seeds or [], _find_deck_of_game(deck, decks))
    elif any(option is not None for option in (key, round_, expected_seal, player_seeds or None, deck, decks)):
        raise BadInput("An exported round contains all of it: leave out the options, or the file.")
    else:
        seal_inputs = sealed_round_from_json(read_json(read_text(file), BadSeal, shorten(source_name(file))))
    check = check_seal(seal_inputs)
    CommandOutput(check.to_json(), seal_page(check), check.is_valid).print(as_json)


def _read_seal_inputs(
    key: str | None, round_: str | None, expected_seal: str | None, seed_texts: list[str], deck: Deck
) -> SealedRound:
    from cardroom.games.record import parse_seat
    from cardroom.games.shuffle_proof import SealedRound, parse_hex_32

    if key is None or round_ is None:
        raise BadInput("Name the file of an exported round, or --key and --round.")
    player_seeds = dict[int, str]()
    for seed_text in seed_texts:
        seat, equals, player_seed = seed_text.partition("=")
        if not equals:
            raise BadInput(f"--player-seed {quote(seed_text)} cannot be read: write it like 1=swordfish.")
        if parse_seat(seat) in player_seeds:
            raise BadInput(f"Seat {seat} has a seed already: {quote(seed_text)} is a second one.")
        player_seeds[parse_seat(seat)] = player_seed
    seal = None if expected_seal is None else parse_hex_32(expected_seal, "The seal")
    return SealedRound(round_, bytes.fromhex(parse_hex_32(key, "The key")), seal, player_seeds, deck)


def _read_key(seed: str | None) -> bytes:
    from cardroom.cards import key_from_seed

    if seed is None:
        return secrets.token_bytes(32)
    return bytes.fromhex(seed) if _KEY.fullmatch(seed) else key_from_seed(seed)


def _parse_byte_count(text: str) -> int | None:
    if text == UNLIMITED:
        return None
    if not _DIGITS.fullmatch(text) or not int(text):
        raise BadInput(f"--bytes must be a number from 1, or unlimited; {quote(text)} is neither.")
    return int(text)


def _find_deck_of_game(slug: str | None, decks: int | None) -> Deck:
    from cardroom.cards import Deck, find_deck
    from cardroom.games import game

    if slug is None:
        return Deck.ONE if decks is None else find_deck(decks)
    facts = game(slug).facts
    deck = next((choice_deck for choice_deck in facts.decks if decks in (None, choice_deck.decks)), None)
    if deck is None:
        choice = " or ".join(str(choice_deck.decks) for choice_deck in facts.decks)
        raise BadInput(f"{facts.name} is played with {choice} decks, not {decks}.")
    return deck
