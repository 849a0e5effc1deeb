"""`cardroom witness`: a program on another machine that cosigns heads that only ever grow."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cardroom.cli.shared.numbers import Whole
from cardroom.cli.shared.options import examples

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@app.callback()
def witness() -> None:
    """Cosign the heads of a room, on a machine that the room's staff does not control."""


@app.command(
    epilog=examples(
        "witness serve --folder /var/lib/witness --port 8460",
        "witness serve --folder /var/lib/witness --host 0.0.0.0 --key 3f0c… (the key that the room printed)",
    )
)
def serve(
    folder: Annotated[Path, typer.Option(metavar="FOLDER", help="Where it keeps its key and what it cosigned.")],
    host: Annotated[str, typer.Option(metavar="HOST", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", help="The port; 0 takes a free one.", parser=Whole(0, 65535))
    ] = 8460,
    key: Annotated[
        str, typer.Option(metavar="PUBLIC-KEY", help="The room's public key; that of the first head if left out.")
    ] = "",
) -> None:
    """Cosign heads of one room that extend every head before; refuse all others, and keep them as evidence.

    Prints its address and its public key when it is ready, and a line for every call on standard error. Refused heads
    are in the folder `refused`, each beside the head that was cosigned before it.
    """
    from contextlib import suppress

    from cardroom.errors import BadInput
    from cardroom.heads.witness import Witness, WitnessServer, current_time

    if key and not (len(key) == 64 and set(key) <= set("0123456789abcdef")):
        raise BadInput("--key must be the 64 hexadecimal digits that `cardroom heads key` prints.")
    kept = Witness(folder, current_time, key)
    try:
        server = WitnessServer(kept, host, port)
    except OSError as wrong:
        raise BadInput(f"Nothing can listen at {host}, port {port}: {wrong.strerror or wrong}.") from None
    with server, suppress(KeyboardInterrupt):
        typer.echo(f"The witness is open at {server.address}, public key {kept.key.public}")
        server.serve_forever()
