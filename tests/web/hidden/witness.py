"""Everything that each viewer is shown during a round, moment by moment, in bytes."""

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
from tests.web.hidden.room import NEIGHBOR, ONLOOKER, PROOFS, SEATS, OpenRoom, Stream, read_rows, send_request

STRANGER, SCREEN, LOG, LEDGER = "stranger", "screen", "log", "ledger"
ONLOOKERS: Final = (SEATS[-1], ONLOOKER, NEIGHBOR, STRANGER, SCREEN, LOG, LEDGER)
"""Viewers who see only what is public. The first one sits at the table without a wager."""
VIEWERS: Final = (*SEATS[:-1], *ONLOOKERS)
COSTS: Final = frozenset({Verb.PLAY, Verb.RAISE, Verb.SPLIT, Verb.MATCH, Verb.DOUBLE, Verb.WAR})
NEVER_VALID: Final = (
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
"""The addresses that the witness calls."""
Viewer = str | int
T = TypeVar("T")
Shown = list[tuple[str, bytes]]
"""What a viewer was shown at a moment: a name and the bytes of each part."""


class Witness:
    """Records what some viewers are shown while a round is played."""

    def __init__(self, room: OpenRoom, viewers: Sequence[Viewer], *, thorough: bool = False) -> None:
        self._room, self._viewers, self._thorough = room, viewers, thorough
        self._streams: dict[Viewer, Stream] = {}
        self._log = StringIO()
        self.shown: dict[tuple[int, Viewer], Shown] = defaultdict(list)
        """By moment and viewer."""

    async def attend(self, moments: Sequence[Moment], since: int = 0) -> None:
        """Play the planned round. After each command from one moment on, make every possible call."""
        before: Moment | None = None
        with capture_log(self._log):
            async with self._open_streams():
                for at, moment in enumerate(moments):
                    self._log.seek(0)
                    self._log.truncate()  # each moment has its own lines
                    if before is not None:
                        await self._do(at, before, moment.command)
                    if not moment.is_over:
                        await self._wait_for_streams()
                        if at >= since:
                            await self._call_all_viewers(at, moment)
                    before = moment

    @asynccontextmanager
    async def _open_streams(self) -> AsyncIterator[None]:
        path = f"/api/v1/tables/{self._room.table}/stream"
        for viewer in self._viewers:
            if viewer not in (SCREEN, LOG, LEDGER):
                self._streams[viewer] = Stream(self._room.app, path, self._room.token(_player_of(viewer)))
        try:
            yield
        finally:
            for stream in self._streams.values():
                await stream.end()

    # Commands.

    async def _do(self, at: int, before: Moment, command: Command) -> None:
        room, table = self._room, self._room.table
        match command.kind:
            case "wager":
                wagers = dict(room.evening.wagers[command.seat])
                body = {"id": f"wager {command.seat}", "wagers": wagers, "words": f"words of {command.seat}"}
                await self._call(at, command.seat, "POST", f"/tables/{table}/wagers", body, succeeds=True)
            case "leave":
                await self._call(at, command.seat, "DELETE", f"/tables/{table}/seat?id=leave", None, succeeds=True)
            case "answer":
                body = {"id": f"answer {at}", "answer": command.text}
                await self._call(at, command.seat, "POST", f"/tables/{table}/decisions", body, succeeds=True)
            case "clock":
                room.clock.wait(21)
                await self._send_late(at, before)
                await room.let_time_pass()
            case _:
                raise AssertionError(command)

    async def _send_late(self, at: int, before: Moment) -> None:
        """Send late commands: the time is up, and nothing is decided yet."""
        turn = before.round.turn if before.round else None
        for seat in SEATS:
            body: dict[str, Any] = (
                {"id": f"late {at}", "answer": str(turn.options[0])} if _is_turn_of(turn, seat) else {}
            )
            if body and seat in self._viewers:
                await self._call(at, seat, "POST", f"/tables/{self._room.table}/decisions", body)
            if turn is None and seat in self._viewers:
                late = {"id": f"late {at}", "wagers": dict(self._room.evening.wagers[1])}
                await self._call(at, seat, "POST", f"/tables/{self._room.table}/wagers", late)

    # Calls.

    async def _wait_for_streams(self) -> None:
        """Wait until every stream has sent the newest view, so that no stream skips a moment."""
        for stream in self._streams.values():
            await stream.wait_for(self._room.card_room.read_table_version(self._room.table))

    async def _call_all_viewers(self, at: int, moment: Moment) -> None:
        for viewer in self._viewers:
            match viewer:
                case "screen":
                    path, token = self._room.screen
                    self._record(at, viewer, "screen", await send_request(self._room.app, "GET", path, token))
                case "log" | "ledger":
                    continue  # after the calls of all others
                case _:
                    await self._make_calls(at, moment, viewer)
        if LOG in self._viewers:
            self.shown[at, LOG].append(("log", _remove_times(self._log.getvalue())))
        if LEDGER in self._viewers:
            self.shown[at, LEDGER] += _list_rows(read_rows(self._room.path))

    async def _make_calls(self, at: int, moment: Moment, viewer: Viewer) -> None:
        table = self._room.table
        for path in (
            f"/tables/{table}",
            "/tables",
            "/players/me",
            "/players/me/rounds",
            f"/rounds/{table}.1",
            f"/tables/{table}/advice",
        ):
            await self._call(at, viewer, "GET", path)
        for path in ("/", f"/tables/{table}", f"/displays/{table}", "/me", f"/rounds/{table}.1"):
            page = await send_request(self._room.app, "GET", path, self._room.token(_player_of(viewer)))
            self._record(at, viewer, f"page {path}", page)
        if viewer == STRANGER:
            self._record(at, viewer, "health", await send_request(self._room.app, "GET", "/healthz"))
            if at == 0 or self._thorough:
                await self._call(at, viewer, "GET", "/openapi.json")
        for decision in self._some(at, viewer, tuple(self._wrong_decisions(moment, viewer))):
            await self._expect_refusal(at, viewer, "decisions", {"answer": decision})
        if viewer == POOR and moment.round and isinstance(turn := moment.round.turn, SeatTurn) and turn.seat == POOR:
            # Once for each verb: only the seat itself knows how many ways there are to split.
            for option in {option.verb: option for option in turn.options if option.verb in COSTS}.values():
                await self._expect_refusal(at, viewer, "decisions", {"answer": str(option)})
        too_much = dict.fromkeys(self._room.evening.wagers[1], 10**9)
        for wagers in self._some(at, viewer, ({"roulette": 5_00}, {"shootout": -1}, too_much), 1):
            await self._expect_refusal(at, viewer, "wagers", {"wagers": wagers})
        for request in self._some(at, viewer, ({"seat": 1}, {"seat": 99}, {"buy_in_cents": 10**12}), 1):
            await self._expect_refusal(at, viewer, "seat", request)
        chunks = self._streams[viewer].chunks
        self.shown[at, viewer] += [("stream", chunk) for chunk in chunks]

    def _wrong_decisions(self, moment: Moment, viewer: Viewer) -> Iterator[str]:
        """Yield decisions that the viewer cannot make at this moment. Which ones these are is public."""
        yield from NEVER_VALID
        if not _is_turn_of(moment.round.turn if moment.round else None, viewer):
            yield from OUT_OF_TURN

    def _some(self, at: int, viewer: Viewer, options: tuple[T, ...], number: int = A_FEW) -> tuple[T, ...]:
        """Return a few of the possible calls, others at each moment and for each viewer; all of them if the witness
        is thorough."""
        if self._thorough:
            return options
        first = (at + VIEWERS.index(viewer)) % len(options)
        return (options[first:] + options[:first])[:number]

    async def _expect_refusal(self, at: int, viewer: Viewer, what: str, body: dict[str, Any]) -> None:
        """Request something that is impossible at this moment."""
        content = {"id": f"no {at}/{what}/{body}"[:100], **body}
        await self._call(at, viewer, "POST", f"/tables/{self._room.table}/{what}", content)

    async def _call(
        self, at: int, viewer: Viewer, method: str, path: str, body: Any = None, *, succeeds: bool = False
    ) -> None:
        """Make a call as a viewer; it is known before whether it succeeds."""
        response = await self._room.call(_player_of(viewer), method, path, body)
        if method != "GET":
            assert (response.status < 400) is succeeds, (path, body, response)
        self._record(at, viewer, f"{method} {path} {body}", response)

    def _record(self, at: int, viewer: Viewer, what: str, response: tuple[Any, ...]) -> None:
        status, headers, body = response
        self.shown[at, viewer].append((what, b"%d %s\n%s" % (status, repr(headers).encode(), body)))


def _player_of(viewer: Viewer) -> Viewer | None:
    return None if viewer == STRANGER else viewer


def _is_turn_of(turn: object, viewer: Viewer) -> bool:
    return isinstance(turn, SeatTurn) and turn.seat == viewer


# The log.


@contextmanager
def capture_log(out: TextIO) -> Iterator[None]:
    """Write the program's log to a stream, as ``cardroom serve --log-level debug`` writes it."""
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


def _remove_times(log: str) -> bytes:
    """Return the lines of the log without times and durations. How often a rejection is logged depends on the clock,
    so those lines are left out."""
    lines = [orjson.loads(line) for line in log.splitlines()]
    lines = [line for line in lines if line["logger"] != "cardroom.security"]
    return b"\n".join(
        orjson.dumps({name: value for name, value in line.items() if name not in ("time", "ms")}) for line in lines
    )


# The ledger.

_WITH_CARDS: Final = re.compile(r"\b(keep|split|choose|set)( [2-9TJQKAcdhsk|]+)+")


def _list_rows(tables: dict[str, list[dict[str, Any]]]) -> Shown:
    """Return the rows of the ledger. A decision that names cards is stored as it was made, because it must outlive
    the program; of those rows the cards are left out, and so are the columns that prove them."""
    rows = [(name, row) for name, some in tables.items() for row in some]
    is_proven = not any(_WITH_CARDS.search(str(value)) for _, row in rows for value in row.values())
    shown: Shown = []
    for name, row in rows:
        kept = {column: value for column, value in row.items() if is_proven or column not in PROOFS}
        shown.append((name, _WITH_CARDS.sub(r"\1", repr(kept)).encode()))
    return shown
