"""The book of games: the house's own, and those that installed packages announce."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from cardroom.faults import BadInput, close_to, quoted
from cardroom.games.game import Game
from cardroom.games.spot import GameFacts
from cardroom.packages import GAMES, Announced, BadPackage, announced, announced_for
from cardroom.paytables import wagers

_HOUSE: Final = {
    "deuces-wild": "deuces_wild",
    "three-card-prime": "three_card_prime",
    "texas-shootout": "texas_shootout",
    "dueling-for-dollars": "dueling_for_dollars",
    "three-card-double-play": "three_card_double_play",
}


class UnknownGame(BadInput):
    """A game that nobody has written the rules of."""


@cache
def game_slugs() -> tuple[str, ...]:
    """Every game that can be played: the house's in the order of their sheets, then those of packages by name.

    >>> game_slugs()[:2]
    ('deuces-wild', 'three-card-prime')
    """
    return (*_HOUSE, *(slug for slug in _visiting() if _fault(slug) is None))


@cache
def game(slug: str) -> Game:
    """The rules of a game by its slug, or by a part of it that means no other game.

    >>> game("dueling").facts.slug, game("double play").facts.slug
    ('dueling-for-dollars', 'three-card-double-play')
    """
    if slug in _HOUSE:
        rules: Game = import_module(f"cardroom.games.{_HOUSE[slug]}.rules").RULES
        return rules
    package = visitor(slug)
    return game(_meant(slug)) if package is None else _rules(package)


def _meant(typed: str) -> str:
    """The game that a beginning, or a word of its name, stands for."""
    short = "-".join(typed.lower().replace("-", " ").split())
    known = game_slugs()
    found = [slug for slug in known if short and f"-{short}" in f"-{slug}"]
    found = found or [slug for slug in known if game(slug).facts.name.lower() == typed.strip().lower()]
    if len(found) > 1:
        raise UnknownGame(f"{quoted(typed)} may be {' or '.join(found)}: say more of its name.")
    if not found:
        names = {word for slug in known for word in (slug, *slug.split("-"))}
        meant = close_to(typed, names)
        raise UnknownGame(f"There is no game {quoted(typed)}: choose one of {', '.join(known)}.{meant}")
    return found[0]


def house_folder(slug: str) -> str | None:
    """The folder in which a game of the house lies; None for one that a package brings."""
    return _HOUSE.get(slug)


def visitor(slug: str) -> Announced | None:
    """The package that a game comes from; None for the house's own."""
    return None if slug in _HOUSE else announced_for(GAMES, slug)


def unfit_packages() -> tuple[str, ...]:
    """A sentence for each installed package whose game cannot be played; the other games do not mind."""
    taken = [one.refused("the house has one of that name") for one in announced(GAMES) if one.slug in _HOUSE]
    return tuple(map(str, (*taken, *filter(None, map(_fault, _visiting())))))


def _visiting() -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.slug for one in announced(GAMES) if one.slug not in _HOUSE))


def _fault(slug: str) -> BadPackage | None:
    try:
        game(slug)
    except BadPackage as fault:
        return fault
    return None


def _rules(package: Announced) -> Game:
    rules = package.load()
    if not isinstance(rules, Game) or not isinstance(getattr(rules, "facts", None), GameFacts):
        raise package.refused(f"{package.module}:{package.name} is not the rules of a game with its facts")
    if rules.facts.slug != package.slug:
        raise package.refused(f"its rules are those of {rules.facts.slug!r}")
    unpaid = [wager.slug for wager in rules.facts.wagers if wager.slug not in wagers(package.slug)]
    if unpaid:
        raise package.refused(f"its paytables do not list the wager {', '.join(unpaid)}")
    return rules
