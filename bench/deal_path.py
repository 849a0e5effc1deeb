"""The path of one command: our files and functions that run from "Deal" to the drawn page, and its processor time.

The application runs in this process, without sockets, so a figure contains our code and the web framework, but no
parsing of HTTP."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final
from urllib.parse import urlencode

from tests.service.live_scenes import live_prime
from tests.service.staff import DEALER, hash_quickly, signed_in, staffed

import cardroom
from bench.live.server import SEATS, open_room
from bench.measure import Figure, Promise
from bench.result_table import Sheet
from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from cardroom.web.app import create_app
from cardroom.web.services.app_context import AppContext, ServerOptions

SUBJECT: Final = "path"
CORES: Final = 1
FILES: Final = 45
FUNCTIONS: Final = 200
ROUNDS: Final = 60
OPTIONS: Final = ServerOptions(edges=False, poll_seconds=600)
"""Nothing is polled meanwhile."""
_PACKAGE: Final = str(Path(cardroom.__file__).parent)
_ORIGIN: Final = b"http://room"
Headers = tuple[tuple[bytes, bytes], ...]
Messages = asyncio.Queue[dict[str, Any]]


@dataclass
class Trace:
    """The functions of ours that have run in any thread, while the trace is on."""

    functions: set[CodeType] = field(default_factory=set)
    is_on: bool = False

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if self.is_on and event == "call" and _is_ours(frame.f_code):
            self.functions.add(frame.f_code)

    @contextmanager
    def of_new_threads(self) -> Iterator[None]:
        """Trace this thread and all threads that begin in the block."""
        threading.setprofile(self)
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    @contextmanager
    def on(self) -> Iterator[None]:
        self.is_on = True
        try:
            yield
        finally:
            self.is_on = False

    @property
    def names(self) -> list[str]:
        """Each function with its file and line, for a reader who looks for what may go."""
        prefix = len(_PACKAGE) + 1
        return sorted(
            f"{code.co_filename[prefix:]}:{code.co_firstlineno} {code.co_qualname}" for code in self.functions
        )

    @property
    def files(self) -> set[str]:
        return {code.co_filename for code in self.functions}


def _is_ours(code: CodeType) -> bool:
    """Whether it is a function of the package. A comprehension is part of the function around it, and a template is
    none."""
    is_comprehension = code.co_name.startswith("<") and code.co_name != "<lambda>"
    return code.co_filename.startswith(_PACKAGE) and code.co_filename.endswith(".py") and not is_comprehension


class Client:
    """Calls the application as a server would."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def request(self, method: str, path: str, headers: Headers, body: bytes = b"") -> tuple[int, bytes]:
        """The status and the body of a response."""
        sent: list[dict[str, Any]] = []
        requests = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            return requests.pop() if requests else {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self._app(_scope("http", path, headers, method=method), receive, send)
        return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)

    @asynccontextmanager
    async def stream(self, path: str, headers: Headers) -> AsyncIterator[Messages]:
        """The messages of an open stream of views."""
        async with self._open(_scope("http", path, headers, method="GET"), {"type": "http.request"}) as messages:
            yield messages

    @asynccontextmanager
    async def page(self, path: str, headers: Headers) -> AsyncIterator[Messages]:
        """The messages of an open page."""
        scope = _scope("websocket", "/live", headers, query=urlencode({"page": path}).encode())
        async with self._open(scope, {"type": "websocket.connect"}) as messages:
            yield messages

    @asynccontextmanager
    async def _open(self, scope: dict[str, Any], first: dict[str, Any]) -> AsyncIterator[Messages]:
        sent, received = Messages(), Messages()
        received.put_nowait(first)
        running = asyncio.create_task(self._app(scope, received.get, sent.put))
        try:
            yield sent
        finally:
            end = "http.disconnect" if scope["type"] == "http" else "websocket.disconnect"
            received.put_nowait({"type": end, "code": 1000})
            with suppress(asyncio.CancelledError):
                await running


def _scope(kind: str, path: str, headers: Headers, *, method: str = "GET", query: bytes = b"") -> dict[str, Any]:
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        **({"method": method} if kind == "http" else {"subprotocols": []}),
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "root_path": "",
        "scheme": "http",
        "headers": [(b"host", b"room"), (b"origin", _ORIGIN), *headers],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }


@asynccontextmanager
async def serving(card_room: CardRoom) -> AsyncIterator[tuple[Client, AppContext]]:
    app = create_app(card_room, OPTIONS)
    context: AppContext = app.state.context
    await context.open()
    try:
        yield Client(app), context
    finally:
        await context.close()


async def next_drawing(messages: Messages) -> None:
    """Wait until a page is drawn again."""
    while not (await messages.get()).get("text"):
        pass


def drop_messages(messages: Messages) -> None:
    """Drop earlier drawings and heartbeats."""
    while not messages.empty():
        messages.get_nowait()


def sheets() -> list[Sheet]:
    hash_quickly()
    dealt, wagered = trace_deal(), trace_wager()
    figures = [
        *_counted('"Deal" at a live table', dealt),
        *_counted("the last wager at an automatic table", wagered),
        *_times(),
    ]
    note = "Files and functions of this package, in all threads. The time is processor time per command."
    return [Sheet("From a command to the drawn page", tuple(figures), note)]


def _counted(what: str, trace: Trace) -> list[Figure]:
    files, functions = len(trace.files), len(trace.functions)
    return [
        Figure(f"{what}: files", files, "files", Promise("45 files", files / FILES, 1.0, at_least=False)),
        Figure(
            f"{what}: functions",
            functions,
            "functions",
            Promise("200 functions", functions / FUNCTIONS, 1.0, at_least=False),
        ),
    ]


