"""`cardroom heads`: signed heads of all chains, to keep outside the database.

`cardroom witness`: a program on another machine that cosigns heads that extend the earlier ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, CommandQuery, declare_action, declare_query
from cardroom.cli.shared.options import (
    AsJson,
    ByLogin,
    Database,
    LedgerAsJson,
    ReasonOption,
    SecondLogin,
    WholeNumber,
    examples,
)
from cardroom.cli.shared.output import CommandOutput, print_json

if TYPE_CHECKING:
    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.service import CardRoom


app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@app.callback()
def heads() -> None:
    """Sign and export the heads of all chains, and prove later that history was not rewritten.

    The machine's configuration (machine.toml) names the destinations: a folder, a command, or a witness.
    """


@declare_action(app, "heads export --by rosa", changes_signs=False)
def export() -> CommandAction:
    """Sign the heads of all chains and send them to the configured destinations."""
    from cardroom.heads.destinations import HeadsNotDelivered
    from cardroom.machine_config import load_machine_config
    from cardroom.service.json_output import sent_heads_to_json
    from cardroom.terminal.pages.card_room import heads_text

    destination = load_machine_config().heads

    def do(request: CommandRequest) -> CommandOutput:
        try:
            export_result = request.card_room.heads.send(request.id, request.login, destination)
        except HeadsNotDelivered as fault:
            return CommandOutput({"stayed": str(fault)}, str(fault), is_success=False)
        return CommandOutput({**sent_heads_to_json(export_result), "stayed": ""}, heads_text(export_result))

    return do


@declare_query(app, "heads verify", "heads verify /mnt/stick", "heads verify /mnt/stick --key 3f0c…")
def verify(
    folder: Annotated[
        str | None, typer.Argument(metavar="[FOLDER]", help="Exported heads; the configured destinations if left out.")
    ] = None,
    key: Annotated[
        str | None, typer.Option(metavar="PUBLIC-KEY", help="The room's public key that you expect.")
    ] = None,
) -> CommandQuery:
    """Compare the log of heads with the chains, and exported heads with the log. Exit code 1: history was rewritten.

    It checks every signature and every leaf. `cardroom verify` also replays all events.
    """
    from pathlib import Path

    from cardroom.cli.shared.ledger_output import format_exported_heads
    from cardroom.ledger import system_clock
    from cardroom.machine_config import load_machine_config

    destination = load_machine_config().heads

    def read(card_room: CardRoom) -> CommandOutput:
        exported_heads = (
            card_room.heads.check_exported(destination)
            if folder is None
            else card_room.heads.check_folder(Path(folder))
        )
        if key is not None and key != exported_heads.key:
            sentence = f"The room's key is {exported_heads.key or 'not recorded'}, and not {key}."
            exported_heads = exported_heads._replace(wrong=(sentence, *exported_heads.wrong))
        return format_exported_heads(exported_heads, system_clock(), card_room.calendar, with_findings=True)

    return read


@app.command("print", epilog=examples("heads print", "heads print -o heads-2026-03-02.json"))
def print_heads(
    context: typer.Context,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="The file to write; standard output if left out."),
    ] = None,
    by: ByLogin = None,
    database: Database = None,
    as_json: LedgerAsJson = False,
) -> None:
    """Print the heads of all chains, unsigned. Keep them elsewhere; `heads verify-file` compares them later."""
    from cardroom.cli.shared.files import write_new_file
    from cardroom.cli.shared.ledger_access import open_for_query
    from cardroom.cli.shared.ledger_output import format_heads_file
    from cardroom.service.verification.report import format_chain_count

    with open_for_query(context, database, by) as card_room:
        heads_file = card_room.ledger.heads.export()
    if output is None:
        print_json(heads_file)
        return
    write_new_file(Path(output), format_heads_file(heads_file))
    text = f"{output}: {format_chain_count(len(heads_file['heads']))}, SHA-256 {heads_file['digest']}"
    CommandOutput(heads_file, text).print(as_json)


@app.command("verify-file", epilog=examples("heads verify-file heads-2026-03-02.json"))
def verify_file(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of `heads print`.", show_default=False)],
    by: ByLogin = None,
    database: Database = None,
    as_json: LedgerAsJson = False,
) -> None:
    """Compare printed heads with the database. Exit code 1: history was rewritten since."""
    from cardroom.cli.shared.files import read_heads_file
    from cardroom.cli.shared.ledger_access import open_for_query
    from cardroom.cli.shared.ledger_output import add_time_zone, format_heads_check

    with open_for_query(context, database, by) as card_room:
        document = read_heads_file(file)
        findings, calendar = card_room.ledger.check_heads(document), card_room.calendar
    add_time_zone(format_heads_check(document, findings, calendar), calendar).print(as_json)


@declare_query(
    app,
    "heads prove room",
    "heads prove tabulator:table-1 --event 12 --json > proof.json",
    "heads prove --since 17 --json > growth.json",
)
def prove(
    chain: Annotated[str | None, typer.Argument(metavar="[CHAIN]", help="A chain, such as room.")] = None,
    event: Annotated[
        int | None, typer.Option(metavar="N", help="One event of the chain, by its number.", parser=WholeNumber())
    ] = None,
    since: Annotated[
        int | None, typer.Option(metavar="SIZE", help="Prove growth since this head instead.", parser=WholeNumber())
    ] = None,
    until: Annotated[
        int | None, typer.Option(metavar="SIZE", help="Up to this head; the newest if left out.", parser=WholeNumber())
    ] = None,
) -> CommandQuery:
    """Prove that the newest signed head covers a chain or an event, or that the log grew from one head to another.

    --json prints the proof, which `cardroom heads check-proof` and other programs check without a database. A proof
    contains complete events, so it needs permission to read the ledger. Decisions of a round can be proved after the
    round.
    """
    from cardroom.errors import BadInput
    from cardroom.heads.signed_heads import check_proof
    from cardroom.service.chain_descriptions import refuse_hidden_events

    if (chain is None) == (since is None) or (chain is None and event is not None) or (since is None and until):
        raise BadInput("Name a chain, with --event N for one of its events; or --since SIZE for growth of the log.")

    def read(card_room: CardRoom) -> CommandOutput:
        if since is not None:
            proof = card_room.heads.prove_growth(since, until)
        else:
            proof = card_room.heads.prove_chain(chain or "", event)
            refuse_hidden_events(card_room, proof["leaf"]["chain"], proof["leaf"]["sequence"])
        return CommandOutput(proof, check_proof(proof))

    return read


@app.command("check-proof", epilog=examples("heads check-proof proof.json"))
def check_proof_file(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A proof, or - for standard input.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Check a proof without a database. Exit code 1: the proof is invalid."""
    from cardroom.cli.shared.files import read_text, source_name
    from cardroom.documents import read_json
    from cardroom.heads.signed_heads import BadHeadsDocument, check_proof

    document = read_json(read_text(file), BadHeadsDocument, source_name(file))
    try:
        sentence, is_valid = check_proof(document), True
    except BadHeadsDocument as error:
        sentence, is_valid = str(error), False
    CommandOutput({"holds": is_valid, "sentence": sentence}, sentence, is_valid).print(as_json)


