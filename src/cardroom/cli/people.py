"""`cardroom people`: who may sign in, with which role; sessions, passwords, PINs, and the log of it all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.deeds import Deed, Look, deed, look
from cardroom.cli.shared.numbers import Whole
from cardroom.cli.shared.options import By, CommandId, Database, JsonOfBooks, Second, Why, examples

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardroom.cli.shared.office import Sender
    from cardroom.floor import Floor
    from cardroom.floor.desks.people import Registered
    from cardroom.floor.people.permissions import Right
    from cardroom.floor.people.roles import Role
    from cardroom.floor.people.state import PersonState

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

Login = Annotated[str, typer.Argument(metavar="LOGIN", help="The person's login.", show_default=False)]
Name = Annotated[str, typer.Option("--name", metavar="NAME", help="What people call them.", show_default=False)]
RoleName = Annotated[
    str,
    typer.Option(
        "--role",
        metavar="ROLE",
        help="player, dealer, supervisor, cage, surveillance, operator or auditor.",
        show_default=False,
    ),
]


@app.callback(
    epilog="""A room from nothing to its first two people:

- `cardroom people first rosa --name "Rosa Diaz"` (the first operator)
- `cardroom sign-in rosa`
- `cardroom people register lee --name "Lee Ann" --role supervisor` (prints a password for one time)
"""
)
def people() -> None:
    """Register people with a login and a role, help those who are locked out, and read who signed in.

    Two people decide about logins, as soon as there is anybody to be the second. Nothing has a default password, and
    none is ever printed but the one for a first sign-in, once.
    """


@app.command(epilog=examples('people first rosa --name "Rosa Diaz"'))
def first(
    login: Login, name: Name, id: CommandId = None, database: Database = None, as_json: JsonOfBooks = False
) -> None:
    """Register the first operator of a room, who chooses a password now. Later there is no such way in."""
    from cardroom.cli.shared.first import register_first
    from cardroom.cli.shared.office import new_address, opened, unavailable
    from cardroom.floor import Floor
    from cardroom.floor.people.registering import refuse_another_first

    with unavailable("Try again."), opened(new_address(database), may_begin=True) as ledger:
        floor = Floor(ledger)
        if id is None:
            refuse_another_first(floor.has_people())
        register_first(floor, login, name, id)
    said = f"{login} is the first operator: sign in with `cardroom sign-in {login}`."
    Answer({"login": login, "role": "operator"}, said).tell(as_json)


def _of_staff(sender: Sender, typed: Mapping[str, Any]) -> Right | None:
    """Logins of the staff are kept by fewer people than those of players."""
    from cardroom.floor.people.permissions import Right
    from cardroom.floor.people.roles import role_named

    role = role_named(typed["role"]) if "role" in typed else sender.floor.person(typed["login"]).role
    return Right.KEEP_PEOPLE if role.is_staff else None


@deed(
    app,
    'people register kim --name "Kim Park" --role dealer --by rosa --second lee',
    'people register ann-lee --name "Ann Lee" --role player --by carl --second lee (a player who has an account)',
    signs=False,
    also=_of_staff,
)
def register(login: Login, name: Name, role: RoleName, second: Second = None) -> Deed:
    """Let somebody sign in, and print the password for the first time. It is told once and kept nowhere."""
    from cardroom.floor.people.roles import role_named

    chosen = role_named(role)
    return lambda sent: _told_once(
        sent.floor.register_person(sent.id, sent.who, login, name, chosen, second=second), chosen
    )


@deed(app, "people recover kim --by rosa --second lee", signs=False, also=_of_staff)
def recover(login: Login, second: Second = None) -> Deed:
    """Give somebody who is locked out, or has forgotten the password, another one for one time; every session ends."""
    return lambda sent: _told_once(
        sent.floor.recover_person(sent.id, sent.who, login, second=second), sent.floor.person(login).role
    )


@app.command("recover-operator", epilog=examples("people recover-operator rosa"))
def recover_operator(login: Login, database: Database = None, as_json: JsonOfBooks = False) -> None:
    """Give an operator who has lost the only password a one-time password, with two people at this machine.

    For a room in which no operator can sign in; where one can, use `people recover`. The command asks for the names of
    two people who are present, each typed twice, and for a sentence of confirmation. Every session of the operator
    ends. The record stays for good: every office page shows it for 30 days, or until two operators acknowledge it, and
    `verify` and the day's report always name it.
    """
    from cardroom.cli.shared.office import address, opened, unavailable
    from cardroom.cli.shared.recovering import recover_at_machine
    from cardroom.floor import Floor
    from cardroom.floor.people.roles import Role

    with unavailable("Nothing was changed."), opened(address(database)) as ledger:
        registered = recover_at_machine(Floor(ledger), login)
    _told_once(registered, Role.OPERATOR).tell(as_json)


@deed(app, "people acknowledge rosa --by lee")
def acknowledge(login: Login) -> Deed:
    """Acknowledge that an operator was recovered at the machine; when two operators have, the notice goes."""
    from cardroom.jackpots.room.recoveries import recovery_text

    def do(sent: Sender) -> Answer:
        recovery = sent.floor.acknowledge_recovery(sent.id, sent.who, login)
        entry = {"login": login, "acknowledged": list(recovery.acknowledged)}
        return Answer(entry, recovery_text(recovery, sent.floor.calendar))

    return do


def _told_once(registered: Registered, role: Role) -> Answer:
    from cardroom.floor.people.permissions import a_role

    entry = {"login": registered.login, "role": str(role), "once": registered.once or None}
    if not registered.once:
        return Answer(
            entry, f"{registered.login} is {a_role(role)}. The password was told before, and is kept nowhere."
        )
    said = (
        f"{registered.login} is {a_role(role)}. The password for the first sign-in, good for three days and told once:"
    )
    return Answer(entry, f"{said}\n{registered.once}")


@deed(app, "people role kim supervisor --by rosa --second lee", signs=False)
def role(
    login: Login,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="The new role.", show_default=False)],
    second: Second = None,
) -> Deed:
    """Give somebody another role; every session with the old one ends."""
    from cardroom.floor.people.roles import role_named

    chosen = role_named(role)
    return lambda sent: _stands(sent, sent.floor.give_role(sent.id, sent.who, login, chosen, second=second))


@deed(app, 'people dismiss kim --why "Left the room" --by rosa --second lee', signs=False)
def dismiss(login: Login, why: Why = "", second: Second = None) -> Deed:
    """Let somebody sign in no more; every session ends."""
    return lambda sent: _stands(sent, sent.floor.dismiss_person(sent.id, sent.who, login, why, second=second))


def _of_another(sender: Sender, typed: Mapping[str, Any]) -> Right | None:
    from cardroom.floor.people.permissions import Right

    return None if typed["login"] == sender.who else Right.KEEP_PEOPLE


@deed(
    app,
    'people end-session kim --why "Left the console open" --by rosa',
    'people end-session kim 3f2a77b1 --why "A telephone was lost" --by rosa',
    name="end-session",
    signs=False,
    also=_of_another,
)
def end_session(
    login: Login,
    session: Annotated[
        str | None,
        typer.Argument(metavar="SESSION", help="As `people show` tells it, or its beginning; all when left out."),
    ] = None,
    why: Why = "",
) -> Deed:
    """End sessions: your own at another place, or somebody else's."""
    from cardroom.errors import BadInput, quote

    def do(sent: Sender) -> Answer:
        there = [seal for seal in sent.floor.person(login).sessions if seal.startswith(session or "")]
        if session and not there and not sent.repeated:
            raise BadInput(f"{login} has no session {quote(session)}: `cardroom people show {login}` lists them.")
        for number, seal in enumerate(there):
            id = sent.id if number == 0 else f"{sent.id} {number}"
            sent.floor.end_session_of(id, sent.who, login, seal, why)
        return _stands(sent, sent.floor.person(login))

    return do


