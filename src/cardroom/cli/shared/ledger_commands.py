"""Declare commands on the ledger.

An *action* changes the ledger: it has a command id and a user with permission. A *query* only reads. The function of a
command parses its arguments, after the user is known, and returns the action or the query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import typer

from cardroom.cli.shared.options import ByLogin, CommandId, Database, Invocation, LedgerAsJson, build_command, examples
from cardroom.cli.shared.output import CommandOutput

if TYPE_CHECKING:
    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.room.user.permissions import Permission
    from cardroom.service import CardRoom
    from cardroom.service.commands.displays import ManualSign

Read = TypeVar("Read", bound=Callable[..., Any])


class CommandAction(Protocol):
    """Changes the ledger. Its result is a result of the card room or a finished output."""

    def __call__(self, request: CommandRequest, /) -> object: ...


class CommandQuery(Protocol):
    """Reads the ledger."""

    def __call__(self, card_room: CardRoom, /) -> CommandOutput: ...


class ExtraPermission(Protocol):
    """The permission that certain arguments need in addition to the command's own."""

    def __call__(self, request: CommandRequest, arguments: Mapping[str, Any], /) -> Permission | None: ...


@dataclass(frozen=True, slots=True)
class ActionOptions:
    """The options of all actions."""

    by: ByLogin = None
    command_id: CommandId = None
    database: Database = None
    as_json: LedgerAsJson = False


@dataclass(frozen=True, slots=True)
class QueryOptions:
    """The options of all queries."""

    by: ByLogin = None
    database: Database = None
    as_json: LedgerAsJson = False


def declare_action(
    app: typer.Typer,
    *example_commands: str,
    panel: str | None = None,
    name: str | None = None,
    changes_signs: bool = True,
    extra_permission: ExtraPermission | None = None,
) -> Callable[[Read], Read]:
    """Declare a command that changes the ledger. ``changes_signs``: people may have to change signs afterward."""

    def execute(options: ActionOptions, invocation: Invocation) -> None:
        from cardroom.cli.shared.ledger_access import open_for_action
        from cardroom.service.commands.second_signature import execute_signed

        with open_for_action(invocation.context, options.database, options.by, options.command_id) as request:
            action: CommandAction = invocation.parse()
            signs_before = _current_signs(request.card_room) if changes_signs else ()
            signer = request.signer_for(
                invocation.arguments.get("second"),
                extra_permission(request, invocation.arguments) if extra_permission else None,
            )
            result = execute_signed(lambda: action(request), signer)
            signs_after = _current_signs(request.card_room) if changes_signs else ()
            output = result if isinstance(result, CommandOutput) else format_result(result)
            output = add_deposit_due(output, request.card_room)
        request.print(_add_changed_signs(output, signs_before, signs_after), options.as_json)

    return _declare_command(app, name, panel, example_commands, ActionOptions, execute)


def _current_signs(card_room: CardRoom) -> Sequence[ManualSign]:
    """The current content of the signs. Empty if it cannot be computed: that must not look like a refusal."""
    from cardroom.room.descriptions.displays import CannotDisplay

    try:
        return card_room.displays.list_manual_signs()
    except CannotDisplay:
        return ()


def _add_changed_signs(
    output: CommandOutput, signs_before: Sequence[ManualSign], signs_after: Sequence[ManualSign]
) -> CommandOutput:
    """The output with the signs that people have to change now."""
    from rich.console import Group

    from cardroom.service.commands.displays import find_changed_signs
    from cardroom.service.json_output import manual_sign_to_json
    from cardroom.terminal.pages.equipment import signs_table

    changes = find_changed_signs(signs_before, signs_after)
    if not changes:
        return output
    page = Group(output.page, signs_table(changes, "Signs to change now:"))
    return replace(output, data={**output.data, "signs": list(map(manual_sign_to_json, changes))}, page=page)


def declare_query(
    app: typer.Typer, *example_commands: str, panel: str | None = None, name: str | None = None
) -> Callable[[Read], Read]:
    """Declare a command that reads the ledger."""

    def execute(options: QueryOptions, invocation: Invocation) -> None:
        from cardroom.cli.shared.ledger_access import open_for_query

        with open_for_query(invocation.context, options.database, options.by) as card_room:
            query: CommandQuery = invocation.parse()
            output = query(card_room)
        output.print(options.as_json)

    return _declare_command(app, name, panel, example_commands, QueryOptions, execute)


def _declare_command(
    app: typer.Typer,
    name: str | None,
    panel: str | None,
    example_commands: tuple[str, ...],
    options: type[Any],
    execute: Callable[[Any, Invocation], None],
) -> Callable[[Read], Read]:
    def declare(function: Read) -> Read:
        app.command(name, rich_help_panel=panel, epilog=examples(*example_commands))(
            build_command(options, function, execute)
        )
        return function

    return declare


def add_deposit_due(output: CommandOutput, card_room: CardRoom) -> CommandOutput:
    """Add the due bank deposit to the output of a jackpot. It depends on the time of printing, so it is not part of the
    stored result."""
    from dataclasses import replace

    from rich.console import Group

    from cardroom.service.json_output import deposit_due_to_json
    from cardroom.terminal.pages.payments import deposit_warning

    jackpot_data = output.data.get("summary", output.data)
    if "undeposited" not in jackpot_data:
        return output
    deposit = card_room.jackpots.find_deposit_due(jackpot_data["jackpot"])
    data = {**output.data, "deposit_due": deposit_due_to_json(deposit)}
    return replace(output, data=data, page=Group(output.page, *deposit_warning(deposit)))


def format_result(result: object, *, is_success: bool = True) -> CommandOutput:
    """The output for a result of the card room."""
    from cardroom.service.json_output import result_to_json
    from cardroom.terminal.pages.command_results import result_page

    return CommandOutput(result_to_json(result), result_page(result), is_success)
