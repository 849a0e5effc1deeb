"""Sessions typed line by line."""

from __future__ import annotations

import re

import pytest

from cardroom.cards import Card, Deck, parse_cards
from cardroom.cards.shuffle import Seal
from cardroom.games import game, game_slugs, read_setup
from cardroom.paytables.sheets import sheet_title
from cardroom.terminal.client.lobby import sit_down
from cardroom.terminal.client.prompts import BadSeating
from cardroom.terminal.client.seating import Seating, open_default_seating, open_seating, seals
from cardroom.terminal.client.session import TerminalSession
from tests.terminal.typist import quiet_console, shown, typed


def play(
    slug: str, *lines: str, seed: str = "7", balance: int = 500_00, seats: int = 1, size: tuple[int, int] = (100, 40)
) -> tuple[str, TerminalSession]:
    console = quiet_console(*size)
    session = TerminalSession(
        console, typed(console, lines), open_default_seating(slug, seats), seals(slug, seed), balance
    )
    session.play()
    return shown(console), session


PRIME_WAGERS = ("10", "5", "0", "", "", "")


def test_a_round_is_wagered_dealt_decided_and_paid() -> None:
    text, session = play("three-card-prime", *PRIME_WAGERS, "play", "", "q")
    assert "Fold or play?" in text
    assert "This round:" in text
    assert f"leave with ${session.balance // 100}" in text
    assert session.rounds == 1


@pytest.mark.parametrize("slug", game_slugs())
def test_every_game_is_played_with_its_wagers_by_typing_numbers(slug: str) -> None:
    # What a prompt does not take is refused, so a few numbers typed in turn get through every one of them.
    for turned in (["10", "2", "1", ""], ["10", "1", "2", ""]):
        text, session = play(slug, *turned * 7, seats=3, balance=10_000_00, size=(80, 24))
        assert session.rounds >= 2
        assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("slug", game_slugs())
def test_the_same_seed_and_typing_give_the_same_transcript(slug: str) -> None:
    lines = ["", "1", "1", "1", "1", "1", "1", "", "=", "1", "1", "1", "1"]
    assert play(slug, *lines)[0] == play(slug, *lines)[0]
    assert play(slug, *lines)[0] != play(slug, *lines, seed="8")[0]


def test_the_balance_moves_by_what_the_rounds_pay() -> None:
    text, session = play("dueling-for-dollars", *["10", "", "", "", ""], *["=", ""] * 20, balance=300_00)
    nets = [int(sign + amount) for sign, amount in re.findall(r"This round: ([+-]?)\$(\d+)", text)]
    assert len(nets) == session.rounds >= 3
    assert session.balance == 300_00 + 100 * sum(nets)


class DiamondRoyal(Seal):
    """A shuffle that deals seat 1 the four highest diamonds of Three Card Prime."""

    def shuffle(self, deck: Deck) -> tuple[Card, ...]:
        top = parse_cards("Ad Kd Qd Jd 9c 7h 3s 2c")
        return (*top, *(one for one in deck.cards() if one not in top))


def test_a_share_of_the_meter_is_shown_and_paid_as_what_it_is_worth() -> None:
    seal, console = DiamondRoyal(bytes(32), "three-card-prime, round 1"), quiet_console()
    lines = typed(console, ["10", "", "", "", "1", "", "play", "q"])
    session = TerminalSession(console, lines, open_default_seating("three-card-prime"), iter([seal]), 500_00)
    session.play()
    assert session.rounds == 1
    assert "100% of the meter" in shown(console)
    assert "+$9,999" in shown(console)  # the meter shows $10,000, and a dollar was wagered for it
    assert session.balance > 500_00 + 9_999_00


def test_the_seal_is_shown_before_the_wagers_and_the_key_after_the_round() -> None:
    text, _ = play("three-card-prime", *PRIME_WAGERS, "play", "q")
    commitment = re.search(r"seal ([0-9a-f]{64})", text)
    key = re.search(r"key  ([0-9a-f]{64})", text)
    assert commitment
    assert key
    assert text.index(commitment[1]) < text.index("Place your bets") < text.index(key[1])
    assert Seal(bytes.fromhex(key[1]), "three-card-prime, round 1").matches(commitment[1])


