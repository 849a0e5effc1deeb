"""Every order is equally likely, and everyone can check the order that came."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import permutations, product

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

from cardroom.cards import STANDARD_DECK, Card, ChaCha20Source, Deck, Seal, format_cards, parse_cards, shuffle_items
from cardroom.errors import BadInput

KEY = bytes(range(32))


class ListedNumbers:
    """A source that returns given numbers and records the bounds."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self.numbers = list(numbers)
        self.bounds: list[int] = []

    def draw_below(self, bound: int) -> int:
        self.bounds.append(bound)
        return self.numbers.pop(0)


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_every_run_of_numbers_gives_an_order_of_its_own(count: int) -> None:
    """n cards ask for a number below n, below n - 1 and so on: n! runs, and each of the n! orders once."""
    items = STANDARD_DECK[:count]
    runs = product(*(range(bound) for bound in range(count, 1, -1)))
    assert sorted(shuffle_items(items, ListedNumbers(run)) for run in runs) == sorted(permutations(items))


def test_a_shuffle_asks_for_no_more_than_it_needs() -> None:
    source = ListedNumbers([0] * 51)
    shuffle_items(STANDARD_DECK, source)
    assert source.bounds == list(range(52, 1, -1))


@pytest.mark.parametrize(("count", "orders", "bound"), [(3, 6, 20.5), (4, 24, 49.7)])
def test_every_order_is_equally_likely(count: int, orders: int, bound: float) -> None:
    """Chi-square over a thousand shuffles per order from a fixed seed.

    The bounds for 5 and 23 degrees of freedom are those that a fair shuffle passes for 999 of 1,000 seeds.
    """
    source = ChaCha20Source.from_seed("every order")
    items = STANDARD_DECK[:count]
    seen = Counter(shuffle_items(items, source) for _ in range(1000 * orders))
    assert len(seen) == orders
    assert sum((times - 1000) ** 2 / 1000 for times in seen.values()) < bound


def test_every_card_comes_first_equally_often() -> None:
    """Chi-square with 51 degrees of freedom; 87.9 is passed for 999 of 1,000 seeds."""
    source = ChaCha20Source.from_seed("first card")
    first = Counter(shuffle_items(STANDARD_DECK, source)[0] for _ in range(5200))
    assert sum((first[card] - 100) ** 2 / 100 for card in STANDARD_DECK) < 87.9


def test_nothing_and_one_card_need_no_shuffle() -> None:
    assert shuffle_items((), ListedNumbers([])) == ()
    assert shuffle_items(parse_cards("As"), ListedNumbers([])) == parse_cards("As")


def test_a_shuffle_leaves_the_deck_itself_alone() -> None:
    deck = list(STANDARD_DECK)
    shuffle_items(deck, ChaCha20Source.from_seed(1))
    assert deck == list(STANDARD_DECK)


def test_the_same_key_and_round_give_the_same_order() -> None:
    assert Seal(KEY, "round 7").shuffle(Deck.SIX) == Seal(KEY, "round 7").shuffle(Deck.SIX)


def test_another_round_or_another_key_gives_another_order() -> None:
    order = Seal(KEY, "round 7").shuffle(Deck.ONE)
    assert Seal(KEY, "round 8").shuffle(Deck.ONE) != order
    assert Seal(KEY[::-1], "round 7").shuffle(Deck.ONE) != order


@pytest.mark.parametrize("deck", Deck, ids=lambda deck: deck.name)
def test_a_sealed_shuffle_holds_every_card_of_the_deck(deck: Deck) -> None:
    assert Counter(Seal(KEY, "round 7").shuffle(deck)) == Counter(deck.cards())


def test_the_commitment_opens_with_its_key_and_round_only() -> None:
    shown = Seal(KEY, "round 7").commitment
    assert Seal(KEY, "round 7").matches(shown)
    assert not Seal(KEY, "round 8").matches(shown)
    assert not Seal(KEY[::-1], "round 7").matches(shown)
    assert not Seal(KEY, "round 7").matches(shown[:-1])
    assert not Seal(KEY, "round 7").matches("")


def test_a_commitment_that_was_misread_does_not_open() -> None:
    """Whatever a player types in, the answer is no and not a failure."""
    shown = Seal(KEY, "round 7").commitment
    assert not Seal(KEY, "round 7").matches(shown.replace("0", "Ø") + "…")


