"""What the coach follows during a session, says between questions, and reports at its end."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

from rich.console import RenderableType
from rich.text import Text

from cardroom.games.stakes import put_down
from cardroom.games.view import View
from cardroom.odds.before_the_deal import Predicted, predicted
from cardroom.odds.pricer import Advice
from cardroom.terminal.felt.coach import Asked, Coach, Judged
from cardroom.terminal.felt.keyboard import nothing_echoed
from cardroom.terminal.felt.lessons import verdict
from cardroom.terminal.felt.report import Report, report_page
from cardroom.terminal.felt.screen import Screen
from cardroom.terminal.felt.seating import ME
from cardroom.terminal.palette import QUIET
from cardroom.terminal.progress import Bar, progress_bar


class School:
    """A session as the coach sees it; without a coach it is kept and nothing is said."""

    def __init__(self, screen: Screen, coach: Coach | None) -> None:
        self._screen = screen
        self._coach = coach
        self._asked: list[Asked] = []
        self._wagers: Counter[tuple[tuple[str, int], ...]] = Counter()
        self._told: list[RenderableType] = []

    def wagered(self, wagers: Mapping[str, int]) -> None:
        """The wagers of a round lie there."""
        self._wagers[tuple(wagers.items())] += 1
        self._told = []

    def answered(self, asked: Asked) -> None:
        """The player has answered; a coach who speaks says what it cost on the next screen."""
        self._asked.append(asked)
        self._told = []
        if self._coach is not None and self._coach.speaks:
            judged = self._judged(asked)
            self._told = [verdict(judged)] if judged else [Text("Coach: this answer was not looked at.", QUIET)]

    def told(self) -> Sequence[RenderableType]:
        """What stands on the next screen."""
        return self._told

    def turn_on_or_off(self) -> None:
        """Whether the coach speaks unasked."""
        if self._coach is None:
            self._told = [Text("There is no coach at this table.", QUIET)]
            return
        self._coach.speaks = not self._coach.speaks
        says = "on: after each answer it says what the answer cost" if self._coach.speaks else "off"
        self._told = [Text(f"The coach is {says}.", QUIET)]

    def advice(self, round_name: str, seen: View, question: str) -> tuple[Advice, ...] | None:
        """A hint; None when there is nobody to ask, or the player did not want to wait."""
        if self._coach is None:
            self._told = [Text("There is no coach at this table.", QUIET)]
            return None
        try:
            with self._working("The coach works it out"):
                found = self._coach.advice(round_name, seen, question)
        except KeyboardInterrupt:
            self._told = [Text("The hint was given up: h asks again.", QUIET)]
            return None
        self._told = []
        return found

    def _judged(self, asked: Asked) -> Judged | None:
        assert self._coach is not None
        try:
            with self._working("The coach looks at your answer"):
                return self._coach.judge(asked)
        except KeyboardInterrupt:
            return None

    @contextmanager
    def _working(self, what: str) -> Iterator[None]:
        with nothing_echoed(sys.stdin), self._screen.console.status(f"{what} … Ctrl-C gives up", spinner="line"):
            yield

    def report(self, result: int, rounds: int) -> None:
        """What the session's answers cost and what the house edge predicted; Ctrl-C ends the work."""
        if self._coach is None:
            return
        judged = self._all_judged()
        expected = self._predicted() if len(judged) == len(self._asked) else None
        report = Report(result, self._down, rounds, len(self._asked), judged, expected)
        self._screen.console.print(report_page(report))

    @property
    def _down(self) -> int:
        """What was put down before the cards, High and Low both counted."""
        seating = self._screen.seating
        return sum(
            put_down(seating.rules.begin(seating.table, {ME: dict(wagers)}), ME) * times
            for wagers, times in self._wagers.items()
        )

    def _all_judged(self) -> list[Judged]:
        judged: list[Judged] = []
        for asked in self._asked:
            one = self._judged(asked)
            if one is None:
                break
            judged.append(one)
        return judged

    def _predicted(self) -> Predicted | None:
        rounds = [(dict(wagers), times) for wagers, times in self._wagers.items()]
        told = False

        def working(bar: Bar, what: str, part: float) -> None:
            nonlocal told
            if not told:
                self._screen.say(
                    "What the house edge predicts is worked out, once on this machine. Ctrl-C gives up.", QUIET
                )
            told = True
            bar.share(what, part)

        try:
            with nothing_echoed(sys.stdin), progress_bar() as bar:
                return predicted(self._screen.seating.table, rounds, self._screen.meters, partial(working, bar))
        except KeyboardInterrupt:
            return None