def test_without_a_seed_every_round_has_a_key_of_its_own() -> None:
    fresh = seals("deuces-wild", None)
    assert next(fresh).key != next(fresh).key != next(seals("deuces-wild", None)).key


def test_wrong_wagers_are_shown_what_is_right_and_change_nothing() -> None:
    text, session = play("three-card-prime", "lots", "7", "0", "1000", "10", "q", balance=100_00)
    assert "'lots' is not an amount" in text
    assert "it takes $10 to $200 in steps of $10" in text
    assert "You need this bet to play" in text
    assert session.balance == 100_00


def test_a_wager_over_the_balance_is_refused() -> None:
    text, _ = play("three-card-double-play", "20", "10", "q", balance=30_00)
    assert "Your bets total $40 and you have $30: bet less." in text
    assert text.count("Pick-3  $1 to $100") == 1


def test_a_raise_over_the_balance_is_refused_and_folding_is_still_possible() -> None:
    text, session = play("deuces-wild", "10", "", "", "", "play", "raise", "fold", "q", balance=30_00)
    assert "To raise costs $20 more and you have $10: choose another option." in text
    assert session.balance == 10_00


def test_wrong_answers_are_shown_what_is_right() -> None:
    text, session = play("three-card-prime", *PRIME_WAGERS, "raise", "5", "As Kd", "", "fold", "q")
    assert text.count("type a number from 1 to 2, or for example 'play'") == 4
    assert session.rounds == 1


def test_a_fifth_spot_is_not_asked_for() -> None:
    text, _ = play("three-card-prime", "10", "1", "1", "1", "q")
    assert "Seat 1 has wagers on 5 spots: a player can use at most 4." in " ".join(text.split())


def test_nothing_wagered_is_asked_again() -> None:
    text, session = play("deuces-wild", "0", "", "", "", "0", "", "", "1", "", "q")
    assert "You have no bets yet" in text
    assert session.rounds == 1


def test_enter_repeats_the_last_wager_and_equals_repeats_them_all() -> None:
    text, _ = play("three-card-prime", "30", "2", "", "", "", "", "fold", "", "=", "fold", "", "", "", "q")
    assert text.count("● Ante $30  ● Prime $2") == 4
    assert text.count("● Ante $30") == 4


def test_end_of_input_leaves_politely_at_every_prompt() -> None:
    lines = [*PRIME_WAGERS, "play", "", *PRIME_WAGERS]
    for count in range(len(lines)):
        text, _ = play("three-card-prime", *lines[:count])
        assert " ".join(text.split()).endswith("Thank you for playing.")


def test_ctrl_c_leaves_politely() -> None:
    console = quiet_console()

    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    TerminalSession(console, interrupted, open_default_seating("deuces-wild"), seals("deuces-wild", "1"), 500_00).play()
    assert "You played no round of Deuces Wild" in shown(console)


def test_a_balance_below_the_least_wager_ends_the_session() -> None:
    text, session = play("three-card-prime", "10", *[""] * 5, "fold", "", balance=19_00)
    assert "You have $9, and the minimum bet is $10." in text
    assert session.rounds == 1


@pytest.mark.parametrize("slug", game_slugs())
def test_the_question_mark_shows_the_rules_and_every_table_in_use(slug: str) -> None:
    text, session = play(slug, "?", "", "q")
    table = open_default_seating(slug).table
    assert sheet_title(slug) in " ".join(text.split())
    for offered in table.offers.values():
        for line in offered.paytable.lines[:2]:
            assert line.label in text
    assert session.rounds == 0


def test_a_meter_that_pays_percentages_is_said_to_be_an_example() -> None:
    text, _ = play("three-card-prime", "q")
    assert "The Final Four Jackpot meter is $10,000, a fixed example." in text


