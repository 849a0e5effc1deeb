"""The start of a terminal session: choosing a game, and playing it or watching a demonstration round."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain

from rich.console import Console, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.cards import Shoe
from cardroom.cards.shuffle import Seal
from cardroom.errors import BadInput, quote
from cardroom.games.actions import Decide, SeatTurn
from cardroom.games.example_rounds import example_meters
from cardroom.games.playable_table import Table
from cardroom.games.registry import UnknownGame, game, game_slugs
from cardroom.games.round import advance, make_full_bets
from cardroom.games.serialization import list_game_facts
from cardroom.games.view import View
from cardroom.odds.pricer import Advice
from cardroom.terminal.cards import decision_text
from cardroom.terminal.client.coach_advice import TerminalCoach
from cardroom.terminal.client.prompts import BadSeating, PlayerLeaves, Prompter, Reader, keyboard_reader, line_reader
from cardroom.terminal.client.screen import TableScreen
from cardroom.terminal.client.seating import OWN_SEAT, Seating, bot_decision, open_default_seating, open_seating, seals
from cardroom.terminal.client.session import TerminalSession
from cardroom.terminal.console import NUMBER, QUIET, TITLE, page_console
from cardroom.terminal.pages.games import games_table
from cardroom.translation import gettext


def show_round(console: Console, seating: Seating, seal: Seal, balance: int) -> None:
    """Show one round: seat 1 makes as many wagers as allowed and decides like the bots."""
    screen = TableScreen(console, seating)
    own_wagers = make_full_bets(seating.rules, seating.table, OWN_SEAT)
    screen.show_wagering(own_wagers, balance, seal)
    round_ = seating.rules.begin(seating.table, seating.wagers(own_wagers))
    round_, shoe = advance(round_, Shoe(seal.shuffle(seating.table.deck)))
    while isinstance(round_.turn, SeatTurn):
        turn = round_.turn
        decision = bot_decision(turn)
        if turn.seat == OWN_SEAT:
            screen.show_question(round_, turn, balance, seal)
            console.print("> ", decision_text(decision), "\n", sep="")
        round_, shoe = advance(round_.apply(Decide(turn.seat, decision)), shoe)
    settlement = seating.rules.settle(round_, screen.meters)
    screen.show_result(round_, settlement, balance + settlement.net(OWN_SEAT), seal)
    console.print()


def play(slug: str | None, seed: str | None, table: Table | None, balance: int, seats: int, *, coach: bool) -> None:
    """Play at the given table or the chosen game's default one. Lines from a file or a pipe are decisions. Without a
    terminal and without input, show demonstration rounds."""
    console = page_console()
    at_table = None if table is None else open_seating(table, seats)
    read = keyboard_reader(console) if sys.stdin.isatty() else _standard_input_reader(console)
    if read is not None:
        sit_down(console, read, slug, seed, at_table, balance, seats, coach=coach)
    elif coach:
        raise BadSeating(
            "There is no input, so there are no decisions to coach: leave --coach out, or play at a terminal."
        )
    else:
        show_rounds(console, slug, seed, at_table, balance, seats)


def _standard_input_reader(console: Console) -> Reader | None:
    """A reader of the lines on standard input; None if it is empty."""
    lines: Iterator[str] = iter(sys.stdin.readline, "")
    first = next(lines, None)
    return None if first is None else line_reader(console, chain((first,), lines))


def show_rounds(
    console: Console, slug: str | None, seed: str | None, open_seating: Seating | None, balance: int, seats: int
) -> None:
    """Show one round of the chosen game, or of each game."""
    slugs = (slug,) if slug else game_slugs()
    for seating in (open_seating,) if open_seating else (open_default_seating(game_slug, seats) for game_slug in slugs):
        show_round(console, seating, next(seals(seating.table.facts.slug, seed)), balance)


def sit_down(
    console: Console,
    read: Reader,
    slug: str | None,
    seed: str | None,
    open_seating: Seating | None,
    balance: int,
    seats: int,
    *,
    coach: bool = False,
) -> None:
    """Ask for a game if none is named, and play it."""
    try:
        seating = open_seating or open_default_seating(slug or choose_game(console, read), seats)
    except PlayerLeaves:
        console.print(gettext("Goodbye."))
        return
    table = seating.table
    table_coach = TerminalCoach(table, example_meters(table), _advise, is_on=coach)
    TerminalSession(console, read, seating, seals(table.facts.slug, seed), balance, table_coach).play()


def _advise(table: Table, view: View, meters: Mapping[str, int]) -> tuple[Advice, ...]:
    from cardroom.odds.pricer import advise  # slow to import, and many sessions never need it

    return advise(table, view, meters)


def choose_game(console: Console, read: Reader) -> str:
    """Ask the player which game to play."""
    slugs = game_slugs()
    prompter = Prompter(console, read)

    def show_games() -> None:
        if console.is_terminal:
            console.clear()
        keys = gettext("? lists their wagers · q leaves")
        console.print(Text.assemble((gettext("Which game?"), TITLE), (f"   {keys}", QUIET)))
        for number, slug in enumerate(slugs, 1):
            console.print(_game_line(number, slug))

    def parse(line: str) -> str:
        name = line.lower()
        if name.isascii() and name.isdigit() and 1 <= int(name) <= len(slugs):
            return slugs[int(name) - 1]
        matches = [slug for slug in slugs if name and (slug.startswith(name) or game(slug).facts.name.lower() == name)]
        if len(matches) == 1:
            return matches[0]
        with suppress(UnknownGame):
            return game(name).facts.slug
        sentence = gettext("{line} is not a game: type a number from 1 to {count} or a name such as {example}.")
        raise BadInput(sentence.format(line=quote(line), count=len(slugs), example=slugs[0]))

    def show_wagers() -> None:
        prompter.show_pages(games_table(list_game_facts()))

    return prompter.ask(show_games, parse, dict.fromkeys(("?", "help"), show_wagers))


def _game_line(number: int, slug: str) -> RenderableType:
    """A game with its number and summary."""
    rules = game(slug)
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(style=NUMBER, justify="right", min_width=3)
    grid.add_column()
    grid.add_row(str(number), Text.assemble((rules.facts.name, "bold"), (f"  {slug}", QUIET)))
    grid.add_row("", rules.summary_line())
    return grid
