"""`cardroom heads`: signed heads of all chains, to keep outside of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.deeds import Deed, Look, deed, look
from cardroom.cli.shared.numbers import Whole
from cardroom.cli.shared.options import AsJson, Second, Why, examples

if TYPE_CHECKING:
    from cardroom.cli.shared.office import Sender
    from cardroom.floor import Floor

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@app.callback()
def heads() -> None:
    """Sign where every chain ends, send it outside, and prove later that nothing was rewritten.

    Destinations are in the machine's own configuration (machine.toml): a folder, a command, or a witness.
    """


@deed(app, "heads export --by rosa", signs=False)
def export() -> Deed:
    """Sign the heads of all chains now, and send them to the destinations of this machine's configuration."""
    from cardroom.floor.entries import heads_out_entry
    from cardroom.heads.destinations import HeadsNotDelivered
    from cardroom.machine_config import load_machine_config
    from cardroom.terminal.pages.card_room import heads_text

    to = load_machine_config().heads

    def do(sent: Sender) -> Answer:
        try:
            out = sent.floor.send_heads(sent.id, sent.who, to)
        except HeadsNotDelivered as fault:
            return Answer({"stayed": str(fault)}, str(fault), holds=False)
        return Answer({**heads_out_entry(out), "stayed": ""}, heads_text(out))

    return do


@look(app, "heads verify", "heads verify /mnt/stick", "heads verify /mnt/stick --key 3f0c…")
def verify(
    folder: Annotated[
        str | None, typer.Argument(metavar="[FOLDER]", help="Exported heads; this machine's destinations if left out.")
    ] = None,
    key: Annotated[
        str | None, typer.Option(metavar="PUBLIC-KEY", help="The room's public key, as you know it.")
    ] = None,
) -> Look:
    """Compare the log of heads with the chains, and exported heads with the log. Exit code 1: history was rewritten.

    It checks every signature and every leaf. `cardroom verify` does the same and replays everything besides.
    """
    from pathlib import Path

    from cardroom.cli.shared.heads import outside_answer
    from cardroom.ledger import system_clock
    from cardroom.machine_config import load_machine_config

    to = load_machine_config().heads

    def read(floor: Floor) -> Answer:
        outside = floor.outside_heads(to) if folder is None else floor.check_heads_folder(Path(folder))
        if key is not None and key != outside.key:
            sentence = f"The room's key is {outside.key or 'not recorded'}, and not {key}."
            outside = outside._replace(wrong=(sentence, *outside.wrong))
        return outside_answer(outside, system_clock(), floor.calendar, findings=True)

    return read


@look(
    app,
    "heads prove room",
    "heads prove table:table-1 --event 12 --json > proof.json",
    "heads prove --since 17 --json > growth.json",
)
def prove(
    chain: Annotated[str | None, typer.Argument(metavar="[CHAIN]", help="A chain, such as room.")] = None,
    event: Annotated[
        int | None, typer.Option(metavar="N", help="One event of the chain, by its sequence.", parser=Whole())
    ] = None,
    since: Annotated[
        int | None, typer.Option(metavar="SIZE", help="Prove growth since this head instead.", parser=Whole())
    ] = None,
    until: Annotated[
        int | None, typer.Option(metavar="SIZE", help="Up to this head; the newest if left out.", parser=Whole())
    ] = None,
) -> Look:
    """Prove that a chain or an event is under the newest signed head, or that the log grew from one head to another.

    With --json it prints the proof, which `cardroom heads check` and any other program can check without a database.
    It prints events as the ledger has them, so it is for people who may read the ledger; what was answered in a round
    is proved when the round has ended.
    """
    from cardroom.errors import BadInput
    from cardroom.floor.hidden_events import refuse_hidden
    from cardroom.heads.signed_heads import check_proof

    if (chain is None) == (since is None) or (chain is None and event is not None) or (since is None and until):
        raise BadInput("Name a chain, with --event N for one of its events; or --since SIZE for growth of the log.")

    def read(floor: Floor) -> Answer:
        if since is not None:
            proof = floor.prove_growth(since, until)
        else:
            proof = floor.prove_chain(chain or "", event)
            refuse_hidden(floor, proof["leaf"]["chain"], proof["leaf"]["sequence"])
        return Answer(proof, check_proof(proof))

    return read


@app.command(epilog=examples("heads check proof.json"))
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A proof, or - for standard input.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Check a proof without a database. Exit code 1: it proves nothing."""
    from cardroom.cli.shared.reading import read_text, source_name
    from cardroom.documents import read_json
    from cardroom.heads.signed_heads import BadHeadsDocument, check_proof

    document = read_json(read_text(file), BadHeadsDocument, source_name(file))
    try:
        sentence, holds = check_proof(document), True
    except BadHeadsDocument as wrong:
        sentence, holds = str(wrong), False
    Answer({"holds": holds, "sentence": sentence}, sentence, holds).tell(as_json)


@look(app, "heads key", "heads key --create")
def key(
    create: Annotated[
        bool, typer.Option("--create", help="Create this machine's key file, where there is none.")
    ] = False,
) -> Look:
    """Print the public key that signs heads: the one that the room's chain records, and the one in this machine's file.

    Give it to an auditor and to the owner of the witness.
    """
    from cardroom.heads.keys import create_signing_key, read_signing_key, signing_key_file
    from cardroom.machine_config import load_machine_config

    file = signing_key_file(load_machine_config().heads)

    def read(floor: Floor) -> Answer:
        here = read_signing_key(file) or (create_signing_key(file) if create else None)
        recorded, public = floor.room().heads_key, here.public if here else ""
        page = (
            f"Recorded by the room: {recorded or 'none yet: the first export records it'}\n"
            f"In {file}: {public or 'no key: the first export creates it'}"
        )
        entry = {"recorded": recorded, "file": str(file), "public_key": public}
        return Answer(entry, page, holds=not recorded or recorded == public)

    return read


@deed(
    app,
    'heads replace-key --why "The disk of the old server broke" --by rosa --second lee',
    name="replace-key",
    signs=False,
)
def replace_key(why: Why = "", second: Second = None) -> Deed:
    """Let the key in this machine's file sign heads from now on, in place of one that is lost or stolen."""
    from cardroom.machine_config import load_machine_config

    to = load_machine_config().heads

    def do(sent: Sender) -> Answer:
        public = sent.floor.replace_heads_key(sent.id, sent.who, to, why, second=second or "")
        return Answer({"public_key": public}, f"From now on, this key signs heads: {public}. Tell the witness's owner.")

    return do
