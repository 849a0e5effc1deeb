"""The rules of each game for players, from the same facts as the felt: nothing on these pages is written for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.errors import BadInput
from cardroom.games import Table, default_setup, game, game_slugs
from cardroom.games.game import Game
from cardroom.games.jurisdiction import Jurisdiction, jurisdiction
from cardroom.games.money import format_cents
from cardroom.games.procedure import ProcedureStep
from cardroom.games.rulings import GENERAL_RULE, GENERAL_RULINGS, JACKPOT_RULINGS, Ruling
from cardroom.games.table import WagerOffer
from cardroom.games.view import humanize_slug
from cardroom.paytables import Paytable, describe_pay
from cardroom.paytables.catalog import Appendix, appendices, find_column_line
from cardroom.web.pages.citing import cited
from cardroom.web.pages.drawing import page
from cardroom.web.pages.visitors import house_of, player_name
from cardroom.web.room.house import House, tables_for

router = APIRouter(include_in_schema=False)
EVEN_MONEY: Final = (("a win", "1 to 1"),)
"""What a wager without a printed table pays, by the rules themselves."""


class ListedGame(NamedTuple):
    """A game on the page that lists them."""

    slug: str
    name: str
    sheet: str
    lines: tuple[str, ...]
    rulings: frozenset[str]
    """The numbers of those that its page has."""


class PaidTable(NamedTuple):
    """A paytable line by line."""

    wager: str
    name: str
    lines: tuple[tuple[str, str], ...]


class RulesOfTable(NamedTuple):
    """Everything that a player of one table may want to read."""

    game: Game
    table: Table
    at: str
    """The table's name; empty when no table of the game is open, and the usual set-up is told."""
    others: tuple[str, ...]
    """Tables of the same game with rules of their own."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The rules in short, a sentence each."""
        return tuple(self.game.summary.strip().splitlines())

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        jackpots = any(one.wager.jackpot for one in self.table.offers.values())
        return (*self.game.rulings, *GENERAL_RULINGS, *(JACKPOT_RULINGS if jackpots else ()))

    @property
    def answers(self) -> tuple[tuple[str, str], ...]:
        return tuple((humanize_slug(verb), meaning) for verb, meaning in self.game.verb_descriptions.items())

    @property
    def steps(self) -> tuple[ProcedureStep, ...]:
        return self.game.procedure(self.table)

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """What the rules leave to the operator, and what holds here."""
        return tuple((one.text, _value(self.table.options[one.name])) for one in self.table.facts.options)

    @property
    def paid(self) -> tuple[PaidTable, ...]:
        """The tables in use, those of features behind the wager that they ride on."""
        return tuple(one for offered in self.table.offers.values() for one in _paid(offered))

    @property
    def law(self) -> tuple[tuple[str, str, str], ...]:
        """What the law of the place says to wagers, and where."""
        return tuple(_law(jurisdiction(self.table.setup.jurisdiction)))

    @property
    def appendices(self) -> tuple[Appendix, ...]:
        return tuple(appendices(self.table.facts.slug))


def _value(value: str | bool) -> str:
    return value if isinstance(value, str) else "yes" if value else "no"


def _paid(offered: WagerOffer) -> Iterator[PaidTable]:
    yield PaidTable(offered.wager.name, offered.paytable.display_name, _lines(offered.paytable))
    if offered.feature is not None:
        title = (
            f"{offered.feature.name}, with {format_cents(offered.feature.qualifying)} or more on {offered.wager.name}"
        )
        yield PaidTable(title, offered.feature.paytable.display_name, _lines(offered.feature.paytable))


def _lines(table: Paytable) -> tuple[tuple[str, str], ...]:
    return tuple((line.label, describe_pay(line.pay)) for line in table.lines) or EVEN_MONEY


def _law(law: Jurisdiction) -> Iterator[tuple[str, str, str]]:
    if law.one_wager is not None:
        yield "Largest single wager", format_cents(law.one_wager), law.one_wager_source
    if law.spots_per_player is not None:
        yield "Wagering spots that a player may use", str(law.spots_per_player), law.spots_source
    if law.fourth_wager is not None:
        yield "Largest fourth wager", format_cents(law.fourth_wager), law.fourth_wager_source
    if law.aggregate_odds is not None:
        least = f"the largest wager at {law.aggregate_odds} to 1"
        yield "Least payout limit of a deal, where a table has one", least, law.aggregate_source


def rules_of(house: House, player: str | None, slug: str, at: str) -> RulesOfTable:
    """The rules of a game as they hold at a table: the one that is named, the first that is open, or the usual one."""
    rules = game(slug)
    slug = rules.facts.slug
    here = {
        look.state.table: look.state.at.table
        for look in tables_for(house.floor, player)
        if look.state.game.facts.slug == slug and not look.state.closed
    }
    if at and at not in here:
        raise BadInput(f"No table {at!r} of {rules.facts.name} is open to you: {', '.join(here) or 'none is'}.")
    chosen = at or next(iter(here), "")
    table = here[chosen] if chosen else rules.open(default_setup(slug))
    return RulesOfTable(rules, table, chosen, tuple(one for one in here if one != chosen))


def listed_games() -> list[ListedGame]:
    """Every game that can be played."""
    return [
        ListedGame(
            slug=one.facts.slug,
            name=one.facts.name,
            sheet=one.facts.sheet_title,
            lines=tuple(one.summary.strip().splitlines()),
            rulings=frozenset(ruling.number for ruling in (*one.rulings, *GENERAL_RULINGS)),
        )
        for one in map(game, game_slugs())
    ]


def _list_games(request: Request, refusal: str = "") -> Response:
    status = 404 if refusal else 200
    return page(request, "rules/games.html", status=status, games=listed_games(), cited=cited, refusal=refusal)


@router.get("/rules")
async def show_games(request: Request) -> Response:
    """Every game in short."""
    player_name(request)
    return _list_games(request)


@router.get("/rules/{slug}")
async def show_rules(request: Request, slug: str, table: str = "") -> Response:
    """The rules of one game, to read and to print."""
    house, player = house_of(request), player_name(request)
    try:
        told = await house.clerks.look(rules_of, house, player, slug, table)
    except BadInput as refusal:
        return _list_games(request, str(refusal))
    numbers = {one.number for one in told.rulings}
    shown: dict[str, Any] = {
        "told": told,
        "facts": told.table.facts,
        "general": GENERAL_RULE,
        "line_of": find_column_line,
    }
    return page(request, "rules/game.html", cited=lambda text: cited(text, numbers), **shown)
