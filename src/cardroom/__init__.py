"""Five house-banked table games, from cards to payouts.

The names that most programs need are here; each package has the rest.

>>> from cardroom import best_three, deal, price
>>> best_three("As Ks Qs") > best_three("9h 9d 9c")
True
>>> print(deal("three-card-prime", {1: {"ante-play": 10_00}}, seed=1))
Three Card Prime
dealer  ?? ?? ??
seat 1  Kh Kd Qc | fourth card ??    Ante $10
Seat 1 decides: fold, play
>>> price("three-card-prime", "ante-play", "PW/BB 1").house_edge
Fraction(226743, 7830200)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cardroom.cards import Card, Deck, parse_cards
    from cardroom.errors import BadInput
    from cardroom.games import Round, deal
    from cardroom.games.registry import game
    from cardroom.hands import Hand, best_five, best_three
    from cardroom.odds import Odds, price
    from cardroom.paytables import Paytable, paytable

__version__ = "0.1.0"

__all__ = [
    "BadInput",
    "Card",
    "Deck",
    "Hand",
    "Odds",
    "Paytable",
    "Round",
    "__version__",
    "best_five",
    "best_three",
    "deal",
    "game",
    "parse_cards",
    "paytable",
    "price",
]

_PACKAGES: Final = {
    "cards": ("Card", "Deck", "parse_cards"),
    "errors": ("BadInput",),
    "games": ("Round", "deal", "game"),
    "hands": ("Hand", "best_five", "best_three"),
    "odds": ("Odds", "price"),
    "paytables": ("Paytable", "paytable"),
}
_PACKAGE_OF: Final = {name: package for package, names in _PACKAGES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that ``import cardroom`` loads nothing else."""
    if name not in _PACKAGE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_PACKAGE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
