"""`cardroom serve`: the card room on the web."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cardroom.cli.shared.numbers import Whole
from cardroom.cli.shared.options import Database, examples

app = typer.Typer(rich_markup_mode="markdown")


class LogLevel(StrEnum):
    """How much the log tells."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@app.command(
    epilog=examples(
        "serve --demo (five tables for play money, guests welcome)",
        "serve --database sqlite:///room.db --port 8080",
        "serve --database postgresql://room@localhost/room --host 0.0.0.0 --certificate room.pem --key room.key",
        "serve --database postgresql://room@localhost/room --behind-proxy 127.0.0.1 --metrics 127.0.0.1:9100",
        "serve --demo --port 0 (a free port; the line that is printed tells it)",
    )
)
def serve(
    database: Database = None,
    host: Annotated[str, typer.Option(metavar="HOST", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", help="The port; 0 takes a free one.", parser=Whole(0, 65535))
    ] = 8000,
    demo: Annotated[
        bool,
        typer.Option(
            "--demo", help="Open five automatic tables with their jackpots, and admit guests; at 127.0.0.1 only."
        ),
    ] = False,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The server's certificate with its chain (PEM): serves https.")
    ] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="The certificate's key (PEM).")] = None,
    behind_proxy: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESSES",
            help="The proxy that brings all calls, over https: its addresses or networks, with commas between them. "
            "What it says of its callers (X-Forwarded-For, -Proto) is believed, and of nobody else.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A name under which people call the room, such as room.example; give it once for each. Calls under "
            "any other name are refused, but for this machine's own.",
            show_default=False,
        ),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS:PORT", help="Tell figures for Prometheus there, at /metrics; for nobody else."),
    ] = None,
    log_level: Annotated[LogLevel, typer.Option(help="How much the log tells, on standard error.")] = LogLevel.INFO,
) -> None:
    """Serve the card room to programs and browsers: JSON under /api/v1, described by /api/v1/openapi.json.

    Prints one line with its address when it is ready. The log is one JSON object a line on standard error. A signal to
    end (Ctrl-C) lets everything that was begun come to its end; a second one ends at once. At another address than this
    machine's own it is served over https only: with a certificate, or behind a proxy.
    """
    import logging

    from cardroom.cli.shared.first import ask_for_the_first, warn_of_one_operator
    from cardroom.cli.shared.office import PATIENCE, new_address, unavailable
    from cardroom.floor import Floor
    from cardroom.ledger import open_ledger
    from cardroom.machine_config import load_machine_config
    from cardroom.web.app import card_room
    from cardroom.web.doors.host_names import read_names
    from cardroom.web.doors.line import checked_line
    from cardroom.web.log import log_in_json
    from cardroom.web.metrics import Figures, telling_figures
    from cardroom.web.room.demo import open_demo
    from cardroom.web.room.house import HouseRules
    from cardroom.web.serving import Server, listening

    heads = load_machine_config().heads
    line = checked_line(host, demo=demo, certificate=certificate, key=key, behind_proxy=behind_proxy)
    names = read_names(name or (), demo=demo)
    with (
        listening(host, port) as bound,
        telling_figures(metrics) as figures,
        unavailable("Try again."),
        open_ledger(new_address(database), lock_timeout=PATIENCE) as ledger,
    ):
        log_in_json(log_level)
        logging.getLogger(__name__).info("the books are open", extra={"database": ledger.store.address})
        floor = Floor(ledger)
        if demo:
            open_demo(floor)
        else:
            ask_for_the_first(floor)
            warn_of_one_operator(floor)
        rules = HouseRules(guests=demo, demo=demo, names=names, secure=line.secure, heads=heads)
        room = card_room(floor, rules)
        figures.register(Figures(room.state.house))
        server = Server(room, bound, lambda address: typer.echo(f"Cardroom is open at {address}"), line)
        done = server.serve_until_stopped()
    if not done:
        raise typer.Exit(1)
