"""Strategies as cards for the pocket, as they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cardroom.cli.shared.answers import Answer
from cardroom.errors import BadInput
from cardroom.games import game, game_slugs
from cardroom.odds import PriceRequest
from cardroom.odds.pricer import Progress
from cardroom.reports.documents.files import check_writable
from cardroom.reports.strategy_cards import StrategyCard, print_cards, strategy_card, strategy_cards

_ALL: Final = "strategies.pdf"


class BadCardOrder(BadInput):
    """Cards that are asked for in words that do not fit together."""


@dataclass(frozen=True, slots=True)
class CardOrder:
    """What is to be printed. Everything that can be wrong with it is found out before a figure is computed."""

    games: tuple[str, ...]
    question: PriceRequest | None
    """One wager under one table; None for every wager of the games that asks something."""
    file: Path


def order(slug: str | None, output: str | None, question: Callable[[], PriceRequest] | None) -> CardOrder:
    """Read what was typed; the question, which names its game, is put where more than the game was named."""
    asked = question() if question else None
    if asked is not None:
        games: tuple[str, ...] = (asked.game,)
    else:
        games = (game(slug).facts.slug,) if slug else game_slugs()
    file = Path(output or (f"{games[0]}-strategy.pdf" if len(games) == 1 else _ALL))
    if file.suffix.lower() != ".pdf":
        raise BadCardOrder(f"Cards are printed as PDF: end the file's name with .pdf; {file.name!r} does not.")
    check_writable(file)
    return CardOrder(games, asked, file)


def make(wanted: CardOrder, progress: Progress) -> Answer:
    """Write the file and say what is on it."""
    cards = tuple(_cards(wanted, progress))
    print_cards(cards, wanted.file, datetime.now(UTC).astimezone().date())
    told = "\n".join(f"  {card.name}, {card.wager}. {card.cost}." for card in cards)
    several = "1 card" if len(cards) == 1 else f"{len(cards)} cards"
    entry = {
        "path": str(wanted.file),
        "cards": [{"game": card.game, "wager": card.wager, "rules": list(card.rules)} for card in cards],
    }
    return Answer(entry, f"{wanted.file}: {several} of 3 by 5 inches, four to a page, with marks to cut along.\n{told}")


def _cards(wanted: CardOrder, progress: Progress) -> list[StrategyCard]:
    if wanted.question:
        return [strategy_card(wanted.question, progress)]
    part = 1 / len(wanted.games)
    found: list[StrategyCard] = []
    for number, slug in enumerate(wanted.games):
        name = game(slug).facts.name

        def share(what: str, done: float, before: float = number * part, name: str = name) -> None:
            progress(f"{name}: {what}", before + done * part)

        found += strategy_cards(slug, share)
    return found
