"""Commands on the books, each of which says only what is its own.

A *deed* changes the books: it is sent under an id, by somebody who may, and answers. A *look* only reads them. The
function of a command understands what was typed, as soon as it is clear who gives it, and gives what is to be done with
the books.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.options import By, CommandId, Database, Given, JsonOfBooks, examples, with_options

if TYPE_CHECKING:
    from cardroom.cli.shared.office import Sender
    from cardroom.floor import Floor
    from cardroom.floor.desks.signs import Sign
    from cardroom.floor.people.permissions import Right

Read = TypeVar("Read", bound=Callable[..., Any])


class Deed(Protocol):
    """What is done with the books; its result is the answer of the floor, or one that has a page of its own."""

    def __call__(self, sender: Sender, /) -> object: ...


class Look(Protocol):
    """What is read from the books."""

    def __call__(self, floor: Floor, /) -> Answer: ...


class Also(Protocol):
    """What is asked besides the right at a command's door, for what was typed."""

    def __call__(self, sender: Sender, typed: Mapping[str, Any], /) -> Right | None: ...


@dataclass(frozen=True, slots=True)
class Sent:
    """How a deed is sent."""

    by: By = None
    command_id: CommandId = None
    database: Database = None
    as_json: JsonOfBooks = False


@dataclass(frozen=True, slots=True)
class Looked:
    """How somebody looks."""

    by: By = None
    database: Database = None
    as_json: JsonOfBooks = False


def deed(
    app: typer.Typer,
    *shown: str,
    panel: str | None = None,
    name: str | None = None,
    signs: bool = True,
    also: Also | None = None,
) -> Callable[[Read], Read]:
    """Declare a command that changes the books. ``signs`` says that signs may have to be changed after it."""

    def carry_out(sent: Sent, given: Given) -> None:
        from cardroom.cli.shared.office import sending
        from cardroom.floor.desks.signatures import carry_out_signed

        with sending(given.context, sent.database, sent.by, sent.command_id) as sender:
            do: Deed = given.understood()
            before = _signs(sender.floor) if signs else ()
            sign = sender.beside(given.typed.get("second"), also(sender, given.typed) if also else None)
            answer = carry_out_signed(lambda: do(sender), sign)
            after = _signs(sender.floor) if signs else ()
            told = answer if isinstance(answer, Answer) else floor_answer(answer)
            told = with_deposit_due(told, sender.floor)
        sender.tell(_with_signs(told, before, after), sent.as_json)

    return _declared(app, name, panel, shown, Sent, carry_out)


def _signs(floor: Floor) -> Sequence[Sign]:
    """What signs say. What was done is done: a sign that nobody can work out must not look like a refusal."""
    from cardroom.jackpots import CannotDisplay

    try:
        return floor.signs()
    except CannotDisplay:
        return ()


def _with_signs(answer: Answer, before: Sequence[Sign], after: Sequence[Sign]) -> Answer:
    """The answer, and the signs that somebody has to change now."""
    from rich.console import Group

    from cardroom.floor.desks.signs import to_change
    from cardroom.floor.entries import sign_entry
    from cardroom.terminal.pages.equipment import signs_table

    changed = to_change(before, after)
    if not changed:
        return answer
    page = Group(answer.page, signs_table(changed, "Signs to change now:"))
    return replace(answer, entry={**answer.entry, "signs": list(map(sign_entry, changed))}, page=page)


def look(app: typer.Typer, *shown: str, panel: str | None = None, name: str | None = None) -> Callable[[Read], Read]:
    """Declare a command that reads the books."""

    def carry_out(looked: Looked, given: Given) -> None:
        from cardroom.cli.shared.office import looking

        with looking(given.context, looked.database, looked.by) as floor:
            read: Look = given.understood()
            answer = read(floor)
        answer.tell(looked.as_json)

    return _declared(app, name, panel, shown, Looked, carry_out)


def _declared(
    app: typer.Typer,
    name: str | None,
    panel: str | None,
    shown: tuple[str, ...],
    options: type[Any],
    run: Callable[[Any, Given], None],
) -> Callable[[Read], Read]:
    def declare(read: Read) -> Read:
        app.command(name, rich_help_panel=panel, epilog=examples(*shown))(with_options(options, read, run))
        return read

    return declare


def with_deposit_due(answer: Answer, floor: Floor) -> Answer:
    """An answer that tells how a jackpot stands also tells what waits for the bank, and warns when it is due. That is
    of the moment at which it is told, so it is no part of the answer that the books keep."""
    from dataclasses import replace

    from rich.console import Group

    from cardroom.floor.entries import deposit_due_entry
    from cardroom.terminal.pages.payments import deposit_warning

    standing = answer.entry.get("standing", answer.entry)
    if "undeposited" not in standing:
        return answer
    due = floor.deposit_due(standing["jackpot"])
    entry = {**answer.entry, "deposit_due": deposit_due_entry(due)}
    return replace(answer, entry=entry, page=Group(answer.page, *deposit_warning(due)))


def floor_answer(answer: object, *, holds: bool = True) -> Answer:
    """An answer of the floor for programs and for people."""
    from cardroom.floor.entries import answer_entry
    from cardroom.terminal.pages.command_results import result_page

    return Answer(answer_entry(answer), result_page(answer), holds)