@declare_query(app, "heads show-key", "heads show-key --create", name="show-key")
def show_key(
    create: Annotated[bool, typer.Option("--create", help="Create this machine's key file if it has none.")] = False,
) -> CommandQuery:
    """Print the public keys that sign heads: the key in the ledger and the key in this machine's file.

    Give it to auditors and to the owner of the witness.
    """
    from cardroom.heads.keys import create_signing_key, read_signing_key, signing_key_file
    from cardroom.machine_config import load_machine_config

    file = signing_key_file(load_machine_config().heads)

    def read(card_room: CardRoom) -> CommandOutput:
        machine_key = read_signing_key(file) or (create_signing_key(file) if create else None)
        recorded_key, public_key = card_room.room().heads_key, machine_key.public if machine_key else ""
        page = (
            f"Recorded by the room: {recorded_key or 'none yet: the first export records it'}\n"
            f"In {file}: {public_key or 'no key: the first export creates it'}"
        )
        data = {"recorded": recorded_key, "file": str(file), "public_key": public_key}
        return CommandOutput(data, page, is_success=not recorded_key or recorded_key == public_key)

    return read


@declare_action(
    app,
    'heads replace-key --why "The disk of the old server broke" --by rosa --second lee',
    name="replace-key",
    changes_signs=False,
)
def replace_key(why: ReasonOption = "", second: SecondLogin = None) -> CommandAction:
    """Replace a lost or stolen signing key: from now on, the key in this machine's file signs heads."""
    from cardroom.machine_config import load_machine_config

    destination = load_machine_config().heads

    def do(request: CommandRequest) -> CommandOutput:
        public_key = request.card_room.heads.replace_key(
            request.id, request.login, destination, why, second=second or ""
        )
        return CommandOutput(
            {"public_key": public_key},
            f"From now on, this key signs heads: {public_key}. Give it to the owner of the witness.",
        )

    return do


witness_app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@witness_app.callback()
def witness() -> None:
    """Cosign the heads of a card room on a machine that its staff does not control."""


@witness_app.command(
    epilog=examples(
        "witness serve --folder /var/lib/witness --port 8460",
        "witness serve --folder /var/lib/witness --host 0.0.0.0 --key 3f0c… (the key that the room printed)",
    )
)
def serve(
    folder: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder for its key and the cosigned heads.")],
    host: Annotated[str, typer.Option(metavar="HOST", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", help="The port; 0 picks a free one.", parser=WholeNumber(0, 65535))
    ] = 8460,
    key: Annotated[
        str, typer.Option(metavar="PUBLIC-KEY", help="The room's public key; the key of the first head if left out.")
    ] = "",
) -> None:
    """Cosign heads of one card room that extend all earlier heads. Refuse all others and keep them as evidence.

    Prints its address and public key when it is ready, and a line for each request on standard error. The folder
    `refused` contains refused heads, each with the head that was cosigned before it.
    """
    from contextlib import suppress

    from cardroom.errors import BadInput
    from cardroom.heads.witness import Witness, WitnessServer, current_time

    if key and not (len(key) == 64 and set(key) <= set("0123456789abcdef")):
        raise BadInput("--key must be the 64 hexadecimal digits that `cardroom heads show-key` prints.")
    room_witness = Witness(folder, current_time, key)
    try:
        server = WitnessServer(room_witness, host, port)
    except OSError as error:
        raise BadInput(f"The witness cannot listen on {host}, port {port}: {error.strerror or error}.") from None
    with server, suppress(KeyboardInterrupt):
        typer.echo(f"The witness is open at {server.address}, public key {room_witness.key.public}")
        server.serve_forever()
