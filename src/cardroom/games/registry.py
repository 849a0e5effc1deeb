"""The registry of games: built-in games, games of installed packages, and a default setup for each.

The default setup is complete: every wager of a game, with the first printed paytable that needs no amounts from the
operator.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from cardroom.errors import BadInput, quote, suggest_name
from cardroom.games.game import Game
from cardroom.games.game_facts import GameFacts, Wager
from cardroom.games.playable_table import select_deck
from cardroom.games.setup import TableSetup, WagerLimits, WagerSetup
from cardroom.paytables import Paytable, paytables, wagers
from cardroom.plugins import GAME_GROUP, BadPackage, Plugin, find_plugin, installed_plugins

_BUILT_IN: Final = {
    "deuces-wild": "deuces_wild",
    "three-card-prime": "three_card_prime",
    "texas-shootout": "texas_shootout",
    "dueling-for-dollars": "dueling_for_dollars",
    "three-card-double-play": "three_card_double_play",
}


class UnknownGame(BadInput):
    """A name that is not a game."""


@cache
def game_slugs() -> tuple[str, ...]:
    """All games: the built-in ones in the order of their sheets, then those of packages by name.

    >>> game_slugs()[:2]
    ('deuces-wild', 'three-card-prime')
    """
    return (*_BUILT_IN, *(slug for slug in _package_slugs() if _find_package_fault(slug) is None))


@cache
def game(slug: str) -> Game:
    """The rules of a game by its slug, or by an unambiguous part of it.

    >>> game("dueling").facts.slug, game("double play").facts.slug
    ('dueling-for-dollars', 'three-card-double-play')
    """
    if slug in _BUILT_IN:
        rules: Game = import_module(f"cardroom.games.{_BUILT_IN[slug]}.rules").RULES
        return rules
    package = find_package(slug)
    return game(_resolve_slug(slug)) if package is None else _load_rules(package)


def _resolve_slug(text: str) -> str:
    """The game with this beginning or word in its name."""
    slug_part = "-".join(text.lower().replace("-", " ").split())
    slugs = game_slugs()
    matches = [slug for slug in slugs if slug_part and f"-{slug_part}" in f"-{slug}"]
    matches = matches or [slug for slug in slugs if game(slug).facts.name.lower() == text.strip().lower()]
    if len(matches) > 1:
        raise UnknownGame(f"{quote(text)} can be {' or '.join(matches)}: write more of its name.")
    if not matches:
        names = {word for slug in slugs for word in (slug, *slug.split("-"))}
        suggestion = suggest_name(text, names)
        raise UnknownGame(f"There is no game {quote(text)}: choose one of {', '.join(slugs)}.{suggestion}")
    return matches[0]


def built_in_folder(slug: str) -> str | None:
    """The folder of a built-in game; None for a game of a package."""
    return _BUILT_IN.get(slug)


def find_package(slug: str) -> Plugin | None:
    """The package of a game; None for a built-in game."""
    return None if slug in _BUILT_IN else find_plugin(GAME_GROUP, slug)


def list_package_faults() -> tuple[str, ...]:
    """A sentence for each installed package whose game cannot be played; other games are not affected."""
    refusals = [
        package.error("a built-in game has that name")
        for package in installed_plugins(GAME_GROUP)
        if package.slug in _BUILT_IN
    ]
    return tuple(map(str, (*refusals, *filter(None, map(_find_package_fault, _package_slugs())))))


def _package_slugs() -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(package.slug for package in installed_plugins(GAME_GROUP) if package.slug not in _BUILT_IN)
    )


def _find_package_fault(slug: str) -> BadPackage | None:
    try:
        game(slug)
    except BadPackage as fault:
        return fault
    return None


def _load_rules(package: Plugin) -> Game:
    rules = package.load()
    if not isinstance(rules, Game) or not isinstance(getattr(rules, "facts", None), GameFacts):
        raise package.error(f"{package.module}:{package.name} is not a Game with facts")
    if rules.facts.slug != package.slug:
        raise package.error(f"its rules are those of {rules.facts.slug!r}")
    unpaid = [wager.slug for wager in rules.facts.wagers if wager.slug not in wagers(package.slug)]
    if unpaid:
        raise package.error(f"its paytables do not list the wager {', '.join(unpaid)}")
    return rules


# The amount for open lines in a default setup, if every printed paytable has some.
DEFAULT_BONUS = "$5,000"


def default_setup(slug: str, *, seats: int = 6, jurisdiction: str = "washington") -> TableSetup:
    """A complete setup to try a game.

    >>> game("three-card-prime").open(default_setup("three-card-prime")).offers["all-six"].paytable.name
    'A6-1'
    """
    facts = game(slug).facts
    empty_setup = TableSetup(facts.slug, {}, seats=seats, jurisdiction=jurisdiction)
    wagers = {
        wager.slug: _default_wager(facts, wager, place, select_deck(empty_setup, facts).decks)
        for place, wager in enumerate(facts.wagers, 1)
    }
    return TableSetup(facts.slug, wagers, seats=seats, jurisdiction=jurisdiction)


def _default_wager(facts: GameFacts, wager: Wager, place: int, decks: int) -> WagerSetup:
    table = _default_paytable(facts, wager, decks)
    bonuses = dict.fromkeys(table.missing_bonuses({}), DEFAULT_BONUS)
    if wager.jackpot:
        amounts = wager.jackpot.amounts or (1_00,)
        return WagerSetup(WagerLimits(min(amounts), max(amounts), 1_00), table.name, bonuses)
    if place == 1:
        return WagerSetup(WagerLimits(10_00, 200_00, 10_00), table.name, bonuses)
    # A player with four wagers has at least one from the fourth spot on, so that five dollars there keep every
    # choice of spots within the limit on a fourth wager (GEN-1).
    most = 5_00 if place >= 4 else 100_00
    return WagerSetup(WagerLimits(1_00, most, 1_00), table.name, bonuses)


def _default_paytable(facts: GameFacts, wager: Wager, decks: int) -> Paytable:
    candidates = [table for table in paytables(facts.slug, wager.slug) if not table.decks or decks in table.decks]
    return next((table for table in candidates if table.is_numeric), candidates[0])
