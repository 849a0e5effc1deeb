"""Answers to questions, computed or remembered.

What was computed once is kept in the user's cache folder under a digest of everything it depends on: the source that
priced it, the game, the wager, every line of the table, the options. A figure is never part of the program itself.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from cardroom.games.book import visitor
from cardroom.kernels import cache_folder
from cardroom.odds.pricer import Priced, Progress, pricer, silent
from cardroom.odds.question import Question
from cardroom.odds.result import Ending, Odds
from cardroom.paytables import words


def answer(question: Question, *, remember: bool = True, progress: Progress = silent) -> Odds:
    """The figures of one wager. ``remember=False`` computes them anew and keeps nothing."""
    priced = _remembered(question) if remember else None
    if priced is None:
        pricing = pricer(question.game)
        priced = pricing.price(question.wager, question.table, question.settings, progress)
        if remember:
            _keep(question, priced)
    limit = question.limit
    endings = priced.endings
    if limit is not None:
        endings = tuple(limit.applied(one, limit.wager_cents) for one in endings)
    return Odds(
        game=question.game,
        wager=question.wager,
        paytable=question.table.name,
        options=dict(question.settings),
        endings=endings,
        initial_wager=priced.initial_wager,
        meter=question.meter,
        jackpot=question.is_jackpot,
        simulated_rounds=priced.simulated_rounds,
        policy=priced.policy,
        notes=priced.notes,
        excludes=question.excludes,
        limit=limit,
        unlimited=() if limit is None else priced.endings,
    )


def _file(question: Question) -> Path:
    table = question.table
    depends_on = {
        "game": question.game,
        "wager": question.wager,
        "basis": table.basis,
        "lines": [[line.event, words(line.pay)] for line in table.lines],
        "settings": sorted((name, repr(value)) for name, value in question.settings.items()),
    }
    if package := visitor(question.game):
        # A game of an installed package is priced from whatever lies in the package.
        content = b"".join(name.encode() + b"\0" + source for name, source in package.source())
        depends_on["package"] = hashlib.sha256(content).hexdigest()
    digest = hashlib.sha256(json.dumps(depends_on).encode()).hexdigest()
    priced_by = type(pricer(question.game)).__module__
    return cache_folder(priced_by, __name__) / "odds" / f"{digest}.json"


def _remembered(question: Question) -> Priced | None:
    try:
        entry = json.loads(_file(question).read_text("utf-8"))
        return Priced(
            endings=tuple(_ending(one) for one in entry["endings"]),
            initial_wager=entry["initial_wager"],
            simulated_rounds=entry["simulated_rounds"],
            notes=tuple(entry["notes"]),
            policy=entry["policy"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None  # nothing there, or nothing that can be trusted: it is computed


def _keep(question: Question, priced: Priced) -> None:
    entry = {
        "endings": [_entry(one) for one in priced.endings],
        "initial_wager": priced.initial_wager,
        "simulated_rounds": priced.simulated_rounds,
        "notes": list(priced.notes),
        "policy": priced.policy,
    }
    file = _file(question)
    with suppress(OSError):  # a full disk or a locked folder costs time, not the answer
        file.parent.mkdir(parents=True, exist_ok=True)
        half_written = file.with_suffix(".part")
        half_written.write_text(json.dumps(entry), "utf-8")
        half_written.replace(file)


def _entry(one: Ending) -> list[Any]:
    parts = [[event, str(units)] for event, units in one.parts]
    return [one.event, one.pays, one.combinations, str(one.net), str(one.wagered), str(one.percent), one.hit, parts]


def _ending(entry: list[Any]) -> Ending:
    event, pays, combinations, net, wagered, percent, hit, parts = entry
    won = tuple((name, Fraction(units)) for name, units in parts)
    return Ending(event, pays, int(combinations), Fraction(net), Fraction(wagered), Fraction(percent), hit, won)
