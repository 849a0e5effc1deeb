"""The second bookkeeper in the office: parameters, seed money, corrections, deposits and the bank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

from tests.crash.model_level import CENT, Level, Terms
from tests.crash.model_room import Answer, Command, Jackpot, Room, allow, cents, rate
from tests.crash.opening import BEFORE

NEVER, OLD, TODAY, TO_COME = 0, 1, 2, 3
ORDER = {"2020-01-05": NEVER, BEFORE: OLD, None: TODAY, "2999-01-01": TO_COME}
"""The days of statements, as commands name them; on the first there was no account yet."""


class Office(Room):
    """What the office does."""

    def _disable(self, command: Command) -> Answer:
        jackpot = self.jackpots[command["jackpot"]]
        allow(not jackpot.disabled, "it is disabled already")
        jackpot.disabled = True
        return jackpot.answer()

    def _enable(self, command: Command) -> Answer:
        jackpot = self.jackpots[command["jackpot"]]
        allow(jackpot.disabled, "it is not disabled")
        jackpot.disabled = False
        return jackpot.answer()

    def _two_people(self, command: Command) -> None:
        """No user does this alone."""
        one, other = (command[name].strip().casefold() for name in ("who", "second"))
        allow(one and other and one != other, "a second person answers for it too")

    def _change_parameters(self, command: Command) -> Answer:
        """What players would lose by waits for the reset, beside what waits already."""
        self._two_people(command)
        jackpot, changes = self.jackpots[command["jackpot"]], command["changes"]
        level = jackpot.levels[command["level"]]
        now = changed(level.terms, changes)
        at_the_reset = changed(level.later or level.terms, changes)
        allow(not (jackpot.disabled and jackpot.is_progressive), "it comes back as it was")
        allow(not (jackpot.is_progressive and jackpot.pending_on(level.name)), "a prize is pending")
        for terms in (now, at_the_reset):
            allow(terms.ceiling is None or terms.ceiling >= level.held.display, "the ceiling is below the display")
            allow(terms.ceiling is None or terms.ceiling > terms.seed, "the ceiling is not above the seed")
        if now == level.terms or (jackpot.is_progressive and now.worse_than(level.terms)):
            level.happen("wait", at_the_reset if at_the_reset != level.terms else None)
        else:
            level.happen("set", now, at_the_reset if at_the_reset != now else None)
        return jackpot.answer()

    def _free(self, command: Command) -> tuple[Jackpot, Level]:
        """A level whose money two people may move."""
        self._two_people(command)
        jackpot = self.jackpots[command["jackpot"]]
        allow(jackpot.is_progressive, "it holds no money of the players")
        allow(not jackpot.pending_on(command["level"]), "a prize is pending")
        return jackpot, jackpot.levels[command["level"]]

    def _move(self, jackpot: Jackpot, level: Level, changes: Mapping[str, int], against: str | None) -> Answer:
        level.happen("moved", changes)
        change = sum(amount for name, amount in changes.items() if name != "seed_owed")
        if against is not None:
            self._debits[against] += change
        self._fund(jackpot, change)
        self._as_held(jackpot)
        return jackpot.answer()

    def _correct(self, command: Command) -> Answer:
        jackpot, level = self._free(command)
        amount, ceiling = CENT * command["cents"], level.terms.ceiling
        allow(command["report"] in self.reports, "no such report is open")
        allow(self.reports[command["report"]].of in (jackpot.id, *self.tables), "the report is about another jackpot")
        allow(amount and level.held.display + amount >= 0, "it does not show that much")
        allow(amount < 0 or ceiling is None or level.held.display + amount <= ceiling, "the ceiling leaves no room")
        return self._move(jackpot, level, {"display": amount}, "gross-receipts:house")

    def _add_seed(self, command: Command) -> Answer:
        jackpot, level = self._free(command)
        amount, ceiling = CENT * command["cents"], level.terms.ceiling
        allow(ceiling is None or level.held.display + amount <= ceiling, "the ceiling leaves no room")
        return self._move(jackpot, level, {"display": amount, "seed_owed": amount}, None)

    def _recover_seed(self, command: Command) -> Answer:
        jackpot, level = self._free(command)
        amount = CENT * command["cents"]
        grown = level.held.display - level.terms.seed
        allow(amount <= min(grown, level.held.seed_owed), "it owes the house less, or has not grown so much (BJ-17)")
        return self._move(jackpot, level, {"display": -amount, "seed_owed": -amount}, None)

    def _lower_to_ceiling(self, command: Command) -> Answer:
        jackpot, level = self._free(command)
        ceiling = level.terms.ceiling
        allow(ceiling is not None and level.held.display > ceiling, "it is not above the cap")
        above = CENT * ceil(Fraction(level.held.display - (ceiling or 0), CENT))
        return self._move(jackpot, level, {"display": -above, "overflow": above}, None)

    def _remove_hidden(self, command: Command) -> Answer:
        jackpot, level = self._free(command)
        amount = CENT * command["cents"]
        allow(amount <= getattr(level.held, command["held"]), "there is less")
        return self._move(jackpot, level, {command["held"]: -amount}, "gross-receipts:house")

    def _deposit(self, command: Command) -> Answer:
        jackpot, amount = self.jackpots[command["jackpot"]], CENT * command["cents"]
        most = jackpot.undeposited - jackpot.cage_advance + CENT * jackpot.operator_part_of_checks
        allow(0 < amount <= most, "the cage has less to deposit")
        jackpot.use(f"slip {command['reference']}")
        jackpot.move(f"slip {command['reference']}", amount)
        self._in_the_cage(jackpot, -amount)
        jackpot.escrow += amount
        self._debits[f"escrow:{jackpot.id}"] += amount
        return jackpot.answer()

    def _reimburse(self, command: Command) -> Answer:
        """The bank account pays back what it owes the cage."""
        jackpot, amount = self.jackpots[command["jackpot"]], CENT * command["cents"]
        self._two_people(command)
        allow(0 < amount <= min(jackpot.cage_advance, jackpot.escrow - jackpot.short), "the cage is owed less")
        jackpot.use(f"transfer {command['reference']}")
        jackpot.move(f"transfer {command['reference']}", -amount)
        jackpot.escrow -= amount
        self._debits[f"escrow:{jackpot.id}"] -= amount
        self._in_the_cage(jackpot, amount)
        return jackpot.answer()

    def _reconcile(self, command: Command) -> Answer:
        """A shortage closes the jackpot; made good, it opens again. Everything happens today, so the statement of an
        older day has nothing of it, and one of today may lack what was under way."""
        jackpot, day = self.jackpots[command["jackpot"]], ORDER[command["day"]]
        allow(jackpot.is_progressive, "it has no bank account")
        allow(day != NEVER, "there was no account on that day")
        allow(day <= TODAY, "that day is still to come")
        allow(day >= jackpot.statement, "a newer one was seen")
        missing = [f"slip {slip}".casefold() for slip in command["in_transit"]] + command["outstanding"]
        allow(len(set(missing)) == len(missing), "told twice")
        allow(all(name in jackpot.account for name in missing), "no such movement")
        allow(not missing or day == TODAY, "all of it came later")
        under_way = sum(jackpot.account[name][0] for name in missing)
        books = jackpot.escrow if day == TODAY else 0
        missing_at_the_bank = books - CENT * command["statement"] - under_way
        if command["shortage"] or (missing_at_the_bank > 0 and not jackpot.short):
            allow(command["shortage"] == max(-(-missing_at_the_bank // CENT), 0), "the shortage is not confirmed")
        if day == jackpot.statement or (jackpot.short and missing_at_the_bank <= 0):
            self._two_people(command)
            allow(command["why"].strip(), "no reason")
        elif command["second"]:
            self._two_people(command)
        jackpot.short, jackpot.surplus = max(missing_at_the_bank, 0), max(-missing_at_the_bank, 0)
        jackpot.statement, jackpot.open = day, set(missing)
        jackpot.on_statement = len(jackpot.account) if day == TODAY else 0
        return {"summary": jackpot.answer(), "statement": CENT * command["statement"], "books": books}


def changed(terms: Terms, changes: Mapping[str, str]) -> Terms:
    """Terms with what was asked for in place of what was."""
    read: dict[str, Any] = {
        "contribution": lambda text: {"rate": rate(text)},
        "reserve": lambda text: {"saved": rate(text)},
        "seed": lambda text: {"seed": CENT * cents(text)},
        "ceiling": lambda text: {"ceiling": CENT * cents(text)},
    }
    for name, text in changes.items():
        terms = replace(terms, **read[name](text))
    return terms
