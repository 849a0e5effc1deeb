"""What the layout calls its spots, stacks and piles, and how a question is put: the same words on every felt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cardroom.games.decisions import Verb
from cardroom.games.places import Pile
from cardroom.games.spot import GameFacts
from cardroom.games.table import Table
from cardroom.games.turns import SeatTurn

# What the groups of cards in an answer are called, in their order.
GROUP_NAMES: Final = {
    Verb.KEEP: ("playing",),
    Verb.SPLIT: ("first hand", "second hand"),
    Verb.SET: ("high hand", "low hand"),
}

PILE_NAMES: Final = {
    Pile.HAND: "hand",
    Pile.FOURTH: "fourth card",
    Pile.WAR: "war card",
    Pile.COMMUNITY: "community",
    Pile.WAR_COMMUNITY: "war card",
    Pile.ADDED_COMMUNITY: "2 + 2",
}


def pile_name(pile: Pile) -> str:
    """What a pile of cards is called on the layout."""
    return PILE_NAMES.get(pile, f"{pile} card")


def plain(slug: str) -> str:
    """A slug as people say it: ``Tie after tie``."""
    return slug.replace("-", " ").capitalize()


def spot_name(table: Table, spot: str) -> str:
    """A spot by the name of its wager, or by its own where a wager has several spots."""
    wager = table.spots[spot].wager
    return wager.name if spot == wager.slug else f"{wager.name}: {spot}"


def wager_name(facts: GameFacts, spot: str) -> str:
    """The name of the wager that a spot is for."""
    return next((wager.name for wager in facts.wagers if spot == wager.slug or spot in wager.spots), plain(spot))


def stake_name(facts: GameFacts, spot: str, stake: str) -> str:
    """Chips by the name of their wager; the stacks of the main wager by their own: ``Ante``, ``Play``."""
    if stake in {wager.slug for wager in facts.wagers}:
        return wager_name(facts, stake)
    main = facts.wagers[0]
    return plain(stake) if spot == main.slug or spot in main.spots else f"{wager_name(facts, spot)}, {stake}"


def question_words(turn: SeatTurn, questions: Mapping[str, str]) -> str:
    """The question as the dealer would put it: in the game's own words where it has some, else ``Fold or play?``"""
    if turn.question in questions:
        return questions[turn.question]
    verbs = list(dict.fromkeys(str(option.verb) for option in turn.options))
    if len(verbs) == 1:
        return f"{verbs[0].capitalize()} which cards?"
    return f"{', '.join(verbs[:-1])} or {verbs[-1]}?".capitalize()