def _stands(sent: Sender, state: PersonState) -> Answer:
    from cardroom.floor.person_entries import whole_person_entry
    from cardroom.ledger import system_clock
    from cardroom.terminal.pages.users import user_page

    now = system_clock()
    return Answer(whole_person_entry(state, now), user_page(state, now, sent.floor.calendar))


@look(app, "people list", "people list --json", name="list")
def list_people() -> Look:
    """List everybody who was ever registered, with role and state."""
    from cardroom.floor.person_entries import person_entry
    from cardroom.terminal.pages.users import users_table

    def read(floor: Floor) -> Answer:
        there = [floor.person(login) for login in floor.people()]
        return Answer({"people": [person_entry(one) for one in there]}, users_table(there))

    return read


@look(app, "people show kim", "people show kim --json")
def show(login: Login) -> Look:
    """Show somebody: role, state, and where they are signed in until when."""
    from cardroom.floor.person_entries import whole_person_entry
    from cardroom.ledger import system_clock
    from cardroom.terminal.pages.users import user_page

    def read(floor: Floor) -> Answer:
        state, now = floor.person(login), system_clock()
        return Answer(whole_person_entry(state, now), user_page(state, now, floor.calendar))

    return read


@look(app, "people log", "people log kim --last 20 --json")
def log(
    login: Annotated[
        str | None, typer.Argument(metavar="LOGIN", help="One person; everybody when left out.", show_default=False)
    ] = None,
    last: Annotated[int, typer.Option("--last", metavar="N", help="How many, the newest first.", parser=Whole(1))] = 50,
) -> Look:
    """Tell every sign-in, refusal, countersignature, lock and change of logins, in sentences, the newest first."""
    from cardroom.cli.shared.sign_ins import sign_ins_told

    return lambda floor: sign_ins_told(floor, login, last)


@app.command(epilog=examples("people password", "people password --by kim"))
def password(context: typer.Context, by: By = None, database: Database = None, as_json: JsonOfBooks = False) -> None:
    """Choose another password; every other session of yours ends. Both are typed unseen.

    For scripts the present one stands in CARDROOM_PASSWORD, and the new one in CARDROOM_NEW_PASSWORD.
    """
    from cardroom.cli.shared import passwords
    from cardroom.cli.shared.office import acting
    from cardroom.cli.shared.signing import here

    with acting(context, database, by) as (floor, session):
        old = passwords.ask(f"Present password of {session.login}", passwords.PASSWORD)
        new = passwords.choose("New password", passwords.NEW)
        floor.choose_password(session, old, new, here())
    Answer({"login": session.login}, f"{session.login} has another password.").tell(as_json)


@app.command(epilog=examples("people pin"))
def pin(context: typer.Context, by: By = None, database: Database = None, as_json: JsonOfBooks = False) -> None:
    """Choose a PIN of four to eight digits, which unlocks dealers' devices. It is typed unseen.

    For scripts the password stands in CARDROOM_PASSWORD, and the PIN in CARDROOM_NEW_PIN.
    """
    from cardroom.cli.shared import passwords
    from cardroom.cli.shared.office import acting
    from cardroom.cli.shared.signing import here

    with acting(context, database, by) as (floor, session):
        typed = passwords.ask(f"Password of {session.login}", passwords.PASSWORD)
        floor.choose_pin(session, typed, passwords.choose("New PIN", passwords.NEW_PIN), here())
    Answer({"login": session.login}, f"{session.login} has another PIN.").tell(as_json)
