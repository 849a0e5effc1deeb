"""Everything that anybody is shown during a round, moment by moment, in bytes."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from io import StringIO
from typing import Any, Final, TextIO, TypeVar

import orjson

from cardroom.games import SeatTurn, Verb
from cardroom.web.logs import configure_json_logging
from tests.web.hidden.evening import POOR, Command, Moment
from tests.web.hidden.room import KIBITZER, NEIGHBOR, PROOFS, SEATS, OpenRoom, Stream, ask, written

NO_USER, SCREEN, LOG, BOOKS = "nobody", "screen", "log", "books"
ONLOOKERS: Final = (SEATS[-1], KIBITZER, NEIGHBOR, NO_USER, SCREEN, LOG, BOOKS)
"""Those who see no more than everybody does: the first one sits there without a wager."""
VIEWERS: Final = (*SEATS[:-1], *ONLOOKERS)
COSTS: Final = frozenset({Verb.PLAY, Verb.RAISE, Verb.SPLIT, Verb.MATCH, Verb.DOUBLE, Verb.WAR})
NEVER_RIGHT: Final = (
    "dance",
    "fold As",
    "keep As Ks",
    "keep 2c 2c 2c",
    "split As Ks | 2c 2d",
    "choose As Ks",
    "set As",
)
OUT_OF_TURN: Final = ("fold", "play", "raise", "match", "stand", "surrender", "keep", "set")
A_FEW: Final = 2
ASKED: Final = frozenset(
    {
        "/api/v1/tables",
        "/api/v1/tables/{table}",
        "/api/v1/tables/{table}/stream",
        "/api/v1/tables/{table}/advice",
        "/api/v1/tables/{table}/seat",
        "/api/v1/tables/{table}/wagers",
        "/api/v1/tables/{table}/decisions",
        "/api/v1/players/me",
        "/api/v1/players/me/rounds",
        "/api/v1/rounds/{round}",
        "/api/v1/devices/sign",
        "/api/v1/devices/display",
        "/healthz",
    }
)
"""The addresses that are asked."""
Viewer = str | int
T = TypeVar("T")
Shown = list[tuple[str, bytes]]
"""What a user was shown at a moment: what it was, and the bytes."""


class Witness:
    """Listens for some viewers while a round is played."""

    def __init__(self, room: OpenRoom, viewers: Sequence[Viewer], *, thorough: bool = False) -> None:
        self._room, self._viewers, self._thorough = room, viewers, thorough
        self._streams: dict[Viewer, Stream] = {}
        self._log = StringIO()
        self.result: dict[tuple[int, Viewer], Shown] = defaultdict(list)
        """By moment and viewer."""

    async def attend(self, moments: Sequence[Moment], since: int = 0) -> None:
        """Let the round be played as it is planned, and ask everything that can be asked after each command, from one
        of the moments on."""
        before: Moment | None = None
        with logged(self._log):
            async with self._listening():
                for at, moment in enumerate(moments):
                    self._log.seek(0)
                    self._log.truncate()  # of every moment what is written then
                    if before is not None:
                        await self._do(at, before, moment.command)
                    if not moment.is_over:
                        await self._heard()
                        if at >= since:
                            await self._look(at, moment)
                    before = moment

    @asynccontextmanager
    async def _listening(self) -> AsyncIterator[None]:
        path = f"/api/v1/tables/{self._room.table}/stream"
        for one in self._viewers:
            if one not in (SCREEN, LOG, BOOKS):
                self._streams[one] = Stream(self._room.app, path, self._room.token(_name(one)))
        try:
            yield
        finally:
            for stream in self._streams.values():
                await stream.end()

    # What is done.

    async def _do(self, at: int, before: Moment, command: Command) -> None:
        room, table = self._room, self._room.table
        match command.kind:
            case "wager":
                wagers = dict(room.evening.wagers[command.seat])
                said = {"id": f"wager {command.seat}", "wagers": wagers, "words": f"words of {command.seat}"}
                await self._shown(at, command.seat, "POST", f"/tables/{table}/wagers", said, done=True)
            case "leave":
                await self._shown(at, command.seat, "DELETE", f"/tables/{table}/seat?id=leave", None, done=True)
            case "answer":
                said = {"id": f"answer {at}", "answer": command.text}
                await self._shown(at, command.seat, "POST", f"/tables/{table}/decisions", said, done=True)
            case "clock":
                room.clock.wait(21)
                await self._too_late(at, before)
                await room.time_passes()
            case _:
                raise AssertionError(command)

    async def _too_late(self, at: int, before: Moment) -> None:
        """Time is up, and no user has decided anything yet."""
        turn = before.round.turn if before.round else None
        for seat in SEATS:
            said: dict[str, Any] = {"id": f"late {at}", "answer": str(turn.options[0])} if _is(turn, seat) else {}
            if said and seat in self._viewers:
                await self._shown(at, seat, "POST", f"/tables/{self._room.table}/decisions", said)
            if turn is None and seat in self._viewers:
                late = {"id": f"late {at}", "wagers": dict(self._room.evening.wagers[1])}
                await self._shown(at, seat, "POST", f"/tables/{self._room.table}/wagers", late)

    # What is asked.

    async def _heard(self) -> None:
        """Every stream tells every moment, none of two at once."""
        for stream in self._streams.values():
            await stream.until(self._room.card_room.read_table_version(self._room.table))

    async def _look(self, at: int, moment: Moment) -> None:
        for viewer in self._viewers:
            match viewer:
                case "screen":
                    path, token = self._room.screen
                    self._note(at, viewer, "screen", await ask(self._room.app, "GET", path, token))
                case "log" | "books":
                    continue  # when all others have asked
                case _:
                    await self._ask_all(at, moment, viewer)
        if LOG in self._viewers:
            self.result[at, LOG].append(("log", _timeless(self._log.getvalue())))
        if BOOKS in self._viewers:
            self.result[at, BOOKS] += _rows(written(self._room.path))

    async def _ask_all(self, at: int, moment: Moment, viewer: Viewer) -> None:
        table = self._room.table
        for path in (
            f"/tables/{table}",
            "/tables",
            "/players/me",
            "/players/me/rounds",
            f"/rounds/{table}.1",
            f"/tables/{table}/advice",
        ):
            await self._shown(at, viewer, "GET", path)
        for path in ("/", f"/tables/{table}", f"/displays/{table}", "/me", f"/rounds/{table}.1"):
            page = await ask(self._room.app, "GET", path, self._room.token(_name(viewer)))
            self._note(at, viewer, f"page {path}", page)
        if viewer == NO_USER:
            self._note(at, viewer, "health", await ask(self._room.app, "GET", "/healthz"))
            if at == 0 or self._thorough:
                await self._shown(at, viewer, "GET", "/openapi.json")
        for answer in self._some(at, viewer, tuple(self._wrong_answers(moment, viewer))):
            await self._refused(at, viewer, "decisions", {"answer": answer})
        if viewer == POOR and moment.round and isinstance(turn := moment.round.turn, SeatTurn) and turn.seat == POOR:
            # Once for each verb: how many ways there are to split, only the seat itself knows.
            for one in {one.verb: one for one in turn.options if one.verb in COSTS}.values():
                await self._refused(at, viewer, "decisions", {"answer": str(one)})
        too_much = dict.fromkeys(self._room.evening.wagers[1], 10**9)
        for wagers in self._some(at, viewer, ({"roulette": 5_00}, {"shootout": -1}, too_much), 1):
            await self._refused(at, viewer, "wagers", {"wagers": wagers})
        for wanted in self._some(at, viewer, ({"seat": 1}, {"seat": 99}, {"buy_in_cents": 10**12}), 1):
            await self._refused(at, viewer, "seat", wanted)
        got = self._streams[viewer].got
        self.result[at, viewer] += [("stream", one) for one in got]

    def _wrong_answers(self, moment: Moment, viewer: Viewer) -> Iterator[str]:
        """What the viewer cannot answer at this moment; which answers those are, everybody knows."""
        yield from NEVER_RIGHT
        if not _is(moment.round.turn if moment.round else None, viewer):
            yield from OUT_OF_TURN

    def _some(self, at: int, viewer: Viewer, several: tuple[T, ...], few: int = A_FEW) -> tuple[T, ...]:
        """A few of what can be tried, at each moment and for each viewer others; all of it when there is time."""
        if self._thorough:
            return several
        first = (at + VIEWERS.index(viewer)) % len(several)
        return (several[first:] + several[:first])[:few]

    async def _refused(self, at: int, viewer: Viewer, what: str, body: dict[str, Any]) -> None:
        """A user wants something that is not possible at this moment."""
        said = {"id": f"no {at}/{what}/{body}"[:100], **body}
        await self._shown(at, viewer, "POST", f"/tables/{self._room.table}/{what}", said)

    async def _shown(
        self, at: int, viewer: Viewer, method: str, path: str, body: Any = None, *, done: bool = False
    ) -> None:
        """A user calls; whether it is done or refused, is certain before."""
        answer = await self._room.call(_name(viewer), method, path, body)
        if method != "GET":
            assert (answer.status < 400) is done, (path, body, answer)
        self._note(at, viewer, f"{method} {path} {body}", answer)

    def _note(self, at: int, viewer: Viewer, what: str, answer: tuple[Any, ...]) -> None:
        status, headers, body = answer
        self.result[at, viewer].append((what, b"%d %s\n%s" % (status, repr(headers).encode(), body)))


def _name(viewer: Viewer) -> Viewer | None:
    return None if viewer == NO_USER else viewer


def _is(turn: object, viewer: Viewer) -> bool:
    return isinstance(turn, SeatTurn) and turn.seat == viewer


# The log.


@contextmanager
def logged(out: TextIO) -> Iterator[None]:
    """All that the program writes to its log, as ``cardroom serve --log-level debug`` writes it."""
    root, access, server = (logging.getLogger(name) for name in ("", "uvicorn.access", "uvicorn.error"))
    before = root.handlers[:], root.level, server.level
    configure_json_logging("debug", out)
    try:
        yield
    finally:
        root.handlers[:] = before[0]
        root.setLevel(before[1])
        server.setLevel(before[2])
        access.disabled = False
        logging.captureWarnings(capture=False)


def _timeless(log: str) -> bytes:
    """The lines of the log without the times at which they were written, and how long things took. How often one
    refusal at the door is written down hangs on the clock: it stands there once."""
    lines = [orjson.loads(one) for one in log.splitlines()]
    lines = [one for one in lines if one["logger"] != "cardroom.security"]
    return b"\n".join(
        orjson.dumps({name: of for name, of in one.items() if name not in ("time", "ms")}) for one in lines
    )


# The books.

_NAMED: Final = re.compile(r"\b(keep|split|choose|set)( [2-9TJQKAcdhsk|]+)+")


def _rows(tables: dict[str, list[dict[str, Any]]]) -> Shown:
    """What stands in the books. An answer that speaks of cards stands there as it was given, because it must outlive
    the program: of those the cards are left out, and then also what proves them."""
    rows = [(name, row) for name, some in tables.items() for row in some]
    proven = not any(_NAMED.search(str(value)) for _, row in rows for value in row.values())
    result: Shown = []
    for name, row in rows:
        kept = {column: value for column, value in row.items() if proven or column not in PROOFS}
        result.append((name, _NAMED.sub(r"\1", repr(kept)).encode()))
    return result
