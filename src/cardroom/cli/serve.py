"""`cardroom serve`: the web server."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cardroom.cli.shared.options import Database, WholeNumber, examples

app = typer.Typer(rich_markup_mode="markdown")


class LogLevel(StrEnum):
    """The level of the log."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@app.command(
    epilog=examples(
        "serve --demo (five tables with play money, guests allowed)",
        "serve --database sqlite:///room.db --port 8080",
        "serve --database postgresql://room@localhost/room --host 0.0.0.0 --certificate room.pem --key room.key",
        "serve --database postgresql://room@localhost/room --behind-proxy 127.0.0.1 --metrics 127.0.0.1:9100",
        "serve --demo --port 0 (picks a free port and prints it)",
    )
)
def serve(
    database: Database = None,
    host: Annotated[str, typer.Option(metavar="HOST", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", help="The port; 0 picks a free one.", parser=WholeNumber(0, 65535))
    ] = 8000,
    demo: Annotated[
        bool,
        typer.Option(
            "--demo", help="Open five automatic tables with their jackpots and allow guests; on 127.0.0.1 only."
        ),
    ] = False,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Serve https with this certificate and its chain (PEM).")
    ] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="The certificate's key (PEM).")] = None,
    behind_proxy: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESSES",
            help="The addresses or networks of the https proxy, separated by commas. X-Forwarded-For and -Proto are "
            "trusted only from these addresses.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A host name of the server, such as room.example; may be repeated. Requests for other names are "
            "refused, except this machine's own.",
            show_default=False,
        ),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS:PORT", help="Expose Prometheus metrics at /metrics on this address only."),
    ] = None,
    log_level: Annotated[LogLevel, typer.Option(help="The level of the log on standard error.")] = LogLevel.INFO,
) -> None:
    """Serve the card room to browsers and programs: web pages, and JSON under /api/v1 (/api/v1/openapi.json).

    Prints one line with its address when it is ready. The log has one JSON object per line on standard error. Ctrl-C
    finishes running requests and stops; a second Ctrl-C stops at once. Addresses other than this machine's own need
    https: a certificate or a proxy.
    """
    import logging

    from cardroom.cli.shared.authentication import ask_for_first_operator, warn_about_single_operator
    from cardroom.cli.shared.ledger_access import LOCK_TIMEOUT, explain_unavailable, new_database_url
    from cardroom.ledger import open_ledger
    from cardroom.machine_config import load_machine_config
    from cardroom.service import CardRoom
    from cardroom.web.app import create_app
    from cardroom.web.logs import configure_json_logging
    from cardroom.web.middleware.listener_options import check_listener_options, parse_host_names
    from cardroom.web.prometheus import MetricsCollector, serve_metrics
    from cardroom.web.server import CardroomServer, listen
    from cardroom.web.services.app_context import ServerOptions
    from cardroom.web.services.practice_tables import open_demo

    heads = load_machine_config().heads
    endpoint = check_listener_options(host, demo=demo, certificate=certificate, key=key, behind_proxy=behind_proxy)
    names = parse_host_names(name or (), demo=demo)
    with (
        listen(host, port) as listener,
        serve_metrics(metrics) as figures,
        explain_unavailable("Try again."),
        open_ledger(new_database_url(database), lock_timeout=LOCK_TIMEOUT) as ledger,
    ):
        configure_json_logging(log_level)
        logging.getLogger(__name__).info("the database is open", extra={"database": ledger.store.address})
        service = CardRoom(ledger)
        if demo:
            open_demo(service)
        else:
            ask_for_first_operator(service)
            warn_about_single_operator(service)
        rules = ServerOptions(guests=demo, demo=demo, host_names=names, secure=endpoint.secure, heads=heads)
        application = create_app(service, rules)
        figures.register(MetricsCollector(application.state.context))
        server = CardroomServer(
            application, listener, lambda address: typer.echo(f"Cardroom is open at {address}"), endpoint
        )
        is_clean_stop = server.serve_until_stopped()
    if not is_clean_stop:
        raise typer.Exit(1)
