"""What anybody is shown hangs on no card that is hidden from them.

Each game is played twice, or rather many times: on rooms that have the same keys, ids and times, from shoes that differ
only in cards which some viewer has not seen. Until a viewer sees a card that differs, every byte that reaches that
viewer must be the same: looks, lists, refusals, advice, streams, the table's screen, the log and the books.
"""

from __future__ import annotations

import asyncio
import gc
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom, PlayTerms
from cardroom.web.app import create_app
from cardroom.web.services.app_context import ServerOptions
from tests.deadline import LIMIT, wait_in_loop
from tests.examples import only_long
from tests.service.table_scenes import HandClock, without_meters
from tests.web.hidden.evening import EVENINGS, PLAYING, Evening, Moment, Order
from tests.web.hidden.eyes import ALL
from tests.web.hidden.room import LastingWorkers, ask, key, open_room, opened, player, shoe
from tests.web.hidden.witness import ASKED, ONLOOKERS, VIEWERS, Viewer, Witness, logged

IN_MAKE_TEST = ("deuces-wild", "texas-shootout", "dueling-for-dollars")
EVERYDAY = [
    *(one for one in EVENINGS if one.slug in IN_MAKE_TEST),
    *only_long(*(one for one in EVENINGS if one.slug not in IN_MAKE_TEST)),
]


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as one:
        yield one


@pytest.fixture(scope="module")
def workers(runner: asyncio.Runner) -> Iterator[LastingWorkers]:
    """For the coach of all rooms."""
    some = LastingWorkers(1, max_waiting=10, timeout=2 * LIMIT, nice=0)
    yield some
    runner.run(some.really_end())


class Comparison:
    """Plays an evening in one room, and then in others with other cards."""

    def __init__(
        self,
        evening: Evening,
        folder: Path,
        workers: LastingWorkers,
        patch: pytest.MonkeyPatch,
        *,
        thorough: bool = False,
    ) -> None:
        self.evening, self._folder, self._workers, self._patch = evening, folder, workers, patch
        self._thorough = thorough
        self._rooms = 0
        self.met: Counter[tuple[int, Viewer]] = Counter()
        """How many answers were the same, by moment and viewer."""
        open_room(folder / "books.db", evening)

    async def attended(
        self, order: Order, moments: Sequence[Moment], viewers: Sequence[Viewer], since: int = 0
    ) -> Witness:
        self._rooms += 1
        books, copy = self._folder / "books.db", self._folder / f"room-{self._rooms}.db"
        with shoe(self._patch, order):
            async with opened(books, copy, self.evening, self._workers) as room:
                witness = Witness(room, viewers, thorough=self._thorough)
                await witness.attend(moments, since)
        return witness

    async def compare(self, seed: int) -> None:
        """Whatever of the cards a viewer cannot see may be others."""
        evening = self.evening
        order = evening.order(seed)
        moments = evening.played(order)
        result = await self.attended(order, moments, VIEWERS)
        self._keep_the_key_out(result)
        for viewer in (ALL, *PLAYING):
            last = evening.last_moments(moments, viewer)
            # What was hidden before is compared with another shoe already, in which more was hidden.
            begins = [0] * len(last) if self._thorough else [0, *(one + 1 for one in last)]
            for since, upto in zip(begins, last, strict=False):
                if viewer != ALL and moments[upto].round is None:
                    continue  # before the deal all see the same, and were compared together
                other = evening.other(order, moments, upto, viewer, seed)
                again = evening.played(other, moments, upto)
                assert [one.public for one in again] == [one.public for one in moments[: upto + 1]]
                listening = VIEWERS if viewer == ALL else (viewer,)
                witness = await self.attended(other, again, listening, since)
                for one in listening:
                    eyes = ALL if one in ONLOOKERS else one
                    same = evening.sees_no_difference(((order, moments), (other, again)), int(eyes))
                    for at in range(since, same):
                        self._hold_against(result, witness, at, one)

    def _hold_against(self, result: Witness, again: Witness, at: int, viewer: Viewer) -> None:
        first, second = result.result[at, viewer], again.result[at, viewer]
        assert [what for what, _ in first] == [what for what, _ in second]
        for (what, one), (_, other) in zip(first, second, strict=True):
            assert one == other, f"{self.evening.slug}, moment {at}, {viewer} is told another thing: {what}"
        self.met[at, viewer] += len(first)

    def _keep_the_key_out(self, result: Witness) -> None:
        """No user is shown the key of a round before it has ended."""
        for number in (*range(1, 10), *range(100, 110)):
            secret = key(number).hex().encode()
            assert not any(secret in one for some in result.result.values() for _, one in some)

    def has_met_everything(self, seed: int) -> bool:
        """Whether every viewer was compared at every moment at which there was something hidden."""
        moments = [one for one in self.evening.played(self.evening.order(seed)) if not one.is_over]
        assert {one.command.kind for one in moments} == {"sit", "wager", "clock", "leave", "answer"}
        return self.met.keys() == {(at, viewer) for at in range(len(moments)) for viewer in VIEWERS}


