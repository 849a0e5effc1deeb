"""Looking: where everything stands, what displays say, what happened, and the heads of the chains."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from cardroom.cli.shared.options import (
    ANSWER_IS_NO,
    AsJson,
    Database,
    JackpotName,
    TableName,
    console,
    examples,
    print_json,
)

PANEL: Final = "Looking"
app = typer.Typer()

Last = Annotated[int, typer.Option(metavar="N", min=1, help="How many, the newest first.")]


@app.command(
    rich_help_panel=PANEL,
    epilog=examples("jackpot show", "jackpot show final-four", "jackpot show --json"),
)
def show(
    jackpot: Annotated[
        str | None, typer.Argument(metavar="JACKPOT", help="One jackpot in full; the whole floor when left out.")
    ] = None,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Show where everything stands: meters, the money that covers them, pending claims, tables."""
    from cardroom.cli.shared.office import looking
    from cardroom.terminal.pages.floor import floor_entry, floor_sheet
    from cardroom.terminal.pages.standing import jackpot_entry, jackpot_sheet

    with looking(database) as floor:
        if jackpot is not None:
            state = floor.jackpot(jackpot)
            entry, shown = jackpot_entry(state), jackpot_sheet(state)
        else:
            entry, shown = floor_entry(floor), floor_sheet(floor)
    if as_json:
        print_json(entry)
    else:
        console().print(shown)


@app.command(
    rich_help_panel=PANEL,
    epilog=examples(
        "jackpot display table-1",
        "jackpot display table-1 -o sign.svg",
        "jackpot display duel-1 --kind monitor -o monitor.png",
    ),
)
def display(
    table: TableName,
    kind: Annotated[
        str | None, typer.Option(metavar="led-line|picture-frame|monitor", help="One kind of display only.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE.svg|FILE.png", help="Draw it; several displays get a name each."),
    ] = None,
    cap: Annotated[str | None, typer.Option(metavar="DOLLARS", help="The aggregate payout limit, if any.")] = None,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Show what the displays of a table say now, or draw them as SVG or PNG."""
    from pathlib import Path

    from cardroom.cli.shared.office import looking
    from cardroom.games.money import dollars
    from cardroom.jackpots import display_entry
    from cardroom.terminal.pages.displays import chosen_displays, display_text, picture_files

    limit = None if cap is None else dollars(cap)
    with looking(database) as floor:
        chosen = chosen_displays(floor.displays(table, payout_cap=limit), kind, table)
    files = picture_files(chosen, Path(output)) if output is not None else {}
    if files:
        from cardroom.reports.displays.pictures import write_display

        for path, one in files.items():
            write_display(one, path)
    if as_json:
        print_json([display_entry(one) for one in chosen])
    elif files:
        for path, one in files.items():
            typer.echo(f"{path}: {str(one.kind).replace('-', ' ')} of {table}")
    else:
        for one in chosen:
            console().print(display_text(one))


@app.command(
    rich_help_panel=PANEL,
    epilog=examples(
        "jackpot history final-four",
        "jackpot history final-four --rounds --last 200",
        "jackpot history final-four --json",
    ),
)
def history(
    jackpot: JackpotName,
    rounds: Annotated[bool, typer.Option("--rounds", help="Each round by itself.")] = False,
    last: Last = 50,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Show every change of a jackpot: its beginning amount, the amount, the reason and who."""
    from itertools import islice

    from cardroom.cli.shared.office import looking
    from cardroom.floor.kept.chains import jackpot_chain
    from cardroom.floor.kept.recall import newest_first
    from cardroom.terminal.pages import history as jackpot_history

    with looking(database) as floor:
        floor.jackpot(jackpot)
        events = newest_first(floor.ledger, jackpot_chain(jackpot))
        lines = list(islice(jackpot_history.history(events, each_round=rounds), last))
    if as_json:
        print_json([jackpot_history.line_entry(line) for line in lines])
    else:
        console().print(jackpot_history.history_table(lines))


@app.command(rich_help_panel=PANEL, epilog=examples("jackpot recall table-1", "jackpot recall table-1 --last 5 --json"))
def recall(table: TableName, last: Last = 50, database: Database = None, as_json: AsJson = False) -> None:
    """Recall the last rounds of a table: what was counted, by whom, and what was voided."""
    from cardroom.cli.shared.office import looking
    from cardroom.terminal.pages.tables import event_entry, recall_table

    with looking(database) as floor:
        events = floor.recall_rounds(table, last)
    if as_json:
        print_json([event_entry(event) for event in events])
    else:
        console().print(recall_table(events))


@app.command(
    rich_help_panel=PANEL,
    epilog=examples("jackpot heads -o heads-2026-03-02.json", "jackpot heads --check heads-2026-03-02.json"),
)
def heads(
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write them into this file.")
    ] = None,
    check: Annotated[str | None, typer.Option(metavar="FILE", help="Check heads that were exported before.")] = None,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Export the heads of all chains, to keep elsewhere; or check such an export against the books.

    Whoever has an old export can tell whether history was rewritten since. Exit code 1 means that it was.
    """
    from pathlib import Path

    from cardroom.cli.shared.new_file import write_new
    from cardroom.cli.shared.office import looking
    from cardroom.cli.shared.reading import read_heads
    from cardroom.faults import BadInput
    from cardroom.terminal.pages import verification as verifying

    if check is not None:
        if output is not None:
            raise BadInput("A check writes no file: leave --output out.")
        document = read_heads(check)
        with looking(database) as floor:
            found = floor.ledger.check_heads(document)
        told = verifying.heads_told(document, found)
        if as_json:
            print_json(told.entry)
        else:
            typer.echo(told.sentence)
        if found:
            raise typer.Exit(ANSWER_IS_NO)
        return
    with looking(database) as floor:
        exported = floor.ledger.export_heads()
    if output is None:
        print_json(exported)
        return
    write_new(Path(output), verifying.heads_text(exported))
    if as_json:
        print_json(exported)
    else:
        typer.echo(f"{output}: {verifying.chains_in_words(len(exported['heads']))}, SHA-256 {exported['digest']}")
