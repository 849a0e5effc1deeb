"""`cardroom key`: the key that encrypts the secrets of a card room. It is stored outside the database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, CommandQuery, declare_action, declare_query
from cardroom.cli.shared.options import ByLogin, Database, LedgerAsJson, ReasonOption, SecondLogin, examples
from cardroom.cli.shared.output import CommandOutput

if TYPE_CHECKING:
    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.service import CardRoom

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@app.callback(
    epilog="""The key comes from the first of these that is set:

- the environment variable `CARDROOM_KEY` (the key itself)
- the systemd credential `cardroom-key`
- the file that the machine's configuration names (`[key] file`)
- a file beside a SQLite database (`room.db.key`), or `room.key` in your configuration folder for a database server
"""
)
def key() -> None:
    """Show, rotate, back up, and replace the key that encrypts secrets: keys of future rounds, and sessions."""


@declare_query(app, "key show", "key show --json")
def show() -> CommandQuery:
    """Show the source and the fingerprint of the key, and whether it matches the database. The key is never shown.

    Exit code 0: it matches, or there are no secrets yet. 1: it does not match, or it is missing.
    """
    from cardroom.errors import BadInput
    from cardroom.ledger import schema
    from cardroom.ledger.encryption import fingerprint_of

    def read(card_room: CardRoom) -> CommandOutput:
        source, room_fingerprint = card_room.ledger.key_source, card_room.ledger.key_fingerprint()
        try:
            room_key, problem = source.find_key(), ""
        except BadInput as fault:
            room_key, problem = None, str(fault)
        with card_room.ledger.store.read() as now:
            secrets = sum(bool(fingerprint_of(bytes(row[2]))) for row in now.rows(schema.secrets))
        key_fingerprint = room_key.fingerprint if room_key else ""
        is_valid = room_fingerprint in ("", key_fingerprint) and not problem
        data = {
            "source": source.description,
            "key": key_fingerprint,
            "room": room_fingerprint,
            "fits": is_valid,
            "secrets": secrets,
        }
        lines = [f"The key comes from {source.description}: {key_fingerprint or problem or 'there is none yet'}."]
        if room_fingerprint:
            lines.append(
                f"{secrets:,} secret{'s' * (secrets != 1)} of this room {_are(secrets)} encrypted with key "
                f"{room_fingerprint}."
            )
        else:
            lines.append("This room has no secrets yet.")
        if not is_valid:
            lines.append(
                "The key does not match: restore the right key, or replace a lost one with `cardroom key replace`."
            )
        return CommandOutput(data, "\n".join(lines), is_valid)

    return read


def _are(count: int) -> str:
    return "are" if count != 1 else "is"


@declare_action(
    app,
    'key rotate --why "Once a year" --by rosa --second lee',
    'key rotate --new-secret --why "Sam left" --by rosa --second lee',
    'key rotate --to /root/new-room.key --why "Once a year" --by rosa --second lee (if the key is a credential)',
    changes_signs=False,
)
def rotate(
    why: ReasonOption = "",
    to: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A new file for the key, if it does not come from a file."),
    ] = None,
    new_secret: Annotated[
        bool,
        typer.Option(
            "--new-secret", help="Also replace the room's secret, after a person who could read the key has left."
        ),
    ] = False,
    second: SecondLogin = None,
) -> CommandAction:
    """Encrypt all secrets with a new key. Nothing is lost; the old key becomes useless.

    Stop the servers first: they have the current key in memory. Older backups stay encrypted with the old key. A person
    who left with that key and a backup has the room's secret, which authenticates sessions and devices. In that case,
    use --new-secret: all users sign in again, all devices need new tokens, all tables get new sealed keys, and rounds
    in progress are void.
    """

    def do(request: CommandRequest) -> CommandOutput:
        from cardroom.cli.backup import describe_renewal
        from cardroom.service.backup import rotate_key

        signer = request.signer_for(second) if new_secret else None
        new_key, renewal = rotate_key(
            request.card_room, request.id, request.login, why, second=second, key_file=to, secret_signer=signer
        )
        text = f"All secrets are now encrypted with key {new_key.fingerprint} from {new_key.source}."
        data: dict[str, object] = {"key": new_key.fingerprint, "source": new_key.source}
        if renewal is not None:
            text, data = f"{text} {describe_renewal(renewal)}", data | {"renewed": renewal._asdict()}
        return CommandOutput(data, f"{text} Back it up: cardroom key backup FILE.")

    return do


@declare_action(app, "key backup /media/safe/room.key --by rosa --second lee", changes_signs=False)
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file, not next to the database.")],
    second: SecondLogin = None,
) -> CommandAction:
    """Write the key to a new file that only you can read. Keep it apart from the database and its backups.

    The second person signs for this file only. Repeated with the same --id, the command writes nothing.
    """

    def do(request: CommandRequest) -> CommandOutput:
        from cardroom.service.backup import back_up_key

        room_key, is_written = back_up_key(request.card_room, request.id, request.login, file, second=second)
        text = f"Key {room_key.fingerprint} is in {file}."
        if not is_written:
            text = (
                f"Key {room_key.fingerprint} was written before: nothing is written now. For another copy, use a new "
                "--id."
            )
        return CommandOutput({"key": room_key.fingerprint, "file": str(file), "written": is_written}, text)

    return do


@app.command(
    epilog=examples('key replace --why "The disk with the key is gone" --by rosa --second lee'),
)
def replace(
    why: ReasonOption = "",
    by: ByLogin = None,
    second: SecondLogin = None,
    database: Database = None,
    as_json: LedgerAsJson = False,
) -> None:
    """Replace a lost key with a new one. Needs two people and no running server.

    All tables get new sealed keys; rounds in progress are void, and their wagers are returned. All users sign in again,
    and all devices need new tokens. Nothing else is lost.
    """
    import uuid

    from cardroom.cli.backup import describe_renewal
    from cardroom.cli.shared.authentication import authenticate_two, record_sign_in, second_signer
    from cardroom.cli.shared.ledger_access import database_url, explain_unavailable, open_database
    from cardroom.room.user.permissions import Permission
    from cardroom.service import CardRoom
    from cardroom.service.backup import replace_key

    url, action_text = database_url(database), "replacing the room's key"
    with explain_unavailable("Try again."), open_database(url) as ledger:
        card_room = CardRoom(ledger)
        users = authenticate_two(card_room, by, second, Permission.KEEP_KEY, action_text)
        signer = second_signer(card_room, users, Permission.KEEP_KEY)
        renewal = replace_key(card_room, f"replace-key/{uuid.uuid4()}", users.login, why, signer, second=users.second)
        record_sign_in(card_room, users)
    text = f"The room now has key {renewal.key}. {describe_renewal(renewal)}"
    CommandOutput({"renewed": renewal._asdict()}, text).print(as_json)
