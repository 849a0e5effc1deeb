"""The jackpot lines that the rule sheets print, as far as the evenings of these tests play them.

A fraction is a share of the meter. A whole number is cents for each dollar wagered, from the house. The first line is
the highest. Where the sheet says "Bonus", the operator's amount stands in the jackpot's set-up.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

Line = Fraction | int | None
"""None where the operator sets it."""

ALL: Final = Fraction(1)

PRINTED: Final[dict[str, dict[str, Line]]] = {
    # Sheet 003, Tie After Tie.
    "PT-BJS-DFD-TAT-03": {
        "quads-same-suit": ALL,
        "quads-same-color": ALL,
        "quads-two-color": Fraction(1, 10),
        "trips-same-color": 50_00,
        "trips-two-color": 20_00,
        "not-a-tie": 0,
    },
    # Sheet 001, Final Four.
    "F4P-1": {
        "four-card-diamond-royal": ALL,
        "four-card-royal": Fraction(1, 10),
        "four-card-straight-flush": 1_000_00,
        "four-of-a-kind": 1_000_00,
        "initial-straight-flush": 40_00,
        "three-of-a-kind": 25_00,
        "four-card-straight": 15_00,
        "initial-straight": 6_00,
        "below-straight": 0,
    },
    # Sheet 001, All Seven.
    "A7P-1": {
        "seven-card-straight-flush": ALL,
        "royal-flush": Fraction(1, 10),
        "straight-flush": 200_00,
        "flush": 5_00,
        "straight-or-less": 0,
    },
    # Sheet 002, Jackpot.
    "TS/JP 3": {
        "five-of-a-kind-suited": ALL,
        "royal-flush": Fraction(1, 4),
        "straight-flush": 100_00,
        "five-of-a-kind": 50_00,
        "four-of-a-kind": 5_00,
        "full-house": 3_00,
        "nothing": 0,
    },
    # Sheet 000, Bonus Jackpot.
    "A": {
        "five-wild-cards": None,
        "four-wild-cards": 250_00,
        "three-wild-cards": 15_00,
        "two-wild-cards": 7_00,
        "nothing": 0,
    },
}

ENVY: Final = {"five-of-a-kind-suited": 400_00, "royal-flush": 75_00}
"""The operator's Envy Bonus on the jackpot of Texas Shootout (sheet 002, appendix C), in cents."""
DECKS: Final = {"final-four": 1, "all-seven": 1, "jackpot": 6, "bonus-jackpot": 1, "tie-after-tie": 6}
"""By jackpot wager, how many of each card there are."""

# Hands that dealers type in: event, and the cards by their place.
TYPED: Final[dict[str, dict[str, dict[str, str]]]] = {
    "final-four": {
        "four-card-diamond-royal": {"hand": "Jd Qd Kd", "fourth": "Ad"},
        "four-card-royal": {"hand": "Js Qs Ks", "fourth": "As"},
        "four-card-straight-flush": {"hand": "5h 6h 7h", "fourth": "8h"},
        "four-of-a-kind": {"hand": "9c 9d 9h", "fourth": "9s"},
        "initial-straight-flush": {"hand": "5h 6h 7h", "fourth": "2c"},
        "three-of-a-kind": {"hand": "9c 9d 9h", "fourth": "2s"},
        "four-card-straight": {"hand": "5h 6c 7h", "fourth": "8h"},
        "initial-straight": {"hand": "5h 6c 7h", "fourth": "2h"},
        "below-straight": {"hand": "2h 6c 9d", "fourth": "Js"},
    },
    "all-seven": {
        "seven-card-straight-flush": {"hand": "5h 6h 7h", "fourth": "8h", "dealer": "9h Th Jh"},
        "royal-flush": {"hand": "Th Jh Qh", "fourth": "Kh", "dealer": "Ah 2c 3d"},
        "straight-flush": {"hand": "5h 6h 7h", "fourth": "8h", "dealer": "9h 2c Kd"},
        "flush": {"hand": "2h 4h 9h", "fourth": "Jh", "dealer": "Kh 3c 5d"},
        "straight-or-less": {"hand": "2h 4c 9d", "fourth": "Js", "dealer": "Kd 3c 7d"},
    },
    "jackpot": {
        "five-of-a-kind-suited": {"hand": "Ks Ks", "community": "Ks Ks Ks 2c 3d"},
        "royal-flush": {"hand": "As Ks", "community": "Qs Js Ts 2c 3d"},
        "straight-flush": {"hand": "9s 8s", "community": "7s 6s 5s Kc 2d"},
        "four-of-a-kind": {"hand": "9s 9c", "community": "9d 9h 5s Kc 2d"},
        "full-house": {"hand": "9s 9c", "community": "9d 5h 5s Kc 2d"},
        "nothing": {"hand": "9s 8c", "community": "3d 5h Js Kc 2d"},
    },
    "bonus-jackpot": {
        "five-wild-cards": {"hand": "2c 2d 2h", "fourth": "2s", "fifth": "Jk"},
        "four-wild-cards": {"hand": "2c 2d 2h", "fourth": "2s", "fifth": "9d"},
        "three-wild-cards": {"hand": "2c 2d 2h", "fourth": "8s", "fifth": "9d"},
        "two-wild-cards": {"hand": "2c 2d 7h", "fourth": "8s", "fifth": "9d"},
        "nothing": {"hand": "2c 4d 7h", "fourth": "8s", "fifth": "9d"},
    },
}

# Other cards for the same line, so that two players can have it in one round of one deck.
ALSO: Final[dict[tuple[str, str], tuple[dict[str, str], ...]]] = {
    ("final-four", "four-card-royal"): (
        {"hand": "Jh Qh Kh", "fourth": "Ah"},
        {"hand": "Jc Qc Kc", "fourth": "Ac"},
    ),
    ("final-four", "three-of-a-kind"): ({"hand": "8c 8d 8h", "fourth": "3s"},),
    ("final-four", "four-of-a-kind"): ({"hand": "Tc Td Th", "fourth": "Ts"},),
}

# A duel against the king of spades, and the king of spades again in the war: the seat's card and its war card.
DUELS: Final[dict[str, tuple[str, str]]] = {
    "quads-same-suit": ("Ks", "Ks"),
    "quads-same-color": ("Kc", "Kc"),
    "quads-two-color": ("Kd", "Kh"),
    "trips-same-color": ("Kc", "5h"),
    "trips-two-color": ("Kd", "5h"),
    "not-a-tie": ("2d", ""),
}
MOST_ALIKE: Final = {"quads-same-suit": 2, "quads-same-color": 3}
"""Six decks have six kings of each suit, and two of spades lie on the table."""
