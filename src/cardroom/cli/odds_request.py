"""Requests for odds and strategies from command-line options, and their results as text and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardroom.cards import Deck, format_cards, parse_cards
from cardroom.cli.shared.options import parse_pairs
from cardroom.cli.shared.output import CommandOutput
from cardroom.cli.shared.table_files import TableFiles, read_table_files
from cardroom.errors import BadInput, quote
from cardroom.games import game
from cardroom.games.money import parse_dollars
from cardroom.odds import PriceQuery, PriceRequest, find_requests, pricer
from cardroom.odds.pricer import Progress
from cardroom.odds.result import Setting
from cardroom.odds.table_prices import requests_at
from cardroom.paytables import OTHER, Paytable, paytables
from cardroom.terminal.pages import odds as odds_pages


class BadOption(BadInput):
    """An option that is not written as NAME=VALUE."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceArguments:
    """The options of a price request; None if left out."""

    game: str | None
    wager: str | None
    paytable: str | None
    decks: int | None
    options: Sequence[str] | None
    bonuses: Sequence[str] | None
    tables: Sequence[str] | None
    meter: str | None = None
    all_settings: bool = False

    def to_query(self, slug: str | None) -> PriceQuery:
        """The options without the files, parsed."""
        settings: dict[str, Setting] = {
            name: _parse_setting(value) for name, value in _parse_option_pairs(self.options, "--option").items()
        }
        if self.decks is not None:
            if "decks" in settings:
                raise BadOption("--decks and --option decks are the same option: leave one out.")
            settings["decks"] = self.decks
        return PriceQuery(
            game=slug,
            wager=self.wager,
            paytable=self.paytable,
            settings=settings,
            all_settings=self.all_settings,
            meter_cents=None if self.meter is None else parse_dollars(self.meter),
            bonuses=dict(_parse_option_pairs(self.bonuses, "--bonus")),
        )


def read_price_requests(arguments: PriceArguments) -> tuple[PriceRequest, ...]:
    """All requests: for printed paytables, for custom paytables, or for a table setup."""
    return _find_requests(arguments, *read_table_files(arguments.tables, arguments.game))


def _find_requests(arguments: PriceArguments, files: TableFiles, slug: str | None) -> tuple[PriceRequest, ...]:
    price_query = arguments.to_query(slug)
    if files.setup is not None:
        _refuse_options_with_setup(arguments)
        return requests_at(files.open_table(slug or ""), arguments.wager, price_query.meter_cents)
    if not files.paytables:
        return find_requests(price_query)
    for table in files.paytables:
        _refuse_mismatch(arguments, table)
    return tuple(
        price_request
        for table in files.paytables
        for price_request in find_requests(replace(price_query, wager=table.wager, table=table))
    )


def _refuse_options_with_setup(arguments: PriceArguments) -> None:
    flags = {
        "--paytable": arguments.paytable is not None,
        "--decks": arguments.decks is not None,
        "--option": bool(arguments.options),
        "--bonus": bool(arguments.bonuses),
        "--all": arguments.all_settings,
    }
    for flag, is_set in flags.items():
        if is_set:
            raise BadOption(f"The table setup already sets that: leave out {flag}, or change the file.")


def _refuse_mismatch(arguments: PriceArguments, table: Paytable) -> None:
    if table.feature is not None:
        raise BadOption(
            f"The paytable {quote(table.name)} is for the feature {table.feature} of {table.wager}, which has no odds "
            "of its own: put it into a table setup."
        )
    for flag, value, expected_value in (
        ("--wager", arguments.wager, table.wager),
        ("--paytable", arguments.paytable, table.name),
    ):
        if value is not None and value != expected_value:
            raise BadOption(
                f"The paytable in the file has {quote(expected_value)}, not {quote(value)}: leave out {flag}."
            )


