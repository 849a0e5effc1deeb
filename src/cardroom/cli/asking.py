"""Questions about odds and strategies as they are typed, and the answers to them for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardroom.cards import Deck, format_cards, parse_cards
from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.table_files import TableFiles, read_table_files
from cardroom.cli.shared.typed import pairs
from cardroom.errors import BadInput, quote
from cardroom.games import game
from cardroom.games.money import parse_dollars
from cardroom.odds import PriceQuery, PriceRequest, find_requests, pricer
from cardroom.odds.pricer import Progress
from cardroom.odds.result import Setting
from cardroom.odds.table_prices import requests_at
from cardroom.paytables import OTHER, Paytable, paytables
from cardroom.terminal.pages import odds as pricing


class BadOption(BadInput):
    """An option that is not written as NAME=VALUE."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedQuestion:
    """What somebody asks about a wager, as it is typed; None where it was left out."""

    game: str | None
    wager: str | None
    paytable: str | None
    decks: int | None
    options: Sequence[str] | None
    bonuses: Sequence[str] | None
    tables: Sequence[str] | None
    meter: str | None = None
    every_setting: bool = False

    def asked(self, slug: str | None) -> PriceQuery:
        """What was typed, read, without the files."""
        settings: dict[str, Setting] = {
            name: _setting(value) for name, value in _pairs(self.options, "--option").items()
        }
        if self.decks is not None:
            if "decks" in settings:
                raise BadOption("--decks and --option decks say the same: leave one of them out.")
            settings["decks"] = self.decks
        return PriceQuery(
            game=slug,
            wager=self.wager,
            paytable=self.paytable,
            settings=settings,
            all_settings=self.every_setting,
            meter_cents=None if self.meter is None else parse_dollars(self.meter),
            bonuses=dict(_pairs(self.bonuses, "--bonus")),
        )


def asked_questions(typed: TypedQuestion) -> tuple[PriceRequest, ...]:
    """Every question that was asked: about printed tables, about paytables that nobody printed, or about a table."""
    return _asked_of(typed, *read_table_files(typed.tables, typed.game))


def _asked_of(typed: TypedQuestion, files: TableFiles, slug: str | None) -> tuple[PriceRequest, ...]:
    asked = typed.asked(slug)
    if files.setup is not None:
        _refuse_beside_a_setup(typed)
        return requests_at(files.opened(slug or ""), typed.wager, asked.meter_cents)
    if not files.paytables:
        return find_requests(asked)
    for table in files.paytables:
        _refuse_another(typed, table)
    return tuple(
        one for table in files.paytables for one in find_requests(replace(asked, wager=table.wager, table=table))
    )


def _refuse_beside_a_setup(typed: TypedQuestion) -> None:
    given = {
        "--paytable": typed.paytable is not None,
        "--decks": typed.decks is not None,
        "--option": bool(typed.options),
        "--bonus": bool(typed.bonuses),
        "--all": typed.every_setting,
    }
    for flag, said in given.items():
        if said:
            raise BadOption(f"The set-up of the table decides that already: leave out {flag}, or change the file.")


def _refuse_another(typed: TypedQuestion, table: Paytable) -> None:
    if table.feature is not None:
        raise BadOption(
            f"The paytable {quote(table.name)} is for the feature {table.feature}, which rides on {table.wager}: its "
            "odds are not told. Put it into the set-up of a table."
        )
    for flag, said, holds in (("--wager", typed.wager, table.wager), ("--paytable", typed.paytable, table.name)):
        if said is not None and said != holds:
            raise BadOption(f"The file's paytable says {quote(holds)}, not {quote(said)}: leave out {flag}.")


def _pairs(texts: Sequence[str] | None, flag: str) -> dict[str, str]:
    return pairs(
        texts,
        lambda text: BadOption(
            f"{flag} {quote(text)} cannot be read: write NAME=VALUE, such as ties=push or straight=4."
        ),
        lambda name: BadOption(f"{flag} names {quote(name)} twice: say it once."),
    )


def _setting(value: str) -> Setting:
    if value.lower() in ("true", "false"):
        return value.lower() == "true"
    return int(value) if value.isascii() and value.isdigit() else value


def one_question(typed: TypedQuestion) -> PriceRequest:
    """The first question that fits: the main wager and the first table unless others are named."""
    files, slug = read_table_files(typed.tables, typed.game)
    if slug is None:
        raise BadOption("Name a game, such as three-card-prime, or a table with --table FILE.toml.")
    if typed.wager is None and not (files.paytables and files.setup is None):
        typed = replace(typed, wager=game(slug).facts.wagers[0].slug)
    if len(files.paytables) > 1 and files.setup is None:
        raise BadOption("A strategy is for one paytable: name one file, or a set-up and the --wager.")
    if typed.bonuses and typed.paytable is None and not typed.tables:
        typed = replace(typed, paytable=_table_that_takes(slug, typed))
    return _asked_of(typed, files, slug)[0]


def _table_that_takes(slug: str, typed: TypedQuestion) -> str:
    """The first printed table that leaves all these amounts open; the first one when there is none, which says so."""
    events = set(_pairs(typed.bonuses, "--bonus")) - {OTHER}
    printed = paytables(slug, typed.wager or "")
    fitting = (table for table in printed if events and events <= {line.trigger for line in table.operator_lines})
    return next(fitting, printed[0]).name


def hand_advice(question: PriceRequest, hand: str) -> Answer:
    """What each decision is worth with these cards."""
    held = parse_cards(hand)
    _deck(question).check(held)
    values = pricer(question.game).hand_values(question.wager, question.table, question.settings, held)
    entry = _about(question) | {
        "hand": format_cards(held),
        "decisions": [{"decision": str(decision), "value": float(value)} for decision, value in values],
    }
    return Answer(entry, pricing.hand_table(f"{_title(question)}: {format_cards(held)}", values))


def _deck(question: PriceRequest) -> Deck:
    """The deck that is asked about."""
    decks = game(question.game).facts.decks
    return next((deck for deck in decks if deck.decks == question.settings.get("decks")), decks[0])


def simple_advice(question: PriceRequest, progress: Progress) -> Answer:
    """The strategy to remember."""
    found = pricer(question.game).basic_strategy(question.wager, question.table, question.settings, progress)
    entry = _about(question) | {
        "rules": [rule.text for rule in found.rules],
        "expected_return": float(found.expected_return),
        "best_return": float(found.best_return),
        "cost": float(found.cost),
        "method": "exact" if found.simulated_rounds is None else "simulated",
    }
    if found.simulated_rounds is not None:
        entry |= {"rounds": found.simulated_rounds, "standard_error": found.standard_error}
    if found.policy:
        entry["policy"] = found.policy
    return Answer(entry, pricing.strategy_text(_title(question), found))


def _about(question: PriceRequest) -> dict[str, Any]:
    return {
        "game": question.game,
        "wager": question.wager,
        "paytable": question.table.name,
        "options": dict(question.settings),
    }


def _title(question: PriceRequest) -> str:
    parts = (game(question.game).facts.name, question.wager, question.table.display_name)
    settings = pricing.settings_text(dict(question.settings))
    return ", ".join(filter(None, (*parts, settings)))
