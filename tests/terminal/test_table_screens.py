"""Every screen of every game on screens of several sizes: nothing is cut off, and the table fits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import pytest

from cardroom.cards import Card, Deck, Shoe, parse_cards
from cardroom.cards.shuffle import Seal
from cardroom.games import Decide, Decision, SeatTurn, advance, game, game_slugs
from cardroom.games.round import make_full_bets
from cardroom.odds import Advice
from cardroom.terminal.client.coach_advice import DecisionReview, verdict_text
from cardroom.terminal.client.lobby import choose_game
from cardroom.terminal.client.prompts import PlayerLeaves
from cardroom.terminal.client.screen import RESULT_KEYS, Hint, TableScreen
from cardroom.terminal.client.seating import OWN_SEAT, Seating, bot_decision, open_default_seating, seals
from cardroom.terminal.client.session import TerminalSession
from tests.terminal.typist import quiet_console, shown, typed

SMALL = (80, 24)
WIDE = (140, 40)


def other_choice(turn: SeatTurn) -> Decision:
    """The longest answer that there is: a split, a second bonus wager, a doubled hand."""
    return max(turn.options, key=lambda one: (len(one.groups), len(one.verb)))


@cache
def screens(slug: str, seats: int, size: tuple[int, int], seed: str, *, long: bool) -> tuple[tuple[str, str], ...]:
    """Each screen of a round by name: the player puts chips wherever that is allowed."""
    return tuple(_screens(open_default_seating(slug, seats), size, seed, long=long))


def _screens(seating: Seating, size: tuple[int, int], seed: str, *, long: bool) -> Iterator[tuple[str, str]]:
    mine = make_full_bets(seating.rules, seating.table, OWN_SEAT)
    seal = next(seals(seating.table.facts.slug, seed))
    console = quiet_console(*size)
    screen = TableScreen(console, seating)

    def taken(name: str) -> tuple[str, str]:
        text = shown(console)
        console.file.seek(0)
        console.file.truncate()
        return name, text

    screen.show_wagering(mine, 500_00, seal)
    yield taken("wagers")
    position, shoe = advance(
        seating.rules.begin(seating.table, seating.wagers(mine)), Shoe(seal.shuffle(seating.table.deck))
    )
    while isinstance(position.turn, SeatTurn):
        turn = position.turn
        if turn.seat == OWN_SEAT:
            screen.show_question(position, turn, 500_00, seal)
            yield taken(f"question {turn.question}")
            worth = tuple(Advice(one, Fraction(-1_234_56 - at), 12.34) for at, one in enumerate(turn.options))
            result = (verdict_text(DecisionReview("?", turn.options[0], turn.options[-1], Fraction(1_234_56), 12.34)),)
            screen.show_question(position, turn, 500_00, seal, result, Hint(worth, turn.options))
            yield taken(f"hint for {turn.question}")
        choice = other_choice(turn) if long and turn.seat == OWN_SEAT else bot_decision(turn)
        position, shoe = advance(position.apply(Decide(turn.seat, choice)), shoe)
    settlement = seating.rules.settle(position, screen.meters)
    screen.show_result(position, settlement, 500_00 + settlement.net(OWN_SEAT), seal, (), RESULT_KEYS)
    yield taken("result")
    for name, page in (("help", screen.help()), ("tables", screen.paytables())) if seating.seats == 1 else ():
        console.print(page)
        yield taken(name)


ROUNDS = [(slug, seats, seed) for slug in game_slugs() for seats, seed in ((1, "9"), (6, "1"))]


@pytest.mark.parametrize(("slug", "seats", "seed"), ROUNDS)
def test_nothing_is_cut_on_a_screen_of_80_by_24_and_the_table_fits(slug: str, seats: int, seed: str) -> None:
    for long in (False, True):
        for name, text in screens(slug, seats, SMALL, seed, long=long):
            lines = text.splitlines()
            assert max(map(len, lines)) <= SMALL[0], name
            assert "…" not in text, name
            if name not in ("help", "tables"):
                assert len(lines) < SMALL[1], f"{name}\n{text}"


@pytest.mark.parametrize("slug", game_slugs())
def test_nothing_is_cut_on_a_narrow_screen_either(slug: str) -> None:
    for name, text in screens(slug, 1, (60, 30), "4", long=True):
        assert max(map(len, text.splitlines())) <= 60, name
        assert "…" not in text, name


@pytest.mark.parametrize("slug", game_slugs())
def test_a_wide_screen_has_the_paytables_beside_the_table(slug: str) -> None:
    seating = open_default_seating(slug, 3)
    mine = make_full_bets(seating.rules, seating.table, OWN_SEAT)
    for name, text in screens(slug, 3, WIDE, "4", long=False):
        assert max(map(len, text.splitlines())) <= WIDE[0], name
        assert "…" not in text, name
        if name.startswith(("question", "result")):
            assert len(text.splitlines()) < WIDE[1]
            for spot in mine:
                wager = seating.table.spots[spot].wager.name
                assert any(wager in line[80:] for line in text.splitlines()), f"{wager}\n{text}"


def test_a_screen_of_80_columns_has_nothing_beside_the_table() -> None:
    text = dict(screens("deuces-wild", 1, SMALL, "4", long=False))["result"]
    assert "Natural Royal Flush" not in text


@pytest.mark.parametrize("size", [SMALL, (60, 40), WIDE])
def test_the_lobby_has_a_line_about_each_game(size: tuple[int, int]) -> None:
    console = quiet_console(*size)
    with pytest.raises(PlayerLeaves):
        choose_game(console, typed(console, ["?", "", "q"]))
    text = " ".join(shown(console).split())
    for slug in game_slugs():
        line = game(slug).summary_line()
        assert line
        assert re.search(r"\([A-Z]{2}-\d", line) is None, "numbers of rulings are for the rules"
        assert line in text
    assert max(map(len, shown(console).splitlines())) <= size[0]
    assert "…" not in text


class Dealt(Seal):
    """A shuffle that deals these cards first."""

    first = ""

    def shuffle(self, deck: Deck) -> tuple[Card, ...]:
        top = parse_cards(self.first)
        rest = list(deck.cards())
        for one in top:
            rest.remove(one)
        return (*top, *rest)


class StraightFlushOfDiamonds(Dealt):
    first = "9d 8d 7d 2c Kc Kh Js 4c"


def result_of(seal: Seal, slug: str, lines: list[str], size: tuple[int, int]) -> str:
    console = quiet_console(*size)
    TerminalSession(console, typed(console, lines), open_default_seating(slug), iter([seal]), 500_00).play()
    return shown(console)


PRIME = ["10", "", "5", "", "", "", "play"]


def test_the_line_that_hit_is_marked_beside_the_table() -> None:
    seal = StraightFlushOfDiamonds(bytes(32), "three-card-prime, round 1")
    text = result_of(seal, "three-card-prime", [*PRIME, "q"], WIDE)
    marked = [line[line.index("▶") :].split() for line in text.splitlines() if "▶" in line]
    assert marked == [
        ["▶", "Straight", "Flush", "6", "to", "1"],
        ["▶", "Straight", "Flush", "(with", "a", "deuce)", "80", "to", "1"],
    ]


def test_where_there_is_no_room_the_line_that_hit_is_marked_on_the_page_of_tables() -> None:
    seal = StraightFlushOfDiamonds(bytes(32), "three-card-prime, round 1")
    text = result_of(seal, "three-card-prime", [*PRIME, "t", "", "q"], SMALL)
    before, _, page = text.partition("> t")
    assert "▶" not in before
    assert re.search(r"▶ Straight Flush +6 to 1", page)
    assert re.search(r"▶ Straight Flush \(with a deuce\) +80 to 1", page)
    assert page.count("▶") == 2


def last_result(slug: str, seed: str, size: tuple[int, int] = (100, 40), *, long: bool = False) -> str:
    return dict(screens(slug, 1, size, seed, long=long))["result"]


def test_the_dealers_two_cards_of_texas_shootout_lie_apart_from_the_others() -> None:
    text = last_result("texas-shootout", "3")
    assert re.search(r"DEALER PLAYS +PUT ASIDE +COMMUNITY", text)
    assert re.search(r"PLAYING +PUT ASIDE", text)
    assert re.search(r"FIRST HAND +SECOND HAND", last_result("texas-shootout", "3", long=True))


def test_hands_of_double_play_are_named_and_the_dealers_three_cards_lie_apart() -> None:
    text = last_result("three-card-double-play", "3")
    assert re.search(r"DEALER PLAYS +PUT ASIDE", text)
    assert re.search(r"HIGH HAND +LOW HAND", text)


def test_wild_cards_are_marked_and_the_mark_is_explained() -> None:
    texts = [last_result("deuces-wild", seed) for seed in ("3", "4", "7")]
    for text in texts:
        assert ("★ wild" in text) == ("─★─" in text or bool(re.search(r"(2.|Joker)★", text)))
    assert any("★ wild" in text for text in texts)
    assert "★ wild" not in last_result("three-card-prime", "3")


def test_the_same_ten_is_10_on_the_cards_and_in_the_words() -> None:
    for slug in game_slugs():
        for seed in ("3", "4", "7"):
            text = last_result(slug, seed)
            assert not re.search(r"\bT[♣♦♥♠]|-T\b|\bT-", text)
    assert "10" in last_result("three-card-prime", "7")


def test_a_second_hand_on_the_same_wager_loses_nothing_and_says_whose_wager_it_is() -> None:
    text = last_result("texas-shootout", "3", long=True)
    result = re.search(r"Jackpot, second hand .*\n.*", text)
    assert result
    assert "(same wager)" in result[0]
    assert "no prize" in result[0]
    assert "$0" not in result[0]
    assert "loss" not in result[0]


def test_every_result_says_loss_and_win_in_the_same_words() -> None:
    for slug in game_slugs():
        for seed in ("3", "4", "7"):
            text = last_result(slug, seed)
            assert not re.search(r"\b(loses|lost|lose)\b \$", text)
            assert re.search(r" (loss|win) \$|  even ", text)
            assert not re.search(r" \$0  +-\$", text), "a prize of nothing is a loss"


QUESTIONS = {
    "fortune": "Five Card Fortune",
    "bonus": "Shootout Bonus",
    "set": "High hand",
    "tie": "tie",
}


def test_every_question_says_what_it_is_about() -> None:
    for slug in game_slugs():
        for question, about in QUESTIONS.items():
            if question in game(slug).question_texts:
                assert about in game(slug).question_texts[question]
    asked = {question for slug in game_slugs() for question in game(slug).question_texts}
    assert set(QUESTIONS) <= asked
