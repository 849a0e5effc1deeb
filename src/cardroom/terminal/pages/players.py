"""Players: what they have, and of which money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from cardroom.floor import PlayerStanding, PlayerState, Seated
from cardroom.games.money import money
from cardroom.terminal.pages.columns import Align, CellText, Columns, Heading
from cardroom.terminal.palette import QUIET, SLUG


def standing_text(standing: PlayerStanding) -> RenderableType:
    """The balance after a command."""
    return Text.assemble((standing.player, SLUG), f" has {money(standing.balance)} of {standing.money.words}.")


def players_table(players: Sequence[PlayerState]) -> RenderableType:
    """A line a player."""
    if not players:
        return Text(
            "There is no player: `cardroom players admit` gives one an account; --guests lists guests.",
            QUIET,
        )
    headings = [Heading("Player"), Heading("Balance", Align.RIGHT), Heading("Money"), Heading("Seats", Align.SENTENCE)]
    rows: list[list[CellText]] = [
        [Text(one.player, SLUG), money(one.balance), one.money.words, _seats(one.seats)] for one in players
    ]
    return Columns(headings, rows)


def _seats(seats: Mapping[str, int]) -> str:
    return ", ".join(f"{seat} of {table}" for table, seat in seats.items())


def player_page(state: PlayerState, seated: Mapping[str, Seated]) -> RenderableType:
    """The balance, the chips at each seat, and all of it together."""
    kind = "guest" if state.guest else "player"
    rows: list[list[CellText]] = [["Balance", money(state.balance)]]
    for table, one in seated.items():
        rows.append([f"Chips at seat {one.seat} of {table}", money(one.chips)])
        if one.down:
            rows.append([f"Wagers at seat {one.seat} of {table}", money(one.down)])
    everything = state.balance + sum(one.chips + one.down for one in seated.values())
    headings = [Heading(f"{state.player}, {kind}, {state.money.words}"), Heading("", Align.RIGHT)]
    return Columns(headings, rows, ["In all", money(everything)])