@pytest.mark.parametrize("evening", EVERYDAY, ids=lambda one: one.slug)
def test_no_user_is_shown_anything_that_hangs_on_cards_hidden_from_them(
    evening: Evening, tmp_path: Path, runner: asyncio.Runner, workers: LastingWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    comparison = Comparison(evening, tmp_path, workers, monkeypatch)
    runner.run(comparison.compare(seed=1))
    assert comparison.has_met_everything(seed=1)
    assert sum(comparison.met.values()) > 2_000


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 8))
@pytest.mark.parametrize("evening", EVENINGS, ids=lambda one: one.slug)
def test_no_user_is_shown_anything_whatever_is_dealt_and_asked(
    evening: Evening,
    seed: int,
    tmp_path: Path,
    runner: asyncio.Runner,
    workers: LastingWorkers,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dealt = evening if evening.slug == "dueling-for-dollars" else replace(evening, piles={})
    comparison = Comparison(dealt, tmp_path, workers, monkeypatch, thorough=True)
    runner.run(comparison.compare(seed))
    assert comparison.has_met_everything(seed)
    assert sum(comparison.met.values()) > 3_500


NOTHING_TO_TELL = {"/api/v1/guests", "/api/v1/sessions", "/api/v1/sessions/unlock"} | {
    f"/api/v1/devices/{one}" for one in ("presses", "records", "lights", "broken", "hello", "here", "display/stream")
}
"""Addresses that are not asked: they tell of no round that is played, or the same as others."""


def test_every_address_is_asked_that_could_tell_of_a_round(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        described = set(create_app(CardRoom(ledger)).openapi()["paths"])
    of_dealers = {one for one in described if one.startswith("/api/v1/devices/live")}  # who see the cards themselves
    assert described - of_dealers == ASKED | NOTHING_TO_TELL


async def _log_of_late_company(path: Path) -> str:
    """What is logged while company makes up its mind too late, again and again, until the server stops."""
    clock, out = HandClock(), StringIO()
    with open_ledger(f"sqlite:///{path}", clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        card_room.add_table("open", "Olga", "double-1", without_meters("three-card-double-play"), PlayTerms())
        card_room.seat_bot("company", "Olga", "double-1", 1, "Ada", 500_00)
        card_room.take_seat("sit", card_room.admit_guest("guest/1").player, "double-1", 2)

        def pause() -> float:
            clock.wait(21 if card_room.table("double-1").playing else 0)
            return 0.0

        # The timekeeper has a clock of its own, which does not go on: so company is refused.
        app = create_app(card_room, ServerOptions(coach=False, bot_pause=pause), HandClock())
        with logged(out):
            async with app.router.lifespan_context(app):
                laid = {"id": "wager", "wagers": {"high-low": 10_00}}
                token = app.state.context.tokens.issue(player(1))
                await ask(app, "POST", "/api/v1/tables/double-1/wagers", token, laid)
                await wait_in_loop(lambda: out.getvalue().count("a bot's command was refused") >= 3)
            gc.collect()  # whatever no user has heard is shown by then
    return out.getvalue()


def test_the_log_tells_no_card_of_company_that_is_late(tmp_path: Path, runner: asyncio.Runner) -> None:
    for number in range(2):
        log = runner.run(_log_of_late_company(tmp_path / f"{number}.db"))
        assert '"seat":1' in log
        assert re.findall(r".*\b[2-9TJQKA][cdhs]\b.*", log) == []
