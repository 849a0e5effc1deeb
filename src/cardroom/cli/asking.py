"""Questions about odds and strategies as they are typed, and the answers to them for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardroom.cards import Deck, cards, names
from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.reading import read_text
from cardroom.cli.shared.typed import pairs
from cardroom.faults import BadInput, quoted
from cardroom.games import game
from cardroom.games.money import dollars
from cardroom.odds import Asked, Question, pricer, questions
from cardroom.odds.pricer import Progress
from cardroom.odds.result import Setting
from cardroom.paytables import load_paytable
from cardroom.terminal.pages import odds as pricing


class BadOption(BadInput):
    """An option that is not written as NAME=VALUE."""


def asked_about(
    slug: str | None,
    wager: str | None,
    paytable: str | None,
    decks: int | None,
    options: Sequence[str] | None,
    meter: str | None,
    bonuses: Sequence[str] | None,
    table_file: str | None,
    every_setting: bool,
) -> Asked:
    """What was typed, read."""
    settings: dict[str, Setting] = {name: _setting(value) for name, value in _pairs(options, "--option").items()}
    if decks is not None:
        settings["decks"] = decks
    return Asked(
        game=slug,
        wager=wager,
        paytable=paytable,
        settings=settings,
        every_setting=every_setting,
        meter_cents=None if meter is None else dollars(meter),
        bonuses=dict(_pairs(bonuses, "--bonus")),
        table=load_paytable(read_text(table_file)) if table_file else None,
    )


def _pairs(texts: Sequence[str] | None, flag: str) -> dict[str, str]:
    return pairs(
        texts,
        lambda text: BadOption(
            f"{flag} {quoted(text)} cannot be read: write NAME=VALUE, such as ties=push or straight=4."
        ),
        lambda name: BadOption(f"{flag} names {quoted(name)} twice: say it once."),
    )


def _setting(value: str) -> Setting:
    if value.lower() in ("true", "false"):
        return value.lower() == "true"
    return int(value) if value.isdigit() else value


def one_question(
    slug: str,
    wager: str | None,
    paytable: str | None,
    decks: int | None,
    options: Sequence[str] | None,
    bonuses: Sequence[str] | None,
    table_file: str | None,
) -> Question:
    """The first question that fits: the main wager and the first table unless others are named."""
    main = wager or game(slug).facts.wagers[0].slug
    return questions(asked_about(slug, main, paytable, decks, options, None, bonuses, table_file, every_setting=False))[
        0
    ]


def hand_advice(question: Question, hand: str) -> Answer:
    """What each decision is worth with these cards."""
    held = cards(hand)
    _deck(question).check(held)
    values = pricer(question.game).hand_values(question.wager, question.table, question.settings, held)
    entry = _about(question) | {
        "hand": names(held),
        "decisions": [{"decision": str(decision), "value": float(value)} for decision, value in values],
    }
    return Answer(entry, pricing.hand_table(f"{_title(question)}: {names(held)}", values))


def _deck(question: Question) -> Deck:
    """The deck that is asked about."""
    decks = game(question.game).facts.decks
    return next((deck for deck in decks if deck.decks == question.settings.get("decks")), decks[0])


def simple_advice(question: Question, progress: Progress) -> Answer:
    """The strategy to remember."""
    found = pricer(question.game).simple_strategy(question.wager, question.table, question.settings, progress)
    entry = _about(question) | {
        "rules": [rule.words for rule in found.rules],
        "expected_return": float(found.expected_return),
        "best_return": float(found.best_return),
        "cost": float(found.cost),
        "method": "exact" if found.simulated_rounds is None else "simulated",
    }
    if found.simulated_rounds is not None:
        entry |= {"rounds": found.simulated_rounds, "standard_error": found.standard_error}
    return Answer(entry, pricing.strategy_text(_title(question), found))


def _about(question: Question) -> dict[str, Any]:
    return {
        "game": question.game,
        "wager": question.wager,
        "paytable": question.table.name,
        "options": dict(question.settings),
    }


def _title(question: Question) -> str:
    parts = (game(question.game).facts.name, question.wager, question.table.name)
    settings = pricing.settings_words(dict(question.settings))
    return ", ".join(filter(None, (*parts, settings)))
