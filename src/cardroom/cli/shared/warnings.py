"""What an operator is told beside a set-up that is right: on standard error, so that documents stay documents."""

from __future__ import annotations

from contextlib import suppress

import typer

from cardroom.errors import BadInput
from cardroom.games import TableSetup, game
from cardroom.games.payout_limit import list_payout_warnings


def warn_of(setup: TableSetup) -> None:
    """Say what the table can come to owe, where that is much. What was done is done: nothing is refused here."""
    with suppress(BadInput):
        for sentence in list_payout_warnings(game(setup.game).open(setup)):
            typer.echo(f"Warning: {sentence}", err=True)
