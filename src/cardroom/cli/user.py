"""`cardroom user`: users with their roles, sessions, passwords, and PINs.

`cardroom init`, `cardroom sign-in`, `cardroom sign-out`, and `cardroom whoami`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, CommandQuery, declare_action, declare_query
from cardroom.cli.shared.options import (
    ByLogin,
    CommandId,
    Database,
    LedgerAsJson,
    ReasonOption,
    SecondLogin,
    WholeNumber,
    examples,
)
from cardroom.cli.shared.output import CommandOutput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.room.user.permissions import Permission, Role
    from cardroom.room.user.state import UserState
    from cardroom.service import CardRoom
    from cardroom.service.commands.users import UserCredentials


app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")
init_app = typer.Typer(rich_markup_mode="markdown")

UserLogin = Annotated[str, typer.Argument(metavar="LOGIN", help="The user's login.", show_default=False)]
UserName = Annotated[str, typer.Option("--name", metavar="NAME", help="The user's full name.", show_default=False)]
RoleName = Annotated[
    str,
    typer.Option(
        "--role",
        metavar="ROLE",
        help="player, dealer, supervisor, cage, surveillance, operator, or auditor.",
        show_default=False,
    ),
]


@app.callback(
    epilog="""From an empty database to the first two users:

- `cardroom init rosa --name "Rosa Diaz"` (the first operator)
- `cardroom sign-in rosa`
- `cardroom user add lee --name "Lee Ann" --role supervisor` (prints a one-time password)
"""
)
def user() -> None:
    """Add users, recover locked-out users, change roles, end sessions, and list sign-ins.

    Changes to users need two people as soon as a second user can confirm them. There are no default passwords. The
    program prints only one-time passwords, once.
    """


@init_app.command("init", epilog=examples('init rosa --name "Rosa Diaz"'))
def init(
    login: UserLogin, name: UserName, id: CommandId = None, database: Database = None, as_json: LedgerAsJson = False
) -> None:
    """Create the database and its first operator, who chooses a password now. Works only while it has no user."""
    from cardroom.cli.shared.authentication import register_first_operator
    from cardroom.cli.shared.ledger_access import explain_unavailable, new_database_url, open_database
    from cardroom.room.user.registration import refuse_another_first
    from cardroom.service import CardRoom

    with explain_unavailable("Try again."), open_database(new_database_url(database), may_create=True) as ledger:
        card_room = CardRoom(ledger)
        if id is None:
            refuse_another_first(card_room.users.has_users())
        register_first_operator(card_room, login, name, id)
    text = f"{login} is the first operator: sign in with `cardroom sign-in {login}`."
    CommandOutput({"login": login, "role": "operator"}, text).print(as_json)


def _staff_permission(request: CommandRequest, arguments: Mapping[str, Any]) -> Permission | None:
    """Users of the staff need another permission than players."""
    from cardroom.room.user.permissions import Permission, parse_role

    user_role = (
        parse_role(arguments["role"]) if "role" in arguments else request.card_room.user(arguments["login"]).role
    )
    return Permission.KEEP_PEOPLE if user_role.is_staff else None


@declare_action(
    app,
    'user add kim --name "Kim Park" --role dealer --by rosa --second lee',
    'user add ann-lee --name "Ann Lee" --role player --by carl --second lee (a player who has an account)',
    changes_signs=False,
    extra_permission=_staff_permission,
)
def add(login: UserLogin, name: UserName, role: RoleName, second: SecondLogin = None) -> CommandAction:
    """Add a user and print a one-time password. The password is shown once and not stored."""
    from cardroom.room.user.permissions import parse_role

    user_role = parse_role(role)
    return lambda request: _format_one_time_password(
        request.card_room.users.add(request.id, request.login, login, name, user_role, second=second), user_role
    )


@declare_action(app, "user recover kim --by rosa --second lee", changes_signs=False, extra_permission=_staff_permission)
def recover(login: UserLogin, second: SecondLogin = None) -> CommandAction:
    """Give a locked-out user a new one-time password. All sessions of the user end."""
    return lambda request: _format_one_time_password(
        request.card_room.users.recover(request.id, request.login, login, second=second),
        request.card_room.user(login).role,
    )


@app.command("recover-operator", epilog=examples("user recover-operator rosa"))
def recover_operator(login: UserLogin, database: Database = None, as_json: LedgerAsJson = False) -> None:
    """Recover an operator on this machine, with two people present, when no operator can sign in.

    If another operator can sign in, use `user recover`. The command asks for the names of two people who are present,
    each typed twice, and for a sentence of confirmation, and prints a one-time password. All sessions of the operator
    end. The record is permanent: every office page shows it for 30 days, or until two operators acknowledge it, and
    `verify` and the day report always list it.
    """
    from cardroom.cli.shared.authentication import recover_operator
    from cardroom.cli.shared.ledger_access import database_url, explain_unavailable, open_database
    from cardroom.room.user.permissions import Role
    from cardroom.service import CardRoom

    with explain_unavailable("Nothing was changed."), open_database(database_url(database)) as ledger:
        registered = recover_operator(CardRoom(ledger), login)
    _format_one_time_password(registered, Role.OPERATOR).print(as_json)


@declare_action(app, "user acknowledge-recovery rosa --by lee", name="acknowledge-recovery")
def acknowledge_recovery(login: UserLogin) -> CommandAction:
    """Acknowledge that an operator was recovered at the machine. The notice disappears after two operators have."""
    from cardroom.room.site.recovery import describe_recovery

    def do(request: CommandRequest) -> CommandOutput:
        recovery = request.card_room.users.acknowledge_recovery(request.id, request.login, login)
        data = {"login": login, "acknowledged": list(recovery.acknowledged)}
        return CommandOutput(data, describe_recovery(recovery, request.card_room.calendar))

    return do


def _format_one_time_password(registration: UserCredentials, role: Role) -> CommandOutput:
    from cardroom.room.user.permissions import role_with_article

    data = {"login": registration.login, "role": str(role), "once": registration.one_time_password or None}
    if not registration.one_time_password:
        return CommandOutput(
            data,
            f"{registration.login} is {role_with_article(role)}. The password was shown before and is not stored.",
        )
    text = (
        f"{registration.login} is {role_with_article(role)}. One-time password for the first sign-in, valid for three "
        "days and shown once:"
    )
    return CommandOutput(data, f"{text}\n{registration.one_time_password}")


@declare_action(app, "user change-role kim supervisor --by rosa --second lee", name="change-role", changes_signs=False)
def change_role(
    login: UserLogin,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="The new role.", show_default=False)],
    second: SecondLogin = None,
) -> CommandAction:
    """Change the role of a user. All sessions of the user end."""
    from cardroom.room.user.permissions import parse_role

    new_role = parse_role(role)
    return lambda request: _format_user(
        request, request.card_room.users.assign_role(request.id, request.login, login, new_role, second=second)
    )


@declare_action(
    app, 'user deactivate kim --why "Left the room" --by rosa --second lee', name="deactivate", changes_signs=False
)
def deactivate(login: UserLogin, why: ReasonOption = "", second: SecondLogin = None) -> CommandAction:
    """Deactivate a user and end all sessions."""
    return lambda request: _format_user(
        request, request.card_room.users.deactivate(request.id, request.login, login, why, second=second)
    )


def _other_user_permission(request: CommandRequest, arguments: Mapping[str, Any]) -> Permission | None:
    from cardroom.room.user.permissions import Permission

    return None if arguments["login"] == request.login else Permission.KEEP_PEOPLE


@declare_action(
    app,
    'user end-session kim --why "Left the console open" --by rosa',
    'user end-session kim 3f2a77b1 --why "A telephone was lost" --by rosa',
    name="end-session",
    changes_signs=False,
    extra_permission=_other_user_permission,
)
def end_session(
    login: UserLogin,
    session: Annotated[
        str | None,
        typer.Argument(metavar="SESSION", help="A session from `user show`, or its first digits; all when left out."),
    ] = None,
    why: ReasonOption = "",
) -> CommandAction:
    """End sessions: your own on another machine, or those of another user."""
    from cardroom.errors import BadInput, quote

    def do(request: CommandRequest) -> CommandOutput:
        sessions = [
            token_digest
            for token_digest in request.card_room.user(login).sessions
            if token_digest.startswith(session or "")
        ]
        if session and not sessions and not request.is_repeat:
            raise BadInput(f"{login} has no session {quote(session)}: `cardroom user show {login}` lists them.")
        for number, token_digest in enumerate(sessions):
            command_id = request.id if number == 0 else f"{request.id} {number}"
            request.card_room.users.end_user_session(command_id, request.login, login, token_digest, why)
        return _format_user(request, request.card_room.user(login))

    return do


def _format_user(request: CommandRequest, state: UserState) -> CommandOutput:
    from cardroom.ledger import system_clock
    from cardroom.service.json_output import user_details_to_json
    from cardroom.terminal.pages.users import user_page

    now = system_clock()
    return CommandOutput(user_details_to_json(state, now), user_page(state, now, request.card_room.calendar))


@declare_query(app, "user list", "user list --json", name="list")
def list_users() -> CommandQuery:
    """List all users, including deactivated ones, with role and state."""
    from cardroom.service.json_output import user_to_json
    from cardroom.terminal.pages.users import users_table

    def read(card_room: CardRoom) -> CommandOutput:
        users = [card_room.user(login) for login in card_room.users.list_users()]
        return CommandOutput({"users": [user_to_json(user_state) for user_state in users]}, users_table(users))

    return read


@declare_query(app, "user show kim", "user show kim --json")
def show(login: UserLogin) -> CommandQuery:
    """Show a user: role, state, and sessions with their end."""
    from cardroom.ledger import system_clock
    from cardroom.service.json_output import user_details_to_json
    from cardroom.terminal.pages.users import user_page

    def read(card_room: CardRoom) -> CommandOutput:
        state, now = card_room.user(login), system_clock()
        return CommandOutput(user_details_to_json(state, now), user_page(state, now, card_room.calendar))

    return read


@declare_query(app, "user history", "user history kim --last 20 --json", name="history")
def show_sign_ins(
    login: Annotated[
        str | None, typer.Argument(metavar="LOGIN", help="One user; all when left out.", show_default=False)
    ] = None,
    last: Annotated[
        int, typer.Option("--last", metavar="N", help="The number of entries, newest first.", parser=WholeNumber(1))
    ] = 50,
) -> CommandQuery:
    """List sign-ins, refusals, second signatures, locks, and changes of users, newest first."""
    from cardroom.cli.shared.ledger_output import format_sign_ins

    return lambda card_room: format_sign_ins(card_room, login, last)


@app.command(epilog=examples("user change-password", "user change-password --by kim"), name="change-password")
def change_password(
    context: typer.Context, by: ByLogin = None, database: Database = None, as_json: LedgerAsJson = False
) -> None:
    """Change your password. Your other sessions end. What you type is not shown.

    In scripts, set CARDROOM_PASSWORD to the current password and CARDROOM_NEW_PASSWORD to the new one.
    """
    from cardroom.cli.shared import credentials
    from cardroom.cli.shared.authentication import sign_in_place
    from cardroom.cli.shared.ledger_access import open_for_own_account

    with open_for_own_account(context, database, by) as (card_room, session):
        old_password = credentials.ask_secret(f"Current password of {session.login}", credentials.PASSWORD_VARIABLE)
        new_password = credentials.choose_secret("New password", credentials.NEW_PASSWORD_VARIABLE)
        card_room.users.choose_password(session, old_password, new_password, sign_in_place())
    CommandOutput({"login": session.login}, f"{session.login} has a new password.").print(as_json)


@app.command(epilog=examples("user change-pin"), name="change-pin")
def change_pin(
    context: typer.Context, by: ByLogin = None, database: Database = None, as_json: LedgerAsJson = False
) -> None:
    """Change your PIN: four to eight digits that unlock dealers' devices. What you type is not shown.

    In scripts, set CARDROOM_PASSWORD to your password and CARDROOM_NEW_PIN to the new PIN.
    """
    from cardroom.cli.shared import credentials
    from cardroom.cli.shared.authentication import sign_in_place
    from cardroom.cli.shared.ledger_access import open_for_own_account

    with open_for_own_account(context, database, by) as (card_room, session):
        password_text = credentials.ask_secret(f"Password of {session.login}", credentials.PASSWORD_VARIABLE)
        card_room.users.choose_pin(
            session, password_text, credentials.choose_secret("New PIN", credentials.NEW_PIN_VARIABLE), sign_in_place()
        )
    CommandOutput({"login": session.login}, f"{session.login} has a new PIN.").print(as_json)


sign_in_app = typer.Typer(rich_markup_mode="markdown")


@contextmanager
def _open_users(database: str | None) -> Iterator[CardRoom]:
    from cardroom.cli.shared.authentication import no_users
    from cardroom.cli.shared.ledger_access import database_url, explain_unavailable, open_database
    from cardroom.service import CardRoom

    with explain_unavailable("Try again."), open_database(database_url(database)) as ledger:
        card_room = CardRoom(ledger)
        if not card_room.users.has_users():
            raise no_users(card_room)
        yield card_room


@sign_in_app.command(
    "sign-in",
    epilog=examples(
        "sign-in rosa",
        "sign-in rosa --token (prints a token for CARDROOM_SESSION and stores nothing)",
    ),
)
def sign_in(
    login: Annotated[str, typer.Argument(metavar="LOGIN", help="Your login.", show_default=False)],
    token: Annotated[
        bool, typer.Option("--token", help="Print the session's token for a script instead of storing it.")
    ] = False,
    database: Database = None,
    as_json: LedgerAsJson = False,
) -> None:
    """Sign in on this machine. Type the password, or set CARDROOM_PASSWORD in a script.

    Three wrong passwords in a row lock the login on this machine only. A staff session lasts twelve hours.
    """
    from cardroom.cli.shared import credentials
    from cardroom.cli.shared.authentication import sign_in_place
    from cardroom.service.json_output import session_to_json
    from cardroom.terminal.pages.users import session_text

    with _open_users(database) as card_room:
        signed_in = card_room.users.sign_in(
            login, credentials.ask_secret(f"Password of {login}", credentials.PASSWORD_VARIABLE), sign_in_place()
        )
        if token:
            output = CommandOutput({**session_to_json(signed_in.session), "token": signed_in.token}, signed_in.token)
        else:
            _end_previous_session(card_room)
            credentials.store_token(card_room.ledger, signed_in.token)
            output = CommandOutput(
                session_to_json(signed_in.session), session_text(signed_in.session, card_room.calendar)
            )
    output.print(as_json)


def _end_previous_session(card_room: CardRoom) -> None:
    """End the session that this machine stored before, because its token is about to be overwritten."""
    from cardroom.cli.shared import credentials

    token = credentials.read_token(card_room.ledger)
    session = card_room.users.find_session(token) if token else None
    if session is not None:
        card_room.users.end_session(session)


@sign_in_app.command("sign-out", epilog=examples("sign-out"))
def sign_out(database: Database = None, as_json: LedgerAsJson = False) -> None:
    """Sign out and end the session of this machine."""
    from cardroom.cli.shared import credentials
    from cardroom.cli.shared.authentication import find_session

    with _open_users(database) as card_room:
        session = find_session(card_room)
        credentials.delete_token(card_room.ledger)
        if session is not None:
            card_room.users.end_session(session)
    text = f"{session.login} is signed out." if session else "No user was signed in on this machine."
    CommandOutput({"login": session.login if session else None}, text).print(as_json)


@sign_in_app.command(epilog=examples("whoami", "whoami --json"), name="whoami")
def show_session(database: Database = None, as_json: LedgerAsJson = False) -> None:
    """Show which user is signed in on this machine, and until when. Exit code 1: none."""
    from cardroom.cli.shared.authentication import find_session
    from cardroom.service.json_output import session_to_json
    from cardroom.terminal.pages.users import session_text

    with _open_users(database) as card_room:
        session = find_session(card_room)
        if session is None:
            output = CommandOutput(
                {"login": None}, "No user is signed in on this machine: `cardroom sign-in LOGIN`.", is_success=False
            )
        else:
            output = CommandOutput(session_to_json(session), session_text(session, card_room.calendar))
    output.print(as_json)
