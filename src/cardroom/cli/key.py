"""`cardroom key`: the key that encrypts a room's secrets, which is kept apart from the database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.deeds import Deed, Look, deed, look
from cardroom.cli.shared.options import By, Database, JsonOfBooks, Second, Why, examples

if TYPE_CHECKING:
    from cardroom.cli.shared.office import Sender
    from cardroom.floor import Floor

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@app.callback(
    epilog="""Where the key comes from, the first that is set:

- the environment variable `CARDROOM_KEY` (the key itself)
- the systemd credential `cardroom-key`
- the file that the machine's configuration names (`[key] file`)
- a file beside a SQLite database (`room.db.key`), or `room.key` in your configuration folder for a database server
"""
)
def key() -> None:
    """Show, rotate, back up and replace the key that encrypts a room's secrets: keys of coming rounds, and sessions."""


@look(app, "key status", "key status --json")
def status() -> Look:
    """Show where the room's key comes from, its fingerprint, and whether it fits. The key itself is never shown.

    Exit code 0: it fits, or the room has no secrets yet. 1: it does not, or it is missing.
    """
    from cardroom.errors import BadInput
    from cardroom.ledger import schema
    from cardroom.ledger.encryption import fingerprint_of

    def read(floor: Floor) -> Answer:
        source, under = floor.ledger.key_source, floor.ledger.key_fingerprint()
        try:
            found, problem = source.find_key(), ""
        except BadInput as fault:
            found, problem = None, str(fault)
        with floor.ledger.store.read() as now:
            secrets = sum(bool(fingerprint_of(bytes(row[2]))) for row in now.rows(schema.secrets))
        here = found.fingerprint if found else ""
        fits = under in ("", here) and not problem
        entry = {"source": source.description, "key": here, "room": under, "fits": fits, "secrets": secrets}
        lines = [f"The key comes from {source.description}: {here or problem or 'there is none yet'}."]
        if under:
            lines.append(
                f"{secrets:,} secret{'s' * (secrets != 1)} of this room {_are(secrets)} encrypted under {under}."
            )
        else:
            lines.append("This room has no secrets yet.")
        if not fits:
            lines.append("The key does not fit: put the right one in its place, or replace a lost key.")
        return Answer(entry, "\n".join(lines), fits)

    return read


def _are(count: int) -> str:
    return "are" if count != 1 else "is"


@deed(
    app,
    'key rotate --why "Once a year" --by rosa --second lee',
    'key rotate --new-secret --why "Sam left" --by rosa --second lee',
    'key rotate --to /root/new-room.key --why "Once a year" --by rosa --second lee (where the key is a credential)',
    signs=False,
)
def rotate(
    why: Why = "",
    to: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A new file for the key, where it does not come from a file."),
    ] = None,
    new_secret: Annotated[
        bool,
        typer.Option(
            "--new-secret", help="Also replace the room's secret: when a person who could read the key leaves."
        ),
    ] = False,
    second: Second = None,
) -> Deed:
    """Encrypt every secret under a new key. Nothing is lost, and the old key decrypts nothing any more.

    Stop the servers first: they have the present key in memory. The secrets in older backups stay under the old key,
    so a person who left with that key and a backup has the room's secret, which recognizes sessions and devices. Then
    use --new-secret: everyone signs in again, every device needs a new token, every table gets a new sealed key, and a
    round in progress is void.
    """

    def do(sent: Sender) -> Answer:
        from cardroom.cli.safekeeping import renewed_words
        from cardroom.floor.safekeeping import rotate_key

        sign = sent.beside(second) if new_secret else None
        new, renewed = rotate_key(sent.floor, sent.id, sent.who, why, second=second, to=to, new_secret=sign)
        said = f"Every secret of this room is encrypted under key {new.fingerprint} now, which is in {new.source}."
        entry: dict[str, object] = {"key": new.fingerprint, "source": new.source}
        if renewed is not None:
            said, entry = f"{said} {renewed_words(renewed)}", entry | {"renewed": renewed._asdict()}
        return Answer(entry, f"{said} Back it up: cardroom key backup FILE.")

    return do


@deed(app, "key backup /media/safe/room.key --by rosa --second lee", signs=False)
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file, apart from the database.")],
    second: Second = None,
) -> Deed:
    """Write the key to a new file that only you can read. Keep it apart from the database and from its backups.

    The second person signs for this file and no other. Sent again with the same --id, the command writes nothing.
    """

    def do(sent: Sender) -> Answer:
        from cardroom.floor.safekeeping import back_up_key

        key, written = back_up_key(sent.floor, sent.id, sent.who, file, second=second)
        said = f"Key {key.fingerprint} is in {file}."
        if not written:
            said = (
                f"Key {key.fingerprint} was written before, and nothing is written now: for another copy, back it up "
                "with a new id."
            )
        return Answer({"key": key.fingerprint, "file": str(file), "written": written}, said)

    return do


@app.command(
    epilog=examples('key replace --why "The disk with the key is gone" --by rosa --second lee'),
)
def replace(
    why: Why = "",
    by: By = None,
    second: Second = None,
    database: Database = None,
    as_json: JsonOfBooks = False,
) -> None:
    """Go on with a new key after the room's key was lost. Two people do this while no server is running.

    Every table gets a new sealed key; a round in progress is void, and its wagers are returned. Everyone signs in
    again, and every device needs a new token. Nothing else is lost.
    """
    import uuid

    from cardroom.cli.safekeeping import renewed_words
    from cardroom.cli.shared.office import address, opened, unavailable
    from cardroom.cli.shared.restoring import signing_for, two_by_password, write_down
    from cardroom.floor import Floor
    from cardroom.floor.people.permissions import Right
    from cardroom.floor.safekeeping import replace_key

    url, act = address(database), "replacing the room's key"
    with unavailable("Try again."), opened(url) as ledger:
        floor = Floor(ledger)
        who = two_by_password(floor, by, second, Right.KEEP_KEY, act)
        sign = signing_for(floor, who, Right.KEEP_KEY)
        renewed = replace_key(floor, f"replace-key/{uuid.uuid4()}", who.login, why, sign, second=who.second)
        write_down(floor, who)
    words = f"This room has key {renewed.key} now. {renewed_words(renewed)}"
    Answer({"renewed": renewed._asdict()}, words).tell(as_json)
