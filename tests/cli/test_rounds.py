"""Past rounds and players from the command line: listed, shown, settled again, exported; and the cage."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from cardroom.cards import Seal
from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.cli.card_room import CliRoom
from tests.service.forger import forged, where
from tests.service.live_scenes import an_hour_with_a_dealer
from tests.service.table_scenes import PRIME, all_wager, an_id, guests, open_prime, play_on


@contextmanager
def at_the_tables(cli_room: CliRoom) -> Iterator[CardRoom]:
    with open_ledger(cli_room.database) as ledger:
        yield CardRoom(ledger)


@pytest.fixture
def played(empty_cli_room: CliRoom) -> CliRoom:
    """Three rounds of two players, the last one voided, and a round that is played now."""
    with at_the_tables(empty_cli_room) as card_room:
        open_prime(card_room)
        players = guests(card_room, 2)
        card_room.place_wagers(an_id(), players[0], PRIME, {"ante-play": 10_00}, "swordfish")
        all_wager(card_room, players[1:])
        play_on(card_room, answer="play")
        all_wager(card_room, players)
        play_on(card_room, answer="fold")
        all_wager(card_room, players)
        card_room.void_automatic_round(an_id(), "Olga", PRIME, "the screen went dark", second="Vera")
        all_wager(card_room, players)
    return empty_cli_room


def test_rounds_are_listed_with_the_newest_first_and_say_which_money_it_is(played: CliRoom) -> None:
    (third, second, first) = played.read_json("rounds", "list")["rounds"]
    assert [one["round"] for one in (third, second, first)] == ["prime-1.3", "prime-1.2", "prime-1.1"]
    assert (third["void"], third["wagered_cents"], third["returned_cents"]) == (True, 20_00, 20_00)
    assert (second["wagered_cents"], second["returned_cents"], second["money"]) == (20_00, 0, "play")
    assert list(first["players"]) == ["1", "2"]
    page = played.read_output("rounds", "list")
    for words in (
        "prime-1.3",
        "play money",
        "three-card-prime",
        "$20",
        "Times are in the time zone America/Los_Angeles.",
    ):
        assert words in page


def test_rounds_are_chosen_by_table_number_and_player(played: CliRoom) -> None:
    def listed(*options: str) -> list[int]:
        return [one["number"] for one in played.read_json("rounds", "list", *options)["rounds"]]

    player = played.read_json("rounds", "list")["rounds"][0]["players"]["2"]
    assert listed("--table", PRIME, "--last", "2") == [3, 2]
    assert listed("--table", PRIME, "--from", "2") == [3, 2]
    assert listed("--table", PRIME, "--from", "1", "--to", "2") == [2, 1]
    assert listed("--player", player) == listed("--player", player, "--table", PRIME) == [3, 2, 1]
    assert listed("--player", player, "--last", "1") == [3]
    assert "name it with --table" in played.read_refusal("rounds", "list", "--from", "2")
    assert "put the lower number after --from" in played.read_refusal(
        "rounds", "list", "--table", PRIME, "--from", "3", "--to", "2"
    )
    assert "There is no player 'eve'" in played.read_refusal("rounds", "list", "--player", "eve")
    assert "There is no table 'cellar'" in played.read_refusal("rounds", "list", "--table", "cellar")


def test_a_round_is_shown_in_full_and_its_shuffle_checked_step_by_step(played: CliRoom) -> None:
    result = played.read_json("rounds", "show", "prime-1.1")
    assert Seal(bytes.fromhex(result["key"]), "prime-1.1").matches(result["seal"])
    assert result["words"] == {"1": "swordfish"}
    assert result["check"]["holds"]
    assert [step["holds"] for step in result["check"]["steps"]] == [True] * 4
    assert [one["by"] for one in result["answered_by"]] == list(result["players"].values())
    page = played.read_output("rounds", "show", "prime-1.1")
    for words in (
        result["seal"],
        result["key"],
        "own seed of seat 1  swordfish",
        "✓ The key opens the seal that was shown before the first wager.",
        "✓ The order of the 52 cards follows from the key and the players' seeds of 1 seat.",
        "✓ The first 12 cards of the order are those that were dealt, each at its place.",
        "play money",
        "Returned at the table, in play money:",
    ):
        assert words in page
    void = played.read_output("rounds", "show", "prime-1.3")
    assert "Voided by Olga and Vera: the screen went dark. All wagers were returned." in void


def test_the_record_of_a_round_is_what_settle_takes_and_its_payments_what_it_gives(played: CliRoom) -> None:
    result = played.read_json("rounds", "show", "prime-1.1")
    settled = played.read_json("settle", "-", typed=json.dumps(result["record"]))
    assert settled["payments"] == result["payments"]


def test_a_round_that_is_played_now_is_not_shown(played: CliRoom) -> None:
    for command in ("show", "settle"):
        sentence = played.read_refusal("rounds", command, "prime-1.4")
        assert sentence == "Round prime-1.4 is in progress: look again when it has ended."
    assert "There is no round 'prime-1.44'" in played.read_refusal("rounds", "show", "prime-1.44")
    assert "no key" not in played.read_output("rounds", "list")


def test_a_round_that_is_settled_again_gives_what_was_paid(played: CliRoom) -> None:
    result = played.read_json("rounds", "settle", "prime-1.1")
    assert (result["same"], result["differences"], result["money"]) == (True, [], "play")
    for seat in result["seats"].values():
        assert seat["paid_cents"] == seat["again_cents"]
    assert "The payouts of round prime-1.1 are correct, in play money." in played.read_output(
        "rounds", "settle", "prime-1.1"
    )


def test_a_round_that_was_paid_otherwise_is_a_no(played: CliRoom) -> None:
    more = where(f"table:{PRIME}", "round-played", 2, returned=[[1, 5_00]], filled=lambda cents: cents)
    with at_the_tables(played) as card_room, forged(card_room, played.folder, more):
        pass
    other = played.with_database(f"sqlite:///{played.folder}/forged.db")
    result = other.read_json("rounds", "settle", "prime-1.2", exit_code=1)
    assert (result["same"], result["differences"]) == (False, ["Seat 1 got 500 cents; settled again it gets 0."])
    page = other.read_output("rounds", "settle", "prime-1.2", exit_code=1)
    assert "The payouts of round prime-1.2 are wrong" in page
    assert other.read_json("rounds", "settle", "prime-1.1")["same"]


def test_rounds_are_exported_as_lines_or_as_one_document(played: CliRoom) -> None:
    lines = played.read_output("rounds", "export", "--table", PRIME, "-o", "-").splitlines()
    assert [json.loads(line)["round"] for line in lines] == ["prime-1.1", "prime-1.2", "prime-1.3"]
    document = played.folder / "rounds.json"
    assert (
        played.read_output("rounds", "export", "prime-1.2", "prime-1.1", "-o", str(document))
        .strip()
        .endswith("2 rounds.")
    )
    exported = json.loads(document.read_text())["rounds"]
    assert [one["round"] for one in exported] == ["prime-1.2", "prime-1.1"]
    assert {"record", "seal", "key", "words", "payments", "players"} <= set(exported[0])
    few = played.folder / "few.jsonl"
    played.read_output("rounds", "export", "--table", PRIME, "--from", "2", "--to", "2", "-o", str(few))
    assert [json.loads(line)["number"] for line in few.read_text().splitlines()] == [2]
    none = played.folder / "none.json"
    played.read_output("rounds", "export", "--table", PRIME, "--from", "40", "-o", str(none))
    assert json.loads(none.read_text()) == {"rounds": []}
    assert "exists already" in played.read_refusal("rounds", "export", "prime-1.1", "-o", str(document))
    assert "one of the two" in played.read_refusal("rounds", "export", "-o", "-")
    assert "one of the two" in played.read_refusal("rounds", "export", "prime-1.1", "--table", PRIME, "-o", "-")
    assert "with -o FILE" in played.read_refusal("rounds", "export", "prime-1.1")


def test_a_live_round_is_listed_shown_and_settled_from_what_was_typed(cli_room: CliRoom) -> None:
    with at_the_tables(cli_room) as card_room:
        an_hour_with_a_dealer(card_room)
    void, played = cli_room.read_json("rounds", "list")["rounds"]
    assert (void["mode"], void["void"], played["dealer"], played["money"]) == ("live", True, "Kim", "room")
    page = " ".join(cli_room.read_output("rounds", "show", "live-hour.1").split())
    assert "dealer 2c 3c 4c" in page
    assert "the room's money" in page
    result = cli_room.read_json("rounds", "settle", "live-hour.1")
    assert result["same"]
    exported = json.loads(cli_room.read_output("rounds", "export", "live-hour.1", "-o", "-"))
    assert exported["cards"] == {"dealer": ["2c", "3c", "4c"]}


def test_an_auditor_reads_the_chain_of_a_table_in_sentences(played: CliRoom) -> None:
    result = played.read_json("table", "history", PRIME)
    assert result["chain"] == f"table:{PRIME}"
    sentences = [one["sentences"] for one in result["events"]]
    assert sentences[-1].startswith("Olga opened the table for three-card-prime, automatic, for play money.")
    assert any("Olga and Vera voided round prime-1.3: the screen went dark." in one for one in sentences)
    assert len(played.read_json("table", "history", PRIME, "--last", "3")["events"]) == 3
    assert "There is no table 'cellar'" in played.read_refusal("table", "history", "cellar")


# The cage.


def test_a_player_is_admitted_paid_in_and_out_and_every_slip_says_which_money(cli_room: CliRoom) -> None:
    admitted = cli_room.read_json("player", "add", "ann-lee", "--money", "room", "--by", "olga")
    assert (admitted["player"], admitted["balance_cents"], admitted["money"]) == ("ann-lee", 0, "room")
    cage = ("--slip", "4471", "--by", "carl", "--second", "sam")
    assert cli_room.read_json("player", "pay-in", "ann-lee", "50", *cage)["balance_cents"] == 50_00
    page = cli_room.read_output(
        "player", "pay-out", "ann-lee", "$20.50", "--slip", "4472", "--by", "carl", "--second", "sam"
    )
    assert "ann-lee has $29.50 of the room's money." in page
    cli_room.read_output("player", "add", "bo", "--money", "play", "--by", "olga")
    assert "bo has $10 of play money." in cli_room.read_output("player", "pay-in", "bo", "10", *cage)
    listed = {one["player"]: one for one in cli_room.read_json("player", "list")["players"]}
    assert {name: (one["balance_cents"], one["money"]) for name, one in listed.items() if name != "pat"} == {
        "ann-lee": (29_50, "room"),
        "bo": (10_00, "play"),
    }
    assert "the room's money" in cli_room.read_output("player", "list")
    history = cli_room.read_output("player", "history", "ann-lee")
    assert "carl and sam took $50 in at the cage, 4471." in history
    assert "carl and sam paid $20.50 out at the cage, 4472." in history
    assert cli_room.read_json("verify")["players"] == 3


def test_what_the_cage_cannot_do_is_refused_and_changes_nothing(cli_room: CliRoom) -> None:
    cli_room.read_output("player", "add", "ann-lee", "--money", "room", "--by", "olga")
    before = cli_room.read_heads()
    cage = ("--slip", "1", "--by", "carl")
    for arguments, sentence in (
        (("add", "ann-lee", "--money", "room", "--by", "olga"), "There is a player ann-lee already"),
        (("add", "Ann Lee", "--money", "room", "--by", "olga"), "cannot be a player's name"),
        (("add", "bo", "--money", "monopoly", "--by", "olga"), "There is no currency 'monopoly': choose room or play."),
        (
            ("add", "bo", "--money", "play", "--by", "dora"),
            "dora is a dealer: only cage staff and operators may open player accounts",
        ),
        (("pay-in", "ann-lee", "50", *cage), "--second LOGIN"),
        (("pay-in", "ann-lee", "50", *cage, "--second", "carl"), "second"),
        (("pay-in", "ann-lee", "0", *cage, "--second", "sam"), "enter an amount above zero"),
        (("pay-in", "ann-lee", "fifty", *cage, "--second", "sam"), "is not an amount"),
        (("pay-in", "ann-lee", "5", "--by", "carl", "--second", "sam"), "number of the slip"),
        (("pay-out", "ann-lee", "5", *cage, "--second", "sam"), "The balance of ann-lee is $0"),
        (("pay-in", "eve", "5", *cage, "--second", "sam"), "There is no player 'eve'"),
        (("show", "eve"), "There is no player 'eve'"),
        (("history", "eve"), "There is no player 'eve'"),
    ):
        assert sentence in cli_room.read_refusal("player", *arguments), arguments
    assert cli_room.read_heads() == before


def test_a_players_page_has_the_balance_the_chips_and_all_of_it(played: CliRoom) -> None:
    player = played.read_json("rounds", "list")["rounds"][0]["players"]["1"]
    result = played.read_json("player", "show", player)
    (seat,) = result["seats"]
    assert (result["guest"], result["money"], seat["table"], seat["down_cents"]) == (True, "play", PRIME, 10_00)
    page = played.read_output("player", "show", player)
    assert f"{player}, guest, play money" in page
    assert "Wagers at seat 1 of prime-1" in page
    assert "Total" in page
    assert played.read_json("player", "list")["players"] == []
    assert len(played.read_json("player", "list", "--guests")["players"]) == 2


# Verification.


def test_verification_tells_tables_players_and_rounds(played: CliRoom) -> None:
    result = played.read_json("verify")
    assert (result["tables"], result["players"], result["rounds"]) == (1, 2, 2)
    page = played.read_output("verify")
    assert "2 rounds of 1 table dealt and settled again, 2 player balances recomputed" in page


def test_what_is_wrong_with_a_table_is_a_no_that_names_the_event(played: CliRoom) -> None:
    with (
        at_the_tables(played) as card_room,
        forged(card_room, played.folder, where(f"table:{PRIME}", "decision-made", by="eve")),
    ):
        pass
    other = played.with_database(f"sqlite:///{played.folder}/forged.db")
    page = other.read_output("verify", exit_code=1)
    assert page.startswith(f"Verification failed. Event 7 of table:{PRIME} ")
    assert "a different player decided" in page
    assert other.read_json("verify", exit_code=1)["discrepancy"]["chain"] == f"table:{PRIME}"