def _parse_option_pairs(texts: Sequence[str] | None, flag: str) -> dict[str, str]:
    return parse_pairs(
        texts,
        lambda text: BadOption(
            f"{flag} {quote(text)} cannot be read: write NAME=VALUE, such as ties=push or straight=4."
        ),
        lambda name: BadOption(f"{flag} names {quote(name)} twice: name it once."),
    )


def _parse_setting(value: str) -> Setting:
    if value.lower() in ("true", "false"):
        return value.lower() == "true"
    return int(value) if value.isascii() and value.isdigit() else value


def read_price_request(arguments: PriceArguments) -> PriceRequest:
    """The first matching request: the main wager and the first paytable unless others are named."""
    files, slug = read_table_files(arguments.tables, arguments.game)
    if slug is None:
        raise BadOption("Name a game, such as three-card-prime, or a table with --table FILE.toml.")
    if arguments.wager is None and not (files.paytables and files.setup is None):
        arguments = replace(arguments, wager=game(slug).facts.wagers[0].slug)
    if len(files.paytables) > 1 and files.setup is None:
        raise BadOption("A strategy is for one paytable: name one file, or a setup and the --wager.")
    if arguments.bonuses and arguments.paytable is None and not arguments.tables:
        arguments = replace(arguments, paytable=_choose_paytable(slug, arguments))
    return _find_requests(arguments, files, slug)[0]


def _choose_paytable(slug: str, arguments: PriceArguments) -> str:
    """The first printed paytable that leaves all these amounts open, or the first paytable, which refuses them."""
    events = set(_parse_option_pairs(arguments.bonuses, "--bonus")) - {OTHER}
    printed_tables = paytables(slug, arguments.wager or "")
    matches = (
        table for table in printed_tables if events and events <= {line.trigger for line in table.operator_lines}
    )
    return next(matches, printed_tables[0]).name


def advise_hand(request: PriceRequest, hand: str) -> CommandOutput:
    """The value of each decision with these cards."""
    hand_cards = parse_cards(hand)
    _find_deck(request).check(hand_cards)
    values = pricer(request.game).hand_values(request.wager, request.table, request.settings, hand_cards)
    data = _request_json(request) | {
        "hand": format_cards(hand_cards),
        "decisions": [{"decision": str(decision), "value": float(value)} for decision, value in values],
    }
    return CommandOutput(data, odds_pages.hand_table(f"{_title(request)}: {format_cards(hand_cards)}", values))


def _find_deck(request: PriceRequest) -> Deck:
    """The deck of the request."""
    decks = game(request.game).facts.decks
    return next((deck for deck in decks if deck.decks == request.settings.get("decks")), decks[0])


def describe_basic_strategy(request: PriceRequest, progress: Progress) -> CommandOutput:
    """The basic strategy, as text and JSON."""
    basic_strategy = pricer(request.game).basic_strategy(request.wager, request.table, request.settings, progress)
    data = _request_json(request) | {
        "rules": [rule.text for rule in basic_strategy.rules],
        "expected_return": float(basic_strategy.expected_return),
        "best_return": float(basic_strategy.best_return),
        "cost": float(basic_strategy.cost),
        "method": "exact" if basic_strategy.simulated_rounds is None else "simulated",
    }
    if basic_strategy.simulated_rounds is not None:
        data |= {"rounds": basic_strategy.simulated_rounds, "standard_error": basic_strategy.standard_error}
    if basic_strategy.policy:
        data["policy"] = basic_strategy.policy
    return CommandOutput(data, odds_pages.strategy_text(_title(request), basic_strategy))


def _request_json(request: PriceRequest) -> dict[str, Any]:
    return {
        "game": request.game,
        "wager": request.wager,
        "paytable": request.table.name,
        "options": dict(request.settings),
    }


def _title(request: PriceRequest) -> str:
    parts = (game(request.game).facts.name, request.wager, request.table.display_name)
    settings = odds_pages.settings_text(dict(request.settings))
    return ", ".join(filter(None, (*parts, settings)))
