"""The shuffle of a past round, step by step from its key to the cards on the layout, each step with its values.

What each step gives is worked out the long way, and held against what the books have and what dealt the round.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cardroom.cards import ChaCha20Source, Seal, format_cards
from cardroom.cards.shuffle_trace import LABEL, LABEL_WITH_SEEDS, ShuffleTrace, trace_shuffle
from cardroom.floor.felt.state import opened, words_of
from cardroom.floor.kept.felt_recall import PastRound
from cardroom.floor.kept.round_check import RoundCheck

_FIRST: Final = 8
"""So many numbers are shown of those that the shuffle used."""


class Value(NamedTuple):
    """Something that goes in, or comes out."""

    name: str
    value: str
    are_cards: bool = False


class ShuffleStep(NamedTuple):
    """One step: what is done, with which values, and whether what comes out is what it must be."""

    title: str
    done: str
    values: tuple[Value, ...]
    holds: bool
    verdict: str


def shuffle_steps(past: PastRound, check: RoundCheck) -> tuple[ShuffleStep, ...]:
    """Every step of a round that was dealt from a key; none where the key is no key at all."""
    if not check.order:
        return ()
    key, words = bytes.fromhex(past.key), words_of(past.begun.wagers)
    by_hand = trace_shuffle(key, past.id, words, opened(past.setup).table.deck)
    dealer = Seal(key, past.id)
    return (
        _seal(past, by_hand),
        _stream(past, by_hand, dealer.stream_key(words).hex()),
        _numbers(by_hand, ChaCha20Source(dealer.stream_key(words))),
        _order(by_hand, check),
        _deal(by_hand, check),
    )


def _seal(past: PastRound, by_hand: ShuffleTrace) -> ShuffleStep:
    holds = by_hand.commitment == past.seal
    return ShuffleStep(
        "The key opens the seal",
        "SHA-256 of a label, the key and the round's id, one after the other.",
        (
            Value("label", _readable(LABEL)),
            Value("key", past.key),
            Value("id", past.id),
            Value("SHA-256 of them", by_hand.commitment),
            Value("shown before the first wager", past.seal),
        ),
        holds,
        "It is the seal that was shown." if holds else "It is not the seal that was shown.",
    )


def _stream(past: PastRound, by_hand: ShuffleTrace, used: str) -> ShuffleStep:
    words = tuple(Value(f"words of seat {seat}", text) for seat, text in sorted(words_of(past.begun.wagers).items()))
    done = (
        "HMAC-SHA-256 under the key: of a label, the id, and of each seat that said something its number and its words."
        if words
        else "HMAC-SHA-256 under the key: of a label and the id, because nobody added words."
    )
    holds = by_hand.stream_key == used
    return ShuffleStep(
        "The players' words make the key of the stream",
        done,
        (
            Value("label", _readable(LABEL_WITH_SEEDS if words else LABEL)),
            *words,
            Value("authenticated, in hexadecimal", by_hand.message.hex()),
            Value("key of the stream", by_hand.stream_key),
        ),
        holds,
        "It is the key that dealt the round." if holds else f"The round was dealt with another: {used}.",
    )


def _numbers(by_hand: ShuffleTrace, source: ChaCha20Source) -> ShuffleStep:
    """Both ways of working out the stream must come to the same numbers, all of them."""
    bounds = range(len(by_hand.order), 1, -1)
    holds = source.draw_below_each(bounds) == [one.drawn for one in by_hand.draws]
    first = " ".join(f"{one.number}" for one in by_hand.draws[:_FIRST])
    left_out = f"{by_hand.rejected_count} numbers were past the last whole multiple, and left out."
    return ShuffleStep(
        "Random numbers",
        "The key stream of ChaCha20 (RFC 8439) under that key, with a nonce of zeros, read as numbers of 32 bits."
        + (f" {left_out}" if by_hand.rejected_count else ""),
        (Value(f"the first {_FIRST} of {len(by_hand.draws)}", f"{first} …"),),
        holds,
        "They are the numbers that dealt the round." if holds else "They are not the numbers that dealt the round.",
    )


def _order(by_hand: ShuffleTrace, check: RoundCheck) -> ShuffleStep:
    swaps = ", ".join(f"place {one.below} with {one.drawn + 1}" for one in by_hand.draws[:_FIRST])
    holds = by_hand.order == check.order
    return ShuffleStep(
        "The order of the deck",
        "From the last place of a fresh deck to the second, each card changes places with one up to itself: the number "
        "divided by how many there are, and what is left counts from the first place.",
        (Value("the first exchanges", f"{swaps} …"), Value("the order", format_cards(by_hand.order), True)),
        holds,
        f"These {len(by_hand.order)} cards, in this order, were dealt from."
        if holds
        else "The round was dealt from another order.",
    )


def _deal(by_hand: ShuffleTrace, check: RoundCheck) -> ShuffleStep:
    count = len(check.dealt)
    holds = count > 0 and tuple(one.card for one in check.dealt) == by_hand.order[:count]
    return ShuffleStep(
        "The deal",
        "Cards come off the top, each to the place where the rules of the game put it.",
        tuple(
            Value(str(place), format_cards(one.card for one in check.dealt if one.place == place), True)
            for place in dict.fromkeys(one.place for one in check.dealt)
        ),
        holds,
        f"The first {count} cards of the order are those that lay on the layout."
        if holds
        else "Other cards lay on the layout.",
    )


def _readable(label: bytes) -> str:
    return label.decode().replace("\x00", "\\0")
