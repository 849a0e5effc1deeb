"""The house that is killed: a server like ``cardroom serve``, each life of it a copy of a process that is warm.

    python -m tests.crash.live.crash_server

reads a life from each line, in JSON, tells the number of its process, then the house itself tells where it is open, and
when it is dead how it ended. Guests are admitted, and two people of the office can pay claims over an address of their
own, which the real server does not have.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

import psycopg  # noqa: F401  # else every life would load it
import uvloop  # noqa: F401
from fastapi import FastAPI, Response
from pydantic import BaseModel
from uvicorn import Config

import cardroom.ledger.postgresql  # noqa: F401
from cardroom.ledger import Clock, open_ledger, system_clock
from cardroom.web.api.refusals import install_error_handlers
from cardroom.web.api.requests import json_response
from cardroom.web.app import create_app
from cardroom.web.logs import configure_json_logging
from cardroom.web.server import CardroomServer, listen
from cardroom.web.services.app_context import AppContext, ServerOptions
from tests.crash.commands import plain
from tests.crash.kill_report import Sheet
from tests.crash.live.moments import LastMoment, Watched, begun_nowhere, killer_of, last_moment, transactions_of
from tests.crash.live.room import TABLES, open_room
from tests.timeouts import lengthen


class ClaimVerified(BaseModel):
    id: str
    jackpot: str
    claim: str


def with_office(app: FastAPI) -> FastAPI:
    """The same card room, beside an office of the tests in which two people can pay claims."""
    server: AppContext = app.state.context
    front = FastAPI(lifespan=lambda _: app.router.lifespan_context(app))
    front.state.context = server
    install_error_handlers(front)

    @front.post("/office/claims")
    async def pay(said: ClaimVerified) -> Response:
        def paid() -> Any:
            return server.card_room.payments.pay(said.id, "Vera", said.jackpot, said.claim, paid={}, second="Uma")

        return json_response(plain(await server.executors.execute(paid)))

    front.mount("", app)
    return front


def serve(url: str, sheet: Path, last: LastMoment | None, out: int, clock: Clock = system_clock) -> None:
    """Be open until death."""
    killer = killer_of(last, url, Sheet(transactions_of(sheet)))
    with listen("127.0.0.1", 0) as bound, open_ledger(url, clock) as ledger:
        card_room = Watched(ledger, clock)
        card_room.watch(sheet, last, killer)
        open_room(card_room)
        app = with_office(create_app(card_room, ServerOptions(guests=True, coach=False), clock))
        CardroomServer(app, bound, lambda address: tell(out, {"open": address})).serve_until_stopped()


def tell(out: int, entry: dict[str, Any]) -> None:
    os.write(out, json.dumps(entry).encode() + b"\n")


def _child(life: dict[str, Any], out: int) -> None:
    log = os.open(life["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log, 2)
    try:
        configure_json_logging("warning", sys.stderr)
        last = last_moment(life["last"]) if life["last"] else None
        serve(life["url"], Path(life["sheet"]), last, out)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)


def bring_up(life: dict[str, Any], out: int) -> None:
    """One life, from its birth to its end."""
    child = os.fork()
    if child == 0:
        _child(life, out)
    tell(out, {"process": child})
    _, status = os.waitpid(child, 0)
    tell(out, {"ended": -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)})


def warm_up() -> None:
    """A round of every game, so that all that is loaded late is loaded."""
    with tempfile.TemporaryDirectory() as folder, open_ledger(f"sqlite:///{folder}/ledger.db") as ledger:
        card_room = Watched(ledger)
        begun_nowhere(Path(folder) / "sheet")
        card_room.watch(Path(folder) / "sheet", None, killer_of(None, ""))
        open_room(card_room)
        player = card_room.players.admit_guest("warm").player
        for table in TABLES:
            card_room.take_seat(f"sit-{table}", player, table, buy_in=100_00)
            spots = card_room.table(table).open_table.table.spots
            wagers = {spot: one.limits.minimum for spot, one in spots.items() if spot not in ("dealer", "all-six")}
            card_room.place_wagers(f"lay-{table}", player, table, wagers)
            card_room.view_table_json(table, player)
            card_room.leave_seat(f"leave-{table}", player, table)
            card_room.get_round_json(f"{table}.1")
        app = with_office(create_app(card_room, ServerOptions(guests=True, coach=False)))
        Config(app, log_config=None).load()


def main() -> None:
    lengthen()
    warm_up()
    asyncio.run(asyncio.sleep(0))  # cannot fail: no time passes, a loop is only made ready
    gc.collect()
    gc.freeze()  # else every life would look through all that was loaded, and copy it
    out = sys.stdout.fileno()
    tell(out, {"ready": True})
    for line in sys.stdin:
        bring_up(json.loads(line), out)


if __name__ == "__main__":
    main()
