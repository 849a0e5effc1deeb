"""The content of a PAR sheet as plain values, and the digest over all of it.

The content has everything that the pages show, with figures as exact fractions. It is inside the file, so that a
recipient can compute everything again from the setup.
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
from cardroom.games.setup import setup_to_json
from cardroom.odds import BasicStrategy, Odds
from cardroom.odds.simulation.meter_winners import JointProbabilities, UnknownWinners
from cardroom.odds.simulation.tally import Agreement
from cardroom.odds.statistics import group_by_net
from cardroom.paytables import describe_pay
from cardroom.reports.documents.numbers import format_fixed
from cardroom.reports.par.confirmation_run import Confirmation
from cardroom.reports.par.sheet import ParSheet, WagerFigures, wager_pairs
from cardroom.room.setup.jackpot import jackpot_setup_to_mapping

CONTENT_FORMAT: Final = "cardroom-par/2"

Content = dict[str, Any]


def build_content(sheet: ParSheet) -> Content:
    """The content that the signatures cover."""
    return {
        "form": CONTENT_FORMAT,
        "program": sheet.program.to_json(),
        "prepared": sheet.prepared.isoformat(),
        "game": sheet.table.facts.slug,
        "name": sheet.table.facts.name,
        "sheet": sheet.table.facts.sheet_title,
        "cards": sheet.table.deck.description,
        "jurisdiction": {
            "name": sheet.law.name,
            "one_wager_cents": sheet.law.one_wager,
            "spots_per_player": sheet.law.spots_per_player,
            "fourth_wager_cents": sheet.law.fourth_wager,
        },
        "setup": setup_to_json(sheet.table.setup),
        "general_rule": GENERAL_RULE,
        "rulings": {ruling.number: ruling.text for ruling in sheet.rulings},
        "play": [[step.name, step.text, step.rule, step.condition] for step in _steps(sheet)],
        "wagers": [_wager(figures) for figures in sheet.wagers],
        "combined": [
            [[pair.first.name, pair.second.name], str(pair.expected_return), str(pair.house_edge)]
            for pair in wager_pairs(sheet)
        ],
        "jackpots": [jackpot_setup_to_mapping(jackpot.setup) for jackpot in sheet.jackpots.values()],
        "confirmation": None if sheet.confirmation is None else _confirmation(sheet.confirmation),
        **({"stamp": sheet.stamp} if sheet.stamp else {}),
    }


def _steps(sheet: ParSheet) -> Procedure:
    return game(sheet.table.facts.slug).procedure(sheet.table)


def _confirmation(run: Confirmation) -> Content:
    entry: Content = {
        "rounds": run.rounds,
        "seed": run.seed,
        "wagers": [result and _agreement(result) for result in run.wagers],
        "differs": list(run.differences),
    }
    return entry | ({"refused": run.refusal} if run.refusal else {})


def _agreement(result: Agreement) -> Content:
    """Rounded, because the last digit of a root or a logarithm can differ between machines."""
    return {
        "mean": str(result.mean),
        "z": None if result.z is None else format_fixed(result.z, 6),
        "chi_square": "infinite" if result.chi_square == inf else format_fixed(result.chi_square, 6),
        "degrees": result.degrees,
        "p": None if result.p is None else format_fixed(result.p, 6),
    }


def canonical_json(content: Content) -> str:
    """The canonical text of a content. Names keep their order, because the order of the wagers is that of the
    layout."""
    return json.dumps(content, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def content_digest(content: Content) -> str:
    """The SHA-256 digest of the content."""
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class EmbeddedContent:
    """The content as attached to a file, with the digest that the pages show."""

    digest: str
    content: Content

    @classmethod
    def from_sheet(cls, sheet: ParSheet) -> EmbeddedContent:
        content = build_content(sheet)
        return cls(content_digest(content), content)

    def to_json(self) -> str:
        return canonical_json({"digest": self.digest, "content": self.content})

    @classmethod
    def from_json(cls, text: str) -> EmbeddedContent:
        """Decode an attachment. Raises ``ValueError`` if it is not one."""
        match json.loads(text):
            case {"digest": str(digest), "content": {"form": str()} as content}:
                return cls(digest, content)
        raise ValueError("not a PAR sheet")


def _wager(figures: WagerFigures) -> Content:
    odds, table = figures.odds, figures.offered.paytable
    return {
        "wager": odds.wager,
        "name": figures.name,
        "paytable": odds.paytable,
        "basis": str(table.basis),
        "lines": [[line.trigger, line.label, describe_pay(line.pay), line.ruling] for line in table.lines],
        "options": dict(odds.options),
        "wager_cents": figures.wager_cents,
        **_figures(odds),
        "empty_meter_standard_deviation": figures.empty_meter_odds.standard_deviation,
        "at_maximum": None if figures.maximum_odds is None else _figures(figures.maximum_odds),
        "break_even_prize": _exact_text(figures.break_even_prize),
        "compared": [[table_odds.paytable, _exact_text(table_odds.house_edge)] for table_odds in figures.comparisons],
        "net": [
            [str(line.net), str(line.percent), str(line.wagered), line.hit, line.combinations]
            for line in group_by_net(figures.odds)
        ],
        "winners": _winners(figures.winners),
        "strategy": None if figures.strategy is None else _strategy(figures.strategy),
        "notes": list(odds.notes),
        **({"policy": odds.policy} if odds.policy else {}),
    }


def _winners(winners: JointProbabilities | UnknownWinners | None) -> Content | None:
    """The probability that given seats win together, by the number of them that win each line."""
    if winners is None:
        return None
    if isinstance(winners, UnknownWinners):
        return {"uncounted": winners.reason}
    return {
        "lines": [prize.trigger for prize in winners.lines],
        "together": [[list(line_counts), str(chance)] for line_counts, chance in sorted(winners.probabilities.items())],
    }


def _figures(odds: Odds) -> Content:
    numbers = ("simulated_rounds", "standard_error", "combinations", "initial_wager")
    fractions = ("average_wager", "expected_return", "fixed_return", "meter_part", "break_even_meter")
    return {
        **{name: getattr(odds, name) for name in numbers},
        **{name: _exact_text(getattr(odds, name)) for name in fractions},
        "standard_deviation": odds.standard_deviation,
        "hit_frequency": _exact_text(odds.hit_frequency),
        "outcomes": [
            [outcome.trigger, outcome.pays, outcome.combinations, _exact_text(outcome.contribution)]
            for outcome in odds.outcomes
        ],
        **(
            {
                "unhit": [
                    [outcome.trigger, outcome.pays, _exact_text(outcome.return_bound)] for outcome in odds.unhit_lines
                ]
            }
            if odds.unhit_lines
            else {}
        ),
    }


def _strategy(strategy: BasicStrategy) -> Content:
    return {
        "rules": [rule.text for rule in strategy.rules],
        "expected_return": _exact_text(strategy.expected_return),
        "best_return": _exact_text(strategy.best_return),
        "simulated_rounds": strategy.simulated_rounds,
        "standard_error": None if strategy.standard_error is None else float(strategy.standard_error),
    }


def _exact_text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