def _times() -> list[Figure]:
    whole, event_loop = asyncio.run(seconds_of_command())
    what = "a wager or a decision, five seats with streams"
    return [Figure(what, 1_000 * whole, "ms"), Figure(f"{what}: the event loop", 1_000 * event_loop, "ms")]


def trace_deal() -> Trace:
    """A dealer's console from the tap on "Deal" to the console with the next step, when all is warm."""
    trace = Trace()
    with _room() as card_room, trace.of_new_threads():
        live_prime(card_room)
        staffed(card_room)
        asyncio.run(_deal(card_room, signed_in(card_room, DEALER), trace))
    return trace


async def _deal(card_room: CardRoom, token: str, trace: Trace) -> None:
    cookie: Headers = ((b"cookie", f"cardroom_session={token}".encode()),)
    ids = count(1)
    async with serving(card_room) as (client, context), client.page("/dealer/prime-1", cookie) as page:
        session = await context.sessions.find(token)
        assert session is not None
        form = context.sessions.form_token(session)

        async def send(action: str, **fields: object) -> None:
            body = urlencode({"id": f"{next(ids):032x}", "form": form, **fields}, doseq=True).encode()
            drop_messages(page)
            status, text = await client.request("POST", f"/dealer/prime-1/{action}", cookie, body)
            assert status == 204, text
            await next_drawing(page)

        await next_drawing(page)
        for round_number in range(1, 4):
            round_id = f"prime-1.{round_number}"
            await send("begin", positions=[1, 2, 3], round=round_id)
            await send("step", step="wagers", round=round_id)
            await send("step", **{"step": "tabulate", "round": round_id, "tabulate": 1, "covered-1": [1, 2]})
            if round_number == 3:
                with trace.on():
                    await send("step", step="deal", round=round_id)
            else:
                await send("step", step="deal", round=round_id)
            for step in ("decide", "reveal", "take-or-pay", "collect"):
                await send("step", step=step, round=round_id)
            await send("end", round=round_id)


def trace_wager() -> Trace:
    """A player's page from the tap on "Deal" to the cards, at a table of one, when all is warm."""
    trace = Trace()
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder:
        url = f"sqlite:///{folder}/room.db"
        (seat,) = open_room(url, 1, seats=1)
        with trace.of_new_threads(), open_ledger(url) as ledger:
            asyncio.run(_wager(CardRoom(ledger), seat.table, seat.token, trace))
    return trace


async def _wager(card_room: CardRoom, table: str, token: str, trace: Trace) -> None:
    cookie: Headers = (
        (b"cookie", f"cardroom_token={token}".encode()),
        (b"content-type", b"application/json"),
    )
    async with serving(card_room) as (client, _), client.page(f"/tables/{table}", cookie) as page:

        async def send(command: str, **body: object) -> None:
            drop_messages(page)
            status, text = await client.request(
                "POST", f"/api/v1/tables/{table}/{command}", cookie, json.dumps(body).encode()
            )
            assert status == 200, text
            await next_drawing(page)

        await next_drawing(page)
        for number in range(3):
            wager = {"id": f"wager-{number}", "wagers": {"ante-play": 1000}}
            if number == 2:
                with trace.on():
                    await send("wagers", **wager)
            else:
                await send("wagers", **wager)
            await send("decisions", id=f"decision-{number}", answer="play")


async def seconds_of_command() -> tuple[float, float]:
    """Processor seconds of a wager or decision at a table whose five players each have a stream: of all threads, and of
    the event loop, which all commands of a server share."""
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder:
        url = f"sqlite:///{folder}/room.db"
        seats = open_room(url, 1)
        with open_ledger(url) as ledger:
            async with serving(CardRoom(ledger)) as (client, _):
                return await _play_rounds(client, seats[0].table, [seat.token for seat in seats])


async def _play_rounds(client: Client, table: str, tokens: list[str]) -> tuple[float, float]:
    headers: list[Headers] = [
        ((b"authorization", f"Bearer {token}".encode()), (b"content-type", b"application/json")) for token in tokens
    ]

    async def send(seat: int, command: str, body: dict[str, object]) -> None:
        status, text = await client.request(
            "POST", f"/api/v1/tables/{table}/{command}", headers[seat], json.dumps(body).encode()
        )
        assert status == 200, text
        version = b"id: %d\n" % json.loads(text)["version"]
        for stream in streams:  # all five players see it
            while not (await stream.get()).get("body", b"").startswith(version):
                pass

    async def play(rounds: range) -> tuple[float, float]:
        began, loop_began = time.process_time(), time.thread_time()
        for number in rounds:
            for seat in range(SEATS):
                await send(seat, "wagers", {"id": f"w{number}-{seat}", "wagers": {"ante-play": 1000}})
            for seat in range(SEATS):
                await send(seat, "decisions", {"id": f"d{number}-{seat}", "answer": "play"})
        commands = len(rounds) * 2 * SEATS
        return (time.process_time() - began) / commands, (time.thread_time() - loop_began) / commands

    async with AsyncExitStack() as open_streams:
        path = f"/api/v1/tables/{table}/stream"
        streams = [await open_streams.enter_async_context(client.stream(path, header)) for header in headers]
        await play(range(10))  # until all is warm
        return await play(range(10, ROUNDS))


@contextmanager
def _room() -> Iterator[CardRoom]:
    with (
        tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder,
        open_ledger(f"sqlite:///{folder}/r.db") as book,
    ):
        yield CardRoom(book)
