"""Nothing that a user is shown depends on cards that are hidden from that user.

Each game is played many times in rooms with the same keys, ids, and times, from shoes that differ only in cards which
some viewer has not seen. Until the viewer sees a card that differs, every byte that reaches the viewer must be the
same: views, lists, refusals, advice, streams, the table's screen, the log, and the ledger.
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
from cardroom.service import CardRoom, PlayTerms, RoomTableSetup
from cardroom.web.app import create_app
from cardroom.web.services.app_context import ServerOptions
from tests.deadline import wait_in_loop
from tests.examples import only_long
from tests.service.table_scenes import HandClock, without_meters
from tests.web.hidden.evening import EVENINGS, PLAYING, Evening, Moment, Order
from tests.web.hidden.eyes import ALL
from tests.web.hidden.room import LastingJobs, make_key, open_copy, open_room, player_name, rig_shoe, send_request
from tests.web.hidden.witness import ASKED, ONLOOKERS, VIEWERS, Viewer, Witness, capture_log

IN_MAKE_TEST = ("deuces-wild", "texas-shootout", "dueling-for-dollars")
EVERYDAY = [
    *(evening for evening in EVENINGS if evening.slug in IN_MAKE_TEST),
    *only_long(*(evening for evening in EVENINGS if evening.slug not in IN_MAKE_TEST)),
]


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def jobs(runner: asyncio.Runner) -> Iterator[LastingJobs]:
    """Jobs for the coaches of all rooms."""
    jobs = LastingJobs(lambda _: None)
    yield jobs
    runner.run(jobs.end_finally())


class Comparison:
    """Plays an evening in one room, and then with other cards in other rooms."""

    def __init__(
        self,
        evening: Evening,
        folder: Path,
        jobs: LastingJobs,
        patch: pytest.MonkeyPatch,
        *,
        thorough: bool = False,
    ) -> None:
        self.evening, self._folder, self._jobs, self._patch = evening, folder, jobs, patch
        self._thorough = thorough
        self._rooms = 0
        self.compared: Counter[tuple[int, Viewer]] = Counter()
        """The number of equal parts, by moment and viewer."""
        open_room(folder / "ledger.db", evening)

    async def attend(
        self, order: Order, moments: Sequence[Moment], viewers: Sequence[Viewer], since: int = 0
    ) -> Witness:
        self._rooms += 1
        source, copy = self._folder / "ledger.db", self._folder / f"room-{self._rooms}.db"
        with rig_shoe(self._patch, order):
            async with open_copy(source, copy, self.evening, self._jobs) as room:
                witness = Witness(room, viewers, thorough=self._thorough)
                await witness.attend(moments, since)
        return witness

    async def compare(self, seed: int) -> None:
        """Exchange cards that a viewer cannot see, and compare everything that the viewer is shown."""
        evening = self.evening
        order = evening.build_order(seed)
        moments = evening.play(order)
        original = await self.attend(order, moments, VIEWERS)
        self._check_for_keys(original)
        for viewer in (ALL, *PLAYING):
            last = evening.find_last_moments(moments, viewer)
            # An earlier shoe, in which more was hidden, has covered what was hidden before.
            starts = [0] * len(last) if self._thorough else [0, *(moment_index + 1 for moment_index in last)]
            for since, stop_at in zip(starts, last, strict=False):
                if viewer != ALL and moments[stop_at].round is None:
                    continue  # before the deal all viewers see the same; they were compared together
                other = evening.change_hidden_cards(order, moments, stop_at, viewer, seed)
                replayed = evening.play(other, moments, stop_at)
                assert [moment.public for moment in replayed] == [moment.public for moment in moments[: stop_at + 1]]
                listening = VIEWERS if viewer == ALL else (viewer,)
                witness = await self.attend(other, replayed, listening, since)
                for listener in listening:
                    eyes = ALL if listener in ONLOOKERS else listener
                    same_moments = evening.count_same_moments(((order, moments), (other, replayed)), int(eyes))
                    for at in range(since, same_moments):
                        self._compare_moment(original, witness, at, listener)

    def _compare_moment(self, original: Witness, witness: Witness, at: int, viewer: Viewer) -> None:
        first, second = original.shown[at, viewer], witness.shown[at, viewer]
        assert [name for name, _ in first] == [name for name, _ in second]
        for (name, content), (_, other_content) in zip(first, second, strict=True):
            assert content == other_content, (
                f"{self.evening.slug}, moment {at}, {viewer} is shown something else: {name}"
            )
        self.compared[at, viewer] += len(first)

    def _check_for_keys(self, witness: Witness) -> None:
        """Check that no user is shown the key of a round before it has ended."""
        for number in (*range(1, 10), *range(100, 110)):
            secret = make_key(number).hex().encode()
            assert not any(secret in content for parts in witness.shown.values() for _, content in parts)

    def has_compared_everything(self, seed: int) -> bool:
        """Return whether every viewer was compared at every moment with hidden cards."""
        moments = [moment for moment in self.evening.play(self.evening.build_order(seed)) if not moment.is_over]
        assert {moment.command.kind for moment in moments} == {"sit", "wager", "clock", "leave", "answer"}
        return self.compared.keys() == {(at, viewer) for at in range(len(moments)) for viewer in VIEWERS}


@pytest.mark.parametrize("evening", EVERYDAY, ids=lambda evening: evening.slug)
def test_nothing_that_a_user_is_shown_depends_on_hidden_cards(
    evening: Evening, tmp_path: Path, runner: asyncio.Runner, jobs: LastingJobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    comparison = Comparison(evening, tmp_path, jobs, monkeypatch)
    runner.run(comparison.compare(seed=1))
    assert comparison.has_compared_everything(seed=1)
    assert sum(comparison.compared.values()) > 2_000


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 8))
@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.slug)
def test_nothing_depends_on_hidden_cards_with_any_deal_and_every_call(
    evening: Evening,
    seed: int,
    tmp_path: Path,
    runner: asyncio.Runner,
    jobs: LastingJobs,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dealt = evening if evening.slug == "dueling-for-dollars" else replace(evening, piles={})
    comparison = Comparison(dealt, tmp_path, jobs, monkeypatch, thorough=True)
    runner.run(comparison.compare(seed))
    assert comparison.has_compared_everything(seed)
    assert sum(comparison.compared.values()) > 3_500


WITHOUT_ROUNDS = {"/api/v1/guests", "/api/v1/sessions", "/api/v1/sessions/unlock"} | {
    f"/api/v1/devices/{call}" for call in ("presses", "records", "lights", "broken", "hello", "here", "display/stream")
}
"""Addresses without calls here: they show nothing of a round in progress, or the same as other addresses."""


def test_every_address_that_could_show_a_round_is_called(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        described = set(create_app(CardRoom(ledger)).openapi()["paths"])
    of_dealers = {path for path in described if path.startswith("/api/v1/devices/live")}  # dealers see the cards
    assert described - of_dealers == ASKED | WITHOUT_ROUNDS


async def _log_of_late_bot(path: Path) -> str:
    """Return the log of a bot that decides too late, again and again, until the server stops."""
    clock, out = HandClock(), StringIO()
    with open_ledger(f"sqlite:///{path}", clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        card_room.add_table(
            "open", "Olga", RoomTableSetup("double-1", without_meters("three-card-double-play"), PlayTerms())
        )
        card_room.seat_bot("company", "Olga", "double-1", 1, "Ada", 500_00)
        card_room.take_seat("sit", card_room.players.admit_guest("guest/1").player, "double-1", 2)

        def pause() -> float:
            clock.wait(21 if card_room.table("double-1").playing else 0)
            return 0.0

        # The timekeeper's own clock does not move, so the table waits and the bot's command is refused.
        app = create_app(card_room, ServerOptions(bot_pause=pause), HandClock())
        with capture_log(out):
            async with app.router.lifespan_context(app):
                wagers = {"id": "wager", "wagers": {"high-low": 10_00}}
                token = app.state.context.tokens.issue(player_name(1))
                await send_request(app, "POST", "/api/v1/tables/double-1/wagers", token, wagers)
                await wait_in_loop(lambda: out.getvalue().count("a bot's command was refused") >= 3)
            gc.collect()  # exceptions that no code retrieved are logged by then
    return out.getvalue()


def test_the_log_shows_no_card_of_a_bot_that_is_late(tmp_path: Path, runner: asyncio.Runner) -> None:
    for number in range(2):
        log = runner.run(_log_of_late_bot(tmp_path / f"{number}.db"))
        assert '"seat":1' in log
        assert re.findall(r".*\b[2-9TJQKA][cdhs]\b.*", log) == []
