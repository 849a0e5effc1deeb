"""The rules of each game, generated from the same facts that the tables use.

Rulings are cited by number, and each number is a link to its ruling.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response
from markupsafe import Markup, escape

from cardroom.errors import BadInput
from cardroom.games import Table, default_setup, game, game_slugs
from cardroom.games.game import Game
from cardroom.games.jurisdiction import Jurisdiction, jurisdiction
from cardroom.games.money import format_cents
from cardroom.games.playable_table import WagerOffer
from cardroom.games.procedure import ProcedureStep
from cardroom.games.rulings import GENERAL_RULE, GENERAL_RULINGS, JACKPOT_RULINGS, Ruling
from cardroom.paytables import Paytable, describe_pay
from cardroom.paytables.catalog import Appendix, appendices, find_column_line
from cardroom.translation import gettext
from cardroom.web.pages.requests import get_app_context, signed_in_player
from cardroom.web.pages.table_view import verb_label
from cardroom.web.pages.templating import render_page
from cardroom.web.services.app_context import AppContext, tables_for

_NUMBER: Final = re.compile(r"\b[A-Z]{2,3}-\d+\b")
_CODE: Final = re.compile(r"`([^`]+)`")


def link_rulings(text: str, rulings: Collection[str], base_url: str = "") -> Markup:
    """A text in which the numbers of these rulings are links, on this page or on another, and text between backticks is
    set as code.

    >>> link_rulings("Equal hands <win> (TP-1), not XY-9.", {"TP-1"})
    Markup('Equal hands &lt;win&gt; (<a href="#TP-1">TP-1</a>), not XY-9.')
    >>> link_rulings("TP-1", {"TP-1"}, "/rules/three-card-prime")
    Markup('<a href="/rules/three-card-prime#TP-1">TP-1</a>')
    >>> link_rulings("written `PB 1+PB/LD 3`.", ())
    Markup('written <code>PB 1+PB/LD 3</code>.')
    """

    def ruling_link(match: re.Match[str]) -> str:
        number = match[0]
        return f'<a href="{escape(base_url)}#{number}">{number}</a>' if number in rulings else number

    html = _CODE.sub(r"<code>\1</code>", str(escape(text)))
    return Markup(_NUMBER.sub(ruling_link, html))  # noqa: S704 (the text is escaped, numbers are letters and digits)


router = APIRouter(include_in_schema=False)
EVEN_MONEY: Final = "1 to 1"
"""What a wager without a printed paytable pays, by the rules."""


class RulesGame(NamedTuple):
    """A game in the list of games."""

    slug: str
    name: str
    sheet: str
    lines: tuple[str, ...]
    rulings: frozenset[str]
    """The numbers of the rulings on its page."""


class PrintedPaytable(NamedTuple):
    """A paytable in use, line by line. That of a feature names the feature and the wager that qualifies for it."""

    wager: str
    name: str
    lines: tuple[tuple[str, str], ...]
    feature: str = ""
    qualifying: str = ""


class RulesPage(NamedTuple):
    """The rules of a game as they apply at one table."""

    game: Game
    table: Table
    current_table: str
    """The table's id; empty when no table of the game is open and the usual setup applies."""
    other_tables: tuple[str, ...]
    """The other open tables of the same game."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The summary, a sentence each."""
        return tuple(self.game.summary.strip().splitlines())

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        jackpots = any(offered_wager.wager.jackpot for offered_wager in self.table.offers.values())
        return (*self.game.rulings, *GENERAL_RULINGS, *(JACKPOT_RULINGS if jackpots else ()))

    @property
    def decisions(self) -> tuple[tuple[str, str], ...]:
        return tuple((verb_label(verb), meaning) for verb, meaning in self.game.verb_descriptions.items())

    @property
    def steps(self) -> tuple[ProcedureStep, ...]:
        return self.game.procedure(self.table)

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """The options of the rules, and what the operator chose."""
        return tuple(
            (option.text, _format_option(self.table.options[option.name])) for option in self.table.facts.options
        )

    @property
    def paytables(self) -> tuple[PrintedPaytable, ...]:
        """The paytables in use; that of a feature follows the wager that it belongs to."""
        return tuple(
            printed_table for offered in self.table.offers.values() for printed_table in _printed_paytables(offered)
        )

    @property
    def law(self) -> tuple[tuple[str, str, str], ...]:
        """The legal limits of wagers, with their sources."""
        return tuple(_law(jurisdiction(self.table.setup.jurisdiction)))

    @property
    def appendices(self) -> tuple[Appendix, ...]:
        return tuple(appendices(self.table.facts.slug))


