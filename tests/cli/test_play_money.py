"""Play money from the command line: whatever is said of it says so, and an automatic table's claims are decided."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.cli.card_room import CliRoom
from tests.service.automatic import DIAMOND, count, end, open_play_room, prime_round, whole_but_for_the_table

CLAIM = "play-1.1"
PAY = ("claim", "pay", "play-four", CLAIM, "--balance")


@contextmanager
def card_room_of(cli_room: CliRoom) -> Iterator[CardRoom]:
    with open_ledger(cli_room.database) as ledger:
        yield CardRoom(ledger)


@pytest.fixture
def won(cli_room: CliRoom) -> CliRoom:
    """Ada has won the meter of a jackpot of play money."""
    with card_room_of(cli_room) as card_room:
        open_play_room(card_room)
        count(card_room, CLAIM, {1: (1,)})
        end(card_room, CLAIM, prime_round(DIAMOND))
    return cli_room


def test_set_up_files_say_which_money_it_is(cli_room: CliRoom) -> None:
    cli_room.open(**{'location = "Main Street"': 'location = "Main Street"\nmoney = "play"'})
    assert cli_room.read_json("jackpot", "show", "final-four")["money"] == "play"
    (table,) = cli_room.read_json("jackpot", "list")["tables"]
    assert table["money"] == "play"


def test_every_look_at_play_money_says_so(won: CliRoom) -> None:
    for words in (
        ("jackpot", "list"),
        ("jackpot", "show", "play-four"),
        ("jackpot", "history", "play-four"),
        ("jackpot", "history", "play-1"),
        ("display", "show", "play-1"),
        ("report", "history", "play-four"),
        ("report", "meters", "play-four"),
        ("report", "events", "play-four"),
        ("report", "activity", "play-1"),
        ("report", "master-games", "play-1"),
    ):
        assert "play money" in won.read_output(*words), words
    assert {line["money"] for line in won.read_json("jackpot", "history", "play-four")} == {"play"}
    assert {one["money"] for one in won.read_json("display", "show", "play-1")} == {"play"}


def test_the_room_s_own_money_is_not_called_play_money(cli_room: CliRoom) -> None:
    cli_room.open()
    for words in (("jackpot", "list"), ("jackpot", "history", "final-four"), ("display", "show", "table-1")):
        assert "play money" not in cli_room.read_output(*words), words
    assert cli_room.read_json("jackpot", "show", "final-four")["money"] == "room"


def test_two_people_pay_a_claim_of_an_automatic_table_to_the_balance(won: CliRoom) -> None:
    assert "--second LOGIN" in won.read_refusal(*PAY)
    assert "lee cannot be the second one beside lee" in won.read_refusal(*PAY, "--second", "lee")
    (pending,) = won.read_json("jackpot", "show", "play-four")["claims"]
    assert (pending["automatic"], pending["sat"]) == (True, {"1": "ada"})
    result = won.read_json(*PAY, "--second", "carl")
    (payout,) = result["payouts"]
    assert (payout["player"], payout["payment"]) == ("ada", "balance")
    assert (result["cents"], result["summary"]["money"]) == (5_000_20, "play")
    with card_room_of(won) as card_room:
        assert card_room.player_account("ada").balance == 5_000_20
        assert whole_but_for_the_table(card_room)
    assert "lee and carl" in {line["who"] for line in won.read_json("jackpot", "history", "play-four")}


def test_no_user_types_to_whose_balance_it_goes(won: CliRoom) -> None:
    words = ("--player", "eve", "--payment", "balance", "--reference", "1", "--second", "carl")
    assert "leave --player out" in won.read_refusal(*PAY, *words)
    assert "is not a payment method" in won.read_refusal(*(one for one in PAY if one != "--balance"), *words)
    check = ("--player", "eve", "--payment", "check", "--reference", "1", "--second", "carl")
    assert "to the balance of ada" in won.read_refusal(*(one for one in PAY if one != "--balance"), *check)


def test_two_people_refuse_it(won: CliRoom) -> None:
    refuse = ("claim", "refuse", "play-four", CLAIM, "--why", "A fault")
    assert "--second LOGIN" in won.read_refusal(*refuse)
    assert won.read_json(*refuse, "--second", "carl")["cents"] == 5_000_20
    assert won.read_meter("play-four")["shown_cents"] == 5_000_20


def test_there_is_no_bank(won: CliRoom) -> None:
    deposit = ("jackpot", "deposit", "play-four", "$1", "--slip", "s1")
    assert "it has no bank account" in won.read_refusal(*deposit)
    assert "it has no bank account to report on" in won.read_refusal("report", "deposits", "play-four")
    assert won.read_json("report", "deposits")["parts"][0]["lines"] == []
