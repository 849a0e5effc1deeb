"""Definitions of a wager's figures for every sheet and page that shows them.

>>> definition_sentences("Standard deviation")
('Standard deviation: of the net result of one round, in units.',)
"""

from __future__ import annotations

from typing import Final

PLUS_MINUS: Final = "± is one standard error."

DEFINITIONS: Final = (
    (
        "Unit",
        (
            "The base wager: one Ante, one duel, one Texas Shootout wager, one High wager with the Low equal, or "
            "the side wager itself."
        ),
    ),
    (
        "Return",
        "An outcome's contribution to the expected net result of one round, in units; the column sums to it.",
    ),
    ("House edge", "The expected loss divided by the amount wagered before the deal."),
    ("Element of risk", "The expected loss divided by the average wager, raises included."),
    ("Standard deviation", "Of the net result of one round, in units."),
    (
        "Volatility index",
        (
            "At 90% confidence: 1.645 times the standard deviation for one unit initially wagered, because 90% of a "
            "normal distribution is within 1.645 standard deviations of its mean. After n rounds the actual return "
            "is within the index divided by the square root of n of the expected return, 90 times in 100."
        ),
    ),
    ("Hit frequency", "How often the round's net result is above zero, or a jackpot prize is won."),
    ("Fixed return", "The return of a jackpot wager's fixed prizes, as a part of the wager, without the meter."),
    (
        "Break-even meter",
        "The meter at which the wager is fair if one winner takes the percentage.",
    ),
    ("±", "One standard error of a simulated figure; figures without it are exact."),
)


def definition_sentences(*names: str) -> tuple[str, ...]:
    """The named definitions as sentences, in the order of the list."""
    return tuple(f"{name}: {words[:1].lower()}{words[1:]}" for name, words in DEFINITIONS if name in names)