def _format_option(value: str | bool) -> str:
    return value if isinstance(value, str) else gettext("yes") if value else gettext("no")


def _printed_paytables(offered: WagerOffer) -> Iterator[PrintedPaytable]:
    yield PrintedPaytable(offered.wager.name, offered.paytable.display_name, _lines(offered.paytable))
    if offered.feature is not None:
        feature = offered.feature
        yield PrintedPaytable(
            offered.wager.name,
            feature.paytable.display_name,
            _lines(feature.paytable),
            feature.name,
            format_cents(feature.qualifying),
        )


def _lines(table: Paytable) -> tuple[tuple[str, str], ...]:
    return tuple((line.label, describe_pay(line.pay)) for line in table.lines)


def _law(law: Jurisdiction) -> Iterator[tuple[str, str, str]]:
    if law.one_wager is not None:
        yield gettext("Largest single wager"), format_cents(law.one_wager), law.one_wager_source
    if law.spots_per_player is not None:
        yield gettext("Most wagering spots that a player may use"), str(law.spots_per_player), law.spots_source
    if law.fourth_wager is not None:
        yield gettext("Largest fourth wager"), format_cents(law.fourth_wager), law.fourth_wager_source
    if law.aggregate_odds is not None:
        least = gettext("the largest wager at {odds} to 1").format(odds=law.aggregate_odds)
        yield gettext("Lowest payout limit that a table may set for a deal"), least, law.aggregate_source


def build_rules_page(context: AppContext, player: str | None, slug: str, requested_name: str) -> RulesPage:
    """The rules of a game at the requested table, at the first open one, or with the usual setup."""
    rules = game(slug)
    slug = rules.facts.slug
    tables_of_game = {
        snapshot.state.table: snapshot.state.open_table.table
        for snapshot in tables_for(context.card_room, player)
        if snapshot.state.game.facts.slug == slug and not snapshot.state.closed
    }
    if requested_name and requested_name not in tables_of_game:
        text = gettext("There is no table {table} of {game}.")
        raise BadInput(text.format(table=repr(requested_name), game=rules.facts.name))
    table_name = requested_name or next(iter(tables_of_game), "")
    table = tables_of_game[table_name] if table_name else rules.open(default_setup(slug))
    return RulesPage(rules, table, table_name, tuple(table_id for table_id in tables_of_game if table_id != table_name))


def list_rules_games() -> list[RulesGame]:
    """Every game."""
    return [
        RulesGame(
            slug=game_rules.facts.slug,
            name=game_rules.facts.name,
            sheet=game_rules.facts.sheet_title,
            lines=tuple(game_rules.summary.strip().splitlines()),
            rulings=frozenset(ruling.number for ruling in (*game_rules.rulings, *GENERAL_RULINGS)),
        )
        for game_rules in map(game, game_slugs())
    ]


def _list_games(request: Request, refusal: str = "") -> Response:
    status = 404 if refusal else 200
    return render_page(
        request, "rules/games.html", status=status, games=list_rules_games(), cited=link_rulings, refusal=refusal
    )


@router.get("/rules")
async def show_games(request: Request) -> Response:
    """The list of games, each with its summary."""
    signed_in_player(request)
    return _list_games(request)


@router.get("/rules/{slug}")
async def show_rules(request: Request, slug: str, table: str = "") -> Response:
    """The rules of one game, to read and to print."""
    context, player = get_app_context(request), signed_in_player(request)
    try:
        rules_page = await context.executors.query(build_rules_page, context, player, slug, table)
    except BadInput as refusal:
        return _list_games(request, str(refusal))
    numbers = {ruling.number for ruling in rules_page.rulings}
    variables: dict[str, Any] = {
        "rules": rules_page,
        "even_money": EVEN_MONEY,
        "facts": rules_page.table.facts,
        "general": GENERAL_RULE,
        "line_of": find_column_line,
    }
    return render_page(request, "rules/game.html", cited=lambda text: link_rulings(text, numbers), **variables)