def test_other_seats_play_by_themselves_and_hide_their_cards() -> None:
    text, _ = play("three-card-prime", *PRIME_WAGERS, "q", seats=3)
    assert "seat 2  ░░ ░░ ░░  ░░  ● Ante $10" in text
    assert "seat 3" in text


def test_more_players_than_seats_are_refused() -> None:
    with pytest.raises(BadSeating, match=r"7 seats .* 1 to 6"):
        open_default_seating("deuces-wild", 7)


OPERATORS_TABLE = """
game = "three-card-prime"
seats = 2
[wagers.ante-play]
paytable = "PW/BB 4"
limits = { min = "$5", max = "$25" }
"""


def test_an_operators_table_has_its_own_limits_and_spots() -> None:
    setup = read_setup(OPERATORS_TABLE)
    seating = open_seating(game(setup.game).open(setup))
    console = quiet_console()
    TerminalSession(console, typed(console, ["5", "play", "q"]), seating, seals("three-card-prime", "1"), 100_00).play()
    assert "PW/BB 4" in shown(console)
    assert "Prime  $" not in shown(console)


@pytest.mark.parametrize("answer", ["2", "three-card-prime", "Three Card Prime", "three-card-p"])
def test_the_game_is_asked_for_when_none_is_named(answer: str) -> None:
    console = quiet_console()
    sit_down(console, typed(console, ["poker", "three", answer, "q"]), None, "1", None, 500_00, 1)
    assert shown(console).count("is not a game: type a number from 1 to 5") == 2
    assert "You played no round of Three Card Prime" in shown(console)


def test_leaving_before_a_game_is_chosen_is_fine() -> None:
    console = quiet_console()
    at_table: Seating | None = None
    sit_down(console, typed(console, ["q"]), None, None, at_table, 500_00, 1)
    assert "Goodbye." in shown(console)


@pytest.mark.parametrize("slug", game_slugs())
def test_enter_lays_what_its_line_says(slug: str) -> None:
    text, _ = play(slug, *[""] * len(open_default_seating(slug).table.spots))
    said = re.findall(r"^(.*?)  \$\d.*?  Enter (none|\$\d+)", text, re.MULTILINE)
    laid = {name: amount for name, amount in said if amount != "none"}
    assert len(said) >= 4
    assert list(laid.values()) == ["$10"]
    play_table = text[text.rindex("Enter none") :]
    assert set(re.findall(r"● [A-Za-z ]+ (\$\d+)", play_table.partition("seal")[0])) == {"$10"}


def test_enter_repeats_nothing_that_would_be_refused() -> None:
    # $30 of $40 are lost: neither the last Ante nor all wagers together can be made again.
    text, _ = play("three-card-prime", "30", "", "", "", "", "", "fold", "", "", "10", "q", balance=40_00)
    second = text[text.index("round 2") :]
    assert "Enter $30" not in second
    assert "all as before" not in second
    assert "You need this bet to play" in second


@pytest.mark.parametrize("typed", ["=", "play", "10"])
def test_after_a_round_enter_goes_on_and_anything_else_is_shown_so(typed: str) -> None:
    text, session = play("three-card-prime", *PRIME_WAGERS, "fold", typed, "", "q")
    assert f"'{typed}' is not possible now: press Enter for the next bets, or q to leave." in text
    assert text.count("Place your bets.") == 2
    assert session.rounds == 1


@pytest.mark.parametrize(("cards", "meant"), [("keep K♦ K♣", "keep"), ("split", "could mean")])
def test_cards_may_be_typed_as_they_are_shown(cards: str, meant: str) -> None:
    text, session = play("texas-shootout", "10", "", "", "", cards, "q", seed="3")
    assert (session.rounds == 1) if meant == "keep" else meant in text
    if meant == "could mean":
        assert re.search(r"could mean split (10|[2-9JQKA])[cdhs] ", text), "as it can be typed"
