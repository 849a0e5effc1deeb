"""Getting up from the table: out of the help, with chips on the layout, and when no user types any more."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from cardroom.cards import Shoe
from cardroom.games import Decide, SeatTurn, advance, game_slugs
from cardroom.games.round import make_full_bets
from cardroom.terminal.client.seating import OWN_SEAT, open_default_seating, seals
from cardroom.terminal.client.session import TerminalSession
from tests.terminal.test_session import PRIME_WAGERS, play
from tests.terminal.typist import quiet_console, shown

CTRL_C = "\x03"


def interrupted(slug: str, lines: Iterable[str]) -> tuple[str, TerminalSession]:
    """Types the lines; Ctrl-C is one of them, and the input never ends by itself."""
    console, left = quiet_console(), iter(lines)

    def read(prompt: str) -> str:
        line = next(left)
        console.print(f"{prompt}{line}", markup=False)
        if line == CTRL_C:
            raise KeyboardInterrupt
        return line

    session = TerminalSession(console, read, open_default_seating(slug), seals(slug, "7"), 500_00)
    session.play()
    return shown(console), session


def one_line(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("leaving", ["q", CTRL_C])
def test_leaving_with_chips_on_the_layout_asks_and_says_what_becomes_of_them(leaving: str) -> None:
    text, session = interrupted("three-card-prime", [*PRIME_WAGERS, leaving, "y"])
    assert "You have $15 on the layout. If you leave now, your decision is “fold”" in one_line(text)
    assert session.rounds == 1
    assert "leave with $485" in text


def test_enter_stays_at_the_table_as_its_line_says() -> None:
    text, session = interrupted("three-card-prime", [*PRIME_WAGERS, "q", "", "q", "n", "perhaps", "play", "q"])
    assert one_line(text).count("y leaves · Enter stays") == 2
    assert "Ante $10  ● Play $10" in text
    assert session.rounds == 1


def test_what_is_neither_yes_nor_no_is_asked_again() -> None:
    text, _ = interrupted("three-card-prime", [*PRIME_WAGERS, "q", "perhaps", "y"])
    assert "'perhaps' is neither yes nor no: type y to leave, or press Enter to stay." in text


def test_a_second_ctrl_c_does_not_ask_for_ever() -> None:
    text, session = interrupted("three-card-prime", [*PRIME_WAGERS, CTRL_C, CTRL_C])
    assert "You played one round" in text
    assert session.balance == 485_00


def test_the_end_of_input_leaves_without_a_question_and_the_round_is_finished() -> None:
    text, session = play("three-card-prime", *PRIME_WAGERS)
    assert "Leave?" not in text
    assert "“fold”" in text
    assert session.balance == 485_00


@pytest.mark.parametrize("slug", game_slugs())
def test_a_round_that_is_left_pays_what_the_answers_of_a_player_who_left_are_worth(slug: str) -> None:
    seating = open_default_seating(slug)
    wagers = make_full_bets(seating.rules, seating.table, OWN_SEAT)
    for seed in range(30):
        seal = next(seals(slug, str(seed)))
        deal = Shoe(seal.shuffle(seating.table.deck))
        position, shoe = advance(seating.rules.begin(seating.table, {OWN_SEAT: wagers}), deal)
        if isinstance(position.turn, SeatTurn):
            break
    while isinstance(position.turn, SeatTurn):
        position, shoe = advance(position.apply(Decide(OWN_SEAT, seating.rules.default_decision(position))), shoe)
    lines = [str(wagers.get(spot, 0) // 100) for spot in seating.table.spots]
    text, session = play(slug, *_asked(slug, lines, wagers), seed=str(seed))
    meters = {spot: 10_000_00 for spot, offered in seating.table.spots.items() if offered.has_meter}
    assert session.rounds == 1, text
    assert session.balance == 500_00 + seating.rules.settle(position, meters).net(OWN_SEAT)


def _asked(slug: str, lines: list[str], wagers: dict[str, int]) -> list[str]:
    """The amounts for the spots that are asked: those that nothing else has closed by then."""
    table, asked = open_default_seating(slug).table, []
    so_far: dict[str, int] = {}
    for spot, line in zip(table.spots, lines, strict=True):
        if any(table.spots[other] is table.spots[spot] for other in so_far):
            continue
        most = table.spots_per_player
        if most is not None and len(so_far) >= most:
            continue
        asked.append(line)
        if spot in wagers:
            so_far[spot] = wagers[spot]
    return asked


def test_q_in_the_help_leaves_the_help_and_not_the_table() -> None:
    for page in ("?", "t"):
        text, session = play("three-card-prime", page, "q", *PRIME_WAGERS, page, "q", "play", "", "q")
        assert session.rounds == 1, text
        assert "Leave?" not in text


def test_chips_that_were_not_dealt_for_go_back_without_a_question() -> None:
    text, session = play("three-card-prime", "10", "5", "q")
    assert "Leave?" not in text
    assert session.balance == 500_00


def test_company_answers_for_itself_when_the_player_has_left() -> None:
    console = quiet_console()
    lines = iter([*PRIME_WAGERS, "q", "y"])
    session = TerminalSession(
        console,
        lambda _: next(lines),
        open_default_seating("three-card-prime", 3),
        seals("three-card-prime", "7"),
        500_00,
    )
    session.play()
    assert session.rounds == 1
    assert "seat 3" in shown(console)
