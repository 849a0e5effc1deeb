"""`cardroom rounds`: past rounds recalled, shown, settled again and exported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.deeds import Look, look
from cardroom.cli.shared.numbers import Whole
from cardroom.cli.shared.options import By, Database, TableName, examples
from cardroom.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardroom.floor import Floor
    from cardroom.floor.kept.round_search import AnyRound

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

RoundName = Annotated[
    str, typer.Argument(metavar="ROUND", help="The round's id, such as prime-1.17.", show_default=False)
]
OneTable = Annotated[str | None, typer.Option("--table", metavar="TABLE", help="One table only.")]
First = Annotated[
    int | None, typer.Option("--from", metavar="N", help="From this number on; with --table.", parser=Whole(1))
]
Last = Annotated[
    int | None, typer.Option("--to", metavar="N", help="Up to this number; with --table.", parser=Whole(1))
]
LAST = 50


class BadChoice(BadInput):
    """Options that do not go together."""


@app.callback()
def rounds() -> None:
    """Recall past rounds: who sat where, the cards, the wagers, the answers, what was paid, and the key of the shuffle.

    Every round of every table is there by its id, such as prime-1.17, for as long as the books are. A round is told
    when it has ended.
    """


@look(
    app,
    "rounds list",
    "rounds list --table prime-1 --last 5",
    "rounds list --table prime-1 --from 100 --to 120 --json",
    "rounds list --player guest-eb37ec54b77e",
    name="list",
)
def list_rounds(
    table: OneTable = None,
    player: Annotated[
        str | None, typer.Option("--player", metavar="PLAYER", help="Rounds that this player has played.")
    ] = None,
    first: First = None,
    to: Last = None,
    last: Annotated[
        int | None, typer.Option("--last", metavar="N", help="How many; 50 unless numbers are given.", parser=Whole(1))
    ] = None,
) -> Look:
    """List past rounds, the newest first: when, which game, who sat where, what was wagered and given back."""
    from itertools import islice

    from cardroom.terminal.pages.past_rounds import rounds_table

    chosen = _Chosen(table, player, first, to)

    def read(floor: Floor) -> Answer:
        most = last or (None if first or to else LAST)
        found = [*islice(chosen.rounds(floor), most)]
        return Answer({"rounds": [one.summary() for one in found]}, rounds_table(found, floor.calendar))

    return read


class _Chosen:
    """Which rounds somebody wants to see."""

    def __init__(self, table: str | None, player: str | None, first: int | None, to: int | None) -> None:
        if (first or to) and table is None:
            raise BadChoice("Rounds are numbered table by table: say which one with --table.")
        if first and to and first > to:
            raise BadChoice(f"No round is from {first} to {to}: give the lower number with --from.")
        self._table, self._player, self._first, self._to = table, player, first, to

    def rounds(self, floor: Floor) -> Iterator[AnyRound]:
        """They, the newest first."""
        if self._table is not None:
            found = floor.past_rounds(self._table, first=self._first or 1, last=self._to)
        elif self._player is not None:
            return floor.history(self._player)
        else:
            return floor.recent_rounds()
        if self._player is None:
            return found
        floor.player(self._player)
        return (one for one in found if self._player in getattr(one, "players", {}).values())

    def oldest_first(self, floor: Floor) -> Iterator[AnyRound]:
        """Those of a table, from the first to the last."""
        assert self._table is not None
        return floor.past_rounds(self._table, first=self._first or 1, last=self._to, oldest_first=True)


@look(app, "rounds show prime-1.17", "rounds show prime-1.17 --json")
def show(round: RoundName) -> Look:
    """Show a round in full: cards, wagers, answers, payments; seal, key and words; each step of checking the shuffle.

    In JSON, `record` is what `cardroom settle -` takes, and `payments` what it gives. Of a live round only
    what somebody typed is known.
    """
    from cardroom.floor.kept.round_check import check_any, check_entry
    from cardroom.terminal.pages.past_rounds import round_page

    def read(floor: Floor) -> Answer:
        past = floor.any_round(round)
        check = check_any(past)
        entry = {**past.entry(), "check": check_entry(check)}
        return Answer(entry, round_page(past, check, floor.calendar))

    return read


@look(app, "rounds settle prime-1.17", "rounds settle prime-1.17 --json")
def settle(round: RoundName) -> Look:
    """Deal a round again from its key, settle it again, and compare with what was paid.

    Exit code 0: every seat got what it should. 1: something is different, and it is named.
    """
    from cardroom.floor.kept.round_check import check_any, check_entry
    from cardroom.terminal.pages.past_rounds import resettlement_page

    def read(floor: Floor) -> Answer:
        past = floor.any_round(round)
        check = check_any(past)
        entry = {"round": past.id, "money": past.money, "same": check.holds, **check_entry(check)}
        return Answer(entry, resettlement_page(past, check), check.holds)

    return read


@look(app, "rounds history prime-1", "rounds history prime-1 --last 200 --json")
def history(
    table: TableName,
    last: Annotated[
        int, typer.Option("--last", metavar="N", help="How many, the newest first.", parser=Whole(1))
    ] = LAST,
) -> Look:
    """Tell everything that happened at a table where rounds are dealt on the ledger, in sentences, the newest first."""
    from cardroom.cli.shared.told import told_answer
    from cardroom.floor.kept.chains import felt_chain

    def read(floor: Floor) -> Answer:
        floor.felt(table)
        return told_answer(floor, felt_chain(table), last)

    return read


@app.command(
    epilog=examples(
        "rounds export prime-1.17 -o round.json",
        "rounds export --table prime-1 --from 100 --to 120 -o rounds.jsonl",
        "rounds export --table prime-1 -o - (JSON Lines on standard output)",
    )
)
def export(
    context: typer.Context,
    rounds: Annotated[
        list[str] | None, typer.Argument(metavar="[ROUND]...", help="Rounds by their ids.", show_default=False)
    ] = None,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE|-",
            help="A new file: .json one document, else a round a line.",
            show_default=False,
        ),
    ] = "",
    table: OneTable = None,
    first: First = None,
    to: Last = None,
    by: By = None,
    database: Database = None,
) -> None:
    """Write rounds with everything that is known of them: record, payments, players, seal, key and words.

    A file that ends in .json is one document, {"rounds": [...]}; any other one, and standard output, has a round in
    each line. The rounds of a table are written from the first to the last.
    """
    from cardroom.cli.shared.office import looking
    from cardroom.cli.shared.round_files import write_rounds

    ids = rounds or []
    with looking(context, database, by) as floor:
        if bool(ids) == (table is not None):
            raise BadChoice("Name the rounds, or a table with --table: one of the two.")
        if not output:
            raise BadChoice("Say where to with -o FILE, or -o - for standard output.")
        chosen = _Chosen(table, None, first, to)
        found = [floor.any_round(id) for id in ids] if ids else chosen.oldest_first(floor)
        written = write_rounds(found, output)
    if output != "-":
        typer.echo(f"{output}: {written:,} round{'s' * (written != 1)}.")
