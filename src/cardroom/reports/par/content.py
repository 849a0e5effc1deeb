"""The content of a PAR sheet as plain values, and the digest over all of it.

The content says everything that the pages say, figures as exact fractions. It travels inside the file, so that
whoever gets the file can compute everything again from the set-up.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any, Final

from cardroom.games import game
from cardroom.games.procedure import Procedure
from cardroom.games.rulings import GENERAL_RULE
from cardroom.games.setup import setup_entry
from cardroom.jackpots.setup.jackpot import jackpot_setup_entry
from cardroom.odds import Odds, SimpleStrategy
from cardroom.odds.netted import netted
from cardroom.odds.rounds.agreement import Agreement
from cardroom.odds.rounds.winners import Joint, Uncounted
from cardroom.paytables import words
from cardroom.reports.paper.numbers import fixed
from cardroom.reports.par.combined import combined
from cardroom.reports.par.confirming import Confirmation
from cardroom.reports.par.sheet import ParSheet, WagerFigures

FORM: Final = "cardroom-par/2"

Content = dict[str, Any]


def content_of(sheet: ParSheet) -> Content:
    """What is signed."""
    return {
        "form": FORM,
        "program": sheet.program.entry(),
        "prepared": sheet.prepared.isoformat(),
        "game": sheet.table.facts.slug,
        "name": sheet.table.facts.name,
        "sheet": sheet.table.facts.sheet_title,
        "cards": sheet.table.deck.words,
        "jurisdiction": {
            "name": sheet.law.name,
            "one_wager_cents": sheet.law.one_wager,
            "spots_per_player": sheet.law.spots_per_player,
            "fourth_wager_cents": sheet.law.fourth_wager,
        },
        "setup": setup_entry(sheet.table.setup),
        "general_rule": GENERAL_RULE,
        "rulings": {ruling.number: ruling.text for ruling in sheet.rulings},
        "play": [[step.name, step.words, step.rule, step.only_if] for step in _steps(sheet)],
        "wagers": [_wager(figures) for figures in sheet.wagers],
        "combined": [
            [[one.first.name, one.second.name], str(one.expected_return), str(one.house_edge)]
            for one in combined(sheet)
        ],
        "jackpots": [jackpot_setup_entry(jackpot.setup) for jackpot in sheet.jackpots.values()],
        "confirmation": None if sheet.confirmed is None else _confirmation(sheet.confirmed),
        **({"stamp": sheet.stamp} if sheet.stamp else {}),
    }


def _steps(sheet: ParSheet) -> Procedure:
    return game(sheet.table.facts.slug).procedure(sheet.table)


def _confirmation(made: Confirmation) -> Content:
    entry: Content = {
        "rounds": made.rounds,
        "seed": made.seed,
        "wagers": [one and _agreement(one) for one in made.wagers],
        "differs": list(made.differing),
    }
    return entry | ({"refused": made.refused} if made.refused else {})


def _agreement(one: Agreement) -> Content:
    """Rounded, because the last digit of a root or a logarithm may differ between machines."""
    return {
        "mean": str(one.mean),
        "z": None if one.z is None else fixed(one.z, 6),
        "chi_square": "infinite" if one.chi_square == inf else fixed(one.chi_square, 6),
        "degrees": one.degrees,
        "p": None if one.p is None else fixed(one.p, 6),
    }


def canonical(content: Content) -> str:
    """The one way to write a content down. Names keep their order, because that of the wagers is the layout's."""
    return json.dumps(content, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest_of(content: Content) -> str:
    """SHA-256 of the content."""
    return hashlib.sha256(canonical(content).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Sealed:
    """A content as it travels inside a file, with the digest that the pages show."""

    digest: str
    content: Content

    @classmethod
    def of(cls, sheet: ParSheet) -> Sealed:
        content = content_of(sheet)
        return cls(digest_of(content), content)

    def to_json(self) -> str:
        return canonical({"digest": self.digest, "content": self.content})

    @classmethod
    def from_json(cls, text: str) -> Sealed:
        """Raises ``ValueError`` when it is nothing of the kind."""
        match json.loads(text):
            case {"digest": str(digest), "content": {"form": str()} as content}:
                return cls(digest, content)
        raise ValueError("no PAR sheet")


def _wager(figures: WagerFigures) -> Content:
    odds, table = figures.odds, figures.offered.paytable
    return {
        "wager": odds.wager,
        "name": figures.name,
        "paytable": odds.paytable,
        "basis": str(table.basis),
        "lines": [[line.event, line.printed, words(line.pay), line.overruled] for line in table.lines],
        "options": dict(odds.options),
        "wager_cents": figures.wager_cents,
        **_figures(odds),
        "empty_meter_standard_deviation": figures.at_empty_meter.standard_deviation,
        "at_maximum": None if figures.at_maximum is None else _figures(figures.at_maximum),
        "break_even_prize": _exact(figures.break_even_prize),
        "compared": [[other.paytable, _exact(other.house_edge)] for other in figures.compared],
        "net": [
            [str(line.net), str(line.percent), str(line.wagered), line.hit, line.combinations]
            for line in netted(figures.odds)
        ],
        "winners": _winners(figures.winners),
        "strategy": None if figures.strategy is None else _strategy(figures.strategy),
        "notes": list(odds.notes),
        **({"policy": odds.policy} if odds.policy else {}),
    }


def _winners(found: Joint | Uncounted | None) -> Content | None:
    """The chance that seats which are named win together, by how many of them win each line."""
    if found is None:
        return None
    if isinstance(found, Uncounted):
        return {"uncounted": found.words}
    return {
        "lines": [prize.event for prize in found.lines],
        "together": [[list(each), str(chance)] for each, chance in sorted(found.together.items())],
    }


def _figures(odds: Odds) -> Content:
    numbers = ("simulated_rounds", "standard_error", "combinations", "initial_wager")
    fractions = ("average_wager", "expected_return", "fixed_return", "meter_part", "break_even_meter")
    return {
        **{name: getattr(odds, name) for name in numbers},
        **{name: _exact(getattr(odds, name)) for name in fractions},
        "standard_deviation": odds.standard_deviation,
        "hit_frequency": _exact(odds.hit_frequency),
        "outcomes": [[one.event, one.pays, one.combinations, _exact(one.contribution)] for one in odds.outcomes],
        **({"unhit": [[one.event, one.pays, _exact(one.at_most)] for one in odds.unhit]} if odds.unhit else {}),
    }


def _strategy(strategy: SimpleStrategy) -> Content:
    return {
        "rules": [rule.words for rule in strategy.rules],
        "expected_return": _exact(strategy.expected_return),
        "best_return": _exact(strategy.best_return),
        "simulated_rounds": strategy.simulated_rounds,
        "standard_error": None if strategy.standard_error is None else float(strategy.standard_error),
    }


def _exact(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