def by_a_player(key: bytes, round_name: str, words: Mapping[int, str] | None = None) -> tuple[str, tuple[Card, ...]]:
    """Commitment and order of one deck, worked out from what the house publishes about its shuffle."""
    label, name = b"cardroom shuffle 1\x00", round_name.encode()
    commitment = hashlib.sha256(label + key + name).hexdigest()
    if words:
        message = b"cardroom shuffle 1 with words\x00" + len(name).to_bytes(4, "big") + name
        for seat, word in sorted(words.items()):
            message += seat.to_bytes(4, "big") + len(word.encode()).to_bytes(4, "big") + word.encode()
    else:
        message = label + name
    stream_key = hmac.new(key, message, hashlib.sha256).digest()
    stream = Cipher(algorithms.ChaCha20(stream_key, bytes(16)), mode=None).encryptor()
    order = list(STANDARD_DECK)
    for left in range(52, 1, -1):
        while (word := int.from_bytes(stream.update(bytes(4)), "little")) >= (1 << 32) // left * left:
            pass
        order[left - 1], order[word % left] = order[word % left], order[left - 1]
    return commitment, tuple(order)


@pytest.mark.parametrize("round_name", ["table 1, round 7", "", "Tisch 3, Runde ♠"])
def test_a_player_with_the_key_works_out_the_same_order(round_name: str) -> None:
    seal = Seal(KEY, round_name)
    assert by_a_player(KEY, round_name) == (seal.commitment, seal.shuffle(Deck.ONE))


@pytest.mark.parametrize("words", [{1: "plum"}, {5: "♠ ♥", 2: "plum"}, {1: " ", 2: "1"}])
def test_a_player_with_the_key_and_all_words_works_out_the_same_order(words: dict[int, str]) -> None:
    seal = Seal(KEY, "round 7")
    assert by_a_player(KEY, "round 7", words) == (seal.commitment, seal.shuffle(Deck.ONE, words))


def test_every_word_at_every_seat_has_its_say_in_the_order() -> None:
    seal = Seal(KEY, "round 7")
    said: list[dict[int, str]] = [
        {},
        {1: "plum"},
        {2: "plum"},
        {1: "plum", 2: "plum"},
        {1: "plump", 2: "lum"},
        {1: "plumplum"},
        {2: "plumplum"},
        {1: "Plum"},
        {1: "plum "},
        {1: "p", 12: "lum"},
        {11: "p", 2: "lum"},
        {1: "plum", 2: "plum", 3: "plum"},
        {1: "a", 2: "b"},
        {1: "a\0\0\0\2b"},
    ]
    assert len({seal.shuffle(Deck.ONE, words) for words in said}) == len(said)


def test_with_words_too_another_round_or_key_gives_another_order() -> None:
    words = {1: "plum"}
    orders = {Seal(KEY, "round 7").shuffle(Deck.ONE, words), Seal(KEY, "round 8").shuffle(Deck.ONE, words)}
    assert len(orders | {Seal(KEY[::-1], "round 7").shuffle(Deck.ONE, words)}) == 3


def test_an_empty_word_is_none() -> None:
    seal = Seal(KEY, "round 7")
    assert seal.shuffle(Deck.ONE, {1: "", 4: ""}) == seal.shuffle(Deck.ONE)
    assert seal.shuffle(Deck.ONE, {1: "", 4: "plum"}) == seal.shuffle(Deck.ONE, {4: "plum"})


def test_the_order_in_which_the_words_were_said_does_not_matter() -> None:
    seal = Seal(KEY, "round 7")
    assert seal.shuffle(Deck.ONE, {4: "plum", 1: "fig"}) == seal.shuffle(Deck.ONE, {1: "fig", 4: "plum"})


def test_a_word_that_is_no_proper_text_counts_as_any_other() -> None:
    seal = Seal(KEY, "round 7")
    assert seal.shuffle(Deck.ONE, {1: "\ud800"}) != seal.shuffle(Deck.ONE, {1: "\ud801"})


def test_neither_the_seal_nor_its_commitment_gives_the_key_away() -> None:
    seal = Seal(KEY, "round 7")
    assert KEY.hex() not in repr(seal)
    assert repr(KEY) not in repr(seal)
    assert KEY.hex() not in seal.commitment
    assert len(seal.commitment) == 64


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seal_needs_a_key_of_the_right_length(length: int) -> None:
    with pytest.raises(BadInput):
        Seal(bytes(length), "round 7")


def test_an_order_once_published_stays_what_it_was() -> None:
    """Past rounds must stay verifiable. This one was computed with nothing but RFC 8439 and SHA-256."""
    seal = Seal(bytes(32), "table 1, round 7")
    assert seal.matches("3fac42157a81ad7cf871c27c4e9b63e25b7a89d4753a9018a3aaf1fa11b2279c")
    assert format_cards(seal.shuffle(Deck.ONE)[:5]) == "5h Jc As 9s 5c"
    whole = {deck.name: hashlib.sha256(format_cards(seal.shuffle(deck)).encode()).hexdigest()[:16] for deck in Deck}
    assert whole == {
        "ONE": "bcf9900d26771972",
        "WITH_JOKER": "76fe5351e26d61f4",
        "TWO": "cf0aa7579635173e",
        "FOUR": "e1533351015b813c",
        "FIVE": "14cc371d8f626e88",
        "SIX": "89dd018ba8c5ceb2",
        "EIGHT": "63a47301beb80ffa",
    }
